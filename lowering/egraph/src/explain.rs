//! Explanations: how a value became another, as text: the term that was there, each rule that was applied with what its variables stood for, and the term that stands
//! there now. Every line says all that is needed to check it without this crate.
//!
//! ```text
//! leaf %0: f32[4, 8]
//! source aten.t(aten.t(%0))
//! step t-t forward at root with ?x = %0
//! result %0
//! ```

use crate::block::Program;
use crate::extract::Choice;
use crate::facts::Graph;
use crate::rules::{Rule, Side};
use crate::term::{Head, Term};
use egg::{FlatTerm, Id, RecExpr};
use rustc_hash::FxHashMap;
use sconce_schema::shape::{Meta, Size};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

/// Terms beyond which a value is not explained: shared terms are written out.
const MAX_TERMS: usize = 4_000;

/// Explains every root whose term changed; a root's text, or why there is none.
pub fn explain(program: &mut Program<'_, '_>, given: &Graph, choice: &Choice, rules: &[Arc<Rule>]) -> Vec<String> {
    let mut roots: Vec<Id> = program.roots.iter().map(|root| root.class).collect();
    roots.dedup();
    let mut texts = Vec::new();
    for root in roots {
        let source = tree(root, &|id| given[given.find(id)].nodes.first().cloned());
        let graph = &program.graph;
        let result = tree(graph.find(root), &|id| choice.get(&graph.find(id)).cloned());
        match (source, result) {
            (Some(source), Some(result)) if source != result => {
                texts.push(explained(&mut program.graph, &source, &result, rules));
            }
            (Some(_), Some(_)) => {}
            _ => texts.push(format!("not explained: more than {MAX_TERMS} terms")),
        }
    }
    texts
}

/// A class's term, written out.
fn tree(root: Id, term: &dyn Fn(Id) -> Option<Term>) -> Option<RecExpr<Term>> {
    fn add(
        id: Id,
        term: &dyn Fn(Id) -> Option<Term>,
        into: &mut RecExpr<Term>,
        made: &mut FxHashMap<Id, (Id, usize)>,
    ) -> Option<(Id, usize)> {
        if let Some(known) = made.get(&id) {
            return Some(*known);
        }
        let mut node = term(id)?;
        let mut size = 1usize;
        for child in &mut node.children {
            let (at, terms) = add(*child, term, into, made)?;
            *child = at;
            size = size.saturating_add(terms);
        }
        if size > MAX_TERMS || made.len() > MAX_TERMS {
            return None;
        }
        let at = (into.add(node), size);
        made.insert(id, at);
        Some(at)
    }
    let mut into = RecExpr::default();
    add(root, term, &mut into, &mut FxHashMap::default())?;
    Some(into)
}

fn explained(graph: &mut Graph, source: &RecExpr<Term>, result: &RecExpr<Term>, rules: &[Arc<Rule>]) -> String {
    let mut explanation = graph.explain_equivalence(source, result);
    let steps = explanation.make_flat_explanation();
    let mut text = String::new();
    let mut leaves = BTreeSet::new();
    steps.iter().for_each(|step| leaves_of(step, &mut leaves));
    for leaf in leaves {
        let _ = writeln!(text, "leaf %{leaf}: {}", known(&graph.analysis.known_leaf(leaf)));
    }
    for (number, step) in steps.iter().enumerate() {
        if number == 0 {
            let _ = writeln!(text, "source {}", term(step));
            continue;
        }
        let before = &steps[number - 1];
        let Some((path, name, is_forward)) = rewritten(step) else { continue };
        let (Some(old), Some(new)) = (below(before, &path), below(step, &path)) else { continue };
        let place = if path.is_empty() {
            "root".to_string()
        } else {
            path.iter().map(usize::to_string).collect::<Vec<_>>().join(".")
        };
        let from = if is_forward { old } else { new };
        let mut bound = Vec::new();
        let into = if is_forward { new } else { old };
        if let Some(rule) = rules.iter().find(|r| *r.name == *name) {
            for (left, right) in rule.pairs() {
                if matches(left, from) && matches(right, into) {
                    bind(left, from, &mut bound);
                    // Of siblings the right side tells of the others.
                    bind(right, into, &mut bound);
                    break;
                }
            }
        }
        let bound: Vec<String> = bound.into_iter().map(|(name, value)| format!("?{name} = {}", term(value))).collect();
        let direction = if is_forward { "forward" } else { "backward" };
        let _ = writeln!(text, "step {name} {direction} at {place} with {}", bound.join("; "));
        let _ = writeln!(text, "{} {}", if number + 1 == steps.len() { "result" } else { "term" }, term(step));
    }
    text
}

