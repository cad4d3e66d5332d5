//! Recorded calls of whole programs: arguments decoded, the call made, and result, output, mutation, aliasing or error compared.
//!
//! The format is that of the recordings' README: values as JSON, tensors with sizes and numbers row by row, shared storage by the number of a
//! tensor in its group. All arguments of a call are one group, a result is another.

use crate::Error;
use crate::tolerance::{Tolerance, compare_elements};
use crate::vectors::{Verdict, device};
use sconce_interpreter::program::Parameter;
use sconce_interpreter::{Cause, Executable, Options, RunError};
use sconce_kernels::Outputs;
use sconce_schema::{DType, Type};
use sconce_tensor::{Bool, Complex, Dict, DictKey, EnumValue, IValue, List, Object, Tensor, Tuple, bf16, f16};
use serde_json::{Map, Value};
use std::sync::{Arc, Mutex};

/// A program whose recorded calls are replayed.
pub trait Subject {
    /// The parameters of what a call names, without the object of a method.
    fn parameters(&self, method: &str) -> Result<Vec<Parameter>, Error>;
    fn call(
        &mut self,
        method: &str,
        positional: Vec<IValue>,
        named: Vec<(String, IValue)>,
        options: &Options,
    ) -> Result<Outputs, RunError>;
    /// The module's attribute of a dotted name.
    fn attribute(&self, name: &str) -> Result<IValue, Error>;
    /// Its recording says nothing of what shares storage, nor of the order of dictionaries: PyTorch of 2019 had no order.
    fn is_of_2019(&self) -> bool {
        false
    }
    /// It was loaded from an archive, which stores no defaults of methods and prints other places.
    fn is_archived(&self) -> bool {
        false
    }
}

/// A function of an executable. A method that is recorded without its object does not look at it: an object without attributes will do.
pub struct PlainFunction<'e> {
    pub executable: &'e Executable,
    pub function: u32,
}

impl PlainFunction<'_> {
    fn receiver(&self) -> Option<IValue> {
        let f = self.executable.program().functions.get(self.function as usize)?;
        match f.parameters.first() {
            Some(Parameter { name, ty: Type::Class(class), .. }) if name.starts_with("self") => {
                Some(IValue::Object(Object::new(class.clone(), Vec::new().into())))
            }
            _ => None,
        }
    }
}

impl Subject for PlainFunction<'_> {
    fn parameters(&self, _: &str) -> Result<Vec<Parameter>, Error> {
        let f = self.executable.program().functions.get(self.function as usize);
        let f = f.ok_or_else(|| Error::Malformed(format!("there is no function {}", self.function)))?;
        Ok(f.parameters.iter().skip(usize::from(self.receiver().is_some())).cloned().collect())
    }
    fn call(
        &mut self,
        _: &str,
        positional: Vec<IValue>,
        named: Vec<(String, IValue)>,
        options: &Options,
    ) -> Result<Outputs, RunError> {
        let positional = self.receiver().into_iter().chain(positional).collect();
        let inputs = self.executable.program().bind(self.function, positional, named)?;
        self.executable.run(self.function, inputs, options)
    }
    fn attribute(&self, _: &str) -> Result<IValue, Error> {
        Err(Error::Unsupported("state of a module".into()))
    }
}

/// One recorded call.
pub struct Call {
    json: Map<String, Value>,
}

/// The calls of a `calls.json`, in order.
pub fn read(text: &str) -> Result<Vec<Call>, Error> {
    let json: Value = serde_json::from_str(text).map_err(|e| Error::Malformed(e.to_string()))?;
    let list = json.as_array().or_else(|| json.get("calls").and_then(Value::as_array));
    let list = list.ok_or_else(|| Error::malformed("a list of calls", &json))?;
    list.iter()
        .map(|c| c.as_object().map(|json| Call { json: json.clone() }).ok_or_else(|| Error::malformed("a call", c)))
        .collect()
}

impl Call {
    fn get(&self, key: &str) -> &Value {
        self.json.get(key).unwrap_or(&Value::Null)
    }

