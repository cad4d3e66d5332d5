//! Without optimisation programs give, bit for bit, what they give with it: in the first calls and in those that static plans run.

use sconce::executor::{CompileMode, ExecutorMode, Settings};
use sconce::value_text::{format_value, named_tensors};
use sconce::{Engine, Error, IValue, Module, Options};
use sconce_conformance::calls::{Subject, read};
use sconce_interpreter::program::Parameter;
use sconce_interpreter::{Cause, Options as RunOptions, RunError};
use sconce_kernels::Outputs;

/// A module whose results are kept as they are.
struct Kept {
    module: Module,
    results: Vec<String>,
}

/// A value with every bit of its tensors.
fn bits(value: &IValue) -> String {
    let tensors = named_tensors(value).unwrap_or_default();
    let bytes = tensors.iter().map(|(name, t)| {
        let bytes = t.contiguous().map(|t| t.read_bytes()).unwrap_or_default();
        format!("{name} {} {:?} {:?} {bytes:?}", t.dtype(), t.sizes(), t.strides())
    });
    format!("{}\n{}", format_value(value), bytes.collect::<Vec<_>>().join("\n"))
}

impl Subject for Kept {
    fn parameters(&self, method: &str) -> Result<Vec<Parameter>, sconce_conformance::Error> {
        let wrong = |e: Error| sconce_conformance::Error::Malformed(e.to_string());
        let name = self.module.function_or_first(method).map_err(wrong)?;
        self.module.own_parameters(&name).map(<[Parameter]>::to_vec).map_err(wrong)
    }

    fn call(
        &mut self,
        method: &str,
        positional: Vec<IValue>,
        named: Vec<(String, IValue)>,
        options: &RunOptions,
    ) -> Result<Outputs, RunError> {
        let wrong = |e: Error| match e {
            Error::Run(e) => *e,
            e => RunError::new(Cause::Operator, "RuntimeError", e.to_string()),
        };
        let named: Vec<(&str, IValue)> = named.iter().map(|(n, v)| (n.as_str(), v.clone())).collect();
        let name = self.module.function_or_first(method).map_err(wrong)?;
        let outputs = self.module.call_with(&name, &positional, &named, options).map_err(wrong);
        self.results.push(match &outputs {
            Ok(outputs) => outputs.iter().map(bits).collect(),
            Err(e) => e.last_line(),
        });
        outputs
    }

    fn attribute(&self, name: &str) -> Result<IValue, sconce_conformance::Error> {
        self.module.attr(name).map_err(|e| sconce_conformance::Error::Malformed(e.to_string()))
    }
}

#[test]
fn results_are_the_same_bits() {
    let off = Settings { mode: ExecutorMode::Off, compile: CompileMode::Off, ..Settings::default() };
    // Who watches nothing and has no compiler needs no executor, so that there would be nothing to switch off.
    let engines = [Options { executor: off, ..Options::default() }, Options { watch: true, ..Options::default() }]
        .map(|options| Engine::new(options).expect("an engine"));
    let corpus = sconce_corpus::testdata("archives").expect("recordings");
    let (mut programs, mut results) = (0, 0);
    for (path, archive) in corpus.iter().filter(|(path, _)| path.ends_with("/model.pt")) {
        let program = path.trim_end_matches("/model.pt");
        let Some(calls) = corpus.text(&format!("{program}/calls.json")) else { continue };
        let calls = read(calls).unwrap_or_else(|e| panic!("{program}: {e}"));
        let run = |engine: &Engine| {
            let module = engine.load_bytes("model.pt", "forward", archive).ok()?;
            let mut kept = Kept { module, results: Vec::new() };
            for call in calls.iter().chain(&calls) {
                // What is recorded is judged elsewhere.
                let _ = call.judge(&mut kept, &RunOptions::default());
            }
            Some(kept.results)
        };
        let [plain, optimised] = engines.each_ref().map(run);
        assert_eq!(plain, optimised, "{program}");
        programs += 1;
        results += plain.map_or(0, |results| results.len());
    }
    println!("{programs} programs, {results} results");
    assert!(programs >= 549 && results >= 2 * programs);
}
