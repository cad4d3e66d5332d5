//! TorchScript source becomes a module: the whole file's functions, or what an entry expression such as `M(3)` gives.

use crate::engine::Engine;
use crate::error::{Error, Failure};
use crate::freeze::{Folding, freeze};
use crate::load;
use crate::module::Module;
use sconce_graph::unit::{Attribute, AttributeKind, Class, ClassKind, Function, Param, Unit};
use sconce_python::{Compiled, Entry, Options, Program};
use sconce_schema::Type;
use sconce_tensor::{IValue, Object};
use std::sync::Arc;

/// How a source is read.
#[derive(Clone, Default)]
pub struct SourceOptions {
    /// `M(3)`, `f`, `torch.jit.script(M().eval())`. None: every function of the file.
    pub entry: Option<String>,
    /// The name that qualified names begin with; empty: the file's.
    pub module: String,
    /// Functions around the entry that stand for their first argument.
    pub transparent: Vec<String>,
}

/// Compiles a source.
pub(crate) fn module(engine: &Engine, file: &str, text: &str, options: &SourceOptions) -> Result<Module, Error> {
    let reading =
        Options { module: options.module.clone(), transparent: options.transparent.clone(), ..Options::default() };
    let mut program = Program::new(file, text, reading)?;
    let Some(entry) = &options.entry else {
        let functions = program.functions();
        if functions.is_empty() {
            return Err(
                Failure::Text(format!("{file}: no function in it; --entry 'M()' says which module to make")).into()
            );
        }
        for name in &functions {
            program.compile(name)?;
        }
        let module = load::unit(engine, std::mem::take(&mut program.compiler.unit), None, Vec::new())?;
        return Ok(module.with_departures(program.departures()));
    };
    let compiled = program.compile(entry)?;
    let (module, unfrozen) = compiled_module(engine, &mut program, compiled)?;
    let unfrozen = unfrozen.map(|why| format!("{file}: torch.jit.freeze leaves the module as it is: {why}"));
    Ok(module.with_departures(program.departures().into_iter().chain(unfrozen).collect()))
}

/// What a function or module of a source does with these inputs, as a program; and the warnings of whoever traced.
pub(crate) fn traced(
    engine: &Engine,
    file: &str,
    text: &str,
    options: &SourceOptions,
    inputs: &[IValue],
    check: bool,
) -> Result<(Module, Vec<String>), Error> {
    let mut program = Program::new(file, text, Options { module: options.module.clone(), ..Options::default() })?;
    let functions = program.functions();
    let entry = match (&options.entry, &functions[..]) {
        (Some(entry), _) => entry,
        (None, [one]) => one,
        (None, _) => {
            return Err(Failure::Text(format!("{file}: --entry 'M()' says which function or module to trace")).into());
        }
    };
    let result = if inputs.is_empty() { program.compile(entry) } else { program.trace(entry, inputs, check) };
    let mut warnings: Vec<String> = program.take_warnings().iter().map(ToString::to_string).collect();
    let (module, unfrozen) = compiled_module(engine, &mut program, result?)?;
    warnings.extend(unfrozen);
    Ok((module, warnings))
}

/// The module, and why it is not frozen although it should be: it does the same.
fn compiled_module(
    engine: &Engine,
    program: &mut Program,
    compiled: Compiled,
) -> Result<(Module, Option<String>), Error> {
    let Compiled { entry, freeze: preserved } = compiled;
    let mut unit = std::mem::take(&mut program.compiler.unit);
    let object = match (entry, preserved) {
        (Entry::Module { object: IValue::Object(module), .. }, Some(preserved)) => {
            match freeze(engine, &unit, &module, &preserved, Folding::Off) {
                Ok((frozen, object)) => {
                    unit = frozen;
                    Some(IValue::Object(object))
                }
                Err(e) if matches!(e.failure(), Failure::NotFrozen { .. }) => {
                    let module = load::unit(engine, unit, Some(IValue::Object(module)), Vec::new())?;
                    return Ok((module, Some(e.to_string())));
                }
                Err(e) => return Err(e),
            }
        }
        (Entry::Module { object, .. }, _) => Some(object),
        (Entry::Function(name), _) => {
            unit.entry = Some(name);
            None
        }
        (Entry::Class(name), _) => {
            return Err(Failure::Text(format!("{name} is a script class; an entry is a function or a module")).into());
        }
    };
    Ok((load::unit(engine, unit, object, Vec::new())?, None))
}

/// The class of a module that PyTorch makes of a lone function.
const PLACEHOLDER: &str = "__torch__.PlaceholderModule";

/// A function as the `forward` of a module, as PyTorch saves it.
pub(crate) fn wrapped(unit: &Unit, function: &str) -> Option<(Unit, IValue)> {
    let mut unit = unit.clone();
    let f = unit.functions.shift_remove(function)?;
    let ty = Type::Class(PLACEHOLDER.into());
    let mut graph = f.graph;
    let root = graph.root();
    graph.insert_input(root, 0, Some("self"), ty.clone());
    let this = Param { name: "self".into(), ty, default: None, keyword_only: false, list_size: None };
    let params = std::iter::once(this).chain(f.params).collect();
    let name: Arc<str> = format!("{PLACEHOLDER}.forward").into();
    unit.functions.insert(name.clone(), Function { name, params, returns: f.returns, graph });
    let mut class = Class::new(PLACEHOLDER.into(), ClassKind::Module);
    class.attributes.push(Attribute { name: "training".into(), ty: Type::Bool, kind: AttributeKind::Plain });
    class.methods.push("forward".into());
    unit.classes.insert(PLACEHOLDER.into(), class);
    let object = Object::new(PLACEHOLDER.into(), ["training".into()].into());
    object.set(0, IValue::Bool(true));
    Some((unit, IValue::Object(object)))
}
