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

    /// A type of the dialect that holds others.
    fn holding<'c>(context: &'c Context, word: &str, types: Vec<Type<'c>>) -> Type<'c> {
        Parts { types, ..Parts::word(word) }.to_type(context).expect(word)
    }

    fn tensor<'c>(context: &'c Context, value: bool, sizes: Option<&[Option<i64>]>, dtype: Option<DType>) -> Type<'c> {
        Tensor { value, sizes: sizes.map(SmallVec::from_slice), dtype }.to_type(context).expect("a tensor type")
    }

    /// One element of a dtype that compiled code does not take.
    fn quantized<'c>(context: &'c Context, word: &str) -> Type<'c> {
        let types = vec![Parts::word("qint8").to_type(context).expect("a dtype")];
        Parts { types, sizes: Some(vec![Some(1)]), ..Parts::word(word) }.to_type(context).expect(word)
    }

    #[test]
    fn tensor_types_are_read_and_made_alike() {
        let context = sconce_torch::context(false).expect("a context");
        for (value, sizes, dtype, text) in [
            (true, None, None, "!torch.vtensor"),
            (false, Some(&[][..]), Some(DType::F32), "!torch.tensor<[],f32>"),
            (true, Some(&[Some(2), None][..]), Some(DType::I64), "!torch.vtensor<[2,?],si64>"),
            (true, None, Some(DType::Bool), "!torch.vtensor<*,i1>"),
            (false, Some(&[Some(3)][..]), None, "!torch.tensor<[3],unk>"),
            (true, Some(&[Some(4)][..]), Some(DType::C128), "!torch.vtensor<[4],complex<f64>>"),
        ] {
            let said = Tensor { value, sizes: sizes.map(SmallVec::from_slice), dtype };
            let ty = said.to_type(&context).expect(text);
            assert_eq!((ty.to_string().as_str(), Tensor::of(ty)), (text, Some(said)));
        }
        let int = Parts::word("int").to_type(&context).expect("int");
        let builtin = sconce_ir::builtin_type::tensor(&[Some(2)], int);
        for ty in [quantized(&context, "vtensor"), holding(&context, "list", vec![int]), builtin] {
            assert_eq!(TorchType::of(ty), TorchType::Other, "{ty}");
        }
        assert_eq!(TorchType::of(int), TorchType::Int);
        assert_eq!(
            Tensor { value: true, sizes: Some(smallvec::smallvec![Some(-2)]), dtype: None }.to_type(&context),
            None
        );
    }

    #[test]
    fn values_are_tensors_that_nothing_writes_to() {
        let context = sconce_torch::context(false).expect("a context");
        let int = Parts::word("int").to_type(&context).expect("int");
        let listed = |value: bool| {
            let pair = vec![tensor(&context, value, Some(&[Some(2)]), Some(DType::F32)), int];
            holding(&context, "list", vec![holding(&context, "tuple", pair)])
        };
        assert_eq!(to_value_type(&context, listed(false)), Some(listed(true)));
        let module = Parts { names: vec!["tensor"], ..Parts::word("nn.Module") }.to_type(&context).expect("a class");
        for as_it_is in [module, quantized(&context, "tensor")] {
            assert_eq!(to_value_type(&context, as_it_is), Some(as_it_is));
        }
    }
}
