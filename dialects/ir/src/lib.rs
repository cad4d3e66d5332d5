//! The safe face of MLIR: the only crate that names `mlir-sys` or the C++ shim, and whatever it gives out is checked first.
//!
//! Handles (`Context`, `Module`, `OperationRef`, `Value`, `Type`, `Attribute`, …) are melior's, re-exported here. What melior lacks, or gets
//! wrong (it panics on empty strings, aborts when a callback panics, prints a whole operation into each "no such attribute"), is in these modules:
//!
//! | module | what |
//! |---|---|
//! | [`context`] | contexts in which every dialect is registered |
//! | [`text`] | parse, verify, print, with options |
//! | [`diagnostics`] | MLIR's messages as values, with places and notes; [`Error`] holds them |
//! | [`location`] | reading locations apart |
//! | [`op`] | extension traits [`OpExt`], [`BlockExt`], [`RegionExt`], [`ValueExt`]: read, walk, rewrite |
//! | [`builder`] | building operations in a place |
//! | [`attr`] | attributes made and read |
//! | [`builtin_type`] | integers, floats, tensors, buffers and vectors by their parts |
//! | [`affine`] | maps of dimensions as lists |
//! | [`table`] | operators as rows, for `sconce-torch` |
//! | [`torch_type`] | types of the torch dialect taken apart and put together |
//! | [`pipeline`] | pass pipelines from text |
//! | [`pass`] | passes written in Rust, in MLIR's registry (authors use `sconce-pass`) |
//! | [`pattern`] | rewrite patterns as closures, and the greedy driver |
//! | [`codegen`] | LLVM IR, assembly, objects |
//! | [`gpu`] | PTX and cubins out of `gpu.binary` |
//! | [`tools`] | `mlir-opt`, `mlir-translate`, the language server as functions |
//!
//! ```
//! use sconce_ir::prelude::*;
//!
//! let context = sconce_ir::context::new(false);
//! let source = b"func.func @f(%a: i32) -> i32 { %b = arith.addi %a, %a : i32  return %b : i32 }";
//! let module = parse_module(&context, source, "f.mlir")?;
//!
//! // Read: every addition and where it is.
//! let adds = module.as_operation().find_all("arith.addi");
//! assert_eq!(adds[0].operand_values().len(), 2);
//!
//! // Rewrite: a + a = a << 1.
//! for add in adds {
//!     let at = Builder::before(add);
//!     let i32_type = add.result_types()[0];
//!     let one = at.op("arith.constant", add.location()).attr("value", attr::int(&context, 32, 1)).results(&[i32_type]).build_value()?;
//!     let a = add.operand_values()[0];
//!     let shifted = at.op("arith.shli", add.location()).operands(&[a, one]).results(&[i32_type]).build_value()?;
//!     add.replace_with(&[shifted])?;
//! }
//! run_on_module(&module, "canonicalize,cse")?;
//! assert!(print(module.as_operation(), &PrintOptions::default()).contains("arith.shli"));
//!
//! // Mistakes are values with places.
//! let error = parse_module(&context, b"func.func @f() {", "g.mlir").err().unwrap();
//! assert!(error.to_string().starts_with("g.mlir:1:"));
//! # Ok::<(), sconce_ir::Error>(())
//! ```

pub mod affine;
pub mod attr;
pub mod builder;
pub mod builtin_type;
pub mod bytecode;
pub mod codegen;
pub mod context;
pub mod diagnostics;
mod error;
mod ffi;
pub mod gpu;
pub mod llvm_type;
pub mod location;
pub mod op;
pub mod pass;
pub mod pattern;
pub mod pipeline;
mod raw;
pub mod table;
pub mod text;
pub mod tools;
pub mod torch_type;
pub mod value_names;

pub use error::Error;
pub use melior::Context;
pub use melior::ir::block::BlockArgument;
pub use melior::ir::operation::{OperationLike, OperationResult};
pub use melior::ir::r#type::FunctionType;
pub use melior::ir::{
    AffineExpr, AffineMap, Attribute, AttributeLike, Block, BlockLike, BlockRef, Identifier, Location, Module,
    Operation, OperationRef, Region, RegionLike, RegionRef, Type, TypeLike, Value, ValueLike,
};
pub use op::{BlockExt, OpExt, RegionExt, ValueExt};

/// Everything that code over the IR uses all the time.
pub mod prelude {
    pub use crate::attr;
    pub use crate::builder::{Builder, OpState};
    pub use crate::context;
    pub use crate::op::{BlockExt, Folded, OpExt, RegionExt, SymbolTable, Use, ValueExt, Walk, op_ref};
    pub use crate::pipeline::{Pipeline, run_on_module, run_pipeline, run_with_remarks};
    pub use crate::text::{
        PlacedText, PrintOptions, parse_attribute, parse_module, parse_module_file, parse_module_unverified,
        parse_type, print, print_module_with_locations, print_placed, through_text, verify,
    };
    pub use crate::{
        AffineExpr, AffineMap, Attribute, Block, BlockRef, Context, Error, Identifier, Location, Module, Operation,
        OperationRef, Region, RegionRef, Type, Value,
    };
    pub use melior::ir::attribute::AttributeLike;
    pub use melior::ir::block::BlockLike;
    pub use melior::ir::operation::OperationLike;
    pub use melior::ir::{RegionLike, ShapedTypeLike, TypeLike, ValueLike};
}
