//! A function's text at each stage between its outlined regions and their machine code.

use crate::checked::Stopped;
use crate::compile::outlined;
use sconce_cpu::CodeOptions;
use sconce_ir::prelude::*;
use sconce_request::{Job, Stage};

/// The text of a stage.
pub(crate) fn text(module: &Module<'_>, job: &Job, stage: &Stage) -> Result<String, Stopped> {
    let outlined = outlined(module, job)?.report;
    if *stage == Stage::Fused {
        let options = PrintOptions { name_locations_as_prefix: true, ..PrintOptions::default() };
        return Ok(print(module.as_operation(), &options));
    }
    if outlined.regions.is_empty() {
        let why: Vec<String> = outlined.not_taken.iter().map(|n| format!("{}: {}", n.operator, n.why)).collect();
        let why = if why.is_empty() { "it computes nothing with tensors".into() } else { why.join("; ") };
        return Err(Stopped::Refused(format!("nothing of {} is compiled: {why}", job.function)));
    }
    let wanted = match stage {
        Stage::Ptx { chip } => return Ok(ptx(module, chip)?),
        Stage::Fused | Stage::Linalg => sconce_cpu::Stage::Linalg,
        Stage::Llvm => sconce_cpu::Stage::Llvm,
        Stage::Asm => sconce_cpu::Stage::Assembly,
    };
    let options = CodeOptions { keep_text: true, ..CodeOptions::default() };
    let comment = if matches!(wanted, sconce_cpu::Stage::Linalg) { "//" } else { ";" };
    let mut out = String::new();
    for region in sconce_cpu::compile_regions(module.as_operation(), &options) {
        let object = region.outcome.map_err(|why| Stopped::Refused(format!("region {}: {why}", region.name)))?;
        for (_, text) in object.texts.iter().filter(|(s, _)| *s == wanted) {
            out.push_str(&format!("{comment} region {}\n{}\n", region.name, text.trim_end()));
        }
    }
    Ok(out)
}

/// PTX of every region, with its launch plan as comments.
fn ptx(module: &Module<'_>, chip: &str) -> Result<String, String> {
    if !sconce_gpu::CHIPS.contains(&chip) {
        return Err(format!("there is no code for {chip}, only for {}", sconce_gpu::CHIPS.join(" and ")));
    }
    let mut out = String::new();
    for (name, outcome) in sconce_gpu::compile_regions(module.as_operation()) {
        let (_, compiled) = outcome.map_err(|why| format!("region {name}: {why}"))?;
        out.push_str(&format!("// region {name}\n"));
        for (key, value) in compiled.plan.to_metadata() {
            out.push_str(&format!("// {key}: {value}\n"));
        }
        for (_, text) in compiled.ptx.iter().filter(|(c, _)| c == chip) {
            out.push_str(text.trim_end());
            out.push('\n');
        }
    }
    Ok(out)
}
