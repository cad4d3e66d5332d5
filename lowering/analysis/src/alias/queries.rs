//! What passes ask of aliases: whether two values may be one object, or hold one, and what operations write to.

use super::{Aliases, Loc, Locations};
use sconce_ir::{OperationRef, Value};

/// What a value may be, as messages say it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pointees {
    /// By `ValueExt::id`: the values where what it may be is made, in no order that means anything.
    pub made_by: Vec<usize>,
    /// It may come from outside of the function.
    pub outside: bool,
}

impl<'c: 'a, 'a> Aliases<'c> {
    /// May the values be one object, or share elements? What cannot change is nobody's alias.
    pub fn may_alias(&self, a: Value<'c, 'a>, b: Value<'c, 'a>) -> bool {
        let others: Vec<Loc> = self.points(b).collect();
        self.points(a).any(|l| others.iter().any(|other| self.is_one(l, *other))) && !self.are_apart(a, b)
    }

    /// May one be the other, or may they hold one object, at any depth?
    pub fn may_contain_alias(&self, a: Value<'c, 'a>, b: Value<'c, 'a>) -> bool {
        let (mut of_a, mut of_b) = (Locations::default(), Locations::default());
        self.collect(a, &mut of_a);
        self.collect(b, &mut of_b);
        of_a.all.iter().any(|l| self.is_among(*l, &of_b)) && !self.are_apart(a, b)
    }
}

impl<'c> Aliases<'c> {
    /// What a value may be.
    pub fn pointees(&self, value: Value<'c, '_>) -> Pointees {
        self.described(self.points(value))
    }

    /// What a container may hold, itself and not by what it holds.
    pub fn held_by(&self, value: Value<'c, '_>) -> Pointees {
        self.described(self.points(value).flat_map(|l| self.graph.held(l)))
    }

    /// What an operation itself writes to.
    pub fn written(&self, op: OperationRef<'c, '_>) -> Pointees {
        let mut written = self.described(self.written_by(super::id(op)).into_iter());
        written.outside |= self.writes_everything.contains(&super::id(op));
        written
    }

    fn described(&self, locations: impl Iterator<Item = Loc>) -> Pointees {
        let mut described = Pointees::default();
        for l in locations {
            match self.graph.made(l).filter(|_| !self.graph.has_escaped(l)) {
                Some(value) => described.made_by.push(value),
                None => described.outside = true,
            }
        }
        described.made_by.sort_unstable();
        described.made_by.dedup();
        described
    }

    /// May two locations be one? What is outside and of unknown type may be anything outside.
    fn is_one(&self, a: Loc, b: Loc) -> bool {
        let outside = self.graph.has_escaped(a) && self.graph.has_escaped(b);
        a == b || outside && (self.graph.is_of_any_kind(a) || self.graph.is_of_any_kind(b))
    }
}
