//! Work cut over the threads of one pool. How it is cut never changes a result: pieces are independent of each other, or their number and
//! bounds depend on the sizes alone.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, OnceLock};

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
    THREADS.store(n.clamp(1, 1024), Ordering::Relaxed);
}

/// The pool, made when it is first needed.
static POOL: LazyLock<Option<rayon::ThreadPool>> = LazyLock::new(|| {
    let n = threads().max(*MACHINE);
    // The calling thread works too.
    rayon::ThreadPoolBuilder::new()
        .num_threads(n.saturating_sub(1).max(1))
        .thread_name(|i| format!("sconce-{i}"))
        .build()
        .ok()
});

/// Calls `f` with consecutive ranges that together are `0..n`, on as many threads as are free. A range has at least `grain` elements (but for
/// the last), so that work below two grains stays on the calling thread.
///
/// `grain` is measured, not guessed: about 20 µs of work.
pub fn split(n: usize, grain: usize, f: impl Fn(Range<usize>) + Sync) {
    let grain = grain.max(1);
    let threads = threads();
    if threads < 2 || n < 2 * grain {
        if n > 0 {
            f(0..n);
        }
        return;
    }
    let Some(pool) = POOL.as_ref() else { return f(0..n) };
    // Several pieces a thread, so that a free thread takes the rest of one that was interrupted.
    let pieces = (n / grain).min(threads * 4);
    let size = n.div_ceil(pieces);
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let start = next.fetch_add(1, Ordering::Relaxed) * size;
            if start >= n {
                return;
            }
            f(start..n.min(start + size));
        }
    };
    pool.in_place_scope(|scope| {
        for _ in 1..threads.min(pieces) {
            scope.spawn(|_| work());
        }
        work();
    });
}

/// `f` of consecutive ranges of `0..n`, on several threads where there is work for them; the first error of the lowest range.
pub fn in_pieces<E: Send + Sync>(
    n: usize,
    grain: usize,
    f: impl Fn(Range<usize>) -> Result<(), E> + Sync,
) -> Result<(), E> {
    if n < 2 * grain {
        return f(0..n);
    }
    let failed: OnceLock<E> = OnceLock::new();
    split(n, grain, |range| {
        if let Err(e) = f(range) {
            // Every piece fails for the same reason, so it does not matter whose error is told.
            let _ = failed.set(e);
        }
    });
    failed.into_inner().map_or(Ok(()), Err)
}

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
}
