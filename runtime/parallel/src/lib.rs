//! What computations use of the machine, whatever they compute: the threads of one pool, vectors as wide as the processor has ([`simd`], [`vectorize`]) and
//! buffers that come back ([`scratch`]). None of it changes a result.
//!
//! How work is cut over threads never shows: pieces are independent of each other, or their number and bounds depend on the sizes alone.
//!
//! A worker that has nothing to do looks for work for a while before it sleeps, since the next operator comes within microseconds and waking a thread takes longer
//! than many operators do. Each thread begins with a part of its own, the same of every operator as large, so that what one wrote its core still has; who is done
//! takes pieces of the others. Who finds the pool at work, inside of a piece or on another thread, works alone and waits for nobody.

pub mod peak;
pub mod rows;
pub mod scratch;
pub mod simd;
pub mod vectorize;

use smallvec::SmallVec;
use std::any::Any;
use std::cell::UnsafeCell;
use std::hint::spin_loop;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex, OnceLock, PoisonError};
use std::thread::Thread;
use std::time::{Duration, Instant};

/// 0 until somebody asks or sets it.
static THREADS: AtomicUsize = AtomicUsize::new(0);

/// Threads that this process may run at once; to find out, files of the system are read.
static MACHINE: LazyLock<usize> = LazyLock::new(|| std::thread::available_parallelism().map_or(1, usize::from));

/// Threads that one operator may use, the calling one included (`torch.get_num_threads`): as many as the process may run at once, unless set.
pub fn threads() -> usize {
    match THREADS.load(Ordering::Relaxed) {
        0 => {
            THREADS.store(*MACHINE, Ordering::Relaxed);
            *MACHINE
        }
        n => n,
    }
}

/// Sets the number of threads that one operator may use (`torch.set_num_threads`); at least one. The pool does not grow once it is in use.
pub fn set_threads(n: usize) {
    THREADS.store(n.clamp(1, MOST), Ordering::Relaxed);
}

/// Threads that there are at most.
pub const MOST: usize = 1024;

/// How long a worker looks for work before it sleeps: longer than the steps between two operators that are cut, or than an operator that is not.
const AWAKE: Duration = Duration::from_micros(150);

/// What a grain is divided by: to share work with workers that look for it takes a microsecond, and pays from pieces of two or three.
const AWAKE_DIVISOR: usize = 8;

/// The same while workers sleep: to wake one takes the caller several microseconds, and it comes late.
const ASLEEP_DIVISOR: usize = 2;

/// Looks at the clock once in so many turns.
const TURNS: u32 = 64;

/// Pieces a thread, so that a free one takes the rest of one that was interrupted.
const PIECES: usize = 4;

/// Pieces of one call, as all who work on it see them.
struct Work<'f> {
    run: &'f (dyn Fn(Range<usize>) + Sync),
    n: usize,
    /// Elements of a piece, but for the last.
    size: usize,
    /// The next piece of each thread's part, and where the part ends.
    parts: SmallVec<[(AtomicUsize, usize); 8]>,
}

impl Work<'_> {
    /// Works until nothing is left: on the part of this thread, then on the others'.
    fn take(&self, who: usize) {
        let parts = self.parts.len();
        for part in (0..parts).map(|i| (who + i) % parts) {
            let (next, end) = &self.parts[part];
            while next.load(Ordering::Relaxed) < *end {
                let piece = next.fetch_add(1, Ordering::Relaxed);
                if piece >= *end {
                    break;
                }
                let start = piece * self.size;
                (self.run)(start..self.n.min(start + self.size));
            }
        }
    }
}

/// In `Pool::state`: workers may come in. The other bits count those who are inside.
const OPEN: usize = 1 << (usize::BITS - 1);

struct Pool {
    /// Somebody's work is in hand.
    busy: AtomicBool,
    /// That work; written by who made the pool busy while nobody is inside.
    work: UnsafeCell<Option<Work<'static>>>,
    state: AtomicUsize,
    /// Another number for each work.
    epoch: AtomicU32,
    /// How many workers sleep, or are about to.
    asleep: AtomicUsize,
    workers: OnceLock<Vec<Thread>>,
    /// What a worker's piece panicked with.
    panicked: Mutex<Option<Box<dyn Any + Send>>>,
}

// SAFETY: `work` is written by who set `busy`, before OPEN is stored and after nobody is inside any more; it is read by who came in while it was open.
unsafe impl Sync for Pool {}

