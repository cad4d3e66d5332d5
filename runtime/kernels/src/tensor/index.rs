//! Indexing: tensors picked from by other tensors, masks and coordinates.

use crate::engine::arguments::one;
use crate::engine::cast::{convert, convert_into};
use crate::engine::elementwise::{is_apart, ordered_strides};
use crate::engine::folds::first;
use crate::engine::layout::empty_for;
use crate::engine::rows;
use crate::engine::scratch::{self, Scratch};
use crate::engine::strided_copy::{Table, Tables, listed, moved, moved_as, whole};
use crate::tensor::gather_scatter::{Combine, Index, Side, carry};
use crate::tensor::nonzero::Mask;
use crate::tensor::view::ravel;
use crate::{Call, Error, Outputs, arg};
use sconce_schema::shape::index::{no_index, no_index_dtype, too_many, unlike_indices};
use sconce_tensor::{DType, IValue, Sizes, Tensor, broadcast_sizes, contiguous_strides};
use smallvec::{SmallVec, smallvec};

/// Index values, wrapped where negative and checked against a size.
pub fn checked_indices(index: &Tensor, size: i64, out_of_bounds: impl Fn(i64) -> Error) -> Result<Scratch<i64>, Error> {
    let mut values = rows::read::<i64>(index)?;
    if let Some(at) = first(&values, |v| v < -size || v >= size) {
        return Err(out_of_bounds(values[at]));
    }
    values.iter_mut().for_each(|v| *v += if *v < 0 { size } else { 0 });
    Ok(values)
}

/// Index values that may not be negative.
pub fn plain_indices(index: &Tensor, size: i64, out_of_bounds: impl Fn(i64) -> Error) -> Result<Scratch<i64>, Error> {
    let values = rows::read::<i64>(index)?;
    match first(&values, |v| v < 0 || v >= size) {
        Some(at) => Err(out_of_bounds(values[at])),
        None => Ok(values),
    }
}

/// A tensor of rank 0 as a vector of one.
pub fn at_least_1d(t: &Tensor) -> Result<Tensor, Error> {
    if t.dim() > 0 { Ok(t.clone()) } else { Ok(t.as_strided(&[1], &[1], t.storage_offset())?) }
}

fn dim_of(t: &Tensor, dim: &IValue) -> Result<usize, Error> {
    crate::engine::lanes::dimension(dim.as_int()?, t.dim())
}

/// (self, dim, index).
pub fn index_select(call: &Call<'_>, t: &Tensor, dim: &IValue, index: &Tensor) -> Result<Tensor, Error> {
    let dim = dim_of(t, dim)?;
    if t.dim() == 0 && index.numel() != 1 {
        return Err(Error::runtime(format!(
            "index_select(): Index to scalar can have only 1 value, got {} value(s)",
            index.numel()
        )));
    }
    let source = at_least_1d(t)?;
    let picked = plain_indices(index, source.sizes()[dim], |_| Error::index("index out of range in self"))?;
    let tables: Tables =
        (0..source.dim()).map(|d| if d == dim { listed(&source, d, &picked) } else { whole(&source, d) }).collect();
    Ok(if t.dim() == 0 { moved_as(call, &source, &tables, &[])? } else { moved(call, &source, &tables)? })
}

/// (self, dim, index, sparse_grad).
pub fn gather(call: &Call<'_>, t: &Tensor, dim: &IValue, index: &Tensor) -> Result<Tensor, Error> {
    let dim = dim_of(t, dim)?;
    gathered(call, t, dim, index)
}

/// An index runs over its own positions in the dimensions other than `dim`: the tensor has them all.
pub fn check_reach(t: &Tensor, index: &[i64], dim: usize) -> Result<(), Error> {
    let fits = t.dim() == index.len() && (0..t.dim()).all(|d| d == dim || index[d] <= t.sizes()[d]);
    if fits {
        return Ok(());
    }
    Err(Error::runtime(format!(
        "Expected index {index:?} to be no larger than self {:?} apart from dimension {dim}",
        t.sizes()
    )))
}

