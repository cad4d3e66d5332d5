//! From torch operations to a function of builtin tensors: walks a block, lowers each operation, and notes what callers must guard.

use crate::emit::{Emit, V};
use crate::inner_sizes::{MOST_INPUTS, is_inner};
use crate::lower::{Call, Item, Lower, TensorValue};
use crate::operator_call::by_kernel;
use crate::strides::{Strides, Whose};
use crate::{Error, control_flow, find, fold, numbers, pointwise};
use sconce_analysis::effects::{Effect, effect, puts_in_place};
use sconce_analysis::operators::{kind, makes_constant};
use sconce_analysis::{Constant, Tensor, TorchType, constant, schema_name, sizes};
use sconce_exec::{Dim, InputSpec, OutputSpec, RegionSpec, Source};
use sconce_ir::builder::Builder;
use sconce_ir::{
    Block, BlockExt, BlockLike, BlockRef, Context, Location, Module, OpExt, OperationLike, OperationRef, Region,
    RegionLike, Type, Value, ValueExt, ValueLike, attr, builtin_type,
};
use sconce_schema::op::{DefaultValue, Numerics};
use sconce_schema::scalar::ScalarExpr;
use sconce_schema::shape::Meta;
use sconce_schema::{DType, OpId};
use sconce_torch::types::spelled;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// The dialects lowered functions are made of. A pass that lowers must declare them.
pub const DIALECTS: &[&str] = &["func", "linalg", "arith", "math", "tensor", "scf", "bufferization", "memref"];

/// What the values of the torch block are, by [`ValueExt::id`].
pub(crate) type Scope<'c> = BTreeMap<usize, Item<'c>>;

/// The attribute of a region whose results are [`ResultLayout::Rows`].
pub const ROWS: &str = "sconce.rows";

/// The attribute of a region that says from how many steps on operators in its branches and loops are called; see [`supports`].
pub const CALLS_FROM: &str = "sconce.calls_from";

/// How results lie in memory, for whoever takes them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ResultLayout {
    /// As the interpreter's: what would lie otherwise than row by row is not lowered.
    #[default]
    Interpreted,
    /// Row by row.
    Rows,
}

