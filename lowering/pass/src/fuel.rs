//! Optimisation fuel: each change that a pass makes takes one unit, and without fuel none is made, so that the change which breaks a program is found by bisection.
//!
//! A pass takes one unit when it begins, and one with [`spend`] for each change it is about to make. A pass that never asks is one change as a whole. Changes of a
//! kind (a rule) can also be forbidden, so that the rule is found without which the program is right.
//!
//! ```
//! use sconce_pass::fuel::{self, Allowance};
//!
//! let ((), spent) = fuel::with(Allowance::units(2), || assert!(fuel::begin("some-pass")));
//! assert_eq!(spent.units, 1);
//! ```

use sconce_ir::location::Place;
use sconce_ir::prelude::*;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt;

/// A change that took a unit of fuel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The pass's name.
    pub pass: &'static str,
    /// What the pass calls such a change; empty for the pass as a whole.
    pub rule: String,
    /// The operation that it begins at, and the function that one is in.
    pub operation: String,
    pub function: String,
    /// Where the operation came from, where that is known.
    pub place: Option<Place>,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.pass)?;
        if self.rule.is_empty() {
            return f.write_str(" as a whole");
        }
        write!(f, ", {}", self.rule)?;
        if !self.operation.is_empty() {
            write!(f, " at {}", self.operation)?;
        }
        if !self.function.is_empty() {
            write!(f, " in @{}", self.function)?;
        }
        self.place.iter().try_for_each(|place| write!(f, " ({place})"))
    }
}

/// What passes may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// So many changes.
    pub units: u64,
    /// None by these rules.
    pub without: BTreeSet<String>,
    /// By these rules alone, if there are some.
    pub only: Option<BTreeSet<String>>,
}

impl Allowance {
    /// The first changes, by any rule.
    pub fn units(units: u64) -> Allowance {
        Allowance { units, without: BTreeSet::new(), only: None }
    }

    /// As many as there are.
    pub fn all() -> Allowance {
        Allowance::units(u64::MAX)
    }

    fn allows(&self, rule: &str) -> bool {
        !self.without.contains(rule) && self.only.as_ref().is_none_or(|only| only.contains(rule))
    }
}

/// What was used of the fuel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Changes that were made.
    pub units: u64,
    /// The last of them.
    pub last: Option<Change>,
    /// The rules by which they were made.
    pub rules: BTreeSet<String>,
    /// Was a change asked for that was not made?
    pub ran_out: bool,
}

impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} changes were made", self.units)?;
        self.last.iter().try_for_each(|change| write!(f, ", the last: {change}"))?;
        if self.ran_out { f.write_str("; there were more") } else { Ok(()) }
    }
}

/// The fuel of a thread.
struct Tank {
    allowance: Allowance,
    spent: Spent,
    pass: &'static str,
}

impl Tank {
    fn new(allowance: Allowance) -> Tank {
        Tank { allowance, spent: Spent::default(), pass: "" }
    }
}

thread_local! {
    static TANK: RefCell<Option<Tank>> = const { RefCell::new(None) };
}

/// Runs something with an allowance for the passes that it runs on this thread; says what they used. Passes that MLIR runs on other threads are not counted: the
/// context must be one without threads.
pub fn with<T>(allowance: Allowance, run: impl FnOnce() -> T) -> (T, Spent) {
    let before = TANK.replace(Some(Tank::new(allowance)));
    let result = run();
    let spent = TANK.replace(before).map(|tank| tank.spent).unwrap_or_default();
    (result, spent)
}

/// Gives the rest of the process an allowance on this thread: for a command that runs one pipeline.
pub fn fill(allowance: Allowance) {
    TANK.set(Some(Tank::new(allowance)));
}

/// What was used since [`fill`].
pub fn spent() -> Option<Spent> {
    TANK.with_borrow(|tank| tank.as_ref().map(|tank| tank.spent.clone()))
}

/// A pass begins: may it?
pub fn begin(pass: &'static str) -> bool {
    take("", |tank| {
        tank.pass = pass;
        Change { pass, rule: String::new(), operation: String::new(), function: String::new(), place: None }
    })
}

/// May the pass that runs make the change that it calls `rule`, at this operation? Where nobody counts, it may.
pub fn spend(rule: &str, op: OperationRef<'_, '_>) -> bool {
    take(rule, |tank| Change {
        pass: tank.pass,
        rule: rule.to_owned(),
        operation: op.op_name().to_owned(),
        function: function_of(op),
        place: Place::of(op.location()),
    })
}

/// The same of a change that begins at no operation.
pub fn spend_anywhere(rule: &str) -> bool {
    take(rule, |tank| Change {
        pass: tank.pass,
        rule: rule.to_owned(),
        operation: String::new(),
        function: String::new(),
        place: None,
    })
}

fn take(rule: &str, change: impl FnOnce(&mut Tank) -> Change) -> bool {
    TANK.with_borrow_mut(|tank| {
        let Some(tank) = tank else { return true };
        if !rule.is_empty() && !tank.allowance.allows(rule) {
            return false;
        }
        if tank.spent.units >= tank.allowance.units {
            tank.spent.ran_out = true;
            return false;
        }
        let change = change(tank);
        tank.spent.units += 1;
        if !rule.is_empty() && !tank.spent.rules.contains(rule) {
            tank.spent.rules.insert(rule.to_owned());
        }
        tank.spent.last = Some(change);
        true
    })
}

/// The name of the function that an operation is or stands in; nothing outside of all.
pub(crate) fn function_of(op: OperationRef<'_, '_>) -> String {
    let mut op = op;
    while !op.is("func.func") {
        match op.parent() {
            Some(outer) => op = outer,
            None => return String::new(),
        }
    }
    op.symbol_name().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_counted_and_the_last_is_named() {
        let context = sconce_ir::context::new(false);
        let text = b"func.func @f() { %0 = arith.constant 1 : i32  return }";
        let module = parse_module(&context, text, "f.mlir").expect("it parses");
        let op = module.as_operation().find_all("arith.constant")[0];
        let run = || [begin("p"), spend("fold", op), spend("fold", op)];
        assert_eq!(run(), [true; 3]);
        let (made, spent) = with(Allowance::units(2), run);
        assert_eq!(made, [true, true, false]);
        assert_eq!((spent.units, spent.ran_out), (2, true));
        let last = spent.last.expect("a change").to_string();
        assert_eq!(last, "p, fold at arith.constant in @f (f.mlir:1:23)");
        // What is inside does not use what is outside.
        let (_, outer) = with(Allowance::units(1), || with(Allowance::units(5), run));
        assert_eq!(outer.units, 0);
        let without = Allowance { without: ["fold".to_owned()].into(), ..Allowance::all() };
        let (made, spent) = with(without, run);
        assert_eq!((made, spent.ran_out), ([true, false, false], false));
    }
}
