//! Decompositions by textbook methods in f64: singular values by one-sided Jacobi rotations, QR by reflections, eigenvalues of Hermitian matrices, and the
//! norms of matrices that are made of them.

use crate::field::norm_of;
use crate::field::with_float_acc;
use crate::field::{Field, column_major, infos, matrices};
use crate::lu::factor;
use sconce_kernels::engine::arguments::one;
use sconce_kernels::engine::arguments::{arg, bool_arg, float_arg, ints_arg, result, tensor_arg};
use sconce_kernels::engine::cast;
use sconce_kernels::engine::compute::Compute;
use sconce_kernels::engine::lanes::{Acc, Lanes, in_order, mask, permute, transposed, wrap};
use sconce_kernels::{Call, Error, Outputs};
use sconce_tensor::{IValue, Sizes, Tensor};
use smallvec::smallvec;

/// Singular values, largest first, of a row-major `m` by `n` matrix.
fn singular_values<T: Field>(data: &[T], m: usize, n: usize) -> Vec<f64> {
    // Columns, of which there shall be no more than rows.
    let mut columns: Vec<Vec<T>> = if n <= m {
        (0..n).map(|j| (0..m).map(|i| data[i * n + j]).collect()).collect()
    } else {
        (0..m).map(|i| data[i * n..(i + 1) * n].to_vec()).collect()
    };
    for _ in 0..60 {
        let mut rotated = false;
        for p in 0..columns.len() {
            for q in p + 1..columns.len() {
                let dot = |a: &[T], b: &[T]| a.iter().zip(b).fold(T::ZERO, |s, (x, y)| s + x.conjugate() * *y);
                let (alpha, beta) = (dot(&columns[p], &columns[p]).real(), dot(&columns[q], &columns[q]).real());
                let gamma = dot(&columns[p], &columns[q]);
                let size = gamma.magnitude();
                if size == 0.0 || size <= 1e-16 * (alpha * beta).sqrt() {
                    continue;
                }
                rotated = true;
                let zeta = (beta - alpha) / (2.0 * size);
                let t = zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
                let c = 1.0 / (1.0 + t * t).sqrt();
                let s = c * t;
                let phase = gamma.scale(1.0 / size);
                let (left, right) = columns.split_at_mut(q);
                for (x, y) in left[p].iter_mut().zip(right[0].iter_mut()) {
                    let y_turned = phase.conjugate() * *y;
                    let (u, v) = (x.scale(c) - y_turned.scale(s), x.scale(s) + y_turned.scale(c));
                    *x = u;
                    *y = v;
                }
            }
        }
        if !rotated {
            break;
        }
    }
    let values: Vec<f64> = columns.iter().map(|c| norm_of(c, 2.0)).collect();
    in_order(values.len(), &|a, b| values[b].total_cmp(&values[a])).into_iter().map(|i| values[i]).collect()
}

/// Which norm of a matrix.
enum MatrixNorm {
    Frobenius,
    Nuclear,
    Order(f64),
}

fn norm_of_matrix<T: Field>(data: &[T], m: usize, n: usize, which: &MatrixNorm) -> Result<f64, Error> {
    let pick = |values: Vec<f64>, largest: bool| {
        values.into_iter().reduce(|a, b| if a.is_nan() || (if largest { a > b } else { a < b }) { a } else { b })
    };
    Ok(match which {
        MatrixNorm::Frobenius => norm_of(data, 2.0),
        MatrixNorm::Nuclear => singular_values(data, m, n).iter().sum(),
        MatrixNorm::Order(p) if p.abs() == 2.0 => {
            let values = singular_values(data, m, n);
            (if *p > 0.0 { values.first() } else { values.last() }).copied().unwrap_or(0.0)
        }
        MatrixNorm::Order(p) if p.abs() == 1.0 || p.is_infinite() => {
            let sums: Vec<f64> = if p.is_infinite() {
                (0..m).map(|i| (0..n).map(|j| data[i * n + j].magnitude()).sum()).collect()
            } else {
                (0..n).map(|j| (0..m).map(|i| data[i * n + j].magnitude()).sum()).collect()
            };
            pick(sums, *p > 0.0).unwrap_or(0.0)
        }
        MatrixNorm::Order(p) => {
            return Err(Error::runtime(format!("linalg.matrix_norm: Order {p} not supported.")));
        }
    })
}

