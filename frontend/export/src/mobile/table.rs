//! A function's code as mobile archives pickle it.

use super::Code;
use sconce_archive::pickle::{Builder, Value, ValueId};
use sconce_graph::unit::{ClassKind, Function, Unit};
use sconce_schema::Type;
use sconce_schema::types::NamedTuple;

/// `(name, (("instructions", …), …), (("arguments", …), ("returns", …)))`; the code's constants and the parameters' default values are pickled already.
pub fn function_table(
    unit: &Unit,
    function: &Function,
    code: &Code,
    out: &mut Builder,
    constants: Vec<ValueId>,
    defaults: &[Option<ValueId>],
) -> ValueId {
    let mut instructions = Vec::with_capacity(code.instructions.len());
    for i in &code.instructions {
        let parts = vec![out.str(i.op.name()), out.int(i.x), out.int(i.n as i64)];
        instructions.push(out.tuple(parts));
    }
    let mut operators = Vec::with_capacity(code.operators.len());
    for o in &code.operators {
        let arguments = o.arguments.map_or(-1, |n| n as i64);
        let parts = vec![out.str(&o.name), out.str(&o.overload), out.int(arguments)];
        operators.push(out.tuple(parts));
    }
    let types = code.types.iter().map(|t| out.str(&type_text(unit, t))).collect();
    let entries = vec![
        ("instructions", out.tuple(instructions)),
        ("operators", out.tuple(operators)),
        ("constants", out.tuple(constants)),
        ("types", out.tuple(types)),
        ("register_size", out.int(code.register_size as i64)),
    ];
    let table = pairs(out, entries);
    let schema = schema_table(function, out, defaults);
    let name = out.str(&function.name);
    out.tuple(vec![name, table, schema])
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

fn schema_table(function: &Function, out: &mut Builder, defaults: &[Option<ValueId>]) -> ValueId {
    let argument = |out: &mut Builder, name: &str, ty: &Type, default: Option<ValueId>| {
        let default = default.unwrap_or_else(|| out.add(Value::None));
        let entries =
            vec![("name", out.str(name)), ("type", out.str(&ty.annotation_str())), ("default_value", default)];
        pairs(out, entries)
    };
    let mut arguments = Vec::with_capacity(function.params.len());
    for (index, param) in function.params.iter().enumerate() {
        let default = defaults.get(index).copied().flatten();
        arguments.push(argument(out, &param.name, &param.ty, default));
    }
    let returns = argument(out, "", &function.returns, None);
    let entries = vec![("arguments", out.tuple(arguments)), ("returns", out.tuple(vec![returns]))];
    pairs(out, entries)
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
