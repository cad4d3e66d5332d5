//! Sizes that change from turn to turn: a number that the code of a loop or branch computes, a turn's among them, is a symbol like the sizes of inputs. No caller can
//! compute it, so what is to be so of it has to be certain by its bounds, or is made so where it is computed, and a result never has it.

use crate::Error;
use crate::emit::V;
use crate::lower::{Item, Lower};
use crate::operator_call::refuse_where;
use sconce_exec::{Dim, DimOp, Form, Guard, Relation, Source};
use sconce_schema::DType;
use sconce_schema::dim::Bounds;

/// The first symbol of a number of the code's own: of an input that no function has.
const FIRST: u32 = (u16::MAX as u32) << 16;

/// So many inputs a function may have.
pub(crate) const MOST_INPUTS: u16 = u16::MAX - 1;

/// More turns nobody waits for: at a nanosecond each they take two years.
const MOST_TURNS: i64 = 1 << 56;

/// A size from here on is as good as one without a bound.
const MOST_ELEMENTS: i64 = 1 << 40;

/// No tensor is as long: a turn more is still a number.
const SIZE: Bounds = Bounds { low: 0, high: 1 << 62 };

/// A number of the code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InnerSize<'c> {
    value: V<'c>,
    bounds: Bounds,
    /// What callers can compute and it is never above.
    most: Option<Dim>,
}

impl<'c> Lower<'c> {
    /// A 64-bit integer of the code as a size.
    fn inner_size(&mut self, value: V<'c>, bounds: Bounds, most: Option<Dim>) -> Option<Dim> {
        let there = self.inner_sizes.iter().position(|inner| inner.value == value);
        let place = there.unwrap_or(self.inner_sizes.len());
        let symbol = FIRST.checked_add(u32::try_from(place).ok().filter(|n| *n < u32::from(u16::MAX))?)?;
        if there.is_none() {
            self.inner_sizes.push(InnerSize { value, bounds, most });
        }
        Some(Dim::Symbol(symbol))
    }

    /// The turn of a loop that makes so many at most, where that is known.
    pub(crate) fn turn(&mut self, value: V<'c>, turns: Option<Dim>) -> Item<'c> {
        let most = turns.filter(|n| !is_inner(*n));
        let high = most.and_then(Dim::known).unwrap_or(MOST_TURNS).saturating_sub(1).clamp(0, MOST_TURNS);
        Item::Number { value, dtype: DType::I64, dim: self.inner_size(value, Bounds { low: 0, high }, most) }
    }

    /// The value of a symbol, if it is one of these.
    pub(crate) fn inner_value(&self, symbol: u32) -> Option<Result<V<'c>, Error>> {
        let inner = self.inner(symbol)?;
        Some(self.e.one("arith.index_cast", &[inner.value], self.e.index_type(), &[]))
    }

