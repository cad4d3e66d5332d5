//! Operations of the torch dialect as the op table names them, and the constants that feed them.

use sconce_ir::op::Walk;
use sconce_ir::{Attribute, OpExt, OperationRef, Value, ValueExt, ValueLike, attr};
use sconce_schema::Type as ScriptType;
use sconce_torch::ANNOTATED;

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

impl Constant {
    /// Is it a number that is 0, or false?
    pub fn is_zero(&self) -> bool {
        matches!(self, Constant::Int(0) | Constant::Bool(false)) || matches!(self, Constant::Float(x) if *x == 0.)
    }

    /// Is it the same to the last bit? Unlike `==` it tells 0.0 from -0.0, and NaN is itself.
    pub fn is_same(&self, other: &Constant) -> bool {
        match (self, other) {
            (Constant::Float(a), Constant::Float(b)) => a.to_bits() == b.to_bits(),
            (Constant::List(a), Constant::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_same(b)),
            _ => self == other,
        }
    }
}

/// What messages call an operation: its schema name, or for what is no operator its own.
pub fn operator_name(op: OperationRef<'_, '_>) -> String {
    schema_name(op).unwrap_or_else(|| op.op_name().to_owned())
}

/// The schema name of an operation, overload included: `torch.aten.add.Tensor` and `torch.operator "aten.add.Tensor"` are `aten::add.Tensor`.
pub fn schema_name(op: OperationRef<'_, '_>) -> Option<String> {
    let name = op.op_name();
    let name = if name == "torch.operator" { op.str_attr("name")? } else { name.strip_prefix("torch.")? };
    let (namespace, rest) = name.split_once('.')?;
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

/// What the operations of constants are called, before the kind of constant.
const CONSTANT: &str = "torch.constant.";

/// Is it an operation of the dialect's own for a constant (`torch.constant.int`)?
pub fn is_constant_op(op: OperationRef<'_, '_>) -> bool {
    op.op_name().starts_with(CONSTANT)
}

/// Whether the operation stands for a constant, in the dialect's words or in those of graph text.
pub fn makes_constant(op: OperationRef<'_, '_>) -> bool {
    is_constant_op(op) || is_constant_node(op)
}

/// Is it a constant that has no operation of its own in the dialect?
pub fn is_constant_node(op: OperationRef<'_, '_>) -> bool {
    op.is("torch.operator") && op.str_attr("name") == Some("prim.Constant")
}

/// A list of numbers that graph text has as one constant: `torch.attributes = [["value", [1, 2]]]`.
fn listed(op: OperationRef<'_, '_>) -> Option<Constant> {
    let ScriptType::List(element) = sconce_torch::types::from_mlir(op.result_value(0)?.r#type())? else { return None };
    let pairs = op.attr("torch.attributes").and_then(attr::array_value)?;
    let pair = attr::array_value(*pairs.first().filter(|_| pairs.len() == 1)?)?;
    let &[name, value] = pair.as_slice() else { return None };
    let item = |item: Attribute<'_>| match *element {
        ScriptType::Bool => attr::bool_value(item).map(Constant::Bool),
        ScriptType::Int => attr::int_value(item).map(Constant::Int),
        ScriptType::Float => attr::float_value(item).map(Constant::Float),
        _ => None,
    };
    if attr::str_value(name) != Some("value") {
        return None;
    }
    // One without elements says what it would be a list of.
    let annotated = attr::dict_value(value).and_then(|pairs| pairs.into_iter().find(|(name, _)| *name == ANNOTATED));
    let items = attr::array_value(annotated.map_or(value, |(_, list)| list))?;
    items.into_iter().map(item).collect::<Option<_>>().map(Constant::List)
}

/// The value of a `torch.constant.*`, or of a list of such.
pub fn constant(value: Value<'_, '_>) -> Option<Constant> {
    let op = value.defining_op()?;
    let name = op.op_name();
    if name == "torch.prim.ListConstruct" {
        return op.operand_values().into_iter().map(constant).collect::<Option<_>>().map(Constant::List);
    }
    if is_constant_node(op) {
        return listed(op);
    }
    // The import wraps a constant when an optional is asked for.
    if name == "torch.derefine" {
        return constant(op.operand_value(0)?);
    }
    Some(match name.strip_prefix(CONSTANT)? {
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

/// Is it so of an operation, or of one in it?
pub fn any_within<'c: 'a, 'a>(op: OperationRef<'c, 'a>, mut is_so: impl FnMut(OperationRef<'c, 'a>) -> bool) -> bool {
    let mut any = false;
    op.walk_pre(&mut |inner| {
        any |= is_so(inner);
        Walk::Advance
    });
    any
}

/// May the operation turn gradients on or off, as `torch.no_grad()` does where it is entered and left?
pub fn switches_gradients(op: OperationRef<'_, '_>) -> bool {
    matches!(kind(op), "aten.set_grad_enabled" | "prim.Enter" | "prim.Exit")
}

/// An integer that graph text has in brackets.
pub fn int_attribute(op: OperationRef<'_, '_>, name: &str) -> Option<i64> {
    attr::int_value(in_brackets(op, name)?)
}

/// A string that graph text has in brackets.
pub fn str_attribute<'c>(op: OperationRef<'c, '_>, name: &str) -> Option<&'c str> {
    attr::str_value(in_brackets(op, name)?)
}

fn in_brackets<'c>(op: OperationRef<'c, '_>, name: &str) -> Option<Attribute<'c>> {
    let pairs = op.attr("torch.attributes").and_then(attr::array_value)?;
    let pair = pairs
        .into_iter()
        .filter_map(attr::array_value)
        .find(|pair| pair.first().and_then(|key| attr::str_value(*key)) == Some(name))?;
    pair.get(1).copied()
}
