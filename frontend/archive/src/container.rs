//! The members of an archive below its one folder: each is checked when it is first read, and stored ones are not copied.

use crate::pickle::Pickle;
use crate::source::{SharedBytes, Source, in_use};
use crate::zip::{Directory, Entry};
use crate::{Error, Limits, Record};
use std::borrow::Cow;
use std::fmt::Write;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A zip archive whose members lie in one folder, as PyTorch's do, whatever they mean. [`crate::PtArchive`] knows what they mean.
///
/// ```no_run
/// use sconce_archive::{Container, Limits, pickle};
/// let container = Container::open("model.pt", &Limits::default())?;
/// print!("{}", container.list());
/// print!("{}", pickle::disassemble(&container.read("data.pkl")?));
/// println!("{}", container.pickle("data.pkl", &Limits::default())?);
/// # Ok::<(), sconce_archive::Error>(())
/// ```
pub struct Container {
    source: Arc<Source>,
    directory: Directory,
    /// Members whose checksum was found right.
    verified: Vec<AtomicBool>,
    root: String,
}

impl Container {
    /// Maps and opens a file.
    pub fn open(path: impl AsRef<Path>, limits: &Limits) -> Result<Container, Error> {
        let path = path.as_ref();
        Container::from_source(&path.display().to_string(), Source::open(path)?, limits)
    }

    /// Opens an archive that is in memory.
    pub fn from_bytes(bytes: Vec<u8>, limits: &Limits) -> Result<Container, Error> {
        Container::from_source("archive", Source::Owned(bytes), limits)
    }

    /// Opens an archive whose bytes the caller holds; [`Record::shared_range`] says where in them a member lies.
    ///
    /// # Errors
    /// What is no zip archive, or not one whose every byte is accounted for.
    pub fn from_shared(name: &str, bytes: Arc<dyn SharedBytes>, limits: &Limits) -> Result<Container, Error> {
        Container::from_source(name, Source::Shared(bytes), limits)
    }

    pub(crate) fn from_source(file: &str, source: Source, limits: &Limits) -> Result<Container, Error> {
        let directory = |bytes: &[u8]| match foreign_file(bytes) {
            Some(what) => Err(Error::Foreign { file: file.to_string(), what: what.to_string() }),
            None => Directory::read(bytes, limits),
        };
        let directory = source.show(0..source.size(), directory).ok_or_else(|| in_use(file, 0))??;
        Ok(Container {
            verified: directory.entries().iter().map(|_| AtomicBool::new(false)).collect(),
            root: root_of(&directory)?,
            directory,
            source: Arc::new(source),
        })
    }

    /// The folder that all members lie in.
    pub fn name(&self) -> &str {
        &self.root
    }

