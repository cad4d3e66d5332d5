//! A slice in pieces of one length that threads take one at a time.

use std::sync::{Mutex, MutexGuard, PoisonError};

pub struct Pieces<'a, T>(Vec<Mutex<&'a mut [T]>>);

impl<'a, T> Pieces<'a, T> {
    pub fn new(slice: &'a mut [T], length: usize) -> Pieces<'a, T> {
        Pieces(slice.chunks_mut(length.max(1)).map(Mutex::new).collect())
    }
    pub fn take(&self, i: usize) -> MutexGuard<'_, &'a mut [T]> {
        self.0[i].lock().unwrap_or_else(PoisonError::into_inner)
    }
}
