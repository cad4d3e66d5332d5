//! Compiled operators against the interpreter's kernels, on recorded calls: with known sizes and with unknown ones.

mod random;

use sconce_conformance::tolerance::{Tolerance, compare_elements};
use sconce_conformance::vectors::Case;
use sconce_cpu::{CodeOptions, compile};
use sconce_interpreter::{CompiledRegion, Fuel};
use sconce_ir::builder::OpBuilder;
use sconce_ir::codegen::Target;
use sconce_ir::prelude::*;
use sconce_ir::torch_type::Parts;
use sconce_schema::Type as TorchType;
use sconce_schema::op::Numerics;
use sconce_tensor::IValue;
use std::collections::BTreeMap;

/// A module with a function that calls one operator.
struct Program<'c> {
    module: Module<'c>,
    inputs: Vec<IValue>,
}

/// The type of a value tensor with these sizes, or with unknown ones where they are not 1.
fn tensor_type<'c>(context: &'c Context, t: &sconce_tensor::Tensor, dynamic: bool) -> Option<Type<'c>> {
    let dtype = Some(t.dtype()).filter(|d| !d.is_quantized())?;
    let sizes = t.sizes().iter().map(|s| (!dynamic || *s == 1).then_some(*s)).collect();
    let tensor = sconce_analysis::types::Tensor { value: true, sizes: Some(sizes), dtype: Some(dtype) };
    tensor.to_type(context)
}

/// The dialect's list of elements that a word names.
fn list_type<'c>(context: &'c Context, element: &str) -> Option<Type<'c>> {
    let types = vec![Parts::word(element).to_type(context)?];
    Parts { types, ..Parts::word("list") }.to_type(context)
}

/// The tensors of arguments, in order.
fn tensors(values: &[IValue]) -> Vec<sconce_tensor::Tensor> {
    let of = |v: &IValue| match v {
        IValue::Tensor(t) => vec![t.clone()],
        IValue::List(l) => tensors(&l.to_vec()),
        _ => Vec::new(),
    };
    values.iter().flat_map(of).collect()
}

/// Makes values in a function, of whose arguments the next tensors are.
struct Maker<'c, 'a> {
    at: Builder<'c, 'a>,
    arguments: std::vec::IntoIter<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Maker<'c, 'a> {
    fn value(&mut self, v: &IValue) -> Option<Value<'c, 'a>> {
        let context = self.at.context();
        let (word, constant) = match v {
            IValue::None => ("none", None),
            IValue::Bool(b) => ("bool", Some(attr::bool(context, *b))),
            IValue::Int(n) => ("int", Some(attr::i64(context, *n))),
            IValue::Double(x) => ("float", Some(attr::f64(context, *x))),
            IValue::Str(s) => ("str", Some(attr::string(context, s))),
            IValue::Tensor(_) => return self.arguments.next(),
            IValue::List(l) => {
                let element = match &l.element {
                    TorchType::Int => "int",
                    TorchType::Float => "float",
                    TorchType::Bool => "bool",
                    TorchType::Tensor(_) => "vtensor",
                    _ => return None,
                };
                let items: Vec<_> = l.to_vec().iter().map(|i| self.value(i)).collect::<Option<_>>()?;
                let ty = list_type(context, element)?;
                return self.op("torch.prim.ListConstruct").operands(&items).results(&[ty]).build_value().ok();
            }
            _ => return None,
        };
        let ty = Parts::word(word).to_type(context)?;
        let name = format!("torch.constant.{word}");
        let made = self.op(&name).results(&[ty]);
        constant.into_iter().fold(made, |made, value| made.attr("value", value)).build_value().ok()
    }

    fn op(&self, name: &str) -> OpBuilder<'c, 'a, '_> {
        self.at.op(name, Location::unknown(self.at.context()))
    }
}

