//! Recorded calls of whole programs: arguments decoded, the call made, and result, output, mutation, aliasing or error compared.
//!
//! The format is that of the recordings' README: values as JSON, tensors with sizes and numbers row by row, shared storage by the number of a
//! tensor in its group. All arguments of a call are one group, a result is another.

use crate::Error;
use crate::values::{Compare, Group, brief, compare_aliases, copy_containers};
use crate::vectors::Verdict;
use sconce_interpreter::program::Parameter;
use sconce_interpreter::{Cause, Executable, Options, RunError};
use sconce_kernels::Outputs;
use sconce_schema::Type;
use sconce_tensor::{IValue, Object};
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
    /// Its recording holds values alone: neither what shares storage nor what requires gradients.
    fn is_of_values_alone(&self) -> bool {
        false
    }
    /// Its results require no gradients, whatever was recorded: static plans are for inference.
    fn is_ungraded(&self) -> bool {
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

    /// Did PyTorch refuse the call?
    pub fn is_refused(&self) -> bool {
        self.error(false).is_some() || self.refusal().is_some()
    }

    /// The recorded error, where only the first line of its text was kept.
    fn refusal(&self) -> Option<&str> {
        self.get("error").as_str()
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
        let fails = self.error(archived).is_some() || self.refusal().is_some();
        if !fails && parameters.iter().enumerate().any(missing) {
            return Err(Error::Unsupported("default arguments are not part of a listing".into()));
        }
        if let Some(seed) = self.get("seed").as_u64() {
            sconce_tensor::mersenne::manual_seed(seed);
        }
        let printed: Arc<Mutex<Vec<u8>>> = Arc::default();
        let options = Options { output: Some(printed.clone()), ..options.clone() };
        let inputs = given.iter().map(copy_containers).collect();
        let named = by_name.iter().map(|(n, v)| (n.clone(), copy_containers(v))).collect();
        let outcome = subject.call(self.method(), inputs, named, &options);
        if let Some(want) = self.refusal() {
            return Ok(compare_refusal(want, outcome));
        }
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
        let recorded = ["state", "buffers_after"].into_iter().filter_map(|key| self.get(key).as_object());
        for (name, want) in recorded.flatten() {
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
        let ungraded = subject.is_ungraded();
        let values_alone = subject.is_of_values_alone();
        Compare { old, ungraded, values_alone, ..Compare::default() }.value(
            self.result("out", archived),
            result,
            "out",
        )?;
        if old {
            return Ok(());
        }
        // Arguments are one group, positional ones first.
        let mut after = Compare { arguments: true, values_alone, ..Compare::default() };
        let want = match self.result("args_after", archived) {
            Value::Null => self.get("args"),
            changed => changed,
        };
        let want = want.as_array().map_or(&[][..], Vec::as_slice);
        for (i, (w, g)) in want.iter().zip(given).enumerate() {
            after.value(w, g, &format!("argument {i} afterwards"))?;
        }
        if values_alone {
            return Ok(());
        }
        let inputs: Vec<&IValue> = given.iter().chain(by_name.iter().map(|(_, v)| v)).collect();
        compare_aliases(self.result("alias", archived), &inputs, result)
    }
}

/// A call that PyTorch refuses is refused, in its words or others.
fn compare_refusal(want: &str, outcome: Result<Outputs, RunError>) -> Verdict {
    match outcome {
        Ok(outputs) => Verdict::Failed(format!("expected the error {want:?}, got {outputs:?}")),
        Err(e) if e.cause == Cause::Missing => Verdict::Skipped(lacks(&e)),
        Err(e) if e.message.contains(want) => Verdict::Passed,
        Err(e) => Verdict::Reworded(format!("{want:?} is {:?}", e.last_line())),
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
