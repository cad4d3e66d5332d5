//! Compilations in the background: one thread for the process, there while it has something to do.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

type Job = Box<dyn FnOnce() + Send>;

struct Queue {
    jobs: VecDeque<Job>,
    /// The thread is there and will look for jobs once more.
    running: bool,
}

static QUEUE: Mutex<Queue> = Mutex::new(Queue { jobs: VecDeque::new(), running: false });
static IDLE: Condvar = Condvar::new();

fn queue() -> MutexGuard<'static, Queue> {
    QUEUE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Puts a job behind the others; gives it back when no thread can be had.
pub fn submit(job: Job) -> Result<(), Job> {
    let mut queue = queue();
    queue.jobs.push_back(job);
    if !queue.running {
        match std::thread::Builder::new().name("sconce-compile".into()).spawn(work) {
            Ok(_) => queue.running = true,
            Err(_) => return Err(queue.jobs.pop_back().expect("put there above")),
        }
    }
    Ok(())
}

fn work() {
    loop {
        let job = {
            let mut queue = queue();
            match queue.jobs.pop_front() {
                Some(job) => job,
                None => {
                    queue.running = false;
                    IDLE.notify_all();
                    return;
                }
            }
        };
        // Jobs answer for what goes wrong in them.
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(job));
    }
}

/// Forgets the compilations that have not begun and waits for the one that has: before a process ends, or ends its compiler.
pub fn stop_compiling() {
    let forgotten = std::mem::take(&mut queue().jobs);
    drop(forgotten);
    let mut queue = queue();
    while queue.running {
        queue = IDLE.wait(queue).unwrap_or_else(PoisonError::into_inner);
    }
}
