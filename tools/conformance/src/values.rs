//! Values as the recordings write them: decoded to what a program is given, and compared with what it gives.
//!
//! Tensors stand with sizes and numbers row by row, shared storage by the number of a tensor in its group. All arguments of a call are one
//! group, a result is another.

use crate::Error;
use crate::tolerance::{Number, Tolerance, compare_elements, numbers};
use crate::vectors::device;
use sconce_schema::{DType, Type};
use sconce_tensor::{Bool, Complex, Dict, DictKey, EnumValue, IValue, List, Object, Tensor, Tuple, bf16, f16};
use serde_json::{Map, Value};
use std::sync::Arc;

/// Lists and dictionaries are copied when Python hands them over, tensors are not.
pub fn copy_containers(v: &IValue) -> IValue {
    match v {
        IValue::List(l) => IValue::List(List::new(l.element.clone(), l.read().iter().map(copy_containers))),
        IValue::Dict(d) => {
            let copy = Dict::new(d.key.clone(), d.value.clone());
            for (k, v) in d.read().iter() {
                copy.write().insert(k.clone(), copy_containers(v));
            }
            IValue::Dict(copy)
        }
        IValue::Tuple(t) => IValue::Tuple(Tuple::new(t.items.iter().map(copy_containers), t.names.clone())),
        other => other.clone(),
    }
}

/// Tensors depth first.
pub(crate) fn tensors(v: &IValue, out: &mut Vec<Tensor>) {
    match v {
        IValue::Tensor(t) => out.push(t.clone()),
        IValue::List(l) => l.to_vec().iter().for_each(|v| tensors(v, out)),
        IValue::Tuple(t) => t.items.iter().for_each(|v| tensors(v, out)),
        IValue::Dict(d) => {
            let values: Vec<IValue> = d.read().values().cloned().collect();
            values.iter().for_each(|v| tensors(v, out));
        }
        _ => {}
    }
}

/// Which tensors of a result share storage with which tensors given; the recording names one for each of the result's.
pub(crate) fn compare_aliases(want: &Value, given: &[&IValue], result: &IValue) -> Result<(), String> {
    let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
    given.iter().for_each(|v| tensors(v, &mut inputs));
    tensors(result, &mut outputs);
    let mut got = Vec::new();
    for (o, out) in outputs.iter().enumerate() {
        for (i, input) in inputs.iter().enumerate() {
            if out.numel() > 0 && input.numel() > 0 && out.shares_storage(input) {
                got.push([o as i64, i as i64]);
            }
        }
    }
    let pairs = want.as_array().into_iter().flatten();
    let want: Vec<[i64; 2]> = pairs.filter_map(|p| Some([p[0].as_i64()?, p[1].as_i64()?])).collect();
    let named = |pairs: &[[i64; 2]]| pairs.iter().map(|p| p[0]).collect::<std::collections::BTreeSet<_>>();
    if !want.iter().all(|p| got.contains(p)) || named(&want) != named(&got) {
        return Err(format!("outputs share storage with inputs as {got:?}, expected {want:?}"));
    }
    Ok(())
}

pub(crate) fn brief(json: &Value) -> String {
    let mut text = json.to_string();
    if let Some((cut, _)) = text.char_indices().nth(200) {
        text.truncate(cut);
        text.push('…');
    }
    text
}

/// A dtype in these recordings: `b` is bool.
fn dtype(json: &Value) -> Result<DType, Error> {
    let bad = || Error::malformed("a dtype", json);
    match json.as_str().ok_or_else(bad)? {
        "b" => Ok(DType::Bool),
        "sparse" => Err(Error::Unsupported("a sparse tensor".into())),
        name => DType::from_short_name(name).ok_or_else(bad),
    }
}

fn number(json: &Value) -> Result<f64, Error> {
    match json {
        Value::String(s) => match s.as_str() {
            "nan" => Ok(f64::NAN),
            "inf" => Ok(f64::INFINITY),
            "-inf" => Ok(f64::NEG_INFINITY),
            _ => Err(Error::malformed("a number", json)),
        },
        _ => json.as_f64().ok_or_else(|| Error::malformed("a number", json)),
    }
}

