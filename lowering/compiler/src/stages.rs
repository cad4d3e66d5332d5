//! A function's text at each stage between its outlined regions and their machine code.

use crate::checked::Stopped;
use crate::compile::outlined;
use sconce_cpu::CodeOptions;
use sconce_ir::prelude::*;
use sconce_request::{Job, Place, PlacedText, Stage};

/// The text of a stage, with places where its form has them.
pub(crate) fn text(module: &Module<'_>, job: &Job, stage: &Stage) -> Result<PlacedText, Stopped> {
    let outlined = outlined(module, job)?.report;
    if *stage == Stage::Fused {
        let options = PrintOptions { name_locations_as_prefix: true, ..PrintOptions::default() };
        let mut out = PlacedText::default();
        append(&mut out, &print_placed(module.as_operation(), &options));
        return Ok(out);
    }
    if outlined.regions.is_empty() {
        let why: Vec<String> = outlined.not_taken.iter().map(|n| format!("{}: {}", n.operator, n.why)).collect();
        let why = if why.is_empty() { "it computes nothing with tensors".into() } else { why.join("; ") };
        return Err(Stopped::Refused(format!("nothing of {} is compiled: {why}", job.function)));
    }
    let wanted = match stage {
        Stage::Ptx { chip } => return Ok(PlacedText { text: ptx(module, chip)?, places: Vec::new() }),
        Stage::Fused | Stage::Linalg => sconce_cpu::Stage::Linalg,
        Stage::Llvm => sconce_cpu::Stage::Llvm,
        Stage::Asm => sconce_cpu::Stage::Assembly,
    };
    let options = CodeOptions { keep_text: true, ..CodeOptions::default() };
    let comment = if matches!(wanted, sconce_cpu::Stage::Linalg) { "//" } else { ";" };
    let mut out = PlacedText::default();
    for region in sconce_cpu::compile_regions(module.as_operation(), &options) {
        let object = region.outcome.map_err(|why| Stopped::Refused(format!("region {}: {why}", region.name)))?;
        for (_, text) in object.texts.iter().filter(|(s, _)| *s == wanted) {
            out.text.push_str(&format!("{comment} region {}\n", region.name));
            append(&mut out, text);
            out.text.truncate(out.text.trim_end().len());
            out.text.push('\n');
        }
    }
    Ok(out)
}

/// Puts a text behind another that ends with a line, or is empty.
fn append(to: &mut PlacedText, more: &sconce_ir::text::PlacedText) {
    let first = to.text.lines().count() as u32;
    let position = |(line, column): (usize, usize)| (line as u32, column as u32);
    to.places.extend(more.places.iter().map(|(line, place)| {
        let start = position((place.line, place.column));
        (first + line, Place { file: place.file.clone(), start, end: position(place.end) })
    }));
    to.text.push_str(&more.text);
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
