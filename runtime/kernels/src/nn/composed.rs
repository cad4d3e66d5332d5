//! Operators that are a few others in a row.

use crate::engine::cast;
use crate::engine::compose::{all, one as call_one, tensor as op, tensors as ops};
use crate::engine::lanes::{
    arg, bool_arg, count, float_arg, int_arg, ints_arg, optional_tensor, result, tensor_arg, wrap,
};
use crate::nn::attention::Masks;
use crate::{Call, Error, Outputs};
use sconce_tensor::{Bool, DType, IValue, Sizes, Tensor};
use smallvec::smallvec;

fn one(t: Tensor) -> Result<Outputs, Error> {
    Ok(smallvec![IValue::Tensor(t)])
}

fn v(t: &Tensor) -> IValue {
    IValue::Tensor(t.clone())
}

fn two(name: &str, a: &Tensor, b: &Tensor) -> Result<Tensor, Error> {
    op(name, &[v(a), v(b)])
}

/// All arguments, themselves.
pub fn all_same(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    Ok(args.iter().cloned().collect())
}

pub fn negated(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    one(op("aten::neg", &args[..1])?.contiguous()?)
}

pub fn conjugated(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    one(op("aten::conj_physical", &args[..1])?.copy()?)
}

pub fn isreal(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, _) = result(call.metas, 0)?;
    let t = tensor_arg(args, 0)?;
    if t.dtype().is_complex() {
        let imaginary = op("aten::imag", &[v(t)])?;
        return all("aten::eq.Scalar", &[imaginary.into(), IValue::Int(0)]);
    }
    one(op("aten::ones", &[IValue::int_list(&sizes), DType::Bool.into()])?)
}

/// (self, memory_format): complex numbers of halves.
pub fn chalf(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    all(
        "aten::to.dtype",
        &[arg(args, 0)?.clone(), DType::C32.into(), false.into(), false.into(), arg(args, 1)?.clone()],
    )
}

/// (self, cuda_enabled, cpu_enabled, cuda_dtype, cpu_dtype): floats become what the processor computes in, if anything is to.
pub fn autocast_to_reduced_precision(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    match tensor_arg(args, 0)?.dtype() == DType::F32 && bool_arg(args, 2)? {
        true => all("aten::to.dtype", &[arg(args, 0)?.clone(), arg(args, 4)?.clone()]),
        false => Ok(smallvec![arg(args, 0)?.clone()]),
    }
}

/// (qkv, qkv_bias, num_heads): queries, keys and values of each head, the queries scaled for attention.
pub fn transform_bias_rescale_qkv(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (qkv, bias) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let (sizes, _) = result(call.metas, 0)?;
    let [batch, heads, time, width] = sizes[..] else {
        return Err(Error::runtime("transform_bias_rescale_qkv: sizes are not known"));
    };
    let split = IValue::int_list(&[batch, time, 3, heads, width]);
    let parts = op("aten::reshape", &[two("aten::add.Tensor", qkv, bias)?.into(), split])?;
    let parts = op("aten::permute", &[parts.into(), IValue::int_list(&[2, 0, 3, 1, 4])])?;
    let part = |i: i64| -> Result<Tensor, Error> {
        let part = op("aten::select.int", &[v(&parts), IValue::Int(0), IValue::Int(i)])?;
        op("aten::clone", &[part.into(), IValue::Int(0)])
    };
    let scale = IValue::Double(1.0 / (width as f64).sqrt());
    let queries = op("aten::mul.Scalar", &[part(0)?.into(), scale])?;
    Ok(smallvec![queries.into(), part(1)?.into(), part(2)?.into()])
}

/// Mantissas in [0.5, 1), and exponents of two.
pub fn frexp(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let parts: Vec<(f64, i32)> = cast::to_vec::<f64>(t)?.into_iter().map(libm::frexp).collect();
    // Of what is not finite the exponent is zero.
    let exponents = parts.iter().map(|(m, e)| if m.is_finite() { *e } else { 0 }).collect::<Vec<i32>>();
    let laid = |x: Tensor| -> Result<Tensor, Error> {
        let out = crate::engine::elementwise::empty_like(t, x.dtype())?;
        cast::convert_into(&out, &x)?;
        Ok(out)
    };
    let mantissas = cast::from_vec(parts.iter().map(|p| p.0).collect::<Vec<f64>>(), t.sizes(), t.dtype())?;
    Ok(smallvec![laid(mantissas)?.into(), laid(cast::from_vec(exponents, t.sizes(), DType::I32)?)?.into()])
}

