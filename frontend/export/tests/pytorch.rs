//! PyTorch loads what is saved here and computes what it computes with its own archives. `SCONCE_TORCH_PYTHON` names interpreters that have
//! `torch`, separated by colons; without it there is nothing to compare with.

use sconce_archive::{Limits, PtArchive};
use sconce_corpus::testdata;
use sconce_export::save;
use sconce_script::importer;
use sconce_script::values::Copied;
use std::path::Path;
use std::process::Command;

#[test]
fn pytorch_runs_what_is_saved() {
    let Ok(interpreters) = std::env::var("SCONCE_TORCH_PYTHON") else {
        eprintln!("skipped: SCONCE_TORCH_PYTHON names no Python with torch");
        return;
    };
    let folder = std::env::temp_dir().join(format!("sconce-pytorch-{}", std::process::id()));
    let written = std::thread::Builder::new()
        .stack_size(64 << 20)
        .spawn({
            let folder = folder.clone();
            move || write_all(&folder)
        })
        .expect("a thread")
        .join()
        .expect("all archives are written");
    for interpreter in interpreters.split(':').filter(|i| !i.is_empty()) {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pytorch/replay.py");
        let output = Command::new(interpreter).arg(script).arg(&folder).output().expect(interpreter);
        let text = String::from_utf8_lossy(&output.stdout);
        eprintln!("{interpreter}: {written} archives\n{text}");
        assert!(output.status.success(), "{interpreter}: {text}\n{}", String::from_utf8_lossy(&output.stderr));
    }
    std::fs::remove_dir_all(&folder).expect("the folder is removed");
}

/// Each program's archives as recorded and as saved here, beside the recorded calls.
fn write_all(folder: &Path) -> usize {
    let (archives, programs) = (testdata("archives").expect("archives"), testdata("programs").expect("programs"));
    let mut written = 0;
    for (path, bytes) in archives.iter() {
        let Some((program, file)) = path.rsplit_once('/') else { continue };
        let Some(calls) = programs.get(&format!("{program}/calls.json")) else { continue };
        let archive = PtArchive::from_bytes(bytes.to_vec(), &Limits::default()).expect(path);
        let loaded = importer::load(&archive, &mut Copied(&archive)).unwrap_or_else(|e| panic!("{path}: {e}"));
        let saved = match file.ends_with(".ptl") {
            true => save::save_mobile(&loaded.unit, &loaded.module, &mut save::no_state),
            false => save::save(&loaded.unit, &loaded.module, &mut save::no_state),
        };
        let saved = saved.and_then(|s| s.write("model", Vec::new())).unwrap_or_else(|e| panic!("{path}: {e}"));
        let target = folder.join(program);
        std::fs::create_dir_all(&target).expect("a folder");
        std::fs::write(target.join(file), bytes).expect("the recorded archive");
        std::fs::write(target.join(format!("saved_{file}")), saved).expect("the saved archive");
        std::fs::write(target.join("calls.json"), calls).expect("the calls");
        written += 1;
    }
    written
}
