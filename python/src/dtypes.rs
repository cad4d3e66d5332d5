//! What NumPy calls an element type: the array interface's kind with a size, or a name of `ml_dtypes`.

use sconce::schema::DType;
use sconce::tensor::dlpack::{self, BOOL, COMPLEX, FLOAT, INT, UINT};

/// The kind that NumPy knows a dtype by. It lacks some that DLPack has: those are `ml_dtypes`', under the names that PyTorch has for them too.
pub fn kind(dtype: DType) -> Option<u8> {
    match dlpack::code(dtype)? {
        // A complex number of two halves.
        COMPLEX if dtype == DType::C32 => None,
        INT => Some(b'i'),
        UINT => Some(b'u'),
        FLOAT => Some(b'f'),
        COMPLEX => Some(b'c'),
        BOOL => Some(b'b'),
        _ => None,
    }
}

/// The dtype of a kind and a size in bytes of the array interface.
pub fn of_kind(of: u8, bytes: usize) -> Option<DType> {
    DType::all().find(|dtype| kind(*dtype) == Some(of) && dtype.size() == bytes)
}

/// The dtype that `ml_dtypes` has under this name and NumPy lacks.
pub fn of_name(name: &str) -> Option<DType> {
    DType::from_torch_name(name).filter(|dtype| dlpack::code(*dtype).is_some() && kind(*dtype).is_none())
}
