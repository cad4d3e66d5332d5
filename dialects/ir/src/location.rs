//! Locations read apart: places in files, value names.

use crate::raw;
use melior::ir::Location;
use std::fmt;

/// A place in a file, as a location says it: MLIR keeps lines and columns, not texts. They become a place in a text where a program is made of the module,
/// in `sconce-import`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The file as the reader was told.
    pub file: String,
    /// Line.
    pub line: usize,
    /// Column.
    pub column: usize,
    /// Line and column where it ends.
    pub end: (usize, usize),
}

impl Place {
    /// The first file position inside `location`: of a call site the callee's, of a fused location the first that has one.
    pub fn of(location: Location<'_>) -> Option<Place> {
        if let Some((file, line, column)) = file_line_column(location) {
            let end = (location.file_line_col_range_end_line(), location.file_line_col_range_end_column());
            return Some(Place { file: file.to_owned(), line, column, end });
        }
        if let Some((_, child)) = name(location) {
            return Place::of(child);
        }
        if let Some((callee, caller)) = call_site(location) {
            return Place::of(callee).or_else(|| Place::of(caller));
        }
        fused(location).into_iter().find_map(Place::of)
    }
}

/// Every file position inside `location`, in its order: of a call site the callee's, of a fused location those of each of its members.
pub fn places(location: Location<'_>) -> Vec<Place> {
    let members = fused(location);
    if members.is_empty() {
        return match name(location) {
            Some((_, child)) => places(child),
            None => Place::of(location).into_iter().collect(),
        };
    }
    let mut all: Vec<Place> = members.into_iter().flat_map(places).collect();
    all.sort();
    all.dedup();
    all
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// File, line and column of exactly a file location.
pub fn file_line_column<'c>(location: Location<'c>) -> Option<(&'c str, usize, usize)> {
    if !location.is_file_line_col_range() {
        return None;
    }
    // SAFETY: it is a file location, and identifiers live as long as the context.
    let file = unsafe {
        raw::as_str(mlir_sys::mlirIdentifierStr(mlir_sys::mlirLocationFileLineColRangeGetFilename(location.to_raw())))
    };
    Some((file, location.file_line_col_range_start_line(), location.file_line_col_range_start_column()))
}

/// Name and child of exactly a name location.
pub fn name<'c>(location: Location<'c>) -> Option<(&'c str, Location<'c>)> {
    if !location.is_name() {
        return None;
    }
    // SAFETY: it is a name location, and identifiers live as long as the context.
    let name = unsafe { raw::as_str(mlir_sys::mlirIdentifierStr(location.name_value().to_raw())) };
    Some((name, location.name_child_location()))
}

/// Callee and caller of exactly a call-site location.
pub fn call_site<'c>(location: Location<'c>) -> Option<(Location<'c>, Location<'c>)> {
    location.is_call_site().then(|| (location.call_site_callee(), location.call_site_caller()))
}

/// The members of exactly a fused location; none for any other.
pub fn fused<'c>(location: Location<'c>) -> Vec<Location<'c>> {
    if !location.is_fused() {
        return Vec::new();
    }
    (0..location.fused_num_locations()).map(|i| location.fused_location(i)).collect()
}

/// Is nothing known?
pub fn is_unknown(location: Location<'_>) -> bool {
    location == Location::unknown(context(location))
}

/// The context a location lives in.
pub fn context<'c>(location: Location<'c>) -> &'c melior::Context {
    // SAFETY: a location's context outlives it.
    unsafe { raw::context(mlir_sys::mlirLocationGetContext(location.to_raw())) }
}
