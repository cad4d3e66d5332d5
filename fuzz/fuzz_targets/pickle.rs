//! No bytes end the process, what is read is written to something that reads as the same, and a listing ends.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sconce_archive::pickle::{Pickle, disassemble};
use sconce_archive::{DebugRanges, Limits};

fuzz_target!(|data: &[u8]| {
    let limits = Limits { text_bytes: 1 << 20, ..Limits::default() };
    assert!(!disassemble(data).is_empty());
    if let Ok(ranges) = DebugRanges::read("fuzz", data, &limits) {
        let written = ranges.write("fuzz").expect("ranges are written");
        assert_eq!(DebugRanges::read("written", &written, &limits).expect("they are read"), ranges);
    }
    let Ok(pickle) = Pickle::read("fuzz", data, &limits) else { return };
    let Ok(written) = pickle.write("fuzz") else { return };
    let back = Pickle::read("written", &written, &limits).expect("what was written is read");
    assert!(pickle == back, "{}\n{}", disassemble(data), disassemble(&written));
    assert_eq!(back.write("written").expect("it is written again"), written);
});
