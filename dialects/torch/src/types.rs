//! TorchScript's types and the dialect's: one to one, but for what only graph text knows of tensors (strides, devices, gradients).

use sconce_ir::builtin_type::{Sign, complex, integer, integer_parts};
use sconce_ir::prelude::*;
use sconce_ir::torch_type::Parts;
use sconce_schema::types::{Dim, NamedTuple, TensorType};
use sconce_schema::{DType, Type as ScriptType};
use std::sync::Arc;

/// Makes an element type.
type Make = for<'c> fn(&'c Context) -> Option<Type<'c>>;

/// Element types; other dtypes are unknown to the dialect.
const DTYPES: &[(DType, Make)] = &[
    (DType::F32, |c| Some(Type::float32(c))),
    (DType::I64, |c| Some(integer(c, 64, Sign::Signed))),
    (DType::Bool, |c| Some(integer(c, 1, Sign::Unsaid))),
    (DType::U8, |c| Some(integer(c, 8, Sign::Unsigned))),
    (DType::I8, |c| Some(integer(c, 8, Sign::Signed))),
    (DType::I16, |c| Some(integer(c, 16, Sign::Signed))),
    (DType::I32, |c| Some(integer(c, 32, Sign::Signed))),
    (DType::U16, |c| Some(integer(c, 16, Sign::Unsigned))),
    (DType::U32, |c| Some(integer(c, 32, Sign::Unsigned))),
    (DType::U64, |c| Some(integer(c, 64, Sign::Unsigned))),
    (DType::F16, |c| Some(Type::float16(c))),
    (DType::BF16, |c| Some(Type::bfloat16(c))),
    (DType::F64, |c| Some(Type::float64(c))),
    (DType::F8E5M2, |c| Some(Type::float8_e5m2(c))),
    (DType::F8E4M3FN, |c| Some(Type::float8_e4m3fn(c))),
    (DType::F8E5M2FNUZ, |c| Some(Type::float8_e5m2fnuz(c))),
    (DType::F8E4M3FNUZ, |c| Some(Type::float8_e4m3fnuz(c))),
    (DType::QI8, |c| Parts::word("qint8").to_type(c)),
    (DType::QU8, |c| Parts::word("quint8").to_type(c)),
    (DType::QI32, |c| Parts::word("qint32").to_type(c)),
    (DType::C64, |c| complex(Type::float32(c))),
    (DType::C128, |c| complex(Type::float64(c))),
    (DType::C32, |c| complex(Type::float16(c))),
];

/// Types that are one word, in the dialect's.
const WORDS: &[(ScriptType, &str)] = &[
    (ScriptType::Any, "any"),
    (ScriptType::Int, "int"),
    (ScriptType::Float, "float"),
    (ScriptType::Complex, "complex"),
    (ScriptType::Bool, "bool"),
    (ScriptType::Str, "str"),
    (ScriptType::None, "none"),
    (ScriptType::Number, "number"),
    (ScriptType::Device, "Device"),
    (ScriptType::Generator, "Generator"),
    (ScriptType::Stream, "stream"),
    (ScriptType::Storage, "storage"),
    (ScriptType::QScheme, "qscheme"),
    (ScriptType::Layout, "layout"),
    (ScriptType::MemoryFormat, "memory_format"),
    (ScriptType::ScalarType, "scalar_type"),
    (ScriptType::SymInt, "sym_int"),
    (ScriptType::SymFloat, "sym_float"),
    (ScriptType::SymBool, "sym_bool"),
    (ScriptType::Capsule, "capsule"),
    (ScriptType::PyObject, "py_object"),
    (ScriptType::Function, "function"),
    (ScriptType::AnyList, "any_list"),
    (ScriptType::AnyTuple, "any_tuple"),
    (ScriptType::AnyClass, "any_class"),
    (ScriptType::AnyEnum, "any_enum"),
];

/// Types nest no deeper than the dialect's own reader allows.
const MAX_DEPTH: usize = 64;

/// The dialect's type, tensors as `!torch.tensor`; `None` if the dialect refuses it (a size beyond its limits, say).
pub fn to_mlir<'c>(context: &'c Context, ty: &ScriptType) -> Option<Type<'c>> {
    build(context, ty, NON_VALUE, 0)
}

