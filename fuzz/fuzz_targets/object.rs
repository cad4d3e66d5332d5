//! No bytes end the process when they are loaded as the code of a region: they are refused, or become code that nobody runs.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let _ = sconce_exec::check_object(data);
});