fn matrix_norm_over(call: &Call<'_>, t: &Tensor, dims: &[i64], which: &MatrixNorm) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let dims = if dims.is_empty() { vec![-2, -1] } else { dims.to_vec() };
    let (i, j) = (wrap(dims[0], t.dim())?, wrap(dims[1], t.dim())?);
    let order: Vec<usize> = (0..t.dim()).filter(|d| *d != i && *d != j).chain([i, j]).collect();
    let t = permute(t, &order)?;
    with_float_acc!(t.dtype(), T => {
        let (list, m, n) = matrices::<T>(&t)?;
        let values: Vec<f64> = list.iter().map(|x| norm_of_matrix(x, m, n, which)).collect::<Result<_, _>>()?;
        one(cast::from_vec(values, &sizes, dtype)?)
    })
}

fn named_norm(name: &str) -> Result<MatrixNorm, Error> {
    match name {
        "fro" => Ok(MatrixNorm::Frobenius),
        "nuc" => Ok(MatrixNorm::Nuclear),
        other => Err(Error::runtime(format!("linalg.matrix_norm: Order {other} not supported."))),
    }
}

pub fn matrix_norm(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    matrix_norm_over(call, tensor_arg(args, 0)?, &ints_arg(args, 2)?, &MatrixNorm::Order(float_arg(args, 1)?))
}

pub fn matrix_norm_str(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    matrix_norm_over(call, tensor_arg(args, 0)?, &ints_arg(args, 2)?, &named_norm(arg(args, 1)?.as_str()?)?)
}

pub fn nuclear_norm(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    matrix_norm_over(call, tensor_arg(args, 0)?, &[], &MatrixNorm::Nuclear)
}

pub fn nuclear_norm_dim(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    matrix_norm_over(call, tensor_arg(args, 0)?, &ints_arg(args, 1)?, &MatrixNorm::Nuclear)
}

pub fn norm(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let dims = ints_arg(args, 2)?;
    let order = if arg(args, 1)?.is_none() { None } else { Some(float_arg(args, 1)?) };
    if let Some(p) = order
        && (dims.len() == 2 || (dims.is_empty() && t.dim() == 2))
    {
        return matrix_norm_over(call, t, &dims, &MatrixNorm::Order(p));
    }
    let (sizes, dtype) = result(call.metas, 0)?;
    let p = order.unwrap_or(2.0);
    with_float_acc!(t.dtype(), T => {
        let lanes = Lanes::<T>::over(t, &mask(&dims, t.dim())?)?;
        one(cast::from_vec(lanes.iter().map(|l| norm_of(l, p)).collect(), &sizes, dtype)?)
    })
}

pub fn svdvals(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let t = tensor_arg(args, 0)?;
    with_float_acc!(t.dtype(), T => {
        let (list, m, n) = matrices::<T>(t)?;
        one(cast::from_vec(list.iter().flat_map(|x| singular_values(x, m, n)).collect::<Vec<f64>>(), &sizes, dtype)?)
    })
}

/// Eigenvalues in rising order and eigenvectors (as columns) of a Hermitian matrix, by Jacobi rotations.
fn hermitian_eigen<T: Field>(mut a: Vec<T>, n: usize) -> (Vec<f64>, Vec<T>) {
    let mut v: Vec<T> = (0..n * n).map(|i| T::of(if i % (n + 1) == 0 { 1.0 } else { 0.0 })).collect();
    for _ in 0..60 {
        let off: f64 = (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| a[i * n + j].magnitude()).sum();
        if off == 0.0 || off.is_nan() {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                let g = a[p * n + q];
                let size = g.magnitude();
                if size <= f64::MIN_POSITIVE {
                    continue;
                }
                let phase = g.scale(1.0 / size);
                let theta = (a[q * n + q].real() - a[p * n + p].real()) / (2.0 * size);
                let t = (if theta < 0.0 { -1.0 } else { 1.0 }) / (theta.abs() + (1.0 + theta * theta).sqrt());
                let c = 1.0 / (1.0 + t * t).sqrt();
                let s = c * t;
                // Columns, then rows, of the rotated matrix; the phase makes the pivot real.
                for k in 0..n {
                    let (x, y) = (a[k * n + p], a[k * n + q]);
                    a[k * n + p] = x.scale(c) - (y * phase.conjugate()).scale(s);
                    a[k * n + q] = (x * phase).scale(s) + y.scale(c);
                    let (x, y) = (v[k * n + p], v[k * n + q]);
                    v[k * n + p] = x.scale(c) - (y * phase.conjugate()).scale(s);
                    v[k * n + q] = (x * phase).scale(s) + y.scale(c);
                }
                for k in 0..n {
                    let (x, y) = (a[p * n + k], a[q * n + k]);
                    a[p * n + k] = x.scale(c) - (y * phase).scale(s);
                    a[q * n + k] = (x * phase.conjugate()).scale(s) + y.scale(c);
                }
                a[p * n + q] = T::ZERO;
                a[q * n + p] = T::ZERO;
            }
        }
    }
    let order = in_order(n, &|i, j| a[i * n + i].real().total_cmp(&a[j * n + j].real()));
    let values = order.iter().map(|i| a[i * n + i].real()).collect();
    let vectors = (0..n).flat_map(|r| order.iter().map(move |c| (r, *c))).map(|(r, c)| v[r * n + c]).collect();
    (values, vectors)
}

