//! Products: named linalg contractions, whose indexing maps read transposed operands in place.

use crate::emit::{Emit, V};
use crate::lower::{Call, Item, Lower, Sizes, TensorValue};
use crate::view::{expanded, permuted, reshaped, with_unit};
use crate::{Error, Lowering};
use sconce_analysis::Constant;
use sconce_exec::{Dim, DimOp};
use sconce_ir::affine::Places;
use sconce_ir::attr::FastMath;
use sconce_schema::geometry::product::ROWS_OF_DOTS;
use sconce_schema::{DType, OpId, ops};

pub(crate) const OPS: &[(OpId, Lowering)] = &[
    (ops::aten::mm, matmul_op),
    (ops::aten::bmm, matmul_op),
    (ops::aten::mv, matmul_op),
    (ops::aten::dot, matmul_op),
    (ops::aten::matmul, matmul_op),
    (ops::aten::addmm, addmm),
    (ops::aten::addmv, addmm),
    (ops::aten::baddbmm, addmm),
    (ops::aten::linear, linear),
];

/// Rows of a product with which the tiles of compiled code keep up with the runtime's kernel: one alone is streamed there, more than these read packed panels.
const FEW_ROWS: std::ops::RangeInclusive<i64> = 2..=ROWS_OF_DOTS as i64;

/// The type products are summed in.
pub(crate) fn sum_dtype(dtype: DType) -> DType {
    match dtype {
        DType::F16 | DType::BF16 => DType::F32,
        other => other,
    }
}

pub(crate) fn multiply_add<'c>(
    e: &Emit<'c>,
    a: &[V<'c>],
    from: DType,
    dtype: DType,
    l: &Lower<'c>,
) -> Result<Vec<V<'c>>, Error> {
    let t = l.element(dtype)?;
    let (x, y) = (crate::scalar::cast(e, a[0], from, dtype, t)?, crate::scalar::cast(e, a[1], from, dtype, t)?);
    let (mul, add) = if dtype.is_float() { ("arith.mulf", "arith.addf") } else { ("arith.muli", "arith.addi") };
    if !dtype.is_float() {
        return Ok(vec![e.same(add, &[a[2], e.same(mul, &[x, y])?])?]);
    }
    // The order of the partial sums is free, as it is in every library, and a product need not be rounded before it is added: LLVM wants to read that of both.
    let flags = ("fastmath", e.fast_math(FastMath { reassociates: true, contracts: true, numbers: false }));
    let product = e.one(mul, &[x, y], t, &[flags])?;
    Ok(vec![e.one(add, &[a[2], product], t, &[flags])?])
}

/// A matrix operand and the loops that its dimensions are read by: the untransposed original if only the last two are exchanged.
fn operand<'c>(t: &TensorValue<'c>, dims: &[usize]) -> (V<'c>, Places) {
    let n = dims.len();
    let mut places: Places = dims.iter().copied().map(Some).collect();
    if let Some((base, order)) = &t.permuted {
        let swapped = order.iter().enumerate().all(|(i, d)| {
            *d == match n - i {
                1 => n - 2,
                2 => n - 1,
                _ => i,
            }
        });
        if swapped {
            places.swap(n - 2, n - 1);
            return (base.value, places);
        }
    }
    (t.value, places)
}

