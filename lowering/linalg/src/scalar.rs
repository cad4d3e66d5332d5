//! Scalar expressions as arith and math operations: one operation, or a short fixed sequence, per node.
//!
//! Nothing is reassociated and no multiply-add is formed here, so that what the interpreter computes exactly, compiled code does too.

use crate::Error;
use crate::emit::{Emit, V, is_float};
use crate::formula;
use sconce_ir::{Type, ValueLike};
use sconce_schema::DType;
use sconce_schema::scalar::{Binary, Unary};

/// A node's value: a number of the compute type, or a truth value (`i1`).
#[derive(Clone, Copy, Debug)]
pub enum Value<'c> {
    Number(V<'c>),
    Truth(V<'c>),
}

/// The compute type of an expression.
#[derive(Clone, Copy)]
pub struct Compute<'c> {
    pub dtype: DType,
    pub ty: Type<'c>,
    /// The common dtype is bool: elements are truth values until something needs numbers.
    pub truths: bool,
}

/// The type a dtype's arithmetic happens in: f16 and bf16 in f32, bool as a small integer.
pub fn arithmetic_dtype(dtype: DType) -> DType {
    match dtype {
        DType::F16 | DType::BF16 => DType::F32,
        DType::Bool => DType::U8,
        other => other,
    }
}

/// Converts an element as PyTorch's `to` does. `to` is the MLIR type of `dtype`.
pub fn cast<'c>(e: &Emit<'c>, v: V<'c>, from: DType, dtype: DType, to: Type<'c>) -> Result<V<'c>, Error> {
    if from == dtype {
        return Ok(v);
    }
    let have = v.r#type();
    if dtype == DType::Bool {
        let zero = e.constant(0., have)?;
        return if from.is_float() { e.cmpf("une", v, zero) } else { e.cmpi("ne", v, zero) };
    }
    // What is not an f32 is rounded to one on its way to 16 bits, and then once more.
    if dtype.is_float() && dtype.size() == 2 && from != DType::F32 {
        let near = cast(e, v, from, DType::F32, e.f32_type())?;
        return e.one("arith.truncf", &[near], to, &[]);
    }
    let unsigned = from == DType::Bool || !from.is_signed_int();
    match (from.is_float(), dtype.is_float()) {
        (true, true) => e.one(if from.size() < dtype.size() { "arith.extf" } else { "arith.truncf" }, &[v], to, &[]),
        (false, true) => e.one(if unsigned { "arith.uitofp" } else { "arith.sitofp" }, &[v], to, &[]),
        (true, false) => {
            if from.size() == 2 {
                let wide = cast(e, v, from, DType::F32, e.f32_type())?;
                return cast(e, wide, DType::F32, dtype, to);
            }
            // As the kernels do: small integers are the low bits of an i32, and what no i32 (no i64) is becomes the least one.
            let bits = if dtype.size() < 4 || dtype == DType::I32 { 32 } else { 64 };
            let (wide, least) = (e.int_type(bits), -f64::powi(2., bits as i32 - 1));
            // The f64 above -2147483649 round to an i32 yet.
            let (above, least_float) =
                if from == DType::F64 && bits == 32 { ("ogt", least - 1.) } else { ("oge", least) };
            let low = e.cmpf(above, v, e.constant(least_float, have)?)?;
            let inside = e.same("arith.andi", &[low, e.cmpf("olt", v, e.constant(-least, have)?)?])?;
            let known = e.select(inside, v, e.constant(0., have)?)?;
            let n = e.one("arith.fptosi", &[known], wide, &[])?;
            let n = e.select(inside, n, e.int(least as i64, wide)?)?;
            if 8 * dtype.size() == bits as usize { Ok(n) } else { e.one("arith.trunci", &[n], to, &[]) }
        }
        (false, false) => {
            let bits = |d: DType| if d == DType::Bool { 1 } else { 8 * d.size() };
            match bits(from).cmp(&bits(dtype)) {
                std::cmp::Ordering::Less => e.one(if unsigned { "arith.extui" } else { "arith.extsi" }, &[v], to, &[]),
                std::cmp::Ordering::Equal => Ok(v),
                std::cmp::Ordering::Greater => e.one("arith.trunci", &[v], to, &[]),
            }
        }
    }
}

