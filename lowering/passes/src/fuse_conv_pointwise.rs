//! `fuse-conv-pointwise`: what is done to each element of a convolution's result, and to nothing else of it, is done by the convolution, while the result is near.
//!
//! That is an operator on one tensor, as relu is, or a sum with another tensor of the same sizes and such an operator behind it, in the words of `mkldnn`.

use crate::graph::{Rewriter, constant, each_function, erase_all, inputs, is_one, is_same, nodes, script_type};
use sconce_analysis::{Aliases, Tensor};
use sconce_ir::prelude::*;
use sconce_pass::{Failure, Pass, PassResult, PassRun, fuel};
use sconce_schema::Type as ScriptType;
use sconce_schema::fusion::{self, BINARY, UNARY};
use sconce_schema::ops;
use sconce_tensor::{DType, IValue};
use sconce_torch::entry;

/// The pass `fuse-conv-pointwise`.
pub struct FuseConvPointwise;

impl Pass for FuseConvPointwise {
    const NAME: &'static str = "fuse-conv-pointwise";
    const DESCRIPTION: &'static str = "Let convolutions of f32 do what is done to each element of their results";
    const PYTORCH: &'static str = "`FuseConvWithEltwise`, for one such operator";
    const ANCHOR: Option<&'static str> = None;
    const DIALECTS: &'static [&'static str] = &["torch"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        fuse_conv_pointwise(root, |_| true)
    }
}

/// The same for the convolutions that are wanted.
pub fn fuse_conv_pointwise(root: OperationRef<'_, '_>, wanted: impl Fn(OperationRef<'_, '_>) -> bool) -> PassResult {
    each_function(root, |function| {
        let found: Vec<_> = nodes(function).into_iter().filter(|op| settings(*op).is_some() && wanted(*op)).collect();
        if found.is_empty() {
            return Ok(());
        }
        let aliases = Aliases::of(function);
        let mut rewriter = Rewriter::new(function.context_ref());
        for convolution in found {
            if let Some(fused) = Fused::of(convolution, &aliases)
                && fuel::spend("conv-pointwise", convolution)
            {
                fused.put(&mut rewriter)?;
            }
        }
        Ok(())
    })
}

/// Padding, stride, dilation and groups of a convolution that is not transposed: where they stand among its operands.
fn settings(op: OperationRef<'_, '_>) -> Option<[usize; 4]> {
    let entry = entry(op)?;
    let place = |name: &str| entry.schema().arguments.iter().position(|a| &*a.name == name);
    let is_plain = match entry.op() {
        ops::aten::conv1d | ops::aten::conv2d | ops::aten::conv3d => true,
        ops::aten::convolution | ops::aten::_convolution => {
            matches!(constant(*inputs(op).get(place("transposed")?)?), Some(IValue::Bool(false)))
        }
        _ => false,
    };
    let [padding, stride, dilation, groups] = ["padding", "stride", "dilation", "groups"].map(place);
    is_plain.then_some([padding?, stride?, dilation?, groups?])
}

