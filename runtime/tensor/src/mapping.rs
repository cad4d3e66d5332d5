//! A file in memory, read or mapped: storages are parts of it without a copy, what a program writes to them stays in this process, and nobody who reads the
//! file sees it: a part is either read or a storage.

use crate::ranges::Ranges;
use crate::storage::HUGE_PAGE;
use crate::{Memory, Storage};
use memmap2::{MmapOptions, MmapRaw};
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;
use std::ptr::NonNull;
use std::sync::{Arc, PoisonError, RwLock};

/// A file that was read, or is mapped privately: then a page is read when it is first touched, and copied when it is first written.
pub struct Mapping {
    /// `None` for an empty file, which cannot be mapped.
    map: Option<MmapRaw>,
    /// The file's bytes in it.
    file: Range<usize>,
    uses: RwLock<Uses>,
}

/// What became of a file's parts. No byte is of both kinds.
#[derive(Default)]
struct Uses {
    /// Somebody reads them for as long as the mapping lives.
    kept: Ranges,
    /// They are storages.
    given: Ranges,
}

/// Files from this length on are read by two threads: clearing and filling fresh pages keeps one core busy for longer than a thread takes to start.
const SHARED_READ: usize = 4 << 20;

/// A file, and how long it is.
fn opened(path: &Path) -> io::Result<(File, u64)> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file"));
    }
    Ok((file, metadata.len()))
}

/// Fills the bytes from a file that has as many.
fn read_whole(file: &File, bytes: &mut [u8]) -> io::Result<()> {
    #[cfg(unix)]
    if bytes.len() >= SHARED_READ
        && let Some(read) = read_by_two(file, bytes)
    {
        return read;
    }
    let mut file = file;
    file.read_exact(bytes)
}

/// The same by this thread and another; `None` where there is no other to be had.
#[cfg(unix)]
fn read_by_two(file: &File, bytes: &mut [u8]) -> Option<io::Result<()>> {
    use std::os::unix::fs::FileExt;
    let (first, second) = bytes.split_at_mut((bytes.len() / 2).next_multiple_of(HUGE_PAGE));
    std::thread::scope(|scope| {
        let start = first.len() as u64;
        let rest = std::thread::Builder::new().spawn_scoped(scope, move || file.read_exact_at(second, start)).ok()?;
        let begun = file.read_exact_at(first, 0);
        let rest = rest.join().unwrap_or_else(|_| Err(io::Error::other("a thread that read the file panicked")));
        Some(begun.and(rest))
    })
}

impl Mapping {
    /// Reads a file. What happens to it afterwards changes nothing here.
    pub fn read(path: &Path) -> io::Result<Arc<Mapping>> {
        let (file, length) = opened(path)?;
        let bytes = usize::try_from(length).ok().filter(|bytes| Memory::has_room(*bytes));
        let bytes = bytes.ok_or_else(|| {
            io::Error::new(
                io::ErrorKind::OutOfMemory,
                format!("its {length} bytes do not fit into memory; it may be mapped"),
            )
        })?;
        if bytes == 0 {
            return Ok(Mapping::of(None, 0..0));
        }
        // Only memory that begins where such a page may is made of them.
        let slack = if bytes < HUGE_PAGE { 0 } else { HUGE_PAGE };
        let mut map = MmapOptions::new().len(bytes.saturating_add(slack)).map_anon()?;
        let start = map.as_ptr().align_offset(HUGE_PAGE).min(slack);
        // A fresh page costs a fault and its clearing, which together take longer than the reading: 512 pages at once cost one. It is advice, so who cannot
        // follow it is not in error.
        #[cfg(all(target_os = "linux", not(miri)))]
        let _ = map.advise(memmap2::Advice::HugePage);
        let within = start..start + bytes;
        read_whole(&file, &mut map[within.clone()])?;
        Ok(Mapping::of(Some(map.into()), within))
    }

    /// Maps a file. Who cuts it short while it is in use ends this process (`SIGBUS`).
    pub fn open(path: &Path) -> io::Result<Arc<Mapping>> {
        let (file, length) = opened(path)?;
        if length == 0 {
            return Ok(Mapping::of(None, 0..0));
        }
        // SAFETY: the mapping is private, so nothing written to it is seen elsewhere. As with every mapped file, a process that cuts the file short while it
        // is in use ends this one; bytes that another process changes are bytes, which hold no invariant.
        let map = unsafe { MmapOptions::new().map_copy(&file) }?;
        let file = 0..map.len();
        Ok(Mapping::of(Some(map.into()), file))
    }

    fn of(map: Option<MmapRaw>, file: Range<usize>) -> Arc<Mapping> {
        Arc::new(Mapping { map, file, uses: RwLock::default() })
    }

    /// Bytes of the file.
    pub fn bytes(&self) -> usize {
        self.file.len()
    }

    /// Shows a part of the file to `look`; `None` where it is not inside the file, or is in a storage. No storage is made of the file meanwhile.
    pub fn show<R>(&self, range: Range<usize>, look: impl FnOnce(&[u8]) -> R) -> Option<R> {
        let uses = self.uses.read().unwrap_or_else(PoisonError::into_inner);
        if uses.given.meets(&range) {
            return None;
        }
        // SAFETY: no storage has a byte of it, and none is made while the lock is held.
        unsafe { self.slice(range) }.map(look)
    }

