//! How compiled functions are called: results are written into buffers the caller gives, and all arguments come in one array of words.

use sconce_ir::melior::ir::attribute::{StringAttribute, TypeAttribute};
use sconce_ir::melior::ir::r#type::{FunctionType, MemRefType, RankedTensorType};
use sconce_ir::melior::ir::{
    Block, BlockLike, BlockRef, Identifier, Location, OperationRef, Region, RegionLike, Type, ValueLike,
};
use sconce_ir::{BlockExt, Context, OpExt, ValueExt, attr};
use sconce_linalg::Error;
use sconce_linalg::emit::{Body, Emit, V};

fn internal(e: impl std::fmt::Display) -> Error {
    Error::Internal(e.to_string())
}

fn memref_of<'c>(t: Type<'c>) -> Option<Type<'c>> {
    let t = RankedTensorType::try_from(t).ok()?;
    // The printed type says sizes and element in the same words.
    let text = t.to_string().replacen("tensor<", "memref<", 1);
    Type::parse(sconce_ir::op::type_context(t.into()), &text)
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
    let op = sconce_ir::melior::ir::operation::OperationBuilder::new("func.func", function.location_of())
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

trait LocationOf<'c> {
    fn location_of(self) -> Location<'c>;
}
impl<'c> LocationOf<'c> for OperationRef<'c, 'c> {
    fn location_of(self) -> Location<'c> {
        use sconce_ir::melior::ir::operation::OperationLike;
        self.location()
    }
}

/// Adds `llvm.func @entry(ptr)`, which reads the arguments of `@name` from an array of 8-byte words and calls it; `@name` becomes private.
///
/// A memref argument is two pointers (allocated, aligned), the offset, the sizes and the strides, one word each.
pub fn add_entry<'c>(
    context: &'c Context,
    module: BlockRef<'c, 'c>,
    function: OperationRef<'c, 'c>,
    entry: &str,
) -> Result<(), Error> {
    let name = function.symbol_name().ok_or_else(|| internal("a function without name"))?;
    let body = function.body(0).ok_or_else(|| internal("a function without body"))?;
    let types: Vec<Type<'c>> = body.args().iter().map(|v| v.r#type()).collect();
    let e = Emit::at_end(context, module, Location::unknown(context));
    let pointer = e.parse_type("!llvm.ptr")?;
    let word = e.int_type(64);
    // Buffers of one call do not overlap where one of them is written.
    let attributes: Vec<String> =
        types.iter().map(|t| if *t == pointer { "{llvm.noalias}".to_string() } else { "{}".to_string() }).collect();
    function.set_attr("arg_attrs", e.attribute(&format!("[{}]", attributes.join(", ")))?);
    function.set_attr("linkage", e.attribute("#llvm.linkage<internal>")?);
    // Full-width vectors also where the processor's default is narrower.
    let mut build = |e: &Emit<'c>, arguments: &[V<'c>]| {
        let mut values = Vec::new();
        for (i, t) in types.iter().enumerate() {
            let index = i32::try_from(i).map_err(internal)?;
            let address = e.one(
                "llvm.getelementptr",
                &[arguments[0]],
                pointer,
                &[("elem_type", TypeAttribute::new(word).into()), ("rawConstantIndices", e.i32_array(&[index]))],
            )?;
            values.push(e.one("llvm.load", &[address], *t, &[])?);
        }
        let segments = e.i32_array(&[values.len() as i32, 0]);
        e.op(
            "llvm.call",
            &values,
            &[],
            &[
                ("callee", e.attribute(&format!("@{name}"))?),
                ("operandSegmentSizes", segments),
                ("op_bundle_sizes", e.i32_array(&[])),
            ],
        )?;
        e.op("llvm.return", &[], &[], &[]).map(|_| ())
    };
    e.with_regions(
        "llvm.func",
        &[],
        &[],
        &[
            ("sym_name", StringAttribute::new(context, entry).into()),
            ("function_type", TypeAttribute::new(e.parse_type("!llvm.func<void (ptr)>")?).into()),
            ("linkage", e.attribute("#llvm.linkage<external>")?),
            ("CConv", e.attribute("#llvm.cconv<ccc>")?),
        ],
        &mut [Body { arguments: vec![pointer], build: &mut build }],
    )?;
    Ok(())
}

/// Whether a type is a buffer.
pub fn is_buffer(t: Type<'_>) -> bool {
    MemRefType::try_from(t).is_ok()
}
