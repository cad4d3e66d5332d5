//! Text and bytecode to modules, and back; errors carry places.

use crate::diagnostics::{Diagnostic, capture};
use crate::location::{Place, places};
use crate::{Error, ffi, raw};
use melior::Context;
use melior::ir::operation::OperationLike;
use melior::ir::{Attribute, Module, OperationRef, Type};
use std::ffi::{c_uint, c_void};
use std::path::Path;
use std::sync::Arc;

/// Reads a module from text or bytecode and verifies it. `name` is the file name that locations and errors show. Operations at the top level that are
/// in no module are put into one.
///
/// # Errors
///
/// [`Error::Failed`] with the place of each mistake.
pub fn parse_module<'c>(context: &'c Context, source: &[u8], name: &str) -> Result<Module<'c>, Error> {
    parse(context, source, name, true)
}

/// The same without running the verifier: for text whose judgement comes later ([`verify`]).
///
/// # Errors
///
/// [`Error::Failed`] with the place of each mistake of syntax.
pub fn parse_module_unverified<'c>(context: &'c Context, source: &[u8], name: &str) -> Result<Module<'c>, Error> {
    parse(context, source, name, false)
}

/// [`parse_module`] on a file.
///
/// # Errors
///
/// [`Error::Io`], or [`Error::Failed`] with the place of each mistake.
pub fn parse_module_file<'c>(context: &'c Context, path: &Path) -> Result<Module<'c>, Error> {
    let name = path.display().to_string();
    let source = std::fs::read(path).map_err(|e| Error::Io { path: name.clone(), source: Arc::new(e) })?;
    parse_module(context, &source, &name)
}

fn parse<'c>(context: &'c Context, source: &[u8], name: &str, verify: bool) -> Result<Module<'c>, Error> {
    crate::table::know_all(context);
    capture(context, "parse", || {
        // SAFETY: the context is valid, text and name are borrowed for the call, and the module returned is ours.
        unsafe {
            Module::from_option_raw(ffi::sconceCreateModuleFromText(
                context.to_raw(),
                raw::bytes_ref(source),
                raw::str_ref(name),
                verify,
            ))
        }
    })
}

/// Reads a type.
///
/// # Errors
///
/// [`Error::Failed`] with what is wrong with it.
pub fn parse_type<'c>(context: &'c Context, text: &str) -> Result<Type<'c>, Error> {
    bounded(context, "parse a type", text, || Type::parse(context, text))
}

/// Reads an attribute.
///
/// # Errors
///
/// [`Error::Failed`] with what is wrong with it.
pub fn parse_attribute<'c>(context: &'c Context, text: &str) -> Result<Attribute<'c>, Error> {
    bounded(context, "parse an attribute", text, || Attribute::parse(context, text))
}

fn bounded<T>(
    context: &Context,
    what: &'static str,
    text: &str,
    parse: impl FnOnce() -> Option<T>,
) -> Result<T, Error> {
    // SAFETY: the text is borrowed for the call.
    if unsafe { ffi::sconceTooDeep(raw::str_ref(text)) } >= 0 {
        return Err(Error::Failed { what, diagnostics: vec![Diagnostic::error("nested too deeply")] });
    }
    capture(context, what, parse)
}

/// Runs the verifier on an operation and everything in it.
///
/// # Errors
///
/// [`Error::Failed`] with the place of each mistake.
pub fn verify(op: OperationRef<'_, '_>) -> Result<(), Error> {
    let context = crate::OpExt::context_ref(op);
    capture(context, "verify", || op.verify().then_some(()))
}

/// How an operation is printed. The default is what `mlir-opt` prints.
#[derive(Clone, Debug, Default)]
pub struct PrintOptions {
    /// `"dialect.op"(…) ({…}) : (…) -> …` for every operation.
    pub generic: bool,
    /// With `loc(…)`, which [`parse_module`] reads again.
    pub locations: bool,
    /// Locations as people like them; not readable again.
    pub pretty_locations: bool,
    /// Value names from name locations: `%gates.1` instead of `%5`.
    pub name_locations_as_prefix: bool,
    /// Do not look outside the operation for numbers and aliases: quick for small parts of large modules.
    pub local_scope: bool,
    /// Skip the check whether the generic form is needed because the IR is invalid.
    pub assume_verified: bool,
    /// `{...}` instead of regions.
    pub skip_regions: bool,
    /// Cut dense constants above so many elements. Not readable again.
    pub elide_elements_above: Option<usize>,
    /// Cut resource blobs above so many characters. Not readable again.
    pub elide_resources_above: Option<usize>,
}

