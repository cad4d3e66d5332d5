//! Conversion between element types, the same everywhere: C++'s conversions as PyTorch's x86 build computes them, defined for every input.

use crate::Error;
use crate::engine::elementwise::Walk;
use crate::engine::parallel::in_pieces;
use crate::engine::vectorize::{vectorize, vectorize_widest};
use num_complex::Complex;
use sconce_tensor::{Bool, DType, Element, Tensor, bf16, dispatch, f16};
use std::mem::MaybeUninit;

/// An element's value in the widest type of its kind. The variant is fixed by the element type, so a conversion through it costs nothing.
#[derive(Clone, Copy, Debug)]
pub enum Wide {
    Int(i64),
    Unsigned(u64),
    Float(f32),
    Double(f64),
    Complex(Complex<f32>),
    ComplexDouble(Complex<f64>),
}

/// An element type that converts to and from every other.
pub trait Value: Element {
    /// The type of this kind's variant of [`Wide`].
    type Widest: Value;
    fn wide(self) -> Wide;
    fn from_wide(w: Wide) -> Self;
    /// This value as an element of another type.
    #[inline(always)]
    fn to<B: Value>(self) -> B {
        B::from_wide(self.wide())
    }
}

/// `cvttsd2si`: cut towards zero; what does not fit, and NaN, gives the smallest integer.
#[inline(always)]
fn f64_to_i64(x: f64) -> i64 {
    if (-9223372036854775808.0..9223372036854775808.0).contains(&x) { x as i64 } else { i64::MIN }
}

/// The same for 32 bits.
#[inline(always)]
fn f64_to_i32(x: f64) -> i32 {
    if x > -2147483649.0 && x < 2147483648.0 { x as i32 } else { i32::MIN }
}

macro_rules! small_ints {
    ($($t:ty),*) => { $(
        impl Value for $t {
            type Widest = i64;
            #[inline(always)]
            fn wide(self) -> Wide { Wide::Int(i64::from(self)) }
            #[inline(always)]
            fn from_wide(w: Wide) -> $t {
                match w {
                    Wide::Int(v) => v as $t,
                    Wide::Unsigned(v) => v as $t,
                    // Narrow integers are cut from a 32-bit conversion, as the machine does it.
                    Wide::Float(v) => f64_to_i32(f64::from(v)) as $t,
                    Wide::Double(v) => f64_to_i32(v) as $t,
                    Wide::Complex(v) => f64_to_i32(f64::from(v.re)) as $t,
                    Wide::ComplexDouble(v) => f64_to_i32(v.re) as $t,
                }
            }
        }
    )* };
}
small_ints!(u8, i8, i16, i32, u16);

macro_rules! large_ints {
    ($($t:ty, $variant:ident, $wide:ty);*) => { $(
        impl Value for $t {
            type Widest = $wide;
            #[inline(always)]
            fn wide(self) -> Wide { Wide::$variant(self as $wide) }
            #[inline(always)]
            fn from_wide(w: Wide) -> $t {
                match w {
                    Wide::Int(v) => v as $t,
                    Wide::Unsigned(v) => v as $t,
                    Wide::Float(v) => f64_to_large(f64::from(v), <$t>::MIN == 0) as $t,
                    Wide::Double(v) => f64_to_large(v, <$t>::MIN == 0) as $t,
                    Wide::Complex(v) => f64_to_large(f64::from(v.re), <$t>::MIN == 0) as $t,
                    Wide::ComplexDouble(v) => f64_to_large(v.re, <$t>::MIN == 0) as $t,
                }
            }
        }
    )* };
}
large_ints!(i64, Int, i64; u32, Int, i64; u64, Unsigned, u64);

#[inline(always)]
fn f64_to_large(x: f64, unsigned: bool) -> i64 {
    if unsigned && x >= 9223372036854775808.0 { x as u64 as i64 } else { f64_to_i64(x) }
}

