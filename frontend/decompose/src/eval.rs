//! A definition is run as the Python that it is: numbers and lists are values, and a call of an operator is a call of the tracer.

use crate::arguments::bind;
use crate::builtins;
use crate::definitions::{self, Definition};
use crate::error::{Fault, Outcome, fault};
use crate::numbers::{binary, compare, truth};
use crate::tracer::{Tracer, entry};
use crate::value::{From, Num, Value};
use rustc_hash::FxHashMap;
use sconce_schema::OpEntry;
use sconce_syntax::script::tree::{
    Apply, Clause, CompareOp, Comprehension, Def, Expr, ExprKind, Index, Number, NumberKind, Stmt, StmtKind, UnaryOp,
};

/// What a statement leaves to do.
enum Flow {
    Next,
    Break,
    Continue,
    Return(Value),
}

/// How many statements one definition may run.
const MOST_STEPS: u32 = 1 << 16;
/// How deep functions of definitions may call each other.
const MOST_CALLS: usize = 32;

/// A function that is being run.
pub(crate) struct Frame<'t, 's> {
    pub tracer: &'t mut Tracer<'s>,
    names: FxHashMap<&'static str, Value>,
    steps: u32,
    depth: usize,
}

/// What the definition gives; its parameters are the operator's arguments of these names.
pub(crate) fn run(tracer: &mut Tracer<'_>, definition: &Definition, entry: &OpEntry, args: &[Value]) -> Outcome<Value> {
    let names = entry.schema().arguments.iter().zip(args).map(|(formal, value)| (&*formal.name, value.clone()));
    call(tracer, definition.def, &names.collect::<Vec<_>>(), 0)
}

/// What is left of the viewed tensor (`base`) of a view that is now `mutated`; `member` says which one of a list of views.
pub(crate) fn run_inverse(
    tracer: &mut Tracer<'_>,
    def: &'static Def,
    entry: &OpEntry,
    args: &[Value],
    mutated: Value,
    member: Value,
) -> Outcome<Value> {
    let formals = entry.schema().arguments.iter().map(|formal| &*formal.name);
    let names = std::iter::once("base").chain(formals.skip(1)).zip(args.iter().cloned());
    call(tracer, def, &names.chain([("mutated", mutated), ("member", member)]).collect::<Vec<_>>(), 0)
}

/// Runs a function whose parameters are among these names, or have a default.
fn call(tracer: &mut Tracer<'_>, def: &'static Def, given: &[(&str, Value)], depth: usize) -> Outcome<Value> {
    if depth > MOST_CALLS {
        return fault(format!("functions call each other deeper than {MOST_CALLS}"));
    }
    let mut frame = Frame { tracer, names: FxHashMap::default(), steps: 0, depth };
    for param in &def.params {
        let name = param.name.name.as_str();
        let value = match (given.iter().find(|(n, _)| *n == name), &param.default) {
            (Some((_, value)), _) => value.clone(),
            (None, Some(default)) => frame.expr(default)?,
            (None, None) => return fault(format!("`{}` is given no `{name}`", def.name.name)),
        };
        frame.names.insert(name, value);
    }
    match frame.block(&def.body)? {
        Flow::Return(value) => Ok(value),
        _ => Ok(Value::None),
    }
}

impl Frame<'_, '_> {
    fn block(&mut self, body: &'static [Stmt]) -> Outcome<Flow> {
        for stmt in body {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return fault(format!("it runs more than {MOST_STEPS} statements"));
            }
            match self.stmt(stmt)? {
                Flow::Next => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::Next)
    }

    fn stmt(&mut self, stmt: &'static Stmt) -> Outcome<Flow> {
        match &stmt.kind {
            StmtKind::Expr(e) => {
                self.expr(e)?;
            }
            StmtKind::Assign { targets, value, .. } => {
                let value = self.expr(value)?;
                for target in targets {
                    self.assign(target, &value)?;
                }
            }
            StmtKind::AugAssign { target, op, value } => {
                let (old, value) = (self.expr(target)?, self.expr(value)?);
                let new = binary(self.tracer, *op, &old, &value)?;
                self.assign(target, &new)?;
            }
            StmtKind::If { condition, then, otherwise } => {
                let condition = self.expr(condition)?;
                return self.block(if truth(&condition)? { then } else { otherwise });
            }
            StmtKind::While { condition, body, .. } => loop {
                let condition = self.expr(condition)?;
                if !truth(&condition)? {
                    break;
                }
                match self.block(body)? {
                    Flow::Break => break,
                    Flow::Return(value) => return Ok(Flow::Return(value)),
                    Flow::Next | Flow::Continue => {}
                }
            },
            StmtKind::For { target, iter, body, .. } => {
                for item in self.iterated(iter)? {
                    self.assign(target, &item)?;
                    match self.block(body)? {
                        Flow::Break => break,
                        Flow::Return(value) => return Ok(Flow::Return(value)),
                        Flow::Next | Flow::Continue => {}
                    }
                }
            }
            StmtKind::Return(value) => {
                let value = value.as_ref().map_or(Ok(Value::None), |e| self.expr(e))?;
                return Ok(Flow::Return(value));
            }
            StmtKind::Break => return Ok(Flow::Break),
            StmtKind::Continue => return Ok(Flow::Continue),
            StmtKind::Pass => {}
            _ => return fault("a statement that definitions do not have"),
        }
        Ok(Flow::Next)
    }

