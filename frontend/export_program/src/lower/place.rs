//! A node's place is the line that the user wrote, and its scope the modules that were being called, as its metadata says them.

use rustc_hash::FxHashMap;
use sconce_fx::Meta;
use sconce_source::{Loc, SourceText, Span};
use std::sync::Arc;

/// Lines of files that were seen, each one text.
#[derive(Clone, Default)]
pub(super) struct Places(FxHashMap<(String, u32, String), Arc<SourceText>>);

/// Stack traces have lines without their own.
const INDENT: &str = "    ";

/// A frame of a stack trace: `File "m.py", line 3, in forward` and the line under it.
struct Frame<'t> {
    file: &'t str,
    line: u32,
    text: &'t str,
}

/// The frames of a stack trace, outermost first.
fn frames(trace: &str) -> Vec<Frame<'_>> {
    let mut frames: Vec<Frame<'_>> = Vec::new();
    for line in trace.lines().map(str::trim) {
        let Some((file, rest)) = line.strip_prefix("File \"").and_then(|l| l.split_once("\", line ")) else {
            if let Some(frame) = frames.last_mut().filter(|f| f.text.is_empty()) {
                frame.text = line;
            }
            continue;
        };
        let number = rest.split(',').next().and_then(|n| n.trim().parse().ok()).unwrap_or(0);
        frames.push(Frame { file, line: number, text: "" });
    }
    frames
}

/// Is it a file of PyTorch's own, or code that it made?
fn is_foreign(file: &str) -> bool {
    file.starts_with("torch/") || file.contains("/torch/") || file.starts_with('<')
}

impl Places {
    /// The line that the user wrote: the innermost frame that is not PyTorch's own.
    pub fn of(&mut self, meta: &Meta) -> Option<Loc> {
        let frames = frames(meta.stack_trace.as_deref()?);
        let frame = frames.iter().rfind(|f| !is_foreign(f.file)).or(frames.last())?;
        let key = (frame.file.to_owned(), frame.line, frame.text.to_owned());
        // As a line of its file, which reports underline.
        let text = if frame.text.is_empty() { String::new() } else { format!("{INDENT}{}\n", frame.text) };
        let start = if text.is_empty() { 0 } else { INDENT.len() };
        let source = self.0.entry(key).or_insert_with(|| Arc::new(SourceText::numbered(frame.file, text, frame.line)));
        Some(Loc::new(source, Span::new(start, start + frame.text.len())))
    }
}

/// The modules that were being called, as graph text has them: `__module/__module.fc1`.
pub(super) fn scope(meta: &Meta) -> Option<String> {
    let (last, _) = meta.nn_module_stack.split_last()?;
    (!last.path.is_empty()).then(|| {
        let frames = meta.nn_module_stack.iter().filter(|f| !f.path.is_empty());
        frames.map(|f| format!("__module.{}", f.path)).collect::<Vec<_>>().join("/")
    })
}
