//! A plan that was made beside the calls must win against what it falls back to: both take turns at first, and the slower one is given up.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// How often each is timed.
const TURNS: u32 = 3;

/// Who takes a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Turn {
    /// The plan, or what it falls back to, and its time is taken.
    Timed { plan: bool },
    /// The one that won.
    Won { plan: bool },
}

/// The times of a plan and of its fallback, on the calls that the plan accepts.
#[derive(Debug)]
pub(crate) struct Trial {
    turns: AtomicU32,
    /// The least nanoseconds of a call, of the plan and of its fallback.
    plan: AtomicU64,
    fallback: AtomicU64,
}

impl Trial {
    pub fn new() -> Trial {
        Trial { turns: AtomicU32::new(0), plan: AtomicU64::new(u64::MAX), fallback: AtomicU64::new(u64::MAX) }
    }

    /// Who takes the next call.
    pub fn next(&self) -> Turn {
        if self.turns.load(Ordering::Relaxed) >= 2 * TURNS {
            return Turn::Won { plan: !self.is_lost() };
        }
        Turn::Timed { plan: self.turns.fetch_add(1, Ordering::Relaxed).is_multiple_of(2) }
    }

    /// Notes how long a call took.
    pub fn took(&self, plan: bool, nanoseconds: u64) {
        let least = if plan { &self.plan } else { &self.fallback };
        least.fetch_min(nanoseconds, Ordering::Relaxed);
    }

    /// Is the plan slower, and not by chance?
    pub fn is_lost(&self) -> bool {
        let (plan, fallback) = (self.plan.load(Ordering::Relaxed), self.fallback.load(Ordering::Relaxed));
        self.turns.load(Ordering::Relaxed) >= 2 * TURNS
            && plan != u64::MAX
            && plan > fallback.saturating_add(fallback / 10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays the trial with these times for each.
    fn played(plan: u64, fallback: u64) -> Trial {
        let trial = Trial::new();
        for _ in 0..2 * TURNS {
            let Turn::Timed { plan: turn } = trial.next() else { panic!("it is over too soon") };
            trial.took(turn, if turn { plan } else { fallback });
        }
        trial
    }

    #[test]
    fn the_slower_one_is_given_up() {
        assert_eq!(played(500, 100).next(), Turn::Won { plan: false });
        assert_eq!(played(100, 500).next(), Turn::Won { plan: true });
        // As fast, within what chance does.
        assert_eq!(played(105, 100).next(), Turn::Won { plan: true });
    }

    #[test]
    fn calls_that_failed_decide_nothing() {
        let trial = Trial::new();
        (0..2 * TURNS).for_each(|_| _ = trial.next());
        assert_eq!(trial.next(), Turn::Won { plan: true });
    }
}
