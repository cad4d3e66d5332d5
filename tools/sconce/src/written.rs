//! A program in another of the forms that Sconce reads: what it is written as, it is when it is read again.

use crate::engine::{Engine, Stage};
use crate::error::Error;
use crate::module::Module;
use sconce_interpreter::Program;
use sconce_tensor::IValue;

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

impl Module {
    /// The program as files of that form have it: a lone function as a module in archives, an exported program with its checks.
    ///
    /// # Errors
    /// Checks that do not compile.
    pub fn prepared(self, form: Form) -> Result<Module, Error> {
        let module = self.with_checks()?;
        if let Form::Pt | Form::Ptl = form { module.as_module() } else { Ok(module) }
    }

    /// The program as a file of that form; `name` is that of an archive's folder.
    pub fn written(&mut self, form: Form, name: &str) -> Result<Vec<u8>, Error> {
        Ok(match form {
            Form::Pt => self.saved()?.write(name, Vec::new())?,
            Form::Ptl => self.saved_mobile()?.write(name, Vec::new())?,
            Form::Sconce => self.with_object().to_bytes()?,
            Form::Mlir => {
                let first = self.function_or_default(None)?;
                self.show(&first, &[], &Stage::Mlir)?.into_bytes()
            }
            Form::Txt => {
                let first = self.function_or_default(None)?;
                match self.unit() {
                    Some(_) => self.graph(&first)?,
                    None => self.show(&first, &[], &Stage::Graph)?,
                }
                .into_bytes()
            }
            Form::Py => self.code()?.into_bytes(),
        })
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
        let exported = self.exported.clone();
        let mut module = self.prepared(form)?;
        let bytes = module.written(form, "archive")?;
        let read = engine.load_bytes(&format!("written.{}", form.ending()), "forward", &bytes)?;
        Ok(read.called_by(exported))
    }
}
