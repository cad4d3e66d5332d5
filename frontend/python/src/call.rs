//! Calls: arguments meet parameters as in Python, instances are made, decorators of `torch.jit` mark what they decorate.

use super::eval::Flow;
use super::trace::TracedMethod;
use super::value::*;
use super::{Evaluator, Fallible, Fault};
use sconce_syntax::script::tree::{Param, ParamKind};
use std::rc::Rc;

pub(super) type Kwargs = Vec<(Rc<str>, Value)>;

impl Evaluator {
    pub(crate) fn call(&self, callee: &Value, args: Vec<Value>, kwargs: Kwargs) -> Fallible<Value> {
        self.spend(1)?;
        match callee {
            Value::Function(f) if self.is_tracing() && (f.modifier.get() == Modifier::Script) => {
                self.call_opaque(callee, f, args, kwargs)
            }
            Value::Function(f) => match f.traced.borrow().as_ref().and_then(|t| t.methods.first()) {
                Some(method) => self.call_traced(method, None, args, kwargs),
                None => self.call_function(f, args, kwargs),
            },
            Value::Method(m) => {
                if let (Value::Instance(i), Value::Function(f)) = (&m.0, &m.1)
                    && let Some(traced) = i.traced()
                    && let Some(method) = traced.methods.iter().find(|t| t.name == f.name)
                {
                    return self.call_traced(method, Some(&m.0), args, kwargs);
                }
                let mut all = Vec::with_capacity(args.len() + 1);
                all.push(m.0.clone());
                all.extend(args);
                self.call(&m.1, all, kwargs)
            }
            Value::Class(class) => self.instantiate(class, args, kwargs),
            Value::Host(path) => self.call_host(path, args, kwargs),
            Value::BoundHost(b) => self.call_value_method(&b.0, &b.1, args, kwargs),
            Value::Instance(i) => match i.class.get("__call__") {
                Some(call) => self.call(&Value::Method(Rc::new((callee.clone(), call))), args, kwargs),
                None if i.class.is_module() && i.is_script() && self.is_tracing() => {
                    self.call_opaque_module(callee, i, args, kwargs)
                }
                None if i.class.is_module() => self.call_module(callee, i, args, kwargs),
                None => Err(not_callable(callee)),
            },
            Value::StaticMethod(f) | Value::ClassMethod(f) => self.call(f, args, kwargs),
            Value::Generic(g) if &*g.0 == "torch._jit_internal.boolean_dispatch" => {
                let chosen = self.dispatched(&g.1, &args, &kwargs)?;
                self.call(&chosen, args, kwargs)
            }
            _ => Err(not_callable(callee)),
        }
    }

    pub(crate) fn call_method(&self, object: &Value, name: &str, args: Vec<Value>) -> Fallible<Value> {
        self.call_method_with(object, name, args, Vec::new())
    }
    fn call_method_with(&self, object: &Value, name: &str, args: Vec<Value>, kwargs: Kwargs) -> Fallible<Value> {
        let method = self.attribute(object, name)?;
        self.call(&method, args, kwargs)
    }

    /// `module(…)`: hooks before, `forward`, hooks behind, as `nn.Module` calls them.
    fn call_module(&self, module: &Value, i: &Instance, mut args: Vec<Value>, kwargs: Kwargs) -> Fallible<Value> {
        for hook in hooks(i, "_forward_pre_hooks") {
            match self.call(&hook, vec![module.clone(), Value::tuple(args.clone())], Vec::new())? {
                Value::None => {}
                Value::Tuple(changed) => args = changed.to_vec(),
                changed => args = vec![changed],
            }
        }
        let entered = self.enter_scope(i);
        let result = self.call_method_with(module, "forward", args.clone(), kwargs);
        if entered {
            self.leave_scope();
        }
        let mut result = result?;
        for hook in hooks(i, "_forward_hooks") {
            match self.call(&hook, vec![module.clone(), Value::tuple(args.clone()), result.clone()], Vec::new())? {
                Value::None => {}
                changed => result = changed,
            }
        }
        Ok(result)
    }

