//! The torch dialect to units: what [`to_dialect`](crate::to_dialect) made comes back, and so does what passes made of it.

use crate::constants::value_of;
use crate::function_schema;
use crate::text::{attributes, constants, is_silent, names, node_kind, value_type};
use crate::{Error, classes};
use rustc_hash::FxHashMap;
use sconce_graph::graph::{Attr, BlockId, Graph, Loc, NodeId, ValueId};
use sconce_graph::listing::{read_attribute, variable};
use sconce_graph::unit::{Function, Unit};
use sconce_ir::location::Place;
use sconce_ir::prelude::*;
use sconce_schema::Type as TorchType;
use sconce_source::SourceMap;
use sconce_syntax::graph_text::{self, AttributeValue, Text};
use std::sync::Arc;

/// Graphs within graphs.
const MAX_DEPTH: usize = 64;

/// The unit that a module says. Functions that only nodes refer to become graphs of those nodes.
///
/// # Errors
/// Operations of other dialects, with their places.
pub fn from_dialect(module: &Module<'_>) -> Result<Unit, Error> {
    let mut unit = Unit::default();
    let ops = module.as_operation().body(0).map(|b| b.ops()).unwrap_or_default();
    let symbols = SymbolTable::of(module.as_operation());
    let mut sources = SourceMap::default();
    for op in ops {
        if op.is("torch.class_type") {
            let class = classes::read(op)?;
            unit.classes.insert(class.name.clone(), class);
        } else if op.is("func.func") && op.body(0).is_some() && op.attr("torch.with").is_none() {
            let f = read_function(op, &symbols, &mut sources)?;
            unit.functions.insert(f.name.clone(), f);
        }
    }
    Ok(unit)
}

/// The function that a `func.func` says.
///
/// # Errors
/// As [`from_dialect`].
pub fn function_from_dialect(op: OperationRef<'_, '_>) -> Result<Function, Error> {
    let symbols = op.parent().map_or_else(|| SymbolTable::of(op), SymbolTable::of);
    read_function(op, &symbols, &mut SourceMap::default())
}

pub(crate) fn read_function<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    symbols: &SymbolTable<'c, 'a>,
    sources: &mut SourceMap,
) -> Result<Function, Error> {
    let graph = Reader::new(symbols, sources, false).function(op)?;
    Ok(with_schema(op, graph))
}

/// The graph with the schema that its function says.
pub(crate) fn with_schema(op: OperationRef<'_, '_>, graph: Graph) -> Function {
    let name: Arc<str> = op.symbol_name().unwrap_or_default().into();
    let said = function_schema::of(op);
    let inputs = graph.block_inputs(graph.root()).len();
    match said.filter(|(params, _)| params.len() == inputs) {
        Some((params, returns)) => Function { name, params, returns, graph },
        None => Function::of_graph(name, graph),
    }
}

/// The graph of a function, to be printed as graph text: names and attributes as they were written, also those that are no values.
pub(crate) fn graph_as_written<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    symbols: &SymbolTable<'c, 'a>,
) -> Result<Graph, Error> {
    Reader { as_written: true, ..Reader::new(symbols, &mut SourceMap::default(), false) }.function(op)
}

pub(crate) struct Reader<'c, 'a, 's> {
    pub symbols: &'s SymbolTable<'c, 'a>,
    /// The texts that locations are places in.
    pub sources: &'s mut SourceMap,
    /// Of a program that is to run, operations that graphs do not know become nodes too.
    pub is_program: bool,
    /// To be printed: names, scopes, comments and attributes are kept as they are.
    as_written: bool,
    values: FxHashMap<usize, ValueId>,
    pub graph: Graph,
    depth: usize,
}

/// Is it an operator, or structure that graphs have too? `torch.copy.to_tensor` and the like are the dialect's own.
fn is_operator(op: OperationRef<'_, '_>) -> bool {
    let local = op.op_name().strip_prefix("torch.");
    sconce_torch::entry(op).is_some()
        || local.is_some_and(|n| n == "operator" || ["aten.", "prim.", "prims."].iter().any(|p| n.starts_with(p)))
}

pub(crate) fn inexpressible(op: OperationRef<'_, '_>, message: String) -> Error {
    Error::Inexpressible { place: Place::of(op.location()), message }
}

