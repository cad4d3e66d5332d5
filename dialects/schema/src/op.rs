//! FunctionSchema and the row of the op table.

use crate::effect::Effect;
use crate::fold::Fold;
use crate::scalar::ScalarExpr;
use crate::shape::{ErrorKind, Rule, ShapeError};
use crate::{DType, Type};
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// A default value as a schema writes it.
#[derive(Clone, PartialEq, Debug)]
pub enum DefaultValue {
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Complex(f64, f64),
    Str(Arc<str>),
    List(Vec<DefaultValue>),
}

/// Alias annotation: `(a)`, `(a!)`, `(a -> *)`, `(a|b)`, `(*)`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AliasInfo {
    pub before: Vec<Arc<str>>,
    pub after: Vec<Arc<str>>,
    pub is_write: bool,
    /// Annotation of the contained element: `Tensor(a)[]`, `(a!)[]`.
    pub contained: Option<Box<AliasInfo>>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Argument {
    /// Empty for an unnamed return.
    pub name: Arc<str>,
    pub ty: Type,
    /// `int[2]`: a single value is accepted for the list.
    pub list_size: Option<u32>,
    pub default: Option<DefaultValue>,
    pub kwarg_only: bool,
    pub alias: Option<AliasInfo>,
}

/// `ns::name.overload(args) -> returns`, as PyTorch's `FunctionSchema`.
#[derive(Clone, PartialEq, Debug)]
pub struct FunctionSchema {
    /// With namespace: `aten::add`.
    pub name: Arc<str>,
    /// Without the dot; empty for the default overload.
    pub overload: Arc<str>,
    pub arguments: Vec<Argument>,
    pub returns: Vec<Argument>,
    pub is_vararg: bool,
    pub is_varret: bool,
}

/// How tests compare an operator's results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Numerics {
    /// Bit-equal (NaN equals NaN).
    Exact,
    /// Class `t` of the vectors.
    Close,
    /// Class `l` of the vectors.
    Loose,
    /// Metadata only (uninitialised memory, random draws).
    Meta,
}

/// A row of the op table as the generated tables hold it: everything said once about one operator.
#[derive(Clone, Copy, Debug)]
pub struct OpRecord {
    /// The schema's text as the record holds it.
    pub schema_text: &'static str,
    /// torch-mlir registers it, so its text is `torch.aten.add.Tensor`; else it travels as `torch.operator "aten.…"`.
    pub in_torch_mlir: bool,
    /// Said in the record, or derived from the schema.
    pub traits: Traits,
    pub numerics: Numerics,
    /// A pointwise operator's meaning.
    pub scalar: Option<&'static ScalarExpr>,
    /// What a reduction, scan or loss means.
    pub fold: Option<&'static Fold>,
    /// Full name of the operator that is this one's functional form: set for in-place and `out=` forms.
    pub functional: Option<&'static str>,
    /// Shape and dtype rule of its own; see [`crate::shape::infer`] for the one that holds.
    pub shape: Option<Rule>,
    /// What else it does not take.
    pub limits: &'static Limits,
}

/// What an operator does not take though its meaning or rule would allow it. Of thousands of records some hundred say any of it, so it stands apart from them.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The dtypes that it refuses.
    pub refuses: &'static [Refusal],
    /// Arguments that have one dtype.
    pub alike: &'static [Alike],
    /// Numbers that may not be too small.
    pub bounds: &'static [Bound],
    /// What running it takes that is not here; such an operator has no kernel.
    pub needs: Option<&'static str>,
}

impl Limits {
    /// There are none.
    pub const NONE: Limits = Limits { refuses: &[], alike: &[], bounds: &[], needs: None };
}

/// The kinds of dtypes, in the order of promotion.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum DTypeKind {
    Bools,
    Ints,
    Floats,
    Complexes,
    /// Complex numbers of halves, which few operators have; they are also among the complex ones.
    HalfComplexes,
    /// All but the bools and the bytes that once stood for them.
    NoTruths,
    /// Floats of two bytes; they are also among the floats.
    HalfFloats,
    /// Bytes, which are also among the integers.
    Bytes,
}

