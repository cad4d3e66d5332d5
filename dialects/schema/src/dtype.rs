//! Element types: PyTorch's `ScalarType` numbers, their names in every spelling, sizes and categories; and what quantized ones' parameters are.

use std::fmt;

/// An element type. The discriminant is PyTorch's `c10::ScalarType` number, which is what TorchScript programs see as `int`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum DType {
    U8 = 0,
    I8 = 1,
    I16 = 2,
    I32 = 3,
    I64 = 4,
    F16 = 5,
    F32 = 6,
    F64 = 7,
    C32 = 8,
    C64 = 9,
    C128 = 10,
    Bool = 11,
    QI8 = 12,
    QU8 = 13,
    QI32 = 14,
    BF16 = 15,
    QU4x2 = 16,
    QU2x4 = 17,
    Bits1x8 = 18,
    Bits2x4 = 19,
    Bits4x2 = 20,
    Bits8 = 21,
    Bits16 = 22,
    F8E5M2 = 23,
    F8E4M3FN = 24,
    F8E5M2FNUZ = 25,
    F8E4M3FNUZ = 26,
    U16 = 27,
    U32 = 28,
    U64 = 29,
}

/// One row per dtype: (value, short name, graph-text name, `torch.` name, bytes per element).
///
/// Short names are Sconce's own (`f32`, `2x3xf32`); graph-text names are those of `Float(2, 3)`.
const TABLE: &[(DType, &str, &str, &str, usize)] = &[
    (DType::U8, "u8", "Byte", "uint8", 1),
    (DType::I8, "i8", "Char", "int8", 1),
    (DType::I16, "i16", "Short", "int16", 2),
    (DType::I32, "i32", "Int", "int32", 4),
    (DType::I64, "i64", "Long", "int64", 8),
    (DType::F16, "f16", "Half", "float16", 2),
    (DType::F32, "f32", "Float", "float32", 4),
    (DType::F64, "f64", "Double", "float64", 8),
    (DType::C32, "c32", "ComplexHalf", "complex32", 4),
    (DType::C64, "c64", "ComplexFloat", "complex64", 8),
    (DType::C128, "c128", "ComplexDouble", "complex128", 16),
    (DType::Bool, "bool", "Bool", "bool", 1),
    (DType::QI8, "qi8", "QInt8", "qint8", 1),
    (DType::QU8, "qu8", "QUInt8", "quint8", 1),
    (DType::QI32, "qi32", "QInt32", "qint32", 4),
    (DType::BF16, "bf16", "BFloat16", "bfloat16", 2),
    (DType::QU4x2, "qu4x2", "QUInt4x2", "quint4x2", 1),
    (DType::QU2x4, "qu2x4", "QUInt2x4", "quint2x4", 1),
    (DType::Bits1x8, "bits1x8", "Bits1x8", "bits1x8", 1),
    (DType::Bits2x4, "bits2x4", "Bits2x4", "bits2x4", 1),
    (DType::Bits4x2, "bits4x2", "Bits4x2", "bits4x2", 1),
    (DType::Bits8, "bits8", "Bits8", "bits8", 1),
    (DType::Bits16, "bits16", "Bits16", "bits16", 2),
    (DType::F8E5M2, "f8e5m2", "Float8_e5m2", "float8_e5m2", 1),
    (DType::F8E4M3FN, "f8e4m3fn", "Float8_e4m3fn", "float8_e4m3fn", 1),
    (DType::F8E5M2FNUZ, "f8e5m2fnuz", "Float8_e5m2fnuz", "float8_e5m2fnuz", 1),
    (DType::F8E4M3FNUZ, "f8e4m3fnuz", "Float8_e4m3fnuz", "float8_e4m3fnuz", 1),
    (DType::U16, "u16", "UInt16", "uint16", 2),
    (DType::U32, "u32", "UInt32", "uint32", 4),
    (DType::U64, "u64", "UInt64", "uint64", 8),
];

