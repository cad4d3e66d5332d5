//! What the compiler knows of one `nn.Module` class with one set of attribute types: PyTorch's concrete module type.
//!
//! Source files give these by evaluating `__init__` (`python`), archives by the class in `code/`. Two instances whose concrete types are equal share one
//! TorchScript class; the second distinct one of a Python class gets a mangled name.

use crate::unit::AttributeKind;
use indexmap::IndexMap;
use sconce_schema::Type;
use sconce_tensor::IValue;
use std::sync::Arc;

/// See the module's page.
#[derive(Debug, Clone, Default)]
pub struct ConcreteModule {
    /// The qualified, mangled name of the TorchScript class.
    pub class: Arc<str>,
    /// The Python class's qualified name without mangling, for messages.
    pub python_name: Arc<str>,
    /// Parameters, buffers, plain attributes, in the order of registration; submodules stand in `modules` and among these by type.
    pub attributes: Vec<(Arc<str>, Type, AttributeKind)>,
    /// `__constants__` and `Final`: usable at compile time (`if self.k:` compiles one branch).
    pub constants: IndexMap<Arc<str>, (Type, IValue)>,
    /// Submodules by attribute name, in order.
    pub modules: IndexMap<Arc<str>, Arc<ConcreteModule>>,
    /// Attributes that are functions of the unit (qualified name), or builtin operators (`aten::relu`).
    pub functions: IndexMap<Arc<str>, FunctionAttribute>,
    /// Methods that have several signatures, and the names under which each is compiled.
    pub overloads: IndexMap<Arc<str>, Vec<Arc<str>>>,
    /// Attributes that TorchScript cannot hold, with the reason: an error only where they are used.
    pub failed: IndexMap<Arc<str>, String>,
    /// Methods under `@torch.jit.ignore` and `@torch.jit.unused`.
    pub ignored: Vec<Arc<str>>,
    pub unused: Vec<Arc<str>>,
    /// Properties: name, getter, setter.
    pub properties: Vec<(Arc<str>, Arc<str>, Option<Arc<str>>)>,
    pub iterable: Iterable,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FunctionAttribute {
    Function(Arc<str>),
    Builtin(Arc<str>),
}

/// Whether a module can be iterated over and indexed at compile time, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Iterable {
    #[default]
    No,
    /// `nn.ModuleList`
    List,
    /// `nn.ModuleDict`
    Dict,
    /// `nn.Sequential`: a list that can be called.
    Sequential,
    ParameterList,
    ParameterDict,
}