/// (self, mat1, mat2, beta, alpha, use_gelu).
pub fn addmm_activation(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let sum = op("aten::addmm", &args[..5])?;
    all(if bool_arg(args, 5)? { "aten::gelu" } else { "aten::relu" }, &[sum.into()])
}

/// (glu, x, dx, dim).
pub fn glu_jvp(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (glu, x, dx) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?, tensor_arg(args, 2)?);
    let dim = wrap(int_arg(args, 3)?, x.dim())?;
    let half = glu.sizes().get(dim).copied().unwrap_or(0);
    let part = |t: &Tensor, from: i64| {
        op("aten::narrow", &[v(t), IValue::Int(dim as i64), IValue::Int(from), IValue::Int(half)])
    };
    let gate = op("aten::sigmoid", &[part(x, half)?.into()])?;
    let (da, db) = (part(dx, 0)?, part(dx, half)?);
    let turned = two("aten::sub.Tensor", &db, &two("aten::mul.Tensor", &gate, &db)?)?;
    let first = two("aten::mul.Tensor", &da, &gate)?;
    one(two("aten::add.Tensor", &first, &two("aten::mul.Tensor", glu, &turned)?)?)
}

/// (grad_output, self, weight).
pub fn prelu_backward(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (g, x, w) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?, tensor_arg(args, 2)?);
    let positive = op("aten::gt.Scalar", &[v(x), IValue::Int(0)])?;
    let scaled = two("aten::mul.Tensor", w, g)?;
    let to_input = op("aten::where.self", &[v(&positive), v(g), scaled.into()])?;
    let product = two("aten::mul.Tensor", x, g)?;
    let zero = Tensor::zeros(&[], product.dtype())?;
    let to_weight = op("aten::where.self", &[positive.into(), zero.into(), product.into()])?;
    Ok(smallvec![to_input.into(), to_weight.into()])
}

/// (grad_output, self, noise, lower, upper, training, self_is_result).
pub fn rrelu_backward(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (lower, upper) = (float_arg(args, 3)?, float_arg(args, 4)?);
    if bool_arg(args, 5)? && upper - lower > 1e-6 {
        return all("aten::mul.Tensor", &[arg(args, 2)?.clone(), arg(args, 0)?.clone()]);
    }
    let slope = IValue::Double((lower + upper) / 2.0);
    all("aten::leaky_relu_backward", &[arg(args, 0)?.clone(), arg(args, 1)?.clone(), slope, arg(args, 6)?.clone()])
}

/// (self, mask, dim, mask_type): softmax of the elements that the mask leaves; the others are zero.
pub fn masked_softmax(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (t, mask) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    if mask.dtype() != DType::Bool {
        return Err(Error::runtime("Mask should be a boolean tensor"));
    }
    let rank = t.dim();
    let dim = arg(args, 2)?.optional().map_or(Ok(-1), IValue::as_int)?;
    let kind = arg(args, 3)?.optional().map(IValue::as_int).transpose()?;
    let shaped = match (kind, mask.sizes(), t.sizes()) {
        // One mask for all heads and rows of a sample, or for all samples and heads.
        (Some(1), [b, l], [_, _, _, _]) => op("aten::view", &[v(mask), IValue::int_list(&[*b, 1, 1, *l])])?,
        (Some(0), [l, m], [_, _, _, _]) => op("aten::view", &[v(mask), IValue::int_list(&[1, 1, *l, *m])])?,
        _ => mask.clone(),
    };
    let shaped = shaped.expand(t.sizes())?;
    let lane = wrap(dim, rank)?;
    let mut lanes = crate::engine::lanes::Lanes::<f64>::along(t, lane)?;
    let hidden = crate::engine::lanes::Lanes::<Bool>::along(&shaped, lane)?;
    for (x, hidden) in lanes.iter_mut().zip(hidden.iter()) {
        let shown = || hidden.iter().enumerate().filter(|(_, h)| !h.get()).map(|(i, _)| i);
        let most = shown().map(|i| x[i]).fold(f64::NEG_INFINITY, |a, b| if a.is_nan() || a > b { a } else { b });
        let sum: f64 = shown().map(|i| (x[i] - most).exp()).sum();
        for (x, hidden) in x.iter_mut().zip(hidden) {
            *x = if hidden.get() { 0.0 } else { (*x - most).exp() } / sum;
        }
    }
    one(crate::engine::lanes::from_lanes(lanes.data, t.sizes(), lane, t.dtype())?)
}

