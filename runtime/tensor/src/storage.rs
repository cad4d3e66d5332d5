//! The bytes that one or more tensors view: aligned, zeroed when made, freed with the last view, and possibly a mapped file's.

use crate::Element;
use crate::derived::Derived;
use crate::reserve::Source;
use crate::watch::Version;
use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};
use std::any::Any;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

/// Data starts on a cache line, which is also the widest vector's alignment.
const ALIGNMENT: usize = 64;

/// What advice is given by. Where pages are larger it is refused, and nothing is lost.
const PAGE: usize = 4096;
/// A page of the larger kind.
pub(crate) const HUGE_PAGE: usize = 2 << 20;

/// A counted block of bytes. Clones are the same block.
///
/// The count, the block's description and its data are one allocation: a small tensor costs two in all.
pub struct Storage(NonNull<Block>);

struct Block {
    count: AtomicUsize,
    /// Never null. Both change only in [`Storage::grow`].
    data: AtomicPtr<u8>,
    bytes: AtomicUsize,
    /// Whether the data is an allocation of its own, which it is once it has grown.
    grown: AtomicBool,
    owner: Owner,
    /// Whether a tensor over it may be given more elements than fit (`resize_`, `out=`).
    resizable: AtomicBool,
    version: Version,
    derived: Derived,
}

enum Owner {
    /// So many bytes follow the block, at the next cache line; they are the data until it grows.
    Own(usize),
    /// The same, and the block waits for another storage when it is given up ([`crate::reserve`]).
    Reserved(usize),
    /// A piece of another storage, with room for so many bytes.
    Part { _whole: Storage, room: usize },
    /// A vector that became one.
    Vector { _elements: Box<dyn Any + Send + Sync> },
    /// Kept alive for the block's lifetime: a mapped file, a caller's buffer.
    Borrowed { _from: Box<dyn Any + Send + Sync> },
}

// SAFETY: a block is plain memory with an atomic count. As in PyTorch, who writes to a tensor while another thread reads it has made a race of the
// program's own; the interpreter hands one tensor to two threads only where the program forks.
unsafe impl Send for Storage {}
// SAFETY: as above.
unsafe impl Sync for Storage {}

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
    /// Whether so many bytes more are within the limit.
    pub fn has_room(bytes: usize) -> bool {
        Self::live().checked_add(bytes).is_some_and(|sum| sum <= LIMIT.load(Ordering::Relaxed))
    }
    /// The most that lived at once since the last [`Memory::reset_peak`].
    pub fn peak() -> usize {
        PEAK.load(Ordering::Relaxed)
    }
    /// The most that lived at once is counted from now on.
    pub fn reset_peak() {
        PEAK.store(Self::live(), Ordering::Relaxed);
    }

    /// Counts an allocation; false when it is too much, even without what this thread keeps for its next run.
    pub(crate) fn take(bytes: usize) -> bool {
        Self::count(bytes) || (crate::reserve::release() && Self::count(bytes))
    }
    fn count(bytes: usize) -> bool {
        let limit = LIMIT.load(Ordering::Relaxed);
        if Self::live().saturating_add(bytes) > limit {
            return false;
        }
        let live = LIVE.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        if live > limit {
            Self::give_back(bytes);
            return false;
        }
        if live > PEAK.load(Ordering::Relaxed) {
            PEAK.fetch_max(live, Ordering::Relaxed);
        }
        true
    }
    pub(crate) fn give_back(bytes: usize) {
        LIVE.fetch_sub(bytes, Ordering::Relaxed);
    }
}

impl Block {
    fn new(data: NonNull<u8>, bytes: usize, owner: Owner) -> Block {
        let resizable = AtomicBool::new(!matches!(owner, Owner::Borrowed { .. }));
        Block {
            count: AtomicUsize::new(1),
            data: data.as_ptr().into(),
            bytes: bytes.into(),
            grown: AtomicBool::new(false),
            owner,
            resizable,
            version: Version::new(),
            derived: Derived::default(),
        }
    }
}

/// # Safety
/// The memory was made for a block with so many bytes of its own, and nobody holds it any more.
pub(crate) unsafe fn free_block(memory: NonNull<u8>, bytes: usize) {
    Memory::give_back(bytes);
    if let Some(layout) = Storage::layout(bytes) {
        // SAFETY: it was allocated with exactly this layout, which was valid then.
        unsafe { dealloc(memory.as_ptr(), layout) }
    }
}

