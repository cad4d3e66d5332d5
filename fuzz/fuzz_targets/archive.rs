//! Members of an archive that are well packed but say anything end no process; `=` lines part pickle, constants, code, debug record and `model.json`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sconce_archive::pickle::Value;
use sconce_archive::{Limits, PtArchive, zip};

const NAMES: [&str; 5] = ["data.pkl", "constants.pkl", "code/__torch__.py", "code/__torch__.py.debug_pkl", "model.json"];

fuzz_target!(|data: &[u8]| {
    let mut rest = data;
    let mut members = vec![("m/version".to_string(), b"3".to_vec()), ("m/data/0".to_string(), vec![0; 64])];
    members.push(("m/attributes.pkl".to_string(), b"\x80\x02(K\x01K\x02t.".to_vec()));
    for name in NAMES {
        let end = rest.windows(3).position(|w| w == b"\n=\n").unwrap_or(rest.len());
        if end > 0 {
            members.push((format!("m/{name}"), rest[..end].to_vec()));
        }
        rest = rest.get(end + 3..).unwrap_or_default();
    }
    let bytes = zip::write(&members).expect("members are written");
    let Ok(archive) = PtArchive::from_bytes(bytes, &Limits::default()) else { return };
    for code in archive.code_files() {
        let _ = archive.debug_ranges(code);
    }
    for (_, value) in archive.data().iter().flat_map(|d| d.values()) {
        if let Value::Tensor(tensor) = value {
            let _ = archive.tensor_storage("data.pkl", tensor);
        }
    }
    if let Ok(written) = archive.rewrite(Vec::new()) {
        PtArchive::from_bytes(written, &Limits::default()).expect("what was written opens");
    }
});
