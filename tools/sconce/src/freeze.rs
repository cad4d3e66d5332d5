//! A module is frozen by the compiler, which sees its code and no weights: constants that come back by name are bound to the module's own tensors.

use crate::engine::Engine;
use crate::error::{Error, Failure};
use sconce_graph::graph::{Attr, Graph};
use sconce_graph::instances::Described;
use sconce_graph::unit::{Class, Function, Unit};
use sconce_interpreter::{Options, bind};
pub use sconce_request::Folding;
use sconce_request::{Answer, Error as Unanswered, Question, Subject, Want, bind_weights, lift_weights};
use sconce_schema::Type;
use sconce_schema::init::{INIT, init_result};
use sconce_tensor::{IValue, Object};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The unit with a frozen class for a module, which has `forward` and the methods among `preserved`; and the new object, whose attributes are those
/// among `preserved` and those that are still read.
///
/// # Errors
/// Modules in training mode, names that the module does not have, recursion; no compiler, or one that gave no answer.
pub fn freeze(
    engine: &Engine,
    unit: &Unit,
    module: &Arc<Object>,
    preserved: &[String],
    folding: Folding,
) -> Result<(Unit, Arc<Object>), Error> {
    let compiler = engine.compiler().ok_or_else(|| Failure::NotFrozen { why: "and this program has none".into() })?;
    let described = Described::of(unit, module);
    let described = described.ok_or_else(|| Failure::Text(format!("there is no class {}", module.class)))?;
    let mut asked = needed(unit, &module.class, preserved);
    let constants = lift_weights(&mut asked);
    let subject = Subject::Object { unit: asked, object: described.instances };
    let question = Question { subject, want: Want::Frozen { preserved: preserved.to_vec(), folding } };
    let (answered, name) = match compiler.ask(&question) {
        Ok(Answer::Frozen { unit, class }) => (unit, class),
        Ok(_) => return Err(Failure::NotFrozen { why: "which answered something else".into() }.into()),
        Err(Unanswered::Refused(why)) => return Err(Failure::Text(why).into()),
        Err(e) => return Err(Failure::NotFrozen { why: format!("but {e}") }.into()),
    };
    let named = |wanted: &str| {
        let attribute = described.named.iter().find(|(name, _)| **name == *wanted).map(|(_, value)| value.clone());
        attribute.or_else(|| constants.iter().find(|(name, _)| **name == *wanted).map(|(_, t)| t.clone().into()))
    };
    let (answered, computed) = initialized(engine, answered, &named)?;
    let known = |wanted: &str| match init_result(wanted) {
        Some(result) => computed.get(result as usize).cloned(),
        None => named(wanted),
    };
    let unit = merged(unit, &module.class, answered, &name, &known)?;
    let object = unit.classes.get(name.as_str()).map(|class| instance(module, class));
    object.map(|object| (unit, object)).ok_or_else(|| gone(&name))
}

/// What the unit's init function gives; the unit goes on without it.
fn initialized(
    engine: &Engine,
    mut unit: Unit,
    named: &dyn Fn(&str) -> Option<IValue>,
) -> Result<(Unit, Vec<IValue>), Error> {
    let Some(mut init) = unit.functions.shift_remove(INIT) else { return Ok((unit, Vec::new())) };
    bind_weights(&mut init.graph, named).map_err(unknown)?;
    let alone = Unit { functions: [(init.name.clone(), init)].into_iter().collect(), ..Unit::default() };
    let mut program = sconce_bytecode::lower(&alone, &BTreeMap::new())?;
    let places = program.init.as_ref().map(|init| init.constants.clone()).unwrap_or_default();
    let options = engine.options().limits.run_options(Options::default());
    bind(&mut program, named, &engine.custom(), &options).map_err(|e| Failure::Text(e.to_string()))?;
    let computed = places.iter().map(|place| program.constants[*place as usize].clone()).collect();
    Ok((unit, computed))
}

fn unknown(name: Arc<str>) -> Error {
    Failure::NotFrozen { why: format!("which wants a constant {name}") }.into()
}

fn gone(class: &str) -> Error {
    Failure::NotFrozen { why: format!("whose answer lacks {class}") }.into()
}

/// The unit with `forward`, the methods among `preserved`, and the functions that they call: of others nothing is asked.
fn needed(unit: &Unit, class: &str, preserved: &[String]) -> Unit {
    let methods = std::iter::once("forward").chain(preserved.iter().map(String::as_str));
    let mut names: Vec<String> = methods.map(|method| format!("{class}.{method}")).collect();
    let mut asked = Unit { classes: unit.classes.clone(), ..Unit::default() };
    while let Some(name) = names.pop() {
        if let Some(f) = unit.functions.get(name.as_str()).filter(|_| !asked.functions.contains_key(name.as_str())) {
            called(&f.graph, &mut names);
            asked.functions.insert(f.name.clone(), f.clone());
        }
    }
    asked
}

/// The functions that a graph names, and the methods that it calls.
fn called(graph: &Graph, names: &mut Vec<String>) {
    for node in graph.walk(graph.root()) {
        for (_, attr) in graph.attrs(node) {
            match attr {
                Attr::Function(name) => names.push(name.to_string()),
                Attr::Graph(inner) => called(inner, names),
                _ => {}
            }
        }
        if let (true, Some(receiver)) = (graph.is(node, "prim::CallMethod"), graph.input(node, 0))
            && let (Type::Class(class), Some(method)) = (graph.ty(receiver), graph.str_attr(node, "name"))
        {
            names.push(format!("{class}.{method}"));
        }
    }
}

/// The unit with the frozen class of another.
fn merged(
    unit: &Unit,
    old: &str,
    mut answered: Unit,
    name: &str,
    known: &dyn Fn(&str) -> Option<IValue>,
) -> Result<Unit, Error> {
    let mut unit = unit.clone();
    let class = answered.classes.shift_remove(name).ok_or_else(|| gone(name))?;
    for method in &class.methods {
        let full = format!("{name}.{method}");
        let Some(mut f) = answered.functions.shift_remove(full.as_str()) else { return Err(gone(&full)) };
        bind_weights(&mut f.graph, known).map_err(unknown)?;
        // What the schema says of its parameters, the source says best.
        if let Some(own) = unit.functions.get(format!("{old}.{method}").as_str()) {
            let mut params = own.params.clone();
            if let Some(this) = params.first_mut() {
                this.ty = Type::Class(name.into());
            }
            f = Function { name: f.name, params, returns: own.returns.clone(), graph: f.graph };
        }
        unit.functions.insert(f.name.clone(), f);
    }
    unit.classes.insert(class.name.clone(), class);
    Ok(unit)
}

/// The object of the new class, with the attributes that stay.
fn instance(module: &Arc<Object>, class: &Class) -> Arc<Object> {
    let names: Arc<[Arc<str>]> = class.attributes.iter().map(|a| a.name.clone()).collect();
    let object = Object::new(class.name.clone(), names);
    for (slot, a) in class.attributes.iter().enumerate() {
        let value = module.slot_of(&a.name).and_then(|slot| module.get(slot));
        object.set(slot, value.unwrap_or(IValue::None));
    }
    object
}