impl DType {
    /// All dtypes in the order of their numbers.
    pub fn all() -> impl Iterator<Item = DType> {
        TABLE.iter().map(|r| r.0)
    }
    #[inline]
    fn row(self) -> &'static (DType, &'static str, &'static str, &'static str, usize) {
        &TABLE[self as usize]
    }
    /// Sconce's short name: `f32`, `i64`, `bool`.
    pub fn short_name(self) -> &'static str {
        self.row().1
    }
    /// The name in graph text: `Float`, `Long`, `Bool`.
    pub fn graph_name(self) -> &'static str {
        self.row().2
    }
    /// The name under `torch.`: `float32`, `int64`, `bool`.
    pub fn torch_name(self) -> &'static str {
        self.row().3
    }
    /// The name in PyTorch's messages, `toString(ScalarType)`: `Float`, `ComplexFloat`, `Long`.
    pub fn scalar_type_name(self) -> &'static str {
        self.graph_name()
    }
    /// The name of tensors of this dtype in messages that name a tensor's type: `torch.FloatTensor`; types that came later have none of their own.
    pub fn tensor_type_name(self) -> String {
        use DType::*;
        match self {
            U8 | I8 | I16 | I32 | I64 | F16 | F32 | F64 => format!("torch.{}Tensor", self.scalar_type_name()),
            other => format!("CPU{}Type", other.scalar_type_name()),
        }
    }
    /// The C++ type's name in some of PyTorch's messages: `float`, `long int`, `c10::complex<float>`.
    pub fn cpp_name(self) -> &'static str {
        use DType::*;
        match self {
            U8 => "unsigned char",
            I8 => "signed char",
            I16 => "short int",
            I32 => "int",
            I64 => "long int",
            U16 => "short unsigned int",
            U32 => "unsigned int",
            U64 => "long unsigned int",
            F16 => "c10::Half",
            BF16 => "c10::BFloat16",
            F32 => "float",
            F64 => "double",
            C32 => "c10::complex<c10::Half>",
            C64 => "c10::complex<float>",
            C128 => "c10::complex<double>",
            Bool => "bool",
            other => other.graph_name(),
        }
    }
    /// Bytes of one element.
    #[inline]
    pub fn size(self) -> usize {
        self.row().4
    }
    /// PyTorch's number for it.
    pub fn number(self) -> i64 {
        self as i64
    }
    pub fn from_number(n: i64) -> Option<DType> {
        usize::try_from(n).ok().and_then(|n| TABLE.get(n)).map(|r| r.0)
    }
    pub fn from_short_name(s: &str) -> Option<DType> {
        TABLE.iter().find(|r| r.1 == s).map(|r| r.0)
    }
    pub fn from_graph_name(s: &str) -> Option<DType> {
        TABLE.iter().find(|r| r.2 == s).map(|r| r.0)
    }
    pub fn from_torch_name(s: &str) -> Option<DType> {
        TABLE.iter().find(|r| r.3 == s).map(|r| r.0)
    }
    /// Floats and complex numbers.
    pub fn is_inexact(self) -> bool {
        self.is_float() || self.is_complex()
    }
    pub fn is_complex(self) -> bool {
        matches!(self, DType::C32 | DType::C64 | DType::C128)
    }
    pub fn is_float(self) -> bool {
        use DType::*;
        matches!(self, F16 | F32 | F64 | BF16 | F8E5M2 | F8E4M3FN | F8E5M2FNUZ | F8E4M3FNUZ)
    }
    /// Integers, without bool.
    pub fn is_int(self) -> bool {
        use DType::*;
        matches!(self, U8 | I8 | I16 | I32 | I64 | U16 | U32 | U64)
    }
    pub fn is_signed_int(self) -> bool {
        use DType::*;
        matches!(self, I8 | I16 | I32 | I64)
    }
    /// Integers that stand for numbers by a scale and a zero point.
    #[inline]
    pub fn is_quantized(self) -> bool {
        self.underlying() != self
    }
    /// The integers that a quantized type's elements are stored as; itself for the others.
    #[inline]
    pub fn underlying(self) -> DType {
        match self {
            DType::QI8 => DType::I8,
            DType::QU8 | DType::QU4x2 | DType::QU2x4 => DType::U8,
            DType::QI32 => DType::I32,
            other => other,
        }
    }
    /// The least and the greatest integer of an integer type.
    pub fn int_range(self) -> (i128, i128) {
        let bits = 8 * self.size() as u32;
        if self.is_signed_int() { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
    }
    /// The real type of a complex type's components; itself for the others.
    pub fn to_real(self) -> DType {
        match self {
            DType::C32 => DType::F16,
            DType::C64 => DType::F32,
            DType::C128 => DType::F64,
            other => other,
        }
    }
    /// What the place of an element in memory is a multiple of: of a complex number, a part's size.
    pub fn alignment(self) -> usize {
        self.to_real().size().max(1)
    }
    /// The complex type with components of this type; `C64` for integers.
    pub fn to_complex(self) -> DType {
        match self {
            DType::F16 | DType::C32 => DType::C32,
            DType::F64 | DType::C128 => DType::C128,
            _ => DType::C64,
        }
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.short_name())
    }
}

/// `torch.qscheme`: what the parameters of a quantized tensor are. The discriminant is PyTorch's number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QScheme {
    PerTensorAffine = 0,
    PerChannelAffine = 1,
    PerTensorSymmetric = 2,
    PerChannelSymmetric = 3,
    PerChannelAffineFloatQParams = 4,
}

impl QScheme {
    const TABLE: [(QScheme, &str); 5] = [
        (QScheme::PerTensorAffine, "per_tensor_affine"),
        (QScheme::PerChannelAffine, "per_channel_affine"),
        (QScheme::PerTensorSymmetric, "per_tensor_symmetric"),
        (QScheme::PerChannelSymmetric, "per_channel_symmetric"),
        (QScheme::PerChannelAffineFloatQParams, "per_channel_affine_float_qparams"),
    ];
    pub fn from_name(name: &str) -> Option<QScheme> {
        QScheme::TABLE.iter().find(|r| r.1 == name).map(|r| r.0)
    }
    /// The name under `torch.`.
    pub fn name(self) -> &'static str {
        QScheme::TABLE[self as usize].1
    }
    pub fn is_per_channel(self) -> bool {
        !matches!(self, QScheme::PerTensorAffine | QScheme::PerTensorSymmetric)
    }
}
