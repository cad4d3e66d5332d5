//! New tensors: of one number, of numbers in a row, and those that keep a triangle of another.

use crate::emit::{Emit, V};
use crate::lower::{Call, Item, Lower, Sizes, TensorValue};
use crate::scalar::{arithmetic_dtype, cast};
use crate::{Error, Lowering};
use sconce_analysis::Constant;
use sconce_exec::{Dim, DimOp};
use sconce_schema::{DType, OpId, ops};

pub(crate) const OPS: &[(OpId, Lowering)] = &[
    (ops::aten::zeros, |l, c| sized(l, c, 0, Filling::Number(0.))),
    (ops::aten::ones, |l, c| sized(l, c, 0, Filling::Number(1.))),
    (ops::aten::empty_memory_format, |l, c| sized(l, c, 0, Filling::Number(0.))),
    (ops::aten::full, |l, c| sized(l, c, 0, Filling::Argument(1))),
    (ops::aten::new_zeros, |l, c| sized(l, c, 1, Filling::Number(0.))),
    (ops::aten::new_ones, |l, c| sized(l, c, 1, Filling::Number(1.))),
    (ops::aten::new_empty, |l, c| sized(l, c, 1, Filling::Number(0.))),
    (ops::aten::new_full, |l, c| sized(l, c, 1, Filling::Argument(2))),
    (ops::aten::zeros_like, |l, c| like(l, c, Filling::Number(0.))),
    (ops::aten::ones_like, |l, c| like(l, c, Filling::Number(1.))),
    (ops::aten::empty_like, |l, c| like(l, c, Filling::Number(0.))),
    (ops::aten::full_like, |l, c| like(l, c, Filling::Argument(1))),
    (ops::aten::fill_Scalar, |l, c| like(l, c, Filling::Argument(1))),
    (ops::aten::scalar_tensor, |l, c| filled(l, c, Sizes::new(), Filling::Argument(0))),
    (ops::aten::arange, |l, c| arange(l, c, None, 0, None)),
    (ops::aten::arange_start, |l, c| arange(l, c, Some(0), 1, None)),
    (ops::aten::arange_start_step, |l, c| arange(l, c, Some(0), 1, Some(2))),
    // What code is given lies in the processor's memory.
    (ops::prim::device, |_, _| Ok(vec![Item::Device])),
    (ops::aten::eye, |l, c| eye(l, c, 0)),
    (ops::aten::eye_m, |l, c| eye(l, c, 1)),
    (ops::aten::tril, |l, c| triangle(l, c, "sle")),
    (ops::aten::triu, |l, c| triangle(l, c, "sge")),
];

/// What a new tensor holds.
#[derive(Clone, Copy)]
enum Filling {
    Number(f64),
    Argument(usize),
}

/// Is the tensor asked for on the processor, dense and row by row?
fn is_plain(c: &Call<'_, '_>) -> Result<(), Error> {
    for (argument, item) in c.entry.schema().arguments.iter().zip(c.arguments) {
        let good = match (&*argument.name, item) {
            ("device", Item::Constant(Constant::Device(d))) => d == "cpu" || d.starts_with("cpu:"),
            ("layout", Item::Constant(Constant::Int(n))) => *n == 0,
            ("memory_format", Item::Constant(Constant::Int(n))) => *n < 2,
            ("pin_memory", Item::Constant(Constant::Bool(pinned))) => !pinned,
            _ => true,
        };
        if !good {
            return Error::unsupported(format!("a new tensor with this {}", argument.name));
        }
    }
    Ok(())
}

fn filled<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>, sizes: Sizes, with: Filling) -> Result<Vec<Item<'c>>, Error> {
    is_plain(c)?;
    let dtype = c.result_dtype(0)?;
    let value = match with {
        Filling::Number(x) => l.e.constant(x, l.element(dtype)?)?,
        Filling::Argument(i) => c.scalar(l, i, dtype)?,
    };
    let made = l.filled(&sizes, dtype, value)?;
    Ok(vec![Item::Tensor(TensorValue::new(made, sizes, dtype))])
}

fn sized<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>, place: usize, with: Filling) -> Result<Vec<Item<'c>>, Error> {
    let sizes = c.sizes(place)?.into_iter().map(|size| l.not_negative(size)).collect::<Result<Sizes, _>>()?;
    filled(l, c, sizes, with)
}

