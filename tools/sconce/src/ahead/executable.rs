//! Executables of a program: the runtime, which finds the program at the end of its own file.

use sconce_interpreter::{FormatError, Program};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// What an executable with a program ends with, behind the program's length in 8 bytes.
const MARK: &[u8; 16] = b"\x7fsconce program\n";

/// The runtime with a program behind it.
///
/// # Errors
/// Constants that have no bytes; a runtime that has a program already.
pub fn executable(runtime: &[u8], program: &Program) -> Result<Vec<u8>, FormatError> {
    if runtime.ends_with(MARK) {
        return Err(FormatError::Unwritable("a program inside of another one's executable"));
    }
    let bytes = program.to_bytes()?;
    Ok([runtime, &bytes, &(bytes.len() as u64).to_le_bytes(), MARK].concat())
}

/// The bytes of the program that an executable ends with; `None` if it ends otherwise.
///
/// # Errors
/// A file that cannot be read, or that is shorter than it says.
pub fn program_of(path: &Path) -> std::io::Result<Option<Vec<u8>>> {
    let mut file = File::open(path)?;
    let mut end = [0; 8 + MARK.len()];
    let size = file.seek(SeekFrom::End(0))?;
    let Some(start) = size.checked_sub(end.len() as u64) else { return Ok(None) };
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(&mut end)?;
    let (length, mark) = end.split_at(8);
    if mark != MARK {
        return Ok(None);
    }
    let length = u64::from_le_bytes(length.try_into().unwrap_or_default());
    let first = start.checked_sub(length).ok_or_else(|| {
        std::io::Error::new(std::io::ErrorKind::InvalidData, format!("a program of {length} bytes in a file of {size}"))
    })?;
    file.seek(SeekFrom::Start(first))?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_behind_the_runtime_is_found_and_a_wrong_length_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("model");
        let of = |bytes: &[u8]| {
            std::fs::write(&file, bytes).unwrap();
            program_of(&file)
        };
        let bytes = executable(b"runtime", &Program::default()).unwrap();
        assert_eq!(of(&bytes).unwrap(), Some(Program::default().to_bytes().unwrap()));
        assert!(executable(&bytes, &Program::default()).is_err());
        assert_eq!(of(b"runtime").unwrap(), None);
        assert_eq!(of(b"").unwrap(), None);
        let lying = [&b"runtime"[..], &u64::MAX.to_le_bytes(), MARK].concat();
        assert!(of(&lying).is_err());
    }
}
