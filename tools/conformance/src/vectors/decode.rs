//! Recorded arguments as values: tensors from bits, numbers by the type of their parameter.

use crate::{Error, data};
use sconce_schema::types::Device;
use sconce_schema::{DType, Type};
use sconce_tensor::{Bool, Dict, DictKey, IValue, Tensor};
use serde_json::{Map, Value};

/// Reads argument values; remembers the tensors, which later parts of a case refer to by number.
#[derive(Default)]
pub struct Decoder {
    pub tensors: Vec<Tensor>,
}

impl Decoder {
    /// An argument: `count` is `n` of a parameter `int[n]`, which accepts a single value.
    pub(super) fn argument(&mut self, json: &Value, ty: &Type, count: Option<u32>) -> Result<IValue, Error> {
        let plain = match ty {
            Type::Optional(t) => t,
            t => t,
        };
        if let (Type::List(element), Some(n)) = (plain, count)
            && !json.is_array()
            && !json.is_null()
        {
            let one = self.value(json, element)?;
            return Ok(IValue::list(Type::clone(element), vec![one; n as usize]));
        }
        self.value(json, ty)
    }

    /// A value of a type; the type decides what an empty list holds and whether `1` is a float.
    pub fn value(&mut self, json: &Value, ty: &Type) -> Result<IValue, Error> {
        if let Type::Optional(inner) = ty {
            return if json.is_null() { Ok(IValue::None) } else { self.value(json, inner) };
        }
        Ok(match json {
            Value::Null => IValue::None,
            Value::Bool(b) => match ty {
                Type::Tensor(_) => wrapped(Tensor::scalar(Bool::new(*b))),
                Type::Int | Type::SymInt => IValue::Int(i64::from(*b)),
                Type::Float => IValue::Double(f64::from(u8::from(*b))),
                _ => IValue::Bool(*b),
            },
            Value::Number(n) => match (n.as_i64(), n.as_f64()) {
                (Some(i), _) => match ty {
                    Type::Tensor(_) => wrapped(Tensor::scalar(i)),
                    Type::Float => IValue::Double(i as f64),
                    Type::Complex => IValue::complex(i as f64, 0.0),
                    _ => IValue::Int(i),
                },
                (None, Some(f)) => float(f, ty),
                _ => return Err(Error::malformed("a number", json)),
            },
            Value::String(s) => IValue::str(s.as_str()),
            Value::Array(items) => {
                let element = match ty {
                    Type::List(e) => Type::clone(e),
                    _ => items.first().map_or(Type::Any, guess),
                };
                if let Type::Tuple(types) = ty {
                    let values = items.iter().zip(types.iter()).map(|(v, t)| self.value(v, t));
                    return Ok(IValue::tuple(values.collect::<Result<Vec<_>, _>>()?));
                }
                let values = items.iter().map(|v| self.value(v, &element)).collect::<Result<Vec<_>, _>>()?;
                IValue::list(element, values)
            }
            Value::Object(o) => return self.object(o, json, ty),
        })
    }

    fn object(&mut self, o: &Map<String, Value>, json: &Value, ty: &Type) -> Result<IValue, Error> {
        if let Some(k) = o.get("is") {
            let tensor = k.as_u64().and_then(|k| self.tensors.get(usize::try_from(k).ok()?));
            return tensor.cloned().map(IValue::Tensor).ok_or_else(|| Error::malformed("a tensor number", json));
        }
        if o.contains_key("d") {
            let t = self.tensor(o, json)?;
            self.tensors.push(t.clone());
            return Ok(IValue::Tensor(t));
        }
        if let Some(f) = o.get("f") {
            return Ok(float(bits(f)?, ty));
        }
        if let Some(c) = o.get("c") {
            let (re, im) = complex_bits(c)?;
            return Ok(match ty {
                Type::Tensor(_) => wrapped(Tensor::scalar(sconce_tensor::Complex::new(re, im))),
                _ => IValue::complex(re, im),
            });
        }
        if let Some(n) = enumerator(o)? {
            return Ok(IValue::Int(n));
        }
        if let Some(d) = o.get("dev") {
            return Ok(IValue::Device(std::sync::Arc::new(device(d)?)));
        }
        if let Some(seed) = o.get("gen").and_then(Value::as_u64) {
            return Ok(IValue::Generator(sconce_tensor::mersenne::generator(seed)));
        }
        if let Some(items) = o.get("tup").and_then(Value::as_array) {
            let types: &[Type] = if let Type::Tuple(t) = ty { t } else { &[] };
            let values = items.iter().enumerate().map(|(i, v)| self.value(v, types.get(i).unwrap_or(&Type::Any)));
            return Ok(IValue::tuple(values.collect::<Result<Vec<_>, _>>()?));
        }
        if let Some(items) = o.get("dict").and_then(Value::as_array) {
            let (key, value) = match ty {
                Type::Dict(k, v) => (Type::clone(k), Type::clone(v)),
                _ => match items.first() {
                    Some(pair) => (guess(&pair[0]), guess(&pair[1])),
                    None => (Type::Any, Type::Any),
                },
            };
            let dict = Dict::new(key.clone(), value.clone());
            for pair in items {
                let k = self.value(&pair[0], &key)?;
                let k = DictKey::from_value(&k).ok_or_else(|| Error::malformed("a dictionary key", &pair[0]))?;
                let v = self.value(&pair[1], &value)?;
                dict.write().insert(k, v);
            }
            return Ok(IValue::Dict(dict));
        }
        Err(Error::malformed("a value", json))
    }

