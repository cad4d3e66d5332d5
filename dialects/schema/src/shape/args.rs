//! How rules read their arguments and compute with sizes that may not be known: an answer of `None` always means "not known", never "wrong".

use super::{ErrorKind, Meta, RuleResult, ShapeError, Size, Sizes, TensorMeta};
use crate::DType;
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
    for d in 0..rank {
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

/// Two dtypes' common one.
pub fn promote(a: DType, b: DType) -> Result<DType, ShapeError> {
    use DType::*;
    if a == b {
        return Ok(a);
    }
    let unsigned = |d| matches!(d, U16 | U32 | U64);
    let floats = |d: DType| match d {
        F16 => Some(0),
        BF16 => Some(1),
        F32 => Some(2),
        F64 => Some(3),
        _ => None,
    };
    Ok(match (a, b) {
        (Bool, x) | (x, Bool) => x,
        _ if a.is_complex() || b.is_complex() => {
            // A bf16 has no complex type of its own: its range is that of f32.
            let part = |d: DType| if d == BF16 { F32 } else { d.to_real() };
            promote(part(a), part(b))?.to_complex()
        }
        _ => match (floats(a), floats(b)) {
            (Some(0), Some(1)) | (Some(1), Some(0)) => F32,
            (Some(x), Some(y)) => {
                if x > y {
                    a
                } else {
                    b
                }
            }
            (Some(_), None) => a,
            (None, Some(_)) => b,
            (None, None) => {
                if unsigned(a) || unsigned(b) {
                    if a.is_signed_int() || b.is_signed_int() {
                        return error(format!(
                            "Promotion for uint16, uint32, uint64 types is not supported, attempted to promote {} and {}",
                            a.graph_name(),
                            b.graph_name()
                        ));
                    }
                    if a.size() > b.size() { a } else { b }
                } else if (a == U8 && b == I8) || (a == I8 && b == U8) {
                    I16
                } else if a.size() > b.size() || (a.size() == b.size() && a.is_signed_int()) {
                    a
                } else {
                    b
                }
            }
        },
    })
}

/// The dtype of a result over tensors and numbers, as `at::result_type`: tensors with dimensions decide, then tensors without, then numbers,
/// each only where it is of a higher category. `None` when it is not known.
pub fn common_dtype<'a>(args: impl Iterator<Item = &'a Meta>) -> Result<Option<DType>, ShapeError> {
    let mut classes: [Option<DType>; 3] = [None; 3];
    let mut unknown = false;
    for m in args {
        let (class, dtype) = match m {
            Meta::Tensor(t) => {
                let (Some(dtype), Some(rank)) = (t.dtype, t.rank()) else {
                    unknown = true;
                    continue;
                };
                if t.wrapped_number {
                    (
                        2,
                        if dtype.is_complex() {
                            DType::C64
                        } else if dtype.is_float() {
                            DType::F32
                        } else {
                            dtype
                        },
                    )
                } else {
                    (usize::from(rank == 0), dtype)
                }
            }
            Meta::Bool(_) => (2, DType::Bool),
            Meta::Int(_) => (2, DType::I64),
            Meta::Float(_) => (2, DType::F32),
            Meta::Complex(..) => (2, DType::C64),
            Meta::Unknown => {
                unknown = true;
                continue;
            }
            _ => continue,
        };
        classes[class] = Some(match classes[class] {
            Some(d) => promote(d, dtype)?,
            None => dtype,
        });
    }
    if unknown {
        return Ok(None);
    }
    let mut result: Option<DType> = None;
    for class in classes.into_iter().flatten() {
        result = Some(match result {
            None => class,
            Some(d) if category(class) > category(d) => {
                // A complex number beside a real tensor keeps the tensor's precision.
                if class.is_complex() && d.is_float() { promote(d, DType::C32)? } else { class }
            }
            Some(d) => d,
        });
    }
    Ok(result)
}

fn category(d: DType) -> u8 {
    match d {
        DType::Bool => 0,
        d if d.is_int() => 1,
        d if d.is_float() => 2,
        _ => 3,
    }
}

/// Integers and bool become the default float type.
pub fn to_float(d: DType) -> DType {
    if d.is_float() || d.is_complex() { d } else { DType::F32 }
}

/// Whether a result of one dtype may be written to a tensor of another (`at::canCast`).
pub fn can_cast(from: DType, to: DType) -> bool {
    !(from.is_complex() && !to.is_complex()
        || from.is_float() && category(to) < 2
        || from != DType::Bool && to == DType::Bool)
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