/// The elements of a recorded tensor, contiguous.
pub(crate) fn elements(o: &Map<String, Value>, json: &Value) -> Result<Tensor, Error> {
    let dtype = dtype(o.get("T").unwrap_or(&Value::Null))?;
    let sizes = crate::data::integers(o.get("s").unwrap_or(&Value::Null))?;
    let count = sconce_tensor::numel(&sizes).filter(|n| *n < 1 << 28).ok_or_else(|| Error::malformed("sizes", json))?;
    let parts = if dtype.is_complex() { 2 * count } else { count };
    let items: Vec<&Value> = match (o.get("fill"), o.get("d").and_then(Value::as_array)) {
        (Some(fill), _) => vec![fill; parts],
        (None, Some(items)) if items.len() == parts => items.iter().collect(),
        _ => return Err(Error::malformed("as many numbers as the sizes say", json)),
    };
    let reals = || items.iter().map(|v| number(v)).collect::<Result<Vec<f64>, Error>>();
    macro_rules! integers {
        ($t:ty) => {{
            let narrow = |v: &&Value| {
                v.as_i64().and_then(|i| <$t>::try_from(i).ok()).ok_or_else(|| Error::malformed("an integer", v))
            };
            Tensor::from_vec(items.iter().map(narrow).collect::<Result<Vec<$t>, Error>>()?, &sizes)
        }};
    }
    Ok(match dtype {
        DType::F64 => Tensor::from_vec(reals()?, &sizes),
        DType::F32 => Tensor::from_vec(reals()?.into_iter().map(|v| v as f32).collect(), &sizes),
        DType::F16 => Tensor::from_vec(reals()?.into_iter().map(|v| f16::from_f32(v as f32)).collect(), &sizes),
        DType::BF16 => Tensor::from_vec(reals()?.into_iter().map(|v| bf16::from_f32(v as f32)).collect(), &sizes),
        DType::C64 => {
            let pairs = reals()?.chunks_exact(2).map(|p| Complex::new(p[0] as f32, p[1] as f32)).collect();
            Tensor::from_vec(pairs, &sizes)
        }
        DType::C128 => Tensor::from_vec(reals()?.chunks_exact(2).map(|p| Complex::new(p[0], p[1])).collect(), &sizes),
        DType::Bool => {
            let truth = |v: &&Value| match v {
                Value::Bool(b) => Ok(*b),
                other => other.as_i64().map(|i| i != 0).ok_or_else(|| Error::malformed("a bool", other)),
            };
            Tensor::from_vec(items.iter().map(|i| truth(i).map(Bool::new)).collect::<Result<Vec<_>, Error>>()?, &sizes)
        }
        DType::I8 => integers!(i8),
        DType::I16 => integers!(i16),
        DType::I32 => integers!(i32),
        DType::I64 => integers!(i64),
        DType::U8 => integers!(u8),
        other => return Err(Error::Unsupported(format!("tensors of {other}"))),
    })
}

/// Values that are decoded together: later tensors may view earlier ones.
#[derive(Default)]
pub struct Group {
    pub(crate) tensors: Vec<Tensor>,
}

impl Group {
    /// A value of a type; the type decides what an empty list holds and whether `1` is a float.
    pub fn decode(&mut self, json: &Value, ty: &Type) -> Result<IValue, Error> {
        if let Type::Optional(inner) = ty {
            return if json.is_null() { Ok(IValue::None) } else { self.decode(json, inner) };
        }
        Ok(match json {
            Value::Null => IValue::None,
            // Python's True is a number where one is asked for.
            Value::Bool(b) => match ty {
                Type::Float => IValue::Double(f64::from(u8::from(*b))),
                Type::Int => IValue::Int(i64::from(*b)),
                _ => IValue::Bool(*b),
            },
            Value::String(s) => IValue::str(s.as_str()),
            Value::Number(n) => match (n.as_i64(), n.as_f64()) {
                (Some(i), _) => match ty {
                    Type::Float => IValue::Double(i as f64),
                    Type::Complex => IValue::complex(i as f64, 0.0),
                    _ => IValue::Int(i),
                },
                (None, Some(f)) if *ty == Type::Complex => IValue::complex(f, 0.0),
                (None, Some(f)) => IValue::Double(f),
                _ => return Err(Error::malformed("a number", json)),
            },
            Value::Array(items) => {
                let element = match ty {
                    Type::List(e) => Type::clone(e),
                    _ => Type::Any,
                };
                let values = items.iter().map(|v| self.decode(v, &element)).collect::<Result<Vec<_>, _>>()?;
                IValue::list(plain(&element), values)
            }
            Value::Object(o) => self.object(o, json, ty)?,
        })
    }

