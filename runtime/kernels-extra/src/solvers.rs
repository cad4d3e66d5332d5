//! Linear algebra made of other operators: ranks, pseudo-inverses, solutions from factors, and products of reflections.

use crate::field::with_float_acc;
use crate::field::{Field, column_major, matrices};
use crate::lu::identity;
use sconce_kernels::engine::arguments::{bool_arg, one, result, tensor_arg};
use sconce_kernels::engine::cast;
use sconce_kernels::engine::compose::tensor as op;
use sconce_kernels::engine::lanes::count;
use sconce_kernels::{Call, Error, Outputs};
use sconce_tensor::{DType, IValue, Sizes, Tensor};
use smallvec::smallvec;

fn v(t: &Tensor) -> IValue {
    IValue::Tensor(t.clone())
}

/// `[rows, columns]` of a matrix.
fn extent(t: &Tensor) -> Result<(i64, i64), Error> {
    match t.sizes() {
        [.., m, n] => Ok((*m, *n)),
        _ => Err(Error::runtime("linalg: The input tensor A must have at least 2 dimensions.")),
    }
}

/// The rows' order that a list of exchanges makes, for each matrix of a batch.
fn permutation(pivots: &[i64], rows: usize) -> Result<Vec<usize>, Error> {
    let mut order: Vec<usize> = (0..rows).collect();
    for (i, p) in pivots.iter().enumerate() {
        if *p < 1 || *p as usize > rows || i >= rows {
            return Err(Error::runtime(
                "pivots passed to lu_unpack must be between 1 and LU.size(-2) inclusive.Did you properly pass the \
                 result of lu_factor?",
            ));
        }
        order.swap(i, *p as usize - 1);
    }
    Ok(order)
}

/// `P` with `P L U = A`.
fn permutation_matrix(pivots: &Tensor, rows: i64, dtype: DType) -> Result<Tensor, Error> {
    let mut sizes: Sizes = pivots.sizes()[..pivots.dim() - 1].into();
    let (n, m) = (pivots.sizes()[pivots.dim() - 1] as usize, rows as usize);
    let all = cast::to_vec::<i64>(pivots)?;
    let mut data = Vec::new();
    for b in 0..count(&sizes) {
        let mut matrix = vec![0i64; m * m];
        let order = permutation(&all[b * n..(b + 1) * n], m)?;
        order.into_iter().enumerate().for_each(|(i, from)| matrix[from * m + i] = 1);
        data.extend(matrix);
    }
    sizes.extend([rows, rows]);
    cast::from_vec(data, &sizes, dtype)
}

/// `L` with a unit diagonal and `U`, of a rectangle that holds both.
fn triangles(lu: &Tensor) -> Result<(Tensor, Tensor), Error> {
    let (m, n) = extent(lu)?;
    let k = m.min(n);
    let part =
        |dim: i64| op("aten::slice.Tensor", &[v(lu), IValue::Int(dim), IValue::Int(0), IValue::Int(k), IValue::Int(1)]);
    let lower = op("aten::tril", &[part(-1)?.into(), IValue::Int(-1)])?;
    let unit = identity(&[k.max(m), k.max(m)], lu.dtype())?;
    let unit =
        op("aten::slice.Tensor", &[unit.into(), IValue::Int(-1), IValue::Int(0), IValue::Int(k), IValue::Int(1)])?;
    let lower = op("aten::add.Tensor", &[lower.into(), unit.into()])?;
    Ok((lower.contiguous()?, op("aten::triu", &[part(-2)?.into()])?.contiguous()?))
}

pub fn lu_unpack(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (data, pivots) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let (unpack, permute) = (bool_arg(args, 2)?, bool_arg(args, 3)?);
    let empty = |i: usize| -> Result<Tensor, Error> {
        Tensor::zeros(&result(call.metas, i)?.0, data.dtype()).map_err(Error::from)
    };
    let (m, _) = extent(data)?;
    let p = if permute { permutation_matrix(pivots, m, data.dtype())? } else { empty(0)? };
    let (l, u) = if unpack { triangles(data)? } else { (empty(1)?, empty(2)?) };
    Ok(smallvec![p.into(), l.into(), u.into()])
}

/// Reflections `H = I - tau v v^H`, stored below a matrix's diagonal, applied to another from one side.
struct Reflections<T> {
    m: usize,
    /// Columns of `v`, each of length `m`, with the leading one.
    columns: Vec<Vec<T>>,
    tau: Vec<T>,
}

impl<T: Field> Reflections<T> {
    fn new(a: &[T], m: usize, n: usize, tau: &[T]) -> Reflections<T> {
        let column = |k: usize| -> Vec<T> {
            (0..m)
                .map(|i| {
                    if i < k {
                        T::ZERO
                    } else if i == k {
                        T::of(1.0)
                    } else {
                        a[i * n + k]
                    }
                })
                .collect()
        };
        Reflections { m, columns: (0..tau.len()).map(column).collect(), tau: tau.to_vec() }
    }

    /// Row-major `c` with `width` columns becomes `H c`.
    fn left(&self, k: usize, tau: T, c: &mut [T], width: usize) {
        let column = &self.columns[k];
        for j in 0..width {
            let dot = (0..self.m).fold(T::ZERO, |s, i| s + column[i].conjugate() * c[i * width + j]);
            for i in 0..self.m {
                c[i * width + j] = c[i * width + j] - tau * column[i] * dot;
            }
        }
    }

