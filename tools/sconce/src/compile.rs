//! What a function's executor asks the compiler, and what becomes of the answer: a Program with its weights bound and its machine code in place.

use crate::attributes::{self, Constants};
use crate::engine::Engine;
use crate::error::Error;
use crate::profiled::{ProfiledGraph, inlined_text, optimized_text};
use crate::report::{RegionRow, Report};
use sconce_exec::{Origin, bind_regions};
use sconce_executor::{
    BindRegions, CompileMode, CompileRequest, DebugState, ExecutionPlan, Executor, ExecutorMode, Key, PlanKind,
    PlanRow, Setup, Watch,
};
use sconce_graph::graph::{Graph, NodeId};
use sconce_graph::unit::Unit;
use sconce_interpreter::{Executable, Options, Program, RunError};
use sconce_kernels::Outputs;
use sconce_request::{Answer, Compiled, Compiler, Job, Question, Signature, Stage, Subject, Want, lift_weights};
use sconce_schema::Type;
use sconce_script::passes;
use sconce_tensor::{IValue, Object, Tensor};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// What a program is asked about by: its unit, or the text that says more than that.
#[derive(Clone)]
pub(crate) enum Origins {
    Unit(Arc<Unit>),
    Text(Subject),
}

impl Origins {
    /// As it stands, for texts of stages before compilation.
    pub fn subject(&self) -> Subject {
        match self {
            Origins::Unit(unit) => {
                let general = sconce_script::trace::for_any_sizes(unit);
                Subject::Unit(general.unwrap_or_else(|| Unit::clone(unit)))
            }
            Origins::Text(subject) => subject.clone(),
        }
    }
}

/// A function's executor, and what it compiles with.
pub(crate) struct Calls {
    pub executor: Executor,
    compiler: Option<Arc<FunctionCompiler>>,
    /// The function's qualified name.
    name: String,
    /// The graph of watched runs, once a run was watched.
    profiled: Arc<OnceLock<Option<ProfiledGraph>>>,
    /// It is found by the object's address, which stays its own while it is held.
    _object: Option<Arc<Object>>,
}

impl Calls {
    pub fn new(
        engine: &Engine,
        executable: Arc<Executable>,
        function: u32,
        object: Option<&Arc<Object>>,
        origins: Option<&Origins>,
    ) -> Calls {
        let name = executable.program().functions[function as usize].name.to_string();
        let compiler = engine.compiler().zip(origins).map(|(asked, origins)| {
            let prepared = OnceLock::new();
            let (origins, object) = (origins.clone(), object.cloned());
            let answers = Mutex::default();
            let (engine, name) = (engine.clone(), name.clone());
            Arc::new(FunctionCompiler {
                engine,
                asked,
                origins,
                name,
                object,
                prepared,
                answers,
                went_stale: AtomicBool::new(false),
            })
        });
        let (gpu, problems) = (engine.options().gpu, compiler.clone());
        let bind: BindRegions = Arc::new(move |executable: &Executable| {
            let bound = bind_regions(executable, gpu, Origin::Compiler);
            if let Some(compiler) = &problems {
                compiler.note(bound.into_iter().flat_map(|region| region.problems));
            }
            Ok(())
        });
        let mut settings = engine.options().executor.clone();
        let compiles = compiler.is_some() && settings.compile != CompileMode::Off;
        if !compiles && !engine.options().watch {
            settings.mode = ExecutorMode::Off;
        }
        let profiled = Arc::new(OnceLock::new());
        let watch = match (origins, engine.compiler()) {
            (Some(Origins::Unit(unit)), Some(asked)) => {
                let (unit, name, made) = (unit.clone(), name.clone(), profiled.clone());
                let make = move || ProfiledGraph::new(unit.clone(), &name, &*asked);
                let watch: Watch = Arc::new(move || made.get_or_init(&make).as_ref()?.watched());
                Some(watch)
            }
            _ => None,
        };
        let setup = Setup {
            settings,
            compiler: compiler.clone().map(|c| c as Arc<dyn sconce_executor::Compiler>),
            bind: Some(bind),
            watch,
            custom: Arc::new(engine.custom()),
            target: engine.target(),
            ..Setup::default()
        };
        let executor = Executor::with(executable, function, setup);
        Calls { executor, compiler, name, profiled, _object: object.cloned() }
    }

