//! Rules of matrix products: which dimensions meet, and PyTorch's words when they do not.

use super::args::*;
use super::like::like;
use super::reduce::inexact;
use super::view::unexpanded;
use crate::geometry::einsum;

/// The dtype of a product of two tensors that must have the same one.
pub(super) fn same_dtype(a: &TensorMeta, b: &TensorMeta) -> Result<Option<DType>, ShapeError> {
    refuse!(if let Some((x, y)) = unlike_cpp(a, b), "expected m1 and m2 to have the same dtype, but got: {x} != {y}");
    Ok(a.dtype.or(b.dtype))
}

/// The C++ names of three dtypes that are not one.
fn three_unlike(a: &TensorMeta, b: &TensorMeta, c: &TensorMeta) -> Option<[DType; 3]> {
    let all = [a.dtype?, b.dtype?, c.dtype?];
    (all[0] != all[1] || all[1] != all[2]).then_some(all)
}

/// Some dtypes have no products; that is found where there is something to multiply: a result of these sizes, each element a sum of `inner`.
fn has_kernel(name: &str, dtype: Option<DType>, sizes: &[Size], inner: Size) -> Result<(), ShapeError> {
    use DType::*;
    let some = |s: Size| s.known().is_some_and(|n| n > 0);
    let nothing = !some(product(sizes)) || !some(inner);
    kernel(name, dtype, |d| nothing || !matches!(d, Bool | C32 | U16 | U32 | U64))
}

/// `[m, n]` of `[m, k]` times `[k, n]`.
fn product_sizes(name: &str, a: &TensorMeta, b: &TensorMeta) -> Result<Sizes, ShapeError> {
    for (t, which) in [(a, if name == "mm" { "self" } else { "mat1" }), (b, "mat2")] {
        refuse!(if let Some(r) = t.rank_not(2), "{name}: {which} must be a matrix, got {r}-D tensor");
    }
    refuse!(if a.size(1).unequal(b.size(0)),
        "{name}: mat1 and mat2 shapes cannot be multiplied ({}x{} and {}x{})", a.size(0), a.size(1), b.size(0),
        b.size(1));
    Ok(smallvec![a.size(0), b.size(1)])
}

pub fn mm([x, y]: [TensorMeta; 2]) -> RuleResult {
    let sizes = product_sizes("mm", &x, &y)?;
    let dtype = same_dtype(&x, &y)?;
    has_kernel("addmm_impl_cpu_", dtype, &sizes, x.size(1))?;
    one(dtype, Some(sizes))
}

/// `prim::MMTreeReduce`: left factors of products, then right ones. The sum is like its first product.
pub fn mm_tree_reduce(a: &[Meta]) -> RuleResult {
    if a.is_empty() { Ok(smallvec![Meta::Unknown]) } else { mm([a.tensor(0)?, a.tensor(a.len() / 2)?]) }
}

rules! {
    /// Products whose dtype is asked for.
    mm_dtype = |[x, y]: [TensorMeta; 2], to: Asked| one(to.given(), Some(product_sizes("mm", &x, &y)?));
    bmm_dtype = |[x, y]: [TensorMeta; 2], to: Asked| one(to.given(), Some(batch_sizes(&x, &y)?));
    addmm_dtype = |[b, x, y]: [TensorMeta; 3], to: Asked| {
        one(to.given(), Some(expanded(&b, product_sizes("addmm", &x, &y)?)?))
    };
    baddbmm_dtype = |_: Skip<1>, [x, y]: [TensorMeta; 2], to: Asked| one(to.given(), Some(batch_sizes(&x, &y)?));
    int_mm = |[x, y]: [TensorMeta; 2]| one(Some(DType::I32), Some(product_sizes("_int_mm", &x, &y)?));
    dot = |[x, y]: [TensorMeta; 2]| like(dot_meta(&x, &y)?);
    matmul = |[x, y]: [TensorMeta; 2]| like(matmul_meta(&x, &y)?);
    vecdot = |[x, y]: [TensorMeta; 2], dim: Int| {
        inexact("linalg.vecdot", &x)?;
        one(x.dtype, without(broadcast_all([&x, &y])?, dim)?)
    };
    linear = |[x, w]: [TensorMeta; 2], bias: Maybe| like(linear_meta(&x, &w, bias.as_ref())?);
}

