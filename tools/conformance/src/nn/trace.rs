//! The operators that a run executed, in the notation of the recordings: names with overload, every argument, tensors by label, dtype and sizes.

use crate::values::brief;
use sconce_interpreter::Observer;
use sconce_schema::{DType, OpEntry, Type, lookup};
use sconce_tensor::{IValue, Tensor};
use serde_json::{Value, json};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Asked of a tensor, without work: PyTorch's dispatcher does not see them, or its recording leaves them out.
const SILENT: &[&str] = &[
    "aten::cudnn_is_acceptable",
    "aten::dim",
    "aten::element_size",
    "aten::get_device",
    "aten::is_complex",
    "aten::is_contiguous",
    "aten::is_floating_point",
    "aten::is_leaf",
    "aten::is_nonzero",
    "aten::is_same_size",
    "aten::is_signed",
    "aten::len",
    "aten::numel",
    "aten::requires_grad",
    "aten::size",
    "aten::storage_offset",
    "aten::stride",
    "aten::sym_numel",
    "aten::sym_size",
];

/// Reading a number out of a tensor.
const READS: &[&str] = &[
    "aten::Bool.Tensor",
    "aten::Complex.Tensor",
    "aten::ComplexImplicit",
    "aten::Float.Tensor",
    "aten::FloatImplicit",
    "aten::Int.Tensor",
    "aten::IntImplicit",
    "aten::ScalarImplicit",
];

/// Watches one run.
#[derive(Default)]
pub struct Trace {
    seen: Mutex<Seen>,
}

/// What was seen of a run.
#[derive(Default)]
pub struct Seen {
    /// `[name, argument…]` each.
    pub operators: Vec<Value>,
    /// Texts of `warnings.warn`.
    pub warnings: Vec<String>,
    labels: Vec<(Tensor, String)>,
}

impl Trace {
    /// A watch that knows the names of some tensors: of arguments, parameters, buffers.
    pub fn new<'a>(named: impl IntoIterator<Item = (String, &'a IValue)>) -> Trace {
        let mut seen = Seen::default();
        for (name, value) in named {
            seen.label(&name, value);
        }
        Trace { seen: Mutex::new(seen) }
    }

    fn lock(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn take(&self) -> Seen {
        std::mem::take(&mut *self.lock())
    }
}

impl Observer for Trace {
    fn before(&self, operator: &str, arguments: &[IValue]) {
        let mut seen = self.lock();
        if let ("aten::warn", Some(IValue::Str(text))) = (operator, arguments.first()) {
            seen.warnings.push(text.to_string());
        } else if let Some(name) = shown(operator) {
            let given: Vec<Value> = arguments.iter().map(|a| seen.argument(a)).collect();
            seen.operators.push(dispatched(name, &given, arguments));
        }
    }

    fn after(&self, operator: &str, results: Result<&[IValue], &str>) {
        if shown(operator).is_none() {
            return;
        }
        let mut seen = self.lock();
        let Ok(results) = results else {
            // Recorded are those that came to their end.
            seen.operators.pop();
            return;
        };
        let number = seen.operators.len().saturating_sub(1);
        let mut tensors = Vec::new();
        results.iter().for_each(|v| crate::values::tensors(v, &mut tensors));
        for (k, t) in tensors.into_iter().enumerate() {
            let label = if k == 0 { format!("%{number}") } else { format!("%{number}.{k}") };
            seen.labels.push((t, label));
        }
    }
}

impl Seen {
    fn label(&mut self, name: &str, value: &IValue) {
        match value {
            IValue::Tensor(t) => self.labels.push((t.clone(), name.to_owned())),
            IValue::Tuple(t) => {
                t.items.iter().enumerate().for_each(|(i, v)| self.label(&format!("{name}.{i}"), v));
            }
            IValue::List(l) => {
                l.to_vec().iter().enumerate().for_each(|(i, v)| self.label(&format!("{name}.{i}"), v));
            }
            _ => {}
        }
    }

    fn argument(&self, value: &IValue) -> Value {
        match value {
            IValue::None => Value::Null,
            IValue::Bool(b) => json!(b),
            IValue::Int(i) => json!(i),
            IValue::Double(f) if f.is_finite() => json!(f),
            IValue::Double(f) if f.is_nan() => json!({"f": "nan"}),
            IValue::Double(f) => json!({"f": if *f > 0.0 { "inf" } else { "-inf" }}),
            IValue::Str(s) => json!(format!("'{}", **s)),
            IValue::Device(d) => json!(format!("@{d}")),
            IValue::Tensor(t) => json!(self.tensor(t)),
            IValue::List(l) => l.to_vec().iter().map(|v| self.argument(v)).collect(),
            IValue::Tuple(t) => t.items.iter().map(|v| self.argument(v)).collect(),
            other => json!(format!("<{}>", other.kind())),
        }
    }

    fn tensor(&self, t: &Tensor) -> String {
        let label = self.labels.iter().rev().find(|(known, _)| known.is(t)).map_or("?", |(_, l)| l);
        let sizes: Vec<String> = t.sizes().iter().map(i64::to_string).collect();
        let dtype = if t.dtype() == DType::Bool { "b" } else { t.dtype().short_name() };
        format!("{label} {dtype}[{}]", sizes.join(","))
    }
}

/// The name that an operator is recorded under; none where it never reaches PyTorch's dispatcher.
fn shown(operator: &str) -> Option<&str> {
    let base = operator.split('.').next().unwrap_or(operator);
    if READS.contains(&operator) {
        return Some("aten::item");
    }
    if SILENT.contains(&base) || base.starts_with("prim::") {
        return None;
    }
    lookup(operator).is_none_or(concerns_tensors).then_some(operator)
}

