//! The torch dialect's text: what torch-mlir prints parses, verifies and prints unchanged, and survives the generic form.

use super::{Tally, Verdict};
use sconce_ir::prelude::*;

/// Which files are samples of unchanged text. The others (linalg of other passes, broken text, verifier cases) are judged by lit tests.
fn is_sample(name: &str) -> bool {
    let folder = name.rsplit('/').nth(1).unwrap_or("");
    matches!(folder, "samples" | "fx") || name.ends_with(".torch.mlir") || name.ends_with(".backend.mlir")
}

pub fn check(name: &str, text: &str, tally: &mut Tally) {
    if is_sample(name) {
        let verdict = round_trip(name, text).map_or_else(Verdict::Failed, |()| Verdict::Passed);
        tally.add("torch dialect texts", || name.to_string(), verdict);
    }
}

fn round_trip(name: &str, text: &str) -> Result<(), String> {
    let context = crate::engine::context().map_err(|e| e.to_string())?;
    let body = text.trim_start_matches(|c| c == '\n');
    let body = body.lines().skip_while(|l| l.starts_with("//")).collect::<Vec<_>>().join("\n") + "\n";
    let locations = name.ends_with(".loc.mlir");
    let options = PrintOptions { locations, ..PrintOptions::default() };
    let generic = PrintOptions { locations, generic: true, ..PrintOptions::default() };
    let module = parse_module(&context, body.as_bytes(), name).map_err(|e| e.to_string())?;
    let printed = print(module.as_operation(), &options);
    let trimmed = |t: &str| t.trim_end().to_string();
    if trimmed(&printed) != trimmed(&body) {
        let line = body.lines().zip(printed.lines()).position(|(a, b)| a != b).unwrap_or(0);
        let at = |t: &str| t.lines().nth(line).unwrap_or("").trim().to_string();
        return Err(format!("line {}: prints {} instead of {}", line + 1, at(&printed), at(&body)));
    }
    let text = print(module.as_operation(), &generic);
    // A context of its own: resources that are read twice into one get other names.
    let context = crate::engine::context().map_err(|e| e.to_string())?;
    let again = parse_module(&context, text.as_bytes(), name).map_err(|e| format!("generic form: {e}"))?;
    if print(again.as_operation(), &options) != printed {
        return Err("differs after the generic form".into());
    }
    Ok(())
}