    /// Which of its two functions a `boolean_dispatch` calls.
    fn dispatched(&self, parts: &[Value], args: &[Value], kwargs: &Kwargs) -> Fallible<Value> {
        let [argument, index, default, if_true, if_false] = parts else {
            return Err(Fault::refused("boolean_dispatch takes five arguments"));
        };
        let named = kwargs.iter().find(|(k, _)| Some(&**k) == argument.as_str()).map(|(_, v)| v);
        let index = usize::try_from(super::builtins::int(index)?).unwrap_or(usize::MAX);
        let chosen = self.truth(named.or_else(|| args.get(index)).unwrap_or(default))?;
        Ok(if chosen { if_true } else { if_false }.clone())
    }

    /// Runs a recorded graph.
    fn call_traced(
        &self,
        method: &TracedMethod,
        module: Option<&Value>,
        mut args: Vec<Value>,
        mut kwargs: Kwargs,
    ) -> Fallible<Value> {
        for name in method.parameters.iter().skip(args.len()) {
            let Some(at) = kwargs.iter().position(|(k, _)| k == name) else { break };
            args.push(kwargs.remove(at).1);
        }
        let expected = method.parameters.len();
        if args.len() != expected || !kwargs.is_empty() {
            let text = format!("{}() expected {expected} arguments but received {}", method.name, args.len());
            return Err(Fault::raise("RuntimeError", text));
        }
        self.replay(method, module, args)
    }

    fn call_function(&self, f: &Rc<Function>, args: Vec<Value>, kwargs: Kwargs) -> Fallible<Value> {
        let depth = self.depth.get() + 1;
        if depth > self.limits.depth {
            return Err(Fault::raise("RecursionError", "maximum recursion depth exceeded"));
        }
        self.depth.set(depth);
        let place = self.place.borrow().clone();
        let result = self.run_function(f, args, kwargs);
        self.place.replace(place);
        self.depth.set(depth - 1);
        result
    }

    fn run_function(&self, f: &Rc<Function>, args: Vec<Value>, kwargs: Kwargs) -> Fallible<Value> {
        let scope = Scope::inner(&f.closure, ScopeKind::Function, format!("{}.<locals>.", f.qualified).into());
        if let Some(class) = &*f.class.borrow() {
            *scope.method.borrow_mut() = args.first().map(|first| (class.clone(), first.clone()));
        }
        let params: &[Param] = match &f.code {
            Code::Def(def) => &def.params,
            Code::Lambda(lambda) => &lambda.params,
        };
        bind(&f.qualified, params, &f.defaults, args, kwargs, &scope)?;
        match &f.code {
            Code::Lambda(lambda) => self.expr(&lambda.body, &scope),
            Code::Def(def) => {
                if let Some(place) = first_yield(def) {
                    return Err(Fault::refused("`yield` is not supported").at(&scope, place));
                }
                match self.block(&def.body, &scope)? {
                    Flow::Return(v) => Ok(v),
                    _ => Ok(Value::None),
                }
            }
        }
    }

    /// `Class(…)`
    pub(crate) fn instantiate(&self, class: &Rc<Class>, args: Vec<Value>, kwargs: Kwargs) -> Fallible<Value> {
        match class.form {
            ClassForm::Enum => return self.enum_member_of(class, args.first()),
            ClassForm::NamedTuple => return self.make_named_tuple(class, args, kwargs),
            _ => {}
        }
        let instance = Rc::new(Instance::new(class.clone()));
        let value = Value::Instance(instance.clone());
        match class.get("__init__") {
            Some(init) => {
                if class.form == ClassForm::Exception {
                    instance.set("args", Value::tuple(args.clone()));
                }
                self.call(&Value::Method(Rc::new((value.clone(), init))), args, kwargs)?;
            }
            None if class.form == ClassForm::Exception => instance.set("args", Value::tuple(args)),
            None if args.is_empty() && kwargs.is_empty() => {}
            None => return Err(Fault::raise("TypeError", format!("{}() takes no arguments", class.name))),
        }
        Ok(value)
    }

    /// Does `except class` catch a fault?
    pub(super) fn catches(&self, class: &Value, fault: &Fault) -> bool {
        match class {
            Value::Tuple(classes) => classes.iter().any(|c| self.catches(c, fault)),
            Value::Host(path) => match (fault.builtin_class(), fault.instance()) {
                (Some(name), _) => super::builtins::exception_derives(&format!("builtins.{name}"), path),
                (None, Some(Value::Instance(i))) => i.class.derives_from_host(path),
                _ => false,
            },
            Value::Class(c) => matches!(fault.instance(), Some(Value::Instance(i)) if i.class.derives_from(c)),
            _ => false,
        }
    }
}

