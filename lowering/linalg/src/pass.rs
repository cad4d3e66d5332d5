//! `convert-torch-to-linalg`, the pass: functions and regions of value tensors become functions of builtin tensors.

use crate::convert::{DIALECTS, convert_function, lower_region_into};
use crate::stages::{CopiesToLoops, Destinations, ExpandMath, SeparateDestinations, SeparateFactors, SplitConcats};
use sconce_analysis::Tensor;
use sconce_ir::{BlockExt, OpExt, OperationLike, OperationRef, ValueLike};
use sconce_pass::{Failure, Pass, PassResult, PassRow, PassRun, row};

/// Lowers each `sconce.region` to a function of its name, called in its place, and each function of value tensors only.
pub struct ConvertTorchToLinalg;

impl Pass for ConvertTorchToLinalg {
    const NAME: &'static str = "convert-torch-to-linalg";
    const DESCRIPTION: &'static str = "Lower regions and functions of value tensors to linalg on tensors";
    const DIALECTS: &'static [&'static str] = DIALECTS;

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        let context = root.context_ref();
        let Some(module) = root.body(0) else { return Ok(()) };
        for region in root.find_all("sconce.region") {
            let name = region.str_attr("name").unwrap_or("region").to_string();
            lower_region_into(region, module).map_err(|e| Failure::new(format!("@{name}: {e}")))?;
            let at = sconce_ir::builder::Builder::before(region);
            let types = region.result_types();
            let call = at
                .op("sconce.call_kernel", region.location())
                .operands(&region.operand_values())
                .results(&types)
                .attr("name", sconce_ir::attr::string(context, &name))
                .build()?;
            region.replace_with(&call.result_values())?;
        }
        for function in root.find_all("func.func") {
            let Some(block) = function.body(0) else { continue };
            let torch = |v: &sconce_ir::Value<'_, '_>| Tensor::of(v.r#type()).is_some_and(|t| t.value);
            let arguments = block.args();
            let lowerable = !arguments.is_empty()
                && arguments.iter().all(torch)
                && !block.ops().iter().any(|op| op.is("sconce.call_kernel"));
            if !lowerable {
                continue;
            }
            let name = function.symbol_name().unwrap_or_default().to_string();
            convert_function(context, function).map_err(|e| Failure::new(format!("@{name}: {e}")))?;
            function.erase()?;
        }
        Ok(())
    }
}

/// The passes of this crate.
pub static PASSES: &[PassRow] = &[
    row::<ConvertTorchToLinalg>(),
    row::<Destinations>(),
    row::<SeparateDestinations>(),
    row::<SeparateFactors>(),
    row::<SplitConcats>(),
    row::<CopiesToLoops>(),
    row::<ExpandMath>(),
];
