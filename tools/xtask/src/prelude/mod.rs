//! What `codegen` makes of the prelude's records: layers become classes, functions become functions, each a text in `frontend/prelude/generated`.

mod functions;
mod layers;

use std::collections::BTreeMap;
use std::path::Path;

/// Where the texts go; nothing else may lie there.
pub const GENERATED: &str = "frontend/prelude/generated";

/// Every generated file with its text, by path below the root.
pub fn generate(root: &Path) -> Result<BTreeMap<String, String>, String> {
    let mut files = layers::generate(root)?;
    files.extend(functions::generate(root)?);
    Ok(files)
}