/// What is added to a product of these sizes expands to them.
fn expanded(bias: &TensorMeta, sizes: Sizes) -> Result<Sizes, ShapeError> {
    let Some(from) = &bias.sizes else { return Ok(sizes) };
    let to = &sizes;
    refuse!(if from.len() > to.len(),
        "expand({}, size={}): the number of sizes provided ({}) must be greater or equal to the number of dimensions in the tensor ({})",
        show(from), show(to), to.len(), from.len());
    let skip = to.len() - from.len();
    for (d, (&f, &t)) in from.iter().zip(&to[skip..]).enumerate() {
        if f.differs(t) && f.differs(Size::Known(1)) {
            return Err(unexpanded(f, t, d + skip, to, from));
        }
    }
    Ok(sizes)
}

pub fn addmm([bias, x, y]: [TensorMeta; 3], beta: Meta) -> RuleResult {
    added_dtypes(&bias, &x, &y)?;
    let sizes = expanded(&bias, product_sizes("addmm", &x, &y)?)?;
    has_kernel("addmm_impl_cpu_", bias.dtype, &sizes, x.size(1))?;
    scaled(bias, beta, sizes, x.size(1))
}

/// The sum. Where there is nothing to multiply, `self * beta` is the result, which must be of its dtype.
fn scaled(bias: TensorMeta, beta: Meta, sizes: Sizes, inner: Size) -> RuleResult {
    let (dtype, scales) = (bias.dtype, beta.float() != Some(0.0));
    let product_dtype = common_dtype([Meta::Tensor(bias), beta].iter())?;
    if inner == Size::Known(0) && scales && product(&sizes) != Size::Known(0) {
        converts(product_dtype, dtype)?;
    }
    one(dtype, Some(sizes))
}

/// A batch of matrices; of fewer dimensions the third is asked for first.
fn check_batch(name: &str, t: &TensorMeta, asked: bool) -> Result<(), ShapeError> {
    if let Some(r) = t.rank().filter(|r| asked && *r < 3) {
        wrap_dim(2, r)?;
    }
    refuse!(if t.rank_not(3).is_some(), "{name} must be a 3D tensor");
    Ok(())
}

/// Batches whose products' inner sizes do not agree.
pub(super) fn refuse_batches(want: [Size; 2], have: [Size; 2]) -> Result<(), ShapeError> {
    refuse!(if differ(&want, &have),
        "Expected size for first two dimensions of batch2 tensor to be: [{}, {}] but got: [{}, {}].", want[0], want[1],
        have[0], have[1]);
    Ok(())
}

fn batch_sizes(a: &TensorMeta, b: &TensorMeta) -> Result<Sizes, ShapeError> {
    check_batch("batch2", b, true)?;
    check_batch("batch1", a, false)?;
    refuse_batches([a.size(0), a.size(2)], [b.size(0), b.size(1)])?;
    Ok(smallvec![a.size(0).or(b.size(0)), a.size(1), b.size(2)])
}

pub fn bmm([x, y]: [TensorMeta; 2]) -> RuleResult {
    check_batch("batch2", &y, false)?;
    let sizes = batch_sizes(&x, &y)?;
    has_kernel("bmm", x.dtype, &sizes, x.size(2))?;
    scalar_type(&x, &y)?;
    one(x.dtype, Some(sizes))
}

/// A matrix is cut into groups at the offsets; of two, the groups are the result's first dimension.
pub fn grouped_mm([x, y]: [TensorMeta; 2], offsets: Meta, bias: Meta, out: Asked) -> RuleResult {
    refuse!(if let Some(d) = x.dtype_not(|d| matches!(d, DType::F32 | DType::F16 | DType::BF16)),
        "Expected mat_a to be Float32, BFloat16 or Float16 matrix, got {d}");
    refuse!(if let Some((d, e)) = unlike(&x, &y), "Expected mat_a and mat_b to have the same dtype, got {d} and {e}");
    refuse!(if x.dtype.is_some() && !bias.is_none() && !bias.is_unknown(), "Bias not supported yet");
    refuse!(if different(x.dtype, out.given()).is_some(), "Grouped gemm output dtype must match `mat_a` dtype");
    let (Some(m), Some(n)) = (x.sizes, y.sizes) else { return one(x.dtype, None) };
    for (sizes, name) in [(&m, "mat_a"), (&n, "mat_b")] {
        refuse!(if !matches!(sizes.len(), 2 | 3), "{name} has to be 2 or 3d");
    }
    let flat = m.len() == 2 || n.len() == 2;
    refuse!(if m[m.len() - 1].unequal(n[n.len() - 2]), "contraction dimension of mat_a and mat_b must match");
    refuse!(if !offsets.is_unknown() && flat == offsets.is_none(),
        "Have to provide offsets if there is a 2d matrix, or no offset if both matrices are 3d");
    let groups = match offsets {
        Meta::Tensor(ends) => {
            refuse!(if ends.dtype.is_some_and(|d| d != DType::I32), "Offsets have to be int32");
            ends.size(0)
        }
        Meta::None => m[0],
        _ => Size::Unknown,
    };
    refuse!(if [&m, &n].iter().any(|sizes| sizes.len() == 3 && sizes[0].differs(groups)),
        "matrix batch sizes have to match");
    let (rows, columns) = (m[m.len() - 2], n[n.len() - 1]);
    one(x.dtype, Some(if m.len() == n.len() { smallvec![groups, rows, columns] } else { smallvec![rows, columns] }))
}

