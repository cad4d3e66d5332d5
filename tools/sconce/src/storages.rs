//! Storages of an archive in the mapped file, where their elements lie aligned; else copied.

use sconce_archive::pickle::StorageRef;
use sconce_archive::{PtArchive, Record};
use sconce_schema::DType;
use sconce_script::values::{Copied, Error, Storages};
use sconce_tensor::{Mapping, Storage, Tensor};
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
        match in_place(self.mapping.as_ref(), &record, alignment) {
            Some(storage) => Ok(storage),
            None => Copied(self.archive).storage(pickle, storage),
        }
    }
}

/// The storage that a record is in a mapped file; none where the file is not mapped or its elements are not aligned.
fn in_place(mapping: Option<&Arc<Mapping>>, record: &Record, alignment: usize) -> Option<Storage> {
    let range = record.shared_range().filter(|r| !r.is_empty())?;
    mapping?.storage(range, alignment)
}

/// The storage of a record: in the mapped file, or a copy.
///
/// # Errors
/// No memory for a copy.
pub fn of_record(
    mapping: Option<&Arc<Mapping>>,
    record: &Record,
    alignment: usize,
) -> Result<Storage, sconce_tensor::Error> {
    if let Some(storage) = in_place(mapping, record, alignment) {
        return Ok(storage);
    }
    let bytes = Tensor::zeros(&[record.len() as i64], DType::U8)?;
    bytes.write_bytes(record);
    Ok(bytes.storage().clone())
}
