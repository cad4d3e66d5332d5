//! Rules are text: what is compiled in and what a user brings is read, checked against the op table and applied alike.

mod expression;
mod read;

pub use expression::{Expression, FUNCTIONS};
pub use read::{ReadError, read};

use crate::term::Literal;
use sconce_schema::OpEntry;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// How far a rule's sides may differ.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// The same bits.
    Exact,
    /// The same real numbers, rounded in another order.
    Reassociates,
    /// Close, with an error that the rule's comment states.
    Approximates,
}

impl Class {
    /// By its name in rule files.
    pub fn from_name(name: &str) -> Option<Class> {
        [Class::Exact, Class::Reassociates, Class::Approximates].into_iter().find(|c| c.name() == name)
    }

    pub fn name(self) -> &'static str {
        match self {
            Class::Exact => "exact",
            Class::Reassociates => "reassociates",
            Class::Approximates => "approximates",
        }
    }
}

/// A side of a rule.
#[derive(Clone, Debug)]
pub enum Side {
    Variable(Arc<str>),
    Literal(Literal),
    List(Vec<Side>),
    /// A result of an operator with several, or an element of a list.
    Part(Box<Side>, u32),
    /// With an argument for each of the schema.
    Apply(&'static OpEntry, Vec<Side>),
    /// A constant that is worked out when the rule is applied; on the right only.
    Computed(Expression),
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, items: &[Side]| {
            items.iter().enumerate().try_for_each(|(i, item)| write!(f, "{}{item}", if i > 0 { ", " } else { "" }))
        };
        match self {
            Side::Variable(name) => write!(f, "?{name}"),
            Side::Literal(l) => write!(f, "{l}"),
            Side::List(items) => {
                f.write_str("[")?;
                list(f, items)?;
                f.write_str("]")
            }
            Side::Part(whole, i) => write!(f, "part({whole}, {i})"),
            Side::Apply(entry, arguments) => {
                write!(f, "{}(", entry.name.replace("::", "."))?;
                list(f, arguments)?;
                f.write_str(")")
            }
            Side::Computed(e) => write!(f, "{{{e}}}"),
        }
    }
}

/// A rule.
#[derive(Clone, Debug)]
pub struct Rule {
    pub name: Arc<str>,
    pub class: Class,
    pub left: Side,
    pub right: Side,
    /// All of them hold where it is applied.
    pub conditions: Vec<Expression>,
    /// Why it is true, in a line.
    pub algebra: String,
    /// `file:line` of its text.
    pub place: String,
}

impl Rule {
    /// What becomes equal: its sides, or of a rule about siblings each term and what it becomes.
    pub fn pairs(&self) -> Vec<(&Side, &Side)> {
        match (&self.left, &self.right) {
            (Side::List(lefts), Side::List(rights)) => lefts.iter().zip(rights).collect(),
            (left, right) => vec![(left, right)],
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {} => {}", self.name, self.class.name(), self.left, self.right)?;
        let joint = |i: usize| if i == 0 { " if " } else { ", " };
        self.conditions.iter().enumerate().try_for_each(|(i, c)| write!(f, "{}{c}", joint(i)))
    }
}

/// The files that are compiled in, by topic.
pub const FILES: &[(&str, &str)] = &[
    ("elementwise.rules", include_str!("../../rules/elementwise.rules")),
    ("views.rules", include_str!("../../rules/views.rules")),
    ("products.rules", include_str!("../../rules/products.rules")),
    ("recognition.rules", include_str!("../../rules/recognition.rules")),
    ("lists.rules", include_str!("../../rules/lists.rules")),
    ("shapes.rules", include_str!("../../rules/shapes.rules")),
    ("casts.rules", include_str!("../../rules/casts.rules")),
    ("reductions.rules", include_str!("../../rules/reductions.rules")),
    ("softmax.rules", include_str!("../../rules/softmax.rules")),
    ("norms.rules", include_str!("../../rules/norms.rules")),
    ("siblings.rules", include_str!("../../rules/siblings.rules")),
    ("scales.rules", include_str!("../../rules/scales.rules")),
    ("attention.rules", include_str!("../../rules/attention.rules")),
    ("rotary.rules", include_str!("../../rules/rotary.rules")),
];

/// The rules that are compiled in, read once.
///
/// # Errors
/// A text that is no rule file, which a test excludes.
pub fn builtin() -> Result<Vec<Rule>, ReadError> {
    static RULES: OnceLock<Result<Vec<Rule>, ReadError>> = OnceLock::new();
    let read_all = || {
        let mut rules = Vec::new();
        for (name, text) in FILES {
            rules.extend(read(name, text)?);
        }
        Ok(rules)
    };
    RULES.get_or_init(read_all).clone()
}

#[cfg(test)]
mod tests {
    /// Files are read with the first use of the pass; a mistake is to be found here.
    #[test]
    fn the_rules_that_are_compiled_in_are_rules() {
        let rules = super::builtin().unwrap_or_else(|e| panic!("{e}"));
        assert!(rules.iter().all(|r| !r.algebra.is_empty()));
        let names: std::collections::BTreeSet<_> = rules.iter().map(|r| r.name.clone()).collect();
        assert_eq!(names.len(), rules.len(), "names are unique over all files");
    }
}
