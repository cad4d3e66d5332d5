//! Extraction: which term of each class is computed, so that everything together costs little. What is shared counts once, what fuses costs less, what depends on
//! constants alone costs nothing, and the result never costs more than the program that came in.
//!
//! From two beginnings, the program as it was and the terms that are cheapest as trees, terms are exchanged one by one, or those of all parts of one whole together,
//! wherever the whole gets cheaper, until nothing changes. All orders are by number, so that the same graph gives the same choice.

mod state;

use crate::cost::{Price, Target};
use crate::facts::Graph;
use crate::term::{Head, Term};
use egg::{Id, Language};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use state::State;

/// A term for each class that is needed.
pub type Choice = FxHashMap<Id, Term>;

/// Rounds of local search; each goes over all classes that are needed.
const ROUNDS: usize = 8;

/// What the roots cost as a choice has them; `u64::MAX` if it is circular or incomplete. `knows` is the graph, or a later one that knows more of its terms.
pub fn cost_of(graph: &Graph, knows: &Graph, target: &Target, roots: &[Id], choice: &Choice) -> u64 {
    let problem = Problem::new(graph, knows, target, roots);
    State::new(&problem, problem.chosen(choice)).map_or(u64::MAX, |state| state.total())
}

/// Chooses for the roots, beginning with a choice that is kept where nothing is cheaper. Gives the choice and its cost.
pub fn extract(graph: &Graph, target: &Target, roots: &[Id], given: &Choice) -> (Choice, u64) {
    let problem = Problem::new(graph, graph, target, roots);
    let trees = problem.trees();
    let begun = problem.chosen(given).into_iter().zip(&trees).map(|(pick, other)| pick.or(*other)).collect();
    let mut best: Option<(u64, Vec<Option<u32>>)> = None;
    for picks in [begun, trees] {
        let Some(mut state) = State::new(&problem, picks) else { continue };
        state.improve(ROUNDS);
        let total = state.total();
        if best.as_ref().is_none_or(|(cost, _)| total < *cost) {
            best = Some((total, state.picks()));
        }
    }
    best.map_or_else(|| (given.clone(), u64::MAX), |(cost, picks)| (problem.choice(&picks), cost))
}

/// Each class's own term, as a program had it, in a graph that came of it; where classes became one, the first.
pub fn as_given(given: &Graph, graph: &Graph) -> Choice {
    let mut classes: Vec<_> = given.classes().collect();
    classes.sort_unstable_by_key(|c| c.id);
    let mut choice = Choice::default();
    for class in classes {
        if let Some(term) = class.nodes.first() {
            let canonical = || term.clone().map_children(|child| graph.find(child));
            choice.entry(graph.find(class.id)).or_insert_with(canonical);
        }
    }
    choice
}

/// A term that a class may be computed by, with classes by number.
struct Candidate {
    term: Term,
    children: SmallVec<[u32; 4]>,
    price: Price,
    /// Does it depend on constants alone?
    is_fixed: bool,
}

/// The graph as extraction sees it.
struct Problem {
    /// Numbers of classes, in order.
    ids: Vec<Id>,
    numbers: FxHashMap<Id, u32>,
    candidates: Vec<Vec<Candidate>>,
    /// For each class that is a whole: the classes that may be parts of it, and by which candidate.
    parts: Vec<Vec<(u32, u32)>>,
    roots: Vec<u32>,
}

