//! Square matrices factored in f64, by LU with partial pivoting and by Cholesky: inverses, determinants, solutions.

use crate::field::with_float_acc;
use crate::field::{Field, column_major, infos, matrices};
use num_complex::Complex;
use sconce_kernels::engine::arguments::{bool_arg, int_arg, one, result, tensor_arg};
use sconce_kernels::engine::cast;
use sconce_kernels::engine::compose::tensor as op;
use sconce_kernels::engine::compute::Compute;
use sconce_kernels::engine::lanes::{Acc, reshape, transposed};
use sconce_kernels::{Call, Error, Outputs};
use sconce_schema::shape::Size;
use sconce_tensor::{DType, IValue, Sizes, Tensor};
use smallvec::smallvec;

/// Factors a row-major `m` by `n` matrix as `P A = L U` in place; the 1-based row that each row was exchanged with, as LAPACK's `getrf` has them, and the 1-based
/// place of the first zero on the diagonal, 0 if there is none.
pub(crate) fn factor<T: Field>(a: &mut [T], m: usize, n: usize) -> (Vec<i64>, i64) {
    let (mut pivots, mut flag) = (Vec::new(), 0);
    for k in 0..m.min(n) {
        let mut pivot = k;
        for i in k + 1..m {
            if a[i * n + k].magnitude() > a[pivot * n + k].magnitude() {
                pivot = i;
            }
        }
        pivots.push(pivot as i64 + 1);
        for j in 0..n {
            a.swap(k * n + j, pivot * n + j);
        }
        let p = a[k * n + k];
        if p == T::ZERO {
            flag = if flag == 0 { k as i64 + 1 } else { flag };
            continue;
        }
        for i in k + 1..m {
            let f = a[i * n + k] / p;
            a[i * n + k] = f;
            for j in k + 1..n {
                let u = a[k * n + j];
                a[i * n + j] = a[i * n + j] - f * u;
            }
        }
    }
    (pivots, flag)
}

/// A row-major square matrix factored as `P A = L U` in place; `swaps` counts the row exchanges.
struct Lu<T> {
    n: usize,
    data: Vec<T>,
    rows: Vec<usize>,
    swaps: usize,
}

impl<T: Field> Lu<T> {
    fn new(mut data: Vec<T>, n: usize) -> Lu<T> {
        let (pivots, _) = factor(&mut data, n, n);
        let mut rows: Vec<usize> = (0..n).collect();
        let mut swaps = 0;
        for (k, pivot) in pivots.into_iter().map(|p| p as usize - 1).enumerate() {
            rows.swap(k, pivot);
            swaps += usize::from(pivot != k);
        }
        Lu { n, data, rows, swaps }
    }
    fn diagonal(&self) -> impl Iterator<Item = T> {
        (0..self.n).map(|i| self.data[i * self.n + i])
    }
    fn det(&self) -> T {
        let sign = T::of(if self.swaps.is_multiple_of(2) { 1.0 } else { -1.0 });
        self.diagonal().fold(sign, |a, b| a * b)
    }
    /// 1-based position of the first zero on the diagonal.
    fn singular(&self) -> Option<usize> {
        self.diagonal().position(|d| d == T::ZERO).map(|i| i + 1)
    }
    /// Solves `A X = B` for row-major `b` of `columns` columns.
    fn solve(&self, b: &[T], columns: usize) -> Vec<T> {
        let n = self.n;
        let mut x: Vec<T> = Vec::with_capacity(b.len());
        for &r in &self.rows {
            x.extend_from_slice(&b[r * columns..(r + 1) * columns]);
        }
        for i in 0..n {
            for k in 0..i {
                let f = self.data[i * n + k];
                for c in 0..columns {
                    x[i * columns + c] = x[i * columns + c] - f * x[k * columns + c];
                }
            }
        }
        for i in (0..n).rev() {
            for k in i + 1..n {
                let f = self.data[i * n + k];
                for c in 0..columns {
                    x[i * columns + c] = x[i * columns + c] - f * x[k * columns + c];
                }
            }
            for c in 0..columns {
                x[i * columns + c] = x[i * columns + c] / self.data[i * n + i];
            }
        }
        x
    }
}

fn singular_error(what: &str, batch: Option<usize>, at: usize) -> Error {
    let place = batch.map_or(String::new(), |b| format!("(Batch element {b}): "));
    let message = match what {
        "linalg.inv" => format!(
            "{what}: {place}The diagonal element {at} is zero, the inversion could not be completed because the input matrix is singular."
        ),
        "linalg.cholesky" => format!(
            "{what}: {place}The factorization could not be completed because the input is not positive-definite (the leading minor of order {at} is not positive-definite)."
        ),
        _ => format!("{what}: {place}The solver failed because the input matrix is singular."),
    };
    Error::Raised { class: "_LinAlgError", message }
}

