//! LLVM code from modules in the LLVM dialect: text, objects, and objects linked into this process.
//!
//! Compiling and loading are apart: [`emit`] makes an object's bytes, which a caller may keep in a cache or write to a file, and [`Jit::add`] links bytes,
//! wherever they come from.

use crate::diagnostics::capture;
use crate::{Error, ffi, raw};
use melior::ir::Module;
use std::ffi::c_void;
use std::ptr::NonNull;

/// What to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emit {
    /// LLVM IR as text, after the optimiser.
    LlvmIr,
    /// LLVM bitcode, after the optimiser.
    Bitcode,
    /// Assembly text.
    Assembly,
    /// A relocatable object.
    Object,
}

/// For which machine, and how hard to try.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    /// Empty: this machine's.
    pub triple: String,
    /// Empty: this machine's.
    pub cpu: String,
    /// Such as `+avx2,+fma`. Empty, with an empty `cpu`: this machine's.
    pub features: String,
    /// LLVM's middle end, 0 to 3.
    pub opt_level: u32,
    /// LLVM's code generator, 0 to 3.
    pub codegen_level: u32,
    /// Position-independent code of the small model: for shared objects and for loaders that place code themselves.
    pub pic: bool,
    /// Let multiplications and additions fuse, also where the operations do not say so.
    pub contract: bool,
}

impl Default for Target {
    /// This machine, optimised, as [`Jit`] wants it.
    fn default() -> Self {
        Target {
            triple: String::new(),
            cpu: String::new(),
            features: String::new(),
            opt_level: 2,
            codegen_level: 2,
            pic: false,
            contract: false,
        }
    }
}

impl Target {
    /// No optimisation: the quickest way to code. Right for kernels that MLIR has vectorised and unrolled already.
    pub fn quick() -> Self {
        Target { opt_level: 0, codegen_level: 0, ..Target::default() }
    }

    /// Position-independent, for objects that become shared libraries.
    pub fn ahead_of_time() -> Self {
        Target { pic: true, ..Target::default() }
    }
}

/// This machine as LLVM sees it; part of any cache's key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Host {
    /// `x86_64-unknown-linux-gnu`
    pub triple: String,
    /// `sapphirerapids`
    pub cpu: String,
    /// `+avx2,+fma,…`
    pub features: String,
}

/// Asks for this machine.
pub fn host() -> Host {
    // One list for three answers, each after the other.
    unsafe extern "C" fn push(text: mlir_sys::MlirStringRef, user: *mut c_void) {
        // SAFETY: `user` is the list below, which nothing else uses during the call.
        unsafe { (*user.cast::<Vec<String>>()).push(raw::as_str(text).to_owned()) }
    }
    let mut answers: Vec<String> = Vec::new();
    // SAFETY: `answers` lives through the call.
    unsafe { ffi::sconceHost(push, push, push, (&raw mut answers).cast()) };
    let mut answers = answers.into_iter();
    let mut next = || answers.next().unwrap_or_default();
    Host { triple: next(), cpu: next(), features: next() }
}

/// Compiles a module of the LLVM dialect.
///
/// # Errors
///
/// [`Error::Failed`] when an operation has no translation or the target is unknown.
pub fn emit(module: &Module<'_>, target: &Target, what: Emit) -> Result<Vec<u8>, Error> {
    let c = ffi::Target {
        triple: raw::str_ref(&target.triple),
        cpu: raw::str_ref(&target.cpu),
        features: raw::str_ref(&target.features),
        opt_level: target.opt_level.min(3),
        codegen_level: target.codegen_level.min(3),
        pic: target.pic,
        contract: target.contract,
    };
    let what = match what {
        Emit::LlvmIr => 0,
        Emit::Bitcode => 1,
        Emit::Assembly => 2,
        Emit::Object => 3,
    };
    let context = crate::OpExt::context_ref(module.as_operation());
    let mut bytes: Vec<u8> = Vec::new();
    capture(context, "generate code", || {
        // SAFETY: module and target are valid for the call, and so is the sink's list.
        let done = unsafe { ffi::sconceEmitCode(module.to_raw(), &c, what, raw::push_bytes, (&raw mut bytes).cast()) };
        (done.value != 0).then_some(())
    })?;
    Ok(bytes)
}

