//! The directory of a zip archive is believed only where the members' own headers say the same.

use super::bytes::{u16_at, u32_at, u64_at};
use super::{CENTRAL, DESCRIPTOR, END, END64, FLAG_DESCRIPTOR, FLAG_EFFORT, FLAG_UTF8, LOCAL, LOCATOR64, SEE_ZIP64};
use crate::{Error, Limits};
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Read;
use std::ops::Range;

const WHOLE: &str = "zip archive";

/// A member whose two headers agree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    pub name: String,
    pub deflated: bool,
    /// Bytes in the archive.
    pub packed: u64,
    /// Bytes once unpacked.
    pub size: u64,
    pub crc: u32,
    /// Offset of the local header.
    pub header: u64,
    /// Offset of the data.
    pub start: u64,
    flags: u16,
    time: u32,
}

/// The members of an archive, without its bytes.
#[derive(Clone, Default, Debug)]
pub struct Directory {
    entries: Vec<Entry>,
    by_name: HashMap<String, usize>,
    limits: Limits,
}

/// An archive in memory (or mapped).
pub struct Archive<'a> {
    bytes: &'a [u8],
    directory: Directory,
}

impl<'a> Archive<'a> {
    /// Reads the central directory and compares it with every local header.
    pub fn open(bytes: &'a [u8], limits: &Limits) -> Result<Archive<'a>, Error> {
        Ok(Archive { bytes, directory: Directory::read(bytes, limits)? })
    }
    /// The members in the order of the directory.
    pub fn entries(&self) -> &[Entry] {
        self.directory.entries()
    }
    pub fn find(&self, name: &str) -> Option<&Entry> {
        self.directory.find(name)
    }
    /// The member unpacked, its sum checked.
    pub fn read(&self, e: &Entry) -> Result<Vec<u8>, Error> {
        let packed = self.bytes.get(self.directory.place(e, self.bytes.len())?).unwrap_or_default();
        Ok(self.directory.unpacked(packed, e)?.into_owned())
    }
}

/// Where the central directory lies and how many records it has.
struct Extent {
    start: u64,
    end: u64,
    count: u64,
}

impl Directory {
    /// Reads the central directory of `bytes` and compares it with every local header.
    pub fn read(bytes: &[u8], limits: &Limits) -> Result<Directory, Error> {
        let extent = find_extent(bytes)?;
        Limits::check(WHOLE, "the number of members", extent.count, limits.entries)?;
        let mut directory = Directory { limits: limits.clone(), ..Directory::default() };
        let (mut at, mut total) = (extent.start, 0u64);
        for _ in 0..extent.count {
            let entry = central_record(bytes, &mut at, extent.end)?;
            check_name(&entry.name, at)?;
            check_size(&entry, limits)?;
            total = total.saturating_add(entry.size);
            Limits::check(&entry.name, "the unpacked size of all members so far", total, limits.total_bytes)?;
            if directory.by_name.insert(entry.name.clone(), directory.entries.len()).is_some() {
                return Err(Error::format(&entry.name, at, "a second member of this name"));
            }
            directory.entries.push(entry);
        }
        if at != extent.end {
            return Err(Error::format(WHOLE, at, "the central directory has more bytes than its members need"));
        }
        directory.check_layout(bytes, extent.start)?;
        Ok(directory)
    }

    /// The members in the order of the directory.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub fn find(&self, name: &str) -> Option<&Entry> {
        self.index_of(name).and_then(|i| self.entries.get(i))
    }

    /// The place of a member in [`Directory::entries`].
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// Compares every local header, and checks that the members fill the archive up to the directory.
    fn check_layout(&mut self, bytes: &[u8], directory_start: u64) -> Result<(), Error> {
        let mut order: Vec<usize> = (0..self.entries.len()).collect();
        order.sort_by_key(|&i| self.entries[i].header);
        let mut expected = 0;
        for (k, &i) in order.iter().enumerate() {
            let next = order.get(k + 1).map_or(directory_start, |&n| self.entries[n].header);
            let entry = &mut self.entries[i];
            let bad = |what: String| Error::format(&entry.name, entry.header, what);
            if entry.header != expected {
                let what = if entry.header < expected { "overlaps the member before it" } else { "does not follow" };
                return Err(bad(format!("the local header {what}: expected at byte {expected}")));
            }
            let start = local_header(bytes, entry)?;
            let end = start.checked_add(entry.packed).filter(|e| *e <= next);
            let end = end.ok_or_else(|| bad(format!("the member's data overlaps what begins at byte {next}")))?;
            descriptor(bytes, entry, end, next)?;
            entry.start = start;
            expected = next;
        }
        if expected != directory_start {
            let what = format!("{directory_start} bytes before the directory belong to no member");
            return Err(Error::format(WHOLE, 0usize, what));
        }
        Ok(())
    }

