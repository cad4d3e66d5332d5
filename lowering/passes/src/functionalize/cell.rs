//! A tensor, list or dictionary that the function makes, everything that is it or a view of it, and whether its writes can be told from new values.

use super::Known;
use super::form::{Write, call, is_made, write_of};
use super::order::Order;
use super::same::leaves_the_same;
use super::views;
use super::why::Why;
use crate::graph::{inner_blocks, is_constant, standing_in};
use rustc_hash::{FxHashMap, FxHashSet};
use sconce_analysis::alias::id;
use sconce_analysis::operators::{is_silent, operator_name, switches_gradients};
use sconce_ir::prelude::*;
use sconce_ir::{ValueLike, diagnostics};

/// What a value is, or is a view of: through writes, casts, and views that can be taken again.
pub fn base_of<'c: 'a, 'a>(value: Value<'c, 'a>) -> Value<'c, 'a> {
    let mut value = value;
    while let Some(op) = value.defining_op() {
        let given = write_of(op).filter(|write| write.given_back == value.result_index());
        let of = match given {
            Some(write) => op.operand_value(write.written),
            None => op.operand_value(0).filter(|_| views::is_view(op)),
        };
        match of {
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
    /// The same values, each behind what it is one of.
    pub values: Vec<Value<'c, 'a>>,
    pub writes: Vec<(OperationRef<'c, 'a>, Write)>,
    /// Views, casts and writes, each behind what it is one of.
    pub derived: Vec<OperationRef<'c, 'a>>,
    /// Where something else may hold it from then on.
    held: Vec<OperationRef<'c, 'a>>,
}

/// What an operation does with an operand.
enum Usage {
    Reads,
    Views,
    Writes(Write),
    Holds,
}

impl<'c: 'a, 'a> Cell<'c, 'a> {
    /// The cell of a value; or why its writes stay.
    pub fn of(base: Value<'c, 'a>, known: &Known<'c, 'a, '_>) -> Result<Self, Why> {
        let is_here = base.defining_op().is_some_and(|op| !is_constant(op) && inner_blocks(op).is_empty());
        if !is_here || !is_made(base) {
            return Err(Why::outside(base));
        }
        let members = FxHashMap::from_iter([(base.id(), Vec::new())]);
        let (writes, derived, held) = (Vec::new(), Vec::new(), Vec::new());
        let mut cell = Cell { base, members, values: vec![base], writes, derived, held };
        cell.gather(known)?;
        if known.switches {
            cell.check_mode()?;
        }
        cell.check(known)?;
        Ok(cell)
    }

    /// Nothing turns gradients on or off between the making and the last write, or the last time that a view is read: it is taken anew there.
    fn check_mode(&self) -> Result<(), Why> {
        let made = self.base.defining_op().and_then(|op| Some((op, op.block_ref()?)));
        let Some((made, home)) = made else { return Ok(()) };
        let mut behind: Vec<_> = home.ops().into_iter().skip_while(|op| *op != made).collect();
        let views = self.values.iter().filter(|v| self.members.get(&v.id()).is_some_and(|chain| !chain.is_empty()));
        let reads = views.flat_map(|v| v.uses()).map(|usage| usage.owner);
        let last: FxHashSet<usize> =
            self.derived.iter().copied().chain(reads).filter_map(|op| standing_in(op, home)).map(id).collect();
        while behind.last().is_some_and(|op| !last.contains(&id(*op))) {
            behind.pop();
        }
        let mut found = None;
        for op in behind {
            op.walk_pre(&mut |inner| {
                found = found.or(switches_gradients(inner).then_some(inner));
                Walk::Advance
            });
        }
        found.map_or(Ok(()), |op| Err(Why::Mode(operator_name(op))))
    }

    fn gather(&mut self, known: &Known<'c, 'a, '_>) -> Result<(), Why> {
        let mut next = 0;
        while let Some(value) = self.values.get(next).copied() {
            next += 1;
            for usage in value.uses() {
                let op = usage.owner;
                if !self.is_reached(op) {
                    return Err(Why::Held(operator_name(op)));
                }
                match use_of(op, usage.operand)? {
                    Usage::Reads => {}
                    Usage::Holds => self.held.push(op),
                    Usage::Views if !views::is_sound(op, known, false) => return Err(Why::View(operator_name(op))),
                    Usage::Views => self.derive(op, value, None)?,
                    Usage::Writes(write) => self.derive(op, value, Some(write))?,
                }
            }
        }
        Ok(())
    }

    /// A view of a member, or a write to it.
    fn derive(&mut self, op: OperationRef<'c, 'a>, of: Value<'c, 'a>, write: Option<Write>) -> Result<(), Why> {
        self.derived.push(op);
        let mut chain = self.members[&of.id()].clone();
        let result = match write {
            Some(write) => {
                self.writes.push((op, write));
                write.given(op)
            }
            None => {
                chain.push(op);
                op.result_value(0)
            }
        };
        let Some(result) = result else { return Ok(()) };
        if write.is_some() && result.r#type() != of.r#type() {
            return Err(Why::OtherType(operator_name(op)));
        }
        self.members.insert(result.id(), chain);
        self.values.push(result);
        Ok(())
    }

    /// Stands it in the block where the value is made, or in branches and loops there?
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

    fn check(&self, known: &Known<'c, 'a, '_>) -> Result<(), Why> {
        let Some(home) = self.base.defining_op().and_then(|op| op.block_ref()) else { return Ok(()) };
        let holders = Order::of(&self.held, home);
        for (op, write) in &self.writes {
            let chain = op.operand_value(write.written).and_then(|v| self.members.get(&v.id()));
            let chain = chain.ok_or_else(|| Why::NoForm(operator_name(*op)))?;
            if let Some(view) = chain.iter().find(|view| !views::is_sound(**view, known, true)) {
                return Err(Why::View(operator_name(*view)));
            }
            // The same elements are read before they are written; others of the same tensor would be read and written in some order.
            let others = op.operand_values().into_iter().enumerate().filter(|(at, _)| *at != write.written);
            let mut others = others.filter_map(|(_, v)| self.members.get(&v.id()));
            if others.any(|other| other != chain || write.replaces) {
                return Err(Why::Overlap(operator_name(*op)));
            }
            if let Some(holder) = holders.before(*op) {
                return Err(Why::Held(operator_name(holder)));
            }
            verifies(*op, write)?;
            if !write.is_container {
                leaves_the_same(*op, write, known.symbols)?;
            }
        }
        Ok(())
    }
}

