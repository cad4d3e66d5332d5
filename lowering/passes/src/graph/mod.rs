//! Functions as graphs, as PyTorch's passes see them: operations in blocks, silent casts seen through, types and constants as TorchScript has them.

mod aggregate;
mod control_flow;
mod counted;
mod held;
mod rewriter;
pub(crate) mod space;

pub(crate) use aggregate::Aggregate;
pub(crate) use control_flow::{add_results, keep_results};
pub(crate) use counted::Counted;
pub(crate) use held::{Held, spell_out};
pub(crate) use rewriter::Rewriter;

use sconce_analysis::Aliases;
use sconce_analysis::alias::id;
use sconce_analysis::operators::{any_within, is_constant_op, is_silent, kind, source};
use sconce_import::constants::value_of;
use sconce_ir::prelude::*;
use sconce_pass::{Failure, PassResult};
use sconce_schema::{DType, Type as ScriptType};
use sconce_tensor::IValue;
use sconce_torch::NAMED_CONSTANT;

/// Convolutions of one rank, and the rank of what they read, of their weight and of what they give.
pub(crate) const CONVOLUTIONS: &[(&str, usize)] = &[("aten.conv1d", 3), ("aten.conv2d", 4), ("aten.conv3d", 5)];

/// Changes each function in an operation, or the operation itself if it is one. A function of several blocks is no graph and stays as it is.
pub(crate) fn each_function<'c: 'a, 'a>(
    root: OperationRef<'c, 'a>,
    mut change: impl FnMut(OperationRef<'c, 'a>) -> PassResult,
) -> PassResult {
    root.find_all("func.func").into_iter().filter(|f| root_block(*f).is_some()).try_for_each(&mut change)
}

/// The only block of a function.
pub(crate) fn root_block<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Option<BlockRef<'c, 'a>> {
    match function.region_refs().first()?.blocks()[..] {
        [block] => Some(block),
        _ => None,
    }
}

/// The blocks in an operation that are blocks of the same graph. What other operations hold is theirs.
pub(crate) fn inner_blocks<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<BlockRef<'c, 'a>> {
    match op.op_name() {
        "torch.prim.If" | "torch.prim.Loop" | "torch.operator" => {
            op.region_refs().into_iter().flat_map(RegionExt::blocks).collect()
        }
        _ => Vec::new(),
    }
}

/// The operations of a block but its end, in order.
pub(crate) fn block_ops<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    block.ops().into_iter().filter(|op| !op.is_terminator()).collect()
}

/// What a block passes on.
pub(crate) fn passed<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    block.terminator_op().map(OpExt::operand_values).unwrap_or_default()
}

/// All operations of a block and of those in it, each before what it holds.
pub(crate) fn walk<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut all = Vec::new();
    let mut stack: Vec<OperationRef<'c, 'a>> = block_ops(block).into_iter().rev().collect();
    while let Some(op) = stack.pop() {
        all.push(op);
        for inner in inner_blocks(op).into_iter().rev() {
            stack.extend(block_ops(inner).into_iter().rev());
        }
    }
    all
}

/// Erases silent casts that nobody needs: what moves operations moves casts along with who needs them.
pub(crate) fn erase_unneeded_casts(function: OperationRef<'_, '_>) -> PassResult {
    for block in blocks(function) {
        for cast in block_ops(block).into_iter().rev().filter(|op| is_silent(*op) && op.is_unused()) {
            cast.erase()?;
        }
    }
    Ok(())
}

/// All operations of a function's graph, without silent casts.
pub(crate) fn nodes<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let all = root_block(function).map(walk).unwrap_or_default();
    all.into_iter().filter(|op| !is_silent(*op)).collect()
}

/// The operands, without the casts they come through.
pub(crate) fn inputs<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    op.operand_values().into_iter().map(source).collect()
}

/// The operation that makes a value, if it is of this kind.
pub(crate) fn made_by<'c: 'a, 'a>(value: Value<'c, 'a>, wanted: &str) -> Option<OperationRef<'c, 'a>> {
    source(value).defining_op().filter(|op| kind(*op) == wanted)
}

/// Is it a `prim::Constant`?
pub(crate) fn is_constant(op: OperationRef<'_, '_>) -> bool {
    is_constant_op(op)
        || matches!(kind(op), "prim.Constant" | NAMED_CONSTANT | "tensor.literal" | "vtensor.literal" | "func.constant")
}

/// The value of a constant, if it is one and its value is known.
pub(crate) fn constant(value: Value<'_, '_>) -> Option<IValue> {
    value_of(source(value).defining_op()?)
}

/// Would `is` tell a value from an equal one that was made apart from it? Members of enumerations are compared by identity, as objects are.
pub(crate) fn has_identity(value: &IValue) -> bool {
    match value {
        IValue::Enum(_) | IValue::Object(_) => true,
        IValue::Tuple(tuple) => tuple.items.iter().any(has_identity),
        IValue::List(list) => list.to_vec().iter().any(has_identity),
        IValue::Dict(dict) => dict.read().iter().any(|(_, v)| has_identity(v)),
        _ => false,
    }
}

