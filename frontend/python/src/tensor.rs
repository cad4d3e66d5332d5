//! Tensors while a module is built: Sconce's own kernels compute them, with PyTorch's order of random draws.

use super::call::Kwargs;
use super::trace;
use super::value::*;
use super::{Evaluator, Fallible, Fault};
use sconce_kernels::number::Number as Scalar;
use sconce_schema::overload::{self, Bound, Conversion, Number};
use sconce_schema::shape::{Meta, Size};
use sconce_schema::{DType, Type};
use sconce_script::trace::{Operand, is_recorded};
use sconce_tensor::{Bool, Complex, IValue, Tensor};
use std::rc::Rc;

/// Methods that only change the dtype.
const CASTS: &[(&str, DType)] = &[
    ("float", DType::F32),
    ("double", DType::F64),
    ("half", DType::F16),
    ("bfloat16", DType::BF16),
    ("long", DType::I64),
    ("int", DType::I32),
    ("short", DType::I16),
    ("char", DType::I8),
    ("byte", DType::U8),
    ("bool", DType::Bool),
];

/// Methods that are written here, beside all operators whose first argument is a tensor.
const METHODS: &[&str] = &[
    "size",
    "dim",
    "ndimension",
    "numel",
    "nelement",
    "item",
    "tolist",
    "to",
    "type",
    "cpu",
    "cuda",
    "requires_grad_",
    "detach",
    "numpy",
    "element_size",
    "data_ptr",
    "is_contiguous",
    "get_device",
    "register_hook",
    "share_memory_",
    "stride",
    "new_tensor",
    "retain_grad",
    "type_as",
    "unique",
    "unique_consecutive",
];

fn kernel_fault(e: &sconce_kernels::Error) -> Fault {
    match e {
        sconce_kernels::Error::Raised { class, message } => Fault::raise(class, message),
        sconce_kernels::Error::Missing { .. } => Fault::refused(e.to_string()),
        other => Fault::raise("RuntimeError", other.to_string()),
    }
}

impl Evaluator {
    /// Calls an operator by name; the result that is one of the arguments is that very argument.
    pub(crate) fn operator(&self, name: &str, args: Vec<Value>, mut kwargs: Kwargs) -> Fallible<Value> {
        let mut requires_grad = false;
        // Python's factories take more than their operators.
        if !name.ends_with("requires_grad_") {
            kwargs.retain(|(k, v)| {
                let extra = matches!(&**k, "requires_grad" | "names" | "non_blocking_");
                requires_grad |= &**k == "requires_grad" && matches!(v, Value::Bool(true));
                !extra
            });
        }
        let named: Vec<Value> = kwargs.iter().map(|(_, v)| v.clone()).collect();
        let Chosen { call, values, named: named_values } = self.choose(name, &args, &kwargs)?;
        let schema = call.entry.schema();
        let mut actual = Vec::with_capacity(schema.arguments.len());
        for (formal, bound) in schema.arguments.iter().zip(&call.arguments) {
            actual.push(match bound {
                Bound::Positional(i, c) => converted(values.get(*i), *c)?,
                Bound::Keyword(i, c) => converted(named_values.get(*i), *c)?,
                Bound::Rest(i) => {
                    let element = if let Type::List(t) = &formal.ty { Type::clone(t) } else { Type::Int };
                    IValue::list(element, values.get(*i..).unwrap_or_default().to_vec())
                }
                Bound::Default => match &formal.default {
                    Some(d) => sconce_kernels::defaults::default_value(d, formal),
                    None => IValue::None,
                },
            });
        }
        self.foresee(call.entry, &actual)?;
        let traced = self.is_tracing() && call.returns.iter().any(is_recorded);
        let inputs =
            if traced { self.trace_operands(call.entry, &given(&call, &args, &named, &actual))? } else { Vec::new() };
        let results = sconce_kernels::call(call.entry, &mut actual).map_err(|e| kernel_fault(&e))?;
        if traced {
            self.trace_results(call.entry, &inputs, &results);
        }
        let mut out = Vec::with_capacity(results.len());
        for (result, ty) in results.iter().zip(&call.returns) {
            if requires_grad && let IValue::Tensor(t) = result {
                t.set_requires_grad(true);
            }
            out.push(self.result(result, ty, args.iter().chain(&named))?);
        }
        Ok(match out.len() {
            0 => Value::None,
            1 => out.remove(0),
            _ => Value::tuple(out),
        })
    }

