//! What a function's executor asks the compiler, and what becomes of the answer: a Program with its weights bound and its machine code in place.

use crate::attributes::{self, Constants, Offers};
use crate::engine::Engine;
use crate::error::{Error, Failure};
use crate::report::{RegionRow, Report};
use sconce_executor::{Cache, CompileRequest, Key, PlanRow};
use sconce_graph::graph::{Graph, NodeId};
use sconce_graph::unit::Unit;
use sconce_interpreter::{Options, Program, bind};
use sconce_request::{
    Answer, Blamed, Compiled, Compiler, Job, PlacedText, Question, Refusal, Signature, Stage, Subject, Suspect, Want,
    lift_weights,
};
use sconce_schema::Type;
use sconce_script::passes;
use sconce_tensor::{IValue, Object, Tensor};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// What a program is asked about by: its unit, or the text that says more than that.
#[derive(Clone)]
pub(crate) enum Origins {
    Unit(Arc<Unit>),
    Text(Arc<Subject>),
}

impl Origins {
    /// As it stands, for texts of stages before compilation.
    pub fn subject(&self) -> Subject {
        match self {
            Origins::Unit(unit) => {
                let general = sconce_script::trace::for_any_sizes(unit);
                Subject::Unit(general.unwrap_or_else(|| Unit::clone(unit)))
            }
            Origins::Text(subject) => Subject::clone(subject),
        }
    }
}

/// What the attributes of a method's object are to what is compiled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum AttributesAs {
    /// Constants, while they are what they were.
    Constants,
    /// Read in each call.
    Arguments,
}

/// The compiler as one function's executor sees it.
pub(crate) struct FunctionCompiler {
    engine: Engine,
    asked: Arc<dyn Compiler>,
    origins: Origins,
    /// The function's qualified name.
    name: String,
    object: Option<Arc<Object>>,
    attributes: AttributesAs,
    /// Made when something is asked.
    prepared: OnceLock<Result<Prepared, String>>,
    answers: Mutex<Answers>,
}

/// What is asked about, and the values that stay here.
struct Prepared {
    subject: Subject,
    weights: Vec<(Arc<str>, Tensor)>,
    /// Tensors of the object that may be constants.
    offers: Offers,
    /// Attributes of the object that are constants.
    constants: Constants,
}

impl Prepared {
    /// The tensor that a constant of the Program stands for; if it is an attribute, it is relied on from now on.
    fn take(&self, name: &str) -> Option<IValue> {
        if let Some(offer) = self.offers.of_constant(name) {
            offer.take(&self.constants);
            return Some(offer.tensor.clone().into());
        }
        self.weights.iter().find(|(n, _)| **n == *name).map(|(_, t)| t.clone().into())
    }
}

#[derive(Default)]
struct Answers {
    /// With the types of the arguments that each is for.
    compiled: Vec<(Vec<Type>, Compiled)>,
    notes: Vec<String>,
    /// Passes that change what the function computes.
    unsound: Vec<String>,
    /// Why nothing was compiled.
    refused: Vec<String>,
    /// How many tensors of the object are constants, and how many values were computed from constants.
    taken: usize,
    initialized: usize,
}

impl sconce_executor::Compiler for FunctionCompiler {
    fn compile(&self, request: &CompileRequest) -> Result<Program, String> {
        let compiled = self.ask(Signature::declared(request.arguments.iter())).inspect_err(|why| self.refuse(why))?;
        let mut program = Program::from_bytes(&compiled.program).map_err(|e| e.to_string())?;
        let prepared = self.prepared()?;
        let taken = program.named.iter().filter(|n| prepared.offers.of_constant(&n.name).is_some()).count();
        let initialized = program.init.as_ref().map_or(0, |init| init.constants.len());
        let options = self.engine.options().limits.run_options(Options::default());
        bind(&mut program, |name| prepared.take(name), &self.engine.custom(), &options)
            .map_err(|e| e.to_string())
            .inspect_err(|why| self.note([why.clone()]))?;
        program.entry = program.function(&self.name);
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.taken = answers.taken.max(taken);
        answers.initialized = answers.initialized.max(initialized);
        answers.compiled.push((request.arguments.clone(), compiled));
        Ok(program)
    }
}

impl FunctionCompiler {
    pub fn new(
        engine: &Engine,
        asked: Arc<dyn Compiler>,
        origins: &Origins,
        name: &str,
        object: Option<Arc<Object>>,
        attributes: AttributesAs,
    ) -> FunctionCompiler {
        let (engine, origins, name) = (engine.clone(), origins.clone(), name.to_owned());
        let (prepared, answers) = (OnceLock::new(), Mutex::default());
        FunctionCompiler { engine, asked, origins, name, object, attributes, prepared, answers }
    }

    /// Are the attributes that are constants what they were?
    pub fn holds(&self) -> bool {
        !matches!(self.prepared.get(), Some(Ok(prepared)) if !prepared.constants.hold())
    }

    fn prepared(&self) -> Result<&Prepared, String> {
        let made = self.prepared.get_or_init(|| {
            prepare(&self.origins, &self.name, self.object.as_ref(), self.attributes).map_err(|e| e.to_string())
        });
        made.as_ref().map_err(Clone::clone)
    }

