//! Affine maps made and read as lists of dimensions: how structured operations read their operands.

use crate::Context;
use melior::ir::AffineMap;
use mlir_sys::*;

/// The results of such a map: a dimension's number, or `None` for zero.
pub type Places = Vec<Option<usize>>;

/// Where a structured operation reads an operand along one of its dimensions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Index {
    /// By a loop.
    Loop(usize),
    /// Always at 0.
    Zero,
    /// A window that moves: `over · stride + within · dilation`, of two loops.
    Window { over: usize, stride: i64, within: usize, dilation: i64 },
}

/// `(d0, d1, …) -> (places)`
pub fn projection<'c>(context: &'c Context, dims: usize, places: &[Option<usize>]) -> AffineMap<'c> {
    let places: Vec<Index> = places.iter().map(|place| place.map_or(Index::Zero, Index::Loop)).collect();
    map(context, dims, &places)
}

/// `(d0, d1, …) -> (d0 * 2 + d3, …)`
pub fn map<'c>(context: &'c Context, dims: usize, places: &[Index]) -> AffineMap<'c> {
    let raw = context.to_raw();
    // SAFETY: the context is valid, expressions belong to it, and MLIR copies the list of them.
    unsafe {
        let dim = |d: usize| mlirAffineDimExprGet(raw, d as isize);
        let times = |d: usize, by: i64| mlirAffineMulExprGet(dim(d), mlirAffineConstantExprGet(raw, by));
        let mut results: Vec<MlirAffineExpr> = places
            .iter()
            .map(|place| match *place {
                Index::Loop(d) => dim(d),
                Index::Zero => mlirAffineConstantExprGet(raw, 0),
                Index::Window { over, stride, within, dilation } => {
                    mlirAffineAddExprGet(times(over, stride), times(within, dilation))
                }
            })
            .collect();
        AffineMap::from_raw(mlirAffineMapGet(raw, dims as isize, 0, results.len() as isize, results.as_mut_ptr()))
    }
}

/// `(d0, d1, …) -> (d0, d1, …)` as places.
pub fn identity(dims: usize) -> Places {
    (0..dims).map(Some).collect()
}

/// The results of a map; `None` when one is neither a dimension nor zero, or when there are symbols.
pub fn places(map: AffineMap<'_>) -> Option<Places> {
    let raw = map.to_raw();
    // SAFETY: the map is valid; its results are asked for below their number, a position of dimensions only, a value of constants only.
    unsafe {
        if mlirAffineMapGetNumSymbols(raw) != 0 {
            return None;
        }
        (0..mlirAffineMapGetNumResults(raw))
            .map(|i| {
                let result = mlirAffineMapGetResult(raw, i);
                if mlirAffineExprIsADim(result) {
                    Some(Some(mlirAffineDimExprGetPosition(result) as usize))
                } else {
                    let zero = mlirAffineExprIsAConstant(result) && mlirAffineConstantExprGetValue(result) == 0;
                    zero.then_some(None)
                }
            })
            .collect()
    }
}

/// Each result of a map as a sum of dimensions and their factors, none for 0; `None` when one is anything else, or when there are symbols.
pub fn sums(map: AffineMap<'_>) -> Option<Vec<Vec<(usize, i64)>>> {
    /// Adds `factor` times an expression.
    unsafe fn add(expression: MlirAffineExpr, factor: i64, sum: &mut Vec<(usize, i64)>) -> Option<()> {
        // SAFETY: a valid expression; sides of sums and products only, a position of dimensions only, a value of constants only.
        unsafe {
            if mlirAffineExprIsADim(expression) {
                sum.push((mlirAffineDimExprGetPosition(expression) as usize, factor));
                return Some(());
            }
            if mlirAffineExprIsAConstant(expression) {
                return (mlirAffineConstantExprGetValue(expression) == 0).then_some(());
            }
            let (is_sum, is_product) = (mlirAffineExprIsAAdd(expression), mlirAffineExprIsAMul(expression));
            if !is_sum && !is_product {
                return None;
            }
            let (left, right) = (mlirAffineBinaryOpExprGetLHS(expression), mlirAffineBinaryOpExprGetRHS(expression));
            if is_sum {
                add(left, factor, sum)?;
                return add(right, factor, sum);
            }
            let known = mlirAffineExprIsAConstant(right).then(|| mlirAffineConstantExprGetValue(right))?;
            add(left, factor.checked_mul(known)?, sum)
        }
    }
    let raw = map.to_raw();
    // SAFETY: the map is valid; its results are asked for below their number.
    unsafe {
        if mlirAffineMapGetNumSymbols(raw) != 0 {
            return None;
        }
        let result = |i| {
            let mut sum = Vec::new();
            add(mlirAffineMapGetResult(raw, i), 1, &mut sum)?;
            Some(sum)
        };
        (0..mlirAffineMapGetNumResults(raw)).map(result).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_sums_of_two_loops() {
        let context = crate::context::new(false);
        let window = Index::Window { over: 1, stride: 2, within: 3, dilation: 1 };
        let made = map(&context, 4, &[Index::Loop(0), Index::Zero, window]);
        assert_eq!(sums(made), Some(vec![vec![(0, 1)], vec![], vec![(1, 2), (3, 1)]]));
        assert_eq!(places(made), None);
    }
}
