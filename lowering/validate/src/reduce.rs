//! A smaller program of which something still holds: a function returns less, operations become arguments, branches and loops give way to what is in them.
//!
//! Whatever is tried is verified first; what does not verify, or is no longer interesting, is dropped. An argument that stands for an operation's result has the
//! type that was seen there, so that what is made for it fits.

use crate::inputs::Given;
use crate::outcome::{Content, Leaf, Number};
use crate::run::{Artifacts, Calls, unit_of};
use sconce_analysis::Tensor;
use sconce_analysis::operators::is_constant_op;
use sconce_analysis::refine::set_tensor_type;
use sconce_analysis::types::TorchType;
use sconce_ir::prelude::*;
use sconce_ir::{FunctionType, diagnostics};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// How long to try.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Programs.
    pub attempts: usize,
    pub time: Duration,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { attempts: 2000, time: Duration::from_secs(60) }
    }
}

/// A copy of a module.
///
/// # Errors
/// None that is known: a copy of a module is one.
pub fn copy_of<'c>(module: &Module<'c>) -> Result<Module<'c>, sconce_ir::Error> {
    let copy = module.as_operation().clone_with(&[]);
    Module::from_operation(copy).ok_or_else(|| sconce_ir::Error::Invalid("the copy of a module is none".into()))
}

/// How many operations a function has, in branches and loops too; its return and constants do not count.
pub fn operations(module: &Module<'_>, function: &str) -> usize {
    let mut count = 0;
    if let Some(function) = SymbolTable::of(module.as_operation()).get(function) {
        function.walk_pre(&mut |op| {
            let is_constant = is_constant_op(op) || op.is_constant();
            count += usize::from(op != function && !op.is_terminator() && !is_constant);
            Walk::Advance
        });
    }
    count
}

/// The smallest module found in which `function` is still interesting.
///
/// # Errors
/// The module cannot be copied.
pub fn reduce<'c>(
    module: &Module<'c>,
    function: &str,
    budget: Budget,
    is_interesting: &mut dyn FnMut(&Module<'c>) -> bool,
) -> Result<Module<'c>, sconce_ir::Error> {
    let best = copy_of(module)?;
    let seen = seen(&best, function);
    let until = Instant::now() + budget.time;
    let mut search = Search { best, function, seen, left: budget.attempts, until, is_interesting };
    search.others()?;
    loop {
        let before = operations(&search.best, function);
        search.results()?;
        search.flatten()?;
        search.cut()?;
        if operations(&search.best, function) >= before || search.is_over() {
            return Ok(search.best);
        }
    }
}

/// What a value was seen to be.
#[derive(Clone, Debug)]
enum Seen {
    Tensor(Tensor),
    Number(Number),
}

struct Search<'c, 'f> {
    best: Module<'c>,
    function: &'f str,
    /// By the place of the operation in the function as it was, and the result.
    seen: HashMap<(usize, usize), Seen>,
    left: usize,
    until: Instant,
    is_interesting: &'f mut dyn FnMut(&Module<'c>) -> bool,
}

/// The attribute by which an operation knows its place in the function as it was.
const PLACE: &str = "sconce.place";

