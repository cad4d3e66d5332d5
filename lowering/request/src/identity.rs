//! Which build of a compiler answers: a program's file that was changed or replaced is another compiler, also under the same version; on other machines one of the
//! same content is the same.

use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Where this build found MLIR and LLVM; its compiler loads them from there.
const PREFIX: Option<&str> = option_env!("MLIR_SYS_220_PREFIX");
/// What of them makes the code.
const LIBRARIES: &[&str] = &["lib/libMLIR.so", "lib/libLLVM.so"];

/// The identity of the program in this file and of the libraries that it compiles with: where each lies and when it came there, which the system keeps and nobody
/// sets. Their content is not read: that would take longer than most compilations that a cache saves. None if there is no such program.
pub fn identity_of(program: &Path) -> Option<String> {
    let mut identity = of_file(program)?;
    for library in libraries() {
        // One that is not there is linked into the program.
        if let Some(library) = of_file(&library) {
            identity = format!("{identity}; {library}");
        }
    }
    Some(identity)
}

/// The sum of the content of the program and of these libraries: equal on machines that have the same compiler, wherever it lies and whenever it came there. Reading
/// them takes some tenths of a second. None if one of them cannot be read.
pub fn content_of(program: &Path) -> Option<[u8; 32]> {
    let mut sum = blake3::Hasher::new();
    let libraries = libraries().filter(|library| library.exists());
    for path in std::iter::once(program.to_owned()).chain(libraries) {
        let file = File::open(path).ok()?;
        // Files end where their lengths say, so that none can be told as a part of another.
        sum.update(&file.metadata().ok()?.len().to_le_bytes());
        sum.update_reader(file).ok()?;
    }
    Some(*sum.finalize().as_bytes())
}

fn libraries() -> impl Iterator<Item = PathBuf> {
    LIBRARIES.iter().filter_map(|name| Some(Path::new(PREFIX?).join(name)))
}

fn of_file(path: &Path) -> Option<String> {
    let path = path.canonicalize().ok()?;
    let file = path.metadata().ok().filter(|m| m.is_file())?;
    let (modified, changed) = ((file.mtime(), file.mtime_nsec()), (file.ctime(), file.ctime_nsec()));
    Some(format!("{path:?} of {} bytes, modified {modified:?}, changed {changed:?}", file.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_written_again_is_another() {
        let folder = tempfile::tempdir().expect("a folder");
        let (program, link) = (folder.path().join("compiler"), folder.path().join("link"));
        assert_eq!(identity_of(&program), None);
        assert_eq!(identity_of(folder.path()), None);
        std::fs::write(&program, "one").expect("a file");
        std::os::unix::fs::symlink(&program, &link).expect("a link");
        let first = identity_of(&program).expect("it is there");
        assert_eq!(identity_of(&program).as_ref(), Some(&first));
        assert_eq!(identity_of(&link).as_ref(), Some(&first));
        // Of the same size, and as old as the first: what `cp -p` and `rsync -t` leave.
        let modified = std::fs::metadata(&program).and_then(|m| m.modified()).expect("a time");
        std::thread::sleep(std::time::Duration::from_millis(20));
        std::fs::write(&program, "two").expect("a file");
        std::fs::File::options().write(true).open(&program).and_then(|f| f.set_modified(modified)).expect("a time");
        assert_ne!(identity_of(&program), Some(first));
    }

    #[test]
    fn a_copy_elsewhere_has_the_same_content() {
        let folder = tempfile::tempdir().expect("a folder");
        let [one, copy, other] = ["one", "copy", "other"].map(|name| folder.path().join(name));
        for (path, text) in [(&one, "compiler"), (&copy, "compiler"), (&other, "Compiler")] {
            std::fs::write(path, text).expect("a file");
        }
        assert_ne!(identity_of(&one), identity_of(&copy));
        assert!(content_of(&one).is_some());
        assert_eq!(content_of(&one), content_of(&copy));
        assert_ne!(content_of(&one), content_of(&other));
        assert_eq!(content_of(&folder.path().join("none")), None);
    }
}
