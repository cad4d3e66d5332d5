//! Operators as rows of a table, handed to the torch dialect (`include/sconce/torch.h` says what a row means).

use crate::op::OpExt;
use crate::pass::panic_text;
use crate::raw::str_ref;
use crate::{Error, diagnostics, ffi};
use melior::Context;
use melior::ir::operation::OperationLike;
use melior::ir::{Attribute, AttributeLike, OperationRef, Value, ValueLike};
use mlir_sys::{MlirAttribute, MlirOperation, MlirValue};
use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

/// What an operator does, for [`OpRow::flags`].
pub mod flags {
    /// A function of its inputs that writes none of them.
    pub const PURE: u32 = 1;
    /// Reads memory.
    pub const READS: u32 = 1 << 1;
    /// Writes memory.
    pub const WRITES: u32 = 1 << 2;
    /// A result shares storage with an argument.
    pub const VIEW: u32 = 1 << 3;
    /// The first two operands may change places.
    pub const COMMUTATIVE: u32 = 1 << 4;
    /// Cannot fail, so it may be computed where the program would not have reached it.
    pub const SPECULATABLE: u32 = 1 << 5;
    /// The fold callback knows it.
    pub const FOLDS: u32 = 1 << 6;
    /// Its text is `torch.operator "aten.foo.ov"(…)`.
    pub const AS_OPERATOR: u32 = 1 << 7;
    /// Operands are written in parentheses.
    pub const PARENTHESES: u32 = 1 << 8;
}

/// One operator.
#[derive(Clone, Debug, Default)]
pub struct OpRow {
    /// The dialect's name: `torch.aten.add.Tensor`.
    pub name: String,
    /// A type code per operand.
    pub operands: Vec<String>,
    /// A type code per result.
    pub results: Vec<String>,
    /// Names for printing, one per result or none.
    pub result_names: Vec<String>,
    /// See [`flags`].
    pub flags: u32,
    /// Comes back in [`info`] and in the fold callback.
    pub id: u32,
}

/// What the row of an operation says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Info {
    /// The row's id.
    pub id: u32,
    /// The row's flags.
    pub flags: u32,
}

fn with_row<T>(row: &OpRow, call: impl FnOnce(&ffi::OpRow) -> T) -> T {
    let list = |texts: &[String]| texts.iter().map(|t| str_ref(t)).collect::<Vec<_>>();
    let (operands, results, names) = (list(&row.operands), list(&row.results), list(&row.result_names));
    call(&ffi::OpRow {
        name: str_ref(&row.name),
        operands: operands.as_ptr(),
        num_operands: operands.len(),
        results: results.as_ptr(),
        num_results: results.len(),
        result_names: names.as_ptr(),
        num_result_names: names.len(),
        flags: row.flags,
        id: row.id,
    })
}

/// Adds operators for every context in which the torch dialect is loaded later: before the first [`crate::context::new`]. A name that is known keeps
/// its first row.
///
/// # Errors
///
/// [`Error::Invalid`] with the first name or type code that is malformed; the others are registered.
pub fn register(rows: impl IntoIterator<Item = OpRow>) -> Result<(), Error> {
    let mut refused = Vec::new();
    for row in rows {
        // SAFETY: the row and its texts live through the call, which copies them.
        if with_row(&row, |c| unsafe { ffi::sconceRegisterOps(c, 1) }) != 0 {
            refused.push(row.name);
        }
    }
    match refused.first() {
        None => Ok(()),
        Some(name) => Err(Error::Invalid(format!("malformed row of '{name}' ({} in all)", refused.len()))),
    }
}

/// Adds one operator to a context that holds the torch dialect already, and to later ones.
///
/// # Errors
///
/// [`Error::Invalid`] when the name or a type code is malformed.
pub fn register_in(context: &Context, row: &OpRow) -> Result<(), Error> {
    // SAFETY: context, row and texts live through the call, which copies them.
    if with_row(row, |c| unsafe { ffi::sconceRegisterOpIn(context.to_raw(), c) }) {
        Ok(())
    } else {
        Err(Error::Invalid(format!("malformed row of '{}'", row.name)))
    }
}

