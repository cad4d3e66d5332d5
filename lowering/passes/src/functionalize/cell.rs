//! A tensor that the function makes, everything that is it or a view of it, and whether its writes can be told from new values.

use super::views;
use crate::graph::{inner_blocks, is_constant};
use rustc_hash::FxHashMap;
use sconce_analysis::operators::{is_silent, schema_name};
use sconce_analysis::refine::results;
use sconce_analysis::{Aliases, Tensor};
use sconce_ir::prelude::*;
use sconce_ir::{ValueLike, diagnostics};
use sconce_schema::OpEntry;
use sconce_schema::shape::{Meta, Size};
use std::fmt;

/// Why a write stays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// The tensor is an argument, an attribute, a constant, or may be one of several.
    Outside,
    /// This operator writes to it and has no form that does not.
    NoForm(String),
    /// The form of this operator may give another dtype or other sizes than the tensor has, or they are not known.
    OtherType(String),
    /// What this operator gives may hold the tensor, or share its memory, before it is written to.
    Held(String),
    /// A view by this operator cannot be written back.
    View(String),
    /// This operator reads a part of what it writes to.
    Overlap(String),
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Outside => f.write_str("the tensor may be seen from elsewhere"),
            Why::NoForm(op) => write!(f, "{op} has no form that does not write"),
            Why::OtherType(op) => write!(f, "without writing, {op} may give another dtype or other sizes"),
            Why::Held(op) => write!(f, "what {op} gives may hold or share the tensor before"),
            Why::View(op) => write!(f, "a view by {op} cannot be written back"),
            Why::Overlap(op) => write!(f, "{op} reads a part of what it writes to"),
        }
    }
}

/// The operator's record, if it writes to its first operand and gives it back.
fn in_place(op: OperationRef<'_, '_>) -> Option<&'static OpEntry> {
    sconce_torch::entry(op).filter(|e| e.schema().is_in_place() && op.op_name() == e.dialect_name())
}

/// Does the operation write to the tensor that is its first operand, and give that back?
pub fn is_write(op: OperationRef<'_, '_>) -> bool {
    in_place(op).is_some() && op.operand_value(0).is_some_and(|v| Tensor::of(v.r#type()).is_some())
}

/// The functional form of a write.
pub fn functional(op: OperationRef<'_, '_>) -> Option<&'static OpEntry> {
    in_place(op).and_then(OpEntry::functional_entry)
}

/// What a value is, or is a view of: through writes, casts, and views that can be taken again.
pub fn base_of<'c: 'a, 'a>(value: Value<'c, 'a>) -> Value<'c, 'a> {
    let mut value = value;
    while let Some(op) = value.defining_op().filter(|op| views::is_view(*op) || is_write(*op)) {
        match op.operand_value(0) {
            Some(viewed) => value = viewed,
            None => break,
        }
    }
    value
}

/// See the module's page.
pub struct Cell<'c, 'a> {
    pub base: Value<'c, 'a>,
    /// The views between the base and each value that is it or a view of it, by [`ValueExt::id`].
    pub members: FxHashMap<usize, Vec<OperationRef<'c, 'a>>>,
    pub writes: Vec<OperationRef<'c, 'a>>,
    /// Views, casts and writes, each behind what it is one of.
    pub derived: Vec<OperationRef<'c, 'a>>,
    /// Where something else may hold the tensor from then on.
    held: Vec<OperationRef<'c, 'a>>,
}

/// What an operation does with an operand.
enum Usage {
    Reads,
    Views,
    Writes,
    Holds,
}