/// What an operation does with one of its operands, which is a tensor or a container.
fn use_of(op: OperationRef<'_, '_>, operand: usize) -> Result<Usage, Why> {
    if is_silent(op) || operand == 0 && views::is_view(op) {
        return Ok(Usage::Views);
    }
    if op.is("torch.prim.ListUnpack") {
        return Ok(Usage::Reads);
    }
    let write = write_of(op);
    let Some(entry) = sconce_torch::entry(op).filter(|e| operand < e.schema().arguments.len()) else {
        return Ok(Usage::Holds);
    };
    let is_written = |write: &Write| write.written == operand;
    if let Some(write) = write.filter(is_written) {
        return if write.form.is_some() { Ok(Usage::Writes(write)) } else { Err(Why::NoForm(operator_name(op))) };
    }
    let effect = entry.effect();
    let in_training = effect.writes_unless_false.iter().any(|(_, written)| written.contains(&operand));
    // An operator on a container changes no other one, though the schema of `update` says so.
    let is_other = write.is_some_and(|write| write.is_container);
    if !is_other && effect.writes.iter().any(|write| write.argument == operand) || in_training || effect.other {
        return Err(Why::NoForm(operator_name(op)));
    }
    let is_kept =
        effect.keeps.contains(&operand) || effect.may_return.iter().any(|r| r.argument == operand && !r.of_elements);
    Ok(if is_kept { Usage::Holds } else { Usage::Reads })
}

/// Takes the form what the write takes?
fn verifies<'c: 'a, 'a>(op: OperationRef<'c, 'a>, write: &Write) -> Result<(), Why> {
    let no_form = || Why::NoForm(operator_name(op));
    let (written, form) = (op.operand_value(write.written).ok_or_else(no_form)?, write.form.ok_or_else(no_form)?);
    let operands = write.operands(&op.operand_values());
    let results: Vec<Type<'c>> = [written].into_iter().chain(write.besides(op)).map(|v| v.r#type()).collect();
    let made = call(&Builder::before(op), form, op.location(), &operands, &results).map_err(|_| no_form())?;
    let is_valid = operands.len() == form.schema().arguments.len()
        && results.len() == form.schema().returns.len()
        && diagnostics::collect(op.context_ref(), || made.verify()).0;
    made.erase().map_err(|_| no_form())?;
    if is_valid { Ok(()) } else { Err(no_form()) }
}
