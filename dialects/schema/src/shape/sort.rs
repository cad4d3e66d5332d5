//! Sizes of sorting, searching and picking the unique; how many are unique is the kernel's to see.

use super::args::*;

fn no_complex(t: &TensorMeta, name: &str) -> Result<(), ShapeError> {
    if t.dtype.is_some_and(|d| d.is_complex()) {
        return Err(ShapeError {
            kind: ErrorKind::Type,
            message: format!(" {name} does not support complex dtypes on CPU"),
        });
    }
    Ok(())
}

fn sorted(args: &[Meta], dim: usize) -> Result<TensorMeta, ShapeError> {
    let t = args.tensor(0)?;
    if let (Some(rank), Some(dim)) = (t.rank(), args.int(dim)) {
        wrap_dim(dim, rank)?;
    }
    no_complex(&t, "Sort")?;
    Ok(t)
}

fn values_and_indices(t: &TensorMeta, sizes: Option<Sizes>) -> RuleResult {
    Ok(smallvec![t.with_sizes(sizes.clone()), tensor(Some(DType::I64), sizes)])
}

/// (self, dim, descending).
pub fn sort(args: &[Meta]) -> RuleResult {
    let t = sorted(args, 1)?;
    values_and_indices(&t, t.sizes.clone())
}

/// (self, stable, dim, descending).
pub fn sort_stable(args: &[Meta]) -> RuleResult {
    let t = sorted(args, 2)?;
    values_and_indices(&t, t.sizes.clone())
}

/// (self).
pub fn msort(args: &[Meta]) -> RuleResult {
    let t = args.tensor(0)?;
    no_complex(&t, "Sort")?;
    Ok(smallvec![t.with_sizes(t.sizes.clone())])
}

/// (self, dim, descending).
pub fn argsort(args: &[Meta]) -> RuleResult {
    Ok(smallvec![tensor(Some(DType::I64), sorted(args, 1)?.sizes)])
}

/// (self, stable, dim, descending).
pub fn argsort_stable(args: &[Meta]) -> RuleResult {
    Ok(smallvec![tensor(Some(DType::I64), sorted(args, 2)?.sizes)])
}

/// (self, k, dim, largest, sorted).
pub fn topk(args: &[Meta]) -> RuleResult {
    let t = args.tensor(0)?;
    let (Some(sizes), Some(dim)) = (&t.sizes, args.int(2)) else { return values_and_indices(&t, None) };
    let d = wrap_dim(dim, sizes.len())?;
    no_complex(&t, "topk")?;
    refuse!(NotImplemented if t.dtype == Some(DType::Bool), "topk does not support bool dtypes on CPU");
    let k = args.size(1);
    let have = sizes.get(d).copied().unwrap_or(Size::Known(1));
    refuse!(if let Some(k) = k.known(), (k < 0 || have.known().is_some_and(|n| k > n)),
        "selected index k out of range");
    let mut out = sizes.clone();
    if let Some(s) = out.get_mut(d) {
        *s = k;
    }
    values_and_indices(&t, Some(out))
}

/// (self, k, dim, keepdim).
pub fn kthvalue(args: &[Meta]) -> RuleResult {
    let t = args.tensor(0)?;
    let (Some(sizes), Some(dim)) = (&t.sizes, args.int(2)) else { return values_and_indices(&t, None) };
    let d = wrap_dim(dim, sizes.len())?;
    let have = sizes.get(d).copied().unwrap_or(Size::Known(1));
    refuse!(Index if have == Size::Known(0) && !sizes.is_empty(),
        "kthvalue(): Expected reduction dim {d} to have non-zero size.");
    refuse!(if let (Some(k), Some(n)) = (args.int(1), have.known()), (k <= 0 || k > n),
        "kthvalue(): selected number k out of range for dimension {d}");
    let mut out = sizes.clone();
    if !out.is_empty() {
        match args.bool(3) {
            Some(true) => out[d] = Size::Known(1),
            Some(false) => {
                out.remove(d);
            }
            None => return values_and_indices(&t, None),
        }
    }
    values_and_indices(&t, Some(out))
}

fn search_dtype(args: &[Meta], out_int32: usize) -> Option<DType> {
    args.bool(out_int32).map(|small| if small { DType::I32 } else { DType::I64 })
}

fn one_dimension(t: &TensorMeta) -> Result<(), ShapeError> {
    match t.rank() {
        Some(rank) if rank != 1 => {
            Err(ShapeError::runtime(format!("boundaries tensor must be 1 dimension, but got dim({rank})")))
        }
        _ => Ok(()),
    }
}

/// (self, boundaries, out_int32, right), where self is a tensor or a number.
pub fn bucketize(args: &[Meta]) -> RuleResult {
    one_dimension(&args.tensor(1)?)?;
    let sizes = match args.meta(0) {
        Meta::Tensor(t) if !t.wrapped_number => t.sizes.clone(),
        Meta::Unknown => None,
        _ => Some(smallvec![]),
    };
    Ok(smallvec![tensor(search_dtype(args, 2), sizes)])
}

/// (sorted_sequence, self, out_int32, right, side, sorter), where self is a tensor or a number.
pub fn searchsorted(args: &[Meta]) -> RuleResult {
    let sequence = args.tensor(0)?;
    let sizes = match args.meta(1) {
        Meta::Tensor(t) if !t.wrapped_number => {
            if let (Some(s), Some(v)) = (&sequence.sizes, &t.sizes) {
                let scalar = v.is_empty() && s.len() == 1;
                let leading = |x: &[Size]| x.split_last().map(|(_, rest)| rest.to_vec()).unwrap_or_default();
                if s.len() != 1
                    && !scalar
                    && (s.len() != v.len() || leading(s).iter().zip(leading(v)).any(|(a, b)| a.differs(b)))
                {
                    return Err(ShapeError::runtime(format!(
                        "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor and input value tensor must match, but we got boundaries tensor {} and input value tensor {}",
                        show(s),
                        show(v)
                    )));
                }
            }
            t.sizes.clone()
        }
        Meta::Unknown => None,
        _ => {
            refuse!(if let Some(rank) = sequence.rank().filter(|r| *r != 1),
                "torch.searchsorted(): input value can be a scalar only when boundaries tensor dimension is 1, but we got boundaries tensor dim({rank}) and input value's dim(0) numel(1)");
            Some(smallvec![])
        }
    };
    Ok(smallvec![tensor(search_dtype(args, 2), sizes)])
}

fn unique_of(t: &TensorMeta, name: &str) -> RuleResult {
    if let Some(d) = t.dtype.filter(|d| d.is_complex()) {
        return not_implemented_for(name, d);
    }
    let counts = || tensor(Some(DType::I64), None);
    Ok(smallvec![t.with_sizes(None), counts(), counts()])
}

/// (self, …): values, inverse, counts.
pub fn unique(args: &[Meta]) -> RuleResult {
    unique_of(&args.tensor(0)?, "unique")
}

/// (self, dim, …): values, inverse, counts.
pub fn unique_dim(args: &[Meta]) -> RuleResult {
    let t = args.tensor(0)?;
    if let (Some(rank), Some(dim)) = (t.rank(), args.int(1)) {
        wrap_dim(dim, rank)?;
    }
    unique_of(&t, "unique_dim")
}
