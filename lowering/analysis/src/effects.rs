//! What an operation does besides giving results: nothing, sharing storage with an operand, or anything at all.
//!
//! Read from the schema's alias annotations; an operation that nobody knows may do anything.

use crate::operators::schema_name;
use sconce_ir::{OpExt, OperationRef};
use sconce_schema::{OpEntry, Trait};

/// The effect of an operation on tensors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// A constant, or a container made of its operands.
    Structural,
    /// Reads its operands; its results are new.
    Fresh,
    /// Reads its operands; a result may share storage with one of them, or be it.
    View,
    /// Writes to a tensor or a container, draws from a generator, or may do anything.
    Writes,
}

/// Operators whose schema shows no alias although they may return an operand itself.
const MAY_RETURN_OPERAND: &[&str] =
    &["aten::type_as", "aten::_to_copy", "aten::dropout", "aten::expand_as", "aten::view_as", "aten::reshape_as"];

/// The effect of a schema's operator.
pub fn entry_effect(entry: &OpEntry) -> Effect {
    let schema = entry.schema();
    let writes = |a: &sconce_schema::Argument| a.alias.as_ref().is_some_and(|i| i.is_write);
    if schema.arguments.iter().any(writes) || entry.has(Trait::Random) || schema.is_vararg {
        return Effect::Writes;
    }
    let aliases = schema.returns.iter().any(|r| r.alias.is_some());
    if aliases || entry.has(Trait::View) || MAY_RETURN_OPERAND.contains(&entry.name) {
        return Effect::View;
    }
    // Raising, printing and the like are not pure although they write nothing.
    if entry.has(Trait::Pure) || entry.name.starts_with("aten::") && !schema.returns.is_empty() {
        return Effect::Fresh;
    }
    Effect::Writes
}

/// The effect of an operation.
pub fn effect(op: OperationRef<'_, '_>) -> Effect {
    let name = op.op_name();
    if name.starts_with("torch.constant.")
        || matches!(
            name,
            "torch.prim.ListConstruct" | "torch.prim.ListUnpack" | "torch.derefine" | "torch.prim.TupleConstruct"
        )
    {
        return Effect::Structural;
    }
    if matches!(name, "torch.tensor_static_info_cast" | "torch.copy.to_vtensor" | "torch.copy.to_tensor") {
        return Effect::View;
    }
    // Literals are shared constants: a write to one would be seen by the next call.
    if matches!(name, "torch.vtensor.literal" | "torch.tensor.literal") {
        return Effect::View;
    }
    match schema_name(op).and_then(|n| sconce_schema::lookup(&n)) {
        Some(entry) => entry_effect(entry),
        None => Effect::Writes,
    }
}
