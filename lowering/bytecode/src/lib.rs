//! The torch dialect becomes a Program: one register for each value in order, structured control flow as jumps, each last use a move.
//!
//! | in MLIR | in the Program |
//! |---|---|
//! | `func.func` | a function, of the same name and with the same parameters; a declaration is none |
//! | `torch.class_type` | a class: what its objects hold, its methods and constants; its kind is `torch.class_kind` |
//! | … with `torch.methods = ["call(…) -> …"]` | an interface and the methods it asks for |
//! | `torch.schema` on a function | parameter names and defaults |
//! | an operator of the table | [`Op::Call`](sconce_interpreter::program::Op::Call) |
//! | a structural `prim` operation | the instruction of that name |
//! | `torch.prim.If`, `torch.prim.Loop` | jumps; what blocks pass on is moved to the results' registers |
//! | casts that change no value | nothing: operand and result are one register |
//! | `aten.chunk` by constants and `prim.ListUnpack` | `ConstantChunk` |
//! | `sconce.region` | a region, and a function with its body to fall back to |
//! | `sconce.call_kernel "k"` | the same, falling back to the function `@k` |
//!
//! Constants that no instruction reads, and other operations that only compute what nobody reads, are left out.
#![forbid(unsafe_code)]

mod classes;
mod constants;
mod lower;
mod moves;
mod numbers;
mod sources;
mod types;

pub use lower::{RegionArtifact, lower, lower_with};
pub use sources::sources;

/// Why a module cannot become a Program.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// Operations that the runtime has no instruction or operator for: all of them, each with its first place.
    #[error("unsupported: {}", .0.iter().map(Unsupported::to_string).collect::<Vec<_>>().join(", "))]
    Unsupported(Vec<Unsupported>),
    /// The module is not what the torch dialect means.
    #[error("{place}{message}")]
    Malformed {
        /// `file:line:column: `, where it is known.
        place: String,
        message: String,
    },
    #[error(transparent)]
    Program(#[from] sconce_interpreter::program::Invalid),
}

/// An operation that cannot be lowered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// `aten::foo`, `prim::bar`, or the MLIR operation's name; with what about it is the matter.
    pub op: String,
    /// `file:line:column`, where it is known.
    pub place: Option<String>,
}

impl std::fmt::Display for Unsupported {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.op)?;
        match &self.place {
            Some(place) => write!(f, " at {place}"),
            None => Ok(()),
        }
    }
}
