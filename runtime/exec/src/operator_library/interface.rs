//! What a library of operators and the process that loads it agree on: structures of C, from which the header is made.

use sconce_tensor::IValue;
use std::ffi::{c_char, c_void};

/// The interface that this header describes. It is counted up when one of the structures of operators changes; libraries of another number are refused.
pub const SCONCE_OPERATORS_VERSION: u32 = 1;

/// What a value is.
#[repr(i32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SconceKind {
    /// No value: the kind of NULL.
    Nothing = -1,
    None = 0,
    Bool = 1,
    Int = 2,
    Double = 3,
    Complex = 4,
    Tensor = 5,
    String = 6,
    List = 7,
    Dict = 8,
    /// Also a named tuple.
    Tuple = 9,
    Device = 10,
    /// An instance of a class of the program's.
    Object = 11,
    /// A member of an enumeration of the program's.
    Enum = 12,
    Future = 13,
    Generator = 14,
}

impl SconceKind {
    /// The kind of a value.
    pub fn of(value: &IValue) -> SconceKind {
        match value {
            IValue::None => SconceKind::None,
            IValue::Bool(_) => SconceKind::Bool,
            IValue::Int(_) => SconceKind::Int,
            IValue::Double(_) => SconceKind::Double,
            IValue::Complex(_) => SconceKind::Complex,
            IValue::Tensor(_) => SconceKind::Tensor,
            IValue::Str(_) => SconceKind::String,
            IValue::Device(_) => SconceKind::Device,
            IValue::List(_) => SconceKind::List,
            IValue::Dict(_) => SconceKind::Dict,
            IValue::Tuple(_) => SconceKind::Tuple,
            IValue::Object(_) => SconceKind::Object,
            IValue::Enum(_) => SconceKind::Enum,
            IValue::Future(_) => SconceKind::Future,
            IValue::Generator(_) => SconceKind::Generator,
            IValue::Uninitialized => SconceKind::Nothing,
        }
    }
}

/// A tensor of a call of an operator. It is the call's: all of it stays what it is until the operator returns.
#[repr(C)]
pub struct SconceOperatorTensor {
    /// A SconceDtype.
    pub dtype: i32,
    /// How many dimensions there are.
    pub rank: usize,
    /// One a dimension.
    pub sizes: *const i64,
    /// In elements, one a dimension and not negative.
    pub strides: *const i64,
    /// The first element. Of an argument the elements may be written only if the schema says so (`Tensor(a!)`); of a tensor without elements it points to nothing.
    pub data: *mut c_void,
}

/// What a value of an operator holds, by its kind.
#[repr(C)]
#[derive(Clone, Copy)]
pub union SconceOperatorData {
    /// Of an int; of a bool, 0 or 1.
    pub integer: i64,
    /// Of a float.
    pub number: f64,
    /// Of a complex number: its real part, then the other.
    pub parts: [f64; 2],
    /// Of a string: its bytes, UTF-8 without a 0 at the end.
    pub text: *const c_char,
    /// Of a tensor.
    pub tensor: *const SconceOperatorTensor,
    /// Of a list or tuple: its items, each a SconceOperatorValue, one after the other.
    pub items: *const c_void,
}

/// An argument or result of an operator.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SconceOperatorValue {
    /// A SconceKind: none, bool, int, double, complex, tensor, string, list or tuple.
    pub kind: i32,
    /// Of a string its bytes, of a list or tuple its items; else 0.
    pub count: usize,
    pub data: SconceOperatorData,
}

/// A call of an operator. Nothing of it outlives the call: what is to stay is copied.
#[repr(C)]
pub struct SconceOperatorCall {
    /// What SconceOperator.context was.
    pub context: *mut c_void,
    /// As many as the schema has, those that the program leaves out with their defaults; each is of the type that the schema says.
    pub arguments: *const SconceOperatorValue,
    pub argument_count: usize,
    /// Where results go, as many as the schema has, each of the type that it says; none of them is set at first. A tensor is one of new_tensor, or of the arguments
    /// where the schema says that the result may be it (`Tensor(a)`).
    pub results: *mut SconceOperatorValue,
    pub result_count: usize,
    /// Makes a tensor whose elements are 0 and lie row by row. NULL if there is none of this dtype or these sizes, or no memory: then return -1, and the call fails
    /// with the reason. `host` is the call's.
    pub new_tensor: Option<
        unsafe extern "C" fn(
            host: *mut c_void,
            dtype: i32,
            rank: usize,
            sizes: *const i64,
        ) -> *const SconceOperatorTensor,
    >,
    /// Gives memory that lives until the end of the call and is all 0: for the items of a list that is a result, or the bytes of a string. NULL if there is not so
    /// much; then return -1.
    pub allocate: Option<unsafe extern "C" fn(host: *mut c_void, bytes: usize) -> *mut c_void>,
    /// Says why the call fails, in UTF-8 that ends with a 0, and gives -1: `return call->fail(call->host, "x must be a matrix");`
    pub fail: Option<unsafe extern "C" fn(host: *mut c_void, message: *const c_char) -> i32>,
    /// The process's own, which the functions above are given: by the thread that the operator was called in, one at a time.
    pub host: *mut c_void,
}

/// An operator that a library adds.
#[repr(C)]
pub struct SconceOperator {
    /// SCONCE_OPERATORS_VERSION, of the header that the library was compiled with.
    pub version: u32,
    /// As PyTorch writes it: `mine::scale(Tensor x, float by=1.0) -> Tensor`. What it does not say the operator does not do: one that writes to an argument, or may
    /// give it back, says so by `(a!)` and `(a)`. It is copied.
    pub schema: *const c_char,
    /// What the operator does: it reads its arguments, sets its results, and returns 0; something else when it failed. It is called from any thread, also from several at
    /// once. It must neither throw nor call longjmp.
    pub function: Option<unsafe extern "C" fn(call: *mut SconceOperatorCall) -> i32>,
    /// What calls find as their context; it stays what it is as long as the process lives. May be NULL.
    pub context: *mut c_void,
}

/// Where a library adds its operators.
#[repr(C)]
pub struct SconceOperatorRegistry {
    /// The SCONCE_OPERATORS_VERSION of the process.
    pub version: u32,
    /// Adds an operator, and gives 0; something else when it was refused. The process says why, and takes none of the library's operators.
    pub add: Option<unsafe extern "C" fn(host: *mut c_void, added: *const SconceOperator) -> i32>,
    /// The process's own, which `add` is given.
    pub host: *mut c_void,
}

/// The one function that a library of operators has for others, called `sconce_register_operators`. It is called once, when the library is loaded, adds the
/// library's operators, and returns 0; something else when it failed.
pub type SconceRegisterOperators = unsafe extern "C" fn(registry: *const SconceOperatorRegistry) -> i32;
