//! Runs and their tasks: a run that forks has a queue that the calling thread and its workers take from; one that does not has none.

use crate::error::{Cause, RunError};
use crate::executable::{Executable, Options};
use crate::fuel::Fuel;
use crate::machine::{Failure, Machine, Stop};
use crate::prepared::Code;
use crate::profile::Times;
use rustc_hash::FxHashMap;
use sconce_kernels::{Outputs, grad};
use sconce_tensor::{Future, IValue, reserve};
use std::collections::VecDeque;
use std::ops::Deref;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Instructions between two looks at fuel and cancellation.
const SLICE: u64 = 4096;
/// Tasks that may be alive at once.
const MAX_TASKS: usize = 1 << 20;
/// Threads beside the calling one.
const MAX_WORKERS: usize = 256;

/// A run's own fuel, or that of the call which it is a part of.
pub(crate) enum Granted<'a> {
    Own(Fuel),
    Shared(&'a Fuel),
}

impl Deref for Granted<'_> {
    type Target = Fuel;
    fn deref(&self) -> &Fuel {
        match self {
            Granted::Own(fuel) => fuel,
            Granted::Shared(fuel) => fuel,
        }
    }
}

/// What all tasks of one run share.
pub(crate) struct Run<'a> {
    pub executable: &'a Executable,
    pub options: &'a Options,
    /// Where what instructions take is gathered.
    pub times: Option<Arc<Times>>,
    codes: &'a [Code],
    fuel: Granted<'a>,
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    ready: VecDeque<Box<Machine>>,
    /// Suspended tasks by the future they wait for.
    waiting: FxHashMap<usize, Vec<(Arc<Future>, Box<Machine>)>>,
    suspended: usize,
    running: usize,
    main: Option<Result<Outputs, RunError>>,
    closed: bool,
}

fn key(future: &Arc<Future>) -> usize {
    Arc::as_ptr(future) as usize
}

/// A task's result as one value: a function with several results gives a tuple.
pub(crate) fn single(outputs: &Outputs) -> IValue {
    match outputs.as_slice() {
        [] => IValue::None,
        [one] => one.clone(),
        more => IValue::tuple(more.to_vec()),
    }
}

fn deadlock() -> RunError {
    RunError::new(Cause::Deadlock, "RuntimeError", "every task waits for another")
}

/// Runs a function with everything it forks.
pub(crate) fn run(
    executable: &Executable,
    function: u32,
    inputs: Vec<IValue>,
    options: &Options,
    fuel: Granted<'_>,
) -> Result<Outputs, RunError> {
    let inputs = executable.program().bind_positional(function, inputs)?;
    let _reserved = reserve::Run::interpreted();
    let run = Run::new(executable, options, fuel);
    let mut machine = Machine::new(None);
    if let Err(failure) = machine.push(&run, function, inputs) {
        return Err(machine.error(&run, failure));
    }
    if executable.forks {
        return run.to_the_end(machine);
    }
    // Nothing else runs: no queue, no thread.
    let outside = grad::enabled();
    let outcome = machine.run(&run).map_err(|failure| machine.error(&run, failure));
    grad::enable(outside);
    machine.retire();
    match outcome? {
        Stop::Returned(outputs) => Ok(outputs),
        Stop::Waits(_) => Err(deadlock()),
    }
}

/// A function that has begun and can be put aside at a `wait`: it goes on where it was, on whatever thread resumes it.
pub struct Execution<'e> {
    run: Run<'e>,
}

/// How far an [`Execution`] came.
pub enum Progress {
    Finished(Outputs),
    /// Its tasks wait for this future, which somebody else must complete.
    Waiting(Arc<Future>),
}

impl<'e> Execution<'e> {
    pub(crate) fn new(
        executable: &'e Executable,
        function: u32,
        inputs: Vec<IValue>,
        options: &'e Options,
    ) -> Result<Execution<'e>, RunError> {
        let inputs = executable.program().bind_positional(function, inputs)?;
        let run = Run::new(executable, options, Granted::Own(Fuel::of(options)));
        let mut machine = Machine::new(None);
        if let Err(failure) = machine.push(&run, function, inputs) {
            return Err(machine.error(&run, failure));
        }
        run.lock().ready.push_back(machine);
        Ok(Execution { run })
    }

    /// Runs until the function returns or all its tasks wait for others.
    ///
    /// # Errors
    /// What the program raised; and a second call after it has finished.
    pub fn resume(&mut self) -> Result<Progress, RunError> {
        self.run.wake();
        let waits_for = self.run.work(false);
        match (self.run.lock().main.take(), waits_for) {
            (Some(result), _) => result.map(Progress::Finished),
            (None, Some(future)) => Ok(Progress::Waiting(future)),
            (None, None) => Err(RunError::new(Cause::Argument, "RuntimeError", "the execution has finished")),
        }
    }

    /// Bytes that its tasks hold to go on later: frames and registers, without what the values refer to.
    pub fn state_bytes(&self) -> usize {
        let queue = self.run.lock();
        let waiting = queue.waiting.values().flatten().map(|(_, m)| m.state_bytes());
        queue.ready.iter().map(|m| m.state_bytes()).chain(waiting).sum()
    }
}

