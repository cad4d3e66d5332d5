//! Regions to PTX: both architectures, plans that name what they launch, and `ptxas` where there is one.

use sconce_gpu::{CHIPS, Compiled, Error, compile_region};
use sconce_ir::prelude::*;
use std::process::Command;

const HEAD: &str =
    "func.func @f(%a: !torch.vtensor<[37,50],f32>, %b: !torch.vtensor<[50],f32>) -> !torch.vtensor<[37,50],f32> {\n";

fn region(body: &str) -> String {
    format!(
        "{HEAD}  %r = sconce.region \"f.r0\"(%a, %b) : (!torch.vtensor<[37,50],f32>, !torch.vtensor<[50],f32>) -> (!torch.vtensor<[37,50],f32>) {{\n\
         ^bb0(%x: !torch.vtensor<[37,50],f32>, %y: !torch.vtensor<[50],f32>):\n{body}\n\
         sconce.yield %z : !torch.vtensor<[37,50],f32>\n  }}\n  return %r : !torch.vtensor<[37,50],f32>\n}}"
    )
}

fn compile(text: &str) -> Result<Compiled, Error> {
    let context = context::new(false);
    let module = parse_module(&context, text.as_bytes(), "test")?;
    let region = module.as_operation().find_all("sconce.region")[0];
    compile_region(region).map(|(_, c)| c)
}

fn check(compiled: &Compiled) {
    assert_eq!(compiled.ptx.iter().map(|p| p.0.as_str()).collect::<Vec<_>>(), CHIPS);
    assert!(!compiled.plan.launches.is_empty());
    for (chip, text) in &compiled.ptx {
        assert!(text.contains(&format!(".target {chip}")), "{text}");
        for l in &compiled.plan.launches {
            assert!(text.contains(&format!(".entry {}(", l.kernel)), "{} is not in\n{text}", l.kernel);
            // One parameter per word.
            let words: usize = (l.arguments.iter())
                .map(|a| match a {
                    sconce_exec::PlanArgument::View { sizes, .. } => 3 + 2 * sizes.len(),
                    _ => 1,
                })
                .sum();
            let parameters = text.matches(&format!(".param .u64 {}_param_", l.kernel)).count()
                + text.matches(&format!(".param .u64 .ptr .align 1 {}_param_", l.kernel)).count();
            assert_eq!(parameters, words, "{}: {text}", l.kernel);
        }
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("k.ptx");
        std::fs::write(&file, text).unwrap();
        let ptxas = std::env::var_os("PTXAS").unwrap_or_else(|| "ptxas".into());
        if let Ok(out) =
            Command::new(ptxas).arg(format!("-arch={chip}")).arg(&file).arg("-o").arg(dir.path().join("k.o")).output()
        {
            assert!(out.status.success(), "{}\n{text}", String::from_utf8_lossy(&out.stderr));
        }
    }
}

#[test]
fn pointwise_is_one_kernel() {
    let text = region(
        "  %one = torch.constant.int 1\n  %s = torch.operator \"aten.add.Tensor\"(%x, %y, %one) : (!torch.vtensor<[37,50],f32>, !torch.vtensor<[50],f32>, !torch.int) -> !torch.vtensor<[37,50],f32>\n  \
         %t = torch.operator \"aten.tanh\"(%s) : (!torch.vtensor<[37,50],f32>) -> !torch.vtensor<[37,50],f32>\n  \
         %z = torch.operator \"aten.sigmoid\"(%t) : (!torch.vtensor<[37,50],f32>) -> !torch.vtensor<[37,50],f32>",
    );
    let compiled = compile(&text).unwrap();
    check(&compiled);
    assert_eq!(compiled.plan.launches.len(), 1);
    let launch = &compiled.plan.launches[0];
    assert_eq!((launch.grid, launch.block), (8, 256));
}

#[test]
fn rows_are_kernels() {
    let text = region(
        "  %d = torch.constant.int 1\n  %n = torch.constant.none\n  \
         %z = torch.operator \"aten.softmax.int\"(%x, %d, %n) : (!torch.vtensor<[37,50],f32>, !torch.int, !torch.none) -> !torch.vtensor<[37,50],f32>",
    );
    check(&compile(&text).unwrap());
}

#[test]
fn square_roots_are_instructions() {
    let text = region(
        "  %z = torch.operator \"aten.sqrt\"(%x) : (!torch.vtensor<[37,50],f32>) -> !torch.vtensor<[37,50],f32>",
    );
    let compiled = compile(&text).unwrap();
    check(&compiled);
    assert!(compiled.ptx.iter().all(|(_, text)| text.contains("sqrt.rn.f32")));
}

#[test]
fn unknown_sizes_are_refused() {
    let text = region(
        "  %z = torch.operator \"aten.relu\"(%x) : (!torch.vtensor<[37,50],f32>) -> !torch.vtensor<[37,50],f32>",
    )
    .replace("[37,50]", "[?,50]");
    assert!(matches!(compile(&text), Err(Error::Unsupported(why)) if why.contains("run time")));
}
