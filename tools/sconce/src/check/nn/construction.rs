//! Constructions of modules: what Python sees of the object, what TorchScript makes of it, and how either refuses.

use super::subject::{Evaluated, HEADER, evaluate, first, raised, warnings};
use super::{Selection, case};
use crate::check::{Tally, Verdict};
use sconce_conformance::nn::{Row, difference, neutral};
use sconce_export::printer::constant_text;
use sconce_graph::unit::{AttributeKind, Class, Unit};
use sconce_python::{Compiled, Entry, Program};
use sconce_schema::Type;
use sconce_tensor::{Dict, IValue};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Constructions that are evaluated in one program.
const BATCH: usize = 25;

/// Describes a module as plain data, under the names of the recording.
const DESCRIBE: &str = r#"
def plain(v):
    if v is None or isinstance(v, (bool, int, float, str)):
        return v
    if isinstance(v, (list, tuple)):
        items = [plain(x) for x in v]
        return items if isinstance(v, list) else tuple(items)
    return repr(v)

def lazy(t):
    try:
        return torch.nn.parameter.is_lazy(t)
    except AttributeError:
        return False

def row(name, t):
    if t is None:
        return [name, None]
    return [name, "uninitialized" if lazy(t) else [int(n) for n in t.shape], str(t.dtype)[6:], t.requires_grad]

def keys(m):
    try:
        return list(m.state_dict().keys())
    except Exception:
        return None

def describe(m):
    public = [(k, v) for k, v in m.__dict__.items() if not k.startswith("_") and k != "training"]
    return {
        "repr": repr(m),
        "parameters": [row(n, p) for n, p in m._parameters.items()],
        "buffers": [row(n, b) + [n not in m._non_persistent_buffers_set] for n, b in m._buffers.items()],
        "submodules": [[n, None if s is None else type(s).__name__] for n, s in m._modules.items()],
        "state_dict": keys(m),
        "fields": [[k, plain(v)] for k, v in public if not isinstance(v, torch.Tensor)],
    }
"#;

/// Every construction among the rows.
pub fn check(rows: &[Row], selection: &Selection<'_>, tally: &mut Tally) {
    let mut by_class: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    let wanted = rows.iter().filter(|r| r.text("k") == "construction" && selection.takes(r));
    wanted.for_each(|row| by_class.entry(row.text("cls")).or_default().push(row));
    for rows in by_class.values().flat_map(|rows| rows.chunks(BATCH)) {
        if tally.watch.is_over() {
            return;
        }
        let mut shared = evaluate(&source());
        for row in rows {
            // What went before in a program is not in the way of a construction judged alone.
            let verdict = judge(&mut shared, row).or_else(|_| judge(&mut evaluate(&source()), row));
            let refused = row.has("refused") || row.has("script_refused");
            let kind = if refused { "nn modules errors" } else { "nn modules" };
            tally.add(kind, || case(row, &[]), verdict.unwrap_or_else(Verdict::Failed));
        }
    }
}

fn source() -> String {
    format!("{HEADER}{DESCRIBE}")
}

fn judge(program: &mut Evaluated, row: &Row) -> Result<Verdict, String> {
    let program = program.as_mut().map_err(|why| first(why).to_owned())?;
    let new = row.text("new");
    sconce_tensor::mersenne::manual_seed(0);
    program.take_warnings();
    let described = program.data(&format!("describe({new})"));
    let warnings = warnings(program);
    let described = match (described, row.has("refused")) {
        (Ok(_), true) => return Err(format!("accepted; PyTorch refuses it: {}", row.get("refused"))),
        (Ok(described), false) => described,
        (Err(e), _) => return raised(row.get("refused"), &e).map(|()| Verdict::Passed),
    };
    let want = if row.has("warn") { row.get("warn").clone() } else { json!([]) };
    if want != warnings {
        return Err(format!("expected the warnings {want}, got {warnings}"));
    }
    let pairs = |fields: &Map<String, Value>| fields.iter().map(|(k, v)| json!([k, plain(v)])).collect::<Value>();
    let keys = ["repr", "parameters", "buffers", "submodules", "state_dict"];
    let mut want: Vec<Value> = keys.iter().map(|k| json!([k, row.get(k)])).collect();
    want.push(json!(["fields", row.get("fields").as_object().map(pairs)]));
    difference(&json!({ "dict": want }), &without_addresses(&described))?;
    scripted(program, row)
}

