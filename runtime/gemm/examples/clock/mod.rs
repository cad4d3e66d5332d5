//! Time that this thread has run, in nanoseconds: what other programs do on the machine does not count.

use rustix::time::{ClockId, clock_gettime};

pub fn cpu_time() -> f64 {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    now.tv_sec as f64 * 1e9 + now.tv_nsec as f64
}
