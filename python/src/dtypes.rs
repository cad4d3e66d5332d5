//! What other libraries call an element type: the array interface's kind with a size, DLPack's code with bits.

use sconce::schema::DType;

/// DLPack's codes of what several dtypes share.
const INT: u8 = 0;
const UINT: u8 = 1;
const FLOAT: u8 = 2;
const COMPLEX: u8 = 5;

/// One row a dtype that others know: itself, the kind that the array interface has for it (NumPy itself lacks some: those are `ml_dtypes`', under the names that
/// PyTorch has for them too), and DLPack's code. Its size is the dtype's own.
const TABLE: &[(DType, Option<u8>, u8)] = &[
    (DType::U8, Some(b'u'), UINT),
    (DType::U16, Some(b'u'), UINT),
    (DType::U32, Some(b'u'), UINT),
    (DType::U64, Some(b'u'), UINT),
    (DType::I8, Some(b'i'), INT),
    (DType::I16, Some(b'i'), INT),
    (DType::I32, Some(b'i'), INT),
    (DType::I64, Some(b'i'), INT),
    (DType::F16, Some(b'f'), FLOAT),
    (DType::F32, Some(b'f'), FLOAT),
    (DType::F64, Some(b'f'), FLOAT),
    (DType::BF16, None, 4),
    (DType::C32, None, COMPLEX),
    (DType::C64, Some(b'c'), COMPLEX),
    (DType::C128, Some(b'c'), COMPLEX),
    (DType::Bool, Some(b'b'), 6),
    (DType::F8E4M3FN, None, 10),
    (DType::F8E4M3FNUZ, None, 11),
    (DType::F8E5M2, None, 12),
    (DType::F8E5M2FNUZ, None, 13),
];

fn row(dtype: DType) -> Option<&'static (DType, Option<u8>, u8)> {
    TABLE.iter().find(|row| row.0 == dtype)
}

/// The dtype of a kind and a size in bytes of the array interface.
pub fn of_kind(kind: u8, bytes: usize) -> Option<DType> {
    TABLE.iter().find(|row| row.1 == Some(kind) && row.0.size() == bytes).map(|row| row.0)
}

/// The kind that NumPy knows a dtype by.
pub fn kind(dtype: DType) -> Option<u8> {
    row(dtype)?.1
}

/// The dtype that `ml_dtypes` has under this name and NumPy lacks.
pub fn of_name(name: &str) -> Option<DType> {
    DType::from_torch_name(name).filter(|dtype| row(*dtype).is_some_and(|row| row.1.is_none()))
}

/// The dtype of DLPack's code and bits.
pub fn of_dlpack(code: u8, bits: u8) -> Option<DType> {
    TABLE.iter().find(|row| row.2 == code && row.0.size() * 8 == usize::from(bits)).map(|row| row.0)
}

/// DLPack's code of a dtype.
pub fn dlpack_code(dtype: DType) -> Option<u8> {
    row(dtype).map(|row| row.2)
}
