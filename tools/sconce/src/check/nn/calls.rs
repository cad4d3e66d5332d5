//! Calls of modules: each is a method of a module that holds the one that was constructed.

use super::subject::{self, HEADER, State, definition, first};
use super::{Selection, case};
use crate::check::{Tally, Verdict};
use crate::engine::Engine;
use crate::load;
use crate::module::Module;
use sconce_conformance::nn::{Row, decode};
use sconce_kernels::mersenne;
use sconce_schema::Type;
use sconce_script::python::{Compiled, Entry, Error, Options, Program};
use serde_json::Value;
use std::collections::BTreeMap;

/// Every construction among the rows, with its calls.
pub fn check(engine: &Engine, rows: &[Row], selection: &Selection<'_>, tally: &mut Tally) {
    let calls = rows.iter().filter(|r| r.text("k") == "call" && r.has("new") && r.has("sig"));
    let mut by_module: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    calls.for_each(|row| by_module.entry(row.text("new")).or_default().push(row));
    for head in rows.iter().filter(|r| r.text("k") == "module" && !r.has("values")) {
        let calls = by_module.get(head.text("new")).map_or(&[][..], Vec::as_slice);
        let wanted: Vec<&Row> = calls.iter().copied().filter(|r| selection.takes(r)).collect();
        if selection.takes(head) || !wanted.is_empty() {
            construction(engine, head, &wanted, tally);
        }
    }
}

fn add(tally: &mut Tally, row: &Row, verdict: Verdict) {
    let kind = if row.is_error() { "nn calls errors" } else { "nn calls" };
    tally.add(kind, || case(row), verdict);
}

fn construction(engine: &Engine, head: &Row, calls: &[&Row], tally: &mut Tally) {
    // Of what PyTorch does not script only the plain Python run is recorded.
    let calls: Vec<&Row> = calls.iter().copied().filter(|c| !c.has("eager") || c.has("refused")).collect();
    match (compile(engine, head, &calls), head.has("refused")) {
        (Ok(_), true) => {
            add(tally, head, Verdict::Failed(format!("accepted; PyTorch refuses it: {}", head.get("refused")[1])));
        }
        (Ok(mut module), false) => {
            add(tally, head, Verdict::Passed);
            judge(&mut module, head, &calls, tally);
        }
        (Err(_), _) => match compile(engine, head, &[]) {
            Err(e) => {
                let why = report(&e);
                add(tally, head, super::refused(head, &why));
                for row in calls {
                    add(tally, row, Verdict::Failed(format!("the module is refused: {}", first(&why))));
                }
            }
            Ok(_) => {
                add(tally, head, Verdict::Passed);
                apart(engine, head, &calls, tally);
            }
        },
    }
}

/// Calls that cannot all be compiled together.
fn apart(engine: &Engine, head: &Row, calls: &[&Row], tally: &mut Tally) {
    match (compile(engine, head, calls), calls) {
        (Ok(mut module), _) => judge(&mut module, head, calls, tally),
        (Err(_), []) => {}
        (Err(e), [row]) => add(tally, row, super::refused(row, &report(&e))),
        (Err(_), _) => {
            let (a, b) = calls.split_at(calls.len() / 2);
            apart(engine, head, a, tally);
            apart(engine, head, b, tally);
        }
    }
}

/// Why a module cannot be had.
enum Refused {
    Source(Error),
    Load(crate::Error),
}

/// An exception of Python's as `class: message`, all else as it is reported.
fn report(e: &Refused) -> String {
    match e {
        Refused::Source(Error::Raised { message, .. }) => message.clone(),
        Refused::Source(e) => e.report(),
        Refused::Load(e) => e.to_string(),
    }
}

