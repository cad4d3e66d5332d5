//! Archives are written as PyTorch writes them: a file appears whole under its name or not at all, and equal parts give equal bytes.

use crate::model_json::ModelJson;
use crate::pickle::{Pickle, StorageRef, Value};
use crate::{DebugRanges, Error, PtArchive, zip};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes the members of a TorchScript archive, in PyTorch's order: extra files, pickles with their tensors, code, and at last the version.
///
/// ```
/// use sconce_archive::{Limits, PtArchive, PtWriter, pickle::{Dict, Object, Pickle, Value}};
/// let mut values = Pickle::builder();
/// let (key, training) = (values.str("training"), values.add(Value::Bool(true)));
/// let state = values.add(Value::Dict(Box::new(Dict { entries: vec![(key, training)], ..Dict::default() })));
/// let root = values.add(Value::Object(Box::new(Object { class: "__torch__.M".into(), state })));
///
/// let mut writer = PtWriter::new("model", Vec::new());
/// writer.pickle("data.pkl", &values.finish(root), |_| Ok(Vec::new()))?; // no tensor asks for bytes
/// writer.code("code/__torch__.py", "class M(Module):\n  __parameters__ = []\n  __buffers__ = []\n  training : bool\n", None)?;
/// let bytes = writer.finish(3)?;
///
/// let archive = PtArchive::from_bytes(bytes, &Limits::default())?;
/// assert_eq!(archive.version(), 3);
/// # Ok::<(), sconce_archive::Error>(())
/// ```
pub struct PtWriter<W: Write> {
    zip: zip::Writer<W>,
    root: String,
    names: BTreeSet<String>,
    /// For the id that says whether two files hold the same.
    name_sum: u64,
    data_sum: u64,
}

impl<W: Write> PtWriter<W> {
    /// `name` is the folder that all members lie in; PyTorch takes the file's name without its ending.
    pub fn new(name: &str, out: W) -> PtWriter<W> {
        let root = if name.is_empty() { "archive" } else { name };
        PtWriter {
            zip: zip::Writer::new(out),
            root: root.to_string(),
            names: BTreeSet::new(),
            name_sum: 0,
            data_sum: 0,
        }
    }

    /// A member as it is, its data on a multiple of 64 bytes.
    pub fn member(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        self.add(name, bytes, false)
    }

    fn add(&mut self, name: &str, bytes: &[u8], deflate: bool) -> Result<(), Error> {
        if !self.names.insert(name.to_string()) {
            return Err(Error::Io { entry: name.to_string(), what: "the archive has this member already".to_string() });
        }
        self.name_sum = mix(self.name_sum, crc32fast::hash(name.as_bytes()));
        self.data_sum = mix(self.data_sum, crc32fast::hash(bytes));
        let name = format!("{}/{name}", self.root);
        if deflate { self.zip.deflate(&name, bytes) } else { self.zip.store(&name, bytes) }
    }

    /// A file that readers give back as it is.
    pub fn extra(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        self.member(&format!("extra/{name}"), bytes)
    }

    /// A pickle with the storages of its tensors, each once; `bytes_of` gives their bytes in little-endian order.
    pub fn pickle<B: AsRef<[u8]>>(
        &mut self,
        name: &str,
        pickle: &Pickle,
        mut bytes_of: impl FnMut(&StorageRef) -> Result<B, Error>,
    ) -> Result<(), Error> {
        let folder = match name.strip_suffix(".pkl").unwrap_or(name) {
            "bytecode" => "constants",
            folder => folder,
        };
        for storage in storages(pickle).values() {
            let member = format!("{folder}/{}", storage.key);
            let bytes = bytes_of(storage)?;
            let bytes = bytes.as_ref();
            let (expected, size) = (storage.byte_count(), storage.dtype.map_or(1, |d| d.size() as u64));
            let fits = expected.is_some_and(|e| bytes.len() as u64 >= e && bytes.len() as u64 - e < size);
            if !fits {
                let what = format!("the storage has {} bytes, and the pickle says {expected:?}", bytes.len());
                return Err(Error::format(&member, 0usize, what));
            }
            if !self.names.contains(&member) {
                self.member(&member, bytes)?;
            }
        }
        self.member(name, &pickle.write(name)?)
    }

    /// A code file with the places it came from.
    pub fn code(&mut self, path: &str, text: &str, ranges: Option<&DebugRanges>) -> Result<(), Error> {
        self.add(path, text.as_bytes(), true)?;
        if let Some(ranges) = ranges {
            let name = format!("{path}.debug_pkl");
            self.add(&name, &ranges.write(&name)?, true)?;
        }
        Ok(())
    }

    /// Writes version, byte order and id, and returns what was written to.
    pub fn finish(mut self, version: u64) -> Result<W, Error> {
        // From version 6 on the record stands where readers of before do not look.
        let name = if version >= 6 { ".data/version" } else { "version" };
        self.member(name, format!("{version}\n").as_bytes())?;
        self.member("byteorder", b"little")?;
        let id = format!("{:020}{:020}", self.name_sum, self.data_sum);
        self.member(".data/serialization_id", id.as_bytes())?;
        self.zip.finish()
    }

