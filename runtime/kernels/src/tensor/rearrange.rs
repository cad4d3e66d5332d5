//! Tensors joined, repeated, turned, cut to triangles, and copies with a part replaced.

use crate::engine::arguments::{one, result, tensor_arg};
use crate::engine::calling::kernels;
use crate::engine::cast::{convert, convert_into, to_vec};
use crate::engine::elementwise::{like_strides, repeats, uninit_strided};
use crate::engine::lanes::dimension;
use crate::engine::layout::{empty_for, suggested_format};
use crate::engine::number::Number;
use crate::engine::strided_copy::{
    NOTHING, Table, Tables, along, bounded, listed, moved, moved_as, parts, reversed, whole,
};
use crate::engine::{parallel, scratch};
use crate::tensor::copy::fill;
use crate::tensor::view;
use crate::{Call, Error, Outputs, arg};
use sconce_tensor::{DType, IValue, Sizes, Tensor};
use std::ops::Range;

/// Copies tensors that are each row-major to a row-major result, in turn for each of its `rows`. Of one row, those that lie there already are left as they are.
fn join_rows(out: &Tensor, tensors: &[Tensor], rows: usize) {
    struct Address(*mut u8);
    // SAFETY: threads write different rows.
    unsafe impl Sync for Address {}
    if out.numel() == 0 {
        return;
    }
    let bytes = out.numel() / rows * out.dtype().size();
    let base = Address(out.bytes_ptr());
    parallel::split(rows, (1 << 18) / bytes, |range| {
        let base = &base;
        for row in range {
            let mut to = base.0.wrapping_add(row * bytes);
            for t in tensors {
                let part = t.numel() / rows * out.dtype().size();
                let from = t.bytes_ptr().wrapping_add(row * part);
                if from != to {
                    // SAFETY: row `row` of a row-major tensor, to its place in the result, of which the parts together are a row; `join_in_place` has seen to it
                    // that the tensor shares no memory with what is written.
                    unsafe { std::ptr::copy_nonoverlapping(from, to, part) };
                }
                to = to.wrapping_add(part);
            }
        }
    });
}

/// Whether the tensors, each row-major, may be copied one behind the other to a result, of which some may be parts: no copy changes what is yet to be read.
fn stay_readable(out: &Tensor, tensors: &[Tensor]) -> bool {
    let bytes = |t: &Tensor| t.numel() * t.dtype().size();
    let read = |t: &Tensor| t.bytes_ptr().addr()..t.bytes_ptr().addr() + bytes(t);
    let meet = |a: &Range<usize>, b: &Range<usize>| a.start.max(b.start) < a.end.min(b.end);
    let mut end = out.bytes_ptr().addr();
    let lies = tensors.iter().map(|t| {
        end += bytes(t);
        (end - bytes(t)..end, read(t))
    });
    let mut copies = lies.filter(|(to, from)| to != from);
    copies.all(|(to, _)| tensors.iter().all(|t| !meet(&read(t), &to)))
}

/// Joins tensors that lie row by row, as the result does. Gives the result, and whether that is done: the caller's place for it, or a fresh one where tensors that
/// lie in that place would change before they are read. Of one row they may be there already.
fn join_in_place(call: &Call<'_>, mut out: Tensor, tensors: &[Tensor], dim: usize) -> Result<(Tensor, bool), Error> {
    let are_rows = out.is_contiguous() && tensors.iter().all(|t| t.dtype() == out.dtype() && t.is_contiguous());
    let rows = out.sizes()[..dim].iter().product::<i64>() as usize;
    let stays = !tensors.iter().any(|t| t.overlaps(&out)) || are_rows && rows == 1 && stay_readable(&out, tensors);
    if !stays {
        out = Call { destinations: None, ..*call }.output(0, out.sizes(), out.strides(), out.dtype())?;
    }
    if are_rows {
        join_rows(&out, tensors, rows);
    }
    Ok((out, are_rows))
}

