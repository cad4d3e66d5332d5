//! A place that machines share entries in: it is asked after the folder, told once what is new, and left alone for the rest of the process when it fails.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Entries by name, somewhere that other machines reach too. What it gives is read as bytes of any origin; each call is bounded in time by whoever implements it.
pub trait Store: Send + Sync {
    /// The entry's bytes; none when there is no such entry.
    ///
    /// # Errors
    /// Why it cannot be told, or that there are more than `most` bytes.
    fn get(&self, name: &str, most: u64) -> Result<Option<Vec<u8>>, String>;

    /// Keeps an entry, whole or not at all, in place of one of that name.
    ///
    /// # Errors
    /// Why it is not kept.
    fn put(&self, name: &str, bytes: Vec<u8>) -> Result<(), String>;

    /// What it is called where its troubles are told.
    fn place(&self) -> &str;
}

/// A store, until it fails.
pub struct Shared {
    store: Arc<dyn Store>,
    failed: AtomicBool,
}

impl Shared {
    pub fn new(store: Arc<dyn Store>) -> Shared {
        Shared { store, failed: AtomicBool::new(false) }
    }

    pub fn get(&self, name: &str, most: u64) -> Result<Option<Vec<u8>>, String> {
        self.unless_failed(|store| store.get(name, most))
    }

    pub fn put(&self, name: &str, bytes: Vec<u8>) -> Result<(), String> {
        self.unless_failed(|store| store.put(name, bytes).map(Some)).map(|_| ())
    }

    /// What a call gives; none after one that failed.
    fn unless_failed<T>(
        &self,
        call: impl FnOnce(&dyn Store) -> Result<Option<T>, String>,
    ) -> Result<Option<T>, String> {
        if self.failed.load(Ordering::Relaxed) {
            return Ok(None);
        }
        call(&*self.store).map_err(|why| {
            self.failed.store(true, Ordering::Relaxed);
            format!("{} is not used: {why}", self.store.place())
        })
    }
}
