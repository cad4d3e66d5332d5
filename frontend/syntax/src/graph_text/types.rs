//! What a type that was read keeps of its text: exactly what printing it says again.

use sconce_schema::Type;
use std::sync::Arc;

/// The type a lone word means; `None` if it means none.
///
/// Graphs know dtypes, layouts, memory formats and symbolic integers as `int`. `number`, which only annotations and older
/// texts write for `Scalar`, stays a name of its own, as in PyTorch.
pub(super) fn plain_type(word: &str) -> Option<Type> {
    let ty = match word {
        "number" => Type::Var(word.into()),
        "StreamObj" => Type::Stream,
        "AnyList" => Type::AnyList,
        "AnyTuple" => Type::AnyTuple,
        _ => sconce_schema::types::parse(word).ok()?,
    };
    Some(as_printed(ty))
}

fn as_printed(ty: Type) -> Type {
    match ty {
        Type::SymInt | Type::Layout | Type::MemoryFormat | Type::ScalarType => Type::Int,
        ty => ty,
    }
}

/// A type below `Dict`, `Union` or `Await`, where PyTorch prints nothing of tensors but that they are tensors.
pub(super) fn without_tensor_details(ty: &Type) -> Type {
    let each = |t: &Arc<Type>| Arc::new(without_tensor_details(t));
    let all = |ts: &Arc<[Type]>| ts.iter().map(without_tensor_details).collect();
    match ty {
        Type::Tensor(_) => Type::tensor(),
        Type::List(t) => Type::List(each(t)),
        Type::Optional(t) => Type::Optional(each(t)),
        Type::Future(t) => Type::Future(each(t)),
        Type::RRef(t) => Type::RRef(each(t)),
        Type::Await(t) => Type::Await(each(t)),
        Type::Dict(k, v) => Type::Dict(each(k), each(v)),
        Type::Tuple(ts) => Type::Tuple(all(ts)),
        Type::Union(ts) => Type::Union(all(ts)),
        other => other.clone(),
    }
}