    /// `c` becomes `c H`.
    fn right(&self, k: usize, tau: T, c: &mut [T], rows: usize) {
        let column = &self.columns[k];
        for r in 0..rows {
            let row = &mut c[r * self.m..(r + 1) * self.m];
            let dot = (0..self.m).fold(T::ZERO, |s, i| s + row[i] * column[i]);
            for i in 0..self.m {
                row[i] = row[i] - tau * dot * column[i].conjugate();
            }
        }
    }

    /// `Q c`, `Q^H c`, `c Q` or `c Q^H` with `Q = H_1 H_2 …`; `other` is the extent of `c` that `Q` does not touch.
    fn apply(&self, c: &mut [T], other: usize, left: bool, adjoint: bool) {
        let count = self.tau.len();
        let forward = left == adjoint;
        for step in 0..count {
            let k = if forward { step } else { count - 1 - step };
            let tau = if adjoint { self.tau[k].conjugate() } else { self.tau[k] };
            if left { self.left(k, tau, c, other) } else { self.right(k, tau, c, other) }
        }
    }
}

fn with_reflections(a: &Tensor, tau: &Tensor, c: &Tensor, left: bool, adjoint: bool) -> Result<Tensor, Error> {
    let (m, n) = extent(a)?;
    let (rows, columns) = extent(c)?;
    let k = tau.sizes().last().copied().unwrap_or(0);
    if k > n || k > m || (if left { rows } else { columns }) != m {
        return Err(Error::runtime("the reflections and the matrix they are applied to do not fit one another"));
    }
    with_float_acc!(a.dtype(), T => {
        let (list, m, n) = matrices::<T>(a)?;
        let taus = cast::to_vec::<T>(tau)?;
        let (others, ..) = matrices::<T>(c)?;
        let mut data = Vec::new();
        for (i, (x, mut y)) in list.into_iter().zip(others).enumerate() {
            let k = k as usize;
            let other = (if left { columns } else { rows }) as usize;
            Reflections::new(&x, m, n, &taus[i * k..(i + 1) * k]).apply(&mut y, other, left, adjoint);
            data.extend(y);
        }
        column_major(&cast::from_vec(data, c.sizes(), a.dtype())?)
    })
}

pub fn ormqr(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (a, tau, c) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?, tensor_arg(args, 2)?);
    one(with_reflections(a, tau, c, bool_arg(args, 3)?, bool_arg(args, 4)?)?)
}

/// `R` with the reflections below it, and their factors.
fn reflect<T: Field>(a: &mut [T], m: usize, n: usize) -> Vec<T> {
    let mut taus = Vec::new();
    for k in 0..m.min(n) {
        let below: f64 = (k + 1..m).map(|i| a[i * n + k].magnitude().powi(2)).sum();
        let alpha = a[k * n + k];
        if below == 0.0 && alpha.magnitude() == alpha.real().abs() {
            taus.push(T::ZERO);
            continue;
        }
        let norm = (alpha.magnitude().powi(2) + below).sqrt();
        let beta = if alpha.real() > 0.0 { -norm } else { norm };
        let tau = T::of((beta - alpha.real()) / beta) - (alpha - T::of(alpha.real())).scale(1.0 / beta);
        let scale = T::of(1.0) / (alpha - T::of(beta));
        (k + 1..m).for_each(|i| a[i * n + k] = a[i * n + k] * scale);
        a[k * n + k] = T::of(1.0);
        for j in k + 1..n {
            let dot = (k..m).fold(T::ZERO, |s, i| s + a[i * n + k].conjugate() * a[i * n + j]);
            (k..m).for_each(|i| a[i * n + j] = a[i * n + j] - tau.conjugate() * a[i * n + k] * dot);
        }
        a[k * n + k] = T::of(beta);
        taus.push(tau);
    }
    taus
}

pub fn geqrf(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let (tau_sizes, _) = result(call.metas, 1)?;
    with_float_acc!(dtype, T => {
        let (list, m, n) = matrices::<T>(tensor_arg(args, 0)?)?;
        let (mut data, mut taus) = (Vec::new(), Vec::new());
        for mut x in list {
            taus.extend(reflect(&mut x, m, n));
            data.extend(x);
        }
        let a = column_major(&cast::from_vec(data, &sizes, dtype)?)?;
        Ok(smallvec![a.into(), cast::from_vec(taus, &tau_sizes, dtype)?.into()])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reflections_and_their_triangle_multiply_back() {
        let a = [1.0, 2.0, 3.0, -4.0, 5.0, 6.0, 0.5, -1.0, 2.0, 7.0, 1.0, -2.0];
        let (m, n) = (4, 3);
        let mut packed = a.to_vec();
        let tau = reflect(&mut packed, m, n);
        let mut r: Vec<f64> = (0..m * n).map(|i| if i / n > i % n { 0.0 } else { packed[i] }).collect();
        Reflections::new(&packed, m, n, &tau).apply(&mut r, n, true, false);
        assert!(r.iter().zip(a).all(|(x, y)| (x - y).abs() < 1e-12), "{r:?}");
        Reflections::new(&packed, m, n, &tau).apply(&mut r, n, true, true);
        assert!((0..m * n).filter(|i| i / n <= i % n).all(|i| (r[i] - packed[i]).abs() < 1e-12), "{r:?}");
    }
}
