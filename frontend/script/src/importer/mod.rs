//! An archive's code becomes a unit and its data an object: classes and functions by name as they are needed, everything in the end.
//!
//! ```no_run
//! use sconce_archive::{Limits, PtArchive};
//! use sconce_script::{importer, values::Copied};
//! let archive = PtArchive::open("model.pt", &Limits::default())?;
//! let loaded = importer::load(&archive, &mut Copied(&archive))?;
//! println!("{} has {} classes", loaded.root, loaded.unit.classes.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod class;
pub mod foreign;
mod legacy;
mod literal;
mod names;
mod places;
mod upgrade;

use crate::emit::{self, Compiler};
use crate::graph::{Loc, SourceText};
use crate::unit::Unit;
use crate::values::{self, Storages, Values};
use names::Names;
use sconce_archive::pickle::{Pickle, Value};
use sconce_archive::{CodeFile, PtArchive};
use sconce_schema::Type;
use sconce_syntax::Span;
use sconce_tensor::{IValue, Object};
use std::rc::Rc;
use std::sync::Arc;

/// Why an archive is not a program.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Archive(#[from] sconce_archive::Error),
    #[error(transparent)]
    Syntax(#[from] sconce_syntax::Error),
    /// The code is refused by the compiler.
    #[error("{}", .0.short())]
    Compile(#[from] emit::Error),
    #[error(transparent)]
    Value(#[from] values::Error),
    #[error("{entry}: {what}")]
    Data { entry: String, what: String },
}

/// A program with its state.
pub struct Loaded {
    pub unit: Unit,
    /// The class of the module.
    pub root: Arc<str>,
    /// The module.
    pub module: IValue,
    /// Objects whose `__setstate__` is to be called with the value beside them, in this order, before anything else runs.
    pub states: Vec<(Arc<Object>, IValue)>,
}

/// Compiles an archive's code and converts its data. `storages` gives the tensors' memory.
pub fn load(archive: &PtArchive, storages: &mut dyn Storages) -> Result<Loaded, Error> {
    if let Some(model) = archive.model_json() {
        return legacy::load(archive, model, storages);
    }
    let data = archive.data().ok_or_else(|| no_data("data.pkl", "there is none"))?;
    let Value::Object(root) = data.root() else {
        return Err(no_data("data.pkl", format!("{} where a module is expected", data.root().kind())));
    };
    let names = Names::new(archive, &[])?;
    let mut compiler = Compiler::new(Unit::default());
    compiler.operator_version = u32::try_from(archive.version()).ok();
    if let Some(constants) = archive.constants() {
        read_constants(&names, &mut compiler, constants, storages)?;
    }
    let nowhere = nowhere();
    names.need_class(&mut compiler, &root.class, &nowhere)?;
    need_classes_of(&names, &mut compiler, data)?;
    names.compile_rest(&mut compiler);
    let mut unit = std::mem::take(&mut compiler.unit);
    upgrade::run(&mut unit)?;
    places::run(archive, &mut unit)?;
    let mut values = Values::new("data.pkl", data, storages);
    let module = values.value(&unit, data.root_id(), Some(&Type::Class(root.class.as_ref().into())))?;
    let states = std::mem::take(&mut values.states);
    Ok(Loaded { root: root.class.as_ref().into(), unit, module, states })
}

/// Compiles code as archives hold it, without an archive around it; `constants` are what it calls `CONSTANTS.c0`, `CONSTANTS.c1`, ….
///
/// # Errors
/// What is no such code; functions and classes that do not compile are in [`Unit::refused`].
pub fn code(files: &[CodeFile], constants: Vec<IValue>) -> Result<Unit, Error> {
    let names = Names::of_files(files.iter())?;
    names.constants.replace(constants.into_iter().map(Some).collect());
    let mut compiler = Compiler::new(Unit::default());
    names.compile_rest(&mut compiler);
    let mut unit = std::mem::take(&mut compiler.unit);
    upgrade::run(&mut unit)?;
    Ok(unit)
}

fn no_data(entry: &str, what: impl Into<String>) -> Error {
    Error::Data { entry: entry.to_owned(), what: what.into() }
}

/// The place of what no text asked for.
fn nowhere() -> Loc {
    Loc { source: SourceText::unknown("data.pkl", 1), span: Span::default() }
}

/// `CONSTANTS`: first what needs no class, because classes' methods use it, then objects.
fn read_constants(
    names: &Rc<Names>,
    compiler: &mut Compiler,
    pickle: &Pickle,
    storages: &mut dyn Storages,
) -> Result<(), Error> {
    let ids = pickle.root().as_items().ok_or_else(|| no_data("constants.pkl", "the table is no tuple"))?;
    let mut values = Values::new("constants.pkl", pickle, storages);
    let needs_class = |id| holds_object(pickle, id);
    for id in ids {
        let value = if needs_class(*id) { None } else { Some(values.value(&compiler.unit, *id, None)?) };
        names.constants.borrow_mut().push(value);
    }
    if !ids.iter().any(|id| needs_class(*id)) {
        return Ok(());
    }
    need_classes_of(names, compiler, pickle)?;
    for (index, id) in ids.iter().enumerate().filter(|(_, id)| needs_class(**id)) {
        let value = values.value(&compiler.unit, *id, None)?;
        names.constants.borrow_mut()[index] = Some(value);
    }
    Ok(())
}

fn holds_object(pickle: &Pickle, id: sconce_archive::pickle::ValueId) -> bool {
    let value = &pickle[id];
    let mut found = matches!(value, Value::Object(_) | Value::Enum(_));
    value.for_each_child(|child| found |= holds_object(pickle, child));
    found
}

/// Classes of objects that no attribute's type names: behind interfaces, in containers of anything.
fn need_classes_of(names: &Rc<Names>, compiler: &mut Compiler, pickle: &Pickle) -> Result<(), Error> {
    for (_, value) in pickle.values() {
        let class = match value {
            Value::Object(object) => &object.class,
            Value::Enum(member) => &member.class,
            _ => continue,
        };
        names.need_class(compiler, class, &nowhere())?;
    }
    Ok(())
}
