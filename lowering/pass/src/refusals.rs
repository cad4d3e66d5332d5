//! Why passes did not do what they do: each refusal has a code that stays, a sentence that may change, and the place of the operation.
//!
//! A pass says with [`refuse`] what it did not do; whoever wants to know collects. Of a pass that runs more than once, its last run counts.
//!
//! ```
//! use sconce_pass::refusals;
//!
//! let ((), refused) = refusals::collect(|| ());
//! assert!(refused.is_empty());
//! ```

use crate::fuel::function_of;
use sconce_ir::location::Place;
use sconce_ir::prelude::*;
use std::cell::RefCell;
use std::fmt;

/// Something that a pass did not do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The pass's name.
    pub pass: &'static str,
    /// The operator's schema name, or the operation's.
    pub operator: String,
    pub function: String,
    /// Where the operation came from, where that is known.
    pub place: Option<Place>,
    /// A word for the reason, of those that the pass has: `no-lowering`.
    pub code: &'static str,
    pub why: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.place.iter().try_for_each(|place| write!(f, "{place}: "))?;
        write!(f, "{}: {} [{}]: {}", self.operator, self.pass, self.code, self.why)
    }
}

impl Refusal {
    /// Of an operation, as its operator is called.
    pub fn of(
        pass: &'static str,
        op: OperationRef<'_, '_>,
        operator: String,
        (code, why): (&'static str, String),
    ) -> Self {
        Refusal { pass, operator, function: function_of(op), place: Place::of(op.location()), code, why }
    }
}

thread_local! {
    static REFUSED: RefCell<Option<Vec<Refusal>>> = const { RefCell::new(None) };
}

/// Runs something and says what the passes that it ran on this thread refused.
pub fn collect<T>(run: impl FnOnce() -> T) -> (T, Vec<Refusal>) {
    let before = REFUSED.replace(Some(Vec::new()));
    let result = run();
    (result, REFUSED.replace(before).unwrap_or_default())
}

/// Collects for the rest of the process, on this thread: for a command that runs one pipeline.
pub fn start() {
    REFUSED.set(Some(Vec::new()));
}

/// What was refused since [`start`].
pub fn so_far() -> Vec<Refusal> {
    REFUSED.with_borrow(|refused| refused.clone().unwrap_or_default())
}

/// Does anybody want to know?
pub fn are_wanted() -> bool {
    REFUSED.with_borrow(Option::is_some)
}

/// A pass did not do what it does.
pub fn refuse(refusal: Refusal) {
    REFUSED.with_borrow_mut(|refused| refused.iter_mut().for_each(|all| all.push(refusal.clone())));
}

/// A pass begins anew, with a function or with a module: what it refused there does not count any more.
pub(crate) fn begin(pass: &'static str, root: OperationRef<'_, '_>) {
    REFUSED.with_borrow_mut(|refused| {
        let Some(refused) = refused.as_mut().filter(|refused| !refused.is_empty()) else { return };
        let function = function_of(root);
        refused.retain(|r| r.pass != pass || !function.is_empty() && r.function != function);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_run_of_a_pass_counts() {
        let context = sconce_ir::context::new(false);
        let text = b"func.func @f() { %0 = arith.constant 1 : i32  return }";
        let module = parse_module(&context, text, "f.mlir").expect("it parses");
        let op = module.as_operation().find_all("arith.constant")[0];
        let run = |pass, why: &str| {
            begin(pass, module.as_operation());
            refuse(Refusal::of(pass, op, op.op_name().to_owned(), ("no", why.to_owned())));
        };
        run("p", "nobody asks");
        let ((), refused) = collect(|| {
            run("p", "once");
            run("q", "once");
            run("p", "twice");
        });
        let lines: Vec<String> = refused.iter().map(ToString::to_string).collect();
        let place = "f.mlir:1:23: arith.constant";
        assert_eq!(lines, [format!("{place}: q [no]: once"), format!("{place}: p [no]: twice")]);
    }
}
