//! `hoist-loop-products`: what a loop multiplies each slice of one tensor by, turn by turn, the whole tensor is multiplied by once, in front of the loop.
//!
//! A recurrent layer multiplies the input of each step by the same weights. One product of all steps reads the weights once, and has rows enough for whole tiles,
//! which a product of one row cannot fill.

use crate::graph::{Counted, Rewriter, block_ops, bytes, constant, each_function, inputs, int, nodes, script_type};
use sconce_analysis::effects::is_only_read;
use sconce_analysis::operators::{kind, source};
use sconce_analysis::{Aliases, Tensor};
use sconce_ir::prelude::*;
use sconce_pass::{Pass, PassOption, PassResult, PassRun, fuel};
use sconce_schema::Type as ScriptType;
use sconce_tensor::{DType, IValue};

/// The pass `hoist-loop-products`.
pub struct HoistLoopProducts;

impl Pass for HoistLoopProducts {
    const NAME: &'static str = "hoist-loop-products";
    const DESCRIPTION: &'static str =
        "Multiply a whole tensor in front of the loop that multiplies its slices by the same weights";
    const ANCHOR: Option<&'static str> = None;
    const DIALECTS: &'static [&'static str] = &["torch"];
    const OPTIONS: &'static [PassOption] = &[
        PassOption::int("most-rows", "rows of a slice; more of them fill tiles in each turn", 8),
        PassOption::int("most-bytes", "bytes of the results of all turns", 64 << 20),
        PassOption::int("most-growth", "times as many elements as the tensor has, where bytes are not known", 16),
    ];
    const KEEPS_BITS: bool = false;

    fn run(root: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
        let bytes = usize::try_from(run.int("most-bytes")).unwrap_or(0);
        let limits = Limits { rows: run.int("most-rows"), bytes, growth: run.int("most-growth") };
        each_function(root, |function| {
            let loops: Vec<_> = nodes(function).into_iter().filter_map(Counted::of).collect();
            if loops.iter().all(|l| l.products().is_empty()) {
                return Ok(());
            }
            let aliases = Aliases::of(function);
            let mut rewriter = Rewriter::new(function.context_ref());
            for counted in loops {
                for op in counted.products() {
                    if let Some(found) = Product::of(op, &counted, limits).filter(|p| p.is_steady(&aliases))
                        && fuel::spend("loop-product", op)
                    {
                        found.put(&counted, &mut rewriter)?;
                    }
                }
            }
            Ok(())
        })
    }
}

/// What is worth it.
#[derive(Clone, Copy)]
struct Limits {
    /// Of a slice.
    rows: i64,
    /// Of the results of all turns.
    bytes: usize,
    /// Elements of the results for one of the tensor.
    growth: i64,
}

impl<'c: 'a, 'a> Counted<'c, 'a> {
    /// The products of each turn.
    fn products(&self) -> Vec<OperationRef<'c, 'a>> {
        let is_product = |op: &OperationRef<'c, 'a>| matches!(kind(*op), "aten.linear" | "aten.mm" | "aten.matmul");
        block_ops(self.body).into_iter().filter(is_product).collect()
    }

    /// The tensor whose slice of this turn a value is, along its first dimension, of which there is one for each turn.
    fn sliced(&self, value: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
        let counter = *self.body.args().first()?;
        let op = source(value).defining_op()?;
        let whole = match (kind(op), &inputs(op)[..]) {
            ("aten.select", [whole, dim, at]) if int(*dim) == Some(0) && *at == counter => *whole,
            _ => return None,
        };
        let first = Tensor::of(whole.r#type())?.sizes?.first().copied()?;
        let counted = self.along.is_some_and(|along| source(along) == source(whole));
        (counted || first.is_some() && first == self.turns).then_some(whole).filter(|whole| self.is_before(*whole))
    }
}

/// A product of slices.
struct Product<'c, 'a> {
    op: OperationRef<'c, 'a>,
    whole: Value<'c, 'a>,
    /// Weights, and what is added to results.
    others: Vec<Value<'c, 'a>>,
    /// In the loop, but of what is there before: the turned weights.
    turned: Option<OperationRef<'c, 'a>>,
    /// Of all turns.
    ty: Tensor,
}