impl<'c: 'a, 'a, 's> Reader<'c, 'a, 's> {
    pub fn new(symbols: &'s SymbolTable<'c, 'a>, sources: &'s mut SourceMap, is_program: bool) -> Self {
        Reader {
            symbols,
            sources,
            is_program,
            as_written: false,
            values: FxHashMap::default(),
            graph: Graph::new(),
            depth: 0,
        }
    }

    /// A reader of a graph within this one.
    pub fn inner(&mut self) -> Reader<'c, 'a, '_> {
        let (depth, as_written) = (self.depth + 1, self.as_written);
        Reader { depth, as_written, ..Reader::new(self.symbols, self.sources, self.is_program) }
    }

    pub fn function(mut self, op: OperationRef<'c, 'a>) -> Result<Graph, Error> {
        if self.depth > MAX_DEPTH {
            return Err(Error::TooDeep { function: op.symbol_name().unwrap_or_default().to_owned() });
        }
        let Some(entry) = op.body(0) else { return Ok(self.graph) };
        if op.region_refs().first().is_some_and(|region| region.blocks().len() > 1) {
            return Err(inexpressible(op, "a function of several blocks has no graph text".to_owned()));
        }
        let kept = op.attr("torch.argument_types").and_then(attr::array_value).unwrap_or_default();
        let root = self.graph.root();
        self.block(root, entry, &kept)?;
        Ok(self.graph)
    }

    pub fn block(&mut self, block: BlockId, from: BlockRef<'c, 'a>, kept: &[Attribute<'c>]) -> Result<(), Error> {
        for (i, value) in from.args().into_iter().enumerate() {
            let ty = self.value_type(value, kept.get(i).copied())?;
            let name = names::read(value.loc(), 1).names.pop();
            let input = self.graph.add_input(block, name.as_deref().and_then(variable), ty);
            self.define(value, input, name.as_deref());
        }
        let ops = from.ops();
        let Some((terminator, ops)) = ops.split_last() else { return Ok(()) };
        for op in ops {
            if self.is_program && self.program_node(block, *op)? {
                continue;
            }
            if is_silent(*op) {
                let operand = self.operands(*op)?[0];
                op.result_values().iter().for_each(|r| _ = self.values.insert(r.id(), operand));
            } else {
                let node = self.node(*op, block)?;
                self.graph.append(block, node);
            }
        }
        match terminator.op_name() {
            "func.return" | "torch.prim.If.yield" | "torch.prim.Loop.condition" | "torch.operator_terminator" => {}
            _ if self.is_program => {}
            other => return Err(inexpressible(*terminator, format!("'{other}' is the end of no block of a graph"))),
        }
        let outputs = self.operands(*terminator)?;
        self.graph.set_block_outputs(block, &outputs);
        Ok(())
    }

    fn value_type(&self, value: Value<'c, 'a>, kept: Option<Attribute<'c>>) -> Result<TorchType, Error> {
        let mlir = value.r#type();
        let known = value_type(mlir, kept).or(self.is_program.then_some(TorchType::Any));
        known.ok_or_else(|| Error::Inexpressible {
            place: Place::of(value.loc()),
            message: format!("{mlir} is no type of a graph's value"),
        })
    }

    pub fn operands(&self, op: OperationRef<'c, 'a>) -> Result<Vec<ValueId>, Error> {
        let missing = || inexpressible(op, "a value from outside of its function is used".to_owned());
        op.operand_values().into_iter().map(|v| self.values.get(&v.id()).copied().ok_or_else(missing)).collect()
    }

    fn define(&mut self, value: Value<'c, 'a>, id: ValueId, name: Option<&str>) {
        self.values.insert(value.id(), id);
        if self.as_written {
            self.graph.set_label(id, name);
        }
    }

    /// The node of an operation; what that needs beside it is put into the block.
    fn node(&mut self, op: OperationRef<'c, 'a>, block: BlockId) -> Result<NodeId, Error> {
        let results = op.result_values();
        let said = names::read(op.location(), results.len());
        let mut inputs = self.operands(op)?;
        if op.is("torch.prim.DictConstruct") {
            // All keys, then all values; in graphs they alternate.
            let (keys, values) = inputs.split_at(inputs.len() / 2);
            inputs = keys.iter().zip(values).flat_map(|(k, v)| [*k, *v]).collect();
        }
        if op.is("func.call") {
            inputs.insert(0, self.callee(op, block));
        }
        let node = self.graph.node(self.kind(op)?, &inputs);
        self.attributes(op, node)?;
        let loc = self.loc(op, said.comment.as_deref());
        if self.as_written {
            let comment = said.comment.as_deref().filter(|c| loc.as_ref().is_none_or(|l| l.to_string() != *c));
            if comment.is_some() {
                self.graph.set_comment(node, comment);
            }
            if let Some(scope) = &said.scope {
                self.graph.set_scope(node, Some(scope));
            }
        }
        self.graph.set_loc(node, loc);
        let block_types = op.attr("torch.block_types").and_then(attr::array_value).unwrap_or_default();
        for (i, region) in op.region_refs().into_iter().enumerate() {
            let [body] = region.blocks()[..] else {
                return Err(inexpressible(op, "a region of several blocks is no block of a graph".to_owned()));
            };
            let kept = block_types.get(i).and_then(|a| attr::array_value(*a)).unwrap_or_default();
            let block = self.graph.add_block(node);
            self.block(block, body, &kept)?;
        }
        self.results(op, node, said.names)?;
        Ok(node)
    }

    /// The results of an operation as a node's outputs.
    pub fn results(&mut self, op: OperationRef<'c, 'a>, node: NodeId, names: Vec<String>) -> Result<(), Error> {
        let kept = op.attr("torch.types").and_then(attr::array_value).unwrap_or_default();
        let mut names = names.into_iter();
        for (i, value) in op.result_values().into_iter().enumerate() {
            let ty = match op.op_name() {
                "func.constant" => TorchType::Function,
                _ => self.value_type(value, kept.get(i).copied())?,
            };
            let name = names.next();
            let output = self.graph.add_output(node, name.as_deref().and_then(variable), ty);
            self.define(value, output, name.as_deref());
        }
        Ok(())
    }

    /// Where an operation comes from.
    pub fn loc(&mut self, op: OperationRef<'_, '_>, comment: Option<&str>) -> Option<Loc> {
        if self.is_program
            && let Some(place) = Place::of(op.location())
        {
            let small =
                |(line, column): (usize, usize)| (u32::try_from(line).unwrap_or(0), u32::try_from(column).unwrap_or(0));
            return Some(self.sources.place(&place.file, small((place.line, place.column)), small(place.end)));
        }
        let (file, line, column) = graph_text::source_location(comment?)?;
        Some(self.sources.place(file, (line, column), (line, column)))
    }

    /// A constant that is the function that an operation calls by name.
    pub fn callee(&mut self, op: OperationRef<'c, 'a>, block: BlockId) -> ValueId {
        let name = op.attr("callee").and_then(attr::symbol_value).unwrap_or_default().join(".");
        let node = self.graph.node("prim::Constant", &[]);
        self.graph.set_attr(node, "value", Attr::Function(name.into()));
        self.graph.append(block, node);
        self.graph.add_output(node, None, TorchType::Function)
    }

    fn kind(&self, op: OperationRef<'c, 'a>) -> Result<String, Error> {
        match op.op_name() {
            "func.constant" => return Ok("prim::Constant".to_owned()),
            "func.call_indirect" | "func.call" => return Ok("prim::CallFunction".to_owned()),
            name if name.starts_with("torch.constant.") || name.ends_with("tensor.literal") => {
                return Ok("prim::Constant".to_owned());
            }
            _ => {}
        }
        let is_foreign = self.is_program && !is_operator(op);
        let kind = if is_foreign { Some(op.op_name().to_owned()) } else { node_kind(op) };
        kind.ok_or_else(|| inexpressible(op, format!("'{}' is no node of a graph", op.op_name())))
    }

    fn attributes(&mut self, op: OperationRef<'c, 'a>, node: NodeId) -> Result<(), Error> {
        if op.is("func.constant") {
            let name = op.attr("value").and_then(attr::symbol_value).unwrap_or_default().join(".");
            self.graph.set_attr(node, "value", Attr::Function(name.into()));
            return Ok(());
        }
        let literal = match constants::from_mlir(op).filter(|_| self.as_written) {
            Some(None) => return Ok(()),
            Some(said) => said.map(Attr::Text),
            None if self.as_written => None,
            None => value_of(op).map(Attr::Value),
        };
        if let Some(value) = literal {
            self.graph.set_attr(node, "value", value);
            return Ok(());
        }
        let kind = self.graph.kind(node).clone();
        let mut said = attributes::of(op);
        if !op.is("torch.operator")
            && let Some(bytes) = op.attr("name").and_then(attr::bytes_value)
        {
            said.insert(
                0,
                ("name".to_owned(), AttributeValue::Str(Text { bytes: bytes.to_vec(), signed_octal: false })),
            );
        }
        let ty = op.result_types().first().and_then(|ty| value_type(*ty, None)).unwrap_or(TorchType::None);
        for (name, value) in said {
            let attr = match read_attribute(&kind, &name, &value, &ty) {
                _ if self.as_written => Attr::Text(value),
                Ok(attr) => attr,
                // Whoever needs it finds that it is not there.
                Err(_) if self.is_program => continue,
                Err(e) => return Err(inexpressible(op, e.to_string())),
            };
            self.graph.set_attr(node, name, attr);
        }
        if let Some(path) = op.attr("torch.subgraph").and_then(attr::symbol_value) {
            let target = path.first().and_then(|name| self.symbols.get(name)).filter(|f| f.body(0).is_some());
            let target = target.ok_or_else(|| inexpressible(op, format!("@{} is no function", path.join("::"))))?;
            let inner = self.inner().function(target)?;
            self.graph.set_attr(node, "Subgraph", Attr::Graph(Box::new(inner)));
        }
        Ok(())
    }
}
