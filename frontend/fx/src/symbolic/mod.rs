//! Sizes and conditions over named symbols, exactly as sympy holds them: what is read prints as sympy prints it, and becomes a [`Dim`] where sizes are computed with.
//!
//! Terms and factors keep the order in which they are written: sympy writes them sorted, in its `str` and in its `srepr` alike.

mod order;
mod print;
mod read;

pub use read::Unreadable;

use sconce_schema::dim::{Dim, DimOp, Form, Guard, Relation};
use std::sync::Arc;

/// An expression: a size (`2*s77 + 1`), a float, or a condition (`u0 >= 2`).
#[derive(Clone, PartialEq, Debug)]
pub enum SymExpr {
    Int(i64),
    /// In lowest terms; the second is greater than 1.
    Rational(i64, i64),
    Float(f64),
    Bool(bool),
    Constant(Constant),
    Symbol(Arc<Symbol>),
    Apply(Function, Vec<SymExpr>),
}

/// A symbol; two of one name are one.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// `s77` where a size of an input stands behind it, `u0` where the data does, `zuf0` of a float.
    pub name: String,
    /// What sympy is told of it, in order: `positive`, `integer`. A short text does not say it.
    pub assumptions: Vec<(String, bool)>,
}

impl PartialEq for Symbol {
    fn eq(&self, other: &Symbol) -> bool {
        self.name == other.name
    }
}

/// Numbers that have a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Constant {
    /// `int_oo`: greater than every integer.
    IntInfinity,
    /// `oo`
    Infinity,
    /// `zoo`
    ComplexInfinity,
    NaN,
    Pi,
    E,
}

impl Constant {
    const ALL: [Constant; 6] = [
        Constant::IntInfinity,
        Constant::Infinity,
        Constant::ComplexInfinity,
        Constant::NaN,
        Constant::Pi,
        Constant::E,
    ];

    fn name(self) -> &'static str {
        match self {
            Constant::IntInfinity => "int_oo",
            Constant::Infinity => "oo",
            Constant::ComplexInfinity => "zoo",
            Constant::NaN => "nan",
            Constant::Pi => "pi",
            Constant::E => "E",
        }
    }
}

/// What is applied to arguments. Those that are printed as signs, or that sizes are computed with, have a variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Function {
    Add,
    /// The first factor alone may be a number.
    Mul,
    Pow,
    /// Rounded towards negative infinity.
    FloorDiv,
    /// A `FloorDiv` that leaves nothing.
    CleanDiv,
    /// The rest, which is not negative.
    Mod,
    /// The rest with the divisor's sign.
    PythonMod,
    /// `(a // b) % c`
    ModularIndexing,
    PowByNatural,
    Min,
    Max,
    /// Its argument, which sympy is not to touch.
    Identity,
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
    And,
    Or,
    Xor,
    Not,
    /// Any other, by its class's name: `ToFloat`, `IntTrueDiv`, `Where`.
    Other(Arc<str>),
}

impl Function {
    const NAMED: [(Function, &'static str); 22] = [
        (Function::Add, "Add"),
        (Function::Mul, "Mul"),
        (Function::Pow, "Pow"),
        (Function::FloorDiv, "FloorDiv"),
        (Function::CleanDiv, "CleanDiv"),
        (Function::Mod, "Mod"),
        (Function::PythonMod, "PythonMod"),
        (Function::ModularIndexing, "ModularIndexing"),
        (Function::PowByNatural, "PowByNatural"),
        (Function::Min, "Min"),
        (Function::Max, "Max"),
        (Function::Identity, "Identity"),
        (Function::Equal, "Equality"),
        (Function::Unequal, "Unequality"),
        (Function::Less, "StrictLessThan"),
        (Function::AtMost, "LessThan"),
        (Function::Greater, "StrictGreaterThan"),
        (Function::AtLeast, "GreaterThan"),
        (Function::And, "And"),
        (Function::Or, "Or"),
        (Function::Xor, "Xor"),
        (Function::Not, "Not"),
    ];

    /// The name of the class, as `srepr` writes it.
    pub fn name(&self) -> &str {
        match self {
            Function::Other(name) => name,
            known => Function::NAMED.iter().find(|(f, _)| f == known).map_or("", |(_, name)| name),
        }
    }

    /// By the class's name, or by that which a short text has for a relation: `Eq`, `Ne`, `Lt`, `Le`, `Gt`, `Ge`.
    pub fn of_name(name: &str) -> Function {
        let name = match name {
            "Eq" => "Equality",
            "Ne" => "Unequality",
            "Lt" => "StrictLessThan",
            "Le" => "LessThan",
            "Gt" => "StrictGreaterThan",
            "Ge" => "GreaterThan",
            other => other,
        };
        let known = Function::NAMED.iter().find(|(_, n)| *n == name);
        known.map_or_else(|| Function::Other(name.into()), |(f, _)| f.clone())
    }
}

/// The largest exponent that is multiplied out.
const MOST_FACTORS: i64 = 16;

impl SymExpr {
    /// A symbol of which nothing is said but its name.
    pub fn symbol(name: &str) -> SymExpr {
        SymExpr::Symbol(Arc::new(Symbol { name: name.to_owned(), assumptions: Vec::new() }))
    }

    /// The number, where the expression is one.
    pub fn known(&self) -> Option<i64> {
        if let SymExpr::Int(n) = self { Some(*n) } else { None }
    }

