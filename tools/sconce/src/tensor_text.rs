//! Tensors as Python prints them, in PyTorch's layout and with its defaults: four digits, lines of 80 columns, and of more than 1000 elements those at the
//! edges. What is not shown is not read, so that the memory is what the text needs.

use sconce_schema::text::{python_exponent, python_float};
use sconce_tensor::{Complex, DType, Element, Tensor, dispatch};
use std::fmt::Write;

/// More elements than this are summarised.
const SUMMARISE_ABOVE: usize = 1000;
/// Elements shown at each end of a summarised dimension.
const EDGE: usize = 3;
/// Columns of a line.
const COLUMNS: usize = 80;
/// More elements than this are not shown at all: of many dimensions even the edges are many.
const MOST_SHOWN: usize = 1 << 16;

/// A tensor's text. Its later lines are below its first, wherever that will stand: Python's `repr` does not know.
pub(crate) fn tensor_text(t: &Tensor) -> String {
    let mut out = String::from("tensor(");
    let indent = out.len();
    let mut suffixes = Vec::new();
    let device = t.device();
    if &*device.kind != "cpu" {
        let index = device.index.map_or_else(String::new, |i| format!(":{i}"));
        suffixes.push(format!("device='{}{index}'", device.kind));
    }
    // A quantized tensor shows the numbers that it stands for, and always its sizes.
    let numbers = if t.is_quantized() { sconce_kernels::quantized::numbers(t).ok() } else { Some(t.clone()) };
    let summarise = t.numel() > SUMMARISE_ABOVE;
    let shown = t.sizes().iter().try_fold(1usize, |n, &s| n.checked_mul(positions(s, summarise).count()));
    let is_empty = t.numel() == 0;
    let shown = numbers.filter(|_| !is_empty && shown.is_some_and(|n| n <= MOST_SHOWN));
    if t.is_quantized() || (shown.is_none() && t.sizes() != [0]) {
        let sizes: Vec<String> = t.sizes().iter().map(i64::to_string).collect();
        suffixes.push(format!("size=({}{})", sizes.join(", "), if sizes.len() == 1 { "," } else { "" }));
    }
    if let Some(numbers) = shown {
        let Texts { texts, width } = element_texts(&numbers, summarise);
        // The real parts of complex numbers are padded by themselves.
        let padded = if t.dtype().is_complex() { 0 } else { width };
        Layout { texts: texts.into_iter(), padded, width, summarise }.write(&mut out, t.sizes(), indent);
    } else {
        out.push_str(if is_empty { "[]" } else { "..." });
    }
    // The dtype that PyTorch would give such numbers by itself is not said.
    let is_default = if is_empty {
        t.dtype() == DType::F32
    } else {
        matches!(t.dtype(), DType::F32 | DType::I64 | DType::Bool | DType::C64)
    };
    if !is_default {
        suffixes.push(format!("dtype=torch.{}", t.dtype().torch_name()));
    }
    if let Some(q) = t.quantizer() {
        suffixes.push(format!("quantization_scheme=torch.{}", q.scheme().name()));
        match q.of_tensor() {
            Some((scale, zero)) => {
                suffixes.extend([format!("scale={}", python_float(scale)), format!("zero_point={zero}")]);
            }
            None => {
                let (scales, zeros) = q.tensors();
                suffixes.extend([
                    format!("scale={}", tensor_text(&scales)),
                    format!("zero_point={}", tensor_text(&zeros)),
                    format!("axis={}", q.axis().unwrap_or(0)),
                ]);
            }
        }
    }
    // No graph of gradients is recorded, so that what was computed has no `grad_fn` to name.
    if t.requires_grad() && t.is_leaf() {
        suffixes.push("requires_grad=True".into());
    }
    let mut column = out.len() - out.rfind('\n').map_or(0, |i| i + 1);
    for suffix in suffixes {
        // With the comma before and the bracket or comma after it.
        if column + suffix.len() + 3 >= COLUMNS {
            let _ = write!(out, ",\n{:indent$}{suffix}", "");
            column = indent + suffix.len();
        } else {
            let _ = write!(out, ", {suffix}");
            column += suffix.len() + 2;
        }
    }
    out.push(')');
    out
}

/// The positions of a dimension that are shown, in order.
fn positions(size: i64, summarise: bool) -> impl Iterator<Item = i64> {
    let edge = EDGE as i64;
    let cut = summarise && size > 2 * edge;
    let (first, rest) = if cut { (0..edge, size - edge..size) } else { (0..size, 0..0) };
    first.chain(rest)
}

/// The lines and brackets around texts of elements.
struct Layout {
    texts: std::vec::IntoIter<String>,
    /// What elements are padded to.
    padded: usize,
    /// What they take of a line, without what separates them.
    width: usize,
    summarise: bool,
}

impl Layout {
    fn write(&mut self, out: &mut String, sizes: &[i64], indent: usize) {
        let Some((&size, inner)) = sizes.split_first() else {
            out.push_str(&self.texts.next().unwrap_or_default());
            return;
        };
        let cut = self.summarise && size > 2 * EDGE as i64;
        let per_line = (COLUMNS.saturating_sub(indent) / (self.width + 2)).max(1);
        let separator = |out: &mut String, at: usize| {
            if inner.is_empty() && !at.is_multiple_of(per_line) {
                out.push_str(", ");
            } else {
                let _ = write!(out, ",{}{:2$}", "\n".repeat(inner.len().max(1)), "", indent + 1);
            }
        };
        out.push('[');
        let mut at = 0;
        for position in positions(size, self.summarise) {
            if at > 0 {
                separator(out, at);
            }
            if cut && position == size - EDGE as i64 {
                out.push_str(if inner.is_empty() { " ..." } else { "..." });
                at += 1;
                separator(out, at);
            }
            if inner.is_empty() {
                let _ = write!(out, "{:>1$}", self.texts.next().unwrap_or_default(), self.padded);
            } else {
                self.write(out, inner, indent + 1);
            }
            at += 1;
        }
        out.push(']');
    }
}