/// The call as a torch function, or `None` when an argument cannot be said.
fn program<'c>(
    context: &'c Context,
    op: &str,
    arguments: &[IValue],
    results: &[IValue],
    dynamic: bool,
) -> Option<Program<'c>> {
    let unknown = Location::unknown(context);
    let types = |values: &[IValue]| {
        let ty = |v: &IValue| if let IValue::Tensor(t) = v { tensor_type(context, t, dynamic) } else { None };
        values.iter().map(ty).collect::<Option<Vec<_>>>()
    };
    // What gives a list is unpacked at once.
    let (given, unpacked) = match results {
        [IValue::List(l)] => (types(&l.to_vec())?, true),
        _ => (types(results)?, false),
    };
    if given.is_empty() {
        return None;
    }
    let inputs = tensors(arguments);
    let taken =
        inputs.iter().map(|t| Some((tensor_type(context, t, dynamic)?, unknown))).collect::<Option<Vec<_>>>()?;
    let module = Module::new(unknown);
    let function = sconce_ir::builder::function("f", &taken, &given, unknown).ok()?;
    let function = Builder::at_end(context, module.body()).insert(function);
    let block = sconce_ir::builder::entry(function).ok()?;
    let mut maker = Maker { at: Builder::at_end(context, block), arguments: block.args().into_iter() };
    let values: Vec<_> = arguments.iter().map(|v| maker.value(v)).collect::<Option<_>>()?;
    let call = maker.op("torch.operator").attr("name", attr::string(context, &op.replace("::", "."))).operands(&values);
    let made = match unpacked {
        false => call.results(&given).build().ok()?,
        true => {
            let list = call.results(&[list_type(context, "vtensor")?]).build_value().ok()?;
            maker.op("torch.prim.ListUnpack").operands(&[list]).results(&given).build().ok()?
        }
    };
    maker.op("func.return").operands(&made.result_values()).build().ok()?;
    Some(Program { module, inputs: inputs.into_iter().map(IValue::Tensor).collect() })
}

#[derive(Default)]
struct Tally {
    same: usize,
    guarded: usize,
    refused: BTreeMap<String, usize>,
    failures: Vec<String>,
}

/// Compiles and runs a recorded call.
fn check(context: &Context, line: &str, dynamic: bool, options: &CodeOptions, tally: &mut Tally) {
    let Ok(case) = Case::parse(line) else { return };
    let Some(entry) = sconce_schema::lookup(case.op()) else { return };
    let Ok((arguments, _)) = case.arguments(entry.schema()) else { return };
    let failed = tally.failures.len();
    check_call(context, entry, &arguments, dynamic, options, tally);
    for failure in &mut tally.failures[failed..] {
        failure.push_str(&format!("\n  {}", line.chars().take(300).collect::<String>()));
    }
}

/// Compiles and runs a call, and compares what it gives with what the kernel does.
fn check_call(
    context: &Context,
    entry: &'static sconce_schema::OpEntry,
    arguments: &[IValue],
    dynamic: bool,
    options: &CodeOptions,
    tally: &mut Tally,
) {
    let Ok(expected) = sconce_kernels::call(entry, &mut arguments.to_vec()) else { return };
    let Some(program) = program(context, entry.name, arguments, &expected, dynamic) else { return };
    let mut fail = |why: String| {
        tally.failures.push(format!("{} (unknown sizes: {dynamic}): {why}", entry.name));
    };
    let module = &program.module;
    if std::env::var("TRACE").is_ok() {
        eprintln!("{}", print(module.as_operation(), &PrintOptions::default()));
    }
    if let Err(e) = verify(module.as_operation()) {
        return fail(e.to_string());
    }
    let function = module.body().ops()[0];
    let spec = match sconce_linalg::convert_function(context, function) {
        Ok(spec) => spec,
        Err(sconce_linalg::Error::Unsupported(_)) => {
            *tally.refused.entry(entry.name.into()).or_default() += 1;
            return;
        }
        Err(e) => return fail(e.to_string()),
    };
    function.erase().expect("a function has no results");
    let compiled = match compile(module, options) {
        Ok(c) => c,
        Err(e) => return fail(e.to_string()),
    };
    // SAFETY: compiled for this spec just now.
    let region = unsafe { sconce_exec::load(spec, &compiled.object) }.expect("an object that was just made links");
    match region.run(&program.inputs, &Fuel::default()) {
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
