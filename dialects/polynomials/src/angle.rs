//! sin, cos and tan of every angle, and their inverses. All are computed in 64 bits and rounded once.

use crate::coefficients as c;
use crate::number::{Bits, Number, Single, Truth};
use crate::steps::{nearest, polynomial};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// Below it 2/π needs no other bits than its first.
pub const SMALL_ANGLE: f64 = 4194304.0;

/// 2/π without the bits that make multiples of four right angles of numbers that are at least `1 / FROM` of [`PIECES`]: two numbers for each range of
/// exponents, which follow each other without a gap.
struct Piece {
    from: f64,
    high: f64,
    low: f64,
}

/// The bits of 2/π behind the point.
const TWO_OVER_PI: [u32; 8] =
    [0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561];

/// The number that bits `from..from + 53` of 2/π are, counted from the point.
const fn bits_of_two_over_pi(from: u32) -> f64 {
    let (mut k, mut sum, mut bit) = (from, 0u64, 0u32);
    while bit < 53 {
        let one = if k < 256 { TWO_OVER_PI[(k / 32) as usize] >> (31 - k % 32) & 1 } else { 0 };
        sum = sum << 1 | one as u64;
        (k, bit) = (k + 1, bit + 1);
    }
    // The last bit has the value 2^-(from + 53).
    sum as f64 * f64::from_bits((1023 - (from + 53) as u64) << 52)
}

/// For numbers from `2^exponent`: with 24 bits their last has the value `2^(exponent - 23)`, so bits of 2/π before `exponent - 25` make multiples of 4.
const fn piece(exponent: u32) -> Piece {
    let first = exponent.saturating_sub(25);
    let from = f64::from_bits((1023 + exponent as u64) << 52);
    Piece { from, high: bits_of_two_over_pi(first), low: bits_of_two_over_pi(first + 53) }
}

const PIECES: [Piece; 6] = [piece(0), piece(22), piece(44), piece(66), piece(88), piece(110)];

/// What is left of an angle less right angles, as part of one, and their number in the low bits.
#[inline(always)]
fn right_angles<W: Number>(x: W, small: bool) -> (W, W::Bits) {
    let mut high = x.constant(PIECES[0].high);
    let mut low = x.constant(PIECES[0].low);
    if !small {
        let a = x.abs();
        for piece in &PIECES[1..] {
            let beyond = x.constant(piece.from).at_most(a);
            high = W::choose(beyond, x.constant(piece.high), high);
            low = W::choose(beyond, x.constant(piece.low), low);
        }
    }
    let product = x * high;
    let lost = x.mul_add(low, x.mul_add(high, -product));
    let (sum, n) = nearest(product);
    ((product - n) + lost, sum.bits())
}

#[inline(always)]
fn sine<W: Number>(f: W) -> W {
    f * polynomial(f * f, &c::SINE)
}

#[inline(always)]
fn cosine<W: Number>(f: W) -> W {
    polynomial(f * f, &c::COSINE)
}

/// The sign of `x` turned where bit 1 of `n` is set.
#[inline(always)]
fn turned<W: Number>(x: W, n: W::Bits) -> W {
    let sign = n.and(n.constant(2)).shift_left(W::FRACTION + if W::FRACTION == 52 { 10 } else { 7 });
    W::of_bits(x.bits().xor(sign))
}

#[inline(always)]
fn sin_of<T: Single>(x: T, small: bool) -> T {
    let (f, n) = right_angles(x.wide(), small);
    let y = turned(T::Wide::choose(T::Wide::lacks(n, 1), sine(f), cosine(f)), n);
    T::choose(x.equal(x.constant(0.0)), x, T::of_wide(y))
}

#[inline(always)]
fn cos_of<T: Single>(x: T, small: bool) -> T {
    let (f, n) = right_angles(x.wide(), small);
    let y = T::Wide::choose(T::Wide::lacks(n, 1), cosine(f), sine(f));
    T::of_wide(turned(y, n.add(n.constant(1))))
}

#[inline(always)]
fn tan_of<T: Single>(x: T, small: bool) -> T {
    let (f, n) = right_angles(x.wide(), small);
    let (s, c) = (sine(f), cosine(f));
    let even = T::Wide::lacks(n, 1);
    let y = T::Wide::choose(even, s, -c) / T::Wide::choose(even, c, s);
    T::choose(x.equal(x.constant(0.0)), x, T::of_wide(y))
}

