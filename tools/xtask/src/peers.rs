//! `peers` races `sconce` with other engines over a suite of models, each answer checked, and says how its time stands to that of the fastest of them.
//!
//! The race itself is the suite's own driver (`bench_peers.py` beside the models): all peers in turns, so that noise from outside falls on all alike.

use crate::{TaskResult, build, environment, root, target};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What each of the driver's interpreters has, and the variable that names the interpreter where there is one already.
const ENVIRONMENTS: &[(&str, &str, &[&str])] = &[
    ("TORCH_PY", "torch", &["torch==2.15.0", "safetensors", "numpy"]),
    ("PEERS_PY", "engines", &["onnx", "onnxruntime", "openvino", "jax", "numpy", "safetensors"]),
];

/// Who is raced with, unless `--peers` says otherwise.
const PEERS: &str = "sconce,sconce.interp,ort,openvino,torch.frozen,jax";

/// Models that are single operations, and programs without nets; the others are nets.
const KERNELS: &[&str] = &["matmul", "conv_zoo", "pointwise", "norms", "reductions"];
const LOOPS: &[&str] = &["loop_int", "loop_float", "loop_tensor", "loop_data", "beam_search", "tokenizer", "nms"];

/// What a task is told.
struct Wanted {
    suite: PathBuf,
    out: PathBuf,
    threads: String,
    peers: String,
    /// Passed on to the driver.
    more: Vec<String>,
}

impl Wanted {
    fn of(arguments: &[String]) -> Result<Wanted, String> {
        let mut wanted = Wanted {
            suite: root().join("../shared/models"),
            out: target().join("peers").join("results.json"),
            threads: "1,2".into(),
            peers: PEERS.into(),
            more: Vec::new(),
        };
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().cloned().ok_or_else(|| format!("{word} wants a value"));
            match word.as_str() {
                "--suite" => wanted.suite = value()?.into(),
                "--out" => wanted.out = value()?.into(),
                "--threads" => wanted.threads = value()?,
                "--peers" => wanted.peers = value()?,
                "--models" | "--cases" | "--rounds" | "--slice" => wanted.more.extend([word.clone(), value()?]),
                other => {
                    return Err(format!(
                        "{other}: --suite FOLDER, --out FILE, --threads 1,2, --peers A,B, --models A,B, --cases A,B, --rounds N and --slice SECONDS are known"
                    ));
                }
            }
        }
        Ok(wanted)
    }
}