    /// Where a member's packed bytes lie in an archive of so many.
    ///
    /// # Errors
    /// Outside of it.
    pub fn place(&self, e: &Entry, bytes: usize) -> Result<Range<usize>, Error> {
        let end = e.start.checked_add(e.packed).and_then(|end| usize::try_from(end).ok()).filter(|end| *end <= bytes);
        end.map(|end| e.start as usize..end)
            .ok_or_else(|| Error::format(&e.name, e.start, "the data lies outside the file"))
    }

    /// The member's bytes of those that are packed, borrowed where it is stored; the sum is checked.
    pub fn unpacked<'a>(&self, packed: &'a [u8], e: &Entry) -> Result<Cow<'a, [u8]>, Error> {
        let data = if e.deflated { Cow::Owned(self.inflate(packed, e)?) } else { Cow::Borrowed(packed) };
        if data.len() as u64 != e.size {
            let what = format!("unpacks to {} bytes, expected {}", data.len(), e.size);
            return Err(Error::format(&e.name, e.start, what));
        }
        let found = crc32fast::hash(&data);
        if found != e.crc {
            return Err(Error::Checksum { entry: e.name.clone(), offset: e.start, found, expected: e.crc });
        }
        Ok(data)
    }

    fn inflate(&self, packed: &[u8], e: &Entry) -> Result<Vec<u8>, Error> {
        check_size(e, &self.limits)?;
        let mut out = Vec::new();
        let mut decoder = flate2::bufread::DeflateDecoder::new(packed);
        // One byte more than promised is enough to see that the promise is broken.
        (&mut decoder)
            .take(e.size.saturating_add(1))
            .read_to_end(&mut out)
            .map_err(|err| Error::format(&e.name, e.start, format!("deflated data is damaged: {err}")))?;
        if out.len() as u64 == e.size && decoder.total_in() != e.packed {
            let what = format!("deflated data ends after {} of {} bytes", decoder.total_in(), e.packed);
            return Err(Error::format(&e.name, e.start, what));
        }
        Ok(out)
    }
}

fn slice(bytes: &[u8], start: u64, length: u64) -> Option<&[u8]> {
    bytes.get(usize::try_from(start).ok()?..usize::try_from(start.checked_add(length)?).ok()?)
}

/// Finds the one end record whose comment reaches the end of the file, and its zip64 form.
fn find_extent(bytes: &[u8]) -> Result<Extent, Error> {
    let bad = |at: usize, what: &str| Error::format(WHOLE, at as u64, what);
    let last = bytes.len().checked_sub(22).ok_or_else(|| bad(bytes.len(), "too short for a zip archive"))?;
    let fits = |at: &usize| {
        u32_at(bytes, *at) == Some(END)
            && u16_at(bytes, at + 20).is_some_and(|comment| at + 22 + usize::from(comment) == bytes.len())
    };
    let mut candidates = (last.saturating_sub(65_535)..=last).rev().filter(fits);
    let at = candidates.next().ok_or_else(|| {
        bad(bytes.len(), "no end of central directory record: not a zip archive, cut off, or followed by other data")
    })?;
    if let Some(second) = candidates.next() {
        return Err(bad(second, "a second end of central directory record: which one counts is ambiguous"));
    }
    let cut = || bad(at, "the end of central directory record is cut off");
    let half = |offset: usize| u16_at(bytes, at + offset).map(u64::from).ok_or_else(cut);
    let word = |offset: usize| u32_at(bytes, at + offset).map(u64::from).ok_or_else(cut);
    let (disk, directory_disk, here, count) = (half(4)?, half(6)?, half(8)?, half(10)?);
    if disk != 0 || directory_disk != 0 || here != count {
        return Err(bad(at, "an archive of several parts is not supported"));
    }
    let small = Extent { start: word(16)?, end: word(16)?.saturating_add(word(12)?), count };
    let wide = match at.checked_sub(20).filter(|&l| u32_at(bytes, l) == Some(LOCATOR64)) {
        Some(locator) => Some(wide_extent(bytes, locator)?),
        None => None,
    };
    let (extent, end) = match wide {
        Some((wide, record)) => {
            let agree = |small: u64, ones: u64, wide: u64| small == wide || small == ones;
            let ones = u64::from(SEE_ZIP64);
            if !agree(count, u64::from(u16::MAX), wide.count)
                || !agree(small.start, ones, wide.start)
                || !agree(word(12)?, ones, wide.end.saturating_sub(wide.start))
            {
                return Err(bad(at, "the end record and the zip64 end record disagree"));
            }
            (wide, record)
        }
        None => (small, at as u64),
    };
    if extent.start > extent.end || extent.end != end {
        return Err(bad(at, "the central directory does not end where the end record begins"));
    }
    if extent.count > (extent.end - extent.start) / 46 {
        return Err(bad(at, "the central directory is too small for the number of members"));
    }
    Ok(extent)
}

