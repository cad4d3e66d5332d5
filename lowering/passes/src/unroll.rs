//! `unroll`: a short body that runs a known, small number of times is written out; with `factor`, others are done several times in a turn.

mod by_factor;

use crate::dce::eliminate_dead_code;
use crate::graph::{Rewriter, block_ops, constant, each_function, int, nodes, passed, walk};
use by_factor::{integer, number};
use sconce_analysis::operators::is_silent;
use sconce_ir::prelude::*;
use sconce_pass::{Failure, Pass, PassOption, PassResult, PassRun, fuel};
use sconce_tensor::IValue;

/// The pass `unroll`.
pub struct Unroll;

impl Pass for Unroll {
    const NAME: &'static str = "unroll";
    const DESCRIPTION: &'static str = "Write out loops whose short body runs a known, small number of times";
    const PYTORCH: &'static str = "`UnrollConstantLoops`; with `factor=8` its `UnrollLoops`";
    const ANCHOR: Option<&'static str> = None;
    const OPTIONS: &'static [PassOption] = &[
        PassOption::int("max-body", "operations in a body that is written out", 32),
        PassOption::int("max-trips", "a body is written out fewer times than that", 64),
        PassOption::int("max-ops", "operations in all that a loop becomes; 0: any number", 0),
        PassOption::int("factor", "turns of a loop of unknown length that become one; 1: none do", 1),
        PassOption::str("then", "passes for functions in which something was written out", ""),
    ];
    const DIALECTS: &'static [&'static str] = &["torch"];

    fn run(root: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
        let [body, trips, factor] = ["max-body", "max-trips", "factor"].map(|name| run.int(name));
        let ops = Some(run.int("max-ops")).filter(|most| *most > 0);
        let limits = Limits { body, trips, ops, factor };
        each_function(root, |function| {
            let mut loops: Vec<_> = nodes(function).into_iter().filter(|op| op.is("torch.prim.Loop")).collect();
            // Inner ones first: what holds them may be small then.
            loops.reverse();
            let mut changed = false;
            for op in loops {
                changed |= write_out(op, limits)?;
            }
            if !changed {
                return Ok(());
            }
            eliminate_dead_code(function)?;
            match run.str("then") {
                "" => Ok(()),
                passes => run.run_pipeline(passes, function).map_err(Failure::new),
            }
        })
    }
}

#[derive(Clone, Copy)]
struct Limits {
    body: i64,
    trips: i64,
    ops: Option<i64>,
    factor: i64,
}

/// Puts the body in the place of a loop as often as it runs, or two loops in the place of one; was it a loop to which that can be done?
fn write_out<'c: 'a, 'a>(op: OperationRef<'c, 'a>, limits: Limits) -> Result<bool, Failure> {
    let (operands, Some(body)) = (op.operand_values(), op.body(0)) else { return Ok(false) };
    let always = |v: Value<'c, 'a>| matches!(constant(v), Some(IValue::Bool(true)));
    let passed = passed(body);
    let counted = always(operands[1]) && passed.first().copied().is_some_and(always);
    let size = walk(body).into_iter().filter(|op| !is_silent(*op)).count();
    let size = i64::try_from(size).unwrap_or(i64::MAX);
    let becomes = int(operands[0]).map_or(0, |trips| size.saturating_mul(trips));
    let is_long = size > limits.body || limits.ops.is_some_and(|most| becomes > most);
    if !counted || is_long || !fuel::spend("loop", op) {
        return Ok(false);
    }
    let Some(trips) = int(operands[0]).filter(|n| (0..limits.trips).contains(n)) else {
        let several = limits.factor > 1;
        if several {
            by_factor::unroll(op, limits.factor)?;
        }
        return Ok(several);
    };
    let (mut rewriter, at) = (Rewriter::new(op.context_ref()), Builder::before(op));
    let (inputs, ops) = (body.args(), block_ops(body));
    let mut carried = operands[2..].to_vec();
    let mut counter = None;
    for _ in 0..trips {
        // Each turn counts on from the one before, as PyTorch has it: constants are folded elsewhere.
        let number = number(&mut rewriter, &at, counter.map_or(0, |_| 1), operands[0])?;
        let now = match counter {
            Some(before) => integer(&mut rewriter, &at, "aten::add", [before, number])?,
            None => number,
        };
        counter = Some(now);
        let mut values: Vec<(Value<'c, 'a>, Value<'c, 'a>)> =
            inputs.iter().copied().zip(std::iter::once(now).chain(carried)).collect();
        for inner in &ops {
            let copy = at.insert(inner.clone_with(&values));
            values.extend(inner.result_values().into_iter().zip(copy.result_values()));
        }
        let now = |v: &Value<'c, 'a>| values.iter().find(|(old, _)| old == v).map_or(*v, |(_, new)| *new);
        carried = passed[1..].iter().map(now).collect();
    }
    for (result, value) in op.result_values().into_iter().zip(carried) {
        result.replace_all_uses_with(value);
    }
    op.erase()?;
    Ok(true)
}
