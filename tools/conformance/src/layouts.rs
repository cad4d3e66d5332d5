//! The same elements lying otherwise, and when two results count as equal.

use num_complex::Complex;
use sconce_kernels::cast;
use sconce_schema::OpEntry;
use sconce_schema::op::Numerics;
use sconce_tensor::mersenne::Engine;
use sconce_tensor::{DType, IValue, Tensor, contiguous_strides};

type C = Complex<f64>;

/// A number below `n`, or 0.
pub fn below(e: &mut Engine, n: usize) -> usize {
    e.below(n.max(1) as u64) as usize
}

/// A tensor with the same elements that lies otherwise: copied, dimensions in another order, every second element of a larger storage, rows
/// with gaps between them, or an odd number of elements from the start of its storage.
pub fn laid(t: &Tensor, e: &mut Engine) -> Tensor {
    // A number made a tensor stays one.
    if t.is_wrapped_number() || t.dim() == 0 && below(e, 2) == 0 {
        return copied(t);
    }
    let rank = t.dim();
    let (mut strides, mut offset) = (contiguous_strides(t.sizes()), 0);
    match below(e, 6) {
        0 => {}
        1 => {
            let mut order: Vec<usize> = (0..rank).collect();
            if below(e, 2) == 0 {
                order.reverse();
            } else {
                (1..rank).for_each(|i| order.swap(i, below(e, i + 1)));
            }
            let mut step = 1;
            for d in order {
                strides[d] = step;
                step *= t.sizes()[d].max(1);
            }
        }
        2 => {
            strides.iter_mut().for_each(|s| *s *= 2);
            offset = 3;
        }
        3 => {
            let gap = 1 + below(e, 3) as i64;
            let mut step = 1;
            for d in (0..rank).rev() {
                strides[d] = step;
                step = step * t.sizes()[d].max(1) + if d + 1 == rank { gap } else { 0 };
            }
        }
        4 => {
            strides.iter_mut().for_each(|s| *s *= 3);
            offset = 1;
        }
        _ => offset = 1 + below(e, 7) as i64,
    }
    let last: i64 = t.sizes().iter().zip(&strides).map(|(n, s)| (n - 1).max(0) * s).sum();
    let storage = Tensor::zeros(&[offset + last + 1], t.dtype()).expect("small tensors fit");
    let out = storage.as_strided(t.sizes(), &strides, offset).expect("the storage has room");
    out.copy_bytes_from(t).expect("equal sizes and dtypes");
    out
}

/// A contiguous copy; a number made a tensor stays one.
pub fn copied(t: &Tensor) -> Tensor {
    if t.is_wrapped_number() { t.clone() } else { t.copy().expect("small tensors fit") }
}

/// Arguments whose tensors have been laid by `f`.
pub fn mapped(v: &IValue, f: &mut dyn FnMut(&Tensor) -> Tensor) -> IValue {
    match v {
        IValue::Tensor(t) => f(t).into(),
        IValue::List(l) => IValue::list(l.element.clone(), l.read().iter().map(|v| mapped(v, f))),
        other => other.clone(),
    }
}

/// How far two results of one operator may be apart: sums in another order.
fn tolerance(dtype: DType) -> f64 {
    match dtype.to_real() {
        DType::F64 => 1e-9,
        DType::F32 => 2e-4,
        DType::F16 | DType::BF16 => 5e-2,
        _ => 0.0,
    }
}

/// Whether two results of an operator are the same, but for sums in another order; what differs.
pub fn compare(entry: &OpEntry, a: &IValue, b: &IValue) -> Result<(), String> {
    match (a, b) {
        (IValue::Tensor(a), IValue::Tensor(b)) => {
            if a.sizes() != b.sizes() || a.dtype() != b.dtype() {
                return Err(format!("{:?} {:?} and {:?} {:?}", a.dtype(), a.sizes(), b.dtype(), b.sizes()));
            }
            if entry.numerics == Numerics::Meta || !cast::has_elements(a.dtype()) {
                return Ok(());
            }
            let both =
                (cast::to_vec::<C>(a).map_err(|e| e.to_string())?, cast::to_vec::<C>(b).map_err(|e| e.to_string())?);
            let close = tolerance(a.dtype());
            // What cancels leaves the rounding of what was added.
            let largest =
                |v: &[C]| v.iter().flat_map(|c| [c.re.abs(), c.im.abs()]).filter(|x| x.is_finite()).fold(1.0, f64::max);
            let scale = if close == 0.0 { 0.0 } else { close * largest(&both.0) };
            let equal =
                |x: f64, y: f64| x == y || (x.is_nan() && y.is_nan()) || (x - y).abs() <= scale + close * x.abs();
            match both.0.iter().zip(&both.1).position(|(x, y)| !equal(x.re, y.re) || !equal(x.im, y.im)) {
                None => Ok(()),
                Some(i) => Err(format!("element {i}: {} and {}", both.0[i], both.1[i])),
            }
        }
        (IValue::List(a), IValue::List(b)) => {
            let (a, b) = (a.to_vec(), b.to_vec());
            if a.len() != b.len() {
                return Err(format!("{} and {} elements", a.len(), b.len()));
            }
            a.iter().zip(&b).try_for_each(|(a, b)| compare(entry, a, b))
        }
        _ => Ok(()),
    }
}