/// `[m, k] x [k, n]`, or with one leading batch dimension each.
fn product<'c>(l: &mut Lower<'c>, a: &TensorValue<'c>, b: &TensorValue<'c>) -> Result<TensorValue<'c>, Error> {
    if a.dtype != b.dtype || a.dtype == DType::Bool {
        return Error::unsupported(format!("a product of {} and {}", a.dtype, b.dtype));
    }
    let batch = a.rank() == 3;
    let (m, k) = (a.sizes[a.rank() - 2], a.sizes[a.rank() - 1]);
    let n = b.sizes[b.rank() - 1];
    l.equal(&k, &b.sizes[b.rank() - 2])?;
    let mut sizes = Sizes::new();
    if batch {
        let first = l.equal(&a.sizes[0], &b.sizes[0])?;
        sizes.push(first);
    }
    sizes.extend([m, n]);
    // Weights that few rows meet stream through once: tiles do that as fast as the kernel, and what follows is fused with them.
    if batch || !m.known().is_some_and(|rows| FEW_ROWS.contains(&rows)) {
        l.kernel_does_better(sizes.iter().chain([&k]));
    }
    let dtype = sum_dtype(a.dtype);
    let zero = l.e.constant(0., l.element(dtype)?)?;
    let out = l.filled(&sizes, dtype, zero)?;
    let (name, loops, dims): (_, _, [&[usize]; 3]) = if batch {
        ("linalg.batch_matmul", 4, [&[0, 1, 3], &[0, 3, 2], &[0, 1, 2]])
    } else {
        ("linalg.matmul", 3, [&[0, 2], &[2, 1], &[0, 1]])
    };
    let (x, x_map) = operand(a, dims[0]);
    let (y, y_map) = operand(b, dims[1]);
    let out_map: Places = dims[2].iter().copied().map(Some).collect();
    let maps = [l.e.map(loops, &x_map), l.e.map(loops, &y_map), l.e.map(loops, &out_map)];
    let reader: &Lower<'c> = l;
    let value = reader
        .e
        .structured(name, &[x, y], &[out], &maps, None, &mut |e, v| multiply_add(e, v, a.dtype, dtype, reader))?[0];
    l.cast(&TensorValue::new(value, sizes, dtype), a.dtype)
}

/// `torch.matmul`: vectors become matrices, batch dimensions broadcast.
pub(crate) fn matmul<'c>(
    l: &mut Lower<'c>,
    a: &TensorValue<'c>,
    b: &TensorValue<'c>,
) -> Result<TensorValue<'c>, Error> {
    if a.rank() == 0 || b.rank() == 0 {
        return Error::unsupported("a product with a tensor of rank 0");
    }
    if a.rank() == 1 || b.rank() == 1 {
        let (row, column) = (a.rank() == 1, b.rank() == 1);
        let wide_a = if row { with_unit(l, a, 0)? } else { a.clone() };
        // A column as a row that is turned: both sides are then read along what is summed.
        let wide_b = if column {
            let row = with_unit(l, b, 0)?;
            permuted(l, &row, &[1, 0])?
        } else {
            b.clone()
        };
        let c = matmul(l, &wide_a, &wide_b)?;
        let rank = c.rank();
        let sizes: Sizes = (c.sizes.iter().enumerate())
            .filter(|(i, _)| !(row && *i == rank - 2 || column && *i == rank - 1))
            .map(|(_, d)| *d)
            .collect();
        return reshaped(l, &c, &sizes);
    }
    if a.rank() == 2 && b.rank() == 2 || a.rank() == 3 && b.rank() == 3 && a.sizes[0] == b.sizes[0] {
        return product(l, a, b);
    }
    let (outer_a, outer_b) = (&a.sizes[..a.rank() - 2], &b.sizes[..b.rank() - 2]);
    let flat = |outer: &[Dim]| outer.iter().fold(Dim::Known(1), |x, y| Dim::op(DimOp::Mul, x, *y));
    if b.rank() == 2 {
        // One matrix for all: the rows of all batches are rows of one product.
        let (m, k) = (&a.sizes[a.rank() - 2], &a.sizes[a.rank() - 1]);
        let rows = Dim::op(DimOp::Mul, flat(outer_a), *m);
        let tall = reshaped(l, a, &[rows, *k])?;
        let c = product(l, &tall, b)?;
        let mut sizes: Sizes = a.sizes[..a.rank() - 1].into();
        sizes.push(b.sizes[1]);
        return reshaped(l, &c, &sizes);
    }
    let outer = l.broadcast(&[outer_a, outer_b])?;
    let three = |l: &mut Lower<'c>, t: &TensorValue<'c>| {
        let inner = &t.sizes[t.rank() - 2..];
        let mut full = outer.clone();
        full.extend(inner.iter().cloned());
        let t = expanded(l, t, &full)?;
        reshaped(l, &t, &[flat(&outer), inner[0], inner[1]])
    };
    let (x, y) = (three(l, a)?, three(l, b)?);
    let c = product(l, &x, &y)?;
    let mut sizes = outer.clone();
    sizes.extend(c.sizes[1..].iter().cloned());
    reshaped(l, &c, &sizes)
}

