//! The functions of a program in numbers: a page names functions, nodes, values and blocks by their places in lists, so that no nesting of a program is one of the
//! document.

use crate::bounds::{MOST_CHARACTERS, MOST_NODES, cut};
use crate::groups::{Item, Member, items};
use crate::literals::Literals;
use crate::profile::{Cost, Profile, Site, type_text};
use crate::spread::spread;
use rustc_hash::FxHashMap;
use sconce_graph::graph::{Attr, BlockId, Graph, NodeId, ValueId};
use sconce_graph::listing::{Names, attribute};
use sconce_graph::unit::Unit;
use sconce_schema::Type;
use sconce_script::passes::callee;
use serde::Serialize;

/// A function of the program, or the body of a `prim::fork`.
#[derive(Serialize, Debug)]
pub struct Function {
    name: String,
    pub(crate) values: Vec<Value>,
    pub(crate) nodes: Vec<Node>,
    /// The first is the function's own.
    pub(crate) blocks: Vec<Block>,
}

#[derive(Serialize, Debug)]
pub(crate) struct Value {
    name: String,
    /// A number of the document's `types`.
    #[serde(rename = "type")]
    ty: u32,
    /// What stands in its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    literal: Option<String>,
    /// dtype and sizes, where the program says them.
    #[serde(skip_serializing_if = "Option::is_none")]
    shape: Option<String>,
    /// Types that it had in the calls of the profile.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) seen: Vec<String>,
}

#[derive(Serialize, Debug)]
pub(crate) struct Node {
    pub(crate) kind: String,
    pub(crate) inputs: Vec<u32>,
    pub(crate) outputs: Vec<u32>,
    /// A number of the document's `parameters`: what the inputs are to the operator.
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    attributes: Vec<(String, String)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) blocks: Vec<u32>,
    /// The function that it calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) calls: Option<u32>,
    /// The submodule whose method that is, from the caller's module on.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    /// `file:line:column`
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    /// Its result stands where it is used, and it has no box.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    folded: bool,
    #[serde(flatten)]
    cost: Option<Cost>,
}

#[derive(Serialize, Debug)]
pub(crate) struct Block {
    pub(crate) inputs: Vec<u32>,
    pub(crate) outputs: Vec<u32>,
    items: Vec<Item>,
}

/// A graph that a page has, and what it is called.
pub struct Shown<'g> {
    pub graph: &'g Graph,
    pub name: String,
}

impl Shown<'_> {
    /// Where a node stands.
    pub fn site(&self, node: NodeId) -> Option<Site> {
        Some(Site { place: self.graph.loc(node)?.to_string(), function: self.name.clone() })
    }
}

/// The graphs of a program in the order of the page: the entry, what it calls, and the rest.
pub struct Graphs<'g> {
    unit: &'g Unit,
    pub shown: Vec<Shown<'g>>,
    by_name: FxHashMap<&'g str, u32>,
    /// Graphs that nodes hold, by function and node.
    held: FxHashMap<(usize, NodeId), u32>,
    nodes: usize,
    left_out: usize,
}

