//! PyTorch itself reads what we write, and computes the same with it.

use sconce_archive::{Limits, PtArchive};
use std::path::Path;
use std::process::Command;

/// The interpreters to ask: those of `SCONCE_TORCH_PYTHON` (separated by colons), or `python3`.
fn interpreters() -> Vec<String> {
    let named = std::env::var("SCONCE_TORCH_PYTHON").unwrap_or_else(|_| "python3".to_string());
    named.split(':').filter(|p| !p.is_empty()).map(str::to_string).collect()
}

fn torch_version(python: &str) -> Option<String> {
    let out = Command::new(python).args(["-c", "import torch; print(torch.__version__)"]).output().ok()?;
    out.status.success().then(|| String::from_utf8_lossy(&out.stdout).trim().to_string())
}

#[test]
fn pytorch_computes_the_same_with_what_we_wrote() {
    let archives = sconce_corpus::testdata("archives").expect("testdata/archives.tar.zst");
    let programs = sconce_corpus::testdata("programs").expect("testdata/programs.tar.zst");
    for python in interpreters() {
        let Some(version) = torch_version(&python) else {
            println!("skipped: `{python}` has no torch (SCONCE_TORCH_PYTHON names interpreters that have)");
            continue;
        };
        let folder = tempfile::tempdir().expect("a folder");
        let file = if version.starts_with("1.") { "model_1_13.pt" } else { "model.pt" };
        let mut count = 0;
        for (path, bytes) in archives.iter() {
            let Some(program) = path.strip_suffix(&format!("/{file}")).filter(|p| !p.starts_with('_')) else {
                continue;
            };
            let Some(calls) = programs.get(&format!("{program}/calls.json")) else { continue };
            count += 1;
            let archive = PtArchive::from_bytes(bytes.to_vec(), &Limits::default()).expect("it opens");
            let here = folder.path().join(format!("{count}"));
            std::fs::create_dir(&here).expect("a folder");
            write(&here.join("name"), program.as_bytes());
            write(&here.join("before.pt"), bytes);
            write(&here.join("after.pt"), &archive.rewrite(Vec::new()).expect("it is written"));
            write(&here.join("calls.json"), calls);
        }
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/torch_check.py");
        let out = Command::new(&python).arg(script).arg(folder.path()).output().expect("the interpreter runs");
        let text = String::from_utf8_lossy(&out.stdout);
        println!("{python} ({version}): {count} archives\n{text}");
        assert!(out.status.success(), "{text}\n{}", String::from_utf8_lossy(&out.stderr));
    }
}

fn write(path: &Path, bytes: &[u8]) {
    std::fs::write(path, bytes).expect("the file is written");
}