static POOL: Pool = Pool {
    busy: AtomicBool::new(false),
    work: UnsafeCell::new(None),
    state: AtomicUsize::new(0),
    epoch: AtomicU32::new(0),
    asleep: AtomicUsize::new(0),
    workers: OnceLock::new(),
    panicked: Mutex::new(None),
};

impl Pool {
    /// The workers, begun when they are first needed. A process that may have no more threads has fewer.
    fn workers(&'static self) -> &'static [Thread] {
        self.workers.get_or_init(|| {
            let wanted = threads().max(*MACHINE).min(MOST) - 1;
            let begin = |i: usize| {
                let named = std::thread::Builder::new().name(format!("sconce-{i}"));
                named.spawn(move || POOL.serve(i + 1)).ok().map(|handle| handle.thread().clone())
            };
            (0..wanted).map_while(begin).collect()
        })
    }

    /// What the grain of an operator is divided by now.
    fn divisor(&self) -> usize {
        if self.asleep.load(Ordering::Relaxed) > 0 { ASLEEP_DIVISOR } else { AWAKE_DIVISOR }
    }

    /// What a worker does, for as long as the process lives.
    fn serve(&self, who: usize) {
        let mut seen = 0;
        loop {
            seen = self.wait(seen);
            if !self.enter() {
                continue;
            }
            // SAFETY: inside, so that the work is there until this leaves.
            if let Some(work) = unsafe { &*self.work.get() }
                && who < work.parts.len()
                && let Err(panic) = catch_unwind(AssertUnwindSafe(|| work.take(who)))
            {
                *self.panicked.lock().unwrap_or_else(PoisonError::into_inner) = Some(panic);
            }
            self.state.fetch_sub(1, Ordering::Release);
        }
    }

    /// Until there is another work than the one that was seen: awake at first, then asleep.
    fn wait(&self, seen: u32) -> u32 {
        let mut since = None;
        loop {
            for _ in 0..TURNS {
                let epoch = self.epoch.load(Ordering::Acquire);
                if epoch != seen {
                    return epoch;
                }
                spin_loop();
            }
            let began = *since.get_or_insert_with(Instant::now);
            if began.elapsed() < AWAKE {
                continue;
            }
            self.asleep.fetch_add(1, Ordering::SeqCst);
            // Who has begun a work since sees that this one is asleep, or this one sees the work.
            while self.epoch.load(Ordering::SeqCst) == seen {
                std::thread::park();
            }
            self.asleep.fetch_sub(1, Ordering::SeqCst);
            since = None;
        }
    }

    /// Comes in, if it is open.
    fn enter(&self) -> bool {
        let inside = |state: usize| (state & OPEN != 0).then_some(state + 1);
        self.state.fetch_update(Ordering::Acquire, Ordering::Relaxed, inside).is_ok()
    }

    /// Has the pool do a work together with this thread; false if it is busy.
    fn share(&'static self, work: Work<'_>) -> bool {
        if self.busy.swap(true, Ordering::Acquire) {
            return false;
        }
        // SAFETY: `Shared` waits until nobody is inside before what the work borrows ends.
        let work = unsafe { std::mem::transmute::<Work<'_>, Work<'static>>(work) };
        // SAFETY: nobody is inside, and who made the pool busy is this thread.
        unsafe { *self.work.get() = Some(work) };
        *self.panicked.lock().unwrap_or_else(PoisonError::into_inner) = None;
        let shared = Shared(self);
        self.state.store(OPEN, Ordering::Release);
        self.epoch.fetch_add(1, Ordering::SeqCst);
        if self.asleep.load(Ordering::SeqCst) > 0 {
            self.workers().iter().for_each(Thread::unpark);
        }
        // SAFETY: it was written above, and is only read until nobody is inside.
        if let Some(work) = unsafe { &*self.work.get() } {
            work.take(0);
        }
        drop(shared);
        let panic = self.panicked.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
        true
    }
}

/// A work in hand: dropped, it is closed, and nobody is inside any more.
struct Shared(&'static Pool);

impl Drop for Shared {
    fn drop(&mut self) {
        let pool = self.0;
        pool.state.fetch_and(!OPEN, Ordering::Relaxed);
        let mut turns = 0u32;
        while pool.state.load(Ordering::Acquire) != 0 {
            // Who is inside may wait for a processor.
            turns += 1;
            if turns < 1 << 12 { spin_loop() } else { std::thread::yield_now() }
        }
        // SAFETY: nobody is inside, and nobody comes in.
        unsafe { *pool.work.get() = None };
        pool.busy.store(false, Ordering::Release);
    }
}

/// Calls `f` with consecutive ranges that together are `0..n`, on as many threads as are free. `grain` is how many elements take about 20 µs, measured and not
/// guessed; a range (but for the last) has at least an eighth of them, or half while the workers sleep, and work below two ranges stays on the calling thread.
pub fn split(n: usize, grain: usize, f: impl Fn(Range<usize>) + Sync) {
    let threads = threads();
    let grain = (grain / if threads > 1 { POOL.divisor() } else { 1 }).max(1);
    if threads < 2 || n < 2 * grain {
        if n > 0 {
            f(0..n);
        }
        return;
    }
    let threads = threads.min(POOL.workers().len() + 1).min(n / grain);
    if threads < 2 {
        return f(0..n);
    }
    let pieces = (n / grain).min(threads * PIECES);
    let size = n.div_ceil(pieces);
    let pieces = n.div_ceil(size);
    let parts = (0..threads).map(|t| (AtomicUsize::new(t * pieces / threads), (t + 1) * pieces / threads)).collect();
    if !POOL.share(Work { run: &f, n, size, parts }) {
        f(0..n);
    }
}

/// `f` of consecutive ranges of `0..n`, on several threads where there is work for them; the first error of the lowest range.
pub fn in_pieces<E: Send + Sync>(
    n: usize,
    grain: usize,
    f: impl Fn(Range<usize>) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let failed: OnceLock<E> = OnceLock::new();
    split(n, grain, |range| {
        if let Err(e) = f(range) {
            // Every piece fails for the same reason, so it does not matter whose error is told.
            let _ = failed.set(e);
        }
    });
    failed.into_inner().map_or(Ok(()), Err)
}

/// A pointer whose parts threads write apart.
pub struct Sendable<E>(pub *mut E);
// SAFETY: whoever makes one sees to it that threads write different elements.
unsafe impl<E: Send> Sync for Sendable<E> {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn ranges_are_the_whole_once() {
        for (n, grain) in [(0, 1), (1, 1), (7, 3), (1000, 1), (1001, 10), (5, 100)] {
            let seen = Mutex::new(vec![0u8; n]);
            split(n, grain, |range| range.for_each(|i| seen.lock().unwrap()[i] += 1));
            assert!(seen.into_inner().unwrap().iter().all(|c| *c == 1), "{n} by {grain}");
        }
    }

    #[test]
    fn pieces_inside_of_pieces_run_where_they_are_called() {
        set_threads(4);
        let sum = AtomicUsize::new(0);
        split(64, 1, |range| {
            for _ in range {
                split(100, 1, |inner| _ = sum.fetch_add(inner.len(), Ordering::Relaxed));
            }
        });
        assert_eq!(sum.into_inner(), 6400);
    }

    #[test]
    fn many_callers_at_once_and_pauses_between_get_all_their_work() {
        set_threads(3);
        std::thread::scope(|scope| {
            for caller in 0..4usize {
                scope.spawn(move || {
                    for turn in 0..300usize {
                        let n = 1 + (turn * 37 + caller) % 500;
                        let seen: Vec<AtomicUsize> = (0..n).map(|_| AtomicUsize::new(0)).collect();
                        split(n, 1 + turn % 7, |range| range.for_each(|i| _ = seen[i].fetch_add(1, Ordering::Relaxed)));
                        assert!(seen.iter().all(|c| c.load(Ordering::Relaxed) == 1));
                        if turn % 100 == 99 {
                            // Longer than workers stay awake.
                            std::thread::sleep(4 * AWAKE);
                        }
                    }
                });
            }
        });
    }

    #[test]
    fn a_panic_in_a_piece_is_the_callers() {
        set_threads(2);
        let run = || split(16, 1, |range| assert!(!range.contains(&13), "thirteen"));
        assert!(catch_unwind(run).is_err());
        let count = AtomicUsize::new(0);
        split(16, 1, |range| _ = count.fetch_add(range.len(), Ordering::Relaxed));
        assert_eq!(count.into_inner(), 16);
    }
}
