//! What is asked of an exported program beside its calls: its graphs keep to the rules of Export IR, what they say of values is what the shape rules say, and in
//! Core ATen it is the program that PyTorch makes of it.

use sconce_archive::{Container, Limits, PtWriter, Record};
use sconce_decompose::core_aten;
use sconce_export_program::{Archive, ExportedProgram, values};
use sconce_fx::verify::{Dialect, verify};
use std::sync::Arc;

/// What held of exported programs, counted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Exported {
    /// Programs that loaded.
    pub loaded: usize,
    /// Programs whose graphs break no rule.
    pub verified: usize,
    /// Calls of operators whose recorded results are what the rules compute.
    pub nodes: usize,
    /// Sizes of those results that both sides know.
    pub sizes: usize,
    /// Calls with the recorded results.
    pub equal: usize,
    /// Calls that are refused as PyTorch refuses them.
    pub refused: usize,
    /// Programs that have a form in Core ATen.
    pub decomposed: usize,
    /// Those of them whose graph is the recorded one.
    pub same_graph: usize,
    /// Those of them that have a recording.
    pub recorded: usize,
    /// Programs whose calls give in Core ATen what is recorded.
    pub run_equal: usize,
}

impl Exported {
    /// A line for the summary.
    pub fn line(&self) -> String {
        let Exported { loaded, verified, nodes, sizes, equal, refused, .. } = self;
        let Exported { decomposed, same_graph, recorded, run_equal, .. } = self;
        format!(
            "exported programs: {loaded} loaded, {verified} verified; {equal} calls equal, {refused} refused as PyTorch refuses them; the values of {nodes} nodes ({sizes} sizes) are as recorded; in Core ATen: {decomposed} programs, {same_graph} of {recorded} node for node, {run_equal} run equal"
        )
    }

    /// Looks at a program that loads.
    ///
    /// # Errors
    /// The first rule that a graph breaks, the first value that is recorded as another.
    pub fn look_at(&mut self, bytes: &[u8]) -> Result<(), String> {
        let program = read(bytes)?;
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

    /// The program in Core ATen as an archive. `graph` and `core` are the texts of its graph and of PyTorch's in Core ATen, where they are recorded.
    ///
    /// # Errors
    /// A program that has no such form, or that cannot be written.
    pub fn decompose(&mut self, bytes: &[u8], graph: Option<&[u8]>, core: Option<&[u8]>) -> Result<Vec<u8>, String> {
        let program = core_aten(&read(bytes)?).map_err(|e| format!("in Core ATen: {e}"))?;
        self.decomposed += 1;
        // Where PyTorch changes nothing the recording says so.
        let expected = core.map(String::from_utf8_lossy).map(|text| match (text.starts_with("graph"), graph) {
            (false, Some(graph)) => String::from_utf8_lossy(graph),
            _ => text,
        });
        if let Some(expected) = expected {
            self.recorded += 1;
            self.same_graph += usize::from(program.graph_module.graph.to_string().trim_end() == expected.trim_end());
        }
        program.write(PtWriter::new("program", Vec::new())).map_err(|e| format!("in Core ATen: {e}"))
    }
}

fn read(bytes: &[u8]) -> Result<ExportedProgram, String> {
    let limits = Limits::default();
    let mut storage = |record: &Record| crate::storages::of_record(None, record);
    let container = Container::from_shared("program.pt2", Arc::new(bytes.to_vec()), &limits);
    let archive = Archive::new("program.pt2", container.map_err(|e| e.to_string())?, &limits);
    let program = ExportedProgram::read(&archive.map_err(|e| e.to_string())?, &limits, &mut storage);
    program.map_err(|e| e.to_string())
}
