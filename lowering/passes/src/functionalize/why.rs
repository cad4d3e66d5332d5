//! Why writes stay.

use super::cell::{Cell, base_of};
use super::form::{may_write, write_of};
use super::{Functionalize, Known};
use crate::graph::is_constant;
use rustc_hash::FxHashMap;
use sconce_analysis::operators::{kind, operator_name};
use sconce_analysis::{Aliases, Symbols};
use sconce_ir::op::Walk;
use sconce_ir::prelude::*;
use sconce_pass::Pass;
use sconce_pass::refusals::{self, Refusal};
use std::fmt;

/// Why a write stays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// What is written to is an argument of the function.
    Argument,
    /// It is an attribute of an object, which others may read.
    Attribute,
    /// It is an argument of a loop's turn or of another block.
    Carried,
    /// It is what this gives, which others may have or hold: an element of a container, one of several values, perhaps a view.
    Given(String),
    /// It is a constant.
    Constant,
    /// This operator writes to it and has no form that does not.
    NoForm(String),
    /// The form of this operator may give another dtype or other sizes than the tensor has, or they are not known.
    OtherType(String),
    /// What this operator gives may hold it, or share its memory, before it is written to.
    Held(String),
    /// A view by this operator cannot be written back.
    View(String),
    /// This operator reads a part of what it writes to.
    Overlap(String),
    /// Between it and a write, this turns gradients on or off: a value that is made there forgets that it requires them, a tensor that is written to does not.
    Mode(String),
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Argument => f.write_str("it changes an argument of the function"),
            Why::Attribute => f.write_str("it changes an attribute, which others may read"),
            Why::Carried => f.write_str("it changes what a block is given, which may be seen from elsewhere"),
            Why::Given(op) => write!(f, "it changes what {op} gives, which may be seen from elsewhere"),
            Why::Constant => f.write_str("it changes a constant"),
            Why::NoForm(op) => write!(f, "{op} has no form that does not write"),
            Why::OtherType(op) => write!(f, "without writing, {op} may give another dtype or other sizes"),
            Why::Held(op) => write!(f, "what {op} gives may hold or share it before"),
            Why::View(op) => write!(f, "a view by {op} cannot be written back"),
            Why::Mode(op) => write!(f, "{op} turns gradients on or off before"),
            Why::Overlap(op) => write!(f, "{op} reads a part of what it writes to"),
        }
    }
}

impl Why {
    /// A word for it.
    pub fn code(&self) -> &'static str {
        match self {
            Why::Argument => "argument",
            Why::Attribute => "attribute",
            Why::Carried => "block-argument",
            Why::Given(_) => "given",
            Why::Constant => "constant",
            Why::NoForm(_) => "no-form",
            Why::OtherType(_) => "other-type",
            Why::Held(_) => "held",
            Why::View(_) => "view",
            Why::Overlap(_) => "overlap",
            Why::Mode(_) => "gradient-mode",
        }
    }

    /// A value is not made by the function alone.
    pub fn outside(base: Value<'_, '_>) -> Why {
        match base.defining_op() {
            Some(op) if is_constant(op) => Why::Constant,
            Some(op) if op.is("torch.prim.GetAttr") => Why::Attribute,
            Some(op) => Why::Given(operator_name(op)),
            None => match base.block_argument().and_then(|(block, _)| block.parent_op()) {
                Some(function) if function.is("func.func") => Why::Argument,
                _ => Why::Carried,
            },
        }
    }
}

/// Every write of a function, and why it is one.
pub fn reasons<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Vec<(OperationRef<'c, 'a>, Why)> {
    let mut writes = Vec::new();
    function.walk_pre(&mut |op| {
        if may_write(op) {
            writes.push(op);
        }
        Walk::Advance
    });
    if writes.is_empty() {
        return Vec::new();
    }
    let aliases = Aliases::of(function);
    let symbols = Symbols::of(function, &aliases);
    let facts = Known::of(function, &aliases, &symbols);
    let mut known: FxHashMap<usize, Option<Why>> = FxHashMap::default();
    let mut why = |op: OperationRef<'c, 'a>| {
        let no_form = Why::NoForm(operator_name(op));
        let Some(write) = write_of(op) else { return no_form };
        let Some(base) = op.operand_value(write.written).map(base_of) else { return no_form };
        let of_cell = || Cell::of(base, &facts).err();
        known.entry(base.id()).or_insert_with(of_cell).clone().unwrap_or(no_form)
    };
    writes.into_iter().map(|op| (op, why(op))).collect()
}

/// The writes of a function, and why each is one.
pub fn writes_that_stay(function: OperationRef<'_, '_>) -> Vec<Refusal> {
    let refusal =
        |(op, why): (_, Why)| Refusal::of(Functionalize::NAME, op, operator_name(op), (why.code(), why.to_string()));
    reasons(function).into_iter().map(refusal).collect()
}

/// Says of each write why it is one, by a remark too where `says`.
pub fn refuse(function: OperationRef<'_, '_>, says: bool) {
    for (op, why) in reasons(function) {
        if says {
            op.emit_remark(&format!("{} stays a write: {why}", kind_name(op)));
        }
        refusals::refuse(Refusal::of(Functionalize::NAME, op, operator_name(op), (why.code(), why.to_string())));
    }
}

fn kind_name(op: OperationRef<'_, '_>) -> String {
    let name = operator_name(op);
    if name.contains("::") { name } else { kind(op).to_owned() }
}
