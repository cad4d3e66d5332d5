//! Destination passing: functions from tensors to tensors become functions that write their results into buffers the caller gives.

use crate::Error;
use crate::emit::Emit;
use sconce_ir::melior::ir::attribute::{StringAttribute, TypeAttribute};
use sconce_ir::melior::ir::operation::OperationLike;
use sconce_ir::melior::ir::r#type::{FunctionType, MemRefType, RankedTensorType, ShapedTypeLike};
use sconce_ir::melior::ir::{Block, BlockLike, BlockRef, Identifier, Location, OperationRef, Region, RegionLike, Type};
use sconce_ir::{BlockExt, Context, OpExt, ValueExt, attr};

fn internal(e: impl std::fmt::Display) -> Error {
    Error::Internal(e.to_string())
}

/// The buffer of a shaped type's sizes and elements, in order.
pub(crate) fn buffer_type<'c>(t: Type<'c>, element: Type<'c>) -> Option<MemRefType<'c>> {
    // MLIR writes an unknown size and an unknown stride alike.
    let size = |n: Option<u64>| n.map_or_else(MemRefType::dynamic_stride_or_offset, |n| n as i64);
    let sizes: Vec<i64> = attr::dims(t)?.into_iter().map(size).collect();
    Some(MemRefType::new(element, &sizes, None, None))
}

fn memref_of<'c>(t: Type<'c>) -> Option<Type<'c>> {
    let element = RankedTensorType::try_from(t).ok()?.element();
    Some(buffer_type(t, element)?.into())
}

/// Turns a function from tensors to tensors into one that takes buffers and writes its results into further buffer arguments.
pub fn into_destinations<'c>(context: &'c Context, function: OperationRef<'c, 'c>) -> Result<(), Error> {
    let name = function.symbol_name().ok_or_else(|| internal("a function without name"))?;
    let (inputs, results) = function.signature().ok_or_else(|| internal("a function without signature"))?;
    let old = function.body(0).ok_or_else(|| internal("a function without body"))?;
    let location = Location::unknown(context);
    let buffer = |t: Type<'c>| memref_of(t).unwrap_or(t);
    let types: Vec<Type<'c>> = inputs.iter().chain(&results).map(|t| buffer(*t)).collect();
    let region = Region::new();
    region.append_block(Block::new(&types.iter().map(|t| (*t, location)).collect::<Vec<_>>()));
    let block: BlockRef<'c, 'c> = RegionLike::first_block(&region).ok_or_else(|| internal("no block"))?;
    let e = Emit::at_end(context, block, location);
    let unit = attr::unit(context);
    let arguments = block.args();
    for (i, (old, t)) in old.args().into_iter().zip(&inputs).enumerate() {
        let mut new = arguments[i];
        if memref_of(*t).is_some() {
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
    let id = |n: &str| Identifier::new(context, n);
    let op = sconce_ir::melior::ir::operation::OperationBuilder::new("func.func", function.location())
        .add_attributes(&[
            (id("sym_name"), StringAttribute::new(context, name).into()),
            (id("function_type"), TypeAttribute::new(FunctionType::new(context, &types, &[]).into()).into()),
        ])
        .add_regions([region])
        .build()
        .map_err(internal)?;
    let parent = function.block_ref().ok_or_else(|| internal("a function outside a module"))?;
    parent.insert_operation_before(function, op);
    function.erase().map_err(internal)
}