/// The same with tensors as `!torch.vtensor`.
pub fn to_mlir_value<'c>(context: &'c Context, ty: &ScriptType) -> Option<Type<'c>> {
    build(context, ty, VALUE, 0)
}

const VALUE: &str = "vtensor";
const NON_VALUE: &str = "tensor";

fn build<'c>(context: &'c Context, ty: &ScriptType, tensors: &'static str, depth: usize) -> Option<Type<'c>> {
    if depth == MAX_DEPTH {
        return None;
    }
    let inner = |ty: &ScriptType| build(context, ty, tensors, depth + 1);
    let holding = |word, types: &[&ScriptType]| {
        let types = types.iter().map(|t| inner(t)).collect::<Option<_>>()?;
        Parts { types, ..Parts::word(word) }.to_type(context)
    };
    let named = |word, name: &str| Parts { names: vec![name], ..Parts::word(word) }.to_type(context);
    match ty {
        ScriptType::Tensor(tensor) => {
            let known = |d: &Dim| if let Dim::Known(n) = d { Some(*n) } else { None };
            let sizes = tensor.sizes.as_ref().map(|sizes| sizes.iter().map(known).collect());
            tensor_type(context, tensors == VALUE, sizes, tensor.dtype)
        }
        ScriptType::List(t) => holding("list", &[t]),
        ScriptType::Optional(t) => holding("optional", &[t]),
        ScriptType::Future(t) => holding("future", &[t]),
        ScriptType::Await(t) => holding("await", &[t]),
        ScriptType::RRef(t) => holding("rref", &[t]),
        ScriptType::Dict(k, v) => holding("dict", &[k, v]),
        ScriptType::Tuple(ts) => holding("tuple", &ts.iter().collect::<Vec<_>>()),
        ScriptType::Union(ts) => holding("union", &ts.iter().collect::<Vec<_>>()),
        ScriptType::Enum(name) => named("enum", name),
        ScriptType::Class(name) => named("nn.Module", name),
        // Annotations and older graphs call `Scalar` so.
        ScriptType::Var(name) if &**name == "number" => Parts::word("number").to_type(context),
        ScriptType::Var(name) => named("var", name),
        ScriptType::NamedTuple(tuple) => {
            let names = std::iter::once(&*tuple.name).chain(tuple.fields.iter().map(|(name, _)| &**name)).collect();
            let types = tuple.fields.iter().map(|(_, ty)| inner(ty)).collect::<Option<_>>()?;
            Parts { names, types, ..Parts::word("named_tuple") }.to_type(context)
        }
        plain => Parts::word(WORDS.iter().find(|(t, _)| t == plain).map_or("any", |(_, word)| word)).to_type(context),
    }
}

/// A tensor type; a dtype that the dialect has no element type for is unknown to it.
pub fn tensor_type(
    context: &Context,
    value: bool,
    sizes: Option<Vec<Option<i64>>>,
    dtype: Option<DType>,
) -> Option<Type<'_>> {
    let types = dtype.and_then(|d| element_type(context, d)).into_iter().collect();
    Parts { types, sizes, ..Parts::word(if value { VALUE } else { NON_VALUE }) }.to_type(context)
}

/// The element type of tensors that hold this dtype.
pub fn element_type(context: &Context, dtype: DType) -> Option<Type<'_>> {
    DTYPES.iter().find(|(d, _)| *d == dtype).and_then(|(_, make)| make(context))
}

/// The dtype of an element type; integers without a sign are read as signed.
pub fn dtype_of(element: Type<'_>) -> Option<DType> {
    let context = sconce_ir::op::type_context(element);
    let element = match integer_parts(element) {
        Some((width, Sign::Unsaid)) if width != 1 => integer(context, width, Sign::Signed),
        _ => element,
    };
    DTYPES.iter().find(|(_, make)| make(context) == Some(element)).map(|(dtype, _)| *dtype)
}

/// Whether these are the parts of a tensor nothing can write to, of another one, or of no tensor at all.
pub fn is_value_tensor(parts: &Parts<'_, '_>) -> Option<bool> {
    match parts.word {
        VALUE => Some(true),
        NON_VALUE => Some(false),
        _ => None,
    }
}