/// What reaches PyTorch's dispatcher: a few operators of TorchScript are others there.
fn dispatched(name: &str, given: &[Value], arguments: &[IValue]) -> Value {
    match (name, given) {
        ("aten::cpu", [this]) => {
            let dtype = arguments.first().and_then(|t| t.as_tensor().ok()).map(|t| IValue::from(t.dtype()));
            let dtype = dtype.and_then(|d| d.as_int().ok());
            json!(["aten::to.dtype_layout", this, dtype, 0, "@cpu", null, false, false, null])
        }
        ("aten::to.prim_Device", [this, device, dtype, non_blocking, copy]) => {
            json!(["aten::to.dtype_layout", this, dtype, null, device, null, non_blocking, copy, null])
        }
        ("aten::tensor", [data, Value::Null, ..]) => match filled(data) {
            Some((sizes, dtype)) => {
                json!(["aten::empty.memory_format", sizes, IValue::from(dtype).as_int().ok(), 0, "@cpu", null, null])
            }
            None => row(name, given),
        },
        _ => row(name, given),
    }
}

fn row(name: &str, given: &[Value]) -> Value {
    std::iter::once(json!(name)).chain(given.iter().cloned()).collect()
}

/// Sizes and dtype of the tensor that nested lists of numbers fill; none where there is no number.
fn filled(data: &Value) -> Option<(Vec<usize>, DType)> {
    match data {
        Value::Array(items) => {
            let (mut sizes, dtype) = filled(items.first()?)?;
            sizes.insert(0, items.len());
            Some((sizes, dtype))
        }
        Value::Bool(_) => Some((Vec::new(), DType::Bool)),
        Value::Number(n) => Some((Vec::new(), if n.is_f64() { DType::F32 } else { DType::I64 })),
        _ => None,
    }
}

/// Whether an operator takes or gives tensors as such, not only what a list may hold.
fn concerns_tensors(op: &OpEntry) -> bool {
    fn holds(ty: &Type) -> bool {
        match ty {
            Type::Tensor(_) => true,
            Type::Optional(inner) | Type::List(inner) => holds(inner),
            _ => false,
        }
    }
    let schema = op.schema();
    schema.arguments.iter().chain(&schema.returns).any(|a| holds(&a.ty))
}

/// Compares executed operators with recorded ones: names, order and arguments; of tensors dtype and sizes, their labels being informative.
pub fn compare_operators(want: &[Value], got: &[Value], names_only: bool) -> Result<(), String> {
    for (i, (w, g)) in want.iter().zip(got).enumerate() {
        let same = if names_only {
            let name = |v: &Value| v[0].as_str().map(|n| n.split('.').next().unwrap_or(n).to_owned());
            name(w) == name(g)
        } else {
            same_argument(w, g)
        };
        if !same {
            return Err(format!("operator {i}: expected {}, got {}", brief(w), brief(g)));
        }
    }
    match (want.get(got.len()), got.get(want.len())) {
        (Some(w), _) => Err(format!("operator {}: expected {}, got no more", got.len(), brief(w))),
        (_, Some(g)) => Err(format!("operator {}: expected no more, got {}", want.len(), brief(g))),
        (None, None) => Ok(()),
    }
}

fn same_argument(want: &Value, got: &Value) -> bool {
    match (want, got) {
        (Value::Array(w), Value::Array(g)) => w.len() == g.len() && w.iter().zip(g).all(|(w, g)| same_argument(w, g)),
        (Value::Number(w), Value::Number(g)) if w.is_f64() && g.is_f64() => {
            let (w, g) = (w.as_f64().unwrap_or(f64::NAN), g.as_f64().unwrap_or(f64::NAN));
            (w - g).abs() <= 1e-5 + 1e-4 * w.abs()
        }
        (Value::String(w), Value::String(g)) => unlabelled(w) == unlabelled(g),
        _ => want == got,
    }
}

/// Dtype and sizes of a tensor; other texts as they are.
fn unlabelled(text: &str) -> &str {
    match text.rsplit_once(' ') {
        Some((label, tensor)) if !text.starts_with('\'') && tensor.ends_with(']') && !label.contains(' ') => tensor,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_informative() {
        let row = |label: &str| vec![json!(["aten::relu", format!("{label} f32[2,3]")])];
        assert!(compare_operators(&row("x"), &row("%3"), false).is_ok());
        assert!(compare_operators(&row("x"), &[json!(["aten::relu", "x f64[2,3]"])], false).is_err());
        assert!(compare_operators(&row("x"), &[], false).is_err());
    }

    #[test]
    fn numbers_and_lists_are_not_recorded() {
        assert_eq!(shown("aten::add.int"), None);
        assert_eq!(shown("aten::append.t"), None);
        assert_eq!(shown("aten::size.int"), None);
        assert_eq!(shown("aten::add.Tensor"), Some("aten::add.Tensor"));
        assert_eq!(shown("aten::Float.Tensor"), Some("aten::item"));
        assert_eq!(shown("aten::Bool.Tensor"), Some("aten::item"));
        assert_eq!(shown("aten::Bool.int"), None);
    }

    #[test]
    fn a_tensor_of_numbers_begins_as_an_empty_one() {
        let given = [json!([[1, 2, 3]]), Value::Null, Value::Null, json!(false)];
        let want = json!(["aten::empty.memory_format", [1, 3], 4, 0, "@cpu", null, null]);
        assert_eq!(dispatched("aten::tensor", &given, &[]), want);
    }
}
