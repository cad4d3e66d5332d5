//! Whole models: an archive is run on recorded inputs, and its outputs are within what recordings permit of the exact ones.

use super::programs::is_beyond_form;
use super::{Question, Tally, Verdict};
use crate::engine::Engine;
use crate::similar::instead_of;
use sconce_archive::{Array, Limits, read_arrays};
use sconce_corpus::Corpus;
use sconce_schema::DType;
use sconce_tensor::{IValue, Tensor};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The folder of a model: its files by name, and the table that generated tensors repeat.
pub struct Folder<'a> {
    /// The bytes of a file of the folder.
    pub file: &'a dyn Fn(&str) -> Option<Vec<u8>>,
    /// The table that generated tensors repeat.
    pub pattern: Option<&'a [u8]>,
}

/// One case of a model: the archive, what it is called with, and what comes out.
pub struct Case {
    /// The archive's name in its folder.
    pub file: String,
    /// The archive's bytes.
    pub archive: Vec<u8>,
    /// What it is called with.
    pub inputs: Vec<IValue>,
    outputs: Vec<Value>,
    expected: Vec<(String, Array)>,
}

/// Does a document describe the cases of a model?
pub fn is_model(document: &Value) -> bool {
    document["modules"].is_object() && document["cases"].is_object()
}

const TABLE_FILE: &str = "pattern.safetensors";

/// Files of models, and nothing else that lies beside them.
const FILES: &[&str] = &[".json", ".pt", ".safetensors", ".pt.zst"];

/// Cases of a suite (a folder of models, or a packed set), under `model/case`, each read when it is reached.
pub struct Suite {
    path: PathBuf,
    names: Vec<String>,
}

impl Suite {
    /// Opens a suite.
    ///
    /// # Errors
    /// No such folder, or one without what a suite has.
    pub fn open(path: &Path) -> Result<Suite, String> {
        let tables = Corpus::open_filtered(path, |p| p.ends_with("/info.json")).map_err(|e| e.to_string())?;
        let mut names = Vec::new();
        for (file, text) in tables.iter() {
            let document: Value = serde_json::from_slice(text).map_err(|e| format!("{file}: {e}"))?;
            let model = file.strip_suffix("/info.json").unwrap_or(file);
            let cases = document["cases"].as_object().into_iter().flatten();
            names.extend(cases.map(|(case, _)| format!("{model}/{case}")));
        }
        Ok(Suite { path: path.to_path_buf(), names })
    }

    /// Names of all cases, in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// A case by its name.
    ///
    /// # Errors
    /// No such case, or one whose files are missing or damaged.
    pub fn case(&self, name: &str) -> Result<Case, String> {
        let missing = || format!("{}: no case `{name}`; {}", self.path.display(), instead_of(name, &self.names));
        let (model, case) =
            name.split_once('/').filter(|_| self.names.iter().any(|n| n == name)).ok_or_else(missing)?;
        let table = TABLE_FILE;
        let prefix = format!("{model}/");
        let wanted = |p: &str| p == table || (p.starts_with(&prefix) && FILES.iter().any(|e| p.ends_with(e)));
        let corpus = Corpus::open_filtered(&self.path, wanted).map_err(|e| e.to_string())?;
        let file = |f: &str| in_folder(&corpus, model, f);
        let text = file("info.json").ok_or_else(missing)?;
        let document: Value = serde_json::from_slice(&text).map_err(|e| format!("{model}/info.json: {e}"))?;
        let folder = Folder { file: &file, pattern: corpus.get(table) };
        let found = Case::open(case, &document["cases"][case], &document, &folder);
        found?.map_err(|file| format!("{model}/{file} is not there"))
    }
}

/// A file of a model's folder; an archive that is large lies packed.
pub fn in_folder(corpus: &Corpus, folder: &str, file: &str) -> Option<Vec<u8>> {
    let whole = |f: &str| if folder.is_empty() { f.to_owned() } else { format!("{folder}/{f}") };
    let packed = || zstd::decode_all(corpus.get(&whole(&format!("{file}.zst")))?).ok();
    corpus.get(&whole(file)).map(<[u8]>::to_vec).or_else(packed)
}

/// The table that generated tensors repeat: beside a model, above it in the set, or above the folder that was named.
pub fn pattern(corpus: &Corpus, folder: &str, root: &Path) -> Option<Vec<u8>> {
    let mut within = Some(folder);
    while let Some(folder) = within {
        if let Some(found) = in_folder(corpus, folder, TABLE_FILE) {
            return Some(found);
        }
        within = (!folder.is_empty()).then(|| folder.rsplit_once('/').map_or("", |(above, _)| above));
    }
    let root = root.canonicalize().ok()?;
    let folder = if root.is_dir() { root.as_path() } else { root.parent()? };
    [folder, folder.parent()?].iter().find_map(|above| std::fs::read(above.join(TABLE_FILE)).ok())
}