    /// What is recorded of the result; an archive may give something else.
    fn result(&self, key: &str, archived: bool) -> &Value {
        let of_archive = self.get("archive").get(key).filter(|_| archived);
        of_archive.unwrap_or_else(|| self.get(key))
    }

    /// Class and text of the recorded exception.
    fn error(&self, archived: bool) -> Option<&[Value]> {
        let of_archive = self.get("archive_error").as_array().filter(|_| archived);
        of_archive.or_else(|| self.get("error").as_array()).map(Vec::as_slice)
    }

    /// The method that is called: `forward`, …
    pub fn method(&self) -> &str {
        self.get("method").as_str().unwrap_or("forward")
    }

    /// Replays the call and compares all it records.
    pub fn judge(&self, subject: &mut dyn Subject, options: &Options) -> Verdict {
        match self.replay(subject, options) {
            Ok(v) => v,
            Err(Error::Unsupported(what)) => Verdict::Skipped(what),
            Err(e) => Verdict::Failed(e.to_string()),
        }
    }

    fn replay(&self, subject: &mut dyn Subject, options: &Options) -> Result<Verdict, Error> {
        let parameters = subject.parameters(self.method())?;
        let archived = subject.is_archived();
        let mut group = Group::default();
        let positional = self.get("args").as_array().map_or(&[][..], Vec::as_slice);
        let ty = |i: usize| parameters.get(i).map_or(Type::Any, |p| p.ty.clone());
        let mut given = Vec::new();
        for (i, json) in positional.iter().enumerate() {
            given.push(group.decode(json, &ty(i))?);
        }
        let mut by_name = Vec::new();
        for (name, json) in &self.keywords()? {
            let ty = parameters.iter().find(|p| *p.name == **name).map_or(Type::Any, |p| p.ty.clone());
            by_name.push((name.clone(), group.decode(json, &ty)?));
        }
        let missing = |(i, p): (usize, &Parameter)| {
            i >= given.len() && p.default.is_none() && !by_name.iter().any(|(n, _)| **n == *p.name)
        };
        if self.error(archived).is_none() && parameters.iter().enumerate().any(missing) {
            return Err(Error::Unsupported("default arguments are not part of a listing".into()));
        }
        if let Some(seed) = self.get("seed").as_u64() {
            sconce_kernels::mersenne::manual_seed(seed);
        }
        let printed: Arc<Mutex<Vec<u8>>> = Arc::default();
        let options = Options { output: Some(printed.clone()), ..options.clone() };
        let inputs = given.iter().map(copy_containers).collect();
        let named = by_name.iter().map(|(n, v)| (n.clone(), copy_containers(v))).collect();
        let outcome = subject.call(self.method(), inputs, named, &options);
        let verdict = match (outcome, self.error(archived)) {
            (Ok(outputs), None) => {
                let result = match outputs.as_slice() {
                    [one] => one.clone(),
                    [] => IValue::None,
                    more => IValue::tuple(more.to_vec()),
                };
                self.compare(&result, &given, &by_name, subject)
            }
            (Ok(outputs), Some(want)) => Err(format!("expected {}, got {outputs:?}", brief(&want[1]))),
            // An operator that nobody knows costs the call; what became of the call is not known.
            (Err(e), _) if e.cause == Cause::Missing => return Err(Error::Unsupported(lacks(&e))),
            (Err(e), None) => Err(format!("raised {}", e.last_line())),
            (Err(e), Some(want)) => compare_error(want, &e),
        };
        let printed =
            String::from_utf8_lossy(&printed.lock().unwrap_or_else(std::sync::PoisonError::into_inner)).into_owned();
        let want_printed = self.result("stdout", archived).as_str().unwrap_or("");
        let verdict = verdict.and_then(|()| {
            if printed == want_printed {
                Ok(())
            } else {
                Err(format!("printed {printed:?}, expected {want_printed:?}"))
            }
        });
        Ok(match verdict.and_then(|()| self.compare_state(subject)) {
            Ok(()) => Verdict::Passed,
            Err(e) => Verdict::Failed(e),
        })
    }

