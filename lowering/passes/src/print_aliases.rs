//! `print-aliases`: a remark on each function says what its values may be and hold, and what its operations write to; nothing changes.

use crate::graph::{each_function, root_block};
use sconce_analysis::Aliases;
use sconce_analysis::alias::{Pointees, is_mutable};
use sconce_analysis::operators::is_silent;
use sconce_ir::prelude::*;
use sconce_ir::value_names::ValueNames;
use sconce_pass::{Pass, PassOption, PassResult, PassRun};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The pass `print-aliases`.
pub struct PrintAliases;

impl Pass for PrintAliases {
    const NAME: &'static str = "print-aliases";
    const DESCRIPTION: &'static str = "Say by a remark what values may be and hold, and what operations write to";
    const PYTORCH: &'static str = "`AliasDb::dump`; with `dot=1` its `to_graphviz_str`";
    const ANCHOR: Option<&'static str> = None;
    const OPTIONS: &'static [PassOption] = &[PassOption::bool("dot", "a graph in Graphviz's language", false)];

    fn run(root: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
        each_function(root, |function| {
            let described = Described::of(function);
            function.emit_remark(&if run.bool("dot") { described.dot() } else { described.lines() });
            Ok(())
        })
    }
}

/// What there is to say of a function, by names.
#[derive(Default)]
struct Described {
    function: String,
    /// Values that can change, in order: what each may be, and may hold.
    values: Vec<(String, Vec<String>, Vec<String>)>,
    /// Pairs of values that share memory and have no element in common.
    apart: Vec<(String, String)>,
    /// Operations that write, in order, and what to.
    writes: Vec<(String, Vec<String>)>,
}

/// What stands for all that comes from outside of the function.
const OUTSIDE: &str = "outside";

impl Described {
    fn of<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Described {
        let Some(block) = root_block(function) else { return Described::default() };
        let (aliases, names) = (Aliases::of(function), ValueNames::of(function));
        let (mut values, mut ops) = (block.args(), Vec::new());
        function.walk_pre(&mut |op| {
            if op != function {
                values.extend(op.result_values());
                values.extend(op.region_refs().into_iter().flat_map(RegionExt::blocks).flat_map(BlockExt::args));
                ops.push(op);
            }
            Walk::Advance
        });
        let places: BTreeMap<usize, usize> = values.iter().enumerate().map(|(i, v)| (v.id(), i)).collect();
        let in_order: Vec<String> = values.iter().map(|v| names.name(*v)).collect();
        let all = |pointees: Pointees| {
            let made: BTreeSet<usize> = pointees.made_by.iter().filter_map(|id| places.get(id).copied()).collect();
            let made = made.into_iter().map(|place| in_order[place].clone());
            made.chain(pointees.outside.then(|| OUTSIDE.to_owned())).collect::<Vec<_>>()
        };
        let values: Vec<_> = values.into_iter().filter(|v| is_mutable(v.r#type())).collect();
        let parts: Vec<_> = values.iter().copied().filter(|v| aliases.is_part(*v)).collect();
        let pairs = parts.iter().enumerate().flat_map(|(i, b)| parts[..i].iter().map(move |a| (*a, *b)));
        let apart = pairs.filter(|(a, b)| aliases.are_apart(*a, *b)).map(|(a, b)| (names.name(a), names.name(b)));
        let written = |op: &OperationRef<'c, 'a>| {
            let to = all(aliases.written(*op));
            let results: Vec<String> = op.result_values().into_iter().map(|v| names.name(v)).collect();
            let made = if results.is_empty() { String::new() } else { format!("{} = ", results.join(", ")) };
            (!to.is_empty() && !is_silent(*op)).then(|| (format!("{made}{}", op.op_name()), to))
        };
        Described {
            function: function.symbol_name().unwrap_or_default().to_owned(),
            apart: apart.collect(),
            values: values
                .iter()
                .map(|v| (names.name(*v), all(aliases.pointees(*v)), all(aliases.held_by(*v))))
                .collect(),
            writes: ops.iter().filter_map(written).collect(),
        }
    }

    fn lines(&self) -> String {
        let mut out = format!("aliases of {}", self.function);
        for (value, may_be, holds) in &self.values {
            let holds = if holds.is_empty() { String::new() } else { format!("; holds {}", holds.join(", ")) };
            let may_be = if may_be[..] == [value.clone()] { "itself".to_owned() } else { may_be.join(", ") };
            let _ = write!(out, "\n  {value}: {may_be}{holds}");
        }
        for (one, other) in &self.apart {
            let _ = write!(out, "\n  {one} and {other} have no element in common");
        }
        for (op, to) in &self.writes {
            let _ = write!(out, "\n  {op} writes to {}", to.join(", "));
        }
        out
    }

    fn dot(&self) -> String {
        let mut out = format!("digraph \"{}\" {{", self.function);
        for (value, may_be, holds) in &self.values {
            let _ = write!(out, "\n  \"{value}\";");
            for other in may_be.iter().filter(|other| *other != value) {
                let _ = write!(out, "\n  \"{value}\" -> \"{other}\";");
            }
            for held in holds {
                let _ = write!(out, "\n  \"{value}\" -> \"{held}\" [style=dashed, label=holds];");
            }
        }
        for (op, to) in &self.writes {
            for written in to {
                let _ = write!(out, "\n  \"{op}\" -> \"{written}\" [color=red, label=writes];");
            }
        }
        out + "\n}"
    }
}
