//! `fold-conv-bn`: batch normalisation by constants right behind a convolution or linear layer with constant weights becomes part of the weights.
//!
//! `((w ∗ x + b) − mean) · s + beta` with `s = gamma / sqrt(var + eps)` is `(w · s) ∗ x + ((b − mean) · s + beta)`: equal in real numbers, rounded elsewhere. What computes the
//! new weights is written in front of the layer; `hoist-constants` moves it to where it runs once.
//!
//! Where the weights are many and what the layer gives is small, as at the end of most networks for images, new weights cost more memory and time than many calls
//! save: `most-weights` leaves those layers as they are.

use crate::graph::{CONVOLUTIONS, Rewriter, constant, each_function, inputs, is_constant, made_by, nodes};
use sconce_analysis::operators::kind;
use sconce_analysis::{Aliases, Tensor};
use sconce_ir::prelude::*;
use sconce_pass::{Failure, Pass, PassOption, PassResult, PassRun, fuel};
use sconce_schema::Type as ScriptType;
use sconce_schema::types::{Dim, TensorType};
use sconce_tensor::IValue;

/// The pass `fold-conv-bn`.
pub struct FoldConvBn;

impl Pass for FoldConvBn {
    const NAME: &'static str = "fold-conv-bn";
    const DESCRIPTION: &'static str =
        "Make batch normalisation behind a convolution or linear layer part of its constant weights";
    const PYTORCH: &'static str = "`FoldFrozenConvBatchnorm` and `FoldFrozenLinearBatchnorm`";
    const ANCHOR: Option<&'static str> = None;
    const OPTIONS: &'static [PassOption] = &[PassOption::int(
        "most-weights",
        "weights of a layer for each element that it gives, where that is known; more stay as they are (0: any number)",
        0,
    )];
    const DIALECTS: &'static [&'static str] = &["torch"];
    const KEEPS_BITS: bool = false;

    fn run(root: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
        let most = run.int("most-weights");
        each_function(root, |function| {
            let norms: Vec<_> = nodes(function).into_iter().filter(|op| kind(*op) == "aten.batch_norm").collect();
            if norms.is_empty() {
                return Ok(());
            }
            let aliases = Aliases::of(function);
            let found = norms.into_iter().filter_map(|norm| Folded::of(norm, &aliases));
            let found: Vec<_> = found.filter(|folded| most == 0 || folded.pays(most)).collect();
            let mut rewriter = Rewriter::new(function.context_ref());
            let mut found = found.into_iter().filter(|folded| fuel::spend("fold", folded.norm));
            found.try_for_each(|folded| folded.put(&mut rewriter))
        })
    }
}

/// Other layers whose weight has its output channels first.
const LAYERS: &[&str] = &["aten._convolution", "aten.convolution", "aten.linear"];

/// A batch normalisation that goes away, and the layer before it.
struct Folded<'c, 'a> {
    norm: OperationRef<'c, 'a>,
    layer: OperationRef<'c, 'a>,
    /// Rank of the weight.
    rank: usize,
}

