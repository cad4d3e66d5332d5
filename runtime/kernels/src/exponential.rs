//! The exponential function as a few multiplications, the same in every vector width: right to a unit in the last place.

/// `e^x`; NaN stays NaN, what is too small is zero, what is too large infinite.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    const ROUND: f32 = 12582912.0; // 1.5 * 2^23: adding it leaves the nearest integer in the low bits.
    // Beyond these the result is 0 or infinite; a NaN fails both comparisons.
    let x = if x < -105.0 { -105.0 } else { x };
    let x = if x > 90.0 { 90.0 } else { x };
    let shifted = x.mul_add(std::f32::consts::LOG2_E, ROUND);
    let n = shifted - ROUND;
    // ln 2 in two parts, the first exact in the product.
    let r = n.mul_add(-0.693_145_75, x);
    let r = n.mul_add(-1.428_606_8e-6, r);
    // Fitted to (e^r - 1 - r) / r^2 on |r| <= ln(2) / 2.
    let q = 0.001_381_454_4f32;
    let q = q.mul_add(r, 0.008_368_745);
    let q = q.mul_add(r, 0.041_668_39);
    let q = q.mul_add(r, 0.166_665_21);
    let q = q.mul_add(r, 0.499_999_94);
    let e = (r * r).mul_add(q, r) + 1.0;
    // 2^n in two factors, so that neither overflows.
    let n = shifted.to_bits() as i32 - ROUND.to_bits() as i32;
    let half = n >> 1;
    let power = |n: i32| f32::from_bits(((n + 127) << 23) as u32);
    e * power(half) * power(n - half)
}

#[cfg(test)]
mod tests {
    use super::exp;

    #[test]
    fn within_a_unit_in_the_last_place() {
        let mut worst = 0f64;
        for i in -104_000..=88_000 {
            let x = i as f32 / 1000.0 + 1e-4 * (i % 7) as f32;
            let right = f64::from(x).exp();
            let unit = f64::from((right as f32).next_up() - right as f32).max(f64::from(f32::from_bits(1)));
            worst = worst.max((f64::from(exp(x)) - right).abs() / unit);
        }
        assert!(worst < 1.0, "{worst}");
    }

    #[test]
    fn ends() {
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(exp(f32::NEG_INFINITY), 0.0);
        assert_eq!(exp(f32::INFINITY), f32::INFINITY);
        assert_eq!(exp(89.0), f32::INFINITY);
        assert!(exp(f32::NAN).is_nan());
        assert!(exp(-104.0).is_finite());
    }
}
