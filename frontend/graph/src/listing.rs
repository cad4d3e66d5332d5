//! Graphs as graph text and back: every node, attribute, type and place that the text can say.
//!
//! Values are named as PyTorch names them: `%x.1` for the first value of the variable `x`, `%x` where control flow merges it, numbers for the
//! rest. Tensors print their elements rounded, and not at all beyond ten, so a graph that comes back from text has tensors like the original's.

use crate::graph::{self, Attr, BlockId, Graph, Loc, NodeId, ValueId};
use crate::unit::{Class, Function, Unit};
use rustc_hash::{FxHashMap, FxHashSet};
use sconce_kernels::text::{general, tensor_text};
use sconce_schema::Type;
use sconce_source::{SourceMap, Span};
use sconce_syntax::graph_text::{self, AttributeValue, Listing, PrintedTensor, Subgraph, Text, Use, Value};
use sconce_tensor::{Complex, Dict, DictKey, EnumValue, IValue, Tensor, Tuple};
use std::sync::Arc;

/// The graph and, after it, the graphs its nodes hold.
pub fn to_listing(graph: &Graph) -> Listing {
    let mut subgraphs = Vec::new();
    let graph = one_graph(graph, &mut subgraphs);
    Listing { graph, subgraphs }
}

/// The same with interfaces spelled as PyTorch spells them: `InterfaceType<Unary>`.
pub fn to_listing_in(unit: &Unit, graph: &Graph) -> Listing {
    let mut listing = to_listing(graph);
    let mut graphs: Vec<&mut graph_text::Graph> = vec![&mut listing.graph];
    graphs.extend(listing.subgraphs.iter_mut().map(|s| &mut s.graph));
    for graph in graphs {
        graph.inputs.iter_mut().for_each(|v| spell_interfaces(unit, v));
        spell_in_nodes(unit, &mut graph.nodes);
    }
    listing
}

fn spell_in_nodes(unit: &Unit, nodes: &mut [graph_text::Node]) {
    for node in nodes {
        node.outputs.iter_mut().for_each(|v| spell_interfaces(unit, v));
        for block in &mut node.blocks {
            block.inputs.iter_mut().for_each(|v| spell_interfaces(unit, v));
            spell_in_nodes(unit, &mut block.nodes);
        }
    }
}

fn spell_interfaces(unit: &Unit, value: &mut Value) {
    fn spelled(unit: &Unit, ty: &Type) -> Type {
        match ty {
            Type::Class(name) if unit.classes.get(name).is_some_and(Class::is_interface) => {
                Type::Class(format!("InterfaceType<{}>", name.rsplit('.').next().unwrap_or(name)).into())
            }
            other => other.map_children(&|t| spelled(unit, t)),
        }
    }
    value.ty = spelled(unit, &value.ty);
}

fn one_graph(graph: &Graph, subgraphs: &mut Vec<Subgraph>) -> graph_text::Graph {
    let root = graph.root();
    let mut writer = Writer { graph, names: Names::of(graph), held: Vec::new() };
    let inputs = writer.define(graph.block_inputs(root));
    let nodes = writer.nodes(root);
    let outputs = writer.uses(graph.block_outputs(root));
    for (name, held) in writer.held {
        // A graph's own graphs stand right after it.
        let at = subgraphs.len();
        let inner = one_graph(held, subgraphs);
        subgraphs.insert(at, Subgraph { name, graph: inner, span: Span::default() });
    }
    graph_text::Graph { inputs, nodes, outputs, span: Span::default() }
}

/// The names of a graph's values, unique in it.
pub struct Names(Vec<Option<String>>);

impl Names {
    /// Names for all values of a graph.
    pub fn of(graph: &Graph) -> Names {
        let mut naming = Naming {
            graph,
            names: Names(vec![None; graph.value_count()]),
            taken: FxHashSet::default(),
            last: FxHashMap::default(),
            unnamed: Vec::new(),
        };
        let root = graph.root();
        for value in graph.block_inputs(root) {
            naming.value(*value, graph.uses(*value).is_empty());
        }
        naming.block(root);
        let mut number = 0u64;
        for value in std::mem::take(&mut naming.unnamed) {
            while !naming.taken.insert(number.to_string()) {
                number += 1;
            }
            naming.names.0[value.index()] = Some(number.to_string());
        }
        naming.names
    }

