//! No bytes end the process, and an array of a `.npy` or `.npz` file is written to one that holds the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sconce_archive::{Limits, npy};

fuzz_target!(|data: &[u8]| {
    let limits = Limits { total_bytes: 64 << 20, ..Limits::default() };
    if data.starts_with(b"PK") {
        let Ok(arrays) = npy::read_npz(data, &limits) else { return };
        let Ok(written) = npy::write_npz(&arrays) else { return };
        assert_eq!(npy::read_npz(&written, &limits).expect("what was written is read"), arrays);
        return;
    }
    let Ok(array) = npy::read("fuzz", data, &limits) else { return };
    let written = npy::write("fuzz", &array).expect("an array of a .npy file is written to one");
    assert_eq!(npy::read("written", &written, &limits).expect("what was written is read"), array);
});
