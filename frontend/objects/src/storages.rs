//! The storages of an archive, each made once: in place where the file is mapped and the elements lie aligned, else copied.

use crate::Error;
use rustc_hash::FxHashMap;
use sconce_archive::pickle::{StorageRef, TensorRef};
use sconce_archive::{PtArchive, Record};
use sconce_schema::DType;
use sconce_tensor::{Mapping, Storage, Tensor, TensorMetadata};
use std::sync::Arc;

/// The storages that tensors of an archive share.
pub struct Storages<'a> {
    archive: &'a PtArchive,
    /// The file that the archive was opened on.
    mapping: Option<Arc<Mapping>>,
    /// By pickle, key, and whether they hold bools, which are 0 or 1 where other bytes may be anything.
    made: FxHashMap<(String, String, bool), Storage>,
}

impl<'a> Storages<'a> {
    pub fn new(archive: &'a PtArchive, mapping: Option<Arc<Mapping>>) -> Storages<'a> {
        Storages { archive, mapping, made: FxHashMap::default() }
    }

    /// The tensor that a pickle describes, a view of its storage.
    pub fn tensor(&mut self, entry: &str, path: &str, tensor: &TensorRef) -> Result<Tensor, Error> {
        let wrong = |what: String| Error::Value { entry: entry.to_owned(), path: path.to_owned(), what };
        if tensor.quantizer.is_some() {
            return Err(wrong("quantized tensors are not supported".to_owned()));
        }
        let storage = self.storage(entry, path, &tensor.storage, tensor.dtype)?;
        let metadata = TensorMetadata {
            storage,
            dtype: tensor.dtype,
            sizes: tensor.sizes.iter().copied().collect(),
            strides: tensor.strides.iter().copied().collect(),
            offset: tensor.offset,
        };
        let made = Tensor::new(metadata);
        let made = made.map_err(|source| Error::Tensor { entry: entry.to_owned(), path: path.to_owned(), source })?;
        made.set_requires_grad(tensor.requires_grad);
        Ok(made)
    }

    fn storage(&mut self, entry: &str, path: &str, storage: &StorageRef, dtype: DType) -> Result<Storage, Error> {
        let key = (entry.to_owned(), storage.key.to_string(), dtype == DType::Bool);
        if let Some(made) = self.made.get(&key) {
            return Ok(made.clone());
        }
        let record = self.archive.storage(entry, storage)?;
        let made = self.in_place(&record, dtype);
        let made = match made {
            Some(storage) => storage,
            None => copied(&record, dtype).ok_or_else(|| Error::Value {
                entry: entry.to_owned(),
                path: path.to_owned(),
                what: format!("a tensor of {} bytes does not fit into memory", record.len()),
            })?,
        };
        self.made.insert(key, made.clone());
        Ok(made)
    }

    fn in_place(&self, record: &Record, dtype: DType) -> Option<Storage> {
        let valid = dtype != DType::Bool || record.iter().all(|b| *b <= 1);
        let range = record.shared_range().filter(|r| valid && !r.is_empty())?;
        // The widest vector loads need less than the 64 bytes that archives align to; elements need their own size.
        self.mapping.as_ref()?.storage(range, dtype.size().max(1))
    }
}

/// The bytes in a storage of their own. A bool is 0 or 1, whatever the file says.
fn copied(record: &Record, dtype: DType) -> Option<Storage> {
    let bytes = Tensor::zeros(&[i64::try_from(record.len()).ok()?], DType::U8).ok()?;
    if dtype == DType::Bool {
        bytes.write_bytes(&record.iter().map(|b| u8::from(*b != 0)).collect::<Vec<u8>>());
    } else {
        bytes.write_bytes(record);
    }
    Some(bytes.storage().clone())
}
