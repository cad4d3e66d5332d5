//! A region's code as a Program keeps it: bytes, and metadata that says for which machine and how it is called.

use crate::gpu::{GpuError, GpuRegion};
use crate::native::NativeRegion;
use crate::object::{self, LoadError};
use crate::plan::Plan;
use crate::spec::{BadSpec, RegionSpec};
use sconce_interpreter::program::{RegionCode, Target};

/// An object for a processor with these features.
pub fn cpu_code(spec: &RegionSpec, object: &[u8], cpu: &str, features: &str) -> RegionCode {
    let mut metadata = spec.to_metadata();
    metadata.push(("cpu".into(), cpu.into()));
    metadata.push(("features".into(), features.into()));
    RegionCode { target: Target::Cpu, bytes: object.into(), metadata }
}

/// PTX for a chip, and the plan that launches it.
pub fn ptx_code(spec: &RegionSpec, plan: &Plan, chip: &str, text: &str) -> RegionCode {
    let mut metadata = spec.to_metadata();
    metadata.extend(plan.to_metadata());
    metadata.push(("chip".into(), chip.into()));
    RegionCode { target: Target::Ptx, bytes: text.as_bytes().into(), metadata }
}

/// What a key of a code's metadata says; empty without the key.
fn said<'a>(code: &'a RegionCode, key: &str) -> &'a str {
    code.metadata.iter().find(|(k, _)| k == key).map_or("", |(_, v)| v)
}

/// Loads the first of a region's codes that is for this processor.
///
/// # Errors
/// Why the last of them is not loaded: it needs a feature that this processor does not have, or is no object that can be loaded.
///
/// # Safety
/// The codes were made by Sconce's compiler for what their metadata says; see [`object::load`].
pub unsafe fn load_cpu(codes: &[RegionCode]) -> Result<NativeRegion, LoadError> {
    let mut answer = Err(LoadError::NoCode);
    for code in codes.iter().filter(|c| c.target == Target::Cpu) {
        let spec = RegionSpec::from_metadata(&code.metadata)?;
        answer = crate::cpu::check(said(code, "cpu"), said(code, "features"))
            // SAFETY: the caller vouches for the code, and this processor has what it needs.
            .and_then(|()| unsafe { object::load(spec, &code.bytes) });
        if answer.is_ok() {
            break;
        }
    }
    answer
}

/// Loads the PTX among a region's codes into the first GPU.
///
/// # Safety
/// The codes were made by Sconce's compiler; see [`GpuRegion::load`].
pub unsafe fn load_ptx(codes: &[RegionCode]) -> Result<GpuRegion, GpuError> {
    let mut ptx = Vec::new();
    let mut made = None;
    for code in codes.iter().filter(|c| c.target == Target::Ptx) {
        let spec = RegionSpec::from_metadata(&code.metadata).map_err(|e: BadSpec| GpuError::Plan(e.to_string()))?;
        let plan =
            Plan::from_metadata(&code.metadata).ok_or_else(|| GpuError::Plan("a launch is not understood".into()))?;
        let chip = said(code, "chip").to_string();
        let text = String::from_utf8(code.bytes.to_vec()).map_err(|e| GpuError::Plan(e.to_string()))?;
        ptx.push((chip, text));
        made = Some((spec, plan));
    }
    let Some((spec, plan)) = made else { return Err(GpuError::Plan("there is no PTX".into())) };
    // SAFETY: passed on to the caller.
    unsafe { GpuRegion::load(spec, plan, &ptx) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_without_ptx_says_so() {
        let spec = RegionSpec { name: "r".into(), ..RegionSpec::default() };
        let code = cpu_code(&spec, b"object", "znver4", "+avx2");
        assert_eq!(RegionSpec::from_metadata(&code.metadata), Ok(spec));
        // SAFETY: refused before anything runs.
        assert!(matches!(unsafe { load_ptx(&[code]) }, Err(GpuError::Plan(_))));
    }
}
