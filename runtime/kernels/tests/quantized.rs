//! Operators of quantized tensors, one call a line of `quantized.jsonl`, as PyTorch answered it: integers are within one of PyTorch's, and mostly the same.

use sconce_kernels::call_by_name;
use sconce_schema::Type;
use sconce_schema::dtype::QScheme;
use sconce_tensor::{DType, IValue, Quantizer, Tensor};
use serde_json::Value as Json;

fn numbers(v: &Json) -> Vec<f64> {
    v.as_array().expect("a list").iter().map(|n| n.as_f64().expect("a number")).collect()
}

fn tensor(v: &Json) -> Tensor {
    let sizes: Vec<i64> = numbers(&v["s"]).iter().map(|n| *n as i64).collect();
    let quantized = v["q"].as_str();
    let dtype = match (quantized, v["t"].as_str()) {
        (Some(q), _) => DType::from_torch_name(q),
        (None, Some(t)) => DType::from_short_name(t),
        _ => None,
    };
    let dtype = dtype.expect("a dtype");
    let plain = Tensor::from_f64(&numbers(&v["d"]), &sizes, dtype.underlying()).expect("elements");
    let quantizer = match (quantized, &v["scale"]) {
        (None, _) => return plain,
        (_, Json::Number(scale)) => {
            Quantizer::per_tensor(scale.as_f64().expect("a scale"), v["zero"].as_i64().expect("a zero point"))
        }
        _ => {
            let float = v["float"] == true;
            let scheme = if float { QScheme::PerChannelAffineFloatQParams } else { QScheme::PerChannelAffine };
            let axis = v["axis"].as_u64().expect("an axis") as usize;
            Quantizer::per_channel(scheme, numbers(&v["scales"]), numbers(&v["zeros"]), axis).expect("pairs")
        }
    };
    plain.reread(dtype, Some(quantizer))
}

fn value(v: &Json) -> IValue {
    match v {
        Json::Null => IValue::None,
        Json::Bool(b) => IValue::Bool(*b),
        Json::Number(n) => n.as_i64().map_or_else(|| IValue::Double(n.as_f64().expect("a float")), IValue::Int),
        Json::String(s) => IValue::str(s.as_str()),
        Json::Array(items) => {
            let items: Vec<IValue> = items.iter().map(value).collect();
            let element = match items.first() {
                Some(IValue::Tensor(_)) => Type::tensor(),
                Some(IValue::Object(o)) => Type::Class(o.class.clone()),
                _ => Type::Int,
            };
            IValue::list(element, items)
        }
        Json::Object(o) => match (o.get("call"), o.get("dtype")) {
            (Some(call), _) => call_of(call, &v["args"]).remove(0),
            (None, Some(dtype)) => DType::from_torch_name(dtype.as_str().expect("a name")).expect("a dtype").into(),
            _ => IValue::Tensor(tensor(v)),
        },
    }
}

fn call_of(op: &Json, args: &Json) -> Vec<IValue> {
    let args: Vec<IValue> = args.as_array().expect("arguments").iter().map(value).collect();
    let op = op.as_str().expect("a name");
    // Fake quantization is there.
    sconce_kernels_extra::install();
    call_by_name(op, &args).unwrap_or_else(|e| panic!("{op}: {e}")).into_vec()
}

/// Integers that are one off, and all of them.
#[derive(Default)]
struct Steps {
    off: usize,
    all: usize,
}

fn compare(got: &IValue, want: &Json, steps: &mut Steps) -> Result<(), String> {
    let holds = |holds: bool, what: String| if holds { Ok(()) } else { Err(what) };
    match (got, want) {
        (IValue::Tensor(got), Json::Object(_)) => {
            let want = tensor(want);
            holds((got.sizes(), got.dtype()) == (want.sizes(), want.dtype()), format!("{got:?}, expected {want:?}"))?;
            let close = |a: f64, b: f64| (a - b).abs() <= 1e-7 * b.abs();
            match (got.quantizer(), want.quantizer()) {
                (Some(a), Some(b)) => {
                    let same = a.zero_points().iter().zip(b.zero_points()).all(|(a, b)| close(*a, *b));
                    let same = same && a.scales().iter().zip(b.scales()).all(|(a, b)| close(*a, *b));
                    let same = same && a.axis() == b.axis() && a.scheme() == b.scheme();
                    holds(same, format!("{a:?}, expected {b:?}"))?;
                }
                (a, b) => holds(a.is_none() && b.is_none(), "other parameters".into())?,
            }
            let elements = |t: &Tensor| t.reread(t.dtype().underlying(), None).to_f64();
            for (a, b) in elements(got).into_iter().zip(elements(&want)) {
                let within = if got.dtype().is_float() { (a - b).abs() <= 1e-5 + 1e-4 * b.abs() } else { a == b };
                steps.all += 1;
                let one_off = got.is_quantized() && (a - b).abs() == 1.0;
                steps.off += usize::from(one_off);
                holds(within || one_off, format!("{a}, expected {b}"))?;
            }
            Ok(())
        }
        (IValue::List(got), Json::Array(want)) => {
            got.to_vec().iter().zip(want).try_for_each(|(got, want)| compare(got, want, steps))
        }
        (IValue::Int(a), b) => holds(Some(*a) == b.as_i64(), format!("{a}, expected {b}")),
        (IValue::Double(a), b) => holds(Some(*a) == b.as_f64(), format!("{a}, expected {b}")),
        (IValue::Bool(a), b) => holds(Some(*a) == b.as_bool(), format!("{a}, expected {b}")),
        (IValue::None, Json::Null) => Ok(()),
        (got, want) => Err(format!("{got:?}, expected {want}")),
    }
}

