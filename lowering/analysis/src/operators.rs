//! Operations of the torch dialect as the op table names them, and the constants that feed them.

use sconce_ir::{OpExt, OperationRef, Value, ValueExt};

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
    let name = op.op_name();
    let name = if name == "torch.operator" { op.str_attr("name")? } else { name.strip_prefix("torch.")? };
    let (namespace, rest) = name.split_once('.')?;
    Some(format!("{namespace}::{rest}"))
}

/// An operator of the table, under its own name or as `torch.operator`; not structure, of which TorchScript speaks as `prim::…`.
pub fn is_operator(op: OperationRef<'_, '_>) -> bool {
    sconce_torch::entry(op).is_some_and(|e| !e.name.starts_with("prim::"))
}

/// The value of a `torch.constant.*`, or of a list of such.
pub fn constant(value: Value<'_, '_>) -> Option<Constant> {
    let op = value.defining_op()?;
    let name = op.op_name();
    if name == "torch.prim.ListConstruct" {
        return op.operand_values().into_iter().map(constant).collect::<Option<_>>().map(Constant::List);
    }
    // The import wraps a constant when an optional is asked for.
    if name == "torch.derefine" {
        return constant(op.operand_value(0)?);
    }
    Some(match name.strip_prefix("torch.constant.")? {
        "none" => Constant::None,
        "int" => Constant::Int(op.int_attr("value")?),
        "bool" => Constant::Bool(op.bool_attr("value")?),
        "float" => Constant::Float(op.float_attr("value")?),
        "number" => match op.float_attr("value") {
            Some(x) => Constant::Float(x),
            None => Constant::Int(op.int_attr("value")?),
        },
        "str" => Constant::Str(op.str_attr("value")?.to_string()),
        "device" => Constant::Device(op.str_attr("value")?.to_string()),
        _ => return None,
    })
}
