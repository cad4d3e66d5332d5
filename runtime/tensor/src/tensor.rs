//! The tensor: a counted handle on sizes, strides, offset and dtype over a storage, whose every element lies inside that storage.

use crate::metadata::{Sizes, Strided, TensorMetadata, View, Views, is_aligned};
use crate::strided::{contiguous_strides, numel};
use crate::{DType, Element, Error, Quantizer, Storage, copying, dispatch};
use sconce_schema::types::{Device, Dim, TensorType};
use smallvec::{SmallVec, smallvec};
use std::cell::{RefCell, UnsafeCell};
use std::mem::{ManuallyDrop, MaybeUninit};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use triomphe::UniqueArc;

/// A tensor of which no gradients are asked.
const PLAIN: u8 = 0;
/// One of which the user asks them.
const LEAF: u8 = 1;
/// One computed from such.
const COMPUTED: u8 = 2;

struct TensorImpl {
    storage: UnsafeCell<Storage>,
    views: Views,
    /// One of `PLAIN`, `LEAF`, `COMPUTED`.
    gradient: AtomicU8,
    /// A number of Python's that became a tensor of rank 0; it takes part in promotion as a number.
    wrapped_number: AtomicBool,
    /// How many rows of each matrix are there, in a nested tensor; the others are padding.
    lengths: Option<Arc<[i64]>>,
    /// `None` is the CPU. Only metadata travels here: the runtime computes on the CPU.
    device: Option<Device>,
}

// SAFETY: the storage changes only in `set_metadata` (`set_`, `out=`); who calls that while another thread uses the same tensor has a race of the
// program's own making, which the interpreter excludes by not handing a tensor that is written in place to a forked task on another thread.
unsafe impl Send for TensorImpl {}
// SAFETY: as above.
unsafe impl Sync for TensorImpl {}

/// A tensor. Clones are the same tensor (`is`), views are other tensors over the same storage.
///
/// What the last one to hold it gives up serves the thread's next tensor: views come and go without the heap.
#[derive(Clone)]
pub struct Tensor(ManuallyDrop<triomphe::Arc<TensorImpl>>);

/// Places that a thread keeps at most.
const SPARE: usize = 1024;

thread_local! {
    /// Where tensors were that were given up.
    static SPARE_PLACES: RefCell<Vec<UniqueArc<MaybeUninit<TensorImpl>>>> = const { RefCell::new(Vec::new()) };
}

impl Drop for Tensor {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the field is not used after.
        let handle = unsafe { ManuallyDrop::take(&mut self.0) };
        if handle.is_unique() {
            spare(handle);
        }
    }
}

/// Puts aside the place of a tensor that nobody else holds. What the tensor holds goes now, not when the place is used again: it may be anything, and hold tensors.
fn spare(handle: triomphe::Arc<TensorImpl>) {
    let place = triomphe::Arc::into_raw(handle).cast_mut().cast::<MaybeUninit<TensorImpl>>();
    // SAFETY: the one handle on a tensor becomes one on a place of the same layout that holds nothing.
    let place = unsafe {
        (*place).assume_init_drop();
        triomphe::Arc::from_raw(place)
    };
    // While a thread ends its own cells may be gone; then the place goes, too.
    let _ = SPARE_PLACES.try_with(|spare| {
        if let (Ok(mut spare), Some(place)) = (spare.try_borrow_mut(), triomphe::Arc::into_unique(place))
            && spare.len() < SPARE
        {
            spare.push(place);
        }
    });
}

impl Tensor {
    /// A tensor over a storage, checked.
    pub fn new(metadata: TensorMetadata) -> Result<Tensor, Error> {
        let (storage, view) = metadata.split();
        view.check(&storage)?;
        Ok(Self::from_checked(storage, view, None))
    }

    fn from_checked(storage: Storage, view: View, device: Option<Device>) -> Tensor {
        // While a thread ends its own cells may be gone.
        let spare = SPARE_PLACES.try_with(|s| s.borrow_mut().pop()).ok().flatten();
        let mut place = spare.unwrap_or_else(UniqueArc::new_uninit);
        place.write(TensorImpl {
            storage: UnsafeCell::new(storage),
            views: Views::new(view),
            gradient: AtomicU8::new(PLAIN),
            wrapped_number: AtomicBool::new(false),
            lengths: None,
            device,
        });
        // SAFETY: written just now.
        Tensor(ManuallyDrop::new(unsafe { UniqueArc::assume_init(place) }.shareable()))
    }

