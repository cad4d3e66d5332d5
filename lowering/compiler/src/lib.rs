//! The driver behind the compiler's interface: each question is answered in a context of its own, so that none leaves anything for the next.
//!
//! ```
//! use sconce_request::{Answer, Compiler, Question, Subject, Want};
//!
//! let text = "graph(%x : Tensor):
//!   %y : Tensor = aten::relu(%x)
//!   return (%y)
//! ";
//! let subject = Subject::GraphText { name: "relu.txt".into(), text: text.into() };
//! let answer = sconce_compiler::InProcess.ask(&Question { subject, want: Want::Dialect })?;
//! assert!(matches!(answer, Answer::Text(mlir) if mlir.contains("torch.aten.relu")));
//! # Ok::<(), sconce_request::Error>(())
//! ```
#![forbid(unsafe_code)]

mod blame;
mod checked;
mod choice;
mod compile;
pub mod passes;
mod stages;

use checked::{Stopped, Watched, fuelled};
use sconce_cpu::CodeOptions;
use sconce_graph::unit::Unit;
use sconce_import::text::{export, import_dialect, import_program};
use sconce_ir::codegen::Target;
use sconce_ir::diagnostics;
use sconce_ir::prelude::*;
use sconce_ir::text::check_printed;
use sconce_request::{Answer, Compiler, Error, Folding, Question, Rewrites, Subject, Want, identity_of};
use sconce_source::SourceMap;
use sconce_syntax::graph_text::Spelling;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// The compiler in this process.
pub struct InProcess;

impl Compiler for InProcess {
    fn ask(&self, question: &Question) -> Result<Answer, Error> {
        given(answer(question, &CodeOptions::default()))
    }

    /// That of the program that this is a part of.
    fn identity(&self) -> Option<String> {
        identity_of(&std::env::current_exe().ok()?)
    }
}

/// The same for tests of what it makes: code that has each of its accesses to memory checked when it runs, and is slow.
pub struct Checking;

impl Compiler for Checking {
    fn ask(&self, question: &Question) -> Result<Answer, Error> {
        let target = Target { checked: true, ..Target::default() };
        given(answer(question, &CodeOptions { target, ..CodeOptions::default() }))
    }

    /// None: what it makes is for nobody else.
    fn identity(&self) -> Option<String> {
        None
    }
}

thread_local! {
    /// The context of this thread's next question, if it was made while nobody asked.
    static PREPARED: RefCell<Option<Context>> = const { RefCell::new(None) };
}

/// Makes what every question needs before there is one: a context for this thread's first, and the rules of the rewriter, in a thread of their own: who needs
/// those meanwhile waits for the one reading. Takes some 10 ms; for the program that does nothing but answer.
pub fn prepare() {
    // One that cannot be made is told of by the question.
    PREPARED.set(new_context().ok());
    std::thread::spawn(sconce_egraph::rules::builtin);
}

/// An MLIR context with every dialect and the op table, and every pass by its name.
fn new_context() -> Result<Context, String> {
    passes::register().map_err(|e| e.to_string())?;
    sconce_torch::context(false).map_err(|e| e.to_string())
}

/// The same, made now if it was not before.
fn context() -> Result<Context, String> {
    PREPARED.take().map_or_else(new_context, Ok)
}

/// That a pass is wrong is an answer, too.
fn given(answer: Result<Answer, Stopped>) -> Result<Answer, Error> {
    match answer {
        Err(Stopped::Unsound(why)) => Ok(Answer::Unsound(why)),
        Err(Stopped::Refused(why)) => Err(Error::Refused(why)),
        Ok(answer) => Ok(answer),
    }
}

/// Whether a text comes back from the dialect: graph text as it is after it was MLIR text; of a sample of the dialect, nothing, or what differs.
fn round_trip(subject: &Subject) -> Result<String, String> {
    match subject {
        Subject::GraphText { name, text } => {
            sconce_import::text::round_trip(&context()?, name, text).map_err(|e| e.to_string())
        }
        Subject::Mlir { name, bytes } => {
            let text = std::str::from_utf8(bytes).map_err(|e| e.to_string())?;
            check_printed(&context()?, &context()?, name, text).map(|()| String::new())
        }
        Subject::Unit(_) | Subject::Object { .. } => Err("a unit is no text".into()),
    }
}

