//! How rules read their arguments and compute with sizes that may not be known: an answer of `None` always means "not known", never "wrong".

use super::{ErrorKind, Meta, RuleResult, ShapeError, Size, Sizes, TensorMeta};
use crate::DType;
use crate::promotion::{self, Operand, PromotionError};
use smallvec::{SmallVec, smallvec};

/// A `RuntimeError`.
pub fn error<T>(message: impl Into<String>) -> Result<T, ShapeError> {
    Err(ShapeError { kind: ErrorKind::Runtime, message: message.into() })
}

pub fn index_error<T>(message: impl Into<String>) -> Result<T, ShapeError> {
    Err(ShapeError { kind: ErrorKind::Index, message: message.into() })
}

pub fn value_error<T>(message: impl Into<String>) -> Result<T, ShapeError> {
    Err(ShapeError { kind: ErrorKind::Value, message: message.into() })
}

pub fn not_implemented<T>(message: impl Into<String>) -> Result<T, ShapeError> {
    Err(ShapeError { kind: ErrorKind::NotImplemented, message: message.into() })
}

/// `"what" not implemented for 'Long'`.
pub fn not_implemented_for<T>(what: &str, dtype: DType) -> Result<T, ShapeError> {
    not_implemented(format!("\"{what}\" not implemented for '{}'", dtype.graph_name()))
}

impl Size {
    pub fn known(self) -> Option<i64> {
        match self {
            Size::Known(n) => Some(n),
            _ => None,
        }
    }
    /// Certainly different.
    pub fn differs(self, other: Size) -> bool {
        matches!((self, other), (Size::Known(a), Size::Known(b)) if a != b)
    }
    /// Certainly the same.
    pub fn same(self, other: Size) -> bool {
        self == other && self != Size::Unknown
    }
    /// The more precise of two descriptions of one size.
    pub fn or(self, other: Size) -> Size {
        match (self, other) {
            (Size::Known(_), _) | (Size::Symbol(_), Size::Unknown | Size::Symbol(_)) => self,
            _ => other,
        }
    }
    pub fn map(self, f: impl Fn(i64) -> i64) -> Size {
        match self {
            Size::Known(n) => Size::Known(f(n)),
            _ => Size::Unknown,
        }
    }
    pub fn times(self, other: Size) -> Size {
        match (self, other) {
            (Size::Known(a), Size::Known(b)) => a.checked_mul(b).map_or(Size::Unknown, Size::Known),
            (Size::Known(1), x) | (x, Size::Known(1)) => x,
            (Size::Known(0), _) | (_, Size::Known(0)) => Size::Known(0),
            _ => Size::Unknown,
        }
    }
    pub fn plus(self, other: Size) -> Size {
        match (self, other) {
            (Size::Known(a), Size::Known(b)) => a.checked_add(b).map_or(Size::Unknown, Size::Known),
            (Size::Known(0), x) | (x, Size::Known(0)) => x,
            _ => Size::Unknown,
        }
    }
}

impl From<i64> for Size {
    fn from(n: i64) -> Size {
        Size::Known(n)
    }
}

/// `[2, 3]` as PyTorch prints sizes; `?` for what is not known.
pub fn show(sizes: &[Size]) -> String {
    let items: Vec<String> = sizes
        .iter()
        .map(|s| match s {
            Size::Known(n) => n.to_string(),
            Size::Symbol(s) => format!("s{s}"),
            Size::Unknown => "?".to_string(),
        })
        .collect();
    format!("[{}]", items.join(", "))
}