    /// All members, in the order of the archive.
    pub fn members(&self) -> &[Entry] {
        self.directory.entries()
    }
    /// The members' names below the root.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.members()
            .iter()
            .filter_map(|e| e.name.get(self.root.len() + 1..))
            .filter(|n| !n.is_empty() && !n.ends_with('/'))
    }
    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }
    pub(crate) fn find(&self, name: &str) -> Option<&Entry> {
        self.directory.find(&format!("{}/{name}", self.root))
    }
    pub(crate) fn entry(&self, name: &str) -> Result<&Entry, Error> {
        self.find(name).ok_or_else(|| Error::Missing { entry: name.to_string() })
    }

    /// A member's bytes by its name below the root.
    pub fn read(&self, name: &str) -> Result<Cow<'_, [u8]>, Error> {
        self.member(self.entry(name)?)
    }

    /// Decodes a pickle by its name below the root, whatever the archive is and whether its tensors are there or not.
    pub fn pickle(&self, name: &str, limits: &Limits) -> Result<Pickle, Error> {
        let bytes = self.read_bounded(name, limits.pickle_bytes)?;
        Pickle::read(name, &bytes, limits)
    }

    /// A member's bytes by its name below the root, if they are no more than a limit.
    ///
    /// # Errors
    /// No such member, more bytes, a sum that differs.
    pub fn read_bounded(&self, name: &str, limit: u64) -> Result<Cow<'_, [u8]>, Error> {
        let entry = self.entry(name)?;
        Limits::check(name, "the size of the member", entry.size, limit)?;
        self.member(entry)
    }

    /// Reads and verifies; a stored member is only borrowed.
    fn member(&self, entry: &Entry) -> Result<Cow<'_, [u8]>, Error> {
        if entry.deflated {
            let inflate = |packed: &[u8]| self.directory.unpacked(packed, entry).map(Cow::into_owned);
            return self.show(entry, inflate)?.map(Cow::Owned);
        }
        let place = self.verified(entry)?;
        let start = place.start;
        self.source.keep(place).map(Cow::Borrowed).ok_or_else(|| in_use(&entry.name, start))
    }

    /// Where a stored member lies, whose sum is right: it is computed once.
    fn verified(&self, entry: &Entry) -> Result<Range<usize>, Error> {
        let verified = self.directory.index_of(&entry.name).and_then(|i| self.verified.get(i));
        if !verified.is_some_and(|v| v.load(Ordering::Relaxed)) {
            self.show(entry, |packed| self.directory.unpacked(packed, entry).map(drop))??;
            if let Some(verified) = verified {
                verified.store(true, Ordering::Relaxed);
            }
        }
        self.directory.place(entry, self.source.size())
    }

    fn show<R>(&self, entry: &Entry, look: impl FnOnce(&[u8]) -> R) -> Result<R, Error> {
        let place = self.directory.place(entry, self.source.size())?;
        let start = place.start;
        self.source.show(place, look).ok_or_else(|| in_use(&entry.name, start))
    }

    /// A member's bytes by its name below the root, which keep the archive that they are a part of.
    ///
    /// # Errors
    /// No such member; a sum that differs.
    pub fn shared(&self, name: &str) -> Result<Record, Error> {
        self.record(self.entry(name)?)
    }

    pub(crate) fn record(&self, entry: &Entry) -> Result<Record, Error> {
        Ok(match entry.deflated {
            true => Record::owned(self.member(entry)?.into_owned()),
            false => Record::part(&self.source, self.verified(entry)?),
        })
    }

    /// A line for every member: how it is packed, its sizes, its sum, where its data begins, its name.
    pub fn list(&self) -> String {
        let mut out =
            format!("{:<8} {:>12} {:>12} {:>8} {:>12}  name\n", "method", "packed", "size", "crc32", "offset");
        for e in self.members() {
            let method = if e.deflated { "deflated" } else { "stored" };
            // Writing to a string does not fail.
            let _ =
                writeln!(out, "{method:<8} {:>12} {:>12} {:08x} {:>12}  {}", e.packed, e.size, e.crc, e.start, e.name);
        }
        out
    }

    pub(crate) fn bad(&self, entry: &str, what: impl Into<String>) -> Error {
        Error::format(entry, self.find(entry).map_or(0, |e| e.start), what)
    }
}

/// The one folder that every member is in.
fn root_of(directory: &Directory) -> Result<String, Error> {
    let mut root: Option<&str> = None;
    for entry in directory.entries() {
        let Some((first, _)) = entry.name.split_once('/') else {
            return Err(Error::format(&entry.name, entry.header, "a member outside the archive's folder"));
        };
        if *root.get_or_insert(first) != first {
            return Err(Error::format(&entry.name, entry.header, "a member in another folder than the first"));
        }
    }
    root.map(str::to_string).ok_or_else(|| Error::format("zip archive", 0usize, "the archive is empty"))
}

/// What a file is that is no zip archive but that people have beside TorchScript.
fn foreign_file(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"\x80") {
        return Some("a pickle (torch.save of PyTorch before 1.6, or another), not a TorchScript archive");
    }
    if bytes.get(4..8) == Some(b"PTMF") {
        return Some("a mobile module in flatbuffer form, which is not supported (save it without flatbuffers)");
    }
    if bytes.get(257..262) == Some(b"ustar") {
        return Some("a tar archive (torch.save of PyTorch before 0.1.12, or another), not a TorchScript archive");
    }
    None
}
