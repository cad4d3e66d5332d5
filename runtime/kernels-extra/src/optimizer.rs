//! Steps of optimisers over lists of tensors, each tensor by itself: computed in f64, kept in the tensors' dtype.

use sconce_kernels::engine::arguments::{bool_arg, float_arg, optional_tensor, tensor_arg};
use sconce_kernels::engine::cast;
use sconce_kernels::{Call, Error, Outputs, not_implemented};
use sconce_tensor::{IValue, Tensor};

/// What the steps of one call have in common.
struct Step {
    rate: f64,
    decay: f64,
    eps: f64,
    maximize: bool,
    /// Gradients were multiplied by it.
    scale: Option<f64>,
}

/// Argument of a name, as its position.
fn at(call: &Call<'_>, name: &str) -> Result<usize, Error> {
    let position = call.entry.schema().arguments.iter().position(|a| &*a.name == name);
    position.ok_or_else(|| Error::runtime(format!("{} has no argument `{name}`", call.entry.name)))
}

/// A number, given as one or as a tensor of one element.
fn number(args: &[IValue], i: usize) -> Result<f64, Error> {
    match args.get(i) {
        Some(IValue::Tensor(t)) if t.numel() != 1 => {
            Err(Error::runtime(format!("a Tensor with {} elements cannot be converted to Scalar", t.numel())))
        }
        Some(IValue::Tensor(_)) => item(tensor_arg(args, i)?),
        _ => float_arg(args, i),
    }
}

fn item(t: &Tensor) -> Result<f64, Error> {
    cast::to_vec::<f64>(t)?.first().copied().ok_or_else(|| Error::runtime("a tensor of one element is expected"))
}

fn named(call: &Call<'_>, args: &[IValue], name: &str) -> Result<f64, Error> {
    number(args, at(call, name)?)
}

fn flag(call: &Call<'_>, args: &[IValue], name: &str) -> Result<bool, Error> {
    bool_arg(args, at(call, name)?)
}

