//! Numbers that a node gives are computed with by nodes; where the program must know one it is what the example has, with a guard, or refused if data decides it.

use crate::error::{Error, refused};
use crate::run::{Capture, Sym, SymKind, Value, address};
use sconce_fx::{Argument, Val};
use sconce_schema::OpEntry;
use sconce_schema::dim::{Dim, DimOp, Form, Guard, Relation};
use sconce_schema::shape::Meta;
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

/// Other operators of numbers by the kind of their results, with the function of Python's.
const OTHERS: &[(&str, SymKind, &str)] = &[
    ("aten::add", SymKind::Float, "operator.add"),
    ("aten::sub", SymKind::Float, "operator.sub"),
    ("aten::mul", SymKind::Float, "operator.mul"),
    ("aten::div", SymKind::Float, "operator.truediv"),
    ("aten::pow", SymKind::Float, "operator.pow"),
    ("aten::pow", SymKind::Int, "operator.pow"),
    ("aten::neg", SymKind::Float, "operator.neg"),
    ("aten::neg", SymKind::Int, "operator.neg"),
    ("aten::Float", SymKind::Float, "torch.sym_float"),
    ("aten::sqrt", SymKind::Float, "torch.sym_sqrt"),
    ("aten::Int", SymKind::Int, "math.trunc"),
    ("aten::__not__", SymKind::Bool, "torch.sym_not"),
    ("aten::__and__", SymKind::Bool, "operator.and_"),
    ("aten::__or__", SymKind::Bool, "operator.or_"),
];

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
        if let (Some(sym), false) = (&value.sym, matches!(value.it, IValue::Str(_))) {
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

    /// An operator of numbers by the operator of tensors that has its name, where no function of Python's is known to PyTorch's reader.
    fn by_tensors(&mut self, entry: &OpEntry, args: &[Value], result: &IValue) -> Result<Option<Value>, Error> {
        let base = entry.base_name();
        let named = |end: &str| sconce_schema::lookup(&format!("{base}{end}"));
        let candidates = if args.len() == 1 { vec![""] } else { vec!["", ".Tensor", ".Tensor_Tensor"] };
        let takes = |e: &&'static OpEntry| {
            let arguments = &e.schema().arguments;
            let tensors = arguments.iter().take(args.len()).filter(|a| a.ty.is_tensor()).count();
            let rest = arguments.iter().skip(args.len()).all(|a| a.default.is_some());
            tensors == args.len() && rest && matches!(&e.schema().returns[..], [one] if one.ty.is_tensor())
        };
        let Some(of_tensors) = candidates.into_iter().filter_map(named).find(takes) else { return Ok(None) };
        let mut given = Vec::new();
        for value in args {
            let make =
                sconce_schema::lookup("prim::NumToTensor.Scalar").ok_or_else(|| refused("no tensor of a number"))?;
            given.extend(self.apply(make, vec![value.clone()])?);
        }
        let computed = self.apply(of_tensors, given)?;
        let Some(IValue::Tensor(t)) = computed.first().map(|v| &v.it) else { return Ok(None) };
        self.item(t, result.clone()).map(Some)
    }

    /// The number of turns of `range`, which is what is left between its ends in steps.
    fn range_length(&mut self, low: &Value, high: &Value, step: &Value) -> Result<Value, Error> {
        let IValue::Int(n) = self.known(step)? else { return Err(refused("a step that is no integer")) };
        let (from, to, step) = if n < 0 { (high, low, n.checked_neg()) } else { (low, high, Some(n)) };
        let step = step.filter(|n| *n > 0).ok_or_else(|| refused("range() arg 3 must not be zero"))?;
        let number = |n: i64| Value::from(IValue::Int(n));
        let width = self.integers(DimOp::Sub, to, from)?;
        let width = self.integers(DimOp::Add, &width, &number(step - 1))?;
        let turns = self.integers(DimOp::FloorDiv, &width, &number(step))?;
        self.integers(DimOp::Max, &turns, &number(0))
    }

    /// Arithmetic of integers, some of which nodes give.
    pub fn integers(&mut self, op: DimOp, a: &Value, b: &Value) -> Result<Value, Error> {
        let (IValue::Int(x), IValue::Int(y)) = (&a.it, &b.it) else { return Err(refused("an integer is none")) };
        let result = op.apply(*x, *y).ok_or_else(|| refused(format!("{x} and {y} give no integer of 64 bits")))?;
        if a.sym.is_none() && b.sym.is_none() {
            return Ok(IValue::Int(result).into());
        }
        let row = ARITHMETIC.iter().find(|(_, row, _)| *row == op);
        let (_, _, target) = row.ok_or_else(|| refused("no node computes it"))?;
        let mut given = Vec::new();
        for value in [a, b] {
            given.extend(self.number_argument(value)?);
        }
        let data = [a, b].iter().any(|v| v.sym.as_ref().is_some_and(|s| s.data));
        let dim = Dim::op(op, Self::dim(a), Self::dim(b));
        self.number_node(target, given, IValue::Int(result), dim, SymKind::Int, data)
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
        match (base, args) {
            ("aten::__range_length", [low, high, step]) => return self.range_length(low, high, step).map(Some),
            ("aten::__derive_index", [turn, low, step]) => {
                let passed = self.integers(DimOp::Mul, turn, step)?;
                return self.integers(DimOp::Add, low, &passed).map(Some);
            }
            _ => {}
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
            if dim == Dim::Unknown && !data {
                return self.others(base, kind, given, args, result);
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
        match self.others(base, kind, given, args, result)? {
            None if data => self.by_tensors(entry, args, result),
            found => Ok(found),
        }
    }

    /// A number that is no size. Of sizes alone only floats are computed: where others are asked for, the sizes are taken as they are.
    fn others(
        &mut self,
        base: &str,
        kind: SymKind,
        given: Vec<Argument>,
        args: &[Value],
        result: &IValue,
    ) -> Result<Option<Value>, Error> {
        let data = args.iter().any(|a| a.sym.as_ref().is_some_and(|s| s.data));
        // A quotient of sizes that is cut is one of integers.
        if let ("aten::Int" | "aten::floor", [one]) = (base, args)
            && let Some((left, right)) = one.sym.as_ref().and_then(|s| s.quotient)
            && left.bounds(&|s| self.symbols.bounds(s)).low >= 0
            && right.bounds(&|s| self.symbols.bounds(s)).low > 0
        {
            return self.computed_size(left.over(right)).map(Some);
        }
        let row = OTHERS.iter().find(|(name, wanted, _)| *name == base && *wanted == kind);
        let Some((_, _, target)) = row.filter(|_| data || kind == SymKind::Float) else { return Ok(None) };
        let from = self.computed_from(args);
        let mut value = self.number_node(target, given, result.clone(), Dim::Unknown, kind, data)?;
        if let Some(sym) = &mut value.sym {
            sym.from = from;
            sym.quotient = match (base, args) {
                ("aten::div", [left, right]) => Some((Self::dim(left), Self::dim(right))),
                _ => None,
            };
        }
        Ok(Some(value))
    }

    /// The sizes that numbers are computed from.
    fn computed_from(&self, args: &[Value]) -> Vec<Dim> {
        let mut from = Vec::new();
        for sym in args.iter().filter_map(|a| a.sym.as_ref()) {
            let own = if sym.dim == Dim::Unknown { sym.from.clone() } else { vec![sym.dim] };
            own.into_iter().filter(|d| !from.contains(d)).collect::<Vec<_>>().into_iter().for_each(|d| from.push(d));
        }
        from
    }

    /// Are lists of integers equal? Of members that may differ what the example says is assumed. None where they are no sizes.
    pub fn equal_lists(&mut self, a: &[Value], b: &[Value]) -> Result<Option<bool>, Error> {
        let pairs: Vec<(Dim, Dim)> = a.iter().zip(b).map(|(a, b)| (Self::dim(a), Self::dim(b))).collect();
        let is_size = |d: &Dim| *d != Dim::Unknown && !self.symbols.is_data(*d);
        if a.len() == b.len() && !pairs.iter().all(|(a, b)| is_size(a) && is_size(b)) {
            return Ok(None);
        }
        let differs = |(a, b): &(Dim, Dim)| self.symbols.hint(*a) != self.symbols.hint(*b);
        if a.len() != b.len() {
            return Ok(Some(false));
        }
        if let Some((left, right)) = pairs.iter().copied().find(differs) {
            self.assume(Guard { relation: Relation::Differs, left, right })?;
            return Ok(Some(false));
        }
        for (left, right) in pairs {
            self.assume(Guard { relation: Relation::Equal, left, right })?;
        }
        Ok(Some(true))
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

    /// Puts an assumption on record, and where it was needed. What depends on the elements of tensors the program itself asserts.
    pub fn assume(&mut self, guard: Guard) -> Result<(), Error> {
        if !self.symbols.assume(guard)? {
            return Ok(());
        }
        let place = self.place.as_ref().map(|p| p.origin().unwrap_or(p));
        let place = place.map_or_else(String::new, |p| format!("{p}: "));
        let text = self.symbols.guard_text(&guard);
        if self.symbols.is_data(guard.left) || self.symbols.is_data(guard.right) {
            let (left, right) = (self.computed_size(guard.left)?, self.computed_size(guard.right)?);
            let target = match guard.relation {
                Relation::Equal => "operator.eq",
                Relation::Differs => "operator.ne",
                Relation::AtMost => "operator.le",
            };
            let given = [self.number_argument(&left)?, self.number_argument(&right)?].into_iter().flatten().collect();
            let holds = self.number_node(target, given, IValue::Bool(true), Dim::Unknown, SymKind::Bool, true)?;
            let holds = self.number_argument(&holds)?.unwrap_or(Argument::Bool(true));
            let args = vec![holds, Argument::Str(format!("{place}{text}"))];
            self.call_node("torch.ops.aten._assert_scalar.default", args, Vec::new(), Some(Val::None))?;
            if !self.scopes.is_empty() {
                // A nested graph may not run: what it asserts holds nowhere else.
                self.symbols.guards.pop();
            }
        }
        self.assumptions.push(format!("{place}{text}"));
        Ok(())
    }

    /// A size as a number that nodes give.
    pub fn computed_size(&mut self, dim: Dim) -> Result<Value, Error> {
        let hint = self.symbols.hint(dim).ok_or_else(|| refused("a size is not known"))?;
        match dim.form() {
            Form::Known(n) => Ok(IValue::Int(n).into()),
            Form::Unknown => Err(refused("a size is not known")),
            Form::Symbol(s) => {
                if let Some(sym) = self.read.get(&s).filter(|sym| sym.level <= self.scopes.len()) {
                    return Ok(Value { it: IValue::Int(hint), sym: Some(sym.clone()) });
                }
                let sym = self.size_somewhere(dim)?;
                Ok(Value { it: IValue::Int(hint), sym: Some(sym) })
            }
            Form::Op(op, a, b) => {
                let (a, b) = (self.computed_size(a)?, self.computed_size(b)?);
                self.integers(op, &a, &b)
            }
        }
    }

    /// How many elements a slice of a size that may vary takes: where its ends lie is assumed to be as in the example.
    pub fn sliced(&mut self, args: &[Value], inferred: &mut [Meta]) -> Result<(), Error> {
        let ([IValue::Tensor(t), IValue::Int(dim), _, _, IValue::Int(step)], [Meta::Tensor(result)]) =
            (&args.iter().map(|a| a.it.clone()).collect::<Vec<_>>()[..], inferred)
        else {
            return Ok(());
        };
        let sizes = self.sizes(t);
        let at = usize::try_from(if *dim < 0 { dim.saturating_add(sizes.len() as i64) } else { *dim }).ok();
        let size = at.and_then(|at| sizes.get(at)).copied().unwrap_or(Dim::Unknown);
        let slot = at.and_then(|at| result.sizes.as_mut()?.get_mut(at)).filter(|slot| **slot == Dim::Unknown);
        let (Some(slot), [_, _, start, end, _]) = (slot, args) else { return Ok(()) };
        let data = |v: &Value| v.sym.as_ref().is_some_and(|s| s.data || s.dim == Dim::Unknown);
        if size == Dim::Unknown || data(start) || data(end) || *step <= 0 {
            return Ok(());
        }
        let start = if start.it.is_none() { Dim::Known(0) } else { self.slice_end(size, Self::dim(start))? };
        let is_last = end.it.is_none() || end.sym.is_none() && matches!(end.it, IValue::Int(i64::MAX));
        let end = if is_last { size } else { self.slice_end(size, Self::dim(end))? };
        let width = if self.is_at_most(start, end)? { end.minus(start) } else { Dim::Known(0) };
        *slot = width.plus(step.saturating_sub(1)).over(*step);
        Ok(())
    }

    /// Where an end of a slice lies: a negative one counts from behind, and what is outside is at the border.
    fn slice_end(&mut self, size: Dim, end: Dim) -> Result<Dim, Error> {
        let zero = Dim::Known(0);
        if self.is_at_most(zero, end)? {
            return Ok(if self.is_at_most(end, size)? { end } else { size });
        }
        let from_behind = size.plus(end);
        Ok(if self.is_at_most(zero, from_behind)? { from_behind } else { zero })
    }

    /// Is the relation so in the example? That it is, or is not, is assumed.
    fn is_at_most(&mut self, left: Dim, right: Dim) -> Result<bool, Error> {
        let (Some(a), Some(b)) = (self.symbols.hint(left), self.symbols.hint(right)) else {
            return Err(refused("a size is not known"));
        };
        let (left, right) = if a <= b { (left, right) } else { (right.plus(1), left) };
        self.assume(Guard { relation: Relation::AtMost, left, right })?;
        Ok(a <= b)
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
            Some(Sym { dim, from, .. }) => {
                let (dims, whole) =
                    if *dim == Dim::Unknown { (from.clone(), None) } else { (vec![*dim], value.it.as_int().ok()) };
                for left in dims {
                    let right = whole.or_else(|| self.symbols.hint(left)).map_or(Dim::Unknown, Dim::Known);
                    self.assume(Guard { relation: Relation::Equal, left, right })?;
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
