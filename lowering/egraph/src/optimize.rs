//! Equality saturation of a block: read, rewrite until nothing is new or a limit is hit, extract, write back.

use crate::block;
use crate::cost::Target;
use crate::explain::explain;
use crate::extract::{Choice, cost_of, extract};
use crate::facts::{Facts, Graph};
use crate::rewrite::rewrite;
use crate::rules::Rule;
use crate::term::Term;
use egg::{Id, Rewrite, Runner, StopReason};
use sconce_ir::BlockRef;
use sconce_pass::Failure;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// When to stop. There is no limit in time: it would make results differ from machine to machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    pub nodes: usize,
    pub iterations: usize,
}

/// Rules, made ready.
pub struct Optimizer {
    rules: Vec<Rewrite<Term, Facts>>,
    texts: Vec<Arc<Rule>>,
    target: Target,
    limits: Limits,
}

/// What came of a block.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outcome {
    /// How often each rule found an equality.
    pub uses: BTreeMap<String, usize>,
    /// The model's cost before and after, in femtoseconds.
    pub cost: (u64, u64),
    /// The limit that ended it.
    pub limit: Option<String>,
    /// Values that are computed in another way.
    pub changed: usize,
    /// How each of them came about, where that was asked for.
    pub explanations: Vec<String>,
}

impl Outcome {
    /// Did something change, or could it have?
    pub fn is_worth_a_word(&self) -> bool {
        self.changed > 0 || self.limit.is_some()
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nanoseconds = |femtoseconds: u64| femtoseconds / 1_000_000;
        write!(f, "egraph: modelled cost {} -> {} ns", nanoseconds(self.cost.0), nanoseconds(self.cost.1))?;
        for (i, (rule, uses)) in self.uses.iter().enumerate() {
            write!(f, "{} {rule} x{uses}", if i == 0 { ";" } else { "," })?;
        }
        match &self.limit {
            Some(limit) => write!(f, "; stopped by {limit}"),
            None => Ok(()),
        }
    }
}

impl Optimizer {
    /// # Errors
    /// A rule that egg refuses.
    pub fn new(rules: Vec<Rule>, target: Target, limits: Limits) -> Result<Optimizer, String> {
        let texts: Vec<Arc<Rule>> = rules.into_iter().map(Arc::new).collect();
        let rules = texts.iter().map(rewrite).collect::<Result<_, _>>()?;
        Ok(Optimizer { rules, texts, target, limits })
    }

    /// Rewrites a block; `explains` what changed.
    ///
    /// # Errors
    /// When MLIR refuses to build what was chosen.
    pub fn block(&self, block: BlockRef<'_, '_>, explains: bool) -> Result<Outcome, Failure> {
        let mut program = block::read(block, explains);
        if program.roots.is_empty() {
            return Ok(Outcome::default());
        }
        let given = program.graph.clone();
        let runner = Runner::<Term, Facts>::new(Facts::default())
            .with_egraph(program.graph)
            .with_iter_limit(self.limits.iterations)
            .with_node_limit(self.limits.nodes)
            .with_time_limit(Duration::MAX)
            .run(&self.rules);
        let mut outcome = Outcome { limit: limit(&runner), ..Outcome::default() };
        for iteration in &runner.iterations {
            for (rule, uses) in &iteration.applied {
                *outcome.uses.entry(rule.to_string()).or_default() += uses;
            }
        }
        program.graph = runner.egraph;
        let roots: Vec<Id> = program.roots.iter().map(|(_, class, _)| *class).collect();
        let before = cost_of(&given, &self.target, &roots);
        let (choice, after) = extract(&program.graph, &self.target, &roots, &as_given(&given, &program.graph));
        outcome.cost = (before, after);
        if after < before {
            outcome.changed = block::write(&program, &choice)?;
            if explains {
                outcome.explanations = explain(&mut program, &given, &choice, &self.texts);
            }
        }
        Ok(outcome)
    }
}

/// Each class's own term, as the program had it; where classes became one, the first.
fn as_given(given: &Graph, graph: &Graph) -> Choice {
    let mut classes: Vec<_> = given.classes().collect();
    classes.sort_unstable_by_key(|c| c.id);
    let mut choice = Choice::default();
    for class in classes {
        if let Some(term) = class.nodes.first() {
            choice.entry(graph.find(class.id)).or_insert_with(|| term.clone());
        }
    }
    choice
}

/// The limit that a run was stopped by, in words.
fn limit(runner: &Runner<Term, Facts>) -> Option<String> {
    match runner.stop_reason.as_ref()? {
        StopReason::Saturated => None,
        StopReason::IterationLimit(n) => Some(format!("the limit of {n} iterations")),
        StopReason::NodeLimit(n) => Some(format!("the limit of {n} terms")),
        StopReason::TimeLimit(s) => Some(format!("the limit of {s} seconds")),
        StopReason::Other(why) => Some(why.clone()),
    }
}
