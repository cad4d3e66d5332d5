//! Memory of temporaries waits for the thread's next run: while somebody holds [`Run`], storages are made of blocks that were given up before, and a run that does
//! what the last one did asks the system for nothing. Pages that the system takes back are the dearest part of a temporary: each costs a fault when it comes again.
//!
//! In a planned run blocks wait by their exact capacity, so that there are never more of one capacity than were in use at once. Any other takes the smallest that is
//! not twice as large as it needs, and what waits for it is no more than twice what was in use at once. Blocks that a few runs did not want are freed.

use std::cell::RefCell;
use std::ptr::NonNull;

/// Runs after which a block that nobody wanted is freed.
const PATIENCE: u64 = 4;

/// Bytes of the smallest block that waits for a run whose storages come in any order and number: smaller ones the system's allocator keeps itself.
const LARGE: usize = 32 << 10;

/// A block that waits.
struct Kept {
    block: NonNull<u8>,
    capacity: usize,
    /// The run in which it was given up.
    since: u64,
}

struct Reserve {
    kept: Vec<Kept>,
    /// Bytes of all that wait.
    waiting: usize,
    /// Bytes of the smallest storage that is made of a block that waits; none is while no run is on.
    least: usize,
    /// The last run was a planned one.
    planned: bool,
    /// Guards that are held.
    depth: u32,
    runs: u64,
    /// Blocks that this thread made and did not get back yet. One that was made elsewhere does not stay here.
    lent: usize,
    /// Their bytes, and the most that they have been.
    lent_bytes: usize,
    most_bytes: usize,
}

thread_local! {
    static RESERVE: RefCell<Reserve> = const {
        RefCell::new(Reserve {
            kept: Vec::new(),
            waiting: 0,
            least: usize::MAX,
            planned: false,
            depth: 0,
            runs: 0,
            lent: 0,
            lent_bytes: 0,
            most_bytes: 0,
        })
    };
}

impl Drop for Reserve {
    fn drop(&mut self) {
        self.kept.drain(..).for_each(Kept::free);
    }
}

impl Kept {
    fn free(self) {
        // SAFETY: it was made with this capacity and given up by its last holder.
        unsafe { crate::storage::free_block(self.block, self.capacity) }
    }
}

impl Reserve {
    /// A block that waits for this capacity. The last given up is the likeliest to be in the processor's cache.
    fn fitting(&self, capacity: usize) -> Option<usize> {
        let exact = self.kept.iter().rposition(|k| k.capacity == capacity);
        if exact.is_some() || self.least == 0 {
            return exact;
        }
        let large = |(_, k): &(usize, &Kept)| (capacity..2 * capacity).contains(&k.capacity);
        self.kept.iter().enumerate().filter(large).min_by_key(|(_, k)| k.capacity).map(|(at, _)| at)
    }

    /// Takes out a block that waits.
    fn take(&mut self, at: usize) -> Kept {
        // The others stay in the order in which they were given up.
        let kept = self.kept.remove(at);
        self.waiting -= kept.capacity;
        kept
    }
}

/// A run on this thread.
pub struct Run {
    /// What was so before it began.
    least: usize,
    /// It is this thread's.
    thread: std::marker::PhantomData<*const ()>,
}

impl Run {
    /// A run that makes the same storages as the one before it: blocks of every size wait.
    pub fn begin() -> Run {
        Run::from(0)
    }

    /// A run that makes whatever it comes to: only large blocks wait.
    pub fn interpreted() -> Run {
        Run::from(LARGE)
    }

    fn from(bytes: usize) -> Run {
        let begun = RESERVE.try_with(|reserve| {
            let mut reserve = reserve.borrow_mut();
            reserve.depth += 1;
            reserve.planned = bytes == 0;
            let least = reserve.least.min(bytes);
            std::mem::replace(&mut reserve.least, least)
        });
        Run { least: begun.unwrap_or(usize::MAX), thread: std::marker::PhantomData }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        let _ = RESERVE.try_with(|reserve| {
            let mut reserve = reserve.borrow_mut();
            reserve.depth -= 1;
            reserve.least = self.least;
            if reserve.depth > 0 {
                return;
            }
            reserve.runs += 1;
            let runs = reserve.runs;
            // The oldest come first.
            while reserve.kept.first().is_some_and(|k| k.since + PATIENCE < runs) {
                reserve.take(0).free();
            }
            if reserve.kept.is_empty() {
                reserve.most_bytes = reserve.lent_bytes;
            }
        });
    }
}

/// What a storage of so many bytes is given: few different capacities, so that sizes which change a little find each other's blocks.
fn capacity(bytes: usize) -> usize {
    let step = if bytes <= 1024 { 64 } else { (bytes.next_power_of_two() / 16).max(64) };
    bytes.checked_next_multiple_of(step).unwrap_or(bytes)
}

