//! Passes written in Rust, in MLIR's own registry: each row becomes a pass that pipelines, `mlir-opt`'s command line and its help know like any other.
//! This is the mechanism; the `Pass` trait for authors is in `sconce-pass`.

use crate::op::OpExt;
use crate::{Error, diagnostics, ffi, raw};
use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use mlir_sys::{MlirOperation, MlirStringRef};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

/// An option's kind and default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// `name=true`
    Bool(bool),
    /// `name=3`
    Int(i64),
    /// `name=text`
    Str(&'static str),
}

/// A declared option.
#[derive(Clone, Copy, Debug)]
pub struct PassOption {
    /// As in `pass{name=…}`.
    pub name: &'static str,
    /// For the help.
    pub description: &'static str,
    /// Kind and default.
    pub kind: OptionKind,
}

impl PassOption {
    /// `name=true`
    pub const fn bool(name: &'static str, description: &'static str, default: bool) -> Self {
        PassOption { name, description, kind: OptionKind::Bool(default) }
    }

    /// `name=3`
    pub const fn int(name: &'static str, description: &'static str, default: i64) -> Self {
        PassOption { name, description, kind: OptionKind::Int(default) }
    }

    /// `name=text`
    pub const fn str(name: &'static str, description: &'static str, default: &'static str) -> Self {
        PassOption { name, description, kind: OptionKind::Str(default) }
    }
}

/// What runs: an error it returns becomes a diagnostic at the operation, and the pass fails.
pub type RunFn = for<'c, 'a> fn(OperationRef<'c, 'a>, &PassRun<'_>) -> Result<(), String>;

/// A pass as MLIR is told of it.
#[derive(Clone, Copy, Debug)]
pub struct PassRow {
    /// The name in pipelines.
    pub name: &'static str,
    /// One line for the help.
    pub description: &'static str,
    /// What PyTorch calls the same, as a reader of its source finds it; empty if it has none.
    pub pytorch: &'static str,
    /// The operation it runs on, such as `func.func`; `None`: any.
    pub anchor: Option<&'static str>,
    /// Options.
    pub options: &'static [PassOption],
    /// Dialects whose operations it may create, to be loaded before it runs.
    pub dialects: &'static [&'static str],
    /// Programs compute the same bits after it; otherwise the same but for rounding.
    pub keeps_bits: bool,
    /// The code. Runs on several threads at once.
    pub run: RunFn,
}

/// The running pass: its options, and pipelines inside it.
pub struct PassRun<'r> {
    raw: *mut ffi::PassRun,
    row: &'r PassRow,
}

impl PassRun<'_> {
    fn index(&self, name: &str, wanted: &str, fits: impl Fn(OptionKind) -> bool) -> usize {
        let position = self.row.options.iter().position(|option| option.name == name && fits(option.kind));
        position.unwrap_or_else(|| panic!("pass '{}' declares no {wanted} option '{name}'", self.row.name))
    }

    /// The value of a boolean option.
    ///
    /// # Panics
    ///
    /// When the pass does not declare it: a mistake in the pass, reported as its failure.
    pub fn bool(&self, name: &str) -> bool {
        let index = self.index(name, "bool", |kind| matches!(kind, OptionKind::Bool(_)));
        // SAFETY: the pass is running, and the index is of its row.
        unsafe { ffi::sconcePassOptionNumber(self.raw, index) != 0 }
    }

    /// The value of an integer option.
    ///
    /// # Panics
    ///
    /// As [`PassRun::bool`].
    pub fn int(&self, name: &str) -> i64 {
        let index = self.index(name, "integer", |kind| matches!(kind, OptionKind::Int(_)));
        // SAFETY: the pass is running, and the index is of its row.
        unsafe { ffi::sconcePassOptionNumber(self.raw, index) }
    }

    /// The value of a string option.
    ///
    /// # Panics
    ///
    /// As [`PassRun::bool`].
    pub fn str(&self, name: &str) -> &str {
        let index = self.index(name, "string", |kind| matches!(kind, OptionKind::Str(_)));
        // SAFETY: the pass is running, the index is of its row, and options do not change while it runs.
        unsafe { raw::as_str(ffi::sconcePassOptionString(self.raw, index)) }
    }

    /// The pass's name.
    pub fn name(&self) -> &'static str {
        self.row.name
    }

    /// Runs passes on the pass's operation or one inside it. Their dialects must be among the pass's `dialects`.
    ///
    /// # Errors
    ///
    /// A short text: the passes have emitted the reasons themselves.
    pub fn run_pipeline(&self, pipeline: &str, op: OperationRef<'_, '_>) -> Result<(), String> {
        // SAFETY: the pass is running, the text borrowed for the call, the operation valid.
        let done = unsafe { ffi::sconcePassRunPipeline(self.raw, raw::str_ref(pipeline), op.to_raw()) };
        if done.value != 0 { Ok(()) } else { Err(format!("the pipeline '{pipeline}' failed")) }
    }
}