fn gathered(call: &Call<'_>, t: &Tensor, dim: usize, index: &Tensor) -> Result<Tensor, Error> {
    let out = call.contiguous_output(0, index.sizes(), t.dtype())?;
    if index.numel() == 0 {
        return Ok(out);
    }
    let (source, target) = (at_least_1d(t)?, at_least_1d(&out)?);
    check_reach(&source, target.sizes(), dim)?;
    let size = source.sizes()[dim];
    let out_of_bounds = |v| Error::runtime(format!("index {v} is out of bounds for dimension {dim} with size {size}"));
    let index = Index::new(index, size, out_of_bounds)?;
    let (to, from) = (Side::plain(&target), Side::along(&source, dim));
    // SAFETY: the index was checked in its dimension and is no larger than the source in the others; the result has its sizes and is fresh.
    unsafe { carry(t.dtype(), target.sizes(), &to, &from, &index, Combine::Assign) }?;
    Ok(out)
}

/// (self, indices, dim).
pub fn take_along_dim(call: &Call<'_>, t: &Tensor, index: &Tensor, dim: &IValue) -> Result<Tensor, Error> {
    if dim.is_none() {
        return gathered(call, &ravel(&t.copy()?)?, 0, &ravel(&index.copy()?)?);
    }
    let dim = dim_of(t, dim)?;
    let without =
        |t: &Tensor| -> Sizes { t.sizes().iter().enumerate().map(|(d, s)| if d == dim { 1 } else { *s }).collect() };
    let common = broadcast_sizes(&without(t), &without(index))?;
    let expanded = |t: &Tensor| -> Result<Tensor, Error> {
        let mut sizes = common.clone();
        if let (Some(s), Some(n)) = (sizes.get_mut(dim), t.sizes().get(dim)) {
            *s = *n;
        }
        Ok(t.expand(&sizes)?)
    };
    gathered(call, &expanded(t)?, dim, &expanded(index)?)
}

/// (self, index): as if self were a vector.
pub fn take(call: &Call<'_>, t: &Tensor, index: &Tensor) -> Result<Tensor, Error> {
    let n = t.numel() as i64;
    if n == 0 && index.numel() != 0 {
        return Err(Error::index("take(): tried to take from an empty tensor"));
    }
    let picked = checked_indices(index, n, |v| {
        Error::index(format!("out of range: tried to access index {v} on a tensor of {n} elements."))
    })?;
    moved_as(call, &ravel(t)?, &[Table::List(picked)], index.sizes())
}

/// (self): one row of coordinates each, with no column for a tensor of rank 0.
pub fn nonzero(t: &Tensor) -> Result<Tensor, Error> {
    // PyTorch computes it column by column and gives the transposed view.
    let columns = Mask::of(t, "nonzero")?.coordinates()?;
    let (rank, n) = (columns.sizes()[0], columns.sizes()[1]);
    Ok(columns.as_strided(&[n, rank], &[1, n], 0)?)
}

/// (self, as many rows as asked for, filled up with a value).
pub fn nonzero_static(t: &Tensor, rows: i64, fill: i64) -> Result<Tensor, Error> {
    let columns = Mask::of(t, "nonzero")?.coordinates()?;
    let (rank, n) = (columns.sizes()[0], columns.sizes()[1].min(rows.max(0)));
    let out = Tensor::zeros(&[rows, rank], DType::I64)?;
    out.fill(fill);
    let found = columns.as_strided(&[n, rank], &[1, columns.sizes()[1]], 0)?;
    out.as_strided(&[n, rank], &[rank, 1], 0)?.copy_bytes_from(&found)?;
    Ok(out)
}

/// (self): a vector of coordinates for each dimension, views of one tensor; a tensor of rank 0 counts as a vector.
pub fn nonzero_numpy(t: &Tensor) -> Result<IValue, Error> {
    let t = at_least_1d(t)?;
    Ok(IValue::tensor_list(vectors(&Mask::of(&t, "nonzero")?.coordinates()?)?))
}

/// The rows of a matrix, views of it.
fn vectors(columns: &Tensor) -> Result<SmallVec<[Tensor; 4]>, Error> {
    let (rank, n) = (columns.sizes()[0], columns.sizes()[1]);
    Ok((0..rank).map(|d| columns.as_strided(&[n], &[1], d * n)).collect::<Result<_, _>>()?)
}

