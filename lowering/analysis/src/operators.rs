//! Operations of the torch dialect as the op table names them, and the constants that feed them.

use sconce_ir::OpExt;
use sconce_ir::melior::ir::attribute::{FloatAttribute, IntegerAttribute};
use sconce_ir::melior::ir::operation::{OperationLike, OperationRef, OperationResult};
use sconce_ir::melior::ir::{Attribute, AttributeLike, Value, ValueLike};

/// A constant argument.
#[derive(Clone, PartialEq, Debug)]
pub enum Constant {
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(String),
    Device(String),
    List(Vec<Constant>),
}

/// The schema name of an operation, overload included: `torch.aten.add.Tensor` and `torch.operator "aten.add.Tensor"` are `aten::add.Tensor`.
pub fn schema_name(op: OperationRef<'_, '_>) -> Option<String> {
    let identifier = op.name();
    let name = identifier.as_string_ref();
    let name = name.as_str().ok()?;
    let (namespace, rest) = if name == "torch.operator" {
        let (namespace, rest) = op.str_attr("name")?.split_once('.')?;
        (namespace.to_string(), rest.to_string())
    } else {
        let (namespace, rest) = name.strip_prefix("torch.")?.split_once('.')?;
        (namespace.to_string(), rest.to_string())
    };
    Some(format!("{namespace}::{rest}"))
}

/// What an operation is, without the dialect's prefix and an overload, and whether it stands for itself or as `torch.operator`: `aten.add`, `prim.If`,
/// `derefine`, `func.call`.
pub fn kind<'c>(op: OperationRef<'c, '_>) -> &'c str {
    let name = op.op_name();
    if name == "torch.operator" {
        return without_overload(op.str_attr("name").unwrap_or(name));
    }
    match name.strip_prefix("torch.") {
        Some(operator) if sconce_ir::table::info(op).is_some() => without_overload(operator),
        Some(structural) => structural,
        None => name,
    }
}

fn without_overload(name: &str) -> &str {
    name.match_indices('.').nth(1).map_or(name, |(at, _)| &name[..at])
}

/// The value that silent casts pass on.
pub fn source<'c: 'a, 'a>(value: Value<'c, 'a>) -> Value<'c, 'a> {
    let mut value = value;
    while let Some(cast) = sconce_ir::ValueExt::defining_op(value).filter(|op| is_silent(*op)) {
        match cast.operand_value(0) {
            Some(operand) => value = operand,
            None => break,
        }
    }
    value
}

/// Is it a cast that passes a value on as one of another type, and does nothing?
pub fn is_silent(op: OperationRef<'_, '_>) -> bool {
    op.is("torch.derefine") || op.is("torch.tensor_static_info_cast")
}

/// An operator of the table, under its own name or as `torch.operator`; not structure, of which TorchScript speaks as `prim::…`.
pub fn is_operator(op: OperationRef<'_, '_>) -> bool {
    sconce_torch::entry(op).is_some_and(|e| !e.name.starts_with("prim::"))
}

/// Name of the operation as MLIR prints it.
pub fn mlir_name(op: OperationRef<'_, '_>) -> String {
    op.name().as_string_ref().as_str().unwrap_or_default().to_string()
}

/// The operation that makes a value; `None` for block arguments.
pub fn defining_op<'c, 'a>(value: Value<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    OperationResult::try_from(value).ok().map(|r| r.owner())
}

/// The value of a `torch.constant.*`, or of a list of such.
pub fn constant(value: Value<'_, '_>) -> Option<Constant> {
    let op = defining_op(value)?;
    let name = mlir_name(op);
    if name == "torch.prim.ListConstruct" {
        return op.operands().map(constant).collect::<Option<_>>().map(Constant::List);
    }
    // The import wraps a constant when an optional is asked for.
    if name == "torch.derefine" {
        return constant(op.operand(0).ok()?);
    }
    let kind = name.strip_prefix("torch.constant.")?;
    if kind == "none" {
        return Some(Constant::None);
    }
    let attribute: Attribute<'_> = op.attribute("value").ok()?;
    Some(match kind {
        "int" => Constant::Int(IntegerAttribute::try_from(attribute).ok()?.value()),
        "bool" => Constant::Bool(attribute.to_string() == "true"),
        "float" => Constant::Float(FloatAttribute::try_from(attribute).ok()?.value()),
        "number" => match FloatAttribute::try_from(attribute) {
            Ok(f) => Constant::Float(f.value()),
            Err(_) => Constant::Int(IntegerAttribute::try_from(attribute).ok()?.value()),
        },
        "str" => Constant::Str(op.str_attr("value")?.to_string()),
        "device" => Constant::Device(op.str_attr("value")?.to_string()),
        _ => return None,
    })
}

#[allow(unused_imports, reason = "traits whose methods are used above")]
use {AttributeLike as _, ValueLike as _};
