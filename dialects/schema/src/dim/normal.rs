//! The normal form: a sum of products of symbols and of what does not dissolve into sums. Each form exists once, so that equal ones are one.

use super::{Dim, DimOp, Form};
use rustc_hash::FxHashSet;
use smallvec::{SmallVec, smallvec};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::{LazyLock, Mutex, PoisonError};

/// No expression nests deeper, has more products in a sum, or more factors in a product.
const MOST_DEEP: u8 = 24;
const MOST_TERMS: usize = 48;
const MOST_FACTORS: usize = 12;
/// So many expressions are kept; there are no others then.
const MOST_KEPT: usize = 1 << 18;

/// An expression in normal form.
#[derive(Clone, Copy)]
pub struct Expr(&'static Node);

#[derive(PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Node {
    kind: Kind,
    depth: u8,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Kind {
    /// More than a single product taken once.
    Sum(Sum),
    /// A division, a rest, a least or a most of what is not known.
    Op(DimOp, Dim, Dim),
}

/// Factors in order, none of them a sum.
type Product = SmallVec<[Dim; 2]>;

/// `constant + Σ coefficient · product`, products in order, no coefficient 0.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
struct Sum {
    terms: Vec<(Product, i64)>,
    constant: i64,
}

// One form is kept once: where it lies says which it is.
impl PartialEq for Expr {
    fn eq(&self, other: &Expr) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}
impl Eq for Expr {}
impl Hash for Expr {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::hash(self.0, state);
    }
}
impl PartialOrd for Expr {
    fn partial_cmp(&self, other: &Expr) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
// The order is that of what is written, not of when it was first made.
impl Ord for Expr {
    fn cmp(&self, other: &Expr) -> Ordering {
        if self == other { Ordering::Equal } else { self.0.cmp(other.0) }
    }
}
impl std::fmt::Debug for Expr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", Dim::Expr(*self))
    }
}

fn kept(kind: Kind) -> Dim {
    static KEPT: LazyLock<Mutex<FxHashSet<&'static Node>>> = LazyLock::new(Mutex::default);
    let depth_of = |d: &Dim| if let Dim::Expr(e) = d { e.0.depth } else { 0 };
    let below = match &kind {
        Kind::Sum(sum) => sum.terms.iter().flat_map(|t| &t.0).map(depth_of).max(),
        Kind::Op(_, a, b) => Some(depth_of(a).max(depth_of(b))),
    };
    let node = Node { kind, depth: below.unwrap_or(0) + 1 };
    if node.depth > MOST_DEEP {
        return Dim::Unknown;
    }
    let mut all = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(have) = all.get(&node) {
        return Dim::Expr(Expr(have));
    }
    if all.len() >= MOST_KEPT {
        return Dim::Unknown;
    }
    let node: &'static Node = Box::leak(Box::new(node));
    all.insert(node);
    Dim::Expr(Expr(node))
}

impl Sum {
    fn of(dim: Dim) -> Sum {
        match dim {
            Dim::Known(constant) => Sum { terms: Vec::new(), constant },
            Dim::Expr(Expr(Node { kind: Kind::Sum(sum), .. })) => sum.clone(),
            one => Sum { terms: vec![(smallvec![one], 1)], constant: 0 },
        }
    }

    fn add(&mut self, product: Product, coefficient: i64) -> Option<()> {
        match self.terms.binary_search_by(|t| t.0.cmp(&product)) {
            Ok(at) => {
                self.terms[at].1 = self.terms[at].1.checked_add(coefficient)?;
                if self.terms[at].1 == 0 {
                    self.terms.remove(at);
                }
            }
            Err(at) if coefficient != 0 => self.terms.insert(at, (product, coefficient)),
            Err(_) => {}
        }
        (self.terms.len() <= MOST_TERMS).then_some(())
    }

    /// `self + factor · other`.
    fn plus(mut self, other: &Sum, factor: i64) -> Option<Sum> {
        self.constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for (product, n) in &other.terms {
            self.add(product.clone(), n.checked_mul(factor)?)?;
        }
        Some(self)
    }

    fn times(&self, other: &Sum) -> Option<Sum> {
        let mut out = Sum::default().plus(self, other.constant)?;
        for (product, n) in &other.terms {
            out.add(product.clone(), n.checked_mul(self.constant)?)?;
            for (mine, m) in &self.terms {
                let mut all: Product = mine.iter().chain(product).copied().collect();
                all.sort_unstable();
                if all.len() > MOST_FACTORS {
                    return None;
                }
                out.add(all, n.checked_mul(*m)?)?;
            }
        }
        Some(out)
    }

    /// The quotient and the rest of each coefficient by a number above 0.
    fn split(&self, by: i64) -> Option<(Sum, Sum)> {
        let mut parts = (Sum::default(), Sum::default());
        parts.0.constant = self.constant.div_euclid(by);
        parts.1.constant = self.constant.rem_euclid(by);
        for (product, n) in &self.terms {
            parts.0.add(product.clone(), n.div_euclid(by))?;
            parts.1.add(product.clone(), n.rem_euclid(by))?;
        }
        Some(parts)
    }

    /// Divided by a single product, if each product has its factors and each coefficient is a multiple.
    fn cancelled(&self, by: &Sum) -> Option<Sum> {
        let ([(divisor, n)], 0, 0) = (&by.terms[..], by.constant, self.constant) else { return None };
        let mut out = Sum::default();
        for (product, m) in &self.terms {
            let mut left = product.clone();
            for factor in divisor {
                left.remove(left.iter().position(|f| f == factor)?);
            }
            let coefficient = m.checked_div(*n).filter(|_| m.checked_rem(*n) == Some(0))?;
            if left.is_empty() {
                out.constant = out.constant.checked_add(coefficient)?;
            } else {
                out.add(left, coefficient)?;
            }
        }
        Some(out)
    }

