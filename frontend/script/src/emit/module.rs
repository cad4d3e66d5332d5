//! Instances of modules while they are compiled: their attributes, what they hold when they are iterated over, and what calling them does.

use super::Result;
use super::function::Emitter;
use super::sugared::{Iterables, Named, PythonValue, Sugared};
use crate::concrete::{ConcreteModule, FunctionAttribute, Iterable};
use crate::graph::{Loc, ValueId};
use crate::unit::AttributeKind;
use sconce_schema::Type;
use sconce_tensor::IValue;
use std::rc::Rc;
use std::sync::Arc;

/// What a module holds, by name.
struct Held {
    names: Vec<Arc<str>>,
    items: Vec<Sugared>,
}

/// How many modules a walk over all of a module's submodules may meet.
const MAX_MODULES: usize = 10_000;

/// What a function that takes any arguments is refused with.
pub(super) const VARIADIC: &str =
    "Compiled functions can't take variable number of arguments or use keyword-only arguments with defaults";

impl Emitter<'_> {
    pub(super) fn module_attr(
        &mut self,
        module: &Arc<ConcreteModule>,
        object: ValueId,
        place: &Loc,
        name: &str,
    ) -> Result<Sugared> {
        if let Some(found) = self.try_module_attr(module, object, place, name)? {
            return Ok(found);
        }
        if let Some((_, getter, _)) = module.properties.iter().find(|p| *p.0 == *name).cloned() {
            return self.call_method(place, object, &getter, &[], &[]);
        }
        let hint = match module.failed.get(name) {
            Some(why) => why.clone(),
            None if module.ignored.iter().any(|i| **i == *name) => {
                "attribute was ignored during compilation".to_owned()
            }
            None => String::new(),
        };
        let short = module.class.rsplit('.').next().unwrap_or_default();
        Err(self.error(place, format!("Module '{short}' has no attribute '{name}' {hint}")))
    }

    pub(super) fn module_has_attr(&self, module: &Arc<ConcreteModule>, name: &str) -> bool {
        module.attributes.iter().any(|(n, ..)| **n == *name)
            || module.modules.contains_key(name)
            || module.constants.contains_key(name)
            || module.functions.contains_key(name)
            || self.compiler.has_method(&module.class, name)
            || module.properties.iter().any(|p| *p.0 == *name)
            || matches!(name, "named_modules" | "modules" | "children" | "named_children" | "named_buffers")
    }

    fn try_module_attr(
        &mut self,
        module: &Arc<ConcreteModule>,
        object: ValueId,
        place: &Loc,
        name: &str,
    ) -> Result<Option<Sugared>> {
        if let Some(held) = self.submodule(module, object, name) {
            return Ok(Some(held));
        }
        if let Some((_, ty, _)) = module.attributes.iter().find(|(n, ..)| **n == *name).cloned() {
            return Ok(Some(Sugared::Value(self.get_attribute(object, name, ty))));
        }
        let is = |names: &[Arc<str>]| names.iter().any(|n| **n == *name);
        if (is(&module.ignored) || is(&module.unused))
            && let Some(declaration) = self.compiler.declaration(&format!("{}.{name}", module.class))
        {
            return Ok(Some(Sugared::Python(Rc::new(PythonValue {
                type_name: Arc::from("method"),
                name: Arc::from(name),
                declaration: Some(declaration),
                raises: is(&module.unused),
                receiver: Some(object),
            }))));
        }
        if let Some(names) = module.overloads.get(name) {
            return Ok(Some(Sugared::Method { object, names: names.clone().into() }));
        }
        if self.compiler.has_method(&module.class, name) {
            return Ok(Some(Sugared::Method { object, names: Rc::from([Arc::from(name)]) }));
        }
        if let Some((ty, value)) = module.constants.get(name).cloned() {
            return Ok(Some(Sugared::Constant(ty, value)));
        }
        if module.iterable == Iterable::Dict && matches!(name, "items" | "keys" | "values") {
            return self.held_method(module, object, place, name).map(Some);
        }
        if matches!(name, "named_modules" | "modules" | "children" | "named_children" | "named_buffers") {
            return self.held_method(module, object, place, name).map(Some);
        }
        Ok(match module.functions.get(name) {
            Some(FunctionAttribute::Function(f)) => Some(Sugared::function(f)),
            Some(FunctionAttribute::Builtin(b)) => Some(Sugared::builtin(b)),
            None => None,
        })
    }

    fn submodule(&mut self, module: &Arc<ConcreteModule>, object: ValueId, name: &str) -> Option<Sugared> {
        let inner = module.modules.get(name)?.clone();
        let declared = module.attributes.iter().find(|(n, ..)| **n == *name).map(|(_, t, _)| t.clone());
        let ty = declared.unwrap_or_else(|| Type::Class(inner.class.clone()));
        let is_interface = matches!(&ty, Type::Class(c) if *c != inner.class);
        let value = self.get_attribute(object, name, ty);
        // An attribute declared as an interface is only that.
        Some(if is_interface { Sugared::Value(value) } else { Sugared::Module(inner, value) })
    }

    /// The submodules of a module.
    fn held_modules(&mut self, module: &Arc<ConcreteModule>, object: ValueId) -> Held {
        let names: Vec<Arc<str>> = module.modules.keys().cloned().collect();
        let items = names.iter().filter_map(|n| self.submodule(module, object, n)).collect();
        Held { names, items }
    }

    /// The parameters or buffers of a module.
    fn held_tensors(&mut self, module: &Arc<ConcreteModule>, object: ValueId, kind: AttributeKind) -> Held {
        let mut held = Held { names: Vec::new(), items: Vec::new() };
        for (name, ty, k) in &module.attributes {
            if *k == kind {
                held.names.push(name.clone());
                held.items.push(Sugared::Value(self.get_attribute(object, name, ty.clone())));
            }
        }
        held
    }

    fn held(&mut self, module: &Arc<ConcreteModule>, object: ValueId) -> Held {
        match module.iterable {
            Iterable::ParameterList | Iterable::ParameterDict => {
                self.held_tensors(module, object, AttributeKind::Parameter)
            }
            _ => self.held_modules(module, object),
        }
    }

    fn names_tuple(&mut self, names: &[Arc<str>]) -> Sugared {
        Sugared::Tuple(names.iter().map(|n| Sugared::Value(self.constant(IValue::str(&**n), None))).collect())
    }

    /// `keys`, `values`, `items`, `named_modules`, … as something to call.
    fn held_method(
        &mut self,
        module: &Arc<ConcreteModule>,
        object: ValueId,
        place: &Loc,
        name: &str,
    ) -> Result<Sugared> {
        let held = match name {
            "named_buffers" => self.held_tensors(module, object, AttributeKind::Buffer),
            "modules" | "named_modules" => {
                let mut held = Held { names: Vec::new(), items: Vec::new() };
                self.all_modules(module, object, "", place, &mut held)?;
                held
            }
            _ => self.held(module, object),
        };
        let values = Sugared::Tuple(held.items.into());
        let result = match name {
            "keys" => self.names_tuple(&held.names),
            "values" | "children" | "modules" => values,
            _ => {
                let keys = self.names_tuple(&held.names);
                let mut pairs = Iterables::default();
                self.add_child(place, &mut pairs, keys)?;
                self.add_child(place, &mut pairs, values)?;
                Sugared::Iterables(Rc::new(pairs))
            }
        };
        Ok(Sugared::ModuleMethod(Rc::new(result), Arc::from(name)))
    }

    fn all_modules(
        &mut self,
        module: &Arc<ConcreteModule>,
        object: ValueId,
        prefix: &str,
        place: &Loc,
        out: &mut Held,
    ) -> Result<()> {
        if out.names.len() >= MAX_MODULES {
            return Err(
                self.error(place, format!("a module with more than {MAX_MODULES} submodules cannot be unrolled"))
            );
        }
        out.names.push(Arc::from(prefix));
        out.items.push(Sugared::Module(module.clone(), object));
        let held = self.held_modules(module, object);
        for (name, item) in held.names.iter().zip(held.items) {
            let path = if prefix.is_empty() { name.to_string() } else { format!("{prefix}.{name}") };
            match item {
                Sugared::Module(inner, value) => {
                    self.deeper(place.span, |e| e.all_modules(&inner, value, &path, place, out))?;
                }
                _ => {
                    return Err(self.error(
                        place,
                        "Could not compile named_modules() because module is an interface type. Please file issue.",
                    ));
                }
            }
        }
        Ok(())
    }

    /// A list of modules as a tuple of its parts.
    pub(super) fn module_tuple(&mut self, sugared: &Sugared, place: &Loc) -> Result<Vec<Sugared>> {
        let Sugared::Module(module, object) = sugared else { return Ok(Vec::new()) };
        match module.iterable {
            Iterable::List | Iterable::Sequential | Iterable::ParameterList => {
                Ok(self.held(&module.clone(), *object).items)
            }
            _ => Err(self.error(place, "Only ModuleList or Sequential modules can be used as tuple")),
        }
    }

    pub(super) fn iter_module(&mut self, sugared: &Sugared, place: &Loc) -> Result<Sugared> {
        let Sugared::Module(module, object) = sugared else { return Ok(sugared.clone()) };
        let (module, object) = (module.clone(), *object);
        match module.iterable {
            Iterable::No => Err(self.error(
                place,
                "Only constant Sequential, ModuleList, ModuleDict, or ParameterList can be used as an iterable",
            )),
            Iterable::Dict | Iterable::ParameterDict => {
                let held = self.held(&module, object);
                Ok(self.names_tuple(&held.names))
            }
            _ => Ok(Sugared::Tuple(self.held(&module, object).items.into())),
        }
    }

    /// `module[index]`
    pub(super) fn module_item(
        &mut self,
        sugared: &Sugared,
        place: &Loc,
        index: ValueId,
        hint: Option<&Type>,
    ) -> Result<Sugared> {
        let Sugared::Module(module, object) = sugared else { return Ok(sugared.clone()) };
        let (module, object) = (module.clone(), *object);
        let constant = self.graph.constant(index).cloned();
        match module.iterable {
            Iterable::No => Err(self.error(
                place,
                "Only ModuleList, Sequential, ModuleDict, ParameterList, and ParameterDict modules are subscriptable",
            )),
            Iterable::Dict | Iterable::ParameterDict => match (constant, hint) {
                (Some(IValue::Str(key)), _) => {
                    let held = self.held(&module, object);
                    match held.names.iter().position(|n| **n == **key) {
                        Some(i) => Ok(held.items[i].clone()),
                        None => Err(self.error(place, format!("Key Error, {key}"))),
                    }
                }
                (_, Some(hint)) => self.container_index(&module, object, place, index, hint),
                _ => Err(self.error(
                    place,
                    "Unable to extract string literal index. ModuleDict indexing is only supported with string literals. For example, \
                     'i = \"a\"; self.layers[i](x)' will fail because i is not a literal. Enumeration of ModuleDict is supported, e.g. \
                     'for k, v in self.items(): out = v(inp)'",
                )),
            },
            Iterable::List | Iterable::Sequential if hint.is_some() && !matches!(constant, Some(IValue::Int(_))) => {
                let hint = hint.cloned().unwrap_or(Type::Any);
                self.container_index(&module, object, place, index, &hint)
            }
            _ => {
                let items = self.held(&module, object).items;
                self.getitem(&Sugared::Tuple(items.into()), place, index, None)
            }
        }
    }

    /// An index known only when running: all that is held must be of the type that is asked for.
    fn container_index(
        &mut self,
        module: &ConcreteModule,
        object: ValueId,
        place: &Loc,
        index: ValueId,
        hint: &Type,
    ) -> Result<Sugared> {
        for (name, inner) in &module.modules {
            let ty = Type::Class(inner.class.clone());
            self.ensure_implements(inner, hint, place)?;
            if !self.compiler.is_subtype(&ty, hint) {
                let why = self.compiler.why_no_subtype(&ty, hint);
                return Err(self.error(
                    place,
                    format!("Attribute {name} is not of annotated type {}: {why}", hint.annotation_str()),
                ));
            }
        }
        Ok(Sugared::Value(self.value("prim::ModuleContainerIndex", &[object, index], hint.clone(), None)))
    }

    /// Compiles the methods that an interface asks for, so that they can be compared.
    pub(super) fn ensure_implements(&mut self, module: &ConcreteModule, interface: &Type, place: &Loc) -> Result<()> {
        let Type::Class(interface) = interface else { return Ok(()) };
        let names: Vec<Arc<str>> = match self.compiler.unit.classes.get(interface) {
            Some(c) => c.interface.iter().map(|m| m.name.clone()).collect(),
            None => return Ok(()),
        };
        for name in names {
            let qualified = format!("{}.{name}", module.class);
            if self.compiler.is_declared(&qualified) {
                self.compiler.ensure_defined(&qualified, place)?;
            }
        }
        Ok(())
    }

    /// `module(…)`: `forward`, with the hooks before and after it.
    pub(super) fn call_module(
        &mut self,
        place: &Loc,
        module: &Arc<ConcreteModule>,
        object: ValueId,
        args: &[Named],
        kwargs: &[Named],
    ) -> Result<Sugared> {
        let (before, after) = match self.compiler.unit.classes.get(&module.class) {
            Some(c) => (c.forward_pre_hooks.clone(), c.forward_hooks.clone()),
            None => (Vec::new(), Vec::new()),
        };
        let mut args = args.to_vec();
        let mut input = None;
        if !before.is_empty() || !after.is_empty() {
            let values: Vec<ValueId> = args.iter().map(|a| a.value).collect();
            input = Some(self.tuple(&values));
        }
        for hook in before {
            let Some(tuple) = input else { break };
            let result = self.call(&self.hook(module, &hook), place, &[object.into(), tuple.into()], kwargs)?;
            let result = self.as_value(&result, place)?;
            if *self.ty(result) != Type::None {
                let is_tuple = matches!(self.ty(result), Type::Tuple(_) | Type::NamedTuple(_));
                let tuple = if is_tuple { result } else { self.tuple(&[result]) };
                input = Some(tuple);
                if !args.is_empty() {
                    args = self.tuple_unpack(tuple).into_iter().map(Named::from).collect();
                }
            }
        }
        let silent = module.ignored.iter().any(|i| &**i == "forward") || module.failed.contains_key("forward");
        if !silent && !module.python_name.is_empty() && !self.module_has_attr(module, "forward") {
            // `nn.Module` has one for those that have none, and it takes anything.
            return Err(self.error(place, VARIADIC));
        }
        let forward = self.module_attr(module, object, place, "forward")?;
        let mut output = self.call(&forward, place, &args, kwargs)?;
        for hook in after {
            let Some(tuple) = input else { break };
            let value = self.as_value(&output, place)?;
            let result =
                self.call(&self.hook(module, &hook), place, &[object.into(), tuple.into(), value.into()], kwargs)?;
            let result = self.as_value(&result, place)?;
            if *self.ty(result) != Type::None {
                output = Sugared::Value(result);
            }
        }
        Ok(output)
    }

    fn hook(&self, module: &ConcreteModule, name: &str) -> Sugared {
        Sugared::function(&format!("{}.{name}", module.class))
    }
}
