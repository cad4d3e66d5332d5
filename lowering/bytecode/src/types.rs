//! Types as run-time containers carry them: what is known of a tensor's dtype or sizes is no part of a list's type.

use sconce_schema::Type;
use sconce_schema::types::TensorType;
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

/// A parameter's type: of a tensor the dtype and sizes that it declares, which arguments are held against.
pub(crate) fn declared(ty: &Type) -> Type {
    match ty {
        Type::Tensor(t) => {
            let (dtype, sizes) = (t.dtype, t.sizes.clone());
            Type::Tensor(Arc::new(TensorType { dtype, sizes, ..TensorType::default() }))
        }
        other => other.map_children(&declared),
    }
}
