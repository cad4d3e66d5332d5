//! Calls that are awaited: each runs on one of a few threads that wait for such calls, and a future says when it is done, whoever polls it.

use crate::error::Error;
use crate::module::Module;
use sconce_interpreter::Options as RunOptions;
use sconce_kernels::parallel::threads;
use sconce_tensor::IValue;
use std::collections::VecDeque;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// A call that is under way ([`Module::call_async`]). Dropped before it is done, it stops at its next instruction or so.
#[must_use = "a call that nobody awaits is cancelled"]
pub struct PendingCall {
    shared: Arc<Shared>,
    cancel: Arc<AtomicBool>,
}

/// What the thread that runs a call and whoever awaits it have in common.
#[derive(Default)]
struct Shared(Mutex<State>);

#[derive(Default)]
struct State {
    result: Option<std::thread::Result<Result<IValue, Error>>>,
    waker: Option<Waker>,
}

impl Module {
    /// Begins a call on another thread and gives the future of its result, which any executor polls. As many such calls run at once as one operator may use threads;
    /// others wait for their turn in the order in which they came.
    ///
    /// ```
    /// use sconce::{Module, Tensor};
    /// use std::sync::Arc;
    ///
    /// let text = "graph(%x : Tensor):\n  %y : Tensor = aten::relu(%x)\n  return (%y)\n";
    /// let module = Arc::new(Module::from_bytes("relu.txt", text.as_bytes())?);
    /// async fn both(module: &Arc<Module>) -> Result<f32, sconce::Error> {
    ///     let calls = [-1f32, 2.].map(|x| module.call_async("relu", vec![Tensor::scalar(x).into()]));
    ///     let mut sum = 0.;
    ///     for call in calls {
    ///         sum += call.await?.as_tensor().unwrap().item::<f32>().unwrap();
    ///     }
    ///     Ok(sum)
    /// }
    /// # use std::task::{Context, Poll, Wake, Waker};
    /// # struct Unpark(std::thread::Thread);
    /// # impl Wake for Unpark {
    /// #     fn wake(self: Arc<Self>) {
    /// #         self.0.unpark();
    /// #     }
    /// # }
    /// # fn block_on<F: Future>(future: F) -> F::Output {
    /// #     let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    /// #     let mut future = std::pin::pin!(future);
    /// #     loop {
    /// #         match future.as_mut().poll(&mut Context::from_waker(&waker)) {
    /// #             Poll::Ready(value) => return value,
    /// #             Poll::Pending => std::thread::park(),
    /// #         }
    /// #     }
    /// # }
    /// assert_eq!(block_on(both(&module))?, 2.);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// The future does where the call panicked.
    pub fn call_async(self: &Arc<Self>, function: &str, arguments: Vec<IValue>) -> PendingCall {
        let (shared, cancel) = (Arc::<Shared>::default(), Arc::<AtomicBool>::default());
        let call = PendingCall { shared: shared.clone(), cancel: cancel.clone() };
        let (module, function) = (self.clone(), function.to_owned());
        POOL.begin(Box::new(move || {
            if cancel.load(Ordering::Relaxed) {
                return;
            }
            let options = RunOptions { cancel: Some(cancel), ..RunOptions::default() };
            let run = || module.call_watched(&function, &arguments, &[], &options);
            let result = catch_unwind(AssertUnwindSafe(run));
            // Whoever awaits the result may be the last to need these.
            drop((module, arguments));
            shared.finish(result);
        }));
        call
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn finish(&self, result: std::thread::Result<Result<IValue, Error>>) {
        let waker = {
            let mut state = self.state();
            state.result = Some(result);
            state.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl Future for PendingCall {
    type Output = Result<IValue, Error>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut state = self.shared.state();
        match state.result.take() {
            Some(Ok(result)) => Poll::Ready(result),
            Some(Err(panic)) => {
                drop(state);
                resume_unwind(panic)
            }
            None => {
                let known = state.waker.as_ref().is_some_and(|waker| waker.will_wake(context.waker()));
                if !known {
                    state.waker = Some(context.waker().clone());
                }
                Poll::Pending
            }
        }
    }
}

impl Drop for PendingCall {
    fn drop(&mut self) {
        self.cancel.store(true, Ordering::Relaxed);
    }
}

type Job = Box<dyn FnOnce() + Send>;

/// Threads that run calls; each is made when there is a call and none waits for one.
struct Pool {
    queue: Mutex<Queue>,
    more: Condvar,
}

struct Queue {
    jobs: VecDeque<Job>,
    waiting: usize,
    threads: usize,
}

impl Pool {
    fn begin(&'static self, job: Job) {
        let mut queue = self.queue();
        queue.jobs.push_back(job);
        if queue.waiting >= queue.jobs.len() || queue.threads >= threads() {
            drop(queue);
            self.more.notify_one();
            return;
        }
        queue.threads += 1;
        let alone = queue.threads == 1;
        drop(queue);
        let made = std::thread::Builder::new().name("sconce-call".into()).spawn(move || self.work());
        if made.is_err() {
            self.queue().threads -= 1;
            // Other threads do the call later; where there are none it is done here.
            if alone {
                self.work_off();
            }
        }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        loop {
            self.work_off();
            let mut queue = self.queue();
            queue.waiting += 1;
            while queue.jobs.is_empty() {
                queue = self.more.wait(queue).unwrap_or_else(PoisonError::into_inner);
            }
            queue.waiting -= 1;
        }
    }

    fn work_off(&self) {
        while let Some(job) = { self.queue().jobs.pop_front() } {
            job();
        }
    }
}

static POOL: Pool =
    Pool { queue: Mutex::new(Queue { jobs: VecDeque::new(), waiting: 0, threads: 0 }), more: Condvar::new() };