fn like<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>, with: Filling) -> Result<Vec<Item<'c>>, Error> {
    let sizes = c.tensor(0)?.sizes.clone();
    filled(l, c, sizes, with)
}

/// `start, start + step, …` below `end`: arguments by place.
fn arange<'c>(
    l: &mut Lower<'c>,
    c: &Call<'_, 'c>,
    start: Option<usize>,
    end: usize,
    step: Option<usize>,
) -> Result<Vec<Item<'c>>, Error> {
    is_plain(c)?;
    let dtype = c.result_dtype(0)?;
    let is_one = step.is_none_or(|i| c.int(i).is_ok_and(|n| n == 1));
    let first = start.map_or(Ok(Dim::Known(0)), |i| c.dim(i));
    let count = match (first, c.dim(end)) {
        (Ok(first), Ok(end)) if is_one => l.not_negative(Dim::op(DimOp::Sub, end, first))?,
        _ => c.result_sizes(0)?.first().cloned().ok_or_else(|| Error::Internal("a range of rank 0".into()))?,
    };
    // Floats are computed as f64 and rounded once.
    let wide = if dtype.is_float() { DType::F64 } else { DType::I64 };
    let number = |l: &Lower<'c>, i: Option<usize>, otherwise: f64| match i {
        Some(i) => c.scalar(l, i, wide),
        None => l.e.constant(otherwise, l.element(wide)?),
    };
    let (first, step) = (number(l, start, 0.)?, number(l, step, 1.)?);
    let (t, narrow, word) = (l.element(wide)?, l.element(dtype)?, l.e.int_type(64));
    let made = l.computed(&[count], dtype, &mut |e, place| {
        let i = e.one("arith.index_cast", &[place[0]], word, &[])?;
        let value = if dtype.is_float() {
            let i = e.one("arith.sitofp", &[i], t, &[])?;
            e.same("arith.addf", &[first, e.same("arith.mulf", &[step, i])?])?
        } else {
            e.same("arith.addi", &[first, e.same("arith.muli", &[step, i])?])?
        };
        cast(e, value, wide, dtype, narrow)
    })?;
    Ok(vec![Item::Tensor(made)])
}

/// `last` is the argument that says the number of columns.
fn eye<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>, last: usize) -> Result<Vec<Item<'c>>, Error> {
    is_plain(c)?;
    let dtype = c.result_dtype(0)?;
    let sizes = [l.not_negative(c.dim(0)?)?, l.not_negative(c.dim(last)?)?];
    let t = l.element(dtype)?;
    let made = l.computed(&sizes, dtype, &mut |e, place| {
        let same = e.cmpi("eq", place[0], place[1])?;
        e.select(same, e.constant(1., t)?, e.constant(0., t)?)
    })?;
    Ok(vec![Item::Tensor(made)])
}

/// `tril(self, diagonal)` and `triu`: what stands so to the diagonal is kept.
fn triangle<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>, stands: &str) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?;
    if x.rank() < 2 {
        return Error::unsupported("a triangle of fewer than two dimensions");
    }
    let t = l.element(x.dtype)?;
    let word = l.e.int_type(64);
    let diagonal = match c.argument(1) {
        Ok(Item::Number { value, .. }) => *value,
        Ok(_) => l.e.int(c.int(1)?, word)?,
        Err(_) => l.e.int(0, word)?,
    };
    let (rows, columns) = (x.rank() - 2, x.rank() - 1);
    l.only_on_processor = true;
    let index = |e: &Emit<'c>, d: usize| -> Result<V<'c>, Error> {
        let i = e.one("linalg.index", &[], e.index_type(), &[("dim", e.i64_attr(d as i64))])?;
        e.one("arith.index_cast", &[i], word, &[])
    };
    let made = l.elementwise(&[x], &x.sizes, x.dtype, &mut |e, a| {
        let right = e.same("arith.subi", &[index(e, columns)?, index(e, rows)?])?;
        e.select(e.cmpi(stands, right, diagonal)?, a[0], e.constant(0., t)?)
    })?;
    Ok(vec![Item::Tensor(made)])
}

/// The dtype in which sums of a tensor's elements are taken.
pub(crate) fn wide(dtype: DType) -> DType {
    match arithmetic_dtype(dtype) {
        DType::F32 => DType::F64,
        other => other,
    }
}
