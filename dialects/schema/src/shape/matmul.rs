//! Rules of matrix products: which dimensions meet, and PyTorch's words when they do not.

use super::args::*;
use super::{Meta, RuleResult, ShapeError, Size, Sizes, TensorMeta};
use crate::DType;
use crate::promotion::promote_types;
use smallvec::smallvec;

/// The C++ name of an element type, which some messages use.
pub fn cpp_name(d: DType) -> &'static str {
    match d {
        DType::U8 => "unsigned char",
        DType::I8 => "signed char",
        DType::I16 => "short int",
        DType::I32 => "int",
        DType::I64 => "long int",
        DType::U16 => "short unsigned int",
        DType::U32 => "unsigned int",
        DType::U64 => "long unsigned int",
        DType::F32 => "float",
        DType::F64 => "double",
        DType::Bool => "bool",
        DType::F16 => "c10::Half",
        DType::BF16 => "c10::BFloat16",
        DType::C32 => "c10::complex<c10::Half>",
        DType::C64 => "c10::complex<float>",
        DType::C128 => "c10::complex<double>",
        other => other.scalar_type_name(),
    }
}

fn text(s: Size) -> String {
    s.known().map_or_else(|| "?".to_string(), |n| n.to_string())
}

/// The dtype of a product of two tensors that must have the same one.
fn same_dtype(a: &TensorMeta, b: &TensorMeta) -> Result<Option<DType>, ShapeError> {
    if let (Some(x), Some(y)) = (a.dtype, b.dtype)
        && x != y
    {
        return error(format!(
            "expected m1 and m2 to have the same dtype, but got: {} != {}",
            cpp_name(x),
            cpp_name(y)
        ));
    }
    Ok(a.dtype.or(b.dtype))
}

/// Some dtypes have no products; that is found where there is something to multiply: a result of these sizes, each element a sum of `inner`.
fn has_kernel(kernel: &str, dtype: Option<DType>, sizes: &[Size], inner: Size) -> Result<(), ShapeError> {
    use DType::*;
    let some = |s: Size| s.known().is_some_and(|n| n > 0);
    match dtype {
        Some(d @ (Bool | C32 | U16 | U32 | U64)) if some(product(sizes)) && some(inner) => {
            not_implemented_for(kernel, d)
        }
        _ => Ok(()),
    }
}

/// `[m, n]` of `[m, k]` times `[k, n]`.
fn product_sizes(name: &str, a: &TensorMeta, b: &TensorMeta) -> Result<Sizes, ShapeError> {
    for (t, which) in [(a, if name == "mm" { "self" } else { "mat1" }), (b, "mat2")] {
        if let Some(r) = t.rank()
            && r != 2
        {
            return error(format!("{name}: {which} must be a matrix, got {r}-D tensor"));
        }
    }
    if a.size(1).differs(b.size(0)) {
        return error(format!(
            "{name}: mat1 and mat2 shapes cannot be multiplied ({}x{} and {}x{})",
            text(a.size(0)),
            text(a.size(1)),
            text(b.size(0)),
            text(b.size(1))
        ));
    }
    Ok(smallvec![a.size(0), b.size(1)])
}

pub fn mm(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let (x, y) = (a.tensor(0)?, a.tensor(1)?);
    let sizes = product_sizes("mm", &x, &y)?;
    let dtype = same_dtype(&x, &y)?;
    has_kernel("addmm_impl_cpu_", dtype, &sizes, x.size(1))?;
    one(dtype, Some(sizes))
}

/// `prim::MMTreeReduce`: left factors of products, then right ones. The sum is like its first product.
pub fn mm_tree_reduce(a: &[Meta]) -> RuleResult {
    match (a.first(), a.get(a.len() / 2)) {
        (Some(left), Some(right)) => mm(&[left.clone(), right.clone()]),
        _ => Ok(smallvec![Meta::Unknown]),
    }
}

/// `mm.dtype`, `bmm.dtype`: the result's dtype is the third argument.
pub fn mm_dtype(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let sizes = product_sizes("mm", &args.tensor(0)?, &args.tensor(1)?)?;
    one(args.dtype(2).flatten(), Some(sizes))
}

pub fn bmm_dtype(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    one(args.dtype(2).flatten(), Some(batch_sizes(&args.tensor(0)?, &args.tensor(1)?)?))
}

pub fn int_mm(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let (x, y) = (a.tensor(0)?, a.tensor(1)?);
    one(Some(DType::I32), Some(product_sizes("_int_mm", &x, &y)?))
}

fn addmm_sizes(a: Args<'_>, bias: &TensorMeta, x: usize, y: usize) -> Result<Sizes, ShapeError> {
    let (x, y) = (a.tensor(x)?, a.tensor(y)?);
    let sizes = product_sizes("addmm", &x, &y)?;
    if let Some(s) = &bias.sizes {
        check_expands(s, &sizes)?;
    }
    Ok(sizes)
}

/// Whether a tensor of sizes `from` expands to `to`.
pub fn check_expands(from: &[Size], to: &[Size]) -> Result<(), ShapeError> {
    if from.len() > to.len() {
        return error(format!(
            "expand({}, size={}): the number of sizes provided ({}) must be greater or equal to the number of dimensions in the tensor ({})",
            show(from),
            show(to),
            to.len(),
            from.len()
        ));
    }
    let skip = to.len() - from.len();
    for (d, (&f, &t)) in from.iter().zip(&to[skip..]).enumerate() {
        if f.differs(t) && f.differs(Size::Known(1)) {
            return error(format!(
                "The expanded size of the tensor ({}) must match the existing size ({}) at non-singleton dimension {}.  Target sizes: {}.  Tensor sizes: {}",
                text(t),
                text(f),
                d + skip,
                show(to),
                show(from)
            ));
        }
    }
    Ok(())
}

pub fn addmm(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let bias = a.tensor(0)?;
    let (x, y) = (a.tensor(1)?, a.tensor(2)?);
    added_dtypes(&bias, &x, &y)?;
    let sizes = addmm_sizes(a, &bias, 1, 2)?;
    has_kernel("addmm_impl_cpu_", bias.dtype, &sizes, x.size(1))?;
    scales(a, &bias, &sizes, x.size(1))?;
    one(bias.dtype, Some(sizes))
}

