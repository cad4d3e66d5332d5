//! Whoever took what storages and objects hold for constant learns of a write to any of them by looking at one number.
//!
//! What is relied on is watched ([`Storage::watch`](crate::Storage::watch), [`Object::watch`](crate::Object::watch)); a write to it counts. Other writes do not,
//! so that a program which writes all the time costs those nothing who look.

use std::sync::atomic::{AtomicU64, Ordering};

/// Writes of this process to what is watched.
static WRITES: AtomicU64 = AtomicU64::new(0);

/// How many writes there were to what is watched. Who finds the number unchanged finds everything unchanged that was watched before.
#[inline]
pub fn writes() -> u64 {
    WRITES.load(Ordering::Acquire)
}

/// Set in a [`Version`] that is watched; no count gets there.
const WATCHED: u64 = 1 << 63;

/// Counts the writes to one thing, and knows whether it is watched.
pub(crate) struct Version(AtomicU64);

impl Version {
    pub const fn new() -> Version {
        Version(AtomicU64::new(0))
    }

    #[inline]
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Acquire) & !WATCHED
    }

    #[inline]
    pub fn is_watched(&self) -> bool {
        self.0.load(Ordering::Relaxed) & WATCHED != 0
    }

    pub fn watch(&self) {
        self.0.fetch_or(WATCHED, Ordering::AcqRel);
    }

    /// Counts a write.
    #[inline]
    pub fn bump(&self) {
        if self.0.fetch_add(1, Ordering::AcqRel) & WATCHED != 0 {
            WRITES.fetch_add(1, Ordering::Release);
        }
    }

    /// As if there had been no writes, where nobody watches.
    pub fn restart(&self) {
        let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |old| (old & WATCHED == 0).then_some(0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_writes_to_what_is_watched_count() {
        let version = Version::new();
        let before = writes();
        version.bump();
        // Other tests of this process watch nothing.
        assert_eq!((version.get(), writes()), (1, before));
        version.watch();
        version.bump();
        version.restart();
        assert_eq!((version.get(), writes(), version.is_watched()), (2, before + 1, true));
    }
}