/// (self, mask): a vector.
pub fn masked_select(call: &Call<'_>, t: &Tensor, mask: &Tensor) -> Result<Tensor, Error> {
    let sizes = broadcast_sizes(t.sizes(), mask.sizes())?;
    let picked = Mask::of(&mask.expand(&sizes)?, "masked_select")?.positions();
    let whole = t.expand(&sizes)?.contiguous()?;
    let out = call.contiguous_output(0, &[picked.len() as i64], t.dtype())?;
    let from = Side { first: whole.bytes_ptr(), strides: smallvec![0], step: 1, apart: true };
    let sizes = [picked.len() as i64];
    // SAFETY: the positions are of elements of a contiguous tensor; the result is fresh and has one for each.
    unsafe {
        let index = Index::of(picked, smallvec![1]);
        carry(t.dtype(), &sizes, &Side::plain(&out), &from, &index, Combine::Assign)?;
    }
    Ok(out)
}

/// (self, mask, source): the source's elements where the mask is set, in order.
pub fn masked_scatter(call: &Call<'_>, t: &Tensor, mask: &Tensor, source: &Tensor) -> Result<Tensor, Error> {
    if source.dtype() != t.dtype() {
        return Err(Error::runtime(format!(
            "masked_scatter: expected self and source to have same dtypes but got{} and {}",
            t.dtype().graph_name(),
            source.dtype().graph_name()
        )));
    }
    if mask.dtype() != DType::Bool {
        return Err(Error::runtime(format!(
            "masked_scatter_ only supports boolean masks, but got mask with dtype {}",
            mask.dtype().graph_name()
        )));
    }
    if t.dtype() == DType::C32 {
        return Err(crate::not_implemented("masked_scatter", DType::C32));
    }
    let sizes = broadcast_sizes(t.sizes(), mask.sizes())?;
    let places = Mask::of(&mask.expand(&sizes)?, "masked_scatter_")?.positions();
    if places.len() > source.numel() {
        return Err(Error::runtime("Number of elements of source < number of ones in mask"));
    }
    let out = call.contiguous_output(0, &sizes, t.dtype())?;
    convert_into(&out, &t.expand(&sizes)?)?;
    let (source, sizes) = (source.contiguous()?, [places.len() as i64]);
    let to = Side { first: out.bytes_ptr(), strides: smallvec![0], step: 1, apart: true };
    let from = Side { first: source.bytes_ptr(), strides: smallvec![1], step: 0, apart: true };
    // SAFETY: the positions are of elements of the result, which is contiguous and fresh; the source has an element for each.
    unsafe { carry(t.dtype(), &sizes, &to, &from, &Index::of(places, smallvec![1]), Combine::Assign) }?;
    Ok(out)
}

/// A call's indices resolved: what they pick, and where the elements of that lie in the tensor.
struct Picked {
    sizes: Sizes,
    /// The tensor's strides in the dimensions that no index names, 0 in those of the indices.
    strides: Sizes,
    /// What the indices add, in elements.
    offsets: Index,
    /// Strides of a result.
    lies: Sizes,
}

impl Picked {
    /// The tensor as the side that the indices lead through.
    fn side(&self, t: &Tensor) -> Side {
        Side { first: t.bytes_ptr(), strides: self.strides.clone(), step: 1, apart: is_apart(t) }
    }

    /// Result 0: what the indices pick from the tensor that they were resolved for.
    fn copied(&self, call: &Call<'_>, t: &Tensor) -> Result<Tensor, Error> {
        let out = call.output(0, &self.sizes, &self.lies, t.dtype())?;
        // SAFETY: every index was checked, the others run over whole dimensions; the result is fresh.
        unsafe { carry(t.dtype(), &self.sizes, &Side::plain(&out), &self.side(t), &self.offsets, Combine::Assign) }?;
        Ok(out)
    }
}

/// What each dimension is indexed by.
type Indices = SmallVec<[Option<Tensor>; 4]>;

fn indices_of(v: &IValue) -> Result<Indices, Error> {
    v.as_list()?.read().iter().map(|v| v.optional().map(|v| Ok(v.as_tensor()?.clone())).transpose()).collect()
}