    /// The graph of one of the executor's plans as text: with what was seen at each place while runs are watched and where nothing is fused after them, the torch
    /// dialect with its regions where it is compiled, else the function with every call inlined.
    pub fn graph_of(&self, plan: &ExecutionPlan, engine: &Engine, origins: &Origins) -> Result<String, Error> {
        let watched = self.profiled.get().and_then(Option::as_ref).zip(self.executor.profile());
        match (plan.kind(), watched, origins) {
            (PlanKind::Compiled(_), ..) => {
                let signature = Signature::declared(plan.argument_types().unwrap_or_default().iter());
                let object = self._object.as_ref();
                stage(engine, origins, &self.name, object, signature, Stage::Fused)
            }
            (PlanKind::Profiling, Some((graph, record)), _) => Ok(graph.text(&record)),
            (_, Some((graph, record)), _) => Ok(graph.optimized_text(&record)),
            (_, None, Origins::Unit(unit)) => {
                let is_off = self.executor.settings().mode == ExecutorMode::Off;
                let text = match engine.compiler().filter(|_| !is_off) {
                    Some(compiler) => optimized_text(unit, &self.name, &*compiler),
                    None => inlined_text(unit, &self.name),
                };
                text.ok_or_else(|| Error::Compile(format!("calls of {} cannot be inlined", self.name)))
            }
            (_, None, Origins::Text(subject)) => text(engine, subject.clone(), Want::GraphText),
        }
    }

    /// Calls the function: as it is compiled while the object's attributes are what they were then, else interpreted.
    pub fn run(&self, inputs: Vec<IValue>, options: &Options) -> Result<Outputs, RunError> {
        if self.compiler.as_ref().is_none_or(|compiler| compiler.holds()) {
            return self.executor.run(inputs, options);
        }
        if let Some(compiler) = &self.compiler {
            compiler.went_stale.store(true, Ordering::Relaxed);
        }
        self.executor.fallback().run(inputs, options)
    }

    /// What ran where in the calls so far, once nothing is being compiled any more.
    pub fn report(&self, function: &str) -> Report {
        self.executor.settle();
        let mut report = Report::new(function);
        if let Some(compiler) = &self.compiler {
            compiler.describe(&mut report);
        }
        match (&self.compiler, self.executor.debug_state()) {
            (Some(compiler), DebugState::Ready { plans, .. }) => {
                let plans = plans.iter().filter(|row| matches!(row.plan.kind(), PlanKind::Compiled(_)));
                report.regions = plans.flat_map(|row| compiler.regions(row)).collect();
            }
            (_, state @ DebugState::Profiling { .. }) => report.note(&state.to_string()),
            (None, _) => {}
        }
        report
    }
}

/// The compiler as one function's executor sees it.
struct FunctionCompiler {
    engine: Engine,
    asked: Arc<dyn Compiler>,
    origins: Origins,
    /// The function's qualified name.
    name: String,
    object: Option<Arc<Object>>,
    /// Made when something is asked.
    prepared: OnceLock<Result<Prepared, String>>,
    answers: Mutex<Answers>,
    /// A call found an attribute changed that is a constant in what was compiled.
    went_stale: AtomicBool,
}

/// What is asked about, and the values that stay here.
struct Prepared {
    subject: Subject,
    weights: Vec<(Arc<str>, Tensor)>,
    /// Attributes of the object that are constants in it.
    constants: Constants,
}

#[derive(Default)]
struct Answers {
    /// With the types of the arguments that each is for.
    compiled: Vec<(Vec<Type>, Compiled)>,
    notes: Vec<String>,
}

impl sconce_executor::Compiler for FunctionCompiler {
    fn compile(&self, request: &CompileRequest) -> Result<Program, String> {
        let compiled =
            self.ask(Signature::declared(request.arguments.iter())).inspect_err(|why| self.note([why.clone()]))?;
        let mut program = Program::from_bytes(&compiled.program).map_err(|e| e.to_string())?;
        let prepared = self.prepared()?;
        let weight = |name: &str| prepared.weights.iter().find(|(n, _)| **n == *name).map(|(_, t)| t.clone().into());
        program.bind_constants(weight).map_err(|name| format!("the compiled program wants a constant {name}"))?;
        program.entry = program.function(&self.name);
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.compiled.push((request.arguments.clone(), compiled));
        Ok(program)
    }
}

impl FunctionCompiler {
    /// Are the attributes that are constants what they were?
    fn holds(&self) -> bool {
        !matches!(self.prepared.get(), Some(Ok(prepared)) if !prepared.constants.hold())
    }

