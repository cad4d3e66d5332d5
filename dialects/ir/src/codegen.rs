//! LLVM code from modules in the LLVM dialect: text, and objects that the runtime loads without LLVM.
//!
//! All code is position-independent and of the small model: whoever loads it puts its sections near each other, and functions of others behind jumps.

use crate::diagnostics::capture;
use crate::{Error, ffi, raw};
use melior::ir::Module;
use std::ffi::{c_uint, c_void};
use std::sync::OnceLock;

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
    /// Let multiplications and additions fuse, also where the operations do not say so.
    pub contract: bool,
    /// Before each access to memory, call the function that checks it: `__asan_load4_noabort` and its kin. What tests of compiled code use.
    pub checked: bool,
}

impl Default for Target {
    /// This machine, optimised.
    fn default() -> Self {
        Target {
            triple: String::new(),
            cpu: String::new(),
            features: String::new(),
            opt_level: 2,
            codegen_level: 2,
            contract: false,
            checked: false,
        }
    }
}

impl Target {
    /// The name and the features of its processor, this machine's where nothing else is said.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] when there is no such processor.
    pub fn processor(&self) -> Result<(String, String), Error> {
        if self.is_host() {
            let host = host();
            return Ok((host.cpu.clone(), host.features.clone()));
        }
        unsafe extern "C" fn features(text: mlir_sys::MlirStringRef, user: *mut c_void) {
            // SAFETY: `user` is the answer below, which nothing else uses during the call.
            unsafe { *user.cast::<Result<String, String>>() = Ok(raw::as_str(text).to_owned()) }
        }
        unsafe extern "C" fn error(text: mlir_sys::MlirStringRef, user: *mut c_void) {
            // SAFETY: as above.
            unsafe { *user.cast::<Result<String, String>>() = Err(raw::as_str(text).to_owned()) }
        }
        let mut answer: Result<String, String> = Ok(String::new());
        // SAFETY: target and answer live through the call.
        unsafe { ffi::sconceFeatures(&self.raw(), features, error, (&raw mut answer).cast()) };
        answer.map(|features| (self.cpu.clone(), features)).map_err(Error::Invalid)
    }

    /// Whether code is for this machine's processor.
    pub fn is_host(&self) -> bool {
        self.triple.is_empty() && self.cpu.is_empty() && self.features.is_empty()
    }

    fn raw(&self) -> ffi::Target {
        ffi::Target {
            triple: raw::str_ref(&self.triple),
            cpu: raw::str_ref(&self.cpu),
            features: raw::str_ref(&self.features),
            opt_level: self.opt_level.min(3),
            codegen_level: self.codegen_level.min(3),
            contract: self.contract,
            checked: self.checked,
        }
    }

    /// No optimisation: the quickest way to code. Right for kernels that MLIR has vectorised and unrolled already.
    pub fn quick() -> Self {
        Target { opt_level: 0, codegen_level: 0, ..Target::default() }
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

/// This machine, which is asked for once.
pub fn host() -> &'static Host {
    static HOST: OnceLock<Host> = OnceLock::new();
    HOST.get_or_init(asked_host)
}

fn asked_host() -> Host {
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
    let c = target.raw();
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

/// The LLVM IR of [`emit`], and of each line with an instruction the line of its source: the location's, whichever file that names, where the functions have debug
/// scopes. The text says nothing of either.
///
/// # Errors
///
/// As [`emit`].
pub fn emit_placed_llvm(module: &Module<'_>, target: &Target) -> Result<(String, Vec<(u32, u32)>), Error> {
    /// What the shim says.
    #[derive(Default)]
    struct Said {
        bytes: Vec<u8>,
        lines: Vec<(u32, u32)>,
    }
    unsafe extern "C" fn text(text: mlir_sys::MlirStringRef, user: *mut c_void) {
        // SAFETY: `user` is what is said below, which nothing else uses during the call.
        unsafe { (*user.cast::<Said>()).bytes.extend_from_slice(raw::as_bytes(text)) }
    }
    unsafe extern "C" fn line(line: c_uint, source: c_uint, user: *mut c_void) {
        // SAFETY: as above.
        unsafe { (*user.cast::<Said>()).lines.push((line, source)) }
    }
    let c = target.raw();
    let context = crate::OpExt::context_ref(module.as_operation());
    let mut said = Said::default();
    capture(context, "generate code", || {
        // SAFETY: module and target are valid for the call, and so is what is said.
        let done = unsafe { ffi::sconceEmitPlacedLlvm(module.to_raw(), &c, text, line, (&raw mut said).cast()) };
        (done.value != 0).then_some(())
    })?;
    Ok((String::from_utf8_lossy(&said.bytes).into_owned(), said.lines))
}

/// [`emit`] for the kinds that are text.
///
/// # Errors
///
/// As [`emit`].
pub fn emit_text(module: &Module<'_>, target: &Target, what: Emit) -> Result<String, Error> {
    Ok(String::from_utf8_lossy(&emit(module, target, what)?).into_owned())
}
