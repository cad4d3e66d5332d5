//! `torch-inline`: calls of functions and methods become the bodies of what they call; a call through an interface stays, recursion is refused.
//!
//! Calls are made direct first (`func.call`); MLIR's inliner then puts the bodies in their places, those that call nothing first.

use crate::graph::{Rewriter, is_constant, is_same, root_block, spell_out};
use rustc_hash::{FxHashMap, FxHashSet};
use sconce_analysis::operators::{kind, str_attribute};
use sconce_ir::prelude::*;
use sconce_pass::{Failure, Pass, PassOption, PassResult, PassRun, fuel};

/// The pass `torch-inline`.
pub struct TorchInline;

/// Operations that a function may have once its calls are inlined: a few functions that call each other twice would have any number.
const MOST_OPERATIONS: usize = 250_000;

/// What is inlined elsewhere is made small first: tests for None of arguments' defaults, branches that are decided.
const SMALL: &str = "peephole{shapes=0},constant-propagation{immutable-only=1},constant-pooling";

impl Pass for TorchInline {
    const NAME: &'static str = "torch-inline";
    const DESCRIPTION: &'static str = "Inline calls of functions and methods; calls through interfaces stay";
    const PYTORCH: &'static str = "`Inline`; with `callers=0` to the letter";
    const OPTIONS: &'static [PassOption] = &[PassOption::bool(
        "callers",
        "functions that nobody calls are made small as well, and graphs that nodes hold are inlined into",
        true,
    )];
    const DIALECTS: &'static [&'static str] = &["torch", "func"];

    fn run(root: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
        if run.bool("callers") { inline(root, run) } else { inline_alone(root, run) }
    }
}

/// See the module's page.
pub(crate) fn inline(module: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
    inner_first(module, |_| true)?;
    let pipeline = format!("inline{{default-pipeline= op-pipelines=func.func({SMALL})}}");
    run.run_pipeline(&pipeline, module).map_err(Failure::new)
}

/// The same, but for functions that nobody calls: they have the bodies where the calls were, and are else what they were.
fn inline_alone(module: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
    let order = inner_first(module, |function| function.attr("torch.with").is_none())?;
    let symbols = SymbolTable::of(module);
    let mut rewriter = Rewriter::new(module.context_ref());
    let callee = |call: OperationRef<'_, '_>| attr::symbol_value(call.attr("callee")?)?.into_iter().next();
    let direct = |function| calls(function).into_iter().filter(|op| op.is("func.call"));
    let called: FxHashSet<String> = order.iter().flat_map(|f| direct(*f)).filter_map(callee).collect();
    for function in order {
        for call in direct(function) {
            let body = callee(call).and_then(|name| root_block(symbols.get(&name)?));
            let (Some(body), at) = (body, Builder::before(call)) else { continue };
            let results = spell_out(&mut rewriter, &at, body, &call.operand_values(), |_, op, values| {
                Ok(at.insert(op.clone_with(values)))
            })?;
            let Some(results) = results else { continue };
            for (old, new) in call.result_values().into_iter().zip(results) {
                old.replace_all_uses_with(new);
            }
            call.erase()?;
        }
        if function.symbol_name().is_some_and(|name| called.contains(name)) {
            run.run_pipeline(SMALL, function).map_err(Failure::new)?;
        }
    }
    Ok(())
}

/// Makes the calls direct in those functions that `wanted` names; all functions, each behind those that it calls.
fn inner_first<'c: 'a, 'a>(
    module: OperationRef<'c, 'a>,
    wanted: impl Fn(OperationRef<'c, 'a>) -> bool,
) -> Result<Vec<OperationRef<'c, 'a>>, Failure> {
    let symbols = SymbolTable::of(module);
    let rewriter = Rewriter::new(module.context_ref());
    for function in module.find_all("func.func").into_iter().filter(|function| wanted(*function)) {
        for call in calls(function) {
            make_direct(&rewriter, &symbols, call)?;
        }
    }
    let mut search = Search { symbols: &symbols, active: Vec::new(), sizes: FxHashMap::default(), order: Vec::new() };
    for (_, function) in symbols.iter().filter(|(_, op)| op.is("func.func")) {
        search.size(function)?;
    }
    Ok(search.order)
}

/// The calls in a function, direct or not.
fn calls<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut found = Vec::new();
    function.walk_pre(&mut |op| {
        let is_text = kind(op) == "prim.CallFunction";
        if is_text || matches!(op.op_name(), "func.call" | "func.call_indirect" | "torch.prim.CallMethod") {
            found.push(op);
        }
        Walk::Advance
    });
    found
}