impl<'a> Run<'a> {
    fn new(executable: &'a Executable, options: &'a Options, fuel: Granted<'a>) -> Run<'a> {
        Run {
            executable,
            options,
            times: options.profile.as_ref().map(|profile| profile.of(executable.program())),
            codes: executable.codes(options),
            fuel,
            queue: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    #[inline]
    pub fn code(&self, function: u32) -> &'a Code {
        &self.codes[function as usize]
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn to_the_end(&self, main: Box<Machine>) -> Result<Outputs, RunError> {
        self.lock().ready.push_back(main);
        if self.options.workers > 0 {
            std::thread::scope(|scope| {
                for _ in 0..self.options.workers.min(MAX_WORKERS) {
                    scope.spawn(|| self.work(true));
                }
                self.work(true);
            });
        } else {
            self.work(true);
        }
        self.lock().main.take().unwrap_or_else(|| Err(deadlock()))
    }

    /// A new task, to be run when a thread is free for it.
    pub fn start(&self, task: Box<Machine>) -> Result<(), Failure> {
        {
            let mut queue = self.lock();
            if queue.ready.len() + queue.suspended >= MAX_TASKS {
                return Err(Failure::runtime(format!("more than {MAX_TASKS} tasks at once")));
            }
            queue.ready.push_back(task);
        }
        self.changed.notify_one();
        Ok(())
    }

    /// Makes ready what waits for futures that have been completed by others.
    fn wake(&self) {
        let mut queue = self.lock();
        queue.closed = false;
        let done: Vec<usize> =
            queue.waiting.iter().filter(|(_, m)| m.iter().any(|(f, _)| f.poll().is_some())).map(|(k, _)| *k).collect();
        for k in done {
            queue.ready_again(k);
        }
    }

    /// Takes ready tasks and runs them until the main task and all that it left have ended. When all wait for others it gives one of their
    /// futures; with `alone`, nobody else can complete it, and that is an error.
    fn work(&self, alone: bool) -> Option<Arc<Future>> {
        loop {
            let machine = {
                let mut queue = self.lock();
                loop {
                    if queue.closed {
                        return None;
                    }
                    if let Some(m) = queue.ready.pop_front() {
                        queue.running += 1;
                        break m;
                    }
                    if queue.running == 0 {
                        // Nothing can become ready any more.
                        let waits_for = queue.waiting.values().flatten().map(|(f, _)| f.clone()).next();
                        if queue.main.is_none() && (alone || waits_for.is_none()) {
                            queue.main = waits_for.as_ref().map(|_| Err(deadlock()));
                        }
                        queue.closed = true;
                        self.changed.notify_all();
                        return waits_for.filter(|_| queue.main.is_none());
                    }
                    queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
                }
            };
            self.advance(machine);
        }
    }

    /// Runs a task until it ends or waits.
    fn advance(&self, mut machine: Box<Machine>) {
        let outside = grad::enable(machine.gradients);
        let outcome = machine.run(self).map_err(|failure| machine.error(self, failure));
        machine.gradients = grad::enable(outside);
        let result = match outcome {
            Ok(Stop::Waits(future)) => {
                let mut queue = self.lock();
                queue.running -= 1;
                if future.poll().is_some() {
                    queue.ready.push_front(machine);
                } else {
                    queue.suspended += 1;
                    queue.waiting.entry(key(&future)).or_default().push((future, machine));
                }
                self.changed.notify_all();
                return;
            }
            Ok(Stop::Returned(outputs)) => Ok(outputs),
            Err(error) => Err(error),
        };
        let future = machine.future.take();
        machine.retire();
        if let Some(future) = &future {
            future.complete(match &result {
                Ok(outputs) => Ok(single(outputs)),
                Err(e) => Err(e.to_string()),
            });
        }
        let mut queue = self.lock();
        queue.running -= 1;
        match &future {
            Some(future) => queue.ready_again(key(future)),
            None => {
                if result.is_err() {
                    queue.ready.clear();
                }
                queue.main = Some(result);
            }
        }
        self.changed.notify_all();
    }

    /// What all that runs for the call takes from.
    pub fn fuel(&self) -> &Fuel {
        &self.fuel
    }

    /// Takes the fuel of work that is about to begin, or says that there is not enough.
    pub fn spend(&self, cost: impl FnOnce() -> u64) -> Result<(), Failure> {
        Ok(self.fuel.spend(cost)?)
    }

    /// A slice of instructions to run, or why there is none.
    pub fn refill(&self) -> Result<i64, Failure> {
        Ok(self.fuel.slice(SLICE)? as i64)
    }
}

impl Queue {
    /// What waited for a future goes on before new tasks start.
    fn ready_again(&mut self, future: usize) {
        for (_, machine) in self.waiting.remove(&future).unwrap_or_default() {
            self.suspended -= 1;
            self.ready.push_front(machine);
        }
    }
}
