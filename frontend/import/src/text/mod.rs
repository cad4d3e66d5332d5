//! Graph text and the torch dialect say the same: a listing that is imported, written as `.mlir`, read back and exported has the same bytes. Between them
//! stands a graph that prints as it was written (`sconce_graph::listing`).
//!
//! | graph text | in MLIR |
//! |---|---|
//! | a listing | `func.func @NAME`, inputs as arguments, `return (…)` as `func.return` |
//! | `aten::add(%a, %b, %c)` | the overload its operands mean: `torch.aten.add.Tensor`. What no overload takes, or nobody knows: `torch.operator "ns.name"` |
//! | `prim::If`, `prim::GetAttr`, … | the structural operation of that name; where its operands do not fit it, `torch.operator`, with its blocks as regions |
//! | `prim::Constant[value=…]` | `torch.constant.int` … and `torch.tensor.literal` by the type of the value; lists, tuples, enums, functions, and tensors whose numbers are not printed: `torch.operator "prim.Constant"` |
//! | `with prim::X_0 = graph(…)` | a private function `@NAME.X_0`; its node is `torch.operator "prim.X"` with `torch.subgraph = @NAME.X_0` |
//! | the name of a value | `loc("x.1"(…))`; of several results, names joined by commas |
//! | `, scope: m.f` | `loc("scope: m.f"(…))` below the name |
//! | `# f.py:3:4` | `loc("f.py":3:4)`, innermost; other comments `loc("# text")` |
//! | attributes an operation has no place for | `torch.attributes = [["name", value], …]`, see [`attributes`] |
//! | a type that says more than MLIR's | `torch.types = [["Float(2, strides=[1])", !torch.tensor<[2],f32>], …]`, one for each result, the second the type it stands beside; `torch.argument_types` on functions, `torch.block_types` for blocks |
//!
//! `torch.derefine` and `torch.tensor_static_info_cast` are put where a value leaves a block as a more general type; they are not
//! printed.

pub mod attributes;
pub(crate) mod constants;
mod export;
mod import;
pub mod names;
pub mod node;
use sconce_ir::prelude::*;
use sconce_syntax::graph_text::Spelling;
use sconce_torch::types;

pub use export::{export, export_function, export_operation};
pub use import::{Imported, import, import_methods, import_program, import_text};
pub use node::{is_silent, node_kind, value_type};

/// Why a listing cannot become a module, or a module no listing.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// The text is wrong, at a place.
    #[error(transparent)]
    Text(#[from] sconce_syntax::Error),
    /// MLIR refused.
    #[error(transparent)]
    Ir(#[from] sconce_ir::Error),
    /// Something that graph text cannot say.
    #[error("{}{message}", place.as_ref().map(|p| format!("{p}: ")).unwrap_or_default())]
    Inexpressible {
        /// Of the operation, if known.
        place: Option<sconce_ir::location::Place>,
        message: String,
    },
}

impl Error {
    /// The error for people: with its source line underlined if it has one, over several lines; `colour` adds terminal colours.
    pub fn report(&self, colour: bool) -> String {
        match self {
            Error::Text(error) => error.report(colour),
            other => other.to_string(),
        }
    }
}

impl From<crate::Error> for Error {
    fn from(error: crate::Error) -> Error {
        match error {
            crate::Error::Ir(error) => Error::Ir(error),
            crate::Error::Graph(error) => error,
            crate::Error::Inexpressible { place, message } => Error::Inexpressible { place, message },
            other => Error::Inexpressible { place: None, message: other.to_string() },
        }
    }
}

/// A program that somebody gives in the torch dialect itself, as MLIR's text or bytecode; `name` is what places in it say of the file.
///
/// # Errors
/// What MLIR says of it, with its place: it does not parse, or does not verify.
pub fn import_dialect<'c>(context: &'c Context, bytes: &[u8], name: &str) -> Result<Module<'c>, sconce_ir::Error> {
    parse_module(context, bytes, name)
}

/// Graph text as it is after it was the dialect and `.mlir` text: the same bytes, by what this module keeps true.
///
/// # Errors
/// Text that is no listing, with its place, and what the dialect cannot say.
///
/// ```
/// let text = "graph(%x : Tensor):
///   %y : Tensor = aten::relu(%x)
///   return (%y)
/// ";
/// let context = sconce_torch::context(false)?;
/// assert_eq!(sconce_import::text::round_trip(&context, "relu.txt", text)?, text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn round_trip(context: &Context, file: &str, text: &str) -> Result<String, Error> {
    let imported = import_text(context, file, text, "graph")?;
    export(&through_text(context, &imported.module)?, Spelling::Colons)
}

/// Does a text begin as graph text does, after blanks and comments? (Else it may be `.mlir`.)
pub fn is_graph_text(text: &str) -> bool {
    let first = text.lines().map(str::trim_start).find(|line| !line.is_empty() && !line.starts_with('#'));
    first.is_some_and(|line| {
        line.starts_with("== ") || line.strip_prefix("graph").is_some_and(|l| l.trim_start().starts_with('('))
    })
}