/// How a storage is to be made.
pub(crate) enum Source {
    /// By itself: no run is planned here.
    Apart,
    /// Of a waiting block.
    Kept(NonNull<u8>, usize),
    /// Anew with this capacity; it will wait when it is given up.
    New(usize),
}

pub(crate) fn source(bytes: usize) -> Source {
    let found = RESERVE.try_with(|reserve| {
        let mut reserve = reserve.borrow_mut();
        if bytes < reserve.least {
            return Source::Apart;
        }
        let capacity = capacity(bytes);
        let kept = reserve.fitting(capacity).map(|at| reserve.take(at));
        let given = kept.as_ref().map_or(capacity, |k| k.capacity);
        reserve.lent += 1;
        reserve.lent_bytes = reserve.lent_bytes.saturating_add(given);
        reserve.most_bytes = reserve.most_bytes.max(reserve.lent_bytes);
        kept.map_or(Source::New(capacity), |k| Source::Kept(k.block, k.capacity))
    });
    // While a thread ends its own cells may be gone.
    found.unwrap_or(Source::Apart)
}

/// Keeps a block that nobody holds any more; false when it does not belong to this thread.
pub(crate) fn keep(block: NonNull<u8>, capacity: usize) -> bool {
    let kept = RESERVE.try_with(|reserve| {
        let Ok(mut reserve) = reserve.try_borrow_mut() else { return false };
        if reserve.lent == 0 {
            return false;
        }
        reserve.lent -= 1;
        reserve.lent_bytes = reserve.lent_bytes.saturating_sub(capacity);
        let since = reserve.runs;
        reserve.kept.push(Kept { block, capacity, since });
        reserve.waiting += capacity;
        while !reserve.planned && reserve.waiting / 2 > reserve.most_bytes && !reserve.kept.is_empty() {
            reserve.take(0).free();
        }
        true
    });
    kept.unwrap_or(false)
}

/// Frees what waits on this thread: memory is short.
pub(crate) fn release() -> bool {
    let waiting = RESERVE.try_with(|reserve| {
        let mut reserve = reserve.borrow_mut();
        reserve.waiting = 0;
        std::mem::take(&mut reserve.kept)
    });
    let waiting = waiting.unwrap_or_default();
    let any = !waiting.is_empty();
    waiting.into_iter().for_each(Kept::free);
    any
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Storage;

    #[test]
    fn blocks_of_a_run_serve_the_next_and_go_when_they_are_not_wanted() {
        let one = || {
            let _run = Run::begin();
            let small = Storage::zeroed(100).unwrap();
            // SAFETY: nobody reads it.
            let large = unsafe { Storage::uninit(100_000) }.unwrap();
            (small.data_ptr() as usize, large.data_ptr() as usize)
        };
        let first = one();
        assert_eq!((one(), one()), (first, first));
        // A result leaves the run and comes back later.
        let run = Run::begin();
        let kept = Storage::zeroed(100).unwrap();
        assert_eq!((kept.data_ptr() as usize, kept.bytes()), (first.0, 100));
        drop(run);
        assert_ne!(one().0, first.0);
        drop(kept);
        let waiting = || RESERVE.with_borrow(|r| r.kept.len());
        assert!(waiting() >= 3);
        (0..=PATIENCE + 1).for_each(|_| drop(Run::begin()));
        assert_eq!(waiting(), 0);
        // A run whose storages come in any order keeps large ones, for those that are somewhat smaller too.
        let run = Run::interpreted();
        let (small, large) = (Storage::zeroed(100).unwrap(), Storage::zeroed(1 << 20).unwrap());
        let place = large.data_ptr() as usize;
        drop((small, large));
        assert_eq!(waiting(), 1);
        let less = Storage::zeroed(900_000).unwrap();
        assert_eq!((less.data_ptr() as usize, less.bytes()), (place, 900_000));
        let little = Storage::zeroed(100_000).unwrap();
        drop((less, little));
        assert_eq!(waiting(), 2);
        // No more waits than twice what was in use.
        for bytes in (1..100).map(|n| n << 20) {
            drop(Storage::zeroed(bytes).unwrap());
            RESERVE.with_borrow(|r| assert!(r.waiting <= 2 * r.most_bytes + 1));
        }
        drop(run);
        (0..=PATIENCE + 1).for_each(|_| drop(Run::interpreted()));
        assert_eq!(waiting(), 0);
        // What another thread gives up does not stay there.
        let run = Run::begin();
        let given = Storage::zeroed(100).unwrap();
        drop(run);
        std::thread::spawn(move || {
            drop(given);
            RESERVE.with_borrow(|r| assert!(r.kept.is_empty()));
        })
        .join()
        .unwrap();
    }
}
