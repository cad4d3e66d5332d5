//! Records of functions (`frontend/prelude/functions/*.td`) as Python text.

use super::GENERATED;
use crate::codegen;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use tblgen::error::{SourceError, TableGenError};
use tblgen::{Record, RecordKeeper, TableGenParser};

const RECORDS: &str = "frontend/prelude/functions";
/// The classes of records; not a family.
const CLASSES: &str = "Function.td";
const MODULE: &str = "torch.nn.functional";
const WIDTH: usize = 120;
/// The argument that asks for indices beside a result.
const CHOICE: &str = "return_indices";

/// Names in expressions that stand for themselves.
const WORDS: &[&str] =
    &["None", "True", "False", "and", "or", "not", "is", "in", "if", "else", "len", "str", "float", "int", "bool"];

/// What reading a field of a record gives.
type Td<T> = Result<T, SourceError<TableGenError>>;

/// Every generated file with its text, by path below the root.
pub fn generate(root: &Path) -> Result<BTreeMap<String, String>, String> {
    let folder = root.join(RECORDS);
    let Ok(entries) = std::fs::read_dir(&folder) else { return Ok(BTreeMap::new()) };
    let names = entries.flatten().filter_map(|e| e.file_name().into_string().ok());
    let families: BTreeSet<String> =
        names.filter(|n| n != CLASSES).filter_map(|n| Some(n.strip_suffix(".td")?.to_owned())).collect();
    let operators = codegen::read(root)?.iter().map(|op| op.schema.name.to_string()).collect();
    let mut reader = Reader { operators, defined: BTreeMap::new(), errors: Vec::new() };
    let mut files = BTreeMap::new();
    for family in families {
        let read = reader.family(&folder, &family);
        files.insert(format!("{GENERATED}/{MODULE}/{family}.py"), read.text(&family));
    }
    if reader.errors.is_empty() {
        return Ok(files);
    }
    Err(format!("{} errors in the records of functions\n{}", reader.errors.len(), reader.errors.join("\n")))
}

/// The records of one file, in their order.
#[derive(Default)]
struct Family {
    functions: Vec<Function>,
    /// Names of functions and the operators that they are.
    synonyms: Vec<[String; 2]>,
}

/// A function as its record says it.
struct Function {
    name: String,
    /// Its name in compiled programs.
    compiled: String,
    parameters: Vec<Parameter>,
    /// What is bound, and to what.
    lets: Vec<[String; 2]>,
    checks: Vec<Check>,
    /// Conditions and results.
    cases: Vec<[String; 2]>,
    result: String,
    /// The result with its indices, where an argument asks for them; else empty.
    pair: String,
    /// Functions of other texts that it calls.
    helpers: BTreeSet<String>,
}

struct Parameter {
    name: String,
    ty: String,
    default: String,
}

/// An error that is raised.
struct Check {
    when: String,
    error: String,
    words: String,
}

/// What records are read against, and what was found wrong with them.
struct Reader {
    operators: BTreeSet<String>,
    /// The families of the functions read so far.
    defined: BTreeMap<String, String>,
    errors: Vec<String>,
}

impl Reader {
    fn family(&mut self, folder: &Path, family: &str) -> Family {
        let file = folder.join(format!("{family}.td"));
        let parser = TableGenParser::new()
            .add_include_directory(&folder.to_string_lossy())
            .add_source_file(&file.to_string_lossy());
        let keeper = match parser.parse() {
            Ok(keeper) => keeper,
            Err(e) => {
                self.errors.push(format!("{}: {e}", file.display()));
                return Family::default();
            }
        };
        Family {
            functions: self.each(&keeper, family, "Function", Reader::function),
            synonyms: self.each(&keeper, family, "Synonym", Reader::synonym),
        }
    }

