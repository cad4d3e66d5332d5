//! The torch dialect to units: what [`to_dialect`](crate::to_dialect) made comes back, and so does what passes made of it.

use crate::constants::value_of;
use crate::text::{attributes, is_silent, names, node_kind, value_type};
use crate::{Error, classes, schema};
use rustc_hash::FxHashMap;
use sconce_graph::graph::{Attr, BlockId, Graph, NodeId, ValueId};
use sconce_graph::listing::{Places, read_attribute, variable};
use sconce_graph::unit::{Function, Param, Unit};
use sconce_ir::prelude::*;
use sconce_schema::Type as TorchType;
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
    let mut places = Places::default();
    for op in ops {
        if op.is("torch.class_type") {
            let class = classes::read(op)?;
            unit.classes.insert(class.name.clone(), class);
        } else if op.is("func.func") && op.body(0).is_some() && op.attr("torch.with").is_none() {
            let f = read_function(op, &symbols, &mut places)?;
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
    read_function(op, &symbols, &mut Places::default())
}

pub(crate) fn read_function<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    symbols: &SymbolTable<'c, 'a>,
    places: &mut Places,
) -> Result<Function, Error> {
    let name: Arc<str> = op.symbol_name().unwrap_or_default().into();
    let graph = Reader { symbols, places, values: FxHashMap::default(), graph: Graph::new(), depth: 0 }.function(op)?;
    let said = op.str_attr("torch.schema").and_then(schema::read);
    let inputs = graph.block_inputs(graph.root());
    let (params, returns) = match said.filter(|(params, _)| params.len() == inputs.len()) {
        Some(said) => said,
        None => {
            let param = |(i, v): (usize, &ValueId)| Param {
                name: graph.name(*v).cloned().unwrap_or_else(|| format!("arg{i}").into()),
                ty: graph.ty(*v).clone(),
                default: None,
                keyword_only: false,
                list_size: None,
            };
            let returns = match graph.block_outputs(graph.root()) {
                [one] => graph.ty(*one).clone(),
                several => TorchType::Tuple(several.iter().map(|v| graph.ty(*v).clone()).collect()),
            };
            (inputs.iter().enumerate().map(param).collect(), returns)
        }
    };
    Ok(Function { name, params, returns, graph })
}

struct Reader<'c, 'a, 's> {
    symbols: &'s SymbolTable<'c, 'a>,
    places: &'s mut Places,
    values: FxHashMap<usize, ValueId>,
    graph: Graph,
    depth: usize,
}

fn inexpressible(op: OperationRef<'_, '_>, message: String) -> Error {
    let place = sconce_ir::location::Place::of(op.location()).map(|p| format!("{p}: ")).unwrap_or_default();
    Error::Inexpressible { place, message }
}

impl<'c: 'a, 'a> Reader<'c, 'a, '_> {
    fn function(mut self, op: OperationRef<'c, 'a>) -> Result<Graph, Error> {
        if self.depth > MAX_DEPTH {
            return Err(Error::TooDeep { function: op.symbol_name().unwrap_or_default().to_owned() });
        }
        let Some(entry) = op.body(0) else { return Ok(self.graph) };
        let kept = op.attr("torch.argument_types").and_then(attr::array_value).unwrap_or_default();
        let root = self.graph.root();
        self.block(root, entry, &kept)?;
        Ok(self.graph)
    }

