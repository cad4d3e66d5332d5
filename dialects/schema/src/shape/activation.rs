//! Rules of activations that are not one expression per element.

use super::args::*;

fn floats(kernel: &str, t: &TensorMeta) -> Result<(), ShapeError> {
    match t.dtype {
        Some(d) if !d.is_float() => not_implemented_for(kernel, d),
        _ => Ok(()),
    }
}

/// (self, alpha), which divides.
pub fn celu(a: &[Meta]) -> RuleResult {
    refuse!(if a.float(1) == Some(0.0), "ZeroDivisionError: alpha cannot be 0 for CELU");
    let t = a.tensor(0)?;
    floats("elu_cpu", &t)?;
    one(t.dtype, t.sizes)
}

/// (self, approximate).
pub fn gelu(a: &[Meta]) -> RuleResult {
    refuse!(if a.str(1).is_some_and(|how| !matches!(how, "none" | "tanh")),
        "approximate argument must be either none or tanh.");
    let t = a.tensor(0)?;
    floats("GeluKernelImpl", &t)?;
    one(t.dtype, t.sizes)
}

/// Half of a dimension gates the other.
pub fn glu(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    let Some(mut sizes) = t.sizes else { return one(t.dtype, None) };
    refuse!(if sizes.is_empty(), "glu does not support 0-dimensional tensors");
    let Some(d) = a.int(1) else { return one(t.dtype, None) };
    let d = wrap_dim(d, sizes.len())?;
    refuse!(if let Some(n) = sizes[d].known(), n % 2 != 0,
        "Halving dimension must be even, but dimension {d} is size {n}");
    kernel("glu_cpu", t.dtype, DType::is_inexact)?;
    sizes[d] = sizes[d].map(|n| n / 2);
    one(t.dtype, Some(sizes))
}

/// The gradient has the input's sizes, which are the second argument's.
pub fn glu_backward(a: &[Meta]) -> RuleResult {
    let t = a.tensor(1)?;
    one(t.dtype, t.sizes)
}

/// One weight, or one per channel.
pub fn prelu(a: &[Meta]) -> RuleResult {
    let (t, w) = (a.tensor(0)?, a.tensor(1)?);
    refuse!(if let Some((d, e)) = unlike(&t, &w), "prelu: Type promoting not supported. Got {d} and {e}");
    if let (Some(n), Some(rank)) = (w.numel().known(), t.rank())
        && n != 1
    {
        refuse!(if rank == 0, "Not allow zero-dim input tensor.");
        let channels = if rank > 1 { t.size(1).known() } else { Some(1) };
        refuse!(if let Some(c) = channels, c != n,
            "Mismatch of parameter numbers and input channel size. Found parameter numbers = {n} and channel size = {c}.");
    }
    refuse!(if let Some(r) = w.rank(), r > 1,
        "prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {r}");
    one(t.dtype, t.sizes)
}

/// Output, and a buffer that only the backward pass reads.
pub fn log_sigmoid_forward(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    kernel("log_sigmoid_cpu", t.dtype, DType::is_float)?;
    Ok(smallvec![tensor(t.dtype, t.sizes.clone()), tensor(t.dtype, t.sizes)])
}
