//! Losses of log-probabilities by class, and what the elements of a loss that its record folds must be.

use sconce_kernels::engine::arguments::{result_dtype, tensor_arg};
use sconce_kernels::engine::cast;
use sconce_kernels::engine::folds::itself;
use sconce_kernels::engine::rows;
use sconce_kernels::nn::loss::{Targets, by_class, reduced};
use sconce_kernels::tensor::fold;
use sconce_kernels::{Call, Error, Outputs};
use sconce_tensor::{DType, IValue, Tensor};

pub fn binary_cross_entropy(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    if rows::read::<f64>(tensor_arg(args, 0)?)?.iter().any(|x| !(0.0..=1.0).contains(x)) {
        return Err(Error::runtime("all elements of input should be between 0 and 1"));
    }
    fold::evaluate(call, args)
}

/// The loss, and the sum of the weights (0 when nothing is reduced).
pub fn nll_loss_forward(
    call: &Call<'_>,
    t: &Tensor,
    target: &Tensor,
    weight: Option<&Tensor>,
    reduction: i64,
    ignored: i64,
) -> Result<(Tensor, Tensor), Error> {
    let targets = Targets::new(target, weight, by_class(t).length(), ignored)?;
    let (values, weight) = match t.dtype() {
        DType::F64 => targets.likelihoods::<f64>(t, |_, lane, class| itself(lane[class])),
        _ => targets.likelihoods::<f32>(t, |_, lane, class| itself(lane[class])),
    }?;
    let loss = reduced(call, values, weight, reduction)?;
    let weight = if reduction == 0 && t.dim() > 1 { 0.0 } else { weight };
    Ok((loss, cast::from_vec(vec![weight], &[], result_dtype(call.metas, 0)?)?))
}
