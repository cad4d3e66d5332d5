//! `!torch.*` types as compiled code sees them: tensors with what is known of them, the few plain types it computes with, and the rest.

use sconce_ir::torch_type::Parts;
use sconce_ir::{Context, Type};
use sconce_schema::{DType, Type as ScriptType};
use sconce_torch::types::{dtype_of, from_mlir, is_value_tensor, tensor_type};
use smallvec::SmallVec;

/// What a tensor type says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tensor {
    /// `vtensor` (immutable) as against `tensor`.
    pub value: bool,
    /// `None`: rank unknown. A `None` size is `?`.
    pub sizes: Option<SmallVec<[Option<i64>; 6]>>,
    pub dtype: Option<DType>,
}

/// The types that compiled code knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TorchType {
    Tensor(Tensor),
    Int,
    Float,
    Bool,
    /// `!torch.number`
    Number,
    None,
    Str,
    Device,
    Other,
}

impl TorchType {
    /// What a type is to compiled code.
    pub fn of(ty: Type<'_>) -> TorchType {
        match Tensor::of(ty) {
            Some(t) => TorchType::Tensor(t),
            None => match from_mlir(ty) {
                Some(ScriptType::Int) => TorchType::Int,
                Some(ScriptType::Float) => TorchType::Float,
                Some(ScriptType::Bool) => TorchType::Bool,
                Some(ScriptType::Number) => TorchType::Number,
                Some(ScriptType::None) => TorchType::None,
                Some(ScriptType::Str) => TorchType::Str,
                Some(ScriptType::Device) => TorchType::Device,
                _ => TorchType::Other,
            },
        }
    }

    pub fn tensor(&self) -> Option<&Tensor> {
        if let TorchType::Tensor(t) = self { Some(t) } else { None }
    }
}

impl Tensor {
    /// What a tensor type says. An encoding or a quantised element makes a type that compiled code does not take.
    pub fn of(ty: Type<'_>) -> Option<Tensor> {
        let parts = Parts::of(ty)?;
        let value = is_value_tensor(&parts)?;
        if parts.is_encoded {
            return None;
        }
        let dtype = match parts.types.first() {
            Some(element) => Some(dtype_of(*element).filter(|d| !d.is_quantized())?),
            None => None,
        };
        Some(Tensor { value, sizes: parts.sizes.map(SmallVec::from_vec), dtype })
    }

    /// The type that says this; `None` when the dialect has none such (a size below zero).
    pub fn to_type<'c>(&self, context: &'c Context) -> Option<Type<'c>> {
        tensor_type(context, self.value, self.sizes.as_ref().map(|s| s.to_vec()), self.dtype)
    }

    /// Rank and dtype are known.
    pub fn is_typed(&self) -> bool {
        self.sizes.is_some() && self.dtype.is_some()
    }
}

/// The type in which nothing can write to a tensor, wherever a tensor stands in it; other types as they are.
pub fn to_value_type<'c>(context: &'c Context, ty: Type<'c>) -> Option<Type<'c>> {
    if let Some(t) = Tensor::of(ty) {
        return Tensor { value: true, ..t }.to_type(context);
    }
    let Some(parts) = Parts::of(ty) else { return Some(ty) };
    if parts.types.is_empty() || is_value_tensor(&parts).is_some() {
        return Some(ty);
    }
    let types = parts.types.iter().map(|t| to_value_type(context, *t)).collect::<Option<_>>()?;
    Parts { types, ..parts }.to_type(context)
}

/// Is it a tensor, or something that may hold one?
pub fn holds_tensors(ty: Type<'_>) -> bool {
    match TorchType::of(ty) {
        TorchType::Tensor(_) => true,
        TorchType::Other => Parts::of(ty).is_some_and(|p| p.types.iter().any(|element| holds_tensors(*element))),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tensor_types_are_read_and_made_alike() {
        let context = sconce_torch::context(false).expect("a context");
        let parse = |text: &str| sconce_ir::prelude::parse_type(&context, text).expect(text);
        for text in [
            "!torch.vtensor",
            "!torch.tensor<[],f32>",
            "!torch.vtensor<[2,?],si64>",
            "!torch.vtensor<*,i1>",
            "!torch.tensor<[3],unk>",
            "!torch.vtensor<[4],complex<f64>>",
        ] {
            let ty = parse(text);
            assert_eq!(Tensor::of(ty).expect(text).to_type(&context), Some(ty));
        }
        for text in ["!torch.vtensor<[1],!torch.qint8>", "!torch.list<int>", "tensor<2xf32>"] {
            assert_eq!(TorchType::of(parse(text)), TorchType::Other, "{text}");
        }
        assert_eq!(TorchType::of(parse("!torch.int")), TorchType::Int);
        assert_eq!(
            Tensor { value: true, sizes: Some(smallvec::smallvec![Some(-2)]), dtype: None }.to_type(&context),
            None
        );
    }

    #[test]
    fn values_are_tensors_that_nothing_writes_to() {
        let context = sconce_torch::context(false).expect("a context");
        let parse = |text: &str| sconce_ir::prelude::parse_type(&context, text).expect(text);
        let is_value = |text: &str, of: &str| assert_eq!(to_value_type(&context, parse(of)), Some(parse(text)), "{of}");
        is_value("!torch.list<tuple<vtensor<[2],f32>, int>>", "!torch.list<tuple<tensor<[2],f32>, int>>");
        is_value("!torch.nn.Module<\"tensor\">", "!torch.nn.Module<\"tensor\">");
        is_value("!torch.tensor<[1],!torch.qint8>", "!torch.tensor<[1],!torch.qint8>");
    }
}
