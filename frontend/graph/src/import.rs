//! Listings to the torch dialect: every node becomes the most telling operation that verifies, and nothing of the text is lost.

use crate::node::{self, Described, Nodes, is_if, is_loop};
use crate::{Error, names};
use rustc_hash::FxHashMap;
use sconce_ir::builder::function;
use sconce_ir::prelude::*;
use sconce_ir::{Attribute, BlockRef, Context, Location, Module, OperationRef, Type as MlirType, Value};
use sconce_schema::Type;
use sconce_syntax::Span;
use sconce_syntax::graph_text::{self, Block, Graph, Listing, Node, SubgraphTree};

/// A module from text, and what its reader passed over.
pub struct Imported<'c> {
    pub module: Module<'c>,
    pub warnings: Vec<sconce_syntax::Error>,
}

/// Reads graph text and imports it. A file in which each listing stands under `== name` gives one function for each; a plain
/// listing one called `name`.
///
/// # Errors
/// As [`graph_text::read`] and [`import`].
pub fn import_text<'c>(context: &'c Context, file: &str, text: &str, name: &str) -> Result<Imported<'c>, Error> {
    if text.starts_with("== ") || text.contains("\n== ") {
        let methods = graph_text::read_methods(file, text)?;
        return Ok(Imported { module: import_methods(context, file, text, &methods)?, warnings: Vec::new() });
    }
    let (listing, warnings) = graph_text::read_with_warnings(file, text)?;
    Ok(Imported { module: import(context, file, text, &listing, name)?, warnings })
}

/// The same of a text that is to run: what can be read and yet is no program is refused.
///
/// # Errors
/// As [`import_text`] and [`graph_text::lint`].
pub fn import_program<'c>(context: &'c Context, file: &str, text: &str, name: &str) -> Result<Module<'c>, Error> {
    if !(text.starts_with("== ") || text.contains("\n== ")) {
        let listing = graph_text::read(file, text)?;
        graph_text::lint(file, text, &listing)?;
        return import(context, file, text, &listing, name);
    }
    let methods = graph_text::read_methods(file, text)?;
    methods.iter().try_for_each(|(_, listing)| graph_text::lint(file, text, listing))?;
    import_methods(context, file, text, &methods)
}

/// A module with the function `@name` for the listing, and one for each of its `with` graphs. `file` and `text` are those the
/// listing was read from: errors show them.
///
/// # Errors
/// Values of types that a block or loop cannot pass on, and `with` graphs in a circle, with their places.
pub fn import<'c>(
    context: &'c Context,
    file: &str,
    text: &str,
    listing: &Listing,
    name: &str,
) -> Result<Module<'c>, Error> {
    import_all(context, file, text, &[(name, listing)])
}

/// The same for several listings of one text, each with its function's name. Names that are empty or taken get a number.
///
/// # Errors
/// As [`import`].
pub fn import_methods<'c>(
    context: &'c Context,
    file: &str,
    text: &str,
    methods: &[(String, Listing)],
) -> Result<Module<'c>, Error> {
    let methods: Vec<(&str, &Listing)> = methods.iter().map(|(name, listing)| (name.as_str(), listing)).collect();
    let module = import_all(context, file, text, &methods)?;
    module.as_operation().set_attr(NAMED, attr::unit(context));
    Ok(module)
}

/// On a module whose listings stood under `== name`, even if there is only one.
pub(crate) const NAMED: &str = "torch.named_listings";

fn import_all<'c>(
    context: &'c Context,
    file: &str,
    text: &str,
    listings: &[(&str, &Listing)],
) -> Result<Module<'c>, Error> {
    sconce_ir::context::load(context, &["func", "torch"]);
    let module = Module::new(Location::unknown(context));
    {
        let top = Builder::at_end(context, module.body());
        let mut importer =
            Importer { context, file, text, top, taken: FxHashMap::default(), nodes: Nodes::new(context) };
        for (name, listing) in listings {
            importer.listing(listing, name)?;
        }
    }
    sconce_ir::text::verify(module.as_operation())?;
    Ok(module)
}

struct Importer<'c, 'm, 's> {
    context: &'c Context,
    file: &'s str,
    text: &'s str,
    top: Builder<'c, 'm>,
    /// Symbols in use, and the last number tried for each.
    taken: FxHashMap<String, u32>,
    nodes: Nodes<'c>,
}

