//! Module instances become concrete module types, classes of the unit and objects, by PyTorch's rules of what is a parameter, an attribute, a constant.

use super::cast::attribute_fault;
use super::module::OWN;
use super::program::Session;
use super::value::*;
use super::{Fallible, Fault};
use rustc_hash::FxHashSet;
use sconce_graph::graph::{Loc, SourceText};
use sconce_graph::unit::{AttributeKind, ClassKind};
use sconce_schema::Type;
use sconce_script::concrete::{ConcreteModule, FunctionAttribute, Iterable};
use sconce_script::emit::{Compiler, Declaration, Receiver, Resolver};
use sconce_syntax::script::tree::StmtKind;
use sconce_tensor::{IValue, Object};
use std::rc::Rc;
use std::sync::Arc;

/// A concrete type with what it was made from.
pub(super) struct Built {
    pub module: Arc<ConcreteModule>,
    pub class: Rc<Class>,
    pub hooks: Vec<Value>,
    pub pre_hooks: Vec<Value>,
}

/// The least that two modules must share to have one type; the class's name aside.
fn same_type(a: &ConcreteModule, b: &ConcreteModule) -> bool {
    let constants = |x: &ConcreteModule, y: &ConcreteModule| {
        x.constants.len() == y.constants.len()
            && x.constants.iter().all(|(n, (t, v))| {
                y.constants.get(n).is_some_and(|(u, w)| t == u && format!("{v:?}") == format!("{w:?}"))
            })
    };
    a.attributes == b.attributes
        && constants(a, b)
        && a.modules.len() == b.modules.len()
        && a.modules.iter().zip(&b.modules).all(|((n, x), (m, y))| n == m && Arc::ptr_eq(x, y))
        && a.functions == b.functions
        && a.failed.keys().eq(b.failed.keys())
        && a.iterable == b.iterable
}

impl Session {
    /// The concrete type of an instance, made or found among those of its class.
    pub(super) fn module(&self, compiler: &mut Compiler, i: &Rc<Instance>) -> Fallible<Arc<ConcreteModule>> {
        self.built(compiler, i).map(|b| b.module.clone())
    }

    pub(super) fn built(&self, compiler: &mut Compiler, i: &Rc<Instance>) -> Fallible<Rc<Built>> {
        if i.traced().is_some() {
            return self.bare(compiler, i);
        }
        stacker::maybe_grow(256 << 10, 4 << 20, || self.build(compiler, i))
    }

