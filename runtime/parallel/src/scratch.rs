//! Temporaries of kernels: buffers that a thread keeps, so that a kernel that runs again allocates nothing.

use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};

/// Bytes in pieces as aligned as the widest vectors.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line(#[allow(dead_code, reason = "read as the elements of a buffer")] [u8; 64]);

/// Buffers a thread keeps at most; what is given back beyond is freed.
const KEPT: usize = 16;

thread_local! {
    static FREE: RefCell<Vec<Vec<Line>>> = const { RefCell::new(Vec::new()) };
}

/// Element types of buffers: numbers, of which any bytes are one.
///
/// # Safety
/// Every pattern of bytes is a value, and the alignment is at most 64.
pub unsafe trait Plain: Copy + 'static {}
macro_rules! plain {
    ($($t:ty),*) => { $(
        // SAFETY: any bytes are a number.
        unsafe impl Plain for $t {}
    )* };
}
plain!(u8, i8, u16, i16, u32, i32, u64, i64, u128, usize, isize, f32, f64, half::f16, half::bf16);
// SAFETY: two numbers.
unsafe impl<T: Plain> Plain for num_complex::Complex<T> {}
// SAFETY: elements of one type, with nothing between them.
unsafe impl<T: Plain, const N: usize> Plain for [T; N] {}

/// A buffer of some elements, given back to its thread when dropped. Derefs to a slice that begins on a cache line.
pub struct Scratch<T: Plain> {
    lines: ManuallyDrop<Vec<Line>>,
    length: usize,
    element: std::marker::PhantomData<T>,
}

/// A buffer of `length` elements whose content is whatever the last user left.
///
/// ```
/// let mut sums = sconce_parallel::scratch::buffer::<f32>(10);
/// sums.fill(0.0);
/// assert_eq!(sums.len(), 10);
/// ```
pub fn buffer<T: Plain>(length: usize) -> Scratch<T> {
    let lines = length.saturating_mul(size_of::<T>()).div_ceil(64);
    let mut free = FREE.with_borrow_mut(|free| {
        // The smallest that is large enough, else the largest, which grows.
        let fits = (0..free.len()).filter(|&i| free[i].len() >= lines).min_by_key(|&i| free[i].len());
        let any = fits.or_else(|| (0..free.len()).max_by_key(|&i| free[i].len()));
        any.map(|i| free.swap_remove(i)).unwrap_or_default()
    });
    if free.len() < lines {
        free.resize(lines, Line([0; 64]));
    }
    Scratch { lines: ManuallyDrop::new(free), length, element: std::marker::PhantomData }
}

/// A buffer of zeros.
pub fn zeros<T: Plain + num_traits::Zero>(length: usize) -> Scratch<T> {
    let mut scratch = buffer::<T>(length);
    scratch.fill(T::zero());
    scratch
}

impl<T: Plain> Scratch<T> {
    /// Only the first `length` elements.
    pub fn cut(&mut self, length: usize) {
        self.length = self.length.min(length);
    }
}

impl<T: Plain> Deref for Scratch<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        // SAFETY: `buffer` made at least so many initialised bytes, aligned for every `Plain` type.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.length) }
    }
}

impl<T: Plain> DerefMut for Scratch<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`; the buffer is borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.length) }
    }
}

impl<T: Plain> Drop for Scratch<T> {
    fn drop(&mut self) {
        // SAFETY: the field is not used after.
        let lines = unsafe { ManuallyDrop::take(&mut self.lines) };
        // While a thread ends its own cells may be gone; the buffer is freed then.
        let _ = FREE.try_with(|free| {
            let mut free = free.borrow_mut();
            if free.len() < KEPT {
                free.push(lines);
            }
        });
    }
}

/// Vectors a thread keeps at most.
const KEPT_LISTS: usize = 64;
/// Bytes of a vector that is kept: one that a call needed much for is not held for ever.
const KEPT_BYTES: usize = 1 << 20;

thread_local! {
    static LISTS: RefCell<Vec<(TypeId, Box<dyn Any>)>> = const { RefCell::new(Vec::new()) };
}

/// A vector with the place that a thread keeps it in, so that giving it back allocates nothing either.
struct Kept<T>(Vec<T>);

/// A vector of anything, emptied and given back to its thread when dropped.
pub struct List<T: 'static>(ManuallyDrop<Box<Kept<T>>>);

/// An empty vector, with the room that its last user needed.
pub fn list<T: 'static>() -> List<T> {
    let kept = LISTS.with_borrow_mut(|lists| {
        let at = lists.iter().rposition(|(id, _)| *id == TypeId::of::<T>())?;
        lists.swap_remove(at).1.downcast().ok()
    });
    List(ManuallyDrop::new(kept.unwrap_or_else(|| Box::new(Kept(Vec::new())))))
}

impl<T> FromIterator<T> for List<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> List<T> {
        let mut list = list();
        list.extend(items);
        list
    }
}

impl<T> Deref for List<T> {
    type Target = Vec<T>;
    fn deref(&self) -> &Vec<T> {
        &self.0.0
    }
}

impl<T> DerefMut for List<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.0.0
    }
}

impl<T> Drop for List<T> {
    fn drop(&mut self) {
        // SAFETY: the field is not used after.
        let mut list = unsafe { ManuallyDrop::take(&mut self.0) };
        list.0.clear();
        if list.0.capacity().saturating_mul(size_of::<T>()) > KEPT_BYTES {
            return;
        }
        let _ = LISTS.try_with(|lists| {
            if let Ok(mut lists) = lists.try_borrow_mut()
                && lists.len() < KEPT_LISTS
            {
                lists.push((TypeId::of::<T>(), list));
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_come_back_empty_with_their_room() {
        let first: List<String> = (0..10).map(|i| i.to_string()).collect();
        let (address, room) = (first.as_ptr(), first.capacity());
        drop(first);
        assert_eq!(list::<u8>().capacity(), 0);
        let second = list::<String>();
        assert!(second.is_empty() && second.as_ptr() == address && second.capacity() == room);
        drop((0..KEPT_BYTES).map(|i| i as u16).collect::<List<u16>>());
        assert_eq!(list::<u16>().capacity(), 0);
    }

    #[test]
    fn buffers_come_back() {
        let first = buffer::<f32>(1000);
        let address = first.as_ptr() as usize;
        assert_eq!(address % 64, 0);
        drop(first);
        let second = buffer::<i64>(100);
        assert_eq!(second.as_ptr() as usize, address);
        let third = zeros::<f64>(3);
        assert_ne!(third.as_ptr() as usize, address);
        assert_eq!(*third, [0.0; 3]);
        assert!(buffer::<u8>(0).is_empty());
    }
}