    /// The layout of 2019, whole: `tensors` are the bytes of the members that the model's table names, `code` the code files with their places.
    pub fn finish_model_json<B: AsRef<[u8]>>(
        mut self,
        model: &ModelJson,
        attributes: &Pickle,
        code: &[(&str, &str, Option<&DebugRanges>)],
        mut bytes_of: impl FnMut(&StorageRef) -> Result<B, Error>,
    ) -> Result<W, Error> {
        self.member("version", b"1\n")?;
        let mut debug = BTreeMap::new();
        let mut modules = vec![&model.main];
        while let Some(module) = modules.pop() {
            modules.extend(&module.submodules);
            if let (Some(code), Some(record)) = (&module.code, &module.debug) {
                debug.insert(code.as_str(), record.as_str());
            }
        }
        for (path, text, ranges) in code {
            self.member(path, text.as_bytes())?;
            if let (Some(ranges), Some(record)) = (ranges, debug.get(path)) {
                self.member(record, &ranges.write_plain(record)?)?;
            }
        }
        self.member("attributes.pkl", &attributes.write("attributes.pkl")?)?;
        for tensor in &model.tensors {
            if !self.names.contains(&*tensor.storage.key) {
                let bytes = bytes_of(&tensor.storage)?;
                self.member(&tensor.storage.key, bytes.as_ref())?;
            }
        }
        self.member("model.json", model.write()?.as_bytes())?;
        self.zip.finish()
    }
}

/// The storages of a pickle by their keys, in the order of keys (numbers by value).
fn storages(pickle: &Pickle) -> BTreeMap<(usize, &str), &StorageRef> {
    let mut out = BTreeMap::new();
    for (_, value) in pickle.values() {
        let storage = match value {
            Value::Tensor(tensor) => &tensor.storage,
            Value::Storage(storage) => storage,
            _ => continue,
        };
        // A storage that tensors of several types view is said several times; the bytes are the same.
        out.entry((storage.key.len(), &*storage.key)).or_insert(storage);
    }
    out
}

fn mix(sum: u64, next: u32) -> u64 {
    (sum.rotate_left(5) ^ u64::from(next)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Writes an archive to a file of this path, named like PyTorch by the file's name. The file appears when all is written; until then another of its name stays.
pub fn write_file<E: From<Error>>(
    path: &Path,
    fill: impl FnOnce(PtWriter<BufWriter<std::fs::File>>) -> Result<BufWriter<std::fs::File>, E>,
) -> Result<(), E> {
    let shown = path.display().to_string();
    let io = |e: std::io::Error| Error::io(&shown, &e);
    let name = path.file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    // Beside the file, so that renaming does not cross file systems; the numbers keep writers apart.
    static WRITERS: AtomicU64 = AtomicU64::new(0);
    let number = WRITERS.fetch_add(1, Ordering::Relaxed);
    let temporary = path.with_file_name(format!(".{name}.{}.{number}.partial", std::process::id()));
    let file = std::fs::File::create(&temporary).map_err(io)?;
    let written = fill(PtWriter::new(&name, BufWriter::new(file))).and_then(|out| {
        let file = out.into_inner().map_err(|e| io(e.into_error()))?;
        file.sync_all().map_err(io)?;
        std::fs::rename(&temporary, path).map_err(io)?;
        Ok(())
    });
    if written.is_err() {
        let _ = std::fs::remove_file(&temporary);
    }
    written
}

impl<W: Write> PtWriter<W> {
    /// Writes all of an archive from its decoded parts, in its layout; members that are not decoded are copied.
    pub fn fill_from(mut self, archive: &PtArchive) -> Result<W, Error> {
        let ranges = archive.code_files().iter().map(|c| archive.debug_ranges(c)).collect::<Result<Vec<_>, _>>()?;
        let code = archive.code_files().iter().zip(&ranges);
        if let Some(model) = archive.model_json() {
            let code: Vec<_> = code.map(|(c, d)| (c.path.as_str(), c.text.as_str(), d.as_ref())).collect();
            let none = Pickle::empty_tuple();
            let attributes = archive.data().unwrap_or(&none);
            return self.finish_model_json(model, attributes, &code, |s| archive.storage("", s)?.kept());
        }
        for file in archive.extra_files() {
            let (name, bytes) = file?;
            self.extra(name, &bytes)?;
        }
        for (name, pickle) in [("data.pkl", archive.data()), ("constants.pkl", archive.constants())] {
            if let Some(pickle) = pickle {
                self.pickle(name, pickle, |s| archive.storage(name, s)?.kept())?;
            }
        }
        for (code, ranges) in code {
            self.code(&code.path, &code.text, ranges.as_ref())?;
        }
        if let Some(bytecode) = archive.bytecode()? {
            self.pickle("bytecode.pkl", &bytecode, |s| archive.storage("bytecode.pkl", s)?.kept())?;
        }
        for name in archive.names() {
            let last = matches!(name, "version" | "byteorder") || name.starts_with(".data/");
            if !last && !self.names.contains(name) {
                self.member(name, &archive.read(name)?)?;
            }
        }
        self.finish(archive.version())
    }
}

impl PtArchive {
    /// Writes the archive anew from its decoded parts, in its own layout and under its own name.
    pub fn rewrite<W: Write>(&self, out: W) -> Result<W, Error> {
        PtWriter::new(self.name(), out).fill_from(self)
    }
}