/// The elements that are shown, row-major.
fn shown<T: Element>(t: &Tensor, summarise: bool) -> Vec<T> {
    fn walk<T: Element>(t: &Tensor, dim: usize, offset: i64, summarise: bool, out: &mut Vec<T>) {
        let Some((&size, &stride)) = t.sizes().get(dim).zip(t.strides().get(dim)) else {
            out.extend(t.as_strided(&[], &[], offset).ok().and_then(|e| e.item::<T>()));
            return;
        };
        for position in positions(size, summarise) {
            walk(t, dim + 1, offset + position * stride, summarise, out);
        }
    }
    let mut out = Vec::new();
    walk(t, 0, t.storage_offset(), summarise, &mut out);
    out
}

/// The texts of elements, and what each takes of a line.
struct Texts {
    texts: Vec<String>,
    width: usize,
}

/// The texts of the elements that are shown.
fn element_texts(t: &Tensor, summarise: bool) -> Texts {
    let dtype = t.dtype();
    let texts: Vec<String> = match dtype {
        DType::C32 => return complex_texts(shown::<Complex<sconce_tensor::f16>>(t, summarise), |p| p.to_f64()),
        DType::C64 => return complex_texts(shown::<Complex<f32>>(t, summarise), f64::from),
        DType::C128 => return complex_texts(shown::<Complex<f64>>(t, summarise), |p| p),
        DType::U64 => shown::<u64>(t, summarise).iter().map(u64::to_string).collect(),
        DType::I64 => shown::<i64>(t, summarise).iter().map(i64::to_string).collect(),
        // A double holds what all others are.
        _ => dispatch!(dtype, T => {
            let values: Vec<f64> = shown::<T>(t, summarise).into_iter().map(T::to_f64).collect();
            match dtype {
                DType::Bool => values.iter().map(|v| if *v != 0.0 { "True".into() } else { "False".into() }).collect(),
                _ if dtype.is_float() => {
                    let style = FloatStyle::of(&values);
                    let width = if t.dim() == 0 { 0 } else { style.width };
                    return Texts { texts: values.iter().map(|v| style.format(*v)).collect(), width };
                }
                _ => values.iter().map(|v| (*v as i64).to_string()).collect(),
            }
        }, other => {
            let count = t.sizes().iter().map(|&s| positions(s, summarise).count()).product();
            vec![format!("<{other}>"); count]
        }),
    };
    let widest = texts.iter().map(String::len).max().unwrap_or(0);
    Texts { width: if t.dim() == 0 { 0 } else { widest }, texts }
}

/// Real and imaginary parts each have a style; only real ones are padded.
fn complex_texts<T>(values: Vec<Complex<T>>, number: impl Fn(T) -> f64) -> Texts {
    let (re, im): (Vec<f64>, Vec<f64>) = values.into_iter().map(|c| (number(c.re), number(c.im))).unzip();
    let (re_style, im_style) = (FloatStyle::of(&re), FloatStyle::of(&im));
    let texts = re.iter().zip(&im).map(|(re, im)| {
        let im = im_style.format(*im);
        let sign = if im.starts_with('-') { "" } else { "+" };
        format!("{:>width$}{sign}{im}j", re_style.format(*re), width = re_style.width)
    });
    Texts { texts: texts.collect(), width: re_style.width + im_style.width + 1 }
}

/// How PyTorch prints the floats of one tensor: whole numbers as `1.`, others with four decimals, and both with exponents where their range is wide.
struct FloatStyle {
    notation: Notation,
    /// Of the widest number that is finite and not 0.
    width: usize,
}

enum Notation {
    Whole,
    Fixed,
    Scientific,
}

impl FloatStyle {
    fn of(values: &[f64]) -> FloatStyle {
        let counted = || values.iter().copied().filter(|v| v.is_finite() && *v != 0.0);
        let max = counted().fold(0.0, |m: f64, v| m.max(v.abs()));
        let min = counted().fold(f64::INFINITY, |m: f64, v| m.min(v.abs()));
        let whole = counted().all(|v| v.fract() == 0.0);
        let wide = max / min > 1000.0 || max > 1e8 || (!whole && min < 1e-4);
        let notation = match (wide, whole) {
            (true, _) => Notation::Scientific,
            (false, true) => Notation::Whole,
            (false, false) => Notation::Fixed,
        };
        let mut style = FloatStyle { notation, width: 1 };
        style.width = counted().map(|v| style.format(v).len()).max().unwrap_or(1);
        style
    }

    fn format(&self, v: f64) -> String {
        if !v.is_finite() {
            return python_float(v);
        }
        match self.notation {
            Notation::Whole => format!("{v:.0}."),
            Notation::Fixed => format!("{v:.4}"),
            Notation::Scientific => python_exponent(&format!("{v:.4e}")),
        }
    }
}
