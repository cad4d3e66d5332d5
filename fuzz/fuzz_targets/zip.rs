//! No bytes end the process, and what opens as an archive is written to one that holds the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sconce_archive::zip::Archive;
use sconce_archive::{Limits, PtArchive};

fuzz_target!(|data: &[u8]| {
    let limits = Limits { total_bytes: 64 << 20, ..Limits::default() };
    let Ok(archive) = Archive::open(data, &limits) else { return };
    for entry in archive.entries() {
        let _ = archive.read(entry);
    }
    let Ok(archive) = PtArchive::from_bytes(data.to_vec(), &limits) else { return };
    let _ = archive.list();
    let Ok(written) = archive.rewrite(Vec::new()) else { return };
    let back = PtArchive::from_bytes(written.clone(), &limits).expect("what was written opens");
    assert_eq!(archive.code_files(), back.code_files());
    assert!(archive.data() == back.data() && archive.constants() == back.constants());
    assert_eq!(back.rewrite(Vec::new()).expect("it is written again"), written);
});