/// The same as `f16::to_f32`, without a branch, so that loops of it vectorise.
#[inline(always)]
fn f16_to_f32(x: f16) -> f32 {
    let bits = u32::from(x.to_bits());
    let shifted = (bits & 0x7fff) << 13;
    // The exponent is moved from its place in 5 bits to that in 8 by a product, which also makes denormals normal.
    let finite = (f32::from_bits(shifted) * f32::from_bits(0x7780_0000)).to_bits();
    let quiet = if shifted > 0x0f80_0000 { 0x0040_0000 } else { 0 };
    let magnitude = if shifted >= 0x0f80_0000 { shifted | 0x7f80_0000 | quiet } else { finite };
    f32::from_bits(magnitude | (bits & 0x8000) << 16)
}

/// The same as `f16::from_f32`, to the nearest, ties to even, without a branch.
#[inline(always)]
fn f32_to_f16(x: f32) -> f16 {
    let bits = x.to_bits();
    let sign = bits >> 16 & 0x8000;
    let a = bits & 0x7fff_ffff;
    // 0.5 has the last place that the denormals of f16 have: the addition rounds.
    let denormal = (f32::from_bits(a) + 0.5).to_bits().wrapping_sub(0x3f00_0000);
    let normal = a.wrapping_sub(0x3800_0000).wrapping_add(0xfff).wrapping_add(a >> 13 & 1) >> 13;
    let infinite = if a > 0x7f80_0000 { 0x7e00 | (a >> 13 & 0x3ff) } else { 0x7c00 };
    let finite = if a < 0x3880_0000 { denormal } else { normal };
    f16::from_bits((sign | if a < 0x4780_0000 { finite } else { infinite }) as u16)
}

macro_rules! floats {
    ($($t:ty, $variant:ident, $wide:ty, $narrow:expr, $widen:expr);*) => { $(
        impl Value for $t {
            type Widest = $wide;
            #[inline(always)]
            fn wide(self) -> Wide {
                let widen: fn($t) -> $wide = $widen;
                Wide::$variant(widen(self))
            }
            #[inline(always)]
            fn from_wide(w: Wide) -> $t {
                let narrow: fn($wide) -> $t = $narrow;
                narrow(match w {
                    Wide::Int(v) => v as $wide,
                    Wide::Unsigned(v) => v as $wide,
                    Wide::Float(v) => v as $wide,
                    Wide::Double(v) => v as $wide,
                    Wide::Complex(v) => v.re as $wide,
                    Wide::ComplexDouble(v) => v.re as $wide,
                })
            }
        }
    )* };
}
// Half types go through f32, also from f64: PyTorch's constructors round twice.
floats!(
    f32, Float, f32, |v| v, |v| v;
    f64, Double, f64, |v| v, |v| v;
    f16, Float, f32, f32_to_f16, f16_to_f32;
    bf16, Float, f32, bf16::from_f32, bf16::to_f32
);

macro_rules! complexes {
    ($($t:ty, $variant:ident, $wide:ty, $narrow:expr, $widen:expr);*) => { $(
        impl Value for Complex<$t> {
            type Widest = Complex<$wide>;
            #[inline(always)]
            fn wide(self) -> Wide {
                let widen: fn($t) -> $wide = $widen;
                Wide::$variant(Complex::new(widen(self.re), widen(self.im)))
            }
            #[inline(always)]
            fn from_wide(w: Wide) -> Self {
                let narrow: fn($wide) -> $t = $narrow;
                let (re, im) = match w {
                    Wide::Int(v) => (v as $wide, 0.0),
                    Wide::Unsigned(v) => (v as $wide, 0.0),
                    Wide::Float(v) => (v as $wide, 0.0),
                    Wide::Double(v) => (v as $wide, 0.0),
                    Wide::Complex(v) => (v.re as $wide, v.im as $wide),
                    Wide::ComplexDouble(v) => (v.re as $wide, v.im as $wide),
                };
                Complex::new(narrow(re), narrow(im))
            }
        }
    )* };
}
complexes!(
    f16, Complex, f32, f32_to_f16, f16_to_f32;
    f32, Complex, f32, |v| v, |v| v;
    f64, ComplexDouble, f64, |v| v, |v| v
);

