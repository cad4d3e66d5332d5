//! Rules at work: a match becomes an equality where the conditions hold and both sides are known to have the same type.

use crate::facts::{Facts, Graph, applied, same_type};
use crate::rules::{Rule, Side};
use crate::term::{Head, Literal, Term};
use egg::{Applier, ENodeOrVar, Id, Pattern, PatternAst, RecExpr, Rewrite, Subst, Symbol, Var};
use sconce_schema::shape::{Meta, Size};
use std::sync::Arc;

/// The rule as egg takes it.
///
/// # Errors
/// A left side that binds what the right side does not, which reading excludes.
pub fn rewrite(rule: &Arc<Rule>) -> Result<Rewrite<Term, Facts>, String> {
    let mut pattern = RecExpr::default();
    add_pattern(&mut pattern, &rule.left);
    Rewrite::new(rule.name.to_string(), Pattern::new(pattern), Right { rule: rule.clone() })
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
        let known = |name: &str| bound.get(variable(name)).map(|id| graph[*id].data.clone());
        let holds = self.rule.conditions.iter().all(|c| c.value(&known) == Some(Meta::Bool(true)));
        // A rewrite that changes a type is a wrong one; where types are not known, nobody could tell.
        let is_sound = || meta(&self.rule.right, &known).is_some_and(|right| same_type(&right, &graph[class].data));
        if !holds || !is_sound() {
            return Vec::new();
        }
        let Some(right) = build(graph, &self.rule.right, bound) else { return Vec::new() };
        let changed = if graph.are_explanations_enabled() {
            graph.union_trusted(class, right, name)
        } else {
            graph.union(class, right)
        };
        if changed { vec![class] } else { Vec::new() }
    }
}

/// What would be known of a right side.
fn meta(side: &Side, known: &dyn Fn(&str) -> Option<Meta>) -> Option<Meta> {
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

/// Adds a right side.
fn build(graph: &mut Graph, side: &Side, bound: &Subst) -> Option<Id> {
    let term = match side {
        Side::Variable(name) => return bound.get(variable(name)).copied(),
        Side::Literal(value) => Term::literal(value.clone()),
        Side::List(items) => {
            let items = items.iter().map(|s| build(graph, s, bound)).collect::<Option<Vec<Id>>>()?;
            Term::new(Head::List, items)
        }
        Side::Part(whole, index) => Term::new(Head::Part(*index), [build(graph, whole, bound)?]),
        Side::Apply(entry, arguments) => {
            let arguments = arguments.iter().map(|s| build(graph, s, bound)).collect::<Option<Vec<Id>>>()?;
            Term::new(Head::Operator(entry), arguments)
        }
        Side::Computed(e) => {
            let value = e.value(&|name| bound.get(variable(name)).map(|id| graph[*id].data.clone()))?;
            return constant(graph, &value);
        }
    };
    Some(graph.add(term))
}

/// Adds a constant; `None` for what is none.
fn constant(graph: &mut Graph, value: &Meta) -> Option<Id> {
    let literal = match value {
        Meta::None => Literal::None,
        Meta::Bool(b) => Literal::Bool(*b),
        Meta::Int(Size::Known(n)) => Literal::Int(*n),
        Meta::Float(x) => Literal::float(*x),
        Meta::Str(s) => Literal::Str(s.clone()),
        Meta::List(items) => {
            let items = items.iter().map(|item| constant(graph, item)).collect::<Option<Vec<Id>>>()?;
            return Some(graph.add(Term::new(Head::List, items)));
        }
        _ => return None,
    };
    Some(graph.add(Term::literal(literal)))
}
