//! An exported program becomes an archive that is read to the same program again, and that `torch.export.load` loads.
//!
//! Example inputs are not written, only the empty member that says so: nothing that runs a program asks for them.

mod document;
mod tree;

use crate::archive::{DOCUMENT, MARKS, Payload};
use crate::schema::{self, PayloadConfig, PayloadMeta, SymInt};
use crate::{Error, ExportedProgram, Stored, StoredAs, Table};
use sconce_archive::PtWriter;
use sconce_schema::DType;
use sconce_tensor::{Storage, Tensor, TensorMetadata};
use serde::Serialize;
use std::io::Write;

/// What archives of `torch.export` say in `.data/version`.
const CONTAINER_VERSION: u64 = 6;

/// The example inputs, which PyTorch's reader wants to be there.
const SAMPLE_INPUTS: &str = "data/sample_inputs/model.pt";

impl ExportedProgram {
    /// Writes all of an archive (`torch.export.save`); the writer's name is its folder's.
    ///
    /// # Errors
    /// What the format has no words for, such as a quantized tensor or a function of Python's as an argument; what writing itself refuses.
    pub fn write<W: Write>(&self, mut writer: PtWriter<W>) -> Result<W, Error> {
        for payload in [Payload::Weights, Payload::Constants] {
            self.write_tensors(payload, &mut writer)?;
        }
        writer.member(DOCUMENT, &json(DOCUMENT, &document::document(self)?)?)?;
        writer.member(SAMPLE_INPUTS, &[])?;
        for (mark, text) in MARKS.iter().filter(|(mark, _)| *mark != "byteorder") {
            writer.member(mark, text.as_bytes())?;
        }
        Ok(writer.finish(CONTAINER_VERSION)?)
    }

    /// The tensors of a folder, those that share memory as one member, and the document that says which is which.
    fn write_tensors<W: Write>(&self, payload: Payload, writer: &mut PtWriter<W>) -> Result<(), Error> {
        let mut written: Vec<Storage> = Vec::new();
        let mut config = Vec::new();
        for (name, stored) in self.state.iter().filter(|(_, stored)| folder(stored.stored_as) == payload) {
            let storage = stored.tensor.storage();
            let known = written.iter().position(|w| stored.tensor.is_over(w));
            let path_name = format!("{}_{}", payload.member_stem(), known.unwrap_or(written.len()));
            let wrong = |what: &str| Error::Tensor {
                member: format!("{}/{path_name}", payload.folder()),
                name: name.clone(),
                what: what.to_owned(),
            };
            if known.is_none() {
                let bytes = bytes_of(&storage).ok_or_else(|| wrong("its bytes cannot be counted"))?;
                writer.member(&format!("{}/{path_name}", payload.folder()), &bytes)?;
                written.push(storage.clone());
            }
            let tensor_meta = tensor_meta(stored).ok_or_else(|| wrong("the schema has no such dtype"))?;
            let is_param = stored.stored_as == StoredAs::Parameter;
            let meta = PayloadMeta { path_name, is_param, use_pickle: false, tensor_meta: Some(tensor_meta) };
            config.push((name.clone(), meta));
        }
        let config = PayloadConfig { config: config.into_iter().collect() };
        writer.member(payload.config(), &json(payload.config(), &config)?)?;
        Ok(())
    }
}

fn json<T: Serialize>(member: &str, value: &T) -> Result<Vec<u8>, Error> {
    let bad = |what: String| Error::Json { entry: member.to_owned(), path: String::new(), what };
    serde_json::to_vec(value).map_err(|e| bad(e.to_string()))
}

/// In which folder a tensor lies.
fn folder(stored_as: StoredAs) -> Payload {
    match stored_as {
        StoredAs::Parameter | StoredAs::Buffer { persistent: true } => Payload::Weights,
        StoredAs::Buffer { persistent: false } | StoredAs::Constant => Payload::Constants,
    }
}

fn tensor_meta(stored: &Stored) -> Option<schema::TensorMeta> {
    let tensor = &stored.tensor;
    if tensor.is_quantized() {
        return None;
    }
    let numbers = |all: &[i64]| all.iter().map(|n| SymInt::AsInt(*n)).collect();
    Some(schema::TensorMeta {
        dtype: schema::ScalarType::of_dtype(tensor.dtype())?,
        sizes: numbers(tensor.sizes()),
        requires_grad: stored.stored_as == StoredAs::Parameter && tensor.requires_grad(),
        device: schema::Device { kind: "cpu".to_owned(), index: None },
        strides: numbers(tensor.strides()),
        storage_offset: SymInt::AsInt(tensor.storage_offset()),
        layout: schema::Layout::Strided,
    })
}

/// All bytes of a storage, those that no tensor shows among them.
fn bytes_of(storage: &Storage) -> Option<Vec<u8>> {
    let metadata = TensorMetadata {
        storage: storage.clone(),
        dtype: DType::U8,
        sizes: [i64::try_from(storage.bytes()).ok()?].as_slice().into(),
        strides: [1].as_slice().into(),
        offset: 0,
        quantizer: None,
    };
    Some(Tensor::new(metadata).ok()?.read_bytes())
}

/// A table of entries that are made one by one.
pub(super) type Entries<T> = Vec<(String, T)>;

/// The same as the document has it.
pub(super) fn table<T>(entries: Entries<T>) -> Table<T> {
    entries.into_iter().collect()
}
