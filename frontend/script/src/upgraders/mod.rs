//! Operators whose meaning changed: what an archive of an older version says is replaced by what it meant.

use sconce_schema::{Argument, FunctionSchema, Type};
use std::sync::LazyLock;

/// One change of one operator.
#[derive(Debug)]
pub struct Upgrader {
    /// The operator as it was: its schema.
    pub schema: FunctionSchema,
    /// The first version in which it means what it means now.
    pub until: u32,
    /// The name of the function of [`bodies`] that does what it did.
    pub function: String,
    meaning: &'static Meaning,
}

/// What an operator did, said with today's of its name.
#[derive(Debug)]
enum Meaning {
    /// What today's does when these arguments are given as these expressions; all others are passed on.
    Now(&'static [(&'static str, &'static str)]),
    /// What today's does if a float takes part; else a division that rounds toward zero.
    RoundsIntegers,
}

/// What today's does, given the same: the change was one of other overloads.
const SAME: Meaning = Meaning::Now(&[]);

/// The number of steps could be left out.
const STEPS: Meaning = Meaning::Now(&[("steps", "100 if steps is None else steps")]);

/// The version that archives of today's operators have at most.
pub const CURRENT: u32 = 10;

/// Schema, first version without it, what it did.
const TABLE: &[(&str, u32, Meaning)] = &[
    ("aten::div.Tensor(Tensor self, Tensor other) -> Tensor", 4, Meaning::RoundsIntegers),
    ("aten::div.Scalar(Tensor self, Scalar other) -> Tensor", 4, Meaning::RoundsIntegers),
    ("aten::div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor", 4, SAME),
    ("aten::div.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor", 4, SAME),
    ("aten::div.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", 4, Meaning::RoundsIntegers),
    ("aten::div.out_mode(Tensor self, Tensor other, *, str? rounding_mode, Tensor(a!) out) -> Tensor(a!)", 4, SAME),
    ("aten::div_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", 4, Meaning::RoundsIntegers),
    ("aten::div_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", 4, Meaning::RoundsIntegers),
    ("aten::div_.Tensor_mode(Tensor(a!) self, Tensor other, *, str? rounding_mode) -> Tensor(a!)", 4, SAME),
    ("aten::div_.Scalar_mode(Tensor(a!) self, Scalar other, *, str? rounding_mode) -> Tensor(a!)", 4, SAME),
    (
        "aten::full(int[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, \
         bool? pin_memory=None) -> Tensor",
        5,
        Meaning::Now(&[("fill_value", "float(fill_value) if dtype is None else fill_value")]),
    ),
    ("aten::full.out(int[] size, Scalar fill_value, *, Tensor(a!) out) -> Tensor(a!)", 5, SAME),
    (
        "aten::linspace(Scalar start, Scalar end, int? steps=None, *, ScalarType? dtype=None, Layout? layout=None, \
         Device? device=None, bool? pin_memory=None) -> Tensor",
        8,
        STEPS,
    ),
    ("aten::linspace.out(Scalar start, Scalar end, int? steps=None, *, Tensor(a!) out) -> Tensor(a!)", 8, STEPS),
    (
        "aten::logspace(Scalar start, Scalar end, int? steps=None, float base=10.0, *, ScalarType? dtype=None, \
         Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
        9,
        STEPS,
    ),
    (
        "aten::logspace.out(Scalar start, Scalar end, int? steps=None, float base=10.0, *, Tensor(a!) out) -> Tensor(a!)",
        9,
        STEPS,
    ),
    ("aten::gelu(Tensor self) -> Tensor", 10, Meaning::Now(&[("approximate", "'none'")])),
    ("aten::gelu.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", 10, Meaning::Now(&[("approximate", "'none'")])),
];

static UPGRADERS: LazyLock<Vec<Upgrader>> = LazyLock::new(|| {
    let rows = TABLE.iter().filter_map(|(schema, until, meaning)| {
        let schema: FunctionSchema = schema.parse().ok()?;
        let function = schema.full_name().replace("::", "_").replace('.', "_");
        Some(Upgrader { schema, until: *until, function, meaning })
    });
    rows.collect()
});

impl Upgrader {
    /// The function that does what the operator did, as TorchScript that knows nothing but operators.
    fn body(&self) -> String {
        let parameters: Vec<String> =
            self.schema.arguments.iter().map(|a| format!("{}: {}", a.name, a.ty.annotation_str())).collect();
        let result = match self.meaning {
            Meaning::Now(given) => self.call(given),
            Meaning::RoundsIntegers => {
                let floats: Vec<String> = self.schema.arguments.iter().filter_map(is_float).collect();
                let rounded = self.call(&[("rounding_mode", "'trunc'")]);
                format!("{} if {} else {rounded}", self.call(&[]), floats.join(" or "))
            }
        };
        format!("def {}({}):\n  return {result}\n", self.function, parameters.join(", "))
    }

    /// Today's operator, called with what the function was given and with `given`.
    fn call(&self, given: &[(&str, &str)]) -> String {
        let passed = self.schema.arguments.iter().map(|argument| {
            let name = &*argument.name;
            let value = given.iter().find(|(n, _)| *n == name).map_or(name, |(_, value)| *value);
            if argument.kwarg_only { format!("{name}={value}") } else { value.to_owned() }
        });
        let knows = |name: &str| self.schema.arguments.iter().any(|a| &*a.name == name);
        let new = given.iter().filter(|(name, _)| !knows(name)).map(|(name, value)| format!("{name}={value}"));
        let arguments: Vec<String> = passed.chain(new).collect();
        format!("torch.{}({})", self.schema.name.trim_start_matches("aten::"), arguments.join(", "))
    }
}

/// Whether an argument of a division is of floats, as a condition; nothing for what cannot be.
fn is_float(argument: &Argument) -> Option<String> {
    match argument.ty {
        Type::Tensor(_) => Some(format!("torch.is_floating_point({})", argument.name)),
        Type::Number => Some(format!("isinstance({}, float)", argument.name)),
        _ => None,
    }
}

/// TorchScript text of all upgraders.
pub fn bodies() -> String {
    all().iter().map(Upgrader::body).collect()
}

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
    }

    #[test]
    fn bodies_are_written_from_schemas() {
        let some = ["aten_div__Scalar", "aten_linspace_out", "aten_gelu"];
        let text: String = all().iter().filter(|u| some.contains(&&*u.function)).map(Upgrader::body).collect();
        expect_test::expect![[r#"
            def aten_div__Scalar(self: Tensor, other: number):
              return torch.div_(self, other) if torch.is_floating_point(self) or isinstance(other, float) else torch.div_(self, other, rounding_mode='trunc')
            def aten_linspace_out(start: number, end: number, steps: Optional[int], out: Tensor):
              return torch.linspace(start, end, 100 if steps is None else steps, out=out)
            def aten_gelu(self: Tensor):
              return torch.gelu(self, approximate='none')
        "#]]
        .assert_eq(&text);
    }

    #[test]
    fn an_operator_has_the_version_of_its_change() {
        assert_eq!(current_version("aten::gelu"), Some(10));
        assert_eq!(current_version("aten::add.Tensor"), None);
        assert_eq!(historic("aten::div", 3).count(), 6);
        assert_eq!(historic("aten::div", 4).count(), 0);
    }
}
