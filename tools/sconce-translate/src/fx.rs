//! FX text and the torch dialect, by way of graphs: what one of them cannot say is an error at its place.

use sconce_export_program::{function, graph_to_fx};
use sconce_graph::unit::Unit;
use sconce_ir::diagnostics::emit_error;
use sconce_ir::tools::{Reader, Writer};
use sconce_ir::{Context, Location, Module};

/// What `torch.fx` prints of a graph.
pub struct FxText;

impl Reader for FxText {
    /// FX text as a module with the function `forward`.
    fn read<'c>(context: &'c Context, contents: &[u8], name: &str) -> Result<Module<'c>, String> {
        let text = std::str::from_utf8(contents).map_err(|e| format!("FX text is UTF-8: {e}"))?;
        let module = match sconce_fx::text::read_module(name, text) {
            Ok(module) => module,
            Err(error) => {
                let place = Location::new(context, &error.file, error.line as usize, error.column as usize);
                emit_error(place, &error.message);
                return Err(String::new());
            }
        };
        let forward = function(&module, "forward").map_err(|e| e.to_string())?;
        let mut unit = Unit::default();
        unit.functions.insert(forward.name.clone(), forward);
        sconce_import::to_dialect(context, &unit).map_err(|e| e.to_string())
    }
}

impl Writer for FxText {
    /// A module's one function, or that of this name, as FX text.
    fn write(module: &Module<'_>, name: &str) -> Result<String, String> {
        let unit = sconce_import::from_dialect(module).map_err(|e| e.to_string())?;
        let names = || unit.functions.keys().map(|n| &**n).collect::<Vec<_>>().join(", ");
        let found = match (name, unit.functions.len()) {
            ("", 1) => unit.functions.values().next(),
            ("", 0) => return Err("the module has no function".into()),
            ("", _) => return Err(format!("the module has several functions; name one by --function: {}", names())),
            (name, _) => unit.functions.get(name),
        };
        let found = found.ok_or_else(|| format!("no function {name}; there are {}", names()))?;
        let graph = graph_to_fx(&found.graph).map_err(|error| match &error.place {
            Some(place) => format!("{place}: {error}"),
            None => error.to_string(),
        })?;
        match sconce_fx::text::unreadable(&graph) {
            None => Ok(format!("{graph}\n")),
            Some(why) => Err(why.to_string()),
        }
    }
}
