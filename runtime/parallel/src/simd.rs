//! Vectors of sixteen f32 or eight f64: one AVX-512 register, two of AVX2, or an array. All three give the same bits, so that what is written
//! over them does not depend on the machine.

use crate::scratch::Plain;
use crate::vectorize::{Width, width};

/// Floats that have vectors.
pub trait Real: Plain + Send + Sync + PartialOrd + num_traits::Float {
    type V4: Wide<E = Self>;
    type V3: Wide<E = Self>;
    type Base: Wide<E = Self>;
}

/// A vector.
///
/// # Safety
/// Every function needs the processor features of its type, and pointers to as many elements as it reads or writes.
pub unsafe trait Wide: Copy {
    type E: Real;
    /// Elements.
    const N: usize;
    /// Whether there are 32 registers that hold a whole vector.
    const MANY: bool;
    /// Whether some vectors at once are in registers; else more code makes nothing faster.
    const IN_REGISTERS: bool = true;
    /// Rows and columns that `transpose` turns.
    const BLOCK: usize;
    /// The same in every element.
    ///
    /// # Safety
    /// The processor has this vector's features.
    unsafe fn splat(x: Self::E) -> Self;
    /// Elements side by side in memory.
    ///
    /// # Safety
    /// The processor has this vector's features, and `p` points to `N` elements.
    unsafe fn load(p: *const Self::E) -> Self;
    /// Says which elements are loaded.
    type Mask: Copy;
    /// The elements whose bits are set.
    ///
    /// # Safety
    /// The processor has this vector's features.
    unsafe fn mask(bits: u32) -> Self::Mask;
    /// These elements of the vector that begins at `p`, zeros in place of the others, which are not touched.
    ///
    /// # Safety
    /// The processor has this vector's features, and those elements exist.
    unsafe fn load_masked(p: *const Self::E, mask: Self::Mask) -> Self;
    /// The first `n` elements, zeros after them.
    ///
    /// # Safety
    /// The processor has this vector's features, and `p` points to `n` elements.
    #[inline(always)]
    unsafe fn load_part(p: *const Self::E, n: usize) -> Self {
        // SAFETY: the caller's promise; no vector has more than 16 elements.
        unsafe { Self::load_masked(p, Self::mask((1u32 << n) - 1)) }
    }
    /// As many elements as are left, at most all, zeros after them.
    ///
    /// # Safety
    /// The processor has this vector's features, and `p` points to as many elements.
    #[inline(always)]
    unsafe fn load_left(p: *const Self::E, left: usize) -> Self {
        // SAFETY: the caller's promise.
        unsafe { if left >= Self::N { Self::load(p) } else { Self::load_part(p, left) } }
    }
    /// The same of `N` elements that are f32 in memory.
    ///
    /// # Safety
    /// The processor has this vector's features, and `p` points to `N` elements.
    unsafe fn load_f32(p: *const f32) -> Self;
    /// Writes all elements.
    ///
    /// # Safety
    /// The processor has this vector's features, and `p` has room for `N` elements.
    unsafe fn store(self, p: *mut Self::E);
    /// Writes the first `n` elements.
    ///
    /// # Safety
    /// The processor has this vector's features, and `p` has room for `n` elements.
    unsafe fn store_part(self, p: *mut Self::E, n: usize);
    /// Writes as many elements as are left, at most all.
    ///
    /// # Safety
    /// The processor has this vector's features, and `p` has room for as many elements.
    #[inline(always)]
    unsafe fn store_left(self, p: *mut Self::E, left: usize) {
        // SAFETY: the caller's promise.
        unsafe { if left >= Self::N { self.store(p) } else { self.store_part(p, left) } }
    }
    /// The elements of even and of odd places of two vectors that follow one another.
    ///
    /// # Safety
    /// The processor has this vector's features.
    unsafe fn unzip(v: [Self; 2]) -> [Self; 2];
    /// The first `n` of every `step`th of the elements from `p` on, at most all; zeros after them.
    ///
    /// # Safety
    /// The processor has this vector's features, and `p` points to those elements.
    #[inline(always)]
    unsafe fn every(p: *const Self::E, step: usize, n: usize) -> Self {
        let mut v = [<Self::E as num_traits::Zero>::zero(); 16];
        // SAFETY: the caller's promise; no vector has more than 16 elements.
        unsafe {
            (0..Self::N.min(n)).for_each(|i| v[i] = *p.add(i * step));
            Self::load(v.as_ptr())
        }
    }
    /// Of each element the one of `v` where that is larger or NaN.
    ///
    /// # Safety
    /// The processor has this vector's features.
    unsafe fn larger(self, v: Self) -> Self;
    /// No less than `low`, then no more than `high`: elements that are equal to a bound, and NaN, stay what they are.
    ///
    /// # Safety
    /// The processor has this vector's features.
    unsafe fn clamp(self, low: Self, high: Self) -> Self;
    /// `self * b + c`, rounded once.
    ///
    /// # Safety
    /// The processor has this vector's features.
    unsafe fn fma(self, b: Self, c: Self) -> Self;
    /// `self + b`.
    ///
    /// # Safety
    /// The processor has this vector's features.
    unsafe fn add(self, b: Self) -> Self;
    /// `self * b`.
    ///
    /// # Safety
    /// The processor has this vector's features.
    unsafe fn mul(self, b: Self) -> Self;
    /// The sums of the elements of four vectors, each in one fixed order.
    ///
    /// # Safety
    /// The processor has this vector's features.
    unsafe fn totals(v: [Self; 4]) -> [Self::E; 4];
    /// The columns of `N` rows of four elements.
    ///
    /// # Safety
    /// The processor has this vector's features, and the rows can be read.
    #[inline(always)]
    unsafe fn fours(from: *const Self::E, from_row: usize) -> [Self; 4] {
        // SAFETY: the caller's promise.
        unsafe { fours(from, from_row) }
    }
    /// `BLOCK` rows of as many elements, turned.
    ///
    /// # Safety
    /// The processor has this vector's features, and both sides reach `BLOCK` rows so far apart.
    unsafe fn transpose(from: *const Self::E, from_row: usize, to: *mut Self::E, to_row: usize);
}