/// (self, mask, indices, values): values are added where the mask allows; indices beyond the ends go to them.
pub fn masked_index_put(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (t, mask, values) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?, tensor_arg(args, 3)?);
    let hidden = op("aten::logical_not", &[v(mask)])?;
    let kept = op("aten::masked_fill.Scalar", &[v(values), hidden.into(), IValue::Int(0)])?;
    let list = arg(args, 2)?.as_list()?.to_vec();
    let mut clamped = Vec::new();
    for (d, index) in list.into_iter().enumerate() {
        let n = t.sizes().get(d).copied().unwrap_or(0);
        clamped.push(match index {
            IValue::Tensor(i) => call_one("aten::clamp", &[i.into(), IValue::Int(-n), IValue::Int(n - 1)])?,
            other => other,
        });
    }
    let optional = sconce_schema::Type::Optional(sconce_schema::Type::tensor().into());
    let indices = IValue::list(optional, clamped);
    all("aten::index_put", &[v(t), indices, kept.into(), true.into()])
}

/// (grad_output, mask, sizes): the gradients that the mask lets through, then zeros.
pub fn masked_scatter_backward(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (grad, mask) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let sizes = ints_arg(args, 2)?;
    let taken = two("aten::masked_select", grad, mask)?;
    let missing = count(&sizes) as i64 - taken.numel() as i64;
    let filled = if missing > 0 {
        op("aten::constant_pad_nd", &[taken.into(), IValue::int_list(&[0, missing])])?
    } else {
        taken
    };
    one(op("aten::view", &[filled.into(), IValue::int_list(&sizes)])?)
}

/// (size, physical_layout, dtype, …): the dimension that varies slowest first.
pub fn empty_permuted(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let layout = ints_arg(args, 1)?;
    let mut seen = vec![false; sizes.len()];
    for d in &layout {
        match usize::try_from(*d).ok().and_then(|d| seen.get_mut(d)) {
            Some(s) if !*s => *s = true,
            Some(_) => return Err(Error::runtime("Duplicate dim not allowed")),
            None => {
                return Err(Error::runtime(format!(
                    "Dimension out of range (expected to be between 0 and {}, but got {d} at index 0).  NB: negative dims \
                     not currently supported; file an issue if you want it.",
                    sizes.len() as i64 - 1
                )));
            }
        }
    }
    if layout.len() != sizes.len() {
        return Err(Error::runtime(format!(
            "Number of dimensions in size does not match the length of the physical_layout; i.e. len(size) = {} is not \
             equal to len(physical_layout) = {}",
            sizes.len(),
            layout.len()
        )));
    }
    let moved: Sizes = layout.iter().map(|d| sizes[*d as usize]).collect();
    let packed = sconce_tensor::contiguous_strides(&moved);
    let mut strides: Sizes = smallvec![0; sizes.len()];
    layout.iter().zip(&packed).for_each(|(d, s)| strides[*d as usize] = *s);
    one(crate::engine::elementwise::empty_strided(&sizes, &strides, dtype)?)
}

/// (shape, strides, *, dtype, …).
pub fn empty_strided(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    all("aten::empty_strided", &[IValue::int_list(&sizes), arg(args, 1)?.clone(), dtype.into()])
}

/// (a, stride): a copy laid out so.
pub fn copy_strided(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let out = op("aten::empty_strided", &[IValue::int_list(t.sizes()), arg(args, 1)?.clone(), t.dtype().into()])?;
    cast::convert_into(&out, t)?;
    one(out)
}

/// (a, b): integers are cut towards zero.
pub fn prims_div(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let whole = !tensor_arg(args, 0)?.dtype().is_float() && !tensor_arg(args, 0)?.dtype().is_complex();
    if whole {
        return all("aten::div.Tensor_mode", &[arg(args, 0)?.clone(), arg(args, 1)?.clone(), "trunc".into()]);
    }
    all("aten::div.Tensor", &args[..2])
}

