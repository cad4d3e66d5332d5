//! `decompose-ops`: `addmm` whose factors are one is a product and a sum, which other passes know.

use crate::graph::{Rewriter, each_function, inputs, is_one, nodes, script_type};
use sconce_analysis::Tensor;
use sconce_analysis::operators::kind;
use sconce_ir::prelude::*;
use sconce_pass::{Failure, Pass, PassResult, PassRun, fuel};
use sconce_schema::Type as ScriptType;
use sconce_tensor::IValue;

/// The pass `decompose-ops`.
pub struct DecomposeOps;

impl Pass for DecomposeOps {
    const NAME: &'static str = "decompose-ops";
    const DESCRIPTION: &'static str = "Take addmm apart into a product and a sum";
    const PYTORCH: &'static str =
        "`DecomposeOps`, which adds the product to what may lie otherwise; normalisations it takes apart on GPUs only";
    const ANCHOR: Option<&'static str> = None;
    const DIALECTS: &'static [&'static str] = &["torch"];
    const KEEPS_BITS: bool = false;

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        each_function(root, |function| {
            let mut rewriter = Rewriter::new(function.context_ref());
            let products = nodes(function).into_iter().filter(|op| kind(*op) == "aten.addmm");
            products.into_iter().try_for_each(|op| decompose(&mut rewriter, op))
        })
    }
}

fn decompose<'c: 'a, 'a>(rewriter: &mut Rewriter<'c>, op: OperationRef<'c, 'a>) -> PassResult {
    let ([added, left, right, beta, alpha], Some(result)) = (&inputs(op)[..], op.result_value(0)) else {
        return Ok(());
    };
    if !is_one(*beta) || !is_one(*alpha) || !fuel::spend("addmm", op) {
        return Ok(());
    }
    let (at, location) = (Builder::before(op), op.location());
    let (ty, declared) = (result.r#type(), script_type(result));
    let one = rewriter.constant(&at, &IValue::Int(1), &ScriptType::Int, result)?;
    let one = one.ok_or_else(|| Failure::new("an integer is no constant of the dialect"))?;
    let value = |op: OperationRef<'c, 'a>| op.result_value(0).ok_or_else(|| Failure::new("a product without a result"));
    let product = value(rewriter.node(&at, "aten::mm", location, &[*left, *right], (ty, &declared))?)?;
    // The sum lies in memory as its first operand does where both are as large: what is added may lie otherwise than a product.
    let is_smaller = Tensor::of(added.r#type()).is_some_and(|t| t.sizes.is_some_and(|sizes| sizes.len() < 2));
    let operands = if is_smaller { [*added, product, one] } else { [product, *added, one] };
    let sum = value(rewriter.node(&at, "aten::add", location, &operands, (ty, &declared))?)?;
    rewriter.replace_uses(result, sum)?;
    op.erase().map_err(Failure::from)
}
