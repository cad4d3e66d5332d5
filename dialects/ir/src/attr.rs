//! Attributes made and read. What is made here cannot be invalid: sizes are checked first, strings may hold any bytes.

use crate::{Error, ffi, raw};
use melior::Context;
use melior::ir::attribute::{
    ArrayAttribute, BoolAttribute, DenseI32ArrayAttribute, DenseI64ArrayAttribute, FloatAttribute, IntegerAttribute,
    TypeAttribute,
};
use melior::ir::r#type::IntegerType;
use melior::ir::{AffineMap, Attribute, AttributeLike, Identifier, Type, TypeLike};
use mlir_sys::*;
use std::borrow::Cow;
use std::ffi::c_void;

// ---- making

/// `unit`
pub fn unit(context: &Context) -> Attribute<'_> {
    Attribute::unit(context)
}

/// `"text"`
pub fn string<'c>(context: &'c Context, text: &str) -> Attribute<'c> {
    bytes(context, text.as_bytes())
}

/// A string of any bytes.
pub fn bytes<'c>(context: &'c Context, bytes: &[u8]) -> Attribute<'c> {
    // SAFETY: the context is valid; MLIR copies the bytes.
    unsafe { Attribute::from_raw(mlirStringAttrGet(context.to_raw(), raw::bytes_ref(bytes))) }
}

/// `true`, `false`
pub fn bool(context: &Context, value: bool) -> Attribute<'_> {
    BoolAttribute::new(context, value).into()
}

/// `value : iN`
pub fn int(context: &Context, bits: u32, value: i64) -> Attribute<'_> {
    IntegerAttribute::new(IntegerType::new(context, bits).into(), value).into()
}

/// `value : i64`
pub fn i64(context: &Context, value: i64) -> Attribute<'_> {
    int(context, 64, value)
}

/// `value : siN`
pub fn signed(context: &Context, bits: u32, value: i64) -> Attribute<'_> {
    IntegerAttribute::new(IntegerType::signed(context, bits).into(), value).into()
}

/// `value : index`
pub fn index(context: &Context, value: i64) -> Attribute<'_> {
    IntegerAttribute::new(Type::index(context), value).into()
}

/// `value : type`. The type must be an integer type or `index`.
pub fn integer<'c>(r#type: Type<'c>, value: i64) -> Attribute<'c> {
    IntegerAttribute::new(r#type, value).into()
}

/// `value : f64`
pub fn f64(context: &Context, value: f64) -> Attribute<'_> {
    float(Type::float64(context), value)
}

/// `value : type`, rounded to the type. The type must be a floating-point type.
pub fn float<'c>(r#type: Type<'c>, value: f64) -> Attribute<'c> {
    FloatAttribute::new(crate::op::type_context(r#type), r#type, value).into()
}

/// What arithmetic on floats may do beside what IEEE says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FastMath {
    /// Add in another order.
    pub reassociates: bool,
    /// Round a product and the sum that takes it once.
    pub contracts: bool,
    /// Give anything where an operand is no number, and a zero of either sign.
    pub numbers: bool,
}

/// `#arith.fastmath<…>`
pub fn fast_math(context: &Context, allowed: FastMath) -> Attribute<'_> {
    // SAFETY: the context is valid; the attribute belongs to it.
    unsafe {
        let FastMath { reassociates, contracts, numbers } = allowed;
        Attribute::from_raw(ffi::sconceFastMath(context.to_raw(), reassociates, contracts, numbers))
    }
}

/// `#llvm.fastmath<…>` of `#arith.fastmath<…>`.
pub fn llvm_fast_math<'c>(flags: Attribute<'c>) -> Option<Attribute<'c>> {
    // SAFETY: the attribute is valid, and so is what is made of it, or it is null.
    unsafe { Attribute::from_option_raw(ffi::sconceLlvmFastMath(flags.to_raw())) }
}

/// `#linalg.iterator_type<reduction>`, or `<parallel>`
pub fn iterator_type(context: &Context, reduces: bool) -> Attribute<'_> {
    // SAFETY: the context is valid; the attribute belongs to it.
    unsafe { Attribute::from_raw(ffi::sconceIteratorType(context.to_raw(), reduces)) }
}

/// `#vector.kind<add>`
pub fn vector_sum(context: &Context) -> Attribute<'_> {
    // SAFETY: the context is valid; the attribute belongs to it.
    unsafe { Attribute::from_raw(ffi::sconceVectorSum(context.to_raw())) }
}

