//! `lift-parameters`: a method becomes a function; what it reads of its module becomes arguments behind its own.
//!
//! All calls are inlined first. Attributes are lifted in the order in which they are read first; a path is lifted once. What is written, or what an
//! object is used for beyond its attributes, cannot be lifted.

use crate::dce::eliminate_dead_code;
use crate::graph::{nodes, passed, root_block, script_type, set_arguments};
use crate::torch_inline::inline;
use rustc_hash::FxHashMap;
use sconce_import::function_schema;
use sconce_ir::location::Place;
use sconce_ir::prelude::*;
use sconce_pass::{Failure, Pass, PassOption, PassResult, PassRun};
use sconce_schema::{Argument, Type as ScriptType};

/// The pass `lift-parameters`.
pub struct LiftParameters;

impl Pass for LiftParameters {
    const NAME: &'static str = "lift-parameters";
    const DESCRIPTION: &'static str =
        "Make a function of a method: what it reads of its module becomes arguments, behind its own";
    const PYTORCH: &'static str = "`LowerGraph`, of one method's graph";
    const OPTIONS: &'static [PassOption] = &[PassOption::str("function", "the method; empty: all", "")];
    const DIALECTS: &'static [&'static str] = &["torch", "func"];

    fn run(root: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
        let chosen = run.str("function");
        inline(root, run)?;
        let symbols = SymbolTable::of(root);
        if !chosen.is_empty() {
            let missing = || Failure::new(format!("there is no function @{chosen}"));
            let function = symbols.get(chosen).filter(|f| f.is("func.func")).ok_or_else(missing)?;
            return lift(&symbols, function);
        }
        let methods = symbols.iter().filter(|(name, op)| op.is("func.func") && is_method(&symbols, name));
        methods.map(|(_, function)| function).try_for_each(|function| lift(&symbols, function))
    }
}

/// Is it a method of a module, with `self` first?
fn is_method(symbols: &SymbolTable<'_, '_>, name: &str) -> bool {
    let class = name.rsplit_once('.').and_then(|(class, _)| symbols.get(class));
    class.is_some_and(|class| class.str_attr("torch.class_kind").unwrap_or("module") == "module" && is_class(class))
}

fn is_class(op: OperationRef<'_, '_>) -> bool {
    op.is("torch.class_type")
}

/// Is it an object of a module, or of a class that nobody knows?
fn is_module(symbols: &SymbolTable<'_, '_>, value: Value<'_, '_>) -> bool {
    let ScriptType::Class(name) = script_type(value) else { return false };
    symbols.get(&name).is_none_or(|class| {
        matches!(class.str_attr("torch.class_kind").unwrap_or("module"), "module" | "module_interface")
    })
}

/// Lifts a method in place.
fn lift<'c: 'a, 'a>(symbols: &SymbolTable<'c, 'a>, function: OperationRef<'c, 'a>) -> PassResult {
    eliminate_dead_code(function)?;
    let Some(root) = root_block(function) else { return Ok(()) };
    let Some(this) = root.args().first().copied().filter(|v| is_module(symbols, *v)) else { return Ok(()) };
    let paths = FxHashMap::from_iter([(this.id(), String::new())]);
    let mut lifting = Lifting { root, paths, known: FxHashMap::default(), lifted: Vec::new() };
    let mut reads = Vec::new();
    for op in nodes(function) {
        if lifting.read(symbols, op) {
            reads.push(op);
        } else if let Some(used) = op.operand_values().into_iter().find(|v| lifting.paths.contains_key(&v.id())) {
            return Err(used_otherwise(op, &lifting.paths[&used.id()], op.op_name()));
        }
    }
    if let Some(used) = passed(root).into_iter().find(|v| lifting.paths.contains_key(&v.id())) {
        return Err(used_otherwise(function, &lifting.paths[&used.id()], "a result"));
    }
    crate::graph::erase_all(&reads)?;
    let lifted = lifting.lifted;
    let before = root.args().len() - lifted.len();
    root.erase_arg(0)?;
    let kept: Vec<bool> = (0..before).map(|i| i > 0).collect();
    set_arguments(function, &kept);
    keep_argument_types(function, &lifted);
    say_in_schema(function, &lifted);
    forget_method(symbols, function)
}