/// A function of every angle, and the same for those below [`SMALL_ANGLE`], in fewer steps and the same bits.
macro_rules! angles {
    ($($name:ident, $small:ident, $of:ident;)*) => { $(
        #[inline(always)]
        pub fn $name<T: Single>(x: T) -> T {
            $of(x, false)
        }
        #[inline(always)]
        pub fn $small<T: Single>(x: T) -> T {
            $of(x, true)
        }
    )* };
}
angles! {
    sin, sin_small, sin_of;
    cos, cos_small, cos_of;
    tan, tan_small, tan_of;
}

/// The angle whose tangent is the quotient of two numbers that are not negative, of which the first is not the larger one.
#[inline(always)]
fn small_arc<W: Number>(less: W, more: W) -> W {
    // From the tangent of π/8 on it is π/4 less that of another quotient.
    let far = (more * more.constant(0.41421356237309503)).less(less);
    let above = W::choose(far, less - more, less);
    let below = W::choose(far, less + more, more);
    let t = above / below;
    let v = t * t;
    let y = (t * v).mul_add(polynomial(v, &c::ATAN), t);
    W::choose(far, y + y.constant(FRAC_PI_4), y)
}

#[inline(always)]
pub fn atan<T: Single>(x: T) -> T {
    let a = x.abs().wide();
    let one = a.constant(1.0);
    let steep = one.less(a);
    let y = small_arc(W::<T>::choose(steep, one, a), W::<T>::choose(steep, a, one));
    T::of_wide(W::<T>::choose(steep, y.constant(FRAC_PI_2) - y, y)).copysign(x)
}

type W<T> = <T as Single>::Wide;

/// The angle of the point (x, y).
#[inline(always)]
pub fn atan2<T: Single>(y: T, x: T) -> T {
    let (a, b) = (x.abs().wide(), y.abs().wide());
    let (zero, one) = (a.constant(0.0), a.constant(1.0));
    let steep = a.less(b);
    // Two infinities are as far away as two ones; of two zeros the angle is that of (1, 0).
    let both = a.equal(b).and(a.equal(a.constant(f64::INFINITY)));
    let less = W::<T>::choose(both, one, W::<T>::choose(steep, a, b));
    let more = W::<T>::choose(both.or(a.equal(zero).and(b.equal(zero))), one, W::<T>::choose(steep, b, a));
    let arc = small_arc(less, more);
    let arc = W::<T>::choose(steep, arc.constant(FRAC_PI_2) - arc, arc);
    // Left by the sign bit, which zeros also have.
    let left = x.constant(1.0).copysign(x).less(x.constant(0.0));
    let arc = W::<T>::choose(left, arc.constant(PI) - arc, arc);
    // NaN of either: comparisons have left it out where it was only chosen from.
    let arc = T::of_wide(arc).copysign(y);
    T::choose(x.equal(x), T::choose(y.equal(y), arc, y), x)
}

/// `asin` of a number between 0 and a half.
#[inline(always)]
fn small_asin<W: Number>(x: W) -> W {
    let v = x * x;
    (x * v).mul_add(polynomial(v, &c::ASIN), x)
}

/// Whether `a` is above a half, and the arcsine of it or of the root of half of what it lacks to 1.
#[inline(always)]
fn asin_part<W: Number>(a: W) -> (W::Truth, W) {
    let half = a.constant(0.5);
    let far = half.less(a);
    let root = (half - half * a).sqrt();
    (far, small_asin(W::choose(far, root, a)))
}

#[inline(always)]
pub fn asin<T: Single>(x: T) -> T {
    let (far, y) = asin_part(x.abs().wide());
    T::of_wide(W::<T>::choose(far, y.constant(FRAC_PI_2) - (y + y), y)).copysign(x)
}

#[inline(always)]
pub fn acos<T: Single>(x: T) -> T {
    let wide = x.wide();
    let (far, y) = asin_part(wide.abs());
    let negative = wide.less(wide.constant(0.0));
    let near = y.constant(FRAC_PI_2) - W::<T>::choose(negative, -y, y);
    let twice = y + y;
    T::of_wide(W::<T>::choose(far, W::<T>::choose(negative, y.constant(PI) - twice, twice), near))
}
