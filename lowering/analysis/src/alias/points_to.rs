//! Points-to sets: the least ones that satisfy the inclusions which the operations state, in any order of execution.

use super::kinds::{ANY, Kind, Kinds};
use sconce_ir::Type;
use smallvec::SmallVec;

/// A set of locations that grows: a value's, a location's contents, or something in between.
pub(super) type Var = usize;
/// A place where an object is made, or the wildcard of a kind.
pub(super) type Loc = usize;

/// A variable with more locations than these points to wildcards instead: what it may be escapes.
const MOST: usize = 32;

#[derive(Default)]
struct Variable {
    points: SmallVec<[Loc; 2]>,
    /// Variables that hold whatever this one does.
    copies: SmallVec<[Var; 2]>,
    /// Variables that hold the contents of what this one may be.
    loads: SmallVec<[Var; 1]>,
    /// Variables whose locations go into what this one may be.
    stores: SmallVec<[Var; 1]>,
    escapes: bool,
}

struct Location {
    kind: Kind,
    /// The value that is made here.
    made: Option<usize>,
    /// Is it what it stands for now: itself, or its kind's wildcard?
    escaped: bool,
    contents: Var,
}

/// See the module's page.
pub(super) struct PointsTo<'c> {
    variables: Vec<Variable>,
    locations: Vec<Location>,
    kinds: Kinds<'c>,
    /// The wildcard of each kind, once there is one.
    wildcards: Vec<Option<Loc>>,
    /// Variables with locations that were not handed on.
    work: Vec<(Var, Loc)>,
    /// Locations that escaped and whose contents did not yet.
    escaping: Vec<Loc>,
}

impl<'c> PointsTo<'c> {
    pub fn new() -> Self {
        PointsTo {
            variables: Vec::new(),
            locations: Vec::new(),
            kinds: Kinds::new(),
            wildcards: Vec::new(),
            work: Vec::new(),
            escaping: Vec::new(),
        }
    }

    // -- questions

    /// What a variable may be.
    pub fn points(&self, var: Var) -> impl Iterator<Item = Loc> {
        self.variables[var].points.iter().map(|l| self.stands_for(*l))
    }

    /// What a location may hold.
    pub fn held(&self, l: Loc) -> impl Iterator<Item = Loc> {
        self.points(self.locations[l].contents)
    }

    pub fn has_escaped(&self, l: Loc) -> bool {
        self.locations[l].escaped
    }

    pub fn is_of_any_kind(&self, l: Loc) -> bool {
        self.locations[l].kind == ANY
    }

    /// The value that is made at a location; none at wildcards.
    pub fn made(&self, l: Loc) -> Option<usize> {
        self.locations[l].made
    }

    pub fn wildcards(&self) -> impl Iterator<Item = Loc> {
        self.wildcards.iter().flatten().copied()
    }

    pub fn wildcard_of_any(&self) -> Option<Loc> {
        self.wildcards.first().copied().flatten()
    }

    /// By location: is it one of these?
    pub fn among(&self, these: &[Loc]) -> Vec<bool> {
        let mut among = vec![false; self.locations.len()];
        these.iter().for_each(|l| among[self.stands_for(*l)] = true);
        among
    }

    /// By location: is it one of these, or may it hold one, at any depth?
    pub fn holders_of(&self, these: Vec<Loc>) -> Vec<bool> {
        let mut holders: Vec<SmallVec<[Loc; 2]>> = vec![SmallVec::new(); self.locations.len()];
        for l in 0..self.locations.len() {
            for held in self.held(l) {
                holders[held].push(self.stands_for(l));
            }
        }
        let mut found = vec![false; self.locations.len()];
        let mut stack: Vec<Loc> = these.into_iter().map(|l| self.stands_for(l)).collect();
        while let Some(l) = stack.pop() {
            if !std::mem::replace(&mut found[l], true) {
                stack.extend(&holders[l]);
            }
        }
        found
    }

    pub fn is_mutable(&mut self, ty: Type<'c>) -> bool {
        self.kinds.is_mutable(ty)
    }

    /// The location, or the wildcard that it is since it escaped.
    fn stands_for(&self, l: Loc) -> Loc {
        let location = &self.locations[l];
        if location.escaped { self.wildcards.get(location.kind).copied().flatten().unwrap_or(l) } else { l }
    }

    // -- inclusions

    pub fn variable(&mut self) -> Var {
        self.variables.push(Variable::default());
        self.variables.len() - 1
    }

    fn location(&mut self, kind: Kind, made: Option<usize>) -> Loc {
        let contents = self.variable();
        // Nobody made what comes from outside.
        self.locations.push(Location { kind, made, escaped: made.is_none(), contents });
        self.locations.len() - 1
    }