    fn prepared(&self) -> Result<&Prepared, String> {
        let made = self
            .prepared
            .get_or_init(|| prepare(&self.origins, &self.name, self.object.as_ref()).map_err(|e| e.to_string()));
        made.as_ref().map_err(Clone::clone)
    }

    /// The compiled function, from the cache if it was compiled before.
    fn ask(&self, signature: Signature) -> Result<Compiled, String> {
        let job = Job { function: self.name.clone(), signature, gpu: self.engine.options().gpu };
        let question = Question { subject: self.prepared()?.subject.clone(), want: Want::Program(job) };
        let ask = || self.asked.ask(&question).map_err(|e| e.to_string());
        // What a compiler answers that nobody can tell from others is not kept.
        let answer = match self.engine.cache().zip(self.asked.identity()) {
            Some((cache, identity)) => {
                let bytes = question.to_bytes().map_err(|e| e.to_string())?;
                let key = Key::builder().part("version", env!("CARGO_PKG_VERSION").as_bytes());
                let key = key.part("compiler", identity.as_bytes());
                let key = key.part("target", self.engine.target().as_bytes()).part("question", &bytes).finish();
                let made = cache.get_or_make(&key, || {
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
            _ => Err("the compiler answered something else".into()),
        }
    }

    fn note(&self, lines: impl IntoIterator<Item = String>) {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).notes.extend(lines);
    }

    /// What stayed with the interpreter of everything that was compiled, and what else is to be said.
    fn describe(&self, report: &mut Report) {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        for (_, compiled) in &answers.compiled {
            for operator in &compiled.uncompiled {
                report.left(&operator.operator, &operator.why);
            }
            report.end_of_plan();
        }
        let notes = answers.compiled.iter().flat_map(|(_, compiled)| &compiled.notes).chain(&answers.notes);
        notes.for_each(|note| report.note(note));
        if self.went_stale.load(Ordering::Relaxed) {
            report.note("an attribute was set that is a constant in what was compiled: such calls are interpreted");
        }
    }

    /// The regions of a plan: what the compiler said of them, where they are now and how often they ran.
    fn regions(&self, row: &PlanRow) -> Vec<RegionRow> {
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
            let failed = || region.failure.as_deref().unwrap_or("its code was not loaded");
            RegionRow {
                name: region.name.clone(),
                arguments: row.arguments.clone(),
                operations: region.operators.clone(),
                target: target.map_or_else(|| format!("no target (interpreted): {}", failed()), |t| t.to_string()),
                bytes: region.bytes,
                compiled: counts.compiled,
                fallback: counts.fallback,
            }
        };
        regions.map(row).collect()
    }
}

/// The function without calls, with what its object holds now.
fn prepare(origins: &Origins, name: &str, object: Option<&Arc<Object>>) -> Result<Prepared, Error> {
    let Origins::Unit(unit) = origins else {
        return Ok(Prepared { subject: origins.subject(), weights: Vec::new(), constants: Constants::default() });
    };
    let general = sconce_script::trace::for_any_sizes(unit);
    let mut unit = general.unwrap_or_else(|| Unit::clone(unit));
    let mut constants = Constants::default();
    if let Ok(mut graph) = passes::inline(&unit, name) {
        passes::cleanup(&mut graph);
        let is_alone = !graph.walk(graph.root()).iter().any(|node| calls(&graph, *node));
        if let Some(object) = object {
            // What is called from here may set anything.
            constants = attributes::put(&mut graph, object, is_alone);
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
    Ok(Prepared { subject: Subject::Unit(unit), weights, constants })
}

/// Does the node need other functions?
fn calls(graph: &Graph, node: NodeId) -> bool {
    const KINDS: &[&str] = &["prim::CallMethod", "prim::CallFunction", "prim::Enter", "prim::Exit"];
    KINDS.contains(&&**graph.kind(node)) || graph.attr(node, "Subgraph").is_some()
}

/// The text of a stage of a function.
pub(crate) fn stage(
    engine: &Engine,
    origins: &Origins,
    name: &str,
    object: Option<&Arc<Object>>,
    signature: Signature,
    stage: Stage,
) -> Result<String, Error> {
    let subject = prepare(origins, name, object)?.subject;
    let job = Job { function: name.into(), signature, gpu: false };
    text(engine, subject, Want::Stage(job, stage))
}

/// A text that the compiler gives.
pub(crate) fn text(engine: &Engine, subject: Subject, want: Want) -> Result<String, Error> {
    match engine.ask(&Question { subject, want })? {
        Answer::Text(text) => Ok(text),
        _ => Err(Error::Compile("the compiler answered something else".into())),
    }
}
