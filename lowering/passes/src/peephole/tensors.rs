//! What types and makers of tensors tell: sizes, dtypes, neutral elements, casts there and back.

use super::{Found, New, Rewrites, is_int, only_result};
use crate::graph::{CONVOLUTIONS, inputs, int, made_by, script_type};
use sconce_analysis::Aliases;
use sconce_analysis::operators::kind;
use sconce_ir::prelude::*;
use sconce_schema::Type as ScriptType;
use sconce_schema::types::{Dim, TensorType};
use sconce_tensor::IValue;

impl<'c: 'a, 'a> Rewrites<'c, 'a> {
    pub(super) fn tensors(&mut self, op: OperationRef<'c, 'a>) -> Found<'c, 'a> {
        Ok(match (kind(op), &inputs(op)[..]) {
            ("aten.t", [x]) => made_by(*x, "aten.t").and_then(|t| t.operand_value(0)).map(New::Value),
            ("aten.Float" | "aten.Int" | "aten.FloatImplicit" | "aten.IntImplicit" | "aten.ScalarImplicit", [x]) => {
                made_by(*x, "prim.NumToTensor").and_then(|n| n.operand_value(0)).map(New::Value)
            }
            ("aten.dim", [x]) => self.rank(*x),
            ("prim.dtype", [x]) => self.shape(*x, |t| t.dtype.map(|d| IValue::Int(d.number()))),
            ("prim.device", [x]) => self.shape(*x, |t| t.device.clone().map(|d| IValue::Device(d.into()))),
            ("prim.is_cuda", [x]) => self.shape(*x, |t| t.device.as_ref().map(|d| IValue::Bool(&*d.kind == "cuda"))),
            ("aten.is_floating_point", [x]) => self.shape(*x, |t| t.dtype.map(|d| IValue::Bool(d.is_float()))),
            ("aten.is_complex", [x]) => self.shape(*x, |t| t.dtype.map(|d| IValue::Bool(d.is_complex()))),
            ("aten.size", [x]) => self.sizes(*x, |t| known_sizes(t.sizes.as_deref()).map(|s| IValue::int_list(&s))),
            ("aten.size", [x, dim]) => int(*dim).and_then(|dim| self.sizes(*x, |t| size(t, dim))),
            ("aten.len", [x]) => self.sizes(*x, |t| size(t, 0)),
            ("aten.expand", [x, size, ..]) if self.shapes => self.same_sizes(*x, *size).then_some(New::Value(*x)),
            ("aten.type_as", [x, other]) if self.shapes => same_place(*x, *other).then_some(New::Value(*x)),
            ("aten.add" | "aten.sub", [x, other, alpha]) => {
                self.neutral(op, *x, *other, is_int(*alpha, 1) && is_int(*other, 0))
            }
            ("aten.mul", [x, other]) => self.neutral(op, *x, *other, is_int(*other, 1)),
            // Division makes floats of integers.
            ("aten.div", [x, other]) => self.neutral(op, *x, *other, is_int(*other, 1) && self.is_float(*x)),
            _ => None,
        })
    }

    fn rank(&self, x: Value<'c, 'a>) -> Option<New<'c, 'a>> {
        let maker = x.defining_op().map(kind).filter(|_| !self.is_written(x));
        match maker.and_then(|maker| CONVOLUTIONS.iter().find(|(name, _)| *name == maker)) {
            Some((_, rank)) => Some(New::Constant(IValue::Int(*rank as i64))),
            None => self.sizes(x, |t| t.sizes.as_ref().map(|s| IValue::Int(s.len() as i64))),
        }
    }

    fn shape(&self, value: Value<'c, 'a>, what: impl FnOnce(&TensorType) -> Option<IValue>) -> Option<New<'c, 'a>> {
        match script_type(value) {
            ScriptType::Tensor(t) if self.shapes => what(&t).map(New::Constant),
            _ => None,
        }
    }

    /// What a type says of sizes, unless they may be others by then.
    fn sizes(&self, value: Value<'c, 'a>, what: impl FnOnce(&TensorType) -> Option<IValue>) -> Option<New<'c, 'a>> {
        if self.may_be_resized(value) { None } else { self.shape(value, what) }
    }

    fn may_be_resized(&self, value: Value<'c, 'a>) -> bool {
        self.resizes && self.is_written(value)
    }

    fn is_float(&self, value: Value<'c, 'a>) -> bool {
        matches!(script_type(value), ScriptType::Tensor(t) if self.shapes && t.dtype.is_some_and(|d| d.is_float()))
    }

    fn same_sizes(&self, x: Value<'c, 'a>, wanted: Value<'c, 'a>) -> bool {
        let ScriptType::Tensor(t) = script_type(x) else { return false };
        if self.may_be_resized(x) {
            return false;
        }
        let wanted = crate::graph::constant(wanted).and_then(|v| v.as_int_list().ok().map(|l| l.to_vec()));
        known_sizes(t.sizes.as_deref()).zip(wanted).is_some_and(|(have, wanted)| have == wanted)
    }

    /// `x + 0`, `x * 1` with an integer: the tensor itself, if nobody can tell that it is the same one.
    fn neutral(
        &self,
        op: OperationRef<'c, 'a>,
        x: Value<'c, 'a>,
        other: Value<'c, 'a>,
        is_neutral: bool,
    ) -> Option<New<'c, 'a>> {
        let result = only_result(op)?;
        let plain = is_neutral && script_type(x).is_tensor() && script_type(other) == ScriptType::Int;
        if !plain || self.is_written(x) || self.is_written(result) {
            return None;
        }
        (!Aliases::of(self.function).both_escape(x, result)).then_some(New::Value(x))
    }
}

fn size(t: &TensorType, dim: i64) -> Option<IValue> {
    let sizes = t.sizes.as_ref()?;
    let at = if dim < 0 { dim.checked_add(sizes.len() as i64)? } else { dim };
    match sizes.get(usize::try_from(at).ok()?)? {
        Dim::Known(n) => Some(IValue::Int(*n)),
        _ => None,
    }
}

fn known_sizes(sizes: Option<&[Dim]>) -> Option<Vec<i64>> {
    sizes?.iter().map(|d| if let Dim::Known(n) = d { Some(*n) } else { None }).collect()
}

/// Are two tensors known to have one dtype and to be on one device?
fn same_place(x: Value<'_, '_>, other: Value<'_, '_>) -> bool {
    let (ScriptType::Tensor(a), ScriptType::Tensor(b)) = (script_type(x), script_type(other)) else { return false };
    a.dtype.is_some() && a.dtype == b.dtype && a.device.is_some() && a.device == b.device
}
