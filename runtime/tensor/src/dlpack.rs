//! DLPack, both ways without a copy: whoever takes a tensor keeps its storage, and whoever gives one keeps its memory until the last tensor over it goes.

use crate::lent::{Borrowed, Lent, MAX_RANK, Owner};
use crate::{DType, Error, Sizes, Tensor, contiguous_strides};
use std::ffi::c_void;
use std::ptr::NonNull;

/// `kDLCPU` and `kDLCUDAHost`: memory that the processor reads.
const CPU: i32 = 1;
const PINNED: i32 = 3;
/// Where our tensors are: type and number of a `DLDevice`.
pub const DEVICE: (i32, i32) = (CPU, 0);
/// `DLPACK_FLAG_BITMASK_READ_ONLY`.
const READ_ONLY: u64 = 1;
/// The version whose structure is written and read.
pub const VERSION: (u32, u32) = (1, 0);

/// `kDLInt`: the code of integers with a sign.
pub const INT: u8 = 0;
/// `kDLUInt`: the code of integers without one.
pub const UINT: u8 = 1;
/// `kDLFloat`: the code of IEEE's numbers.
pub const FLOAT: u8 = 2;
/// `kDLComplex`: the code of complex numbers; their bits are both parts'.
pub const COMPLEX: u8 = 5;
/// `kDLBool`: the code of booleans of a byte.
pub const BOOL: u8 = 6;

/// One row a dtype that others know: itself, and DLPack's code. Its bits are the dtype's own.
const CODES: &[(DType, u8)] = &[
    (DType::U8, UINT),
    (DType::U16, UINT),
    (DType::U32, UINT),
    (DType::U64, UINT),
    (DType::I8, INT),
    (DType::I16, INT),
    (DType::I32, INT),
    (DType::I64, INT),
    (DType::F16, FLOAT),
    (DType::F32, FLOAT),
    (DType::F64, FLOAT),
    (DType::BF16, 4),
    (DType::C32, COMPLEX),
    (DType::C64, COMPLEX),
    (DType::C128, COMPLEX),
    (DType::Bool, BOOL),
    (DType::F8E4M3FN, 10),
    (DType::F8E4M3FNUZ, 11),
    (DType::F8E5M2, 12),
    (DType::F8E5M2FNUZ, 13),
];

/// DLPack's code of a dtype; none of those that other libraries do not have.
pub fn code(dtype: DType) -> Option<u8> {
    CODES.iter().find(|row| row.0 == dtype).map(|row| row.1)
}

/// The dtype of DLPack's code and bits.
pub fn dtype(code: u8, bits: u8) -> Option<DType> {
    CODES.iter().find(|row| row.1 == code && row.0.size() * 8 == usize::from(bits)).map(|row| row.0)
}

/// `DLTensor`.
#[repr(C)]
pub struct DlTensor {
    data: *mut c_void,
    device: [i32; 2],
    rank: i32,
    code: u8,
    bits: u8,
    lanes: u16,
    sizes: *mut i64,
    /// In elements; null where the elements lie row by row.
    strides: *mut i64,
    byte_offset: u64,
}

/// `DLManagedTensor`, of DLPack before version 1.
#[repr(C)]
pub struct Managed {
    tensor: DlTensor,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Managed)>,
}

/// `DLManagedTensorVersioned`, of DLPack 1.
#[repr(C)]
pub struct Versioned {
    version: [u32; 2],
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Versioned)>,
    flags: u64,
    tensor: DlTensor,
}

/// What both structures have.
pub struct Parts<'a, S> {
    /// What is described.
    pub tensor: &'a DlTensor,
    /// The maker's own, `manager_ctx`.
    pub context: *mut c_void,
    /// What lets go of the structure, if anything must.
    pub deleter: Option<unsafe extern "C" fn(*mut S)>,
}

/// Either structure.
pub trait Structure: Sized + 'static {
    /// One that `deleter` lets go of; it finds there what `context` points to.
    fn new(tensor: DlTensor, context: *mut c_void, deleter: unsafe extern "C" fn(*mut Self)) -> Self;
    /// What it has.
    fn parts(&self) -> Parts<'_, Self>;
    /// Why it cannot be read.
    fn refused(&self) -> Option<String> {
        None
    }
    /// Nobody may write to its elements.
    fn is_read_only(&self) -> bool {
        false
    }
}

impl Structure for Managed {
    fn new(tensor: DlTensor, context: *mut c_void, deleter: unsafe extern "C" fn(*mut Self)) -> Self {
        Managed { tensor, context, deleter: Some(deleter) }
    }
    fn parts(&self) -> Parts<'_, Self> {
        Parts { tensor: &self.tensor, context: self.context, deleter: self.deleter }
    }
}

