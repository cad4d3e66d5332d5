//! A sequence of operator calls over named tensors: run here, written as JSON for PyTorch, and as Python for people.

use num_complex::Complex;
use sconce_kernels::cast;
use sconce_kernels::defaults::default_value;
use sconce_tensor::{DType, IValue, Tensor, dispatch};
use serde_json::{Value, json};
use std::fmt::Write;

pub type Name = usize;

/// An argument of a step.
#[derive(Clone, Debug)]
pub enum Arg {
    Tensor(Name),
    Tensors(Vec<Option<Name>>),
    Int(i64),
    Float(f64),
    Complex(f64, f64),
    Bool(bool),
    Ints(Vec<i64>),
    DType(DType),
    None,
}

#[derive(Clone, Debug)]
pub enum Action {
    /// A tensor with these numbers in row-major order.
    New {
        dtype: DType,
        sizes: Vec<i64>,
        numbers: Vec<(f64, f64)>,
    },
    Call {
        op: &'static str,
        args: Vec<Arg>,
    },
}

#[derive(Clone, Debug)]
pub struct Step {
    pub action: Action,
    /// Names of its results; those without a name are dropped.
    pub out: Vec<Name>,
}

fn number((re, im): (f64, f64), dtype: DType) -> Value {
    let real = |v: f64| if v.is_finite() { json!(v) } else { json!(v.to_string()) };
    if dtype.is_complex() { json!([re, im]) } else { real(re) }
}

impl Arg {
    fn to_json(&self) -> Value {
        match self {
            Arg::Tensor(n) => json!({ "t": n }),
            Arg::Tensors(n) => json!({ "ts": n }),
            Arg::Int(v) => json!(v),
            Arg::Float(v) => json!(v),
            Arg::Complex(re, im) => json!({ "c": [re, im] }),
            Arg::Bool(v) => json!(v),
            Arg::Ints(v) => json!(v),
            Arg::DType(d) => json!({ "d": d.torch_name() }),
            Arg::None => Value::Null,
        }
    }

    fn to_python(&self) -> String {
        match self {
            Arg::Tensor(n) => format!("t{n}"),
            Arg::Tensors(names) => {
                let name = |n: &Option<Name>| n.map_or("None".to_string(), |n| format!("t{n}"));
                format!("[{}]", names.iter().map(name).collect::<Vec<_>>().join(", "))
            }
            Arg::Int(v) => v.to_string(),
            Arg::Float(v) => format!("{v:?}"),
            Arg::Complex(re, im) => format!("complex({re:?}, {im:?})"),
            Arg::Bool(v) => if *v { "True" } else { "False" }.to_string(),
            Arg::Ints(v) => format!("{v:?}"),
            Arg::DType(d) => format!("torch.{}", d.torch_name()),
            Arg::None => "None".to_string(),
        }
    }
}

impl Step {
    pub fn to_json(&self) -> Value {
        match &self.action {
            Action::New { dtype, sizes, numbers } => {
                let numbers: Vec<Value> = numbers.iter().map(|n| number(*n, *dtype)).collect();
                json!({ "new": [dtype.torch_name(), sizes, numbers], "out": self.out })
            }
            Action::Call { op, args } => {
                json!({ "op": op, "args": args.iter().map(Arg::to_json).collect::<Vec<_>>(), "out": self.out })
            }
        }
    }
}

/// The steps as a Python program.
pub fn python(steps: &[Step]) -> String {
    let mut text = String::new();
    for step in steps {
        let names: Vec<String> = step.out.iter().map(|n| format!("t{n}")).collect();
        let target = if names.is_empty() { String::new() } else { format!("{} = ", names.join(", ")) };
        let _ = match &step.action {
            Action::New { dtype, sizes, numbers } => {
                let one = |&(re, im): &(f64, f64)| match dtype.is_complex() {
                    true => format!("complex({re:?}, {im:?})"),
                    false if re.is_finite() => format!("{re:?}"),
                    false => format!("float('{re}')"),
                };
                let numbers: Vec<String> = numbers.iter().map(one).collect();
                let (numbers, dtype) = (numbers.join(", "), dtype.torch_name());
                writeln!(text, "{target}torch.tensor([{numbers}], dtype=torch.{dtype}).reshape({sizes:?})")
            }
            Action::Call { op, args } => {
                let declared = &sconce_schema::lookup(op).expect("an operator of the table").schema().arguments;
                let one = |(a, d): (&Arg, &sconce_schema::Argument)| match d.kwarg_only {
                    true => format!("{}={}", d.name, a.to_python()),
                    false => a.to_python(),
                };
                let args: Vec<String> = args.iter().zip(declared).map(one).collect();
                writeln!(text, "{target}torch.ops.{}({})", op.replace("::", "."), args.join(", "))
            }
        };
    }
    text
}