    /// Whether a symbol stands in it.
    pub fn is_symbolic(&self) -> bool {
        let mut found = false;
        self.symbols(&mut |_| found = true);
        found
    }

    /// Reads what sympy writes: the long form (`srepr`) as archives have it, or the short one (`str`), also mixed.
    ///
    /// # Errors
    /// The first byte that does not fit, with what was expected there; nesting and length beyond [`crate::limits`]; an integer beyond 64 bits.
    pub fn parse(text: &str) -> Result<SymExpr, Unreadable> {
        read::read(text)
    }

    /// Calls a function with each symbol, from left to right; one that stands twice comes twice.
    pub fn symbols(&self, seen: &mut impl FnMut(&Symbol)) {
        match self {
            SymExpr::Symbol(symbol) => seen(symbol),
            SymExpr::Apply(_, args) => args.iter().for_each(|a| a.symbols(seen)),
            _ => {}
        }
    }

    /// The size that the expression is, if `symbol` says which symbol a name is; `None` for what is no size: floats, conditions, roots, names that nobody knows.
    pub fn to_dim(&self, symbol: &impl Fn(&str) -> Option<u32>) -> Option<Dim> {
        let (function, args) = match self {
            SymExpr::Int(n) => return Some(Dim::Known(*n)),
            SymExpr::Symbol(s) => return symbol(&s.name).map(Dim::Symbol),
            SymExpr::Apply(function, args) => (function, args),
            _ => return None,
        };
        let dims = args.iter().map(|a| a.to_dim(symbol)).collect::<Option<Vec<Dim>>>()?;
        let joined = |join: fn(Dim, Dim) -> Dim| dims.iter().copied().reduce(join);
        match (function, &dims[..]) {
            (Function::Add, _) => joined(|a, b| a.plus(b)),
            (Function::Mul, _) => joined(|a, b| a.times(b)),
            (Function::Min, _) => joined(|a, b| a.least(b)),
            (Function::Max, _) => joined(|a, b| a.most(b)),
            (Function::FloorDiv | Function::CleanDiv, [a, b]) => Some(a.over(*b)),
            (Function::Mod | Function::PythonMod, [a, b]) => Some(a.modulo(*b)),
            (Function::ModularIndexing, [a, b, c]) => Some(a.over(*b).modulo(*c)),
            (Function::Identity, [a]) => Some(*a),
            (Function::Pow | Function::PowByNatural, [base, Dim::Known(n @ 0..=MOST_FACTORS)]) => {
                Some((0..*n).fold(Dim::Known(1), |product, _| product.times(*base)))
            }
            _ => None,
        }
    }

    /// The expression that a size is, if `symbol` says which symbol a number is; `None` for what is not known.
    pub fn of_dim(dim: Dim, symbol: &impl Fn(u32) -> Option<Arc<Symbol>>) -> Option<SymExpr> {
        let apply = |function: Function, args: Vec<SymExpr>| SymExpr::Apply(function, args);
        let (op, a, b) = match dim.form() {
            Form::Known(n) => return Some(SymExpr::Int(n)),
            Form::Unknown => return None,
            Form::Symbol(s) => return symbol(s).map(SymExpr::Symbol),
            Form::Op(op, a, b) => (op, SymExpr::of_dim(a, symbol)?, SymExpr::of_dim(b, symbol)?),
        };
        Some(match op {
            DimOp::Add => apply(Function::Add, vec![a, b]),
            DimOp::Sub => {
                let negative = match b {
                    SymExpr::Int(n) => SymExpr::Int(n.checked_neg()?),
                    b => apply(Function::Mul, vec![SymExpr::Int(-1), b]),
                };
                apply(Function::Add, vec![a, negative])
            }
            // Numbers stand in front.
            DimOp::Mul if matches!(b, SymExpr::Int(_)) => apply(Function::Mul, vec![b, a]),
            DimOp::Mul => apply(Function::Mul, vec![a, b]),
            DimOp::FloorDiv => apply(Function::FloorDiv, vec![a, b]),
            DimOp::Mod => apply(Function::PythonMod, vec![a, b]),
            DimOp::Min => apply(Function::Min, vec![a, b]),
            DimOp::Max => apply(Function::Max, vec![a, b]),
        })
    }

    /// The relation of two sizes that the expression is; `None` for what is none.
    pub fn to_guard(&self, symbol: &impl Fn(&str) -> Option<u32>) -> Option<Guard> {
        let SymExpr::Apply(function, args) = self else { return None };
        let [left, right] = &args[..] else { return None };
        let (left, right) = (left.to_dim(symbol)?, right.to_dim(symbol)?);
        let (relation, left, right) = match function {
            Function::Equal => (Relation::Equal, left, right),
            Function::Unequal => (Relation::Differs, left, right),
            Function::AtMost => (Relation::AtMost, left, right),
            Function::Less => (Relation::AtMost, left.plus(1), right),
            Function::AtLeast => (Relation::AtMost, right, left),
            Function::Greater => (Relation::AtMost, right.plus(1), left),
            _ => return None,
        };
        Some(Guard { relation, left, right })
    }
}

impl From<i64> for SymExpr {
    fn from(n: i64) -> SymExpr {
        SymExpr::Int(n)
    }
}

/// As [`SymExpr::parse`].
impl std::str::FromStr for SymExpr {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<SymExpr, Unreadable> {
        SymExpr::parse(text)
    }
}
