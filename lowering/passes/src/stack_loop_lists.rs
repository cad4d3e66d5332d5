//! `stack-loop-lists`: a list to which each turn of a loop appends one tensor, and which is only stacked behind the loop, becomes the stacked tensor: each turn puts its
//! part where it lies there.
//!
//! A loop that carries tensors alone is one that code can be made for, and the parts are written once. So lists stay where the loop carries something else, too.

use crate::graph::{
    Counted, Rewriter, add_results, constant, each_function, inputs, int, keep_results, made_by, nodes, passed,
};
use sconce_analysis::operators::{kind, source};
use sconce_analysis::types::TorchType;
use sconce_analysis::{Aliases, Tensor, is_layout_seen};
use sconce_ir::prelude::*;
use sconce_pass::{Failure, Pass, PassResult, PassRun, fuel};
use sconce_schema::Type as ScriptType;
use sconce_tensor::IValue;

/// The pass `stack-loop-lists`.
pub struct StackLoopLists;

impl Pass for StackLoopLists {
    const NAME: &'static str = "stack-loop-lists";
    const DESCRIPTION: &'static str = "Let loops fill the tensor that a list of theirs is stacked or joined to";
    const ANCHOR: Option<&'static str> = None;
    const DIALECTS: &'static [&'static str] = &["torch"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        each_function(root, |function| {
            let loops: Vec<_> = nodes(function).into_iter().filter_map(Counted::of).collect();
            let found: Vec<_> = loops.iter().map(|counted| (counted.op, Stacked::all(counted))).collect();
            if found.iter().all(|(_, lists)| lists.is_empty()) {
                return Ok(());
            }
            let aliases = Aliases::of(function);
            let mut rewriter = Rewriter::new(function.context_ref());
            for (mut op, lists) in found {
                if lists.iter().any(|list| aliases.has_writers(list.element)) {
                    continue;
                }
                // The last one first: places of those before it stay.
                for list in lists.into_iter().rev() {
                    if fuel::spend("stacked-list", op) {
                        op = list.put(op, &mut rewriter)?;
                    }
                }
            }
            Ok(())
        })
    }
}

/// A list that a loop makes.
struct Stacked<'c, 'a> {
    /// Among the loop's results.
    index: usize,
    append: OperationRef<'c, 'a>,
    element: Value<'c, 'a>,
    /// What makes a tensor of it, along a dimension of that tensor.
    stack: OperationRef<'c, 'a>,
    dim: usize,
    /// Elements are joined along a dimension of theirs, of size 1, and do not get another one.
    joined: bool,
    ty: Tensor,
}

