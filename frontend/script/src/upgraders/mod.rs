//! Operators whose meaning changed: what an archive of an older version says is replaced by what it meant.

use sconce_schema::FunctionSchema;
use std::sync::LazyLock;

/// One change of one operator.
#[derive(Debug)]
pub struct Upgrader {
    /// The operator as it was: its schema.
    pub schema: FunctionSchema,
    /// The first version in which it means what it means now.
    pub until: u32,
    /// The function of [`BODIES`] that does what it did.
    pub function: &'static str,
}

/// TorchScript text of all upgraders.
pub const BODIES: &str = include_str!("bodies.py");

/// The version that archives of today's operators have at most.
pub const CURRENT: u32 = 10;

/// Schema, first version without it, function.
const TABLE: &[(&str, u32, &str)] = &[
    ("aten::div.Tensor(Tensor self, Tensor other) -> Tensor", 4, "div_tensor"),
    ("aten::div.Scalar(Tensor self, Scalar other) -> Tensor", 4, "div_scalar"),
    ("aten::div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor", 4, "div_tensor_mode"),
    ("aten::div.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor", 4, "div_scalar_mode"),
    ("aten::div.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", 4, "div_out"),
    (
        "aten::div.out_mode(Tensor self, Tensor other, *, str? rounding_mode, Tensor(a!) out) -> Tensor(a!)",
        4,
        "div_out_mode",
    ),
    ("aten::div_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", 4, "div_in_place_tensor"),
    ("aten::div_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", 4, "div_in_place_scalar"),
    (
        "aten::div_.Tensor_mode(Tensor(a!) self, Tensor other, *, str? rounding_mode) -> Tensor(a!)",
        4,
        "div_in_place_tensor_mode",
    ),
    (
        "aten::div_.Scalar_mode(Tensor(a!) self, Scalar other, *, str? rounding_mode) -> Tensor(a!)",
        4,
        "div_in_place_scalar_mode",
    ),
    (
        "aten::full(int[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, \
         bool? pin_memory=None) -> Tensor",
        5,
        "full",
    ),
    ("aten::full.out(int[] size, Scalar fill_value, *, Tensor(a!) out) -> Tensor(a!)", 5, "full_out"),
    (
        "aten::linspace(Scalar start, Scalar end, int? steps=None, *, ScalarType? dtype=None, Layout? layout=None, \
         Device? device=None, bool? pin_memory=None) -> Tensor",
        8,
        "linspace",
    ),
    (
        "aten::linspace.out(Scalar start, Scalar end, int? steps=None, *, Tensor(a!) out) -> Tensor(a!)",
        8,
        "linspace_out",
    ),
    (
        "aten::logspace(Scalar start, Scalar end, int? steps=None, float base=10.0, *, ScalarType? dtype=None, \
         Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
        9,
        "logspace",
    ),
    (
        "aten::logspace.out(Scalar start, Scalar end, int? steps=None, float base=10.0, *, Tensor(a!) out) -> Tensor(a!)",
        9,
        "logspace_out",
    ),
    ("aten::gelu(Tensor self) -> Tensor", 10, "gelu"),
    ("aten::gelu.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", 10, "gelu_out"),
];

static UPGRADERS: LazyLock<Vec<Upgrader>> = LazyLock::new(|| {
    let rows = TABLE.iter().filter_map(|(schema, until, function)| {
        Some(Upgrader { schema: schema.parse().ok()?, until: *until, function })
    });
    rows.collect()
});

/// All changes.
pub fn all() -> &'static [Upgrader] {
    &UPGRADERS
}

/// What `operator` (without overload: `aten::div`) meant in archives of `version`: the overloads that have changed since.
pub fn historic(operator: &str, version: u32) -> impl Iterator<Item = &'static Upgrader> {
    all().iter().filter(move |u| version < u.until && &*u.schema.name == operator)
}

/// The version that an archive needs to be read right by what reads older ones too: that of the operator's last change.
pub fn current_version(operator: &str) -> Option<u32> {
    all().iter().filter(|u| u.schema.full_name() == operator).map(|u| u.until).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_a_schema() {
        assert_eq!(all().len(), TABLE.len());
        assert!(all().iter().all(|u| u.until <= CURRENT));
        for upgrader in all() {
            assert!(BODIES.contains(&format!("def {}(", upgrader.function)), "{}", upgrader.function);
        }
    }

    #[test]
    fn an_operator_has_the_version_of_its_change() {
        assert_eq!(current_version("aten::gelu"), Some(10));
        assert_eq!(current_version("aten::add.Tensor"), None);
        assert_eq!(historic("aten::div", 3).count(), 6);
        assert_eq!(historic("aten::div", 4).count(), 0);
    }
}
