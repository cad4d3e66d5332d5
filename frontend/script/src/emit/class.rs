//! Script classes, interfaces, enumerations and named tuples enter the unit here, with the methods of their trees declared.

use super::matching::{Formal, Origin, Signature, without_optional};
use super::types::Annotations;
use super::{Compiler, Declaration, PythonValue, Receiver, Resolver, Result};
use crate::graph::{Loc, SourceText};
use crate::unit::{Attribute, AttributeKind, Class, ClassKind, InterfaceMethod, Param};
use sconce_schema::Type;
use sconce_schema::types::NamedTuple;
use sconce_syntax::script::tree::{ClassDef, Def, Expr, ExprKind, Stmt, StmtKind};
use sconce_tensor::IValue;
use std::rc::Rc;
use std::sync::Arc;

impl Compiler {
    /// A script class from its tree: its methods are compiled, `__init__` first.
    pub fn define_script_class(
        &mut self,
        qualified: &str,
        tree: &ClassDef,
        source: &Arc<SourceText>,
        resolver: Rc<dyn Resolver>,
    ) -> Result<()> {
        let name: Arc<str> = Arc::from(qualified);
        self.unit.classes.insert(name.clone(), Class::new(name.clone(), ClassKind::Script));
        for stmt in &tree.body {
            if let StmtKind::Def(def) = &stmt.kind {
                self.declare_of_class(&name, def, source, &resolver);
            }
        }
        self.class_variables.insert(name, tree.body.iter().flat_map(assigned).collect());
        let place = Loc { source: source.clone(), span: tree.span };
        self.compile_class(qualified, |compiler| compiler.ensure_methods(qualified, &place))
    }

    /// Removes a class with what was compiled of it, so that its name is free.
    pub fn forget_class(&mut self, class: &str) {
        let is_its = |name: &str| name.strip_prefix(class).is_some_and(|rest| rest.starts_with('.'));
        self.unit.classes.shift_remove(class);
        self.unit.functions.retain(|name, _| !is_its(name));
        self.states.retain(|name, _| !is_its(name));
        self.statics.retain(|name, _| !is_its(name));
        self.class_methods.retain(|name, _| !is_its(name));
        self.class_variables.remove(class);
    }

    /// A method, static method or property of a script class.
    fn declare_of_class(&mut self, class: &Arc<str>, def: &Def, source: &Arc<SourceText>, resolver: &Rc<dyn Resolver>) {
        let is = |what: &str| def.decorators.iter().any(|d| matches!(&d.kind, ExprKind::Var(n) if n.name == what));
        let setter = def.decorators.iter().any(|d| matches!(&d.kind, ExprKind::Select(_, n) if n.name == "setter"));
        let mut def = def.clone();
        let method: Arc<str> = if setter {
            Arc::from(format!("__{}_setter", def.name.name))
        } else if is("property") {
            Arc::from(format!("__{}_getter", def.name.name))
        } else {
            Arc::from(def.name.name.as_str())
        };
        let property: Arc<str> = Arc::from(def.name.name.as_str());
        def.name.name = method.to_string();
        if let Some(c) = self.unit.classes.get_mut(class) {
            if is("property") {
                c.properties.push((property.clone(), method.clone(), None));
            } else if setter && let Some(p) = c.properties.iter_mut().find(|p| p.0 == property) {
                p.2 = Some(method.clone());
            }
        }
        let is_static = is("staticmethod");
        let is_of_class = is("classmethod");
        let declaration = Declaration {
            def: Rc::new(def),
            source: source.clone(),
            resolver: resolver.clone(),
            receiver: (!is_static && !is_of_class).then(|| Receiver::Class(class.clone())),
            defaults: Vec::new(),
        };
        if is_of_class {
            let name = format!("{}.{method}", class.rsplit('.').next().unwrap_or(class));
            let python =
                PythonValue { declaration: Some(Rc::new(declaration)), ..PythonValue::opaque("method", &name) };
            self.class_methods.insert(format!("{class}.{method}").into(), Rc::new(python));
            return;
        }
        if is_static {
            let function = self.declare_function(&self.free_function(class, &method), declaration);
            self.statics.insert(format!("{class}.{method}").into(), function);
        } else {
            self.declare_method(class, declaration, true);
        }
    }

    /// A name beside a class that no function has.
    fn free_function(&self, class: &str, name: &str) -> String {
        let beside = class.rsplit_once('.').map_or(String::new(), |(prefix, _)| format!("{prefix}."));
        let mangled = |n: usize| format!("{beside}___torch_mangle_{n}.{name}");
        let mut names = std::iter::once(format!("{beside}{name}")).chain((0..).map(mangled));
        let is_free = |n: &String| !self.is_declared(n) && !self.unit.classes.contains_key(n.as_str());
        names.find(is_free).unwrap_or_default()
    }

