//! `erase-shape-information`: types say of tensors that they are tensors, and no more. A function that others name keeps its type.

use crate::graph::{Rewriter, each_function, is_constant, nodes, root_block, script_type};
use crate::inline_fork_wait::named_functions;
use sconce_analysis::Tensor;
use sconce_analysis::operators::is_silent;
use sconce_analysis::types::holds_tensors;
use sconce_ir::FunctionType;
use sconce_ir::prelude::*;
use sconce_pass::{Failure, Pass, PassResult, PassRun};
use sconce_torch::types::from_mlir;

/// The pass `erase-shape-information`.
pub struct EraseShapeInformation;

impl Pass for EraseShapeInformation {
    const NAME: &'static str = "erase-shape-information";
    const DESCRIPTION: &'static str = "Forget what types say of sizes, dtypes and devices of tensors";
    const PYTORCH: &'static str = "`EraseShapeInformation`";
    const DIALECTS: &'static [&'static str] = &["torch", "func"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        let named = named_functions(root);
        each_function(root, |function| {
            let is_named = function.symbol_name().is_some_and(|name| named.contains(name));
            if is_named && function.attr("torch.with").is_none() { Ok(()) } else { erase(function) }
        })
    }
}

fn erase<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> PassResult {
    let Some(body) = root_block(function) else { return Ok(()) };
    let context = function.context_ref();
    let mut rewriter = Rewriter::new(context);
    let mut values = body.args();
    function.walk_pre(&mut |op| {
        let blocks = op.region_refs().into_iter().flat_map(RegionExt::blocks);
        values.extend(blocks.flat_map(BlockExt::args).filter(|_| op != function));
        values.extend(op.result_values().into_iter().filter(|_| !is_constant(op)));
        op.remove_attr("torch.types");
        op.remove_attr("torch.block_types");
        Walk::Advance
    });
    function.remove_attr("torch.argument_types");
    for value in values {
        // A cast makes a type of its own: `script_type` is of what is cast.
        let is_cast = value.defining_op().is_some_and(is_silent);
        let plain = if is_cast { from_mlir(value.r#type()) } else { None };
        let plain = plain.unwrap_or_else(|| script_type(value)).unshaped();
        let of_value = Tensor::of(value.r#type()).is_some_and(|t| t.value);
        let ty = match of_value {
            true => sconce_torch::types::to_mlir_value(context, &plain),
            false => rewriter.mlir_type(&plain),
        };
        if let Some(ty) = ty.filter(|_| Tensor::of(value.r#type()).is_some() || holds_tensors(value.r#type())) {
            value.set_value_type(ty);
        }
    }
    // A constant is seen, and printed, as one of which nothing is known.
    for op in nodes(function).into_iter().filter(|op| is_constant(*op)) {
        let Some(result) = op.result_value(0).filter(|v| Tensor::of(v.r#type()).is_some_and(|t| t.sizes.is_some()))
        else {
            continue;
        };
        let Some((ty, _)) = rewriter.any_tensor(result) else { continue };
        rewriter.keep_types(op, &[script_type(result).unshaped()]);
        let seen = rewriter.pass_on(&Builder::after(op), result, ty)?;
        if let Some((seen, cast)) = seen.and_then(|seen| Some((seen, seen.defining_op()?))) {
            result.replace_all_uses_except(seen, &[cast]);
        }
    }
    let inputs: Vec<Type<'c>> = body.args().iter().map(|v| v.r#type()).collect();
    let results: Vec<Type<'c>> = crate::graph::passed(body).iter().map(|v| v.r#type()).collect();
    function.set_attr("function_type", attr::r#type(FunctionType::new(context, &inputs, &results).into()));
    Ok::<(), Failure>(())
}
