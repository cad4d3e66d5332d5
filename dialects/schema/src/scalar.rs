//! Scalar expressions: what a pointwise operator computes for one element, as data that kernels and lowerings walk.
//!
//! An expression is a list of nodes in which every operand stands before its user, equal sub-expressions stand once, and the last node
//! is the result: an evaluator runs down the list, a lowering emits one operation per node.

use crate::DType;
use smallvec::{SmallVec, smallvec};
use std::borrow::Cow;

/// Position of an earlier node.
pub type Ref = u16;

/// Position of an argument in the operator's schema.
pub type ArgIndex = u16;

/// One step of a scalar expression.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Node {
    /// A tensor argument's element or a number argument, converted to the compute type (a `bool` argument stays a truth value).
    Arg(ArgIndex),
    /// A constant of the compute type.
    Const(f64),
    /// A truth value.
    Bool(bool),
    Unary(Unary, Ref),
    Binary(Binary, Ref, Ref),
    /// Condition, value if true, value if false.
    Select(Ref, Ref, Ref),
    /// The first value if the argument is None, else the second. Gone after [`ScalarExpr::specialize`].
    IfNone(ArgIndex, Ref, Ref),
    /// The value beside the string the argument equals; the key None stands for the argument None. Gone after `specialize`.
    Match(ArgIndex, &'static [(Option<&'static str>, Ref)]),
}

vocabulary! {
    /// Functions of one value. Unless noted, value to value of the compute type.
    Unary {
        Neg = "neg", Abs = "abs",
        /// -1, 0 or 1; NaN gives 0.
        Sign = "sign",
        Exp = "exp", Exp2 = "exp2", Expm1 = "expm1",
        Log = "log", Log2 = "log2", Log10 = "log10", Log1p = "log1p",
        Sqrt = "sqrt",
        /// `1 / sqrt(x)`
        Rsqrt = "rsqrt",
        /// `1 / x`
        Reciprocal = "reciprocal",
        Sin = "sin", Cos = "cos", Tan = "tan", Asin = "asin", Acos = "acos", Atan = "atan",
        Sinh = "sinh", Cosh = "cosh", Tanh = "tanh", Asinh = "asinh", Acosh = "acosh", Atanh = "atanh",
        /// `1 / (1 + exp(-x))`
        Sigmoid = "sigmoid",
        /// `x / 2 (1 + erf(x / sqrt(2)))`
        Gelu = "gelu",
        Erf = "erf", Erfc = "erfc", Erfinv = "erfinv", Lgamma = "lgamma", Digamma = "digamma",
        Floor = "floor", Ceil = "ceil", Trunc = "trunc",
        /// To the nearest integer, ties to even.
        Round = "round",
        /// Bitwise complement; of a truth value, its negation.
        BitNot = "bitnot",
        /// Truth value to truth value.
        Not = "not",
        /// Value to truth value.
        IsNan = "isnan", IsInf = "isinf", IsFinite = "isfinite", SignBit = "signbit",
        /// Whether a value is not zero (value to truth value).
        Truth = "truth",
        /// A truth value as 0 or 1 of the compute type.
        ToNumber = "number",
    }
}

vocabulary! {
    /// Functions of two values. Comparisons and `and`, `or`, `xor` give truth values.
    Binary {
        Add = "add", Sub = "sub", Mul = "mul",
        /// True division: integers do not reach it, their compute type is a float.
        Div = "div",
        /// Rounded toward negative infinity (Python's `//`).
        FloorDiv = "floordiv",
        /// Rounded toward zero.
        TruncDiv = "truncdiv",
        /// C's fmod: the sign of the dividend.
        Fmod = "fmod",
        /// Python's `%`: the sign of the divisor.
        Remainder = "remainder",
        Pow = "pow",
        /// NaN if either is NaN; of equal values (-0.0 and 0.0) the second.
        Max = "max", Min = "min",
        /// The other one if one is NaN.
        Fmax = "fmax", Fmin = "fmin",
        Atan2 = "atan2", Hypot = "hypot", CopySign = "copysign", Gcd = "gcd",
        BitAnd = "bitand", BitOr = "bitor", BitXor = "bitxor",
        Shl = "shl", Shr = "shr",
        Eq = "eq", Ne = "ne", Lt = "lt", Le = "le", Gt = "gt", Ge = "ge",
        And = "and", Or = "or", Xor = "xor",
    }
}

