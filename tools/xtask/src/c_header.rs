//! `c-header` writes `tools/c/include/sconce.h` from the C interface's functions, and beside it the list of what programs were linked against: a signature in
//! that list does not change under them.

use crate::{TaskResult, root};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// Where headers lie.
pub const INCLUDE: &str = "tools/c/include";
const HEADER: &str = "tools/c/include/sconce.h";
const ABI: &str = "tools/c/include/sconce.abi";
const SETTINGS: &str = "tools/c/cbindgen.toml";

/// What the header is made of, in its order.
const SOURCES: &[&str] = &[
    "dialects/schema/src/dtype.rs",
    "runtime/exec/src/operator_library/interface.rs",
    "tools/c/src/process.rs",
    "tools/c/src/error.rs",
    "tools/c/src/model.rs",
    "tools/c/src/method.rs",
    "tools/c/src/tensor.rs",
    "tools/c/src/dlpack.rs",
    "tools/c/src/value.rs",
];

pub fn run(arguments: &[String]) -> TaskResult {
    let breaks = match arguments {
        [] => false,
        [flag] if flag == "--break" => true,
        _ => return Err("usage: cargo xtask c-header [--break]".to_owned()),
    };
    let header = header(&root())?;
    let now = declarations(&header)?;
    let recorded = Abi::recorded(&root())?;
    let changes = recorded.changes(&now);
    if !changes.is_empty() && !breaks {
        return Err(format!("{}\n{BROKEN}", changes.join("\n")));
    }
    let number = recorded.number + u32::from(!changes.is_empty());
    for (path, text) in [(HEADER, header), (ABI, Abi { number, declarations: now }.text())] {
        std::fs::write(root().join(path), text).map_err(|e| format!("{path}: {e}"))?;
        println!("wrote {path}");
    }
    Ok(())
}

const BROKEN: &str = "programs that are linked against the library would break: keep the function and add another one, or run `cargo xtask c-header --break`, which \
                      makes it another library (its soname and the version of its symbols are counted up)";

/// What `tidy` has to say: a header that is not of these sources, or of another interface than what is recorded.
pub fn findings() -> Result<Vec<String>, String> {
    let header = header(&root())?;
    let now = declarations(&header)?;
    let recorded = Abi::recorded(&root())?;
    let mut findings = recorded.changes(&now);
    if !findings.is_empty() {
        findings.push(BROKEN.to_owned());
    }
    let have = |path: &str| std::fs::read_to_string(root().join(path)).unwrap_or_default();
    if have(HEADER) != header {
        findings.push(format!("{HEADER} is stale, run `cargo xtask c-header`"));
    }
    let added: Vec<&str> = recorded.added(&now).collect();
    if !added.is_empty() {
        findings.push(format!("{ABI} does not have {}: run `cargo xtask c-header`", added.join(", ")));
    }
    Ok(findings)
}

/// The header as it should be.
fn header(root: &Path) -> Result<String, String> {
    let settings = root.join(SETTINGS);
    let config = cbindgen::Config::from_file(&settings).map_err(|e| format!("{SETTINGS}: {e}"))?;
    let builder = cbindgen::Builder::new().with_config(config);
    let builder = SOURCES.iter().fold(builder, |builder, path| builder.with_src(root.join(path)));
    let mut out = Vec::new();
    builder.generate().map_err(|e| format!("{HEADER}: {e}"))?.write(&mut out);
    String::from_utf8(out).map_err(|e| format!("{HEADER}: {e}"))
}

/// Each name that the header declares, with all that it says of it.
type Declarations = Vec<(String, String)>;

/// The interface that is recorded.
pub struct Abi {
    /// The library's soname ends in it.
    number: u32,
    declarations: Declarations,
}

impl Abi {
    pub fn recorded(root: &Path) -> Result<Abi, String> {
        let text = std::fs::read_to_string(root.join(ABI)).map_err(|e| format!("{ABI}: {e}"))?;
        Abi::read(&text).map_err(|e| format!("{ABI}: {e}"))
    }

    /// First the library, then a declaration a line.
    fn read(text: &str) -> Result<Abi, String> {
        let mut lines = text.lines().filter(|l| !l.starts_with('#') && !l.is_empty());
        let number = lines.next().and_then(|l| l.strip_prefix(SONAME)?.parse().ok());
        let number = number.ok_or_else(|| format!("its first line is not `{SONAME}` and a number"))?;
        let declarations = lines.map(|l| Ok((name(l)?.to_owned(), l.to_owned()))).collect::<Result<_, String>>()?;
        Ok(Abi { number, declarations })
    }