impl Value for Bool {
    type Widest = i64;
    #[inline(always)]
    fn wide(self) -> Wide {
        Wide::Int(i64::from(self.get()))
    }
    #[inline(always)]
    fn from_wide(w: Wide) -> Bool {
        Bool::new(match w {
            Wide::Int(v) => v != 0,
            Wide::Unsigned(v) => v != 0,
            Wide::Float(v) => v != 0.0,
            Wide::Double(v) => v != 0.0,
            Wide::Complex(v) => v.re != 0.0 || v.im != 0.0,
            Wide::ComplexDouble(v) => v.re != 0.0 || v.im != 0.0,
        })
    }
}

/// Runs a body with `$t` bound to the element type of a dtype; dtypes without arithmetic (quantised, 8-bit floats, bit types) return an error
/// that names `$what`.
#[macro_export]
macro_rules! with_element {
    ($dtype:expr, $what:expr, $t:ident => $body:expr) => {
        sconce_tensor::dispatch!($dtype, $t => $body, other => return Err($crate::not_implemented($what, other)))
    };
}
pub use with_element;

/// Writes `from`, converted, into the elements of `to`. Sizes are equal; the storages may overlap.
pub fn convert_into(to: &Tensor, from: &Tensor) -> Result<(), Error> {
    if to.sizes() != from.sizes() {
        let message = format!("cannot write a tensor of size {:?} to one of size {:?}", from.sizes(), to.sizes());
        return Err(Error::runtime(message));
    }
    if to.dtype() == from.dtype() {
        return Ok(to.copy_bytes_from(from)?);
    }
    if to.shares_storage(from) {
        return convert_into(to, &from.copy()?);
    }
    let conversion = Conversion::between(from.dtype(), to.dtype(), "copy_")?;
    let ends = Ends(to.bytes_ptr(), from.bytes_ptr());
    let walk = Walk::new(to.sizes(), &[to, from]);
    let sizes = [to.dtype().size() as isize, from.dtype().size() as isize];
    let strides = [walk.inner_stride(0) * sizes[0], walk.inner_stride(1) * sizes[1]];
    walk.for_each_run(|offsets, n| {
        in_pieces(n, 1 << 16, |range| {
            let at = range.start as isize;
            let (t, f) = ends.at(offsets[0] * sizes[0] + at * strides[0], offsets[1] * sizes[1] + at * strides[1]);
            // SAFETY: the walk stays inside both tensors, whose storages differ and whose dtypes the conversion is for.
            unsafe { conversion.run(t, strides[0], f, strides[1], range.len()) };
            Ok(())
        })
    })
}

/// First bytes of a target and a source that several threads use, each its own part of.
struct Ends(*mut u8, *const u8);

impl Ends {
    #[inline(always)]
    fn at(&self, to: isize, from: isize) -> (*mut u8, *const u8) {
        (self.0.wrapping_offset(to), self.1.wrapping_offset(from))
    }
}

// SAFETY: each thread writes elements that no other uses, and nobody writes the source.
unsafe impl Sync for Ends {}

/// Converts `n` elements; strides are in bytes.
type Row = unsafe fn(to: *mut u8, to_stride: isize, from: *const u8, from_stride: isize, n: usize);

/// How the elements of one dtype become those of another: the one place where rows of elements are converted. Only pairs that programs use much have a loop
/// of their own; all others go through the widest type of the source's kind, a piece at a time, which is what [`Value::to`] does with each element.
#[derive(Clone, Copy)]
pub(crate) struct Conversion {
    steps: Steps,
    /// Moves elements of the target's size.
    moved: Row,
}

#[derive(Clone, Copy)]
enum Steps {
    At(Row),
    Through { widen: Row, size: usize, narrow: Row },
}

