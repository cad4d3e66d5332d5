//! Zip archives whose central directory and local headers agree, with stored and deflated members and checked sums; and their writing, 64-byte aligned.

use crate::{Error, Limits};
use std::io::Read;

const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
const END64: u32 = 0x0606_4b50;
const LOCATOR64: u32 = 0x0706_4b50;
/// PyTorch's alignment of stored data.
const ALIGNMENT: usize = 64;

/// A member as the central directory describes it.
#[derive(Clone, Debug)]
pub struct Entry {
    pub name: String,
    pub deflated: bool,
    pub packed: u64,
    pub size: u64,
    pub crc: u32,
    /// Offset of the local header.
    header: u64,
}

/// An archive in memory (or mapped).
pub struct Archive<'a> {
    bytes: &'a [u8],
    pub entries: Vec<Entry>,
    limits: Limits,
}

fn u16_at(b: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(b.get(at..at.checked_add(2)?)?.try_into().ok()?))
}
fn u32_at(b: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(b.get(at..at.checked_add(4)?)?.try_into().ok()?))
}
fn u64_at(b: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(b.get(at..at.checked_add(8)?)?.try_into().ok()?))
}

impl<'a> Archive<'a> {
    /// Reads the central directory.
    pub fn open(bytes: &'a [u8], limits: &Limits) -> Result<Archive<'a>, Error> {
        let entry = "zip archive";
        let bad = |at: usize, what: &str| Error::format(entry, at, what);
        // The end record is the last one; a comment of at most 65,535 bytes may follow it.
        let from = bytes.len().saturating_sub(22 + 65_535);
        let end = (from..=bytes.len().saturating_sub(22))
            .rev()
            .find(|&at| u32_at(bytes, at) == Some(END))
            .ok_or_else(|| bad(bytes.len(), "no end of central directory record: not a zip archive, or cut off"))?;
        let cut = || bad(end, "the end of central directory record is cut off");
        let mut count = u64::from(u16_at(bytes, end + 10).ok_or_else(cut)?);
        let mut size = u64::from(u32_at(bytes, end + 12).ok_or_else(cut)?);
        let mut start = u64::from(u32_at(bytes, end + 16).ok_or_else(cut)?);
        if let Some(locator) = end.checked_sub(20).filter(|&at| u32_at(bytes, at) == Some(LOCATOR64)) {
            let at = u64_at(bytes, locator + 8).and_then(|v| usize::try_from(v).ok()).ok_or_else(cut)?;
            if u32_at(bytes, at) != Some(END64) {
                return Err(bad(locator, "the zip64 locator does not point to a zip64 end record"));
            }
            count = u64_at(bytes, at + 32).ok_or_else(cut)?;
            size = u64_at(bytes, at + 40).ok_or_else(cut)?;
            start = u64_at(bytes, at + 48).ok_or_else(cut)?;
        }
        Limits::check(entry, "the number of members", count, limits.entries)?;
        if start.checked_add(size).is_none_or(|e| e > end as u64) || count > size / 46 {
            return Err(bad(end, "the central directory lies outside the file"));
        }
        let mut entries = Vec::with_capacity(count as usize);
        let mut total = 0u64;
        let mut at = start as usize;
        for _ in 0..count {
            let e = Self::central(bytes, &mut at)?;
            Limits::check(&e.name, "the unpacked size", e.size, limits.entry_bytes)?;
            total = total.saturating_add(e.size);
            Limits::check(&e.name, "the unpacked size of all members so far", total, limits.total_bytes)?;
            entries.push(e);
        }
        Ok(Archive { bytes, entries, limits: limits.clone() })
    }

    fn central(bytes: &[u8], at: &mut usize) -> Result<Entry, Error> {
        let here = *at;
        let bad = |what: &str| Error::format("zip central directory", here, what);
        let cut = || bad("a central directory record is cut off");
        if u32_at(bytes, here) != Some(CENTRAL) {
            return Err(bad("expected a central directory record"));
        }
        let flags = u16_at(bytes, here + 8).ok_or_else(cut)?;
        let method = u16_at(bytes, here + 10).ok_or_else(cut)?;
        let crc = u32_at(bytes, here + 16).ok_or_else(cut)?;
        let mut packed = u64::from(u32_at(bytes, here + 20).ok_or_else(cut)?);
        let mut size = u64::from(u32_at(bytes, here + 24).ok_or_else(cut)?);
        let name_length = usize::from(u16_at(bytes, here + 28).ok_or_else(cut)?);
        let extra_length = usize::from(u16_at(bytes, here + 30).ok_or_else(cut)?);
        let comment_length = usize::from(u16_at(bytes, here + 32).ok_or_else(cut)?);
        let mut header = u64::from(u32_at(bytes, here + 42).ok_or_else(cut)?);
        let name = bytes.get(here + 46..here + 46 + name_length).ok_or_else(cut)?;
        let name = std::str::from_utf8(name).map_err(|_| bad("a member's name is not UTF-8"))?.to_string();
        let extra = bytes.get(here + 46 + name_length..here + 46 + name_length + extra_length).ok_or_else(cut)?;
        // Zip64: fields that did not fit follow in this order, each only if its 32-bit field is all ones.
        let mut rest = extra;
        while rest.len() >= 4 {
            let id = u16_at(rest, 0).ok_or_else(cut)?;
            let length = usize::from(u16_at(rest, 2).ok_or_else(cut)?);
            let body = rest.get(4..4 + length).ok_or_else(|| bad("an extra field is longer than its record"))?;
            if id == 1 {
                let mut p = 0;
                for field in [&mut size, &mut packed, &mut header] {
                    if *field == 0xffff_ffff {
                        *field = u64_at(body, p).ok_or_else(|| bad("the zip64 field is too short"))?;
                        p += 8;
                    }
                }
            }
            rest = &rest[4 + length..];
        }
        if flags & 1 != 0 {
            return Err(Error::Unsupported { entry: name, what: "encryption".into(), expected: "a plain member" });
        }
        let deflated = match method {
            0 if packed == size => false,
            0 => return Err(Error::format(&name, here, "a stored member whose two sizes differ")),
            8 => true,
            other => {
                return Err(Error::Unsupported {
                    entry: name,
                    what: format!("compression method {other}"),
                    expected: "stored or deflated",
                });
            }
        };
        *at = here + 46 + name_length + extra_length + comment_length;
        Ok(Entry { name, deflated, packed, size, crc, header })
    }

    pub fn find(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|e| e.name == name)
    }