    fn object(&mut self, o: &Map<String, Value>, json: &Value, ty: &Type) -> Result<IValue, Error> {
        if o.contains_key("T") {
            let t = self.tensor(o, json)?;
            self.tensors.push(t.clone());
            return Ok(IValue::Tensor(t));
        }
        if let Some(k) = o.get("same") {
            let t = k.as_u64().and_then(|k| self.tensors.get(usize::try_from(k).ok()?));
            return t.cloned().map(IValue::Tensor).ok_or_else(|| Error::malformed("a tensor number", json));
        }
        if let Some(f) = o.get("f") {
            return Ok(IValue::Double(number(f)?));
        }
        if let Some(c) = o.get("c") {
            return Ok(IValue::complex(number(&c[0])?, number(&c[1])?));
        }
        if let Some(items) = o.get("t").and_then(Value::as_array) {
            let types: &[Type] = if let Type::Tuple(t) = ty { t } else { &[] };
            let values = items.iter().enumerate().map(|(i, v)| self.decode(v, types.get(i).unwrap_or(&Type::Any)));
            return Ok(IValue::tuple(values.collect::<Result<Vec<_>, _>>()?));
        }
        if let Some(items) = o.get("nt").and_then(Value::as_array) {
            let names = if let Type::NamedTuple(n) = ty { Some(n.clone()) } else { None };
            let field = |i: usize| names.as_ref().and_then(|n| n.fields.get(i)).map_or(Type::Any, |f| f.1.clone());
            let values = items.iter().enumerate().map(|(i, v)| self.decode(&v[1], &field(i)));
            let items: Vec<IValue> = values.collect::<Result<_, _>>()?;
            return Ok(IValue::Tuple(Tuple::new(items, names)));
        }
        if let Some(items) = o.get("dict").and_then(Value::as_array) {
            let (key, value) = match ty {
                Type::Dict(k, v) => (Type::clone(k), Type::clone(v)),
                _ => (Type::Any, Type::Any),
            };
            let dict = Dict::new(plain(&key), plain(&value));
            for pair in items {
                let k = self.decode(&pair[0], &key)?;
                let k = DictKey::from_value(&k).ok_or_else(|| Error::malformed("a dictionary key", &pair[0]))?;
                let v = self.decode(&pair[1], &value)?;
                dict.write().insert(k, v);
            }
            return Ok(IValue::Dict(dict));
        }
        if let (Some(class), Some(fields)) =
            (o.get("obj").and_then(Value::as_str), o.get("fields").and_then(Value::as_array))
        {
            let mut values = Vec::new();
            for field in fields {
                let name = field[0].as_str().ok_or_else(|| Error::malformed("a field's name", &field[0]))?;
                values.push((Arc::from(name), self.decode(&field[1], &Type::Any)?));
            }
            let object =
                Object::new(class.into(), values.iter().map(|(name, _): &(Arc<str>, IValue)| name.clone()).collect());
            values.into_iter().enumerate().for_each(|(slot, (_, value))| _ = object.set(slot, value));
            return Ok(IValue::Object(object));
        }
        if let Some(items) = o.get("ps").and_then(Value::as_array) {
            return packed(items, ty);
        }
        if let Some(d) = o.get("dev") {
            return Ok(IValue::Device(Arc::new(device(d)?)));
        }
        if let Some(name) = o.get("th").and_then(Value::as_str) {
            let dtype = name.strip_prefix("torch.").and_then(DType::from_torch_name);
            let format = ["contiguous_format", "preserve_format", "channels_last", "channels_last_3d"];
            let format = format.iter().position(|f| Some(*f) == name.strip_prefix("torch."));
            return match (dtype, format) {
                (Some(d), _) => Ok(IValue::Int(d.number())),
                (None, Some(f)) => Ok(IValue::Int(f as i64)),
                (None, None) if name == "torch.strided" => Ok(IValue::Int(0)),
                _ => Err(Error::Unsupported(format!("{name} as an argument"))),
            };
        }
        if let Some(name) = o.get("enum").and_then(Value::as_str) {
            let class = if let Type::Enum(class) = ty { class.clone() } else { "".into() };
            let value = self.decode(o.get("v").unwrap_or(&Value::Null), &Type::Any)?;
            return Ok(IValue::Enum(Arc::new(EnumValue { class, name: name.into(), value })));
        }
        Err(Error::Unsupported(format!("the value {}", brief(json))))
    }

