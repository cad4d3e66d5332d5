//! Types as run-time containers carry them: what is known of a tensor's dtype or sizes is no part of a list's type.

use sconce_schema::Type;
use std::sync::Arc;

/// The type with every tensor inside it as plain `Tensor`.
pub(crate) fn general(ty: &Type) -> Type {
    let inner = |t: &Arc<Type>| Arc::new(general(t));
    match ty {
        Type::Tensor(_) => Type::tensor(),
        Type::List(t) => Type::List(inner(t)),
        Type::Optional(t) => Type::Optional(inner(t)),
        Type::Future(t) => Type::Future(inner(t)),
        Type::Dict(k, v) => Type::Dict(inner(k), inner(v)),
        Type::Tuple(items) => Type::Tuple(items.iter().map(general).collect()),
        Type::Union(items) => Type::Union(items.iter().map(general).collect()),
        other => other.clone(),
    }
}
