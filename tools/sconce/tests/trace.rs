//! `torch.jit.trace` of recorded programs: results bit for bit, graphs as PyTorch writes them, its warnings and its refusals.

#[path = "compiling"]
mod compiling {
    pub mod engine;
    pub mod worker;
}

use sconce::check::{From, Question, Tally, check};
use sconce::executor::Specialization;
use sconce::request::{self, Answer, Compiler, Subject, Want, Worker};
use sconce::written::Form;
use sconce::{Engine, IValue, Options, SourceOptions, Tensor};
use sconce_corpus::Corpus;
use sconce_graph::graph::{Attr, BlockId, Graph, NodeId, ValueId};
use sconce_python::Program;
use std::sync::OnceLock;

fn recorded() -> Corpus {
    sconce_corpus::testdata("trace").expect("the recordings are readable")
}

/// The folders of the recordings with their sources.
fn programs(corpus: &Corpus) -> Vec<(String, String)> {
    let name = |path: &str| path.strip_suffix("/source.py").map(str::to_owned);
    corpus.iter().filter_map(|(path, bytes)| Some((name(path)?, String::from_utf8_lossy(bytes).into_owned()))).collect()
}

fn entry(source: &str) -> &str {
    source.lines().find_map(|l| l.strip_prefix("#@ entry ")).expect("each source has an entry")
}

fn options(name: &str, source: &str) -> SourceOptions {
    let module = name.rsplit('/').next().unwrap_or(name).to_owned();
    SourceOptions { entry: Some(entry(source).to_owned()), module, ..SourceOptions::default() }
}

#[test]
fn traces_compute_what_pytorchs_traces_compute() {
    let folder = sconce_corpus::testdata_folder().join("trace.tar.zst");
    let forms = [(None, false), (Some(Form::Pt), false), (None, true)];
    for (through, compile) in forms {
        let options = if compile { compiling::engine::options(Specialization::Static) } else { Options::default() };
        let question = Question { from: From::Source, through, options, ..Question::default() };
        let mut tally = Tally::default();
        check(&folder, &question, None, &mut tally).expect("the recordings are readable");
        assert!(tally.failed.is_empty(), "{through:?}: {:?}", tally.failed);
        assert!(tally.passed >= 102, "{through:?}: {} passed", tally.passed);
    }
}

/// Graphs are equal when their nodes are, in order, whatever their values are called and wherever their constants and attributes stand.
#[test]
fn most_traces_are_the_graphs_that_pytorch_writes() {
    let corpus = recorded();
    let (mut equal, mut unequal) = (0, Vec::new());
    for (name, source) in programs(&corpus) {
        let Some(theirs) = corpus.text(&format!("{name}/traced.txt")) else { continue };
        match graph_of(&name, &source).and_then(|ours| differing(&ours, theirs)) {
            Ok(None) => equal += 1,
            Ok(Some(line)) | Err(line) => unequal.push(format!("{name}: {line}")),
        }
    }
    println!("{equal} graphs are equal; not equal:\n{}", unequal.join("\n"));
    assert!(equal >= EQUAL_GRAPHS, "{equal} graphs are equal");
}

const EQUAL_GRAPHS: usize = 87;

fn graph_of(name: &str, source: &str) -> Result<String, String> {
    let engine = Engine::new(Options::default()).map_err(|e| e.to_string())?;
    let module = engine.compile_source("source.py", source, &options(name, source)).map_err(|e| e.to_string())?;
    let function = module.function_or_first("forward").map_err(|e| e.to_string())?;
    module.inlined_graph(&function).map_err(|e| e.to_string())
}

/// The first line that differs.
fn differing(ours: &str, theirs: &str) -> Result<Option<String>, String> {
    let (ours, theirs) = (canonical(ours)?, canonical(theirs)?);
    let differs = |(a, b): &(&String, &String)| a != b;
    let first = ours.iter().zip(&theirs).find(differs).map(|(a, b)| format!("\n    {a}\n    {b}"));
    Ok(first.or_else(|| (ours.len() != theirs.len()).then(|| format!("{} and {} nodes", ours.len(), theirs.len()))))
}

