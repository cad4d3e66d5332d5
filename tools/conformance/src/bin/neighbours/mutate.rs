//! Calls that differ from a recorded one in one argument: another dtype, rank, size or number, nothing, or far too much.

use sconce_conformance::data;
use sconce_kernels::cast;
use sconce_tensor::{Complex, DType};
use serde_json::{Map, Value, json};

type Object = Map<String, Value>;

/// Neighbours of a case without its outcome, in an order that depends on the case only.
pub fn neighbours(case: &Object) -> Vec<Object> {
    let mut call = Object::new();
    for key in ["op", "a", "k", "seed"] {
        if let Some(v) = case.get(key) {
            call.insert(key.to_string(), v.clone());
        }
    }
    let call = Value::Object(call);
    let mut places = Vec::new();
    for part in ["a", "k"] {
        match &call[part] {
            Value::Array(items) => places.extend((0..items.len()).map(|i| format!("/{part}/{i}"))),
            Value::Object(items) => places.extend(items.keys().map(|k| format!("/{part}/{k}"))),
            _ => {}
        }
    }
    let mut out = Vec::new();
    for place in places {
        let Some(old) = call.pointer(&place) else { continue };
        for new in others(old) {
            let mut changed = call.clone();
            if let Some(at) = changed.pointer_mut(&place) {
                *at = new;
                out.extend(changed.as_object().cloned());
            }
        }
    }
    out
}

/// What an argument might be by mistake.
fn others(v: &Value) -> Vec<Value> {
    match v {
        Value::Number(n) if n.is_i64() => [99, -99, 0, -3, -1].map(Value::from).to_vec(),
        Value::Number(_) => vec![json!(-1.5)],
        Value::String(_) => vec![json!("bogus")],
        Value::Array(items) if items.is_empty() => Vec::new(),
        Value::Array(items) if items.iter().all(Value::is_i64) => {
            let first = |n: i64| [&[json!(n)], &items[1..]].concat();
            let (twice, more) = ([&items[..], items].concat(), [&items[..], &vec![items[0].clone(); 3]].concat());
            let lists = [first(99), first(-7), first(0), twice, more, Vec::new(), vec![json!(0); items.len()]];
            lists.map(Value::from).to_vec()
        }
        Value::Array(items) => {
            let mut lists = vec![json!([])];
            for (i, item) in items.iter().enumerate().take(3) {
                lists.extend(others(item).into_iter().map(|new| {
                    let mut list = items.clone();
                    list[i] = new;
                    Value::Array(list)
                }));
            }
            lists
        }
        Value::Object(o) if o.contains_key("v") => tensors(o).unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// Other tensors with the numbers of this one.
fn tensors(o: &Object) -> Option<Vec<Value>> {
    let dtype = DType::from_short_name(o.get("d")?.as_str()?)?;
    let sizes = data::integers(o.get("s")?).ok()?;
    let numbers: Vec<Complex<f64>> = cast::to_vec(&data::from_bits(o.get("v")?, dtype).ok()?).ok()?;
    let tensor = |dtype: DType, sizes: &[i64], numbers: &[Complex<f64>]| {
        let count = usize::try_from(sizes.iter().product::<i64>()).ok().filter(|n| *n <= 4096)?;
        let zero = [Complex::new(0.0, 0.0)];
        let cycled: Vec<_> =
            if numbers.is_empty() { &zero } else { numbers }.iter().copied().cycle().take(count).collect();
        Some(json!({"d": dtype.short_name(), "s": sizes, "v": data::to_bits(&cycled, dtype)}))
    };
    let mut shapes = vec![[&sizes[..], &[2]].concat(), vec![0]];
    if let Some((last, rest)) = sizes.split_last() {
        shapes.push([rest, &[last + 1]].concat());
        shapes.push([rest, &[0]].concat());
        shapes.push([&[sizes[0] + 2], &sizes[1..]].concat());
        shapes.push(sizes[1..].to_vec());
    }
    let mut out: Vec<Value> = shapes.iter().filter_map(|s| tensor(dtype, s, &numbers)).collect();
    for other in [DType::C64, DType::F32, DType::I64, DType::Bool, DType::F64, DType::F16, DType::BF16, DType::U8] {
        if other != dtype {
            out.extend(tensor(other, &sizes, &numbers));
        }
    }
    if dtype.is_int() {
        for number in [77.0, -1.0] {
            out.extend(tensor(dtype, &sizes, &[Complex::new(number, 0.0)]));
        }
    } else {
        out.extend(tensor(dtype, &sizes, &[Complex::new(0.0, 0.0)]));
    }
    Some(out)
}
