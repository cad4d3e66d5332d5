//! Model files are evaluated here as Python would: module-level code, classes, `__init__`; what is left to the compiler is only what it compiles.
//!
//! This is no Python: it knows what model files are written in, computes tensors with Sconce's own kernels, and touches neither files, network nor
//! operating system. Steps, depth and sizes are bounded ([`Limits`]).
#![forbid(unsafe_code)]

mod annotation;
mod attribute;
pub(crate) mod builtins;
mod call;
mod cast;
mod class;
mod concrete;
mod cycles;
mod data;
mod dataclass;
mod entries;
mod eval;
mod fault;
mod infer;
mod items;
mod library;
mod methods;
mod module;
mod operators;
mod program;
mod resolve;
mod tensor;
mod text;
pub(crate) mod trace;
mod trace_check;
mod traced;
pub(crate) mod value;

pub use data::Parameter;
pub use entries::Entries;
pub use fault::{Error, Place};
pub(crate) use fault::{Fallible, Fault};
pub use program::{Compiled, Entry, Options, Program};

use rustc_hash::FxHashMap;
use sconce_graph::graph::{Loc, SourceText};
use sconce_syntax::script::tree::Module;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use value::{Annotation, File, Scope};

/// How much a file may do before it is refused.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Statements, expressions and elements.
    pub steps: u64,
    /// Calls within calls.
    pub depth: u32,
    /// Bytes of all tensors that are made.
    pub tensor_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { steps: 50_000_000, depth: 200, tensor_bytes: 64 << 30 }
    }
}

/// The state of an evaluation.
pub(crate) struct Evaluator {
    limits: Limits,
    steps: Cell<u64>,
    depth: Cell<u32>,
    tensor_bytes: Cell<u64>,
    /// Pieces of the prelude that were evaluated, by address.
    pieces: RefCell<FxHashMap<*const sconce_prelude::Piece, Rc<Scope>>>,
    /// Annotations of names, until their class is made: scope's address, name, annotation.
    pending_annotations: RefCell<Vec<(usize, Rc<str>, Annotation)>>,
    /// Exceptions being handled, for a bare `raise`.
    handling: RefCell<Vec<Fault>>,
    grad: Cell<bool>,
    /// The file that is being evaluated, not the prelude's.
    main: RefCell<Option<Rc<Scope>>>,
    /// What is being recorded by `torch.jit.trace`.
    tracing: RefCell<Option<Box<trace::Tracing>>>,
    /// The statement that is run.
    place: RefCell<Option<Loc>>,
    /// What was printed while the file was evaluated.
    printed: RefCell<String>,
    /// What `warnings.warn` was called with, and what is said of traces.
    warnings: RefCell<Vec<Warning>>,
    /// Last, so that it goes when nothing above needs what it forgets.
    made: cycles::Made,
}

/// What the evaluation of a file says without ending: `m.py:3:4: FutureWarning: old`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The class of the warning, without its module.
    pub category: String,
    pub text: String,
    /// The statement of the file, as `file:line:column`, unless the library gave it.
    pub place: Option<String>,
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        write!(f, "{}: {}", self.category, self.text)
    }
}

impl Evaluator {
    pub(crate) fn new(limits: Limits) -> Evaluator {
        Evaluator {
            limits,
            steps: Cell::new(0),
            depth: Cell::new(0),
            tensor_bytes: Cell::new(0),
            pieces: RefCell::default(),
            pending_annotations: RefCell::default(),
            handling: RefCell::default(),
            grad: Cell::new(true),
            main: RefCell::default(),
            tracing: RefCell::default(),
            place: RefCell::default(),
            printed: RefCell::default(),
            warnings: RefCell::default(),
            made: cycles::Made::default(),
        }
    }

    /// Counts steps; too many are an error.
    fn spend(&self, n: u64) -> Fallible<()> {
        let steps = self.steps.get().saturating_add(n);
        self.steps.set(steps);
        if steps > self.limits.steps {
            return Err(Fault::limit(format!("evaluation takes more than {} steps", self.limits.steps)));
        }
        Ok(())
    }

    /// Reads a text as Python.
    pub(crate) fn parse(&self, source: &Arc<SourceText>) -> Fallible<Module> {
        sconce_syntax::script::parse(source.name(), source.text())
            .map_err(|e| Fault::raise("SyntaxError", e.to_string()))
    }

    /// Runs a file's statements; its names are then in the scope.
    pub(crate) fn run_file(&self, name: &str, source: Arc<SourceText>, tree: &Module) -> Fallible<Rc<Scope>> {
        let scope = Scope::of_file(Rc::new(File { name: name.into(), source }));
        *self.main.borrow_mut() = Some(scope.clone());
        self.block(&tree.body, &scope)?;
        Ok(scope)
    }
}
