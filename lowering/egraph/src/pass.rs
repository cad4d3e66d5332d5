//! `egraph`, the pass: each block's values are computed in the cheapest way that the rules know.

use crate::cost::TARGETS;

use crate::optimize::{Limits, Optimizer};
use crate::rules::{self, Class};
use sconce_ir::prelude::*;
use sconce_pass::{Failure, Pass, PassOption, PassResult, PassRow, PassRun, row};

/// Rewrites what works on values (`!torch.vtensor`) by equality saturation.
pub struct Egraph;

impl Pass for Egraph {
    const NAME: &'static str = "egraph";
    const DESCRIPTION: &'static str =
        "Compute values in the cheapest way that rewrite rules know, by equality saturation";
    const ANCHOR: Option<&'static str> = None;
    const OPTIONS: &'static [PassOption] = &[
        PassOption::str("rules", "a file of rules beside those that are compiled in", ""),
        PassOption::bool("builtin", "use the rules that are compiled in", true),
        PassOption::str("class", "how far results may differ: exact, reassociates or approximates", "exact"),
        PassOption::str("target", "what is to be cheap there: cpu or gpu", "cpu"),
        PassOption::int("nodes", "stop when a block has so many terms", 20_000),
        PassOption::int("iterations", "stop after so many rounds", 16),
        PassOption::bool(
            "report",
            "say by remarks which rules were used, what was gained and which limit was hit",
            false,
        ),
        PassOption::bool("explain", "say by remarks how each value became another, step by step", false),
    ];
    const DIALECTS: &'static [&'static str] = &["torch"];
    /// Unless its class is `exact`.
    const KEEPS_BITS: bool = false;

    fn run(root: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
        let optimizer = optimizer(run)?;
        let mut result = Ok(());
        root.walk_pre(&mut |op| {
            for block in op.region_refs().into_iter().flat_map(RegionExt::blocks) {
                match optimizer.block(block, run.bool("explain")) {
                    Ok(outcome) => {
                        if run.bool("report") && outcome.is_worth_a_word() {
                            op.emit_remark(&outcome.to_string());
                        }
                        for text in &outcome.explanations {
                            op.emit_remark(&format!("egraph explains\n{text}"));
                        }
                    }
                    Err(e) => {
                        result = Err(e);
                        return Walk::Stop;
                    }
                }
            }
            Walk::Advance
        });
        result
    }
}

fn optimizer(run: &PassRun<'_>) -> Result<Optimizer, Failure> {
    let class = run.str("class");
    let class = Class::from_name(class).ok_or_else(|| {
        Failure::new(format!("there is no class '{class}'; expected exact, reassociates or approximates"))
    })?;
    let target = TARGETS.iter().find(|t| t.name == run.str("target"));
    let target = *target.ok_or_else(|| Failure::new(format!("there is no target '{}'", run.str("target"))))?;
    let mut all = if run.bool("builtin") { rules::builtin()? } else { Vec::new() };
    let file = run.str("rules");
    if !file.is_empty() {
        let text = std::fs::read_to_string(file).map_err(|e| Failure::new(format!("{file}: {e}")))?;
        all.extend(rules::read(file, &text)?);
    }
    all.retain(|rule| rule.class <= class);
    let limit = |name: &str| {
        usize::try_from(run.int(name)).map_err(|_| Failure::new(format!("{name}: expected a number from 0")))
    };
    let limits = Limits { nodes: limit("nodes")?, iterations: limit("iterations")? };
    Optimizer::new(all, target, limits).map_err(Failure::new)
}

/// The passes of this crate.
pub static PASSES: &[PassRow] = &[row::<Egraph>()];
