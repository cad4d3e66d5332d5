//! Constants of the dialect as the interpreter's values, with the members of enumerations as their classes have them.

use sconce_import::constants::value_of;
use sconce_interpreter::program::Class;
use sconce_ir::OperationRef;
use sconce_tensor::{EnumValue, IValue};
use std::sync::Arc;

/// The value of a constant; `None` for other operations and for values that were not printed.
pub(crate) fn of_op(op: OperationRef<'_, '_>, classes: &[Class]) -> Option<IValue> {
    value_of(op).map(|v| with_members(v, classes))
}

/// A listing names a member and not its value, which only the class knows.
pub(crate) fn with_members(value: IValue, classes: &[Class]) -> IValue {
    match &value {
        IValue::Enum(e) if matches!(e.value, IValue::Uninitialized) => {
            let declared = classes.iter().find(|c| c.name == e.class).and_then(|c| c.constant(&e.name)).cloned();
            match declared {
                Some(value) => IValue::Enum(Arc::new(EnumValue { value, ..EnumValue::clone(e) })),
                None => value,
            }
        }
        IValue::List(l) => {
            let items: Vec<IValue> = l.to_vec().into_iter().map(|v| with_members(v, classes)).collect();
            *l.write() = items;
            value
        }
        _ => value,
    }
}
