//! Types of the builtin dialect, read and made by their parts, never by their text: integers, floats, functions, tensors, buffers, vectors.

use crate::Context;
use melior::ir::r#type::{FunctionType, IntegerType};
use melior::ir::{Type, TypeLike};
use mlir_sys::*;

/// What an integer type says of its sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// `i8`
    Unsaid,
    /// `si8`
    Signed,
    /// `ui8`
    Unsigned,
}

/// `i8`, `si8`, `ui8`
pub fn integer(context: &Context, width: u32, sign: Sign) -> Type<'_> {
    match sign {
        Sign::Unsaid => IntegerType::new(context, width),
        Sign::Signed => IntegerType::signed(context, width),
        Sign::Unsigned => IntegerType::unsigned(context, width),
    }
    .into()
}

/// Width and sign of an integer type.
pub fn integer_parts(r#type: Type<'_>) -> Option<(u32, Sign)> {
    let raw = r#type.to_raw();
    // SAFETY: width and sign are asked of integer types only.
    unsafe {
        mlirTypeIsAInteger(raw).then(|| {
            let sign = match (mlirIntegerTypeIsSigned(raw), mlirIntegerTypeIsUnsigned(raw)) {
                (true, _) => Sign::Signed,
                (_, true) => Sign::Unsigned,
                _ => Sign::Unsaid,
            };
            (mlirIntegerTypeGetWidth(raw), sign)
        })
    }
}

/// Bits of a floating-point type.
pub fn float_width(r#type: Type<'_>) -> Option<u32> {
    let raw = r#type.to_raw();
    // SAFETY: the width is asked of floating-point types only.
    unsafe { mlirTypeIsAFloat(raw).then(|| mlirFloatTypeGetWidth(raw)) }
}

/// `complex<element>`, of floats and integers.
pub fn complex(element: Type<'_>) -> Option<Type<'_>> {
    (float_width(element).is_some() || integer_parts(element).is_some()).then(|| {
        // SAFETY: floats and integers are what complex types hold.
        unsafe { Type::from_raw(mlirComplexTypeGet(element.to_raw())) }
    })
}

/// `(inputs) -> (results)`
pub fn function<'c>(context: &'c Context, inputs: &[Type<'c>], results: &[Type<'c>]) -> Type<'c> {
    FunctionType::new(context, inputs, results).into()
}

/// What a ranked shaped type is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `tensor<…>`
    Tensor,
    /// `memref<…>`
    Buffer,
    /// `vector<…>`
    Vector,
}

/// What a ranked shaped type says; a buffer's layout is [`Layout`]'s.
#[derive(Clone, PartialEq, Debug)]
pub struct Shaped<'c> {
    /// Which of them it is.
    pub kind: Kind,
    /// `None` is a size that is not known.
    pub sizes: Vec<Option<i64>>,
    /// The element type.
    pub element: Type<'c>,
}

impl<'c> Shaped<'c> {
    /// What a tensor, buffer or vector type of known rank says; `None` for any other type.
    pub fn of(r#type: Type<'c>) -> Option<Shaped<'c>> {
        let raw = r#type.to_raw();
        // SAFETY: the kind is asked of a valid type; rank, sizes and element of ranked shaped types only, below the rank.
        unsafe {
            let kind = if mlirTypeIsARankedTensor(raw) {
                Kind::Tensor
            } else if mlirTypeIsAMemRef(raw) {
                Kind::Buffer
            } else if mlirTypeIsAVector(raw) {
                Kind::Vector
            } else {
                return None;
            };
            let size = |i| (!mlirShapedTypeIsDynamicDim(raw, i)).then(|| mlirShapedTypeGetDimSize(raw, i));
            Some(Shaped {
                kind,
                sizes: (0..mlirShapedTypeGetRank(raw) as isize).map(size).collect(),
                element: Type::from_raw(mlirShapedTypeGetElementType(raw)),
            })
        }
    }