    /// Makes this tensor as if it had just been made over a storage that was made for it, of so many bytes, with any content. False when somebody else holds
    /// it or it would not fit; it is of no use then.
    pub fn renew(&mut self, storage: &Storage, bytes: usize, sizes: &[i64], strides: &[i64], dtype: DType) -> bool {
        let Some(inner) = triomphe::Arc::get_mut(&mut self.0) else { return false };
        let (own, view) = (inner.storage.get_mut(), inner.views.only());
        // A part shared with nobody takes the length that is wanted; the tensor is made to fit it below.
        let holders = 1 + usize::from(own.is(storage));
        let fits = storage.bytes() == bytes;
        if !fits && !storage.relength(bytes, holders) {
            return false;
        }
        let same = fits
            && own.is(storage)
            && view.offset == 0
            && view.dtype == dtype
            && view.quantizer.is_none()
            && *view.sizes == *sizes
            && *view.strides == *strides;
        if !same {
            *view = View { dtype, sizes: sizes.into(), strides: strides.into(), offset: 0, quantizer: None };
            *own = storage.clone();
            if view.check(own).is_err() {
                // It may be longer than the storage now is.
                (view.sizes, view.strides) = (smallvec![0], smallvec![1]);
                return false;
            }
        }
        *inner.gradient.get_mut() = PLAIN;
        storage.restart_version();
        *inner.wrapped_number.get_mut() = false;
        inner.lengths = None;
        inner.device = None;
        true
    }

    /// How many hold this tensor; views are other tensors.
    pub fn use_count(&self) -> usize {
        triomphe::Arc::count(&self.0)
    }

    fn allocate(sizes: &[i64], dtype: DType, make: impl Fn(usize) -> Option<Storage>) -> Result<Tensor, Error> {
        let too_large = || match sizes.iter().find(|&&s| s < 0) {
            Some(&s) => Error::NegativeSize(s),
            None => Error::TooLarge { sizes: sizes.to_vec(), bytes_per_element: dtype.size() },
        };
        let bytes = numel(sizes)
            .and_then(|n| n.checked_mul(dtype.size()))
            .filter(|&b| b <= isize::MAX as usize)
            .ok_or_else(too_large)?;
        let storage = make(bytes).ok_or_else(too_large)?;
        let strides = contiguous_strides(sizes);
        Ok(Self::from_checked(storage, View { dtype, sizes: sizes.into(), strides, offset: 0, quantizer: None }, None))
    }

    /// A contiguous tensor of zeros.
    pub fn zeros(sizes: &[i64], dtype: DType) -> Result<Tensor, Error> {
        Self::allocate(sizes, dtype, Storage::zeroed)
    }

    /// A contiguous tensor with any content, for a kernel that writes every element.
    ///
    /// # Safety
    /// Every element is written before one is read.
    pub unsafe fn uninit(sizes: &[i64], dtype: DType) -> Result<Tensor, Error> {
        // SAFETY: passed on to the caller.
        Self::allocate(sizes, dtype, |bytes| unsafe { Storage::uninit(bytes) })
    }

    /// A contiguous tensor with these elements in row-major order.
    ///
    /// # Panics
    /// When the number of elements is not the product of the sizes: the caller computed both.
    pub fn from_vec<T: Element>(data: Vec<T>, sizes: &[i64]) -> Tensor {
        assert_eq!(numel(sizes), Some(data.len()), "the sizes {sizes:?} do not match the number of elements");
        let out = Tensor::zeros(sizes, T::DTYPE).expect("as large as the vector that is already in memory");
        // SAFETY: a fresh contiguous storage of exactly `data.len()` elements of T, held by nobody else.
        unsafe { std::ptr::copy_nonoverlapping(data.as_ptr(), out.data_ptr::<T>(), data.len()) };
        out
    }

    /// A tensor of rank 0.
    pub fn scalar<T: Element>(value: T) -> Tensor {
        let out = Tensor::zeros(&[], T::DTYPE).expect("one element");
        // SAFETY: a fresh storage of one element, held by nobody else.
        unsafe { *out.data_ptr::<T>() = value };
        out
    }