pub fn baddbmm([bias, x, y]: [TensorMeta; 3], beta: Meta) -> RuleResult {
    let sizes = expanded(&bias, batch_sizes(&x, &y)?)?;
    refuse!(if let (Some(d), Some(e)) = (bias.dtype, y.dtype), (d != e || x.dtype.is_some_and(|x| x != d)),
        "Input dtypes must be the same, got: input {}, batch1: {}, batch2: {}", d.cpp_name(),
        x.dtype.unwrap_or(d).cpp_name(), e.cpp_name());
    has_kernel("baddbmm", bias.dtype, &sizes, x.size(2))?;
    scaled(bias, beta, sizes, x.size(2))
}

pub fn addbmm([bias, x, y]: [TensorMeta; 3], beta: Meta) -> RuleResult {
    check_batch("batch1", &x, true)?;
    check_batch("batch2", &y, true)?;
    refuse!(if x.size(0).unequal(y.size(0)),
        "batch1 and batch2 must have same number of batches, got {} and {}", x.size(0), y.size(0));
    refuse!(if x.size(2).unequal(y.size(1)),
        "Incompatible matrix sizes for bmm ({}x{} and {}x{})", x.size(1), x.size(2), y.size(1), y.size(2));
    factor_dtype("mat1", &x, &y)?;
    let sizes = expanded(&bias, smallvec![x.size(1), y.size(2)])?;
    refuse!(if let Some((d, e)) = unlike(&bias, &y), !sizes.contains(&Size::Known(0)),
        "self and mat2 must have the same dtype, but got {d} and {e}");
    has_kernel("addmm_impl_cpu_", bias.dtype, &sizes, x.size(2))?;
    scaled(bias, beta, sizes, x.size(2))
}

fn mv_sizes(m: &TensorMeta, v: &TensorMeta) -> Result<Sizes, ShapeError> {
    refuse!(if m.size(1).unequal(v.size(0)),
        "size mismatch, got input ({}), mat ({}x{}), vec ({})", m.size(0), m.size(0), m.size(1), v.size(0));
    Ok(smallvec![m.size(0)])
}

/// A matrix times a vector, added to `bias`, which may be the vector itself.
fn matrix_vector(bias: &TensorMeta, m: &TensorMeta, v: &TensorMeta, sizes: Sizes) -> Result<TensorMeta, ShapeError> {
    refuse!(if let Some(d) = three_unlike(bias, m, v),
        "addmv input tensors must have the same dtype, but got {}, {}, and {}", d[0].scalar_type_name(),
        d[1].scalar_type_name(), d[2].scalar_type_name());
    has_kernel("addmv_impl_cpu", bias.dtype.or(m.dtype), &sizes, v.size(0))?;
    Ok(TensorMeta::new(m.dtype.or(bias.dtype), Some(sizes)))
}

pub fn mv([m, v]: [TensorMeta; 2]) -> RuleResult {
    refuse!(if let (Some(r), Some(s)) = (m.rank(), v.rank()), (r != 2 || s != 1),
        "vector + matrix @ vector expected, got 1, {r}, {s}");
    like(matrix_vector(&v, &m, &v, mv_sizes(&m, &v)?)?)
}

pub fn addmv([bias, m, v]: [TensorMeta; 3]) -> RuleResult {
    refuse!(if let (Some(q), Some(r), Some(s)) = (bias.rank(), m.rank(), v.rank()), (r != 2 || s != 1 || q > 1),
        "vector + matrix @ vector expected, got {q}, {r}, {s}");
    like(matrix_vector(&bias, &m, &v, expanded(&bias, mv_sizes(&m, &v)?)?)?)
}

