//! The definitions of operators in Core ATen are read from the prelude once, and found by the operators' names.
//!
//! `@composite("aten::linear")` is what a call is before writes become values, `@core("aten::silu")` what it is afterwards, and `@inverse("aten::select.int")`
//! what a tensor is after a write to that view of it. A function without any of these is for the others to call.

use crate::error::{Fault, Outcome};
use rustc_hash::FxHashMap;
use sconce_syntax::script::parse;
use sconce_syntax::script::tree::{Def, Expr, ExprKind, Module, StmtKind};
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

/// The texts as trees, which stay as long as the process.
fn modules() -> &'static Result<Vec<(&'static str, Module)>, String> {
    static MODULES: OnceLock<Result<Vec<(&'static str, Module)>, String>> = OnceLock::new();
    MODULES.get_or_init(|| {
        let read =
            |(file, text): (_, String)| parse(file, &text).map(|module| (file, module)).map_err(|e| e.to_string());
        sconce_prelude::core_aten().into_iter().map(read).collect()
    })
}

fn all() -> Outcome<&'static Definitions> {
    static ALL: OnceLock<Result<Definitions, String>> = OnceLock::new();
    ALL.get_or_init(read).as_ref().map_err(|e| Fault(e.clone()))
}

fn read() -> Result<Definitions, String> {
    let mut all = Definitions::default();
    for (file, module) in modules().as_ref().map_err(Clone::clone)? {
        for stmt in &module.body {
            let StmtKind::Def(def) = &stmt.kind else { continue };
            if def.decorators.is_empty() && all.functions.insert(def.name.name.clone(), def).is_some() {
                return Err(format!("{file}: `{}` is defined twice", def.name.name));
            }
            for decorator in &def.decorators {
                all.decorated(file, def, decorator)?;
            }
        }
    }
    Ok(all)
}

impl Definitions {
    /// Puts a function on record for the operators that a decorator names.
    fn decorated(&mut self, file: &str, def: &'static Def, decorator: &Expr) -> Result<(), String> {
        let wrong = || format!("{file}: the decorator of `{}` is none of a definition", def.name.name);
        let ExprKind::Apply(apply) = &decorator.kind else { return Err(wrong()) };
        let ExprKind::Var(kind) = &apply.callee.kind else { return Err(wrong()) };
        for arg in &apply.args {
            let ExprKind::Str(name) = &arg.kind else { return Err(wrong()) };
            let name = String::from_utf8_lossy(name).into_owned();
            let level = match kind.name.as_str() {
                "inverse" => None,
                "composite" => Some(Level::Composite),
                "core" => Some(Level::Core),
                _ => return Err(wrong()),
            };
            let twice = match level {
                None => self.inverses.insert(name.clone(), def).is_some(),
                Some(level) => self.operators.insert(name.clone(), Definition { level, def }).is_some(),
            };
            if twice || sconce_schema::lookup(&name).is_none() {
                return Err(format!("{file}: {name} is defined twice, or is no operator"));
            }
        }
        Ok(())
    }
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