    /// Where the member's packed bytes lie; the local header must agree with the directory.
    pub fn data(&self, e: &Entry) -> Result<&'a [u8], Error> {
        let bad = |what: &str| Error::format(&e.name, e.header as usize, what);
        let cut = || bad("the local header lies outside the file");
        let at = usize::try_from(e.header).map_err(|_| cut())?;
        if u32_at(self.bytes, at) != Some(LOCAL) {
            return Err(bad("expected a local header"));
        }
        let method = u16_at(self.bytes, at + 8).ok_or_else(cut)?;
        let name_length = usize::from(u16_at(self.bytes, at + 26).ok_or_else(cut)?);
        let extra_length = usize::from(u16_at(self.bytes, at + 28).ok_or_else(cut)?);
        if self.bytes.get(at + 30..at + 30 + name_length) != Some(e.name.as_bytes()) || (method == 8) != e.deflated {
            return Err(bad("the local header and the central directory disagree"));
        }
        let start = at + 30 + name_length + extra_length;
        let end = usize::try_from(e.packed).ok().and_then(|p| start.checked_add(p)).ok_or_else(cut)?;
        self.bytes.get(start..end).ok_or_else(|| bad("the member's data lies outside the file"))
    }

    /// The member unpacked, its sum checked.
    pub fn read(&self, e: &Entry) -> Result<Vec<u8>, Error> {
        let data = self.data(e)?;
        let bad = |what: String| Error::format(&e.name, e.header as usize, what);
        let out = if e.deflated {
            Limits::check(&e.name, "the unpacked size", e.size, self.limits.entry_bytes)?;
            let mut out = Vec::new();
            // One byte more than promised is enough to see that the promise is broken.
            flate2::read::DeflateDecoder::new(data)
                .take(e.size + 1)
                .read_to_end(&mut out)
                .map_err(|err| bad(format!("deflated data is damaged: {err}")))?;
            out
        } else {
            data.to_vec()
        };
        if out.len() as u64 != e.size {
            return Err(bad(format!("unpacks to {} bytes, expected {}", out.len(), e.size)));
        }
        let crc = crc32fast::hash(&out);
        if crc != e.crc {
            return Err(bad(format!("the sum is {crc:08x}, expected {:08x}", e.crc)));
        }
        Ok(out)
    }
}