fn dot_meta(x: &TensorMeta, y: &TensorMeta) -> Result<TensorMeta, ShapeError> {
    refuse!(if let (Some(r), Some(s)) = (x.rank(), y.rank()), (r != 1 || s != 1),
        "1D tensors expected, but got {r}D and {s}D tensors");
    refuse!(if let Some((d, e)) = unlike(x, y),
        "dot : expected both vectors to have same dtype, but found {d} and {e}");
    let (m, n) = (x.size(0), y.size(0));
    refuse!(if m.unequal(n),
        "inconsistent tensor size, expected tensor [{m}] and src [{n}] to have the same number of elements, but got {m} and {n} elements respectively");
    has_kernel("dot", x.dtype, &[], Size::Known(1))?;
    Ok(TensorMeta::new(x.dtype, Some(Sizes::new())))
}

/// Vectors, of which each pair of elements is multiplied.
fn vectors(name: &str, named: [(&TensorMeta, &str); 2]) -> Result<Sizes, ShapeError> {
    for (t, which) in named {
        refuse!(if let Some(r) = t.rank_not(1), "{name}: Expected 1-D argument {which}, but got {r}-D");
    }
    Ok(named.iter().map(|(t, _)| t.size(0)).collect())
}

pub fn outer(both: [TensorMeta; 2]) -> RuleResult {
    let sizes = vectors("outer", [(&both[0], "self"), (&both[1], "vec2")])?;
    one(common_of(&both)?, Some(sizes))
}

pub fn addr(all: [TensorMeta; 3]) -> RuleResult {
    let sizes = vectors("addr", [(&all[1], "vec1"), (&all[2], "vec2")])?;
    one(common_of(&all)?, Some(expanded(&all[0], sizes)?))
}

/// The result of `torch.matmul`.
pub fn matmul_meta(x: &TensorMeta, y: &TensorMeta) -> Result<TensorMeta, ShapeError> {
    let (Some(xs), Some(ys)) = (&x.sizes, &y.sizes) else { return Ok(TensorMeta::new(x.dtype.or(y.dtype), None)) };
    let (m, n) = (xs.len(), ys.len());
    refuse!(if m == 0 || n == 0, "both arguments to matmul need to be at least 1D, but they are {m}D and {n}D");
    // The rows that meet a matrix or a vector.
    let rows = TensorMeta::new(x.dtype, Some(smallvec![product(&xs[..m - 1]), xs[m - 1]]));
    let (kernel, sizes): (&str, Sizes) = match (m, n) {
        (1, 1) => return dot_meta(x, y),
        (2, 1) => return matrix_vector(y, x, y, mv_sizes(x, y)?),
        (1 | 2, 2) => ("addmm_impl_cpu_", product_sizes("mm", &rows, y)?[2 - m..].into()),
        _ => {
            let inner = if n == 1 { ys[0] } else { ys[n - 2] };
            let mut sizes = broadcast(&xs[..m.saturating_sub(2)], &ys[..n.saturating_sub(2)])?;
            if xs[m - 1].differs(inner) {
                // The batch is folded into rows.
                match n {
                    1 => drop(mv_sizes(&rows, y)?),
                    2 => drop(product_sizes("mm", &rows, y)?),
                    _ => refuse_batches([product(&sizes), xs[m - 1]], [product(&sizes), inner])?,
                }
            }
            sizes.extend((m > 1).then(|| xs[m - 2]));
            sizes.extend((n > 1).then(|| ys[n - 1]));
            (if m > 2 && n > 2 { "bmm" } else { "addmm_impl_cpu_" }, sizes)
        }
    };
    let dtype = same_dtype(x, y)?;
    has_kernel(kernel, dtype, &sizes, xs[m - 1])?;
    Ok(TensorMeta::new(dtype, Some(sizes)))
}

/// `x` times a transposed weight, plus a bias.
pub fn linear_meta(x: &TensorMeta, w: &TensorMeta, bias: Option<&TensorMeta>) -> Result<TensorMeta, ShapeError> {
    refuse!(if w.rank().is_some_and(|r| r > 2), "t() expects a tensor with <= 2 dimensions, but self is 3D");
    if let (Some(b), Some(2)) = (bias, w.rank()) {
        added_dtypes(b, x, w)?;
    }
    let mut turned = w.clone();
    turned.sizes.iter_mut().filter(|s| s.len() == 2).for_each(|s| s.swap(0, 1));
    let result = matmul_meta(x, &turned).map_err(|mut e| {
        if bias.is_some() {
            e.message = e.message.replace("mm: mat1", "addmm: mat1");
        }
        e
    })?;
    if let (Some(bias), Some(sizes)) = (bias, &result.sizes) {
        // A batch of matrices is one matrix for the sum.
        let rows = |s: &Sizes| if let [batch, rows, n] = s[..] { smallvec![batch.times(rows), n] } else { s.clone() };
        expanded(bias, rows(sizes))?;
    }
    Ok(result)
}