fn leaves_of(of: &FlatTerm<Term>, found: &mut BTreeSet<u32>) {
    if let Head::Leaf(number) = of.node.head {
        found.insert(number);
    }
    of.children.iter().for_each(|child| leaves_of(child, found));
}

/// What is known of a leaf: `f32[4, s0]`, `int`, or nothing.
fn known(meta: &Meta) -> String {
    match meta {
        Meta::Tensor(t) => {
            let dtype = t.dtype.map_or("?", |d| d.short_name());
            let sizes = t.sizes.as_ref().map(|sizes| sizes.iter().map(Size::to_string).collect::<Vec<_>>().join(", "));
            sizes.map_or_else(|| format!("{dtype}?"), |sizes| format!("{dtype}[{sizes}]"))
        }
        Meta::Int(Size::Symbol(n)) => format!("int s{n}"),
        Meta::Int(_) => "int".to_string(),
        _ => "unknown".to_string(),
    }
}

/// A term as rule files write it.
fn term(of: &FlatTerm<Term>) -> String {
    let children = || of.children.iter().map(term).collect::<Vec<_>>().join(", ");
    match &of.node.head {
        Head::Leaf(_) | Head::Literal(_) => of.node.to_string(),
        Head::List => format!("[{}]", children()),
        Head::Part(i) => format!("part({}, {i})", children()),
        Head::Operator(_) => format!("{}({})", of.node, children()),
    }
}

/// Where a rule was applied to come to a term, which, and whether from left to right.
fn rewritten(of: &FlatTerm<Term>) -> Option<(Vec<usize>, String, bool)> {
    match (&of.forward_rule, &of.backward_rule) {
        (Some(rule), _) => return Some((Vec::new(), rule.to_string(), true)),
        (_, Some(rule)) => return Some((Vec::new(), rule.to_string(), false)),
        _ => {}
    }
    of.children.iter().enumerate().find_map(|(i, child)| {
        let (mut path, rule, is_forward) = rewritten(child)?;
        path.insert(0, i);
        Some((path, rule, is_forward))
    })
}

fn below<'t>(of: &'t FlatTerm<Term>, path: &[usize]) -> Option<&'t FlatTerm<Term>> {
    path.iter().try_fold(of, |at, i| at.children.get(*i))
}

/// What the variables of a side stand for in a term that it matches.
fn bind<'t>(side: &Side, of: &'t FlatTerm<Term>, bound: &mut Vec<(Arc<str>, &'t FlatTerm<Term>)>) {
    match side {
        Side::Variable(name) => {
            if !bound.iter().any(|(known, _)| known == name) {
                bound.push((name.clone(), of));
            }
        }
        Side::List(items) | Side::Apply(_, items) => {
            items.iter().zip(&of.children).for_each(|(side, child)| bind(side, child, bound));
        }
        Side::Part(whole, _) => of.children.iter().take(1).for_each(|child| bind(whole, child, bound)),
        Side::Literal(_) | Side::Computed(_) => {}
    }
}

/// Is a term an instance of a side, as far as its operators and lists go?
fn matches(side: &Side, of: &FlatTerm<Term>) -> bool {
    let all = |items: &[Side]| {
        items.len() == of.children.len() && items.iter().zip(&of.children).all(|(side, child)| matches(side, child))
    };
    match (side, &of.node.head) {
        (Side::Variable(_) | Side::Computed(_), _) => true,
        (Side::Literal(a), Head::Literal(b)) => a == b,
        (Side::List(items), Head::List) => all(items),
        (Side::Apply(entry, items), Head::Operator(head)) => entry.op() == head.op() && all(items),
        (Side::Part(whole, i), Head::Part(j)) => {
            i == j && of.children.first().is_some_and(|child| matches(whole, child))
        }
        _ => false,
    }
}
