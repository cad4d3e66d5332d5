//! Texts that a program carries take the room of their packed bytes: a build script packs them, and who reads them first unpacks them.
//!
//! The build script says `sconce_packed::pack("listings", &root, files)`, where files are paths below the crate's folder; the crate that is built has them by
//! `static LISTINGS: Texts = include!(concat!(env!("OUT_DIR"), "/listings.rs"));`.
#![forbid(unsafe_code)]

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Texts with their names, packed one after the other.
pub struct Texts {
    /// Names, and bytes of each text.
    names: &'static [(&'static str, usize)],
    packed: &'static [u8],
}

impl Texts {
    /// What [`pack`] wrote.
    pub const fn new(names: &'static [(&'static str, usize)], packed: &'static [u8]) -> Texts {
        Texts { names, packed }
    }

    /// Unpacks all of them, in the order in which they were packed: names and texts.
    ///
    /// # Panics
    ///
    /// When the bytes are not those that [`pack`] wrote for these names.
    pub fn unpack(&self) -> Vec<(&'static str, String)> {
        let mut from = DeflateDecoder::new(self.packed);
        let read = |&(name, length): &(&'static str, usize)| {
            let mut text = String::with_capacity(length);
            let read = from.by_ref().take(length as u64).read_to_string(&mut text);
            assert!(read.is_ok_and(|n| n == length), "{name} was packed otherwise");
            (name, text)
        };
        self.names.iter().map(read).collect()
    }
}

/// In a build script: packs texts, each a file below the crate's folder `root` that is also its name, and writes the [`Texts`] of them to `name.rs` in Cargo's
/// output folder. The build script is run again when one of them changes.
///
/// # Errors
///
/// Which file cannot be read or written, and why.
pub fn pack(name: &str, root: &Path, files: &[PathBuf]) -> Result<(), String> {
    let out = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("Cargo sets OUT_DIR for build scripts")?);
    let (mut encoder, mut names) = (DeflateEncoder::new(Vec::new(), Compression::best()), String::new());
    for file in files {
        let path = root.join(file);
        println!("cargo::rerun-if-changed={}", path.display());
        let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        encoder.write_all(text.as_bytes()).map_err(|e| format!("{}: {e}", path.display()))?;
        let _ = write!(names, "({:?}, {}), ", file.display().to_string(), text.len());
    }
    let packed = encoder.finish().map_err(|e| format!("{name}: {e}"))?;
    let write = |name: String, bytes: &[u8]| {
        let path = out.join(name);
        std::fs::write(&path, bytes).map_err(|e| format!("{}: {e}", path.display())).map(|()| path)
    };
    let bytes = write(format!("{name}.deflate"), &packed)?;
    let texts = format!("::sconce_packed::Texts::new(&[{names}], include_bytes!({:?}))\n", bytes.display().to_string());
    write(format!("{name}.rs"), texts.as_bytes()).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deflated(text: &str) -> &'static [u8] {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap().leak()
    }

    #[test]
    fn texts_are_cut_where_they_were_joined() {
        let texts = Texts::new(&[("a.txt", 4), ("none.txt", 0), ("b.txt", 3)], deflated("one\ntwo"));
        let names: Vec<_> = texts.unpack().into_iter().map(|(name, text)| format!("{name}={text:?}")).collect();
        assert_eq!(names, ["a.txt=\"one\\n\"", "none.txt=\"\"", "b.txt=\"two\""]);
    }

    #[test]
    #[should_panic(expected = "b.txt was packed otherwise")]
    fn texts_of_other_lengths_are_refused() {
        Texts::new(&[("a.txt", 4), ("b.txt", 4)], deflated("one\ntwo")).unpack();
    }
}
