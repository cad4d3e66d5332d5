//! Plans by argument spec, found without taking memory; a bounded number, and none is ever replaced, so that no kind of argument is compiled twice.

use crate::argument_spec::ArgumentSpec;
use crate::plan::ExecutionPlan;
use rustc_hash::FxHashMap;
use sconce_tensor::IValue;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// The plans of one kind of arguments.
pub(crate) struct Entry {
    pub spec: ArgumentSpec,
    /// From the first call on.
    pub interpreted: Arc<ExecutionPlan>,
    /// Once it is there.
    pub compiled: OnceLock<Arc<ExecutionPlan>>,
    requested: AtomicBool,
}

impl Entry {
    #[inline]
    pub fn plan(&self) -> &Arc<ExecutionPlan> {
        self.compiled.get().unwrap_or(&self.interpreted)
    }

    /// True for the first who asks.
    pub fn take_request(&self) -> bool {
        !self.requested.load(Ordering::Relaxed) && !self.requested.swap(true, Ordering::Relaxed)
    }
}

/// Entries by the hash of their spec.
#[derive(Default)]
struct Entries {
    by_hash: FxHashMap<u64, Vec<Arc<Entry>>>,
    count: usize,
}

impl Entries {
    fn find(&self, hash: u64, inputs: &[IValue]) -> Option<&Arc<Entry>> {
        self.by_hash.get(&hash)?.iter().find(|e| e.spec.describes(inputs))
    }
}

pub(crate) struct PlanCache {
    entries: RwLock<Entries>,
    limit: usize,
}

/// What a look-up found.
pub(crate) enum Found {
    Hit(Arc<Entry>),
    /// Made now.
    Missed(Arc<Entry>),
    /// There is no room for another.
    Full,
}

impl PlanCache {
    pub fn new(limit: usize) -> PlanCache {
        PlanCache { entries: RwLock::default(), limit }
    }

    /// The entry for these arguments; a new one runs what `make` gives.
    pub fn find_or_make(&self, inputs: &[IValue], make: impl FnOnce() -> Arc<ExecutionPlan>) -> Found {
        let hash = ArgumentSpec::hash_of(inputs);
        {
            let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
            match entries.find(hash, inputs) {
                Some(entry) => return Found::Hit(entry.clone()),
                None if entries.count >= self.limit => return Found::Full,
                None => {}
            }
        }
        let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have been here.
        if let Some(entry) = entries.find(hash, inputs) {
            return Found::Hit(entry.clone());
        }
        if entries.count >= self.limit {
            return Found::Full;
        }
        let entry = Arc::new(Entry {
            spec: ArgumentSpec::new(inputs),
            interpreted: make(),
            compiled: OnceLock::new(),
            requested: AtomicBool::new(false),
        });
        entries.by_hash.entry(hash).or_default().push(entry.clone());
        entries.count += 1;
        Found::Missed(entry)
    }

    /// All entries, by their specs' texts.
    pub fn list(&self) -> Vec<Arc<Entry>> {
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        let mut all: Vec<Arc<Entry>> = entries.by_hash.values().flatten().cloned().collect();
        all.sort_by_cached_key(|e| e.spec.to_string());
        all
    }
}