impl Clone for Storage {
    #[inline]
    fn clone(&self) -> Storage {
        // A count that wrapped would free what is in use; so many handles do not fit into memory.
        if self.block().count.fetch_add(1, Ordering::Relaxed) > isize::MAX as usize {
            std::process::abort();
        }
        Storage(self.0)
    }
}

impl Drop for Storage {
    #[inline]
    fn drop(&mut self) {
        let count = &self.block().count;
        // What other threads did with the block happened before it is freed. A fence would say so, too, but not to ThreadSanitizer.
        let held = || count.load(Ordering::Acquire);
        // The only handle need not be counted down: nobody can make another of it meanwhile.
        if held() == 1 || (count.fetch_sub(1, Ordering::Release) == 1 && held() == 0) {
            // SAFETY: that was the last handle.
            unsafe { Self::free(self.0) }
        }
    }
}

/// Asks for large blocks to be made of pages of the larger kind: a fresh page costs a fault, and a tensor of a few MiB has a thousand of the smaller kind. It is
/// advice, so who cannot follow it is not in error.
fn in_huge_pages(memory: NonNull<u8>, bytes: usize) {
    #[cfg(all(target_os = "linux", not(miri)))]
    if bytes >= HUGE_PAGE {
        let skipped = memory.as_ptr().align_offset(PAGE);
        let whole = bytes.saturating_sub(skipped) / PAGE * PAGE;
        // SAFETY: pages of fresh memory, of which the advice changes no byte.
        let _ = unsafe {
            rustix::mm::madvise(memory.as_ptr().add(skipped).cast(), whole, rustix::mm::Advice::LinuxHugepage)
        };
    }
    #[cfg(any(not(target_os = "linux"), miri))]
    let _ = (memory, bytes);
}

impl Storage {
    #[inline]
    fn block(&self) -> &Block {
        // SAFETY: a handle keeps its block alive.
        unsafe { self.0.as_ref() }
    }

    /// The layout of a block with `bytes` of its own, with room to move the data to a cache line.
    fn layout(bytes: usize) -> Option<Layout> {
        let all = size_of::<Block>().checked_add(if bytes == 0 { 0 } else { bytes.checked_add(ALIGNMENT)? })?;
        Layout::from_size_align(all, align_of::<Block>()).ok()
    }

    /// # Safety
    /// The block was made here and nobody holds it any more.
    unsafe fn free(block: NonNull<Block>) {
        // SAFETY: the caller's promise.
        let whole = unsafe { block.as_ref() };
        let (bytes, waits) = match whole.owner {
            Owner::Own(bytes) => (bytes, false),
            Owner::Reserved(bytes) => (bytes, true),
            Owner::Part { .. } | Owner::Vector { .. } | Owner::Borrowed { .. } => (0, false),
        };
        if whole.grown.load(Ordering::Relaxed) {
            // SAFETY: a grown block's data came from `data` with this size.
            unsafe { Self::free_data(whole.data.load(Ordering::Relaxed), whole.bytes.load(Ordering::Relaxed)) };
        }
        // SAFETY: nobody uses the block any more; it was allocated for this many bytes.
        unsafe {
            block.drop_in_place();
            if !(waits && crate::reserve::keep(block.cast(), bytes)) {
                free_block(block.cast(), bytes);
            }
        }
    }

    /// Zeroed, counted bytes apart from any block; none when there is not so much memory.
    fn data(bytes: usize) -> Option<NonNull<u8>> {
        let layout = Layout::from_size_align(bytes, ALIGNMENT).ok().filter(|_| bytes > 0)?;
        if !Memory::take(bytes) {
            return None;
        }
        // SAFETY: the layout is not empty.
        let data = NonNull::new(unsafe { alloc_zeroed(layout) });
        if data.is_none() {
            Memory::give_back(bytes);
        }
        data
    }

    /// # Safety
    /// `data` came from [`Storage::data`] with this size, and nobody uses it any more.
    unsafe fn free_data(data: *mut u8, bytes: usize) {
        Memory::give_back(bytes);
        // SAFETY: allocated with exactly this layout, which was valid then.
        unsafe { dealloc(data, Layout::from_size_align_unchecked(bytes, ALIGNMENT)) }
    }