    /// Attributes that the call changed.
    fn compare_state(&self, subject: &dyn Subject) -> Result<(), String> {
        for (name, want) in self.get("state").as_object().into_iter().flatten() {
            let got = subject.attribute(name).map_err(|e| e.to_string())?;
            Compare { state: true, ..Compare::default() }.value(want, &got, name)?;
        }
        Ok(())
    }

    /// Keyword arguments: `{"dict": [[name, value], …]}` or an object.
    fn keywords(&self) -> Result<Vec<(String, Value)>, Error> {
        match self.get("kwargs") {
            Value::Null => Ok(Vec::new()),
            Value::Object(o) if o.contains_key("dict") => {
                let pairs = o["dict"].as_array().ok_or_else(|| Error::malformed("pairs", &o["dict"]))?;
                pairs
                    .iter()
                    .map(|p| match p[0].as_str() {
                        Some(name) => Ok((name.to_owned(), p[1].clone())),
                        None => Err(Error::malformed("a keyword argument", p)),
                    })
                    .collect()
            }
            Value::Object(o) => Ok(o.iter().map(|(k, v)| (k.clone(), v.clone())).collect()),
            other => Err(Error::malformed("keyword arguments", other)),
        }
    }

    fn compare(
        &self,
        result: &IValue,
        given: &[IValue],
        by_name: &[(String, IValue)],
        subject: &dyn Subject,
    ) -> Result<(), String> {
        let archived = subject.is_archived();
        let old = subject.is_of_2019();
        Compare { old, ..Compare::default() }.value(self.result("out", archived), result, "out")?;
        if old {
            return Ok(());
        }
        // Arguments are one group, positional ones first.
        let mut after = Compare { arguments: true, ..Compare::default() };
        let want = match self.result("args_after", archived) {
            Value::Null => self.get("args"),
            changed => changed,
        };
        let want = want.as_array().map_or(&[][..], Vec::as_slice);
        for (i, (w, g)) in want.iter().zip(given).enumerate() {
            after.value(w, g, &format!("argument {i} afterwards"))?;
        }
        let mut inputs = Vec::new();
        given.iter().chain(by_name.iter().map(|(_, v)| v)).for_each(|v| tensors(v, &mut inputs));
        let mut outputs = Vec::new();
        tensors(result, &mut outputs);
        let mut got = Vec::new();
        for (o, out) in outputs.iter().enumerate() {
            for (i, input) in inputs.iter().enumerate() {
                if out.numel() > 0 && input.numel() > 0 && out.shares_storage(input) {
                    got.push([o as i64, i as i64]);
                }
            }
        }
        let want: Vec<[i64; 2]> = self
            .result("alias", archived)
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|p| Some([p[0].as_i64()?, p[1].as_i64()?]))
            .collect();
        // The recording names one input for each output.
        let named = |pairs: &[[i64; 2]]| pairs.iter().map(|p| p[0]).collect::<std::collections::BTreeSet<_>>();
        if !want.iter().all(|p| got.contains(p)) || named(&want) != named(&got) {
            return Err(format!("outputs share storage with inputs as {got:?}, expected {want:?}"));
        }
        Ok(())
    }
}

/// What the run lacked: the message up to what can be done about it.
fn lacks(e: &RunError) -> String {
    e.message.split(": ").next().unwrap_or_default().to_owned()
}

/// The recorded text ends with the lines that name class and message; what stands before them is the traceback of a source the program
/// may not carry.
fn compare_error(want: &[Value], got: &sconce_interpreter::RunError) -> Result<(), String> {
    let text = crate::messages::about_the_program(want.get(1).and_then(Value::as_str).unwrap_or_default());
    // PyTorch's own mistakes are errors here too, but not in its words.
    if text.contains("INTERNAL ASSERT FAILED") {
        return Ok(());
    }
    if got.cause == Cause::Argument {
        // The rest of such a text tells of Python's side of the call.
        let first = got.message.lines().next().unwrap_or_default();
        return if text.starts_with(first) {
            Ok(())
        } else {
            Err(format!("expected the error {text:?}, got {first:?}"))
        };
    }
    let last = got.last_line();
    // A message of a task that failed holds that task's own report.
    let innermost = last.rsplit("<--- HERE").next().unwrap_or(&last);
    let lines: Vec<&str> = innermost.trim().lines().collect();
    let tail = match lines.iter().rposition(|l| l.starts_with("  File ")) {
        Some(at) => lines[at + 1..].join("\n"),
        None => lines.join("\n"),
    };
    if !text.trim_end().ends_with(tail.trim_end()) {
        return Err(format!("expected the error {text:?}, got {last:?}"));
    }
    Ok(())
}

