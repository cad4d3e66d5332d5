//! Tuples, and lists of known length, as the values that they hold: out of and into branches and loops.

use super::{Rewriter, add_results, inner_blocks, inputs, keep_results, made_by, passed};
use sconce_ir::prelude::*;
use sconce_pass::Failure;
use sconce_schema::Type as ScriptType;

/// What an aggregate holds, as MLIR and as TorchScript have its type.
pub(crate) type Part<'c> = (Type<'c>, ScriptType);

/// The type of an aggregate, and how it is made and taken apart.
pub(crate) struct Aggregate<'c> {
    pub ty: ScriptType,
    pub parts: Vec<Part<'c>>,
    /// Without a namespace.
    construct: &'static str,
    unpack: &'static str,
}

impl<'c> Aggregate<'c> {
    /// `None` of other types than tuples, and where the dialect has no type for a part.
    pub fn tuple(rewriter: &mut Rewriter<'c>, ty: &ScriptType) -> Option<Self> {
        let held: Vec<ScriptType> = match ty {
            ScriptType::Tuple(types) => types.to_vec(),
            ScriptType::NamedTuple(named) => named.fields.iter().map(|(_, ty)| ty.clone()).collect(),
            _ => return None,
        };
        Self::of(rewriter, ty, held, ["TupleConstruct", "TupleUnpack"])
    }

    /// `None` of other types than lists, and where the dialect has no type for elements.
    pub fn list(rewriter: &mut Rewriter<'c>, ty: &ScriptType, length: usize) -> Option<Self> {
        let ScriptType::List(element) = ty else { return None };
        let held = vec![ScriptType::clone(element); length];
        Self::of(rewriter, ty, held, ["ListConstruct", "ListUnpack"])
    }

    fn of(
        rewriter: &mut Rewriter<'c>,
        ty: &ScriptType,
        held: Vec<ScriptType>,
        [construct, unpack]: [&'static str; 2],
    ) -> Option<Self> {
        let parts = held.into_iter().map(|ty| Some((rewriter.mlir_type(&ty)?, ty))).collect::<Option<_>>()?;
        Some(Aggregate { ty: ty.clone(), parts, construct, unpack })
    }

    /// The values that one holds, in front of `at`.
    pub fn unpack<'a>(
        &self,
        rewriter: &mut Rewriter<'c>,
        at: &Builder<'c, 'a>,
        whole: Value<'c, 'a>,
    ) -> Result<Vec<Value<'c, 'a>>, Failure>
    where
        'c: 'a,
    {
        let unknown = Location::unknown(at.context());
        if let Some(made) = made_by(whole, &format!("prim.{}", self.construct)) {
            let same = inputs(made).into_iter().zip(&self.parts).map(|(v, (ty, _))| rewriter.pass_on(at, v, *ty));
            let same = same.collect::<Result<Option<Vec<_>>, _>>()?;
            if let Some(values) = same.filter(|v| v.len() == self.parts.len()) {
                return Ok(values);
            }
        }
        // Nobody reads what is not set, and the runtime would not take it apart.
        if made_by(whole, "prim.Uninitialized").is_some() {
            let one = |(ty, script): &Part<'c>| {
                let made = rewriter.node(at, "prim::Uninitialized", unknown, &[], (*ty, script))?;
                made.result_value(0).ok_or_else(|| Failure::new("a value that is not there"))
            };
            return self.parts.iter().map(one).collect();
        }
        let name = format!("prim::{}", self.unpack);
        Ok(rewriter.node_with(at, &name, unknown, &[], &[whole], &self.parts)?.result_values())
    }

    /// The aggregate of these values, which MLIR has as this type.
    pub fn pack<'a>(
        &self,
        rewriter: &mut Rewriter<'c>,
        at: &Builder<'c, 'a>,
        values: &[Value<'c, 'a>],
        ty: Type<'c>,
    ) -> Result<Value<'c, 'a>, Failure>
    where
        'c: 'a,
    {
        let name = format!("prim::{}", self.construct);
        let made = rewriter.node(at, &name, Location::unknown(at.context()), values, (ty, &self.ty))?;
        made.result_value(0).ok_or_else(|| Failure::new("an aggregate without a value"))
    }

    /// The same `prim.If` or `prim.Loop` with what the aggregate holds in the place of one result. The old operation is gone.
    pub fn split_result<'a>(
        &self,
        rewriter: &mut Rewriter<'c>,
        op: OperationRef<'c, 'a>,
        index: usize,
    ) -> Result<OperationRef<'c, 'a>, Failure>
    where
        'c: 'a,
    {
        let (is_loop, count) = (op.is("torch.prim.Loop"), op.result_values().len());
        let skip = usize::from(is_loop);
        let initial = match op.operand_value(2 + index).filter(|_| is_loop) {
            Some(whole) => self.unpack(rewriter, &Builder::before(op), whole)?,
            None => Vec::new(),
        };
        let op = add_results(rewriter, op, &self.parts, &initial)?;
        for block in inner_blocks(op) {
            let Some(end) = block.terminator_op() else { continue };
            if is_loop {
                let arguments = block.args();
                let (carried, new) = (arguments[1 + index], &arguments[1 + count..]);
                let at = Builder::at_start(op.context_ref(), block);
                let whole = self.pack(rewriter, &at, new, carried.r#type())?;
                carried.replace_all_uses_with(whole);
            }
            let given = self.unpack(rewriter, &Builder::before(end), passed(block)[skip + index])?;
            let all: Vec<Value<'c, 'a>> = passed(block).into_iter().chain(given).collect();
            end.set_operand_values(&all);
        }
        let values = op.result_values();
        let whole = self.pack(rewriter, &Builder::after(op), &values[count..], values[index].r#type())?;
        values[index].replace_all_uses_with(whole);
        let order: Vec<usize> = (0..index).chain(count..count + self.parts.len()).chain(index + 1..count).collect();
        keep_results(op, &order)
    }
}
