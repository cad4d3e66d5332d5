//! Instances that wait for their next run. Taking one never waits: a place that another thread is at is passed over.

use crate::instance::Instance;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Instances that are kept at most.
const PLACES: usize = 128;

/// Waiting instances, each thread's first choice at a place of its own.
pub(crate) struct Pool(Box<[Mutex<Option<Box<Instance>>>]>);

impl Default for Pool {
    fn default() -> Pool {
        Pool((0..PLACES).map(|_| Mutex::default()).collect())
    }
}

/// Where this thread looks first.
fn first() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static FIRST: usize = NEXT.fetch_add(1, Ordering::Relaxed);
    }
    FIRST.try_with(|f| *f).unwrap_or_default()
}

impl Pool {
    /// Looks at places from this thread's first on, until `f` is content with one.
    fn visit<T>(&self, mut f: impl FnMut(&mut Option<Box<Instance>>) -> Option<T>) -> Option<T> {
        let start = first();
        (0..PLACES).find_map(|i| self.0[(start + i) % PLACES].try_lock().ok().and_then(|mut place| f(&mut place)))
    }

    pub fn take(&self) -> Option<Box<Instance>> {
        self.visit(Option::take)
    }

    pub fn give(&self, instance: Box<Instance>) {
        let mut instance = Some(instance);
        self.visit(|place| {
            if place.is_none() {
                *place = instance.take();
            }
            place.is_some().then_some(()).filter(|()| instance.is_none())
        });
    }
}
