//! Rules of activations that are not one expression per element.

use super::args::*;
use super::{Meta, RuleResult, ShapeError, TensorMeta};
use smallvec::smallvec;

fn floats(kernel: &str, t: &TensorMeta) -> Result<(), ShapeError> {
    match t.dtype {
        Some(d) if !d.is_float() => not_implemented_for(kernel, d),
        _ => Ok(()),
    }
}

/// (self, alpha), which divides.
pub fn celu(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    if a.float(1) == Some(0.0) {
        return error("ZeroDivisionError: alpha cannot be 0 for CELU");
    }
    let t = a.tensor(0)?;
    floats("elu_cpu", &t)?;
    one(t.dtype, t.sizes)
}

/// (self, approximate).
pub fn gelu(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    if a.str(1).is_some_and(|how| !matches!(how, "none" | "tanh")) {
        return error("approximate argument must be either none or tanh.");
    }
    let t = a.tensor(0)?;
    floats("GeluKernelImpl", &t)?;
    one(t.dtype, t.sizes)
}

/// Half of a dimension gates the other.
pub fn glu(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    let Some(mut sizes) = t.sizes else { return one(t.dtype, None) };
    if sizes.is_empty() {
        return error("glu does not support 0-dimensional tensors");
    }
    let Some(d) = a.int(1) else { return one(t.dtype, None) };
    let d = wrap_dim(d, sizes.len())?;
    if let Some(n) = sizes[d].known()
        && n % 2 != 0
    {
        return error(format!("Halving dimension must be even, but dimension {d} is size {n}"));
    }
    if let Some(dtype) = t.dtype
        && !dtype.is_float()
        && !dtype.is_complex()
    {
        return not_implemented_for("glu_cpu", dtype);
    }
    sizes[d] = sizes[d].map(|n| n / 2);
    one(t.dtype, Some(sizes))
}

/// The gradient has the input's sizes, which are the second argument's.
pub fn glu_backward(a: &[Meta]) -> RuleResult {
    let t = Args(a).tensor(1)?;
    one(t.dtype, t.sizes)
}

/// One weight, or one per channel.
pub fn prelu(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let (t, w) = (a.tensor(0)?, a.tensor(1)?);
    if let (Some(d), Some(e)) = (t.dtype, w.dtype)
        && d != e
    {
        return error(format!(
            "prelu: Type promoting not supported. Got {} and {}",
            d.scalar_type_name(),
            e.scalar_type_name()
        ));
    }
    if let (Some(n), Some(rank)) = (w.numel().known(), t.rank())
        && n != 1
    {
        if rank == 0 {
            return error("Not allow zero-dim input tensor.");
        }
        let channels = if rank > 1 { t.size(1).known() } else { Some(1) };
        if let Some(c) = channels
            && c != n
        {
            return error(format!(
                "Mismatch of parameter numbers and input channel size. Found parameter numbers = {n} and channel size = {c}."
            ));
        }
    }
    if let Some(r) = w.rank()
        && r > 1
    {
        return error(format!("prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {r}"));
    }
    one(t.dtype, t.sizes)
}

/// Output, and a buffer that only the backward pass reads.
pub fn log_sigmoid_forward(a: &[Meta]) -> RuleResult {
    let t = Args(a).tensor(0)?;
    if let Some(d) = t.dtype
        && !d.is_float()
    {
        return not_implemented_for("log_sigmoid_cpu", d);
    }
    Ok(smallvec![tensor(t.dtype, t.sizes.clone()), tensor(t.dtype, t.sizes)])
}
