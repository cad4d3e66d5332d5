//! JSON with a bound on its depth and without repeated keys: there is one way to understand a document.

use crate::{Error, Limits};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::collections::HashSet;
use std::fmt;

/// A JSON value. Integers keep their 64 bits.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    Array(Vec<Json>),
    Object(Object),
}

/// The entries of an object, keys distinct.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Object(Vec<(String, Json)>);

impl Object {
    pub fn get(&self, key: &str) -> Option<&Json> {
        self.0.iter().find(|(k, _)| k == key).map(|(_, v)| v)
    }
}

impl Json {
    /// Reads a document. The parser refuses more than 128 values inside each other.
    pub fn read(entry: &str, bytes: &[u8], limits: &Limits) -> Result<Json, Error> {
        Limits::check(entry, "the size of the text", bytes.len() as u64, limits.text_bytes)?;
        // Two bytes become up to 300: that much memory is refused before it is asked for.
        let commas = bytes.iter().filter(|b| matches!(b, b',' | b'[' | b'{')).count();
        Limits::check(entry, "the number of values", commas as u64, limits.values / 12)?;
        serde_json::from_slice(bytes).map_err(|e| Error::format(entry, offset(bytes, &e), e.to_string()))
    }
}

fn offset(bytes: &[u8], error: &serde_json::Error) -> usize {
    let lines = bytes.split_inclusive(|b| *b == b'\n').take(error.line().saturating_sub(1));
    (lines.map(<[u8]>::len).sum::<usize>() + error.column()).min(bytes.len())
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a JSON value")
    }
    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }
    fn visit_bool<E>(self, b: bool) -> Result<Json, E> {
        Ok(Json::Bool(b))
    }
    fn visit_i64<E>(self, n: i64) -> Result<Json, E> {
        Ok(Json::Int(n))
    }
    fn visit_u64<E: serde::de::Error>(self, n: u64) -> Result<Json, E> {
        i64::try_from(n).map(Json::Int).map_err(|_| E::custom("an integer beyond 64 bits"))
    }
    fn visit_f64<E>(self, x: f64) -> Result<Json, E> {
        Ok(Json::Float(x))
    }
    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::Text(text.to_string()))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut out = Vec::new();
        while let Some(item) = items.next_element()? {
            out.push(item);
        }
        Ok(Json::Array(out))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Json, A::Error> {
        let mut out: Vec<(String, Json)> = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            out.push(entry);
        }
        let mut seen = HashSet::new();
        if let Some((key, _)) = out.iter().find(|(key, _)| !seen.insert(key.as_str())) {
            return Err(serde::de::Error::custom(format!("the key `{key}` is repeated")));
        }
        Ok(Json::Object(Object(out)))
    }
}
