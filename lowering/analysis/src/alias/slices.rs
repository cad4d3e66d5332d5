//! Slices of one tensor that have no element in common: told apart by the constants they were taken with, though they share memory.
//!
//! A view is followed to the tensor it was taken of as long as every step is one that gives each element at most once. Where two views were taken of one tensor by
//! different places of one dimension, nothing that is read or written by way of one is seen by way of the other. The tensor must be one that an operator makes,
//! since elements of others may lie on top of each other, and nothing may give it other sizes.

use super::Aliases;
use crate::operators::{Constant, constant, kind, source};
use sconce_ir::{OpExt, OperationRef, Value, ValueExt, ValueLike};

/// Places of a dimension, counted as the text counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Places {
    /// From one on, up to another.
    Range(i64, i64),
    /// One of the parts into which all is cut.
    Part { of: i64, at: i64 },
}

impl Places {
    fn are_apart(self, other: Places) -> bool {
        match (self, other) {
            (Places::Range(a, b), Places::Range(c, d)) => b <= c || d <= a,
            (Places::Part { of: n, at: i }, Places::Part { of: m, at: j }) => n == m && i != j,
            _ => false,
        }
    }
}

/// How a view was taken of a tensor.
struct Step<'c, 'a> {
    of: Value<'c, 'a>,
    /// A dimension and places in it, where the view has those alone.
    slice: Option<(i64, Places)>,
}

/// Views that give each element once, and all of them; or copies.
const WHOLE: &[&str] = &[
    "aten.alias",
    "aten.contiguous",
    "aten.detach",
    "aten.flatten",
    "aten.permute",
    "aten.reshape",
    "aten.squeeze",
    "aten.t",
    "aten.transpose",
    "aten.unsqueeze",
    "aten.view",
    "aten.view_as",
];

/// Makers of tensors whose elements may lie on top of each other.
const LAID_OUT: &[&str] = &["aten.empty_strided", "aten.new_empty_strided"];

/// Families of operators whose in-place forms leave a tensor where it is.
const ELEMENTWISE: &[&str] = &["activation", "pointwise", "random", "special"];
/// Others that do.
const FILLS: &[&str] = &["aten.copy_", "aten.fill_", "aten.zero_"];

/// Views of views are followed so far, so that a question takes no longer in long functions.
const MOST: usize = 16;

/// May the operation give a tensor that it writes to other sizes, or other elements?
pub(super) fn may_lay_out(op: OperationRef<'_, '_>) -> bool {
    let keeps = |entry: &sconce_schema::OpEntry| {
        entry.schema().is_in_place()
            && !entry.has(sconce_schema::Trait::Resizes)
            && (ELEMENTWISE.contains(&entry.family) || FILLS.contains(&kind(op)))
    };
    !sconce_torch::entry(op).is_some_and(keeps)
}

fn integer(value: Option<Value<'_, '_>>) -> Option<i64> {
    match constant(value?) {
        Some(Constant::Int(n)) => Some(n),
        _ => None,
    }
}

/// The place at a constant; what counts from the end meets the others at a size that nobody knows.
fn at(index: Option<i64>) -> Option<Places> {
    index.filter(|i| *i >= 0).map(|i| Places::Range(i, i + 1))
}

/// How a value was taken of another, if it is a view of it.
fn step<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<Step<'c, 'a>> {
    let value = source(value);
    let op = value.defining_op()?;
    let operand = |n| op.operand_value(n);
    let name = kind(op);
    let sliced = |places: Option<Places>, dim: Option<i64>| {
        Some(Step { of: operand(0)?, slice: dim.filter(|d| *d >= 0).zip(places) })
    };
    match name {
        "aten.select" => sliced(at(integer(operand(2))), integer(operand(1))),
        "aten.slice" => sliced(range(integer(operand(2)), integer(operand(3))), integer(operand(1))),
        "aten.narrow" => {
            let end = integer(operand(2)).zip(integer(operand(3))).map(|(start, n)| start.saturating_add(n));
            sliced(range(integer(operand(2)), end), integer(operand(1)))
        }
        "aten.__getitem__" => part(operand(0)?, integer(operand(1))),
        "prim.ListUnpack" => {
            let at = op.result_values().into_iter().position(|result| result == value)?;
            part(operand(0)?, i64::try_from(at).ok())
        }
        _ if WHOLE.contains(&name) || is_written_through(op) => Some(Step { of: operand(0)?, slice: None }),
        _ => None,
    }
}

