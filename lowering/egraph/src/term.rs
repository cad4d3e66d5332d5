//! Terms: what a pure program computes, as applications of operators to terms.

use egg::{Id, Language};
use sconce_schema::OpEntry;
use sconce_schema::shape::{Meta, Size};
use smallvec::SmallVec;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A constant that is no tensor.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Literal {
    None,
    Bool(bool),
    Int(i64),
    /// The bits, so that -0.0 is not 0.0 and a NaN equals itself.
    Float(u64),
    Str(Arc<str>),
    Device(Arc<str>),
}

impl Literal {
    pub fn float(value: f64) -> Literal {
        Literal::Float(value.to_bits())
    }

    /// What shape rules know of it.
    pub fn meta(&self) -> Meta {
        match self {
            Literal::None => Meta::None,
            Literal::Bool(b) => Meta::Bool(*b),
            Literal::Int(n) => Meta::Int(Size::Known(*n)),
            Literal::Float(bits) => Meta::Float(f64::from_bits(*bits)),
            Literal::Str(s) => Meta::Str(s.clone()),
            Literal::Device(_) => Meta::Unknown,
        }
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Literal::None => f.write_str("none"),
            Literal::Bool(b) => write!(f, "{b}"),
            Literal::Int(n) => write!(f, "{n}"),
            Literal::Float(bits) => write!(f, "{:?}", f64::from_bits(*bits)),
            Literal::Str(s) => write!(f, "{s:?}"),
            Literal::Device(d) => write!(f, "device({d})"),
        }
    }
}

/// What a term is an application of.
#[derive(Clone, Debug)]
pub enum Head {
    /// A value that comes from outside, by its number.
    Leaf(u32),
    Literal(Literal),
    /// A list of its children.
    List,
    /// One of the results of an operator that has several, or an element of a list.
    Part(u32),
    /// An operator of the table, applied to all arguments of its schema.
    Operator(&'static OpEntry),
}

/// What heads are compared by.
type Key<'h> = (u8, u32, Option<&'h Literal>);

impl Head {
    fn key(&self) -> Key<'_> {
        match self {
            Head::Leaf(n) => (0, *n, None),
            Head::Literal(l) => (1, 0, Some(l)),
            Head::List => (2, 0, None),
            Head::Part(i) => (3, *i, None),
            Head::Operator(entry) => (4, entry.op().0, None),
        }
    }
}

impl PartialEq for Head {
    fn eq(&self, other: &Head) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Head {}

impl Hash for Head {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Head) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Head {
    fn cmp(&self, other: &Head) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Head::Leaf(n) => write!(f, "%{n}"),
            Head::Literal(l) => write!(f, "{l}"),
            Head::List => f.write_str("list"),
            Head::Part(i) => write!(f, "part{i}"),
            Head::Operator(entry) => f.write_str(&entry.name.replace("::", ".")),
        }
    }
}

/// An application.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term {
    pub head: Head,
    pub children: SmallVec<[Id; 4]>,
}

impl Term {
    pub fn new(head: Head, children: impl IntoIterator<Item = Id>) -> Term {
        Term { head, children: children.into_iter().collect() }
    }

    pub fn leaf(number: u32) -> Term {
        Term::new(Head::Leaf(number), [])
    }

    pub fn literal(value: Literal) -> Term {
        Term::new(Head::Literal(value), [])
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.head.fmt(f)
    }
}

impl Language for Term {
    type Discriminant = (Head, usize);

    fn discriminant(&self) -> (Head, usize) {
        (self.head.clone(), self.children.len())
    }

    fn matches(&self, other: &Term) -> bool {
        self.head == other.head && self.children.len() == other.children.len()
    }

    fn children(&self) -> &[Id] {
        &self.children
    }

    fn children_mut(&mut self) -> &mut [Id] {
        &mut self.children
    }
}
