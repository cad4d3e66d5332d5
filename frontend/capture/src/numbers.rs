//! Numbers that a node gives are computed with by nodes; where the program must know one it is what the example has, with a guard, or refused if data decides it.

use crate::error::{Error, refused};
use crate::run::{Capture, Sym, SymKind, Value, address};
use sconce_fx::Argument;
use sconce_schema::OpEntry;
use sconce_schema::dim::{Dim, DimOp, Guard, Relation};
use sconce_tensor::IValue;

/// Operators of integers that sizes have, with the function of Python's.
const ARITHMETIC: &[(&str, DimOp, &str)] = &[
    ("aten::add", DimOp::Add, "operator.add"),
    ("aten::sub", DimOp::Sub, "operator.sub"),
    ("aten::mul", DimOp::Mul, "operator.mul"),
    ("aten::floordiv", DimOp::FloorDiv, "operator.floordiv"),
    ("aten::remainder", DimOp::Mod, "operator.mod"),
    ("prim::max", DimOp::Max, "torch.sym_max"),
    ("prim::min", DimOp::Min, "torch.sym_min"),
];

/// Other operators of numbers, with the function of Python's.
const OTHERS: &[(&str, &str)] =
    &[("aten::div", "operator.truediv"), ("aten::pow", "operator.pow"), ("aten::neg", "operator.neg")];

/// Comparisons: the relation that holds where the answer is true (of left and right, or turned), and the function.
const COMPARISONS: &[(&str, &str)] = &[
    ("aten::eq", "operator.eq"),
    ("aten::ne", "operator.ne"),
    ("aten::lt", "operator.lt"),
    ("aten::le", "operator.le"),
    ("aten::gt", "operator.gt"),
    ("aten::ge", "operator.ge"),
];