/// Lists and dictionaries are copied when Python hands them over, tensors are not.
fn copy_containers(v: &IValue) -> IValue {
    match v {
        IValue::List(l) => IValue::List(List::new(l.element.clone(), l.read().iter().map(copy_containers))),
        IValue::Dict(d) => {
            let copy = Dict::new(d.key.clone(), d.value.clone());
            for (k, v) in d.read().iter() {
                copy.write().insert(k.clone(), copy_containers(v));
            }
            IValue::Dict(copy)
        }
        IValue::Tuple(t) => IValue::Tuple(Tuple::new(t.items.iter().map(copy_containers), t.names.clone())),
        other => other.clone(),
    }
}

/// Tensors depth first.
fn tensors(v: &IValue, out: &mut Vec<Tensor>) {
    match v {
        IValue::Tensor(t) => out.push(t.clone()),
        IValue::List(l) => l.to_vec().iter().for_each(|v| tensors(v, out)),
        IValue::Tuple(t) => t.items.iter().for_each(|v| tensors(v, out)),
        IValue::Dict(d) => {
            let values: Vec<IValue> = d.read().values().cloned().collect();
            values.iter().for_each(|v| tensors(v, out));
        }
        _ => {}
    }
}

fn brief(json: &Value) -> String {
    let mut text = json.to_string();
    if let Some((cut, _)) = text.char_indices().nth(200) {
        text.truncate(cut);
        text.push('…');
    }
    text
}

/// A dtype in these recordings: `b` is bool.
fn dtype(json: &Value) -> Result<DType, Error> {
    let bad = || Error::malformed("a dtype", json);
    match json.as_str().ok_or_else(bad)? {
        "b" => Ok(DType::Bool),
        "sparse" => Err(Error::Unsupported("a sparse tensor".into())),
        name => DType::from_short_name(name).ok_or_else(bad),
    }
}

fn number(json: &Value) -> Result<f64, Error> {
    match json {
        Value::String(s) => match s.as_str() {
            "nan" => Ok(f64::NAN),
            "inf" => Ok(f64::INFINITY),
            "-inf" => Ok(f64::NEG_INFINITY),
            _ => Err(Error::malformed("a number", json)),
        },
        _ => json.as_f64().ok_or_else(|| Error::malformed("a number", json)),
    }
}

/// The elements of a recorded tensor, contiguous.
fn elements(o: &Map<String, Value>, json: &Value) -> Result<Tensor, Error> {
    let dtype = dtype(o.get("T").unwrap_or(&Value::Null))?;
    let sizes = crate::data::integers(o.get("s").unwrap_or(&Value::Null))?;
    let count = sconce_tensor::numel(&sizes).filter(|n| *n < 1 << 28).ok_or_else(|| Error::malformed("sizes", json))?;
    let parts = if dtype.is_complex() { 2 * count } else { count };
    let items: Vec<&Value> = match (o.get("fill"), o.get("d").and_then(Value::as_array)) {
        (Some(fill), _) => vec![fill; parts],
        (None, Some(items)) if items.len() == parts => items.iter().collect(),
        _ => return Err(Error::malformed("as many numbers as the sizes say", json)),
    };
    let reals = || items.iter().map(|v| number(v)).collect::<Result<Vec<f64>, Error>>();
    macro_rules! integers {
        ($t:ty) => {{
            let narrow = |v: &&Value| {
                v.as_i64().and_then(|i| <$t>::try_from(i).ok()).ok_or_else(|| Error::malformed("an integer", v))
            };
            Tensor::from_vec(items.iter().map(narrow).collect::<Result<Vec<$t>, Error>>()?, &sizes)
        }};
    }
    Ok(match dtype {
        DType::F64 => Tensor::from_vec(reals()?, &sizes),
        DType::F32 => Tensor::from_vec(reals()?.into_iter().map(|v| v as f32).collect(), &sizes),
        DType::F16 => Tensor::from_vec(reals()?.into_iter().map(|v| f16::from_f32(v as f32)).collect(), &sizes),
        DType::BF16 => Tensor::from_vec(reals()?.into_iter().map(|v| bf16::from_f32(v as f32)).collect(), &sizes),
        DType::C64 => {
            let pairs = reals()?.chunks_exact(2).map(|p| Complex::new(p[0] as f32, p[1] as f32)).collect();
            Tensor::from_vec(pairs, &sizes)
        }
        DType::C128 => Tensor::from_vec(reals()?.chunks_exact(2).map(|p| Complex::new(p[0], p[1])).collect(), &sizes),
        DType::Bool => {
            let truth = |v: &&Value| match v {
                Value::Bool(b) => Ok(*b),
                other => other.as_i64().map(|i| i != 0).ok_or_else(|| Error::malformed("a bool", other)),
            };
            Tensor::from_vec(items.iter().map(|i| truth(i).map(Bool::new)).collect::<Result<Vec<_>, Error>>()?, &sizes)
        }
        DType::I8 => integers!(i8),
        DType::I16 => integers!(i16),
        DType::I32 => integers!(i32),
        DType::I64 => integers!(i64),
        DType::U8 => integers!(u8),
        other => return Err(Error::Unsupported(format!("tensors of {other}"))),
    })
}

