//! Names of a Python file while its functions are compiled: what a name stands for in Python decides what it is in TorchScript.

use super::program::Session;
use super::value::*;
use super::{Fallible, Fault};
use sconce_graph::graph::{Loc, ValueId};
use sconce_schema::Type;
use sconce_schema::types::NamedTuple;
use sconce_script::emit::{
    Compiler, Declaration, Emitter, Manner, Named, PYTHON_CLASSES, Receiver, Resolver, Result, Sugared, SugaredValue,
};
use sconce_syntax::script::tree::{ClassDef, Def, Expr, ExprKind, Index, Stmt, StmtKind};
use sconce_tensor::IValue;
use std::rc::{Rc, Weak};
use std::sync::Arc;

/// The names that one function or class sees.
pub(super) struct FileResolver {
    pub session: Option<Rc<Session>>,
    pub scope: Rc<Scope>,
}

/// What PyTorch writes in Python, by dotted name.
pub(super) struct Library {
    pub session: Weak<Session>,
}

impl Resolver for FileResolver {
    fn is_python(&self) -> bool {
        true
    }

    fn resolve(&self, compiler: &mut Compiler, name: &str, place: &Loc) -> Result<Option<Sugared>> {
        let Some(session) = &self.session else { return Ok(None) };
        if let Some(names) = &session.options.names
            && let Some(found) = names.resolve(compiler, name, place)?
        {
            return Ok(Some(found));
        }
        let found = session.evaluator.lookup(name, &self.scope).map_err(|f| session.refuse(compiler, place, f))?;
        let Some(v) = found.or_else(|| session.evaluator.builtin(name)) else { return Ok(None) };
        session.sugar(compiler, &v, false, place).map_err(|f| session.refuse(compiler, place, f))
    }

    fn resolve_type(&self, compiler: &mut Compiler, name: &str, place: &Loc) -> Result<Option<Type>> {
        let Some(session) = &self.session else { return Ok(None) };
        if let Some(names) = &session.options.names
            && let Some(found) = names.resolve_type(compiler, name, place)?
        {
            return Ok(Some(found));
        }
        let found = session.named_type(compiler, &self.scope, name);
        found.map_err(|f| session.refuse(compiler, place, f))
    }
}

impl Resolver for Library {
    fn resolve(&self, compiler: &mut Compiler, name: &str, place: &Loc) -> Result<Option<Sugared>> {
        let Some(session) = self.session.upgrade() else { return Ok(None) };
        let found = match session.evaluator.library(name) {
            // The compiler knows these better.
            Ok(None) => Ok(None),
            Ok(Some(Value::Host(path))) if !path.contains("::") => Ok(session.provided(compiler, &path, place)),
            Ok(Some(v)) => session.sugar(compiler, &v, true, place),
            Err(f) => Err(f),
        };
        found.map_err(|f| session.refuse(compiler, place, f))
    }
    fn resolve_type(&self, compiler: &mut Compiler, name: &str, place: &Loc) -> Result<Option<Type>> {
        let Some(session) = self.session.upgrade() else { return Ok(None) };
        let found = match session.evaluator.library(name) {
            Ok(Some(v)) => session.type_of(compiler, &v).map(|t| t.ok()),
            Ok(None) => Ok(None),
            Err(f) => Err(f),
        };
        found.map_err(|f| session.refuse(compiler, place, f))
    }
}

/// Context managers that do nothing while a module is built, and the script classes that they are in TorchScript.
const CONTEXTS: &[(&str, &str)] = &[
    ("torch.no_grad", "torch.autograd.grad_mode.no_grad"),
    ("torch.autograd.profiler.record_function", "torch.autograd.profiler.record_function"),
];

impl Session {
    /// A possibly dotted name of a scope as a type.
    fn named_type(&self, compiler: &mut Compiler, scope: &Rc<Scope>, name: &str) -> Fallible<Option<Type>> {
        let mut parts = name.split('.');
        let first = parts.next().unwrap_or_default();
        let found = self.evaluator.lookup(first, scope)?;
        let Some(mut v) = found.or_else(|| self.evaluator.builtin(first)) else { return Ok(None) };
        for part in parts {
            match self.evaluator.find_attribute(&v, part)? {
                Some(next) => v = next,
                None => return Ok(None),
            }
        }
        Ok(self.type_of(compiler, &v)?.ok())
    }

