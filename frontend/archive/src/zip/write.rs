//! The same members give the same bytes: stored or deflated, without times, stored data on a multiple of 64 bytes.

use super::{ALIGNMENT, CENTRAL, END, END64, FLAG_UTF8, LOCAL, LOCATOR64, SEE_ZIP64};
use crate::Error;
use std::io::Write;

/// 1980-01-01 00:00, the first time that zip can say.
const TIME: u32 = 0x0021_0000;

/// Writes members one after the other to `out`; [`Writer::finish`] writes the directory.
pub struct Writer<W: Write> {
    out: W,
    at: u64,
    directory: Vec<u8>,
    count: u64,
}

/// What both headers of a member say.
struct Head<'a> {
    name: &'a str,
    deflated: bool,
    crc: u32,
    packed: u64,
    size: u64,
}

impl Head<'_> {
    fn is_wide(&self) -> bool {
        self.packed >= u64::from(SEE_ZIP64) || self.size >= u64::from(SEE_ZIP64)
    }
    /// The fields from "version needed" to the length of the extra field.
    fn push(&self, out: &mut Vec<u8>, extra: usize) {
        let narrow = |n: u64| if self.is_wide() { SEE_ZIP64 } else { n as u32 };
        for half in [if self.is_wide() { 45u16 } else { 20 }, FLAG_UTF8, if self.deflated { 8 } else { 0 }] {
            out.extend(half.to_le_bytes());
        }
        for word in [TIME, self.crc, narrow(self.packed), narrow(self.size)] {
            out.extend(word.to_le_bytes());
        }
        out.extend((self.name.len() as u16).to_le_bytes());
        out.extend((extra as u16).to_le_bytes());
    }
    fn wide_field(&self, header: Option<u64>) -> Vec<u8> {
        let sizes = if self.is_wide() { &[self.size, self.packed][..] } else { &[] };
        let numbers: Vec<u64> = sizes.iter().copied().chain(header).collect();
        if numbers.is_empty() {
            return Vec::new();
        }
        let mut field = vec![1, 0, (8 * numbers.len()) as u8, 0];
        numbers.iter().for_each(|n| field.extend(n.to_le_bytes()));
        field
    }
}

impl<W: Write> Writer<W> {
    pub fn new(out: W) -> Writer<W> {
        Writer { out, at: 0, directory: Vec::new(), count: 0 }
    }

    /// A member as it is; its data begins on a multiple of 64 bytes.
    pub fn store(&mut self, name: &str, data: &[u8]) -> Result<(), Error> {
        let head = Head {
            name,
            deflated: false,
            crc: crc32fast::hash(data),
            packed: data.len() as u64,
            size: data.len() as u64,
        };
        self.member(&head, data)
    }

    /// A member deflated, or stored if that is not longer.
    pub fn deflate(&mut self, name: &str, data: &[u8]) -> Result<(), Error> {
        let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
        let packed = encoder.write_all(data).and_then(|()| encoder.finish()).map_err(|e| Error::io(name, &e))?;
        if packed.len() >= data.len() {
            return self.store(name, data);
        }
        let head = Head {
            name,
            deflated: true,
            crc: crc32fast::hash(data),
            packed: packed.len() as u64,
            size: data.len() as u64,
        };
        self.member(&head, &packed)
    }

    fn member(&mut self, head: &Head, data: &[u8]) -> Result<(), Error> {
        let name = head.name;
        crate::Limits::check(name, "the length of the name", name.len() as u64, u64::from(u16::MAX))?;
        let mut extra = head.wide_field(None);
        if !head.deflated {
            // A field pads the local header; it needs four bytes for its own head.
            let bare = self.at + 30 + name.len() as u64 + extra.len() as u64 + 4;
            let padding = (ALIGNMENT - bare % ALIGNMENT) % ALIGNMENT;
            extra.extend(*b"FB");
            extra.extend((padding as u16).to_le_bytes());
            extra.resize(extra.len() + padding as usize, 0);
        }
        let header = self.at;
        let mut local = LOCAL.to_le_bytes().to_vec();
        head.push(&mut local, extra.len());
        local.extend(name.as_bytes());
        local.extend(extra);
        self.put(name, &local)?;
        self.put(name, data)?;

        let far = header >= u64::from(SEE_ZIP64);
        let field = head.wide_field(far.then_some(header));
        self.directory.extend(CENTRAL.to_le_bytes());
        self.directory.extend(20u16.to_le_bytes());
        head.push(&mut self.directory, field.len());
        self.directory.extend([0; 10]); // comment length, disk, internal and external attributes
        self.directory.extend(if far { SEE_ZIP64 } else { header as u32 }.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.directory.extend(field);
        self.count += 1;
        Ok(())
    }

    fn put(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        self.at += bytes.len() as u64;
        self.out.write_all(bytes).map_err(|e| Error::io(name, &e))
    }

    /// Writes the directory and returns what was written to.
    pub fn finish(mut self) -> Result<W, Error> {
        let start = self.at;
        let directory = std::mem::take(&mut self.directory);
        let size = directory.len() as u64;
        self.put("zip central directory", &directory)?;
        let mut end = Vec::new();
        let (many, ones) = (u64::from(u16::MAX), u64::from(SEE_ZIP64));
        if self.count >= many || start >= ones || size >= ones {
            let at = self.at;
            end.extend(END64.to_le_bytes());
            end.extend(44u64.to_le_bytes());
            end.extend([45, 0, 45, 0]);
            end.extend([0; 8]);
            for number in [self.count, self.count, size, start] {
                end.extend(number.to_le_bytes());
            }
            end.extend(LOCATOR64.to_le_bytes());
            end.extend([0; 4]);
            end.extend(at.to_le_bytes());
            end.extend(1u32.to_le_bytes());
        }
        end.extend(END.to_le_bytes());
        end.extend([0; 4]);
        for _ in 0..2 {
            end.extend((self.count.min(many) as u16).to_le_bytes());
        }
        end.extend((size.min(ones) as u32).to_le_bytes());
        end.extend((start.min(ones) as u32).to_le_bytes());
        end.extend([0; 2]);
        self.put("zip end record", &end)?;
        self.out.flush().map_err(|e| Error::io("zip archive", &e))?;
        Ok(self.out)
    }
}

/// An archive of stored members, each starting on a multiple of 64 bytes, without times: the same members give the same bytes.
pub fn write(members: &[(String, Vec<u8>)]) -> Result<Vec<u8>, Error> {
    let mut writer = Writer::new(Vec::new());
    for (name, data) in members {
        writer.store(name, data)?;
    }
    writer.finish()
}