/// Where there is nothing to multiply, `self * beta` is the result, which must be of its dtype.
fn scales(a: Args<'_>, bias: &TensorMeta, sizes: &[Size], inner: Size) -> Result<(), ShapeError> {
    let scaled = common_dtype([Meta::Tensor(bias.clone()), a.get(3).clone()].iter())?;
    match (scaled, bias.dtype) {
        (Some(from), Some(to))
            if inner == Size::Known(0) && a.float(3) != Some(0.0) && product(sizes) != Size::Known(0) =>
        {
            check_cast(from, to)
        }
        _ => Ok(()),
    }
}

pub fn addmm_dtype(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let bias = a.tensor(0)?;
    one(a.dtype(3).flatten(), Some(addmm_sizes(a, &bias, 1, 2)?))
}

fn batch_sizes(a: &TensorMeta, b: &TensorMeta) -> Result<Sizes, ShapeError> {
    if let Some(r) = b.rank()
        && r != 3
    {
        if r < 3 {
            wrap_dim(2, r)?;
        }
        return error("batch2 must be a 3D tensor");
    }
    if let Some(r) = a.rank()
        && r != 3
    {
        return error("batch1 must be a 3D tensor");
    }
    if a.size(0).differs(b.size(0)) || a.size(2).differs(b.size(1)) {
        return error(format!(
            "Expected size for first two dimensions of batch2 tensor to be: [{}, {}] but got: [{}, {}].",
            text(a.size(0)),
            text(a.size(2)),
            text(b.size(0)),
            text(b.size(1))
        ));
    }
    Ok(smallvec![a.size(0).or(b.size(0)), a.size(1), b.size(2)])
}

pub fn bmm(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let (x, y) = (a.tensor(0)?, a.tensor(1)?);
    if y.rank().is_some_and(|r| r < 3) {
        return error("batch2 must be a 3D tensor");
    }
    let sizes = batch_sizes(&x, &y)?;
    has_kernel("bmm", x.dtype, &sizes, x.size(2))?;
    if let (Some(d), Some(e)) = (x.dtype, y.dtype)
        && d != e
    {
        return error(format!("expected scalar type {} but found {}", d.scalar_type_name(), e.scalar_type_name()));
    }
    one(x.dtype, Some(sizes))
}

/// (self, mat2, offs, bias, out_dtype): a matrix is cut into groups at the offsets; of two, the groups are the result's first dimension.
pub fn grouped_mm(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let (x, y, ends) = (a.tensor(0)?, a.tensor(1)?, a.optional_tensor(2)?);
    grouped_dtypes(a, &x, &y)?;
    let (Some(m), Some(n)) = (x.sizes, y.sizes) else { return one(x.dtype, None) };
    for (sizes, name) in [(&m, "mat_a"), (&n, "mat_b")] {
        if !matches!(sizes.len(), 2 | 3) {
            return error(format!("{name} has to be 2 or 3d"));
        }
    }
    let flat = m.len() == 2 || n.len() == 2;
    if m[m.len() - 1].differs(n[n.len() - 2]) {
        return error("contraction dimension of mat_a and mat_b must match");
    }
    if !a.is_unknown(2) && flat != ends.is_some() {
        return error("Have to provide offsets if there is a 2d matrix, or no offset if both matrices are 3d");
    }
    let groups = match &ends {
        Some(ends) if ends.dtype.is_some_and(|d| d != DType::I32) => return error("Offsets have to be int32"),
        Some(ends) => ends.sizes.as_ref().and_then(|s| s.first().copied()).unwrap_or(Size::Unknown),
        None => m[0],
    };
    if [&m, &n].iter().any(|sizes| sizes.len() == 3 && sizes[0].differs(groups)) {
        return error("matrix batch sizes have to match");
    }
    let (rows, columns) = (m[m.len() - 2], n[n.len() - 1]);
    one(x.dtype, Some(if m.len() == n.len() { smallvec![groups, rows, columns] } else { smallvec![rows, columns] }))
}

fn grouped_dtypes(a: Args<'_>, x: &TensorMeta, y: &TensorMeta) -> Result<(), ShapeError> {
    let Some(d) = x.dtype else { return Ok(()) };
    let name = |d: DType| d.scalar_type_name();
    if !matches!(d, DType::F32 | DType::F16 | DType::BF16) {
        return error(format!("Expected mat_a to be Float32, BFloat16 or Float16 matrix, got {}", name(d)));
    }
    if let Some(e) = y.dtype.filter(|e| *e != d) {
        return error(format!("Expected mat_a and mat_b to have the same dtype, got {} and {}", name(d), name(e)));
    }
    if !a.is_none(3) && !a.is_unknown(3) {
        return error("Bias not supported yet");
    }
    match a.dtype(4).flatten() {
        Some(out) if out != d => error("Grouped gemm output dtype must match `mat_a` dtype"),
        _ => Ok(()),
    }
}

pub fn baddbmm(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let bias = a.tensor(0)?;
    let (x, y) = (a.tensor(1)?, a.tensor(2)?);
    let sizes = batch_sizes(&x, &y)?;
    if let Some(s) = &bias.sizes {
        check_expands(s, &sizes)?;
    }
    if let (Some(d), Some(e)) = (bias.dtype, y.dtype)
        && (d != e || x.dtype.is_some_and(|x| x != d))
    {
        return error(format!(
            "Input dtypes must be the same, got: input {}, batch1: {}, batch2: {}",
            cpp_name(d),
            cpp_name(x.dtype.unwrap_or(d)),
            cpp_name(e)
        ));
    }
    has_kernel("baddbmm", bias.dtype, &sizes, x.size(2))?;
    scales(a, &bias, &sizes, x.size(2))?;
    one(bias.dtype, Some(sizes))
}

pub fn baddbmm_dtype(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    one(a.dtype(3).flatten(), Some(batch_sizes(&a.tensor(1)?, &a.tensor(2)?)?))
}

