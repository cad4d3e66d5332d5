//! Functions with their plans, shared by all threads, and the instances that run them, one thread each.

use crate::instance::Instance;
use crate::options::Options;
use crate::plan::{Kind, Plan, plan};
use crate::planner::Layout;
use crate::tasks::{Launcher, Tasks};
use sconce_interpreter::cost;
use sconce_interpreter::program::{FunctionId, Op};
use sconce_interpreter::{
    Cause, CustomOperators, Executable, Fuel, LoadError as ProgramError, MissingOperators, Options as RunOptions,
    Program, RunError,
};
use sconce_kernels::{Bound, Outputs, grad};
use sconce_tensor::{Future, IValue};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Why a function cannot have a plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    #[error(transparent)]
    Program(#[from] ProgramError),
    #[error("there is no function {0}")]
    NoFunction(FunctionId),
    /// It is run by the interpreter alone.
    #[error("{function}: {what} has no static plan")]
    Unsupported { what: String, function: String },
    #[error("{0}")]
    Missing(MissingOperators),
}

/// The program as plans are made of it: functions for the interpreter are added.
pub(crate) struct Builder<'p> {
    pub program: Program,
    custom: &'p CustomOperators,
    /// Functions that call themselves, through others or not.
    recursive: BTreeSet<FunctionId>,
    /// Operators that are left to the interpreter.
    pub interpreted: Vec<Arc<str>>,
}

impl Builder<'_> {
    /// The kernel of an operator; none for those that whoever runs the program brought.
    pub fn bound(&self, operator: u32) -> Option<Bound> {
        let name = &self.program.operators[operator as usize];
        if self.custom.contains_key(&**name) {
            return None;
        }
        sconce_schema::lookup(name).and_then(|entry| Bound::new(entry).ok())
    }

    pub fn is_planned(&self, function: FunctionId) -> bool {
        !self.recursive.contains(&function)
    }
}

/// The functions that each function calls or forks.
fn callees(program: &Program, function: FunctionId) -> impl Iterator<Item = FunctionId> + '_ {
    program.functions[function as usize].code.iter().filter_map(|i| match i.op {
        Op::CallFunction(f) | Op::Fork(f) => Some(f),
        _ => None,
    })
}

/// What can be reached from a function's calls.
fn reached(program: &Program, function: FunctionId) -> BTreeSet<FunctionId> {
    let mut found = BTreeSet::new();
    let mut next = vec![function];
    while let Some(f) = next.pop() {
        next.extend(callees(program, f).filter(|c| found.insert(*c)));
    }
    found
}

pub(crate) struct Inner {
    pub executable: Executable,
    /// By function; functions that nothing planned calls have none.
    plans: Vec<Option<Plan>>,
    entry: FunctionId,
    options: Options,
    forks: bool,
}

impl Inner {
    pub fn plan(&self, function: FunctionId) -> Option<&Plan> {
        self.plans.get(function as usize)?.as_ref()
    }
}

/// A function ready for planned runs (PyTorch's `StaticModule`). Immutable, shared by all threads.
pub struct StaticModule(Arc<Inner>);

/// One instance, for one thread at a time (PyTorch's `StaticRuntime`). It cannot outlive its module:
///
/// ```compile_fail,E0597
/// use sconce_static::{StaticModule, StaticRuntime};
/// fn outlives(module: StaticModule) {
///     let runtime: StaticRuntime<'_> = {
///         let module = module;
///         module.runtime()
///     };
///     drop(runtime);
/// }
/// ```
pub struct StaticRuntime<'m> {
    module: &'m StaticModule,
    instance: Box<Instance>,
    pub options: RunOptions,
}

/// What a node's run may use.
pub(crate) struct Run<'a> {
    pub inner: &'a Arc<Inner>,
    pub options: &'a RunOptions,
    pub fuel: &'a Fuel,
    pub tasks: Option<&'a Arc<Tasks>>,
}

