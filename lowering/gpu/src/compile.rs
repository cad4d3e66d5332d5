//! A function through all stages to PTX, with the plan of its launches.

use crate::Error;
use crate::pass::{CHIPS, STAGES};
use crate::plan::{GpuPlan, plan_of};
use sconce_exec::{InputSpec, Plan, RegionSpec};
use sconce_ir::gpu::{Format, objects};
use sconce_ir::prelude::*;
use sconce_pass::Pass;
use std::sync::OnceLock;

/// PTX for each of [`CHIPS`], and how it is launched.
#[derive(Clone, Debug, Default)]
pub struct Compiled {
    /// Chip and PTX text.
    pub ptx: Vec<(String, String)>,
    pub plan: Plan,
}

/// Makes the passes and pipelines of the GPU known to MLIR.
fn registered() -> Result<(), sconce_ir::Error> {
    static DONE: OnceLock<Result<(), sconce_ir::Error>> = OnceLock::new();
    DONE.get_or_init(|| {
        sconce_pass::register_with_pipelines(sconce_linalg::PASSES, sconce_linalg::PIPELINES)?;
        sconce_pass::register_with_pipelines(crate::PASSES, crate::PIPELINES)
    })
    .clone()
}

/// Compiles a region whose sizes are all known.
pub fn compile_region(region: OperationRef<'_, '_>) -> Result<(RegionSpec, Compiled), Error> {
    let (module, spec) = sconce_linalg::lower_region(region)?;
    let compiled = compile(&module, &spec)?;
    Ok((spec, compiled))
}

/// A region's name, and its specification and code, or why there is none.
pub type RegionResult = (String, Result<(RegionSpec, Compiled), String>);

/// Compiles every `sconce.region` of `root`, which stays as it is.
pub fn compile_regions(root: OperationRef<'_, '_>) -> Vec<RegionResult> {
    root.find_all("sconce.region")
        .into_iter()
        .map(|region| {
            let name = region.str_attr("name").unwrap_or("region").to_string();
            (name, compile_region(region).map_err(|e| e.to_string()))
        })
        .collect()
}

/// Compiles the one function of `module`, which is from tensors to tensors and was lowered with `spec`.
pub fn compile(module: &Module<'_>, spec: &RegionSpec) -> Result<Compiled, Error> {
    let dynamic = |i: &InputSpec| matches!(i, InputSpec::Tensor { sizes, .. } if sizes.contains(&None));
    if spec.inputs.iter().any(dynamic) {
        return Err(Error::Unsupported("sizes that are known only at run time".into()));
    }
    registered()?;
    compile_root(whole(module), spec)
}

/// The module's operation, without the borrow of the module: the handles made from it are all dropped before the module is.
fn whole<'c>(module: &Module<'c>) -> OperationRef<'c, 'c> {
    let first: BlockRef<'c, '_> = module.body();
    BlockLike::parent_operation(&*first).unwrap_or_else(|| unreachable!("a module's body is in the module"))
}

fn compile_root<'c>(root: OperationRef<'c, 'c>, spec: &RegionSpec) -> Result<Compiled, Error> {
    run_pipeline(root, STAGES)?;
    run_pipeline(root, &format!("{}{{inputs={}}}", GpuPlan::NAME, spec.inputs.len()))?;
    let plan = plan_of(root)?;
    run_pipeline(root, "sconce-gpu-code")?;
    let mut ptx: Vec<(String, String)> = Vec::new();
    for binary in root.find_all("gpu.binary") {
        for object in objects(binary) {
            if object.format != Format::Assembly {
                continue;
            }
            let Some(chip) = CHIPS.iter().find(|c| object.chip.as_deref() == Some(**c)) else { continue };
            let text = String::from_utf8_lossy(&object.bytes).trim_end_matches('\0').to_string();
            if let Some(line) = text.lines().find(|l| l.contains(".extern .func")) {
                return Err(Error::Unsupported(format!("it needs CUDA's library: {}", line.trim())));
            }
            ptx.push(((*chip).to_string(), text));
        }
    }
    Ok(Compiled { ptx, plan })
}

/// Loads the kernels of a region that [`compile_region`] compiled into the first GPU.
///
/// # Errors
/// One line for a report: no driver, no GPU, or what the driver has against the code.
pub fn load(spec: &RegionSpec, compiled: &Compiled) -> Result<sconce_exec::GpuRegion, sconce_exec::GpuError> {
    // SAFETY: kernels and plan were compiled for this spec by this crate.
    unsafe { sconce_exec::GpuRegion::load(spec.clone(), compiled.plan.clone(), &compiled.ptx) }
}
