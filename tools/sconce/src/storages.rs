//! Storages of an archive in the mapped file, where their elements lie aligned; else copied.

use sconce_archive::pickle::StorageRef;
use sconce_archive::{PtArchive, Record, SharedBytes};
use sconce_schema::DType;
use sconce_script::values::{Copied, Error, Storages};
use sconce_tensor::{Mapping, Storage, Tensor};
use std::ops::Range;
use std::sync::Arc;

/// A file in memory as its archive's reader sees it.
pub struct InFile(pub Arc<Mapping>);

impl SharedBytes for InFile {
    fn size(&self) -> usize {
        self.0.bytes()
    }
    fn show(&self, range: Range<usize>, look: &mut dyn FnMut(&[u8])) -> bool {
        self.0.show(range, look).is_some()
    }
    fn keep(&self, range: Range<usize>) -> Option<&[u8]> {
        self.0.keep(range)
    }
}

/// What elements of every dtype are aligned to: tensors of several may lie in one storage.
const ALIGNMENT: usize = 16;

/// The storages of an archive that was opened on a mapped file.
pub struct Mapped<'a> {
    pub archive: &'a PtArchive,
    /// `None` for an archive in memory.
    pub mapping: Option<Arc<Mapping>>,
}

impl Storages for Mapped<'_> {
    fn storage(&mut self, pickle: &str, storage: &StorageRef) -> Result<Storage, Error> {
        let record = self.archive.storage(pickle, storage).map_err(|e| Error::Tensor(e.to_string()))?;
        match in_place(self.mapping.as_ref(), &record, ALIGNMENT) {
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
pub fn of_record(mapping: Option<&Arc<Mapping>>, record: &Record) -> Result<Storage, sconce_export_program::Error> {
    if let Some(storage) = in_place(mapping, record, ALIGNMENT) {
        return Ok(storage);
    }
    let failed = |e: sconce_tensor::Error| sconce_export_program::Error::Storage(e.to_string());
    let bytes = Tensor::zeros(&[record.size() as i64], DType::U8).map_err(failed)?;
    bytes.write_bytes(record.bytes()?);
    Ok(bytes.storage())
}