/// The holder of a construction, with a method for each call.
fn compile<'e>(engine: &'e Engine, head: &Row, calls: &[&Row]) -> Result<Module<'e>, Refused> {
    let mut source = format!(
        "{HEADER}\nclass Holder(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.m = {}\n",
        head.text("new")
    );
    for (i, row) in calls.iter().enumerate() {
        source += "\n    @torch.jit.export\n";
        source += &definition(&format!("c{i}"), row, Some("self"), &of_holder(row.text("call")));
    }
    let options = Options { module: "calls".to_owned(), ..Options::default() };
    let mut program = Program::new("calls.py", &source, options).map_err(Refused::Source)?;
    mersenne::manual_seed(0);
    let Compiled { entry, .. } = program.compile("Holder()").map_err(Refused::Source)?;
    let object = match entry {
        Entry::Module { object, .. } => Some(object),
        _ => None,
    };
    let unit = std::mem::take(&mut program.compiler.unit);
    load::unit(engine, unit, object, Vec::new()).map_err(Refused::Load)
}

/// A call with `m` as the holder's attribute.
fn of_holder(call: &str) -> String {
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
    let mut out = String::new();
    let mut before = None;
    let mut rest = call.chars().peekable();
    while let Some(c) = rest.next() {
        let alone = !before.is_some_and(|b| word(b) || b == '.') && !rest.peek().is_some_and(|n| word(*n));
        if c == 'm' && alone {
            out.push_str("self.m");
        } else {
            out.push(c);
        }
        before = Some(c);
    }
    out
}

/// Parameters and buffers, with the values that they are recorded to have before each call.
fn state(
    module: &Module<'_>,
    head: &Row,
) -> Result<Vec<(String, sconce_tensor::Tensor, sconce_tensor::Tensor)>, String> {
    let wrong = |e: crate::Error| e.to_string();
    let mut live = module.named_parameters().map_err(wrong)?;
    live.extend(module.named_buffers().map_err(wrong)?);
    let recorded = head.get("state").as_object();
    let mut out = Vec::new();
    for (name, json) in recorded.into_iter().flatten() {
        let full = format!("m.{name}");
        let found = live.iter().position(|(n, _)| *n == full);
        let Some(found) = found else { return Err(format!("there is no parameter or buffer {name}")) };
        let (_, tensor) = live.remove(found);
        let values = decode(&[json], &[Type::tensor()]).map_err(|e| e.to_string())?;
        let Some(Ok(value)) = values.first().map(|v| v.as_tensor().cloned()) else {
            return Err(format!("{name} is not recorded as a tensor"));
        };
        if (value.dtype(), value.sizes()) != (tensor.dtype(), tensor.sizes()) {
            return Err(format!(
                "{name}: expected {} {:?}, got {} {:?}",
                value.dtype(),
                value.sizes(),
                tensor.dtype(),
                tensor.sizes()
            ));
        }
        out.push((full, tensor, value));
    }
    match live.first() {
        Some((name, _)) => Err(format!("a parameter or buffer too many: {name}")),
        None => Ok(out),
    }
}

fn judge(module: &mut Module<'_>, head: &Row, calls: &[&Row], tally: &mut Tally) {
    let state = state(module, head);
    let inputs: &[Value] = head.items("inputs");
    for (i, row) in calls.iter().enumerate() {
        let verdict = match &state {
            Err(why) => Verdict::Failed(why.clone()),
            Ok(_) if row.has("refused") => {
                Verdict::Failed(format!("accepted; PyTorch refuses it: {}", row.get("refused")[1]))
            }
            Ok(state) => match called(module, &format!("c{i}"), row, inputs, state) {
                Ok(()) => Verdict::Passed,
                Err(why) => Verdict::Failed(why),
            },
        };
        add(tally, row, verdict);
    }
}

fn called(
    module: &mut Module<'_>,
    method: &str,
    row: &Row,
    inputs: &[Value],
    state: &[(String, sconce_tensor::Tensor, sconce_tensor::Tensor)],
) -> Result<(), String> {
    for (_, tensor, value) in state {
        tensor.copy_bytes_from(value).map_err(|e| e.to_string())?;
    }
    let mode = if row.text("mode") == "train" { module.train() } else { module.eval() };
    mode.map_err(|e| e.to_string())?;
    let live: State = state.iter().map(|(name, t, _)| (name.clone(), t.clone())).collect();
    let ran = subject::run(module, method, row, inputs, &live, Some(0))?;
    row.compare(&ran, inputs)
}