    fn dim(self) -> Dim {
        match (&self.terms[..], self.constant) {
            ([], n) => Dim::Known(n),
            ([(product, 1)], 0) if product.len() == 1 => product[0],
            _ => kept(Kind::Sum(self)),
        }
    }
}

/// `a op b` of what is not unknown.
pub(super) fn joined(op: DimOp, a: Dim, b: Dim) -> Dim {
    let (left, right) = (Sum::of(a), Sum::of(b));
    let sum = match op {
        DimOp::Add => left.plus(&right, 1),
        DimOp::Sub => left.plus(&right, -1),
        DimOp::Mul => left.times(&right),
        DimOp::FloorDiv | DimOp::Mod => return divided(op, (a, left), (b, right)),
        DimOp::Min | DimOp::Max => {
            // A difference that is a number decides.
            let other = match left.plus(&right, -1).map(Sum::dim) {
                Some(Dim::Known(n)) => return if (n < 0) == (op == DimOp::Min) { a } else { b },
                Some(_) => true,
                None => false,
            };
            return if other { kept(Kind::Op(op, a.min(b), a.max(b))) } else { Dim::Unknown };
        }
    };
    sum.map_or(Dim::Unknown, Sum::dim)
}

fn divided(op: DimOp, (a, left): (Dim, Sum), (b, right): (Dim, Sum)) -> Dim {
    let is_rest = op == DimOp::Mod;
    match b {
        Dim::Known(0) => Dim::Unknown,
        // What is a multiple comes out of the division and out of the rest.
        Dim::Known(by) if by > 0 => {
            let Some((whole, rest)) = left.split(by) else { return Dim::Unknown };
            let rest = rest.dim();
            match (rest, is_rest) {
                (Dim::Known(n), true) => Dim::Known(n),
                (Dim::Known(_), false) => whole.dim(),
                (rest, true) => kept(Kind::Op(op, rest, b)),
                (rest, false) => match kept(Kind::Op(op, rest, b)) {
                    Dim::Unknown => Dim::Unknown,
                    quotient => joined(DimOp::Add, whole.dim(), quotient),
                },
            }
        }
        _ => match left.cancelled(&right) {
            Some(_) if is_rest => Dim::Known(0),
            Some(whole) => whole.dim(),
            None => kept(Kind::Op(op, a, b)),
        },
    }
}

impl Expr {
    pub(super) fn eval(self, value: &impl Fn(u32) -> Option<i64>) -> Option<i64> {
        match &self.0.kind {
            Kind::Op(op, a, b) => op.apply(a.eval(value)?, b.eval(value)?),
            Kind::Sum(sum) => {
                // Wide, so that parts may be larger than the whole.
                let mut total = i128::from(sum.constant);
                for (product, n) in &sum.terms {
                    let mut part = i128::from(*n);
                    for factor in product {
                        part = part.checked_mul(i128::from(factor.eval(value)?))?;
                    }
                    total = total.checked_add(part)?;
                }
                i64::try_from(total).ok()
            }
        }
    }

    pub(super) fn substitute(self, size: &impl Fn(u32) -> Option<Dim>) -> Dim {
        match &self.0.kind {
            Kind::Op(op, a, b) => Dim::op(*op, a.substitute(size), b.substitute(size)),
            Kind::Sum(sum) => sum.terms.iter().fold(Dim::Known(sum.constant), |total, (product, n)| {
                total.plus(product.iter().fold(Dim::Known(*n), |part, f| part.times(f.substitute(size))))
            }),
        }
    }

    pub(super) fn symbols(self, seen: &mut impl FnMut(u32)) {
        match &self.0.kind {
            Kind::Op(_, a, b) => {
                a.symbols(seen);
                b.symbols(seen);
            }
            Kind::Sum(sum) => sum.terms.iter().flat_map(|t| &t.0).for_each(|f| f.symbols(seen)),
        }
    }

    pub(super) fn form(self) -> Form {
        let sum = match &self.0.kind {
            Kind::Op(op, a, b) => return Form::Op(*op, *a, *b),
            Kind::Sum(sum) => sum,
        };
        // Numbers come last, and what is taken away comes as a difference.
        let signed = |rest: Dim, n: i64, part: Dim| Form::Op(if n < 0 { DimOp::Sub } else { DimOp::Add }, rest, part);
        let size = |n: i64| n.checked_abs().unwrap_or(n);
        if sum.constant != 0 && size(sum.constant) > 0 {
            let rest = Sum { constant: 0, terms: sum.terms.clone() }.dim();
            return signed(rest, sum.constant, Dim::Known(size(sum.constant)));
        }
        match &sum.terms[..] {
            [(product, 1)] => {
                let (last, rest) = product.split_last().map_or((Dim::Known(1), &[][..]), |(l, r)| (*l, r));
                Form::Op(DimOp::Mul, rest.iter().fold(Dim::Known(1), |p, f| p.times(*f)), last)
            }
            [(product, n)] => {
                let whole = Sum { constant: 0, terms: vec![(product.clone(), 1)] }.dim();
                Form::Op(DimOp::Mul, whole, Dim::Known(*n))
            }
            terms => {
                // A sum begins with what is added, where anything is.
                let at = (1..terms.len()).rev().find(|i| terms[*i].1 < 0).unwrap_or(terms.len() - 1);
                let at = if terms[0].1 < 0 && terms[at].1 >= 0 { 0 } else { at };
                let mut rest = terms.to_vec();
                let (product, n) = rest.remove(at);
                let part = Sum { constant: 0, terms: vec![(product, size(n))] }.dim();
                signed(Sum { constant: 0, terms: rest }.dim(), n, part)
            }
        }
    }
}
