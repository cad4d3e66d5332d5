//! Units to the torch dialect: every node becomes the most telling operation that verifies, and nothing of the graph is lost.

use crate::constants::Constants;
use crate::function_schema;
use crate::objects::Objects;
use crate::text::names;
use crate::text::node::{Described, Nodes, carried, is_if, is_loop};
use crate::{Error, classes};
use rustc_hash::FxHashMap;
use sconce_graph::graph::{Attr, BlockId, Graph, NodeId, Use, ValueId};
use sconce_graph::instances::Instances;
use sconce_graph::listing::{Names, attribute};
use sconce_graph::unit::{Function, Unit};
use sconce_ir::FunctionType;
use sconce_ir::builder::function;
use sconce_ir::prelude::*;
use sconce_schema::Type as TorchType;
use sconce_syntax::graph_text::AttributeValue;

/// Graphs within graphs.
const MAX_DEPTH: usize = 64;

/// A module with the classes and functions of a unit, verified.
///
/// # Errors
/// Types and constants that the dialect cannot hold, and graphs that are not sound.
pub fn to_dialect<'c>(context: &'c Context, unit: &Unit) -> Result<Module<'c>, Error> {
    with_object(context, unit, &Instances::default())
}

/// As [`to_dialect`], with an object and those that it holds.
///
/// # Errors
/// As [`to_dialect`]; an object of a class that the unit does not have.
pub fn with_object<'c>(context: &'c Context, unit: &Unit, objects: &Instances) -> Result<Module<'c>, Error> {
    sconce_ir::context::load(context, &["func", "torch"]);
    let module = Module::new(Location::unknown(context));
    {
        let top = Builder::at_end(context, module.body());
        let mut importer = Importer::new(context, unit);
        for class in unit.classes.values() {
            classes::class_type(&top, &mut importer.nodes, &mut importer.constants, unit, class)?;
        }
        for f in unit.functions.values() {
            importer.function(&top, f)?;
        }
        Objects::new(&top, &mut importer.nodes, &mut importer.constants, unit).put(objects)?;
        if let Some(entry) = &unit.entry {
            module.as_operation().set_attr("torch.entry", attr::symbol(context, entry));
        }
    }
    sconce_ir::text::verify(module.as_operation())?;
    Ok(module)
}

pub(crate) struct Importer<'c, 'u> {
    context: &'c Context,
    unit: &'u Unit,
    nodes: Nodes<'c>,
    constants: Constants,
    /// Symbols of graphs within graphs.
    taken: FxHashMap<String, u32>,
    /// What was looked at last: of an error, where it is.
    pub at: Option<At>,
}

/// A value where it is defined, or where it is used.
#[derive(Clone, Copy)]
pub(crate) enum At {
    Value(ValueId),
    Use(Use),
}

/// A graph that is being built.
struct Body<'c, 'a, 'g> {
    graph: &'g Graph,
    names: Names,
    /// By value.
    values: Vec<Option<Value<'c, 'a>>>,
    symbol: String,
    /// Graphs that nodes hold: symbol, name as in graph text, graph.
    held: Vec<(String, String, &'g Graph)>,
    depth: usize,
}

impl<'c, 'u> Importer<'c, 'u> {
    /// Makes functions of the unit.
    pub fn new(context: &'c Context, unit: &'u Unit) -> Self {
        Importer {
            context,
            unit,
            nodes: Nodes::new(context),
            constants: Constants::default(),
            taken: FxHashMap::default(),
            at: None,
        }
    }
}

