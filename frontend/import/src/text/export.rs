//! The torch dialect to listings: names, types, scopes and comments as they were where they were kept, PyTorch's numbering elsewhere.

use super::{Error, attributes, constants, names, types};
use rustc_hash::{FxHashMap, FxHashSet};
use sconce_ir::location::Place;
use sconce_ir::prelude::*;
use sconce_ir::{BlockRef, Location, Module, OperationRef, Type as MlirType, Value};
use sconce_schema::Type;
use sconce_syntax::Span;
use sconce_syntax::graph_text::{
    self, Attribute, AttributeValue, Block, Graph, Listing, Node, Spelling, Subgraph, Use, read_type,
};

/// The functions of a module as graph text. Functions that only others refer to as `with` graphs stand after those; of several
/// other functions each stands under a line `== name`.
///
/// # Errors
/// Operations that graph text cannot say (of other dialects, with several blocks), with their places.
pub fn export(module: &Module<'_>, spelling: Spelling) -> Result<String, Error> {
    export_operation(module.as_operation(), spelling)
}

/// [`export`] on a module that somebody else holds.
///
/// # Errors
/// As [`export`].
pub fn export_operation(module: OperationRef<'_, '_>, spelling: Spelling) -> Result<String, Error> {
    let Some(body) = module.body(0) else { return Ok(String::new()) };
    let functions: Vec<OperationRef<'_, '_>> =
        body.ops().into_iter().filter(|op| op.is("func.func") && op.body(0).is_some()).collect();
    let roots: Vec<OperationRef<'_, '_>> =
        functions.iter().filter(|op| op.attr("torch.with").is_none()).copied().collect();
    let mut out = String::new();
    let named = roots.len() > 1 || module.attr(super::import::NAMED).is_some();
    for function in &roots {
        if named {
            out.push_str(&format!("== {}\n", function.symbol_name().unwrap_or_default()));
        }
        out.push_str(&export_function(*function)?.print(spelling));
    }
    Ok(out)
}

/// One function and the `with` graphs it refers to as a listing.
///
/// # Errors
/// As [`export`].
pub fn export_function(function: OperationRef<'_, '_>) -> Result<Listing, Error> {
    let symbols = function.parent().map(SymbolTable::of);
    let mut exporter = Exporter { symbols, subgraphs: Vec::new(), depth: 0 };
    let graph = exporter.function(function)?;
    let unused = function.attr("torch.unused").and_then(attr::array_value).unwrap_or_default();
    for symbol in unused {
        if let Some((target, name)) = exporter.target(symbol).and_then(|f| Some((f, f.str_attr("torch.with")?))) {
            let graph = exporter.function(target)?;
            exporter.subgraphs.push(Subgraph { name: name.to_owned(), graph, span: Span::default() });
        }
    }
    Ok(Listing { graph, subgraphs: exporter.subgraphs })
}

struct Exporter<'c, 'a> {
    symbols: Option<SymbolTable<'c, 'a>>,
    subgraphs: Vec<Subgraph>,
    /// `with` graphs around the current one.
    depth: usize,
}

fn inexpressible(location: Location<'_>, message: impl Into<String>) -> Error {
    Error::Inexpressible { place: Place::of(location), message: message.into() }
}

