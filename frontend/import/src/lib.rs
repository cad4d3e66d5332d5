//! Compilation units and the torch dialect say the same: a unit that becomes a module and comes back has the same classes, schemas and graphs.
//!
//! | in the unit | in MLIR |
//! |---|---|
//! | a function or method | `func.func @"__torch__.m.M.forward"`, parameters' names on the locations, `torch.schema` with types and defaults |
//! | a class | `torch.class_type` with `torch.class_kind`; attributes as `torch.attr`, constants as `torch.attr` with `torch.constant`, methods as `torch.method` |
//! | an interface's methods | `torch.methods = ["forward(__torch__.m.I self, Tensor x) -> Tensor"]` |
//! | a node | the operation that [`text::node`] makes of it |
//! | `prim::CallFunction` of a function of the unit | `func.constant` and `func.call_indirect` |
//! | a constant that graph text cannot say | `torch.operator "prim.Constant"` with `torch.value`, see [`constants`] |
//! | an object | `torch.nn_module`, its attributes as `torch.slot`; `torch.storage` is one number for tensors that share memory |
//! | a value that only has a name | `torch.operator "sconce.named_constant"`; one that no constant can be: `torch.prim.Uninitialized` |
//! | a composite operator's definition | a function of that name, see [`definition_to_dialect`] |
//! | the graph of a `prim::fork` | a private function, named in `torch.subgraph` |
#![forbid(unsafe_code)]

mod classes;
pub mod constants;
mod definition;
mod from_dialect;
pub mod function_schema;
mod objects;
mod program;
pub mod text;
mod to_dialect;

pub use classes::read as class_from_dialect;
pub use definition::definition_to_dialect;
pub use from_dialect::{from_dialect, function_from_dialect};
pub use objects::root_class;
pub use program::program_from_dialect;
pub use to_dialect::{to_dialect, with_object};

use sconce_schema::Type;

/// Why a unit cannot become a module, or a module no unit.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Ir(#[from] sconce_ir::Error),
    #[error(transparent)]
    Graph(#[from] crate::text::Error),
    #[error("{function}: the torch dialect has no type {ty}")]
    NoType { function: String, ty: Type },
    #[error("{function}: {place}a value of type {from} is passed on as {to}")]
    PassedOn { function: String, place: String, from: Type, to: Type },
    #[error("{function}: {place}a loop goes on by a bool, this is of type {ty}")]
    Condition { function: String, place: String, ty: Type },
    #[error("{function}: {place}a constant of type {ty} cannot be written")]
    Constant { function: String, place: String, ty: Type },
    #[error("{function}: {what} is used where it is not defined")]
    Undefined { function: String, what: String },
    #[error("{function}: graphs within graphs nest too deeply")]
    TooDeep { function: String },
    /// An operation that no node says.
    #[error("{}{message}", place.as_ref().map(|p| format!("{p}: ")).unwrap_or_default())]
    Inexpressible { place: Option<sconce_ir::location::Place>, message: String },
}
