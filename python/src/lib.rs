//! The extension module of the Python package `sconce`: a program is a Python object, and its tensors and those of other libraries share memory.
//!
//! What Python alone can say (classes of exceptions, the search for a compiler) is in the package beside this crate, `sconce/`.

mod arrays;
mod calls;
mod dlpack;
mod dtypes;
mod errors;
mod model;
mod output;
mod tensor;
mod values;

use pyo3::prelude::*;

/// Programs of TorchScript and torch.export without PyTorch: see the package.
#[pymodule]
mod _sconce {
    #[pymodule_export]
    use super::calls::Method;
    #[pymodule_export]
    use super::model::{Model, compile_source, load_bytes, load_path};
    #[pymodule_export]
    use super::tensor::{PyTensor, asarray, from_dlpack, tensor_of_bytes};
    #[pymodule_export]
    use super::values::Value;
    use pyo3::prelude::*;

    /// The threads that one operator may use (`torch.get_num_threads`).
    #[pyfunction]
    fn get_num_threads() -> usize {
        sconce::kernels::parallel::threads()
    }

    /// Bounds the threads that one operator may use (`torch.set_num_threads`). No result depends on it.
    ///
    /// Raises:
    ///     ValueError: the number is not between 1 and 1024.
    #[pyfunction]
    fn set_num_threads(threads: usize) -> PyResult<()> {
        let most = sconce::kernels::parallel::MOST;
        if !(1..=most).contains(&threads) {
            let message = format!("{threads} threads: a number from 1 to {most} is expected");
            return Err(pyo3::exceptions::PyValueError::new_err(message));
        }
        sconce::kernels::parallel::set_threads(threads);
        Ok(())
    }

    /// Seeds the generator that programs draw from where they name none (`torch.manual_seed`).
    #[pyfunction]
    fn manual_seed(seed: u64) {
        sconce::tensor::mersenne::manual_seed(seed);
    }

    /// Loads a shared library that has operators, and makes them known to the whole process (`torch.ops.load_library`): programs that are loaded from now on may
    /// call them. Gives their names. The library's code runs in this process. A library stays loaded; the same file again does nothing.
    ///
    /// Raises:
    ///     OSError: there is no such file.
    ///     LoadError: it is no library of operators, or one of its operators is refused.
    #[pyfunction]
    fn load_library(py: Python<'_>, path: std::path::PathBuf) -> PyResult<Vec<String>> {
        py.detach(|| sconce::load_operators(&path)).map_err(|e| crate::errors::exception(py, e))
    }

    /// Runs the command `sconce` with these arguments, and gives its exit status. A command line that is wrong ends the process with status 2.
    #[pyfunction]
    fn run_command(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
        py.detach(|| sconce::cli::run(arguments))
    }
}