/// All sizes, if they are known.
pub fn all_known(sizes: &[Size]) -> Option<SmallVec<[i64; 6]>> {
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
    pub fn new(dtype: Option<DType>, sizes: Option<Sizes>) -> TensorMeta {
        TensorMeta { dtype, sizes, device: None, wrapped_number: false }
    }
    pub fn rank(&self) -> Option<usize> {
        self.sizes.as_ref().map(|s| s.len())
    }
    pub fn size(&self, dim: usize) -> Size {
        self.sizes.as_ref().and_then(|s| s.get(dim).copied()).unwrap_or(Size::Unknown)
    }
    pub fn numel(&self) -> Size {
        self.sizes.as_ref().map_or(Size::Unknown, |s| product(s))
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

/// A rule's arguments by position.
#[derive(Clone, Copy)]
pub struct Args<'a>(pub &'a [Meta]);

impl<'a> Args<'a> {
    pub fn get(self, i: usize) -> &'a Meta {
        self.0.get(i).unwrap_or(&Meta::Unknown)
    }
    /// A tensor; one of which nothing is known stands for what is not a tensor yet.
    pub fn tensor(self, i: usize) -> Result<TensorMeta, ShapeError> {
        match self.get(i) {
            Meta::Tensor(t) => Ok(t.clone()),
            Meta::Unknown => Ok(TensorMeta::new(None, None)),
            other => error(format!("argument {i} must be a Tensor, not {}", kind(other))),
        }
    }
    /// `None` when the argument is None.
    pub fn optional_tensor(self, i: usize) -> Result<Option<TensorMeta>, ShapeError> {
        if self.is_none(i) { Ok(None) } else { self.tensor(i).map(Some) }
    }
    pub fn is_none(self, i: usize) -> bool {
        *self.get(i) == Meta::None
    }
    pub fn is_unknown(self, i: usize) -> bool {
        *self.get(i) == Meta::Unknown
    }
    /// An integer, if it is known.
    pub fn int(self, i: usize) -> Option<i64> {
        match self.get(i) {
            Meta::Int(Size::Known(n)) => Some(*n),
            Meta::Bool(b) => Some(i64::from(*b)),
            _ => None,
        }
    }
    pub fn size(self, i: usize) -> Size {
        match self.get(i) {
            Meta::Int(n) => *n,
            Meta::Bool(b) => Size::Known(i64::from(*b)),
            _ => Size::Unknown,
        }
    }
    pub fn bool(self, i: usize) -> Option<bool> {
        match self.get(i) {
            Meta::Bool(b) => Some(*b),
            Meta::Int(Size::Known(n)) => Some(*n != 0),
            _ => None,
        }
    }
    pub fn float(self, i: usize) -> Option<f64> {
        match self.get(i) {
            Meta::Float(f) => Some(*f),
            Meta::Int(Size::Known(n)) => Some(*n as f64),
            Meta::Bool(b) => Some(f64::from(u8::from(*b))),
            _ => None,
        }
    }
    pub fn str(self, i: usize) -> Option<&'a str> {
        match self.get(i) {
            Meta::Str(s) => Some(s),
            _ => None,
        }
    }
    /// A `ScalarType?` argument: `Some(None)` when it is None.
    pub fn dtype(self, i: usize) -> Option<Option<DType>> {
        match self.get(i) {
            Meta::None => Some(None),
            Meta::Int(Size::Known(n)) => DType::from_number(*n).map(Some),
            _ => None,
        }
    }
    /// A list of sizes; the elements may be unknown, the length is not. A single number is a list of one.
    pub fn sizes(self, i: usize) -> Option<Sizes> {
        match self.get(i) {
            Meta::List(items) => Some(items.iter().map(size_of).collect()),
            Meta::Int(n) => Some(smallvec![*n]),
            Meta::None => Some(smallvec![]),
            _ => None,
        }
    }
    /// A list of integers, if all are known; None is the empty list.
    pub fn ints(self, i: usize) -> Option<SmallVec<[i64; 6]>> {
        all_known(&self.sizes(i)?)
    }
    pub fn floats(self, i: usize) -> Option<Vec<f64>> {
        match self.get(i) {
            Meta::List(items) => (0..items.len()).map(|k| Args(items).float(k)).collect(),
            Meta::None => Some(Vec::new()),
            _ => None,
        }
    }
    /// A list of tensors, if its length is known.
    pub fn tensors(self, i: usize) -> Result<Option<Vec<TensorMeta>>, ShapeError> {
        match self.get(i) {
            Meta::List(items) => {
                let items = Args(items);
                (0..items.0.len()).map(|k| items.tensor(k)).collect::<Result<Vec<_>, _>>().map(Some)
            }
            _ => Ok(None),
        }
    }
}

fn size_of(m: &Meta) -> Size {
    match m {
        Meta::Int(n) => *n,
        Meta::Bool(b) => Size::Known(i64::from(*b)),
        _ => Size::Unknown,
    }
}

fn kind(m: &Meta) -> &'static str {
    match m {
        Meta::Unknown => "unknown",
        Meta::None => "None",
        Meta::Tensor(_) => "Tensor",
        Meta::Bool(_) => "bool",
        Meta::Int(_) => "int",
        Meta::Float(_) => "float",
        Meta::Complex(..) => "complex",
        Meta::Str(_) => "str",
        Meta::Device(_) => "Device",
        Meta::List(_) => "list",
    }
}

/// A dimension counted from the end when negative.
pub fn wrap_dim(dim: i64, rank: usize) -> Result<usize, ShapeError> {
    let n = rank.max(1) as i64;
    if dim < -n || dim >= n {
        return index_error(format!(
            "Dimension out of range (expected to be in range of [{}, {}], but got {dim})",
            -n,
            n - 1
        ));
    }
    Ok(if dim < 0 { dim + n } else { dim } as usize)
}

/// Which dimensions a reduction takes; an empty list is all of them.
pub fn reduced_dims(dims: &[i64], rank: usize) -> Result<SmallVec<[bool; 6]>, ShapeError> {
    if rank > 64 {
        return error("only tensors with up to 64 dims are supported");
    }
    let mut mask: SmallVec<[bool; 6]> = SmallVec::from_elem(dims.is_empty(), rank);
    let mut seen_scalar = false;
    for &d in dims {
        let at = wrap_dim(d, rank)?;
        let seen = mask.get(at).copied().unwrap_or(seen_scalar);
        if seen {
            return error(format!("dim {at} appears multiple times in the list of dims"));
        }
        match mask.get_mut(at) {
            Some(m) => *m = true,
            None => seen_scalar = true,
        }
    }
    Ok(mask)
}

/// Sizes after reducing the marked dimensions.
pub fn reduce_sizes(sizes: &[Size], mask: &[bool], keepdim: bool) -> Sizes {
    sizes
        .iter()
        .zip(mask)
        .filter_map(|(&s, &reduced)| match (reduced, keepdim) {
            (false, _) => Some(s),
            (true, true) => Some(Size::Known(1)),
            (true, false) => None,
        })
        .collect()
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
            // The other one is either this or 1.
            (Size::Known(_), _) => x,
            (_, Size::Known(_)) => y,
            _ => Size::Unknown,
        };
    }
    Ok(out)
}

/// The same for any number of tensors; `None` when a rank is not known.
pub fn broadcast_all<'a>(tensors: impl Iterator<Item = &'a TensorMeta>) -> Result<Option<Sizes>, ShapeError> {
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
        Meta::Float(_) => Some(Operand::FLOAT),
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