/// [`Wide::fours`] element by element.
///
/// # Safety
/// As there.
#[inline(always)]
unsafe fn fours<W: Wide>(from: *const W::E, from_row: usize) -> [W; 4] {
    // SAFETY: the caller's promise.
    std::array::from_fn(|j| unsafe { W::every(from.add(j), from_row, W::N) })
}

/// Asks for the line of memory that holds `p`, which is written or read soon; any address may be asked for.
#[inline(always)]
pub fn prefetch<T>(p: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch of an address that does not exist does nothing.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(p.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = p;
}

/// Work that is compiled for every kind of vector.
pub trait Job<E> {
    type Output;
    /// `#[inline(always)]`, as everything that it calls.
    ///
    /// # Safety
    /// The processor has the features of `W`.
    unsafe fn run<W: Wide<E = E>>(self) -> Self::Output;
}

/// Does a job with the widest vectors of this machine.
#[inline]
pub fn run<E: Real, J: Job<E>>(job: J) -> J::Output {
    match width() {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `width` has asked the processor.
        Width::V4 => unsafe { v4::<E, J>(job) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        Width::V3 => unsafe { v3::<E, J>(job) },
        _ => base(job),
    }
}

/// Once, wherever it is called: few machines run it.
#[inline(never)]
fn base<E: Real, J: Job<E>>(job: J) -> J::Output {
    // SAFETY: arrays need no features.
    unsafe { job.run::<E::Base>() }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,f16c,avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
unsafe fn v4<E: Real, J: Job<E>>(job: J) -> J::Output {
    // SAFETY: the caller's promise.
    unsafe { job.run::<E::V4>() }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,f16c")]
unsafe fn v3<E: Real, J: Job<E>>(job: J) -> J::Output {
    // SAFETY: the caller's promise.
    unsafe { job.run::<E::V3>() }
}

/// A vector as an array, for machines of which nothing is known.
#[derive(Clone, Copy)]
pub struct Array<E, const N: usize>([E; N]);

/// `folds` says how far apart the elements are that are added, in turn, `inline` how what is many instructions is called: on x86-64, where few machines lack
/// registers for it and a multiplication with an addition is then a call for each element, it stands once.
macro_rules! array {
    ($e:ty, $n:literal, $folds:expr, $inline:meta) => {
        // SAFETY: arrays need no features; pointers are the caller's.
        unsafe impl Wide for Array<$e, $n> {
            type E = $e;
            const N: usize = $n;
            const MANY: bool = false;
            // Four registers of 32; the 16 of SSE hold four arrays.
            const IN_REGISTERS: bool = cfg!(target_arch = "aarch64");
            const BLOCK: usize = 4;
            #[inline(always)]
            unsafe fn splat(x: $e) -> Self {
                Array([x; $n])
            }
            #[inline(always)]
            unsafe fn load(p: *const $e) -> Self {
                // SAFETY: the caller's promise.
                Array(unsafe { p.cast::<[$e; $n]>().read_unaligned() })
            }
            #[inline(always)]
            unsafe fn load_f32(p: *const f32) -> Self {
                // SAFETY: the caller's promise.
                Array(unsafe { p.cast::<[f32; $n]>().read_unaligned() }.map(<$e>::from))
            }
            type Mask = u32;
            #[inline(always)]
            unsafe fn mask(bits: u32) -> u32 {
                bits
            }
            #[$inline]
            unsafe fn load_masked(p: *const $e, mask: u32) -> Self {
                // SAFETY: the caller's promise.
                Array(std::array::from_fn(|i| if mask >> i & 1 == 1 { unsafe { *p.add(i) } } else { 0.0 }))
            }
            #[inline(always)]
            unsafe fn store(self, p: *mut $e) {
                // SAFETY: the caller's promise.
                unsafe { p.cast::<[$e; $n]>().write_unaligned(self.0) }
            }
            #[$inline]
            unsafe fn store_part(self, p: *mut $e, n: usize) {
                // SAFETY: the caller's promise; `n` is at most `N`.
                unsafe { std::ptr::copy_nonoverlapping(self.0.as_ptr(), p, n) }
            }
            #[$inline]
            unsafe fn unzip(v: [Self; 2]) -> [Self; 2] {
                let every_second = |first: usize| {
                    Array(std::array::from_fn(|i| v[2 * i / $n].0[(2 * i + first) % $n]))
                };
                [every_second(0), every_second(1)]
            }
            #[inline(always)]
            unsafe fn larger(self, v: Self) -> Self {
                let larger = |a: $e, b: $e| if b > a || b.is_nan() { b } else { a };
                Array(std::array::from_fn(|i| larger(self.0[i], v.0[i])))
            }
            #[inline(always)]
            unsafe fn clamp(self, low: Self, high: Self) -> Self {
                Array(std::array::from_fn(|i| {
                    let v = if low.0[i] > self.0[i] { low.0[i] } else { self.0[i] };
                    if high.0[i] < v { high.0[i] } else { v }
                }))
            }
            #[$inline]
            unsafe fn fma(self, b: Self, c: Self) -> Self {
                Array(std::array::from_fn(|i| self.0[i].mul_add(b.0[i], c.0[i])))
            }
            #[inline(always)]
            unsafe fn add(self, b: Self) -> Self {
                Array(std::array::from_fn(|i| self.0[i] + b.0[i]))
            }
            #[inline(always)]
            unsafe fn mul(self, b: Self) -> Self {
                Array(std::array::from_fn(|i| self.0[i] * b.0[i]))
            }
            #[$inline]
            unsafe fn totals(v: [Self; 4]) -> [$e; 4] {
                v.map(|v| {
                    let mut v = v.0;
                    for fold in $folds {
                        for i in (0..$n).filter(|i| i & fold == 0) {
                            v[i] += v[i + fold];
                        }
                    }
                    v[0]
                })
            }
            #[$inline]
            unsafe fn transpose(from: *const $e, from_row: usize, to: *mut $e, to_row: usize) {
                for i in 0..4 {
                    for j in 0..4 {
                        // SAFETY: the caller's promise.
                        unsafe { *to.add(j * to_row + i) = *from.add(i * from_row + j) };
                    }
                }
            }
        }
    };
}
macro_rules! arrays {
    ($inline:meta) => {
        array!(f32, 16, [8, 4, 1, 2], $inline);
        array!(f64, 8, [4, 2, 1], $inline);
    };
}
#[cfg(target_arch = "x86_64")]
arrays!(inline(never));
#[cfg(not(target_arch = "x86_64"))]
arrays!(inline(always));

#[cfg(not(target_arch = "x86_64"))]
impl Real for f32 {
    type V4 = Array<f32, 16>;
    type V3 = Array<f32, 16>;
    type Base = Array<f32, 16>;
}
#[cfg(not(target_arch = "x86_64"))]
impl Real for f64 {
    type V4 = Array<f64, 8>;
    type V3 = Array<f64, 8>;
    type Base = Array<f64, 8>;
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    //! The registers of x86-64.

    use super::{Array, Real, Wide};
    use std::arch::x86_64::*;

    impl Real for f32 {
        type V4 = V4<__m512>;
        type V3 = V3<__m256>;
        type Base = Array<f32, 16>;
    }
    impl Real for f64 {
        type V4 = V4<__m512d>;
        type V3 = V3<__m256d>;
        type Base = Array<f64, 8>;
    }

    /// One register.
    #[derive(Clone, Copy)]
    pub struct V4<R>(R);
    /// Two registers.
    #[derive(Clone, Copy)]
    pub struct V3<R>(R, R);

    #[inline(always)]
    unsafe fn totals_f32(v: [__m256; 4]) -> [f32; 4] {
        // SAFETY: the caller runs where AVX is.
        unsafe {
            let half = |v: __m256| _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps::<1>(v));
            let (a, b) = (_mm_hadd_ps(half(v[0]), half(v[1])), _mm_hadd_ps(half(v[2]), half(v[3])));
            let mut out = [0.0; 4];
            _mm_storeu_ps(out.as_mut_ptr(), _mm_hadd_ps(a, b));
            out
        }
    }

    #[inline(always)]
    unsafe fn totals_f64(v: [__m256d; 4]) -> [f64; 4] {
        // SAFETY: the caller runs where AVX is.
        unsafe {
            let half = |v: __m256d| _mm_add_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd::<1>(v));
            let (a, b) = (_mm_hadd_pd(half(v[0]), half(v[1])), _mm_hadd_pd(half(v[2]), half(v[3])));
            let mut out = [0.0; 4];
            _mm_storeu_pd(out.as_mut_ptr(), a);
            _mm_storeu_pd(out.as_mut_ptr().add(2), b);
            out
        }
    }

    #[inline(always)]
    unsafe fn fours_f32(from: *const f32, from_row: usize) -> [V4<__m512>; 4] {
        // SAFETY: the caller runs where AVX-512 is and points to sixteen rows of four elements.
        unsafe {
            // Rows `i`, `i + 4`, `i + 8` and `i + 12`.
            let rows = |i: usize| {
                let row = |k: usize| _mm_loadu_ps(from.add((i + k) * from_row));
                let v = _mm512_castps128_ps512(row(0));
                let v = _mm512_insertf32x4::<1>(v, row(4));
                _mm512_insertf32x4::<3>(_mm512_insertf32x4::<2>(v, row(8)), row(12))
            };
            let (a, b, c, d) = (rows(0), rows(1), rows(2), rows(3));
            let low = |a, b| _mm512_castps_pd(_mm512_unpacklo_ps(a, b));
            let high = |a, b| _mm512_castps_pd(_mm512_unpackhi_ps(a, b));
            let both = |a, b| [_mm512_castpd_ps(_mm512_unpacklo_pd(a, b)), _mm512_castpd_ps(_mm512_unpackhi_pd(a, b))];
            let ([first, second], [third, fourth]) = (both(low(a, b), low(c, d)), both(high(a, b), high(c, d)));
            [V4(first), V4(second), V4(third), V4(fourth)]
        }
    }

    #[inline(always)]
    unsafe fn transpose_f32(from: *const f32, from_row: usize, to: *mut f32, to_row: usize) {
        // SAFETY: the caller runs where AVX is and gives eight rows of eight.
        unsafe {
            let r: [__m256; 8] = std::array::from_fn(|i| _mm256_loadu_ps(from.add(i * from_row)));
            let p: [__m256; 8] = std::array::from_fn(|i| {
                let (a, b) = (r[i / 2 * 2], r[i / 2 * 2 + 1]);
                if i % 2 == 0 { _mm256_unpacklo_ps(a, b) } else { _mm256_unpackhi_ps(a, b) }
            });
            let q: [__m256; 8] = std::array::from_fn(|i| {
                let (a, b) = (p[i / 4 * 4 + i % 4 / 2], p[i / 4 * 4 + i % 4 / 2 + 2]);
                if i % 2 == 0 { _mm256_shuffle_ps::<0x44>(a, b) } else { _mm256_shuffle_ps::<0xee>(a, b) }
            });
            for i in 0..4 {
                _mm256_storeu_ps(to.add(i * to_row), _mm256_permute2f128_ps::<0x20>(q[i], q[i + 4]));
                _mm256_storeu_ps(to.add((i + 4) * to_row), _mm256_permute2f128_ps::<0x31>(q[i], q[i + 4]));
            }
        }
    }

    #[inline(always)]
    unsafe fn transpose_f64(from: *const f64, from_row: usize, to: *mut f64, to_row: usize) {
        // SAFETY: the caller runs where AVX is and gives four rows of four.
        unsafe {
            let r: [__m256d; 4] = std::array::from_fn(|i| _mm256_loadu_pd(from.add(i * from_row)));
            let low = [_mm256_unpacklo_pd(r[0], r[1]), _mm256_unpackhi_pd(r[0], r[1])];
            let high = [_mm256_unpacklo_pd(r[2], r[3]), _mm256_unpackhi_pd(r[2], r[3])];
            for i in 0..2 {
                _mm256_storeu_pd(to.add(i * to_row), _mm256_permute2f128_pd::<0x20>(low[i], high[i]));
                _mm256_storeu_pd(to.add((i + 2) * to_row), _mm256_permute2f128_pd::<0x31>(low[i], high[i]));
            }
        }
    }

    /// Places of two registers that follow one another: every second from the first or from the one after it.
    static EVERY_SECOND: [[i32; 16]; 2] = [
        [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30],
        [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31],
    ];

    #[inline(always)]
    unsafe fn unzip_f32(a: __m512, b: __m512) -> [__m512; 2] {
        // SAFETY: the caller runs where AVX-512 is.
        unsafe {
            let place = |first: usize| _mm512_loadu_si512(EVERY_SECOND[first].as_ptr().cast());
            [_mm512_permutex2var_ps(a, place(0), b), _mm512_permutex2var_ps(a, place(1), b)]
        }
    }

    #[inline(always)]
    unsafe fn unzip_f64(a: __m512d, b: __m512d) -> [__m512d; 2] {
        // SAFETY: the caller runs where AVX-512 is.
        unsafe {
            let place = |first: usize| _mm512_cvtepi32_epi64(_mm256_loadu_si256(EVERY_SECOND[first].as_ptr().cast()));
            [_mm512_permutex2var_pd(a, place(0), b), _mm512_permutex2var_pd(a, place(1), b)]
        }
    }

    #[inline(always)]
    unsafe fn unzip_half_f32(a: __m256, b: __m256) -> [__m256; 2] {
        // SAFETY: the caller runs where AVX2 is.
        unsafe {
            let joined = |v: __m256| _mm256_castpd_ps(_mm256_permute4x64_pd::<0xd8>(_mm256_castps_pd(v)));
            [joined(_mm256_shuffle_ps::<0x88>(a, b)), joined(_mm256_shuffle_ps::<0xdd>(a, b))]
        }
    }

    #[inline(always)]
    unsafe fn unzip_half_f64(a: __m256d, b: __m256d) -> [__m256d; 2] {
        // SAFETY: the caller runs where AVX2 is.
        unsafe {
            let joined = |v: __m256d| _mm256_permute4x64_pd::<0xd8>(v);
            [joined(_mm256_unpacklo_pd(a, b)), joined(_mm256_unpackhi_pd(a, b))]
        }
    }

    /// A register of all ones where a bit is set.
    #[inline(always)]
    unsafe fn mask_f32(bits: u32) -> __m256i {
        // SAFETY: the caller runs where AVX2 is.
        unsafe {
            let bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
            _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(bits as i32), bit), bit)
        }
    }

    #[inline(always)]
    unsafe fn mask_f64(bits: u32) -> __m256i {
        // SAFETY: the caller runs where AVX2 is.
        unsafe {
            let bit = _mm256_setr_epi64x(1, 2, 4, 8);
            _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(i64::from(bits)), bit), bit)
        }
    }

    /// The maximum's second operand is its result where nothing is larger, and where an operand is NaN.
    macro_rules! larger {
        ($name512:ident $t512:ty: $max512:ident $is_nan:ident $choose:ident, $name256:ident $t256:ty: $max256:ident $compare:ident $blend:ident) => {
            #[inline(always)]
            unsafe fn $name512(a: $t512, b: $t512) -> $t512 {
                // SAFETY: the caller runs where AVX-512 is.
                unsafe { $choose($max512(b, a), $is_nan::<_CMP_UNORD_Q>(b, b), b) }
            }
            #[inline(always)]
            unsafe fn $name256(a: $t256, b: $t256) -> $t256 {
                // SAFETY: the caller runs where AVX2 is.
                unsafe { $blend($max256(b, a), b, $compare::<_CMP_UNORD_Q>(b, b)) }
            }
        };
    }
    larger!(larger_f32 __m512: _mm512_max_ps _mm512_cmp_ps_mask _mm512_mask_mov_ps, larger_half_f32 __m256: _mm256_max_ps _mm256_cmp_ps _mm256_blendv_ps);
    larger!(larger_f64 __m512d: _mm512_max_pd _mm512_cmp_pd_mask _mm512_mask_mov_pd, larger_half_f64 __m256d: _mm256_max_pd _mm256_cmp_pd _mm256_blendv_pd);

    #[inline(always)]
    unsafe fn widened_512(p: *const f32) -> __m512d {
        // SAFETY: the caller runs where AVX-512 is and points to eight elements.
        unsafe { _mm512_cvtps_pd(_mm256_loadu_ps(p)) }
    }

    #[inline(always)]
    unsafe fn widened_256(p: *const f32) -> __m256d {
        // SAFETY: the caller runs where AVX2 is and points to four elements.
        unsafe { _mm256_cvtps_pd(_mm_loadu_ps(p)) }
    }

    /// A type's intrinsics by name, its mask type, and what is shared by both widths.
    macro_rules! registers {
        ($e:ty, $n:literal, $block:literal, $mask:ty, $totals:ident, $fours:path, $transpose:ident, $unzip4:ident, $unzip3:ident, $larger4:ident, $larger3:ident, $max4:ident $min4:ident, $max3:ident $min3:ident,
         $r4:ty: $set4:ident $load4:ident $maskload:ident $store4:ident $maskstore:ident $fma4:ident $add4:ident $mul4:ident $low:ident $high:ident $narrow4:ident,
         $r3:ty: $set3:ident $load3:ident $mask3:ident $maskload3:ident $store3:ident $fma3:ident $add3:ident $mul3:ident $narrow3:ident) => {
            // SAFETY: these are the operations that the trait describes; features and pointers are the caller's.
            unsafe impl Wide for V4<$r4> {
                type E = $e;
                const N: usize = $n;
                const MANY: bool = true;
                const BLOCK: usize = $block;
                #[inline(always)]
                unsafe fn fours(from: *const $e, from_row: usize) -> [Self; 4] {
                    // SAFETY: the caller's promise.
                    unsafe { $fours(from, from_row) }
                }
                #[inline(always)]
                unsafe fn splat(x: $e) -> Self {
                    // SAFETY: the caller's promise.
                    V4(unsafe { $set4(x) })
                }
                #[inline(always)]
                unsafe fn load(p: *const $e) -> Self {
                    // SAFETY: the caller's promise.
                    V4(unsafe { $load4(p) })
                }
                #[inline(always)]
                unsafe fn load_f32(p: *const f32) -> Self {
                    // SAFETY: the caller's promise.
                    V4(unsafe { $narrow4(p) })
                }
                type Mask = $mask;
                #[inline(always)]
                unsafe fn mask(bits: u32) -> $mask {
                    bits as $mask
                }
                #[inline(always)]
                unsafe fn load_masked(p: *const $e, mask: $mask) -> Self {
                    // SAFETY: the caller's promise; masked elements are not touched.
                    V4(unsafe { $maskload(mask, p) })
                }
                #[inline(always)]
                unsafe fn store(self, p: *mut $e) {
                    // SAFETY: the caller's promise.
                    unsafe { $store4(p, self.0) }
                }
                #[inline(always)]
                unsafe fn store_part(self, p: *mut $e, n: usize) {
                    // SAFETY: the caller's promise; masked elements are not touched.
                    unsafe { $maskstore(p, ((1u32 << n) - 1) as $mask, self.0) }
                }
                #[inline(always)]
                unsafe fn unzip(v: [Self; 2]) -> [Self; 2] {
                    // SAFETY: the caller's promise.
                    unsafe { $unzip4(v[0].0, v[1].0) }.map(V4)
                }
                #[inline(always)]
                unsafe fn larger(self, v: Self) -> Self {
                    // SAFETY: the caller's promise.
                    V4(unsafe { $larger4(self.0, v.0) })
                }
                #[inline(always)]
                unsafe fn clamp(self, low: Self, high: Self) -> Self {
                    // SAFETY: the caller's promise.
                    V4(unsafe { $min4(high.0, $max4(low.0, self.0)) })
                }
                #[inline(always)]
                unsafe fn fma(self, b: Self, c: Self) -> Self {
                    // SAFETY: the caller's promise.
                    V4(unsafe { $fma4(self.0, b.0, c.0) })
                }
                #[inline(always)]
                unsafe fn add(self, b: Self) -> Self {
                    // SAFETY: the caller's promise.
                    V4(unsafe { $add4(self.0, b.0) })
                }
                #[inline(always)]
                unsafe fn mul(self, b: Self) -> Self {
                    // SAFETY: the caller's promise.
                    V4(unsafe { $mul4(self.0, b.0) })
                }
                #[inline(always)]
                unsafe fn totals(v: [Self; 4]) -> [$e; 4] {
                    // SAFETY: the caller's promise.
                    unsafe { $totals(std::array::from_fn(|i| $add3($low(v[i].0), $high::<1>(v[i].0)))) }
                }
                #[inline(always)]
                unsafe fn transpose(from: *const $e, from_row: usize, to: *mut $e, to_row: usize) {
                    // SAFETY: the caller's promise.
                    unsafe { $transpose(from, from_row, to, to_row) }
                }
            }

            // SAFETY: as above.
            unsafe impl Wide for V3<$r3> {
                type E = $e;
                const N: usize = $n;
                const MANY: bool = false;
                const BLOCK: usize = $block;
                #[inline(always)]
                unsafe fn splat(x: $e) -> Self {
                    // SAFETY: the caller's promise.
                    unsafe { V3($set3(x), $set3(x)) }
                }
                #[inline(always)]
                unsafe fn load(p: *const $e) -> Self {
                    // SAFETY: the caller's promise.
                    unsafe { V3($load3(p), $load3(p.add($n / 2))) }
                }
                #[inline(always)]
                unsafe fn load_f32(p: *const f32) -> Self {
                    // SAFETY: the caller's promise.
                    unsafe { V3($narrow3(p), $narrow3(p.add($n / 2))) }
                }
                type Mask = [__m256i; 2];
                #[inline(always)]
                unsafe fn mask(bits: u32) -> [__m256i; 2] {
                    // SAFETY: the caller's promise.
                    unsafe { [$mask3(bits), $mask3(bits >> ($n / 2))] }
                }
                #[inline(always)]
                unsafe fn load_masked(p: *const $e, mask: [__m256i; 2]) -> Self {
                    // SAFETY: the caller's promise; masked elements are not touched.
                    unsafe { V3($maskload3(p, mask[0]), $maskload3(p.wrapping_add($n / 2), mask[1])) }
                }
                #[inline(always)]
                unsafe fn store(self, p: *mut $e) {
                    // SAFETY: the caller's promise.
                    unsafe {
                        $store3(p, self.0);
                        $store3(p.add($n / 2), self.1);
                    }
                }
                #[inline(always)]
                unsafe fn store_part(self, p: *mut $e, n: usize) {
                    let mut v = [0.0; $n];
                    // SAFETY: the caller's promise; `n` is at most `N`.
                    unsafe {
                        self.store(v.as_mut_ptr());
                        std::ptr::copy_nonoverlapping(v.as_ptr(), p, n);
                    }
                }
                #[inline(always)]
                unsafe fn unzip(v: [Self; 2]) -> [Self; 2] {
                    // SAFETY: the caller's promise.
                    unsafe {
                        let ([a, b], [c, d]) = ($unzip3(v[0].0, v[0].1), $unzip3(v[1].0, v[1].1));
                        [V3(a, c), V3(b, d)]
                    }
                }
                #[inline(always)]
                unsafe fn larger(self, v: Self) -> Self {
                    // SAFETY: the caller's promise.
                    unsafe { V3($larger3(self.0, v.0), $larger3(self.1, v.1)) }
                }
                #[inline(always)]
                unsafe fn clamp(self, low: Self, high: Self) -> Self {
                    // SAFETY: the caller's promise. The second operand is the result where nothing is larger or less, and where an operand is NaN.
                    unsafe { V3($min3(high.0, $max3(low.0, self.0)), $min3(high.1, $max3(low.1, self.1))) }
                }
                #[inline(always)]
                unsafe fn fma(self, b: Self, c: Self) -> Self {
                    // SAFETY: the caller's promise.
                    unsafe { V3($fma3(self.0, b.0, c.0), $fma3(self.1, b.1, c.1)) }
                }
                #[inline(always)]
                unsafe fn add(self, b: Self) -> Self {
                    // SAFETY: the caller's promise.
                    unsafe { V3($add3(self.0, b.0), $add3(self.1, b.1)) }
                }
                #[inline(always)]
                unsafe fn mul(self, b: Self) -> Self {
                    // SAFETY: the caller's promise.
                    unsafe { V3($mul3(self.0, b.0), $mul3(self.1, b.1)) }
                }
                #[inline(always)]
                unsafe fn totals(v: [Self; 4]) -> [$e; 4] {
                    // SAFETY: the caller's promise.
                    unsafe { $totals(std::array::from_fn(|i| $add3(v[i].0, v[i].1))) }
                }
                #[inline(always)]
                unsafe fn transpose(from: *const $e, from_row: usize, to: *mut $e, to_row: usize) {
                    // SAFETY: the caller's promise.
                    unsafe { $transpose(from, from_row, to, to_row) }
                }
            }
        };
    }
    registers!(f32, 16, 8, u16, totals_f32, fours_f32, transpose_f32, unzip_f32, unzip_half_f32, larger_f32, larger_half_f32,
        _mm512_max_ps _mm512_min_ps, _mm256_max_ps _mm256_min_ps,
        __m512: _mm512_set1_ps _mm512_loadu_ps _mm512_maskz_loadu_ps _mm512_storeu_ps _mm512_mask_storeu_ps _mm512_fmadd_ps _mm512_add_ps _mm512_mul_ps
            _mm512_castps512_ps256 _mm512_extractf32x8_ps _mm512_loadu_ps,
        __m256: _mm256_set1_ps _mm256_loadu_ps mask_f32 _mm256_maskload_ps _mm256_storeu_ps _mm256_fmadd_ps _mm256_add_ps _mm256_mul_ps _mm256_loadu_ps);
    registers!(f64, 8, 4, u8, totals_f64, super::fours, transpose_f64, unzip_f64, unzip_half_f64, larger_f64, larger_half_f64,
        _mm512_max_pd _mm512_min_pd, _mm256_max_pd _mm256_min_pd,
        __m512d: _mm512_set1_pd _mm512_loadu_pd _mm512_maskz_loadu_pd _mm512_storeu_pd _mm512_mask_storeu_pd _mm512_fmadd_pd _mm512_add_pd _mm512_mul_pd
            _mm512_castpd512_pd256 _mm512_extractf64x4_pd widened_512,
        __m256d: _mm256_set1_pd _mm256_loadu_pd mask_f64 _mm256_maskload_pd _mm256_storeu_pd _mm256_fmadd_pd _mm256_add_pd _mm256_mul_pd widened_256);
}

