//! What is asked of an exported program beside its calls: its graphs keep to the rules of Export IR, and what they say of values is what the shape rules say.

use sconce_archive::{Container, Limits, Record};
use sconce_export_program::{Archive, Error, ExportedProgram, values};
use sconce_fx::verify::{Dialect, verify};
use std::sync::Arc;

/// What held of exported programs, counted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Exported {
    /// Programs that loaded.
    pub loaded: usize,
    /// Programs whose graphs break no rule.
    pub verified: usize,
    /// Calls of operators whose recorded results are what the rules compute, and sizes of them that both sides know.
    pub nodes: usize,
    pub sizes: usize,
    /// Calls with the recorded results.
    pub equal: usize,
    /// Calls that are refused as PyTorch refuses them.
    pub refused: usize,
}

impl Exported {
    /// A line for the summary.
    pub fn line(&self) -> String {
        let Exported { loaded, verified, nodes, sizes, equal, refused } = self;
        format!(
            "exported programs: {loaded} loaded, {verified} verified; {equal} calls equal, {refused} refused as PyTorch refuses them; the values of {nodes} nodes ({sizes} sizes) are as recorded"
        )
    }

    /// Looks at a program that loads.
    ///
    /// # Errors
    /// The first rule that a graph breaks, the first value that is recorded as another.
    pub fn look_at(&mut self, bytes: &[u8]) -> Result<(), String> {
        let limits = Limits::default();
        let mut storage = |record: &Record, alignment: usize| {
            crate::storages::of_record(None, record, alignment).map_err(|e| Error::Storage(e.to_string()))
        };
        let container = Container::from_shared("program.pt2", Arc::new(bytes.to_vec()), &limits);
        let archive = Archive::new("program.pt2", container.map_err(|e| e.to_string())?, &limits);
        let program = ExportedProgram::read(&archive.map_err(|e| e.to_string())?, &limits, &mut storage);
        let program = program.map_err(|e| e.to_string())?;
        self.loaded += 1;
        let dialect = program.verifiers.first().map_or(Dialect::Functional, |name| Dialect::of_verifier(name));
        if let Some(breach) = verify(&program.graph_module, dialect).first() {
            return Err(breach.to_string());
        }
        self.verified += 1;
        let compared = values::compare(&program.graph_module);
        if let Some(other) = compared.disagreements.first() {
            return Err(other.to_string());
        }
        self.nodes += compared.nodes;
        self.sizes += compared.sizes;
        Ok(())
    }
}
