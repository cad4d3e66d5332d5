//! Extraction: which term of each class is computed, so that everything together costs little; shared terms count once, and the result never costs more than
//! the program that came in.
//!
//! First each class takes the term that is cheapest as a tree. Then, class by class, another term is taken wherever the whole gets cheaper by it, until nothing
//! changes. Both orders are by number, so that the same graph gives the same choice.

use crate::cost::Target;
use crate::facts::Graph;
use crate::term::Term;
use egg::{Id, Language};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

/// A term for each class that is needed.
pub type Choice = FxHashMap<Id, Term>;

/// Rounds of local search; each goes over all classes that are needed.
const ROUNDS: usize = 8;

/// Classes beyond which no local search is made: it is quadratic.
const SEARCHED: usize = 400;

/// What the roots cost in a graph in which each class has one term.
pub fn cost_of(graph: &Graph, target: &Target, roots: &[Id]) -> u64 {
    let choice: Choice = graph.classes().filter_map(|c| Some((c.id, c.nodes.first()?.clone()))).collect();
    Costs { graph, target, known: RefCell::default() }.whole(roots, &choice).unwrap_or(u64::MAX)
}

/// Chooses for the roots, beginning with a choice that is kept where nothing is cheaper. Gives the choice and its cost.
pub fn extract(graph: &Graph, target: &Target, roots: &[Id], given: &Choice) -> (Choice, u64) {
    let costs = Costs { graph, target, known: RefCell::default() };
    let mut best = (given.clone(), costs.whole(roots, given).unwrap_or(u64::MAX));
    let greedy = costs.greedy();
    // A class that the greedy choice says nothing of has no finite term.
    if let Some(cost) = costs.whole(roots, &greedy).filter(|cost| *cost < best.1) {
        best = (greedy, cost);
    }
    for _ in 0..ROUNDS {
        if !costs.improve(roots, &mut best) {
            break;
        }
    }
    best
}

struct Costs<'g> {
    graph: &'g Graph,
    target: &'g Target,
    /// Costs that were asked for: the search asks for the same again and again.
    known: RefCell<FxHashMap<Term, u64>>,
}

impl Costs<'_> {
    fn cost(&self, term: &Term) -> u64 {
        if let Some(known) = self.known.borrow().get(term) {
            return *known;
        }
        let cost = self.target.cost(self.graph, term);
        self.known.borrow_mut().insert(term.clone(), cost);
        cost
    }

    fn classes(&self) -> Vec<Id> {
        let mut classes: Vec<Id> = self.graph.classes().map(|c| c.id).collect();
        classes.sort_unstable();
        classes
    }

    /// A class's terms, in order.
    fn terms(&self, class: Id) -> Vec<&Term> {
        let mut terms: Vec<&Term> = self.graph[class].nodes.iter().collect();
        terms.sort_unstable();
        terms
    }

    /// The cheapest term of each class, as trees.
    fn greedy(&self) -> Choice {
        let classes = self.classes();
        let mut costs: FxHashMap<Id, u64> = FxHashMap::default();
        let mut choice = Choice::default();
        loop {
            let mut changed = false;
            for class in &classes {
                for term in self.terms(*class) {
                    let children: Option<u64> = term
                        .children()
                        .iter()
                        .map(|child| costs.get(&self.graph.find(*child)).copied())
                        .try_fold(0u64, |sum, cost| Some(sum.saturating_add(cost?)));
                    let Some(children) = children else { continue };
                    // One more than its children, so that no class is chosen to be made of itself.
                    let cost = self.cost(term).saturating_add(children).saturating_add(1);
                    if costs.get(class).is_none_or(|known| cost < *known) {
                        costs.insert(*class, cost);
                        choice.insert(*class, term.clone());
                        changed = true;
                    }
                }
            }
            if !changed {
                return choice;
            }
        }
    }

    /// What the roots cost, each class once; `None` if the choice is circular or incomplete.
    fn whole(&self, roots: &[Id], choice: &Choice) -> Option<u64> {
        self.needed(roots, choice)
            .map(|needed| needed.iter().map(|class| self.cost(&choice[class])).fold(0, u64::saturating_add))
    }

    /// The classes that the roots need, each behind what it needs itself.
    fn needed(&self, roots: &[Id], choice: &Choice) -> Option<Vec<Id>> {
        let mut order = Vec::new();
        let (mut done, mut open) = (FxHashSet::default(), FxHashSet::default());
        let mut stack: Vec<(Id, bool)> = roots.iter().rev().map(|r| (self.graph.find(*r), false)).collect();
        while let Some((class, is_left)) = stack.pop() {
            if is_left {
                open.remove(&class);
                if done.insert(class) {
                    order.push(class);
                }
                continue;
            }
            if done.contains(&class) {
                continue;
            }
            if !open.insert(class) {
                return None;
            }
            stack.push((class, true));
            for child in choice.get(&class)?.children().iter().rev() {
                let child = self.graph.find(*child);
                if open.contains(&child) {
                    return None;
                }
                stack.push((child, false));
            }
        }
        Some(order)
    }

    /// Takes other terms where the whole gets cheaper; whether it did.
    fn improve(&self, roots: &[Id], best: &mut (Choice, u64)) -> bool {
        let Some(needed) = self.needed(roots, &best.0).filter(|needed| needed.len() <= SEARCHED) else { return false };
        let full = self.greedy_behind(&best.0);
        let mut changed = false;
        for class in needed {
            for term in self.terms(class) {
                if best.0.get(&class) == Some(term) {
                    continue;
                }
                let mut other = full.clone();
                other.extend(best.0.iter().map(|(class, term)| (*class, term.clone())));
                other.insert(class, term.clone());
                if let Some(cost) = self.whole(roots, &other).filter(|cost| *cost < best.1) {
                    *best = (other, cost);
                    changed = true;
                }
            }
        }
        changed
    }

    /// Terms for the classes that a choice leaves open.
    fn greedy_behind(&self, choice: &Choice) -> Choice {
        let mut greedy = self.greedy();
        greedy.retain(|class, _| !choice.contains_key(class));
        greedy
    }
}
