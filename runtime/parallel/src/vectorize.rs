//! Loops compiled several times, for the vector widths that machines have, and run in the widest one of this machine.
//!
//! Only the width differs: no operation is reordered or contracted, so every machine gets the same bits.

/// Runs `f` as compiled for vectors of 256 bits where this machine has them: as wide as loops need that wait for memory.
///
/// What `f` does must be inlined into it: a function it calls is compiled for wide vectors only when it is `#[inline(always)]`.
///
/// ```
/// let (a, mut b) = ([1f32; 100], [2f32; 100]);
/// sconce_parallel::vectorize::vectorize(
///     #[inline(always)]
///     || b.iter_mut().zip(&a).for_each(|(b, a)| *b += a),
/// );
/// assert_eq!(b, [3f32; 100]);
/// ```
#[inline(always)]
pub fn vectorize<R>(f: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    if x86::width() != x86::Width::Base {
        // SAFETY: `width` has asked the processor for exactly these features, which those of wider vectors include.
        return unsafe { x86::v3(f) };
    }
    f()
}

/// As [`vectorize`], with a third copy for vectors of 512 bits: for loops that compute much with what they load.
#[inline(always)]
pub fn vectorize_widest<R>(f: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    if x86::width() == x86::Width::V4 {
        // SAFETY: `width` has asked the processor for exactly these features.
        return unsafe { x86::v4(f) };
    }
    vectorize(f)
}

#[cfg(target_arch = "x86_64")]
pub use x86::{Width, narrow, width};

/// Of other processors nothing is asked.
#[cfg(not(target_arch = "x86_64"))]
mod other {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Width {
        Base,
    }
    pub fn width() -> Width {
        Width::Base
    }
    pub fn narrow(_: Width) {}
}
#[cfg(not(target_arch = "x86_64"))]
pub use other::{Width, narrow, width};

#[cfg(target_arch = "x86_64")]
mod x86 {
    //! The levels of x86-64 that are worth a copy of the code.

    use std::sync::atomic::{AtomicU8, Ordering};

    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    #[repr(u8)]
    pub enum Width {
        Base = 1,
        /// AVX2 and FMA.
        V3 = 2,
        /// AVX-512.
        V4 = 3,
    }

    static WIDTH: AtomicU8 = AtomicU8::new(0);

    #[inline(always)]
    pub fn width() -> Width {
        match WIDTH.load(Ordering::Relaxed) {
            1 => Width::Base,
            2 => Width::V3,
            3 => Width::V4,
            _ => detect(),
        }
    }

    /// From now on the process computes as on a machine with vectors no wider than these: for tests that results do not show it.
    pub fn narrow(to: Width) {
        WIDTH.store(to.min(of_machine()) as u8, Ordering::Relaxed);
    }

    #[cold]
    fn detect() -> Width {
        let width = of_machine();
        WIDTH.store(width as u8, Ordering::Relaxed);
        width
    }

    fn of_machine() -> Width {
        let v3 = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("f16c");
        let v4 = v3
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512cd")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl");
        if v4 {
            Width::V4
        } else if v3 {
            Width::V3
        } else {
            Width::Base
        }
    }

    /// # Safety
    /// The processor has the features.
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,f16c")]
    pub unsafe fn v3<R>(f: impl FnOnce() -> R) -> R {
        f()
    }

    /// # Safety
    /// The processor has the features.
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,f16c,avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
    pub unsafe fn v4<R>(f: impl FnOnce() -> R) -> R {
        f()
    }
}
