//! A program in another of the forms that Sconce reads: what it is written as, it is when it is read again.

use crate::beside::Writing;
use crate::compile;
use crate::engine::Engine;
use crate::error::{Error, Failure};
use crate::files::write_atomically;
use crate::load::{self, Beside};
use crate::module::Module;
use crate::source::wrapped;
use crate::value_text::array_of;
use sconce_export::{printer, save};
use sconce_graph::graph::{Attr, Graph};
use sconce_graph::listing;
use sconce_graph::unit::{ClassKind, Unit};
use sconce_interpreter::program::{Op, Parameter, Program};
use sconce_request::{Subject, Want, lift_tensors};
use sconce_tensor::{IValue, Object};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

/// A form of a program, by the ending of its file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Form {
    /// An archive for PyTorch.
    Pt,
    /// An archive for PyTorch's mobile interpreter.
    Ptl,
    /// A compiled Program.
    Sconce,
    /// The torch dialect.
    Mlir,
    /// Graph text.
    Txt,
    /// TorchScript code.
    Py,
}

impl Form {
    /// The form that files of this ending have.
    pub fn of_ending(ending: &str) -> Option<Form> {
        Some(match ending {
            "pt" | "pth" => Form::Pt,
            "ptl" => Form::Ptl,
            "sconce" => Form::Sconce,
            "mlir" => Form::Mlir,
            "txt" => Form::Txt,
            "py" => Form::Py,
            _ => return None,
        })
    }

    /// The ending of its files.
    pub fn ending(self) -> &'static str {
        match self {
            Form::Pt => "pt",
            Form::Ptl => "ptl",
            Form::Sconce => "sconce",
            Form::Mlir => "mlir",
            Form::Txt => "txt",
            Form::Py => "py",
        }
    }
}

/// A program as files.
pub struct Written {
    /// The file's bytes.
    pub bytes: Vec<u8>,
    /// The name and the bytes of a file of arrays that belongs beside it: a text has no place for tensors.
    pub beside: Option<(String, Vec<u8>)>,
}

impl Written {
    /// Writes the files. A text is there only when what it names is.
    ///
    /// # Errors
    /// Those of the system, with the file's name.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        let put = |path: &Path, bytes: &[u8]| {
            write_atomically(path, bytes).map_err(|source| Error::io(path.display(), source))
        };
        if let Some((beside, tensors)) = &self.beside {
            put(&path.with_file_name(beside), tensors)?;
        }
        put(path, &self.bytes)
    }
}

impl Module {
    /// The program as a file of that form, a lone function as PyTorch saves it and an exported program with its checks; `name` is that of an archive's folder, and
    /// of the file without its ending.
    ///
    /// # Errors
    /// What the form cannot hold, by its name; checks that do not compile.
    pub fn written(&self, form: Form, name: &str) -> Result<Written, Error> {
        let checked = self.with_checks()?;
        let module = checked.as_ref().unwrap_or(self);
        match form {
            Form::Pt | Form::Ptl => module.wrapped()?.as_ref().unwrap_or(module).as_it_is(form, name),
            _ => module.as_it_is(form, name),
        }
    }

    fn as_it_is(&self, form: Form, name: &str) -> Result<Written, Error> {
        let bytes = match form {
            Form::Pt => self.saved()?.write(name, Vec::new())?,
            Form::Ptl => self.saved_mobile()?.write(name, Vec::new())?,
            Form::Sconce => self.with_object().to_bytes()?,
            Form::Mlir | Form::Txt | Form::Py => return self.text(form, &format!("{name}.{}", form.ending())),
        };
        Ok(Written { bytes, beside: None })
    }

