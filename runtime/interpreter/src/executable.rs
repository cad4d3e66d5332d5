//! A program made ready to run: verified, its operators found, its compiled regions attached. Shared by all runs and threads.

use crate::error::RunError;
use crate::fuel::Fuel;
use crate::infer::{Known, infer};
use crate::observer::Observer;
use crate::prepare::{Form, prepare};
use crate::prepared::Code as Prepared;
use crate::profile::Profile;
use crate::program::{Function, FunctionId, Invalid, Op as Code, Program, Target};
use crate::region::{CompiledRegion, RegionCounts};
use crate::tasks::{self, Execution, Granted};
use rustc_hash::FxHashMap;
use sconce_kernels::defaults::default_value;
use sconce_kernels::direct::Direct;
use sconce_kernels::{Bound, Outputs};
use sconce_schema::Type;
use sconce_tensor::{Future, IValue, Object};
use std::collections::BTreeMap;
use std::fmt;
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// Where `print` of a program goes.
pub type Output = Arc<Mutex<dyn Write + Send>>;

/// What a run may use, and who is told about it.
#[derive(Clone)]
pub struct Options {
    /// Instructions that may be executed, by all tasks together. A call counts all of its function's at once, a turn of a loop those of its body.
    pub fuel: Option<u64>,
    /// Frames that may be nested.
    pub max_depth: usize,
    /// Set by the caller to stop the run at its next instruction or so.
    pub cancel: Option<Arc<AtomicBool>>,
    /// Threads beside the calling one that run forked tasks. With none, tasks run where they are waited for, in the order in which they
    /// were forked.
    pub workers: usize,
    /// `None` discards what is printed.
    pub output: Option<Output>,
    /// Gathers what instructions take; `None` costs nothing.
    pub profile: Option<Arc<Profile>>,
    /// Told of every operator; `None` costs nothing.
    pub observer: Option<Arc<dyn Observer>>,
}

impl Default for Options {
    fn default() -> Options {
        Options { fuel: None, max_depth: 1000, cancel: None, workers: 0, output: None, profile: None, observer: None }
    }
}

/// A verified program with everything it needs at hand.
pub struct Executable {
    program: Arc<Program>,
    pub(crate) operators: Vec<Operator>,
    /// Class name to index in the program.
    pub(crate) classes: FxHashMap<Arc<str>, u32>,
    pub(crate) regions: Vec<RegionSlot>,
    /// By name: where most objects have it.
    pub(crate) guesses: Vec<Guess>,
    /// Some function forks, so that runs need a queue of tasks.
    pub(crate) forks: bool,
    codes: Vec<Prepared>,
    /// The same with every instruction on its own, for runs that are measured.
    measured: OnceLock<Vec<Prepared>>,
    /// The same with every operator by its kernel, for runs that are watched.
    observed: OnceLock<Vec<Prepared>>,
}

/// Where an attribute or method of this name is in the first class that has one; objects of other classes are searched.
#[derive(Clone, Copy, Default)]
pub(crate) struct Guess {
    pub slot: u32,
    /// The class and the function.
    pub method: Option<(u32, FunctionId)>,
}

impl Guess {
    fn of(program: &Program, name: &str) -> Guess {
        let slot = program.classes.iter().find_map(|c| c.names.iter().position(|n| **n == *name));
        let method = program.classes.iter().zip(0..).find_map(|(c, id)| c.method(name).map(|f| (id, f)));
        Guess { slot: slot.map_or(0, |s| s as u32), method }
    }
}

/// What an operator that is not in the table computes, given by whoever runs the program.
pub type CustomKernel = Arc<dyn Fn(&mut [IValue]) -> Result<Outputs, sconce_kernels::Error> + Send + Sync>;

/// Kernels by the operator's name: `my_namespace::my_op`, with `.overload` where one is meant.
pub type CustomOperators = BTreeMap<String, CustomKernel>;

pub(crate) enum Operator {
    Known {
        bound: Bound,
        /// How it is called without boxing, if it can be.
        direct: Option<Direct>,
        /// Defaults of the arguments in order, to complete calls that leave trailing arguments out.
        defaults: Vec<Option<IValue>>,
    },
    Custom(CustomKernel),
    /// Costs only itself: the program runs until it gets there.
    Missing,
}

impl Operator {
    /// Whether its result may be what its first argument was, changed in place.
    pub fn may_pass(&self) -> bool {
        matches!(self, Operator::Known { bound, direct, .. } if matches!(direct, Some(Direct::View(_))) || bound.has_shortcut())
    }