impl<'c: 'a, 'a> Cell<'c, 'a> {
    /// The cell of a tensor; or why its writes stay.
    pub fn of(base: Value<'c, 'a>, aliases: &Aliases<'c>) -> Result<Self, Why> {
        let made_here = base.defining_op().is_some_and(|op| !is_constant(op) && inner_blocks(op).is_empty());
        if !made_here || !aliases.is_fresh(base) {
            return Err(Why::Outside);
        }
        let members = FxHashMap::from_iter([(base.id(), Vec::new())]);
        let mut cell = Cell { base, members, writes: Vec::new(), derived: Vec::new(), held: Vec::new() };
        cell.gather(aliases)?;
        cell.check(aliases)?;
        Ok(cell)
    }

    fn gather(&mut self, aliases: &Aliases<'c>) -> Result<(), Why> {
        let mut stack = vec![self.base];
        while let Some(value) = stack.pop() {
            let chain = self.members[&value.id()].clone();
            for usage in value.uses() {
                let op = usage.owner;
                if !self.is_reached(op) {
                    return Err(Why::Held(name(op)));
                }
                match use_of(op, usage.operand)? {
                    Usage::Reads => continue,
                    Usage::Holds => {
                        self.held.push(op);
                        continue;
                    }
                    Usage::Views if !views::is_sound(op, aliases, false) => return Err(Why::View(name(op))),
                    Usage::Views | Usage::Writes => {}
                }
                let Some(result) = op.result_value(0) else { continue };
                let mut chain = chain.clone();
                if is_write(op) {
                    if result.r#type() != value.r#type() {
                        return Err(Why::OtherType(name(op)));
                    }
                    self.writes.push(op);
                } else {
                    chain.push(op);
                }
                self.derived.push(op);
                self.members.insert(result.id(), chain);
                stack.push(result);
            }
        }
        Ok(())
    }

    /// Stands it in the block where the tensor is made, or in branches and loops there?
    fn is_reached(&self, op: OperationRef<'c, 'a>) -> bool {
        let home = self.base.defining_op().and_then(|op| op.block_ref());
        let mut op = op;
        while op.block_ref() != home {
            match op.parent() {
                Some(outer) if matches!(outer.op_name(), "torch.prim.If" | "torch.prim.Loop") => op = outer,
                _ => return false,
            }
        }
        true
    }

    fn check(&self, aliases: &Aliases<'c>) -> Result<(), Why> {
        for write in &self.writes {
            let write = *write;
            let chain = write.operand_value(0).and_then(|v| self.members.get(&v.id()));
            let chain = chain.ok_or_else(|| Why::NoForm(name(write)))?;
            if let Some(view) = chain.iter().find(|view| !views::is_sound(**view, aliases, true)) {
                return Err(Why::View(name(*view)));
            }
            // The same elements are read before they are written; others of the same tensor would be read and written in some order.
            let others = write.operand_values().into_iter().skip(1).filter_map(|v| self.members.get(&v.id()));
            if others.into_iter().any(|other| other != chain) {
                return Err(Why::Overlap(name(write)));
            }
            if let Some(holder) = self.held.iter().find(|holder| self.may_precede(**holder, write)) {
                return Err(Why::Held(name(*holder)));
            }
            leaves_the_same(write)?;
        }
        Ok(())
    }

    /// May the first operation have run before the second does, since the tensor was made?
    fn may_precede(&self, first: OperationRef<'c, 'a>, second: OperationRef<'c, 'a>) -> bool {
        let home = self.base.defining_op().and_then(|op| op.block_ref());
        let outwards = |op: OperationRef<'c, 'a>| {
            let mut all = vec![op];
            let mut op = op;
            while let Some(outer) = op.parent().filter(|_| op.block_ref() != home) {
                all.push(outer);
                op = outer;
            }
            all
        };
        let (first, second) = (outwards(first), outwards(second));
        let shared = |op: &&OperationRef<'c, 'a>| second.iter().any(|other| other == *op);
        if first.iter().filter(shared).any(|op| op.is("torch.prim.Loop")) {
            return true;
        }
        // Where their ways part: in one block the order decides, in two of an `If` only one of them runs.
        let pairs = first.iter().flat_map(|a| second.iter().map(move |b| (a, b)));
        pairs.into_iter().any(|(a, b)| a != b && a.block_ref() == b.block_ref() && a.is_before_in_block(*b))
    }
}

fn name(op: OperationRef<'_, '_>) -> String {
    schema_name(op).unwrap_or_else(|| op.op_name().to_owned())
}

/// What an operation does with one of its operands, which is a tensor.
fn use_of(op: OperationRef<'_, '_>, operand: usize) -> Result<Usage, Why> {
    if is_silent(op) || operand == 0 && views::is_view(op) {
        return Ok(Usage::Views);
    }
    let Some(entry) = sconce_torch::entry(op).filter(|e| op.op_name() == e.dialect_name()) else {
        return Ok(Usage::Holds);
    };
    let effect = entry.effect();
    let in_training = effect.writes_unless_false.iter().any(|(_, written)| written.contains(&operand));
    if effect.writes.iter().any(|write| write.argument == operand) || in_training {
        let has_form = operand == 0 && is_write(op) && functional(op).is_some();
        return if has_form { Ok(Usage::Writes) } else { Err(Why::NoForm(name(op))) };
    }
    let is_kept = effect.keeps.contains(&operand)
        || effect.spills.contains(&operand)
        || effect.may_return.iter().any(|r| r.argument == operand)
        || operand >= entry.schema().arguments.len();
    Ok(if is_kept { Usage::Holds } else { Usage::Reads })
}

/// Gives the functional form of a write a tensor of the dtype and sizes of the one that is written?
fn leaves_the_same<'c: 'a, 'a>(write: OperationRef<'c, 'a>) -> Result<(), Why> {
    let no_form = || Why::NoForm(name(write));
    let written = write.operand_value(0).ok_or_else(no_form)?;
    let form = functional(write).ok_or_else(no_form)?;
    let at = Builder::before(write);
    let build = at.op(&form.dialect_name(), write.location()).operands(&write.operand_values());
    let made = build.results(&[written.r#type()]).build().map_err(|_| no_form())?;
    let is_valid = diagnostics::collect(write.context_ref(), || made.verify()).0;
    let is_same = is_valid && gives(made, written);
    made.erase().map_err(|_| no_form())?;
    if is_same { Ok(()) } else { Err(Why::OtherType(name(write))) }
}

/// Whether the operation gives a tensor of the dtype and sizes of the one that was to be written.
fn gives<'c: 'a, 'a>(made: OperationRef<'c, 'a>, written: Value<'c, 'a>) -> bool {
    let Some(have) = Tensor::of(written.r#type()) else { return false };
    let metas = results(made);
    let Some(Meta::Tensor(gives)) = metas.as_ref().and_then(|m| m.first()) else { return false };
    let is_tensor = |v: &Value<'c, 'a>| Tensor::of(v.r#type()).is_some();
    let is_alone = made.operand_values().iter().filter(|v| is_tensor(v)).count() == 1;
    let sizes = have.sizes.as_ref().zip(gives.sizes.as_ref());
    let are_equal = sizes.is_some_and(|(a, b)| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_some_and(|a| *b == Size::Known(a)))
    });
    have.dtype.is_some() && have.dtype == gives.dtype && (is_alone || are_equal)
}