    fn tensor(&self, o: &Map<String, Value>, json: &Value) -> Result<Tensor, Error> {
        let data = elements(o, json)?;
        let strides = match o.get("st") {
            Some(st) => crate::data::integers(st)?,
            None => data.strides().to_vec(),
        };
        let outside = |_| Error::malformed("a tensor within its storage", json);
        let t = if let Some(k) = o.get("of") {
            let base = k.as_u64().and_then(|k| self.tensors.get(usize::try_from(k).ok()?));
            let base = base.ok_or_else(|| Error::malformed("a tensor number", json))?;
            let offset = base.storage_offset().saturating_add(o.get("o").and_then(Value::as_i64).unwrap_or(0));
            let view = base.as_strided(data.sizes(), &strides, offset).map_err(outside)?;
            // Where it reaches beyond the tensor that it shares the storage with, only it says the elements.
            if view.dtype() == data.dtype() && (o.contains_key("d") || o.contains_key("fill")) {
                view.copy_bytes_from(&data)?;
            }
            view
        } else if o.contains_key("st") || o.contains_key("buf") {
            let extent: i64 = data
                .sizes()
                .iter()
                .zip(&strides)
                .try_fold(1i64, |n, (size, stride)| n.checked_add((size - 1).max(0).checked_mul(*stride)?))
                .ok_or_else(|| Error::malformed("strides", json))?;
            let (size, offset) = match o.get("buf") {
                Some(buf) => (buf[0].as_i64().unwrap_or(0), buf[1].as_i64().unwrap_or(0)),
                None => (extent, 0),
            };
            let storage = Tensor::zeros(&[size], data.dtype())?;
            let view = storage.as_strided(data.sizes(), &strides, offset).map_err(outside)?;
            view.copy_bytes_from(&data)?;
            view
        } else {
            data
        };
        if o.contains_key("g") {
            t.set_requires_grad(true);
        }
        Ok(t)
    }
}

/// A PackedSequence; each of its parts is a group of its own.
fn packed(items: &[Value], ty: &Type) -> Result<IValue, Error> {
    let names = if let Type::NamedTuple(n) = ty { Some(n.clone()) } else { None };
    let values = items.iter().map(|v| Group::default().decode(v, &Type::Any));
    Ok(IValue::Tuple(Tuple::new(values.collect::<Result<Vec<_>, _>>()?, names)))
}

/// A container's element type as programs carry it: nothing is known of a tensor.
fn plain(ty: &Type) -> Type {
    if ty.is_tensor() { Type::tensor() } else { ty.clone() }
}

/// Compares the values of one group.
#[derive(Default)]
pub(crate) struct Compare {
    pub(crate) tensors: Vec<Tensor>,
    /// An int handed over for a float is recorded as it was given.
    pub(crate) arguments: bool,
    /// Recorded with PyTorch of 2019.
    pub(crate) old: bool,
    /// Of an attribute only the content is recorded, not which tensor it is a view of.
    pub(crate) state: bool,
    /// It ran where nothing requires a gradient.
    pub(crate) ungraded: bool,
    /// The recording says neither what shares storage nor what requires a gradient.
    pub(crate) values_alone: bool,
}

impl Compare {
    pub(crate) fn value(&mut self, want: &Value, got: &IValue, path: &str) -> Result<(), String> {
        let differs = || Err(format!("{path}: expected {}, got {got:?}", brief(want)));
        match (want, got) {
            (Value::Null, IValue::None) => Ok(()),
            (Value::Bool(a), IValue::Bool(b)) if a == b => Ok(()),
            (Value::Bool(a), IValue::Double(b)) if self.arguments && f64::from(u8::from(*a)) == *b => Ok(()),
            (Value::Bool(a), IValue::Int(b)) if self.arguments && i64::from(*a) == *b => Ok(()),
            (Value::String(a), IValue::Str(b)) if *a == **b => Ok(()),
            (Value::Number(a), IValue::Int(b)) if a.as_i64() == Some(*b) => Ok(()),
            (Value::Number(a), IValue::Double(b)) if (a.is_f64() || self.arguments) && close(a.as_f64(), *b) => Ok(()),
            (Value::Array(items), IValue::List(list)) => self.items(items, &list.to_vec(), path),
            (Value::Object(o), _) => self.object(o, want, got, path),
            _ => differs(),
        }
    }

    fn items(&mut self, want: &[Value], got: &[IValue], path: &str) -> Result<(), String> {
        if want.len() != got.len() {
            return Err(format!("{path}: {} items expected, got {}", want.len(), got.len()));
        }
        want.iter().zip(got).enumerate().try_for_each(|(i, (w, g))| self.value(w, g, &format!("{path}[{i}]")))
    }

