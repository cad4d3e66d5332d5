//! The folder of a cache: what is read from it belongs to the user and can be written by nobody else, as the opened files themselves say.

use rustix::fs::{
    self, AtFlags, Dir, FileType, FlockOperation, Mode, OFlags, Stat, Timespec, Timestamps, UTIME_NOW, UTIME_OMIT,
};
use rustix::io::Errno;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Why a cache, or an entry, is not used.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    /// Executing it would be executing what somebody else may have written.
    #[error("{} {why}; it is not used", path.display())]
    Untrusted { path: PathBuf, why: String },
}

pub struct Folder {
    path: PathBuf,
    folder: OwnedFd,
}

const PRIVATE: u32 = 0o700;
/// Write permission of the group and of others; lists of permissions show in the group's.
const WRITABLE_BY_OTHERS: u32 = 0o022;
/// Names that a temporary is tried under.
const ATTEMPTS: u32 = 3;

impl Folder {
    pub fn open(path: &Path) -> Result<Folder, CacheError> {
        // With a slash behind it a link would be followed.
        let path = &path.components().collect::<PathBuf>();
        let io = |source| CacheError::Io { path: path.into(), source };
        std::fs::DirBuilder::new().recursive(true).mode(PRIVATE).create(path).map_err(io)?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let folder = match fs::open(path, flags, Mode::empty()) {
            Ok(folder) => folder,
            Err(Errno::LOOP | Errno::NOTDIR) => {
                return Err(CacheError::Untrusted { path: path.into(), why: "is a link, or no folder".into() });
            }
            Err(e) => return Err(io(e.into())),
        };
        let stat = fs::fstat(&folder).map_err(|e| io(e.into()))?;
        if let Some(why) = distrust(&stat) {
            return Err(CacheError::Untrusted { path: path.into(), why });
        }
        Ok(Folder { path: path.into(), folder })
    }

    fn failed(&self, name: &str, source: impl Into<io::Error>) -> CacheError {
        CacheError::Io { path: self.path.join(name), source: source.into() }
    }