/// An integer constant.
pub(crate) fn int(value: Value<'_, '_>) -> Option<i64> {
    match constant(value) {
        Some(IValue::Int(n)) => Some(n),
        _ => None,
    }
}

/// Is a number known to be one?
pub(crate) fn is_one(value: Value<'_, '_>) -> bool {
    match constant(value) {
        Some(IValue::Int(n)) => n == 1,
        Some(IValue::Double(x)) => x == 1.0,
        _ => false,
    }
}

/// The type of a value as graph text has it: with what it says beyond the dialect's.
pub(crate) fn script_type(value: Value<'_, '_>) -> ScriptType {
    let value = source(value);
    let kept = || {
        if let Some(op) = value.defining_op() {
            return attr::array_value(op.attr("torch.types")?)?.get(value.result_index()?).copied();
        }
        let (block, index) = value.block_argument()?;
        let owner = block.parent_op()?;
        if owner.is("func.func") {
            return attr::array_value(owner.attr("torch.argument_types")?)?.get(index).copied();
        }
        let is_it = |b: BlockRef<'_, '_>| b.to_raw().ptr == block.to_raw().ptr;
        let region = owner.region_refs().into_iter().position(|r| r.blocks().into_iter().any(is_it))?;
        let of_block = attr::array_value(owner.attr("torch.block_types")?)?.get(region).copied()?;
        attr::array_value(of_block)?.get(index).copied()
    };
    // A function's type is MLIR's own.
    sconce_import::text::value_type(value.r#type(), kept()).unwrap_or(ScriptType::Function)
}

/// The bytes of a tensor, if dtype and sizes are known; as many as there can be, if there are not so many.
pub(crate) fn bytes(dtype: Option<DType>, sizes: impl IntoIterator<Item = Option<i64>>) -> Option<usize> {
    let dtype = dtype?;
    let sizes = sizes.into_iter().map(|n| usize::try_from(n?).ok()).collect::<Option<Vec<usize>>>()?;
    // A size of nought makes the tensor empty, however large the others are.
    let is_empty = sizes.contains(&0);
    Some(if is_empty { 0 } else { sizes.iter().fold(dtype.size(), |bytes, n| bytes.saturating_mul(*n)) })
}

/// Takes away operations that nothing uses any more, users before what they use.
pub(crate) fn erase_all(ops: &[OperationRef<'_, '_>]) -> Result<(), Failure> {
    ops.iter().rev().try_for_each(|op| op.erase().map_err(Failure::from))
}

/// Are these the same operation?
pub(crate) fn is_same(a: OperationRef<'_, '_>, b: OperationRef<'_, '_>) -> bool {
    id(a) == id(b)
}

/// Says of a function what its entry block now takes; `kept` tells which of the arguments before are left.
pub(crate) fn set_arguments(function: OperationRef<'_, '_>, kept: &[bool]) {
    let context = function.context_ref();
    let inputs: Vec<Type<'_>> =
        root_block(function).map(BlockExt::args).unwrap_or_default().iter().map(|v| v.r#type()).collect();
    let results = function.signature().unwrap_or_default().1;
    let ty = sconce_ir::FunctionType::new(context, &inputs, &results);
    function.set_attr("function_type", attr::r#type(ty.into()));
    if let Some(types) = function.attr("torch.argument_types").and_then(attr::array_value) {
        let left: Vec<Attribute<'_>> = types.into_iter().zip(kept).filter(|(_, kept)| **kept).map(|(t, _)| t).collect();
        function.set_attr("torch.argument_types", attr::array(context, &left));
    }
}

/// All blocks of a function's graph.
pub(crate) fn blocks<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Vec<BlockRef<'c, 'a>> {
    let root = root_block(function);
    root.into_iter().chain(nodes(function).into_iter().flat_map(inner_blocks)).collect()
}

/// Does neither the operation nor one in it write to anything, or do what no value shows?
pub(crate) fn is_steady(aliases: &Aliases<'_>, op: OperationRef<'_, '_>) -> bool {
    !any_within(op, |inner| {
        let written = aliases.written(inner);
        aliases.acts(inner) || written.outside || !written.made_by.is_empty()
    })
}

/// What an operation stands in, or is, of a block; none of another block's.
pub(crate) fn standing_in<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    block: BlockRef<'c, 'a>,
) -> Option<OperationRef<'c, 'a>> {
    let mut op = op;
    while op.block_ref() != Some(block) {
        op = op.parent()?;
    }
    Some(op)
}

/// What tells an operation apart from others besides its operands: its name, its attributes and the types of its results, each of which is one object in a context.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Form(Vec<usize>);

impl Form {
    /// Of this operation.
    pub fn of(op: OperationRef<'_, '_>) -> Form {
        let attributes = op.attrs();
        let names = attributes.iter().map(|(name, _)| name.as_ptr() as usize);
        let values = attributes.iter().map(|(_, value)| value.to_raw().ptr as usize);
        let types = op.result_types().into_iter().map(|ty| ty.to_raw().ptr as usize);
        let name = [op.op_name().as_ptr() as usize, attributes.len()];
        Form(name.into_iter().chain(names).chain(values).chain(types).collect())
    }
}
