//! What a call may still use. All that runs for one call takes from one [`Fuel`]: its tasks, a static plan, what the plan leaves to the interpreter, compiled regions.

use crate::error::{Cause, RunError};
use crate::executable::Options;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The work that was granted to a call, and whether the caller still waits for it. By default there is no limit.
#[derive(Default)]
pub struct Fuel {
    /// None without a limit.
    left: Option<AtomicU64>,
    cancel: Option<Arc<AtomicBool>>,
}

/// Why no more work may begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    Fuel,
    Cancelled,
}

impl Stopped {
    pub fn cause(self) -> Cause {
        match self {
            Stopped::Fuel => Cause::Fuel,
            Stopped::Cancelled => Cause::Cancelled,
        }
    }

    pub fn message(self) -> &'static str {
        match self {
            Stopped::Fuel => "the run has used up its fuel",
            Stopped::Cancelled => "the run was cancelled",
        }
    }
}

impl From<Stopped> for RunError {
    fn from(why: Stopped) -> RunError {
        RunError::new(why.cause(), "RuntimeError", why.message())
    }
}

impl Fuel {
    /// What these options grant to one call.
    pub fn of(options: &Options) -> Fuel {
        Fuel { left: options.fuel.map(AtomicU64::new), cancel: options.cancel.clone() }
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }

    /// Takes a slice of at most so much: what may run before somebody asks again.
    ///
    /// # Errors
    /// There is none left, or the caller wants no more.
    pub fn slice(&self, most: u64) -> Result<u64, Stopped> {
        if self.is_cancelled() {
            return Err(Stopped::Cancelled);
        }
        let Some(left) = &self.left else { return Ok(most) };
        let take = |left: u64| Some(left.saturating_sub(most));
        match left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).map(|before| before.min(most)) {
            Ok(granted @ 1..) => Ok(granted),
            _ => Err(Stopped::Fuel),
        }
    }

    /// Takes all of what a piece of work costs, before it begins; the cost is asked for where it counts.
    ///
    /// # Errors
    /// Not so much is left, or the caller wants no more.
    pub fn spend(&self, cost: impl FnOnce() -> u64) -> Result<(), Stopped> {
        if self.is_cancelled() {
            return Err(Stopped::Cancelled);
        }
        let Some(left) = &self.left else { return Ok(()) };
        let cost = cost();
        let take = |left: u64| left.checked_sub(cost);
        left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).map(drop).map_err(|_| Stopped::Fuel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fuel(granted: Option<u64>, cancel: Option<bool>) -> Fuel {
        let cancel = cancel.map(|c| Arc::new(AtomicBool::new(c)));
        Fuel::of(&Options { fuel: granted, cancel, ..Options::default() })
    }

    #[test]
    fn what_was_granted_is_given_out_once() {
        let few = fuel(Some(10), Some(false));
        assert_eq!((few.slice(4), few.spend(|| 7), few.spend(|| 5)), (Ok(4), Err(Stopped::Fuel), Ok(())));
        assert_eq!((few.slice(4), few.slice(4), few.spend(|| 1)), (Ok(1), Err(Stopped::Fuel), Err(Stopped::Fuel)));
        assert_eq!(few.spend(|| 0), Ok(()));
        assert_eq!(fuel(Some(0), None).slice(1), Err(Stopped::Fuel));
    }

    #[test]
    fn without_a_limit_there_is_always_some() {
        let much = fuel(None, None);
        assert_eq!((much.spend(|| u64::MAX), much.spend(|| u64::MAX), much.slice(9)), (Ok(()), Ok(()), Ok(9)));
    }

    #[test]
    fn work_begins_only_while_somebody_waits() {
        for granted in [None, Some(100)] {
            let late = fuel(granted, Some(true));
            assert_eq!((late.slice(1), late.spend(|| 0)), (Err(Stopped::Cancelled), Err(Stopped::Cancelled)));
        }
    }
}