    /// What a Python value is to the compiler; `constant`: plain values may be used as they are, as members of modules may.
    pub(super) fn sugar(
        &self,
        compiler: &mut Compiler,
        v: &Value,
        constant: bool,
        place: &Loc,
    ) -> Fallible<Option<Sugared>> {
        Ok(Some(match v {
            Value::Bool(_)
            | Value::Int(_)
            | Value::Float(_)
            | Value::Complex(..)
            | Value::Str(_)
            | Value::None
            | Value::Tuple(_)
                if constant =>
            {
                match self.infer(compiler, v, 0)? {
                    Ok(ty) => Sugared::Constant(ty.clone(), self.ivalue(compiler, v, &ty)?),
                    Err(_) => opaque(v),
                }
            }
            Value::None => return Ok(None),
            Value::Setting(_, n) => Sugared::Constant(Type::Int, IValue::Int(*n)),
            Value::Device(d) if constant => Sugared::Constant(Type::Device, IValue::Device(d.clone())),
            Value::Instance(i) if i.class.form == ClassForm::Enum => {
                let class = self.enum_class(compiler, &i.class)?;
                let value = self.ivalue(compiler, v, &Type::Any)?;
                Sugared::Constant(Type::Enum(class), value)
            }
            Value::Function(f) => match f.modifier.get() {
                Modifier::Ignore | Modifier::Unused => dropped(f),
                _ => Sugared::Function(self.function_names(compiler, f)?),
            },
            Value::StaticMethod(f) => return self.sugar(compiler, f, constant, place),
            Value::Method(m) => return self.sugar(compiler, &m.1, constant, place),
            Value::Class(c) => self.class(compiler, c)?,
            Value::Host(path) => {
                if let Some(known) = self.provided(compiler, path, place).or_else(|| python_class(path)) {
                    return Ok(Some(known));
                }
                let member = path.rsplit_once('.').map(|(module, name)| compiler.module_member(module, name));
                return Ok(member.transpose()?.flatten().or_else(|| Some(Sugared::namespace(path))));
            }
            Value::Generic(g) if &*g.0 == "torch._jit_internal.boolean_dispatch" => {
                self.dispatch(compiler, &g.1, place)?
            }
            other => opaque(other),
        }))
    }

    /// What Sconce provides, to the compiler; `None` for what the compiler knows itself.
    fn provided(&self, compiler: &mut Compiler, path: &Rc<str>, place: &Loc) -> Option<Sugared> {
        if path.contains("::") {
            return Some(Sugared::builtin(path));
        }
        if let Some(name) = path.strip_prefix("builtins.") {
            return super::builtins::is_exception(name).then(|| Sugared::Exception(Some(Arc::from(&**path))));
        }
        if let Some((_, class)) = CONTEXTS.iter().find(|(p, _)| *p == &**path) {
            let found = self.evaluator.library(class).ok().flatten()?;
            return self.sugar(compiler, &found, true, place).ok().flatten();
        }
        super::library::is_package(path).then(|| Sugared::namespace(path))
    }

    fn dispatch(&self, compiler: &mut Compiler, parts: &[Value], place: &Loc) -> Fallible<Sugared> {
        let [argument, index, default, if_true, if_false] = parts else {
            return Err(Fault::refused("boolean_dispatch takes five arguments"));
        };
        let mut side = |v: &Value| match self.sugar(compiler, v, false, place)? {
            Some(s) => Ok(Rc::new(s)),
            None => Err(Fault::refused("boolean_dispatch of something that is no function")),
        };
        Ok(Sugared::BooleanDispatch {
            if_true: side(if_true)?,
            if_false: side(if_false)?,
            index: usize::try_from(super::builtins::int(index)?).unwrap_or(0),
            argument: Arc::from(argument.as_str().unwrap_or_default()),
            default: matches!(default, Value::Bool(true)),
        })
    }

    // -- functions

