//! Type codes: what kinds of value an operator takes and gives, derived from its schema in one way for all operators.
//!
//! The codes are those of `sconce/torch.h`. They say kinds only, as torch-mlir's verifier does: shapes and dtypes are the shape rule's affair.

use sconce_schema::Type;

/// Which tensors an operator takes: in-place forms insist on `!torch.tensor`, all others take both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tensors {
    /// `T`
    Both,
    /// `N`
    NonValue,
}

/// The code of an operand. Dtypes, layouts and memory formats are `int`, as in TorchScript's graphs.
pub fn operand(ty: &Type, tensors: Tensors) -> String {
    let one = |code: &str| code.to_owned();
    match ty {
        Type::Tensor(_) => one(if tensors == Tensors::Both { "T" } else { "N" }),
        Type::Int | Type::SymInt | Type::ScalarType | Type::Layout | Type::MemoryFormat => one("i"),
        Type::Float | Type::SymFloat => one("f"),
        Type::Bool | Type::SymBool => one("b"),
        Type::Str => one("s"),
        Type::Number => one("n"),
        Type::Complex => one("c"),
        Type::Device => one("d"),
        Type::Generator => one("g"),
        Type::None => one("z"),
        Type::List(element) => format!("l{}", operand(element, tensors)),
        Type::Optional(inner) => format!("?{}", operand(inner, tensors)),
        // As in torch-mlir, which looks into no dict.
        Type::Dict(..) => one("{..}"),
        // Packed weights are the only objects in schemas that torch-mlir knows.
        Type::Class(name) if name.ends_with(".LinearPackedParamsBase") => one("P"),
        Type::Stream => one("<stream>"),
        Type::Storage => one("<storage>"),
        Type::QScheme => one("<qscheme>"),
        Type::Future(_) => one("<future>"),
        Type::Await(_) => one("<await>"),
        Type::RRef(_) => one("<rref>"),
        Type::AnyList => one("l."),
        _ => one("."),
    }
}

/// The code of a result: as for an operand, but any tensor may be absent.
pub fn result(ty: &Type, tensors: Tensors) -> String {
    let code = operand(ty, tensors);
    if ty.is_tensor() { format!("?{code}") } else { code }
}
