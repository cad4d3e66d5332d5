//! Rewrite patterns as closures, applied by MLIR's greedy driver. A panic in a pattern becomes a diagnostic and "no match".

use crate::op::OpExt;
use crate::pass::panic_text;
use crate::{Error, diagnostics, raw};
use melior::Context;
use melior::ir::operation::OperationLike;
use melior::ir::{Operation, OperationRef, Value, ValueLike};
use mlir_sys::*;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The hand that changes the IR while the driver watches: all changes inside a pattern must go through it.
#[derive(Clone, Copy)]
pub struct Rewriter<'r> {
    raw: MlirRewriterBase,
    _call: PhantomData<&'r ()>,
}

impl Rewriter<'_> {
    /// Puts an operation in front of the matched one (or at the current insertion point).
    pub fn insert<'c: 'a, 'a>(&self, op: Operation<'c>) -> OperationRef<'c, 'a> {
        // SAFETY: the rewriter is valid during the callback; the operation changes owner.
        unsafe { OperationRef::from_raw(mlirRewriterBaseInsert(self.raw, op.into_raw())) }
    }

    /// Sets the insertion point in front of `op`.
    pub fn insert_before(&self, op: OperationRef<'_, '_>) {
        // SAFETY: both are valid.
        unsafe { mlirRewriterBaseSetInsertionPointBefore(self.raw, op.to_raw()) }
    }

    /// Sets the insertion point behind `op`.
    pub fn insert_after(&self, op: OperationRef<'_, '_>) {
        // SAFETY: both are valid.
        unsafe { mlirRewriterBaseSetInsertionPointAfter(self.raw, op.to_raw()) }
    }

    /// Replaces the results and erases the operation.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] when the counts differ.
    pub fn replace(&self, op: OperationRef<'_, '_>, values: &[Value<'_, '_>]) -> Result<(), Error> {
        if op.result_count() != values.len() {
            return Err(Error::Invalid(format!(
                "'{}' has {} results, {} values were given to replace them",
                op.op_name(),
                op.result_count(),
                values.len()
            )));
        }
        let values: Vec<MlirValue> = values.iter().map(ValueLike::to_raw).collect();
        // SAFETY: all are valid, the counts equal.
        unsafe { mlirRewriterBaseReplaceOpWithValues(self.raw, op.to_raw(), values.len() as isize, values.as_ptr()) };
        Ok(())
    }

    /// Erases an operation whose results are unused.
    ///
    /// # Errors
    ///
    /// [`Error::StillUsed`] when they are not.
    pub fn erase(&self, op: OperationRef<'_, '_>) -> Result<(), Error> {
        if !op.is_unused() {
            return Err(Error::StillUsed(op.op_name().to_owned()));
        }
        // SAFETY: both are valid, and nothing uses the results.
        unsafe { mlirRewriterBaseEraseOp(self.raw, op.to_raw()) };
        Ok(())
    }

    /// Changes an operation in place (attributes, operands), and tells the driver.
    pub fn modify<T>(&self, op: OperationRef<'_, '_>, change: impl FnOnce() -> T) -> T {
        // SAFETY: both are valid.
        unsafe { mlirRewriterBaseStartOpModification(self.raw, op.to_raw()) };
        let value = change();
        // SAFETY: both are valid: `change` may not erase the operation.
        unsafe { mlirRewriterBaseFinalizeOpModification(self.raw, op.to_raw()) };
        value
    }

    /// Lets everything that uses `from` use `to`.
    pub fn replace_uses(&self, from: Value<'_, '_>, to: Value<'_, '_>) {
        // SAFETY: all are valid.
        unsafe { mlirRewriterBaseReplaceAllUsesWith(self.raw, from.to_raw(), to.to_raw()) }
    }
}

/// Says whether it changed something.
type Rewrite = dyn for<'c, 'a> Fn(OperationRef<'c, 'a>, Rewriter<'_>) -> Result<bool, Error>;

/// Patterns, each for operations of one name.
pub struct PatternSet<'c> {
    raw: MlirRewritePatternSet,
    context: &'c Context,
}

impl<'c> PatternSet<'c> {
    /// No patterns.
    pub fn new(context: &'c Context) -> Self {
        // SAFETY: the context is valid; the set is ours.
        PatternSet { raw: unsafe { mlirRewritePatternSetCreate(context.to_raw()) }, context }
    }

