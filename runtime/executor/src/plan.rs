//! An execution plan is code with what it takes for granted: it gives what interpreting the function gives, on every call that its guard lets through.

use crate::profile::ProfileRecord;
use crate::strategy::Specialization;
use crate::trial::{Trial, Turn};
use crate::types::{TypeGuard, listed};
use sconce_interpreter::program::{FunctionId, Op, Program};
use sconce_interpreter::{CustomOperators, Executable, Options, RunError};
use sconce_kernels::{Outputs, grad};
use sconce_schema::Type;
use sconce_static::StaticModule;
use sconce_tensor::IValue;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

/// What a plan is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlanKind {
    /// The bytecode, watched.
    Profiling,
    /// The bytecode, or a static plan of it.
    Interpreted,
    /// What the compiler made: for these arguments only.
    Compiled(Option<Specialization>),
}

impl fmt::Display for PlanKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanKind::Profiling => f.write_str("profiling"),
            PlanKind::Interpreted => f.write_str("interpreted"),
            PlanKind::Compiled(None) => f.write_str("compiled"),
            PlanKind::Compiled(Some(s)) => write!(f, "compiled {}", s.word()),
        }
    }
}

/// A way to run a function (PyTorch's `ExecutionPlan`).
pub struct ExecutionPlan {
    kind: PlanKind,
    executable: Arc<Executable>,
    function: FunctionId,
    guard: Option<TypeGuard>,
    fallback: Option<Arc<ExecutionPlan>>,
    profile: Option<Arc<ProfileRecord>>,
    /// The static plan, made when the function runs again; none where there can be none.
    planned: Option<Arc<Planned>>,
    /// Of a plan that nobody asked for: it stays only if it is faster than its fallback.
    trial: Option<Trial>,
    runs: AtomicU64,
}

struct Planned {
    custom: Arc<CustomOperators>,
    module: OnceLock<Option<StaticModule>>,
}

impl ExecutionPlan {
    fn new(kind: PlanKind, executable: Arc<Executable>, function: FunctionId) -> ExecutionPlan {
        ExecutionPlan {
            kind,
            executable,
            function,
            guard: None,
            fallback: None,
            profile: None,
            planned: None,
            trial: None,
            runs: AtomicU64::new(0),
        }
    }

    pub(crate) fn interpreted(executable: Arc<Executable>, function: FunctionId) -> ExecutionPlan {
        ExecutionPlan::new(PlanKind::Interpreted, executable, function)
    }

    /// Lets a static plan run it, where one gives the same.
    pub(crate) fn planned(mut self, custom: Arc<CustomOperators>) -> ExecutionPlan {
        if suits_static_plans(self.executable.program(), self.function) {
            self.planned = Some(Arc::new(Planned { custom, module: OnceLock::new() }));
        }
        self
    }

    /// The same code, counted apart.
    pub(crate) fn again(&self) -> ExecutionPlan {
        let plan = ExecutionPlan::new(self.kind, self.executable.clone(), self.function);
        ExecutionPlan { planned: self.planned.clone(), ..plan }
    }

    pub(crate) fn profiling(
        executable: Arc<Executable>,
        function: FunctionId,
        record: Arc<ProfileRecord>,
        fallback: Arc<ExecutionPlan>,
    ) -> ExecutionPlan {
        let plan = ExecutionPlan::new(PlanKind::Profiling, executable, function);
        ExecutionPlan { profile: Some(record), fallback: Some(fallback), ..plan }
    }

    pub(crate) fn compiled(
        specialization: Option<Specialization>,
        (executable, function): (Arc<Executable>, FunctionId),
        guard: TypeGuard,
        profile: Option<Arc<ProfileRecord>>,
        fallback: Arc<ExecutionPlan>,
    ) -> ExecutionPlan {
        let plan = ExecutionPlan::new(PlanKind::Compiled(specialization), executable, function);
        ExecutionPlan { guard: Some(guard), profile, fallback: Some(fallback), ..plan }
    }

    /// Lets it be given up where it is slower than its fallback.
    pub(crate) fn on_trial(self) -> ExecutionPlan {
        ExecutionPlan { trial: Some(Trial::new()), ..self }
    }

    /// Whether it lost against its fallback, which takes its calls.
    pub fn is_given_up(&self) -> bool {
        self.trial.as_ref().is_some_and(Trial::is_lost)
    }