/// (self, other, self_num_batch_dims).
pub fn new_zeros_like(call: &Call<'_>, _: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    one(Tensor::zeros(&sizes, dtype)?)
}

/// (self, src, dim, start, end, step): the first argument with the layout of the second.
pub fn slice_inverse(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (t, source) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    one(t.as_strided(source.sizes(), source.strides(), source.storage_offset())?)
}

/// (self, the_template, memory_format).
pub fn resize_as(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (t, like) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let out = t.copy()?;
    all("aten::resize_", &[v(&out), IValue::int_list(like.sizes()), arg(args, 2)?.clone()])?;
    one(out)
}

/// (size, red_axes, keepdim).
pub fn reduction_sizes(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, axes, keep) = (ints_arg(args, 0)?, ints_arg(args, 1)?, bool_arg(args, 2)?);
    let reduced = |d: usize| axes.iter().any(|a| *a == d as i64 || a.checked_add(sizes.len() as i64) == Some(d as i64));
    let kept = sizes.iter().enumerate().filter_map(|(d, n)| match (reduced(d), keep) {
        (false, _) => Some(*n),
        (true, true) => Some(1),
        (true, false) => None,
    });
    Ok(smallvec![IValue::int_list(&kept.collect::<Vec<_>>())])
}

/// (self, size): summed to these sizes, if any are asked for.
pub fn grad_sum_to_size(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    if arg(args, 1)?.is_none() {
        return Ok(smallvec![arg(args, 0)?.clone()]);
    }
    match ints_arg(args, 1)? {
        sizes if sizes.is_empty() => all("aten::sum", &[v(t)]),
        // Only dimensions that the tensor has are summed over.
        sizes if sizes.len() > t.dim() || *sizes == *t.sizes() => Ok(smallvec![arg(args, 0)?.clone()]),
        _ => all("aten::sum_to_size", &args[..2]),
    }
}

/// (query, key, value, attn_mask, dropout_p, is_causal, dropout_mask, scale, enable_gqa): the result and the weights.
pub fn attention_math(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (q, k, x) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?, tensor_arg(args, 2)?);
    let mask = optional_tensor(args, 3)?;
    let dropout = float_arg(args, 4)?;
    if dropout != 0.0 && optional_tensor(args, 6)?.is_some() {
        return Err(Error::runtime("scaled dot product attention with a given dropout mask is not supported"));
    }
    if mask.is_some() && bool_arg(args, 5)? {
        return Err(Error::runtime(
            "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True",
        ));
    }
    let scale = scale_of(args, 7, q)?;
    let masks = Masks { mask, causal: bool_arg(args, 5)?, dropout };
    let (out, weights) = crate::linalg::matmul::attention(q, k, x, &masks, scale, bool_arg(args, 8)?)?;
    Ok(smallvec![cast::convert(&out, q.dtype())?.into(), cast::convert(&weights, q.dtype())?.into()])
}

fn scale_of(args: &[IValue], i: usize, q: &Tensor) -> Result<f64, Error> {
    let width = q.sizes().last().copied().unwrap_or(1) as f64;
    Ok(arg(args, i)?.optional().map(IValue::as_double).transpose()?.unwrap_or(1.0 / width.sqrt()))
}

/// Scaled products of queries and keys in f64, minus infinity where a row may not look.
fn scores(q: &Tensor, k: &Tensor, causal: bool, mask: Option<&Tensor>, scale: f64) -> Result<Tensor, Error> {
    let wide = |t: &Tensor| cast::convert(t, DType::F64);
    let turned = op("aten::transpose.int", &[wide(k)?.into(), IValue::Int(-1), IValue::Int(-2)])?;
    let product = two("aten::matmul", &wide(q)?, &turned)?;
    let mut scores = op("aten::mul.Scalar", &[product.into(), IValue::Double(scale)])?;
    if causal {
        let (rows, columns) = (scores.sizes()[scores.dim() - 2], scores.sizes()[scores.dim() - 1]);
        let ones = op("aten::ones", &[IValue::int_list(&[rows, columns]), DType::Bool.into()])?;
        let later = op("aten::triu", &[ones.into(), IValue::Int(1)])?;
        scores = op("aten::masked_fill.Scalar", &[scores.into(), later.into(), IValue::Double(f64::NEG_INFINITY)])?;
    }
    if let Some(mask) = mask {
        scores = if mask.dtype() == DType::Bool {
            let hidden = op("aten::logical_not", &[v(mask)])?;
            op("aten::masked_fill.Scalar", &[scores.into(), hidden.into(), IValue::Double(f64::NEG_INFINITY)])?
        } else {
            two("aten::add.Tensor", &scores, &wide(mask)?)?
        };
    }
    Ok(scores)
}

