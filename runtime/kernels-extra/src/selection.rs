//! The k-th smallest element: of equal ones the one that PyTorch's exchanges leave at its place.

use sconce_kernels::engine::arguments::result;
use sconce_kernels::engine::cast::{self, Value, with_element};
use sconce_kernels::engine::lanes::{Lanes, dimension};
use sconce_kernels::tensor::sort::order;
use sconce_kernels::{Call, Error, not_implemented};
use sconce_tensor::{DType, Tensor};
use std::cmp::Ordering;

/// Puts the k-th smallest at position `k`.
fn quick_select<T: Value>(line: &mut [(T, i64)], k: usize) {
    let greater = |a: (T, i64), b: (T, i64)| order(a.0, b.0) == Ordering::Greater;
    let (mut left, mut right) = (0, line.len().saturating_sub(1));
    while right > left {
        if right == left + 1 {
            if greater(line[left], line[right]) {
                line.swap(left, right);
            }
            return;
        }
        // The median of three becomes the pivot at `left`, the smaller of the others after it, the larger at `right`.
        line.swap(left + (right - left) / 2, left + 1);
        for (a, b) in [(left + 1, right), (left, right), (left + 1, left)] {
            if greater(line[a], line[b]) {
                line.swap(a, b);
            }
        }
        let pivot = line[left];
        let (mut i, mut j) = (left + 1, right);
        loop {
            // The elements at `left + 1` and `right` stop both walks.
            loop {
                i += 1;
                if !greater(pivot, line[i]) {
                    break;
                }
            }
            loop {
                j -= 1;
                if !greater(line[j], pivot) {
                    break;
                }
            }
            if j < i {
                break;
            }
            line.swap(i, j);
        }
        line.swap(left, j);
        if j <= k {
            left = i;
        }
        if j >= k {
            right = j.saturating_sub(1);
        }
    }
}

/// (self, k, dim, keepdim): the k-th smallest, counted from 1, and where it stands.
pub fn kthvalue(call: &Call<'_>, t: &Tensor, k: i64, dim: i64) -> Result<(Tensor, Tensor), Error> {
    let dim = dimension(dim, t.dim())?;
    let (sizes, dtype) = result(call.metas, 0)?;
    if dtype.is_complex() || dtype == DType::Bool {
        return Err(not_implemented("kthvalue_cpu", dtype));
    }
    let k = k.max(1) as usize - 1;
    with_element!(dtype, "kthvalue_cpu", T => {
        let mut both = (Vec::new(), Vec::new());
        for lane in Lanes::<T>::along(t, dim)?.iter() {
            let mut line: Vec<(T, i64)> = lane.iter().copied().zip(0..).collect();
            quick_select(&mut line, k);
            let (value, at) = line.get(k).copied().unwrap_or((0i64.to::<T>(), 0));
            both.0.push(value);
            both.1.push(at);
        }
        Ok((cast::from_vec(both.0, &sizes, dtype)?, Tensor::from_vec(both.1, &sizes)))
    })
}