/// Masks become coordinates; every index an i64 tensor.
fn expand_masks(t: &Tensor, indices: Indices) -> Result<Indices, Error> {
    let mut out = Indices::new();
    for index in indices {
        let Some(index) = index else {
            out.push(None);
            continue;
        };
        match index.dtype() {
            DType::I64 | DType::I32 => out.push(Some(convert(&index, DType::I64)?)),
            DType::Bool | DType::U8 => {
                for (k, n) in index.sizes().iter().enumerate() {
                    let at = out.len() + k;
                    let Some(have) = t.sizes().get(at) else {
                        return Err(too_many(t.dim(), at + 1).into());
                    };
                    if have != n {
                        return Err(Error::index(format!(
                            "The shape of the mask {:?} at index {k} does not match the shape of the indexed tensor {:?} at index {at}",
                            index.sizes(),
                            t.sizes()
                        )));
                    }
                }
                if index.dim() == 0 {
                    // A mask of rank 0 adds a dimension of size 1 or 0, which no dimension of the tensor stands for.
                    return Err(Error::index("masks of rank 0 are not supported"));
                }
                out.extend(vectors(&Mask::of(&index, "nonzero")?.coordinates()?)?.into_iter().map(Some));
            }
            _ => return Err(no_index_dtype().into()),
        }
    }
    Ok(out)
}

fn resolve(t: &Tensor, indices: Indices) -> Result<Picked, Error> {
    if indices.is_empty() {
        return Err(no_index().into());
    }
    if indices.len() > t.dim() {
        return Err(too_many(t.dim(), indices.len()).into());
    }
    let indices = expand_masks(t, indices)?;
    if indices.len() > t.dim() {
        return Err(too_many(t.dim(), indices.len()).into());
    }
    let given: SmallVec<[(usize, &Tensor); 4]> =
        indices.iter().enumerate().filter_map(|(d, i)| Some((d, i.as_ref()?))).collect();
    let mut common = Sizes::new();
    for (_, index) in &given {
        common = broadcast_sizes(&common, index.sizes())
            .map_err(|_| Error::from(unlike_indices(given.iter().map(|(_, i)| format!("{:?}", i.sizes())))))?;
    }
    let n = sconce_tensor::numel(&common)
        .ok_or_else(|| sconce_tensor::Error::TooLarge { sizes: common.to_vec(), bytes_per_element: 8 })?;
    if n > 0 && given.iter().any(|(d, _)| t.sizes()[*d] == 0) {
        return Err(Error::index("index is out of bounds for dimension with size 0"));
    }
    let kept: SmallVec<[usize; 6]> = (0..t.dim()).filter(|d| !given.iter().any(|(g, _)| g == d)).collect();
    let mut offsets = scratch::zeros::<i64>(n);
    // Where there is nothing to pick nobody looks at the indices.
    let nothing = kept.iter().any(|d| t.sizes()[*d] == 0);
    // A message counts the indices given, not the dimensions they stand at.
    for (k, (d, index)) in given.iter().enumerate().filter(|_| !nothing) {
        let size = t.sizes()[*d];
        let values = checked_indices(&index.expand(&common)?, size, |v| out_of_bounds(v, k, size))?;
        offsets.iter_mut().zip(values.iter()).for_each(|(o, v)| *o += v * t.strides()[*d]);
    }
    let (first, last) = (given.first().map_or(0, |g| g.0), given.last().map_or(0, |g| g.0));
    let at = if given.is_empty() || last - first + 1 != given.len() { 0 } else { first };
    let ranks = common.len();
    let mut sizes: Sizes = kept.iter().map(|d| t.sizes()[*d]).collect();
    let mut strides: Sizes = kept.iter().map(|d| t.strides()[*d]).collect();
    let mut along: Sizes = smallvec![0; kept.len()];
    strides.insert_many(at, std::iter::repeat_n(0, ranks));
    along.insert_many(at, contiguous_strides(&common));
    sizes.insert_many(at, common);
    // The result lies as the tensor does without its indexed dimensions, and the indices among them.
    let mut operands: SmallVec<[Sizes; 4]> = smallvec![strides.clone()];
    for (_, index) in &given {
        let mut shape: Sizes = smallvec![1; sizes.len()];
        let skip = at + ranks - index.dim();
        shape[skip..skip + index.dim()].copy_from_slice(index.sizes());
        let strides = sconce_tensor::view_strides(index.sizes(), index.strides(), &shape);
        let mut strides = strides.unwrap_or_else(|| contiguous_strides(&shape));
        strides.iter_mut().zip(&shape).zip(&sizes).filter(|((_, n), m)| n != m).for_each(|((s, _), _)| *s = 0);
        operands.push(strides);
    }
    let row_major = given.is_empty() || sizes.contains(&0);
    let lies = if row_major { contiguous_strides(&sizes) } else { ordered_strides(&sizes, &operands) };
    Ok(Picked { sizes, strides, offsets: Index::of(offsets, along), lies })
}

