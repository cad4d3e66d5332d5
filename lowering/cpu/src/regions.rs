//! All regions of a module, one after the other: each lowered to linalg in a module of its own, compiled, and described to its callers.

use crate::pipeline::{CodeOptions, Compiled, Stage, compile};
use sconce_exec::RegionSpec;
use sconce_ir::prelude::*;
use sconce_linalg::{COPIES, ResultLayout};
use std::time::{Duration, Instant};

/// What became of a region.
#[derive(Clone, Debug)]
pub struct RegionResult {
    /// The region's name in the module and in the Program.
    pub name: String,
    pub outcome: Result<RegionObject, String>,
    /// Time spent on it.
    pub time: Duration,
}

/// A compiled region. Only this module makes one, so that what is linked is what was compiled.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RegionObject {
    pub spec: RegionSpec,
    /// A relocatable object that exports [`crate::ENTRY`].
    pub object: Vec<u8>,
    pub texts: Vec<(Stage, PlacedText)>,
}

/// Lowers a region to linalg in a module of its own.
pub fn lower_region<'c>(region: OperationRef<'c, '_>) -> Result<(Module<'c>, RegionSpec), sconce_linalg::Error> {
    let context = region.context_ref();
    let name = region.str_attr("name").unwrap_or("region");
    let block = region.body(0).ok_or_else(|| sconce_linalg::Error::Internal("a region without body".into()))?;
    let module = Module::new(Location::unknown(context));
    let layout = if region.attr(COPIES).is_some() { ResultLayout::Rows } else { ResultLayout::Interpreted };
    let spec = sconce_linalg::lower_block(context, block, name, module.body(), layout)?;
    Ok((module, spec))
}

/// The options of a region, whose code has a name of its own.
fn numbered(options: &CodeOptions, number: usize) -> CodeOptions {
    let symbol = options.symbol.as_ref().map(|symbol| format!("{symbol}{number}"));
    CodeOptions { symbol, ..options.clone() }
}

/// Compiles every `sconce.region` of `root`. The module stays as it is: the regions' bodies are what runs when a guard fails.
pub fn compile_regions(root: OperationRef<'_, '_>, options: &CodeOptions) -> Vec<RegionResult> {
    root.find_all("sconce.region")
        .into_iter()
        .enumerate()
        .map(|(number, region)| {
            let started = Instant::now();
            let outcome = lower_region(region).map_err(|e| e.to_string()).and_then(|(module, spec)| {
                match compile(&module, &numbered(options, number)) {
                    Ok(Compiled { object, texts }) => Ok(RegionObject { spec, object, texts }),
                    Err(e) => Err(e.to_string()),
                }
            });
            RegionResult { name: region.str_attr("name").unwrap_or("region").into(), outcome, time: started.elapsed() }
        })
        .collect()
}
