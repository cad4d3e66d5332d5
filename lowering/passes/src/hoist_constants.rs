//! `hoist-constants`: what depends on named constants alone moves to the init function, which runs once when the program is bound to its weights.
//!
//! Moved are trees of operations that neither write nor draw, whose results nobody writes to and which nobody outside gets: those are made anew in each call. A tree's
//! root computes something; views on top of it stay, they cost nothing. It is not moved when that would take much more memory than the constants themselves.

use crate::dce::eliminate_dead_code;
use crate::graph::{self, is_constant, root_block, walk};
use rustc_hash::{FxHashMap, FxHashSet};
use sconce_analysis::alias::{id, is_mutable};
use sconce_analysis::effects::{Effect, effect};
use sconce_analysis::operators::kind;
use sconce_analysis::{Aliases, Tensor};
use sconce_import::constants::named_constant;
use sconce_ir::prelude::*;
use sconce_ir::{FunctionType, builder};
use sconce_pass::{Failure, Pass, PassResult, PassRun};
use sconce_schema::init::{INIT, init_constant};
use sconce_torch::NAMED_CONSTANT;

/// Constant expressions, computed once.
pub struct HoistConstants;

impl Pass for HoistConstants {
    const NAME: &'static str = "hoist-constants";
    const DESCRIPTION: &'static str =
        "Move what depends on named constants alone to a function that runs once (sconce.init)";
    const DIALECTS: &'static [&'static str] = &["torch", "func"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        // What an init function gives is a constant that it cannot use itself.
        if SymbolTable::of(root).get(INIT).is_some() {
            return Ok(());
        }
        let functions: Vec<_> = root.find_all("func.func").into_iter().filter(|f| root_block(*f).is_some()).collect();
        let mut init = None;
        for function in functions {
            let roots = root_block(function).map(|body| roots(function, body)).unwrap_or_default();
            if roots.is_empty() {
                continue;
            }
            let mut made = match init.take() {
                Some(made) => made,
                None => Init::before(function)?,
            };
            // One may need another, which is a constant only for those that stay.
            roots.iter().for_each(|root| made.copy(*root));
            roots.iter().try_for_each(|root| made.take(*root))?;
            init = Some(made);
            eliminate_dead_code(function)?;
        }
        init.map_or(Ok(()), Init::finish)
    }
}

/// How many bytes a result may have beyond twice those that it is computed from.
const FREE_BYTES: usize = 1 << 16;

/// The operations of a function that move with all that they need, and whose results are used by some that stay.
fn roots<'c: 'a, 'a>(function: OperationRef<'c, 'a>, body: BlockRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let ops = walk(body);
    if !ops.iter().any(|op| kind(*op) == NAMED_CONSTANT) {
        return Vec::new();
    }
    let aliases = Aliases::of(function);
    // By value: the bytes of the named constants that it depends on.
    let mut known: FxHashMap<usize, usize> = FxHashMap::default();
    let mut moved: FxHashSet<usize> = FxHashSet::default();
    for op in &ops {
        let bytes = match kind(*op) {
            NAMED_CONSTANT => op.result_value(0).and_then(bytes),
            _ if is_constant(*op) => Some(0),
            _ => {
                let from = op.operand_values().iter().map(|v| known.get(&v.id()).copied()).sum::<Option<usize>>();
                from.filter(|from| can_move(*op, *from, &aliases))
            }
        };
        let Some(bytes) = bytes else { continue };
        known.extend(op.result_values().iter().map(|v| (v.id(), bytes)));
        if bytes > 0 && !is_constant(*op) {
            moved.insert(id(*op));
        }
    }
    let computes = |op: &OperationRef<'c, 'a>| moved.contains(&id(*op)) && effect(*op) == Effect::Fresh;
    let stays = |op: OperationRef<'c, 'a>| !computes(&op);
    let is_root = |op: &OperationRef<'c, 'a>| {
        computes(op) && op.result_values().iter().any(|v| v.uses().iter().any(|usage| stays(usage.owner)))
    };
    ops.into_iter().filter(is_root).collect()
}

