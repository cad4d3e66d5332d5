//! A module's trace becomes methods: what ran inside of a submodule's `forward` is a method of that submodule, which the trace calls.
//!
//! What a method reads that it does not make is a parameter, in the order of first use; what others read of it is returned. Attributes are got by the
//! method itself where its own module holds them.

use crate::graph::{Attr, Graph, NodeId, Use, ValueId};
use crate::trace::{Scope, Trace};
use rustc_hash::FxHashMap;
use sconce_schema::Type;
use std::sync::Arc;

/// A path of submodules from the traced module.
pub type Path = Vec<Arc<str>>;

/// A method of the module at a path.
#[derive(Debug)]
pub struct ScopedMethod {
    pub path: Path,
    /// `forward`, `forward1` where the module was called again; the traced module's own has the name that it is traced under.
    pub name: Option<Arc<str>>,
    pub graph: Graph,
    /// Modules that the graph gets, by path from the traced module.
    pub modules: Vec<(Path, ValueId)>,
    /// Constants that stand for functions, as in [`Trace::functions`].
    pub functions: Vec<(NodeId, usize)>,
}

/// The methods of a trace, the traced module's own first. `is_taken` says whether the module at a path has a method of a name already.
pub fn methods(trace: &Trace, is_taken: &dyn Fn(&Path, &str) -> bool) -> Vec<ScopedMethod> {
    let numbers = trace.functions.iter().copied().collect();
    let mut split = Split { trace, is_taken, numbers, calls: FxHashMap::default(), methods: Vec::new() };
    let nodes = trace.graph.block_nodes(trace.graph.root()).to_vec();
    let mut own = Making::new(&[], 0);
    let inputs = trace.graph.block_inputs(trace.graph.root());
    for (at, input) in inputs.iter().enumerate() {
        let name = trace.graph.name(*input).cloned();
        let value = own.graph.add_input(own.graph.root(), name.as_deref(), trace.graph.ty(*input).clone());
        if at > 0 {
            own.values.insert(*input, value);
        } else {
            own.attributes.insert(Vec::new(), value);
        }
    }
    split.fill(&mut own, &nodes);
    let outputs: Vec<ValueId> =
        trace.graph.block_outputs(trace.graph.root()).iter().map(|v| split.resolve(&mut own, *v)).collect();
    own.graph.set_block_outputs(own.graph.root(), &outputs);
    split.methods.insert(0, own.finish(None));
    split.methods
}

struct Split<'t> {
    trace: &'t Trace,
    is_taken: &'t dyn Fn(&Path, &str) -> bool,
    numbers: FxHashMap<NodeId, usize>,
    /// How often each module was called.
    calls: FxHashMap<Path, usize>,
    methods: Vec<ScopedMethod>,
}

/// A method that is being made.
struct Making {
    path: Path,
    scope: usize,
    graph: Graph,
    /// By the trace's value.
    values: FxHashMap<ValueId, ValueId>,
    /// By path from the traced module: what is inside of this one, and modules that are handed in.
    attributes: FxHashMap<Path, ValueId>,
    modules: Vec<(Path, ValueId)>,
    functions: Vec<(NodeId, usize)>,
    /// Modules that others hold and values of the trace, which are parameters in this order.
    captured_modules: Vec<Path>,
    captured: Vec<ValueId>,
}

impl Making {
    fn new(path: &[Arc<str>], scope: usize) -> Making {
        Making {
            path: path.to_vec(),
            scope,
            graph: Graph::new(),
            values: FxHashMap::default(),
            attributes: FxHashMap::default(),
            modules: Vec::new(),
            functions: Vec::new(),
            captured_modules: Vec::new(),
            captured: Vec::new(),
        }
    }

    fn finish(mut self, name: Option<Arc<str>>) -> ScopedMethod {
        let root = self.graph.root();
        if let Some(own) = self.graph.block_inputs(root).first() {
            self.modules.push((self.path.clone(), *own));
        }
        ScopedMethod { path: self.path, name, graph: self.graph, modules: self.modules, functions: self.functions }
    }

