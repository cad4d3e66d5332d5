//! An archive of `torch.export.save` is a document, tensors as raw bytes and a few marks: every member is known and read where it is needed, or the archive is refused.
//!
//! What else ends in `.pt2` is told apart and refused with what reads it: packages of AOTInductor, and programs that PyTorch before 2.8 saved.

use crate::schema::{self, PayloadConfig, SchemaVersion};
use crate::{Error, json};
use sconce_archive::{Container, Limits, Record};

/// The two folders of tensors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Payload {
    /// Parameters and persistent buffers.
    Weights,
    /// Tensors that the module made, and buffers that are not persistent.
    Constants,
}

impl Payload {
    pub(crate) fn folder(self) -> &'static str {
        match self {
            Payload::Weights => "data/weights",
            Payload::Constants => "data/constants",
        }
    }

    /// What its members are called, before their number.
    pub(crate) fn member_stem(self) -> &'static str {
        match self {
            Payload::Weights => "weight",
            Payload::Constants => "tensor",
        }
    }

    pub(crate) fn config(self) -> &'static str {
        match self {
            Payload::Weights => "data/weights/model_weights_config.json",
            Payload::Constants => "data/constants/model_constants_config.json",
        }
    }
}

/// An archive of an exported program, opened.
pub struct Archive {
    container: Container,
    limits: Limits,
}

/// The document of the program that is meant when none is named.
pub(crate) const DOCUMENT: &str = "models/model.json";

/// Members that say what kind of archive it is, with what they must hold.
pub(crate) const MARKS: &[(&str, &str)] =
    &[("archive_format", "pt2"), ("archive_version", "0"), ("byteorder", "little")];

/// Folders and members of an archive of this format, beside those that are read.
const KNOWN: &[&str] = &["data/weights/", "data/constants/", "data/sample_inputs/", "models/", "extra/", ".data/"];

/// What a file is that is no zip archive but that people have beside exported programs, and what to do about it; none if it is nothing known.
pub fn foreign_file(bytes: &[u8]) -> Option<&'static str> {
    (bytes.get(4..6) == Some(b"ET")).then_some(
        "a program of ExecuTorch (.pte), which is already lowered: save what it was made of with torch.export.save, and load that",
    )
}

impl Archive {
    /// Is a zip archive one of `torch.export`, of whatever version and kind?
    pub fn is_one(container: &Container) -> bool {
        ["archive_format", "serialized_exported_program.json"].iter().any(|mark| container.has(mark))
            || container.names().any(|name| name.starts_with("data/aotinductor/"))
    }

    /// Opens an archive; `file` is what it is called in errors.
    ///
    /// # Errors
    /// An archive of another kind or version, with what reads it; a member that no such archive has.
    pub fn new(file: &str, container: Container, limits: &Limits) -> Result<Archive, Error> {
        let foreign = |what: String| Err(Error::Foreign { file: file.to_owned(), what });
        if container.has("serialized_exported_program.json") {
            let version = match container.has("version") {
                true => String::from_utf8_lossy(&container.read_bounded("version", 64)?).trim().to_owned(),
                false => "unknown".to_owned(),
            };
            return foreign(format!(
                "an exported program in the layout of PyTorch 2.1 to 2.7 (schema {version}): load it with that PyTorch, and save it again with 2.9 or later"
            ));
        }
        if !container.has(DOCUMENT) {
            let inductor = container.names().any(|name| name.starts_with("data/aotinductor/"));
            return foreign(match inductor {
                true => "a package of AOTInductor: machine code of one computer without the program. Save the program itself with torch.export.save, and load that".to_owned(),
                false => format!("an archive of torch.export without `{DOCUMENT}`"),
            });
        }
        let archive = Archive { container, limits: limits.clone() };
        for (member, expected) in MARKS {
            let bytes = archive.container.read_bounded(member, 64)?;
            if String::from_utf8_lossy(&bytes).trim_end() != *expected {
                let have = String::from_utf8_lossy(&bytes).trim_end().to_owned();
                return Err(archive.bad(member, format!("it holds `{have}`, expected `{expected}`")));
            }
        }
        let is_known = |name: &&str| {
            MARKS.iter().any(|(mark, _)| mark == name) || KNOWN.iter().any(|folder| name.starts_with(folder))
        };
        if let Some(name) = archive.container.names().find(|name| !is_known(name)) {
            return Err(archive.bad(name, "an archive of an exported program has no such member".to_owned()));
        }
        Ok(archive)
    }

