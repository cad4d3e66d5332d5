//! Elements at computed places: loops over a result, or over what is folded into each of its elements, whose bodies read tensors where they like.

use crate::Error;
use crate::emit::{Emit, Iterator, V, element_type};
use crate::lower::{Lower, Sizes, TensorValue};
use crate::reduce::Fold;
use sconce_exec::Dim;
use sconce_ir::ValueLike;
use sconce_ir::affine::{Index, identity};
use sconce_schema::DType;

impl<'c> Emit<'c> {
    /// The element of a tensor at a place.
    pub fn element_at(&self, tensor: V<'c>, place: &[V<'c>]) -> Result<V<'c>, Error> {
        let operands: Vec<_> = [tensor].into_iter().chain(place.iter().copied()).collect();
        self.one("tensor.extract", &operands, element_type(tensor.r#type()), &[])
    }

    /// The tensor with another element at a place.
    pub fn inserted_at(&self, element: V<'c>, tensor: V<'c>, place: &[V<'c>]) -> Result<V<'c>, Error> {
        let operands: Vec<_> = [element, tensor].into_iter().chain(place.iter().copied()).collect();
        self.one("tensor.insert", &operands, tensor.r#type(), &[])
    }

    /// The indices of the loops around a body of `linalg.generic`.
    pub fn loop_indices(&self, loops: usize) -> Result<Vec<V<'c>>, Error> {
        let index = |d: usize| self.one("linalg.index", &[], self.index_type(), &[("dim", self.i64_attr(d as i64))]);
        (0..loops).map(index).collect()
    }
}

impl<'c> Lower<'c> {
    /// One result element per place, computed of the place's indices.
    pub fn computed(
        &mut self,
        sizes: &[Dim],
        dtype: DType,
        body: &mut dyn FnMut(&Emit<'c>, &[V<'c>]) -> Result<V<'c>, Error>,
    ) -> Result<TensorValue<'c>, Error> {
        self.only_on_processor = true;
        let out = self.empty(sizes, dtype)?;
        let map = self.e.map(sizes.len(), &identity(sizes.len()));
        let iterators = vec![Iterator::Parallel; sizes.len()];
        let made = self.e.structured("linalg.generic", &[], &[out], &[map], Some(&iterators), &mut |e, _| {
            Ok(vec![body(e, &e.loop_indices(sizes.len())?)?])
        })?;
        Ok(TensorValue::new(made[0], sizes.into(), dtype))
    }

    /// Folds of what a body computes for every place of a result and every place `within` it.
    pub(crate) fn computed_fold(
        &mut self,
        sizes: &[Dim],
        within: &[Dim],
        how: Fold,
        dtype: DType,
        body: &mut dyn FnMut(&Emit<'c>, &[V<'c>], &[V<'c>]) -> Result<V<'c>, Error>,
    ) -> Result<TensorValue<'c>, Error> {
        self.only_on_processor = true;
        let (inner, loops) = (sizes.len(), sizes.len() + within.len());
        // Nobody reads it: it says how many places there are within.
        let places = self.empty(within, dtype)?;
        let out = self.filled(sizes, dtype, how.initial(&self.e, self, dtype)?)?;
        let dims = |from: usize, to: usize| (from..to).map(Index::Loop).collect::<Vec<_>>();
        let maps = [dims(inner, loops), dims(0, inner)].map(|places| self.e.index_map(loops, &places));
        let kind = |i: usize| if i < inner { Iterator::Parallel } else { Iterator::Reduction };
        let iterators: Vec<Iterator> = (0..loops).map(kind).collect();
        let made = self.e.structured("linalg.generic", &[places], &[out], &maps, Some(&iterators), &mut |e, v| {
            let indices = e.loop_indices(loops)?;
            let x = body(e, &indices[..inner], &indices[inner..])?;
            Ok(vec![how.combine(e, x, v[1], dtype)?])
        })?;
        Ok(TensorValue::new(made[0], sizes.into(), dtype))
    }

    /// Loops over places one after the other, each of which changes the tensors that are carried from one to the next.
    pub fn sequential(
        &mut self,
        sizes: &[Dim],
        carried: &[V<'c>],
        body: &mut dyn FnMut(&Emit<'c>, &[V<'c>], &[V<'c>]) -> Result<Vec<V<'c>>, Error>,
    ) -> Result<Vec<V<'c>>, Error> {
        self.only_on_processor = true;
        let (zero, one) = (self.e.index(0)?, self.e.index(1)?);
        let ends = sizes.iter().map(|d| self.size(d)).collect::<Result<Vec<_>, _>>()?;
        nest(&self.e, zero, one, &ends, &mut Vec::new(), carried, body)
    }

    /// A tensor's size as an `index`, and as a constant where it is known.
    pub fn index_sizes(&self, sizes: &[Dim]) -> Result<Vec<V<'c>>, Error> {
        sizes.iter().map(|d| self.size(d)).collect()
    }

    /// The tensor's elements as an index, each: of an integer tensor.
    pub fn as_index(e: &Emit<'c>, v: V<'c>, dtype: DType) -> Result<V<'c>, Error> {
        let unsigned = dtype == DType::Bool || !dtype.is_signed_int();
        e.one(if unsigned { "arith.index_castui" } else { "arith.index_cast" }, &[v], e.index_type(), &[])
    }

    /// The results' sizes with another in one dimension.
    pub fn with_size(sizes: &[Dim], d: usize, size: Dim) -> Sizes {
        let mut sizes: Sizes = sizes.into();
        sizes[d] = size;
        sizes
    }
}

/// What a loop nest does at each place.
type Step<'b, 'c> = dyn FnMut(&Emit<'c>, &[V<'c>], &[V<'c>]) -> Result<Vec<V<'c>>, Error> + 'b;

fn nest<'c>(
    e: &Emit<'c>,
    zero: V<'c>,
    one: V<'c>,
    ends: &[V<'c>],
    place: &mut Vec<V<'c>>,
    carried: &[V<'c>],
    body: &mut Step<'_, 'c>,
) -> Result<Vec<V<'c>>, Error> {
    let Some((end, inner)) = ends.split_first() else { return body(e, place, carried) };
    let types: Vec<_> = carried.iter().map(|v| v.r#type()).collect();
    let operands: Vec<_> = [zero, *end, one].into_iter().chain(carried.iter().copied()).collect();
    let arguments: Vec<_> = std::iter::once(e.index_type()).chain(types.iter().copied()).collect();
    let mut build = |e: &Emit<'c>, a: &[V<'c>]| {
        place.push(a[0]);
        let made = nest(e, zero, one, inner, place, &a[1..], body)?;
        place.pop();
        e.op("scf.yield", &made, &[], &[]).map(|_| ())
    };
    let op =
        e.with_regions("scf.for", &operands, &types, &[], &mut [crate::emit::Body { arguments, build: &mut build }])?;
    Ok(sconce_ir::OpExt::result_values(op))
}
