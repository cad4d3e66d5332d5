//! Sizes as one algebra: known numbers, symbols, and expressions over symbols in a normal form, so that what is certainly equal compares equal.
//!
//! Shape rules compute with it, guards of compiled regions are made of it, and programs from elsewhere bring expressions that are read into it. An expression is a number
//! without overflow; what would not fit, or is larger than anybody writes, is [`Dim::Unknown`].

mod bounds;
mod guard;
mod normal;
mod text;

pub use bounds::Bounds;
pub use guard::{Guard, Relation, assume, collect};
pub use normal::Expr;
pub use text::{Unreadable, parse, parse_guard};

/// A size.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Dim {
    Known(i64),
    /// Something that is not known but has a name: equal numbers are equal sizes. What a number stands for is said by whoever gave it.
    Symbol(u32),
    /// Computed from symbols. Two are equal where their normal forms are.
    Expr(Expr),
    Unknown,
}

/// What joins two sizes to a third.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DimOp {
    Add,
    Sub,
    Mul,
    /// Rounded towards negative infinity.
    FloorDiv,
    /// What [`DimOp::FloorDiv`] leaves; it has the divisor's sign.
    Mod,
    Min,
    Max,
}

impl DimOp {
    /// The result for two numbers; `None` when it does not fit or divides by zero.
    pub fn apply(self, a: i64, b: i64) -> Option<i64> {
        let rest = || if b == -1 { Some(0) } else { a.checked_rem(b) };
        let turned = |rest: i64| rest != 0 && (rest < 0) != (b < 0);
        match self {
            DimOp::Add => a.checked_add(b),
            DimOp::Sub => a.checked_sub(b),
            DimOp::Mul => a.checked_mul(b),
            DimOp::FloorDiv => Some(a.checked_div(b)? - i64::from(turned(rest()?))),
            DimOp::Mod => rest().map(|rest| if turned(rest) { rest + b } else { rest }),
            DimOp::Min => Some(a.min(b)),
            DimOp::Max => Some(a.max(b)),
        }
    }
}

/// How a size is made, one step of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    Known(i64),
    Symbol(u32),
    Op(DimOp, Dim, Dim),
    Unknown,
}

