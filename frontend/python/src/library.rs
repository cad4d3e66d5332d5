//! What a dotted name of a library stands for: `torch.nn.Linear`, `torch.float32`, `math.pi`, `typing.List`.
//!
//! A name is looked up in this order: other names for the same thing, files of the prelude, constants, functions written in Rust, operators of the
//! table, types. Importing what nobody knows is no error until it is used.

use super::value::*;
use super::{Evaluator, Fallible};
use sconce_graph::graph::SourceText;
use sconce_prelude::Piece;
use sconce_script::torch_names::{self, Constant, MODULES};
use std::rc::Rc;
use std::sync::Arc;

/// Names that stand for others, as PyTorch's packages re-export them.
const ALIASES: &[(&str, &str)] = &[
    ("torch.nn.Parameter", "torch.nn.parameter.Parameter"),
    ("torch.nn.Buffer", "torch.nn.parameter.Buffer"),
    ("torch.jit.Final", "typing.Final"),
    ("typing_extensions.Final", "typing.Final"),
    ("torch._jit_internal.Final", "typing.Final"),
    ("torch.Generic", "typing.Generic"),
    ("torch.jit._script.ScriptModule", "torch.nn.modules.module.ScriptModule"),
    ("torch.nn.functional.torch", "torch"),
    ("torch.nn.modules.torch", "torch"),
    ("torch.autograd.no_grad", "torch.no_grad"),
    ("torch.autograd.enable_grad", "torch.enable_grad"),
    ("torch.jit.ScriptModule", "torch.nn.modules.module.ScriptModule"),
    ("torch.random.manual_seed", "torch.manual_seed"),
    ("torch.concat", "aten::concat"),
    ("torch._jit_internal._overload", "torch.jit._overload"),
    ("torch._jit_internal._overload_method", "torch.jit._overload_method"),
    ("torch.jit.frontend.boolean_dispatch", "torch._jit_internal.boolean_dispatch"),
    ("typing.OrderedDict", "collections.OrderedDict"),
    ("collections.Iterable", "collections.abc.Iterable"),
];

/// Modules that only evaluated Python finds the table's operators in, besides [`torch_names::operator`]'s.
const OPERATORS: &[&str] = &["torch.ops.aten", "torch.Tensor", "torch._C._VariableFunctions", "torch._C._linalg"];

/// Packages that may be imported whole, besides [`torch_names::MODULES`]; everything in them is looked up name by name.
const PACKAGES: &[&str] = &[
    "torch.nn.parameter",
    "torch.nn.parallel",
    "torch.jit.annotations",
    "torch.autograd.grad_mode",
    "torch.ops.aten",
    "torch.backends.mha",
    "torch.backends.cudnn",
    "torch.distributions",
    "torch.utils.backend_registration",
    "torch.types",
    "torch.optim",
    "torch.testing",
    "torch.onnx",
    "torch.Tensor",
    "math",
    "typing",
    "typing_extensions",
    "collections",
    "collections.abc",
    "enum",
    "functools",
    "itertools",
    "copy",
    "warnings",
    "abc",
    "dataclasses",
    "operator",
    "numbers",
    "types",
    "builtins",
];

impl Evaluator {
    /// A scope for classes that are made by calls.
    pub(super) fn file_scope(&self) -> Rc<Scope> {
        let main = self.main.borrow().clone();
        main.unwrap_or_else(|| Scope::of_file(Rc::new(File { name: "__main__".into(), source: unknown_source() })))
    }

    pub(super) fn library_module(&self, path: &str) -> Value {
        Value::host(path)
    }

    /// `from module import name`
    pub(super) fn library_member(&self, module: &str, name: &str) -> Fallible<Value> {
        if module == "__future__" {
            return Ok(Value::None);
        }
        let path = format!("{module}.{name}");
        Ok(self.library(&path)?.unwrap_or_else(|| Value::host(&path)))
    }

    /// An attribute of what Sconce provides.
    pub(super) fn host_attribute(&self, path: &Rc<str>, name: &str) -> Fallible<Option<Value>> {
        if name == "__name__" {
            return Ok(Some(Value::str(path.rsplit('.').next().unwrap_or(path))));
        }
        let full = format!("{path}.{name}");
        if let Some(v) = self.library(&full)? {
            return Ok(Some(v));
        }
        // Deeper within packages that nobody knows, or types' own methods: refused when it is called.
        let known = is_listed(path);
        Ok((!known).then(|| Value::Host(full.into())))
    }

    /// What a dotted name stands for.
    pub(crate) fn library(&self, path: &str) -> Fallible<Option<Value>> {
        let path = ALIASES.iter().find(|(from, _)| *from == path).map_or(path, |(_, to)| to);
        if path.contains("::") {
            return Ok(Some(Value::host(path)));
        }
        if let Some((piece, name)) = sconce_prelude::definition(path) {
            let scope = self.prelude_piece(piece)?;
            let found = scope.names.borrow().get(name).cloned();
            if found.is_some() {
                return Ok(found);
            }
        }
        if let Some(v) = constant(path) {
            return Ok(Some(v));
        }
        if super::builtins::find(path).is_some() || is_package(path) || is_type(path) {
            return Ok(Some(Value::host(path)));
        }
        let operator = torch_names::renamed(path).map(str::to_owned).or_else(|| operator_of(path));
        Ok(operator.map(|op| Value::Host(op.into())))
    }

