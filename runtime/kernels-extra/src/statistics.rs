//! Differences, covariances, histograms and reductions over segments.

use crate::field::Field;
use crate::field::with_float_acc;
use sconce_kernels::engine::arguments::{arg, bool_arg, int_arg, ints_arg, one, optional_tensor, result, tensor_arg};
use sconce_kernels::engine::cast::{self, Value};
use sconce_kernels::engine::compose::tensor as op;
use sconce_kernels::engine::lanes::{Lanes, count, mask, permute, wrap};
use sconce_kernels::{Call, Error, Outputs};
use sconce_tensor::{DType, IValue, Sizes, Tensor};
use smallvec::{SmallVec, smallvec};

/// How far the elements of a lane stand from one another.
enum Spacing {
    Equal(f64),
    Coordinates(Vec<f64>),
}

/// The derivative along a lane: central inside, one-sided of the given order at the ends.
fn slopes<T: Field>(x: &[T], spacing: &Spacing, order: i64) -> Vec<T> {
    let n = x.len();
    let sum = |terms: &[(f64, usize)]| terms.iter().fold(T::ZERO, |s, (w, i)| s + x[*i].scale(*w));
    let ends = |h: f64, far: f64, at: [usize; 3]| -> T {
        // Weights of the element at the end and the two next to it.
        sum(&[
            (-(2.0 * h + far) / (h * (h + far)), at[0]),
            ((h + far) / (h * far), at[1]),
            (-h / (far * (h + far)), at[2]),
        ])
    };
    let gap = |i: usize| match spacing {
        Spacing::Equal(h) => *h,
        Spacing::Coordinates(c) => c[i + 1] - c[i],
    };
    // The far end looks at the last coordinates, also where there are more of them than elements.
    let gap_from_end = |i: usize| match spacing {
        Spacing::Equal(h) => *h,
        Spacing::Coordinates(c) => c[c.len() - 1 - i] - c[c.len() - 2 - i],
    };
    (0..n)
        .map(|i| match (i, spacing) {
            (0, _) if order == 1 => (x[1] - x[0]).scale(1.0 / gap(0)),
            (0, _) => ends(gap(0), gap(1), [0, 1, 2]),
            (i, _) if i + 1 == n && order == 1 => (x[i] - x[i - 1]).scale(1.0 / gap_from_end(0)),
            (i, _) if i + 1 == n => -ends(gap_from_end(0), gap_from_end(1), [i, i - 1, i - 2]),
            (i, Spacing::Equal(h)) => (x[i + 1] - x[i - 1]).scale(0.5 / h),
            (i, Spacing::Coordinates(_)) => {
                let (a, b) = (gap(i - 1), gap(i));
                sum(&[(-b / (a * (a + b)), i - 1), ((b - a) / (a * b), i), (a / (b * (a + b)), i + 1)])
            }
        })
        .collect()
}

/// Which spacing and dimensions an overload of `gradient` names.
fn gradient_plan(call: &Call<'_>, args: &[IValue], rank: usize) -> Result<(Vec<i64>, Vec<Spacing>, i64), Error> {
    let named = |name: &str| call.entry.schema().argument_index(name).and_then(|i| args.get(i));
    let dims: Vec<i64> = match named("dim") {
        None | Some(IValue::None) => (0..rank as i64).collect(),
        Some(IValue::Int(d)) => vec![*d],
        Some(list) => list.as_int_list()?.into_vec(),
    };
    let one_spacing = |v: &IValue| -> Result<Spacing, Error> {
        match v {
            IValue::Tensor(t) => Ok(Spacing::Coordinates(cast::to_vec::<f64>(t)?)),
            IValue::Complex(c) => Ok(Spacing::Equal(c.re)),
            v => Ok(Spacing::Equal(v.as_double()?)),
        }
    };
    let spacing: Vec<Spacing> = match named("spacing") {
        None | Some(IValue::None) => dims.iter().map(|_| Spacing::Equal(1.0)).collect(),
        Some(IValue::List(list)) => list.read().iter().map(one_spacing).collect::<Result<_, _>>()?,
        Some(v) => dims.iter().map(|_| one_spacing(v)).collect::<Result<_, _>>()?,
    };
    if spacing.len() != dims.len() {
        return Err(Error::runtime(format!(
            "torch.gradient expected spacing to be unspecified, a scalar, or a list of length equal to 'self.dim() = {}', \
             since dim argument was not given, but got a list of length {}",
            dims.len(),
            spacing.len()
        )));
    }
    Ok((dims, spacing, named("edge_order").map_or(Ok(1), IValue::as_int)?))
}

