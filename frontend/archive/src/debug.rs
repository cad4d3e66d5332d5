//! Debug records say from which source text each place of a code file came; a record that does not fit its form is an error, never a wrong place.

use crate::pickle::{Builder, List, ListKind, Pickle, Tag, Value, ValueId};
use crate::{Error, Limits};
use sconce_source::{Loc, SourceText, Span};
use std::collections::HashMap;
use std::sync::Arc;

/// The record that begins the form with one table of texts.
const STRING_TABLE: &str = "FORMAT_WITH_STRING_TABLE";

/// Where the text from `offset` on came from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DebugEntry {
    /// Byte offset in the code file.
    pub offset: usize,
    pub range: Loc,
    /// The number under which mobile archives refer to the place; -1 if they do not.
    pub tag: i64,
}

/// The source ranges of one code file, by rising offset.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct DebugRanges {
    pub entries: Vec<DebugEntry>,
}

impl DebugRanges {
    /// Where the text at `offset` of the code file came from.
    pub fn find(&self, offset: usize) -> Option<&Loc> {
        let behind = self.entries.partition_point(|e| e.offset <= offset);
        self.entries[..behind].last().map(|e| &e.range)
    }

    /// Reads a record (`*.debug_pkl`, or `debug/*.pkl` of 2019).
    pub fn read(entry: &str, bytes: &[u8], limits: &Limits) -> Result<DebugRanges, Error> {
        let pickle = Pickle::read(entry, bytes, limits)?;
        Reader { entry, pickle: &pickle, limits, table: None, sources: HashMap::new(), text_bytes: 0 }.ranges()
    }
}

impl DebugRanges {
    /// The record with one table of texts, as PyTorch writes it since 1.12.
    pub fn write(&self, entry: &str) -> Result<Vec<u8>, Error> {
        let mut b = Pickle::builder();
        let mut table = Table::default();
        table.number(&mut b, "");
        let mut lines = Vec::new();
        let mut sources = Sources::default();
        for e in &self.entries {
            let source = sources.get_or(&e.range.source, &mut b, |b, source| {
                // A line with its newline is one text, so that lines that recur are written once.
                let pieces = source.text().split_inclusive('\n').map(|line| table.number(b, line)).collect();
                let file = table.number(b, source.name());
                let pieces = b.add(Value::List(Box::new(List { items: pieces, tag: Tag::Built(ListKind::Int) })));
                let line = b.int(source.first_line().into());
                b.tuple(vec![pieces, file, line])
            });
            lines.push(e.add_to(&mut b, source, true));
        }
        let (texts, lines) = (b.tuple(table.texts), b.tuple(lines));
        let format = b.str(STRING_TABLE);
        let root = b.tuple(vec![format, texts, lines]);
        b.finish(root).write(entry)
    }

    /// The record of 2019, with whole texts.
    pub fn write_plain(&self, entry: &str) -> Result<Vec<u8>, Error> {
        let mut b = Pickle::builder();
        let mut sources = Sources::default();
        let mut lines = Vec::new();
        for e in &self.entries {
            let source = sources.get_or(&e.range.source, &mut b, |b, source| {
                let (text, line) = (b.str(source.text()), b.int(source.first_line().into()));
                let file = b.str(source.name());
                b.tuple(vec![text, file, line])
            });
            lines.push(e.add_to(&mut b, source, false));
        }
        let root = b.tuple(lines);
        b.finish(root).write(entry)
    }
}

impl DebugEntry {
    fn add_to(&self, b: &mut Builder, source: ValueId, tagged: bool) -> ValueId {
        let parts = vec![source, b.int(self.range.span.start.into()), b.int(self.range.span.end.into())];
        let mut line = vec![b.int(self.offset as i64), b.tuple(parts)];
        if tagged {
            line.push(b.int(self.tag));
        }
        b.tuple(line)
    }
}

/// Texts by their number.
#[derive(Default)]
struct Table {
    texts: Vec<ValueId>,
    numbers: HashMap<String, ValueId>,
}

impl Table {
    fn number(&mut self, b: &mut Builder, text: &str) -> ValueId {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = b.int(self.texts.len() as i64);
        self.texts.push(b.str(text));
        self.numbers.insert(text.to_string(), number);
        number
    }
}

/// Sources that are one object are written once.
#[derive(Default)]
struct Sources(HashMap<*const SourceText, ValueId>);

impl Sources {
    fn get_or(
        &mut self,
        source: &Arc<SourceText>,
        b: &mut Builder,
        add: impl FnOnce(&mut Builder, &SourceText) -> ValueId,
    ) -> ValueId {
        *self.0.entry(Arc::as_ptr(source)).or_insert_with(|| add(b, source))
    }
}

struct Reader<'a> {
    entry: &'a str,
    pickle: &'a Pickle,
    limits: &'a Limits,
    table: Option<&'a [ValueId]>,
    sources: HashMap<ValueId, Arc<SourceText>>,
    text_bytes: u64,
}

