//! `prim::Constant` by the type of its value: the dialect's constants say exactly what the text says, or the text is kept.

use half::{bf16, f16};
use sconce_ir::prelude::*;
use sconce_ir::{Attribute, Context, OperationRef, builtin_type};
use sconce_schema::types::{Dim, TensorType};
use sconce_schema::{DType, Type};
use sconce_syntax::graph_text::{AttributeValue, PrintedTensor, Text, float_text};
use sconce_torch::types::element_type;

/// A string was printed with PyTorch's wrong digits for bytes above 127.
const SIGNED_OCTAL: &str = "torch.signed_octal";
/// How the elements of a tensor were printed.
const TEXT: &str = "torch.text";

/// A constant of the dialect.
pub(crate) struct Constant<'c> {
    pub op: &'static str,
    pub attributes: Vec<(&'static str, Attribute<'c>)>,
    /// `Tensor? = prim::Constant()` is a plain None.
    pub is_none: bool,
}

/// The dialect's constant for `ty = prim::Constant[value=…]()`, or `prim::Constant()` without a value; `None` if it has none.
pub(crate) fn to_mlir<'c>(context: &'c Context, ty: &Type, value: Option<&AttributeValue>) -> Option<Constant<'c>> {
    let simple = |op, value| Some(Constant { op, attributes: vec![("value", value)], is_none: false });
    match (ty, value) {
        (Type::None | Type::Optional(_), None) => {
            Some(Constant { op: "torch.constant.none", attributes: Vec::new(), is_none: true })
        }
        (Type::Int, Some(AttributeValue::Int(n))) => simple("torch.constant.int", attr::i64(context, *n)),
        (Type::Bool, Some(AttributeValue::Int(n @ (0 | 1)))) => {
            simple("torch.constant.bool", attr::bool(context, *n == 1))
        }
        (Type::Float, Some(AttributeValue::Float(x))) => simple("torch.constant.float", attr::f64(context, *x)),
        // From 1e10 to 1e16 floats are printed without a point.
        (Type::Float, Some(AttributeValue::Int(n))) if float_text(*n as f64) == n.to_string() => {
            simple("torch.constant.float", attr::f64(context, *n as f64))
        }
        (Type::Number, Some(AttributeValue::Int(n))) => simple("torch.constant.number", attr::i64(context, *n)),
        (Type::Number, Some(AttributeValue::Float(x))) => simple("torch.constant.number", attr::f64(context, *x)),
        (Type::Str, Some(AttributeValue::Str(text))) => {
            let mut constant = simple("torch.constant.str", attr::bytes(context, &text.bytes))?;
            if text.signed_octal {
                constant.attributes.push((SIGNED_OCTAL, attr::unit(context)));
            }
            Some(constant)
        }
        (Type::Device, Some(AttributeValue::Str(Text { bytes, signed_octal: false }))) => {
            simple("torch.constant.device", attr::bytes(context, bytes))
        }
        (Type::Tensor(tensor), Some(AttributeValue::Tensor(text))) => {
            let value = elements(context, tensor, text)?;
            let attributes = vec![("value", value), (TEXT, attr::string(context, text))];
            Some(Constant { op: "torch.tensor.literal", attributes, is_none: false })
        }
        _ => None,
    }
}

/// `dense<…>` with the numbers that a tensor's text prints, if dtype and shape are known from it or its type.
fn elements<'c>(context: &'c Context, tensor: &TensorType, text: &str) -> Option<Attribute<'c>> {
    let printed = PrintedTensor::read(text)?;
    let dtype = match (printed.dtype, tensor.dtype) {
        (Some(a), Some(b)) if a != b => return None,
        (a, b) => a.or(b)?,
    };
    let known: Option<Vec<i64>> = tensor
        .sizes
        .as_ref()
        .and_then(|sizes| sizes.iter().map(|d| if let Dim::Known(n) = d { Some(*n) } else { None }).collect());
    let sizes = printed.sizes.clone().or(known)?;
    let count = sizes.iter().try_fold(1i64, |n, s| n.checked_mul(*s))?;
    let wrong = dtype.is_quantized() || sizes.iter().any(|n| *n < 0);
    if wrong || usize::try_from(count).ok()? != printed.values.len() {
        return None;
    }
    let bytes = encode(dtype, &printed)?;
    let sizes: Vec<Option<i64>> = sizes.into_iter().map(Some).collect();
    let ty = builtin_type::tensor(&sizes, element_type(context, dtype)?);
    attr::dense(ty, &bytes).ok()
}

fn encode(dtype: DType, tensor: &PrintedTensor) -> Option<Vec<u8>> {
    let reals = || tensor.values.iter().map(|(re, _)| *re);
    let both = || tensor.values.iter().flat_map(|(re, im)| [*re, *im]);
    fn bytes<const N: usize>(items: impl Iterator<Item = [u8; N]>) -> Option<Vec<u8>> {
        Some(items.flatten().collect())
    }
    macro_rules! integers {
        ($t:ty) => {{
            let list = tensor.integers.as_ref()?;
            let list = list.iter().map(|n| <$t>::try_from(*n).ok()).collect::<Option<Vec<_>>>()?;
            bytes(list.into_iter().map(<$t>::to_le_bytes))
        }};
    }
    match dtype {
        DType::F64 => bytes(reals().map(f64::to_le_bytes)),
        DType::F32 => bytes(reals().map(|x| (x as f32).to_le_bytes())),
        DType::F16 => bytes(reals().map(|x| f16::from_f64(x).to_le_bytes())),
        DType::BF16 => bytes(reals().map(|x| bf16::from_f64(x).to_le_bytes())),
        DType::C128 => bytes(both().map(f64::to_le_bytes)),
        DType::C64 => bytes(both().map(|x| (x as f32).to_le_bytes())),
        DType::C32 => bytes(both().map(|x| f16::from_f64(x).to_le_bytes())),
        DType::I64 => integers!(i64),
        DType::I32 => integers!(i32),
        DType::I16 => integers!(i16),
        DType::I8 => integers!(i8),
        DType::U8 => integers!(u8),
        DType::Bool => integers!(u8).filter(|b| b.iter().all(|b| *b < 2)),
        DType::U16 => integers!(u16),
        DType::U32 => integers!(u32),
        DType::U64 => integers!(u64),
        _ => None,
    }
}

/// The value of a constant of the dialect as `prim::Constant` prints it: `Some(None)` for None, nothing for other operations.
pub(crate) fn from_mlir(op: OperationRef<'_, '_>) -> Option<Option<AttributeValue>> {
    let value = op.attr("value");
    let number = |value| {
        attr::float_value(value).map(AttributeValue::Float).or_else(|| attr::int_value(value).map(AttributeValue::Int))
    };
    Some(Some(match op.op_name() {
        "torch.constant.none" => return Some(None),
        "torch.constant.bool" => AttributeValue::Int(attr::bool_value(value?)?.into()),
        "torch.constant.int" | "torch.constant.float" | "torch.constant.number" => number(value?)?,
        "torch.constant.str" | "torch.constant.device" => AttributeValue::Str(Text {
            bytes: attr::bytes_value(value?)?.to_vec(),
            signed_octal: op.attr(SIGNED_OCTAL).is_some(),
        }),
        "torch.tensor.literal" | "torch.vtensor.literal" => match op.str_attr(TEXT) {
            Some(text) => AttributeValue::Tensor(text.to_owned()),
            None => AttributeValue::Opaque("<Tensor>".to_owned()),
        },
        _ => return None,
    }))
}
