//! No bytes end the process: neither reading a `.sconce` file, nor listing, nor running what it holds, within bounds of fuel and memory.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sconce_interpreter::{Executable, Options, Program};
use sconce_tensor::{IValue, Memory};
use std::sync::Arc;

fuzz_target!(|data: &[u8]| {
    // The sum would refuse every change of a seed: it is made to fit.
    let mut data = data.to_vec();
    if let Some(sum) = data.get(16..).map(crc32fast::hash) {
        data[12..16].copy_from_slice(&sum.to_le_bytes());
    }
    let Ok(program) = Program::from_bytes(&data) else { return };
    let written = program.to_bytes().expect("what was read can be written");
    let back = Program::from_bytes(&written).expect("what was written can be read");
    assert_eq!(back.full_listing(), program.full_listing());
    Memory::set_limit(64 << 20);
    let Ok(executable) = Executable::new(Arc::new(program)) else { return };
    let options = Options { fuel: Some(2000), max_depth: 100, ..Options::default() };
    for (i, f) in (0..).zip(&executable.program().functions).take(4) {
        let inputs = vec![IValue::Int(2); f.parameters.len()];
        let _ = executable.run(i, inputs, &options);
    }
});
