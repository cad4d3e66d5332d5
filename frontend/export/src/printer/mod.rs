//! Python text of a unit, as PyTorch's `code/` holds it: what it prints compiles back to the same graphs, and prints again to the same text.
//!
//! Where PyTorch's own text does not read back (floats from 1e10 to 1e17 without a point, `\r` in strings, quotes in an enum's
//! strings) the text here does.

mod body;
mod class;
mod literal;
mod scan;
mod text;

pub(crate) use body::necessary_arguments;
pub use literal::{constant_text, float_text};
pub use text::Tag;

use body::FilePrinter;
use indexmap::{IndexMap, IndexSet};
use sconce_graph::graph::Loc;
use sconce_graph::unit::{Function, Unit};
use sconce_schema::Type;
use sconce_schema::types::NamedTuple;
use sconce_tensor::IValue;
use std::sync::Arc;

/// What cannot be printed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    #[error("{0} is used, but the unit does not define it")]
    Undefined(Arc<str>),
    #[error("{function}: {node} cannot be written as Python: {why}")]
    Inexpressible { function: Arc<str>, node: String, why: String },
}

/// The files of an archive's `code/` and the constants that their text names.
#[derive(Debug, Default)]
pub struct Printed {
    pub files: Vec<File>,
    /// `CONSTANTS.c0`, `CONSTANTS.c1`, …
    pub constants: Vec<IValue>,
    /// Where parts of the texts come from; tags are positions in it plus one.
    pub places: Vec<Loc>,
    /// The least operator version that readers need.
    pub version: u32,
}

/// One file of `code/`.
#[derive(Debug)]
pub struct File {
    /// `__torch__/mod.py`, relative to `code/`.
    pub path: String,
    pub text: String,
    pub tags: Vec<Tag>,
}

/// The least version of the archives that are written.
const MIN_VERSION: u32 = 3;

/// Prints the classes `roots` (those of an archive's objects, in the order in which they are pickled; the module's own first), and all they need.
pub fn print(unit: &Unit, roots: &[Arc<str>]) -> Result<Printed, Error> {
    print_with(unit, roots, &[])
}

/// The same with functions that no class needs.
pub fn print_with(unit: &Unit, roots: &[Arc<str>], functions: &[Arc<str>]) -> Result<Printed, Error> {
    let mut printer = Printer { shared: Shared::new(unit), files: IndexMap::new(), done: IndexSet::new() };
    for root in roots {
        printer.define(&Dependency::Class(root.clone()))?;
    }
    for function in functions {
        printer.define(&Dependency::Function(function.clone()))?;
    }
    if let Some(root) = roots.first() {
        printer.shared.depend(Dependency::Class(root.clone()));
    }
    let mut next = 0;
    while let Some(dependency) = printer.shared.dependencies.get_index(next).cloned() {
        printer.define(&dependency)?;
        next += 1;
    }
    Ok(printer.finish())
}

/// Prints one function by itself: `def f(x: Tensor) -> Tensor: …`, as `ScriptFunction.code` shows it.
pub fn print_function(unit: &Unit, function: &Function) -> Result<(String, Vec<IValue>), Error> {
    let mut shared = Shared::new(unit);
    let mut file = FilePrinter::default();
    file.function(&mut shared, function, true)?;
    Ok((file.body.out, shared.constants))
}

/// Prints the methods of a class, without types of `self`: what `ScriptModule.code` shows.
pub fn print_method(unit: &Unit, function: &Function) -> Result<(String, Vec<IValue>), Error> {
    let mut shared = Shared::new(unit);
    let mut file = FilePrinter::default();
    file.function(&mut shared, function, false)?;
    Ok((file.body.out, shared.constants))
}

/// A class, function or named tuple that printed text mentions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Dependency {
    Class(Arc<str>),
    Function(Arc<str>),
    NamedTuple(Arc<NamedTuple>),
}

impl Dependency {
    fn name(&self) -> &Arc<str> {
        match self {
            Dependency::Class(name) | Dependency::Function(name) => name,
            Dependency::NamedTuple(tuple) => &tuple.name,
        }
    }
}

