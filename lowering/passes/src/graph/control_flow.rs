//! Results of branches and loops, added, taken away or put in another order, with everything that says the same of them.

use super::{Rewriter, script_type};
use sconce_import::text::names;
use sconce_ir::prelude::*;
use sconce_pass::Failure;
use sconce_schema::Type as ScriptType;

/// The operation with only these results of a `prim.If` or `prim.Loop`, in this order; what is left out must not be used, and neither must what a loop
/// carries for it. The old operation is gone.
pub(crate) fn keep_results<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    order: &[usize],
) -> Result<OperationRef<'c, 'a>, Failure> {
    let is_loop = op.is("torch.prim.Loop");
    let (operands, results) = (op.operand_values(), op.result_values());
    let operands = if is_loop { picked(&operands, 2, order) } else { operands };
    let types: Vec<Type<'c>> = order.iter().map(|i| results[*i].r#type()).collect();
    let mut state = OpState::new(op.op_name(), location(op, order)).operands(&operands).results(&types);
    for (name, value) in op.attrs() {
        state = state.attr(name, kept_attribute(op.context_ref(), name, value, order));
    }
    for region in op.region_refs() {
        for block in region.blocks() {
            keep_passed(block, is_loop, order)?;
        }
        state = state.empty_region();
    }
    let new = Builder::before(op).insert(state.create()?);
    for (old, new) in op.region_refs().into_iter().zip(new.region_refs()) {
        new.take_body(old);
    }
    for (i, value) in order.iter().zip(new.result_values()) {
        results[*i].replace_all_uses_with(value);
    }
    op.erase()?;
    Ok(new)
}

/// The first `skip`, and of those behind them the chosen.
fn picked<T: Copy>(values: &[T], skip: usize, order: &[usize]) -> Vec<T> {
    values[..skip].iter().copied().chain(order.iter().map(|i| values[skip + i])).collect()
}

/// What a block is given and passes on.
fn keep_passed<'c: 'a, 'a>(block: BlockRef<'c, 'a>, is_loop: bool, order: &[usize]) -> Result<(), Failure> {
    let skip = usize::from(is_loop);
    if let Some(end) = block.terminator_op() {
        end.set_operand_values(&picked(&end.operand_values(), skip, order));
    }
    if is_loop {
        let old = block.args();
        for i in order {
            let carried = old[i + 1];
            let new = block.add_arg(carried.r#type(), carried.loc());
            carried.replace_all_uses_with(new);
        }
        for index in (1..old.len()).rev() {
            block.erase_arg(index)?;
        }
    }
    Ok(())
}

/// `torch.types` has an entry for each result, `torch.block_types` one for each argument of each block.
fn kept_attribute<'c>(context: &'c Context, name: &str, value: Attribute<'c>, order: &[usize]) -> Attribute<'c> {
    let chosen = |value: Attribute<'c>, skip: usize| match attr::array_value(value) {
        Some(types) if types.len() >= skip + order.len() && order.iter().all(|i| skip + i < types.len()) => {
            attr::array(context, &picked(&types, skip, order))
        }
        _ => value,
    };
    match name {
        "torch.types" => chosen(value, 0),
        "torch.block_types" => {
            let blocks = attr::array_value(value).unwrap_or_default();
            attr::array(context, &blocks.into_iter().map(|b| chosen(b, 1)).collect::<Vec<_>>())
        }
        _ => value,
    }
}

/// The location, which names the results.
fn location<'c>(op: OperationRef<'c, '_>, order: &[usize]) -> Location<'c> {
    let location = op.location();
    let said = names::read(location, op.result_values().len());
    match (said.names.is_empty(), sconce_ir::location::name(location)) {
        (false, Some((_, place))) => {
            let chosen: Vec<&str> = order.iter().map(|i| said.names[*i].as_str()).collect();
            names::named(op.context_ref(), &chosen, place)
        }
        _ => location,
    }
}

/// A `prim.If` or `prim.Loop` with more results, behind those it has, of these types. A loop carries them, beginning with `initial`, in arguments behind those it
/// has. What its blocks pass on for them is the caller's to add. The old operation is gone.
pub(crate) fn add_results<'c: 'a, 'a>(
    rewriter: &mut Rewriter<'c>,
    op: OperationRef<'c, 'a>,
    added: &[(Type<'c>, ScriptType)],
    initial: &[Value<'c, 'a>],
) -> Result<OperationRef<'c, 'a>, Failure> {
    let old = op.result_values();
    let mut said: Vec<ScriptType> = old.iter().map(|v| script_type(*v)).collect();
    said.extend(added.iter().map(|(_, ty)| ty.clone()));
    let operands: Vec<Value<'c, 'a>> = op.operand_values().into_iter().chain(initial.iter().copied()).collect();
    let types: Vec<Type<'c>> = old.iter().map(|v| v.r#type()).chain(added.iter().map(|(ty, _)| *ty)).collect();
    // Names stay with those that have one.
    let mut state = OpState::new(op.op_name(), op.location()).operands(&operands).results(&types);
    for (name, value) in op.attrs() {
        state = state.attr(name, value);
    }
    let blocks: Vec<BlockRef<'c, 'a>> = op.region_refs().into_iter().flat_map(RegionExt::blocks).collect();
    let mut arguments: Vec<Vec<ScriptType>> =
        blocks.iter().map(|block| block.args().into_iter().map(script_type).collect()).collect();
    for _ in op.region_refs() {
        state = state.empty_region();
    }
    let new = Builder::before(op).insert(state.create()?);
    for (old, new) in op.region_refs().into_iter().zip(new.region_refs()) {
        new.take_body(old);
    }
    if op.is("torch.prim.Loop") {
        for (block, said) in blocks.iter().zip(&mut arguments) {
            for (ty, script) in added {
                block.add_arg(*ty, op.location());
                said.push(script.clone());
            }
        }
    }
    for (old, new) in old.into_iter().zip(new.result_values()) {
        old.replace_all_uses_with(new);
    }
    op.erase()?;
    rewriter.keep_types(new, &said);
    rewriter.keep_block_types(new, &arguments);
    Ok(new)
}
