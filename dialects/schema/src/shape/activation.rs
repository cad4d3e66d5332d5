//! Rules of activations that are not one expression per element.

use super::args::*;
use super::like::like;
use super::view::replaced;

/// Alpha divides.
pub fn celu(t: TensorMeta, alpha: Float) -> RuleResult {
    refuse!(if alpha == Some(0.0), "ZeroDivisionError: alpha cannot be 0 for CELU");
    kernel("elu_cpu", t.dtype, DType::is_float)?;
    like(t)
}

pub fn gelu(t: TensorMeta, approximate: Text) -> RuleResult {
    refuse!(if approximate.is_some_and(|how| !matches!(&*how, "none" | "tanh")),
        "approximate argument must be either none or tanh.");
    kernel("GeluKernelImpl", t.dtype, DType::is_float)?;
    like(t)
}

/// Half of a dimension gates the other.
pub fn glu(t: Ranked, dim: Int) -> RuleResult {
    refuse!(if t.sizes.is_empty(), "glu does not support 0-dimensional tensors");
    let Some(d) = t.dimension(dim)? else { return one(t.dtype, None) };
    let size = t.size(d);
    refuse!(if let Some(n) = size.known(), n % 2 != 0,
        "Halving dimension must be even, but dimension {d} is size {n}");
    kernel("glu_cpu", t.dtype, DType::is_inexact)?;
    one(t.dtype, Some(replaced(&t.sizes, d, size.over(2))))
}

/// One weight, or one per channel.
pub fn prelu([t, w]: [TensorMeta; 2]) -> RuleResult {
    refuse!(if let Some((d, e)) = unlike(&t, &w), "prelu: Type promoting not supported. Got {d} and {e}");
    if let (Some(n), Some(rank)) = (w.numel().known().filter(|n| *n != 1), t.rank()) {
        refuse!(if rank == 0, "Not allow zero-dim input tensor.");
        let channels = if rank > 1 { t.size(1) } else { Size::Known(1) };
        refuse!(if let Some(c) = channels.known(), c != n,
            "Mismatch of parameter numbers and input channel size. Found parameter numbers = {n} and channel size = {c}.");
    }
    refuse!(if let Some(r) = w.rank(), r > 1,
        "prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {r}");
    like(t)
}