/// The triangle that counts, as a whole Hermitian matrix.
fn completed<T: Field>(m: &[T], n: usize, upper: bool) -> Vec<T> {
    (0..n * n)
        .map(|i| {
            let (r, c) = (i / n, i % n);
            if r == c {
                T::of(m[i].real())
            } else if (r < c) == upper {
                m[i]
            } else {
                m[c * n + r].conjugate()
            }
        })
        .collect()
}

fn eigen(call: &Call<'_>, args: &[IValue], vectors: bool) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let t = tensor_arg(args, 0)?;
    let upper = arg(args, 1)?.as_str()?.starts_with(['U', 'u']);
    with_float_acc!(t.dtype(), T => {
        let (list, n, _) = matrices::<T>(t)?;
        let (mut values, mut columns) = (Vec::new(), Vec::new());
        for m in list {
            let (w, v) = hermitian_eigen(completed(&m, n, upper), n);
            values.extend(w);
            columns.extend(v);
        }
        let mut out: Outputs = smallvec![IValue::Tensor(cast::from_vec(values, &sizes, dtype)?)];
        if vectors {
            out.push(IValue::Tensor(column_major(&cast::from_vec(columns, t.sizes(), t.dtype())?)?));
        }
        Ok(out)
    })
}

pub fn eigvalsh(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    eigen(call, args, false)
}

pub fn eigh(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    eigen(call, args, true)
}

/// `Q` (`m` by `m`) and `R` (`m` by `n`) by Householder reflections, with LAPACK's signs.
fn householder<T: Field>(mut r: Vec<T>, m: usize, n: usize) -> (Vec<T>, Vec<T>) {
    let mut q: Vec<T> = (0..m * m).map(|i| T::of(if i % (m + 1) == 0 { 1.0 } else { 0.0 })).collect();
    for k in 0..n.min(m) {
        let below: f64 = (k + 1..m).map(|i| r[i * n + k].magnitude().powi(2)).sum();
        let alpha = r[k * n + k];
        if below == 0.0 && alpha.magnitude() == alpha.real().abs() {
            continue;
        }
        let norm = (alpha.magnitude().powi(2) + below).sqrt();
        let beta = if alpha.real() > 0.0 { -norm } else { norm };
        let tau = T::of((beta - alpha.real()) / beta) - (alpha - T::of(alpha.real())).scale(1.0 / beta);
        let scale = T::of(1.0) / (alpha - T::of(beta));
        let v: Vec<T> = (k..m).map(|i| if i == k { T::of(1.0) } else { r[i * n + k] * scale }).collect();
        for j in k..n {
            let dot = (k..m).fold(T::ZERO, |s, i| s + v[i - k].conjugate() * r[i * n + j]);
            for i in k..m {
                r[i * n + j] = r[i * n + j] - tau.conjugate() * v[i - k] * dot;
            }
        }
        for row in 0..m {
            let dot = (k..m).fold(T::ZERO, |s, i| s + q[row * m + i] * v[i - k]);
            for i in k..m {
                q[row * m + i] = q[row * m + i] - tau * dot * v[i - k].conjugate();
            }
        }
        for i in k + 1..m {
            r[i * n + k] = T::ZERO;
        }
    }
    (q, r)
}

pub fn qr(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (q_sizes, dtype) = result(call.metas, 0)?;
    let (r_sizes, _) = result(call.metas, 1)?;
    let t = tensor_arg(args, 0)?;
    with_float_acc!(dtype, T => {
        let (list, m, n) = matrices::<T>(t)?;
        let (mut qs, mut rs) = (Vec::new(), Vec::new());
        let rows = r_sizes[r_sizes.len() - 2] as usize;
        let columns = if q_sizes.len() < 2 { 0 } else { q_sizes[q_sizes.len() - 1] as usize };
        for x in list {
            let (q, r) = householder(x, m, n);
            rs.extend_from_slice(&r[..rows * n]);
            for row in 0..m {
                qs.extend_from_slice(&q[row * m..row * m + columns]);
            }
        }
        let q = cast::from_vec(qs, &q_sizes, dtype)?;
        let q = if q_sizes.len() < 2 { q } else { column_major(&q)? };
        Ok(smallvec![IValue::Tensor(q), IValue::Tensor(column_major(&cast::from_vec(rs, &r_sizes, dtype)?)?)])
    })
}

