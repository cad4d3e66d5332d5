//! Between which numbers a size lies if its symbols lie between some: never too narrow.

use super::{Dim, DimOp, Form};

/// Least and most of a size, both included; `i64::MIN` and `i64::MAX` stand for "no bound".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    pub low: i64,
    pub high: i64,
}

/// Beyond all numbers, and still far from the largest.
const FAR: i128 = 1 << 120;

impl Bounds {
    pub const ANY: Bounds = Bounds { low: i64::MIN, high: i64::MAX };
    /// Of a dimension of which nothing is known.
    pub const SIZE: Bounds = Bounds { low: 0, high: i64::MAX };

    pub fn exactly(n: i64) -> Bounds {
        Bounds { low: n, high: n }
    }
    pub fn contains(self, n: i64) -> bool {
        (self.low..=self.high).contains(&n)
    }

    fn wide(self) -> [i128; 2] {
        let of = |n: i64| match n {
            i64::MIN => -FAR,
            i64::MAX => FAR,
            n => i128::from(n),
        };
        [of(self.low), of(self.high)]
    }

    fn narrow(all: impl IntoIterator<Item = i128>) -> Bounds {
        let (low, high) = all.into_iter().fold((FAR, -FAR), |(low, high), n| (low.min(n), high.max(n)));
        let of = |n: i128| n.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64;
        Bounds { low: of(low), high: of(high) }
    }

    fn corners(a: Bounds, b: Bounds, f: impl Fn(i128, i128) -> i128) -> Bounds {
        let (a, b) = (a.wide(), b.wide());
        Bounds::narrow([f(a[0], b[0]), f(a[0], b[1]), f(a[1], b[0]), f(a[1], b[1])])
    }

    /// Of `a op b`.
    pub fn op(op: DimOp, a: Bounds, b: Bounds) -> Bounds {
        match op {
            DimOp::Add => Bounds::narrow([a.wide()[0] + b.wide()[0], a.wide()[1] + b.wide()[1]]),
            DimOp::Sub => Bounds::narrow([a.wide()[0] - b.wide()[1], a.wide()[1] - b.wide()[0]]),
            DimOp::Mul => Bounds::corners(a, b, i128::saturating_mul),
            DimOp::Min => Bounds { low: a.low.min(b.low), high: a.high.min(b.high) },
            DimOp::Max => Bounds { low: a.low.max(b.low), high: a.high.max(b.high) },
            DimOp::FloorDiv | DimOp::Mod if b.contains(0) => Bounds::ANY,
            DimOp::FloorDiv => Bounds::corners(a, b, |a, b| a / b - i128::from(a % b != 0 && (a < 0) != (b < 0))),
            // Nothing is left out of what is smaller.
            DimOp::Mod if b.low > 0 && a.low >= 0 && a.high < b.low => a,
            DimOp::Mod if b.low > 0 => Bounds { low: 0, high: b.high.saturating_sub(i64::from(b.high != i64::MAX)) },
            DimOp::Mod => Bounds { low: b.low.saturating_add(i64::from(b.low != i64::MIN)), high: 0 },
        }
    }
}

impl Dim {
    /// The size's bounds, if `of` says those of symbols.
    pub fn bounds(self, of: &impl Fn(u32) -> Bounds) -> Bounds {
        match self.form() {
            Form::Known(n) => Bounds::exactly(n),
            Form::Symbol(s) => of(s),
            Form::Unknown => Bounds::ANY,
            Form::Op(op, a, b) => Bounds::op(op, a.bounds(of), b.bounds(of)),
        }
    }
}