    /// The name of a value, without `%`.
    pub fn get(&self, value: ValueId) -> &str {
        self.0.get(value.index()).and_then(Option::as_deref).unwrap_or("?")
    }
}

struct Naming<'g> {
    graph: &'g Graph,
    names: Names,
    taken: FxHashSet<String>,
    /// The last number given to a variable's values.
    last: FxHashMap<Arc<str>, u64>,
    unnamed: Vec<ValueId>,
}

impl Naming<'_> {
    fn block(&mut self, block: BlockId) {
        for node in self.graph.block_nodes(block) {
            let merges = matches!(&**self.graph.kind(*node), "prim::If" | "prim::Loop");
            for value in self.graph.outputs(*node) {
                self.value(*value, merges);
            }
            for inner in self.graph.blocks(*node) {
                for value in self.graph.block_inputs(*inner) {
                    self.value(*value, false);
                }
                self.block(*inner);
            }
        }
    }

    fn value(&mut self, value: ValueId, bare: bool) {
        if let Some(label) = self.graph.label(value) {
            if self.taken.insert(label.to_string()) {
                self.names.0[value.index()] = Some(label.to_string());
                return;
            }
            // `x` and `x.1` become `x.2`, as when PyTorch gives a name that is taken; numbers become other numbers.
            let Some(stem) = variable(label).map(Arc::from) else { return self.unnamed.push(value) };
            return self.numbered(value, &stem);
        }
        let Some(name) = self.graph.name(value).filter(|n| is_name(n)).cloned() else {
            self.unnamed.push(value);
            return;
        };
        if bare && self.taken.insert(name.to_string()) {
            self.names.0[value.index()] = Some(name.to_string());
            return;
        }
        self.numbered(value, &name);
    }

    fn numbered(&mut self, value: ValueId, name: &Arc<str>) {
        let number = self.last.entry(name.clone()).or_insert(0);
        let fresh = loop {
            *number += 1;
            let fresh = format!("{name}.{number}");
            if self.taken.insert(fresh.clone()) {
                break fresh;
            }
        };
        self.names.0[value.index()] = Some(fresh);
    }
}

/// A variable's name as graph text can say it.
fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.')
}

struct Writer<'g> {
    graph: &'g Graph,
    names: Names,
    /// Graphs that nodes hold, by the kind they print as.
    held: Vec<(String, &'g Graph)>,
}

impl<'g> Writer<'g> {
    fn define(&self, values: &[ValueId]) -> Vec<Value> {
        values
            .iter()
            .map(|v| Value {
                name: self.names.get(*v).to_owned(),
                ty: self.graph.ty(*v).clone(),
                span: Span::default(),
            })
            .collect()
    }

    fn uses(&self, values: &[ValueId]) -> Vec<Use> {
        values.iter().map(|v| Use { name: self.names.get(*v).to_owned(), span: Span::default() }).collect()
    }

    fn nodes(&mut self, block: BlockId) -> Vec<graph_text::Node> {
        self.graph.block_nodes(block).iter().map(|n| self.node(*n)).collect()
    }

    fn node(&mut self, node: NodeId) -> graph_text::Node {
        let graph = self.graph;
        let mut kind = graph.kind(node).to_string();
        let mut attributes = Vec::new();
        for (name, attr) in graph.attrs(node) {
            if let Attr::Graph(inner) = attr {
                kind = format!("{kind}_{}", self.held.len());
                self.held.push((kind.clone(), inner));
            } else if let Some((name, value)) = attribute(name, attr) {
                attributes.push(graph_text::Attribute { name: name.to_owned(), value, span: Span::default() });
            }
        }
        let blocks = graph.blocks(node).iter().map(|b| self.block(*b)).collect();
        graph_text::Node {
            outputs: self.define(graph.outputs(node)),
            kind,
            attributes,
            inputs: self.uses(graph.inputs(node)),
            scope: graph.scope(node).map(str::to_owned),
            comment: graph.comment(node).map(str::to_owned).or_else(|| graph.loc(node).map(Loc::to_string)),
            blocks,
            span: Span::default(),
        }
    }

