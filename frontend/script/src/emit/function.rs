//! One function is compiled here: its parameters, its graph while it grows, its variables, and the type of what it returns.

use super::environment::{Frame, is_meaningful};
use super::sugared::Sugared;
use super::{Compiler, Declaration, Error, Receiver, Resolver, Result, types};
use crate::graph::{Attr, BlockId, Graph, Loc, NodeId, SourceText, ValueId};
use crate::unit::{Function, Param};
use rustc_hash::{FxHashMap, FxHashSet};
use sconce_schema::Type;
use sconce_syntax::Span;
use sconce_syntax::script::tree::{self, Def, ParamKind};
use sconce_tensor::IValue;
use std::rc::Rc;
use std::sync::Arc;

/// Where new nodes go.
#[derive(Clone, Copy)]
pub(super) enum Insertion {
    End(BlockId),
    Before(NodeId),
}

/// What is known of what a function (or local function) returns.
#[derive(Default)]
pub(super) struct Returns {
    pub declared: Option<Type>,
    /// The join of what was returned so far.
    pub merged: Option<Type>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LoopStatus {
    Outside,
    Inside,
    Unrolled,
}

/// Compiles one function into a graph; embedders meet it in [`super::SugaredValue`].
pub struct Emitter<'c> {
    pub compiler: &'c mut Compiler,
    pub graph: Graph,
    /// The function's qualified name.
    pub name: Arc<str>,
    pub(super) source: Arc<SourceText>,
    pub(super) resolver: Rc<dyn Resolver>,
    pub(super) receiver: Option<Receiver>,
    pub(super) insertion: Insertion,
    pub(super) frames: Vec<Frame>,
    /// Why a variable cannot be used although a branch assigns it.
    pub(super) spoiled: FxHashMap<Rc<str>, Error>,
    pub(super) returns: Vec<Returns>,
    /// Blocks that end in a return or raise.
    pub(super) exits: FxHashSet<BlockId>,
    pub(super) loop_status: LoopStatus,
    pub(super) int_constants: FxHashMap<i64, ValueId>,
    pub(super) float_constants: FxHashMap<u64, ValueId>,
    pub(super) temporaries: u32,
    /// Values that are tensors although nothing says so.
    pub(super) assumed: FxHashMap<ValueId, Assumed>,
    /// Nodes inserted by an attempt that may be taken back.
    pub(super) trail: Option<Vec<NodeId>>,
    pub(super) depth: u32,
    /// A type has grown beyond its bound; the statement that made it is refused.
    pub(super) too_large: bool,
}

/// Why a value is taken for a Tensor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Assumed {
    /// A parameter without annotation.
    Unannotated,
    /// The result of an operator that nobody knows. Whoever needs another type gets it: running ends at the operator.
    UnknownOperator,
}

/// How many nodes a function may have: loops over modules and tuples are unrolled.
pub(super) const MAX_NODES: usize = 2_000_000;

/// How deep expressions and statements may be nested in each other.
const MAX_DEPTH: u32 = 200;

/// Compiles a declaration to a function of the unit.
pub(super) fn compile(compiler: &mut Compiler, name: &Arc<str>, declaration: &Declaration) -> Result<Function> {
    let mut emitter = Emitter::new(compiler, name.clone(), declaration);
    let (params, returns) = emitter.definition(&declaration.def, &declaration.defaults)?;
    let mut graph = std::mem::take(&mut emitter.graph);
    let place = emitter.at(declaration.def.span);
    crate::finish::finish(&mut graph).map_err(|e| emitter.error(&place, e.to_string()))?;
    Ok(Function { name: name.clone(), params, returns, graph })
}

