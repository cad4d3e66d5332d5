//! Names that need no definition: Python's builtins, members of PyTorch's modules, and the few operators that are functions in TorchScript.

use super::function::Emitter;
use super::sugared::{Form, Sugared};
use super::{Compiler, Declaration, NoNames, Result};
use crate::graph::{Graph, Loc, SourceText, ValueId};
use crate::torch_names::{self, Constant, MODULES};
use crate::unit::Function;
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use sconce_schema::{DType, Type, overloads};
use sconce_syntax::script::tree::StmtKind;
use sconce_tensor::IValue;
use std::rc::Rc;
use std::sync::Arc;

/// Properties of tensors that are operators of prim; that they are no methods cannot be seen from their schemas.
pub(super) const PRIM_PROPERTIES: [&str; 29] = [
    "dtype",
    "device",
    "grad",
    "data",
    "shape",
    "is_cuda",
    "is_cpu",
    "is_xla",
    "is_xpu",
    "is_sparse",
    "is_sparse_csr",
    "is_mkldnn",
    "is_mps",
    "is_mtia",
    "is_quantized",
    "is_vulkan",
    "is_ipu",
    "is_meta",
    "is_nested",
    "is_maia",
    "requires_grad",
    "layout",
    "T",
    "H",
    "ndim",
    "name",
    "itemsize",
    "nbytes",
    "output_nr",
];

/// Properties of tensors that are operators of aten.
pub(super) const ATEN_PROPERTIES: [&str; 6] = ["is_leaf", "mT", "mH", "real", "imag", "retains_grad"];

/// What a builtin name of Python stands for.
pub(super) fn global(name: &str) -> Option<Sugared> {
    let magic = |method: &'static str, operator: &str| Sugared::Magic(method, Rc::new(Sugared::builtin(operator)));
    let cast = |method, ty, operator| Sugared::Magic(method, Rc::new(Sugared::Cast(ty, operator)));
    Some(match name {
        "print" => Sugared::Print,
        "tuple" => Sugared::Form(Form::Tuple),
        "float" => cast("__float__", Type::Float, "aten::Float"),
        "complex" => cast("__complex__", Type::Complex, "aten::Complex"),
        "int" => cast("__int__", Type::Int, "aten::Int"),
        "bool" => cast("__bool__", Type::Bool, "aten::Bool"),
        "str" => cast("__str__", Type::Str, "aten::str"),
        "getattr" => Sugared::Form(Form::GetAttr),
        "hasattr" => Sugared::Form(Form::HasAttr),
        "isinstance" => Sugared::Form(Form::IsInstance),
        "_to_tensor" => Sugared::Cast(Type::tensor(), "prim::NumToTensor"),
        "len" => magic("__len__", "aten::len"),
        "hex" => magic("__hex__", "aten::hex"),
        "oct" => magic("__oct__", "aten::oct"),
        "round" => magic("__round__", "aten::round"),
        "hash" | "all" | "any" | "divmod" | "sum" | "ord" | "chr" | "bin" | "pow" | "sorted" => {
            Sugared::builtin(&format!("aten::{name}"))
        }
        "id" | "min" | "max" | "abs" | "rangelist" => Sugared::builtin(&format!("prim::{name}")),
        "list" => Sugared::Form(Form::List),
        "dict" => Sugared::Form(Form::Dict),
        "range" => Sugared::Form(Form::Range),
        "zip" => Sugared::Form(Form::Zip),
        "enumerate" => Sugared::Form(Form::Enumerate),
        "slice" => Sugared::SliceClass,
        "AssertionError" => Sugared::Exception(None),
        _ => return None,
    })
}

/// Builtin functions of Python that TorchScript does not have.
pub(super) const PYTHON_FUNCTIONS: [&str; 22] = [
    "open",
    "input",
    "eval",
    "exec",
    "compile",
    "globals",
    "locals",
    "vars",
    "dir",
    "iter",
    "next",
    "repr",
    "format",
    "ascii",
    "callable",
    "delattr",
    "setattr",
    "issubclass",
    "__import__",
    "breakpoint",
    "aiter",
    "anext",
];

/// Builtin classes of Python that TorchScript does not have.
pub const PYTHON_CLASSES: [&str; 15] = [
    "type",
    "super",
    "object",
    "map",
    "filter",
    "reversed",
    "set",
    "frozenset",
    "bytes",
    "bytearray",
    "memoryview",
    "property",
    "classmethod",
    "staticmethod",
    "BaseException",
];

