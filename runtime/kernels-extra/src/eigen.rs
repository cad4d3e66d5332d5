//! Eigenvalues and eigenvectors of general square matrices: the Schur form by shifted QR steps in complex arithmetic.

use num_complex::Complex;
use sconce_kernels::engine::arguments::{result, tensor_arg};
use sconce_kernels::engine::cast;
use sconce_kernels::engine::lanes::count;
use sconce_kernels::engine::lanes::transposed;
use sconce_kernels::{Call, Error, Outputs};
use sconce_tensor::{IValue, Tensor};
use smallvec::smallvec;

type C = Complex<f64>;

const ZERO: C = Complex { re: 0.0, im: 0.0 };
const ONE: C = Complex { re: 1.0, im: 0.0 };

/// A square matrix, row-major.
struct Square {
    n: usize,
    at: Vec<C>,
}

impl std::ops::Index<(usize, usize)> for Square {
    type Output = C;
    fn index(&self, (r, c): (usize, usize)) -> &C {
        &self.at[r * self.n + c]
    }
}
impl std::ops::IndexMut<(usize, usize)> for Square {
    fn index_mut(&mut self, (r, c): (usize, usize)) -> &mut C {
        &mut self.at[r * self.n + c]
    }
}

impl Square {
    fn identity(n: usize) -> Square {
        Square { n, at: (0..n * n).map(|i| if i % (n + 1) == 0 { ONE } else { ZERO }).collect() }
    }
    fn norm(&self) -> f64 {
        self.at.iter().map(|x| x.norm_sqr()).sum::<f64>().sqrt()
    }
}

/// `a = q h q^H` with zeros below the first subdiagonal of `h`.
fn hessenberg(h: &mut Square, q: &mut Square) {
    let n = h.n;
    for k in 0..n.saturating_sub(2) {
        let norm = (k + 1..n).map(|i| h[(i, k)].norm_sqr()).sum::<f64>().sqrt();
        if (k + 2..n).all(|i| h[(i, k)] == ZERO) || norm == 0.0 {
            continue;
        }
        let first = h[(k + 1, k)];
        let phase = if first == ZERO { ONE } else { first / first.norm() };
        let mut v: Vec<C> = (k + 1..n).map(|i| h[(i, k)]).collect();
        v[0] += phase * norm;
        let scale = 2.0 / v.iter().map(|x| x.norm_sqr()).sum::<f64>();
        for c in 0..n {
            let dot: C = v.iter().enumerate().map(|(i, x)| x.conj() * h[(k + 1 + i, c)]).sum();
            v.iter().enumerate().for_each(|(i, x)| h[(k + 1 + i, c)] -= x * dot * scale);
        }
        for m in [&mut *h, &mut *q] {
            for r in 0..n {
                let dot: C = v.iter().enumerate().map(|(i, x)| m[(r, k + 1 + i)] * x).sum();
                v.iter().enumerate().for_each(|(i, x)| m[(r, k + 1 + i)] -= dot * x.conj() * scale);
            }
        }
        (k + 2..n).for_each(|i| h[(i, k)] = ZERO);
    }
}

/// The eigenvalue of the block's last two rows that is nearer to its last element.
fn shift(h: &Square, high: usize) -> C {
    let (a, b, c, d) = (h[(high - 1, high - 1)], h[(high - 1, high)], h[(high, high - 1)], h[(high, high)]);
    let half = (a - d) * 0.5;
    let root = (half * half + b * c).sqrt();
    let near = if (half + root).norm() < (half - root).norm() { half + root } else { half - root };
    d + near
}

/// One QR step on rows and columns `low..=high`.
fn step(h: &mut Square, q: &mut Square, low: usize, high: usize, by: C) {
    let n = h.n;
    (low..=high).for_each(|i| h[(i, i)] -= by);
    let mut rotations = Vec::with_capacity(high - low);
    for k in low..high {
        let (x, y) = (h[(k, k)], h[(k + 1, k)]);
        let length = (x.norm_sqr() + y.norm_sqr()).sqrt();
        let (c, s) = if length == 0.0 { (ONE, ZERO) } else { (x / length, y / length) };
        for j in k..n {
            let (u, v) = (h[(k, j)], h[(k + 1, j)]);
            h[(k, j)] = c.conj() * u + s.conj() * v;
            h[(k + 1, j)] = c * v - s * u;
        }
        rotations.push((c, s));
    }
    for (k, (c, s)) in (low..high).zip(rotations) {
        let turn = |m: &mut Square, r: usize| {
            let (u, v) = (m[(r, k)], m[(r, k + 1)]);
            m[(r, k)] = u * c + v * s;
            m[(r, k + 1)] = v * c.conj() - u * s.conj();
        };
        (0..=(k + 1).min(high)).for_each(|r| turn(h, r));
        (0..n).for_each(|r| turn(q, r));
    }
    (low..=high).for_each(|i| h[(i, i)] += by);
}

/// `a = q t q^H` with `t` upper triangular; `None` when the steps do not converge.
fn schur(a: Vec<C>, n: usize) -> Option<(Square, Square)> {
    let (mut t, mut q) = (Square { n, at: a }, Square::identity(n));
    let norm = t.norm();
    if !norm.is_finite() {
        return None;
    }
    hessenberg(&mut t, &mut q);
    let mut high = n.saturating_sub(1);
    let mut steps = 0;
    while high > 0 {
        let mut low = high;
        while low > 0 {
            let near = t[(low - 1, low - 1)].norm() + t[(low, low)].norm();
            let near = if near == 0.0 { norm } else { near };
            if t[(low, low - 1)].norm() <= f64::EPSILON * near {
                t[(low, low - 1)] = ZERO;
                break;
            }
            low -= 1;
        }
        if low == high {
            high -= 1;
            steps = 0;
            continue;
        }
        steps += 1;
        if steps > 300 {
            return None;
        }
        // A shift of another kind now and then breaks cycles.
        let by = if steps % 11 == 10 { Complex::new(t[(high, high - 1)].norm(), 0.0) } else { shift(&t, high) };
        step(&mut t, &mut q, low, high, by);
    }
    Some((t, q))
}

