//! `auto-parallel`: of heavy computations that need nothing of each other all but the last become tasks (`prim::fork`), waited for where they are needed.
//!
//! A task begins and is waited for between two operations that write, act or draw numbers, so nothing changes what it reads while it runs; what it gives is new.
//! Cheap operations that go on with its result, and with nothing else that is not there yet, belong to the task.

use crate::graph::{Held, Rewriter, block_ops, blocks, constant, each_function, is_constant, is_steady, script_type};
use rustc_hash::{FxHashMap, FxHashSet};
use sconce_analysis::alias::{id, is_mutable};
use sconce_analysis::operators::{kind, source};
use sconce_analysis::{Aliases, Tensor};
use sconce_ir::prelude::*;
use sconce_pass::{Failure, Pass, PassOption, PassResult, PassRun};
use sconce_schema::{Trait, Type as ScriptType};

/// The pass `auto-parallel`.
pub struct AutoParallel;

impl Pass for AutoParallel {
    const NAME: &'static str = "auto-parallel";
    const DESCRIPTION: &'static str = "Fork heavy computations that need nothing of each other, and wait for them";
    const PYTORCH: &'static str = "static runtime's forks, which are the program's own";
    const OPTIONS: &'static [PassOption] = &[
        PassOption::int("least-work", "multiplications that are worth a task", 1 << 20),
        PassOption::int("unknown-work", "multiplications of a product or convolution of unknown size", 0),
    ];
    const DIALECTS: &'static [&'static str] = &["torch", "func"];

    fn run(root: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
        let limits = Limits { least: run.int("least-work"), unknown: run.int("unknown-work") };
        let mut rewriter = Rewriter::new(root.context_ref());
        each_function(root, |function| {
            if function.attr("torch.with").is_some() {
                return Ok(());
            }
            let aliases = Aliases::of(function);
            let mut forks = 0;
            for block in blocks(function) {
                for run in quiet_runs(&aliases, block) {
                    forks += fork_in(&mut rewriter, &aliases, (function, forks), &run, limits)?;
                }
            }
            Ok(())
        })
    }
}

#[derive(Clone, Copy)]
struct Limits {
    least: i64,
    unknown: i64,
}

/// The operations of a block, cut behind one that writes, acts or draws; it ends its run.
fn quiet_runs<'c: 'a, 'a>(aliases: &Aliases<'c>, block: BlockRef<'c, 'a>) -> Vec<Vec<OperationRef<'c, 'a>>> {
    let ops: Vec<_> = block_ops(block).into_iter().chain(block.terminator_op()).collect();
    ops.split_inclusive(|op| !is_quiet(aliases, *op)).map(<[_]>::to_vec).collect()
}

fn is_quiet<'c: 'a, 'a>(aliases: &Aliases<'c>, op: OperationRef<'c, 'a>) -> bool {
    let mut draws = false;
    op.walk_pre(&mut |inner| {
        draws |= sconce_torch::entry(inner).is_some_and(|entry| entry.has(Trait::Random));
        Walk::Advance
    });
    !draws && is_steady(aliases, op)
}

/// Makes the tasks of a run; how many they are.
fn fork_in<'c: 'a, 'a>(
    rewriter: &mut Rewriter<'c>,
    aliases: &Aliases<'c>,
    (function, first): (OperationRef<'c, 'a>, usize),
    run: &[OperationRef<'c, 'a>],
    limits: Limits,
) -> Result<usize, Failure> {
    let places: FxHashMap<usize, usize> = run.iter().enumerate().map(|(at, op)| (id(*op), at)).collect();
    let heavy: Vec<usize> = (0..run.len()).filter(|at| work(run[*at], limits.unknown) >= limits.least.max(1)).collect();
    let late = needing(run, &heavy);
    // What belongs to a task needs its operands where the task begins; later ones are known first.
    let mut needs_at = places.clone();
    let mut tasks = Vec::new();
    for at in heavy.iter().rev() {
        let chain = chain(run, &places, &late, *at);
        let Some(result) = chain.last().and_then(|op| op.result_value(0)).filter(|v| is_own(aliases, *v)) else {
            continue;
        };
        let Some(needed) = needed_at(run, &needs_at, result) else { continue };
        let of_task: FxHashSet<usize> = chain.iter().map(|op| id(*op)).collect();
        // Without something heavy beside it nothing is won.
        if heavy.iter().any(|other| *other > *at && *other < needed && !of_task.contains(&id(run[*other]))) {
            needs_at.extend(of_task.iter().map(|op| (*op, *at)));
            tasks.push((chain, needed));
        }
    }
    tasks.reverse();
    let count = tasks.len();
    for (number, (chain, needed)) in tasks.into_iter().enumerate() {
        fork(rewriter, function, first + number, &chain, run[needed])?;
    }
    Ok(count)
}