/// Values that are decoded together: later tensors may view earlier ones.
#[derive(Default)]
pub struct Group {
    tensors: Vec<Tensor>,
}

impl Group {
    /// A value of a type; the type decides what an empty list holds and whether `1` is a float.
    pub fn decode(&mut self, json: &Value, ty: &Type) -> Result<IValue, Error> {
        if let Type::Optional(inner) = ty {
            return if json.is_null() { Ok(IValue::None) } else { self.decode(json, inner) };
        }
        Ok(match json {
            Value::Null => IValue::None,
            // Python's True is a number where one is asked for.
            Value::Bool(b) => match ty {
                Type::Float => IValue::Double(f64::from(u8::from(*b))),
                Type::Int => IValue::Int(i64::from(*b)),
                _ => IValue::Bool(*b),
            },
            Value::String(s) => IValue::str(s.as_str()),
            Value::Number(n) => match (n.as_i64(), n.as_f64()) {
                (Some(i), _) => match ty {
                    Type::Float => IValue::Double(i as f64),
                    Type::Complex => IValue::complex(i as f64, 0.0),
                    _ => IValue::Int(i),
                },
                (None, Some(f)) if *ty == Type::Complex => IValue::complex(f, 0.0),
                (None, Some(f)) => IValue::Double(f),
                _ => return Err(Error::malformed("a number", json)),
            },
            Value::Array(items) => {
                let element = match ty {
                    Type::List(e) => Type::clone(e),
                    _ => Type::Any,
                };
                let values = items.iter().map(|v| self.decode(v, &element)).collect::<Result<Vec<_>, _>>()?;
                IValue::list(plain(&element), values)
            }
            Value::Object(o) => self.object(o, json, ty)?,
        })
    }

