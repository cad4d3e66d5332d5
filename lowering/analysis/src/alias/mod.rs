//! Which values of a function may be one object, what containers may hold, and which operations may write to it.
//!
//! Every value of a type that can change points to *locations*: the place where an object is made, or the *wildcard* of a type, which
//! stands for whatever comes from outside. A location has contents; what is put into a container is among them, and what is taken out
//! may be any of them. A location that goes where others may find it (an argument of an unknown call, a container from outside) has
//! *escaped*: it is the wildcard of its type from then on, and so is what it holds. Arguments of a function are wildcards, and so is what
//! is taken out of containers, beside what was seen to go in (PyTorch has it so, and what its passes do depends on it).
//!
//! Tensors that are values (`!torch.vtensor`) cannot change and point to nothing; a list of them can, and does.

mod kinds;
pub mod movement;
mod points_to;
mod queries;
mod slices;
mod statements;

use crate::layout::Rows;
use points_to::{Loc, PointsTo, Var};
pub use queries::Pointees;
use rustc_hash::{FxHashMap, FxHashSet};
use sconce_ir::{OpExt, OperationRef, RegionExt, Type, Value, ValueExt};
use smallvec::SmallVec;

/// A write of an operation.
#[derive(Clone, Copy)]
struct Written {
    var: Var,
    /// What it holds is written as well.
    deep: bool,
}

/// See the module's page.
pub struct Aliases<'c> {
    graph: PointsTo<'c>,
    /// By [`ValueExt::id`].
    of_value: FxHashMap<usize, Var>,
    /// What each operation writes to, by [`id`].
    writes: FxHashMap<usize, SmallVec<[Written; 1]>>,
    /// Operations that write to all that is outside.
    writes_everything: FxHashSet<usize>,
    /// Operations that may do what no value shows, by their records or because nobody knows.
    acts: FxHashSet<usize>,
    /// Reads of attributes that nothing else can reach, by [`id`].
    own: FxHashSet<usize>,
    /// Operations that may give what they write to other sizes, by [`id`].
    lays_out: FxHashSet<usize>,
    /// Locations, by number, that they write to.
    laid_out: Vec<bool>,
    /// Locations, by number, that are written.
    written: Vec<bool>,
    /// Locations, by number, that are written, or hold such.
    tainted: Vec<bool>,
    /// Locations that the function's results may be or hold.
    results: Locations,
    rows: Rows,
}

/// A set of memory locations.
#[derive(Default)]
pub struct Locations {
    all: FxHashSet<Loc>,
    /// Something from outside is among them.
    outside: bool,
    /// Something from outside of unknown type is.
    any_kind: bool,
}

impl Locations {
    /// Adds others.
    pub fn extend(&mut self, others: Locations) {
        let (mut all, more) = if others.all.len() > self.all.len() {
            (others.all, std::mem::take(&mut self.all))
        } else {
            (std::mem::take(&mut self.all), others.all)
        };
        all.extend(more);
        self.all = all;
        self.outside |= others.outside;
        self.any_kind |= others.any_kind;
    }
}

/// A number that tells operations apart.
pub fn id(op: OperationRef<'_, '_>) -> usize {
    op.to_raw().ptr as usize
}

impl<'c> Aliases<'c> {
    /// Of a function alone: what it reads of objects, and what its callees give back, may be anything.
    pub fn of<'a>(function: OperationRef<'c, 'a>) -> Self
    where
        'c: 'a,
    {
        Self::with_own(function, FxHashSet::default())
    }

    /// Of a function whose reads `own` (of attributes, by [`id`]) give what no other value is.
    pub fn with_own<'a>(function: OperationRef<'c, 'a>, own: FxHashSet<usize>) -> Self
    where
        'c: 'a,
    {
        let mut aliases = Aliases {
            graph: PointsTo::new(),
            of_value: FxHashMap::default(),
            writes: FxHashMap::default(),
            writes_everything: FxHashSet::default(),
            acts: FxHashSet::default(),
            own,
            lays_out: FxHashSet::default(),
            laid_out: Vec::new(),
            written: Vec::new(),
            tainted: Vec::new(),
            results: Locations::default(),
            rows: Rows::of(function),
        };
        aliases.function(function);
        aliases.graph.solve();
        aliases.taint();
        let mut results = Locations::default();
        for block in function.region_refs().into_iter().flat_map(RegionExt::blocks) {
            let end = sconce_ir::BlockExt::terminator_op(block);
            for value in end.map(OpExt::operand_values).unwrap_or_default() {
                aliases.collect(value, &mut results);
            }
        }
        aliases.results = results;
        aliases
    }

    /// Does anything write to what the value may be, or to what that holds?
    pub fn has_writers(&self, value: Value<'c, '_>) -> bool {
        self.points(value).any(|l| self.tainted[l])
    }

    /// Does anything write to what the value may be itself?
    pub fn is_written(&self, value: Value<'c, '_>) -> bool {
        self.points(value).any(|l| self.written[l])
    }

    /// Does an operation, or one in it, write to what comes from outside?
    pub fn writes_to_wildcard(&self, op: OperationRef<'c, '_>) -> bool {
        nested(op).into_iter().any(|n| {
            self.writes_everything.contains(&n) || self.written_by(n).into_iter().any(|l| self.graph.has_escaped(l))
        })
    }

