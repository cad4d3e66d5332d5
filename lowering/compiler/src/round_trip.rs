//! Whether a text comes back from the dialect: the judge of printers and readers.

use crate::context;
use sconce_import::text::{export, import_text};
use sconce_ir::prelude::*;
use sconce_request::Subject;
use sconce_syntax::graph_text::Spelling;

/// Graph text as it is after it was MLIR text; of a sample of the dialect, nothing, or what differs.
pub(crate) fn check(subject: &Subject) -> Result<String, String> {
    match subject {
        Subject::GraphText { name, text } => graph_text(name, text),
        Subject::Mlir { name, bytes } => {
            let text = std::str::from_utf8(bytes).map_err(|e| e.to_string())?;
            dialect(name, text).map(|()| String::new())
        }
        Subject::Unit(_) | Subject::Object { .. } => Err("a unit is no text".into()),
    }
}

fn graph_text(name: &str, text: &str) -> Result<String, String> {
    let context = context()?;
    let imported = import_text(&context, name, text, "graph").map_err(|e| e.to_string())?;
    let mlir = print_module_with_locations(&imported.module);
    let module = parse_module(&context, mlir.as_bytes(), "round-trip.mlir").map_err(|e| e.to_string())?;
    export(&module, Spelling::Colons).map_err(|e| e.to_string())
}

/// Parses, verifies, prints unchanged, and survives the generic form.
fn dialect(name: &str, text: &str) -> Result<(), String> {
    let first = context()?;
    let body = text.trim_start_matches('\n');
    let body = body.lines().skip_while(|l| l.starts_with("//")).collect::<Vec<_>>().join("\n") + "\n";
    let locations = name.ends_with(".loc.mlir");
    let options = PrintOptions { locations, ..PrintOptions::default() };
    let generic = PrintOptions { locations, generic: true, ..PrintOptions::default() };
    let module = parse_module(&first, body.as_bytes(), name).map_err(|e| e.to_string())?;
    let printed = print(module.as_operation(), &options);
    let trimmed = |t: &str| t.trim_end().to_string();
    if trimmed(&printed) != trimmed(&body) {
        let line = body.lines().zip(printed.lines()).position(|(a, b)| a != b).unwrap_or(0);
        let at = |t: &str| t.lines().nth(line).unwrap_or("").trim().to_string();
        return Err(format!("line {}: prints {} instead of {}", line + 1, at(&printed), at(&body)));
    }
    let text = print(module.as_operation(), &generic);
    // A context of its own: resources that are read twice into one get other names.
    let second = context()?;
    let again = parse_module(&second, text.as_bytes(), name).map_err(|e| format!("generic form: {e}"))?;
    if print(again.as_operation(), &options) != printed {
        return Err("differs after the generic form".into());
    }
    Ok(())
}
