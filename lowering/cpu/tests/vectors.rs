//! Compiled operators against the interpreter's kernels, on recorded calls: with known sizes and with unknown ones.

use sconce_conformance::tolerance::{Tolerance, compare_elements};
use sconce_conformance::vectors::Case;
use sconce_cpu::{CodeOptions, compile};
use sconce_interpreter::CompiledRegion;
use sconce_ir::codegen::Target;
use sconce_ir::prelude::*;
use sconce_schema::Type as TorchType;
use sconce_schema::op::Numerics;
use sconce_tensor::IValue;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A function that calls one operator.
struct Program {
    text: String,
    inputs: Vec<IValue>,
}

struct Writer<'c> {
    context: &'c Context,
    parameters: Vec<String>,
    body: String,
    inputs: Vec<IValue>,
    dynamic: bool,
    next: usize,
}

fn tensor_type(context: &Context, t: &sconce_tensor::Tensor, dynamic: bool) -> Option<String> {
    let dtype = Some(t.dtype()).filter(|d| !d.is_quantized())?;
    let sizes = t.sizes().iter().map(|s| (!dynamic || *s == 1).then_some(*s)).collect();
    let tensor = sconce_analysis::types::Tensor { value: true, sizes: Some(sizes), dtype: Some(dtype) };
    tensor.to_type(context).map(|ty| ty.to_string())
}

impl Writer<'_> {
    /// Name and type of a value.
    fn value(&mut self, v: &IValue) -> Option<(String, String)> {
        self.next += 1;
        let name = format!("%v{}", self.next);
        let (op, ty) = match v {
            IValue::None => ("torch.constant.none".to_string(), "!torch.none".to_string()),
            IValue::Bool(b) => (format!("torch.constant.bool {b}"), "!torch.bool".into()),
            IValue::Int(n) => (format!("torch.constant.int {n}"), "!torch.int".into()),
            IValue::Double(x) => (format!("torch.constant.float 0x{:016X}", x.to_bits()), "!torch.float".into()),
            IValue::Str(s) => (format!("torch.constant.str {:?}", s.as_str()), "!torch.str".into()),
            IValue::Tensor(t) => {
                let ty = tensor_type(self.context, t, self.dynamic)?;
                self.parameters.push(format!("{name}: {ty}"));
                self.inputs.push(v.clone());
                return Some((name, ty));
            }
            IValue::List(l) => {
                let items: Vec<_> = l.to_vec().iter().map(|i| self.value(i)).collect::<Option<_>>()?;
                let element = match &l.element {
                    TorchType::Int => "int",
                    TorchType::Float => "float",
                    TorchType::Bool => "bool",
                    TorchType::Tensor(_) => "vtensor",
                    _ => return None,
                };
                let names: Vec<_> = items.iter().map(|i| i.0.clone()).collect();
                let types: Vec<_> = items.iter().map(|i| i.1.clone()).collect();
                let ty = format!("!torch.list<{element}>");
                (format!("torch.prim.ListConstruct {} : ({}) -> {ty}", names.join(", "), types.join(", ")), ty)
            }
            _ => return None,
        };
        writeln!(self.body, "  {name} = {op}").ok()?;
        Some((name, ty))
    }
}

/// The call as a torch function, or `None` when an argument cannot be said.
fn program(context: &Context, op: &str, arguments: &[IValue], results: &[IValue], dynamic: bool) -> Option<Program> {
    let mut w = Writer { context, parameters: Vec::new(), body: String::new(), inputs: Vec::new(), dynamic, next: 0 };
    let values: Vec<_> = arguments.iter().map(|a| w.value(a)).collect::<Option<_>>()?;
    let types = |r: &[IValue]| {
        r.iter()
            .map(|v| if let IValue::Tensor(t) = v { tensor_type(context, t, dynamic) } else { None })
            .collect::<Option<Vec<_>>>()
    };
    let names = |i: usize| {
        values.iter().map(move |v| if i == 0 { v.0.clone() } else { v.1.clone() }).collect::<Vec<_>>().join(", ")
    };
    let call = format!("torch.operator \"{}\"({}) : ({})", op.replace("::", "."), names(0), names(1));
    let (returned, count) = match results {
        [IValue::List(l)] => {
            let items = l.to_vec();
            let t = types(&items)?;
            let r: Vec<_> = (0..t.len()).map(|i| format!("%u#{i}")).collect();
            writeln!(w.body, "  %l = {call} -> !torch.list<vtensor>").ok()?;
            writeln!(w.body, "  %u:{} = torch.prim.ListUnpack %l : !torch.list<vtensor> -> {}", t.len(), t.join(", "))
                .ok()?;
            (r, t)
        }
        _ => {
            let t = types(results)?;
            let r: Vec<_> = (0..t.len()).map(|i| format!("%u#{i}")).collect();
            let list = if t.len() == 1 { t[0].clone() } else { format!("({})", t.join(", ")) };
            writeln!(w.body, "  %u:{} = {call} -> {list}", t.len()).ok()?;
            (r, t)
        }
    };
    if returned.is_empty() {
        return None;
    }
    let text = format!(
        "func.func @f({}) -> ({}) {{\n{}  return {} : {}\n}}\n",
        w.parameters.join(", "),
        count.join(", "),
        w.body,
        returned.join(", "),
        count.join(", ")
    );
    Some(Program { text, inputs: w.inputs })
}

