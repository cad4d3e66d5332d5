//! PyTorch loads what is compiled here from source, torch.nn's layers among it, and computes what it computes with its own. `SCONCE_TORCH_PYTHON` names
//! interpreters that have `torch`, separated by colons; without it there is nothing to compare with.

use sconce::{Engine, Options, SourceOptions};
use sconce_corpus::testdata;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

static ALONE: Mutex<()> = Mutex::new(());

/// The interpreters, or a word that there are none.
fn interpreters() -> Vec<String> {
    let all = std::env::var("SCONCE_TORCH_PYTHON").unwrap_or_default();
    if all.is_empty() {
        eprintln!("skipped: SCONCE_TORCH_PYTHON names no Python with torch");
    }
    all.split(':').filter(|i| !i.is_empty()).map(str::to_owned).collect()
}

/// Runs a script over a folder with each interpreter; its last lines tell what differs.
fn judged_by_pytorch(script: &str, name: &str, write: impl Fn(&Path) -> usize) {
    let interpreters = interpreters();
    if interpreters.is_empty() {
        return;
    }
    // Layers draw from the process's generator: one test at a time.
    let _alone = ALONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let folder: PathBuf = std::env::temp_dir().join(format!("sconce-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let written = write(&folder);
    for interpreter in interpreters {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(script);
        let output = Command::new(&interpreter).arg(script).arg(&folder).output().expect(&interpreter);
        let text = String::from_utf8_lossy(&output.stdout);
        eprintln!("{interpreter}: {written} archives\n{text}");
        assert!(output.status.success(), "{interpreter}: {text}\n{}", String::from_utf8_lossy(&output.stderr));
    }
    std::fs::remove_dir_all(&folder).expect("the folder is removed");
}

#[test]
fn programs_compiled_from_source() {
    judged_by_pytorch("../../frontend/script/tests/pytorch/replay.py", "programs", |folder| {
        let archives = testdata("archives").expect("archives");
        let sources = archives.iter().filter_map(|(path, text)| Some((path.strip_suffix("/source.py")?, text)));
        let written = sources.filter(|(program, source)| {
            let (Some(archive), Some(calls)) =
                (archives.get(&format!("{program}/model.pt")), archives.get(&format!("{program}/calls.json")))
            else {
                return false;
            };
            let text = String::from_utf8_lossy(source);
            let entry = text.lines().find_map(|l| l.strip_prefix("#@ entry ")).unwrap_or_default().trim();
            // What only a running PyTorch can make is no source; a frozen module has no state to give it.
            if text.contains("torch.jit.trace") || entry.contains("traced(") || entry.contains("frozen(") {
                return false;
            }
            let Some(saved) = compiled(program, &text, entry, archive) else { return false };
            let target = folder.join(program);
            std::fs::create_dir_all(&target).expect("a folder");
            std::fs::write(target.join("model.pt"), archive).expect("the recorded archive");
            std::fs::write(target.join("saved_model.pt"), saved).expect("the compiled archive");
            std::fs::write(target.join("calls.json"), calls).expect("the calls");
            true
        });
        written.count()
    });
}

/// A module's archive, compiled from source, with the weights of PyTorch's archive; `None` for functions, and for what is refused (which the judge of
/// programs counts).
fn compiled(program: &str, text: &str, entry: &str, archive: &[u8]) -> Option<Vec<u8>> {
    let engine = Engine::new(Options::default()).expect("an engine");
    let options = SourceOptions {
        entry: Some(entry.to_owned()),
        module: program.rsplit('/').next().unwrap_or(program).to_owned(),
        transparent: ["fill", "frozen", "traced"].map(str::to_owned).to_vec(),
    };
    let module = engine.compile_source("source.py", text, &options).ok()?;
    module.root()?;
    let recorded = engine.load_bytes("model.pt", "forward", archive).unwrap_or_else(|e| panic!("{program}: {e}"));
    module.copy_state(&recorded).unwrap_or_else(|e| panic!("{program}: {e}"));
    let saved = module.saved().unwrap_or_else(|e| panic!("{program}: {e}"));
    Some(saved.write("model", Vec::new()).unwrap_or_else(|e| panic!("{program}: {e}")))
}

#[test]
fn layers_compiled_from_the_prelude() {
    judged_by_pytorch("tests/pytorch/layers.py", "layers", |folder| {
        let recordings = testdata("nn").expect("recordings");
        let calls = recordings.text("calls.jsonl").expect("calls");
        std::fs::write(folder.join("calls.jsonl"), calls).expect("the calls");
        let heads = calls.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
        let heads = heads.filter(|row| row["k"] == "module" && row.get("refused").is_none());
        heads
            .enumerate()
            .map(|(i, row)| layer(&folder.join(format!("{i}.pt")), row["new"].as_str().unwrap_or_default()))
            .count()
    });
}

/// A layer with the parameters that it draws first after a seed of 0.
fn layer(path: &Path, new: &str) {
    let engine = Engine::new(Options::default()).expect("an engine");
    let options = SourceOptions { entry: Some(format!("seeded({new})")), ..SourceOptions::default() };
    let text = "from collections import OrderedDict\n\nimport torch\nfrom torch import nn\n\ntorch.manual_seed(0)\n\n\ndef seeded(m):\n    return m\n";
    let module = engine.compile_source("layers.py", text, &options).unwrap_or_else(|e| panic!("{new}: {e}"));
    let saved = module.saved().unwrap_or_else(|e| panic!("{new}: {e}"));
    let bytes = saved.write("model", Vec::new()).unwrap_or_else(|e| panic!("{new}: {e}"));
    std::fs::write(path, bytes).expect("the archive");
}