/// (query, key, value, dropout_p, is_causal, attn_mask, scale): the result, and for each row the logarithm of its weights' sum.
pub fn attention_for_cpu(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (q, k, x) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?, tensor_arg(args, 2)?);
    let (causal, mask) = (bool_arg(args, 4)?, optional_tensor(args, 5)?);
    if float_arg(args, 3)? != 0.0 {
        return Err(Error::runtime(
            "scaled_dot_product_attention_flash_attention: Currently do not support dropout > 0",
        ));
    }
    let scale = scale_of(args, 6, q)?;
    let (out, _) = crate::linalg::matmul::attention(q, k, x, &Masks { mask, causal, dropout: 0.0 }, scale, false)?;
    let scores = scores(q, k, causal, mask, scale)?;
    let sums = op("aten::logsumexp", &[scores.into(), IValue::int_list(&[-1])])?;
    let sums_dtype = if q.dtype() == DType::F64 { DType::F64 } else { DType::F32 };
    // The result lies as the queries do; heads lie within the rows of the sums.
    let out = laid_like(&out, q)?;
    Ok(smallvec![out.into(), heads_within_rows(&cast::convert(&sums, sums_dtype)?)?.into()])
}

/// Which kernel an attention call would take: the plain one.
pub fn attention_choice(_: &Call<'_>, _: &mut [IValue]) -> Result<Outputs, Error> {
    Ok(smallvec![IValue::Int(0)])
}

/// (self, other): a float's exponent moved by a whole number; anything else times a power of two, which is rounded first.
pub fn ldexp(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (x, n) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    if !x.dtype().is_float() || n.dtype().is_float() || n.dtype().is_complex() {
        let power = op("aten::pow.Scalar", &[IValue::Double(2.0), v(n)])?;
        return one(two("aten::mul.Tensor", x, &power)?);
    }
    if n.dtype() == DType::Bool {
        let message = "\"ldexp_cpu_exp\" not implemented for 'Bool'".to_owned();
        return Err(Error::Raised { class: "NotImplementedError", message });
    }
    let (sizes, dtype) = result(call.metas, 0)?;
    let numbers = cast::to_vec::<f64>(&x.expand(&sizes)?)?;
    let exponents = cast::to_vec::<i64>(&n.expand(&sizes)?)?;
    let moved = |(x, n): (f64, i64)| libm::scalbn(x, n.clamp(-5000, 5000) as i32);
    let values: Vec<f64> = numbers.into_iter().zip(exponents).map(moved).collect();
    let out = call.output(0, &sizes, &crate::engine::elementwise::result_strides(&sizes, &[x, n]), dtype)?;
    cast::convert_into(&out, &Tensor::from_vec(values, &sizes))?;
    one(out)
}

/// (x1, x2): distances of rows.
pub fn euclidean_distances(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    // As one product, (-2x, |x|², 1)·(y, 1, |y|²), which says what comes of infinities; in f64, so that nothing is lost to cancellation.
    let (x, y) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let dtype = x.dtype();
    let (x, y) = (cast::convert(x, DType::F64)?, cast::convert(y, DType::F64)?);
    let square = |t: &Tensor| {
        op("aten::sum.dim_IntList", &[two("aten::mul.Tensor", t, t)?.into(), IValue::int_list(&[-1]), true.into()])
    };
    let ones = |t: &Tensor| op("aten::ones_like", &[v(t)]);
    let (x2, y2) = (square(&x)?, square(&y)?);
    let joined = |parts: Vec<Tensor>| op("aten::cat", &[IValue::tensor_list(parts), IValue::Int(-1)]);
    let left = joined(vec![op("aten::mul.Scalar", &[v(&x), IValue::Double(-2.0)])?, x2.clone(), ones(&x2)?])?;
    let right = joined(vec![y, ones(&y2)?, y2])?;
    let right = op("aten::transpose.int", &[right.into(), IValue::Int(-1), IValue::Int(-2)])?;
    let squares = op("aten::clamp_min", &[two("aten::matmul", &left, &right)?.into(), IValue::Int(0)])?;
    one(cast::convert(&op("aten::sqrt", &[squares.into()])?, dtype)?)
}

