//! From an operator to what computes it.

pub mod bound;
pub mod composite;
pub mod direct_form;
pub mod fast_path;

use crate::engine::calling::{Dispatcher, answer_calls};
use crate::engine::{compose, declared, derived, extra};
use crate::tensor::fold;
use crate::{Error, Kernel, Outputs, pointwise, table};
use bound::Bound;
use sconce_schema::{OpEntry, Trait};
use sconce_tensor::IValue;
use std::sync::LazyLock;

const DISPATCHER: Dispatcher = Dispatcher { call, defined: composite::evaluate };

/// The kernel that computes an operator: the one its record names, or the one that follows from its fold or scalar expression, its element's operator or its functional form.
pub fn lookup(entry: &OpEntry) -> Option<Kernel> {
    if let Some(kernel) = named_kernel(entry) {
        return Some(kernel);
    }
    if entry.has(Trait::Each) {
        return Some(extra::elsewhere);
    }
    if let Some(functional) = entry.functional_entry() {
        return lookup(functional).map(|_| derived::write_back as Kernel);
    }
    let folded = entry.fold.map(|_| fold::evaluate as Kernel);
    folded.or_else(|| entry.scalar.map(|_| pointwise::evaluate as Kernel))
}

/// Calls an operator: its rule, then its kernel. Arguments are in schema order with every default filled in.
///
/// Who calls an operator more than once keeps a [`Bound`].
pub fn call(entry: &'static OpEntry, args: &mut [IValue]) -> Result<Outputs, Error> {
    Bound::new(entry)?.call(args)
}

/// Calls an operator by its full name. Arguments in schema order, keyword-only ones too; those left out at the end take their defaults.
pub fn call_by_name(name: &str, given: &[IValue]) -> Result<Outputs, Error> {
    answer_calls(DISPATCHER);
    compose::all(name, given)
}

/// The kernel that an operator's record names, or that was registered for it; pointwise operators and in-place and `out=` forms usually have none of their own.
pub fn named_kernel(entry: &OpEntry) -> Option<Kernel> {
    static BY_ID: LazyLock<Vec<Option<Kernel>>> = LazyLock::new(|| {
        answer_calls(DISPATCHER);
        table::FAMILIES.concat()
    });
    match BY_ID.get(entry.id as usize) {
        Some(kernel) => *kernel,
        None => declared::kernel(entry.id),
    }
}
