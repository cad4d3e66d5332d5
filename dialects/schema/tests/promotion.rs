//! Every cell of PyTorch's recorded result-dtype tables.

use sconce_schema::DType;
use sconce_schema::promotion::{Operand, PromotionError, can_cast, promote_types, result_type, to_float};
use serde_json::Value;

/// How the operators of the recorded tables choose their result's dtype, and what they refuse.
fn binary(op: &str, a: Operand, b: Operand) -> Option<DType> {
    let (base, in_place) = op.strip_suffix('_').map_or((op, false), |base| (base, true));
    let common = match result_type([a, b]) {
        // The complex type of bfloat16, which has no number here, is enough for a comparison.
        Err(PromotionError::Complex(DType::BF16)) if base == "eq" => DType::C64,
        other => other.ok()??,
    };
    let numbers = matches!(a, Operand::Number(_)) || matches!(b, Operand::Number(_));
    let result = match base {
        "add" | "where" | "result_type" | "cat" => common,
        // Bool to the power of bool is computed only for a number as exponent.
        "pow" if common == DType::Bool && !matches!(b, Operand::Number(_)) => return None,
        // Half complex has sums and products, but neither of these.
        "pow" | "div" if common == DType::C32 => return None,
        "pow" => common,
        "div" => to_float(common),
        "div_floor" | "floor_divide" if common.is_complex() || common == DType::Bool => return None,
        "div_floor" | "floor_divide" => common,
        "lt" if common.is_complex() => return None,
        "eq" | "lt" => DType::Bool,
        "bitwise_and" if common.is_complex() || common.is_float() => return None,
        "bitwise_and" => common,
        "atan2" if common.is_complex() || numbers => return None,
        "atan2" => to_float(common),
        other => panic!("{other}: no rule"),
    };
    if !in_place {
        return Some(result);
    }
    match (a, b) {
        // A tensor of rank 0 cannot hold a result with dimensions.
        (Operand::Zero(_), Operand::Dim(_)) => None,
        (Operand::Zero(to) | Operand::Dim(to), _) => can_cast(result, to).then_some(to),
        (Operand::Number(_), _) => None,
    }
}

fn unary(op: &str, d: DType) -> Option<DType> {
    let float = d.is_float() || d.is_complex();
    let int = d.is_int();
    Some(match op {
        "abs" | "angle" | "norm" if d.is_complex() => d.to_real(),
        "abs" if d == DType::Bool => return None,
        "abs" | "square" | "sgn" => match op {
            "square" if d == DType::Bool => DType::I64,
            _ => d,
        },
        "neg" if d == DType::Bool => return None,
        "neg" => d,
        "exp" | "sqrt" | "sigmoid" | "reciprocal" | "angle" => to_float(d),
        "sum" | "prod" | "cumsum" if !float => DType::I64,
        "sum" | "prod" | "cumsum" => d,
        "mean" | "var" | "norm" | "softmax" if !float => return None,
        "var" => d.to_real(),
        "softmax" if d.is_complex() => return None,
        "mean" | "softmax" | "norm" => d,
        "floor" | "relu" | "amax" | "median" | "argmax" if d.is_complex() => return None,
        "relu" | "median" | "floor" if d == DType::Bool => return None,
        "floor" | "relu" | "amax" | "median" => d,
        "argmax" if d == DType::Bool => return None,
        "argmax" => DType::I64,
        "bitwise_not" if int || d == DType::Bool => d,
        "bitwise_not" => return None,
        "logical_not" | "isnan" => DType::Bool,
        other => panic!("{other}: no rule"),
    })
}

#[test]
fn every_recorded_cell() {
    let vectors = sconce_corpus::testdata("vectors").expect("testdata/vectors.tar.zst");
    let tables: Value = serde_json::from_str(vectors.text("promotion.json").expect("promotion.json")).expect("JSON");
    let names = |key: &str| -> Vec<String> {
        let items = tables[key].as_array().expect(key);
        items.iter().map(|v| v.as_str().expect("a name").to_owned()).collect()
    };
    let dtype = |name: &str| DType::from_short_name(name).expect("a dtype");
    let dtypes: Vec<DType> = names("dtypes").iter().map(|n| dtype(n)).collect();
    let operands = |kind: &str| -> Vec<Operand> {
        match kind {
            "dim" => dtypes.iter().map(|d| Operand::Dim(*d)).collect(),
            "zero" => dtypes.iter().map(|d| Operand::Zero(*d)).collect(),
            _ => vec![Operand::BOOL, Operand::INT, Operand::FLOAT, Operand::COMPLEX],
        }
    };
    let cell = |v: &Value| v.as_str().map(dtype);
    let (mut cells, mut wrong) = (0, Vec::new());
    let mut check = |what: String, got: Option<DType>, want: Option<DType>| {
        cells += 1;
        if got != want {
            wrong.push(format!("{what}: {got:?}, PyTorch {want:?}"));
        }
    };
    for (op, kinds) in tables["binary"].as_object().expect("binary") {
        for (kind, table) in kinds.as_object().expect("kinds") {
            let (left, right) = kind.split_once(',').expect("two kinds");
            for (a, row) in operands(left).iter().zip(table.as_array().expect("rows")) {
                for (b, v) in operands(right).iter().zip(row.as_array().expect("cells")) {
                    check(format!("{op}({a:?}, {b:?})"), binary(op, *a, *b), cell(v));
                }
            }
        }
    }
    for (op, row) in tables["unary"].as_object().expect("unary") {
        for (d, v) in dtypes.iter().zip(row.as_array().expect("cells")) {
            check(format!("{op}({d:?})"), unary(op, *d), cell(v));
        }
    }
    for (a, row) in dtypes.iter().zip(tables["promote_types"].as_array().expect("rows")) {
        for (b, v) in dtypes.iter().zip(row.as_array().expect("cells")) {
            check(format!("promote_types({a:?}, {b:?})"), promote_types(*a, *b).ok(), cell(v));
        }
    }
    for (a, row) in dtypes.iter().zip(tables["can_cast"].as_array().expect("rows")) {
        for (b, v) in dtypes.iter().zip(row.as_array().expect("cells")) {
            let yes = |b: bool| Some(if b { DType::Bool } else { DType::U8 });
            check(format!("can_cast({a:?}, {b:?})"), yes(can_cast(*a, *b)), yes(v.as_bool().expect("a truth value")));
        }
    }
    println!("{cells} cells");
    assert!(cells >= 9_700, "{cells}");
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}
