//! The CUDA driver, found at run time: without one, programs build, start, and are told so.
//!
//! `cust` wants the driver's library when it is linked. Here it gets an empty one and forwarders ([`forward`]), which answer "no device" until
//! [`Gpu::first`] has opened `libcuda.so.1`.
//!
//! ```
//! match sconce_cuda::Gpu::first() {
//!     Ok(gpu) => println!("{}", gpu.name()),
//!     Err(why) => println!("no GPU: {why}"),
//! }
//! ```

#[cfg(target_os = "linux")]
mod driver;
#[cfg(not(target_os = "linux"))]
#[path = "absent.rs"]
mod driver;
#[cfg(target_os = "linux")]
mod forward;

pub use driver::{Buffer, Gpu, Kernel, Program};

/// Why something cannot run on a GPU.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error("no NVIDIA driver (libcuda.so.1 cannot be opened)")]
    NoDriver,
    #[error("no NVIDIA GPU")]
    NoDevice,
    #[error("the GPU is of architecture sm_{have}, and the code is for {want}")]
    Architecture { have: u32, want: String },
    #[error("{what}: {message}")]
    Driver { what: &'static str, message: String },
}

/// A kernel's argument.
#[derive(Clone, Copy, Debug)]
pub enum Argument<'a> {
    /// The address of a buffer on the GPU, plus bytes.
    Buffer(&'a Buffer, usize),
    I64(i64),
    I32(i32),
    F32(f32),
    F64(f64),
}