    fn object(&mut self, o: &Map<String, Value>, json: &Value, ty: &Type) -> Result<IValue, Error> {
        if o.contains_key("T") {
            let t = self.tensor(o, json)?;
            self.tensors.push(t.clone());
            return Ok(IValue::Tensor(t));
        }
        if let Some(k) = o.get("same") {
            let t = k.as_u64().and_then(|k| self.tensors.get(usize::try_from(k).ok()?));
            return t.cloned().map(IValue::Tensor).ok_or_else(|| Error::malformed("a tensor number", json));
        }
        if let Some(f) = o.get("f") {
            return Ok(IValue::Double(number(f)?));
        }
        if let Some(c) = o.get("c") {
            return Ok(IValue::complex(number(&c[0])?, number(&c[1])?));
        }
        if let Some(items) = o.get("t").and_then(Value::as_array) {
            let types: &[Type] = if let Type::Tuple(t) = ty { t } else { &[] };
            let values = items.iter().enumerate().map(|(i, v)| self.decode(v, types.get(i).unwrap_or(&Type::Any)));
            return Ok(IValue::tuple(values.collect::<Result<Vec<_>, _>>()?));
        }
        if let Some(items) = o.get("nt").and_then(Value::as_array) {
            let names = if let Type::NamedTuple(n) = ty { Some(n.clone()) } else { None };
            let field = |i: usize| names.as_ref().and_then(|n| n.fields.get(i)).map_or(Type::Any, |f| f.1.clone());
            let values = items.iter().enumerate().map(|(i, v)| self.decode(&v[1], &field(i)));
            let items: Vec<IValue> = values.collect::<Result<_, _>>()?;
            return Ok(IValue::Tuple(Tuple::new(items, names)));
        }
        if let Some(items) = o.get("dict").and_then(Value::as_array) {
            let (key, value) = match ty {
                Type::Dict(k, v) => (Type::clone(k), Type::clone(v)),
                _ => (Type::Any, Type::Any),
            };
            let dict = Dict::new(plain(&key), plain(&value));
            for pair in items {
                let k = self.decode(&pair[0], &key)?;
                let k = DictKey::from_value(&k).ok_or_else(|| Error::malformed("a dictionary key", &pair[0]))?;
                let v = self.decode(&pair[1], &value)?;
                dict.write().insert(k, v);
            }
            return Ok(IValue::Dict(dict));
        }
        if let Some(d) = o.get("dev") {
            return Ok(IValue::Device(Arc::new(device(d)?)));
        }
        if let Some(name) = o.get("th").and_then(Value::as_str) {
            let dtype = name.strip_prefix("torch.").and_then(DType::from_torch_name);
            let format = ["contiguous_format", "preserve_format", "channels_last", "channels_last_3d"];
            let format = format.iter().position(|f| Some(*f) == name.strip_prefix("torch."));
            return match (dtype, format) {
                (Some(d), _) => Ok(IValue::Int(d.number())),
                (None, Some(f)) => Ok(IValue::Int(f as i64)),
                (None, None) if name == "torch.strided" => Ok(IValue::Int(0)),
                _ => Err(Error::Unsupported(format!("{name} as an argument"))),
            };
        }
        if let Some(name) = o.get("enum").and_then(Value::as_str) {
            let class = if let Type::Enum(class) = ty { class.clone() } else { "".into() };
            let value = self.decode(o.get("v").unwrap_or(&Value::Null), &Type::Any)?;
            return Ok(IValue::Enum(Arc::new(EnumValue { class, name: name.into(), value })));
        }
        Err(Error::Unsupported(format!("the value {}", brief(json))))
    }

    fn tensor(&self, o: &Map<String, Value>, json: &Value) -> Result<Tensor, Error> {
        let data = elements(o, json)?;
        let strides = match o.get("st") {
            Some(st) => crate::data::integers(st)?,
            None => data.strides().to_vec(),
        };
        let outside = |_| Error::malformed("a tensor within its storage", json);
        let t = if let Some(k) = o.get("of") {
            let base = k.as_u64().and_then(|k| self.tensors.get(usize::try_from(k).ok()?));
            let base = base.ok_or_else(|| Error::malformed("a tensor number", json))?;
            let offset = base.storage_offset().saturating_add(o.get("o").and_then(Value::as_i64).unwrap_or(0));
            let view = base.as_strided(data.sizes(), &strides, offset).map_err(outside)?;
            // Where it reaches beyond the tensor that it shares the storage with, only it says the elements.
            if view.dtype() == data.dtype() && (o.contains_key("d") || o.contains_key("fill")) {
                view.copy_bytes_from(&data)?;
            }
            view
        } else if o.contains_key("st") || o.contains_key("buf") {
            let extent: i64 = data
                .sizes()
                .iter()
                .zip(&strides)
                .try_fold(1i64, |n, (size, stride)| n.checked_add((size - 1).max(0).checked_mul(*stride)?))
                .ok_or_else(|| Error::malformed("strides", json))?;
            let (size, offset) = match o.get("buf") {
                Some(buf) => (buf[0].as_i64().unwrap_or(0), buf[1].as_i64().unwrap_or(0)),
                None => (extent, 0),
            };
            let storage = Tensor::zeros(&[size], data.dtype())?;
            let view = storage.as_strided(data.sizes(), &strides, offset).map_err(outside)?;
            view.copy_bytes_from(&data)?;
            view
        } else {
            data
        };
        if o.contains_key("g") {
            t.set_requires_grad(true);
        }
        Ok(t)
    }
}