/// The hooks of a module, in the order they were registered.
fn hooks(i: &Instance, registry: &str) -> Vec<Value> {
    i.dict(registry).map(|d| d.borrow().values().cloned().collect()).unwrap_or_default()
}

fn not_callable(v: &Value) -> Fault {
    Fault::raise("TypeError", format!("'{}' object is not callable", v.type_name()))
}

/// Where a body yields, in statements of its own.
fn first_yield(def: &sconce_syntax::script::tree::Def) -> Option<sconce_syntax::Span> {
    use sconce_syntax::script::tree::{ExprKind, StmtKind};
    def.body.iter().find_map(|s| match &s.kind {
        StmtKind::Expr(e) => match &e.kind {
            ExprKind::Unsupported("yield", _) => Some(e.span),
            _ => None,
        },
        _ => None,
    })
}

/// Puts arguments under the parameters' names.
fn bind(
    name: &str,
    params: &[Param],
    defaults: &[Option<Value>],
    args: Vec<Value>,
    mut kwargs: Kwargs,
    scope: &Rc<Scope>,
) -> Fallible<()> {
    let given = args.len();
    let mut args = args.into_iter();
    let mut missing = Vec::new();
    let mut names = scope.names.borrow_mut();
    for (i, p) in params.iter().enumerate() {
        let key: Rc<str> = p.name.name.as_str().into();
        let keyword = kwargs.iter().position(|(k, _)| **k == *key && p.kind != ParamKind::PositionalOnly);
        let value = match p.kind {
            ParamKind::Rest => Value::tuple(args.by_ref().collect()),
            ParamKind::Keywords => {
                Value::dict(std::mem::take(&mut kwargs).into_iter().map(|(k, v)| (Key(Value::Str(k)), v)).collect())
            }
            _ => {
                let positional = if p.kind == ParamKind::KeywordOnly { None } else { args.next() };
                match (positional, keyword) {
                    (Some(_), Some(_)) => {
                        let text = format!("{name}() got multiple values for argument '{key}'");
                        return Err(Fault::raise("TypeError", text));
                    }
                    (Some(v), None) => v,
                    (None, Some(at)) => kwargs.remove(at).1,
                    (None, None) => match defaults.get(i).cloned().flatten() {
                        Some(v) => v,
                        None => {
                            missing.push(format!("'{key}'"));
                            continue;
                        }
                    },
                }
            }
        };
        names.insert(key, value);
    }
    if !missing.is_empty() {
        let text = format!(
            "{name}() missing {} required positional argument{}: {}",
            missing.len(),
            if missing.len() == 1 { "" } else { "s" },
            listed(&missing)
        );
        return Err(Fault::raise("TypeError", text));
    }
    if args.next().is_some() {
        return Err(Fault::raise("TypeError", too_many(name, params, defaults, given)));
    }
    if let Some((k, _)) = kwargs.first() {
        return Err(Fault::raise("TypeError", format!("{name}() got an unexpected keyword argument '{k}'")));
    }
    Ok(())
}

/// `'a'`, `'a' and 'b'`, `'a', 'b', and 'c'`
fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [a, b] => format!("{a} and {b}"),
        [most @ .., last] => format!("{}, and {last}", most.join(", ")),
    }
}

fn too_many(name: &str, params: &[Param], defaults: &[Option<Value>], given: usize) -> String {
    let positional = |p: &Param| matches!(p.kind, ParamKind::Plain | ParamKind::PositionalOnly);
    let most = params.iter().filter(|p| positional(p)).count();
    let has_default = |i: usize| defaults.get(i).is_some_and(Option::is_some);
    let least = params.iter().enumerate().filter(|(i, p)| positional(p) && !has_default(*i)).count();
    let takes = if least < most { format!("from {least} to {most}") } else { most.to_string() };
    let plural = if least < most || most != 1 { "s" } else { "" };
    let were = if given == 1 { "was" } else { "were" };
    format!("{name}() takes {takes} positional argument{plural} but {given} {were} given")
}