pub fn addbmm(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let bias = a.tensor(0)?;
    let (x, y) = (a.tensor(1)?, a.tensor(2)?);
    for (t, name) in [(&x, "batch1"), (&y, "batch2")] {
        if let Some(r) = t.rank()
            && r != 3
        {
            if r < 3 {
                wrap_dim(2, r)?;
            }
            return error(format!("{name} must be a 3D tensor"));
        }
    }
    if x.size(0).differs(y.size(0)) {
        return error(format!(
            "batch1 and batch2 must have same number of batches, got {} and {}",
            text(x.size(0)),
            text(y.size(0))
        ));
    }
    if x.size(2).differs(y.size(1)) {
        return error(format!(
            "Incompatible matrix sizes for bmm ({}x{} and {}x{})",
            text(x.size(1)),
            text(x.size(2)),
            text(y.size(1)),
            text(y.size(2))
        ));
    }
    if let (Some(d), Some(e)) = (x.dtype, y.dtype)
        && d != e
    {
        return error(format!(
            "mat1 and mat2 must have the same dtype, but got {} and {}",
            d.scalar_type_name(),
            e.scalar_type_name()
        ));
    }
    let sizes: Sizes = smallvec![x.size(1), y.size(2)];
    if let Some(s) = &bias.sizes {
        check_expands(s, &sizes)?;
    }
    if let (Some(d), Some(e)) = (bias.dtype, y.dtype)
        && d != e
        && !sizes.contains(&Size::Known(0))
    {
        let (d, e) = (d.scalar_type_name(), e.scalar_type_name());
        return error(format!("self and mat2 must have the same dtype, but got {d} and {e}"));
    }
    has_kernel("addmm_impl_cpu_", bias.dtype, &sizes, x.size(2))?;
    scales(a, &bias, &sizes, x.size(2))?;
    one(bias.dtype, Some(sizes))
}

fn mv_sizes(m: &TensorMeta, v: &TensorMeta) -> Result<Sizes, ShapeError> {
    if m.size(1).differs(v.size(0)) {
        return error(format!(
            "size mismatch, got input ({}), mat ({}x{}), vec ({})",
            text(m.size(0)),
            text(m.size(0)),
            text(m.size(1)),
            text(v.size(0))
        ));
    }
    Ok(smallvec![m.size(0)])
}

fn mv_dtype(m: &TensorMeta, v: &TensorMeta) -> Result<Option<DType>, ShapeError> {
    if let (Some(d), Some(e)) = (m.dtype, v.dtype)
        && d != e
    {
        return error(format!(
            "addmv input tensors must have the same dtype, but got {}, {}, and {}",
            e.scalar_type_name(),
            d.scalar_type_name(),
            e.scalar_type_name()
        ));
    }
    Ok(m.dtype)
}

pub fn mv(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let (m, v) = (a.tensor(0)?, a.tensor(1)?);
    if let (Some(r), Some(s)) = (m.rank(), v.rank())
        && (r != 2 || s != 1)
    {
        return error(format!("vector + matrix @ vector expected, got 1, {r}, {s}"));
    }
    let sizes = mv_sizes(&m, &v)?;
    let dtype = mv_dtype(&m, &v)?;
    has_kernel("addmv_impl_cpu", dtype, &sizes, v.size(0))?;
    one(dtype, Some(sizes))
}

pub fn dot(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let (x, y) = (a.tensor(0)?, a.tensor(1)?);
    if let (Some(r), Some(s)) = (x.rank(), y.rank())
        && (r != 1 || s != 1)
    {
        return error(format!("1D tensors expected, but got {r}D and {s}D tensors"));
    }
    if let (Some(d), Some(e)) = (x.dtype, y.dtype)
        && d != e
    {
        return error(format!(
            "dot : expected both vectors to have same dtype, but found {} and {}",
            d.scalar_type_name(),
            e.scalar_type_name()
        ));
    }
    let (m, n) = (x.size(0), y.size(0));
    if m.differs(n) {
        let (m, n) = (text(m), text(n));
        return error(format!(
            "inconsistent tensor size, expected tensor [{m}] and src [{n}] to have the same number of elements, but got {m} and {n} elements respectively"
        ));
    }
    has_kernel("dot", x.dtype, &[], Size::Known(1))?;
    one(x.dtype, Some(Sizes::new()))
}

pub fn outer(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let (x, y) = (a.tensor(0)?, a.tensor(1)?);
    for (t, name) in [(&x, "self"), (&y, "vec2")] {
        if let Some(r) = t.rank()
            && r != 1
        {
            return error(format!("outer: Expected 1-D argument {name}, but got {r}-D"));
        }
    }
    let dtype = common_dtype([Meta::Tensor(x.clone()), Meta::Tensor(y.clone())].iter())?;
    one(dtype, Some(smallvec![x.size(0), y.size(0)]))
}

/// The result of `torch.matmul`.
pub fn matmul_meta(x: &TensorMeta, y: &TensorMeta) -> Result<(Option<DType>, Option<Sizes>), ShapeError> {
    let (Some(xs), Some(ys)) = (&x.sizes, &y.sizes) else { return Ok((x.dtype.or(y.dtype), None)) };
    match (xs.len(), ys.len()) {
        (0, r) | (r, 0) => error(format!(
            "both arguments to matmul need to be at least 1D, but they are {}D and {}D",
            if xs.is_empty() { 0 } else { r },
            if xs.is_empty() { r } else { 0 }
        )),
        (1, 1) => {
            let meta = dot(&[Meta::Tensor(x.clone()), Meta::Tensor(y.clone())])?;
            drop(meta);
            Ok((x.dtype, Some(Sizes::new())))
        }
        (2, 1) => {
            let sizes = mv_sizes(x, y)?;
            let dtype = mv_dtype(x, y)?;
            has_kernel("addmv_impl_cpu", dtype, &sizes, ys[0])?;
            Ok((dtype, Some(sizes)))
        }
        (1, 2) => {
            if xs[0].differs(ys[0]) {
                product_sizes("mm", &TensorMeta::new(x.dtype, Some(smallvec![Size::Known(1), xs[0]])), y)?;
            }
            let dtype = same_dtype(x, y)?;
            has_kernel("addmm_impl_cpu_", dtype, &ys[1..], xs[0])?;
            Ok((dtype, Some(smallvec![ys[1]])))
        }
        (2, 2) => {
            let sizes = product_sizes("mm", x, y)?;
            let dtype = same_dtype(x, y)?;
            has_kernel("addmm_impl_cpu_", dtype, &sizes, xs[1])?;
            Ok((dtype, Some(sizes)))
        }
        (m, n) => {
            let row = |s: &Sizes| if s.len() == 1 { None } else { Some(s[s.len() - 2]) };
            let inner = if n == 1 { ys[0] } else { ys[n - 2] };
            let batch = broadcast(&xs[..m.saturating_sub(2)], &ys[..n.saturating_sub(2)])?;
            if xs[m - 1].differs(inner) {
                if n == 1 {
                    // The batch is folded into rows.
                    let rows = product(&xs[..m - 1]);
                    mv_sizes(&TensorMeta::new(None, Some(smallvec![rows, xs[m - 1]])), y)?;
                }
                if n <= 2 {
                    let rows = product(&xs[..m - 1]);
                    product_sizes("mm", &TensorMeta::new(None, Some(smallvec![rows, xs[m - 1]])), y)?;
                }
                let count = product(&batch);
                return error(format!(
                    "Expected size for first two dimensions of batch2 tensor to be: [{}, {}] but got: [{}, {}].",
                    text(count),
                    text(xs[m - 1]),
                    text(count),
                    text(inner)
                ));
            }
            let mut sizes = batch;
            sizes.extend(row(xs));
            if n > 1 {
                sizes.push(ys[n - 1]);
            }
            let dtype = same_dtype(x, y)?;
            has_kernel(if m > 2 && n > 2 { "bmm" } else { "addmm_impl_cpu_" }, dtype, &sizes, xs[m - 1])?;
            Ok((dtype, Some(sizes)))
        }
    }
}

