//! Files of tensors and TorchScript archives become arrays, values and code here, and back; every byte is hostile until it was checked.
//!
//! Nothing here allocates by a number that a file claims before that number was compared with [`Limits`] and with the bytes that are there, and
//! nothing is executed: [`pickle`] knows a fixed list of names.
//!
//! ```no_run
//! use sconce_archive::{Limits, PtArchive, pickle::Value};
//! let archive = PtArchive::open("model.pt", &Limits::default())?;
//! for code in archive.code_files() {
//!     println!("{} is {} bytes, of {}", code.path, code.text.len(), code.module());
//!     if let Some(ranges) = archive.debug_ranges(code)? {
//!         // where the text at byte 100 was written
//!         let range = ranges.find(100);
//!         println!("{:?}", range.map(|r| r.to_string()));
//!     }
//! }
//! if let Some(data) = archive.data() {
//!     if let Value::Object(module) = data.root() {
//!         let Some(attributes) = data[module.state].as_dict() else { return Ok(()) };
//!         for (name, value) in &attributes.entries {
//!             if let Value::Tensor(tensor) = &data[*value] {
//!                 // Mapped, not copied; views of one storage have the same `tensor.storage.key`.
//!                 let storage = archive.tensor_storage("data.pkl", tensor)?;
//!                 println!("{:?}: {} {:?} of {} bytes", data[*name].as_str(), tensor.dtype, tensor.sizes, storage.size());
//!             }
//!         }
//!     }
//! }
//! # Ok::<(), sconce_archive::Error>(())
//! ```
#![deny(unsafe_code)]

mod container;
mod debug;
mod eager;
mod json;
pub mod limits;
pub mod model_json;
pub mod npy;
pub mod pickle;
mod pt;
mod pt_write;
pub mod safetensors;
mod source;
pub mod zip;

pub use container::Container;
pub use debug::{DebugEntry, DebugRanges};
pub use limits::Limits;
pub use pt::{CodeFile, Layout, PtArchive};
pub use pt_write::{PtWriter, write_file};
use sconce_schema::DType;
pub use source::{Kept, Record, SharedBytes};

/// An array as files hold it: row-major, little-endian, without gaps.
#[derive(Clone, PartialEq, Debug)]
pub struct Array {
    pub dtype: DType,
    pub sizes: Vec<i64>,
    /// `product(sizes) * dtype.size()` bytes.
    pub bytes: Vec<u8>,
}

/// Why a file cannot be read or written. `Display` names the entry and the offset where there is one.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error("{entry}: byte {offset}: {what}")]
    Format { entry: String, offset: u64, what: String },
    #[error("{entry}: byte {offset}: the sum is {found:08x}, expected {expected:08x}")]
    Checksum { entry: String, offset: u64, found: u32, expected: u32 },
    #[error("{entry}: byte {offset}: the pickle names `{global}`, which is not among the names an archive may use")]
    Global { entry: String, offset: u64, global: String },
    #[error("{entry}: {what} is {value}, and the limit is {limit}")]
    Limit { entry: String, what: &'static str, value: u64, limit: u64 },
    #[error("{entry}: {what} is not supported (expected {expected})")]
    Unsupported { entry: String, what: String, expected: &'static str },
    #[error("{entry}: the archive has no such member")]
    Missing { entry: String },
    /// A file of another kind; `what` says which and what reads it.
    #[error("{file}: {what}")]
    Foreign { file: String, what: String },
    #[error("{entry}: {what}")]
    Io { entry: String, what: String },
}

impl Error {
    fn format(entry: &str, offset: impl Offset, what: impl Into<String>) -> Error {
        Error::Format { entry: entry.to_string(), offset: offset.to_u64(), what: what.into() }
    }
    fn unsupported(entry: &str, what: impl Into<String>, expected: &'static str) -> Error {
        Error::Unsupported { entry: entry.to_string(), what: what.into(), expected }
    }
    fn io(entry: &str, error: &std::io::Error) -> Error {
        Error::Io { entry: entry.to_string(), what: error.to_string() }
    }
}

/// Offsets are counted in 64 bits in files and in `usize` in slices.
trait Offset {
    fn to_u64(self) -> u64;
}
impl Offset for u64 {
    fn to_u64(self) -> u64 {
        self
    }
}
impl Offset for usize {
    fn to_u64(self) -> u64 {
        self as u64
    }
}

/// Bytes of an array, or `None` if the product overflows.
fn byte_count(sizes: &[i64], dtype: DType) -> Option<usize> {
    sizes.iter().try_fold(dtype.size(), |n, &s| n.checked_mul(usize::try_from(s).ok()?))
}

/// Reads the arrays of a file by its name's ending: `.npy` (one array, named by the empty string), `.npz`, `.safetensors`, and `.pt`, `.pth` or `.bin`: the
/// tensors of a state dict that torch.save wrote, or of the module in a TorchScript archive, by their dotted names. A name that ends otherwise, such as a pipe's,
/// leaves it to what the file begins with.
pub fn read_arrays(name: &str, bytes: &[u8], limits: &Limits) -> Result<Vec<(String, Array)>, Error> {
    match name.rsplit('.').next() {
        Some("npy") => Ok(vec![(String::new(), npy::read(name, bytes, limits)?)]),
        Some("npz") => npy::read_npz(bytes, limits),
        Some("safetensors") => safetensors::read(name, bytes, limits),
        Some("pt" | "pth" | "bin") => eager::read(name, bytes, limits),
        _ if npy::is_one(bytes) => Ok(vec![(String::new(), npy::read(name, bytes, limits)?)]),
        _ if safetensors::is_one(bytes) => safetensors::read(name, bytes, limits),
        _ if zip::is_one(bytes) => npy::read_npz(bytes, limits).or_else(|_| eager::read(name, bytes, limits)),
        _ => Err(Error::Unsupported {
            entry: name.to_string(),
            what: "a file of this ending".to_string(),
            expected: ".npy, .npz, .safetensors, .pt, .pth or .bin",
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
