//! Compiles source files and compares every function's graph with a recording of PyTorch's, after renumbering and without places:
//! `cargo run -p sconce --example judge_graphs -- [--show] [--inlined] FOLDER…`, each with `source.py` and `graph.txt`
//! (`inlined_graph.txt`, which has the entry's methods with all calls inlined).

use sconce::freeze::{Folding, freeze};
use sconce::{Engine, Options as EngineOptions};
use sconce_graph::graph::Graph;
use sconce_graph::listing::{from_listing, to_listing_in};
use sconce_graph::unit::{Function, Unit};
use sconce_python::{Entry, Options, Program};
use sconce_script::passes;
use sconce_syntax::graph_text;
use sconce_tensor::IValue;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What entries of recorded programs call.
const GENERATOR: &str = "
def fill(m, seed=0, scale=0.5):
    return m
def frozen(m, preserved=None, optimize=True):
    return torch.jit.freeze(m.eval(), preserved)
def traced(m, inputs=None, check_trace=True):
    return m
";

/// The text without names, places and the numbers of mangled names.
fn plain(unit: &Unit, graph: &Graph) -> String {
    let graph = graph.clone().without_names().without_places().without_warning_numbers();
    unmangled(&to_listing_in(unit, &graph).to_string())
}

fn unmangled(text: &str) -> String {
    let mut out = String::new();
    let mut parts = text.split("___torch_mangle_");
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        out.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('.'));
    }
    out
}

fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let show = args.iter().any(|a| a == "--show");
    let inlined = args.iter().any(|a| a == "--inlined");
    args.retain(|a| !a.starts_with("--"));
    let options = EngineOptions { compiler: Some(Arc::new(sconce_compiler::InProcess)), ..EngineOptions::default() };
    let engine = Engine::new(options).expect("an engine");
    let (mut programs, mut equal_programs, mut functions, mut equal, mut refused, mut partial) = (0, 0, 0, 0, 0, 0);
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for folder in &args {
        let read = |name: &str| std::fs::read_to_string(format!("{folder}/{name}"));
        let (Ok(mut text), Ok(recorded)) =
            (read("source.py"), read(if inlined { "inlined_graph.txt" } else { "graph.txt" }))
        else {
            continue;
        };
        text.push_str(GENERATOR);
        let entry = text.lines().find_map(|l| l.strip_prefix("#@ entry ")).unwrap_or("f").trim().to_owned();
        programs += 1;
        let name = folder.trim_end_matches('/').rsplit('/').next().unwrap_or("m");
        let compiled = Program::new(&format!("{name}.py"), &text, Options::default())
            .and_then(|mut p| p.compile(&entry).map(|compiled| (p, compiled)));
        let unit = match compiled {
            Ok((program, compiled)) => {
                let mut unit = program.compiler.unit;
                if let (Some(kept), Entry::Module { object: IValue::Object(module), .. }) =
                    (compiled.freeze, compiled.entry)
                {
                    match freeze(&engine, &unit, &module, &kept, Folding::Off) {
                        Ok((frozen, _)) => unit = frozen,
                        Err(e) => println!("NOT FROZEN {folder}: {e}"),
                    }
                }
                unit
            }
            Err(e) => {
                refused += 1;
                println!("REFUSED {folder}: {}", e.to_string().lines().next().unwrap_or_default());
                continue;
            }
        };
        let graph_of = |f: &Function| {
            let graph = if inlined { passes::inline(&unit, &f.name).ok() } else { None };
            (f.name.to_string(), graph.unwrap_or_else(|| f.graph.clone()))
        };
        let ours: BTreeMap<String, Graph> = unit.functions.values().map(graph_of).collect();
        let listings = graph_text::read_methods("graph.txt", &recorded).unwrap_or_default();
        let mut all = true;
        for (name, listing) in &listings {
            let Ok(expected) = from_listing(listing) else {
                partial += 1;
                continue;
            };
            functions += 1;
            let should = plain(&unit, &expected);
            let named = ours
                .get(name)
                .or_else(|| ours.iter().find(|(n, _)| unmangled(n) == unmangled(name)).map(|(_, graph)| graph));
            let is = match named {
                Some(graph) => plain(&unit, graph),
                None => format!("{name} was not compiled\n"),
            };
            if is == should {
                equal += 1;
                continue;
            }
            all = false;
            let differing = is.lines().zip(should.lines()).find(|(a, b)| a != b);
            let (a, b) = differing.unwrap_or(("", "more lines"));
            println!("DIFFERS {folder} {name}:\n    {a}\n    {b}");
            let kind =
                |l: &str| l.split(" = ").nth(1).unwrap_or(l).split(['(', '[']).next().unwrap_or_default().to_owned();
            *reasons.entry(format!("{} / {}", kind(a), kind(b))).or_default() += 1;
            if show {
                println!("-- is\n{is}-- should\n{should}");
            }
        }
        equal_programs += usize::from(all);
    }
    let mut reasons: Vec<(usize, String)> = reasons.into_iter().map(|(r, n)| (n, r)).collect();
    reasons.sort_by(|a, b| b.cmp(a));
    for (count, reason) in reasons.iter().take(25) {
        println!("{count:4} {reason}");
    }
    println!(
        "{equal_programs} of {programs} programs equal, {refused} refused; {equal} of {functions} functions, {partial} not wholly in the text"
    );
}