pub fn matmul(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let (dtype, sizes) = matmul_meta(&a.tensor(0)?, &a.tensor(1)?)?;
    one(dtype, sizes)
}

fn transposed(t: &TensorMeta) -> TensorMeta {
    let mut t = t.clone();
    if let Some(s) = &mut t.sizes
        && s.len() == 2
    {
        s.swap(0, 1);
    }
    t
}

pub fn linear(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let (x, w, bias) = (a.tensor(0)?, a.tensor(1)?, a.optional_tensor(2)?);
    let (dtype, sizes) = linear_meta(&x, &w, bias.as_ref())?;
    one(dtype, sizes)
}

/// `x` times a transposed weight, plus a bias.
pub fn linear_meta(
    x: &TensorMeta,
    w: &TensorMeta,
    bias: Option<&TensorMeta>,
) -> Result<(Option<DType>, Option<Sizes>), ShapeError> {
    if w.rank().is_some_and(|r| r > 2) {
        return error("t() expects a tensor with <= 2 dimensions, but self is 3D");
    }
    if let (Some(b), Some(2)) = (bias, w.rank()) {
        added_dtypes(b, x, w)?;
    }
    let (dtype, sizes) = matmul_meta(x, &transposed(w)).map_err(|mut e| {
        if bias.is_some() {
            e.message = e.message.replace("mm: mat1", "addmm: mat1");
        }
        e
    })?;
    if let (Some(bias), Some(sizes)) = (bias, &sizes)
        && let Some(s) = &bias.sizes
    {
        // A batch of matrices is one matrix for the sum.
        match sizes[..] {
            [batch, rows, columns] => check_expands(s, &[batch.times(rows), columns])?,
            _ => check_expands(s, sizes)?,
        }
    }
    Ok((dtype, sizes))
}

/// A product and what it is added to have one dtype; that is found before their sizes are compared.
fn added_dtypes(bias: &TensorMeta, x: &TensorMeta, y: &TensorMeta) -> Result<(), ShapeError> {
    for (name, t) in [("self", bias), ("mat1", x)] {
        if let (Some(d), Some(e)) = (t.dtype, y.dtype)
            && d != e
        {
            return error(format!(
                "{name} and mat2 must have the same dtype, but got {} and {}",
                d.scalar_type_name(),
                e.scalar_type_name()
            ));
        }
    }
    Ok(())
}

pub fn tensordot(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let (x, y) = (a.tensor(0)?, a.tensor(1)?);
    let (Some(dx), Some(dy), Some(xs), Some(ys)) = (a.ints(2), a.ints(3), &x.sizes, &y.sizes) else {
        return one(x.dtype, None);
    };
    if dx.len() != dy.len() {
        return error("both dimension lists should have same length");
    }
    let mut gone = (vec![false; xs.len()], vec![false; ys.len()]);
    for (&given, &other) in dx.iter().zip(&dy) {
        let (i, j) = (wrap_dim(given, xs.len())?, wrap_dim(other, ys.len())?);
        let (m, n) = (x.size(i), y.size(j));
        if m.differs(n) && m != Size::Known(1) && n != Size::Known(1) {
            return error(format!(
                "contracted dimensions need to match, but first has size {} in dim {given} and second has size {} in dim {other}",
                text(m),
                text(n)
            ));
        }
        for (gone, at) in [(&mut gone.0, i), (&mut gone.1, j)] {
            if let Some(g) = gone.get_mut(at)
                && std::mem::replace(g, true)
            {
                return error(format!("dim {at} appears multiple times in the list of dims"));
            }
        }
    }
    let keep = |s: &Sizes, g: &[bool]| s.iter().zip(g).filter(|(_, g)| !**g).map(|(s, _)| *s).collect::<Sizes>();
    let mut sizes = keep(xs, &gone.0);
    sizes.extend(keep(ys, &gone.1));
    one(x.dtype, Some(sizes))
}

