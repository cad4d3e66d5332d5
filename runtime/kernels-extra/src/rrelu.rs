//! Leaky rectifiers whose slopes are drawn, an element's slope where it is not above zero.

use sconce_kernels::engine::arguments::{arg, bool_arg};
use sconce_kernels::engine::cast;
use sconce_kernels::engine::compose::{all, tensor as op};
use sconce_kernels::engine::number::Number;
use sconce_kernels::{Error, not_implemented};
use sconce_tensor::mersenne::{default_generator, with_engine};
use sconce_tensor::{IValue, Tensor};

/// Between which slopes lie.
struct Slopes<'a> {
    lower: f64,
    upper: f64,
    training: bool,
    generator: Option<&'a IValue>,
}

impl Slopes<'_> {
    /// Of the arguments `lower, upper, training, generator`.
    fn of(args: &[IValue]) -> Result<Slopes<'_>, Error> {
        let bound = |i: usize| Number::from_value(arg(args, i)?)?.to_f64();
        let generator = args.get(3).and_then(IValue::optional);
        Ok(Slopes { lower: bound(0)?, upper: bound(1)?, training: bool_arg(args, 2)?, generator })
    }

    /// What is given, and the slopes that it took.
    fn rectified(&self, t: &Tensor) -> Result<(Tensor, Tensor), Error> {
        let (lower, upper) = (self.lower, self.upper);
        if !t.dtype().is_float() {
            return Err(not_implemented("rrelu_with_noise_out_cpu", t.dtype()));
        }
        if lower > upper {
            return Err(Error::runtime("Lower bound should be less than or equal to the upper bound"));
        }
        let elements = cast::to_vec::<f64>(t)?;
        let generator = match self.generator {
            Some(given) => given.as_generator()?,
            None => default_generator(),
        };
        let slopes: Vec<f64> = with_engine(generator, |e| {
            let slope = |x: f64| match (self.training, x <= 0.0) {
                (true, true) => e.uniform_double() * (upper - lower) + lower,
                (false, true) => (lower + upper) / 2.0,
                _ => 1.0,
            };
            elements.into_iter().map(slope).collect()
        });
        let slopes = cast::from_vec(slopes, t.sizes(), t.dtype())?;
        Ok((op("aten::mul.Tensor", &[t.clone().into(), slopes.clone().into()])?, slopes))
    }

    /// The same with a tensor for the slopes.
    fn with_noise(&self, t: &Tensor, noise: &Tensor) -> Result<(Tensor, Tensor), Error> {
        if noise.sizes() != t.sizes() && t.dtype().is_float() && self.lower <= self.upper {
            return Err(Error::runtime(format!(
                "noise tensor shape must match self tensor shape. Got self.shape = {:?} noise.shape = {:?}",
                t.sizes(),
                noise.sizes()
            )));
        }
        self.rectified(t)
    }
}

fn write(to: &Tensor, from: &Tensor) -> Result<(), Error> {
    all("aten::copy_", &[to.clone().into(), from.clone().into(), IValue::Bool(false)]).map(|_| ())
}

pub fn rrelu(t: &Tensor, settings: &[IValue]) -> Result<Tensor, Error> {
    Ok(Slopes::of(settings)?.rectified(t)?.0.contiguous()?)
}

/// Into the tensor.
pub fn rrelu_inplace(t: &Tensor, settings: &[IValue]) -> Result<Tensor, Error> {
    write(t, &Slopes::of(settings)?.rectified(t)?.0)?;
    Ok(t.clone())
}

/// In training the noise becomes the slopes.
pub fn rrelu_with_noise(t: &Tensor, noise: &Tensor, settings: &[IValue]) -> Result<Tensor, Error> {
    let how = Slopes::of(settings)?;
    let (out, slopes) = how.with_noise(t, noise)?;
    if how.training {
        write(noise, &slopes)?;
    }
    Ok(out.contiguous()?)
}

/// The same into the tensor.
pub fn rrelu_with_noise_inplace(t: &Tensor, noise: &Tensor, settings: &[IValue]) -> Result<Tensor, Error> {
    write(t, &rrelu_with_noise(t, noise, settings)?)?;
    Ok(t.clone())
}

/// The result and the slopes, nothing written.
pub fn rrelu_with_noise_functional(t: &Tensor, noise: &Tensor, settings: &[IValue]) -> Result<(Tensor, Tensor), Error> {
    let how = Slopes::of(settings)?;
    let (out, slopes) = how.with_noise(t, noise)?;
    Ok((out, if how.training { slopes } else { noise.copy()? }))
}
