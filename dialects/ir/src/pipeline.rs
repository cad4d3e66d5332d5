//! Pass pipelines as text, run on an operation; failures come with the passes' diagnostics.

use crate::diagnostics::{Diagnostic, collect};
use crate::op::OpExt;
use crate::{Error, ffi, raw};
use melior::Context;
use melior::ir::{Module, OperationRef};
use mlir_sys::*;

/// Registers MLIR's own passes and those of the shim. Cheap when done already.
pub fn register_upstream_passes() {
    // SAFETY: no arguments; the shim does it once.
    unsafe { ffi::sconceRegisterUpstreamPasses() }
}

/// A parsed pipeline. Running one again is cheaper than parsing it again: passes keep their pattern sets.
pub struct Pipeline<'c> {
    raw: MlirPassManager,
    context: &'c Context,
}

impl<'c> Pipeline<'c> {
    /// Parses `text`: `builtin.module(canonicalize,func.func(cse))`, or the bare list inside the parentheses. `anchor` is the operation it runs on.
    ///
    /// # Errors
    ///
    /// [`Error::Failed`] with what MLIR has against the text: unknown passes, unknown options, wrong nesting.
    pub fn parse(context: &'c Context, anchor: &str, text: &str) -> Result<Self, Error> {
        register_upstream_passes();
        let text = text.trim();
        let inner = text
            .strip_prefix(anchor)
            .and_then(|rest| rest.trim_start().strip_prefix('('))
            .and_then(|rest| rest.strip_suffix(')'))
            .unwrap_or(text);
        // SAFETY: the context is valid and the anchor borrowed for the call; the manager is ours and destroyed on drop.
        let raw = unsafe { mlirPassManagerCreateOnOperation(context.to_raw(), raw::str_ref(anchor)) };
        let pipeline = Pipeline { raw, context };
        let mut message: Vec<u8> = Vec::new();
        let (added, mut diagnostics) = crate::diagnostics::collect(context, || {
            // SAFETY: the manager is valid, text and sink live through the call.
            unsafe {
                mlirOpPassManagerAddPipeline(
                    mlirPassManagerGetAsOpPassManager(raw),
                    raw::str_ref(inner),
                    Some(raw::push_bytes),
                    (&raw mut message).cast(),
                )
            }
        });
        if added.value == 0 {
            let message = String::from_utf8_lossy(&message);
            if !message.trim().is_empty() {
                diagnostics.push(crate::diagnostics::Diagnostic::error(message.trim()));
            }
            return Err(Error::Failed { what: "parse the pass pipeline", diagnostics });
        }
        Ok(pipeline)
    }

    /// Whether the verifier runs after each pass (it does at first).
    pub fn verify_each(&self, on: bool) -> &Self {
        // SAFETY: the manager is valid.
        unsafe { mlirPassManagerEnableVerifier(self.raw, on) }
        self
    }

    /// Prints a report of times to stderr when the pipeline is dropped.
    pub fn timing(&self) -> &Self {
        // SAFETY: the manager is valid.
        unsafe { mlirPassManagerEnableTiming(self.raw) }
        self
    }

    /// Runs it.
    ///
    /// # Errors
    ///
    /// [`Error::Failed`] with the diagnostics of the pass that failed; the operation may have changed.
    pub fn run(&self, op: OperationRef<'c, '_>) -> Result<(), Error> {
        self.run_with_remarks(op).map(drop)
    }

    /// The same, and what the passes said.
    ///
    /// # Errors
    ///
    /// As [`Pipeline::run`].
    pub fn run_with_remarks(&self, op: OperationRef<'c, '_>) -> Result<Vec<Diagnostic>, Error> {
        // SAFETY: manager and operation are valid.
        let run = || unsafe { mlirPassManagerRunOnOp(self.raw, op.to_raw()).value != 0 };
        match collect(self.context, run) {
            (true, said) => Ok(said),
            (false, diagnostics) => Err(Error::Failed { what: "run passes", diagnostics }),
        }
    }
}

impl Drop for Pipeline<'_> {
    fn drop(&mut self) {
        // SAFETY: the manager is ours and not used again.
        unsafe { mlirPassManagerDestroy(self.raw) }
    }
}

/// Parses a pipeline and runs it on `op`.
///
/// # Errors
///
/// As [`Pipeline::parse`] and [`Pipeline::run`].
pub fn run_pipeline(op: OperationRef<'_, '_>, text: &str) -> Result<(), Error> {
    Pipeline::parse(op.context_ref(), op.op_name(), text)?.run(op)
}

/// [`run_pipeline`] on a module.
///
/// # Errors
///
/// As [`Pipeline::parse`] and [`Pipeline::run`].
pub fn run_on_module(module: &Module<'_>, text: &str) -> Result<(), Error> {
    run_pipeline(module.as_operation(), text)
}

/// The same, with what the passes said.
///
/// # Errors
///
/// As [`Pipeline::parse`] and [`Pipeline::run`].
pub fn run_with_remarks(module: &Module<'_>, text: &str) -> Result<Vec<Diagnostic>, Error> {
    let op = module.as_operation();
    Pipeline::parse(op.context_ref(), op.op_name(), text)?.run_with_remarks(op)
}