/// Members of PyTorch's modules that are neither operators nor of the library.
fn member(path: &str) -> Option<Sugared> {
    Some(match path {
        "torch.jit.annotate" | "torch.jit._annotate" => Sugared::Form(Form::Annotate),
        "torch.jit.isinstance" => Sugared::Form(Form::IsInstance),
        "torch.jit.fork" | "torch.jit._fork" => Sugared::Form(Form::Fork),
        "torch.jit.is_scripting" | "torch._jit_internal.is_scripting" => Sugared::Form(Form::IsScripting),
        "typing.cast" => Sugared::Form(Form::Cast),
        "math.remainder" => Sugared::builtin("aten::mathremainder"),
        "cmath.phase" => Sugared::builtin("aten::angle"),
        "cmath.rect" => Sugared::builtin("aten::polar"),
        "collections.OrderedDict" => Sugared::builtin("aten::dict"),
        "warnings.warn" => Sugared::builtin("aten::warn"),
        "torch.BoolTensor" => Sugared::LegacyTensor(DType::Bool),
        "torch.LongTensor" => Sugared::LegacyTensor(DType::I64),
        "torch.ByteTensor" => Sugared::LegacyTensor(DType::U8),
        "torch.CharTensor" => Sugared::LegacyTensor(DType::I8),
        "torch.DoubleTensor" => Sugared::LegacyTensor(DType::F64),
        "torch.FloatTensor" => Sugared::LegacyTensor(DType::F32),
        "torch.IntTensor" => Sugared::LegacyTensor(DType::I32),
        "torch.ShortTensor" => Sugared::LegacyTensor(DType::I16),
        "torch.HalfTensor" => Sugared::LegacyTensor(DType::F16),
        _ => return torch_names::renamed(path).map(Sugared::builtin).or_else(|| constant(path)),
    })
}

/// A constant of PyTorch's or of Python's mathematics.
fn constant(path: &str) -> Option<Sugared> {
    let (ty, value) = match torch_names::constant(path)? {
        Constant::Float(f) => (Type::Float, IValue::Double(f)),
        Constant::None => (Type::None, IValue::None),
        Constant::DType(d) => (Type::Int, IValue::Int(d.number())),
        Constant::Setting(_, number) => (Type::Int, IValue::Int(number)),
    };
    Some(Sugared::Constant(ty, value))
}

/// Operators that compute nothing and are known so that what they give has its type: a profiler's, and marks of gradients.
const LIBRARY_OPERATORS: [&str; 7] = [
    "aten::requires_grad_(Tensor(a!) self, bool requires_grad=True) -> Tensor(a!)",
    "profiler::_record_function_enter(str name, str? args=None) -> Tensor",
    "profiler::_record_function_exit(Tensor _0) -> ()",
    "profiler::_call_end_callbacks_on_jit_fut(Tensor _0, Future(t) _1) -> Future(t)",
    "profiler::_record_function_enter_new(str name, str? args=None) -> __torch__.torch.classes.profiler._RecordFunction",
    "profiler::_record_function_exit._RecordFunction(__torch__.torch.classes.profiler._RecordFunction _0) -> ()",
    "profiler::_call_end_callbacks_on_jit_fut._RecordFunction(__torch__.torch.classes.profiler._RecordFunction _0, Future(t) _1) \
     -> Future(t)",
];

/// Makes [`LIBRARY_OPERATORS`] known, once.
pub(super) fn register_library_operators() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        for schema in LIBRARY_OPERATORS {
            // A program may have registered its own before; then that is what they are.
            let _ = sconce_schema::register(schema);
        }
    });
}

/// Modules that only code that is compiled goes through: Python that is evaluated finds in them what the library has.
const NAMESPACES: [&str; 3] = ["torch.nn.modules.utils", "torch.nn.modules.activation", "torch.sparse"];

/// Names of the `torch` module that are no operators, but that PyTorch's compiler takes for some: calling one is refused.
const NO_OPERATORS: [&str; 8] = [
    "enable_grad",
    "set_grad_enabled",
    "inference_mode",
    "set_default_dtype",
    "manual_seed",
    "compile",
    "save",
    "load",
];

/// The operator a member of a module is: by its name, with the module's prefix where it has one.
fn operator_of(module: &str, name: &str) -> Option<String> {
    match module {
        "math" | "cmath" => Some(format!("aten::{name}")),
        _ => torch_names::operator(module, name),
    }
}

