//! `lower-tuples`: tuples go: what they hold is passed instead, into and out of branches and loops, and as several arguments and results of the function.
//!
//! A tuple stays where an operation gives it that cannot give several values (an element of a list of tuples), and where an operation insists on one. A function
//! that others name keeps its arguments and its result, and so does a method: who calls it passes tuples.

use crate::dce::eliminate_dead_code;
use crate::graph::{
    Aggregate, Rewriter, block_ops, constant, each_function, inner_blocks, is_constant, nodes, passed, root_block,
    script_type, set_arguments,
};
use crate::lower_simple_tuples;
use rustc_hash::FxHashSet;
use sconce_import::function_schema;
use sconce_ir::prelude::*;
use sconce_pass::{Failure, Pass, PassOption, PassResult, PassRun};
use sconce_schema::{Argument, Type as ScriptType};
use sconce_tensor::IValue;

/// The pass `lower-tuples`.
pub struct LowerTuples;

impl Pass for LowerTuples {
    const NAME: &'static str = "lower-tuples";
    const DESCRIPTION: &'static str =
        "Pass what tuples hold instead of them: in control flow, as arguments and results of functions";
    const PYTORCH: &'static str = "`LowerAllTuples`, which also makes several results of operators that give a tuple";
    const ANCHOR: Option<&'static str> = None;
    const OPTIONS: &'static [PassOption] =
        &[PassOption::bool("signature", "arguments and results of functions, too, that nothing names", true)];
    const DIALECTS: &'static [&'static str] = &["torch", "func"];

    fn run(root: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
        let named = named_elsewhere(root);
        each_function(root, |function| {
            let Some(body) = root_block(function) else { return Ok(()) };
            let mut rewriter = Rewriter::new(function.context_ref());
            let is_free = run.bool("signature") && !function.symbol_name().is_some_and(|name| named.contains(name));
            if is_free {
                arguments(&mut rewriter, function, body)?;
            }
            block(&mut rewriter, body)?;
            if is_free {
                results(&mut rewriter, function, body)?;
            }
            for op in nodes(function) {
                lower_simple_tuples::lower(&mut rewriter, op)?;
            }
            eliminate_dead_code(function)
        })
    }
}

/// The functions that something in the same module names, whoever the pass runs on.
fn named_elsewhere(root: OperationRef<'_, '_>) -> FxHashSet<String> {
    let mut outermost = root;
    while let Some(parent) = outermost.parent() {
        outermost = parent;
    }
    let mut named = FxHashSet::default();
    outermost.walk_pre(&mut |op| {
        let paths = op.attrs().into_iter().filter_map(|(_, value)| attr::symbol_value(value));
        named.extend(paths.filter_map(|path| path.into_iter().next()));
        Walk::Advance
    });
    named
}

