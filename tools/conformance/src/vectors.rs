//! One operator call per line of JSON: its arguments decoded, the call made through the op table, and everything the line records compared.
//!
//! The format is that of the recordings' README: tensors inline with bit-exact data, strides and offsets; aliasing by tensor number.

mod decode;
mod metadata;

pub use decode::{Decoder, device};

use decode::{bits, complex_bits, dtype, enumerator};
use metadata::{Reading, compare_meta};

use crate::tolerance::{Tolerance, compare_elements};
use crate::{Error, data};
use sconce_kernels::Outputs;
use sconce_kernels::defaults::default_value;
use sconce_kernels::derived::meta_of;
use sconce_schema::op::FunctionSchema;
use sconce_schema::shape::{ErrorKind, Meta};
use sconce_schema::{OpEntry, Type};
use sconce_tensor::{IValue, Tensor};
use serde_json::{Map, Value};

/// What a line records.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Kind {
    Value,
    Error,
    Meta,
}

/// The judgement of one case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    Passed,
    /// The call raised, as it should; what its class or message should have been.
    Reworded(String),
    /// What differs.
    Failed(String),
    /// The operator is not in the table, or has no kernel or rule of the kind the case needs.
    Skipped(String),
}

/// A line of a recording.
pub struct Case {
    json: Map<String, Value>,
}

impl Case {
    /// A case that was parsed.
    pub fn new(json: Map<String, Value>) -> Case {
        Case { json }
    }

    pub fn parse(line: &str) -> Result<Case, Error> {
        match serde_json::from_str(line) {
            Ok(Value::Object(json)) if json.get("op").is_some_and(Value::is_string) => Ok(Case { json }),
            Ok(other) => Err(Error::malformed("a case is an object with `op`", &other)),
            Err(e) => Err(Error::Malformed(e.to_string())),
        }
    }

    /// `aten::add.Tensor`.
    pub fn op(&self) -> &str {
        self.json.get("op").and_then(Value::as_str).unwrap_or_default()
    }

    fn get(&self, key: &str) -> &Value {
        self.json.get(key).unwrap_or(&Value::Null)
    }

