//! Recorded tables of result dtypes: every cell is the dtype of what an operator's call gives, or that the call fails.

use crate::Error;
use sconce_schema::DType;
use sconce_schema::promotion::{can_cast, promote_types};
use sconce_tensor::{Bool, Complex, IValue, Tensor};
use serde_json::Value;

/// The files of a folder of operator recordings that are tables: name, what their cells are called, and who judges them.
pub const TABLES: &[(&str, &str, fn(&str) -> Result<Cells, Error>)] =
    &[("promotion.json", "promotion cells", promotion), ("random.json", "random draws", crate::draws::random)];

/// How many cells there are, and what differs.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Cells {
    pub count: usize,
    pub wrong: Vec<String>,
}

impl Cells {
    pub(crate) fn check<T: PartialEq + std::fmt::Debug>(&mut self, what: impl FnOnce() -> String, got: T, want: T) {
        self.count += 1;
        if got != want {
            self.wrong.push(format!("{}: expected {want:?}, got {got:?}", what()));
        }
    }
}

/// An operand of a table: a tensor of ones, of one dimension or of none, or a number as Python gives it.
#[derive(Clone, Copy, Debug)]
enum Operand {
    Vector(DType),
    Zero(DType),
    Bool,
    Int,
    Float,
    Complex,
}

impl Operand {
    fn value(self) -> Result<IValue, Error> {
        let ones = |sizes: &[i64], dtype| -> Result<IValue, Error> {
            let t = sconce_kernels::cast::from_vec(vec![1.0; sizes.iter().product::<i64>() as usize], sizes, dtype);
            t.map(IValue::Tensor).map_err(|e| Error::Malformed(e.to_string()))
        };
        Ok(match self {
            Operand::Vector(d) => ones(&[2], d)?,
            Operand::Zero(d) => ones(&[], d)?,
            Operand::Bool => IValue::Bool(true),
            Operand::Int => IValue::Int(3),
            Operand::Float => IValue::Double(1.5),
            Operand::Complex => IValue::complex(1.0, 2.0),
        })
    }

    fn is_number(self) -> bool {
        !matches!(self, Operand::Vector(_) | Operand::Zero(_))
    }

    /// As a tensor that takes part in promotion as a number, which is what a number becomes where an overload takes only tensors.
    fn tensor(self) -> Result<IValue, Error> {
        let wrapped = |t: Tensor| {
            t.set_wrapped_number(true);
            IValue::Tensor(t)
        };
        Ok(match self {
            Operand::Bool => wrapped(Tensor::scalar(Bool::new(true))),
            Operand::Int => wrapped(Tensor::scalar(3i64)),
            Operand::Float => wrapped(Tensor::scalar(1.5f64)),
            Operand::Complex => wrapped(Tensor::scalar(Complex::new(1.0, 2.0))),
            tensor => tensor.value()?,
        })
    }
}

/// The dtype of what a call gives; `None` where it fails.
fn dtype_of(op: &str, args: Vec<IValue>) -> Option<DType> {
    let entry = sconce_schema::lookup(op)?;
    let given = args.len();
    let mut args = args;
    for argument in &entry.schema().arguments[given..] {
        args.push(sconce_kernels::defaults::default_value(argument.default.as_ref()?, argument));
    }
    match crate::call(entry, &mut args).ok()?.first()? {
        IValue::Tensor(t) => Some(t.dtype()),
        other => other.as_dtype().ok(),
    }
}

