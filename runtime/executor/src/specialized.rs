//! The specialised plans of a function: as many as its strategy allows, and none is asked for twice.

use crate::plan::ExecutionPlan;
use crate::strategy::{FusionStrategy, Specialization};
use crate::types::{self, TypeGuard};
use sconce_schema::Type;
use sconce_tensor::IValue;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

pub(crate) struct Specialized {
    /// As many as the strategy allows, filled from the front: calls read them without a lock.
    plans: Box<[OnceLock<Arc<ExecutionPlan>>]>,
    /// What was asked for, whatever came of it.
    tried: Mutex<Vec<TypeGuard>>,
    /// How many those are.
    made: AtomicU32,
}

impl Specialized {
    /// Room for so many plans.
    pub fn new(depth: u32) -> Specialized {
        let plans = (0..depth).map(|_| OnceLock::new()).collect();
        Specialized { plans, tried: Mutex::default(), made: AtomicU32::new(0) }
    }

    /// The first plan whose guard lets the arguments through.
    #[inline]
    pub fn find(&self, inputs: &[IValue]) -> Option<Arc<ExecutionPlan>> {
        self.made().find(|p| p.accepts(inputs)).cloned()
    }

    #[inline]
    fn made(&self) -> impl Iterator<Item = &Arc<ExecutionPlan>> {
        self.plans.iter().map_while(OnceLock::get)
    }

    pub fn is_empty(&self) -> bool {
        self.made().next().is_none()
    }

    /// Adds a plan that [`next`](Self::next) allowed, of which there are never more than places.
    pub fn add(&self, mut plan: Arc<ExecutionPlan>) {
        for place in &self.plans {
            match place.set(plan) {
                Ok(()) => return,
                Err(taken) => plan = taken,
            }
        }
    }

    pub fn list(&self) -> Vec<Arc<ExecutionPlan>> {
        self.made().cloned().collect()
    }

    /// What to specialise for next: the first time for what was seen, then for these arguments. None when the strategy is used up, or when such arguments
    /// were asked for before.
    pub fn next(
        &self,
        inputs: &[IValue],
        strategy: &FusionStrategy,
        seen: impl FnOnce() -> Option<Vec<Type>>,
    ) -> Option<(Specialization, TypeGuard)> {
        strategy.at(self.made.load(Ordering::Relaxed))?;
        let mut tried = self.tried.lock().unwrap_or_else(PoisonError::into_inner);
        let kind = strategy.at(tried.len() as u32)?;
        if tried.iter().any(|guard| guard.holds(inputs)) {
            return None;
        }
        let seen = if tried.is_empty() { seen() } else { None };
        let complete = seen.unwrap_or_else(|| inputs.iter().map(types::complete).collect());
        let guard = TypeGuard::new(match kind {
            Specialization::Static => complete,
            Specialization::Dynamic => types::symbolic(&complete),
        });
        tried.push(guard.clone());
        self.made.store(tried.len() as u32, Ordering::Relaxed);
        Some((kind, guard))
    }
}

/// What calls have in common, looked at without running anything differently.
#[derive(Default)]
pub(crate) struct SeenArguments(Mutex<Option<TypeGuard>>);

impl SeenArguments {
    pub fn see(&self, inputs: &[IValue]) {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let types = match &*seen {
            // Mostly nothing is new.
            Some(before) if before.holds(inputs) => return,
            Some(before) => {
                before.types().iter().zip(inputs).map(|(t, v)| types::merge(t, &types::complete(v))).collect()
            }
            None => inputs.iter().map(types::complete).collect(),
        };
        *seen = Some(TypeGuard::new(types));
    }

    /// Their common types; none where they have no rank or dtype in common, for which there is no code.
    pub fn types(&self) -> Option<Vec<Type>> {
        let seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let types = seen.as_ref()?.types();
        types.iter().all(types::has_code).then(|| types.to_vec())
    }
}