    /// What `read` makes of every record of the class.
    fn each<T>(
        &mut self,
        keeper: &RecordKeeper<'_>,
        family: &str,
        class: &str,
        read: fn(&Reader, Record<'_>) -> Result<T, String>,
    ) -> Vec<T> {
        let mut records: Vec<Record<'_>> = keeper.all_derived_definitions(class).collect();
        records.sort_by_key(|r| r.id());
        let mut all = Vec::new();
        for record in records {
            let name = record.name().unwrap_or_default().to_owned();
            let result = match self.defined.get(&name) {
                Some(other) => Err(format!("{name} has a record in {other}.td already")),
                None => read(self, record),
            };
            match result {
                Ok(read) => all.push(read),
                Err(message) => self.errors.push(codegen::located(keeper, record, message)),
            }
            self.defined.insert(name, family.to_owned());
        }
        all
    }

    fn function(&self, record: Record<'_>) -> Result<Function, String> {
        let mut function = read(record).map_err(|e| e.to_string())?;
        function.check(self)?;
        Ok(function)
    }

    fn synonym(&self, record: Record<'_>) -> Result<[String; 2], String> {
        let operator = record.str_value("operator").map_err(|e| e.to_string())?;
        self.operator(operator)?;
        Ok([record.name().map_err(|e| e.to_string())?.to_owned(), operator.to_owned()])
    }

    /// Is there such an operator?
    fn operator(&self, name: &str) -> Result<(), String> {
        let full = format!("aten::{name}");
        if self.operators.contains(&full) { Ok(()) } else { Err(format!("there is no operator {full}")) }
    }
}

impl Parameter {
    fn read(record: Record<'_>) -> Td<Parameter> {
        let text = |field| record.str_value(field).map(str::to_owned);
        Ok(Parameter { name: text("name")?, ty: text("type")?, default: text("default")? })
    }
}

impl Check {
    fn read(record: Record<'_>) -> Td<Check> {
        let text = |field| record.str_value(field).map(str::to_owned);
        Ok(Check { when: text("when")?, error: text("error")?, words: text("words")? })
    }
}

/// Two fields of a record.
fn pair(record: Record<'_>, first: &str, second: &str) -> Td<[String; 2]> {
    Ok([record.str_value(first)?.to_owned(), record.str_value(second)?.to_owned()])
}

/// What `read` makes of the records in a field.
fn list<'r, T>(record: Record<'r>, field: &str, read: impl Fn(Record<'r>) -> Td<T>) -> Td<Vec<T>> {
    record.list_of_defs_value(field)?.into_iter().map(read).collect()
}

fn read(record: Record<'_>) -> Td<Function> {
    Ok(Function {
        name: record.name()?.to_owned(),
        compiled: record.str_value("compiled")?.to_owned(),
        parameters: list(record, "parameters", Parameter::read)?,
        lets: list(record, "lets", |l| pair(l, "names", "value"))?,
        checks: list(record, "checks", Check::read)?,
        cases: list(record, "cases", |c| pair(c, "when", "result"))?,
        result: record.str_value("result")?.to_owned(),
        pair: record.str_value("pair")?.to_owned(),
        helpers: BTreeSet::new(),
    })
}

impl Function {
    /// Finds the helpers and what is wrong: names that nothing defines or nothing uses, no such operator.
    fn check(&mut self, reader: &Reader) -> Result<(), String> {
        let mut known: BTreeMap<&str, bool> = BTreeMap::new();
        let mut optional = false;
        for p in &self.parameters {
            // A parameter whose name begins with `_` is there for those who call, and may be unused; one chooses between two functions.
            let used = p.name.starts_with('_') || (!self.pair.is_empty() && p.name == CHOICE);
            if known.insert(&p.name, used).is_some() {
                return Err(format!("there are two parameters `{}`", p.name));
            }
            if optional && p.default.is_empty() {
                return Err(format!("`{}` needs a default, as the parameter before it has one", p.name));
            }
            optional = !p.default.is_empty();
        }
        let mut helpers = BTreeSet::new();
        for (binds, expression) in self.expressions() {
            for name in names(expression) {
                let (first, rest) = name.path.split_once('.').unwrap_or((name.path, ""));
                if let Some(used) = known.get_mut(first) {
                    *used = true;
                } else if first == "torch" {
                    reader.operator(rest)?;
                } else if name.called && rest.is_empty() && first.starts_with('_') {
                    helpers.insert(first.to_owned());
                } else if !WORDS.contains(&first) {
                    return Err(format!("`{first}` in `{expression}` is no parameter and not bound"));
                }
            }
            known.extend(binds.split(", ").filter(|b| !b.is_empty()).map(|b| (b, false)));
        }
        if let Some((name, _)) = known.iter().find(|(_, used)| !**used) {
            return Err(format!("nothing uses `{name}`"));
        }
        self.helpers = helpers;
        Ok(())
    }

    /// Its expressions in the order of their evaluation, each with the names it binds.
    fn expressions(&self) -> Vec<(&str, &str)> {
        let mut all: Vec<(&str, &str)> = self.lets.iter().map(|[names, value]| (&**names, &**value)).collect();
        for check in &self.checks {
            all.push(("", &check.when));
            // Of the words, what stands in braces.
            let parts = check.words.split('{').skip(1).filter_map(|part| part.split_once('}'));
            all.extend(parts.map(|(expression, _)| ("", expression)));
        }
        for [when, result] in &self.cases {
            all.extend([("", &**when), ("", &**result)]);
        }
        all.extend([("", &*self.result), ("", &*self.pair)]);
        all
    }