pub fn gradient(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let (dims, spacings, order) = gradient_plan(call, args, t.dim())?;
    if !(1..=2).contains(&order) {
        return Err(Error::runtime("torch.gradient only supports edge_order=1 and edge_order=2."));
    }
    let dtype = sconce_schema::promotion::to_float(t.dtype());
    let mut results = Vec::new();
    for (&dim, spacing) in dims.iter().zip(&spacings) {
        let at = wrap(dim, t.dim())?;
        let n = t.sizes().get(at).copied().unwrap_or(1);
        if n <= order {
            return Err(Error::runtime("torch.gradient expected each dimension size to be at least edge_order+1"));
        }
        if let Spacing::Coordinates(c) = spacing
            && (c.len() as i64) < n
        {
            return Err(Error::runtime(format!(
                "torch.gradient expected each spacing to have an element for each of its dimension's {n}, but got {}",
                c.len()
            )));
        }
        if let Spacing::Coordinates(c) = spacing
            && let (coordinates, inner) = (c.len() as i64 - 2, n - 2)
            && coordinates != inner
            && coordinates != 1
        {
            return Err(Error::runtime(format!(
                "The size of tensor a ({coordinates}) must match the size of tensor b ({inner}) at non-singleton dimension {at}"
            )));
        }
        results.push(with_float_acc!(dtype, T => {
            let lanes = Lanes::<T>::along(t, at)?;
            let data: Vec<T> = lanes.iter().flat_map(|x| slopes(x, spacing, order)).collect();
            from_lanes(data, t.sizes(), at, dtype)?
        }));
    }
    Ok(smallvec![IValue::tensor_list(results)])
}

/// Values counted into bins along several dimensions.
struct Histogram {
    /// The bins' borders, rising, for each dimension.
    edges: Vec<Vec<f64>>,
    /// Borders are evenly spread: a value's bin is found by division first.
    even: bool,
}