    fn object(&mut self, o: &Map<String, Value>, want: &Value, got: &IValue, path: &str) -> Result<(), String> {
        let differs = || Err(format!("{path}: expected {}, got {got:?}", brief(want)));
        match got {
            IValue::Tensor(t) if o.contains_key("T") => self.tensor(o, want, t, path),
            IValue::Tensor(t) if o.contains_key("same") => {
                let same = o["same"].as_u64().and_then(|k| self.tensors.get(usize::try_from(k).ok()?));
                if same.is_some_and(|s| s.is(t)) { Ok(()) } else { differs() }
            }
            IValue::Double(b) => match o.get("f").map(number) {
                Some(Ok(a)) if close(Some(a), *b) => Ok(()),
                _ => differs(),
            },
            IValue::Complex(b) => match o.get("c") {
                Some(c) if close(number(&c[0]).ok(), b.re) && close(number(&c[1]).ok(), b.im) => Ok(()),
                _ => differs(),
            },
            IValue::Tuple(t) => {
                if let Some(items) = o.get("t").and_then(Value::as_array) {
                    return self.items(items, &t.items, path);
                }
                let Some(fields) = o.get("nt").and_then(Value::as_array) else { return differs() };
                let values: Vec<Value> = fields.iter().map(|f| f[1].clone()).collect();
                if let Some(names) = &t.names {
                    let same = names.fields.iter().zip(fields).all(|(n, f)| f[0].as_str() == Some(&*n.0));
                    if !same {
                        return differs();
                    }
                }
                self.items(&values, &t.items, path)
            }
            IValue::Dict(d) => {
                let Some(pairs) = o.get("dict").and_then(Value::as_array) else { return differs() };
                let entries: Vec<(IValue, IValue)> = d.read().iter().map(|(k, v)| (k.to_value(), v.clone())).collect();
                if pairs.len() != entries.len() {
                    return differs();
                }
                if self.old {
                    return self.unordered(pairs, &entries, path);
                }
                for (pair, (k, v)) in pairs.iter().zip(&entries) {
                    self.value(&pair[0], k, &format!("{path} key"))?;
                    self.value(&pair[1], v, &format!("{path}[{}]", brief(&pair[0])))?;
                }
                Ok(())
            }
            IValue::Int(_) if o.contains_key("th") => match Group::default().object(o, want, &Type::Any) {
                Ok(IValue::Int(n)) if got.as_int() == Ok(n) => Ok(()),
                _ => differs(),
            },
            IValue::Device(g) => match o.get("dev").map(device) {
                Some(Ok(d)) if d == **g => Ok(()),
                _ => differs(),
            },
            IValue::Object(object) => {
                let Some(fields) = o.get("fields").and_then(Value::as_array) else { return differs() };
                if o.get("obj").and_then(Value::as_str) != Some(&*object.class) || fields.len() != object.names.len() {
                    return differs();
                }
                for field in fields {
                    let slot = field[0].as_str().and_then(|name| object.slot_of(name));
                    let Some(value) = slot.and_then(|slot| object.get(slot)) else { return differs() };
                    self.value(&field[1], &value, &format!("{path}.{}", brief(&field[0])))?;
                }
                Ok(())
            }
            IValue::Enum(e) => {
                if o.get("enum").and_then(Value::as_str) != Some(&*e.name) {
                    return differs();
                }
                // A listing names the member and not its value.
                if matches!(e.value, IValue::Uninitialized) {
                    return Ok(());
                }
                self.value(o.get("v").unwrap_or(&Value::Null), &e.value, path)
            }
            _ => differs(),
        }
    }

    /// Entries of a dictionary in any order.
    fn unordered(&mut self, want: &[Value], got: &[(IValue, IValue)], path: &str) -> Result<(), String> {
        for pair in want {
            let found = got.iter().find(|(k, _)| Compare::default().value(&pair[0], k, path).is_ok());
            let (_, v) = found.ok_or_else(|| format!("{path}: no key {}", brief(&pair[0])))?;
            self.value(&pair[1], v, &format!("{path}[{}]", brief(&pair[0])))?;
        }
        Ok(())
    }