/// A type as an attribute.
pub fn r#type(r#type: Type<'_>) -> Attribute<'_> {
    TypeAttribute::new(r#type).into()
}

/// `[…]`
pub fn array<'c>(context: &'c Context, values: &[Attribute<'c>]) -> Attribute<'c> {
    ArrayAttribute::new(context, values).into()
}

/// `["…", …]`
pub fn strings<'c>(context: &'c Context, values: &[&str]) -> Attribute<'c> {
    let values: Vec<_> = values.iter().map(|text| string(context, text)).collect();
    array(context, &values)
}

/// `array<i64: …>`
pub fn i64_array<'c>(context: &'c Context, values: &[i64]) -> Attribute<'c> {
    DenseI64ArrayAttribute::new(context, values).into()
}

/// `array<i32: …>`
pub fn i32_array<'c>(context: &'c Context, values: &[i32]) -> Attribute<'c> {
    DenseI32ArrayAttribute::new(context, values).into()
}

/// `{name = value, …}`; MLIR sorts by name, and of equal names keeps one.
pub fn dict<'c>(context: &'c Context, entries: &[(&str, Attribute<'c>)]) -> Attribute<'c> {
    let mut seen = std::collections::BTreeMap::new();
    for (name, value) in entries {
        seen.insert(*name, *value);
    }
    let raw: Vec<MlirNamedAttribute> = seen
        .into_iter()
        .map(|(name, value)| MlirNamedAttribute {
            name: Identifier::new(context, name).to_raw(),
            attribute: value.to_raw(),
        })
        .collect();
    // SAFETY: the context is valid, the names distinct; MLIR copies the list.
    unsafe { Attribute::from_raw(mlirDictionaryAttrGet(context.to_raw(), raw.len() as isize, raw.as_ptr())) }
}

/// `@name`
pub fn symbol<'c>(context: &'c Context, name: &str) -> Attribute<'c> {
    // SAFETY: the context is valid; MLIR copies the name.
    unsafe { Attribute::from_raw(mlirFlatSymbolRefAttrGet(context.to_raw(), raw::str_ref(name))) }
}

/// `@root::@a::@b`
pub fn nested_symbol<'c>(context: &'c Context, root: &str, nested: &[&str]) -> Attribute<'c> {
    let nested: Vec<MlirAttribute> = nested.iter().map(|name| symbol(context, name).to_raw()).collect();
    // SAFETY: the context and the references are valid; MLIR copies name and list.
    unsafe {
        Attribute::from_raw(mlirSymbolRefAttrGet(
            context.to_raw(),
            raw::str_ref(root),
            nested.len() as isize,
            nested.as_ptr(),
        ))
    }
}

/// `affine_map<…>`
pub fn affine_map<'c>(map: AffineMap<'c>) -> Attribute<'c> {
    // SAFETY: the map is valid.
    unsafe { Attribute::from_raw(mlirAffineMapAttrGet(map.to_raw())) }
}

