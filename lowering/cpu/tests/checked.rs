//! Code that has its accesses checked ends a call that goes one element too far, and only such a call: what the other tests of checked code rely on.

use sconce_cpu::{CodeOptions, compile};
use sconce_exec::{Dim, InputSpec, OutputSpec, RegionSpec};
use sconce_interpreter::{CompiledRegion, Fuel};
use sconce_ir::codegen::Target;
use sconce_ir::prelude::*;
use sconce_schema::DType;
use sconce_tensor::{IValue, Tensor};
use std::panic::{AssertUnwindSafe, catch_unwind};

const SOURCE: &str = "func.func @f(%x: !torch.vtensor<[3,5],f32>) -> !torch.vtensor<[3,5],f32> {
  %y = torch.operator \"aten.exp\"(%x) : (!torch.vtensor<[3,5],f32>) -> !torch.vtensor<[3,5],f32>
  return %y : !torch.vtensor<[3,5],f32>
}
";

/// The code and what it says of itself.
fn compiled(checked: bool) -> (Vec<u8>, RegionSpec) {
    let context = context::new(false);
    let module = parse_module(&context, SOURCE.as_bytes(), "f").expect("valid");
    let function = module.body().ops()[0];
    let spec = sconce_linalg::convert_function(&context, function).expect("it is lowered");
    function.erase().expect("a function has no results");
    let target = Target { checked, ..Target::default() };
    let code = compile(&module, &CodeOptions { target, ..CodeOptions::default() }).expect("it compiles");
    (code.object, spec)
}

/// What a call says of tensors of these sizes, which the code was not made for.
fn said(input: &[i64], output: &[i64]) -> String {
    let (object, mut spec) = compiled(true);
    spec.name = "f".into();
    spec.inputs = vec![InputSpec::Tensor {
        dtype: DType::F32,
        sizes: input.iter().map(|n| Some(*n)).collect(),
        contiguous: false,
    }];
    spec.outputs =
        vec![OutputSpec { dtype: DType::F32, sizes: output.iter().map(|n| Dim::Known(*n)).collect(), number: false }];
    // SAFETY: what it reads and writes too much lies in blocks of the allocator, which are larger than that.
    let region = unsafe { sconce_exec::load(spec, &object) }.expect("it links");
    let x = IValue::Tensor(Tensor::from_vec(vec![0f32; input.iter().product::<i64>() as usize], input));
    let run = catch_unwind(AssertUnwindSafe(|| region.run(&[x], &Fuel::default())));
    match run {
        Ok(results) => {
            let results = results.expect("it runs").expect("no guard fails");
            let all = results[0].as_tensor().expect("a tensor").to_vec::<f32>();
            if all.iter().all(|x| *x == 1.0) { String::new() } else { format!("{all:?}") }
        }
        Err(panic) => panic.downcast_ref::<String>().cloned().unwrap_or_default(),
    }
}

#[test]
fn one_element_too_many_is_seen() {
    assert_eq!(said(&[3, 5], &[3, 5]), "");
    let reads = said(&[2, 7], &[3, 5]);
    assert!(reads.starts_with("compiled code of f: reads ") && !reads.contains("writes"), "{reads}");
    assert!(reads.contains("outside of its buffers"), "{reads}");
    let writes = said(&[3, 5], &[2, 7]);
    assert!(writes.starts_with("compiled code of f: writes ") && !writes.contains("reads"), "{writes}");
}

#[test]
fn other_code_calls_no_checks() {
    let has = |object: &[u8]| object.windows(7).any(|w| w == b"__asan_");
    assert!(has(&compiled(true).0));
    assert!(!has(&compiled(false).0));
}
