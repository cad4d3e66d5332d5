//! The executors of one function, and which of them takes a call: attributes of its object are constants while they are what they were, else arguments.

use crate::compile::{AttributesAs, FunctionCompiler, Origins, stage, text};
use crate::engine::Engine;
use crate::error::{Error, Failure};
use crate::profiled::{ProfiledGraph, inlined_text, optimized_text};
use crate::report::Report;
use sconce_exec::{Origin, bind_regions};
use sconce_executor::{
    BindRegions, CompileMode, DebugState, ExecutionPlan, Executor, ExecutorMode, PlanKind, Setup, Watch,
};
use sconce_interpreter::{Executable, Options, RunError};
use sconce_kernels::Outputs;
use sconce_request::{Signature, Stage, Subject, Want};
use sconce_tensor::{IValue, Object};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// What runs the calls of a function.
pub(crate) struct Calls {
    of: Called,
    /// Attributes are constants in what it compiles.
    frozen: Form,
    /// They are read in each call: made when one of them changed.
    lifted: OnceLock<Form>,
    /// A call found an attribute changed that is a constant in what was compiled.
    went_stale: AtomicBool,
}

/// A function, and whose method it is.
struct Called {
    engine: Engine,
    executable: Arc<Executable>,
    function: u32,
    /// Its qualified name.
    name: String,
    /// It is found by the object's address, which stays its own while it is held.
    object: Option<Arc<Object>>,
    origins: Option<Origins>,
    /// The graph of watched runs, once a run was watched.
    profiled: Arc<OnceLock<Option<ProfiledGraph>>>,
}

/// An executor, and what it compiles with.
struct Form {
    executor: Executor,
    compiler: Option<Arc<FunctionCompiler>>,
}

impl Called {
    fn form(&self, attributes: AttributesAs) -> Form {
        let asked = self.engine.compiler().zip(self.origins.as_ref());
        let compiler = asked.map(|(asked, origins)| {
            let object = self.object.clone();
            Arc::new(FunctionCompiler::new(&self.engine, asked, origins, &self.name, object, attributes))
        });
        let (gpu, problems) = (self.engine.options().gpu, compiler.clone());
        let runs_here = self.engine.options().alone.is_none();
        let bind: BindRegions = Arc::new(move |executable: &Executable| {
            if !runs_here {
                return Ok(());
            }
            let bound = bind_regions(executable, gpu, Origin::Compiler);
            if let Some(compiler) = &problems {
                compiler.note(bound.into_iter().flat_map(|region| region.problems));
            }
            Ok(())
        });
        let mut settings = self.engine.options().executor.clone();
        let compiles = compiler.is_some() && settings.compile != CompileMode::Off;
        if !compiles && !self.engine.options().watch {
            settings.mode = ExecutorMode::Off;
        }
        let watch = match (&self.origins, self.engine.compiler()) {
            (Some(Origins::Unit(unit)), Some(asked)) => {
                let (unit, name, made) = (unit.clone(), self.name.clone(), self.profiled.clone());
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
            custom: Arc::new(self.engine.custom()),
            target: self.engine.target(),
            ..Setup::default()
        };
        let executor = Executor::with(self.executable.clone(), self.function, setup);
        Form { executor, compiler }
    }
}

impl Form {
    fn holds(&self) -> bool {
        self.compiler.as_ref().is_none_or(|compiler| compiler.holds())
    }

    /// Adds what ran where.
    fn describe(&self, report: &mut Report) {
        self.executor.settle();
        if let Some(compiler) = &self.compiler {
            compiler.describe(report);
        }
        match (&self.compiler, self.executor.debug_state()) {
            (Some(compiler), DebugState::Ready { plans, .. }) => {
                for row in plans.iter().filter(|row| row.plan.is_given_up()) {
                    report.note(&format!(
                        "compiled code for ({}) was slower than interpreting and is given up",
                        row.arguments
                    ));
                }
                let plans = plans.iter().filter(|row| matches!(row.plan.kind(), PlanKind::Compiled(_)));
                report.regions.extend(plans.flat_map(|row| compiler.regions(row)));
            }
            (_, state @ DebugState::Profiling { .. }) => report.note(&state.to_string()),
            (None, _) => {}
        }
    }
}

impl Calls {
    pub fn new(
        engine: &Engine,
        executable: Arc<Executable>,
        function: u32,
        object: Option<&Arc<Object>>,
        origins: Option<Origins>,
    ) -> Calls {
        let name = executable.program().functions[function as usize].name.to_string();
        let (engine, object) = (engine.clone(), object.cloned());
        let of = Called { engine, executable, function, name, object, origins, profiled: Arc::default() };
        let frozen = of.form(AttributesAs::Constants);
        Calls { of, frozen, lifted: OnceLock::new(), went_stale: AtomicBool::new(false) }
    }

    fn form(&self) -> &Form {
        if self.frozen.holds() {
            return &self.frozen;
        }
        self.went_stale.store(true, Ordering::Relaxed);
        self.lifted.get_or_init(|| self.of.form(AttributesAs::Arguments))
    }

    fn forms(&self) -> impl Iterator<Item = &Form> {
        std::iter::once(&self.frozen).chain(self.lifted.get())
    }

    /// The executor that takes a call now.
    pub fn executor(&self) -> &Executor {
        &self.form().executor
    }

    /// Is it a plan of this function?
    pub fn has(&self, plan: &Arc<ExecutionPlan>) -> bool {
        self.forms().any(|form| form.executor.has(plan))
    }

    /// The graph of one of the executor's plans as text: with what was seen at each place while runs are watched and where nothing is fused after them, the torch
    /// dialect with its regions where it is compiled, else the function with every call inlined.
    pub fn graph_of(&self, plan: &Arc<ExecutionPlan>, engine: &Engine, origins: &Origins) -> Result<String, Error> {
        let form = self.forms().find(|form| form.executor.has(plan)).unwrap_or(&self.frozen);
        let name = &self.of.name;
        let watched = self.of.profiled.get().and_then(Option::as_ref).zip(form.executor.profile());
        match (plan.kind(), watched, origins) {
            (PlanKind::Compiled(_), ..) => {
                let signature = Signature::declared(plan.argument_types().unwrap_or_default().iter());
                Ok(stage(engine, origins, name, self.of.object.as_ref(), signature, Stage::Fused)?.text)
            }
            (PlanKind::Profiling, Some((graph, record)), _) => Ok(graph.text(&record)),
            (_, Some((graph, record)), _) => Ok(graph.optimized_text(&record)),
            (_, None, Origins::Unit(unit)) => {
                let is_off = form.executor.settings().mode == ExecutorMode::Off;
                let text = match engine.compiler().filter(|_| !is_off) {
                    Some(compiler) => optimized_text(unit, name, &*compiler),
                    None => inlined_text(unit, name),
                };
                Ok(text.ok_or_else(|| Failure::Compile(format!("calls of {name} cannot be inlined")))?)
            }
            (_, None, Origins::Text(subject)) => text(engine, Subject::clone(subject), Want::GraphText),
        }
    }

    /// Calls the function.
    pub fn run(&self, inputs: Vec<IValue>, options: &Options) -> Result<Outputs, RunError> {
        self.form().executor.run(inputs, options)
    }

    /// What ran where in the calls so far, once nothing is being compiled any more.
    pub fn report(&self, function: &str) -> Report {
        let mut report = Report::new(function);
        self.forms().for_each(|form| form.describe(&mut report));
        if self.went_stale.load(Ordering::Relaxed) {
            report
                .note("an attribute changed that was a constant in what was compiled: such calls read the attributes");
        }
        report
    }
}
