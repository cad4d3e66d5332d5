//! Values of Python's become a program's, guided by what a parameter declares, and a program's become Python's: containers are copied, tensors are not.

use crate::errors::{self, Refused};
use crate::tensor::{PyTensor, of_array};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyAttributeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyComplex, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use sconce::schema::Type;
use sconce::schema::types::{Device, NamedTuple};
use sconce::tensor::lent::Borrowed;
use sconce::tensor::{Dict, DictKey, IValue, Tuple};
use sconce::value_text::{MAX_DEPTH, coerce, common_type, fits, format_value};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// What a program can have and Python has no type for: an instance of its classes, a member of an enumeration, a future, a generator.
#[pyclass(frozen, module = "sconce")]
pub struct Value(IValue);

#[pymethods]
impl Value {
    /// The class in the program: `__torch__.m.Point`; of a future or generator its kind.
    #[getter]
    fn class_name(&self) -> String {
        match &self.0 {
            IValue::Object(o) => o.class.to_string(),
            IValue::Enum(e) => e.class.to_string(),
            other => other.kind().to_owned(),
        }
    }

    /// The result of a future; waits for it (`torch.futures.Future.wait`).
    ///
    /// Raises:
    ///     Error: its task failed.
    ///     AttributeError: it is no future.
    fn wait(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let IValue::Future(future) = &self.0 else {
            return Err(PyAttributeError::new_err(format!("{} is no future", self.class_name())));
        };
        let result = py.detach(|| future.wait()).map_err(|why| errors::new(py, "Error", &why))?;
        object(py, &result)
    }

    /// An attribute of an instance; `name` and `value` of a member of an enumeration.
    fn __getattr__(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
        let found = match (&self.0, name) {
            (IValue::Object(o), _) => o.slot_of(name).and_then(|slot| o.get(slot)),
            (IValue::Enum(e), "name") => Some(IValue::text([&*e.name])),
            (IValue::Enum(e), "value") => Some(e.value.clone()),
            _ => None,
        };
        match found {
            Some(value) => object(py, &value),
            None => Err(PyAttributeError::new_err(format!("{} has no attribute '{name}'", self.class_name()))),
        }
    }

    fn __repr__(&self) -> String {
        format_value(&self.0)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast_exact::<Value>().is_ok_and(|other| match (&self.0, &other.get().0) {
            (IValue::Enum(a), IValue::Enum(b)) => a.class == b.class && a.name == b.name,
            (a, b) => a.is(b),
        })
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.class_name().hash(&mut hasher);
        if let IValue::Enum(e) = &self.0 {
            e.name.hash(&mut hasher);
        }
        hasher.finish()
    }
}

/// The values of one call.
#[derive(Default)]
pub struct Arguments {
    borrowed: Borrowed,
}

impl Arguments {
    /// The value that an object is for a parameter of this type. What only the program can tell, such as an int that is to be a float, is left to it.
    pub fn value(&mut self, given: &Bound<'_, PyAny>, ty: &Type) -> Result<IValue, Refused> {
        self.at(given, ty, 0)
    }

    fn at(&mut self, given: &Bound<'_, PyAny>, ty: &Type, depth: usize) -> Result<IValue, Refused> {
        if depth > MAX_DEPTH {
            return Err(Refused::Because(format!("containers inside {MAX_DEPTH} others, or inside themselves")));
        }
        let ty = match ty {
            Type::Optional(inner) => inner,
            other => other,
        };
        // Arrays first, where one is expected: a number of NumPy's is also one of Python's.
        if matches!(ty, Type::Tensor(_))
            && let Some(tensor) = of_array(given, &mut self.borrowed)?
        {
            return Ok(tensor.into());
        }
        if given.is_none() {
            return Ok(IValue::None);
        }
        if let Ok(v) = given.cast::<PyBool>() {
            // As Python has it a bool is a number, where one is declared.
            return Ok(if matches!(ty, Type::Float) {
                IValue::Double(f64::from(u8::from(v.is_true())))
            } else {
                v.is_true().into()
            });
        }
        if let Ok(v) = given.cast::<PyInt>() {
            return integer(v, ty);
        }
        if let Ok(v) = given.cast::<PyFloat>() {
            return Ok(v.value().into());
        }
        if let Ok(v) = given.cast::<PyString>() {
            let text = v.to_cow()?;
            return match ty {
                Type::Device => device(&text),
                _ => Ok(IValue::text([&*text])),
            };
        }
        if let Ok(v) = given.cast::<PyComplex>() {
            return Ok(IValue::complex(v.real(), v.imag()));
        }
        if let Ok(own) = given.cast_exact::<Value>() {
            return Ok(own.get().0.clone());
        }
        if let Ok(v) = given.cast::<PyTuple>() {
            return match ty {
                Type::List(element) => self.list(v.iter(), element, depth),
                _ => self.tuple(v, ty, depth),
            };
        }
        if let Ok(v) = given.cast::<PyList>() {
            let element = if let Type::List(element) = ty { element } else { &Type::Any };
            return self.list(v.iter(), element, depth);
        }
        if let Ok(v) = given.cast::<PyDict>() {
            return self.dictionary(v.iter(), ty, depth);
        }
        self.other(given, ty, depth)
    }

