//! `testdata` packs the recordings that tests need into the repository, so that a fresh clone passes without them.

use crate::{TaskResult, command, independence, library_text, root, target};
use sconce_archive::Array;
use sconce_corpus::Corpus;
use sconce_schema::DType;
use std::path::{Path, PathBuf};

/// A set of `testdata/`: its name, where it comes from below `--shared`, and which of the files belong to it.
struct Set {
    name: &'static str,
    folder: &'static str,
    wanted: fn(&str) -> bool,
    /// The repository's own script that records it, for sets that do not lie with the other recordings.
    recorder: Option<&'static str>,
}

impl Set {
    const fn new(name: &'static str, folder: &'static str, wanted: fn(&str) -> bool) -> Set {
        Set { name, folder, wanted, recorder: None }
    }

    /// A set that a script of the repository records; `--shared` is the folder above the script's output.
    const fn recorded(name: &'static str, recorder: &'static str, wanted: fn(&str) -> bool) -> Set {
        Set { name, folder: name, wanted, recorder: Some(recorder) }
    }
}

fn text_or_json(path: &str) -> bool {
    [".txt", ".json", ".jsonl", ".mlir", ".tsv"].iter().any(|e| path.ends_with(e))
}

const SMALL_MODELS: &[&str] = &["beam_search/", "gcn/", "loop_data/", "nms/", "tokenizer/", "pattern.safetensors"];

const SETS: &[Set] = &[
    Set::new("listings", "listings", |p| !p.starts_with("passes/") && (text_or_json(p) || p == "modules.py")),
    Set::new("passes", "listings/passes", text_or_json),
    Set::new("torch_dialect", "torch_dialect", text_or_json),
    Set::new("programs", "programs", |p| !p.starts_with('_') && (text_or_json(p) || p.ends_with("/source.py"))),
    // Those that are small; the others have tests of their own in nothing but size.
    Set::new("models", "models", |p| SMALL_MODELS.iter().any(|m| p.starts_with(m)) && !p.ends_with(".onnx")),
    // With what replaying them needs.
    Set::new("archives", "programs", |p| {
        [".pt", ".ptl", "/calls.json", "/source.py", "/code.txt", "/loaded_code.txt"].iter().any(|e| p.ends_with(e))
    }),
    // Without what quotes source lines for each node (`metadata.json`): the archives have it.
    Set::new("export", "export", |p| {
        let name = p.rsplit('/').next().unwrap_or(p);
        name.ends_with(".pt2") || name.ends_with(".txt") || ["calls.json", "meta.json", "schema.json"].contains(&name)
    }),
    Set::new("nn", "nn", |p| p.ends_with(".jsonl")),
    Set::new("rejects", "rejects", text_or_json),
    Set::new("vectors", "vectors", |p| !p.starts_with("grad/") && text_or_json(p)),
    Set::recorded("vision", "tools/conformance/vision.py", text_or_json),
    Set::recorded("quantized", "tools/sconce/tests/quantized/record.py", |p| {
        p.ends_with(".pt") || p.ends_with("/calls.json")
    }),
    Set::recorded("trace", "tools/sconce/tests/trace/record.py", |p| text_or_json(p) || p.ends_with("/source.py")),
    Set::recorded("objects", "runtime/exec/tests/objects/record.sh", |p| p.ends_with(".o")),
    Set::recorded("aliasing", "tools/sconce/tests/aliasing/generate.py", |p| {
        p.ends_with("/source.py") || p.ends_with("/calls.json")
    }),
    Set::recorded("aliasing_chosen", "tools/sconce/tests/aliasing/chosen.py", |p| {
        p.ends_with("/source.py") || p.ends_with("/calls.json")
    }),
    Set::recorded("aliases", "lowering/analysis/tests/record_aliases.py", text_or_json),
    Set::recorded("hostile", "tools/sconce/tests/hostile/record.py", text_or_json),
    Set::recorded("executor", "runtime/executor/tests/record.py", text_or_json),
];

pub fn run(arguments: &[String]) -> TaskResult {
    let (mut shared, mut only): (PathBuf, Option<&str>) = (root().join("../shared"), None);
    for pair in arguments.chunks(2) {
        match pair {
            [flag, folder] if flag == "--shared" => shared = root().join(folder),
            [flag, name] if flag == "--only" => only = Some(name),
            _ => return Err("usage: cargo xtask testdata [--shared FOLDER] [--only SET]".into()),
        }
    }
    if let Some(name) = only.filter(|name| !SETS.iter().any(|s| s.name == *name)) {
        return Err(format!("no set `{name}`"));
    }
    for set in SETS.iter().filter(|s| only.is_none_or(|name| s.name == name)) {
        let mut shared = shared.clone();
        if let Some(recorder) = set.recorder.filter(|_| !shared.join(set.folder).exists()) {
            // One that needs no PyTorch is run.
            if recorder.ends_with(".sh") {
                shared = target().join("testdata");
                command("sh", &[recorder, &shared.display().to_string()])?;
            } else if only.is_none() {
                println!("testdata/{}.tar.zst: kept; {recorder} records it", set.name);
                continue;
            }
        }
        let corpus = Corpus::open_filtered(&shared.join(set.folder), set.wanted).map_err(|e| e.to_string())?;
        let corpus = without_library_text(&corpus)?;
        let packed = corpus.pack().map_err(|e| format!("{}: {e}", set.name))?;
        println!("testdata/{}.tar.zst: {} files, {} KiB", set.name, corpus.len(), packed.len() / 1024);
        write(&root().join("testdata").join(format!("{}.tar.zst", set.name)), &packed)?;
    }
    if only.is_some() {
        return Ok(());
    }
    for file in ["independence.py", "fingerprints.bin"] {
        let bytes = std::fs::read(shared.join("nn").join(file)).map_err(|e| format!("{file}: {e}"))?;
        write(&root().join(independence::FOLDER).join(file), &bytes)?;
    }
    example(&shared)?;
    archive_example(&shared)
}

