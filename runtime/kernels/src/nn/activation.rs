//! Activations that are not one expression per element.

use crate::engine::arguments::result;
use crate::engine::elementwise::like_strides;
use crate::engine::lanes::wrap;
use crate::pointwise::apply_into;
use crate::{Call, Error};
use sconce_schema::scalar::{Binary, Node, Unary};
use sconce_tensor::{IValue, Sizes, Tensor};
use smallvec::smallvec;

/// The first half of a dimension times the logistic function of the second.
pub fn glu(call: &Call<'_>, t: &Tensor, dim: i64) -> Result<Tensor, Error> {
    let (_, dtype) = result(call.metas, 0)?;
    let dim = wrap(dim, t.dim())?;
    let mut sizes: Sizes = t.sizes().into();
    sizes[dim] /= 2;
    let half = |i: i64| t.as_strided(&sizes, t.strides(), t.storage_offset() + i * sizes[dim] * t.strides()[dim]);
    let nodes = vec![Node::Arg(0), Node::Arg(1), Node::Unary(Unary::Sigmoid, 1), Node::Binary(Binary::Mul, 0, 2)];
    let halves = [IValue::Tensor(half(0)?), IValue::Tensor(half(1)?)];
    apply_into("aten::glu", nodes, &halves, dtype, |sizes| call.contiguous_output(0, sizes, dtype))
}

pub fn prelu(call: &Call<'_>, t: &Tensor, w: &Tensor) -> Result<Tensor, Error> {
    // One weight for all, or one for each position in the second dimension.
    let mut sizes: Sizes = smallvec![1; t.dim()];
    let mut strides: Sizes = smallvec![0; t.dim()];
    if w.numel() != 1 && t.dim() > 1 {
        (sizes[1], strides[1]) = (w.numel() as i64, w.strides().first().copied().unwrap_or(1));
    }
    if t.numel() > 0 && (w.numel() != 1 && sizes.get(1) != t.sizes().get(1) || w.numel() == 0) {
        return Err(Error::runtime(format!("prelu: {} weights for a tensor of size {:?}", w.numel(), t.sizes())));
    }
    if t.numel() == 0 {
        return Ok(t.copy()?);
    }
    let w = w.as_strided(&sizes, &strides, w.storage_offset())?;
    let nodes = vec![
        Node::Arg(0),
        Node::Const(0.0),
        Node::Binary(Binary::Gt, 0, 1),
        Node::Arg(1),
        Node::Binary(Binary::Mul, 0, 3),
        Node::Select(2, 0, 4),
    ];
    let both = [IValue::Tensor(t.clone()), IValue::Tensor(w)];
    let strides = like_strides(t);
    apply_into("aten::prelu", nodes, &both, t.dtype(), |sizes| call.output(0, sizes, &strides, t.dtype()))
}

/// `min(x, 0) - log1p(exp(-|x|))`, row-major: of 16-bit numbers in f32 to the end, as the record says.
pub fn log_sigmoid(call: &Call<'_>, t: &Tensor) -> Result<Tensor, Error> {
    let x = IValue::Tensor(t.clone());
    let space = |sizes: &[i64]| call.contiguous_output(0, sizes, t.dtype());
    let nodes = vec![
        Node::Arg(0),
        Node::Const(0.0),
        Node::Binary(Binary::Min, 0, 1),
        Node::Unary(Unary::Abs, 0),
        Node::Unary(Unary::Neg, 3),
        Node::Unary(Unary::Exp, 4),
        Node::Unary(Unary::Log1p, 5),
        Node::Binary(Binary::Sub, 2, 6),
    ];
    apply_into("aten::log_sigmoid", nodes, std::slice::from_ref(&x), t.dtype(), space)
}