/// A product and what it is added to have one dtype; that is found before their sizes are compared.
fn added_dtypes(bias: &TensorMeta, x: &TensorMeta, y: &TensorMeta) -> Result<(), ShapeError> {
    factor_dtype("self", bias, y)?;
    factor_dtype("mat1", x, y)
}

/// What is multiplied with a second matrix, or added to the product, has its dtype.
pub(super) fn factor_dtype(name: &str, t: &TensorMeta, mat2: &TensorMeta) -> Result<(), ShapeError> {
    refuse!(if let Some((d, e)) = unlike(t, mat2), "{name} and mat2 must have the same dtype, but got {d} and {e}");
    Ok(())
}

pub fn tensordot([x, y]: [Ranked; 2], dx: Ints, dy: Ints) -> RuleResult {
    refuse!(if dx.len() != dy.len(), "both dimension lists should have same length");
    let (xs, ys) = (&x.sizes, &y.sizes);
    for (&given, &other) in dx.iter().zip(&dy) {
        let (m, n) = (x.size(wrap_dim(given, xs.len())?), y.size(wrap_dim(other, ys.len())?));
        refuse!(if m.differs(n) && m.differs(Size::Known(1)) && n.differs(Size::Known(1)),
            "contracted dimensions need to match, but first has size {m} in dim {given} and second has size {n} in dim {other}");
    }
    let mut sizes = reduce_sizes(xs, &dimension_set(&dx, xs.len())?, false);
    sizes.extend(reduce_sizes(ys, &dimension_set(&dy, ys.len())?, false));
    one(x.dtype, Some(sizes))
}

pub fn bilinear([x, y, w]: [TensorMeta; 3], bias: Maybe) -> RuleResult {
    refuse!(if let Some([d, e, f]) = three_unlike(&x, &y, &w),
        "All tensors must have the same dtype, got input1: {}, input2: {}, weight: {}", d.cpp_name(), e.cpp_name(),
        f.cpp_name());
    refuse!(if let Some((d, b)) = bias.as_ref().and_then(|b| unlike_cpp(&x, b)),
        "All tensors must have the same dtype, got input1: {d}, input2: {d}, weight: {d}, bias: {b}");
    let (Some(sizes), Some(ys)) = (&x.sizes, &y.sizes) else { return one(x.dtype, None) };
    refuse!(if sizes.len() != ys.len(),
        "bilinear(): input dimensions do not match: got {} and {}", sizes.len(), ys.len());
    let batch = sizes.len().saturating_sub(1);
    refuse!(if let Some(d) = (0..batch).find(|d| sizes[*d].differs(ys[*d])),
        "bilinear(): input batch dimensions do not match at dim {d}: got {} and {}", sizes[d], ys[d]);
    let bias = bias.map_or(Size::Unknown, |b| b.size(0));
    for (name, have, d) in [("input1", x.last(), 1), ("input2", y.last(), 2), ("bias", bias, 0)] {
        refuse!(if have.unequal(w.size(d)),
            "bilinear(): {name} size does not match weight size: got {have} but expected {}", w.size(d));
    }
    refuse!(if w.rank_not(3).is_some(), "number of dimensions must match");
    one(x.dtype, Some(sizes[..batch].iter().copied().chain([w.size(0)]).collect()))
}

pub fn trilinear(all: [TensorMeta; 3], expand: [Dims; 3], sum: Dims) -> RuleResult {
    let dtype = all[0].dtype;
    let (mut joint, mut rank) = (Sizes::new(), 0);
    for (t, expand) in all.into_iter().zip(expand) {
        let (Some(sizes), Some(expand)) = (t.sizes, expand) else { return one(dtype, None) };
        rank = sizes.len() + expand.len();
        let new = dimension_set(&expand, rank)?;
        let mut rest = sizes.into_iter();
        let size = |new: &bool| if *new { Size::Known(1) } else { rest.next().unwrap_or(Size::Unknown) };
        joint = broadcast(&joint, &new.iter().map(size).collect::<Sizes>())?;
    }
    let Some(sum) = sum else { return one(dtype, None) };
    one(dtype, Some(reduce_sizes(&joint, &dimension_set(&sum, rank)?, false)))
}

