//! Elements by tensors of indices: gathered in loops over the result, scattered one after the other.
//!
//! What is out of range is found before: then the region's call is void, and the interpreter says what is wrong. Every read and write is within its tensor all the
//! same, whatever another thread does to the indices meanwhile.

use crate::emit::{Emit, Iterator, V};
use crate::lower::{Call, Item, Lower, Sizes, TensorValue};
use crate::operator_call::refuse_where;
use crate::reduce::Fold;
use crate::scalar::cast;
use crate::view::reshaped;
use crate::{Error, Lowering};
use sconce_analysis::Constant;
use sconce_exec::{Dim, DimOp};
use sconce_ir::ValueLike;
use sconce_ir::affine::identity;
use sconce_schema::{DType, OpId, ops};

pub(crate) const OPS: &[(OpId, Lowering)] = &[
    (ops::aten::embedding, embedding),
    (ops::aten::gather, gather),
    (ops::aten::take_along_dim, take_along),
    (ops::aten::index_select, index_select),
    (ops::aten::take, take),
    (ops::aten::index_Tensor, index),
    (ops::aten::scatter_src, |l, c| scatter(l, c, Source::Tensor(3), None)),
    (ops::aten::scatter_value, |l, c| scatter(l, c, Source::Number(3), None)),
    (ops::aten::scatter_add, |l, c| scatter(l, c, Source::Tensor(3), Some(Fold::Sum))),
    (ops::aten::scatter_reduce, scatter_reduce),
    (ops::aten::scatter_reduce_two, scatter_reduce),
    (ops::aten::index_add, |l, c| along(l, c, Some(Fold::Sum))),
    (ops::aten::index_copy, |l, c| along(l, c, None)),
    (ops::aten::index_put, index_put),
];

fn one<'c>(t: TensorValue<'c>) -> Result<Vec<Item<'c>>, Error> {
    Ok(vec![Item::Tensor(t)])
}

/// The tensor of indices, of integers.
fn indices<'c>(t: &TensorValue<'c>) -> Result<TensorValue<'c>, Error> {
    match t.dtype {
        DType::I64 | DType::I32 => Ok(t.clone()),
        other => Error::unsupported(format!("indices of {other}")),
    }
}

/// Makes the call void where an index is outside of `low..size`; `low` is 0, or the size's negative.
fn in_range<'c>(l: &mut Lower<'c>, index: &TensorValue<'c>, size: &Dim, from_behind: bool) -> Result<(), Error> {
    l.at_most(Dim::Known(1), *size, "indices into nothing")?;
    let (rank, bit) = (index.rank(), l.e.int_type(1));
    let t = l.element(index.dtype)?;
    let end = l.e.one("arith.index_cast", &[l.size(size)?], t, &[])?;
    let low = if from_behind { l.e.same("arith.subi", &[l.e.int(0, t)?, end])? } else { l.e.int(0, t)? };
    let out = l.filled(&[], DType::Bool, l.e.int(0, bit)?)?;
    let maps = [l.e.map(rank, &identity(rank)), l.e.map(rank, &[])];
    let iterators = vec![Iterator::Reduction; rank];
    let wrong = l.e.structured("linalg.generic", &[index.value], &[out], &maps, Some(&iterators), &mut |e, a| {
        Ok(vec![e.same("arith.ori", &[a[1], outside(e, a[0], low, end)?])?])
    })?;
    let wrong = l.e.element_at(wrong[0], &[])?;
    refuse_where(l, wrong)
}

/// Whether a number is not in `low..end`.
pub(crate) fn outside<'c>(e: &Emit<'c>, v: V<'c>, low: V<'c>, end: V<'c>) -> Result<V<'c>, Error> {
    e.same("arith.ori", &[e.cmpi("slt", v, low)?, e.cmpi("sge", v, end)?])
}

