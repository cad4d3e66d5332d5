//! The torch dialect to graph text, by way of graphs: names, types, scopes and comments as they were where they were kept, PyTorch's numbering elsewhere.

use super::Error;
use crate::from_dialect::graph_as_written;
use sconce_graph::listing::to_listing;
use sconce_ir::prelude::*;
use sconce_syntax::Span;
use sconce_syntax::graph_text::{Listing, Spelling, Subgraph};

/// The functions of a module as graph text. Functions that only others refer to as `with` graphs stand after those; of several
/// other functions each stands under a line `== name`.
///
/// # Errors
/// Operations that graph text cannot say (of other dialects, with several blocks), with their places.
pub fn export(module: &Module<'_>, spelling: Spelling) -> Result<String, Error> {
    export_operation(module.as_operation(), spelling)
}

/// [`export`] on a module that somebody else holds.
///
/// # Errors
/// As [`export`].
pub fn export_operation(module: OperationRef<'_, '_>, spelling: Spelling) -> Result<String, Error> {
    let Some(body) = module.body(0) else { return Ok(String::new()) };
    let functions: Vec<OperationRef<'_, '_>> =
        body.ops().into_iter().filter(|op| op.is("func.func") && op.body(0).is_some()).collect();
    let roots: Vec<OperationRef<'_, '_>> =
        functions.iter().filter(|op| op.attr("torch.with").is_none()).copied().collect();
    let mut out = String::new();
    let named = roots.len() > 1 || module.attr(super::import::NAMED).is_some();
    for function in &roots {
        if named {
            out.push_str(&format!("== {}\n", function.symbol_name().unwrap_or_default()));
        }
        out.push_str(&export_function(*function)?.print(spelling));
    }
    Ok(out)
}

/// One function and the `with` graphs it refers to as a listing.
///
/// # Errors
/// As [`export`].
pub fn export_function(function: OperationRef<'_, '_>) -> Result<Listing, Error> {
    let symbols = function.parent().map_or_else(|| SymbolTable::of(function), SymbolTable::of);
    let mut listing = to_listing(&graph_as_written(function, &symbols)?);
    let unused = function.attr("torch.unused").and_then(attr::array_value).unwrap_or_default();
    for symbol in unused {
        let path = attr::symbol_value(symbol).unwrap_or_default();
        let target =
            path.first().and_then(|name| symbols.get(name)).filter(|f| f.is("func.func") && f.body(0).is_some());
        if let Some((target, name)) = target.and_then(|f| Some((f, f.str_attr("torch.with")?))) {
            let Listing { graph, subgraphs } = to_listing(&graph_as_written(target, &symbols)?);
            listing.subgraphs.extend(subgraphs);
            listing.subgraphs.push(Subgraph { name: name.to_owned(), graph, span: Span::default() });
        }
    }
    Ok(listing)
}