/// The bytes of a tensor of known dtype and sizes.
fn bytes(value: Value<'_, '_>) -> Option<usize> {
    let tensor = Tensor::of(value.r#type())?;
    graph::bytes(tensor.dtype, tensor.sizes?)
}

/// Does it give the same whenever it runs, for nobody outside, and take no more memory than is well spent? `from`: the bytes of what it depends on.
fn can_move<'c: 'a, 'a>(op: OperationRef<'c, 'a>, from: usize, aliases: &Aliases<'c>) -> bool {
    let effect = effect(op);
    if !op.region_refs().is_empty() || op.is_terminator() || effect == Effect::Writes {
        return false;
    }
    let room = from.saturating_mul(2).saturating_add(FREE_BYTES);
    op.result_values().into_iter().all(|v| {
        let fits = Tensor::of(v.r#type()).is_none() || bytes(v).is_some_and(|bytes| bytes <= room);
        let is_seen =
            is_mutable(v.r#type()) && (aliases.has_writers(v) || effect == Effect::Fresh && aliases.escapes(v));
        fits && !is_seen
    })
}

/// The init function as it is made.
struct Init<'c, 'a> {
    function: OperationRef<'c, 'a>,
    at: Builder<'c, 'a>,
    /// By value: what computes the same here.
    copies: FxHashMap<usize, Value<'c, 'a>>,
    results: Vec<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Init<'c, 'a> {
    fn before(first: OperationRef<'c, 'a>) -> Result<Self, Failure> {
        let context = first.context_ref();
        let function = Builder::before(first).insert(builder::function(INIT, &[], &[], Location::unknown(context))?);
        function.set_attr("sym_visibility", attr::string(context, "private"));
        let at = Builder::at_end(context, builder::entry(function)?);
        Ok(Init { function, at, copies: FxHashMap::default(), results: Vec::new() })
    }

    /// Computes an operation's results here; where it was, they are constants.
    fn take(&mut self, root: OperationRef<'c, 'a>) -> PassResult {
        // In front of the loops and branches that it stands in: what is known before them goes into their code from outside.
        let outermost = std::iter::successors(Some(root), |op| op.parent()).take_while(|op| !op.is("func.func")).last();
        let at = Builder::before(outermost.unwrap_or(root));
        for result in root.result_values().into_iter().filter(|v| !v.is_unused()) {
            let Some(copy) = self.copies.get(&result.id()) else { continue };
            let name = init_constant(self.results.len());
            let op = named_constant(&at, root.location(), &name, result.r#type())?;
            if let Some(types) = root.attr("torch.types").filter(|_| root.result_values().len() == 1) {
                op.set_attr("torch.types", types);
            }
            if let Some(constant) = op.result_value(0) {
                result.replace_all_uses_with(constant);
            }
            self.results.push(*copy);
        }
        Ok(())
    }

    /// Copies an operation behind what it needs.
    fn copy(&mut self, root: OperationRef<'c, 'a>) {
        let mut stack = vec![(root, false)];
        while let Some((op, is_ready)) = stack.pop() {
            if op.result_value(0).is_none_or(|v| self.copies.contains_key(&v.id())) {
                continue;
            }
            let operands = op.operand_values();
            if is_ready {
                let mapped: Vec<_> =
                    operands.into_iter().filter_map(|v| Some((v, *self.copies.get(&v.id())?))).collect();
                let copy = self.at.insert(op.clone_with(&mapped));
                self.copies.extend(op.result_values().iter().map(|v| v.id()).zip(copy.result_values()));
            } else {
                stack.push((op, true));
                stack.extend(operands.into_iter().rev().filter_map(ValueExt::defining_op).map(|op| (op, false)));
            }
        }
    }

    fn finish(self) -> PassResult {
        let context = self.function.context_ref();
        self.at.op("func.return", Location::unknown(context)).operands(&self.results).build()?;
        let types: Vec<Type<'c>> = self.results.iter().map(|v| v.r#type()).collect();
        self.function.set_attr("function_type", attr::r#type(FunctionType::new(context, &[], &types).into()));
        Ok(())
    }
}
