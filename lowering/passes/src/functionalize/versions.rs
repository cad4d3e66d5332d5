//! A cell's writes as versions: each is a value, and branches and loops pass on the last.

use super::cell::Cell;
use super::form::{Write, call};
use super::views;
use crate::graph::{Rewriter, add_results, inner_blocks, script_type};
use rustc_hash::{FxHashMap, FxHashSet};
use sconce_analysis::Tensor;
use sconce_analysis::alias::id;
use sconce_ir::prelude::*;
use sconce_pass::{Failure, PassResult};
use std::cmp::Ordering;

/// Writes a cell's versions in the place of its writes.
pub fn put<'c: 'a, 'a>(rewriter: &mut Rewriter<'c>, cell: Cell<'c, 'a>) -> PassResult {
    let Some(home) = cell.base.defining_op().and_then(|made| made.block_ref()) else { return Ok(()) };
    let mut by_block = FxHashMap::default();
    let mut placed = FxHashSet::default();
    for user in cell.values.iter().flat_map(|v| v.uses()) {
        place(user.owner, home, &mut by_block, &mut placed);
    }
    let mut around = FxHashSet::default();
    for (write, _) in &cell.writes {
        place(*write, home, &mut by_block, &mut placed);
        let mut op = *write;
        while let Some(outer) = op.parent().filter(|_| op.block_ref() != Some(home)) {
            around.insert(id(outer));
            op = outer;
        }
    }
    let before = |a: &OperationRef<'c, 'a>, b: &OperationRef<'c, 'a>| match (a == b, a.is_before_in_block(*b)) {
        (true, _) => Ordering::Equal,
        (false, true) => Ordering::Less,
        (false, false) => Ordering::Greater,
    };
    by_block.values_mut().for_each(|ops| ops.sort_by(before));
    let writes = cell.writes.iter().map(|(op, write)| (id(*op), *write)).collect();
    let base = cell.base;
    let mut versions =
        Versions { rewriter, cell, by_block, writes, around, seen: FxHashMap::default(), trail: Vec::new() };
    versions.block(home, base)?;
    // Views and writes that nothing reads any more, users before what they use.
    for op in versions.cell.derived.iter().rev().filter(|op| op.is_unused()) {
        op.erase()?;
    }
    Ok(())
}

type Block = usize;

fn address(block: BlockRef<'_, '_>) -> Block {
    block.to_raw().ptr as usize
}

/// Notes an operation, and what it stands in up to a block, by the blocks they stand in.
fn place<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    home: BlockRef<'c, 'a>,
    by_block: &mut FxHashMap<Block, Vec<OperationRef<'c, 'a>>>,
    placed: &mut FxHashSet<usize>,
) {
    let mut op = op;
    while let Some(block) = op.block_ref().filter(|_| placed.insert(id(op))) {
        by_block.entry(address(block)).or_default().push(op);
        match op.parent() {
            Some(outer) if block != home => op = outer,
            _ => break,
        }
    }
}

struct Versions<'c, 'a, 'r> {
    rewriter: &'r mut Rewriter<'c>,
    cell: Cell<'c, 'a>,
    /// What uses the cell, and what that stands in, in order.
    by_block: FxHashMap<Block, Vec<OperationRef<'c, 'a>>>,
    /// By [`id`].
    writes: FxHashMap<usize, Write>,
    /// Branches and loops with writes, by [`id`].
    around: FxHashSet<usize>,
    /// Views that were taken of versions, by the value that each stands for and the version.
    seen: FxHashMap<(usize, usize), Value<'c, 'a>>,
    /// What was put there, in order: what is made in a block is not there behind it.
    trail: Vec<(usize, usize)>,
}

