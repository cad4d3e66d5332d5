//! Recorded programs: compiled from their graphs and called as they were called then.

use super::subject::failed;
use super::{From, Question, Tally, Verdict, weights};
use crate::engine::Engine;
use crate::error::{Error, Failure};
use crate::module::Module;
use crate::source::SourceOptions;
use sconce_archive::Layout;
use sconce_conformance::calls::{self, Subject};
use sconce_conformance::vectors::Verdict as Judged;
use sconce_interpreter::program::Parameter;
use sconce_interpreter::{Options as RunOptions, RunError};
use sconce_kernels::Outputs;
use sconce_tensor::IValue;

/// The files that a program may be saved in, and what their cases are called in the summary.
pub(super) const ARCHIVES: &[(&str, &str)] = &[
    ("model.pt", "programs (model.pt)"),
    ("model_1_13.pt", "programs (model_1_13.pt)"),
    ("mobile.ptl", "programs (mobile.ptl)"),
    (EXPORTED, "exported programs (program.pt2)"),
];

/// The archive of an exported program.
const EXPORTED: &str = "program.pt2";

/// All calls of one program; `beside` gives the files of its folder.
pub fn check<'t>(
    name: &str,
    question: &Question,
    calls: &str,
    beside: &dyn Fn(&str) -> Option<&'t [u8]>,
    tally: &mut Tally,
) {
    let program = name.strip_suffix("/calls.json").unwrap_or(name);
    let file = match question.from {
        From::InlinedGraph => "inlined_graph.txt",
        From::Graph => "graph.txt",
        From::Source => {
            let Some(source) = beside("source.py") else { return };
            let verdict = from_source(program, source, beside("model.pt"), question, calls, tally);
            return tally.add("programs (source.py)", || program.to_string(), verdict);
        }
        From::Archive => {
            for (file, kind) in ARCHIVES {
                let Some(bytes) = beside(file) else { continue };
                let mut verdict = judge(question, calls, &Origin::Archive { file, bytes }, tally);
                if *file == EXPORTED
                    && let Err(why) = exported(question, calls, bytes, beside, tally)
                {
                    verdict = Verdict::Failed(why);
                }
                tally.add(kind, || format!("{program}/{file}"), verdict);
            }
            return;
        }
    };
    let Some(text) = beside(file) else { return skip(program, "the recorded graph", tally) };
    // A module's attributes are in its archive, not in its graph.
    let graph = String::from_utf8_lossy(text);
    if ["prim::GetAttr[", "prim::SetAttr[", "prim::CallMethod["].iter().any(|op| graph.contains(op))
        && graph.contains("(%self")
    {
        return skip(program, "module state, which a listing does not have", tally);
    }
    let file = format!("{program}.txt");
    let verdict = judge(question, calls, &Origin::Listing { file: &file, text }, tally);
    tally.add("programs", || program.to_string(), verdict);
}

/// What is asked of an exported program beside its calls; in Core ATen it gives what it gives.
fn exported<'t>(
    question: &Question,
    calls: &str,
    bytes: &[u8],
    beside: &dyn Fn(&str) -> Option<&'t [u8]>,
    tally: &mut Tally,
) -> Result<(), String> {
    tally.exported.look_at(bytes)?;
    let decomposed = tally.exported.decompose(bytes, beside("graph.txt"), beside("core.txt"))?;
    let before = tally.exported;
    let verdict = judge(question, calls, &Origin::Archive { file: EXPORTED, bytes: &decomposed }, tally);
    // Its calls are not counted twice.
    tally.exported = before;
    match verdict {
        Verdict::Failed(why) => Err(format!("in Core ATen: {why}")),
        Verdict::Passed | Verdict::Reworded(_) => {
            tally.exported.run_equal += 1;
            Ok(())
        }
        Verdict::Skipped(_) => Ok(()),
    }
}