impl<'c> Emitter<'c> {
    fn new(compiler: &'c mut Compiler, name: Arc<str>, declaration: &Declaration) -> Emitter<'c> {
        let graph = Graph::new();
        let root = graph.root();
        Emitter {
            compiler,
            graph,
            name,
            source: declaration.source.clone(),
            resolver: declaration.resolver.clone(),
            receiver: declaration.receiver.clone(),
            insertion: Insertion::End(root),
            frames: Vec::new(),
            spoiled: FxHashMap::default(),
            returns: Vec::new(),
            exits: FxHashSet::default(),
            loop_status: LoopStatus::Outside,
            int_constants: FxHashMap::default(),
            float_constants: FxHashMap::default(),
            temporaries: 0,
            assumed: FxHashMap::default(),
            trail: None,
            depth: 0,
            too_large: false,
        }
    }

    // -- places and errors

    /// The place of a span of the function's source.
    pub fn at(&self, span: Span) -> Loc {
        Loc { source: self.source.clone(), span }
    }
    /// An error at a place, with the calls that led there.
    pub fn error(&self, place: &Loc, message: impl Into<String>) -> Error {
        self.compiler.error(place, message)
    }
    /// Errors of functions that are compiled from here on were met while this was compiled.
    pub(super) fn pending(&mut self, span: Span) {
        let place = self.at(span);
        if let Some(activation) = self.compiler.activations.last_mut() {
            activation.place = place;
        }
    }
    /// Runs `f` one level deeper, if there is one.
    pub(super) fn deeper<T>(&mut self, span: Span, f: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.error(&self.at(span), format!("nested more than {MAX_DEPTH} levels deep")));
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    // -- nodes

    /// Puts a node where nodes are being put.
    pub fn insert_node(&mut self, node: NodeId) {
        match self.insertion {
            Insertion::End(block) => self.graph.append(block, node),
            Insertion::Before(next) => self.graph.insert_before(next, node),
        }
        if let Some(trail) = &mut self.trail {
            trail.push(node);
        }
    }
    /// A node without outputs.
    pub fn node(&mut self, kind: &str, inputs: &[ValueId], place: Option<&Loc>) -> NodeId {
        let node = self.graph.node(kind, inputs);
        self.graph.set_loc(node, place.cloned());
        self.insert_node(node);
        node
    }
    /// A node with one output.
    pub fn value(&mut self, kind: &str, inputs: &[ValueId], ty: Type, place: Option<&Loc>) -> ValueId {
        let node = self.node(kind, inputs, place);
        self.graph.add_output(node, None, ty)
    }
    /// The result of an operator that nobody knows: most give a tensor, and what else it may be shows where it is used.
    pub fn unknown_output(&mut self, node: NodeId) -> ValueId {
        let value = self.graph.add_output(node, None, Type::tensor());
        self.assumed.insert(value, Assumed::UnknownOperator);
        value
    }
    /// A `prim::Constant`, its type that of the value.
    pub fn constant(&mut self, value: IValue, place: Option<&Loc>) -> ValueId {
        let ty = types::of_value(&value);
        self.typed_constant(value, ty, place)
    }
    pub fn typed_constant(&mut self, value: IValue, ty: Type, place: Option<&Loc>) -> ValueId {
        let node = self.node("prim::Constant", &[], place);
        if !value.is_none() {
            self.graph.set_attr(node, "value", Attr::Value(value));
        }
        self.graph.add_output(node, None, ty)
    }
    /// Runs `f` with nodes going elsewhere.
    pub(super) fn inserting<T>(&mut self, insertion: Insertion, f: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.insertion, insertion);
        let result = f(self);
        self.insertion = before;
        result
    }
    /// A number literal: one constant per function, at its start.
    pub(super) fn number_constant(&mut self, value: IValue, place: &Loc) -> ValueId {
        let known = match &value {
            IValue::Int(i) => self.int_constants.get(i),
            IValue::Double(d) => self.float_constants.get(&d.to_bits()),
            _ => None,
        };
        if let Some(known) = known {
            return *known;
        }
        let root = self.graph.root();
        let start = match self.graph.block_nodes(root).first() {
            Some(first) => Insertion::Before(*first),
            None => Insertion::End(root),
        };
        let trail = self.trail.take();
        let constant = self.inserting(start, |e| e.constant(value.clone(), Some(place)));
        self.trail = trail;
        match value {
            IValue::Int(i) => self.int_constants.insert(i, constant),
            IValue::Double(d) => self.float_constants.insert(d.to_bits(), constant),
            _ => None,
        };
        constant
    }
    pub fn ty(&self, value: ValueId) -> &Type {
        self.graph.ty(value)
    }

    // -- the definition

    /// Emits a whole function; gives its parameters and the type of its result.
    fn definition(&mut self, def: &Def, defaults: &[(Arc<str>, IValue)]) -> Result<(Vec<Param>, Type)> {
        let root = self.graph.root();
        let declared = self.declared_return(def)?;
        self.returns.push(Returns { declared, merged: None });
        self.frames.push(Frame::new(root));
        let params = self.parameters(def, defaults)?;
        let returns = self.body(def, root)?;
        self.frames.pop();
        self.returns.pop();
        self.refuse_python_calls()?;
        Ok((self.fit_defaults(def, params)?, returns))
    }