/// A container's element type as programs carry it: nothing is known of a tensor.
fn plain(ty: &Type) -> Type {
    if ty.is_tensor() { Type::tensor() } else { ty.clone() }
}

/// Compares the values of one group.
#[derive(Default)]
struct Compare {
    tensors: Vec<Tensor>,
    /// An int handed over for a float is recorded as it was given.
    arguments: bool,
    /// Recorded with PyTorch of 2019.
    old: bool,
    /// Of an attribute only the content is recorded, not which tensor it is a view of.
    state: bool,
}

impl Compare {
    fn value(&mut self, want: &Value, got: &IValue, path: &str) -> Result<(), String> {
        let differs = || Err(format!("{path}: expected {}, got {got:?}", brief(want)));
        match (want, got) {
            (Value::Null, IValue::None) => Ok(()),
            (Value::Bool(a), IValue::Bool(b)) if a == b => Ok(()),
            (Value::Bool(a), IValue::Double(b)) if self.arguments && f64::from(u8::from(*a)) == *b => Ok(()),
            (Value::Bool(a), IValue::Int(b)) if self.arguments && i64::from(*a) == *b => Ok(()),
            (Value::String(a), IValue::Str(b)) if *a == **b => Ok(()),
            (Value::Number(a), IValue::Int(b)) if a.as_i64() == Some(*b) => Ok(()),
            (Value::Number(a), IValue::Double(b)) if (a.is_f64() || self.arguments) && close(a.as_f64(), *b) => Ok(()),
            (Value::Array(items), IValue::List(list)) => self.items(items, &list.to_vec(), path),
            (Value::Object(o), _) => self.object(o, want, got, path),
            _ => differs(),
        }
    }

    fn items(&mut self, want: &[Value], got: &[IValue], path: &str) -> Result<(), String> {
        if want.len() != got.len() {
            return Err(format!("{path}: {} items expected, got {}", want.len(), got.len()));
        }
        want.iter().zip(got).enumerate().try_for_each(|(i, (w, g))| self.value(w, g, &format!("{path}[{i}]")))
    }

    fn object(&mut self, o: &Map<String, Value>, want: &Value, got: &IValue, path: &str) -> Result<(), String> {
        let differs = || Err(format!("{path}: expected {}, got {got:?}", brief(want)));
        match got {
            IValue::Tensor(t) if o.contains_key("T") => self.tensor(o, want, t, path),
            IValue::Tensor(t) if o.contains_key("same") => {
                let same = o["same"].as_u64().and_then(|k| self.tensors.get(usize::try_from(k).ok()?));
                if same.is_some_and(|s| s.is(t)) { Ok(()) } else { differs() }
            }
            IValue::Double(b) => match o.get("f").map(number) {
                Some(Ok(a)) if close(Some(a), *b) => Ok(()),
                _ => differs(),
            },
            IValue::Complex(b) => match o.get("c") {
                Some(c) if close(number(&c[0]).ok(), b.re) && close(number(&c[1]).ok(), b.im) => Ok(()),
                _ => differs(),
            },
            IValue::Tuple(t) => {
                if let Some(items) = o.get("t").and_then(Value::as_array) {
                    return self.items(items, &t.items, path);
                }
                let Some(fields) = o.get("nt").and_then(Value::as_array) else { return differs() };
                let values: Vec<Value> = fields.iter().map(|f| f[1].clone()).collect();
                if let Some(names) = &t.names {
                    let same = names.fields.iter().zip(fields).all(|(n, f)| f[0].as_str() == Some(&*n.0));
                    if !same {
                        return differs();
                    }
                }
                self.items(&values, &t.items, path)
            }
            IValue::Dict(d) => {
                let Some(pairs) = o.get("dict").and_then(Value::as_array) else { return differs() };
                let entries: Vec<(IValue, IValue)> = d.read().iter().map(|(k, v)| (k.to_value(), v.clone())).collect();
                if pairs.len() != entries.len() {
                    return differs();
                }
                if self.old {
                    return self.unordered(pairs, &entries, path);
                }
                for (pair, (k, v)) in pairs.iter().zip(&entries) {
                    self.value(&pair[0], k, &format!("{path} key"))?;
                    self.value(&pair[1], v, &format!("{path}[{}]", brief(&pair[0])))?;
                }
                Ok(())
            }
            IValue::Int(_) if o.contains_key("th") => match Group::default().object(o, want, &Type::Any) {
                Ok(IValue::Int(n)) if got.as_int() == Ok(n) => Ok(()),
                _ => differs(),
            },
            IValue::Device(g) => match o.get("dev").map(device) {
                Some(Ok(d)) if d == **g => Ok(()),
                _ => differs(),
            },
            IValue::Enum(e) => {
                if o.get("enum").and_then(Value::as_str) != Some(&*e.name) {
                    return differs();
                }
                // A listing names the member and not its value.
                if matches!(e.value, IValue::Uninitialized) {
                    return Ok(());
                }
                self.value(o.get("v").unwrap_or(&Value::Null), &e.value, path)
            }
            _ => differs(),
        }
    }

