//! A TorchScript archive of any layout is one object: code, values, tensors, debug records and extra files, each checked when it is first touched.

use crate::model_json::ModelJson;
use crate::pickle::{Pickle, StorageRef, TensorRef, Value};
use crate::source::SharedBytes;
use crate::{Container, DebugRanges, Error, Limits, Record};
use sconce_schema::DType;
use std::borrow::Cow;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

/// The archive versions that PyTorch ever wrote.
const VERSIONS: std::ops::RangeInclusive<u64> = 1..=10;

/// How an archive is laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// `data.pkl`, `constants.pkl`, `code/`: PyTorch 1.4 and later.
    TorchScript,
    /// The same with `bytecode.pkl` for the lite interpreter.
    Mobile,
    /// `model.json`, `attributes.pkl`, `tensors/`, `code/`: PyTorch 1.0 to 1.3.
    ModelJson,
}

/// A file of TorchScript code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodeFile {
    /// The member's name below the root, such as `code/__torch__/model.py`.
    pub path: String,
    pub text: String,
}

impl CodeFile {
    /// The qualified name that the file's definitions are below, such as `__torch__.model`.
    pub fn module(&self) -> String {
        let inner = self.path.split_once('/').map_or(self.path.as_str(), |p| p.1);
        inner.strip_suffix(".py").unwrap_or(inner).replace('/', ".")
    }
}

/// A TorchScript archive. See the crate's documentation for an example.
///
/// Opening reads the directory, the code and the pickles. Tensors are read when [`PtArchive::storage`] asks for them: stored ones are part of the mapped file,
/// and their checksum is verified the first time.
pub struct PtArchive {
    container: Container,
    limits: Limits,
    layout: Layout,
    version: u64,
    big_endian: bool,
    code: Vec<CodeFile>,
    data: Option<Pickle>,
    constants: Option<Pickle>,
    model: Option<ModelJson>,
}

impl PtArchive {
    /// Maps and opens a file.
    pub fn open(path: impl AsRef<Path>, limits: &Limits) -> Result<PtArchive, Error> {
        let path = path.as_ref();
        PtArchive::new(&path.display().to_string(), Container::open(path, limits)?, limits, false)
    }

    /// Opens an archive that is in memory.
    pub fn from_bytes(bytes: Vec<u8>, limits: &Limits) -> Result<PtArchive, Error> {
        PtArchive::new("archive", Container::from_bytes(bytes, limits)?, limits, false)
    }

    /// Opens an archive whose bytes the caller holds; [`Record::shared_range`] says where in them a tensor lies.
    pub fn from_shared(name: &str, bytes: Arc<dyn SharedBytes>, limits: &Limits) -> Result<PtArchive, Error> {
        PtArchive::of_container(name, Container::from_shared(name, bytes, limits)?, limits)
    }

    /// The archive that a container is.
    ///
    /// # Errors
    /// A zip archive of another kind, and which; members that are damaged.
    pub fn of_container(name: &str, container: Container, limits: &Limits) -> Result<PtArchive, Error> {
        PtArchive::new(name, container, limits, false)
    }

    /// With `eager`, an archive of torch.save is opened too: it has a pickle and tensors, but no code.
    pub(crate) fn new(file: &str, container: Container, limits: &Limits, eager: bool) -> Result<PtArchive, Error> {
        let mut archive = PtArchive {
            container,
            limits: limits.clone(),
            layout: Layout::TorchScript,
            version: 0,
            big_endian: false,
            code: Vec::new(),
            data: None,
            constants: None,
            model: None,
        };
        archive.layout = archive.detect(file, eager)?;
        archive.version = archive.read_version()?;
        archive.big_endian = archive.read_byte_order()?;
        archive.read_code()?;
        match archive.layout {
            Layout::ModelJson => archive.read_model_json()?,
            Layout::TorchScript | Layout::Mobile => {
                archive.data = Some(archive.pickle("data.pkl")?);
                if archive.has("constants.pkl") {
                    archive.constants = Some(archive.pickle("constants.pkl")?);
                }
            }
        }
        Ok(archive)
    }

    fn detect(&self, file: &str, eager: bool) -> Result<Layout, Error> {
        let foreign = |what: &str| Err(Error::Foreign { file: file.to_string(), what: what.to_string() });
        let code = self.names().any(|n| n.starts_with("code/"));
        if self.has("model.json") && self.has("attributes.pkl") {
            return Ok(Layout::ModelJson);
        }
        if self.has("model.json") && !self.has("data.pkl") {
            // Version 1 of the format had no attributes.
            return Ok(Layout::ModelJson);
        }
        if self.has("archive_format") || self.has("serialized_exported_program.json") {
            return foreign("an archive of torch.export, not of TorchScript");
        }
        if self.has(".data/extern_modules") {
            return foreign("an archive of torch.package, not of TorchScript");
        }
        if !self.has("data.pkl") {
            return foreign("a zip archive without data.pkl and model.json: not a TorchScript archive");
        }
        if !code && !self.has("constants.pkl") && !eager {
            return foreign("a file of torch.save (arrays or a state dict), not a TorchScript archive: it has no code");
        }
        Ok(if self.has("bytecode.pkl") { Layout::Mobile } else { Layout::TorchScript })
    }

