//! Rounding to bfloat16 as LLVM's code calls it on processors without an instruction for it: to the nearest, ties to even, once.
//!
//! A bfloat16 comes back in the lowest 16 bits of a register of floats, on x86-64 and AArch64 alike: for Rust, which has no such type, that of an `f32`.

/// `__truncsfbf2`
pub extern "C" fn of_f32(x: f32) -> f32 {
    f32::from_bits(rounded(x).into())
}

/// `__truncdfbf2`
pub extern "C" fn of_f64(x: f64) -> f32 {
    of_f32(to_odd(x))
}

/// The bits of the nearest bfloat16; a NaN stays one, and is quiet.
fn rounded(x: f32) -> u16 {
    let bits = x.to_bits();
    if x.is_nan() {
        return (bits >> 16) as u16 | 0x40;
    }
    let half = 0x7fff + (bits >> 16 & 1);
    // The largest is an infinity, which does not carry further.
    ((bits + half) >> 16) as u16
}

/// A number cut to an `f32` whose last bit says whether anything was lost, so that rounding it again is rounding once.
fn to_odd(x: f64) -> f32 {
    let near = x as f32;
    let exact = f64::from(near);
    if exact == x || x.is_nan() {
        return near;
    }
    let cut = near.to_bits() - u32::from(exact.abs() > x.abs());
    f32::from_bits(cut | 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(x: f32) -> u32 {
        x.to_bits()
    }

    #[test]
    fn floats_round_to_the_nearest() {
        for (x, want) in [
            (1.0, 0x3f80),
            (-0.0, 0x8000),
            // Ties go to even.
            (f32::from_bits(0x3f80_8000), 0x3f80),
            (f32::from_bits(0x3f81_8000), 0x3f82),
            (f32::from_bits(0x3f80_8001), 0x3f81),
            (f32::MAX, 0x7f80),
            (f32::NEG_INFINITY, 0xff80),
            (f32::from_bits(0x7f80_0001), 0x7fc0),
            (f32::from_bits(0x0000_8001), 0x0001),
        ] {
            assert_eq!(bits(of_f32(x)), want, "{x}");
        }
    }

    #[test]
    fn doubles_round_once() {
        // Just above a tie of bfloat16, and nearer to it than the next `f32`.
        let above = f64::from(f32::from_bits(0x3f80_8000)) + 1e-12;
        assert_eq!(bits(of_f64(above)), 0x3f81);
        assert_eq!(bits(of_f32(above as f32)), 0x3f80);
        assert_eq!(bits(of_f64(f64::from(f32::from_bits(0x3f80_8000)) - 1e-12)), 0x3f80);
        assert_eq!(bits(of_f64(-above)), 0xbf81);
        assert_eq!(bits(of_f64(1e300)), 0x7f80);
        assert_eq!(bits(of_f64(-1e-300)), 0x8000);
        assert_eq!(bits(of_f64(f64::INFINITY)), 0x7f80);
        assert_eq!(bits(of_f64(f64::NAN)) & 0x7fc0, 0x7fc0);
    }
}
