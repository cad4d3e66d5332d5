//! Every instruction knows its place in a source: which text, from where, how long.

use crate::numbers::Numbers;
use rustc_hash::FxHashMap;
use sconce_graph::graph::{Loc, SourceFile};
use sconce_interpreter::Program;
use sconce_interpreter::program::{Place, Source};
use std::sync::Arc;

/// The texts that places are in, by their address, each with its number in the program.
#[derive(Default)]
pub(crate) struct Places {
    texts: FxHashMap<*const SourceFile, Text>,
}

struct Text {
    number: u32,
    /// Offsets of the lines; none of a text that is not there.
    lines: Vec<u32>,
    first_line: u32,
}

impl Places {
    /// The place of a node.
    pub fn place(&mut self, numbers: &mut Numbers, program: &mut Program, loc: &Loc) -> Place {
        let key = Arc::as_ptr(&loc.source);
        let text = self.texts.entry(key).or_insert_with(|| Text::new(numbers, program, &loc.source));
        let start = loc.span.start;
        let line = text.lines.partition_point(|at| *at <= start).saturating_sub(1);
        let column = start - text.lines.get(line).copied().unwrap_or(0).min(start);
        let length = loc.span.end.saturating_sub(start);
        Place { source: text.number, line: text.first_line.saturating_add(line as u32), column, length }
    }
}

impl Text {
    fn new(numbers: &mut Numbers, program: &mut Program, file: &SourceFile) -> Text {
        let known = !file.is_stand_in();
        let listed = Source {
            file: file.name.as_str().into(),
            text: known.then(|| file.text.as_str().into()),
            first_line: if known { file.first_line } else { 1 },
        };
        let number = numbers.source(program, &listed);
        let ends = file.text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1);
        Text { number, lines: std::iter::once(0).chain(ends).collect(), first_line: file.first_line }
    }
}