#[test]
fn operators_give_what_pytorch_gives() {
    let (mut steps, mut wrong) = (Steps::default(), Vec::new());
    for line in include_str!("quantized.jsonl").lines() {
        let row: Json = serde_json::from_str(line).expect("JSON");
        let got = call_of(&row["op"], &row["args"]);
        let want = match (&row["out"], got.len()) {
            (Json::Array(want), n) if n == want.len() && !matches!(got[..], [IValue::List(_)]) => want.clone(),
            (want, _) => vec![want.clone()],
        };
        let each = got.iter().zip(&want).find_map(|(got, want)| compare(got, want, &mut steps).err());
        wrong.extend(each.map(|why| format!("{}: {why}", row["op"])));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("{} of {} integers are one off", steps.off, steps.all);
    assert!(steps.off * 500 <= steps.all, "{} of {}", steps.off, steps.all);
}

fn some() -> Tensor {
    let q = Quantizer::per_tensor(0.5, 3);
    Tensor::from_vec(vec![1u8, 2, 3, 4, 5, 6], &[2, 3]).reread(DType::QU8, Some(q))
}

#[test]
fn what_asks_a_tensor_is_answered() {
    let t = IValue::Tensor(some());
    let one = |op: &str, args: &[IValue]| call_by_name(op, args).unwrap_or_else(|e| panic!("{op}: {e}")).remove(0);
    assert_eq!(one("aten::qscheme", std::slice::from_ref(&t)).as_int(), Ok(0));
    let floats = [-1.0f32, -0.5, 0.0, 0.5, 1.0, 1.5];
    assert_eq!(one("aten::dequantize.tensor", std::slice::from_ref(&t)).as_tensor().unwrap().to_vec::<f32>(), floats);
    assert_eq!(one("aten::dequantize.any", std::slice::from_ref(&t)).as_tensor().unwrap().to_vec::<f32>(), floats);
    let each = one("aten::dequantize.list", &[IValue::tensor_list([some()])]);
    assert_eq!(each.as_tensor_list().unwrap()[0].to_vec::<f32>(), floats);
    let empty = one("aten::empty_quantized", &[IValue::int_list(&[4]), t]);
    assert_eq!(empty.as_tensor().unwrap().quantizer(), some().quantizer());
    let dtype: IValue = DType::QI8.into();
    let none = IValue::None;
    let sizes = IValue::int_list(&[2, 2]);
    let args =
        [sizes.clone(), dtype.clone(), none.clone(), none.clone(), none.clone(), IValue::Double(0.25), IValue::Int(7)];
    let made = one("aten::_empty_affine_quantized", &args);
    assert_eq!(made.as_tensor().unwrap().quantizer(), Some(&Quantizer::per_tensor(0.25, 7)));
    let (scales, zeros) = (Tensor::from_vec(vec![0.5f64, 1.0], &[2]), Tensor::from_vec(vec![1i64, 2], &[2]));
    let args = [sizes, scales.into(), zeros.into(), IValue::Int(1), dtype];
    let made = one("aten::_empty_per_channel_affine_quantized", &args);
    assert_eq!(made.as_tensor().unwrap().quantizer().and_then(|q| q.axis()), Some(1));
}

#[test]
fn operators_that_were_not_taught_refuse() {
    let refused = call_by_name("aten::exp", &[some().into()]).unwrap_err().to_string();
    assert_eq!(refused, "Could not run 'aten::exp' with arguments from the 'QuantizedCPU' backend.");
    let plain = call_by_name("aten::int_repr", &[Tensor::scalar(1f32).into()]).unwrap_err().to_string();
    assert_eq!(plain, "Could not run 'aten::int_repr' with arguments from the 'CPU' backend.");
}
