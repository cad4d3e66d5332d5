//! What older programs resample with: operators that choose one of the family's by mode and rank. A size wins over factors.

use sconce_kernels::engine::arguments::{arg, bool_arg, tensor_arg};
use sconce_kernels::engine::compose;
use sconce_kernels::{Call, Error, Outputs};
use sconce_tensor::{IValue, Tensor};

/// How to resample, as the operators' arguments say it.
struct Resampling<'a> {
    mode: &'a str,
    align_corners: Option<bool>,
    /// Positions follow from the factors, not from the sizes that they give.
    by_factors: bool,
}

fn optional_bool(args: &[IValue], index: usize) -> Result<Option<bool>, Error> {
    Ok(args.get(index).and_then(IValue::optional).map(IValue::as_bool).transpose()?)
}

/// A number for each of `n` dimensions, or one for all.
fn each<T: Clone>(value: &IValue, n: usize, read: impl Fn(&IValue) -> Result<T, Error>) -> Result<Vec<T>, Error> {
    match value {
        IValue::List(list) => list.read().iter().map(read).collect(),
        one => Ok(vec![read(one)?; n]),
    }
}

fn factor(value: &IValue) -> Result<f64, Error> {
    Ok(match value {
        IValue::Int(i) => *i as f64,
        other => other.as_double()?,
    })
}

fn resample(input: &Tensor, size: &IValue, factors: &IValue, how: &Resampling<'_>) -> Result<Outputs, Error> {
    let (rank, mode) = (input.dim(), how.mode);
    let n = rank.wrapping_sub(2);
    let wanted = match mode {
        "linear" => Some(3),
        "bilinear" => Some(4),
        "trilinear" => Some(5),
        _ => None,
    };
    let interpolates = wanted.is_some() || mode == "bicubic";
    if !interpolates && matches!(mode, "nearest" | "area") && how.align_corners.is_some() {
        return Err(Error::runtime(
            "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear",
        ));
    }
    let known = matches!(mode, "nearest" | "area") || wanted.is_some() || (mode == "bicubic" && rank == 4);
    if !known || !(3..=5).contains(&rank) {
        return Err(Error::runtime(format!(
            "Input Error: Only 3D, 4D and 5D input Tensors supported (got {rank}D) for the modes: nearest | linear | bilinear | trilinear (got {mode}) "
        )));
    }
    if let Some(wanted) = wanted.filter(|w| *w != rank) {
        return Err(Error::runtime(format!("Got {rank}D input, but {mode} mode needs {wanted}D input")));
    }
    let mut scales = Vec::new();
    let sizes = match (size.optional(), factors.optional()) {
        (Some(size), _) => each(size, n, |v| Ok(v.as_int()?))?,
        (None, Some(factors)) => {
            scales = each(factors, n, factor)?;
            input.sizes()[2..].iter().zip(&scales).map(|(s, f)| (*s as f64 * f).floor() as i64).collect()
        }
        (None, None) => return Err(Error::runtime("either size or scale_factor should be defined")),
    };
    let name = match mode {
        "area" => format!("aten::adaptive_avg_pool{n}d"),
        mode => format!("aten::upsample_{mode}{n}d"),
    };
    let mut call = vec![IValue::Tensor(input.clone()), IValue::int_list(&sizes)];
    if interpolates {
        call.push(IValue::Bool(how.align_corners.unwrap_or(false)));
    }
    if mode != "area" && how.by_factors {
        call.extend(scales.iter().map(|s| IValue::Double(*s)));
    }
    compose::all(&name, &call)
}

/// (input, size, scale_factor, mode, align_corners, recompute_scale_factor, antialias); the older `__upsample` ends before the last two.
pub fn interpolate(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    if args.len() > 6 && bool_arg(args, 6)? {
        return Err(Error::runtime("Antialias is not yet supported"));
    }
    let how = Resampling {
        mode: arg(args, 3)?.as_str()?,
        align_corners: optional_bool(args, 4)?,
        by_factors: optional_bool(args, 5)? == Some(false),
    };
    resample(tensor_arg(args, 0)?, arg(args, 1)?, arg(args, 2)?, &how)
}

/// (input, size, scale_factor)
pub fn nearest(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let how = Resampling { mode: "nearest", align_corners: None, by_factors: false };
    resample(tensor_arg(args, 0)?, arg(args, 1)?, arg(args, 2)?, &how)
}

/// (input, size, scale_factor): corners stay corners.
pub fn bilinear(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let how = Resampling { mode: "bilinear", align_corners: Some(true), by_factors: false };
    resample(tensor_arg(args, 0)?, arg(args, 1)?, arg(args, 2)?, &how)
}
