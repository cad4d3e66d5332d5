//! The first GPU: memory that is freed when dropped, programs from PTX, and launches on one stream.

use crate::{Argument, Error, forward};
use cust::context::{Context, CurrentContext};
use cust::device::{Device, DeviceAttribute};
use cust::function::Function;
use cust::memory::{CopyDestination, DeviceBuffer};
use cust::module::Module;
use cust::stream::{Stream, StreamFlags};
use cust::{CudaFlags, error::CudaError};
use std::ffi::c_void;

/// A GPU with a context and a stream of its own.
///
/// The context is current on the thread that made it; use it from that thread.
pub struct Gpu {
    stream: Stream,
    name: String,
    architecture: u32,
    // Dropped last: the stream lives in it.
    _context: Context,
}

/// A loaded module of PTX.
pub struct Program(Module);

/// An entry of a program.
pub struct Kernel<'p>(Function<'p>);

/// Memory on the GPU.
#[derive(Debug)]
pub struct Buffer(DeviceBuffer<u8>);

fn wrong(what: &'static str) -> impl Fn(CudaError) -> Error {
    move |e| match e {
        CudaError::NoDevice => Error::NoDevice,
        e => Error::Driver { what, message: e.to_string() },
    }
}

impl Gpu {
    /// The first GPU of the machine, if there is a driver and a GPU.
    pub fn first() -> Result<Gpu, Error> {
        if !forward::open() {
            return Err(Error::NoDriver);
        }
        cust::init(CudaFlags::empty()).map_err(wrong("cuInit"))?;
        let device = Device::get_device(0).map_err(|_| Error::NoDevice)?;
        let attribute = |a| device.get_attribute(a).map(|v| v as u32).map_err(wrong("cuDeviceGetAttribute"));
        let architecture = attribute(DeviceAttribute::ComputeCapabilityMajor)? * 10
            + attribute(DeviceAttribute::ComputeCapabilityMinor)?;
        let name = device.name().map_err(wrong("cuDeviceGetName"))?;
        let context = Context::new(device).map_err(wrong("cuDevicePrimaryCtxRetain"))?;
        CurrentContext::set_current(&context).map_err(wrong("cuCtxSetCurrent"))?;
        let stream = Stream::new(StreamFlags::NON_BLOCKING, None).map_err(wrong("cuStreamCreate"))?;
        Ok(Gpu { stream, name, architecture, _context: context })
    }

    /// `NVIDIA H100 80GB HBM3`
    pub fn name(&self) -> &str {
        &self.name
    }

    /// 90 for sm_90.
    pub fn architecture(&self) -> u32 {
        self.architecture
    }

    /// Compiles PTX for this GPU by the driver.
    pub fn load(&self, ptx: &str) -> Result<Program, Error> {
        if ptx.contains('\0') {
            return Err(Error::Driver { what: "cuModuleLoadDataEx", message: "PTX text with a NUL byte".into() });
        }
        Module::from_ptx(ptx, &[]).map(Program).map_err(wrong("cuModuleLoadDataEx"))
    }

    /// Zeroed memory. At least one byte is taken, so that an empty tensor has an address too.
    pub fn buffer(&self, bytes: usize) -> Result<Buffer, Error> {
        DeviceBuffer::zeroed(bytes.max(1)).map(Buffer).map_err(wrong("cuMemAlloc"))
    }

    /// Memory with these bytes.
    pub fn upload(&self, data: &[u8]) -> Result<Buffer, Error> {
        if data.is_empty() {
            return self.buffer(0);
        }
        DeviceBuffer::from_slice(data).map(Buffer).map_err(wrong("cuMemcpyHtoD"))
    }

    /// The buffer's bytes; as many as `data` has, which must be all of them.
    pub fn download(&self, buffer: &Buffer, data: &mut [u8]) -> Result<(), Error> {
        if data.is_empty() {
            return Ok(());
        }
        if data.len() != buffer.0.len() {
            return Err(Error::Driver {
                what: "cuMemcpyDtoH",
                message: format!("{} bytes of {}", data.len(), buffer.0.len()),
            });
        }
        buffer.0.copy_to(data).map_err(wrong("cuMemcpyDtoH"))
    }

    /// Starts a kernel; [`Gpu::synchronize`] waits for it.
    ///
    /// # Safety
    /// The arguments are what the kernel's code declares, in number and type, and its accesses stay inside the buffers.
    pub unsafe fn launch(
        &self,
        kernel: &Kernel<'_>,
        grid: [u32; 3],
        block: [u32; 3],
        arguments: &[Argument<'_>],
    ) -> Result<(), Error> {
        // Every argument gets a cell of eight bytes; a smaller one lies at its start (little-endian).
        let mut cells: Vec<u64> = arguments
            .iter()
            .map(|a| match *a {
                Argument::Buffer(b, offset) => b.0.as_device_ptr().as_raw() + offset as u64,
                Argument::I64(v) => v as u64,
                Argument::I32(v) => u64::from(v as u32),
                Argument::F32(v) => u64::from(v.to_bits()),
                Argument::F64(v) => v.to_bits(),
            })
            .collect();
        let pointers: Vec<*mut c_void> = cells.iter_mut().map(|c| std::ptr::from_mut(c).cast()).collect();
        let (g, b) = ((grid[0], grid[1], grid[2]), (block[0], block[1], block[2]));
        // SAFETY: the pointers live until the driver has copied what they point to, which it does before it returns; the rest is the caller's promise.
        unsafe { self.stream.launch(&kernel.0, g, b, 0, &pointers) }.map_err(wrong("cuLaunchKernel"))
    }

    /// Waits until everything that was started has ended.
    pub fn synchronize(&self) -> Result<(), Error> {
        self.stream.synchronize().map_err(wrong("cuStreamSynchronize"))
    }
}

impl Program {
    /// The entry of this name.
    pub fn kernel(&self, name: &str) -> Result<Kernel<'_>, Error> {
        self.0.get_function(name).map(Kernel).map_err(wrong("cuModuleGetFunction"))
    }
}