    /// The content of a file of at most so many bytes; none when there is no such file. It counts as used now.
    pub fn read(&self, name: &str, most: u64) -> Result<Option<Vec<u8>>, CacheError> {
        // A pipe in its place is not waited for.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let untrusted = |why: String| CacheError::Untrusted { path: self.path.join(name), why };
        let file = match fs::openat(&self.folder, name, flags, Mode::empty()) {
            Ok(file) => file,
            Err(Errno::NOENT) => return Ok(None),
            Err(Errno::LOOP) => return Err(untrusted("is a link".into())),
            Err(e) => return Err(self.failed(name, e)),
        };
        let stat = fs::fstat(&file).map_err(|e| self.failed(name, e))?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Err(untrusted("is no regular file".into()));
        }
        if let Some(why) = distrust(&stat) {
            return Err(untrusted(why));
        }
        let size = stat.st_size as u64;
        if size > most {
            return Err(self.failed(name, io::ErrorKind::FileTooLarge));
        }
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(size as usize).map_err(|_| self.failed(name, io::ErrorKind::OutOfMemory))?;
        let file = File::from(file);
        // One byte more shows that it grew, which its sum then tells.
        (&file).take(size + 1).read_to_end(&mut bytes).map_err(|e| self.failed(name, e))?;
        let time = |tv_nsec| Timespec { tv_sec: 0, tv_nsec };
        let times = Timestamps { last_access: time(UTIME_OMIT), last_modification: time(UTIME_NOW) };
        // Where it cannot be noted the order of eviction is another, no more.
        let _ = fs::futimens(&file, &times);
        Ok(Some(bytes))
    }

    pub fn has(&self, name: &str) -> bool {
        fs::statat(&self.folder, name, AtFlags::SYMLINK_NOFOLLOW).is_ok()
    }

    pub fn remove(&self, name: &str) {
        // Somebody else may have been quicker, and on a disk that cannot be written it stays.
        let _ = fs::unlinkat(&self.folder, name, AtFlags::empty());
    }

    /// Opens a file, made if it is not there, under an exclusive lock, which the process has until it closes the file or ends.
    pub fn open_locked(&self, name: &str, new: bool, wait: bool) -> Result<OwnedFd, Errno> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let flags = if new { flags | OFlags::EXCL } else { flags };
        let file = fs::openat(&self.folder, name, flags, Mode::RUSR | Mode::WUSR)?;
        let how = if wait { FlockOperation::LockExclusive } else { FlockOperation::NonBlockingLockExclusive };
        fs::flock(&file, how)?;
        // Whoever had the lock before may have removed the file.
        if fs::fstat(&file)?.st_nlink == 0 { Err(Errno::STALE) } else { Ok(file) }
    }

    /// Makes a file of these bytes, or leaves what was there.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), CacheError> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let mut attempt = 0;
        let (temporary, file) = loop {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let temporary = format!("{name}.{}.{number}{TEMPORARY}", std::process::id());
            attempt += 1;
            match self.open_locked(&temporary, true, true) {
                Ok(file) => break (temporary, file),
                // Processes elsewhere, or before this one, may have its number.
                Err(Errno::EXIST | Errno::STALE) if attempt < ATTEMPTS => {}
                Err(e) => return Err(self.failed(name, e)),
            }
        };
        let mut file = File::from(file);
        let written = file
            .write_all(bytes)
            .and_then(|()| fs::renameat(&self.folder, &*temporary, &self.folder, name).map_err(io::Error::from));
        written.map_err(|e| {
            self.remove(&temporary);
            self.failed(name, e)
        })
    }

    /// Is there no entry, as far as the folder can be read?
    pub fn is_empty(&self) -> bool {
        let Ok(listed) = Dir::read_from(&self.folder) else { return true };
        !listed.flatten().any(|item| item.file_name().to_bytes().ends_with(ENTRY.as_bytes()))
    }

    /// Removes what dead processes left, then the entries that were used longest ago until the others fit.
    pub fn sweep(&self, limit: u64) {
        let Ok(listed) = Dir::read_from(&self.folder) else { return };
        let mut entries = Vec::new();
        for item in listed.flatten() {
            let Ok(name) = item.file_name().to_str() else { continue };
            if name.ends_with(ENTRY) {
                if let Ok(stat) = fs::statat(&self.folder, name, AtFlags::SYMLINK_NOFOLLOW) {
                    entries.push((stat.st_mtime, stat.st_mtime_nsec, name.to_owned(), stat.st_size as u64));
                }
            } else if name.ends_with(TEMPORARY) || name.ends_with(LOCK) {
                self.remove_abandoned(name);
            }
        }
        let mut total: u64 = entries.iter().map(|e| e.3).sum();
        entries.sort();
        for (_, _, name, size) in entries {
            if total <= limit {
                break;
            }
            self.remove(&name);
            total -= size;
        }
    }

    /// Removes a file that no process has locked.
    fn remove_abandoned(&self, name: &str) {
        let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let Ok(file) = fs::openat(&self.folder, name, flags, Mode::empty()) else { return };
        if fs::flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok() {
            self.remove(name);
        }
    }
}

/// How names end.
const ENTRY: &str = ".entry";
const LOCK: &str = ".lock";
const TEMPORARY: &str = ".tmp";

/// Why a file or folder may hold what somebody else wrote.
fn distrust(stat: &Stat) -> Option<String> {
    let me = rustix::process::geteuid().as_raw();
    if stat.st_uid != me {
        return Some(format!("belongs to user {}, not to {me}", stat.st_uid));
    }
    let mode = stat.st_mode & 0o7777;
    (mode & WRITABLE_BY_OTHERS != 0).then(|| format!("can be written by others (mode {mode:o})"))
}
