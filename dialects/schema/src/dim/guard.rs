//! What is assumed of sizes: a rule that needs two symbols to be equal, or one not to be 1, says so to whoever asked, and holds for calls where it is so.

use super::{Bounds, Dim};
use std::cell::RefCell;
use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    Equal,
    Differs,
    /// left <= right
    AtMost,
}

/// A relation of two sizes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Guard {
    pub relation: Relation,
    pub left: Dim,
    pub right: Dim,
}

impl Relation {
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Relation::Equal => left == right,
            Relation::Differs => left != right,
            Relation::AtMost => left <= right,
        }
    }
}

impl Guard {
    /// Whether it holds if each symbol is a number; what cannot be computed does not.
    pub fn holds(&self, value: &impl Fn(u32) -> Option<i64>) -> bool {
        self.left.eval(value).zip(self.right.eval(value)).is_some_and(|(l, r)| self.relation.holds(l, r))
    }

    /// Whether it holds for all sizes within bounds, or for none; `None` where it depends on them.
    pub fn decided(&self, of: &impl Fn(u32) -> Bounds) -> Option<bool> {
        let Bounds { low, high } = self.left.minus(self.right).bounds(of);
        match self.relation {
            Relation::AtMost if high <= 0 => Some(true),
            Relation::AtMost => (low > 0).then_some(false),
            relation => {
                let equal = match (low, high) {
                    (0, 0) => true,
                    (low, high) if low > 0 || high < 0 => false,
                    _ => return None,
                };
                Some(equal == (relation == Relation::Equal))
            }
        }
    }
}

impl fmt::Display for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let relation = match self.relation {
            Relation::Equal => "==",
            Relation::Differs => "!=",
            Relation::AtMost => "<=",
        };
        write!(f, "{} {relation} {}", self.left, self.right)
    }
}

thread_local! {
    static ASSUMED: RefCell<Option<Vec<Guard>>> = const { RefCell::new(None) };
}

/// Runs what infers shapes, and returns also what it assumed, in the order of its assumptions and each once. Rules assume nothing where nobody collects:
/// they say then that a size is unknown.
pub fn collect<T>(infer: impl FnOnce() -> T) -> (T, Vec<Guard>) {
    let before = ASSUMED.replace(Some(Vec::new()));
    let result = infer();
    (result, ASSUMED.replace(before).unwrap_or_default())
}

/// Assumes that two sizes are so related; false where that is certainly not so, or nobody collects.
pub fn assume(relation: Relation, left: Dim, right: Dim) -> bool {
    if left == Dim::Unknown || right == Dim::Unknown {
        return false;
    }
    let guard = Guard { relation, left, right };
    if let Some(decided) = guard.decided(&|_| Bounds::ANY) {
        return decided;
    }
    ASSUMED.with_borrow_mut(|assumed| match assumed {
        Some(list) => {
            if !list.contains(&guard) {
                list.push(guard);
            }
            true
        }
        None => false,
    })
}

impl Dim {
    /// Certainly different. Where it is not certain, whoever asks goes on as if the two were equal, and that is assumed.
    pub fn unequal(self, other: Dim) -> bool {
        let differs = self.differs(other);
        if !differs && self != other {
            assume(Relation::Equal, self, other);
        }
        differs
    }
}
