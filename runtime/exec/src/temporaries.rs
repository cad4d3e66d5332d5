//! Memory of one call of compiled code, taken before the code runs: what the code then allocates is there, counted, and within the limit.
//!
//! Compiled code has no way to say that it got no memory, and writes to what it gets without a look. So a call whose temporaries do not fit is not made: the
//! interpreter makes it, and says what does not fit. Threads that help with a loop take what they need for a part of it, some hundred KiB, from C's allocator.

use sconce_tensor::Storage;
use std::cell::RefCell;
use std::ffi::c_void;
use std::ops::Range;

/// What allocations waste at most, all together, for being aligned; more than that comes from C's allocator.
const SLACK: usize = 4096;

/// A piece of the memory, by address and length.
#[derive(Clone, Copy)]
struct Piece {
    at: usize,
    bytes: usize,
}

/// The memory that waits for one call on this thread.
struct Reserved {
    storage: Storage,
    /// Where what was never given begins.
    next: usize,
    end: usize,
    given: Vec<Piece>,
    returned: Vec<Piece>,
    /// What came from C's allocator.
    others: Vec<Piece>,
}

thread_local! {
    static RESERVED: RefCell<Vec<Reserved>> = const { RefCell::new(Vec::new()) };
}

impl Reserved {
    /// Memory of this alignment, a power of two.
    fn take(&mut self, alignment: usize, bytes: usize) -> Option<usize> {
        // What was returned serves equals, so that a loop finds its memory again.
        let fits = |piece: &Piece| piece.bytes == bytes && piece.at.is_multiple_of(alignment);
        let piece = match self.returned.iter().rposition(fits) {
            Some(i) => self.returned.swap_remove(i),
            None => {
                let at = self.next.checked_next_multiple_of(alignment)?;
                self.next = at.checked_add(bytes).filter(|end| *end <= self.end)?;
                Piece { at, bytes }
            }
        };
        self.given.push(piece);
        Some(piece.at)
    }

    /// Takes memory back; false when it is somebody else's.
    fn give_back(&mut self, at: usize) -> bool {
        let Some(i) = self.given.iter().rposition(|piece| piece.at == at) else { return false };
        let piece = self.given.swap_remove(i);
        if piece.at + piece.bytes == self.next {
            self.next = piece.at;
        } else {
            self.returned.push(piece);
        }
        true
    }
}

/// Memory for the temporaries of a call; dropped after it.
pub(crate) struct Temporaries(());

impl Temporaries {
    /// So many bytes for what compiled code allocates on this thread from here on; `None` when there are not so many, or the limit forbids them.
    pub(crate) fn reserve(bytes: i64) -> Option<Temporaries> {
        let bytes = usize::try_from(bytes).ok()?;
        let whole = if bytes == 0 { 0 } else { bytes.checked_add(SLACK)? };
        // SAFETY: memory of an allocator: compiled code writes what it reads.
        let storage = unsafe { Storage::uninit(whole) }?;
        let next = storage.data_ptr() as usize;
        let reserved =
            Reserved { storage, next, end: next + whole, given: Vec::new(), returned: Vec::new(), others: Vec::new() };
        RESERVED.with_borrow_mut(|calls| calls.push(reserved));
        Some(Temporaries(()))
    }
}

impl Drop for Temporaries {
    fn drop(&mut self) {
        RESERVED.with_borrow_mut(|calls| drop(calls.pop()));
    }
}

/// Whether these addresses are within what compiled code allocated in its call on this thread and did not free.
pub(crate) fn hold(touched: &Range<usize>) -> bool {
    let within = |piece: &Piece| piece.at <= touched.start && touched.end <= piece.at + piece.bytes;
    RESERVED.with_borrow(|calls| calls.last().is_some_and(|call| call.given.iter().chain(&call.others).any(within)))
}

/// What compiled code allocates by, in place of C's.
///
/// # Safety
/// As C's `aligned_alloc`.
pub unsafe extern "C" fn aligned_alloc(alignment: usize, size: usize) -> *mut c_void {
    unsafe extern "C" {
        #[link_name = "aligned_alloc"]
        fn allocate(alignment: usize, size: usize) -> *mut c_void;
    }
    let reserved = RESERVED.with_borrow_mut(|calls| {
        let call = calls.last_mut()?;
        let offset = call.take(alignment, size)? - call.storage.data_ptr() as usize;
        // Within the storage: `take` stays below its end.
        Some(call.storage.data_ptr().wrapping_add(offset))
    });
    if let Some(memory) = reserved {
        return memory.cast();
    }
    // SAFETY: the caller's promise.
    let memory = unsafe { allocate(alignment, size) };
    if memory.is_null() && size > 0 {
        // More than was counted, and then none of it: nothing that runs on could be right.
        std::process::abort();
    }
    RESERVED.with_borrow_mut(|calls| {
        if let Some(call) = calls.last_mut() {
            call.others.push(Piece { at: memory as usize, bytes: size });
        }
    });
    memory
}

/// What compiled code frees by, in place of C's.
///
/// # Safety
/// `memory` came from [`aligned_alloc`] in the same call, and is not used any more.
pub unsafe extern "C" fn free(memory: *mut c_void) {
    unsafe extern "C" {
        #[link_name = "free"]
        fn release(memory: *mut c_void);
    }
    let ours = RESERVED.with_borrow_mut(|calls| {
        let Some(call) = calls.last_mut() else { return false };
        call.others.retain(|piece| piece.at != memory as usize);
        call.give_back(memory as usize)
    });
    if !ours {
        // SAFETY: the caller's promise: it is C's.
        unsafe { release(memory) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_counted_is_there_and_comes_back() {
        assert!(Temporaries::reserve(-1).is_none());
        assert!(Temporaries::reserve(i64::MAX).is_none());
        let call = Temporaries::reserve(300).expect("memory");
        // SAFETY: as C's functions are used.
        unsafe {
            let a = aligned_alloc(64, 128);
            let b = aligned_alloc(64, 128);
            assert!(!a.is_null() && (b as usize) - (a as usize) == 128 && (a as usize).is_multiple_of(64));
            a.cast::<u8>().write_bytes(1, 128);
            free(a);
            assert_eq!(aligned_alloc(64, 128), a);
            free(b);
            assert_eq!(aligned_alloc(64, 64), b);
            // More than was counted comes from elsewhere.
            let large = aligned_alloc(64, 1 << 20);
            large.cast::<u8>().write_bytes(1, 1 << 20);
            free(large);
        }
        drop(call);
        RESERVED.with_borrow(|calls| assert!(calls.is_empty()));
    }
}