/// A value and the type its text gives it.
#[derive(Clone)]
struct Known<'c, 'a> {
    value: Value<'c, 'a>,
    ty: Type,
}

/// Values by name; definitions in a block end with it.
#[derive(Default)]
struct Scope<'c, 'a> {
    values: FxHashMap<String, Known<'c, 'a>>,
    /// What a definition hid, to be put back at the end of its block.
    hidden: Vec<(String, Option<Known<'c, 'a>>)>,
}

impl<'c, 'a> Scope<'c, 'a> {
    fn define(&mut self, name: &str, value: Value<'c, 'a>, ty: &Type) {
        let old = self.values.insert(name.to_owned(), Known { value, ty: ty.clone() });
        self.hidden.push((name.to_owned(), old));
    }

    fn leave(&mut self, mark: usize) {
        while self.hidden.len() > mark {
            if let Some((name, old)) = self.hidden.pop() {
                match old {
                    Some(known) => self.values.insert(name, known),
                    None => self.values.remove(&name),
                };
            }
        }
    }
}

/// The `with` graphs of one graph that are still to come, and the function it is in.
struct Function<'l> {
    symbol: String,
    children: std::vec::IntoIter<(&'l str, SubgraphTree<'l>)>,
    /// Functions to be made of `with` graphs: symbol, name in the text, graph.
    pending: Vec<(String, &'l str, SubgraphTree<'l>)>,
}

impl<'c: 'm, 'm> Importer<'c, 'm, '_> {
    fn error(&self, span: Span, message: impl Into<String>) -> Error {
        sconce_syntax::Error::new(self.file, self.text, span, message).into()
    }

    fn symbol(&mut self, wanted: &str) -> String {
        let wanted = if wanted.is_empty() { "graph" } else { wanted };
        let mut symbol = wanted.to_owned();
        while self.taken.contains_key(&symbol) {
            let number = self.taken.entry(wanted.to_owned()).or_insert(0);
            *number += 1;
            symbol = format!("{wanted}_{number}");
        }
        self.taken.insert(symbol.clone(), 0);
        symbol
    }

