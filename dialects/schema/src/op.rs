//! FunctionSchema and the row of the op table.

use crate::Type;
use crate::shape::Rule;
use std::sync::Arc;

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

/// One row of the op table: everything said once about one operator.
pub struct OpEntry {
    /// The schema's text as the record holds it.
    pub schema_text: &'static str,
    /// Name of the family's file in every stage: `pointwise`, `reduce`, `view`, …
    pub family: &'static str,
    /// torch-mlir registers it, so its text is `torch.aten.add.Tensor`; else it travels as `torch.operator "aten.…"`.
    pub in_torch_mlir: bool,
    pub traits: &'static [Trait],
    pub numerics: Numerics,
    /// A pointwise operator's meaning.
    pub scalar: Option<&'static crate::op::ScalarExpr>,
    /// The operator in `sconce-kernels` that is this one's functional form: set for in-place and `out=` forms.
    pub functional: Option<&'static str>,
    pub shape: Option<Rule>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trait {
    /// No effects beyond its results, which alias no argument.
    Pure,
    /// Its result is a view of its first argument.
    View,
    /// Draws from a generator.
    Random,
    Commutative,
}

/// Placeholder of the scalar expression tree (module `scalar`).
pub struct ScalarExpr;