/// The tensors joined along a dimension, into a tensor of these sizes and dtype.
fn join(call: &Call<'_>, tensors: &[Tensor], dim: usize, sizes: &[i64], dtype: DType) -> Result<Tensor, Error> {
    // Channels-last inputs join to a channels-last tensor.
    let mut formats = tensors.iter().filter(|t| t.sizes() != [0]).map(suggested_format);
    let first = formats.next().unwrap_or(0);
    let format = if formats.all(|f| f == first) { first } else { 0 };
    let out = call.output(0, sizes, &crate::engine::layout::format_strides(sizes, format)?, dtype)?;
    let (out, is_done) = join_in_place(call, out, tensors, dim)?;
    if is_done {
        return Ok(out);
    }
    let mut start = out.storage_offset();
    for t in tensors.iter().filter(|t| t.sizes() != [0]) {
        let part = out.as_strided(t.sizes(), out.strides(), start)?;
        convert_into(&part, t)?;
        start += t.sizes()[dim] * out.strides()[dim];
    }
    Ok(out)
}

pub fn cat(call: &Call<'_>, tensors: scratch::List<Tensor>, dim: i64) -> Result<Tensor, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    // Nothing joined with nothing has no dimension to look at.
    let dim = if *sizes == [0] { 0 } else { dimension(dim, sizes.len())? };
    join(call, &tensors, dim, &sizes, dtype)
}

pub fn stack(call: &Call<'_>, tensors: scratch::List<Tensor>, dim: i64) -> Result<Tensor, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let dim = dimension(dim, sizes.len())?;
    // PyTorch joins the tensors along the dimension and splits it, or along a new last one.
    let last = dim + 1 == sizes.len();
    if matches!(sizes.len() - usize::from(!last), 4 | 5) {
        let lift = |t: &Tensor| match last {
            true => t.as_strided(&[t.sizes(), &[1]].concat(), &[t.strides(), &[1]].concat(), t.storage_offset()),
            false => Ok(t.clone()),
        };
        let parts = tensors.iter().map(lift).collect::<Result<Vec<_>, _>>()?;
        if parts.iter().all(|t| suggested_format(t) != 0) {
            let mut together: Sizes = parts[0].sizes().into();
            together[dim] *= parts.len() as i64;
            let joined = join(&Call { destinations: None, ..*call }, &parts, dim, &together, dtype)?;
            if last {
                return Ok(joined);
            }
            let strides = sconce_tensor::view_strides(joined.sizes(), joined.strides(), &sizes);
            let strides = strides.unwrap_or_else(|| joined.strides().into());
            return Ok(joined.as_strided(&sizes, &strides, 0)?);
        }
    }
    let out = call.contiguous_output(0, &sizes, dtype)?;
    let (out, is_done) = join_in_place(call, out, &tensors, dim)?;
    if is_done {
        return Ok(out);
    }
    let lifted = tensors.iter().map(|t| {
        let (mut s, mut st): (Sizes, Sizes) = (t.sizes().into(), t.strides().into());
        s.insert(dim, 1);
        st.insert(dim, 1);
        t.as_strided(&s, &st, t.storage_offset())
    });
    for (i, t) in lifted.enumerate() {
        let t: Tensor = t?;
        convert_into(
            &out.as_strided(t.sizes(), out.strides(), out.storage_offset() + i as i64 * out.strides()[dim])?,
            &t,
        )?;
    }
    Ok(out)
}

/// Along the dimensions marked, back to front.
fn flipped(t: &Tensor, marked: impl Fn(usize) -> bool) -> Result<Tensor, Error> {
    let tables: Tables = (0..t.dim()).map(|d| if marked(d) { reversed(t, d) } else { whole(t, d) }).collect();
    let out = uninit_strided(t.sizes(), &like_strides(t), t.dtype())?;
    crate::engine::strided_copy::move_into(&out, t, &tables);
    Ok(out)
}