    /// A part of the file, of which no storage is made any more; `None` where it is not inside the file, or is in a storage.
    pub fn keep(&self, range: Range<usize>) -> Option<&[u8]> {
        let kept = |uses: &Uses| !uses.given.meets(&range) && uses.kept.holds(&range);
        if !kept(&self.uses.read().unwrap_or_else(PoisonError::into_inner)) {
            let mut uses = self.uses.write().unwrap_or_else(PoisonError::into_inner);
            if uses.given.meets(&range) || range.start > range.end || range.end > self.file.len() {
                return None;
            }
            uses.kept.insert(range.clone());
        }
        // SAFETY: no storage has a byte of it, and none will, since it is kept.
        unsafe { self.slice(range) }
    }

    /// # Safety
    /// Nobody writes to the part while the slice lives.
    unsafe fn slice(&self, range: Range<usize>) -> Option<&[u8]> {
        if range.start > range.end || range.end > self.file.len() {
            return None;
        }
        let Some(map) = &self.map else { return Some(&[]) };
        // SAFETY: mapped and readable for as long as `self` lives, and the part lies inside; nobody writes to it, by the caller's promise.
        Some(unsafe { std::slice::from_raw_parts(map.as_ptr().add(self.file.start).add(range.start), range.len()) })
    }

    /// A storage that is this part of the file; `None` when the part is not inside the file, not aligned for elements of `alignment` bytes, kept by a reader, or
    /// in another storage.
    pub fn storage(self: &Arc<Self>, range: Range<usize>, alignment: usize) -> Option<Storage> {
        let map = self.map.as_ref()?;
        let bytes = range.end.checked_sub(range.start)?;
        let data = map.as_mut_ptr().wrapping_add(self.file.start).wrapping_add(range.start);
        if range.end > self.file.len() || alignment == 0 || !data.addr().is_multiple_of(alignment) {
            return None;
        }
        let data = NonNull::new(data)?;
        let mut uses = self.uses.write().unwrap_or_else(PoisonError::into_inner);
        if uses.kept.meets(&range) || uses.given.meets(&range) {
            return None;
        }
        uses.given.insert(range);
        drop(uses);
        // SAFETY: the range lies inside the mapping, which is readable and writable and lives as long as its owner, a handle on it.
        Some(unsafe { Storage::borrowed(data, bytes, Box::new(self.clone())) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DType, Tensor, TensorMetadata};

    #[test]
    fn a_file_that_was_read_may_be_cut() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), vec![7u8; 100_000]).unwrap();
        let mapping = Mapping::read(file.path()).unwrap();
        std::fs::write(file.path(), b"").unwrap();
        assert!(mapping.keep(0..100_000).unwrap().iter().all(|b| *b == 7) && mapping.bytes() == 100_000);
    }

    #[test]
    fn a_part_is_read_or_written_and_never_both() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), [[1u8; 64], [2; 64], [3; 64]].concat()).unwrap();
        let mapping = Mapping::read(file.path()).unwrap();
        let head = mapping.keep(0..64).unwrap();
        assert!(mapping.storage(32..96, 1).is_none() && mapping.storage(0..64, 1).is_none());
        let storage = mapping.storage(64..128, 4).unwrap();
        assert!(mapping.storage(64..128, 4).is_none() && mapping.storage(120..192, 4).is_none());
        assert!(mapping.keep(127..192).is_none() && mapping.show(0..192, <[u8]>::len).is_none());
        let (rest, bytes) = (mapping.keep(128..192).unwrap(), storage.bytes());
        let metadata = TensorMetadata {
            storage,
            dtype: DType::U8,
            sizes: [bytes as i64].into_iter().collect(),
            strides: [1].into_iter().collect(),
            offset: 0,
            quantizer: None,
        };
        Tensor::new(metadata).unwrap().fill(9u8);
        assert_eq!((head, rest), (&[1; 64][..], &[3; 64][..]));
        assert_eq!(mapping.show(0..64, |shown| shown == head), Some(true));
        assert!(mapping.keep(190..193).is_none() && mapping.show(193..193, <[u8]>::len).is_none());
        assert_eq!(mapping.keep(64..64), Some(&[][..]));
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri maps no files")]
    fn large_files_are_read_whole() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for length in [HUGE_PAGE - 1, HUGE_PAGE, SHARED_READ - 1, SHARED_READ, SHARED_READ + 1, 3 * SHARED_READ + 5] {
            let bytes: Vec<u8> = (0..length as u64).map(|i| (i.wrapping_mul(0x9e37_79b9) >> 13) as u8).collect();
            std::fs::write(file.path(), &bytes).unwrap();
            let mapping = Mapping::read(file.path()).unwrap();
            assert!(mapping.show(0..length, |all| all == bytes) == Some(true), "{length}");
            let end = mapping.storage(length - 1..length, 1).unwrap();
            assert_eq!(end.bytes(), 1);
            assert!(mapping.storage(length..length + 1, 1).is_none());
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri maps no files")]
    fn writes_stay_in_the_process() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let numbers: Vec<u8> = (0..64i32).flat_map(i32::to_ne_bytes).collect();
        std::fs::write(file.path(), &numbers).unwrap();
        let mapping = Mapping::open(file.path()).unwrap();
        assert!(mapping.storage(2..10, 4).is_none() && mapping.storage(0..257, 4).is_none());
        let storage = mapping.storage(16..32, 4).unwrap();
        drop(mapping);
        let metadata = TensorMetadata {
            storage,
            dtype: DType::I32,
            sizes: [4].into_iter().collect(),
            strides: [1].into_iter().collect(),
            offset: 0,
            quantizer: None,
        };
        let t = Tensor::new(metadata).unwrap();
        assert_eq!(t.to_vec::<i32>(), [4, 5, 6, 7]);
        t.fill(9i32);
        assert_eq!(t.to_vec::<i32>(), [9; 4]);
        assert_eq!(std::fs::read(file.path()).unwrap(), numbers);
    }
}
