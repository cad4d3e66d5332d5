//! What ran where: compiled regions with their calls, operations that stayed with the interpreter with the reason.

use sconce_request::Refusal;
pub use sconce_request::{Validation, Writes};
use std::fmt;

/// The account that `--report` prints.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The function that was called.
    pub function: String,
    /// What was compiled.
    pub regions: Vec<RegionRow>,
    /// What the interpreter runs.
    pub interpreted: Vec<InterpretedRow>,
    /// Calls of operators that write, before writes became values and after, of the plan that has most.
    pub writes: Writes,
    /// What was validated of the passes that compiled it.
    pub validation: Validation,
    /// Passes that change what the function computes: nothing was compiled then.
    pub unsound: Vec<String>,
    /// Why the compiler compiled nothing of it.
    pub refused: Vec<String>,
    /// One sentence each: `no GPU: …`.
    pub notes: Vec<String>,
}

/// A compiled region.
#[derive(Clone, Debug)]
pub struct RegionRow {
    /// The region's name.
    pub name: String,
    /// The arguments that its plan is for: a function has a plan for each kind that it was compiled for.
    pub arguments: String,
    /// Operations in it.
    pub operations: Vec<String>,
    /// Where its code was loaded, `cpu` or `gpu`; or why there is none.
    pub target: Result<String, String>,
    /// Bytes of machine code.
    pub bytes: usize,
    /// Calls that ran compiled.
    pub compiled: u64,
    /// Calls whose guard failed, so that they were interpreted.
    pub fallback: u64,
}

/// Operations of one kind that the interpreter ran.
#[derive(Clone, Debug)]
pub struct InterpretedRow {
    /// An operator's name.
    pub operation: String,
    /// How often it stands in the function.
    pub count: usize,
    /// A word for the reason.
    pub code: String,
    /// The same in words.
    pub reason: String,
    /// How many of the plan at hand were counted.
    in_plan: usize,
}

impl RegionRow {
    fn place(&self) -> String {
        match &self.target {
            Ok(target) => target.clone(),
            Err(why) => format!("no target (interpreted): {why}"),
        }
    }
}

impl Report {
    /// Of a function that nothing is known of yet.
    pub fn new(function: &str) -> Report {
        Report { function: function.into(), ..Report::default() }
    }

    /// Nothing was compiled, for this reason.
    pub fn interpreted(function: &str, why: &str) -> Report {
        Report { notes: vec![format!("interpreted as a whole: {why}")], ..Report::new(function) }
    }

    /// An operation of the plan at hand stayed with the interpreter.
    pub(crate) fn left(&mut self, refusal: &Refusal) {
        let is_it = |row: &&mut InterpretedRow| row.operation == refusal.operator && row.reason == refusal.why;
        match self.interpreted.iter_mut().find(is_it) {
            Some(row) => row.in_plan += 1,
            None => self.interpreted.push(InterpretedRow {
                operation: refusal.operator.clone(),
                count: 0,
                code: refusal.code.clone(),
                reason: refusal.why.clone(),
                in_plan: 1,
            }),
        }
    }

    /// Another plan begins: it is of the same function, whose operations count once.
    pub(crate) fn end_of_plan(&mut self) {
        for row in &mut self.interpreted {
            row.count = row.count.max(std::mem::take(&mut row.in_plan));
        }
    }

    /// A plan of the function has these.
    pub(crate) fn writes(&mut self, writes: &Writes) {
        if writes.before > self.writes.before {
            self.writes = writes.clone();
        }
    }

    pub(crate) fn validated(&mut self, of_plan: &Validation) {
        self.validation.compared += of_plan.compared;
        for why in &of_plan.skipped {
            if !self.validation.skipped.contains(why) {
                self.validation.skipped.push(why.clone());
            }
        }
    }

    /// Says a sentence, once.
    pub(crate) fn note(&mut self, sentence: &str) {
        if !self.notes.iter().any(|known| known == sentence) {
            self.notes.push(sentence.into());
        }
    }

    /// Did machine code run?
    pub fn is_compiled(&self) -> bool {
        self.regions.iter().any(|region| region.compiled > 0)
    }

    /// The same as JSON.
    pub fn to_json(&self) -> serde_json::Value {
        let regions: Vec<_> = self
            .regions
            .iter()
            .map(|r| {
                serde_json::json!({
                    "name": r.name, "arguments": r.arguments, "operations": r.operations, "target": r.place(), "bytes": r.bytes,
                    "compiled_calls": r.compiled, "fallback_calls": r.fallback,
                })
            })
            .collect();
        let interpreted: Vec<_> = self
            .interpreted
            .iter()
            .map(|r| serde_json::json!({ "operation": r.operation, "count": r.count, "code": r.code, "reason": r.reason }))
            .collect();
        serde_json::json!({ "function": self.function, "regions": regions, "interpreted": interpreted, "writes": self.writes.before, "writes_left": self.writes.left(), "validated": self.validation.compared, "not_validated": self.validation.skipped, "unsound": self.unsound, "refused": self.refused, "notes": self.notes })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "report of {}:", self.function)?;
        for r in &self.regions {
            // Arguments are long: they are told where there is something to tell apart.
            let is_one_of_several = self.regions.iter().filter(|other| other.name == r.name).count() > 1;
            let arguments = if is_one_of_several { format!(" for ({})", r.arguments) } else { String::new() };
            write!(
                f,
                "\n  region {}{arguments} on {}: {} operations ({}), {} bytes of code, {} calls compiled, {} interpreted",
                r.name,
                r.place(),
                r.operations.len(),
                r.operations.join(", "),
                r.bytes,
                r.compiled,
                r.fallback
            )?;
        }
        for r in &self.interpreted {
            write!(f, "\n  interpreted {} x{}: {}", r.operation, r.count, r.reason)?;
        }
        if self.writes.before > 0 {
            write!(f, "\n  {} of {} writes became values", self.writes.became_values(), self.writes.before)?;
        }
        if self.validation.compared > 0 {
            write!(f, "\n  {} changes by passes were validated", self.validation.compared)?;
        }
        let refused = self.refused.iter().filter(|why| !self.unsound.contains(why));
        for line in self.unsound.iter().chain(refused).chain(&self.validation.skipped).chain(&self.notes) {
            write!(f, "\n  {line}")?;
        }
        Ok(())
    }
}
