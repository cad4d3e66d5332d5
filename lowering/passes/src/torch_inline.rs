//! `torch-inline`: calls of functions and methods become the bodies of what they call; a call through an interface stays, recursion is refused.
//!
//! Calls are made direct first (`func.call`); MLIR's inliner then puts the bodies in their places, those that call nothing first.

use crate::graph::{Rewriter, is_same};
use rustc_hash::FxHashMap;
use sconce_ir::prelude::*;
use sconce_pass::{Failure, Pass, PassResult, PassRun, fuel};

/// The pass `torch-inline`.
pub struct TorchInline;

/// Operations that a function may have once its calls are inlined: a few functions that call each other twice would have any number.
const MOST_OPERATIONS: usize = 250_000;

/// What is inlined elsewhere is made small first: tests for None of arguments' defaults, branches that are decided.
const INLINE: &str = "inline{default-pipeline= \
     op-pipelines=func.func(peephole{shapes=0},constant-propagation{immutable-only=1},constant-pooling)}";

impl Pass for TorchInline {
    const NAME: &'static str = "torch-inline";
    const DESCRIPTION: &'static str = "Inline calls of functions and methods; calls through interfaces stay";
    const PYTORCH: &'static str = "`Inline`";
    const DIALECTS: &'static [&'static str] = &["torch", "func"];

    fn run(root: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
        inline(root, run)
    }
}

/// See the module's page.
pub(crate) fn inline(module: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
    let symbols = SymbolTable::of(module);
    let rewriter = Rewriter::new(module.context_ref());
    for function in module.find_all("func.func") {
        for call in calls(function) {
            make_direct(&rewriter, &symbols, call)?;
        }
    }
    let mut search = Search { symbols: &symbols, active: Vec::new(), sizes: FxHashMap::default() };
    for (_, function) in symbols.iter().filter(|(_, op)| op.is("func.func")) {
        search.size(function)?;
    }
    run.run_pipeline(INLINE, module).map_err(Failure::new)
}

/// The calls in a function, direct or not.
fn calls<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut found = Vec::new();
    function.walk_pre(&mut |op| {
        if matches!(op.op_name(), "func.call" | "func.call_indirect" | "torch.prim.CallMethod") {
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
        self.sizes.insert(name.to_owned(), size);
        Ok(size)
    }
}