/// All cases of a model.
pub fn check(name: &str, document: &Value, folder: &Folder<'_>, question: &Question, tally: &mut Tally) {
    for (case, about) in document["cases"].as_object().into_iter().flatten() {
        if tally.watch.is_over() {
            return;
        }
        let verdict = judge(case, about, document, folder, question, tally);
        let verdict = verdict.unwrap_or_else(Verdict::Failed);
        tally.add("models", || format!("{name} {case}"), verdict);
    }
}

fn judge(
    case: &str,
    about: &Value,
    document: &Value,
    folder: &Folder<'_>,
    question: &Question,
    tally: &mut Tally,
) -> Result<Verdict, String> {
    let case = match Case::open(case, about, document, folder)? {
        Ok(case) => case,
        Err(file) => return Ok(Verdict::Skipped(format!("{file}, which is not there"))),
    };
    let engine = Engine::new(question.options.clone()).map_err(|e| e.to_string())?;
    let mut model = engine.load_bytes(&case.file, "forward", &case.archive).map_err(|e| e.to_string())?;
    if let Some(pipeline) = &question.pipeline {
        model = model.after_passes(pipeline).map_err(|e| e.to_string())?;
    }
    if let Some(form) = question.through {
        model = match model.through(form, &engine) {
            Ok(model) => model,
            Err(e) if is_beyond_form(&e) => return Ok(Verdict::Skipped(e.to_string())),
            Err(e) => return Err(format!("written as {}: {e}", form.ending())),
        };
    }
    let called = model.call("forward", &case.inputs);
    tally.count_compiled(&model)?;
    match called {
        Ok(result) => case.judge(&result).map(|()| Verdict::Passed),
        Err(e) => match e.run().filter(|run| run.cause == sconce_interpreter::Cause::Missing) {
            Some(run) => Ok(Verdict::Skipped(run.message.split(": ").next().unwrap_or_default().to_owned())),
            None => Err(e.to_string()),
        },
    }
}

impl Case {
    /// The inner error is the name of an archive that is not there.
    fn open(case: &str, about: &Value, document: &Value, folder: &Folder<'_>) -> Result<Result<Case, String>, String> {
        let module = about["module"].as_str().unwrap_or("model");
        let file = document["modules"][module]["pt"].as_str().unwrap_or("model.pt").to_owned();
        let Some(archive) = (folder.file)(&file) else { return Ok(Err(file)) };
        let arrays = |name: &str, bytes: Option<&[u8]>| match bytes {
            Some(bytes) => read_arrays(name, bytes, &Limits::default()).map_err(|e| e.to_string()),
            None => Ok(Vec::new()),
        };
        let of_folder = |name: &str| arrays(name, (folder.file)(name).as_deref());
        let stored = of_folder("inputs.safetensors")?;
        let pattern = arrays(TABLE_FILE, folder.pattern)?;
        let given = about["inputs"].as_array().into_iter().flatten();
        let inputs = given.map(|about| input(case, about, &stored, &pattern)).collect::<Result<_, _>>()?;
        let outputs = about["outputs"].as_array().cloned().unwrap_or_default();
        Ok(Ok(Case { file, archive, inputs, outputs, expected: of_folder("expected.safetensors")? }))
    }

    /// Is a result what was recorded?
    pub fn judge(&self, result: &IValue) -> Result<(), String> {
        let mut flat = Vec::new();
        flatten(result, "", &mut flat);
        for want in &self.outputs {
            let key = want["key"].as_str().unwrap_or_default();
            let path = key.rsplit('/').next().unwrap_or_default();
            let got = flat.iter().find(|(p, _)| p == path || (p.is_empty() && path == "out"));
            let (_, got) = got.ok_or_else(|| format!("there is no result `{path}`"))?;
            compare(key, want, got, &self.expected).map_err(|why| format!("{key}: {why}"))?;
        }
        Ok(())
    }
}

/// Results of nested tuples under `0`, `1.0`, …; a lone result under the empty name.
fn flatten(value: &IValue, path: &str, out: &mut Vec<(String, IValue)>) {
    match value {
        IValue::Tuple(t) => {
            for (i, v) in t.items.iter().enumerate() {
                flatten(v, &if path.is_empty() { i.to_string() } else { format!("{path}.{i}") }, out);
            }
        }
        other => out.push((path.to_owned(), other.clone())),
    }
}

