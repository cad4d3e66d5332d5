//! How rules read their arguments and compute with sizes that may not be known: an answer of `None` always means "not known", never "wrong".

use crate::dim::{Relation, assume};
use crate::geometry::Reduction;
use crate::promotion::{self, Operand, PromotionError};

// What a rule is written with.
pub use super::typed::*;
pub use super::{ErrorKind, Meta, Rule, RuleResult, ShapeError, Size, Sizes, TensorMeta};
pub use crate::DType;
pub use crate::promotion::{promote_types, to_float};
pub use smallvec::{SmallVec, smallvec};

/// A `RuntimeError`.
pub fn error<T>(message: impl Into<String>) -> Result<T, ShapeError> {
    Err(ShapeError::runtime(message))
}

pub fn index_error<T>(message: impl Into<String>) -> Result<T, ShapeError> {
    Err(ShapeError::of(ErrorKind::Index, message))
}

pub fn not_implemented<T>(message: impl Into<String>) -> Result<T, ShapeError> {
    Err(ShapeError::of(ErrorKind::NotImplemented, message))
}

/// `"what" not implemented for 'Long'`.
pub fn no_kernel(what: &str, dtype: DType) -> ShapeError {
    let message = format!("\"{what}\" not implemented for '{}'", dtype.graph_name());
    ShapeError::of(ErrorKind::NotImplemented, message)
}

pub fn not_implemented_for<T>(what: &str, dtype: DType) -> Result<T, ShapeError> {
    Err(no_kernel(what, dtype))
}

/// There is a kernel `what` for the dtypes of which `has` is true, and no others.
pub fn kernel(what: &str, dtype: Option<DType>, has: impl Fn(DType) -> bool) -> Result<(), ShapeError> {
    dtype.filter(|d| !has(*d)).map_or(Ok(()), |d| not_implemented_for(what, d))
}

/// What is subtracted is no truth value.
pub fn no_truth_values<'a>(tensors: impl IntoIterator<Item = &'a TensorMeta>) -> Result<(), ShapeError> {
    refuse!(NotImplemented if tensors.into_iter().any(|t| t.dtype == Some(DType::Bool)),
        "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.");
    Ok(())
}

/// What is negated is none either.
pub fn no_negated_truth(t: &TensorMeta) -> Result<(), ShapeError> {
    refuse!(NotImplemented if t.dtype == Some(DType::Bool),
        "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.");
    Ok(())
}

/// No size is below zero.
pub fn countable(sizes: Sizes) -> Result<Sizes, ShapeError> {
    refuse!(if let Some(n) = sizes.iter().find_map(|s| s.known().filter(|n| *n < 0)),
        "Trying to create tensor with negative dimension {n}: {}", show(&sizes));
    Ok(sizes)
}

/// Certainly different; else each size is taken to be the other's.
pub fn differ(a: &[Size], b: &[Size]) -> bool {
    a.len() != b.len() || a.iter().zip(b).any(|(x, y)| x.unequal(*y))
}

/// Two shapes as they are shown, where they are certainly different.
pub fn mismatch(a: &Option<Sizes>, b: &Option<Sizes>) -> Option<(String, String)> {
    let (a, b) = (a.as_deref()?, b.as_deref()?);
    differ(a, b).then(|| (show(a), show(b)))
}

/// The names of two dtypes, where they are certainly different.
pub fn unlike(a: &TensorMeta, b: &TensorMeta) -> Option<(&'static str, &'static str)> {
    different(a.dtype, b.dtype).map(|(d, e)| (d.scalar_type_name(), e.scalar_type_name()))
}

/// The same in C++.
pub fn unlike_cpp(a: &TensorMeta, b: &TensorMeta) -> Option<(&'static str, &'static str)> {
    different(a.dtype, b.dtype).map(|(d, e)| (d.cpp_name(), e.cpp_name()))
}

pub fn different(a: Option<DType>, b: Option<DType>) -> Option<(DType, DType)> {
    a.zip(b).filter(|(a, b)| a != b)
}

/// What is read beside the first has its dtype.
pub fn scalar_type(want: &TensorMeta, have: &TensorMeta) -> Result<(), ShapeError> {
    refuse!(if let Some((d, e)) = unlike(want, have), "expected scalar type {d} but found {e}");
    Ok(())
}

