//! Storages of an archive in the mapped file, where their elements lie aligned; else copied.

use sconce_archive::PtArchive;
use sconce_archive::pickle::StorageRef;
use sconce_schema::DType;
use sconce_script::values::{Copied, Error, Storages};
use sconce_tensor::{Mapping, Storage};
use std::sync::Arc;

/// The storages of an archive that was opened on a mapped file.
pub struct Mapped<'a> {
    pub archive: &'a PtArchive,
    /// `None` for an archive in memory.
    pub mapping: Option<Arc<Mapping>>,
}

impl Storages for Mapped<'_> {
    fn storage(&mut self, pickle: &str, storage: &StorageRef) -> Result<Storage, Error> {
        let record = self.archive.storage(pickle, storage).map_err(|e| Error::Tensor(e.to_string()))?;
        let alignment = storage.dtype.map_or(16, DType::size).max(1);
        let range = record.shared_range().filter(|r| !r.is_empty());
        let in_place = range.and_then(|r| self.mapping.as_ref()?.storage(r, alignment));
        match in_place {
            Some(storage) => Ok(storage),
            None => Copied(self.archive).storage(pickle, storage),
        }
    }
}
