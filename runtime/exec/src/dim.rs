//! Sizes of compiled code as expressions over the sizes of its inputs; every evaluation is checked, none overflows.

use std::fmt;

/// A size: known when the code was made, or computed from the inputs of a call.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Dim {
    Known(i64),
    /// Size of a dimension of an input.
    Input {
        input: u16,
        axis: u16,
    },
    /// The value of an integer input.
    Value(u16),
    Op(DimOp, Box<(Dim, Dim)>),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DimOp {
    Add,
    Sub,
    Mul,
    /// Rounded towards negative infinity.
    FloorDiv,
    Min,
    Max,
}

/// What a call must satisfy beyond dtypes, ranks and known sizes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Guard {
    pub relation: Relation,
    pub left: Dim,
    pub right: Dim,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    Equal,
    /// left <= right
    AtMost,
}

/// An input as a call has it.
#[derive(Clone, Copy, Debug)]
pub enum Actual<'a> {
    Sizes(&'a [i64]),
    Int(i64),
    Other,
}

impl DimOp {
    fn apply(self, a: i64, b: i64) -> Option<i64> {
        match self {
            DimOp::Add => a.checked_add(b),
            DimOp::Sub => a.checked_sub(b),
            DimOp::Mul => a.checked_mul(b),
            DimOp::FloorDiv => {
                let q = a.checked_div(b)?;
                Some(if a % b != 0 && (a < 0) != (b < 0) { q - 1 } else { q })
            }
            DimOp::Min => Some(a.min(b)),
            DimOp::Max => Some(a.max(b)),
        }
    }
}

impl Dim {
    /// `a op b`, folded where the result is known.
    pub fn op(op: DimOp, a: Dim, b: Dim) -> Dim {
        use DimOp::*;
        if let (Dim::Known(x), Dim::Known(y)) = (&a, &b)
            && let Some(v) = op.apply(*x, *y)
        {
            return Dim::Known(v);
        }
        match (op, &a, &b) {
            (Add | Sub, _, Dim::Known(0)) | (Mul | FloorDiv, _, Dim::Known(1)) => a,
            (Add, Dim::Known(0), _) | (Mul, Dim::Known(1), _) => b,
            (Sub, _, _) if a == b => Dim::Known(0),
            (Mul, _, Dim::Known(0)) => Dim::Known(0),
            (Min | Max, _, _) if a == b => a,
            // (x - c) + c and its like come from slices; one step of folding keeps them readable.
            (Add, Dim::Op(Sub, p), _) if p.1 == b => p.0.clone(),
            (Sub, Dim::Op(Add, p), _) if p.1 == b => p.0.clone(),
            (FloorDiv, Dim::Op(Mul, p), _) if p.1 == b && matches!(b, Dim::Known(n) if n != 0) => p.0.clone(),
            (FloorDiv, Dim::Op(Mul, p), _) if p.0 == b && matches!(b, Dim::Known(n) if n != 0) => p.1.clone(),
            // Constants to the right, so that equal products are equal expressions.
            (Add | Mul | Min | Max, Dim::Known(_), _) => Dim::Op(op, Box::new((b, a))),
            _ => Dim::Op(op, Box::new((a, b))),
        }
    }

    pub fn known(&self) -> Option<i64> {
        if let Dim::Known(n) = self { Some(*n) } else { None }
    }

