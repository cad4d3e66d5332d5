//! `sconce-opt`: every MLIR dialect and pass, and Sconce's, on `.mlir`, bytecode and TorchScript graph text. Exit status 0; 1 for bad input; 2 for bad usage.
#![forbid(unsafe_code)]

mod rules;

use std::io::IsTerminal;
use std::process::ExitCode;

/// What `--list-pipelines` prints: each name, what it is for, and its passes.
fn pipelines() -> String {
    let line = |(name, description, passes): &(_, _, _)| format!("--{name}: {description}\n  {passes}\n");
    sconce_compiler::passes::pipelines().map(line).collect()
}

fn main() -> ExitCode {
    if let Err(error) = sconce_torch::register().and_then(|()| sconce_compiler::passes::register()) {
        eprintln!("sconce-opt: {error}");
        return ExitCode::FAILURE;
    }
    if std::env::args_os().any(|a| a == "--list-pipelines") {
        print!("{}", pipelines());
        return ExitCode::SUCCESS;
    }
    let arguments: Vec<String> = std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned()).collect();
    match rules::asked(&arguments) {
        Some(Ok(status)) => return status,
        Some(Err(error)) => {
            eprintln!("sconce-opt: {error}");
            return ExitCode::from(2);
        }
        None => {}
    }
    let version = concat!("sconce-opt ", env!("CARGO_PKG_VERSION"));
    let status = sconce_ir::tools::opt_main(std::env::args_os(), version, import);
    u8::try_from(status).map_or(ExitCode::FAILURE, ExitCode::from)
}

/// Graph text is read as the torch dialect; everything else is MLIR's to read.
fn import(name: &str, contents: &[u8]) -> Result<Option<String>, String> {
    let Some(text) = std::str::from_utf8(contents).ok().filter(|text| sconce_import::text::is_graph_text(text)) else {
        return Ok(None);
    };
    let colour = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
    let context = sconce_torch::context(false).map_err(|e| e.to_string())?;
    let imported = sconce_import::text::import_text(&context, name, text, "forward").map_err(|e| e.report(colour))?;
    for warning in imported.warnings {
        eprintln!("{}:{}:{}: warning: {}", warning.file, warning.line, warning.column, warning.message);
    }
    Ok(Some(sconce_ir::text::print_module_with_locations(&imported.module)))
}
