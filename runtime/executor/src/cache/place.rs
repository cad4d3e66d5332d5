//! Where a cache is kept, as people say it: one word is a folder, a store's URL beside the user's folder, or `off`.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// How URLs of stores begin.
const SCHEMES: [&str; 2] = ["s3://", "file://"];

/// Where compiled code is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CachePlace {
    pub folder: PathBuf,
    /// The URL of a store that is shared with other machines.
    pub store: Option<String>,
}

impl CachePlace {
    /// What a word says, else what `SCONCE_CACHE` says: `off`, `s3://bucket/prefix`, `file:///folder`, or a folder. Without one, and beside a store, the folder is `sconce` in
    /// `XDG_CACHE_HOME`, else in `HOME/.cache`. None when there is to be none.
    #[must_use]
    pub fn of(word: Option<&OsStr>) -> Option<CachePlace> {
        Self::from(word, |name| std::env::var_os(name))
    }

    fn from(word: Option<&OsStr>, variable: impl Fn(&str) -> Option<OsString>) -> Option<CachePlace> {
        let said = word.map(OsStr::to_owned).or_else(|| variable("SCONCE_CACHE").filter(|v| !v.is_empty()));
        let store = said.as_deref().and_then(OsStr::to_str).filter(|w| SCHEMES.iter().any(|s| w.starts_with(s)));
        let store = store.map(str::to_owned);
        let folder = match said {
            Some(off) if off == "off" => return None,
            Some(folder) if store.is_none() => Some(folder.into()),
            _ => usual_folder(variable),
        };
        folder.map(|folder| CachePlace { folder, store })
    }
}

fn usual_folder(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    // The standard of these variables ignores what is relative.
    let absolute = |name| variable(name).map(PathBuf::from).filter(|p| p.is_absolute());
    let base = absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")));
    base.map(|base| base.join("sconce"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(word: Option<&str>, set: &[(&str, &str)]) -> Option<(String, Option<String>)> {
        let variable = |name: &str| set.iter().find(|(n, _)| *n == name).map(|(_, v)| OsString::from(v));
        let place = CachePlace::from(word.map(OsStr::new), variable)?;
        Some((place.folder.display().to_string(), place.store))
    }

    fn folder(path: &str) -> Option<(String, Option<String>)> {
        Some((path.into(), None))
    }

    #[test]
    fn the_folder_is_found_by_variables() {
        let home = ("HOME", "/home/me");
        assert_eq!(find(None, &[("SCONCE_CACHE", "here"), home]), folder("here"));
        assert_eq!(find(None, &[("SCONCE_CACHE", "off"), home]), None);
        assert_eq!(find(None, &[("SCONCE_CACHE", ""), ("XDG_CACHE_HOME", "/x"), home]), folder("/x/sconce"));
        assert_eq!(find(None, &[("XDG_CACHE_HOME", "x"), home]), folder("/home/me/.cache/sconce"));
        assert_eq!(find(None, &[]), None);
        assert_eq!(find(Some("there"), &[("SCONCE_CACHE", "here"), home]), folder("there"));
        assert_eq!(find(Some("off"), &[("SCONCE_CACHE", "here"), home]), None);
    }

    #[test]
    fn a_store_is_beside_the_usual_folder() {
        let both = |url: &str| Some(("/home/me/.cache/sconce".to_owned(), Some(url.to_owned())));
        let set = [("SCONCE_CACHE", "s3://bucket/a"), ("HOME", "/home/me")];
        assert_eq!(find(None, &set), both("s3://bucket/a"));
        assert_eq!(find(Some("file:///srv/code"), &set), both("file:///srv/code"));
        assert_eq!(find(Some("s3:/bucket"), &set), folder("s3:/bucket"));
    }
}
