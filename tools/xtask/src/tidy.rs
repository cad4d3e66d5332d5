//! `tidy` holds the rules that no compiler checks: who may use whom, what every module says of itself, how large the tree may be, and that every
//! operator of the table has a kernel, a shape rule and a test.

use crate::{TaskResult, output, root};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Who may use whom among our own crates: `(folder or crate folders, what they may depend on)`. A crate may always use `schema`.
const EDGES: &[(&str, &[&str])] = &[
    ("dialects/schema", &[]),
    ("dialects/packed", &[]),
    // Formulas of the vocabulary's functions, which kernels run and the lowering prints.
    ("dialects/polynomials", &[]),
    ("dialects/ir", &[]),
    ("dialects/torch", &["ir"]),
    ("frontend/source", &[]),
    ("frontend/syntax", &["source"]),
    ("frontend/archive", &["source"]),
    ("frontend/prelude", &["packed"]),
    // Constants are values, and tensors print.
    ("frontend/graph", &["source", "syntax", "tensor", "kernels"]),
    ("frontend/script", &["syntax", "archive", "graph", "tensor", "kernels"]),
    // `__init__` computes tensors.
    ("frontend/python", &["syntax", "prelude", "graph", "script", "tensor", "kernels"]),
    ("frontend/export", &["source", "archive", "graph", "script", "tensor", "kernels"]),
    // What stands in an archive becomes tensors, and its operators' calls are put by schema; its guards are Python.
    ("frontend/export_program", &["source", "syntax", "archive", "fx", "graph", "tensor"]),
    ("frontend/fx", &["source", "syntax"]),
    // A program is run once by the kernels.
    ("frontend/capture", &["source", "fx", "export_program", "graph", "tensor", "kernels"]),
    // Definitions of operators are Python, and stand with the prelude.
    ("frontend/decompose", &["syntax", "prelude", "fx", "export_program"]),
    // Constants of the dialect are values.
    ("frontend/import", &["source", "syntax", "graph", "ir", "torch", "tensor", "kernels"]),
    ("lowering/pass", &["ir"]),
    ("lowering/analysis", &["ir", "torch", "pass"]),
    // Constants are values, computed by the runtime's kernels.
    ("lowering/passes", &["syntax", "import", "ir", "torch", "pass", "analysis", "tensor", "kernels"]),
    ("lowering/egraph", &["ir", "torch", "pass", "analysis"]),
    // What a rule claims is held against the interpreter's kernels; the compiler does without.
    ("lowering/egraph-proof", &["egraph", "tensor", "kernels"]),
    // Programs are run before and after passes, regions as compiled code.
    (
        "lowering/validate",
        &[
            "source",
            "graph",
            "import",
            "ir",
            "torch",
            "pass",
            "analysis",
            "bytecode",
            "tensor",
            "kernels",
            "interpreter",
            "exec",
        ],
    ),
    // The pass `outline-regions` asks the target what it takes.
    ("lowering/regions", &["ir", "torch", "pass", "analysis", "linalg"]),
    // What a lowered region expects of its callers is the runtime's to say.
    ("lowering/linalg", &["polynomials", "ir", "torch", "pass", "analysis", "exec"]),
    ("lowering/cpu", &["ir", "torch", "pass", "analysis", "linalg", "exec"]),
    ("lowering/gpu", &["ir", "torch", "pass", "analysis", "linalg", "exec"]),
    ("lowering/request", &["source", "syntax", "graph", "bytecode", "tensor", "interpreter"]),
    (
        "lowering/compiler",
        &[
            "source",
            "syntax",
            "graph",
            "import",
            "ir",
            "torch",
            "pass",
            "analysis",
            "passes",
            "egraph",
            "regions",
            "linalg",
            "cpu",
            "gpu",
            "validate",
            "bytecode",
            "request",
            "exec",
            "interpreter",
        ],
    ),
    ("lowering/bytecode", &["source", "graph", "tensor", "interpreter"]),
    ("runtime/tensor", &[]),
    ("runtime/parallel", &[]),
    ("runtime/gemm", &["parallel"]),
    ("runtime/kernels", &["packed", "polynomials", "tensor", "parallel", "gemm"]),
    ("runtime/kernels-extra", &["polynomials", "tensor", "kernels"]),
    ("runtime/interpreter", &["source", "tensor", "kernels"]),
    ("runtime/static", &["tensor", "kernels", "interpreter"]),
    ("runtime/executor", &["tensor", "kernels", "interpreter", "static"]),
    // A store of the executor's cache.
    ("runtime/object-store", &["executor"]),
    ("runtime/cuda", &[]),
    ("runtime/exec", &["polynomials", "tensor", "kernels", "interpreter", "cuda"]),
    // The library as Python and C see it: what it shows of other crates it gives out itself.
    ("python", &["sconce"]),
    ("tools/c", &["sconce"]),
];

/// The tree travels to machines with a GPU.
const TREE_LIMIT: u64 = 40 << 20;

pub fn run(_arguments: &[String]) -> TaskResult {
    let mut findings = Vec::new();
    let metadata = output("cargo", &["metadata", "--format-version", "1", "--no-deps", "--offline"])?;
    let metadata: serde_json::Value = serde_json::from_slice(&metadata).map_err(|e| e.to_string())?;
    let packages = metadata["packages"].as_array().ok_or("cargo metadata lists no packages")?;
    edges(packages, &mut findings);
    published(packages, &mut findings);
    modules(&mut findings)?;
    tree(&mut findings)?;
    crate::book::findings(&mut findings)?;
    crate::circles::findings(&mut findings)?;
    crate::licenses::findings(&mut findings)?;
    findings.extend(crate::coverage::findings(&root())?);
    findings.extend(crate::c_header::findings()?);
    if findings.is_empty() {
        println!("tidy: nothing found");
        return Ok(());
    }
    Err(format!("{} findings\n  {}", findings.len(), findings.join("\n  ")))
}