pub fn run(arguments: &[String]) -> TaskResult {
    let wanted = Wanted::of(arguments)?;
    let driver = wanted.suite.join("bench_peers.py");
    if !driver.is_file() {
        return Err(format!("{}: no suite with a driver is there; --suite names one", wanted.suite.display()));
    }
    let sconce = match std::env::var_os("SCONCE").filter(|path| !path.is_empty()) {
        Some(path) => root().join(path),
        None => build::tools(&["sconce"])?.join("sconce"),
    };
    let mut race = Command::new("python3");
    race.arg(&driver).arg("--root").arg(&wanted.suite).arg("--out").arg(&wanted.out);
    race.args(["--threads", &wanted.threads, "--peers", &wanted.peers]).args(&wanted.more);
    race.env("SCONCE", &sconce);
    for (variable, name, packages) in ENVIRONMENTS {
        race.env(variable, python(variable, name, packages)?);
    }
    if let Some(folder) = wanted.out.parent() {
        std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    // The driver goes on with what a file has; this is a race of its own.
    if wanted.out.exists() {
        std::fs::remove_file(&wanted.out).map_err(|e| format!("{}: {e}", wanted.out.display()))?;
    }
    let status = race.status().map_err(|e| format!("python3: {e}"))?;
    if !status.success() {
        return Err(format!("bench_peers.py ended with {status}"));
    }
    let text = std::fs::read_to_string(&wanted.out).map_err(|e| format!("{}: {e}", wanted.out.display()))?;
    let results: Value = serde_json::from_str(&text).map_err(|e| format!("{}: {e}", wanted.out.display()))?;
    for threads in wanted.threads.split(',') {
        let cases = results.as_object().into_iter().flatten().map(|(case, _)| case.as_str());
        let least = cases.filter_map(|case| Some((case.to_owned(), at_peak(&sconce, &wanted.suite, case, threads)?)));
        print!("\n{}", table(&results, threads, &least.collect()));
    }
    Ok(())
}

/// The microseconds that a case's multiplications and additions take by the direct method if nothing else took time, at the peak that is measured beside it. No peer
/// takes less but by another method (Winograd's takes fewer, products in bf16 are faster).
fn at_peak(sconce: &Path, suite: &Path, case: &str, threads: &str) -> Option<f64> {
    let mut bench = Command::new(sconce);
    bench.arg("bench").arg(suite).args(["--case", case, "--threads", threads]);
    bench.args(["--compile", "off", "--seconds", "0.05", "--profile", "--json"]);
    let told: Value = serde_json::from_slice(&bench.output().ok()?.stdout).ok()?;
    let profile = told.get("profile")?;
    let flops = |instruction: &Value| instruction.get("flops_a_call").and_then(Value::as_f64);
    let flops: f64 = profile.get("instructions")?.as_array()?.iter().filter_map(flops).sum();
    let peak = profile.pointer("/peak/flops_per_second")?.as_f64()?;
    (flops > 0.0).then_some(flops / peak * 1e6)
}

/// The interpreter that a variable names, or one in the target folder, made from PyPI where it is not there.
fn python(variable: &str, name: &str, packages: &[&str]) -> Result<PathBuf, String> {
    if let Some(path) = std::env::var_os(variable).filter(|path| !path.is_empty()) {
        return Ok(path.into());
    }
    environment::python(&target().join("peers").join(name), packages)
}

fn kind(case: &str) -> usize {
    let model = case.split('/').next().unwrap_or(case);
    if KERNELS.contains(&model) {
        1
    } else if LOOPS.contains(&model) {
        2
    } else {
        0
    }
}

/// One peer's time of one case, in microseconds, where its answer was right.
fn time(peer: &Value, of: &str) -> Option<f64> {
    let right = peer.get("err_over_tol").and_then(Value::as_f64).is_none_or(|e| e <= 1.0);
    peer.get(of).and_then(Value::as_f64).filter(|_| right)
}

/// Each case's times and ratios by minimum and by median, then the geometric means by kind. `peak` is what [`at_peak`] says of cases: how that stands to the best peer's
/// time is the ratio that the direct method cannot be below.
fn table(results: &Value, threads: &str, at_peak: &BTreeMap<String, f64>) -> String {
    let mut out = format!(
        "threads {threads}\n{:32} {:>11} {:>13} {:>11} {:>6} {:>6} {:>6} {:>8}\n",
        "case", "sconce us", "best peer", "us", "min", "med", "peak", "interp"
    );
    let mut ratios: [Vec<(f64, f64)>; 3] = Default::default();
    let mut least: [Vec<f64>; 3] = Default::default();
    for (case, row) in results.as_object().into_iter().flatten() {
        let Some(peers) = row.pointer(&format!("/threads/{threads}")).and_then(Value::as_object) else { continue };
        let ours = |name: &str, of: &str| peers.get(name).and_then(|peer| time(peer, of));
        let others = || peers.iter().filter(|(name, _)| !name.starts_with("sconce"));
        let best = |of: &str| {
            let times = others().filter_map(|(name, peer)| Some((time(peer, of)?, name.as_str())));
            times.min_by(|a, b| a.0.total_cmp(&b.0))
        };
        let (Some(min), Some(med)) = (ours("sconce", "min"), ours("sconce", "med")) else {
            let why = peers.get("sconce").and_then(|peer| peer.get("error")).and_then(Value::as_str);
            out += &format!("{case:32} no right answer: {}\n", why.unwrap_or("its error is above the bound"));
            continue;
        };
        let (Some(peer), Some(peer_med)) = (best("min"), best("med")) else {
            out += &format!("{case:32} {min:11.1} no peer has a right answer\n");
            continue;
        };
        let (by_min, by_med) = (min / peer.0, med / peer_med.0);
        ratios[kind(case)].push((by_min, by_med));
        let peak = at_peak.get(case).map(|us| us / peer.0);
        least[kind(case)].extend(peak);
        let peak = peak.map_or_else(String::new, |ratio| format!("{ratio:6.2}"));
        let interp = ours("sconce.interp", "min").map_or_else(String::new, |us| format!("{us:8.1}"));
        out += &format!(
            "{case:32} {min:11.1} {:>13} {:11.1} {by_min:6.2} {by_med:6.2} {peak:>6} {interp:>8}\n",
            peer.1, peer.0
        );
    }
    let kinds = ["nets", "kernels", "loops"].iter().zip(ratios.iter().zip(&least));
    for (name, (ratios, least)) in kinds.filter(|(_, (ratios, _))| !ratios.is_empty()) {
        let mean = |of: fn(&(f64, f64)) -> f64| geometric_mean(ratios.iter().map(of));
        let ahead = ratios.iter().filter(|r| r.0 < 1.0).count();
        out += &format!(
            "{name}: geometric mean of {} cases {:.2} by minimum, {:.2} by median; ahead of every peer in {ahead}\n",
            ratios.len(),
            mean(|r| r.0),
            mean(|r| r.1)
        );
        if !least.is_empty() {
            let (mean, n) = (geometric_mean(least.iter().copied()), least.len());
            out += &format!("{name}: {mean:.2} if {n} of them did nothing but multiply and add at the peak\n");
        }
    }
    out
}

fn geometric_mean(ratios: impl ExactSizeIterator<Item = f64>) -> f64 {
    let n = ratios.len() as f64;
    (ratios.map(f64::ln).sum::<f64>() / n).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_answer_is_no_time_and_means_are_by_kind() {
        let results = serde_json::json!({
            "mlp/b1": {"threads": {"1": {
                "sconce": {"min": 20.0, "med": 30.0, "err_over_tol": 0.5},
                "sconce.interp": {"min": 40.0, "med": 40.0, "err_over_tol": 0.0},
                "ort": {"min": 10.0, "med": 10.0, "err_over_tol": 0.1},
                "jax": {"min": 1.0, "med": 1.0, "err_over_tol": 7.0},
            }}},
            "mlp/b2": {"threads": {"1": {
                "sconce": {"min": 5.0, "med": 10.0, "err_over_tol": 0.0},
                "ort": {"min": 10.0, "med": 10.0, "err_over_tol": 0.1},
            }}},
            "matmul/nn": {"threads": {"1": {"sconce": {"error": "it died"}, "ort": {"min": 1.0, "med": 1.0}}}},
            "loop_int/n1": {"threads": {"2": {}}},
        });
        let text = table(&results, "1", &BTreeMap::from([("mlp/b1".to_owned(), 5.0)]));
        let has = |line: &str| assert!(text.contains(line), "{line}\n{text}");
        has("mlp/b1                                  20.0           ort        10.0   2.00   3.00   0.50     40.0\n");
        has("nets: 0.50 if 1 of them did nothing but multiply and add at the peak\n");
        has("matmul/nn                        no right answer: it died\n");
        has("nets: geometric mean of 2 cases 1.00 by minimum, 1.73 by median; ahead of every peer in 1\n");
        assert!(!text.contains("loops") && !text.contains("kernels"), "{text}");
    }
}