impl<'c> Search<'c, '_> {
    fn is_over(&self) -> bool {
        self.left == 0 || Instant::now() > self.until
    }

    /// Takes a changed copy for the best, if it is still interesting.
    fn attempt(&mut self, change: &dyn Fn(OperationRef<'c, '_>) -> Option<()>) -> Result<bool, sconce_ir::Error> {
        if self.is_over() {
            return Ok(false);
        }
        self.left -= 1;
        let copy = copy_of(&self.best)?;
        let made = SymbolTable::of(copy.as_operation()).get(self.function).and_then(|f| {
            change(f)?;
            sweep(f);
            let context = f.context_ref();
            diagnostics::collect(context, || copy.as_operation().verify()).0.then_some(())
        });
        let is_better = made.is_some() && (self.is_interesting)(&copy);
        if is_better {
            self.best = copy;
        }
        Ok(is_better)
    }

    /// Other functions, classes and objects go.
    fn others(&mut self) -> Result<(), sconce_ir::Error> {
        let keep = self.function.to_owned();
        let all = move |f: OperationRef<'c, '_>| {
            let module = f.parent()?;
            let others = module.body(0)?.ops();
            let is_other = |op: &OperationRef<'c, '_>| op.symbol_name() != Some(&keep);
            others.into_iter().filter(is_other).try_for_each(|op| op.erase().ok())
        };
        self.attempt(&all).map(drop)
    }

    /// One of what is returned, or of what it was made of, is returned alone.
    fn results(&mut self) -> Result<(), sconce_ir::Error> {
        // From the front: the first that is wrong has the least before it.
        let mut index = 0;
        while let Some(count) = self.tops() {
            if index >= count || self.is_over() {
                return Ok(());
            }
            let one = move |f: OperationRef<'c, '_>| {
                let op = *f.body(0)?.ops().get(index)?;
                if op.is_terminator() || is_constant_op(op) {
                    return None;
                }
                return_only(f, op.result_value(0)?)
            };
            if self.attempt(&one)? {
                return Ok(());
            }
            index += 1;
        }
        Ok(())
    }

    /// How many operations stand in the function's own block.
    fn tops(&self) -> Option<usize> {
        let symbols = SymbolTable::of(self.best.as_operation());
        Some(symbols.get(self.function)?.body(0)?.ops().len())
    }

    /// Branches and loops become what is in them.
    fn flatten(&mut self) -> Result<(), sconce_ir::Error> {
        let mut index = 0;
        while self.tops().is_some_and(|count| index < count) && !self.is_over() {
            let one = |region: usize| move |f: OperationRef<'c, '_>| flat(*f.body(0)?.ops().get(index)?, region);
            // What stands there then may be one, too.
            if !self.attempt(&one(0))? && !self.attempt(&one(1))? {
                index += 1;
            }
        }
        Ok(())
    }

    /// Operations become arguments or constants: many at once first, then fewer.
    fn cut(&mut self) -> Result<(), sconce_ir::Error> {
        let mut size = self.tops().unwrap_or(0).max(1);
        while size > 0 && !self.is_over() {
            let mut start = 0;
            while self.tops().is_some_and(|count| start < count) && !self.is_over() {
                let seen = self.seen.clone();
                let some = move |f: OperationRef<'c, '_>| {
                    let ops = f.body(0)?.ops();
                    let chosen = ops.iter().skip(start).take(size).filter(|op| !op.is_terminator());
                    let mut any = false;
                    for op in chosen {
                        any |= replace_by_arguments(f, *op, &seen).is_some();
                    }
                    any.then(|| set_type(f)).flatten()
                };
                if !self.attempt(&some)? {
                    start += size;
                }
            }
            size /= 2;
        }
        Ok(())
    }
}

/// Values of the function's own block, as calls with generated arguments see them.
fn seen(module: &Module<'_>, function: &str) -> HashMap<(usize, usize), Seen> {
    let symbols = SymbolTable::of(module.as_operation());
    let Some(f) = symbols.get(function) else { return HashMap::new() };
    let ops = f.body(0).map(|b| b.ops()).unwrap_or_default();
    for (at, op) in ops.iter().enumerate() {
        op.set_attr(PLACE, attr::i64(f.context_ref(), at as i64));
    }
    observe(module, function).unwrap_or_default()
}

