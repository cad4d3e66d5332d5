//! Values as constants of the dialect, and back: numbers and strings as `torch.constant.*`, tensors as literals, everything else as a
//! `torch.operator "prim.Constant"`.
//!
//! That operator has the text of the value where graph text can say all of it. Where it cannot, `torch.value` says the rest: booleans, integers,
//! floats, strings and `dense<…>` as themselves, None as a unit, and `{list = […], element = "Tensor"}`, `{tuple = […]}`, `{dict = [[k, v], …]}`,
//! `{enum = …}`, `{device = …}`, `{complex = [re, im]}`, `{quantized = dense<…>, scales = […], …}`, and packed parameters as `{object = class, slots = […]}`.

use crate::text::attributes;
use crate::text::node::{Described, Nodes};
use half::{bf16, f16};
use sconce_graph::listing::{read_value, value_text};
use sconce_ir::builtin_type::{self, Shaped};
use sconce_ir::prelude::*;
use sconce_kernels::quantized::packed;
use sconce_schema::dtype::QScheme;
use sconce_schema::packed::PackedClass;
use sconce_schema::{DType, Type};
use sconce_syntax::graph_text::{AttributeValue, Text};
use sconce_tensor::{Complex, Dict, DictKey, Element, EnumValue, IValue, Quantizer, Tensor, Tuple};
use sconce_torch::NAMED_CONSTANT;
use std::sync::Arc;

pub use sconce_graph::value_type::of_value as type_of;

/// The value of a constant, as an attribute.
const VALUE: &str = "torch.value";
/// How the elements of a tensor print.
const TEXT: &str = "torch.text";
/// A tensor that requires a gradient.
const REQUIRES_GRAD: &str = "torch.requires_grad";
/// Tensors with more bytes are resources: not compared, not printed.
const INLINE_BYTES: usize = 4096;

/// Builds constants; numbers the resources of one module.
#[derive(Default)]
pub struct Constants {
    resources: usize,
}

