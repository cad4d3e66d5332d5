//! What `sconce-opt` reads beside MLIR, and prints beside it: TorchScript archives, source and graph text, as the torch dialect.

use sconce_graph::instances::Described;
use sconce_ir::prelude::*;
use sconce_request::lift_weights;
use sconce_syntax::graph_text::Spelling;
use std::path::Path;

/// Archives, source and graph text as MLIR text; everything else is MLIR's to read. By content, but for source, which goes by its name as elsewhere.
pub fn import(name: &str, contents: &[u8]) -> Result<Option<String>, String> {
    if sconce_archive::zip::is_one(contents) || name.ends_with(".py") {
        // What is wrong with source says so itself, with its place.
        let located = |why: String| if why.starts_with("error:") { why } else { format!("{name}: error: {why}") };
        return program(name, contents).map(Some).map_err(located);
    }
    let Some(text) = std::str::from_utf8(contents).ok().filter(|text| sconce_import::text::is_graph_text(text)) else {
        return Ok(None);
    };
    let colour = anstream::AutoStream::choice(&std::io::stderr()) != anstream::ColorChoice::Never;
    let context = sconce_torch::context(false).map_err(|e| e.to_string())?;
    let imported = sconce_import::text::import_text(&context, name, text, "forward").map_err(|e| e.report(colour))?;
    for warning in imported.warnings {
        eprintln!("{}:{}:{}: warning: {}", warning.file, warning.line, warning.column, warning.message);
    }
    Ok(Some(sconce_ir::text::print_module_with_locations(&imported.module)))
}

/// A program with the object that it is about. Large tensors are constants with a name: their elements stay in the file.
fn program(name: &str, contents: &[u8]) -> Result<String, String> {
    let function = Path::new(name).file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let engine = sconce::Engine::shared().map_err(|e| e.to_string())?;
    let loaded = engine.load_bytes(name, &function, contents).map_err(|e| e.to_string())?;
    let mut unit = loaded.unit().cloned().ok_or("there is no graph of it")?;
    lift_weights(&mut unit);
    let described = loaded.root().and_then(|root| Described::of(&unit, root));
    let objects = described.map(|described| described.instances).unwrap_or_default();
    let context = sconce_torch::context(false).map_err(|e| e.to_string())?;
    let module = sconce_import::with_object(&context, &unit, &objects).map_err(|e| e.to_string())?;
    Ok(sconce_ir::text::print_module_with_locations(&module))
}

/// MLIR bytecode as graph text.
pub fn export(name: &str, contents: &[u8]) -> Result<Option<String>, String> {
    let context = sconce_torch::context(false).map_err(|e| e.to_string())?;
    let failed = |why: String| format!("{name}: error: {why}");
    let module = parse_module(&context, contents, name).map_err(|e| failed(e.to_string()))?;
    sconce_import::text::export(&module, Spelling::Colons).map(Some).map_err(|e| failed(e.to_string()))
}
