//! What `gpu-module-to-binary` leaves behind: the objects (PTX text, cubins) in a `gpu.binary`.

use crate::op::OpExt;
use crate::{attr, ffi, raw};
use melior::ir::{AttributeLike, OperationRef};
use mlir_sys::{
    mlirAttributeIsAGPUObjectAttr, mlirGPUObjectAttrGetFormat, mlirGPUObjectAttrGetObject, mlirGPUObjectAttrGetTarget,
};

/// The format of a [`GpuObject`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Bitcode.
    Offload,
    /// PTX.
    Assembly,
    /// A cubin.
    Binary,
    /// Several in one.
    Fatbin,
}

/// One object of a `gpu.binary`.
#[derive(Clone, Debug)]
pub struct GpuObject {
    /// The chip it is for, `sm_80`, where it is NVIDIA's.
    pub chip: Option<String>,
    /// What the bytes are.
    pub format: Format,
    /// PTX text, or code.
    pub bytes: Vec<u8>,
}

/// The objects of a `gpu.binary` operation; none for any other.
pub fn objects(binary: OperationRef<'_, '_>) -> Vec<GpuObject> {
    let objects = binary.attr("objects").and_then(attr::array_value).unwrap_or_default();
    objects
        .into_iter()
        .filter_map(|object| {
            let raw_object = object.to_raw();
            // SAFETY: the parts are asked of GPU objects only; their bytes live as long as the context, and are copied.
            unsafe {
                if !mlirAttributeIsAGPUObjectAttr(raw_object) {
                    return None;
                }
                let mut chip = raw::str_ref("");
                let is_nvidia = ffi::sconceGpuTargetChip(mlirGPUObjectAttrGetTarget(raw_object), &raw mut chip);
                let chip = is_nvidia.then(|| raw::as_str(chip).to_owned());
                let format = match mlirGPUObjectAttrGetFormat(raw_object) {
                    1 => Format::Offload,
                    2 => Format::Assembly,
                    3 => Format::Binary,
                    _ => Format::Fatbin,
                };
                let bytes = raw::as_bytes(mlirGPUObjectAttrGetObject(raw_object)).to_vec();
                Some(GpuObject { chip, format, bytes })
            }
        })
        .collect()
}
