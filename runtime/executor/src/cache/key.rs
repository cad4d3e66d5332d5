//! Keys of entries: equal only for equal parts, each with its name and length.

use crate::compiler::CompileRequest;
use std::fmt;

/// What an entry is found by.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Key([u8; 32]);

/// Collects what a compilation depends on; the order of the parts counts.
#[derive(Default)]
pub struct KeyBuilder(blake3::Hasher);

impl Key {
    pub fn builder() -> KeyBuilder {
        KeyBuilder::default()
    }

    pub(crate) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    pub(crate) fn entry_name(&self) -> String {
        format!("{self}.entry")
    }

    /// The locks of whoever makes the entry: the first is tried first.
    pub(crate) fn lock_names(&self) -> [String; 2] {
        [format!("{self}.lock"), format!("{self}.second.lock")]
    }
}

impl KeyBuilder {
    /// Adds a part: the function's content, the version, the features of the processor, …
    #[must_use]
    pub fn part(mut self, name: &str, bytes: &[u8]) -> KeyBuilder {
        for field in [name.as_bytes(), bytes] {
            self.0.update(&(field.len() as u64).to_le_bytes());
            self.0.update(field);
        }
        self
    }

    /// Adds what a request asks for: function's name, argument types, constants' types, options, target. Not its program: of that only the caller knows what counts.
    #[must_use]
    pub fn request(self, request: &CompileRequest) -> KeyBuilder {
        let mut key = self.part("function", request.name.as_bytes()).part("target", request.target.as_bytes());
        for ty in &request.arguments {
            // Everything that is known of a type, which its text leaves out in part.
            key = key.part("argument", format!("{ty:?}").as_bytes());
        }
        for constant in request.constants.iter() {
            key = key.part("constant", constant.name.as_bytes()).part("type", format!("{:?}", constant.ty).as_bytes());
        }
        for (name, value) in request.options.iter() {
            key = key.part("option", name.as_bytes()).part("value", value.as_bytes());
        }
        key.part("specialization", format!("{:?}", request.specialization).as_bytes())
    }

    pub fn finish(self) -> Key {
        Key(*self.0.finalize().as_bytes())
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|b| write!(f, "{b:02x}"))
    }
}