/// Calls `print` with the flags of MLIR's that say the same.
fn with_flags(options: &PrintOptions, print: impl FnOnce(mlir_sys::MlirOpPrintingFlags)) {
    use mlir_sys::*;
    // SAFETY: the flags are made, used and destroyed here.
    unsafe {
        let flags = mlirOpPrintingFlagsCreate();
        if options.generic {
            mlirOpPrintingFlagsPrintGenericOpForm(flags);
        }
        if options.locations || options.pretty_locations {
            mlirOpPrintingFlagsEnableDebugInfo(flags, true, options.pretty_locations);
        }
        if options.name_locations_as_prefix {
            mlirOpPrintingFlagsPrintNameLocAsPrefix(flags);
        }
        if options.local_scope {
            mlirOpPrintingFlagsUseLocalScope(flags);
        }
        if options.assume_verified {
            mlirOpPrintingFlagsAssumeVerified(flags);
        }
        if options.skip_regions {
            mlirOpPrintingFlagsSkipRegions(flags);
        }
        if let Some(limit) = options.elide_elements_above {
            mlirOpPrintingFlagsElideLargeElementsAttrs(flags, limit as isize);
        }
        if let Some(limit) = options.elide_resources_above {
            mlirOpPrintingFlagsElideLargeResourceString(flags, limit as isize);
        }
        print(flags);
        mlirOpPrintingFlagsDestroy(flags);
    }
}

/// An operation as text, without a line break at the end.
pub fn print(op: OperationRef<'_, '_>, options: &PrintOptions) -> String {
    raw::collect_text(|user| {
        with_flags(options, |flags| {
            // SAFETY: the operation is valid, and `user` is the sink's.
            unsafe { mlir_sys::mlirOperationPrintWithFlags(op.to_raw(), flags, Some(raw::push_bytes), user) }
        });
    })
}

/// A text, and where its lines come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlacedText {
    /// The text.
    pub text: String,
    /// Lines from 0, each with a place that something in it is of; ordered, and none twice.
    pub places: Vec<(u32, Place)>,
}

/// [`print`], and the places of the operations that begin on each line.
pub fn print_placed(op: OperationRef<'_, '_>, options: &PrintOptions) -> PlacedText {
    /// What MLIR says while it prints.
    #[derive(Default)]
    struct Said {
        bytes: Vec<u8>,
        lines: Vec<(u32, Place)>,
    }
    unsafe extern "C" fn text(text: mlir_sys::MlirStringRef, user: *mut c_void) {
        // SAFETY: `user` is what is said below, which nothing else uses during the call.
        unsafe { (*user.cast::<Said>()).bytes.extend_from_slice(raw::as_bytes(text)) }
    }
    unsafe extern "C" fn line(op: mlir_sys::MlirOperation, line: c_uint, user: *mut c_void) {
        // SAFETY: as above; the operation is one of those that are printed.
        let (said, location) = unsafe { (&mut *user.cast::<Said>(), OperationRef::from_raw(op).location()) };
        said.lines.extend(places(location).into_iter().map(|place| (line, place)));
    }
    let mut said = Said::default();
    with_flags(options, |flags| {
        // SAFETY: the operation is valid, and `user` is what both functions expect.
        unsafe { crate::ffi::sconcePrintPlaced(op.to_raw(), flags, text, line, (&raw mut said).cast()) }
    });
    said.lines.sort();
    said.lines.dedup();
    PlacedText { text: String::from_utf8_lossy(&said.bytes).into_owned(), places: said.lines }
}

/// A module as text that [`parse_module`] reads back to the same, locations included; ends in a line break.
pub fn print_module_with_locations(module: &Module<'_>) -> String {
    let mut text = print(module.as_operation(), &PrintOptions { locations: true, ..Default::default() });
    text.push('\n');
    text
}

/// The module that another's text is read as, locations and all, in the same context or another: nothing that text can say is lost on the way.
///
/// # Errors
///
/// [`Error::Failed`] when the text is no module's, which is the printer's mistake.
pub fn through_text<'c>(context: &'c Context, module: &Module<'_>) -> Result<Module<'c>, Error> {
    parse_module(context, print_module_with_locations(module).as_bytes(), "printed.mlir")
}

/// Checks that a text prints as it stands, but for comments at its beginning and blanks at its end, and that it is the same after its generic form, which is read in
/// `apart`: resources that are read twice into one context get other names. Locations are compared in a file of the name `*.loc.mlir`.
///
/// # Errors
///
/// What is wrong, with the first line that differs.
pub fn check_printed(context: &Context, apart: &Context, name: &str, text: &str) -> Result<(), String> {
    let body = text.trim_start_matches('\n');
    let body = body.lines().skip_while(|l| l.starts_with("//")).collect::<Vec<_>>().join("\n") + "\n";
    let options = PrintOptions { locations: name.ends_with(".loc.mlir"), ..PrintOptions::default() };
    let module = parse_module(context, body.as_bytes(), name).map_err(|e| e.to_string())?;
    let printed = print(module.as_operation(), &options);
    if printed.trim_end() != body.trim_end() {
        let line = body.lines().zip(printed.lines()).position(|(a, b)| a != b).unwrap_or(0);
        let at = |t: &str| t.lines().nth(line).unwrap_or("").trim().to_string();
        return Err(format!("line {}: prints {} instead of {}", line + 1, at(&printed), at(&body)));
    }
    let generic = print(module.as_operation(), &PrintOptions { generic: true, ..options.clone() });
    let again = parse_module(apart, generic.as_bytes(), name).map_err(|e| format!("generic form: {e}"))?;
    if print(again.as_operation(), &options) != printed {
        return Err("differs after the generic form".into());
    }
    Ok(())
}