/// Singular vectors from the eigenvectors of `A^H A` and `A A^H` would lose digits; one-sided rotations keep them.
fn singular_vectors<T: Field>(a: &[T], m: usize, n: usize) -> (Vec<T>, Vec<f64>, Vec<T>) {
    // Q R first, so that the rotations work on a square matrix of the smaller size, and Q completes the basis.
    if m < n {
        let turned: Vec<T> = (0..n * m).map(|i| a[(i % m) * n + i / m].conjugate()).collect();
        let (u, s, vh) = singular_vectors(&turned, n, m);
        let flip = |x: &[T], k: usize| -> Vec<T> { (0..k * k).map(|i| x[(i % k) * k + i / k].conjugate()).collect() };
        return (flip(&vh, m), s, flip(&u, n));
    }
    let (q, r) = householder(a.to_vec(), m, n);
    let square: Vec<T> = r[..n * n].to_vec();
    let gram: Vec<T> = (0..n * n)
        .map(|i| (0..n).fold(T::ZERO, |s, k| s + square[k * n + i / n].conjugate() * square[k * n + i % n]))
        .collect();
    let (_, v) = hermitian_eigen(gram, n);
    // R V has orthogonal columns, whose lengths are the singular values, rising.
    let columns: Vec<(f64, Vec<T>)> = (0..n)
        .map(|c| {
            let x: Vec<T> = (0..n).map(|i| (0..n).fold(T::ZERO, |s, k| s + square[i * n + k] * v[k * n + c])).collect();
            (norm_of(&x, 2.0), x)
        })
        .collect();
    let order = in_order(n, &|a, b| columns[b].0.total_cmp(&columns[a].0));
    let mut basis = vec![T::ZERO; n * n];
    for (c, (size, x)) in order.iter().map(|c| &columns[*c]).enumerate() {
        for (i, x) in x.iter().enumerate() {
            basis[i * n + c] = if *size > 0.0 { x.scale(1.0 / size) } else { T::of(if i == c { 1.0 } else { 0.0 }) };
        }
    }
    let mut u = q.clone();
    for row in 0..m {
        for c in 0..n {
            u[row * m + c] = (0..n).fold(T::ZERO, |s, k| s + q[row * m + k] * basis[k * n + c]);
        }
    }
    let v = &v;
    let vh = order.iter().flat_map(|&c| (0..n).map(move |k| v[k * n + c].conjugate())).collect();
    (u, order.iter().map(|c| columns[*c].0).collect(), vh)
}

pub fn svd(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (u_sizes, dtype) = result(call.metas, 0)?;
    let (s_sizes, real) = result(call.metas, 1)?;
    let (v_sizes, _) = result(call.metas, 2)?;
    let t = tensor_arg(args, 0)?;
    with_float_acc!(dtype, T => {
        let (list, m, n) = matrices::<T>(t)?;
        let (mut us, mut ss, mut vs) = (Vec::new(), Vec::new(), Vec::new());
        let (columns, rows) = (u_sizes[u_sizes.len() - 1] as usize, v_sizes[v_sizes.len() - 2] as usize);
        for x in list {
            let (u, s, vh) = singular_vectors(&x, m, n);
            for row in 0..m {
                us.extend_from_slice(&u[row * m..row * m + columns]);
            }
            ss.extend_from_slice(&s[..m.min(n)]);
            vs.extend_from_slice(&vh[..rows * n]);
        }
        Ok(smallvec![
            IValue::Tensor(column_major(&cast::from_vec(us, &u_sizes, dtype)?)?),
            IValue::Tensor(cast::from_vec(ss, &s_sizes, real)?),
            IValue::Tensor(column_major(&cast::from_vec(vs, &v_sizes, dtype)?)?)
        ])
    })
}