/// Runs `step` on the numbers of the `i`-th tensors of the first `lists` arguments, parameters and gradients first, and puts the results where
/// the form of the operator wants them: back into the lists, into new ones, or the parameters into `out`.
fn each(
    call: &Call<'_>,
    args: &[IValue],
    lists: usize,
    kernel: &str,
    step: impl Fn(&Step, usize, &mut [Vec<f64>]),
) -> Result<Outputs, Error> {
    let given: Vec<_> = args.iter().take(lists).map(IValue::as_tensor_list).collect::<Result<_, _>>()?;
    let count = given.first().map_or(0, |list| list.len());
    let schema = call.entry.schema();
    if let Some(k) = given.iter().position(|list| list.len() != count) {
        // Greatest averages are looked at where they are kept.
        let name = &schema.arguments[k].name;
        let kept = &**name != "max_exp_avg_sqs" || flag(call, args, "amsgrad")?;
        if kept || given[k].len() < count && !given[k].is_empty() {
            return Err(Error::runtime(format!("Expected {name}.size() == n_tensors to be true, but got false.")));
        }
    }
    let in_place = call.entry.base_name().ends_with('_');
    let out = schema.arguments.iter().position(|a| &*a.name == "out").map(|i| args[i].as_tensor_list()).transpose()?;
    let skipped = match optional_tensor(args, at(call, "found_inf")?)? {
        Some(found) => item(found)? == 1.0,
        None => false,
    };
    let scale = optional_tensor(args, at(call, "grad_scale")?)?.map(item).transpose()?;
    let of = Step {
        rate: named(call, args, "lr")?,
        decay: named(call, args, "weight_decay")?,
        eps: match at(call, "eps") {
            Ok(i) => number(args, i)?,
            Err(_) => 0.0,
        },
        maximize: flag(call, args, "maximize")?,
        scale,
    };
    let mut results: Vec<Vec<Tensor>> = vec![Vec::new(); lists];
    for i in 0..count {
        let tensors: Vec<&Tensor> = given.iter().map(|list| &list[i]).collect();
        let dtype = tensors[0].dtype();
        if !dtype.is_float() {
            return Err(not_implemented(kernel, dtype));
        }
        if let Some(other) = tensors.iter().find(|t| t.dtype() != dtype) {
            return Err(Error::runtime(format!(
                "expected scalar type {} but found {}",
                dtype.scalar_type_name(),
                other.dtype().scalar_type_name()
            )));
        }
        // The last list of an adaptive optimiser counts the steps: one number a tensor.
        let counted = usize::from(&*schema.arguments[lists - 1].name == "state_steps");
        let n = tensors[0].numel();
        if let Some(steps) = tensors.last().filter(|t| counted == 1 && t.numel() != 1) {
            let text = format!("a Tensor with {} elements cannot be converted to Scalar", steps.numel());
            return Err(Error::runtime(text));
        }
        if tensors[1..lists - counted].iter().any(|t| t.numel() < n) {
            return Err(Error::runtime("params, grads and states must have same number of elements"));
        }
        let mut numbers: Vec<Vec<f64>> = tensors.iter().map(|t| cast::to_vec(t)).collect::<Result<_, _>>()?;
        if !skipped {
            step(&of, n, &mut numbers);
        }
        for (k, (t, numbers)) in tensors.iter().zip(numbers).enumerate() {
            let result = cast::from_vec(numbers, t.sizes(), dtype)?;
            let written = schema.arguments[k].is_written();
            match &out {
                Some(out) if k == 0 => {
                    let target = out.get(i).ok_or_else(|| Error::runtime("out has too few tensors"))?;
                    if target.sizes() != result.sizes() {
                        sconce_kernels::engine::layout::resize(target, result.sizes())?;
                    }
                    cast::convert_into(target, &result)?;
                }
                _ if in_place || out.is_some() => {
                    // The `out=` form leaves states as they were.
                    if written && out.is_none() {
                        cast::convert_into(t, &result)?;
                        t.bump_version();
                    }
                }
                _ => results[k].push(result),
            }
        }
    }
    let returned = schema.returns.len();
    Ok(results.into_iter().take(returned).map(IValue::tensor_list).collect())
}

impl Step {
    /// The gradient at `i` as the step uses it: without its scale, which also goes from the tensor, and turned round to climb.
    fn gradient(&self, numbers: &mut [Vec<f64>], i: usize) -> f64 {
        if let Some(scale) = self.scale {
            numbers[1][i] /= scale;
        }
        if self.maximize { -numbers[1][i] } else { numbers[1][i] }
    }

    /// The gradient with the decay of its weight; without a decay the weight is not looked at, whatever it is.
    fn with_decay(&self, gradient: f64, weight: f64) -> f64 {
        if self.decay == 0.0 { gradient } else { gradient + self.decay * weight }
    }
}

/// (self, grads, momentum_buffer_list, …): with momentum, also Nesterov's.
pub fn sgd(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (momentum, dampening) = (named(call, args, "momentum")?, named(call, args, "dampening")?);
    let (nesterov, first) = (flag(call, args, "nesterov")?, flag(call, args, "is_first_step")?);
    each(call, args, 3, "fused_sgd_kernel", |step, n, v| {
        for i in 0..n {
            let g = step.gradient(v, i);
            let mut g = step.with_decay(g, v[0][i]);
            if momentum != 0.0 {
                v[2][i] = if first { g } else { momentum * v[2][i] + (1.0 - dampening) * g };
                g = if nesterov { g + momentum * v[2][i] } else { v[2][i] };
            }
            v[0][i] -= step.rate * g;
        }
    })
}