    #[inline]
    pub(crate) fn view(&self) -> &View {
        self.0.views.now()
    }

    #[inline]
    pub(crate) fn held_storage(&self) -> &Storage {
        // SAFETY: as for `TensorImpl`'s Send and Sync; here no reference outlives the method that asks, and none of them changes the storage meanwhile.
        unsafe { &*self.0.storage.get() }
    }

    /// What it is at this moment.
    pub fn metadata(&self) -> TensorMetadata {
        self.view().over(self.storage())
    }

    /// Makes this very tensor another view (`resize_`, `t_`, `set_`, `out=`). References to its sizes and strides stay good and show what they showed; until
    /// the tensor is given up each view that it was takes some of the memory that [`Memory`](crate::Memory) counts.
    ///
    /// # Errors
    /// Elements outside the storage, or not aligned; no memory.
    ///
    /// # Safety
    /// No other thread uses this tensor meanwhile, and no slice from [`Tensor::as_slice`] of it is alive.
    pub unsafe fn set_metadata(&self, metadata: TensorMetadata) -> Result<(), Error> {
        let (storage, view) = metadata.split();
        view.check(&storage)?;
        let (sizes, bytes_per_element) = (view.sizes.clone(), view.dtype.size());
        // Who watches the storage it had relied on this tensor, too.
        self.bump_version();
        if !self.0.views.change(view) {
            return Err(Error::TooLarge { sizes: sizes.to_vec(), bytes_per_element });
        }
        // SAFETY: no other thread uses it, by the caller's promise, and no reference to the storage leaves a method of this type.
        let given_up = std::mem::replace(unsafe { &mut *self.0.storage.get() }, storage);
        self.bump_version();
        // It may be the last handle on somebody else's memory, whose owner does as it likes.
        drop(given_up);
        Ok(())
    }

    /// The number of elements in each dimension (`Tensor.shape`). Changed in place, the tensor has others; these stay as they are.
    #[inline]
    pub fn sizes(&self) -> &[i64] {
        &self.view().sizes
    }
    /// Whether it has these sizes. They are few: to compare them one by one is less than a call.
    #[inline]
    pub fn has_sizes(&self, sizes: &[i64]) -> bool {
        let own = self.sizes();
        own.len() == sizes.len() && own.iter().zip(sizes).all(|(a, b)| a == b)
    }
    /// Elements between neighbours along each dimension; never negative. As with the sizes, these stay as they are.
    #[inline]
    pub fn strides(&self) -> &[i64] {
        &self.view().strides
    }