/// In place, it gives back what it was given.
fn is_written_through(op: OperationRef<'_, '_>) -> bool {
    !may_lay_out(op)
}

fn range(start: Option<i64>, end: Option<i64>) -> Option<Places> {
    match (start?, end?) {
        (start, end) if start >= 0 && end >= 0 => Some(Places::Range(start, end)),
        _ => None,
    }
}

/// An element of a list of parts that nothing but this looks into.
fn part<'c: 'a, 'a>(list: Value<'c, 'a>, index: Option<i64>) -> Option<Step<'c, 'a>> {
    let looked_into = |op: OperationRef<'c, 'a>| matches!(kind(op), "aten.__getitem__" | "prim.ListUnpack");
    let maker = source(list).defining_op()?;
    if source(list) != list || !list.uses().into_iter().all(|usage| looked_into(usage.owner)) {
        return None;
    }
    let (of, given) = (maker.operand_value(0)?, integer(maker.operand_value(1)));
    let index = index.filter(|i| *i >= 0);
    let (dim, places) = match kind(maker) {
        "aten.unbind" => (given, at(index)),
        "aten.split" | "aten.chunk" => {
            (integer(maker.operand_value(2)), given.zip(index).map(|(of, at)| Places::Part { of, at }))
        }
        _ => return None,
    };
    // Parts of one size begin at its multiples; how large the parts are into which a number of them cut is not known.
    let places = match places {
        Some(Places::Part { of: size, at }) if kind(maker) == "aten.split" => {
            size.checked_mul(at).and_then(|start| Some(Places::Range(start, start.checked_add(size)?)))
        }
        other => other,
    };
    Some(Step { of, slice: dim.filter(|d| *d >= 0).zip(places) })
}

impl<'c: 'a, 'a> Aliases<'c> {
    /// Is the value a part of a tensor, of known places, so that it may be apart from another part?
    pub fn is_part(&self, value: Value<'c, 'a>) -> bool {
        steps(value).iter().any(|step| step.slice.is_some())
    }

    /// Have two tensors no element in common, although they may share memory?
    pub fn are_apart(&self, a: Value<'c, 'a>, b: Value<'c, 'a>) -> bool {
        let (of_a, of_b) = (steps(a), steps(b));
        let apart = |one: &Step<'c, 'a>, other: &Step<'c, 'a>| match (one.slice, other.slice) {
            (Some((dim, places)), Some((other_dim, others))) => {
                one.of == other.of && dim == other_dim && places.are_apart(others)
            }
            _ => false,
        };
        let pair = of_a.iter().find(|one| of_b.iter().any(|other| apart(one, other)));
        pair.is_some() && of_a.last().is_some_and(|last| self.keeps_its_place(last.of))
    }

    /// Is it a tensor made here whose elements lie apart, which nothing lays out anew?
    fn keeps_its_place(&self, tensor: Value<'c, 'a>) -> bool {
        let Some(op) = tensor.defining_op().filter(|op| !LAID_OUT.contains(&kind(*op))) else { return false };
        let is_made = sconce_torch::entry(op).is_some_and(|entry| {
            let effect = entry.effect();
            !effect.other && effect.may_return.is_empty() && effect.takes.is_empty() && effect.spills.is_empty()
        });
        is_made && op.region_refs().is_empty() && !self.is_laid_out(tensor)
    }
}

/// From a view to what it was taken of in the end.
fn steps<'c: 'a, 'a>(value: Value<'c, 'a>) -> Vec<Step<'c, 'a>> {
    let is_tensor =
        |v: Value<'c, 'a>| sconce_ir::torch_type::Parts::of(v.r#type()).is_some_and(|parts| parts.word == "tensor");
    let mut steps: Vec<Step<'c, 'a>> = Vec::new();
    let mut at = source(value);
    while steps.len() < MOST
        && let Some(mut step) = step(at).filter(|_| is_tensor(at))
    {
        step.of = source(step.of);
        at = step.of;
        steps.push(step);
    }
    steps
}
