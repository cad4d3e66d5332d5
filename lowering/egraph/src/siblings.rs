//! Terms that stand beside each other: what a rule's left sides match, one each, where what they share is the same. Siblings are terms that the program computes
//! itself, and neighbours among those that share the same; so what rules make of siblings has none, and the search ends.

use crate::facts::{Facts, Graph};
use crate::rules::Side;
use crate::term::Term;
use egg::{Id, Pattern, SearchMatches, Searcher, Subst, Symbol, Var};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The variable that stands for the class of a left side.
pub fn sibling(number: usize) -> Var {
    Var::from(Symbol::from(format!("?.{number}")))
}

/// A search for several patterns at once.
pub struct Siblings {
    patterns: Vec<Pattern<Term>>,
    /// Variables that all patterns have.
    shared: Vec<Var>,
    /// Do all patterns say the same of what is not shared? Then each group of siblings is found once.
    are_alike: bool,
}

impl Siblings {
    pub fn new(sides: &[Side], patterns: Vec<Pattern<Term>>) -> Siblings {
        let first = patterns.first().map(Searcher::<Term, Facts>::vars).unwrap_or_default();
        let is_shared = |v: &Var| patterns.iter().all(|p| Searcher::<Term, Facts>::vars(p).contains(v));
        let shared: Vec<Var> = first.into_iter().filter(is_shared).collect();
        let form = |side: &Side| {
            let mut form = side.clone();
            forget(&mut form, &shared);
            form.to_string()
        };
        let are_alike = sides.windows(2).all(|pair| form(&pair[0]) == form(&pair[1]));
        Siblings { patterns, shared, are_alike }
    }

    /// What each pattern matches of the program's own terms, by what is shared.
    fn found(&self, graph: &Graph) -> Vec<BTreeMap<Vec<Id>, Vec<(Id, Subst)>>> {
        let given: FxHashSet<Id> = graph.analysis.given.iter().map(|id| graph.find(*id)).collect();
        let count = if self.are_alike { 1 } else { self.patterns.len() };
        let of_pattern = |pattern: &Pattern<Term>| {
            let mut found: BTreeMap<Vec<Id>, Vec<(Id, Subst)>> = BTreeMap::new();
            for matches in pattern.search(graph) {
                let class = graph.find(matches.eclass);
                // Of several ways to see a term the first will do.
                if let Some(bound) = matches.substs.into_iter().next().filter(|_| given.contains(&class)) {
                    let key = self.shared.iter().filter_map(|v| bound.get(*v)).map(|id| graph.find(*id)).collect();
                    found.entry(key).or_default().push((class, bound));
                }
            }
            found.values_mut().for_each(|group| group.sort_unstable_by_key(|(class, _)| *class));
            found
        };
        self.patterns[..count].iter().map(of_pattern).collect()
    }

    /// Groups of neighbours; of patterns that differ, the first of each.
    fn groups(&self, graph: &Graph) -> Vec<Vec<(Id, Subst)>> {
        let found = self.found(graph);
        let Some(first) = found.first() else { return Vec::new() };
        let mut groups = Vec::new();
        for (key, members) in first {
            if self.are_alike {
                let own = &self.patterns[0];
                let windows = members.windows(self.patterns.len());
                groups.extend(windows.map(|group| self.renamed(own, group)));
                continue;
            }
            let others: Option<Vec<(Id, Subst)>> =
                found[1..].iter().map(|f| f.get(key).and_then(|group| group.first().cloned())).collect();
            groups.extend(others.map(|others| std::iter::once(members[0].clone()).chain(others).collect()));
        }
        groups
    }

    /// Matches of the first pattern as matches of all: variables in the order in which the patterns have them.
    fn renamed(&self, first: &Pattern<Term>, group: &[(Id, Subst)]) -> Vec<(Id, Subst)> {
        let names = Searcher::<Term, Facts>::vars(first);
        let renamed = |((class, bound), pattern): (&(Id, Subst), &Pattern<Term>)| {
            let mut own = Subst::default();
            for (from, to) in names.iter().zip(Searcher::<Term, Facts>::vars(pattern)) {
                if let Some(id) = bound.get(*from) {
                    own.insert(to, *id);
                }
            }
            (*class, own)
        };
        group.iter().zip(&self.patterns).map(renamed).collect()
    }
}

impl Searcher<Term, Facts> for Siblings {
    fn search_eclass_with_limit(&self, graph: &Graph, class: Id, limit: usize) -> Option<SearchMatches<'_, Term>> {
        self.search_with_limit(graph, usize::MAX).into_iter().find(|m| m.eclass == graph.find(class)).map(|mut m| {
            m.substs.truncate(limit);
            m
        })
    }

    fn search_with_limit(&self, graph: &Graph, limit: usize) -> Vec<SearchMatches<'_, Term>> {
        let joined = |group: Vec<(Id, Subst)>| {
            let mut all = Subst::default();
            let vars = self.patterns.iter().map(Searcher::<Term, Facts>::vars);
            for (number, ((class, bound), vars)) in group.iter().zip(vars).enumerate() {
                all.insert(sibling(number), *class);
                for v in vars {
                    if let Some(id) = bound.get(v) {
                        all.insert(v, *id);
                    }
                }
            }
            SearchMatches { eclass: group[0].0, substs: vec![all], ast: None }
        };
        self.groups(graph).into_iter().take(limit).map(joined).collect()
    }

    fn vars(&self) -> Vec<Var> {
        let own = self.patterns.iter().flat_map(Searcher::<Term, Facts>::vars);
        own.chain((0..self.patterns.len()).map(sibling)).collect()
    }
}

/// Gives all variables that are not shared one name.
fn forget(side: &mut Side, shared: &[Var]) {
    match side {
        Side::Variable(name) => {
            if !shared.contains(&Var::from(Symbol::from(format!("?{name}")))) {
                *name = Arc::from("_");
            }
        }
        Side::List(items) | Side::Apply(_, items) => items.iter_mut().for_each(|item| forget(item, shared)),
        Side::Part(whole, _) => forget(whole, shared),
        Side::Literal(_) | Side::Computed(_) => {}
    }
}
