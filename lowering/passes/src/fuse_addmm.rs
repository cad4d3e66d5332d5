//! `fuse-addmm`: a product of matrices and what is added to it are one `addmm`, where types say that the sum is no larger than the product.
//!
//! What is computed otherwise now stays for others, or for `dce`. Of a sum of two products either could be the one that is added to; the first is.

use crate::graph::{Rewriter, each_function, inputs, is_one, made_by, nodes, script_type};
use sconce_analysis::operators::kind;
use sconce_analysis::{Aliases, Tensor};
use sconce_ir::prelude::*;
use sconce_pass::{Failure, Pass, PassResult, PassRun, fuel};
use sconce_schema::Type as ScriptType;
use sconce_tensor::IValue;

/// The pass `fuse-addmm`.
pub struct FuseAddmm;

impl Pass for FuseAddmm {
    const NAME: &'static str = "fuse-addmm";
    const DESCRIPTION: &'static str = "Make a product of matrices and what is added to it one addmm";
    const PYTORCH: &'static str = "`FuseAddMM`, which asks for types and not for what they say";
    const ANCHOR: Option<&'static str> = None;
    const DIALECTS: &'static [&'static str] = &["torch"];
    const KEEPS_BITS: bool = false;

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        each_function(root, |function| {
            let sums: Vec<_> = nodes(function).into_iter().filter(|op| kind(*op) == "aten.add").collect();
            if sums.is_empty() {
                return Ok(());
            }
            let aliases = Aliases::of(function);
            let mut rewriter = Rewriter::new(function.context_ref());
            sums.into_iter().try_for_each(|sum| fuse(&mut rewriter, &aliases, sum))
        })
    }
}

fn fuse<'c: 'a, 'a>(rewriter: &mut Rewriter<'c>, aliases: &Aliases<'c>, sum: OperationRef<'c, 'a>) -> PassResult {
    let (&[a, b, alpha], Some(result)) = (&inputs(sum)[..], sum.result_value(0)) else { return Ok(()) };
    if !is_one(alpha) {
        return Ok(());
    }
    // Either may be the product; both are written, and who is not used is nobody's.
    for (product, added) in [(a, b), (b, a)] {
        let factors = made_by(product, "aten.mm").map(inputs).unwrap_or_default();
        let [left, right] = factors[..] else { continue };
        // What the product read may be something else behind a write.
        let is_steady = |v: &Value<'c, 'a>| !aliases.has_writers(*v);
        if !fits(left, right, added) || ![product, left, right].iter().all(is_steady) || !fuel::spend("addmm", sum) {
            continue;
        }
        let at = Builder::before(sum);
        let one = rewriter.constant(&at, &IValue::Int(1), &ScriptType::Int, result)?;
        let one = one.ok_or_else(|| Failure::new("an integer is no constant of the dialect"))?;
        let ty = (result.r#type(), &script_type(result));
        let fused = rewriter.node(&at, "aten::addmm", sum.location(), &[added, left, right, one, one], ty)?;
        if let Some(value) = fused.result_value(0) {
            rewriter.replace_uses(result, value)?;
        }
    }
    Ok(())
}

/// Are all of one dtype, and is what is added no larger than the product?
fn fits(left: Value<'_, '_>, right: Value<'_, '_>, added: Value<'_, '_>) -> bool {
    let known = |v: Value<'_, '_>| Tensor::of(v.r#type()).and_then(|t| Some((t.dtype?, t.sizes?)));
    let (Some((a, left)), Some((b, right)), Some((c, added))) = (known(left), known(right), known(added)) else {
        return false;
    };
    let ([rows, _], [_, columns]) = (&left[..], &right[..]) else { return false };
    let is_spread = |(size, of): (&Option<i64>, &Option<i64>)| *size == Some(1) || size.is_some() && size == of;
    a == b && a == c && added.len() <= 2 && added.iter().rev().zip([columns, rows]).all(is_spread)
}
