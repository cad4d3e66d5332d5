//! What a file holds decides how it is read, not what it is called; only text that could be several things goes by its name.

use crate::beside::Head;
use crate::engine::Engine;
use crate::error::{Error, Failure};
use crate::files::read_stream;
use crate::foreign::foreign;
use crate::module::Module;
use crate::source::SourceOptions;
use crate::storages::{self, InFile, Mapped};
use crate::value_text::{read_bytes, read_file};
use sconce_archive::{CodeFile, Container, Limits, PtArchive, Record, SharedBytes, zip};
use sconce_export_program::{Boundary, ExportedProgram, Lowered};
use sconce_fx::text::is_fx_text;
use sconce_graph::head::has_head;
use sconce_graph::listing::read_program;
use sconce_graph::unit::Unit;
use sconce_interpreter::Program;
use sconce_request::{Answer, Question, Subject, Want, bind_weights};
use sconce_script::{hooks, importer};
use sconce_tensor::{IValue, Mapping, Object, Tensor};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// The name of a single graph's function: the file's, up to its first dot.
pub(crate) fn stem(path: &Path) -> String {
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    name.split('.').next().filter(|s| !s.is_empty()).unwrap_or("forward").to_string()
}

pub(crate) fn file(engine: &Engine, path: &Path) -> Result<Module, Error> {
    // The compiler's process starts while the file is read.
    engine.expect_to_compile();
    let shown = path.display().to_string();
    let io = |source| Error::io(&shown, source);
    if let Some(read) = read_stream(path) {
        return stream(engine, &shown, &read.map_err(io)?);
    }
    let mapping = if engine.options().map_files { Mapping::open(path) } else { Mapping::read(path) }.map_err(io)?;
    let all = 0..mapping.bytes();
    if mapping.show(all.clone(), zip::is_one) == Some(true) {
        return container(engine, &shown, Arc::new(InFile(mapping.clone())), Some(mapping));
    }
    let all = mapping.keep(all).unwrap_or_default();
    bytes(engine, &shown, &stem(path), all, &Beside::Folder(path.parent().unwrap_or(Path::new(""))))
}

/// Where the file of arrays is that a text names.
pub(crate) enum Beside<'a> {
    Folder(&'a Path),
    /// Its bytes, if there are any.
    Bytes(Option<&'a [u8]>),
    Nowhere,
}

impl Beside<'_> {
    fn tensors(&self, file: &str, name: &str) -> Result<Vec<(String, Tensor)>, Error> {
        let text = |e: crate::value_text::Error| Error::from(Failure::Text(format!("{file}: its tensors: {e}")));
        match self {
            Beside::Folder(folder) => read_file(&folder.join(name)).map_err(text),
            Beside::Bytes(Some(bytes)) => read_bytes(name, bytes).map_err(text),
            Beside::Bytes(None) | Beside::Nowhere => Err(Failure::Text(format!(
                "{file}: its tensors are in {name}, and a text that is no file has none beside it"
            ))
            .into()),
        }
    }
}

/// The program of a unit whose text has a head.
fn headed(engine: &Engine, head: &Head<'_>, file: &str, beside: &Beside<'_>, mut unit: Unit) -> Result<Module, Error> {
    let tensors = head.beside.map_or(Ok(Vec::new()), |name| beside.tensors(file, name))?;
    head.add_classes(&mut unit);
    head.add_schemas(&mut unit)?;
    let state = head.state(&unit, &tensors)?;
    let value = |name: &str| state.constants.iter().find(|(n, _)| **n == *name).map(|(_, value)| value.clone());
    for f in unit.functions.values_mut() {
        bind_weights(&mut f.graph, &value)
            .map_err(|name| Failure::Text(format!("{file}: its head has no row `{name}`, which {} names", f.name)))?;
    }
    self::unit(engine, unit, state.root, Vec::new())
}

/// What is in front of the name of each file of an archive's code that stands in one text.
pub(crate) const FILE: &str = "# == ";

/// The row of a constant that such code calls by its number.
pub(crate) fn constant_row(number: usize) -> String {
    format!("CONSTANTS.c{number}")
}

/// Code as archives hold it, in one text.
fn archive_code(
    engine: &Engine,
    head: &Head<'_>,
    file: &str,
    beside: &Beside<'_>,
    text: &str,
) -> Result<Module, Error> {
    let mut files: Vec<CodeFile> = Vec::new();
    for line in text.split_inclusive('\n') {
        match (line.strip_prefix(FILE), files.last_mut()) {
            (Some(path), _) => files.push(CodeFile { path: format!("code/{}", path.trim_end()), text: String::new() }),
            (None, Some(open)) => open.text.push_str(line),
            (None, None) => {}
        }
    }
    let tensors = head.beside.map_or(Ok(Vec::new()), |name| beside.tensors(file, name))?;
    // Constants need no class, and classes need constants.
    let constants = head.constants(&tensors)?;
    let unit = importer::code(&files, constants)?;
    let state = head.state(&unit, &tensors)?;
    self::unit(engine, unit, state.root, Vec::new())
}