pub fn cdist([x, y]: [TensorMeta; 2], p: Float, mode: Int) -> RuleResult {
    refuse!(if p.is_some_and(|p| p < 0.0), "cdist only supports non-negative p values");
    for (t, name) in [(&x, "X1"), (&y, "X2")] {
        refuse!(if let Some(d) = t.dtype_not(DType::is_float),
            "cdist only supports floating-point dtypes, {name} got: {d}");
    }
    let (Some(xs), Some(ys)) = (&x.sizes, &y.sizes) else { return one(x.dtype, None) };
    for (s, name) in [(xs, "X1"), (ys, "X2")] {
        refuse!(if s.len() < 2, "cdist only supports at least 2D tensors, {name} got: {}D", s.len());
    }
    refuse!(if x.last().unequal(y.last()),
        "X1 and X2 must have the same number of columns. X1: {} X2: {}", x.last(), y.last());
    refuse!(if let Some(mode) = mode, !(0..=2).contains(&mode), "possible modes: 0, 1, 2, but was: {mode}");
    let (m, n) = (xs.len() - 2, ys.len() - 2);
    let mut sizes = broadcast(&xs[..m], &ys[..n])?;
    sizes.extend([xs[m], ys[n]]);
    let dtype = x.dtype.zip(y.dtype).map(|(d, e)| promote_types(d, e)).transpose()?;
    // Of nothing nothing is computed.
    kernel("cdist", dtype, |d| d.size() != 2 || sizes.contains(&Size::Known(0)))?;
    one(dtype, Some(sizes))
}

/// `[batch, heads, time, width]` of each third of the last dimension.
pub fn transform_bias_rescale_qkv([t, bias]: [TensorMeta; 2], heads: Size) -> RuleResult {
    if let Some(r) = t.rank_not(3) {
        wrap_dim(2, r)?;
        return error(format!("transform_bias_rescale_qkv: expected 3-D qkv, got {r}-D tensor"));
    }
    let width = bias.size(0).over(3);
    refuse!(if let (Some(n), Some(h)) = (width.known(), heads.known()), (h <= 0 || n % h != 0),
        "Expected D % num_head == 0 to be true, but got false.");
    refuse!(if t.size(2).differs(width.times(3)) || bias.rank_not(1).is_some(),
        "Expected _3D == 3 * D to be true, but got false.");
    kernel("transform_bias_rescale_qkv", t.dtype, DType::is_float)?;
    let part = tensor(t.dtype, Some(smallvec![t.size(0), heads, t.size(1), width.over(heads)]));
    Ok(smallvec![part.clone(), part.clone(), part])
}

pub fn pdist(t: TensorMeta, p: Float) -> RuleResult {
    if let Some(r) = t.rank().filter(|r| *r < 2) {
        wrap_dim(1, r)?;
    }
    refuse!(if let Some(r) = t.rank_not(2), "pdist only supports 2D tensors, got: {r}D");
    let few = t.size(0).known().is_some_and(|n| n <= 1);
    kernel("pdist", t.dtype, |d| matches!(d, DType::F32 | DType::F64) || few)?;
    refuse!(if p.is_some_and(|p| p < 0.0), "pdist only supports non-negative p values");
    one(t.dtype, Some(smallvec![t.size(0).map(|n| if n < 2 { 0 } else { n * (n - 1) / 2 })]))
}

pub fn linalg_matrix_power(t: TensorMeta, n: Int) -> RuleResult {
    square("linalg.matrix_power", "A", &t)?;
    let multiplied = n.is_some_and(|n| !(0..2).contains(&n));
    kernel("bmm", t.dtype, |d| d != DType::Bool || !multiplied)?;
    like(t)
}

/// The last two dimensions are equal.
pub fn square(what: &str, name: &str, t: &TensorMeta) -> Result<(), ShapeError> {
    let Some(r) = t.rank() else { return Ok(()) };
    refuse!(if r < 2, "{what}: The input tensor {name} must have at least 2 dimensions.");
    let (m, n) = (t.size(r - 2), t.size(r - 1));
    refuse!(if m.unequal(n),
        "{what}: {name} must be batches of square matrices, but they are {m} by {n} matrices");
    Ok(())
}