/// (self, dims).
pub fn flip(t: &Tensor, dims: Sizes) -> Result<Tensor, Error> {
    let dims = dims.into_iter().map(|d| dimension(d, t.dim())).collect::<Result<Vec<_>, _>>()?;
    if t.dtype() == DType::C32 && t.numel() > 0 {
        return Err(crate::not_implemented("flip_cpu", DType::C32));
    }
    flipped(t, |d| dims.contains(&d))
}

/// (self, repeats) and (self, dims): the result's sizes say how often.
pub fn repeat(call: &Call<'_>, t: &Tensor) -> Result<Tensor, Error> {
    let (sizes, _) = result(call.metas, 0)?;
    bounded(&sizes)?;
    let skip = sizes.len() - t.dim();
    let tables: Tables = sizes
        .iter()
        .enumerate()
        .map(|(d, n)| match d.checked_sub(skip) {
            Some(d) if *n == t.sizes()[d] => whole(t, d),
            Some(d) if t.sizes()[d] == 1 => Table::repeated(*n as usize),
            Some(d) => along(t, d, (0..*n).map(|i| i % t.sizes()[d].max(1))),
            None => Table::repeated(*n as usize),
        })
        .collect();
    moved(call, t, &tables)
}

/// Each element of a dimension as often as `counts` says; without a dimension of the flattened tensor.
fn interleaved(
    call: &Call<'_>,
    t: &Tensor,
    dim: &IValue,
    counts: impl Fn(i64) -> Result<Vec<i64>, Error>,
) -> Result<Tensor, Error> {
    let (t, dim) = match dim.optional() {
        None => (view::ravel(&t.copy()?)?, 0),
        Some(dim) => (crate::tensor::index::at_least_1d(t)?, dimension(dim.as_int()?, t.dim())?),
    };
    let picked = each_counted(&counts(t.sizes()[dim])?)?;
    let tables: Tables = (0..t.dim()).map(|d| if d == dim { listed(&t, d, &picked) } else { whole(&t, d) }).collect();
    moved(call, &t, &tables)
}

/// Each position as often as its count.
fn each_counted(counts: &[i64]) -> Result<Vec<i64>, Error> {
    bounded(&[counts.iter().try_fold(0i64, |n, c| n.checked_add(*c)).unwrap_or(i64::MAX)])?;
    Ok((0i64..).zip(counts).flat_map(|(i, c)| std::iter::repeat_n(i, *c as usize)).collect())
}

fn checked_counts(repeats: &Tensor) -> Result<Vec<i64>, Error> {
    let counts = to_vec::<i64>(repeats)?;
    if counts.iter().any(|c| *c < 0) {
        return Err(Error::runtime("repeats can not be negative"));
    }
    Ok(counts)
}

/// (self, repeats, dim, output_size), repeats a number.
pub fn repeat_interleave_int(call: &Call<'_>, t: &Tensor, n: i64, dim: &IValue) -> Result<Tensor, Error> {
    interleaved(call, t, dim, |size| {
        bounded(&[size.saturating_mul(n)])?;
        Ok(vec![n; size as usize])
    })
}

/// (self, repeats, dim, output_size), repeats a tensor of one number or one for each element.
pub fn repeat_interleave_tensor(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let repeats = arg(args, 1)?.as_tensor()?;
    if repeats.dim() > 1 {
        return Err(Error::runtime("repeats must be 0-dim or 1-dim tensor"));
    }
    let counts = checked_counts(repeats)?;
    let dim = arg(args, 2)?.optional().map_or(Ok(0), IValue::as_int)?;
    one(interleaved(call, arg(args, 0)?.as_tensor()?, arg(args, 2)?, |size| match counts.len() as i64 {
        1 => Ok(vec![counts[0]; size as usize]),
        n if n == size => Ok(counts.clone()),
        n => Err(Error::runtime(format!(
            "repeats must have the same size as input along dim, but got repeats.size(0) = {n} and input.size({dim}) = {size}"
        ))),
    })?)
}

