//! Functions before any executor has them, inlined and after three passes, are the graphs that PyTorch has then.

#[path = "compiling"]
mod compiling {
    pub mod worker;
}

use sconce::{Engine, Options, SourceOptions};
use sconce_corpus::{records, testdata};
use sconce_graph::listing::{from_listing, to_listing};
use sconce_syntax::graph_text;
use std::sync::Arc;

/// A graph's text without places and names; `None` where the text does not say the graph wholly.
fn plain(name: &str, text: &str) -> Option<String> {
    let place = |at: &str| at.rsplit(':').take(2).all(|n| n.bytes().all(|b| b.is_ascii_digit()));
    let without = |line: &str| match line.rsplit_once(" # ") {
        Some((line, at)) if place(at) => format!("{line}\n"),
        _ => format!("{line}\n"),
    };
    let text: String = text.lines().map(without).collect();
    let listing = graph_text::read(name, &text).unwrap_or_else(|e| panic!("{name}: {e}"));
    Some(to_listing(&from_listing(&listing).ok()?.without_names()).to_string())
}

const CONSTANTS: &str = "where calls were inlined PyTorch pools constants once more or once less, and each time they come in the reverse order";
const FORKED: &str = "PyTorch keeps the call in the graph that is forked; here it is inlined";
const LIBRARY: &str = "it calls what torch has in Python, whose texts here are our own";
const ITSELF: &str = "PyTorch takes a float for equal to itself, which NaN is not";
const DICTIONARIES: &str = "PyTorch looks through dictionaries that nobody writes to";

/// Graphs that are not PyTorch's, and why.
const OTHERS: &[(&str, &str)] = &[
    ("annotations/defaults_kwargs", CONSTANTS),
    ("annotations/no_return", CONSTANTS),
    ("calls/function_chain", CONSTANTS),
    ("calls/functional_library", CONSTANTS),
    ("calls/keyword_and_default", CONSTANTS),
    ("calls/multi_return", CONSTANTS),
    ("calls/mutate_in_callee", CONSTANTS),
    ("calls/tuple_arguments", CONSTANTS),
    ("compare_logic/nan_checks", ITSELF),
    ("compare_logic/short_circuit", CONSTANTS),
    ("comprehensions/comp_with_call", CONSTANTS),
    ("exceptions/nested_traceback", CONSTANTS),
    ("fork_wait/fork_default_args", FORKED),
    ("fork_wait/fork_error", FORKED),
    ("fork_wait/fork_function", FORKED),
    ("fork_wait/fork_future_methods", FORKED),
    ("fork_wait/fork_many", FORKED),
    ("fork_wait/fork_tuple_result", FORKED),
    ("fork_wait/nested_fork", FORKED),
    ("fork_wait/wait_twice", FORKED),
    ("inplace_alias/write_through_dict_tuple", DICTIONARIES),
    ("nets/kmeans", LIBRARY),
    ("nets/nms", CONSTANTS),
    ("nets/rk4_integrator", CONSTANTS),
    ("numeric/activations", CONSTANTS),
    ("numeric/batch_norm_train", LIBRARY),
    ("numeric/einsum", LIBRARY),
    ("numeric/embedding", LIBRARY),
    ("numeric/fold_unfold", CONSTANTS),
    ("numeric/grid_sample_affine", LIBRARY),
    ("numeric/interpolate", LIBRARY),
    ("numeric/loss_options", LIBRARY),
    ("numeric/losses", LIBRARY),
    ("numeric/meshgrid_cartesian", LIBRARY),
    ("numeric/norms", LIBRARY),
    ("numeric/pooling", LIBRARY),
    ("numeric/softmax_family", CONSTANTS),
    ("numeric/sort_topk", LIBRARY),
    ("numeric/unique_counts", CONSTANTS),
    ("overview/fork_example", FORKED),
    ("random_ops/bernoulli_dropout", CONSTANTS),
    ("surprising/mixed_dict_values", DICTIONARIES),
    ("tuples/named_tuple_arg", CONSTANTS),
    ("unions/any_tuple_identity", CONSTANTS),
    ("unions/type_dispatch_number", CONSTANTS),
    ("with_stmt/no_grad", CONSTANTS),
    ("with_stmt/profiler_record", LIBRARY),
];

#[test]
fn functions_are_preoptimised_as_by_pytorch() {
    let (programs, executor) = (testdata("programs").expect("programs"), testdata("executor").expect("recordings"));
    let compiler = Some(Arc::new(compiling::worker::worker()) as _);
    let engine = Engine::new(Options { compiler, ..Options::default() }).expect("an engine");
    let (mut equal, mut partial, mut others) = (0, 0, Vec::new());
    for (title, expected) in records(executor.text("preoptimized.txt").expect("it is recorded"), "## ") {
        let name = title.trim_start_matches("## ");
        let source = programs.text(&format!("{name}/source.py")).unwrap_or_else(|| panic!("{name} is no program"));
        let entry = source.lines().find_map(|l| l.strip_prefix("#@ entry ")).map(|e| e.trim().to_owned());
        let options = SourceOptions { entry, module: "program".into(), ..SourceOptions::default() };
        let Some(expected) = plain(name, expected) else {
            partial += 1;
            continue;
        };
        let made = engine.compile_source("source.py", source, &options).and_then(|module| {
            let module = module.after_passes("torch-inline")?;
            let function = module.function_or_default(None)?;
            Ok(module.unit().and_then(|unit| unit.functions.get(&*function)).map(|f| to_listing(&f.graph).to_string()))
        });
        let made = made.ok().flatten().and_then(|text| plain(name, &text));
        if made.as_ref() == Some(&expected) {
            equal += 1;
            continue;
        }
        if std::env::var_os("SCONCE_SHOW").is_some() {
            println!("== {name}\n{}-- PyTorch\n{expected}", made.unwrap_or_default());
        }
        others.push(name);
    }
    println!("{equal} graphs are PyTorch's, {} are not, {partial} are not wholly said by their text:", others.len());
    OTHERS.iter().for_each(|(name, why)| println!("{name}: {why}"));
    let explained: Vec<&str> = OTHERS.iter().map(|(name, _)| *name).collect();
    assert_eq!((equal, partial, others), (334, 0, explained));
}