    fn text(&self) -> String {
        let mut out = String::new();
        if !self.pair.is_empty() {
            out.push_str(&self.definition(&self.with_indices(), "Tuple[Tensor, Tensor]", &self.pair));
            out.push_str("\n\n");
        }
        out.push_str(&self.definition(&self.compiled, "Tensor", &self.result));
        match (self.compiled == self.name, self.parameters.iter().position(|p| p.name == CHOICE)) {
            (true, _) => {}
            (false, Some(at)) if !self.pair.is_empty() => {
                let (name, pair, alone) = (&self.name, self.with_indices(), &self.compiled);
                let how = [
                    &format!("arg_name=\"{CHOICE}\"") as &str,
                    &format!("arg_index={at}"),
                    "default=False",
                    &format!("if_true={pair}"),
                    &format!("if_false={alone}"),
                ];
                let _ = write!(out, "\n\n{}", bracketed(&format!("{name} = boolean_dispatch"), &how, ""));
            }
            _ => {
                let _ = writeln!(out, "\n\n{} = {}", self.name, self.compiled);
            }
        }
        out
    }

    fn with_indices(&self) -> String {
        format!("{}_with_indices", self.name)
    }

    /// One function: its checks and cases, then this result.
    fn definition(&self, name: &str, returns: &str, result: &str) -> String {
        let mut out = signature(name, &self.parameters, returns);
        for [names, value] in &self.lets {
            let _ = writeln!(out, "    {names} = {value}");
        }
        for check in &self.checks {
            let _ = writeln!(out, "    if {}:", check.when);
            out.push_str(&raise(&check.error, &check.words));
        }
        for [when, result] in &self.cases {
            let _ = writeln!(out, "    if {when}:\n        return {result}");
        }
        let _ = writeln!(out, "    return {result}");
        out
    }
}

/// A name of an expression, with the attributes that follow it.
struct Name<'t> {
    path: &'t str,
    called: bool,
}

/// The names of an expression, outside of strings.
fn names(expression: &str) -> Vec<Name<'_>> {
    let in_name = |c: char| c == '_' || c == '.' || c.is_ascii_alphanumeric();
    let mut found = Vec::new();
    let mut rest = expression;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
            c if in_name(c) => rest.find(|c| !in_name(c)).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        // `.` begins the attribute of something that is no name: `f(x).dim`.
        if c == '_' || c.is_ascii_alphabetic() {
            found.push(Name { path: token, called: after.starts_with('(') });
        }
        rest = after;
    }
    found
}

/// The line, or lines, that begin the function.
fn signature(name: &str, parameters: &[Parameter], returns: &str) -> String {
    let with_default = |p: &Parameter| match p.default.as_str() {
        "" => format!("{}: {}", p.name, p.ty),
        default => format!("{}: {} = {default}", p.name, p.ty),
    };
    let texts: Vec<String> = parameters.iter().map(with_default).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    bracketed(&format!("def {name}"), &texts, &format!(" -> {returns}:"))
}

/// What stands between brackets, in one line or, where that is too long, a line each.
fn bracketed(before: &str, items: &[&str], after: &str) -> String {
    let line = format!("{before}({}){after}\n", items.join(", "));
    if line.len() <= WIDTH { line } else { format!("{before}(\n    {},\n){after}\n", items.join(",\n    ")) }
}

/// The statement that raises the error, in lines that are not too long.
fn raise(error: &str, words: &str) -> String {
    let line = format!("        raise {error}({})\n", quoted(words));
    if line.len() <= WIDTH {
        return line;
    }
    let mut out = format!("        raise {error}(\n");
    let mut part = String::new();
    for word in words.split_inclusive(' ') {
        // Quotes, a prefix, what is before them; but never within braces.
        let whole = part.matches('{').count() == part.matches('}').count();
        if whole && part.len() + word.len() + 15 > WIDTH {
            let _ = writeln!(out, "            {}", quoted(&part));
            part.clear();
        }
        part.push_str(word);
    }
    let _ = writeln!(out, "            {}\n        )", quoted(&part));
    out
}

/// The words as a string of Python; with braces, a formatted one.
fn quoted(words: &str) -> String {
    let prefix = if words.contains('{') { "f" } else { "" };
    format!("{prefix}\"{}\"", words.replace('\\', "\\\\").replace('"', "\\\""))
}