impl Run<'_> {
    /// A function of the interpreter.
    pub fn interpret(&self, function: FunctionId, inputs: Vec<IValue>) -> Result<Outputs, RunError> {
        self.inner.executable.run_on(function, inputs, self.options, self.fuel)
    }

    /// A function with a plan, in an instance of its own.
    pub fn function(&self, function: FunctionId, inputs: impl Iterator<Item = IValue>) -> Result<Outputs, RunError> {
        let Some(plan) = self.inner.plan(function) else {
            return self.interpret(function, inputs.collect());
        };
        let mut instance = plan.pool.take().unwrap_or_else(|| Box::new(Instance::new(plan)));
        let result = instance.run(self, plan, inputs);
        plan.pool.give(instance);
        result
    }

    pub fn fork(&self, function: FunctionId, inputs: Vec<IValue>) -> Result<Arc<Future>, RunError> {
        self.fuel.spend(|| cost::FORK)?;
        match self.tasks {
            Some(tasks) => tasks.fork(self.inner, function, inputs),
            None => Err(RunError::new(Cause::Operator, "RuntimeError", "this run has no tasks")),
        }
    }

    pub fn wait(&self, future: &Arc<Future>) -> Result<IValue, RunError> {
        let failed = |message| RunError::new(Cause::Operator, "RuntimeError", message);
        match (self.tasks, future.poll()) {
            (_, Some(result)) => result.map_err(failed),
            (Some(tasks), None) => tasks.wait(self.inner, future),
            (None, None) => Err(RunError::new(Cause::Deadlock, "RuntimeError", "every task waits for another")),
        }
    }
}

/// Runs do not record what gradients flow through; the mode outside comes back however the run ends.
struct NoGradients(bool);

impl NoGradients {
    fn enter() -> NoGradients {
        NoGradients(grad::enable(false))
    }
}

impl Drop for NoGradients {
    fn drop(&mut self) {
        grad::enable(self.0);
    }
}

/// Whether a value is, or holds, a tensor that requires gradients.
fn requires_gradients(value: &IValue, depth: usize) -> bool {
    let inside = |v: &IValue| depth > 0 && requires_gradients(v, depth - 1);
    match value {
        IValue::Tensor(t) => t.requires_grad(),
        IValue::Tuple(t) => t.items.iter().any(inside),
        IValue::List(l) => l.read().iter().any(inside),
        IValue::Dict(d) => d.read().values().any(inside),
        _ => false,
    }
}

impl StaticModule {
    /// Plans a function of a program, and those it calls. The program should be inlined and frozen before.
    ///
    /// # Errors
    /// The program is damaged, nobody has one of its operators, or it does what plans cannot.
    pub fn new(
        program: &Program,
        function: FunctionId,
        custom: &CustomOperators,
        options: Options,
    ) -> Result<StaticModule, LoadError> {
        program.verify().map_err(ProgramError::from)?;
        if function as usize >= program.functions.len() {
            return Err(LoadError::NoFunction(function));
        }
        let mut wanted = reached(program, function);
        let recursive = wanted.iter().copied().filter(|f| reached(program, *f).contains(f)).collect();
        wanted.insert(function);
        let mut builder = Builder { program: program.clone(), custom, recursive, interpreted: Vec::new() };
        let mut plans: Vec<Option<Plan>> = Vec::new();
        plans.resize_with(program.functions.len(), || None);
        let mut forks = false;
        for f in wanted {
            if f != function && !builder.is_planned(f) {
                continue;
            }
            match plan(&mut builder, f, &options) {
                Ok(plan) => {
                    forks |= plan.nodes.iter().any(|n| matches!(n.kind, Kind::Fork(_)));
                    plans[f as usize] = Some(plan);
                }
                Err(e) if f == function => return Err(e),
                // What it calls may be interpreted.
                Err(_) => {}
            }
        }
        let executable = Executable::with_operators(Arc::new(builder.program), custom)?;
        let mut missing = executable.missing();
        missing.0.retain(|name, _| builder.interpreted.iter().any(|n| **n == **name));
        if !missing.0.is_empty() {
            return Err(LoadError::Missing(missing));
        }
        Ok(StaticModule(Arc::new(Inner { executable, plans, entry: function, options, forks })))
    }

    pub fn options(&self) -> &Options {
        &self.0.options
    }

    /// What runs the parts that plans leave to the interpreter.
    pub fn executable(&self) -> &Executable {
        &self.0.executable
    }

    pub(crate) fn inner(&self) -> &Inner {
        &self.0
    }