/// Has a copy of the function give every value of its own block, and calls it.
fn observe(module: &Module<'_>, function: &str) -> Option<HashMap<(usize, usize), Seen>> {
    let before = unit_of(module).ok()?;
    let copy = copy_of(module).ok()?;
    let f = SymbolTable::of(copy.as_operation()).get(function)?;
    let mut places = Vec::new();
    let mut values = Vec::new();
    for op in f.body(0)?.ops().into_iter().filter(|op| !op.is_terminator()) {
        let place = op.int_attr(PLACE)? as usize;
        for (result, value) in op.result_values().into_iter().enumerate() {
            places.push((place, result));
            values.push(value);
        }
    }
    return_all(f, &values)?;
    let unit = unit_of(&copy).ok()?;
    let given = Given::default();
    let outcomes = Calls::of(&before, function, &given).ok()?.outcomes(&unit, function, &Artifacts::default()).ok()?;
    let (_, first) = outcomes.into_iter().next()?;
    let known = |leaf: Leaf| Some((*places.get(leaf.result?)?, seen_in(leaf.content)?));
    Some(first.leaves.into_iter().filter_map(known).collect())
}

fn seen_in(content: Content) -> Option<Seen> {
    match content {
        Content::Tensor { dtype, sizes, .. } => {
            let sizes = sizes.into_iter().map(Some).collect();
            Some(Seen::Tensor(Tensor { value: false, sizes: Some(sizes), dtype: Some(dtype) }))
        }
        Content::Number(number) => Some(Seen::Number(number)),
        Content::Other(_) => None,
    }
}

