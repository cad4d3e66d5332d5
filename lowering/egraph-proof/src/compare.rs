//! When two results are equal as a rule's class has it: the same bits, NaN for NaN; or the same number but for rounding.

use sconce_egraph::rules::Class;
use sconce_tensor::{DType, IValue, Tensor};

/// What differs first, in words; nothing if the results are equal for the class. `largest` is the largest number met while they were computed: rounding is
/// judged by it, for terms that cancel leave the error of what cancelled.
pub fn difference(class: Class, left: &IValue, right: &IValue, largest: f64) -> Option<String> {
    match (left, right) {
        (IValue::Tensor(a), IValue::Tensor(b)) => tensors(class, a, b, largest),
        (IValue::List(a), IValue::List(b)) => {
            let (a, b) = (a.read(), b.read());
            if a.len() != b.len() {
                return Some(format!("{} results and {}", a.len(), b.len()));
            }
            a.iter().zip(b.iter()).find_map(|(a, b)| difference(class, a, b, largest))
        }
        (IValue::Double(a), IValue::Double(b)) => {
            (a.to_bits() != b.to_bits() && !(a.is_nan() && b.is_nan())).then(|| format!("{a:?} and {b:?}"))
        }
        (a, b) => {
            let (a, b) = (format!("{a:?}"), format!("{b:?}"));
            (a != b).then(|| format!("{a} and {b}"))
        }
    }
}

fn tensors(class: Class, a: &Tensor, b: &Tensor, largest: f64) -> Option<String> {
    if a.dtype() != b.dtype() || a.sizes() != b.sizes() {
        let text = |t: &Tensor| format!("{}{:?}", t.dtype().short_name(), t.sizes());
        return Some(format!("{} and {}", text(a), text(b)));
    }
    let dtype = a.dtype();
    let (Ok(left), Ok(right)) = (a.contiguous(), b.contiguous()) else { return Some("no memory".into()) };
    let (left, right) = (left.read_bytes(), right.read_bytes());
    if left == right {
        return None;
    }
    // A complex number is its two parts.
    let part = dtype.to_real();
    let numbers = |bytes: &[u8]| numbers(bytes, part);
    let (left, right) = (numbers(&left), numbers(&right));
    let is_equal = |x: &Number, y: &Number| match class {
        Class::Exact => x.bits == y.bits || (x.value.is_nan() && y.value.is_nan()),
        _ if !part.is_float() => x.bits == y.bits,
        // Where the left side overflowed, no real number is kept.
        _ if !x.value.is_finite() => true,
        _ => (x.value - y.value).abs() <= tolerance(class, part) * largest.max(1.0),
    };
    let parts = if dtype.is_complex() { 2 } else { 1 };
    let at = left.iter().zip(&right).position(|(x, y)| !is_equal(x, y))?;
    let show = |numbers: &[Number]| {
        let from = at / parts * parts;
        let shown: Vec<String> = numbers[from..from + parts].iter().map(Number::to_string).collect();
        shown.join("+i")
    };
    Some(format!("{} and {} in element {} of {}", show(&left), show(&right), at / parts, dtype.short_name()))
}

/// How far rounding in another order may lead, relative to the largest number on the way: some units in the last place for each of the few terms of a small case.
fn tolerance(class: Class, part: DType) -> f64 {
    let unit = match part {
        DType::F64 => f64::EPSILON,
        DType::F32 => f64::from(f32::EPSILON),
        DType::F16 => f64::from(f32::EPSILON) * 8192.0,
        _ => f64::from(f32::EPSILON) * 65536.0,
    };
    unit * if class == Class::Approximates { 512.0 } else { 32.0 }
}

struct Number {
    bits: u64,
    value: f64,
    is_float: bool,
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_float { write!(f, "{:?}", self.value) } else { write!(f, "{}", self.bits as i64) }
    }
}

fn numbers(bytes: &[u8], part: DType) -> Vec<Number> {
    let values = crate::operands::of_bytes(bytes, &[(bytes.len() / part.size()) as i64], part).to_f64();
    let widened = |chunk: &[u8]| {
        let mut all = if part.is_signed_int() && chunk.last().is_some_and(|b| *b > 127) { [255; 8] } else { [0; 8] };
        all[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(all)
    };
    let bits = bytes.chunks(part.size()).map(widened);
    bits.zip(values).map(|(bits, value)| Number { bits, value, is_float: part.is_float() }).collect()
}