    fn text(&self) -> String {
        let mut out = format!(
            "# What programs were linked against, written by `cargo xtask c-header`: what stands here once does not change while the library has this name.\n{}\n",
            self.soname()
        );
        for (_, declaration) in &self.declarations {
            let _ = writeln!(out, "{declaration}");
        }
        out
    }

    /// `libsconce_rt.so.0`
    pub fn soname(&self) -> String {
        format!("{SONAME}{}", self.number)
    }

    /// Which symbols the shared library has, and of which version they are.
    pub fn version_script(&self) -> String {
        let functions: String = self.functions().map(|name| format!("    {name};\n")).collect();
        format!("SCONCE_{} {{\n  global:\n{functions}  local:\n    *;\n}};\n", self.number)
    }

    /// Names of functions.
    pub fn functions(&self) -> impl Iterator<Item = &str> {
        let functions =
            self.declarations.iter().filter(|(name, declaration)| declaration.contains(&format!("{name}(")));
        functions.map(|(name, _)| name.as_str())
    }

    /// What would break programs: names that are gone, or of which something else is said.
    fn changes(&self, now: &Declarations) -> Vec<String> {
        let found: BTreeMap<&str, &str> = now.iter().map(|(name, d)| (name.as_str(), d.as_str())).collect();
        let change = |(name, was): &(String, String)| match found.get(name.as_str()) {
            None => Some(format!("{name} is gone: it was `{was}`")),
            Some(is) if is != was => Some(format!("{name} changed: it was `{was}` and is `{is}`")),
            Some(_) => None,
        };
        self.declarations.iter().filter_map(change).collect()
    }

    /// Names that are not recorded.
    fn added<'a>(&'a self, now: &'a Declarations) -> impl Iterator<Item = &'a str> {
        let known = |name: &str| self.declarations.iter().any(|(n, _)| n == name);
        now.iter().map(|(name, _)| name.as_str()).filter(move |name| !known(name))
    }
}

const SONAME: &str = "libsconce_rt.so.";

/// The declarations of a header in its order, each on one line; of an enumeration each constant, since it may get more of them.
fn declarations(header: &str) -> Result<Declarations, String> {
    let mut out = Vec::new();
    let text = as_c(header);
    let mut rest = text.as_str();
    while let Some(end) = end_of_declaration(rest) {
        let declaration: Vec<&str> = rest[..end].split_whitespace().collect();
        let declaration = declaration.join(" ");
        rest = &rest[end + 1..];
        match declaration.strip_prefix("enum ").and_then(|d| d.split_once('{')) {
            Some((_, constants)) => {
                let constants = constants.trim_end_matches('}').split(',').map(str::trim).filter(|c| !c.is_empty());
                out.extend(constants.map(str::to_owned));
            }
            None => out.push(declaration),
        }
    }
    out.into_iter().map(|d| Ok((name(&d)?.to_owned(), d))).collect()
}

/// The text as a C compiler before C23 reads it: without comments, directives, and what is for C++ and later C.
fn as_c(header: &str) -> String {
    let mut code = String::new();
    let mut rest = header;
    while let Some((before, comment)) = rest.split_once("/*") {
        code.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    code.push_str(rest);
    // Whether each open condition holds: of those that headers have, what is asked not to be defined is not.
    let mut holds = Vec::new();
    let mut out = String::new();
    for line in code.lines().map(str::trim) {
        match line.strip_prefix('#').map(|directive| directive.split(' ').next().unwrap_or_default()) {
            Some("ifndef") => holds.push(true),
            Some("if" | "ifdef") => holds.push(false),
            Some("else") => holds.iter_mut().next_back().into_iter().for_each(|last| *last = !*last),
            Some("endif") => _ = holds.pop(),
            Some(_) => {}
            None if holds.iter().all(|h| *h) => _ = writeln!(out, "{}", line.split_once("//").map_or(line, |(l, _)| l)),
            None => {}
        }
    }
    out
}

/// Where the semicolon is that ends the first declaration.
fn end_of_declaration(text: &str) -> Option<usize> {
    let mut depth = 0i32;
    text.char_indices().find_map(|(i, c)| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        (c == ';' && depth == 0).then_some(i)
    })
}