    fn mlir_type(&mut self, ty: &Type, span: Span) -> Result<MlirType<'c>, Error> {
        let parsed = self.nodes.mlir_type(ty);
        parsed.ok_or_else(|| self.error(span, format!("the torch dialect has no type {ty}")))
    }

    fn listing(&mut self, listing: &Listing, name: &str) -> Result<(), Error> {
        let Some(resolved) = listing.resolve() else {
            return Err(
                self.error(listing.graph.span, "the `with` graphs refer to each other in a circle, or nest too deeply")
            );
        };
        let symbol = self.symbol(name);
        let root = self.function(&symbol, None, resolved.tree)?;
        let mut unused = Vec::new();
        for index in resolved.unused {
            let subgraph = &listing.subgraphs[index];
            let symbol = self.symbol(&format!("{symbol}.{}", local_name(&subgraph.name)));
            let tree = SubgraphTree { graph: &subgraph.graph, children: Vec::new() };
            self.function(&symbol, Some(&subgraph.name), tree)?;
            unused.push(attr::symbol(self.context, &symbol));
        }
        if !unused.is_empty() {
            root.set_attr("torch.unused", attr::array(self.context, &unused));
        }
        Ok(())
    }

    /// Makes a function of a graph, and of the `with` graphs it refers to.
    fn function(
        &mut self,
        symbol: &str,
        with: Option<&str>,
        tree: SubgraphTree<'_>,
    ) -> Result<OperationRef<'c, 'm>, Error> {
        let graph: &Graph = tree.graph;
        let mut arguments = Vec::new();
        let unknown = Location::unknown(self.context);
        for input in &graph.inputs {
            let ty = self.mlir_type(&input.ty, input.span)?;
            arguments.push((ty, names::named(self.context, &[&input.name], unknown)));
        }
        // The results' types are known when the body is.
        let op = self.top.insert(function(symbol, &arguments, &[], unknown)?);
        let Some(entry) = op.body(0) else { return Ok(op) };
        let body = Builder::at_end(self.context, entry);
        let mut scope = Scope::default();
        for (input, value) in graph.inputs.iter().zip(entry.args()) {
            scope.define(&input.name, value, &input.ty);
        }
        let mut function =
            Function { symbol: symbol.to_owned(), children: tree.children.into_iter(), pending: Vec::new() };
        self.sequence(&body, &graph.nodes, &mut scope, &mut function)?;
        let outputs = self.operands(&graph.outputs, &scope)?;
        let values: Vec<Value<'c, '_>> = outputs.iter().map(|k| k.value).collect();
        body.op("func.return", unknown).operands(&values).build()?;
        let inputs: Vec<MlirType<'c>> = arguments.iter().map(|(ty, _)| *ty).collect();
        let results: Vec<MlirType<'c>> = values.iter().map(|v| v.r#type()).collect();
        let signature = sconce_ir::FunctionType::new(self.context, &inputs, &results);
        op.set_attr("function_type", attr::r#type(signature.into()));
        if let Some(kept) = self.kept(&graph.inputs, &inputs) {
            op.set_attr("torch.argument_types", kept);
        }
        if let Some(with) = with {
            op.set_attr("sym_visibility", attr::string(self.context, "private"));
            op.set_attr("torch.with", attr::string(self.context, with));
        }
        for (symbol, name, tree) in function.pending {
            self.function(&symbol, Some(name), tree)?;
        }
        Ok(op)
    }

    fn operands<'a>(&self, uses: &[graph_text::Use], scope: &Scope<'c, 'a>) -> Result<Vec<Known<'c, 'a>>, Error> {
        uses.iter()
            .map(|u| {
                let known = scope.values.get(&u.name).cloned();
                known.ok_or_else(|| self.error(u.span, format!("no value is called %{} here", u.name)))
            })
            .collect()
    }

    fn sequence<'a, 'l>(
        &mut self,
        at: &Builder<'c, 'a>,
        nodes: &'l [Node],
        scope: &mut Scope<'c, 'a>,
        function: &mut Function<'l>,
    ) -> Result<(), Error>
    where
        'c: 'a,
    {
        nodes.iter().try_for_each(|node| self.node(at, node, scope, function))
    }

    fn node<'a, 'l>(
        &mut self,
        at: &Builder<'c, 'a>,
        node: &'l Node,
        scope: &mut Scope<'c, 'a>,
        function: &mut Function<'l>,
    ) -> Result<(), Error>
    where
        'c: 'a,
    {
        let operands = self.operands(&node.inputs, scope)?;
        let mut described = Described {
            location: {
                let place = names::place(self.context, node.scope.as_deref(), node.comment.as_deref());
                let outputs: Vec<&str> = node.outputs.iter().map(|v| v.name.as_str()).collect();
                names::named(self.context, &outputs, place)
            },
            values: operands.iter().map(|k| k.value).collect(),
            results: node.outputs.iter().map(|v| self.mlir_type(&v.ty, v.span)).collect::<Result<_, _>>()?,
            inherent: Vec::new(),
            extra: node.attributes.iter().map(|a| (a.name.as_str(), &a.value)).collect(),
            subgraph: None,
        };
        let mut kind = node.kind.as_str();
        if function.children.as_slice().first().is_some_and(|(name, _)| *name == kind)
            && let Some((name, tree)) = function.children.next()
        {
            let symbol = self.symbol(&format!("{}.{}", function.symbol, local_name(name)));
            described.subgraph = Some(attr::symbol(self.context, &symbol));
            function.pending.push((symbol, name, tree));
            kind = kind.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
        }
        let known: Vec<Type> = operands.iter().map(|k| k.ty.clone()).collect();
        let results = node.outputs.len();
        let blocks: Vec<(usize, usize)> = node.blocks.iter().map(|b| (b.inputs.len(), b.outputs.len())).collect();
        let first = node.blocks.first().and_then(|b| b.inputs.first()).map(|v| &v.ty);
        let op = match kind {
            "prim::If" if is_if(&known, results, &blocks) => self.if_(at, node, described, scope, function)?,
            "prim::Loop" if is_loop(&known, results, &blocks, first) => {
                self.loop_(at, node, described, &operands, scope, function)?
            }
            _ if !node.blocks.is_empty() => self.with_blocks(at, node, kind, described, scope, function)?,
            _ => {
                let outputs: Vec<Type> = node.outputs.iter().map(|v| v.ty.clone()).collect();
                self.nodes.flat(at, kind, described, &known, &outputs)?
            }
        };
        self.keep_types(op, &node.outputs);
        for (output, value) in node.outputs.iter().zip(op.result_values()) {
            scope.define(&output.name, value, &output.ty);
        }
        Ok(())
    }

    /// A node with blocks that no structural operation takes: its blocks become regions of `torch.operator`.
    fn with_blocks<'a, 'l>(
        &mut self,
        at: &Builder<'c, 'a>,
        node: &'l Node,
        kind: &str,
        described: Described<'c, 'a, '_>,
        scope: &mut Scope<'c, 'a>,
        function: &mut Function<'l>,
    ) -> Result<OperationRef<'c, 'a>, Error>
    where
        'c: 'a,
    {
        let mut regions = Vec::new();
        for block in &node.blocks {
            regions.push(self.block_arguments(block, &[])?);
        }
        let op = described.operator(at, &kind.replacen("::", ".", 1), &regions)?;
        for (i, block) in node.blocks.iter().enumerate() {
            if let Some(body) = op.body(i) {
                let outputs = self.block(body, block, scope, function)?;
                let values: Vec<Value<'c, 'a>> = outputs.iter().map(|k| k.value).collect();
                let unknown = Location::unknown(self.context);
                Builder::at_end(self.context, body)
                    .op("torch.operator_terminator", unknown)
                    .operands(&values)
                    .build()?;
            }
        }
        self.keep_block_types(op, node);
        Ok(op)
    }

    fn if_<'a, 'l>(
        &mut self,
        at: &Builder<'c, 'a>,
        node: &'l Node,
        described: Described<'c, 'a, '_>,
        scope: &mut Scope<'c, 'a>,
        function: &mut Function<'l>,
    ) -> Result<OperationRef<'c, 'a>, Error>
    where
        'c: 'a,
    {
        let types = described.results.clone();
        let op = described.named(at, "torch.prim.If", &[Vec::new(), Vec::new()])?;
        for (i, block) in node.blocks.iter().enumerate() {
            if let Some(body) = op.body(i) {
                let outputs = self.block(body, block, scope, function)?;
                let mut values = Vec::new();
                for (k, (output, ty)) in outputs.iter().zip(&types).enumerate() {
                    let expected = (&node.outputs[k].ty, *ty);
                    values.push(self.pass_on(body, output, expected, block.outputs[k].span)?);
                }
                let unknown = Location::unknown(self.context);
                Builder::at_end(self.context, body).op("torch.prim.If.yield", unknown).operands(&values).build()?;
            }
        }
        Ok(op)
    }

    fn loop_<'a, 'l>(
        &mut self,
        at: &Builder<'c, 'a>,
        node: &'l Node,
        mut described: Described<'c, 'a, '_>,
        operands: &[Known<'c, 'a>],
        scope: &mut Scope<'c, 'a>,
        function: &mut Function<'l>,
    ) -> Result<OperationRef<'c, 'a>, Error>
    where
        'c: 'a,
    {
        let block = &node.blocks[0];
        // What is carried has one type in MLIR; the text may know more of it in the block or after the loop.
        let mut carried = Vec::new();
        for (output, input) in node.outputs.iter().zip(&block.inputs[1..]) {
            let general = node::carried(&output.ty, &input.ty);
            carried.push((self.mlir_type(&general, output.span)?, general));
        }
        for (i, (ty, general)) in carried.iter().enumerate() {
            described.values[i + 2] = self.pass_on_at(at, &operands[i + 2], (general, *ty), node.inputs[i + 2].span)?;
        }
        described.results = carried.iter().map(|(ty, _)| *ty).collect();
        let types: Vec<MlirType<'c>> = described.results.clone();
        let arguments = self.block_arguments(block, &types)?;
        let op = described.named(at, "torch.prim.Loop", &[arguments])?;
        if let Some(body) = op.body(0) {
            let outputs = self.block(body, block, scope, function)?;
            if outputs[0].ty != Type::Bool {
                let message = format!("a loop goes on by a bool, this is of type {}", outputs[0].ty);
                return Err(self.error(block.outputs[0].span, message));
            }
            let mut values = vec![outputs[0].value];
            for (i, (ty, general)) in carried.iter().enumerate() {
                values.push(self.pass_on(body, &outputs[i + 1], (general, *ty), block.outputs[i + 1].span)?);
            }
            let unknown = Location::unknown(self.context);
            Builder::at_end(self.context, body).op("torch.prim.Loop.condition", unknown).operands(&values).build()?;
        }
        self.keep_block_types(op, node);
        Ok(op)
    }

    /// Types and locations of a block's arguments; `carried` are those a loop gives to all but the first.
    fn block_arguments(
        &mut self,
        block: &Block,
        carried: &[MlirType<'c>],
    ) -> Result<Vec<(MlirType<'c>, Location<'c>)>, Error> {
        let unknown = Location::unknown(self.context);
        let mut arguments = Vec::new();
        for (i, input) in block.inputs.iter().enumerate() {
            let ty = match i.checked_sub(1).and_then(|i| carried.get(i)) {
                Some(ty) => *ty,
                None => self.mlir_type(&input.ty, input.span)?,
            };
            arguments.push((ty, names::named(self.context, &[&input.name], unknown)));
        }
        Ok(arguments)
    }

    /// Fills a block, and gives what it passes on.
    fn block<'a, 'l>(
        &mut self,
        body: BlockRef<'c, 'a>,
        block: &'l Block,
        scope: &mut Scope<'c, 'a>,
        function: &mut Function<'l>,
    ) -> Result<Vec<Known<'c, 'a>>, Error>
    where
        'c: 'a,
    {
        let mark = scope.hidden.len();
        for (input, value) in block.inputs.iter().zip(body.args()) {
            scope.define(&input.name, value, &input.ty);
        }
        self.sequence(&Builder::at_end(self.context, body), &block.nodes, scope, function)?;
        let outputs = self.operands(&block.outputs, scope)?;
        scope.leave(mark);
        Ok(outputs)
    }

    fn pass_on<'a>(
        &self,
        body: BlockRef<'c, 'a>,
        known: &Known<'c, 'a>,
        expected: (&Type, MlirType<'c>),
        span: Span,
    ) -> Result<Value<'c, 'a>, Error>
    where
        'c: 'a,
    {
        self.pass_on_at(&Builder::at_end(self.context, body), known, expected, span)
    }

    /// The value as one of the type that it is passed on as.
    fn pass_on_at<'a>(
        &self,
        at: &Builder<'c, 'a>,
        known: &Known<'c, 'a>,
        (expected, ty): (&Type, MlirType<'c>),
        span: Span,
    ) -> Result<Value<'c, 'a>, Error>
    where
        'c: 'a,
    {
        let passed = self.nodes.pass_on(at, known.value, ty)?;
        passed.ok_or_else(|| self.error(span, format!("a value of type {} is passed on as {expected}", known.ty)))
    }

    /// `torch.types`, if a result's type says more than the dialect's.
    fn keep_types(&self, op: OperationRef<'c, '_>, outputs: &[graph_text::Value]) {
        let types = op.result_types();
        if let Some(kept) = self.kept(outputs, &types) {
            op.set_attr("torch.types", kept);
        }
    }

    /// `torch.block_types`, the same for the arguments of every block.
    fn keep_block_types(&self, op: OperationRef<'c, '_>, node: &Node) {
        let kept: Vec<Option<Attribute<'c>>> = node
            .blocks
            .iter()
            .enumerate()
            .map(|(i, block)| {
                let types: Vec<MlirType<'c>> =
                    op.body(i).map(|b| b.args().iter().map(|v| v.r#type()).collect()).unwrap_or_default();
                self.kept(&block.inputs, &types)
            })
            .collect();
        if kept.iter().any(Option::is_some) {
            let empty = attr::array(self.context, &[]);
            let kept: Vec<Attribute<'c>> = kept.into_iter().map(|k| k.unwrap_or(empty)).collect();
            op.set_attr("torch.block_types", attr::array(self.context, &kept));
        }
    }

    fn kept(&self, values: &[graph_text::Value], types: &[MlirType<'c>]) -> Option<Attribute<'c>> {
        self.nodes.kept(values.iter().map(|v| &v.ty), types)
    }
}

/// `FusionGroup_0` of `prim::FusionGroup_0`.
fn local_name(kind: &str) -> &str {
    kind.rsplit("::").next().unwrap_or(kind)
}
