//! A module as the judge of recorded calls calls it: errors of the program are its own, what else goes wrong is an error of the call.

use crate::error::{Error, Failure};
use crate::module::Module;
use sconce_conformance::calls::Subject;
use sconce_interpreter::program::Parameter;
use sconce_interpreter::{Cause, Options as RunOptions, RunError};
use sconce_kernels::Outputs;
use sconce_tensor::IValue;

fn malformed(e: &Error) -> sconce_conformance::Error {
    sconce_conformance::Error::Malformed(e.to_string())
}

/// An error of the call for one of the module that is none of the program's.
pub(super) fn failed(e: &Error) -> RunError {
    RunError::new(Cause::Operator, "RuntimeError", e.to_string())
}

impl Subject for Module {
    fn parameters(&self, method: &str) -> Result<Vec<Parameter>, sconce_conformance::Error> {
        let name = self.function_or_first(method).map_err(|e| malformed(&e))?;
        self.own_parameters(&name).map(<[Parameter]>::to_vec).map_err(|e| malformed(&e))
    }

    fn call(
        &mut self,
        method: &str,
        positional: Vec<IValue>,
        named: Vec<(String, IValue)>,
        options: &RunOptions,
    ) -> Result<Outputs, RunError> {
        let named: Vec<(&str, IValue)> = named.iter().map(|(n, v)| (n.as_str(), v.clone())).collect();
        let called =
            self.function_or_first(method).and_then(|name| self.call_with(&name, &positional, &named, options));
        called.map_err(|e| match e.into_failure() {
            Failure::Run(e) => *e,
            e => failed(&e.into()),
        })
    }

    fn attribute(&self, name: &str) -> Result<IValue, sconce_conformance::Error> {
        self.attr(name).map_err(|e| malformed(&e))
    }
}