impl Compiler {
    /// What the compiler itself knows a member of a module as: `math.sqrt` is an operator.
    pub fn module_member(&mut self, module: &str, name: &str) -> Result<Option<Sugared>> {
        let dotted = format!("{module}.{name}");
        if let Some(found) = member(&dotted) {
            return Ok(Some(found));
        }
        if MODULES.contains(&dotted.as_str()) || NAMESPACES.contains(&dotted.as_str()) {
            return Ok(Some(Sugared::namespace(&dotted)));
        }
        let Some(operator) = operator_of(module, name) else { return Ok(None) };
        let is_known = !overloads(&operator).is_empty()
            || !self.builtin_functions_for(&operator)?.is_empty()
            || (module == "torch" && NO_OPERATORS.contains(&name));
        Ok(is_known.then(|| Sugared::builtin(&operator)))
    }
}

impl Emitter<'_> {
    /// A member of a module of Python or PyTorch. `ops.<namespace>.<name>` is any operator.
    pub(super) fn namespace_attr(&mut self, path: &Arc<str>, place: &Loc, name: &str) -> Result<Sugared> {
        let dotted = format!("{path}.{name}");
        if let Some(rest) = path.strip_prefix("torch.ops").or_else(|| path.strip_prefix("ops")) {
            return Ok(match rest.strip_prefix('.') {
                None => Sugared::namespace(&dotted),
                Some(namespace) => Sugared::builtin(&format!("{namespace}::{name}")),
            });
        }
        if let Some(library) = self.compiler.library.clone()
            && let Some(found) = library.resolve(self.compiler, &dotted, place)?
        {
            return Ok(found);
        }
        match self.compiler.module_member(path, name)? {
            Some(found) => Ok(found),
            None => Err(self.error(place, format!("object has no attribute {name}"))),
        }
    }

    /// The builtin functions in TorchScript that an operator's name stands for, compiled.
    pub(super) fn builtin_functions(&mut self, operator: &str) -> Result<Vec<Arc<str>>> {
        self.compiler.builtin_functions_for(operator)
    }

    /// A builtin function's body in place of a call.
    pub(super) fn inline_builtin(&mut self, function: &str, inputs: &[ValueId]) -> Result<ValueId> {
        let Some(graph) = self.compiler.builtin_function(function).map(|f| f.graph.clone()) else {
            return Ok(self.constant(IValue::None, None));
        };
        let mut values: FxHashMap<ValueId, ValueId> = FxHashMap::default();
        values.extend(graph.block_inputs(graph.root()).iter().copied().zip(inputs.iter().copied()));
        self.copy_block(&graph, graph.root(), &mut values);
        let result = graph.block_outputs(graph.root()).first().and_then(|v| values.get(v)).copied();
        Ok(result.unwrap_or_else(|| self.constant(IValue::None, None)))
    }

    fn copy_block(&mut self, from: &Graph, block: crate::graph::BlockId, values: &mut FxHashMap<ValueId, ValueId>) {
        for node in from.block_nodes(block).to_vec() {
            let inputs: Vec<ValueId> = from.inputs(node).iter().filter_map(|v| values.get(v).copied()).collect();
            let kind = from.kind(node).clone();
            let copy = self.node(&kind, &inputs, from.loc(node));
            for (name, attr) in from.attrs(node) {
                self.graph.set_attr(copy, name.clone(), attr.clone());
            }
            for output in from.outputs(node) {
                let value = self.graph.add_output(copy, from.name(*output).map(|n| &**n), from.ty(*output).clone());
                values.insert(*output, value);
            }
            for inner in from.blocks(node) {
                let new = self.graph.add_block(copy);
                for input in from.block_inputs(*inner) {
                    let value = self.graph.add_input(new, from.name(*input).map(|n| &**n), from.ty(*input).clone());
                    values.insert(*input, value);
                }
                self.inserting(super::function::Insertion::End(new), |e| e.copy_block(from, *inner, values));
                for output in from.block_outputs(*inner) {
                    if let Some(value) = values.get(output) {
                        self.graph.add_block_output(new, *value);
                    }
                }
            }
        }
    }
}

/// The functions that stand for operators but are written in TorchScript.
#[derive(Default)]
pub(super) struct BuiltinFunctions {
    /// By the operator they stand for: names and trees; `None` until somebody asks.
    by_operator: Option<IndexMap<String, Vec<(Arc<str>, Rc<Declaration>)>>>,
    compiled: FxHashMap<Arc<str>, Function>,
    /// While one is being compiled there are none: they call the operators they stand for.
    compiling: bool,
}

/// Names for TorchScript that knows nothing but operators: `torch` is all of aten's.
pub struct OnlyOperators;

