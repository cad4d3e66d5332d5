//! What `check_trace` says: two traces of one program are the same, and a trace computes what its function computes, within a tolerance.

use sconce_tensor::{IValue, Tensor};

/// Where two graphs differ, as an error's text.
pub(super) fn difference(first: &[String], again: &[String]) -> Option<String> {
    let node = |line: &str| !line.trim_start().starts_with("graph(");
    if first == again {
        return None;
    }
    let at = first.iter().zip(again).position(|(a, b)| a != b && node(a)).unwrap_or(first.len().min(again.len()));
    let line = |lines: &[String]| lines.get(at).map_or("", |l| l.trim()).to_owned();
    Some(format!(
        "Tracing failed sanity checks!\nERROR: Graphs differed across invocations!\n\tFirst diverging operator:\n\tNode diff:\n\t\t- {}\n\t\t+ {}\n",
        line(first),
        line(again)
    ))
}

/// What is said of nodes that draw random numbers, where results differ.
pub(super) fn random(nodes: &[String]) -> Option<String> {
    let listed = nodes.iter().map(|n| format!("\t{n}")).collect::<Vec<_>>().join("\n");
    (!nodes.is_empty()).then(|| {
        format!(
            "Trace had nondeterministic nodes. Did you forget to call .eval() on your model? Nodes:\n{listed}\nThis may cause errors in trace checking. To disable trace checking, pass check_trace=False to torch.jit.trace()"
        )
    })
}

/// Warnings about results that differ, in order.
pub(super) fn values(traced: &IValue, other: &IValue, what: &str, tolerance: f64) -> Vec<String> {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    tensors(traced, &mut ours);
    tensors(other, &mut theirs);
    let mut out = Vec::new();
    for (n, (a, b)) in ours.iter().zip(&theirs).enumerate() {
        if let Some(why) = mismatch(a, b, tolerance) {
            out.push(format!(
                "Output nr {}. of the traced function does not match the corresponding output of the {what}. Detailed error:\n{why}",
                n + 1
            ));
        }
    }
    out
}

fn tensors(v: &IValue, out: &mut Vec<Tensor>) {
    match v {
        IValue::Tensor(t) => out.push(t.clone()),
        IValue::Tuple(t) => t.items.iter().for_each(|v| tensors(v, out)),
        IValue::List(l) => l.read().iter().for_each(|v| tensors(v, out)),
        IValue::Dict(d) => d.read().values().for_each(|v| tensors(v, out)),
        _ => {}
    }
}

/// Why two tensors are not close; the absolute tolerance is that of single precision.
fn mismatch(a: &Tensor, b: &Tensor, rtol: f64) -> Option<String> {
    if a.sizes() != b.sizes() {
        let sizes = |t: &Tensor| t.sizes().iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
        return Some(format!(
            "The values for attribute 'shape' do not match: torch.Size([{}]) != torch.Size([{}]).",
            sizes(a),
            sizes(b)
        ));
    }
    const ATOL: f64 = 1e-5;
    let (x, y) = (a.to_f64(), b.to_f64());
    let far = |(x, y): (&f64, &f64)| !(x == y || (x.is_nan() && y.is_nan()) || (x - y).abs() <= ATOL + rtol * y.abs());
    let count = x.iter().zip(&y).filter(|p| far((p.0, p.1))).count();
    if count == 0 {
        return None;
    }
    let greatest = |of: &dyn Fn(f64, f64) -> f64| {
        let mut best = (0, f64::NEG_INFINITY);
        for (at, (x, y)) in x.iter().zip(&y).enumerate() {
            let d = if x == y { 0.0 } else { of(*x, *y) };
            if d > best.1 {
                best = (at, d);
            }
        }
        best
    };
    let absolute = greatest(&|x, y| (x - y).abs());
    let relative = greatest(&|x, y| (x - y).abs() / y.abs());
    let share = 100.0 * count as f64 / x.len().max(1) as f64;
    Some(format!(
        "Tensor-likes are not close!\n\nMismatched elements: {count} / {} ({share:.1}%)\nGreatest absolute difference: {} at index {} (up to {} allowed)\nGreatest relative difference: {} at index {} (up to {} allowed)",
        x.len(),
        number(absolute.1),
        index(absolute.0, a.sizes()),
        number(ATOL),
        number(relative.1),
        index(relative.0, a.sizes()),
        number(rtol),
    ))
}

/// A number as Python writes it.
fn number(v: f64) -> String {
    if v != 0.0 && v.abs() < 1e-4 {
        let text = format!("{v:e}");
        return match text.split_once("e-") {
            Some((digits, exponent)) => format!("{digits}e-{exponent:0>2}"),
            None => text,
        };
    }
    format!("{v:?}")
}

/// A place of a tensor as Python writes it.
fn index(flat: usize, sizes: &[i64]) -> String {
    let mut rest = flat as i64;
    let mut parts: Vec<String> = sizes
        .iter()
        .rev()
        .map(|n| {
            let at = rest % n.max(&1);
            rest /= n.max(&1);
            at.to_string()
        })
        .collect();
    parts.reverse();
    if parts.len() == 1 { format!("({},)", parts[0]) } else { format!("({})", parts.join(", ")) }
}