/// The index as a place below `size`: counted from behind if negative, clamped whatever it is.
pub(crate) fn place_of<'c>(e: &Emit<'c>, v: V<'c>, size: V<'c>) -> Result<V<'c>, Error> {
    let (zero, one) = (e.index(0)?, e.index(1)?);
    let i = e.one("arith.index_cast", &[v], e.index_type(), &[])?;
    let i = e.select(e.cmpi("slt", i, zero)?, e.same("arith.addi", &[i, size])?, i)?;
    let last = e.same("arith.subi", &[size, one])?;
    e.same("arith.maxsi", &[e.same("arith.minsi", &[i, last])?, zero])
}

/// `embedding(weight, indices, …)`
fn embedding<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let (weight, index) = (c.tensor(0)?.clone(), indices(c.tensor(1)?)?);
    if weight.rank() != 2 {
        return Error::unsupported("an embedding whose weight is no matrix");
    }
    rows(l, &weight, &index, 0)
}

/// `index_select(self, dim, index)`
fn index_select<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let (x, index) = (c.tensor(0)?.clone(), indices(c.tensor(2)?)?);
    if x.rank() == 0 || index.rank() > 1 {
        return Error::unsupported("index_select of rank 0, or by more than one dimension");
    }
    let d = x.axis(c.int(1)?)?;
    let index = if index.rank() == 0 { reshaped(l, &index, &[Dim::Known(1)])? } else { index };
    rows(l, &x, &index, d)
}

/// The parts of a dimension that indices name, which may have any rank: its dimensions stand where the dimension was.
fn rows<'c>(l: &mut Lower<'c>, x: &TensorValue<'c>, index: &TensorValue<'c>, d: usize) -> Result<Vec<Item<'c>>, Error> {
    in_range(l, index, &x.sizes[d], false)?;
    let mut sizes: Sizes = x.sizes[..d].into();
    sizes.extend(index.sizes.iter().cloned());
    sizes.extend(x.sizes[d + 1..].iter().cloned());
    let end = l.size(&x.sizes[d])?;
    let (rank, value, index) = (index.rank(), x.value, index.value);
    let dtype = x.dtype;
    one(l.computed(&sizes, dtype, &mut |e, place| {
        let i = place_of(e, e.element_at(index, &place[d..d + rank])?, end)?;
        let there: Vec<_> = place[..d].iter().chain([&i]).chain(&place[d + rank..]).copied().collect();
        e.element_at(value, &there)
    })?)
}

/// The sizes of indices are at most those of a tensor in other dimensions than `d`.
fn within<'c>(l: &mut Lower<'c>, index: &TensorValue<'c>, x: &TensorValue<'c>, d: Option<usize>) -> Result<(), Error> {
    if index.rank() != x.rank() || index.rank() == 0 {
        return Error::unsupported("indices of another rank, or of rank 0");
    }
    for (_, (a, b)) in index.sizes.iter().zip(&x.sizes).enumerate().filter(|(i, _)| Some(*i) != d) {
        l.at_most(*a, *b, "more indices than there are elements in a dimension")?;
    }
    Ok(())
}

/// `gather(self, dim, index, …)`
fn gather<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let (x, index) = (c.tensor(0)?.clone(), indices(c.tensor(2)?)?);
    let d = x.axis(c.int(1)?)?;
    within(l, &index, &x, Some(d))?;
    along_dim(l, &x, &index, d, false)
}

/// `take_along_dim(self, indices, dim)`: tensors broadcast in the other dimensions.
fn take_along<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let (x, index) = (c.tensor(0)?.clone(), indices(c.tensor(1)?)?);
    let Some(d) = c.optional_int(2)? else { return Error::unsupported("take_along_dim of all elements in a row") };
    let d = x.axis(d)?;
    within(l, &index, &x, Some(d))?;
    if index.sizes.iter().zip(&x.sizes).enumerate().any(|(i, (a, b))| i != d && a != b) {
        return Error::unsupported("take_along_dim that broadcasts");
    }
    along_dim(l, &x, &index, d, false)
}

