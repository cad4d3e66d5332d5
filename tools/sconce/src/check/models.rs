//! Whole models: an archive is run on recorded inputs, and its outputs are within what recordings permit of the exact ones.

use super::{Tally, Verdict};
use crate::engine::{Engine, Options};
use crate::error::Error;
use sconce_archive::{Array, Limits, read_arrays};
use sconce_schema::DType;
use sconce_tensor::{IValue, Tensor};
use serde_json::Value;

/// The folder of a model: its files by name, and the table that generated tensors repeat.
pub struct Folder<'a> {
    pub file: &'a dyn Fn(&str) -> Option<Vec<u8>>,
    pub pattern: Option<&'a [u8]>,
}

/// Does a document describe the cases of a model?
pub fn is_model(document: &Value) -> bool {
    document["modules"].is_object() && document["cases"].is_object()
}

/// All cases of a model.
pub fn check(name: &str, document: &Value, folder: &Folder<'_>, options: &Options, tally: &mut Tally) {
    for (case, about) in document["cases"].as_object().into_iter().flatten() {
        let verdict = judge(case, about, document, folder, options);
        let verdict = verdict.unwrap_or_else(Verdict::Failed);
        tally.add("models", || format!("{name} {case}"), verdict);
    }
}

fn judge(
    case: &str,
    about: &Value,
    document: &Value,
    folder: &Folder<'_>,
    options: &Options,
) -> Result<Verdict, String> {
    let module = about["module"].as_str().unwrap_or("model");
    let file = document["modules"][module]["pt"].as_str().unwrap_or("model.pt");
    let Some(bytes) = (folder.file)(file) else { return Ok(Verdict::Skipped(format!("{file}, which is not there"))) };
    let arrays = |name: &str| -> Result<Vec<(String, Array)>, String> {
        match (folder.file)(name) {
            Some(bytes) => read_arrays(name, &bytes, &Limits::default()).map_err(|e| e.to_string()),
            None => Ok(Vec::new()),
        }
    };
    let stored = arrays("inputs.safetensors")?;
    let pattern = match folder.pattern {
        Some(bytes) => read_arrays("pattern.safetensors", bytes, &Limits::default()).map_err(|e| e.to_string())?,
        None => Vec::new(),
    };
    let mut inputs = Vec::new();
    for about in about["inputs"].as_array().into_iter().flatten() {
        inputs.push(input(case, about, &stored, &pattern)?);
    }
    let engine = Engine::new(options.clone()).map_err(|e| e.to_string())?;
    let mut model = engine.load_bytes(file, "forward", &bytes).map_err(|e| e.to_string())?;
    drop(bytes);
    let result = match model.call("forward", &inputs) {
        Ok(result) => result,
        Err(Error::Run(e)) if e.cause == sconce_interpreter::Cause::Missing => {
            return Ok(Verdict::Skipped(e.message.split(": ").next().unwrap_or_default().to_owned()));
        }
        Err(e) => return Err(e.to_string()),
    };
    let expected = arrays("expected.safetensors")?;
    let mut flat = Vec::new();
    flatten(&result, "", &mut flat);
    for want in about["outputs"].as_array().into_iter().flatten() {
        let key = want["key"].as_str().unwrap_or_default();
        let path = key.rsplit('/').next().unwrap_or_default();
        let got = flat.iter().find(|(p, _)| p == path || (p.is_empty() && path == "out"));
        let (_, got) = got.ok_or_else(|| format!("there is no result `{path}`"))?;
        compare(key, want, got, &expected).map_err(|why| format!("{key}: {why}"))?;
    }
    Ok(Verdict::Passed)
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