    /// An interface from its tree: schemas without bodies.
    pub fn define_interface(
        &mut self,
        qualified: &str,
        tree: &ClassDef,
        source: &Arc<SourceText>,
        resolver: Rc<dyn Resolver>,
        is_module: bool,
    ) -> Result<()> {
        let name: Arc<str> = Arc::from(qualified);
        let kind = if is_module { ClassKind::ModuleInterface } else { ClassKind::Interface };
        self.unit.classes.insert(name.clone(), Class::new(name.clone(), kind));
        let mut methods = Vec::new();
        for stmt in &tree.body {
            let place = Loc { source: source.clone(), span: stmt.span };
            let StmtKind::Def(def) = &stmt.kind else {
                return Err(self.error(&place, "interface declartions can only contain method definitions"));
            };
            let Some(returns) = &def.returns else {
                return Err(self.error(&place, "interface declarations must have a return type annotated."));
            };
            if !def.body.iter().any(|s| matches!(s.kind, StmtKind::Pass)) {
                return Err(self.error(&place, "interfaces declarations should contain 'pass' statement."));
            }
            let mut annotations =
                Annotations { compiler: self, resolver: resolver.clone(), source: source.clone(), receiver: None };
            let mut params = Vec::with_capacity(def.params.len());
            for (i, p) in def.params.iter().enumerate() {
                let (ty, list_size) = match &p.annotation {
                    None if i == 0 => (Type::Class(name.clone()), None),
                    None => (Type::tensor(), None),
                    Some(a) => annotations.read_parameter(a)?,
                };
                params.push(Param {
                    name: p.name.name.as_str().into(),
                    ty,
                    default: None,
                    keyword_only: false,
                    list_size,
                });
            }
            let returns = annotations.read(returns)?;
            methods.push(InterfaceMethod { name: def.name.name.as_str().into(), params, returns });
        }
        if let Some(class) = self.unit.classes.get_mut(&name) {
            class.interface = methods;
        }
        Ok(())
    }

    /// An enumeration: members and their values, which have one type.
    pub fn define_enum(&mut self, qualified: &str, value: Type, members: Vec<(Arc<str>, IValue)>) {
        let name: Arc<str> = Arc::from(qualified);
        let mut class = Class::new(name.clone(), ClassKind::Enum { value: value.clone() });
        class.constants = members.into_iter().map(|(n, v)| (n, value.clone(), v)).collect();
        self.unit.classes.insert(name, class);
    }

    /// A named tuple; defaults belong to its last fields.
    pub fn define_named_tuple(&mut self, ty: &NamedTuple, defaults: Vec<(Arc<str>, IValue)>) {
        let mut class = Class::new(ty.name.clone(), ClassKind::NamedTuple);
        for (name, ty) in &ty.fields {
            class.attributes.push(Attribute { name: name.clone(), ty: ty.clone(), kind: AttributeKind::Plain });
        }
        class.constants = defaults
            .into_iter()
            .map(|(n, v)| {
                let ty = class.attribute(&n).map_or(Type::Any, |a| a.ty.clone());
                (n, ty, v)
            })
            .collect();
        self.unit.classes.insert(ty.name.clone(), class);
    }

    /// The class of a concrete module: attributes, submodules among them by the order of registration, constants, properties.
    pub fn define_module_class(&mut self, module: &crate::concrete::ConcreteModule) {
        let mut class = Class::new(module.class.clone(), ClassKind::Module);
        class.attributes = module
            .attributes
            .iter()
            .map(|(name, ty, kind)| Attribute { name: name.clone(), ty: ty.clone(), kind: *kind })
            .collect();
        class.constants = module.constants.iter().map(|(n, (t, v))| (n.clone(), t.clone(), v.clone())).collect();
        class.properties = module.properties.clone();
        self.unit.classes.insert(module.class.clone(), class);
    }

    /// The constructor of a named tuple.
    pub(super) fn named_tuple_signature(&self, ty: &Arc<NamedTuple>) -> Signature {
        let defaults = self.unit.classes.get(&ty.name).map(|c| c.constants.as_slice()).unwrap_or_default();
        let formals = ty
            .fields
            .iter()
            .map(|(name, ty)| Formal {
                name: name.clone(),
                ty: ty.clone(),
                list_size: None,
                default: defaults.iter().find(|(n, ..)| n == name).map(|(.., v)| v.clone()),
                keyword_only: false,
            })
            .collect();
        let short = ty.name.rsplit('.').next().unwrap_or_default();
        Signature { formals, returns: Vec::new(), vararg: false, origin: Origin::NamedTuple(Arc::from(short)) }
    }