impl DTypeKind {
    /// The kind of a dtype; `None` for quantized and bit types.
    pub fn of(dtype: DType) -> Option<DTypeKind> {
        match dtype {
            DType::Bool => Some(DTypeKind::Bools),
            d if d.is_int() => Some(DTypeKind::Ints),
            d if d.is_float() => Some(DTypeKind::Floats),
            DType::C32 => Some(DTypeKind::HalfComplexes),
            d if d.is_complex() => Some(DTypeKind::Complexes),
            _ => None,
        }
    }
    /// The name in records.
    pub fn from_name(name: &str) -> Option<DTypeKind> {
        Some(match name {
            "Bools" => DTypeKind::Bools,
            "Ints" => DTypeKind::Ints,
            "Floats" => DTypeKind::Floats,
            "Complexes" => DTypeKind::Complexes,
            "HalfComplexes" => DTypeKind::HalfComplexes,
            "NoTruths" => DTypeKind::NoTruths,
            "HalfFloats" => DTypeKind::HalfFloats,
            "Bytes" => DTypeKind::Bytes,
            _ => return None,
        })
    }
}

/// Whose dtype a refusal looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operands {
    /// The promoted one of all promoting operands.
    Promoted,
    /// That of any tensor operand.
    Any,
    /// That of the first result, as the rule gives it.
    Result,
    /// Those of the arguments at these schema positions: all of them are of the kinds.
    Arguments(&'static [u16]),
}

/// Dtypes that an operator refuses though its meaning would allow them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refusal {
    pub of: Operands,
    pub kinds: &'static [DTypeKind],
    /// PyTorch's message, `{}` standing for the dtype's name (`ComplexFloat`), `{meta}` for its C++ name (`c10::complex<float>`).
    pub text: &'static str,
    pub error: ErrorKind,
    /// Of a tensor without elements nothing is asked.
    pub unless_empty: bool,
}

impl Refusal {
    /// Whether the dtype is of the kinds.
    pub fn is_of(&self, dtype: DType) -> bool {
        let among = |kind: DTypeKind| {
            self.kinds.contains(&kind)
                || (kind == DTypeKind::HalfComplexes && self.kinds.contains(&DTypeKind::Complexes))
                || (kind == DTypeKind::Floats && dtype.size() == 2 && self.kinds.contains(&DTypeKind::HalfFloats))
                || (dtype == DType::U8 && self.kinds.contains(&DTypeKind::Bytes))
                || (kind != DTypeKind::Bools && dtype != DType::U8 && self.kinds.contains(&DTypeKind::NoTruths))
        };
        DTypeKind::of(dtype).is_some_and(among)
    }
    /// The error if the dtype is refused.
    pub fn check(&self, dtype: DType) -> Result<(), ShapeError> {
        if !self.is_of(dtype) {
            return Ok(());
        }
        let message = self.text.replace("{}", dtype.scalar_type_name()).replace("{meta}", dtype.cpp_name());
        Err(ShapeError { kind: self.error, message })
    }
}

/// Arguments whose dtype is that of the first of them; those that are None do not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Alike {
    /// Schema positions.
    pub arguments: &'static [u16],
    /// PyTorch's message: `{want}` stands for the name of the first one's dtype (`Float`), `{have}` for the other's; `{cpp want}` and
    /// `{cpp have}` for their C++ names.
    pub text: &'static str,
}

/// A number argument that is positive, or at least not negative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bound {
    /// Its schema position.
    pub argument: u16,
    pub positive: bool,
    /// PyTorch's message.
    pub text: &'static str,
}

impl Bound {
    /// The error if the number is refused; one that is not known is not.
    pub fn check(&self, number: Option<f64>) -> Result<(), ShapeError> {
        refuse!(if number.is_some_and(|n| if self.positive { n <= 0.0 } else { n < 0.0 }), "{}", self.text);
        Ok(())
    }
}

impl OpRecord {
    /// What a record that says nothing says.
    pub const DEFAULT: OpRecord = OpRecord {
        schema_text: "",
        in_torch_mlir: false,
        traits: Traits::of(&[]),
        numerics: Numerics::Exact,
        scalar: None,
        fold: None,
        functional: None,
        shape: None,
        limits: &Limits::NONE,
    };
}