fn canonical(text: &str) -> Result<Vec<String>, String> {
    let text = text.find("graph(").and_then(|at| text.get(at..)).unwrap_or_default();
    let subject = Subject::GraphText { name: "graph.txt".into(), text: text.into() };
    let want = Want::Passes {
        pipeline: "lower-simple-tuples,torch-cse,dce".into(),
        checks: sconce_request::Checks::default(),
    };
    static COMPILER: OnceLock<Worker> = OnceLock::new();
    let compiler = COMPILER.get_or_init(compiling::worker::worker);
    let answer = compiler.ask(&request::Question { subject, want }).map_err(|e| e.to_string())?;
    let Answer::Unit(unit) = answer else { return Err("no unit".into()) };
    let graph = unit.functions.first().map(|(_, f)| f.graph.clone()).ok_or("no function")?;
    let mut lines = Vec::new();
    let mut names = vec![String::new(); graph.value_count()];
    block(&graph, graph.root(), &mut names, &mut lines);
    Ok(lines)
}

fn block(graph: &Graph, block_id: BlockId, names: &mut Vec<String>, lines: &mut Vec<String>) {
    for input in graph.block_inputs(block_id) {
        define(graph, *input, names);
    }
    for node in graph.block_nodes(block_id) {
        match &**graph.kind(*node) {
            "prim::Constant" | "prim::GetAttr" => {
                let text = plain(graph, *node, names);
                if let Some(value) = graph.output(*node) {
                    names[value.index()] = text;
                }
            }
            kind => {
                let operands = text_of(graph.inputs(*node), names);
                graph.outputs(*node).iter().for_each(|v| define(graph, *v, names));
                let types: Vec<String> = graph.outputs(*node).iter().map(|v| graph.ty(*v).to_string()).collect();
                lines.push(format!(
                    "{} = {kind}({operands}) : {}",
                    text_of(graph.outputs(*node), names),
                    types.join(", ")
                ));
                graph.blocks(*node).iter().for_each(|inner| block(graph, *inner, names, lines));
            }
        }
    }
    lines.push(format!("-> {}", text_of(graph.block_outputs(block_id), names)));
}

/// Values are numbered as they come.
fn define(_: &Graph, value: ValueId, names: &mut [String]) {
    let is_number = |n: &&String| n.strip_prefix('%').is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
    let number = names.iter().filter(is_number).count();
    names[value.index()] = format!("%{number}");
}

fn text_of(values: &[ValueId], names: &[String]) -> String {
    values.iter().map(|v| names[v.index()].as_str()).collect::<Vec<_>>().join(", ")
}

/// A constant or attribute as what it is.
fn plain(graph: &Graph, node: NodeId, names: &[String]) -> String {
    let name = graph.str_attr(node, "name").map(|n| n.to_string());
    match (graph.is(node, "prim::GetAttr"), graph.attr(node, "value")) {
        (true, _) => format!("{}.{}", text_of(graph.inputs(node), names), name.unwrap_or_default()),
        (_, Some(Attr::Value(v))) => format!("{v:?}"),
        _ => "None".to_owned(),
    }
}

#[test]
fn what_cannot_be_traced_is_refused_as_pytorch_refuses_it() {
    let corpus = recorded();
    let mut seen = 0;
    for (name, source) in programs(&corpus) {
        let recorded = trace_of(&corpus, &name);
        let Some([class, text]) = recorded["error"].as_array().map(|e| [e[0].to_string(), e[1].to_string()]) else {
            continue;
        };
        // Differences of graphs are told shorter here.
        let first_lines = |text: &str| text.replace("\\n", "\n").lines().take(2).collect::<Vec<_>>().join("\n");
        let wanted = first_lines(text.trim_matches('"'));
        let Err(ours) = evaluate(&name, &source) else { panic!("{name}: PyTorch refuses it: {text}") };
        let class = class.trim_matches('"');
        assert!(ours.contains(class) && ours.contains(&wanted), "{name}: {ours}\nPyTorch: {class}: {wanted}");
        seen += 1;
    }
    assert!(seen >= 7, "{seen} refusals");
}

#[test]
fn values_that_a_trace_freezes_are_warned_of() {
    let corpus = recorded();
    let mut seen = 0;
    for (name, source) in programs(&corpus).into_iter().filter(|(name, _)| !name.contains("module_")) {
        let recorded = trace_of(&corpus, &name);
        if LIBRARY.contains(&&*name) {
            continue;
        }
        let theirs: Vec<String> = recorded["warnings"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|w| w[1].as_str().map(first_line))
            .collect();
        let mut program = Program::new("source.py", &source, Default::default()).expect("it is read");
        let _ = program.compile(entry(&source));
        let mut ours: Vec<String> = program.take_warnings().iter().map(|w| first_line(&w.text)).collect();
        ours.dedup();
        assert_eq!(ours, theirs, "{name}");
        seen += theirs.len();
    }
    assert!(seen >= 12, "{seen} warnings");
}

