//! A file's bytes are mapped privately: nothing is copied, and nothing written to them reaches the file. Bytes of a caller who makes tensors of them are read
//! only where no tensor is.

use crate::Error;
use memmap2::{Mmap, MmapOptions};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// The bytes of an archive, in memory or mapped.
pub(crate) enum Source {
    Mapped(Mmap),
    Owned(Vec<u8>),
    /// The caller's, who knows what to do with places in it.
    Shared(Arc<dyn SharedBytes>),
}

/// Bytes of an archive that somebody else holds, and may make tensors of: a file that is mapped so that they can be written in place.
pub trait SharedBytes: Send + Sync {
    /// How many there are.
    fn size(&self) -> usize;
    /// Shows a part to `look`, which keeps nothing of it. False where it is not inside, or a tensor may be there.
    fn show(&self, range: Range<usize>, look: &mut dyn FnMut(&[u8])) -> bool;
    /// A part of which no tensor is made any more. `None` where it is not inside, or a tensor may be there.
    fn keep(&self, range: Range<usize>) -> Option<&[u8]>;
}

/// Bytes of which nobody makes tensors.
impl SharedBytes for Vec<u8> {
    fn size(&self) -> usize {
        self.len()
    }
    fn show(&self, range: Range<usize>, look: &mut dyn FnMut(&[u8])) -> bool {
        self.get(range).map(look).is_some()
    }
    fn keep(&self, range: Range<usize>) -> Option<&[u8]> {
        self.get(range)
    }
}

impl Source {
    #[allow(unsafe_code, reason = "the one mapping of a file")]
    pub fn open(path: &Path) -> Result<Source, Error> {
        let name = path.display().to_string();
        let file = std::fs::File::open(path).map_err(|e| Error::io(&name, &e))?;
        let metadata = file.metadata().map_err(|e| Error::io(&name, &e))?;
        if !metadata.is_file() {
            return Err(Error::Io { entry: name, what: "not a file".to_string() });
        }
        if metadata.len() == 0 {
            return Ok(Source::Owned(Vec::new()));
        }
        // SAFETY: the mapping is private and lives as long as every slice of it. As with every mapped file, another process that cuts the file short while it
        // is in use ends this one; bytes that another process changes are bytes, which hold no invariant.
        let mapped = unsafe { MmapOptions::new().map_copy_read_only(&file) };
        mapped.map(Source::Mapped).map_err(|e| Error::io(&name, &e))
    }
}

impl Source {
    pub fn size(&self) -> usize {
        match self {
            Source::Mapped(map) => map.len(),
            Source::Owned(bytes) => bytes.len(),
            Source::Shared(bytes) => bytes.size(),
        }
    }

    /// What `look` makes of a part; `None` where [`SharedBytes::show`] does not show it.
    pub fn show<R>(&self, range: Range<usize>, look: impl FnOnce(&[u8]) -> R) -> Option<R> {
        match self {
            Source::Mapped(map) => map.get(range).map(look),
            Source::Owned(bytes) => bytes.get(range).map(look),
            Source::Shared(bytes) => {
                let (mut look, mut seen) = (Some(look), None);
                bytes.show(range, &mut |part| seen = look.take().map(|look| look(part)));
                seen
            }
        }
    }

    /// A part for as long as the source lives; `None` where [`SharedBytes::keep`] does not give it.
    pub fn keep(&self, range: Range<usize>) -> Option<&[u8]> {
        match self {
            Source::Mapped(map) => map.get(range),
            Source::Owned(bytes) => bytes.get(range),
            Source::Shared(bytes) => bytes.keep(range),
        }
    }
}

/// The bytes of a storage, kept alive by themselves: a part of the mapped archive, or bytes of their own where they had to be unpacked.
#[derive(Clone)]
pub struct Record {
    source: Arc<Source>,
    range: Range<usize>,
}

impl Record {
    /// `range` lies inside.
    pub(crate) fn part(source: &Arc<Source>, range: Range<usize>) -> Record {
        Record { source: Arc::clone(source), range }
    }
    pub(crate) fn owned(bytes: Vec<u8>) -> Record {
        let range = 0..bytes.len();
        Record { source: Arc::new(Source::Owned(bytes)), range }
    }
    /// How many there are.
    pub fn size(&self) -> usize {
        self.range.len()
    }
    /// The bytes. Of those that a caller holds ([`crate::PtArchive::from_shared`]) no tensor is made any more.
    ///
    /// # Errors
    /// The caller made a tensor of them, which may have been written since.
    pub fn bytes(&self) -> Result<&[u8], Error> {
        self.source.keep(self.range.clone()).ok_or_else(|| in_use("a tensor's record", self.range.start))
    }
    /// The same, with what keeps them.
    ///
    /// # Errors
    /// As for [`Record::bytes`].
    pub fn kept(self) -> Result<Kept, Error> {
        self.bytes()?;
        Ok(Kept(self))
    }
    /// Where the bytes lie in the archive, if it is the caller's ([`crate::PtArchive::from_shared`]) and they did not have to be unpacked.
    pub fn shared_range(&self) -> Option<Range<usize>> {
        matches!(*self.source, Source::Shared(_)).then(|| self.range.clone())
    }
    /// Whether the bytes are a part of the mapped file, which no one copied.
    pub fn is_mapped(&self) -> bool {
        matches!(*self.source, Source::Mapped(_))
    }
}

/// A record of whose bytes no tensor is made any more.
pub struct Kept(Record);

impl AsRef<[u8]> for Kept {
    fn as_ref(&self) -> &[u8] {
        // What was kept once is kept for good.
        self.0.source.keep(self.0.range.clone()).unwrap_or_default()
    }
}

impl std::fmt::Debug for Record {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "Record({} bytes)", self.range.len())
    }
}

/// Why bytes of a caller's are not read.
pub(crate) fn in_use(entry: &str, at: usize) -> Error {
    Error::format(entry, at, "these bytes are the memory of a tensor by now, and may have been written")
}