fn answer(question: &Question, code: &CodeOptions) -> Result<Answer, Stopped> {
    if matches!(question.want, Want::RoundTrip) {
        return Ok(Answer::Text(round_trip(&question.subject)?));
    }
    let context = context()?;
    let module = module(&context, &question.subject)?;
    let mut sources = sources(&question.subject);
    Ok(match &question.want {
        Want::Program(job) => {
            let code = match &job.alone {
                Some(alone) => CodeOptions {
                    target: Target { triple: alone.triple.clone(), cpu: alone.cpu.clone(), ..code.target.clone() },
                    symbol: Some(alone.symbol.clone()),
                    ..code.clone()
                },
                None => code.clone(),
            };
            Answer::Program(compile::compile(&module, job, &mut sources, &code)?)
        }
        Want::Stage(job, stage) => Answer::Placed(stages::text(&module, job, stage)?),
        Want::Dialect | Want::RoundTrip => {
            let options = PrintOptions { name_locations_as_prefix: true, ..PrintOptions::default() };
            Answer::Text(print(module.as_operation(), &options))
        }
        Want::GraphText => Answer::Text(export(&module, Spelling::Colons)?),
        Want::Unit => Answer::Unit(unit(&module, &mut sources)?),
        Want::Passes { pipeline, checks } => {
            fuelled(*checks, || Watched::new(&module, *checks, BTreeMap::new())?.run(pipeline)).0?;
            Answer::Unit(unit(&module, &mut sources)?)
        }
        Want::Blame(suspect) => Answer::Blamed(blame::blame(&module, suspect)?),
        Want::Reduced(wanted) => Answer::Blamed(Some(blame::reduced(&module, wanted)?)),
        Want::Counts => {
            run_on_module(&module, sconce_passes::DEFAULT)?;
            let counts = sconce_egraph::stats::count(module.as_operation()).map_err(|e| e.to_string())?;
            Answer::Text(counts.to_string())
        }
        Want::Frozen { preserved, folding } => freeze(&module, preserved, *folding, &mut sources)?,
    })
}

/// The unit with the object's class frozen.
fn freeze(
    module: &Module<'_>,
    preserved: &[String],
    folding: Folding,
    sources: &mut SourceMap,
) -> Result<Answer, Stopped> {
    // A pipeline is text.
    let is_plain = |name: &&String| name.chars().all(|c| c.is_alphanumeric() || "_.".contains(c));
    if let Some(name) = preserved.iter().find(|name| !is_plain(name)) {
        return Err(Stopped::Refused(format!("Unknown name: {name}")));
    }
    passes::register().map_err(|e| e.to_string())?;
    let pipeline = format!("freeze{{preserved={}}}", preserved.join(","));
    run_on_module(module, &pipeline).map_err(|e| refusal(&e))?;
    if folding != Folding::Off {
        // What is saved for others stays as it was written.
        let pipeline = compile::typed(folding == Folding::SameBits, Rewrites::Off)?;
        run_on_module(module, &pipeline).map_err(|e| e.to_string())?;
    }
    let class = sconce_import::root_class(module).ok_or("the frozen object is gone")?;
    Ok(Answer::Frozen { unit: unit(module, sources)?, class })
}

/// What a pass said first of a module that it refuses, and of which place in the program's texts.
fn refusal(error: &sconce_ir::Error) -> String {
    let Some(first) = error.diagnostics().iter().find(|d| d.severity == diagnostics::Severity::Error) else {
        return error.to_string();
    };
    let message = first.message.strip_prefix("freeze: ").unwrap_or(&first.message);
    first.place.as_ref().map_or_else(|| message.to_owned(), |place| format!("{place}: {message}"))
}

fn unit(module: &Module<'_>, sources: &mut SourceMap) -> Result<Unit, String> {
    sconce_import::program_from_dialect(module, sources).map_err(|e| e.to_string())
}

/// The texts that places of the subject are in, where it has them.
fn sources(subject: &Subject) -> SourceMap {
    match subject {
        Subject::Unit(unit) | Subject::Object { unit, .. } => unit.sources(),
        Subject::Mlir { .. } | Subject::GraphText { .. } => SourceMap::default(),
    }
}

/// The subject in the torch dialect, verified.
fn module<'c>(context: &'c Context, subject: &Subject) -> Result<Module<'c>, String> {
    match subject {
        Subject::Unit(unit) => sconce_import::to_dialect(context, unit).map_err(|e| e.to_string()),
        Subject::Object { unit, object } => {
            sconce_import::with_object(context, unit, object).map_err(|e| e.to_string())
        }
        Subject::Mlir { name, bytes } => import_dialect(context, bytes, name).map_err(|e| e.to_string()),
        Subject::GraphText { name, text } => {
            let function = name.rsplit('/').next().and_then(|n| n.split('.').next()).unwrap_or("forward");
            import_program(context, name, text, function).map_err(|e| e.report(false))
        }
    }
}
