//! Rules at work: a match becomes an equality where the conditions hold and both sides are known to have the same type.

use crate::facts::{Facts, Graph, applied, same_type};
use crate::rules::{Rule, Side};
use crate::siblings::{Siblings, sibling};
use crate::term::{Head, Literal, Term};
use egg::{Applier, ENodeOrVar, Id, Language, Pattern, PatternAst, RecExpr, Rewrite, Subst, Symbol, Var};
use sconce_schema::shape::{Meta, Size};
use std::sync::Arc;

/// The rule as egg takes it.
///
/// # Errors
/// A left side that binds what the right side does not, which reading excludes.
pub fn rewrite(rule: &Arc<Rule>) -> Result<Rewrite<Term, Facts>, String> {
    let left = |side: &Side| {
        let mut pattern = RecExpr::default();
        add_pattern(&mut pattern, side);
        pattern
    };
    match (&rule.left, &rule.right) {
        (Side::List(lefts), Side::List(rights)) => {
            let sides: Vec<(PatternAst<Term>, Side)> = lefts.iter().map(left).zip(rights.iter().cloned()).collect();
            let searcher = Siblings::new(lefts, sides.iter().map(|(left, _)| Pattern::new(left.clone())).collect());
            Rewrite::new(rule.name.to_string(), searcher, Right { rule: rule.clone(), sides })
        }
        _ => {
            let pattern = left(&rule.left);
            let sides = vec![(pattern.clone(), rule.right.clone())];
            Rewrite::new(rule.name.to_string(), Pattern::new(pattern), Right { rule: rule.clone(), sides })
        }
    }
}

fn variable(name: &str) -> Var {
    Var::from(Symbol::from(format!("?{name}")))
}

/// Appends a left side; gives its place.
fn add_pattern(pattern: &mut RecExpr<ENodeOrVar<Term>>, side: &Side) -> Id {
    let node = match side {
        Side::Variable(name) => ENodeOrVar::Var(variable(name)),
        Side::Literal(value) => ENodeOrVar::ENode(Term::literal(value.clone())),
        Side::List(items) => {
            let items: Vec<Id> = items.iter().map(|s| add_pattern(pattern, s)).collect();
            ENodeOrVar::ENode(Term::new(Head::List, items))
        }
        Side::Part(whole, index) => {
            let whole = add_pattern(pattern, whole);
            ENodeOrVar::ENode(Term::new(Head::Part(*index), [whole]))
        }
        Side::Apply(entry, arguments) => {
            let arguments: Vec<Id> = arguments.iter().map(|s| add_pattern(pattern, s)).collect();
            ENodeOrVar::ENode(Term::new(Head::Operator(entry), arguments))
        }
        // Reading refuses it on the left.
        Side::Computed(_) => ENodeOrVar::ENode(Term::literal(Literal::None)),
    };
    pattern.add(node)
}

/// The right side and the conditions of a rule.
struct Right {
    rule: Arc<Rule>,
    /// What becomes equal: of most rules one pair.
    sides: Vec<(PatternAst<Term>, Side)>,
}

impl Right {
    /// The right sides with their constants worked out, where the rule may be applied.
    fn instances(&self, graph: &Graph, classes: &[Id], bound: &Subst) -> Option<Vec<PatternAst<Term>>> {
        let known = |name: &str| bound.get(variable(name)).map(|id| graph[*id].data.clone());
        if !self.rule.conditions.iter().all(|c| c.value(&known) == Some(Meta::Bool(true))) {
            return None;
        }
        let instance = |((_, right), class): (&(PatternAst<Term>, Side), &Id)| {
            // A rewrite that changes a type is a wrong one; where types are not known, nobody could tell.
            meta(right, &known).filter(|meta| same_type(meta, &graph[*class].data))?;
            let mut pattern = RecExpr::default();
            add_right(&mut pattern, right, &known)?;
            Some(pattern)
        };
        self.sides.iter().zip(classes).map(instance).collect()
    }
}