/// `[affine_map<…>, …]`, as `linalg.generic` wants it.
pub fn affine_maps<'c>(context: &'c Context, maps: &[AffineMap<'c>]) -> Attribute<'c> {
    let maps: Vec<_> = maps.iter().map(|map| affine_map(*map)).collect();
    array(context, &maps)
}

/// `dense<…> : type` from the elements' bytes, one after the other (booleans: one byte each), or of one element for all.
///
/// # Errors
///
/// [`Error::Invalid`] when the number of bytes is neither the type's nor one element's.
pub fn dense<'c>(r#type: Type<'c>, data: &[u8]) -> Result<Attribute<'c>, Error> {
    let invalid = || Error::Invalid(format!("{} bytes are no elements of {}", data.len(), r#type));
    // SAFETY: the questions are asked of shaped types only; the buffer is valid for its length, and MLIR copies it.
    unsafe {
        let raw = r#type.to_raw();
        if !mlirTypeIsAShaped(raw) || !mlirShapedTypeHasStaticShape(raw) {
            return Err(invalid());
        }
        let packed;
        let mut data = data;
        if is_bool(Type::from_raw(mlirShapedTypeGetElementType(raw))) {
            // MLIR packs booleans, eight in a byte, the first lowest; all bits are equal in a splat.
            let count = usize::try_from(shaped_count(r#type)).map_err(|_| invalid())?;
            packed = match data {
                [one] => vec![if *one != 0 { 0xff } else { 0 }],
                _ if data.len() == count => pack(data),
                _ => return Err(invalid()),
            };
            data = &packed;
        }
        let attribute = mlirDenseElementsAttrRawBufferGet(raw, data.len(), data.as_ptr().cast());
        Attribute::from_option_raw(attribute).ok_or_else(invalid)
    }
}

/// `dense<value> : type`; the value must have the type's element type.
///
/// # Errors
///
/// [`Error::Invalid`] when `type` is not a shaped type of static shape, or the element's type differs.
pub fn splat<'c>(r#type: Type<'c>, value: Attribute<'c>) -> Result<Attribute<'c>, Error> {
    // SAFETY: the questions are asked of shaped types only, and both are valid.
    unsafe {
        let raw = r#type.to_raw();
        if mlirTypeIsAShaped(raw)
            && mlirShapedTypeHasStaticShape(raw)
            && mlirTypeEqual(mlirShapedTypeGetElementType(raw), mlirAttributeGetType(value.to_raw()))
        {
            return Ok(Attribute::from_raw(mlirDenseElementsAttrSplatGet(raw, value.to_raw())));
        }
    }
    Err(Error::Invalid(format!("{value} is no element of {type}")))
}

/// `dense_resource<name> : type` over a copy of the elements' bytes; printed at the file's end, never compared or uniqued. Use it for weights.
///
/// # Errors
///
/// [`Error::Invalid`] when the number of bytes is not the type's.
pub fn dense_resource<'c>(r#type: Type<'c>, name: &str, data: &[u8]) -> Result<Attribute<'c>, Error> {
    // SAFETY: the type is valid; the shim checks its shape and copies name and bytes.
    unsafe {
        Attribute::from_option_raw(ffi::sconceCreateDenseResource(
            r#type.to_raw(),
            raw::str_ref(name),
            data.as_ptr().cast(),
            data.len(),
            64,
        ))
    }
    .ok_or_else(|| Error::Invalid(format!("{} bytes are no elements of {}", data.len(), r#type)))
}

// ---- reading

/// The text of a string attribute; `None` for other attributes and for bytes that are no UTF-8.
pub fn str_value<'c>(attribute: Attribute<'c>) -> Option<&'c str> {
    std::str::from_utf8(bytes_value(attribute)?).ok()
}

/// The bytes of a string attribute.
pub fn bytes_value<'c>(attribute: Attribute<'c>) -> Option<&'c [u8]> {
    // SAFETY: a string attribute's bytes live as long as the context.
    unsafe {
        let raw = attribute.to_raw();
        mlirAttributeIsAString(raw).then(|| raw::as_bytes(mlirStringAttrGetValue(raw)))
    }
}

/// The value of an integer attribute of any width and signedness, as the low 64 bits.
pub fn int_value(attribute: Attribute<'_>) -> Option<i64> {
    let (mut value, mut unsigned) = (0, false);
    // SAFETY: the attribute is valid, both places are.
    unsafe { ffi::sconceIntegerValue(attribute.to_raw(), &mut value, &mut unsigned) }.then_some(value)
}

/// The value of `true` and `false`.
pub fn bool_value(attribute: Attribute<'_>) -> Option<bool> {
    // SAFETY: the value is asked of boolean attributes only.
    unsafe {
        let raw = attribute.to_raw();
        mlirAttributeIsABool(raw).then(|| mlirBoolAttrGetValue(raw))
    }
}

/// The value of a floating-point attribute.
pub fn float_value(attribute: Attribute<'_>) -> Option<f64> {
    // SAFETY: the value is asked of floating-point attributes only.
    unsafe {
        let raw = attribute.to_raw();
        mlirAttributeIsAFloat(raw).then(|| mlirFloatAttrGetValueDouble(raw))
    }
}

/// The type in a type attribute.
pub fn type_value<'c>(attribute: Attribute<'c>) -> Option<Type<'c>> {
    // SAFETY: the value is asked of type attributes only.
    unsafe {
        let raw = attribute.to_raw();
        mlirAttributeIsAType(raw).then(|| Type::from_raw(mlirTypeAttrGetValue(raw)))
    }
}

/// The type of a typed attribute (integers, floats, dense elements).
pub fn type_of<'c>(attribute: Attribute<'c>) -> Option<Type<'c>> {
    // SAFETY: the attribute is valid; null means that it has none.
    unsafe { Type::from_option_raw(mlirAttributeGetType(attribute.to_raw())) }
}