/// The inverse of every matrix, column-major.
pub fn inverse(t: &Tensor, what: &str) -> Result<Tensor, Error> {
    with_float_acc!(t.dtype(), T => {
        let (list, n, _) = matrices::<T>(t)?;
        let unit: Vec<T> = (0..n * n).map(|i| T::of(if i % (n + 1) == 0 { 1.0 } else { 0.0 })).collect();
        let mut data = Vec::new();
        for (b, m) in list.into_iter().enumerate() {
            let lu = Lu::new(m, n);
            if let Some(at) = lu.singular() {
                return Err(singular_error(what, (t.dim() > 2).then_some(b), at));
            }
            data.extend(lu.solve(&unit, n));
        }
        column_major(&cast::from_vec(data, t.sizes(), t.dtype())?)
    })
}

/// Unit matrices of these sizes.
pub fn identity(sizes: &[i64], dtype: DType) -> Result<Tensor, Error> {
    let n = sizes[sizes.len() - 1];
    let unit: Vec<i64> = (0..n * n).map(|i| i64::from(i % (n + 1) == 0)).collect();
    let count: i64 = sizes[..sizes.len() - 2].iter().product();
    cast::from_vec(unit.repeat(count as usize), sizes, dtype)
}

pub fn inv(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    one(inverse(tensor_arg(args, 0)?, "linalg.inv")?)
}

pub fn det(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    with_float_acc!(dtype, T => {
        let (list, n, _) = matrices::<T>(tensor_arg(args, 0)?)?;
        one(cast::from_vec(list.into_iter().map(|m| Lu::new(m, n).det()).collect(), &sizes, dtype)?)
    })
}

pub fn slogdet(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let (_, real) = result(call.metas, 1)?;
    with_float_acc!(dtype, T => {
        let (list, n, _) = matrices::<T>(tensor_arg(args, 0)?)?;
        let (mut signs, mut logs) = (Vec::new(), Vec::new());
        for m in list {
            let lu = Lu::new(m, n);
            let mut sign = T::of(if lu.swaps.is_multiple_of(2) { 1.0 } else { -1.0 });
            let mut log = 0.0;
            for d in lu.diagonal() {
                let size = d.magnitude();
                // The sign of what is no real number is zero; that of a complex one is none either.
                let signless = size == 0.0 || (size.is_nan() && !dtype.is_complex());
                sign = if signless { T::ZERO } else { sign * d.scale(1.0 / size) };
                log += size.ln();
            }
            signs.push(sign);
            logs.push(log);
        }
        Ok(smallvec![
            IValue::Tensor(cast::from_vec(signs, &sizes, dtype)?),
            IValue::Tensor(cast::from_vec(logs, &sizes, real)?)
        ])
    })
}

pub fn cholesky(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    cholesky_factors(call, args, true).map(|(out, _)| out)
}

/// The factors, and for each matrix the order of the minor that is not positive-definite, which is an error if one `check`s: from there on
/// the matrix stays as it is.
fn cholesky_factors(call: &Call<'_>, args: &[IValue], check: bool) -> Result<(Outputs, Vec<i64>), Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let t = tensor_arg(args, 0)?;
    let upper = bool_arg(args, 1)?;
    let mut flags = Vec::new();
    with_float_acc!(dtype, T => {
        // Only one triangle is read.
        let source = if upper { transposed(t)? } else { t.clone() };
        let (list, n, _) = matrices::<T>(&source)?;
        let mut data = Vec::new();
        for (b, m) in list.into_iter().enumerate() {
            let m: Vec<T> = if upper { m.into_iter().map(Field::conjugate).collect() } else { m };
            let mut l = vec![T::ZERO; n * n];
            (0..n).for_each(|i| l[i * n..=i * n + i].copy_from_slice(&m[i * n..=i * n + i]));
            flags.push(0);
            'columns: for j in 0..n {
                for i in j..n {
                    let mut sum = m[i * n + j];
                    for k in 0..j {
                        sum -= l[i * n + k] * l[j * n + k].conjugate();
                    }
                    if i == j {
                        let d = sum.real();
                        if d.is_nan() || d <= 0.0 {
                            if check {
                                return Err(singular_error("linalg.cholesky", (t.dim() > 2).then_some(b), j + 1));
                            }
                            flags[b] = j as i64 + 1;
                            l[i * n + i] = T::of(d);
                            break 'columns;
                        }
                        l[i * n + i] = T::of(d.sqrt());
                    } else {
                        l[i * n + j] = sum / l[j * n + j];
                    }
                }
            }
            data.extend(l);
        }
        let l = cast::from_vec(data, &sizes, dtype)?;
        if !upper {
            return Ok((one(column_major(&l)?)?, flags));
        }
        // U = conj(L)^T, column by column: that is conj(L) row by row.
        let conjugate: Vec<T> = cast::to_vec::<T>(&l)?.into_iter().map(Field::conjugate).collect();
        Ok((one(transposed(&cast::from_vec(conjugate, &sizes, dtype)?)?)?, flags))
    })
}

pub fn solve(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    solutions(call, args, true).map(|(out, _)| out)
}

