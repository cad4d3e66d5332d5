//! `A = L D L^T` (or `L D L^H`) of matrices that need not be definite, with the pivots of Bunch and Kaufman as LAPACK's `sytrf` has them.

use crate::field::Field;
use crate::field::with_float_acc;
use crate::field::{column_major, matrices};
use sconce_kernels::engine::arguments::{bool_arg, result, tensor_arg};
use sconce_kernels::engine::cast;
use sconce_kernels::engine::compute::Compute;
use sconce_kernels::engine::lanes::count;
use sconce_kernels::{Call, Error, Outputs};
use sconce_tensor::{DType, IValue, Tensor};
use smallvec::smallvec;

/// A matrix under factorization: only the lower triangle is looked at.
struct Ldl<T> {
    n: usize,
    a: Vec<T>,
    hermitian: bool,
    /// 1-based; both of a block of two are negative.
    pivots: Vec<i64>,
    /// 1-based position of the first zero block.
    flag: i64,
}

impl<T: Field> Ldl<T> {
    fn at(&self, r: usize, c: usize) -> T {
        self.a[r * self.n + c]
    }
    fn set(&mut self, r: usize, c: usize, v: T) {
        self.a[r * self.n + c] = v;
    }
    fn turned(&self, x: T) -> T {
        if self.hermitian { x.conjugate() } else { x }
    }
    fn size(&self, r: usize, c: usize) -> f64 {
        let x = self.at(r, c);
        if self.hermitian && r == c { x.real().abs() } else { x.one_norm() }
    }

    fn new(a: Vec<T>, n: usize, hermitian: bool) -> Ldl<T> {
        let mut f = Ldl { n, a, hermitian, pivots: Vec::with_capacity(n), flag: 0 };
        let mut k = 0;
        while k < n {
            let (pivot, width) = f.choose(k);
            f.exchange(k, k + width - 1, pivot);
            if width == 1 {
                f.eliminate_one(k);
                f.pivots.push(pivot as i64 + 1);
            } else {
                f.eliminate_two(k);
                f.pivots.extend([-(pivot as i64) - 1; 2]);
            }
            k += width;
        }
        for r in 0..n {
            for c in r + 1..n {
                f.set(r, c, T::ZERO);
            }
        }
        f
    }

    /// Which row takes this one's place, and whether the block is of one or two.
    fn choose(&mut self, k: usize) -> (usize, usize) {
        let alpha = (1.0 + 17f64.sqrt()) / 8.0;
        let diagonal = self.size(k, k);
        let (mut row, mut column) = (k, 0.0);
        for i in k + 1..self.n {
            if self.size(i, k) > column {
                (row, column) = (i, self.size(i, k));
            }
        }
        if diagonal.max(column) == 0.0 {
            self.flag = if self.flag == 0 { k as i64 + 1 } else { self.flag };
            return (k, 1);
        }
        if diagonal >= alpha * column {
            return (k, 1);
        }
        let left = (k..row).map(|j| self.size(row, j));
        let below = (row + 1..self.n).map(|i| self.size(i, row));
        let largest = left.chain(below).fold(0.0, f64::max);
        if diagonal >= alpha * column * (column / largest) {
            (k, 1)
        } else if self.size(row, row) >= alpha * largest {
            (row, 1)
        } else {
            (row, 2)
        }
    }

    /// Rows and columns `kk` and `p` change places in the lower triangle.
    fn exchange(&mut self, k: usize, kk: usize, p: usize) {
        if p == kk {
            return;
        }
        let n = self.n;
        for i in p + 1..n {
            self.a.swap(i * n + kk, i * n + p);
        }
        for j in kk + 1..p {
            let (x, y) = (self.turned(self.at(j, kk)), self.turned(self.at(p, j)));
            self.set(j, kk, y);
            self.set(p, j, x);
        }
        let corner = self.turned(self.at(p, kk));
        self.set(p, kk, corner);
        self.a.swap(kk * n + kk, p * n + p);
        if kk != k {
            self.a.swap(kk * n + k, p * n + k);
        }
    }

    fn eliminate_one(&mut self, k: usize) {
        let d = self.at(k, k);
        let d = if self.hermitian { T::of(d.real()) } else { d };
        self.set(k, k, d);
        if d == T::ZERO {
            return;
        }
        let inverse = T::of(1.0) / d;
        for j in k + 1..self.n {
            let factor = self.turned(self.at(j, k)) * inverse;
            for i in j..self.n {
                let v = self.at(i, j) - self.at(i, k) * factor;
                self.set(i, j, v);
            }
        }
        for i in k + 1..self.n {
            let v = self.at(i, k) * inverse;
            self.set(i, k, v);
        }
    }

    /// The block `[[d, e], [conj e, f]]` at `k`, and its determinant.
    fn block(&self, k: usize) -> (T, T, T, T) {
        let (d, e, f) = (self.at(k, k), self.at(k + 1, k), self.at(k + 1, k + 1));
        (d, e, f, d * f - e * self.turned(e))
    }

    fn eliminate_two(&mut self, k: usize) {
        let (d, e, f, det) = self.block(k);
        let rows: Vec<(T, T)> = (k + 2..self.n)
            .map(|j| {
                let (x, y) = (self.at(j, k), self.at(j, k + 1));
                // The row times the block's inverse.
                ((x * f - y * e) / det, (y * d - x * self.turned(e)) / det)
            })
            .collect();
        for j in k + 2..self.n {
            let (wk, wl) = rows[j - k - 2];
            for i in j..self.n {
                let v = self.at(i, j) - self.at(i, k) * self.turned(wk) - self.at(i, k + 1) * self.turned(wl);
                self.set(i, j, v);
            }
        }
        for (j, (wk, wl)) in (k + 2..self.n).zip(rows) {
            self.set(j, k, wk);
            self.set(j, k + 1, wl);
        }
    }