impl Problem {
    fn new(graph: &Graph, knows: &Graph, target: &Target, roots: &[Id]) -> Problem {
        let mut ids: Vec<Id> = graph.classes().map(|c| c.id).collect();
        ids.sort_unstable();
        let numbers: FxHashMap<Id, u32> = ids.iter().copied().zip(0..).collect();
        let number = |id: Id| numbers.get(&graph.find(id)).copied();
        let fixed = fixed(graph, &ids, &numbers);
        let candidate = |class: u32, term: &Term| {
            let children: Option<SmallVec<[u32; 4]>> = term.children().iter().map(|c| number(*c)).collect();
            let children = children.filter(|children| !children.contains(&class))?;
            let is_leaf_of_calls = matches!(term.head, Head::Leaf(n) if !graph.analysis.is_constant(n));
            let is_fixed = !is_leaf_of_calls && children.iter().all(|c| fixed[*c as usize]);
            let price = target.price(knows, &term.clone().map_children(|child| knows.find(child)));
            Some(Candidate { term: term.clone(), children, price, is_fixed })
        };
        let of_class = |(id, class): (&Id, u32)| {
            let mut terms: Vec<&Term> = graph[*id].nodes.iter().collect();
            terms.sort_unstable();
            terms.into_iter().filter_map(|term| candidate(class, term)).collect::<Vec<_>>()
        };
        let candidates: Vec<Vec<Candidate>> = ids.iter().zip(0..).map(of_class).collect();
        let mut parts = vec![Vec::new(); ids.len()];
        for (class, all) in (0u32..).zip(&candidates) {
            for (pick, candidate) in (0u32..).zip(all).filter(|(_, c)| matches!(c.term.head, Head::Part(_))) {
                parts[candidate.children[0] as usize].push((class, pick));
            }
        }
        let mut roots: Vec<u32> = roots.iter().filter_map(|r| number(*r)).collect();
        roots.sort_unstable();
        roots.dedup();
        Problem { ids, numbers, candidates, parts, roots }
    }

    /// The candidates that a choice names.
    fn chosen(&self, choice: &Choice) -> Vec<Option<u32>> {
        let mut picks = vec![None; self.ids.len()];
        for (id, term) in choice {
            let Some(class) = self.numbers.get(id).map(|n| *n as usize) else { continue };
            let at = self.candidates[class].iter().position(|c| c.term == *term);
            picks[class] = at.map(|at| at as u32);
        }
        picks
    }

    fn choice(&self, picks: &[Option<u32>]) -> Choice {
        let picked = picks.iter().enumerate().filter_map(|(class, pick)| Some((class, (*pick)? as usize)));
        picked.map(|(class, pick)| (self.ids[class], self.candidates[class][pick].term.clone())).collect()
    }

    /// What a candidate costs as part of a tree: what is computed once costs next to nothing.
    fn tree_cost(&self, candidate: &Candidate) -> u64 {
        if candidate.is_fixed { candidate.price.cost / FIXED_SHARE } else { candidate.price.cost }
    }

    /// The cheapest candidate of each class, as trees.
    fn trees(&self) -> Vec<Option<u32>> {
        let mut costs: Vec<u64> = vec![u64::MAX; self.ids.len()];
        let mut picks = vec![None; self.ids.len()];
        loop {
            let mut changed = false;
            for (class, all) in self.candidates.iter().enumerate() {
                for (pick, candidate) in (0u32..).zip(all) {
                    let below = candidate.children.iter().map(|c| costs[*c as usize]);
                    let below = below.fold(0u64, u64::saturating_add);
                    if below == u64::MAX {
                        continue;
                    }
                    // One more than its children, so that no class is chosen to be made of itself.
                    let cost = self.tree_cost(candidate).saturating_add(below).saturating_add(1);
                    if cost < costs[class] {
                        (costs[class], picks[class], changed) = (cost, Some(pick), true);
                    }
                }
            }
            if !changed {
                return picks;
            }
        }
    }
}

/// What is computed once costs this part of what it would cost in each call, so that nothing is computed in vain.
const FIXED_SHARE: u64 = 1 << 12;

/// The classes that some term makes of constants alone.
fn fixed(graph: &Graph, ids: &[Id], numbers: &FxHashMap<Id, u32>) -> Vec<bool> {
    let mut fixed = vec![false; ids.len()];
    let is_fixed = |term: &Term, fixed: &[bool]| match term.head {
        Head::Leaf(n) => graph.analysis.is_constant(n),
        _ => term.children().iter().all(|c| numbers.get(&graph.find(*c)).is_some_and(|n| fixed[*n as usize])),
    };
    loop {
        let mut changed = false;
        for (class, id) in ids.iter().enumerate() {
            if !fixed[class] && graph[*id].nodes.iter().any(|term| is_fixed(term, &fixed)) {
                (fixed[class], changed) = (true, true);
            }
        }
        if !changed {
            return fixed;
        }
    }
}
