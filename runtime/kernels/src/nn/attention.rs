//! Attention: softmax of scaled, masked scores times the values, alone and inside the layers of a transformer.

use crate::engine::arguments::{arg, bool_arg, float_arg, int_arg, one, optional_tensor, result, tensor_arg};
use crate::engine::elementwise::{broadcast_strides, result_strides};
use crate::engine::lanes::{permute, reshape, transposed};
use crate::engine::transcendental::exp;
use crate::engine::vectorize::vectorize_widest;
use crate::engine::{cast, parallel, scratch};
use crate::linalg::batched_gemm::multiply;
use crate::linalg::matmul::affine;
use crate::nn::nested;
use crate::{Call, Error, Outputs, pointwise};
use sconce_gemm::{Product, View, product};
use sconce_parallel::rows::{largest, to_parts};
use sconce_schema::scalar::Binary;
use sconce_tensor::{Bool, DType, IValue, Sizes, Tensor, contiguous_strides};
use smallvec::smallvec;

/// Softmax of scaled, masked scores times the values.
pub fn scaled_dot_product_attention(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let (q, k, v) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?, tensor_arg(args, 2)?);
    let mask = optional_tensor(args, 3)?;
    let scale =
        if arg(args, 6)?.is_none() { 1.0 / (q.sizes()[q.dim() - 1] as f64).sqrt() } else { float_arg(args, 6)? };
    let dropout = float_arg(args, 4)?;
    let (causal, grouped) = (bool_arg(args, 5)?, bool_arg(args, 7)?);
    // The result lies as the query does, as in PyTorch's fused kernel, which takes rows without gaps.
    let rows = [q, k, v].iter().all(|t| t.strides().last() == Some(&1));
    let as_query = rows && q.sizes() == &*sizes && crate::engine::elementwise::is_dense(q) && dropout == 0.0;
    let strides = if as_query { result_strides(&sizes, &[q]) } else { contiguous_strides(&sizes) };
    let out = call.output(0, &sizes, &strides, dtype)?;
    if dropout != 0.0 {
        let masks = Masks { mask, causal, dropout };
        cast::convert_into(&out, &attention(q, k, v, &masks, scale, grouped)?.0)?;
        return one(out);
    }
    if dtype == DType::F32 && fused(&out, [q, k, v], mask, causal, scale, grouped)? {
        return one(out);
    }
    if dtype.is_float() && dtype.size() < 4 {
        // Halves are computed in f32 and rounded once.
        let single = |t: &Tensor| cast::convert(t, DType::F32);
        let added = mask.filter(|m| m.dtype() != DType::Bool).map(single).transpose()?;
        let wide = crate::engine::elementwise::empty_strided(&sizes, &strides, DType::F32)?;
        if fused(&wide, [&single(q)?, &single(k)?, &single(v)?], added.as_ref().or(mask), causal, scale, grouped)? {
            cast::convert_into(&out, &wide)?;
            return one(out);
        }
    }
    let wide = attention(q, k, v, &Masks { mask, causal, dropout }, scale, grouped)?.0;
    cast::convert_into(&out, &wide)?;
    one(out)
}

/// Scores that are kept at once, about.
const SCORES: usize = 1 << 16;