    /// PyTorch prefers the version below `.data/`.
    fn read_version(&self) -> Result<u64, Error> {
        let name = if self.has(".data/version") { ".data/version" } else { "version" };
        let bytes = self.read(name)?;
        let text = String::from_utf8_lossy(&bytes);
        let version = text.trim_end().parse().map_err(|_| self.bad(name, "the version is no number"))?;
        if !VERSIONS.contains(&version) {
            return Err(Error::unsupported(name, format!("archive version {version}"), "1 to 10"));
        }
        Ok(version)
    }

    fn read_byte_order(&self) -> Result<bool, Error> {
        if !self.has("byteorder") {
            return Ok(false);
        }
        match &*self.read("byteorder")? {
            b"little" => Ok(false),
            b"big" => Ok(true),
            _ => Err(self.bad("byteorder", "neither `little` nor `big`")),
        }
    }

    fn read_code(&mut self) -> Result<(), Error> {
        let names = self.names().filter(|n| is_code(n)).map(str::to_string);
        let names: Vec<String> = names.collect();
        for path in names {
            let text = self.read_text(&path)?;
            self.code.push(CodeFile { path, text });
        }
        Ok(())
    }

    fn read_model_json(&mut self) -> Result<(), Error> {
        let bytes = self.read_bounded("model.json", self.limits.text_bytes)?;
        let mut model = ModelJson::read("model.json", &bytes, &self.limits)?;
        for (i, tensor) in model.tensors.iter_mut().enumerate() {
            let bytes = self.entry(&tensor.storage.key)?.size;
            tensor.storage.numel = bytes / tensor.dtype.size() as u64;
            tensor.check().map_err(|what| self.bad("model.json", format!("tensor {i} has {what}")))?;
        }
        let mut attributes = 0;
        if self.has("attributes.pkl") {
            let pickle = self.pickle("attributes.pkl")?;
            attributes = pickle.root().as_items().map(<[_]>::len).ok_or_else(|| {
                self.bad("attributes.pkl", format!("{} where a tuple is expected", pickle.root().kind()))
            })?;
            for (_, value) in pickle.values() {
                match value {
                    Value::TensorId(n) if usize::try_from(*n).is_ok_and(|n| n < model.tensors.len()) => {}
                    Value::TensorId(n) => {
                        let what = format!("tensor {n} of a table of {}", model.tensors.len());
                        return Err(self.bad("attributes.pkl", what));
                    }
                    _ => {}
                }
            }
            self.data = Some(pickle);
        }
        let mut modules = vec![&model.main];
        while let Some(module) = modules.pop() {
            modules.extend(&module.submodules);
            let ids =
                module.attributes.iter().filter_map(|a| a.id).chain(module.state.and_then(|s| usize::try_from(s).ok()));
            if let Some(id) = ids.into_iter().find(|id| *id >= attributes) {
                return Err(self.bad("model.json", format!("attribute {id} of {attributes}")));
            }
            for record in module.code.iter().chain(&module.debug) {
                self.entry(record)?;
            }
        }
        self.model = Some(model);
        Ok(())
    }

    pub fn layout(&self) -> Layout {
        self.layout
    }
    /// The version of the file format, which says what operators meant (1 to 10).
    pub fn version(&self) -> u64 {
        self.version
    }
    /// The code files, in the order of the archive.
    pub fn code_files(&self) -> &[CodeFile] {
        &self.code
    }
    /// The code file of a qualified module name, such as `__torch__.model`.
    pub fn code(&self, module: &str) -> Option<&CodeFile> {
        let tail = format!("/{}.py", module.replace('.', "/"));
        self.code.iter().find(|c| c.path.split_once('/').is_some_and(|(_, inner)| format!("/{inner}") == tail))
    }
    /// The saved object (`data.pkl`), or in a `model.json` archive the tuple of attributes (`attributes.pkl`), if there is one.
    pub fn data(&self) -> Option<&Pickle> {
        self.data.as_ref()
    }
    /// The constants of the code (`constants.pkl`): a tuple whose items are `CONSTANTS.c0`, `CONSTANTS.c1`, ….
    pub fn constants(&self) -> Option<&Pickle> {
        self.constants.as_ref()
    }
    /// The module tree of a `model.json` archive.
    pub fn model_json(&self) -> Option<&ModelJson> {
        self.model.as_ref()
    }
    /// The instructions of a mobile archive.
    pub fn bytecode(&self) -> Result<Option<Pickle>, Error> {
        if self.has("bytecode.pkl") { self.pickle("bytecode.pkl").map(Some) } else { Ok(None) }
    }