/// Data with texts that name no addresses.
fn without_addresses(data: &IValue) -> IValue {
    match data {
        IValue::Str(s) => IValue::str(neutral(s)),
        IValue::List(l) => IValue::list(Type::Any, l.to_vec().iter().map(without_addresses)),
        IValue::Dict(d) => {
            let out = Dict::new(Type::Any, Type::Any);
            d.read().iter().for_each(|(k, v)| drop(out.write().insert(k.clone(), without_addresses(v))));
            IValue::Dict(out)
        }
        other => other.clone(),
    }
}

/// A field's value; what has no encoding is recorded as Python prints it.
fn plain(v: &Value) -> Value {
    v.get("py").unwrap_or(v).clone()
}

/// What TorchScript makes of the module.
fn scripted(program: &mut Program, row: &Row) -> Result<Verdict, String> {
    let compiled = program.compile(row.text("new"));
    let class = match (compiled, row.has("script_refused")) {
        (Ok(_), true) => return Ok(super::accepted(row, "script_refused")),
        (Err(e), true) => return row.compare_refusal("script_refused", &e.exception_text()).map(|()| Verdict::Passed),
        (Err(e), false) => return Err(format!("scripting is refused: {}", e.exception_text().trim())),
        (Ok(Compiled { entry: Entry::Module { class, .. }, .. }), false) => class,
        (Ok(_), false) => return Err("no module".to_owned()),
    };
    let unit = &program.compiler.unit;
    let class = unit.classes.get(&class).ok_or("its class is not in the unit")?;
    same("type", row.get("type"), &json!(neutral(&class.name)))?;
    let declared = declared(unit, class);
    for (key, got) in &declared {
        same(key, &row.get("saved")[key], got)?;
    }
    methods(unit, class, row.get("script_methods"))?;
    Ok(Verdict::Passed)
}

fn same(what: &str, want: &Value, got: &Value) -> Result<(), String> {
    if want == got { Ok(()) } else { Err(format!("{what}: expected {want}, got {got}")) }
}

fn type_text(ty: &Type) -> String {
    neutral(&ty.annotation_str())
}

/// What a saved archive declares of a class.
fn declared(unit: &Unit, class: &Class) -> [(&'static str, Value); 4] {
    let of_kind =
        |kind| -> Value { class.attributes.iter().filter(|a| a.kind == kind).map(|a| json!(&*a.name)).collect() };
    let attributes = class.attributes.iter().map(|a| json!([&*a.name, type_text(&a.ty)])).collect();
    let text = |v| constant_text(unit, v).unwrap_or_else(|| "CONSTANTS".to_owned());
    let mut constants: Vec<[String; 3]> =
        class.constants.iter().map(|(name, ty, v)| [name.to_string(), type_text(ty), text(v)]).collect();
    constants.sort();
    [
        ("parameters", of_kind(AttributeKind::Parameter)),
        ("buffers", of_kind(AttributeKind::Buffer)),
        ("attributes", attributes),
        ("constants", json!(constants)),
    ]
}

/// The compiled methods: names, and of each its parameters, defaults and result.
fn methods(unit: &Unit, class: &Class, want: &Value) -> Result<(), String> {
    let Some(want) = want.as_object() else { return Ok(()) };
    let mut names: Vec<&str> = class.methods.iter().map(|m| &**m).collect();
    let mut recorded: Vec<&str> = want.keys().map(String::as_str).collect();
    names.sort_unstable();
    recorded.sort_unstable();
    same("script_methods", &json!(recorded), &json!(names))?;
    for (name, rows) in want {
        let function = unit.method(&class.name, name).ok_or_else(|| format!("{name} is not compiled"))?;
        let rows = rows.as_array().map_or(&[][..], Vec::as_slice);
        let params = function.params.iter().skip(1);
        let mut got: Vec<Value> = params.map(|p| json!([&*p.name, type_text(&p.ty)])).collect();
        got.push(json!(["->", type_text(&function.returns)]));
        let types = rows.iter().map(|r| r.as_array().map_or(Value::Null, |r| r.iter().take(2).cloned().collect()));
        same(name, &types.collect(), &Value::Array(got))?;
        for (row, param) in rows.iter().zip(function.params.iter().skip(1)) {
            match (row.get(2), &param.default) {
                (None, None) => {}
                (Some(want), Some(got)) => difference(want, got).map_err(|e| format!("{name}, {}: {e}", param.name))?,
                (want, got) => {
                    return Err(format!("{name}, default of {}: expected {want:?}, got {got:?}", param.name));
                }
            }
        }
    }
    Ok(())
}