    fn tensor(&self, o: &Map<String, Value>, json: &Value) -> Result<Tensor, Error> {
        let dtype = dtype(o.get("d").unwrap_or(&Value::Null))?;
        let sizes = data::integers(o.get("s").unwrap_or(&Value::Null))?;
        let strides = match o.get("st") {
            Some(st) => data::integers(st)?,
            None => sconce_tensor::contiguous_strides(&sizes).to_vec(),
        };
        let offset = o.get("o").and_then(Value::as_i64).unwrap_or(0);
        let base = if let Some(k) = o.get("of") {
            let of = k.as_u64().and_then(|k| self.tensors.get(usize::try_from(k).ok()?));
            let of = of.ok_or_else(|| Error::malformed("a tensor number", k))?;
            if of.dtype() != dtype {
                return Err(Error::Unsupported("an argument that views a storage as another dtype".into()));
            }
            of.clone()
        } else if let Some(v) = o.get("sv").or_else(|| o.get("v")) {
            data::from_bits(v, dtype)?
        } else {
            let last = sizes.iter().zip(&strides).map(|(n, s)| (n - 1).saturating_mul(*s)).sum::<i64>();
            Tensor::zeros(&[if sizes.contains(&0) { 0 } else { offset.saturating_add(last).saturating_add(1) }], dtype)?
        };
        base.as_strided(&sizes, &strides, offset).map_err(|_| Error::malformed("a tensor within its storage", json))
    }
}

fn wrapped(t: Tensor) -> IValue {
    t.set_wrapped_number(true);
    IValue::Tensor(t)
}

fn float(f: f64, ty: &Type) -> IValue {
    match ty {
        Type::Tensor(_) => wrapped(Tensor::scalar(f)),
        Type::Complex => IValue::complex(f, 0.0),
        _ => IValue::Double(f),
    }
}

/// The type of a value that nothing declares.
fn guess(json: &Value) -> Type {
    match json {
        Value::Bool(_) => Type::Bool,
        Value::Number(n) if n.is_f64() => Type::Float,
        Value::Number(_) => Type::Int,
        Value::String(_) => Type::Str,
        Value::Array(items) => Type::list(items.first().map_or(Type::Any, guess)),
        Value::Object(o) if o.contains_key("d") || o.contains_key("is") => Type::tensor(),
        Value::Object(o) if o.contains_key("f") => Type::Float,
        Value::Object(o) if o.contains_key("c") => Type::Complex,
        _ => Type::Any,
    }
}

pub(super) fn dtype(json: &Value) -> Result<DType, Error> {
    let bad = || Error::malformed("a dtype", json);
    DType::from_short_name(json.as_str().ok_or_else(bad)?).ok_or_else(bad)
}

pub(super) fn bits(json: &Value) -> Result<f64, Error> {
    let bad = || Error::malformed("16 hexadecimal digits", json);
    let text = json.as_str().ok_or_else(bad)?;
    u64::from_str_radix(text, 16).map(f64::from_bits).map_err(|_| bad())
}

pub(super) fn complex_bits(json: &Value) -> Result<(f64, f64), Error> {
    let bad = || Error::malformed("32 hexadecimal digits", json);
    let text = json.as_str().filter(|t| t.is_ascii() && t.len() == 32).ok_or_else(bad)?;
    let part = |t: &str| u64::from_str_radix(t, 16).map(f64::from_bits).map_err(|_| bad());
    Ok((part(&text[..16])?, part(&text[16..])?))
}

/// `{"dt":"f32"}` and its like: integers in TorchScript.
pub(super) fn enumerator(o: &Map<String, Value>) -> Result<Option<i64>, Error> {
    let text = |key: &str| o.get(key).and_then(Value::as_str);
    Ok(if let Some(d) = o.get("dt") {
        Some(dtype(d)?.number())
    } else if let Some(l) = text("layout") {
        match l {
            "strided" => Some(0),
            "sparse_coo" => Some(1),
            other => return Err(Error::Unsupported(format!("layout {other}"))),
        }
    } else if let Some(m) = text("mf") {
        match m {
            "contiguous_format" | "contiguous" => Some(0),
            "preserve_format" | "preserve" => Some(1),
            "channels_last" => Some(2),
            "channels_last_3d" => Some(3),
            other => return Err(Error::Unsupported(format!("memory format {other}"))),
        }
    } else {
        None
    })
}

/// `"cpu"`, `"cuda:1"`.
pub fn device(json: &Value) -> Result<Device, Error> {
    let bad = || Error::malformed("a device", json);
    let text = json.as_str().ok_or_else(bad)?;
    let (kind, index) = match text.split_once(':') {
        Some((kind, index)) => (kind, Some(index.parse().map_err(|_| bad())?)),
        None => (text, None),
    };
    Ok(Device { kind: kind.into(), index })
}
