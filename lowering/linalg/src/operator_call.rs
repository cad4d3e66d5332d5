//! Operators without code of their own: between what has code, a region calls the runtime's kernel with the addresses of its buffers.
//!
//! What an operator may refuse for what tensors hold (an index out of range) is looked for in front of the code that relies on it: then the region's call is void.

use crate::emit::{Emit, V};
use crate::lower::{Call, Item, Lower, TensorValue};
use crate::{Error, Lowering};
use sconce_analysis::Constant;
use sconce_exec::calls::{CALL, REFUSE, TURNS};
use sconce_exec::{Argument, OperatorCall};
use sconce_ir::builtin_type::{buffer, function as function_type, strided_buffer};
use sconce_ir::{BlockExt, BlockRef, OpExt, ValueExt, attr};
use sconce_schema::{DType, OpEntry, OpId, Trait, ops};
use smallvec::SmallVec;

/// Operators whose kernels do what their scalar expressions cannot say.
pub(crate) const OPS: &[(OpId, Lowering)] = &[
    // It moves exponents, beyond what the power of two in its expression can be.
    (ops::aten::ldexp_Tensor, by_kernel),
];

/// Calls the kernel of an operator, whose results have sizes that their types or its shape rule says.
pub(crate) fn by_kernel<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let effect = c.entry.effect();
    let is_zero = |i: &usize| c.constant(*i).is_ok_and(Constant::is_zero);
    if effect.writes_unless_false.as_ref().is_some_and(|(flag, _)| !is_zero(flag)) {
        return Error::unsupported("it writes running statistics");
    }
    if effect.draws && !effect.draws_unless_zero.iter().any(is_zero) {
        return Error::unsupported("it draws random numbers");
    }
    // What nobody wants a kernel may leave out, whatever its type says: an embedding bag's places are for a gradient.
    let sizes = c.wanted_sizes(l)?;
    let mut words = Vec::new();
    let mut arguments = Vec::new();
    for item in c.arguments {
        arguments.push(argument(l, c.entry, item, &mut words)?);
    }
    let mut results = Vec::new();
    let mut buffers = Vec::new();
    for (i, sizes) in sizes.iter().enumerate() {
        let dtype = c.result_dtype(i)?;
        let known: Vec<_> = sizes.iter().map(|d| d.known()).collect();
        l.count_temporary(sizes, dtype)?;
        let t = buffer(&known, l.element(dtype)?);
        let segments = l.e.i32_array(&[known.iter().filter(|n| n.is_none()).count() as i32, 0]);
        let dynamic = l.dynamic_sizes(sizes)?;
        let made = l.e.one("memref.alloc", &dynamic, t, &[("operandSegmentSizes", segments)])?;
        describe(l, made, sizes, &mut words)?;
        results.push((dtype, sizes.len()));
        buffers.push(made);
    }
    let number = l.e.int(l.calls.len() as i64, l.e.int_type(64))?;
    l.calls.push(OperatorCall { operator: c.entry.name.to_owned(), arguments, results });
    l.only_on_processor = true;
    let list = buffer(&[Some(words.len().max(1) as i64)], l.e.int_type(64));
    // In front of the loops around it: the stack would grow from turn to turn.
    let once = Emit { block: l.outermost, ..l.e };
    let list = once.one("memref.alloca", &[], list, &[("operandSegmentSizes", l.e.i32_array(&[0, 0]))])?;
    for (i, word) in words.iter().enumerate() {
        let at = l.e.index(i as i64)?;
        l.e.op("memref.store", &[*word, list, at], &[], &[])?;
    }
    let list = address(l, list)?;
    l.e.op("func.call", &[number, list], &[], &[("callee", attr::symbol(l.e.context, CALL))])?;
    let unit = attr::unit(l.e.context);
    let made = buffers.into_iter().zip(&sizes).enumerate().map(|(i, (buffer, sizes))| {
        let dtype = c.result_dtype(i)?;
        let t = l.tensor_type(sizes, dtype)?;
        let attributes = [("restrict", unit), ("writable", unit)];
        let value = l.e.one("bufferization.to_tensor", &[buffer], t, &attributes)?;
        Ok(Item::Tensor(TensorValue::new(value, sizes.clone(), dtype)))
    });
    made.collect()
}