fn along_dim<'c>(
    l: &mut Lower<'c>,
    x: &TensorValue<'c>,
    index: &TensorValue<'c>,
    d: usize,
    from_behind: bool,
) -> Result<Vec<Item<'c>>, Error> {
    in_range(l, index, &x.sizes[d], from_behind)?;
    let end = l.size(&x.sizes[d])?;
    let (value, dtype) = (x.value, x.dtype);
    one(l.computed(&index.sizes.clone(), dtype, &mut |e, place| {
        let mut there = place.to_vec();
        there[d] = place_of(e, e.element_at(index.value, place)?, end)?;
        e.element_at(value, &there)
    })?)
}

/// `take(self, index)`: elements as if in one row.
fn take<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let (x, index) = (c.tensor(0)?.clone(), indices(c.tensor(1)?)?);
    let count = x.sizes.iter().fold(Dim::Known(1), |n, d| Dim::op(DimOp::Mul, n, *d));
    let flat = reshaped(l, &x, std::slice::from_ref(&count))?;
    in_range(l, &index, &count, true)?;
    let end = l.size(&count)?;
    one(l.computed(&index.sizes.clone(), x.dtype, &mut |e, place| {
        let i = place_of(e, e.element_at(index.value, place)?, end)?;
        e.element_at(flat.value, &[i])
    })?)
}

/// The dimensions that tensors of indices stand for.
struct Indexed<'c> {
    /// By dimension of the indexed tensor.
    of: Vec<Option<TensorValue<'c>>>,
    /// The sizes that the indices have together.
    sizes: Sizes,
    /// Where these stand in the result: in place of the first, or in front where other dimensions lie between.
    first: usize,
    ends: Vec<V<'c>>,
}

impl<'c> Indexed<'c> {
    fn of(l: &mut Lower<'c>, x: &TensorValue<'c>, list: &Item<'c>) -> Result<Self, Error> {
        let Item::List(items) = list else { return Error::unsupported("indices that are no list") };
        if items.len() > x.rank() {
            return Error::unsupported("more indices than dimensions");
        }
        let mut of = Vec::new();
        for item in items {
            of.push(match item {
                Item::Tensor(t) => Some(indices(t)?),
                Item::Constant(Constant::None) => None,
                _ => return Error::unsupported("an index that is no tensor of known rank and dtype"),
            });
        }
        of.resize_with(x.rank(), || None);
        let given: Vec<usize> = (0..of.len()).filter(|d| of[*d].is_some()).collect();
        let (Some(first), Some(last)) = (given.first(), given.last()) else { return Error::unsupported("no index") };
        let first = if last - first + 1 == given.len() { *first } else { 0 };
        let shapes: Vec<&[Dim]> = of.iter().flatten().map(|t| &t.sizes[..]).collect();
        let sizes = l.broadcast(&shapes)?;
        for (d, t) in of.iter().enumerate() {
            if let Some(t) = t {
                in_range(l, t, &x.sizes[d], true)?;
            }
        }
        let ends = l.index_sizes(&x.sizes)?;
        Ok(Indexed { of, sizes, first, ends })
    }

    /// The sizes of what is indexed.
    fn result(&self, x: &TensorValue<'c>) -> Sizes {
        let mut sizes: Sizes = (0..x.rank()).filter(|d| self.of[*d].is_none()).map(|d| x.sizes[d]).collect();
        for (i, size) in self.sizes.iter().enumerate() {
            sizes.insert(self.first + i, *size);
        }
        sizes
    }

    /// Where the element of a place of the result is.
    fn place(&self, e: &Emit<'c>, place: &[V<'c>]) -> Result<Vec<V<'c>>, Error> {
        let (before, rest) = place.split_at(self.first);
        let (shared, behind) = rest.split_at(self.sizes.len());
        let mut others = before.iter().chain(behind).copied();
        let zero = e.index(0)?;
        let mut there = Vec::new();
        for (d, index) in self.of.iter().enumerate() {
            there.push(match index {
                None => others.next().ok_or_else(|| Error::Internal("a place without dimensions".into()))?,
                Some(t) => {
                    let skip = self.sizes.len() - t.rank();
                    let stays = |i: usize| t.sizes[i] == Dim::Known(1) && self.sizes[skip + i] != Dim::Known(1);
                    let at: Vec<_> = (0..t.rank()).map(|i| if stays(i) { zero } else { shared[skip + i] }).collect();
                    place_of(e, e.element_at(t.value, &at)?, self.ends[d])?
                }
            });
        }
        Ok(there)
    }
}