impl Conversion {
    /// # Errors
    /// A dtype without arithmetic, in the name of `what` converts.
    pub(crate) fn between(from: DType, to: DType, what: &str) -> Result<Conversion, Error> {
        macro_rules! often {
            ($($a:ty => $b:ty),*) => {
                match (from, to) {
                    $((<$a as Element>::DTYPE, <$b as Element>::DTYPE) => Some(wide_row::<$a, $b> as Row),)*
                    _ => None,
                }
            };
        }
        fn narrowed<W: Value>(to: DType, what: &str) -> Result<Row, Error> {
            Ok(with_element!(to, what, B => row::<W, B>))
        }
        let moved = move_row(to.size());
        if from == to && has_elements(from) {
            return Ok(Conversion { steps: Steps::At(moved), moved });
        }
        let own = often!(
            f32 => f16, f16 => f32, f32 => bf16, bf16 => f32, f32 => f64, f64 => f32, f32 => i64, i64 => f32,
            f32 => i32, i32 => f32, i64 => i32, i32 => i64, f32 => u8, u8 => f32, f64 => i64, i64 => f64,
            f32 => Bool, Bool => f32, i64 => Bool, Bool => i64, f64 => Bool, u8 => Bool, Bool => u8, u8 => i64, i64 => u8
        );
        if let Some(row) = own {
            return Ok(Conversion { steps: Steps::At(row), moved });
        }
        let (wide, widen): (DType, Row) =
            with_element!(from, what, A => (<A as Value>::Widest::DTYPE, row::<A, <A as Value>::Widest>));
        let narrow = match wide {
            DType::U64 => narrowed::<u64>(to, what),
            DType::F32 => narrowed::<f32>(to, what),
            DType::F64 => narrowed::<f64>(to, what),
            DType::C64 => narrowed::<Complex<f32>>(to, what),
            DType::C128 => narrowed::<Complex<f64>>(to, what),
            _ => narrowed::<i64>(to, what),
        }?;
        let steps = match wide {
            _ if wide == to => Steps::At(widen),
            _ if wide == from => Steps::At(narrow),
            _ => Steps::Through { widen, size: wide.size(), narrow },
        };
        Ok(Conversion { steps, moved })
    }

    /// Converts `n` elements at strides in bytes. What is the same for all of them (a stride of 0) is converted once.
    ///
    /// # Safety
    /// `n` elements of the two dtypes lie at these strides from the pointers, aligned; the bytes of source and target do not overlap.
    pub(crate) unsafe fn run(&self, to: *mut u8, to_stride: isize, from: *const u8, from_stride: isize, n: usize) {
        if n == 0 {
            return;
        }
        if from_stride == 0 && n > 1 {
            let mut element = MaybeUninit::<u128>::uninit();
            let element = element.as_mut_ptr().cast::<u8>();
            // SAFETY: the caller's promise; no element is larger or more aligned, and it is read when it is written.
            return unsafe {
                self.each(element, to_stride, from, 0, 1);
                (self.moved)(to, to_stride, element, 0, n);
            };
        }
        // SAFETY: the caller's promise.
        unsafe { self.each(to, to_stride, from, from_stride, n) }
    }

    /// # Safety
    /// As [`Conversion::run`].
    unsafe fn each(&self, to: *mut u8, to_stride: isize, from: *const u8, from_stride: isize, n: usize) {
        match self.steps {
            // SAFETY: the caller's promise.
            Steps::At(row) => unsafe { row(to, to_stride, from, from_stride, n) },
            Steps::Through { widen, size, narrow } => {
                let mut piece = [MaybeUninit::<Complex<f64>>::uninit(); PIECE];
                let wide = piece.as_mut_ptr().cast::<u8>();
                for start in (0..n).step_by(PIECE) {
                    let (at, n) = (start as isize, (n - start).min(PIECE));
                    // SAFETY: the caller's promise; a piece has room for its elements of any widest type, and is read where it was written.
                    unsafe {
                        widen(wide, size as isize, from.offset(at * from_stride), from_stride, n);
                        narrow(to.offset(at * to_stride), to_stride, wide, size as isize, n);
                    }
                }
            }
        }
    }
}

/// Elements that are widened at a time.
const PIECE: usize = 128;

/// [`row`], compiled for each vector width.
///
/// # Safety
/// As [`Conversion::run`].
unsafe fn wide_row<A: Value, B: Value>(to: *mut u8, to_stride: isize, from: *const u8, from_stride: isize, n: usize) {
    vectorize_widest(
        #[inline(always)]
        || {
            // SAFETY: the caller's promise.
            unsafe { row::<A, B>(to, to_stride, from, from_stride, n) }
        },
    );
}

