//! The bytes that one or more tensors view: aligned, zeroed when made, freed with the last view, and possibly a mapped file's.

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};
use std::any::Any;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Allocations start on a cache line, which is also the widest vector's alignment.
const ALIGNMENT: usize = 64;

/// A counted block of bytes. Clones are the same block.
#[derive(Clone)]
pub struct Storage(Arc<Block>);

struct Block {
    data: NonNull<u8>,
    bytes: usize,
    owner: Owner,
    /// Whether a tensor over it may be given more elements than fit (`resize_`, `out=`).
    resizable: AtomicBool,
}

enum Owner {
    Allocated,
    /// Kept alive for the block's lifetime: a mapped file, a caller's buffer.
    Borrowed(#[allow(dead_code, reason = "held for its Drop")] Box<dyn Any + Send + Sync>),
}

// SAFETY: a block is plain memory. As in PyTorch, who writes to a tensor while another thread reads it has made a race of the program's own;
// the interpreter hands one tensor to two threads only where the program forks.
unsafe impl Send for Block {}
// SAFETY: as above.
unsafe impl Sync for Block {}

/// Bytes of all storages of this process, and how many they may be.
static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);

/// The memory that tensors of this process hold. A program that wants more than the limit gets an error instead of the process's end.
pub struct Memory;

impl Memory {
    /// Bytes that all storages together may have from now on.
    pub fn set_limit(bytes: usize) {
        LIMIT.store(bytes, Ordering::Relaxed);
    }
    /// Bytes of all storages that live.
    pub fn live() -> usize {
        LIVE.load(Ordering::Relaxed)
    }
    /// The most that lived at once since the last [`Memory::reset_peak`].
    pub fn peak() -> usize {
        PEAK.load(Ordering::Relaxed)
    }
    pub fn reset_peak() {
        PEAK.store(Self::live(), Ordering::Relaxed);
    }

    /// Counts an allocation; false when it is too much.
    fn take(bytes: usize) -> bool {
        let limit = LIMIT.load(Ordering::Relaxed);
        let taken = LIVE.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |live| {
            live.checked_add(bytes).filter(|sum| *sum <= limit)
        });
        match taken {
            Ok(before) => {
                PEAK.fetch_max(before + bytes, Ordering::Relaxed);
                true
            }
            Err(_) => false,
        }
    }
    fn give_back(bytes: usize) {
        LIVE.fetch_sub(bytes, Ordering::Relaxed);
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        if matches!(self.owner, Owner::Allocated) && self.bytes > 0 {
            Memory::give_back(self.bytes);
            // SAFETY: allocated in `allocate` with exactly this layout, which was valid then.
            unsafe { dealloc(self.data.as_ptr(), Layout::from_size_align_unchecked(self.bytes, ALIGNMENT)) }
        }
    }
}

impl Storage {
    fn allocate(bytes: usize, zeroed: bool) -> Option<Storage> {
        let layout = Layout::from_size_align(bytes, ALIGNMENT).ok()?;
        if bytes == 0 {
            let data = NonNull::new(ALIGNMENT as *mut u8)?;
            return Some(Storage(Arc::new(Block {
                data,
                bytes,
                owner: Owner::Allocated,
                resizable: AtomicBool::new(true),
            })));
        }
        if !Memory::take(bytes) {
            return None;
        }
        // SAFETY: the layout is not empty.
        let Some(data) = NonNull::new(unsafe { if zeroed { alloc_zeroed(layout) } else { alloc(layout) } }) else {
            Memory::give_back(bytes);
            return None;
        };
        Some(Storage(Arc::new(Block { data, bytes, owner: Owner::Allocated, resizable: AtomicBool::new(true) })))
    }

    /// Zeroed bytes; `None` when there is not so much memory.
    pub fn zeroed(bytes: usize) -> Option<Storage> {
        Self::allocate(bytes, true)
    }

    /// Bytes with any content; the caller writes them before anyone reads them.
    ///
    /// # Safety
    /// Nothing may be read before it was written.
    pub unsafe fn uninit(bytes: usize) -> Option<Storage> {
        Self::allocate(bytes, false)
    }

    /// Memory of somebody else's (a mapped archive), kept alive by `owner`.
    ///
    /// # Safety
    /// `data` points to `bytes` initialised bytes that stay where they are, readable, while `owner` lives; and writable if anything writes to a tensor over it.
    pub unsafe fn borrowed(data: NonNull<u8>, bytes: usize, owner: Box<dyn Any + Send + Sync>) -> Storage {
        Storage(Arc::new(Block { data, bytes, owner: Owner::Borrowed(owner), resizable: AtomicBool::new(false) }))
    }

    /// A piece of this storage as a storage of its own, which keeps the whole alive; `None` when it does not lie inside.
    pub fn part(&self, start: usize, bytes: usize) -> Option<Storage> {
        start.checked_add(bytes).filter(|end| *end <= self.bytes())?;
        let data = NonNull::new(self.data_ptr().wrapping_add(start))?;
        // SAFETY: the piece lies inside this storage, which the owner keeps alive; what may be done with the whole may be done with it.
        let part = unsafe { Storage::borrowed(data, bytes, Box::new(self.clone())) };
        // A tensor over it may grow: into a storage of its own.
        part.0.resizable.store(true, Ordering::Relaxed);
        Some(part)
    }

    pub fn bytes(&self) -> usize {
        self.0.bytes
    }

    pub fn data_ptr(&self) -> *mut u8 {
        self.0.data.as_ptr()
    }

    /// Whether a tensor over it may grow: memory of somebody else's may not (`c10::StorageImpl::resizable`).
    pub fn is_resizable(&self) -> bool {
        self.0.resizable.load(Ordering::Relaxed)
    }

    /// From now on no tensor over it may grow.
    pub fn fix_size(&self) {
        self.0.resizable.store(false, Ordering::Relaxed);
    }

    /// The same block?
    pub fn is(&self, other: &Storage) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// How many tensors and handles hold it.
    pub fn use_count(&self) -> usize {
        Arc::strong_count(&self.0)
    }
}
