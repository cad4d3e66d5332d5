//! What many judged operator calls say together: how many pass by kind, of Core ATen, of the errors, and which operators are missing.

use crate::vectors::{Kind, Verdict};
use std::collections::{BTreeMap, BTreeSet};

/// How many cases ended in which way.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Share {
    pub passed: usize,
    pub failed: usize,
    /// Of operators without a row in the table.
    pub no_row: usize,
    /// Of operators without a kernel or rule, or that a recording's device does not allow to judge.
    pub skipped: usize,
}

impl Share {
    pub fn cases(&self) -> usize {
        self.passed + self.failed + self.no_row + self.skipped
    }

    fn add(&mut self, verdict: &Verdict, known: bool) {
        *match verdict {
            Verdict::Passed | Verdict::Reworded(_) => &mut self.passed,
            Verdict::Failed(_) => &mut self.failed,
            Verdict::Skipped(_) if !known => &mut self.no_row,
            Verdict::Skipped(_) => &mut self.skipped,
        } += 1;
    }

    fn text(&self) -> String {
        let percent = if self.cases() == 0 { 100.0 } else { 100.0 * self.passed as f64 / self.cases() as f64 };
        format!("{} of {} cases pass ({percent:.2}%)", self.passed, self.cases())
    }
}

/// The judgements so far.
#[derive(Default)]
pub struct Shares {
    core: BTreeSet<String>,
    /// By kind: value, error, meta.
    kinds: [Share; 3],
    core_aten: Share,
    /// Values and shapes of operators in the table, and their errors.
    table: Share,
    errors: Share,
    /// Cases of operators without a row, and of operators without a kernel or rule.
    without_row: BTreeMap<String, usize>,
    without_kernel: BTreeMap<String, usize>,
}

impl Shares {
    /// The operators that count as Core ATen, one a line.
    pub fn set_core(&mut self, list: &str) {
        self.core = list.lines().map(str::to_owned).collect();
    }

    pub fn add(&mut self, op: &str, kind: Kind, verdict: &Verdict) {
        let known = sconce_schema::lookup(op).is_some();
        self.kinds[kind as usize].add(verdict, known);
        match verdict {
            Verdict::Skipped(_) if !known => *self.without_row.entry(op.to_owned()).or_default() += 1,
            Verdict::Skipped(why) if why.starts_with("no ") => {
                *self.without_kernel.entry(op.to_owned()).or_default() += 1;
            }
            _ => {}
        }
        if !known {
            return;
        }
        if kind == Kind::Error {
            return self.errors.add(verdict, true);
        }
        self.table.add(verdict, true);
        if self.core.contains(op) {
            self.core_aten.add(verdict, true);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.kinds.iter().all(|k| k.cases() == 0)
    }

    /// The shares as lines; with `names` also each operator that is missing, by its number of cases.
    pub fn lines(&self, names: bool) -> Vec<String> {
        let mut lines: Vec<String> = ["value", "error", "meta"]
            .iter()
            .zip(&self.kinds)
            .filter(|(_, k)| k.cases() > 0)
            .map(|(name, k)| {
                format!(
                    "{name}: {} passed, {} failed, {} not in the table, {} without a kernel or rule; {}",
                    k.passed,
                    k.failed,
                    k.no_row,
                    k.skipped,
                    k.text()
                )
            })
            .collect();
        if !self.core.is_empty() {
            lines.push(format!("Core ATen, value and meta: {}", self.core_aten.text()));
        }
        let table = sconce_schema::table().len();
        lines.push(format!("in the table ({table} operators), value and meta: {}", self.table.text()));
        lines.push(format!("in the table, errors raised: {}", self.errors.text()));
        let missing = [("not in the table", &self.without_row), ("without a kernel or rule", &self.without_kernel)];
        for (title, ops) in missing {
            lines.push(format!("{title}: {} operators, {} cases", ops.len(), ops.values().sum::<usize>()));
            let mut ops: Vec<(&String, &usize)> = ops.iter().collect();
            ops.sort_by_key(|(op, n)| (std::cmp::Reverse(**n), *op));
            lines.extend(ops.into_iter().filter(|_| names).map(|(op, n)| format!("    {n} {op}")));
        }
        lines
    }
}