    /// Solves for one right side.
    fn solve(&self, b: &mut [T]) {
        let n = self.n;
        let place = |k: usize| (self.pivots[k].unsigned_abs() as usize - 1).min(n - 1);
        let mut k = 0;
        while k < n {
            let two = self.pivots[k] < 0 && k + 1 < n;
            let last = if two { k + 1 } else { k };
            b.swap(last, place(k));
            for i in last + 1..n {
                for c in k..=last {
                    b[i] = b[i] - self.at(i, c) * b[c];
                }
            }
            if two {
                let (d, e, f, det) = self.block(k);
                let (x, y) = (b[k], b[k + 1]);
                b[k] = (f * x - self.turned(e) * y) / det;
                b[k + 1] = (d * y - e * x) / det;
            } else {
                b[k] = b[k] / self.at(k, k);
            }
            k = last + 1;
        }
        let mut end = n;
        while end > 0 {
            let k = end - 1;
            let first = if self.pivots[k] < 0 && k > 0 { k - 1 } else { k };
            for c in first..=k {
                for i in end..n {
                    b[c] = b[c] - self.turned(self.at(i, c)) * b[i];
                }
            }
            b.swap(k, place(k));
            end = first;
        }
    }
}

pub fn factor(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let (pivot_sizes, _) = result(call.metas, 1)?;
    let hermitian = bool_arg(args, 1)?;
    let flagged = call.metas.len() > 2;
    let check = !flagged || bool_arg(args, 2)?;
    with_float_acc!(dtype, T => {
        let (list, n, _) = matrices::<T>(tensor_arg(args, 0)?)?;
        let (mut data, mut pivots, mut flags) = (Vec::new(), Vec::new(), Vec::new());
        for m in list {
            let f = Ldl::new(m, n, hermitian && dtype.is_complex());
            if check && f.flag != 0 {
                return Err(Error::Raised { class: "_LinAlgError", message: "torch.linalg.ldl_factor: The factorization could not be completed because the input is singular.".into() });
            }
            data.extend(f.a);
            pivots.extend(f.pivots);
            flags.push(f.flag);
        }
        let ld = column_major(&cast::from_vec(data, &sizes, dtype)?)?;
        let mut out: Outputs =
            smallvec![IValue::Tensor(ld), IValue::Tensor(cast::from_vec(pivots, &pivot_sizes, DType::I32)?)];
        if flagged {
            out.push(IValue::Tensor(cast::from_vec(flags, &result(call.metas, 2)?.0, DType::I32)?));
        }
        Ok(out)
    })
}

pub fn solve(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let hermitian = bool_arg(args, 3)?;
    let batch = &sizes[..sizes.len() - 2];
    let expand = |t: &Tensor, kept: usize| {
        let mut s: Vec<i64> = batch.to_vec();
        s.extend_from_slice(&t.sizes()[t.dim() - kept..]);
        t.expand(&s)
    };
    let (ld, pivots, b) =
        (expand(tensor_arg(args, 0)?, 2)?, expand(tensor_arg(args, 1)?, 1)?, expand(tensor_arg(args, 2)?, 2)?);
    let pivots = cast::to_vec::<i64>(&pivots)?;
    with_float_acc!(dtype, T => {
        let (list, n, _) = matrices::<T>(&ld)?;
        if pivots.iter().any(|p| *p == 0 || p.unsigned_abs() as usize > n) || pivots.len() != n * count(batch) {
            return Err(Error::runtime(format!("linalg.ldl_solve: pivots are between 1 and {n} or their negatives")));
        }
        let columns = sizes[sizes.len() - 1] as usize;
        let rights = cast::to_vec::<T>(&b)?;
        let mut data = vec![T::ZERO; rights.len()];
        for (i, m) in list.into_iter().enumerate() {
            let f = Ldl { n, a: m, hermitian: hermitian && dtype.is_complex(), pivots: pivots[i * n..(i + 1) * n].to_vec(), flag: 0 };
            for c in 0..columns {
                let place = |r: usize| (i * n + r) * columns + c;
                let mut x: Vec<T> = (0..n).map(|r| rights[place(r)]).collect();
                f.solve(&mut x);
                x.into_iter().enumerate().for_each(|(r, v)| data[place(r)] = v);
            }
        }
        Ok(smallvec![IValue::Tensor(column_major(&cast::from_vec(data, &sizes, dtype)?)?)])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_indefinite_matrix_is_solved() {
        // Zeros on the diagonal need blocks of two.
        let a = [0.0, 2.0, 1.0, 3.0, 2.0, 0.0, 4.0, 1.0, 1.0, 4.0, 0.0, 5.0, 3.0, 1.0, 5.0, 1.0];
        let f = Ldl::new(a.to_vec(), 4, false);
        assert!(f.pivots.iter().any(|p| *p < 0), "{:?}", f.pivots);
        let mut x = [1.0, -2.0, 3.0, 0.5];
        f.solve(&mut x);
        for (r, want) in [1.0, -2.0, 3.0, 0.5].into_iter().enumerate() {
            let got: f64 = (0..4).map(|c| a[r * 4 + c] * x[c]).sum();
            assert!((got - want).abs() < 1e-12, "row {r}: {got}");
        }
    }
}
