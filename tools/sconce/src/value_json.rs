//! Values as JSON, told apart by their form: plain ones as themselves, all others as objects; docs/json.md says which.

use sconce_schema::DType;
use sconce_tensor::{IValue, Tensor, dispatch};
use serde_json::{Value, json};

/// A number of a tensor. Infinities and NaN, which JSON lacks, are strings there: a tensor holds no others.
fn float(f: f64) -> Value {
    if f.is_finite() { json!(f) } else { json!(sconce_schema::text::python_float(f)) }
}

/// An f32 in the fewest digits that name it.
fn single(f: f32) -> Value {
    float(f.to_string().parse().unwrap_or(f64::from(f)))
}

/// A value's JSON. Objects, futures and generators are only named.
pub fn to_json(value: &IValue) -> Value {
    match value {
        IValue::None => Value::Null,
        IValue::Bool(b) => json!(b),
        IValue::Int(i) => json!(i),
        IValue::Double(f) if !f.is_finite() => json!({ "float": float(*f) }),
        IValue::Double(f) => json!(f),
        IValue::Complex(c) => json!({ "re": float(c.re), "im": float(c.im) }),
        IValue::Str(s) => json!(**s),
        IValue::Tensor(t) => tensor(t),
        IValue::List(l) => l.to_vec().iter().map(to_json).collect(),
        IValue::Tuple(t) => json!({ "tuple": t.items.iter().map(to_json).collect::<Vec<_>>() }),
        IValue::Dict(d) => {
            json!({ "dict": d.read().iter().map(|(k, v)| json!([to_json(&k.to_value()), to_json(v)])).collect::<Vec<_>>() })
        }
        other => json!({ "value": format!("{other:?}") }),
    }
}

/// More elements than this are not written: a tensor of few bytes may have any number of them.
const MOST_ELEMENTS: usize = 1 << 24;

fn tensor(t: &Tensor) -> Value {
    if t.numel() > MOST_ELEMENTS {
        let omitted = format!("{} elements are more than {MOST_ELEMENTS}", t.numel());
        return json!({ "dtype": t.dtype().short_name(), "sizes": t.sizes(), "data": null, "omitted": omitted });
    }
    let data: Value = if t.dtype() == DType::F64 {
        t.to_f64().into_iter().map(float).collect()
    } else if t.dtype().is_float() {
        t.to_f64().into_iter().map(|f| single(f as f32)).collect()
    } else {
        dispatch!(t.dtype(), T => t.to_vec::<T>().iter().map(|v| element(v)).collect(), _other => Value::Null)
    };
    json!({ "dtype": t.dtype().short_name(), "sizes": t.sizes(), "data": data })
}

fn element(v: &dyn std::any::Any) -> Value {
    macro_rules! plain {
        ($($t:ty)*) => { $( if let Some(x) = v.downcast_ref::<$t>() { return json!(x); } )* };
    }
    if let Some(b) = v.downcast_ref::<sconce_tensor::Bool>() {
        return json!(b.get());
    }
    plain!(u8 i8 i16 i32 i64 u16 u32 u64);
    if let Some(c) = v.downcast_ref::<sconce_tensor::Complex<f32>>() {
        return json!([single(c.re), single(c.im)]);
    }
    if let Some(c) = v.downcast_ref::<sconce_tensor::Complex<f64>>() {
        return json!([float(c.re), float(c.im)]);
    }
    Value::Null
}