/// Attention of f32 in blocks of queries whose scores stay in cache. Says whether it could: not for factors that are broadcast against each other.
fn fused(
    out: &Tensor,
    [q, k, v]: [&Tensor; 3],
    mask: Option<&Tensor>,
    causal: bool,
    scale: f64,
    grouped: bool,
) -> Result<bool, Error> {
    let rank = q.dim();
    if rank < 2 || [k, v, out].iter().any(|t| t.dim() != rank) || [k, v].iter().any(|t| t.dtype() != DType::F32) {
        return Ok(false);
    }
    let batch = &q.sizes()[..rank - 2];
    // Several heads of queries may share one of keys and values.
    let shared = |t: &Tensor| -> Option<i64> {
        let own = &t.sizes()[..rank - 2];
        match (batch.split_last(), own.split_last()) {
            _ if batch == own => Some(1),
            (Some((q, rest)), Some((t, own))) if grouped && rest == own && *t > 0 && q % t == 0 => Some(q / t),
            _ => None,
        }
    };
    let (Some(by_keys), Some(by_values)) = (shared(k), shared(v)) else { return Ok(false) };
    let size = |t: &Tensor, d: usize| t.sizes()[rank - d] as usize;
    let (queries, depth, keys, width) = (size(q, 2), size(q, 1), size(k, 2), size(v, 1));
    if size(k, 1) != depth || size(v, 2) != keys || size(out, 1) != width || size(out, 2) != queries {
        return Ok(false);
    }
    if keys == 0 || depth == 0 || out.strides()[rank - 1] != 1 && width > 1 {
        return Ok(false);
    }
    let mut full: Sizes = batch.into();
    full.extend([queries as i64, keys as i64]);
    let masked = match mask {
        None => None,
        Some(m) if m.dim() > rank || !matches!(m.dtype(), DType::Bool | DType::F32) => return Ok(false),
        Some(m) => Some((m, broadcast_strides(m, &full))),
    };
    let count = crate::engine::lanes::count(batch);
    let block = (SCORES / keys).clamp(12, 192).min(queries.max(1));
    let blocks = queries.div_ceil(block);
    // Where a matrix of the batch begins.
    let offset = |strides: &[i64], index: usize, share: i64| {
        let (mut i, mut at) = (index as i64, 0);
        for d in (0..batch.len()).rev() {
            let own = i % batch[d];
            at += if d + 1 == batch.len() { own / share } else { own } * strides[d];
            i /= batch[d];
        }
        at as isize
    };
    let grain = (1usize << 20).div_ceil((block * keys * (depth + width)).max(1));
    parallel::split(count * blocks, grain, |range| {
        let mut scores = scratch::buffer::<f32>(block * keys);
        for i in range {
            let (index, first) = (i / blocks, i % blocks * block);
            let rows = (queries - first).min(block);
            // Keys after the last query of the block are hidden from all of it.
            let seen = if causal { keys.min(first + rows) } else { keys };
            let view = |t: &Tensor, share: i64, row: usize| {
                let at = offset(t.strides(), index, share) + row as isize * t.strides()[rank - 2] as isize;
                View::new(
                    t.data_ptr::<f32>().cast_const().wrapping_offset(at),
                    t.strides()[rank - 2] as isize,
                    t.strides()[rank - 1] as isize,
                )
            };
            let (keys_view, values) = (view(k, by_keys, 0), view(v, by_values, 0));
            let turned = View::new(keys_view.data, keys_view.column, keys_view.row);
            let p = Product {
                m: rows,
                n: seen,
                k: depth,
                a: view(q, 1, first),
                out: scores.as_mut_ptr(),
                out_row: seen,
                alpha: scale as f32,
                start: None,
            };
            // SAFETY: the views lie in their tensors, `scores` has room for the block.
            unsafe { product(&p, &turned) };
            for r in 0..rows {
                let row = &mut scores[r * seen..(r + 1) * seen];
                let valid = if causal { seen.min(first + r + 1) } else { seen };
                row[valid..].fill(0.0);
                let row = &mut row[..valid];
                if let Some((m, strides)) = &masked {
                    let at = offset(strides, index, 1) + (first + r) as isize * strides[rank - 2] as isize;
                    let step = strides[rank - 1] as isize;
                    // SAFETY: the mask is broadcast over these rows and columns.
                    unsafe {
                        if m.dtype() == DType::Bool {
                            let m = m.bytes_ptr().cast_const().offset(at);
                            for (j, x) in row.iter_mut().enumerate() {
                                *x = if *m.offset(j as isize * step) == 0 { f32::NEG_INFINITY } else { *x };
                            }
                        } else {
                            let m = m.data_ptr::<f32>().cast_const().offset(at);
                            row.iter_mut().enumerate().for_each(|(j, x)| *x += *m.offset(j as isize * step));
                        }
                    }
                }
                softmax(row);
            }
            let target = view(out, 1, first);
            let p = Product {
                m: rows,
                n: width,
                k: seen,
                a: View::new(scores.as_ptr(), seen as isize, 1),
                out: target.data.cast_mut(),
                out_row: target.row as usize,
                alpha: 1.0,
                start: None,
            };
            // SAFETY: as above; blocks write their own rows of the result.
            unsafe { product(&p, &values) };
        }
    });
    Ok(true)
}

