//! Names of values as the text of an operation shows them: `%0`, `%arg1`.

use crate::raw;
use melior::ir::operation::OperationRef;
use melior::ir::{Value, ValueLike};
use mlir_sys::{MlirAsmState, MlirOpPrintingFlags, MlirStringRef};
use std::ffi::c_void;
use std::marker::PhantomData;

/// The names in one operation's text, as long as nothing changes there.
pub struct ValueNames<'a> {
    state: MlirAsmState,
    flags: MlirOpPrintingFlags,
    of: PhantomData<&'a ()>,
}

impl<'a> ValueNames<'a> {
    /// Those in the text of an operation.
    pub fn of(op: OperationRef<'_, 'a>) -> Self {
        // SAFETY: the operation is valid; both are destroyed with this.
        unsafe {
            let flags = mlir_sys::mlirOpPrintingFlagsCreate();
            let state = mlir_sys::mlirAsmStateCreateForOperation(op.to_raw(), flags);
            ValueNames { state, flags, of: PhantomData }
        }
    }

    /// The name of a value of it.
    pub fn name(&self, value: Value<'_, '_>) -> String {
        unsafe extern "C" fn push(text: MlirStringRef, user: *mut c_void) {
            // SAFETY: `user` is the text below, which nothing else uses during the call.
            unsafe { (*user.cast::<String>()).push_str(raw::as_str(text)) }
        }
        let mut name = String::new();
        // SAFETY: value and state are valid, and `name` lives through the call.
        unsafe {
            mlir_sys::mlirValuePrintAsOperand(value.to_raw(), self.state, Some(push), (&raw mut name).cast());
        }
        name
    }
}

impl Drop for ValueNames<'_> {
    fn drop(&mut self) {
        // SAFETY: made in `of`, and nobody else's.
        unsafe {
            mlir_sys::mlirAsmStateDestroy(self.state);
            mlir_sys::mlirOpPrintingFlagsDestroy(self.flags);
        }
    }
}
