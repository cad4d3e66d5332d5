//! The arithmetic that formulas are written in: what an implementation computes is fixed to the bit, but for the payload of NaN.
//!
//! Nothing may be fused or reordered by an implementation: a product is added in one rounding where a formula says [`Number::mul_add`], else in two.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A truth value, of comparisons.
pub trait Truth: Copy {
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn not(self) -> Self;
}

/// A number's bits as a signed integer of its width. Sums and differences wrap around.
pub trait Bits: Copy {
    /// An integer of this type.
    fn constant(self, n: i64) -> Self;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn shift_left(self, by: u32) -> Self;
    /// Copies of the sign come in from the left.
    fn shift_right(self, by: u32) -> Self;
}

/// A binary floating-point number of IEEE 754, of 32 or 64 bits.
pub trait Number:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    type Bits: Bits;
    type Truth: Truth;

    /// Bits of the fraction that are stored: 23 or 52.
    const FRACTION: u32;
    /// What is added to an exponent where it is stored: 127 or 1023.
    const BIAS: i64;
    /// `1.5 · 2^FRACTION`: adding it rounds to an integer, which then stands in the low bits.
    const ROUND: f64;
    /// The bits of [`Number::ROUND`].
    const ROUND_BITS: i64;
    /// The bits of the root of 1/2.
    const HALF_ROOT_BITS: i64;

    /// The number of this type next to `c`.
    fn constant(self, c: f64) -> Self;
    /// `self · a + b`, rounded once.
    fn mul_add(self, a: Self, b: Self) -> Self;
    fn sqrt(self) -> Self;
    /// Without the sign.
    fn abs(self) -> Self;
    /// With the sign of `other`.
    fn copysign(self, other: Self) -> Self;
    fn bits(self) -> Self::Bits;
    fn of_bits(bits: Self::Bits) -> Self;
    /// False of NaN, as are the others.
    fn less(self, other: Self) -> Self::Truth;
    fn at_most(self, other: Self) -> Self::Truth;
    fn equal(self, other: Self) -> Self::Truth;
    /// `a` where it is true. Both are computed.
    fn choose(truth: Self::Truth, a: Self, b: Self) -> Self;
    /// Whether the bit of an integer with this value is not set.
    fn lacks(bits: Self::Bits, bit: i64) -> Self::Truth;
}

/// A number of 32 bits beside those of 64.
pub trait Single: Number {
    type Wide: Number<Truth = Self::Truth>;
    fn wide(self) -> Self::Wide;
    /// The number of 32 bits next to it.
    fn of_wide(wide: Self::Wide) -> Self;
}

impl Truth for bool {
    #[inline(always)]
    fn and(self, other: bool) -> bool {
        self & other
    }
    #[inline(always)]
    fn or(self, other: bool) -> bool {
        self | other
    }
    #[inline(always)]
    fn not(self) -> bool {
        !self
    }
}

macro_rules! native {
    ($number:ident, $bits:ident, $unsigned:ident, $fraction:literal, $bias:literal, $round:literal) => {
        impl Bits for $bits {
            #[inline(always)]
            fn constant(self, n: i64) -> $bits {
                n as $bits
            }
            #[inline(always)]
            fn add(self, other: $bits) -> $bits {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn sub(self, other: $bits) -> $bits {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn and(self, other: $bits) -> $bits {
                self & other
            }
            #[inline(always)]
            fn or(self, other: $bits) -> $bits {
                self | other
            }
            #[inline(always)]
            fn xor(self, other: $bits) -> $bits {
                self ^ other
            }
            #[inline(always)]
            fn shift_left(self, by: u32) -> $bits {
                self << by
            }
            #[inline(always)]
            fn shift_right(self, by: u32) -> $bits {
                self >> by
            }
        }

        impl Number for $number {
            type Bits = $bits;
            type Truth = bool;
            const FRACTION: u32 = $fraction;
            const BIAS: i64 = $bias;
            const ROUND: f64 = $round;
            const ROUND_BITS: i64 = ($round as $number).to_bits() as i64;
            const HALF_ROOT_BITS: i64 = std::$number::consts::FRAC_1_SQRT_2.to_bits() as i64;

            #[inline(always)]
            fn constant(self, c: f64) -> $number {
                c as $number
            }
            #[inline(always)]
            fn mul_add(self, a: $number, b: $number) -> $number {
                <$number>::mul_add(self, a, b)
            }
            #[inline(always)]
            fn sqrt(self) -> $number {
                <$number>::sqrt(self)
            }
            #[inline(always)]
            fn abs(self) -> $number {
                <$number>::abs(self)
            }
            #[inline(always)]
            fn copysign(self, other: $number) -> $number {
                <$number>::copysign(self, other)
            }
            #[inline(always)]
            fn bits(self) -> $bits {
                self.to_bits() as $bits
            }
            #[inline(always)]
            fn of_bits(bits: $bits) -> $number {
                <$number>::from_bits(bits as $unsigned)
            }
            #[inline(always)]
            fn less(self, other: $number) -> bool {
                self < other
            }
            #[inline(always)]
            fn at_most(self, other: $number) -> bool {
                self <= other
            }
            #[inline(always)]
            fn equal(self, other: $number) -> bool {
                self == other
            }
            #[inline(always)]
            fn choose(truth: bool, a: $number, b: $number) -> $number {
                if truth { a } else { b }
            }
            #[inline(always)]
            fn lacks(bits: $bits, bit: i64) -> bool {
                bits & (bit as $bits) == 0
            }
        }
    };
}
native!(f32, i32, u32, 23, 127, 12582912.0);
native!(f64, i64, u64, 52, 1023, 6755399441055744.0);

impl Single for f32 {
    type Wide = f64;
    #[inline(always)]
    fn wide(self) -> f64 {
        f64::from(self)
    }
    #[inline(always)]
    fn of_wide(wide: f64) -> f32 {
        wide as f32
    }
}