    /// Entries of a dictionary in any order.
    fn unordered(&mut self, want: &[Value], got: &[(IValue, IValue)], path: &str) -> Result<(), String> {
        for pair in want {
            let found = got.iter().find(|(k, _)| Compare::default().value(&pair[0], k, path).is_ok());
            let (_, v) = found.ok_or_else(|| format!("{path}: no key {}", brief(&pair[0])))?;
            self.value(&pair[1], v, &format!("{path}[{}]", brief(&pair[0])))?;
        }
        Ok(())
    }

    fn tensor(&mut self, o: &Map<String, Value>, json: &Value, got: &Tensor, path: &str) -> Result<(), String> {
        let want = elements(o, json).map_err(|e| format!("{path}: {e}"))?;
        if want.dtype() != got.dtype() {
            return Err(format!("{path}: expected dtype {}, got {}", want.dtype(), got.dtype()));
        }
        if want.sizes() != got.sizes() {
            return Err(format!("{path}: expected sizes {:?}, got {:?}", want.sizes(), got.sizes()));
        }
        let strides = match o.get("st") {
            Some(st) => crate::data::integers(st).map_err(|e| format!("{path}: {e}"))?,
            None => want.strides().to_vec(),
        };
        let sizes = got.sizes();
        let stepped = |d: usize| sizes[d] > 1 && !sizes.contains(&0);
        if (0..sizes.len()).any(|d| stepped(d) && strides.get(d) != got.strides().get(d)) {
            return Err(format!("{path}: expected strides {strides:?}, got {:?}", got.strides()));
        }
        let shared = self
            .tensors
            .iter()
            .position(|t| t.numel() > 0 && got.numel() > 0 && t.dtype() == got.dtype() && t.shares_storage(got));
        let owner = o.get("of").and_then(Value::as_u64).map(|k| k as usize);
        if shared != owner && !self.old {
            return Err(format!("{path}: expected to share the storage of tensor {owner:?}, shares {shared:?}"));
        }
        if let (Some(k), Some(offset)) = (owner.filter(|_| !self.old), o.get("o").and_then(Value::as_i64))
            && let Some(base) = self.tensors.get(k)
            && got.storage_offset() - base.storage_offset() != offset
        {
            return Err(format!("{path}: another place in the storage of tensor {k}"));
        }
        self.tensors.push(got.clone());
        compare_elements(&want, got, Tolerance::Program).map_err(|e| format!("{path}: {e}"))?;
        if o.contains_key("g") != got.requires_grad() && !self.state {
            return Err(format!("{path}: expected requires_grad={}", o.contains_key("g")));
        }
        Ok(())
    }
}

fn close(want: Option<f64>, got: f64) -> bool {
    want.is_some_and(|want| Tolerance::Program.close(want, got))
}