/// Is what a task gives nothing that others have? Values never change.
fn is_own<'c>(aliases: &Aliases<'c>, value: Value<'c, '_>) -> bool {
    !is_mutable(value.r#type()) || aliases.is_fresh(value)
}

/// How much an operation multiplies; nothing for those that are no products.
fn work(op: OperationRef<'_, '_>, unknown: i64) -> i64 {
    let operands = op.operand_values();
    let elements = |v: Option<Value<'_, '_>>| -> Option<(i64, i64)> {
        let sizes: Option<Vec<i64>> = Tensor::of(v?.r#type())?.sizes?.iter().copied().collect();
        let sizes = sizes?;
        Some((sizes.iter().fold(1_i64, |n, size| n.saturating_mul(*size)), *sizes.last()?))
    };
    let result = || elements(op.result_value(0)).map(|(n, _)| n);
    let multiplied = match kind(op) {
        // Each element of the result takes as many as the rows of the left factor are long.
        "aten.mm" | "aten.bmm" | "aten.matmul" | "aten.linear" => {
            result().zip(elements(operands.first().copied())).map(|(n, (_, k))| n.saturating_mul(k))
        }
        "aten.addmm" | "aten.baddbmm" => {
            result().zip(elements(operands.get(1).copied())).map(|(n, (_, k))| n.saturating_mul(k))
        }
        "aten.conv1d" | "aten.conv2d" | "aten.conv3d" | "aten.convolution" => {
            let filter = elements(operands.get(1).copied());
            result().zip(filter).map(|(n, (weights, _))| n.saturating_mul(weights))
        }
        _ => return 0,
    };
    multiplied.unwrap_or(unknown)
}

/// What is heavy, and what needs the result of such.
fn needing<'c: 'a, 'a>(run: &[OperationRef<'c, 'a>], heavy: &[usize]) -> FxHashSet<usize> {
    let mut late: FxHashSet<usize> = heavy.iter().map(|at| id(run[*at])).collect();
    for op in run {
        let mut needs = false;
        op.walk_pre(&mut |inner| {
            let made = inner.operand_values().into_iter().filter_map(ValueExt::defining_op);
            needs |= made.into_iter().any(|op| late.contains(&id(op)));
            Walk::Advance
        });
        if needs {
            late.insert(id(*op));
        }
    }
    late
}

/// The operation and those behind it that go on with its result and with nothing that is late itself: a task waits for no other.
fn chain<'c: 'a, 'a>(
    run: &[OperationRef<'c, 'a>],
    places: &FxHashMap<usize, usize>,
    late: &FxHashSet<usize>,
    from: usize,
) -> Vec<OperationRef<'c, 'a>> {
    let mut chain = vec![run[from]];
    while let Some(result) = chain.last().and_then(|op| op.result_value(0)) {
        let [usage] = result.uses()[..] else { break };
        let next = usage.owner;
        // The last one of a run writes, acts, or ends the block.
        let is_inside = places.get(&id(next)).is_some_and(|at| *at + 1 < run.len());
        let is_simple = next.region_refs().is_empty() && next.result_values().len() == 1 && !is_constant(next);
        let there = |v: Value<'c, 'a>| {
            let is_before = |op: OperationRef<'c, 'a>| places.get(&id(op)).is_none_or(|at| *at < from);
            let made = source(v).defining_op().filter(|_| v != result);
            constant(v).is_some() || made.is_none_or(|op| !late.contains(&id(op)) && is_before(op))
        };
        if !is_inside || !is_simple || !next.operand_values().into_iter().all(there) {
            break;
        }
        chain.push(next);
    }
    chain
}

/// Where a value must be there: its first user in the run, or what ends the run.
fn needed_at<'c: 'a, 'a>(
    run: &[OperationRef<'c, 'a>],
    places: &FxHashMap<usize, usize>,
    value: Value<'c, 'a>,
) -> Option<usize> {
    let within = |op: OperationRef<'c, 'a>| {
        let mut op = Some(op);
        while let Some(inner) = op {
            if let Some(at) = places.get(&id(inner)) {
                return Some(*at);
            }
            op = inner.parent();
        }
        None
    };
    let users = value.uses().into_iter().filter_map(|usage| within(usage.owner));
    users.chain(run.len().checked_sub(1)).min()
}

/// The chain as a task that is begun where its first operation stands, and waited for in front of `needed`.
fn fork<'c: 'a, 'a>(
    rewriter: &mut Rewriter<'c>,
    function: OperationRef<'c, 'a>,
    number: usize,
    chain: &[OperationRef<'c, 'a>],
    needed: OperationRef<'c, 'a>,
) -> PassResult {
    let (Some(first), Some(last)) = (chain.first().copied(), chain.last().copied()) else { return Ok(()) };
    let Some(result) = last.result_value(0) else { return Ok(()) };
    let of_task: FxHashSet<usize> = chain.iter().flat_map(|op| op.result_values()).map(|v| v.id()).collect();
    let (mut given, mut constants) = (Vec::new(), Vec::new());
    for value in chain.iter().flat_map(|op| op.operand_values()).filter(|v| !of_task.contains(&v.id())) {
        let of = if constant(value).is_some() && value.defining_op().is_some_and(is_constant) {
            &mut constants
        } else {
            &mut given
        };
        if !of.contains(&value) {
            of.push(value);
        }
    }
    let mut held = Held::begin(rewriter, function, ("fork", number), &given)?;
    constants.into_iter().filter_map(ValueExt::defining_op).chain(chain.iter().copied()).for_each(|op| held.copy(op));
    let task = held.finish(&[result])?;
    let future = ScriptType::Future(script_type(result).into());
    let ty = rewriter.mlir_type(&future).ok_or_else(|| Failure::new("a future of a tensor has no type"))?;
    let at = Builder::before(first);
    let forked = rewriter.holder(&at, "prim::fork", first.location(), task, &given, &[(ty, future)])?;
    let waited = [forked.result_value(0).ok_or_else(|| Failure::new("a fork without a future"))?];
    let of = (result.r#type(), &script_type(result));
    let wait = rewriter.node(&Builder::before(needed), "aten::wait", last.location(), &waited, of)?;
    if let Some(value) = wait.result_value(0) {
        result.replace_all_uses_with(value);
    }
    crate::graph::erase_all(chain)
}