    /// What the compiler of this identity is on every machine. It is read once, and then kept as what was compiled is.
    fn content(&self, cache: &Cache, identity: &str) -> Option<Vec<u8>> {
        let key = Key::builder().part("what has a content", identity.as_bytes()).finish();
        let read = || {
            let content = self.asked.content().ok_or(())?;
            // While it was read it may have become another.
            if self.asked.identity().as_deref() == Some(identity) { Ok(content.to_vec()) } else { Err(()) }
        };
        cache.get_or_make(&key, read).ok()
    }

    /// The compiled function, from the cache if it was compiled before.
    fn ask(&self, signature: Signature) -> Result<Compiled, String> {
        let prepared = self.prepared()?;
        let job = job(&self.engine, &self.name, signature, &prepared.offers, self.engine.options().gpu);
        let question = Question { subject: prepared.subject.clone(), want: Want::Program(job) };
        let ask = || self.asked.ask(&question).map_err(|e| e.to_string());
        // What a compiler answers that nobody can tell from others is not kept.
        let answer = match self.engine.cache().zip(self.asked.identity()) {
            Some((cache, identity)) => {
                let bytes = question.to_bytes().map_err(|e| e.to_string())?;
                let key = |compiler: &str, which: &[u8]| {
                    let key = Key::builder().part("version", env!("CARGO_PKG_VERSION").as_bytes());
                    let key = key.part(compiler, which).part("target", self.engine.target().as_bytes());
                    key.part("question", &bytes).finish()
                };
                let shared = || Some(key("content of the compiler", &self.content(cache, &identity)?));
                let made = cache.get_or_make_shared(&key("compiler", identity.as_bytes()), shared, || {
                    let answer = ask()?;
                    if self.asked.identity().as_ref() != Some(&identity) {
                        return Err("the compiler was replaced while it was asked".into());
                    }
                    answer.to_bytes().map_err(|e| e.to_string())
                })?;
                Answer::from_bytes(&made).map_err(|e| e.to_string())?
            }
            None => ask()?,
        };
        match answer {
            Answer::Program(compiled) => Ok(compiled),
            Answer::Unsound(why) => {
                let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
                answers.unsound.push(why.clone());
                Err(why)
            }
            _ => Err("the compiler answered something else".into()),
        }
    }

    pub fn note(&self, lines: impl IntoIterator<Item = String>) {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).notes.extend(lines);
    }

    fn refuse(&self, why: &str) {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).refused.push(why.to_owned());
    }

    /// What stayed with the interpreter of everything that was compiled, and what else is to be said.
    pub fn describe(&self, report: &mut Report) {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        for (_, compiled) in &answers.compiled {
            for refusal in compiled.refusals.iter().filter(|refusal| refusal.pass == Refusal::COMPILE) {
                report.left(refusal);
            }
            report.writes(&compiled.writes);
            report.validated(&compiled.validation);
            report.end_of_plan();
        }
        let notes = answers.compiled.iter().flat_map(|(_, compiled)| &compiled.notes).chain(&answers.notes);
        notes.for_each(|note| report.note(note));
        report.unsound.extend(answers.unsound.iter().cloned());
        report.refused.extend(answers.refused.iter().cloned());
        if answers.taken > 0 || answers.initialized > 0 {
            report.note(&format!(
                "{} tensors of the module are constants, {} were computed once from constants",
                answers.taken, answers.initialized
            ));
        }
    }

    /// The regions of a plan: what the compiler said of them, where they are now and how often they ran.
    pub fn regions(&self, row: &PlanRow) -> Vec<RegionRow> {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let types = row.plan.argument_types().unwrap_or_default();
        let answer = answers.compiled.iter().find(|(arguments, _)| arguments.starts_with(types));
        let executable = row.plan.executable();
        let numbers = || executable.program().regions.iter().zip(0..);
        let regions = answer.into_iter().flat_map(|(_, compiled)| &compiled.regions);
        let row = |region: &sconce_request::CompiledRegion| {
            let number = numbers().find(|(r, _)| *r.name == *region.name).map(|(_, number)| number);
            let counts = number.map_or_else(Default::default, |number| executable.region_counts(number));
            let target = number.and_then(|number| executable.region_target(number));
            let failed = || region.failure.clone().unwrap_or_else(|| "its code was not loaded".into());
            RegionRow {
                name: region.name.clone(),
                arguments: row.arguments.clone(),
                operations: region.operators.clone(),
                target: target.map(|t| t.to_string()).ok_or_else(failed),
                bytes: region.bytes,
                compiled: counts.compiled,
                fallback: counts.fallback,
            }
        };
        regions.map(row).collect()
    }
}

