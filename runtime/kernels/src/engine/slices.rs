//! Functions of scalar expressions as loops over slices of one length.

use crate::engine::vectorize::{vectorize, vectorize_widest};

/// `out[i] = f(a[i])`; both have one length.
pub type Map<T> = fn(&mut [T], &[T]);

/// `out[i] = f(a[i], b[i])`; all have one length.
pub type Zip<T> = fn(&mut [T], &[T], &[T]);

/// `out[i][j] = f(a[i][j], b)` in rows of a length: `b` is one element for each row (a column), or one row for all.
pub type ByRows<T> = fn(&mut [T], &[T], &[T], usize, bool);

/// `out[i] = if a[i] … b[i] { x[i] } else { y[i] }`; all have one length.
pub type Choose<T> = fn(&mut [T], &[T], &[T], &[T], &[T]);

/// `out[i] = f(a[i], x, y)` for two numbers; both slices have one length.
pub type Between<T> = fn(&mut [T], &[T], T, T);

/// How the loops of a type's functions are compiled.
#[derive(Clone, Copy)]
pub enum Loops {
    /// Also for the machine's widest vectors: they compute much with what they load.
    Widest,
    /// For vectors of 256 bits: they wait for memory.
    Wide,
    /// As they are: each element takes long, or calls a function.
    Plain,
}

impl Loops {
    #[inline(always)]
    fn run(self, f: impl FnOnce()) {
        match self {
            Loops::Widest => vectorize_widest(f),
            Loops::Wide => vectorize(f),
            Loops::Plain => f(),
        }
    }
}

/// Applies a function to each element.
#[inline(always)]
pub fn map<T: Copy>(loops: Loops, out: &mut [T], a: &[T], f: impl Fn(T) -> T) {
    loops.run(
        #[inline(always)]
        || {
            for (o, x) in out.iter_mut().zip(a) {
                *o = f(*x);
            }
        },
    );
}

/// Applies a function of two elements.
#[inline(always)]
pub fn zip<T: Copy>(loops: Loops, out: &mut [T], a: &[T], b: &[T], f: impl Fn(T, T) -> T) {
    loops.run(
        #[inline(always)]
        || {
            for ((o, x), y) in out.iter_mut().zip(a).zip(b) {
                *o = f(*x, *y);
            }
        },
    );
}

/// Applies a function of two elements, of which the second is broadcast over rows.
#[inline(always)]
pub fn by_rows<T: Copy>(out: &mut [T], a: &[T], b: &[T], (length, column): (usize, bool), f: impl Fn(T, T) -> T) {
    vectorize_widest(
        #[inline(always)]
        || {
            for (i, (out, a)) in out.chunks_exact_mut(length).zip(a.chunks_exact(length)).enumerate() {
                if column {
                    let y = b[i];
                    out.iter_mut().zip(a).for_each(|(o, x)| *o = f(*x, y));
                } else {
                    out.iter_mut().zip(a).zip(b).for_each(|((o, x), y)| *o = f(*x, *y));
                }
            }
        },
    );
}