impl<'c: 'a, 'a> Folded<'c, 'a> {
    fn of(norm: OperationRef<'c, 'a>, aliases: &Aliases<'c>) -> Option<Self> {
        let [input, gamma, beta, mean, var, training, ..] = inputs(norm)[..] else { return None };
        if !matches!(constant(training), Some(IValue::Bool(false))) {
            return None;
        }
        let layers = CONVOLUTIONS.iter().map(|(name, _)| name).chain(LAYERS);
        let layer = layers.into_iter().find_map(|name| made_by(input, name))?;
        let operands = inputs(layer);
        let (weight, bias) = (*operands.get(1)?, *operands.get(2)?);
        let channels = weights(weight, aliases)?;
        let (weight_sizes, dtype) = (Tensor::of(weight.r#type())?.sizes?, Tensor::of(weight.r#type())?.dtype?);
        // A product's last dimension are its channels; the norm's are the second.
        let is_second = match kind(layer) {
            "aten.linear" => Tensor::of(input.r#type()).and_then(|t| t.sizes).is_some_and(|sizes| sizes.len() == 2),
            name => CONVOLUTIONS.iter().all(|(other, rank)| *other != name || *rank == weight_sizes.len()),
        };
        let is_transposed = sconce_torch::entry(layer)?
            .schema()
            .arguments
            .iter()
            .position(|argument| &*argument.name == "transposed")
            .is_some_and(|at| !operands.get(at).is_some_and(|v| matches!(constant(*v), Some(IValue::Bool(false)))));
        let is_none = |v: Value<'c, 'a>| matches!(constant(v), Some(IValue::None));
        let fits = |v: Value<'c, 'a>| {
            weights(v, aliases) == Some(channels)
                && Tensor::of(v.r#type())
                    .is_some_and(|t| t.dtype == Some(dtype) && t.sizes.is_some_and(|sizes| sizes.len() == 1))
        };
        let all = [mean, var].into_iter().all(fits) && [gamma, beta, bias].into_iter().all(|v| is_none(v) || fits(v));
        // What the layer gives is the norm's alone, and nobody changes it or the layer's input in between.
        let is_own = layer.result_value(0)? == input && input.uses().len() == 1 && !aliases.has_writers(input);
        let same_block = norm.block_ref() == layer.block_ref();
        let stands = is_second && !is_transposed && all && is_own && same_block && dtype.is_float();
        stands.then_some(Folded { norm, layer, rank: weight_sizes.len() })
    }

    /// Are there at most so many weights for each element that the layer gives? So it is taken to be where sizes are not known.
    fn pays(&self, most: i64) -> bool {
        let count = |v: Option<Value<'c, 'a>>| -> Option<i64> {
            let sizes = Tensor::of(v?.r#type())?.sizes?;
            sizes.into_iter().try_fold(1i64, |product, size| product.checked_mul(size?))
        };
        let (weights, given) = (count(inputs(self.layer).get(1).copied()), count(self.layer.result_value(0)));
        weights.zip(given).is_none_or(|(weights, given)| weights <= given.saturating_mul(most))
    }

    /// The type of a vector of channels that is multiplied with the weight.
    fn column(&self, vector: Type<'c>) -> Result<Type<'c>, Failure> {
        let known = Tensor::of(vector).and_then(|t| Some((t.dtype?, t.sizes?.first().copied()??)));
        let (dtype, channels) = known.ok_or_else(|| Failure::new("a vector of unknown size"))?;
        let sizes = std::iter::once(channels).chain(std::iter::repeat_n(1, self.rank - 1)).map(Dim::Known).collect();
        let ty = TensorType { dtype: Some(dtype), sizes: Some(sizes), ..TensorType::default() };
        let ty = sconce_torch::types::to_mlir(self.layer.context_ref(), &ScriptType::Tensor(ty.into()));
        ty.ok_or_else(|| Failure::new("the dialect has no such tensors"))
    }

    /// Computes the new weights in front of the layer and takes the norm away.
    fn put(self, rewriter: &mut Rewriter<'c>) -> PassResult {
        let context = self.layer.context_ref();
        let at = Builder::before(self.layer);
        // What the norm reads may stand behind the layer: constants can be had anywhere.
        let here = |v: Value<'c, 'a>| match v.defining_op() {
            Some(op) if is_constant(op) => at.insert(op.clone_with(&[])).result_value(0).unwrap_or(v),
            _ => v,
        };
        let [_, gamma, beta, mean, var, _, _, eps, ..] = inputs(self.norm)[..] else { return Ok(()) };
        let location = self.norm.location();
        let (vector, operands) = (var.r#type(), inputs(self.layer));
        let op = |name: &str, operands: &[Value<'c, 'a>], ty| {
            at.op(name, location).operands(operands).results(&[ty]).build_value().map_err(Failure::from)
        };
        let is_none = |v: Value<'c, 'a>| matches!(constant(v), Some(IValue::None));
        let int = |n: i64| {
            let ty = sconce_torch::types::to_mlir(context, &ScriptType::Int);
            let ty = ty.ok_or_else(|| Failure::new("the dialect has no integers"))?;
            let op = at.op("torch.constant.int", location).attr("value", attr::i64(context, n)).results(&[ty]);
            op.build_value().map_err(Failure::from)
        };
        let one = int(1)?;
        let spread = op("torch.aten.add.Scalar", &[here(var), here(eps), one], vector)?;
        let mut scale = op("torch.aten.rsqrt", &[spread], vector)?;
        if !is_none(gamma) {
            scale = op("torch.aten.mul.Tensor", &[scale, here(gamma)], vector)?;
        }
        let mut shape = vec![int(-1)?];
        for _ in 1..self.rank {
            shape.push(one);
        }
        let ints = ScriptType::List(ScriptType::Int.into());
        let list = rewriter.mlir_type(&ints).ok_or_else(|| Failure::new("the dialect has no lists of integers"))?;
        let shape = rewriter.node(&at, "prim::ListConstruct", location, &shape, (list, &ints))?;
        let shape = shape.result_value(0).ok_or_else(|| Failure::new("a list without a result"))?;
        let column = op("torch.aten.reshape", &[scale, shape], self.column(vector)?)?;
        let weight = op("torch.aten.mul.Tensor", &[operands[1], column], operands[1].r#type())?;
        let centred = match is_none(operands[2]) {
            true => op("torch.aten.neg", &[here(mean)], vector)?,
            false => op("torch.aten.sub.Tensor", &[operands[2], here(mean), one], vector)?,
        };
        let mut bias = op("torch.aten.mul.Tensor", &[centred, scale], vector)?;
        if !is_none(beta) {
            bias = op("torch.aten.add.Tensor", &[bias, here(beta), one], vector)?;
        }
        self.layer.set_operand_value(1, weight);
        let declared = self.layer.operand_value(2).map_or(vector, |v| v.r#type());
        let bias = rewriter.pass_on(&at, bias, declared)?.unwrap_or(bias);
        self.layer.set_operand_value(2, bias);
        if let (Some(result), Some(given)) = (self.norm.result_value(0), self.layer.result_value(0)) {
            rewriter.replace_uses(result, given)?;
        }
        self.norm.erase().map_err(Failure::from)
    }
}

/// The first dimension of a constant tensor of known sizes that nobody writes to.
fn weights<'c: 'a, 'a>(value: Value<'c, 'a>, aliases: &Aliases<'c>) -> Option<i64> {
    value.defining_op().filter(|op| is_constant(*op))?;
    let sizes = Tensor::of(value.r#type())?.sizes?;
    let known = sizes.iter().copied().collect::<Option<Vec<i64>>>()?;
    known.first().copied().filter(|_| !aliases.has_writers(value))
}