    fn block(&mut self, block: BlockId) -> graph_text::Block {
        let inputs = self.define(self.graph.block_inputs(block));
        let nodes = self.nodes(block);
        let outputs = self.uses(self.graph.block_outputs(block));
        graph_text::Block { inputs, nodes, outputs, span: Span::default() }
    }
}

/// How an attribute prints; nothing for the value None.
pub fn attribute<'a>(name: &'a str, attr: &Attr) -> Option<(&'a str, AttributeValue)> {
    let value = match attr {
        Attr::Value(IValue::None) | Attr::Graph(_) => return None,
        Attr::Value(value) => value_text(value),
        Attr::Text(text) => text.clone(),
        Attr::Str(text) => AttributeValue::str(text),
        Attr::Int(n) => AttributeValue::Int(*n),
        Attr::Ints(list) => AttributeValue::List(list.iter().map(|n| AttributeValue::Int(*n)).collect()),
        Attr::Type(ty) => AttributeValue::Type(ty.clone()),
        Attr::Types(types) => AttributeValue::List(types.iter().cloned().map(AttributeValue::Type).collect()),
        // The text has no more than the last part.
        Attr::Function(name) => return Some(("name", AttributeValue::str(name.rsplit('.').next().unwrap_or(name)))),
    };
    Some((name, value))
}

/// A constant's value as graph text says it.
pub fn value_text(value: &IValue) -> AttributeValue {
    match value {
        // At the top a bool is a number.
        IValue::Bool(b) => AttributeValue::Int(i64::from(*b)),
        other => nested_text(other),
    }
}

fn nested_text(value: &IValue) -> AttributeValue {
    match value {
        IValue::None => AttributeValue::None,
        IValue::Bool(b) => AttributeValue::Bool(*b),
        IValue::Int(n) => AttributeValue::Int(*n),
        IValue::Double(x) => AttributeValue::Float(*x),
        IValue::Complex(c) => AttributeValue::Complex(c.re, c.im),
        IValue::Str(s) => AttributeValue::Str(Text { bytes: s.as_bytes().to_vec(), signed_octal: false }),
        IValue::Device(device) => AttributeValue::str(&device.to_string()),
        IValue::Tensor(t) => printed(t),
        IValue::List(list) => {
            let items = list.to_vec();
            match items.first() {
                Some(IValue::Tensor(_)) => AttributeValue::Opaque("[<Tensors>]".to_owned()),
                None => AttributeValue::Annotated(
                    Type::list(list.element.clone()),
                    Box::new(AttributeValue::List(Vec::new())),
                ),
                Some(_) => AttributeValue::List(items.iter().map(nested_text).collect()),
            }
        }
        IValue::Tuple(tuple) => AttributeValue::Tuple(tuple.items.iter().map(nested_text).collect()),
        IValue::Dict(dict) => AttributeValue::Dict(
            dict.read().iter().map(|(k, v)| (nested_text(&k.to_value()), nested_text(v))).collect(),
        ),
        IValue::Enum(member) => AttributeValue::Name(format!("{}.{}", member.class, member.name)),
        IValue::Object(object) => AttributeValue::Opaque(format!("<{}>", object.class)),
        IValue::Future(_) | IValue::Generator(_) | IValue::Uninitialized => {
            AttributeValue::Opaque("<Value>".to_owned())
        }
    }
}

/// The number of elements up to which a tensor's are printed.
const PRINTED_ELEMENTS: usize = 10;

