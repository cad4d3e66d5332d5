//! One process at a time compiles an entry; the lock of one that dies is free at once.

use super::folder::Folder;
use rustix::io::Errno;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

/// The right to make an entry.
pub struct EntryLock<'f> {
    folder: &'f Folder,
    name: String,
    _file: OwnedFd,
}

/// Between two looks at a lock that another has.
const FIRST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(50);

impl<'f> EntryLock<'f> {
    /// Waits for the lock; none when that takes too long, when it is no longer needed, or where there can be no locks.
    pub fn take(folder: &'f Folder, name: &str, wait: Duration, needless: impl Fn() -> bool) -> Option<EntryLock<'f>> {
        let started = Instant::now();
        let mut pause = FIRST_PAUSE;
        loop {
            match folder.open_locked(name, false, false) {
                Ok(file) => return Some(EntryLock { folder, name: name.into(), _file: file }),
                Err(Errno::STALE) => {}
                Err(Errno::WOULDBLOCK | Errno::INTR) if started.elapsed() < wait && !needless() => {
                    std::thread::sleep(pause);
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
                Err(_) => return None,
            }
        }
    }
}

impl Drop for EntryLock<'_> {
    fn drop(&mut self) {
        // Removed while it is held: whoever waits for this file finds it gone and makes another.
        self.folder.remove(&self.name);
    }
}