    /// The module at a path: one of this module's, or one that is handed in.
    fn module(&mut self, path: &Path) -> ValueId {
        if path.starts_with(&self.path) || self.attributes.contains_key(path) {
            return self.attribute(path, Type::AnyClass);
        }
        self.captured_modules.push(path.clone());
        let value = self.graph.insert_input(self.graph.root(), self.captured_modules.len(), None, Type::AnyClass);
        self.attributes.insert(path.clone(), value);
        self.modules.push((path.clone(), value));
        value
    }

    /// What the module holds under a path, got in front of all others.
    fn attribute(&mut self, path: &[Arc<str>], ty: Type) -> ValueId {
        if let Some(known) = self.attributes.get(path) {
            return *known;
        }
        let Some((name, outer)) = path.split_last() else { return self.graph.block_inputs(self.graph.root())[0] };
        let object = self.attribute(outer, Type::AnyClass);
        let node = self.graph.node("prim::GetAttr", &[object]);
        self.graph.set_attr(node, "name", Attr::Str(name.clone()));
        let is_module = ty == Type::AnyClass;
        let value = self.graph.add_output(node, None, ty);
        match self.graph.defining(object) {
            Some(maker) => self.graph.insert_after(maker, node),
            None => self.graph.prepend(self.graph.root(), node),
        }
        self.attributes.insert(path.to_vec(), value);
        if is_module {
            self.modules.push((path.to_vec(), value));
        }
        value
    }
}

