//! What an archive stores becomes the interpreter's values and back: what was one object stays one, views of one storage stay views, and tensors lie in the mapped file.
#![forbid(unsafe_code)]

mod read;
mod storages;

pub use read::{Classes, Layout, NoClasses, Reader};
pub use storages::Storages;

/// Why a value of an archive is none of the program's, or the reverse.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Archive(#[from] sconce_archive::Error),
    /// `path` leads from the root to the value: `self.layers.weight`.
    #[error("{entry}: {path}: {what}")]
    Value { entry: String, path: String, what: String },
    #[error("{entry}: {path}: {source}")]
    Tensor { entry: String, path: String, source: sconce_tensor::Error },
    /// Running `__setstate__` or `__getstate__` failed.
    #[error("{class}: {message}")]
    Call { class: String, message: String },
}
