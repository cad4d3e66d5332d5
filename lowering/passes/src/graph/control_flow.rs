//! Results of branches and loops, taken away or put in another order, with everything that says the same of them.

use sconce_import::text::names;
use sconce_ir::prelude::*;
use sconce_pass::Failure;

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
