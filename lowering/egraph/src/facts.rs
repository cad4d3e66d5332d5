//! What is known of each class of equal terms: dtype, sizes or value, by the operators' shape rules.

use crate::term::{Head, Term};
use egg::{Analysis, DidMerge, EGraph, Id};
use sconce_schema::shape::{Meta, Size, Sizes, TensorMeta, infer};
use sconce_schema::{OpEntry, Type, ops};

/// The e-graph of a program.
pub type Graph = EGraph<Term, Facts>;

/// The analysis. It holds what is known of the leaves.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    leaves: Vec<Leaf>,
    symbols: u32,
    /// The classes that the program computes itself.
    pub given: Vec<Id>,
}

/// What is known of a leaf.
#[derive(Clone, Debug)]
struct Leaf {
    meta: Meta,
    /// Is it the same in every call?
    is_constant: bool,
}

impl Facts {
    /// A new leaf. Its unknown sizes become symbols, which are equal to nothing but themselves. `is_constant`: it is the same in every call.
    pub fn leaf(&mut self, mut meta: Meta, is_constant: bool) -> Term {
        match &mut meta {
            Meta::Tensor(TensorMeta { sizes: Some(sizes), .. }) => sizes.iter_mut().for_each(|size| self.name(size)),
            Meta::Int(size) => self.name(size),
            _ => {}
        }
        self.leaves.push(Leaf { meta, is_constant });
        Term::leaf(self.leaves.len() as u32 - 1)
    }

    /// What is known of a leaf.
    pub fn known_leaf(&self, number: u32) -> Meta {
        self.leaves.get(number as usize).map_or(Meta::Unknown, |leaf| leaf.meta.clone())
    }

    /// Is a leaf the same in every call?
    pub fn is_constant(&self, number: u32) -> bool {
        self.leaves.get(number as usize).is_some_and(|leaf| leaf.is_constant)
    }

    fn name(&mut self, size: &mut Size) {
        if *size == Size::Unknown {
            *size = Size::Symbol(self.symbols);
            self.symbols += 1;
        }
    }
}

impl Analysis<Term> for Facts {
    type Data = Meta;

    fn make(graph: &mut Graph, term: &Term, _: Id) -> Meta {
        let child = |i: usize| &graph[term.children[i]].data;
        match &term.head {
            Head::Leaf(n) => graph.analysis.known_leaf(*n),
            Head::Literal(literal) => literal.meta(),
            Head::List => Meta::List((0..term.children.len()).map(|i| child(i).clone()).collect()),
            Head::Part(i) => match child(0) {
                Meta::List(items) => items.get(*i as usize).cloned().unwrap_or(Meta::Unknown),
                _ => Meta::Unknown,
            },
            Head::Operator(entry) => {
                let arguments: Vec<Meta> = (0..term.children.len()).map(|i| child(i).clone()).collect();
                applied(entry, &arguments)
            }
        }
    }

    fn merge(&mut self, a: &mut Meta, b: Meta) -> DidMerge {
        let merged = both(a, &b);
        let did = DidMerge(merged != *a, merged != b);
        *a = merged;
        did
    }
}

/// What the rule says of an application: of its result, or of its results as a list.
pub fn applied(entry: &OpEntry, arguments: &[Meta]) -> Meta {
    let mut results = match infer(entry, arguments) {
        Some(Ok(results)) => results,
        Some(Err(_)) => return Meta::Unknown,
        // Operators on numbers have no shape rule: which number it is, nobody knows.
        None => {
            return match &entry.schema().returns[..] {
                [only] if matches!(only.ty, Type::Int | Type::SymInt) => Meta::Int(size_of(entry, arguments)),
                _ => Meta::Unknown,
            };
        }
    };
    if results.len() == 1 { results.remove(0) } else { Meta::List(results.into_vec()) }
}

/// The size that `size.int` gives, known or a symbol.
fn size_of(entry: &OpEntry, arguments: &[Meta]) -> Size {
    let size = || match arguments {
        [Meta::Tensor(t), Meta::Int(Size::Known(dim))] if entry.op() == ops::aten::size_int => {
            let sizes = t.sizes.as_ref()?;
            let at = if *dim < 0 { dim.checked_add(sizes.len() as i64)? } else { *dim };
            sizes.get(usize::try_from(at).ok()?).copied()
        }
        _ => None,
    };
    size().unwrap_or(Size::Unknown)
}

/// What is known of a value of which two things are known.
fn both(a: &Meta, b: &Meta) -> Meta {
    match (a, b) {
        (Meta::Unknown, known) | (known, Meta::Unknown) => known.clone(),
        (Meta::Tensor(a), Meta::Tensor(b)) => Meta::Tensor(TensorMeta {
            dtype: a.dtype.or(b.dtype),
            sizes: match (&a.sizes, &b.sizes) {
                (Some(a), Some(b)) if a.len() == b.len() => {
                    Some(a.iter().zip(b).map(|(a, b)| size(*a, *b)).collect::<Sizes>())
                }
                (Some(known), _) | (None, Some(known)) => Some(known.clone()),
                (None, None) => None,
            },
            device: a.device.clone().or_else(|| b.device.clone()),
            wrapped_number: a.wrapped_number && b.wrapped_number,
        }),
        (Meta::Int(a), Meta::Int(b)) => Meta::Int(size(*a, *b)),
        (Meta::List(a), Meta::List(b)) if a.len() == b.len() => {
            Meta::List(a.iter().zip(b).map(|(a, b)| both(a, b)).collect())
        }
        (a, _) => a.clone(),
    }
}

fn size(a: Size, b: Size) -> Size {
    match (a, b) {
        (Size::Known(_), _) => a,
        (_, Size::Known(_)) => b,
        // A symbol before an expression, and either before what is unknown.
        _ => a.min(b),
    }
}

/// Are both known to be tensors of one dtype and of the same sizes, or of one plain type?
pub fn same_type(a: &Meta, b: &Meta) -> bool {
    match (a, b) {
        (Meta::Tensor(a), Meta::Tensor(b)) => {
            let known = |t: &TensorMeta| t.sizes.as_ref().is_some_and(|s| !s.contains(&Size::Unknown));
            a.dtype.is_some() && a.dtype == b.dtype && known(a) && a.sizes == b.sizes
        }
        (Meta::List(a), Meta::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_type(a, b)),
        // Of two numbers that are known to differ one is not the other.
        (Meta::Int(Size::Known(a)), Meta::Int(Size::Known(b))) => a == b,
        (Meta::Int(_), Meta::Int(_)) => true,
        (Meta::Unknown, _) | (_, Meta::Unknown) => false,
        (a, b) => a == b,
    }
}