impl<'c: 'a, 'a> Exporter<'c, 'a> {
    fn target(&self, symbol: sconce_ir::Attribute<'c>) -> Option<OperationRef<'c, 'a>> {
        let path = attr::symbol_value(symbol)?;
        let [name] = path.as_slice() else { return None };
        self.symbols.as_ref()?.get(name).filter(|f| f.is("func.func") && f.body(0).is_some())
    }

    fn function(&mut self, function: OperationRef<'c, 'a>) -> Result<Graph, Error> {
        if self.depth > sconce_syntax::limits::MAX_SUBGRAPH_DEPTH {
            return Err(inexpressible(
                function.location(),
                "graphs refer to each other in a circle, or nest too deeply",
            ));
        }
        let Some(entry) = single_block(function, 0) else {
            return Err(inexpressible(function.location(), "a function of several blocks has no graph text"));
        };
        let mut body = Body { names: Names::of(entry), subgraphs: Vec::new() };
        let kept = function.attr("torch.argument_types").and_then(attr::array_value).unwrap_or_default();
        let mut inputs = Vec::new();
        for (i, value) in entry.args().into_iter().enumerate() {
            inputs.push(body.define(value, kept.get(i).copied())?);
        }
        let (nodes, outputs) = body.block(entry)?;
        let graph = Graph { inputs, nodes, outputs, span: Span::default() };
        // PyTorch prints a graph's own `with` graphs right after it.
        for (name, symbol) in body.subgraphs {
            let Some(target) = self.target(symbol) else {
                return Err(inexpressible(
                    function.location(),
                    format!("{name} refers to {symbol}, which is no function"),
                ));
            };
            let at = self.subgraphs.len();
            self.depth += 1;
            let graph = self.function(target)?;
            self.depth -= 1;
            self.subgraphs.insert(at, Subgraph { name, graph, span: Span::default() });
        }
        Ok(graph)
    }
}

/// Is it a cast that the importer put, and that graph text does not say?
pub fn is_silent(op: OperationRef<'_, '_>) -> bool {
    matches!(op.op_name(), "torch.derefine" | "torch.tensor_static_info_cast") && op.operand_values().len() == 1
}

fn single_block<'c: 'a, 'a>(op: OperationRef<'c, 'a>, region: usize) -> Option<BlockRef<'c, 'a>> {
    match op.region_refs().get(region)?.blocks().as_slice() {
        [block] => Some(*block),
        _ => None,
    }
}

/// The names of a graph's values: unique in the whole graph, as PyTorch's are.
struct Names {
    by_value: FxHashMap<usize, String>,
    next: u64,
    taken: FxHashSet<String>,
}

impl Names {
    fn of(entry: BlockRef<'_, '_>) -> Names {
        let mut names = Names { by_value: FxHashMap::default(), next: 0, taken: FxHashSet::default() };
        // Names that are kept go before numbers that are made up.
        let mut unnamed = Vec::new();
        names.collect(entry, &mut unnamed);
        for value in unnamed {
            let name = names.number();
            names.by_value.insert(value, name);
        }
        names
    }

    fn number(&mut self) -> String {
        loop {
            let name = self.next.to_string();
            self.next += 1;
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }

    fn collect(&mut self, block: BlockRef<'_, '_>, unnamed: &mut Vec<usize>) {
        for value in block.args() {
            self.value(value.id(), names::read(value.loc(), 1).names.pop(), unnamed);
        }
        for op in block.ops() {
            if is_silent(op) {
                continue;
            }
            let results = op.result_values();
            let mut said = names::read(op.location(), results.len()).names.into_iter();
            for value in results {
                self.value(value.id(), said.next(), unnamed);
            }
            for region in op.region_refs() {
                for block in region.blocks() {
                    self.collect(block, unnamed);
                }
            }
        }
    }

    fn value(&mut self, id: usize, name: Option<String>, unnamed: &mut Vec<usize>) {
        let Some(name) = name else {
            unnamed.push(id);
            return;
        };
        if self.taken.insert(name.clone()) {
            self.by_value.insert(id, name);
            return;
        }
        // `x` and `x.1` become `x.2`, as when PyTorch gives a name that is taken; numbers become other numbers.
        let stem = match name.rsplit_once('.') {
            Some((stem, number)) if number.bytes().all(|b| b.is_ascii_digit()) => stem,
            _ => &name,
        };
        if stem.bytes().all(|b| b.is_ascii_digit()) {
            unnamed.push(id);
            return;
        }
        let mut number = 1u64;
        let mut fresh = format!("{stem}.{number}");
        while !self.taken.insert(fresh.clone()) {
            number += 1;
            fresh = format!("{stem}.{number}");
        }
        self.by_value.insert(id, fresh);
    }
}

struct Body<'c> {
    names: Names,
    /// The `with` graphs of this graph: name, and the symbol of the function.
    subgraphs: Vec<(String, sconce_ir::Attribute<'c>)>,
}

impl<'c> Body<'c> {
    /// The value where it is defined; `kept` is its exact type.
    fn define<'a>(
        &mut self,
        value: Value<'c, 'a>,
        kept: Option<sconce_ir::Attribute<'c>>,
    ) -> Result<graph_text::Value, Error>
    where
        'c: 'a,
    {
        let name = self.name(value)?;
        let mlir = value.r#type();
        let ty = value_type(mlir, kept);
        let ty = ty.ok_or_else(|| inexpressible(value.loc(), format!("graph text has no type {mlir}")))?;
        Ok(graph_text::Value { name, ty, span: Span::default() })
    }