    /// Calls the operator that a node of a graph means.
    pub(super) fn node_operator<'t>(
        &self,
        kind: &str,
        types: impl Iterator<Item = &'t Type>,
        inputs: &[Value],
    ) -> Fallible<Vec<Value>> {
        let types: Vec<Type> = types.cloned().collect();
        let entry = overload::of_node(kind, &types).map_err(|e| Fault::raise("RuntimeError", e.to_string()))?;
        let mut actual = operands(inputs)?.1;
        self.foresee(entry, &actual)?;
        let results = sconce_kernels::call(entry, &mut actual).map_err(|e| kernel_fault(&e))?;
        results.iter().map(|r| self.result(r, &Type::Any, inputs.iter())).collect()
    }

    /// The overload that a call means, and its arguments. In a trace, tensors without dimensions may stand where numbers are wanted.
    fn choose(&self, name: &str, args: &[Value], kwargs: &Kwargs) -> Fallible<Chosen> {
        let named: Vec<Value> = kwargs.iter().map(|(_, v)| v.clone()).collect();
        let names: Vec<&str> = kwargs.iter().map(|(k, _)| &**k).collect();
        let first = choice(name, args, &named, &names);
        if !self.is_tracing() {
            return first;
        }
        match first {
            Ok(chosen) if !super::trace::reads_tensors(&chosen.call) => Ok(chosen),
            first => {
                let numbers = |vs: &[Value], from: usize| -> Fallible<Vec<Value>> {
                    let one = |(at, v): (usize, &Value)| {
                        if at < from { Ok(v.clone()) } else { super::trace::as_numbers(self, v) }
                    };
                    vs.iter().enumerate().map(one).collect()
                };
                let all = numbers(&named, 0)?;
                let second = choice(name, &numbers(args, 1)?, &all, &names);
                second.or_else(|_| choice(name, &numbers(args, 0)?, &all, &names)).or(first)
            }
        }
    }

    fn result<'a>(&self, v: &IValue, ty: &Type, args: impl Iterator<Item = &'a Value>) -> Fallible<Value> {
        if let IValue::Tensor(t) = v {
            let mut view = false;
            for a in args {
                if let Value::Tensor(given) = a {
                    if given.tensor.borrow().is(t) {
                        return Ok(a.clone());
                    }
                    view |= given.tensor.borrow().shares_storage(t);
                }
            }
            if !view {
                self.account(t)?;
            }
        }
        Ok(match (ty, v) {
            (Type::ScalarType, IValue::Int(n)) => dtype_value(DType::from_number(*n).unwrap_or(DType::F32)),
            _ => from_ivalue(v),
        })
    }

    /// Refuses results that would not fit, as far as the operator's shape rule knows them, before they are allocated.
    fn foresee(&self, entry: &'static sconce_schema::OpEntry, args: &[IValue]) -> Fallible<()> {
        let metas: Vec<Meta> = args.iter().map(sconce_kernels::derived::meta_of).collect();
        // What is wrong with a call is the kernel's to say.
        let Some(Ok(results)) = sconce_schema::shape::infer(entry, &metas) else { return Ok(()) };
        for meta in &results {
            let Some(sizes) = meta.sizes() else { continue };
            let elements = sizes.iter().try_fold(1_u64, |n, s| match s {
                Size::Known(k) => n.checked_mul(u64::try_from(*k).unwrap_or(0)),
                _ => Some(n),
            });
            let bytes = elements.unwrap_or(u64::MAX);
            if self.tensor_bytes.get().saturating_add(bytes) > self.limits.tensor_bytes {
                return Err(Fault::limit(format!("tensors of more than {} bytes are made", self.limits.tensor_bytes)));
            }
        }
        Ok(())
    }

    /// Counts the bytes of a new tensor.
    fn account(&self, t: &Tensor) -> Fallible<()> {
        let bytes = (t.numel() as u64).saturating_mul(t.dtype().size() as u64);
        let all = self.tensor_bytes.get().saturating_add(bytes);
        self.tensor_bytes.set(all);
        if all > self.limits.tensor_bytes {
            return Err(Fault::limit(format!("tensors of more than {} bytes are made", self.limits.tensor_bytes)));
        }
        Ok(())
    }

    /// Is it a number to Python, though a trace has it as a tensor?
    fn is_traced_number(&self, v: &Value) -> bool {
        let integer = |t: &Tensor| t.dim() == 0 && !t.dtype().is_float() && t.dtype() != DType::Bool;
        self.is_tracing() && v.as_tensor().is_some_and(|t| integer(&t))
    }

    fn tensor_of(&self, v: &Value) -> Fallible<Tensor> {
        v.as_tensor().ok_or_else(|| Fault::raise("TypeError", format!("expected a Tensor, found {}", v.type_name())))
    }

    /// `torch.tensor(data, …)`
    pub(super) fn make_tensor(&self, data: &Value, dtype: Option<DType>, requires_grad: bool) -> Fallible<Value> {
        if let Value::Tensor(t) = data {
            let copy = t.tensor.borrow().copy().map_err(|e| Fault::raise("RuntimeError", e.to_string()))?;
            return self.finish_tensor(copy, dtype, requires_grad);
        }
        let mut shape = Vec::new();
        let mut numbers = Vec::new();
        self.flatten(data, 0, &mut shape, &mut numbers)?;
        let (has_complex, has_float, has_int) = numbers.iter().fold((false, false, false), |(c, f, i), n| match n {
            Scalar::Complex(_) => (true, f, i),
            Scalar::Double(_) => (c, true, i),
            Scalar::Int(_) => (c, f, true),
            Scalar::Bool(_) => (c, f, i),
        });
        let floats = || numbers.iter().map(|n| n.to_f64().unwrap_or(f64::NAN));
        let ints = || numbers.iter().map(|n| n.to_i64().unwrap_or(0));
        let t = if has_complex {
            let parts = numbers.iter().map(|n| match n {
                Scalar::Complex(c) => *c,
                other => Complex::new(other.to_f64().unwrap_or(0.0), 0.0),
            });
            if dtype == Some(DType::C128) {
                Tensor::from_vec(parts.collect::<Vec<_>>(), &shape)
            } else {
                Tensor::from_vec(parts.map(|c| Complex::new(c.re as f32, c.im as f32)).collect::<Vec<_>>(), &shape)
            }
        } else if has_float || numbers.is_empty() {
            match dtype {
                None | Some(DType::F32) => Tensor::from_vec(floats().map(|f| f as f32).collect::<Vec<_>>(), &shape),
                _ => Tensor::from_vec(floats().collect::<Vec<_>>(), &shape),
            }
        } else if has_int {
            Tensor::from_vec(ints().collect::<Vec<_>>(), &shape)
        } else {
            Tensor::from_vec(ints().map(|i| Bool::new(i != 0)).collect::<Vec<_>>(), &shape)
        };
        self.account(&t)?;
        self.finish_tensor(t, dtype, requires_grad)
    }

    fn finish_tensor(&self, t: Tensor, dtype: Option<DType>, requires_grad: bool) -> Fallible<Value> {
        let v = match dtype {
            Some(d) if d != t.dtype() => self.cast(&Value::tensor(t), d)?,
            _ => Value::tensor(t),
        };
        if requires_grad && let Some(t) = v.as_tensor() {
            t.set_requires_grad(true);
        }
        Ok(v)
    }

    fn flatten(&self, data: &Value, depth: usize, shape: &mut Vec<i64>, out: &mut Vec<Scalar>) -> Fallible<()> {
        self.spend(1)?;
        let number = match data {
            Value::Bool(b) => Some(Scalar::Bool(*b)),
            Value::Int(i) => Some(Scalar::Int(*i)),
            Value::Float(f) => Some(Scalar::Double(*f)),
            Value::Complex(re, im) => Some(Scalar::Complex(Complex::new(*re, *im))),
            Value::Tensor(t) if t.tensor.borrow().dim() == 0 => {
                let item = Scalar::from_value(&IValue::Tensor(t.tensor.borrow().clone()));
                Some(item.map_err(|e| kernel_fault(&e))?)
            }
            _ => None,
        };
        if let Some(n) = number {
            if depth != shape.len() {
                return Err(Fault::raise("ValueError", "expected sequences of equal length"));
            }
            out.push(n);
            return Ok(());
        }
        if depth > 64
            || !matches!(
                data,
                Value::List(_) | Value::Tuple(_) | Value::NamedTuple(..) | Value::Range(..) | Value::Tensor(_)
            )
        {
            let text = format!("could not determine the shape of object type '{}'", data.type_name());
            return Err(Fault::raise("RuntimeError", text));
        }
        let items = self.items(data)?;
        match shape.get(depth) {
            None if out.is_empty() => shape.push(items.len() as i64),
            Some(n) if *n == items.len() as i64 => {}
            _ => {
                let text = format!(
                    "expected sequence of length {} at dim {depth} (got {})",
                    shape.get(depth).unwrap_or(&0),
                    items.len()
                );
                return Err(Fault::raise("ValueError", text));
            }
        }
        items.iter().try_for_each(|item| self.flatten(item, depth + 1, shape, out))
    }

    pub(super) fn cast(&self, v: &Value, dtype: DType) -> Fallible<Value> {
        let (number, off) = (Value::Int(dtype.number()), Value::Bool(false));
        self.operator("aten::to", vec![v.clone(), number, off.clone(), off, Value::None], Vec::new())
    }

    pub(super) fn tensor_attribute(&self, object: &Value, name: &str) -> Fallible<Option<Value>> {
        let t = self.tensor_of(object)?;
        let method = || Value::BoundHost(Rc::new((object.clone(), name.into())));
        Ok(Some(match name {
            "shape" => self.sizes(&t)?,
            "dtype" => dtype_value(t.dtype()),
            "device" => Value::Device(std::sync::Arc::new(t.device())),
            "layout" => Value::Setting("torch.strided".into(), 0),
            "ndim" => Value::Int(t.dim() as i64),
            "requires_grad" => Value::Bool(t.requires_grad()),
            "is_leaf" => Value::Bool(true),
            "grad" | "grad_fn" | "names" => Value::None,
            "is_cuda" | "is_sparse" | "is_quantized" | "is_meta" | "is_mps" | "is_xpu" | "is_nested" => {
                Value::Bool(false)
            }
            "data" if self.is_tracing() => self.operator("aten::detach", vec![object.clone()], Vec::new())?,
            "data" => {
                let alias = t.alias();
                alias.set_requires_grad(false);
                Value::tensor(alias)
            }
            "T" | "mT" | "H" | "real" | "imag" => {
                let op = match name {
                    "T" => "aten::numpy_T",
                    "H" => "aten::matrix_H",
                    "mT" => "aten::mT",
                    other => {
                        return self.operator(&format!("aten::{other}"), vec![object.clone()], Vec::new()).map(Some);
                    }
                };
                self.operator(op, vec![object.clone()], Vec::new())?
            }
            "__class__" => match object {
                Value::Tensor(t) => Value::host(t.class()),
                _ => return Ok(None),
            },
            _ if METHODS.contains(&name) || CASTS.iter().any(|(n, _)| *n == name) => method(),
            _ if !sconce_schema::overloads(&format!("aten::{name}")).is_empty() => method(),
            _ => return Ok(None),
        }))
    }

    /// `x.shape`; in a trace each size is a value of it.
    fn sizes(&self, t: &Tensor) -> Fallible<Value> {
        let one = |(dim, n): (usize, &i64)| self.traced_number("aten::size", t, Some(dim as i64), *n);
        Ok(Value::tuple(t.sizes().iter().enumerate().map(one).collect::<Fallible<_>>()?))
    }

    /// `x.size(dim)`
    fn size_at(&self, t: &Tensor, dim: &Value) -> Fallible<Value> {
        let plain = Value::tuple(t.sizes().iter().map(|n| Value::Int(*n)).collect());
        match (self.item(&plain, dim)?, dim) {
            (Value::Int(n), Value::Int(dim)) => self.traced_number("aten::size", t, Some(*dim), n),
            (other, _) => Ok(other),
        }
    }

    pub(super) fn set_tensor_attribute(&self, object: &Value, name: &str, value: &Value) -> Fallible<()> {
        let Value::Tensor(cell) = object else { return Ok(()) };
        match (name, value) {
            ("requires_grad", Value::Bool(on)) => cell.tensor.borrow().set_requires_grad(*on),
            ("data", Value::Tensor(new)) => {
                let alias = new.tensor.borrow().alias();
                alias.set_requires_grad(cell.tensor.borrow().requires_grad());
                *cell.tensor.borrow_mut() = alias;
            }
            ("grad", _) => {}
            _ => return Err(Fault::refused(format!("the attribute '{name}' of a tensor cannot be set"))),
        }
        Ok(())
    }

    pub(super) fn tensor_method(
        &self,
        object: &Value,
        name: &str,
        args: Vec<Value>,
        kwargs: Kwargs,
    ) -> Fallible<Value> {
        let t = self.tensor_of(object)?;
        if let Some((_, dtype)) = CASTS.iter().find(|(n, _)| *n == name) {
            return self.cast(object, *dtype);
        }
        let sizes = |of: &[i64]| match args.first() {
            None => Ok(Value::tuple(of.iter().map(|n| Value::Int(*n)).collect())),
            Some(d) => self.item(&Value::tuple(of.iter().map(|n| Value::Int(*n)).collect()), d),
        };
        Ok(match name {
            "size" => match args.first() {
                Some(dim) => self.size_at(&t, dim)?,
                None => self.sizes(&t)?,
            },
            "stride" => sizes(t.strides())?,
            "dim" | "ndimension" => Value::Int(t.dim() as i64),
            "numel" | "nelement" => self.traced_number("aten::numel", &t, None, t.numel() as i64)?,
            "element_size" => Value::Int(t.dtype().size() as i64),
            "is_contiguous" => Value::Bool(t.is_contiguous()),
            "get_device" => Value::Int(-1),
            "item" => {
                self.frozen("number");
                from_ivalue(&Scalar::from_value(&IValue::Tensor(t)).map_err(|e| kernel_fault(&e))?.to_value())
            }
            "tolist" => {
                self.frozen("list");
                self.untraced(|| self.tolist(object))?
            }
            "cpu" | "register_hook" | "share_memory_" | "retain_grad" => object.clone(),
            "cuda" => return Err(Fault::raise("RuntimeError", "modules are built on the CPU")),
            "detach" if self.is_tracing() => self.operator("aten::detach", vec![object.clone()], Vec::new())?,
            "detach" => {
                let alias = t.alias();
                alias.set_requires_grad(false);
                Value::tensor(alias)
            }
            "requires_grad_" => {
                t.set_requires_grad(!matches!(args.first(), Some(Value::Bool(false))));
                object.clone()
            }
            "to" | "type" => self.to(object, &args, kwargs)?,
            "type_as" if self.is_tracing() => {
                let other = args.first().cloned().unwrap_or(Value::None);
                self.operator("aten::type_as", vec![object.clone(), other], Vec::new())?
            }
            "type_as" => self.cast(object, args.first().map_or(Ok(t.clone()), |a| self.tensor_of(a))?.dtype())?,
            // Methods that PyTorch writes in Python, beside operators of the same name.
            "norm" | "stft" | "unique" | "unique_consecutive" => {
                let function = self.library(&format!("torch.functional.{name}"))?;
                let all = std::iter::once(object.clone()).chain(args).collect();
                self.call(&function.unwrap_or(Value::None), all, kwargs)?
            }
            "new_tensor" => self.make_tensor(args.first().unwrap_or(&Value::None), Some(t.dtype()), false)?,
            _ => {
                let mut all = vec![object.clone()];
                all.extend(args);
                self.operator(&format!("aten::{name}"), all, kwargs)?
            }
        })
    }

    fn to(&self, object: &Value, args: &[Value], kwargs: Kwargs) -> Fallible<Value> {
        let mut v = object.clone();
        for a in args
            .iter()
            .chain(kwargs.iter().filter(|(k, _)| matches!(&**k, "dtype" | "device" | "other")).map(|(_, v)| v))
        {
            match a {
                Value::Setting(_, n) => {
                    if let Some(d) = DType::from_number(*n) {
                        v = self.cast(&v, d)?;
                    }
                }
                Value::Tensor(t) => v = self.cast(&v, t.tensor.borrow().dtype())?,
                Value::Device(d) if &*d.kind != "cpu" => {
                    return Err(Fault::raise("RuntimeError", "modules are built on the CPU"));
                }
                Value::Str(s) if !s.starts_with("cpu") => {
                    return Err(Fault::raise("RuntimeError", "modules are built on the CPU"));
                }
                _ => {}
            }
        }
        Ok(v)
    }

    fn tolist(&self, object: &Value) -> Fallible<Value> {
        let t = self.tensor_of(object)?;
        if t.dim() == 0 {
            return self.tensor_method(object, "item", Vec::new(), Vec::new());
        }
        let items = self.items(object)?;
        Ok(Value::list(items.iter().map(|v| self.tolist(v)).collect::<Fallible<_>>()?))
    }

    /// `tensor[index]`
    pub(super) fn tensor_item(&self, object: &Value, index: &Value) -> Fallible<Value> {
        let indices = match index {
            Value::Tuple(items) => items.to_vec(),
            one => vec![one.clone()],
        };
        let takes = |v: &&Value| !matches!(v, Value::None | Value::Ellipsis);
        let named = indices.iter().filter(takes).count();
        let mut v = object.clone();
        let mut dim = 0_i64;
        let mut advanced: Vec<Value> = Vec::new();
        for i in indices {
            let at = Value::Int(dim);
            match &i {
                Value::Int(_) | Value::Bool(_) => v = self.operator("aten::select", vec![v, at, i], Vec::new())?,
                Value::Tensor(_) if self.is_traced_number(&i) => {
                    v = self.operator("aten::select", vec![v, at, i], Vec::new())?;
                }
                Value::Slice(s) => {
                    let or = |v: &Value, n: i64| if matches!(v, Value::None) { Value::Int(n) } else { v.clone() };
                    let range = [or(&s[0], 0), or(&s[1], i64::MAX), or(&s[2], 1)];
                    let [start, end, step] = range;
                    v = self.operator("aten::slice", vec![v, at, start, end, step], Vec::new())?;
                    dim += 1;
                }
                Value::None => {
                    v = self.operator("aten::unsqueeze", vec![v, at], Vec::new())?;
                    dim += 1;
                }
                Value::Ellipsis => {
                    let rank = self.tensor_of(object)?.dim();
                    dim += rank.saturating_sub(named) as i64;
                }
                Value::Tensor(_) | Value::List(_) => {
                    advanced.resize(usize::try_from(dim).unwrap_or(0), Value::None);
                    advanced.push(if let Value::List(_) = i { self.make_tensor(&i, None, false)? } else { i });
                    dim += 1;
                }
                other => {
                    return Err(Fault::refused(format!("a tensor cannot be indexed by {}", other.type_name())));
                }
            }
        }
        if advanced.is_empty() {
            return Ok(v);
        }
        self.operator("aten::index", vec![v, Value::list(advanced)], Vec::new())
    }

    /// `tensor[index] = value`
    pub(super) fn set_tensor_item(&self, object: &Value, index: &Value, value: Value) -> Fallible<()> {
        let by_tensor = match index {
            Value::Tensor(_) | Value::List(_) => true,
            Value::Tuple(items) => items.iter().any(|v| matches!(v, Value::Tensor(_) | Value::List(_))),
            _ => false,
        };
        if !by_tensor && !matches!(value, Value::Tensor(_)) {
            let view = self.tensor_item(object, index)?;
            return self.operator("aten::fill_", vec![view, value], Vec::new()).map(|_| ());
        }
        let value = match value {
            Value::Tensor(_) => value,
            number => self.make_tensor(&number, Some(self.tensor_of(object)?.dtype()), false)?,
        };
        if by_tensor {
            let indices = match index {
                Value::Tuple(items) => items.to_vec(),
                one => vec![one.clone()],
            };
            self.operator("aten::index_put_", vec![object.clone(), Value::list(indices), value], Vec::new())?;
            return Ok(());
        }
        let view = self.tensor_item(object, index)?;
        self.operator("aten::copy_", vec![view, value], Vec::new())?;
        Ok(())
    }
}

