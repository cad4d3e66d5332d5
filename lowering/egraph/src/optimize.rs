//! Equality saturation of a block: read, rewrite until nothing is new or a limit is hit, extract, write back.

use crate::block::{self, Kind};
use crate::cost::Target;
use crate::explain::explain;
use crate::extract::{Choice, as_given, cost_of, extract};
use crate::facts::{Facts, Graph};
use crate::greedy::greedy;
use crate::rewrite::rewrite;
use crate::rules::Rule;
use crate::term::Term;
use egg::{Id, Rewrite, Runner, StopReason};
use sconce_analysis::Aliases;
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
    /// Terms for each that a block came with; 0: any number.
    pub growth: usize,
}

/// Terms that every block may grow to.
const SMALL: usize = 1_000;

impl Limits {
    /// How many terms a block may have that came with so many.
    fn nodes_of(&self, given: usize) -> usize {
        match self.growth {
            0 => self.nodes,
            growth => self.nodes.min(given.saturating_mul(growth).max(SMALL)),
        }
    }
}

/// How rules are applied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// All of them to everything; then the cheapest is chosen.
    Saturate,
    /// One by one, where that is cheaper at once.
    Greedy,
}

/// Rules, made ready.
pub struct Optimizer {
    rules: Vec<Rewrite<Term, Facts>>,
    texts: Vec<Arc<Rule>>,
    target: Target,
    limits: Limits,
    strategy: Strategy,
}

/// What is asked of a block beside its rewriting.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Manner {
    /// What changed is explained.
    pub explains: bool,
    /// Operations stand in an order that depends on what they compute alone.
    pub sorts: bool,
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
    pub fn new(rules: Vec<Rule>, target: Target, limits: Limits, strategy: Strategy) -> Result<Optimizer, String> {
        let texts: Vec<Arc<Rule>> = rules.into_iter().map(Arc::new).collect();
        let rules = texts.iter().map(rewrite).collect::<Result<_, _>>()?;
        Ok(Optimizer { rules, texts, target, limits, strategy })
    }

    /// Rewrites a block: first what is about values, then what is about tensors that nothing writes to, of which `aliases` tell.
    ///
    /// # Errors
    /// When MLIR refuses to build what was chosen.
    pub fn block<'c: 'a, 'a>(
        &self,
        block: BlockRef<'c, 'a>,
        aliases: Option<&Aliases<'c>>,
        manner: Manner,
    ) -> Result<Vec<Outcome>, Failure> {
        // No limit is one of time, and the clock that egg asks all the same measures the processor before it tells the first.
        let (stopped, _) = quanta::Clock::mock();
        quanta::with_clock(&stopped, || self.rewritten(block, aliases, manner))
    }

    fn rewritten<'c: 'a, 'a>(
        &self,
        block: BlockRef<'c, 'a>,
        aliases: Option<&Aliases<'c>>,
        manner: Manner,
    ) -> Result<Vec<Outcome>, Failure> {
        let mut outcomes = Vec::new();
        for kind in [Kind::Values, Kind::Tensors].into_iter().filter(|kind| kind.is_in(block)) {
            if manner.sorts {
                block::sort(block, aliases);
            }
            outcomes.push(self.terms(block::read(block, kind, aliases, manner.explains), manner)?);
        }
        if manner.sorts && !outcomes.is_empty() {
            block::sort(block, aliases);
        }
        Ok(outcomes)
    }

    fn terms(&self, mut program: block::Program<'_, '_>, manner: Manner) -> Result<Outcome, Failure> {
        if program.roots.is_empty() {
            return Ok(Outcome::default());
        }
        let given = program.graph.clone();
        let roots: Vec<Id> = program.roots.iter().map(|root| root.class).collect();
        let (graph, choice, outcome) = match self.strategy {
            Strategy::Saturate => self.saturated(program.graph, &roots, &given),
            Strategy::Greedy => {
                let found = greedy(&given, &self.target, &roots, &self.rules);
                (found.graph, found.choice, Outcome { uses: found.uses, ..Outcome::default() })
            }
        };
        let mut outcome = outcome;
        outcome.cost.0 = cost_of(&given, &graph, &self.target, &roots, &as_given(&given, &given));
        if self.strategy == Strategy::Greedy {
            outcome.cost.1 = cost_of(&graph, &graph, &self.target, &roots, &choice);
        }
        program.graph = graph;
        if outcome.cost.1 < outcome.cost.0 {
            outcome.changed = block::write(&program, &choice)?;
            if manner.explains {
                outcome.explanations = explain(&mut program, &given, &choice, &self.texts);
            }
        } else {
            outcome.cost.1 = outcome.cost.0;
        }
        Ok(outcome)
    }

    fn saturated(&self, graph: Graph, roots: &[Id], given: &Graph) -> (Graph, Choice, Outcome) {
        let nodes = self.limits.nodes_of(graph.total_size());
        let runner = Runner::<Term, Facts>::new(Facts::default())
            .with_egraph(graph)
            .with_iter_limit(self.limits.iterations)
            .with_node_limit(nodes)
            .with_time_limit(Duration::MAX)
            .run(&self.rules);
        let mut outcome = Outcome { limit: limit(&runner, nodes), ..Outcome::default() };
        for iteration in &runner.iterations {
            for (rule, uses) in &iteration.applied {
                *outcome.uses.entry(rule.to_string()).or_default() += uses;
            }
        }
        let graph = runner.egraph;
        let (choice, after) = extract(&graph, &self.target, roots, &as_given(given, &graph));
        outcome.cost.1 = after;
        (graph, choice, outcome)
    }
}

/// The limit that a run was stopped by, in words.
fn limit(runner: &Runner<Term, Facts>, nodes: usize) -> Option<String> {
    match runner.stop_reason.as_ref()? {
        StopReason::Saturated => None,
        StopReason::IterationLimit(n) => Some(format!("the limit of {n} iterations")),
        StopReason::NodeLimit(_) => Some(format!("the limit of {nodes} terms")),
        StopReason::TimeLimit(s) => Some(format!("the limit of {s} seconds")),
        StopReason::Other(why) => Some(why.clone()),
    }
}