impl Dim {
    pub fn known(self) -> Option<i64> {
        if let Dim::Known(n) = self { Some(n) } else { None }
    }
    /// Certainly different.
    pub fn differs(self, other: Dim) -> bool {
        match (self, other) {
            (Dim::Known(a), Dim::Known(b)) => a != b,
            (Dim::Unknown, _) | (_, Dim::Unknown) => false,
            (a, b) => a != b && matches!(a.minus(b), Dim::Known(_)),
        }
    }
    /// Certainly the same.
    pub fn same(self, other: Dim) -> bool {
        self == other && self != Dim::Unknown
    }
    /// The more precise of two descriptions of one size.
    pub fn or(self, other: Dim) -> Dim {
        match (self, other) {
            (Dim::Unknown, _) | (_, Dim::Known(_)) => other,
            _ => self,
        }
    }
    /// What a function of numbers gives, where the number is known.
    pub fn map(self, f: impl Fn(i64) -> i64) -> Dim {
        self.known().map_or(Dim::Unknown, |n| Dim::Known(f(n)))
    }
    /// `a op b` in normal form.
    pub fn op(op: DimOp, a: Dim, b: Dim) -> Dim {
        match (a, b) {
            (Dim::Known(a), Dim::Known(b)) => op.apply(a, b).map_or(Dim::Unknown, Dim::Known),
            (Dim::Known(0), Dim::Unknown) | (Dim::Unknown, Dim::Known(0)) if op == DimOp::Mul => Dim::Known(0),
            (Dim::Unknown, _) | (_, Dim::Unknown) => match (op, a, b) {
                (DimOp::Add | DimOp::Sub, a, Dim::Known(0)) | (DimOp::Mul | DimOp::FloorDiv, a, Dim::Known(1)) => a,
                (DimOp::Add, Dim::Known(0), b) | (DimOp::Mul, Dim::Known(1), b) => b,
                (DimOp::Mod, _, Dim::Known(1)) => Dim::Known(0),
                _ => Dim::Unknown,
            },
            (a, b) => normal::joined(op, a, b),
        }
    }
    pub fn plus(self, other: impl Into<Dim>) -> Dim {
        Dim::op(DimOp::Add, self, other.into())
    }
    pub fn minus(self, other: impl Into<Dim>) -> Dim {
        Dim::op(DimOp::Sub, self, other.into())
    }
    pub fn times(self, other: impl Into<Dim>) -> Dim {
        Dim::op(DimOp::Mul, self, other.into())
    }
    /// Divided, rounded towards negative infinity.
    pub fn over(self, other: impl Into<Dim>) -> Dim {
        Dim::op(DimOp::FloorDiv, self, other.into())
    }
    pub fn modulo(self, other: impl Into<Dim>) -> Dim {
        Dim::op(DimOp::Mod, self, other.into())
    }
    pub fn least(self, other: impl Into<Dim>) -> Dim {
        Dim::op(DimOp::Min, self, other.into())
    }
    pub fn most(self, other: impl Into<Dim>) -> Dim {
        Dim::op(DimOp::Max, self, other.into())
    }
    /// The number, if each symbol is one; `None` also where it does not fit, divides by zero, or is not known.
    pub fn eval(self, value: &impl Fn(u32) -> Option<i64>) -> Option<i64> {
        match self {
            Dim::Known(n) => Some(n),
            Dim::Symbol(s) => value(s),
            Dim::Expr(e) => e.eval(value),
            Dim::Unknown => None,
        }
    }
    /// The same size with other sizes for symbols; a symbol that is given none stays.
    pub fn substitute(self, size: &impl Fn(u32) -> Option<Dim>) -> Dim {
        match self {
            Dim::Symbol(s) => size(s).unwrap_or(self),
            Dim::Expr(e) => e.substitute(size),
            other => other,
        }
    }
    /// The size as Python and TorchScript compute it, where `symbol` says what a symbol is there; `None` where that or the size is not known.
    pub fn python(self, symbol: &impl Fn(u32) -> Option<String>) -> Option<String> {
        Some(match self.form() {
            Form::Known(n) if n < 0 => format!("({n})"),
            Form::Known(n) => n.to_string(),
            Form::Symbol(s) => symbol(s)?,
            Form::Unknown => return None,
            Form::Op(op, a, b) => {
                let (a, b) = (a.python(symbol)?, b.python(symbol)?);
                match op {
                    DimOp::Add => format!("({a} + {b})"),
                    DimOp::Sub => format!("({a} - {b})"),
                    DimOp::Mul => format!("({a} * {b})"),
                    DimOp::FloorDiv => format!("({a} // {b})"),
                    DimOp::Mod => format!("({a} % {b})"),
                    DimOp::Min => format!("min({a}, {b})"),
                    DimOp::Max => format!("max({a}, {b})"),
                }
            }
        })
    }
    /// Calls a function with each symbol that the size depends on, perhaps more than once.
    pub fn symbols(self, seen: &mut impl FnMut(u32)) {
        match self {
            Dim::Symbol(s) => seen(s),
            Dim::Expr(e) => e.symbols(seen),
            _ => {}
        }
    }
    /// The last step of the computation that gives the size.
    pub fn form(self) -> Form {
        match self {
            Dim::Known(n) => Form::Known(n),
            Dim::Symbol(s) => Form::Symbol(s),
            Dim::Expr(e) => e.form(),
            Dim::Unknown => Form::Unknown,
        }
    }
}

impl From<i64> for Dim {
    fn from(n: i64) -> Dim {
        Dim::Known(n)
    }
}

impl From<Option<i64>> for Dim {
    fn from(n: Option<i64>) -> Dim {
        n.map_or(Dim::Unknown, Dim::Known)
    }
}