    /// Emits statements and the return at the end; gives the type of the result.
    pub(super) fn body(&mut self, def: &Def, block: BlockId) -> Result<Type> {
        self.statements(&def.body)?;
        self.maybe_no_return(def, block)?;
        let ty = self.returns.last().and_then(|r| r.merged.clone()).unwrap_or(Type::None);
        // What is returned stands in `prim::ReturnStmt` until conversion to SSA; this has its type.
        let placeholder =
            self.inserting(Insertion::End(block), |e| e.value("prim::Uninitialized", &[], ty.clone(), None));
        self.graph.add_block_output(block, placeholder);
        Ok(ty)
    }

    /// Calls of Python functions cannot be saved.
    fn refuse_python_calls(&self) -> Result<()> {
        let root = self.graph.root();
        let Some(node) = self.graph.walk(root).into_iter().find(|n| self.graph.is(*n, "prim::PythonOp")) else {
            return Ok(());
        };
        let name = self.graph.str_attr(node, "name").cloned().unwrap_or_default();
        let place = self.graph.loc(node).cloned().unwrap_or_else(|| self.place_or_current(None));
        Err(self.error(
            &place,
            format!(
                "Could not export Python function call '{name}'. Remove calls to Python functions before export. Did you forget to add \
                 @script or @script_method annotation? If this is a nn.ModuleList, add it to __constants__"
            ),
        ))
    }

    /// Default values of the types that the parameters have.
    fn fit_defaults(&mut self, def: &Def, mut params: Vec<Param>) -> Result<Vec<Param>> {
        let python = self.resolver.is_python();
        let place = self.at(def.span);
        for p in &mut params {
            let Some(default) = p.default.take() else { continue };
            if python && let Some(class) = mutable_class(&default) {
                return Err(self.error(
                    &place,
                    format!(
                        "Mutable default parameters are not supported because Python binds them to the function and they persist across \
                         function calls.\n As a workaround, make the default None and instantiate the default parameter within the body \
                         of the function. Found <class '{class}'> on parameter {}",
                        p.name
                    ),
                ));
            }
            p.default = fitted(repeated(default, p.list_size), &p.ty);
            let fits = p.default.as_ref().is_some_and(|v| self.compiler.is_subtype(&types::of_value(v), &p.ty));
            if python && !fits {
                let inferred = def.params.iter().any(|d| *d.name.name == *p.name && d.annotation.is_none());
                let ty = if inferred { "Tensor (inferred)".to_owned() } else { p.ty.annotation_str() };
                let mut message = format!("Expected a default value of type {ty} on parameter \"{}\".", p.name);
                if inferred {
                    message.push_str(&format!(
                        "Because \"{}\" was not annotated with an explicit type it is assumed to be type 'Tensor'.",
                        p.name
                    ));
                }
                return Err(self.error(&place, message));
            }
        }
        Ok(params)
    }

    fn maybe_no_return(&mut self, def: &Def, block: BlockId) -> Result<()> {
        let declared = self.returns.last().and_then(|r| r.declared.clone());
        if self.exits.contains(&block) {
            if let Some(returns) = self.returns.last_mut()
                && returns.merged.is_none()
            {
                returns.merged = Some(declared.unwrap_or(Type::None));
            }
            return Ok(());
        }
        let place = self.at(def.span);
        if declared.is_some_and(|t| t != Type::None) {
            return Err(self
                .error(&place, "Function was not annotated as having type None, but does not return along all paths"));
        }
        self.inserting(Insertion::End(block), |e| {
            let none = e.constant(IValue::None, Some(&place));
            e.return_value(none, &place)
        })
    }

    fn declared_return(&mut self, def: &Def) -> Result<Option<Type>> {
        match &def.returns {
            None => Ok(None),
            Some(annotation) => self.annotation(annotation).map(Some),
        }
    }