    fn block(&mut self, block: BlockId, from: BlockRef<'c, 'a>, kept: &[Attribute<'c>]) -> Result<(), Error> {
        for (i, value) in from.args().into_iter().enumerate() {
            let ty = self.value_type(value, kept.get(i).copied())?;
            let name = names::read(value.loc(), 1).names.pop();
            let input = self.graph.add_input(block, name.as_deref().and_then(variable), ty);
            self.values.insert(value.id(), input);
        }
        let ops = from.ops();
        let Some((terminator, ops)) = ops.split_last() else { return Ok(()) };
        for op in ops {
            if is_silent(*op) {
                let operand = self.operands(*op)?[0];
                op.result_values().iter().for_each(|r| _ = self.values.insert(r.id(), operand));
            } else {
                let node = self.node(*op)?;
                self.graph.append(block, node);
            }
        }
        match terminator.op_name() {
            "func.return" | "torch.prim.If.yield" | "torch.prim.Loop.condition" | "torch.operator_terminator" => {}
            other => return Err(inexpressible(*terminator, format!("'{other}' is the end of no block of a graph"))),
        }
        let outputs = self.operands(*terminator)?;
        self.graph.set_block_outputs(block, &outputs);
        Ok(())
    }

    fn value_type(&self, value: Value<'c, 'a>, kept: Option<Attribute<'c>>) -> Result<TorchType, Error> {
        let mlir = value.r#type();
        value_type(mlir, kept).ok_or_else(|| Error::Inexpressible {
            place: sconce_ir::location::Place::of(value.loc()).map(|p| format!("{p}: ")).unwrap_or_default(),
            message: format!("{mlir} is no type of a graph's value"),
        })
    }

    fn operands(&self, op: OperationRef<'c, 'a>) -> Result<Vec<ValueId>, Error> {
        let missing = || inexpressible(op, "a value from outside of its function is used".to_owned());
        op.operand_values().into_iter().map(|v| self.values.get(&v.id()).copied().ok_or_else(missing)).collect()
    }

    fn node(&mut self, op: OperationRef<'c, 'a>) -> Result<NodeId, Error> {
        let results = op.result_values();
        let said = names::read(op.location(), results.len());
        let mut inputs = self.operands(op)?;
        if op.is("torch.prim.DictConstruct") {
            // All keys, then all values; in graphs they alternate.
            let (keys, values) = inputs.split_at(inputs.len() / 2);
            inputs = keys.iter().zip(values).flat_map(|(k, v)| [*k, *v]).collect();
        }
        let node = self.graph.node(self.kind(op)?, &inputs);
        self.attributes(op, node)?;
        let place = said.comment.as_deref().and_then(graph_text::source_location);
        let loc = place.map(|(file, line, column)| self.places.loc(file, line, column));
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
        let kept = op.attr("torch.types").and_then(attr::array_value).unwrap_or_default();
        let mut names = said.names.into_iter();
        for (i, value) in results.into_iter().enumerate() {
            let ty = match op.op_name() {
                "func.constant" => TorchType::Function,
                _ => self.value_type(value, kept.get(i).copied())?,
            };
            let name = names.next();
            let output = self.graph.add_output(node, name.as_deref().and_then(variable), ty);
            self.values.insert(value.id(), output);
        }
        Ok(node)
    }

    fn kind(&self, op: OperationRef<'c, 'a>) -> Result<String, Error> {
        match op.op_name() {
            "func.constant" => return Ok("prim::Constant".to_owned()),
            "func.call_indirect" => return Ok("prim::CallFunction".to_owned()),
            name if name.starts_with("torch.constant.") || name == "torch.tensor.literal" => {
                return Ok("prim::Constant".to_owned());
            }
            _ => {}
        }
        node_kind(op).ok_or_else(|| inexpressible(op, format!("'{}' is no node of a graph", op.op_name())))
    }

    fn attributes(&mut self, op: OperationRef<'c, 'a>, node: NodeId) -> Result<(), Error> {
        if op.is("func.constant") {
            let name = op.attr("value").and_then(attr::symbol_value).unwrap_or_default().join(".");
            self.graph.set_attr(node, "value", Attr::Function(name.into()));
            return Ok(());
        }
        if let Some(value) = value_of(op) {
            self.graph.set_attr(node, "value", Attr::Value(value));
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
            let (name, attr) =
                read_attribute(&kind, &name, &value, &ty).map_err(|e| inexpressible(op, e.to_string()))?;
            self.graph.set_attr(node, name, attr);
        }
        if let Some(path) = op.attr("torch.subgraph").and_then(attr::symbol_value) {
            let target = path.first().and_then(|name| self.symbols.get(name)).filter(|f| f.body(0).is_some());
            let target = target.ok_or_else(|| inexpressible(op, format!("@{} is no function", path.join("::"))))?;
            let inner = Reader {
                symbols: self.symbols,
                places: self.places,
                values: FxHashMap::default(),
                graph: Graph::new(),
                depth: self.depth + 1,
            };
            let inner = inner.function(target)?;
            self.graph.set_attr(node, "Subgraph", Attr::Graph(Box::new(inner)));
        }
        Ok(())
    }
}