/// The members of `[…]`.
pub fn array_value<'c>(attribute: Attribute<'c>) -> Option<Vec<Attribute<'c>>> {
    // SAFETY: the members are asked of array attributes only, below their count.
    unsafe {
        let raw = attribute.to_raw();
        mlirAttributeIsAArray(raw).then(|| {
            (0..mlirArrayAttrGetNumElements(raw))
                .map(|i| Attribute::from_raw(mlirArrayAttrGetElement(raw, i)))
                .collect()
        })
    }
}

/// The maps of `[affine_map<…>, …]`.
pub fn affine_maps_value<'c>(attribute: Attribute<'c>) -> Option<Vec<AffineMap<'c>>> {
    let map = |member: Attribute<'c>| {
        let raw = member.to_raw();
        // SAFETY: the value is asked of map attributes only.
        unsafe { mlirAttributeIsAAffineMap(raw).then(|| AffineMap::from_raw(mlirAffineMapAttrGetValue(raw))) }
    };
    array_value(attribute)?.into_iter().map(map).collect()
}

/// The numbers of `array<i64: …>`, `array<i32: …>`, or of an array of integer attributes.
pub fn ints_value(attribute: Attribute<'_>) -> Option<Vec<i64>> {
    // SAFETY: the elements are asked of attributes of the right kind only, below their count.
    unsafe {
        let raw = attribute.to_raw();
        if mlirAttributeIsADenseI64Array(raw) {
            let count = mlirDenseArrayGetNumElements(raw);
            return Some((0..count).map(|i| mlirDenseI64ArrayGetElement(raw, i)).collect());
        }
        if mlirAttributeIsADenseI32Array(raw) {
            let count = mlirDenseArrayGetNumElements(raw);
            return Some((0..count).map(|i| i64::from(mlirDenseI32ArrayGetElement(raw, i))).collect());
        }
    }
    array_value(attribute)?.into_iter().map(int_value).collect()
}

/// The texts of an array of string attributes.
pub fn strings_value<'c>(attribute: Attribute<'c>) -> Option<Vec<&'c str>> {
    array_value(attribute)?.into_iter().map(str_value).collect()
}

/// The entries of `{…}`, sorted by name.
pub fn dict_value<'c>(attribute: Attribute<'c>) -> Option<Vec<(&'c str, Attribute<'c>)>> {
    // SAFETY: the entries are asked of dictionaries only, below their count; names live as long as the context.
    unsafe {
        let raw = attribute.to_raw();
        mlirAttributeIsADictionary(raw).then(|| {
            (0..mlirDictionaryAttrGetNumElements(raw))
                .map(|i| mlirDictionaryAttrGetElement(raw, i))
                .map(|entry| (raw::as_str(mlirIdentifierStr(entry.name)), Attribute::from_raw(entry.attribute)))
                .collect()
        })
    }
}

/// The parts of a symbol reference: `["root", "a", "b"]` for `@root::@a::@b`.
pub fn symbol_value(attribute: Attribute<'_>) -> Option<Vec<String>> {
    unsafe extern "C" fn push(text: MlirStringRef, user: *mut c_void) {
        // SAFETY: `user` is the list below, which nothing else uses during the call.
        unsafe { (*user.cast::<Vec<String>>()).push(raw::as_str(text).to_owned()) }
    }
    let mut parts: Vec<String> = Vec::new();
    // SAFETY: the attribute is valid, and `parts` lives through the call.
    unsafe { ffi::sconceSymbolRefParts(attribute.to_raw(), push, (&raw mut parts).cast()) }.then_some(parts)
}

/// The elements of a `dense<…>` or `dense_resource<…>` attribute.
#[derive(Clone, Debug)]
pub struct Elements<'c> {
    /// The whole's type.
    pub r#type: Type<'c>,
    /// The elements' bytes one after the other, or one element's when `splat`. Booleans take a byte each.
    pub bytes: Cow<'c, [u8]>,
    /// Is there one element for all?
    pub splat: bool,
}

