//! Memory of temporaries waits for the thread's next planned run: while somebody holds [`Run`], storages are made of blocks that earlier runs gave up, and a
//! run that does what the last one did asks the system for nothing.
//!
//! Blocks wait by their exact capacity, so that there are never more of one capacity than were in use at once; those that a few runs did not want are freed.

use std::cell::RefCell;
use std::ptr::NonNull;

/// Runs after which a block that nobody wanted is freed.
const PATIENCE: u64 = 4;

/// A block that waits.
struct Kept {
    block: NonNull<u8>,
    capacity: usize,
    /// The run in which it was given up.
    since: u64,
}

struct Reserve {
    kept: Vec<Kept>,
    /// Guards that are held.
    depth: u32,
    runs: u64,
    /// Blocks that this thread made and did not get back yet. One that was made elsewhere does not stay here.
    lent: usize,
}

thread_local! {
    static RESERVE: RefCell<Reserve> = const { RefCell::new(Reserve { kept: Vec::new(), depth: 0, runs: 0, lent: 0 }) };
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

/// A planned run on this thread.
pub struct Run(std::marker::PhantomData<*const ()>);

impl Run {
    pub fn begin() -> Run {
        let _ = RESERVE.try_with(|r| r.borrow_mut().depth += 1);
        Run(std::marker::PhantomData)
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        let _ = RESERVE.try_with(|reserve| {
            let mut reserve = reserve.borrow_mut();
            reserve.depth -= 1;
            if reserve.depth > 0 {
                return;
            }
            reserve.runs += 1;
            let runs = reserve.runs;
            let mut at = 0;
            while at < reserve.kept.len() {
                if reserve.kept[at].since + PATIENCE < runs {
                    reserve.kept.swap_remove(at).free();
                } else {
                    at += 1;
                }
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
        if reserve.depth == 0 {
            return Source::Apart;
        }
        reserve.lent += 1;
        let capacity = capacity(bytes);
        // The last given up is the likeliest to be in the processor's cache.
        match reserve.kept.iter().rposition(|k| k.capacity == capacity) {
            Some(at) => Source::Kept(reserve.kept.swap_remove(at).block, capacity),
            None => Source::New(capacity),
        }
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
        let since = reserve.runs;
        reserve.kept.push(Kept { block, capacity, since });
        true
    });
    kept.unwrap_or(false)
}

/// Frees what waits on this thread: memory is short.
pub(crate) fn release() -> bool {
    let waiting = RESERVE.try_with(|r| std::mem::take(&mut r.borrow_mut().kept)).unwrap_or_default();
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