static ROWS: Mutex<Vec<&'static PassRow>> = Mutex::new(Vec::new());

/// Adds passes to MLIR's registry, before a pipeline that names them is parsed. A name that is registered already keeps its first meaning; a name
/// of an upstream pass is refused.
///
/// # Errors
///
/// [`Error::Invalid`] when a name belongs to an upstream pass or pipeline.
pub fn register(rows: &'static [PassRow]) -> Result<(), Error> {
    crate::pipeline::register_upstream_passes();
    let mut all = ROWS.lock().unwrap_or_else(PoisonError::into_inner);
    for row in rows {
        if all.iter().any(|known| known.name == row.name) {
            continue;
        }
        // SAFETY: the name is borrowed for the call.
        if unsafe { ffi::sconcePassExists(raw::str_ref(row.name)) } {
            return Err(Error::Invalid(format!("there is a pass called '{}' already", row.name)));
        }
        let id = u32::try_from(all.len()).map_err(|_| Error::Invalid("too many passes".into()))?;
        all.push(row);
        let options: Vec<ffi::PassOption> = row.options.iter().map(option).collect();
        let dialects: Vec<MlirStringRef> = row.dialects.iter().map(|name| raw::str_ref(name)).collect();
        let c = ffi::PassRow {
            argument: raw::str_ref(row.name),
            description: raw::str_ref(row.description),
            anchor: raw::str_ref(row.anchor.unwrap_or_default()),
            options: options.as_ptr(),
            num_options: options.len(),
            dependent_dialects: dialects.as_ptr(),
            num_dependent_dialects: dialects.len(),
            id,
        };
        // SAFETY: all of the row lives through the call, which copies it; the callback does not unwind.
        unsafe { ffi::sconceRegisterPass(&c, run) };
    }
    Ok(())
}

fn option(option: &PassOption) -> ffi::PassOption {
    let (kind, number, string) = match option.kind {
        OptionKind::Bool(default) => (0, i64::from(default), ""),
        OptionKind::Int(default) => (1, default, ""),
        OptionKind::Str(default) => (2, 0, default),
    };
    ffi::PassOption {
        name: raw::str_ref(option.name),
        description: raw::str_ref(option.description),
        kind,
        number,
        string: raw::str_ref(string),
    }
}

/// Gives a pipeline a name. Passes in it must be registered before.
///
/// # Errors
///
/// [`Error::Invalid`] with MLIR's reason when the text does not parse.
pub fn register_pipeline(name: &str, description: &str, pipeline: &str) -> Result<(), Error> {
    crate::pipeline::register_upstream_passes();
    let mut message: Vec<u8> = Vec::new();
    // SAFETY: the texts are borrowed for the call, and copied.
    let done = unsafe {
        if ffi::sconcePassExists(raw::str_ref(name)) {
            return Ok(());
        }
        ffi::sconceRegisterPipeline(
            raw::str_ref(name),
            raw::str_ref(description),
            raw::str_ref(pipeline),
            raw::push_bytes,
            (&raw mut message).cast(),
        )
    };
    if done { Ok(()) } else { Err(Error::Invalid(format!("pipeline '{name}': {}", String::from_utf8_lossy(&message)))) }
}

/// What was registered under a name by [`register`].
pub fn row(name: &str) -> Option<&'static PassRow> {
    ROWS.lock().unwrap_or_else(PoisonError::into_inner).iter().find(|row| row.name == name).copied()
}

/// Is there a pass or pipeline of this name?
pub fn exists(name: &str) -> bool {
    crate::pipeline::register_upstream_passes();
    // SAFETY: the name is borrowed for the call.
    unsafe { ffi::sconcePassExists(raw::str_ref(name)) }
}

/// What MLIR calls: a panic or an error becomes a diagnostic and `false`.
unsafe extern "C" fn run(id: u32, op: MlirOperation, run: *mut ffi::PassRun) -> bool {
    // SAFETY: MLIR passes the operation it runs the pass on, valid for the call.
    let op: OperationRef<'_, '_> = unsafe { OperationRef::from_raw(op) };
    let row = ROWS.lock().unwrap_or_else(PoisonError::into_inner).get(id as usize).copied();
    let Some(row) = row else {
        diagnostics::emit_error(op.location(), "unknown pass");
        return false;
    };
    match catch_unwind(AssertUnwindSafe(|| (row.run)(op, &PassRun { raw: run, row }))) {
        Ok(Ok(())) => true,
        Ok(Err(message)) => {
            op.emit_error(&format!("{}: {message}", row.name));
            false
        }
        Err(panic) => {
            op.emit_error(&format!("{}: internal error: {}", row.name, panic_text(panic.as_ref())));
            false
        }
    }
}

/// What a panic said.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> &str {
    if let Some(text) = panic.downcast_ref::<&str>() {
        text
    } else if let Some(text) = panic.downcast_ref::<String>() {
        text
    } else {
        "a panic without a message"
    }
}