/// (self, indices).
pub fn index(call: &Call<'_>, t: &Tensor, indices: &IValue) -> Result<Tensor, Error> {
    let indices = indices_of(indices)?;
    if let [Some(index)] = &indices[..]
        && let Some(picked) = picked_from_vector(call, t, index)?
    {
        return Ok(picked);
    }
    resolve(t, indices)?.copied(call, t)
}

/// A vector's elements at the places of a vector, or where one is set: the general way asks more than that takes. `None` of all else, and where an
/// error is to be told.
fn picked_from_vector(call: &Call<'_>, t: &Tensor, index: &Tensor) -> Result<Option<Tensor>, Error> {
    let (&[size], &[stride], &[length]) = (t.sizes(), t.strides(), index.sizes()) else { return Ok(None) };
    let places = match index.dtype() {
        DType::I64 if size > 0 => checked_indices(index, size, |v| out_of_bounds(v, 0, size))?,
        DType::Bool if length == size => Mask::of(index, "nonzero")?.positions(),
        _ => return Ok(None),
    };
    let sizes = [places.len() as i64];
    let out = call.contiguous_output(0, &sizes, t.dtype())?;
    let from = Side { first: t.bytes_ptr(), strides: smallvec![0], step: stride, apart: true };
    let index = Index::of(places, smallvec![1]);
    // SAFETY: the places are of elements of the vector; the result is fresh and has one for each.
    unsafe { carry(t.dtype(), &sizes, &Side::plain(&out), &from, &index, Combine::Assign) }?;
    Ok(Some(out))
}

fn out_of_bounds(index: i64, dim: usize, size: i64) -> Error {
    Error::index(format!("index {index} is out of bounds for dimension {dim} with size {size}"))
}

fn put(out: &Tensor, indices: Indices, values: &Tensor, accumulate: bool) -> Result<(), Error> {
    let picked = resolve(out, indices)?;
    if out.dtype() != values.dtype() {
        return Err(Error::runtime(format!(
            "Index put requires the source and destination dtypes match, got {} for the destination and {} for the source.",
            out.dtype().graph_name(),
            values.dtype().graph_name()
        )));
    }
    let mismatch = || {
        Error::runtime(format!(
            "shape mismatch: value tensor of shape {:?} cannot be broadcast to indexing result of shape {:?}",
            values.sizes(),
            &picked.sizes[..]
        ))
    };
    // Leading ones of the values do not count.
    let extra = values.dim().saturating_sub(picked.sizes.len());
    let values = if extra > 0 && values.sizes()[..extra].iter().all(|n| *n == 1) {
        values.as_strided(&values.sizes()[extra..], &values.strides()[extra..], values.storage_offset())?
    } else {
        values.clone()
    };
    let values = values.expand(&picked.sizes).map_err(|_| mismatch())?;
    let combine_by = if accumulate { Combine::Add } else { Combine::Assign };
    // SAFETY: every index was checked, the others run over whole dimensions; the values were broadcast to the sizes, and share no memory with what
    // they are put into.
    unsafe {
        carry(out.dtype(), &picked.sizes, &picked.side(out), &Side::plain(&values), &picked.offsets, combine_by)?;
    }
    out.bump_version();
    Ok(())
}

fn accumulates(args: &[IValue]) -> Result<bool, Error> {
    Ok(args.get(3).map_or(Ok(false), IValue::as_bool)?)
}

/// (self, indices, values, accumulate, …): a changed copy.
pub fn index_put(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = arg(args, 0)?.as_tensor()?;
    // What nobody else has may be written to.
    if t.is_unique() && t.is_contiguous() {
        return index_put_inplace(call, args);
    }
    let out = empty_for(t, t.dtype(), None)?;
    convert_into(&out, t)?;
    put(&out, indices_of(arg(args, 1)?)?, arg(args, 2)?.as_tensor()?, accumulates(args)?)?;
    one(out)
}

/// (self, indices, values, accumulate, …): the tensor itself.
pub fn index_put_inplace(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = arg(args, 0)?.as_tensor()?;
    let values = arg(args, 2)?.as_tensor()?;
    let values = if values.shares_storage(t) { values.copy()? } else { values.clone() };
    put(t, indices_of(arg(args, 1)?)?, &values, accumulates(args)?)?;
    Ok(smallvec![args[0].clone()])
}
