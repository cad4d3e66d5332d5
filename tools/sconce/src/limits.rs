//! What a call may use: instructions, nesting, time, and the memory of tensors. A call that wants more ends with an error that says so.

use sconce_interpreter::Options as RunOptions;
use sconce_tensor::Memory;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Limits of calls. All but the memory, which is the process's, hold for each call by itself.
#[derive(Clone, Debug, PartialEq)]
pub struct CallLimits {
    /// Instructions of the interpreter, by all tasks together; what operators, calls and compiled regions cost is `sconce_interpreter::cost`'s.
    pub fuel: Option<u64>,
    /// Calls inside calls.
    pub depth: usize,
    /// A call that takes longer stops at its next instruction or so.
    pub time: Option<Duration>,
    /// Bytes that the tensors of this process may take; set when an engine is made.
    pub memory: Option<usize>,
}

impl Default for CallLimits {
    /// No limits but the interpreter's on nesting: who calls a library knows what.
    fn default() -> CallLimits {
        CallLimits { fuel: None, depth: RunOptions::default().max_depth, time: None, memory: None }
    }
}

impl CallLimits {
    /// The limits of the command: programs are of any origin.
    pub fn of_command() -> CallLimits {
        CallLimits { fuel: Some(COMMAND_FUEL), memory: machine_memory(), ..CallLimits::default() }
    }

    /// Lets the memory limit, where there is one, hold from now on.
    pub(crate) fn apply(&self) {
        if let Some(bytes) = self.memory {
            Memory::set_limit(bytes);
        }
    }

    /// A run's options with these limits; of two amounts of fuel the smaller holds.
    pub(crate) fn run_options(&self, options: RunOptions) -> RunOptions {
        let fuel = self.fuel.into_iter().chain(options.fuel).min();
        RunOptions { fuel, max_depth: self.depth, ..options }
    }
}

/// Instructions of a call from the command line: some minutes of interpreting.
pub const COMMAND_FUEL: u64 = 10_000_000_000;

/// Bytes of the machine's memory, where the system tells.
pub fn machine_memory() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()?.checked_mul(1024)
}

/// Cancels a call that takes too long.
pub(crate) struct Watch {
    pub cancel: Arc<AtomicBool>,
    late: Arc<AtomicBool>,
    done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Sets `cancel`, which a call looks at, when the time is over.
    pub fn start(time: Duration, cancel: Arc<AtomicBool>) -> Watch {
        let (late, done) = (Arc::<AtomicBool>::default(), Arc::<AtomicBool>::default());
        let (stop, was_late, over) = (cancel.clone(), late.clone(), done.clone());
        let until = Instant::now().checked_add(time);
        let thread = std::thread::spawn(move || {
            while !over.load(Ordering::Relaxed) {
                match until.map(|until| until.saturating_duration_since(Instant::now())) {
                    Some(Duration::ZERO) => {
                        was_late.store(true, Ordering::Relaxed);
                        return stop.store(true, Ordering::Release);
                    }
                    Some(left) => std::thread::park_timeout(left),
                    None => std::thread::park(),
                }
            }
        });
        Watch { cancel, late, done, thread: Some(thread) }
    }

    /// Whether it was too late.
    pub fn fired(&self) -> bool {
        self.late.load(Ordering::Relaxed)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // It only waits.
            let _ = thread.join();
        }
    }
}
