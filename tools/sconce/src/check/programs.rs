//! Recorded programs: compiled from their graphs and called as they were called then.

use super::{From, Tally, Verdict};
use crate::engine::{Engine, Error, Options};
use sconce_conformance::calls::{self, Call};
use sconce_conformance::vectors::Verdict as Judged;
use sconce_interpreter::Options as RunOptions;

/// All calls of one program; `beside` gives the files of its folder.
pub fn check<'t>(
    name: &str,
    from: From,
    options: &Options,
    calls: &str,
    beside: &dyn Fn(&str) -> Option<&'t str>,
    tally: &mut Tally,
) {
    let program = name.strip_suffix("/calls.json").unwrap_or(name);
    let file = match from {
        From::InlinedGraph => "inlined_graph.txt",
        From::Graph => "graph.txt",
        From::Source => return skip(program, "the TorchScript source frontend", tally),
        From::Archive => return skip(program, "the archive reader", tally),
    };
    let Some(text) = beside(file) else { return skip(program, "the recorded graph", tally) };
    // A module's attributes are in its archive, not in its graph.
    if ["prim::GetAttr[", "prim::SetAttr[", "prim::CallMethod["].iter().any(|op| text.contains(op))
        && text.contains("(%self")
    {
        return skip(program, "module state (the archive reader)", tally);
    }
    let verdict = judge(program, text, options, calls);
    tally.add("programs", || program.to_string(), verdict);
}

fn skip(program: &str, what: &str, tally: &mut Tally) {
    tally.add("programs", || program.to_string(), Verdict::Skipped(what.into()));
}

/// Skipped if anything is missing, failed at the first call that differs.
fn judge(program: &str, text: &str, options: &Options, calls: &str) -> Verdict {
    let calls = match calls::read(calls) {
        Ok(c) => c,
        Err(e) => return Verdict::Failed(e.to_string()),
    };
    let engine = match Engine::new(options.clone()) {
        Ok(e) => e,
        Err(e) => return Verdict::Failed(e.to_string()),
    };
    let loaded = engine.load_bytes(&format!("{program}.txt"), "forward", text.as_bytes());
    let result = loaded.and_then(|mut module| {
        for (i, call) in calls.iter().enumerate() {
            let function = module.function_or_only(call.method())?;
            match one(&mut module, &function, call)? {
                Judged::Passed => {}
                Judged::Failed(why) => return Ok(Verdict::Failed(format!("call {}: {why}", i + 1))),
                Judged::Skipped(what) => return Ok(Verdict::Skipped(what)),
            }
        }
        Ok(Verdict::Passed)
    });
    match result {
        Ok(v) => v,
        Err(e) => match e.missing_operators().as_slice() {
            [] => Verdict::Failed(e.to_string()),
            missing => Verdict::Skipped(missing.join(", ")),
        },
    }
}

/// Judges a call of a function that is compiled for the arguments first, unless compiling is off.
fn one(module: &mut crate::engine::Module<'_>, function: &str, call: &Call) -> Result<Judged, Error> {
    let signature = module.function(function)?.clone();
    // A program that cannot be compiled or loaded is no recorded error: it ends the check of the program.
    let mut broken = None;
    let verdict = call.judge_with(&signature, &RunOptions::default(), &mut |inputs, options| match module
        .call_with(function, inputs, options)
    {
        Ok(outputs) => Ok(outputs),
        Err(Error::Run(e)) => Err(*e),
        Err(e) => {
            broken = Some(e);
            Ok(Default::default())
        }
    });
    broken.map_or(Ok(verdict), Err)
}
