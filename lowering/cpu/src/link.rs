//! Objects into this process through ORC: one linker for all regions, each object unloaded with its region.

use crate::{ENTRY, RegionObject};
use sconce_exec::{Entry, NativeRegion, RegionSpec};
use sconce_ir::jit::Jit;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// An object in the process; unloaded when the last region that uses it is gone.
struct Unit {
    linker: Arc<Linker>,
    name: String,
}

/// Links objects into this process.
pub struct Linker {
    jit: Jit,
    next: AtomicU64,
    // ORC serialises by itself; this keeps adding and looking up one object together.
    adding: Mutex<()>,
}

impl Drop for Unit {
    fn drop(&mut self) {
        // SAFETY: the region that held the code is gone, and nothing else has its address. A failure leaves the code loaded, which is harmless.
        let _ = unsafe { self.linker.jit.remove(&self.name) };
    }
}

impl Linker {
    pub fn new() -> Result<Arc<Linker>, sconce_ir::Error> {
        let jit = Jit::new()?;
        // SAFETY: functions of this process, which stay.
        unsafe {
            jit.define("aligned_alloc", sconce_exec::aligned_alloc as *const () as *mut _)?;
            jit.define("free", sconce_exec::free as *const () as *mut _)?;
        }
        Ok(Arc::new(Linker { jit, next: AtomicU64::new(0), adding: Mutex::new(()) }))
    }

    /// Loads a region that [`crate::compile_regions`] compiled in this process.
    ///
    /// # Errors
    /// What ORC refuses, such as a symbol that nothing defines.
    pub fn link(self: &Arc<Linker>, region: &RegionObject) -> Result<NativeRegion, sconce_ir::Error> {
        // SAFETY: nobody else makes a `RegionObject`, and it was compiled for this processor.
        unsafe { self.load(region.spec.clone(), &region.object) }
    }

    /// Loads an object that [`crate::compile`] made for a region of this spec.
    ///
    /// # Safety
    /// The object was made by [`crate::compile`] for this spec and this processor.
    pub unsafe fn load(self: &Arc<Linker>, spec: RegionSpec, object: &[u8]) -> Result<NativeRegion, sconce_ir::Error> {
        let _guard = self.adding.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let name = format!("{}.{}", spec.name, self.next.fetch_add(1, Ordering::Relaxed));
        // SAFETY: the caller vouches for the object.
        unsafe { self.jit.add(&name, object)? };
        let unit = Unit { linker: self.clone(), name };
        let address = self.jit.lookup(&unit.name, ENTRY)?;
        // SAFETY: `ENTRY` is a function of this type in every object that `compile` makes.
        let entry: Entry = unsafe { std::mem::transmute::<*mut std::ffi::c_void, Entry>(address.as_ptr()) };
        // SAFETY: the caller vouches for code and spec; the unit keeps the code mapped.
        Ok(unsafe { NativeRegion::new(spec, entry, Arc::new(unit)) })
    }
}