/// A tensor must have the sizes that are wanted in these dimensions.
pub fn alike_in(want: &[Size], have: &[Size], mut dims: std::ops::Range<usize>) -> Result<(), ShapeError> {
    let at = |sizes: &[Size], d: usize| sizes.get(d).copied().unwrap_or(Size::Known(0));
    refuse!(if let Some(d) = dims.find(|&d| have.len() != want.len() || have[d].unequal(want[d])),
        "Expected a tensor of dimension {} and tensor.size[{d}] == {} but got: dimension {} and tensor.size[{d}] = {}",
        want.len(), at(want, d), have.len(), at(have, d));
    Ok(())
}

/// `[2, 3]` as PyTorch prints sizes; `?` for what is not known.
pub fn show(sizes: &[Size]) -> String {
    let items: Vec<String> = sizes.iter().map(Size::to_string).collect();
    format!("[{}]", items.join(", "))
}

/// Known integers.
pub type Ints = SmallVec<[i64; 6]>;

/// All sizes, if they are known.
pub fn all_known(sizes: &[Size]) -> Option<Ints> {
    sizes.iter().map(|s| s.known()).collect()
}

/// The product, as far as it is known.
pub fn product(sizes: &[Size]) -> Size {
    if sizes.contains(&Size::Known(0)) {
        return Size::Known(0);
    }
    sizes.iter().fold(Size::Known(1), |p, s| p.times(*s))
}

impl TensorMeta {
    pub const fn new(dtype: Option<DType>, sizes: Option<Sizes>) -> TensorMeta {
        TensorMeta { dtype, sizes, device: None, wrapped_number: false }
    }
    pub fn rank(&self) -> Option<usize> {
        self.sizes.as_ref().map(|s| s.len())
    }
    /// The rank, if it is another.
    pub fn rank_not(&self, want: usize) -> Option<usize> {
        self.rank().filter(|r| *r != want)
    }
    pub fn size(&self, dim: usize) -> Size {
        self.sizes.as_ref().and_then(|s| s.get(dim).copied()).unwrap_or(Size::Unknown)
    }
    /// The last dimension's size.
    pub fn last(&self) -> Size {
        self.sizes.as_ref().and_then(|s| s.last().copied()).unwrap_or(Size::Unknown)
    }
    pub fn numel(&self) -> Size {
        self.sizes.as_ref().map_or(Size::Unknown, |s| product(s))
    }
    /// The dimension that a number means, where both it and the rank are known.
    pub fn dimension(&self, dim: Int) -> Result<Option<usize>, ShapeError> {
        dim.zip(self.rank()).map(|(dim, rank)| wrap_dim(dim, rank)).transpose()
    }
    /// There is certainly no element.
    pub fn is_empty(&self) -> bool {
        self.numel() == Size::Known(0)
    }
    /// The sizes in a message.
    pub fn shown(&self) -> String {
        show(self.sizes.as_deref().unwrap_or(&[]))
    }
    /// The dtype's name in a message, if the dtype is none of those of which `is` is true.
    pub fn dtype_not(&self, is: impl Fn(DType) -> bool) -> Option<&'static str> {
        self.dtype.filter(|d| !is(*d)).map(DType::scalar_type_name)
    }
    /// A result of this dtype and these sizes.
    pub fn like(&self) -> Meta {
        tensor(self.dtype, self.sizes.clone())
    }
    /// The same tensor with other sizes.
    pub fn with_sizes(&self, sizes: Option<Sizes>) -> Meta {
        Meta::Tensor(TensorMeta { dtype: self.dtype, sizes, device: self.device.clone(), wrapped_number: false })
    }
    /// A rule's one result: this tensor with other sizes.
    pub fn sized(&self, sizes: Option<Sizes>) -> RuleResult {
        Ok(smallvec![self.with_sizes(sizes)])
    }
}

/// A tensor result.
pub fn tensor(dtype: Option<DType>, sizes: Option<Sizes>) -> Meta {
    Meta::Tensor(TensorMeta::new(dtype, sizes))
}

/// A rule's one result, a tensor.
pub fn one(dtype: Option<DType>, sizes: Option<Sizes>) -> RuleResult {
    Ok(smallvec![tensor(dtype, sizes)])
}

/// Results, and further ones.
pub fn followed_by(results: RuleResult, more: impl IntoIterator<Item = Meta>) -> RuleResult {
    results.map(|results| results.into_iter().chain(more).collect())
}

