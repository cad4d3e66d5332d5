//! What an operator computes when nothing faster stands in for it.
//!
//! One file per family in the room of its kind, the same name as the family's records in `dialects/td/ops`. Pointwise operators have no code here: their
//! kernel is their record's scalar expression. `cargo xtask codegen` writes `table/`: which function is meant by the `module::function` of a record's `kernel`.

mod container;
mod dispatch;
mod engine;
mod linalg;
mod nn;
mod pointwise;
pub mod quantized;
mod table;
mod tensor;
mod vision;

pub use container::{direct, prim, text};
pub use dispatch::bound::Bound;
pub use engine::declared::{HasKernel, register};
pub use engine::{
    cast, compose, composite, defaults, derived, elementwise, grad, number, parallel, scratch, transcendental,
};
use sconce_schema::shape::Meta;
use sconce_schema::{OpEntry, Trait, shape::ShapeError};
use sconce_tensor::{DType, IValue, Tensor};
use smallvec::SmallVec;
use std::sync::LazyLock;
pub use tensor::mersenne;

/// Results of a call, in the order of the schema's returns.
pub type Outputs = SmallVec<[IValue; 4]>;

/// What a kernel is told besides its arguments.
pub struct Call<'a> {
    pub entry: &'static OpEntry,
    /// The results as the operator's shape rule gives them (one per return), when it has a rule: sizes and dtypes are known and the call is legal.
    pub metas: &'a [Meta],
    /// Where results are to lie, when the caller has a place for them.
    pub destinations: Option<&'a dyn Destinations>,
}

/// Places for results, prepared before the call: what makes an operator an *out variant* in the sense of PyTorch's static runtime.
pub trait Destinations {
    /// A tensor with these sizes, strides (in elements) and dtype for result `i` of the call, held by nobody else, with any content; `None` when
    /// the kernel is to allocate one.
    fn place(&self, i: usize, sizes: &[i64], strides: &[i64], dtype: DType) -> Option<Tensor>;
}

impl Call<'_> {
    /// A tensor for result `i`, of which the kernel writes every element before anyone reads one: the caller's place for it, or a fresh one.
    /// `strides` are those of a dense tensor.
    ///
    /// A kernel that makes its result here, and its temporaries by [`scratch`], runs without the heap under a plan.
    pub fn output(&self, i: usize, sizes: &[i64], strides: &[i64], dtype: DType) -> Result<Tensor, Error> {
        if let Some(place) = self.destinations.and_then(|d| d.place(i, sizes, strides, dtype)) {
            return Ok(place);
        }
        // SAFETY: the caller writes every element.
        let t = unsafe { Tensor::uninit(sizes, dtype) }?;
        if t.strides() == strides { Ok(t) } else { Ok(t.as_strided(sizes, strides, 0)?) }
    }

    /// The same for a row-major result.
    pub fn contiguous_output(&self, i: usize, sizes: &[i64], dtype: DType) -> Result<Tensor, Error> {
        self.output(i, sizes, &sconce_tensor::contiguous_strides(sizes), dtype)
    }
}

/// Computes an operator. Arguments are in schema order with every default filled in; a kernel may take (`std::mem::take`) what it wants to reuse.
pub type Kernel = fn(&Call<'_>, &mut [IValue]) -> Result<Outputs, Error>;

/// Why a call failed. `Display` is the text that PyTorch's exception has, wherever that is known.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Shape(#[from] ShapeError),
    #[error(transparent)]
    Tensor(#[from] sconce_tensor::Error),
    /// Raised as this Python class.
    #[error("{message}")]
    Raised { class: &'static str, message: String },
    /// The operator is known but cannot be run.
    #[error("{op} {}", needs.map_or("has no kernel".to_string(), |n| format!("needs {n}")))]
    Missing { op: String, needs: Option<&'static str> },
}

impl Error {
    pub fn runtime(message: impl Into<String>) -> Error {
        Error::Raised { class: "RuntimeError", message: message.into() }
    }
    pub fn index(message: impl Into<String>) -> Error {
        Error::Raised { class: "IndexError", message: message.into() }
    }
    pub fn value(message: impl Into<String>) -> Error {
        Error::Raised { class: "ValueError", message: message.into() }
    }
}

/// `"what" not implemented for 'Long'`.
pub fn not_implemented(what: &str, dtype: sconce_tensor::DType) -> Error {
    Error::Raised {
        class: "NotImplementedError",
        message: format!("\"{what}\" not implemented for '{}'", dtype.graph_name()),
    }
}

/// The kernel that computes an operator: the one its record names, or the one that follows from its scalar expression, its element's operator or its functional form.
pub fn lookup(entry: &OpEntry) -> Option<Kernel> {
    if let Some(kernel) = named_kernel(entry) {
        return Some(kernel);
    }
    if entry.has(Trait::Each) {
        return Some(engine::foreach::each);
    }
    if let Some(functional) = entry.functional_entry() {
        return lookup(functional).map(|_| engine::derived::write_back as Kernel);
    }
    entry.scalar.map(|_| pointwise::evaluate as Kernel)
}

/// Calls an operator: its rule, then its kernel. Arguments are in schema order with every default filled in.
///
/// Who calls an operator more than once keeps a [`Bound`].
pub fn call(entry: &'static OpEntry, args: &mut [IValue]) -> Result<Outputs, Error> {
    Bound::new(entry)?.call(args)
}

/// The kernel that an operator's record names, or that was registered for it; pointwise operators and in-place and `out=` forms usually have none of their own.
pub fn named_kernel(entry: &OpEntry) -> Option<Kernel> {
    static BY_ID: LazyLock<Vec<Option<Kernel>>> = LazyLock::new(|| table::FAMILIES.concat());
    match BY_ID.get(entry.id as usize) {
        Some(kernel) => *kernel,
        None => engine::declared::kernel(entry.id),
    }
}

/// Argument `i`, which the caller has checked against the schema; a missing one is an error of the program's text.
pub(crate) fn arg(args: &[IValue], i: usize) -> Result<&IValue, Error> {
    args.get(i).ok_or_else(|| Error::runtime(format!("argument {i} is missing")))
}