impl Applier<Term, Facts> for Right {
    fn apply_one(
        &self,
        graph: &mut Graph,
        class: Id,
        bound: &Subst,
        _: Option<&PatternAst<Term>>,
        name: Symbol,
    ) -> Vec<Id> {
        let classes: Vec<Id> = match self.sides.len() {
            1 => vec![class],
            n => (0..n).filter_map(|i| bound.get(sibling(i)).copied()).collect(),
        };
        let Some(rights) = self.instances(graph, &classes, bound) else { return Vec::new() };
        if !sconce_pass::fuel::spend_anywhere(&self.rule.name) {
            return Vec::new();
        }
        let mut changed = Vec::new();
        for (((left, _), right), class) in self.sides.iter().zip(&rights).zip(classes) {
            let is_new = match graph.are_explanations_enabled() {
                // With explanations, the very terms of both sides are what became equal.
                true => graph.union_instantiations(left, right, bound, name).1,
                false => {
                    let right = instantiate(graph, right, bound);
                    graph.union(class, right)
                }
            };
            changed.extend(is_new.then_some(class));
        }
        changed
    }
}

/// What would be known of a right side.
pub fn meta(side: &Side, known: &dyn Fn(&str) -> Option<Meta>) -> Option<Meta> {
    let all = |items: &[Side]| items.iter().map(|s| meta(s, known)).collect::<Option<Vec<Meta>>>();
    Some(match side {
        Side::Variable(name) => known(name)?,
        Side::Literal(value) => value.meta(),
        Side::List(items) => Meta::List(all(items)?),
        Side::Part(whole, index) => match meta(whole, known)? {
            Meta::List(items) => items.get(*index as usize)?.clone(),
            _ => return None,
        },
        Side::Apply(entry, arguments) => applied(entry, &all(arguments)?),
        Side::Computed(e) => e.value(known)?,
    })
}

/// Appends a right side, its constants worked out; gives its place. `None` if one has no value.
fn add_right(pattern: &mut RecExpr<ENodeOrVar<Term>>, side: &Side, known: &dyn Fn(&str) -> Option<Meta>) -> Option<Id> {
    let node = match side {
        Side::Variable(name) => ENodeOrVar::Var(variable(name)),
        Side::Literal(value) => ENodeOrVar::ENode(Term::literal(value.clone())),
        Side::List(items) => {
            let items = items.iter().map(|s| add_right(pattern, s, known)).collect::<Option<Vec<Id>>>()?;
            ENodeOrVar::ENode(Term::new(Head::List, items))
        }
        Side::Part(whole, index) => {
            ENodeOrVar::ENode(Term::new(Head::Part(*index), [add_right(pattern, whole, known)?]))
        }
        Side::Apply(entry, arguments) => {
            let arguments = arguments.iter().map(|s| add_right(pattern, s, known)).collect::<Option<Vec<Id>>>()?;
            ENodeOrVar::ENode(Term::new(Head::Operator(entry), arguments))
        }
        Side::Computed(e) => return add_constant(pattern, &e.value(known)?),
    };
    Some(pattern.add(node))
}

/// Appends a constant; `None` for what is none.
fn add_constant(pattern: &mut RecExpr<ENodeOrVar<Term>>, value: &Meta) -> Option<Id> {
    let literal = match value {
        Meta::None => Literal::None,
        Meta::Bool(b) => Literal::Bool(*b),
        Meta::Int(Size::Known(n)) => Literal::Int(*n),
        Meta::Float(x) => Literal::float(*x),
        Meta::Str(s) => Literal::Str(s.clone()),
        Meta::List(items) => {
            let items = items.iter().map(|item| add_constant(pattern, item)).collect::<Option<Vec<Id>>>()?;
            return Some(pattern.add(ENodeOrVar::ENode(Term::new(Head::List, items))));
        }
        _ => return None,
    };
    Some(pattern.add(ENodeOrVar::ENode(Term::literal(literal))))
}

/// Adds what a pattern stands for.
fn instantiate(graph: &mut Graph, pattern: &PatternAst<Term>, bound: &Subst) -> Id {
    let mut ids: Vec<Id> = Vec::with_capacity(pattern.as_ref().len());
    for node in pattern.as_ref() {
        ids.push(match node {
            ENodeOrVar::Var(v) => bound[*v],
            ENodeOrVar::ENode(term) => graph.add(term.clone().map_children(|child| ids[usize::from(child)])),
        });
    }
    ids.pop().unwrap_or_default()
}