impl<'c: 'a, 'a> Stacked<'c, 'a> {
    /// All lists of a loop, if it carries nothing else that code cannot be given.
    fn all(counted: &Counted<'c, 'a>) -> Vec<Self> {
        let results = counted.op.result_values();
        let mut lists = Vec::new();
        for (index, result) in results.into_iter().enumerate() {
            match (TorchType::of(result.r#type()), Stacked::of(counted, index, result)) {
                (_, Some(list)) => lists.push(list),
                (TorchType::Other, None) => return Vec::new(),
                _ => {}
            }
        }
        lists
    }

    fn of(counted: &Counted<'c, 'a>, index: usize, result: Value<'c, 'a>) -> Option<Self> {
        let turns = counted.turns.filter(|n| *n > 0)?;
        let argument = *counted.body.args().get(1 + index)?;
        let append = made_by(*passed(counted.body).get(1 + index)?, "sconce.append")?;
        let [list, element] = inputs(append)[..] else { return None };
        let appended = append.result_value(0)?;
        let is_kept = append.block_ref() == Some(counted.body) && argument.has_one_use() && appended.has_one_use();
        let [usage] = result.uses()[..] else { return None };
        let stack = usage.owner;
        let [stacked, along] = inputs(stack)[..] else { return None };
        let given = [is_empty(*counted.op.operand_values().get(2 + index)?), is_kept, list == argument];
        if given.contains(&false) || source(stacked) != result {
            return None;
        }
        let Tensor { sizes, dtype: Some(dtype), value } = Tensor::of(element.r#type())? else { return None };
        let mut sizes = sizes.filter(|_| !dtype.is_quantized())?;
        let joined = match kind(stack) {
            "aten.stack" => false,
            "aten.cat" => true,
            _ => return None,
        };
        let rank = sizes.len() as i64 + i64::from(!joined);
        let dim = int(along)?;
        let dim =
            usize::try_from(if dim < 0 { dim.checked_add(rank)? } else { dim }).ok().filter(|d| *d < rank as usize)?;
        if joined {
            (sizes[dim] == Some(1)).then(|| sizes.remove(dim))?;
        }
        sizes.iter().all(Option::is_some).then(|| sizes.insert(dim, Some(turns)))?;
        // What is stacked of images may lie channel by channel, as they do.
        if sizes.len() > 3 && is_layout_seen(stack.result_value(0)?) {
            return None;
        }
        let ty = Tensor { sizes: Some(sizes), dtype: Some(dtype), value };
        Some(Stacked { index, append, element, stack, dim, joined, ty })
    }

    /// The same loop with the tensor in the place of the list. The old operation is gone.
    fn put(self, op: OperationRef<'c, 'a>, rewriter: &mut Rewriter<'c>) -> Result<OperationRef<'c, 'a>, Failure> {
        let missing = || Failure::new("a constant or a type that the dialect does not have");
        let ty = self.ty.to_type(op.context_ref()).ok_or_else(missing)?;
        let script = sconce_torch::types::from_mlir(ty).ok_or_else(missing)?;
        let (front, location, element) = (Builder::before(op), self.append.location(), self.element);
        let sizes: Vec<i64> = self.ty.sizes.iter().flatten().flatten().copied().collect();
        let ints = ScriptType::List(ScriptType::Int.into());
        let mut constant = |at: &Builder<'c, 'a>, value: IValue, ty: &ScriptType| {
            rewriter.constant(at, &value, ty, element)?.ok_or_else(missing)
        };
        let dtype = self.ty.dtype.map_or(IValue::None, |dtype| IValue::Int(dtype.number()));
        let mut operands =
            vec![constant(&front, IValue::int_list(&sizes), &ints)?, constant(&front, dtype, &ScriptType::Int)?];
        let none = constant(&front, IValue::None, &ScriptType::None)?;
        operands.resize(6, none);
        let at = Builder::before(self.append);
        let dim = constant(&at, IValue::Int(self.dim as i64), &ScriptType::Int)?;
        let space = rewriter.node(&front, "aten::empty", location, &operands, (ty, &script))?;
        let space = space.result_value(0).ok_or_else(missing)?;
        let count = op.result_values().len();
        let op = add_results(rewriter, op, &[(ty, script.clone())], &[space])?;
        let body = op.body(0).ok_or_else(|| Failure::new("a loop without a block"))?;
        let arguments = body.args();
        let (turn, list, whole) = (arguments[0], arguments[1 + self.index], arguments[1 + count]);
        let mut part = element;
        if self.joined {
            let mut ty = self.ty;
            if let Some(sizes) = &mut ty.sizes {
                sizes.remove(self.dim);
            }
            let ty = ty.to_type(op.context_ref()).ok_or_else(missing)?;
            let script = sconce_torch::types::from_mlir(ty).ok_or_else(missing)?;
            let squeezed = rewriter.node(&at, "aten::squeeze", location, &[element, dim], (ty, &script))?;
            part = squeezed.result_value(0).ok_or_else(missing)?;
        }
        let put = rewriter.node(&at, "aten::select_scatter", location, &[whole, part, dim, turn], (ty, &script))?;
        let end = body.terminator_op().ok_or_else(|| Failure::new("a block without an end"))?;
        let given: Vec<_> = end.operand_values().into_iter().chain(put.result_value(0)).collect();
        end.set_operand_values(&given);
        if let Some(appended) = self.append.result_value(0) {
            appended.replace_all_uses_with(list);
        }
        self.append.erase()?;
        if let (Some(stacked), Some(filled)) = (self.stack.result_value(0), op.result_value(count)) {
            rewriter.replace_uses(stacked, filled)?;
        }
        self.stack.erase()?;
        let order: Vec<usize> = (0..=count).filter(|i| *i != self.index).collect();
        keep_results(op, &order)
    }
}

/// Is it a list of nothing?
fn is_empty(list: Value<'_, '_>) -> bool {
    match constant(list) {
        Some(IValue::List(list)) => list.to_vec().is_empty(),
        _ => made_by(list, "prim.ListConstruct").is_some_and(|op| inputs(op).is_empty()),
    }
}
