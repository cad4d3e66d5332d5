//! Formulas as operations: the arithmetic of `sconce-polynomials` on values that are being built, one operation a step, none of which may be fused or reordered.

use crate::Error;
use crate::emit::{Emit, V};
use sconce_ir::Type;
use sconce_polynomials::formulas;
use sconce_polynomials::number::{Bits, Number, Single, Truth};
use sconce_schema::scalar::{Binary, Unary};
use std::cell::RefCell;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Where operations go; formulas cannot fail, so what fails is kept until their end.
struct Machine<'c> {
    e: Emit<'c>,
    failed: RefCell<Option<Error>>,
}

impl<'c> Machine<'c> {
    /// A result, or some other value after a failure.
    fn or(&self, made: Result<V<'c>, Error>, other: V<'c>) -> V<'c> {
        made.unwrap_or_else(|e| {
            self.failed.borrow_mut().get_or_insert(e);
            other
        })
    }
    fn one(&self, name: &str, operands: &[V<'c>], result: Type<'c>) -> V<'c> {
        self.or(self.e.one(name, operands, result, &[]), operands[0])
    }
    fn finish(self, value: V<'c>) -> Result<V<'c>, Error> {
        self.failed.into_inner().map_or(Ok(value), Err)
    }
}

/// A value of a float type.
#[derive(Clone, Copy)]
struct Float<'m, 'c, const WIDTH: u32>(&'m Machine<'c>, V<'c>);

/// A value of an integer type.
#[derive(Clone, Copy)]
struct Int<'m, 'c, const WIDTH: u32>(&'m Machine<'c>, V<'c>);

/// A value of `i1`.
#[derive(Clone, Copy)]
struct Condition<'m, 'c>(&'m Machine<'c>, V<'c>);

impl<'c, const WIDTH: u32> Float<'_, 'c, WIDTH> {
    fn ty(m: &Machine<'c>) -> Type<'c> {
        if WIDTH == 32 { m.e.f32_type() } else { Type::float64(m.e.context) }
    }
    fn same(self, name: &str, others: &[V<'c>]) -> Self {
        let operands: Vec<V<'c>> = std::iter::once(self.1).chain(others.iter().copied()).collect();
        Float(self.0, self.0.one(name, &operands, Self::ty(self.0)))
    }
}

impl<'m, 'c, const WIDTH: u32> Float<'m, 'c, WIDTH> {
    fn compare(self, predicate: &str, other: Self) -> Condition<'m, 'c> {
        Condition(self.0, self.0.or(self.0.e.cmpf(predicate, self.1, other.1), self.1))
    }
}

impl<'c, const WIDTH: u32> Int<'_, 'c, WIDTH> {
    fn same(self, name: &str, other: Self) -> Self {
        Int(self.0, self.0.one(name, &[self.1, other.1], self.0.e.int_type(WIDTH)))
    }
}

impl Truth for Condition<'_, '_> {
    fn and(self, other: Self) -> Self {
        Condition(self.0, self.0.one("arith.andi", &[self.1, other.1], self.0.e.int_type(1)))
    }
    fn or(self, other: Self) -> Self {
        Condition(self.0, self.0.one("arith.ori", &[self.1, other.1], self.0.e.int_type(1)))
    }
    fn not(self) -> Self {
        let bit = self.0.e.int_type(1);
        let one = self.0.or(self.0.e.int(1, bit), self.1);
        Condition(self.0, self.0.one("arith.xori", &[self.1, one], bit))
    }
}

impl<const WIDTH: u32> Bits for Int<'_, '_, WIDTH> {
    fn constant(self, n: i64) -> Self {
        Int(self.0, self.0.or(self.0.e.int(n, self.0.e.int_type(WIDTH)), self.1))
    }
    fn add(self, other: Self) -> Self {
        self.same("arith.addi", other)
    }
    fn sub(self, other: Self) -> Self {
        self.same("arith.subi", other)
    }
    fn and(self, other: Self) -> Self {
        self.same("arith.andi", other)
    }
    fn or(self, other: Self) -> Self {
        self.same("arith.ori", other)
    }
    fn xor(self, other: Self) -> Self {
        self.same("arith.xori", other)
    }
    fn shift_left(self, by: u32) -> Self {
        self.same("arith.shli", self.constant(i64::from(by)))
    }
    fn shift_right(self, by: u32) -> Self {
        self.same("arith.shrsi", self.constant(i64::from(by)))
    }
}

macro_rules! operator {
    ($($trait:ident $method:ident $name:literal;)*) => { $(
        impl<const WIDTH: u32> $trait for Float<'_, '_, WIDTH> {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                self.same($name, &[other.1])
            }
        }
    )* };
}
operator! {
    Add add "arith.addf";
    Sub sub "arith.subf";
    Mul mul "arith.mulf";
    Div div "arith.divf";
}

impl<const WIDTH: u32> Neg for Float<'_, '_, WIDTH> {
    type Output = Self;
    fn neg(self) -> Self {
        self.same("arith.negf", &[])
    }
}

macro_rules! number {
    ($($width:literal $native:ident;)*) => { $(
        impl<'m, 'c> Number for Float<'m, 'c, $width> {
            type Bits = Int<'m, 'c, $width>;
            type Truth = Condition<'m, 'c>;
            const FRACTION: u32 = <$native as Number>::FRACTION;
            const BIAS: i64 = <$native as Number>::BIAS;
            const ROUND: f64 = <$native as Number>::ROUND;
            const ROUND_BITS: i64 = <$native as Number>::ROUND_BITS;
            const HALF_ROOT_BITS: i64 = <$native as Number>::HALF_ROOT_BITS;

            fn constant(self, c: f64) -> Self {
                Float(self.0, self.0.or(self.0.e.constant(c, Self::ty(self.0)), self.1))
            }
            fn mul_add(self, a: Self, b: Self) -> Self {
                self.same("math.fma", &[a.1, b.1])
            }
            fn sqrt(self) -> Self {
                self.same("math.sqrt", &[])
            }
            fn abs(self) -> Self {
                let bits = self.bits();
                Self::of_bits(bits.and(bits.constant(i64::MAX >> (64 - $width))))
            }
            fn copysign(self, other: Self) -> Self {
                let sign = other.bits();
                Self::of_bits(self.abs().bits().or(sign.and(sign.constant(i64::MIN >> (64 - $width)))))
            }
            fn bits(self) -> Self::Bits {
                Int(self.0, self.0.one("arith.bitcast", &[self.1], self.0.e.int_type($width)))
            }
            fn of_bits(bits: Self::Bits) -> Self {
                Float(bits.0, bits.0.one("arith.bitcast", &[bits.1], Self::ty(bits.0)))
            }
            fn less(self, other: Self) -> Self::Truth {
                self.compare("olt", other)
            }
            fn at_most(self, other: Self) -> Self::Truth {
                self.compare("ole", other)
            }
            fn equal(self, other: Self) -> Self::Truth {
                self.compare("oeq", other)
            }
            fn choose(truth: Self::Truth, a: Self, b: Self) -> Self {
                Float(a.0, a.0.or(a.0.e.select(truth.1, a.1, b.1), a.1))
            }
            fn lacks(bits: Self::Bits, bit: i64) -> Self::Truth {
                let masked = bits.and(bits.constant(bit));
                Condition(bits.0, bits.0.or(bits.0.e.cmpi("eq", masked.1, bits.constant(0).1), bits.1))
            }
        }
    )* };
}
number! {
    32 f32;
    64 f64;
}

impl<'m, 'c> Single for Float<'m, 'c, 32> {
    type Wide = Float<'m, 'c, 64>;
    fn wide(self) -> Self::Wide {
        Float(self.0, self.0.one("arith.extf", &[self.1], Type::float64(self.0.e.context)))
    }
    fn of_wide(wide: Self::Wide) -> Self {
        Float(wide.0, wide.0.one("arith.truncf", &[wide.1], wide.0.e.f32_type()))
    }
}

/// A function of an f32 as its formula's operations, if it has one.
pub fn unary<'c>(e: &Emit<'c>, f: Unary, x: V<'c>) -> Result<Option<V<'c>>, Error> {
    let machine = Machine { e: *e, failed: RefCell::new(None) };
    match formulas::unary(f, Float(&machine, x)).map(|y| y.1) {
        Some(y) => machine.finish(y).map(Some),
        None => Ok(None),
    }
}

/// The same of two.
pub fn binary<'c>(e: &Emit<'c>, f: Binary, x: V<'c>, y: V<'c>) -> Result<Option<V<'c>>, Error> {
    let machine = Machine { e: *e, failed: RefCell::new(None) };
    match formulas::binary(f, Float(&machine, x), Float(&machine, y)).map(|z| z.1) {
        Some(z) => machine.finish(z).map(Some),
        None => Ok(None),
    }
}
