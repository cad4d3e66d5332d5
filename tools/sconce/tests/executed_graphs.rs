//! The graphs of calls are the texts that PyTorch's profiling executor gives for the same calls: watched, and then optimised without fusion.

#[path = "compiling"]
mod compiling {
    pub mod worker;
}

use expect_test::expect;
use sconce::executor::{CompileMode, DebugState, ExecutorMode, Settings};
use sconce::request::{Compiler, Worker};
use sconce::{Engine, IValue, Module, Options, Tensor};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

fn options(profiled_runs: u32) -> Options {
    let executor = Settings { profiled_runs, ..Settings::default() };
    Options { executor, watch: true, compiler: Some(compiler()), ..Options::default() }
}

/// Who runs the passes that PyTorch runs before it watches: one process for all tests.
fn compiler() -> Arc<dyn Compiler> {
    static ONE: OnceLock<Arc<Worker>> = OnceLock::new();
    ONE.get_or_init(|| Arc::new(compiling::worker::worker())).clone()
}

fn load(text: &str, options: Options) -> Module {
    let engine = Engine::new(options).expect("an engine");
    engine.load_bytes("fn.txt", "f", text.as_bytes()).expect("a program")
}

/// The seed's function: the one of PyTorch's own description of what executors do.
const SEED: &str = "graph(%x.1 : Tensor):
  %1 : int = prim::Constant[value=1]()
  %2 : int = prim::Constant[value=2]() # seed.py:3:26
  %3 : Tensor = aten::sin(%x.1) # seed.py:3:11
  %4 : Tensor = aten::mul(%3, %2) # seed.py:3:11
  %5 : Tensor = aten::add(%4, %x.1, %1) # seed.py:3:11
  return (%5)
";

fn tensor(sizes: &[i64]) -> IValue {
    let count: i64 = sizes.iter().product();
    Tensor::from_vec((0..count).map(|n| (n % 7) as f32 / 4.0 - 0.5).collect(), sizes).into()
}

#[test]
fn the_seed_is_printed_as_pytorch_prints_it() {
    let module = load(SEED, options(1));
    assert!(module.last_executed_optimized_graph().is_err());
    assert_eq!(module.debug_state("f").expect("a function").to_string(), "profiling, 1 runs left");
    let first = module.call("f", &[tensor(&[5])]).expect("a result");
    let seen = "prim::profile[profiled_type=Float(5, strides=[1], requires_grad=0, device=cpu), seen_none=0]";
    let watched = format!(
        "graph(%x.1 : Tensor):
  %1 : int = prim::Constant[value=1]()
  %2 : int = prim::Constant[value=2]() # seed.py:3:26
  %6 : Tensor = {seen}(%x.1)
  %3 : Tensor = aten::sin(%6) # seed.py:3:11
  %7 : Tensor = {seen}(%3)
  %4 : Tensor = aten::mul(%7, %2) # seed.py:3:11
  %8 : Tensor = {seen}(%4)
  %9 : Tensor = {seen}(%x.1)
  %5 : Tensor = aten::add(%8, %9, %1) # seed.py:3:11
  %10 : Tensor = {seen}(%5)
   = prim::profile()
  return (%10)
"
    );
    assert_eq!(module.last_executed_optimized_graph().expect("a graph"), watched);
    let second = module.call("f", &[tensor(&[5])]).expect("a result");
    let values = |v: &IValue| v.as_tensor().expect("a tensor").to_vec::<f32>();
    assert_eq!(values(&first), values(&second));
    let after = module.last_executed_optimized_graph().expect("a graph");
    assert!(after.contains(seen) && !after.contains("= prim::profile()"), "{after}");
    assert_eq!(module.graph_for("f", &[tensor(&[5])]).expect("a graph"), after);
}

#[test]
fn runs_that_differ_have_the_common_type() {
    let module = load(SEED, options(3));
    for (sizes, ty) in [
        (&[2, 3][..], "Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)"),
        (&[4, 3], "Float(*, 3, strides=[3, 1], requires_grad=0, device=cpu)"),
        (&[3], "FloatTensor(requires_grad=0, device=cpu)"),
    ] {
        module.call("f", &[tensor(sizes)]).expect("a result");
        let text = module.last_executed_optimized_graph().expect("a graph");
        let types = text.matches("profiled_type=").count();
        assert_eq!((types, text.matches(ty).count()), (5, 5), "{text}");
    }
}