/// The softmax of a row; zeros where everything is hidden.
fn softmax(row: &mut [f32]) {
    let most = largest(row);
    if most == f32::NEG_INFINITY {
        return row.fill(if row.iter().any(|x| x.is_nan()) { f32::NAN } else { 0.0 });
    }
    let powers = &mut *row;
    vectorize_widest(
        #[inline(always)]
        move || powers.iter_mut().for_each(|x| *x = exp(*x - most)),
    );
    to_parts(row);
}

/// Which scores do not count.
pub struct Masks<'a> {
    /// Added to the scores, or true where they count.
    pub mask: Option<&'a Tensor>,
    /// Whether keys after the query's place are hidden.
    pub causal: bool,
    /// How probably a weight is dropped.
    pub dropout: f64,
}

/// Attention in f64: the weighted values and the weights.
pub fn attention(
    q: &Tensor,
    k: &Tensor,
    v: &Tensor,
    &Masks { mask, causal, dropout }: &Masks<'_>,
    scale: f64,
    grouped: bool,
) -> Result<(Tensor, Tensor), Error> {
    let repeat = |t: &Tensor| -> Result<Tensor, Error> {
        let t = cast::convert(t, DType::F64)?;
        let heads = t.dim().checked_sub(3).zip(q.dim().checked_sub(3));
        let heads = heads.map(|(d, e)| (d, q.sizes()[e], t.sizes()[d]));
        match heads {
            Some((d, want, have)) if grouped && want != have && have > 0 && want % have == 0 => {
                let (mut s, mut st): (Sizes, Sizes) = (t.sizes().into(), t.strides().into());
                s.insert(d + 1, want / have);
                st.insert(d + 1, 0);
                let mut flat: Sizes = t.sizes().into();
                flat[d] = want;
                reshape(&t.as_strided(&s, &st, t.storage_offset())?, &flat)
            }
            _ => Ok(t),
        }
    };
    let (k, v) = (repeat(k)?, repeat(v)?);
    let scores = multiply(&cast::convert(q, DType::F64)?, &transposed(&k)?)?;
    let (rows, columns) = (scores.sizes()[scores.dim() - 2] as usize, scores.sizes()[scores.dim() - 1] as usize);
    let mut data = cast::to_vec::<f64>(&scores)?;
    let allowed = match mask {
        Some(m) if m.dtype() == DType::Bool => Some(cast::to_vec::<Bool>(&m.expand(scores.sizes())?)?),
        _ => None,
    };
    let added = match mask {
        Some(m) if m.dtype() != DType::Bool => Some(cast::to_vec::<f64>(&m.expand(scores.sizes())?)?),
        _ => None,
    };
    for (i, x) in data.iter_mut().enumerate() {
        *x *= scale;
        if let Some(a) = &added {
            *x += a[i];
        }
        let hidden = causal && i % columns > (i / columns) % rows;
        if hidden || allowed.as_ref().is_some_and(|a| !a[i].get()) {
            *x = f64::NEG_INFINITY;
        }
    }
    if columns > 0 {
        for row in data.chunks_exact_mut(columns) {
            // A row in which everything is hidden gives zeros.
            if row.iter().all(|x| *x == f64::NEG_INFINITY) {
                row.fill(0.0);
            } else {
                crate::nn::norm::softmax_lane(row, false);
            }
        }
    }
    let weights = crate::tensor::random::without(&Tensor::from_vec(data, scores.sizes()), dropout)?;
    Ok((multiply(&weights, &v)?, weights))
}