fn printed(t: &Tensor) -> AttributeValue {
    let text = match t.numel() {
        1 => match t.contiguous().ok().and_then(|t| t.to_f64().first().copied()) {
            Some(x) => format!("{{{}}}", general(x, 6)),
            None => return AttributeValue::Opaque("<Tensor>".to_owned()),
        },
        n if n <= PRINTED_ELEMENTS => tensor_text(t).unwrap_or_else(|e| e.to_string()).replace('\n', " "),
        _ => return AttributeValue::Opaque("<Tensor>".to_owned()),
    };
    AttributeValue::Tensor(text)
}

/// Why a listing is no graph.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    #[error("no value is called %{name} here")]
    Undefined { name: String, span: Span },
    #[error("the `with` graphs refer to each other in a circle, or nest too deeply")]
    Circle,
    #[error("{kind}[{name}={value}] of type {ty} is not fully written in the text")]
    Value { kind: String, name: String, value: String, ty: Type },
}

/// The graph that a listing says, its constants as values and its variables by their names alone. Places are taken from comments.
///
/// # Errors
/// Constants whose value the text leaves out, and values that are used where they are not defined.
pub fn from_listing(listing: &Listing) -> Result<Graph, Error> {
    let resolved = listing.resolve().ok_or(Error::Circle)?;
    Reader::read(resolved.tree, Manner::Meant, &mut Spans::default())
}

/// The functions of a text that is to run: a listing called `name`, or one under each line `== name`. A constant whose value the text leaves out costs only
/// whoever runs it.
///
/// # Errors
/// What is no graph text, with its place; values defined twice, control flow of the wrong shape.
pub fn read_program(file: &str, text: &str, name: &str) -> Result<Unit, sconce_syntax::Error> {
    read_unit(file, text, name, Manner::Program)
}

/// The same to be looked at: values keep their names, nodes their scopes and comments, and attributes that the text leaves out what it says of them.
///
/// # Errors
/// Those of [`read_program`].
pub fn read_shown(file: &str, text: &str, name: &str) -> Result<Unit, sconce_syntax::Error> {
    read_unit(file, text, name, Manner::Shown)
}

fn read_unit(file: &str, text: &str, name: &str, manner: Manner) -> Result<Unit, sconce_syntax::Error> {
    let mut methods = graph_text::read_methods(file, text)?;
    if let [(only, _)] = methods.as_mut_slice()
        && only.is_empty()
    {
        *only = name.to_owned();
    }
    let mut unit = Unit::default();
    for (name, listing) in methods {
        graph_text::lint(file, text, &listing)?;
        let resolved = listing.resolve().ok_or(Error::Circle);
        let graph = resolved.and_then(|r| Reader::read(r.tree, manner, &mut Spans::default()));
        let wrong = |e: Error| sconce_syntax::Error::new(file, text, listing.graph.span, e.to_string());
        let name = free_name(&unit, if name.is_empty() { "graph" } else { &name });
        unit.functions.insert(name.clone(), Function::of_graph(name, graph.map_err(wrong)?));
    }
    Ok(unit)
}

/// The name, with a number if it is taken.
fn free_name(unit: &Unit, wanted: &str) -> Arc<str> {
    let numbered = (1..).map(|n| format!("{wanted}_{n}"));
    let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
    let free = names.find(|name| !unit.functions.contains_key(name.as_str()));
    free.unwrap_or_default().into()
}

/// A listing as graphs that print as it was written: values keep their names, and attributes their text.
pub struct Written<'l> {
    pub graph: Graph,
    /// `with` graphs that no node means, by name.
    pub unused: Vec<(&'l str, Graph)>,
    pub spans: Spans,
}

/// Where in the text nodes stand, and values are defined and used; of the graph and all that its nodes hold.
#[derive(Default)]
pub struct Spans {
    pub values: FxHashMap<ValueId, Span>,
    pub uses: FxHashMap<graph::Use, Span>,
    /// Nodes, as far as their closing bracket.
    pub nodes: FxHashMap<NodeId, Span>,
}