impl Histogram {
    /// Bins from `low` to `high` of the values, or of the given range.
    fn even(columns: &[Vec<f64>], bins: &[i64], range: &[f64], dtype: DType) -> Result<Histogram, Error> {
        if !range.is_empty() && range.len() != 2 * bins.len() {
            return Err(Error::runtime(format!(
                "torch.histogramdd: for a {}-dimensional histogram range should have {} elements, but got {}",
                bins.len(),
                2 * bins.len(),
                range.len()
            )));
        }
        let mut edges = Vec::new();
        for (d, (&n, column)) in bins.iter().zip(columns).enumerate() {
            if n <= 0 || n > 1 << 28 {
                return Err(Error::runtime(format!(
                    "torch.histogramdd(): bins must be > 0, but got {n} for dimension {d}"
                )));
            }
            let (low, high) = match range {
                [] if column.is_empty() => (0.0, 1.0),
                [] => column.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(*x), h.max(*x))),
                r => (r[2 * d], r[2 * d + 1]),
            };
            if !low.is_finite() || !high.is_finite() || column.iter().any(|x| range.is_empty() && x.is_nan()) {
                return Err(Error::runtime(format!(
                    "torch.histogramdd: dimension {d}'s range [{low}, {high}] is not finite"
                )));
            }
            if low > high {
                return Err(Error::runtime(format!(
                    "torch.histogramdd: min should not exceed max, but got min {low} max {high} for dimension {d}"
                )));
            }
            let (low, high) = if low == high { (low - 0.5, high + 0.5) } else { (low, high) };
            let borders =
                op("aten::linspace", &[IValue::Double(low), IValue::Double(high), IValue::Int(n + 1), dtype.into()])?;
            edges.push(cast::to_vec::<f64>(&borders)?);
        }
        Ok(Histogram { edges, even: true })
    }

    fn of_tensors(bins: &[Tensor]) -> Result<Histogram, Error> {
        let edges = bins.iter().map(cast::to_vec::<f64>).collect::<Result<Vec<_>, _>>()?;
        if edges.iter().any(Vec::is_empty) {
            return Err(Error::runtime("torch.histogramdd(): bins tensor should have at least 1 element"));
        }
        Ok(Histogram { edges, even: false })
    }

    fn bin(&self, d: usize, x: f64) -> Option<usize> {
        let e = &self.edges[d];
        let last = e.len() - 1;
        if !(x >= e[0] && x <= e[last]) || (last == 0) {
            return None;
        }
        let found = if self.even {
            let mut at = ((x - e[0]) * last as f64 / (e[last] - e[0])) as usize;
            at = at.min(last - 1);
            // Rounding may put a value on the other side of a border.
            if x < e[at] {
                at -= 1;
            } else if at + 1 < last && x >= e[at + 1] {
                at += 1;
            }
            at
        } else {
            e.partition_point(|b| *b <= x).saturating_sub(1)
        };
        Some(found.min(last - 1))
    }

    fn count(
        &self,
        columns: &[Vec<f64>],
        weights: Option<&Tensor>,
        density: bool,
        dtype: DType,
    ) -> Result<Tensor, Error> {
        let sizes: Sizes = self.edges.iter().map(|e| e.len() as i64 - 1).collect();
        let rows = columns.first().map_or(0, Vec::len);
        let weights = weights.map(cast::to_vec::<f64>).transpose()?;
        if weights.as_ref().is_some_and(|w| w.len() != rows) {
            return Err(Error::runtime(
                "torch.histogramdd: if weight tensor is provided it should have the same shape as the input tensor \
                 excluding its innermost dimension",
            ));
        }
        Tensor::zeros(&sizes, dtype)?;
        let mut sums = vec![0.0; count(&sizes)];
        'rows: for r in 0..rows {
            let mut at = 0;
            for (d, column) in columns.iter().enumerate() {
                let Some(bin) = self.bin(d, column[r]) else { continue 'rows };
                at = at * sizes[d] as usize + bin;
            }
            sums[at] += weights.as_ref().map_or(1.0, |w| w[r]);
        }
        if density {
            let total: f64 = sums.iter().sum();
            for (i, v) in sums.iter_mut().enumerate() {
                let mut rest = i;
                let mut volume = 1.0;
                for d in (0..sizes.len()).rev() {
                    let at = rest % sizes[d] as usize;
                    rest /= sizes[d] as usize;
                    volume *= self.edges[d][at + 1] - self.edges[d][at];
                }
                *v /= total * volume;
            }
        }
        cast::from_vec(sums, &sizes, dtype)
    }

    fn borders(&self, dtype: DType) -> Result<Vec<Tensor>, Error> {
        self.edges.iter().map(|e| cast::from_vec(e.clone(), &[e.len() as i64], dtype)).collect()
    }
}

/// The coordinates of the points that a tensor's last dimension holds.
fn columns(t: &Tensor, flat: bool) -> Result<Vec<Vec<f64>>, Error> {
    if !t.dtype().is_float() {
        return Err(Error::runtime(format!("\"histogramdd\" not implemented for '{}'", t.dtype().scalar_type_name())));
    }
    let data = cast::to_vec::<f64>(t)?;
    if flat {
        return Ok(vec![data]);
    }
    if t.dim() < 2 {
        return Err(Error::runtime("torch.histogramdd: input tensor should have at least 2 dimensions"));
    }
    let n = t.sizes()[t.dim() - 1] as usize;
    Ok((0..n).map(|d| data.iter().skip(d).step_by(n.max(1)).copied().collect()).collect())
}

fn range_arg(args: &[IValue], i: usize) -> Result<Vec<f64>, Error> {
    match arg(args, i)? {
        IValue::None => Ok(Vec::new()),
        list => Ok(list.as_list()?.read().iter().map(IValue::as_double).collect::<Result<_, _>>()?),
    }
}

fn check_bins(bins: usize, columns: usize) -> Result<(), Error> {
    if bins == columns {
        return Ok(());
    }
    Err(Error::runtime(format!(
        "torch.histogramdd: expected {columns} sequences of bin edges for a {columns}-dimensional histogram but got {bins}"
    )))
}

/// (self, bins, range, weight, density).
pub fn histogram(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let columns = columns(t, true)?;
    let histogram = Histogram::even(&columns, &[int_arg(args, 1)?], &range_arg(args, 2)?, t.dtype())?;
    let counts = histogram.count(&columns, optional_tensor(args, 3)?, bool_arg(args, 4)?, t.dtype())?;
    let edges = histogram.borders(t.dtype())?.remove(0);
    Ok(smallvec![counts.into(), edges.into()])
}