impl Family {
    fn text(&self, family: &str) -> String {
        let functions = &self.functions;
        let mut out = format!("\"\"\"Made by `cargo xtask codegen` from {RECORDS}/{family}.td; do not edit.\"\"\"\n\n");
        let paired = functions.iter().any(|f| !f.pair.is_empty());
        // A name is a word of a type: `List` is not in `BroadcastingList2[int]`.
        let words =
            |p: &'_ Parameter| p.ty.split(|c: char| !c.is_ascii_alphanumeric()).map(str::to_owned).collect::<Vec<_>>();
        let mut used: BTreeSet<String> = functions.iter().flat_map(|f| &f.parameters).flat_map(words).collect();
        used.extend(paired.then(|| "Tuple".to_owned()));
        let types: Vec<&str> =
            ["List", "Optional", "Tuple", "Union"].into_iter().filter(|t| used.contains(*t)).collect();
        if !types.is_empty() {
            let _ = writeln!(out, "from typing import {}\n", types.join(", "));
        }
        out.push_str("import torch\nfrom torch import Tensor\n");
        let mut internal: Vec<&str> =
            used.iter().map(String::as_str).filter(|t| t.starts_with("BroadcastingList")).collect();
        internal.extend(paired.then_some("boolean_dispatch"));
        if !internal.is_empty() {
            let _ = writeln!(out, "from torch._jit_internal import {}", internal.join(", "));
        }
        let helpers: BTreeSet<&str> = functions.iter().flat_map(|f| &f.helpers).map(String::as_str).collect();
        if !helpers.is_empty() {
            let helpers: Vec<&str> = helpers.into_iter().collect();
            let line = format!("from {MODULE} import {}\n", helpers.join(", "));
            out += &if line.len() <= WIDTH { line } else { bracketed(&format!("from {MODULE} import "), &helpers, "") };
        }
        if !self.synonyms.is_empty() {
            out.push('\n');
        }
        for [name, operator] in &self.synonyms {
            let _ = writeln!(out, "{name} = torch.{operator}");
        }
        for function in functions {
            let _ = write!(out, "\n\n{}", function.text());
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generated(records: &str) -> Result<String, String> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = crate::root();
        for (from, to) in [("dialects/td", "dialects/td/ops"), (RECORDS, RECORDS)] {
            std::fs::create_dir_all(folder.path().join(to)).expect("a folder");
            let class = if from == RECORDS { CLASSES } else { "SconceOps.td" };
            std::fs::copy(root.join(from).join(class), folder.path().join(from).join(class)).expect("the classes");
        }
        let ops = "include \"SconceOps.td\"\ndef : Op<\"aten::f(Tensor self) -> Tensor\">;\n";
        std::fs::write(folder.path().join("dialects/td/ops/probe.td"), ops).expect("a file");
        let text = format!("include \"{CLASSES}\"\n{records}\n");
        std::fs::write(folder.path().join(RECORDS).join("probe.td"), text).expect("a file");
        generate(folder.path()).map(|files| files.into_values().collect())
    }

    #[test]
    fn a_record_becomes_a_function() {
        let check = r#"Check<"input.dim() > 2", "ValueError", "{input.dim()} \"D\"">"#;
        let text = generated(&format!("def f : Function<[Input]> {{ let checks = [{check}]; }}"));
        let text = text.expect("a text");
        let lines = [
            "def f(input: Tensor) -> Tensor:",
            "    if input.dim() > 2:",
            "        raise ValueError(f\"{input.dim()} \\\"D\\\"\")",
            "    return torch.f(input)",
        ];
        assert!(text.ends_with(&format!("\n\n\n{}\n", lines.join("\n"))), "{text}");
    }

    #[test]
    fn a_bad_record_is_named_with_file_and_line() {
        for (record, message) in [
            ("def g : Function<[Input]>;", "there is no operator aten::g"),
            (
                "def f : Function<[Input]> { let arguments = [\"other\"]; }",
                "`other` in `torch.f(other)` is no parameter",
            ),
            ("def f : Function<[Input, Weight]> { let arguments = [\"input\"]; }", "nothing uses `weight`"),
            ("def f : Function<[Weight, Input]>;", "`input` needs a default"),
            ("def f : Function<[Input, Input]>;", "there are two parameters `input`"),
            ("def g : Synonym<\"h\">;", "there is no operator aten::h"),
        ] {
            let error = generated(&format!("\n{record}")).expect_err("an error");
            assert!(error.contains("probe.td:3:") && error.contains(message), "{error}");
        }
    }
}