#[cfg(test)]
mod tests {
    use super::*;

    struct All<'a, E>(&'a [E], &'a mut Vec<E>);
    impl<E: Real> Job<E> for All<'_, E> {
        type Output = ();
        #[inline(always)]
        unsafe fn run<W: Wide<E = E>>(self) {
            // SAFETY: the slice has 100 elements, the caller the features.
            unsafe {
                let p = self.0.as_ptr();
                let v: [W; 4] = std::array::from_fn(|i| W::load(p.add(i * 7)));
                self.1.extend(W::totals(v));
                let mut out = vec![E::zero(); 3 * W::N];
                v[0].fma(v[1], v[2]).add(W::splat(*p)).mul(v[3]).store(out.as_mut_ptr());
                v[0].larger(v[1]).clamp(v[2], v[3]).store(out.as_mut_ptr().add(2 * W::N));
                W::load_part(p, 3).store_part(out.as_mut_ptr().add(W::N), 5);
                // The others do not exist.
                let mut few = [E::zero(); 16];
                W::load_masked(p.add(100 - 3).wrapping_sub(2), W::mask(0b10100)).store(few.as_mut_ptr());
                self.1.extend(few);
                self.1.extend(out);
                let (mut turned, mut apart) = (vec![E::zero(); 12 * 12], vec![E::zero(); 2 * W::N]);
                for i in (0..8).step_by(W::BLOCK) {
                    for j in (0..8).step_by(W::BLOCK) {
                        W::transpose(p.add(i * 10 + j), 10, turned.as_mut_ptr().add(j * 12 + i), 12);
                    }
                }
                for column in W::fours(p, 5) {
                    column.store(apart.as_mut_ptr());
                    self.1.extend(&apart[..W::N]);
                }
                self.1.extend(turned);
                W::unzip([v[0], v[1]])
                    .into_iter()
                    .enumerate()
                    .for_each(|(i, v)| v.store(apart.as_mut_ptr().add(i * W::N)));
                self.1.extend(apart);
            }
        }
    }

    fn check<E: Real + std::fmt::Debug>() {
        let data: Vec<E> = (0..100).map(|i| E::from(i * 37 % 101).unwrap() / E::from(7).unwrap()).collect();
        let (mut want, mut got) = (Vec::new(), Vec::new());
        // SAFETY: arrays need no features.
        unsafe { All(&data, &mut want).run::<E::Base>() };
        run(All(&data, &mut got));
        assert_eq!(want, got);
        #[cfg(target_arch = "x86_64")]
        if width() != Width::Base {
            let mut got = Vec::new();
            // SAFETY: what has a width above the base has AVX2.
            unsafe { v3::<E, _>(All(&data, &mut got)) };
            assert_eq!(want, got);
        }
        let (rest, apart) = want.split_at(want.len() - 2 * E::Base::N);
        for (i, v) in apart.iter().enumerate() {
            let place = i % E::Base::N * 2 + i / E::Base::N;
            assert_eq!(*v, data[place / E::Base::N * 7 + place % E::Base::N]);
        }
        let (rest, turned) = rest.split_at(rest.len() - 144);
        for i in 0..8 {
            for j in 0..8 {
                assert_eq!(turned[j * 12 + i], data[i * 10 + j]);
            }
        }
        let columns = &rest[rest.len() - 4 * E::Base::N..];
        for (i, v) in columns.iter().enumerate() {
            assert_eq!(*v, data[i % E::Base::N * 5 + i / E::Base::N]);
        }
    }

    #[test]
    fn all_widths_give_the_same_bits() {
        check::<f32>();
        check::<f64>();
    }
}