    /// The same, if it is a buffer.
    pub fn buffer(r#type: Type<'c>) -> Option<Shaped<'c>> {
        Shaped::of(r#type).filter(|s| s.kind == Kind::Buffer)
    }

    /// The same, if it is a tensor.
    pub fn tensor(r#type: Type<'c>) -> Option<Shaped<'c>> {
        Shaped::of(r#type).filter(|s| s.kind == Kind::Tensor)
    }
}

/// Sizes as MLIR writes them.
fn marked(sizes: &[Option<i64>]) -> Vec<i64> {
    // SAFETY: a constant.
    let unknown = unsafe { mlirShapedTypeGetDynamicSize() };
    sizes.iter().map(|n| n.unwrap_or(unknown)).collect()
}

/// `tensor<sizes x element>`
pub fn tensor<'c>(sizes: &[Option<i64>], element: Type<'c>) -> Type<'c> {
    let sizes = marked(sizes);
    // SAFETY: the element is valid; MLIR copies the sizes, and the encoding may be null.
    unsafe {
        let encoding = MlirAttribute { ptr: std::ptr::null_mut() };
        Type::from_raw(mlirRankedTensorTypeGet(sizes.len() as isize, sizes.as_ptr(), element.to_raw(), encoding))
    }
}

/// `memref<sizes x element>`, in row-major order.
pub fn buffer<'c>(sizes: &[Option<i64>], element: Type<'c>) -> Type<'c> {
    let sizes = marked(sizes);
    // SAFETY: as for a tensor; no memory space is the default one.
    unsafe {
        let space = MlirAttribute { ptr: std::ptr::null_mut() };
        Type::from_raw(mlirMemRefTypeContiguousGet(element.to_raw(), sizes.len() as isize, sizes.as_ptr(), space))
    }
}

/// `memref<sizes x element, strided<strides, offset>>`; `None` is what only the run knows.
pub fn strided_buffer<'c>(
    sizes: &[Option<i64>],
    strides: &[Option<i64>],
    offset: Option<i64>,
    element: Type<'c>,
) -> Type<'c> {
    let sizes = marked(sizes);
    // SAFETY: the element is valid; MLIR copies sizes and strides, of which there are equally many, and no memory space is the default one.
    unsafe {
        let unknown = mlirShapedTypeGetDynamicStrideOrOffset();
        let strides: Vec<i64> = strides.iter().map(|n| n.unwrap_or(unknown)).collect();
        assert_eq!(sizes.len(), strides.len(), "a stride for each dimension");
        let context = mlirTypeGetContext(element.to_raw());
        let layout =
            mlirStridedLayoutAttrGet(context, offset.unwrap_or(unknown), strides.len() as isize, strides.as_ptr());
        let space = MlirAttribute { ptr: std::ptr::null_mut() };
        Type::from_raw(mlirMemRefTypeGet(element.to_raw(), sizes.len() as isize, sizes.as_ptr(), layout, space))
    }
}

/// `vector<sizes x element>`
pub fn vector<'c>(sizes: &[i64], element: Type<'c>) -> Type<'c> {
    // SAFETY: the element is valid; MLIR copies the sizes.
    unsafe { Type::from_raw(mlirVectorTypeGet(sizes.len() as isize, sizes.as_ptr(), element.to_raw())) }
}

/// Where a buffer's elements are; `None` is what only the run knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Elements from one to the next, for each dimension.
    pub strides: Vec<Option<i64>>,
    /// Elements in front of the first one.
    pub offset: Option<i64>,
    /// Is it row-major, whatever its sizes turn out to be?
    pub row_major: bool,
}

impl Layout {
    /// Of a buffer type whose elements are strided.
    pub fn of(r#type: Type<'_>) -> Option<Layout> {
        let raw = r#type.to_raw();
        let rank = Shaped::buffer(r#type)?.sizes.len();
        let (mut strides, mut offset) = (vec![0; rank], 0);
        // SAFETY: the type is a buffer's, and there is room for as many strides as it has dimensions.
        unsafe {
            if mlirMemRefTypeGetStridesAndOffset(raw, strides.as_mut_ptr(), &raw mut offset).value == 0 {
                return None;
            }
            let known = |n: i64| (!mlirShapedTypeIsDynamicStrideOrOffset(n)).then_some(n);
            Some(Layout {
                strides: strides.into_iter().map(known).collect(),
                offset: known(offset),
                row_major: mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(raw)),
            })
        }
    }
}
