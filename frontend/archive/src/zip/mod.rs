//! Zip archives in which every byte is accounted for: both headers of a member agree, members follow each other without gap or overlap, and sums are checked.
//!
//! What a zip archive says twice must be said equally, and what lies between the members, before the first or behind the directory is refused. So the
//! bytes that can change without an error are those that say nothing about what is loaded: attributes, version numbers and padding.

mod bytes;
mod read;
mod write;

pub use read::{Archive, Directory, Entry};
pub use write::{Writer, write};

const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const DESCRIPTOR: u32 = 0x0807_4b50;
const END: u32 = 0x0605_4b50;
const END64: u32 = 0x0606_4b50;
const LOCATOR64: u32 = 0x0706_4b50;
/// PyTorch's alignment of stored data.
const ALIGNMENT: u64 = 64;
/// A 32-bit field with this value has its number in the zip64 field.
const SEE_ZIP64: u32 = u32::MAX;
/// General purpose flags: sizes follow the data, and names are UTF-8.
const FLAG_DESCRIPTOR: u16 = 8;
const FLAG_UTF8: u16 = 0x0800;
/// How hard a deflater tried.
const FLAG_EFFORT: u16 = 6;

/// Do the bytes begin as zip files do?
pub fn is_one(bytes: &[u8]) -> bool {
    bytes.starts_with(&LOCAL.to_le_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    #[test]
    fn what_is_written_reads_back_aligned() {
        let members = vec![("a.npy".to_string(), vec![1, 2, 3]), ("dir/b".to_string(), vec![])];
        let bytes = write(&members).unwrap();
        let archive = Archive::open(&bytes, &Limits::default()).unwrap();
        assert_eq!(archive.entries().len(), 2);
        for (e, (name, data)) in archive.entries().iter().zip(&members) {
            assert_eq!(&e.name, name);
            assert_eq!(&archive.read(e).unwrap(), data);
            assert_eq!(e.start % 64, 0);
        }
    }

    #[test]
    fn more_members_than_16_bits_count() {
        let mut writer = Writer::new(Vec::new());
        for i in 0..70_000u32 {
            writer.store(&format!("a/{i}"), &i.to_le_bytes()).unwrap();
        }
        let bytes = writer.finish().unwrap();
        let archive = Archive::open(&bytes, &Limits::default()).unwrap();
        assert_eq!(archive.entries().len(), 70_000);
        let last = archive.find("a/69999").unwrap();
        assert_eq!(archive.read(last).unwrap(), 69_999u32.to_le_bytes());
    }

    #[test]
    fn every_cut_and_every_changed_byte_is_an_error_or_harmless() {
        let bytes = write(&[("a".to_string(), vec![7; 40])]).unwrap();
        for n in 0..bytes.len() {
            assert!(Archive::open(&bytes[..n], &Limits::default()).is_err());
            let mut changed = bytes.clone();
            changed[n] ^= 0x5a;
            if let Ok(a) = Archive::open(&changed, &Limits::default()) {
                for e in a.entries() {
                    assert_eq!(e.name, "a");
                    assert!(a.read(e).is_err() || a.read(e).unwrap() == [7; 40]);
                }
            }
        }
    }
}