/// # Safety
/// As [`Conversion::run`].
#[inline(always)]
unsafe fn row<A: Value, B: Value>(to: *mut u8, to_stride: isize, from: *const u8, from_stride: isize, n: usize) {
    let (to, from) = (to.cast::<B>(), from.cast::<A>());
    if (to_stride, from_stride) == (size_of::<B>() as isize, size_of::<A>() as isize) {
        // SAFETY: the caller's promise, for elements that lie side by side; what is written need not have been before.
        let (to, from) = unsafe { (std::slice::from_raw_parts_mut(to.cast(), n), std::slice::from_raw_parts(from, n)) };
        return to.iter_mut().zip(from).for_each(|(t, f)| {
            let t: &mut MaybeUninit<B> = t;
            t.write(f.to::<B>());
        });
    }
    for i in 0..n as isize {
        // SAFETY: the caller's promise.
        unsafe { to.byte_offset(i * to_stride).write((*from.byte_offset(i * from_stride)).to::<B>()) };
    }
}

/// Writes one element, of so many bytes, to `n` places that follow one another.
///
/// # Safety
/// The element can be read, there is room for `n`, and it does not lie among them.
pub(crate) unsafe fn repeat(bytes: usize, to: *mut u8, element: *const u8, n: usize) {
    // SAFETY: the caller's promise.
    unsafe { move_row(bytes)(to, bytes as isize, element, 0, n) }
}

/// The row that moves elements of so many bytes as they are.
fn move_row(bytes: usize) -> Row {
    match bytes {
        1 => moved::<u8>,
        2 => moved::<u16>,
        4 => moved::<u32>,
        8 => moved::<u64>,
        _ => moved::<u128>,
    }
}

/// # Safety
/// As [`Conversion::run`], for elements of the size of `B`, of any alignment.
unsafe fn moved<B: Copy>(to: *mut u8, to_stride: isize, from: *const u8, from_stride: isize, n: usize) {
    let (to, from, side_by_side) = (to.cast::<B>(), from.cast::<B>(), size_of::<B>() as isize);
    // SAFETY: the caller's promise.
    unsafe {
        match (to_stride == side_by_side, from_stride) {
            (true, 0) if n > 0 => {
                let element = from.read_unaligned();
                vectorize(
                    #[inline(always)]
                    move || {
                        for i in 0..n {
                            to.add(i).write_unaligned(element);
                        }
                    },
                );
            }
            (true, step) if step == side_by_side => {
                std::ptr::copy_nonoverlapping(from.cast::<u8>(), to.cast(), n * size_of::<B>())
            }
            _ => {
                for i in 0..n as isize {
                    to.byte_offset(i * to_stride).write_unaligned(from.byte_offset(i * from_stride).read_unaligned());
                }
            }
        }
    }
}

/// The tensor with this dtype: itself if it has it already, else a copy with the same strides where it is dense.
pub fn convert(t: &Tensor, dtype: DType) -> Result<Tensor, Error> {
    if t.dtype() == dtype {
        return Ok(t.clone());
    }
    let strides = crate::engine::elementwise::like_strides(t);
    let out = crate::engine::elementwise::uninit_strided(t.sizes(), &strides, dtype)?;
    convert_into(&out, t)?;
    Ok(out)
}

/// The elements of a tensor in row-major order: its own where they lie so and are of the type, else a converted copy.
pub(crate) struct Elements<T> {
    tensor: Tensor,
    element: std::marker::PhantomData<T>,
}

impl<T: Element> std::ops::Deref for Elements<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        // SAFETY: promised to whoever made it.
        unsafe { self.tensor.as_slice::<T>() }.unwrap_or_default()
    }
}

/// The elements in row-major order, converted, without a copy where there need be none; [`to_vec`] copies.
///
/// # Safety
/// While they live nobody writes to the tensor's storage, through whichever tensor.
pub(crate) unsafe fn elements<T: Value>(t: &Tensor) -> Result<Elements<T>, Error> {
    Ok(Elements { tensor: convert(t, T::DTYPE)?.contiguous()?, element: std::marker::PhantomData })
}

/// The elements in row-major order, converted.
pub fn to_vec<T: Value>(t: &Tensor) -> Result<Vec<T>, Error> {
    if t.dtype() == T::DTYPE {
        return Ok(t.to_vec::<T>());
    }
    let strides = sconce_tensor::contiguous_strides(t.sizes());
    let out = crate::engine::elementwise::uninit_strided(t.sizes(), &strides, T::DTYPE)?;
    convert_into(&out, t)?;
    Ok(out.to_vec::<T>())
}