#[test]
fn without_watching_the_graph_is_the_inlined_one() {
    for mode in [ExecutorMode::Off, ExecutorMode::Traditional] {
        let executor = Settings { mode, compile: CompileMode::Off, ..Settings::default() };
        let module = load(SEED, Options { executor, ..Options::default() });
        module.call("f", &[tensor(&[5])]).expect("a result");
        let text = module.last_executed_optimized_graph().expect("a graph");
        assert!(!text.contains("prim::profile") && text.contains("aten::sin(%x.1)"), "{text}");
    }
}

/// Plans after calls that require gradients and calls that do not, as many as PyTorch's traditional executor has then.
#[test]
fn the_traditional_executor_has_a_plan_with_gradients_and_one_without() {
    let executor = Settings { mode: ExecutorMode::Traditional, ..Settings::default() };
    let module = load(SEED, Options { executor, watch: true, ..Options::default() });
    let recorded = sconce_corpus::testdata("executor").expect("recordings");
    let calls: Vec<serde_json::Value> =
        serde_json::from_str(recorded.text("gradients.json").expect("it is recorded")).expect("a list");
    for call in &calls {
        let x = tensor(&[5]);
        x.as_tensor().expect("a tensor").set_requires_grad(call["requires_grad"] == true);
        module.call("f", &[x]).expect("a result");
        let DebugState::Ready { plans, .. } = module.debug_state("f").expect("a function") else {
            panic!("nothing is watched")
        };
        assert_eq!(plans.len() as u64, call["plans"].as_u64().expect("a number"));
    }
    expect![[r#"
        traditional, 2 plans
          Float(*, requires_grad=0, device=cpu): interpreted, 2 runs
          Float(*, requires_grad=1, device=cpu): interpreted, 2 runs
        2 hits, 2 misses, 0 fallbacks, 0 compiled, 0 failed"#]]
    .assert_eq(&module.debug_state("f").expect("a function").to_string());
}

#[test]
fn with_no_specialisation_nothing_is_watched() {
    let executor = Settings { fusion: "STATIC 0".parse().expect("a strategy"), ..Settings::default() };
    let module = load(SEED, Options { executor, watch: true, compiler: Some(compiler()), ..Options::default() });
    for _ in 0..2 {
        module.call("f", &[tensor(&[5])]).expect("a result");
        let text = module.last_executed_optimized_graph().expect("a graph");
        assert_eq!(text, SEED);
    }
}

/// What the recorded functions were called with.
fn arguments() -> BTreeMap<&'static str, Vec<IValue>> {
    let t = |sizes: &[i64]| tensor(sizes);
    let cell = [&[2, 3][..], &[2, 4], &[2, 4], &[16, 3], &[16, 4], &[16], &[16]];
    BTreeMap::from([
        ("pointwise", vec![t(&[2, 3]), t(&[2, 3])]),
        ("lstm_cell", cell.into_iter().map(t).collect()),
        ("small_loop", vec![t(&[3])]),
        ("guards", vec![t(&[3]), IValue::Bool(true)]),
        ("addmm_pattern", vec![t(&[2, 3]), t(&[3, 2]), t(&[2])]),
        ("norms", vec![t(&[2, 4]), t(&[4]), t(&[4])]),
        ("if_two", vec![t(&[3]), IValue::Int(3)]),
        ("chunk_split", vec![t(&[2, 3])]),
        ("loop_for", vec![t(&[2]), IValue::Int(3)]),
        ("views", vec![t(&[2, 2])]),
        ("early_return", vec![IValue::int_list(&[1, 2, 3]), IValue::Int(2)]),
        ("peephole", vec![t(&[2, 2]), t(&[2])]),
        ("batch_mm", vec![t(&[2, 2]), t(&[2, 2]), t(&[2, 2])]),
        ("isinstance_refine", vec![IValue::Int(3)]),
        ("if_none", vec![t(&[2])]),
        ("function_call", vec![t(&[3])]),
        ("fork_wait", vec![t(&[3])]),
        ("raises", vec![IValue::Int(3)]),
    ])
}

/// A text with the values of each variable numbered as they come: PyTorch counts those, too, that its compiler made and threw away.
fn renamed(text: &str) -> String {
    let mut numbers: BTreeMap<String, String> = BTreeMap::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut out = String::new();
    let mut rest = text.trim();
    while let Some((before, after)) = rest.split_once('%') {
        let end = after.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(after.len());
        let (name, tail) = after.split_at(end);
        let variable = name.rsplit_once('.').map_or(name, |(variable, _)| variable);
        let number = numbers.entry(name.into()).or_insert_with(|| {
            let count = counts.entry(variable.into()).or_default();
            *count += 1;
            format!("%{variable}.{count}")
        });
        out += before;
        // Those without a name have PyTorch's numbers.
        let is_number = name.bytes().all(|b| b.is_ascii_digit());
        out += &if is_number { format!("%{name}") } else { number.clone() };
        rest = tail;
    }
    out + rest
}

const GRADIENTS: &str = "PyTorch cuts out a graph to be differentiated; here gradients are found as operators run";
const LOOPS: &str = "PyTorch peels, unrolls and takes apart loops before it specialises";
const SELECTION: &str = "PyTorch makes an operator of a branch that only chooses";
const CONSTANTS: &str = "PyTorch finds the constants of inlined calls and folded branches in another order";
const CALLEES: &str = "graph text does not hold the functions that are forked, so it cannot be run";

/// Texts that are not PyTorch's, and why.
const OTHERS: &[(&str, &str)] = &[
    ("addmm_pattern.grad after call 2", GRADIENTS),
    ("chunk_split.grad after call 2", GRADIENTS),
    ("early_return.profiled after call 2", SELECTION),
    ("fork_wait.profiled", CALLEES),
    ("function_call.grad after call 2", GRADIENTS),
    ("guards.profiled after call 2", LOOPS),
    ("loop_for.profiled after call 2", LOOPS),
    ("lstm_cell.grad after call 2", GRADIENTS),
    ("norms.profiled after call 1", CONSTANTS),
    ("norms.profiled after call 2", CONSTANTS),
    ("norms.grad after call 1", CONSTANTS),
    ("norms.grad after call 2", GRADIENTS),
    ("peephole.profiled after call 1", CONSTANTS),
    ("peephole.profiled after call 2", CONSTANTS),
    ("pointwise.grad after call 2", GRADIENTS),
    ("small_loop.profiled after call 2", LOOPS),
    ("small_loop.grad after call 2", GRADIENTS),
];

#[test]
fn recorded_functions_have_the_texts_that_pytorch_gave() {
    let corpus = sconce_corpus::testdata("listings").expect("recordings");
    let read = |name: &str| corpus.text(&format!("graphs/2.15/{name}.txt"));
    let (mut equal, mut others) = (0, Vec::new());
    for (name, arguments) in arguments() {
        for (tag, grad) in [("profiled", false), ("grad", true)] {
            let inlined = read(&format!("fn.{name}.inlined")).or_else(|| read(&format!("fn.{name}")));
            let (Some(first), Some(second), Some(text)) =
                (read(&format!("run.{name}.{tag}_1")), read(&format!("run.{name}.{tag}")), inlined)
            else {
                continue;
            };
            let engine = Engine::new(options(1)).expect("an engine");
            // Graph text does not hold the functions that it calls.
            let Ok(module) = engine.load_bytes("fn.txt", "f", text.as_bytes()) else {
                others.push(format!("{name}.{tag}"));
                continue;
            };
            let function = module.function_or_default(None).expect("a function");
            for v in &arguments {
                if let IValue::Tensor(t) = v {
                    t.set_requires_grad(grad);
                }
            }
            for (calls, expected) in [first, second].into_iter().enumerate() {
                module.call(&function, &arguments).expect("a result");
                let text = module.last_executed_optimized_graph().expect("a graph");
                let title = format!("{name}.{tag} after call {}", calls + 1);
                if renamed(&text) == renamed(expected) {
                    equal += 1;
                } else {
                    if std::env::var_os("SCONCE_SHOW").is_some() {
                        println!("== {title}\n{text}-- PyTorch\n{expected}");
                    }
                    others.push(title);
                }
            }
        }
    }
    println!("{equal} texts are PyTorch's, {} are not:", others.len());
    OTHERS.iter().for_each(|(title, why)| println!("{title}: {why}"));
    let explained: Vec<&str> = OTHERS.iter().map(|(title, _)| *title).collect();
    assert_eq!((equal, others.iter().map(String::as_str).collect()), (32, explained));
}