    /// The size in a call; `None` when it overflows, divides by zero, or names an input that the call lacks.
    pub fn eval(&self, inputs: &[Actual<'_>]) -> Option<i64> {
        match self {
            Dim::Known(n) => Some(*n),
            Dim::Input { input, axis } => match inputs.get(usize::from(*input))? {
                Actual::Sizes(s) => s.get(usize::from(*axis)).copied(),
                _ => None,
            },
            Dim::Value(input) => match inputs.get(usize::from(*input))? {
                Actual::Int(n) => Some(*n),
                _ => None,
            },
            Dim::Op(op, p) => op.apply(p.0.eval(inputs)?, p.1.eval(inputs)?),
        }
    }
}

/// Operators in the prefix notation of [`Dim::write`].
const SIGNS: &[(DimOp, &str)] = &[
    (DimOp::Add, "+"),
    (DimOp::Sub, "-"),
    (DimOp::Mul, "*"),
    (DimOp::FloorDiv, "/"),
    (DimOp::Min, "min"),
    (DimOp::Max, "max"),
];

/// An expression of a file that nests deeper than this is refused.
const MAX_DEPTH: usize = 64;

impl Dim {
    /// Appends the expression in prefix notation: `* s0.1 4` is four times the size of dimension 1 of input 0, `v2` the int input 2.
    pub fn write(&self, out: &mut String) {
        use std::fmt::Write;
        // Writing to a string does not fail.
        let _ = match self {
            Dim::Known(n) => write!(out, "{n}"),
            Dim::Input { input, axis } => write!(out, "s{input}.{axis}"),
            Dim::Value(input) => write!(out, "v{input}"),
            Dim::Op(op, p) => {
                let sign = SIGNS.iter().find(|s| s.0 == *op).map_or("?", |s| s.1);
                out.push_str(sign);
                out.push(' ');
                p.0.write(out);
                out.push(' ');
                p.1.write(out);
                Ok(())
            }
        };
    }

    /// Reads what [`Dim::write`] wrote from the front of a list of words.
    pub fn read<'w>(words: &mut impl Iterator<Item = &'w str>) -> Option<Dim> {
        Self::read_within(words, MAX_DEPTH)
    }

    fn read_within<'w>(words: &mut impl Iterator<Item = &'w str>, depth: usize) -> Option<Dim> {
        let depth = depth.checked_sub(1)?;
        let word = words.next()?;
        if let Some((op, _)) = SIGNS.iter().find(|s| s.1 == word) {
            let a = Self::read_within(words, depth)?;
            let b = Self::read_within(words, depth)?;
            return Some(Dim::Op(*op, Box::new((a, b))));
        }
        if let Some(rest) = word.strip_prefix('s') {
            let (input, axis) = rest.split_once('.')?;
            return Some(Dim::Input { input: input.parse().ok()?, axis: axis.parse().ok()? });
        }
        if let Some(rest) = word.strip_prefix('v') {
            return rest.parse().ok().map(Dim::Value);
        }
        word.parse().ok().map(Dim::Known)
    }
}

impl Guard {
    pub fn holds(&self, inputs: &[Actual<'_>]) -> bool {
        match (self.left.eval(inputs), self.right.eval(inputs)) {
            (Some(a), Some(b)) => match self.relation {
                Relation::Equal => a == b,
                Relation::AtMost => a <= b,
            },
            _ => false,
        }
    }
}

impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Dim::Known(n) => write!(f, "{n}"),
            Dim::Input { input, axis } => write!(f, "size({input}, {axis})"),
            Dim::Value(input) => write!(f, "input({input})"),
            Dim::Op(op, p) => match op {
                DimOp::Add => write!(f, "({} + {})", p.0, p.1),
                DimOp::Sub => write!(f, "({} - {})", p.0, p.1),
                DimOp::Mul => write!(f, "({} * {})", p.0, p.1),
                DimOp::FloorDiv => write!(f, "({} // {})", p.0, p.1),
                DimOp::Min => write!(f, "min({}, {})", p.0, p.1),
                DimOp::Max => write!(f, "max({}, {})", p.0, p.1),
            },
        }
    }
}

impl fmt::Display for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let relation = match self.relation {
            Relation::Equal => "==",
            Relation::AtMost => "<=",
        };
        write!(f, "{} {relation} {}", self.left, self.right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_fold_and_evaluate() {
        let n = Dim::Input { input: 0, axis: 1 };
        let twice = Dim::op(DimOp::Mul, Dim::Known(2), n.clone());
        assert_eq!(Dim::op(DimOp::FloorDiv, twice.clone(), Dim::Known(2)), n);
        assert_eq!(twice.eval(&[Actual::Sizes(&[7, 5])]), Some(10));
        assert_eq!(twice.eval(&[Actual::Sizes(&[7, i64::MAX])]), None);
        assert_eq!(twice.eval(&[Actual::Int(3)]), None);
        assert_eq!(Dim::op(DimOp::FloorDiv, Dim::Known(-7), Dim::Known(2)), Dim::Known(-4));
        assert_eq!(Dim::op(DimOp::FloorDiv, n, Dim::Known(0)).eval(&[Actual::Sizes(&[7, 5])]), None);
    }
}
