//! Files of recordings that passed are noted in a file as they pass, so that a check that was ended, or found failures, need not judge them again.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

/// The notes of a check: a line that says what was asked, then a line for each file of recordings that passed.
pub struct Notes {
    file: File,
    path: String,
    passed: BTreeSet<String>,
    left_out: usize,
}

impl Notes {
    /// Opens the notes of a check that asks this, a line of text; they are begun where there are none.
    ///
    /// # Errors
    /// A file that cannot be read and written; one that another check made.
    pub fn open(path: &Path, asked: &str) -> Result<Notes, String> {
        let shown = path.display().to_string();
        let failed = |e: std::io::Error| format!("{shown}: {e}");
        let mut file =
            File::options().read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(failed)?;
        // The last line of a process that was killed may lack its end.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = text[..whole].lines();
        let had = lines.next();
        if had.is_some_and(|had| had != asked) {
            return Err(format!("{shown}: was begun with other options, and what passed by those is no answer here"));
        }
        if had.is_none() && !text.is_empty() {
            return Err(format!("{shown}: is no file of a check, of which the first line says what was asked"));
        }
        file.set_len(whole as u64).and_then(|()| file.seek(SeekFrom::End(0))).map_err(failed)?;
        let mut notes = Notes { passed: lines.map(str::to_owned).collect(), file, path: shown, left_out: 0 };
        if had.is_none() {
            notes.add(asked)?;
        }
        Ok(notes)
    }

    /// How many files were left out, since they passed before.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// Did a file pass before? It is left out then.
    pub(super) fn leaves_out(&mut self, recording: &str) -> bool {
        let leaves_out = self.passed.contains(recording);
        self.left_out += usize::from(leaves_out);
        leaves_out
    }

    /// Notes that a file passed.
    pub(super) fn add(&mut self, recording: &str) -> Result<(), String> {
        self.file.write_all(format!("{recording}\n").as_bytes()).map_err(|e| format!("{}: {e}", self.path))
    }
}

#[cfg(test)]
mod tests {
    use super::Notes;

    #[test]
    fn what_passed_is_left_out_and_a_line_without_an_end_is_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("notes");
        Notes::open(&path, "calls").and_then(|mut notes| notes.add("a")).expect("a note");
        let mut text = std::fs::read(&path).expect("the notes");
        assert_eq!(text, b"calls\na\n");
        text.extend(b"b");
        std::fs::write(&path, text).expect("a line is cut short");
        let mut notes = Notes::open(&path, "calls").expect("the same question");
        assert!(notes.leaves_out("a") && !notes.leaves_out("b") && notes.left_out() == 1);
        notes.add("c").expect("a note");
        assert_eq!(std::fs::read(&path).expect("the notes"), b"calls\na\nc\n");
        let other = Notes::open(&path, "code").err().expect("another question");
        assert!(other.contains("was begun with other options"), "{other}");
        std::fs::write(&path, "precious").expect("a file of somebody's");
        assert!(Notes::open(&path, "calls").is_err_and(|why| why.contains("is no file of a check")));
        assert_eq!(std::fs::read(&path).expect("the file"), b"precious");
    }
}