    fn list<'py>(
        &mut self,
        items: impl Iterator<Item = Bound<'py, PyAny>>,
        element: &Type,
        depth: usize,
    ) -> Result<IValue, Refused> {
        let items: Result<Vec<IValue>, Refused> = items.map(|item| self.at(&item, element, depth + 1)).collect();
        let (element, items) = alike(items?, element)?;
        Ok(IValue::list(element, items))
    }

    fn tuple(&mut self, items: &Bound<'_, PyTuple>, ty: &Type, depth: usize) -> Result<IValue, Refused> {
        let named = match ty {
            Type::NamedTuple(named) if named.fields.len() == items.len() => Some(named.clone()),
            _ => None,
        };
        let expected = |i: usize| match ty {
            Type::Tuple(types) => types.get(i),
            Type::NamedTuple(named) => named.fields.get(i).map(|(_, ty)| ty),
            _ => None,
        };
        let values = items.iter().enumerate();
        let values: Result<Vec<IValue>, Refused> =
            values.map(|(i, item)| self.at(&item, expected(i).unwrap_or(&Type::Any), depth + 1)).collect();
        Ok(IValue::Tuple(Tuple::new(values?, named)))
    }

    fn dictionary<'py>(
        &mut self,
        items: impl Iterator<Item = (Bound<'py, PyAny>, Bound<'py, PyAny>)>,
        ty: &Type,
        depth: usize,
    ) -> Result<IValue, Refused> {
        let (key, value) = match ty {
            Type::Dict(key, value) => (&**key, &**value),
            _ => (&Type::Any, &Type::Any),
        };
        let (mut keys, mut kept_keys, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for (k, v) in items {
            let k = self.at(&k, key, depth + 1)?;
            let kept = DictKey::from_value(&k).ok_or_else(|| {
                Refused::Because(format!(
                    "a {} is no key: a string, a number, a bool or a tensor is expected",
                    k.kind()
                ))
            })?;
            keys.push(k);
            kept_keys.push(kept);
            values.push(self.at(&v, value, depth + 1)?);
        }
        let key = if keys.is_empty() && *key == Type::Any { Type::Str } else { alike(keys, key)?.0 };
        let (value, values) = alike(values, value)?;
        let dict = Dict::new(key, value);
        dict.write().extend(kept_keys.into_iter().zip(values));
        Ok(IValue::Dict(dict))
    }

    /// Numbers of other libraries, sequences and mappings of any class, arrays.
    fn other(&mut self, given: &Bound<'_, PyAny>, ty: &Type, depth: usize) -> Result<IValue, Refused> {
        let py = given.py();
        let asked = |method: &Bound<'_, PyString>| given.getattr_opt(method).map(|found| found.is_some());
        match ty {
            Type::Bool if asked(intern!(py, "__bool__"))? => return Ok(given.is_truthy()?.into()),
            Type::Int | Type::Number if asked(intern!(py, "__index__"))? => {
                let number = given.call_method0(intern!(py, "__index__"))?;
                return self.at(&number, ty, depth + 1);
            }
            Type::Float | Type::Number if asked(intern!(py, "__float__"))? => {
                return Ok(IValue::Double(given.call_method0(intern!(py, "__float__"))?.extract()?));
            }
            Type::Complex if asked(intern!(py, "__complex__"))? => {
                let number = given.call_method0(intern!(py, "__complex__"))?;
                return self.at(&number, ty, depth + 1);
            }
            Type::Device => return device(&given.str()?.to_cow()?),
            Type::List(element) => {
                if let Some(method) = given.getattr_opt(intern!(py, "tolist"))?
                    && !matches!(**element, Type::Tensor(_))
                {
                    return self.at(&method.call0()?, ty, depth + 1);
                }
                let items: PyResult<Vec<_>> = given.try_iter()?.collect();
                return self.list(items?.into_iter(), element, depth);
            }
            Type::Dict(..) if asked(intern!(py, "items"))? => {
                let pairs: PyResult<Vec<(Bound<'_, PyAny>, Bound<'_, PyAny>)>> =
                    given.call_method0(intern!(py, "items"))?.try_iter()?.map(|pair| pair?.extract()).collect();
                return self.dictionary(pairs?.into_iter(), ty, depth);
            }
            _ => {}
        }
        if let Some(tensor) = of_array(given, &mut self.borrowed)? {
            return Ok(tensor.into());
        }
        let class = given.get_type();
        Err(Refused::Because(format!("a {} is no value of a program; {ty} is expected", class.name()?)))
    }
}