fn used_otherwise(op: OperationRef<'_, '_>, path: &str, what: &str) -> Failure {
    let place = Place::of(op.location()).map(|p| format!("{p}: ")).unwrap_or_default();
    let module = if path.is_empty() { "the module".to_owned() } else { format!("the module '{path}'") };
    Failure::new(format!("{place}{module} is used for more than to read its attributes: {what}"))
}

struct Lifting<'c, 'a> {
    root: BlockRef<'c, 'a>,
    /// Modules, by value.
    paths: FxHashMap<usize, String>,
    /// The new arguments by path.
    known: FxHashMap<String, Value<'c, 'a>>,
    /// The new arguments: path and type.
    lifted: Vec<(String, Value<'c, 'a>, ScriptType)>,
}

impl<'c: 'a, 'a> Lifting<'c, 'a> {
    /// Is it a read of an attribute of a module? Then its result is the argument that stands for it, or a module of known path.
    fn read(&mut self, symbols: &SymbolTable<'c, 'a>, op: OperationRef<'c, 'a>) -> bool {
        let object = op.operand_value(0).filter(|_| op.is("torch.prim.GetAttr"));
        let (Some(path), Some(name), Some(result)) =
            (object.and_then(|v| self.paths.get(&v.id())), op.str_attr("name"), op.result_value(0))
        else {
            return false;
        };
        let path = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        if is_module(symbols, result) {
            self.paths.insert(result.id(), path);
            return true;
        }
        let argument = self.known.get(&path).copied().unwrap_or_else(|| {
            let name = sconce_import::text::names::named(op.context_ref(), &[&path.replace('.', "_")], op.location());
            let argument = self.root.add_arg(result.r#type(), name);
            self.known.insert(path.clone(), argument);
            self.lifted.push((path, argument, script_type(result)));
            argument
        });
        result.replace_all_uses_with(argument);
        true
    }
}

/// Whose types say more than the dialect's is said beside those of the arguments that were there.
fn keep_argument_types<'c: 'a, 'a>(function: OperationRef<'c, 'a>, lifted: &[(String, Value<'c, 'a>, ScriptType)]) {
    if let Some(mut types) = function.attr("torch.argument_types").and_then(attr::array_value) {
        types.resize(types.len() + lifted.len(), attr::array(function.context_ref(), &[]));
        function.set_attr("torch.argument_types", attr::array(function.context_ref(), &types));
    }
}

/// The schema loses `self` and gains what was lifted.
fn say_in_schema<'c: 'a, 'a>(function: OperationRef<'c, 'a>, lifted: &[(String, Value<'c, 'a>, ScriptType)]) {
    let argument = |(path, _, ty): &(String, Value<'c, 'a>, ScriptType)| Argument {
        name: path.replace('.', "_").into(),
        ty: ty.clone(),
        list_size: None,
        default: None,
        kwarg_only: false,
        alias: None,
    };
    function_schema::change(function, |schema| {
        schema.arguments.remove(0);
        schema.arguments.extend(lifted.iter().map(argument));
    });
}

/// It is no method any more.
fn forget_method<'c: 'a, 'a>(symbols: &SymbolTable<'c, 'a>, function: OperationRef<'c, 'a>) -> PassResult {
    let Some((class, method)) = function.symbol_name().and_then(|name| name.rsplit_once('.')) else { return Ok(()) };
    let members = symbols.get(class).filter(|c| is_class(*c)).and_then(|c| c.body(0)).map(BlockExt::ops);
    for member in members.unwrap_or_default() {
        if member.is("torch.method") && member.str_attr("name") == Some(method) {
            member.erase()?;
        }
    }
    Ok(())
}