    /// The program as text, with what text has no word for at its head and beside it.
    fn text(&self, form: Form, name: &str) -> Result<Written, Error> {
        let cannot = |what: String| Failure::Unwritable { form: form.ending(), what };
        let mut unit = self.compiled_unit("text")?.clone();
        // What is called when no function is named stands first.
        let first = self.function_or_default(None)?;
        if self.root().is_none()
            && let Some(at) = unit.functions.get_index_of(first.as_str())
        {
            unit.functions.move_index(at, 0);
        }
        let beside = format!("{name}.safetensors");
        let comment = if form == Form::Mlir { "//" } else { "#" };
        let root = self.root();
        let (text, tensors) = match form {
            Form::Py => self.archive_code(&mut unit, &beside)?,
            _ => {
                let constants = lift_tensors(&mut unit, |t| t.quantizer().is_none());
                let mut head = Writing::new(&unit, comment);
                root.map_or(Ok(()), |root| head.module(root)).map_err(cannot)?;
                constants.iter().try_for_each(|(n, t)| head.constant(n, &t.clone().into())).map_err(cannot)?;
                if form == Form::Txt {
                    unit.functions.values().for_each(|f| head.schema(f));
                }
                let is_plain = head.is_empty();
                let (head, tensors) = head.finish(&beside);
                let text = match form {
                    Form::Mlir => compile::text(&self.engine, Subject::Unit(unit.clone()), Want::Dialect)?,
                    _ => graph_text(&unit).map_err(cannot)?,
                };
                (if is_plain { text } else { head + &text }, tensors)
            }
        };
        let arrays =
            tensors.iter().map(|(n, t)| Ok((n.clone(), array_of(t).map_err(|e| cannot(format!("`{n}`: {e}")))?)));
        let arrays = arrays.collect::<Result<Vec<_>, Error>>()?;
        let beside = match arrays.is_empty() {
            true => None,
            false => {
                let bytes = sconce_archive::write_arrays(&beside, &arrays)?;
                Some((beside, bytes))
            }
        };
        let written = Written { bytes: text.into_bytes(), beside };
        self.compare(form, name, &unit, &written).map_err(cannot)?;
        Ok(written)
    }

    /// Is what is read of a text the program that was written?
    fn compare(&self, form: Form, name: &str, unit: &Unit, written: &Written) -> Result<(), String> {
        let tensors = written.beside.as_ref().map(|(_, bytes)| bytes.as_slice());
        let read = load::bytes(&self.engine, name, "forward", &written.bytes, &Beside::Bytes(tensors));
        let read = read.map_err(|e| format!("all of the program: what was written is not read again: {e}"))?;
        let again = read.unit().ok_or("all of the program")?;
        if let Some((function, why)) = again.refused.first() {
            return Err(format!("{function}: what was written does not compile again: {}", why.short()));
        }
        // Code is compiled anew, as that of archives is: the same in other words.
        if form == Form::Py {
            return Ok(());
        }
        let mut again = again.clone();
        let mut unit = unit.clone();
        for unit in [&mut again, &mut unit] {
            lift_tensors(unit, |t| t.quantizer().is_none());
        }
        same_programs(&unit, &again)
    }

    /// A lone function as the module that PyTorch saves it as; `None` of other programs.
    fn wrapped(&self) -> Result<Option<Module>, Error> {
        let (Some(unit), None) = (self.unit(), self.root()) else { return Ok(None) };
        let made = wrapped(unit, &self.function_or_default(None)?);
        made.map(|(unit, object)| load::unit(&self.engine, unit, Some(object), Vec::new())).transpose()
    }

    /// The Program with the module that it is of, and what calling that means.
    fn with_object(&self) -> Program {
        let program = self.program().as_ref().clone();
        match self.root() {
            None => program,
            Some(object) => {
                let forward = self.function("forward").ok().and_then(|f| program.function(&f.name));
                Program { object: Some(IValue::Object(object.clone())), entry: forward, ..program }
            }
        }
    }

    /// The program written in that form and read again. An exported program is called as before: no form but its own says how.
    pub fn through(self, form: Form, engine: &Engine) -> Result<Module, Error> {
        let Written { bytes, beside } = self.written(form, "archive")?;
        let tensors = beside.as_ref().map(|(_, bytes)| bytes.as_slice());
        let name = format!("archive.{}", form.ending());
        let read = load::bytes(engine, &name, "forward", &bytes, &Beside::Bytes(tensors))?;
        Ok(read.called_by(self.exported))
    }

    /// Code as an archive holds it, file by file, and the tensors beside it.
    fn archive_code(
        &self,
        unit: &mut Unit,
        beside: &str,
    ) -> Result<(String, Vec<(String, sconce_tensor::Tensor)>), Error> {
        let cannot = |what: String| Failure::Unwritable { form: Form::Py.ending(), what };
        qualify(unit);
        let root = self.root();
        let classes: Vec<Arc<str>> = root.map(classes_of).unwrap_or_default();
        let functions: Vec<Arc<str>> = match root {
            Some(_) => Vec::new(),
            None => unit.functions.keys().cloned().collect(),
        };
        let printed = printer::print_with(unit, &classes, &functions).map_err(save::Error::from)?;
        let mut head = Writing::new(unit, "#");
        root.map_or(Ok(()), |root| head.module(root)).map_err(cannot)?;
        for (number, value) in printed.constants.iter().enumerate() {
            head.constant(&load::constant_row(number), value).map_err(cannot)?;
        }
        let (mut text, tensors) = head.finish(beside);
        for file in &printed.files {
            let _ = write!(text, "{}{}\n{}", load::FILE, file.path, file.text);
        }
        Ok((text, tensors))
    }
}