/// (repeats, output_size): each position as often as its count.
pub fn repeat_interleave_counts(repeats: &Tensor, output_size: Option<&IValue>) -> Result<Tensor, Error> {
    let picked = each_counted(&checked_counts(repeats)?)?;
    let total = picked.len() as i64;
    if let Some(want) = output_size
        && want.as_int()? != total
    {
        return Err(Error::runtime("allocated size does not match required size"));
    }
    convert(&Tensor::from_vec(picked, &[total]), repeats.dtype())
}

/// (self, shifts, dims); without dims of the flattened tensor.
pub fn roll(call: &Call<'_>, t: &Tensor, shifts: Sizes, dims: Sizes) -> Result<Tensor, Error> {
    let turned = |t: &Tensor, d: usize, shift: i128| {
        let n = t.sizes()[d];
        let by = if n == 0 { 0 } else { shift.rem_euclid(i128::from(n)) as i64 };
        parts(t, d, &[(n - by, by), (0, n - by)])
    };
    if t.numel() == 0 {
        return Ok(t.copy()?);
    }
    if dims.is_empty() {
        let flat = view::ravel(t)?;
        return moved_as(call, &flat, &[turned(&flat, 0, i128::from(shifts[0]))], t.sizes());
    }
    let mut shift = vec![0i128; t.dim()];
    for (s, d) in shifts.iter().zip(&dims) {
        shift[dimension(*d, t.dim())?] += i128::from(*s);
    }
    let tables: Tables = (0..t.dim()).map(|d| turned(t, d, shift[d])).collect();
    moved(call, t, &tables)
}

/// What stays of each matrix: entries that `keep(row, column, diagonal)` takes.
fn triangle(_: &Call<'_>, args: &[IValue], keep: fn(i64, i64, i64) -> bool) -> Result<Outputs, Error> {
    let t = arg(args, 0)?.as_tensor()?;
    let diagonal = arg(args, 1)?.as_int()?;
    let out = Tensor::zeros(t.sizes(), t.dtype())?;
    let [.., rows, columns] = *t.sizes() else { return one(out) };
    if t.numel() == 0 {
        return one(out);
    }
    for row in 0..rows {
        let picked = (0..columns).map(|c| if keep(row, c, diagonal) { c } else { NOTHING });
        let last = along(t, t.dim() - 1, picked);
        let mut sizes: Sizes = t.sizes().into();
        let (mut from, mut to): (Sizes, Sizes) = (t.strides().into(), out.strides().into());
        for s in [&mut sizes, &mut from, &mut to] {
            s.remove(t.dim() - 2);
        }
        let source = t.as_strided(&sizes, &from, t.storage_offset() + row * t.strides()[t.dim() - 2])?;
        let target = out.as_strided(&sizes, &to, row * out.strides()[t.dim() - 2])?;
        let tables: Tables = (0..t.dim() - 2).map(|d| whole(t, d)).chain([last]).collect();
        crate::engine::strided_copy::move_into(&target, &source, &tables);
    }
    one(out)
}

kernels! {
    /// (self, diagonal).
    tril = triangle, |row, column, diagonal| column - row <= diagonal;
    triu = triangle, |row, column, diagonal| column - row >= diagonal;
    /// (self, src, dim, index).
    select_scatter = scattered, view::select, true;
    /// (self, src, dim, start, end, step).
    slice_scatter = scattered, view::slice, true;
    /// (self, src, offset, dim1, dim2).
    diagonal_scatter = scattered, view::diagonal, true;
    /// (self, src, size, stride, storage_offset): of the elements as they lie in storage, also those beyond self's own.
    as_strided_scatter = scattered, view::as_strided, false;
}

