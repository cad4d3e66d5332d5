//! The class `Tensor`: a handle on a tensor of a program, whose memory NumPy and DLPack's libraries see without a copy, and keep.

use crate::errors::{self, Refused};
use crate::{arrays, dlpack, dtypes};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyAttributeError, PyBufferError, PyImportError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};
use sconce::kernels::cast;
use sconce::schema::DType;
use sconce::tensor::lent::Borrowed;
use sconce::tensor::{IValue, Storage, Tensor, TensorMetadata};
use std::sync::{Mutex, PoisonError};

/// A tensor (`torch.Tensor`): what programs give, and what their state is made of.
///
/// `numpy.asarray(t)`, `t.numpy()` and `numpy.from_dlpack(t)`, `torch.from_dlpack(t)` share its memory: what one writes the others see.
#[pyclass(frozen, name = "Tensor", module = "sconce")]
pub struct PyTensor {
    pub tensor: Tensor,
    /// Storages that others hold addresses in, for as long as they hold this object.
    pinned: Mutex<Vec<Storage>>,
}

impl PyTensor {
    pub fn new(tensor: Tensor) -> PyTensor {
        PyTensor { tensor, pinned: Mutex::default() }
    }

    /// From now on the storage lives as long as this object, where it is.
    fn pin(&self) {
        let storage = self.tensor.storage();
        storage.fix_size();
        let mut pinned = self.pinned.lock().unwrap_or_else(PoisonError::into_inner);
        if !pinned.iter().any(|s| s.is(&storage)) {
            pinned.push(storage);
        }
    }

    /// The NumPy array over its memory.
    fn array<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, t) = (slf.py(), &slf.get().tensor);
        let numpy = py.import(intern!(py, "numpy"))?;
        if dtypes::kind(t.dtype()).is_some() {
            return numpy.call_method1(intern!(py, "asarray"), (slf,));
        }
        let name = t.dtype().torch_name();
        let lacks = |why: &str| {
            let message = format!("NumPy has no {name}{why}");
            Err(PyTypeError::new_err(message))
        };
        if dtypes::of_name(name).is_none() {
            return lacks("");
        }
        let dtype = match py.import("ml_dtypes") {
            Ok(module) => module.getattr_opt(name)?,
            Err(e) if e.is_instance_of::<PyImportError>(py) => {
                return lacks(": the package ml_dtypes has it, and is not installed");
            }
            Err(e) => return Err(e),
        };
        let Some(dtype) = dtype else { return lacks(", nor has ml_dtypes") };
        // The same bytes as integers, which NumPy knows.
        let bits = dtypes::of_kind(b'u', t.dtype().size()).unwrap_or(DType::U8);
        let metadata = TensorMetadata { dtype: bits, ..t.metadata() };
        let bits = Tensor::new(metadata).map_err(|e| PyValueError::new_err(e.to_string()))?;
        let array = numpy.call_method1(intern!(py, "asarray"), (PyTensor::new(bits),))?;
        array.call_method1(intern!(py, "view"), (dtype,))
    }

    /// Its elements as Python has numbers, nested as its dimensions are.
    fn nested(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let t = &self.tensor;
        let failed = |e: &dyn std::fmt::Display| errors::new(py, "Error", &format!("tolist: {e}"));
        fn of<'py, T: sconce::tensor::Element, P: IntoPyObject<'py>>(
            py: Python<'py>,
            t: &Tensor,
            one: fn(T) -> P,
        ) -> PyResult<Py<PyAny>> {
            nest(py, &mut t.to_vec::<T>().into_iter().map(one), t.sizes())
        }
        let wide = |dtype| cast::convert(t, dtype).map_err(|e| failed(&e));
        match t.dtype() {
            DType::Bool => of(py, t, sconce::tensor::Bool::get),
            DType::U64 => of(py, t, |n: u64| n),
            d if d.is_quantized() => Err(failed(&format!("a quantized tensor; its values are those of {d}"))),
            d if d.is_complex() => of(py, &wide(DType::C128)?, Complex),
            d if d.is_float() => of(py, &wide(DType::F64)?, |n: f64| n),
            _ => of(py, &wide(DType::I64)?, |n: i64| n),
        }
    }
}

/// A complex number on its way to Python.
struct Complex(sconce::tensor::Complex<f64>);

impl<'py> IntoPyObject<'py> for Complex {
    type Target = pyo3::types::PyComplex;
    type Output = Bound<'py, Self::Target>;
    type Error = std::convert::Infallible;
    fn into_pyobject(self, py: Python<'py>) -> Result<Self::Output, Self::Error> {
        Ok(pyo3::types::PyComplex::from_doubles(py, self.0.re, self.0.im))
    }
}

