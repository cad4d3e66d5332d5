//! A function's code as mobile archives pickle it.

use super::Code;
use crate::unit::{ClassKind, Function, Unit};
use sconce_archive::pickle::{Builder, Value, ValueId};
use sconce_schema::Type;
use sconce_schema::types::NamedTuple;
use sconce_tensor::IValue;

/// `(name, (("instructions", …), …), (("arguments", …), ("returns", …)))`. `constant` pickles a value.
pub fn function_table<E>(
    unit: &Unit,
    function: &Function,
    code: &Code,
    out: &mut Builder,
    constant: &mut dyn FnMut(&mut Builder, &IValue) -> Result<ValueId, E>,
) -> Result<ValueId, E> {
    let instructions = code.instructions.iter().map(|i| {
        let parts = vec![out.str(i.op.name()), out.int(i.x), out.int(i.n as i64)];
        out.tuple(parts)
    });
    let instructions = instructions.collect();
    let instructions = out.tuple(instructions);
    let operators = code.operators.iter().map(|o| {
        let arguments = o.arguments.map_or(-1, |n| n as i64);
        let parts = vec![out.str(&o.name), out.str(&o.overload), out.int(arguments)];
        out.tuple(parts)
    });
    let operators = operators.collect();
    let operators = out.tuple(operators);
    let constants = code.constants.iter().map(|c| constant(out, c)).collect::<Result<Vec<_>, E>>()?;
    let constants = out.tuple(constants);
    let types = code.types.iter().map(|t| out.str(&type_text(unit, t))).collect();
    let types = out.tuple(types);
    let registers = out.int(code.register_size as i64);
    let table = pairs(
        out,
        vec![
            ("instructions", instructions),
            ("operators", operators),
            ("constants", constants),
            ("types", types),
            ("register_size", registers),
        ],
    );
    let schema = schema_table(function, out, constant)?;
    let name = out.str(&function.name);
    Ok(out.tuple(vec![name, table, schema]))
}

fn pairs(out: &mut Builder, entries: Vec<(&str, ValueId)>) -> ValueId {
    let entries = entries
        .into_iter()
        .map(|(name, value)| {
            let name = out.str(name);
            out.tuple(vec![name, value])
        })
        .collect();
    out.tuple(entries)
}

fn schema_table<E>(
    function: &Function,
    out: &mut Builder,
    constant: &mut dyn FnMut(&mut Builder, &IValue) -> Result<ValueId, E>,
) -> Result<ValueId, E> {
    let mut argument = |out: &mut Builder, name: &str, ty: &Type, default: Option<&IValue>| -> Result<ValueId, E> {
        let name = out.str(name);
        let ty = out.str(&ty.annotation_str());
        let default = match default {
            Some(value) => constant(out, value)?,
            None => out.add(Value::None),
        };
        Ok(pairs(out, vec![("name", name), ("type", ty), ("default_value", default)]))
    };
    let mut arguments = Vec::with_capacity(function.params.len());
    for param in &function.params {
        arguments.push(argument(out, &param.name, &param.ty, param.default.as_ref())?);
    }
    let returns = argument(out, "", &function.returns, None)?;
    let arguments = out.tuple(arguments);
    let returns = out.tuple(vec![returns]);
    Ok(pairs(out, vec![("arguments", arguments), ("returns", returns)]))
}

/// A type as the table of types has it: named tuples, also in dictionaries, with their fields.
pub fn type_text(unit: &Unit, ty: &Type) -> String {
    match ty {
        Type::Dict(key, value) => format!("Dict[{},{}]", tuple_text(unit, key), tuple_text(unit, value)),
        other => tuple_text(unit, other),
    }
}

fn tuple_text(unit: &Unit, ty: &Type) -> String {
    let Type::NamedTuple(tuple) = ty else { return ty.annotation_str() };
    let known = unit.classes.get(&tuple.name).is_none_or(|c| c.kind == ClassKind::NamedTuple);
    if tuple.name.is_empty() || !known { ty.annotation_str() } else { fields_text(unit, tuple) }
}

fn fields_text(unit: &Unit, tuple: &NamedTuple) -> String {
    let fields: Vec<String> =
        tuple.fields.iter().map(|(name, ty)| format!("[{name}, {}]", tuple_text(unit, ty))).collect();
    format!("{}[NamedTuple, [{}]]", tuple.name, fields.join(","))
}
