//! Where everything of an object lies in its block of memory: code, then what is only read, then what is written, each on pages of its own.

use super::LoadError;
use super::read::{Access, Object, Place};
use super::relocate::{Machine, Rule};
use std::collections::BTreeMap;
use std::ops::Range;

/// A block may have so many bytes, so that any two places in it are near each other for both machines' branches.
const MAX_BLOCK: u64 = 96 << 20;

/// An address that code reads: bytes.
const SLOT: u64 = 8;

/// Offsets from the start of the block.
pub struct Layout {
    sections: Vec<u64>,
    /// The place of the address of each symbol that code reads or calls from afar.
    slots: BTreeMap<usize, u64>,
    /// Jumps that stand for functions of the runtime, which may be too far for a call.
    stubs: BTreeMap<usize, u64>,
    /// What may be done with which pages; in order, without gaps.
    pub pages: Vec<(Access, Range<u64>)>,
}

/// Takes places one after the other.
struct Cursor(u64);

impl Cursor {
    fn align(&mut self, align: u64) -> Result<(), LoadError> {
        self.take(0, align).map(|_| ())
    }

    fn take(&mut self, size: u64, align: u64) -> Result<u64, LoadError> {
        let too_large = || LoadError::Unsupported(format!("sections of more than {MAX_BLOCK} bytes"));
        let start = self.0.checked_next_multiple_of(align).ok_or_else(too_large)?;
        self.0 = start.checked_add(size).filter(|end| *end <= MAX_BLOCK).ok_or_else(too_large)?;
        Ok(start)
    }
}

/// The symbols that need a slot, and those that need a stub too.
fn indirect(object: &Object<'_>) -> Result<(Vec<usize>, Vec<usize>), LoadError> {
    let (mut slots, mut stubs) = (Vec::new(), Vec::new());
    for r in object.sections.iter().flat_map(|s| &s.relocations) {
        let Some(rule) = Rule::of(object.machine, r.kind)? else { continue };
        let needs_stub = !rule.reads_slot() && object.symbols[r.symbol].place == Place::Outside;
        stubs.extend(needs_stub.then_some(r.symbol));
        slots.extend((needs_stub || rule.reads_slot()).then_some(r.symbol));
    }
    for list in [&mut slots, &mut stubs] {
        list.sort_unstable();
        list.dedup();
    }
    Ok((slots, stubs))
}

fn places(symbols: &[usize], size: u64, cursor: &mut Cursor) -> Result<BTreeMap<usize, u64>, LoadError> {
    symbols.iter().map(|s| Ok((*s, cursor.take(size, size)?))).collect()
}

impl Layout {
    pub fn new(object: &Object<'_>, page: u64) -> Result<Layout, LoadError> {
        let (with_slot, with_stub) = indirect(object)?;
        let mut cursor = Cursor(0);
        let mut layout = Layout {
            sections: vec![0; object.sections.len()],
            slots: BTreeMap::new(),
            stubs: BTreeMap::new(),
            pages: Vec::new(),
        };
        for access in [Access::Execute, Access::Read, Access::Write] {
            let start = cursor.0;
            for (section, place) in object.sections.iter().zip(&mut layout.sections) {
                if section.access == access {
                    *place = cursor.take(section.size, section.align)?;
                }
            }
            match access {
                Access::Execute => layout.stubs = places(&with_stub, Machine::STUB, &mut cursor)?,
                Access::Read => layout.slots = places(&with_slot, SLOT, &mut cursor)?,
                Access::Write => {}
            }
            cursor.align(page)?;
            layout.pages.push((access, start..cursor.0));
        }
        Ok(layout)
    }

    /// Bytes of the block: whole pages.
    pub fn size(&self) -> u64 {
        self.pages.last().map_or(0, |(_, range)| range.end)
    }

    pub fn section(&self, section: usize) -> u64 {
        self.sections[section]
    }

    pub fn slot(&self, symbol: usize) -> Option<u64> {
        self.slots.get(&symbol).copied()
    }

    pub fn stub(&self, symbol: usize) -> Option<u64> {
        self.stubs.get(&symbol).copied()
    }

    /// Symbols with a slot, each with its place.
    pub fn slots(&self) -> impl Iterator<Item = (usize, u64)> {
        self.slots.iter().map(|(s, at)| (*s, *at))
    }

    /// Symbols with a stub: the place of the stub, then of the slot that it jumps by.
    pub fn stubs(&self) -> impl Iterator<Item = (u64, u64)> {
        self.stubs.iter().filter_map(|(s, at)| Some((*at, self.slot(*s)?)))
    }

    /// Where a symbol of the object lies.
    pub fn place(&self, place: Place) -> Option<u64> {
        match place {
            Place::Section(section, offset) => Some(self.section(section) + offset),
            Place::Outside | Place::Nowhere => None,
        }
    }

    /// Where the code of an exported function begins.
    pub fn function(&self, object: &Object<'_>, name: &str) -> Result<u64, LoadError> {
        let found = object.symbols.iter().find(|s| s.name == name && s.is_function);
        let missing = || LoadError::damaged(format!("it has no function `{name}`"));
        match found.map(|s| s.place) {
            Some(Place::Section(section, offset)) => {
                let of = &object.sections[section];
                if of.access != Access::Execute || offset >= of.size {
                    return Err(LoadError::damaged(format!("`{name}` is no code")));
                }
                Ok(self.section(section) + offset)
            }
            _ => Err(missing()),
        }
    }
}