/// Lists of lists of as many elements as the sizes say; of no dimensions, the element.
fn nest<'py, P: IntoPyObject<'py>>(
    py: Python<'py>,
    elements: &mut impl Iterator<Item = P>,
    sizes: &[i64],
) -> PyResult<Py<PyAny>> {
    match sizes {
        [] => elements.next().map_or_else(|| Ok(py.None()), |n| n.into_py_any(py)),
        [size, rest @ ..] => {
            let list = PyList::empty(py);
            for _ in 0..*size {
                list.append(nest(py, elements, rest)?)?;
            }
            list.into_py_any(py)
        }
    }
}

#[pymethods]
impl PyTensor {
    /// The sizes.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.tensor.sizes())
    }

    /// How many elements lie between neighbours of each dimension.
    fn stride<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.tensor.strides())
    }

    /// The element type, by PyTorch's name: `float32`, `bfloat16`.
    #[getter]
    fn dtype(&self) -> &'static str {
        self.tensor.dtype().torch_name()
    }

    /// How many dimensions it has.
    #[getter]
    fn ndim(&self) -> usize {
        self.tensor.dim()
    }

    /// How many elements it has.
    #[getter]
    fn size(&self) -> usize {
        self.tensor.numel()
    }

    /// Whether a program computed it of what gradients are asked for.
    #[getter]
    fn requires_grad(&self) -> bool {
        self.tensor.requires_grad()
    }

    /// Its only element as a number of Python's (`torch.Tensor.item`).
    ///
    /// Raises:
    ///     ValueError: it has not exactly one.
    fn item(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        if self.tensor.numel() != 1 {
            let message = format!("a tensor of {} elements is no number: one element is expected", self.tensor.numel());
            return Err(PyValueError::new_err(message));
        }
        let one = self.tensor.as_strided(&[], &[], self.tensor.storage_offset());
        PyTensor::new(one.map_err(|e| PyValueError::new_err(e.to_string()))?).nested(py)
    }

    /// Its elements in lists (`torch.Tensor.tolist`); of no dimensions, the number.
    fn tolist(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.nested(py)
    }

    /// The NumPy array over its memory (`torch.Tensor.numpy`). bfloat16 and floats of 8 bits need the package ml_dtypes.
    ///
    /// Raises:
    ///     TypeError: NumPy has no such element type.
    fn numpy<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        PyTensor::array(slf)
    }

    /// A tensor of the same elements in memory of its own (`torch.Tensor.clone`).
    fn clone(&self, py: Python<'_>) -> PyResult<PyTensor> {
        let copied = self.tensor.copy().map_err(|e| errors::new(py, "Error", &e.to_string()))?;
        Ok(PyTensor::new(copied))
    }

    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let t = &self.tensor;
        let kind = dtypes::kind(t.dtype());
        // Who asks takes the next way: `__array__`.
        let kind = kind.ok_or_else(|| PyAttributeError::new_err("__array_interface__"))?;
        self.pin();
        let size = t.dtype().size();
        let order = match size {
            1 => '|',
            _ if cfg!(target_endian = "big") => '>',
            _ => '<',
        };
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("typestr", format!("{order}{}{size}", char::from(kind)))?;
        interface.set_item("shape", PyTuple::new(py, t.sizes())?)?;
        interface.set_item("strides", PyTuple::new(py, t.strides().iter().map(|s| s * size as i64))?)?;
        interface.set_item("data", (t.bytes_ptr().addr(), false))?;
        Ok(interface)
    }

    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__<'py>(
        slf: &Bound<'py, Self>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let array = PyTensor::array(slf)?;
        let dtype = match dtype {
            Some(dtype) => dtype.clone(),
            None => array.getattr(intern!(py, "dtype"))?,
        };
        if copy == Some(false) && !array.getattr(intern!(py, "dtype"))?.eq(&dtype)? {
            return Err(PyValueError::new_err("another dtype needs a copy, and none may be made"));
        }
        let keywords = PyDict::new(py);
        keywords.set_item("copy", copy.unwrap_or(false))?;
        array.call_method("astype", (dtype,), Some(&keywords))
    }

    #[pyo3(signature = (*, stream = None, max_version = None, dl_device = None, copy = None))]
    fn __dlpack__<'py>(
        &self,
        py: Python<'py>,
        stream: Option<&Bound<'py, PyAny>>,
        max_version: Option<(u32, u32)>,
        dl_device: Option<(i32, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if stream.is_some() || dl_device.is_some_and(|device| device != dlpack::DEVICE) {
            return Err(PyBufferError::new_err("the tensor is on the CPU, which has no streams"));
        }
        let t = match copy {
            Some(true) => self.tensor.copy().map_err(|e| PyBufferError::new_err(e.to_string()))?,
            _ => self.tensor.clone(),
        };
        Ok(dlpack::export(py, &t, max_version)?.into_any())
    }

    fn __dlpack_device__(&self) -> (i32, i32) {
        dlpack::DEVICE
    }

    fn __len__(&self) -> PyResult<usize> {
        let first = self.tensor.sizes().first();
        first.map(|n| *n as usize).ok_or_else(|| PyTypeError::new_err("a tensor without dimensions has no length"))
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        self.item(py)?.is_truthy(py)
    }

    fn __float__(&self, py: Python<'_>) -> PyResult<f64> {
        self.item(py)?.extract(py)
    }

    fn __int__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.get_type::<pyo3::types::PyInt>().call1((self.item(py)?,))
    }

    fn __complex__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.get_type::<pyo3::types::PyComplex>().call1((self.item(py)?,))
    }

    fn __repr__(&self) -> String {
        sconce::value_text::format_value(&IValue::Tensor(self.tensor.clone()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let t = &self.tensor;
        let failed = |why: String| errors::new(py, "Error", &format!("pickling a tensor: {why}"));
        if t.dtype().is_quantized() {
            return Err(failed("a quantized one".into()));
        }
        let bytes = t.contiguous().map_err(|e| failed(e.to_string()))?.read_bytes();
        let arguments = (PyBytes::new(py, &bytes), t.dtype().torch_name(), PyTuple::new(py, t.sizes())?);
        let make = py.import("sconce._sconce")?.getattr("tensor_of_bytes")?;
        Ok((make, arguments.into_bound_py_any(py)?))
    }
}

/// A tensor of elements row by row, in this machine's order: what a pickled tensor is made of.
///
/// Raises:
///     ValueError: there is no such element type, or the bytes are not as many as the sizes say.
#[pyfunction]
pub fn tensor_of_bytes(bytes: &[u8], dtype: &str, shape: Vec<i64>) -> PyResult<PyTensor> {
    let known = DType::from_torch_name(dtype).ok_or_else(|| PyValueError::new_err(format!("no dtype {dtype}")))?;
    let fits = sconce::tensor::numel(&shape).and_then(|n| n.checked_mul(known.size())) == Some(bytes.len());
    if !fits {
        return Err(PyValueError::new_err(format!("{} bytes are no {dtype} of sizes {shape:?}", bytes.len())));
    }
    let made = Tensor::zeros(&shape, known).map_err(|e| PyValueError::new_err(e.to_string()))?;
    made.write_bytes(bytes);
    Ok(PyTensor::new(made))
}

/// A tensor over an array's memory (`torch.asarray`): of whatever speaks NumPy's array interface or DLPack.
///
/// What is written to either is seen in both. An array that may not be written, is not aligned, stands in another byte order or lies backwards is copied.
///
/// Raises:
///     ArgumentError: it is no array, or has elements that no tensor has.
#[pyfunction]
pub fn asarray(array: &Bound<'_, PyAny>) -> PyResult<PyTensor> {
    let found = of_array(array, &mut Borrowed::default()).map_err(|e| e.exception(array.py(), ""))?;
    found.map(PyTensor::new).ok_or_else(|| not_an_array(array))
}

/// A tensor over the memory of whatever has `__dlpack__` (`torch.from_dlpack`).
///
/// Raises:
///     ArgumentError: it has not, or its elements are none of a tensor's, or not on the CPU.
#[pyfunction]
pub fn from_dlpack(array: &Bound<'_, PyAny>) -> PyResult<PyTensor> {
    let found = dlpack::import(array, &mut Borrowed::default()).map_err(|e| e.exception(array.py(), ""))?;
    found.map(PyTensor::new).ok_or_else(|| not_an_array(array))
}

fn not_an_array(object: &Bound<'_, PyAny>) -> PyErr {
    let class = object.get_type().name().map_or_else(|_| "object".into(), |n| n.to_string());
    errors::new(
        object.py(),
        "ArgumentError",
        &format!("a {class} is no array: it speaks neither __array_struct__ nor __dlpack__"),
    )
}

/// The tensor of an array; `None` of what is none.
pub fn of_array(object: &Bound<'_, PyAny>, borrowed: &mut Borrowed) -> Result<Option<Tensor>, Refused> {
    if let Ok(own) = object.cast_exact::<PyTensor>() {
        return Ok(Some(own.get().tensor.clone()));
    }
    match arrays::tensor(object, borrowed)? {
        Some(tensor) => Ok(Some(tensor)),
        None => dlpack::import(object, borrowed),
    }
}
