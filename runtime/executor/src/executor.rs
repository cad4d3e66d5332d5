//! One executor for each function: it is interpreted from the first call on, and whatever faster plan a later call takes gives the same.

use crate::background;
use crate::compiler::{BindRegions, CompileRequest, Compiler, Constant, compiled};
use crate::debug_state::{Counters, DebugState, PlanRow};
use crate::plan::{ExecutionPlan, PlanKind};
use crate::plan_cache::{Entry, Found, PlanCache};
use crate::profile::{ProfileRecord, Watch, instrument, numbered};
use crate::settings::{CompileMode, ExecutorMode, Settings};
use crate::specialized::{SeenArguments, Specialized};
use crate::strategy::Specialization;
use crate::types::{TypeGuard, listed};
use sconce_interpreter::program::FunctionId;
use sconce_interpreter::{CustomOperators, Executable, Options, RunError};
use sconce_kernels::Outputs;
use sconce_schema::Type;
use sconce_tensor::IValue;
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError, Weak};
use std::time::Instant;

/// Where lines go that a user may want to read; each says one thing that did not go as it could.
pub type Report = Arc<dyn Fn(&str) + Send + Sync>;

/// What an executor is given beside its function.
#[derive(Clone)]
pub struct Setup {
    pub settings: Settings,
    /// Without one, nothing is compiled.
    pub compiler: Option<Arc<dyn Compiler>>,
    pub bind: Option<BindRegions>,
    pub custom: Arc<CustomOperators>,
    pub report: Option<Report>,
    /// Who has the function's graph, for runs that are watched as PyTorch watches them.
    pub watch: Option<Watch>,
    pub constants: Arc<[Constant]>,
    pub options: Arc<[(String, String)]>,
    pub target: Arc<str>,
}

impl Default for Setup {
    /// The current settings, and no compiler.
    fn default() -> Setup {
        Setup {
            settings: Settings::current(),
            compiler: None,
            bind: None,
            custom: Arc::default(),
            report: None,
            watch: None,
            constants: [].into(),
            options: [].into(),
            target: "".into(),
        }
    }
}

/// Runs a function in the best way there is for each call's arguments (PyTorch's `GraphExecutor`). Any number of threads may share it.
pub struct Executor(Arc<Inner>);

struct Inner {
    setup: Setup,
    base: Arc<ExecutionPlan>,
    profiling: OnceLock<Profiling>,
    specialized: Specialized,
    /// The arguments of calls that were made before compiling paid.
    waiting: SeenArguments,
    plans: PlanCache,
    /// Nanoseconds that interpreted calls took.
    spent: AtomicU64,
    counters: Tally,
    /// Compilations that were asked for and are not there.
    pending: Mutex<usize>,
    settled: Condvar,
}

#[derive(Default)]
struct Tally {
    hits: AtomicU64,
    misses: AtomicU64,
    fallbacks: AtomicU64,
    compiled: AtomicU64,
    failed: AtomicU64,
    refused: AtomicU64,
}

fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

struct Profiling {
    record: Arc<ProfileRecord>,
    /// Given up when the runs that were to be watched are over.
    plan: Mutex<Option<Arc<ExecutionPlan>>>,
    is_over: AtomicBool,
}

impl Profiling {
    fn new(record: Arc<ProfileRecord>, plan: ExecutionPlan) -> Profiling {
        Profiling { record, plan: Mutex::new(Some(Arc::new(plan))), is_over: AtomicBool::new(false) }
    }
}

/// Who gets what is compiled.
enum Receiver {
    Specialized,
    Entry(Arc<Entry>),
}

thread_local! {
    static LAST: RefCell<Weak<ExecutionPlan>> = const { RefCell::new(Weak::new()) };
}

/// The plan that this thread ran last, while its executor lives: what `last_executed_optimized_graph()` shows.
pub fn last_executed() -> Option<Arc<ExecutionPlan>> {
    LAST.with_borrow(Weak::upgrade)
}

impl Executor {
    /// An executor for a function, under the current [`Settings`], without a compiler.
    pub fn new(executable: Arc<Executable>, function: FunctionId) -> Executor {
        Executor::with(executable, function, Setup::default())
    }

