//! What a peephole optimiser makes of the same rules: a match is applied where the program gets cheaper by it, at once, and what it replaced is gone. To compare with.

use crate::cost::Target;
use crate::extract::{Choice, as_given, cost_of};
use crate::facts::{Facts, Graph};
use crate::term::Term;
use egg::{Id, Language, Rewrite};
use std::collections::BTreeMap;

/// Applications at most.
const APPLIED: usize = 400;

/// The outcome: a graph, the choice in it, and how often each rule was applied.
pub struct Greedy {
    pub graph: Graph,
    pub choice: Choice,
    pub cost: u64,
    pub uses: BTreeMap<String, usize>,
}

/// Rewrites a program, whose classes have a term each, by the first match that makes it cheaper, again and again.
pub fn greedy(given: &Graph, target: &Target, roots: &[Id], rules: &[Rewrite<Term, Facts>]) -> Greedy {
    let choice = as_given(given, given);
    let cost = cost_of(given, given, target, roots, &choice);
    let mut state = Greedy { graph: given.clone(), choice, cost, uses: BTreeMap::new() };
    for _ in 0..APPLIED {
        // Matches are looked for in the program as it is now, without what was replaced.
        let own = program(&state, roots);
        let better = rules.iter().find_map(|rule| {
            let matches = rule.search(&own);
            let mut singles = matches.iter().flat_map(|m| m.substs.iter().map(move |s| (m.eclass, s)));
            singles
                .find_map(|(class, bound)| Some((rule, applied(&own, target, roots, rule, class, bound, state.cost)?)))
        });
        let Some((rule, (graph, choice, cost))) = better else { break };
        *state.uses.entry(rule.name.to_string()).or_default() += 1;
        (state.graph, state.choice, state.cost) = (graph, choice, cost);
    }
    state
}

/// The graph of what is chosen alone; classes keep their numbers.
fn program(state: &Greedy, roots: &[Id]) -> Graph {
    let mut graph = state.graph.clone();
    let chosen: Vec<Id> = graph.classes().map(|c| c.id).collect();
    for id in chosen {
        let only = state.choice.get(&id).cloned();
        let is_kept = |term: &Term| only.as_ref().is_none_or(|only| only == term);
        graph[id].nodes.retain(is_kept);
    }
    debug_assert!(roots.iter().all(|r| !graph[*r].nodes.is_empty()), "every root has a term");
    graph
}

/// A match applied, if that is cheaper.
fn applied(
    own: &Graph,
    target: &Target,
    roots: &[Id],
    rule: &Rewrite<Term, Facts>,
    class: Id,
    bound: &egg::Subst,
    before: u64,
) -> Option<(Graph, Choice, u64)> {
    let mut graph = own.clone();
    let kept = as_given(own, own);
    let changed = rule.applier.apply_one(&mut graph, class, bound, None, rule.name);
    if changed.is_empty() {
        return None;
    }
    graph.rebuild();
    let mut choice = Choice::default();
    for (id, term) in kept {
        choice.entry(graph.find(id)).or_insert_with(|| term.map_children(|child| graph.find(child)));
    }
    for class in graph.classes() {
        // Of a class that changed, the term that is new.
        let is_changed = changed.iter().any(|c| graph.find(*c) == class.id);
        let old = choice.get(&class.id).cloned();
        let new = class.nodes.iter().find(|term| old.as_ref().is_none_or(|old| is_changed && old != *term));
        if let Some(new) = new {
            choice.insert(class.id, new.clone());
        }
    }
    let cost = cost_of(&graph, &graph, target, roots, &choice);
    (cost < before).then_some((graph, choice, cost))
}
