//! `stack-loop-lists`: a list to which each turn of a loop appends one tensor, and which is only stacked behind the loop, becomes the stacked tensor: each turn puts its
//! part where it lies there.
//!
//! A loop that carries tensors alone is one that code can be made for, and the parts are written once. So lists stay where the loop carries something else, too.
//! Where the number of turns is known only when the program runs, the tensor is as long as that; of no turns at all the list is stacked as before, which is an error.

use crate::graph::space::{self, Extent, Filled, Fills, Space, is_small, missing};
use crate::graph::{
    Counted, Rewriter, add_results, constant, inputs, int, keep_results, made_by, passed, script_type, walk,
};
use sconce_analysis::operators::{kind, source};
use sconce_analysis::types::TorchType;
use sconce_analysis::{Aliases, Symbols, Tensor, is_layout_seen};
use sconce_ir::prelude::*;
use sconce_pass::{Failure, Pass, PassOption, PassResult, PassRun};
use sconce_schema::Type as ScriptType;
use sconce_tensor::IValue;

/// The pass `stack-loop-lists`.
pub struct StackLoopLists;

impl Pass for StackLoopLists {
    const NAME: &'static str = "stack-loop-lists";
    const DESCRIPTION: &'static str = "Let loops fill the tensor that a list of theirs is stacked or joined to";
    const ANCHOR: Option<&'static str> = None;
    const OPTIONS: &'static [PassOption] = &[space::MOST_BYTES];
    const DIALECTS: &'static [&'static str] = &["torch"];

    fn run(root: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
        space::fill::<StackLoopLists>(root, run)
    }
}

impl Fills for StackLoopLists {
    const CHANGE: &'static str = "stacked-list";
    type Filled<'c: 'a, 'a> = Stacked<'c, 'a>;
}

/// A list that a loop makes.
pub(crate) struct Stacked<'c, 'a> {
    /// Among the loop's results.
    index: usize,
    /// What makes it longer by an element.
    grow: OperationRef<'c, 'a>,
    element: Value<'c, 'a>,
    /// The first element is that of the last turn.
    turned: bool,
    /// What makes a tensor of it, along a dimension of that tensor.
    stack: OperationRef<'c, 'a>,
    /// What takes an element of it, and which.
    taken: Vec<(OperationRef<'c, 'a>, i64)>,
    dim: usize,
    /// Elements are joined along a dimension of theirs, of size 1, and do not get another one.
    joined: bool,
    /// The number of turns, where it is known, and as a value.
    turns: Option<i64>,
    count: Value<'c, 'a>,
    ty: Tensor,
    /// Of dimensions whose size is not known: a tensor that is there before the loop, and the dimension of it that is as large.
    like: Vec<(usize, Value<'c, 'a>, usize)>,
}

/// The list that an operation makes longer by an element, the element, and whether that comes first.
fn grown<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<(Value<'c, 'a>, Value<'c, 'a>, bool)> {
    let [a, b] = inputs(op)[..] else { return None };
    let only = |list| match inputs(made_by(list, "prim.ListConstruct")?)[..] {
        [element] => Some(element),
        _ => None,
    };
    match kind(op) {
        "sconce.append" => Some((a, b, false)),
        "aten.add" => only(b).map(|element| (a, element, false)).or_else(|| Some((b, only(a)?, true))),
        _ => None,
    }
}