    /// Does an operation, or one in it, write to one of these locations?
    pub fn writes_to_any(&self, op: OperationRef<'c, '_>, live: &Locations) -> bool {
        nested(op).into_iter().any(|n| {
            self.writes_everything.contains(&n) && live.outside
                || self.written_by(n).into_iter().any(|l| self.is_among(l, live))
        })
    }

    /// Adds what a value may be, and what that may hold.
    pub fn collect(&self, value: Value<'c, '_>, into: &mut Locations) {
        let mut stack: Vec<Loc> = self.points(value).collect();
        while let Some(l) = stack.pop() {
            if into.all.insert(l) {
                if self.graph.has_escaped(l) {
                    into.outside = true;
                    into.any_kind |= self.graph.is_of_any_kind(l);
                }
                stack.extend(self.graph.held(l));
            }
        }
    }

    /// May both be the same, or parts of the same?
    pub fn may_share(&self, a: Value<'c, '_>, b: Value<'c, '_>) -> bool {
        self.points(a).any(|l| self.points(b).any(|other| other == l))
    }

    /// Is the value only itself: made here, and nothing from outside?
    pub fn is_fresh(&self, value: Value<'c, '_>) -> bool {
        let mut points = self.points(value);
        let itself = |l: Loc| !self.graph.has_escaped(l) && self.graph.made(l) == Some(value.id());
        points.next().is_some_and(itself) && points.next().is_none()
    }

    /// May the value be, or go into, something outside of the function?
    pub fn escapes(&self, value: Value<'c, '_>) -> bool {
        self.points(value).any(|l| self.graph.has_escaped(l) || self.results.all.contains(&l))
    }

    /// May both be seen from outside, so that it shows whether they are one object?
    pub fn both_escape(&self, a: Value<'c, '_>, b: Value<'c, '_>) -> bool {
        self.escapes(a) && self.escapes(b)
    }

    /// Does an operation of the function do something that no value shows: print, raise, call what may? What is in it is not asked.
    pub fn acts(&self, op: OperationRef<'c, '_>) -> bool {
        self.acts.contains(&id(op)) || statements::ACT.contains(&crate::operators::kind(op))
    }

    /// May the operator refuse its tensor for how it lies in memory?
    pub fn may_refuse_layout(&self, op: OperationRef<'c, '_>) -> bool {
        self.rows.may_refuse(op)
    }

    /// Does an operation itself write to anything?
    fn writes_something(&self, op: OperationRef<'c, '_>) -> bool {
        self.writes.contains_key(&id(op)) || self.writes_everything.contains(&id(op))
    }

    /// What an operation itself writes to.
    fn written_by(&self, op: usize) -> Vec<Loc> {
        let mut seen: FxHashSet<(Loc, bool)> = FxHashSet::default();
        let mut all = Vec::new();
        let mut stack = Vec::new();
        for written in self.writes.get(&op).into_iter().flatten() {
            stack.extend(self.graph.points(written.var).map(|l| (l, written.deep)));
        }
        while let Some((l, deep)) = stack.pop() {
            if seen.insert((l, deep)) {
                all.push(l);
                if deep {
                    stack.extend(self.graph.held(l).map(|l| (l, true)));
                }
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    fn is_among(&self, l: Loc, live: &Locations) -> bool {
        live.all.contains(&l)
            || self.graph.has_escaped(l) && (live.any_kind || self.graph.is_of_any_kind(l) && live.outside)
    }

    fn points(&self, value: Value<'c, '_>) -> impl Iterator<Item = Loc> {
        let var = self.of_value.get(&value.id()).copied();
        var.into_iter().flat_map(|v| self.graph.points(v))
    }

    /// May a tensor get other sizes, or other elements, than it was made with?
    fn is_laid_out(&self, value: Value<'c, '_>) -> bool {
        let unknown =
            || !self.writes_everything.is_empty() || self.graph.wildcard_of_any().is_some_and(|l| self.laid_out[l]);
        self.points(value).any(|l| self.laid_out[l] || self.graph.has_escaped(l) && unknown())
    }

    /// Which locations are written, or hold such.
    fn taint(&mut self) {
        let laid_out: Vec<Loc> = self.lays_out.iter().flat_map(|op| self.written_by(*op)).collect();
        self.laid_out = self.graph.among(&laid_out);
        let ops: Vec<usize> = self.writes.keys().copied().collect();
        let mut written: Vec<Loc> = ops.into_iter().flat_map(|op| self.written_by(op)).collect();
        let outside: Vec<Loc> = written.iter().copied().filter(|l| self.graph.has_escaped(*l)).collect();
        if !self.writes_everything.is_empty() || outside.iter().any(|l| self.graph.is_of_any_kind(*l)) {
            written.extend(self.graph.wildcards());
        } else if !outside.is_empty() {
            // What is of unknown type may be of any.
            written.extend(self.graph.wildcard_of_any());
        }
        self.written = self.graph.among(&written);
        self.tainted = self.graph.holders_of(written);
    }
}

/// Can a value of the type change?
pub fn is_mutable(ty: Type<'_>) -> bool {
    kinds::Kinds::new().is_mutable(ty)
}

/// The operation and all inside, by [`id`].
fn nested(op: OperationRef<'_, '_>) -> Vec<usize> {
    let mut all = Vec::new();
    op.walk_pre(&mut |op| {
        all.push(id(op));
        sconce_ir::op::Walk::Advance
    });
    all
}