    /// The interface that a class is compared with, if the second type is one, and whether it is one of modules.
    fn interface(&self, name: &str) -> Option<(bool, Vec<InterfaceMethod>)> {
        let class = self.unit.classes.get(name).filter(|c| c.is_interface())?;
        Some((class.kind == ClassKind::ModuleInterface, class.interface.clone()))
    }

    /// What messages add when a class does not implement an interface.
    pub(super) fn why_no_subtype(&mut self, a: &Type, b: &Type) -> String {
        let (Type::Class(a), Type::Class(b)) = (a, without_optional(b)) else { return String::new() };
        let Some((of_modules, interface)) = self.interface(b) else { return String::new() };
        let Some(class) = self.unit.classes.get(a) else { return String::new() };
        if of_modules && !class.is_module() {
            return format!("Interface '{b}' is a module interface but '{a}' is not a module\n");
        }
        for wanted in &interface {
            let Some((params, returns)) = self.signature(a, &wanted.name) else {
                return format!("Class '{a}' does not have method '{}' but interface '{b}' does.\n", wanted.name);
            };
            if !self.fits(&params, &returns, wanted) {
                let mine = self.shown(&Signature::of_params(&wanted.name, &params, &returns));
                let theirs = self.shown(&Signature::of_params(&wanted.name, &wanted.params, &wanted.returns));
                return format!(
                    "Method on class '{a}' (1) is not compatible with interface '{b}' (2)\n  (1) {mine}\n  (2) {theirs}\n"
                );
            }
        }
        String::new()
    }

    /// A signature as messages write it, in which an interface is called so.
    pub(super) fn shown(&self, signature: &Signature) -> Signature {
        let mut shown = signature.clone();
        let types = shown.formals.iter_mut().map(|f| &mut f.ty).chain(shown.returns.iter_mut().map(|(_, ty)| ty));
        types.for_each(|ty| *ty = self.shown_type(ty));
        shown
    }

    fn shown_type(&self, ty: &Type) -> Type {
        match ty {
            Type::Class(name) if self.interface(name).is_some() => {
                Type::Var(format!("InterfaceType<{}>", name.rsplit('.').next().unwrap_or(name)).into())
            }
            other => other.map_children(&|t| self.shown_type(t)),
        }
    }

    /// May a method stand for an interface's?
    fn fits(&mut self, params: &[Param], returns: &Type, wanted: &InterfaceMethod) -> bool {
        params.len() == wanted.params.len()
            && params.iter().zip(&wanted.params).skip(1).all(|(p, w)| p.name == w.name && self.is_subtype(&w.ty, &p.ty))
            && self.is_subtype(returns, &wanted.returns)
    }

    /// Does class `a` have all methods of interface `b`, with types that fit?
    pub(super) fn implements(&mut self, a: &str, b: &str) -> bool {
        let Some((of_modules, interface)) = self.interface(b) else { return false };
        if !self.unit.classes.get(a).is_some_and(|c| !of_modules || c.is_module()) {
            return false;
        }
        interface.iter().all(|wanted| match self.signature(a, &wanted.name) {
            Some((params, returns)) => self.fits(&params, &returns, wanted),
            None => false,
        })
    }

    /// Parameters and result of a method, which is compiled for it, or of an interface's.
    fn signature(&mut self, class: &str, method: &str) -> Option<(Vec<Param>, Type)> {
        if let Some(m) = self.unit.classes.get(class)?.interface.iter().find(|m| &*m.name == method) {
            return Some((m.params.clone(), m.returns.clone()));
        }
        let qualified = format!("{class}.{method}");
        let place = self.declaration(&qualified).map(|d| Loc { source: d.source.clone(), span: d.def.span });
        if let Some(place) = place {
            // What is refused is no method; whoever calls it is told why.
            self.ensure_defined(&qualified, &place).ok()?;
        }
        self.unit.functions.get(qualified.as_str()).map(|f| (f.params.clone(), f.returns.clone()))
    }
}

/// The names that a statement of a class body assigns.
fn assigned(stmt: &Stmt) -> Vec<Arc<str>> {
    match &stmt.kind {
        StmtKind::Assign { targets, .. } => targets.iter().filter_map(plain_name).map(Arc::from).collect(),
        StmtKind::AnnAssign { target, value: Some(_), .. } => plain_name(target).map(Arc::from).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// A name and nothing else.
pub(super) fn plain_name(e: &Expr) -> Option<&str> {
    match &e.kind {
        ExprKind::Var(n) => Some(&n.name),
        _ => None,
    }
}
