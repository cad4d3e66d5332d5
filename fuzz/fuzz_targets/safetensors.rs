//! No bytes end the process, and the arrays of a safetensors file are written to one that holds the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sconce_archive::{Limits, safetensors};

fuzz_target!(|data: &[u8]| {
    let limits = Limits { total_bytes: 64 << 20, ..Limits::default() };
    let Ok(arrays) = safetensors::read("fuzz", data, &limits) else { return };
    let written = safetensors::write("fuzz", &arrays).expect("arrays of a safetensors file are written to one");
    assert_eq!(safetensors::read("written", &written, &limits).expect("what was written is read"), arrays);
});
