//! Reads an archive of `torch.export` and writes the program again: `cargo run -p sconce-export-program --example rewrite -- IN.pt2 OUT.pt2`.

use sconce_archive::{Container, Limits, Record, write_file};
use sconce_export_program::{Archive, Error, ExportedProgram};
use sconce_schema::DType;
use sconce_tensor::{Storage, Tensor};
use std::path::Path;
use std::process::ExitCode;

fn storage(record: &Record) -> Result<Storage, Error> {
    let bytes = Tensor::zeros(&[record.size() as i64], DType::U8).map_err(|e| Error::Storage(e.to_string()))?;
    bytes.write_bytes(record.bytes()?);
    Ok(bytes.storage())
}

fn rewrite(from: &str, to: &str) -> Result<(), Error> {
    let limits = Limits::default();
    let archive = Archive::new(from, Container::open(from, &limits)?, &limits)?;
    let program = ExportedProgram::read(&archive, &limits, &mut storage)?;
    write_file(Path::new(to), |writer| program.write(writer))
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [from, to] = &arguments[..] else {
        eprintln!("usage: rewrite IN.pt2 OUT.pt2");
        return ExitCode::FAILURE;
    };
    match rewrite(from, to) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::FAILURE
        }
    }
}
