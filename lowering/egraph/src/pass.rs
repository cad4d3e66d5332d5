//! `egraph`, the pass: each block's values are computed in the cheapest way that the rules know.

use crate::cost::{Compiles, target};
use crate::optimize::{Limits, Manner, Optimizer, Strategy};
use crate::rules::{self, Class, Rule};
use sconce_analysis::Aliases;
use sconce_analysis::alias::is_mutable;
use sconce_ir::prelude::*;
use sconce_pass::refusals::{Refusal, refuse};
use sconce_pass::{Failure, Pass, PassOption, PassResult, PassRow, PassRun, row};
use std::marker::PhantomData;

/// What the pass is called, whoever compiles.
pub(crate) const NAME: &str = "egraph";

/// Rewrites what works on values (`!torch.vtensor`) by equality saturation; what is cheap depends on what becomes compiled code.
pub struct Egraph<C>(PhantomData<C>);

impl<C: Compiles> Pass for Egraph<C> {
    const NAME: &'static str = NAME;
    const DESCRIPTION: &'static str =
        "Compute values in the cheapest way that rewrite rules know, by equality saturation";
    const ANCHOR: Option<&'static str> = None;
    const OPTIONS: &'static [PassOption] = &[
        PassOption::str("rules", "a file of rules beside those that are compiled in", ""),
        PassOption::bool("builtin", "use the rules that are compiled in", true),
        PassOption::str("class", "how far results may differ: exact, reassociates or approximates", "exact"),
        PassOption::str("target", "what is to be cheap there: cpu or gpu", "cpu"),
        PassOption::str(
            "strategy",
            "saturate: everything that rules know, then the cheapest; greedy: rule by rule",
            "saturate",
        ),
        PassOption::str("only", "names of rules joined by '+': use no others", ""),
        PassOption::str("without", "names of rules joined by '+': do not use them", ""),
        PassOption::int("nodes", "stop when a block has so many terms", 20_000),
        PassOption::int("growth", "stop when a block has so many terms for each that it came with (0: any number)", 0),
        PassOption::int("iterations", "stop after so many rounds", 16),
        PassOption::bool("order", "put operations in an order that depends on what they compute alone", false),
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
        let optimizer = optimizer::<C>(run)?;
        let manner = Manner { explains: run.bool("explain"), sorts: run.bool("order") };
        let says = run.bool("report");
        let functions = if root.is("func.func") { vec![root] } else { root.find_all("func.func") };
        for function in functions.into_iter().filter(|f| f.body(0).is_some()) {
            // Who writes to what is asked only where something can be written to.
            let aliases = writes_matter(function).then(|| Aliases::of(function));
            for (op, block) in blocks(function) {
                for outcome in optimizer.block(block, aliases.as_ref(), manner)? {
                    if let Some(limit) = &outcome.limit {
                        let why = format!("stopped by {limit}: there may be a cheaper form");
                        refuse(Refusal::of(NAME, op, op.op_name().to_owned(), ("limit", why)));
                    }
                    if says && outcome.is_worth_a_word() {
                        op.emit_remark(&outcome.to_string());
                    }
                    for text in &outcome.explanations {
                        op.emit_remark(&format!("egraph explains\n{text}"));
                    }
                }
            }
        }
        Ok(())
    }
}

/// Every block in a function, outer ones first, with the operation that holds it.
fn blocks<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Vec<(OperationRef<'c, 'a>, BlockRef<'c, 'a>)> {
    let mut all = Vec::new();
    function.walk_pre(&mut |op| {
        all.extend(op.region_refs().into_iter().flat_map(RegionExt::blocks).map(|block| (op, block)));
        Walk::Advance
    });
    all
}

fn writes_matter(function: OperationRef<'_, '_>) -> bool {
    let mut found = false;
    function.walk_pre(&mut |op| {
        found = op.result_values().into_iter().any(|v| is_mutable(v.r#type()));
        if found { Walk::Stop } else { Walk::Advance }
    });
    found
}

fn optimizer<C: Compiles>(run: &PassRun<'_>) -> Result<Optimizer, Failure> {
    let class = run.str("class");
    let class = Class::from_name(class).ok_or_else(|| {
        Failure::new(format!("there is no class '{class}'; expected exact, reassociates or approximates"))
    })?;
    let name = run.str("target");
    let target = target::<C>(name);
    let target = target.ok_or_else(|| Failure::new(format!("there is no target '{name}'; expected cpu or gpu")))?;
    let strategy = match run.str("strategy") {
        "saturate" => Strategy::Saturate,
        "greedy" => Strategy::Greedy,
        other => return Err(Failure::new(format!("there is no strategy '{other}'; expected saturate or greedy"))),
    };
    let mut all = if run.bool("builtin") { rules::builtin()? } else { Vec::new() };
    let file = run.str("rules");
    if !file.is_empty() {
        let text = std::fs::read_to_string(file).map_err(|e| Failure::new(format!("{file}: {e}")))?;
        all.extend(rules::read(file, &text)?);
    }
    let (only, without) = (named(run, "only", &all)?, named(run, "without", &all)?);
    let is_in = |names: &[&str], rule: &Rule| names.contains(&&*rule.name);
    all.retain(|rule| rule.class <= class && (only.is_empty() || is_in(&only, rule)) && !is_in(&without, rule));
    let limit = |name: &str| {
        usize::try_from(run.int(name)).map_err(|_| Failure::new(format!("{name}: expected a number from 0")))
    };
    let limits = Limits { nodes: limit("nodes")?, iterations: limit("iterations")?, growth: limit("growth")? };
    Optimizer::new(all, target, limits, strategy).map_err(Failure::new)
}

/// Names of rules in an option.
fn named<'r>(run: &'r PassRun<'_>, option: &str, all: &[Rule]) -> Result<Vec<&'r str>, Failure> {
    let names: Vec<&str> = run.str(option).split('+').filter(|name| !name.is_empty()).collect();
    match names.iter().find(|name| !all.iter().any(|rule| *rule.name == ***name)) {
        Some(name) => Err(Failure::new(format!("{option}: there is no rule '{name}'"))),
        None => Ok(names),
    }
}

/// The pass, for whoever compiles what it leaves.
pub const fn pass<C: Compiles>() -> PassRow {
    row::<Egraph<C>>()
}
