//! Distances between the rows of matrices, in f64.

use crate::field::norm_of;
use sconce_kernels::engine::arguments::result;
use sconce_kernels::engine::cast;
use sconce_kernels::engine::lanes::count;
use sconce_kernels::{Call, Error};
use sconce_tensor::{Sizes, Tensor};

fn distance(a: &[f64], b: &[f64], p: f64) -> f64 {
    let difference: Vec<f64> = a.iter().zip(b).map(|(x, y)| x - y).collect();
    norm_of(&difference, p)
}

pub fn cdist(call: &Call<'_>, a: &Tensor, b: &Tensor, p: f64) -> Result<Tensor, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let rank = sizes.len();
    let rows = |t: &Tensor, n: i64| -> Result<Vec<f64>, Error> {
        let mut s: Sizes = sizes[..rank - 2].into();
        s.extend([n, t.sizes()[t.dim() - 1]]);
        cast::to_vec::<f64>(&t.expand(&s)?)
    };
    let (m, n) = (sizes[rank - 2], sizes[rank - 1]);
    let k = a.sizes()[a.dim() - 1] as usize;
    if k == 0 {
        return Ok(Tensor::zeros(&sizes, dtype)?);
    }
    let (a, b) = (rows(a, m)?, rows(b, n)?);
    let mut data = Vec::new();
    for batch in 0..count(&sizes[..rank - 2]) {
        for i in 0..m as usize {
            for j in 0..n as usize {
                let (x, y) = ((batch * m as usize + i) * k, (batch * n as usize + j) * k);
                data.push(distance(&a[x..x + k], &b[y..y + k], p));
            }
        }
    }
    cast::from_vec(data, &sizes, dtype)
}

pub fn pdist(call: &Call<'_>, t: &Tensor, p: f64) -> Result<Tensor, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let (n, k) = (t.sizes()[0] as usize, t.sizes()[1] as usize);
    let x = cast::to_vec::<f64>(t)?;
    let mut data = Vec::new();
    for i in 0..n {
        for j in i + 1..n {
            data.push(distance(&x[i * k..(i + 1) * k], &x[j * k..(j + 1) * k], p));
        }
    }
    cast::from_vec(data, &sizes, dtype)
}
