//! Views of buffers: which operations make nothing else, and the part of an operand where some loops are at one place.

use crate::structured::{Operand, Size};
use sconce_ir::builtin_type::{Layout, Shaped, strided_buffer};
use sconce_ir::{OpExt, OperationRef, Type, ValueLike};
use sconce_linalg::Error;
use sconce_linalg::emit::{DYNAMIC, Emit, V};

/// Whether an operation makes nothing but another view of its buffer, with dimensions of its own.
pub(crate) fn is_view(op: OperationRef<'_, '_>) -> bool {
    matches!(op.op_name(), "memref.subview" | "memref.expand_shape" | "memref.collapse_shape")
}

/// A view of a buffer.
pub(crate) struct View<'a> {
    /// Where it begins along each dimension of the buffer; [`DYNAMIC`] is one of the operands.
    pub offsets: &'a [i64],
    /// The same of its sizes, whose operands come behind those.
    pub sizes: &'a [i64],
    /// From one of its elements to the next, in elements along the same dimension of the buffer.
    pub steps: &'a [i64],
    /// The dimensions of the buffer that the view has too; the others have one element.
    pub kept: &'a [usize],
    /// From one of its elements to the next, in elements of memory, along each dimension of the buffer.
    pub strides: &'a [Option<i64>],
    /// Elements in front of its first one.
    pub offset: Option<i64>,
}

impl View<'_> {
    /// `memref.subview` of the first operand at the others.
    pub fn emit<'c>(&self, e: &Emit<'c>, operands: &[V<'c>], element: Type<'c>) -> Result<V<'c>, Error> {
        let of_sizes = self.sizes.iter().filter(|n| **n == DYNAMIC).count() as i32;
        let attributes = [
            ("operandSegmentSizes", e.i32_array(&[1, operands.len() as i32 - 1 - of_sizes, of_sizes, 0])),
            ("static_offsets", e.i64_array(self.offsets)),
            ("static_sizes", e.i64_array(self.sizes)),
            ("static_strides", e.i64_array(self.steps)),
        ];
        let sizes: Vec<_> = self.kept.iter().map(|d| Some(self.sizes[*d]).filter(|n| *n != DYNAMIC)).collect();
        let strides: Vec<_> = self.kept.iter().map(|d| self.strides[*d]).collect();
        e.one("memref.subview", operands, strided_buffer(&sizes, &strides, self.offset, element), &attributes)
    }
}

/// What becomes of a dimension with one place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnePlace {
    Stays,
    Goes,
}

/// The part of an operand where loops are at these places, which lead along a dimension each: it has one element there. Of a loop without a place it has all.
pub(crate) fn part<'c>(
    e: &Emit<'c>,
    operand: &Operand<'c>,
    at: &dyn Fn(usize) -> Option<V<'c>>,
    one_place: OnePlace,
) -> Result<V<'c>, Error> {
    let whole = operand.value;
    let t = Shaped::buffer(whole.r#type()).ok_or_else(|| Error::Internal("a part of no buffer".into()))?;
    let layout = Layout::of(whole.r#type()).ok_or_else(|| Error::Internal("a buffer without strides".into()))?;
    let (mut operands, mut offsets, mut sizes, mut kept) = (vec![whole], Vec::new(), Vec::new(), Vec::new());
    let mut unknown = Vec::new();
    for (i, (sum, size)) in operand.places.iter().zip(&t.sizes).enumerate() {
        let place = if let [(d, 1)] = sum[..] { at(d) } else { None };
        offsets.push(if place.is_some() { DYNAMIC } else { 0 });
        sizes.push(if place.is_some() { 1 } else { size.unwrap_or(DYNAMIC) });
        if place.is_none() && size.is_none() {
            unknown.push(Size::Along(whole, i));
        }
        if one_place == OnePlace::Stays || place.is_none() && !sum.is_empty() {
            kept.push(i);
        }
        operands.extend(place);
    }
    if operands.len() == 1 && kept.len() == sizes.len() {
        return Ok(whole);
    }
    let (steps, strides) = (vec![1; sizes.len()], &layout.strides);
    let offset = layout.offset.filter(|_| operands.len() == 1);
    for size in unknown {
        operands.push(size.emit(e)?);
    }
    View { offsets: &offsets, sizes: &sizes, steps: &steps, kept: &kept, strides, offset }.emit(e, &operands, t.element)
}
