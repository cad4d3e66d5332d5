//! What is known of a node beside what it does: the value it gives, and where in the user's program it comes from.

use crate::SymExpr;
use indexmap::IndexMap;
use sconce_schema::types::Device;
use sconce_schema::{DType, Layout};

/// `Node.meta`: the keys that exported programs have; all others are [`Meta::custom`].
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Meta {
    /// `val`: what the node gives. Nothing where that is not known; [`Val::None`] where it is known to be none.
    pub val: Option<Val>,
    /// `stack_trace`: Python's text, the outermost call first.
    pub stack_trace: Option<String>,
    /// `nn_module_stack`: the modules that were being called, outermost first.
    pub nn_module_stack: Vec<ModuleFrame>,
    /// `source_fn_stack`: functions and leaf modules that were called, outermost first. Programs of today have `torch_fn` instead.
    pub source_fn_stack: Vec<SourceFn>,
    /// `torch_fn`: a name of its own for the call, and the function, such as `("linear_1", "function.linear")`.
    pub torch_fn: Option<(String, String)>,
    /// Other keys, each with its text.
    pub custom: IndexMap<String, String>,
}

/// One module of `nn_module_stack`: `'self_linear': ('self.linear', torch.nn.Linear)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModuleFrame {
    /// The entry's key; another for each call of a module.
    pub key: String,
    /// The path from the root, which is the empty one: `blocks.0.a`.
    pub path: String,
    /// The class with its module: `torch.nn.modules.linear.Linear`.
    pub class: String,
}

/// One entry of `source_fn_stack`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFn {
    pub name: String,
    /// `torch.nn.functional.linear`, `torch.nn.modules.linear.Linear`.
    pub target: String,
}

/// `meta["val"]`: what is known of a value without running anything.
#[derive(Clone, PartialEq, Debug)]
pub enum Val {
    /// A `FakeTensor`.
    Tensor(TensorMeta),
    /// A `SymInt`; a number where it is known.
    SymInt(SymExpr),
    SymFloat(SymExpr),
    SymBool(SymExpr),
    /// An object of a class that was registered, with its qualified name.
    Object(String),
    List(Vec<Val>),
    Tuple(Vec<Val>),
    None,
}

/// What a `FakeTensor` knows.
#[derive(Clone, PartialEq, Debug)]
pub struct TensorMeta {
    pub dtype: DType,
    pub sizes: Vec<SymExpr>,
    /// In elements; as many as sizes.
    pub strides: Vec<SymExpr>,
    /// In elements.
    pub storage_offset: SymExpr,
    pub device: Device,
    pub layout: Layout,
    pub requires_grad: bool,
}