    fn name<'a>(&self, value: Value<'c, 'a>) -> Result<String, Error>
    where
        'c: 'a,
    {
        let mut value = value;
        while let Some(op) = value.defining_op().filter(|op| is_silent(*op))
            && let Some(operand) = op.operand_value(0)
        {
            value = operand;
        }
        let name = self.names.by_value.get(&value.id()).cloned();
        name.ok_or_else(|| inexpressible(value.loc(), "a value from outside of its function is used"))
    }

    fn uses<'a>(&self, values: &[Value<'c, 'a>]) -> Result<Vec<Use>, Error>
    where
        'c: 'a,
    {
        values.iter().map(|v| Ok(Use { name: self.name(*v)?, span: Span::default() })).collect()
    }

    /// The nodes of a block, and what it passes on.
    fn block<'a>(&mut self, block: BlockRef<'c, 'a>) -> Result<(Vec<Node>, Vec<Use>), Error>
    where
        'c: 'a,
    {
        let mut nodes = Vec::new();
        let ops = block.ops();
        let Some((terminator, ops)) = ops.split_last() else { return Ok((nodes, Vec::new())) };
        for op in ops {
            if !is_silent(*op) {
                self.op(*op, &mut nodes)?;
            }
        }
        match terminator.op_name() {
            "func.return" | "torch.prim.If.yield" | "torch.prim.Loop.condition" | "torch.operator_terminator" => {}
            other => return Err(inexpressible(terminator.location(), format!("graph text cannot say '{other}'"))),
        }
        let outputs = self.uses(&terminator.operand_values())?;
        Ok((nodes, outputs))
    }

