//! safetensors files, through the crate of that name, which checks bounds, holes and overlaps.

use crate::{Array, Error, Limits};
use safetensors::{Dtype, SafeTensors, tensor::TensorView};
use sconce_schema::DType;

const DTYPES: &[(DType, Dtype)] = &[
    (DType::Bool, Dtype::BOOL),
    (DType::U8, Dtype::U8),
    (DType::I8, Dtype::I8),
    (DType::F8E5M2, Dtype::F8_E5M2),
    (DType::F8E4M3FN, Dtype::F8_E4M3),
    (DType::I16, Dtype::I16),
    (DType::U16, Dtype::U16),
    (DType::F16, Dtype::F16),
    (DType::BF16, Dtype::BF16),
    (DType::I32, Dtype::I32),
    (DType::U32, Dtype::U32),
    (DType::F32, Dtype::F32),
    (DType::F64, Dtype::F64),
    (DType::I64, Dtype::I64),
    (DType::U64, Dtype::U64),
    (DType::C64, Dtype::C64),
];

/// Do the bytes begin as such a file does: with the length of a header, then with it, an object of JSON?
pub fn is_one(bytes: &[u8]) -> bool {
    let header = bytes.first_chunk().map(|n| u64::from_le_bytes(*n));
    header.is_some_and(|n| (2..=100_000_000).contains(&n)) && bytes.get(8) == Some(&b'{')
}

/// The arrays of a file, sorted by name.
pub fn read(name: &str, bytes: &[u8], limits: &Limits) -> Result<Vec<(String, Array)>, Error> {
    let file = SafeTensors::deserialize(bytes)
        .map_err(|e| Error::format(name, 0usize, format!("not a safetensors file: {e}")))?;
    let mut out = Vec::new();
    for (key, view) in file.iter() {
        let dtype = DTYPES.iter().find(|r| r.1 == view.dtype()).map(|r| r.0).ok_or_else(|| Error::Unsupported {
            entry: format!("{name}: {key}"),
            what: format!("dtype {:?}", view.dtype()),
            expected: "a dtype of PyTorch's",
        })?;
        Limits::check(key, "the number of dimensions", view.shape().len() as u64, limits.rank)?;
        let sizes = view.shape().iter().map(|&s| s as i64).collect();
        let mut bytes = view.data().to_vec();
        if dtype == DType::Bool {
            bytes.iter_mut().for_each(|b| *b = u8::from(*b != 0));
        }
        out.push((key.to_string(), Array { dtype, sizes, bytes }));
    }
    out.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(out)
}

/// The bytes of a file.
pub fn write(name: &str, arrays: &[(String, Array)]) -> Result<Vec<u8>, Error> {
    let bad = |e: safetensors::SafeTensorError| Error::format(name, 0usize, e.to_string());
    let mut views = Vec::new();
    for (key, a) in arrays {
        let dtype = DTYPES.iter().find(|r| r.0 == a.dtype).ok_or_else(|| Error::Unsupported {
            entry: format!("{name}: {key}"),
            what: format!("dtype {}", a.dtype),
            expected: "a dtype that safetensors has",
        })?;
        let sizes = a.sizes.iter().map(|&s| s as usize).collect();
        views.push((key.as_str(), TensorView::new(dtype.1, sizes, &a.bytes).map_err(bad)?));
    }
    safetensors::serialize(views, None).map_err(bad)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_read_back() {
        let all = vec![
            ("b/0".to_string(), Array { dtype: DType::BF16, sizes: vec![2], bytes: vec![0, 1, 2, 3] }),
            ("x".to_string(), Array { dtype: DType::I64, sizes: vec![], bytes: vec![5; 8] }),
        ];
        let bytes = write("f", &all).unwrap();
        assert_eq!(read("f", &bytes, &Limits::default()).unwrap(), all);
        for n in 0..bytes.len() {
            assert!(read("f", &bytes[..n], &Limits::default()).is_err());
        }
    }
}