/// Programs whose warnings come from PyTorch's own Python, which is not ours, or that differ in what runs first.
const LIBRARY: &[&str] = &["losses"];

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

fn trace_of(corpus: &Corpus, name: &str) -> serde_json::Value {
    let text = corpus.text(&format!("{name}/trace.json")).expect("each program has its record");
    serde_json::from_str(text).expect("it is JSON")
}

fn evaluate(_: &str, source: &str) -> Result<(), String> {
    let mut program = Program::new("source.py", source, Default::default()).map_err(|e| e.to_string())?;
    program.compile(entry(source)).map(|_| ()).map_err(|e| e.to_string())
}

/// A scripted model that is run with example inputs gives a graph without branches, which gives the same.
#[test]
fn a_scripted_model_is_traced_by_running_it() {
    let text = "\
import torch
from torch import nn
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(3, 3)
    def forward(self, x):
        for i in range(3):
            if bool(x.sum() > 100):
                x = x - 1
            elif i % 2 == 0:
                x = self.l(x)
            else:
                x += i
        return {'a': torch.cat(x.chunk(3, 1)), 'b': x}, (x.t(),)
";
    let engine = Engine::new(Options::default()).expect("it starts");
    let options = SourceOptions { entry: Some("M()".into()), ..SourceOptions::default() };
    let module = engine.compile_source("m.py", text, &options).expect("it compiles");
    let x = |n: i64| Tensor::from_vec((0..n * 3).map(|i| i as f32 / 8.0).collect::<Vec<_>>(), &[n, 3]);
    let wanted = [2, 5].map(|n| format!("{:?}", module.call("forward", &[x(n).into()]).expect("it runs")));
    let traced = module.traced("__torch__.m.M.forward", &[x(2).into()]).expect("it is traced");
    let graph = traced.graph("__torch__.m.M.forward").expect("it has a graph");
    for kind in ["prim::If", "prim::Loop", "prim::Call"] {
        assert!(!graph.contains(kind), "{graph}");
    }
    assert!(graph.contains("prim::GetAttr[name=\"weight\"]") && graph.contains("m.py:14:"), "{graph}");
    assert!(graph.contains("Float(2, 3, strides=[3, 1], requires_grad=1, device=cpu) = aten::linear"), "{graph}");
    for (n, wanted) in [2, 5].into_iter().zip(wanted) {
        assert_eq!(format!("{:?}", traced.call("forward", &[x(n).into()]).expect("it runs")), wanted);
    }
    let refused = engine.compile_source("m.py", "def f(x, n: int):\n    return x * n\n", &SourceOptions::default());
    let refused = refused.expect("it compiles").traced("f", &[x(2).into(), IValue::Int(2)]);
    assert!(refused.err().is_some_and(|e| e.to_string().contains("cannot be traced")));
}

/// What was implicit is a node of its own, which can go: then the trace runs at a second batch size.
#[test]
fn sizes_of_inputs_stay_sizes() {
    let engine = Engine::new(Options::default()).expect("it starts");
    let ones =
        |sizes: &[i64]| IValue::Tensor(Tensor::from_vec(vec![1f32; sizes.iter().product::<i64>() as usize], sizes));
    let text = "def f(x, y):\n    return y.expand(x.size(0), -1) + x, x.view(x.shape[0] * 2, -1)\n";
    let traced = engine.trace_source("m.py", text, None, &[ones(&[2, 4]), ones(&[1, 4])], true);
    let (module, warnings) = traced.expect("it is traced");
    assert!(warnings.is_empty(), "{warnings:?}");
    let graph = module.graph("__torch__.m.f").expect("it has a graph");
    assert!(graph.contains("aten::expand(") && graph.contains("prim::NumToTensor("), "{graph}");
    let out = module.call("f", &[ones(&[5, 4]), ones(&[1, 4])]).expect("another batch runs");
    let IValue::Tuple(out) = out else { panic!("two results") };
    let sizes: Vec<_> = out.items.iter().map(|v| v.as_tensor().expect("tensors").sizes().to_vec()).collect();
    assert_eq!(sizes, [vec![5, 4], vec![10, 2]]);
}