/// One operator of the table; its record's fields are read through it.
pub struct OpEntry {
    /// Position in [`crate::table`]: the same in every run of one build.
    pub id: u32,
    /// Full name, `aten::add.Tensor`.
    pub name: &'static str,
    /// Name of the family's file in every stage: `pointwise`, `reduce`, `view`, …
    pub family: &'static str,
    pub record: &'static OpRecord,
    /// Of thousands of operators a program uses some: what is not known at once takes little room in the table.
    schema: OnceLock<Box<FunctionSchema>>,
    effect: OnceLock<Box<Effect>>,
}

impl Deref for OpEntry {
    type Target = OpRecord;
    fn deref(&self) -> &OpRecord {
        self.record
    }
}

impl fmt::Debug for OpEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OpEntry({} {})", self.id, self.name)
    }
}

/// An operator of the table: [`crate::ops`] has one for each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct OpId(pub u32);

impl OpEntry {
    #[cfg(feature = "table")]
    pub(crate) fn new(id: u32, family: &'static str, record: &'static OpRecord) -> OpEntry {
        let text = record.schema_text;
        // By hand: a search for a character costs more than the few of a name.
        let length = text.bytes().position(|b| b == b'(').unwrap_or(text.len());
        let name = &text[..length];
        OpEntry { id, name, family, record, schema: OnceLock::new(), effect: OnceLock::new() }
    }
    /// What it is compared by; operators registered at run time have numbers that no constant has.
    pub fn op(&self) -> OpId {
        OpId(self.id)
    }
    /// The schema, parsed at the first call.
    pub fn schema(&self) -> &FunctionSchema {
        self.schema.get_or_init(|| {
            let parsed = self.record.schema_text.parse();
            Box::new(parsed.expect("`cargo xtask codegen` has parsed every schema it writes"))
        })
    }
    /// What it writes, and what its results may be, worked out at the first call.
    pub fn effect(&self) -> &Effect {
        self.effect.get_or_init(|| Box::new(Effect::of(self.schema(), self.record.traits)))
    }
    /// Does it nothing but compute new tensors, whose sizes do not depend on elements? See [`Effect::computes_tensors`].
    pub fn computes_tensors(&self) -> bool {
        self.effect().computes_tensors(self.schema(), self.record.traits)
    }
    /// Name without the overload: `aten::add`.
    pub fn base_name(&self) -> &'static str {
        let length = self.name.bytes().position(|b| b == b'.').unwrap_or(self.name.len());
        &self.name[..length]
    }
    /// The overload's name: `Tensor`, or nothing.
    pub fn overload_name(&self) -> &'static str {
        self.name.split_once('.').map_or("", |(_, overload)| overload)
    }
    pub fn has(&self, t: Trait) -> bool {
        self.record.traits.contains(t)
    }
    /// Lies the result row by row whatever the operands are? Products are written so; what else is computed of tensors that lie otherwise may lie otherwise too.
    #[cfg(feature = "table")]
    pub fn makes_rows(&self) -> bool {
        self.family == "matmul" || self.has(Trait::Rows)
    }

    /// The entry of the functional form, for in-place and `out=` forms.
    #[cfg(feature = "table")]
    pub fn functional_entry(&self) -> Option<&'static OpEntry> {
        self.record.functional.and_then(crate::lookup)
    }
    /// Of an operator that changes a list or dictionary, its first argument: the operator that gives what it would leave of that, and then what it gives besides:
    /// `sconce::append.t` of `aten::append.t`. Its name follows from the schema.
    #[cfg(feature = "table")]
    pub fn container_form(&self) -> Option<&'static OpEntry> {
        crate::lookup(&self.schema().container_form()?.full_name())
    }
    /// The reverse: the operator that writes, of one that gives a changed container.
    #[cfg(feature = "table")]
    pub fn container_writer(&self) -> Option<&'static OpEntry> {
        let word = self.name.strip_prefix("sconce::")?;
        let (base, overload) = word.split_once('.').unwrap_or((word, ""));
        let dot = if overload.is_empty() { "" } else { "." };
        let is_writer = |entry: &&OpEntry| entry.container_form().is_some_and(|form| form.name == self.name);
        ["", "_"]
            .into_iter()
            .find_map(|end| crate::lookup(&format!("aten::{base}{end}{dot}{overload}")).filter(is_writer))
    }
    /// The name in the torch dialect: `torch.aten.add.Tensor`, the spelling torch-mlir has for its operators.
    pub fn dialect_name(&self) -> String {
        format!("torch.{}", self.name.replace("::", "."))
    }
}

