//! A text of a program begins with a head where it says what the text has no word for (docs/text-forms.md); only whether there is one is told here.

/// What a head begins with, behind what begins a comment.
pub const MARK: &str = "Sconce 1, ";

/// Does a text whose comments begin so have a head?
///
/// ```
/// use sconce_graph::head::has_head;
/// assert!(has_head("# Sconce 1, no tensors\ngraph():\n  return ()\n", "#"));
/// assert!(!has_head("# by hand\ngraph():\n  return ()\n", "#"));
/// ```
pub fn has_head(text: &str, comment: &str) -> bool {
    text.strip_prefix(comment).and_then(|line| line.strip_prefix(' ')).is_some_and(|line| line.starts_with(MARK))
}
