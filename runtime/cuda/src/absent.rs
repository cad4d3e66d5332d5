//! Systems without a CUDA driver: there is never a GPU, so nothing else can be reached.

use crate::{Argument, Error};
use std::convert::Infallible;

/// Never made.
pub struct Gpu(Infallible);
/// Never made.
pub struct Program(Infallible);
/// Never made.
pub struct Kernel<'p>(Infallible, std::marker::PhantomData<&'p ()>);
/// Never made.
#[derive(Debug)]
pub struct Buffer(Infallible);

impl Gpu {
    pub fn first() -> Result<Gpu, Error> {
        Err(Error::NoDriver)
    }
    pub fn name(&self) -> &str {
        match self.0 {}
    }
    pub fn architecture(&self) -> u32 {
        match self.0 {}
    }
    pub fn load(&self, _ptx: &str) -> Result<Program, Error> {
        match self.0 {}
    }
    pub fn buffer(&self, _bytes: usize) -> Result<Buffer, Error> {
        match self.0 {}
    }
    pub fn upload(&self, _data: &[u8]) -> Result<Buffer, Error> {
        match self.0 {}
    }
    pub fn download(&self, _buffer: &Buffer, _data: &mut [u8]) -> Result<(), Error> {
        match self.0 {}
    }
    /// # Safety
    /// Cannot be called.
    pub unsafe fn launch(
        &self,
        _kernel: &Kernel<'_>,
        _grid: [u32; 3],
        _block: [u32; 3],
        _arguments: &[Argument<'_>],
    ) -> Result<(), Error> {
        match self.0 {}
    }
    pub fn synchronize(&self) -> Result<(), Error> {
        match self.0 {}
    }
}

impl Program {
    pub fn kernel(&self, _name: &str) -> Result<Kernel<'_>, Error> {
        match self.0 {}
    }
}
