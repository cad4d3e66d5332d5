//! How long a million questions about aliases take on a function of ten thousand operations.
//!
//!     cargo run --release -p sconce-passes --example alias_queries [OPERATIONS] [QUESTIONS]

use sconce_analysis::Aliases;
use sconce_ir::prelude::*;
use std::fmt::Write;
use std::time::Instant;

/// Views, lists of them, what is taken out again, and writes, in turns.
fn graph(operations: usize) -> String {
    let mut text = String::from("graph(%x : Tensor):\n  %zero : int = prim::Constant[value=0]()\n");
    let mut last = "%x".to_owned();
    for i in 0..operations {
        let (name, ty, call) = match i % 5 {
            0 => (format!("%n{i}"), "Tensor", format!("aten::neg({last})")),
            1 => (format!("%v{i}"), "Tensor", format!("aten::t({last})")),
            2 => (format!("%l{i}"), "Tensor[]", format!("prim::ListConstruct({last}, %n{})", i - 2)),
            3 => (format!("%e{i}"), "Tensor", format!("aten::__getitem__({last}, %zero)")),
            _ => (format!("%w{i}"), "Tensor", format!("aten::relu_({last})")),
        };
        let _ = writeln!(text, "  {name} : {ty} = {call}");
        last = name;
    }
    let _ = writeln!(text, "  return ({last})");
    text
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).map(|n| n.parse::<usize>());
    let operations = arguments.next().transpose()?.unwrap_or(10_000);
    let questions = arguments.next().transpose()?.unwrap_or(1_000_000);
    let context = sconce_torch::context(false)?;
    let text = graph(operations);
    let module =
        sconce_import::text::import_text(&context, "graph.txt", &text, "forward").map_err(|e| e.report(false))?;
    let function = SymbolTable::of(module.module.as_operation()).get("forward").ok_or("no function")?;
    let start = Instant::now();
    let aliases = Aliases::of(function);
    println!("{operations} operations analysed in {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
    let body = function.body(0).ok_or("no body")?;
    let values: Vec<_> = body.ops().into_iter().flat_map(OpExt::result_values).collect();
    // Pairs that are near and far, the same in every run.
    let pair = |i: usize| {
        let mixed = (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
        (values[i % values.len()], values[mixed as usize % values.len()])
    };
    let time = |name: &str, ask: &dyn Fn(usize) -> bool| {
        let start = Instant::now();
        let yes = (0..questions).filter(|i| ask(*i)).count();
        println!("{questions} of {name} in {:.3} s, {yes} may", start.elapsed().as_secs_f64());
    };
    time("may_alias", &|i| aliases.may_alias(pair(i).0, pair(i).1));
    time("may_contain_alias", &|i| aliases.may_contain_alias(pair(i).0, pair(i).1));
    Ok(())
}