/// The solutions, and for each matrix which diagonal element of its triangle is zero, which is an error if one `check`s.
fn solutions(call: &Call<'_>, args: &[IValue], check: bool) -> Result<(Outputs, Vec<i64>), Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let (a, b) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let left = bool_arg(args, 2)?;
    let known = |t: &Tensor| t.sizes().iter().map(|&s| Size::Known(s)).collect::<Vec<_>>();
    let vector = sconce_schema::shape::linalg::solves_vector(&known(a), &known(b));
    let b = if vector {
        let mut s: Sizes = b.sizes().into();
        s.push(1);
        reshape(b, &s)?
    } else {
        b.clone()
    };
    let batch = sconce_tensor::broadcast_sizes(&a.sizes()[..a.dim() - 2], &b.sizes()[..b.dim() - 2])?;
    let expand = |t: &Tensor| {
        let mut s = batch.clone();
        s.extend_from_slice(&t.sizes()[t.dim() - 2..]);
        t.expand(&s)
    };
    let (mut a, mut b) = (expand(a)?, expand(&b)?);
    if !left && !vector {
        (a, b) = (transposed(&a)?, transposed(&b)?);
    }
    with_float_acc!(dtype, T => {
        let (list, n, _) = matrices::<T>(&a)?;
        let (rights, _, columns) = matrices::<T>(&b)?;
        let (mut data, mut flags) = (Vec::new(), Vec::new());
        for (i, (m, r)) in list.into_iter().zip(rights).enumerate() {
            let lu = Lu::new(m, n);
            let at = lu.singular();
            if let (Some(at), true) = (at, check) {
                return Err(singular_error("linalg.solve", (a.dim() > 2).then_some(i), at));
            }
            flags.push(at.unwrap_or(0) as i64);
            data.extend(lu.solve(&r, columns));
        }
        let x = cast::from_vec(data, b.sizes(), dtype)?;
        // LAPACK's layout: the solution's columns lie side by side.
        let out = match vector {
            true => reshape(&x, &sizes)?,
            false if left => column_major(&x)?,
            false => transposed(&x)?,
        };
        Ok((one(out)?, flags))
    })
}

/// The inverses and where each matrix was found singular (0: nowhere).
pub fn inv_ex(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (batch, _) = result(call.metas, 1)?;
    let t = tensor_arg(args, 0)?;
    let check = bool_arg(args, 1)?;
    with_float_acc!(t.dtype(), T => {
        let (list, n, _) = matrices::<T>(t)?;
        let unit: Vec<T> = (0..n * n).map(|i| T::of(if i % (n + 1) == 0 { 1.0 } else { 0.0 })).collect();
        let (mut data, mut flags) = (Vec::new(), Vec::new());
        for (b, m) in list.into_iter().enumerate() {
            let lu = Lu::new(m, n);
            let at = lu.singular();
            if let (Some(at), true) = (at, check) {
                return Err(singular_error("linalg.inv", (t.dim() > 2).then_some(b), at));
            }
            flags.push(at.unwrap_or(0) as i64);
            data.extend(lu.solve(&unit, n));
        }
        let inverse = column_major(&cast::from_vec(data, t.sizes(), t.dtype())?)?;
        Ok(smallvec![IValue::Tensor(inverse), infos(&batch, flags)?])
    })
}

pub fn cholesky_ex(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (batch, _) = result(call.metas, 1)?;
    let (mut out, flags) = cholesky_factors(call, args, bool_arg(args, 2)?)?;
    out.push(infos(&batch, flags)?);
    Ok(out)
}

pub fn solve_ex(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (batch, _) = result(call.metas, 1)?;
    let (mut out, mut flags) = solutions(call, args, bool_arg(args, 3)?)?;
    // One matrix may be solved for many right sides.
    flags.truncate(sconce_kernels::engine::lanes::count(&batch));
    out.push(infos(&batch, flags)?);
    Ok(out)
}

pub fn logdet(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let t = tensor_arg(args, 0)?;
    if dtype.is_complex() {
        let (list, n, _) = matrices::<Complex<f64>>(t)?;
        return one(cast::from_vec(list.into_iter().map(|m| Lu::new(m, n).det().ln()).collect(), &sizes, dtype)?);
    }
    let (list, n, _) = matrices::<f64>(t)?;
    one(cast::from_vec(list.into_iter().map(|m| Lu::new(m, n).det().ln()).collect(), &sizes, dtype)?)
}

pub fn linalg_matrix_power(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let n = int_arg(args, 1)?;
    let mut base = if n < 0 { inverse(t, "linalg.inv")? } else { t.contiguous()? };
    if n == -1 {
        // The inverse itself, column by column as it was solved for.
        return one(base);
    }
    let mut left = n.unsigned_abs();
    let mut power: Option<Tensor> = None;
    while left > 0 {
        if left & 1 == 1 {
            power = Some(match power {
                Some(p) => op("aten::matmul", &[p.into(), base.clone().into()])?,
                None => base.copy()?,
            });
        }
        left >>= 1;
        if left > 0 {
            base = op("aten::matmul", &[base.clone().into(), base.into()])?;
        }
    }
    one(match power {
        Some(p) => p,
        None => identity(t.sizes(), t.dtype())?,
    })
}