fn matmul_op<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    Ok(vec![Item::Tensor(matmul(l, c.tensor(0)?, c.tensor(1)?)?)])
}

/// `beta * input + alpha * product`
fn addmm<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let input = c.tensor(0)?;
    let product = matmul(l, c.tensor(1)?, c.tensor(2)?)?;
    if input.dtype != product.dtype {
        return Error::unsupported("addmm of different dtypes");
    }
    let number = |i: usize| match c.constant(i)? {
        Constant::None => Ok(1.),
        _ => c.float(i),
    };
    let (beta, alpha) = (number(3)?, number(4)?);
    let dtype = product.dtype;
    let wide = crate::scalar::arithmetic_dtype(dtype);
    if !dtype.is_float() && (beta.fract() != 0. || alpha.fract() != 0.) {
        return Error::unsupported("addmm of integers with fractions");
    }
    let (t, narrow) = (l.element(wide)?, l.element(dtype)?);
    let (mul, add) = if dtype.is_float() { ("arith.mulf", "arith.addf") } else { ("arith.muli", "arith.addi") };
    let sizes = product.sizes.clone();
    let shape = l.broadcast(&[&input.sizes, &sizes])?;
    if shape.len() != sizes.len() {
        return Error::unsupported("addmm with an input of a higher rank than the product");
    }
    let scaled = |e: &Emit<'c>, v: V<'c>, by: f64| {
        let v = crate::scalar::cast(e, v, dtype, wide, t)?;
        if by == 1. { Ok(v) } else { e.same(mul, &[v, e.constant(by, t)?]) }
    };
    let operands: &[&TensorValue<'c>] = if beta == 0. { &[&product] } else { &[&product, input] };
    let out = l.elementwise(operands, &sizes, dtype, &mut |e, a| {
        let mut v = scaled(e, a[0], alpha)?;
        if a.len() > 2 {
            v = e.same(add, &[scaled(e, a[1], beta)?, v])?;
        }
        crate::scalar::cast(e, v, wide, dtype, narrow)
    })?;
    Ok(vec![Item::Tensor(out)])
}

fn linear<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let (x, weight) = (c.tensor(0)?, c.tensor(1)?);
    let transposed = match weight.rank() {
        2 => permuted(l, weight, &[1, 0])?,
        1 => weight.clone(),
        _ => return Error::unsupported("linear with a weight of more than two dimensions"),
    };
    let product = matmul(l, x, &transposed)?;
    let Some(bias) = c.optional_tensor(2)? else { return Ok(vec![Item::Tensor(product)]) };
    let dtype = product.dtype;
    if bias.dtype != dtype || bias.rank() > product.rank() {
        return Error::unsupported("linear with a bias of another dtype or a higher rank");
    }
    let sizes = l.broadcast(&[&product.sizes, &bias.sizes])?;
    let wide = crate::scalar::arithmetic_dtype(dtype);
    let (t, narrow) = (l.element(wide)?, l.element(dtype)?);
    let out = l.elementwise(&[&product, bias], &sizes, dtype, &mut |e, a| {
        let x = crate::scalar::cast(e, a[0], dtype, wide, t)?;
        let y = crate::scalar::cast(e, a[1], dtype, wide, t)?;
        let sum = e.same(if dtype.is_float() { "arith.addf" } else { "arith.addi" }, &[x, y])?;
        crate::scalar::cast(e, sum, wide, dtype, narrow)
    })?;
    Ok(vec![Item::Tensor(out)])
}