impl<'g> Graphs<'g> {
    /// None where the unit has no such function.
    pub fn new(unit: &'g Unit, entry: &str) -> Option<Graphs<'g>> {
        let (by_name, held) = (FxHashMap::default(), FxHashMap::default());
        let mut graphs = Graphs { unit, shown: Vec::new(), by_name, held, nodes: 0, left_out: 0 };
        graphs.function(entry).then_some(())?;
        let mut at = 0;
        graphs.follow(&mut at);
        for name in unit.functions.keys() {
            graphs.function(name);
            graphs.follow(&mut at);
        }
        Some(graphs)
    }

    /// What could not be shown.
    pub fn omitted(&self) -> Option<String> {
        let left_out = self.left_out;
        (left_out > 0).then(|| format!("{left_out} functions: a page has no more than {MOST_NODES} nodes"))
    }

    /// Adds what is called from a place in the list on.
    fn follow(&mut self, at: &mut usize) {
        while let Some(shown) = self.shown.get(*at) {
            let (graph, name) = (shown.graph, shown.name.clone());
            for node in graph.walk(graph.root()) {
                if let Some(callee) = callee(self.unit, graph, node) {
                    self.function(&callee);
                }
                for (_, attr) in graph.attrs(node) {
                    if let Attr::Graph(inner) = attr
                        && self.add(inner, format!("{} in {name}", graph.kind(node)))
                    {
                        self.held.insert((*at, node), self.shown.len() as u32 - 1);
                    }
                }
            }
            *at += 1;
        }
    }

    /// Adds a function of the unit once; is it there?
    fn function(&mut self, name: &str) -> bool {
        let Some((name, function)) = self.unit.functions.get_key_value(name) else { return false };
        if self.by_name.contains_key(&**name) {
            return true;
        }
        let added = self.add(&function.graph, name.to_string());
        if added {
            self.by_name.insert(name, self.shown.len() as u32 - 1);
        }
        added
    }

    fn add(&mut self, graph: &'g Graph, name: String) -> bool {
        let nodes = graph.walk(graph.root()).len();
        if self.nodes + nodes > MOST_NODES && !self.shown.is_empty() {
            self.left_out += 1;
            return false;
        }
        self.nodes += nodes;
        self.shown.push(Shown { graph, name });
        true
    }

    /// The function that a node calls.
    fn called(&self, at: usize, node: NodeId) -> Option<u32> {
        if let Some(held) = self.held.get(&(at, node)) {
            return Some(*held);
        }
        let name = callee(self.unit, self.shown[at].graph, node)?;
        self.by_name.get(&*name).copied()
    }
}

/// Texts that many values and nodes share, each once.
#[derive(Default)]
pub struct Table<T> {
    pub rows: Vec<T>,
    numbers: FxHashMap<T, u32>,
}

impl<T: Clone + Eq + std::hash::Hash> Table<T> {
    fn number(&mut self, row: T) -> u32 {
        let rows = &mut self.rows;
        *self.numbers.entry(row).or_insert_with_key(|row| {
            rows.push(row.clone());
            rows.len() as u32 - 1
        })
    }
}

/// What functions share.
#[derive(Default)]
pub struct Tables {
    pub types: Table<String>,
    /// Names of operators' arguments.
    pub parameters: Table<Vec<String>>,
}

/// The functions of a page.
pub fn functions(
    graphs: &Graphs<'_>,
    tables: &mut Tables,
    profile: Option<&Profile>,
    arguments: &[Option<String>],
) -> Vec<Function> {
    let mut functions: Vec<Function> = (0..graphs.shown.len())
        .map(|at| {
            let mut function = Writer::new(graphs, at, profile).function(tables);
            if at == 0 {
                function.give(graphs.shown[at].graph, arguments);
            }
            function
        })
        .collect();
    if profile.is_some() {
        spread(&mut functions);
    }
    functions
}

impl Function {
    /// Says with which types it was called; the object of a method is not among them.
    fn give(&mut self, graph: &Graph, arguments: &[Option<String>]) {
        let inputs = graph.block_inputs(graph.root());
        let is_bound = inputs.first().is_some_and(|own| matches!(graph.ty(*own), Type::Class(_)));
        let own = usize::from(is_bound && inputs.len() > arguments.len());
        for (value, seen) in self.blocks[0].inputs.iter().skip(own).zip(arguments) {
            self.values[*value as usize].seen.extend(seen.clone());
        }
    }
}

/// One function as it is written down.
struct Writer<'g> {
    graphs: &'g Graphs<'g>,
    at: usize,
    graph: &'g Graph,
    profile: Option<&'g Profile>,
    literals: Literals,
    names: Names,
    nodes: Vec<NodeId>,
    blocks: Vec<BlockId>,
    /// By the handles' numbers.
    value_numbers: FxHashMap<ValueId, u32>,
    node_numbers: FxHashMap<NodeId, u32>,
    block_numbers: FxHashMap<BlockId, u32>,
}