/// Rows `from..from + n` of a weight or bias.
fn part(t: &Tensor, from: i64, n: i64) -> Result<Tensor, Error> {
    let mut sizes: Sizes = t.sizes().into();
    sizes[0] = n;
    Ok(t.as_strided(&sizes, t.strides(), t.storage_offset() + from * t.strides()[0])?)
}

/// The projections of a multi-head attention: weight and bias for query, key and value together, and for the output.
struct Projections<'a> {
    inward: &'a Tensor,
    inward_bias: &'a Tensor,
    outward: &'a Tensor,
    outward_bias: &'a Tensor,
    heads: i64,
}

/// Output and weights `[batch, heads, query, key]`, in f64. A true mask element is hidden.
fn multi_head(
    x: [&Tensor; 3],
    p: &Projections<'_>,
    mask: Option<&Tensor>,
    kind: Option<i64>,
) -> Result<(Tensor, Tensor), Error> {
    let wide = |t: &Tensor| cast::convert(t, DType::F64);
    let (w, b) = (wide(p.inward)?, wide(p.inward_bias)?);
    if w.dim() != 2 || b.dim() != 1 || p.outward.dim() != 2 || b.sizes()[0] != w.sizes()[0] {
        return Err(Error::runtime("multi-head attention: projections must be matrices with biases"));
    }
    let d = p.outward.sizes()[0];
    if x.iter().any(|t| t.dim() != 3) || p.heads <= 0 || d % p.heads != 0 || w.sizes()[0] != 3 * d {
        return Err(Error::runtime("multi-head attention: sizes of input, weights and heads do not fit"));
    }
    let mut split = Vec::new();
    for (i, t) in x.iter().enumerate() {
        let at = i as i64 * d;
        let y = affine(&wide(t)?, &part(&w, at, d)?, Some(&part(&b, at, d)?))?;
        let y = reshape(&y, &[t.sizes()[0], t.sizes()[1], p.heads, d / p.heads])?;
        split.push(permute(&y, &[0, 2, 1, 3])?.contiguous()?);
    }
    // A mask of rank 2 is over keys per batch (kind 1) or over queries and keys.
    let mask = match mask {
        Some(m) => {
            let allowed: Vec<Bool> =
                cast::to_vec::<Bool>(m)?.into_iter().map(|hidden| Bool::new(!hidden.get())).collect();
            let flat = Tensor::from_vec(allowed, m.sizes());
            if kind == Some(1) && m.sizes() != [x[0].sizes()[0], x[1].sizes()[1]] {
                return Err(Error::runtime("For mask_type == 1 mask shape should be (B, L)"));
            }
            Some(match (kind, m.dim()) {
                (Some(1), 2) => reshape(&flat, &[m.sizes()[0], 1, 1, m.sizes()[1]])?,
                _ => flat,
            })
        }
        None => None,
    };
    let scale = 1.0 / ((d / p.heads) as f64).sqrt();
    let masks = Masks { mask: mask.as_ref(), causal: false, dropout: 0.0 };
    let (out, weights) = attention(&split[0], &split[1], &split[2], &masks, scale, false)?;
    let (batch, queries) = (x[0].sizes()[0], x[0].sizes()[1]);
    let joined = reshape(&permute(&out, &[0, 2, 1, 3])?, &[batch, queries, d])?;
    Ok((affine(&joined, &wide(p.outward)?, Some(&wide(p.outward_bias)?))?, weights))
}