    /// The qualified name of a function, which is declared if it was not.
    pub(super) fn function_name(&self, compiler: &mut Compiler, f: &Rc<Function>) -> Fallible<Arc<str>> {
        let at = Rc::as_ptr(f) as usize;
        if let Some(name) = self.names.borrow().get(&at) {
            return Ok(name.clone());
        }
        let traced = f.traced.borrow().clone();
        if let Some(traced) = traced {
            let name = self.traced_function(compiler, f, &traced)?;
            self.alive.borrow_mut().push(Value::Function(f.clone()));
            self.names.borrow_mut().insert(at, name.clone());
            return Ok(name);
        }
        let name = self.free_name(compiler, &format!("__torch__.{}.{}", f.closure.file.name, function_text(&f.name)));
        let Some(declaration) = self.declaration(compiler, f, &f.name, None)? else {
            return Err(Fault::raise(
                "RuntimeError",
                "Could not get a qualified name for a lambda: TorchScript compiles functions that are defined with def",
            ));
        };
        self.alive.borrow_mut().push(Value::Function(f.clone()));
        self.names.borrow_mut().insert(at, name.clone());
        compiler.declare_function(&name, declaration);
        Ok(name)
    }

    /// The same with all overloads that `@torch.jit._overload` gave it.
    fn function_names(&self, compiler: &mut Compiler, f: &Rc<Function>) -> Fallible<Rc<[Arc<str>]>> {
        if f.overloads.borrow().is_empty() {
            return Ok(Rc::from([self.function_name(compiler, f)?]));
        }
        let mut names = Vec::new();
        for overload in f.overloads.borrow().iter() {
            let at = Rc::as_ptr(overload) as usize;
            let known = self.names.borrow().get(&at).cloned();
            if let Some(name) = known {
                names.push(name);
                continue;
            }
            let name = self.free_name(compiler, &format!("__torch__.{}.{}", f.closure.file.name, f.name));
            if let Some(declaration) = self.overload_declaration(compiler, f, overload, &f.name, None)? {
                self.alive.borrow_mut().push(Value::Function(overload.clone()));
                self.names.borrow_mut().insert(at, name.clone());
                compiler.declare_function(&name, declaration);
                names.push(name);
            }
        }
        Ok(names.into())
    }

    /// A function as the compiler wants it; `None` for lambdas.
    pub(super) fn declaration(
        &self,
        compiler: &mut Compiler,
        f: &Rc<Function>,
        name: &str,
        receiver: Option<Receiver>,
    ) -> Fallible<Option<Declaration>> {
        let Some(def) = f.def() else { return Ok(None) };
        let renamed = def.name.name != name;
        let def = if renamed {
            let mut copy = Def::clone(def);
            copy.name.name = name.to_owned();
            Rc::new(copy)
        } else {
            def.clone()
        };
        Ok(Some(Declaration {
            source: f.closure.file.source.clone(),
            resolver: self.resolver(&f.closure),
            receiver,
            defaults: self.defaults(compiler, &def, &f.defaults)?,
            def,
        }))
    }

    /// The body of `f` with the signature of an overload.
    pub(super) fn overload_declaration(
        &self,
        compiler: &mut Compiler,
        f: &Rc<Function>,
        overload: &Rc<Function>,
        name: &str,
        receiver: Option<Receiver>,
    ) -> Fallible<Option<Declaration>> {
        let (Some(body), Some(signature)) = (f.def(), overload.def()) else { return Ok(None) };
        let mut def = Def::clone(body);
        def.name.name = name.to_owned();
        def.params = signature.params.clone();
        // A default that is no value of the parameter's type is none.
        for p in &mut def.params {
            let text = matches!(&p.default, Some(d) if matches!(d.kind, ExprKind::Str(_)));
            if text && p.annotation.as_ref().is_some_and(|a| !mentions_str(a)) {
                p.default = None;
            }
        }
        def.returns = signature.returns.clone();
        Ok(Some(Declaration {
            source: f.closure.file.source.clone(),
            resolver: self.resolver(&f.closure),
            receiver,
            defaults: self.defaults(compiler, &def, &overload.defaults)?,
            def: Rc::new(def),
        }))
    }

