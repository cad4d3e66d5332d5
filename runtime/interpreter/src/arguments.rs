//! Arguments meet parameters as a schema binds them: by position, by name, by default; what does not fit is refused in PyTorch's words before anything runs.

use crate::error::{Cause, RunError};
use crate::program::{Function, FunctionId, Program};
use sconce_kernels::text::text_of;
use sconce_schema::Type;
use sconce_tensor::IValue;

impl Program {
    /// The inputs of a function that are given by position; the same vector where they are all there.
    pub(crate) fn bind_positional(
        &self,
        function: FunctionId,
        mut inputs: Vec<IValue>,
    ) -> Result<Vec<IValue>, RunError> {
        let Some(f) = self.functions.get(function as usize).filter(|f| f.parameters.len() == inputs.len()) else {
            return self.bind(function, inputs, Vec::new());
        };
        let call = Call { name: f.name.rsplit('.').next().unwrap_or(&f.name), f };
        for (at, input) in inputs.iter_mut().enumerate() {
            *input = call.checked(self, at, std::mem::take(input))?;
        }
        Ok(inputs)
    }

    /// The inputs of a function, one for each parameter. A method's object is the first positional argument.
    pub fn bind(
        &self,
        function: FunctionId,
        positional: Vec<IValue>,
        named: Vec<(String, IValue)>,
    ) -> Result<Vec<IValue>, RunError> {
        let Some(f) = self.functions.get(function as usize) else {
            return Err(RunError::new(Cause::Operator, "RuntimeError", format!("there is no function {function}")));
        };
        let call = Call { name: f.name.rsplit('.').next().unwrap_or(&f.name), f };
        let given = positional.len() + named.len();
        if positional.len() > f.parameters.len() {
            return Err(call.refuse(format!(
                "{}() expected at most {} argument(s) but received {given} argument(s).{}",
                call.name,
                f.parameters.len(),
                call.declaration(" ")
            )));
        }
        let mut inputs = Vec::with_capacity(f.parameters.len());
        let mut positional = positional.into_iter();
        let mut used = 0;
        for (at, p) in f.parameters.iter().enumerate() {
            let by_name = || named.iter().find(|(n, _)| **n == *p.name).map(|(_, v)| v.clone());
            let value = match positional.next() {
                Some(v) => v,
                None => match by_name() {
                    Some(v) => {
                        used += 1;
                        v
                    }
                    None => p.default.clone().ok_or_else(|| {
                        let declaration = call.declaration(" ");
                        call.refuse(format!("{}() is missing value for argument '{}'.{declaration}", call.name, p.name))
                    })?,
                },
            };
            inputs.push(call.checked(self, at, value)?);
        }
        if used < named.len() {
            return Err(call.wrong_names(&named));
        }
        Ok(inputs)
    }
}

struct Call<'f> {
    name: &'f str,
    f: &'f Function,
}

impl Call<'_> {
    fn refuse(&self, message: String) -> RunError {
        RunError::new(Cause::Argument, "RuntimeError", message)
    }

    fn declaration(&self, before: &str) -> String {
        self.f.schema.as_ref().map_or_else(String::new, |s| format!("{before}Declaration: {s}"))
    }

    /// The value as the parameter's type has it: a number passes for a wider one, as in Python.
    fn checked(&self, program: &Program, at: usize, value: IValue) -> Result<IValue, RunError> {
        let p = &self.f.parameters[at];
        let value = match (&p.ty, value) {
            (Type::Float, IValue::Int(n)) => IValue::Double(n as f64),
            (Type::Int, IValue::Bool(b)) => IValue::Int(i64::from(b)),
            (_, value) => value,
        };
        if program.may_be(&value, &p.ty) {
            return Ok(value);
        }
        Err(self.refuse(format!(
            "{}() Expected a value of type '{}' for argument '{}' but instead found type '{}'.\nPosition: {at}\nValue: {}{}",
            self.name,
            p.ty.annotation_str(),
            p.name,
            type_name(&value),
            python_text(&value),
            self.declaration("\n")
        )))
    }

    /// Names that no parameter has, or whose parameter has its value already.
    fn wrong_names(&self, named: &[(String, IValue)]) -> RunError {
        let schema = self.f.schema.as_ref().map_or_else(String::new, |s| format!(" Schema: {s}"));
        let unknown = named.iter().find(|(n, _)| !self.f.parameters.iter().any(|p| *p.name == **n));
        if let Some((name, _)) = unknown {
            return self.refuse(format!("Unknown keyword argument '{name}' for operator '{}'.{schema}", self.name));
        }
        let twice = self.f.parameters.iter().find(|p| named.iter().any(|(n, _)| **n == *p.name));
        let name = twice.map_or("", |p| &p.name);
        self.refuse(format!("Argument '{name}' specified both as positional and keyword argument.{schema}"))
    }
}

/// A value's type as Python names it.
fn type_name(v: &IValue) -> String {
    match v {
        IValue::None => "NoneType".into(),
        IValue::Object(o) => o.class.to_string(),
        IValue::Enum(e) => e.class.rsplit('.').next().unwrap_or_default().into(),
        other => other.kind().into(),
    }
}

/// A value as Python would print it; long ones are cut.
fn python_text(v: &IValue) -> String {
    let text = match v {
        IValue::Str(s) => format!("'{s}'"),
        // A message is made of it: what is too large to be shown is named.
        other => text_of(other).unwrap_or_else(|_| other.kind().into()),
    };
    match text.char_indices().nth(200) {
        Some((cut, _)) => format!("{}...", &text[..cut]),
        None => text,
    }
}
