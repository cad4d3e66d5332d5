//! Constants have the members of enumerations as their classes have them.

use sconce_interpreter::program::Class;
use sconce_tensor::{EnumValue, IValue, List};
use std::sync::Arc;

/// The value with members that only have a name (a listing names a member and not its value) as the classes declare them.
pub(crate) fn with_members(value: &IValue, classes: &[Class]) -> IValue {
    match value {
        IValue::Enum(e) if is_only_named(value) => {
            let declared = classes.iter().find(|c| c.name == e.class).and_then(|c| c.constant(&e.name)).cloned();
            declared.map_or_else(
                || value.clone(),
                |value| IValue::Enum(Arc::new(EnumValue { value, ..EnumValue::clone(e) })),
            )
        }
        IValue::List(l) if l.read().iter().any(is_only_named) => {
            let items: Vec<IValue> = l.read().iter().map(|v| with_members(v, classes)).collect();
            IValue::List(List::new(l.element.clone(), items))
        }
        other => other.clone(),
    }
}

fn is_only_named(value: &IValue) -> bool {
    matches!(value, IValue::Enum(e) if matches!(e.value, IValue::Uninitialized))
}
