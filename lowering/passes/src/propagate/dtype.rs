//! `propagate-dtype`: dtypes of results, by the operators' rules.

use super::{Knowledge, propagate};
use crate::graph::each_function;
use sconce_analysis::refine::results;
use sconce_ir::prelude::*;
use sconce_pass::{Pass, PassResult, PassRun};
use sconce_schema::shape::Meta;
use sconce_schema::types::TensorType;

/// The pass `propagate-dtype`.
pub struct PropagateDtype;

impl Pass for PropagateDtype {
    const NAME: &'static str = "propagate-dtype";
    const DESCRIPTION: &'static str = "Say in types what operators' rules know of dtypes";
    const PYTORCH: &'static str = "`DtypePropagation`, which fails on half of the operators";
    const ANCHOR: Option<&'static str> = None;
    const DIALECTS: &'static [&'static str] = &["torch"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        each_function(root, |function| propagate(function, &Dtypes))
    }
}

struct Dtypes;

impl Knowledge for Dtypes {
    fn results(&self, op: OperationRef<'_, '_>, types: &mut [Option<TensorType>]) {
        for (meta, ty) in results(op).unwrap_or_default().into_iter().zip(types) {
            if let (Meta::Tensor(meta), Some(ty)) = (meta, ty) {
                ty.dtype = ty.dtype.or(meta.dtype);
            }
        }
    }

    fn either(&self, to: &mut TensorType, a: &TensorType, b: &TensorType) {
        to.dtype = to.dtype.or(a.dtype.filter(|_| a.dtype == b.dtype));
    }
}