/// What can be read of one argument, and of one of several by its position. What is asked for beyond their number is not known.
macro_rules! readings {
    ($($(#[$doc:meta])* $name:ident / $list:ident ($m:ident) -> $t:ty $body:block)*) => {
        impl Meta { $(
            $(#[$doc])*
            pub fn $name(&self) -> $t {
                let $m = self;
                $body
            }
        )* }
        pub trait Arguments {
            fn meta(&self, i: usize) -> &Meta;
            $(
                $(#[$doc])*
                fn $list(&self, i: usize) -> $t {
                    self.meta(i).$name()
                }
            )*
            /// A tensor; one of which nothing is known stands for what is not a tensor yet.
            fn tensor(&self, i: usize) -> Result<TensorMeta, ShapeError> {
                match self.meta(i) {
                    Meta::Tensor(t) => Ok(t.clone()),
                    Meta::Unknown => Ok(TensorMeta::new(None, None)),
                    other => error(format!("argument {i} must be a Tensor, not {}", kind(other))),
                }
            }
            /// `None` when the argument is None.
            fn optional_tensor(&self, i: usize) -> Result<Option<TensorMeta>, ShapeError> {
                if self.is_none(i) { Ok(None) } else { self.tensor(i).map(Some) }
            }
            /// A list of tensors, if its length is known.
            fn tensors(&self, i: usize) -> Result<Option<Vec<TensorMeta>>, ShapeError> {
                match self.meta(i) {
                    Meta::List(items) => (0..items.len()).map(|k| items.tensor(k)).collect::<Result<_, _>>().map(Some),
                    _ => Ok(None),
                }
            }
            /// A dtype that is asked for, or what it is where nobody asks.
            fn dtype_or(&self, i: usize, default: Option<DType>) -> Option<DType> {
                self.dtype(i).and_then(|d| d.or(default))
            }
        }
    };
}

readings! {
    is_none / is_none(m) -> bool { *m == Meta::None }
    is_unknown / is_unknown(m) -> bool { *m == Meta::Unknown }
    size / size(m) -> Size {
        match m {
            Meta::Int(n) => *n,
            Meta::Bool(b) => Size::Known(i64::from(*b)),
            _ => Size::Unknown,
        }
    }
    /// An integer, if it is known.
    int / int(m) -> Option<i64> { m.size().known() }
    bool / bool(m) -> Option<bool> { m.int().map(|n| n != 0) }
    float / float(m) -> Option<f64> { if let Meta::Float(f) = m { Some(*f) } else { m.int().map(|n| n as f64) } }
    str / str(m) -> Option<&str> { if let Meta::Str(s) = m { Some(s) } else { None } }
    /// A `ScalarType?` argument: `Some(None)` when it is None.
    dtype / dtype(m) -> Option<Option<DType>> {
        match m {
            Meta::None => Some(None),
            Meta::Int(Size::Known(n)) => DType::from_number(*n).map(Some),
            _ => None,
        }
    }
    /// A list of sizes; the elements may be unknown, the length is not. A single number is a list of one, None the empty list.
    list / sizes(m) -> Option<Sizes> {
        match m {
            Meta::List(items) => Some(items.iter().map(Meta::size).collect()),
            Meta::Int(n) => Some(smallvec![*n]),
            Meta::None => Some(smallvec![]),
            _ => None,
        }
    }
    /// The same of integers, if all are known.
    ints / ints(m) -> Option<Ints> { all_known(&m.list()?) }
    floats / floats(m) -> Option<Vec<f64>> {
        match m {
            Meta::List(items) => items.iter().map(Meta::float).collect(),
            Meta::None => Some(Vec::new()),
            _ => None,
        }
    }
}

/// Argument `i`, if it is a tensor of which something is known.
pub fn tensor_at(args: &[Meta], i: usize) -> Option<&TensorMeta> {
    if let Some(Meta::Tensor(t)) = args.get(i) { Some(t) } else { None }
}

/// The sizes of tensor argument `i`, if its rank is known.
pub fn sizes_at(args: &[Meta], i: usize) -> Option<&Sizes> {
    tensor_at(args, i)?.sizes.as_ref()
}

impl Arguments for [Meta] {
    fn meta(&self, i: usize) -> &Meta {
        self.get(i).unwrap_or(&Meta::Unknown)
    }
}

impl Meta {
    /// The tensors of a list that has nothing else.
    pub fn tensors(&self) -> Option<Vec<TensorMeta>> {
        std::slice::from_ref(self).tensors(0).ok().flatten()
    }
}

fn kind(m: &Meta) -> &'static str {
    match m {
        Meta::Unknown => "unknown",
        Meta::None => "None",
        Meta::Tensor(_) => "Tensor",
        Meta::Bool(_) => "bool",
        Meta::Int(_) => "int",
        Meta::Float(_) | Meta::AnyFloat => "float",
        Meta::Complex(..) => "complex",
        Meta::Str(_) => "str",
        Meta::Device(_) => "Device",
        Meta::List(_) => "list",
    }
}

/// A dimension counted from the end when negative.
pub fn wrap_dim(dim: i64, rank: usize) -> Result<usize, ShapeError> {
    let n = rank.max(1) as i64;
    refuse!(Index if dim < -n || dim >= n,
        "Dimension out of range (expected to be in range of [{}, {}], but got {dim})", -n, n - 1);
    Ok(if dim < 0 { dim + n } else { dim } as usize)
}

/// A dimension that must exist: a tensor of rank 0 has none.
pub fn existing_dimension(dim: i64, rank: usize) -> Result<usize, ShapeError> {
    refuse!(Index if rank == 0, "Dimension specified as {dim} but tensor has no dimensions");
    wrap_dim(dim, rank)
}

/// Dimensions without repetition, as flags.
pub fn dimension_set(dims: &[i64], rank: usize) -> Result<SmallVec<[bool; 6]>, ShapeError> {
    let mut set = SmallVec::from_elem(false, rank.max(1));
    for &dim in dims {
        let at = wrap_dim(dim, rank)?;
        refuse!(if std::mem::replace(&mut set[at], true), "dim {at} appears multiple times in the list of dims");
    }
    set.truncate(rank);
    Ok(set)
}

/// Which dimensions a reduction takes; an empty list is all of them.
pub fn reduced_dims(dims: &[i64], rank: usize) -> Result<SmallVec<[bool; 6]>, ShapeError> {
    refuse!(if rank > 64, "only tensors with up to 64 dims are supported");
    if dims.is_empty() { Ok(SmallVec::from_elem(true, rank)) } else { dimension_set(dims, rank) }
}

/// Sizes after reducing the marked dimensions.
pub fn reduce_sizes(sizes: &[Size], folded: &[bool], keepdim: bool) -> Sizes {
    Reduction { folded: folded.into(), keepdim }.sizes(sizes)
}

/// Sizes without a dimension.
pub fn without(sizes: Option<Sizes>, dim: Int) -> Result<Option<Sizes>, ShapeError> {
    let (Some(sizes), Some(dim)) = (sizes, dim) else { return Ok(None) };
    Ok(Some(reduce_sizes(&sizes, &reduced_dims(&[dim], sizes.len())?, false)))
}

/// The common size of two shapes.
pub fn broadcast(a: &[Size], b: &[Size]) -> Result<Sizes, ShapeError> {
    let rank = a.len().max(b.len());
    let mut out: Sizes = smallvec![Size::Known(1); rank];
    // The last dimension that does not fit is the one named.
    for d in (0..rank).rev() {
        let at = |s: &[Size]| (d + s.len()).checked_sub(rank).map_or(Size::Known(1), |i| s[i]);
        let (x, y) = (at(a), at(b));
        out[d] = match (x, y) {
            _ if x.same(y) => x,
            (Size::Known(1), _) => y,
            (_, Size::Known(1)) => x,
            (Size::Known(x), Size::Known(y)) => {
                return error(format!(
                    "The size of tensor a ({x}) must match the size of tensor b ({y}) at non-singleton dimension {d}"
                ));
            }
            _ if x != y && assume(Relation::Equal, x, y) => x.or(y),
            // The other one is either this or 1.
            (Size::Known(_), _) => x,
            (_, Size::Known(_)) => y,
            _ => Size::Unknown,
        };
    }
    Ok(out)
}

/// The same for any number of tensors; `None` when a rank is not known.
pub fn broadcast_all<'a>(tensors: impl IntoIterator<Item = &'a TensorMeta>) -> Result<Option<Sizes>, ShapeError> {
    let mut out = Sizes::new();
    let mut known = true;
    for t in tensors {
        match &t.sizes {
            Some(s) => out = broadcast(&out, s)?,
            None => known = false,
        }
    }
    Ok(known.then_some(out))
}

/// The dtype of a result over tensors and numbers, as `at::result_type`. `None` when it is not known, or there are no operands.
pub fn common_dtype<'a>(args: impl Iterator<Item = &'a Meta>) -> Result<Option<DType>, ShapeError> {
    let mut unknown = false;
    let operands = args.filter_map(|m| match m {
        Meta::Tensor(t) => match (t.dtype, t.rank()) {
            (Some(dtype), _) if t.wrapped_number => Some(Operand::Number(dtype)),
            (Some(dtype), Some(0)) => Some(Operand::Zero(dtype)),
            (Some(dtype), Some(_)) => Some(Operand::Dim(dtype)),
            _ => {
                unknown = true;
                None
            }
        },
        Meta::Bool(_) => Some(Operand::BOOL),
        Meta::Int(_) => Some(Operand::INT),
        Meta::Float(_) | Meta::AnyFloat => Some(Operand::FLOAT),
        Meta::Complex(..) => Some(Operand::COMPLEX),
        Meta::Unknown => {
            unknown = true;
            None
        }
        _ => None,
    });
    let result = promotion::result_type(operands)?;
    Ok(if unknown { None } else { result })
}

/// The same over tensors.
pub fn common_of<'a>(tensors: impl IntoIterator<Item = &'a TensorMeta>) -> Result<Option<DType>, ShapeError> {
    let metas: SmallVec<[Meta; 3]> = tensors.into_iter().cloned().map(Meta::Tensor).collect();
    common_dtype(metas.iter())
}

