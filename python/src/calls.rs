//! A method of a program, called as Python calls: its arguments are taken over while Python waits, and Python goes on while it runs.

use crate::errors;
use crate::model::Loaded;
use crate::values::{Arguments, object};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use sconce::interpreter::program::Parameter;
use sconce::schema::Type;
use sconce::tensor::IValue;
use std::sync::Arc;

/// A method of a model (`torch.ScriptMethod`), or a function of a program.
#[pyclass(frozen, module = "sconce")]
pub struct Method {
    loaded: Arc<Loaded>,
    /// As the library is asked for it: `layers.0.forward`.
    name: String,
    parameters: Vec<Parameter>,
}

/// Arguments of a call, by place and by name.
type Given = (Vec<IValue>, Vec<(String, IValue)>);

impl Method {
    /// # Errors
    /// There is no such method.
    pub fn new(loaded: &Arc<Loaded>, name: String) -> Result<Method, sconce::Error> {
        let parameters = loaded.module.own_parameters(&name)?.to_vec();
        Ok(Method { loaded: loaded.clone(), name, parameters })
    }

    /// Its name, behind the path of its module.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its graph as PyTorch prints it, and then everything that was compiled with it.
    pub fn graph(&self, py: Python<'_>) -> PyResult<String> {
        self.loaded.module.graph(&self.name).map_err(|e| errors::exception(py, e))
    }

    /// Its graph with every call inlined.
    pub fn inlined_graph(&self, py: Python<'_>) -> PyResult<String> {
        self.loaded.module.inlined_graph(&self.name).map_err(|e| errors::exception(py, e))
    }

    /// The values of the arguments, each for its parameter; whether they are all and no others the program says.
    pub fn arguments(&self, given: &Bound<'_, PyTuple>, named: Option<&Bound<'_, PyDict>>) -> PyResult<Given> {
        let py = given.py();
        let mut arguments = Arguments::default();
        let mut value = |given: &Bound<'_, PyAny>, parameter: Option<&Parameter>, place: &dyn std::fmt::Display| {
            let found = arguments.value(given, parameter.map_or(&Type::Any, |p| &p.ty));
            found.map_err(|e| e.exception(py, &format!("{}(): argument {place}", self.name)))
        };
        let mut positional = Vec::with_capacity(given.len());
        for (i, v) in given.iter().enumerate() {
            let parameter = self.parameters.get(i);
            positional.push(value(&v, parameter, &parameter.map_or("behind the last", |p| &*p.name))?);
        }
        let mut by_name = Vec::new();
        for (name, v) in named.into_iter().flat_map(|d| d.iter()) {
            let name = name.cast::<PyString>()?.to_cow()?.into_owned();
            let parameter = self.parameters.iter().find(|p| *p.name == *name);
            let v = value(&v, parameter, &name)?;
            by_name.push((name, v));
        }
        Ok((positional, by_name))
    }

    pub fn call(
        &self,
        py: Python<'_>,
        given: &Bound<'_, PyTuple>,
        named: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Py<PyAny>> {
        let (positional, by_name) = self.arguments(given, named)?;
        let module = &self.loaded.module;
        let result = py.detach(|| {
            let by_name: Vec<(&str, IValue)> = by_name.iter().map(|(n, v)| (n.as_str(), v.clone())).collect();
            module.call_named(&self.name, &positional, &by_name)
        });
        object(py, &result.map_err(|e| errors::exception(py, e))?)
    }
}

#[pymethods]
impl Method {
    /// Calls it. Other threads of Python run meanwhile.
    ///
    /// Raises:
    ///     ArgumentError: the arguments do not fit.
    ///     RunError: it failed, or the program raised.
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__(
        &self,
        py: Python<'_>,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Py<PyAny>> {
        self.call(py, args, kwargs)
    }

    /// Its name, behind the path of its module.
    #[getter(__name__)]
    fn shown_name(&self) -> &str {
        &self.name
    }

    /// Names and types of its parameters, as TorchScript writes them.
    #[getter]
    fn parameters(&self) -> Vec<(String, String)> {
        self.parameters.iter().map(|p| (p.name.to_string(), p.ty.annotation_str())).collect()
    }

    /// The defaults that its parameters declare, by name; archives of PyTorch's keep none.
    #[getter]
    fn defaults<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let defaults = PyDict::new(py);
        for parameter in &self.parameters {
            if let Some(value) = &parameter.default {
                defaults.set_item(&*parameter.name, object(py, value)?)?;
            }
        }
        Ok(defaults)
    }

    /// Its graph as text (`torch.ScriptMethod.graph`).
    #[getter(graph)]
    fn graph_text(&self, py: Python<'_>) -> PyResult<String> {
        self.graph(py)
    }

    /// Its graph with every call inlined (`torch.ScriptMethod.inlined_graph`).
    #[getter(inlined_graph)]
    fn inlined_text(&self, py: Python<'_>) -> PyResult<String> {
        self.inlined_graph(py)
    }

    fn __repr__(&self) -> String {
        let parameters: Vec<String> =
            self.parameters.iter().map(|p| format!("{}: {}", p.name, p.ty.annotation_str())).collect();
        format!("<sconce.Method {}({})>", self.name, parameters.join(", "))
    }
}
