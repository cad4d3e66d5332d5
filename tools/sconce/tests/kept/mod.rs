//! Recorded programs called as they were called then, twice, with every bit of their results kept.

use sconce::value_text::{format_value, named_tensors};
use sconce::{Engine, Error, IValue, Module};
use sconce_conformance::calls::{Subject, read};
use sconce_corpus::Corpus;
use sconce_interpreter::program::Parameter;
use sconce_interpreter::{Cause, Options as RunOptions, RunError};
use sconce_kernels::Outputs;

/// A module whose results are kept as they are.
pub struct Kept {
    pub module: Module,
    pub results: Vec<String>,
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
            // An error that a task ended with is told with the places it went through, which inlining makes fewer.
            Err(e) => e.last_line().lines().last().unwrap_or_default().to_owned(),
        });
        outputs
    }

    fn attribute(&self, name: &str) -> Result<IValue, sconce_conformance::Error> {
        self.module.attr(name).map_err(|e| sconce_conformance::Error::Malformed(e.to_string()))
    }
}

/// The archived programs with recorded calls, by name.
pub fn programs(corpus: &Corpus) -> Vec<&str> {
    let archives = corpus.iter().filter_map(|(path, _)| path.strip_suffix("/model.pt"));
    archives.filter(|program| corpus.text(&format!("{program}/calls.json")).is_some()).collect()
}

/// The results of all calls of a program, made twice; none if it cannot be loaded.
pub fn results(engine: &Engine, corpus: &Corpus, program: &str) -> Option<Kept> {
    let calls = corpus.text(&format!("{program}/calls.json"))?;
    let calls = read(calls).unwrap_or_else(|e| panic!("{program}: {e}"));
    let module = engine.load_bytes("model.pt", "forward", corpus.get(&format!("{program}/model.pt"))?).ok()?;
    let mut kept = Kept { module, results: Vec::new() };
    for call in calls.iter().chain(&calls) {
        // What is recorded is judged elsewhere.
        let _ = call.judge(&mut kept, &RunOptions::default());
    }
    Some(kept)
}