/// Lowers the operations of `block` (up to its terminator, whose operands are the results) to a `func.func` named `name` at the end of `into`.
///
/// Block arguments are value tensors of known rank and dtype, ints, floats or bools.
fn lower_block<'c>(
    context: &'c Context,
    block: BlockRef<'c, '_>,
    name: &str,
    into: BlockRef<'c, '_>,
    layout: ResultLayout,
    calls_from: Option<i64>,
) -> Result<RegionSpec, Error> {
    sconce_ir::context::load(context, DIALECTS);
    let location = Location::unknown(context);
    let region = Region::new();
    region.append_block(Block::new(&[]));
    let inner: BlockRef<'c, 'c> = RegionLike::first_block(&region).ok_or_else(|| Error::Internal("no block".into()))?;
    let mut l = Lower { calls_from, ..Lower::at_end(Emit::at_end(context, inner, location)) };
    let mut scope = Scope::new();
    let mut specs = Vec::new();
    for argument in block.args() {
        let (item, spec) = input(&mut l, argument.r#type())?;
        scope.insert(argument.id(), item);
        specs.push(spec);
    }
    let mut results = None;
    for op in block.ops() {
        if op.is_terminator() {
            results = Some(op);
            break;
        }
        l.e.location = op.location();
        let items = lower_op(&mut l, op, &|v| scope.get(&v.id()).cloned()).map_err(|e| e.of(op))?;
        scope.extend(op.result_values().into_iter().map(ValueExt::id).zip(items));
    }
    let results = results.ok_or_else(|| Error::Unsupported("a block without terminator".into()))?;
    l.e.location = location;
    let mut outputs = Vec::new();
    let mut values = Vec::new();
    for v in results.operand_values() {
        let t = match scope.get(&v.id()) {
            Some(Item::Tensor(t)) => t,
            Some(Item::Number { value, dtype, .. }) => {
                let ty = l.e.tensor_type(&[], value.r#type());
                values.push(l.e.one("tensor.from_elements", &[*value], ty, &[])?);
                outputs.push(OutputSpec { dtype: *dtype, sizes: Vec::new(), number: true });
                continue;
            }
            _ => return Error::unsupported("a result that is neither a tensor nor a number"),
        };
        if !t.row_major && layout == ResultLayout::Interpreted {
            return Err(lies_otherwise());
        }
        outputs.push(OutputSpec { dtype: t.dtype, sizes: t.sizes.to_vec(), number: false });
        values.push(t.value);
    }
    for taken in &l.taken_for_rows {
        if let Whose::Input(i) = taken
            && let Some(InputSpec::Tensor { contiguous, .. }) = specs.get_mut(usize::from(*i))
        {
            *contiguous = true;
        }
    }
    l.e.op("func.return", &values, &[], &[])?;
    crate::operator_call::declare(&l, into)?;
    let inputs: Vec<Type<'c>> = l.inputs.iter().map(|v| v.r#type()).collect();
    let returned: Vec<Type<'c>> = values.iter().map(|v| v.r#type()).collect();
    function(context, name, &inputs, &returned, region, into)?;
    Ok(RegionSpec {
        name: name.into(),
        inputs: specs,
        guards: l.guards,
        temporaries: l.temporaries.into_inner(),
        outputs,
        calls: l.calls,
    })
}

fn function<'c>(
    context: &'c Context,
    name: &str,
    inputs: &[Type<'c>],
    results: &[Type<'c>],
    region: Region<'c>,
    into: BlockRef<'c, '_>,
) -> Result<(), Error> {
    Builder::at_end(context, into)
        .op("func.func", Location::unknown(context))
        .attr("sym_name", attr::string(context, name))
        .attr("function_type", attr::r#type(builtin_type::function(context, inputs, results)))
        .region(region)
        .build()
        .map(|_| ())
        .map_err(|e| Error::Internal(e.to_string()))
}

/// Adds an argument to the function for a value of this type.
fn input<'c>(l: &mut Lower<'c>, ty: Type<'c>) -> Result<(Item<'c>, InputSpec), Error> {
    let index = u16::try_from(l.inputs.len()).ok().filter(|n| *n < MOST_INPUTS);
    let index = index.ok_or_else(|| Error::Unsupported("too many inputs".into()))?;
    let add = |l: &mut Lower<'c>, t: Type<'c>| {
        let v: V<'c> = l.e.block.add_argument(t, l.e.location);
        l.inputs.push(v);
        v
    };
    Ok(match TorchType::of(ty) {
        TorchType::Tensor(t) => {
            let (Some(sizes), Some(dtype)) = (&t.sizes, t.dtype) else {
                return Error::unsupported("a tensor whose rank or dtype is not known");
            };
            let dims = sizes
                .iter()
                .enumerate()
                .map(|(axis, s)| s.map_or(Source::Size { input: index, axis: axis as u16 }.dim(), Dim::Known))
                .collect::<smallvec::SmallVec<_>>();
            let ty = l.tensor_type(&dims, dtype)?;
            let value = add(l, ty);
            let strides = Strides::of(Whose::Input(index), &dims);
            let item = Item::Tensor(TensorValue { strides, ..TensorValue::new(value, dims, dtype) });
            (item, InputSpec::Tensor { dtype, sizes: sizes.to_vec(), contiguous: false })
        }
        TorchType::Int => {
            let value = add(l, l.e.int_type(64));
            (Item::Number { value, dtype: DType::I64, dim: Some(Source::Value(index).dim()) }, InputSpec::Int)
        }
        TorchType::Float => {
            let value = add(l, Type::float64(l.e.context));
            (Item::Number { value, dtype: DType::F64, dim: None }, InputSpec::Float)
        }
        TorchType::Bool => {
            let value = add(l, l.e.int_type(1));
            (Item::Number { value, dtype: DType::Bool, dim: None }, InputSpec::Bool)
        }
        TorchType::Device => {
            add(l, l.e.int_type(64));
            (Item::Device, InputSpec::Device)
        }
        _ => return Error::unsupported(format!("an input of type {}", spelled(ty))),
    })
}

fn from_default(d: &DefaultValue) -> Option<Constant> {
    Some(match d {
        DefaultValue::None => Constant::None,
        DefaultValue::Bool(b) => Constant::Bool(*b),
        DefaultValue::Int(n) => Constant::Int(*n),
        DefaultValue::Float(f) => Constant::Float(*f),
        DefaultValue::Complex(..) => return None,
        DefaultValue::Str(s) => Constant::Str(s.to_string()),
        DefaultValue::List(items) => Constant::List(items.iter().map(from_default).collect::<Option<_>>()?),
    })
}

/// Lowers one operation; `value` gives what its operands are.
pub(crate) fn lower_op<'c, 'a>(
    l: &mut Lower<'c>,
    op: OperationRef<'c, 'a>,
    value: &dyn Fn(Value<'c, 'a>) -> Option<Item<'c>>,
) -> Result<Vec<Item<'c>>, Error> {
    let name = op.op_name();
    if makes_constant(op) {
        let c = op
            .result_value(0)
            .and_then(constant)
            .ok_or_else(|| Error::Unsupported(format!("{name} is not understood")))?;
        return Ok(vec![Item::Constant(c)]);
    }
    if let (control_flow::UNINITIALIZED, [ty]) = (kind(op), &op.result_types()[..]) {
        return Ok(vec![control_flow::unset(l, *ty)?]);
    }
    let mut arguments = Vec::new();
    for v in op.operand_values() {
        let item = match value(v) {
            Some(item) => item,
            None => Item::Constant(
                constant(v).ok_or_else(|| Error::Unsupported(format!("an operand of type {}", spelled(v.r#type()))))?,
            ),
        };
        arguments.push(item);
    }
    match name {
        "torch.prim.ListConstruct" => {
            let constants: Option<Vec<Constant>> =
                arguments.iter().map(|a| if let Item::Constant(c) = a { Some(c.clone()) } else { None }).collect();
            return Ok(vec![match constants {
                Some(c) => Item::Constant(Constant::List(c)),
                None => Item::List(arguments),
            }]);
        }
        "torch.prim.ListUnpack" => {
            let Some(Item::List(items)) = arguments.pop() else { return Error::unsupported("the list is not known") };
            if items.len() != op.result_values().len() {
                return Error::unsupported("the list has another length");
            }
            return Ok(items);
        }
        "torch.derefine" | "torch.tensor_static_info_cast" | "torch.copy.to_vtensor" | "torch.copy.to_tensor" => {
            return Ok(arguments);
        }
        _ if control_flow::is_control_flow(op) => return control_flow::lower(l, op, value),
        _ => {}
    }
    if schema_name(op).is_none() {
        return Error::unsupported(format!("{name} is no operator"));
    }
    let Some(entry) = sconce_torch::entry(op) else { return Error::unsupported("no lowering") };
    // A call that PyTorch refuses has no code: the result's type is then the program's word alone.
    if let Some(why) = sconce_analysis::refine::refusal(op) {
        return Error::unsupported(format!("it is an error: {why}"));
    }
    for a in entry.schema().arguments.iter().skip(arguments.len()) {
        match a.default.as_ref().and_then(from_default) {
            Some(c) => arguments.push(Item::Constant(c)),
            None => break,
        }
    }
    if let Some(item) = size_arithmetic(l, entry.op(), &arguments)? {
        return Ok(vec![item]);
    }
    if let Some(item) = numbers::lower(l, entry, &arguments)? {
        return Ok(vec![item]);
    }
    if l.is_in_blocks() {
        arguments.iter_mut().for_each(|item| l.with_inner_size(item));
    }
    let results: Vec<Option<Tensor>> = op.result_types().into_iter().map(Tensor::of).collect();
    let wanted = op.result_values().iter().rposition(|v| !v.uses().is_empty()).map_or(1, |last| last + 1);
    let call = Call { entry, arguments: &arguments, results: &results, wanted };
    let calls = l.calls.len();
    let mut items = match (find(entry.op()), entry.fold, entry.scalar) {
        (None, None, Some(expr)) => pointwise::lower(l, &call, expr)?,
        (None, None, None) if entry.computes_tensors() => by_kernel(l, &call)?,
        (None, None, None) => return Error::unsupported("no lowering"),
        (found, record, _) => {
            let lowered = |l: &mut Lower<'c>| match (found, record) {
                (None, Some(record)) => fold::lower(l, &call, record),
                (Some(lowering), _) => lowering(l, &call),
                (None, None) => Error::unsupported("no lowering"),
            };
            let least = l.calls_from.filter(|_| l.is_in_blocks());
            let mut steps = Dim::Known(0);
            let mut made = attempt(l, |l| {
                let (made, work) = l.with_kernel_work(lowered)?;
                steps = work;
                if least.is_some_and(|least| work.known().is_none_or(|n| n >= least)) {
                    return Error::unsupported("the runtime's kernel is faster");
                }
                Ok(made)
            });
            // Whether the kernel is, is known when sizes are.
            if let (Err(_), Some(least), None) = (&made, least, steps.known())
                && steps != Dim::Unknown
                && !is_inner(steps)
            {
                made = attempt(l, |l| {
                    let few = l.e.cmpi("slt", l.size(&steps)?, l.e.index(least)?)?;
                    l.same_bits &= has_same_bits(op);
                    control_flow::either(l, few, &mut |l, way| if way == 0 { lowered(l) } else { by_kernel(l, &call) })
                });
            }
            match made {
                Err(Error::Unsupported(why)) if entry.computes_tensors() => {
                    by_kernel(l, &call).map_err(|_| Error::Unsupported(why))?
                }
                made => made?,
            }
        }
    };
    if l.calls.len() == calls {
        l.coded += usize::from(effect(op) == Effect::Fresh);
        l.same_bits &= has_same_bits(op);
    }
    let makes_rows = entry.makes_rows();
    // With a part in its place a tensor lies as before.
    let laid_like = if puts_in_place(op) { &arguments[..1] } else { &arguments[..] };
    let alike = laid_like.iter().all(lies_row_by_row);
    // Where a view lies is said where it was lowered.
    let is_new = effect(op) == Effect::Fresh || makes_rows;
    each_tensor(&mut items, &mut |t| {
        if is_new {
            t.strides = Strides::computed(makes_rows || alike, &t.sizes);
        }
        if makes_rows || !alike {
            // What has one dimension lies in one way only.
            t.row_major = makes_rows || t.rank() < 2;
        }
    });
    Ok(items)
}

/// Lowers, or leaves nothing behind.
fn attempt<'c, T>(l: &mut Lower<'c>, lower: impl FnOnce(&mut Lower<'c>) -> Result<T, Error>) -> Result<T, Error> {
    let there = l.e.block.ops().len();
    let state = l.state();
    lower(l).or_else(|why| {
        for op in l.e.block.ops().into_iter().skip(there).rev() {
            op.erase().map_err(|e| Error::Internal(e.to_string()))?;
        }
        l.restore(state);
        Err(why)
    })
}

pub(crate) fn lies_row_by_row(item: &Item<'_>) -> bool {
    match item {
        Item::Tensor(t) => t.row_major,
        Item::List(items) => items.iter().all(lies_row_by_row),
        Item::Constant(_) | Item::Number { .. } | Item::Device => true,
    }
}

/// Tensors, and those that lists hold.
fn each_tensor<'c>(items: &mut [Item<'c>], f: &mut dyn FnMut(&mut TensorValue<'c>)) {
    for item in items {
        match item {
            Item::Tensor(t) => f(t),
            Item::List(items) => each_tensor(items, f),
            Item::Constant(_) | Item::Number { .. } | Item::Device => {}
        }
    }
}

/// Sizes of tensors and integer arithmetic on them.
fn size_arithmetic<'c>(l: &Lower<'c>, op: OpId, arguments: &[Item<'c>]) -> Result<Option<Item<'c>>, Error> {
    if !sizes::is_of_sizes(op) {
        return Ok(None);
    }
    let arguments: Vec<Meta> = arguments.iter().map(Item::meta).collect();
    match sizes::result(op, &arguments) {
        Some(Meta::Int(d)) if sizes::asks_for_sizes(op) || is_size(l, d) => number(l, d).map(Some),
        Some(Meta::List(items)) => {
            let number = |item| match item {
                Meta::Int(d) => number(l, d),
                _ => Error::unsupported("a size that nobody can compute"),
            };
            items.into_iter().map(number).collect::<Result<_, _>>().map(|items| Some(Item::List(items)))
        }
        _ => Ok(None),
    }
}

/// A number of the code's own wraps where sizes do not.
fn is_size(l: &Lower<'_>, d: Dim) -> bool {
    d != Dim::Unknown && (!is_inner(d) || l.is_word(d))
}

fn number<'c>(l: &Lower<'c>, d: Dim) -> Result<Item<'c>, Error> {
    if let Some(n) = d.known() {
        return Ok(Item::Constant(Constant::Int(n)));
    }
    let value = l.e.one("arith.index_cast", &[l.size(&d)?], l.e.int_type(64), &[])?;
    Ok(Item::Number { value, dtype: DType::I64, dim: Some(d) })
}

/// What an operation that can be lowered asks of the processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Work {
    /// Steps for which the runtime's kernel has a better way, if the sizes are known.
    pub kernel_work: Option<i64>,
    /// Its machine code and its kernel agree in every bit: nothing is rounded otherwise or summed in another order.
    pub same_bits: bool,
    /// GPUs have no code for it.
    pub only_on_processor: bool,
    /// It is for the most part calls of the runtime's kernels.
    pub mostly_calls: bool,
    /// It calls some.
    pub calls: bool,
}

/// Whether an operator's code does what its kernel does, with the types that it has here.
fn has_same_bits(op: OperationRef<'_, '_>) -> bool {
    let Some(entry) = sconce_torch::entry(op) else { return true };
    let values = op.operand_values().into_iter().chain(op.result_values());
    let tensors: Vec<Tensor> = values.filter_map(|v| Tensor::of(v.r#type())).collect();
    let is_whole = |t: &Tensor| t.dtype.is_some_and(|d| !d.is_float() && !d.is_complex());
    let is_determined = entry.scalar.map_or(entry.numerics == Numerics::Exact, ScalarExpr::is_correctly_rounded);
    is_determined || tensors.iter().all(is_whole)
}

/// Whether the operation, with the types and constants it has, can be lowered: lowers it into nothing. In branches and loops, operators of `calls_from` steps or more
/// for which the runtime's kernel has a better way are called.
///
/// # Errors
/// Why it cannot.
pub fn supports<'c>(context: &'c Context, op: OperationRef<'c, '_>, calls_from: Option<i64>) -> Result<Work, Error> {
    sconce_ir::context::load(context, DIALECTS);
    let region = Region::new();
    region.append_block(Block::new(&[]));
    let block: BlockRef<'c, 'c> = RegionLike::first_block(&region).ok_or_else(|| Error::Internal("no block".into()))?;
    let e = Emit::at_end(context, block, Location::unknown(context));
    let mut l = Lower { calls_from, ..Lower::at_end(e) };
    let mut items = Vec::new();
    for v in control_flow::used_values(op) {
        items.push((v, operand_item(&mut l, v)?));
    }
    lower_op(&mut l, op, &|v| items.iter().find(|(k, _)| *k == v).map(|(_, i)| i.clone()))?;
    Ok(Work {
        kernel_work: l.kernel_work.known(),
        same_bits: l.same_bits,
        only_on_processor: l.only_on_processor,
        mostly_calls: l.calls.len() > l.coded,
        calls: !l.calls.is_empty(),
    })
}

fn lies_otherwise() -> Error {
    Error::Unsupported("a result of it lies in memory otherwise than row by row".into())
}

/// Which of these operations, each of which can be lowered alone, cannot be in one region whose results are what leaves it: what one makes of its
/// operands in memory, the next may not take. Those before the first that is refused can, but for what they give.
pub fn refused_together<'c>(
    context: &'c Context,
    ops: &[OperationRef<'c, '_>],
    leaving: &[Value<'c, '_>],
    layout: ResultLayout,
    calls_from: Option<i64>,
) -> Vec<(usize, Error)> {
    sconce_ir::context::load(context, DIALECTS);
    let region = Region::new();
    region.append_block(Block::new(&[]));
    let Some(block): Option<BlockRef<'c, 'c>> = RegionLike::first_block(&region) else { return Vec::new() };
    let mut l = Lower { calls_from, ..Lower::at_end(Emit::at_end(context, block, Location::unknown(context))) };
    let mut scope = Scope::new();
    let mut lower = |op: OperationRef<'c, '_>| -> Result<(), Error> {
        for v in control_flow::used_values(op) {
            if let Entry::Vacant(unknown) = scope.entry(v.id()) {
                unknown.insert(operand_item(&mut l, v)?);
            }
        }
        let items = lower_op(&mut l, op, &|v| scope.get(&v.id()).cloned())?;
        scope.extend(op.result_values().into_iter().map(ValueExt::id).zip(items));
        Ok(())
    };
    for (i, op) in ops.iter().enumerate() {
        if let Err(why) = lower(*op) {
            return vec![(i, why)];
        }
    }
    if layout == ResultLayout::Rows {
        return Vec::new();
    }
    let lies_otherwise_here = |v: &Value<'c, '_>| matches!(scope.get(&v.id()), Some(Item::Tensor(t)) if !t.row_major);
    let gives =
        |op: &OperationRef<'c, '_>| op.result_values().iter().any(|v| leaving.contains(v) && lies_otherwise_here(v));
    ops.iter().enumerate().filter(|(_, op)| gives(op)).map(|(i, _)| (i, lies_otherwise())).collect()
}

/// What an operand is when only its own definition is looked at.
fn operand_item<'c>(l: &mut Lower<'c>, v: Value<'c, '_>) -> Result<Item<'c>, Error> {
    if let Some(c) = constant(v) {
        return Ok(Item::Constant(c));
    }
    let ty = v.r#type();
    if TorchType::of(ty) == TorchType::Other {
        let unknown = || format!("an operand of type {}", spelled(ty));
        let Some(op) = v.defining_op() else { return Error::unsupported(unknown()) };
        if op.is("torch.prim.ListConstruct") {
            return op
                .operand_values()
                .into_iter()
                .map(|v| operand_item(l, v))
                .collect::<Result<_, _>>()
                .map(Item::List);
        }
        // A list that an operator makes: ask what that operator makes of its operands.
        let mut items = Vec::new();
        for v in op.operand_values() {
            items.push((v, operand_item(l, v)?));
        }
        let results = lower_op(l, op, &|v| items.iter().find(|(k, _)| *k == v).map(|(_, i)| i.clone()))?;
        return results.into_iter().next().ok_or_else(|| Error::Unsupported(unknown()));
    }
    Ok(input(l, ty)?.0)
}

