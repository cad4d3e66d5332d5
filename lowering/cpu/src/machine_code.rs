//! Machine code as text, each line with the places of the program that it computes: LLVM carries one number for each instruction, which stands for all places of its
//! operation.

use crate::pipeline::Stage;
use sconce_ir::codegen::{Emit, Target, emit_placed_llvm, emit_text};
use sconce_ir::location::{Place, places};
use sconce_ir::prelude::*;
use std::collections::BTreeMap;

/// What makes LLVM keep the lines of locations and write nothing else of them.
const SCOPES: &str = "ensure-debug-info-scope-on-llvm-func{emission-kind=DebugDirectivesOnly}";

/// LLVM IR and assembly of a module of LLVM's dialect, whose locations are other ones afterwards.
pub(crate) fn texts<'c>(
    module: &Module<'c>,
    root: OperationRef<'c, 'c>,
    target: &Target,
) -> Result<[(Stage, PlacedText); 2], sconce_ir::Error> {
    let table = numbered(root);
    run_pipeline(root, SCOPES)?;
    let (text, lines) = emit_placed_llvm(module, target)?;
    let llvm = PlacedText { text, places: placed(lines, &table) };
    let (text, lines) = without_directives(&emit_text(module, target, Emit::Assembly)?);
    Ok([(Stage::Llvm, llvm), (Stage::Assembly, PlacedText { text, places: placed(lines, &table) })])
}

/// Gives each operation the number of its places as its line; 0 is none. Number n is row n - 1.
fn numbered(root: OperationRef<'_, '_>) -> Vec<Vec<Place>> {
    let context = root.context_ref();
    let (mut numbers, mut table) = (BTreeMap::new(), Vec::new());
    root.walk_pre(&mut |op| {
        let all = places(op.location());
        let number = match all.is_empty() {
            true => 0,
            false => *numbers.entry(all).or_insert_with_key(|all| {
                table.push(all.clone());
                table.len()
            }),
        };
        op.set_loc(Location::new(context, "places", number, 0));
        Walk::Advance
    });
    table
}

/// Lines with the places that their numbers stand for.
fn placed(lines: Vec<(u32, u32)>, table: &[Vec<Place>]) -> Vec<(u32, Place)> {
    let of = |number: u32| table.get((number as usize).checked_sub(1)?);
    let mut all: Vec<(u32, Place)> = lines
        .into_iter()
        .flat_map(|(line, number)| of(number).into_iter().flatten().map(move |place| (line, place.clone())))
        .collect();
    all.sort();
    all.dedup();
    all
}

/// Assembly as it is without scopes, and of each of its lines with an instruction the number that holds there.
fn without_directives(text: &str) -> (String, Vec<(u32, u32)>) {
    let (mut out, mut lines) = (String::new(), Vec::new());
    let (mut number, mut count) = (0, 0);
    for line in text.lines() {
        let words = line.trim_start();
        if let Some(rest) = words.strip_prefix(".loc\t") {
            number = rest.split_whitespace().nth(1).and_then(|n| n.parse().ok()).unwrap_or(0);
        }
        if is_of_scopes(words) {
            continue;
        }
        // A function begins, of which nothing is known yet.
        if words.starts_with(".type\t") {
            number = 0;
        }
        let is_instruction = line.starts_with('\t') && !words.starts_with(['.', '#', '/', ';']);
        if is_instruction && number > 0 {
            lines.push((count, number));
        }
        out.push_str(line);
        out.push('\n');
        count += 1;
    }
    (out, lines)
}

/// Whether a line is there for debuggers alone: code that has no places has none of these.
fn is_of_scopes(words: &str) -> bool {
    let is_numbered_file =
        || words.strip_prefix(".file\t").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let is_label = || words.starts_with(".Ltmp") || words.starts_with(".Lfunc_begin");
    words.starts_with(".loc\t")
        || words.starts_with(".cfi_")
        || is_numbered_file()
        || is_label() && words.ends_with(':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_leave_the_text_and_number_what_is_behind_them() {
        let text = "\t.file\t\"sconce\"\n\t.text\nf:\n.Lfunc_begin0:\n\t.cfi_startproc\n\t.file\t1 \"places\"\n\t.loc\t1 3 0\n\tvmovups\t(%rdi), %ymm0\n.Ltmp0:\n\t.loc\t1 0 0 is_stmt 0\n\tretq\n\t.loc\t1 2 0\n\tret\n";
        let (shown, lines) = without_directives(text);
        assert_eq!(shown, "\t.file\t\"sconce\"\n\t.text\nf:\n\tvmovups\t(%rdi), %ymm0\n\tretq\n\tret\n");
        assert_eq!(lines, [(3, 3), (5, 2)]);
    }

    const SQUARE: &str = r#"
llvm.func @square(%at: !llvm.ptr) {
  %x = llvm.load %at : !llvm.ptr -> f32 loc("a.py":3:4)
  %y = llvm.fmul %x, %x : f32 loc(fused["a.py":4:4, "b.py":7:0])
  llvm.store %y, %at : f32, !llvm.ptr loc(unknown)
  llvm.return loc("a.py":5:0)
}"#;

    #[test]
    fn texts_are_those_of_code_that_has_no_places() -> Result<(), sconce_ir::Error> {
        let context = context::new(false);
        let (module, target) = (parse_module(&context, SQUARE.as_bytes(), "square.mlir")?, Target::default());
        let plain = [Emit::LlvmIr, Emit::Assembly].map(|what| emit_text(&module, &target, what));
        let placed = texts(&module, crate::pipeline::whole(&module), &target)?;
        for (plain, (stage, placed)) in plain.into_iter().zip(placed) {
            assert_eq!(plain?, placed.text, "{stage:?}");
            let of = |word: &str| {
                let found = |(line, place): &(u32, Place)| {
                    placed.text.lines().nth(*line as usize)?.contains(word).then(|| place.to_string())
                };
                placed.places.iter().filter_map(found).collect::<Vec<_>>().join(" ")
            };
            assert_eq!(of("mul"), "a.py:4:4 b.py:7:0", "{stage:?}");
            assert_eq!(of("ret"), "a.py:5:0", "{stage:?}");
            assert_eq!(of("store"), "", "{stage:?}");
        }
        Ok(())
    }
}
