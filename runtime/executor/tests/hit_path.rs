//! Choosing a plan takes no memory. Alone in its process: it counts what all threads allocate.

mod build;

use build::{Copies, chain, executor, run, tensor, with};
use sconce_executor::{CompileMode, ExecutorMode, Settings, Setup};
use sconce_tensor::IValue;
use sconce_tensor::allocations::{Counted, counted};
use std::sync::Arc;

#[global_allocator]
static ALLOCATOR: Counted = Counted;

#[test]
fn a_hit_allocates_nothing() {
    for mode in [ExecutorMode::Profiling, ExecutorMode::Traditional, ExecutorMode::Off] {
        let settings = Settings { mode, compile: CompileMode::Now, ..Settings::default() };
        let compiled =
            Setup { settings: settings.clone(), compiler: Some(Arc::new(Copies::default())), ..Setup::default() };
        for executor in [executor(chain(), settings.clone()), with(chain(), compiled)] {
            let inputs: [IValue; 2] = [tensor(&[2, 3]), tensor(&[2, 3])];
            (0..3).for_each(|_| drop(run(&executor, &inputs)));
            let (_, made) = counted(|| (0..100).for_each(|_| drop(executor.plan_for(&inputs))));
            assert_eq!(made.count, 0, "{mode}");
        }
    }
}