/// The name that a declaration is of: of a constant or a function what stands before `=` or `(`, of a type the last word, of a function's type what it points by.
fn name(declaration: &str) -> Result<&str, String> {
    let pointer = || declaration.strip_prefix("typedef ")?.split_once("(*")?.1.split(')').next();
    let head = match declaration.split_once('{') {
        Some((_, rest)) => rest.rsplit('}').next().filter(|alias| !alias.trim().is_empty()),
        None => pointer().or_else(|| declaration.split(['=', '(']).next()),
    };
    let word = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
    let named = head.or(declaration.split('{').next()).and_then(|h| h.trim().rsplit(word).next());
    named.filter(|n| !n.is_empty()).ok_or_else(|| format!("`{declaration}` declares no name"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "#ifndef SCONCE_H\n#define SCONCE_H\n#include <stdint.h>\n/* A comment; with a semicolon. */\nenum SconceKind\n#if defined(__cplusplus) || \
                         __STDC_VERSION__ >= 202311L\n  : int32_t\n#endif // C23\n {\n  /* None. */\n  SCONCE_KIND_NONE = 0,\n  SCONCE_KIND_BOOL = 1,\n};\n#ifndef __cplusplus\n#if __STDC_VERSION__ >= \
                         202311L\ntypedef enum SconceKind SconceKind;\n#else\ntypedef int32_t SconceKind;\n#endif // C23\n#endif // __cplusplus\ntypedef struct SconceModel SconceModel;\ntypedef int32_t (*SconceRegister)(const void *host);\ntypedef struct SconceElements {\n  int32_t dtype;\n  size_t \
                         rank;\n} SconceElements;\n#ifdef __cplusplus\nextern \"C\" {\n#endif // __cplusplus\nvoid sconce_free(SconceModel *model,\n                 void \
                         (*release)(void *context));\n#ifdef __cplusplus\n}\n#endif\n#endif\n";

    fn abi(header: &str) -> Abi {
        Abi { number: 3, declarations: declarations(header).expect("C") }
    }

    #[test]
    fn a_header_becomes_a_declaration_a_line() {
        let text = abi(SMALL).text();
        let lines: Vec<&str> = text.lines().skip(1).collect();
        let expected = [
            "libsconce_rt.so.3",
            "SCONCE_KIND_NONE = 0",
            "SCONCE_KIND_BOOL = 1",
            "typedef int32_t SconceKind",
            "typedef struct SconceModel SconceModel",
            "typedef int32_t (*SconceRegister)(const void *host)",
            "typedef struct SconceElements { int32_t dtype; size_t rank; } SconceElements",
            "void sconce_free(SconceModel *model, void (*release)(void *context))",
        ];
        assert_eq!(lines, expected);
        let read = Abi::read(&text).expect("as it was written");
        assert_eq!(read.text(), text);
        let names: Vec<&str> = read.declarations.iter().map(|(name, _)| name.as_str()).collect();
        let expected = [
            "SCONCE_KIND_NONE",
            "SCONCE_KIND_BOOL",
            "SconceKind",
            "SconceModel",
            "SconceRegister",
            "SconceElements",
            "sconce_free",
        ];
        assert_eq!(names, expected);
        assert_eq!(read.version_script(), "SCONCE_3 {\n  global:\n    sconce_free;\n  local:\n    *;\n};\n");
    }

    #[test]
    fn a_changed_signature_breaks_and_an_added_one_is_to_be_recorded() {
        let changes = |from: &str, to: &str| abi(SMALL).changes(&declarations(&SMALL.replace(from, to)).expect("C"));
        let changed = changes("SconceModel *model", "const SconceModel *model");
        assert!(changed.len() == 1 && changed[0].starts_with("sconce_free changed: it was `void"), "{changed:?}");
        assert_eq!(
            changes("BOOL = 1", "BOOL = 2"),
            ["SCONCE_KIND_BOOL changed: it was `SCONCE_KIND_BOOL = 1` and is `SCONCE_KIND_BOOL = 2`"]
        );
        let renamed = changes("sconce_free", "sconce_drop");
        assert!(renamed.len() == 1 && renamed[0].starts_with("sconce_free is gone"), "{renamed:?}");
        assert_eq!(changes("size_t rank", "uint32_t rank").len(), 1);
        let more =
            declarations(&SMALL.replace("void sconce_free", "void sconce_add(void);\nvoid sconce_free")).expect("C");
        assert!(abi(SMALL).changes(&more).is_empty());
        assert_eq!(abi(SMALL).added(&more).collect::<Vec<_>>(), ["sconce_add"]);
    }

    #[test]
    fn the_header_and_its_record_are_fresh() {
        assert_eq!(findings().expect("a header"), Vec::<String>::new());
    }
}
