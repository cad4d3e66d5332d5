//! Recorded programs called as they were called then, twice, with every bit of their results kept.

use sconce::value_text::{format_value, named_tensors};
use sconce::{Engine, IValue, Module};
use sconce_conformance::calls::{Subject, read};
use sconce_corpus::Corpus;
use sconce_interpreter::program::Parameter;
use sconce_interpreter::{Options as RunOptions, RunError};
use sconce_kernels::Outputs;

/// A module whose results are kept as they are.
pub struct Kept {
    pub module: Module,
    /// Every bit of what each call gave, or the last line of its error.
    pub results: Vec<Result<String, String>>,
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
        Subject::parameters(&self.module, method)
    }

    fn call(
        &mut self,
        method: &str,
        positional: Vec<IValue>,
        named: Vec<(String, IValue)>,
        options: &RunOptions,
    ) -> Result<Outputs, RunError> {
        let outputs = Subject::call(&mut self.module, method, positional, named, options);
        self.results.push(match &outputs {
            Ok(outputs) => Ok(outputs.iter().map(bits).collect()),
            Err(e) => Err(e.last_line()),
        });
        outputs
    }

    fn attribute(&self, name: &str) -> Result<IValue, sconce_conformance::Error> {
        Subject::attribute(&self.module, name)
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
