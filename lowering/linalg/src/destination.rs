//! Destination passing: functions from tensors to tensors become functions that write their results into buffers the caller gives.

use crate::Error;
use crate::emit::Emit;
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
    old.splice_to_end(block);
    let terminator = block.terminator_op().ok_or_else(|| internal("no return"))?;
    let before = Emit::in_front_of(terminator)?;
    for (i, value) in terminator.operand_values().into_iter().enumerate() {
        let destination = arguments[inputs.len() + i];
        before.op(
            "bufferization.materialize_in_destination",
            &[value, destination],
            &[],
            &[("restrict", unit), ("writable", unit)],
        )?;
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