    /// All that its type can say of it as it is now: dtype, sizes, strides, device, the need of gradients, and that it is there.
    pub fn observed_type(&self) -> TensorType {
        let known = |ns: &[i64]| Some(ns.iter().map(|n| Dim::Known(*n)).collect());
        TensorType {
            dtype: Some(self.dtype()),
            sizes: known(self.sizes()),
            strides: known(self.strides()),
            device: Some(self.device()),
            requires_grad: Some(self.requires_grad()),
            undefined: Some(false),
        }
    }
    /// What an element is.
    #[inline]
    pub fn dtype(&self) -> DType {
        self.view().dtype
    }
    /// Where its elements are.
    #[inline]
    pub fn storage(&self) -> Storage {
        self.held_storage().clone()
    }
    /// The storage's first byte, from which [`Tensor::offsets`] count.
    #[inline]
    pub fn storage_ptr(&self) -> *mut u8 {
        self.held_storage().data_ptr()
    }
    /// Whether its elements are in this very storage.
    #[inline]
    pub fn is_over(&self, storage: &Storage) -> bool {
        self.held_storage().is(storage)
    }
    /// Bytes of the whole storage.
    #[inline]
    pub fn storage_bytes(&self) -> usize {
        self.held_storage().bytes()
    }
    /// In elements.
    #[inline]
    pub fn storage_offset(&self) -> i64 {
        self.view().offset
    }
    /// Rank.
    #[inline]
    pub fn dim(&self) -> usize {
        self.sizes().len()
    }
    /// The number of elements.
    #[inline]
    pub fn numel(&self) -> usize {
        numel(self.sizes()).expect("checked when the tensor was made")
    }
    /// Where it says it is: a label, since everything is computed on the CPU.
    pub fn device(&self) -> Device {
        self.0.device.clone().unwrap_or_else(|| Device { kind: "cpu".into(), index: None })
    }
    /// Where it is, if not on the CPU: asking takes no memory.
    #[inline]
    pub fn device_beside_cpu(&self) -> Option<&Device> {
        self.0.device.as_ref()
    }
    /// The same as a value, without one of its own for the CPU.
    pub fn shared_device(&self) -> Arc<Device> {
        thread_local! {
            static CPU: Arc<Device> = Arc::new(Device { kind: "cpu".into(), index: None });
        }
        match &self.0.device {
            Some(device) => Arc::new(device.clone()),
            None => CPU.with(Arc::clone),
        }
    }
    /// Whether gradients are asked of it, or of what it was computed from.
    #[inline]
    pub fn requires_grad(&self) -> bool {
        self.0.gradient.load(Ordering::Relaxed) != PLAIN
    }
    /// As the user says; a tensor that then requires gradients is a leaf.
    pub fn set_requires_grad(&self, on: bool) {
        self.0.gradient.store(if on { LEAF } else { PLAIN }, Ordering::Relaxed);
    }
    /// As an operator's result does that was computed from one that requires gradients.
    pub fn set_computed_gradient(&self, on: bool) {
        self.0.gradient.store(if on { COMPUTED } else { PLAIN }, Ordering::Relaxed);
    }
    /// Whether nothing that requires gradients was computed to make it.
    pub fn is_leaf(&self) -> bool {
        self.0.gradient.load(Ordering::Relaxed) != COMPUTED
    }
    /// Counts writes to its storage, through any view of it, as PyTorch's `_version`.
    pub fn version(&self) -> u64 {
        self.held_storage().version()
    }
    /// Counts a write: whoever writes calls it, once the elements are written.
    #[inline]
    pub fn bump_version(&self) {
        self.held_storage().bump_version();
    }
    /// Whether it is a number of Python's that became a tensor of rank 0, and takes part in promotion as a number.
    #[inline]
    pub fn is_wrapped_number(&self) -> bool {
        self.0.wrapped_number.load(Ordering::Relaxed)
    }
    /// Says whether it is such a number.
    pub fn set_wrapped_number(&self, on: bool) {
        self.0.wrapped_number.store(on, Ordering::Relaxed);
    }
    /// Of a nested tensor: how many rows of each matrix are there. Views of it are not nested.
    pub fn lengths(&self) -> Option<&Arc<[i64]>> {
        self.0.lengths.as_ref()
    }
    /// The same matrices as a nested tensor.
    pub fn with_lengths(self, lengths: Arc<[i64]>) -> Tensor {
        let mut this = self.alias();
        if let Some(inner) = triomphe::Arc::get_mut(&mut this.0) {
            inner.lengths = Some(lengths);
        }
        this
    }
    /// Of a quantized tensor: what its integers stand for.
    pub fn quantizer(&self) -> Option<&Arc<Quantizer>> {
        self.view().quantizer.as_ref()
    }
    /// Whether its elements are integers that stand for other numbers.
    pub fn is_quantized(&self) -> bool {
        self.dtype().is_quantized()
    }
    /// Neither nested nor quantized, so that any operator takes it.
    #[inline]
    pub fn is_plain(&self) -> bool {
        self.0.lengths.is_none() && !self.is_quantized()
    }
    /// The same elements read as another dtype of the same size, with these parameters: the integers of a quantized tensor, or a quantized tensor of integers.
    ///
    /// # Panics
    /// When the elements are of another size, or do not lie where those of the other dtype may.
    pub fn reread(&self, dtype: DType, quantizer: Option<Arc<Quantizer>>) -> Tensor {
        assert_eq!(self.dtype().size(), dtype.size(), "elements of another size");
        let view = View { dtype, quantizer, ..self.view().clone() };
        assert!(is_aligned(self.held_storage(), dtype), "elements that are not aligned as {dtype}");
        Self::from_checked(self.storage(), view, self.0.device.clone())
    }
    /// Where it lies: its identity while it lives.
    pub fn address(&self) -> usize {
        self.0.as_ptr().addr()
    }
    /// The very same tensor.
    #[inline]
    pub fn is(&self, other: &Tensor) -> bool {
        triomphe::Arc::ptr_eq(&self.0, &other.0)
    }
    /// Whether both are over the same storage.
    #[inline]
    pub fn shares_storage(&self, other: &Tensor) -> bool {
        self.held_storage().is(other.held_storage())
    }
    /// Whether their storages have bytes in common: one storage, or two pieces of one memory.
    pub fn overlaps(&self, other: &Tensor) -> bool {
        self.held_storage().overlaps(other.held_storage())
    }
    /// Whether this handle is the only one, and what others did with the tensor is done.
    pub(crate) fn is_held_once(&mut self) -> bool {
        self.0.is_unique()
    }
    /// Nobody else holds this tensor or its storage, so a kernel may write its result into it.
    pub fn is_unique(&self) -> bool {
        self.0.is_unique() && self.held_storage().use_count() == 1
    }

