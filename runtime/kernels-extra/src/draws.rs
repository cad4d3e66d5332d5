//! Draws of distributions that models hardly have, bit-equal to PyTorch's: each is a function of the generator's uniform or normal numbers.

use sconce_kernels::engine::arguments::{arg, float_arg, one, tensor_arg};
use sconce_kernels::engine::compose::{all, tensor as op};
use sconce_kernels::engine::number::cpp_name;
use sconce_kernels::engine::{cast, layout};
use sconce_kernels::tensor::random::{fill_each, fill_normal, floating, generator, inplace, like};
use sconce_kernels::{Call, Error, Outputs, kernels, not_implemented};
use sconce_tensor::{DType, Generator, IValue, Sizes, Tensor, broadcast_sizes};

kernels! {
    /// (self, mean, std, generator): the exponential of a normal number.
    log_normal_inplace = inplace, fill_log_normal;
    log_normal = like, fill_log_normal;
    /// (self, median, sigma, generator).
    cauchy_inplace = inplace, fill_cauchy;
    cauchy = like, fill_cauchy;
    /// (self, p, generator): how many trials until the first success.
    geometric_inplace = inplace, fill_geometric;
    geometric = like, fill_geometric;
}

fn fill_log_normal(t: &Tensor, args: &[IValue], g: &Generator) -> Result<(), Error> {
    let (mean, std) = (float_arg(args, 1)?, float_arg(args, 2)?);
    if std <= 0.0 {
        return Err(Error::runtime(format!("log_normal_ expects std > 0.0, but found std={std}")));
    }
    floating(t.dtype(), "log_normal_cpu")?;
    fill_each(t, "log_normal_cpu", g, |e| (e.normal() * std + mean).exp())
}

fn fill_cauchy(t: &Tensor, args: &[IValue], g: &Generator) -> Result<(), Error> {
    let (median, sigma) = (float_arg(args, 1)?, float_arg(args, 2)?);
    if !t.dtype().is_float() {
        return Err(Error::runtime(format!(
            "Cauchy distribution is a continuous probability distribution. dtype must be a floating point but you specified {}",
            cpp_name(t.dtype())
        )));
    }
    if sigma.is_nan() || sigma <= 0.0 {
        return Err(Error::runtime(format!("cauchy_ expects sigma > 0.0, but found sigma={sigma}")));
    }
    fill_each(t, "cauchy_cpu", g, |e| median + sigma * (std::f64::consts::PI * (e.uniform_double() - 0.5)).tan())
}

fn fill_geometric(t: &Tensor, args: &[IValue], g: &Generator) -> Result<(), Error> {
    let p = float_arg(args, 1)?;
    if !(p > 0.0 && p < 1.0) {
        return Err(Error::runtime(format!("geometric_ expects p to be in (0, 1), but got p={p}")));
    }
    if t.dtype().is_complex() || t.dtype() == DType::Bool {
        return Err(not_implemented("geometric_cpu", t.dtype()));
    }
    fill_each(t, "geometric_cpu", g, |e| (e.uniform_double().ln() / (1.0 - p).ln()).ceil())
}

/// (mean, std, generator), each a number or a tensor: standard draws, scaled and moved.
pub fn normal_of(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (mean, std) = (arg(args, 0)?.clone(), arg(args, 1)?.clone());
    let mut sizes = Sizes::new();
    let mut dtype = DType::F32;
    for t in [&mean, &std].into_iter().rev() {
        if let IValue::Tensor(t) = t {
            sizes = broadcast_sizes(&sizes, t.sizes())?;
            dtype = t.dtype();
        }
    }
    let mut out = Tensor::zeros(&sizes, dtype)?;
    let plain = match &std {
        IValue::Tensor(_) => 1.0,
        number => number.as_double()?,
    };
    fill_normal(&out, 0.0, plain, generator(args))?;
    if let IValue::Tensor(deviations) = &std {
        if cast::to_vec::<f64>(deviations)?.iter().any(|s| *s < 0.0) {
            return Err(Error::runtime("normal expects all elements of std >= 0.0"));
        }
        out = op("aten::mul.Tensor", &[out.into(), std])?;
    }
    let mean = match mean {
        IValue::Tensor(t) => t,
        number => {
            let t = Tensor::scalar(number.as_double()?);
            t.set_wrapped_number(true);
            t
        }
    };
    one(op("aten::add.Tensor", &[out.into(), mean.into()])?)
}

/// (mean, std, *, generator, out): drawn for as many elements as the destination and the means make together.
pub fn normal_onto(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (mean, out) = (tensor_arg(args, 0)?.clone(), tensor_arg(args, 3)?.clone());
    let sizes = broadcast_sizes(mean.sizes(), out.sizes())?;
    if out.sizes() != sizes.as_slice() {
        layout::resize(&out, &sizes)?;
    }
    fill_normal(&out, 0.0, float_arg(args, 1)?, generator(args))?;
    all("aten::add_.Tensor", &[out.into(), mean.into()])
}
