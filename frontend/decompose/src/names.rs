//! Names of nodes are given as `torch.fx` gives them: by the function's name, with a number where the name is taken or means something in Python.

use rustc_hash::{FxHashMap, FxHashSet};

/// Names that Python has for itself and that functions of graphs have too.
const TAKEN_BY_PYTHON: &[&str] = &[
    "abs",
    "all",
    "and",
    "any",
    "ascii",
    "bin",
    "bool",
    "bytes",
    "chr",
    "compile",
    "complex",
    "copyright",
    "device",
    "dict",
    "dir",
    "divmod",
    "eval",
    "filter",
    "float",
    "format",
    "hash",
    "help",
    "hex",
    "id",
    "in",
    "inf",
    "input",
    "int",
    "is",
    "iter",
    "len",
    "license",
    "list",
    "locals",
    "map",
    "max",
    "min",
    "nan",
    "next",
    "not",
    "object",
    "oct",
    "open",
    "or",
    "ord",
    "pow",
    "print",
    "property",
    "range",
    "repr",
    "reversed",
    "round",
    "set",
    "slice",
    "sorted",
    "str",
    "sum",
    "super",
    "torch",
    "tuple",
    "type",
    "vars",
    "zip",
];

/// The names of one graph. A name that was given stays taken, also when its node is gone.
#[derive(Default)]
pub(crate) struct Names {
    used: FxHashSet<String>,
    /// The number that a base name was last given.
    numbers: FxHashMap<String, u32>,
}

impl Names {
    /// Takes a name as it is.
    pub fn keep(&mut self, name: &str) {
        self.used.insert(name.to_owned());
    }

    /// A name for a node of this function; also `add_1` may be asked for, and counts as `add`.
    pub fn unique(&mut self, wanted: &str) -> String {
        let (base, number) = split(wanted);
        let mut number = number.or_else(|| self.numbers.get(base).copied()).unwrap_or(0);
        let mut name = wanted.to_owned();
        while self.used.contains(&name) || TAKEN_BY_PYTHON.contains(&name.as_str()) {
            number = number.saturating_add(1);
            name = format!("{base}_{number}");
        }
        self.used.insert(name.clone());
        self.numbers.insert(base.to_owned(), number);
        name
    }
}

/// A name and the number behind it.
fn split(name: &str) -> (&str, Option<u32>) {
    match name.rsplit_once('_').map(|(base, number)| (base, number.parse())) {
        Some((base, Ok(number))) if !base.is_empty() => (base, Some(number)),
        _ => (name, None),
    }
}

/// What a node that calls this function is called: `add` of `aten::add.Tensor`, `lshift` of `aten::__lshift__.Scalar`.
pub(crate) fn base(function: &str) -> &str {
    let magic = function.strip_prefix("__").and_then(|name| name.strip_suffix("__"));
    magic.unwrap_or(function)
}