/// The graphs that a listing says, as it says it: also constants that are not fully written, which no program can run.
///
/// # Errors
/// Values that are used where they are not defined, and `with` graphs in a circle.
pub fn as_written(listing: &Listing) -> Result<Written<'_>, Error> {
    let resolved = listing.resolve().ok_or(Error::Circle)?;
    let mut spans = Spans::default();
    let graph = Reader::read(resolved.tree, Manner::AsWritten, &mut spans)?;
    let mut unused = Vec::new();
    for index in resolved.unused {
        let Subgraph { name, graph, .. } = &listing.subgraphs[index];
        let tree = graph_text::SubgraphTree { graph, children: Vec::new() };
        unused.push((name.as_str(), Reader::read(tree, Manner::AsWritten, &mut spans)?));
    }
    Ok(Written { graph, unused, spans })
}

#[derive(Clone, Copy, PartialEq)]
enum Manner {
    Meant,
    /// What the text does not say of an attribute is left out.
    Program,
    /// The same with names and scopes, and what the text says of such an attribute.
    Shown,
    AsWritten,
}

impl Manner {
    fn keeps_names(self) -> bool {
        matches!(self, Manner::Shown | Manner::AsWritten)
    }
}

struct Reader<'a, 's> {
    graph: Graph,
    manner: Manner,
    values: FxHashMap<&'a str, ValueId>,
    /// What definitions hid, to be put back at the end of their block.
    hidden: Vec<(&'a str, Option<ValueId>)>,
    children: std::iter::Peekable<std::vec::IntoIter<(&'a str, graph_text::SubgraphTree<'a>)>>,
    sources: SourceMap,
    spans: &'s mut Spans,
}

impl<'a, 's> Reader<'a, 's> {
    fn read(tree: graph_text::SubgraphTree<'a>, manner: Manner, spans: &'s mut Spans) -> Result<Graph, Error> {
        let mut reader = Reader {
            graph: Graph::new(),
            manner,
            values: FxHashMap::default(),
            hidden: Vec::new(),
            children: tree.children.into_iter().peekable(),
            sources: SourceMap::default(),
            spans,
        };
        let root = reader.graph.root();
        reader.block(root, &tree.graph.inputs, &tree.graph.nodes, &tree.graph.outputs)?;
        Ok(reader.graph)
    }

    fn block(
        &mut self,
        block: BlockId,
        inputs: &'a [Value],
        nodes: &'a [graph_text::Node],
        outputs: &'a [Use],
    ) -> Result<(), Error> {
        let mark = self.hidden.len();
        for input in inputs {
            let value = self.graph.add_input(block, variable(&input.name), input.ty.clone());
            self.define(input, value);
        }
        for node in nodes {
            self.node(block, node)?;
        }
        let values = self.uses(outputs)?;
        self.graph.set_block_outputs(block, &values);
        self.note_uses(outputs, |i| graph::Use::Block(block, i));
        for (name, old) in self.hidden.drain(mark..).rev() {
            match old {
                Some(old) => self.values.insert(name, old),
                None => self.values.remove(name),
            };
        }
        Ok(())
    }

    fn define(&mut self, said: &'a Value, value: ValueId) {
        let old = self.values.insert(&said.name, value);
        self.hidden.push((&said.name, old));
        if self.manner.keeps_names() {
            self.graph.set_label(value, Some(&said.name));
            self.spans.values.insert(value, said.span);
        }
    }

    fn uses(&self, uses: &[Use]) -> Result<Vec<ValueId>, Error> {
        let undefined = |u: &Use| Error::Undefined { name: u.name.clone(), span: u.span };
        uses.iter().map(|u| self.values.get(u.name.as_str()).copied().ok_or_else(|| undefined(u))).collect()
    }

    fn note_uses(&mut self, uses: &[Use], of: impl Fn(u32) -> graph::Use) {
        if self.manner == Manner::AsWritten {
            self.spans.uses.extend((0..).zip(uses).map(|(i, u)| (of(i), u.span)));
        }
    }

