//! Statements and expressions of a model's file are carried out here as Python would: bounded in steps and depth, without files, network or operating system.

use super::value::*;
use super::{Evaluator, Fallible, Fault};
use sconce_graph::graph::Loc;
use sconce_syntax::script::tree::*;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// How a block ended.
pub(super) enum Flow {
    Next,
    Break,
    Continue,
    Return(Value),
}

impl Evaluator {
    /// Runs statements in order.
    pub(super) fn block(&self, body: &[Stmt], scope: &Rc<Scope>) -> Fallible<Flow> {
        for stmt in body {
            match self.statement(stmt, scope).map_err(|f| f.at(scope, stmt.span))? {
                Flow::Next => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::Next)
    }

    fn statement(&self, stmt: &Stmt, scope: &Rc<Scope>) -> Fallible<Flow> {
        self.spend(1)?;
        *self.place.borrow_mut() = Some(Loc::new(&scope.file.source, stmt.span));
        match &stmt.kind {
            StmtKind::Expr(e) => {
                self.expr(e, scope)?;
            }
            StmtKind::Assign { targets, value, .. } => {
                let value = self.expr(value, scope)?;
                for target in targets {
                    self.assign(target, value.clone(), scope)?;
                }
            }
            StmtKind::AnnAssign { target, annotation, value } => {
                self.annotate(target, annotation, scope);
                if let Some(value) = value {
                    let value = self.expr(value, scope)?;
                    self.assign(target, value, scope)?;
                }
            }
            StmtKind::AugAssign { target, op, value } => self.augmented(target, *op, value, scope)?,
            StmtKind::If { condition, then, otherwise } => {
                let taken = self.truth(&self.expr(condition, scope)?)?;
                return self.block(if taken { then } else { otherwise }, scope);
            }
            StmtKind::While { condition, body, otherwise } => {
                while self.truth(&self.expr(condition, scope)?)? {
                    self.spend(1)?;
                    match self.block(body, scope)? {
                        Flow::Break => return Ok(Flow::Next),
                        Flow::Return(v) => return Ok(Flow::Return(v)),
                        Flow::Next | Flow::Continue => {}
                    }
                }
                return self.block(otherwise, scope);
            }
            StmtKind::For { target, iter, body, otherwise } => {
                let items = self.items(&self.expr(iter, scope)?)?;
                for item in items {
                    self.spend(1)?;
                    self.assign(target, item, scope)?;
                    match self.block(body, scope)? {
                        Flow::Break => return Ok(Flow::Next),
                        Flow::Return(v) => return Ok(Flow::Return(v)),
                        Flow::Next | Flow::Continue => {}
                    }
                }
                return self.block(otherwise, scope);
            }
            StmtKind::With { items, body } => return self.with(items, body, scope),
            StmtKind::Return(value) => {
                return Ok(Flow::Return(match value {
                    Some(e) => self.expr(e, scope)?,
                    None => Value::None,
                }));
            }
            StmtKind::Raise { exception, .. } => return Err(self.raised(exception.as_ref(), scope)?),
            StmtKind::Assert { test, message } => {
                if !self.truth(&self.expr(test, scope)?)? {
                    let message = match message {
                        Some(m) => self.text(&self.expr(m, scope)?)?,
                        None => String::new(),
                    };
                    return Err(Fault::raise("AssertionError", message));
                }
            }
            StmtKind::Break => return Ok(Flow::Break),
            StmtKind::Continue => return Ok(Flow::Continue),
            StmtKind::Pass => {}
            StmtKind::Delete(targets) => {
                for t in targets {
                    self.delete(t, scope)?;
                }
            }
            StmtKind::Def(def) => self.define(def, scope)?,
            StmtKind::Class(class) => self.define_class(class, scope)?,
            StmtKind::Import(aliases) => {
                for alias in aliases {
                    self.import(alias, scope);
                }
            }
            StmtKind::ImportFrom { level, module, names } => self.import_from(*level, module, names, scope)?,
            StmtKind::Global(names) => {
                scope.outer.borrow_mut().extend(names.iter().map(|n| (n.name.as_str().into(), true)))
            }
            StmtKind::Nonlocal(names) => {
                scope.outer.borrow_mut().extend(names.iter().map(|n| (n.name.as_str().into(), false)));
            }
            StmtKind::Try { body, handlers, otherwise, finally } => {
                return self.attempt(body, handlers, otherwise, finally, scope);
            }
        }
        Ok(Flow::Next)
    }

    fn annotate(&self, target: &Expr, annotation: &Expr, scope: &Rc<Scope>) {
        let ExprKind::Var(name) = &target.kind else { return };
        if scope.kind != ScopeKind::Function {
            let written = Annotation::Written(Rc::new(annotation.clone()), scope.clone());
            self.pending_annotations.borrow_mut().push((
                Rc::as_ptr(scope) as usize,
                name.name.as_str().into(),
                written,
            ));
        }
    }

    fn with(&self, items: &[WithItem], body: &[Stmt], scope: &Rc<Scope>) -> Fallible<Flow> {
        let Some((first, rest)) = items.split_first() else { return self.block(body, scope) };
        let manager = self.expr(&first.context, scope)?;
        let entered = match &manager {
            // Gradient modes, profilers, warnings: nothing to do while a module is built.
            Value::Host(path) if path.starts_with("context:") => manager.clone(),
            _ => self.call_method(&manager, "__enter__", Vec::new())?,
        };
        if let Some(target) = &first.target {
            self.assign(target, entered, scope)?;
        }
        let result = self.with(rest, body, scope);
        if !matches!(&manager, Value::Host(path) if path.starts_with("context:")) {
            self.call_method(&manager, "__exit__", vec![Value::None, Value::None, Value::None])?;
        }
        result
    }

    fn raised(&self, exception: Option<&Expr>, scope: &Rc<Scope>) -> Fallible<Fault> {
        let Some(e) = exception else {
            let current = self.handling.borrow().last().cloned();
            return Ok(current.unwrap_or_else(|| Fault::raise("RuntimeError", "No active exception to reraise")));
        };
        let value = self.expr(e, scope)?;
        Ok(match value {
            Value::Host(path) => match path.strip_prefix("builtins.") {
                Some(name) => Fault::raise(name, ""),
                None => Fault::raise("TypeError", "exceptions must derive from BaseException"),
            },
            Value::Class(class) => Fault::exception(self.instantiate(&class, Vec::new(), Vec::new())?),
            other => Fault::exception(other),
        })
    }

    fn attempt(
        &self,
        body: &[Stmt],
        handlers: &[Handler],
        otherwise: &[Stmt],
        finally: &[Stmt],
        scope: &Rc<Scope>,
    ) -> Fallible<Flow> {
        let mut result = self.block(body, scope);
        match result {
            Ok(Flow::Next) => result = self.block(otherwise, scope),
            Err(fault) if fault.is_exception() => result = self.handle(fault, handlers, scope),
            _ => {}
        }
        match self.block(finally, scope)? {
            Flow::Next => result,
            other => Ok(other),
        }
    }

    fn handle(&self, fault: Fault, handlers: &[Handler], scope: &Rc<Scope>) -> Fallible<Flow> {
        for handler in handlers {
            let taken = match &handler.class {
                None => true,
                Some(class) => self.catches(&self.expr(class, scope)?, &fault),
            };
            if taken {
                if let Some(name) = &handler.name {
                    scope.assign(&name.name, fault.value());
                }
                self.handling.borrow_mut().push(fault);
                let result = self.block(&handler.body, scope);
                self.handling.borrow_mut().pop();
                return result;
            }
        }
        Err(fault)
    }

    fn delete(&self, target: &Expr, scope: &Rc<Scope>) -> Fallible<()> {
        match &target.kind {
            ExprKind::Var(name) => {
                scope.names.borrow_mut().shift_remove(name.name.as_str());
                Ok(())
            }
            ExprKind::Select(object, name) => {
                let object = self.expr(object, scope)?;
                self.delete_attribute(&object, &name.name)
            }
            ExprKind::Subscript(object, index) => {
                let object = self.expr(object, scope)?;
                let index = self.index(index, scope)?;
                self.delete_item(&object, &index)
            }
            ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().try_for_each(|t| self.delete(t, scope)),
            _ => Err(Fault::refused("this cannot be deleted").at(scope, target.span)),
        }
    }

    fn augmented(&self, target: &Expr, op: BinaryOp, value: &Expr, scope: &Rc<Scope>) -> Fallible<()> {
        let old = self.expr(target, scope)?;
        let right = self.expr(value, scope)?;
        let new = self.in_place(op, &old, &right)?;
        self.assign(target, new, scope)
    }

    /// Gives what is on the left of `=` a value.
    pub(super) fn assign(&self, target: &Expr, value: Value, scope: &Rc<Scope>) -> Fallible<()> {
        match &target.kind {
            ExprKind::Var(name) => {
                scope.assign(&name.name, value);
                Ok(())
            }
            ExprKind::Select(object, name) => {
                let object = self.expr(object, scope)?;
                self.set_attribute(&object, &name.name, value).map_err(|f| f.at(scope, target.span))
            }
            ExprKind::Subscript(object, index) => {
                let object = self.expr(object, scope)?;
                let index = self.index(index, scope)?;
                self.set_item(&object, &index, value).map_err(|f| f.at(scope, target.span))
            }
            ExprKind::Tuple(targets) | ExprKind::List(targets) => self.unpack(targets, &value, scope),
            _ => Err(Fault::refused("this cannot be assigned to").at(scope, target.span)),
        }
    }

    fn unpack(&self, targets: &[Expr], value: &Value, scope: &Rc<Scope>) -> Fallible<()> {
        let mut items = self.items(value)?;
        let star = targets.iter().position(|t| matches!(t.kind, ExprKind::Starred(_)));
        let (have, want) = (items.len(), targets.len());
        let fits = if star.is_some() { have + 1 >= want } else { have == want };
        if !fits {
            let text = if have < want {
                format!("not enough values to unpack (expected {want}, got {have})")
            } else {
                format!("too many values to unpack (expected {want})")
            };
            return Err(Fault::raise("ValueError", text));
        }
        if let Some(at) = star {
            let middle: Vec<Value> = items.splice(at..at + (have + 1 - want), [Value::None]).collect();
            items[at] = Value::list(middle);
        }
        for (target, item) in targets.iter().zip(items) {
            let target = if let ExprKind::Starred(inner) = &target.kind { inner } else { target };
            self.assign(target, item, scope)?;
        }
        Ok(())
    }

    // -- definitions

    fn define(&self, def: &Def, scope: &Rc<Scope>) -> Fallible<()> {
        let function = self.function(Code::Def(Rc::new(def.clone())), &def.name.name, &def.params, scope)?;
        let previous = scope.names.borrow().get(def.name.name.as_str()).cloned();
        if let Some(Value::Function(previous)) = previous
            && matches!(previous.modifier.get(), Modifier::Overload | Modifier::OverloadMethod)
        {
            let mut overloads = previous.overloads.borrow().clone();
            overloads.push(previous.clone());
            *function.overloads.borrow_mut() = overloads;
        }
        let value = self.decorate(Value::Function(function), &def.decorators, scope)?;
        scope.assign(&def.name.name, value);
        Ok(())
    }

    fn function(&self, code: Code, name: &str, params: &[Param], scope: &Rc<Scope>) -> Fallible<Rc<Function>> {
        let mut defaults = Vec::with_capacity(params.len());
        for p in params {
            defaults.push(p.default.as_ref().map(|d| self.expr(d, scope)).transpose()?);
        }
        Ok(self.made.function(Function {
            code,
            name: name.into(),
            qualified: format!("{}{name}", scope.prefix).into(),
            closure: scope.clone(),
            defaults,
            modifier: Cell::default(),
            class: RefCell::default(),
            overloads: RefCell::default(),
            attributes: RefCell::default(),
            traced: RefCell::default(),
        }))
    }

    pub(super) fn decorate(&self, value: Value, decorators: &[Expr], scope: &Rc<Scope>) -> Fallible<Value> {
        let mut value = value;
        for decorator in decorators.iter().rev() {
            let decorator = self.expr(decorator, scope)?;
            value = self.call(&decorator, vec![value], Vec::new())?;
        }
        Ok(value)
    }

    fn import(&self, alias: &Alias, scope: &Rc<Scope>) {
        let dotted: Vec<&str> = alias.path.iter().map(|i| i.name.as_str()).collect();
        match (&alias.name, dotted.first()) {
            (Some(name), _) => scope.assign(&name.name, self.library_module(&dotted.join("."))),
            (None, Some(first)) => scope.assign(first, self.library_module(first)),
            _ => {}
        }
    }

    fn import_from(&self, level: u32, module: &[Ident], names: &[Alias], scope: &Rc<Scope>) -> Fallible<()> {
        let mut dotted = module.iter().map(|i| i.name.as_str()).collect::<Vec<_>>().join(".");
        if level > 0 {
            let mut base: Vec<&str> = scope.file.name.split('.').collect();
            base.truncate(base.len().saturating_sub(level as usize));
            let base = base.join(".");
            dotted = if base.is_empty() || dotted.is_empty() { base + &dotted } else { format!("{base}.{dotted}") };
        }
        for alias in names {
            let Some(name) = alias.path.first() else { continue };
            if name.name == "*" {
                if !super::library::is_package(&dotted) {
                    let message = format!("`from {dotted} import *` is not supported: name what is used");
                    return Err(Fault::refused(message));
                }
                scope.stars.borrow_mut().push(dotted.as_str().into());
                continue;
            }
            let value = self.library_member(&dotted, &name.name)?;
            scope.assign(alias.name.as_ref().map_or(&name.name, |n| &n.name), value);
        }
        Ok(())
    }

    // -- expressions

    pub(super) fn expr(&self, e: &Expr, scope: &Rc<Scope>) -> Fallible<Value> {
        self.spend(1)?;
        stacker::maybe_grow(96 << 10, 2 << 20, || self.expr_kind(e, scope)).map_err(|f| f.at(scope, e.span))
    }

    fn expr_kind(&self, e: &Expr, scope: &Rc<Scope>) -> Fallible<Value> {
        Ok(match &e.kind {
            ExprKind::Var(name) => self.name(&name.name, scope)?,
            ExprKind::Number(n) => number(n)?,
            ExprKind::Str(bytes) => Value::str(String::from_utf8_lossy(bytes)),
            ExprKind::FString(parts) => Value::str(self.fstring(parts, scope)?),
            ExprKind::True => Value::Bool(true),
            ExprKind::False => Value::Bool(false),
            ExprKind::None => Value::None,
            ExprKind::Ellipsis => Value::Ellipsis,
            ExprKind::Unary(op, a) => {
                let a = self.expr(a, scope)?;
                self.unary(*op, &a)?
            }
            ExprKind::Binary(op, a, b) => {
                let a = self.expr(a, scope)?;
                let b = self.expr(b, scope)?;
                self.binary(*op, &a, &b)?
            }
            ExprKind::And(a, b) => {
                let a = self.expr(a, scope)?;
                if self.truth(&a)? { self.expr(b, scope)? } else { a }
            }
            ExprKind::Or(a, b) => {
                let a = self.expr(a, scope)?;
                if self.truth(&a)? { a } else { self.expr(b, scope)? }
            }
            ExprKind::Compare(first, rest) => return self.chain(first, rest, scope),
            ExprKind::IfExp { condition, then, otherwise } => {
                let taken = self.truth(&self.expr(condition, scope)?)?;
                self.expr(if taken { then } else { otherwise }, scope)?
            }
            ExprKind::Select(object, name) => {
                let object = self.expr(object, scope)?;
                self.attribute(&object, &name.name)?
            }
            ExprKind::Apply(apply) => return self.apply(apply, scope),
            ExprKind::Subscript(object, index) => {
                let object = self.expr(object, scope)?;
                let index = self.index(index, scope)?;
                self.item(&object, &index)?
            }
            ExprKind::List(items) => Value::list(self.exprs(items, scope)?),
            ExprKind::Tuple(items) => Value::tuple(self.exprs(items, scope)?),
            ExprKind::Set(items) => self.set_of(self.exprs(items, scope)?)?,
            ExprKind::Dict(items) => self.dict_display(items, scope)?,
            ExprKind::ListComp(c) => Value::list(self.comprehension(c, scope)?),
            ExprKind::GeneratorExp(c) => Value::iterator(self.comprehension(c, scope)?),
            ExprKind::SetComp(c) => self.set_of(self.comprehension(c, scope)?)?,
            ExprKind::DictComp(key, c) => self.dict_comprehension(key, c, scope)?,
            ExprKind::Lambda(lambda) => Value::Function(self.function(
                Code::Lambda(Rc::new((**lambda).clone())),
                "<lambda>",
                &lambda.params,
                scope,
            )?),
            ExprKind::Named(name, value) => {
                let value = self.expr(value, scope)?;
                scope.assign(&name.name, value.clone());
                value
            }
            ExprKind::Starred(_) => return Err(Fault::refused("`*` has no meaning here")),
            ExprKind::Unsupported(word, _) => return Err(Fault::refused(format!("`{word}` is not supported"))),
        })
    }

    pub(super) fn name(&self, name: &str, scope: &Rc<Scope>) -> Fallible<Value> {
        if let Some(v) = self.lookup(name, scope)? {
            return Ok(v);
        }
        match name {
            "__name__" => return Ok(Value::str(&*scope.file.name)),
            "__file__" => return Ok(Value::str(scope.file.source.name())),
            _ => {}
        }
        self.builtin(name).ok_or_else(|| Fault::raise("NameError", format!("name '{name}' is not defined")))
    }

    /// What a scope, or one around it, calls so: by its own names, or by those of modules of which it imported everything.
    pub(super) fn lookup(&self, name: &str, scope: &Rc<Scope>) -> Fallible<Option<Value>> {
        if let Some(v) = scope.lookup(name) {
            return Ok(Some(v));
        }
        if name.starts_with('_') {
            return Ok(None);
        }
        let root = scope.root();
        for module in root.stars.borrow().iter().rev() {
            if super::library::is_exported(module, name)
                && let Some(v) = self.library(&format!("{module}.{name}"))?
            {
                return Ok(Some(v));
            }
        }
        Ok(None)
    }

    /// Several expressions, `*xs` spread.
    fn exprs(&self, items: &[Expr], scope: &Rc<Scope>) -> Fallible<Vec<Value>> {
        let mut out = Vec::with_capacity(items.len());
        for e in items {
            match &e.kind {
                ExprKind::Starred(inner) => out.extend(self.items(&self.expr(inner, scope)?)?),
                _ => out.push(self.expr(e, scope)?),
            }
        }
        Ok(out)
    }

    fn dict_display(&self, items: &[(Option<Expr>, Expr)], scope: &Rc<Scope>) -> Fallible<Value> {
        let mut map = Map::new();
        for (key, value) in items {
            match key {
                Some(key) => {
                    let key = self.key(self.expr(key, scope)?)?;
                    map.insert(key, self.expr(value, scope)?);
                }
                None => match self.expr(value, scope)? {
                    Value::Dict(d) => map.extend(d.borrow().iter().map(|(k, v)| (k.clone(), v.clone()))),
                    other => {
                        return Err(Fault::raise(
                            "TypeError",
                            format!("'{}' object is not a mapping", other.type_name()),
                        ));
                    }
                },
            }
        }
        Ok(Value::dict(map))
    }

    fn chain(&self, first: &Expr, rest: &[(CompareOp, Expr)], scope: &Rc<Scope>) -> Fallible<Value> {
        let mut left = self.expr(first, scope)?;
        let mut result = Value::Bool(true);
        for (op, right) in rest {
            let right = self.expr(right, scope)?;
            result = self.compare(*op, &left, &right)?;
            // A chain of one may be a tensor, whose truth is nobody's business here.
            if rest.len() > 1 && !self.truth(&result)? {
                return Ok(result);
            }
            left = right;
        }
        Ok(result)
    }

    fn apply(&self, apply: &Apply, scope: &Rc<Scope>) -> Fallible<Value> {
        if let ExprKind::Var(name) = &apply.callee.kind
            && name.name == "super"
            && apply.args.is_empty()
            && scope.lookup("super").is_none()
        {
            return self.zero_argument_super(scope);
        }
        let callee = self.expr(&apply.callee, scope)?;
        let args = self.exprs(&apply.args, scope)?;
        let mut kwargs: Vec<(Rc<str>, Value)> = Vec::with_capacity(apply.kwargs.len());
        for k in &apply.kwargs {
            let value = self.expr(&k.value, scope)?;
            match (&k.name, value) {
                (Some(name), value) => kwargs.push((name.name.as_str().into(), value)),
                (None, Value::Dict(d)) => {
                    for (k, v) in d.borrow().iter() {
                        let Value::Str(k) = &k.0 else {
                            return Err(Fault::raise("TypeError", "keywords must be strings"));
                        };
                        kwargs.push((k.clone(), v.clone()));
                    }
                }
                (None, other) => {
                    let text = format!("argument after ** must be a mapping, not {}", other.type_name());
                    return Err(Fault::raise("TypeError", text));
                }
            }
        }
        if let Value::Host(path) = &callee {
            match &**path {
                "builtins.locals" => return Ok(names_of(scope)),
                "builtins.globals" => return Ok(names_of(&scope.root())),
                _ => {}
            }
        }
        self.call(&callee, args, kwargs)
    }

    fn zero_argument_super(&self, scope: &Rc<Scope>) -> Fallible<Value> {
        let mut at = Some(scope.clone());
        while let Some(s) = at {
            if let Some((class, object)) = &*s.method.borrow() {
                return Ok(Value::Super(Rc::new((class.clone(), object.clone()))));
            }
            at = s.parent.clone();
        }
        Err(Fault::raise("RuntimeError", "super(): no arguments"))
    }

    /// What stands between `[` and `]`.
    fn index(&self, index: &[Index], scope: &Rc<Scope>) -> Fallible<Value> {
        let one = |i: &Index| match i {
            Index::At(e) => self.expr(e, scope),
            Index::Slice { start, stop, step, .. } => {
                let part = |e: &Option<Expr>| e.as_ref().map_or(Ok(Value::None), |e| self.expr(e, scope));
                Ok(Value::Slice(Rc::new([part(start)?, part(stop)?, part(step)?])))
            }
        };
        match index {
            [only] => one(only),
            several => Ok(Value::tuple(several.iter().map(one).collect::<Fallible<_>>()?)),
        }
    }

    fn comprehension(&self, c: &Comprehension, scope: &Rc<Scope>) -> Fallible<Vec<Value>> {
        let mut out = Vec::new();
        self.clauses(
            &c.clauses,
            &Scope::inner(scope, ScopeKind::Function, scope.prefix.clone()),
            scope,
            &mut |inner| {
                out.push(self.expr(&c.element, inner)?);
                Ok(())
            },
        )?;
        Ok(out)
    }

    fn dict_comprehension(&self, key: &Expr, c: &Comprehension, scope: &Rc<Scope>) -> Fallible<Value> {
        let mut map = Map::new();
        self.clauses(
            &c.clauses,
            &Scope::inner(scope, ScopeKind::Function, scope.prefix.clone()),
            scope,
            &mut |inner| {
                let key = self.key(self.expr(key, inner)?)?;
                map.insert(key, self.expr(&c.element, inner)?);
                Ok(())
            },
        )?;
        Ok(Value::dict(map))
    }

    /// Runs `each` for every combination of a comprehension's clauses; the first iterable is evaluated outside (`first`), as in Python.
    fn clauses(
        &self,
        clauses: &[Clause],
        inner: &Rc<Scope>,
        first: &Rc<Scope>,
        each: &mut dyn FnMut(&Rc<Scope>) -> Fallible<()>,
    ) -> Fallible<()> {
        let Some((clause, rest)) = clauses.split_first() else { return each(inner) };
        let items = self.items(&self.expr(&clause.iter, first)?)?;
        'items: for item in items {
            self.spend(1)?;
            self.assign(&clause.target, item, inner)?;
            for condition in &clause.conditions {
                if !self.truth(&self.expr(condition, inner)?)? {
                    continue 'items;
                }
            }
            self.clauses(rest, inner, inner, each)?;
        }
        Ok(())
    }

