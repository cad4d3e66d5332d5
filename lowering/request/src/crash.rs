//! Questions that were the end of a compiler, kept in a file: `sconce-compiler FILE` asks one again, under a debugger if need be.

use crate::question::{Answer, Question};
use crate::{Compiler, Error};
use std::fs::OpenOptions;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Writes a question to a file of the folder for temporary files that only its owner reads; equal questions share one. Nothing where that cannot be.
pub(crate) fn keep(question: &[u8]) -> Option<PathBuf> {
    let mut hasher = DefaultHasher::new();
    question.hash(&mut hasher);
    let path = std::env::temp_dir().join(format!("sconce-crash-{:016x}.question", hasher.finish()));
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path) {
        Ok(mut file) => file.write_all(question).ok()?,
        // Whoever made it, it is not written over.
        Err(_) => (std::fs::read(&path).ok()? == question).then_some(())?,
    }
    Some(path)
}

/// Asks the question of a file once more, in this process: what is answered, in words.
///
/// # Errors
/// A file that cannot be read or is no question; what the answer itself refuses.
pub fn ask_again(compiler: &dyn Compiler, file: &Path) -> Result<String, Error> {
    let bytes = std::fs::read(file).map_err(|e| Error::Lost(format!("{}: {e}", file.display())))?;
    Ok(match compiler.ask(&Question::from_bytes(&bytes)?)? {
        Answer::Text(text) | Answer::Unsound(text) => text,
        Answer::Placed(placed) => placed.text,
        Answer::Program(compiled) => format!("{} regions were compiled\n", compiled.regions.len()),
        Answer::Unit(_) | Answer::Frozen { .. } | Answer::Blamed(_) => "it was answered\n".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_kept_once_and_for_its_owner_alone() {
        let bytes = b"a question of this test alone";
        let path = keep(bytes).expect("a folder for temporary files");
        assert_eq!(keep(bytes).as_ref(), Some(&path));
        let mode =
            std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&path).expect("it is there").permissions());
        assert_eq!((mode & 0o777, std::fs::read(&path).expect("it is read")), (0o600, bytes.to_vec()));
        std::fs::write(&path, "something else").expect("it is written");
        assert_eq!(keep(bytes), None);
        std::fs::remove_file(path).expect("it goes");
    }
}
