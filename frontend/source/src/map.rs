//! One number for each text, however often it is named, and the text that a file's line is in, where there is no doubt which that is.

use crate::{Loc, SourceText, Span, clamp};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Texts by number and by file.
#[derive(Default)]
pub struct SourceMap {
    texts: Vec<Arc<SourceText>>,
    /// By address. The text is kept, so that no other gets its address.
    addresses: FxHashMap<usize, (Arc<SourceText>, u32)>,
    numbers: FxHashMap<Arc<SourceText>, u32>,
    files: FxHashMap<Arc<str>, File>,
}

/// The texts of one file.
#[derive(Default)]
struct File {
    texts: Vec<Arc<SourceText>>,
    /// From a line on, up to the next that is named: the only text that has these lines. Nothing while texts are still added.
    owners: Option<Vec<(u32, Option<usize>)>>,
    /// Lines of which no more is known.
    unknown: FxHashMap<u32, Arc<SourceText>>,
}

impl SourceMap {
    /// The number of a text; of texts that are equal it is one.
    pub fn id(&mut self, source: &Arc<SourceText>) -> u32 {
        let address = Arc::as_ptr(source) as usize;
        if let Some((_, id)) = self.addresses.get(&address) {
            return *id;
        }
        let id = match self.numbers.get(source) {
            Some(id) => *id,
            None => self.add(source),
        };
        self.addresses.insert(address, (source.clone(), id));
        id
    }

    fn add(&mut self, source: &Arc<SourceText>) -> u32 {
        let id = clamp(self.texts.len());
        self.texts.push(source.clone());
        self.numbers.insert(source.clone(), id);
        if source.is_known() {
            let file = self.files.entry(source.name.clone()).or_default();
            file.texts.push(source.clone());
            file.owners = None;
        }
        id
    }

    /// The texts by their numbers.
    pub fn texts(&self) -> &[Arc<SourceText>] {
        &self.texts
    }

    /// The range between two lines and columns of a file: in the only text that has the first line. Where there is none, no more is known than where it begins.
    pub fn place(&mut self, name: &str, start: (u32, u32), end: (u32, u32)) -> Loc {
        let file = match self.files.get_mut(name) {
            Some(file) => file,
            None => self.files.entry(name.into()).or_default(),
        };
        match file.owner(start.0) {
            Some(source) => {
                let offset = source.offset(start);
                let span = Span { start: offset, end: source.offset(end).max(offset) };
                Loc { source, span }
            }
            None => {
                let source = file.unknown.entry(start.0).or_insert_with(|| SourceText::unknown(name, start.0));
                Loc::new(source, Span { start: start.1, end: start.1 })
            }
        }
    }
}

impl File {
    fn owner(&mut self, line: u32) -> Option<Arc<SourceText>> {
        let texts = &self.texts;
        let owners = self.owners.get_or_insert_with(|| owners(texts));
        let at = owners.partition_point(|(first, _)| *first <= line).checked_sub(1)?;
        texts.get(owners[at].1?).cloned()
    }
}

/// Which lines belong to one of the texts alone.
fn owners(texts: &[Arc<SourceText>]) -> Vec<(u32, Option<usize>)> {
    let mut events: Vec<(u32, usize, bool)> = Vec::new();
    for (i, text) in texts.iter().enumerate() {
        let first = text.first_line;
        events.extend([(first, i, true), (first.saturating_add(text.line_count()), i, false)]);
    }
    // A text without lines begins where it ends.
    events.sort_unstable_by_key(|(line, _, begins)| (*line, !begins));
    let mut owners: Vec<(u32, Option<usize>)> = Vec::new();
    // Of one text that has a line, the sum of the texts' numbers is its number.
    let (mut count, mut sum) = (0usize, 0usize);
    for (line, text, begins) in events {
        (count, sum) = if begins { (count + 1, sum + text) } else { (count - 1, sum - text) };
        let owner = (count == 1).then_some(sum);
        match owners.last_mut() {
            Some(last) if last.0 == line => last.1 = owner,
            _ => owners.push((line, owner)),
        }
    }
    owners
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_belongs_to_the_only_text_that_has_it() {
        let mut map = SourceMap::default();
        for (text, first_line) in [("a\nb\nc\n", 1), ("c\nd\n", 3), ("\n", u32::MAX)] {
            map.id(&Arc::new(SourceText::numbered("m.py", text, first_line)));
        }
        let mut owner = |line| {
            let place = map.place("m.py", (line, 0), (line, 1));
            place.source.is_known().then(|| place.source.first_line())
        };
        assert_eq!([0, 1, 2, 3, 4, 5].map(&mut owner), [None, Some(1), Some(1), None, Some(3), None]);
    }

    #[test]
    fn equal_texts_have_one_number() {
        let mut map = SourceMap::default();
        let ids = ["a", "b", "a"].map(|text| map.id(&SourceText::file("m.py", text)));
        assert_eq!(ids, [0, 1, 0]);
        assert_eq!(map.texts().len(), 2);
    }

    #[test]
    fn a_place_that_only_a_comment_knows_prints_as_it_was_said() {
        let mut map = SourceMap::default();
        let place = map.place("m.py", (3, 1 << 31), (3, 1 << 31));
        assert_eq!(place.to_string(), "m.py:3:2147483648");
        assert_eq!(place, map.place("m.py", (3, 1 << 31), (3, 1 << 31)));
    }

    #[test]
    fn lines_and_offsets_are_each_others_inverse() {
        let text = SourceText::numbered("m.py", "ab\n\ncd", 7);
        for offset in 0..=6 {
            assert_eq!(text.offset(text.line_column(offset)), offset);
        }
        assert_eq!([text.line_column(4), text.line_column(99)], [(9, 0), (9, 2)]);
        assert_eq!(text.offset((12, 0)), 6);
    }
}
