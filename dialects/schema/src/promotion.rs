//! Type promotion: which dtype the operands of an operator are brought to, as PyTorch's `result_type`.

use crate::DType;

/// The dtype of Python floats in tensors, and of what is made from integers by division, `exp` and so on.
pub const DEFAULT_FLOAT: DType = DType::F32;
/// The dtype of Python complex numbers in tensors.
pub const DEFAULT_COMPLEX: DType = DType::C64;

/// An operand as promotion sees it. Tensors with dimensions outrank tensors without, which outrank numbers, within one category
/// (bool, integer, float, complex); a higher category of a lower rank still wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// A tensor of rank 1 or more.
    Dim(DType),
    /// A tensor of rank 0.
    Zero(DType),
    /// A Python number, as a scalar argument or wrapped in a tensor; its dtype says only the category.
    Number(DType),
}

impl Operand {
    /// A Python number's operand: Bool, I64, F64 or C128 stand for the four kinds.
    pub const BOOL: Operand = Operand::Number(DType::Bool);
    pub const INT: Operand = Operand::Number(DType::I64);
    pub const FLOAT: Operand = Operand::Number(DType::F64);
    pub const COMPLEX: Operand = Operand::Number(DType::C128);
}

/// Why two types have no common one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PromotionError {
    #[error(
        "Promotion for uint16, uint32, uint64 types is not supported, attempted to promote {} and {}",
        .0.scalar_type_name(), .1.scalar_type_name()
    )]
    Unsigned(DType, DType),
    #[error(
        "Promotion for Float8 Types is not supported, attempted to promote {} and {}",
        .0.scalar_type_name(), .1.scalar_type_name()
    )]
    Float8(DType, DType),
    #[error(
        "promoteTypes with quantized numbers is not handled yet; figure out what the correct rules should be, offending types: {} {}",
        .0.scalar_type_name(), .1.scalar_type_name()
    )]
    Quantized(DType, DType),
    #[error("Unknown Complex ScalarType for {}", .0.scalar_type_name())]
    Complex(DType),
}

/// Whether promotion knows the type's order: everything but quantized, bits, float8 and the wide unsigned integers.
fn ordered(d: DType) -> bool {
    use DType::*;
    matches!(d, U8 | I8 | I16 | I32 | I64 | F16 | F32 | F64 | C32 | C64 | C128 | Bool | BF16)
}

/// The smallest dtype that both can be cast to, `torch.promote_types`.
pub fn promote_types(a: DType, b: DType) -> Result<DType, PromotionError> {
    use DType::*;
    if a == b {
        return Ok(a);
    }
    if !ordered(a) || !ordered(b) {
        let any = |f: fn(DType) -> bool| f(a) || f(b);
        if any(|d| d.is_float() && !ordered(d)) {
            return Err(PromotionError::Float8(a, b));
        }
        if any(|d| matches!(d, U16 | U32 | U64)) {
            return match (a.is_float() || a.is_complex(), b.is_float() || b.is_complex()) {
                (true, _) => Ok(a),
                (_, true) => Ok(b),
                _ if a == Bool => Ok(b),
                _ if b == Bool => Ok(a),
                _ => Err(PromotionError::Unsigned(a, b)),
            };
        }
        return Err(PromotionError::Quantized(a, b));
    }
    if a.is_complex() || b.is_complex() {
        let (complex, other) = if a.is_complex() { (a, b) } else { (b, a) };
        let real = promote_types(complex.to_real(), other.to_real())?;
        return Ok(real.to_complex());
    }
    Ok(match (a.is_float(), b.is_float()) {
        (true, true) => match (a, b) {
            (F64, _) | (_, F64) => F64,
            // bfloat16 and half have no order; float holds both.
            _ => F32,
        },
        (true, false) => a,
        (false, true) => b,
        (false, false) => match (a, b) {
            (Bool, other) | (other, Bool) => other,
            // An unsigned byte and a signed one meet in the next signed type.
            (U8, I8) | (I8, U8) => I16,
            (U8, other) | (other, U8) => other,
            _ if a.size() > b.size() => a,
            _ => b,
        },
    })
}

/// Whether a result of type `from` may be stored in a tensor of type `to`, `torch.can_cast`.
pub fn can_cast(from: DType, to: DType) -> bool {
    if from.is_complex() && !to.is_complex() {
        return false;
    }
    if from.is_float() && !(to.is_float() || to.is_complex()) {
        return false;
    }
    // Bool holds nothing but bool.
    from == DType::Bool || to != DType::Bool
}

/// The float type that integers and bool become for division, `exp` and so on; others stay.
pub fn to_float(d: DType) -> DType {
    if d.is_float() || d.is_complex() { d } else { DEFAULT_FLOAT }
}

/// The type PyTorch's CPU kernels compute in: f32 for f16 and bf16, c64 for half complex, else itself.
pub fn opmath(d: DType) -> DType {
    match d {
        DType::C32 => DType::C64,
        d if d.is_float() && d.size() < 4 => DType::F32,
        d => d,
    }
}

/// A higher-ranked type with a lower-ranked one, which matters only if its category is higher.
fn combine(higher: Option<DType>, lower: Option<DType>) -> Result<Option<DType>, PromotionError> {
    let (h, l) = match (higher, lower) {
        (None, lower) => return Ok(lower),
        (higher, None) => return Ok(higher),
        (Some(h), Some(l)) => (h, l),
    };
    if h.is_complex() {
        return Ok(higher);
    }
    if h.is_float() {
        return match h {
            _ if !l.is_complex() => Ok(higher),
            DType::F16 | DType::F32 | DType::F64 => Ok(Some(h.to_complex())),
            // bfloat16 has no complex type of its own precision.
            _ => Err(PromotionError::Complex(h)),
        };
    }
    if h == DType::Bool || l.is_float() || l.is_complex() {
        return promote_types(h, l).map(Some);
    }
    Ok(higher)
}

/// The common dtype of an operator's operands, `torch.result_type`; `None` without operands.
pub fn result_type(operands: impl IntoIterator<Item = Operand>) -> Result<Option<DType>, PromotionError> {
    let (mut dim, mut zero, mut number) = (None, None, None);
    for operand in operands {
        let (slot, dtype) = match operand {
            Operand::Dim(d) => (&mut dim, d),
            Operand::Zero(d) => (&mut zero, d),
            Operand::Number(d) if d.is_complex() => (&mut number, DEFAULT_COMPLEX),
            Operand::Number(d) if d.is_float() => (&mut number, DEFAULT_FLOAT),
            Operand::Number(d) => (&mut number, d),
        };
        *slot = Some(match *slot {
            Some(other) => promote_types(other, dtype)?,
            None => dtype,
        });
    }
    combine(dim, combine(zero, number)?)
}
