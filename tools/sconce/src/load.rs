//! What a file holds decides how it is read, not what it is called; only text that could be several things goes by its name.

use crate::engine::Engine;
use crate::error::Error;
use crate::module::Module;
use sconce_interpreter::Program;
use sconce_ir::prelude::*;
use std::path::Path;

/// The name of a single graph's function: the file's, up to its first dot.
fn stem(path: &Path) -> String {
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    name.split('.').next().filter(|s| !s.is_empty()).unwrap_or("forward").to_string()
}

pub(crate) fn file<'e>(engine: &'e Engine, path: &Path) -> Result<Module<'e>, Error> {
    let shown = path.display().to_string();
    let read = std::fs::read(path).map_err(|source| Error::Io { path: shown.clone(), source })?;
    bytes(engine, &shown, &stem(path), &read)
}

pub(crate) fn bytes<'e>(engine: &'e Engine, name: &str, function: &str, bytes: &[u8]) -> Result<Module<'e>, Error> {
    if bytes.starts_with(&sconce_interpreter::MAGIC) {
        return Ok(engine.load_program(Program::from_bytes(bytes)?.into()));
    }
    let text = std::str::from_utf8(bytes).ok();
    let first = text.and_then(|t| t.lines().map(str::trim).find(|l| !l.is_empty() && !l.starts_with('#')));
    let is_graph = first.is_some_and(|l| l.starts_with("graph") || l.starts_with("== "));
    let mlir = match text {
        Some(text) if is_graph => sconce_graph::import_text(&engine.context, name, text, function)?.module,
        _ if name.ends_with(".mlir") || name.ends_with(".mlirbc") => parse_module(&engine.context, bytes, name)?,
        _ => {
            let first = first.unwrap_or("not text").chars().take(60).collect();
            return Err(Error::UnknownFile { path: name.into(), first });
        }
    };
    engine.load_mlir(mlir)
}
