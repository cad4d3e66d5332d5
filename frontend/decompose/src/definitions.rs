//! The definitions of operators in Core ATen are read from the prelude once, and found by the operators' names.
//!
//! `@composite("aten::linear")` is what a call is before writes become values, `@core("aten::silu")` what it is afterwards, and `@inverse("aten::select.int")`
//! what a tensor is after a write to that view of it. A function without any of these is for the others to call.

use crate::error::{Fault, Outcome};
use rustc_hash::FxHashMap;
use sconce_syntax::script::parse;
use sconce_syntax::script::tree::{Def, ExprKind, StmtKind};
use std::sync::OnceLock;

/// When a definition takes the place of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Level {
    /// It may write, and what it gives may share memory with what it takes.
    Composite,
    Core,
}

pub(crate) struct Definition {
    pub level: Level,
    pub def: &'static Def,
}

#[derive(Default)]
struct Definitions {
    operators: FxHashMap<String, Definition>,
    inverses: FxHashMap<String, &'static Def>,
    functions: FxHashMap<String, &'static Def>,
}

static ALL: OnceLock<Result<Definitions, String>> = OnceLock::new();

fn all() -> Outcome<&'static Definitions> {
    ALL.get_or_init(read).as_ref().map_err(|e| Fault(e.clone()))
}

fn read() -> Result<Definitions, String> {
    let mut all = Definitions::default();
    for (file, text) in sconce_prelude::core_aten() {
        let module = parse(file, text).map_err(|e| e.to_string())?;
        for stmt in module.body {
            let StmtKind::Def(def) = stmt.kind else { continue };
            // They are read once, and stay as long as the process.
            let def: &'static Def = Box::leak(def);
            if def.decorators.is_empty() && all.functions.insert(def.name.name.clone(), def).is_some() {
                return Err(format!("{file}: `{}` is defined twice", def.name.name));
            }
            for decorator in &def.decorators {
                let ExprKind::Apply(apply) = &decorator.kind else { continue };
                let ExprKind::Var(kind) = &apply.callee.kind else { continue };
                for arg in &apply.args {
                    let ExprKind::Str(name) = &arg.kind else { continue };
                    let name = String::from_utf8_lossy(name).into_owned();
                    let twice = match kind.name.as_str() {
                        "inverse" => all.inverses.insert(name.clone(), def).is_some(),
                        "composite" => {
                            all.operators.insert(name.clone(), Definition { level: Level::Composite, def }).is_some()
                        }
                        "core" => all.operators.insert(name.clone(), Definition { level: Level::Core, def }).is_some(),
                        other => return Err(format!("{file}: `@{other}` is no kind of definition")),
                    };
                    if twice || sconce_schema::lookup(&name).is_none() {
                        return Err(format!("{file}: {name} is defined twice, or is no operator"));
                    }
                }
            }
        }
    }
    Ok(all)
}

/// The definition of an operator, by its name in schemas.
pub(crate) fn of(operator: &str) -> Outcome<Option<&'static Definition>> {
    Ok(all()?.operators.get(operator))
}

/// What a write to a view leaves of the viewed tensor.
pub(crate) fn inverse(operator: &str) -> Outcome<Option<&'static Def>> {
    Ok(all()?.inverses.get(operator).copied())
}

/// A function that definitions call.
pub(crate) fn function(name: &str) -> Outcome<Option<&'static Def>> {
    Ok(all()?.functions.get(name).copied())
}