    /// Sorts dimensions by how far apart their elements lie in memory, the farthest first; of equally far ones the order stays.
    ///
    /// # Panics
    /// When the tensor has no such dimension.
    pub fn sort_outermost_first(&self, dims: &mut [usize]) {
        dims.sort_by_key(|d| std::cmp::Reverse(self.strides()[*d]));
    }

    /// Row-major without gaps. Strides of dimensions of size 1 do not count; an empty tensor is contiguous.
    #[inline]
    pub fn is_contiguous(&self) -> bool {
        if self.sizes().contains(&0) {
            return true;
        }
        let mut step = 1;
        for (&size, &stride) in self.sizes().iter().zip(self.strides()).rev() {
            if size != 1 {
                if stride != step {
                    return false;
                }
                step *= size;
            }
        }
        true
    }

    /// The first element. Elements lie at multiples of `size_of::<T>()` from it, by the strides.
    ///
    /// # Panics
    /// When `T` is not the element type of the dtype.
    #[inline]
    pub fn data_ptr<T: Element>(&self) -> *mut T {
        let view = self.view();
        assert_eq!(T::DTYPE, view.dtype, "element type of another dtype");
        self.storage_ptr().cast::<T>().wrapping_offset(view.offset as isize)
    }

    /// The first byte of the first element.
    #[inline]
    pub fn bytes_ptr(&self) -> *mut u8 {
        let view = self.view();
        self.storage_ptr().wrapping_offset((view.offset as isize).wrapping_mul(view.dtype.size() as isize))
    }

    /// Another tensor over the same storage. `offset` counts from the storage's start, in elements.
    pub fn as_strided(&self, sizes: &[i64], strides: &[i64], offset: i64) -> Result<Tensor, Error> {
        self.over(Strided { sizes: sizes.into(), strides: strides.into(), offset })
    }

    /// [`Tensor::as_strided`] of sizes and strides that are given away.
    pub fn over(&self, strided: Strided) -> Result<Tensor, Error> {
        let (Strided { sizes, strides, offset }, now) = (strided, self.view());
        let view = View { dtype: now.dtype, sizes, strides, offset, quantizer: now.quantizer.clone() };
        view.check(self.held_storage())?;
        let other = Self::from_checked(self.storage(), view, self.0.device.clone());
        other.set_computed_gradient(self.requires_grad());
        Ok(other)
    }

    /// Makes this tensor what [`Tensor::over`] gives, where nobody else holds it: who gives up a tensor for a view of it needs no other.
    ///
    /// # Errors
    /// Somebody else holds it, or an element might lie outside the storage: the sizes come back and nothing is changed.
    pub fn become_over(&mut self, strided: Strided) -> Result<(), Strided> {
        let Some(inner) = triomphe::Arc::get_mut(&mut self.0) else { return Err(strided) };
        let view = inner.views.only();
        if !strided.is_plainly_in(inner.storage.get_mut(), view.dtype) {
            return Err(strided);
        }
        Strided { sizes: view.sizes, strides: view.strides, offset: view.offset } = strided;
        let gradient = inner.gradient.get_mut();
        *gradient = if *gradient == PLAIN { PLAIN } else { COMPUTED };
        *inner.wrapped_number.get_mut() = false;
        inner.lengths = None;
        Ok(())
    }

    /// Another tensor with the same sizes, strides and storage (`detach`, `alias`).
    pub fn alias(&self) -> Tensor {
        Self::from_checked(self.storage(), self.view().clone(), self.0.device.clone())
    }

