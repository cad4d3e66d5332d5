//! `torch.nn` and what else PyTorch offers in Python: texts that Sconce's own frontend evaluates and compiles when a program uses them.
//!
//! A text's place says which Python module it belongs to: `files/torch.nn.functional/loss.py` and `files/torch.nn.functional/pooling.py` are two
//! *pieces* of the module `torch.nn.functional`, `files/torch.nn.modules.rnn.py` is the only piece of its module. Each piece is evaluated alone, when
//! something it defines is first asked for, so a program pays for what it uses. Names of other pieces are imported, as between modules.
//!
//! `generated/` holds the layers that are records (`layers/<module>.td`), written by `cargo xtask codegen`.
//!
//! ```
//! let (piece, name) = sconce_prelude::definition("torch.nn.ReLU").expect("a layer");
//! assert_eq!((piece.module.as_str(), name), ("torch.nn.modules.activation", "ReLU"));
//! ```
#![forbid(unsafe_code)]

use sconce_packed::Texts;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

/// Paths below the crate's folder, and their texts.
static FILES: Texts = include!(concat!(env!("OUT_DIR"), "/files.rs"));

static CORE_ATEN: Texts = include!(concat!(env!("OUT_DIR"), "/core_aten.rs"));

/// What operators are in Core ATen: texts of definitions, with the paths that errors call them by. `sconce-decompose` says how they are read.
pub fn core_aten() -> Vec<(&'static str, String)> {
    CORE_ATEN.unpack()
}

/// Packages whose members are defined in modules of other names: the package, what the names of those modules begin with.
const PACKAGES: &[(&str, &str)] = &[
    ("torch.nn", "torch.nn.modules."),
    ("torch.nn", "torch.nn.parallel."),
    ("torch.nn.modules", "torch.nn.modules."),
    ("torch", "torch.functional"),
];

/// A text that is evaluated as a whole.
#[derive(Debug, PartialEq, Eq)]
pub struct Piece {
    /// The Python module whose names it defines: `torch.nn.functional`. Qualified names begin with it.
    pub module: String,
    /// What tracebacks call it: `torch/nn/functional/loss.py`.
    pub file: String,
    pub text: String,
    /// The classes, functions and constants of its outermost level.
    pub defined: Vec<String>,
}

impl Piece {
    /// `path` is below `files` or `generated`.
    fn new(path: &str, text: String) -> Piece {
        let stem = path.strip_suffix(".py").unwrap_or(path);
        let (module, rest) = stem.split_once('/').map_or((stem, ""), |(m, r)| (m, r));
        let folder = module.replace('.', "/");
        let file = if rest.is_empty() { format!("{folder}.py") } else { format!("{folder}/{rest}.py") };
        Piece { module: module.to_owned(), file, defined: text.lines().filter_map(defined).collect(), text }
    }
}

/// The name that a line of the outermost level defines.
fn defined(line: &str) -> Option<String> {
    let rest = line.strip_prefix("class ").or_else(|| line.strip_prefix("def ")).unwrap_or(line);
    let end = rest.find(|c: char| c != '_' && !c.is_ascii_alphanumeric())?;
    let (name, after) = rest.split_at(end);
    let binds = rest.len() < line.len() || after.starts_with(" = ") || after.starts_with(": ");
    (!name.is_empty() && binds).then(|| name.to_owned())
}

/// The pieces of each module.
struct Modules(BTreeMap<String, Vec<Piece>>);

static MODULES: OnceLock<Modules> = OnceLock::new();

impl Modules {
    fn of<P: AsRef<str>>(files: Vec<(P, String)>) -> Modules {
        let mut modules: BTreeMap<String, Vec<Piece>> = BTreeMap::new();
        for (path, text) in files {
            let Some((_, path)) = path.as_ref().split_once('/') else { continue };
            let piece = Piece::new(path, text);
            modules.entry(piece.module.clone()).or_default().push(piece);
        }
        Modules(modules)
    }

    fn find(&self, module: &str, name: &str) -> Option<&Piece> {
        self.0.get(module)?.iter().find(|p| p.defined.iter().any(|d| d == name))
    }
}

fn modules() -> &'static Modules {
    MODULES.get_or_init(|| Modules::of(FILES.unpack()))
}

/// Reads the texts from a checkout's `frontend/prelude` in place of those that were compiled in, for whoever changes them: no build is needed to
/// try a change. Must come before anything else is asked of this crate.
///
/// # Errors
///
/// When a file cannot be read, or texts were asked for before.
pub fn read_from(folder: &Path) -> Result<(), String> {
    let mut files = Vec::new();
    for part in ["files", "generated"] {
        read(&folder.join(part), part, &mut files)?;
    }
    if files.is_empty() {
        return Err(format!("{}: there is no prelude here (no .py in files/ or generated/)", folder.display()));
    }
    files.sort_unstable();
    MODULES.set(Modules::of(files)).map_err(|_| "the prelude is already in use".to_owned())
}

fn read(folder: &Path, name: &str, files: &mut Vec<(String, String)>) -> Result<(), String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(()) };
    for entry in entries.flatten() {
        let path = entry.path();
        let inner = format!("{name}/{}", entry.file_name().to_string_lossy());
        if path.is_dir() {
            read(&path, &inner, files)?;
        } else if inner.ends_with(".py") {
            let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            files.push((inner, text));
        }
    }
    Ok(())
}

/// Is there a module of this dotted name?
pub fn is_module(name: &str) -> bool {
    modules().0.contains_key(name)
}

/// All pieces, by module and file.
pub fn pieces() -> impl Iterator<Item = &'static Piece> {
    modules().0.values().flatten()
}

/// The piece that defines what a dotted name stands for, and its name there: `torch.nn.Linear` is `Linear` of `torch.nn.modules.linear`.
pub fn definition(path: &str) -> Option<(&'static Piece, &str)> {
    let (parent, name) = path.rsplit_once('.')?;
    if modules().0.contains_key(parent) {
        return modules().find(parent, name).map(|p| (p, name));
    }
    let prefixes = PACKAGES.iter().filter(|(package, _)| *package == parent);
    let mut candidates = prefixes.flat_map(|(_, prefix)| modules().0.keys().filter(move |m| m.starts_with(prefix)));
    candidates.find_map(|m| modules().find(m, name)).map(|p| (p, name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_folder_is_a_module_and_its_files_are_pieces() {
        let p = Piece::new(
            "torch.nn.functional/loss.py",
            "import torch\n\nLIMIT = 3\nclass A:\n    b = 1\ndef f(x):\n    return x\n".to_owned(),
        );
        assert_eq!((p.module.as_str(), p.file.as_str()), ("torch.nn.functional", "torch/nn/functional/loss.py"));
        assert_eq!(p.defined, ["LIMIT", "A", "f"]);
        assert_eq!(Piece::new("torch.nn.modules.rnn.py", String::new()).file, "torch/nn/modules/rnn.py");
    }

    /// Which piece answers for a name may not depend on the order of files.
    #[test]
    fn no_name_is_defined_by_two_pieces_of_a_module() {
        let mut seen = BTreeSet::new();
        for p in pieces() {
            let own: BTreeSet<_> = p.defined.iter().filter(|d| !d.starts_with('_')).collect();
            for name in own {
                assert!(seen.insert((p.module.clone(), name.clone())), "{}.{name} is defined twice", p.module);
            }
        }
    }
}