impl Structure for Versioned {
    fn new(tensor: DlTensor, context: *mut c_void, deleter: unsafe extern "C" fn(*mut Self)) -> Self {
        Versioned { version: VERSION.into(), context, deleter: Some(deleter), flags: 0, tensor }
    }
    fn parts(&self) -> Parts<'_, Self> {
        Parts { tensor: &self.tensor, context: self.context, deleter: self.deleter }
    }
    fn refused(&self) -> Option<String> {
        let [major, minor] = self.version;
        (major != VERSION.0).then(|| format!("a tensor of DLPack {major}.{minor}; {}.x is expected", VERSION.0))
    }
    fn is_read_only(&self) -> bool {
        self.flags & READ_ONLY != 0
    }
}

/// What keeps an exported tensor's memory.
struct Exported {
    _tensor: Tensor,
    sizes: Sizes,
    strides: Sizes,
}

/// Lets go of what [`export`] made; its structure's deleter.
///
/// # Safety
/// The structure was made by [`export`], and nobody let it go yet.
pub unsafe extern "C" fn release<S: Structure>(managed: *mut S) {
    // SAFETY: made by `export` from two boxes, and called once, as DLPack has it.
    unsafe {
        drop(Box::from_raw((*managed).parts().context.cast::<Exported>()));
        drop(Box::from_raw(managed));
    }
}

/// A structure over the tensor's memory, which it keeps until its deleter is called (`torch.Tensor.__dlpack__`). Its storage stays where it is from now on.
///
/// # Errors
/// DLPack has no such dtype.
pub fn export<S: Structure>(tensor: &Tensor) -> Result<NonNull<S>, Error> {
    let dtype = tensor.dtype();
    let code = code(dtype).ok_or_else(|| Error::Lent(format!("DLPack has no {}", dtype.torch_name())))?;
    // Who holds the memory elsewhere would not notice that it moved.
    tensor.storage().fix_size();
    let (sizes, strides) = (tensor.sizes().into(), tensor.strides().into());
    let context = Box::into_raw(Box::new(Exported { _tensor: tensor.alias(), sizes, strides }));
    // SAFETY: nobody else knows it yet. What points into it is made where it stays: a box that is moved has its content to itself.
    let exported = unsafe { &mut *context };
    let described = DlTensor {
        data: tensor.bytes_ptr().cast(),
        device: DEVICE.into(),
        rank: exported.sizes.len() as i32,
        code,
        bits: (dtype.size() * 8) as u8,
        lanes: 1,
        sizes: exported.sizes.as_mut_ptr(),
        strides: exported.strides.as_mut_ptr(),
        byte_offset: 0,
    };
    Ok(NonNull::from(Box::leak(Box::new(S::new(described, context.cast(), release::<S>)))))
}

/// A structure that was taken; its maker is told when it goes.
pub struct Taken<S: Structure>(NonNull<S>);

// SAFETY: DLPack's deleters are called from any thread, and nothing else is done with it.
unsafe impl<S: Structure> Send for Taken<S> {}
// SAFETY: as above.
unsafe impl<S: Structure> Sync for Taken<S> {}

impl<S: Structure> Drop for Taken<S> {
    fn drop(&mut self) {
        // SAFETY: it was taken, so that nobody else calls it.
        unsafe {
            if let Some(deleter) = self.0.as_ref().parts().deleter {
                deleter(self.0.as_ptr());
            }
        }
    }
}

impl<S: Structure> Taken<S> {
    /// Takes a structure over from its maker.
    ///
    /// # Safety
    /// It is such a structure as DLPack describes, and whoever had it does not use it any more.
    pub unsafe fn new(managed: NonNull<S>) -> Taken<S> {
        Taken(managed)
    }

    /// A tensor over its memory (`torch.from_dlpack`), or of a copy as [`Borrowed::tensor`] says. `keep` makes what tells the maker once the last tensor goes.
    ///
    /// # Errors
    /// It is of another version, not in memory that the processor reads, or has elements that no tensor has; or `keep` fails. It is let go then.
    pub fn tensor<E: From<Error>>(
        self,
        borrowed: &mut Borrowed,
        keep: impl FnOnce(Taken<S>) -> Result<Owner, E>,
    ) -> Result<Tensor, E> {
        let lent = self.lent()?;
        let owner = keep(self)?;
        // SAFETY: its maker keeps the elements until it goes, and says whether they may be written.
        Ok(unsafe { borrowed.tensor(&lent, owner) }?)
    }

