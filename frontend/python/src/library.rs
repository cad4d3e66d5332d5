//! What a dotted name of a library stands for: `torch.nn.Linear`, `torch.float32`, `math.pi`, `typing.List`.
//!
//! A name is looked up in this order: other names for the same thing, files of the prelude, constants, functions written in Rust, operators of the
//! table, types. Importing what nobody knows is no error until it is used.

use super::value::*;
use super::{Evaluator, Fallible};
use sconce_graph::graph::SourceText;
use sconce_prelude::Piece;
use sconce_schema::DType;
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
    ("torch.jit._unwrap_optional", "aten::_unwrap_optional"),
    ("torch.random.manual_seed", "torch.manual_seed"),
    ("torch.concat", "aten::concat"),
    ("torch.float", "torch.float32"),
    ("torch.double", "torch.float64"),
    ("torch.half", "torch.float16"),
    ("torch.long", "torch.int64"),
    ("torch.int", "torch.int32"),
    ("torch.short", "torch.int16"),
    ("torch.cfloat", "torch.complex64"),
    ("torch.cdouble", "torch.complex128"),
    ("torch._jit_internal._overload", "torch.jit._overload"),
    ("torch._jit_internal._overload_method", "torch.jit._overload_method"),
    ("torch.jit.frontend.boolean_dispatch", "torch._jit_internal.boolean_dispatch"),
    ("typing.OrderedDict", "collections.OrderedDict"),
    ("collections.Iterable", "collections.abc.Iterable"),
];

/// Prefixes under which the table's operators are found, and what they begin with there.
const OPERATORS: &[(&str, &str)] = &[
    ("torch.nn.functional.", "aten::"),
    ("torch._C._nn.", "aten::"),
    ("torch._C._VariableFunctions.", "aten::"),
    ("torch._VF.", "aten::"),
    ("torch.ops.aten.", "aten::"),
    ("torch.linalg.", "aten::linalg_"),
    ("torch._C._linalg.", "aten::"),
    ("torch.fft.", "aten::fft_"),
    ("torch.special.", "aten::special_"),
    ("torch.Tensor.", "aten::"),
    ("torch.", "aten::"),
];

const MEMORY_FORMATS: &[(&str, i64)] = &[
    ("contiguous_format", 0),
    ("legacy_contiguous_format", 0),
    ("preserve_format", 1),
    ("channels_last", 2),
    ("channels_last_3d", 3),
];

/// Packages that may be imported whole; everything in them is looked up name by name.
const PACKAGES: &[&str] = &[
    "torch",
    "torch.nn",
    "torch.nn.functional",
    "torch.nn.init",
    "torch.nn.modules",
    "torch.nn.parameter",
    "torch.nn.utils",
    "torch.nn.utils.rnn",
    "torch.nn.parallel",
    "torch.jit",
    "torch.jit.annotations",
    "torch._jit_internal",
    "torch.autograd",
    "torch.autograd.profiler",
    "torch.autograd.grad_mode",
    "torch.linalg",
    "torch.fft",
    "torch.special",
    "torch.ops",
    "torch.ops.aten",
    "torch._C",
    "torch._C._nn",
    "torch._VF",
    "torch.cuda",
    "torch.random",
    "torch.backends",
    "torch.backends.mha",
    "torch.backends.cudnn",
    "torch.distributions",
    "torch.utils.backend_registration",
    "torch.utils",
    "torch.overrides",
    "torch.functional",
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
        let known = PACKAGES.contains(&&**path);
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
        if super::builtins::find(path).is_some()
            || PACKAGES.contains(&path)
            || sconce_prelude::is_module(path)
            || is_type(path)
        {
            return Ok(Some(Value::host(path)));
        }
        Ok(operator_of(path).map(|op| Value::Host(op.into())))
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
    let (prefix, target) = OPERATORS.iter().find(|(p, _)| path.starts_with(p))?;
    let name = path.get(prefix.len()..)?;
    // `torch.ops.aten.add.Tensor` names an overload.
    let (base, overload) = name.split_once('.').unwrap_or((name, ""));
    if !overload.is_empty() && *prefix != "torch.ops.aten." {
        return None;
    }
    let full = format!("{target}{base}");
    (!sconce_schema::overloads(&full).is_empty()).then_some(full)
}

fn constant(path: &str) -> Option<Value> {
    if let Some(name) = path.strip_prefix("math.") {
        return Some(Value::Float(match name {
            "pi" => std::f64::consts::PI,
            "e" => std::f64::consts::E,
            "tau" => std::f64::consts::TAU,
            "inf" => f64::INFINITY,
            "nan" => f64::NAN,
            _ => return None,
        }));
    }
    match path {
        "typing.TYPE_CHECKING" => return Some(Value::Bool(false)),
        "torch.inf" => return Some(Value::Float(f64::INFINITY)),
        "torch.nan" => return Some(Value::Float(f64::NAN)),
        "torch.pi" => return Some(Value::Float(std::f64::consts::PI)),
        "torch.e" => return Some(Value::Float(std::f64::consts::E)),
        "torch.utils.backend_registration._privateuse1_backend_name" => return Some(Value::str("privateuseone")),
        "torch.newaxis" => return Some(Value::None),
        "torch.backends.cudnn.enabled" => return Some(Value::Bool(true)),
        "torch.strided" => return Some(Value::Setting(path.into(), 0)),
        "torch.__version__" => return Some(Value::str("2.15.0")),
        _ => {}
    }
    let name = path.strip_prefix("torch.")?;
    if let Some((_, n)) = MEMORY_FORMATS.iter().find(|(f, _)| *f == name) {
        return Some(Value::Setting(path.into(), *n));
    }
    DType::from_torch_name(name).map(super::tensor::dtype_value)
}

/// May it be imported whole?
pub(super) fn is_package(path: &str) -> bool {
    PACKAGES.contains(&path) || sconce_prelude::is_module(path)
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
