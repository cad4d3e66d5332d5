//! Files appear under their final name whole or not at all, and what stood under it stays what it was: a link, a pipe, a file of that mode. `-` is standard
//! input or output.

use sconce_tensor::Memory;
use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result, Write as _, stdin, stdout};
use std::path::{Path, PathBuf};

/// The bytes of what has no length that is known before, and cannot be mapped: standard input, a pipe. `None` for a file.
pub fn read_stream(path: &Path) -> Option<Result<Vec<u8>>> {
    if path.as_os_str() == "-" {
        return Some(read_to_end(&mut stdin().lock()));
    }
    let there = std::fs::metadata(path).ok()?;
    let is_stream = !there.is_file() && !there.is_dir();
    is_stream.then(|| read_to_end(&mut File::open(path)?))
}

/// Bytes of a file, or of a stream to its end.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    read_stream(path).unwrap_or_else(|| std::fs::read(path))
}

/// A stream may go on for ever: it ends where memory does.
fn read_to_end(stream: &mut impl Read) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    while stream.take(1 << 20).read_to_end(&mut bytes)? > 0 {
        if !Memory::has_room(bytes.len()) {
            let what = format!("it does not end after {} bytes, and more do not fit into memory", bytes.len());
            return Err(Error::new(ErrorKind::OutOfMemory, what));
        }
    }
    Ok(bytes)
}

/// Links that are followed from a name to its file, as many as the system follows.
const MOST_LINKS: usize = 40;

/// Writes a file without a name, or under a temporary one, in the same folder, then gives it the name. A link stays and what it leads to is replaced; a file
/// that is replaced keeps its mode; into a pipe or a device the bytes are written as they come.
///
/// # Errors
/// Those of the system; the file is then as it was.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<()> {
    if path.as_os_str() == "-" {
        return stdout().write_all(bytes);
    }
    let path = &followed(path)?;
    let there = match std::fs::metadata(path) {
        Ok(there) if there.is_file() => Some(there),
        // A folder is refused by opening it.
        Ok(_) => return File::options().write(true).open(path)?.write_all(bytes),
        Err(_) => None,
    };
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let keep_mode = |file: &File| there.as_ref().map_or(Ok(()), |there| file.set_permissions(there.permissions()));
    #[cfg(target_os = "linux")]
    if let Some(mut file) = unnamed(folder)? {
        file.write_all(bytes)?;
        keep_mode(&file)?;
        return give_name(&file, path, folder);
    }
    let mut file = builder().tempfile_in(folder)?;
    file.write_all(bytes)?;
    keep_mode(file.as_file())?;
    file.persist(path)?;
    Ok(())
}

/// The name that links under this one lead to, if any; the file need not be there.
fn followed(path: &Path) -> Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(target) = std::fs::read_link(&path) else { return Ok(path) };
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    Err(Error::other("too many links"))
}

/// Temporary files are their owner's alone; these become files like any other, as the umask says.
fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder
}

/// A file that no name leads to yet, so that a process which is killed leaves nothing; `None` where the file system has none such.
#[cfg(target_os = "linux")]
fn unnamed(folder: &Path) -> Result<Option<File>> {
    use rustix::fs::{Mode, OFlags, open};
    match open(folder, OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC, Mode::from_raw_mode(0o666)) {
        Ok(file) => Ok(Some(file.into())),
        Err(rustix::io::Errno::OPNOTSUPP | rustix::io::Errno::ISDIR) => Ok(None),
        Err(why) => Err(why.into()),
    }
}

/// Puts a file without a name under one. Only where another file has that name it passes through a temporary one.
#[cfg(target_os = "linux")]
fn give_name(file: &File, path: &Path, folder: &Path) -> Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    use std::os::fd::AsRawFd as _;
    let name = |name: &Path| -> Result<()> {
        let open = format!("/proc/self/fd/{}", file.as_raw_fd());
        Ok(linkat(CWD, open.as_str(), CWD, name, AtFlags::SYMLINK_FOLLOW)?)
    };
    match name(path) {
        Err(why) if why.kind() == ErrorKind::AlreadyExists => {
            builder().make_in(folder, |temporary| name(temporary))?.persist(path)?;
            Ok(())
        }
        named => named,
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::write_atomically;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    #[test]
    fn what_stood_there_stays_what_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        write_atomically(&at("file"), b"first").expect("a new file");
        fs::set_permissions(at("file"), fs::Permissions::from_mode(0o640)).expect("its mode");
        symlink("file", at("link")).expect("a link");
        symlink("link", at("second")).expect("a link to the link");
        write_atomically(&at("second"), b"again").expect("through two links");
        assert_eq!(fs::read(at("file")).expect("the file"), b"again");
        assert_eq!(fs::read_link(at("second")).expect("a link still").to_str(), Some("link"));
        assert_eq!(fs::metadata(at("file")).expect("the file").permissions().mode() & 0o777, 0o640);
        symlink("nothing", at("dangling")).expect("a link to nothing");
        write_atomically(&at("dangling"), b"now").expect("the link's target is made");
        assert_eq!(fs::read(at("nothing")).expect("the target"), b"now");
        symlink("circle", at("circle")).expect("a link to itself");
        for refused in ["circle", ".", "absent/file"] {
            assert!(write_atomically(&at(refused), b"").is_err(), "{refused}");
        }
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 6, "no temporary file is left");
        write_atomically("/dev/null".as_ref(), b"gone").expect("a device takes bytes");
    }
}
