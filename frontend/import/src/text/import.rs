//! Graph text to the torch dialect, by way of graphs that print as they were written: nothing of the text is lost, and mistakes have their places in it.

use super::Error;
use crate::to_dialect::{At, Importer};
use sconce_graph::graph::Graph;
use sconce_graph::listing::{self, Spans, Written};
use sconce_graph::unit::Unit;
use sconce_ir::prelude::*;
use sconce_ir::{Context, Location, Module, OperationRef};
use sconce_syntax::Span;
use sconce_syntax::graph_text::{self, Listing};

/// A module from text, and what its reader passed over.
pub struct Imported<'c> {
    pub module: Module<'c>,
    pub warnings: Vec<sconce_syntax::Error>,
}

/// Reads graph text and imports it. A file in which each listing stands under `== name` gives one function for each; a plain
/// listing one called `name`.
///
/// # Errors
/// As [`graph_text::read`] and [`import`].
pub fn import_text<'c>(context: &'c Context, file: &str, text: &str, name: &str) -> Result<Imported<'c>, Error> {
    if text.starts_with("== ") || text.contains("\n== ") {
        let methods = graph_text::read_methods(file, text)?;
        return Ok(Imported { module: import_methods(context, file, text, &methods)?, warnings: Vec::new() });
    }
    let (listing, warnings) = graph_text::read_with_warnings(file, text)?;
    Ok(Imported { module: import(context, file, text, &listing, name)?, warnings })
}

/// The same of a text that is to run: what can be read and yet is no program is refused.
///
/// # Errors
/// As [`import_text`] and [`graph_text::lint`].
pub fn import_program<'c>(context: &'c Context, file: &str, text: &str, name: &str) -> Result<Module<'c>, Error> {
    if !(text.starts_with("== ") || text.contains("\n== ")) {
        let listing = graph_text::read(file, text)?;
        graph_text::lint(file, text, &listing)?;
        return import(context, file, text, &listing, name);
    }
    let methods = graph_text::read_methods(file, text)?;
    methods.iter().try_for_each(|(_, listing)| graph_text::lint(file, text, listing))?;
    import_methods(context, file, text, &methods)
}

/// A module with the function `@name` for the listing, and one for each of its `with` graphs. `file` and `text` are those the
/// listing was read from: errors show them.
///
/// # Errors
/// Values of types that a block or loop cannot pass on, and `with` graphs in a circle, with their places.
pub fn import<'c>(
    context: &'c Context,
    file: &str,
    text: &str,
    listing: &Listing,
    name: &str,
) -> Result<Module<'c>, Error> {
    import_all(context, file, text, &[(name, listing)])
}

/// The same for several listings of one text, each with its function's name. Names that are empty or taken get a number.
///
/// # Errors
/// As [`import`].
pub fn import_methods<'c>(
    context: &'c Context,
    file: &str,
    text: &str,
    methods: &[(String, Listing)],
) -> Result<Module<'c>, Error> {
    let methods: Vec<(&str, &Listing)> = methods.iter().map(|(name, listing)| (name.as_str(), listing)).collect();
    let module = import_all(context, file, text, &methods)?;
    module.as_operation().set_attr(NAMED, attr::unit(context));
    Ok(module)
}

/// On a module whose listings stood under `== name`, even if there is only one.
pub(crate) const NAMED: &str = "torch.named_listings";

fn import_all<'c>(
    context: &'c Context,
    file: &str,
    text: &str,
    listings: &[(&str, &Listing)],
) -> Result<Module<'c>, Error> {
    sconce_ir::context::load(context, &["func", "torch"]);
    let module = Module::new(Location::unknown(context));
    {
        let top = Builder::at_end(context, module.body());
        // Functions of graph text call none of each other.
        let unit = Unit::default();
        let mut importer = Importer::new(context, &unit);
        for (name, listing) in listings {
            put(&top, &mut importer, listing, name).map_err(|e| e.at(file, text))?;
        }
    }
    sconce_ir::text::verify(module.as_operation())?;
    Ok(module)
}

/// What is wrong, and where in the text if it is known.
struct Fault {
    error: Error,
    span: Option<Span>,
}

impl Fault {
    fn at(self, file: &str, text: &str) -> Error {
        match self.span {
            Some(span) => sconce_syntax::Error::new(file, text, span, self.error.to_string()).into(),
            None => self.error,
        }
    }
}

/// Puts the functions of a listing: its graph's, and those of `with` graphs that no node means.
fn put<'c: 'm, 'm>(
    top: &Builder<'c, 'm>,
    importer: &mut Importer<'c, '_>,
    listing: &Listing,
    name: &str,
) -> Result<(), Fault> {
    let Written { graph, unused, spans } = listing::as_written(listing).map_err(|e| {
        let span = match &e {
            listing::Error::Undefined { span, .. } => *span,
            _ => listing.graph.span,
        };
        Fault { error: said(e), span: Some(span) }
    })?;
    let symbol = importer.symbol(if name.is_empty() { "graph" } else { name });
    let root = function(top, importer, &symbol, &graph, &spans)?;
    let mut symbols = Vec::new();
    for (with, graph) in unused {
        let symbol = importer.symbol(&format!("{symbol}.{}", with.rsplit("::").next().unwrap_or(with)));
        let op = function(top, importer, &symbol, &graph, &spans)?;
        op.set_attr("sym_visibility", attr::string(top.context(), "private"));
        op.set_attr("torch.with", attr::string(top.context(), with));
        symbols.push(attr::symbol(top.context(), &symbol));
    }
    if !symbols.is_empty() {
        root.set_attr("torch.unused", attr::array(top.context(), &symbols));
    }
    Ok(())
}

fn function<'c: 'm, 'm>(
    top: &Builder<'c, 'm>,
    importer: &mut Importer<'c, '_>,
    symbol: &str,
    graph: &Graph,
    spans: &Spans,
) -> Result<OperationRef<'c, 'm>, Fault> {
    importer.graph(top, symbol, graph, None, 0).map_err(|error| {
        let span = match importer.at {
            Some(At::Use(u)) => spans.uses.get(&u),
            Some(At::Value(v)) => spans.values.get(&v),
            None => None,
        };
        // The place says where; the function and what its comment says are left out.
        match error {
            crate::Error::PassedOn { from, to, .. } => {
                Fault { error: said(format!("a value of type {from} is passed on as {to}")), span: span.copied() }
            }
            crate::Error::Condition { ty, .. } => {
                Fault { error: said(format!("a loop goes on by a bool, this is of type {ty}")), span: span.copied() }
            }
            crate::Error::NoType { ty, .. } => {
                Fault { error: said(format!("the torch dialect has no type {ty}")), span: span.copied() }
            }
            other => Fault { error: other.into(), span: None },
        }
    })
}

fn said(message: impl ToString) -> Error {
    Error::Inexpressible { place: None, message: message.to_string() }
}
