//! What sizes of compiled code are computed from: each symbol is the size or the value of an input. Every evaluation is checked, none overflows.

pub use sconce_schema::dim::{Dim, DimOp, Form, Guard, Relation};
use std::fmt;

/// What a symbol of compiled code stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// Size of a dimension of an input.
    Size { input: u16, axis: u16 },
    /// The value of an integer input.
    Value(u16),
}

/// The axis that no tensor has.
const NO_AXIS: u32 = 0xffff;

impl Source {
    pub fn of(symbol: u32) -> Source {
        let input = (symbol >> 16) as u16;
        match symbol & NO_AXIS {
            NO_AXIS => Source::Value(input),
            axis => Source::Size { input, axis: axis as u16 },
        }
    }

    pub fn dim(self) -> Dim {
        Dim::Symbol(match self {
            Source::Size { input, axis } => u32::from(input) << 16 | u32::from(axis),
            Source::Value(input) => u32::from(input) << 16 | NO_AXIS,
        })
    }

    /// Of a size that is nothing else.
    pub fn of_dim(dim: Dim) -> Option<Source> {
        if let Dim::Symbol(s) = dim { Some(Source::of(s)) } else { None }
    }
}

/// An input as a call has it.
#[derive(Clone, Copy, Debug)]
pub enum Actual<'a> {
    Sizes(&'a [i64]),
    Int(i64),
    Other,
}

/// What symbols are in a call; `None` for an input that the call lacks.
pub fn values<'a>(inputs: &'a [Actual<'a>]) -> impl Fn(u32) -> Option<i64> + 'a {
    |symbol| match Source::of(symbol) {
        Source::Size { input, axis } => match inputs.get(usize::from(input))? {
            Actual::Sizes(s) => s.get(usize::from(axis)).copied(),
            _ => None,
        },
        Source::Value(input) => match inputs.get(usize::from(input))? {
            Actual::Int(n) => Some(*n),
            _ => None,
        },
    }
}

/// Operators in the prefix notation of [`write`].
const SIGNS: &[(DimOp, &str)] = &[
    (DimOp::Add, "+"),
    (DimOp::Sub, "-"),
    (DimOp::Mul, "*"),
    (DimOp::FloorDiv, "/"),
    (DimOp::Mod, "%"),
    (DimOp::Min, "min"),
    (DimOp::Max, "max"),
];

/// An expression of a file that nests deeper than this is refused.
const MAX_DEPTH: usize = 256;

/// Appends a size in prefix notation: `* s0.1 4` is four times the size of dimension 1 of input 0, `v2` the int input 2.
pub fn write(dim: Dim, out: &mut String) {
    match dim.form() {
        Form::Known(n) => out.push_str(&n.to_string()),
        Form::Symbol(s) => out.push_str(&Source::of(s).to_string()),
        // What nobody knows is not read again.
        Form::Unknown => out.push('?'),
        Form::Op(op, a, b) => {
            out.push_str(SIGNS.iter().find(|s| s.0 == op).map_or("?", |s| s.1));
            out.push(' ');
            write(a, out);
            out.push(' ');
            write(b, out);
        }
    }
}

/// Reads what [`write`] wrote from the front of a list of words.
pub fn read<'w>(words: &mut impl Iterator<Item = &'w str>) -> Option<Dim> {
    read_within(words, MAX_DEPTH).filter(|dim| *dim != Dim::Unknown)
}

fn read_within<'w>(words: &mut impl Iterator<Item = &'w str>, depth: usize) -> Option<Dim> {
    let depth = depth.checked_sub(1)?;
    let word = words.next()?;
    if let Some((op, _)) = SIGNS.iter().find(|s| s.1 == word) {
        let a = read_within(words, depth)?;
        return Some(Dim::op(*op, a, read_within(words, depth)?));
    }
    if let Some(rest) = word.strip_prefix('s') {
        let (input, axis) = rest.split_once('.')?;
        let axis = axis.parse().ok().filter(|axis| u32::from(*axis) != NO_AXIS)?;
        return Some(Source::Size { input: input.parse().ok()?, axis }.dim());
    }
    match word.strip_prefix('v') {
        Some(rest) => rest.parse().ok().map(|input| Source::Value(input).dim()),
        None => word.parse().ok().map(Dim::Known),
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Size { input, axis } => write!(f, "s{input}.{axis}"),
            Source::Value(input) => write!(f, "v{input}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_evaluate_in_a_call() {
        let n = Source::Size { input: 0, axis: 1 }.dim();
        let twice = Dim::Known(2).times(n);
        let eval = |dim: Dim, inputs: &[Actual<'_>]| dim.eval(&values(inputs));
        assert_eq!(twice.over(2), n);
        assert_eq!(eval(twice, &[Actual::Sizes(&[7, 5])]), Some(10));
        assert_eq!(eval(twice, &[Actual::Sizes(&[7, i64::MAX])]), None);
        assert_eq!(eval(twice, &[Actual::Int(3)]), None);
        assert_eq!(eval(Source::Value(0).dim(), &[Actual::Int(3)]), Some(3));
        assert_eq!(eval(n.over(Source::Value(1).dim()), &[Actual::Sizes(&[7, 5]), Actual::Int(0)]), None);
    }

    #[test]
    fn what_is_written_is_read_again() {
        let (n, v) = (Source::Size { input: 3, axis: 0 }.dim(), Source::Value(2).dim());
        for dim in [n.minus(3).over(2).plus(1), n.times(v).modulo(8), n.minus(v).most(0), Dim::Known(-4)] {
            let mut text = String::new();
            write(dim, &mut text);
            assert_eq!(read(&mut text.split(' ')), Some(dim), "{text}");
        }
        assert_eq!(read(&mut "/ s0.0 0".split(' ')), None);
        assert_eq!(read(&mut "s0.65535".split(' ')), None);
    }
}