impl Split<'_> {
    fn scope(&self, node: NodeId) -> usize {
        self.trace.scope_of.get(&node).copied().unwrap_or(0)
    }

    /// The scope inside of `outer` that `scope` is, or is inside of; `None` where it is outside or the same.
    fn inside(&self, outer: usize, mut scope: usize) -> Option<usize> {
        while let Some(Scope { parent: Some(parent), .. }) = self.trace.scopes.get(scope) {
            if *parent == outer {
                return Some(scope);
            }
            scope = *parent;
        }
        None
    }

    /// The path of what a chain of `prim::GetAttr` gets of the traced module.
    fn path(&self, value: ValueId) -> Option<Path> {
        let graph = &self.trace.graph;
        let Some(node) = graph.defining(value) else {
            return (graph.block_inputs(graph.root()).first() == Some(&value)).then(Vec::new);
        };
        let name = graph.str_attr(node, "name").filter(|_| graph.is(node, "prim::GetAttr"))?;
        let mut path = self.path(graph.input(node, 0)?)?;
        path.push(name.clone());
        Some(path)
    }

    /// A value of the trace in a method.
    fn resolve(&self, making: &mut Making, value: ValueId) -> ValueId {
        if let Some(known) = making.values.get(&value) {
            return *known;
        }
        let ty = self.trace.graph.ty(value).clone();
        match self.path(value) {
            Some(path) if ty == Type::AnyClass => return making.module(&path),
            Some(path) if path.starts_with(&making.path) => return making.attribute(&path, ty),
            _ => {}
        }
        let name = self.trace.graph.name(value).cloned();
        let parameter = making.graph.add_input(making.graph.root(), name.as_deref(), ty);
        making.values.insert(value, parameter);
        making.captured.push(value);
        parameter
    }

    /// Puts nodes of the method's scope, and calls for those of scopes inside.
    fn fill(&mut self, making: &mut Making, nodes: &[NodeId]) {
        let mut at = 0;
        while let Some(node) = nodes.get(at) {
            at += 1;
            if self.trace.graph.is(*node, "prim::GetAttr") {
                continue;
            }
            let Some(scope) = self.inside(making.scope, self.scope(*node)) else {
                self.copy(making, *node);
                continue;
            };
            let is_its = |n: &NodeId| {
                self.trace.graph.is(*n, "prim::GetAttr")
                    || self.scope(*n) == scope
                    || self.inside(scope, self.scope(*n)).is_some()
            };
            let end = nodes[at..].iter().position(|n| !is_its(n)).map_or(nodes.len(), |n| at + n);
            self.call(making, scope, &nodes[at - 1..end]);
            at = end;
        }
    }

    fn copy(&mut self, making: &mut Making, node: NodeId) {
        let graph = &self.trace.graph;
        for input in graph.inputs(node) {
            let value = self.resolve(making, *input);
            making.values.insert(*input, value);
        }
        let new = making.graph.copy_node(graph, node, &mut making.values);
        making.graph.append(making.graph.root(), new);
        if let Some(number) = self.numbers.get(&node) {
            making.functions.push((new, *number));
        }
    }

    /// What others read of these nodes, in the order in which they do.
    fn returned(&self, nodes: &[NodeId]) -> Vec<ValueId> {
        let graph = &self.trace.graph;
        let inside: rustc_hash::FxHashSet<NodeId> = nodes.iter().copied().collect();
        let place = |user: Use| match user {
            Use::Node(n, operand) if !inside.contains(&n) => graph.position(n).map(|(_, at)| (at, operand)),
            Use::Node(..) => None,
            Use::Block(_, at) => Some((usize::MAX, at)),
        };
        let made = nodes.iter().filter(|n| !graph.is(**n, "prim::GetAttr")).flat_map(|n| graph.outputs(*n));
        let mut found: Vec<((usize, u32), ValueId)> =
            made.filter_map(|v| Some((graph.uses(*v).iter().filter_map(|u| place(*u)).min()?, *v))).collect();
        found.sort_by_key(|(place, _)| *place);
        found.into_iter().map(|(_, v)| v).collect()
    }

    /// A name for the next method of a module.
    fn name(&mut self, path: &Path) -> Arc<str> {
        let count = self.calls.entry(path.clone()).or_insert(0);
        loop {
            let name = if *count == 0 { "forward".to_owned() } else { format!("forward{count}") };
            *count += 1;
            if !(self.is_taken)(path, &name) {
                return name.into();
            }
        }
    }

    /// A call of the method that these nodes become.
    fn call(&mut self, making: &mut Making, scope: usize, nodes: &[NodeId]) {
        let path = self.trace.scopes[scope].path.clone();
        let mut inner = Making::new(&path, scope);
        let own = inner.graph.add_input(inner.graph.root(), Some("self"), Type::AnyClass);
        inner.attributes.insert(path.clone(), own);
        self.fill(&mut inner, nodes);
        let returned = self.returned(nodes);
        let results: Vec<ValueId> = returned.iter().map(|v| self.resolve(&mut inner, *v)).collect();
        let ty = give(&mut inner.graph, &results);
        let name = self.name(&path);
        let mut operands = vec![making.module(&path)];
        operands.extend(inner.captured_modules.iter().map(|path| making.module(path)));
        for value in &inner.captured {
            operands.push(self.resolve(making, *value));
        }
        let call = making.graph.node("prim::CallMethod", &operands);
        making.graph.set_attr(call, "name", Attr::Str(name.clone()));
        let result = making.graph.add_output(call, None, ty.unshaped());
        making.graph.append(making.graph.root(), call);
        match returned.as_slice() {
            [one] => _ = making.values.insert(*one, result),
            several if !several.is_empty() => {
                let unpack = making.graph.node("prim::TupleUnpack", &[result]);
                for value in several {
                    let output = making.graph.add_output(unpack, None, self.trace.graph.ty(*value).clone());
                    making.values.insert(*value, output);
                }
                making.graph.append(making.graph.root(), unpack);
            }
            _ => {}
        }
        self.methods.push(inner.finish(Some(name)));
    }
}

/// Lets a graph return these values: one as it is, several as a tuple, and `None` where there are none. The type of what it returns.
fn give(graph: &mut Graph, results: &[ValueId]) -> Type {
    let root = graph.root();
    let (kind, ty) = match results {
        [one] => {
            let ty = graph.ty(*one).clone();
            graph.set_block_outputs(root, &[*one]);
            return ty;
        }
        [] => ("prim::Constant", Type::None),
        several => ("prim::TupleConstruct", Type::Tuple(several.iter().map(|v| graph.ty(*v).clone()).collect())),
    };
    let node = graph.node(kind, results);
    let value = graph.add_output(node, None, ty.clone());
    graph.append(root, node);
    graph.set_block_outputs(root, &[value]);
    ty
}
