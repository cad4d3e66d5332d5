//! Text that knows where its parts come from.

/// From this byte on the text comes from place number `place` (from 1; 0: from nowhere).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tag {
    pub byte: usize,
    pub place: u32,
}

#[derive(Clone, Default, Debug)]
pub(super) struct Text {
    pub out: String,
    pub tags: Vec<Tag>,
}

impl Text {
    pub fn put(&mut self, text: &str, place: u32) {
        if text.is_empty() {
            return;
        }
        if self.tags.last().is_none_or(|t| t.place != place) {
            self.tags.push(Tag { byte: self.out.len(), place });
        }
        self.out.push_str(text);
    }

    pub fn put_text(&mut self, text: &Text) {
        for tag in &text.tags {
            if self.tags.last().is_none_or(|t| t.place != tag.place) {
                self.tags.push(Tag { byte: self.out.len() + tag.byte, place: tag.place });
            }
        }
        self.out.push_str(&text.out);
    }
}