    fn assign(&mut self, target: &'static Expr, value: &Value) -> Outcome<()> {
        match &target.kind {
            ExprKind::Var(name) => {
                self.names.insert(name.name.as_str(), value.clone());
                Ok(())
            }
            ExprKind::Tuple(targets) | ExprKind::List(targets) => {
                let items = value.items().filter(|items| items.len() == targets.len());
                let items = items.ok_or_else(|| Fault(format!("{} values are expected", targets.len())))?;
                targets.iter().zip(&items).try_for_each(|(target, item)| self.assign(target, item))
            }
            ExprKind::Subscript(of, index) => {
                let (of, at) = (self.expr(of)?, index.first());
                let (Value::List(items), Some(Index::At(at))) = (&of, at) else {
                    return fault("no list is assigned to");
                };
                let length = items.borrow().len();
                let at = self.expr(at)?.known().and_then(|at| place(at, length));
                match at.and_then(|at| items.borrow_mut().get_mut(at).map(|slot| *slot = value.clone())) {
                    Some(()) => Ok(()),
                    None => fault("an index that is out of range"),
                }
            }
            _ => fault("a target that definitions do not have"),
        }
    }

    fn iterated(&mut self, iter: &'static Expr) -> Outcome<Vec<Value>> {
        let value = self.expr(iter)?;
        value.items().ok_or_else(|| Fault(format!("a value of kind {} is no list", value.kind())))
    }

    pub fn expr(&mut self, expr: &'static Expr) -> Outcome<Value> {
        Ok(match &expr.kind {
            ExprKind::Var(name) => match self.names.get(name.name.as_str()) {
                Some(value) => value.clone(),
                None => {
                    builtins::constant(&name.name).ok_or_else(|| Fault(format!("`{}` is not defined", name.name)))?
                }
            },
            ExprKind::Number(n) => number(n)?,
            ExprKind::Str(text) => Value::str(&String::from_utf8_lossy(text)),
            ExprKind::True => Value::Bool(true),
            ExprKind::False => Value::Bool(false),
            ExprKind::None => Value::None,
            ExprKind::Unary(op, of) => {
                let value = self.expr(of)?;
                match (op, &value) {
                    (UnaryOp::Not, value) => Value::Bool(!truth(value)?),
                    (UnaryOp::Neg, Value::Float(x)) => Value::Float(-x),
                    (UnaryOp::Neg, _) => {
                        crate::numbers::integer(self.tracer, sconce_schema::dim::DimOp::Sub, &Value::int(0), &value)?
                    }
                    (UnaryOp::Pos, _) => value,
                    (UnaryOp::Invert, _) => return fault("`~` of a number"),
                }
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                binary(self.tracer, *op, &a, &b)?
            }
            ExprKind::And(a, b) => {
                let a = self.expr(a)?;
                if truth(&a)? { self.expr(b)? } else { a }
            }
            ExprKind::Or(a, b) => {
                let a = self.expr(a)?;
                if truth(&a)? { a } else { self.expr(b)? }
            }
            ExprKind::Compare(first, rest) => Value::Bool(self.comparison(first, rest)?),
            ExprKind::IfExp { condition, then, otherwise } => {
                let condition = self.expr(condition)?;
                self.expr(if truth(&condition)? { then } else { otherwise })?
            }
            ExprKind::Select(of, name) => self.select(of, &name.name)?,
            ExprKind::Apply(apply) => self.apply(apply)?,
            ExprKind::Subscript(of, index) => {
                let of = self.expr(of)?;
                self.subscript(&of, index)?
            }
            ExprKind::List(items) => Value::list(self.all(items)?),
            ExprKind::Tuple(items) => Value::Tuple(self.all(items)?.into()),
            ExprKind::ListComp(c) | ExprKind::GeneratorExp(c) => {
                let mut items = Vec::new();
                self.comprehension(c, &c.clauses, &mut items)?;
                Value::list(items)
            }
            _ => return fault("an expression that definitions do not have"),
        })
    }

    fn all(&mut self, exprs: &'static [Expr]) -> Outcome<Vec<Value>> {
        let mut values = Vec::with_capacity(exprs.len());
        for expr in exprs {
            match &expr.kind {
                ExprKind::Starred(inner) => values.extend(self.iterated(inner)?),
                _ => values.push(self.expr(expr)?),
            }
        }
        Ok(values)
    }

    fn comparison(&mut self, first: &'static Expr, rest: &'static [(CompareOp, Expr)]) -> Outcome<bool> {
        let mut left = self.expr(first)?;
        for (op, right) in rest {
            let right = self.expr(right)?;
            if !compare(self.tracer, *op, &left, &right)? {
                return Ok(false);
            }
            left = right;
        }
        Ok(true)
    }

