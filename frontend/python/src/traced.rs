//! Traces become functions and methods of the unit; a traced module has what tensors and submodules it has, and no code but its traces.

use super::concrete::{Built, entries, place_of};
use super::program::Session;
use super::trace::{Traced, TracedMethod};
use super::value::*;
use super::{Fallible, Fault};
use rustc_hash::FxHashMap;
use sconce_graph::graph::{Attr, Graph, NodeId};
use sconce_graph::unit::AttributeKind;
use sconce_schema::Type;
use sconce_script::concrete::ConcreteModule;
use sconce_script::emit::Compiler;
use sconce_script::trace::function;
use sconce_script::trace_scopes::{Path, methods};
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
            self.define_trace(compiler, &name, method)?;
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
                self.define_methods(compiler, &name, method, i)?;
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
                    let place = sconce_graph::graph::Loc {
                        source: sub.class.closure.file.source.clone(),
                        span: Default::default(),
                    };
                    self.object(compiler, sub, concrete, &place)?
                }
                (v, _) => self.ivalue(compiler, v, ty)?,
            };
            object.set(at, converted);
        }
        Ok(IValue::Object(object))
    }

    /// A traced function.
    fn define_trace(&self, compiler: &mut Compiler, name: &Arc<str>, method: &TracedMethod) -> Fallible<()> {
        let mut graph = method.trace.graph.clone();
        self.name_functions(compiler, &mut graph, &method.trace.functions, &method.callees)?;
        let names: Vec<&str> = method.parameters.iter().map(|p| &**p).collect();
        compiler.unit.functions.insert(name.clone(), function(name.clone(), graph, &names));
        Ok(())
    }

    /// The class of the module at a path, which the unit then has.
    fn class_at(&self, compiler: &mut Compiler, module: &Rc<Instance>, path: &[Arc<str>]) -> Fallible<Arc<str>> {
        let inner = at_path(module, path)?;
        let built = if inner.is_script() { self.built(compiler, &inner)? } else { self.bare(compiler, &inner)? };
        Ok(built.module.class.clone())
    }

    /// A method of a traced module, and those of its submodules that it calls.
    fn define_methods(
        &self,
        compiler: &mut Compiler,
        name: &Arc<str>,
        method: &TracedMethod,
        module: &Rc<Instance>,
    ) -> Fallible<()> {
        let mut classes: FxHashMap<Path, Arc<str>> = FxHashMap::default();
        let paths = method.trace.modules.iter().map(|(path, _)| path);
        for path in paths.chain(method.trace.scopes.iter().map(|s| &s.path)) {
            if !classes.contains_key(path) {
                classes.insert(path.clone(), self.class_at(compiler, module, path)?);
            }
        }
        let qualified = |path: &Path, name: &str| format!("{}.{name}", classes[path]);
        let is_taken = |path: &Path, name: &str| compiler.is_declared(&qualified(path, name));
        for made in methods(&method.trace, &is_taken) {
            let mut graph = made.graph;
            for (path, value) in &made.modules {
                graph.set_type(*value, Type::Class(classes[path].clone()));
            }
            self.name_functions(compiler, &mut graph, &made.functions, &method.callees)?;
            let Some(method_name) = &made.name else {
                let names: Vec<&str> = std::iter::once("self").chain(method.parameters.iter().map(|p| &**p)).collect();
                compiler.unit.functions.insert(name.clone(), function(name.clone(), graph, &names));
                continue;
            };
            let said = parameter_names(&graph);
            let names: Vec<&str> = said.iter().map(|name| &**name).collect();
            let full: Arc<str> = qualified(&made.path, method_name).into();
            compiler.unit.functions.insert(full.clone(), function(full, graph, &names));
            compiler.list_method(&classes[&made.path], method_name);
        }
        Ok(())
    }

    /// Constants that stand for functions learn their names.
    fn name_functions(
        &self,
        compiler: &mut Compiler,
        graph: &mut Graph,
        functions: &[(NodeId, usize)],
        callees: &[Value],
    ) -> Fallible<()> {
        for (node, number) in functions {
            let Some(Value::Function(f)) = callees.get(*number) else { continue };
            let callee = self.function_name(compiler, f)?;
            compiler.ensure_defined(&callee, &place_of(f))?;
            graph.set_attr(*node, "name", Attr::Function(callee));
        }
        Ok(())
    }
}

/// What the inputs of a method's graph are called: as the traced program called them, where that is one name each.
fn parameter_names(graph: &Graph) -> Vec<Arc<str>> {
    let mut names: Vec<Arc<str>> = Vec::new();
    for (at, input) in graph.block_inputs(graph.root()).iter().enumerate() {
        let said = graph.name(*input).filter(|name| !names.contains(name)).cloned();
        names.push(said.unwrap_or_else(|| format!("argument_{at}").into()));
    }
    names
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