/// `index.Tensor(self, indices)`
fn index<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?.clone();
    let indexed = Indexed::of(l, &x, c.argument(1)?)?;
    let sizes = indexed.result(&x);
    let made = l.computed(&sizes, x.dtype, &mut |e, place| e.element_at(x.value, &indexed.place(e, place)?))?;
    one(made)
}

/// What is scattered.
#[derive(Clone, Copy)]
enum Source {
    Tensor(usize),
    Number(usize),
}

/// `v` into a place of a tensor, or folded into what is there.
fn put<'c>(
    e: &Emit<'c>,
    into: V<'c>,
    place: &[V<'c>],
    v: V<'c>,
    how: Option<Fold>,
    dtype: DType,
) -> Result<V<'c>, Error> {
    let v = match how {
        None => v,
        Some(how) => {
            let wide = crate::scalar::arithmetic_dtype(dtype);
            let (t, narrow) = (wide_type(e, wide, v), v.r#type());
            let had = cast(e, e.element_at(into, place)?, dtype, wide, t)?;
            let sum = how.in_order(e, had, cast(e, v, dtype, wide, t)?, wide)?;
            cast(e, sum, wide, dtype, narrow)?
        }
    };
    e.inserted_at(v, into, place)
}

/// The type of elements in which a fold of `v`'s is computed.
fn wide_type<'c>(e: &Emit<'c>, wide: DType, v: V<'c>) -> sconce_ir::Type<'c> {
    match wide {
        DType::F32 => e.f32_type(),
        DType::U8 if v.r#type() == e.int_type(1) => e.int_type(8),
        _ => v.r#type(),
    }
}

/// `scatter(self, dim, index, src)`
fn scatter<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>, source: Source, how: Option<Fold>) -> Result<Vec<Item<'c>>, Error> {
    let (x, index) = (c.tensor(0)?.clone(), indices(c.tensor(2)?)?);
    let d = x.axis(c.int(1)?)?;
    within(l, &index, &x, Some(d))?;
    let (tensor, number) = match source {
        Source::Tensor(i) => {
            let source = c.tensor(i)?.clone();
            within(l, &index, &source, None)?;
            if source.dtype != x.dtype {
                return Error::unsupported("scatter of another dtype");
            }
            (Some(source.value), None)
        }
        Source::Number(i) => (None, Some(c.scalar(l, i, x.dtype)?)),
    };
    in_range(l, &index, &x.sizes[d], false)?;
    // A kernel carries whole rows where the index repeats.
    l.kernel_does_better(&index.sizes);
    let end = l.size(&x.sizes[d])?;
    let made = l.sequential(&index.sizes.clone(), &[x.value], &mut |e, place, carried| {
        let mut there = place.to_vec();
        there[d] = place_of(e, e.element_at(index.value, place)?, end)?;
        let v = match (tensor, number) {
            (Some(t), _) => e.element_at(t, place)?,
            (None, Some(n)) => n,
            (None, None) => return Error::unsupported("nothing to scatter"),
        };
        Ok(vec![put(e, carried[0], &there, v, how, x.dtype)?])
    })?;
    one(TensorValue::new(made[0], x.sizes, x.dtype))
}