impl Constants {
    /// The operation for a value of a type; nothing if the dialect cannot hold it.
    ///
    /// # Errors
    /// When MLIR refuses.
    pub fn build<'c: 'a, 'a>(
        &mut self,
        nodes: &mut Nodes<'c>,
        at: &Builder<'c, 'a>,
        location: Location<'c>,
        value: &IValue,
        ty: &Type,
    ) -> Result<Option<OperationRef<'c, 'a>>, crate::text::Error> {
        let context = at.context();
        let Some(mlir) = nodes.mlir_type(ty) else { return Ok(None) };
        let mut described = Described::new(location, Vec::new(), vec![mlir]);
        let simple = match (value, ty) {
            (IValue::Bool(b), Type::Bool) => Some(("torch.constant.bool", attr::bool(context, *b))),
            (IValue::Int(n), Type::Int) => Some(("torch.constant.int", attr::i64(context, *n))),
            (IValue::Double(x), Type::Float) => Some(("torch.constant.float", attr::f64(context, *x))),
            (IValue::Int(n), Type::Number) => Some(("torch.constant.number", attr::i64(context, *n))),
            (IValue::Double(x), Type::Number) => Some(("torch.constant.number", attr::f64(context, *x))),
            (IValue::Str(s), Type::Str) => Some(("torch.constant.str", attr::bytes(context, s.as_bytes()))),
            (IValue::Device(d), Type::Device) => Some(("torch.constant.device", attr::string(context, &d.to_string()))),
            _ => None,
        };
        if let Some((name, value)) = simple {
            described.inherent.push(("value", value));
            return Ok(Some(described.named(at, name, &[])?));
        }
        if value.is_none()
            && let Some(none) = nodes.mlir_type(&Type::None)
        {
            described.results = vec![none];
            return Ok(Some(described.named(at, "torch.constant.none", &[])?));
        }
        if let IValue::Tensor(t) = value
            && !t.is_quantized()
            && let Some(elements) = self.elements(context, t)
        {
            let mut literal = described.clone();
            literal.inherent.push(("value", elements));
            if let AttributeValue::Tensor(text) = value_text(value) {
                literal.inherent.push((TEXT, attr::string(context, &text)));
            }
            if t.requires_grad() {
                literal.inherent.push((REQUIRES_GRAD, attr::unit(context)));
            }
            if let Some(op) = nodes.attempt(at, "torch.tensor.literal", literal)? {
                return Ok(Some(op));
            }
        }
        let text = value_text(value);
        let said = is_said(value);
        let structured = if said { None } else { self.attribute(context, value, 0) };
        if !said && structured.is_none() {
            return Ok(None);
        }
        described.extra.push(("value", &text));
        let op = described.operator(at, "prim.Constant", &[])?;
        if let Some(structured) = structured {
            op.set_attr(VALUE, structured);
        }
        Ok(Some(op))
    }

    /// A value as an attribute.
    pub fn attribute<'c>(&mut self, context: &'c Context, value: &IValue, depth: usize) -> Option<Attribute<'c>> {
        if depth > MAX_DEPTH {
            return None;
        }
        let list = |this: &mut Self, items: &[IValue]| {
            let items: Option<Vec<Attribute<'c>>> =
                items.iter().map(|i| this.attribute(context, i, depth + 1)).collect();
            items.map(|items| attr::array(context, &items))
        };
        let text = |text: &str| attr::string(context, text);
        Some(match value {
            IValue::None => attr::unit(context),
            IValue::Bool(b) => attr::bool(context, *b),
            IValue::Int(n) => attr::i64(context, *n),
            IValue::Double(x) => attr::f64(context, *x),
            IValue::Str(s) => attr::bytes(context, s.as_bytes()),
            IValue::Tensor(t) if t.is_quantized() => {
                let q = t.quantizer()?;
                let numbers = |numbers: &[f64]| {
                    attr::array(context, &numbers.iter().map(|n| attr::f64(context, *n)).collect::<Vec<_>>())
                };
                let elements = self.elements(context, &t.reread(t.dtype().underlying(), None))?;
                let axis = attr::i64(context, q.axis().unwrap_or(0) as i64);
                let entries = [
                    ("axis", axis),
                    ("dtype", text(t.dtype().short_name())),
                    ("quantized", elements),
                    ("scales", numbers(q.scales())),
                    ("scheme", text(q.scheme().name())),
                    ("zero_points", numbers(q.zero_points())),
                ];
                attr::dict(context, &entries)
            }
            IValue::Tensor(t) => self.elements(context, t)?,
            IValue::Device(d) => attr::dict(context, &[("device", text(&d.to_string()))]),
            IValue::Complex(c) => {
                let parts = attr::array(context, &[attr::f64(context, c.re), attr::f64(context, c.im)]);
                attr::dict(context, &[("complex", parts)])
            }
            IValue::List(l) => {
                let items = list(self, &l.to_vec())?;
                attr::dict(context, &[("element", text(&l.element.to_string())), ("list", items)])
            }
            IValue::Tuple(t) => {
                let items = list(self, &t.items)?;
                match &t.names {
                    None => attr::dict(context, &[("tuple", items)]),
                    Some(names) => {
                        let ty = sconce_torch::types::to_mlir(context, &Type::NamedTuple(names.clone()))?;
                        attr::dict(context, &[("names", attr::r#type(ty)), ("tuple", items)])
                    }
                }
            }
            IValue::Dict(d) => {
                let mut pairs = Vec::new();
                for (k, v) in d.read().iter() {
                    pairs.push(list(self, &[k.to_value(), v.clone()])?);
                }
                let (key, value) = (text(&d.key.to_string()), text(&d.value.to_string()));
                attr::dict(context, &[("dict", attr::array(context, &pairs)), ("key", key), ("value", value)])
            }
            IValue::Enum(e) => {
                let mut entries = vec![("enum", text(&e.class)), ("member", text(&e.name))];
                // A listing names the member and not its value.
                if !matches!(e.value, IValue::Uninitialized) {
                    entries.push(("value", self.attribute(context, &e.value, depth + 1)?));
                }
                attr::dict(context, &entries)
            }
            IValue::Object(o) => {
                // Packed parameters are what their class says; other objects have no place in a constant.
                PackedClass::named(&o.class)?;
                let slots: Vec<IValue> = (0..o.names.len()).map(|slot| o.get(slot).unwrap_or_default()).collect();
                attr::dict(context, &[("object", text(&o.class)), ("slots", list(self, &slots)?)])
            }
            IValue::Future(_) | IValue::Generator(_) | IValue::Uninitialized => return None,
        })
    }

    fn elements<'c>(&mut self, context: &'c Context, t: &Tensor) -> Option<Attribute<'c>> {
        let sizes: Vec<Option<i64>> = t.sizes().iter().map(|n| Some(*n)).collect();
        let ty = builtin_type::tensor(&sizes, sconce_torch::types::element_type(context, t.dtype())?);
        let bytes = t.contiguous().ok()?.read_bytes();
        if bytes.len() <= INLINE_BYTES {
            return attr::dense(ty, &bytes).ok();
        }
        self.resources += 1;
        attr::dense_resource(ty, &format!("constant_{}", self.resources), &bytes).ok()
    }
}

