//! Classes: the signatures of constructor, `forward` and the other public methods, constants and bases.

use super::subject::{Evaluated, HEADER, evaluate, first};
use super::{Selection, case};
use crate::check::{Tally, Verdict};
use sconce_conformance::nn::{Row, difference, neutral};
use sconce_python::Program;
use serde_json::{Value, json};

/// Names the classes of an order of bases.
const BASES: &str = "
def bases(c):
    return [b.__module__ + '.' + b.__name__ for b in c.__mro__]
";

/// Every class among the rows.
pub fn check(rows: &[Row], selection: &Selection<'_>, tally: &mut Tally) {
    let wanted: Vec<&Row> = rows.iter().filter(|r| r.text("k") == "class" && selection.takes(r)).collect();
    if wanted.is_empty() {
        return;
    }
    let program = evaluate(&format!("{HEADER}{BASES}"));
    for row in wanted {
        let verdict = judge(&program, row).map_or_else(Verdict::Failed, |()| Verdict::Passed);
        tally.add("nn classes", || case(row, &[]), verdict);
    }
}

fn judge(program: &Evaluated, row: &Row) -> Result<(), String> {
    let program = program.as_ref().map_err(|why| first(why).to_owned())?;
    let class = row.text("cls");
    let data = |text: String| program.data(&text).map_err(|e| format!("{text}: {}", first(&e.report())));
    difference(row.get("module"), &data(format!("{class}.__module__"))?)?;
    // Their order shows nowhere.
    let mut constants: Vec<&str> = row.items("constants").iter().filter_map(Value::as_str).collect();
    constants.sort_unstable();
    difference(&json!(constants), &data(format!("sorted(getattr({class}, '__constants__', []))"))?)?;
    let have = format!("{:?}", data(format!("bases({class})"))?);
    for base in row.items("bases").iter().filter_map(Value::as_str) {
        if !have.contains(&format!("{base:?}")) {
            return Err(format!("expected the base {base}, got {have}"));
        }
    }
    signature(program, &format!("{class}.__init__"), row.get("signature"))?;
    signature(program, &format!("{class}.forward"), row.get("forward"))?;
    for name in row.items("methods").iter().filter_map(Value::as_str) {
        data(format!("{class}.{name} and None"))?;
    }
    for (name, want) in row.get("method_signatures").as_object().into_iter().flatten() {
        signature(program, &format!("{class}.{name}"), want)?;
    }
    Ok(())
}

/// Names, kinds and defaults; an annotation may be written in several ways.
fn signature(program: &Program, function: &str, want: &Value) -> Result<(), String> {
    let Some(want) = want.as_array() else { return Ok(()) };
    let want: Value = want.iter().map(|p| json!([p[0], p[1], p[3]])).collect();
    let got = program.signature(function).map_err(|e| format!("{function}: {}", first(&e.report())))?;
    let default = |d: Option<String>| d.map(|d| neutral(&d));
    let got: Value = got.into_iter().skip(1).map(|p| json!([p.name, p.kind, default(p.default)])).collect();
    if want == got { Ok(()) } else { Err(format!("signature of {function}: expected {want}, got {got}")) }
}