/// Arguments of the function that are tuples become what they hold.
fn arguments<'c: 'a, 'a>(
    rewriter: &mut Rewriter<'c>,
    function: OperationRef<'c, 'a>,
    body: BlockRef<'c, 'a>,
) -> PassResult {
    let old = body.args();
    let types: Vec<ScriptType> = old.iter().map(|v| script_type(*v)).collect();
    if !types.iter().any(|ty| Aggregate::tuple(rewriter, ty).is_some()) {
        return Ok(());
    }
    let mut new = Vec::new();
    for (argument, ty) in old.iter().zip(&types) {
        let at = Builder::at_start(function.context_ref(), body);
        let value = spread_argument(rewriter, &at, body, (*argument, argument.r#type(), ty), &mut new)?;
        argument.replace_all_uses_with(value);
    }
    for index in (0..old.len()).rev() {
        body.erase_arg(index)?;
    }
    set_arguments(function, &[]);
    rewriter.keep_argument_types(function, &new);
    // Names and defaults are of tuples.
    function_schema::forget(function);
    Ok(())
}

/// Adds an argument for each value that an argument holds, at any depth; gives the value that stands for the old one.
fn spread_argument<'c: 'a, 'a>(
    rewriter: &mut Rewriter<'c>,
    at: &Builder<'c, 'a>,
    body: BlockRef<'c, 'a>,
    (old, mlir, ty): (Value<'c, 'a>, Type<'c>, &ScriptType),
    new: &mut Vec<ScriptType>,
) -> Result<Value<'c, 'a>, Failure> {
    match Aggregate::tuple(rewriter, ty) {
        None => {
            new.push(ty.clone());
            Ok(body.add_arg(mlir, old.loc()))
        }
        Some(tuple) => {
            let mut values = Vec::new();
            for (mlir, ty) in &tuple.parts {
                values.push(spread_argument(rewriter, at, body, (old, *mlir, ty), new)?);
            }
            tuple.pack(rewriter, at, &values, mlir)
        }
    }
}

/// What a block passes on, tuples as what they hold at any depth.
fn spread<'c: 'a, 'a>(
    rewriter: &mut Rewriter<'c>,
    at: &Builder<'c, 'a>,
    value: Value<'c, 'a>,
    into: &mut Vec<(Value<'c, 'a>, ScriptType)>,
) -> PassResult {
    let ty = script_type(value);
    match Aggregate::tuple(rewriter, &ty) {
        None => into.push((value, ty)),
        Some(tuple) => {
            for value in tuple.unpack(rewriter, at, value)? {
                spread(rewriter, at, value, into)?;
            }
        }
    }
    Ok(())
}

/// A result of the function that is a tuple becomes several.
fn results<'c: 'a, 'a>(
    rewriter: &mut Rewriter<'c>,
    function: OperationRef<'c, 'a>,
    body: BlockRef<'c, 'a>,
) -> PassResult {
    let Some(end) = body.terminator_op() else { return Ok(()) };
    let (given, mut spread_out) = (passed(body), Vec::new());
    for value in &given {
        spread(rewriter, &Builder::before(end), *value, &mut spread_out)?;
    }
    if spread_out.len() == given.len() && spread_out.iter().zip(&given).all(|((new, _), old)| new == old) {
        return Ok(());
    }
    let (values, types): (Vec<Value<'c, 'a>>, Vec<ScriptType>) = spread_out.into_iter().unzip();
    end.set_operand_values(&values);
    let arguments: Vec<Type<'c>> = body.args().iter().map(|v| v.r#type()).collect();
    let given: Vec<Type<'c>> = values.iter().map(|v| v.r#type()).collect();
    let ty = sconce_ir::FunctionType::new(function.context_ref(), &arguments, &given);
    function.set_attr("function_type", attr::r#type(ty.into()));
    function_schema::change(function, |schema| {
        schema.returns = types.into_iter().map(result_of).collect();
    });
    Ok(())
}

/// How a schema says a result.
fn result_of(ty: ScriptType) -> Argument {
    Argument { name: "".into(), ty, list_size: None, default: None, kwarg_only: false, alias: None }
}

/// Constants that are tuples, and what branches and loops pass on.
fn block<'c: 'a, 'a>(rewriter: &mut Rewriter<'c>, within: BlockRef<'c, 'a>) -> PassResult {
    for op in block_ops(within) {
        if is_constant(op) {
            constant_parts(rewriter, op)?;
            continue;
        }
        let op = match op.op_name() {
            "torch.prim.If" | "torch.prim.Loop" => control_flow(rewriter, op)?,
            _ => op,
        };
        inner_blocks(op).into_iter().try_for_each(|inner| block(rewriter, inner))?;
    }
    Ok(())
}

/// A constant tuple becomes a tuple of constants.
fn constant_parts<'c: 'a, 'a>(rewriter: &mut Rewriter<'c>, op: OperationRef<'c, 'a>) -> PassResult {
    let Some(result) = op.result_value(0) else { return Ok(()) };
    let ty = script_type(result);
    let (Some(IValue::Tuple(value)), Some(tuple)) = (constant(result), Aggregate::tuple(rewriter, &ty)) else {
        return Ok(());
    };
    let at = Builder::before(op);
    let mut values = Vec::new();
    for (value, (_, ty)) in value.items.iter().zip(&tuple.parts) {
        match rewriter.constant(&at, value, ty, result)? {
            Some(made) => values.push(made),
            // Those that were made are nobody's, and go.
            None => return Ok(()),
        }
    }
    let made = tuple.pack(rewriter, &at, &values, result.r#type())?;
    result.replace_all_uses_with(made);
    for inner in values.into_iter().filter_map(|v| v.defining_op()) {
        constant_parts(rewriter, inner)?;
    }
    op.erase().map_err(Failure::from)
}

/// Results of a branch or a loop that are tuples become several, until none is one.
fn control_flow<'c: 'a, 'a>(
    rewriter: &mut Rewriter<'c>,
    op: OperationRef<'c, 'a>,
) -> Result<OperationRef<'c, 'a>, Failure> {
    let mut op = op;
    loop {
        let found =
            op.result_values().into_iter().enumerate().find_map(|(index, result)| {
                Aggregate::tuple(rewriter, &script_type(result)).map(|tuple| (index, tuple))
            });
        let Some((index, tuple)) = found else { return Ok(op) };
        op = tuple.split_result(rewriter, op, index)?;
    }
}
