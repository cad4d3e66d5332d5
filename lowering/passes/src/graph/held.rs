//! Graphs that nodes hold (`with prim::FusionGroup_0 = graph(…)`): private functions that nobody else names.

use super::{Rewriter, script_type};
use sconce_ir::prelude::*;
use sconce_ir::{FunctionType, builder};
use sconce_pass::Failure;
use sconce_schema::Type as ScriptType;

/// A graph while it is made.
pub(crate) struct Held<'c, 'a> {
    function: OperationRef<'c, 'a>,
    kind: String,
    pub at: Builder<'c, 'a>,
}

impl<'c: 'a, 'a> Held<'c, 'a> {
    /// A graph of a node of this kind and number in a function, and its inputs, which are as these values.
    pub fn begin(
        rewriter: &Rewriter<'c>,
        owner: OperationRef<'c, 'a>,
        (local, number): (&str, usize),
        given: &[Value<'c, 'a>],
    ) -> Result<(Self, Vec<Value<'c, 'a>>), Failure> {
        let context = owner.context_ref();
        let unknown = Location::unknown(context);
        let wanted = format!("{}.{local}_{number}", owner.symbol_name().unwrap_or("forward"));
        let symbols = owner.parent().map(SymbolTable::of);
        let is_taken = |name: &str| symbols.as_ref().is_some_and(|s| s.get(name).is_some());
        let mut name = wanted.clone();
        let mut tries = 0;
        while is_taken(&name) {
            tries += 1;
            name = format!("{wanted}_{tries}");
        }
        let arguments: Vec<_> = given.iter().map(|v| (v.r#type(), unknown)).collect();
        let function = Builder::after(owner).insert(builder::function(&name, &arguments, &[], unknown)?);
        function.set_attr("sym_visibility", attr::string(context, "private"));
        function.set_attr("torch.with", attr::string(context, &format!("prim::{local}_{number}")));
        let types: Vec<ScriptType> = given.iter().map(|v| script_type(*v)).collect();
        rewriter.keep_argument_types(function, &types);
        let entry = builder::entry(function)?;
        let held = Held { function, kind: format!("prim::{local}"), at: Builder::at_end(context, entry) };
        Ok((held, entry.args()))
    }

    /// The graph gives these values; the node that holds it is put at a place and given these.
    pub fn end(
        self,
        rewriter: &mut Rewriter<'c>,
        at: &Builder<'c, 'a>,
        location: Location<'c>,
        given: &[Value<'c, 'a>],
        results: &[Value<'c, 'a>],
    ) -> Result<OperationRef<'c, 'a>, Failure> {
        let kind = self.kind.clone();
        let symbol = self.finish(given, results)?;
        let types: Vec<_> = results.iter().map(|v| (v.r#type(), script_type(*v))).collect();
        rewriter.holder(at, &kind, location, symbol, given, &types)
    }

    /// The graph gives these values; its name, for a node that holds it.
    pub fn finish(self, given: &[Value<'c, 'a>], results: &[Value<'c, 'a>]) -> Result<Attribute<'c>, Failure> {
        let context = self.function.context_ref();
        self.at.op("func.return", Location::unknown(context)).operands(results).build()?;
        let inputs: Vec<Type<'c>> = given.iter().map(|v| v.r#type()).collect();
        let types: Vec<Type<'c>> = results.iter().map(|v| v.r#type()).collect();
        self.function.set_attr("function_type", attr::r#type(FunctionType::new(context, &inputs, &types).into()));
        Ok(attr::symbol(context, self.function.symbol_name().unwrap_or_default()))
    }
}