/// A dtype as a Python value.
pub(super) fn dtype_value(d: DType) -> Value {
    Value::Setting(format!("torch.{}", d.torch_name()).into(), d.number())
}

/// An operator's result as a Python value.
pub(super) fn from_ivalue(v: &IValue) -> Value {
    match v {
        IValue::Bool(b) => Value::Bool(*b),
        IValue::Int(i) => Value::Int(*i),
        IValue::Double(f) => Value::Float(*f),
        IValue::Complex(c) => Value::Complex(c.re, c.im),
        IValue::Tensor(t) => Value::tensor(t.clone()),
        IValue::Str(s) => Value::str(&**s),
        IValue::Device(d) => Value::Device(d.clone()),
        IValue::List(l) => Value::list(l.read().iter().map(from_ivalue).collect()),
        IValue::Tuple(t) => Value::tuple(t.items.iter().map(from_ivalue).collect()),
        IValue::Generator(g) => Value::Generator(g.clone()),
        IValue::Dict(d) => {
            let entries = d.read().iter().map(|(k, v)| (Key(from_ivalue(&k.to_value())), from_ivalue(v))).collect();
            Value::dict(entries)
        }
        _ => Value::None,
    }
}

/// A call's overload with its arguments, in order and by name.
struct Chosen {
    call: overload::Call,
    values: Vec<IValue>,
    named: Vec<IValue>,
}

