//! JSON of an archive becomes the structs of a schema within bounds: what is wrong is named by the member and the path inside it, and no key stands twice.

use crate::Error;
use indexmap::IndexMap;
use sconce_archive::Limits;
use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

/// Reads a document, and lists the members that the structs do not know, by their paths. The parser refuses more than 128 values inside each other.
///
/// # Errors
/// More bytes or values than the limits allow; what is no JSON, or not as the structs have it.
pub(crate) fn read<T: DeserializeOwned>(entry: &str, bytes: &[u8], limits: &Limits) -> Result<(T, Vec<String>), Error> {
    let bad = |path: String, what: String| Error::Json { entry: entry.to_owned(), path, what };
    let bounds = [
        ("bytes", bytes.len() as u64, limits.text_bytes),
        // Few bytes become a struct of many: that much memory is refused before it is asked for.
        ("values", bytes.iter().filter(|b| matches!(b, b',' | b'[' | b'{')).count() as u64, limits.values),
    ];
    for (what, have, limit) in bounds {
        if have > limit {
            return Err(bad(String::new(), format!("the document has {have} {what}, and the limit is {limit}")));
        }
    }
    let mut unknown = Vec::new();
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let mut track = serde_path_to_error::Track::new();
    let read = {
        let tracked = serde_path_to_error::Deserializer::new(&mut reader, &mut track);
        serde_ignored::deserialize(tracked, |path| {
            // A hostile document may have any number of them: one is enough to be refused.
            if unknown.len() < MOST_UNKNOWN {
                unknown.push(path.to_string());
            }
        })
    };
    let value = read.map_err(|e| bad(shortened(&track.path().to_string()), e.to_string()))?;
    reader.end().map_err(|e| bad(String::new(), e.to_string()))?;
    Ok((value, unknown))
}

/// The end of a path that is longer than anybody reads.
fn shortened(path: &str) -> String {
    match path.char_indices().rev().nth(MOST_OF_PATH) {
        Some((at, _)) => format!("…{}", path.get(at..).unwrap_or_default()),
        None => path.to_owned(),
    }
}

/// How much of a path is shown, in characters.
const MOST_OF_PATH: usize = 200;

/// How many unknown members are remembered.
const MOST_UNKNOWN: usize = 8;

/// A JSON object with keys of its own, in the document's order; a key that stands twice is refused.
#[derive(Clone, Debug, PartialEq)]
pub struct Table<T>(IndexMap<String, T>);

impl<T> Default for Table<T> {
    fn default() -> Table<T> {
        Table(IndexMap::new())
    }
}

impl<T> Deref for Table<T> {
    type Target = IndexMap<String, T>;
    fn deref(&self) -> &IndexMap<String, T> {
        &self.0
    }
}

/// Of entries whose keys differ; of two with one key the last stays.
impl<T> FromIterator<(String, T)> for Table<T> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(entries: I) -> Table<T> {
        Table(entries.into_iter().collect())
    }
}

impl<T: Serialize> Serialize for Table<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(&self.0)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Table<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Table<T>, D::Error> {
        struct Entries<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<T> {
            type Value = Table<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Table<T>, A::Error> {
                let mut out = IndexMap::new();
                while let Some((key, value)) = entries.next_entry::<String, T>()? {
                    if let Some(twice) = out.insert(key, value).and(out.last()) {
                        return Err(serde::de::Error::custom(format!("the key `{}` is repeated", twice.0)));
                    }
                }
                Ok(Table(out))
            }
        }

        deserializer.deserialize_map(Entries(PhantomData))
    }
}

/// A float; those that JSON lacks stand as the strings `Infinity`, `-Infinity` and `NaN`.
#[derive(Clone, Copy, Debug)]
pub struct Float(pub f64);

/// Floats of documents are equal where their bits are.
impl PartialEq for Float {
    fn eq(&self, other: &Float) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

impl Serialize for Float {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            x if x.is_nan() => serializer.serialize_str("NaN"),
            f64::INFINITY => serializer.serialize_str("Infinity"),
            f64::NEG_INFINITY => serializer.serialize_str("-Infinity"),
            x => serializer.serialize_f64(x),
        }
    }
}

impl<'de> Deserialize<'de> for Float {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Float, D::Error> {
        struct Number;

        impl Visitor<'_> for Number {
            type Value = Float;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, \"Infinity\", \"-Infinity\" or \"NaN\"")
            }
            fn visit_f64<E>(self, x: f64) -> Result<Float, E> {
                Ok(Float(x))
            }
            fn visit_i64<E>(self, n: i64) -> Result<Float, E> {
                Ok(Float(n as f64))
            }
            fn visit_u64<E>(self, n: u64) -> Result<Float, E> {
                Ok(Float(n as f64))
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Float, E> {
                match text {
                    "Infinity" => Ok(Float(f64::INFINITY)),
                    "-Infinity" => Ok(Float(f64::NEG_INFINITY)),
                    "NaN" => Ok(Float(f64::NAN)),
                    other => Err(E::invalid_value(serde::de::Unexpected::Str(other), &self)),
                }
            }
        }

        deserializer.deserialize_any(Number)
    }
}
