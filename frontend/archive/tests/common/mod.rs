//! What several tests of archives share.
#![allow(dead_code, reason = "each test uses a part")]

use sconce_archive::pickle::{Pickle, Value};
use sconce_archive::{DebugRanges, Error, Limits, PtArchive};

/// The recorded archives.
pub fn archives() -> sconce_corpus::Corpus {
    let all = sconce_corpus::testdata("archives").expect("testdata/archives.tar.zst");
    // Beside them lies what replaying them needs.
    let mut archives = sconce_corpus::Corpus::default();
    for (path, bytes) in all.iter().filter(|(p, _)| p.ends_with(".pt") || p.ends_with(".ptl")) {
        archives.insert(path.to_owned(), bytes.to_vec());
    }
    archives
}

/// All that an archive says: code with its source ranges, pickles, and the bytes of every other member. Reading it checks every member.
#[derive(PartialEq)]
pub struct Content {
    layout: sconce_archive::Layout,
    version: u64,
    code: Vec<(String, String, Option<DebugRanges>)>,
    pickles: Vec<(String, Pickle)>,
    model: Option<sconce_archive::model_json::ModelJson>,
    pub members: Vec<(String, Vec<u8>)>,
    /// The bytes of the tensors' storages.
    pub storages: Vec<Vec<u8>>,
}

impl Content {
    pub fn of(archive: &PtArchive) -> Result<Content, Error> {
        let mut content = Content {
            layout: archive.layout(),
            version: archive.version(),
            code: Vec::new(),
            pickles: Vec::new(),
            model: archive.model_json().cloned(),
            members: Vec::new(),
            storages: Vec::new(),
        };
        for code in archive.code_files() {
            content.code.push((code.path.clone(), code.text.clone(), archive.debug_ranges(code)?));
        }
        for tensor in archive.model_json().map(|m| &m.tensors).into_iter().flatten() {
            content.storages.push(archive.tensor_storage("", tensor)?.bytes()?.to_vec());
        }
        for name in archive.names() {
            let bytes = archive.read(name)?;
            if !name.ends_with(".pkl") || name.starts_with("debug/") {
                let derived = name.ends_with("pkl") || name.ends_with(".json") || name.ends_with(".py");
                if !derived {
                    content.members.push((name.to_string(), bytes.into_owned()));
                }
                continue;
            }
            let pickle = archive.pickle(name)?;
            for (_, value) in pickle.values() {
                // The inputs of a trace are saved without their data.
                if let (Value::Tensor(tensor), true) = (value, name != "traced_inputs.pkl") {
                    content.storages.push(archive.tensor_storage(name, tensor)?.bytes()?.to_vec());
                }
            }
            content.pickles.push((name.to_string(), pickle));
        }
        // The order of members and of the values of a pickle says nothing.
        content.members.sort();
        content.storages.sort();
        content.pickles.sort_by(|a, b| a.0.cmp(&b.0));
        content.code.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(content)
    }

    pub fn read(bytes: &[u8]) -> Result<Content, Error> {
        Content::of(&PtArchive::from_bytes(bytes.to_vec(), &Limits::default())?)
    }

    /// Without the members that only say how the archive was written (the version is compared on its own).
    pub fn without_seals(mut self) -> Content {
        self.members
            .retain(|(name, _)| !matches!(name.as_str(), "version" | "byteorder") && !name.starts_with(".data/"));
        self
    }

    pub fn source_ranges(&self) -> usize {
        self.code.iter().filter_map(|c| c.2.as_ref()).map(|d| d.entries.len()).sum()
    }
}