fn choice(name: &str, args: &[Value], named: &[Value], names: &[&str]) -> Fallible<Chosen> {
    let (types, values) = operands(args)?;
    let (named_types, named) = operands(named)?;
    let keywords: Vec<(&str, Type)> = names.iter().copied().zip(named_types).collect();
    let call = overload::of_call(name, &types, &keywords).map_err(|e| Fault::raise("TypeError", e.to_string()))?;
    Ok(Chosen { call, values, named })
}

/// The arguments of a call as a trace takes them.
fn given(call: &overload::Call, args: &[Value], named: &[Value], actual: &[IValue]) -> Vec<Operand> {
    let one = |(bound, actual): (&Bound, &IValue)| match bound {
        Bound::Positional(i, _) => args.get(*i).map(|v| trace::operand(v, actual)),
        Bound::Keyword(i, _) => named.get(*i).map(|v| trace::operand(v, actual)),
        Bound::Rest(i) => match actual {
            IValue::List(l) => Some(trace::operand_list(args.get(*i..).unwrap_or_default(), &l.read())),
            _ => None,
        },
        Bound::Default => None,
    };
    call.arguments
        .iter()
        .zip(actual)
        .map(|(bound, actual)| one((bound, actual)).unwrap_or_else(|| Operand::Value(actual.clone())))
        .collect()
}

