//! Values in the place of others: whoever insists on the old type gets the new value through a silent cast.

use super::script_type;
use rustc_hash::FxHashSet;
use sconce_analysis::operators::is_operator;
use sconce_import::constants::Constants;
use sconce_import::text::node::{Described, Nodes};
use sconce_ir::diagnostics;
use sconce_ir::prelude::*;
use sconce_pass::Failure;
use sconce_schema::Type as ScriptType;
use sconce_syntax::graph_text::AttributeValue;
use sconce_tensor::IValue;

/// Builds what passes put in the place of something else.
pub(crate) struct Rewriter<'c> {
    context: &'c Context,
    nodes: Nodes<'c>,
    constants: Constants,
    /// The symbols of a module, once a free name was asked for.
    symbols: Option<FxHashSet<String>>,
}

impl<'c: 'a, 'a> Rewriter<'c> {
    pub fn new(context: &'c Context) -> Self {
        Rewriter { context, nodes: Nodes::new(context), constants: Constants::default(), symbols: None }
    }

    /// Lets what uses `old` use `new`. Nothing has changed if no cast makes one of the other: then the answer is no.
    pub fn replace_uses(&self, old: Value<'c, 'a>, new: Value<'c, 'a>) -> Result<bool, Failure> {
        if old.r#type() == new.r#type() {
            old.replace_all_uses_with(new);
            return Ok(true);
        }
        let at = behind(self.context, new)?;
        let Some(passed_on) = self.nodes.pass_on(&at, new, old.r#type())? else { return Ok(false) };
        let cast = passed_on.defining_op();
        for usage in old.uses() {
            if cast.is_some_and(|cast| super::is_same(usage.owner, cast)) {
                continue;
            }
            usage.owner.set_operand_value(usage.operand, new);
            if !self.takes(usage.owner) {
                usage.owner.set_operand_value(usage.operand, passed_on);
            }
        }
        if let Some(cast) = cast.filter(|op| op.is_unused()) {
            cast.erase()?;
        }
        Ok(true)
    }

    /// Is an operation content with the operands that it has now?
    fn takes(&self, op: OperationRef<'c, 'a>) -> bool {
        let any = is_operator(op)
            || matches!(op.op_name(), "torch.operator" | "torch.prim.ListConstruct" | "torch.prim.TupleConstruct");
        any && op.region_refs().is_empty() && diagnostics::collect(self.context, || op.verify()).0
    }

