//! No bytes end the process when they are loaded as the code of a region: they are refused, or become code that nobody runs.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sconce_exec::{RegionSpec, load};

fuzz_target!(|data: &[u8]| {
    // SAFETY: what is loaded is never called.
    let _ = unsafe { load(RegionSpec::default(), data) };
});
