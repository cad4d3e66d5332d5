//! Views that are taken again of another tensor, and written back into what they are views of.

use super::Known;
use crate::graph::{Rewriter, constant};
use sconce_analysis::Tensor;
use sconce_analysis::effects::SCATTERS;
use sconce_analysis::operators::is_silent;
use sconce_ir::prelude::*;
use sconce_pass::Failure;
use sconce_schema::Type as ScriptType;
use sconce_tensor::IValue;

/// How a new value of a view becomes one of what it is a view of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Back {
    /// It is put in its place by this operator, which takes what the view takes behind the tensor.
    Scatter(&'static str),
    /// By the view itself.
    Itself,
    /// The order of dimensions is turned back.
    Permute,
    /// All elements stand in the same order: by their sizes before.
    Reshape,
    /// The type is another, and nothing else.
    Cast,
}

/// Other views that always are views, and the way back.
const VIEWS: &[(&str, Back)] = &[
    ("torch.aten.t", Back::Itself),
    ("torch.aten.numpy_T", Back::Itself),
    ("torch.aten.transpose.int", Back::Itself),
    ("torch.aten.permute", Back::Permute),
    ("torch.aten.view", Back::Reshape),
    ("torch.aten.squeeze", Back::Reshape),
    ("torch.aten.squeeze.dim", Back::Reshape),
    ("torch.aten.unsqueeze", Back::Reshape),
];

fn way_back(op: OperationRef<'_, '_>) -> Option<Back> {
    if is_silent(op) {
        return Some(Back::Cast);
    }
    let name = op.op_name();
    let scatter = SCATTERS.iter().find(|(view, _)| *view == name).map(|(_, scatter)| Back::Scatter(scatter));
    scatter.or_else(|| VIEWS.iter().find(|(view, _)| *view == name).map(|(_, back)| *back))
}

/// Is it a view of its first operand that can be taken again, or a cast that passes it on?
pub fn is_view(op: OperationRef<'_, '_>) -> bool {
    way_back(op).is_some()
}

/// Is what is written back put into a tensor of its own, in the place that the view shows? Other ways back may be views.
pub fn is_put_in(op: OperationRef<'_, '_>) -> bool {
    matches!(way_back(op), Some(Back::Scatter(_)))
}

/// Can it be taken again anywhere behind it, and be written back where `written`?
pub fn is_sound<'c: 'a, 'a>(op: OperationRef<'c, 'a>, known: &Known<'c, 'a, '_>, written: bool) -> bool {
    let Some(back) = way_back(op) else { return false };
    let operands = op.operand_values();
    let Some((viewed, others)) = operands.split_first() else { return false };
    // A list of sizes that changes would be another view; and what is refused has to be so before what is printed behind it.
    if others.iter().any(|v| known.aliases.has_writers(*v)) || known.acts && known.aliases.may_refuse_layout(op) {
        return false;
    }
    !written
        || match back {
            Back::Scatter(_) | Back::Itself | Back::Cast => true,
            Back::Reshape => sizes(*viewed).is_some(),
            Back::Permute => order(op).is_some(),
        }
}

/// The view, taken of another tensor.
pub fn again<'c: 'a, 'a>(
    at: &Builder<'c, 'a>,
    view: OperationRef<'c, 'a>,
    of: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    let viewed = view.operand_value(0).ok_or_else(|| Failure::new("a view of nothing"))?;
    let copy = at.insert(view.clone_with(&[(viewed, of)]));
    copy.result_value(0).ok_or_else(|| Failure::new("a view without a result"))
}

/// `of` with the view's place in it taken by `value`.
pub fn written_back<'c: 'a, 'a>(
    rewriter: &mut Rewriter<'c>,
    at: &Builder<'c, 'a>,
    view: OperationRef<'c, 'a>,
    of: Value<'c, 'a>,
    value: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    let back = way_back(view).ok_or_else(|| Failure::new("no view"))?;
    let (operands, location, ty) = (view.operand_values(), view.location(), of.r#type());
    let build = |name: &str, operands: &[Value<'c, 'a>]| {
        at.op(name, location).operands(operands).results(&[ty]).build_value().map_err(Failure::from)
    };
    match back {
        Back::Scatter(name) => {
            let all: Vec<_> = [of, value].into_iter().chain(operands[1..].iter().copied()).collect();
            build(name, &all)
        }
        Back::Itself => {
            let all: Vec<_> = std::iter::once(value).chain(operands[1..].iter().copied()).collect();
            build(view.op_name(), &all)
        }
        Back::Permute => {
            let order = order(view).ok_or_else(|| Failure::new("an order of dimensions that is not known"))?;
            let mut back = vec![0; order.len()];
            for (to, from) in order.iter().enumerate() {
                back[*from] = to as i64;
            }
            let list = integers(rewriter, at, &back, of)?;
            build(view.op_name(), &[value, list])
        }
        Back::Reshape => {
            let sizes = sizes(of).ok_or_else(|| Failure::new("a view of unknown sizes"))?;
            let list = integers(rewriter, at, &sizes, of)?;
            build("torch.aten.reshape", &[value, list])
        }
        Back::Cast => {
            let cast = rewriter.pass_on(at, value, ty)?;
            cast.ok_or_else(|| Failure::new("a cast that does not go back"))
        }
    }
}

/// All sizes, if they are known.
fn sizes(value: Value<'_, '_>) -> Option<Vec<i64>> {
    Tensor::of(value.r#type())?.sizes?.into_iter().collect()
}

/// The dimension of the viewed tensor that each of the view's is.
fn order(permute: OperationRef<'_, '_>) -> Option<Vec<usize>> {
    let dims = permute.operand_value(1)?;
    let list = dims.defining_op().filter(|op| op.is("torch.prim.ListConstruct"))?;
    let rank = list.operand_values().len();
    let place = |v: Value<'_, '_>| match constant(v) {
        Some(IValue::Int(n)) => usize::try_from(if n < 0 { n + rank as i64 } else { n }).ok().filter(|n| *n < rank),
        _ => None,
    };
    let order: Vec<usize> = list.operand_values().into_iter().map(place).collect::<Option<_>>()?;
    (0..rank).all(|n| order.contains(&n)).then_some(order)
}

fn integers<'c: 'a, 'a>(
    rewriter: &mut Rewriter<'c>,
    at: &Builder<'c, 'a>,
    numbers: &[i64],
    like: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    let mut values = Vec::new();
    for n in numbers {
        let made = rewriter.constant(at, &IValue::Int(*n), &ScriptType::Int, like)?;
        values.push(made.ok_or_else(|| Failure::new("an integer is no constant of the dialect"))?);
    }
    let ints = ScriptType::List(ScriptType::Int.into());
    let ty = rewriter.mlir_type(&ints).ok_or_else(|| Failure::new("the dialect has no lists of integers"))?;
    let unknown = Location::unknown(at.context());
    let list = rewriter.node(at, "prim::ListConstruct", unknown, &values, (ty, &ints))?;
    list.result_value(0).ok_or_else(|| Failure::new("a list without a result"))
}