    /// Whether it only reads the lists among its arguments, which are of integers.
    pub fn reads_lists(&self) -> bool {
        matches!(self, Operator::Known { bound, .. } if bound.reads_lists())
    }
}

pub(crate) struct RegionSlot {
    pub compiled: OnceLock<Arc<dyn CompiledRegion>>,
    pub taken: AtomicU64,
    pub fell_back: AtomicU64,
}

/// Why a program cannot be made ready.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    #[error("the program is damaged: {0}")]
    Invalid(#[from] Invalid),
    /// [`crate::bind`] comes first.
    #[error("the constant {0} has no value yet")]
    Unbound(Arc<str>),
    /// The same.
    #[error("the init function has not run yet")]
    Uninitialized,
    #[error("{operator} called with {given} arguments, at {place}; it takes {expected}")]
    Arity { operator: String, given: usize, expected: usize, place: String },
}

/// Operators that a program calls and nobody can run, with the first place of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MissingOperators(pub BTreeMap<String, String>);

impl fmt::Display for MissingOperators {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("missing operators:")?;
        for (i, (name, place)) in self.0.iter().enumerate() {
            write!(f, "{} {name}{}", if i > 0 { "," } else { "" }, if place.is_empty() { "" } else { " at " })?;
            f.write_str(place)?;
        }
        Ok(())
    }
}

impl Executable {
    /// Verifies the program and finds its operators. One that nobody knows is an error when the program gets there, not before.
    pub fn new(program: Arc<Program>) -> Result<Executable, LoadError> {
        Self::with_operators(program, &CustomOperators::new())
    }

    /// The same with kernels for operators that are not in the table.
    pub fn with_operators(program: Arc<Program>, custom: &CustomOperators) -> Result<Executable, LoadError> {
        program.verify()?;
        if let Some(constant) = program.named.first() {
            return Err(LoadError::Unbound(constant.name.clone()));
        }
        if program.init.is_some() {
            return Err(LoadError::Uninitialized);
        }
        let operators: Vec<Operator> = program.operators.iter().map(|name| find_operator(name, custom)).collect();
        for f in &program.functions {
            for (pc, i) in f.code.iter().enumerate() {
                let Code::Call(id) = i.op else { continue };
                let Operator::Known { bound, defaults, .. } = &operators[id as usize] else { continue };
                let (given, expected) = (f.inputs(i).len(), defaults.len());
                let completes = given >= expected || defaults[given..].iter().all(Option::is_some);
                if (given > expected && !bound.entry().schema().is_vararg) || !completes {
                    return Err(LoadError::Arity {
                        operator: bound.entry().name.to_owned(),
                        given,
                        expected,
                        place: place_text(&program, f.places[pc]),
                    });
                }
            }
        }
        let classes = program.classes.iter().zip(0..).map(|(c, i)| (c.name.clone(), i)).collect();
        let slot = || RegionSlot { compiled: OnceLock::new(), taken: AtomicU64::new(0), fell_back: AtomicU64::new(0) };
        let regions = program.regions.iter().map(|_| slot()).collect();
        let guesses = program.names.iter().map(|n| Guess::of(&program, n)).collect();
        let forks = program.functions.iter().any(|f| f.code.iter().any(|i| matches!(i.op, Code::Fork(_))));
        let codes = program.functions.iter().map(|f| prepare(&program, &operators, f, Form::Fast)).collect();
        let (measured, observed) = (OnceLock::new(), OnceLock::new());
        Ok(Executable { program, operators, classes, regions, guesses, forks, codes, measured, observed })
    }

    /// The code of all functions, as a run under these options needs it.
    pub(crate) fn codes(&self, options: &Options) -> &[Prepared] {
        let make =
            |form| self.program.functions.iter().map(|f| prepare(&self.program, &self.operators, f, form)).collect();
        match (&options.observer, &options.profile) {
            (Some(_), _) => self.observed.get_or_init(|| make(Form::Observed)),
            (None, Some(_)) => self.measured.get_or_init(|| make(Form::Measured)),
            (None, None) => &self.codes,
        }
    }

    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// Operators without a kernel, each with the first place that calls it.
    pub fn missing(&self) -> MissingOperators {
        let missing = self.operators.iter().enumerate().filter(|(_, o)| matches!(o, Operator::Missing));
        let row = |(id, _): (usize, _)| (self.program.operators[id].to_string(), first_place(&self.program, id as u32));
        MissingOperators(missing.map(row).collect())
    }

