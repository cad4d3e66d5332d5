//! Graphs that nodes hold (`with prim::FusionGroup_0 = graph(…)`): private functions that nobody else names.

use super::{Rewriter, block_ops, is_constant, is_same, passed, script_type};
use rustc_hash::FxHashMap;
use sconce_analysis::operators::is_silent;
use sconce_ir::prelude::*;
use sconce_ir::{FunctionType, builder};
use sconce_pass::Failure;
use sconce_schema::Type as ScriptType;

/// A graph while it is made.
pub(crate) struct Held<'c, 'a> {
    pub function: OperationRef<'c, 'a>,
    kind: String,
    pub at: Builder<'c, 'a>,
    given: Vec<Value<'c, 'a>>,
    /// What values outside are in it, by their ids.
    values: FxHashMap<usize, Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Held<'c, 'a> {
    /// A graph of a node of this kind and number in a function; its inputs are as these values.
    pub fn begin(
        rewriter: &mut Rewriter<'c>,
        owner: OperationRef<'c, 'a>,
        (local, number): (&str, usize),
        given: &[Value<'c, 'a>],
    ) -> Result<Self, Failure> {
        let context = owner.context_ref();
        let unknown = Location::unknown(context);
        let wanted = format!("{}.{local}_{number}", owner.symbol_name().unwrap_or("forward"));
        let name = rewriter.free_name(owner, wanted);
        let arguments: Vec<_> = given.iter().map(|v| (v.r#type(), unknown)).collect();
        let function = Builder::after(owner).insert(builder::function(&name, &arguments, &[], unknown)?);
        function.set_attr("sym_visibility", attr::string(context, "private"));
        function.set_attr("torch.with", attr::string(context, &format!("prim::{local}_{number}")));
        let types: Vec<ScriptType> = given.iter().map(|v| script_type(*v)).collect();
        rewriter.keep_argument_types(function, &types);
        let entry = builder::entry(function)?;
        let values = given.iter().map(|v| v.id()).zip(entry.args()).collect();
        let (kind, at) = (format!("prim::{local}"), Builder::at_end(context, entry));
        Ok(Held { function, kind, at, given: given.to_vec(), values })
    }

    /// What a value is in the graph, if it is there yet.
    pub fn inner(&self, value: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
        self.values.get(&value.id()).copied()
    }

    /// Says what a value is in the graph.
    pub fn stands_for(&mut self, outer: Value<'c, 'a>, inner: Value<'c, 'a>) {
        self.values.insert(outer.id(), inner);
    }

    /// A copy of an operation in the graph, behind copies of the constants that are not there yet.
    pub fn copy(&mut self, op: OperationRef<'c, 'a>) {
        let mut operands = Vec::new();
        for operand in op.operand_values() {
            // A cast is a way to see a value: of what the graph has it is made again.
            let made = operand.defining_op().filter(|made| is_silent(*made) || is_constant(*made));
            if let Some(made) = made.filter(|_| self.inner(operand).is_none()) {
                self.copy(made);
            }
            operands.extend(self.inner(operand).map(|inner| (operand, inner)));
        }
        let copy = self.at.insert(op.clone_with(&operands));
        for (outer, inner) in op.result_values().into_iter().zip(copy.result_values()) {
            self.stands_for(outer, inner);
        }
    }

    /// The graph gives what these values are in it. The node that holds it is put in front of an operation, and whoever uses them uses its results, unless `keeps`
    /// says that this use stays.
    pub fn end(
        self,
        rewriter: &mut Rewriter<'c>,
        before: OperationRef<'c, 'a>,
        results: &[Value<'c, 'a>],
        keeps: impl Fn(Value<'c, 'a>, OperationRef<'c, 'a>) -> bool,
    ) -> Result<OperationRef<'c, 'a>, Failure> {
        let (kind, given) = (self.kind.clone(), self.given.clone());
        let types: Vec<_> =
            results.iter().filter_map(|v| self.inner(*v)).map(|v| (v.r#type(), script_type(v))).collect();
        let symbol = self.finish(results)?;
        let node = rewriter.holder(&Builder::before(before), &kind, before.location(), symbol, &given, &types)?;
        for (old, new) in results.iter().zip(node.result_values()) {
            for usage in old.uses() {
                if !is_same(usage.owner, node) && !keeps(*old, usage.owner) {
                    usage.owner.set_operand_value(usage.operand, new);
                }
            }
        }
        Ok(node)
    }

    /// The graph gives what these values are in it; its name, for a node that holds it.
    pub fn finish(self, results: &[Value<'c, 'a>]) -> Result<Attribute<'c>, Failure> {
        let context = self.function.context_ref();
        let results: Option<Vec<_>> = results.iter().map(|v| self.inner(*v)).collect();
        let results = results.ok_or_else(|| Failure::new("a graph without what it gives"))?;
        self.at.op("func.return", Location::unknown(context)).operands(&results).build()?;
        let inputs: Vec<Type<'c>> = self.given.iter().map(|v| v.r#type()).collect();
        let types: Vec<Type<'c>> = results.iter().map(|v| v.r#type()).collect();
        self.function.set_attr("function_type", attr::r#type(FunctionType::new(context, &inputs, &types).into()));
        Ok(attr::symbol(context, self.function.symbol_name().unwrap_or_default()))
    }
}

/// What a graph of one block gives if it is done at a place, of these values. Nothing is done where they are not of the types that it takes. `copy` puts an operation of
/// it at the place, with what its values are there.
pub(crate) fn spell_out<'c: 'a, 'a>(
    rewriter: &mut Rewriter<'c>,
    at: &Builder<'c, 'a>,
    body: BlockRef<'c, 'a>,
    given: &[Value<'c, 'a>],
    mut copy: impl FnMut(
        &mut Rewriter<'c>,
        OperationRef<'c, 'a>,
        &[(Value<'c, 'a>, Value<'c, 'a>)],
    ) -> Result<OperationRef<'c, 'a>, Failure>,
) -> Result<Option<Vec<Value<'c, 'a>>>, Failure> {
    let formals = body.args();
    if formals.len() != given.len() {
        return Ok(None);
    }
    let mut values = Vec::new();
    for (formal, given) in formals.into_iter().zip(given) {
        let Some(passed_on) = rewriter.pass_on(at, *given, formal.r#type())? else { return Ok(None) };
        values.push((formal, passed_on));
    }
    for op in block_ops(body) {
        let copy = copy(rewriter, op, &values)?;
        values.extend(op.result_values().into_iter().zip(copy.result_values()));
    }
    let now: FxHashMap<usize, Value<'c, 'a>> = values.into_iter().map(|(old, new)| (old.id(), new)).collect();
    Ok(Some(passed(body).into_iter().map(|v| now.get(&v.id()).copied().unwrap_or(v)).collect()))
}
