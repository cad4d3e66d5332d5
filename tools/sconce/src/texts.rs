//! A loaded program as text: its code, graphs, schemas, state, and the members of its archive.

use crate::calls::Calls;
use crate::error::{Error, Failure};
use crate::module::Module;
use crate::state::NamedKind;
use sconce_executor::{DebugState, ExecutionPlan};
use sconce_export::{mobile, printer, save};
use sconce_graph::listing;
use sconce_graph::unit::{Function, Unit};
use sconce_request::{Answer, Question, Want};
use sconce_script::passes;
use sconce_tensor::IValue;
use std::fmt::Write;

impl Module {
    /// TorchScript code: of a module the files of its archive, each under a line with its name; else every function.
    pub fn code(&self) -> Result<String, Error> {
        if self.root().is_some() {
            let files = self.saved()?.code.into_iter();
            return Ok(files.map(|f| format!("== {}\n{}", f.path, f.text)).collect());
        }
        let unit = self.compiled_unit("code")?;
        let functions = unit.functions.values();
        functions.map(|f| Ok(printer::print_function(unit, f).map_err(save::Error::from)?.0)).collect()
    }

    /// The graph of a method as PyTorch prints it, and then of everything that was compiled with it.
    pub fn graph(&self, method: &str) -> Result<String, Error> {
        let unit = self.compiled_unit("graph text")?;
        let first = &self.function(method)?.name;
        let mut functions: Vec<&Function> = unit.functions.values().collect();
        functions.sort_by_key(|f| f.name != *first);
        let text = |f: &Function| format!("== {}\n{}", f.name, listing::to_listing_in(unit, &f.graph));
        Ok(functions.into_iter().map(text).collect())
    }

    /// The graph of a method with every call inlined.
    pub fn inlined_graph(&self, method: &str) -> Result<String, Error> {
        let unit = self.compiled_unit("graph text")?;
        let name = &self.function(method)?.name;
        let mut graph = passes::inline(unit, name).map_err(|e| Failure::Compile(e.to_string()))?;
        passes::cleanup(&mut graph);
        Ok(format!("== {name}\n{}", listing::to_listing_in(unit, &graph)))
    }

    /// The graph that a call with these arguments runs now (`graph_for`), as text. With [`Options::watch`](crate::Options::watch) it has `prim::profile` nodes, as PyTorch's has.
    pub fn graph_for(&self, method: &str, arguments: &[IValue]) -> Result<String, Error> {
        let (calls, inputs) = self.call_of(method, arguments)?;
        self.executed(&calls, &calls.executor().plan_for(&inputs))
    }

    /// The graph that this thread ran last, if it was one of this module's (`last_executed_optimized_graph`).
    pub fn last_executed_optimized_graph(&self) -> Result<String, Error> {
        let none = || Failure::Compile("no function of the module has run in this thread".into());
        let plan = sconce_executor::last_executed().ok_or_else(none)?;
        let calls = self.calls_with(&plan).ok_or_else(none)?;
        self.executed(&calls, &plan)
    }

    fn executed(&self, calls: &Calls, plan: &std::sync::Arc<ExecutionPlan>) -> Result<String, Error> {
        let origins = self.origins().ok_or(Failure::NoSource { stage: "graph text" })?;
        calls.graph_of(plan, &self.engine, &origins)
    }

    /// The state of a method's executor: plans, counters, or how many runs are still watched (`get_debug_state`).
    pub fn debug_state(&self, method: &str) -> Result<DebugState, Error> {
        Ok(self.calls_of(method)?.executor().debug_state())
    }

    /// A method with every call inlined, as PyTorch's instructions: `LOAD`, `MOVE`, `OP`, `LOOP`, …
    pub fn instructions(&self, method: &str) -> Result<String, Error> {
        let unit = self.compiled_unit("instructions")?;
        let name = &self.function(method)?.name;
        let graph = passes::inline(unit, name).map_err(|e| Failure::Compile(e.to_string()))?;
        let code = mobile::emit(unit, &graph).map_err(save::Error::from)?;
        Ok(format!("== {name}\n{code}"))
    }