    /// This tensor expanded to `sizes`: new and size-1 dimensions get stride 0.
    pub fn expand(&self, sizes: &[i64]) -> Result<Tensor, Error> {
        let skip = sizes.len().checked_sub(self.dim()).ok_or(Error::Broadcast {
            a: self.dim() as i64,
            b: sizes.len() as i64,
            dim: 0,
        })?;
        let mut strides: Sizes = SmallVec::from_elem(0, sizes.len());
        for d in skip..sizes.len() {
            let (have, want) = (self.sizes()[d - skip], sizes[d]);
            if have == want {
                strides[d] = self.strides()[d - skip];
            } else if have != 1 {
                return Err(Error::Broadcast { a: want, b: have, dim: d });
            }
        }
        self.as_strided(sizes, &strides, self.storage_offset())
    }

    /// This tensor if it is contiguous, else a contiguous copy.
    pub fn contiguous(&self) -> Result<Tensor, Error> {
        if self.is_contiguous() { Ok(self.clone()) } else { self.copy() }
    }

    /// A contiguous copy with a storage of its own. Fails when an expanded tensor is larger than memory.
    pub fn copy(&self) -> Result<Tensor, Error> {
        // SAFETY: `copy_bytes_from` writes every element.
        let out = unsafe { Tensor::uninit(self.sizes(), self.dtype()) }?;
        out.copy_bytes_from(self)?;
        Ok(match self.quantizer() {
            Some(quantizer) => out.reread(self.dtype(), Some(quantizer.clone())),
            None => out,
        })
    }

    /// Element by element, from a tensor of the same sizes and dtype. Overlapping storages are copied through a temporary.
    ///
    /// # Panics
    /// When sizes or dtypes differ: the caller broadcast and converted before.
    pub fn copy_bytes_from(&self, source: &Tensor) -> Result<(), Error> {
        assert_eq!((self.sizes(), self.dtype()), (source.sizes(), source.dtype()), "copy between different tensors");
        if self.is(source) || self.numel() == 0 {
            return Ok(());
        }
        if self.overlaps(source) {
            let temporary = source.copy()?;
            return self.copy_bytes_from(&temporary);
        }
        let size = self.dtype().size();
        if self.is_contiguous() && source.is_contiguous() {
            // SAFETY: both ranges lie in their storages, which are apart.
            unsafe { std::ptr::copy_nonoverlapping(source.bytes_ptr(), self.bytes_ptr(), self.numel() * size) };
            self.bump_version();
            return Ok(());
        }
        // SAFETY: every element of a tensor lies in its storage, and these are apart.
        unsafe {
            copying::copy(
                size,
                self.sizes(),
                (self.bytes_ptr(), self.strides()),
                (source.bytes_ptr().cast_const(), source.strides()),
            );
        }
        self.bump_version();
        Ok(())
    }
}

