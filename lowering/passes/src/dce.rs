//! `dce`: removes operations whose results nobody uses and that do nothing else.

use crate::graph_passes::each_graph;
use sconce_analysis::{Effect, effect};
use sconce_ir::op::Walk;
use sconce_ir::{OpExt, OperationRef};
use sconce_pass::{Pass, PassResult, PassRun};

/// Removes unused constants, containers, views and computations; what writes, raises or prints stays. In functions that are graphs, writes that
/// nobody sees go as well.
pub struct Dce;

impl Pass for Dce {
    const NAME: &'static str = "dce";
    const DESCRIPTION: &'static str = "Remove unused torch operations that write nothing";

    const DIALECTS: &'static [&'static str] = &["torch", "func"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        each_graph(root, &mut sconce_script::passes::eliminate_dead_code)?;
        // Users stand behind what they use, so one walk from the back finds chains.
        let mut candidates = Vec::new();
        root.walk_post(&mut |op| {
            if op.op_name().starts_with("torch.") && op.region_refs().is_empty() && !op.is_terminator() {
                candidates.push(op);
            }
            Walk::Advance
        });
        for op in candidates.into_iter().rev() {
            // A shape error would be lost with the operation: only what cannot fail for these types goes.
            let removable = match effect(op) {
                Effect::Structural => true,
                Effect::Fresh | Effect::View => op.is_trivially_dead() || op.result_values().is_empty(),
                Effect::Writes => false,
            };
            if removable && op.is_unused() && !op.result_values().is_empty() {
                op.erase()?;
            }
        }
        Ok(())
    }
}