/// The operation's results become arguments of the function, or constants; `None`: they stay.
fn replace_by_arguments<'c: 'a, 'a>(
    f: OperationRef<'c, 'a>,
    op: OperationRef<'c, 'a>,
    seen: &HashMap<(usize, usize), Seen>,
) -> Option<()> {
    if is_constant_op(op) || op.result_values().is_empty() {
        return None;
    }
    let place = op.int_attr(PLACE).and_then(|n| usize::try_from(n).ok());
    let of = |result: usize| place.and_then(|place| seen.get(&(place, result)).cloned());
    let results = op.result_values();
    let can = results
        .iter()
        .enumerate()
        .all(|(i, v)| v.is_unused() || Tensor::of(v.r#type()).is_some() || constant_type(*v, of(i)).is_some());
    if !can {
        return None;
    }
    for (i, value) in results.into_iter().enumerate().filter(|(_, v)| !v.is_unused()) {
        let new = match Tensor::of(value.r#type()) {
            Some(declared) => argument(f, value, declared, of(i))?,
            None => constant(op, value, of(i))?,
        };
        value.replace_all_uses_with(new);
    }
    op.erase().ok()
}

fn argument<'c: 'a, 'a>(
    f: OperationRef<'c, 'a>,
    value: Value<'c, 'a>,
    declared: Tensor,
    seen: Option<Seen>,
) -> Option<Value<'c, 'a>> {
    let new = f.body(0)?.add_arg(value.r#type(), value.loc());
    value.replace_all_uses_with(new);
    if let Some(Seen::Tensor(seen)) = seen {
        set_tensor_type(new, &Tensor { value: declared.value, ..seen }).ok()?;
    }
    Some(new)
}

/// The constant operation for a value that was seen, and its attribute.
fn constant_type(value: Value<'_, '_>, seen: Option<Seen>) -> Option<(&'static str, Number)> {
    let Some(Seen::Number(number)) = seen else { return None };
    Some(match (TorchType::of(value.r#type()), number) {
        (TorchType::Int, Number::Int(_)) => ("torch.constant.int", number),
        (TorchType::Bool, Number::Bool(_)) => ("torch.constant.bool", number),
        (TorchType::Float, Number::Float(_)) => ("torch.constant.float", number),
        (TorchType::Float, Number::Int(n)) => ("torch.constant.float", Number::Float(n as f64)),
        _ => return None,
    })
}

fn constant<'c: 'a, 'a>(op: OperationRef<'c, 'a>, value: Value<'c, 'a>, seen: Option<Seen>) -> Option<Value<'c, 'a>> {
    let (name, number) = constant_type(value, seen)?;
    let context = op.context_ref();
    let attribute = match number {
        Number::Int(n) => attr::i64(context, n),
        Number::Bool(b) => attr::bool(context, b),
        Number::Float(x) => attr::f64(context, x),
    };
    Builder::before(op).op(name, op.location()).attr("value", attribute).results(&[value.r#type()]).build_value().ok()
}

/// The function returns one value.
fn return_only<'c: 'a, 'a>(f: OperationRef<'c, 'a>, value: Value<'c, 'a>) -> Option<()> {
    let end = f.body(0)?.terminator_op()?;
    if end.operand_values() == [value] {
        return None;
    }
    return_all(f, &[value])
}

fn return_all<'c: 'a, 'a>(f: OperationRef<'c, 'a>, values: &[Value<'c, 'a>]) -> Option<()> {
    f.body(0)?.terminator_op()?.set_operand_values(values);
    set_type(f)
}

/// The function's type is that of its arguments and of what it returns; what else was said of it was said of another.
fn set_type<'c: 'a, 'a>(f: OperationRef<'c, 'a>) -> Option<()> {
    let block = f.body(0)?;
    let types = |values: Vec<Value<'c, 'a>>| values.iter().map(|v| v.r#type()).collect::<Vec<_>>();
    let (inputs, results) = (types(block.args()), types(block.terminator_op()?.operand_values()));
    let ty = FunctionType::new(f.context_ref(), &inputs, &results);
    for (name, _) in f.attrs() {
        if name.starts_with("torch.") || matches!(name, "arg_attrs" | "res_attrs") {
            f.remove_attr(name);
        }
    }
    f.set_attr("function_type", attr::r#type(ty.into()));
    Some(())
}

/// A branch or a turn of a loop in the place of the operation that holds it.
fn flat<'c: 'a, 'a>(op: OperationRef<'c, 'a>, region: usize) -> Option<()> {
    let body = op.body(region)?;
    let end = body.terminator_op()?;
    let passed = match op.op_name() {
        "torch.prim.If" => end.operand_values(),
        "torch.prim.Loop" => {
            let context = op.context_ref();
            let (count, carried) = body.args().split_first().map(|(n, rest)| (*n, rest.to_vec()))?;
            let at = Builder::before(op);
            let zero = at.op("torch.constant.int", op.location()).attr("value", attr::i64(context, 0));
            count.replace_all_uses_with(zero.results(&[count.r#type()]).build_value().ok()?);
            for (inner, outer) in carried.into_iter().zip(op.operand_values().into_iter().skip(2)) {
                inner.replace_all_uses_with(outer);
            }
            end.operand_values().into_iter().skip(1).collect()
        }
        _ => return None,
    };
    for inner in body.ops().into_iter().filter(|inner| !inner.is_terminator()) {
        inner.move_in_front_of(op);
    }
    for (result, value) in op.result_values().into_iter().zip(passed) {
        result.replace_all_uses_with(value);
    }
    op.erase().ok()
}

/// What nobody uses and what does nothing else goes; arguments that nobody reads go, too.
fn sweep(f: OperationRef<'_, '_>) {
    let Some(block) = f.body(0) else { return };
    let mut changed = true;
    while changed {
        changed = false;
        for op in block.ops().into_iter().rev().filter(|op| !op.is_terminator()) {
            if op.is_unused() && (op.is_trivially_dead() || is_pure(op)) {
                changed |= op.erase().is_ok();
            }
        }
    }
    for index in (0..block.args().len()).rev() {
        if block.args()[index].is_unused() && block.erase_arg(index).is_ok() {
            changed = true;
        }
    }
    if changed {
        set_type(f);
    }
}

/// An operator that writes to nothing.
fn is_pure(op: OperationRef<'_, '_>) -> bool {
    sconce_torch::entry(op).is_some_and(|entry| entry.effect().writes.is_empty()) || op.is("torch.prim.ListConstruct")
}