impl<'a> Reader<'a> {
    fn bad(&self, what: impl Into<String>) -> Error {
        Error::format(self.entry, 0usize, what)
    }

    fn items(&self, id: ValueId) -> Result<&'a [ValueId], Error> {
        let value = &self.pickle[id];
        value.as_items().ok_or_else(|| self.bad(format!("{} where a tuple of source ranges is expected", value.kind())))
    }

    fn int(&self, id: ValueId) -> Result<i64, Error> {
        let value = &self.pickle[id];
        value.as_int().ok_or_else(|| self.bad(format!("{} where a number is expected", value.kind())))
    }

    fn text(&self, id: ValueId) -> Result<&'a [u8], Error> {
        match &self.pickle[id] {
            Value::Str(text) => Ok(text),
            other => Err(self.bad(format!("{} where text is expected", other.kind()))),
        }
    }

    fn ranges(mut self) -> Result<DebugRanges, Error> {
        let mut lines = self.items(self.pickle.root_id())?;
        if let [format, table, rest] = lines
            && self.pickle[*format].as_str() == Some(STRING_TABLE)
        {
            self.table = Some(self.items(*table)?);
            lines = self.items(*rest)?;
        }
        let mut entries: Vec<DebugEntry> = Vec::new();
        for line in lines {
            let (offset, range, tag) = match self.items(*line)? {
                [offset, range] => (*offset, *range, -1),
                [offset, range, tag] => (*offset, *range, self.int(*tag)?),
                parts => return Err(self.bad(format!("a record of {} parts, expected 2 or 3", parts.len()))),
            };
            let offset = usize::try_from(self.int(offset)?).map_err(|_| self.bad("a negative offset"))?;
            if entries.last().is_some_and(|e| e.offset > offset) {
                return Err(self.bad("the offsets do not rise"));
            }
            entries.push(DebugEntry { offset, range: self.range(range)?, tag });
        }
        Ok(DebugRanges { entries })
    }

    fn range(&mut self, id: ValueId) -> Result<Loc, Error> {
        let [source, start, end] = *self.items(id)? else { return Err(self.bad("a source range has three parts")) };
        let source = self.source(source)?;
        let (start, end) = (usize::try_from(self.int(start)?), usize::try_from(self.int(end)?));
        match (start, end) {
            // PyTorch writes ends one beyond the text where the last line has no newline.
            (Ok(start), Ok(end)) if start <= end && start <= source.text().len() => {
                let end = end.min(source.text().len());
                Ok(Loc { source, span: Span::new(start, end) })
            }
            _ => Err(self.bad("a source range lies outside its text")),
        }
    }

    fn source(&mut self, id: ValueId) -> Result<Arc<SourceText>, Error> {
        if let Some(source) = self.sources.get(&id) {
            return Ok(Arc::clone(source));
        }
        let [text, file, first_line] = *self.items(id)? else { return Err(self.bad("a source has three parts")) };
        let first_line = self.int(first_line)?;
        let (text, file) = match self.table {
            Some(table) => {
                let mut joined = Vec::new();
                for piece in self.items(text)? {
                    let piece = self.entry_of(table, *piece)?;
                    self.spend(piece.len())?;
                    joined.extend(piece);
                }
                let file = self.entry_of(table, file)?;
                (joined, (!file.is_empty()).then_some(file))
            }
            None => {
                let text = self.text(text)?;
                self.spend(text.len())?;
                let file = match self.pickle[file] {
                    Value::None => None,
                    _ => Some(self.text(file)?).filter(|f| !f.is_empty()),
                };
                (text.to_vec(), file)
            }
        };
        // Sources were text when they were compiled; a broken character says nothing that locations need.
        let text = String::from_utf8(text).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned());
        // What has no line of a file is in none.
        let file = file.zip(u32::try_from(first_line).ok()).map(|(name, line)| (String::from_utf8_lossy(name), line));
        let source = match file {
            Some((name, line)) => Arc::new(SourceText::numbered(name, text, line)),
            None => SourceText::nameless(text),
        };
        self.sources.insert(id, Arc::clone(&source));
        Ok(source)
    }

    fn entry_of(&self, table: &'a [ValueId], number: ValueId) -> Result<&'a [u8], Error> {
        let number = self.int(number)?;
        let entry = usize::try_from(number).ok().and_then(|n| table.get(n));
        let entry = entry.ok_or_else(|| self.bad(format!("text {number} of a table of {}", table.len())))?;
        self.text(*entry)
    }

    fn spend(&mut self, bytes: usize) -> Result<(), Error> {
        self.text_bytes += bytes as u64;
        Limits::check(self.entry, "the size of all source texts", self.text_bytes, self.limits.text_bytes)
    }
}