/// The items of a container of this element type, each as it has them; of one that takes anything, the type that they have in common.
fn alike(items: Vec<IValue>, declared: &Type) -> Result<(Type, Vec<IValue>), Refused> {
    if *declared == Type::Any {
        return Ok((common_type(&items), items));
    }
    let items: Vec<IValue> = items.into_iter().map(|v| coerce(v, declared)).collect();
    match items.iter().position(|v| !fits(v, declared)) {
        None => Ok((declared.clone(), items)),
        Some(i) => {
            let (kind, expected) = (items[i].kind(), declared.annotation_str());
            Err(Refused::Because(format!("item {i} is of type '{kind}', expected '{expected}'")))
        }
    }
}

/// An int of 64 bits, or of any size where a float is expected.
fn integer(given: &Bound<'_, PyInt>, ty: &Type) -> Result<IValue, Refused> {
    match given.extract::<i64>() {
        Ok(n) => Ok(n.into()),
        Err(_) if matches!(ty, Type::Float) => Ok(IValue::Double(given.extract::<f64>()?)),
        Err(_) => Err(Refused::Because("an int that does not fit 64 bits".into())),
    }
}

/// `cpu`, `cuda:1`.
fn device(text: &str) -> Result<IValue, Refused> {
    let (kind, index) = match text.split_once(':') {
        Some((kind, index)) => match index.parse() {
            Ok(index) => (kind, Some(index)),
            Err(_) => return Err(Refused::Because(format!("`{text}` is no device: cpu or cuda:0 is expected"))),
        },
        None => (text, None),
    };
    Ok(IValue::Device(Arc::new(Device { kind: kind.into(), index })))
}

/// What a value of a program is in Python.
pub fn object(py: Python<'_>, value: &IValue) -> PyResult<Py<PyAny>> {
    object_at(py, value, 0)
}

fn object_at(py: Python<'_>, value: &IValue, depth: usize) -> PyResult<Py<PyAny>> {
    if depth > MAX_DEPTH {
        return Err(errors::new(
            py,
            "Error",
            &format!("a result of containers inside {MAX_DEPTH} others, or inside themselves"),
        ));
    }
    let inner = |v: &IValue| object_at(py, v, depth + 1);
    match value {
        IValue::None => Ok(py.None()),
        IValue::Bool(v) => v.into_py_any(py),
        IValue::Int(v) => v.into_py_any(py),
        IValue::Double(v) => v.into_py_any(py),
        IValue::Complex(v) => PyComplex::from_doubles(py, v.re, v.im).into_py_any(py),
        IValue::Tensor(t) => PyTensor::new(t.clone()).into_py_any(py),
        IValue::Str(v) => v.as_str().into_py_any(py),
        IValue::Device(d) => d.index.map_or_else(|| d.kind.to_string(), |i| format!("{}:{i}", d.kind)).into_py_any(py),
        IValue::List(l) => {
            let items: PyResult<Vec<_>> = l.to_vec().iter().map(inner).collect();
            PyList::new(py, items?)?.into_py_any(py)
        }
        IValue::Tuple(t) => {
            let items: PyResult<Vec<_>> = t.items.iter().map(inner).collect();
            let items = PyTuple::new(py, items?)?;
            match &t.names {
                Some(named) => Ok(named_tuple(py, named)?.bind(py).call1(items)?.unbind()),
                None => items.into_py_any(py),
            }
        }
        IValue::Dict(d) => {
            let entries: Vec<(IValue, IValue)> = d.read().iter().map(|(k, v)| (k.to_value(), v.clone())).collect();
            let dict = PyDict::new(py);
            for (k, v) in &entries {
                dict.set_item(inner(k)?, inner(v)?)?;
            }
            dict.into_py_any(py)
        }
        other => Value(other.clone()).into_py_any(py),
    }
}

/// The class of a named tuple: one for each name and fields.
fn named_tuple(py: Python<'_>, named: &Arc<NamedTuple>) -> PyResult<Py<PyAny>> {
    type Known = Mutex<HashMap<(Arc<str>, Vec<Arc<str>>), Py<PyAny>>>;
    static CLASSES: PyOnceLock<Known> = PyOnceLock::new();
    let classes = CLASSES.get_or_init(py, Known::default);
    let fields: Vec<Arc<str>> = named.fields.iter().map(|(name, _)| name.clone()).collect();
    let key = (named.name.clone(), fields);
    if let Some(class) = classes.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return Ok(class.clone_ref(py));
    }
    let last = key.0.rsplit('.').next().filter(|n| !n.is_empty()).unwrap_or("NamedTuple");
    let names: Vec<&str> = key.1.iter().map(|n| &**n).collect();
    // What Python does not allow as a name is `_1`.
    let options = PyDict::new(py);
    options.set_item("rename", true)?;
    let class = py.import("collections")?.call_method("namedtuple", (last, names), Some(&options))?.unbind();
    let mut known = classes.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(known.entry(key).or_insert(class).clone_ref(py))
}