pub fn scaled_dot_product_attention([q, k, v]: [TensorMeta; 3], mask: Maybe, _: Skip<3>, grouped: Flag) -> RuleResult {
    refuse!(if let Some([d, e, f]) = three_unlike(&q, &k, &v),
        "Expected query, key, and value to have the same dtype, but got query.dtype: {} key.dtype: {} and value.dtype: {} instead.",
        d.cpp_name(), e.cpp_name(), f.cpp_name());
    let (Some(qs), Some(ks), Some(vs)) = (&q.sizes, &k.sizes, &v.sizes) else { return one(q.dtype, None) };
    let n = qs.len();
    refuse!(if n < 2 || ks.len() < 2 || vs.len() < 2,
        "Expected query, key, and value to all be  at least 2 dimensional, but got query.dim(): {}, key.dim(): {} and value.dim(): {} instead.",
        qs.len(), ks.len(), vs.len());
    if let Some(mask) = mask {
        let own = mask.dtype_not(|d| matches!(d, DType::Bool | DType::F32)).and_then(|_| unlike_cpp(&mask, &q));
        refuse!(if let Some((d, own)) = own,
            "Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: {d} and  query.dtype: {own} instead.");
        if let Some(m) = &mask.sizes {
            let scores: Sizes = qs[..n - 1].iter().chain([&ks[ks.len() - 2]]).copied().collect();
            broadcast(&scores, m)?;
        }
    }
    // Of grouped heads those of keys and values are repeated until they are as many as the queries'.
    let grouped = grouped == Some(true) && n > 2;
    let heads = |s: &Sizes| -> Sizes {
        let mut batch: Sizes = s[..s.len() - 2].into();
        if let (Some(heads), true) = (batch.last_mut(), grouped) {
            *heads = qs[n - 3];
        }
        batch
    };
    let mut sizes = broadcast(&broadcast(&qs[..n - 2], &heads(ks))?, &heads(vs))?;
    sizes.extend([qs[n - 2], v.last()]);
    one(q.dtype, Some(sizes))
}

pub fn einsum(equation: Text, tensors: Tensors) -> RuleResult {
    let (Some(equation), Some(tensors)) = (equation, tensors) else { return one(None, None) };
    let dtype = tensors.first().and_then(|t| t.dtype);
    let Some(shapes) = tensors.iter().map(|t| t.sizes.clone()).collect::<Option<Vec<_>>>() else {
        return one(dtype, None);
    };
    let parsed = einsum::parse(&equation, &shapes.iter().map(|s| s.len()).collect::<Vec<_>>())?;
    let mut of: Vec<(u32, Size)> = Vec::new();
    for (i, (labels, sizes)) in parsed.operands.iter().zip(&shapes).enumerate() {
        for (l, &s) in labels.iter().zip(sizes) {
            let Some((_, have)) = of.iter_mut().find(|(m, _)| m == l) else {
                of.push((*l, s));
                continue;
            };
            refuse!(if have.differs(s) && have.differs(Size::Known(1)) && s.differs(Size::Known(1)),
                "einsum(): subscript {} has size {s} for operand {i} which does not broadcast with previously seen size {have}",
                char::from_u32(*l).unwrap_or('?'));
            *have = match (*have, s) {
                (Size::Known(1), s) => s,
                (have, Size::Known(1)) => have,
                (have, s) => have.or(s),
            };
        }
    }
    let size = |l: &u32| of.iter().find(|(m, _)| m == l).map_or(Size::Unknown, |(_, s)| *s);
    one(dtype, Some(parsed.result.iter().map(size).collect()))
}

/// The last dimensions are contracted.
pub fn inner([x, y]: [TensorMeta; 2]) -> RuleResult {
    let (Some(xs), Some(ys)) = (&x.sizes, &y.sizes) else { return one(x.dtype, None) };
    if xs.is_empty() || ys.is_empty() {
        return one(common_of([&x, &y])?, Some(broadcast(xs, ys)?));
    }
    refuse!(if x.last().unequal(y.last()),
        "inner() the last dimension must match on both input tensors but got shapes {} and {}", show(xs), show(ys));
    let sizes = xs[..xs.len() - 1].iter().chain(&ys[..ys.len() - 1]).copied().collect();
    one(same_dtype(&x, &y)?, Some(sizes))
}

/// A chain of matrices; the first and the last may be vectors.
pub fn multi_dot(list: Vec<TensorMeta>) -> RuleResult {
    let n = list.len();
    refuse!(if n < 2, "multi_dot(): expected at least 2 tensors but got {n}");
    for (i, t) in list.iter().enumerate() {
        let Some(r) = t.rank() else { return one(list[0].dtype, None) };
        let (which, wanted) = match i {
            0 => ("the first tensor".to_string(), 1..=2),
            i if i + 1 == n => ("the last tensor".to_string(), 1..=2),
            i => (format!("tensor {i}"), 2..=2),
        };
        refuse!(if !wanted.contains(&r),
            "multi_dot(): {which} must be {} but got {r}D", if *wanted.start() == 1 { "1D or 2D" } else { "2D" });
        refuse!(if i > 0 && list[i - 1].last().differs(t.size(0)),
            "multi_dot(): tensors {} and {i} with shapes {} and {} cannot be multiplied", i - 1, list[i - 1].shown(),
            t.shown());
    }
    let (first, last) = (&list[0], &list[n - 1]);
    let rows = (first.rank() == Some(2)).then(|| first.size(0));
    let columns = (last.rank() == Some(2)).then(|| last.size(1));
    one(first.dtype, Some(rows.into_iter().chain(columns).collect()))
}