/// Tensors broadcast, in their order, and their common dtype.
pub fn joined<'a>(
    tensors: impl IntoIterator<Item = &'a TensorMeta> + Clone,
) -> Result<(Option<DType>, Option<Sizes>), ShapeError> {
    let sizes = broadcast_all(tensors.clone())?;
    Ok((common_of(tensors)?, sizes))
}

/// The same of operands of which any may be a number.
pub fn operands(all: &[Meta]) -> Result<(Option<DType>, Option<Sizes>), ShapeError> {
    let tensors = all.iter().filter_map(|m| if let Meta::Tensor(t) = m { Some(t) } else { None });
    let sizes = broadcast_all(tensors)?.filter(|_| !all.contains(&Meta::Unknown));
    Ok((common_dtype(all.iter())?, sizes))
}

/// [`check_cast`] where both are known.
pub fn converts(from: Option<DType>, to: Option<DType>) -> Result<(), ShapeError> {
    from.zip(to).map_or(Ok(()), |(from, to)| check_cast(from, to))
}

/// A result of one dtype is to be written to a tensor of another.
pub fn check_cast(from: DType, to: DType) -> Result<(), ShapeError> {
    if promotion::can_cast(from, to) {
        return Ok(());
    }
    error(format!("result type {} can't be cast to the desired output type {}", from.graph_name(), to.graph_name()))
}

