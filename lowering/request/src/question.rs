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

/// How passes are looked after.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checks {
    /// Each function that a pass changed is called as before and after it: the first pass after which a call shows something else is the answer.
    pub validate: bool,
    /// So many changes are made by passes, and none after them.
    pub fuel: Option<u64>,
}

/// A program that is compiled wrongly, and a call that shows it.
#[derive(Clone, Debug, Default)]
pub struct Suspect {
    /// What it is compiled for.
    pub job: Job,
    /// Passes to look at; else those that compile it, and the code of its regions.
    pub pipeline: Option<String>,
    /// The arguments of the call; else some are made.
    pub arguments: Option<Vec<IValue>>,
    /// Constants that go by their names.
    pub constants: Vec<(Arc<str>, IValue)>,
}

/// What is wanted of it.
#[derive(Clone, Debug)]
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
    Passes { pipeline: String, checks: Checks },
    /// Who is to blame for what a call shows.
    Blame(Box<Suspect>),
    /// A smaller program of which the same is wrong.
    Reduced(Reduction),
    /// The object's class frozen, with `forward`; methods and attributes of these names stay.
    Frozen { preserved: Vec<String>, folding: Folding },
    /// How often operators and the left sides of rewrite rules stand in it after the default pipeline, as text.
    Counts,
    /// Whether its text comes back from the dialect: graph text after it was MLIR text, a dialect's sample byte for byte, through the generic form too.
    RoundTrip,
}

/// A place in a file: lines and columns, where it begins and where it ends. Lines are from 1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Place {
    pub file: String,
    pub start: (u32, u32),
    pub end: (u32, u32),
}

/// A text, and what of a program its lines come from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlacedText {
    pub text: String,
    /// Lines from 0, each with a place that something in it is of; a line may have several.
    pub places: Vec<(u32, Place)>,
}

/// What is made smaller.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reduction {
    /// The function that stays; else the first.
    pub function: Option<String>,
    /// Passes that change what it computes, or that fail.
    pub pipeline: Option<String>,
    /// A command of the shell, `{}` in the place of a file: a program is wrong if the command ends as it does for the whole.
    pub command: Option<String>,
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
    /// Code that stands alone: nothing is left to the kernels of a runtime.
    pub alone: Option<Alone>,
    /// Results keep the interpreter's bits: what would round or sum otherwise stays interpreted.
    pub strict: bool,
    /// How rules rewrite values.
    pub rewrites: Rewrites,
    /// Passes that run behind all others, before regions are outlined.
    pub passes: Option<String>,
    pub checks: Checks,
}

/// Where code runs that stands alone, and how it is called.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Alone {
    /// The machine as LLVM names it: `aarch64-linux-gnu`; empty: this one.
    pub triple: String,
    /// The processor as LLVM names it: `x86-64-v3`; empty, with an empty triple: this machine's, features and all.
    pub cpu: String,
    /// The code of region i is the function of this name and i: `model_region0`.
    pub symbol: String,
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

/// What compiling depends on: what is known of each argument.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Signature(pub Vec<ArgumentSignature>);

/// What is known of an argument.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum ArgumentSignature {
    /// Nothing beside what the function declares.
    #[default]
    Any,
    /// A tensor's dtype and sizes (`None`: any).
    Tensor(DType, Vec<Option<i64>>),
    /// Of what a tuple holds.
    Tuple(Vec<ArgumentSignature>),
}

/// Tuples in tuples, at most so deep.
pub const DEEPEST_ARGUMENT: u32 = 16;

impl Signature {
    /// The types of arguments. With `dynamic`, only sizes of 0 and 1, which broadcast and fold differently, stay known.
    pub fn of(arguments: &[IValue], dynamic: bool) -> Signature {
        Signature(arguments.iter().map(|v| ArgumentSignature::of(v, dynamic, DEEPEST_ARGUMENT)).collect())
    }

    /// What the program itself declares of its parameters.
    pub fn declared<'t>(types: impl Iterator<Item = &'t Type>) -> Signature {
        Signature(types.map(|ty| ArgumentSignature::declared(ty, DEEPEST_ARGUMENT)).collect())
    }
}

