//! Regions on an NVIDIA GPU: inputs go up, kernels run in order, results come down; without a driver, loading says so.

use crate::plan::{Place, Plan, PlanArgument};
use crate::spec::RegionSpec;
use sconce_cuda::{Argument, Buffer, Gpu, Kernel, Program};
use sconce_interpreter::program::Target;
use sconce_interpreter::{CompiledRegion, Fuel};
use sconce_kernels::{Error, Outputs};
use sconce_tensor::{IValue, Tensor};
use std::sync::Mutex;

/// Why a region cannot run on a GPU: one line for a report.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GpuError {
    #[error(transparent)]
    Driver(#[from] sconce_cuda::Error),
    #[error("the region has no code for sm_{0}")]
    NoCode(u32),
    #[error("the launch plan is damaged: {0}")]
    Plan(String),
}

/// A region whose kernels are loaded into the first GPU.
pub struct GpuRegion {
    spec: RegionSpec,
    plan: Plan,
    /// One call at a time: the driver's context and stream are this region's.
    device: Mutex<Device>,
}

struct Device {
    // Dropped before the context it lives in.
    program: Program,
    gpu: Gpu,
}

/// The number in `sm_90`.
fn architecture(chip: &str) -> Option<u32> {
    chip.strip_prefix("sm_")?.parse().ok()
}

impl GpuRegion {
    /// Loads the newest code that the first GPU can run. `ptx` is chip and text, as the compiler made them for this spec and plan.
    ///
    /// # Safety
    /// PTX and plan were made by Sconce's compiler for exactly this spec: kernels read and write through the addresses the plan gives them.
    pub unsafe fn load(spec: RegionSpec, plan: Plan, ptx: &[(String, String)]) -> Result<GpuRegion, GpuError> {
        check(&spec, &plan).map_err(GpuError::Plan)?;
        let gpu = Gpu::first()?;
        let have = gpu.architecture();
        let best = ptx
            .iter()
            .filter_map(|(chip, text)| Some((architecture(chip).filter(|a| *a <= have)?, text)))
            .max_by_key(|(a, _)| *a);
        let Some((_, text)) = best else { return Err(GpuError::NoCode(have)) };
        let program = gpu.load(text)?;
        Ok(GpuRegion { spec, plan, device: Mutex::new(Device { program, gpu }) })
    }

    pub fn spec(&self) -> &RegionSpec {
        &self.spec
    }
}

/// Every place of a plan exists.
fn check(spec: &RegionSpec, plan: &Plan) -> Result<(), String> {
    for launch in &plan.launches {
        for a in &launch.arguments {
            let good = match a {
                PlanArgument::View { place: Place::Input(i), .. } | PlanArgument::Number(i) => {
                    usize::from(*i) < spec.inputs.len()
                }
                PlanArgument::View { place: Place::Output(i), .. } => usize::from(*i) < spec.outputs.len(),
                PlanArgument::View { place: Place::Temporary(i), .. } => usize::from(*i) < plan.temporaries.len(),
                PlanArgument::Int(_) => true,
            };
            if !good {
                return Err(format!("{} has no {a}", launch.kernel));
            }
        }
    }
    Ok(())
}

fn bytes(t: &Tensor) -> usize {
    t.numel() * t.dtype().size()
}

impl GpuRegion {
    fn call(&self, device: &Device, inputs: &[IValue], outputs: &[Tensor]) -> Result<(), sconce_cuda::Error> {
        let gpu = &device.gpu;
        let mut up: Vec<Option<Buffer>> = Vec::new();
        for v in inputs {
            up.push(match v {
                IValue::Tensor(t) => {
                    // SAFETY: contiguous (the caller made it so), and its bytes lie in its storage.
                    let data = unsafe { std::slice::from_raw_parts(t.bytes_ptr(), bytes(t)) };
                    Some(gpu.upload(data)?)
                }
                _ => None,
            });
        }
        let down: Vec<Buffer> = outputs.iter().map(|t| gpu.buffer(bytes(t))).collect::<Result<_, _>>()?;
        let scratch: Vec<Buffer> =
            self.plan.temporaries.iter().map(|n| gpu.buffer(*n as usize)).collect::<Result<_, _>>()?;
        for launch in &self.plan.launches {
            let kernel: Kernel<'_> = device.program.kernel(&launch.kernel)?;
            let mut arguments = Vec::new();
            for a in &launch.arguments {
                match a {
                    PlanArgument::View { place, offset, sizes, strides } => {
                        let buffer = match place {
                            Place::Input(i) => up.get(usize::from(*i)).and_then(Option::as_ref),
                            Place::Output(i) => down.get(usize::from(*i)),
                            Place::Temporary(i) => scratch.get(usize::from(*i)),
                        };
                        let Some(buffer) = buffer else { continue };
                        arguments.extend([
                            Argument::Buffer(buffer, 0),
                            Argument::Buffer(buffer, 0),
                            Argument::I64(*offset),
                        ]);
                        arguments.extend(sizes.iter().chain(strides).map(|n| Argument::I64(*n)));
                    }
                    PlanArgument::Int(n) => arguments.push(Argument::I64(*n)),
                    PlanArgument::Number(i) => arguments.push(match inputs.get(usize::from(*i)) {
                        Some(IValue::Int(n)) => Argument::I64(*n),
                        Some(IValue::Double(x)) => Argument::F64(*x),
                        Some(IValue::Bool(b)) => Argument::I32(i32::from(*b)),
                        _ => continue,
                    }),
                }
            }
            // SAFETY: the plan was made with the kernels: arguments are those of the kernel, and views lie in their buffers.
            unsafe { gpu.launch(&kernel, [launch.grid, 1, 1], [launch.block, 1, 1], &arguments)? };
        }
        gpu.synchronize()?;
        for (t, buffer) in outputs.iter().zip(&down) {
            if bytes(t) > 0 {
                // SAFETY: a fresh contiguous tensor that nobody else has yet.
                let data = unsafe { std::slice::from_raw_parts_mut(t.bytes_ptr(), bytes(t)) };
                gpu.download(buffer, data)?;
            }
        }
        Ok(())
    }
}

impl CompiledRegion for GpuRegion {
    fn target(&self) -> Target {
        Target::Ptx
    }

    fn run(&self, inputs: &[IValue], _: &Fuel) -> Result<Option<Outputs>, Error> {
        let Some(needs) = self.spec.check(inputs) else { return Ok(None) };
        let contiguous = inputs
            .iter()
            .map(|v| match v {
                IValue::Tensor(t) => t.contiguous().map(IValue::Tensor),
                other => Ok(other.clone()),
            })
            .collect::<Result<Vec<_>, _>>()?;
        let outputs = self
            .spec
            .outputs
            .iter()
            .zip(&needs.results)
            .map(|(o, s)| Tensor::zeros(s, o.dtype))
            .collect::<Result<Vec<_>, _>>()?;
        let device = self.device.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        self.call(&device, &contiguous, &outputs).map_err(|e| Error::runtime(e.to_string()))?;
        Ok(Some(outputs.into_iter().map(IValue::Tensor).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_name_places_that_exist() {
        let spec = RegionSpec { name: "r".into(), ..RegionSpec::default() };
        let plan = Plan::from_metadata(&[("launch".into(), "k 1 1 i0+0[](}".replace('}', ")"))]).unwrap();
        // SAFETY: refused before anything runs.
        let refused = unsafe { GpuRegion::load(spec, plan, &[]) };
        assert!(matches!(refused, Err(GpuError::Plan(_))));
    }
}