    fn defaults(
        &self,
        compiler: &mut Compiler,
        def: &Def,
        values: &[Option<Value>],
    ) -> Fallible<Vec<(Arc<str>, IValue)>> {
        let mut out = Vec::new();
        for (p, v) in def.params.iter().zip(values) {
            let (Some(v), true) = (v, p.default.is_some()) else { continue };
            // What has no type here is refused by the compiler, which sees the tree.
            if let Ok(ty) = self.infer(compiler, v, 0)? {
                out.push((Arc::from(p.name.name.as_str()), self.ivalue(compiler, v, &ty)?));
            } else if let Value::List(items) = v
                && items.borrow().is_empty()
            {
                out.push((Arc::from(p.name.name.as_str()), IValue::list(Type::tensor(), Vec::new())));
            }
        }
        Ok(out)
    }

    // -- classes

    fn class(&self, compiler: &mut Compiler, c: &Rc<Class>) -> Fallible<Sugared> {
        Ok(match c.form {
            ClassForm::Exception => Sugared::Exception(Some(Arc::from(format!("{}.{}", python_module(c), c.name)))),
            ClassForm::Enum => Sugared::Enum(self.enum_class(compiler, c)?),
            ClassForm::NamedTuple => Sugared::NamedTuple(self.named_tuple_type(compiler, c)?),
            ClassForm::Module if !c.interface.get() => {
                Sugared::Custom(Rc::new(ModuleClass { class: c.clone(), session: self.this.borrow().upgrade() }))
            }
            _ => Sugared::Class(self.script_class(compiler, c)?),
        })
    }

    fn known_class(&self, c: &Rc<Class>) -> Option<Arc<str>> {
        self.names.borrow().get(&(Rc::as_ptr(c) as usize)).cloned()
    }
    fn name_class(&self, compiler: &Compiler, c: &Rc<Class>) -> Arc<str> {
        let name = self.free_name(compiler, &format!("__torch__.{}.{}", c.closure.file.name, c.name));
        self.alive.borrow_mut().push(Value::Class(c.clone()));
        self.names.borrow_mut().insert(Rc::as_ptr(c) as usize, name.clone());
        name
    }

    /// The class of an object that nobody said is for scripts: known to programs if all of it can be compiled, `None` otherwise.
    pub(super) fn plain_class(&self, compiler: &mut Compiler, c: &Rc<Class>) -> Fallible<Option<Arc<str>>> {
        let is_python = c.order.borrow().iter().flat_map(|c| &c.host_bases).all(|b| is_harmless(b));
        let address = Rc::as_ptr(c) as usize;
        if c.form != ClassForm::Plain || !is_python || self.uncompilable.borrow().contains(&address) {
            return Ok(None);
        }
        match self.script_class(compiler, c) {
            Ok(name) => Ok(Some(name)),
            Err(fault) if fault.is_limit() => Err(fault),
            Err(_) => {
                if let Some(name) = self.names.borrow_mut().remove(&address) {
                    compiler.forget_class(&name);
                }
                self.uncompilable.borrow_mut().insert(address);
                Ok(None)
            }
        }
    }

    /// A script class or an interface, compiled at its first use.
    pub(super) fn script_class(&self, compiler: &mut Compiler, c: &Rc<Class>) -> Fallible<Arc<str>> {
        if let Some(name) = self.known_class(c) {
            return Ok(name);
        }
        let Some(def) = c.def.borrow().clone() else {
            return Err(Fault::refused(format!("the class {} has no source", c.name)));
        };
        let interface = c.interface.get();
        if let Some(base) = c.order.borrow().iter().flat_map(|c| &c.host_bases).find(|b| !is_harmless(b)) {
            let text = format!("{} is derived from {base}, which TorchScript cannot compile", c.name);
            return Err(Fault::raise("RuntimeError", text).at(&c.closure, def.span));
        }
        let name = self.name_class(compiler, c);
        let source = c.closure.file.source.clone();
        let resolver = self.resolver(&c.closure);
        if interface {
            compiler.define_interface(&name, &def, &source, resolver, c.is_module())?;
        } else {
            compiler.define_script_class(&name, &in_order(&def), &source, resolver)?;
        }
        Ok(name)
    }

