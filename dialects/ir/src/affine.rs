//! Affine maps whose results are dimensions or zeros, made and read as lists: how structured operations read their operands.

use crate::Context;
use melior::ir::AffineMap;
use mlir_sys::*;

/// The results of such a map: a dimension's number, or `None` for zero.
pub type Places = Vec<Option<usize>>;

/// `(d0, d1, …) -> (places)`
pub fn projection<'c>(context: &'c Context, dims: usize, places: &[Option<usize>]) -> AffineMap<'c> {
    let raw = context.to_raw();
    // SAFETY: the context is valid, and MLIR copies the list of expressions, which belong to it.
    unsafe {
        let mut results: Vec<MlirAffineExpr> = places
            .iter()
            .map(|place| match place {
                Some(d) => mlirAffineDimExprGet(raw, *d as isize),
                None => mlirAffineConstantExprGet(raw, 0),
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
