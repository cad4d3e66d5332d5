//! How compiled code is called: all arguments come in one array of words, from the runtime and from the threads that share a loop alike.

use crate::internal;
use crate::outline_parallel_loops::GRAIN;
use sconce_exec::PARALLEL_FOR;
use sconce_ir::llvm_type::{self, Linkage};
use sconce_ir::{Attribute, BlockExt, BlockRef, Location, OpExt, OperationRef, Region, Type, ValueLike, attr};
use sconce_linalg::Error;
use sconce_linalg::emit::{Body, Emit, V};

/// Adds `llvm.func @entry(ptr)`, which reads the arguments of `@name` from an array of 8-byte words and calls it; `@name` becomes private.
///
/// A memref argument is two pointers (allocated, aligned), the offset, the sizes and the strides, one word each.
pub fn add_entry<'c>(module: BlockRef<'c, 'c>, function: OperationRef<'c, 'c>, entry: &str) -> Result<(), Error> {
    add_caller(module, function, entry, 0, Linkage::External)
}

/// The address of a word of an array.
fn word<'c>(e: &Emit<'c>, words: V<'c>, number: usize) -> Result<V<'c>, Error> {
    let index = i32::try_from(number).map_err(internal)?;
    let word = attr::r#type(e.int_type(64));
    let attributes = [("elem_type", word), ("rawConstantIndices", e.i32_array(&[index]))];
    e.one("llvm.getelementptr", &[words], words.r#type(), &attributes)
}

/// A number of 64 bits.
fn number<'c>(e: &Emit<'c>, n: i64) -> Result<V<'c>, Error> {
    let t = e.int_type(64);
    e.one("llvm.mlir.constant", &[], t, &[("value", attr::integer(t, n))])
}

/// `llvm.call` of a function without results.
fn call<'c>(e: &Emit<'c>, name: &str, arguments: &[V<'c>]) -> Result<(), Error> {
    let attributes = [
        // Built, not read: a name may hold what a symbol in text may not.
        ("callee", attr::symbol(e.context, name)),
        ("operandSegmentSizes", e.i32_array(&[arguments.len() as i32, 0])),
        ("op_bundle_sizes", e.i32_array(&[])),
    ];
    e.op("llvm.call", arguments, &[], &attributes).map(|_| ())
}

/// The attributes of a function without results.
fn signature<'c>(
    e: &Emit<'c>,
    name: &str,
    arguments: &[Type<'c>],
    linkage: Linkage,
) -> [(&'static str, Attribute<'c>); 4] {
    [
        ("sym_name", attr::string(e.context, name)),
        ("function_type", attr::r#type(llvm_type::procedure(e.context, arguments))),
        ("linkage", linkage.attribute(e.context)),
        ("CConv", llvm_type::c_convention(e.context)),
    ]
}

/// Adds a function of an array of words and of the first arguments of `function`, which it calls with these and what the words hold.
fn add_caller<'c>(
    module: BlockRef<'c, 'c>,
    function: OperationRef<'c, 'c>,
    name: &str,
    first: usize,
    linkage: Linkage,
) -> Result<(), Error> {
    let context = function.context_ref();
    let called = function.symbol_name().ok_or_else(|| internal("a function without name"))?;
    let body = function.body(0).ok_or_else(|| internal("a function without body"))?;
    let types: Vec<Type<'c>> = body.args().iter().map(|v| v.r#type()).collect();
    let (first, rest) = types.split_at_checked(first).ok_or_else(|| internal("a part without a range"))?;
    let e = Emit::at_end(context, module, Location::unknown(context));
    let pointer = llvm_type::pointer(context);
    // Buffers of one call do not overlap where one of them is written.
    let alone = attr::dict(context, &[("llvm.noalias", attr::unit(context))]);
    let plain = attr::dict(context, &[]);
    let attributes: Vec<_> = types.iter().map(|t| if *t == pointer { alone } else { plain }).collect();
    function.set_attr("arg_attrs", e.array(&attributes));
    function.set_attr("linkage", Linkage::Internal.attribute(context));
    let mut build = |e: &Emit<'c>, arguments: &[V<'c>]| {
        let mut values = arguments[1..].to_vec();
        for (i, t) in rest.iter().enumerate() {
            values.push(e.one("llvm.load", &[word(e, arguments[0], i)?], *t, &[])?);
        }
        call(e, called, &values)?;
        e.op("llvm.return", &[], &[], &[]).map(|_| ())
    };
    let arguments = [&[pointer], first].concat();
    let signature = signature(&e, name, &arguments, linkage);
    e.with_regions("llvm.func", &[], &[], &signature, &mut [Body { arguments, build: &mut build }])?;
    Ok(())
}

/// Has the runtime call the parts of loops, on as many threads as it has: each call of a function with a grain becomes a call of [`PARALLEL_FOR`] with a function
/// of words and a range.
pub fn share_parts<'c>(
    root: OperationRef<'c, 'c>,
    module: BlockRef<'c, 'c>,
    parts: &[OperationRef<'c, 'c>],
) -> Result<(), Error> {
    if parts.is_empty() {
        return Ok(());
    }
    let context = root.context_ref();
    let e = Emit::at_end(context, module, Location::unknown(context));
    let (pointer, integer) = (llvm_type::pointer(context), e.int_type(64));
    let declaration = signature(&e, PARALLEL_FOR, &[integer, integer, pointer, pointer], Linkage::External);
    e.with_region("llvm.func", &declaration, Region::new())?;
    let mut calls = root.find_all("llvm.call");
    for part in parts {
        let name = part.symbol_name().ok_or_else(|| internal("a function without name"))?;
        let grain = part.int_attr(GRAIN).ok_or_else(|| internal("a part without grain"))?;
        part.remove_attr(GRAIN);
        let by_words = format!("{name}_by_words");
        add_caller(module, *part, &by_words, 2, Linkage::Internal)?;
        let callee = attr::symbol(context, name);
        let (of_part, others): (Vec<_>, Vec<_>) = calls.into_iter().partition(|op| op.attr("callee") == Some(callee));
        calls = others;
        for op in of_part {
            let operands = op.operand_values();
            let [_, count, given @ ..] = &operands[..] else { return Err(internal("a part without a range")) };
            // In front of all else, since memory of the stack that a loop takes is not given back in the loop.
            let caller = op.parent_of_name("llvm.func").and_then(|f| f.body(0)).and_then(|body| body.first_op());
            let start = Emit::in_front_of(caller.ok_or_else(|| internal("a call in no function"))?)?;
            let length = number(&start, given.len().max(1) as i64)?;
            let words = start.one("llvm.alloca", &[length], pointer, &[("elem_type", attr::r#type(integer))])?;
            let e = Emit::in_front_of(op)?;
            for (i, value) in given.iter().enumerate() {
                e.op("llvm.store", &[*value, word(&e, words, i)?], &[], &[])?;
            }
            let function =
                e.one("llvm.mlir.addressof", &[], pointer, &[("global_name", attr::symbol(context, &by_words))])?;
            call(&e, PARALLEL_FOR, &[*count, number(&e, grain)?, function, words])?;
            op.erase().map_err(internal)?;
        }
    }
    Ok(())
}
