//! What a run forked: with a launcher it is given away and may start anywhere; without one it runs where it is waited for, in the order in which it was
//! forked. A waiter runs what has not started itself, so that no number of waits can use up a pool.

use crate::module::{Inner, Run};
use rustc_hash::FxHashMap;
use sconce_interpreter::program::FunctionId;
use sconce_interpreter::{Cause, Fuel, Options as RunOptions, RunError};
use sconce_tensor::{Future, IValue};
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Runs what it is given, somewhere, some time (PyTorch's `TaskLauncher`).
pub type Launcher = Arc<dyn Fn(Box<dyn FnOnce() + Send>) + Send + Sync>;

/// Tasks that may be alive at once.
const MAX_TASKS: usize = 1 << 20;

struct Task {
    function: FunctionId,
    /// Taken by whoever starts it.
    inputs: Mutex<Option<Vec<IValue>>>,
    future: Arc<Future>,
}

#[derive(Default)]
struct State {
    /// Without a launcher: what has not started, in order.
    queue: VecDeque<Arc<Task>>,
    /// With one: what nobody has started yet, by its future.
    open: FxHashMap<usize, Arc<Task>>,
    running: usize,
}

/// The tasks of one run.
pub(crate) struct Tasks {
    options: RunOptions,
    launcher: Option<Launcher>,
    pub fuel: Fuel,
    state: Mutex<State>,
    changed: Condvar,
}

fn key(future: &Arc<Future>) -> usize {
    Arc::as_ptr(future) as usize
}

impl Tasks {
    pub fn new(options: &RunOptions, launcher: Option<Launcher>) -> Arc<Tasks> {
        let pool = || -> Launcher { Arc::new(rayon::spawn) };
        Arc::new(Tasks {
            options: options.clone(),
            launcher: launcher.or_else(|| (options.workers > 0).then(pool)),
            fuel: Fuel::of(options),
            state: Mutex::default(),
            changed: Condvar::new(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a task if nobody has.
    fn start(self: &Arc<Self>, inner: &Arc<Inner>, task: &Task) {
        {
            // Counted before it can be seen as taken: the run's end waits for it.
            let mut state = self.lock();
            state.open.remove(&key(&task.future));
            state.running += 1;
        }
        let inputs = task.inputs.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(inputs) = inputs {
            // Waits inside tasks nest as deep as the program pleases.
            let result = stacker::maybe_grow(256 << 10, 1 << 20, || {
                let run = Run { inner, options: &self.options, fuel: &self.fuel, tasks: Some(self) };
                let outside = sconce_kernels::grad::enable(false);
                let result = run.function(task.function, inputs.into_iter());
                sconce_kernels::grad::enable(outside);
                result
            });
            task.future.complete(match result {
                Ok(mut outputs) if outputs.len() == 1 => Ok(outputs.remove(0)),
                Ok(outputs) if outputs.is_empty() => Ok(IValue::None),
                Ok(outputs) => Ok(IValue::tuple(outputs.into_vec())),
                Err(mut error) => {
                    if let Some(first) = error.trace.first_mut() {
                        first.function = "<forked function>".into();
                    }
                    Err(error.to_string())
                }
            });
        }
        self.lock().running -= 1;
        self.changed.notify_all();
    }

    pub fn fork(
        self: &Arc<Self>,
        inner: &Arc<Inner>,
        function: FunctionId,
        inputs: Vec<IValue>,
    ) -> Result<Arc<Future>, RunError> {
        let future = Future::pending();
        let task = Arc::new(Task { function, inputs: Mutex::new(Some(inputs)), future: future.clone() });
        {
            let mut state = self.lock();
            if state.queue.len() + state.open.len() >= MAX_TASKS {
                let message = format!("more than {MAX_TASKS} tasks at once");
                return Err(RunError::new(Cause::Operator, "RuntimeError", message));
            }
            match self.launcher {
                Some(_) => drop(state.open.insert(key(&future), task.clone())),
                None => state.queue.push_back(task.clone()),
            }
        }
        if let Some(launch) = &self.launcher {
            let (tasks, inner) = (self.clone(), inner.clone());
            launch(Box::new(move || tasks.start(&inner, &task)));
        }
        Ok(future)
    }

    pub fn wait(self: &Arc<Self>, inner: &Arc<Inner>, future: &Arc<Future>) -> Result<IValue, RunError> {
        let failed = |message: String| RunError::new(Cause::Operator, "RuntimeError", message);
        loop {
            if let Some(result) = future.poll() {
                return result.map_err(failed);
            }
            let mut state = self.lock();
            let next = match self.launcher {
                Some(_) => state.open.remove(&key(future)),
                None => state.queue.pop_front(),
            };
            drop(state);
            match next {
                Some(task) => self.start(inner, &task),
                None if self.launcher.is_some() => return future.wait().map_err(failed),
                None => {
                    return Err(RunError::new(Cause::Deadlock, "RuntimeError", "every task waits for another"));
                }
            }
        }
    }

    /// The end of a run: what it forked runs to its end too, or, when the run failed, what has not started never does.
    pub fn finish(self: &Arc<Self>, inner: &Arc<Inner>, failed: bool) {
        loop {
            let mut state = self.lock();
            let next = state.queue.pop_front().or_else(|| {
                let any = state.open.keys().next().copied()?;
                state.open.remove(&any)
            });
            match next {
                Some(task) if failed => {
                    drop(state);
                    task.inputs.lock().unwrap_or_else(PoisonError::into_inner).take();
                }
                Some(task) => {
                    drop(state);
                    self.start(inner, &task);
                }
                None if state.running == 0 => return,
                None => drop(self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)),
            }
        }
    }
}