/// (self, indices, max_norm, norm_type): the named rows, no longer than the norm allows.
pub fn embedding_renorm(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let out = tensor_arg(args, 0)?.copy()?;
    crate::nn::embedding::check_indices(tensor_arg(args, 1)?, "embedding_renorm_")?;
    if out.dim() != 2 {
        return Err(Error::runtime(format!(
            "Expected 2-dimensional tensor, but got {}-dimensional tensor for argument #1 'self' (while checking arguments \
             for embedding_renorm_)",
            out.dim()
        )));
    }
    let (max, p) = (float_arg(args, 2)?, float_arg(args, 3)?);
    let mut rows = cast::to_vec::<i64>(tensor_arg(args, 1)?)?;
    rows.sort_unstable();
    rows.dedup();
    for row in rows {
        let row = op("aten::select.int", &[v(&out), IValue::Int(0), IValue::Int(row)])?;
        let norm = op("aten::linalg_vector_norm", &[v(&row), IValue::Double(p)])?;
        let norm = cast::to_vec::<f64>(&norm)?.first().copied().unwrap_or(0.0);
        if norm > max {
            all("aten::mul_.Scalar", &[row.into(), IValue::Double(max / (norm + 1e-7))])?;
        }
    }
    one(out)
}

/// (input, weight, bias, running_mean, running_var, momentum, eps): trained, with an empty reserve.
pub fn batch_norm_with_update(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let mut inner = args.to_vec();
    inner.insert(5, true.into());
    let mut out = all("aten::native_batch_norm", &inner)?;
    out.push(Tensor::zeros(&[0], DType::U8)?.into());
    Ok(out)
}

/// (input, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled): also an empty reserve, and the way taken.
pub fn batch_norm_index(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let mut out = all("aten::native_batch_norm", &args[..8])?;
    out.extend([Tensor::zeros(&[0], DType::U8)?.into(), IValue::Int(0)]);
    Ok(out)
}

/// The statistics are results, not written: (input, weight, bias, running_mean, running_var, training, momentum, eps).
pub fn batch_norm_functional(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let mut inner = args[..8].to_vec();
    for statistic in &mut inner[3..5] {
        *statistic = statistic.as_tensor()?.copy()?.into();
    }
    let mut out = all("aten::native_batch_norm", &inner)?;
    out.extend(inner.drain(3..5));
    Ok(out)
}

/// (input, running_mean, running_var, momentum): means and biased variances of the channels.
pub fn batch_norm_statistics(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    if t.dim() < 2 {
        return Err(Error::runtime(format!("batch_norm_update_stats: input has sizes {:?}", t.sizes())));
    }
    let others: Vec<i64> = (0..t.dim() as i64).filter(|d| *d != 1).collect();
    let dtype = sconce_schema::promotion::to_float(t.dtype());
    let wide = cast::convert(t, if dtype == DType::F64 { dtype } else { DType::F32 })?;
    let [variance, mean] =
        ops::<2>("aten::var_mean.correction", &[wide.into(), IValue::int_list(&others), IValue::Int(0)])?;
    let n = count(t.sizes()) as f64 / t.sizes()[1].max(1) as f64;
    let momentum = float_arg(args, 3)?;
    let channels = t.sizes()[1];
    for (i, new, scale) in [(1, &mean, 1.0), (2, &variance, n / (n - 1.0))] {
        if let Some(running) = optional_tensor(args, i)? {
            // Of more running statistics than channels the first ones are these channels'.
            let more = running.dim() == 1 && running.sizes()[0] > channels;
            let of_channels =
                more.then(|| running.as_strided(&[channels], running.strides(), running.storage_offset()));
            let running = &of_channels.transpose()?.unwrap_or_else(|| running.clone());
            let scaled = op("aten::mul.Scalar", &[v(new), IValue::Double(scale)])?;
            let kept = op("aten::mul.Scalar", &[v(running), IValue::Double(1.0 - momentum)])?;
            let moved = op("aten::add.Tensor", &[kept.into(), scaled.into(), IValue::Double(momentum)])?;
            cast::convert_into(running, &moved)?;
            running.bump_version();
        }
    }
    Ok(smallvec![mean.into(), variance.into()])
}

