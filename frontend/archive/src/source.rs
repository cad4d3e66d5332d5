//! A file's bytes are mapped privately: nothing is copied, and nothing written to them reaches the file.

use crate::Error;
use memmap2::{Mmap, MmapOptions};
use std::ops::{Deref, Range};
use std::path::Path;
use std::sync::Arc;

/// The bytes of an archive, in memory or mapped.
pub(crate) enum Source {
    Mapped(Mmap),
    Owned(Vec<u8>),
    /// The caller's, who knows what to do with places in it.
    Shared(SharedBytes),
}

/// Bytes of an archive that somebody else holds: a file that is mapped so that tensors can be written in place.
pub type SharedBytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

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

impl Deref for Source {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            Source::Mapped(map) => map,
            Source::Owned(bytes) => bytes,
            Source::Shared(bytes) => (**bytes).as_ref(),
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
    /// Where the bytes lie in the archive, if it is the caller's ([`crate::PtArchive::from_shared`]) and they did not have to be unpacked.
    pub fn shared_range(&self) -> Option<Range<usize>> {
        matches!(*self.source, Source::Shared(_)).then(|| self.range.clone())
    }
    /// Whether the bytes are a part of the mapped file, which no one copied.
    pub fn is_mapped(&self) -> bool {
        matches!(*self.source, Source::Mapped(_))
    }
}

impl Deref for Record {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        self.source.get(self.range.clone()).unwrap_or_default()
    }
}

impl AsRef<[u8]> for Record {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl std::fmt::Debug for Record {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "Record({} bytes)", self.range.len())
    }
}