impl<'c: 'a, 'a> Versions<'c, 'a, '_> {
    /// The version behind an operation.
    fn operation(&mut self, op: OperationRef<'c, 'a>, version: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        if let Some(write) = self.writes.get(&id(op)).copied() {
            return self.write(op, write, version);
        }
        if op.result_value(0).is_some_and(|v| self.cell.members.contains_key(&v.id())) {
            return Ok(version);
        }
        self.read(op, version)?;
        let is_loop = op.is("torch.prim.Loop");
        let ty = [(self.cell.base.r#type(), script_type(self.cell.base))];
        if !self.around.contains(&id(op)) {
            for block in inner_blocks(op) {
                self.block(block, version)?;
            }
            return Ok(version);
        }
        // A loop's body reads what the turn before left.
        let op = if is_loop { add_results(self.rewriter, op, &ty, &[version])? } else { op };
        for block in inner_blocks(op) {
            let carried = block.args().last().copied().filter(|_| is_loop);
            let last = self.block(block, carried.unwrap_or(version))?;
            if let Some(end) = block.terminator_op() {
                let all: Vec<_> = end.operand_values().into_iter().chain([last]).collect();
                end.set_operand_values(&all);
            }
        }
        let op = if is_loop { op } else { add_results(self.rewriter, op, &ty, &[])? };
        op.result_values().last().copied().ok_or_else(|| Failure::new("control flow that passes nothing on"))
    }

    /// The version at the end of a block.
    fn block(&mut self, block: BlockRef<'c, 'a>, version: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let seen = self.trail.len();
        let mut version = version;
        for op in self.by_block.remove(&address(block)).unwrap_or_default() {
            version = self.operation(op, version)?;
        }
        for key in self.trail.drain(seen..) {
            self.seen.remove(&key);
        }
        Ok(version)
    }

    /// Lets an operation read the version.
    fn read(&mut self, op: OperationRef<'c, 'a>, version: Value<'c, 'a>) -> PassResult {
        for (index, operand) in op.operand_values().into_iter().enumerate() {
            if self.cell.members.contains_key(&operand.id()) {
                let now = self.now(op, operand, version)?;
                op.set_operand_value(index, now);
            }
        }
        Ok(())
    }

    /// What a value of the cell is in front of an operation.
    fn now(
        &mut self,
        op: OperationRef<'c, 'a>,
        value: Value<'c, 'a>,
        version: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        if version == self.cell.base {
            return Ok(value);
        }
        let key = (value.id(), version.id());
        if let Some(known) = self.seen.get(&key) {
            return Ok(*known);
        }
        let at = Builder::before(op);
        let views = self.cell.members[&value.id()].iter();
        let now = views.copied().try_fold(version, |of, view| views::again(&at, view, of))?;
        self.seen.insert(key, now);
        self.trail.push(key);
        Ok(now)
    }

    /// The version that a write leaves.
    fn write(
        &mut self,
        op: OperationRef<'c, 'a>,
        write: Write,
        version: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        let at = Builder::before(op);
        let mut operands = op.operand_values();
        let chain = self.cell.members[&operands[write.written].id()].clone();
        // What each view is one of: the version first.
        let mut of = vec![version];
        for view in &chain {
            of.push(views::again(&at, *view, of[of.len() - 1])?);
        }
        for (index, operand) in operands.iter_mut().enumerate() {
            if index != write.written && self.cell.members.contains_key(&operand.id()) {
                *operand = self.now(op, *operand, version)?;
            }
        }
        let taken: Vec<_> = of[1..].iter().filter_map(|v| v.defining_op()).collect();
        operands[write.written] = of.pop().unwrap_or(version);
        let is_put_in = chain.iter().any(|view| views::is_put_in(*view));
        let mut value = match copied(op, &operands).filter(|_| is_put_in) {
            Some(source) => source,
            None => self.form(&at, op, write, &operands)?,
        };
        for (view, of) in chain.into_iter().zip(of).rev() {
            value = views::written_back(self.rewriter, &at, view, of, value)?;
        }
        // What is copied over is not read.
        for view in taken.into_iter().rev().filter(|op| op.is_unused()) {
            view.erase()?;
        }
        Ok(value)
    }

    /// What the write leaves of what it writes to; what it gives besides is in the place of what it gave.
    fn form(
        &mut self,
        at: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        write: Write,
        operands: &[Value<'c, 'a>],
    ) -> Result<Value<'c, 'a>, Failure> {
        let form = write.form.ok_or_else(|| Failure::new("a write without a functional form"))?;
        let written = operands[write.written];
        let besides = write.besides(op);
        let results: Vec<Value<'c, 'a>> = std::iter::once(written).chain(besides.iter().copied()).collect();
        let types: Vec<Type<'c>> = results.iter().map(|v| v.r#type()).collect();
        let made = call(at, form, op.location(), &write.operands(operands), &types)?;
        let said: Vec<_> = results.iter().map(|v| script_type(*v)).collect();
        self.rewriter.keep_types(made, &said);
        for (old, new) in besides.into_iter().zip(made.result_values().into_iter().skip(1)) {
            old.replace_all_uses_with(new);
        }
        made.result_value(0).ok_or_else(|| Failure::new("a functional form without a result"))
    }
}

/// What is copied as it is, without a change of dtype or sizes: where it is put into something larger, nothing can tell it from a copy.
fn copied<'c: 'a, 'a>(write: OperationRef<'c, 'a>, operands: &[Value<'c, 'a>]) -> Option<Value<'c, 'a>> {
    let [to, from, ..] = *operands else { return None };
    let (to, given) = (Tensor::of(to.r#type())?, Tensor::of(from.r#type())?);
    let is_known = to.dtype.is_some() && to.sizes.as_ref().is_some_and(|sizes| sizes.iter().all(Option::is_some));
    (write.is("torch.aten.copy_") && is_known && to.dtype == given.dtype && to.sizes == given.sizes).then_some(from)
}
