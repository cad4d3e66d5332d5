//! Constants of the torch dialect as the interpreter's values.

use half::{bf16, f16};
use sconce_interpreter::program::Class;
use sconce_ir::prelude::*;
use sconce_ir::{Attribute, OperationRef};
use sconce_schema::types::Device;
use sconce_schema::{DType, Type};
use sconce_syntax::graph_text::{AttributeValue, PrintedTensor};
use sconce_tensor::{Complex, Dict, DictKey, EnumValue, IValue, Tensor};
use std::sync::Arc;

/// The value of `torch.constant.*` and of tensor literals; `None` for other operations and for values that were not printed.
pub(crate) fn of_op(op: OperationRef<'_, '_>) -> Option<IValue> {
    let value = op.attr("value");
    Some(match op.op_name() {
        "torch.constant.none" => IValue::None,
        "torch.constant.bool" => IValue::Bool(attr::bool_value(value?)?),
        "torch.constant.int" => IValue::Int(attr::int_value(value?)?),
        "torch.constant.float" => IValue::Double(attr::float_value(value?)?),
        "torch.constant.number" => {
            attr::float_value(value?).map(IValue::Double).or_else(|| attr::int_value(value?).map(IValue::Int))?
        }
        "torch.constant.str" => IValue::str(text(attr::bytes_value(value?)?)),
        "torch.constant.device" => IValue::Device(Arc::new(device(&text(attr::bytes_value(value?)?))?)),
        "torch.tensor.literal" | "torch.vtensor.literal" => {
            let ty = op.result_types().first().and_then(|ty| sconce_graph::types::from_mlir(*ty));
            let dtype = match ty {
                Some(Type::Tensor(t)) => t.dtype,
                _ => None,
            };
            IValue::Tensor(tensor(value?, dtype)?)
        }
        _ => return None,
    })
}

/// TorchScript's strings are bytes; what is not UTF-8 in them cannot be held and is replaced.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// `cpu`, `cuda:1`.
fn device(text: &str) -> Option<Device> {
    let (kind, index) = match text.split_once(':') {
        Some((kind, index)) => (kind, Some(index.parse().ok()?)),
        None => (text, None),
    };
    Some(Device { kind: kind.into(), index })
}

/// The tensor that `dense<…>` describes.
fn tensor(attribute: Attribute<'_>, known: Option<DType>) -> Option<Tensor> {
    let elements = attr::elements(attribute)?;
    let sizes: Vec<i64> =
        attr::dims(elements.r#type)?.into_iter().map(|d| i64::try_from(d?).ok()).collect::<Option<_>>()?;
    let spelled = elements.r#type.to_string();
    let element = spelled.strip_prefix("tensor<")?.strip_suffix('>')?;
    let element = element.rsplit_once('x').map_or(element, |(_, e)| e);
    // `complex<f32>` has an x of its own.
    let element =
        if spelled.contains("complex<") { &spelled[spelled.find("complex<")?..spelled.len() - 1] } else { element };
    let dtype = sconce_graph::types::dtype_from_mlir(element).or(known)?;
    let count = sconce_tensor::numel(&sizes)?;
    let size = dtype.size();
    let bytes: Vec<u8> = if elements.splat {
        // A splat says little and may ask for much; the tensor's own limit holds.
        Tensor::zeros(&sizes, dtype).ok()?;
        elements.bytes.get(..size)?.repeat(count)
    } else {
        elements.bytes.to_vec()
    };
    if bytes.len() != count.checked_mul(size)? {
        return None;
    }
    fn from<const N: usize, T: sconce_tensor::Element>(
        bytes: &[u8],
        sizes: &[i64],
        each: impl Fn([u8; N]) -> T,
    ) -> Option<Tensor> {
        let items = bytes.chunks_exact(N).map(|b| b.try_into().ok().map(&each)).collect::<Option<Vec<T>>>()?;
        Some(Tensor::from_vec(items, sizes))
    }
    match dtype {
        DType::Bool => from(&bytes, &sizes, |[b]: [u8; 1]| b != 0),
        DType::U8 => from(&bytes, &sizes, u8::from_ne_bytes),
        DType::I8 => from(&bytes, &sizes, i8::from_ne_bytes),
        DType::I16 => from(&bytes, &sizes, i16::from_ne_bytes),
        DType::U16 => from(&bytes, &sizes, u16::from_ne_bytes),
        DType::I32 => from(&bytes, &sizes, i32::from_ne_bytes),
        DType::U32 => from(&bytes, &sizes, u32::from_ne_bytes),
        DType::I64 => from(&bytes, &sizes, i64::from_ne_bytes),
        DType::U64 => from(&bytes, &sizes, u64::from_ne_bytes),
        DType::F16 => from(&bytes, &sizes, f16::from_ne_bytes),
        DType::BF16 => from(&bytes, &sizes, bf16::from_ne_bytes),
        DType::F32 => from(&bytes, &sizes, f32::from_ne_bytes),
        DType::F64 => from(&bytes, &sizes, f64::from_ne_bytes),
        DType::C32 => from(&bytes, &sizes, |[a, b, c, d]: [u8; 4]| {
            Complex::new(f16::from_ne_bytes([a, b]), f16::from_ne_bytes([c, d]))
        }),
        DType::C64 => from(&bytes, &sizes, |[a, b, c, d, e, f, g, h]: [u8; 8]| {
            Complex::new(f32::from_ne_bytes([a, b, c, d]), f32::from_ne_bytes([e, f, g, h]))
        }),
        DType::C128 => from(&bytes, &sizes, |b: [u8; 16]| {
            let (re, im) = b.split_at(8);
            let part = |p: &[u8]| f64::from_ne_bytes(p.try_into().expect("half of sixteen bytes"));
            Complex::new(part(re), part(im))
        }),
        _ => None,
    }
}

/// Nesting of constants.
const MAX_DEPTH: usize = 64;

/// The value that `prim::Constant[value=…]` of a type prints; `None` where the print leaves the contents out.
///
/// `classes` know the members of enumerations.
pub(crate) fn of_attribute(value: &AttributeValue, ty: &Type, classes: &[Class]) -> Option<IValue> {
    Reader { classes }.convert(value, ty, 0)
}

struct Reader<'c> {
    classes: &'c [Class],
}