    /// Attaches code to a region, for good. False when there is no such region, or it has code.
    pub fn bind_region(&self, region: u32, code: Arc<dyn CompiledRegion>) -> bool {
        self.regions.get(region as usize).is_some_and(|slot| slot.compiled.set(code).is_ok())
    }

    /// Where a region's code runs; none while it is interpreted.
    pub fn region_target(&self, region: u32) -> Option<Target> {
        self.regions.get(region as usize)?.compiled.get().map(|code| code.target())
    }

    /// How often a region ran compiled and how often its fallback ran.
    pub fn region_counts(&self, region: u32) -> RegionCounts {
        self.regions.get(region as usize).map_or(RegionCounts::default(), |s| RegionCounts {
            compiled: s.taken.load(Ordering::Relaxed),
            fallback: s.fell_back.load(Ordering::Relaxed),
        })
    }

    /// Runs a function to its end. `inputs` are as many as its parameters, which trailing defaults may complete.
    pub fn run(&self, function: FunctionId, inputs: Vec<IValue>, options: &Options) -> Result<Outputs, RunError> {
        tasks::run(self, function, inputs, options, Granted::Own(Fuel::of(options)))
    }

    /// The same as a part of the call that this fuel was granted to: who runs several functions for one call grants it once.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_on(
        &self,
        function: FunctionId,
        inputs: Vec<IValue>,
        options: &Options,
        fuel: &Fuel,
    ) -> Result<Outputs, RunError> {
        tasks::run(self, function, inputs, options, Granted::Shared(fuel))
    }

    /// Begins a function without running it, for callers that put it aside where it waits.
    ///
    /// # Errors
    /// The inputs do not fit the function.
    pub fn begin<'e>(
        &'e self,
        function: FunctionId,
        inputs: Vec<IValue>,
        options: &'e Options,
    ) -> Result<Execution<'e>, RunError> {
        Execution::new(self, function, inputs, options)
    }

    /// Starts a run in a thread of its own and returns at once; the future holds its result, several as a tuple (`runAsync`).
    pub fn run_async(self: &Arc<Self>, function: FunctionId, inputs: Vec<IValue>, options: &Options) -> Arc<Future> {
        let future = Future::pending();
        let (executable, options, result) = (self.clone(), options.clone(), future.clone());
        std::thread::spawn(move || {
            let outputs = executable.run(function, inputs, &options);
            result.complete(outputs.map(|o| tasks::single(&o)).map_err(|e| e.to_string()));
        });
        future
    }
}

/// What is known of the type of each of a function's registers before it runs: what all that write it say. Nothing is known of those that may be read
/// before they are written.
pub fn register_types(program: &Program, f: &Function) -> Vec<Option<Type>> {
    if f.code.iter().any(|i| i.op == Code::Uninitialized) {
        return vec![None; f.registers as usize];
    }
    let operators: Vec<Operator> =
        program.operators.iter().map(|name| find_operator(name, &CustomOperators::new())).collect();
    infer(program, &operators, f).into_iter().map(Known::into_type).collect()
}

fn find_operator(name: &str, custom: &CustomOperators) -> Operator {
    if let Some(kernel) = custom.get(name) {
        return Operator::Custom(kernel.clone());
    }
    match sconce_schema::lookup(name).and_then(|op| Bound::new(op).ok()) {
        Some(bound) => {
            let default = |a: &sconce_schema::Argument| a.default.as_ref().map(|d| default_value(d, a));
            let defaults = bound.entry().schema().arguments.iter().map(default).collect();
            Operator::Known { bound, direct: Direct::of(bound.entry()), defaults }
        }
        // Measuring is nobody's concern here.
        None if name.starts_with("profiler::_record_function_enter") => Operator::Custom(Arc::new(|_| {
            let class = "__torch__.torch.classes.profiler._RecordFunction";
            Ok([IValue::Object(Object::new(class.into(), [].into()))].into_iter().collect())
        })),
        None if name.starts_with("profiler::_record_function_exit") => {
            Operator::Custom(Arc::new(|_| Ok(Outputs::new())))
        }
        None => Operator::Missing,
    }
}

fn first_place(program: &Program, operator: u32) -> String {
    for f in &program.functions {
        for (pc, i) in f.code.iter().enumerate() {
            if i.op == Code::Call(operator) {
                return place_text(program, f.places[pc]);
            }
        }
    }
    String::new()
}

pub(crate) fn place_text(program: &Program, place: Option<crate::program::Place>) -> String {
    let source = place.and_then(|p| program.sources.get(p.source as usize).map(|s| (p, s)));
    source.map_or_else(String::new, |(p, s)| format!("{}:{}:{}", s.name(), p.line, p.column))
}
