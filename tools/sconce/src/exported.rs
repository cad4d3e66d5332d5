//! An exported program's `forward` is called with trees of values that its boundary accepts; written in a form without a boundary, it begins with the same checks.

use crate::error::{Error, Failure};
use crate::load;
use crate::module::{Module, Target};
use sconce_export_program::{Boundary, CHECK};
use sconce_graph::graph::{Attr, Graph, ValueId};
use sconce_graph::unit::Unit;
use sconce_interpreter::program::Parameter;
use sconce_python::{Entry, Options, Program};
use sconce_schema::Type;
use sconce_tensor::IValue;
use std::sync::Arc;

/// How an exported program is called: with trees of values, while it runs on their leaves.
pub(crate) struct Exported {
    pub boundary: Boundary,
    /// Of the boundary, not of the function.
    pub parameters: Vec<Parameter>,
}

impl Module {
    pub(crate) fn with_boundary(self, boundary: Boundary) -> Module {
        let parameter = |p: &sconce_export_program::Parameter| Parameter::new(p.name.clone(), p.ty());
        let parameters = boundary.parameters().iter().map(parameter).collect();
        self.called_by(Some(Arc::new(Exported { boundary, parameters })))
    }

    /// The same program, called another way.
    pub(crate) fn called_by(mut self, exported: Option<Arc<Exported>>) -> Module {
        self.exported = exported;
        self
    }

    /// Is it an exported program, whose `forward` checks what it is called with?
    pub fn is_exported(&self) -> bool {
        self.exported.is_some()
    }

    /// The boundary that calls of a function go through: those of an exported program's `forward`.
    pub(crate) fn boundary(&self, target: &Target) -> Option<&Exported> {
        let exported = self.exported.as_deref().filter(|_| load::READS_EXPORTED_PROGRAMS)?;
        let is_root = match (&target.object, self.root()) {
            (Some(object), Some(root)) => Arc::ptr_eq(object, root),
            _ => false,
        };
        let name = &self.program.functions.get(target.function as usize)?.name;
        (is_root && name.ends_with(".forward")).then_some(exported)
    }

    /// A call of an exported program as one of the same program with checks, which takes leaves; others as they are.
    ///
    /// # Errors
    /// Arguments that the program was not exported for; checks that do not compile.
    pub(crate) fn call_with_checks(self, arguments: Vec<IValue>) -> Result<(Module, Vec<IValue>), Error> {
        let leaves = match &self.exported {
            Some(exported) => exported.boundary.leaves(&exported.boundary.bind(&arguments, &[])?)?,
            None => arguments,
        };
        let checked = self.with_checks()?;
        Ok((checked.unwrap_or(self), leaves))
    }

    /// An exported program whose `forward` takes leaves and checks them itself; `None` of others.
    ///
    /// # Errors
    /// Checks that do not compile.
    pub(crate) fn with_checks(&self) -> Result<Option<Module>, Error> {
        let (Some(exported), Some(unit), Some(root)) = (&self.exported, self.unit(), self.root()) else {
            return Ok(None);
        };
        let mut unit = unit.clone();
        let forward = format!("{}.forward", root.class);
        let parameters = unit.functions.get(forward.as_str()).map(|f| f.params.iter().skip(1));
        let types: Vec<Type> = parameters.into_iter().flatten().map(|p| p.ty.clone()).collect();
        if let Some(text) = exported.boundary.checks(&types).source(|text| compiled(text).is_ok()) {
            let (name, made) = compiled(&text)?;
            unit.functions.extend(made.functions);
            if let Some(f) = unit.functions.get_mut(forward.as_str()) {
                call_first(&mut f.graph, name);
            }
        }
        load::unit(&self.engine, unit, Some(IValue::Object(root.clone())), Vec::new()).map(Some)
    }
}

/// What the file and the module of the checks are called.
const MODULE: &str = "exported";

fn compiled(text: &str) -> Result<(Arc<str>, Unit), Error> {
    let options = Options { module: MODULE.to_owned(), ..Options::default() };
    let mut program = Program::new(&format!("{MODULE}.py"), text, options)?;
    match program.compile(CHECK)?.entry {
        Entry::Function(name) => Ok((name, std::mem::take(&mut program.compiler.unit))),
        _ => Err(Failure::Compile(format!("{CHECK} is no function")).into()),
    }
}

/// Puts a call with all inputs but the object before everything else.
fn call_first(graph: &mut Graph, name: Arc<str>) {
    let root = graph.root();
    let first = graph.first_node(root);
    let callee = graph.node("prim::Constant", &[]);
    graph.set_attr(callee, "name", Attr::Function(name));
    let function = graph.add_output(callee, None, Type::Function);
    let leaves = graph.block_inputs(root).iter().skip(1).copied();
    let inputs: Vec<ValueId> = std::iter::once(function).chain(leaves).collect();
    let call = graph.node("prim::CallFunction", &inputs);
    graph.add_output(call, None, Type::None);
    for node in [callee, call] {
        match first {
            Some(first) => graph.insert_before(first, node),
            None => graph.append(root, node),
        }
    }
}