    fn tensor(&mut self, o: &Map<String, Value>, json: &Value, got: &Tensor, path: &str) -> Result<(), String> {
        let digest = o.get("h");
        let want = match digest {
            None => elements(o, json),
            Some(_) => blank(o),
        };
        let want = want.map_err(|e| format!("{path}: {e}"))?;
        if want.dtype() != got.dtype() {
            return Err(format!("{path}: expected dtype {}, got {}", want.dtype(), got.dtype()));
        }
        if want.sizes() != got.sizes() {
            return Err(format!("{path}: expected sizes {:?}, got {:?}", want.sizes(), got.sizes()));
        }
        let strides = match o.get("st") {
            Some(st) => crate::data::integers(st).map_err(|e| format!("{path}: {e}"))?,
            None => want.strides().to_vec(),
        };
        let sizes = got.sizes();
        let stepped = |d: usize| sizes[d] > 1 && !sizes.contains(&0);
        if (0..sizes.len()).any(|d| stepped(d) && strides.get(d) != got.strides().get(d)) {
            return Err(format!("{path}: expected strides {strides:?}, got {:?}", got.strides()));
        }
        let shared = self
            .tensors
            .iter()
            .position(|t| t.numel() > 0 && got.numel() > 0 && t.dtype() == got.dtype() && t.shares_storage(got));
        let owner = o.get("of").and_then(Value::as_u64).map(|k| k as usize);
        if shared != owner && !self.old && !self.values_alone {
            return Err(format!("{path}: expected to share the storage of tensor {owner:?}, shares {shared:?}"));
        }
        if let (Some(k), Some(offset)) = (owner.filter(|_| !self.old), o.get("o").and_then(Value::as_i64))
            && let Some(base) = self.tensors.get(k)
            && got.storage_offset() - base.storage_offset() != offset
        {
            return Err(format!("{path}: another place in the storage of tensor {k}"));
        }
        self.tensors.push(got.clone());
        match digest {
            None => compare_elements(&want, got, Tolerance::Program),
            Some(digest) => compare_digest(digest, got),
        }
        .map_err(|e| format!("{path}: {e}"))?;
        if o.contains_key("g") != got.requires_grad() && !self.state && !self.ungraded && !self.values_alone {
            return Err(format!("{path}: expected requires_grad={}", o.contains_key("g")));
        }
        Ok(())
    }
}

fn close(want: Option<f64>, got: f64) -> bool {
    want.is_some_and(|want| Tolerance::Program.close(want, got))
}

/// A tensor of the recorded dtype and sizes, whose elements say nothing.
fn blank(o: &Map<String, Value>) -> Result<Tensor, Error> {
    let dtype = dtype(o.get("T").unwrap_or(&Value::Null))?;
    let sizes = crate::data::integers(o.get("s").unwrap_or(&Value::Null))?;
    Ok(Tensor::zeros(&sizes, dtype)?)
}

/// What is recorded of many elements: how many are finite, their sum, the sum of their absolute values, and some of them.
fn compare_digest(digest: &Value, got: &Tensor) -> Result<(), String> {
    let of = |n: &Number| match *n {
        Number::Integer(i) => i as f64,
        Number::Real(r) => r,
        Number::Complex(c) => c.norm(),
    };
    let all: Vec<f64> = numbers(got).iter().map(of).collect();
    let finite: Vec<f64> = all.iter().copied().filter(|v| v.is_finite()).collect();
    if digest["n"].as_u64() != Some(finite.len() as u64) {
        return Err(format!("{} finite elements expected, got {}", digest["n"], finite.len()));
    }
    let (rtol, atol) = Tolerance::Program.bounds(got.dtype()).unwrap_or((0.0, 0.0));
    let size: f64 = finite.iter().map(|v| v.abs()).sum();
    // As far apart as elements may be that are each within the bounds.
    let sums = [("sum", finite.iter().sum::<f64>()), ("abs", size)];
    for (name, sum) in sums {
        let want = number(&digest[name]).map_err(|e| e.to_string())?;
        if (want - sum).abs() > atol * finite.len() as f64 + rtol * size {
            return Err(format!("{name} of the elements: expected {want}, got {sum}"));
        }
    }
    for sample in digest["at"].as_array().into_iter().flatten() {
        let at = sample[0].as_u64().and_then(|i| usize::try_from(i).ok()).unwrap_or(usize::MAX);
        let (want, got) = (number(&sample[1]).map_err(|e| e.to_string())?, all.get(at).copied().unwrap_or(f64::NAN));
        let close = want == got || (want.is_nan() && got.is_nan()) || (want - got).abs() <= atol + rtol * want.abs();
        if !close {
            return Err(format!("element {at} of {}: expected {want:?}, got {got:?}", all.len()));
        }
    }
    Ok(())
}
