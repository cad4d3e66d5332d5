//! Values as TorchScript prints them (`str`, `format`, `print`, messages): containers without quotes, floats with a point, tensors in C++ style.

use crate::Error;
use crate::engine::quantizer::numbers;
use sconce_tensor::{IValue, Memory, Tensor};
use std::fmt::Write;

/// The text of a value. Tensors are written whole, as PyTorch's scripts write them, or refused where memory does not hold so many numbers.
pub fn text_of(v: &IValue) -> Result<String, Error> {
    let mut out = String::new();
    write_nested(&mut out, v, 0)?;
    Ok(out)
}

/// Containers inside containers are cut at this depth: a list may contain itself through `Any`.
const MAX_DEPTH: usize = 200;

fn write_nested(out: &mut String, v: &IValue, depth: usize) -> Result<(), Error> {
    if depth > MAX_DEPTH {
        out.push_str("...");
        return Ok(());
    }
    let items = |out: &mut String, items: &[IValue]| -> Result<(), Error> {
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            write_nested(out, item, depth + 1)?;
        }
        Ok(())
    };
    match v {
        IValue::None => out.push_str("None"),
        IValue::Bool(b) => out.push_str(if *b { "True" } else { "False" }),
        IValue::Int(i) => {
            let _ = write!(out, "{i}");
        }
        IValue::Double(d) => out.push_str(&double_text(*d)),
        IValue::Complex(c) => {
            let sign = if c.im >= 0.0 { '+' } else { '-' };
            let _ = write!(out, "{}{sign}{}j", double_text(c.re), double_text(c.im.abs()));
        }
        IValue::Tensor(t) => out.push_str(&tensor_text(t)?),
        IValue::Str(s) => out.push_str(s),
        IValue::Device(d) => {
            out.push_str(&d.kind);
            if let Some(i) = d.index {
                let _ = write!(out, ":{i}");
            }
        }
        IValue::List(l) => {
            out.push('[');
            items(out, &l.to_vec())?;
            out.push(']');
        }
        IValue::Tuple(t) => {
            out.push('(');
            items(out, &t.items)?;
            if t.items.len() == 1 {
                out.push(',');
            }
            out.push(')');
        }
        IValue::Dict(d) => {
            out.push('{');
            let entries: Vec<_> = d.read().iter().map(|(k, v)| (k.to_value(), v.clone())).collect();
            for (i, (key, value)) in entries.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                write_nested(out, key, depth + 1)?;
                out.push_str(": ");
                write_nested(out, value, depth + 1)?;
            }
            out.push('}');
        }
        IValue::Object(o) => {
            let _ = write!(out, "<{} object>", o.class);
        }
        IValue::Enum(e) => {
            let class = e.class.rsplit('.').next().unwrap_or(&e.class);
            let _ = write!(out, "Enum<{class}.{}>", e.name);
        }
        IValue::Future(_) => out.push_str("Future"),
        IValue::Generator(_) => out.push_str("Generator"),
        IValue::Uninitialized => out.push_str("Uninitialized"),
    }
    Ok(())
}

/// A float: whole numbers that fit 64 bits as digits and a point (also `-0.0`), others with 17 significant digits.
pub fn double_text(d: f64) -> String {
    if (d.is_normal() || d == 0.0) && (-9223372036854775808.0..9223372036854775808.0).contains(&d) {
        let i = d as i64;
        if i as f64 == d {
            return format!("{i}.");
        }
    }
    general(d, 17)
}

