//! `freeze`: what nothing changes in a module in evaluation mode becomes constants of its methods, and what they then do not read goes.
//!
//! Calls are inlined first. An attribute is *changed* when a kept method sets it, or writes to a tensor or container that it, or an attribute
//! sharing its storage, holds. Attributes of submodules count like the module's own; a submodule of which something stays, stays whole. The
//! frozen class stands beside the old one; the frozen object takes the old one's place.

mod define;
mod kept;
mod objects;

use crate::dce::eliminate_dead_code;
use crate::graph::{Rewriter, constant, inputs, is_constant, nodes, root_block};
use crate::torch_inline::inline;
use define::Frozen;
use kept::Kept;
use objects::{Access, Objects, known_objects};
use rustc_hash::FxHashMap;
use sconce_analysis::operators::{kind, source};
use sconce_import::text::names;
use sconce_ir::prelude::*;
use sconce_pass::{Failure, Pass, PassOption, PassResult, PassRun};
use sconce_tensor::IValue;

/// The pass `freeze`.
pub struct Freeze;

/// What PyTorch runs between the steps.
pub(crate) const OPTIMIZE: &str = "dce,torch-cse,peephole,constant-propagation,constant-pooling,\
     unroll{then=constant-propagation,remove-list-mutation},torch-cse";

impl Pass for Freeze {
    const NAME: &'static str = "freeze";
    const DESCRIPTION: &'static str =
        "Make constants of what nothing changes in the one module object (torch.nn_module) that no other holds";
    const PYTORCH: &'static str = "`torch.jit.freeze`";
    const OPTIONS: &'static [PassOption] =
        &[PassOption::str("preserved", "methods, beside forward, and attributes that stay, by name", "")];
    const DIALECTS: &'static [&'static str] = &["torch", "func"];

    fn run(root: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
        let preserved: Vec<&str> = run.str("preserved").split(',').filter(|name| !name.is_empty()).collect();
        let objects = Objects::of(root)?;
        let symbols = SymbolTable::of(root);
        check(&objects, &symbols, &preserved)?;
        inline(root, run)?;
        let frozen = Frozen::begin(root, &objects, &preserved)?;
        for method in frozen.functions() {
            run.run_pipeline("lower-simple-tuples", method).map_err(Failure::new)?;
            run.run_pipeline(OPTIMIZE, method).map_err(Failure::new)?;
        }
        // What an attribute says may tell that another is not changed: batch normalisation writes to its statistics when `training` says so.
        loop {
            let mut kept = Kept::of_names(&objects, &preserved);
            frozen.functions().for_each(|method| kept.changes(&objects, method));
            kept.aliases(&objects);
            let mut became = 0;
            for method in frozen.functions() {
                became += propagate(&objects, &kept, method)?;
                run.run_pipeline(OPTIMIZE, method).map_err(Failure::new)?;
                remove_dropout(method)?;
                run.run_pipeline("lower-simple-tuples", method).map_err(Failure::new)?;
            }
            if became == 0 {
                break;
            }
        }
        for method in frozen.functions() {
            run.run_pipeline("canonicalize-outputs", method).map_err(Failure::new)?;
        }
        frozen.finish(&objects, &preserved)
    }
}

/// Modules in training mode change what they are; names must mean something.
fn check<'c: 'a, 'a>(objects: &Objects<'c, 'a>, symbols: &SymbolTable<'c, 'a>, preserved: &[&str]) -> PassResult {
    let root = objects.root();
    let training = objects.slot(root, "training").and_then(|slot| constant(slot.value));
    if matches!(training, Some(IValue::Bool(true))) {
        return Err(Failure::new(
            "Freezing is currently only implemented for modules in eval mode. Please call .eval() on your module before freezing.",
        ));
    }
    let class = objects.class(root);
    let known = |name: &str| {
        objects.slot(root, name).is_some() || define::methods(symbols, class).iter().any(|(method, _)| *method == name)
    };
    match preserved.iter().find(|name| !known(name)) {
        Some(unknown) => Err(Failure::new(format!("Unknown name: {unknown}"))),
        None => Ok(()),
    }
}

/// Reads of what stays the same become constants: how many did.
fn propagate<'c: 'a, 'a>(
    objects: &Objects<'c, 'a>,
    kept: &Kept,
    function: OperationRef<'c, 'a>,
) -> Result<usize, Failure> {
    let Some(mut last) = root_block(function).map(|block| Builder::at_start(function.context_ref(), block)) else {
        return Ok(0);
    };
    let mut became = 0;
    let known = known_objects(objects, function);
    let rewriter = Rewriter::new(function.context_ref());
    let mut made: FxHashMap<(usize, String), Value<'c, 'a>> = FxHashMap::default();
    for op in nodes(function) {
        let Some(Access { object, name, is_read: true }) = Access::of(op, &known) else { continue };
        let (Some(result), false) = (op.result_value(0), kept.has(object, name)) else { continue };
        let Some(value) = objects.slot(object, name).and_then(|slot| source(slot.value).defining_op()) else {
            continue;
        };
        if !is_constant(value) {
            continue;
        }
        let key = (object, name.to_owned());
        let folded = match made.get(&key) {
            Some(folded) => *folded,
            None => {
                let copy = last.insert(value.clone_with(&[]));
                copy.set_loc(names::named(function.context_ref(), &[name], Location::unknown(function.context_ref())));
                last = Builder::after(copy);
                let Some(folded) = copy.result_value(0) else { continue };
                made.insert(key, folded);
                folded
            }
        };
        became += usize::from(rewriter.replace_uses(result, folded)?);
    }
    eliminate_dead_code(function)?;
    Ok(became)
}

/// Dropout does nothing when not training.
fn remove_dropout<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> PassResult {
    let rewriter = Rewriter::new(function.context_ref());
    for op in nodes(function) {
        let named = matches!(kind(op), "aten.dropout" | "aten.feature_dropout" | "aten.alpha_dropout");
        let operands = inputs(op);
        let training = operands.get(2).and_then(|v| constant(*v));
        if named
            && matches!(training, Some(IValue::Bool(false)))
            && let (Some(input), Some(output)) = (operands.first(), op.result_value(0))
        {
            rewriter.replace_uses(output, *input)?;
        }
    }
    eliminate_dead_code(function)
}