fn operands(args: &[Value]) -> Fallible<(Vec<Type>, Vec<IValue>)> {
    let mut types = Vec::with_capacity(args.len());
    let mut values = Vec::with_capacity(args.len());
    for a in args {
        let (ty, v) = operand(a)?;
        types.push(ty);
        values.push(v);
    }
    Ok((types, values))
}

/// A Python value as an operator's argument.
pub(super) fn operand(v: &Value) -> Fallible<(Type, IValue)> {
    Ok(match v {
        Value::None => (Type::None, IValue::None),
        Value::Bool(b) => (Type::Bool, IValue::Bool(*b)),
        Value::Int(i) => (Type::Int, IValue::Int(*i)),
        Value::Float(f) => (Type::Float, IValue::Double(*f)),
        Value::Complex(re, im) => (Type::Complex, IValue::complex(*re, *im)),
        Value::Str(s) => (Type::Str, IValue::str(&**s)),
        Value::Tensor(t) => (Type::tensor(), IValue::Tensor(t.tensor.borrow().clone())),
        Value::Setting(_, n) => (Type::Int, IValue::Int(*n)),
        Value::Device(d) => (Type::Device, IValue::Device(d.clone())),
        Value::Generator(g) => (Type::Generator, IValue::Generator(g.clone())),
        Value::List(items) => list_operand(&items.borrow())?,
        Value::Tuple(items) | Value::NamedTuple(_, items) => list_operand(items)?,
        Value::Range(a, b, c) => {
            let n = super::items::range_length(*a, *b, *c).min(1 << 20) as i64;
            (Type::list(Type::Int), IValue::int_list(&(0..n).map(|i| a + i * c).collect::<Vec<_>>()))
        }
        other => {
            let text = format!("an operator cannot be called with a value of type '{}'", other.type_name());
            return Err(Fault::raise("TypeError", text));
        }
    })
}