/// What all files of one archive share.
pub(crate) struct Shared<'a> {
    pub unit: &'a Unit,
    pub constants: Vec<IValue>,
    dependencies: IndexSet<Dependency>,
    places: IndexMap<(usize, u32, u32), Loc>,
    version: u32,
}

impl<'a> Shared<'a> {
    fn new(unit: &'a Unit) -> Shared<'a> {
        Shared {
            unit,
            constants: Vec::new(),
            dependencies: IndexSet::new(),
            places: IndexMap::new(),
            version: MIN_VERSION,
        }
    }

    pub fn depend(&mut self, dependency: Dependency) {
        self.dependencies.insert(dependency);
    }

    /// Notes every class that a type mentions.
    pub fn depend_on_type(&mut self, ty: &Type) {
        match ty {
            Type::Class(name) if is_foreign(name) => {}
            Type::Class(name) => self.depend(Dependency::Class(name.clone())),
            Type::Enum(name) => self.depend(Dependency::Class(name.clone())),
            Type::NamedTuple(tuple) => {
                if !tuple.name.is_empty() {
                    self.depend(Dependency::NamedTuple(tuple.clone()));
                }
                tuple.fields.iter().for_each(|(_, t)| self.depend_on_type(t));
            }
            Type::List(t) | Type::Optional(t) | Type::Future(t) | Type::Await(t) | Type::RRef(t) => {
                self.depend_on_type(t);
            }
            Type::Dict(k, v) => {
                self.depend_on_type(k);
                self.depend_on_type(v);
            }
            Type::Tuple(ts) | Type::Union(ts) => ts.iter().for_each(|t| self.depend_on_type(t)),
            _ => {}
        }
    }

    /// The tag of a place: the same for equal places, 0 for none.
    pub fn tag(&mut self, loc: Option<&Loc>) -> u32 {
        let Some(loc) = loc else { return 0 };
        let key = (Arc::as_ptr(&loc.source) as usize, loc.span.start, loc.span.end);
        let entry = self.places.entry(key);
        let index = entry.index();
        entry.or_insert_with(|| loc.clone());
        u32::try_from(index + 1).unwrap_or(0)
    }

    /// Takes note of an operator's version.
    pub fn needs_version(&mut self, operator: &str) {
        if let Some(version) = sconce_script::upgraders::current_version(operator) {
            self.version = self.version.max(version);
        }
    }
}

/// Classes that PyTorch binds in C++ are not printed.
fn is_foreign(name: &str) -> bool {
    name.starts_with(sconce_script::importer::foreign::PREFIX)
}

struct Printer<'a> {
    shared: Shared<'a>,
    /// By what stands before a name's last dot.
    files: IndexMap<String, FilePrinter>,
    done: IndexSet<Dependency>,
}

impl Printer<'_> {
    fn define(&mut self, dependency: &Dependency) -> Result<(), Error> {
        if !self.done.insert(dependency.clone()) {
            return Ok(());
        }
        let name = dependency.name().clone();
        let prefix = name.rsplit_once('.').map_or("", |(prefix, _)| prefix);
        let file = self.files.entry(prefix.to_owned()).or_default();
        let shared = &mut self.shared;
        let unit = shared.unit;
        match dependency {
            // Their file is there, and empty.
            Dependency::Class(name) if is_foreign(name) => Ok(()),
            Dependency::Function(name) => {
                let function = unit.functions.get(name).ok_or_else(|| Error::Undefined(name.clone()))?;
                file.function(shared, function, true)
            }
            Dependency::Class(name) => {
                let class = unit.classes.get(name).ok_or_else(|| Error::Undefined(name.clone()))?;
                file.class(shared, class)
            }
            Dependency::NamedTuple(tuple) => {
                file.named_tuple(shared, tuple);
                Ok(())
            }
        }
    }

    fn finish(self) -> Printed {
        let files = self.files.into_iter().map(|(prefix, file)| File {
            path: format!("{}.py", prefix.replace('.', "/")),
            text: file.body.out,
            tags: file.body.tags,
        });
        Printed {
            files: files.collect(),
            constants: self.shared.constants,
            places: self.shared.places.into_values().collect(),
            version: self.shared.version,
        }
    }
}