    fn inner(&self, symbol: u32) -> Option<&InnerSize<'c>> {
        self.inner_sizes.get(symbol.checked_sub(FIRST)? as usize)
    }

    /// Between which numbers a size lies.
    pub(crate) fn bounds(&self, dim: Dim) -> Bounds {
        dim.bounds(&|symbol| match (self.inner(symbol), Source::of(symbol)) {
            (Some(inner), _) => inner.bounds,
            (None, Source::Size { .. }) => SIZE,
            (None, Source::Value(_)) => Bounds::ANY,
        })
    }

    /// Whether a size is one in 64 bits, whatever its numbers are.
    pub(crate) fn is_word(&self, dim: Dim) -> bool {
        let Bounds { low, high } = self.bounds(dim);
        dim != Dim::Unknown && low > i64::MIN && high < i64::MAX
    }

    /// Whether it is certain that one is at most the other.
    pub(crate) fn is_at_most(&self, left: Dim, right: Dim) -> bool {
        self.bounds(left.minus(right)).high <= 0
    }

    /// A size that callers can compute and that this one is never above: what to provide for.
    pub(crate) fn most(&self, dim: Dim) -> Option<Dim> {
        if !is_inner(dim) {
            return Some(dim);
        }
        let high = self.bounds(dim).high;
        if high < MOST_ELEMENTS {
            return Some(Dim::Known(high.max(0)));
        }
        let (op, a, b) = match dim.form() {
            Form::Op(op, a, b) => (op, a, b),
            Form::Symbol(symbol) => return self.inner(symbol)?.most,
            Form::Known(_) | Form::Unknown => return None,
        };
        match op {
            DimOp::Min => self.most(a).or_else(|| self.most(b)),
            DimOp::Max | DimOp::Add => Some(Dim::op(op, self.most(a)?, self.most(b)?)),
            DimOp::Sub if self.bounds(b).low >= 0 => self.most(a),
            DimOp::FloorDiv if self.bounds(a).low >= 0 && self.bounds(b).low >= 1 => self.most(a),
            DimOp::Mul if self.bounds(a).low >= 0 && self.bounds(b).low >= 0 => {
                Some(Dim::op(op, self.most(a)?, self.most(b)?))
            }
            _ => None,
        }
    }

    /// The same for all sizes of a tensor.
    ///
    /// # Errors
    /// Where nobody knows how large it gets.
    pub(crate) fn most_of(&self, sizes: &[Dim]) -> Result<Vec<Dim>, Error> {
        let most = sizes.iter().map(|size| self.most(*size)).collect::<Option<Vec<_>>>();
        most.ok_or_else(|| Error::Unsupported("a tensor of a size that only its turn of a loop knows".into()))
    }

    /// In blocks, an integer that has no size yet is one of its own.
    pub(crate) fn with_inner_size(&mut self, item: &mut Item<'c>) {
        match item {
            Item::Number { value, dtype: DType::I64, dim: dim @ None } => {
                *dim = self.inner_size(*value, Bounds::ANY, None);
            }
            Item::List(items) => items.iter_mut().for_each(|item| self.with_inner_size(item)),
            _ => {}
        }
    }

    /// What callers can compute of a position that only grows by the numbers of the code's own, unless that may well be one from behind.
    pub(crate) fn outer_part(&self, dim: Dim) -> Option<Dim> {
        let outer = dim.substitute(&|symbol| self.inner(symbol).map(|_| Dim::Known(0)));
        let is_from_front = outer.eval(&|_| Some(0)).is_some_and(|least| least >= 0);
        (is_from_front && !is_inner(outer) && self.is_at_most(outer, dim)).then_some(outer)
    }

    /// A position of a dimension, counted from behind if negative, and clamped to it: computed where only the code knows which it is.
    pub(crate) fn inner_position(&mut self, position: Dim, size: Dim) -> Result<Dim, Error> {
        let (at, end, zero) = (self.size(&position)?, self.size(&size)?, self.e.index(0)?);
        let from_behind = self.e.same("arith.addi", &[at, end])?;
        let at = self.e.select(self.e.cmpi("slt", at, zero)?, from_behind, at)?;
        let at = self.e.same("arith.minsi", &[self.e.same("arith.maxsi", &[at, zero])?, end])?;
        let at = self.e.one("arith.index_cast", &[at], self.e.int_type(64), &[])?;
        let bounds = Bounds { low: 0, high: self.bounds(size).high };
        self.inner_size(at, bounds, self.most(size))
            .ok_or_else(|| Error::Unsupported("too many sizes that turns say".into()))
    }

    /// What no caller can check of sizes has to be certain: code that goes on with others would read what is not there.
    ///
    /// # Errors
    /// It is not.
    pub(crate) fn is_certain(&self, guard: &Guard) -> Result<(), Error> {
        let certain = match guard.relation {
            Relation::AtMost => self.is_at_most(guard.left, guard.right),
            Relation::Equal => guard.left == guard.right,
            Relation::Differs => guard.decided(&|symbol| self.bounds(Dim::Symbol(symbol))) == Some(true),
        };
        if certain {
            Ok(())
        } else {
            Error::unsupported("sizes of which only their turn of a loop knows whether they go together")
        }
    }

    /// A size that is given. One below zero, which is an error of the program, makes the call void where only the code knows it, and is none from there on.
    pub(crate) fn not_negative(&mut self, size: Dim) -> Result<Dim, Error> {
        const NOTHING: Dim = Dim::Known(0);
        match Source::of_dim(size) {
            // The size of a tensor is none.
            Some(Source::Size { .. }) if !is_inner(size) => Ok(size),
            _ if self.is_at_most(NOTHING, size) => Ok(size),
            _ if !is_inner(size) => self.at_most(NOTHING, size, "a negative size").map(|()| size),
            _ => {
                let wrong = self.e.cmpi("slt", self.size(&size)?, self.e.index(0)?)?;
                refuse_where(self, wrong)?;
                Ok(size.most(NOTHING))
            }
        }
    }
}

/// Whether no caller can compute a size.
pub(crate) fn is_inner(dim: Dim) -> bool {
    let mut found = false;
    dim.symbols(&mut |symbol| found |= symbol >= FIRST);
    found
}

/// Whether a value may be taken out of a block: it has no size that a number of the block says, which are those behind the first so many.
pub(crate) fn leaves_block(item: &Item<'_>, before: usize) -> Result<(), Error> {
    let Item::Tensor(t) = item else { return Ok(()) };
    let mut is_of_block = false;
    for size in &t.sizes {
        size.symbols(&mut |symbol| is_of_block |= symbol.checked_sub(FIRST).is_some_and(|n| n as usize >= before));
    }
    if is_of_block {
        return Error::unsupported("a tensor of a size that is computed in a branch or loop leaves it");
    }
    Ok(())
}