/// Factors, pivots, and where asked for the flags.
pub fn lu_factor(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let (pivot_sizes, _) = result(call.metas, 1)?;
    with_float_acc!(dtype, T => {
        let (list, m, n) = matrices::<T>(tensor_arg(args, 0)?)?;
        let (mut data, mut all, mut flags) = (Vec::new(), Vec::new(), Vec::new());
        for mut x in list {
            let (pivots, flag) = factor(&mut x, m, n);
            data.extend(x);
            all.extend(pivots);
            flags.push(flag);
        }
        // Only the form that hands on what went wrong gives factors that cannot be solved with, unless it is told to look.
        let checks = call.metas.len() <= 2 || bool_arg(args, 2)?;
        if let Some((b, at)) = flags.iter().enumerate().find(|(_, at)| checks && **at != 0) {
            let place = if sizes.len() > 2 { format!("(Batch element {b}): ") } else { String::new() };
            return Err(Error::runtime(format!(
                "torch.linalg.lu_factor: {place}U[{at},{at}] is zero and using it on lu_solve would result in a division by zero. If you \
                 still want to perform the factorization, consider calling linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)"
            )));
        }
        let lu = column_major(&cast::from_vec(data, &sizes, dtype)?)?;
        let mut out: Outputs = smallvec![IValue::Tensor(lu), infos(&pivot_sizes, all)?];
        if call.metas.len() > 2 {
            out.push(infos(&result(call.metas, 2)?.0, flags)?);
        }
        Ok(out)
    })
}

pub fn solve_triangular(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let (upper, left, unit) = (bool_arg(args, 2)?, bool_arg(args, 3)?, bool_arg(args, 4)?);
    let (a, b) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let batch = &sizes[..sizes.len() - 2];
    let expand = |t: &Tensor| {
        let mut s: Sizes = batch.into();
        s.extend_from_slice(&t.sizes()[t.dim() - 2..]);
        t.expand(&s)
    };
    let (mut a, mut b) = (expand(a)?, expand(b)?);
    // X A = B is A^T X^T = B^T.
    let upper = if left { upper } else { !upper };
    if !left {
        (a, b) = (transposed(&a)?, transposed(&b)?);
    }
    with_float_acc!(dtype, T => {
        let (list, n, _) = matrices::<T>(&a)?;
        let (rights, _, columns) = matrices::<T>(&b)?;
        let mut data = Vec::new();
        for (m, mut x) in list.into_iter().zip(rights) {
            let order: Vec<usize> = if upper { (0..n).rev().collect() } else { (0..n).collect() };
            for (done, &i) in order.iter().enumerate() {
                for c in 0..columns {
                    let mut v = x[i * columns + c];
                    for &k in &order[..done] {
                        v -= m[i * n + k] * x[k * columns + c];
                    }
                    x[i * columns + c] = if unit { v } else { v / m[i * n + i] };
                }
            }
            data.extend(x);
        }
        let x = cast::from_vec(data, b.sizes(), dtype)?;
        one(if left { column_major(&x)? } else { transposed(&x)? })
    })
}

/// The exponential of every matrix: a Taylor series of the matrix scaled down, squared back.
pub fn matrix_exp(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    with_float_acc!(t.dtype(), T => {
        let (list, n, _) = matrices::<T>(t)?;
        let multiply = |a: &[T], b: &[T]| -> Vec<T> {
            (0..n * n).map(|i| (0..n).fold(T::ZERO, |s, k| s + a[i / n * n + k] * b[k * n + i % n])).collect()
        };
        let mut data = Vec::new();
        for m in list {
            let size: f64 = m.iter().map(|x| x.magnitude()).sum();
            let halvings = if size.is_finite() { (size.log2().ceil() + 4.0).clamp(0.0, 60.0) as i32 } else { 0 };
            let small: Vec<T> = m.iter().map(|x| x.scale(0.5f64.powi(halvings))).collect();
            let mut term: Vec<T> = (0..n * n).map(|i| T::of(if i % (n + 1) == 0 { 1.0 } else { 0.0 })).collect();
            let mut sum = term.clone();
            for k in 1..20 {
                term = multiply(&term, &small).into_iter().map(|x| x.scale(1.0 / f64::from(k))).collect();
                sum = sum.iter().zip(&term).map(|(a, b)| *a + *b).collect();
            }
            for _ in 0..halvings {
                sum = multiply(&sum, &sum);
            }
            data.extend(sum);
        }
        one(cast::from_vec(data, t.sizes(), t.dtype())?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_multiply_back() {
        let a = [1.0, 2.0, 3.0, -4.0, 5.0, 6.0];
        for (m, n) in [(2, 3), (3, 2)] {
            let (u, s, vh) = singular_vectors(&a, m, n);
            let (q, r) = householder(a.to_vec(), m, n);
            for i in 0..m {
                for j in 0..n {
                    let svd: f64 = (0..m.min(n)).map(|k| u[i * m + k] * s[k] * vh[k * n + j]).sum();
                    let qr: f64 = (0..m).map(|k| q[i * m + k] * r[k * n + j]).sum();
                    assert!((svd - a[i * n + j]).abs() < 1e-12, "svd {m}x{n} {i} {j}");
                    assert!((qr - a[i * n + j]).abs() < 1e-12, "qr {m}x{n} {i} {j}");
                }
            }
        }
    }
}
