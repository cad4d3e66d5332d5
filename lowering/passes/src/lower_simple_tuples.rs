//! `lower-simple-tuples`: what is taken out of a tuple that was made here is what was put in.

use crate::dce::eliminate_dead_code;
use crate::graph::{Rewriter, each_function, inputs, int, made_by, nodes, script_type};
use sconce_analysis::operators::kind;
use sconce_ir::prelude::*;
use sconce_pass::{Failure, Pass, PassResult, PassRun, fuel};
use sconce_schema::Type as ScriptType;

/// The pass `lower-simple-tuples`.
pub struct LowerSimpleTuples;

impl Pass for LowerSimpleTuples {
    const NAME: &'static str = "lower-simple-tuples";
    const DESCRIPTION: &'static str = "Replace what is taken out of tuples by what was put in";
    const PYTORCH: &'static str = "`LowerSimpleTuples`";
    const ANCHOR: Option<&'static str> = None;
    const DIALECTS: &'static [&'static str] = &["torch"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        each_function(root, |function| {
            let mut rewriter = Rewriter::new(function.context_ref());
            for op in nodes(function) {
                lower(&mut rewriter, op)?;
            }
            eliminate_dead_code(function)
        })
    }
}

/// Replaces what one operation takes out of a tuple.
pub(crate) fn lower<'c: 'a, 'a>(rewriter: &mut Rewriter<'c>, op: OperationRef<'c, 'a>) -> PassResult {
    let kind = kind(op);
    if !matches!(kind, "prim.TupleUnpack" | "prim.TupleIndex" | "prim.TupleSlice") {
        return Ok(());
    }
    let operands = inputs(op);
    let Some(tuple) = operands.first().and_then(|v| made_by(*v, "prim.TupleConstruct")) else { return Ok(()) };
    let (elements, results) = (tuple.operand_values(), op.result_values());
    let Some(result) = results.first().filter(|_| fuel::spend(kind, op)) else { return Ok(()) };
    let chosen = match kind {
        "prim.TupleUnpack" => elements,
        "prim.TupleIndex" => operands.get(1).and_then(|i| element(&elements, int(*i)?)).into_iter().collect(),
        _ => slice(rewriter, op, &elements, *result)?.into_iter().collect(),
    };
    for (result, element) in results.into_iter().zip(chosen) {
        rewriter.replace_uses(result, element)?;
    }
    Ok(())
}

/// Behind the end there is none; below zero counts from there.
fn element<'c, 'a>(elements: &[Value<'c, 'a>], index: i64) -> Option<Value<'c, 'a>> {
    let index = if index < 0 { index.checked_add(elements.len() as i64)? } else { index };
    elements.get(usize::try_from(index).ok()?).copied()
}

fn slice<'c: 'a, 'a>(
    rewriter: &mut Rewriter<'c>,
    op: OperationRef<'c, 'a>,
    elements: &[Value<'c, 'a>],
    result: Value<'c, 'a>,
) -> Result<Option<Value<'c, 'a>>, Failure> {
    let said = sconce_import::text::attributes::of(op);
    let bound = |name: &str| match said.iter().find(|(n, _)| n == name)?.1 {
        sconce_syntax::graph_text::AttributeValue::Int(n) => usize::try_from(n).ok(),
        _ => None,
    };
    let Some(part) = bound("beg").zip(bound("end")).and_then(|(begin, end)| elements.get(begin..end)) else {
        return Ok(None);
    };
    let types: Vec<ScriptType> = part.iter().map(|v| script_type(*v)).collect();
    let at = Builder::before(op);
    let ty = (result.r#type(), &ScriptType::Tuple(types.into()));
    Ok(rewriter.node(&at, "prim::TupleConstruct", op.location(), part, ty)?.result_value(0))
}
