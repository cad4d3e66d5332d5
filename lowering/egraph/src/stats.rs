//! What programs contain: how often each operator stands in them, and each rule's left side, whether its conditions hold or not.

use crate::block::{Kind, read};
use crate::rewrite::rewrite;
use crate::rules;
use egg::Id;
use rustc_hash::FxHashSet;
use sconce_analysis::operators::schema_name;
use sconce_analysis::{Aliases, effects};
use sconce_ir::prelude::*;
use sconce_pass::Failure;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Counts, by name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    pub operators: BTreeMap<String, usize>,
    pub patterns: BTreeMap<String, usize>,
}

impl fmt::Display for Counts {
    /// A line for each: `operator NAME COUNT`, `pattern RULE COUNT`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.operators.iter().try_for_each(|(name, n)| writeln!(f, "operator {name} {n}"))?;
        self.patterns.iter().try_for_each(|(name, n)| writeln!(f, "pattern {name} {n}"))
    }
}

/// Counts in the function that a module is entered by, or in all where it does not say.
///
/// # Errors
/// A text that is no rule file, which a test excludes.
pub fn count(root: OperationRef<'_, '_>) -> Result<Counts, Failure> {
    let mut counts = Counts::default();
    let entry = root.attr("torch.entry").and_then(attr::symbol_value).and_then(|path| path.into_iter().next());
    for function in root.find_all("func.func") {
        if entry.as_deref().is_none_or(|entry| function.symbol_name() == Some(entry)) {
            operators(function, &mut counts);
            patterns(function, &mut counts)?;
        }
    }
    Ok(counts)
}

fn operators(function: OperationRef<'_, '_>, counts: &mut Counts) {
    function.walk_pre(&mut |op| {
        let is_counted = sconce_torch::entry(op).is_some() && effects::effect(op) != effects::Effect::Structural;
        if let Some(name) = schema_name(op).filter(|_| is_counted) {
            *counts.operators.entry(name).or_default() += 1;
        }
        Walk::Advance
    });
}

/// The places of each rule's left side in the program's own terms.
fn patterns(function: OperationRef<'_, '_>, counts: &mut Counts) -> Result<(), Failure> {
    let aliases = Aliases::of(function);
    let rules: Vec<_> = rules::builtin()?.into_iter().map(Arc::new).collect();
    let searched = rules.iter().map(|rule| Ok((rule, rewrite(rule).map_err(Failure::new)?)));
    let searched: Vec<_> = searched.collect::<Result<_, Failure>>()?;
    let mut blocks = Vec::new();
    function.walk_pre(&mut |op| {
        blocks.extend(op.region_refs().into_iter().flat_map(RegionExt::blocks));
        Walk::Advance
    });
    for block in blocks {
        for kind in [Kind::Values, Kind::Tensors].into_iter().filter(|kind| kind.is_in(block)) {
            let graph = read(block, kind, Some(&aliases), false).graph;
            let given: FxHashSet<Id> = graph.analysis.given.iter().map(|id| graph.find(*id)).collect();
            for (rule, search) in &searched {
                let found = search.search(&graph).iter().filter(|m| given.contains(&graph.find(m.eclass))).count();
                if found > 0 {
                    *counts.patterns.entry(rule.name.to_string()).or_default() += found;
                }
            }
        }
    }
    Ok(())
}
