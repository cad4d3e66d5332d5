//! The few types and attributes of the LLVM dialect that calls of compiled code are made of, by their parts.

use crate::{Attribute, Context};
use melior::ir::{Type, TypeLike};
use mlir_sys::*;

/// `!llvm.ptr`
pub fn pointer(context: &Context) -> Type<'_> {
    // SAFETY: the context is valid, and 0 is the address space of everything.
    unsafe { Type::from_raw(mlirLLVMPointerTypeGet(context.to_raw(), 0)) }
}

/// `!llvm.func<void (arguments)>`
pub fn procedure<'c>(context: &'c Context, arguments: &[Type<'c>]) -> Type<'c> {
    let raw: Vec<MlirType> = arguments.iter().map(TypeLike::to_raw).collect();
    // SAFETY: context and types are valid; MLIR copies the list.
    unsafe {
        let void = mlirLLVMVoidTypeGet(context.to_raw());
        Type::from_raw(mlirLLVMFunctionTypeGet(void, raw.len() as isize, raw.as_ptr(), false))
    }
}

/// Whom a function is there for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Linkage {
    /// `#llvm.linkage<internal>`
    Internal,
    /// `#llvm.linkage<external>`
    External,
}

impl Linkage {
    pub fn attribute(self, context: &Context) -> Attribute<'_> {
        let linkage = match self {
            Linkage::Internal => MlirLLVMLinkage_MlirLLVMLinkageInternal,
            Linkage::External => MlirLLVMLinkage_MlirLLVMLinkageExternal,
        };
        // SAFETY: the context is valid.
        unsafe { Attribute::from_raw(mlirLLVMLinkageAttrGet(context.to_raw(), linkage)) }
    }
}

/// `#llvm.cconv<ccc>`: called as C calls.
pub fn c_convention(context: &Context) -> Attribute<'_> {
    // SAFETY: the context is valid.
    unsafe { Attribute::from_raw(mlirLLVMCConvAttrGet(context.to_raw(), MlirLLVMCConv_MlirLLVMCConvC)) }
}