    /// A piece of the prelude, evaluated at its first use.
    fn prelude_piece(&self, piece: &'static Piece) -> Fallible<Rc<Scope>> {
        if let Some(scope) = self.pieces.borrow().get(&std::ptr::from_ref(piece)) {
            return Ok(scope.clone());
        }
        let source = SourceText::file(piece.file.as_str(), piece.text.clone());
        let tree = self.parse(&source)?;
        let scope = Scope::of_file(Rc::new(File { name: piece.module.as_str().into(), source }));
        // Known before it is run: pieces import each other.
        self.pieces.borrow_mut().insert(std::ptr::from_ref(piece), scope.clone());
        self.untraced(|| self.block(&tree.body, &scope))?;
        Ok(scope)
    }
}

fn unknown_source() -> Arc<SourceText> {
    SourceText::unknown("<unknown>", 1)
}

/// The operator that a dotted name stands for.
pub(super) fn operator_of(path: &str) -> Option<String> {
    // `torch.ops.aten.add.Tensor` names an overload.
    let own = OPERATORS.iter().find_map(|module| Some((module, path.strip_prefix(module)?.strip_prefix('.')?)));
    let full = match own {
        Some((&"torch.ops.aten", name)) => format!("aten::{}", name.split('.').next().unwrap_or(name)),
        Some((_, name)) => format!("aten::{name}"),
        None => {
            let (module, name) = path.rsplit_once('.')?;
            torch_names::operator(module, name)?
        }
    };
    (!sconce_schema::overloads(&full).is_empty()).then_some(full)
}

fn constant(path: &str) -> Option<Value> {
    match path {
        "typing.TYPE_CHECKING" => return Some(Value::Bool(false)),
        "torch.utils.backend_registration._privateuse1_backend_name" => return Some(Value::str("privateuseone")),
        "torch.backends.cudnn.enabled" => return Some(Value::Bool(true)),
        "torch.__version__" => return Some(Value::str("2.15.0")),
        _ => {}
    }
    Some(match torch_names::constant(path)? {
        Constant::Float(_) if path.starts_with("cmath.") => return None,
        Constant::Float(f) => Value::Float(f),
        Constant::None => Value::None,
        Constant::DType(d) => super::tensor::dtype_value(d),
        Constant::Setting(_, number) => Value::Setting(path.into(), number),
    })
}

/// May it be imported whole?
pub(super) fn is_package(path: &str) -> bool {
    is_listed(path) || sconce_prelude::is_module(path)
}

fn is_listed(path: &str) -> bool {
    MODULES.contains(&path) || PACKAGES.contains(&path)
}

/// Does `from module import *` bring this name? Of `typing`, every name is taken for a type, so that those it exports are listed; what others hold is known.
pub(super) fn is_exported(module: &str, name: &str) -> bool {
    !matches!(module, "typing" | "typing_extensions") || TYPING.contains(&name)
}

/// `typing.__all__`
#[rustfmt::skip]
const TYPING: &[&str] = &[
    "Annotated", "Any", "Callable", "ClassVar", "Concatenate", "Final", "ForwardRef", "Generic", "Literal", "Optional", "ParamSpec", "Protocol",
    "Tuple", "Type", "TypeVar", "TypeVarTuple", "Union", "AbstractSet", "ByteString", "Container", "ContextManager", "Hashable", "ItemsView",
    "Iterable", "Iterator", "KeysView", "Mapping", "MappingView", "MutableMapping", "MutableSequence", "MutableSet", "Sequence", "Sized",
    "ValuesView", "Awaitable", "AsyncIterator", "AsyncIterable", "Coroutine", "Collection", "AsyncGenerator", "AsyncContextManager", "Reversible",
    "SupportsAbs", "SupportsBytes", "SupportsComplex", "SupportsFloat", "SupportsIndex", "SupportsInt", "SupportsRound", "ChainMap", "Counter",
    "Deque", "Dict", "DefaultDict", "List", "OrderedDict", "Set", "FrozenSet", "NamedTuple", "TypedDict", "Generator", "BinaryIO", "IO", "Match",
    "Pattern", "TextIO", "AnyStr", "assert_type", "assert_never", "cast", "clear_overloads", "dataclass_transform", "final", "get_args", "get_origin",
    "get_overloads", "get_type_hints", "is_typeddict", "LiteralString", "Never", "NewType", "no_type_check", "no_type_check_decorator", "NoReturn",
    "NotRequired", "overload", "ParamSpecArgs", "ParamSpecKwargs", "Required", "reveal_type", "runtime_checkable", "Self", "Text", "TYPE_CHECKING",
    "TypeAlias", "TypeGuard", "Unpack",
];

/// Types and forms that stand in annotations or among bases.
fn is_type(path: &str) -> bool {
    const TYPES: &[&str] = &[
        "torch.Tensor",
        "torch.dtype",
        "torch.device",
        "torch.layout",
        "torch.memory_format",
        "torch.Size",
        "torch.Generator",
        "torch.jit.Future",
        "torch.futures.Future",
        "torch.jit.ScriptModule",
        "torch.jit.ScriptFunction",
        "torch.Stream",
        "torch.nn.parameter.Parameter",
        "torch.nn.parameter.UninitializedParameter",
        "torch.nn.parameter.UninitializedBuffer",
        "torch.autograd.Function",
        "torch.jit.RecursiveScriptModule",
        "enum.Enum",
        "enum.IntEnum",
        "enum.Flag",
        "enum.StrEnum",
        "abc.ABC",
        "abc.ABCMeta",
        "numbers.Number",
        "numbers.Real",
        "numbers.Integral",
        "collections.abc.Callable",
        "collections.abc.Iterable",
        "collections.abc.Iterator",
        "collections.abc.Mapping",
        "collections.abc.Sequence",
        "collections.abc.Sized",
        "types.FunctionType",
        "torch.qscheme",
    ];
    path.starts_with("typing.") || path.starts_with("typing_extensions.") || TYPES.contains(&path)
}
