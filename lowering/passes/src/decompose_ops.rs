//! `decompose-ops`: `addmm` whose factors are one is a product and a sum, which other passes know; composite operators, where asked for, are what they are
//! defined as.

use crate::graph::{Rewriter, each_function, inputs, is_one, nodes, root_block, script_type, spell_out};
use sconce_analysis::Tensor;
use sconce_analysis::operators::{kind, schema_name};
use sconce_ir::prelude::*;
use sconce_kernels::composite;
use sconce_pass::{Failure, Pass, PassOption, PassResult, PassRun, fuel};
use sconce_schema::Type as ScriptType;
use sconce_tensor::IValue;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// The pass `decompose-ops`.
pub struct DecomposeOps;

impl Pass for DecomposeOps {
    const NAME: &'static str = "decompose-ops";
    const DESCRIPTION: &'static str =
        "Take addmm apart into a product and a sum, and composite operators into what they are defined as";
    const PYTORCH: &'static str =
        "`DecomposeOps`, which adds the product to what may lie otherwise; normalisations it takes apart on GPUs only";
    const OPTIONS: &'static [PassOption] = &[PassOption::str(
        "composites",
        "composite operators to replace by their definitions: `all`, or names with `+` between them, `aten::cov+aten::svd`",
        "",
    )];
    const ANCHOR: Option<&'static str> = None;
    const DIALECTS: &'static [&'static str] = &["torch"];
    const KEEPS_BITS: bool = false;

    fn run(root: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
        let wanted = run.str("composites");
        each_function(root, |function| {
            let mut rewriter = Rewriter::new(function.context_ref());
            if !wanted.is_empty() {
                composites(&mut rewriter, function, &|name| wanted == "all" || wanted.split('+').any(|w| w == name))?;
            }
            let products = nodes(function).into_iter().filter(|op| kind(*op) == "aten.addmm");
            products.into_iter().try_for_each(|op| decompose(&mut rewriter, op))
        })
    }
}

/// Replaces calls by their definitions, and those that these make, until none is left that is wanted.
fn composites<'c: 'a, 'a>(
    rewriter: &mut Rewriter<'c>,
    function: OperationRef<'c, 'a>,
    wanted: &dyn Fn(&str) -> bool,
) -> PassResult {
    let context = function.context_ref();
    let mut imported = BTreeMap::new();
    loop {
        let mut changed = false;
        for op in nodes(function) {
            let Some(name) = schema_name(op).filter(|name| wanted(name)) else { continue };
            let Some(definition) = composite::definition(&name)? else { continue };
            if !fuel::spend("composite", op) {
                continue;
            }
            let module = match imported.entry(name.clone()) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(place) => place.insert(sconce_import::definition_to_dialect(context, &name, definition)?),
            };
            let body = module.as_operation().find_all("func.func").into_iter().next().and_then(root_block);
            let body = body.ok_or_else(|| Failure::new("a definition without a body"))?;
            changed |= put_in_place(rewriter, op, body)?;
        }
        if !changed {
            return Ok(());
        }
    }
}

/// A body in the place of an operation; whether its values are of types that allow it.
fn put_in_place<'c: 'a, 'a>(
    rewriter: &mut Rewriter<'c>,
    op: OperationRef<'c, 'a>,
    body: BlockRef<'c, 'a>,
) -> Result<bool, Failure> {
    let at = Builder::before(op);
    let results =
        spell_out(rewriter, &at, body, &inputs(op), |_, inner, values| Ok(at.insert(inner.clone_with(values))))?;
    let Some(results) = results else { return Ok(false) };
    for (old, new) in op.result_values().into_iter().zip(results) {
        if !rewriter.replace_uses(old, new)? {
            return Err(Failure::new("a definition gives what its operator does not"));
        }
    }
    op.erase()?;
    Ok(true)
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