    /// The elements as it describes them.
    fn lent(&self) -> Result<Lent, Error> {
        // SAFETY: it lives until it is let go.
        let managed: &S = unsafe { self.0.as_ref() };
        if let Some(why) = managed.refused() {
            return Err(Error::Lent(why));
        }
        let t = managed.parts().tensor;
        if ![CPU, PINNED].contains(&t.device[0]) {
            let device = t.device[0];
            return Err(Error::Lent(format!("a tensor on DLPack's device {device}: one on the CPU is expected")));
        }
        let dtype = dtype(t.code, t.bits).filter(|_| t.lanes == 1).ok_or_else(|| {
            Error::Lent(format!("a tensor of DLPack's type {} with {} bits and {} lanes", t.code, t.bits, t.lanes))
        })?;
        let rank = usize::try_from(t.rank).ok().filter(|rank| *rank <= MAX_RANK);
        let rank = rank.ok_or_else(|| Error::Lent(format!("a tensor of {} dimensions", t.rank)))?;
        if rank > 0 && t.sizes.is_null() {
            return Err(Error::Lent("a tensor without sizes".into()));
        }
        // SAFETY: each has an entry a dimension, while the structure lives.
        let entries = |from: *mut i64| -> Sizes {
            if rank == 0 { Sizes::new() } else { unsafe { std::slice::from_raw_parts(from, rank) }.into() }
        };
        let sizes = entries(t.sizes);
        if sizes.iter().any(|n| *n < 0) {
            return Err(Error::Lent("a tensor of a negative size".into()));
        }
        let strides = if t.strides.is_null() { contiguous_strides(&sizes) } else { entries(t.strides) };
        let bytes: Option<Sizes> = strides.iter().map(|s| s.checked_mul(dtype.size() as i64)).collect();
        Ok(Lent {
            data: t.data.cast::<u8>().wrapping_add(t.byte_offset as usize),
            dtype,
            sizes,
            strides: bytes.ok_or_else(|| Error::Lent("a tensor whose strides fit no memory".into()))?,
            is_writable: !managed.is_read_only(),
            is_swapped: false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn there_and_back<S: Structure>() {
        let t = Tensor::from_vec(vec![1f32, 2., 3., 4., 5., 6.], &[2, 3]);
        let column = t.as_strided(&[2], &[3], 1).expect("inside");
        let managed = export::<S>(&column).expect("f32 is known");
        // SAFETY: it was made just now, and nobody else has it.
        let taken = unsafe { Taken::new(managed) };
        let back = taken
            .tensor(&mut Borrowed::default(), |taken| Ok::<Owner, Error>(Box::new(taken)))
            .expect("what was given");
        assert_eq!((back.sizes(), back.to_vec::<f32>()), (&[2i64][..], vec![2., 5.]));
        assert_eq!(back.bytes_ptr(), column.bytes_ptr());
        let held = t.storage().use_count();
        drop(back);
        assert_eq!(t.storage().use_count(), held - 1, "who gave it is told");
    }

    #[test]
    fn a_tensor_goes_there_and_back_over_its_memory() {
        there_and_back::<Managed>();
        there_and_back::<Versioned>();
    }

    #[test]
    fn dtypes_that_others_lack_are_refused() {
        let t = Tensor::zeros(&[2], DType::QI8).expect("small");
        let refused = export::<Managed>(&t).map(|_| ()).expect_err("no code");
        assert_eq!(refused.to_string(), "DLPack has no qint8");
    }

    /// A structure that counts how often it is let go, changed by `change`.
    fn refusal(change: impl FnOnce(&mut Versioned)) -> (String, usize) {
        unsafe extern "C" fn count(managed: *mut Versioned) {
            // SAFETY: made below, of two boxes' worth: the structure, and the counter in its context.
            let managed = unsafe { Box::from_raw(managed) };
            // SAFETY: as above.
            let counter = unsafe { Arc::from_raw(managed.context.cast::<AtomicUsize>()) };
            counter.fetch_add(1, Ordering::Relaxed);
        }
        let counter = Arc::new(AtomicUsize::new(0));
        let mut sizes = [2i64];
        let tensor = DlTensor {
            data: sizes.as_mut_ptr().cast(),
            device: DEVICE.into(),
            rank: 1,
            code: INT,
            bits: 64,
            lanes: 1,
            sizes: sizes.as_mut_ptr(),
            strides: std::ptr::null_mut(),
            byte_offset: 0,
        };
        let context = Arc::into_raw(counter.clone()).cast_mut().cast();
        let mut managed = Box::new(Versioned::new(tensor, context, count));
        change(&mut managed);
        // SAFETY: the structure is whole but for what `change` lies about, and nobody else has it.
        let taken = unsafe { Taken::new(NonNull::from(Box::leak(managed))) };
        let refused = taken.tensor(&mut Borrowed::default(), |taken| Ok::<Owner, Error>(Box::new(taken)));
        let message = refused.map(|_| ()).expect_err("it lies").to_string();
        (message, counter.load(Ordering::Relaxed))
    }

    #[test]
    fn what_is_refused_is_let_go_once() {
        let told = |message: &str| (message.to_owned(), 1);
        assert_eq!(refusal(|m| m.version[0] = 2), told("a tensor of DLPack 2.0; 1.x is expected"));
        assert_eq!(refusal(|m| m.tensor.rank = 65), told("a tensor of 65 dimensions"));
        assert_eq!(refusal(|m| m.tensor.rank = -1), told("a tensor of -1 dimensions"));
        assert_eq!(refusal(|m| m.tensor.sizes = std::ptr::null_mut()), told("a tensor without sizes"));
        assert_eq!(refusal(|m| m.tensor.lanes = 4), told("a tensor of DLPack's type 0 with 64 bits and 4 lanes"));
        assert_eq!(
            refusal(|m| m.tensor.device[0] = 2),
            told("a tensor on DLPack's device 2: one on the CPU is expected")
        );
    }
}