    /// Adds a pattern for operations called `root`. Higher benefits are tried first. `rewrite` says whether it changed something; what it returns as an
    /// error becomes a diagnostic, and counts as no match: nothing may have been changed then.
    pub fn add<F>(&self, root: &str, benefit: u16, rewrite: F) -> &Self
    where
        F: for<'x, 'a> Fn(OperationRef<'x, 'a>, Rewriter<'_>) -> Result<bool, Error> + 'static,
    {
        let rewrite: Box<Box<Rewrite>> = Box::new(Box::new(rewrite));
        let callbacks = MlirRewritePatternCallbacks {
            construct: None,
            destruct: Some(destroy),
            matchAndRewrite: Some(match_and_rewrite),
        };
        // SAFETY: all are valid; MLIR copies the name, owns the pattern, and gives the box back to `destroy`.
        unsafe {
            let pattern = mlirOpRewritePatternCreate(
                raw::str_ref(root),
                u32::from(benefit),
                self.context.to_raw(),
                callbacks,
                Box::into_raw(rewrite).cast(),
                0,
                std::ptr::null_mut(),
            );
            mlirRewritePatternSetAdd(self.raw, pattern);
        }
        self
    }

    /// Gets the set ready for use.
    pub fn freeze(self) -> FrozenPatterns {
        // SAFETY: the set is ours and moves into the frozen one.
        let raw = unsafe { mlirFreezeRewritePattern(self.raw) };
        // SAFETY: what is left of the set is an empty shell, ours to destroy.
        drop(self);
        FrozenPatterns { raw }
    }
}

impl Drop for PatternSet<'_> {
    fn drop(&mut self) {
        // SAFETY: the set is ours; freezing moves the patterns out and leaves it empty.
        unsafe { mlirRewritePatternSetDestroy(self.raw) }
    }
}

/// Patterns ready for use.
pub struct FrozenPatterns {
    raw: MlirFrozenRewritePatternSet,
}

impl FrozenPatterns {
    /// Applies the patterns to everything inside `op` until nothing changes, folding on the way and removing what is dead.
    ///
    /// # Errors
    ///
    /// [`Error::Failed`] when it does not come to rest.
    pub fn apply(&self, op: OperationRef<'_, '_>) -> Result<(), Error> {
        // SAFETY: the configuration is made, used and destroyed here; operation and patterns are valid, and the driver only borrows them.
        let (result, diagnostics) = diagnostics::collect(op.context_ref(), || unsafe {
            let config = mlirGreedyRewriteDriverConfigCreate();
            let result = mlirApplyPatternsAndFoldGreedilyWithOp(op.to_raw(), self.raw, config);
            mlirGreedyRewriteDriverConfigDestroy(config);
            result
        });
        let failed = diagnostics.iter().any(|d| d.severity == diagnostics::Severity::Error);
        if result.value == 0 || failed {
            return Err(Error::Failed { what: "apply the patterns: they do not come to rest", diagnostics });
        }
        Ok(())
    }
}

impl Drop for FrozenPatterns {
    fn drop(&mut self) {
        // SAFETY: the set is ours.
        unsafe { mlirFrozenRewritePatternSetDestroy(self.raw) }
    }
}

unsafe extern "C" fn destroy(user: *mut c_void) {
    // SAFETY: `user` is the box that `add` made, given back once.
    drop(unsafe { Box::from_raw(user.cast::<Box<Rewrite>>()) });
}

unsafe extern "C" fn match_and_rewrite(
    _pattern: MlirRewritePattern,
    op: MlirOperation,
    rewriter: MlirPatternRewriter,
    user: *mut c_void,
) -> MlirLogicalResult {
    // SAFETY: MLIR passes a valid operation and rewriter, and the box that `add` made, which lives as long as the pattern.
    let (op, rewriter, rewrite): (OperationRef<'_, '_>, _, &Rewrite) = unsafe {
        let raw = mlirPatternRewriterAsBase(rewriter);
        (OperationRef::from_raw(op), Rewriter { raw, _call: PhantomData }, &**user.cast::<Box<Rewrite>>())
    };
    let location = op.location();
    let changed = match catch_unwind(AssertUnwindSafe(|| rewrite(op, rewriter))) {
        Ok(Ok(changed)) => changed,
        Ok(Err(error)) => {
            diagnostics::emit_error(location, &error.to_string());
            false
        }
        Err(panic) => {
            diagnostics::emit_error(location, &format!("internal error: {}", panic_text(panic.as_ref())));
            false
        }
    };
    MlirLogicalResult { value: i8::from(changed) }
}