/// What has no name that could say what it is: text is source, unless it begins as graph text or MLIR does.
fn stream(engine: &Engine, shown: &str, read: &[u8]) -> Result<Module, Error> {
    let is_code = |text: &str| {
        let mut lines = text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#'));
        lines.next().is_some_and(|first| {
            ["def ", "class ", "import ", "from ", "@", "\"\"\""].iter().any(|w| first.starts_with(w))
        })
    };
    match std::str::from_utf8(read) {
        Ok(text) if is_code(text) => engine.compile_source(shown, text, &SourceOptions::default()),
        Ok(text) if MLIR_WORDS.iter().any(|word| text.trim_start().starts_with(word)) => {
            bytes(engine, &format!("{shown}.mlir"), "forward", read, &Beside::Nowhere)
        }
        _ => bytes(engine, shown, "forward", read, &Beside::Nowhere),
    }
}

/// What MLIR's text begins with.
const MLIR_WORDS: &[&str] = &["module", "func.func", "//", "#", "!", "\"builtin.module\""];

/// A zip archive, of TorchScript or of `torch.export`: its reader says which.
fn container(
    engine: &Engine,
    shown: &str,
    bytes: Arc<dyn SharedBytes>,
    mapping: Option<Arc<Mapping>>,
) -> Result<Module, Error> {
    let limits = Limits::default();
    let container = Container::from_shared(shown, bytes, &limits)?;
    if sconce_export_program::Archive::is_one(&container) {
        if !READS_EXPORTED_PROGRAMS {
            return Err(unread(shown, EXPORTED));
        }
        let archive = sconce_export_program::Archive::new(shown, container, &limits)?;
        return exported(engine, &archive, mapping, &limits);
    }
    archive(engine, PtArchive::of_container(shown, container, &limits)?, mapping)
}

const EXPORTED: &str = "an exported program";

/// The runtime alone does without them: their reader is a tenth of its size.
pub(crate) const READS_EXPORTED_PROGRAMS: bool = cfg!(feature = "exported-programs");

/// So are texts with state: who carries the runtime with a product carries a Program.
const READS_TEXT_STATE: bool = cfg!(feature = "text-state");

fn unread(path: &str, kind: &str) -> Error {
    let what = format!("{kind}, which is not read here: `sconce convert` makes a .pt or a .sconce of it");
    Failure::Foreign { path: path.into(), what }.into()
}

/// The head of a text, and the text without it.
fn head<'t>(name: &'t str, text: &'t str, comment: &str) -> Result<Option<(Head<'t>, String)>, Error> {
    if !READS_TEXT_STATE {
        return match has_head(text, comment) {
            true => Err(unread(name, "a text with a module's state")),
            false => Ok(None),
        };
    }
    Head::read(name, text, comment)
}

/// The exported program of a file, as it is before it can be called.
pub(crate) fn exported_program(path: &Path) -> Result<ExportedProgram, Error> {
    let shown = path.display().to_string();
    let mapping = Mapping::open(path).map_err(|source| Error::io(&shown, source))?;
    let limits = Limits::default();
    let container = Container::from_shared(&shown, Arc::new(InFile(mapping.clone())), &limits)?;
    let archive = sconce_export_program::Archive::new(&shown, container, &limits)?;
    read_exported(&archive, Some(mapping), &limits)
}

fn read_exported(
    archive: &sconce_export_program::Archive,
    mapping: Option<Arc<Mapping>>,
    limits: &Limits,
) -> Result<ExportedProgram, Error> {
    let mut storage = |record: &Record| storages::of_record(mapping.as_ref(), record);
    Ok(ExportedProgram::read(archive, limits, &mut storage)?)
}

/// An exported program as a module, whose `forward` is called with trees of values.
fn exported(
    engine: &Engine,
    archive: &sconce_export_program::Archive,
    mapping: Option<Arc<Mapping>>,
    limits: &Limits,
) -> Result<Module, Error> {
    let program = read_exported(archive, mapping, limits)?;
    let boundary = Boundary::new(&program)?;
    let Lowered { unit, module } = Lowered::new(&program)?;
    Ok(self::unit(engine, unit, Some(IValue::Object(module)), Vec::new())?.with_boundary(boundary))
}