/// The elements of a `dense<…>` or `dense_resource<…>` attribute; `None` for strings, other attributes, and resources whose blob is missing.
pub fn elements<'c>(attribute: Attribute<'c>) -> Option<Elements<'c>> {
    let r#type = type_of(attribute)?;
    let attribute_raw = attribute.to_raw();
    // SAFETY: the data are asked of attributes of the right kind only; they live as long as the context.
    unsafe {
        if mlirAttributeIsADenseResourceElements(attribute_raw) {
            let mut name = raw::str_ref("");
            let (mut data, mut length) = (std::ptr::null(), 0);
            if !ffi::sconceDenseResourceData(attribute_raw, &mut name, &mut data, &mut length) {
                return None;
            }
            let bytes = raw::as_bytes(MlirStringRef { data: data.cast(), length });
            return Some(Elements { r#type, bytes: bytes.into(), splat: false });
        }
        if !mlirAttributeIsADenseElements(attribute_raw) {
            return None;
        }
        let element = mlirShapedTypeGetElementType(r#type.to_raw());
        let width = element_bytes(Type::from_raw(element))?;
        let splat = mlirDenseElementsAttrIsSplat(attribute_raw);
        let count = if splat { 1 } else { usize::try_from(mlirElementsAttrGetNumElements(attribute_raw)).ok()? };
        let data = mlirDenseElementsAttrGetRawData(attribute_raw);
        if is_bool(Type::from_raw(element)) {
            let bytes: &[u8] = raw::as_bytes(MlirStringRef { data: data.cast(), length: count.div_ceil(8) });
            let bits = (0..count).map(|i| bytes[i / 8] >> (i % 8) & 1).collect::<Vec<u8>>();
            return Some(Elements { r#type, bytes: bits.into(), splat });
        }
        let bytes = raw::as_bytes(MlirStringRef { data: data.cast(), length: count.checked_mul(width)? });
        Some(Elements { r#type, bytes: bytes.into(), splat })
    }
}

/// The name of a `dense_resource<name>` attribute.
pub fn resource_name<'c>(attribute: Attribute<'c>) -> Option<&'c str> {
    let mut name = raw::str_ref("");
    let (mut data, mut length) = (std::ptr::null(), 0);
    // SAFETY: the attribute is valid, the places are, and names live as long as the context.
    unsafe {
        let raw = attribute.to_raw();
        if !mlirAttributeIsADenseResourceElements(raw) {
            return None;
        }
        ffi::sconceDenseResourceData(raw, &mut name, &mut data, &mut length);
        Some(raw::as_str(name))
    }
}

/// Eight booleans to a byte.
fn pack(bools: &[u8]) -> Vec<u8> {
    bools
        .chunks(8)
        .map(|eight| eight.iter().enumerate().fold(0, |byte, (i, b)| byte | u8::from(*b != 0) << i))
        .collect()
}

fn is_bool(element: Type<'_>) -> bool {
    // SAFETY: the width is asked of integer types only.
    unsafe { mlirTypeIsAInteger(element.to_raw()) && mlirIntegerTypeGetWidth(element.to_raw()) == 1 }
}

/// The number of elements of a shaped type of static shape.
fn shaped_count(r#type: Type<'_>) -> u64 {
    dims(r#type).unwrap_or_default().into_iter().map(|d| d.unwrap_or(0)).fold(1, u64::saturating_mul)
}

/// How many bytes MLIR's dense attributes take per element of this type.
pub fn element_bytes(element: Type<'_>) -> Option<usize> {
    // SAFETY: the widths are asked of types of the right kind only.
    unsafe {
        let raw = element.to_raw();
        if mlirTypeIsAInteger(raw) {
            Some((mlirIntegerTypeGetWidth(raw) as usize).div_ceil(8))
        } else if mlirTypeIsAFloat(raw) {
            Some((mlirFloatTypeGetWidth(raw) as usize).div_ceil(8))
        } else if mlirTypeIsAIndex(raw) {
            Some(8)
        } else if mlirTypeIsAComplex(raw) {
            element_bytes(Type::from_raw(mlirComplexTypeGetElementType(raw))).map(|half| 2 * half)
        } else {
            None
        }
    }
}

/// The dimensions of a shaped type; `None` inside for a dynamic one, `None` outside for types without rank.
pub fn dims(r#type: Type<'_>) -> Option<Vec<Option<u64>>> {
    // SAFETY: rank and sizes are asked of ranked shaped types only, below the rank.
    unsafe {
        let raw = r#type.to_raw();
        if !mlirTypeIsAShaped(raw) || !mlirShapedTypeHasRank(raw) {
            return None;
        }
        Some(
            (0..mlirShapedTypeGetRank(raw) as isize)
                .map(|i| (!mlirShapedTypeIsDynamicDim(raw, i)).then(|| mlirShapedTypeGetDimSize(raw, i) as u64))
                .collect(),
        )
    }
}