    /// The schema of every method (of every function where there is no module), as PyTorch prints it.
    pub fn schemas(&self) -> Result<String, Error> {
        let mut out = String::new();
        for method in self.methods() {
            let f = self.function(method)?;
            let schema = f.schema.as_deref().map_or_else(|| plain_schema(f), str::to_owned);
            let _ = writeln!(out, "{schema}");
        }
        Ok(out)
    }

    /// Everything the module holds: name, what it is, type, and of tensors dtype and sizes.
    pub fn state_text(&self) -> Result<String, Error> {
        let rows: Vec<[String; 3]> = (self.named()?.into_iter())
            .map(|n| {
                let what = match &n.value {
                    IValue::Tensor(t) => {
                        let sizes: Vec<String> = t.sizes().iter().map(i64::to_string).collect();
                        format!("Tensor torch.{} [{}]", t.dtype().torch_name(), sizes.join(", "))
                    }
                    value if n.kind == NamedKind::Constant => format!("{} = {value:?}", n.ty.annotation_str()),
                    _ => n.ty.annotation_str(),
                };
                [if n.name.is_empty() { "(self)".to_owned() } else { n.name }, n.kind.word().to_owned(), what]
            })
            .collect();
        let width = |i: usize| rows.iter().map(|r| r[i].chars().count()).max().unwrap_or(0);
        let (name, kind) = (width(0), width(1));
        let mut out = String::new();
        for [n, k, what] in &rows {
            let _ = writeln!(out, "{n:name$}  {k:kind$}  {what}");
        }
        Ok(out)
    }

    /// A pickle of the archive, one operation a line.
    pub fn pickle_text(&self, entry: &str) -> Result<String, Error> {
        let archive = self.archive().ok_or(Failure::NoSource { stage: "pickles" })?;
        Ok(sconce_archive::pickle::disassemble(&archive.read(entry)?))
    }

    /// The module as an archive's parts.
    pub fn saved(&self) -> Result<save::Saved, Error> {
        let unit = self.compiled_unit("an archive")?;
        let root = self.root().ok_or_else(|| Failure::NoModule { name: String::new() })?;
        let mut state = |object: &std::sync::Arc<sconce_tensor::Object>| self.get_state(object);
        Ok(save::save(unit, &IValue::Object(root.clone()), &mut state)?)
    }

    /// The module as an archive with the instructions of PyTorch's mobile interpreter.
    pub fn saved_mobile(&self) -> Result<save::Saved, Error> {
        let unit = self.compiled_unit("an archive")?;
        let root = self.root().ok_or_else(|| Failure::NoModule { name: String::new() })?;
        let mut state = |object: &std::sync::Arc<sconce_tensor::Object>| self.get_state(object);
        Ok(save::save_mobile(unit, &IValue::Object(root.clone()), &mut state)?)
    }

    /// How often operators and the left sides of rewrite rules stand in the program after the default pipeline: lines of a word, a name and a number.
    pub fn counts(&self) -> Result<String, Error> {
        let subject = self.origins().ok_or(Failure::NoSource { stage: "counts" })?.subject();
        match self.engine.ask(&Question { subject, want: Want::Counts })? {
            Answer::Text(text) => Ok(text),
            _ => Err(Failure::Compile("the compiler answered something else".into()).into()),
        }
    }

    pub(crate) fn compiled_unit(&self, stage: &'static str) -> Result<&Unit, Error> {
        Ok(self.unit().ok_or(Failure::NoSource { stage })?)
    }
}

/// The schema of a function that came without one.
fn plain_schema(f: &sconce_interpreter::Function) -> String {
    let name = f.name.rsplit('.').next().unwrap_or(&f.name);
    let parameters: Vec<String> = f.parameters.iter().map(|p| format!("{} {}", p.ty, p.name)).collect();
    let results: Vec<String> = f.results.iter().map(|t| t.to_string()).collect();
    format!("{name}({}) -> {}", parameters.join(", "), results.join(", "))
}