/// Unit eigenvectors, as columns.
fn vectors(t: &Square, q: &Square) -> Vec<C> {
    let n = t.n;
    let least = f64::EPSILON * t.norm().max(f64::MIN_POSITIVE);
    let mut out = vec![ZERO; n * n];
    for k in 0..n {
        let mut x = vec![ZERO; n];
        x[k] = ONE;
        for i in (0..k).rev() {
            let sum: C = (i + 1..=k).map(|j| t[(i, j)] * x[j]).sum();
            let gap = t[(i, i)] - t[(k, k)];
            x[i] = -sum / if gap.norm() < least { Complex::new(least, 0.0) } else { gap };
        }
        let v: Vec<C> = (0..n).map(|r| (0..=k).map(|j| q[(r, j)] * x[j]).sum()).collect();
        let norm = v.iter().map(|x| x.norm_sqr()).sum::<f64>().sqrt();
        v.iter().enumerate().for_each(|(r, x)| out[r * n + k] = x / norm);
    }
    out
}

/// A real matrix has real eigenvalues and conjugate pairs, the one above the axis first; rounding leaves traces of more.
fn tidy_real(values: &mut [C], columns: &mut [C], norm: f64) {
    let n = values.len();
    for v in values.iter_mut().filter(|v| v.im.abs() <= 1e-13 * norm) {
        v.im = 0.0;
    }
    let mut k = 0;
    while k + 1 < n {
        let pair = values[k].im != 0.0 && (values[k] - values[k + 1].conj()).norm() <= 1e-9 * norm;
        if pair && values[k].im < 0.0 {
            values.swap(k, k + 1);
            (0..n).for_each(|r| columns.swap(r * n + k, r * n + k + 1));
        }
        k += if pair { 2 } else { 1 };
    }
}

/// Eigenvalues, and eigenvectors as columns, of a row-major matrix.
fn eigen(a: Vec<C>, n: usize, real: bool) -> Option<(Vec<C>, Vec<C>)> {
    let (t, q) = schur(a, n)?;
    let mut values: Vec<C> = (0..n).map(|i| t[(i, i)]).collect();
    let mut columns = vectors(&t, &q);
    if real {
        tidy_real(&mut values, &mut columns, t.norm());
    }
    Some((values, columns))
}

fn eig_of(call: &Call<'_>, t: &Tensor) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let n = t.sizes()[t.dim() - 1] as usize;
    let data = cast::to_vec::<C>(t)?;
    let (mut values, mut columns) = (Vec::new(), Vec::new());
    for b in 0..count(&t.sizes()[..t.dim() - 2]) {
        let matrix = data[b * n * n..(b + 1) * n * n].to_vec();
        if matrix.iter().any(|x| !x.is_finite()) {
            return Err(Error::runtime("torch.linalg.eig: input tensor should not contain infs or NaNs."));
        }
        let (w, v) = eigen(matrix, n, !t.dtype().is_complex()).ok_or_else(|| Error::Raised {
            class: "_LinAlgError",
            message: "linalg.eig: The algorithm failed to converge because the input matrix is ill-conditioned or has \
                      too many repeated eigenvalues."
                .to_string(),
        })?;
        values.extend(w);
        columns.extend(v);
    }
    let mut out: Outputs = smallvec![IValue::Tensor(cast::from_vec(values, &sizes, dtype)?)];
    if call.metas.len() > 1 {
        let vectors = cast::from_vec(columns, t.sizes(), dtype)?;
        out.push(IValue::Tensor(transposed(&transposed(&vectors)?.copy()?)?));
    }
    Ok(out)
}

/// Eigenvalues, and eigenvectors where the schema returns them.
pub fn eig(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    eig_of(call, tensor_arg(args, 0)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvectors_are_scaled_by_their_eigenvalues() {
        let real = [4.0, 1.0, -2.0, 3.0, 0.0, 2.0, 1.0, -1.0, 5.0, -3.0, 2.0, 2.0, 1.0, 1.0, 0.5, -1.0];
        for (n, turn) in [(4, 0.0), (3, 0.0), (2, 0.0), (4, 0.7), (1, 0.3)] {
            let a: Vec<C> = real[..n * n].iter().enumerate().map(|(i, x)| C::new(*x, turn * i as f64)).collect();
            let (values, v) = eigen(a.clone(), n, turn == 0.0).unwrap();
            for k in 0..n {
                for r in 0..n {
                    let got: C = (0..n).map(|c| a[r * n + c] * v[c * n + k]).sum();
                    assert!(
                        (got - values[k] * v[r * n + k]).norm() < 1e-11,
                        "{n}x{n} turned {turn}: vector {k} row {r}"
                    );
                }
            }
        }
    }

    #[test]
    fn conjugate_pairs_of_a_rotation() {
        let (values, _) = eigen([0.0, -1.0, 1.0, 0.0].map(|x| C::new(x, 0.0)).to_vec(), 2, true).unwrap();
        assert!((values[0] - C::i()).norm() < 1e-15 && (values[1] + C::i()).norm() < 1e-15, "{values:?}");
    }
}
