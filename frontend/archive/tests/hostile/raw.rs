//! A zip archive taken apart, so that any of its bytes can be made to lie.

/// A member: its local header with name and extra field, its data, what follows, and its record in the directory.
#[derive(Clone)]
pub struct Member {
    pub local: Vec<u8>,
    pub data: Vec<u8>,
    pub descriptor: Vec<u8>,
    pub central: Vec<u8>,
    /// Where the directory says the member is, if not where it is.
    pub offset: Option<u32>,
}

/// Offsets of fields in a local header; those in the directory's record lie two bytes further, up to the sizes.
pub const FLAGS: usize = 6;
pub const METHOD: usize = 8;
pub const TIME: usize = 10;
pub const CRC: usize = 14;
pub const PACKED: usize = 18;
pub const SIZE: usize = 22;
pub const NAME_LENGTH: usize = 26;
pub const EXTRA_LENGTH: usize = 28;

impl Member {
    pub fn stored(name: &str, data: &[u8]) -> Member {
        Member::new(name.as_bytes(), data.to_vec(), data, 0)
    }

    pub fn deflated(name: &str, data: &[u8]) -> Member {
        Member::new(name.as_bytes(), deflate(data), data, 8)
    }

    pub fn new(name: &[u8], packed: Vec<u8>, data: &[u8], method: u16) -> Member {
        let mut common = Vec::new();
        for half in [20u16, 0x0800, method, 0, 0x21] {
            common.extend(half.to_le_bytes());
        }
        for word in [crc32fast::hash(data), packed.len() as u32, data.len() as u32] {
            common.extend(word.to_le_bytes());
        }
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0; 2]);
        let local = [b"PK\x03\x04", &common[..], name].concat();
        let central = [&b"PK\x01\x02"[..], &[20, 0], &common[..], &[0; 14], name].concat();
        Member { local, data: packed, descriptor: Vec::new(), central, offset: None }
    }

    pub fn set_local(mut self, at: usize, bytes: &[u8]) -> Member {
        self.local[at..at + bytes.len()].copy_from_slice(bytes);
        self
    }
    pub fn set_central(mut self, at: usize, bytes: &[u8]) -> Member {
        self.central[at + 2..at + 2 + bytes.len()].copy_from_slice(bytes);
        self
    }
    pub fn set_both(self, at: usize, bytes: &[u8]) -> Member {
        self.set_local(at, bytes).set_central(at, bytes)
    }
    /// An extra field in the directory's record.
    pub fn central_extra(mut self, field: &[u8]) -> Member {
        self.central.extend(field);
        self.set_central(EXTRA_LENGTH, &(field.len() as u16).to_le_bytes())
    }
}

pub fn deflate(data: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(data).expect("memory");
    encoder.finish().expect("memory")
}

/// An archive.
#[derive(Clone, Default)]
pub struct Raw {
    pub prefix: Vec<u8>,
    pub members: Vec<Member>,
    /// Between the directory and the end record.
    pub before_end: Vec<u8>,
    pub comment: Vec<u8>,
    pub suffix: Vec<u8>,
}

impl Raw {
    /// Where the directory begins.
    pub fn directory_start(&self) -> usize {
        let lengths = self.members.iter().map(|m| m.local.len() + m.data.len() + m.descriptor.len());
        self.prefix.len() + lengths.sum::<usize>()
    }
    pub fn directory_size(&self) -> usize {
        self.members.iter().map(|m| m.central.len()).sum()
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut out = self.prefix.clone();
        let mut directory = Vec::new();
        for m in &self.members {
            let offset = m.offset.unwrap_or(out.len() as u32);
            out.extend([&m.local[..], &m.data, &m.descriptor].concat());
            let from = directory.len();
            directory.extend(&m.central);
            if let Some(field) = directory.get_mut(from + 42..from + 46) {
                field.copy_from_slice(&offset.to_le_bytes());
            }
        }
        let start = out.len() as u32;
        out.extend(&directory);
        out.extend(&self.before_end);
        out.extend(b"PK\x05\x06\0\0\0\0");
        for _ in 0..2 {
            out.extend((self.members.len() as u16).to_le_bytes());
        }
        out.extend((directory.len() as u32).to_le_bytes());
        out.extend(start.to_le_bytes());
        out.extend((self.comment.len() as u16).to_le_bytes());
        out.extend(&self.comment);
        out.extend(&self.suffix);
        out
    }
}
