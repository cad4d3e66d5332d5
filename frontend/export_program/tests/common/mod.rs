//! The recorded programs, read as a tool would.

use sconce_archive::{Container, Limits, Record};
use sconce_corpus::{Corpus, testdata};
use sconce_export_program::{Archive, Error, ExportedProgram};
use sconce_schema::DType;
use sconce_tensor::{Storage, Tensor};
use std::sync::Arc;

pub fn recorded() -> Corpus {
    testdata("export").expect("testdata/export.tar.zst")
}

/// The archives, with the names of their programs.
pub fn archives(corpus: &Corpus) -> Vec<(&str, &[u8])> {
    let archives: Vec<_> = corpus.iter().filter_map(|(p, b)| Some((p.strip_suffix("/program.pt2")?, b))).collect();
    assert_eq!(archives.len(), 56);
    archives
}

/// Copies: tests have no mapped files.
pub fn storage(record: &Record) -> Result<Storage, Error> {
    let bytes = Tensor::zeros(&[record.size() as i64], DType::U8).map_err(|e| Error::Storage(e.to_string()))?;
    bytes.write_bytes(record.bytes()?);
    Ok(bytes.storage())
}

pub fn open(bytes: &[u8]) -> Result<ExportedProgram, Error> {
    let limits = Limits::default();
    let container = Container::from_shared("program.pt2", Arc::new(bytes.to_vec()), &limits)?;
    ExportedProgram::read(&Archive::new("program.pt2", container, &limits)?, &limits, &mut storage)
}
