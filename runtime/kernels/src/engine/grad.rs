//! Which tensors require gradients: what an operator computes from one that does requires them too, unless the mode or the operator says no.
//!
//! Nothing here computes a gradient; programs only ask (`x.requires_grad`), and results carry the answer.

use crate::{Error, Outputs};
use sconce_schema::{OpEntry, Trait, Type};
use sconce_tensor::{IValue, Tensor};
use smallvec::SmallVec;
use std::cell::Cell;

thread_local! {
    static ENABLED: Cell<bool> = const { Cell::new(true) };
}

/// The mode of this thread (`torch.is_grad_enabled`).
pub fn enabled() -> bool {
    ENABLED.get()
}

/// Sets the mode of this thread; the mode before.
pub fn enable(on: bool) -> bool {
    ENABLED.replace(on)
}

pub fn set_enabled(on: bool) {
    enable(on);
}

/// `x.grad`: nothing computes gradients.
pub fn none() -> IValue {
    IValue::None
}

/// (self, requires_grad)
pub fn require(tensor: &Tensor, on: bool) -> Result<Tensor, Error> {
    if !tensor.is_leaf() {
        if on {
            return Ok(tensor.clone());
        }
        return Err(Error::runtime(
            "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a subgraph that doesn't require differentiation use var_no_grad = var.detach().",
        ));
    }
    if on && !(tensor.dtype().is_float() || tensor.dtype().is_complex()) {
        return Err(Error::runtime("Only Tensors of floating point and complex dtype can require gradients"));
    }
    tensor.set_requires_grad(on);
    Ok(tensor.clone())
}

/// What gradients are asked of is not overwritten by a program, unless the mode or the operator says that none are.
///
/// Who builds a module fills its parameters, whatever the mode; only programs are checked.
pub fn check_written(entry: &OpEntry, args: &[IValue]) -> Result<(), Error> {
    if !entry.has(Trait::InPlace) || entry.has(Trait::NoGradient) || !enabled() {
        return Ok(());
    }
    match args.first() {
        Some(IValue::Tensor(t)) if t.requires_grad() && t.is_leaf() => {
            Err(Error::runtime("a leaf Variable that requires grad is being used in an in-place operation."))
        }
        _ => Ok(()),
    }
}

/// What the arguments of a call say about its results. Taken before the call: a kernel may take its arguments.
pub struct History {
    /// The arguments that are tensors, where one of them requires gradients.
    inputs: SmallVec<[Tensor; 4]>,
    /// One of the arguments is a nested or a quantized tensor, which few operators take.
    pub special: bool,
}

impl History {
    /// The tensors in lists count for operators that compute with them (`lists`); to look into the lists of others would make every `append` as slow as its
    /// list is long.
    pub fn of(args: &[IValue], lists: bool) -> History {
        let mut inputs = SmallVec::new();
        let looked_at = |a: &&IValue| lists || matches!(a, IValue::Tensor(_));
        if !args.iter().filter(looked_at).any(|a| has(a, |t| t.requires_grad() || !t.is_plain())) {
            return History { inputs, special: false };
        }
        if args.iter().any(|a| has(a, Tensor::requires_grad)) {
            args.iter().for_each(|a| tensors(a, &mut inputs));
        }
        History { inputs, special: args.iter().any(|a| has(a, |t| !t.is_plain())) }
    }

    /// Marks the results that an operator computed. Elements of containers that it hands on stay as they are.
    pub fn mark(&self, entry: &OpEntry, outputs: &mut Outputs) {
        if self.inputs.is_empty() {
            return;
        }
        let on = enabled() && !entry.has(Trait::NoGradient);
        for (value, declared) in outputs.iter().zip(&entry.schema().returns) {
            match (value, &declared.ty) {
                (IValue::Tensor(t), Type::Tensor(_)) => self.mark_one(on, entry.has(Trait::Writes), t),
                (IValue::List(l), Type::List(element)) if element.is_tensor() => {
                    l.read().iter().filter_map(|v| v.as_tensor().ok()).for_each(|t| self.mark_one(on, false, t));
                }
                _ => {}
            }
        }
    }

    /// The same for the results of compiled code, which computes only what gradients flow through.
    pub fn mark_all(&self, outputs: &Outputs) {
        if !self.inputs.is_empty() {
            outputs.iter().filter_map(|v| v.as_tensor().ok()).for_each(|t| self.mark_one(enabled(), false, t));
        }
    }

    fn mark_one(&self, on: bool, written: bool, result: &Tensor) {
        let flows = on && (result.dtype().is_float() || result.dtype().is_complex());
        if !self.inputs.iter().any(|i| i.is(result)) || (written && flows) {
            result.set_computed_gradient(flows);
        }
    }
}

/// Whether a value is such a tensor, or a list that holds one.
pub fn has(v: &IValue, what: impl Fn(&Tensor) -> bool) -> bool {
    match v {
        IValue::Tensor(t) => what(t),
        IValue::List(l) => l.read().iter().any(|v| matches!(v, IValue::Tensor(t) if what(t))),
        _ => false,
    }
}

fn tensors(v: &IValue, out: &mut SmallVec<[Tensor; 4]>) {
    match v {
        IValue::Tensor(t) => out.push(t.clone()),
        IValue::List(l) => out.extend(l.read().iter().filter_map(|v| v.as_tensor().ok().cloned())),
        _ => {}
    }
}