    pub fn kind(&self) -> PlanKind {
        self.kind
    }
    /// The code, with its program.
    pub fn executable(&self) -> &Arc<Executable> {
        &self.executable
    }
    pub fn function(&self) -> FunctionId {
        self.function
    }
    /// The types that it takes for granted; none for a plan for all arguments.
    pub fn argument_types(&self) -> Option<&[Type]> {
        self.guard.as_ref().map(TypeGuard::types)
    }
    /// Whether it is for these arguments.
    #[inline]
    pub fn accepts(&self, inputs: &[IValue]) -> bool {
        self.guard.as_ref().is_none_or(|guard| guard.holds(inputs))
    }
    /// What runs where its guard fails.
    pub fn fallback(&self) -> Option<&Arc<ExecutionPlan>> {
        self.fallback.as_ref()
    }
    /// What was seen before it was made, or is being seen by it: with the sites of the function that the executor was made for.
    pub fn profile(&self) -> Option<&Arc<ProfileRecord>> {
        self.profile.as_ref()
    }
    /// How often it ran.
    pub fn runs(&self) -> u64 {
        self.runs.load(Ordering::Relaxed)
    }
    /// The static plan that runs it, once there is one.
    pub fn static_module(&self) -> Option<&StaticModule> {
        self.planned.as_ref()?.module.get()?.as_ref()
    }

    /// Runs it, on arguments that it [accepts](Self::accepts), or else its fallback.
    ///
    /// # Errors
    /// The inputs do not fit the function, or the program failed.
    pub fn run(&self, inputs: Vec<IValue>, options: &Options) -> Result<Outputs, RunError> {
        match &self.fallback {
            Some(fallback) if !self.accepts(&inputs) => fallback.run_accepted(inputs, options),
            _ => self.run_accepted(inputs, options),
        }
    }

    #[inline]
    pub(crate) fn run_accepted(&self, inputs: Vec<IValue>, options: &Options) -> Result<Outputs, RunError> {
        match (&self.trial, &self.fallback) {
            (Some(trial), Some(fallback)) => self.run_on_trial(trial, fallback, inputs, options),
            _ => self.run_itself(inputs, options),
        }
    }

    fn run_on_trial(
        &self,
        trial: &Trial,
        fallback: &ExecutionPlan,
        inputs: Vec<IValue>,
        options: &Options,
    ) -> Result<Outputs, RunError> {
        let run = |plan: bool, inputs| match plan {
            true => self.run_itself(inputs, options),
            false => fallback.run_accepted(inputs, options),
        };
        match trial.next() {
            Turn::Won { plan } => run(plan, inputs),
            Turn::Timed { plan } => {
                let started = Instant::now();
                let outputs = run(plan, inputs)?;
                trial.took(plan, u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX));
                Ok(outputs)
            }
        }
    }

    #[inline]
    fn run_itself(&self, inputs: Vec<IValue>, options: &Options) -> Result<Outputs, RunError> {
        let before = self.runs.fetch_add(1, Ordering::Relaxed);
        if self.kind == PlanKind::Profiling
            && let Some(record) = &self.profile
        {
            record.see_arguments(&inputs);
            let outputs = self.executable.run(self.function, inputs, options)?;
            record.finish_run();
            return Ok(outputs);
        }
        match self.static_for(before, &inputs, options) {
            Some(module) => module.run(&inputs, options),
            None => self.executable.run(self.function, inputs, options),
        }
    }

    /// The static plan, if it gives what the interpreter gives for this call.
    #[inline]
    fn static_for(&self, before: u64, inputs: &[IValue], options: &Options) -> Option<&StaticModule> {
        let planned = self.planned.as_ref()?;
        // A function that runs once is not worth a plan; who watches sees operators' arguments.
        if before == 0 || options.observer.is_some() {
            return None;
        }
        // The need of gradients is not looked for in objects, and a plan's results have none.
        let hidden = grad::enabled() && inputs.iter().any(|v| matches!(v, IValue::Object(_)));
        let make =
            || StaticModule::new(self.executable.program(), self.function, &planned.custom, Default::default()).ok();
        let module = if hidden { None } else { planned.module.get_or_init(make).as_ref() };
        module.filter(|m| m.accepts(inputs))
    }
}

/// Whether a static plan of the function is as fast and gives the same: loops over numbers are the interpreter's, and so is what asks for the gradient mode,
/// which is off in static plans.
fn suits_static_plans(program: &Program, function: FunctionId) -> bool {
    let Some(f) = program.functions.get(function as usize) else { return false };
    let asks = |name: &Arc<str>| name.contains("grad_enabled");
    !f.code.iter().any(|i| matches!(i.op, Op::LoopUnless(_) | Op::Enter)) && !program.operators.iter().any(asks)
}

impl fmt::Display for ExecutionPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(types) = self.argument_types() {
            write!(f, "{}: ", listed(types))?;
        }
        write!(f, "{}, {} runs", self.kind, self.runs())
    }
}