fn adam_of(call: &Call<'_>, args: &[IValue], decoupled: bool) -> Result<Outputs, Error> {
    let (beta1, beta2) = (named(call, args, "beta1")?, named(call, args, "beta2")?);
    let amsgrad = flag(call, args, "amsgrad")?;
    each(call, args, 6, "fused_adam_kernel", |step, n, v| {
        let count = v[5].first().copied().unwrap_or(f64::NAN);
        let (correction1, correction2) = (1.0 - beta1.powf(count), (1.0 - beta2.powf(count)).sqrt());
        for i in 0..n {
            let mut g = step.gradient(v, i);
            if decoupled {
                v[0][i] -= step.rate * step.decay * v[0][i];
            } else {
                g = step.with_decay(g, v[0][i]);
            }
            v[2][i] = beta1 * v[2][i] + (1.0 - beta1) * g;
            v[3][i] = beta2 * v[3][i] + (1.0 - beta2) * g * g;
            let mut square = v[3][i];
            if amsgrad {
                if v[4][i] < square {
                    v[4][i] = square;
                }
                square = v[4][i];
            }
            v[0][i] -= step.rate / correction1 * v[2][i] / (square.sqrt() / correction2 + step.eps);
        }
    })
}

/// (self, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, …).
pub fn adam(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    adam_of(call, args, false)
}

/// The same with the decay of weights apart from the gradient.
pub fn adamw(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    adam_of(call, args, true)
}

/// (self, grads, state_sums, state_steps, …).
pub fn adagrad(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let rate_decay = named(call, args, "lr_decay")?;
    each(call, args, 4, "fused_adagrad_kernel", |step, n, v| {
        let rate = step.rate / (1.0 + (v[3].first().copied().unwrap_or(f64::NAN) - 1.0) * rate_decay);
        for i in 0..n {
            let g = step.gradient(v, i) + step.decay * v[0][i];
            v[2][i] += g * g;
            v[0][i] -= rate * g / (v[2][i].sqrt() + step.eps);
        }
    })
}

/// (self, found_inf, inv_scale): gradients without their scale; `found_inf` says whether one is not finite.
pub fn unscale(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (list, found, factor) = (args[0].as_tensor_list()?, tensor_arg(args, 1)?, tensor_arg(args, 2)?);
    for (t, name) in [(factor, "inv_scale"), (found, "found_inf")] {
        if t.numel() != 1 {
            return Err(Error::runtime(format!("{name} must be a 1-element tensor.")));
        }
    }
    for (t, name) in [(factor, "inv_scale"), (found, "found_inf")] {
        if t.dtype() != sconce_tensor::DType::F32 {
            return Err(Error::runtime(format!("{name} must be a float tensor.")));
        }
    }
    let by = item(factor)?;
    let mut finite = true;
    let mut scaled = Vec::with_capacity(list.len());
    for t in &list {
        if !t.dtype().is_float() {
            return Err(not_implemented("_amp_foreach_non_finite_check_and_unscale_cpu", t.dtype()));
        }
        let mut numbers = cast::to_vec::<f64>(t)?;
        finite &= numbers.iter().all(|v| v.is_finite());
        if by != 1.0 {
            numbers.iter_mut().for_each(|v| *v *= by);
        }
        scaled.push(cast::from_vec(numbers, t.sizes(), t.dtype())?);
    }
    let flag = Tensor::from_vec(vec![if finite { item(found)? as f32 } else { 1.0 }], &[1]);
    let flag = flag.as_strided(found.sizes(), &vec![1; found.dim()], 0)?;
    if call.entry.schema().returns.len() == 2 {
        return Ok(smallvec::smallvec![IValue::tensor_list(scaled), flag.into()]);
    }
    let targets = if args.len() > 3 { args[3].as_tensor_list()? } else { list };
    for (target, value) in targets.iter().zip(&scaled) {
        if target.sizes() != value.sizes() {
            sconce_kernels::engine::layout::resize(target, value.sizes())?;
        }
        cast::convert_into(target, value)?;
        target.bump_version();
    }
    cast::convert_into(found, &flag)?;
    found.bump_version();
    Ok(Outputs::new())
}