impl<'c: 'a, 'a> Filled<'c, 'a> for Stacked<'c, 'a> {
    /// None where the loop carries something else that code cannot be given.
    fn all(counted: &Counted<'c, 'a>, most: usize) -> Vec<Self> {
        let results = counted.op.result_values();
        let mut lists = Vec::new();
        for (index, result) in results.into_iter().enumerate() {
            match (
                TorchType::of(result.r#type()),
                Stacked::of(counted, index, result).filter(|list| is_small(&list.ty, most)),
            ) {
                (_, Some(list)) => lists.push(list),
                (TorchType::Other, None) => return Vec::new(),
                _ => {}
            }
        }
        lists
    }

    fn has_unknown(&self) -> bool {
        self.unknown().next().is_some()
    }

    /// All or none.
    fn allowed(
        mut found: Vec<Self>,
        counted: &Counted<'c, 'a>,
        aliases: &Aliases<'c>,
        symbols: Option<&Symbols<'c, 'a, '_>>,
    ) -> Vec<Self> {
        let is_seen = |list: &Self| aliases.has_writers(list.element) || list.is_also_given(counted.op, aliases);
        if found.iter_mut().any(|list| !list.find_sizes(counted, symbols) || is_seen(list)) {
            found.clear();
        }
        found
    }

    fn put(self, op: OperationRef<'c, 'a>, rewriter: &mut Rewriter<'c>) -> Result<OperationRef<'c, 'a>, Failure> {
        let ty = self.ty.to_type(op.context_ref()).ok_or_else(missing)?;
        let script = sconce_torch::types::from_mlir(ty).ok_or_else(missing)?;
        let (front, location, element) = (Builder::before(op), self.grow.location(), self.element);
        let space = self.space(Space { at: front, location, like: element, rewriter }, (ty, &script))?;
        let mut turn = Space { at: Builder::before(self.grow), location, like: element, rewriter };
        let dim = turn.number(self.dim as i64)?;
        let last = match self.turns {
            _ if !self.turned => None,
            Some(turns) => Some(turn.number(turns - 1)?),
            None => {
                let one = turn.number(1)?;
                Some(turn.integer("aten::sub", &[self.count, one])?)
            }
        };
        let Space { at, .. } = turn;
        let count = op.result_values().len();
        let op = add_results(rewriter, op, &[(ty, script.clone())], &[space])?;
        let body = op.body(0).ok_or_else(|| Failure::new("a loop without a block"))?;
        let arguments = body.args();
        let (mut place, list, whole) = (arguments[0], arguments[1 + self.index], arguments[1 + count]);
        if let Some(last) = last {
            let ty = (place.r#type(), &ScriptType::Int);
            let left = rewriter.node(&at, "aten::sub", location, &[last, place], ty)?;
            place = left.result_value(0).ok_or_else(missing)?;
        }
        let mut part = element;
        if self.joined {
            let (ty, script) = self.part(op.context_ref())?;
            let squeezed = rewriter.node(&at, "aten::squeeze", location, &[element, dim], (ty, &script))?;
            part = squeezed.result_value(0).ok_or_else(missing)?;
        }
        let put = rewriter.node(&at, "aten::select_scatter", location, &[whole, part, dim, place], (ty, &script))?;
        let end = body.terminator_op().ok_or_else(|| Failure::new("a block without an end"))?;
        let given: Vec<_> = end.operand_values().into_iter().chain(put.result_value(0)).collect();
        end.set_operand_values(&given);
        if let Some(longer) = self.grow.result_value(0) {
            longer.replace_all_uses_with(list);
        }
        let of_one = self.grow.operand_values().into_iter().filter_map(|v| made_by(v, "prim.ListConstruct"));
        let of_one: Vec<_> = of_one.collect();
        self.grow.erase()?;
        of_one.into_iter().filter(|op| op.is_unused()).try_for_each(OpExt::erase)?;
        if let Some(filled) = op.result_value(count) {
            self.give(filled, rewriter)?;
        }
        if let Some(filled) = op.result_value(count) {
            self.taken.iter().try_for_each(|(op, place)| self.take(*op, *place, filled, rewriter))?;
        }
        let order: Vec<usize> = (0..=count).filter(|i| *i != self.index).collect();
        keep_results(op, &order)
    }
}

impl<'c: 'a, 'a> Stacked<'c, 'a> {
    fn of(counted: &Counted<'c, 'a>, index: usize, result: Value<'c, 'a>) -> Option<Self> {
        let turns = counted.turns;
        let argument = *counted.body.args().get(1 + index)?;
        let grow = source(*passed(counted.body).get(1 + index)?).defining_op()?;
        let (list, element, turned) = grown(grow)?;
        let longer = grow.result_value(0)?;
        let is_kept = grow.block_ref() == Some(counted.body) && argument.has_one_use() && longer.has_one_use();
        let (taken, others): (Vec<_>, Vec<_>) =
            result.uses().into_iter().map(|usage| usage.owner).partition(|op| kind(*op) == "aten.__getitem__");
        let [stack] = others[..] else { return None };
        let [stacked, along] = inputs(stack)[..] else { return None };
        let given = [is_empty(*counted.op.operand_values().get(2 + index)?), is_kept, list == argument];
        if given.contains(&false) || source(stacked) != result {
            return None;
        }
        let place = |op: &OperationRef<'c, 'a>| {
            let (at, turns) = (int(*inputs(*op).get(1)?)?, turns?);
            let at = if at < 0 { at.checked_add(turns)? } else { at };
            (0..turns).contains(&at).then_some(at)
        };
        let taken = taken.into_iter().map(|op| Some((op, place(&op)?))).collect::<Option<Vec<_>>>()?;
        let Tensor { sizes, dtype: Some(dtype), value } = Tensor::of(element.r#type())? else { return None };
        let mut sizes = sizes.filter(|_| !dtype.is_quantized())?;
        let joined = match kind(stack) {
            "aten.stack" => false,
            "aten.cat" => true,
            _ => return None,
        };
        let rank = sizes.len() as i64 + i64::from(!joined);
        let dim = int(along)?;
        let dim = if dim < 0 { dim.checked_add(rank)? } else { dim };
        let dim = usize::try_from(dim).ok().filter(|d| *d < rank as usize)?;
        if joined {
            (sizes[dim] == Some(1)).then(|| sizes.remove(dim))?;
        }
        sizes.insert(dim, turns);
        // What is stacked of images may lie channel by channel, as they do.
        if sizes.len() > 3 && is_layout_seen(stack.result_value(0)?) {
            return None;
        }
        let ty = Tensor { sizes: Some(sizes), dtype: Some(dtype), value };
        let like = Vec::new();
        Some(Stacked { index, grow, element, turned, stack, taken, dim, joined, turns, count: counted.count, ty, like })
    }

    /// Dimensions of an element whose size is not known.
    fn unknown(&self) -> impl Iterator<Item = usize> {
        let sizes = self.ty.sizes.iter().flatten().enumerate();
        sizes.filter(|(d, size)| size.is_none() && *d != self.dim).map(|(d, _)| d)
    }

    /// Finds what tells the sizes that are not known, in front of the loop; false where nothing does.
    fn find_sizes(&mut self, counted: &Counted<'c, 'a>, symbols: Option<&Symbols<'c, 'a, '_>>) -> bool {
        let unknown: Vec<usize> = self.unknown().collect();
        if unknown.is_empty() {
            return true;
        }
        let Some(symbols) = symbols else { return false };
        let Some(sizes) = symbols.meta(self.element).sizes() else { return false };
        let inside = walk(counted.body).into_iter().flat_map(OpExt::operand_values).filter(|v| counted.is_before(*v));
        let before: Vec<_> = counted.op.operand_values().into_iter().chain(inside).collect();
        for d in unknown {
            // Joined parts have the dimension already, as one of size 1.
            let at = d - usize::from(!self.joined && d > self.dim);
            let Some(size) = sizes.get(at) else { return false };
            let found = before.iter().find_map(|v| {
                let there = symbols.meta(*v).sizes()?;
                Some((d, *v, there.iter().position(|other| other.same(*size))?))
            });
            let Some(found) = found else { return false };
            self.like.push(found);
        }
        true
    }

    /// Whether somebody has an element of the list and also what it shares memory with: a copy in the place of one would show.
    fn is_also_given(&self, op: OperationRef<'c, 'a>, aliases: &Aliases<'c>) -> bool {
        let given = op.result_values().into_iter().filter(|v| !v.is_unused() && Tensor::of(v.r#type()).is_some());
        !self.taken.is_empty() && given.into_iter().any(|v| aliases.may_share(v, self.element))
    }

    /// The tensor, in front of the loop.
    fn space(&self, mut front: Space<'c, 'a, '_>, ty: (Type<'c>, &ScriptType)) -> Result<Value<'c, 'a>, Failure> {
        let mut extents = Vec::new();
        for (d, size) in self.ty.sizes.iter().flatten().enumerate() {
            let like = self.like.iter().find(|(of, ..)| *of == d);
            extents.push(match (size, like) {
                (Some(n), _) => Extent::Known(*n),
                (None, Some((_, tensor, axis))) => Extent::Of(*tensor, *axis),
                (None, None) => {
                    // There are no turns of a negative number.
                    let zero = front.number(0)?;
                    Extent::Value(front.integer("prim::max", &[self.count, zero])?)
                }
            });
        }
        front.empty(&extents, self.ty.dtype, ty)
    }

    /// The filled tensor where the list was stacked. If there may have been no turn, the list of nothing is stacked then, as the program says.
    fn give(&self, filled: Value<'c, 'a>, rewriter: &mut Rewriter<'c>) -> PassResult {
        let Some(stacked) = self.stack.result_value(0) else { return Ok(()) };
        if self.turns.is_some() {
            rewriter.replace_uses(stacked, filled)?;
            return self.stack.erase().map_err(Failure::from);
        }
        let (context, location, ty) = (self.stack.context_ref(), self.stack.location(), stacked.r#type());
        let at = Builder::before(self.stack);
        let zero = rewriter.constant(&at, &IValue::Int(0), &ScriptType::Int, filled)?.ok_or_else(missing)?;
        let truth = rewriter.mlir_type(&ScriptType::Bool).ok_or_else(missing)?;
        let some = rewriter.node(&at, "aten::gt", location, &[self.count, zero], (truth, &ScriptType::Bool))?;
        let branch = |made: &mut dyn FnMut(&Builder<'c, 'a>) -> Result<Value<'c, 'a>, Failure>| {
            let region = Region::new();
            region.append_block(Block::new(&[]));
            let block: BlockRef<'c, 'a> = region.first_block().ok_or_else(missing)?;
            let end = Builder::at_end(context, block);
            let value = made(&end)?;
            end.op("torch.prim.If.yield", location).operands(&[value]).build()?;
            Ok::<_, Failure>(region)
        };
        let list = *inputs(self.stack).first().ok_or_else(missing)?;
        let list_type = (list.r#type(), script_type(list));
        let taken = branch(&mut |at| rewriter.pass_on(at, filled, ty)?.ok_or_else(missing))?;
        let none = branch(&mut |at| {
            let nothing = rewriter.node(at, "prim::ListConstruct", location, &[], (list_type.0, &list_type.1))?;
            let nothing = nothing.result_value(0).ok_or_else(missing)?;
            let old = *self.stack.operand_values().first().ok_or_else(missing)?;
            at.insert(self.stack.clone_with(&[(old, nothing)])).result_value(0).ok_or_else(missing)
        })?;
        let operands: Vec<_> = some.result_value(0).into_iter().collect();
        let choice = at.op("torch.prim.If", location).operands(&operands).results(&[ty]).region(taken).region(none);
        let choice = choice.build()?;
        rewriter.keep_types(choice, &[script_type(stacked)]);
        stacked.replace_all_uses_with(choice.result_value(0).ok_or_else(missing)?);
        self.stack.erase().map_err(Failure::from)
    }

    /// The type of an element without the dimension that elements are joined along.
    fn part(&self, context: &'c Context) -> Result<(Type<'c>, ScriptType), Failure> {
        let mut part = self.ty.clone();
        if let Some(sizes) = &mut part.sizes {
            sizes.remove(self.dim);
        }
        let ty = part.to_type(context).ok_or_else(missing)?;
        Ok((ty, sconce_torch::types::from_mlir(ty).ok_or_else(missing)?))
    }

    /// An element of the list, in another place, is a copy of the part of the tensor: the list's element shared no memory with it.
    fn take(
        &self,
        op: OperationRef<'c, 'a>,
        place: i64,
        filled: Value<'c, 'a>,
        rewriter: &mut Rewriter<'c>,
    ) -> PassResult {
        let (at, location) = (Builder::before(op), op.location());
        let last = self.turns.map_or(0, |turns| turns - 1);
        let place = if self.turned { last - place } else { place };
        let mut number =
            |n: i64| rewriter.constant(&at, &IValue::Int(n), &ScriptType::Int, filled)?.ok_or_else(missing);
        let (dim, place) = (number(self.dim as i64)?, number(place)?);
        let none = rewriter.constant(&at, &IValue::None, &ScriptType::None, filled)?.ok_or_else(missing)?;
        let (ty, script) = self.part(op.context_ref())?;
        let part = rewriter.node(&at, "aten::select", location, &[filled, dim, place], (ty, &script))?;
        let mut part = part.result_value(0).ok_or_else(missing)?;
        let (ty, script) = (self.element.r#type(), script_type(self.element));
        if self.joined {
            let whole = rewriter.node(&at, "aten::unsqueeze", location, &[part, dim], (ty, &script))?;
            part = whole.result_value(0).ok_or_else(missing)?;
        }
        let copy = rewriter.node(&at, "aten::clone", location, &[part, none], (ty, &script))?;
        if let (Some(old), Some(new)) = (op.result_value(0), copy.result_value(0)) {
            rewriter.replace_uses(old, new)?;
        }
        op.erase().map_err(Failure::from)
    }
}

/// Is it a list of nothing?
fn is_empty(list: Value<'_, '_>) -> bool {
    match constant(list) {
        Some(IValue::List(list)) => list.to_vec().is_empty(),
        _ => made_by(list, "prim.ListConstruct").is_some_and(|op| inputs(op).is_empty()),
    }
}