pub fn multi_head_attention(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let x = [tensor_arg(args, 0)?, tensor_arg(args, 1)?, tensor_arg(args, 2)?];
    let dtype = x[0].dtype();
    let p = Projections {
        heads: int_arg(args, 4)?,
        inward: tensor_arg(args, 5)?,
        inward_bias: tensor_arg(args, 6)?,
        outward: tensor_arg(args, 7)?,
        outward_bias: tensor_arg(args, 8)?,
    };
    let kind = arg(args, 12)?.optional().map(IValue::as_int).transpose()?;
    let (out, weights) = multi_head(x, &p, optional_tensor(args, 9)?, kind)?;
    let out = cast::convert(&out, dtype)?;
    if !bool_arg(args, 10)? {
        return Ok(smallvec![IValue::Tensor(out), IValue::None]);
    }
    let weights = if bool_arg(args, 11)? {
        let s = weights.sizes();
        let mean = crate::engine::lanes::Lanes::<f64>::along(&weights, 1)?;
        let data: Vec<f64> = mean.iter().map(|l| l.iter().sum::<f64>() / l.len() as f64).collect();
        Tensor::from_vec(data, &[s[0], s[2], s[3]])
    } else {
        weights
    };
    Ok(smallvec![IValue::Tensor(out), IValue::Tensor(cast::convert(&weights, dtype)?)])
}

/// Attention and a two-layer network, each with a residual connection and a normalisation before or after.
pub fn transformer_encoder_layer(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let wide = |i: usize| -> Result<Tensor, Error> { cast::convert(tensor_arg(args, i)?, DType::F64) };
    let source = tensor_arg(args, 0)?;
    let p = Projections {
        heads: int_arg(args, 2)?,
        inward: tensor_arg(args, 3)?,
        inward_bias: tensor_arg(args, 4)?,
        outward: tensor_arg(args, 5)?,
        outward_bias: tensor_arg(args, 6)?,
    };
    let (gelu, before, eps) = (bool_arg(args, 7)?, bool_arg(args, 8)?, float_arg(args, 9)?);
    let norms = [(wide(10)?, wide(11)?), (wide(12)?, wide(13)?)];
    let layers = [(wide(14)?, wide(15)?), (wide(16)?, wide(17)?)];
    // Sequences of different lengths hide what is beyond their ends.
    let padding = source.lengths().map(|l| nested::padding(l, source.sizes()[1]));
    let (mask, kind) = match (&padding, optional_tensor(args, 18)?) {
        (Some(_), Some(_)) => return Err(Error::runtime("Mask is not supported for nested tensors")),
        (Some(padding), None) => (Some(padding), Some(1)),
        (None, mask) => (mask, arg(args, 19)?.optional().map(IValue::as_int).transpose()?),
    };
    let normalize = |t: &Tensor, i: usize| crate::nn::norm::layer_normalized(t, &norms[i].0, &norms[i].1, eps);
    let add = |a: &Tensor, b: &Tensor| pointwise::binary(Binary::Add, a, b);
    let x = cast::convert(source, DType::F64)?;
    let input = if before { normalize(&x, 0)? } else { x.clone() };
    let mut x = add(&x, &multi_head([&input, &input, &input], &p, mask, kind)?.0)?;
    if !before {
        x = normalize(&x, 0)?;
    }
    let input = if before { normalize(&x, 1)? } else { x.clone() };
    let hidden = affine(&input, &layers[0].0, Some(&layers[0].1))?;
    let active: Vec<f64> = hidden
        .to_vec::<f64>()
        .into_iter()
        .map(|v| if gelu { 0.5 * v * (1.0 + libm::erf(v * std::f64::consts::FRAC_1_SQRT_2)) } else { v.max(0.0) })
        .collect();
    let hidden = Tensor::from_vec(active, hidden.sizes());
    x = add(&x, &affine(&hidden, &layers[1].0, Some(&layers[1].1))?)?;
    if !before {
        x = normalize(&x, 1)?;
    }
    let out = cast::convert(&x, source.dtype())?;
    one(match source.lengths() {
        Some(lengths) => nested::cut(&out, lengths)?,
        None => out,
    })
}
