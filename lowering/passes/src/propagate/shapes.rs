//! `propagate-shapes-on-graph`: ranks and sizes of results, by the operators' shape rules.

use super::{Knowledge, propagate};
use crate::graph::each_function;
use sconce_analysis::refine::results;
use sconce_ir::prelude::*;
use sconce_pass::{Pass, PassResult, PassRun};
use sconce_schema::shape::{Meta, Size};
use sconce_schema::types::{Dim, TensorType};

/// The pass `propagate-shapes-on-graph`.
pub struct PropagateShapesOnGraph;

impl Pass for PropagateShapesOnGraph {
    const NAME: &'static str = "propagate-shapes-on-graph";
    const DESCRIPTION: &'static str = "Say in types what operators' rules know of ranks and sizes";
    const PYTORCH: &'static str = "`PropagateShapesOnGraph`, which fails where a list is written";
    const ANCHOR: Option<&'static str> = None;
    const DIALECTS: &'static [&'static str] = &["torch"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        each_function(root, |function| propagate(function, &Shapes))
    }
}

struct Shapes;

impl Knowledge for Shapes {
    fn results(&self, op: OperationRef<'_, '_>, types: &mut [Option<TensorType>]) {
        for (meta, ty) in results(op).unwrap_or_default().into_iter().zip(types) {
            let (Meta::Tensor(meta), Some(ty)) = (meta, ty) else { continue };
            let Some(sizes) = meta.sizes else { continue };
            let have = ty.sizes.take().filter(|have| have.len() == sizes.len());
            let place = |(at, size): (usize, &Size)| match (size, have.as_ref().and_then(|have| have.get(at))) {
                (Size::Known(n), _) if *n >= 0 => Dim::Known(*n),
                (_, Some(known)) => known.clone(),
                _ => Dim::Unknown,
            };
            let sizes: Vec<Dim> = sizes.iter().enumerate().map(place).collect();
            if have.as_ref() != Some(&sizes) {
                ty.strides = None;
            }
            ty.sizes = Some(sizes);
        }
    }

    fn either(&self, to: &mut TensorType, a: &TensorType, b: &TensorType) {
        let (Some(first), Some(second)) = (&a.sizes, &b.sizes) else { return };
        let have = to.sizes.take().filter(|have| have.len() == first.len());
        if first.len() == second.len() {
            let one = |(at, (a, b)): (usize, (&Dim, &Dim))| match have.as_ref().and_then(|have| have.get(at)) {
                _ if a == b => a.clone(),
                Some(known) => known.clone(),
                None => Dim::Unknown,
            };
            to.sizes = Some(first.iter().zip(second).enumerate().map(one).collect());
        } else {
            to.sizes = have;
        }
    }
}