/// (input, normalized_shape, weight, eps): the result, and one over the root of the mean square.
pub fn fused_rms_norm(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let n = ints_arg(args, 1)?.len() as i64;
    let dims: Vec<i64> = (-n..0).collect();
    let eps = match arg(args, 3)? {
        IValue::None if t.dtype() == DType::F64 => f64::EPSILON,
        IValue::None => f64::from(f32::EPSILON),
        e => e.as_double()?,
    };
    let wide = cast::convert(t, if t.dtype() == DType::F64 { DType::F64 } else { DType::F32 })?;
    let squares = op("aten::pow.Tensor_Scalar", &[v(&wide), IValue::Int(2)])?;
    let mean = op("aten::mean.dim", &[squares.into(), IValue::int_list(&dims), true.into()])?;
    let scale = op("aten::rsqrt", &[op("aten::add.Scalar", &[mean.into(), IValue::Double(eps)])?.into()])?;
    let mut out = cast::convert(&two("aten::mul.Tensor", &wide, &scale)?, t.dtype())?;
    if let Some(w) = optional_tensor(args, 2)? {
        out = two("aten::mul.Tensor", &out, w)?;
    }
    Ok(smallvec![out.into(), scale.into()])
}

/// (flag of tokens): a token that orders effects holds nothing.
pub fn token(_: &Call<'_>, _: &mut [IValue]) -> Result<Outputs, Error> {
    one(Tensor::zeros(&[0], DType::F32)?)
}

/// Tokens are dropped.
pub fn sink(_: &Call<'_>, _: &mut [IValue]) -> Result<Outputs, Error> {
    Ok(Outputs::new())
}

/// (self, weight, kernel_size, bias, stride, padding, output_padding, dilation).
/// (self, weight, kernel_size, bias, stride, padding), and a dilation in some.
pub fn slow_conv(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let name = format!("aten::conv{}d", ints_arg(args, 2)?.len());
    let mut call = vec![arg(args, 0)?.clone(), arg(args, 1)?.clone()];
    call.extend(args[3..].iter().cloned());
    all(&name, &call)
}

pub fn slow_conv_transpose2d(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let at = |i: usize| arg(args, i).cloned();
    all("aten::conv_transpose2d.input", &[at(0)?, at(1)?, at(3)?, at(4)?, at(5)?, at(6)?, IValue::Int(1), at(7)?])
}

/// A tensor of nothing, of the first argument's dtype.
pub fn set_to_nothing(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    one(Tensor::zeros(&[0], tensor_arg(args, 0)?.dtype())?)
}

/// The tensor itself lets go of what it held.
pub fn set_to_nothing_inplace(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    all("aten::set_.source_Tensor", &[v(t), Tensor::zeros(&[0], t.dtype())?.into()])
}

/// (self, source): another reading of the source's storage.
pub fn set_to_source(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    one(tensor_arg(args, 1)?.alias())
}

/// (self, source, storage_offset, size, stride): the tensor itself becomes a reading of the source's storage from an offset on.
pub fn set_to_part(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, strides) = (ints_arg(args, 3)?, ints_arg(args, 4)?);
    let strides: Sizes =
        if strides.is_empty() { sconce_tensor::contiguous_strides(&sizes) } else { strides.as_slice().into() };
    let part = tensor_arg(args, 1)?.as_strided(&sizes, &strides, int_arg(args, 2)?)?;
    all("aten::set_.source_Tensor", &[arg(args, 0)?.clone(), part.into()])
}