    /// A constant in front of an operation, of what PyTorch says its type is; `like` says whether tensors are values.
    pub fn constant(
        &mut self,
        at: &Builder<'c, 'a>,
        value: &IValue,
        ty: &ScriptType,
        like: Value<'c, 'a>,
    ) -> Result<Option<Value<'c, 'a>>, Failure> {
        let unknown = Location::unknown(self.context);
        let Some(op) = self.constants.build(&mut self.nodes, at, unknown, value, ty)? else { return Ok(None) };
        let is_value = sconce_analysis::Tensor::of(like.r#type()).is_some_and(|t| t.value);
        let op = match op.attr("value").filter(|_| is_value && op.is("torch.tensor.literal")) {
            None => op,
            Some(elements) => {
                op.erase()?;
                let Some(ty) = sconce_torch::types::to_mlir_value(self.context, ty) else { return Ok(None) };
                let mut literal = Described::new(unknown, Vec::new(), vec![ty]);
                literal.inherent.push(("value", elements));
                let Some(literal) = self.nodes.attempt(at, "torch.vtensor.literal", literal)? else { return Ok(None) };
                literal
            }
        };
        // Strides and devices are nothing that values have.
        if !is_value {
            self.keep_types(op, std::slice::from_ref(ty));
        }
        Ok(op.result_value(0))
    }

    /// An operation for a node without attributes, such as `prim::ListConstruct`.
    pub fn node(
        &mut self,
        at: &Builder<'c, 'a>,
        kind: &str,
        location: Location<'c>,
        operands: &[Value<'c, 'a>],
        result: (Type<'c>, &ScriptType),
    ) -> Result<OperationRef<'c, 'a>, Failure> {
        self.node_with(at, kind, location, &[], operands, &[(result.0, result.1.clone())])
    }

    /// The same with attributes that graph text has in brackets, and any number of results.
    pub fn node_with(
        &mut self,
        at: &Builder<'c, 'a>,
        kind: &str,
        location: Location<'c>,
        attributes: &[(&str, &AttributeValue)],
        operands: &[Value<'c, 'a>],
        results: &[(Type<'c>, ScriptType)],
    ) -> Result<OperationRef<'c, 'a>, Failure> {
        let mut described = Described::new(location, operands.to_vec(), results.iter().map(|(ty, _)| *ty).collect());
        described.extra = attributes.to_vec();
        let types: Vec<ScriptType> = operands.iter().map(|v| script_type(*v)).collect();
        let declared: Vec<ScriptType> = results.iter().map(|(_, ty)| ty.clone()).collect();
        let op = self.nodes.flat(at, kind, described, &types, &declared)?;
        self.keep_types(op, &declared);
        Ok(op)
    }

    /// A name that no symbol of a function's module has: this one, or with a number behind it.
    pub fn free_name(&mut self, function: OperationRef<'c, 'a>, wanted: String) -> String {
        let symbols = self.symbols.get_or_insert_with(|| {
            let module = function.parent().map(SymbolTable::of);
            module.iter().flat_map(SymbolTable::iter).map(|(name, _)| name.to_owned()).collect()
        });
        let numbered = (1..).map(|tries| format!("{wanted}_{tries}"));
        let free = std::iter::once(wanted.clone()).chain(numbered).find(|name| !symbols.contains(name));
        let free = free.unwrap_or(wanted);
        symbols.insert(free.clone());
        free
    }

    /// A node that holds the graph of this name.
    pub fn holder(
        &mut self,
        at: &Builder<'c, 'a>,
        kind: &str,
        location: Location<'c>,
        graph: Attribute<'c>,
        operands: &[Value<'c, 'a>],
        results: &[(Type<'c>, ScriptType)],
    ) -> Result<OperationRef<'c, 'a>, Failure> {
        let mut described = Described::new(location, operands.to_vec(), results.iter().map(|(ty, _)| *ty).collect());
        described.subgraph = Some(graph);
        let types: Vec<ScriptType> = operands.iter().map(|v| script_type(*v)).collect();
        let declared: Vec<ScriptType> = results.iter().map(|(_, ty)| ty.clone()).collect();
        let op = self.nodes.flat(at, kind, described, &types, &declared)?;
        self.keep_types(op, &declared);
        Ok(op)
    }

    /// Says of an operation's results what the dialect's types cannot.
    pub fn keep_types(&self, op: OperationRef<'c, 'a>, types: &[ScriptType]) {
        if let Some(kept) = self.nodes.kept(types, &op.result_types()) {
            op.set_attr("torch.types", kept);
        }
    }

    /// The same of what blocks are given; `types` has those of each block.
    pub fn keep_block_types(&self, op: OperationRef<'c, 'a>, types: &[Vec<ScriptType>]) {
        let nothing = attr::array(self.context, &[]);
        let mut any = false;
        let mut kept = Vec::new();
        for (block, types) in super::inner_blocks(op).into_iter().zip(types) {
            let mlir: Vec<Type<'c>> = block.args().iter().map(|v| v.r#type()).collect();
            let said = self.nodes.kept(types, &mlir);
            any |= said.is_some();
            kept.push(said.unwrap_or(nothing));
        }
        if any {
            op.set_attr("torch.block_types", attr::array(self.context, &kept));
        }
    }

    /// The same of a function's arguments.
    pub fn keep_argument_types(&self, function: OperationRef<'c, 'a>, types: &[ScriptType]) {
        let arguments = super::root_block(function).map(BlockExt::args).unwrap_or_default();
        let mlir: Vec<Type<'c>> = arguments.iter().map(|v| v.r#type()).collect();
        match self.nodes.kept(types, &mlir) {
            Some(kept) => function.set_attr("torch.argument_types", kept),
            None => _ = function.remove_attr("torch.argument_types"),
        }
    }

    /// The dialect's type.
    pub fn mlir_type(&mut self, ty: &ScriptType) -> Option<Type<'c>> {
        self.nodes.mlir_type(ty)
    }

    /// The type of a tensor of which nothing is known, of a value if `like` is one.
    pub fn any_tensor(&mut self, like: Value<'c, 'a>) -> Option<(Type<'c>, ScriptType)> {
        self.type_like(ScriptType::tensor(), like)
    }

    /// The same of a list of such tensors.
    pub fn list_of_tensors(&mut self, like: Value<'c, 'a>) -> Option<(Type<'c>, ScriptType)> {
        self.type_like(ScriptType::List(ScriptType::tensor().into()), like)
    }

    fn type_like(&mut self, ty: ScriptType, like: Value<'c, 'a>) -> Option<(Type<'c>, ScriptType)> {
        let is_value = sconce_analysis::Tensor::of(like.r#type()).is_some_and(|t| t.value);
        let mlir =
            if is_value { sconce_torch::types::to_mlir_value(self.context, &ty) } else { self.nodes.mlir_type(&ty) };
        Some((mlir?, ty))
    }

    /// A value as one of the type, in front of an operation, if a cast says so.
    pub fn pass_on(
        &self,
        at: &Builder<'c, 'a>,
        value: Value<'c, 'a>,
        ty: Type<'c>,
    ) -> Result<Option<Value<'c, 'a>>, Failure> {
        Ok(self.nodes.pass_on(at, value, ty)?)
    }
}

/// The place right behind where a value comes to be.
fn behind<'c: 'a, 'a>(context: &'c Context, value: Value<'c, 'a>) -> Result<Builder<'c, 'a>, Failure> {
    match (value.defining_op(), value.block_argument()) {
        (Some(op), _) => Ok(Builder::after(op)),
        (None, Some((block, _))) => Ok(Builder::at_start(context, block)),
        (None, None) => Err(Failure::new("a value without a definition")),
    }
}