/// Lowers a `sconce.region` to linalg in a module of its own, and says what callers must guard.
///
/// # Errors
/// [`Error::Unsupported`] with what of it has no lowering.
pub fn lower_region<'c>(region: OperationRef<'c, '_>) -> Result<(Module<'c>, RegionSpec), Error> {
    let module = Module::new(Location::unknown(region.context_ref()));
    let spec = lower_region_into(region, module.body())?;
    Ok((module, spec))
}

/// The same at the end of a module's block, as a function of the region's name.
pub(crate) fn lower_region_into<'c>(region: OperationRef<'c, '_>, into: BlockRef<'c, '_>) -> Result<RegionSpec, Error> {
    let name = region.str_attr("name").unwrap_or("region");
    let block = region.body(0).ok_or_else(|| Error::Internal("a region without body".into()))?;
    let layout = if region.attr(ROWS).is_some() { ResultLayout::Rows } else { ResultLayout::Interpreted };
    lower_block(region.context_ref(), block, name, into, layout, region.int_attr(CALLS_FROM))
}

/// Replaces a function of value tensors by one of builtin tensors, at the end of the same block.
pub fn convert_function<'c>(context: &'c Context, function: OperationRef<'c, '_>) -> Result<RegionSpec, Error> {
    let name = function.symbol_name().unwrap_or("f");
    let block = function.body(0).ok_or_else(|| Error::Unsupported("a function without body".into()))?;
    let Some(parent) = function.block_ref() else { return Error::unsupported("a function outside a module") };
    lower_block(context, block, name, parent, ResultLayout::Interpreted, None)
}
