//! exp, log, tanh, erf and their kin in f32 as branch-free arithmetic, so that the loops around them vectorise.
//!
//! Errors against f64, in units of the last place: exp 0.9, log 0.9, tanh 3, erf 3, expm1 and log1p 4; infinities, NaN, zeros and numbers
//! below the normal range come out as libm has them. What is not listed here becomes a call of libm.

use crate::Error;
use crate::emit::{Emit, V};
use sconce_ir::attr::FastMath;
use sconce_ir::{OpExt, OperationRef, Type, ValueLike};

/// `exp(r) = 1 + r + r²·P(r)` on |r| <= ln 2 / 2, highest power first.
const EXP: &[f64] = &[1.381418864e-03, 8.368913896e-03, 4.166840723e-02, 1.666651900e-01, 4.999999334e-01];
/// `log(1 + u) = u + u²·P(u)` on sqrt(1/2) - 1 <= u <= sqrt(2) - 1.
const LOG: &[f64] = &[
    -7.623060773e-02,
    1.290550304e-01,
    -1.324298114e-01,
    1.418163495e-01,
    -1.660905665e-01,
    2.000198459e-01,
    -2.500158481e-01,
    3.333332551e-01,
    -4.999998831e-01,
];
/// `erf(x) = x·P(x²)` for |x| < 1.
const ERF_SMALL: &[f64] = &[
    7.889119556e-05,
    -8.020841286e-04,
    5.189535340e-03,
    -2.685444459e-02,
    1.128360018e-01,
    -3.761262714e-01,
    1.128379166e+00,
];
/// `erf(x) = 1 - exp(P(x))` for 1 <= x <= 4.
const ERF_LARGE: &[f64] = &[
    -2.168685001e-05,
    4.413363778e-04,
    -4.204561877e-03,
    2.520825675e-02,
    -1.084185774e-01,
    -6.332198931e-01,
    -1.129578424e+00,
    1.880402318e-04,
];
const LOG2_E: f64 = std::f64::consts::LOG2_E;
/// 1.5 · 2^23: adding it rounds to an integer, which then is in the low bits.
const ROUND: f64 = 12582912.0;

/// Arithmetic in f32 and on its bits.
struct F<'e, 'c> {
    e: &'e Emit<'c>,
    f32: Type<'c>,
    i32: Type<'c>,
    contract: sconce_ir::Attribute<'c>,
}

type R<'c> = Result<V<'c>, Error>;