    /// Memory for a block with so many bytes of its own.
    fn memory(bytes: usize, zeroed: bool) -> Option<NonNull<u8>> {
        if !Memory::take(bytes) {
            return None;
        }
        // Zeroed pages of the system's are not zeroed again; a small block is.
        // SAFETY: the layout is not empty.
        let made = |layout| NonNull::new(unsafe { if zeroed { alloc_zeroed(layout) } else { alloc(layout) } });
        let memory = Self::layout(bytes).and_then(made);
        match memory {
            Some(memory) => in_huge_pages(memory, bytes),
            None => Memory::give_back(bytes),
        }
        memory
    }

    /// A storage in memory for a block with at least so many bytes of its own.
    ///
    /// # Safety
    /// The memory is nobody else's, and as large as the owner says.
    unsafe fn place(memory: NonNull<u8>, bytes: usize, owner: Owner) -> Option<Storage> {
        let after = memory.as_ptr().wrapping_add(size_of::<Block>());
        let data = NonNull::new(match bytes {
            0 => std::ptr::without_provenance_mut(ALIGNMENT),
            _ => after.wrapping_add(after.align_offset(ALIGNMENT)),
        })?;
        let block = memory.cast::<Block>();
        // SAFETY: memory of the block's alignment and more than its size, by the caller's promise.
        unsafe { block.write(Block::new(data, bytes, owner)) };
        Some(Storage(block))
    }

    fn allocate(bytes: usize, zeroed: bool) -> Option<Storage> {
        match crate::reserve::source(bytes) {
            Source::Apart => Self::allocate_apart(bytes, zeroed),
            Source::Kept(memory, capacity) => {
                // SAFETY: nobody has what waited, and its capacity is not less than the bytes.
                let storage = unsafe { Self::place(memory, bytes, Owner::Reserved(capacity)) }?;
                if zeroed && bytes > 0 {
                    // SAFETY: its own bytes.
                    unsafe { storage.data_ptr().write_bytes(0, bytes) };
                }
                Some(storage)
            }
            // SAFETY: fresh memory of this capacity.
            Source::New(capacity) => unsafe {
                Self::place(Self::memory(capacity, zeroed)?, bytes, Owner::Reserved(capacity))
            },
        }
    }

    fn allocate_apart(bytes: usize, zeroed: bool) -> Option<Storage> {
        // SAFETY: fresh memory for exactly this.
        unsafe { Self::place(Self::memory(bytes, zeroed)?, bytes, Owner::Own(bytes)) }
    }

