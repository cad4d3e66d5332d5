//! What is done to results once they are complete: in the registers that they are summed in where a way has them there, else in place while they are near. The bits
//! are the same.

use sconce_parallel::simd::{Job, Real, Wide, run};

/// Results that are complete: rows of elements side by side, so far apart.
pub struct Done<E> {
    pub out: *mut E,
    pub out_row: usize,
    pub rows: usize,
    pub columns: usize,
}

/// What is done to results, by whoever computed them.
#[derive(Clone, Copy)]
pub enum Finish<'a, E> {
    Epilogue(Epilogue<E>),
    InPlace(&'a (dyn Fn(Done<E>) + Sync)),
}

/// Another tensor's elements are added, and the sums are kept between bounds, as [`Wide::clamp`] does.
#[derive(Clone, Copy)]
pub struct Epilogue<E> {
    pub added: Option<Added<E>>,
    pub low: E,
    pub high: E,
}

/// A tensor that lies as the result does, and where the result begins.
#[derive(Clone, Copy)]
pub struct Added<E> {
    pub other: *const E,
    pub result: *const E,
}

// SAFETY: pointers to numbers that are only read, or only compared.
unsafe impl<E: Send> Send for Added<E> {}
// SAFETY: as above.
unsafe impl<E: Sync> Sync for Added<E> {}

impl<E: Real> Epilogue<E> {
    /// One that changes nothing.
    pub fn none() -> Epilogue<E> {
        let [low, high] = unbounded();
        Epilogue { added: None, low, high }
    }

    /// Whether there are bounds.
    pub fn is_bounded(&self) -> bool {
        [self.low, self.high] != unbounded()
    }

    /// Of results that are for this place, no more than so many.
    ///
    /// # Safety
    /// What is added has elements there; the processor has this vector's features.
    #[inline(always)]
    pub(crate) unsafe fn of<W: Wide<E = E>>(&self, v: W, out: *const E, left: usize) -> W {
        // SAFETY: the caller's promise.
        unsafe {
            let sum = match self.added {
                Some(Added { other, result }) => {
                    let at = (out.addr() - result.addr()) / size_of::<E>();
                    v.add(W::load_left(other.add(at), left))
                }
                None => v,
            };
            sum.clamp(W::splat(self.low), W::splat(self.high))
        }
    }
}

impl<E: Real> Finish<'_, E> {
    /// Finishes results that lie in memory.
    pub(crate) fn run(&self, done: Done<E>) {
        match self {
            Finish::Epilogue(epilogue) => run(InMemory(*epilogue, done)),
            Finish::InPlace(f) => f(done),
        }
    }

    /// The bounds, where there is nothing else: results are kept between them in registers. What is added is not: the code for it, in every kind of tile, takes more
    /// room than it is worth.
    pub(crate) fn bounds(&self) -> Option<[E; 2]> {
        match self {
            Finish::Epilogue(Epilogue { added: None, low, high }) => Some([*low, *high]),
            Finish::Epilogue(_) | Finish::InPlace(_) => None,
        }
    }
}

/// No bounds.
pub(crate) fn unbounded<E: Real>() -> [E; 2] {
    [E::neg_infinity(), E::infinity()]
}

struct InMemory<E>(Epilogue<E>, Done<E>);

impl<E: Real> Job<E> for InMemory<E> {
    type Output = ();
    #[inline(always)]
    unsafe fn run<W: Wide<E = E>>(self) {
        let InMemory(epilogue, Done { out, out_row, rows, columns }) = self;
        for row in 0..rows {
            for c in (0..columns).step_by(W::N) {
                let left = columns - c;
                // SAFETY: whoever computed the results has these.
                unsafe {
                    let at = out.add(row * out_row + c);
                    epilogue.of(W::load_left(at, left), at, left).store_left(at, left);
                }
            }
        }
    }
}