/// The name of the function that a call means, and the operands that go to it.
fn target<'c: 'a, 'a>(call: OperationRef<'c, 'a>) -> Option<(String, Vec<Value<'c, 'a>>)> {
    let operands = call.operand_values();
    let first = operands.first()?;
    if call.is("func.call_indirect") {
        let constant = first.defining_op().filter(|op| op.is("func.constant"))?;
        return Some((attr::symbol_value(constant.attr("value")?)?.join("."), operands[1..].to_vec()));
    }
    if kind(call) == "prim.CallFunction" {
        // Graph text has functions by name.
        let constant = first.defining_op().filter(|op| is_constant(*op))?;
        return Some((str_attribute(constant, "name")?.to_owned(), operands[1..].to_vec()));
    }
    let receiver = sconce_ir::torch_type::Parts::of(first.r#type()).filter(|parts| parts.word == "nn.Module")?;
    Some((format!("{}.{}", receiver.names.first()?, call.str_attr("name")?), operands))
}

/// Puts a `func.call` in the place of a call of a function of the module, where operands and results can be passed on.
fn make_direct<'c: 'a, 'a>(
    rewriter: &Rewriter<'c>,
    symbols: &SymbolTable<'c, 'a>,
    call: OperationRef<'c, 'a>,
) -> PassResult {
    let Some((name, mut operands)) = target(call).filter(|_| !call.is("func.call")) else { return Ok(()) };
    let function = symbols.get(&name).filter(|f| f.is("func.func") && f.body(0).is_some());
    let Some((formals, returned)) = function.and_then(|f| f.signature()) else { return Ok(()) };
    let results = call.result_values();
    if formals.len() != operands.len() || returned.len() != results.len() {
        return Ok(());
    }
    if !fuel::spend("call", call) {
        return Ok(());
    }
    let at = Builder::before(call);
    for (operand, formal) in operands.iter_mut().zip(formals) {
        let Some(passed_on) = rewriter.pass_on(&at, *operand, formal)? else { return Ok(()) };
        *operand = passed_on;
    }
    let context = call.context_ref();
    let direct = at.op("func.call", call.location()).operands(&operands).results(&returned);
    let direct = direct.attr("callee", attr::symbol(context, &name)).build()?;
    for (old, new) in results.into_iter().zip(direct.result_values()) {
        if !rewriter.replace_uses(old, new)? {
            return direct.erase().map_err(Failure::from);
        }
    }
    let constant = call.operand_value(0).and_then(ValueExt::defining_op).filter(|op| op.is("func.constant"));
    call.erase()?;
    if let Some(constant) = constant.filter(|op| op.is_unused()) {
        constant.erase()?;
    }
    Ok(())
}

/// Finds recursion, and how large functions become.
struct Search<'s, 'c, 'a> {
    symbols: &'s SymbolTable<'c, 'a>,
    active: Vec<OperationRef<'c, 'a>>,
    /// Operations of a function once its calls are inlined.
    sizes: FxHashMap<String, usize>,
    /// Those that were looked at, each behind those that it calls.
    order: Vec<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Search<'_, 'c, 'a> {
    fn size(&mut self, function: OperationRef<'c, 'a>) -> Result<usize, Failure> {
        let name = function.symbol_name().unwrap_or_default();
        if let Some(known) = self.sizes.get(name) {
            return Ok(*known);
        }
        self.active.push(function);
        let mut size = 0;
        function.walk_pre(&mut |_| {
            size += 1;
            Walk::Advance
        });
        for call in calls(function).into_iter().filter(|op| op.is("func.call")) {
            let path = call.attr("callee").and_then(attr::symbol_value).unwrap_or_default();
            let Some(callee) = path.first().and_then(|name| self.symbols.get(name)) else { continue };
            if self.active.iter().any(|f| is_same(*f, callee)) {
                let short = path[0].rsplit('.').next().unwrap_or_default();
                call.emit_error(&format!(
                    "function '{short}' is called recursively. Recursive calls are not supported"
                ));
                return Err(Failure::new("a function calls itself"));
            }
            size += self.size(callee)?;
            if size > MOST_OPERATIONS {
                call.emit_error(&format!(
                    "function '{name}' has more than {MOST_OPERATIONS} operations once its calls are inlined"
                ));
                return Err(Failure::new("a function grows too large"));
            }
        }
        self.active.pop();
        self.order.push(function);
        self.sizes.insert(name.to_owned(), size);
        Ok(size)
    }
}