impl<'c: 'a, 'a> Product<'c, 'a> {
    fn of(op: OperationRef<'c, 'a>, counted: &Counted<'c, 'a>, limits: Limits) -> Option<Self> {
        let operands = inputs(op);
        let whole = counted.sliced(*operands.first()?)?;
        let others = operands[1..].to_vec();
        let weights = Tensor::of(op.operand_value(1)?.r#type())?;
        let result = Tensor::of(op.result_value(0)?.r#type())?;
        let slices = Tensor::of(whole.r#type())?;
        let [dtypes, ranks] = [
            matches!(result.dtype, Some(DType::F32 | DType::F64)) && weights.dtype == result.dtype,
            weights.sizes.as_ref()?.len() == 2 && slices.sizes.as_ref()?.len() >= 3,
        ];
        // Turned in the loop, weights are turned in front of it.
        let turned = others[0].defining_op().filter(|op| kind(*op) == "aten.t" && !counted.is_before(others[0]));
        let before = |v: &Value<'c, 'a>| counted.is_before(*v);
        let ready = match turned {
            Some(turned) => others[1..].iter().all(before) && inputs(turned).iter().all(before),
            None => others.iter().all(|v| before(v) || constant(*v).is_some()),
        };
        // Of all turns for one element of the tensor: as many as weights have of results for each that is summed.
        let columns = result.sizes.as_ref()?.last().copied()??;
        let elements = weights.sizes.as_ref()?.iter().try_fold(1i64, |n, size| n.checked_mul((*size)?))?;
        let grows = elements.checked_div(columns).and_then(|summed| columns.checked_div(summed))? <= limits.growth;
        let sizes = std::iter::once(counted.turns).chain(result.sizes?).collect();
        let ty = Tensor { sizes: Some(sizes), value: result.value, dtype: result.dtype };
        // Of a slice: neither the turns nor what is summed.
        let rows = slices.sizes?.iter().skip(1).rev().skip(1).try_fold(1i64, |rows, size| rows.checked_mul((*size)?));
        let fits = match bytes(ty.dtype, ty.sizes.clone()?) {
            Some(bytes) => bytes <= limits.bytes && rows.is_some_and(|rows| rows <= limits.rows),
            None => grows && rows.is_none_or(|rows| rows <= limits.rows),
        };
        (dtypes && ranks && ready && fits).then_some(Product { op, whole, others, turned, ty })
    }

    /// Nobody writes to what is multiplied, and the result, a view of all results then, is nobody else's.
    fn is_steady(&self, aliases: &Aliases<'c>) -> bool {
        let result = self.op.result_value(0);
        let given = self.others.iter().copied().chain([self.whole]);
        given.into_iter().chain(result).all(|v| Tensor::of(v.r#type()).is_none() || !aliases.has_writers(v))
            && result.is_some_and(is_only_read)
    }

    fn put(self, counted: &Counted<'c, 'a>, rewriter: &mut Rewriter<'c>) -> PassResult {
        let Some(result) = self.op.result_value(0) else { return Ok(()) };
        let Some(ty) = self.ty.to_type(self.op.context_ref()) else { return Ok(()) };
        let (front, location) = (Builder::before(counted.op), self.op.location());
        let mut operands = vec![self.whole];
        for value in self.others {
            let made = value.defining_op().filter(|_| !counted.is_before(value));
            operands.push(match made.map(|op| front.insert(op.clone_with(&[]))) {
                Some(copy) => copy.result_value(0).unwrap_or(value),
                None => value,
            });
        }
        let Some(script) = sconce_torch::types::from_mlir(ty) else { return Ok(()) };
        let name = if kind(self.op) == "aten.linear" { "aten::linear" } else { "aten::matmul" };
        let all = rewriter.node(&front, name, location, &operands, (ty, &script))?;
        let first = rewriter.constant(&front, &IValue::Int(0), &ScriptType::Int, result)?;
        let (Some(all), Some(first), Some(turn)) = (all.result_value(0), first, counted.body.args().first().copied())
        else {
            return Ok(());
        };
        let at = Builder::before(self.op);
        let slice = (result.r#type(), &script_type(result));
        let slice = rewriter.node(&at, "aten::select", location, &[all, first, turn], slice)?;
        if let Some(slice) = slice.result_value(0) {
            rewriter.replace_uses(result, slice)?;
        }
        self.op.erase()?;
        if let Some(turned) = self.turned.filter(|op| op.is_unused()) {
            turned.erase()?;
        }
        Ok(())
    }
}