/// [`emit`] for the kinds that are text.
///
/// # Errors
///
/// As [`emit`].
pub fn emit_text(module: &Module<'_>, target: &Target, what: Emit) -> Result<String, Error> {
    Ok(String::from_utf8_lossy(&emit(module, target, what)?).into_owned())
}

/// Objects linked into this process. Each object (*unit*) has a name space of its own, sees the process's symbols and those of [`Jit::define`],
/// and not the other units'.
pub struct Jit {
    raw: NonNull<ffi::Jit>,
}

// SAFETY: LLJIT serialises what its methods do with a session lock; the shim's wrapper holds nothing else that changes.
unsafe impl Send for Jit {}
// SAFETY: as for Send.
unsafe impl Sync for Jit {}

fn answer<T>(call: impl FnOnce(*mut c_void) -> Option<T>) -> Result<T, Error> {
    let mut message: Vec<u8> = Vec::new();
    let value = call((&raw mut message).cast());
    value.ok_or_else(|| Error::Jit(String::from_utf8_lossy(&message).into_owned()))
}

impl Jit {
    /// An empty one; costs about half a millisecond.
    ///
    /// # Errors
    ///
    /// [`Error::Jit`] when LLVM has no code generator for this machine.
    pub fn new() -> Result<Self, Error> {
        // SAFETY: the sink's list lives through the call; what comes back is ours.
        answer(|user| unsafe { NonNull::new(ffi::sconceJitCreate(raw::push_bytes, user)) }).map(|raw| Jit { raw })
    }

    /// Makes `address` known as `name` to units added later.
    ///
    /// # Errors
    ///
    /// [`Error::Jit`] when the name is taken.
    ///
    /// # Safety
    ///
    /// `address` must stay valid as long as code that refers to it may run.
    pub unsafe fn define(&self, name: &str, address: *mut c_void) -> Result<(), Error> {
        // SAFETY: the linker is valid, the name borrowed, and the caller vouches for the address.
        answer(|user| unsafe {
            ffi::sconceJitDefine(self.raw.as_ptr(), raw::str_ref(name), address, raw::push_bytes, user).then_some(())
        })
    }

    /// Links an object under the name `unit`, which must be new.
    ///
    /// # Errors
    ///
    /// [`Error::Jit`] when the name is taken or the bytes are no object of this machine.
    ///
    /// # Safety
    ///
    /// The bytes must be an object that was made by a trusted compiler: its code will run.
    pub unsafe fn add(&self, unit: &str, object: &[u8]) -> Result<(), Error> {
        // SAFETY: the linker is valid, bytes and name are borrowed for the call and copied.
        answer(|user| unsafe {
            ffi::sconceJitAdd(self.raw.as_ptr(), raw::bytes_ref(object), raw::str_ref(unit), raw::push_bytes, user)
                .then_some(())
        })
    }

    /// The address of a symbol of `unit`. Relocations are applied at the first look-up; unresolved symbols show then.
    ///
    /// # Errors
    ///
    /// [`Error::Jit`] when there is no such unit or symbol, or a symbol it needs is missing.
    pub fn lookup(&self, unit: &str, name: &str) -> Result<NonNull<c_void>, Error> {
        // SAFETY: the linker is valid, the names borrowed for the call.
        answer(|user| unsafe {
            NonNull::new(ffi::sconceJitLookup(
                self.raw.as_ptr(),
                raw::str_ref(unit),
                raw::str_ref(name),
                raw::push_bytes,
                user,
            ))
        })
    }

    /// Unloads a unit.
    ///
    /// # Errors
    ///
    /// [`Error::Jit`] when there is no such unit.
    ///
    /// # Safety
    ///
    /// Nothing may run or keep code or data of the unit.
    pub unsafe fn remove(&self, unit: &str) -> Result<(), Error> {
        // SAFETY: the linker is valid, the name borrowed for the call.
        answer(|user| unsafe {
            ffi::sconceJitRemove(self.raw.as_ptr(), raw::str_ref(unit), raw::push_bytes, user).then_some(())
        })
    }
}

impl Drop for Jit {
    fn drop(&mut self) {
        // SAFETY: it is ours and not used again. Code of its units must not run any more: whoever looked it up has promised to keep the `Jit`.
        unsafe { ffi::sconceJitDestroy(self.raw.as_ptr()) }
    }
}
