//! Documents of exported programs that say anything end no process; `=` lines part the program, the weights' and the constants' documents, and bytes of one tensor.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sconce_archive::{Container, Limits, Record, zip};
use sconce_export_program::{Archive, Boundary, Error, ExportedProgram, Lowered, values};
use sconce_tensor::{DType, Storage, Tensor};
use std::sync::Arc;

const NAMES: [&str; 4] = [
    "models/model.json",
    "data/weights/model_weights_config.json",
    "data/constants/model_constants_config.json",
    "data/weights/weight_0",
];

fn storage(record: &Record) -> Result<Storage, Error> {
    let bytes = Tensor::zeros(&[record.size() as i64], DType::U8).map_err(|e| Error::Storage(e.to_string()))?;
    bytes.write_bytes(record.bytes()?);
    Ok(bytes.storage())
}

fuzz_target!(|data: &[u8]| {
    let marks = [("archive_format", "pt2"), ("archive_version", "0"), ("byteorder", "little")];
    let mut members: Vec<(String, Vec<u8>)> =
        marks.iter().map(|(name, text)| (format!("p/{name}"), text.as_bytes().to_vec())).collect();
    let mut rest = data;
    for name in NAMES {
        let end = rest.windows(3).position(|w| w == b"\n=\n").unwrap_or(rest.len());
        members.push((format!("p/{name}"), rest[..end].to_vec()));
        rest = rest.get(end + 3..).unwrap_or_default();
    }
    let bytes = zip::write(&members).expect("members are written");
    let limits = Limits::default();
    let Ok(container) = Container::from_shared("p.pt2", Arc::new(bytes), &limits) else { return };
    let Ok(archive) = Archive::new("p.pt2", container, &limits) else { return };
    let Ok(program) = ExportedProgram::read(&archive, &limits, &mut storage) else { return };
    values::compare(&program.graph_module);
    let _ = Boundary::new(&program);
    if let Ok(lowered) = Lowered::new(&program) {
        lowered.unit.functions.values().for_each(|f| _ = f.graph.walk(f.graph.root()).len());
    }
});