/// Rows that are made when they are first asked for: a context in which few operators are used need not know all.
#[derive(Clone, Copy)]
pub struct Source {
    /// The row of a dialect's name (`torch.aten.add.Tensor`), if there is one.
    pub one: fn(&str) -> Option<OpRow>,
    pub all: fn() -> Vec<OpRow>,
}

static SOURCE: OnceLock<Source> = OnceLock::new();

/// Sets where operations that a context does not know are looked for when they are built; only the first call counts. Contexts whose passes use several threads
/// must know all rows before, by [`register`].
pub fn set_source(source: Source) {
    SOURCE.get_or_init(|| source);
}

/// Whether an operation is registered in a context, once it was looked for.
pub fn is_known(context: &Context, name: &str) -> bool {
    if context.is_registered_operation(name) {
        return true;
    }
    let row = SOURCE.get().and_then(|source| (source.one)(name));
    row.is_some_and(|row| register_in(context, &row).is_ok()) && context.is_registered_operation(name)
}

/// Registers all rows that can be looked for, for what knows nothing of that: MLIR's parsers.
pub(crate) fn know_all(context: &Context) {
    let rows = SOURCE.get().map(|source| (source.all)()).unwrap_or_default();
    for row in rows.iter().filter(|row| !context.is_registered_operation(&row.name)) {
        // One that is malformed is an operation that is unknown.
        drop(register_in(context, row));
    }
}

/// Id and flags, when the operation comes from the table.
pub fn info(op: OperationRef<'_, '_>) -> Option<Info> {
    let mut info = Info { id: 0, flags: 0 };
    // SAFETY: the operation and both places are valid.
    unsafe { ffi::sconceOpInfo(op.to_raw(), &mut info.id, &mut info.flags) }.then_some(info)
}

/// What folding an operator gives.
#[derive(Clone, Debug)]
pub enum Fold<'c, 'a> {
    /// One constant per result.
    Constants(Vec<Attribute<'c>>),
    /// One existing value per result.
    Values(Vec<Value<'c, 'a>>),
}

/// Folds one operator; `operands[i]` is its constant, if it is one. Called on several threads at once.
pub type FoldFn =
    for<'c, 'a> fn(id: u32, op: OperationRef<'c, 'a>, operands: &[Option<Attribute<'c>>]) -> Option<Fold<'c, 'a>>;

static FOLD: OnceLock<FoldFn> = OnceLock::new();

/// Sets the function that folds operators with [`flags::FOLDS`]; only the first call counts.
pub fn set_fold(fold: FoldFn) {
    FOLD.get_or_init(|| fold);
    // SAFETY: the callback does not unwind and lives for ever.
    unsafe { ffi::sconceSetFold(fold_callback) }
}

unsafe extern "C" fn fold_callback(
    id: u32,
    op: MlirOperation,
    count: isize,
    operands: *const MlirAttribute,
    out: *mut MlirAttribute,
    out_values: *mut MlirValue,
) -> c_int {
    let Some(fold) = FOLD.get() else { return 0 };
    // SAFETY: MLIR passes a valid operation, and `count` attributes, each valid or null.
    let (op, operands): (OperationRef<'_, '_>, Vec<Option<Attribute<'_>>>) = unsafe {
        let operands = if count == 0 { &[][..] } else { std::slice::from_raw_parts(operands, count as usize) };
        (OperationRef::from_raw(op), operands.iter().map(|a| Attribute::from_option_raw(*a)).collect())
    };
    let results = op.result_count();
    match catch_unwind(AssertUnwindSafe(|| fold(id, op, &operands))) {
        Ok(Some(Fold::Constants(constants))) if constants.len() == results => {
            for (i, constant) in constants.iter().enumerate() {
                // SAFETY: `out` has room for one attribute per result.
                unsafe { *out.add(i) = constant.to_raw() };
            }
            1
        }
        Ok(Some(Fold::Values(values))) if values.len() == results => {
            for (i, value) in values.iter().enumerate() {
                // SAFETY: `out_values` has room for one value per result.
                unsafe { *out_values.add(i) = value.to_raw() };
            }
            2
        }
        Ok(_) => 0,
        Err(panic) => {
            let message = format!("internal error while folding {}: {}", op.op_name(), panic_text(panic.as_ref()));
            diagnostics::emit_error(op.location(), &message);
            0
        }
    }
}