#[derive(Default)]
struct Tally {
    same: usize,
    guarded: usize,
    refused: BTreeMap<String, usize>,
    failures: Vec<String>,
}

/// Compiles and runs a call; the failure, if any.
fn check(context: &Context, line: &str, dynamic: bool, options: &CodeOptions, tally: &mut Tally) {
    let Ok(case) = Case::parse(line) else { return };
    let Some(entry) = sconce_schema::lookup(case.op()) else { return };
    let Ok((arguments, _)) = case.arguments(entry.schema()) else { return };
    let Ok(expected) = sconce_kernels::call(entry, &mut arguments.clone()) else { return };
    let Some(program) = program(context, case.op(), &arguments, &expected, dynamic) else { return };
    let mut fail = |why: String| {
        tally.failures.push(format!(
            "{} (unknown sizes: {dynamic}): {why}\n  {}",
            case.op(),
            line.chars().take(300).collect::<String>()
        ))
    };
    if std::env::var("TRACE").is_ok() {
        eprintln!("{}", program.text);
    }
    let module = match parse_module(context, program.text.as_bytes(), "case") {
        Ok(m) => m,
        Err(e) => return fail(format!("{e}\n{}", program.text)),
    };
    let function = module.body().ops()[0];
    let spec = match sconce_linalg::convert_function(context, function) {
        Ok(spec) => spec,
        Err(sconce_linalg::Error::Unsupported(_)) => {
            *tally.refused.entry(case.op().into()).or_default() += 1;
            return;
        }
        Err(e) => return fail(e.to_string()),
    };
    function.erase().expect("a function has no results");
    let compiled = match compile(&module, options) {
        Ok(c) => c,
        Err(e) => return fail(e.to_string()),
    };
    // SAFETY: compiled for this spec just now.
    let region = unsafe { sconce_exec::load(spec, &compiled.object) }.expect("an object that was just made links");
    match region.run(&program.inputs) {
        Ok(Some(got)) => {
            let items = |r: &[IValue]| match r {
                [IValue::List(l)] => l.to_vec(),
                r => r.to_vec(),
            };
            let expected = items(&expected);
            for (want, got) in expected.iter().zip(&got) {
                let (IValue::Tensor(want), IValue::Tensor(got)) = (want, got) else { continue };
                if want.sizes() != got.sizes() || want.dtype() != got.dtype() {
                    return fail(format!("{got:?} instead of {want:?}"));
                }
                let tolerance = if entry.numerics == Numerics::Exact && entry.scalar.is_some() {
                    Tolerance::Exact
                } else {
                    Tolerance::Close
                };
                if let Err(e) = compare_elements(want, got, tolerance) {
                    return fail(e);
                }
            }
            tally.same += 1;
        }
        Ok(None) => tally.guarded += 1,
        Err(e) => fail(e.to_string()),
    }
}

/// A recording of our choice (`SCONCE_VECTORS`), every n-th line of it (`EVERY`), or the ones beside this file.
fn check_all(options: &CodeOptions) {
    let lines = match std::env::var("SCONCE_VECTORS") {
        Ok(path) => std::fs::read_to_string(&path).expect("SCONCE_VECTORS names a readable file"),
        Err(_) => include_str!("cases.jsonl").to_string(),
    };
    let every: usize = std::env::var("EVERY").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    let context = context::new(false);
    let mut tally = Tally::default();
    for line in lines.lines().step_by(every) {
        check(&context, line, false, options, &mut tally);
        check(&context, line, true, options, &mut tally);
    }
    println!("{} equal, {} left to the interpreter by a guard", tally.same, tally.guarded);
    println!("not lowered: {:?}", tally.refused);
    assert!(tally.failures.is_empty(), "{} differ:\n{}", tally.failures.len(), tally.failures.join("\n"));
    assert!(tally.same > 0, "nothing was compiled");
}

#[test]
fn recorded_calls_compiled() {
    check_all(&CodeOptions::default());
}

/// A call that touches anything but its buffers panics.
#[test]
fn recorded_calls_touch_their_buffers_alone() {
    let target = Target { checked: true, ..Target::default() };
    check_all(&CodeOptions { target, ..CodeOptions::default() });
}
