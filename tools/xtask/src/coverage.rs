//! `coverage` writes `docs/operators.md`: what every operator of the table has; the same facts tell `tidy` what it lacks.

use crate::codegen::{self, Op};
use crate::{TaskResult, root};
use sconce_corpus::Corpus;
use sconce_schema::effect::Effect;
use sconce_schema::op::Traits;
use sconce_schema::{Trait, Type};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::path::Path;

const PAGE: &str = "docs/operators.md";

pub fn run(arguments: &[String]) -> TaskResult {
    if !arguments.is_empty() {
        return Err("usage: cargo xtask coverage".into());
    }
    let text = page(&root())?;
    let path = root().join(PAGE);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    std::fs::write(&path, text).map_err(|e| format!("{PAGE}: {e}"))?;
    println!("wrote {PAGE}");
    Ok(())
}

/// How an operator gets into compiled code.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// By linalg.
    Code,
    /// By a call of the runtime's kernel.
    Call,
}

/// What one operator has.
struct Row {
    name: String,
    family: String,
    /// Derived from the functional form's record, another operator's, or its own.
    interpreted: bool,
    /// Its own kernel is a definition in TorchScript.
    composite: bool,
    needs: Option<String>,
    shape: bool,
    /// Its way into a region of compiled code.
    lowered: Option<Way>,
    core: bool,
    cases: usize,
    dtypes: BTreeSet<String>,
    /// Of the functional form, where there is one, or of the operator that changes the container that this one gives: its cases are this one's too.
    functional: Option<String>,
}

/// Where tables stand whose operators are lowered: files and folders.
const LOWERED: [&str; 2] = ["lowering/linalg/src", "lowering/analysis/src/sizes.rs"];

/// The names that the lowering's tables list.
fn lowered_names(root: &Path, ops: &[Op]) -> Result<BTreeSet<String>, String> {
    let constants = codegen::constants(ops)?;
    let mut files = Vec::new();
    for place in LOWERED.map(|place| root.join(place)) {
        if place.is_file() {
            files.push(place);
            continue;
        }
        let folder = std::fs::read_dir(&place).map_err(|e| format!("{}: {e}", place.display()))?;
        files.extend(folder.flatten().map(|entry| entry.path()));
    }
    let mut names = BTreeSet::new();
    for file in files {
        let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        // A row begins with the operator's constant, behind a bracket or alone.
        let rows = text.lines().filter_map(|line| {
            let line = line.trim_start();
            line.strip_prefix('(').unwrap_or(line).strip_prefix("ops::")
        });
        for row in rows {
            let constant = row.split(',').next().and_then(|path| path.split_once("::"));
            let found = constant.and_then(|(namespace, word)| constants.get(namespace)?.get(word));
            names.extend(found.map(|(_, name)| (*name).to_owned()));
        }
    }
    Ok(names)
}

/// How many recorded cases an operator has, and with which dtypes.
type Cases = HashMap<String, (usize, BTreeSet<String>)>;

fn dtypes(json: &serde_json::Value, into: &mut BTreeSet<String>) {
    match json {
        serde_json::Value::Array(items) => items.iter().for_each(|v| dtypes(v, into)),
        serde_json::Value::Object(o) => match (o.get("d").and_then(|d| d.as_str()), o.contains_key("s")) {
            (Some(d), true) => {
                into.insert(d.to_owned());
            }
            _ => o.values().for_each(|v| dtypes(v, into)),
        },
        _ => {}
    }
}

/// The recordings of operators.
fn recordings() -> Result<Corpus, String> {
    sconce_corpus::operator_calls().map_err(|e| e.to_string())
}

/// The operators that PyTorch counts as Core ATen.
fn core_aten() -> Result<BTreeSet<String>, String> {
    let corpus = recordings()?;
    let list = corpus.iter().find(|(path, _)| *path == "core_aten.txt").map(|(_, bytes)| bytes);
    let list = list.ok_or("the recordings have no core_aten.txt")?;
    Ok(String::from_utf8_lossy(list).lines().map(str::to_owned).collect())
}

fn recorded() -> Result<Cases, String> {
    let corpus = recordings()?;
    let mut cases = Cases::new();
    for (path, bytes) in corpus.iter().filter(|(p, _)| p.ends_with(".jsonl")) {
        let text = std::str::from_utf8(bytes).map_err(|e| format!("{path}: {e}"))?;
        for line in text.lines() {
            let json: serde_json::Value = serde_json::from_str(line).map_err(|e| format!("{path}: {e}"))?;
            let entry = cases.entry(json["op"].as_str().unwrap_or_default().to_owned()).or_default();
            entry.0 += 1;
            if path.starts_with("value/") {
                dtypes(&json["a"], &mut entry.1);
            }
        }
    }
    Ok(cases)
}

fn gives_tensors(op: &Op) -> bool {
    fn tensors(t: &Type) -> bool {
        match t {
            Type::Optional(t) | Type::List(t) => tensors(t),
            t => t.is_tensor(),
        }
    }
    op.schema.returns.iter().any(|r| tensors(&r.ty))
}