pub fn bilinear(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let (x, y, w) = (a.tensor(0)?, a.tensor(1)?, a.tensor(2)?);
    if let (Some(d), Some(e), Some(f)) = (x.dtype, y.dtype, w.dtype)
        && (d != e || e != f)
    {
        return error(format!(
            "All tensors must have the same dtype, got input1: {}, input2: {}, weight: {}",
            cpp_name(d),
            cpp_name(e),
            cpp_name(f)
        ));
    }
    if let (Some(d), Some(b)) = (x.dtype, a.optional_tensor(3)?.and_then(|b| b.dtype))
        && d != b
    {
        let (d, b) = (cpp_name(d), cpp_name(b));
        return error(format!(
            "All tensors must have the same dtype, got input1: {d}, input2: {d}, weight: {d}, bias: {b}"
        ));
    }
    let (Some(mut sizes), Some(ys)) = (x.sizes.clone(), &y.sizes) else { return one(x.dtype, None) };
    if sizes.len() != ys.len() {
        return error(format!("bilinear(): input dimensions do not match: got {} and {}", sizes.len(), ys.len()));
    }
    let batch = sizes.len().saturating_sub(1);
    for (d, (m, n)) in sizes.iter().zip(ys).enumerate().take(batch) {
        if m.differs(*n) {
            let (m, n) = (text(*m), text(*n));
            return error(format!("bilinear(): input batch dimensions do not match at dim {d}: got {m} and {n}"));
        }
    }
    for (name, have, want) in [("input1", sizes.last(), w.size(1)), ("input2", ys.last(), w.size(2))] {
        if let Some(have) = have.filter(|s| s.differs(want)) {
            let (have, want) = (text(*have), text(want));
            return error(format!(
                "bilinear(): {name} size does not match weight size: got {have} but expected {want}"
            ));
        }
    }
    if let Some(b) = a.optional_tensor(3)?
        && b.size(0).differs(w.size(0))
    {
        let (have, want) = (text(b.size(0)), text(w.size(0)));
        return error(format!("bilinear(): bias size does not match weight size: got {have} but expected {want}"));
    }
    if w.rank().is_some_and(|r| r != 3) {
        return error("number of dimensions must match");
    }
    sizes.pop();
    sizes.push(w.size(0));
    one(x.dtype, Some(sizes))
}

pub fn trilinear(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let mut dtype = None;
    let mut shapes = Vec::new();
    let mut rank = 0;
    for i in 0..3 {
        let t = a.tensor(i)?;
        dtype = dtype.or(t.dtype);
        let (Some(sizes), Some(expand)) = (t.sizes, a.ints(i + 3)) else { return one(dtype, None) };
        rank = sizes.len() + expand.len();
        let mask = if expand.is_empty() { smallvec![false; rank] } else { reduced_dims(&expand, rank)? };
        let mut rest = sizes.into_iter();
        shapes.push(
            mask.into_iter()
                .map(|m| if m { Size::Known(1) } else { rest.next().unwrap_or(Size::Unknown) })
                .collect::<Sizes>(),
        );
    }
    let all = broadcast(&broadcast(&shapes[0], &shapes[1])?, &shapes[2])?;
    let Some(sum) = a.ints(6) else { return one(dtype, None) };
    let mask = if sum.is_empty() { smallvec![false; rank] } else { reduced_dims(&sum, rank)? };
    one(dtype, Some(reduce_sizes(&all, &mask, false)))
}

pub fn cdist(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let (x, y) = (a.tensor(0)?, a.tensor(1)?);
    if let Some(p) = a.float(2)
        && p < 0.0
    {
        return error("cdist only supports non-negative p values");
    }
    for (t, name) in [(&x, "X1"), (&y, "X2")] {
        if let Some(d) = t.dtype.filter(|d| !d.is_float()) {
            return error(format!("cdist only supports floating-point dtypes, {name} got: {}", d.scalar_type_name()));
        }
    }
    let (Some(xs), Some(ys)) = (&x.sizes, &y.sizes) else { return one(x.dtype, None) };
    for (s, name) in [(xs, "X1"), (ys, "X2")] {
        if s.len() < 2 {
            return error(format!("cdist only supports at least 2D tensors, {name} got: {}D", s.len()));
        }
    }
    let (m, n) = (xs.len(), ys.len());
    if xs[m - 1].differs(ys[n - 1]) {
        return error(format!(
            "X1 and X2 must have the same number of columns. X1: {} X2: {}",
            text(xs[m - 1]),
            text(ys[n - 1])
        ));
    }
    if let Some(mode) = a.int(3)
        && !(0..=2).contains(&mode)
    {
        return error(format!("possible modes: 0, 1, 2, but was: {mode}"));
    }
    let mut sizes = broadcast(&xs[..m - 2], &ys[..n - 2])?;
    sizes.push(xs[m - 2]);
    sizes.push(ys[n - 2]);
    let dtype = match (x.dtype, y.dtype) {
        (Some(d), Some(e)) => Some(promote_types(d, e)?),
        _ => None,
    };
    // Of nothing nothing is computed.
    match dtype {
        Some(d) if d.size() == 2 && !sizes.contains(&Size::Known(0)) => not_implemented_for("cdist", d),
        dtype => one(dtype, Some(sizes)),
    }
}

/// (qkv, qkv_bias, num_heads): `[batch, heads, time, width]` of each third of the last dimension.
pub fn transform_bias_rescale_qkv(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let (t, bias) = (a.tensor(0)?, a.tensor(1)?);
    if let Some(r) = t.rank()
        && r != 3
    {
        wrap_dim(2, r)?;
        return error(format!("transform_bias_rescale_qkv: expected 3-D qkv, got {r}-D tensor"));
    }
    let width = bias.size(0).map(|n| n / 3);
    let heads = a.int(2);
    if let (Some(n), Some(h)) = (width.known(), heads)
        && (h <= 0 || n % h != 0)
    {
        return error("Expected D % num_head == 0 to be true, but got false.");
    }
    if t.size(2).differs(width.times(Size::Known(3))) || bias.rank().is_some_and(|r| r != 1) {
        return error("Expected _3D == 3 * D to be true, but got false.");
    }
    if let Some(d) = t.dtype
        && !d.is_float()
    {
        return not_implemented_for("transform_bias_rescale_qkv", d);
    }
    let heads = heads.map_or(Size::Unknown, Size::Known);
    let each = match (width.known(), heads.known()) {
        (Some(n), Some(h)) => Size::Known(n / h),
        _ => Size::Unknown,
    };
    let part = tensor(t.dtype, Some(smallvec![t.size(0), heads, t.size(1), each]));
    Ok(smallvec![part.clone(), part.clone(), part])
}

pub fn pdist(a: &[Meta]) -> RuleResult {
    let t = Args(a).tensor(0)?;
    if let Some(r) = t.rank() {
        if r < 2 {
            wrap_dim(1, r)?;
        }
        if r > 2 {
            return error(format!("pdist only supports 2D tensors, got: {r}D"));
        }
    }
    if let Some(d) = t.dtype
        && !matches!(d, DType::F32 | DType::F64)
        && t.size(0).known().is_none_or(|n| n > 1)
    {
        return not_implemented_for("pdist", d);
    }
    if Args(a).float(1).is_some_and(|p| p < 0.0) {
        return error("pdist only supports non-negative p values");
    }
    one(t.dtype, Some(smallvec![t.size(0).map(|n| if n < 2 { 0 } else { n * (n - 1) / 2 })]))
}

