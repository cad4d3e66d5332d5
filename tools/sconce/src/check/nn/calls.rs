//! Calls of modules: each is a method of a module that holds the one that was constructed.

use super::subject::{self, HEADER, State, definition, first};
use super::{Selection, case};
use crate::check::{Tally, Verdict};
use crate::engine::Engine;
use crate::load;
use crate::module::Module;
use sconce_conformance::nn::{Row, decode};
use sconce_python::{Compiled, Entry, Error, Options, Program};
use sconce_schema::Type;
use sconce_tensor::mersenne;
use sconce_tensor::{IValue, Object};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Constructions that are compiled together.
const BATCH: usize = 8;

/// A construction with the calls that are judged.
struct Construction<'r> {
    head: &'r Row,
    calls: Vec<&'r Row>,
}

/// Every construction among the rows, with its calls.
pub fn check(engine: &Engine, rows: &[Row], selection: &Selection<'_>, tally: &mut Tally) {
    let calls = rows.iter().filter(|r| r.text("k") == "call" && r.has("new") && r.has("sig"));
    let mut by_module: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    calls.for_each(|row| by_module.entry(row.text("new")).or_default().push(row));
    let mut by_class: BTreeMap<&str, Vec<Construction<'_>>> = BTreeMap::new();
    for head in rows.iter().filter(|r| r.text("k") == "module" && !r.has("values")) {
        let calls = by_module.get(head.text("new")).map_or(&[][..], Vec::as_slice);
        // Of what PyTorch does not script only the plain Python run is recorded.
        let judged = |r: &&&Row| selection.takes(r) && (!r.has("eager") || r.has("refused"));
        let calls: Vec<&Row> = calls.iter().filter(judged).copied().collect();
        if selection.takes(head) || !calls.is_empty() {
            let key = if head.has("refused") { head.text("new") } else { head.text("cls") };
            by_class.entry(key).or_default().push(Construction { head, calls });
        }
    }
    for constructions in by_class.values().flat_map(|all| all.chunks(BATCH)) {
        if tally.watch.is_over() {
            return;
        }
        let constructions: Vec<&Construction<'_>> = constructions.iter().collect();
        judge_all(engine, &constructions, tally);
    }
}

fn add(tally: &mut Tally, row: &Row, inputs: &[Value], verdict: Verdict) {
    let kind = if row.is_error() { "nn calls errors" } else { "nn calls" };
    tally.add(kind, || case(row, inputs), verdict);
}

/// Constructions in one source; one that is refused is judged alone, and so is not in the way of the others.
fn judge_all(engine: &Engine, constructions: &[&Construction<'_>], tally: &mut Tally) {
    match (compile(engine, constructions), constructions) {
        (_, []) => {}
        (Ok((mut module, objects)), _) => {
            for (i, (c, object)) in constructions.iter().zip(objects).enumerate() {
                module.set_root(object);
                made(&mut module, i, c, tally);
            }
        }
        (Err((_, e)), [one]) => refused(engine, one, &e, tally),
        (Err((at, _)), _) => {
            let others: Vec<_> = constructions.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, c)| *c).collect();
            judge_all(engine, &others, tally);
            judge_all(engine, &constructions[at..=at], tally);
        }
    }
}

/// A construction that was compiled with all its calls, as the holder of a number.
fn made(module: &mut Module, holder: usize, c: &Construction<'_>, tally: &mut Tally) {
    if c.head.has("refused") {
        return add(tally, c.head, &[], super::accepted(c.head, "refused"));
    }
    add(tally, c.head, &[], Verdict::Passed);
    judge(module, holder, c.head, &c.calls, tally);
}

/// A construction that cannot be compiled, or some call of it.
fn refused(engine: &Engine, c: &Construction<'_>, e: &Refused, tally: &mut Tally) {
    let alone = Construction { head: c.head, calls: Vec::new() };
    match compile(engine, &[&alone]) {
        _ if c.calls.is_empty() => add(tally, c.head, &[], super::refused(c.head, &report(e))),
        Err((_, e)) => {
            let why = report(&e);
            add(tally, c.head, &[], super::refused(c.head, &why));
            for row in &c.calls {
                add(
                    tally,
                    row,
                    c.head.items("inputs"),
                    Verdict::Failed(format!("the module is refused: {}", first(&why))),
                );
            }
        }
        Ok(_) => {
            add(tally, c.head, &[], Verdict::Passed);
            apart(engine, c.head, &c.calls, tally);
        }
    }
}

/// Calls that cannot all be compiled together.
fn apart(engine: &Engine, head: &Row, calls: &[&Row], tally: &mut Tally) {
    let c = Construction { head, calls: calls.to_vec() };
    match (compile(engine, &[&c]), calls) {
        (Ok((mut module, _)), _) => judge(&mut module, 0, head, calls, tally),
        (Err(_), []) => {}
        (Err((_, e)), [row]) => add(tally, row, head.items("inputs"), super::refused(row, &report(&e))),
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

fn report(e: &Refused) -> String {
    match e {
        Refused::Source(e) => e.exception_text(),
        Refused::Load(e) => e.to_string(),
    }
}

/// The source of a holder, with a method for each call.
fn holder(number: usize, c: &Construction<'_>) -> String {
    let new = c.head.text("new");
    let mut source = format!(
        "\nclass Holder{number}(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.m = {new}\n"
    );
    for (i, row) in c.calls.iter().enumerate() {
        source += "\n    @torch.jit.export\n";
        source += &definition(&format!("c{number}_{i}"), row, Some("self"), &of_holder(row.text("call")));
    }
    source
}

/// Compiles constructions in one source; their holders in order, or the first that is refused and why.
fn compile(
    engine: &Engine,
    constructions: &[&Construction<'_>],
) -> Result<(Module, Vec<Arc<Object>>), (usize, Refused)> {
    let holders = constructions.iter().enumerate().map(|(i, c)| holder(i, c));
    let source: String = std::iter::once(HEADER.to_owned()).chain(holders).collect();
    let options = Options { module: "calls".to_owned(), ..Options::default() };
    let mut program = Program::new("calls.py", &source, options).map_err(|e| (0, Refused::Source(e)))?;
    let mut objects = Vec::new();
    for i in 0..constructions.len() {
        mersenne::manual_seed(0);
        let made = program.compile(&format!("Holder{i}()")).map_err(|e| (i, Refused::Source(e)))?;
        if let Compiled { entry: Entry::Module { object: IValue::Object(object), .. }, .. } = made {
            objects.push(object);
        }
    }
    let unit = std::mem::take(&mut program.compiler.unit);
    let root = objects.first().cloned().map(IValue::Object);
    let module = load::unit(engine, unit, root, Vec::new()).map_err(|e| (0, Refused::Load(e)))?;
    Ok((module, objects))
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
fn state(module: &Module, head: &Row) -> Result<Vec<(String, sconce_tensor::Tensor, sconce_tensor::Tensor)>, String> {
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

fn judge(module: &mut Module, holder: usize, head: &Row, calls: &[&Row], tally: &mut Tally) {
    let state = state(module, head);
    let inputs: &[Value] = head.items("inputs");
    for (i, row) in calls.iter().enumerate() {
        let verdict = match &state {
            Err(why) => Verdict::Failed(why.clone()),
            Ok(_) if row.has("refused") => super::accepted(row, "refused"),
            Ok(state) => match called(module, &format!("c{holder}_{i}"), row, inputs, state) {
                Ok(()) => Verdict::Passed,
                Err(why) => Verdict::Failed(why),
            },
        };
        add(tally, row, inputs, verdict);
    }
}

fn called(
    module: &mut Module,
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
