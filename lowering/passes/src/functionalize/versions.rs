//! A cell's writes as versions: each is a value, and branches and loops pass on the last.

use super::cell::{Cell, functional, is_write};
use super::views;
use crate::graph::{Rewriter, add_results, inner_blocks, script_type};
use rustc_hash::{FxHashMap, FxHashSet};
use sconce_analysis::Tensor;
use sconce_analysis::alias::id;
use sconce_ir::prelude::*;
use sconce_pass::{Failure, PassResult};

/// Writes a cell's versions in the place of its writes.
pub fn put<'c: 'a, 'a>(rewriter: &mut Rewriter<'c>, cell: Cell<'c, 'a>) -> PassResult {
    let Some(made) = cell.base.defining_op() else { return Ok(()) };
    let Some(home) = made.block_ref() else { return Ok(()) };
    let mut around = FxHashSet::default();
    for write in &cell.writes {
        let mut op = *write;
        while let Some(outer) = op.parent().filter(|_| op.block_ref() != Some(home)) {
            around.insert(id(outer));
            op = outer;
        }
    }
    let (base, seen) = (cell.base, FxHashMap::default());
    let mut versions = Versions { rewriter, cell, around, seen };
    let mut version = base;
    for op in home.ops().into_iter().filter(|op| made.is_before_in_block(*op)) {
        version = versions.operation(op, version)?;
    }
    // Views and writes that nothing reads any more, users before what they use.
    for op in versions.cell.derived.iter().rev().filter(|op| op.is_unused()) {
        op.erase()?;
    }
    Ok(())
}

struct Versions<'c, 'a, 'r> {
    rewriter: &'r mut Rewriter<'c>,
    cell: Cell<'c, 'a>,
    /// Branches and loops with writes, by [`id`].
    around: FxHashSet<usize>,
    /// Views that were taken of versions, by the value that each stands for and the version.
    seen: FxHashMap<(usize, usize), Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Versions<'c, 'a, '_> {
    /// The version behind an operation.
    fn operation(&mut self, op: OperationRef<'c, 'a>, version: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let is_member = |v: Value<'c, 'a>| self.cell.members.contains_key(&v.id());
        if op.result_value(0).is_some_and(is_member) {
            return if is_write(op) { self.write(op, version) } else { Ok(version) };
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
        // What is made in the block is not there behind it.
        let seen = self.seen.clone();
        let mut version = version;
        for op in block.ops() {
            version = self.operation(op, version)?;
        }
        self.seen = seen;
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
        Ok(now)
    }

    /// The version that a write leaves.
    fn write(&mut self, write: OperationRef<'c, 'a>, version: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let at = Builder::before(write);
        let mut operands = write.operand_values();
        let chain = self.cell.members[&operands[0].id()].clone();
        // What each view is one of: the version first.
        let mut of = vec![version];
        for view in &chain {
            of.push(views::again(&at, *view, of[of.len() - 1])?);
        }
        for operand in operands.iter_mut().skip(1) {
            if self.cell.members.contains_key(&operand.id()) {
                *operand = self.now(write, *operand, version)?;
            }
        }
        let taken: Vec<_> = of[1..].iter().filter_map(|v| v.defining_op()).collect();
        let written = of.pop().unwrap_or(version);
        operands[0] = written;
        let form = functional(write).ok_or_else(|| Failure::new("a write without a functional form"))?;
        let mut value = match copied(write, &operands).filter(|_| !chain.is_empty()) {
            Some(source) => source,
            None => {
                let build = at.op(&form.dialect_name(), write.location()).operands(&operands);
                build.results(&[written.r#type()]).build_value()?
            }
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
}

/// What is copied as it is, without a change of dtype or sizes: where it is written back, nothing can tell it from a copy.
fn copied<'c: 'a, 'a>(write: OperationRef<'c, 'a>, operands: &[Value<'c, 'a>]) -> Option<Value<'c, 'a>> {
    let [to, from, ..] = *operands else { return None };
    let (to, given) = (Tensor::of(to.r#type())?, Tensor::of(from.r#type())?);
    let is_known = to.dtype.is_some() && to.sizes.as_ref().is_some_and(|sizes| sizes.iter().all(Option::is_some));
    (write.is("torch.aten.copy_") && is_known && to.dtype == given.dtype && to.sizes == given.sizes).then_some(from)
}
