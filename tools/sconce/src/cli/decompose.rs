//! An exported program in a smaller operator set, for `sconce convert --decompose` and `sconce show --decompose`.

use crate::files::write_atomically;
use crate::load::{READS_EXPORTED_PROGRAMS, exported_program};
use clap::ValueEnum;
use sconce_archive::write_file;
use sconce_decompose::core_aten;
use sconce_export_program::{Error, ExportedProgram};
use std::path::Path;

/// The operators that a program may call.
#[derive(Clone, Copy, ValueEnum)]
pub enum OperatorSet {
    /// PyTorch's Core ATen.
    CoreAten,
}

/// The program of a file in an operator set.
pub(super) fn decomposed(path: &Path, set: OperatorSet) -> Result<ExportedProgram, String> {
    if !READS_EXPORTED_PROGRAMS {
        return Err(format!("{}: this sconce reads no exported programs", path.display()));
    }
    let program = exported_program(path).map_err(|e| e.to_string())?;
    match set {
        OperatorSet::CoreAten => core_aten(&program).map_err(|e| format!("{}: {e}", path.display())),
    }
}

/// Writes the program of a file in an operator set: an archive, or the text of its graph.
pub(super) fn write(input: &Path, output: &Path, set: OperatorSet) -> Result<(), String> {
    let ending = output.extension().map(|e| e.to_string_lossy().into_owned()).unwrap_or_default();
    match ending.as_str() {
        "pt2" => {
            let program = decomposed(input, set)?;
            let written: Result<(), Error> = write_file(output, |writer| program.write(writer));
            written.map_err(|e| e.to_string())
        }
        "fx" => {
            let text = format!("{}\n", decomposed(input, set)?.graph_module.graph);
            write_atomically(output, text.as_bytes()).map_err(|e| format!("{}: {e}", output.display()))
        }
        other => {
            Err(format!("{}: `.{other}` is no form of a decomposed program, which are .pt2 and .fx", output.display()))
        }
    }
}