    /// The source ranges of a code file, if the archive has them.
    pub fn debug_ranges(&self, code: &CodeFile) -> Result<Option<DebugRanges>, Error> {
        let mut name = format!("{}.debug_pkl", code.path);
        if let Some(model) = &self.model {
            let mut modules = vec![&model.main];
            while let Some(module) = modules.pop() {
                modules.extend(&module.submodules);
                if let (true, Some(debug)) = (module.code.as_ref() == Some(&code.path), &module.debug) {
                    name.clone_from(debug);
                }
            }
        }
        if !self.has(&name) {
            return Ok(None);
        }
        let bytes = self.read_bounded(&name, self.limits.pickle_bytes)?;
        DebugRanges::read(&name, &bytes, &self.limits).map(Some)
    }

    /// The extra files that the writer was given (`extra/…`): names and bytes.
    pub fn extra_files(&self) -> impl Iterator<Item = Result<(&str, Cow<'_, [u8]>), Error>> {
        self.names()
            .filter_map(|n| Some((n, n.strip_prefix("extra/")?)))
            .map(|(name, short)| Ok((short, self.read(name)?)))
    }

    /// The bytes of the storage that a tensor of `pickle_name` (`data.pkl`, `constants.pkl`, …) refers to, in little-endian order.
    ///
    /// In a `model.json` archive the name does not matter.
    pub fn storage(&self, pickle_name: &str, storage: &StorageRef) -> Result<Record, Error> {
        let folder = pickle_name.strip_suffix(".pkl").unwrap_or(pickle_name);
        let name = match self.layout {
            Layout::ModelJson => storage.key.to_string(),
            // The bytecode's tensors lie with the constants.
            _ if folder == "bytecode" => format!("constants/{}", storage.key),
            _ => format!("{folder}/{}", storage.key),
        };
        let size = storage.dtype.map_or(1, |d| d.size() as u64);
        let expected = storage.byte_count().ok_or_else(|| self.bad(&name, "a size beyond 64 bits"))?;
        if expected == 0 && !self.has(&name) {
            return Ok(Record::owned(Vec::new()));
        }
        let entry = self.entry(&name)?;
        if entry.size == 0 && expected > 0 {
            return Err(self.bad(&name, "the archive was saved without the data of this tensor"));
        }
        // A storage may end in a part of an element if tensors of several types view it.
        if entry.size < expected || entry.size - expected >= size {
            let what = format!("the member has {} bytes, and the pickle says {expected}", entry.size);
            return Err(Error::format(&name, entry.start, what));
        }
        let record = self.record(entry)?;
        match storage.dtype.map_or(1, scalar_size) {
            width if width > 1 && self.big_endian => {
                let mut bytes = record.bytes()?.to_vec();
                bytes.chunks_exact_mut(width).for_each(<[u8]>::reverse);
                Ok(Record::owned(bytes))
            }
            _ => Ok(record),
        }
    }

    /// The bytes of a tensor's whole storage; the tensor's offset and strides count from its start.
    pub fn tensor_storage(&self, pickle_name: &str, tensor: &TensorRef) -> Result<Record, Error> {
        self.storage(pickle_name, &tensor.storage)
    }

    /// Decodes a pickle by its name below the root.
    pub fn pickle(&self, name: &str) -> Result<Pickle, Error> {
        let pickle = self.container.pickle(name, &self.limits)?;
        let has_table = self.layout == Layout::ModelJson;
        if !has_table && pickle.values().any(|(_, v)| matches!(v, Value::TensorId(_))) {
            return Err(self.bad(name, "a tensor is named by a number, and this layout has no table of tensors"));
        }
        Ok(pickle)
    }

    fn read_text(&self, name: &str) -> Result<String, Error> {
        let bytes = self.read_bounded(name, self.limits.text_bytes)?;
        String::from_utf8(bytes.into_owned())
            .map_err(|e| Error::format(name, e.utf8_error().valid_up_to(), "the code is not UTF-8"))
    }
}

/// Members are read by their names below the archive's folder.
impl Deref for PtArchive {
    type Target = Container;
    fn deref(&self) -> &Container {
        &self.container
    }
}

impl std::fmt::Debug for PtArchive {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(
            f,
            "PtArchive({}, {:?}, version {}, {} members)",
            self.name(),
            self.layout,
            self.version,
            self.members().len()
        )
    }
}

/// The size of the numbers whose bytes are in order: complex elements are two.
fn scalar_size(dtype: DType) -> usize {
    match dtype {
        DType::C32 | DType::C64 | DType::C128 => dtype.size() / 2,
        _ => dtype.size(),
    }
}

fn is_code(name: &str) -> bool {
    (name.starts_with("code/") || name.starts_with("libs/")) && name.ends_with(".py")
}
