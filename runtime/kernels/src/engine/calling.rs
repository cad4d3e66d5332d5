//! What a kernel is: a function that is told its operator, the results' descriptions and places for them, and computes the results from arguments or says
//! why not.

use sconce_schema::OpEntry;
use sconce_schema::shape::{Meta, ShapeError};
use sconce_tensor::{DType, IValue, Tensor};
use smallvec::SmallVec;
use std::any::Any;
use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::OnceLock;

/// Results of a call, in the order of the schema's returns.
pub type Outputs = SmallVec<[IValue; 4]>;

/// What a kernel is told besides its arguments.
pub struct Call<'a> {
    pub entry: &'static OpEntry,
    /// The results as the operator's shape rule gives them (one per return), when it has a rule: sizes and dtypes are known and the call is legal.
    pub metas: &'a [Meta],
    /// Where results are to lie, when the caller has a place for them.
    pub destinations: Option<&'a dyn Destinations>,
    /// What calls of the same arguments have read of them.
    pub read: Option<&'a Reading>,
}

/// What a kernel has once read of arguments that its rule has judged: kept beside the rule's answer.
#[derive(Default)]
pub struct Reading(pub(crate) OnceCell<Rc<dyn Any>>);

/// Places for results, prepared before the call: what makes an operator an *out variant* in the sense of PyTorch's static runtime.
pub trait Destinations {
    /// A tensor with these sizes, strides (in elements) and dtype for result `i` of the call, held by nobody else, with any content; `None` when
    /// the kernel is to allocate one. Of tensors that the call joins some may lie in it already: their own kernels were given its parts for places.
    fn place(&self, i: usize, sizes: &[i64], strides: &[i64], dtype: DType) -> Option<Tensor>;
}

impl Call<'_> {
    /// A tensor for result `i`, of which the kernel writes every element before anyone reads one: the caller's place for it, or a fresh one.
    /// `strides` are those of a dense tensor.
    ///
    /// A kernel that makes its result here, and its temporaries by [`scratch`](crate::engine::scratch), runs without the heap under a plan.
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

/// `kernels! { name = base, setting, …; }`: kernels that are another one whose settings follow the call's arguments.
#[macro_export]
macro_rules! kernels {
    ($($(#[$doc:meta])* $name:ident = $base:path $(, $setting:expr)*;)*) => { $(
        $(#[$doc])*
        pub fn $name(call: &$crate::Call<'_>, args: &mut [sconce_tensor::IValue]) -> Result<$crate::Outputs, $crate::Error> {
            $base(call, args $(, $setting)*)
        }
    )* };
}
pub use kernels;

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
    sconce_schema::shape::args::no_kernel(what, dtype).into()
}

/// How an operator is called: its rule, then its kernel.
pub type Caller = fn(&'static OpEntry, &mut [IValue]) -> Result<Outputs, Error>;

/// Who finds kernels of operators. It stands above all kernels, so it makes itself known here: it gives out no kernel before.
pub struct Dispatcher {
    pub call: Caller,
    /// The kernel of operators that have a definition.
    pub defined: Kernel,
}

static DISPATCHER: OnceLock<Dispatcher> = OnceLock::new();

/// Makes known who is asked for operators by kernels that are made of others.
pub fn answer_calls(dispatcher: Dispatcher) {
    // One crate finds kernels, so whoever was first is the same.
    let _ = DISPATCHER.set(dispatcher);
}

/// An operator that cannot be run.
pub fn missing(entry: &OpEntry) -> Error {
    Error::Missing { op: entry.name.to_string(), needs: None }
}

/// Calls an operator from a kernel of another. Arguments are in schema order with every default filled in.
pub fn call(entry: &'static OpEntry, args: &mut [IValue]) -> Result<Outputs, Error> {
    let dispatcher = DISPATCHER.get().ok_or_else(|| missing(entry))?;
    (dispatcher.call)(entry, args)
}

/// The kernel of a composite operator: its definition, run.
pub fn defined(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let dispatcher = DISPATCHER.get().ok_or_else(|| missing(call.entry))?;
    (dispatcher.defined)(call, args)
}