/// Nesting of values.
const MAX_DEPTH: usize = 64;

/// Does the text of a value say all of it, whoever reads it?
fn is_said(value: &IValue) -> bool {
    match value {
        IValue::None | IValue::Bool(_) | IValue::Int(_) | IValue::Str(_) | IValue::Complex(_) | IValue::Device(_) => {
            true
        }
        // Whole numbers from 1e10 on print like integers, and at the top the type tells them apart.
        IValue::Double(x) => x.abs() < 1e10 || x.fract() != 0.0,
        IValue::List(l) => l.read().iter().all(is_said),
        IValue::Tuple(t) => t.items.iter().all(is_said),
        IValue::Dict(d) => d.read().iter().all(|(k, v)| is_said(&k.to_value()) && is_said(v)),
        _ => false,
    }
}

/// The value of `torch.constant.*`, of tensor literals and of `torch.operator "prim.Constant"`; `None` for other operations, and for constants
/// whose value was not printed.
pub fn value_of(op: OperationRef<'_, '_>) -> Option<IValue> {
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
        "torch.constant.device" => IValue::Device(Arc::new(attr::str_value(value?)?.parse().ok()?)),
        "torch.tensor.literal" | "torch.vtensor.literal" => {
            let known = match op.result_types().first().and_then(|ty| sconce_torch::types::from_mlir(*ty)) {
                Some(Type::Tensor(t)) => t.dtype,
                _ => None,
            };
            let t = tensor(value?, known)?;
            t.set_requires_grad(op.attr(REQUIRES_GRAD).is_some());
            IValue::Tensor(t)
        }
        "torch.operator" if op.str_attr("name") == Some("prim.Constant") => {
            if let Some(structured) = op.attr(VALUE) {
                return from_attribute(structured, 0);
            }
            let ty = sconce_torch::types::from_mlir(*op.result_types().first()?)?;
            match attributes::of(op).as_slice() {
                [] => IValue::None,
                [(name, value)] if name == "value" => read_value(value, &ty)?,
                _ => return None,
            }
        }
        _ => return None,
    })
}

/// TorchScript's strings are bytes; what is not UTF-8 in them cannot be held and is replaced.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The value that `torch.value` says.
pub(crate) fn from_attribute(attribute: Attribute<'_>, depth: usize) -> Option<IValue> {
    if depth > MAX_DEPTH {
        return None;
    }
    if let Some(b) = attr::bool_value(attribute) {
        return Some(IValue::Bool(b));
    }
    if let Some(n) = attr::int_value(attribute) {
        return Some(IValue::Int(n));
    }
    if let Some(x) = attr::float_value(attribute) {
        return Some(IValue::Double(x));
    }
    if let Some(bytes) = attr::bytes_value(attribute) {
        return Some(IValue::str(text(bytes)));
    }
    if let Some(entries) = attr::dict_value(attribute) {
        return from_entries(&entries, depth);
    }
    if attr::elements(attribute).is_some() {
        return tensor(attribute, None).map(IValue::Tensor);
    }
    (attribute.to_string() == "unit").then_some(IValue::None)
}