    /// An enumeration, entered into the unit at its first use.
    pub(super) fn enum_class(&self, compiler: &mut Compiler, c: &Rc<Class>) -> Fallible<Arc<str>> {
        if let Some(name) = self.known_class(c) {
            return Ok(name);
        }
        let name = self.name_class(compiler, c);
        let mut members = Vec::new();
        let mut joined: Option<Type> = None;
        for (k, m) in super::class::members(c).into_iter().enumerate() {
            let Value::Instance(i) = &m else { continue };
            let value = i.get("value").unwrap_or(Value::None);
            let ty = self.infer(compiler, &value, 0)?.map_err(|why| Fault::raise("RuntimeError", why))?;
            joined = Some(match joined {
                None => ty,
                Some(j) => match sconce_script::emit::types::unify(&j, &ty, false, None) {
                    Some(joined) => joined,
                    None => {
                        let (ty, j) = (ty.annotation_str(), j.annotation_str());
                        let message = format!(
                            "Could not unify type list since element {k} of type {ty} did not match the types before it ({j})"
                        );
                        let span = c.def.borrow().as_ref().map_or_else(Default::default, |d| d.span);
                        let place = Loc { source: c.closure.file.source.clone(), span };
                        let error = compiler.error(&place, message);
                        return Err(sconce_script::emit::Error { manner: Manner::Placeless, ..error }.into());
                    }
                },
            });
            let member: Arc<str> = Arc::from(i.get("name").unwrap_or(Value::None).as_str().unwrap_or_default());
            members.push((member, value));
        }
        let ty = joined
            .ok_or_else(|| Fault::raise("RuntimeError", format!("No enum values defined for: '{}'", c.full_name())))?;
        let mut values = Vec::with_capacity(members.len());
        for (member, value) in members {
            values.push((member, self.ivalue(compiler, &value, &ty)?));
        }
        compiler.define_enum(&name, ty, values);
        Ok(name)
    }

    /// A named tuple's type, entered into the unit at its first use.
    pub(super) fn named_tuple_type(&self, compiler: &mut Compiler, c: &Rc<Class>) -> Fallible<Arc<NamedTuple>> {
        let at = Rc::as_ptr(c) as usize;
        if let Some(t) = self.named_tuples.borrow().get(&at) {
            return Ok(t.clone());
        }
        let mut fields = Vec::new();
        let mut values = Vec::new();
        for (field, annotation) in c.annotations.borrow().iter() {
            let v = self.annotation_value(annotation)?;
            let ty = match self.type_of(compiler, &v)? {
                Ok(t) => t,
                Err(why) => {
                    let text = format!(
                        "Unknown type annotation: '{}' in NamedTuple {}. {why}",
                        self.evaluator.repr(&v)?,
                        c.name
                    );
                    return Err(Fault::raise("ValueError", text));
                }
            };
            let name: Arc<str> = Arc::from(&**field);
            let default = c.attributes.borrow().get(field).cloned();
            if let Some(d) = default {
                values.push((name.clone(), self.ivalue(compiler, &d, &ty)?));
            }
            fields.push((name, ty));
        }
        let mut defaults = Vec::new();
        if !values.is_empty() {
            let text = |n: &Arc<str>| {
                let found = values.iter().find(|(m, _)| m == n);
                found.map(|(_, v)| Arc::from(default_text(v)))
            };
            defaults = fields.iter().map(|(n, _)| text(n)).collect();
        }
        let name = self.free_name(compiler, &format!("__torch__.{}.{}", c.closure.file.name, c.name));
        let ty = Arc::new(NamedTuple { name, fields, defaults });
        compiler.define_named_tuple(&ty, values);
        self.alive.borrow_mut().push(Value::Class(c.clone()));
        self.named_tuples.borrow_mut().insert(at, ty.clone());
        Ok(ty)
    }
}

/// May a value of this annotated type be a string?
fn mentions_str(annotation: &Expr) -> bool {
    match &annotation.kind {
        ExprKind::Var(name) => name.name == "str",
        ExprKind::Subscript(of, items) => {
            let inner = |i: &Index| matches!(i, Index::At(e) if mentions_str(e));
            mentions_str(of) || items.iter().any(inner)
        }
        ExprKind::Binary(_, a, b) => mentions_str(a) || mentions_str(b),
        _ => false,
    }
}

