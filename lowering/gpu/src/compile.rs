//! A function through all stages to PTX, and reading the launch plan from the host function they leave.

use crate::Error;
use crate::pass::{CHIPS, STAGES};
use sconce_exec::{InputSpec, Launch, Place, Plan, PlanArgument, RegionSpec};
use sconce_ir::builtin_type::{Layout, Shaped};
use sconce_ir::gpu::{Format, objects};
use sconce_ir::prelude::*;
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
    let context = region.context_ref();
    let block = region.body(0).ok_or_else(|| Error::Unsupported("a region without body".into()))?;
    let module = Module::new(Location::unknown(context));
    let name = region.str_attr("name").unwrap_or("region");
    let spec = sconce_linalg::lower_block(context, block, name, module.body())?;
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
    let function = root.find_all("func.func").first().copied();
    let function = function.ok_or_else(|| Error::Unsupported("no function".into()))?;
    let plan = plan(root, function, spec)?;
    function.erase()?;
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

/// Reads the launches of the host function, and puts all kernels into one `gpu.module`.
fn plan<'c>(root: OperationRef<'c, 'c>, host: OperationRef<'c, 'c>, spec: &RegionSpec) -> Result<Plan, Error> {
    let body = host.body(0).ok_or_else(|| Error::Unsupported("no body".into()))?;
    let arguments = body.args();
    let mut plan = Plan::default();
    let mut temporaries: Vec<usize> = Vec::new();
    let mut modules = root.find_all("gpu.module").into_iter();
    let home = modules.next();
    for op in body.ops() {
        if op.is("memref.alloc") {
            let v = op.result_value(0).ok_or_else(|| Error::Unsupported("an allocation without result".into()))?;
            temporaries.push(v.id());
            plan.temporaries.push(bytes_of(v.r#type())?);
        }
        if !op.is("gpu.launch_func") {
            continue;
        }
        let symbol = op
            .attr("kernel")
            .and_then(attr::symbol_value)
            .ok_or_else(|| Error::Unsupported("a launch without kernel".into()))?;
        let name = format!("k{}", plan.launches.len());
        let kernel = root
            .find_all("gpu.module")
            .into_iter()
            .find(|m| m.symbol_name() == symbol.first().map(String::as_str))
            .and_then(|m| m.find_all("gpu.func").first().copied())
            .ok_or_else(|| Error::Unsupported("a kernel is missing".into()))?;
        kernel.set_attr("sym_name", attr::string(root.context_ref(), &name));
        let operands = op.operand_values();
        let size = |i: usize| -> Result<u32, Error> {
            operands
                .get(i)
                .and_then(|v| v.defining_op())
                .and_then(|d| d.int_attr("value"))
                .and_then(|n| u32::try_from(n).ok())
                .ok_or_else(|| Error::Unsupported("a launch size that is not known".into()))
        };
        let mut launch = Launch { kernel: name, grid: size(0)?, block: size(3)?, arguments: Vec::new() };
        for v in operands.iter().skip(6) {
            launch.arguments.push(argument(*v, &arguments, &temporaries, spec)?);
        }
        plan.launches.push(launch);
    }
    // The launches name kernels by their own names from here on.
    for op in host.find_all("gpu.launch_func") {
        op.erase()?;
    }
    if let Some(home) = home.and_then(|m| m.body(0)) {
        for module in modules {
            for kernel in module.find_all("gpu.func") {
                home.append_operation(kernel.detach());
            }
            module.erase()?;
        }
    }
    Ok(plan)
}

fn bytes_of(t: Type<'_>) -> Result<u64, Error> {
    let buffer = Shaped::buffer(t).ok_or_else(|| Error::Unsupported(format!("a buffer of type {t}")))?;
    let element = attr::element_bytes(buffer.element)
        .ok_or_else(|| Error::Unsupported(format!("elements of type {}", buffer.element)))?;
    let size = |s: Option<i64>| s.and_then(|n| u64::try_from(n).ok());
    buffer
        .sizes
        .into_iter()
        .try_fold(element as u64, |n, s| n.checked_mul(size(s)?))
        .ok_or_else(|| Error::Unsupported("a buffer of unknown size".into()))
}

/// What a kernel argument is in terms of inputs, results and temporaries.
fn argument<'c>(
    v: Value<'c, 'c>,
    arguments: &[Value<'c, 'c>],
    temporaries: &[usize],
    spec: &RegionSpec,
) -> Result<PlanArgument, Error> {
    let (Some(buffer), Some(layout)) = (Shaped::buffer(v.r#type()), Layout::of(v.r#type())) else {
        if let Some(n) = v.defining_op().and_then(|d| d.int_attr("value")) {
            return Ok(PlanArgument::Int(n));
        }
        return match arguments.iter().position(|a| a.id() == v.id()) {
            Some(i) => Ok(PlanArgument::Number(i as u16)),
            None => Err(Error::Unsupported(format!("a kernel argument of type {}", v.r#type()))),
        };
    };
    let mut root = v;
    while let Some(op) = root.defining_op().filter(|op| !op.is("memref.alloc")) {
        root = op.operand_value(0).ok_or_else(|| Error::Unsupported("a buffer from nowhere".into()))?;
    }
    let place = if let Some(i) = arguments.iter().position(|a| a.id() == root.id()) {
        match i.checked_sub(spec.inputs.len()) {
            Some(o) => Place::Output(o as u16),
            None => Place::Input(i as u16),
        }
    } else if let Some(i) = temporaries.iter().position(|id| *id == root.id()) {
        Place::Temporary(i as u16)
    } else {
        return Err(Error::Unsupported("a buffer from nowhere".into()));
    };
    let sizes = buffer.sizes.into_iter().collect::<Option<Vec<_>>>();
    let strides = layout.strides.into_iter().collect::<Option<Vec<_>>>();
    let (Some(sizes), Some(strides), Some(offset)) = (sizes, strides, layout.offset) else {
        return Err(Error::Unsupported("a view whose place is known only at run time".into()));
    };
    Ok(PlanArgument::View { place, offset, sizes, strides })
}

/// Loads the kernels of a region that [`compile_region`] compiled into the first GPU.
///
/// # Errors
/// One line for a report: no driver, no GPU, or what the driver has against the code.
pub fn load(spec: &RegionSpec, compiled: &Compiled) -> Result<sconce_exec::GpuRegion, sconce_exec::GpuError> {
    // SAFETY: kernels and plan were compiled for this spec by this crate.
    unsafe { sconce_exec::GpuRegion::load(spec.clone(), compiled.plan.clone(), &compiled.ptx) }
}