/// (self, input_shape, normalized_ndim): the last sizes become ones.
pub fn ncf_view(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let shape = ints_arg(args, 1)?;
    let kept = (shape.len() as i64).saturating_sub(int_arg(args, 2)?).clamp(0, shape.len() as i64) as usize;
    let sizes: Vec<i64> = shape.iter().enumerate().map(|(d, s)| if d < kept { *s } else { 1 }).collect();
    all("aten::view", &[v(tensor_arg(args, 0)?), IValue::int_list(&sizes)])
}

/// (self, level, batch_size, out_dim): a tensor without that batch is repeated.
pub fn remove_batch_dim(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = tensor_arg(args, 0)?;
    let mut sizes: Vec<i64> = t.sizes().to_vec();
    let at = int_arg(args, 3)?.clamp(0, sizes.len() as i64) as usize;
    sizes.insert(at, int_arg(args, 2)?);
    all("aten::expand", &[v(t), IValue::int_list(&sizes)])
}

/// Of a causal or masked product of queries and keys: (grad_out, query, key, value, out, logsumexp, dropout_p, is_causal, attn_mask, scale).
pub fn attention_for_cpu_backward(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let wide = |i: usize| -> Result<Tensor, Error> { cast::convert(tensor_arg(args, i)?, DType::F64) };
    let (grad, q, k, x, out) = (wide(0)?, wide(1)?, wide(2)?, wide(3)?, wide(4)?);
    let scale = scale_of(args, 9, &q)?;
    let scores = scores(&q, &k, bool_arg(args, 7)?, optional_tensor(args, 8)?, scale)?;
    let sums = op("aten::unsqueeze", &[wide(5)?.into(), IValue::Int(-1)])?;
    let weights = op("aten::exp", &[two("aten::sub.Tensor", &scores, &sums)?.into()])?;
    let turn = |t: &Tensor| op("aten::transpose.int", &[v(t), IValue::Int(-1), IValue::Int(-2)]);
    let to_value = two("aten::matmul", &turn(&weights)?, &grad)?;
    let to_weights = two("aten::matmul", &grad, &turn(&x)?)?;
    let product = two("aten::mul.Tensor", &grad, &out)?;
    let rows = op("aten::sum.dim_IntList", &[product.into(), IValue::int_list(&[-1]), true.into()])?;
    let inner = two("aten::mul.Tensor", &two("aten::sub.Tensor", &to_weights, &rows)?, &weights)?;
    let scores = op("aten::mul.Scalar", &[inner.into(), IValue::Double(scale)])?;
    let to_query = two("aten::matmul", &scores, &k)?;
    let to_key = two("aten::matmul", &turn(&scores)?, &q)?;
    let laid = |t: Tensor, i: usize| -> Result<IValue, Error> {
        Ok(heads_within_rows(&cast::convert(&t, tensor_arg(args, i)?.dtype())?)?.into())
    };
    Ok(smallvec![laid(to_query, 1)?, laid(to_key, 2)?, laid(to_value, 3)?])
}

/// The same elements in the dtype and the layout of another tensor.
fn laid_like(t: &Tensor, like: &Tensor) -> Result<Tensor, Error> {
    let out = if t.sizes() == like.sizes() {
        crate::engine::elementwise::empty_like(like, like.dtype())?
    } else {
        Tensor::zeros(t.sizes(), like.dtype())?
    };
    cast::convert_into(&out, t)?;
    Ok(out)
}

/// The same elements in a storage that has the second and third dimension in the other order.
fn heads_within_rows(t: &Tensor) -> Result<Tensor, Error> {
    if t.dim() < 3 {
        return Ok(t.clone());
    }
    let swapped = |t: &Tensor| op("aten::transpose.int", &[v(t), IValue::Int(1), IValue::Int(2)]);
    let copy = op("aten::clone", &[swapped(t)?.into(), IValue::Int(0)])?;
    swapped(&copy)
}

/// Rows are cut in the tensor itself, which is the result.
pub fn embedding_renorm_in_place(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    all("aten::embedding_renorm_", args)
}

/// (input, weight, bias, running_mean, running_var, momentum, eps): trained; the statistics are results, not written.
pub fn batch_norm_with_update_functional(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let mut inner = args.to_vec();
    for statistic in &mut inner[3..5] {
        *statistic = statistic.as_tensor()?.copy()?.into();
    }
    let mut out = all("aten::_batch_norm_with_update", &inner)?;
    out.extend(inner.drain(3..5));
    Ok(out)
}