    fn node(&mut self, block: BlockId, node: &'a graph_text::Node) -> Result<(), Error> {
        let inputs = self.uses(&node.inputs)?;
        let mut kind = node.kind.as_str();
        let child = self.children.next_if(|(name, _)| *name == kind);
        if child.is_some() {
            kind = kind.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
        }
        let id = self.graph.node(kind, &inputs);
        self.note_uses(&node.inputs, |i| graph::Use::Node(id, i));
        if self.manner == Manner::AsWritten {
            self.spans.nodes.insert(id, node.span);
        }
        self.attributes(id, node)?;
        if let Some((_, tree)) = child {
            let inner = Reader::read(tree, self.manner, self.spans)?;
            self.graph.set_attr(id, "Subgraph", Attr::Graph(Box::new(inner)));
        }
        self.place(id, node);
        for inner in &node.blocks {
            let target = self.graph.add_block(id);
            self.block(target, &inner.inputs, &inner.nodes, &inner.outputs)?;
        }
        for output in &node.outputs {
            let value = self.graph.add_output(id, variable(&output.name), output.ty.clone());
            self.define(output, value);
        }
        self.graph.append(block, id);
        Ok(())
    }

    fn attributes(&mut self, id: NodeId, node: &graph_text::Node) -> Result<(), Error> {
        let kind = self.graph.kind(id).clone();
        for attribute in &node.attributes {
            let attr = match self.manner {
                Manner::AsWritten => Attr::Text(attribute.value.clone()),
                Manner::Meant | Manner::Program | Manner::Shown => {
                    let ty = node.outputs.first().map_or(Type::None, |v| v.ty.clone());
                    match read_attribute(&kind, &attribute.name, &attribute.value, &ty) {
                        Ok(attr) => attr,
                        Err(_) if self.manner == Manner::Program => continue,
                        Err(_) if self.manner == Manner::Shown => Attr::Text(attribute.value.clone()),
                        Err(e) => return Err(e),
                    }
                }
            };
            self.graph.set_attr(id, attribute.name.clone(), attr);
        }
        if self.manner != Manner::AsWritten && &*kind == "prim::Constant" && node.attributes.is_empty() {
            self.graph.set_attr(id, "value", Attr::Value(IValue::None));
        }
        Ok(())
    }

    /// The place that a comment says, and what scope and comment say else.
    fn place(&mut self, id: NodeId, node: &graph_text::Node) {
        let place = node.comment.as_deref().and_then(graph_text::source_location);
        let loc = place.map(|(file, line, column)| self.sources.place(file, (line, column), (line, column)));
        if self.manner.keeps_names() {
            if let Some(comment) = node.comment.as_deref().filter(|c| loc.as_ref().is_none_or(|l| l.to_string() != *c))
            {
                self.graph.set_comment(id, Some(comment));
            }
            if let Some(scope) = &node.scope {
                self.graph.set_scope(id, Some(scope));
            }
        }
        self.graph.set_loc(id, loc);
    }
}

/// The variable that a value's name tells: `x` of `x.1`; nothing of numbers.
pub fn variable(name: &str) -> Option<&str> {
    let stem = match name.rsplit_once('.') {
        Some((stem, number)) if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) => stem,
        _ => name,
    };
    is_name(stem).then_some(stem)
}

/// A node's attribute from its text; `ty` is the type of the node's first output.
///
/// # Errors
/// Values that the text does not hold.
pub fn read_attribute(kind: &str, name: &str, value: &AttributeValue, ty: &Type) -> Result<Attr, Error> {
    let written = || (kind != "prim::Constant").then(|| Attr::Text(value.clone()));
    let attr = match (kind, name, value) {
        ("prim::Constant", "value", value) => read_value(value, ty).map(Attr::Value),
        ("prim::Constant", "name", AttributeValue::Str(text)) => utf8(text).map(Attr::Function),
        (_, _, AttributeValue::Str(text)) => utf8(text).map(Attr::Str),
        (_, _, AttributeValue::Int(n)) => Some(Attr::Int(*n)),
        (_, _, AttributeValue::List(items)) => {
            let ints: Option<Vec<i64>> =
                items.iter().map(|i| if let AttributeValue::Int(n) = i { Some(*n) } else { None }).collect();
            let types = || items.iter().map(AttributeValue::as_type).collect::<Option<Vec<Type>>>().map(Attr::Types);
            ints.map(Attr::Ints).filter(|_| !items.is_empty()).or_else(types).or_else(written)
        }
        (_, _, value) => value.as_type().map(Attr::Type).or_else(written),
    };
    let missing =
        || Error::Value { kind: kind.to_owned(), name: name.to_owned(), value: value.to_string(), ty: ty.clone() };
    attr.ok_or_else(missing)
}