    /// Replays the case and compares all it records. A kernel's panic is its failure, not the end of the run.
    pub fn judge(&self, kind: Kind) -> Verdict {
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.replay(kind))).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("");
            Verdict::Failed(format!("PANIC: {text}"))
        })
    }

    fn replay(&self, kind: Kind) -> Verdict {
        let Some(op) = sconce_schema::lookup(self.op()) else {
            return Verdict::Skipped("not in the op table".into());
        };
        let result = match kind {
            Kind::Value => self.judge_value(op),
            Kind::Error => self.judge_error(op),
            Kind::Meta => self.judge_meta(op),
        };
        match result {
            Ok(v) => v,
            Err(Error::Unsupported(what)) => Verdict::Skipped(what),
            Err(e) => Verdict::Failed(e.to_string()),
        }
    }

    /// The arguments in schema order, defaults filled in, and the tensors among them in order of appearance.
    pub fn arguments(&self, schema: &FunctionSchema) -> Result<(Vec<IValue>, Decoder), Error> {
        let mut decoder = Decoder::default();
        let positional = self.get("a").as_array().map_or(&[][..], Vec::as_slice);
        let no_keywords = Map::new();
        let keywords = self.get("k").as_object().unwrap_or(&no_keywords);
        let types = self.types()?;
        if positional.len() > schema.arguments.len() && !schema.is_vararg {
            return Err(Error::Malformed(format!("{} arguments for {}", positional.len(), schema.name)));
        }
        let mut values: Vec<Option<IValue>> = vec![None; schema.arguments.len().max(positional.len())];
        for (i, json) in positional.iter().enumerate() {
            let argument = schema.arguments.get(i);
            let declared = types.get(i).cloned().or_else(|| argument.map(|a| a.ty.clone()));
            let count = argument.and_then(|a| a.list_size);
            values[i] = Some(decoder.argument(json, declared.as_ref().unwrap_or(&Type::Any), count)?);
        }
        // In the order the case gives them: tensors are numbered so.
        for (name, json) in keywords {
            let i = schema
                .arguments
                .iter()
                .position(|a| *a.name == **name)
                .ok_or_else(|| Error::Malformed(format!("{} has no argument `{name}`", schema.name)))?;
            values[i] = Some(decoder.argument(json, &schema.arguments[i].ty, schema.arguments[i].list_size)?);
        }
        let mut filled = Vec::with_capacity(values.len());
        for (i, value) in values.into_iter().enumerate() {
            filled.push(match value {
                Some(v) => v,
                None => {
                    let argument = &schema.arguments[i];
                    let default = argument.default.as_ref().ok_or_else(|| {
                        Error::Malformed(format!("argument `{}` of {} is missing", argument.name, schema.name))
                    })?;
                    default_value(default, argument)
                }
            });
        }
        Ok((filled, decoder))
    }

    /// The graph-text types of a call made through a one-node graph.
    fn types(&self) -> Result<Vec<Type>, Error> {
        let Some(list) = self.get("ty").as_array() else { return Ok(Vec::new()) };
        list.iter()
            .map(|t| {
                let text = t.as_str().ok_or_else(|| Error::malformed("a type", t))?;
                sconce_schema::types::parse(text).map_err(|e| Error::Malformed(format!("type `{text}`: {e}")))
            })
            .collect()
    }

    fn call(&self, op: &'static OpEntry, args: &mut [IValue]) -> Result<Outputs, sconce_kernels::Error> {
        if let Some(seed) = self.get("seed").as_u64() {
            sconce_tensor::mersenne::manual_seed(seed);
        }
        crate::call(op, args)
    }

    fn judge_value(&self, op: &'static OpEntry) -> Result<Verdict, Error> {
        let letter = self.get("tol").as_str();
        let tolerance =
            Tolerance::of_letter(letter).ok_or_else(|| Error::Malformed(format!("tolerance class {letter:?}")))?;
        if sconce_kernels::lookup(op).is_none() {
            return Err(Error::Unsupported("no kernel".into()));
        }
        let schema = op.schema();
        let (args, decoder) = self.arguments(schema)?;
        let mut given = args.clone();
        let outputs = match self.call(op, &mut given) {
            Ok(outputs) => outputs,
            Err(sconce_kernels::Error::Missing { .. }) => return Err(Error::Unsupported("no kernel".into())),
            Err(e) => return Ok(Verdict::Failed(format!("raised {}: {e}", class_of(&e)))),
        };
        let compare = Compare { tolerance, arguments: &decoder.tensors };
        let several = self.get("rty").is_array() || (self.get("ty").is_null() && schema.returns.len() > 1);
        let no_result = !self.get("ty").is_null() && self.get("rty").is_null();
        let judge = || -> Result<(), String> {
            if several {
                compare.value(self.get("r"), &IValue::tuple(outputs.to_vec()), "r")?;
            } else if !no_result {
                match outputs.as_slice() {
                    [] => compare.value(self.get("r"), &IValue::None, "r")?,
                    [one] => compare.value(self.get("r"), one, "r")?,
                    more => compare.value(self.get("r"), &IValue::tuple(more.to_vec()), "r")?,
                }
            }
            for (name, want) in self.get("mut").as_object().into_iter().flatten() {
                let index = match name.parse::<usize>() {
                    Ok(i) => Some(i),
                    Err(_) => schema.arguments.iter().position(|a| *a.name == **name),
                };
                let got = index.and_then(|i| args.get(i)).ok_or_else(|| format!("mut.{name}: no such argument"))?;
                // A changed tensor is recorded on its own: its storage is compared, not whom it aliases. A dictionary's tensors are the arguments.
                let arguments: &[Tensor] = if want.get("dict").is_some() { &decoder.tensors } else { &[] };
                Compare { tolerance, arguments }.value(want, got, &format!("mut.{name}"))?;
            }
            Ok(())
        };
        Ok(match judge() {
            Ok(()) => Verdict::Passed,
            Err(e) => Verdict::Failed(e),
        })
    }

    fn judge_error(&self, op: &'static OpEntry) -> Result<Verdict, Error> {
        if self.get("dev").as_str().is_some_and(|d| d != "cpu") {
            return Err(Error::Unsupported("another device".into()));
        }
        let (mut args, _) = self.arguments(op.schema())?;
        let want_message = crate::messages::about_the_program(self.get("err")["msg"].as_str().unwrap_or_default());
        let want_type = self.get("err")["type"].as_str().unwrap_or_default();
        let error = match self.call(op, &mut args) {
            Ok(outputs) => {
                return Ok(Verdict::Failed(format!("expected {want_type}: {want_message:?}, got {outputs:?}")));
            }
            Err(sconce_kernels::Error::Missing { .. }) => return Err(Error::Unsupported("no kernel".into())),
            Err(e) => e,
        };
        let (class, message) = (class_of(&error), error.to_string());
        let equal = if want_type == "jit" {
            // Inside TorchScript every C++ exception is a RuntimeError; the last lines of the report are recorded.
            want_message == format!("RuntimeError: {message}") || want_message == format!("{class}: {message}")
        } else {
            want_type == class && want_message == message
        };
        Ok(if equal {
            Verdict::Passed
        } else {
            Verdict::Reworded(format!("expected {want_type}: {want_message:?}, got {class}: {message:?}"))
        })
    }

    fn judge_meta(&self, op: &'static OpEntry) -> Result<Verdict, Error> {
        let schema = op.schema();
        let symbols: Vec<(String, i64)> = self
            .get("sym")
            .as_object()
            .into_iter()
            .flatten()
            .filter_map(|(name, v)| Some((name.clone(), v.as_i64()?)))
            .collect();
        // What a number says of a tensor may depend on its strides, which a rule does not know: the kernel says it.
        let numbers = !schema.returns.is_empty() && schema.returns.iter().all(|r| !has_tensors(&r.ty));
        let run = |reading: Reading<'_>| -> Result<Vec<Meta>, Error> {
            let metas = self.metas(schema, reading)?;
            match sconce_schema::shape::infer(op, &metas) {
                None if numbers => self.numbers(op, reading),
                None => Err(Error::Unsupported("no shape rule".into())),
                Some(Ok(out)) => Ok(out.to_vec()),
                Some(Err(e)) => Err(Error::Malformed(format!("the rule refuses: {e}"))),
            }
        };
        let want = self.get("r");
        let wants: Vec<&Value> = match want.get("tup").and_then(Value::as_array) {
            Some(items) if schema.returns.len() > 1 => items.iter().collect(),
            _ => vec![want],
        };
        let check = |got: &[Meta], reading: Reading<'_>, exact: bool| -> Result<(), String> {
            if got.len() != wants.len() {
                return Err(format!("{} results expected, the rule gives {}", wants.len(), got.len()));
            }
            for (i, (w, g)) in wants.iter().zip(got).enumerate() {
                compare_meta(w, g, reading, exact, &format!("r{i}"))?;
            }
            Ok(())
        };
        // At the traced sizes, then at others: an expression that is right at several points is taken to be right. Multiples that leave the
        // same rests keep what the tracer's guards compared: ratios, and divisibility.
        let mut points = vec![(symbols.clone(), 1)];
        if !symbols.is_empty() {
            // A kernel is given whole tensors.
            let multiples = if numbers { [3, 5] } else { [61, 121] };
            points.extend(multiples.map(|k| (symbols.iter().map(|(n, v)| (n.clone(), v * k)).collect(), k)));
        }
        for (i, (point, scale)) in points.iter().enumerate() {
            let reading =
                Reading { symbols: point, symbolic: false, scale: *scale, traced: &symbols, arguments: self.get("a") };
            let outcome = match run(reading) {
                Ok(got) => check(&got, reading, true),
                // A multiple of the traced sizes need not be legal (a fixed size beside it).
                Err(Error::Malformed(_)) if i > 0 => Ok(()),
                Err(Error::Malformed(e)) => Err(e),
                Err(e) => return Err(e),
            };
            if let Err(e) = outcome {
                return Ok(Verdict::Failed(e));
            }
        }
        if !symbols.is_empty() {
            let reading =
                Reading { symbols: &symbols, symbolic: true, scale: 1, traced: &symbols, arguments: self.get("a") };
            if let Err(e) = run(reading).map_err(|e| e.to_string()).and_then(|got| check(&got, reading, false)) {
                return Ok(Verdict::Failed(format!("symbolic: {e}")));
            }
        }
        Ok(Verdict::Passed)
    }

    /// What the kernel says of tensors with the case's sizes and strides; of symbols nothing is known.
    fn numbers(&self, op: &'static OpEntry, reading: Reading<'_>) -> Result<Vec<Meta>, Error> {
        if reading.symbolic {
            return Ok(vec![Meta::Unknown; op.schema().returns.len()]);
        }
        let mut json = self.json.clone();
        for part in ["a", "k"] {
            if let Some(part) = json.get_mut(part) {
                substitute(part, reading.symbols);
            }
        }
        let (mut args, _) = Case { json }.arguments(op.schema())?;
        match crate::call(op, &mut args) {
            Ok(outputs) => Ok(outputs.iter().map(meta_of).collect()),
            Err(sconce_kernels::Error::Missing { .. }) => Err(Error::Unsupported("no kernel".into())),
            Err(e) => Err(Error::Malformed(format!("the kernel refuses: {e}"))),
        }
    }

    fn metas(&self, schema: &FunctionSchema, reading: Reading<'_>) -> Result<Vec<Meta>, Error> {
        let positional = self.get("a").as_array().map_or(&[][..], Vec::as_slice);
        let mut tensors = Vec::new();
        let mut out = Vec::with_capacity(schema.arguments.len());
        for (i, argument) in schema.arguments.iter().enumerate() {
            let json = positional.get(i).or_else(|| self.get("k").get(&*argument.name));
            out.push(match json {
                Some(json) => reading.meta(json, &argument.ty, argument.list_size, &mut tensors)?,
                None => {
                    let default = argument.default.as_ref().ok_or_else(|| {
                        Error::Malformed(format!("argument `{}` of {} is missing", argument.name, schema.name))
                    })?;
                    meta_of(&default_value(default, argument))
                }
            });
        }
        Ok(out)
    }
}