/// A type as messages say it: in TorchScript's words (`Tensor?`) where it is one of the dialect's, else in MLIR's.
pub fn spelled(ty: Type<'_>) -> String {
    from_mlir(ty).map_or_else(|| ty.to_string(), |script| script.to_string())
}

/// The TorchScript type of one of the dialect's; value tensors and others alike are `Tensor`. `None` for types of other dialects.
pub fn from_mlir(ty: Type<'_>) -> Option<ScriptType> {
    let parts = Parts::of(ty)?;
    let held = |i: usize| from_mlir(*parts.types.get(i)?);
    let one = || held(0).map(Arc::new);
    let all = || parts.types.iter().map(|t| from_mlir(*t)).collect::<Option<Vec<_>>>();
    let name = || parts.names.first().map(|n| Arc::from(*n));
    Some(match parts.word {
        VALUE | NON_VALUE => ScriptType::Tensor(Arc::new(tensor(&parts))),
        "list" => ScriptType::List(one()?),
        "optional" => ScriptType::Optional(one()?),
        "future" => ScriptType::Future(one()?),
        "await" => ScriptType::Await(one()?),
        "rref" => ScriptType::RRef(one()?),
        "dict" => ScriptType::dict(held(0)?, held(1)?),
        "tuple" => ScriptType::Tuple(all()?.into()),
        "union" => ScriptType::Union(all()?.into()),
        "enum" => ScriptType::Enum(name()?),
        "nn.Module" => ScriptType::Class(name()?),
        "var" => ScriptType::Var(name()?),
        "named_tuple" => {
            let fields = parts.names.iter().skip(1).map(|n| Arc::from(*n)).zip(all()?).collect();
            ScriptType::NamedTuple(Arc::new(NamedTuple { name: name()?, fields, defaults: Vec::new() }))
        }
        word => WORDS.iter().find(|(_, w)| *w == word).map(|(t, _)| t.clone())?,
    })
}

fn tensor(parts: &Parts<'_, '_>) -> TensorType {
    let dim = |n: &Option<i64>| n.map_or(Dim::Unknown, Dim::Known);
    TensorType {
        sizes: parts.sizes.as_ref().map(|sizes| sizes.iter().map(dim).collect()),
        dtype: parts.types.first().and_then(|t| dtype_of(*t)),
        ..TensorType::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_travels_there_and_back() {
        let context = sconce_ir::context::new(false);
        let tensor = ScriptType::Tensor(Arc::new(TensorType {
            dtype: Some(DType::C64),
            sizes: Some(vec![Dim::Known(2), Dim::Unknown]),
            ..TensorType::default()
        }));
        let pair = NamedTuple {
            name: "__torch__.Pair".into(),
            fields: vec![("a\"\\é".into(), ScriptType::Int), ("b".into(), tensor.clone())],
            defaults: Vec::new(),
        };
        let mut types: Vec<ScriptType> = WORDS.iter().map(|(ty, _)| ty.clone()).collect();
        types.extend([
            ScriptType::tensor(),
            tensor.clone(),
            ScriptType::list(ScriptType::optional(tensor.clone())),
            ScriptType::dict(ScriptType::Str, ScriptType::Tuple([ScriptType::Int, tensor].into())),
            ScriptType::Tuple([].into()),
            ScriptType::Union([ScriptType::Int, ScriptType::None].into()),
            ScriptType::NamedTuple(Arc::new(pair)),
            ScriptType::Future(Arc::new(ScriptType::Await(Arc::new(ScriptType::RRef(Arc::new(ScriptType::Int)))))),
            ScriptType::Enum("__torch__.m.Color".into()),
            ScriptType::Class("__torch__.a b\n".into()),
            ScriptType::Var("t".into()),
        ]);
        for ty in types {
            for mlir in [to_mlir(&context, &ty), to_mlir_value(&context, &ty)] {
                let mlir = mlir.unwrap_or_else(|| panic!("{ty:?} is no type of the dialect"));
                assert_eq!(from_mlir(mlir).as_ref(), Some(&ty), "{mlir}");
            }
        }
        assert_eq!(
            to_mlir_value(&context, &ScriptType::tensor()).map(|t| t.to_string()).as_deref(),
            Some("!torch.vtensor")
        );
        assert_eq!(from_mlir(Type::parse(&context, "tensor<2xf32>").expect("a type")), None);
    }
}