    fn comprehension(
        &mut self,
        c: &'static Comprehension,
        clauses: &'static [Clause],
        items: &mut Vec<Value>,
    ) -> Outcome<()> {
        let Some((clause, rest)) = clauses.split_first() else {
            items.push(self.expr(&c.element)?);
            return Ok(());
        };
        'items: for item in self.iterated(&clause.iter)? {
            self.assign(&clause.target, &item)?;
            for condition in &clause.conditions {
                let condition = self.expr(condition)?;
                if !truth(&condition)? {
                    continue 'items;
                }
            }
            self.comprehension(c, rest, items)?;
        }
        Ok(())
    }

    fn subscript(&mut self, of: &Value, index: &'static [Index]) -> Outcome<Value> {
        let Some(items) = of.items() else { return fault(format!("a value of kind {} has no members", of.kind())) };
        let mut bound = |e: &'static Option<Expr>, default: usize| -> Outcome<usize> {
            let Some(e) = e else { return Ok(default) };
            let value = self.expr(e)?;
            if value.is_none() {
                return Ok(default);
            }
            let at = value.known().ok_or_else(|| Fault("a bound that is no number".to_owned()))?;
            let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
            let at = if at < 0 { at.saturating_add(length) } else { at };
            Ok(usize::try_from(at.clamp(0, length)).unwrap_or(0))
        };
        match index {
            [Index::At(at)] => {
                let at = self.expr(at)?.known().and_then(|at| place(at, items.len()));
                at.and_then(|at| items.get(at).cloned())
                    .ok_or_else(|| Fault("an index that is out of range".to_owned()))
            }
            [Index::Slice { start, stop, step: None, .. }] => {
                let (start, stop) = (bound(start, 0)?, bound(stop, items.len())?);
                Ok(Value::list(items.get(start..stop.max(start)).unwrap_or_default().to_vec()))
            }
            _ => fault("an index that definitions do not have"),
        }
    }

    /// `x.shape`, `torch.float32`
    fn select(&mut self, of: &'static Expr, name: &str) -> Outcome<Value> {
        if let ExprKind::Var(module) = &of.kind
            && module.name == "torch"
        {
            return builtins::of_torch(name).ok_or_else(|| Fault(format!("`torch.{name}` is not known")));
        }
        let of = self.expr(of)?;
        builtins::attribute(self.tracer, &of, name)
    }

    fn apply(&mut self, apply: &'static Apply) -> Outcome<Value> {
        let args = self.all(&apply.args)?;
        let mut named = Vec::with_capacity(apply.kwargs.len());
        for keyword in &apply.kwargs {
            let Some(name) = &keyword.name else { return fault("`**` in a call") };
            named.push((name.name.clone(), self.expr(&keyword.value)?));
        }
        match &apply.callee.kind {
            // `aten.add.Tensor(...)`
            ExprKind::Select(packet, overload) => {
                if let ExprKind::Select(module, operator) = &packet.kind
                    && let ExprKind::Var(namespace) = &module.kind
                    && !self.names.contains_key(namespace.name.as_str())
                {
                    let base = format!("{}::{}", namespace.name, operator.name);
                    let name = if overload.name == "default" { base } else { format!("{base}.{}", overload.name) };
                    let entry = entry(&name)?;
                    let args = bind(entry, args, named)?;
                    return self.tracer.call(entry, args);
                }
                let of = self.expr(packet)?;
                builtins::method(self.tracer, &of, &overload.name, &args)
            }
            ExprKind::Var(name) => match definitions::function(&name.name)? {
                Some(def) => {
                    if args.len() > def.params.len() {
                        return fault(format!("`{}` is given {} arguments", name.name, args.len()));
                    }
                    let params = def.params.iter().map(|p| p.name.name.as_str());
                    let mut given: Vec<(&str, Value)> = params.zip(args).collect();
                    given.extend(named.iter().map(|(name, value)| (name.as_str(), value.clone())));
                    call(self.tracer, def, &given, self.depth + 1)
                }
                None => builtins::call(self.tracer, &name.name, &args),
            },
            _ => fault("a call that definitions do not have"),
        }
    }
}

/// A place in a list, which counts from the end where it is negative.
pub(crate) fn place(at: i64, length: usize) -> Option<usize> {
    let length = i64::try_from(length).ok()?;
    usize::try_from(if at < 0 { at.checked_add(length)? } else { at }).ok()
}

fn number(n: &Number) -> Outcome<Value> {
    let text = n.text.replace('_', "");
    let value = match n.kind {
        NumberKind::Int => text.parse().ok().map(|n: i64| Value::Int(Num { dim: n.into(), from: From::Itself })),
        NumberKind::Float => text.parse().ok().map(Value::Float),
        NumberKind::Imaginary => None,
    };
    value.ok_or_else(|| Fault(format!("`{}` is no number of 64 bits", n.text)))
}