fn rows(root: &Path) -> Result<Vec<Row>, String> {
    let ops = codegen::read(root)?;
    let lowered = lowered_names(root, &ops)?;
    let (cases, core) = (recorded()?, core_aten()?);
    let by_name: HashMap<&str, &Op> = ops.iter().map(|op| (op.name.as_str(), op)).collect();
    // What holds of the functional form holds of the forms derived from it.
    let holds = |op: &Op, of: &dyn Fn(&Op) -> bool| {
        let functional = op.functional.as_deref().and_then(|f| by_name.get(f));
        of(op) || functional.is_some_and(|f| of(f))
    };
    let each = |op: &Op| op.traits.contains(&Trait::Each);
    let mut rows: Vec<Row> = ops
        .iter()
        .map(|op| {
            let (count, dtypes) = cases.get(&op.name).cloned().unwrap_or_default();
            Row {
                name: op.name.clone(),
                family: op.family.clone(),
                interpreted: holds(op, &|o| !o.kernel.is_empty() || o.means() || each(o)),
                composite: op.kernel == crate::composites::KERNEL,
                needs: op.needs.clone(),
                shape: !gives_tensors(op) || holds(op, &|o| !o.shape.is_empty() || o.means() || each(o)),
                lowered: if holds(op, &|o| o.has_code() || lowered.contains(&o.name)) {
                    Some(Way::Code)
                } else {
                    let calls = |o: &Op| {
                        let traits = Traits::of(&o.traits);
                        Effect::of(&o.schema, traits).computes_tensors(&o.schema, traits)
                    };
                    holds(op, &calls).then_some(Way::Call)
                },
                core: core.contains(&op.name),
                cases: count,
                dtypes,
                functional: op.functional.clone().or_else(|| op.writer.clone()),
            }
        })
        .collect();
    rows.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(rows)
}

/// What `tidy` has to say: an operator without a kernel, a rule or a test, if its record does not say why.
pub fn findings(root: &Path) -> Result<Vec<String>, String> {
    let rows = rows(root)?;
    let cases: BTreeMap<&str, usize> = rows.iter().map(|r| (r.name.as_str(), r.cases)).collect();
    let mut findings = Vec::new();
    for row in &rows {
        let place = format!("dialects/td/ops/{}.td: {}", row.family, row.name);
        if row.needs.is_some() {
            if row.interpreted {
                findings.push(format!("{place} has a kernel, so it needs nothing"));
            }
            continue;
        }
        if !row.interpreted {
            findings.push(format!(
                "{place} has no kernel, no scalar meaning, no functional form that has one; say what it `needs`"
            ));
        }
        if !row.shape {
            findings.push(format!("{place} gives tensors and has no shape rule"));
        }
        let derived = row.functional.as_deref().and_then(|f| cases.get(f)).copied().unwrap_or(0);
        let named = |name: &str| tested_elsewhere(root, name);
        if row.cases + derived == 0 && !named(&row.name) && !row.functional.as_deref().is_some_and(named) {
            findings.push(format!("{place} is in no recording and in no test"));
        }
    }
    let have = std::fs::read_to_string(root.join(PAGE)).unwrap_or_default();
    if have != text(&rows) {
        findings.push(format!("{PAGE} is stale, run `cargo xtask coverage`"));
    }
    Ok(findings)
}

/// Whether a test of the kernels names the operator.
fn tested_elsewhere(root: &Path, name: &str) -> bool {
    let folder = root.join("runtime/kernels/tests");
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let quoted = format!("\"{name}\"");
    files.filter_map(|f| std::fs::read_to_string(f.path()).ok()).any(|text| text.contains(&quoted))
}

fn page(root: &Path) -> Result<String, String> {
    Ok(text(&rows(root)?))
}

fn text(rows: &[Row]) -> String {
    let count = |of: &dyn Fn(&Row) -> bool| rows.iter().filter(|r| of(r)).count();
    let mut out = String::from(
        "# Operators\n\nMade by `cargo xtask coverage` from the records in `dialects/td/ops`, the lowering's tables and the recordings in \
         `testdata`; do not edit.\n\n",
    );
    let _ = writeln!(
        out,
        "{} operators are read and printed; {} run in the interpreter, {} of them by a definition in `frontend/prelude/composites`, {} have a shape \
         rule (or give no tensor), {} are lowered to linalg, \
         from which code is made, {} are called by compiled code through the runtime's kernels, {} have recorded cases.\n",
        rows.len(),
        count(&|r| r.interpreted),
        count(&|r| r.composite),
        count(&|r| r.shape),
        count(&|r| r.lowered == Some(Way::Code)),
        count(&|r| r.lowered == Some(Way::Call)),
        count(&|r| r.cases > 0)
    );
    let without: Vec<String> =
        rows.iter().filter(|r| r.core && r.lowered.is_none()).map(|r| format!("`{}`", r.name)).collect();
    let _ = writeln!(
        out,
        "Of the {} of Core ATen {} are lowered to linalg and {} are called; not in compiled code are {}: they draw random numbers, give numbers or views of \
         storage, change sizes in place, or have results whose sizes their elements decide.\n",
        count(&|r| r.core),
        count(&|r| r.core && r.lowered == Some(Way::Code)),
        count(&|r| r.core && r.lowered == Some(Way::Call)),
        without.join(", ")
    );
    out.push_str("| operator | family | interpreted | shape rule | compiled | cases | dtypes in them |\n|---|---|---|---|---|---|---|\n");
    let mark = |yes: bool| if yes { "yes" } else { "" };
    for r in rows {
        let dtypes: Vec<&str> = r.dtypes.iter().map(String::as_str).collect();
        let interpreted = match (&r.needs, r.interpreted) {
            (Some(needs), false) => format!("needs {needs}"),
            _ if r.composite => "composite".to_owned(),
            (_, yes) => mark(yes).to_owned(),
        };
        let _ = writeln!(
            out,
            "| `{}` | {} | {interpreted} | {} | {} | {} | {} |",
            r.name,
            r.family,
            mark(r.shape),
            match r.lowered {
                Some(Way::Code) => "code",
                Some(Way::Call) => "call",
                None => "",
            },
            r.cases,
            dtypes.join(" ")
        );
    }
    out
}