/// The Python class an error raises.
pub fn class_of(e: &sconce_kernels::Error) -> &'static str {
    match e {
        sconce_kernels::Error::Shape(e) => match e.kind {
            ErrorKind::Runtime => "RuntimeError",
            ErrorKind::Index => "IndexError",
            ErrorKind::Value => "ValueError",
            ErrorKind::Type => "TypeError",
            ErrorKind::NotImplemented => "NotImplementedError",
        },
        sconce_kernels::Error::Raised { class, .. } => class,
        sconce_kernels::Error::Tensor(_) => "RuntimeError",
        sconce_kernels::Error::Missing { .. } => "NotImplementedError",
    }
}

struct Compare<'a> {
    tolerance: Tolerance,
    /// The tensors among the arguments, for aliasing.
    arguments: &'a [Tensor],
}

impl Compare<'_> {
    fn value(&self, want: &Value, got: &IValue, path: &str) -> Result<(), String> {
        let differs = || Err(format!("{path}: expected {}, got {got:?}", brief(want)));
        match (want, got) {
            (Value::Null, IValue::None) => Ok(()),
            (Value::Bool(a), IValue::Bool(b)) if a == b => Ok(()),
            (Value::String(a), IValue::Str(b)) if *a == **b => Ok(()),
            (Value::Number(a), IValue::Int(b)) if a.as_i64() == Some(*b) => Ok(()),
            (Value::Number(a), IValue::Double(b)) if a.is_f64() => {
                if self.float(a.as_f64().unwrap_or(f64::NAN), *b) {
                    Ok(())
                } else {
                    differs()
                }
            }
            (Value::Array(items), IValue::List(list)) => self.items(items, &list.to_vec(), path),
            (Value::Object(o), _) => self.object(o, want, got, path),
            _ => differs(),
        }
    }

    fn float(&self, want: f64, got: f64) -> bool {
        self.tolerance == Tolerance::MetadataOnly || self.tolerance.close(want, got)
    }

    fn items(&self, want: &[Value], got: &[IValue], path: &str) -> Result<(), String> {
        if want.len() != got.len() {
            return Err(format!("{path}: {} items expected, got {}", want.len(), got.len()));
        }
        want.iter().zip(got).enumerate().try_for_each(|(i, (w, g))| self.value(w, g, &format!("{path}[{i}]")))
    }

    fn object(&self, o: &Map<String, Value>, want: &Value, got: &IValue, path: &str) -> Result<(), String> {
        let differs = || Err(format!("{path}: expected {}, got {got:?}", brief(want)));
        if let Some(k) = o.get("is") {
            let IValue::Tensor(t) = got else { return differs() };
            let same = k.as_u64().and_then(|k| self.arguments.get(usize::try_from(k).ok()?)).is_some_and(|a| a.is(t));
            return if same { Ok(()) } else { Err(format!("{path}: expected the very tensor {k} of the arguments")) };
        }
        if o.contains_key("d") {
            let IValue::Tensor(t) = got else { return differs() };
            return self.tensor(o, t, path);
        }
        if let Some(f) = o.get("f") {
            let IValue::Double(b) = got else { return differs() };
            let a = bits(f).map_err(|e| e.to_string())?;
            return if self.float(a, *b) { Ok(()) } else { differs() };
        }
        if let Some(c) = o.get("c") {
            let IValue::Complex(b) = got else { return differs() };
            let (re, im) = complex_bits(c).map_err(|e| e.to_string())?;
            let (a, b) = (sconce_tensor::Complex::new(re, im), **b);
            return compare_elements(&Tensor::scalar(a), &Tensor::scalar(b), self.tolerance)
                .map_err(|e| format!("{path}: {e}"));
        }
        if let Some(n) = enumerator(o).map_err(|e| e.to_string())? {
            return if matches!(got, IValue::Int(i) if *i == n) { Ok(()) } else { differs() };
        }
        if let Some(d) = o.get("dev") {
            let want = device(d).map_err(|e| e.to_string())?;
            return if matches!(got, IValue::Device(g) if **g == want) { Ok(()) } else { differs() };
        }
        if let Some(items) = o.get("tup").and_then(Value::as_array) {
            let IValue::Tuple(t) = got else { return differs() };
            return self.items(items, &t.items, path);
        }
        if let Some(items) = o.get("dict").and_then(Value::as_array) {
            let IValue::Dict(d) = got else { return differs() };
            let d = d.read();
            if d.len() != items.len() {
                return differs();
            }
            for (pair, (k, v)) in items.iter().zip(d.iter()) {
                self.value(&pair[0], &k.to_value(), &format!("{path} key"))?;
                self.value(&pair[1], v, &format!("{path}[{}]", brief(&pair[0])))?;
            }
            return Ok(());
        }
        differs()
    }

    fn tensor(&self, o: &Map<String, Value>, got: &Tensor, path: &str) -> Result<(), String> {
        let text = |e: Error| format!("{path}: {e}");
        let want_dtype = dtype(o.get("d").unwrap_or(&Value::Null)).map_err(text)?;
        if want_dtype != got.dtype() {
            return Err(format!("{path}: expected dtype {want_dtype}, got {}", got.dtype()));
        }
        let sizes = data::integers(o.get("s").unwrap_or(&Value::Null)).map_err(text)?;
        if sizes != got.sizes() {
            return Err(format!("{path}: expected sizes {sizes:?}, got {:?}", got.sizes()));
        }
        let strides = match o.get("st") {
            Some(st) => data::integers(st).map_err(text)?,
            None => sconce_tensor::contiguous_strides(&sizes).to_vec(),
        };
        // Strides of dimensions that are never stepped over carry no meaning.
        let stepped = |d: usize| sizes[d] > 1 && !sizes.contains(&0);
        if (0..sizes.len()).any(|d| stepped(d) && strides.get(d) != got.strides().get(d)) {
            return Err(format!("{path}: expected strides {strides:?}, got {:?} (sizes {sizes:?})", got.strides()));
        }
        let owner = self.arguments.iter().position(|a| a.shares_storage(got) && got.storage_bytes() > 0);
        let want_owner = o.get("of").and_then(Value::as_u64).and_then(|k| usize::try_from(k).ok());
        match (want_owner, owner) {
            (Some(k), _) => {
                let shares = self.arguments.get(k).is_some_and(|a| a.shares_storage(got));
                if !shares {
                    return Err(format!("{path}: expected a view of argument tensor {k}, got a storage of its own"));
                }
                let offset = o.get("o").and_then(Value::as_i64).unwrap_or(0);
                if offset != got.storage_offset() {
                    return Err(format!("{path}: expected storage offset {offset}, got {}", got.storage_offset()));
                }
            }
            (None, Some(k)) => {
                return Err(format!("{path}: expected a new storage, got a view of argument tensor {k}"));
            }
            (None, None) => {}
        }
        if self.tolerance == Tolerance::MetadataOnly {
            return Ok(());
        }
        let (want, have) = if let Some(sv) = o.get("sv") {
            let want = data::from_bits(sv, want_dtype).map_err(text)?;
            // The recorded storage may be longer than ours where the operator left slack; never shorter than the view.
            let held = (got.storage_bytes() / want_dtype.size()) as i64;
            let n = held.min(want.numel() as i64);
            let want = want.as_strided(&[n], &[1], 0).map_err(|e| e.to_string())?;
            (want, got.as_strided(&[n], &[1], 0).map_err(|e| e.to_string())?)
        } else if let Some(v) = o.get("v") {
            let want = data::from_bits(v, want_dtype).map_err(text)?;
            if want.numel() != got.numel() {
                return Err(format!("{path}: {} elements recorded for sizes {sizes:?}", want.numel()));
            }
            (want, got.clone())
        } else {
            return Ok(());
        };
        compare_elements(&want, &have, self.tolerance).map_err(|e| format!("{path}: {e}"))
    }
}

fn brief(json: &Value) -> String {
    let mut text = json.to_string();
    if let Some((cut, _)) = text.char_indices().nth(100) {
        text.truncate(cut);
        text.push('…');
    }
    text
}

/// Whether a result of the type holds tensors.
fn has_tensors(ty: &Type) -> bool {
    match ty {
        Type::Optional(t) | Type::List(t) => has_tensors(t),
        t => t.is_tensor(),
    }
}

/// Puts numbers in the place of symbols.
fn substitute(json: &mut Value, symbols: &[(String, i64)]) {
    match json {
        Value::String(name) => {
            if let Some((_, n)) = symbols.iter().find(|(s, _)| s == name) {
                *json = Value::from(*n);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|v| substitute(v, symbols)),
        Value::Object(o) => o.values_mut().for_each(|v| substitute(v, symbols)),
        _ => {}
    }
}