pub fn linalg_matrix_power(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    square("linalg.matrix_power", "A", &t)?;
    if let (Some(DType::Bool), Some(n)) = (t.dtype, a.int(1))
        && !(0..2).contains(&n)
    {
        return not_implemented_for("bmm", DType::Bool);
    }
    one(t.dtype, t.sizes)
}

/// The last two dimensions are equal.
pub fn square(what: &str, name: &str, t: &TensorMeta) -> Result<(), ShapeError> {
    let Some(r) = t.rank() else { return Ok(()) };
    if r < 2 {
        return error(format!("{what}: The input tensor {name} must have at least 2 dimensions."));
    }
    let (m, n) = (t.size(r - 2), t.size(r - 1));
    if m.differs(n) {
        return error(format!(
            "{what}: {name} must be batches of square matrices, but they are {} by {} matrices",
            text(m),
            text(n)
        ));
    }
    Ok(())
}

pub fn scaled_dot_product_attention(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let (q, k, v) = (a.tensor(0)?, a.tensor(1)?, a.tensor(2)?);
    if let (Some(d), Some(e), Some(f)) = (q.dtype, k.dtype, v.dtype)
        && (d != e || e != f)
    {
        return error(format!(
            "Expected query, key, and value to have the same dtype, but got query.dtype: {} key.dtype: {} and value.dtype: {} instead.",
            cpp_name(d),
            cpp_name(e),
            cpp_name(f)
        ));
    }
    let (Some(qs), Some(ks), Some(vs)) = (&q.sizes, &k.sizes, &v.sizes) else { return one(q.dtype, None) };
    let n = qs.len();
    if n < 2 || ks.len() < 2 || vs.len() < 2 {
        return error(format!(
            "Expected query, key, and value to all be  at least 2 dimensional, but got query.dim(): {}, key.dim(): {} and value.dim(): {} instead.",
            qs.len(),
            ks.len(),
            vs.len()
        ));
    }
    let kv = |s: &Sizes, i: usize| s[s.len() - i];
    let mask = a.optional_tensor(3)?;
    if let (Some(d), Some(own)) = (mask.as_ref().and_then(|m| m.dtype), q.dtype)
        && !matches!(d, DType::Bool | DType::F32)
        && d != own
    {
        return error(format!(
            "Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: {} and  query.dtype: {} instead.",
            cpp_name(d),
            cpp_name(own)
        ));
    }
    if let Some(mask) = mask
        && let Some(m) = &mask.sizes
    {
        let mut scores: Sizes = qs[..n - 1].into();
        scores.push(kv(ks, 2));
        broadcast(&scores, m)?;
    }
    // Of grouped heads those of keys and values are repeated until they are as many as the queries'.
    let grouped = a.bool(7) == Some(true) && n > 2;
    let heads = |s: &Sizes| -> Sizes {
        let mut batch: Sizes = s[..s.len() - 2].into();
        if let (Some(heads), true) = (batch.last_mut(), grouped) {
            *heads = qs[n - 3];
        }
        batch
    };
    let mut sizes = broadcast(&broadcast(&qs[..n - 2], &heads(ks))?, &heads(vs))?;
    sizes.push(qs[n - 2]);
    sizes.push(kv(vs, 1));
    one(q.dtype, Some(sizes))
}

/// A parsed equation: the labels of each operand and of the result, an ellipsis spelled out as labels of its own.
pub struct Einsum {
    pub operands: Vec<Vec<u32>>,
    pub result: Vec<u32>,
}

/// Reads an einsum equation for operands of these ranks.
pub fn parse_einsum(equation: &str, ranks: &[usize]) -> Result<Einsum, ShapeError> {
    if ranks.is_empty() {
        return error("einsum(): must provide at least one operand");
    }
    let equation: String = equation.chars().filter(|c| !c.is_whitespace()).collect();
    let (left, right) = match equation.split_once("->") {
        Some((l, r)) => (l, Some(r)),
        None => (equation.as_str(), None),
    };
    let terms: Vec<&str> = left.split(',').collect();
    if terms.len() != ranks.len() {
        let which = if terms.len() > ranks.len() { "fewer" } else { "more" };
        return error(format!("einsum(): {which} operands were provided than specified in the equation"));
    }
    let letters = |t: &str| t.replace("...", "");
    let width = |t: &str, rank: usize| rank.checked_sub(letters(t).len());
    let mut longest = 0;
    for (i, (t, &rank)) in terms.iter().zip(ranks).enumerate() {
        let count = letters(t).len();
        if let Some(bad) = letters(t).chars().find(|c| !c.is_ascii_alphabetic()) {
            return error(format!(
                "einsum(): invalid subscript given at index {} in the equation string, subscripts must be in [a-zA-Z]",
                equation.find(bad).unwrap_or(0)
            ));
        }
        if t.contains("...") {
            match width(t, rank) {
                Some(w) => longest = longest.max(w),
                None => {
                    return error(format!(
                        "einsum(): the number of subscripts in the equation ({count}) is more than the number of dimensions ({rank}) for operand {i}"
                    ));
                }
            }
        } else if count != rank {
            let tail = if count > rank { "" } else { " and no ellipsis was given" };
            let tail = if count > rank { " and no ellipsis was given" } else { tail };
            return error(format!(
                "einsum(): the number of subscripts in the equation ({count}) does not match the number of dimensions ({rank}) for operand {i}{tail}"
            ));
        }
    }
    // Labels of an ellipsis count from the right, above all letters.
    let labels = |t: &str, w: usize| -> Vec<u32> {
        let mut out = Vec::new();
        let mut rest = t;
        while let Some(c) = rest.chars().next() {
            if let Some(after) = rest.strip_prefix("...") {
                out.extend((0..w).map(|i| 1000 + (longest - w + i) as u32));
                rest = after;
            } else {
                out.push(c as u32);
                rest = &rest[c.len_utf8()..];
            }
        }
        out
    };
    let operands: Vec<Vec<u32>> = terms.iter().zip(ranks).map(|(t, &r)| labels(t, width(t, r).unwrap_or(0))).collect();
    let result = match right {
        Some(r) => {
            let out = labels(r, longest);
            for (i, l) in out.iter().enumerate() {
                let known = operands.iter().any(|o| o.contains(l));
                if !known || out[..i].contains(l) {
                    let name = char::from_u32(*l).unwrap_or('?');
                    return error(if known {
                        format!("einsum(): output subscript {name} appears more than once in the output")
                    } else {
                        format!(
                            "einsum(): output subscript {name} does not appear in the equation for any input operand"
                        )
                    });
                }
            }
            out
        }
        None => {
            let mut out: Vec<u32> = (0..longest).map(|i| 1000 + i as u32).collect();
            let mut single: Vec<u32> = operands
                .iter()
                .flatten()
                .copied()
                .filter(|l| *l < 1000 && operands.iter().flatten().filter(|m| *m == l).count() == 1)
                .collect();
            single.sort_unstable();
            out.extend(single);
            out
        }
    };
    Ok(Einsum { operands, result })
}