impl ArgumentSignature {
    fn of(argument: &IValue, dynamic: bool, depth: u32) -> ArgumentSignature {
        let size = |s: i64| (!dynamic || s <= 1).then_some(s);
        match argument {
            IValue::Tensor(t) => ArgumentSignature::Tensor(t.dtype(), t.sizes().iter().map(|&s| size(s)).collect()),
            IValue::Tuple(tuple) if depth > 0 => {
                ArgumentSignature::Tuple(tuple.items.iter().map(|v| Self::of(v, dynamic, depth - 1)).collect())
            }
            _ => ArgumentSignature::Any,
        }
    }

    fn declared(ty: &Type, depth: u32) -> ArgumentSignature {
        let known = |d: &Dim| if let Dim::Known(n) = d { Some(*n) } else { None };
        match ty {
            Type::Tensor(t) => match (t.dtype, &t.sizes) {
                (Some(dtype), Some(sizes)) => ArgumentSignature::Tensor(dtype, sizes.iter().map(known).collect()),
                _ => ArgumentSignature::Any,
            },
            Type::Tuple(items) if depth > 0 => {
                ArgumentSignature::Tuple(items.iter().map(|ty| Self::declared(ty, depth - 1)).collect())
            }
            _ => ArgumentSignature::Any,
        }
    }
}

/// What is answered.
#[derive(Clone, Debug)]
pub enum Answer {
    Program(Compiled),
    Text(String),
    /// The text of a stage.
    Placed(PlacedText),
    Unit(Unit),
    /// A unit with the frozen class of this name, whose attributes are those that stay; large constants are named as the object's are.
    Frozen {
        unit: Unit,
        class: String,
    },
    /// A pass changed what a function computes: which, and how it shows.
    Unsound(String),
    /// Who is to blame; none, if nothing is wrong.
    Blamed(Option<Blamed>),
}

/// A pass, or the code of a region, that is wrong.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Blamed {
    /// The pass with its options, as a pipeline; the region's name.
    pub step: String,
    /// What there is to say of it, line by line.
    pub description: String,
    /// A program of which it makes something wrong, as MLIR text, and how many operations that has.
    pub reduced: String,
    pub operations: u32,
    /// Does it show with arguments that are made?
    pub is_reproducible: bool,
}

/// How much was held against what was before.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Validation {
    /// Functions that were called before and after a pass.
    pub compared: u32,
    /// What was not called, and why.
    pub skipped: Vec<String>,
}

/// A compiled function.
#[derive(Clone, Debug, Default)]
pub struct Compiled {
    /// A Program as bytes, in which the function has its name.
    pub program: Arc<[u8]>,
    pub regions: Vec<CompiledRegion>,
    /// What passes did not do, the function's operators that stay interpreted among it.
    pub refusals: Vec<Refusal>,
    pub writes: Writes,
    /// What was validated, where that was asked for.
    pub validation: Validation,
    /// One sentence each.
    pub notes: Vec<String>,
}

/// Calls of operators that write to tensors, lists or dictionaries.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Writes {
    /// In the function before its writes became values.
    pub before: u32,
    /// Those that stay.
    pub stay: Vec<Refusal>,
}

impl Writes {
    /// How many stay.
    pub fn left(&self) -> u32 {
        u32::try_from(self.stay.len()).unwrap_or(u32::MAX)
    }

    /// How many of them write to arguments and to attributes: whoever calls the function sees that.
    pub fn seen_outside(&self) -> u32 {
        let seen = self.stay.iter().filter(|refusal| matches!(&*refusal.code, "argument" | "attribute"));
        u32::try_from(seen.count()).unwrap_or(u32::MAX)
    }

    /// How many became values.
    pub fn became_values(&self) -> u32 {
        self.before.saturating_sub(self.left())
    }

    /// With those of another function.
    pub fn add(&mut self, other: &Writes) {
        self.before += other.before;
        self.stay.extend_from_slice(&other.stay);
    }
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

/// Something that a pass did not do, with its reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The pass: [`Refusal::COMPILE`], or another.
    pub pass: String,
    pub operator: String,
    /// `file:line:column` where the operator came from, or nothing.
    pub place: String,
    /// A word that stays the same: `no-lowering`.
    pub code: String,
    /// A sentence.
    pub why: String,
}

impl Refusal {
    /// The pass that puts operators into regions: what it refuses stays with the interpreter.
    pub const COMPILE: &str = "outline-regions";
    /// The word for operators of a region that there is no code for.
    pub const NO_CODE: &str = "no-code";
}