/// A convolution and what its results go through.
struct Fused<'c, 'a> {
    /// In their order, the convolution first.
    ops: Vec<OperationRef<'c, 'a>>,
    /// The word of an operator on results and another tensor.
    binary: Option<(&'static str, Value<'c, 'a>)>,
    /// The word of an operator on results, and its further operands.
    unary: Option<(&'static str, Vec<Value<'c, 'a>>)>,
}

impl<'c: 'a, 'a> Fused<'c, 'a> {
    /// What is written to between could be read too late.
    fn of(convolution: OperationRef<'c, 'a>, aliases: &Aliases<'c>) -> Option<Self> {
        let mut found = Fused { ops: vec![convolution], binary: None, unary: None };
        if let Some((op, binary)) = found.only_user().and_then(|op| Some((op, found.binary(op)?))) {
            found.ops.push(op);
            found.binary = Some(binary);
        }
        if let Some((op, unary)) = found.only_user().and_then(|op| Some((op, unary(op)?))) {
            found.ops.push(op);
            found.unary = Some(unary);
        }
        let is_steady = |op: &OperationRef<'c, 'a>| {
            let values = inputs(*op).into_iter().chain(op.result_value(0));
            values.filter(|v| Tensor::of(v.r#type()).is_some()).all(|v| !aliases.has_writers(v))
        };
        (found.ops.len() > 1 && found.ops.iter().all(is_steady)).then_some(found)
    }

    /// The last operation's result, of f32.
    fn result(&self) -> Option<Value<'c, 'a>> {
        let result = self.ops.last()?.result_value(0)?;
        let is_single = Tensor::of(result.r#type()).is_some_and(|t| t.dtype == Some(DType::F32));
        is_single.then_some(result)
    }

    /// Who alone uses it, in its block.
    fn only_user(&self) -> Option<OperationRef<'c, 'a>> {
        let (result, last) = (self.result()?, self.ops.last()?);
        let [usage] = result.uses()[..] else { return None };
        let is_beside = usage.owner.block().zip(last.block()).is_some_and(|(a, b)| a.to_raw().ptr == b.to_raw().ptr);
        is_beside.then_some(usage.owner)
    }

    fn binary(&self, op: OperationRef<'c, 'a>) -> Option<(&'static str, Value<'c, 'a>)> {
        let (word, result) = (fusion::word(&BINARY, entry(op)?.name)?, self.result()?);
        let operands = inputs(op);
        let (&[a, b], rest) = operands.split_first_chunk::<2>()?;
        let made_here = |v: Value<'c, 'a>| v.defining_op().is_some_and(|op| self.ops.iter().any(|o| is_same(*o, op)));
        let other = match (made_here(a), made_here(b)) {
            (true, false) => b,
            (false, true) if matches!(word, "add" | "mul") => a,
            _ => return None,
        };
        let (have, want) = (Tensor::of(other.r#type())?, Tensor::of(result.r#type())?);
        let known = |t: &Tensor| t.sizes.as_ref().is_some_and(|s| s.iter().all(Option::is_some));
        let alike = known(&have) && have.sizes == want.sizes && have.dtype == want.dtype;
        (alike && rest.iter().all(|alpha| is_one(*alpha))).then_some((word, other))
    }

    fn put(self, rewriter: &mut Rewriter<'c>) -> PassResult {
        let (Some(first), Some(last)) = (self.ops.first(), self.ops.last()) else { return Ok(()) };
        let (Some(places), Some(result)) = (settings(*first), last.result_value(0)) else { return Ok(()) };
        let at = Builder::before(*last);
        let mut literal = |value: IValue, ty: ScriptType| -> Result<Value<'c, 'a>, Failure> {
            let made = rewriter.constant(&at, &value, &ty, result)?;
            made.ok_or_else(|| Failure::new(format!("{ty} has no constant in the dialect")))
        };
        let optional = |ty: ScriptType| ScriptType::Optional(ty.into());
        let (word, rest) = self.unary.unwrap_or(("none", Vec::new()));
        let word = match &self.binary {
            Some(_) if word == "none" => literal(IValue::None, optional(ScriptType::Str))?,
            _ => literal(IValue::from(word), ScriptType::Str)?,
        };
        let (texts, scalars): (Vec<_>, Vec<_>) = rest.into_iter().partition(|v| script_type(*v) == ScriptType::Str);
        let algorithm = match texts.first() {
            Some(text) => *text,
            None => literal(IValue::None, optional(ScriptType::Str))?,
        };
        let mut before = Vec::new();
        if let Some((word, _)) = self.binary {
            before = vec![
                literal(IValue::from(word), ScriptType::Str)?,
                literal(IValue::None, optional(ScriptType::Number))?,
            ];
        }
        let list = ScriptType::List(optional(ScriptType::Number).into());
        let list_type =
            rewriter.mlir_type(&list).ok_or_else(|| Failure::new(format!("{list} is no type of the dialect")))?;
        let scalars = rewriter.node(&at, "prim::ListConstruct", last.location(), &scalars, (list_type, &list))?;
        let operands = inputs(*first);
        let mut given: Vec<_> = operands[..1].to_vec();
        given.extend(self.binary.map(|(_, other)| other));
        given.extend(&operands[1..3]);
        given.extend(places.map(|place| operands[place]));
        given.extend(before);
        given.extend([Some(word), scalars.result_value(0), Some(algorithm)].into_iter().flatten());
        let operator = match self.binary {
            Some(_) => ops::mkldnn::_convolution_pointwise_binary,
            None => ops::mkldnn::_convolution_pointwise,
        };
        let entry =
            sconce_schema::entry(operator.0).ok_or_else(|| Failure::new("the op table lacks a fused convolution"))?;
        let ty = (result.r#type(), &script_type(result));
        let fused = rewriter.node(&at, entry.name, last.location(), &given, ty)?;
        if let Some(value) = fused.result_value(0) {
            rewriter.replace_uses(result, value)?;
        }
        erase_all(&self.ops)
    }
}

/// The word of an operator on one tensor, and its further operands.
fn unary<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<(&'static str, Vec<Value<'c, 'a>>)> {
    let word = fusion::word(&UNARY, entry(op)?.name)?;
    Some((word, inputs(op).split_off(1)))
}