    fn build(&self, compiler: &mut Compiler, i: &Rc<Instance>) -> Fallible<Rc<Built>> {
        let class = &i.class;
        if i.dict("_parameters").is_none() {
            let text = format!("'{}' has not been initialized, did you forget to call 'super()'?", class.full_name());
            return Err(Fault::raise("RuntimeError", text));
        }
        let mut module = self.concrete(compiler, i)?;
        let hooks = hook_list(i, "_forward_hooks");
        let pre_hooks = hook_list(i, "_forward_pre_hooks");
        let at = Rc::as_ptr(class) as usize;
        let same_hooks = |a: &[Value], b: &[Value]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b));
        let known = self.types.borrow().get(&at).and_then(|all| {
            let fits = |b: &&Rc<Built>| {
                same_type(&b.module, &module) && same_hooks(&b.hooks, &hooks) && same_hooks(&b.pre_hooks, &pre_hooks)
            };
            all.iter().find(fits).cloned()
        });
        if let Some(known) = known {
            return Ok(known);
        }
        let name = self.free_name(compiler, &format!("__torch__.{}.{}", class.closure.file.name, class.name));
        module.class = name;
        module.python_name = class.full_name().as_str().into();
        let built = Rc::new(Built { module: Arc::new(module), class: class.clone(), hooks, pre_hooks });
        compiler.define_module_class(&built.module);
        self.alive.borrow_mut().push(Value::Class(class.clone()));
        self.types.borrow_mut().entry(at).or_default().push(built.clone());
        self.declare_methods(compiler, &built)?;
        Ok(built)
    }

    fn concrete(&self, compiler: &mut Compiler, i: &Rc<Instance>) -> Fallible<ConcreteModule> {
        let class = &i.class;
        let mut out = ConcreteModule { iterable: iterable(class), ..ConcreteModule::default() };
        let annotations = self.class_annotations(class);
        let ignored = self.names_of(class, "__jit_ignored_attributes__")?;
        let mut added: Vec<Rc<str>> = Vec::new();
        for (registry, kind) in [("_parameters", AttributeKind::Parameter), ("_buffers", AttributeKind::Buffer)] {
            for (name, item) in entries(i, registry) {
                if ignored.contains(&name) {
                    continue;
                }
                if matches!(&item, Value::Tensor(t) if t.is_lazy()) {
                    return Err(uninitialized(class, &name));
                }
                let ty = self.attribute_type(compiler, &annotations, &name, &item)?.0;
                let ty = ty.map_err(|why| Fault::raise("RuntimeError", why))?;
                out.attributes.push((Arc::from(&*name), ty, kind));
                added.push(name);
            }
        }
        let mut submodules: Vec<(Arc<str>, Type)> = Vec::new();
        for (name, item) in entries(i, "_modules") {
            if ignored.contains(&name) {
                continue;
            }
            let key: Arc<str> = Arc::from(&*name);
            let Value::Instance(sub) = &item else {
                let ty = self.attribute_type(compiler, &annotations, &name, &item)?.0.unwrap_or(Type::None);
                out.attributes.push((key, ty, AttributeKind::Plain));
                continue;
            };
            added.push(name.clone());
            let annotated = match annotations.iter().find(|(n, _)| *n == name) {
                Some((_, a)) => {
                    let v = self.annotation_value(a)?;
                    self.type_of(compiler, &v)?.ok().filter(|t| is_interface(compiler, t))
                }
                None => None,
            };
            match annotated {
                Some(interface) => submodules.push((key, interface)),
                None => {
                    let sub = self.built(compiler, sub)?;
                    submodules.push((key.clone(), Type::Class(sub.module.class.clone())));
                    out.modules.insert(key, sub.module.clone());
                }
            }
        }
        self.constants(compiler, i, &annotations, &mut added, &mut out)?;
        self.data_attributes(compiler, i, &annotations, &ignored, &added, &mut out)?;
        out.attributes.extend(submodules.into_iter().map(|(n, t)| (n, t, AttributeKind::Plain)));
        self.class_members(compiler, class, &mut out)?;
        Ok(out)
    }

    /// The type of an attribute: annotated, given by `torch.jit.Attribute`, or inferred (then the second is true).
    fn attribute_type(
        &self,
        compiler: &mut Compiler,
        annotations: &[(Rc<str>, Annotation)],
        name: &str,
        item: &Value,
    ) -> Fallible<(Result<Type, String>, bool)> {
        if let Some((_, a)) = annotations.iter().find(|(n, _)| &**n == name && name != "forward") {
            let v = self.annotation_value(a)?;
            let ty = self.type_of(compiler, &v)?;
            return Ok((ty, false));
        }
        if let Value::Generic(g) = item
            && &*g.0 == "torch.jit.Attribute"
        {
            let ty = self.type_of(compiler, g.1.get(1).unwrap_or(&Value::None))?;
            return Ok((ty, false));
        }
        Ok((self.infer(compiler, item, 0)?, true))
    }

    /// The strings of a class's list, as `__constants__`.
    fn names_of(&self, class: &Rc<Class>, attribute: &str) -> Fallible<Vec<Rc<str>>> {
        let Some(v) = class.get(attribute) else { return Ok(Vec::new()) };
        let text = |v: Value| if let Value::Str(s) = v { Some(s) } else { None };
        Ok(self.evaluator.items(&v)?.into_iter().filter_map(text).collect())
    }

    fn constants(
        &self,
        compiler: &mut Compiler,
        i: &Rc<Instance>,
        annotations: &[(Rc<str>, Annotation)],
        added: &mut Vec<Rc<str>>,
        out: &mut ConcreteModule,
    ) -> Fallible<()> {
        let object = Value::Instance(i.clone());
        let mut names = self.names_of(&i.class, "__constants__")?;
        for (name, a) in annotations {
            let v = self.annotation_value(a)?;
            let is_final = match &v {
                Value::Generic(g) => &*g.0 == "typing.Final",
                Value::Host(p) => &**p == "typing.Final",
                _ => false,
            };
            if is_final && !names.contains(name) {
                names.push(name.clone());
            }
        }
        for name in names {
            if added.contains(&name) {
                continue;
            }
            let Some(v) = self.evaluator.find_attribute(&object, &name)? else { continue };
            let v = valid_constant(&name, v, &i.class.name, 0)?;
            let ty = self.infer(compiler, &v, 0)?.unwrap_or(Type::Any);
            let value = self.ivalue(compiler, &v, &ty)?;
            out.constants.insert(Arc::from(&*name), (ty, value));
            added.push(name);
        }
        Ok(())
    }

    fn data_attributes(
        &self,
        compiler: &mut Compiler,
        i: &Rc<Instance>,
        annotations: &[(Rc<str>, Annotation)],
        ignored: &[Rc<str>],
        added: &[Rc<str>],
        out: &mut ConcreteModule,
    ) -> Fallible<()> {
        let attributes: Vec<(Rc<str>, Value)> =
            i.attributes.borrow().iter().map(|(k, v)| (k.clone(), v.clone())).collect();
        for (name, value) in attributes {
            if OWN.contains(&&*name) || name.starts_with("__") || ignored.contains(&name) || added.contains(&name) {
                continue;
            }
            let key: Arc<str> = Arc::from(&*name);
            match &value {
                Value::Function(f) => match self.compiled_function(compiler, f) {
                    Ok(function) => {
                        out.functions.insert(key, FunctionAttribute::Function(function));
                    }
                    Err(fault) => {
                        let hint = format!(
                            "(This function exists as an attribute on the Python module, but we failed to compile it to a TorchScript function. \nThe error stack is reproduced here:\n{})",
                            fault.message()
                        );
                        out.failed.insert(key, hint);
                    }
                },
                Value::Host(path) if path.starts_with("aten::") => {
                    out.functions.insert(key, FunctionAttribute::Builtin(Arc::from(&**path)));
                }
                _ => match self.attribute_type(compiler, annotations, &name, &value)? {
                    (Ok(ty), _) => out.attributes.push((key, ty, AttributeKind::Plain)),
                    (Err(why), inferred) => {
                        let hint = if inferred {
                            "Its type was inferred; try adding a type annotation for the attribute."
                        } else {
                            ""
                        };
                        out.failed.insert(
                            key,
                            format!(
                                "(This attribute exists on the Python module, but we failed to convert Python type: '{}' to a TorchScript type. {why}. {hint})",
                                python_type(&value)
                            ),
                        );
                    }
                },
            }
        }
        Ok(())
    }

    fn compiled_function(&self, compiler: &mut Compiler, f: &Rc<Function>) -> Fallible<Arc<str>> {
        let name = self.function_name(compiler, f)?;
        compiler.ensure_defined(&name, &place_of(f))?;
        Ok(name)
    }

    /// Ignored and unused methods, properties.
    fn class_members(&self, compiler: &mut Compiler, class: &Rc<Class>, out: &mut ConcreteModule) -> Fallible<()> {
        let unused = self.names_of(class, "__jit_unused_properties__")?;
        for (name, value) in members(class) {
            let key: Arc<str> = Arc::from(&*name);
            match &value {
                Value::Function(f) => match f.modifier.get() {
                    Modifier::Ignore => out.ignored.push(key),
                    Modifier::Unused => out.unused.push(key),
                    _ if !f.overloads.borrow().is_empty() => {
                        let names = (0..f.overloads.borrow().len()).map(|i| Arc::from(format!("{name}__{i}")));
                        out.overloads.insert(key, names.collect());
                    }
                    _ => {}
                },
                Value::StaticMethod(f) => {
                    if let Value::Function(f) = &**f {
                        out.functions.insert(key, FunctionAttribute::Function(self.function_name(compiler, f)?));
                    }
                }
                Value::Property(p) if !unused.contains(&name) && !is_dropped(&p.get) => {
                    let setter = p.set.is_some().then(|| Arc::from(format!("__{name}_setter")));
                    out.properties.push((key, Arc::from(format!("__{name}_getter")), setter));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// All methods are declared; which of them are compiled without being called is said by `entry_methods`.
    fn declare_methods(&self, compiler: &mut Compiler, built: &Built) -> Fallible<()> {
        let name = built.module.class.clone();
        let receiver = || Receiver::Module(built.module.clone());
        for (property, getter, setter) in &built.module.properties {
            let Some(Value::Property(p)) = built.class.get(property) else { continue };
            for (method, f) in [(Some(getter), Some(&p.get)), (setter.as_ref(), p.set.as_ref())] {
                if let (Some(method), Some(Value::Function(f))) = (method, f)
                    && let Some(declaration) = self.declaration(compiler, f, method, Some(receiver()))?
                {
                    compiler.declare_method(&name, declaration, true);
                }
            }
        }
        for (method, value) in members(&built.class) {
            let Value::Function(f) = &value else { continue };
            if &*method == "__init__" {
                continue;
            }
            if is_dropped(&value) {
                // Nobody compiles it, but its annotations are read where it is called.
                if let Some(declaration) = self.declaration(compiler, f, &method, Some(receiver()))? {
                    compiler.declare_function(&format!("{name}.{method}"), declaration);
                }
                continue;
            }
            for (i, overload) in f.overloads.borrow().iter().enumerate() {
                if let Some(declaration) =
                    self.overload_declaration(compiler, f, overload, &format!("{method}__{i}"), Some(receiver()))?
                {
                    compiler.declare_method(&name, declaration, false);
                }
            }
            if let Some(declaration) = self.declaration(compiler, f, &method, Some(receiver()))? {
                compiler.declare_method(&name, declaration, false);
            }
        }
        Ok(())
    }

    /// Where compilation of a module begins: `forward`, exported methods in alphabetical order, methods of a `ScriptModule`.
    fn entry_methods(&self, class: &Rc<Class>) -> Vec<String> {
        let mut methods = Vec::new();
        let mut exported: Vec<String> = Vec::new();
        for (name, value) in members(class) {
            let Value::Function(f) = &value else { continue };
            let wanted = matches!(f.modifier.get(), Modifier::Export | Modifier::ScriptMethod);
            if !(wanted || &*name == "forward") || is_dropped(&value) {
                continue;
            }
            let overloads = f.overloads.borrow().len();
            let names: Vec<String> = match overloads {
                0 => vec![name.to_string()],
                n => (0..n).map(|i| format!("{name}__{i}")).collect(),
            };
            if &*name == "forward" { methods.extend(names) } else { exported.extend(names) }
        }
        exported.sort_unstable();
        methods.extend(exported);
        methods
    }

    /// The object of an instance, its submodules' first; methods of its class are compiled at the first of them.
    pub(super) fn object(
        &self,
        compiler: &mut Compiler,
        i: &Rc<Instance>,
        module: &Arc<ConcreteModule>,
        place: &Loc,
    ) -> Fallible<IValue> {
        if self.is_bare(i) {
            return stacker::maybe_grow(256 << 10, 4 << 20, || self.bare_object(compiler, i));
        }
        let methods = self.entry_methods(&i.class);
        stacker::maybe_grow(256 << 10, 4 << 20, || self.object_with(compiler, i, module, &methods, place))
    }

    fn object_with(
        &self,
        compiler: &mut Compiler,
        i: &Rc<Instance>,
        module: &Arc<ConcreteModule>,
        methods: &[String],
        place: &Loc,
    ) -> Fallible<IValue> {
        let names = module.attributes.iter().map(|a| a.0.clone()).collect();
        let object = Object::new(module.class.clone(), names);
        let this = Value::Instance(i.clone());
        for (at, (name, ty, _)) in module.attributes.iter().enumerate() {
            let mut value = self.evaluator.attribute(&this, name)?;
            if let Value::Generic(g) = &value
                && &*g.0 == "torch.jit.Attribute"
            {
                value = g.1.first().cloned().unwrap_or(Value::None);
            }
            let converted = match &value {
                Value::Instance(sub) if sub.class.is_module() => {
                    self.submodule(compiler, sub, ty, module.modules.get(name), place)?
                }
                v => self.ivalue(compiler, v, ty).map_err(|f| attribute_fault(f, name, ty))?,
            };
            object.set(at, converted);
        }
        self.compile_methods(compiler, i, module, methods, place)?;
        Ok(IValue::Object(object))
    }

    /// A submodule, compiled by its own rules or by those of the interface its attribute is annotated with.
    fn submodule(
        &self,
        compiler: &mut Compiler,
        sub: &Rc<Instance>,
        ty: &Type,
        concrete: Option<&Arc<ConcreteModule>>,
        place: &Loc,
    ) -> Fallible<IValue> {
        match concrete {
            Some(concrete) => self.object(compiler, sub, concrete, place),
            None => {
                let wanted: Vec<String> = match ty {
                    Type::Class(name) => compiler
                        .unit
                        .classes
                        .get(name)
                        .map(|c| c.interface.iter().map(|m| m.name.to_string()).collect())
                        .unwrap_or_default(),
                    _ => Vec::new(),
                };
                let concrete = self.module(compiler, sub)?;
                self.object_with(compiler, sub, &concrete, &wanted, place)
            }
        }
    }

    fn compile_methods(
        &self,
        compiler: &mut Compiler,
        i: &Rc<Instance>,
        module: &Arc<ConcreteModule>,
        methods: &[String],
        place: &Loc,
    ) -> Fallible<()> {
        if self.compiled.borrow().iter().any(|m| Arc::ptr_eq(m, module)) {
            return Ok(());
        }
        self.compiled.borrow_mut().push(module.clone());
        for method in methods {
            compiler.list_method(&module.class, &Arc::from(method.as_str()));
        }
        compiler.ensure_methods(&module.class, place)?;
        let built = self.built(compiler, i)?;
        self.compile_hooks(compiler, &built, place)?;
        self.container_methods(compiler, i, module, place)
    }

    fn compile_hooks(&self, compiler: &mut Compiler, built: &Built, place: &Loc) -> Fallible<()> {
        for (hooks, before) in [(&built.hooks, false), (&built.pre_hooks, true)] {
            for hook in hooks {
                let Value::Function(f) = hook else {
                    return Err(Fault::refused(format!("a hook that is no function: {}", hook.type_name())));
                };
                let Some(declaration) =
                    self.declaration(compiler, f, &f.name, Some(Receiver::Module(built.module.clone())))?
                else {
                    continue;
                };
                let name: Arc<str> = Arc::from(&*f.name);
                let qualified = compiler.declare_function(&format!("{}.{name}", built.module.class), declaration);
                if let Some(class) = compiler.unit.classes.get_mut(&built.module.class) {
                    if before { class.forward_pre_hooks.push(name) } else { class.forward_hooks.push(name) }
                }
                compiler.ensure_defined(&qualified, place)?;
            }
        }
        Ok(())
    }

    /// `len` of containers, and what a `ModuleDict` contains.
    fn container_methods(
        &self,
        compiler: &mut Compiler,
        i: &Rc<Instance>,
        module: &Arc<ConcreteModule>,
        place: &Loc,
    ) -> Fallible<()> {
        if !matches!(module.iterable, Iterable::List | Iterable::Sequential | Iterable::Dict) {
            return Ok(());
        }
        let names: Vec<Rc<str>> = entries(i, "_modules").into_iter().map(|e| e.0).collect();
        // Name, parameters after `self`, result.
        let mut methods = vec![("__len__", "", names.len().to_string())];
        if module.iterable == Iterable::Dict {
            let contains = if names.is_empty() {
                // A list literal without elements is one of tensors.
                "False".to_owned()
            } else {
                let keys = Value::list(names.into_iter().map(Value::Str).collect());
                format!("key in {}", self.evaluator.repr(&keys)?)
            };
            methods.push(("__contains__", ", key: str", contains));
        }
        for (method, parameters, result) in methods {
            let has = compiler.unit.classes.get(&module.class).is_some_and(|c| c.has_method(method));
            if has {
                continue;
            }
            let text = format!("def {method}(self{parameters}): return {result}\n");
            let source = SourceText::file("<string>", text);
            let tree = self.evaluator.parse(&source)?;
            let Some(StmtKind::Def(def)) = tree.body.first().map(|s| &s.kind) else { continue };
            let resolver: Rc<dyn Resolver> = Rc::new(sconce_script::emit::NoNames);
            let declaration = Declaration {
                def: Rc::new((**def).clone()),
                source,
                resolver,
                receiver: Some(Receiver::Module(module.clone())),
                defaults: Vec::new(),
            };
            let qualified = compiler.declare_method(&module.class, declaration, true);
            compiler.ensure_defined(&qualified, place)?;
        }
        Ok(())
    }
}

/// A layer that has not seen its first input has no sizes to compile.
fn uninitialized(class: &Class, name: &str) -> Fault {
    let whose = class.full_name();
    let text = format!("'{whose}' has uninitialized parameters {name}. Did you forget to run a forward pass?");
    Fault::raise("RuntimeError", text)
}

/// Functions of a class and its bases, `nn.Module`'s own left out; the first in the order of bases counts.
fn members(class: &Rc<Class>) -> Vec<(Rc<str>, Value)> {
    let mut out: Vec<(Rc<str>, Value)> = Vec::new();
    let mut known: FxHashSet<Rc<str>> = FxHashSet::default();
    for c in class.order.borrow().iter() {
        if is_base(c) {
            continue;
        }
        // Containers are what the compiler unrolls; only a `Sequential` has something to compile.
        let container = &*c.closure.file.name == "torch.nn.modules.container";
        for (name, value) in c.attributes.borrow().iter() {
            if container && &**name != "forward" {
                continue;
            }
            if known.insert(name.clone()) {
                out.push((name.clone(), value.clone()));
            }
        }
    }
    out
}

/// `nn.Module` itself, and `ScriptModule`.
fn is_base(c: &Rc<Class>) -> bool {
    &*c.closure.file.name == "torch.nn.modules.module"
}

fn is_dropped(v: &Value) -> bool {
    matches!(v, Value::Function(f) if matches!(f.modifier.get(), Modifier::Ignore | Modifier::Unused | Modifier::Overload | Modifier::OverloadMethod))
}

fn is_interface(compiler: &Compiler, t: &Type) -> bool {
    let Type::Class(name) = t else { return false };
    let kind = compiler.unit.classes.get(name).map(|c| &c.kind);
    matches!(kind, Some(ClassKind::Interface | ClassKind::ModuleInterface))
}

fn iterable(class: &Rc<Class>) -> Iterable {
    let named = |name: &str| {
        let container = |c: &Rc<Class>| &*c.name == name && &*c.closure.file.name == "torch.nn.modules.container";
        class.order.borrow().iter().any(container)
    };
    match () {
        () if named("ModuleDict") => Iterable::Dict,
        () if named("Sequential") => Iterable::Sequential,
        () if named("ModuleList") => Iterable::List,
        () if named("ParameterList") => Iterable::ParameterList,
        () if named("ParameterDict") => Iterable::ParameterDict,
        () => Iterable::No,
    }
}

pub(super) fn entries(i: &Instance, registry: &str) -> Vec<(Rc<str>, Value)> {
    let Some(d) = i.dict(registry) else { return Vec::new() };
    let name = |k: &Key| if let Value::Str(s) = &k.0 { Some(s.clone()) } else { None };
    d.borrow().iter().filter_map(|(k, v)| Some((name(k)?, v.clone()))).collect()
}

fn hook_list(i: &Instance, registry: &str) -> Vec<Value> {
    i.dict(registry).map(|d| d.borrow().values().cloned().collect()).unwrap_or_default()
}

pub(super) fn place_of(f: &Rc<Function>) -> Loc {
    let span = f.def().map(|d| d.span).unwrap_or_default();
    Loc { source: f.closure.file.source.clone(), span }
}

/// A value that may be a constant: a plain one, or a tuple of them; lists become tuples.
fn valid_constant(name: &str, v: Value, class: &str, depth: u32) -> Fallible<Value> {
    match &v {
        Value::Bool(_)
        | Value::Float(_)
        | Value::Int(_)
        | Value::Str(_)
        | Value::None
        | Value::Device(_)
        | Value::Setting(..) => Ok(v),
        Value::Tuple(items) if depth < 32 => Ok(Value::tuple(
            items.iter().map(|i| valid_constant(name, i.clone(), class, depth + 1)).collect::<Fallible<_>>()?,
        )),
        Value::List(items) if depth < 32 => {
            let items = items.borrow().clone();
            Ok(Value::tuple(
                items.into_iter().map(|i| valid_constant(name, i, class, depth + 1)).collect::<Fallible<_>>()?,
            ))
        }
        _ => Err(Fault::raise(
            "TypeError",
            format!(
                "\n'{}' object in attribute '{class}.{name}' is not a valid constant.\nValid constants are:\n1. a nn.ModuleList\n2. a value of type {{bool, float, int, str, NoneType, torch.device, torch.layout, torch.dtype, torch.qscheme}}\n3. a list or tuple of (2)\n",
                python_type(&v)
            ),
        )),
    }
}

/// The name of a value's class with its module, but for Python's own.
pub(super) fn python_type(v: &Value) -> String {
    match v {
        Value::Instance(i) => i.class.full_name(),
        Value::NamedTuple(c, _) => c.full_name(),
        Value::Tensor(_) => "torch.Tensor".to_owned(),
        other => other.type_name().to_string(),
    }
}