/// Normal dependencies between our crates, compared with the table; and who names melior and mlir-sys.
fn edges(packages: &[serde_json::Value], findings: &mut Vec<String>) {
    let root = root();
    let mut folders = BTreeMap::new();
    for p in packages {
        let manifest = Path::new(p["manifest_path"].as_str().unwrap_or_default());
        let folder =
            manifest.parent().and_then(|f| f.strip_prefix(&root).ok()).map(|f| f.to_string_lossy().into_owned());
        folders.insert(p["name"].as_str().unwrap_or_default(), folder.unwrap_or_default());
    }
    for p in packages {
        let name = p["name"].as_str().unwrap_or_default();
        let folder = &folders[name];
        let allowed = EDGES.iter().find(|e| e.0 == folder).map(|e| e.1);
        // Examples are written as if from outside.
        if allowed.is_none() && !folder.starts_with("tools/") && !folder.starts_with("examples/") {
            findings.push(format!("{folder}: not in the table of allowed edges"));
        }
        for d in p["dependencies"].as_array().into_iter().flatten() {
            let to = d["name"].as_str().unwrap_or_default();
            if ["melior", "mlir-sys"].contains(&to) && folder != "dialects/ir" {
                findings.push(format!("{folder} uses {to}; only dialects/ir may"));
            }
            // Tests may look further than the code they test.
            if d["kind"] == "dev" {
                continue;
            }
            let Some(to_folder) = folders.get(to) else { continue };
            let short = to_folder.rsplit('/').next().unwrap_or_default();
            let fine = match allowed {
                None => true,
                Some(list) => short == "schema" || list.contains(&short),
            };
            if !fine {
                findings.push(format!("{folder} uses {to_folder}, which the table of allowed edges does not have"));
            }
        }
    }
}

/// What a registry shows of a crate: those that are published say all of it.
const SHOWN: &[&str] = &["description", "license", "repository", "readme", "keywords", "categories"];

fn published(packages: &[serde_json::Value], findings: &mut Vec<String>) {
    for package in packages.iter().filter(|p| p["publish"].is_null()) {
        let says = |key: &str| match &package[key] {
            serde_json::Value::Array(values) => !values.is_empty(),
            value => value.as_str().is_some_and(|text| !text.is_empty()),
        };
        let missing: Vec<&str> = SHOWN.iter().copied().filter(|key| !says(key)).collect();
        if !missing.is_empty() {
            let name = package["name"].as_str().unwrap_or_default();
            findings.push(format!("{name} is published and does not say its {}", missing.join(", ")));
        }
    }
}

/// Every Rust module begins with a sentence of documentation, and every unsafe block in library code says why it is sound.
fn modules(findings: &mut Vec<String>) -> TaskResult {
    let listed = output("git", &["ls-files", "*.rs"])?;
    let mut unsafe_crates = BTreeSet::new();
    for path in String::from_utf8_lossy(&listed).lines() {
        let Ok(text) = std::fs::read_to_string(root().join(path)) else { continue };
        if !text.lines().any(|l| l.starts_with("//!")) {
            findings.push(format!("{path}: begins with no `//!` sentence"));
        }
        let lines: Vec<&str> = text.lines().collect();
        for (i, line) in lines.iter().enumerate() {
            let code = line.trim_start();
            // In two parts, so that this line does not find itself.
            let opens = code.contains(concat!("unsafe", " {")) || code.starts_with("unsafe impl");
            if opens && !code.starts_with("//") {
                let inside = ["/src/", "/tests/", "/examples/"];
                let folder = inside.iter().find_map(|f| path.split_once(f)).map_or(path, |(folder, _)| folder);
                unsafe_crates.insert(folder.to_string());
                if !lines[i.saturating_sub(6)..=i].iter().any(|l| l.contains("SAFETY")) {
                    findings.push(format!("{path}:{}: unsafe without a SAFETY line", i + 1));
                }
            }
        }
    }
    const UNSAFE: &[&str] = &[
        "dialects/ir",
        "frontend/archive",
        "runtime/tensor",
        "runtime/parallel",
        "runtime/gemm",
        "runtime/kernels",
        "runtime/exec",
        "runtime/cuda",
        "lowering/cpu",
        "lowering/gpu",
        // Memory of other libraries, by the structures that they agree on.
        "python",
        // What C hands over.
        "tools/c",
    ];
    for c in unsafe_crates.iter().filter(|c| !UNSAFE.contains(&c.as_str()) && !c.contains("build.rs")) {
        findings.push(format!("{c}: unsafe code outside {}", UNSAFE.join(", ")));
    }
    Ok(())
}

fn tree(findings: &mut Vec<String>) -> TaskResult {
    let listed = output("git", &["ls-files"])?;
    let text = String::from_utf8_lossy(&listed).into_owned();
    let bytes: u64 = text.lines().filter_map(|p| std::fs::metadata(root().join(p)).ok()).map(|m| m.len()).sum();
    println!("tidy: the tree holds {:.1} MiB", bytes as f64 / f64::from(1 << 20));
    if bytes > TREE_LIMIT {
        findings.push(format!("the tree holds {bytes} bytes; the bound is {TREE_LIMIT}"));
    }
    Ok(())
}
