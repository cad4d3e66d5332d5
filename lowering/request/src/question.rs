//! Questions and answers as values.

use sconce_graph::instances::Instances;
use sconce_graph::unit::Unit;
use sconce_schema::types::Dim;
use sconce_schema::{DType, Type};
use sconce_tensor::IValue;
use std::sync::Arc;

/// What is asked.
#[derive(Clone, Debug)]
pub struct Question {
    pub subject: Subject,
    pub want: Want,
}

/// What it is asked about.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A program from any frontend.
    Unit(Unit),
    /// An object of one of its classes, too.
    Object { unit: Unit, object: Instances },
    /// MLIR, as text or bytecode, from a file of this name.
    Mlir { name: String, bytes: Vec<u8> },
    /// Graph text, from a file of this name.
    GraphText { name: String, text: String },
}

/// What is wanted of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Want {
    /// The function compiled for arguments of a signature.
    Program(Job),
    /// The text of a stage on the way there.
    Stage(Job, Stage),
    /// The torch dialect's text.
    Dialect,
    /// Graph text.
    GraphText,
    /// The unit that it says.
    Unit,
    /// The unit that an MLIR pass pipeline leaves: text as `sconce-opt --pass-pipeline` takes it, or a pipeline's name.
    Passes(String),
    /// The object's class frozen, with `forward`; methods and attributes of these names stay.
    Frozen { preserved: Vec<String>, folding: Folding },
    /// How often operators and the left sides of rewrite rules stand in it after the default pipeline, as text.
    Counts,
    /// Whether its text comes back from the dialect: graph text after it was MLIR text, a dialect's sample byte for byte, through the generic form too.
    RoundTrip,
}

/// What a frozen class computes of its weights once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Folding {
    /// Nothing, as `torch.jit.freeze` leaves a module without optimising it.
    Off,
    /// What depends on weights alone, by an init function as of a Program, with the bits that each call would get.
    SameBits,
    /// That too, and batch normalisation becomes part of them.
    On,
}

/// A function and the arguments it is compiled for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Job {
    /// Its qualified name.
    pub function: String,
    pub signature: Signature,
    /// Tensors of the method's object that may be constants of the Program, called as [`sconce_schema::init::attribute_constant`] says: whoever asks finds out
    /// when they change.
    pub attributes: Vec<NamedAttribute>,
    /// Code for GPUs, too.
    pub gpu: bool,
    /// Results keep the interpreter's bits: what would round or sum otherwise stays interpreted.
    pub strict: bool,
    /// How rules rewrite values.
    pub rewrites: Rewrites,
}

/// How rewrite rules are applied to what is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rewrites {
    /// Not at all.
    Off,
    /// One by one, where that is cheaper at once: to compare with.
    Greedy,
    /// All that keep the real numbers, by equality saturation; where results are strict, those that keep the bits.
    #[default]
    On,
    /// Those that give close numbers, too.
    Approximate,
}

impl std::str::FromStr for Rewrites {
    type Err = String;

    fn from_str(word: &str) -> Result<Rewrites, String> {
        match word {
            "off" => Ok(Rewrites::Off),
            "greedy" => Ok(Rewrites::Greedy),
            "on" => Ok(Rewrites::On),
            "approximate" => Ok(Rewrites::Approximate),
            _ => Err(format!("'{word}' is no way to rewrite; expected off, greedy, on or approximate")),
        }
    }
}

/// A tensor that an object holds, itself or by an object that it holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedAttribute {
    /// From the method's object: `layers.0.weight`.
    pub path: String,
    /// Attributes of one number share memory.
    pub storage: u32,
}

/// A stage of compilation, by the option of `sconce show` that prints it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stage {
    Fused,
    Linalg,
    Llvm,
    Asm,
    Ptx { chip: String },
}

/// What compiling depends on: for each argument that is a tensor its dtype and sizes (`None`: any).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Signature(pub Vec<Option<TensorSignature>>);

/// A tensor's dtype and sizes.
pub type TensorSignature = (DType, Vec<Option<i64>>);

impl Signature {
    /// The types of arguments. With `dynamic`, only sizes of 0 and 1, which broadcast and fold differently, stay known.
    pub fn of(arguments: &[IValue], dynamic: bool) -> Signature {
        let size = |s: i64| (!dynamic || s <= 1).then_some(s);
        let one = |v: &IValue| match v {
            IValue::Tensor(t) => Some((t.dtype(), t.sizes().iter().map(|&s| size(s)).collect())),
            _ => None,
        };
        Signature(arguments.iter().map(one).collect())
    }

    /// What the program itself declares of its parameters.
    pub fn declared<'t>(types: impl Iterator<Item = &'t Type>) -> Signature {
        let one = |ty: &Type| match ty {
            Type::Tensor(t) => {
                let known = |d: &Dim| if let Dim::Known(n) = d { Some(*n) } else { None };
                Some((t.dtype?, t.sizes.as_ref()?.iter().map(known).collect()))
            }
            _ => None,
        };
        Signature(types.map(one).collect())
    }
}

/// What is answered.
#[derive(Clone, Debug)]
pub enum Answer {
    Program(Compiled),
    Text(String),
    Unit(Unit),
    /// A unit with the frozen class of this name, whose attributes are those that stay; large constants are named as the object's are.
    Frozen {
        unit: Unit,
        class: String,
    },
}

/// A compiled function.
#[derive(Clone, Debug, Default)]
pub struct Compiled {
    /// A Program as bytes, in which the function has its name.
    pub program: Arc<[u8]>,
    pub regions: Vec<CompiledRegion>,
    pub uncompiled: Vec<Uncompiled>,
    pub writes: Writes,
    /// One sentence each.
    pub notes: Vec<String>,
}

/// Calls of operators that write to tensors, lists or dictionaries.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Writes {
    /// In the function before its writes became values.
    pub before: u32,
    pub left: u32,
}

/// A region of the Program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompiledRegion {
    pub name: String,
    /// Operators in it.
    pub operators: Vec<String>,
    /// Bytes of its machine code.
    pub bytes: usize,
    /// Why there is no code for it.
    pub failure: Option<String>,
}

/// An operator that stayed with the interpreter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Uncompiled {
    pub operator: String,
    pub why: String,
}