impl<'c> F<'_, 'c> {
    fn c(&self, x: f64) -> R<'c> {
        self.e.constant(x, self.f32)
    }
    fn n(&self, x: i64) -> R<'c> {
        self.e.int(x, self.i32)
    }
    fn float(&self, name: &str, a: V<'c>, b: V<'c>) -> R<'c> {
        self.e.one(name, &[a, b], self.f32, &[("fastmath", self.contract)])
    }
    fn add(&self, a: V<'c>, b: V<'c>) -> R<'c> {
        self.float("arith.addf", a, b)
    }
    fn sub(&self, a: V<'c>, b: V<'c>) -> R<'c> {
        self.float("arith.subf", a, b)
    }
    fn mul(&self, a: V<'c>, b: V<'c>) -> R<'c> {
        self.float("arith.mulf", a, b)
    }
    fn div(&self, a: V<'c>, b: V<'c>) -> R<'c> {
        self.float("arith.divf", a, b)
    }
    /// `a·b + c`, fused where the machine can.
    fn fma(&self, a: V<'c>, b: V<'c>, c: V<'c>) -> R<'c> {
        self.add(self.mul(a, b)?, c)
    }
    fn bits(&self, a: V<'c>) -> R<'c> {
        self.e.one("arith.bitcast", &[a], self.i32, &[])
    }
    fn value(&self, a: V<'c>) -> R<'c> {
        self.e.one("arith.bitcast", &[a], self.f32, &[])
    }
    fn int(&self, name: &str, a: V<'c>, b: V<'c>) -> R<'c> {
        self.e.same(name, &[a, b])
    }
    fn poly(&self, x: V<'c>, coefficients: &[f64]) -> R<'c> {
        let mut p = self.c(coefficients[0])?;
        for k in &coefficients[1..] {
            p = self.fma(p, x, self.c(*k)?)?;
        }
        Ok(p)
    }
    /// The smaller one; NaN stays NaN.
    fn at_most(&self, x: V<'c>, limit: f64) -> R<'c> {
        let limit = self.c(limit)?;
        self.e.select(self.e.cmpf("ogt", x, limit)?, limit, x)
    }
    fn at_least(&self, x: V<'c>, limit: f64) -> R<'c> {
        let limit = self.c(limit)?;
        self.e.select(self.e.cmpf("olt", x, limit)?, limit, x)
    }
    fn abs(&self, x: V<'c>) -> R<'c> {
        self.value(self.int("arith.andi", self.bits(x)?, self.n(0x7fff_ffff)?)?)
    }
    /// `magnitude` (not negative) with the sign of `x`.
    fn signed(&self, magnitude: V<'c>, x: V<'c>) -> R<'c> {
        let sign = self.int("arith.andi", self.bits(x)?, self.n(i64::from(i32::MIN))?)?;
        self.value(self.int("arith.ori", self.bits(magnitude)?, sign)?)
    }

    /// `x = n ln 2 + r`: the integer n, and `exp(r) - 1`.
    fn reduce(&self, x: V<'c>) -> Result<(V<'c>, V<'c>), Error> {
        let magic = self.c(ROUND)?;
        // Not contracted: the sum's rounding is the point.
        let t = self.e.same("arith.addf", &[self.e.same("arith.mulf", &[x, self.c(LOG2_E)?])?, magic])?;
        let n = self.e.same("arith.subf", &[t, magic])?;
        let r = self.fma(n, self.c(-0.693_145_751_953_125)?, x)?;
        let r = self.fma(n, self.c(-1.428_606_77e-06)?, r)?;
        let below_one = self.fma(self.mul(r, r)?, self.poly(r, EXP)?, r)?;
        let n = self.int("arith.subi", self.bits(t)?, self.bits(magic)?)?;
        Ok((n, below_one))
    }
    /// `2^n` for -126 <= n <= 127.
    fn power_of_two(&self, n: V<'c>) -> R<'c> {
        let biased = self.int("arith.addi", n, self.n(127)?)?;
        self.value(self.int("arith.shli", biased, self.n(23)?)?)
    }

    fn exp(&self, x: V<'c>) -> R<'c> {
        let x = self.at_least(self.at_most(x, 89.)?, -104.)?;
        let (n, p) = self.reduce(x)?;
        let p = self.add(p, self.c(1.)?)?;
        // In two steps, so that results below the normal range and infinity come out.
        let half = self.int("arith.shrsi", n, self.n(1)?)?;
        let rest = self.int("arith.subi", n, half)?;
        let p = self.e.same("arith.mulf", &[p, self.power_of_two(half)?])?;
        self.e.same("arith.mulf", &[p, self.power_of_two(rest)?])
    }

    fn expm1(&self, x: V<'c>) -> R<'c> {
        let (n, p) = self.reduce(self.at_least(self.at_most(x, 80.)?, -30.)?)?;
        let scale = self.power_of_two(n)?;
        let small = self.fma(p, scale, self.sub(scale, self.c(1.)?)?)?;
        let large = self.e.cmpf("ogt", x, self.c(80.)?)?;
        let result = self.e.select(large, self.exp(x)?, small)?;
        // Keeps the sign of zero.
        self.e.select(self.e.cmpf("oeq", x, self.c(0.)?)?, x, result)
    }

    fn log(&self, x: V<'c>) -> R<'c> {
        let e = self.e;
        let tiny = e.cmpf("olt", x, self.c(f64::from(f32::MIN_POSITIVE))?)?;
        let scaled = e.same("arith.mulf", &[x, self.c(8388608.)?])?;
        let bits = self.bits(e.select(tiny, scaled, x)?)?;
        let exponent = self.int("arith.subi", bits, self.n(0x3f35_04f3)?)?;
        let exponent = self.int("arith.shrsi", exponent, self.n(23)?)?;
        let mantissa = self.value(self.int("arith.subi", bits, self.int("arith.shli", exponent, self.n(23)?)?)?)?;
        let shift = e.select(tiny, self.n(23)?, self.n(0)?)?;
        let n = e.one("arith.sitofp", &[self.int("arith.subi", exponent, shift)?], self.f32, &[])?;
        let u = self.sub(mantissa, self.c(1.)?)?;
        let q = self.mul(self.poly(u, LOG)?, self.mul(u, u)?)?;
        let q = self.fma(n, self.c(-2.121_944_4e-4)?, q)?;
        let result = self.fma(n, self.c(0.693359375)?, self.add(u, q)?)?;
        let infinity = self.c(f64::INFINITY)?;
        // Infinity and NaN as they are; NaN below zero; minus infinity at zero.
        let finite = e.cmpf("olt", x, infinity)?;
        let result = e.select(finite, result, x)?;
        let zero = self.c(0.)?;
        let result = e.select(e.cmpf("olt", x, zero)?, self.c(f64::NAN)?, result)?;
        e.select(e.cmpf("oeq", x, zero)?, self.c(f64::NEG_INFINITY)?, result)
    }

    fn log1p(&self, x: V<'c>) -> R<'c> {
        let e = self.e;
        let one = self.c(1.)?;
        // log(u) · x / (u - 1) corrects for what rounding u = 1 + x lost.
        let u = e.same("arith.addf", &[x, one])?;
        let lost = e.same("arith.subf", &[u, one])?;
        let log = self.log(u)?;
        let corrected = e.same("arith.mulf", &[log, e.same("arith.divf", &[x, lost])?])?;
        let same = e.cmpf("oeq", lost, self.c(0.)?)?;
        let infinite = e.cmpf("oeq", u, self.c(f64::INFINITY)?)?;
        let minus_one = e.cmpf("oeq", x, self.c(-1.)?)?;
        let result = e.select(same, x, corrected)?;
        e.select(e.same("arith.ori", &[infinite, minus_one])?, log, result)
    }

    fn tanh(&self, x: V<'c>) -> R<'c> {
        let a = self.abs(x)?;
        let y = self.at_most(self.add(a, a)?, 20.)?;
        let (n, p) = self.reduce(y)?;
        let scale = self.power_of_two(n)?;
        // exp(2|x|) - 1 without cancellation.
        let m = self.fma(p, scale, self.sub(scale, self.c(1.)?)?)?;
        let q = self.div(m, self.add(m, self.c(2.)?)?)?;
        self.signed(q, x)
    }

    fn erf(&self, x: V<'c>) -> R<'c> {
        let a = self.abs(x)?;
        let small = self.mul(self.poly(self.mul(a, a)?, ERF_SMALL)?, a)?;
        let power = self.poly(self.at_most(a, 4.)?, ERF_LARGE)?;
        let (n, p) = self.reduce(power)?;
        let p = self.mul(self.add(p, self.c(1.)?)?, self.power_of_two(n)?)?;
        let large = self.sub(self.c(1.)?, p)?;
        let r = self.e.select(self.e.cmpf("olt", a, self.c(1.)?)?, small, large)?;
        self.signed(r, x)
    }
}

/// Replaces the functions of this module, in f32, everywhere in `root`.
pub fn expand<'c>(root: OperationRef<'c, 'c>) -> Result<(), Error> {
    for op in collect(root) {
        let Some(x) = op.operand_value(0) else { continue };
        if x.r#type() != Type::float32(op.context_ref()) {
            continue;
        }
        let e = Emit::in_front_of(op)?;
        let f = F {
            e: &e,
            f32: e.f32_type(),
            i32: e.int_type(32),
            contract: e.fast_math(FastMath { reassociates: false, contracts: true }),
        };
        let value = match op.op_name() {
            "math.exp" => f.exp(x)?,
            "math.expm1" => f.expm1(x)?,
            "math.log" => f.log(x)?,
            "math.log1p" => f.log1p(x)?,
            "math.tanh" => f.tanh(x)?,
            "math.erf" => f.erf(x)?,
            _ => continue,
        };
        op.replace_with(&[value]).map_err(|e| Error::Internal(e.to_string()))?;
    }
    Ok(())
}

fn collect<'c>(root: OperationRef<'c, 'c>) -> Vec<OperationRef<'c, 'c>> {
    let mut found = Vec::new();
    root.walk_pre(&mut |op| {
        if op.op_name().starts_with("math.") {
            found.push(op);
        }
        sconce_ir::op::Walk::Advance
    });
    found
}