    fn op<'a>(&mut self, op: OperationRef<'c, 'a>, nodes: &mut Vec<Node>) -> Result<(), Error>
    where
        'c: 'a,
    {
        let results = op.result_values();
        let said = names::read(op.location(), results.len());
        let kept = op.attr("torch.types").and_then(attr::array_value).unwrap_or_default();
        let mut outputs = Vec::new();
        for (i, value) in results.into_iter().enumerate() {
            outputs.push(self.define(value, kept.get(i).copied())?);
        }
        let mut node = Node {
            outputs,
            kind: String::new(),
            attributes: Vec::new(),
            inputs: self.uses(&op.operand_values())?,
            scope: said.scope,
            comment: said.comment,
            blocks: Vec::new(),
            span: Span::default(),
        };
        let mut add = |name: &str, value: AttributeValue| {
            node.attributes.push(Attribute { name: name.to_owned(), value, span: Span::default() });
        };
        if let Some(value) = constants::from_mlir(op) {
            node.kind = "prim::Constant".to_owned();
            if let Some(value) = value {
                add("value", value);
            }
        } else if op.is("func.call") {
            let callee = op.attr("callee").and_then(attr::symbol_value).unwrap_or_default().join(".");
            let name = self.names.number();
            nodes.push(Node {
                outputs: vec![graph_text::Value { name: name.clone(), ty: Type::Function, span: Span::default() }],
                kind: "prim::Constant".to_owned(),
                attributes: vec![Attribute {
                    name: "name".to_owned(),
                    value: AttributeValue::str(&callee),
                    span: Span::default(),
                }],
                inputs: Vec::new(),
                scope: None,
                comment: None,
                blocks: Vec::new(),
                span: Span::default(),
            });
            node.kind = "prim::CallFunction".to_owned();
            node.inputs.insert(0, Use { name, span: Span::default() });
        } else {
            let name = op.op_name();
            node.kind =
                node_kind(op).ok_or_else(|| inexpressible(op.location(), format!("graph text cannot say '{name}'")))?;
            if name != "torch.operator"
                && let Some(bytes) = op.attr("name").and_then(attr::bytes_value)
            {
                let text = graph_text::Text { bytes: bytes.to_vec(), signed_octal: false };
                add("name", AttributeValue::Str(text));
            }
            if name == "torch.prim.DictConstruct" {
                // All keys, then all values; in the text they alternate.
                let (keys, values) = node.inputs.split_at(node.inputs.len() / 2);
                node.inputs = keys.iter().zip(values).flat_map(|(k, v)| [k.clone(), v.clone()]).collect();
            }
        }
        for (name, value) in attributes::of(op) {
            node.attributes.push(Attribute { name, value, span: Span::default() });
        }
        if let Some(symbol) = op.attr("torch.subgraph") {
            node.kind = format!("{}_{}", node.kind, self.subgraphs.len());
            self.subgraphs.push((node.kind.clone(), symbol));
        }
        let block_types = op.attr("torch.block_types").and_then(attr::array_value).unwrap_or_default();
        for i in 0..op.region_refs().len() {
            let Some(body) = single_block(op, i) else {
                return Err(inexpressible(op.location(), "graph text cannot say a region of several blocks"));
            };
            let kept = block_types.get(i).and_then(|a| attr::array_value(*a)).unwrap_or_default();
            let mut inputs = Vec::new();
            for (k, value) in body.args().into_iter().enumerate() {
                inputs.push(self.define(value, kept.get(k).copied())?);
            }
            let (nodes, outputs) = self.block(body)?;
            node.blocks.push(Block { inputs, nodes, outputs, span: Span::default() });
        }
        nodes.push(node);
        Ok(())
    }
}

/// The kind of the node that an operation of the dialect is, if it is one: `aten::add` of `torch.aten.add.Tensor`.
pub fn node_kind(op: OperationRef<'_, '_>) -> Option<String> {
    let name = op.op_name();
    kind(if name == "torch.operator" { op.str_attr("name")? } else { name.strip_prefix("torch.")? })
}

/// The type of a value: `kept` is what `torch.types` and the like say beside the dialect's, unless that has changed since.
pub fn value_type(mlir: MlirType<'_>, kept: Option<sconce_ir::Attribute<'_>>) -> Option<Type> {
    kept.and_then(|k| kept_type(k, mlir)).or_else(|| types::from_mlir(mlir))
}

/// `aten::add` of `aten.add.Tensor`.
fn kind(dotted: &str) -> Option<String> {
    if dotted.starts_with('^') {
        return Some(dotted.to_owned());
    }
    let (namespace, rest) = dotted.split_once('.')?;
    let name = rest.split('.').next().unwrap_or(rest);
    let word = |text: &str| {
        text.starts_with(|c: char| !c.is_ascii_digit()) && text.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    (word(namespace) && word(name)).then(|| format!("{namespace}::{name}"))
}

/// The exact type that was kept beside `mlir`, unless that has changed since.
fn kept_type(kept: sconce_ir::Attribute<'_>, mlir: MlirType<'_>) -> Option<Type> {
    let pair = attr::array_value(kept)?;
    let [text, beside] = pair.as_slice() else { return None };
    (attr::type_value(*beside)? == mlir).then_some(())?;
    read_type(attr::str_value(*text)?).ok()
}