pub fn einsum(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let (Some(equation), Some(tensors)) = (a.str(0), a.tensors(1)?) else { return one(None, None) };
    let dtype = tensors.first().and_then(|t| t.dtype);
    let Some(shapes) = tensors.iter().map(|t| t.sizes.clone()).collect::<Option<Vec<_>>>() else {
        return one(dtype, None);
    };
    let ranks: Vec<usize> = shapes.iter().map(|s| s.len()).collect();
    let parsed = parse_einsum(equation, &ranks)?;
    let mut of: Vec<(u32, Size)> = Vec::new();
    for (i, (labels, sizes)) in parsed.operands.iter().zip(&shapes).enumerate() {
        for (l, &s) in labels.iter().zip(sizes) {
            match of.iter_mut().find(|(m, _)| m == l) {
                None => of.push((*l, s)),
                Some((_, have)) => {
                    if have.differs(s) && *have != Size::Known(1) && s != Size::Known(1) {
                        return error(format!(
                            "einsum(): subscript {} has size {} for operand {i} which does not broadcast with previously seen size {}",
                            char::from_u32(*l).unwrap_or('?'),
                            text(s),
                            text(*have)
                        ));
                    }
                    *have = if *have == Size::Known(1) {
                        s
                    } else if s == Size::Known(1) {
                        *have
                    } else {
                        have.or(s)
                    };
                }
            }
        }
    }
    let size = |l: &u32| of.iter().find(|(m, _)| m == l).map_or(Size::Unknown, |(_, s)| *s);
    one(dtype, Some(parsed.result.iter().map(size).collect()))
}

/// The last dimensions are contracted.
pub fn inner(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let (x, y) = (args.tensor(0)?, args.tensor(1)?);
    let (Some(xs), Some(ys)) = (&x.sizes, &y.sizes) else { return one(x.dtype, None) };
    if xs.is_empty() || ys.is_empty() {
        return one(common_dtype(a[..2].iter())?, Some(broadcast(xs, ys)?));
    }
    if xs[xs.len() - 1].differs(ys[ys.len() - 1]) {
        return error(format!(
            "inner() the last dimension must match on both input tensors but got shapes {} and {}",
            show(xs),
            show(ys)
        ));
    }
    let mut sizes: Sizes = xs[..xs.len() - 1].into();
    sizes.extend_from_slice(&ys[..ys.len() - 1]);
    one(same_dtype(&x, &y)?, Some(sizes))
}

pub fn vecdot(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let (x, y) = (a.tensor(0)?, a.tensor(1)?);
    if let Some(d) = x.dtype
        && !d.is_float()
        && !d.is_complex()
    {
        return not_implemented(format!(
            "linalg.vecdot: Expected a floating point or complex tensor as input. Got {}",
            d.scalar_type_name()
        ));
    }
    let (Some(sizes), Some(d)) = (broadcast_all([&x, &y].into_iter())?, a.int(2)) else { return one(x.dtype, None) };
    let mask = reduced_dims(&[d], sizes.len())?;
    one(x.dtype, Some(reduce_sizes(&sizes, &mask, false)))
}

pub fn addmv(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let (bias, m, v) = (a.tensor(0)?, a.tensor(1)?, a.tensor(2)?);
    if let (Some(q), Some(r), Some(s)) = (bias.rank(), m.rank(), v.rank())
        && (r != 2 || s != 1 || q > 1)
    {
        return error(format!("vector + matrix @ vector expected, got {q}, {r}, {s}"));
    }
    let sizes = mv_sizes(&m, &v)?;
    if let Some(s) = &bias.sizes {
        check_expands(s, &sizes)?;
    }
    if let (Some(b), Some(d), Some(e)) = (bias.dtype, m.dtype, v.dtype)
        && (b != d || d != e)
    {
        return error(format!(
            "addmv input tensors must have the same dtype, but got {}, {}, and {}",
            b.scalar_type_name(),
            d.scalar_type_name(),
            e.scalar_type_name()
        ));
    }
    has_kernel("addmv_impl_cpu", bias.dtype, &sizes, v.size(0))?;
    one(bias.dtype, Some(sizes))
}

pub fn addr(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let (bias, x, y) = (args.tensor(0)?, args.tensor(1)?, args.tensor(2)?);
    for (t, name) in [(&x, "vec1"), (&y, "vec2")] {
        if let Some(r) = t.rank()
            && r != 1
        {
            return error(format!("addr: Expected 1-D argument {name}, but got {r}-D"));
        }
    }
    let sizes: Sizes = smallvec![x.size(0), y.size(0)];
    if let Some(s) = &bias.sizes {
        check_expands(s, &sizes)?;
    }
    one(common_dtype(a[..3].iter())?, Some(sizes))
}

