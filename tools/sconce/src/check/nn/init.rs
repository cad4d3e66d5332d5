//! Initial values: of parameters and buffers after a seed, of `torch.nn.init` called by itself, and how many numbers were drawn.

use super::subject::{Evaluated, HEADER, evaluate, first, raised, warnings};
use super::{Selection, case};
use crate::check::{Tally, Verdict};
use sconce_conformance::nn::{Row, difference};
use sconce_python::Program;
use sconce_tensor::mersenne;
use serde_json::{Value, json};

/// Constructions that are evaluated in one program.
const BATCH: usize = 25;

const VALUES: &str = "
def lazy(t):
    try:
        return torch.nn.parameter.is_lazy(t)
    except AttributeError:
        return False

def values(m):
    named = list(m.named_parameters()) + list(m.named_buffers())
    return [[n, t.detach()] for n, t in named if not lazy(t)]
";

/// Every construction and every call among the rows.
pub fn check(rows: &[Row], selection: &Selection<'_>, tally: &mut Tally) {
    let wanted = |r: &&Row| r.text("k") == "module" && r.has("values") && selection.takes(r);
    let modules: Vec<&Row> = rows.iter().filter(wanted).collect();
    let source = format!("{HEADER}{VALUES}");
    for rows in modules.chunks(BATCH) {
        if tally.watch.is_over() {
            return;
        }
        let shared = evaluate(&source);
        for row in rows {
            add(tally, row, module(&shared, row));
        }
    }
    for row in rows.iter().filter(|r| r.text("k") == "call" && !r.has("sig") && selection.takes(r)) {
        if tally.watch.is_over() {
            return;
        }
        add(tally, row, call(row));
    }
}

fn add(tally: &mut Tally, row: &Row, verdict: Result<(), String>) {
    let kind = if row.is_error() { "nn init errors" } else { "nn init" };
    tally.add(kind, || case(row, &[]), verdict.map_or_else(Verdict::Failed, |()| Verdict::Passed));
}

fn module(program: &Evaluated, row: &Row) -> Result<(), String> {
    let program = program.as_ref().map_err(|why| first(why).to_owned())?;
    mersenne::manual_seed(0);
    let values = program.data(&format!("values({})", row.text("new"))).map_err(|e| e.report())?;
    program.take_warnings();
    let want: Vec<&Value> = row.items("values").iter().collect();
    if let Ok(got) = values.as_list() {
        let got = got.to_vec();
        for (want, got) in want.iter().zip(&got) {
            difference(want, got)?;
        }
        if want.len() != got.len() {
            return Err(format!("{} values expected, got {}", want.len(), got.len()));
        }
    }
    drawn(program, row)
}

/// The number that is drawn next.
fn drawn(program: &Program, row: &Row) -> Result<(), String> {
    let next = program.data("float(torch.rand(()))").map_err(|e| e.report())?;
    difference(row.get("next_rand"), &next).map_err(|e| format!("drawn next: {e}"))
}

/// A call of `torch.nn.init`; the tensor that it names is filled with 9 before.
fn call(row: &Row) -> Result<(), String> {
    let call = row.text("call");
    let argument = call.split_once('(').map_or("", |(_, rest)| rest);
    let name = argument.split([',', ')']).next().unwrap_or_default();
    let tensor = match row.text("tensor") {
        "" => String::new(),
        tensor => format!("{name} = {tensor}\n{name}.fill_(9)\n"),
    };
    let program = evaluate(&format!("{HEADER}{tensor}")).map_err(|why| first(&why).to_owned())?;
    mersenne::manual_seed(0);
    program.take_warnings();
    let result = program.data(&format!("[x.detach() if isinstance(x, torch.Tensor) else x for x in [{call}]][0]"));
    let warnings = warnings(&program);
    let want = if row.has("warn") { row.get("warn").clone() } else { json!([]) };
    match (result, row.has("error")) {
        (Ok(result), false) => {
            difference(row.get("out"), &result)?;
            drawn(&program, row)?;
        }
        (Ok(_), true) => return Err(format!("expected {}", row.get("error"))),
        (Err(e), _) => raised(row.get("error"), &e)?,
    }
    if want == warnings { Ok(()) } else { Err(format!("expected the warnings {want}, got {warnings}")) }
}