fn skip(program: &str, what: &str, tally: &mut Tally) {
    tally.add("programs", || program.to_string(), Verdict::Skipped(what.into()));
}

/// What recordings wrap entries in: it changes how PyTorch was asked, not what the program means.
const TRANSPARENT: &[&str] = &["fill", "frozen"];

/// What recordings call to trace, and the example inputs they make; of these only the sizes matter.
const TRACING: &str = include_str!("tracing.py");

/// The program compiled from its source, a module with the weights of its archive.
fn from_source(
    program: &str,
    source: &[u8],
    archive: Option<&[u8]>,
    question: &Question,
    calls: &str,
    tally: &mut Tally,
) -> Verdict {
    match Origin::source(program, Some(source), archive) {
        Some(origin) => judge(question, calls, &origin, tally),
        None => Verdict::Skipped("a source without an entry".into()),
    }
}

/// What a form has no place for, or PyTorch's mobile interpreter no instruction: as it says when it is asked to write such a file.
pub(super) fn is_beyond_form(e: &Error) -> bool {
    matches!(e.failure(), Failure::Unwritable { .. }) || e.to_string().contains("is not supported in mobile module")
}

/// What a program is loaded from.
pub(super) enum Origin<'a> {
    Archive { file: &'a str, bytes: &'a [u8] },
    Listing { file: &'a str, text: &'a [u8] },
    Source { text: String, options: SourceOptions, archive: Option<&'a [u8]> },
}

impl<'a> Origin<'a> {
    /// A source and what of it is meant; `None` where it does not say.
    pub fn source(program: &str, source: Option<&[u8]>, archive: Option<&'a [u8]>) -> Option<Origin<'a>> {
        let mut text = String::from_utf8_lossy(source?).into_owned();
        let entry = text.lines().find_map(|l| l.strip_prefix("#@ entry "))?.trim().to_owned();
        if entry.contains("traced(") {
            text.push_str(TRACING);
        }
        let options = SourceOptions {
            entry: Some(entry),
            module: program.rsplit('/').next().unwrap_or(program).to_owned(),
            transparent: TRANSPARENT.iter().map(|s| s.to_string()).collect(),
        };
        Some(Origin::Source { text, options, archive })
    }

    pub fn load(&self, engine: &Engine) -> Result<Module, Error> {
        match self {
            Origin::Archive { file, bytes: text } | Origin::Listing { file, text } => {
                engine.load_bytes(file, "forward", text)
            }
            Origin::Source { text, options, archive } => {
                let mut module = engine.compile_source("source.py", text, options)?;
                let entry = options.entry.as_deref().unwrap_or_default();
                if let Some(kept) = frozen_entry(entry) {
                    // Freezing folded the weights of the archive away, and is for evaluation.
                    module.eval()?;
                    if entry.contains("fill(") {
                        weights::fill(&module)?;
                    }
                    // Without a compiler it stays as it is, and does the same.
                    if engine.options().compiler.is_some() {
                        module = module.frozen(&kept)?;
                    }
                } else if let (Some(bytes), Some(_)) = (archive, module.root()) {
                    let saved = engine.load_bytes("model.pt", "forward", bytes)?;
                    module.copy_state(&saved)?;
                }
                Ok(module)
            }
        }
    }
}

/// The attributes that an entry `frozen(M(), ["a", "b"])` keeps.
fn frozen_entry(entry: &str) -> Option<Vec<String>> {
    let arguments = entry.strip_prefix("frozen(")?;
    let kept = arguments.split_once('[').map_or("", |(_, list)| list);
    let names = kept.split(']').next().unwrap_or_default().split(',');
    Some(names.map(|n| n.trim().trim_matches(['"', '\'']).to_owned()).filter(|n| !n.is_empty()).collect())
}

/// Skipped if anything is missing, failed at the first call that differs.
fn judge(question: &Question, calls: &str, origin: &Origin<'_>, tally: &mut Tally) -> Verdict {
    let calls = match calls::read(calls) {
        Ok(c) => c,
        Err(e) => return Verdict::Failed(e.to_string()),
    };
    let engine = match Engine::new(question.options.clone()) {
        Ok(e) => e,
        Err(e) => return Verdict::Failed(e.to_string()),
    };
    let archived = matches!(origin, Origin::Archive { .. });
    let result = origin.load(&engine).and_then(|mut module| {
        if let Some(pipeline) = &question.pipeline {
            module = module.after_passes(pipeline)?;
        }
        if let Some(form) = question.through {
            module = match module.through(form, &engine) {
                Err(e) if is_beyond_form(&e) => return Ok(Verdict::Skipped(e.to_string())),
                other => other?,
            };
        }
        let module_is_exported = module.is_exported();
        let ungraded = question.options.static_plan.is_some();
        let mut subject = Loaded { module: &mut module, archived, ungraded, broken: None };
        let mut reworded = None;
        for (i, call) in calls.iter().enumerate() {
            let judged = call.judge(&mut subject, &RunOptions::default());
            if let Some(broken) = subject.broken {
                return Err(broken);
            }
            match judged {
                Judged::Passed if module_is_exported => match call.is_refused() {
                    true => tally.exported.refused += 1,
                    false => tally.exported.equal += 1,
                },
                Judged::Passed => {}
                Judged::Reworded(why) => reworded = Some(format!("call {}: {why}", i + 1)),
                Judged::Failed(why) => return Ok(Verdict::Failed(format!("call {}: {why}", i + 1))),
                Judged::Skipped(what) => return Ok(Verdict::Skipped(what)),
            }
        }
        if let Err(why) = tally.count_compiled(&module) {
            return Ok(Verdict::Failed(why));
        }
        Ok(reworded.map_or(Verdict::Passed, Verdict::Reworded))
    });
    match result {
        Ok(v) => v,
        Err(e) => match e.missing_operators().as_slice() {
            [] => Verdict::Failed(e.to_string()),
            missing => Verdict::Skipped(missing.join(", ")),
        },
    }
}

/// A loaded program as the judge calls it.
struct Loaded<'m> {
    module: &'m mut Module,
    archived: bool,
    ungraded: bool,
    /// A program that cannot be compiled or loaded is no recorded error: it ends the check of the program.
    broken: Option<Error>,
}

