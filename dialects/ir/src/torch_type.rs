//! Types of the torch dialect taken apart and put together, without their text; what a word means is said in `sconce_torch::types`.

use crate::raw::{as_bytes, str_ref};
use crate::{Context, Type, ffi};
use melior::ir::TypeLike;
use mlir_sys::{MlirStringRef, MlirType};
use std::ptr;

/// What a type of the torch dialect is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Parts<'c, 't> {
    /// As in text, without `!torch.`: `list`, `vtensor`, `int`.
    pub word: &'t str,
    /// What it holds: an element, key and value, members, fields; a tensor's dtype where it is known.
    pub types: Vec<Type<'c>>,
    /// A class's, enum's or variable's name; a named tuple's, then its fields'.
    pub names: Vec<&'t str>,
    /// Of a tensor whose rank is known; `None` is a size that is not.
    pub sizes: Option<Vec<Option<i64>>>,
    /// A tensor that says how it is encoded. [`Parts::to_type`] leaves that out.
    pub is_encoded: bool,
}

/// A size that is not known, across the C ABI.
const UNKNOWN: i64 = -1;

impl<'c, 't> Parts<'c, 't> {
    /// A type that is its word alone.
    pub fn word(word: &'t str) -> Parts<'c, 't> {
        Parts { word, types: Vec::new(), names: Vec::new(), sizes: None, is_encoded: false }
    }

    /// The type of these parts; `None` when the dialect has none such: an unknown word, too many or too few types, a size below zero, a dtype that
    /// tensors do not hold.
    pub fn to_type(&self, context: &'c Context) -> Option<Type<'c>> {
        let types: Vec<MlirType> = self.types.iter().map(|t| t.to_raw()).collect();
        let names: Vec<MlirStringRef> = self.names.iter().map(|n| str_ref(n)).collect();
        let sizes: Option<Vec<i64>> = match &self.sizes {
            Some(sizes) if sizes.iter().flatten().any(|n| *n < 0) => return None,
            sizes => sizes.as_ref().map(|sizes| sizes.iter().map(|n| n.unwrap_or(UNKNOWN)).collect()),
        };
        let parts = ffi::TypeParts {
            word: str_ref(self.word),
            num_types: types.len(),
            num_names: names.len(),
            has_sizes: sizes.is_some(),
            sizes: sizes.as_ref().map_or(ptr::null(), |s| s.as_ptr()),
            num_sizes: sizes.as_ref().map_or(0, Vec::len),
            has_encoding: false,
        };
        // SAFETY: the arrays live through the call, which copies what it keeps; the types belong to the same context, by their lifetime.
        let raw = unsafe { ffi::sconceTypeGet(context.to_raw(), &raw const parts, types.as_ptr(), names.as_ptr()) };
        // SAFETY: a type that was just made or found in the context.
        (!raw.ptr.is_null()).then(|| unsafe { Type::from_raw(raw) })
    }
}

impl<'c> Parts<'c, 'c> {
    /// What `ty` is made of; `None` for a type of another dialect, or with a name that is not UTF-8.
    pub fn of(ty: Type<'c>) -> Option<Parts<'c, 'c>> {
        let empty = str_ref("");
        let mut parts = ffi::TypeParts {
            word: empty,
            num_types: 0,
            num_names: 0,
            has_sizes: false,
            sizes: ptr::null(),
            num_sizes: 0,
            has_encoding: false,
        };
        // SAFETY: the type is alive for `'c`, and the struct is written whole.
        if !unsafe { ffi::sconceTypeParts(ty.to_raw(), &raw mut parts) } {
            return None;
        }
        let mut types = vec![ty.to_raw(); parts.num_types];
        let mut names = vec![empty; parts.num_names];
        // SAFETY: the arrays have as many places as the parts say there are types and names.
        unsafe {
            ffi::sconceTypeHolds(ty.to_raw(), types.as_mut_ptr());
            ffi::sconceTypeNames(ty.to_raw(), names.as_mut_ptr());
        }
        // SAFETY: strings and sizes belong to types, which live as long as the context.
        let text = |name: MlirStringRef| std::str::from_utf8(unsafe { as_bytes(name) }).ok();
        let sizes = parts.has_sizes.then(|| match parts.num_sizes {
            0 => Vec::new(),
            // SAFETY: as above.
            n => unsafe { std::slice::from_raw_parts(parts.sizes, n) }
                .iter()
                .map(|n| (*n != UNKNOWN).then_some(*n))
                .collect(),
        });
        Some(Parts {
            word: text(parts.word)?,
            // SAFETY: these types belong to the same context.
            types: types.into_iter().map(|t| unsafe { Type::from_raw(t) }).collect(),
            names: names.into_iter().map(text).collect::<Option<_>>()?,
            sizes,
            is_encoded: parts.has_encoding,
        })
    }
}
