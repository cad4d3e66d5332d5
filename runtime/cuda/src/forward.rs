//! The driver's functions as jumps through slots: a slot answers `CUDA_ERROR_NO_DEVICE` until the driver was opened and has that function.
//!
//! The jump keeps every argument register, so one forwarder fits functions of any signature.

use libloading::Library;
use std::ffi::{c_int, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

/// `CUDA_ERROR_NO_DEVICE`. All functions of the driver return a status.
extern "C" fn absent() -> c_int {
    100
}

macro_rules! forwarders {
    ($($name:ident)*) => {
        /// The slots, by name.
        static SLOTS: &[(&str, &AtomicPtr<c_void>)] = &[$((stringify!($name), &slots::$name)),*];

        #[allow(non_upper_case_globals, reason = "named as the functions are")]
        mod slots {
            use super::{AtomicPtr, absent, c_void};
            $(pub(super) static $name: AtomicPtr<c_void> = AtomicPtr::new(absent as *mut c_void);)*
        }

        $(
            #[cfg(target_arch = "x86_64")]
            #[allow(non_snake_case, reason = "the driver's name")]
            #[unsafe(naked)]
            #[unsafe(no_mangle)]
            extern "C" fn $name() {
                std::arch::naked_asm!("jmp qword ptr [rip + {slot}]", slot = sym slots::$name)
            }

            #[cfg(target_arch = "aarch64")]
            #[allow(non_snake_case, reason = "the driver's name")]
            #[unsafe(naked)]
            #[unsafe(no_mangle)]
            extern "C" fn $name() {
                // x16 is the register that calls may destroy on their way (the linker's veneers use it).
                std::arch::naked_asm!("adrp x16, {slot}", "ldr x16, [x16, :lo12:{slot}]", "br x16", slot = sym slots::$name)
            }
        )*
    };
}

forwarders! {
    cuArray3DCreate_v2
    cuArray3DGetDescriptor_v2
    cuArrayDestroy
    cuCtxCreate_v2
    cuCtxDestroy_v2
    cuCtxGetApiVersion
    cuCtxGetCacheConfig
    cuCtxGetCurrent
    cuCtxGetDevice
    cuCtxGetFlags
    cuCtxGetLimit
    cuCtxGetSharedMemConfig
    cuCtxGetStreamPriorityRange
    cuCtxPopCurrent_v2
    cuCtxSetCacheConfig
    cuCtxSetCurrent
    cuCtxSetLimit
    cuCtxSetSharedMemConfig
    cuCtxSynchronize
    cuDestroyExternalMemory
    cuDeviceGet
    cuDeviceGetAttribute
    cuDeviceGetCount
    cuDeviceGetName
    cuDeviceGetUuid
    cuDevicePrimaryCtxGetState
    cuDevicePrimaryCtxRelease_v2
    cuDevicePrimaryCtxReset_v2
    cuDevicePrimaryCtxRetain
    cuDevicePrimaryCtxSetFlags_v2
    cuDeviceTotalMem_v2
    cuDriverGetVersion
    cuEventCreate
    cuEventDestroy_v2
    cuEventElapsedTime
    cuEventQuery
    cuEventRecord
    cuEventSynchronize
    cuFuncGetAttribute
    cuFuncSetCacheConfig
    cuFuncSetSharedMemConfig
    cuGetErrorName
    cuGetErrorString
    cuGraphDestroy
    cuImportExternalMemory
    cuInit
    cuLaunchKernel
    cuLinkAddData_v2
    cuLinkAddFile_v2
    cuLinkComplete
    cuLinkCreate_v2
    cuLinkDestroy
    cuMemAdvise
    cuMemAllocAsync
    cuMemAllocHost_v2
    cuMemAllocManaged
    cuMemAlloc_v2
    cuMemFreeAsync
    cuMemFreeHost
    cuMemFree_v2
    cuMemGetInfo_v2
    cuMemHostRegister_v2
    cuMemHostUnregister
    cuMemPrefetchAsync
    cuMemRangeGetAttribute
    cuMemcpy2DAsync_v2
    cuMemcpy2D_v2
    cuMemcpy3D_v2
    cuMemcpyAtoD_v2
    cuMemcpyAtoH_v2
    cuMemcpyDtoA_v2
    cuMemcpyDtoDAsync_v2
    cuMemcpyDtoD_v2
    cuMemcpyDtoHAsync_v2
    cuMemcpyDtoH_v2
    cuMemcpyHtoA_v2
    cuMemcpyHtoDAsync_v2
    cuMemcpyHtoD_v2
    cuMemsetD16Async
    cuMemsetD16_v2
    cuMemsetD32Async
    cuMemsetD32_v2
    cuMemsetD8Async
    cuMemsetD8_v2
    cuModuleGetFunction
    cuModuleGetGlobal_v2
    cuModuleGetSurfRef
    cuModuleGetTexRef
    cuModuleLoad
    cuModuleLoadData
    cuModuleLoadDataEx
    cuModuleLoadFatBinary
    cuModuleUnload
    cuOccupancyAvailableDynamicSMemPerBlock
    cuOccupancyMaxActiveBlocksPerMultiprocessor
    cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags
    cuOccupancyMaxPotentialBlockSize
    cuOccupancyMaxPotentialBlockSizeWithFlags
    cuPointerGetAttribute
    cuStreamAddCallback
    cuStreamCreate
    cuStreamCreateWithPriority
    cuStreamDestroy_v2
    cuStreamGetFlags
    cuStreamGetPriority
    cuStreamSynchronize
    cuStreamWaitEvent
    cuSurfObjectCreate
    cuSurfObjectDestroy
    cuSurfObjectGetResourceDesc
    cuTexObjectCreate
    cuTexObjectDestroy
    cuTexObjectGetResourceDesc
}

/// Opens the driver once; whether there is one.
pub(crate) fn open() -> bool {
    static DRIVER: OnceLock<Option<Library>> = OnceLock::new();
    DRIVER
        .get_or_init(|| {
            // SAFETY: the driver's initialisers are trusted as much as the kernel module they talk to.
            let library = unsafe { Library::new("libcuda.so.1") }.ok()?;
            for (name, slot) in SLOTS {
                // SAFETY: the symbol is only called through the forwarder of the same name, whose callers declare its true signature.
                if let Ok(symbol) = unsafe { library.get::<*mut c_void>(name.as_bytes()) } {
                    slot.store(*symbol, Ordering::Release);
                }
            }
            Some(library)
        })
        .is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_driver_every_function_answers_no_device() {
        // SAFETY: `absent` takes nothing and gives a status.
        let status = unsafe { std::mem::transmute::<extern "C" fn(), extern "C" fn(u32) -> c_int>(cuInit)(0) };
        assert!(status == 100 || open(), "status {status}");
        assert!(SLOTS.is_sorted_by_key(|s| s.0));
    }
}
