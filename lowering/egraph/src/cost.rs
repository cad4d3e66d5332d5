//! What a term costs on a target, by the bytes it moves, what it computes and what it takes to start: a model to choose by, in femtoseconds.

use crate::facts::Graph;
use crate::term::{Head, Term};
use sconce_schema::shape::{Meta, Size};
use sconce_schema::work::{bytes, flops};
use sconce_schema::{OpEntry, Type};

/// What a target's work costs, in femtoseconds.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub name: &'static str,
    /// A byte read or written.
    byte: u64,
    /// An addition or multiplication among many.
    flop: u64,
    /// To start an operator that computes by a kernel.
    launch: u64,
    /// To start one that becomes part of compiled code.
    step: u64,
    /// To make a view.
    view: u64,
    /// Does the operator become part of compiled code?
    compiles: fn(&OpEntry) -> bool,
}

/// Who compiles what is rewritten.
pub trait Compiles {
    /// Does the operator become part of compiled code, as far as its name tells?
    fn compiles(entry: &OpEntry) -> bool;
}

/// The target of a name, for whoever compiles: one core of a server's processor (`cpu`), a large GPU (`gpu`).
pub fn target<C: Compiles>(name: &str) -> Option<Target> {
    let compiles = C::compiles;
    let all = [
        Target {
            name: "cpu",
            byte: 100_000,
            flop: 20_000,
            launch: 300_000_000,
            step: 200_000_000,
            view: 50_000_000,
            compiles,
        },
        Target {
            name: "gpu",
            byte: 400,
            flop: 20,
            launch: 4_000_000_000,
            step: 3_000_000_000,
            view: 50_000_000,
            compiles,
        },
    ];
    all.into_iter().find(|target| target.name == name)
}

/// What an application costs by itself, and what of that depends on its neighbours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Price {
    pub cost: u64,
    /// It shares memory with what it is made of, or is a number.
    pub is_view: bool,
    /// What goes when it becomes part of the only operator that uses it, where both work element by element: to start it, to write its result and to read that
    /// again. Nothing where it does not fuse.
    pub fused: Option<u64>,
    /// May what it is made of become part of it? Where it works element by element itself; and a list that is joined takes the place of its parts, each of which
    /// is then computed where it goes.
    pub absorbs: bool,
}

impl Target {
    /// The price of one application, without that of its children.
    pub fn price(&self, graph: &Graph, term: &Term) -> Price {
        let view = Price { cost: self.view, is_view: true, ..Price::default() };
        let entry = match &term.head {
            Head::Operator(entry) => entry,
            // A list of constants is one.
            Head::List if term.children.iter().any(|c| !is_constant(&graph[*c].data)) => {
                let parts = term.children.iter().filter(|c| matches!(graph[**c].data, Meta::Tensor(_))).count();
                return Price { cost: self.view / 2, absorbs: parts > 1, ..view };
            }
            _ => return Price { cost: 0, ..view },
        };
        if (0..entry.schema().returns.len()).any(|r| entry.effect().may_share(r)) {
            return view;
        }
        if !entry.schema().returns.iter().any(|r| r.ty.is_tensor() || matches!(r.ty, Type::List(_))) {
            return view;
        }
        let arguments: Vec<&Meta> = term.children.iter().map(|id| &graph[*id].data).collect();
        let result = graph.lookup(term.clone()).map_or(Meta::Unknown, |id| graph[id].data.clone());
        let written = bytes(&result).saturating_mul(self.byte);
        let read = arguments.iter().map(|m| bytes(m)).fold(0, u64::saturating_add).saturating_mul(self.byte);
        let computed = flops(entry, &arguments, &result).saturating_mul(self.flop);
        let start = if (self.compiles)(entry) { self.step } else { self.launch };
        let cost = start.saturating_add(written).saturating_add(read).saturating_add(computed);
        let fused = entry.scalar.map(|_| start.saturating_add(written.saturating_mul(2)));
        Price { cost, is_view: false, fused, absorbs: fused.is_some() }
    }
}

fn is_constant(value: &Meta) -> bool {
    match value {
        Meta::Tensor(_) | Meta::Unknown => false,
        Meta::Int(size) => matches!(size, Size::Known(_)),
        Meta::List(items) => items.iter().all(is_constant),
        _ => true,
    }
}