    fn fstring(&self, parts: &[FPart], scope: &Rc<Scope>) -> Fallible<String> {
        let mut out = String::new();
        for part in parts {
            match part {
                FPart::Text(bytes) => out.push_str(&String::from_utf8_lossy(bytes)),
                FPart::Field { value, conversion, format } => {
                    let value = self.expr(value, scope)?;
                    let value = match conversion {
                        Some('r' | 'a') => Value::str(self.repr(&value)?),
                        Some(_) => Value::str(self.text(&value)?),
                        None => value,
                    };
                    out.push_str(&self.formatted(&value, format.as_deref().unwrap_or(""))?);
                }
            }
        }
        Ok(out)
    }
}

fn names_of(scope: &Rc<Scope>) -> Value {
    Value::dict(scope.names.borrow().iter().map(|(k, v)| (Key::text(k), v.clone())).collect())
}

/// A literal's value.
fn number(n: &Number) -> Fallible<Value> {
    let text: String = n.text.chars().filter(|c| *c != '_').collect();
    let bad = || Fault::raise("OverflowError", format!("the number {} is too large", n.text));
    Ok(match n.kind {
        NumberKind::Int => {
            let lower = text.to_ascii_lowercase();
            let parsed = match lower.get(..2) {
                Some("0x") => i64::from_str_radix(&lower[2..], 16),
                Some("0o") => i64::from_str_radix(&lower[2..], 8),
                Some("0b") => i64::from_str_radix(&lower[2..], 2),
                _ => lower.parse(),
            };
            Value::Int(parsed.map_err(|_| bad())?)
        }
        NumberKind::Float => Value::Float(text.parse().map_err(|_| bad())?),
        NumberKind::Imaginary => Value::Complex(0.0, text.trim_end_matches(['j', 'J']).parse().map_err(|_| bad())?),
    })
}
