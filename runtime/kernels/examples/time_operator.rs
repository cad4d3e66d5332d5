//! Times operators for `benches/operators.py`: one JSON request a line on standard input, `{"op", "args", "seconds", "threads"}`; the times of the
//! calls, in seconds, as a JSON list on standard output.
//!
//! An argument is a number, a bool, null, a string, a list of numbers, or a tensor: `{"sizes": [2, 3], "dtype": "Float", "strides": [3, 1]}`, filled with
//! numbers between -1 and 1 (integers: 0 to 9).

use sconce_kernels::{Bound, defaults::default_value, parallel};
use sconce_schema::Type;
use sconce_tensor::{DType, IValue, List, Tensor};
use serde_json::{Value, json};
use std::io::{BufRead, Write};
use std::time::{Duration, Instant};

fn dtype(name: &str) -> Result<DType, String> {
    DType::all().find(|d| d.graph_name() == name).ok_or_else(|| format!("no dtype `{name}`"))
}

fn tensor(v: &Value) -> Result<Tensor, String> {
    let ints = |key: &str| v[key].as_array().map(|a| a.iter().filter_map(Value::as_i64).collect::<Vec<i64>>());
    let sizes = ints("sizes").ok_or("a tensor has `sizes`")?;
    let dtype = dtype(v["dtype"].as_str().unwrap_or("Float"))?;
    let strides = ints("strides").unwrap_or_else(|| sconce_tensor::contiguous_strides(&sizes).to_vec());
    let last: i64 = sizes.iter().zip(&strides).map(|(n, s)| (n - 1).max(0) * s).sum();
    let mut state = 1u64;
    let values: Vec<f64> = (0..=last)
        .map(|_| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let unit = (state >> 40) as f64 / f64::from(1 << 24);
            if dtype.is_float() || dtype.is_complex() { unit * 2.0 - 1.0 } else { (unit * 10.0).floor() }
        })
        .collect();
    let t = Tensor::from_f64(&values, &[last + 1], dtype).ok_or("a dtype without elements")?;
    t.as_strided(&sizes, &strides, 0).map_err(|e| e.to_string())
}

fn value(v: &Value) -> Result<IValue, String> {
    Ok(match v {
        Value::Null => IValue::None,
        Value::Bool(b) => IValue::Bool(*b),
        Value::Number(n) => n.as_i64().map_or_else(|| IValue::Double(n.as_f64().unwrap_or(0.0)), IValue::Int),
        Value::String(s) => IValue::str(s.clone()),
        Value::Array(items) => {
            let items: Vec<IValue> = items.iter().map(value).collect::<Result<_, _>>()?;
            let element = match items.first() {
                Some(IValue::Tensor(_)) => Type::tensor(),
                Some(IValue::Double(_)) => Type::Float,
                Some(IValue::Bool(_)) => Type::Bool,
                _ => Type::Int,
            };
            IValue::List(List::new(element, items))
        }
        Value::Object(_) => IValue::Tensor(tensor(v)?),
    })
}

fn answer(line: &str) -> Result<Vec<f64>, String> {
    let request: Value = serde_json::from_str(line).map_err(|e| e.to_string())?;
    let name = request["op"].as_str().ok_or("no `op`")?;
    let entry = sconce_schema::lookup(name).ok_or_else(|| format!("no operator `{name}`"))?;
    let bound = Bound::new(entry).map_err(|e| e.to_string())?;
    parallel::set_threads(request["threads"].as_u64().unwrap_or(1) as usize);
    let given = request["args"].as_array().ok_or("no `args`")?;
    let mut args: Vec<IValue> = given.iter().map(value).collect::<Result<_, _>>()?;
    for a in entry.schema().arguments.iter().skip(args.len()) {
        args.push(a.default.as_ref().map(|d| default_value(d, a)).unwrap_or_default());
    }
    let seconds = request["seconds"].as_f64().unwrap_or(0.1);
    let call = || -> Result<f64, String> {
        let mut now = args.clone();
        let start = Instant::now();
        let results = bound.call(&mut now).map_err(|e| e.to_string())?;
        drop((results, now));
        Ok(start.elapsed().as_secs_f64())
    };
    for _ in 0..3 {
        call()?;
    }
    let end = Instant::now() + Duration::from_secs_f64(seconds);
    let mut times = Vec::new();
    while times.is_empty() || Instant::now() < end {
        times.push(call()?);
    }
    Ok(times)
}

fn main() {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let reply = match answer(&line) {
            Ok(times) => json!({ "seconds": times }),
            Err(e) => json!({ "error": e }),
        };
        if writeln!(out, "{reply}").and_then(|()| out.flush()).is_err() {
            return;
        }
    }
}