impl super::Resolver for OnlyOperators {
    fn resolve(&self, _: &mut Compiler, name: &str, _: &Loc) -> Result<Option<Sugared>> {
        Ok((name == "torch").then(|| Sugared::namespace("ops.aten")))
    }
    fn resolve_type(&self, compiler: &mut Compiler, name: &str, place: &Loc) -> Result<Option<Type>> {
        NoNames.resolve_type(compiler, name, place)
    }
}

impl Compiler {
    pub(super) fn builtin_function(&self, name: &str) -> Option<&Function> {
        self.builtin_functions.compiled.get(name)
    }

    /// The functions that an operator's name stands for, compiled.
    pub(super) fn builtin_functions_for(&mut self, operator: &str) -> Result<Vec<Arc<str>>> {
        if self.builtin_functions.compiling {
            return Ok(Vec::new());
        }
        if self.builtin_functions.by_operator.is_none() {
            self.builtin_functions.by_operator = Some(declarations()?);
        }
        let known =
            self.builtin_functions.by_operator.as_ref().and_then(|m| m.get(operator)).cloned().unwrap_or_default();
        for (name, declaration) in &known {
            if !self.builtin_functions.compiled.contains_key(name) {
                let function = self.compile_builtin_function(name, declaration)?;
                self.builtin_functions.compiled.insert(name.clone(), function);
            }
        }
        Ok(known.into_iter().map(|(name, _)| name).collect())
    }

    /// Compiles one, of which nothing is reported as being compiled, for today's operators.
    fn compile_builtin_function(&mut self, name: &Arc<str>, declaration: &Declaration) -> Result<Function> {
        let activations = std::mem::take(&mut self.activations);
        let (version, signatures) = (self.operator_version.take(), std::mem::take(&mut self.signatures));
        self.builtin_functions.compiling = true;
        let function = super::function::compile(self, name, declaration);
        self.builtin_functions.compiling = false;
        self.activations = activations;
        self.operator_version = version;
        self.signatures = signatures;
        function
    }
}

/// The trees of all rows, by the operator each stands for.
fn declarations() -> Result<IndexMap<String, Vec<(Arc<str>, Rc<Declaration>)>>> {
    let mut by_operator: IndexMap<String, Vec<(Arc<str>, Rc<Declaration>)>> = IndexMap::new();
    for (number, row) in super::builtin_functions::rows().into_iter().enumerate() {
        let source = SourceText::file("<string>", row.text());
        let place = Loc { source: source.clone(), span: sconce_syntax::Span::default() };
        let module = sconce_syntax::script::parse(source.name(), source.text())
            .map_err(|e| super::Error::new(&place, e.to_string()))?;
        for stmt in module.body {
            let StmtKind::Def(def) = stmt.kind else { continue };
            let operator = format!("{}::{}", row.namespace, row.operator);
            let name: Arc<str> = Arc::from(format!("builtin.{number}.{}", def.name.name));
            let declaration = Declaration {
                def: Rc::from(def),
                source: source.clone(),
                resolver: Rc::new(OnlyOperators),
                receiver: None,
                defaults: Vec::new(),
            };
            by_operator.entry(operator).or_default().push((name, Rc::new(declaration)));
        }
    }
    Ok(by_operator)
}

/// The value that constants and containers of constants have.
pub(super) fn constant_value(graph: &Graph, value: ValueId) -> Option<IValue> {
    if let Some(v) = graph.constant(value) {
        return Some(v.clone());
    }
    let node = graph.defining(value)?;
    let operands = || graph.inputs(node).iter().map(|v| constant_value(graph, *v)).collect::<Option<Vec<_>>>();
    match (&**graph.kind(node), graph.ty(value)) {
        ("prim::Constant", _) if graph.attrs(node).is_empty() => Some(IValue::None),
        ("prim::ListConstruct" | "prim::EmptyListLiteral", Type::List(element)) => {
            Some(IValue::list((**element).clone(), operands()?))
        }
        ("prim::TupleConstruct", Type::Tuple(_)) => Some(IValue::tuple(operands()?)),
        ("prim::TupleConstruct", Type::NamedTuple(t)) => {
            Some(IValue::Tuple(sconce_tensor::Tuple::new(operands()?, Some(t.clone()))))
        }
        ("prim::DictConstruct", Type::Dict(key, of)) if graph.inputs(node).is_empty() => {
            Some(IValue::Dict(sconce_tensor::Dict::new((**key).clone(), (**of).clone())))
        }
        ("prim::unchecked_cast", _) => operands()?.into_iter().next(),
        ("aten::Float", _) => match operands()?.into_iter().next()? {
            IValue::Int(i) => Some(IValue::Double(i as f64)),
            v @ IValue::Double(_) => Some(v),
            _ => None,
        },
        _ => None,
    }
}