/// An archive's code compiled, its objects made and their `__setstate__` run.
fn archive(engine: &Engine, archive: PtArchive, mapping: Option<Arc<Mapping>>) -> Result<Module, Error> {
    let mut storages = Mapped { archive: &archive, mapping };
    let loaded = importer::load(&archive, &mut storages)?;
    unit(engine, loaded.unit, Some(loaded.module), loaded.states).map(|m| m.with_archive(archive))
}

/// A compiled unit and its module.
pub(crate) fn unit(
    engine: &Engine,
    mut unit: Unit,
    module: Option<IValue>,
    states: Vec<(Arc<Object>, IValue)>,
) -> Result<Module, Error> {
    hooks::add_calls(&mut unit);
    let general = sconce_script::trace::for_any_sizes(&unit);
    let program = sconce_bytecode::lower(general.as_ref().unwrap_or(&unit), &BTreeMap::new())?;
    let root = match module {
        Some(IValue::Object(o)) => Some(o),
        _ => None,
    };
    let module = Module::new(engine, program.into(), root).with_unit(unit);
    for (object, state) in states {
        module.set_state(&object, state)?;
    }
    Ok(module)
}

pub(crate) fn bytes(
    engine: &Engine,
    name: &str,
    function: &str,
    bytes: &[u8],
    beside: &Beside<'_>,
) -> Result<Module, Error> {
    if zip::is_one(bytes) {
        return container(engine, name, Arc::new(bytes.to_vec()), None);
    }
    if bytes.starts_with(&sconce_interpreter::MAGIC) {
        return Ok(engine.load_program(Program::from_bytes(bytes)?.into()));
    }
    if let Some(what) = foreign(bytes) {
        return Err(Failure::Foreign { path: name.into(), what }.into());
    }
    let text = std::str::from_utf8(bytes).ok();
    let first = text.and_then(|t| t.lines().map(str::trim).find(|l| !l.is_empty() && !l.starts_with('#')));
    let is_graph = first.is_some_and(|l| l.starts_with("graph") || l.starts_with("== "));
    match text {
        Some(text) if is_graph && is_fx_text(text) => {
            if !READS_EXPORTED_PROGRAMS {
                return Err(unread(name, EXPORTED));
            }
            let module = sconce_fx::text::read_module(name, text).map_err(|e| Failure::Text(e.report(false)))?;
            let function = sconce_export_program::function(&module, function)?;
            let mut unit = Unit { entry: Some(function.name.clone()), ..Unit::default() };
            unit.functions.insert(function.name.clone(), function);
            self::unit(engine, unit, None, Vec::new())
        }
        Some(text) if is_graph => {
            let read = |text: &str| read_program(name, text, function).map_err(|e| Failure::Text(e.report(false)));
            if let Some((head, rest)) = head(name, text, "#")?
                && READS_TEXT_STATE
            {
                return headed(engine, &head, name, beside, read(&rest)?);
            }
            let unit = read(text)?;
            let subject = Subject::GraphText { name: name.to_owned(), text: text.to_owned() };
            Ok(self::unit(engine, unit, None, Vec::new())?.with_text(subject))
        }
        Some(text) if name.ends_with(".py") => match head(name, text, "#")? {
            Some((head, rest)) if READS_TEXT_STATE => archive_code(engine, &head, name, beside, &rest),
            _ => engine.compile_source(name, text, &SourceOptions::default()),
        },
        _ if bytes.starts_with(MLIR_BYTECODE) || name.ends_with(".mlir") || name.ends_with(".mlirbc") => {
            let (unit, subject) = mlir(engine, name, bytes)?;
            match text.map(|text| head(name, text, "//")).transpose()?.flatten() {
                Some((head, _)) if READS_TEXT_STATE => headed(engine, &head, name, beside, unit),
                _ => Ok(self::unit(engine, unit, None, Vec::new())?.with_text(subject)),
            }
        }
        _ => {
            let first = first.unwrap_or("not text").chars().take(60).collect();
            Err(Failure::UnknownFile { path: name.into(), first }.into())
        }
    }
}

/// What MLIR bytecode begins with.
const MLIR_BYTECODE: &[u8] = b"ML\xefR";

/// The program that MLIR says; only a compiler reads it.
fn mlir(engine: &Engine, name: &str, bytes: &[u8]) -> Result<(Unit, Subject), Error> {
    let subject = Subject::Mlir { name: name.to_owned(), bytes: bytes.to_vec() };
    let answer =
        engine.ask(&Question { subject: subject.clone(), want: Want::Unit }).map_err(|e| match e.into_failure() {
            // A compiler that died says nothing of the file, and bytecode names the file that it was made of.
            Failure::Compile(why) if !why.starts_with(name) => Failure::Compile(format!("{name}: {why}")),
            other => other,
        })?;
    match answer {
        Answer::Unit(unit) => Ok((unit, subject)),
        _ => Err(Failure::Compile("the compiler answered something else".into()).into()),
    }
}