/// Names without a module, as single graphs have, get the one that all code is below.
fn qualify(unit: &mut Unit) {
    let named = std::mem::take(&mut unit.functions);
    for (name, mut function) in named {
        if !name.contains('.') {
            function.name = format!("__torch__.{name}").into();
        }
        unit.functions.insert(function.name.clone(), function);
    }
}

/// The classes of an object and of all that it holds, each where it is met first.
fn classes_of(root: &Arc<Object>) -> Vec<Arc<str>> {
    let (mut classes, mut seen, mut stack) = (Vec::new(), Vec::new(), vec![root.clone()]);
    while let Some(object) = stack.pop() {
        if seen.contains(&Arc::as_ptr(&object)) {
            continue;
        }
        seen.push(Arc::as_ptr(&object));
        if !classes.contains(&object.class) {
            classes.push(object.class.clone());
        }
        stack.extend((0..object.names.len()).rev().filter_map(|slot| match object.get(slot) {
            Some(IValue::Object(inner)) => Some(inner),
            _ => None,
        }));
    }
    classes
}

/// All functions of a unit as graph text; what that has no word for is refused.
fn graph_text(unit: &Unit) -> Result<String, String> {
    if let Some(class) = unit.classes.values().find(|class| class.kind != ClassKind::Module) {
        return Err(format!("the class {}, which is no module", class.name));
    }
    let mut text = String::new();
    for f in unit.functions.values() {
        let mut graph = f.graph.clone();
        whole_names(&mut graph);
        let _ = write!(text, "== {}\n{}", f.name, listing::to_listing_in(unit, &graph));
    }
    Ok(text)
}

/// Functions by their whole names: PyTorch prints the last part alone.
fn whole_names(graph: &mut Graph) {
    for node in graph.walk(graph.root()) {
        graph.with_subgraph(node, whole_names);
        if let Some(Attr::Function(name)) = graph.attr(node, "name").cloned() {
            graph.set_attr(node, "name", Attr::Str(name));
        }
    }
}

/// Are the functions of two units the same instructions, of the same values and types?
fn same_programs(unit: &Unit, again: &Unit) -> Result<(), String> {
    let lowered =
        |unit: &Unit| sconce_bytecode::lower(unit, &BTreeMap::new()).map_err(|e| format!("all of the program: {e}"));
    let (a, b) = (lowered(unit)?, lowered(again)?);
    for (at, f) in a.functions.iter().enumerate() {
        let Some(g) = b.functions.get(at).filter(|g| g.name == f.name) else { return Err(f.name.to_string()) };
        // Blocks that are forked are functions here, whose parameters nobody names.
        let is_named = unit.functions.contains_key(&f.name);
        let shown = |p: &Parameter| if is_named { format!("{p:?}") } else { format!("{:?}", p.ty) };
        let mut parameters = f.parameters.iter().zip(&g.parameters);
        if let Some((one, other)) = parameters.find(|(one, other)| shown(one) != shown(other)) {
            return Err(format!(
                "that parameter `{}` of {} is {}: it reads {}",
                one.name,
                f.name,
                shown(one),
                shown(other)
            ));
        }
        if said(&a, at) != said(&b, at) {
            return Err(format!("all of {}", f.name));
        }
    }
    Ok(())
}

/// A function's instructions by the names and values that they mean: their numbers are each program's own.
fn said(program: &Program, at: usize) -> Option<String> {
    let f = program.functions.get(at)?;
    let constants: Vec<&IValue> = f
        .code
        .iter()
        .filter_map(|instruction| match instruction.op {
            Op::Constant(constant) => program.constants.get(constant as usize),
            _ => None,
        })
        .collect();
    let listing = program.listing(u32::try_from(at).ok()?);
    Some(format!("{} {:?} {constants:?} {listing}", f.parameters.len(), f.results))
}