impl Unary {
    /// Gives fractions for integers: an expression with it is computed in a float type.
    pub fn makes_float(self) -> bool {
        use Unary::*;
        !matches!(
            self,
            Neg | Abs
                | Sign
                | Floor
                | Ceil
                | Trunc
                | Round
                | BitNot
                | Not
                | IsNan
                | IsInf
                | IsFinite
                | SignBit
                | Truth
                | ToNumber
        )
    }
    /// Gives a truth value.
    pub fn makes_truth(self) -> bool {
        use Unary::*;
        matches!(self, Not | IsNan | IsInf | IsFinite | SignBit | Truth)
    }
    /// Its result is exact, or the nearest to the exact one: whoever computes it gets the same bits. What else makes fractions is somebody's approximation.
    pub fn is_correctly_rounded(self) -> bool {
        !self.makes_float() || matches!(self, Unary::Sqrt | Unary::Reciprocal)
    }
}

impl Binary {
    /// Gives fractions for integers: an expression with it is computed in a float type.
    pub fn makes_float(self) -> bool {
        matches!(self, Binary::Div | Binary::Atan2 | Binary::Hypot | Binary::CopySign)
    }
    /// Gives a truth value.
    pub fn makes_truth(self) -> bool {
        use Binary::*;
        matches!(self, Eq | Ne | Lt | Le | Gt | Ge | And | Or | Xor)
    }
    /// As [`Unary::is_correctly_rounded`].
    pub fn is_correctly_rounded(self) -> bool {
        !matches!(self, Binary::Pow | Binary::Atan2 | Binary::Hypot)
    }
}

/// In which type an expression is computed. f16 and bf16 are computed in f32 (PyTorch's opmath type) and rounded once at the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Compute {
    /// The promoted type of the promoting operands.
    #[default]
    Common,
    /// The same, but integers and bool become the default float type.
    Float,
}

/// A pointwise operator's meaning.
#[derive(Clone, PartialEq, Debug)]
pub struct ScalarExpr {
    pub nodes: Cow<'static, [Node]>,
    /// Holds after [`ScalarExpr::specialize`]; before it, an expression whose cases differ says `Common`.
    pub compute: Compute,
    /// The arguments whose dtypes are promoted to the common one, as schema positions.
    pub promotes: Cow<'static, [ArgIndex]>,
}

/// What an argument is, as far as it chooses between parts of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice<'a> {
    None,
    Text(&'a str),
    /// Any other value.
    Value,
}