impl Capture<'_> {
    /// A number as an argument of a node.
    pub fn number_argument(&mut self, value: &Value) -> Result<Option<Argument>, Error> {
        if let Some(sym) = &value.sym {
            return Ok(Some(Argument::Node(self.sym_node(sym)?)));
        }
        Ok(Some(match &value.it {
            IValue::Int(n) => Argument::Int(*n),
            IValue::Double(x) => Argument::Float(*x),
            IValue::Bool(b) => Argument::Bool(*b),
            _ => return Ok(None),
        }))
    }

    fn dim(value: &Value) -> Dim {
        match (&value.sym, &value.it) {
            (Some(sym), _) if sym.kind == SymKind::Int => sym.dim,
            (None, IValue::Int(n)) => Dim::Known(*n),
            _ => Dim::Unknown,
        }
    }

    /// An operator of numbers, some of which nodes give. None where no node can say it.
    pub fn numbers(&mut self, entry: &OpEntry, args: &[Value], result: &IValue) -> Result<Option<Value>, Error> {
        let data = args.iter().any(|a| a.sym.as_ref().is_some_and(|s| s.data));
        let base = entry.base_name();
        let mut given = Vec::new();
        for value in args {
            let Some(argument) = self.number_argument(value)? else { return Ok(None) };
            given.push(argument);
        }
        let kind = match result {
            IValue::Int(_) => SymKind::Int,
            IValue::Double(_) => SymKind::Float,
            IValue::Bool(_) => SymKind::Bool,
            _ => return Ok(None),
        };
        if let ("aten::Int" | "aten::Float" | "aten::Bool" | "aten::ScalarImplicit", [one]) = (base, args)
            && one.sym.as_ref().is_some_and(|s| s.kind == kind)
        {
            return Ok(Some(one.clone()));
        }
        let (left, right) = match args {
            [a, b] => (Self::dim(a), Self::dim(b)),
            [a] => (Self::dim(a), Dim::Unknown),
            _ => return Ok(None),
        };
        if let Some((_, op, target)) = ARITHMETIC.iter().find(|(name, ..)| *name == base)
            && args.len() == 2
        {
            let dim = if kind == SymKind::Int { Dim::op(*op, left, right) } else { Dim::Unknown };
            if let Dim::Known(n) = dim {
                return Ok(Some(IValue::Int(n).into()));
            }
            if kind == SymKind::Int && dim == Dim::Unknown && !data {
                return Ok(None);
            }
            return self.number_node(target, given, result.clone(), dim, kind, data).map(Some);
        }
        if base == "aten::neg" && kind == SymKind::Int && !data {
            let dim = Dim::Known(0).minus(left);
            return self.number_node("operator.neg", given, result.clone(), dim, kind, false).map(Some);
        }
        if let Some((_, target)) = COMPARISONS.iter().find(|(name, _)| *name == base) {
            if data {
                return self.number_node(target, given, result.clone(), Dim::Unknown, kind, true).map(Some);
            }
            if left == Dim::Unknown || right == Dim::Unknown {
                return Ok(None);
            }
            let IValue::Bool(answer) = result else { return Ok(None) };
            self.assume_comparison(base, left, right, *answer)?;
            return Ok(Some(result.clone().into()));
        }
        if let (Some((_, target)), true) = (OTHERS.iter().find(|(name, _)| *name == base), data) {
            return self.number_node(target, given, result.clone(), Dim::Unknown, kind, true).map(Some);
        }
        Ok(None)
    }

    fn assume_comparison(&mut self, base: &str, left: Dim, right: Dim, answer: bool) -> Result<(), Error> {
        let guard = |relation, left, right| Guard { relation, left, right };
        let less = |a: Dim, b: Dim| guard(Relation::AtMost, a.plus(1), b);
        let most = |a: Dim, b: Dim| guard(Relation::AtMost, a, b);
        self.assume(match (base, answer) {
            ("aten::eq", true) | ("aten::ne", false) => guard(Relation::Equal, left, right),
            ("aten::eq", false) | ("aten::ne", true) => guard(Relation::Differs, left, right),
            ("aten::lt", true) | ("aten::ge", false) => less(left, right),
            ("aten::lt", false) | ("aten::ge", true) => most(right, left),
            ("aten::le", true) | ("aten::gt", false) => most(left, right),
            _ => less(right, left),
        })
    }

    /// Puts an assumption on record, and where it was needed.
    pub fn assume(&mut self, guard: Guard) -> Result<(), Error> {
        if self.symbols.assume(guard)? {
            let place = self.place.as_ref().map(|p| p.origin().unwrap_or(p));
            let place = place.map_or_else(String::new, |p| format!("{p}: "));
            self.assumptions.push(format!("{place}{}", self.symbols.guard_text(&guard)));
        }
        Ok(())
    }

    /// The number itself, which the program then holds for.
    pub fn known(&mut self, value: &Value) -> Result<IValue, Error> {
        match &value.sym {
            None => Ok(value.it.clone()),
            Some(Sym { data: true, node, level, .. }) => {
                let name = self.scope.graph.get(*node).filter(|_| *level == self.scopes.len());
                let name = name.map_or_else(String::new, |n| format!(" `{}`", n.name));
                Err(refused(format!(
                    "the number{name} depends on the elements of tensors, and must be known here to go on"
                )))
            }
            Some(Sym { dim, .. }) => {
                if let IValue::Int(n) = value.it {
                    self.assume(Guard { relation: Relation::Equal, left: *dim, right: Dim::Known(n) })?;
                }
                Ok(value.it.clone())
            }
        }
    }

    /// The value with all members known.
    pub fn settled(&mut self, value: &Value) -> Result<IValue, Error> {
        if let Some(children) = self.children(value) {
            for child in children {
                self.settled(&child)?;
            }
            // What is assumed of them now is true of them from now on.
            if let Some(at) = address(&value.it) {
                self.members.remove(&at);
            }
        }
        self.known(value)
    }

    /// Does a node give it, or a member of it?
    pub fn is_symbolic(&self, value: &Value) -> bool {
        value.sym.is_some()
            || !self.members.is_empty()
                && match address(&value.it) {
                    Some(_) => self.children(value).unwrap_or_default().iter().any(|c| self.is_symbolic(c)),
                    None => false,
                }
    }
}
