//! Passes over graphs as passes over the dialect: functions of a module become a unit, are changed there, and take their old places.
//!
//! Functions that are no graphs (with operations of other dialects, or tensors as values) stay as they are, and so do those that call them.

use crate::constants::Constants;
use crate::text::node::Nodes;
use crate::to_dialect::Importer;
use crate::{Error, classes, from_dialect};
use rustc_hash::FxHashSet;
use sconce_graph::listing::Places;
use sconce_graph::unit::{Class, Function, Unit};
use sconce_ir::prelude::*;

/// Changes the functions of a module that are graphs. What the unit loses goes; what it gains is put at the end.
///
/// # Errors
/// What `change` refuses, and results that the dialect cannot hold.
pub fn rewrite<'c: 'a, 'a, E>(
    module: OperationRef<'c, 'a>,
    change: impl FnOnce(&mut Unit) -> Result<(), E>,
) -> Result<(), RewriteError<E>> {
    let (mut unit, places) = readable(module);
    change(&mut unit).map_err(RewriteError::Refused)?;
    let Some(body) = module.body(0) else { return Ok(()) };
    for (old, class) in places.classes {
        let same = unit.classes.get(&class.name).is_some_and(|new| format!("{new:?}") == format!("{class:?}"));
        if !same {
            if let Some(new) = unit.classes.get(&class.name) {
                let context = module.context_ref();
                classes::class_type(
                    &Builder::before(old),
                    &mut Nodes::new(context),
                    &mut Constants::default(),
                    &unit,
                    new,
                )?;
            }
            old.erase().map_err(Error::from)?;
        }
    }
    let mut importer = Importer::new(module.context_ref(), &unit);
    let mut written: FxHashSet<&str> = FxHashSet::default();
    for old in &places.functions {
        let name = old.symbol_name().unwrap_or_default();
        if let Some(f) = unit.functions.get(name) {
            written.insert(f.name.as_ref());
            replace(&mut importer, *old, f)?;
        }
    }
    for f in unit.functions.values().filter(|f| !written.contains(f.name.as_ref())) {
        importer.function(&Builder::at_end(module.context_ref(), body), f)?;
    }
    for old in places.functions.into_iter().chain(places.held) {
        old.erase().map_err(Error::from)?;
    }
    sconce_ir::text::verify(module).map_err(Error::from)?;
    Ok(())
}

/// Why a rewrite failed.
#[derive(Debug, thiserror::Error)]
pub enum RewriteError<E> {
    #[error(transparent)]
    Import(#[from] Error),
    #[error("{0}")]
    Refused(E),
}

/// Puts a function in front of the one it stands for, with what that says beside its graph.
fn replace<'c: 'a, 'a>(importer: &mut Importer<'c, '_>, old: OperationRef<'c, 'a>, f: &Function) -> Result<(), Error> {
    let said = old.attr("torch.schema").is_some();
    let new = importer.function(&Builder::before(old), f)?;
    if !said {
        new.remove_attr("torch.schema");
    }
    for (name, value) in old.attrs() {
        if !matches!(name, "function_type" | "torch.argument_types" | "torch.schema") {
            new.set_attr(name, value);
        }
    }
    Ok(())
}

struct Old<'c, 'a> {
    /// As they were.
    classes: Vec<(OperationRef<'c, 'a>, Class)>,
    functions: Vec<OperationRef<'c, 'a>>,
    /// Functions that nodes of those hold.
    held: Vec<OperationRef<'c, 'a>>,
}

/// The unit of what is readable, and where it stands.
fn readable<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> (Unit, Old<'c, 'a>) {
    let mut unit = Unit::default();
    let symbols = SymbolTable::of(module);
    let ops = module.body(0).map(|b| b.ops()).unwrap_or_default();
    let mut found = Vec::new();
    for op in ops.iter().filter(|op| op.is("torch.class_type")) {
        if let Ok(class) = classes::read(*op) {
            unit.classes.insert(class.name.clone(), class.clone());
            found.push((*op, class));
        }
    }
    let mut places = Places::default();
    let mut functions = Vec::new();
    for op in ops.into_iter().filter(|op| op.is("func.func") && op.attr("torch.with").is_none()) {
        if op.body(0).is_some()
            && !mentions_values(op)
            && let Ok(f) = from_dialect::read_function(op, &symbols, &mut places)
        {
            unit.functions.insert(f.name.clone(), f);
            functions.push(op);
        }
    }
    // Who calls what is not here cannot be written again.
    loop {
        let before = functions.len();
        functions.retain(|op| {
            let known = callees(*op).iter().all(|name| unit.functions.contains_key(name.as_str()));
            if !known {
                unit.functions.shift_remove(op.symbol_name().unwrap_or_default());
            }
            known
        });
        if functions.len() == before {
            break;
        }
    }
    let held = functions.iter().flat_map(|f| held(*f, &symbols, 0)).collect();
    (unit, Old { classes: found, functions, held })
}

/// Are there tensors as values, which graphs do not know?
fn mentions_values(function: OperationRef<'_, '_>) -> bool {
    let mut seen = FxHashSet::default();
    let mut found = false;
    function.walk_pre(&mut |op| {
        let values = op.result_values().into_iter().chain(op.operand_values());
        for ty in values.map(|v| v.r#type()) {
            found |= seen.insert(ty.to_raw().ptr as usize) && ty.to_string().contains("vtensor");
        }
        if found { Walk::Stop } else { Walk::Advance }
    });
    let (inputs, results) = function.signature().unwrap_or_default();
    found || inputs.iter().chain(&results).any(|ty| ty.to_string().contains("vtensor"))
}

fn callees(function: OperationRef<'_, '_>) -> Vec<String> {
    let mut names = Vec::new();
    function.walk_pre(&mut |op| {
        let attribute = match op.op_name() {
            "func.constant" => "value",
            "func.call" => "callee",
            _ => return Walk::Advance,
        };
        names.extend(op.attr(attribute).and_then(attr::symbol_value).map(|path| path.join(".")));
        Walk::Advance
    });
    names
}

/// The functions that nodes hold as graphs, at any depth.
fn held<'c: 'a, 'a>(
    function: OperationRef<'c, 'a>,
    symbols: &SymbolTable<'c, 'a>,
    depth: usize,
) -> Vec<OperationRef<'c, 'a>> {
    let mut found = Vec::new();
    function.walk_pre(&mut |op| {
        let path = op.attr("torch.subgraph").and_then(attr::symbol_value).unwrap_or_default();
        if let [name] = path.as_slice()
            && let Some(target) = symbols.get(name)
            && depth < 64
        {
            found.push(target);
            found.extend(held(target, symbols, depth + 1));
        }
        Walk::Advance
    });
    found
}