/// What is said of a tensor.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    pub dtype: String,
    pub sizes: Vec<i64>,
    pub strides: Vec<i64>,
    pub offset: i64,
    /// The first tensor with this storage, and the first name of this very tensor.
    pub storage: Name,
    pub tensor: Name,
    pub bytes: Vec<u8>,
}

/// All tensors that live.
#[derive(Default)]
pub struct Machine {
    pub live: Vec<(Name, Tensor)>,
}

impl Machine {
    pub fn get(&self, name: Name) -> Option<&Tensor> {
        self.live.iter().find(|(n, _)| *n == name).map(|(_, t)| t)
    }

    fn value(&self, arg: &Arg) -> Option<IValue> {
        Some(match arg {
            Arg::Tensor(n) => self.get(*n)?.clone().into(),
            Arg::Tensors(names) => {
                let one = |n: &Option<Name>| match n {
                    Some(n) => Some(IValue::Tensor(self.get(*n)?.clone())),
                    None => Some(IValue::None),
                };
                IValue::list(sconce_schema::Type::tensor(), names.iter().map(one).collect::<Option<Vec<_>>>()?)
            }
            Arg::Int(v) => IValue::Int(*v),
            Arg::Float(v) => IValue::Double(*v),
            Arg::Complex(re, im) => IValue::complex(*re, *im),
            Arg::Bool(v) => IValue::Bool(*v),
            Arg::Ints(v) => IValue::int_list(v),
            Arg::DType(d) => (*d).into(),
            Arg::None => IValue::None,
        })
    }

    /// The tensors that a step gives; `None` when it names a tensor that is not there.
    pub fn results(&self, action: &Action) -> Option<Result<Vec<Tensor>, String>> {
        let (op, args) = match action {
            Action::New { dtype, sizes, numbers } => {
                let numbers: Vec<Complex<f64>> = numbers.iter().map(|&(re, im)| Complex::new(re, im)).collect();
                return Some(cast::from_vec(numbers, sizes, *dtype).map(|t| vec![t]).map_err(|e| e.to_string()));
            }
            Action::Call { op, args } => (op, args),
        };
        let entry = sconce_schema::lookup(op).expect("an operator of the table");
        let mut values: Vec<IValue> = args.iter().map(|a| self.value(a)).collect::<Option<_>>()?;
        for argument in entry.schema().arguments.iter().skip(values.len()) {
            values.push(argument.default.as_ref().map_or(IValue::None, |d| default_value(d, argument)));
        }
        let call = std::panic::AssertUnwindSafe(|| sconce_conformance::call(entry, &mut values));
        Some(match std::panic::catch_unwind(call) {
            Err(_) => panic!("{op} panicked"),
            Ok(Err(e)) => Err(e.to_string()),
            Ok(Ok(outputs)) => {
                let mut tensors = Vec::new();
                for v in &outputs {
                    match v {
                        IValue::Tensor(t) => tensors.push(t.clone()),
                        other => tensors.extend(other.as_tensor_list().unwrap_or_default()),
                    }
                }
                Ok(tensors)
            }
        })
    }

    /// Runs a step; the text of its refusal, if it is refused.
    pub fn run(&mut self, step: &Step) -> Option<Result<(), String>> {
        let results = self.results(&step.action)?;
        Some(results.map(|tensors| self.live.extend(step.out.iter().copied().zip(tensors))))
    }

    pub fn states(&self) -> Vec<(Name, State)> {
        let first = |same: &dyn Fn(&Tensor) -> bool| self.live.iter().find(|(_, t)| same(t)).map_or(0, |(n, _)| *n);
        let state = |(name, t): &(Name, Tensor)| {
            let mut bytes = t.contiguous().expect("small tensors fit").read_bytes();
            if t.dtype() == DType::Bool {
                // PyTorch's copies make 1 of what is true.
                bytes.iter_mut().for_each(|b| *b = u8::from(*b != 0));
            }
            let state = State {
                dtype: t.dtype().torch_name().to_string(),
                sizes: t.sizes().to_vec(),
                strides: t.strides().to_vec(),
                offset: t.storage_offset(),
                storage: first(&|o| o.shares_storage(t)),
                tensor: first(&|o| o.is(t)),
                bytes,
            };
            (*name, state)
        };
        self.live.iter().map(state).collect()
    }
}

/// The bytes as numbers.
pub fn numbers(state: &State) -> Vec<Complex<f64>> {
    let dtype = DType::from_torch_name(&state.dtype).expect("a dtype of PyTorch's");
    // Whatever bytes they are.
    let dtype = if dtype == DType::Bool { DType::U8 } else { dtype };
    let t = Tensor::zeros(&[(state.bytes.len() / dtype.size()) as i64], dtype).expect("small tensors fit");
    t.write_bytes(&state.bytes);
    dispatch!(dtype, _T => cast::to_vec(&t).expect("a dtype with elements"), _other => Vec::new())
}
