//! What a stage costs: seconds of this thread's processor, or billions of instructions that it executed, which caches and neighbours do not change.

use std::io;
use std::sync::LazyLock;
use std::time::Instant;

#[cfg(target_os = "linux")]
mod instructions {
    use perf_event::events::Hardware;
    use perf_event::{Builder, Counter};
    use std::cell::RefCell;
    use std::io;

    thread_local! {
        static COUNTER: RefCell<Option<Counter>> = const { RefCell::new(None) };
    }

    pub fn count() -> io::Result<()> {
        let mut counter = Builder::new(Hardware::INSTRUCTIONS).build()?;
        counter.enable()?;
        COUNTER.set(Some(counter));
        Ok(())
    }

    pub fn so_far() -> Option<u64> {
        COUNTER.with_borrow_mut(|counter| counter.as_mut()?.read().ok())
    }
}

#[cfg(not(target_os = "linux"))]
mod instructions {
    pub fn count() -> std::io::Result<()> {
        Err(std::io::ErrorKind::Unsupported.into())
    }

    pub fn so_far() -> Option<u64> {
        None
    }
}

/// Counts instructions from now on, on this thread.
///
/// # Errors
/// The processor or the system does not count them.
pub fn count_instructions() -> io::Result<()> {
    instructions::count()
}

/// Seconds of this thread's processor, where Linux tells them, else of the clock on the wall; or billions of instructions.
pub fn now() -> f64 {
    if let Some(counted) = instructions::so_far() {
        return counted as f64 * 1e-9;
    }
    // What a thread has had is brought up to date when it gives way.
    std::thread::yield_now();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse::<u64>().ok());
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    nanoseconds.map_or_else(|| START.elapsed().as_secs_f64(), |n| n as f64 * 1e-9)
}