fn from_entries(entries: &[(&str, Attribute<'_>)], depth: usize) -> Option<IValue> {
    let entry = |name: &str| entries.iter().find(|(n, _)| *n == name).map(|(_, a)| *a);
    let string = |name: &str| entry(name).and_then(attr::str_value);
    let ty = |name: &str| sconce_schema::types::parse(string(name)?).ok();
    let list = |a: Attribute<'_>| -> Option<Vec<IValue>> {
        attr::array_value(a)?.into_iter().map(|i| from_attribute(i, depth + 1)).collect()
    };
    if let Some(device) = string("device") {
        return Some(IValue::Device(Arc::new(device.parse().ok()?)));
    }
    if let Some(parts) = entry("complex") {
        let [re, im] = attr::array_value(parts)?[..] else { return None };
        return Some(IValue::complex(attr::float_value(re)?, attr::float_value(im)?));
    }
    if let Some(items) = entry("list") {
        return Some(IValue::list(ty("element")?, list(items)?));
    }
    if let Some(items) = entry("tuple") {
        let names = match entry("names").and_then(attr::type_value).and_then(sconce_torch::types::from_mlir) {
            Some(Type::NamedTuple(names)) => Some(names),
            _ => None,
        };
        return Some(IValue::Tuple(Tuple::new(list(items)?, names)));
    }
    if let Some(pairs) = entry("dict") {
        let dict = Dict::new(ty("key")?, ty("value")?);
        for pair in attr::array_value(pairs)? {
            let [k, v] = &list(pair)?[..] else { return None };
            dict.write().insert(DictKey::from_value(k)?, v.clone());
        }
        return Some(IValue::Dict(dict));
    }
    if let Some(class) = string("object") {
        return packed::object(PackedClass::named(class)?, list(entry("slots")?)?).map(IValue::Object);
    }
    if let Some(elements) = entry("quantized") {
        return quantized(elements, &entry).map(IValue::Tensor);
    }
    let (class, member) = (string("enum")?, string("member")?);
    let value = match entry("value") {
        Some(value) => from_attribute(value, depth + 1)?,
        None => IValue::Uninitialized,
    };
    Some(IValue::Enum(Arc::new(EnumValue { class: class.into(), name: member.into(), value })))
}

/// A quantized tensor, of its integers and what they stand for.
fn quantized<'c>(elements: Attribute<'c>, entry: &dyn Fn(&str) -> Option<Attribute<'c>>) -> Option<Tensor> {
    let dtype = DType::from_short_name(attr::str_value(entry("dtype")?)?)?;
    let integers = tensor(elements, None).filter(|t| dtype.is_quantized() && t.dtype() == dtype.underlying())?;
    let scheme = QScheme::from_name(attr::str_value(entry("scheme")?)?)?;
    let numbers = |name: &str| -> Option<Vec<f64>> {
        attr::array_value(entry(name)?)?.into_iter().map(attr::float_value).collect()
    };
    let (scales, zero_points) = (numbers("scales")?, numbers("zero_points")?);
    let axis = usize::try_from(attr::int_value(entry("axis")?)?).ok()?;
    let quantizer = match (scheme.is_per_channel(), scales.as_slice(), zero_points.as_slice()) {
        (false, [scale], [zero]) => Quantizer::per_tensor(*scale, *zero as i64),
        (true, ..) if axis < integers.dim() => Quantizer::per_channel(scheme, scales, zero_points, axis)?,
        _ => return None,
    };
    Some(integers.reread(dtype, Some(quantizer)))
}

/// The tensor that `dense<…>` describes; `known` is the dtype where the element type says none.
pub fn tensor(attribute: Attribute<'_>, known: Option<DType>) -> Option<Tensor> {
    let elements = attr::elements(attribute)?;
    let sizes: Vec<i64> =
        attr::dims(elements.r#type)?.into_iter().map(|d| i64::try_from(d?).ok()).collect::<Option<_>>()?;
    let element = Shaped::tensor(elements.r#type)?.element;
    let dtype = sconce_torch::types::dtype_of(element).or(known)?;
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
    fn from<const N: usize, T: Element>(bytes: &[u8], sizes: &[i64], each: impl Fn([u8; N]) -> T) -> Option<Tensor> {
        let items = bytes.chunks_exact(N).map(|b| b.try_into().ok().map(&each)).collect::<Option<Vec<T>>>()?;
        Some(Tensor::from_vec(items, sizes))
    }
    match dtype {
        DType::Bool => from(&bytes, &sizes, |[b]: [u8; 1]| sconce_tensor::Bool::new(b != 0)),
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
        DType::C128 => from(&bytes, &sizes, |[a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]: [u8; 16]| {
            Complex::new(f64::from_ne_bytes([a, b, c, d, e, f, g, h]), f64::from_ne_bytes([i, j, k, l, m, n, o, p]))
        }),
        _ => None,
    }
}

/// A value that has only a name here: whoever runs the program has it ([`NAMED_CONSTANT`]).
///
/// # Errors
/// When MLIR refuses.
pub fn named_constant<'c: 'a, 'a>(
    at: &Builder<'c, 'a>,
    location: Location<'c>,
    name: &str,
    ty: sconce_ir::Type<'c>,
) -> Result<OperationRef<'c, 'a>, crate::text::Error> {
    let text = AttributeValue::Str(Text { bytes: name.as_bytes().to_vec(), signed_octal: false });
    let mut described = Described::new(location, Vec::new(), vec![ty]);
    described.extra.push(("name", &text));
    described.operator(at, NAMED_CONSTANT, &[])
}