impl std::fmt::Debug for Tensor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for s in self.sizes() {
            write!(f, "{s}x")?;
        }
        write!(f, "{}", self.dtype())?;
        if self.numel() <= 32 {
            dispatch!(self.dtype(), T => write!(f, " {:?}", self.to_vec::<T>())?, _other => ());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_outside_its_storage_is_refused() {
        let t = Tensor::from_vec(vec![1i32, 2, 3, 4], &[2, 2]);
        assert!(t.as_strided(&[2, 2], &[2, 1], 1).is_err());
        assert!(t.as_strided(&[i64::MAX, i64::MAX], &[i64::MAX, 1], 0).is_err());
        assert!(t.as_strided(&[-1], &[1], 0).is_err());
        assert!(t.as_strided(&[0, i64::MAX], &[1, 1], 0).is_ok());
        assert!(Tensor::zeros(&[i64::MAX, 2], DType::F64).is_err());
    }

    #[test]
    fn a_part_keeps_the_whole_alive_and_is_renewed_when_nobody_looks() {
        let before = crate::Memory::live();
        let whole = Storage::zeroed(1 << 20).unwrap();
        assert!(whole.part(1 << 20, 1, 1).is_none() && whole.part(usize::MAX, 2, 2).is_none());
        let storage = whole.part(64, 16, 32).unwrap();
        drop(whole);
        assert!(crate::Memory::live() >= before + (1 << 20));
        let metadata = TensorMetadata {
            storage: storage.clone(),
            dtype: DType::F32,
            sizes: [4].into_iter().collect(),
            strides: [1].into_iter().collect(),
            offset: 0,
            quantizer: None,
        };
        let mut t = Tensor::new(metadata).unwrap();
        t.bump_version();
        drop(t.as_strided(&[2], &[2], 0).unwrap());
        assert_eq!((storage.use_count(), t.use_count()), (2, 1));
        assert!(t.renew(&storage, 16, &[2, 2], &[1, 2], DType::F32) && t.version() == 0);
        assert_eq!((t.sizes(), t.strides()), (&[2i64, 2][..], &[1i64, 2][..]));
        assert!(!t.renew(&storage, 16, &[5], &[1], DType::F32) && t.numel() == 0);
        assert!(!t.renew(&storage, 36, &[9], &[1], DType::F32) && storage.bytes() == 16);
        assert!(t.renew(&storage, 32, &[8], &[1], DType::F32) && storage.bytes() == 32);
        let other = t.clone();
        assert!(!t.renew(&storage, 16, &[4], &[1], DType::F32));
        drop(other);
        assert!(t.renew(&storage, 16, &[2], &[1], DType::I64) && storage.bytes() == 16);
    }

    #[test]
    fn pieces_of_one_memory_are_copied_though_they_overlap() {
        let whole = Tensor::from_vec((0..16i32).collect(), &[16]);
        let piece = |start: usize| {
            let storage = whole.storage().part(start * 4, 32, 32).unwrap();
            Tensor::new(TensorMetadata { storage, sizes: smallvec![8], ..whole.metadata() }).unwrap()
        };
        piece(2).copy_bytes_from(&piece(0)).unwrap();
        assert_eq!(whole.to_vec::<i32>(), [0, 1, 0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15]);
    }

    #[test]
    fn nothing_lies_anywhere() {
        let t = Tensor::zeros(&[4], DType::F64).unwrap();
        // Counted in bytes, this offset leads to where no memory is.
        let offset = ((t.storage_ptr().addr() as u64).wrapping_neg() >> 3) as i64;
        for offset in [offset, i64::MAX] {
            let none = t.as_strided(&[0], &[1], offset).unwrap();
            assert_eq!((none.to_vec::<f64>(), none.read_bytes()), (vec![], vec![]));
            none.fill(1f64);
            none.write_bytes(&[]);
            none.copy_bytes_from(&none.copy().unwrap()).unwrap();
        }
    }

    #[test]
    fn transposed_copy_is_row_major() {
        let t = Tensor::from_vec(vec![1f32, 2., 3., 4., 5., 6.], &[2, 3]);
        let tr = t.as_strided(&[3, 2], &[1, 3], 0).unwrap();
        assert!(!tr.is_contiguous());
        assert_eq!(tr.to_vec::<f32>(), [1., 4., 2., 5., 3., 6.]);
        assert_eq!(tr.copy().unwrap().to_vec::<f32>(), [1., 4., 2., 5., 3., 6.]);
    }

    #[test]
    fn what_was_read_stays_when_the_storage_is_written() {
        let t = Tensor::from_vec(vec![1f32, 2., 3., 4.], &[2, 2]);
        let turned = t.as_strided(&[2, 2], &[1, 2], 0).unwrap();
        let (rows, columns, bytes) = (t.to_vec::<f32>(), turned.to_vec::<f32>(), t.read_bytes());
        t.alias().fill(9f32);
        assert_eq!((rows, columns), (vec![1., 2., 3., 4.], vec![1., 3., 2., 4.]));
        assert_eq!(bytes, [1f32, 2., 3., 4.].map(f32::to_ne_bytes).concat());
        assert_eq!(turned.to_vec::<f32>(), [9.; 4]);
    }

    #[test]
    fn expanding_repeats_without_a_copy() {
        let t = Tensor::from_vec(vec![1i64, 2], &[2, 1]);
        let e = t.expand(&[3, 2, 2]).unwrap();
        assert_eq!(e.to_vec::<i64>(), [1, 1, 2, 2, 1, 1, 2, 2, 1, 1, 2, 2]);
        assert!(e.shares_storage(&t));
        assert!(t.expand(&[3, 1]).is_err());
    }
}