/// The function without calls, with what its object holds now.
fn prepare(
    origins: &Origins,
    name: &str,
    object: Option<&Arc<Object>>,
    attributes: AttributesAs,
) -> Result<Prepared, Error> {
    let Origins::Unit(unit) = origins else {
        let (weights, offers) = (Vec::new(), Offers::default());
        return Ok(Prepared { subject: origins.subject(), weights, offers, constants: Constants::default() });
    };
    let general = sconce_script::trace::for_any_sizes(unit);
    let mut unit = general.unwrap_or_else(|| Unit::clone(unit));
    let mut held = attributes::Held::default();
    if let Ok(mut graph) = passes::inline(&unit, name) {
        passes::cleanup(&mut graph);
        let is_alone = !graph.walk(graph.root()).iter().any(|node| calls(&graph, *node));
        if let Some(object) = object {
            // What is called from here may set anything.
            held = attributes::put(&mut graph, object, is_alone && attributes == AttributesAs::Constants);
        }
        if let Some(f) = unit.functions.get_mut(name) {
            f.graph = graph;
        }
        if is_alone {
            unit.functions.retain(|known, _| **known == *name);
        }
    }
    unit.entry = Some(name.into());
    unit.refused.clear();
    let weights = lift_weights(&mut unit);
    Ok(Prepared { subject: Subject::Unit(unit), weights, offers: held.offers, constants: held.constants })
}

fn job(engine: &Engine, function: &str, signature: Signature, offers: &Offers, gpu: bool) -> Job {
    let (attributes, strict, options) = (offers.named(), engine.is_strict(), engine.options());
    let (passes, checks, rewrites) = (options.passes.clone(), options.checks, options.rewrites);
    let alone = options.alone.clone();
    Job { function: function.into(), signature, attributes, gpu, alone, strict, rewrites, passes, checks }
}

/// Does the node need other functions?
fn calls(graph: &Graph, node: NodeId) -> bool {
    const KINDS: &[&str] = &["prim::CallMethod", "prim::CallFunction", "prim::Enter", "prim::Exit"];
    KINDS.contains(&&**graph.kind(node)) || graph.attr(node, "Subgraph").is_some()
}

/// Who makes a call of the function compute something else. `inputs` are all its arguments, its object first.
pub(crate) fn blame(
    engine: &Engine,
    origins: &Origins,
    name: &str,
    object: Option<&Arc<Object>>,
    inputs: Vec<IValue>,
    pipeline: Option<&str>,
) -> Result<Option<Blamed>, Error> {
    let (prepared, pipeline) = (prepare(origins, name, object, AttributesAs::Constants)?, pipeline.map(str::to_owned));
    let signature = Signature::of(&inputs, false);
    let job = job(engine, name, signature, &prepared.offers, false);
    let constants = prepared.weights.into_iter().map(|(name, tensor)| (name, tensor.into())).collect();
    let suspect = Suspect { job, pipeline, arguments: Some(inputs), constants };
    match engine.ask(&Question { subject: prepared.subject, want: Want::Blame(Box::new(suspect)) })? {
        Answer::Blamed(blamed) => Ok(blamed),
        _ => Err(Failure::Compile("the compiler answered something else".into()).into()),
    }
}

/// The text of a stage of a function, and where its lines come from.
pub(crate) fn stage(
    engine: &Engine,
    origins: &Origins,
    name: &str,
    object: Option<&Arc<Object>>,
    signature: Signature,
    stage: Stage,
) -> Result<PlacedText, Error> {
    let prepared = prepare(origins, name, object, AttributesAs::Constants)?;
    let gpu = matches!(stage, Stage::Ptx { .. });
    let job = job(engine, name, signature, &prepared.offers, gpu);
    match engine.ask(&Question { subject: prepared.subject, want: Want::Stage(job, stage) })? {
        Answer::Placed(text) => Ok(text),
        _ => Err(Failure::Compile("the compiler answered something else".into()).into()),
    }
}

/// What compiling a function did not do, in the order in which it was refused; regions without code last.
pub(crate) fn refusals(
    engine: &Engine,
    origins: &Origins,
    name: &str,
    object: Option<&Arc<Object>>,
    signature: Signature,
) -> Result<Vec<Refusal>, Error> {
    let prepared = prepare(origins, name, object, AttributesAs::Constants)?;
    let job = job(engine, name, signature, &prepared.offers, false);
    let Answer::Program(compiled) = engine.ask(&Question { subject: prepared.subject, want: Want::Program(job) })?
    else {
        return Err(Failure::Compile("the compiler answered something else".into()).into());
    };
    let code = |region: &sconce_request::CompiledRegion| {
        let (pass, place, code) = (Refusal::COMPILE.into(), String::new(), Refusal::NO_CODE.into());
        let operator = format!("region {} ({})", region.name, region.operators.join(", "));
        region.failure.clone().map(|why| Refusal { pass, operator, place, code, why })
    };
    let failed: Vec<Refusal> = compiled.regions.iter().filter_map(code).collect();
    Ok(compiled.refusals.into_iter().chain(compiled.writes.stay).chain(failed).collect())
}

/// A text that the compiler gives.
pub(crate) fn text(engine: &Engine, subject: Subject, want: Want) -> Result<String, Error> {
    match engine.ask(&Question { subject, want })? {
        Answer::Text(text) => Ok(text),
        _ => Err(Failure::Compile("the compiler answered something else".into()).into()),
    }
}
