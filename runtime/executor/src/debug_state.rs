//! What an executor can say of itself at any time, also while it still watches.

use crate::plan::ExecutionPlan;
use crate::settings::ExecutorMode;
use std::fmt;
use std::sync::Arc;

/// How often which way was taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// Calls that found a plan for their arguments.
    pub hits: u64,
    /// Calls that found none: they were interpreted, or watched.
    pub misses: u64,
    /// Calls whose arguments no guard let through although there were compiled plans.
    pub fallbacks: u64,
    /// Plans that were compiled.
    pub compiled: u64,
    /// Plans that could not be compiled.
    pub failed: u64,
    /// Calls of new kinds that found no room for another plan.
    pub refused: u64,
}

/// One line of the plan map.
#[derive(Clone)]
pub struct PlanRow {
    /// The arguments that the plan is for; empty for a plan for all.
    pub arguments: String,
    pub plan: Arc<ExecutionPlan>,
}

/// The state of an executor (PyTorch's `get_debug_state`, which has no answer before there is an optimised plan).
#[derive(Clone)]
pub enum DebugState {
    Profiling {
        runs_left: u32,
    },
    Ready {
        mode: ExecutorMode,
        /// The plan map: what is for some arguments, then what is for all.
        plans: Vec<PlanRow>,
        counters: Counters,
    },
}

impl fmt::Display for DebugState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mode, plans, c) = match self {
            DebugState::Profiling { runs_left } => return write!(f, "profiling, {runs_left} runs left"),
            DebugState::Ready { mode, plans, counters } => (mode, plans, counters),
        };
        writeln!(f, "{mode}, {} plans", plans.len())?;
        for row in plans {
            let arguments = if row.arguments.is_empty() { "any arguments" } else { &row.arguments };
            writeln!(f, "  {arguments}: {}, {} runs", row.plan.kind(), row.plan.runs())?;
        }
        let (hits, misses, fallbacks) = (c.hits, c.misses, c.fallbacks);
        write!(f, "{hits} hits, {misses} misses, {fallbacks} fallbacks, {} compiled, {} failed", c.compiled, c.failed)?;
        if c.refused > 0 {
            write!(f, ", {} refused", c.refused)?;
        }
        Ok(())
    }
}