/// A set of traits: a bit for each, because every row of the table has one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Traits(u32);

impl Traits {
    pub const fn of(traits: &[Trait]) -> Traits {
        let mut bits = 0;
        let mut i = 0;
        while i < traits.len() {
            bits |= 1 << traits[i] as u32;
            i += 1;
        }
        Traits(bits)
    }
    pub const fn contains(self, t: Trait) -> bool {
        self.0 >> t as u32 & 1 == 1
    }
    /// They, in the order of their declaration.
    pub fn list(self) -> Vec<Trait> {
        Trait::ALL.iter().copied().filter(|t| self.contains(*t)).collect()
    }
}

macro_rules! traits {
    ($($(#[$doc:meta])* $variant:ident,)*) => {
        /// What holds of an operator. Those marked *derived* follow from the schema and are not written in records.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Trait { $($(#[$doc])* $variant,)* }
        impl Trait {
            /// Every trait.
            pub const ALL: &[Trait] = &[$(Trait::$variant,)*];
            /// The name in records.
            pub fn name(self) -> &'static str {
                match self { $(Trait::$variant => stringify!($variant),)* }
            }
            pub fn from_name(name: &str) -> Option<Trait> {
                match name { $(stringify!($variant) => Some(Trait::$variant),)* _ => None }
            }
        }
    };
}

traits! {
    /// Derived: no effects beyond its results, which alias no argument.
    Pure,
    /// Derived: its result shares storage with its first argument (or is an element of it).
    View,
    /// A result may be the argument at its place itself, or a view of it (`contiguous`, `to`, `reshape`), whatever the schema shows; of lists the elements.
    /// A list of numbers is an argument of its type (`max` of two lists).
    MayView,
    /// Derived: writes its first argument and returns it.
    InPlace,
    /// Derived: writes its `out=` arguments.
    Out,
    /// Derived: writes an argument, in one of the two ways above or another.
    Writes,
    /// Draws from a generator.
    Random,
    /// The first two arguments may change places.
    Commutative,
    /// Does something that its schema does not show: prints, raises, reads or sets a mode.
    Effect,
    /// An `out=` form that PyTorch generates: its destination has the result's dtype or is refused.
    OwnDType,
    /// An `out=` form whose destination may have any dtype that the result's can be converted to.
    AnyDType,
    /// An in-place form that gives its argument the result's sizes.
    Resizes,
    /// An `out=` form whose destination lies as the result does afterwards, also when it had its sizes.
    Relaid,
    /// An `out=` form that refuses a destination whose elements share memory even where it would give it other sizes first.
    ApartFirst,
    /// An in-place or `out=` form that PyTorch lets write elements that share memory.
    Overlaps,
    /// An `out=` form of an operator that does not promote: its destination has the result's dtype or is refused.
    SameDType,
    /// An in-place or `out=` form that is computed in its destination's dtype when no other is asked for.
    Destined,
    /// Does to each element of its lists what the operator of its name without `_foreach_` does.
    Each,
    /// The sizes of its results depend on the elements of its arguments (PyTorch's tag `dynamic_output_shape`).
    DynamicOutputShape,
    /// Its results, which are no tensors, depend on the elements of its arguments (PyTorch's tag `data_dependent_output`).
    DataDependentOutput,
    /// It gives tensors, and PyTorch has it in TorchScript alone: no node of an exported program can call it.
    ScriptOnly,
    /// Its results never require gradients, whatever its arguments do (`detach`, `zeros_like`).
    NoGradient,
    /// Of a view: its result depends on how its argument lies in memory, or it refuses some for that.
    Strides,
    /// Its results lie row by row, however its arguments do.
    Rows,
    /// Takes nested tensors: knows that what is beyond a matrix's length is padding, or asks nothing of elements.
    Nested,
    /// Writes its running mean and variance (by their names) unless its flag of training is false; its schema does not show it.
    RunningStatistics,
    /// PyTorch's graph fuser takes it into its groups (`prim::FusionGroup`).
    Groups,
    /// PyTorch's JIT has its gradient as a graph, and takes it into a `prim::DifferentiableGraph`.
    Differentiable,
    /// Takes quantized tensors as others: knows their parameters, or moves elements as they are.
    Quantized,
}