/// A chain of matrices; the first and the last may be vectors.
pub fn multi_dot(a: &[Meta]) -> RuleResult {
    let Some(list) = Args(a).tensors(0)? else { return one(None, None) };
    let n = list.len();
    if n < 2 {
        return error(format!("multi_dot(): expected at least 2 tensors but got {n}"));
    }
    let mut sizes: Sizes = smallvec![];
    for (i, t) in list.iter().enumerate() {
        let Some(r) = t.rank() else { return one(list[0].dtype, None) };
        let end = i == 0 || i + 1 == n;
        if !(r == 2 || (end && r == 1)) {
            let wanted = if end { "1D or 2D" } else { "2D" };
            let which = if i == 0 {
                "the first tensor".to_string()
            } else if end {
                "the last tensor".to_string()
            } else {
                format!("tensor {i}")
            };
            return error(format!("multi_dot(): {which} must be {wanted} but got {r}D"));
        }
        if i > 0 {
            let before = &list[i - 1];
            let (p, q) = (before.size(before.rank().unwrap_or(1) - 1), t.size(0));
            if p.differs(q) {
                return error(format!(
                    "multi_dot(): tensors {} and {i} with shapes {} and {} cannot be multiplied",
                    i - 1,
                    show(before.sizes.as_deref().unwrap_or(&[])),
                    show(t.sizes.as_deref().unwrap_or(&[]))
                ));
            }
        }
    }
    if list[0].rank() == Some(2) {
        sizes.push(list[0].size(0));
    }
    if list[n - 1].rank() == Some(2) {
        sizes.push(list[n - 1].size(1));
    }
    one(list[0].dtype, Some(sizes))
}

/// The same, and of one matrix itself.
pub fn chain_matmul(a: &[Meta]) -> RuleResult {
    let matrices = Args(a).tensors(0)?;
    if let Some(rank) = matrices.iter().flatten().filter_map(|t| t.rank()).find(|r| *r != 2) {
        return error(format!("Tensor dimension is {rank}, expected 2 instead."));
    }
    match matrices.as_deref() {
        Some([only]) => one(only.dtype, only.sizes.clone()),
        _ => multi_dot(a),
    }
}

pub fn kron(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let (x, y) = (args.tensor(0)?, args.tensor(1)?);
    let dtype = common_dtype(a[..2].iter())?;
    let (Some(xs), Some(ys)) = (&x.sizes, &y.sizes) else { return one(dtype, None) };
    let n = xs.len().max(ys.len());
    let at = |s: &Sizes, d: usize| (d + s.len()).checked_sub(n).map_or(Size::Known(1), |i| s[i]);
    one(dtype, Some((0..n).map(|d| at(xs, d).times(at(ys, d))).collect()))
}

/// The p-norm of a difference.
pub fn dist(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    broadcast_all([&args.tensor(0)?, &args.tensor(1)?].into_iter())?;
    let dtype = common_dtype(a[..2].iter())?;
    if let Some(d) = dtype
        && !d.is_float()
        && !d.is_complex()
    {
        return not_implemented(format!(
            "norm(): input dtype should be either floating point or complex. Got {} instead.",
            d.scalar_type_name()
        ));
    }
    one(dtype.map(DType::to_real), Some(Sizes::new()))
}

/// Attention weights follow the output where they are asked for.
pub fn multi_head_attention(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let (q, k) = (a.tensor(0)?, a.tensor(1)?);
    let weights = match (a.bool(10), a.bool(11)) {
        (Some(false), _) => Meta::None,
        (Some(true), Some(true)) => tensor(q.dtype, Some(smallvec![q.size(0), q.size(1), k.size(1)])),
        (Some(true), Some(false)) => {
            let heads = a.int(4).map_or(Size::Unknown, Size::Known);
            tensor(q.dtype, Some(smallvec![q.size(0), heads, q.size(1), k.size(1)]))
        }
        _ => Meta::Unknown,
    };
    Ok(smallvec![tensor(q.dtype, q.sizes), weights])
}

/// Same as the first argument.
pub fn like_first(a: &[Meta]) -> RuleResult {
    let t = Args(a).tensor(0)?;
    one(t.dtype, t.sizes)
}

/// (query, key, value, dropout_p, is_causal, attn_mask, scale): the result, and a number for each row.
pub fn attention_for_cpu(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let (q, v) = (args.tensor(0)?, args.tensor(2)?);
    for (name, t) in [("query", &q), ("key", &args.tensor(1)?), ("value", &v)] {
        if let (Some(d), Some(e)) = (q.dtype, t.dtype)
            && (d != e || !d.is_float())
        {
            return error(format!(
                "_scaled_dot_product_flash_attention_for_cpu: {name} has dtype {}",
                e.scalar_type_name()
            ));
        }
        if t.rank().is_some_and(|r| r != 4) {
            return error("_scaled_dot_product_flash_attention_for_cpu: Expect q, k, v to have 4 dimensions");
        }
    }
    let sums_dtype = q.dtype.map(|d| if d == DType::F64 { d } else { DType::F32 });
    let (Some(qs), Some(vs)) = (q.sizes, v.sizes) else {
        return Ok(smallvec![tensor(q.dtype, None), tensor(sums_dtype, None)]);
    };
    let mut out = qs.clone();
    out[3] = vs[3];
    Ok(smallvec![tensor(q.dtype, Some(out)), tensor(sums_dtype, Some(qs[..3].into()))])
}

/// (grad_out, query, key, value, …): gradients like the three.
pub fn attention_for_cpu_backward(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let grad = args.tensor(0)?;
    let mut out = RuleResult::Ok(smallvec![])?;
    for i in 1..4 {
        let t = args.tensor(i)?;
        if let Some(r) = t.rank()
            && r != 4
        {
            wrap_dim(3, r)?;
        }
        if let (Some(d), Some(e)) = (grad.dtype, t.dtype)
            && d != e
        {
            return error(format!("expected scalar type {} but found {}", d.scalar_type_name(), e.scalar_type_name()));
        }
        out.push(tensor(t.dtype, t.sizes));
    }
    Ok(out)
}

/// (query, key, value, …): the result, and the weights.
pub fn attention_math(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let (q, k, v) = (args.tensor(0)?, args.tensor(1)?, args.tensor(2)?);
    let with_last = |sizes: &Sizes, last: Size| {
        let mut s = sizes.clone();
        if let Some(l) = s.last_mut() {
            *l = last;
        }
        s
    };
    let last =
        |t: &TensorMeta, back: usize| t.rank().filter(|r| *r >= back).map_or(Size::Unknown, |r| t.size(r - back));
    let out = q.sizes.as_ref().map(|s| with_last(s, last(&v, 1)));
    let weights = q.sizes.as_ref().map(|s| with_last(s, last(&k, 2)));
    Ok(smallvec![tensor(q.dtype, out), tensor(q.dtype, weights)])
}