fn utf8(text: &Text) -> Option<Arc<str>> {
    std::str::from_utf8(&text.bytes).ok().map(Arc::from)
}

/// A value of a type from its text; nothing if the text does not hold all of it.
pub fn read_value(value: &AttributeValue, ty: &Type) -> Option<IValue> {
    Some(match (value, ty) {
        (AttributeValue::None, _) => IValue::None,
        (value, Type::Optional(inner)) => read_value(value, inner)?,
        (AttributeValue::Bool(b), _) => IValue::Bool(*b),
        (AttributeValue::Int(n), Type::Bool) => IValue::Bool(*n != 0),
        (AttributeValue::Int(n), Type::Float) => IValue::Double(*n as f64),
        (AttributeValue::Int(n), _) => IValue::Int(*n),
        (AttributeValue::Float(x), _) => IValue::Double(*x),
        (AttributeValue::Complex(re, im), _) => IValue::Complex(Box::new(Complex::new(*re, *im))),
        (AttributeValue::Str(text), Type::Device) => {
            IValue::Device(Arc::new(std::str::from_utf8(&text.bytes).ok()?.parse().ok()?))
        }
        (AttributeValue::Str(text), _) => IValue::str(std::str::from_utf8(&text.bytes).ok()?),
        (AttributeValue::List(items), Type::List(element)) => {
            let items = items.iter().map(|item| read_value(item, element)).collect::<Option<Vec<_>>>()?;
            IValue::list((**element).clone(), items)
        }
        (AttributeValue::Tuple(items), Type::Tuple(types)) if items.len() == types.len() => {
            let items = items.iter().zip(types.iter()).map(|(i, t)| read_value(i, t)).collect::<Option<Vec<_>>>()?;
            IValue::tuple(items)
        }
        (AttributeValue::Tuple(items), Type::NamedTuple(named)) if items.len() == named.fields.len() => {
            let items: Vec<IValue> =
                items.iter().zip(&named.fields).map(|(i, (_, t))| read_value(i, t)).collect::<Option<_>>()?;
            IValue::Tuple(Tuple::new(items, Some(named.clone())))
        }
        (AttributeValue::Dict(items), Type::Dict(key, value)) => {
            let dict = Dict::new((**key).clone(), (**value).clone());
            for (k, v) in items {
                dict.write().insert(DictKey::from_value(&read_value(k, key)?)?, read_value(v, value)?);
            }
            IValue::Dict(dict)
        }
        (AttributeValue::Annotated(ty, inner), _) => read_value(inner, ty)?,
        // The text does not say what the member's value is.
        (AttributeValue::Name(name), Type::Enum(class)) => {
            let member = name.rsplit('.').next()?;
            IValue::Enum(Arc::new(EnumValue {
                class: class.clone(),
                name: member.into(),
                value: IValue::Uninitialized,
            }))
        }
        (AttributeValue::Tensor(text), Type::Tensor(_)) => read_tensor(text)?,
        _ => return None,
    })
}

fn read_tensor(text: &str) -> Option<IValue> {
    let printed = PrintedTensor::read(text)?;
    let dtype = printed.dtype.unwrap_or(sconce_schema::DType::F32);
    let sizes = printed.sizes.unwrap_or_default();
    if let (sconce_schema::DType::I64, Some(integers)) = (dtype, &printed.integers) {
        let items = integers.clone();
        let fits = sconce_tensor::numel(&sizes) == Some(items.len());
        return fits.then(|| IValue::Tensor(Tensor::from_vec(items, &sizes)));
    }
    let values: Vec<f64> = printed.values.iter().map(|(re, _)| *re).collect();
    Tensor::from_f64(&values, &sizes, dtype).map(IValue::Tensor)
}
