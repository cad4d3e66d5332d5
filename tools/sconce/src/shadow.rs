//! Shadow mode: a share of the calls is made again by the interpreter, with copies of the arguments, and what both show is compared.
//!
//! What the interpreter runs is the program as it was loaded, so that a wrong pass is found as a wrong kernel is. Nothing of the second call is seen: it prints
//! nothing and writes to copies. Programs that draw random numbers are not compared.

use sconce_interpreter::outcome::{Closeness, Outcome};
use sconce_interpreter::{Executable, Options, RunError};
use sconce_kernels::Outputs;
use sconce_schema::Trait;
use sconce_tensor::{IValue, deep_copies};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// A call after which the interpreter showed something else.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// The function that was called.
    pub function: String,
    /// Its number among all calls of the module, from 1.
    pub call: u64,
    /// In what, in words.
    pub difference: String,
    /// The arguments as they were, the object of a method first.
    pub arguments: Vec<IValue>,
}

/// Which calls of a module are made twice, and what came of it.
pub(crate) struct Shadow {
    /// One call in so many.
    every: u64,
    closeness: Closeness,
    calls: AtomicU64,
    compared: AtomicU64,
    mismatches: Mutex<Vec<Mismatch>>,
}

/// How many mismatches are kept: one is enough, several may be of several causes.
const KEPT: usize = 8;

/// The arguments of a call that is made twice.
pub(crate) struct Copies {
    call: u64,
    /// What the interpreter gets, and what is kept.
    again: Vec<IValue>,
    kept: Vec<IValue>,
}

impl Shadow {
    /// `share`: of all calls, from 0 to 1. The first call is one of them.
    pub fn new(share: f64, strict: bool) -> Option<Shadow> {
        let every = (share > 0.0).then(|| (1.0 / share.min(1.0)).round() as u64)?;
        let closeness = if strict { Closeness::Bits } else { Closeness::Rounding { special: false } };
        let (calls, compared) = (AtomicU64::new(0), AtomicU64::new(0));
        Some(Shadow { every, closeness, calls, compared, mismatches: Mutex::default() })
    }

    /// Copies of the arguments, if this call is one that is made twice.
    pub fn copies(&self, plain: &Executable, inputs: &[IValue]) -> Option<Copies> {
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        let draws = |name: &std::sync::Arc<str>| sconce_schema::lookup(name).is_none_or(|op| op.has(Trait::Random));
        if !call.is_multiple_of(self.every) || plain.program().operators.iter().any(draws) {
            return None;
        }
        Some(Copies { call: call + 1, again: deep_copies(inputs).ok()?, kept: deep_copies(inputs).ok()? })
    }

    /// Makes the call again, and compares.
    pub fn compare(
        &self,
        plain: &Executable,
        function: u32,
        copies: Copies,
        (result, inputs): (&Result<Outputs, RunError>, &[IValue]),
        options: &Options,
    ) {
        let silent = Options { output: None, profile: None, observer: None, ..options.clone() };
        let again = plain.run(function, copies.again.clone(), &silent);
        let (now, before) = (Outcome::of(result, inputs), Outcome::of(&again, &copies.again));
        self.compared.fetch_add(1, Ordering::Relaxed);
        let Some(difference) = now.difference(&before, self.closeness) else { return };
        let mut mismatches = self.mismatches.lock().unwrap_or_else(PoisonError::into_inner);
        if mismatches.len() < KEPT {
            let function = plain.program().functions[function as usize].name.to_string();
            mismatches.push(Mismatch { function, call: copies.call, difference, arguments: copies.kept });
        }
    }

    pub fn mismatches(&self) -> Vec<Mismatch> {
        self.mismatches.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How many calls there were, and how many of them were made twice.
    pub fn counts(&self) -> (u64, u64) {
        (self.calls.load(Ordering::Relaxed), self.compared.load(Ordering::Relaxed))
    }
}