    pub fn with(executable: Arc<Executable>, function: FunctionId, setup: Setup) -> Executor {
        let base = ExecutionPlan::interpreted(executable, function);
        let wants_plan = setup.settings.static_plans && setup.settings.mode != ExecutorMode::Off;
        let base = if wants_plan { base.planned(setup.custom.clone()) } else { base };
        Executor(Arc::new(Inner {
            base: Arc::new(base),
            profiling: OnceLock::new(),
            specialized: Specialized::new(setup.settings.fusion.depth()),
            waiting: SeenArguments::default(),
            plans: PlanCache::new(setup.settings.plan_limit),
            spent: AtomicU64::new(0),
            counters: Tally::default(),
            pending: Mutex::new(0),
            settled: Condvar::new(),
            setup,
        }))
    }

    /// Calls the function. `inputs` are as many as its parameters, which trailing defaults may complete.
    ///
    /// # Errors
    /// The inputs do not fit, or the program failed.
    pub fn run(&self, inputs: Vec<IValue>, options: &Options) -> Result<Outputs, RunError> {
        let inner = &self.0;
        let plan = inner.choose(&inputs);
        remember(&plan);
        if plan.kind() != PlanKind::Interpreted || !inner.is_timed() {
            return plan.run_accepted(inputs, options);
        }
        let started = Instant::now();
        let outputs = plan.run_accepted(inputs, options);
        let took = u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX);
        inner.spent.fetch_add(took, Ordering::Relaxed);
        outputs
    }

    /// The plan that a call with these arguments takes now; running it is making the call. With [`CompileMode::Now`] it is compiled if it has to be.
    pub fn plan_for(&self, inputs: &[IValue]) -> Arc<ExecutionPlan> {
        self.0.choose(inputs)
    }

    /// The plan of all arguments that have no other: what optimised plans fall back to.
    pub fn fallback(&self) -> &Arc<ExecutionPlan> {
        &self.0.base
    }

    /// What the watched runs have shown; none before the first.
    pub fn profile(&self) -> Option<Arc<ProfileRecord>> {
        self.0.profiling.get().map(|p| p.record.clone())
    }

    /// Whether it is one of this executor's plans.
    pub fn has(&self, plan: &Arc<ExecutionPlan>) -> bool {
        let inner = &self.0;
        let watching =
            inner.profiling.get().and_then(|p| p.plan.lock().unwrap_or_else(PoisonError::into_inner).clone());
        let by_spec = inner.plans.list().into_iter().map(|entry| entry.plan().clone());
        let all = inner.specialized.list().into_iter().chain(by_spec).chain(watching);
        Arc::ptr_eq(&inner.base, plan) || all.into_iter().any(|p| Arc::ptr_eq(&p, plan))
    }

    pub fn settings(&self) -> &Settings {
        &self.0.setup.settings
    }

    pub fn debug_state(&self) -> DebugState {
        self.0.debug_state()
    }

    /// Waits until nothing that was asked for is being compiled.
    pub fn settle(&self) {
        let mut pending = self.0.pending.lock().unwrap_or_else(PoisonError::into_inner);
        while *pending > 0 {
            pending = self.0.settled.wait(pending).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[inline]
fn remember(plan: &Arc<ExecutionPlan>) {
    // A thread that ends remembers nothing.
    let _ = LAST.try_with(|last| {
        let mut last = last.borrow_mut();
        if !std::ptr::eq(last.as_ptr(), Arc::as_ptr(plan)) {
            *last = Arc::downgrade(plan);
        }
    });
}

impl Inner {
    fn choose(self: &Arc<Self>, inputs: &[IValue]) -> Arc<ExecutionPlan> {
        match self.setup.settings.mode {
            ExecutorMode::Off => self.base.clone(),
            ExecutorMode::Profiling => self.profiled(inputs),
            ExecutorMode::Traditional => self.by_spec(inputs),
        }
    }

    /// The profiling executor: watched runs, then specialised plans, each behind its guard.
    fn profiled(self: &Arc<Self>, inputs: &[IValue]) -> Arc<ExecutionPlan> {
        if self.setup.settings.fusion.depth() == 0 {
            return self.base.clone();
        }
        if self.setup.settings.profiled_runs > 0
            && let Some(plan) = self.profiling_plan()
        {
            count(&self.counters.misses);
            return plan;
        }
        if let Some(plan) = self.specialized.find(inputs) {
            count(&self.counters.hits);
            return plan;
        }
        count(&self.counters.misses);
        if !self.specialized.is_empty() {
            count(&self.counters.fallbacks);
        } else if self.is_timed() {
            self.waiting.see(inputs);
        }
        self.specialize(inputs).unwrap_or_else(|| self.base.clone())
    }

    fn profiling_plan(&self) -> Option<Arc<ExecutionPlan>> {
        let profiling = self.profiling.get_or_init(|| self.begin_profiling());
        if profiling.record.runs_left() > 0 {
            return profiling.plan.lock().unwrap_or_else(PoisonError::into_inner).clone();
        }
        if !profiling.is_over.load(Ordering::Relaxed) && !profiling.is_over.swap(true, Ordering::Relaxed) {
            *profiling.plan.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
        None
    }

    fn begin_profiling(&self) -> Profiling {
        let (executable, function) = (self.base.executable(), self.base.function());
        let runs = self.setup.settings.profiled_runs;
        if let Some(watched) = self.setup.watch.as_ref().and_then(|watch| watch()) {
            let (custom, record) = numbered(&self.setup.custom, watched.places, runs);
            if let Ok(code) = Executable::with_operators(Arc::new(watched.program), &custom) {
                let plan =
                    ExecutionPlan::profiling(Arc::new(code), watched.function, record.clone(), self.base.clone());
                return Profiling::new(record, plan);
            }
        }
        let (program, custom, record) = instrument(executable.program(), function, &self.setup.custom, runs);
        // What was taken in once is taken again; if it were not, only the arguments would be watched.
        let watched =
            Executable::with_operators(Arc::new(program), &custom).map_or_else(|_| executable.clone(), Arc::new);
        let plan = ExecutionPlan::profiling(watched, function, record.clone(), self.base.clone());
        Profiling::new(record, plan)
    }

    /// Whether the time of interpreted calls decides anything still.
    fn is_timed(&self) -> bool {
        self.setup.settings.compile == CompileMode::Background && self.setup.compiler.is_some() && !self.has_paid()
    }

    fn has_paid(&self) -> bool {
        u128::from(self.spent.load(Ordering::Relaxed)) >= self.setup.settings.compile_after.as_nanos()
    }

    /// Whether to compile now, for arguments that have no plan.
    fn may_compile(&self) -> bool {
        self.setup.compiler.is_some()
            && match self.setup.settings.compile {
                CompileMode::Off => false,
                CompileMode::Now => true,
                CompileMode::Background => self.has_paid(),
            }
    }

    /// Asks for one more specialised plan if the strategy has one; the plan if it is there at once and for these arguments.
    fn specialize(self: &Arc<Self>, inputs: &[IValue]) -> Option<Arc<ExecutionPlan>> {
        if !self.may_compile() {
            return None;
        }
        let profile = self.profiling.get().map(|p| p.record.clone());
        let seen = || match &profile {
            Some(record) => record.arguments(),
            None => self.waiting.types(),
        };
        let (kind, guard) = self.specialized.next(inputs, &self.setup.settings.fusion, seen)?;
        let request = self.request(guard.types().to_vec(), Some(kind), profile);
        self.start(request, guard, Receiver::Specialized);
        self.specialized.find(inputs)
    }

    /// The traditional executor: one plan for each argument spec.
    fn by_spec(self: &Arc<Self>, inputs: &[IValue]) -> Arc<ExecutionPlan> {
        let entry = match self.plans.find_or_make(inputs, || Arc::new(self.base.again())) {
            Found::Hit(entry) => {
                count(&self.counters.hits);
                entry
            }
            Found::Missed(entry) => {
                count(&self.counters.misses);
                entry
            }
            Found::Full => {
                count(&self.counters.misses);
                count(&self.counters.refused);
                return self.base.clone();
            }
        };
        if entry.compiled.get().is_none() && self.may_compile() && entry.take_request() {
            let types = entry.spec.types().to_vec();
            let request = self.request(types.clone(), None, None);
            self.start(request, TypeGuard::new(types), Receiver::Entry(entry.clone()));
        }
        entry.plan().clone()
    }

    fn request(
        &self,
        arguments: Vec<Type>,
        specialization: Option<Specialization>,
        profile: Option<Arc<ProfileRecord>>,
    ) -> CompileRequest {
        let (program, function) = (self.base.executable().program(), self.base.function());
        let f = program.functions.get(function as usize);
        let defaults = f.into_iter().flat_map(|f| f.parameters.iter().skip(arguments.len()).map(|p| p.ty.clone()));
        CompileRequest {
            program: program.clone(),
            function,
            name: f.map_or_else(|| "".into(), |f| f.name.clone()),
            arguments: arguments.iter().cloned().chain(defaults).collect(),
            specialization,
            profile,
            constants: self.setup.constants.clone(),
            options: self.setup.options.clone(),
            target: self.setup.target.clone(),
        }
    }

    /// Compiles, here or in the background.
    fn start(self: &Arc<Self>, request: CompileRequest, guard: TypeGuard, receiver: Receiver) {
        if self.setup.settings.compile == CompileMode::Now {
            return self.compile(&request, guard, &receiver);
        }
        *self.pending.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        // However the job ends, also when it is forgotten, it is no longer waited for.
        let ticket = Ticket(Arc::downgrade(self));
        let job = Box::new(move || {
            // Nobody waits for an executor that is gone.
            if let Some(inner) = ticket.0.upgrade() {
                inner.compile(&request, guard, &receiver);
            }
            drop(ticket);
        });
        if background::submit(job).is_err() {
            self.report("functions stay interpreted: no thread can be had to compile them");
        }
    }

    fn compile(&self, request: &CompileRequest, guard: TypeGuard, receiver: &Receiver) {
        let Some(compiler) = &self.setup.compiler else { return };
        let code = match compiled(&**compiler, request, &self.setup.custom, self.setup.bind.as_ref()) {
            Ok(code) => code,
            Err(why) => {
                count(&self.counters.failed);
                let why = why.lines().next().unwrap_or("no reason was given");
                self.report(&format!("{} stays interpreted for ({}): {why}", request.name, listed(guard.types())));
                return;
            }
        };
        count(&self.counters.compiled);
        let profile = request.profile.clone();
        let plan = ExecutionPlan::compiled(request.specialization, code, guard, profile, self.base.clone());
        // Who compiles inside of the call has asked for compiled code.
        let plan = if self.setup.settings.compile == CompileMode::Background { plan.on_trial() } else { plan };
        match receiver {
            Receiver::Specialized => self.specialized.add(Arc::new(plan)),
            Receiver::Entry(entry) => drop(entry.compiled.set(Arc::new(plan))),
        }
    }

    fn report(&self, line: &str) {
        if let Some(report) = &self.setup.report {
            report(line);
        }
    }

    fn debug_state(&self) -> DebugState {
        let settings = &self.setup.settings;
        if settings.mode == ExecutorMode::Profiling && settings.fusion.depth() > 0 {
            let runs_left = self.profiling.get().map_or(settings.profiled_runs, |p| p.record.runs_left());
            if runs_left > 0 {
                return DebugState::Profiling { runs_left };
            }
        }
        let row = |plan: Arc<ExecutionPlan>| PlanRow { arguments: listed(plan.argument_types().unwrap_or(&[])), plan };
        let by_spec = |entry: &Arc<Entry>| PlanRow { arguments: entry.spec.to_string(), plan: entry.plan().clone() };
        let mut plans: Vec<PlanRow> = self.plans.list().iter().map(by_spec).collect();
        plans.extend(self.specialized.list().into_iter().map(row));
        if settings.mode != ExecutorMode::Traditional {
            plans.push(row(self.base.clone()));
        }
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let c = &self.counters;
        let counters = Counters {
            hits: read(&c.hits),
            misses: read(&c.misses),
            fallbacks: read(&c.fallbacks),
            compiled: read(&c.compiled),
            failed: read(&c.failed),
            refused: read(&c.refused),
        };
        DebugState::Ready { mode: settings.mode, plans, counters }
    }
}

/// A compilation that was asked for.
struct Ticket(Weak<Inner>);

impl Drop for Ticket {
    fn drop(&mut self) {
        if let Some(inner) = self.0.upgrade() {
            *inner.pending.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
            inner.settled.notify_all();
        }
    }
}
