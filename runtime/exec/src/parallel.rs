//! Loops of compiled code whose iterations the threads of the pool share: what a thread keeps for the region that runs, each of them has while it works.

use crate::{calls, checks};
use sconce_kernels::parallel::split;
use std::sync::atomic::{AtomicBool, Ordering};

/// The name by which code has iterations `0..count` done: `void(i64 count, i64 grain, ptr part, ptr words)`.
pub const PARALLEL_FOR: &str = "sconce_parallel_for";

/// Compiled code that does some iterations of a loop: `words` are what it uses, then the first one and where they end.
type Part = unsafe extern "C" fn(*const u64, u64, u64);

/// What the code is given, for all threads to read.
struct Words(*const u64);
// SAFETY: nobody writes them while parts run, and `parallel_for` returns when all have.
unsafe impl Sync for Words {}

impl Words {
    fn address(&self) -> *const u64 {
        self.0
    }
}

/// What compiled code calls for a loop whose iterations may run at once; `grain` of them take about 20 microseconds.
///
/// # Safety
/// The code of a region runs on this thread, and `part` is a function of it that reads these words; iterations write nothing that others of them use.
pub(crate) unsafe extern "C" fn parallel_for(count: u64, grain: u64, part: Part, words: *const u64) {
    let words = Words(words);
    let (count, grain) = (count as usize, grain as usize);
    // SAFETY: the caller's promise.
    let run = |from: usize, to: usize| unsafe { part(words.address(), from as u64, to as u64) };
    // What watches accesses does so on the thread of the call.
    if checks::is_watching() {
        return run(0, count);
    }
    let Some(region) = calls::Region::current() else { return run(0, count) };
    let void = AtomicBool::new(false);
    split(count, grain, |range| {
        if !region.run(|| run(range.start, range.end)) {
            void.store(true, Ordering::Relaxed);
        }
    });
    if void.into_inner() {
        calls::refuse();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::RegionSpec;
    use sconce_interpreter::Fuel;
    use std::sync::atomic::AtomicU64;

    /// Adds the numbers of its iterations to what the first word points to, and refuses the one that is the second word.
    unsafe extern "C" fn add(words: *const u64, from: u64, to: u64) {
        // SAFETY: as the tests call it.
        let (sum, refused) = unsafe { (&*(*words as *const AtomicU64), *words.add(1)) };
        for i in from..to {
            sum.fetch_add(i, Ordering::Relaxed);
            if i == refused {
                calls::refuse();
            }
        }
    }

    #[test]
    fn all_iterations_run_once_and_one_refusal_makes_the_call_void() {
        sconce_kernels::parallel::set_threads(3);
        for (count, refused) in [(1000, u64::MAX), (1000, 999), (1000, 0), (0, 5)] {
            let sum = AtomicU64::new(0);
            let words = [&raw const sum as u64, refused];
            // SAFETY: `add` reads two words.
            let run = || unsafe { parallel_for(count, 1, add, words.as_ptr()) };
            let made = calls::running(&RegionSpec::default(), &Fuel::default(), run);
            assert_eq!((sum.into_inner(), made), (count * count.saturating_sub(1) / 2, refused >= count));
        }
    }
}
