//! Compiles entries of source files and says what was refused: `cargo run -p sconce-script --example compile_sources -- [--print] source.py…`.
//! `--report ENTRY` prints the whole report of one file.

use sconce_graph::graph::Graph;
use sconce_python::{Error, Options, Program};
use sconce_tensor::IValue;

/// What entries of recorded programs call.
const GENERATOR: &str = "
def fill(m, seed=0, scale=0.5):
    return m
def frozen(m, preserved=None, optimize=True):
    return m.eval()
def traced(m, inputs=None, check_trace=True):
    return m
";

/// Tuples that are taken apart where they were made.
fn lower_simple_tuples(graph: &mut Graph) {
    for node in graph.walk(graph.root()) {
        let made =
            graph.input(node, 0).and_then(|v| graph.defining(v)).filter(|n| graph.is(*n, "prim::TupleConstruct"));
        let Some(made) = made else { continue };
        let members = graph.inputs(made).to_vec();
        if graph.is(node, "prim::TupleUnpack") {
            for (output, member) in graph.outputs(node).to_vec().into_iter().zip(members) {
                graph.replace_uses(output, member);
            }
        } else if graph.is(node, "prim::TupleIndex")
            && let Some(IValue::Int(i)) = graph.input(node, 1).and_then(|v| graph.constant(v)).cloned()
        {
            let at = if i < 0 { i + members.len() as i64 } else { i };
            if let (Some(output), Some(member)) = (graph.output(node), members.get(at as usize)) {
                graph.replace_uses(output, *member);
            }
        }
    }
}

fn report(e: &Error) -> String {
    match e {
        Error::Compile(e) => e.report(),
        other => other.to_string(),
    }
}

fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    if args.first().is_some_and(|a| a == "--report") {
        let text = std::fs::read_to_string(&args[2]).expect("a file");
        let name = std::path::Path::new(&args[2]).file_name().map_or("source.py".into(), |n| n.to_string_lossy());
        let result = Program::new(&name, &text, Options::default()).and_then(|mut p| p.compile(&args[1]));
        if let Err(e) = result {
            print!("{}", report(&e));
        }
        return;
    }
    let print = args.iter().any(|a| a == "--print");
    args.retain(|a| !a.starts_with("--"));
    let (mut good, mut bad) = (0, 0);
    for path in &args {
        let mut text = std::fs::read_to_string(path).expect("a file");
        text.push_str(GENERATOR);
        let entry = text.lines().find_map(|l| l.strip_prefix("#@ entry ")).unwrap_or("f").trim().to_owned();
        let folder = std::path::Path::new(path).parent().and_then(|p| p.file_name());
        let name = format!("{}.py", folder.map_or("m".into(), |n| n.to_string_lossy()));
        if print {
            println!("#### {path}");
        }
        let compiled = Program::new(&name, &text, Options::default()).and_then(|mut p| p.compile(&entry).map(|_| p));
        match compiled {
            Ok(program) => {
                good += 1;
                for (name, f) in program.compiler.unit.functions {
                    if let Err(e) = sconce_graph::lint::lint(&f.graph) {
                        println!("LINT {path} {name}: {e:?}");
                    }
                    if print {
                        let mut graph = f.graph;
                        lower_simple_tuples(&mut graph);
                        println!("== {name}\n{}", sconce_graph::listing::to_listing(&graph));
                    }
                }
            }
            Err(e) => {
                bad += 1;
                println!("BAD {path}: {}", report(&e));
            }
        }
    }
    println!("{good} compiled, {bad} refused");
}