fn input(case: &str, about: &Value, stored: &[(String, Array)], pattern: &[(String, Array)]) -> Result<IValue, String> {
    let name = about["name"].as_str().unwrap_or_default();
    if let Some(ty) = about["type"].as_str() {
        let value = &about["value"];
        return match ty {
            "int" => value.as_i64().map(IValue::Int),
            "float" => value.as_f64().map(IValue::Double),
            "bool" => value.as_bool().map(IValue::Bool),
            _ => value.as_str().map(IValue::str),
        }
        .ok_or_else(|| format!("{name} is no {ty}"));
    }
    let key = format!("{case}/{name}");
    if let Some((_, array)) = stored.iter().find(|(n, _)| *n == key) {
        return crate::value_text::tensor_of(array).map(IValue::Tensor).map_err(|e| e.to_string());
    }
    let sizes: Vec<i64> = about["shape"].as_array().into_iter().flatten().filter_map(Value::as_i64).collect();
    let dtype = about["dtype"].as_str().and_then(DType::from_short_name).ok_or("no dtype")?;
    generated(&about["gen"], &sizes, dtype, pattern).map(IValue::Tensor).ok_or_else(|| format!("{name} cannot be made"))
}

/// Entries of a table, which generated tensors repeat.
const TABLE: usize = 1021;

fn generated(about: &Value, sizes: &[i64], dtype: DType, pattern: &[(String, Array)]) -> Option<Tensor> {
    let count = sconce_tensor::numel(sizes)?;
    let kind = about["kind"].as_str()?;
    if kind == "formula" {
        // ((r*7919 + c*104729 + (c*r) mod 8191) mod 1048573), the only one.
        let columns = *sizes.last()? as u64;
        let one = |i: u64| {
            let (r, c) = (i / columns, i % columns);
            ((r * 7919 + c * 104_729 + (c * r) % 8191) % 1_048_573) as f64
        };
        return Tensor::from_f64(&(0..count as u64).map(one).collect::<Vec<_>>(), sizes, dtype);
    }
    let table = if kind == "normal" { "N" } else { "U" };
    let (_, array) = pattern.iter().find(|(n, _)| n == table)?;
    let table = crate::value_text::tensor_of(array).ok()?.to_vec::<f32>();
    let (start, stride) = (about["start"].as_u64()? as usize, about["stride"].as_u64()? as usize);
    let at = |j: usize| table.get((start + stride * j) % TABLE).copied().unwrap_or_default();
    let values: Vec<f64> = match kind {
        "int" => {
            let (low, high) = (about["low"].as_f64()?, about["high"].as_f64()?);
            (0..count).map(|j| (f64::from(at(j)) * (high - low)).floor() + low).collect()
        }
        _ => {
            let (scale, shift) = (about["scale"].as_f64()? as f32, about["shift"].as_f64()? as f32);
            (0..count).map(|j| f64::from(at(j) * scale + shift)).collect()
        }
    };
    Tensor::from_f64(&values, sizes, dtype)
}

fn compare(key: &str, want: &Value, got: &IValue, expected: &[(String, Array)]) -> Result<(), String> {
    if want["type"].is_string() {
        return plain(&want["value"], got);
    }
    let got = got.as_tensor().map_err(|e| e.to_string())?;
    let sizes: Vec<i64> = want["shape"].as_array().into_iter().flatten().filter_map(Value::as_i64).collect();
    if got.sizes() != sizes {
        return Err(format!("sizes {:?}, expected {sizes:?}", got.sizes()));
    }
    let (_, array) = expected.iter().find(|(n, _)| n == key).ok_or("no expected values")?;
    let expected = crate::value_text::tensor_of(array).map_err(|e| e.to_string())?.to_f64();
    let all = got.contiguous().map_err(|e| e.to_string())?.to_f64();
    let sample = &want["sample"];
    let step = sample["step"].as_u64().unwrap_or(1) as usize;
    let tolerance = want["tol"].as_f64().unwrap_or(0.0);
    for (i, want) in expected.iter().enumerate() {
        let at = if sample.is_object() { i.wrapping_mul(step) % all.len().max(1) } else { i };
        let have = all.get(at).copied().unwrap_or(f64::NAN);
        let same = have == *want || (have.is_nan() && want.is_nan()) || (have - want).abs() <= tolerance;
        if !same {
            return Err(format!("element {at} is {have}, expected {want} within {tolerance:e}"));
        }
    }
    Ok(())
}

/// Values that are no tensors: equal, floats to a millionth.
fn plain(want: &Value, got: &IValue) -> Result<(), String> {
    let equal = match (want, got) {
        (Value::Array(items), IValue::List(l)) => {
            items.len() == l.len() && items.iter().zip(l.to_vec()).all(|(w, g)| plain(w, &g).is_ok())
        }
        (Value::Bool(a), IValue::Bool(b)) => a == b,
        (Value::String(a), IValue::Str(b)) => *a == **b,
        (_, IValue::Int(b)) => want.as_i64() == Some(*b),
        (_, IValue::Double(b)) => want.as_f64().is_some_and(|a| (a - b).abs() <= 1e-6 * a.abs()),
        _ => false,
    };
    if equal { Ok(()) } else { Err(format!("is {got:?}, expected {want}")) }
}
