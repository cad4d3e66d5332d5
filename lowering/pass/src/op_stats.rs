//! `torch-op-stats`: how often each operation occurs, as one remark that is the same for the same module.

use crate::{Failure, Pass, PassOption, PassResult, PassRun};
use sconce_ir::prelude::*;
use std::collections::BTreeMap;

/// Counts operations by name; those in `torch.operator` by the operator they name.
pub struct OpStats;

impl Pass for OpStats {
    const NAME: &'static str = "torch-op-stats";
    const DESCRIPTION: &'static str = "Emit a remark that says how often each operation occurs";
    const ANCHOR: Option<&'static str> = None;
    const OPTIONS: &'static [PassOption] = &[
        PassOption::bool("json", "one JSON object instead of lines", false),
        PassOption::str("dialect", "only operations of this dialect (empty: all)", ""),
        PassOption::int("top", "only so many, the most frequent first (0: all, by name)", 0),
    ];

    fn run(op: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
        let top = usize::try_from(run.int("top")).map_err(|_| Failure::new("option 'top' must not be negative"))?;
        let counts = count(op, run.str("dialect"));
        let mut rows: Vec<(String, usize)> = counts.into_iter().collect();
        if top > 0 {
            // Stable: equal counts stay in the order of their names.
            rows.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
            rows.truncate(top);
        }
        op.emit_remark(&if run.bool("json") { json(&rows) } else { lines(&rows) });
        Ok(())
    }
}

fn count(op: OperationRef<'_, '_>, dialect: &str) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    op.walk_pre(&mut |inner| {
        let name = inner.op_name();
        let of_dialect = name.split_once('.').is_some_and(|(prefix, _)| prefix == dialect);
        if inner != op && (dialect.is_empty() || of_dialect) {
            let name = match inner.str_attr("name") {
                Some(operator) if name == "torch.operator" => format!("{name} {operator}"),
                _ => name.to_owned(),
            };
            *counts.entry(name).or_insert(0) += 1;
        }
        Walk::Advance
    });
    counts
}

fn lines(rows: &[(String, usize)]) -> String {
    let total: usize = rows.iter().map(|(_, count)| count).sum();
    let lines: String = rows.iter().map(|(name, count)| format!("\n{count:6} {name}")).collect();
    format!("{total} operations{lines}")
}

/// Names of operations hold any bytes that MLIR's parser takes in quotes.
fn json(rows: &[(String, usize)]) -> String {
    let escaped = |name: &str| -> String {
        name.chars()
            .map(|c| match c {
                '"' | '\\' => format!("\\{c}"),
                c if c.is_control() => format!("\\u{:04x}", u32::from(c)),
                c => c.to_string(),
            })
            .collect()
    };
    let members: Vec<String> = rows.iter().map(|(name, count)| format!("\"{}\": {count}", escaped(name))).collect();
    format!("{{{}}}", members.join(", "))
}
