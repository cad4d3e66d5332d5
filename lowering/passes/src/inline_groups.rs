//! `inline-groups`: what a fusion group or a differentiable graph holds is done in its place again, where regions can be made of it.

use crate::graph::{Rewriter, each_function, nodes, passed, root_block, script_type, spell_out};
use rustc_hash::FxHashMap;
use sconce_analysis::operators::{int_attribute, kind};
use sconce_ir::prelude::*;
use sconce_pass::{Failure, Pass, PassResult, PassRun};
use sconce_schema::Type as ScriptType;
use sconce_tensor::IValue;

/// The pass `inline-groups`.
pub struct InlineGroups;

/// Nodes that are nothing but the graph that they hold.
const GROUPS: &[&str] =
    &["prim.FusionGroup", "prim.DifferentiableGraph", "prim.TensorExprGroup", "prim.FunctionalGraph"];

impl Pass for InlineGroups {
    const NAME: &'static str = "inline-groups";
    const DESCRIPTION: &'static str = "Put what fusion groups and differentiable graphs hold in their places";
    const PYTORCH: &'static str = "`InlineAutodiffSubgraphs`, of every graph that is run where it stands";
    const DIALECTS: &'static [&'static str] = &["torch", "func"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        let symbols = SymbolTable::of(root);
        let mut rewriter = Rewriter::new(root.context_ref());
        let mut inlined: FxHashMap<String, OperationRef<'_, '_>> = FxHashMap::default();
        each_function(root, |function| {
            // Of groups in groups the outer ones first; what comes out is looked at again.
            loop {
                let groups: Vec<_> = nodes(function).into_iter().filter(|op| GROUPS.contains(&kind(*op))).collect();
                let mut any = false;
                for group in groups {
                    if let Some((name, held)) = inline(&mut rewriter, &symbols, group)? {
                        inlined.insert(name, held);
                        any = true;
                    }
                }
                if !any {
                    return Ok(());
                }
            }
        })?;
        let named = crate::inline_fork_wait::named_functions(root);
        let mut left: Vec<_> = inlined.into_iter().filter(|(name, _)| !named.contains(name)).collect();
        left.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        left.into_iter().try_for_each(|(_, held)| held.erase().map_err(Failure::from))
    }
}

/// The graph that was held, by its name, if it is done in the node's place now.
fn inline<'c: 'a, 'a>(
    rewriter: &mut Rewriter<'c>,
    symbols: &SymbolTable<'c, 'a>,
    group: OperationRef<'c, 'a>,
) -> Result<Option<(String, OperationRef<'c, 'a>)>, Failure> {
    let path = group.attr("torch.subgraph").and_then(attr::symbol_value).unwrap_or_default();
    let Some((name, held)) = path.into_iter().next().and_then(|name| Some((name.clone(), symbols.get(&name)?))) else {
        return Ok(None);
    };
    // A group does not hold itself.
    if group.is_within(held) {
        return Ok(None);
    }
    let Some(body) = root_block(held) else { return Ok(None) };
    if passed(body).len() != group.result_values().len() {
        return Ok(None);
    }
    let at = Builder::before(group);
    let results = spell_out(rewriter, &at, body, &group.operand_values(), |rewriter, op, values| match kind(op) {
        "prim.FusedConcat" => concatenate(rewriter, &at, op, values),
        _ => Ok(at.insert(op.clone_with(values))),
    })?;
    let Some(results) = results else { return Ok(None) };
    for (old, new) in group.result_values().into_iter().zip(results) {
        if !rewriter.replace_uses(old, new)? {
            return Err(Failure::new(format!("@{name} gives another type than its node")));
        }
    }
    group.erase()?;
    Ok(Some((name, held)))
}

/// Outside of groups tensors are put together as a list.
fn concatenate<'c: 'a, 'a>(
    rewriter: &mut Rewriter<'c>,
    at: &Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
    values: &[(Value<'c, 'a>, Value<'c, 'a>)],
) -> Result<OperationRef<'c, 'a>, Failure> {
    let now = |v: Value<'c, 'a>| values.iter().find(|(old, _)| *old == v).map_or(v, |(_, new)| *new);
    let parts: Vec<_> = op.operand_values().into_iter().map(now).collect();
    let (Some(result), Some(dim)) = (op.result_value(0), int_attribute(op, "dim")) else {
        return Err(Failure::new("prim::FusedConcat without a dimension"));
    };
    let missing = || Failure::new("a list of tensors has no type");
    let (list, ty) = rewriter.list_of_tensors(result).ok_or_else(missing)?;
    let dim = rewriter.constant(at, &IValue::Int(dim), &ScriptType::Int, result)?.ok_or_else(missing)?;
    let list = rewriter.node(at, "prim::ListConstruct", op.location(), &parts, (list, &ty))?;
    let list = list.result_value(0).ok_or_else(missing)?;
    rewriter.node(at, "aten::cat", op.location(), &[list, dim], (result.r#type(), &script_type(result)))
}
