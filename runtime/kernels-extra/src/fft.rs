//! Fourier transforms over one or several dimensions, of complex numbers, from real ones and to them; computed in f64, lane by lane, by rustfft.
//!
//! What `torch.fft` offers are these three with lengths, conjugates and scales around them, said in `frontend/prelude/composites/fft.py`.

use num_complex::Complex;
use rustfft::{FftDirection, FftPlanner};
use sconce_kernels::engine::arguments::{bool_arg, int_arg, ints_arg, one, result, tensor_arg};
use sconce_kernels::engine::cast;
use sconce_kernels::engine::lanes::{count, permute, wrap};
use sconce_kernels::{Call, Error, Outputs};
use sconce_tensor::{IValue, Sizes, Tensor};

type C = Complex<f64>;

/// Row-major data whose dimensions are transformed one after another.
struct Spectrum {
    data: Vec<C>,
    sizes: Sizes,
    planner: FftPlanner<f64>,
    direction: FftDirection,
}

impl Spectrum {
    /// Replaces every lane along a dimension by one of `length` elements, which `f` writes.
    fn map(&mut self, dim: usize, length: usize, mut f: impl FnMut(&[C], &mut [C])) {
        let (n, inner) = (self.sizes[dim] as usize, count(&self.sizes[dim + 1..]));
        let outer = count(&self.sizes[..dim]);
        let mut out = vec![C::ZERO; outer * length * inner];
        let (mut from, mut to) = (vec![C::ZERO; n], vec![C::ZERO; length]);
        for o in 0..outer {
            for i in 0..inner {
                for (k, v) in from.iter_mut().enumerate() {
                    *v = self.data[(o * n + k) * inner + i];
                }
                f(&from, &mut to);
                for (k, v) in to.iter().enumerate() {
                    out[(o * length + k) * inner + i] = *v;
                }
            }
        }
        self.data = out;
        self.sizes[dim] = length as i64;
    }

    fn transform(&mut self, dim: usize) {
        let n = self.sizes[dim] as usize;
        if n < 2 {
            return;
        }
        let fft = self.planner.plan_fft(n, self.direction);
        let mut scratch = vec![C::ZERO; fft.get_inplace_scratch_len()];
        self.map(dim, n, |from, to| {
            to.copy_from_slice(from);
            fft.process_with_scratch(to, &mut scratch);
        });
    }
}

/// What goes in and comes out.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Complex,
    /// With half of what a real signal gives, or all of it.
    FromReal {
        onesided: bool,
    },
    ToReal,
}

/// (self, dim, …): `scale` is 0 for none, 1 for the root of the length, 2 for the length.
///
/// Batch dimensions come first in memory, in the order of their strides; those that are transformed are innermost.
fn transformed(call: &Call<'_>, args: &[IValue], kind: Kind, scale: i64, forward: bool) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let t = tensor_arg(args, 0)?;
    let dims: Vec<usize> = ints_arg(args, 1)?.iter().map(|d| wrap(*d, t.dim())).collect::<Result<_, _>>()?;
    let last_size = dims.last().map_or(1, |d| sizes[*d]);
    let mut order: Vec<usize> = (0..t.dim()).filter(|d| !dims.contains(d)).collect();
    t.sort_outermost_first(&mut order);
    let batch = order.len();
    // A half spectrum's dimension stays last.
    let free = dims.len() - usize::from(kind != Kind::Complex).min(dims.len());
    order.extend(&dims);
    t.sort_outermost_first(&mut order[batch..batch + free]);
    // Whether memory holds the result is asked before anything as large is made.
    Tensor::zeros(&sizes, dtype)?;
    let moved = permute(t, &order)?;
    let direction = if forward { FftDirection::Forward } else { FftDirection::Inverse };
    let mut s = Spectrum {
        data: cast::to_vec::<C>(&moved)?,
        sizes: moved.sizes().into(),
        planner: FftPlanner::new(),
        direction,
    };
    let last = order.len().wrapping_sub(1);
    // Only after the other dimensions is the last one symmetric.
    let early = if kind == Kind::ToReal { batch..batch + free } else { batch..order.len() };
    early.for_each(|dim| s.transform(dim));
    if kind == Kind::ToReal && !dims.is_empty() {
        // The other half mirrors the first.
        s.map(last, last_size as usize, |half, whole| {
            let n = whole.len();
            whole
                .iter_mut()
                .enumerate()
                .for_each(|(k, v)| *v = if k < half.len() { half[k] } else { half[n - k].conj() });
        });
        s.transform(last);
    }
    let length: usize =
        order[batch..].iter().map(|&d| if kind == Kind::ToReal { sizes[d] } else { t.sizes()[d] } as usize).product();
    let by = match scale {
        1 => 1.0 / (length as f64).sqrt(),
        2 => 1.0 / length as f64,
        _ => 1.0,
    };
    s.data.iter_mut().for_each(|v| *v *= by);
    if (kind == Kind::FromReal { onesided: true }) && !dims.is_empty() {
        let half = s.sizes[last] as usize / 2 + 1;
        s.map(last, half, |whole, half| half.copy_from_slice(&whole[..half.len()]));
    }
    let out = if dtype.is_complex() {
        cast::from_vec(s.data, &s.sizes, dtype)?
    } else {
        cast::from_vec(s.data.iter().map(|v| v.re).collect::<Vec<f64>>(), &s.sizes, dtype)?
    };
    let mut back = vec![0; order.len()];
    for (i, &d) in order.iter().enumerate() {
        back[d] = i;
    }
    one(permute(&out, &back)?)
}

/// (self, dim, normalization, forward).
pub fn c2c(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    transformed(call, args, Kind::Complex, int_arg(args, 2)?, bool_arg(args, 3)?)
}

/// (self, dim, normalization, onesided).
pub fn r2c(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    transformed(call, args, Kind::FromReal { onesided: bool_arg(args, 3)? }, int_arg(args, 2)?, true)
}

/// (self, dim, normalization, last_dim_size).
pub fn c2r(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    transformed(call, args, Kind::ToReal, int_arg(args, 2)?, false)
}

/// (self, *, dim, forward).
pub fn prims_c2c(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    transformed(call, args, Kind::Complex, 0, bool_arg(args, 2)?)
}

/// (self, *, dim, onesided).
pub fn prims_r2c(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    transformed(call, args, Kind::FromReal { onesided: bool_arg(args, 2)? }, 0, true)
}

/// (self, *, dim, last_dim_size).
pub fn prims_c2r(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    transformed(call, args, Kind::ToReal, 0, false)
}