/// The same, and of one matrix itself.
pub fn chain_matmul(matrices: Vec<TensorMeta>) -> RuleResult {
    refuse!(if let Some(rank) = matrices.iter().find_map(|t| t.rank_not(2)),
        "Tensor dimension is {rank}, expected 2 instead.");
    if let [only] = &matrices[..] { like(only.clone()) } else { multi_dot(matrices) }
}

pub fn kron([x, y]: [TensorMeta; 2]) -> RuleResult {
    let dtype = common_of([&x, &y])?;
    let (Some(xs), Some(ys)) = (&x.sizes, &y.sizes) else { return one(dtype, None) };
    let n = xs.len().max(ys.len());
    let at = |s: &Sizes, d: usize| (d + s.len()).checked_sub(n).map_or(Size::Known(1), |i| s[i]);
    one(dtype, Some((0..n).map(|d| at(xs, d).times(at(ys, d))).collect()))
}

/// The p-norm of a difference.
pub fn dist(both: [TensorMeta; 2]) -> RuleResult {
    let t = TensorMeta::new(joined(&both)?.0, Some(Sizes::new()));
    refuse!(NotImplemented if let Some(d) = t.dtype_not(DType::is_inexact),
        "norm(): input dtype should be either floating point or complex. Got {d} instead.");
    one(t.dtype.map(DType::to_real), t.sizes)
}

/// Attention weights follow the output where they are asked for.
pub fn multi_head_attention(
    [q, k]: [TensorMeta; 2],
    _: Skip<2>,
    heads: Size,
    _: Skip<5>,
    weights: Flag,
    averaged: Flag,
) -> RuleResult {
    let weights = match (weights, averaged) {
        (Some(false), _) => Meta::None,
        (Some(true), Some(true)) => tensor(q.dtype, Some(smallvec![q.size(0), q.size(1), k.size(1)])),
        (Some(true), Some(false)) => tensor(q.dtype, Some(smallvec![q.size(0), heads, q.size(1), k.size(1)])),
        _ => Meta::Unknown,
    };
    Ok(smallvec![q.like(), weights])
}

/// The result, and a number for each row.
pub fn attention_for_cpu([q, k, v]: [TensorMeta; 3]) -> RuleResult {
    for (name, t) in [("query", &q), ("key", &k), ("value", &v)] {
        refuse!(if let (Some(d), Some(e)) = (q.dtype, t.dtype), (d != e || !d.is_float()),
            "_scaled_dot_product_flash_attention_for_cpu: {name} has dtype {}", e.scalar_type_name());
        refuse!(if t.rank_not(4).is_some(),
            "_scaled_dot_product_flash_attention_for_cpu: Expect q, k, v to have 4 dimensions");
    }
    let rows = q.sizes.as_ref().filter(|_| v.sizes.is_some()).map(|s| Sizes::from(&s[..3]));
    let out = rows.as_ref().map(|rows| rows.iter().copied().chain([v.last()]).collect());
    Ok(smallvec![tensor(q.dtype, out), tensor(super::norm::sums_dtype(q.dtype), rows)])
}

/// Gradients like the three.
pub fn attention_for_cpu_backward(grad: TensorMeta, three: [TensorMeta; 3]) -> RuleResult {
    let like = |t: &TensorMeta| {
        if let Some(r) = t.rank_not(4) {
            wrap_dim(3, r)?;
        }
        scalar_type(&grad, t)?;
        Ok(t.like())
    };
    three.iter().map(like).collect()
}

/// The result, and the weights.
pub fn attention_math([q, k, v]: [TensorMeta; 3]) -> RuleResult {
    let keys = k.rank().filter(|r| *r >= 2).map_or(Size::Unknown, |r| k.size(r - 2));
    let with_last = |last: Size| {
        let mut s = q.sizes.clone();
        s.iter_mut().filter_map(|s| s.last_mut()).for_each(|l| *l = last);
        tensor(q.dtype, s)
    };
    Ok(smallvec![with_last(v.last()), with_last(keys)])
}
