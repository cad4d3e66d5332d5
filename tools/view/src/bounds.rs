//! A page stays of a size that a browser opens, whatever the program holds: everything that has no end of its own has one here.

/// Nodes of all functions.
pub const MOST_NODES: usize = 100_000;

/// Characters of a name, a type, an attribute.
pub const MOST_CHARACTERS: usize = 2_000;

/// Characters of a constant that stands in the place of the value.
pub const MOST_LITERAL: usize = 120;

/// Operands of a list or tuple that stands in the place of the value.
pub const MOST_ELEMENTS: usize = 16;

/// Bytes of the texts of one pane.
pub const MOST_TEXT: usize = 16 << 20;

/// Characters of a line of a text.
pub const MOST_LINE: usize = 4_000;

/// Lines that one node marks.
pub const MOST_LINES: u32 = 20;

/// Boxes that are drawn side by side; more are put into parts.
pub const MOST_BOXES: usize = 120;

/// Boxes of such a part.
pub const PART: usize = 100;

/// Scopes inside each other.
pub const MOST_SCOPES: usize = 16;

/// Parameters and buffers that are listed.
pub const MOST_WEIGHTS: usize = 20_000;

/// Elements of all parameters and buffers that are looked at.
pub const MOST_COUNTED: usize = 1 << 28;

/// Types that a value was seen with.
pub const MOST_SEEN: usize = 4;

/// The text, or its beginning and how much is missing.
pub fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}… ({} more)", &text[..end], text[end..].chars().count()),
    }
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn long_texts_say_how_long_they_are() {
        assert_eq!([cut("añb", 3), cut("añb", 2), cut("", 0)], ["añb", "añ… (1 more)", ""]);
    }
}