/// The overload that a call of two operands resolves to, and its arguments.
fn binary(op: &str, a: Operand, b: Operand) -> Result<Option<DType>, Error> {
    let overload = |tensors: &str, scalar: &str| if b.is_number() { scalar.to_owned() } else { tensors.to_owned() };
    Ok(match op {
        "add" | "pow" | "eq" | "lt" | "bitwise_and" | "add_" => {
            let tensors = if op == "pow" { "Tensor_Tensor" } else { "Tensor" };
            let name = match (a.is_number(), op) {
                (true, "pow") => "Scalar".to_owned(),
                (_, "pow") => overload(tensors, "Tensor_Scalar"),
                _ => overload(tensors, "Scalar"),
            };
            dtype_of(&format!("aten::{op}.{name}"), vec![a.value()?, b.value()?])
        }
        "div" | "div_" => {
            dtype_of(&format!("aten::{op}.{}", overload("Tensor", "Scalar")), vec![a.value()?, b.value()?])
        }
        "div_floor" => {
            let name = overload("aten::div.Tensor_mode", "aten::div.Scalar_mode");
            dtype_of(&name, vec![a.value()?, b.value()?, IValue::str("floor")])
        }
        "floor_divide" if b.is_number() => dtype_of("aten::floor_divide.Scalar", vec![a.value()?, b.value()?]),
        "floor_divide" => dtype_of("aten::floor_divide", vec![a.value()?, b.value()?]),
        "where" => {
            let condition = IValue::Tensor(Tensor::from_vec(vec![Bool::new(true), Bool::new(false)], &[2]));
            let name = match (a.is_number(), b.is_number()) {
                (false, false) => "self",
                (false, true) => "ScalarOther",
                (true, false) => "ScalarSelf",
                (true, true) => "Scalar",
            };
            dtype_of(&format!("aten::where.{name}"), vec![condition, a.value()?, b.value()?])
        }
        "cat" => {
            let list = IValue::list(sconce_schema::Type::tensor(), vec![a.value()?, b.value()?]);
            dtype_of("aten::cat", vec![list, IValue::Int(0)])
        }
        // A number is no tensor, and this operator takes only tensors.
        "atan2" if b.is_number() => None,
        "atan2" => dtype_of("aten::atan2", vec![a.value()?, b.value()?]),
        "result_type" => match (a.is_number(), b.is_number()) {
            (false, true) => dtype_of("aten::result_type.Scalar", vec![a.value()?, b.value()?]),
            (true, false) => dtype_of("aten::result_type.Scalar_Tensor", vec![a.value()?, b.value()?]),
            _ => dtype_of("aten::result_type.Tensor", vec![a.tensor()?, b.tensor()?]),
        },
        other => return Err(Error::Unsupported(format!("a table of `{other}`"))),
    })
}

fn unary(op: &str, d: DType) -> Result<Option<DType>, Error> {
    let t = Operand::Vector(d).value()?;
    let dims = || IValue::int_list(&[]);
    Ok(match op {
        "cumsum" | "softmax" => {
            let name = if op == "softmax" { "aten::softmax.int" } else { "aten::cumsum" };
            dtype_of(name, vec![t, IValue::Int(0)])
        }
        "var" => dtype_of("aten::var", vec![t, IValue::Bool(true)]),
        "norm" => dtype_of("aten::norm.Scalar", vec![t, IValue::Int(2)]),
        "amax" => dtype_of("aten::amax", vec![t, dims()]),
        _ => dtype_of(&format!("aten::{op}"), vec![t]),
    })
}

/// Judges every cell of a `promotion.json`.
pub fn promotion(text: &str) -> Result<Cells, Error> {
    let tables: Value = serde_json::from_str(text).map_err(|e| Error::Malformed(e.to_string()))?;
    let list = |v: &Value| v.as_array().cloned().ok_or_else(|| Error::malformed("a row of a table", v));
    let dtype = |v: &Value| v.as_str().and_then(DType::from_short_name).ok_or_else(|| Error::malformed("a dtype", v));
    let cell = |v: &Value| if v.is_null() { Ok(None) } else { dtype(v).map(Some) };
    let dtypes = list(&tables["dtypes"])?.iter().map(dtype).collect::<Result<Vec<_>, _>>()?;
    let operands = |kind: &str| -> Vec<Operand> {
        match kind {
            "dim" => dtypes.iter().map(|d| Operand::Vector(*d)).collect(),
            "zero" => dtypes.iter().map(|d| Operand::Zero(*d)).collect(),
            _ => vec![Operand::Bool, Operand::Int, Operand::Float, Operand::Complex],
        }
    };
    let mut cells = Cells::default();
    for (op, kinds) in tables["binary"].as_object().into_iter().flatten() {
        for (kind, table) in kinds.as_object().into_iter().flatten() {
            let (left, right) = kind.split_once(',').ok_or_else(|| Error::malformed("two kinds", kinds))?;
            for (a, row) in operands(left).iter().zip(list(table)?) {
                for (b, want) in operands(right).iter().zip(list(&row)?) {
                    cells.check(|| format!("{op}({a:?}, {b:?})"), binary(op, *a, *b)?, cell(&want)?);
                }
            }
        }
    }
    for (op, row) in tables["unary"].as_object().into_iter().flatten() {
        for (d, want) in dtypes.iter().zip(list(row)?) {
            cells.check(|| format!("{op}({d:?})"), unary(op, *d)?, cell(&want)?);
        }
    }
    for (a, row) in dtypes.iter().zip(list(&tables["promote_types"])?) {
        for (b, want) in dtypes.iter().zip(list(&row)?) {
            cells.check(|| format!("promote_types({a:?}, {b:?})"), promote_types(*a, *b).ok(), cell(&want)?);
        }
    }
    for (a, row) in dtypes.iter().zip(list(&tables["can_cast"])?) {
        for (b, want) in dtypes.iter().zip(list(&row)?) {
            cells.check(|| format!("can_cast({a:?}, {b:?})"), Some(can_cast(*a, *b)), want.as_bool());
        }
    }
    Ok(cells)
}