/// (self, diagonal): the tensor itself. Of more than three dimensions PyTorch changes a copy where the matrices do not follow each other, which it
/// then copies back.
pub fn triangle_inplace(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = arg(args, 0)?.as_tensor()?;
    let follow = || {
        let mut expected = t.sizes()[t.dim() - 2..].iter().product::<i64>();
        (0..t.dim() - 2).rev().all(|d| {
            let (size, stride) = (t.sizes()[d], t.strides()[d]);
            let follows = stride == expected || (d == 0 && (stride == 0 || size == 1));
            expected = expected.saturating_mul(size);
            follows
        })
    };
    if t.dim() > 3 && !t.is_contiguous() && !follow() {
        crate::engine::derived::check_no_overlap(t)?;
    }
    crate::engine::derived::write_back(call, args)
}

/// A copy of self, the part that the view describes replaced by the source. Where nobody else has self, it may be self that is written to: a loop that fills a
/// tensor row by row does not copy all of it for each.
fn scattered(call: &Call<'_>, args: &[IValue], view: crate::Kernel, into_own: bool) -> Result<Outputs, Error> {
    let own = tensor_arg(args, 0)?;
    let keep = into_own && own.is_unique() && !(own.numel() > 0 && repeats(own));
    let out = if keep { own.clone() } else { preserved(own)? };
    let mut inner: Vec<IValue> = vec![IValue::Tensor(out.clone())];
    inner.extend(args[2..].iter().cloned());
    let part = view(call, &mut inner)?[0].as_tensor()?.clone();
    let source = tensor_arg(args, 1)?;
    if part.sizes() != source.sizes() {
        return Err(Error::runtime(format!(
            "expected src to have a size equal to the slice of self. src size = {:?}, slice size = {:?}",
            source.sizes(),
            part.sizes()
        )));
    }
    convert_into(&part, source)?;
    one(out)
}

/// A copy that lies in its storage, all of it copied, as the tensor does in its own; where elements share memory a dense one.
fn preserved(t: &Tensor) -> Result<Tensor, Error> {
    if t.numel() > 0 && repeats(t) {
        let out = empty_for(t, t.dtype(), None)?;
        convert_into(&out, t)?;
        return Ok(out);
    }
    let all = (t.storage_bytes() / t.dtype().size()) as i64;
    let storage = t.as_strided(&[all], &[1], 0)?.copy()?;
    Ok(storage.as_strided(t.sizes(), t.strides(), t.storage_offset())?)
}

/// (self, fill_value, wrap): the tensor itself.
pub fn fill_diagonal(t: &Tensor, value: Number, wrap: bool) -> Result<Tensor, Error> {
    let step: i64 = t.strides().iter().sum();
    let side = t.sizes().iter().copied().min().unwrap_or(0);
    let mut parts = vec![t.as_strided(&[side], &[step], t.storage_offset())?];
    // A tall matrix wraps: after each square one row stays free. As if it were row-major, whatever it is.
    if let ([rows, columns], true) = (t.sizes(), wrap)
        && *rows > columns + 1
    {
        let (start, count) = (columns + 1, (rows * columns + columns) / (columns + 1) - columns);
        parts.push(view::strided(t, &[count], &[step], t.storage_offset() + start * t.strides()[0])?);
    }
    parts.iter().try_for_each(|part| fill(part, value))?;
    Ok(t.clone())
}

/// (self, groups): channels dealt out in turn.
pub fn channel_shuffle(call: &Call<'_>, t: &Tensor, groups: i64) -> Result<Outputs, Error> {
    let channels = t.sizes()[1];
    let each = (channels / groups).max(1);
    let tables: Tables = (0..t.dim())
        .map(|d| if d == 1 { along(t, 1, (0..channels).map(|c| c % groups * each + c / groups)) } else { whole(t, d) })
        .collect();
    match crate::engine::layout::suggested_format(t) {
        0 => one(moved(call, t, &tables)?),
        format => {
            one(crate::engine::compose::tensor("aten::clone", &[moved(call, t, &tables)?.into(), IValue::Int(format)])?)
        }
    }
}