    /// Zeroed bytes that go back to the system when they are given up, whoever made them.
    pub fn apart(bytes: usize) -> Option<Storage> {
        Self::allocate_apart(bytes, true)
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

    /// A block over bytes that its owner keeps alive.
    fn over(data: NonNull<u8>, bytes: usize, owner: Owner) -> Storage {
        let layout = Layout::new::<Block>();
        // SAFETY: the layout is not empty.
        let Some(place) = NonNull::new(unsafe { alloc(layout) }.cast::<Block>()) else {
            std::alloc::handle_alloc_error(layout)
        };
        // SAFETY: fresh memory for exactly this.
        unsafe { place.write(Block::new(data, bytes, owner)) };
        Storage(place)
    }

    /// Memory of somebody else's (a mapped archive), kept alive by `owner`.
    ///
    /// # Safety
    /// `data` points to `bytes` initialised bytes that stay where they are, readable, while `owner` lives; and writable if anything writes to a tensor over it.
    pub unsafe fn borrowed(data: NonNull<u8>, bytes: usize, owner: Box<dyn Any + Send + Sync>) -> Storage {
        Self::over(data, bytes, Owner::Borrowed { _from: owner })
    }

    /// The elements of a vector, where they are; [`Memory`] does not count them.
    pub fn from_vec<T: Element>(mut elements: Vec<T>) -> Storage {
        let bytes = size_of_val(&elements[..]);
        let data = NonNull::from(&mut elements[..]).cast();
        Self::over(data, bytes, Owner::Vector { _elements: Box::new(elements) })
    }

    /// Whether nobody reaches its memory but by handles of it: it is no piece of another storage's, and nobody else's.
    pub(crate) fn is_apart(&self) -> bool {
        !matches!(self.block().owner, Owner::Part { .. } | Owner::Borrowed { .. })
    }

    /// A piece of this storage as a storage of its own, which keeps the whole alive; `None` when it does not lie inside. It may later become as long as
    /// `room`, which lies inside too.
    pub fn part(&self, start: usize, bytes: usize, room: usize) -> Option<Storage> {
        start.checked_add(room).filter(|end| *end <= self.bytes() && bytes <= room)?;
        let data = NonNull::new(self.data_ptr().wrapping_add(start))?;
        // A tensor over it may grow beyond: into a storage of its own.
        Some(Self::over(data, bytes, Owner::Part { _whole: self.clone(), room }))
    }

    /// Makes a part another length. False, and nothing is changed, when it is none, has not the room, has grown away, or others than `holders` hold it.
    pub(crate) fn relength(&self, bytes: usize, holders: usize) -> bool {
        let block = self.block();
        let fits = matches!(block.owner, Owner::Part { room, .. } if bytes <= room);
        let may = fits && !block.grown.load(Ordering::Relaxed) && self.use_count() == holders;
        if may {
            block.bytes.store(bytes, Ordering::Relaxed);
        }
        may
    }

    /// How many bytes it has.
    #[inline]
    pub fn bytes(&self) -> usize {
        self.block().bytes.load(Ordering::Relaxed)
    }

    /// The first byte. It may lie elsewhere once the storage grew.
    #[inline]
    pub fn data_ptr(&self) -> *mut u8 {
        self.block().data.load(Ordering::Relaxed)
    }

    /// Makes the block larger for all that view it; its bytes stay, new ones are zero. False when there is not so much memory.
    ///
    /// # Safety
    /// It is resizable, no pointer into it is used afterwards, and no other thread uses it now.
    pub unsafe fn grow(&self, size: usize) -> bool {
        let (old, had) = (self.data_ptr(), self.bytes());
        if size <= had {
            return true;
        }
        let Some(new) = Self::data(size) else { return false };
        // SAFETY: both have `had` bytes; the new ones are nobody else's.
        unsafe { std::ptr::copy_nonoverlapping(old, new.as_ptr(), had) };
        let block = self.block();
        block.data.store(new.as_ptr(), Ordering::Relaxed);
        block.bytes.store(size, Ordering::Relaxed);
        if block.grown.swap(true, Ordering::Relaxed) {
            // SAFETY: the old data was grown too, and the caller promises that nobody uses it.
            unsafe { Self::free_data(old, had) };
        }
        true
    }

    /// Whether a tensor over it may grow: memory of somebody else's may not (`c10::StorageImpl::resizable`).
    pub fn is_resizable(&self) -> bool {
        self.block().resizable.load(Ordering::Relaxed)
    }

    /// From now on no tensor over it may grow.
    pub fn fix_size(&self) {
        self.block().resizable.store(false, Ordering::Relaxed);
    }

    /// Counts writes to it through any tensor, as PyTorch's `_version` of a tensor and its views.
    #[inline]
    pub fn version(&self) -> u64 {
        self.block().version.get()
    }

    /// Counts a write.
    #[inline]
    pub fn bump_version(&self) {
        self.block().version.bump();
    }

    /// From now on writes to it count for [`crate::watch::writes`].
    pub fn watch(&self) {
        self.block().version.watch();
    }

    /// Whether writes to it count for [`crate::watch::writes`].
    #[inline]
    pub fn is_watched(&self) -> bool {
        self.block().version.is_watched()
    }

    /// What was computed of its bytes.
    pub(crate) fn derived(&self) -> &Derived {
        &self.block().derived
    }

    /// As if nobody had written to it.
    pub(crate) fn restart_version(&self) {
        self.block().version.restart();
    }

    /// The same block?
    #[inline]
    pub fn is(&self, other: &Storage) -> bool {
        self.0 == other.0
    }

    /// Whether some byte is in both: of one block, or of two pieces of one memory.
    pub fn overlaps(&self, other: &Storage) -> bool {
        let range = |s: &Storage| (s.data_ptr().addr(), s.data_ptr().addr().saturating_add(s.bytes()));
        let ((start, end), (from, to)) = (range(self), range(other));
        start < to && from < end
    }

    /// A number that no other storage has while this one lives.
    pub fn id(&self) -> usize {
        self.0.as_ptr() as usize
    }

    /// How many tensors and handles hold it.
    pub fn use_count(&self) -> usize {
        self.block().count.load(Ordering::Acquire)
    }
}