/// What an argument is to the call; its words, behind those that are there.
fn argument<'c>(
    l: &mut Lower<'c>,
    entry: &OpEntry,
    item: &Item<'c>,
    words: &mut Vec<V<'c>>,
) -> Result<Argument, Error> {
    let word = l.e.int_type(64);
    Ok(match item {
        // What it gives may lie like it, and nobody outside may be given that.
        Item::Tensor(t)
            if t.strides.share_elements(&t.sizes)
                || !t.row_major && !l.is_in_blocks() && !entry.makes_rows()
                || !lies_as_interpreted(t) && entry.has(Trait::Strides) =>
        {
            return Error::unsupported("a kernel would be given a tensor that lies otherwise than the interpreter's");
        }
        Item::Tensor(t) => {
            // It may sum in another order.
            l.same_bits &= lies_as_interpreted(t);
            tensor(l, t, words)?
        }
        Item::Number { value, dtype: DType::F64, .. } => {
            words.push(l.e.one("arith.bitcast", &[*value], word, &[])?);
            Argument::Float
        }
        Item::Number { value, dtype: DType::Bool, .. } => {
            words.push(l.e.one("arith.extui", &[*value], word, &[])?);
            Argument::Bool
        }
        Item::Number { value, .. } => {
            words.push(*value);
            Argument::Int
        }
        Item::Constant(c) => constant(c),
        Item::List(items) => {
            Argument::List(items.iter().map(|item| argument(l, entry, item, words)).collect::<Result<_, _>>()?)
        }
        Item::Device => Argument::Device("cpu".into()),
    })
}

/// Whether the interpreter's tensor lies as the one that a kernel is given.
fn lies_as_interpreted(t: &TensorValue<'_>) -> bool {
    t.row_major || t.permuted.as_ref().is_some_and(|(base, _)| base.row_major)
}

/// A tensor as an argument. Of one that is permuted the kernel reads the original.
fn tensor<'c>(l: &Lower<'c>, t: &TensorValue<'c>, words: &mut Vec<V<'c>>) -> Result<Argument, Error> {
    let identity: SmallVec<[usize; 6]> = (0..t.rank()).collect();
    let (base, order) = t.permuted.as_ref().map_or((t, &identity), |(base, order)| (&**base, order));
    let known: Vec<_> = base.sizes.iter().map(|d| d.known()).collect();
    let element = l.element(t.dtype)?;
    let at = |ty| {
        let attributes = [("read_only", attr::unit(l.e.context))];
        l.e.one("bufferization.to_buffer", &[base.value], ty, &attributes)
    };
    if t.permuted.is_none() && known.iter().all(Option::is_some) && !is_part(base.value) {
        describe(l, at(buffer(&known, element))?, &t.sizes, words)?;
        return Ok(Argument::Tensor(t.dtype, t.rank()));
    }
    // Wherever it lies: bufferization takes what has sizes that it does not know for whole, if it is told so.
    let there = at(strided_buffer(&known, &vec![None; known.len()], None, element))?;
    let (index, word) = (l.e.index_type(), l.e.int_type(64));
    let mut types = vec![buffer(&[], element)];
    types.resize(2 + 2 * base.rank(), index);
    let parts = l.e.op("memref.extract_strided_metadata", &[there], &types, &[])?.result_values();
    let bytes = l.e.index(t.dtype.size() as i64)?;
    let first = l.e.one("memref.extract_aligned_pointer_as_index", &[there], index, &[])?;
    let first = l.e.same("arith.addi", &[first, l.e.same("arith.muli", &[parts[1], bytes])?])?;
    words.push(l.e.one("arith.index_cast", &[first], word, &[])?);
    for size in &t.sizes {
        words.push(l.e.one("arith.index_cast", &[l.size(size)?], word, &[])?);
    }
    for d in order {
        words.push(l.e.one("arith.index_cast", &[parts[2 + base.rank() + d]], word, &[])?);
    }
    Ok(Argument::Strided(t.dtype, t.rank()))
}

