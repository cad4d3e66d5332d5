//! `fuse-linear`: a product with a transposed weight is a linear layer: `matmul(x, w.t())` and `addmm(b, x, w.t())` become `linear(x, w, b)`.
//!
//! A bias that is added behind the product (`add_`) joins it where types say that it is one vector of the product's dtype, so that the sum is no larger than the product.

use crate::graph::{Rewriter, each_function, erase_all, inputs, is_one, made_by, nodes};
use sconce_analysis::Tensor;
use sconce_analysis::operators::kind;
use sconce_ir::prelude::*;
use sconce_pass::{Failure, Pass, PassResult, PassRun, fuel};
use sconce_schema::Type as ScriptType;
use sconce_schema::types::TensorType;
use sconce_tensor::IValue;

/// The pass `fuse-linear`.
pub struct FuseLinear;

impl Pass for FuseLinear {
    const NAME: &'static str = "fuse-linear";
    const DESCRIPTION: &'static str =
        "Make products with transposed weights, and what adds a bias to them, linear layers";
    const PYTORCH: &'static str = "`FuseLinear`";
    const ANCHOR: Option<&'static str> = None;
    const DIALECTS: &'static [&'static str] = &["torch"];
    const KEEPS_BITS: bool = false;

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        each_function(root, |function| {
            let mut rewriter = Rewriter::new(function.context_ref());
            // Those with a bias first: what is left of products has none.
            for wanted in ["aten.addmm", "aten.add_", "aten.matmul"] {
                for op in nodes(function).into_iter().filter(|op| kind(*op) == wanted) {
                    if let Some(found) = Layer::of(op) {
                        found.put(&mut rewriter)?;
                    }
                }
            }
            Ok(())
        })
    }
}

/// A linear layer, as other operations say it.
struct Layer<'c, 'a> {
    input: Value<'c, 'a>,
    weight: Value<'c, 'a>,
    bias: Option<Value<'c, 'a>>,
    /// What goes: the last one's result is the layer's.
    ops: Vec<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Layer<'c, 'a> {
    fn of(op: OperationRef<'c, 'a>) -> Option<Self> {
        match (kind(op), &inputs(op)[..]) {
            ("aten.addmm", [bias, input, right, beta, alpha]) if is_one(*beta) && is_one(*alpha) => {
                let (weight, transposed) = transposed(*right)?;
                Some(Layer { input: *input, weight, bias: Some(*bias), ops: vec![transposed, op] })
            }
            ("aten.add_", [sum, bias, alpha]) if is_one(*alpha) => {
                let product = made_by(*sum, "aten.matmul").filter(|_| is_only_use(*sum))?;
                let mut found = Layer::of(product).filter(|_| is_vector_like(*bias, *sum))?;
                found.bias = Some(*bias);
                found.ops.push(op);
                Some(found)
            }
            ("aten.matmul", [input, right]) => {
                let (weight, transposed) = transposed(*right)?;
                Some(Layer { input: *input, weight, bias: None, ops: vec![transposed, op] })
            }
            _ => None,
        }
    }

    fn put(self, rewriter: &mut Rewriter<'c>) -> PassResult {
        let Some(last) = self.ops.last().copied() else { return Ok(()) };
        let Some(result) = last.result_value(0).filter(|_| fuel::spend("linear", last)) else { return Ok(()) };
        let at = Builder::before(last);
        let bias = match self.bias {
            Some(bias) => bias,
            None => {
                let tensor = ScriptType::Tensor(TensorType::default().into());
                let none = rewriter.constant(&at, &IValue::None, &ScriptType::Optional(tensor.into()), result)?;
                none.ok_or_else(|| Failure::new("None is no constant of the dialect"))?
            }
        };
        let ty = (result.r#type(), &crate::graph::script_type(result));
        let linear = rewriter.node(&at, "aten::linear", last.location(), &[self.input, self.weight, bias], ty)?;
        if let Some(value) = linear.result_value(0) {
            rewriter.replace_uses(result, value)?;
        }
        erase_all(&self.ops)
    }
}

/// The tensor of which a value is the transposed one, which nobody else uses.
fn transposed<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<(Value<'c, 'a>, OperationRef<'c, 'a>)> {
    let op = made_by(value, "aten.t").filter(|_| is_only_use(value))?;
    Some((inputs(op).first().copied()?, op))
}

fn is_only_use(value: Value<'_, '_>) -> bool {
    value.uses().len() == 1
}

/// Is a tensor known to have one dimension, and the dtype of another?
fn is_vector_like(vector: Value<'_, '_>, other: Value<'_, '_>) -> bool {
    let (Some(a), Some(b)) = (Tensor::of(vector.r#type()), Tensor::of(other.r#type())) else { return false };
    a.sizes.is_some_and(|sizes| sizes.len() == 1) && a.dtype.is_some() && a.dtype == b.dtype
}