/// The zip64 end record, which stands right before its locator, and its offset.
fn wide_extent(bytes: &[u8], locator: usize) -> Result<(Extent, u64), Error> {
    let bad = |what: &str| Error::format(WHOLE, locator as u64, what);
    let cut = || bad("the zip64 end record is cut off");
    let offset = u64_at(bytes, locator + 8).ok_or_else(cut)?;
    let at = usize::try_from(offset).map_err(|_| cut())?;
    if u32_at(bytes, at) != Some(END64) || at.checked_add(56) != Some(locator) {
        return Err(bad("the zip64 locator does not point to a zip64 end record right before it"));
    }
    let wide = |o: usize| u64_at(bytes, at + o).ok_or_else(cut);
    let parts = [u32_at(bytes, locator + 4), u32_at(bytes, at + 16), u32_at(bytes, at + 20)];
    // Some writers count the one disk from zero and some the number of disks as zero.
    let disks = u32_at(bytes, locator + 16).ok_or_else(cut)?;
    if parts != [Some(0); 3] || disks > 1 || wide(4)? != 44 || wide(24)? != wide(32)? {
        return Err(bad("the zip64 end record is damaged, or of an archive of several parts"));
    }
    let start = wide(48)?;
    let end = start.checked_add(wide(40)?).ok_or_else(|| bad("the central directory lies outside the file"))?;
    Ok((Extent { start, end, count: wide(32)? }, offset))
}

/// Reads the record at `at`, which must end at or before `end`.
fn central_record(bytes: &[u8], at: &mut u64, end: u64) -> Result<Entry, Error> {
    let here = *at;
    let bad = |what: &str| Error::format("zip central directory", here, what);
    let cut = || bad("a central directory record is cut off");
    let record = slice(bytes, here, end.saturating_sub(here)).ok_or_else(cut)?;
    if u32_at(record, 0) != Some(CENTRAL) {
        return Err(bad("expected a central directory record"));
    }
    let half = |o: usize| u16_at(record, o).ok_or_else(cut);
    let word = |o: usize| u32_at(record, o).ok_or_else(cut);
    let lengths = [usize::from(half(28)?), usize::from(half(30)?), usize::from(half(32)?)];
    let name = record.get(46..46 + lengths[0]).ok_or_else(cut)?;
    let name = std::str::from_utf8(name).map_err(|_| bad("a member's name is not UTF-8"))?.to_string();
    let extra = record.get(46 + lengths[0]..46 + lengths[0] + lengths[1]).ok_or_else(cut)?;
    let length = 46 + lengths.iter().sum::<usize>();
    if length > record.len() {
        return Err(cut());
    }
    let mut wide = wide_fields(extra).map_err(bad)?;
    let mut number = |field: u32| match field {
        SEE_ZIP64 => wide.next().ok_or_else(|| bad("the zip64 field is too short")),
        small => Ok(u64::from(small)),
    };
    let (size, packed, header) = (number(word(24)?)?, number(word(20)?)?, number(word(42)?)?);
    if wide.next().is_some() {
        return Err(bad("the zip64 field has more numbers than the record asks for"));
    }
    let (flags, method) = (half(8)?, half(10)?);
    if half(34)? != 0 {
        return Err(Error::format(&name, here, "the member lies in another part of the archive"));
    }
    if flags & !(FLAG_DESCRIPTOR | FLAG_UTF8 | FLAG_EFFORT) != 0 {
        return Err(Error::unsupported(&name, format!("flags {flags:#06x} (encryption?)"), "a plain member"));
    }
    let deflated = match method {
        0 if packed == size => false,
        0 => return Err(Error::format(&name, here, "a stored member whose two sizes differ")),
        8 => true,
        other => return Err(Error::unsupported(&name, format!("compression method {other}"), "stored or deflated")),
    };
    *at = here + length as u64;
    Ok(Entry { name, deflated, packed, size, crc: word(16)?, header, start: 0, flags, time: word(12)? })
}

/// The numbers of the zip64 field, in order.
fn wide_fields(mut extra: &[u8]) -> Result<impl Iterator<Item = u64>, &'static str> {
    let mut numbers: Option<&[u8]> = None;
    // Padding by writers that align may leave fewer bytes than a field's head.
    while let (Some(id), Some(length)) = (u16_at(extra, 0), u16_at(extra, 2)) {
        let end = 4 + usize::from(length);
        let body = extra.get(4..end).ok_or("an extra field is longer than its record")?;
        if id == 1 && numbers.replace(body).is_some() {
            return Err("two zip64 fields");
        }
        extra = &extra[end..];
    }
    let (chunks, _) = numbers.unwrap_or_default().as_chunks::<8>();
    Ok(chunks.iter().map(|c| u64::from_le_bytes(*c)))
}

