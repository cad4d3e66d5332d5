//! Many calls of one function at once, by as many threads as one operator may use; the results come in the order of the calls.

use crate::error::Error;
use crate::module::Module;
use sconce_kernels::parallel::threads;
use sconce_tensor::IValue;
use std::sync::atomic::{AtomicUsize, Ordering};

impl Module {
    /// Calls a function once for each list of arguments. Calls run at the same time, so that one call's operators mostly run on one thread: many small calls are
    /// done sooner so, a few large ones are not. In which order a module's state is written, and random numbers are drawn, is not fixed.
    ///
    /// ```
    /// use sconce::{Module, Tensor};
    ///
    /// let text = "graph(%x : Tensor):\n  %y : Tensor = aten::relu(%x)\n  return (%y)\n";
    /// let module = Module::from_bytes("relu.txt", text.as_bytes())?;
    /// let calls: Vec<_> = (-2..2).map(|n| vec![Tensor::scalar(n).into()]).collect();
    /// let results: Result<Vec<_>, _> = module.call_many("relu", &calls).into_iter().collect();
    /// let numbers: Vec<i32> = results?.iter().map(|r| r.as_tensor().unwrap().item().unwrap()).collect();
    /// assert_eq!(numbers, [0, 0, 0, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn call_many(&self, function: &str, calls: &[Vec<IValue>]) -> Vec<Result<IValue, Error>> {
        let next = AtomicUsize::new(0);
        let work = || {
            let mut done = Vec::new();
            while let Some((at, arguments)) = {
                let at = next.fetch_add(1, Ordering::Relaxed);
                calls.get(at).map(|arguments| (at, arguments))
            } {
                done.push((at, self.call(function, arguments)));
            }
            done
        };
        let mut done = std::thread::scope(|scope| {
            let others = threads().min(calls.len()).saturating_sub(1);
            // Where the system gives no more threads, those that there are do the work.
            let spawned = (0..others).map_while(|_| std::thread::Builder::new().spawn_scoped(scope, work).ok());
            let spawned: Vec<_> = spawned.collect();
            let own = work();
            let joined = spawned.into_iter().flat_map(|thread| match thread.join() {
                Ok(done) => done,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            own.into_iter().chain(joined).collect::<Vec<_>>()
        });
        done.sort_unstable_by_key(|(at, _)| *at);
        done.into_iter().map(|(_, result)| result).collect()
    }
}
