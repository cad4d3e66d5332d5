//! A loaded program becomes an exported one: its state goes along by the names of its state dict.

use crate::error::{Error, Failure};
use crate::module::Module;
use crate::state::NamedKind;
use crate::value_text::coerce;
use sconce_capture::{Argument, Captured, DynamicSize, Subject};
use sconce_export_program::StoredAs;
use sconce_tensor::{IValue, Tensor};

impl Module {
    /// What a function does with these arguments, as a program of `torch.export`: control flow is what these arguments decide, sizes that are said to vary are
    /// symbols. The module's own state is afterwards as the call left it.
    ///
    /// # Errors
    /// A program without source; what the call raises; what depends on the elements of tensors and has to be known; each with its place.
    pub fn captured(self, name: &str, arguments: &[IValue], dynamic: &[DynamicSize]) -> Result<Captured, Error> {
        let Some(unit) = self.unit() else { return Err(Failure::NoSource { stage: "an export" }.into()) };
        let object = if self.is_bound(name)? { self.root().cloned() } else { None };
        let function = match &object {
            Some(object) => format!("{}.{name}", object.class),
            None => name.to_owned(),
        };
        let mut named = Vec::new();
        for (parameter, value) in self.own_parameters(name)?.iter().zip(arguments) {
            let name = parameter.name.split('.').next().unwrap_or(&parameter.name);
            let argument = Argument { given: value.clone(), value: coerce(value.clone(), &parameter.ty) };
            named.push((name.to_owned(), argument));
        }
        if arguments.len() > named.len() {
            let (given, takes) = (arguments.len(), named.len());
            return Err(Failure::Text(format!("{name}() takes {takes} arguments, and {given} are given")).into());
        }
        let mut state: Vec<(String, StoredAs, Tensor)> = Vec::new();
        let attributes = if object.is_some() { self.named()? } else { Vec::new() };
        for attribute in attributes {
            let stored_as = match attribute.kind {
                NamedKind::Parameter => StoredAs::Parameter,
                NamedKind::Buffer => StoredAs::Buffer { persistent: true },
                NamedKind::Attribute => StoredAs::Constant,
                NamedKind::Module | NamedKind::Constant => continue,
            };
            if let IValue::Tensor(t) = attribute.value
                && !state.iter().any(|(_, _, seen)| seen.is(&t))
            {
                state.push((attribute.name, stored_as, t));
            }
        }
        let subject = Subject { unit, function: &function, object, state };
        Ok(sconce_capture::capture(subject, &named, dynamic).map_err(|e| Failure::Text(e.to_string()))?)
    }
}