/// An archive of stored members, each starting on a multiple of 64 bytes, without times: the same members give the same bytes.
///
/// Archives and members of 4 GiB and more are refused.
pub fn write(members: &[(String, Vec<u8>)]) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    let mut directory = Vec::new();
    let limit = u64::from(u32::MAX);
    for (name, data) in members {
        Limits::check(name, "the size of the archive", (out.len() + data.len()) as u64, limit)?;
        Limits::check(name, "the length of the name", name.len() as u64, u64::from(u16::MAX))?;
        let header = out.len() as u32;
        // An extra field pads the local header; it needs four bytes for its own head.
        let bare = out.len() + 30 + name.len();
        let padding = (ALIGNMENT - (bare + 4) % ALIGNMENT) % ALIGNMENT + 4;
        let (crc, size) = (crc32fast::hash(data), data.len() as u32);
        let common = |b: &mut Vec<u8>, extra: u16| {
            // version 2.0, UTF-8 names, stored, 1980-01-01 00:00
            for v in [20u16, 0x0800, 0, 0, 0x21] {
                b.extend(v.to_le_bytes());
            }
            for v in [crc, size, size] {
                b.extend(v.to_le_bytes());
            }
            b.extend((name.len() as u16).to_le_bytes());
            b.extend(extra.to_le_bytes());
        };
        out.extend(LOCAL.to_le_bytes());
        common(&mut out, padding as u16);
        out.extend(name.as_bytes());
        out.extend(*b"FB");
        out.extend((padding as u16 - 4).to_le_bytes());
        out.resize(out.len() + padding - 4, 0);
        out.extend(data);
        directory.extend(CENTRAL.to_le_bytes());
        directory.extend(20u16.to_le_bytes());
        common(&mut directory, 0);
        directory.extend([0; 10]); // comment length, disk, internal and external attributes
        directory.extend(header.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    Limits::check("zip archive", "the number of members", members.len() as u64, u64::from(u16::MAX) - 1)?;
    let start = out.len() as u32;
    out.extend(&directory);
    out.extend(END.to_le_bytes());
    out.extend([0; 4]);
    for _ in 0..2 {
        out.extend((members.len() as u16).to_le_bytes());
    }
    out.extend((directory.len() as u32).to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0; 2]);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back_aligned() {
        let members = vec![("a.npy".to_string(), vec![1, 2, 3]), ("dir/b".to_string(), vec![])];
        let bytes = write(&members).unwrap();
        let archive = Archive::open(&bytes, &Limits::default()).unwrap();
        assert_eq!(archive.entries.len(), 2);
        for (e, (name, data)) in archive.entries.iter().zip(&members) {
            assert_eq!(&e.name, name);
            assert_eq!(&archive.read(e).unwrap(), data);
            let at = archive.data(e).unwrap().as_ptr() as usize - bytes.as_ptr() as usize;
            assert_eq!(at % 64, 0);
        }
    }

    #[test]
    fn every_cut_and_every_changed_byte_is_an_error_or_harmless() {
        let bytes = write(&[("a".to_string(), vec![7; 40])]).unwrap();
        for n in 0..bytes.len() {
            assert!(Archive::open(&bytes[..n], &Limits::default()).is_err());
            let mut changed = bytes.clone();
            changed[n] ^= 0x5a;
            if let Ok(a) = Archive::open(&changed, &Limits::default()) {
                for e in &a.entries {
                    let _ = a.read(e);
                }
            }
        }
    }
}