impl<'g> Writer<'g> {
    fn new(graphs: &'g Graphs<'g>, at: usize, profile: Option<&'g Profile>) -> Writer<'g> {
        let graph = graphs.shown[at].graph;
        let names = Names::of(graph);
        let nodes = graph.walk(graph.root());
        let inner = nodes.iter().flat_map(|n| graph.blocks(*n).iter().copied());
        let blocks: Vec<BlockId> = std::iter::once(graph.root()).chain(inner).collect();
        let inputs = blocks.iter().flat_map(|b| graph.block_inputs(*b).iter().copied());
        let outputs = nodes.iter().flat_map(|n| graph.outputs(*n).iter().copied());
        Writer {
            graphs,
            at,
            graph,
            profile,
            literals: Literals::of(graph, &names),
            names,
            value_numbers: inputs.chain(outputs).zip(0..).collect(),
            node_numbers: nodes.iter().copied().zip(0..).collect(),
            block_numbers: blocks.iter().copied().zip(0..).collect(),
            nodes,
            blocks,
        }
    }

    fn function(&self, tables: &mut Tables) -> Function {
        let mut values: Vec<(ValueId, u32)> = self.value_numbers.iter().map(|(v, n)| (*v, *n)).collect();
        values.sort_unstable_by_key(|(_, number)| *number);
        let mut values: Vec<Value> = values.into_iter().map(|(value, _)| self.value(value, tables)).collect();
        for node in &self.nodes {
            let seen = self.site(*node).and_then(|site| self.profile?.seen(self.graph.kind(*node), &site));
            for (value, seen) in self.graph.outputs(*node).iter().zip(seen.into_iter().flatten()) {
                values[self.value_numbers[value] as usize].seen.clone_from(seen);
            }
        }
        Function {
            name: cut(&self.graphs.shown[self.at].name, MOST_CHARACTERS),
            values,
            nodes: self.nodes.iter().map(|node| self.node(*node, tables)).collect(),
            blocks: self.blocks.iter().map(|block| self.block(*block)).collect(),
        }
    }

    fn value(&self, value: ValueId, tables: &mut Tables) -> Value {
        let ty = self.graph.ty(value);
        Value {
            name: cut(self.names.get(value), MOST_CHARACTERS),
            ty: tables.types.number(cut(&ty.to_string(), MOST_CHARACTERS)),
            literal: self.literals.text(value).map(str::to_owned),
            shape: type_text(ty),
            seen: Vec::new(),
        }
    }

    fn numbers(&self, values: &[ValueId]) -> Vec<u32> {
        values.iter().map(|v| self.value_numbers[v]).collect()
    }

    fn site(&self, node: NodeId) -> Option<Site> {
        self.graphs.shown[self.at].site(node)
    }

    fn node(&self, node: NodeId, tables: &mut Tables) -> Node {
        let graph = self.graph;
        let kind = graph.kind(node);
        let names =
            |entry: &sconce_schema::op::OpEntry| entry.schema().arguments.iter().map(|a| a.name.to_string()).collect();
        let attributes = graph.attrs(node).iter().filter_map(|(name, attr)| attribute(name, attr));
        let written =
            attributes.map(|(name, value)| (cut(name, MOST_CHARACTERS), cut(&value.to_string(), MOST_CHARACTERS)));
        let calls = self.graphs.called(self.at, node);
        let site = self.site(node);
        Node {
            kind: cut(kind, MOST_CHARACTERS),
            inputs: self.numbers(graph.inputs(node)),
            outputs: self.numbers(graph.outputs(node)),
            parameters: graph.overload(node).map(|entry| tables.parameters.number(names(entry))),
            attributes: written.collect(),
            blocks: graph.blocks(node).iter().map(|b| self.block_numbers[b]).collect(),
            path: calls.and_then(|_| self.literals.path(graph.input(node, 0)?)).map(str::to_owned),
            calls,
            folded: self.literals.is_folded(graph, node),
            cost: site.as_ref().and_then(|site| self.profile?.cost(kind, site)),
            place: site.map(|site| cut(&site.place, MOST_CHARACTERS)),
        }
    }

    fn block(&self, block: BlockId) -> Block {
        let graph = self.graph;
        let nodes = graph.block_nodes(block).iter().filter(|node| !self.literals.is_folded(graph, **node));
        let members: Vec<Member> =
            nodes.map(|node| Member { node: self.node_numbers[node], scope: graph.scope(*node) }).collect();
        Block {
            inputs: self.numbers(graph.block_inputs(block)),
            outputs: self.numbers(graph.block_outputs(block)),
            items: items(&members),
        }
    }
}