    /// Graph inputs and variables for the parameters.
    fn parameters(&mut self, def: &Def, defaults: &[(Arc<str>, IValue)]) -> Result<Vec<Param>> {
        let root = self.graph.root();
        let mut out = Vec::with_capacity(def.params.len());
        let mut params = def.params.iter();
        if let Some(receiver) = self.receiver.clone() {
            let Some(first) = params.next() else {
                return Err(self.error(&self.at(def.span), "methods must have a self argument"));
            };
            let ty = Type::Class(receiver.class().clone());
            let value = self.graph.add_input(root, Some(&first.name.name), ty.clone());
            let sugared = match &receiver {
                Receiver::Module(m) => Sugared::Module(m.clone(), value),
                Receiver::Class(_) => Sugared::Value(value),
            };
            let place = self.at(first.name.span);
            self.set_variable(&place, &first.name.name, sugared, None)?;
            out.push(Param {
                name: first.name.name.as_str().into(),
                ty,
                default: None,
                keyword_only: false,
                list_size: None,
            });
        }
        for p in params {
            let param = self.parameter(p, defaults)?;
            let name = is_meaningful(&p.name.name).then_some(&*p.name.name);
            let value = self.graph.add_input(root, name, param.ty.clone());
            if p.annotation.is_none() {
                self.assumed.insert(value, Assumed::Unannotated);
            }
            let place = self.at(p.name.span);
            self.set_variable(&place, &p.name.name, Sugared::Value(value), None)?;
            out.push(param);
        }
        Ok(out)
    }

    fn parameter(&mut self, p: &tree::Param, defaults: &[(Arc<str>, IValue)]) -> Result<Param> {
        let place = self.at(p.name.span);
        if matches!(p.kind, ParamKind::Rest | ParamKind::Keywords) {
            return Err(self.error(&place, super::module::VARIADIC));
        }
        let (ty, list_size) = match &p.annotation {
            None => (Type::tensor(), None),
            Some(annotation) => self.parameter_annotation(annotation)?,
        };
        let known = defaults.iter().find(|(n, _)| **n == *p.name.name).map(|(_, v)| v.clone());
        let default = match (known, &p.default) {
            (Some(v), _) => Some(v),
            (None, Some(e)) => Some(self.evaluate_default(e, &ty)?),
            (None, None) => None,
        };
        Ok(Param {
            name: p.name.name.as_str().into(),
            ty,
            default,
            keyword_only: p.kind == ParamKind::KeywordOnly,
            list_size,
        })
    }
}

/// The Python class of a value that functions must not have as a default.
fn mutable_class(value: &IValue) -> Option<&'static str> {
    match value {
        IValue::List(_) => Some("list"),
        IValue::Dict(_) => Some("dict"),
        _ => None,
    }
}

/// One number that stands for a list of several.
fn repeated(default: IValue, list_size: Option<u32>) -> IValue {
    match (&default, list_size) {
        (IValue::Int(_), Some(n)) => IValue::list(Type::Int, vec![default; n.min(16) as usize]),
        (IValue::Double(_), Some(n)) => IValue::list(Type::Float, vec![default; n.min(16) as usize]),
        _ => default,
    }
}

/// A default value as a parameter's type has it: `1` for a float is `1.`, a tuple for a list is a list.
fn fitted(value: IValue, ty: &Type) -> Option<IValue> {
    Some(match (value, ty) {
        (IValue::None, Type::Optional(_)) => IValue::None,
        (v, Type::Optional(inner)) => fitted(v, inner)?,
        (IValue::Int(i), Type::Float) => IValue::Double(i as f64),
        (IValue::Int(i), Type::Complex) => IValue::complex(i as f64, 0.0),
        (IValue::Double(d), Type::Complex) => IValue::complex(d, 0.0),
        (IValue::Bool(b), Type::Int) => IValue::Int(i64::from(b)),
        (IValue::Bool(b), Type::Float) => IValue::Double(f64::from(u8::from(b))),
        (IValue::Tuple(t), Type::List(element)) => {
            let items = t.items.iter().map(|v| fitted(v.clone(), element)).collect::<Option<Vec<_>>>()?;
            IValue::list((**element).clone(), items)
        }
        (IValue::List(l), Type::List(element)) => {
            let items = l.to_vec().into_iter().map(|v| fitted(v, element)).collect::<Option<Vec<_>>>()?;
            IValue::list((**element).clone(), items)
        }
        (IValue::Tuple(t), Type::Tuple(types)) if t.items.len() == types.len() => {
            let items =
                t.items.iter().zip(types.iter()).map(|(v, t)| fitted(v.clone(), t)).collect::<Option<Vec<_>>>()?;
            IValue::tuple(items)
        }
        (v, _) => v,
    })
}
