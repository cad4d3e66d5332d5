//! Operators that only move elements: they move the integers, and the result has the parameters of the tensor whose integers they are.

use super::{integers, pair, quantizer};
use crate::engine::arguments::tensor_arg;
use crate::{Call, Error, Outputs};
use sconce_tensor::{IValue, Tensor};
use smallvec::SmallVec;

/// What the operator gives for integers in the place of quantized tensors.
fn on_integers(call: &Call<'_>, args: &[IValue]) -> Result<Outputs, Error> {
    let plain = |v: &IValue| match v {
        IValue::Tensor(t) if t.is_quantized() => integers(t).into(),
        other => other.clone(),
    };
    let mut inner: SmallVec<[IValue; 8]> = args.iter().map(plain).collect();
    super::on_plain(call, &mut inner)
}

/// Integers that an operator gave, with what those of `t` stand for.
fn meant(out: Outputs, t: &Tensor) -> Outputs {
    let back = |v: IValue| match v {
        IValue::Tensor(n) if n.dtype() == t.dtype().underlying() => n.reread(t.dtype(), t.quantizer().cloned()).into(),
        other => other,
    };
    out.into_iter().map(back).collect()
}

/// An operator whose result has elements of the first argument somewhere: a pair for each channel would not know them.
pub fn moved(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?.clone();
    pair(&t)?;
    Ok(meant(on_integers(call, args)?, &t))
}

/// Another shape over the same elements in the same order, a view where that can be.
pub fn reshaped(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let by_channel = quantizer(tensor_arg(args, 0)?)?.axis().is_some();
    if by_channel { view_by_channel(call, args) } else { moved(call, args) }
}

/// An operator whose result has each element of the first argument where it was.
pub fn copied(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?.clone();
    Ok(meant(on_integers(call, args)?, &t))
}

/// A view of a tensor with parameters by channel: the channels are a dimension of the view, or one of them is all of it.
pub fn view_by_channel(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?.clone();
    let back = |v: IValue| match v {
        IValue::Tensor(view) => by_channel(&t, &view).map(IValue::Tensor),
        IValue::List(list) => {
            let views = list.to_vec();
            let views = views.iter().map(|v| by_channel(&t, v.as_tensor()?)).collect::<Result<Vec<_>, Error>>()?;
            Ok(IValue::tensor_list(views))
        }
        other => Ok(other),
    };
    on_integers(call, args)?.into_iter().map(back).collect()
}

/// A view of the integers of `t` with what they stand for.
fn by_channel(t: &Tensor, view: &Tensor) -> Result<Tensor, Error> {
    let q = quantizer(t)?;
    let refused = || Error::runtime("Setting strides is possible only on uniformly quantized tensor");
    let axis = q.axis().filter(|a| *a < t.dim()).ok_or_else(refused)?;
    let (size, step) = (t.sizes()[axis], t.strides()[axis]);
    let moved = view.storage_offset() - t.storage_offset();
    // Where the channels begin in memory: a view may begin later inside of each.
    let inner: i64 = t.sizes().iter().zip(t.strides()).filter(|(_, s)| **s < step).map(|(n, s)| (n - 1) * s).sum();
    let outer_steps = t.strides().iter().enumerate().any(|(d, s)| d != axis && *s > step && t.sizes()[d] > 1);
    let found = (0..view.dim()).find(|d| (view.sizes()[*d], view.strides()[*d]) == (size, step));
    // Dimensions in another order are refused.
    if let Some(at) = found.filter(|at| view.dim() != t.dim() || *at == axis) {
        return Ok(view.reread(t.dtype(), Some(q.with_axis(at))));
    }
    let is_inside = view.strides().iter().zip(view.sizes()).all(|(s, n)| *s < step || *n == 1);
    let channel =
        usize::try_from(moved / step.max(1)).ok().filter(|_| step > inner && is_inside && !outer_steps && moved >= 0);
    let q = channel.and_then(|c| q.channel(c)).ok_or_else(refused)?;
    Ok(view.reread(t.dtype(), Some(q)))
}