impl Reader<'_> {
    fn convert(&self, value: &AttributeValue, ty: &Type, depth: usize) -> Option<IValue> {
        if depth > MAX_DEPTH {
            return None;
        }
        let ty = if let Type::Optional(inner) = ty { inner } else { ty };
        Some(match value {
            AttributeValue::None => IValue::None,
            AttributeValue::Bool(b) => IValue::Bool(*b),
            AttributeValue::Int(n) => match ty {
                Type::Bool => IValue::Bool(*n != 0),
                Type::Float => IValue::Double(*n as f64),
                Type::Complex => IValue::complex(*n as f64, 0.0),
                _ => IValue::Int(*n),
            },
            AttributeValue::Float(x) if *ty == Type::Complex => IValue::complex(*x, 0.0),
            AttributeValue::Float(x) => IValue::Double(*x),
            AttributeValue::Complex(re, im) => IValue::complex(*re, *im),
            AttributeValue::Str(s) if *ty == Type::Device => IValue::Device(Arc::new(device(&text(&s.bytes))?)),
            AttributeValue::Str(s) => IValue::str(text(&s.bytes)),
            AttributeValue::List(items) => {
                let element = match ty {
                    Type::List(e) => Type::clone(e),
                    _ => Type::Any,
                };
                let items = items.iter().map(|i| self.convert(i, &element, depth + 1)).collect::<Option<Vec<_>>>()?;
                IValue::list(crate::types::general(&element), items)
            }
            AttributeValue::Tuple(items) => {
                let at = |i: usize| match ty {
                    Type::Tuple(types) => types.get(i).cloned(),
                    Type::NamedTuple(n) => n.fields.get(i).map(|(_, t)| t.clone()),
                    _ => None,
                };
                let items =
                    items.iter().enumerate().map(|(i, v)| self.convert(v, &at(i).unwrap_or(Type::Any), depth + 1));
                IValue::tuple(items.collect::<Option<_>>()?)
            }
            AttributeValue::Dict(pairs) => {
                let (key, item) = match ty {
                    Type::Dict(k, v) => (Type::clone(k), Type::clone(v)),
                    _ => (Type::Any, Type::Any),
                };
                let dict = Dict::new(crate::types::general(&key), crate::types::general(&item));
                for (k, v) in pairs {
                    let k = DictKey::from_value(&self.convert(k, &key, depth + 1)?)?;
                    let v = self.convert(v, &item, depth + 1)?;
                    dict.write().insert(k, v);
                }
                IValue::Dict(dict)
            }
            AttributeValue::Annotated(ty, inner) => self.convert(inner, ty, depth + 1)?,
            AttributeValue::Name(name) => self.member(name)?,
            AttributeValue::Tensor(text) => IValue::Tensor(printed(&PrintedTensor::read(text)?, ty)?),
            AttributeValue::Type(_) | AttributeValue::Opaque(_) => return None,
        })
    }

    /// The member of an enumeration. The text names it; only the class knows its value.
    fn member(&self, name: &str) -> Option<IValue> {
        let (class, member) = name.rsplit_once('.')?;
        let declared = self.classes.iter().find(|c| *c.name == *class);
        let value = declared.and_then(|c| c.constant(member)).cloned().unwrap_or(IValue::Uninitialized);
        Some(IValue::Enum(Arc::new(EnumValue { class: class.into(), name: member.into(), value })))
    }
}

/// A tensor from its printed numbers, where they are all there.
fn printed(p: &PrintedTensor, ty: &Type) -> Option<Tensor> {
    let known = match ty {
        Type::Tensor(t) => t.dtype,
        _ => None,
    };
    let dtype = p.dtype.or(known)?;
    let n = p.values.len() as i64;
    let sizes = p.sizes.clone().unwrap_or_else(|| vec![n]);
    if sconce_tensor::numel(&sizes)? != p.values.len() {
        return None;
    }
    let reals = || p.values.iter().map(|(re, _)| *re);
    Some(match dtype {
        DType::F64 => Tensor::from_vec(reals().collect::<Vec<f64>>(), &sizes),
        DType::F32 => Tensor::from_vec(reals().map(|x| x as f32).collect::<Vec<_>>(), &sizes),
        DType::F16 => Tensor::from_vec(reals().map(f16::from_f64).collect::<Vec<_>>(), &sizes),
        DType::BF16 => Tensor::from_vec(reals().map(bf16::from_f64).collect::<Vec<_>>(), &sizes),
        DType::Bool => Tensor::from_vec(reals().map(|x| x != 0.0).collect::<Vec<_>>(), &sizes),
        DType::I64 => {
            let items = p.integers.as_ref()?.iter().map(|n| i64::try_from(*n).ok());
            Tensor::from_vec(items.collect::<Option<Vec<_>>>()?, &sizes)
        }
        DType::I32 => {
            let items = p.integers.as_ref()?.iter().map(|n| i32::try_from(*n).ok());
            Tensor::from_vec(items.collect::<Option<Vec<_>>>()?, &sizes)
        }
        _ => return None,
    })
}
