//! Destination passing: functions from tensors to tensors become functions that write their results into buffers the caller gives.

use crate::Error;
use crate::emit::{Emit, V};
use sconce_ir::builder::Builder;
use sconce_ir::builtin_type::{Shaped, buffer, function as function_type};
use sconce_ir::{
    Block, BlockExt, BlockRef, Context, Location, OpExt, OperationLike, OperationRef, Region, RegionLike, Type,
    ValueExt, attr,
};

fn internal(e: impl std::fmt::Display) -> Error {
    Error::Internal(e.to_string())
}

/// The buffer of a tensor's sizes and elements, in order.
fn buffer_of(t: Type<'_>) -> Option<Type<'_>> {
    Shaped::tensor(t).map(|tensor| buffer(&tensor.sizes, tensor.element))
}

/// Of a result that is parts inserted into an empty tensor, what inserts the first: the caller's buffer can be that tensor. Left to `eliminate-empty-tensors`, which
/// looks at insertions first, the first part would be written into the empty one, and copied.
fn first_part<'c>(result: V<'c>) -> Option<OperationRef<'c, 'c>> {
    let mut insert = result.defining_op().filter(|op| op.is("tensor.insert_slice"))?;
    loop {
        let into = insert.operand_value(1)?;
        match into.defining_op()? {
            op if op.is("tensor.insert_slice") && into.has_one_use() => insert = op,
            op => return op.is("tensor.empty").then_some(insert),
        }
    }
}

/// Turns a function from tensors to tensors into one that takes buffers and writes its results into further buffer arguments.
pub fn into_destinations<'c>(context: &'c Context, function: OperationRef<'c, 'c>) -> Result<(), Error> {
    let name = function.symbol_name().ok_or_else(|| internal("a function without name"))?;
    let (inputs, results) = function.signature().ok_or_else(|| internal("a function without signature"))?;
    let old = function.body(0).ok_or_else(|| internal("a function without body"))?;
    let location = Location::unknown(context);
    let types: Vec<Type<'c>> = inputs.iter().chain(&results).map(|t| buffer_of(*t).unwrap_or(*t)).collect();
    let region = Region::new();
    region.append_block(Block::new(&types.iter().map(|t| (*t, location)).collect::<Vec<_>>()));
    let block: BlockRef<'c, 'c> = RegionLike::first_block(&region).ok_or_else(|| internal("no block"))?;
    let e = Emit::at_end(context, block, location);
    let unit = attr::unit(context);
    let arguments = block.args();
    for (i, (old, t)) in old.args().into_iter().zip(&inputs).enumerate() {
        let mut new = arguments[i];
        if buffer_of(*t).is_some() {
            new = e.one("bufferization.to_tensor", &[new], *t, &[("restrict", unit)])?;
        }
        old.replace_all_uses_with(new);
    }
    let terminator = old.terminator_op().ok_or_else(|| internal("no return"))?;
    let values = terminator.operand_values();
    let once = |value: &V<'c>| values.iter().filter(|v| *v == value).count() == 1;
    let firsts: Vec<_> = values.iter().map(|value| first_part(*value).filter(|_| once(value))).collect();
    for (i, (insert, t)) in firsts.iter().zip(&results).enumerate() {
        if let Some(insert) = insert {
            let own = [("restrict", unit), ("writable", unit)];
            let whole = e.one("bufferization.to_tensor", &[arguments[inputs.len() + i]], *t, &own)?;
            insert.set_operand_value(1, whole);
        }
    }
    old.splice_to_end(block);
    let before = Emit::in_front_of(terminator)?;
    for (i, (value, insert)) in values.iter().zip(&firsts).enumerate() {
        let destination = arguments[inputs.len() + i];
        let attributes = [("writable", unit), ("restrict", unit)];
        let attributes = if insert.is_some() { &attributes[..1] } else { &attributes };
        before.op("bufferization.materialize_in_destination", &[*value, destination], &[], attributes)?;
    }
    terminator.set_operand_values(&[]);
    Builder::before(function)
        .op("func.func", function.location())
        .attr("sym_name", attr::string(context, name))
        .attr("function_type", attr::r#type(function_type(context, &types, &[])))
        .region(region)
        .build()
        .map_err(internal)?;
    function.erase().map_err(internal)
}
