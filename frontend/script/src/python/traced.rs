//! Traces become functions and methods of the unit; a traced module has what tensors and submodules it has, and no code but its traces.

use super::concrete::{Built, entries, place_of};
use super::program::Session;
use super::trace::{Traced, TracedMethod};
use super::value::*;
use super::{Fallible, Fault};
use crate::concrete::ConcreteModule;
use crate::emit::Compiler;
use crate::graph::Attr;
use crate::trace::function;
use crate::unit::AttributeKind;
use sconce_schema::Type;
use sconce_tensor::{IValue, Object};
use std::rc::Rc;
use std::sync::Arc;

impl Session {
    /// The name of a traced function, which the unit then has.
    pub(super) fn traced_function(
        &self,
        compiler: &mut Compiler,
        f: &Rc<Function>,
        traced: &Traced,
    ) -> Fallible<Arc<str>> {
        let name = if &*f.name == "<lambda>" { "traced_lambda" } else { &*f.name };
        let name = self.free_name(compiler, &format!("__torch__.{}.{name}", f.closure.file.name));
        if let Some(method) = traced.methods.first() {
            self.define_trace(compiler, &name, method, None)?;
        }
        Ok(name)
    }

    /// The concrete type of a traced module, or of a submodule that a trace looked into.
    pub(super) fn bare(&self, compiler: &mut Compiler, i: &Rc<Instance>) -> Fallible<Rc<Built>> {
        let at = Rc::as_ptr(i) as usize;
        if let Some(known) = self.bare.borrow().get(&at) {
            return Ok(known.clone());
        }
        let mut module = ConcreteModule::default();
        for (registry, kind) in [("_parameters", AttributeKind::Parameter), ("_buffers", AttributeKind::Buffer)] {
            for (name, v) in entries(i, registry) {
                let ty = if matches!(v, Value::Tensor(_)) { Type::tensor() } else { Type::None };
                module.attributes.push((Arc::from(&*name), ty, kind));
            }
        }
        module.attributes.push(("training".into(), Type::Bool, AttributeKind::Plain));
        for (name, v) in entries(i, "_modules") {
            let Value::Instance(sub) = &v else { continue };
            let sub = if sub.is_script() { self.built(compiler, sub)? } else { self.bare(compiler, sub)? };
            let ty = Type::Class(sub.module.class.clone());
            module.attributes.push((Arc::from(&*name), ty, AttributeKind::Plain));
            module.modules.insert(Arc::from(&*name), sub.module.clone());
        }
        let class = &i.class;
        module.class = self.free_name(compiler, &format!("__torch__.{}.{}", class.closure.file.name, class.name));
        module.python_name = class.full_name().as_str().into();
        let built =
            Rc::new(Built { module: Arc::new(module), class: class.clone(), hooks: Vec::new(), pre_hooks: Vec::new() });
        compiler.define_module_class(&built.module);
        self.alive.borrow_mut().push(Value::Instance(i.clone()));
        self.bare.borrow_mut().insert(at, built.clone());
        if let Some(traced) = i.traced() {
            for method in &traced.methods {
                let name: Arc<str> = format!("{}.{}", built.module.class, method.name).into();
                self.define_trace(compiler, &name, method, Some(i))?;
                compiler.list_method(&built.module.class, &Arc::from(&*method.name));
            }
        }
        Ok(built)
    }

    /// Is a module one that a trace looked into?
    pub(super) fn is_bare(&self, i: &Rc<Instance>) -> bool {
        i.traced().is_some() || (!i.is_script() && self.bare.borrow().contains_key(&(Rc::as_ptr(i) as usize)))
    }

    /// The object of a traced module.
    pub(super) fn bare_object(&self, compiler: &mut Compiler, i: &Rc<Instance>) -> Fallible<IValue> {
        let built = self.bare(compiler, i)?;
        let module = &built.module;
        let object = Object::new(module.class.clone(), module.attributes.iter().map(|a| a.0.clone()).collect());
        for (at, (name, ty, _)) in module.attributes.iter().enumerate() {
            let value = self.evaluator.attribute(&Value::Instance(i.clone()), name)?;
            let converted = match (&value, module.modules.get(name)) {
                (Value::Instance(sub), Some(concrete)) => {
                    let place =
                        crate::graph::Loc { source: sub.class.closure.file.source.clone(), span: Default::default() };
                    self.object(compiler, sub, concrete, &place)?
                }
                (v, _) => self.ivalue(compiler, v, ty)?,
            };
            object.set(at, converted);
        }
        Ok(IValue::Object(object))
    }

    fn define_trace(
        &self,
        compiler: &mut Compiler,
        name: &Arc<str>,
        method: &TracedMethod,
        module: Option<&Rc<Instance>>,
    ) -> Fallible<()> {
        let mut graph = method.trace.graph.clone();
        for (node, number) in &method.trace.functions {
            let Some(Value::Function(f)) = method.callees.get(*number) else { continue };
            let callee = self.function_name(compiler, f)?;
            compiler.ensure_defined(&callee, &place_of(f))?;
            graph.set_attr(*node, "name", Attr::Function(callee));
        }
        if let Some(module) = module {
            for (path, value) in &method.trace.modules {
                let inner = at_path(module, path)?;
                let built =
                    if inner.is_script() { self.built(compiler, &inner)? } else { self.bare(compiler, &inner)? };
                graph.set_type(*value, Type::Class(built.module.class.clone()));
            }
        }
        let own = module.map(|_| "self").into_iter();
        let names: Vec<&str> = own.chain(method.parameters.iter().map(|p| &**p)).collect();
        let function = function(name.clone(), graph, &names);
        compiler.unit.functions.insert(name.clone(), function);
        Ok(())
    }
}

fn at_path(module: &Rc<Instance>, path: &[Arc<str>]) -> Fallible<Rc<Instance>> {
    let mut at = module.clone();
    for name in path {
        let next = at.dict("_modules").and_then(|d| d.borrow().get(&Key::text(name)).cloned());
        match next {
            Some(Value::Instance(sub)) => at = sub,
            _ => return Err(Fault::raise("AttributeError", format!("'{}' has no submodule '{name}'", at.class.name))),
        }
    }
    Ok(at)
}
