//! The lock of containers: taken for good by one atomic operation where nobody else has it, and given back by a plain store.
//!
//! What is done under it is short and calls nothing of the program's, so that who must wait spins and yields. Nothing is poisoned: containers have no
//! invariant that a panic could break half-way.

use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU32, Ordering};

/// Nobody may read or write.
const WRITER: u32 = u32::MAX;
/// Turns of waiting before the processor is left to others.
const SPINS: u32 = 64;

pub(crate) struct Lock<T> {
    /// Readers, or [`WRITER`].
    state: AtomicU32,
    value: UnsafeCell<T>,
}

// SAFETY: the value is reached by many readers or by one writer at a time, as with `std::sync::RwLock`, whose bounds these are.
unsafe impl<T: Send> Send for Lock<T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync> Sync for Lock<T> {}

/// Read access, until it is dropped.
pub struct ReadGuard<'a, T> {
    lock: &'a Lock<T>,
}
/// Write access, until it is dropped.
pub struct WriteGuard<'a, T> {
    lock: &'a Lock<T>,
}

impl<T> Lock<T> {
    pub fn new(value: T) -> Lock<T> {
        Lock { state: AtomicU32::new(0), value: UnsafeCell::new(value) }
    }

    pub fn get_mut(&mut self) -> &mut T {
        self.value.get_mut()
    }

    /// Write access for who alone has the lock: nobody need be asked.
    #[inline]
    pub fn write_alone(&mut self) -> WriteGuard<'_, T> {
        *self.state.get_mut() = WRITER;
        WriteGuard { lock: self }
    }

    #[inline]
    pub fn read(&self) -> ReadGuard<'_, T> {
        let readers = self.state.load(Ordering::Relaxed);
        if readers >= WRITER - 1
            || self.state.compare_exchange(readers, readers + 1, Ordering::Acquire, Ordering::Relaxed).is_err()
        {
            self.wait(|readers| (readers < WRITER - 1).then(|| readers + 1));
        }
        ReadGuard { lock: self }
    }

    #[inline]
    pub fn write(&self) -> WriteGuard<'_, T> {
        if self.state.compare_exchange(0, WRITER, Ordering::Acquire, Ordering::Relaxed).is_err() {
            self.wait(|readers| (readers == 0).then_some(WRITER));
        }
        WriteGuard { lock: self }
    }

    #[cold]
    #[inline(never)]
    fn wait(&self, next: impl Fn(u32) -> Option<u32>) {
        let mut turns = 0;
        while self.state.fetch_update(Ordering::Acquire, Ordering::Relaxed, &next).is_err() {
            turns += 1;
            if turns < SPINS { std::hint::spin_loop() } else { std::thread::yield_now() }
        }
    }
}

impl<T> Deref for ReadGuard<'_, T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: while this guard lives the state counts a reader, so that nobody writes.
        unsafe { &*self.lock.value.get() }
    }
}

impl<T> Drop for ReadGuard<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.lock.state.fetch_sub(1, Ordering::Release);
    }
}

impl<T> Deref for WriteGuard<'_, T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: while this guard lives nobody else reads or writes.
        unsafe { &*self.lock.value.get() }
    }
}

impl<T> DerefMut for WriteGuard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: while this guard lives nobody else reads or writes.
        unsafe { &mut *self.lock.value.get() }
    }
}

impl<T> Drop for WriteGuard<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.lock.state.store(0, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writers_exclude_each_other_and_readers() {
        let turns = if cfg!(miri) { 100 } else { 10_000 };
        let lock = Lock::new((0u64, 0u64));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..turns {
                        let mut pair = lock.write();
                        pair.0 += 1;
                        pair.1 += 1;
                    }
                });
                scope.spawn(|| {
                    for _ in 0..turns {
                        let pair = lock.read();
                        assert_eq!(pair.0, pair.1);
                    }
                });
            }
        });
        assert_eq!(*lock.read(), (4 * turns, 4 * turns));
        let (a, b) = (lock.read(), lock.read());
        assert_eq!(a.0, b.0);
        drop((a, b));
        let mut lock = lock;
        lock.write_alone().0 = 0;
        assert_eq!(lock.write().0, 0);
        assert_eq!(lock.read().0, 0);
    }
}
