//! The specialised plans of a function: as many as its strategy allows, and none is asked for twice.

use crate::plan::ExecutionPlan;
use crate::strategy::{FusionStrategy, Specialization};
use crate::types::{self, TypeGuard};
use sconce_schema::Type;
use sconce_tensor::IValue;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

#[derive(Default)]
pub(crate) struct Specialized {
    plans: RwLock<Vec<Arc<ExecutionPlan>>>,
    /// What was asked for, whatever came of it.
    tried: Mutex<Vec<TypeGuard>>,
    /// How many those are.
    made: AtomicU32,
}

impl Specialized {
    /// The first plan whose guard lets the arguments through.
    #[inline]
    pub fn find(&self, inputs: &[IValue]) -> Option<Arc<ExecutionPlan>> {
        let plans = self.plans.read().unwrap_or_else(PoisonError::into_inner);
        plans.iter().find(|p| p.accepts(inputs)).cloned()
    }

    pub fn is_empty(&self) -> bool {
        self.plans.read().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    pub fn add(&self, plan: Arc<ExecutionPlan>) {
        self.plans.write().unwrap_or_else(PoisonError::into_inner).push(plan);
    }

    pub fn list(&self) -> Vec<Arc<ExecutionPlan>> {
        self.plans.read().unwrap_or_else(PoisonError::into_inner).clone()
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