fn list_operand(items: &[Value]) -> Fallible<(Type, IValue)> {
    let (types, mut values) = operands(items)?;
    let element = if types.is_empty() {
        Type::Int
    } else if types.iter().all(|t| matches!(t, Type::Tensor(_))) {
        Type::tensor()
    } else if types.iter().all(|t| matches!(t, Type::Tensor(_) | Type::None)) {
        Type::optional(Type::tensor())
    } else if types.iter().all(|t| matches!(t, Type::Int | Type::Bool)) {
        if types.iter().all(|t| *t == Type::Bool) { Type::Bool } else { Type::Int }
    } else if types.iter().all(|t| matches!(t, Type::Int | Type::Float)) {
        for v in &mut values {
            if let IValue::Int(i) = v {
                *v = IValue::Double(*i as f64);
            }
        }
        Type::Float
    } else {
        Type::unify_all(types.iter()).unwrap_or(Type::Any)
    };
    Ok((Type::list(element.clone()), IValue::list(element, values)))
}

fn converted(v: Option<&IValue>, c: Conversion) -> Fallible<IValue> {
    let v = v.cloned().unwrap_or_default();
    let number = |to: Number| -> Fallible<IValue> {
        let n = Scalar::from_value(&v).map_err(|e| kernel_fault(&e))?;
        let out = match to {
            Number::Int => n.to_i64().map(IValue::Int),
            Number::Float => n.to_f64().map(IValue::Double),
            Number::Complex | Number::Scalar => Ok(n.to_value()),
        };
        out.map_err(|e| kernel_fault(&e))
    };
    Ok(match c {
        Conversion::None | Conversion::TupleToList => v,
        Conversion::TensorTo(n) | Conversion::NumberTo(n) => number(n)?,
        Conversion::Device => match &v {
            IValue::Str(s) => IValue::Device(std::sync::Arc::new(device(s)?)),
            _ => v,
        },
        Conversion::Repeat(n) => match &v {
            IValue::Int(i) => IValue::int_list(&vec![*i; n.min(16) as usize]),
            IValue::Double(_) => IValue::list(Type::Float, vec![v; n.min(16) as usize]),
            _ => v,
        },
    })
}

/// `cpu`, `cuda:1`
pub(super) fn device(text: &str) -> Fallible<sconce_schema::types::Device> {
    let (kind, index) = match text.split_once(':') {
        Some((kind, index)) => (kind, Some(index.parse())),
        None => (text, None),
    };
    match index.transpose() {
        Ok(index) => Ok(sconce_schema::types::Device { kind: kind.into(), index }),
        Err(_) => Err(Fault::raise("RuntimeError", format!("Invalid device string: '{text}'"))),
    }
}