impl Subject for Loaded<'_> {
    fn parameters(&self, method: &str) -> Result<Vec<Parameter>, sconce_conformance::Error> {
        Subject::parameters(self.module, method)
    }

    fn call(
        &mut self,
        method: &str,
        positional: Vec<IValue>,
        named: Vec<(String, IValue)>,
        options: &RunOptions,
    ) -> Result<Outputs, RunError> {
        let named: Vec<(&str, IValue)> = named.iter().map(|(n, v)| (n.as_str(), v.clone())).collect();
        let name = self.module.function_or_first(method).map_err(|e| failed(&e))?;
        match self.module.call_with(&name, &positional, &named, options) {
            Ok(outputs) => Ok(outputs),
            Err(e) => match e.into_failure() {
                Failure::Run(e) => Err(*e),
                e @ Failure::Violation(_) => Err(failed(&e.into())),
                e => {
                    let e = Error::from(e);
                    let told = failed(&e);
                    self.broken = Some(e);
                    Err(told)
                }
            },
        }
    }

    fn attribute(&self, name: &str) -> Result<IValue, sconce_conformance::Error> {
        Subject::attribute(self.module, name)
    }

    fn is_ungraded(&self) -> bool {
        self.ungraded
    }

    fn is_archived(&self) -> bool {
        self.archived
    }

    fn is_of_values_alone(&self) -> bool {
        self.module.is_exported()
    }

    fn is_of_2019(&self) -> bool {
        self.module.archive().is_some_and(|a| a.layout() == Layout::ModelJson)
    }
}
