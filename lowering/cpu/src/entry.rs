//! How compiled code is called: all arguments come in one array of words.

use sconce_ir::llvm_type::{self, Linkage};
use sconce_ir::{BlockExt, BlockRef, Context, Location, OpExt, OperationRef, Type, ValueLike, attr};
use sconce_linalg::Error;
use sconce_linalg::emit::{Body, Emit, V};

fn internal(e: impl std::fmt::Display) -> Error {
    Error::Internal(e.to_string())
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
    let pointer = llvm_type::pointer(context);
    let word = e.int_type(64);
    // Buffers of one call do not overlap where one of them is written.
    let alone = attr::dict(context, &[("llvm.noalias", attr::unit(context))]);
    let plain = attr::dict(context, &[]);
    let attributes: Vec<_> = types.iter().map(|t| if *t == pointer { alone } else { plain }).collect();
    function.set_attr("arg_attrs", e.array(&attributes));
    function.set_attr("linkage", Linkage::Internal.attribute(context));
    // Full-width vectors also where the processor's default is narrower.
    let mut build = |e: &Emit<'c>, arguments: &[V<'c>]| {
        let mut values = Vec::new();
        for (i, t) in types.iter().enumerate() {
            let index = i32::try_from(i).map_err(internal)?;
            let address = e.one(
                "llvm.getelementptr",
                &[arguments[0]],
                pointer,
                &[("elem_type", attr::r#type(word)), ("rawConstantIndices", e.i32_array(&[index]))],
            )?;
            values.push(e.one("llvm.load", &[address], *t, &[])?);
        }
        let segments = e.i32_array(&[values.len() as i32, 0]);
        e.op(
            "llvm.call",
            &values,
            &[],
            &[
                // Built, not read: a name may hold what a symbol in text may not.
                ("callee", attr::symbol(context, name)),
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
            ("sym_name", attr::string(context, entry)),
            ("function_type", attr::r#type(llvm_type::procedure(context, &[pointer]))),
            ("linkage", Linkage::External.attribute(context)),
            ("CConv", llvm_type::c_convention(context)),
        ],
        &mut [Body { arguments: vec![pointer], build: &mut build }],
    )?;
    Ok(())
}