/// (self, bins, weight, density).
pub fn histogram_bins(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (t, bins) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    if bins.dtype() != t.dtype() {
        return Err(Error::runtime("torch.histogramdd: input tensor and bins tensors should have the same dtype"));
    }
    let columns = columns(t, true)?;
    let histogram = Histogram::of_tensors(std::slice::from_ref(bins))?;
    let counts = histogram.count(&columns, optional_tensor(args, 2)?, bool_arg(args, 3)?, t.dtype())?;
    Ok(smallvec![counts.into(), bins.copy()?.into()])
}

/// The bins' numbers: one for all dimensions, or one each.
fn bin_counts(args: &[IValue], dims: usize) -> Result<Vec<i64>, Error> {
    match arg(args, 1)? {
        IValue::Int(n) => Ok(vec![*n; dims]),
        _ => Ok(ints_arg(args, 1)?.into_vec()),
    }
}

/// (self, bins, range, weight, density), the bins being numbers or borders.
pub fn histogramdd(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let columns = columns(t, false)?;
    let histogram = bins_of(args, &columns, t.dtype())?;
    let counts = histogram.count(&columns, optional_tensor(args, 3)?, bool_arg(args, 4)?, t.dtype())?;
    // Borders that were given are handed back themselves.
    let given = arg(args, 1)?.as_tensor_list().ok().filter(|g| !g.is_empty());
    Ok(smallvec![
        counts.into(),
        IValue::tensor_list(given.map_or_else(|| histogram.borders(t.dtype()), |given| Ok(given.into_vec()))?)
    ])
}

fn bins_of(args: &[IValue], columns: &[Vec<f64>], dtype: DType) -> Result<Histogram, Error> {
    if let Ok(tensors) = arg(args, 1)?.as_tensor_list()
        && !tensors.is_empty()
    {
        check_bins(tensors.len(), columns.len())?;
        return Histogram::of_tensors(&tensors);
    }
    let bins = bin_counts(args, columns.len())?;
    check_bins(bins.len(), columns.len())?;
    Histogram::even(columns, &bins, &range_arg(args, 2)?, dtype)
}

/// Only the borders.
pub fn histogramdd_edges(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let columns = columns(t, false)?;
    Ok(smallvec![IValue::tensor_list(bins_of(args, &columns, t.dtype())?.borders(t.dtype())?)])
}

/// Only the counts, of numbers of bins.
pub fn histogramdd_counts(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let columns = columns(t, false)?;
    let histogram = bins_of(args, &columns, t.dtype())?;
    one(histogram.count(&columns, optional_tensor(args, 3)?, bool_arg(args, 4)?, t.dtype())?)
}

/// Only the counts, of borders: (self, bins, weight, density).
pub fn histogramdd_tensors(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let columns = columns(t, false)?;
    let bins = arg(args, 1)?.as_tensor_list()?;
    check_bins(bins.len(), columns.len())?;
    let histogram = Histogram::of_tensors(&bins)?;
    one(histogram.count(&columns, optional_tensor(args, 2)?, bool_arg(args, 3)?, t.dtype())?)
}

/// (data, reduce, lengths, indices, offsets, axis, unsafe, initial): each run of elements along a dimension becomes one.
pub fn segment_reduce(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let data = tensor_arg(args, 0)?;
    let how = arg(args, 1)?.as_str()?;
    let axis = wrap(int_arg(args, 5)?, data.dim())?;
    let initial = arg(args, 7)?.optional().map(IValue::as_double).transpose()?;
    let (bounds, segments) = segment_bounds(args, data, axis)?;
    let start = match how {
        "sum" | "mean" => 0.0,
        "prod" => 1.0,
        "max" => f64::NEG_INFINITY,
        "min" => f64::INFINITY,
        other => {
            return Err(Error::runtime(format!(
                "Expected reduction to be mean, sum, min, max or prod, but got {other}"
            )));
        }
    };
    let outer = count(&data.sizes()[..axis]);
    let inner = count(&data.sizes()[axis + 1..]);
    let length = data.sizes()[axis] as usize;
    let x = cast::to_vec::<f64>(data)?;
    let mut out = Vec::with_capacity(outer * segments * inner);
    for o in 0..outer {
        for s in 0..segments {
            let (from, to) = bounds[o * segments + s];
            for i in 0..inner {
                let values = (from..to).map(|k| x[(o * length + k) * inner + i]);
                let first = initial.unwrap_or(start);
                let n = (to - from) as f64;
                out.push(match how {
                    "sum" => first + values.sum::<f64>(),
                    "prod" => first * values.product::<f64>(),
                    "mean" if n == 0.0 => initial.unwrap_or(f64::NAN),
                    "mean" => (first + values.sum::<f64>()) / n,
                    "max" => values.fold(first, |a, b| if a.is_nan() || a > b { a } else { b }),
                    _ => values.fold(first, |a, b| if a.is_nan() || a < b { a } else { b }),
                });
            }
        }
    }
    let mut sizes: Sizes = data.sizes().into();
    sizes[axis] = segments as i64;
    one(cast::from_vec(out, &sizes, data.dtype())?)
}

