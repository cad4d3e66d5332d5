//! A compilation unit: every function and class that was compiled, by qualified name, in the order of definition.

use crate::graph::{Attr, Graph, ValueId};
use crate::named::{HasName, NamedList};
use indexmap::IndexMap;
use sconce_schema::Type;
use sconce_schema::types::NamedTuple;
use sconce_source::SourceMap;
use sconce_tensor::IValue;
use std::sync::Arc;

/// Functions and classes by qualified name (`__torch__.mod.f`, `__torch__.mod.M`, `__torch__.mod.M.forward`).
#[derive(Clone, Debug, Default)]
pub struct Unit {
    pub functions: IndexMap<Arc<str>, Function>,
    pub classes: IndexMap<Arc<str>, Class>,
    /// The function that is meant when none is named.
    pub entry: Option<Arc<str>>,
    /// Functions and classes of an archive that do not compile, and why: they cost only a program that uses them.
    pub refused: IndexMap<Arc<str>, crate::error::Error>,
}

/// A compiled function or method: its schema and its graph.
#[derive(Debug, Clone)]
pub struct Function {
    pub name: Arc<str>,
    pub params: Vec<Param>,
    /// The type of its one result; `NoneType` when nothing is returned.
    pub returns: Type,
    pub graph: Graph,
}

/// A parameter of a function's schema, `self` included.
#[derive(Debug, Clone)]
pub struct Param {
    pub name: Arc<str>,
    pub ty: Type,
    pub default: Option<IValue>,
    pub keyword_only: bool,
    /// `BroadcastingList2[int]`: one number stands for a list of two.
    pub list_size: Option<u32>,
}

impl Function {
    /// A function of which only the graph is known: its inputs are the parameters.
    pub fn of_graph(name: Arc<str>, graph: Graph) -> Function {
        let inputs = graph.block_inputs(graph.root());
        let param = |(i, v): (usize, &ValueId)| Param {
            name: graph.name(*v).cloned().unwrap_or_else(|| format!("arg{i}").into()),
            ty: graph.ty(*v).clone(),
            default: None,
            keyword_only: false,
            list_size: None,
        };
        let params = inputs.iter().enumerate().map(param).collect();
        let returns = match graph.block_outputs(graph.root()) {
            [one] => graph.ty(*one).clone(),
            several => Type::Tuple(several.iter().map(|v| graph.ty(*v).clone()).collect()),
        };
        Function { name, params, returns, graph }
    }
}

#[derive(Debug, Clone)]
pub struct Class {
    /// Qualified name, mangled as PyTorch does (`__torch__.m.___torch_mangle_0.C`).
    pub name: Arc<str>,
    pub kind: ClassKind,
    /// In the order of registration.
    pub attributes: NamedList<Attribute>,
    /// `Final[…]` and `__constants__`, in order.
    pub constants: Vec<(Arc<str>, Type, IValue)>,
    /// Simple names, in order; their functions are `<class>.<method>` in [`Unit::functions`].
    pub methods: NamedList<Arc<str>>,
    /// An interface's methods: schemas without graphs.
    pub interface: Vec<InterfaceMethod>,
    /// `@property`: name, getter's and setter's method.
    pub properties: Vec<(Arc<str>, Arc<str>, Option<Arc<str>>)>,
    /// Names of `__parameters__` and `__buffers__` as the archive listed them are in `attributes`; forward (pre-)hooks here.
    pub forward_pre_hooks: Vec<Arc<str>>,
    pub forward_hooks: Vec<Arc<str>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClassKind {
    /// `torch.nn.Module`
    Module,
    /// A script class.
    Script,
    Interface,
    ModuleInterface,
    /// Members and their values are in `constants`.
    Enum {
        value: Type,
    },
    /// Fields are in `attributes`; defaults in `constants`.
    NamedTuple,
}

#[derive(Debug, Clone)]
pub struct Attribute {
    pub name: Arc<str>,
    pub ty: Type,
    pub kind: AttributeKind,
}

impl HasName for Attribute {
    fn name(&self) -> &Arc<str> {
        &self.name
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttributeKind {
    Parameter,
    Buffer,
    Plain,
}

#[derive(Debug, Clone)]
pub struct InterfaceMethod {
    pub name: Arc<str>,
    pub params: Vec<Param>,
    pub returns: Type,
}

impl Class {
    /// A class with nothing in it.
    pub fn new(name: Arc<str>, kind: ClassKind) -> Class {
        Class {
            name,
            kind,
            attributes: NamedList::default(),
            constants: Vec::new(),
            methods: NamedList::default(),
            interface: Vec::new(),
            properties: Vec::new(),
            forward_pre_hooks: Vec::new(),
            forward_hooks: Vec::new(),
        }
    }
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.named(name)
    }
    pub fn has_method(&self, name: &str) -> bool {
        self.methods.named(name).is_some()
    }
    pub fn is_interface(&self) -> bool {
        matches!(self.kind, ClassKind::Interface | ClassKind::ModuleInterface)
    }
    pub fn is_module(&self) -> bool {
        matches!(self.kind, ClassKind::Module | ClassKind::ModuleInterface)
    }
}

/// The texts that a graph's nodes come from, and those of the graphs they hold.
fn add_sources(graph: &Graph, sources: &mut SourceMap) {
    for node in graph.walk(graph.root()) {
        if let Some(loc) = graph.loc(node) {
            sources.id(&loc.source);
        }
        if let Some(Attr::Graph(inner)) = graph.attr(node, "Subgraph") {
            add_sources(inner, sources);
        }
    }
}

impl Unit {
    /// The texts that its nodes come from.
    pub fn sources(&self) -> SourceMap {
        let mut sources = SourceMap::default();
        self.functions.values().for_each(|f| add_sources(&f.graph, &mut sources));
        sources
    }

    /// The type of the instances of a class; `Type::Class` also for names that are not defined.
    pub fn class_type(&self, qualified: &str) -> Type {
        let Some(class) = self.classes.get(qualified) else { return Type::Class(Arc::from(qualified)) };
        match &class.kind {
            ClassKind::Enum { .. } => Type::Enum(class.name.clone()),
            ClassKind::NamedTuple => Type::NamedTuple(Arc::new(NamedTuple {
                name: class.name.clone(),
                fields: class.attributes.iter().map(|a| (a.name.clone(), a.ty.clone())).collect(),
                defaults: Vec::new(),
            })),
            _ => Type::Class(class.name.clone()),
        }
    }
    /// The method `name` of a class.
    pub fn method(&self, class: &str, name: &str) -> Option<&Function> {
        self.functions.get(format!("{class}.{name}").as_str())
    }
}
