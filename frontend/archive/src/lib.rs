//! Files of tensors become named arrays here, and back; every byte is hostile until it was checked.
//!
//! Nothing here allocates by a number that a file claims before that number was compared with [`limits`] and with the bytes that are there.
#![forbid(unsafe_code)]

pub mod limits;
pub mod npy;
pub mod safetensors;
pub mod zip;

pub use limits::Limits;
use sconce_schema::DType;

/// An array as files hold it: row-major, little-endian, without gaps.
#[derive(Clone, PartialEq, Debug)]
pub struct Array {
    pub dtype: DType,
    pub sizes: Vec<i64>,
    /// `product(sizes) * dtype.size()` bytes.
    pub bytes: Vec<u8>,
}

/// Why a file cannot be read. `Display` names the entry and the offset where there is one.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{entry}: byte {offset}: {what}")]
    Format { entry: String, offset: u64, what: String },
    #[error("{entry}: {what} is {value}, and the limit is {limit}")]
    Limit { entry: String, what: &'static str, value: u64, limit: u64 },
    #[error("{entry}: {what} is not supported (expected {expected})")]
    Unsupported { entry: String, what: String, expected: &'static str },
}

impl Error {
    fn format(entry: &str, offset: usize, what: impl Into<String>) -> Error {
        Error::Format { entry: entry.to_string(), offset: offset as u64, what: what.into() }
    }
}

/// Bytes of an array, or `None` if the product overflows.
fn byte_count(sizes: &[i64], dtype: DType) -> Option<usize> {
    sizes.iter().try_fold(dtype.size(), |n, &s| n.checked_mul(usize::try_from(s).ok()?))
}

/// Reads the arrays of a file by its name's ending: `.npy` (one array, named by the empty string), `.npz`, `.safetensors`.
pub fn read_arrays(name: &str, bytes: &[u8], limits: &Limits) -> Result<Vec<(String, Array)>, Error> {
    match name.rsplit('.').next() {
        Some("npy") => Ok(vec![(String::new(), npy::read(name, bytes, limits)?)]),
        Some("npz") => npy::read_npz(bytes, limits),
        Some("safetensors") => safetensors::read(name, bytes, limits),
        _ => Err(Error::Unsupported {
            entry: name.to_string(),
            what: "a file of this ending".to_string(),
            expected: ".npy, .npz or .safetensors",
        }),
    }
}

/// The bytes of a file that holds these arrays, by the ending of its name.
pub fn write_arrays(name: &str, arrays: &[(String, Array)]) -> Result<Vec<u8>, Error> {
    match name.rsplit('.').next() {
        Some("npy") => match arrays {
            [(_, array)] => npy::write(name, array),
            _ => Err(Error::Unsupported {
                entry: name.to_string(),
                what: format!("a file of {} arrays", arrays.len()),
                expected: "exactly one array in a .npy file; .npz and .safetensors hold several",
            }),
        },
        Some("npz") => npy::write_npz(arrays),
        Some("safetensors") => safetensors::write(name, arrays),
        _ => Err(Error::Unsupported {
            entry: name.to_string(),
            what: "a file of this ending".to_string(),
            expected: ".npy, .npz or .safetensors",
        }),
    }
}