/// A contiguous tensor of a dtype with these elements, converted.
pub fn from_vec<T: Value>(data: Vec<T>, sizes: &[i64], dtype: DType) -> Result<Tensor, Error> {
    if sconce_tensor::numel(sizes) != Some(data.len()) {
        return Err(Error::runtime(format!(
            "the arguments do not fit one another: {} elements for sizes {sizes:?}",
            data.len()
        )));
    }
    convert(&Tensor::from_vec(data, sizes), dtype)
}

/// Whether `dispatch!` knows the dtype.
pub fn has_elements(dtype: DType) -> bool {
    dispatch!(dtype, _T => true, _other => false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_convert_as_the_library_does() {
        for bits in 0..=u16::MAX {
            let x = f16::from_bits(bits);
            assert_eq!(f16_to_f32(x).to_bits(), x.to_f32().to_bits(), "{bits:#x}");
        }
        // All upper halves, with lower halves around the ties.
        for upper in 0..=u32::from(u16::MAX) {
            for lower in [0, 1, 0x0fff, 0x1000, 0x1001, 0x2fff, 0x3000, 0x7fff, 0x8000, 0xefff, 0xf000, 0xffff] {
                let x = f32::from_bits(upper << 16 | lower);
                assert_eq!(f32_to_f16(x).to_bits(), f16::from_f32(x).to_bits(), "{:#x}", x.to_bits());
            }
        }
    }

    /// Of a source that lies side by side, with gaps, or is one element, to a target side by side or with gaps.
    fn rows_convert<A: Value, B: Value>() {
        let samples = [-300.0, -1.5, 0.0, 0.5, 1.0, 3.0, 255.0, 40000.0f64];
        let from: Vec<A> = samples.iter().cycle().take(300).map(|x| x.to::<A>()).collect();
        let conversion = Conversion::between(A::DTYPE, B::DTYPE, "test").unwrap();
        for (step, gap) in [(1, 1), (2, 1), (0, 1), (1, 2), (0, 2)] {
            let n = 150;
            let mut to = vec![7.0.to::<B>(); 300];
            let (to_stride, from_stride) = ((gap * size_of::<B>()) as isize, (step * size_of::<A>()) as isize);
            // SAFETY: there are so many elements at these strides.
            unsafe { conversion.run(to.as_mut_ptr().cast(), to_stride, from.as_ptr().cast(), from_stride, n) };
            let want = |i: usize| {
                if i < n * gap && i.is_multiple_of(gap) { from[i / gap * step].to::<B>() } else { 7.0.to::<B>() }
            };
            let wrong = (0..300).find(|i| to[*i] != want(*i));
            assert_eq!(wrong, None, "{} to {} by {step} and {gap}", A::DTYPE, B::DTYPE);
        }
    }

    #[test]
    fn rows_convert_as_single_elements_do() {
        let all = || (0..64).filter_map(DType::from_number).filter(|d| has_elements(*d));
        assert!(all().count() >= 16);
        for from in all() {
            for to in all() {
                dispatch!(from, A => dispatch!(to, B => rows_convert::<A, B>(), _other => ()), _other => ());
            }
        }
    }

    #[test]
    fn conversions_are_the_machines() {
        assert_eq!(300i64.to::<u8>(), 44);
        assert_eq!((-1i8).to::<u64>(), u64::MAX);
        assert_eq!(f32::NAN.to::<i64>(), i64::MIN);
        assert_eq!(3e9f32.to::<u8>(), 0);
        assert_eq!((-1.5f32).to::<u8>(), 255);
        assert!(f64::NAN.to::<Bool>().get());
        assert_eq!(i64::MAX.to::<f32>(), 9.223372e18);
        assert_eq!(u64::MAX.to::<f64>(), 18446744073709551615.0);
        assert_eq!(Complex::new(2.5f32, 1.0).to::<i32>(), 2);
        assert_eq!(65504.0f64.to::<f16>().to::<Complex<f64>>(), Complex::new(65504.0, 0.0));
    }
}