/// The same files without what they quote of PyTorch's own source.
fn without_library_text(corpus: &Corpus) -> Result<Corpus, String> {
    let mut out = Corpus::default();
    for (path, bytes) in corpus.iter() {
        let kept = without_in(path, bytes.to_vec()).map_err(|e| format!("{path}: {e}"))?;
        out.insert(path.to_owned(), kept);
    }
    Ok(out)
}

fn without_in(path: &str, bytes: Vec<u8>) -> Result<Vec<u8>, String> {
    if path.ends_with(".pt") || path.ends_with(".ptl") {
        return library_text::without_in_archive(bytes);
    }
    if path.ends_with(".pt2") {
        return library_text::without_in_program(bytes);
    }
    if path.ends_with("/readable.txt") {
        return String::from_utf8(bytes)
            .map(|t| library_text::without_in_readable(&t).into_bytes())
            .map_err(|e| e.to_string());
    }
    if path.ends_with(".json") || path.ends_with(".jsonl") {
        let text = String::from_utf8(bytes).map_err(|e| e.to_string())?;
        return Ok(library_text::without_in_json(&text).into_bytes());
    }
    Ok(bytes)
}

fn write(path: &Path, bytes: &[u8]) -> TaskResult {
    let folder = path.parent().ok_or("no folder")?;
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(path, bytes))
        .map_err(|e| format!("{}: {e}", path.display()))
}

/// The demonstration's program is the overview's listing; its inputs and results are the first recorded call of the same cell.
fn example(shared: &Path) -> TaskResult {
    let text = |path: &str| std::fs::read_to_string(shared.join(path)).map_err(|e| format!("{path}: {e}"));
    let folder = root().join("examples/lstm_cell");
    write(&folder.join("lstm_cell.txt"), text("listings/seeds/s0_lstm_graph_a.txt")?.as_bytes())?;
    let calls: serde_json::Value =
        serde_json::from_str(&text("programs/overview/lstm_cell/calls.json")?).map_err(|e| e.to_string())?;
    let call = &calls[0];
    let tensors = |values: &serde_json::Value, names: &[&str]| -> Result<Vec<(String, Array)>, String> {
        let values = values.as_array().ok_or("no list of tensors")?;
        values.iter().zip(names).map(|(v, n)| Ok((n.to_string(), array(v).ok_or("no f32 tensor")?))).collect()
    };
    for (file, values, names) in [
        ("inputs", &call["args"], &["x", "hx", "cx", "w_ih", "w_hh", "b_ih", "b_hh"][..]),
        ("expected", &call["out"]["t"], &["0", "1"][..]),
    ] {
        let name = format!("{file}.safetensors");
        let bytes = sconce_archive::write_arrays(&name, &tensors(values, names)?).map_err(|e| e.to_string())?;
        write(&folder.join(name), &bytes)?;
    }
    println!("examples/lstm_cell");
    Ok(())
}

/// An archive that PyTorch saved, with its first recorded call.
fn archive_example(shared: &Path) -> TaskResult {
    let source = shared.join("programs/nets/vit_tiny");
    let folder = root().join("examples/vit_tiny");
    for file in ["model.pt", "source.py"] {
        let bytes = std::fs::read(source.join(file)).map_err(|e| format!("{file}: {e}"))?;
        let bytes = without_in(file, bytes)?;
        write(&folder.join(file), &bytes)?;
    }
    let calls = std::fs::read_to_string(source.join("calls.json")).map_err(|e| e.to_string())?;
    let calls: serde_json::Value = serde_json::from_str(&calls).map_err(|e| e.to_string())?;
    for (file, name, value) in [("inputs", "x", &calls[0]["args"][0]), ("expected", "out", &calls[0]["out"])] {
        let file = format!("{file}.safetensors");
        let tensor = (name.to_owned(), array(value).ok_or("no f32 tensor")?);
        let bytes = sconce_archive::write_arrays(&file, &[tensor]).map_err(|e| e.to_string())?;
        write(&folder.join(file), &bytes)?;
    }
    println!("examples/vit_tiny");
    Ok(())
}

/// A contiguous f32 tensor of a recorded call.
fn array(value: &serde_json::Value) -> Option<Array> {
    let sizes = value["s"].as_array()?.iter().map(serde_json::Value::as_i64).collect::<Option<Vec<_>>>()?;
    let data = value["d"].as_array()?.iter().map(|v| Some(v.as_f64()? as f32)).collect::<Option<Vec<_>>>()?;
    (value["T"] == "f32").then(|| Array {
        dtype: DType::F32,
        sizes,
        bytes: data.iter().flat_map(|v| v.to_le_bytes()).collect(),
    })
}