impl<'c> Compute<'c> {
    fn float(&self) -> bool {
        is_float(self.ty)
    }
    fn signed(&self) -> bool {
        self.dtype.is_signed_int()
    }
    fn constant(&self, e: &Emit<'c>, x: f64) -> Result<V<'c>, Error> {
        e.constant(x, self.ty)
    }

    /// The value as a number: a truth value is 0 or 1.
    pub fn number(&self, e: &Emit<'c>, v: Value<'c>) -> Result<V<'c>, Error> {
        match v {
            Value::Number(v) => Ok(v),
            Value::Truth(t) => e.one(if self.float() { "arith.uitofp" } else { "arith.extui" }, &[t], self.ty, &[]),
        }
    }
    /// The value as a truth value: a number is compared with zero.
    pub fn truth(&self, e: &Emit<'c>, v: Value<'c>) -> Result<V<'c>, Error> {
        match v {
            Value::Truth(t) => Ok(t),
            Value::Number(v) => {
                let zero = self.constant(e, 0.)?;
                if self.float() { e.cmpf("une", v, zero) } else { e.cmpi("ne", v, zero) }
            }
        }
    }

    pub fn unary(&self, e: &Emit<'c>, f: Unary, operand: Value<'c>) -> Result<Value<'c>, Error> {
        use Unary::*;
        match (f, operand) {
            (Not, v) => {
                let t = self.truth(e, v)?;
                let one = e.int(1, e.int_type(1))?;
                return e.same("arith.xori", &[t, one]).map(Value::Truth);
            }
            (BitNot, Value::Truth(_)) => return self.unary(e, Not, operand),
            (Truth, v) => return self.truth(e, v).map(Value::Truth),
            (ToNumber, v) => return self.number(e, v).map(Value::Number),
            _ => {}
        }
        let x = self.number(e, operand)?;
        if self.float() { self.float_unary(e, f, x) } else { self.int_unary(e, f, x).map(Value::Number) }
    }

    fn float_unary(&self, e: &Emit<'c>, f: Unary, x: V<'c>) -> Result<Value<'c>, Error> {
        use Unary::*;
        let math = |name: &str| e.same(name, &[x]).map(Value::Number);
        let one = || self.constant(e, 1.);
        match f {
            Neg => math("arith.negf"),
            Abs => math("math.absf"),
            Exp => math("math.exp"),
            Exp2 => math("math.exp2"),
            Expm1 => math("math.expm1"),
            Log => math("math.log"),
            Log2 => math("math.log2"),
            Log10 => math("math.log10"),
            Log1p => math("math.log1p"),
            Sqrt => math("math.sqrt"),
            Sin => math("math.sin"),
            Cos => math("math.cos"),
            Tan => math("math.tan"),
            Asin => math("math.asin"),
            Acos => math("math.acos"),
            Atan => math("math.atan"),
            Sinh => math("math.sinh"),
            Cosh => math("math.cosh"),
            Tanh => math("math.tanh"),
            Asinh => math("math.asinh"),
            Acosh => math("math.acosh"),
            Atanh => math("math.atanh"),
            Erf => math("math.erf"),
            Erfc => math("math.erfc"),
            Floor => math("math.floor"),
            Ceil => math("math.ceil"),
            Trunc => math("math.trunc"),
            Round => math("math.roundeven"),
            Rsqrt => {
                let root = e.same("math.sqrt", &[x])?;
                e.same("arith.divf", &[one()?, root]).map(Value::Number)
            }
            Reciprocal => e.same("arith.divf", &[one()?, x]).map(Value::Number),
            Sigmoid => {
                let negative = e.same("arith.negf", &[x])?;
                let power = e.same("math.exp", &[negative])?;
                let sum = e.same("arith.addf", &[one()?, power])?;
                e.same("arith.divf", &[one()?, sum]).map(Value::Number)
            }
            Sign => {
                let zero = self.constant(e, 0.)?;
                let positive = e.cmpf("ogt", x, zero)?;
                let negative = e.cmpf("olt", x, zero)?;
                let minus = self.constant(e, -1.)?;
                let below = e.select(negative, minus, zero)?;
                e.select(positive, one()?, below).map(Value::Number)
            }
            IsNan => e.cmpf("uno", x, x).map(Value::Truth),
            IsInf | IsFinite => {
                let magnitude = e.same("math.absf", &[x])?;
                let infinity = self.constant(e, f64::INFINITY)?;
                e.cmpf(if f == IsInf { "oeq" } else { "olt" }, magnitude, infinity).map(Value::Truth)
            }
            SignBit => {
                let bits = e.int_type(8 * self.dtype.size() as u32);
                let bits = e.one("arith.bitcast", &[x], bits, &[])?;
                let zero = e.int(0, bits.r#type())?;
                e.cmpi("slt", bits, zero).map(Value::Truth)
            }
            Erfinv | Gelu if self.dtype == DType::F32 => match formula::unary(e, f, x)? {
                Some(y) => Ok(Value::Number(y)),
                None => Error::unsupported(format!("no code for {}", f.name())),
            },
            Gelu => {
                let root = self.constant(e, std::f64::consts::FRAC_1_SQRT_2)?;
                let half = e.same("arith.mulf", &[self.constant(e, 0.5)?, x])?;
                let erf = e.same("math.erf", &[e.same("arith.mulf", &[x, root])?])?;
                let sum = e.same("arith.addf", &[one()?, erf])?;
                e.same("arith.mulf", &[half, sum]).map(Value::Number)
            }
            Erfinv | Lgamma | Digamma | BitNot => Error::unsupported(format!("no code for {}", f.name())),
            Not | Truth | ToNumber => Error::unsupported(format!("{} of a number", f.name())),
        }
    }

    fn int_unary(&self, e: &Emit<'c>, f: Unary, x: V<'c>) -> Result<V<'c>, Error> {
        use Unary::*;
        let zero = || e.int(0, self.ty);
        match f {
            // Truth values are computed as small numbers without a sign here, by the interpreter as large ones with it.
            Neg if self.truths => Error::unsupported("a negative number among truth values"),
            Neg => e.same("arith.subi", &[zero()?, x]),
            Abs if !self.signed() => Ok(x),
            Abs => e.same("math.absi", &[x]),
            Sign => {
                let one = e.int(1, self.ty)?;
                let positive = e.cmpi(if self.signed() { "sgt" } else { "ugt" }, x, zero()?)?;
                let rest = if self.signed() {
                    let minus = e.int(-1, self.ty)?;
                    let negative = e.cmpi("slt", x, zero()?)?;
                    e.select(negative, minus, zero()?)?
                } else {
                    zero()?
                };
                e.select(positive, one, rest)
            }
            BitNot => {
                let ones = e.int(-1, self.ty)?;
                e.same("arith.xori", &[x, ones])
            }
            Floor | Ceil | Trunc | Round => Ok(x),
            _ => Error::unsupported(format!("no code for {} of {}", f.name(), self.dtype)),
        }
    }

    /// `divisor`: the second operand where it is a constant.
    pub fn binary(
        &self,
        e: &Emit<'c>,
        f: Binary,
        a: Value<'c>,
        b: Value<'c>,
        divisor: Option<f64>,
    ) -> Result<Value<'c>, Error> {
        use Binary::*;
        if let (BitAnd | BitOr | BitXor | Eq | Ne, Value::Truth(x), Value::Truth(y)) = (f, a, b) {
            return match f {
                BitAnd => e.same("arith.andi", &[x, y]),
                BitOr => e.same("arith.ori", &[x, y]),
                Eq => e.cmpi("eq", x, y),
                _ => e.same("arith.xori", &[x, y]),
            }
            .map(Value::Truth);
        }
        if let And | Or | Xor = f {
            let operands = [self.truth(e, a)?, self.truth(e, b)?];
            let name = match f {
                And => "arith.andi",
                Or => "arith.ori",
                _ => "arith.xori",
            };
            return e.same(name, &operands).map(Value::Truth);
        }
        let (x, y) = (self.number(e, a)?, self.number(e, b)?);
        let comparison = match f {
            Eq => Some(("oeq", "eq", "eq")),
            Ne => Some(("une", "ne", "ne")),
            Lt => Some(("olt", "slt", "ult")),
            Le => Some(("ole", "sle", "ule")),
            Gt => Some(("ogt", "sgt", "ugt")),
            Ge => Some(("oge", "sge", "uge")),
            _ => None,
        };
        if let Some((float, signed, unsigned)) = comparison {
            return if self.float() {
                e.cmpf(float, x, y)
            } else {
                e.cmpi(if self.signed() { signed } else { unsigned }, x, y)
            }
            .map(Value::Truth);
        }
        if self.float() { self.float_binary(e, f, x, y) } else { self.int_binary(e, f, x, y, divisor) }
            .map(Value::Number)
    }

    fn float_binary(&self, e: &Emit<'c>, f: Binary, x: V<'c>, y: V<'c>) -> Result<V<'c>, Error> {
        use Binary::*;
        match f {
            Add => e.same("arith.addf", &[x, y]),
            Sub => e.same("arith.subf", &[x, y]),
            Mul => e.same("arith.mulf", &[x, y]),
            Div => e.same("arith.divf", &[x, y]),
            // Spelled out, so that of two zeros the second one is the result, as in PyTorch.
            Max | Min | Fmax | Fmin => {
                let first = e.cmpf(if matches!(f, Max | Fmax) { "ogt" } else { "olt" }, x, y)?;
                let judge = if matches!(f, Max | Min) { x } else { y };
                let nan = e.cmpf("uno", judge, judge)?;
                let first = e.same("arith.ori", &[first, nan])?;
                e.select(first, x, y)
            }
            Pow => e.same("math.powf", &[x, y]),
            Atan2 => e.same("math.atan2", &[x, y]),
            CopySign => e.same("math.copysign", &[x, y]),
            Fmod => e.same("arith.remf", &[x, y]),
            TruncDiv => {
                let q = e.same("arith.divf", &[x, y])?;
                e.same("math.trunc", &[q])
            }
            Remainder => {
                let r = e.same("arith.remf", &[x, y])?;
                let other = self.needs_step(e, r, y)?;
                let sum = e.same("arith.addf", &[r, y])?;
                e.select(other, sum, r)
            }
            FloorDiv => {
                // PyTorch's div_floor: exact where rounding of x / y would cross an integer.
                let zero = self.constant(e, 0.)?;
                let one = self.constant(e, 1.)?;
                let half = self.constant(e, 0.5)?;
                let quotient = e.same("arith.divf", &[x, y])?;
                let r = e.same("arith.remf", &[x, y])?;
                let difference = e.same("arith.subf", &[x, r])?;
                let d = e.same("arith.divf", &[difference, y])?;
                let other = self.needs_step(e, r, y)?;
                let stepped = e.same("arith.subf", &[d, one])?;
                let d = e.select(other, stepped, d)?;
                let down = e.same("math.floor", &[d])?;
                let gap = e.same("arith.subf", &[d, down])?;
                let far = e.cmpf("ogt", gap, half)?;
                let up = e.same("arith.addf", &[down, one])?;
                let rounded = e.select(far, up, down)?;
                let signed_zero = e.same("math.copysign", &[zero, quotient])?;
                let is_zero = e.cmpf("oeq", d, zero)?;
                let result = e.select(is_zero, signed_zero, rounded)?;
                let by_zero = e.cmpf("oeq", y, zero)?;
                e.select(by_zero, quotient, result)
            }
            Hypot if self.dtype == DType::F32 => match formula::binary(e, f, x, y)? {
                Some(z) => Ok(z),
                None => Error::unsupported(format!("no code for {}", f.name())),
            },
            _ => Error::unsupported(format!("no code for {} of {}", f.name(), self.dtype)),
        }
    }

    /// A remainder that is not zero and has not the divisor's sign.
    fn needs_step(&self, e: &Emit<'c>, r: V<'c>, y: V<'c>) -> Result<V<'c>, Error> {
        let zero = self.constant(e, 0.)?;
        let some = e.cmpf("une", r, zero)?;
        let (a, b) = (e.cmpf("olt", r, zero)?, e.cmpf("olt", y, zero)?);
        let differ = e.same("arith.xori", &[a, b])?;
        e.same("arith.andi", &[some, differ])
    }

    fn int_binary(&self, e: &Emit<'c>, f: Binary, x: V<'c>, y: V<'c>, divisor: Option<f64>) -> Result<V<'c>, Error> {
        use Binary::*;
        let by_sign = |signed: &'static str, unsigned: &'static str| if self.signed() { signed } else { unsigned };
        match f {
            Add => e.same("arith.addi", &[x, y]),
            Sub => e.same("arith.subi", &[x, y]),
            Mul => e.same("arith.muli", &[x, y]),
            Max | Fmax => e.same(by_sign("arith.maxsi", "arith.maxui"), &[x, y]),
            Min | Fmin => e.same(by_sign("arith.minsi", "arith.minui"), &[x, y]),
            BitAnd => e.same("arith.andi", &[x, y]),
            BitOr => e.same("arith.ori", &[x, y]),
            BitXor => e.same("arith.xori", &[x, y]),
            // A zero divisor is an error in the program and undefined in the code; so is the smallest number by -1.
            FloorDiv | TruncDiv | Fmod | Remainder if divisor.is_none_or(|d| d == 0. || d == -1.) => {
                Error::unsupported("an integer division whose divisor may be 0 or -1 is left to the interpreter")
            }
            FloorDiv => e.same(by_sign("arith.floordivsi", "arith.divui"), &[x, y]),
            TruncDiv => e.same(by_sign("arith.divsi", "arith.divui"), &[x, y]),
            Fmod => e.same(by_sign("arith.remsi", "arith.remui"), &[x, y]),
            Remainder if !self.signed() => e.same("arith.remui", &[x, y]),
            Remainder => {
                let r = e.same("arith.remsi", &[x, y])?;
                let zero = e.int(0, self.ty)?;
                let some = e.cmpi("ne", r, zero)?;
                let (a, b) = (e.cmpi("slt", r, zero)?, e.cmpi("slt", y, zero)?);
                let differ = e.same("arith.xori", &[a, b])?;
                let other = e.same("arith.andi", &[some, differ])?;
                let sum = e.same("arith.addi", &[r, y])?;
                e.select(other, sum, r)
            }
            Shl | Shr => {
                // Beyond the width: zeros to the left, copies of the sign to the right.
                let bits = 8 * self.dtype.size() as i64;
                let width = e.int(bits, self.ty)?;
                let inside = e.cmpi("ult", y, width)?;
                let last = e.int(bits - 1, self.ty)?;
                let amount = e.select(inside, y, last)?;
                if f == Shr && self.signed() {
                    return e.same("arith.shrsi", &[x, amount]);
                }
                let shifted = e.same(if f == Shl { "arith.shli" } else { "arith.shrui" }, &[x, amount])?;
                let zero = e.int(0, self.ty)?;
                e.select(inside, shifted, zero)
            }
            _ => Error::unsupported(format!("no code for {} of {}", f.name(), self.dtype)),
        }
    }
}
