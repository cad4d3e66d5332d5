//! Attributes of nodes that an operation has no place for: `torch.attributes = [["chunks", 4], ["dim", 1]]`, in the order of the text.
//!
//! Integers, floats, strings and lists of these are MLIR attributes, also where they say their type: `["value", {annotated = [], type = "int[]"}]`. Whatever
//! else there is, is its own text: `["types", {literal = "[int]"}]`.

use sconce_ir::prelude::*;
use sconce_ir::{Attribute, Context, OperationRef};
use sconce_syntax::graph_text::{AttributeValue, Text, read_attribute_value, read_type};
use sconce_torch::ANNOTATED;

/// The name of the attribute.
pub const ATTRIBUTES: &str = "torch.attributes";

const LITERAL: &str = "literal";
/// Beside [`ANNOTATED`].
const TYPE: &str = "type";

/// The attribute that says these.
pub(crate) fn to_mlir<'c>(context: &'c Context, attributes: &[(&str, &AttributeValue)]) -> Attribute<'c> {
    let pairs: Vec<Attribute<'c>> = attributes
        .iter()
        .map(|(name, value)| attr::array(context, &[attr::string(context, name), value_to_mlir(context, value)]))
        .collect();
    attr::array(context, &pairs)
}

fn value_to_mlir<'c>(context: &'c Context, value: &AttributeValue) -> Attribute<'c> {
    match value {
        AttributeValue::Int(n) => attr::i64(context, *n),
        AttributeValue::Float(x) => attr::f64(context, *x),
        AttributeValue::Str(Text { bytes, signed_octal: false }) => attr::bytes(context, bytes),
        AttributeValue::List(items) => {
            attr::array(context, &items.iter().map(|item| value_to_mlir(context, item)).collect::<Vec<_>>())
        }
        AttributeValue::Annotated(ty, value) => attr::dict(
            context,
            &[(ANNOTATED, value_to_mlir(context, value)), (TYPE, attr::string(context, &ty.to_string()))],
        ),
        other => attr::dict(context, &[(LITERAL, attr::string(context, &other.to_string()))]),
    }
}

/// The attributes of a node that its operation has no place for, as its text says them.
pub fn of(op: OperationRef<'_, '_>) -> Vec<(String, AttributeValue)> {
    let pairs = op.attr(ATTRIBUTES).and_then(attr::array_value).unwrap_or_default();
    pairs
        .into_iter()
        .filter_map(|pair| {
            let pair = attr::array_value(pair)?;
            let [name, value] = pair.as_slice() else { return None };
            Some((attr::str_value(*name)?.to_owned(), value_from_mlir(*value, 0)?))
        })
        .collect()
}

/// Nesting that anybody writes; attributes from elsewhere may be deeper.
const MAX_DEPTH: usize = 64;

fn value_from_mlir(value: Attribute<'_>, depth: usize) -> Option<AttributeValue> {
    if depth > MAX_DEPTH {
        return None;
    }
    if let Some(truth) = attr::bool_value(value) {
        return Some(AttributeValue::Bool(truth));
    }
    if let Some(n) = attr::int_value(value) {
        return Some(AttributeValue::Int(n));
    }
    if let Some(x) = attr::float_value(value) {
        return Some(AttributeValue::Float(x));
    }
    if let Some(bytes) = attr::bytes_value(value) {
        return Some(AttributeValue::Str(Text { bytes: bytes.to_vec(), signed_octal: false }));
    }
    if let Some(items) = attr::array_value(value) {
        let items = items.into_iter().map(|item| value_from_mlir(item, depth + 1)).collect::<Option<_>>()?;
        return Some(AttributeValue::List(items));
    }
    let entries = attr::dict_value(value)?;
    let entry = |wanted: &str| entries.iter().find(|(name, _)| *name == wanted).map(|(_, value)| *value);
    if let Some(value) = entry(ANNOTATED) {
        let ty = read_type(attr::str_value(entry(TYPE)?)?).ok()?;
        return Some(AttributeValue::Annotated(ty, Box::new(value_from_mlir(value, depth + 1)?)));
    }
    read_attribute_value(attr::str_value(entry(LITERAL)?)?).ok()
}