    /// A place of its own for an object of the type that is made here.
    pub fn make(&mut self, var: Var, ty: Type<'c>, value: usize) {
        let kind = self.kinds.of(ty);
        let l = self.location(kind, Some(value));
        self.add(var, l);
    }

    /// The variable may be anything of its type from outside.
    pub fn make_unknown(&mut self, var: Var, ty: Type<'c>) {
        for kind in self.kinds.members(ty) {
            let l = self.wildcard(kind);
            self.add(var, l);
        }
    }

    /// What went into a container of the type may be anything that fits there.
    pub fn fill_unknown(&mut self, var: Var, ty: Type<'c>) {
        let kind = self.kinds.of(ty);
        if !self.kinds.held(kind).is_empty() {
            let unknown = self.variable();
            self.holds_unknown(unknown, kind);
            self.store(var, unknown);
        }
    }

    /// The wildcard of a kind; it holds the wildcards of what such an object may hold.
    fn wildcard(&mut self, kind: Kind) -> Loc {
        if self.wildcards.len() < self.kinds.count() {
            self.wildcards.resize(self.kinds.count(), None);
        }
        if let Some(known) = self.wildcards[kind] {
            return known;
        }
        let l = self.location(kind, None);
        self.wildcards[kind] = Some(l);
        self.holds_unknown(self.locations[l].contents, kind);
        l
    }

    /// The variable holds whatever an object of the kind may.
    fn holds_unknown(&mut self, contents: Var, kind: Kind) {
        for held in self.kinds.held(kind) {
            let l = self.wildcard(held);
            self.add(contents, l);
        }
    }

    fn add(&mut self, var: Var, l: Loc) {
        let mut l = self.stands_for(l);
        if self.variables[var].escapes && !self.locations[l].escaped {
            self.wildcard(self.locations[l].kind);
            self.locations[l].escaped = true;
            self.escaping.push(l);
            l = self.stands_for(l);
        }
        let variable = &mut self.variables[var];
        if variable.points.contains(&l) {
            return;
        }
        variable.points.push(l);
        self.work.push((var, l));
        if self.variables[var].points.len() == MOST {
            self.escape(var);
        }
    }

    /// What the variable may be, now and later, may be found by others.
    pub fn escape(&mut self, var: Var) {
        if !std::mem::replace(&mut self.variables[var].escapes, true) {
            for l in self.variables[var].points.clone() {
                self.work.push((var, l));
            }
        }
    }

    /// `to` may be whatever `from` is.
    pub fn copy(&mut self, from: Var, to: Var) {
        if from == to {
            return;
        }
        self.variables[from].copies.push(to);
        for l in self.variables[from].points.clone() {
            self.add(to, l);
        }
    }

    /// `to` may be whatever `container` holds.
    pub fn load(&mut self, container: Var, to: Var) {
        self.variables[container].loads.push(to);
        for l in self.variables[container].points.clone() {
            self.copy(self.locations[l].contents, to);
        }
    }

    /// `container` may hold what `value` is.
    pub fn store(&mut self, container: Var, value: Var) {
        self.variables[container].stores.push(value);
        for l in self.variables[container].points.clone() {
            self.copy(value, self.locations[l].contents);
        }
    }

    /// Hands everything on until nothing is new.
    pub fn solve(&mut self) {
        loop {
            if let Some(l) = self.escaping.pop() {
                self.escaped(l);
                continue;
            }
            let Some((var, l)) = self.work.pop() else { return };
            let contents = self.locations[l].contents;
            let Variable { copies, loads, stores, escapes, .. } = &self.variables[var];
            let (copies, loads, stores, escapes) = (copies.clone(), loads.clone(), stores.clone(), *escapes);
            for to in copies {
                self.add(to, l);
            }
            for to in loads {
                self.copy(contents, to);
            }
            for value in stores {
                self.copy(value, contents);
            }
            if escapes && !std::mem::replace(&mut self.locations[l].escaped, true) {
                self.escaped(l);
            }
            if escapes && self.stands_for(l) != l {
                // So that there are never more than a few.
                self.variables[var].points.retain(|p| *p != l);
                self.add(var, l);
            }
        }
    }

    /// What holds for the wildcard holds for the location, and the reverse.
    fn escaped(&mut self, l: Loc) {
        let wildcard = self.wildcard(self.locations[l].kind);
        let (own, outer) = (self.locations[l].contents, self.locations[wildcard].contents);
        self.escape(own);
        self.escape(outer);
        self.copy(own, outer);
        self.copy(outer, own);
    }
}