impl ScalarExpr {
    /// The bounds that the expression keeps its first argument between, if it does nothing else: no less than the first, then no more than the second. What is equal
    /// to a bound, and NaN, stays what it is. `scalar` is the value of another argument.
    ///
    /// ```
    /// let hardtanh = sconce_schema::lookup("aten::hardtanh").and_then(|op| op.scalar).expect("it is pointwise");
    /// assert_eq!(hardtanh.bounds(|arg| Some([0.0, -1.0, 6.0][usize::from(arg)])), Some([-1.0, 6.0]));
    /// ```
    pub fn bounds(&self, scalar: impl Fn(ArgIndex) -> Option<f64>) -> Option<[f64; 2]> {
        const NONE: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];
        let number = |node: Ref| match self.nodes[usize::from(node)] {
            Node::Const(c) => Some(c),
            Node::Arg(arg) if arg != 0 => scalar(arg),
            _ => None,
        };
        let mut of: Vec<Option<[f64; 2]>> = Vec::with_capacity(self.nodes.len());
        for node in self.nodes.iter() {
            let inner = |node: Ref| of.get(usize::from(node)).copied().flatten();
            let at_least = |least: Ref, node: Ref| {
                number(least).filter(|_| inner(node) == Some(NONE)).map(|least| [least, f64::INFINITY])
            };
            let bounds = match *node {
                Node::Arg(0) => Some(NONE),
                Node::Binary(Binary::Max, least, x) => at_least(least, x),
                Node::Binary(Binary::Min, most, x) => {
                    let before = inner(x).filter(|b| b[1] == f64::INFINITY);
                    number(most).zip(before).map(|(most, [least, _])| [least, most])
                }
                Node::Select(is_less, least, x) => match self.nodes[usize::from(is_less)] {
                    Node::Binary(Binary::Lt, a, b) if (a, b) == (x, least) => at_least(least, x),
                    _ => None,
                },
                _ => None,
            };
            of.push(bounds);
        }
        of.last().copied().flatten().filter(|bounds| bounds.iter().all(|b| !b.is_nan()))
    }

    /// The expression for a call whose arguments are known to be None, a string, or something else: no `IfNone` and no `Match` is
    /// left, nor any node that does not matter. `Err` is the argument whose string no case names.
    pub fn specialize<'a>(&self, choice: impl Fn(ArgIndex) -> Choice<'a>) -> Result<ScalarExpr, ArgIndex> {
        let resolve = |mut node: usize| loop {
            match self.nodes[node] {
                Node::IfNone(arg, a, b) => node = usize::from(if choice(arg) == Choice::None { a } else { b }),
                Node::Match(arg, cases) => {
                    let key = match choice(arg) {
                        Choice::None => None,
                        Choice::Text(text) => Some(text),
                        Choice::Value => return Err(arg),
                    };
                    match cases.iter().find(|(k, _)| *k == key) {
                        Some((_, value)) => node = usize::from(*value),
                        None => return Err(arg),
                    }
                }
                _ => return Ok(node),
            }
        };
        // Operands stand before their users, so one pass from the end finds what matters.
        let mut matters = vec![false; self.nodes.len()];
        let Some(last) = self.nodes.len().checked_sub(1) else { return Ok(self.clone()) };
        matters[resolve(last)?] = true;
        for at in (0..self.nodes.len()).rev().filter(|i| *i <= last) {
            if matters[at] {
                for operand in self.nodes[at].operands() {
                    matters[resolve(usize::from(operand))?] = true;
                }
            }
        }
        let mut place: Vec<Ref> = vec![0; self.nodes.len()];
        let mut nodes = Vec::new();
        for (at, node) in self.nodes.iter().enumerate() {
            if !matters[at] {
                continue;
            }
            place[at] = nodes.len() as Ref;
            let to = |r: Ref| resolve(usize::from(r)).map(|n| place[n]);
            nodes.push(match *node {
                Node::Unary(f, a) => Node::Unary(f, to(a)?),
                Node::Binary(f, a, b) => Node::Binary(f, to(a)?, to(b)?),
                Node::Select(c, a, b) => Node::Select(to(c)?, to(a)?, to(b)?),
                other => other,
            });
        }
        let float = nodes.iter().any(Node::makes_float);
        let compute = if float { Compute::Float } else { self.compute };
        Ok(ScalarExpr { nodes: nodes.into(), compute, promotes: self.promotes.clone() })
    }

    /// The type the expression is computed in, rounding to f16 and bf16 left aside.
    pub fn compute_dtype(&self, common: DType) -> DType {
        match self.compute {
            Compute::Common => common,
            Compute::Float => crate::promotion::to_float(common),
        }
    }

    /// As [`ScalarExpr::compute_dtype`] of the specialized expression, where there is nothing to choose and so none need be made.
    pub fn only_compute_dtype(&self, common: DType) -> Option<DType> {
        if self.nodes.iter().any(|n| matches!(n, Node::IfNone(..) | Node::Match(..))) {
            return None;
        }
        let float = self.nodes.iter().any(Node::makes_float);
        Some(if float { crate::promotion::to_float(common) } else { self.compute_dtype(common) })
    }

    /// The result's dtype, of a specialized expression: bool for a truth value, real for the absolute value of complex numbers, else the
    /// compute type.
    pub fn result_dtype(&self, common: DType) -> DType {
        match self.nodes.len().checked_sub(1) {
            Some(last) if self.is_truth(last as Ref) => DType::Bool,
            Some(last) if matches!(self.nodes[last], Node::Unary(Unary::Abs, _)) => common.to_real(),
            _ => self.compute_dtype(common),
        }
    }

    /// Every step is exact or correctly rounded: whoever computes the expression step by step in one type gets the same bits.
    pub fn is_correctly_rounded(&self) -> bool {
        self.nodes.iter().all(|node| match node {
            Node::Unary(f, _) => f.is_correctly_rounded(),
            Node::Binary(f, ..) => f.is_correctly_rounded(),
            _ => true,
        })
    }

    /// Whether a node of a specialized expression is a truth value. (An argument never is: only its schema type tells.)
    pub fn is_truth(&self, node: Ref) -> bool {
        match self.nodes.get(usize::from(node)) {
            Some(Node::Bool(_)) => true,
            Some(Node::Unary(f, _)) => f.makes_truth(),
            Some(Node::Binary(f, ..)) => f.makes_truth(),
            Some(Node::Select(_, a, b)) => self.is_truth(*a) && self.is_truth(*b),
            _ => false,
        }
    }
}

impl Node {
    /// The earlier nodes this one uses; of `IfNone` and `Match` none, which are resolved and not computed.
    pub fn operands(&self) -> SmallVec<[Ref; 3]> {
        match *self {
            Node::Unary(_, a) => smallvec![a],
            Node::Binary(_, a, b) => smallvec![a, b],
            Node::Select(c, a, b) => smallvec![c, a, b],
            _ => SmallVec::new(),
        }
    }
    /// Gives fractions for integers.
    pub fn makes_float(&self) -> bool {
        match self {
            Node::Unary(f, _) => f.makes_float(),
            Node::Binary(f, ..) => f.makes_float(),
            Node::Const(x) => x.is_finite() && x.fract() != 0.0,
            _ => false,
        }
    }
}