/// Names are relative paths that cannot leave a folder.
fn check_name(name: &str, at: u64) -> Result<(), Error> {
    let bad = |what: &str| Err(Error::format(name, at, what));
    if name.is_empty() || name.starts_with('/') || name.contains(':') {
        return bad("the name is no relative path");
    }
    if name.contains('\\') || name.chars().any(char::is_control) {
        return bad("the name has a backslash or a control character");
    }
    if name.strip_suffix('/').unwrap_or(name).split('/').any(|part| matches!(part, "" | "." | "..")) {
        return bad("a part of the name is empty, `.` or `..`");
    }
    Ok(())
}

fn check_size(e: &Entry, limits: &Limits) -> Result<(), Error> {
    Limits::check(&e.name, "the unpacked size", e.size, limits.entry_bytes)?;
    if e.size > Limits::FREE_BYTES {
        let ratio = e.size / e.packed.max(1);
        Limits::check(&e.name, "the ratio of unpacked to packed bytes", ratio, limits.ratio)?;
    }
    if e.name.ends_with('/') && e.size != 0 {
        return Err(Error::format(&e.name, e.header, "a folder with data"));
    }
    Ok(())
}

/// Compares the local header with the directory; returns where the data begins.
fn local_header(bytes: &[u8], e: &Entry) -> Result<u64, Error> {
    let bad = |what: &str| Error::format(&e.name, e.header, what);
    let cut = || bad("the local header lies outside the file");
    let head = slice(bytes, e.header, 30).ok_or_else(cut)?;
    let half = |o: usize| u16_at(head, o).ok_or_else(cut);
    let word = |o: usize| u32_at(head, o).ok_or_else(cut);
    if word(0)? != LOCAL {
        return Err(bad("expected a local header"));
    }
    let disagree = |what: &str| bad(&format!("the local header and the central directory disagree in {what}"));
    let name_length = u64::from(half(26)?);
    if slice(bytes, e.header + 30, name_length) != Some(e.name.as_bytes()) {
        return Err(disagree("the name"));
    }
    if half(6)? != e.flags {
        return Err(disagree("the flags"));
    }
    if half(8)? != if e.deflated { 8 } else { 0 } {
        return Err(disagree("the method"));
    }
    if word(10)? != e.time {
        return Err(disagree("the time"));
    }
    let extra = slice(bytes, e.header + 30 + name_length, u64::from(half(28)?)).ok_or_else(cut)?;
    let wide: Vec<u64> = wide_fields(extra).map_err(bad)?.collect();
    let later = e.flags & FLAG_DESCRIPTOR != 0;
    let crc = word(14)?;
    if crc != e.crc && !(later && crc == 0) {
        return Err(disagree("the sum"));
    }
    for (what, field, expected) in [("the packed size", word(18)?, e.packed), ("the unpacked size", word(22)?, e.size)]
    {
        let same = u64::from(field) == expected && field != SEE_ZIP64;
        let fine = same || (later && field == 0) || (field == SEE_ZIP64 && wide.contains(&expected));
        if !fine {
            return Err(disagree(what));
        }
    }
    if wide.iter().any(|n| *n != e.packed && *n != e.size && *n != e.header && *n != 0) {
        return Err(disagree("the zip64 field"));
    }
    Ok(e.header + 30 + name_length + extra.len() as u64)
}

/// Between the end of the data and the next header stands the data descriptor if the flags say so, and nothing else.
fn descriptor(bytes: &[u8], e: &Entry, end: u64, next: u64) -> Result<(), Error> {
    let between = slice(bytes, end, next - end).unwrap_or_default();
    if e.flags & FLAG_DESCRIPTOR == 0 {
        return match between.is_empty() {
            true => Ok(()),
            false => Err(Error::format(&e.name, end, format!("{} bytes that belong to no member", between.len()))),
        };
    }
    let body =
        between.strip_prefix(&DESCRIPTOR.to_le_bytes()).filter(|b| matches!(b.len(), 12 | 20)).unwrap_or(between);
    let sizes = match body.len() {
        12 => (u32_at(body, 4).map(u64::from), u32_at(body, 8).map(u64::from)),
        20 => (u64_at(body, 4), u64_at(body, 12)),
        _ => (None, None),
    };
    if u32_at(body, 0) != Some(e.crc) || sizes != (Some(e.packed), Some(e.size)) {
        return Err(Error::format(&e.name, end, "the data descriptor and the central directory disagree"));
    }
    Ok(())
}