/// `scatter_reduce(self, dim, index, src, reduce, include_self)` where `self` takes part.
fn scatter_reduce<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    if !c.bool_or(5, true)? {
        return Error::unsupported("scatter_reduce without the tensor's own elements");
    }
    let how = match c.constant(4)? {
        Constant::Str(s) if s == "sum" => Fold::Sum,
        Constant::Str(s) if s == "prod" => Fold::Product,
        Constant::Str(s) if s == "amax" => Fold::Max,
        Constant::Str(s) if s == "amin" => Fold::Min,
        other => return Error::unsupported(format!("scatter_reduce by {other:?}")),
    };
    scatter(l, c, Source::Tensor(3), Some(how))
}

/// `index_add(self, dim, index, source, alpha)`, `index_copy(self, dim, index, source)`
fn along<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>, how: Option<Fold>) -> Result<Vec<Item<'c>>, Error> {
    let (x, index, source) = (c.tensor(0)?.clone(), indices(c.tensor(2)?)?, c.tensor(3)?.clone());
    let d = x.axis(c.int(1)?)?;
    if x.rank() == 0 || source.rank() != x.rank() || index.rank() != 1 || source.dtype != x.dtype {
        return Error::unsupported("indices or a source of another rank or dtype");
    }
    for (i, (a, b)) in x.sizes.clone().iter().zip(&source.sizes).enumerate() {
        l.equal(if i == d { &index.sizes[0] } else { a }, b)?;
    }
    let factor = match c.arguments.get(4) {
        Some(_) if how.is_some() && !matches!(c.constant(4), Ok(Constant::Int(1))) => {
            let wide = crate::scalar::arithmetic_dtype(x.dtype);
            Some((c.scalar(l, 4, wide)?, wide, l.element(wide)?, l.element(x.dtype)?))
        }
        _ => None,
    };
    if factor.is_some() && x.dtype == DType::Bool {
        return Error::unsupported("index_add of bool with a factor");
    }
    in_range(l, &index, &x.sizes[d], false)?;
    // A kernel carries whole rows where the index repeats.
    l.kernel_does_better(&index.sizes);
    let end = l.size(&x.sizes[d])?;
    let made = l.sequential(&source.sizes.clone(), &[x.value], &mut |e, place, carried| {
        let mut there = place.to_vec();
        there[d] = place_of(e, e.element_at(index.value, &place[d..=d])?, end)?;
        let mut v = e.element_at(source.value, place)?;
        if let Some((factor, wide, t, narrow)) = factor {
            let product = if wide.is_float() { "arith.mulf" } else { "arith.muli" };
            v = cast(e, e.same(product, &[cast(e, v, x.dtype, wide, t)?, factor])?, wide, x.dtype, narrow)?;
        }
        Ok(vec![put(e, carried[0], &there, v, how, x.dtype)?])
    })?;
    one(TensorValue::new(made[0], x.sizes, x.dtype))
}

/// `index_put(self, indices, values, accumulate)`
fn index_put<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let (x, values) = (c.tensor(0)?.clone(), c.tensor(2)?.clone());
    if values.dtype != x.dtype {
        return Error::unsupported("index_put of another dtype");
    }
    let how = c.bool_or(3, false)?.then_some(Fold::Sum);
    let indexed = Indexed::of(l, &x, c.argument(1)?)?;
    let sizes = indexed.result(&x);
    let Some(skip) = sizes.len().checked_sub(values.rank()) else {
        return Error::unsupported("more dimensions of values than of places");
    };
    for (i, d) in values.sizes.iter().enumerate().filter(|(_, d)| **d != Dim::Known(1)) {
        l.equal(d, &sizes[skip + i])?;
    }
    let made = l.sequential(&sizes, &[x.value], &mut |e, place, carried| {
        let zero = e.index(0)?;
        let at: Vec<_> =
            values.sizes.iter().zip(&place[skip..]).map(|(d, i)| if *d == Dim::Known(1) { zero } else { *i }).collect();
        let v = e.element_at(values.value, &at)?;
        Ok(vec![put(e, carried[0], &indexed.place(e, place)?, v, how, x.dtype)?])
    })?;
    one(TensorValue::new(made[0], x.sizes, x.dtype))
}
