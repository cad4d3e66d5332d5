//! Values print as PyTorch prints them: results as Python does, and what a program prints as TorchScript does. `printing/record.py` recorded both.

use sconce::value_text::format_value;
use sconce::{Engine, Options, SourceOptions};
use sconce_kernels::text::text_of;
use sconce_tensor::{Bool, Complex, DType, Element, IValue, Tensor, dispatch};
use serde_json::Value;
use std::io::Write;
use std::sync::{Arc, Mutex};

fn cases() -> Vec<Value> {
    let packed = include_bytes!("printing/cases.jsonl.zst");
    let text = zstd::decode_all(&packed[..]).expect("the recordings unpack");
    let text = String::from_utf8(text).expect("text");
    text.lines().map(|line| serde_json::from_str(line).expect("a case")).collect()
}

fn number(v: &Value) -> f64 {
    match v {
        Value::String(s) => s.parse().expect("a number"),
        Value::Bool(b) => f64::from(u8::from(*b)),
        other => other.as_f64().expect("a number"),
    }
}

fn tensor(case: &Value) -> Tensor {
    let sizes: Vec<i64> = case["sizes"].as_array().expect("sizes").iter().filter_map(Value::as_i64).collect();
    let values = case["values"].as_array().expect("values");
    let count: i64 = sizes.iter().product();
    let repeated = || values.iter().cycle().take(count as usize);
    let dtype = DType::from_short_name(case["dtype"].as_str().unwrap_or_default()).expect("a dtype");
    let part = |v: &Value, i: usize| number(&v[i]);
    let t = match dtype {
        DType::I64 => Tensor::from_vec(repeated().map(|v| v.as_i64().expect("an int")).collect(), &sizes),
        DType::U64 => Tensor::from_vec(repeated().map(|v| v.as_u64().expect("an int")).collect(), &sizes),
        DType::Bool => Tensor::from_vec(repeated().map(|v| Bool::new(number(v) != 0.0)).collect(), &sizes),
        DType::C64 => {
            let complex = |v: &Value| Complex::new(part(v, 0) as f32, part(v, 1) as f32);
            Tensor::from_vec(repeated().map(complex).collect(), &sizes)
        }
        DType::C128 => Tensor::from_vec(repeated().map(|v| Complex::new(part(v, 0), part(v, 1))).collect(), &sizes),
        _ => dispatch!(dtype, T => {
            Tensor::from_vec(repeated().map(|v| <T as Element>::from_f64(number(v))).collect(), &sizes)
        }, other => panic!("{other}")),
    };
    t.set_requires_grad(case["grad"] == true);
    t
}

/// What a test says of a text that is another.
fn differ(failed: &mut Vec<String>, what: &str, got: &str, recorded: &Value) {
    if recorded.as_str() != Some(got) {
        let recorded = recorded.as_str().unwrap_or_default();
        failed.push(format!("{what}\n-- recorded\n{recorded}\n-- printed\n{got}"));
    }
}

#[test]
fn tensors_print_as_recorded() {
    let mut failed = Vec::new();
    let (mut reprs, mut streams) = (0, 0);
    for case in cases().iter().filter(|c| c["source"].is_null()) {
        let value = IValue::Tensor(tensor(case));
        let what = format!("{} {} {}", case["dtype"], case["sizes"], case["values"]);
        differ(&mut failed, &what, &format_value(&value), &case["repr"]);
        reprs += 1;
        if !case["stream"].is_null() {
            let text = text_of(&value).unwrap_or_else(|e| e.to_string());
            differ(&mut failed, &what, &text, &case["stream"]);
            streams += 1;
        }
    }
    println!("{reprs} as Python prints them, {streams} as TorchScript does");
    assert!(failed.is_empty(), "{} differ:\n{}", failed.len(), failed.join("\n"));
    assert!(reprs >= 840 && streams >= 700, "{reprs} {streams}");
}

#[derive(Default)]
struct Printed(Vec<u8>);

impl Write for Printed {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn programs_print_as_recorded() {
    let engine = Engine::new(Options::default()).expect("an engine");
    let mut failed = Vec::new();
    let mut programs = 0;
    for case in cases() {
        let Some(source) = case["source"].as_str() else { continue };
        let options = SourceOptions { entry: Some("f".into()), ..SourceOptions::default() };
        let mut module = engine.compile_source("p.py", source, &options).expect(source);
        let printed = Arc::new(Mutex::new(Printed::default()));
        module.set_output(Some(printed.clone()));
        let result = module.call("f", &[]).expect(source);
        let what = source.lines().filter(|l| l.contains("v: ")).collect::<String>();
        let text = String::from_utf8_lossy(&printed.lock().expect("nobody panicked").0).into_owned();
        differ(&mut failed, &what, &text, &case["printed"]);
        differ(&mut failed, &what, &format_value(&result), &case["repr"]);
        programs += 1;
    }
    println!("{programs} programs");
    assert!(failed.is_empty(), "{} differ:\n{}", failed.len(), failed.join("\n"));
    assert!(programs >= 55, "{programs}");
}

#[test]
fn many_elements_need_no_memory_to_be_summarised() {
    let one = Tensor::from_vec(vec![1f32], &[1]);
    let expanded = IValue::Tensor(one.expand(&[1_000_000_000_000]).expect("a view"));
    assert_eq!(format_value(&expanded), "tensor([1., 1., 1.,  ..., 1., 1., 1.])");
    let error = text_of(&expanded).expect_err("TorchScript's print shows all elements");
    println!("{error}");
    let many = IValue::Tensor(one.expand(&[6; 20]).expect("a view"));
    assert_eq!(format_value(&many), format!("tensor(..., size=({}))", ["6"; 20].join(", ")));
}