impl From<PromotionError> for ShapeError {
    fn from(e: PromotionError) -> ShapeError {
        ShapeError { kind: ErrorKind::Runtime, message: e.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broadcasting_is_never_wrong_about_what_it_does_not_know() {
        let (k, s, u) = (Size::Known, Size::Symbol, Size::Unknown);
        assert_eq!(broadcast(&[k(3), k(1)], &[k(4)]).unwrap().as_slice(), [k(3), k(4)]);
        assert_eq!(broadcast(&[s(0)], &[k(1)]).unwrap().as_slice(), [s(0)]);
        assert_eq!(broadcast(&[s(0)], &[k(5)]).unwrap().as_slice(), [k(5)]);
        assert_eq!(broadcast(&[s(0)], &[s(1)]).unwrap().as_slice(), [u]);
        assert_eq!(broadcast(&[u], &[u]).unwrap().as_slice(), [u]);
        assert_eq!(
            broadcast(&[k(2), k(3)], &[k(4)]).unwrap_err().message,
            "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1"
        );
    }

    #[test]
    fn numbers_raise_only_the_category() {
        let t = |d, rank: usize| tensor(Some(d), Some(smallvec![Size::Known(2); rank]));
        let of = |m: &[Meta]| common_dtype(m.iter()).unwrap();
        assert_eq!(of(&[t(DType::I8, 1), Meta::Int(Size::Known(3))]), Some(DType::I8));
        assert_eq!(of(&[t(DType::I8, 1), Meta::Float(3.0)]), Some(DType::F32));
        assert_eq!(of(&[t(DType::F16, 1), t(DType::F64, 0)]), Some(DType::F16));
        assert_eq!(of(&[t(DType::I64, 1), t(DType::F64, 0)]), Some(DType::F64));
        assert_eq!(of(&[t(DType::F64, 1), Meta::Complex(0.0, 1.0)]), Some(DType::C128));
        assert_eq!(of(&[t(DType::U8, 1), t(DType::I8, 1)]), Some(DType::I16));
        assert_eq!(of(&[t(DType::BF16, 1), t(DType::F16, 1)]), Some(DType::F32));
        assert_eq!(of(&[t(DType::BF16, 1), Meta::Unknown]), None);
    }
}
