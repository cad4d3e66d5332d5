//! Sums whose terms are all products: the sum of `a₁b₁ + … + aₙbₙ` is one product of the `aᵢ` side by side and the `bᵢ` on top of each other.
//!
//! A product that is transposed is the product of its transposed factors, in the other order.

use super::product;
use crate::graph::{Rewriter, inputs, is_one, made_by};
use rustc_hash::{FxHashMap, FxHashSet};
use sconce_analysis::alias::id;
use sconce_analysis::operators::kind;
use sconce_ir::prelude::*;
use sconce_pass::{Failure, PassResult};

/// Puts a `prim::MMTreeReduce` in the place of each sum of at least so many products.
pub(super) fn batch<'c: 'a, 'a>(rewriter: &mut Rewriter<'c>, run: &[OperationRef<'c, 'a>], least: usize) -> PassResult {
    let mut sums = Sums { within: run.iter().map(|op| id(*op)).collect(), terms: FxHashMap::default() };
    let mut roots: Vec<OperationRef<'c, 'a>> = Vec::new();
    for op in run {
        if let Some(terms) = sums.terms_of(*op) {
            sums.terms.insert(id(*op), terms);
            roots.push(*op);
        }
    }
    let inner: FxHashSet<usize> =
        roots.iter().flat_map(|op| operands(*op)).filter_map(|v| v.defining_op()).map(id).collect();
    for root in roots {
        if !inner.contains(&id(root)) && sums.terms.get(&id(root)).is_some_and(|n| *n >= least) {
            reduce(rewriter, root)?;
        }
    }
    Ok(())
}

/// The sums that were met, by what they have of terms.
struct Sums {
    within: FxHashSet<usize>,
    terms: FxHashMap<usize, usize>,
}

impl Sums {
    /// How many products a sum adds, if it adds nothing else.
    fn terms_of(&self, op: OperationRef<'_, '_>) -> Option<usize> {
        let is_sum = kind(op) == "aten.add" && inputs(op).len() == 3 && inputs(op).last().is_some_and(|v| is_one(*v));
        let [a, b] = operands(op)[..] else { return None };
        is_sum.then_some(self.term(a)? + self.term(b)?)
    }

    /// What a value adds to a sum that alone uses it.
    fn term(&self, value: Value<'_, '_>) -> Option<usize> {
        let op = value.defining_op().filter(|op| self.within.contains(&id(*op)) && value.uses().len() == 1)?;
        let of_product = || transposed(op).is_some_and(|product| self.within.contains(&id(product)));
        if product(op).is_some() || of_product() { Some(1) } else { self.terms.get(&id(op)).copied() }
    }
}

/// What a sum adds.
fn operands<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    op.operand_values().into_iter().take(2).collect()
}

/// The product that an operation transposes.
fn transposed<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let of = inputs(op).first().copied().filter(|_| kind(op) == "aten.t")?;
    made_by(of, "aten.mm").filter(|op| product(*op).is_some())
}

fn reduce<'c: 'a, 'a>(rewriter: &mut Rewriter<'c>, root: OperationRef<'c, 'a>) -> PassResult {
    let (mut left, mut right) = (Vec::new(), Vec::new());
    let mut stack = vec![root];
    while let Some(op) = stack.pop() {
        let factors = match (product(op), transposed(op)) {
            (Some(factors), _) => Some(factors),
            (None, Some(of)) => transposed_factors(rewriter, of)?,
            (None, None) => None,
        };
        match factors {
            Some([a, b]) => {
                left.push(a);
                right.push(b);
            }
            None => stack.extend(operands(op).into_iter().filter_map(|v| v.defining_op())),
        }
    }
    left.append(&mut right);
    let Some(result) = root.result_value(0) else { return Ok(()) };
    let Some((ty, declared)) = rewriter.any_tensor(result) else { return Ok(()) };
    let at = Builder::before(root);
    let made = rewriter.node(&at, "prim::MMTreeReduce", root.location(), &left, (ty, &declared))?;
    if let Some(sum) = made.result_value(0) {
        rewriter.replace_uses(result, sum)?;
    }
    Ok(())
}

/// Of `(a b)ᵀ` these are `bᵀ` and `aᵀ`.
fn transposed_factors<'c: 'a, 'a>(
    rewriter: &mut Rewriter<'c>,
    op: OperationRef<'c, 'a>,
) -> Result<Option<[Value<'c, 'a>; 2]>, Failure> {
    let Some([a, b]) = product(op) else { return Ok(None) };
    let at = Builder::before(op);
    let mut turn = |value: Value<'c, 'a>| -> Result<_, Failure> {
        if let Some(back) = made_by(value, "aten.t") {
            return Ok(inputs(back).first().copied());
        }
        let Some((ty, declared)) = rewriter.any_tensor(value) else { return Ok(None) };
        Ok(rewriter.node(&at, "aten::t", op.location(), &[value], (ty, &declared))?.result_value(0))
    };
    let (a, b) = (turn(a)?, turn(b)?);
    Ok(b.zip(a).map(|(b, a)| [b, a]))
}
