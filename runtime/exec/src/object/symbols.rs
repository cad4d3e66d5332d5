//! The functions that loaded code may call: those that LLVM turns operations into, by name from one table, and nothing else of the process.

use super::bfloat;
use crate::{calls, checks, parallel, temporaries};

/// Functions of the C library, and of the one for numbers that a processor lacks: their addresses are taken, and code calls them with the types that C gives them.
macro_rules! c_functions {
    ($($name:ident)*) => {
        mod c {
            unsafe extern "C" {
                $(pub fn $name();)*
            }
        }

        static C_FUNCTIONS: &[(&str, unsafe extern "C" fn())] = &[$((stringify!($name), c::$name)),*];
    };
}

c_functions! {
    memcpy memmove memset
    __extendhfsf2 __truncdfhf2 __truncsfhf2
    acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp10 exp2 expm1 fabs fdim floor fma fmax fmin fmod frexp hypot ldexp lgamma
    log log10 log1p log2 modf nearbyint pow remainder rint round roundeven sin sincos sinh sqrt tan tanh tgamma trunc
    acosf acoshf asinf asinhf atanf atan2f atanhf cbrtf ceilf copysignf cosf coshf erff erfcf expf exp10f exp2f expm1f fabsf fdimf floorf fmaf fmaxf fminf fmodf
    frexpf hypotf ldexpf lgammaf logf log10f log1pf log2f modff nearbyintf powf remainderf rintf roundevenf roundf sinf sincosf sinhf sqrtf tanf tanhf tgammaf truncf
}

/// Whether it is a function of the C library that code may call.
pub fn is_of_c(name: &str) -> bool {
    C_FUNCTIONS.iter().any(|f| f.0 == name)
}

/// Where a function is; none when code may not call it.
pub fn address(name: &str) -> Option<u64> {
    // Ours: the kernels' functions of f64; rounding that not every C library has, and in place of C's memory that was reserved before the code runs, which has no way to say that it got none; and what stands for operators without code.
    let own = [
        ("__truncsfbf2", bfloat::of_f32 as *const () as u64),
        ("__truncdfbf2", bfloat::of_f64 as *const () as u64),
        ("aligned_alloc", temporaries::aligned_alloc as *const () as u64),
        ("free", temporaries::free as *const () as u64),
        (calls::CALL, calls::call as *const () as u64),
        (calls::REFUSE, calls::refuse as *const () as u64),
        (calls::TURNS, calls::turns as *const () as u64),
        (parallel::PARALLEL_FOR, parallel::parallel_for as *const () as u64),
    ];
    let c = || C_FUNCTIONS.iter().find(|f| f.0 == name).map(|f| f.1 as usize as u64);
    let own = own.into_iter().find(|f| f.0 == name).map(|f| f.1);
    own.or_else(|| sconce_polynomials::wide::address(name)).or_else(c).or_else(|| checks::address(name))
}