/// C's `%.{digits}g`.
pub fn general(d: f64, digits: usize) -> String {
    if let Some(s) = not_finite(d) {
        return s.to_owned();
    }
    if d == 0.0 {
        return if d.is_sign_negative() { "-0".into() } else { "0".into() };
    }
    let scientific = format!("{:.*e}", digits - 1, d);
    let Some((mantissa, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trim = |s: &str| -> String {
        if s.contains('.') { s.trim_end_matches('0').trim_end_matches('.').to_owned() } else { s.to_owned() }
    };
    if exponent < -4 || exponent >= digits as i32 {
        return format!("{}{}", trim(mantissa), exponent_text(exponent));
    }
    let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
    trim(&format!("{d:.decimals$}"))
}

/// C's `%.{decimals}e`.
pub fn scientific(d: f64, decimals: usize) -> String {
    if let Some(s) = not_finite(d) {
        return s.to_owned();
    }
    let text = format!("{d:.decimals$e}");
    match text.split_once('e') {
        Some((mantissa, exponent)) => format!("{mantissa}{}", exponent_text(exponent.parse().unwrap_or(0))),
        None => text,
    }
}

/// C's `%.{decimals}f`.
pub fn fixed(d: f64, decimals: usize) -> String {
    not_finite(d).map_or_else(|| format!("{d:.decimals$}"), str::to_owned)
}

fn exponent_text(exponent: i32) -> String {
    format!("e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

fn not_finite(d: f64) -> Option<&'static str> {
    match (d.is_nan(), d.is_infinite(), d.is_sign_negative()) {
        // C's library shows the sign bit, `-float("nan")` has it.
        (true, _, true) => Some("-nan"),
        (true, _, false) => Some("nan"),
        (_, true, true) => Some("-inf"),
        (_, true, false) => Some("inf"),
        _ => None,
    }
}

/// How the numbers of a tensor are written: how wide, divided by what, in which notation.
struct Format {
    width: usize,
    scale: f64,
    notation: Notation,
}

enum Notation {
    Default,
    Fixed,
    Scientific,
}

impl Format {
    /// One format for all elements, from the largest and the smallest.
    fn of(values: &[f64]) -> Format {
        let whole = values.iter().all(|v| !v.is_finite() || *v == v.ceil());
        let finite = || values.iter().filter(|v| v.is_finite()).map(|v| v.abs());
        let exponent = |v: f64| if v == 0.0 { 1.0 } else { v.log10().floor() + 1.0 };
        let (mut smallest, mut largest) = (1.0, 1.0);
        if finite().next().is_some() {
            smallest = exponent(finite().fold(f64::INFINITY, f64::min));
            largest = exponent(finite().fold(0.0, f64::max));
        }
        let (width, scale, notation) = if whole {
            if largest > 9.0 {
                (11, 1.0, Notation::Scientific)
            } else {
                ((largest + 1.0) as usize, 1.0, Notation::Default)
            }
        } else if largest - smallest > 4.0 {
            let wide = largest.abs() > 99.0 || smallest.abs() > 99.0;
            (if wide { 12 } else { 11 }, 1.0, Notation::Scientific)
        } else if !(0.0..=5.0).contains(&largest) {
            (7, 10f64.powf(largest - 1.0), Notation::Fixed)
        } else if largest == 0.0 {
            (7, 1.0, Notation::Fixed)
        } else {
            ((largest + 6.0) as usize, 1.0, Notation::Fixed)
        };
        Format { width, scale, notation }
    }

    fn write(&self, out: &mut String, v: f64) {
        let v = v / self.scale;
        let text = match self.notation {
            Notation::Default => general(v, 6),
            Notation::Fixed => fixed(v, 4),
            Notation::Scientific => scientific(v, 4),
        };
        let _ = write!(out, "{text:>width$}", width = self.width);
    }

    fn write_scale(&self, out: &mut String) -> bool {
        if self.scale != 1.0 {
            let _ = writeln!(out, "{} *", shortest(self.scale));
        }
        self.scale != 1.0
    }
}

const LINE: usize = 80;

/// The fewest digits that are read back as the number: C++'s `std::format("{}", d)`.
fn shortest(d: f64) -> String {
    if let Some(s) = not_finite(d) {
        return s.to_owned();
    }
    let text = format!("{d:e}");
    let Some((mantissa, exponent)) = text.split_once('e') else { return text };
    match exponent.parse::<i32>() {
        Ok(exponent) if !(-4..16).contains(&exponent) && d != 0.0 => format!("{mantissa}{}", exponent_text(exponent)),
        _ => format!("{d}"),
    }
}

/// Bytes that the text of an element takes, at most and about, with the number that it is made of.
const BYTES_OF_TEXT: usize = 32;

/// A tensor as C++ prints it; of complex numbers the real parts.
pub fn tensor_text(t: &Tensor) -> Result<String, Error> {
    let mut out = String::new();
    let sizes = t.sizes();
    if !Memory::has_room(t.numel().saturating_mul(BYTES_OF_TEXT)) {
        return Err(Error::runtime(format!(
            "the text of a tensor of {} elements does not fit into the memory that tensors may take",
            t.numel()
        )));
    }
    let values = crate::engine::cast::to_vec::<f64>(&numbers(t)?)?;
    match *sizes {
        [] => {
            for v in &values {
                let _ = writeln!(out, "{}", shortest(*v));
            }
        }
        [_] if !values.is_empty() => {
            let format = Format::of(&values);
            format.write_scale(&mut out);
            for v in &values {
                format.write(&mut out, *v);
                out.push('\n');
            }
        }
        [rows, columns] if !values.is_empty() => write_matrix(&mut out, &values, rows as usize, columns as usize, 0),
        [ref outer @ .., rows, columns] if !values.is_empty() => {
            let (rows, columns) = (rows as usize, columns as usize);
            let mut counter = vec![0i64; outer.len()];
            for number in 0..values.len() / (rows * columns) {
                // The first dimension runs fastest in the printed order.
                let mut rest = number as i64;
                let mut at = 0i64;
                for (c, size) in counter.iter_mut().zip(outer) {
                    *c = rest % size;
                    rest /= size;
                }
                for (c, size) in counter.iter().zip(outer) {
                    at = at * size + c;
                }
                out.push_str(if number > 0 { "\n(" } else { "(" });
                for c in &counter {
                    let _ = write!(out, "{},", c + 1);
                }
                out.push_str(".,.) = \n");
                let start = at as usize * rows * columns;
                write_matrix(&mut out, &values[start..start + rows * columns], rows, columns, 1);
            }
        }
        _ => {}
    }
    let sizes: Vec<_> = sizes.iter().map(i64::to_string).collect();
    let backend = if t.is_quantized() { "QuantizedCPU" } else { "CPU" };
    let _ = write!(out, "[ {backend}{}Type{{{}}}", t.dtype().graph_name(), sizes.join(","));
    if let Some(q) = t.quantizer() {
        let _ = write!(out, ", qscheme: {}", q.scheme().name());
        match (q.of_tensor(), q.axis()) {
            (Some((scale, zero)), _) => {
                let _ = write!(out, ", scale: {}, zero_point: {zero}", general(scale, 6));
            }
            (None, axis) => {
                let (scales, zeros) = q.tensors();
                let (scales, zeros) = (tensor_text(&scales)?, tensor_text(&zeros)?);
                let _ = write!(out, ", scales: {scales}, zero_points: {zeros}, axis: {}", axis.unwrap_or(0));
            }
        }
    }
    out.push_str(" ]");
    Ok(out)
}

fn write_matrix(out: &mut String, values: &[f64], rows: usize, columns: usize, indent: usize) {
    let format = Format::of(values);
    let spaces = |out: &mut String| out.extend(std::iter::repeat_n(' ', indent));
    let per_line = ((LINE - indent) / (format.width + 1)).max(1);
    let mut first = 0;
    while first < columns {
        let end = columns.min(first + per_line);
        if per_line < columns {
            if first != 0 {
                out.push('\n');
            }
            let _ = write!(out, "Columns {} to {}", first + 1, end);
            spaces(out);
        }
        let scaled = format.write_scale(out);
        if scaled {
            spaces(out);
        }
        for row in 0..rows {
            for column in first..end {
                format.write(out, values[row * columns + column]);
                out.push(if column + 1 == end { '\n' } else { ' ' });
            }
            if row + 1 != rows {
                spaces(out);
                if scaled {
                    out.push(' ');
                }
            }
        }
        first = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_keep_their_point() {
        for (d, text) in [
            (0.0, "0."),
            (-0.0, "0."),
            (1e16, "10000000000000000."),
            (1e20, "1e+20"),
            (0.1, "0.10000000000000001"),
            (1e-7, "9.9999999999999995e-08"),
            (123456.789, "123456.789"),
            (f64::NAN, "nan"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(double_text(d), text);
        }
        assert_eq!(general(1.5, 6), "1.5");
        assert_eq!(general(1234567.0, 6), "1.23457e+06");
        assert_eq!(scientific(12345.678, 6), "1.234568e+04");
    }

    #[test]
    fn tensors_print_in_columns() {
        let t = Tensor::from_vec(vec![1f32, 2., 3., 4.], &[2, 2]);
        assert_eq!(tensor_text(&t).unwrap(), " 1  2\n 3  4\n[ CPUFloatType{2,2} ]");
        let t = Tensor::from_vec(vec![0.5f32, -1.25], &[2]);
        assert_eq!(tensor_text(&t).unwrap(), " 0.5000\n-1.2500\n[ CPUFloatType{2} ]");
        assert_eq!(tensor_text(&Tensor::scalar(7i64)).unwrap(), "7\n[ CPULongType{} ]");
        let t = Tensor::from_vec(vec![1i64, 2], &[2, 1, 1]);
        assert_eq!(tensor_text(&t).unwrap(), "(1,.,.) = \n 1\n\n(2,.,.) = \n 2\n[ CPULongType{2,1,1} ]");
    }
}
