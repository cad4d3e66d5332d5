//! Which function of the operators' vocabulary has which formula, and how far off it may be: each stands here once.

use crate::number::Single;
use crate::{angle, exponential, logarithm, normal, power};
use sconce_schema::scalar::{Binary, Unary};

/// Calls a macro with a row for each function of one value: its name in the vocabulary, its formula, and the largest error in units of the last place
/// (gelu's in those of its argument).
#[macro_export]
macro_rules! unary_formulas {
    ($with:ident) => {
        $with! {
            Exp, exponential::exp, 1.0;
            Exp2, exponential::exp2, 1.0;
            Expm1, exponential::expm1, 1.5;
            Log, logarithm::log, 1.0;
            Log2, logarithm::log2, 1.0;
            Log10, logarithm::log10, 1.0;
            Log1p, logarithm::log1p, 1.5;
            Sin, angle::sin, 0.51;
            Cos, angle::cos, 0.51;
            Tan, angle::tan, 0.51;
            Asin, angle::asin, 0.51;
            Acos, angle::acos, 0.51;
            Atan, angle::atan, 0.51;
            Sinh, exponential::sinh, 0.51;
            Cosh, exponential::cosh, 0.51;
            Tanh, exponential::tanh, 1.0;
            Asinh, logarithm::asinh, 0.51;
            Acosh, logarithm::acosh, 0.51;
            Atanh, logarithm::atanh, 0.51;
            Sigmoid, exponential::sigmoid, 2.5;
            Erf, normal::erf, 1.0;
            Erfc, normal::erfc, 0.51;
            Erfinv, normal::erfinv, 0.51;
            Gelu, normal::gelu, 1.5;
        }
    };
}

/// The same for functions of two values.
#[macro_export]
macro_rules! binary_formulas {
    ($with:ident) => {
        $with! {
            Pow, power::pow, 0.51;
            Atan2, angle::atan2, 0.51;
            Hypot, power::hypot, 0.51;
        }
    };
}

macro_rules! dispatch {
    ($($name:ident, $module:ident::$formula:ident, $bound:literal;)*) => {
        /// A function of one value by its formula, if it has one.
        #[inline(always)]
        pub fn unary<T: Single>(f: Unary, x: T) -> Option<T> {
            match f {
                $(Unary::$name => Some($module::$formula(x)),)*
                _ => None,
            }
        }

        /// The functions of one value that have formulas, with their bounds in units of the last place.
        pub const UNARY: &[(Unary, f64)] = &[$((Unary::$name, $bound)),*];
    };
}
unary_formulas!(dispatch);

macro_rules! dispatch_binary {
    ($($name:ident, $module:ident::$formula:ident, $bound:literal;)*) => {
        /// A function of two values by its formula, if it has one.
        #[inline(always)]
        pub fn binary<T: Single>(f: Binary, x: T, y: T) -> Option<T> {
            match f {
                $(Binary::$name => Some($module::$formula(x, y)),)*
                _ => None,
            }
        }

        /// As [`UNARY`].
        pub const BINARY: &[(Binary, f64)] = &[$((Binary::$name, $bound)),*];
    };
}
binary_formulas!(dispatch_binary);