    pub(crate) fn entry(&self) -> &Plan {
        self.0.plan(self.0.entry).expect("planned in `new`")
    }

    /// An instance of its own for the calling thread.
    pub fn runtime(&self) -> StaticRuntime<'_> {
        StaticRuntime { module: self, instance: Box::new(Instance::new(self.entry())), options: RunOptions::default() }
    }

    /// Runs in an instance from the module's pool: any number of threads at once.
    ///
    /// # Errors
    /// The inputs do not fit, or the program failed.
    pub fn run(&self, inputs: &[IValue], options: &RunOptions) -> Result<Outputs, RunError> {
        self.run_with(inputs, options, None)
    }

    /// The same with forked parts given to a launcher; without one they run on a pool of threads. The parent runs on the calling thread, so the future is
    /// complete when this returns.
    pub fn run_async(&self, inputs: &[IValue], options: &RunOptions, launcher: Option<Launcher>) -> Arc<Future> {
        let options = RunOptions { workers: options.workers.max(1), ..options.clone() };
        let result = self.run_with(inputs, &options, launcher);
        let future = Future::pending();
        future.complete(result.map_err(|e| e.to_string()).map(|mut outputs| match outputs.len() {
            0 => IValue::None,
            1 => outputs.remove(0),
            _ => IValue::tuple(outputs.into_vec()),
        }));
        future
    }

    fn run_with(
        &self,
        inputs: &[IValue],
        options: &RunOptions,
        launcher: Option<Launcher>,
    ) -> Result<Outputs, RunError> {
        let plan = self.entry();
        let mut instance = plan.pool.take().unwrap_or_else(|| Box::new(Instance::new(plan)));
        let result = self.run_in(&mut instance, inputs, options, launcher);
        plan.pool.give(instance);
        result
    }

    fn run_in(
        &self,
        instance: &mut Instance,
        inputs: &[IValue],
        options: &RunOptions,
        launcher: Option<Launcher>,
    ) -> Result<Outputs, RunError> {
        if grad::enabled() && inputs.iter().any(|v| requires_gradients(v, 8)) {
            let message =
                "static plans are for inference only: an input requires gradients; run under no_grad, or detach it";
            return Err(RunError::new(Cause::Argument, "RuntimeError", message));
        }
        let inner = &self.0;
        let plan = self.entry();
        let program = inner.executable.program();
        let parameters = &program.functions[inner.entry as usize].parameters;
        let _mode = NoGradients::enter();
        let tasks = inner.forks.then(|| Tasks::new(options, launcher));
        let fuel = Fuel::of(options);
        let run = Run { inner, options, fuel: tasks.as_ref().map_or(&fuel, |t| &t.fuel), tasks: tasks.as_ref() };
        let fits = inputs.len() == parameters.len()
            && inputs.iter().zip(parameters).all(|(v, p)| program.is_instance(v, &p.ty));
        let result = if fits {
            instance.run(&run, plan, inputs.iter().cloned())
        } else {
            let bound = program.bind(inner.entry, inputs.to_vec(), Vec::new())?;
            instance.run(&run, plan, bound.into_iter())
        };
        if let Some(tasks) = &tasks {
            tasks.finish(inner, result.is_err());
        }
        result
    }

    /// Whether runs take these inputs: none requires gradients while gradients are on.
    pub fn accepts(&self, inputs: &[IValue]) -> bool {
        !grad::enabled() || !inputs.iter().any(|v| requires_gradients(v, 8))
    }
}

impl StaticRuntime<'_> {
    /// Runs the function.
    ///
    /// # Errors
    /// The inputs do not fit, or the program failed.
    pub fn run(&mut self, inputs: &[IValue]) -> Result<Outputs, RunError> {
        self.module.run_in(&mut self.instance, inputs, &self.options, None)
    }

    /// What the planner has laid out, as of the last run.
    pub fn layout(&self) -> Layout {
        self.instance.layout()
    }
}

/// Another instance of the same module; it knows the sizes that the others have seen.
impl Clone for StaticRuntime<'_> {
    fn clone(&self) -> Self {
        StaticRuntime { options: self.options.clone(), ..self.module.runtime() }
    }
}
