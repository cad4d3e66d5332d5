//! Compiled Programs on disk: an entry is used only if it is whole, is of its key, and lies in a folder that nobody but its owner can write to; whatever is wrong
//! with the disk costs a line in the report and a compilation.
//!
//! A store, if there is one, is a second place for what other machines have compiled: the folder is asked first, and what the store has is written to it.
//!
//! Entries are written to a temporary name and renamed, so that a process that is killed leaves whole entries or none; its temporaries, which it held locked, are
//! removed by the next that writes. An entry is compiled under a lock, so that processes that start together compile it once.

mod compiler;
mod entry;
mod folder;
mod key;
mod lock;
mod place;
mod store;

pub use compiler::CachedCompiler;
pub use folder::CacheError;
pub use key::{Key, KeyBuilder};
pub use place::CachePlace;
pub use store::Store;

use crate::executor::Report;
use entry::{decode, encode, sealed_size};
use folder::Folder;
use lock::EntryLock;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;
use store::Shared;

/// How a cache behaves.
#[derive(Clone)]
pub struct CacheOptions {
    /// Bytes that all entries together may have; those that were used longest ago go first.
    pub limit: u64,
    /// How long processes wait for another that compiles the same; then one of them compiles too, and after twice the time all do.
    pub wait: Duration,
    pub report: Option<Report>,
    /// What is shared with other machines is looked for here when the folder has it not, and kept here too.
    pub store: Option<Arc<dyn Store>>,
}

impl Default for CacheOptions {
    fn default() -> CacheOptions {
        CacheOptions { limit: 1 << 30, wait: Duration::from_secs(60), report: None, store: None }
    }
}

/// A folder of entries. Shared by threads and processes.
///
/// ```
/// use sconce_executor::{Cache, Key};
/// let place = tempfile::tempdir()?;
/// let cache = Cache::open(&place.path().join("sconce"), Default::default())?;
/// let key = Key::builder().part("function", b"f").part("version", b"1").finish();
/// assert_eq!(cache.get(&key), None);
/// let made = cache.get_or_make(&key, || Ok::<_, String>(b"program".to_vec()))?;
/// assert_eq!(cache.get(&key), Some(made));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Cache {
    folder: Folder,
    options: CacheOptions,
    shared: Option<Shared>,
    /// Troubles that were reported: each once.
    reported: AtomicU8,
}

/// What can be wrong, as bits.
const DAMAGED: u8 = 1;
const REFUSED: u8 = 2;
const UNREADABLE: u8 = 4;
const UNWRITABLE: u8 = 8;
const UNREACHABLE: u8 = 16;

impl Cache {
    /// Opens the folder, which is made if it is not there.
    ///
    /// # Errors
    /// It cannot be had, or somebody else can write to it: the caller goes on without a cache.
    pub fn open(folder: &Path, options: CacheOptions) -> Result<Cache, CacheError> {
        let shared = options.store.clone().map(Shared::new);
        Ok(Cache { folder: Folder::open(folder)?, options, shared, reported: AtomicU8::new(0) })
    }

    /// Whether nothing can be found: no entry is in the folder, and nothing is shared.
    pub fn is_empty(&self) -> bool {
        self.shared.is_none() && self.folder.is_empty()
    }

    /// The bytes of an entry.
    pub fn get(&self, key: &Key) -> Option<Vec<u8>> {
        let name = key.entry_name();
        match self.folder.read(&name, sealed_size(self.options.limit)) {
            Ok(None) => None,
            Ok(Some(bytes)) => {
                let found = decode(key, bytes);
                if found.is_none() {
                    self.report(DAMAGED, || format!("{name} is damaged and not used"));
                    self.folder.remove(&name);
                }
                found
            }
            Err(e @ CacheError::Untrusted { .. }) => {
                self.report(REFUSED, || e.to_string());
                None
            }
            Err(e) => {
                self.report(UNREADABLE, || e.to_string());
                None
            }
        }
    }

    /// Keeps an entry if that is possible; whether it was.
    pub fn put(&self, key: &Key, bytes: &[u8]) -> bool {
        if sealed_size(bytes.len() as u64) > self.options.limit {
            return false;
        }
        let written = self.folder.write(&key.entry_name(), &encode(key, bytes));
        if let Err(e) = &written {
            self.report(UNWRITABLE, || format!("nothing is kept: {e}"));
        }
        self.folder.sweep(self.options.limit);
        written.is_ok()
    }

    /// The entry, or what `make` gives, which is then kept. Of several that want the same entry at once, one makes it and the others wait.
    ///
    /// # Errors
    /// Those of `make`.
    pub fn get_or_make<E>(&self, key: &Key, make: impl FnOnce() -> Result<Vec<u8>, E>) -> Result<Vec<u8>, E> {
        self.get_or_make_shared(key, || None, make)
    }

    /// The same; what the folder has not is looked for in the store, where it has a key that is equal on other machines. That one is asked for only when it is needed.
    ///
    /// # Errors
    /// Those of `make`. A store that fails, or has something else under the key, is as one that has nothing.
    pub fn get_or_make_shared<E>(
        &self,
        key: &Key,
        shared: impl FnOnce() -> Option<Key>,
        make: impl FnOnce() -> Result<Vec<u8>, E>,
    ) -> Result<Vec<u8>, E> {
        if let Some(found) = self.get(key) {
            return Ok(found);
        }
        let (entry, wait) = (key.entry_name(), self.options.wait);
        let take = |name: &String| EntryLock::take(&self.folder, name, wait, || self.folder.has(&entry));
        // Where the first who compiles takes too long, or hangs, one other does, not all.
        let _lock = key.lock_names().iter().find_map(take);
        if let Some(found) = self.get(key) {
            return Ok(found);
        }
        let store = self.shared.as_ref().and_then(|store| Some((store, shared()?)));
        if let Some(found) = store.as_ref().and_then(|(store, key)| self.fetch(store, key)) {
            self.put(key, &found);
            return Ok(found);
        }
        let made = make()?;
        self.put(key, &made);
        if let Some((store, key)) = store {
            self.send(store, &key, &made);
        }
        Ok(made)
    }

    /// What the store has under a key.
    fn fetch(&self, store: &Shared, key: &Key) -> Option<Vec<u8>> {
        let name = key.entry_name();
        let bytes = store.get(&name, sealed_size(self.options.limit));
        let bytes = bytes.inspect_err(|why| self.report(UNREACHABLE, || why.clone())).ok().flatten()?;
        let found = decode(key, bytes);
        if found.is_none() {
            self.report(DAMAGED, || format!("{name} of the store is damaged and not used"));
        }
        found
    }

    fn send(&self, store: &Shared, key: &Key, bytes: &[u8]) {
        if sealed_size(bytes.len() as u64) <= self.options.limit
            && let Err(why) = store.put(&key.entry_name(), encode(key, bytes))
        {
            self.report(UNREACHABLE, || why);
        }
    }

    fn report(&self, kind: u8, line: impl FnOnce() -> String) {
        if self.reported.fetch_or(kind, Ordering::Relaxed) & kind == 0
            && let Some(report) = &self.options.report
        {
            report(&format!("compile cache: {}", line()));
        }
    }
}