/// Whether a value is a part of another one, perhaps by other sizes.
fn is_part(value: V<'_>) -> bool {
    let Some(op) = value.defining_op() else { return false };
    match op.op_name() {
        "tensor.extract_slice" => true,
        "tensor.expand_shape" | "tensor.collapse_shape" => op.operand_value(0).is_some_and(is_part),
        _ => false,
    }
}

fn constant(c: &Constant) -> Argument {
    match c {
        Constant::None => Argument::None,
        Constant::Bool(b) => Argument::KnownBool(*b),
        Constant::Int(n) => Argument::KnownInt(*n),
        Constant::Float(x) => Argument::KnownFloat(*x),
        Constant::Str(s) => Argument::Str(s.clone()),
        Constant::Device(d) => Argument::Device(d.clone()),
        Constant::List(items) => Argument::List(items.iter().map(constant).collect()),
    }
}

/// Address and sizes of a buffer as words.
fn describe<'c>(l: &Lower<'c>, buffer: V<'c>, sizes: &[sconce_exec::Dim], words: &mut Vec<V<'c>>) -> Result<(), Error> {
    let word = l.e.int_type(64);
    words.push(address(l, buffer)?);
    for size in sizes {
        words.push(match size.known() {
            Some(n) => l.e.int(n, word)?,
            None => l.e.one("arith.index_cast", &[l.size(size)?], word, &[])?,
        });
    }
    Ok(())
}

fn address<'c>(l: &Lower<'c>, buffer: V<'c>) -> Result<V<'c>, Error> {
    let at = l.e.one("memref.extract_aligned_pointer_as_index", &[buffer], l.e.index_type(), &[])?;
    l.e.one("arith.index_cast", &[at], l.e.int_type(64), &[])
}

/// Makes the region's call void where this is true.
pub(crate) fn refuse_where<'c>(l: &mut Lower<'c>, wrong: V<'c>) -> Result<(), Error> {
    l.only_on_processor = true;
    l.refuses = true;
    l.e.scf_if(wrong, &mut |e, _| {
        e.op("func.call", &[], &[], &[("callee", attr::symbol(e.context, REFUSE))])?;
        e.op("scf.yield", &[], &[], &[]).map(|_| ())
    })
}

/// Declares in the module what the code calls.
pub(crate) fn declare<'c>(l: &Lower<'c>, module: BlockRef<'c, '_>) -> Result<(), Error> {
    let word = l.e.int_type(64);
    let declared = [
        (CALL, vec![word; 2], vec![], !l.calls.is_empty()),
        (REFUSE, vec![], vec![], l.refuses),
        (TURNS, vec![word], vec![l.e.int_type(1)], l.asks_for_turns),
    ];
    for (name, inputs, results, wanted) in declared {
        if !wanted || module.ops().iter().any(|op| op.symbol_name() == Some(name)) {
            continue;
        }
        let context = l.e.context;
        sconce_ir::builder::Builder::at_end(context, module)
            .op("func.func", sconce_ir::Location::unknown(context))
            .attr("sym_name", attr::string(context, name))
            .attr("sym_visibility", attr::string(context, "private"))
            .attr("function_type", attr::r#type(function_type(context, &inputs, &results)))
            .region(sconce_ir::Region::new())
            .build()
            .map_err(|e| Error::Internal(e.to_string()))?;
    }
    Ok(())
}
