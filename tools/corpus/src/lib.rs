//! Recorded cases are read the same way from a folder, a file, or a packed set of `testdata/`: paths in order, with their bytes.
//!
//! ```no_run
//! let listings = sconce_corpus::testdata("listings")?;
//! for (path, bytes) in listings.below("graphs/2.15/") {
//!     println!("{path}: {} bytes", bytes.len());
//! }
//! # Ok::<(), sconce_corpus::Error>(())
//! ```
#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A packed set may unpack to this much; ours unpack to some 20 MiB.
const UNPACKED_LIMIT: u64 = 1 << 30;

/// Why a set cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", path.display())]
pub struct Error {
    path: PathBuf,
    source: std::io::Error,
}

/// Files by their path inside the set, `/` between parts.
#[derive(Default)]
pub struct Corpus {
    files: BTreeMap<String, Vec<u8>>,
}

/// The packed set `testdata/NAME.tar.zst` of this repository.
pub fn testdata(name: &str) -> Result<Corpus, Error> {
    Corpus::open(&testdata_folder().join(format!("{name}.tar.zst")))
}

/// The sets of `testdata/` that hold calls of operators: PyTorch's own, and torchvision's. Their files have different names.
pub const OPERATOR_CALLS: &[&str] = &["vectors", "vision"];

/// All recorded calls of operators.
pub fn operator_calls() -> Result<Corpus, Error> {
    let mut all = Corpus::default();
    for set in OPERATOR_CALLS {
        all.files.extend(testdata(set)?.files);
    }
    Ok(all)
}

/// The repository's `testdata/`.
pub fn testdata_folder() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("tools/corpus lies two below the root").join("testdata")
}

/// The parts of a text, each under its line that begins with `mark`: that line, without what ends it, and what follows it. Parts of blanks are left out.
pub fn records<'t>(text: &'t str, mark: &str) -> Vec<(&'t str, &'t str)> {
    let mut starts = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with(mark) {
            starts.push((at, at + line.len()));
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).map(|(line, _)| *line).chain([text.len()]);
    let parts =
        starts.iter().zip(ends).map(|((line, start), end)| (text[*line..*start].trim_end(), &text[*start..end]));
    parts.filter(|(_, part)| !part.trim().is_empty()).collect()
}

impl Corpus {
    /// Reads a folder (all files below it), a `.tar.zst`, or a single file (under its name).
    pub fn open(path: &Path) -> Result<Corpus, Error> {
        Self::open_filtered(path, |_| true)
    }

    /// As [`Corpus::open`], but only files whose path inside the set is wanted.
    pub fn open_filtered(path: &Path, wanted: impl Fn(&str) -> bool) -> Result<Corpus, Error> {
        let error = |source| Error { path: path.to_path_buf(), source };
        let mut corpus = Corpus::default();
        let metadata = std::fs::metadata(path).map_err(error)?;
        if metadata.is_dir() {
            corpus.add_folder(path, "", &wanted)?;
        } else if path.to_string_lossy().ends_with(".tar.zst") {
            let file = std::fs::File::open(path).map_err(error)?;
            let unpacked = zstd::Decoder::new(file).map_err(error)?.take(UNPACKED_LIMIT);
            for entry in tar::Archive::new(unpacked).entries().map_err(error)? {
                let mut entry = entry.map_err(error)?;
                let name = entry.path().map_err(error)?.to_string_lossy().into_owned();
                if entry.header().entry_type().is_file() && wanted(&name) {
                    let mut bytes = Vec::new();
                    entry.read_to_end(&mut bytes).map_err(error)?;
                    corpus.files.insert(name, bytes);
                }
            }
        } else {
            let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            corpus.files.insert(name, std::fs::read(path).map_err(error)?);
        }
        Ok(corpus)
    }

    fn add_folder(&mut self, folder: &Path, prefix: &str, wanted: &dyn Fn(&str) -> bool) -> Result<(), Error> {
        let error = |source| Error { path: folder.to_path_buf(), source };
        for entry in std::fs::read_dir(folder).map_err(error)? {
            let entry = entry.map_err(error)?;
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            // Links are not followed: a set is what lies in its folder.
            let kind = entry.file_type().map_err(error)?;
            if kind.is_dir() {
                self.add_folder(&entry.path(), &format!("{name}/"), wanted)?;
            } else if kind.is_file() && wanted(&name) {
                self.files.insert(name, std::fs::read(entry.path()).map_err(error)?);
            }
        }
        Ok(())
    }

    /// All files in order of their paths.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files.iter().map(|(p, b)| (p.as_str(), b.as_slice()))
    }

    /// Files whose path begins with `prefix`, in order, with their whole path.
    pub fn below<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a [u8])> {
        self.files
            .range(prefix.to_string()..)
            .take_while(move |(p, _)| p.starts_with(prefix))
            .map(|(p, b)| (p.as_str(), b.as_slice()))
    }

    pub fn get(&self, path: &str) -> Option<&[u8]> {
        self.files.get(path).map(Vec::as_slice)
    }

    /// A file as text; `None` when it is missing or not UTF-8.
    pub fn text(&self, path: &str) -> Option<&str> {
        std::str::from_utf8(self.get(path)?).ok()
    }

    pub fn insert(&mut self, path: String, bytes: Vec<u8>) {
        self.files.insert(path, bytes);
    }

    pub fn len(&self) -> usize {
        self.files.len()
    }

    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The packed form: the same files give the same bytes.
    pub fn pack(&self) -> std::io::Result<Vec<u8>> {
        let mut tar = tar::Builder::new(Vec::new());
        for (path, bytes) in &self.files {
            let mut header = tar::Header::new_gnu();
            header.set_size(bytes.len() as u64);
            header.set_mode(0o644);
            tar.append_data(&mut header, path, bytes.as_slice())?;
        }
        let mut encoder = zstd::Encoder::new(Vec::new(), 19)?;
        encoder.long_distance_matching(true)?;
        std::io::Write::write_all(&mut encoder, &tar.into_inner()?)?;
        encoder.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packed_set_reads_back() {
        let mut corpus = Corpus::default();
        corpus.insert("b/x.txt".into(), b"one".to_vec());
        corpus.insert("b/y.txt".into(), vec![]);
        corpus.insert("a".into(), vec![0; 100_000]);
        let path = std::env::temp_dir().join(format!("sconce-corpus-{}.tar.zst", std::process::id()));
        std::fs::write(&path, corpus.pack().unwrap()).unwrap();
        let back = Corpus::open(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(back.files, corpus.files);
        assert_eq!(back.below("b/").map(|f| f.0).collect::<Vec<_>>(), ["b/x.txt", "b/y.txt"]);
    }
}
