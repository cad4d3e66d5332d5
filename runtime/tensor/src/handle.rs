//! Counted handles of containers. What the last handle gives up is emptied at once and serves the next container that its thread makes, with the room it had.

use std::cell::RefCell;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::thread::LocalKey;
use triomphe::Arc;

/// Containers of one kind that a thread keeps at most.
const SPARE: usize = 256;
/// Elements for which an emptied container keeps its room.
pub(crate) const ROOM: usize = 1024;
/// Elements for which every emptied container has room, so that small ones do not grow again.
pub(crate) const FEW: usize = 16;

/// Containers of a thread that were given up and emptied.
pub type Spare<T> = LocalKey<RefCell<Vec<Arc<T>>>>;

/// A container that is used again.
pub trait Reused: Sized + 'static {
    /// Where a thread keeps those that were given up.
    fn spare() -> &'static Spare<Self>;
    /// Lets go of what it holds.
    fn empty(&mut self);
}

/// A shared container. Clones are the same container.
pub struct Handle<T: Reused>(ManuallyDrop<Arc<T>>);

impl<T: Reused> Handle<T> {
    /// A container that was given up and suits, made anew by `fill`, or else a fresh one.
    pub(crate) fn renewed(suits: impl Fn(&T) -> bool, fill: impl FnOnce(Option<&mut T>) -> Option<T>) -> Handle<T> {
        // While a thread ends its own cells may be gone.
        let found = T::spare().try_with(|spare| {
            let mut spare = spare.borrow_mut();
            let at = spare.iter().rposition(|s| suits(s))?;
            Some(spare.swap_remove(at))
        });
        let mut found = found.ok().flatten();
        match (fill(found.as_mut().and_then(Arc::get_mut)), found) {
            (None, Some(renewed)) => Handle(ManuallyDrop::new(renewed)),
            (Some(fresh), _) => Handle::new(fresh),
            (None, None) => unreachable!("`fill` was given nothing to fill"),
        }
    }

    /// The one handle of a new container.
    pub fn new(value: T) -> Handle<T> {
        Handle(ManuallyDrop::new(Arc::new(value)))
    }

    /// The very same container.
    pub fn is(&self, other: &Handle<T>) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The container, if nobody else holds it.
    pub fn get_mut(&mut self) -> Option<&mut T> {
        Arc::get_mut(&mut self.0)
    }

    /// The container, to be changed if nobody else holds it, else as all have it.
    #[inline]
    pub(crate) fn alone(&mut self) -> Result<&mut T, &T> {
        if !self.0.is_unique() {
            return Err(&self.0);
        }
        match Arc::get_mut(&mut self.0) {
            Some(container) => Ok(container),
            None => unreachable!("nobody can have made a handle of the only one meanwhile"),
        }
    }

    /// Where it lies: its identity while it lives.
    pub fn address(&self) -> *const T {
        Arc::as_ptr(&self.0)
    }

    /// How many handles there are.
    pub fn use_count(&self) -> usize {
        Arc::count(&self.0)
    }
}

impl<T: Reused> Deref for Handle<T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Reused> Clone for Handle<T> {
    #[inline]
    fn clone(&self) -> Handle<T> {
        Handle(self.0.clone())
    }
}

/// Of what they hold.
impl<T: Reused + PartialEq> PartialEq for Handle<T> {
    fn eq(&self, other: &Handle<T>) -> bool {
        *self.0 == *other.0
    }
}

impl<T: Reused + std::fmt::Debug> std::fmt::Debug for Handle<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        T::fmt(self, f)
    }
}

impl<T: Reused + std::fmt::Display> std::fmt::Display for Handle<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        T::fmt(self, f)
    }
}

impl<T: Reused> Drop for Handle<T> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the field is not used after.
        let container = unsafe { ManuallyDrop::take(&mut self.0) };
        if container.is_unique() {
            spare(container);
        }
    }
}

/// Puts a container aside that nobody else holds.
fn spare<T: Reused>(mut container: Arc<T>) {
    let Some(inner) = Arc::get_mut(&mut container) else { return };
    inner.empty();
    let _ = T::spare().try_with(|spare| {
        if let Ok(mut spare) = spare.try_borrow_mut()
            && spare.len() < SPARE
        {
            spare.push(container);
        }
    });
}
