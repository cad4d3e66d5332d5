//! Scalar expressions: what a pointwise operator computes for one element, as data that kernels and lowerings walk.
//!
//! An expression is a list of nodes in which every operand stands before its user, equal sub-expressions stand once, and the last node
//! is the result: an evaluator runs down the list, a lowering emits one operation per node.

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

macro_rules! vocabulary {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $name { $($(#[$doc])* $variant,)* }
        impl $name {
            /// All of them.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];
            /// The name in the op table's dags.
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }
            /// The one with this name in the op table's dags.
            pub fn from_name(name: &str) -> Option<$name> {
                match name { $($text => Some($name::$variant),)* _ => None }
            }
        }
    };
}

vocabulary! {
    /// Functions of one value. Unless noted, value to value of the compute type.
    Unary {
        Neg = "neg", Abs = "abs",
        /// -1, 0 or 1; NaN gives NaN... except on integers, which have none.
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
        /// NaN if either is NaN.
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
    pub compute: Compute,
    /// The arguments whose dtypes are promoted to the common one, as schema positions.
    pub promotes: Cow<'static, [ArgIndex]>,
}
