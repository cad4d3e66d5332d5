//! The op table at run time: entries in table order, found by name, overloads in the order in which PyTorch tries them.

use crate::op::OpEntry;
use crate::table::FAMILIES;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

static TABLE: LazyLock<Vec<OpEntry>> = LazyLock::new(|| {
    let records = FAMILIES.iter().flat_map(|rows| rows.iter());
    (0..).zip(records).map(|(id, record)| OpEntry::new(id, record)).collect()
});

static BY_NAME: LazyLock<FxHashMap<&'static str, &'static OpEntry>> =
    LazyLock::new(|| table().iter().map(|e| (e.name, e)).collect());

static BY_BASE: LazyLock<FxHashMap<&'static str, Vec<&'static OpEntry>>> = LazyLock::new(|| {
    let mut map: FxHashMap<&'static str, Vec<&'static OpEntry>> = FxHashMap::default();
    for entry in table() {
        map.entry(entry.base_name()).or_default().push(entry);
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
    BY_BASE.get(base).map_or(&[], Vec::as_slice)
}