/// A script class's tree with its methods in alphabetical order, as PyTorch collects them, without those that are dropped.
fn in_order(def: &ClassDef) -> ClassDef {
    let mut sorted = def.clone();
    let name = |s: &Stmt| if let StmtKind::Def(d) = &s.kind { d.name.name.clone() } else { String::new() };
    sorted.body.sort_by_key(name);
    sorted
}

/// A default as graph text writes it.
fn default_text(v: &IValue) -> String {
    match v {
        IValue::None => "None".to_owned(),
        IValue::Bool(b) => if *b { "True" } else { "False" }.to_owned(),
        IValue::Double(d) if d.fract() == 0.0 && d.abs() < 1e10 => format!("{d:.0}."),
        IValue::Double(d) => sconce_schema::text::python_float(*d),
        IValue::Str(s) => format!("\"{s}\""),
        other => format!("{other:?}"),
    }
}

fn python_module(c: &Rc<Class>) -> Rc<str> {
    c.closure.file.name.clone()
}

/// Names as they stand in qualified names.
fn function_text(name: &str) -> &str {
    if name == "<lambda>" { "_lambda" } else { name }
}

fn opaque(v: &Value) -> Sugared {
    Sugared::Custom(Rc::new(PythonValue { type_name: v.type_name() }))
}

/// A builtin class that only Python has: its call is one of Python's.
fn python_class(path: &str) -> Option<Sugared> {
    let name = path.strip_prefix("builtins.").filter(|name| PYTHON_CLASSES.contains(name))?;
    Some(Sugared::Python(Rc::new(sconce_script::emit::PythonValue::opaque("type", name))))
}

fn dropped(f: &Rc<Function>) -> Sugared {
    Sugared::Custom(Rc::new(Dropped { name: f.name.clone() }))
}

/// A value that only Python knows.
struct PythonValue {
    type_name: Rc<str>,
}

impl SugaredValue for PythonValue {
    fn kind(&self) -> String {
        format!("python value of type '{}'", self.type_name)
    }
    fn as_value(&self, emitter: &mut Emitter<'_>, place: &Loc) -> Result<ValueId> {
        let text = format!(
            "{} cannot be used as a value. Perhaps it is a closed over global variable? If so, please consider passing it in as an argument or use a local variable instead.",
            self.kind()
        );
        Err(emitter.error(place, text))
    }
}

/// A function under `@torch.jit.ignore` or `unused`.
struct Dropped {
    name: Rc<str>,
}

impl SugaredValue for Dropped {
    fn kind(&self) -> String {
        format!("python function '{}'", self.name)
    }
}

/// An `nn.Module` class as a value: its static methods can be called.
struct ModuleClass {
    class: Rc<Class>,
    session: Option<Rc<Session>>,
}

impl SugaredValue for ModuleClass {
    fn kind(&self) -> String {
        format!("python value of type '{}'", "type")
    }
    fn call(&self, emitter: &mut Emitter<'_>, place: &Loc, _: &[Named], _: &[Named]) -> Result<Sugared> {
        let message = format!("Cannot instantiate class '{}' in a script function", self.class.name);
        Err(sconce_script::emit::Error { manner: Manner::Frontend, ..emitter.error(place, message) })
    }
    fn attr(&self, emitter: &mut Emitter<'_>, place: &Loc, name: &str) -> Result<Sugared> {
        let missing = |emitter: &mut Emitter<'_>| {
            emitter.error(place, format!("'{}' object has no attribute or method '{name}'", self.kind()))
        };
        let (Some(session), Some(v)) = (&self.session, self.class.get(name)) else { return Err(missing(emitter)) };
        let found = session.sugar(emitter.compiler, &v, true, place);
        match found.map_err(|f| session.refuse(emitter.compiler, place, f))? {
            Some(s) => Ok(s),
            None => Err(missing(emitter)),
        }
    }
}

/// A base class of Python's own that adds nothing that would have to be compiled.
fn is_harmless(base: &str) -> bool {
    matches!(base, "builtins.object" | "abc.ABC" | "typing.Generic" | "typing.Protocol")
}