    fn bad(&self, entry: &str, what: String) -> Error {
        Error::Json { entry: entry.to_owned(), path: String::new(), what }
    }

    /// The program's document.
    ///
    /// # Errors
    /// A document of another major version, or one that is not as the schema has it. Members that the schema does not know are refused, unless the document's
    /// minor version is a later one: those add what a reader may leave out.
    pub fn document(&self) -> Result<schema::ExportedProgram, Error> {
        let bytes = self.container.read_bounded(DOCUMENT, self.limits.text_bytes)?;
        let read: Result<(schema::ExportedProgram, _), Error> = json::read(DOCUMENT, &bytes, &self.limits);
        // A document of another version may be anything: that it is one says more than what does not fit.
        let (program, unknown) = read.map_err(|e| self.check_version(&bytes).err().unwrap_or(e))?;
        self.compare_version(program.schema_version)?;
        let is_later = program.schema_version.minor > schema::VERSION.minor;
        match unknown.first().filter(|_| !is_later) {
            Some(member) => Err(Error::Json {
                entry: DOCUMENT.to_owned(),
                path: member.clone(),
                what: "the schema has no such member".to_owned(),
            }),
            None => Ok(program),
        }
    }

    fn check_version(&self, bytes: &[u8]) -> Result<(), Error> {
        #[derive(serde::Deserialize)]
        struct Versioned {
            schema_version: SchemaVersion,
        }
        let (Versioned { schema_version }, _) = json::read(DOCUMENT, bytes, &self.limits)?;
        self.compare_version(schema_version)
    }

    fn compare_version(&self, version: SchemaVersion) -> Result<(), Error> {
        if version.major != schema::VERSION.major {
            let expected = schema::VERSION;
            return Err(Error::Json {
                entry: DOCUMENT.to_owned(),
                path: "schema_version".to_owned(),
                what: format!(
                    "the schema's version is {}.{}, expected {}.{}: save the program again with a PyTorch of that schema",
                    version.major, version.minor, expected.major, expected.minor
                ),
            });
        }
        Ok(())
    }

    /// Which tensors there are, by name.
    ///
    /// # Errors
    /// A document that is not as the schema has it; a member of a tensor that is not there.
    pub fn payloads(&self, payload: Payload) -> Result<PayloadConfig, Error> {
        if !self.container.has(payload.config()) {
            let pickled = format!("{}/model.pt", payload.folder());
            return match self.container.has(&pickled) {
                true => Err(self.bad(
                    &pickled,
                    "the tensors are pickled, as PyTorch before 2.9 saved them: load it there, and save it again with 2.9 or later"
                        .to_owned(),
                )),
                false => Err(self.bad(payload.config(), "the archive has no such member".to_owned())),
            };
        }
        let bytes = self.container.read_bounded(payload.config(), self.limits.text_bytes)?;
        let (config, unknown): (PayloadConfig, _) = json::read(payload.config(), &bytes, &self.limits)?;
        match unknown.first() {
            Some(member) => Err(self.bad(payload.config(), format!("the schema has no member `{member}`"))),
            None => Ok(config),
        }
    }

    /// The member of a tensor's bytes, and the bytes; tensors of one member share them.
    ///
    /// # Errors
    /// No such member; a sum that differs.
    pub fn bytes(&self, payload: Payload, path_name: &str) -> Result<(String, Record), Error> {
        let member = format!("{}/{path_name}", payload.folder());
        let bytes = self.container.shared(&member)?;
        Ok((member, bytes))
    }

    /// The members below the archive's folder.
    pub fn container(&self) -> &Container {
        &self.container
    }
}
