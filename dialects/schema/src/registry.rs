//! The op table at run time: entries in table order, found by name, overloads in the order in which PyTorch tries them.

use crate::op::OpEntry;
use crate::table::FAMILIES;
use rustc_hash::FxHashMap;
use std::sync::{LazyLock, OnceLock};

static TABLE: LazyLock<Vec<OpEntry>> = LazyLock::new(|| {
    let records = FAMILIES.iter().flat_map(|rows| rows.iter());
    (0..).zip(records).map(|(id, record)| OpEntry::new(id, record)).collect()
});

static BY_NAME: LazyLock<FxHashMap<&'static str, &'static OpEntry>> =
    LazyLock::new(|| table().iter().map(|e| (e.name, e)).collect());

/// The overloads of one operator: as the table has them, and, once asked for, in the order of trial.
#[derive(Default)]
struct Overloads {
    listed: Vec<&'static OpEntry>,
    ordered: OnceLock<Vec<&'static OpEntry>>,
}

static BY_BASE: LazyLock<FxHashMap<&'static str, Overloads>> = LazyLock::new(|| {
    let mut map: FxHashMap<&'static str, Overloads> = FxHashMap::default();
    for entry in table() {
        map.entry(entry.base_name()).or_default().listed.push(entry);
    }
    map
});

/// Every row of the op table; an entry's `id` is its position.
pub fn table() -> &'static [OpEntry] {
    &TABLE
}

/// The entry of a full name: `aten::add.Tensor`.
pub fn lookup(name: &str) -> Option<&'static OpEntry> {
    BY_NAME.get(name).copied()
}

/// The overloads of an operator (`aten::add`) in the order in which PyTorch tries them; empty if there is none.
pub fn overloads(base: &str) -> &'static [&'static OpEntry] {
    let Some(overloads) = BY_BASE.get(base) else { return &[] };
    overloads.ordered.get_or_init(|| {
        let mut ordered = overloads.listed.clone();
        crate::overload::order(&mut ordered);
        ordered
    })
}