/// Where each segment begins and ends, and how many a lane has.
///
/// `unsafe` calls are not checked; a segment beyond the end holds what is there.
fn segment_bounds(args: &[IValue], data: &Tensor, axis: usize) -> Result<(Vec<(usize, usize)>, usize), Error> {
    let length = data.sizes()[axis];
    let (list, by_offset) = match (optional_tensor(args, 2)?, optional_tensor(args, 4)?) {
        (Some(l), _) => (l, false),
        (None, Some(o)) => (o, true),
        (None, None) => return Err(Error::runtime("segment_reduce(): Either lengths or offsets must be defined.")),
    };
    if list.dim() != axis + 1 || list.sizes()[..axis] != data.sizes()[..axis] {
        return Err(Error::runtime(
            "segment_reduce(): Expected all dimensions of lengths or offsets before axis to match those of data.",
        ));
    }
    let width = list.sizes()[axis] as usize;
    let values = cast::to_vec::<i64>(list)?;
    let unchecked = bool_arg(args, 6)?;
    let mut bounds = Vec::new();
    for lane in values.chunks(width.max(1)) {
        let mut at = 0i64;
        let pairs: Vec<(i64, i64)> = if by_offset {
            lane.windows(2).map(|w| (w[0], w[1])).collect()
        } else {
            lane.iter()
                .map(|n| {
                    at = at.saturating_add(*n);
                    (at - n, at)
                })
                .collect()
        };
        for (from, to) in pairs {
            let (from, to) = if unchecked { (from.clamp(0, length), to.clamp(0, length)) } else { (from, to) };
            if from < 0 || to < from || to > length {
                return Err(Error::runtime(format!(
                    "segment_reduce(): a segment from {from} to {to} does not lie in a dimension of {length}"
                )));
            }
            bounds.push((from as usize, to as usize));
        }
        if !by_offset && at != length && !unchecked {
            return Err(Error::runtime(
                "segment_reduce(): Expected all rows of lengths along axis to sum to data.size(lengths.dim()-1)",
            ));
        }
    }
    Ok((bounds, if by_offset { width.saturating_sub(1) } else { width }))
}

/// The exclusive or of the elements' bits: integers as 64 of them, floats as doubles.
pub fn hash(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let t = tensor_arg(args, 0)?;
    let folded = mask(&ints_arg(args, 1)?, t.dim())?;
    let bits: Vec<u64> = if t.dtype().is_float() {
        Lanes::<f64>::over(t, &folded)?.iter().map(|l| l.iter().fold(0, |h, x| h ^ x.to_bits())).collect()
    } else {
        Lanes::<i64>::over(t, &folded)?.iter().map(|l| l.iter().fold(0, |h, x| h ^ *x as u64)).collect()
    };
    one(cast::from_vec(bits, &sizes, dtype)?)
}

/// The inverse of [`Lanes::along`]: a tensor of these sizes from lanes along a dimension, laid out contiguously.
fn from_lanes<T: Value>(data: Vec<T>, sizes: &[i64], dim: usize, dtype: DType) -> Result<Tensor, Error> {
    if sizes.is_empty() {
        return cast::from_vec(data, sizes, dtype);
    }
    let order: SmallVec<[usize; 6]> = (0..sizes.len()).filter(|&d| d != dim).chain([dim]).collect();
    let moved: Sizes = order.iter().map(|&d| sizes[d]).collect();
    let lanes = cast::from_vec(data, &moved, dtype)?;
    let mut back: SmallVec<[usize; 6]> = SmallVec::from_elem(0, sizes.len());
    for (i, &d) in order.iter().enumerate() {
        back[d] = i;
    }
    let out = permute(&lanes, &back)?.contiguous()?;
    // Where one is as good as the other, dimensions of size 1 have a row-major tensor's strides.
    Ok(out.as_strided(sizes, &sconce_tensor::contiguous_strides(sizes), out.storage_offset())?)
}