impl<'c: 'm, 'm> Importer<'c, '_> {
    fn mlir_type(&mut self, body: &str, ty: &TorchType) -> Result<Type<'c>, Error> {
        let known = self.nodes.mlir_type(ty);
        known.ok_or_else(|| Error::NoType { function: body.to_owned(), ty: ty.clone() })
    }

    fn value_type(&mut self, body: &Body<'c, '_, '_>, value: ValueId) -> Result<Type<'c>, Error> {
        self.at = Some(At::Value(value));
        self.mlir_type(&body.symbol, body.graph.ty(value))
    }

    /// Puts a function, and the graphs that it holds.
    pub fn function(&mut self, top: &Builder<'c, 'm>, f: &Function) -> Result<OperationRef<'c, 'm>, Error> {
        let op = self.graph(top, &f.name, &f.graph, Some(&f.returns), 0)?;
        // A class names its methods; who calls them, calls the class.
        let class = f.name.rsplit_once('.').and_then(|(class, method)| Some((self.unit.classes.get(class)?, method)));
        if class.is_some_and(|(class, method)| class.has_method(method)) {
            op.set_attr("sym_visibility", attr::string(self.context, "private"));
        }
        function_schema::put(op, f);
        Ok(op)
    }

    /// A function for a graph, and private ones for those it holds.
    pub fn graph(
        &mut self,
        top: &Builder<'c, 'm>,
        symbol: &str,
        graph: &Graph,
        returns: Option<&TorchType>,
        depth: usize,
    ) -> Result<OperationRef<'c, 'm>, Error> {
        if depth > MAX_DEPTH {
            return Err(Error::TooDeep { function: symbol.to_owned() });
        }
        let names = Names::of(graph);
        let mut body = Body {
            graph,
            names,
            values: vec![None; graph.value_count()],
            symbol: symbol.to_owned(),
            held: Vec::new(),
            depth,
        };
        let inputs = graph.block_inputs(graph.root());
        let arguments = self.arguments(&body, inputs, &[])?;
        let unknown = Location::unknown(self.context);
        let op = top.insert(function(symbol, &arguments, &[], unknown)?);
        let Some(entry) = op.body(0) else { return Ok(op) };
        body.define(inputs, &entry.args());
        let at = Builder::at_end(self.context, entry);
        self.block(&mut body, graph.root(), &at)?;
        let results = self.results(&body, &at, returns)?;
        at.op("func.return", unknown).operands(&results).build()?;
        let inputs_mlir: Vec<Type<'c>> = arguments.iter().map(|(ty, _)| *ty).collect();
        let results: Vec<Type<'c>> = results.iter().map(|v| v.r#type()).collect();
        op.set_attr("function_type", attr::r#type(FunctionType::new(self.context, &inputs_mlir, &results).into()));
        if let Some(kept) = self.nodes.kept(inputs.iter().map(|v| graph.ty(*v)), &inputs_mlir) {
            op.set_attr("torch.argument_types", kept);
        }
        for (symbol, name, inner) in body.held {
            let held = self.graph(top, &symbol, inner, None, depth + 1)?;
            held.set_attr("sym_visibility", attr::string(self.context, "private"));
            held.set_attr("torch.with", attr::string(self.context, &name));
        }
        Ok(op)
    }

    /// What a function returns, as the type it says.
    fn results<'a>(
        &mut self,
        body: &Body<'c, 'a, '_>,
        at: &Builder<'c, 'a>,
        returns: Option<&TorchType>,
    ) -> Result<Vec<Value<'c, 'a>>, Error>
    where
        'c: 'a,
    {
        let outputs = body.graph.block_outputs(body.graph.root());
        let values = body.operands(outputs)?;
        match (returns, values.as_slice(), outputs) {
            (Some(ty), [value], [_]) => {
                let mlir = self.mlir_type(&body.symbol, ty)?;
                Ok(vec![self.pass_on(body, at, (*value, Use::Block(body.graph.root(), 0)), (ty, mlir))?])
            }
            _ => Ok(values),
        }
    }

    /// Types and locations of a block's inputs; `carried` are those a loop gives to all but the first.
    fn arguments(
        &mut self,
        body: &Body<'c, '_, '_>,
        inputs: &[ValueId],
        carried: &[Type<'c>],
    ) -> Result<Vec<(Type<'c>, Location<'c>)>, Error> {
        let unknown = Location::unknown(self.context);
        let mut arguments = Vec::new();
        for (i, input) in inputs.iter().enumerate() {
            let ty = match i.checked_sub(1).and_then(|i| carried.get(i)) {
                Some(ty) => *ty,
                None => self.value_type(body, *input)?,
            };
            arguments.push((ty, names::named(self.context, &[body.names.get(*input)], unknown)));
        }
        Ok(arguments)
    }

    fn block<'a, 'g>(&mut self, body: &mut Body<'c, 'a, 'g>, block: BlockId, at: &Builder<'c, 'a>) -> Result<(), Error>
    where
        'c: 'a,
    {
        let graph = body.graph;
        graph.block_nodes(block).iter().try_for_each(|node| self.node(body, *node, at))
    }

    fn node<'a, 'g>(&mut self, body: &mut Body<'c, 'a, 'g>, node: NodeId, at: &Builder<'c, 'a>) -> Result<(), Error>
    where
        'c: 'a,
    {
        let graph = body.graph;
        let outputs = graph.outputs(node);
        let location = self.location(body, node);
        let types: Vec<TorchType> = outputs.iter().map(|v| graph.ty(*v).clone()).collect();
        let op = match (&**graph.kind(node), graph.attrs(node)) {
            ("prim::Constant", [(_, Attr::Function(name))]) if self.unit.functions.contains_key(name) => {
                self.function_constant(at, location, name)?
            }
            ("prim::Constant", [(_, Attr::Value(value))]) => {
                let ty = types.first().cloned().unwrap_or(TorchType::None);
                let built = self.constants.build(&mut self.nodes, at, location, value, &ty)?;
                built.ok_or_else(|| Error::Constant { function: body.symbol.clone(), place: body.place(node), ty })?
            }
            ("prim::CallFunction", _) if self.is_direct(body, node) => return self.call(body, node, at, location),
            _ => self.general(body, node, at, location, &types)?,
        };
        self.keep_types(op, &types);
        body.define(outputs, &op.result_values());
        Ok(())
    }

    fn keep_types(&self, op: OperationRef<'c, '_>, types: &[TorchType]) {
        let mlir = op.result_types();
        // A function's type is MLIR's own.
        if let Some(kept) = self.nodes.kept(types, &mlir).filter(|_| !op.is("func.constant")) {
            op.set_attr("torch.types", kept);
        }
    }

    /// Any node that is no constant and no call of a function here.
    fn general<'a, 'g>(
        &mut self,
        body: &mut Body<'c, 'a, 'g>,
        node: NodeId,
        at: &Builder<'c, 'a>,
        location: Location<'c>,
        outputs: &[TorchType],
    ) -> Result<OperationRef<'c, 'a>, Error>
    where
        'c: 'a,
    {
        let graph = body.graph;
        let kind = graph.kind(node).clone();
        let values = body.operands(graph.inputs(node))?;
        let results = graph.outputs(node).iter().map(|v| self.value_type(body, *v)).collect::<Result<_, _>>()?;
        let attrs: Vec<(&str, AttributeValue)> =
            graph.attrs(node).iter().filter_map(|(name, a)| attribute(name, a)).collect();
        let mut described = Described::new(location, values, results);
        described.extra = attrs.iter().map(|(name, value)| (*name, value)).collect();
        if let Some(Attr::Graph(inner)) = graph.attr(node, "Subgraph") {
            described.subgraph = Some(self.hold(body, &kind, inner));
        }
        let operands: Vec<TorchType> = graph.inputs(node).iter().map(|v| graph.ty(*v).clone()).collect();
        let blocks = graph.blocks(node);
        let shape: Vec<(usize, usize)> =
            blocks.iter().map(|b| (graph.block_inputs(*b).len(), graph.block_outputs(*b).len())).collect();
        let first = blocks.first().and_then(|b| graph.block_inputs(*b).first()).map(|v| graph.ty(*v));
        match &*kind {
            "prim::If" if is_if(&operands, outputs.len(), &shape) => self.if_(body, node, at, described, outputs),
            "prim::Loop" if is_loop(&operands, outputs.len(), &shape, first) => {
                self.loop_(body, node, at, described, outputs)
            }
            _ if !blocks.is_empty() => self.with_blocks(body, node, at, described),
            _ => Ok(self.nodes.flat(at, &kind, described, &operands, outputs)?),
        }
    }

    /// Names the function that a node's graph becomes.
    fn hold<'g>(&mut self, body: &mut Body<'c, '_, 'g>, kind: &str, inner: &'g Graph) -> Attribute<'c> {
        let name = format!("{kind}_{}", body.held.len());
        let wanted = format!("{}.{}", body.symbol, name.rsplit("::").next().unwrap_or(&name));
        let symbol = self.symbol(&wanted);
        body.held.push((symbol.clone(), name, inner));
        attr::symbol(self.context, &symbol)
    }

    /// A name for a function that neither the unit nor another function has.
    pub fn symbol(&mut self, wanted: &str) -> String {
        let mut symbol = wanted.to_owned();
        while self.taken.contains_key(&symbol)
            || self.unit.functions.contains_key(symbol.as_str())
            || self.unit.classes.contains_key(symbol.as_str())
        {
            let number = self.taken.entry(wanted.to_owned()).or_insert(0);
            *number += 1;
            symbol = format!("{wanted}_{number}");
        }
        self.taken.insert(symbol.clone(), 0);
        symbol
    }

    // -- functions

    fn signature(&mut self, name: &str) -> Result<FunctionType<'c>, Error> {
        let f = &self.unit.functions[name];
        let graph = &f.graph;
        let inputs: Vec<TorchType> = graph.block_inputs(graph.root()).iter().map(|v| graph.ty(*v).clone()).collect();
        let inputs: Vec<Type<'c>> = inputs.iter().map(|ty| self.mlir_type(name, ty)).collect::<Result<_, _>>()?;
        let result = self.mlir_type(name, &f.returns)?;
        Ok(FunctionType::new(self.context, &inputs, &[result]))
    }

    fn function_constant<'a>(
        &mut self,
        at: &Builder<'c, 'a>,
        location: Location<'c>,
        name: &str,
    ) -> Result<OperationRef<'c, 'a>, Error>
    where
        'c: 'a,
    {
        let ty = self.signature(name)?;
        let op = at.op("func.constant", location).attr("value", attr::symbol(self.context, name));
        Ok(op.results(&[ty.into()]).build()?)
    }

    /// A call of a function of the unit, with as many operands as it takes.
    fn is_direct(&self, body: &Body<'c, '_, '_>, node: NodeId) -> bool {
        callee(body.graph, node).and_then(|name| self.unit.functions.get(name)).is_some_and(|f| {
            f.graph.block_inputs(f.graph.root()).len() + 1 == body.graph.inputs(node).len()
                && body.graph.outputs(node).len() == 1
        })
    }

    fn call<'a, 'g>(
        &mut self,
        body: &mut Body<'c, 'a, 'g>,
        node: NodeId,
        at: &Builder<'c, 'a>,
        location: Location<'c>,
    ) -> Result<(), Error>
    where
        'c: 'a,
    {
        let graph = body.graph;
        let Some(f) = callee(graph, node).and_then(|name| self.unit.functions.get(name)) else { return Ok(()) };
        let inputs = graph.inputs(node);
        let mut values = body.operands(inputs)?;
        let expected: Vec<TorchType> =
            f.graph.block_inputs(f.graph.root()).iter().map(|v| f.graph.ty(*v).clone()).collect();
        for (i, ty) in expected.iter().enumerate() {
            let mlir = self.mlir_type(&body.symbol, ty)?;
            values[i + 1] = self.pass_on(body, at, (values[i + 1], Use::Node(node, i as u32 + 1)), (ty, mlir))?;
        }
        let result = self.mlir_type(&body.symbol, &f.returns)?;
        let op = at.op("func.call_indirect", location).operands(&values).results(&[result]).build()?;
        let output = graph.outputs(node)[0];
        self.keep_types(op, &[graph.ty(output).clone()]);
        body.define(&[output], &op.result_values());
        Ok(())
    }

    // -- blocks

    fn with_blocks<'a, 'g>(
        &mut self,
        body: &mut Body<'c, 'a, 'g>,
        node: NodeId,
        at: &Builder<'c, 'a>,
        described: Described<'c, 'a, '_>,
    ) -> Result<OperationRef<'c, 'a>, Error>
    where
        'c: 'a,
    {
        let graph = body.graph;
        let mut regions = Vec::new();
        for block in graph.blocks(node) {
            regions.push(self.arguments(body, graph.block_inputs(*block), &[])?);
        }
        let op = described.operator(at, &graph.kind(node).replacen("::", ".", 1), &regions)?;
        for (i, block) in graph.blocks(node).iter().enumerate() {
            let Some(region) = op.body(i) else { continue };
            body.define(graph.block_inputs(*block), &region.args());
            let inside = Builder::at_end(self.context, region);
            self.block(body, *block, &inside)?;
            let values = body.operands(graph.block_outputs(*block))?;
            inside.op("torch.operator_terminator", Location::unknown(self.context)).operands(&values).build()?;
        }
        self.keep_block_types(body, op, node);
        Ok(op)
    }

    fn if_<'a, 'g>(
        &mut self,
        body: &mut Body<'c, 'a, 'g>,
        node: NodeId,
        at: &Builder<'c, 'a>,
        described: Described<'c, 'a, '_>,
        outputs: &[TorchType],
    ) -> Result<OperationRef<'c, 'a>, Error>
    where
        'c: 'a,
    {
        let graph = body.graph;
        let types = described.results.clone();
        let op = described.named(at, "torch.prim.If", &[Vec::new(), Vec::new()])?;
        for (i, block) in graph.blocks(node).iter().enumerate() {
            let Some(region) = op.body(i) else { continue };
            let inside = Builder::at_end(self.context, region);
            self.block(body, *block, &inside)?;
            let passed = graph.block_outputs(*block);
            let mut values = body.operands(passed)?;
            for (k, value) in values.iter_mut().enumerate() {
                *value =
                    self.pass_on(body, &inside, (*value, Use::Block(*block, k as u32)), (&outputs[k], types[k]))?;
            }
            inside.op("torch.prim.If.yield", Location::unknown(self.context)).operands(&values).build()?;
        }
        Ok(op)
    }

    fn loop_<'a, 'g>(
        &mut self,
        body: &mut Body<'c, 'a, 'g>,
        node: NodeId,
        at: &Builder<'c, 'a>,
        mut described: Described<'c, 'a, '_>,
        outputs: &[TorchType],
    ) -> Result<OperationRef<'c, 'a>, Error>
    where
        'c: 'a,
    {
        let graph = body.graph;
        let block = graph.blocks(node)[0];
        let inputs = graph.block_inputs(block);
        let mut general = Vec::new();
        for (output, input) in outputs.iter().zip(&inputs[1..]) {
            let ty = carried(output, graph.ty(*input));
            self.at = Some(At::Value(*input));
            general.push((self.mlir_type(&body.symbol, &ty)?, ty));
        }
        for (i, (mlir, ty)) in general.iter().enumerate() {
            let operand = (described.values[i + 2], Use::Node(node, i as u32 + 2));
            described.values[i + 2] = self.pass_on(body, at, operand, (ty, *mlir))?;
        }
        described.results = general.iter().map(|(mlir, _)| *mlir).collect();
        let arguments = self.arguments(body, inputs, &described.results)?;
        let op = described.named(at, "torch.prim.Loop", &[arguments])?;
        if let Some(region) = op.body(0) {
            body.define(inputs, &region.args());
            let inside = Builder::at_end(self.context, region);
            self.block(body, block, &inside)?;
            let passed = graph.block_outputs(block);
            let mut values = body.operands(passed)?;
            self.at = Some(At::Use(Use::Block(block, 0)));
            if *graph.ty(passed[0]) != TorchType::Bool {
                let (function, place, ty) = (body.symbol.clone(), body.place(node), graph.ty(passed[0]).clone());
                return Err(Error::Condition { function, place, ty });
            }
            for (i, (mlir, ty)) in general.iter().enumerate() {
                let passed_on = (values[i + 1], Use::Block(block, i as u32 + 1));
                values[i + 1] = self.pass_on(body, &inside, passed_on, (ty, *mlir))?;
            }
            inside.op("torch.prim.Loop.condition", Location::unknown(self.context)).operands(&values).build()?;
        }
        self.keep_block_types(body, op, node);
        Ok(op)
    }

    fn keep_block_types(&self, body: &Body<'c, '_, '_>, op: OperationRef<'c, '_>, node: NodeId) {
        let mut kept = Vec::new();
        for (i, block) in body.graph.blocks(node).iter().enumerate() {
            let types: Vec<Type<'c>> =
                op.body(i).map(|b| b.args().iter().map(|v| v.r#type()).collect()).unwrap_or_default();
            let exact = body.graph.block_inputs(*block).iter().map(|v| body.graph.ty(*v));
            kept.push(self.nodes.kept(exact, &types));
        }
        if kept.iter().any(Option::is_some) {
            let empty = attr::array(self.context, &[]);
            let kept: Vec<Attribute<'c>> = kept.into_iter().map(|k| k.unwrap_or(empty)).collect();
            op.set_attr("torch.block_types", attr::array(self.context, &kept));
        }
    }

    /// A value as one of the type that it is passed on as.
    fn pass_on<'a>(
        &mut self,
        body: &Body<'c, 'a, '_>,
        at: &Builder<'c, 'a>,
        (value, by): (Value<'c, 'a>, Use),
        (to, mlir): (&TorchType, Type<'c>),
    ) -> Result<Value<'c, 'a>, Error>
    where
        'c: 'a,
    {
        let passed = self.nodes.pass_on(at, value, mlir)?;
        self.at = Some(At::Use(by));
        passed.ok_or_else(|| {
            let graph = body.graph;
            let (node, from) = match by {
                Use::Node(node, i) => (Some(node), graph.inputs(node)[i as usize]),
                Use::Block(block, i) => (graph.block_owner(block), graph.block_outputs(block)[i as usize]),
            };
            Error::PassedOn {
                function: body.symbol.clone(),
                place: node.map(|n| body.place(n)).unwrap_or_default(),
                from: graph.ty(from).clone(),
                to: to.clone(),
            }
        })
    }

    // -- places

    fn location(&mut self, body: &Body<'c, '_, '_>, node: NodeId) -> Location<'c> {
        let (scope, comment) = (body.graph.scope(node), body.graph.comment(node));
        let place = match (comment, body.graph.loc(node)) {
            (Some(comment), _) => names::place(self.context, comment),
            // Of which no more is known than where it begins.
            (None, Some(loc)) if loc.span.start == loc.span.end => names::place(self.context, &loc.to_string()),
            (None, Some(loc)) => {
                let (line, column) = loc.line_column();
                let (end_line, end_column) = loc.source.line_column(loc.span.end.max(loc.span.start));
                let [line, column, end_line, end_column] = [line, column, end_line, end_column].map(|n| n as usize);
                Location::file_line_col_range(self.context, loc.source.name(), line, column, end_line, end_column)
            }
            (None, None) => Location::unknown(self.context),
        };
        let outputs: Vec<&str> = body.graph.outputs(node).iter().map(|v| body.names.get(*v)).collect();
        names::named(self.context, &outputs, names::scoped(self.context, scope, place))
    }
}

impl<'c, 'a> Body<'c, 'a, '_> {
    fn define(&mut self, ids: &[ValueId], values: &[Value<'c, 'a>]) {
        for (id, value) in ids.iter().zip(values) {
            self.values[id.index()] = Some(*value);
        }
    }

    fn operands(&self, ids: &[ValueId]) -> Result<Vec<Value<'c, 'a>>, Error> {
        let undefined = |id: &ValueId| Error::Undefined {
            function: self.symbol.clone(),
            what: format!("%{} at depth {}", self.names.get(*id), self.depth),
        };
        ids.iter().map(|id| self.values[id.index()].ok_or_else(|| undefined(id))).collect()
    }

    fn place(&self, node: NodeId) -> String {
        self.graph.loc(node).map(|l| format!("{l}: ")).unwrap_or_default()
    }
}

/// The function that a `prim::CallFunction` calls.
fn callee(graph: &Graph, node: NodeId) -> Option<&str> {
    let constant = graph.defining(graph.input(node, 0)?)?;
    match graph.attrs(constant) {
        [(_, Attr::Function(name))] if graph.is(constant, "prim::Constant") => Some(name),
        _ => None,
    }
}
