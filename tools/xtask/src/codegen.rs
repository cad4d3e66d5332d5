//! `codegen` writes the Rust tables that follow from the records in dialects/td/ops; `codegen --check` fails if they are stale.

mod dags;

use crate::{TaskResult, root};
use dags::{Fold, Scalar, read_fold, read_scalar};
use sconce_schema::op::{DTypeKind, FunctionSchema, Numerics, Trait};
use sconce_schema::{Argument, Type};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::path::Path;
use tblgen::error::{SourceError, TableGenError, WithLocation};
use tblgen::{Record, RecordKeeper, TableGenParser};

pub fn run(arguments: &[String]) -> TaskResult {
    let check = match arguments {
        [] => false,
        [flag] if flag == "--check" => true,
        _ => return Err("usage: cargo xtask codegen [--check]".to_owned()),
    };
    tables(check)?;
    crate::composites::compile(check)
}

/// The tables that are made of texts alone.
fn tables(check: bool) -> TaskResult {
    let mut files = generate(&root())?;
    files.extend(crate::prelude::generate(&root())?);
    let mut stale = Vec::new();
    for (path, text) in &files {
        let full = root().join(path);
        if std::fs::read_to_string(&full).is_ok_and(|old| old == *text) {
            continue;
        }
        stale.push(path.clone());
        if !check {
            if let Some(folder) = full.parent() {
                std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
            }
            std::fs::write(&full, text).map_err(|e| format!("{path}: {e}"))?;
        }
    }
    // A family that is gone must not leave its table behind.
    for folder in [SCHEMA_TABLE, KERNEL_TABLE, crate::prelude::GENERATED] {
        for path in left_behind(folder, &files) {
            if !check {
                std::fs::remove_file(root().join(&path)).map_err(|e| format!("{path}: {e}"))?;
            }
            stale.push(path);
        }
    }
    match (check, stale.is_empty()) {
        (true, false) => Err(format!("stale, run `cargo xtask codegen`: {}", stale.join(", "))),
        (false, false) => {
            println!("wrote {}", stale.join(", "));
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Generated files below a folder that nothing generates any more.
fn left_behind(folder: &str, files: &BTreeMap<String, String>) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(root().join(folder)).into_iter().flatten().flatten() {
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            found.extend(left_behind(&path, files));
        } else if [".rs", ".py"].iter().any(|e| path.ends_with(e)) && !files.contains_key(&path) {
            found.push(path);
        }
    }
    found
}

const SCHEMA_TABLE: &str = "dialects/schema/src/table";
const KERNELS: &str = "runtime/kernels/src";
const EXTRA_KERNELS: &str = "runtime/kernels-extra/src";
const EXTRA_TABLE: &str = "runtime/kernels-extra/src/table.rs";
const KERNEL_TABLE: &str = "runtime/kernels/src/table";

/// What was read of one record.
pub struct Op {
    pub family: String,
    pub schema: FunctionSchema,
    /// As the record wrote it, which is also how it prints.
    text: String,
    pub name: String,
    in_torch_mlir: bool,
    pub traits: Vec<Trait>,
    numerics: Option<Numerics>,
    pub scalar: Option<Scalar>,
    pub fold: Option<Fold>,
    pub shape: String,
    pub kernel: String,
    /// The kernel for calls with quantized tensors.
    quantized: String,
    pub functional: Option<String>,
    /// The operator that changes the container that this one gives another in place of.
    pub writer: Option<String>,
    /// What running it takes that is not here.
    pub needs: Option<String>,
    /// Each as Rust source.
    refuses: Vec<String>,
    /// Each as Rust source.
    alike: Vec<String>,
    /// Each as Rust source.
    bounds: Vec<String>,
}

impl Op {
    /// The record says what it computes: kernel, rule and lowering follow.
    pub fn means(&self) -> bool {
        self.scalar.is_some() || self.fold.is_some()
    }

    /// What it does not take: fields of `Limits` as Rust source, those that say something.
    fn limits(&self) -> Vec<String> {
        let lists = [("bounds", &self.bounds), ("refuses", &self.refuses), ("alike", &self.alike)];
        let lists = lists.into_iter().filter(|(_, list)| !list.is_empty());
        let needs = self.needs.iter().map(|needs| format!("needs: Some({needs:?})"));
        lists.map(|(name, list)| format!("{name}: &[{}]", list.join(", "))).chain(needs).collect()
    }

    /// Code follows from what the record says it computes.
    pub fn has_code(&self) -> bool {
        self.scalar.is_some() || self.fold.as_ref().is_some_and(|f| !f.is_sequential())
    }
}

/// Every record, functional forms found.
pub fn read(root: &Path) -> Result<Vec<Op>, String> {
    read_all(root).map(|(_, ops)| ops)
}

fn read_all(root: &Path) -> Result<(Vec<String>, Vec<Op>), String> {
    let folder = root.join("dialects/td/ops");
    let mut families: Vec<String> = std::fs::read_dir(&folder)
        .map_err(|e| format!("{}: {e}", folder.display()))?
        .flatten()
        .filter_map(|e| Some(e.file_name().to_str()?.strip_suffix(".td")?.to_owned()))
        .collect();
    families.sort();
    let mut ops = Vec::new();
    let mut errors = Vec::new();
    for family in &families {
        read_family(root, family, &mut ops, &mut errors);
    }
    if errors.is_empty() {
        link_functional(&mut ops, &mut errors);
        crate::composites::link(root, &mut ops, &mut errors)?;
    }
    if !errors.is_empty() {
        return Err(format!("{} errors in the op table\n{}", errors.len(), errors.join("\n")));
    }
    Ok((families, ops))
}

/// Every generated file with its text, by path below the root.
pub fn generate(root: &Path) -> Result<BTreeMap<String, String>, String> {
    let (families, ops) = read_all(root)?;
    let rooms = Rooms::find(root)?;
    let mut files = BTreeMap::new();
    for family in &families {
        let rows: Vec<&Op> = ops.iter().filter(|op| op.family == *family).collect();
        files.insert(format!("{SCHEMA_TABLE}/{family}.rs"), schema_rows(family, &rows));
        files.insert(format!("{KERNEL_TABLE}/{family}.rs"), kernel_rows(family, &rows, &rooms)?);
    }
    files.insert(
        format!("{SCHEMA_TABLE}/mod.rs"),
        module(
            &families,
            "The op table's rows, one module per family",
            "/// The rows of every family, families in alphabetical order, rows in their records' order.\n\
             pub(crate) static FAMILIES: &[(&str, &[crate::op::OpRecord])]",
            |family| format!("({family:?}, {family}::ROWS)"),
        ) + "\npub mod names;\n",
    );
    files.insert(EXTRA_TABLE.to_owned(), extra_rows(&ops, &rooms));
    files.insert(format!("{SCHEMA_TABLE}/names.rs"), names(&ops)?);
    files.insert(
        format!("{KERNEL_TABLE}/mod.rs"),
        module(
            &families,
            "Which function computes which operator, one module per family",
            "/// A kernel, or none, for every row of the op table, in its order.\n\
             pub(crate) static FAMILIES: &[&[Option<crate::Kernel>]]",
            |family| format!("{family}::ROWS"),
        ) + &quantized_rows(&ops, &rooms)?,
    );
    Ok(files)
}

fn module(families: &[String], about: &str, decl: &str, row: impl Fn(&str) -> String) -> String {
    let mut out = format!("//! {about}. Made by `cargo xtask codegen` from dialects/td/ops; do not edit.\n\n");
    for family in families {
        let _ = writeln!(out, "mod {};", family);
    }
    let _ = writeln!(out, "\n{decl} = &[");
    for family in families {
        let _ = writeln!(out, "    {},", row(family));
    }
    out.push_str("];\n");
    out
}

fn read_family(root: &Path, family: &str, ops: &mut Vec<Op>, errors: &mut Vec<String>) {
    let td = root.join("dialects/td");
    let file = td.join("ops").join(format!("{family}.td"));
    let parser =
        TableGenParser::new().add_include_directory(&td.to_string_lossy()).add_source_file(&file.to_string_lossy());
    let keeper = match parser.parse() {
        Ok(keeper) => keeper,
        Err(e) => {
            errors.push(format!("{}: {e}", file.display()));
            return;
        }
    };
    let mut records: Vec<Record<'_>> = keeper.all_derived_definitions("Op").collect();
    records.sort_by_key(|r| r.id());
    let first = ops.len();
    for record in records {
        match read_record(record, family) {
            Ok(op) => match ops.iter().find(|other| other.name == op.name) {
                Some(other) => errors.push(located(
                    &keeper,
                    record,
                    format!("{} has a record in {}.td already", op.name, other.family),
                )),
                None => ops.push(op),
            },
            Err(message) => errors.push(located(&keeper, record, message)),
        }
    }
    add_container_forms(ops, first);
}

/// Adds, behind a family's records, the operator that goes with each one that changes a container.
fn add_container_forms(ops: &mut Vec<Op>, first: usize) {
    for at in first..ops.len() {
        let op = &ops[at];
        let Some(schema) = op.schema.container_form() else { continue };
        let name = schema.full_name();
        // What was in a list of tensors is in the one that is given; where a type variable stands for it the schema says so.
        let holds_tensors = schema.returns[0].ty == Type::list(Type::tensor());
        let said: &[Trait] = if holds_tensors { &[Trait::MayView] } else { &[] };
        let form = Op {
            family: op.family.clone(),
            text: schema.to_string(),
            in_torch_mlir: false,
            traits: schema.traits(said),
            numerics: op.numerics,
            scalar: None,
            fold: None,
            // What is known of lists of tensors is not known of their changes.
            shape: if holds_tensors { "like::unknown".into() } else { String::new() },
            kernel: op.kernel.clone(),
            quantized: String::new(),
            functional: None,
            writer: Some(op.name.clone()),
            needs: op.needs.clone(),
            refuses: Vec::new(),
            alike: Vec::new(),
            bounds: Vec::new(),
            name,
            schema,
        };
        ops.push(form);
    }
}

/// The message with the record's file, line and text.
pub(crate) fn located(keeper: &RecordKeeper<'_>, record: Record<'_>, message: String) -> String {
    #[derive(Debug, thiserror::Error)]
    #[error("{0}")]
    struct Message(String);
    let error: SourceError<Message> = Message(message).with_location(record);
    error.add_source_info(keeper.source_info()).to_string()
}

pub(crate) fn say(e: SourceError<TableGenError>) -> String {
    e.to_string()
}

fn read_record(record: Record<'_>, family: &str) -> Result<Op, String> {
    let text = record.str_value("schema").map_err(say)?.to_owned();
    let schema: FunctionSchema = text.parse().map_err(|e| format!("schema `{text}`: {e}"))?;
    if schema.to_string() != text {
        return Err(format!("schema must be written `{schema}`"));
    }
    let mut traits = Vec::new();
    let mut in_torch_mlir = false;
    for t in record.list_of_defs_value("traits").map_err(say)? {
        match t.name().map_err(say)? {
            "TorchMlir" => in_torch_mlir = true,
            name => traits.push(Trait::from_name(name).ok_or_else(|| format!("no trait {name}"))?),
        }
    }
    let traits = schema.traits(&traits);
    let numerics = match record.optional_def_value("numerics") {
        None => None,
        Some(def) => Some(match def.name().map_err(say)? {
            "Exact" => Numerics::Exact,
            "Close" => Numerics::Close,
            "Loose" => Numerics::Loose,
            "Meta" => Numerics::Meta,
            other => return Err(format!("no numerics class {other}")),
        }),
    };
    let scalar = if record.is_value_unset("scalar") { None } else { Some(read_scalar(record, &schema)?) };
    let fold = if record.is_value_unset("fold") { None } else { Some(read_fold(record, &schema)?) };
    let path = |field: &str| -> Result<String, String> {
        let path = record.str_value(field).map_err(say)?;
        let ok = path.is_empty()
            || path.contains("::")
                && path.split("::").all(|p| {
                    !p.is_empty() && p.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
                });
        if ok { Ok(path.to_owned()) } else { Err(format!("{field}: `{path}` is no `module::function`")) }
    };
    Ok(Op {
        family: family.to_owned(),
        name: schema.full_name(),
        in_torch_mlir,
        traits,
        numerics,
        scalar,
        fold,
        bounds: read_bounds(record, &schema)?,
        refuses: read_refusals(record, &schema)?,
        alike: read_alike(record, &schema)?,
        shape: path("shape")?,
        kernel: path("kernel")?,
        quantized: path("quantized")?,
        needs: Some(record.str_value("needs").map_err(say)?.to_owned()).filter(|s| !s.is_empty()),
        functional: Some(record.str_value("functional").map_err(say)?.to_owned()).filter(|s| !s.is_empty()),
        writer: None,
        text,
        schema,
    })
}

/// The schema positions of arguments.
fn places(names: &str, schema: &FunctionSchema) -> Result<Vec<usize>, String> {
    let at = |name| schema.argument_index(name).ok_or_else(|| format!("no argument `{name}`"));
    names.split(' ').map(at).collect()
}

fn read_alike(record: Record<'_>, schema: &FunctionSchema) -> Result<Vec<String>, String> {
    let mut all = Vec::new();
    for alike in record.list_of_defs_value("alike").map_err(say)? {
        let places = places(alike.str_value("arguments").map_err(say)?, schema)?;
        all.push(format!("Alike {{ arguments: &{places:?}, text: {:?} }}", alike.str_value("text").map_err(say)?));
    }
    Ok(all)
}

fn read_bounds(record: Record<'_>, schema: &FunctionSchema) -> Result<Vec<String>, String> {
    let bound = |bound: Record<'_>| {
        let argument = places(bound.str_value("argument").map_err(say)?, schema)?[0];
        let (positive, text) = (bound.bit_value("positive").map_err(say)?, bound.str_value("text").map_err(say)?);
        Ok(format!("Bound {{ argument: {argument}, positive: {positive}, text: {text:?} }}"))
    };
    record.list_of_defs_value("bounds").map_err(say)?.into_iter().map(bound).collect()
}

fn read_refusals(record: Record<'_>, schema: &FunctionSchema) -> Result<Vec<String>, String> {
    let mut refusals = Vec::new();
    // Of a loss too the operands are promoted.
    let pointwise = !record.is_value_unset("scalar")
        || schema.argument_index("reduction").is_some_and(|_| !record.is_value_unset("fold"));
    for refusal in record.list_of_defs_value("refuses").map_err(say)? {
        let mut kinds = Vec::new();
        for kind in refusal.list_of_defs_value("kinds").map_err(say)? {
            let name = kind.name().map_err(say)?;
            kinds.push(DTypeKind::from_name(name).ok_or_else(|| format!("refuses: no dtypes {name}"))?);
        }
        let of = match refusal.str_value("of").map_err(say)? {
            "" if pointwise => "Promoted".to_owned(),
            "" => "Arguments(&[0])".to_owned(),
            "any" => "Any".to_owned(),
            "result" => "Result".to_owned(),
            names => format!("Arguments(&{:?})", places(names, schema)?),
        };
        let error = refusal.str_value("error").map_err(say)?;
        if !["Runtime", "Index", "Value", "Type", "NotImplemented"].contains(&error) {
            return Err(format!("refuses: no error {error}"));
        }
        let kinds: Vec<String> = kinds.iter().map(|k| format!("DTypeKind::{k:?}")).collect();
        refusals.push(format!(
            "Refusal {{ of: Operands::{of}, kinds: &[{}], text: {:?}, error: ErrorKind::{error}, unless_empty: {} }}",
            kinds.join(", "),
            refusal.str_value("text").map_err(say)?,
            refusal.bit_value("unlessEmpty").map_err(say)?,
        ));
    }
    Ok(refusals)
}

/// Finds the functional form of in-place and `out=` forms: the same arguments, none written.
fn link_functional(ops: &mut [Op], errors: &mut Vec<String>) {
    let mut by_base: HashMap<String, Vec<usize>> = HashMap::new();
    for (i, op) in ops.iter().enumerate() {
        if op.schema.is_functional() {
            by_base.entry(op.schema.name.to_string()).or_default().push(i);
        }
    }
    let mut found = Vec::new();
    for op in ops.iter() {
        if let Some(name) = &op.functional {
            if !ops.iter().any(|o| o.name == *name) {
                errors.push(format!("{}: functional form {name} has no record", op.name));
            }
            found.push(None);
            continue;
        }
        let s = &op.schema;
        let base = if s.is_in_place() {
            s.name[..s.name.len() - 1].to_owned()
        } else if s.is_out() {
            s.name.to_string()
        } else {
            found.push(None);
            continue;
        };
        let writes_tensor = |a: &&Argument| {
            let element = if let Type::List(element) = &a.ty { element } else { &a.ty };
            a.is_written() && *element == Type::tensor()
        };
        if !s.arguments.iter().any(|a| writes_tensor(&a)) {
            found.push(None);
            continue;
        }
        let inputs: Vec<&Argument> = s.arguments.iter().filter(|a| !a.is_out()).collect();
        let same = |f: &FunctionSchema, names: bool| {
            // A functional form that makes a tensor may ask for its options besides.
            let mut options = 0;
            let rest: Vec<&Argument> = f
                .arguments
                .iter()
                .filter(|a| {
                    let option = ["dtype", "layout", "device", "pin_memory", "memory_format", "requires_grad"]
                        .contains(&&*a.name)
                        && a.kwarg_only
                        && !inputs.iter().any(|i| i.name == a.name);
                    options += usize::from(option);
                    !option
                })
                .collect();
            rest.len() == inputs.len()
                && rest.iter().zip(&inputs).all(|(a, b)| a.ty == b.ty && (!names || a.name == b.name))
        };
        // `polygamma_(self, n)` is `polygamma(n, self)`.
        let same_names = |f: &FunctionSchema| {
            f.arguments.len() == inputs.len()
                && inputs.iter().all(|i| f.arguments.iter().any(|a| a.name == i.name && a.ty == i.ty))
        };
        let candidates = by_base.get(&base).map_or(&[][..], Vec::as_slice);
        let hit = candidates
            .iter()
            .find(|i| same(&ops[**i].schema, true))
            .or_else(|| candidates.iter().find(|i| same_names(&ops[**i].schema)))
            .or_else(|| candidates.iter().find(|i| same(&ops[**i].schema, false)));
        found.push(hit.map(|i| ops[*i].name.clone()));
    }
    for (op, functional) in ops.iter_mut().zip(found) {
        if op.functional.is_none() {
            op.functional = functional;
        }
    }
    let numerics: HashMap<String, Numerics> =
        ops.iter().filter_map(|op| Some((op.name.clone(), op.numerics?))).collect();
    for op in ops.iter_mut() {
        if op.numerics.is_none() {
            op.numerics = op.functional.as_ref().and_then(|f| numerics.get(f)).copied();
        }
    }
}

fn schema_rows(family: &str, rows: &[&Op]) -> String {
    let mut out = format!(
        "//! Rows of the op table, family `{family}`. Made by `cargo xtask codegen` from dialects/td/ops/{family}.td; do not edit.\n\n"
    );
    let fold = rows.iter().any(|op| op.fold.is_some());
    let scalars = || rows.iter().flat_map(|op| op.scalar.iter().chain(op.fold.as_ref().map(|f| &f.element)));
    let scalar = scalars().next().is_some();
    let functions = |of: &str| scalars().any(|s| s.nodes.iter().any(|n| n.starts_with(of)));
    let mut words = vec!["Compute", "Node::*", "ScalarExpr"];
    words.splice(0..0, functions("Binary(").then_some("Binary"));
    words.extend(functions("Unary(").then_some("Unary"));
    let words = format!("use crate::scalar::{{{}}};", words.join(", "));
    let bounds = rows.iter().any(|op| !op.bounds.is_empty());
    let refuses = rows.iter().any(|op| !op.refuses.is_empty());
    let alike = rows.iter().any(|op| !op.alike.is_empty());
    let limits = rows.iter().any(|op| !op.limits().is_empty());
    let numerics = rows.iter().any(|op| op.numerics.is_some_and(|n| n != Numerics::Exact));
    let traits = rows.iter().any(|op| !op.traits.is_empty());
    let mut record = vec!["OpRecord"];
    record.splice(0..0, numerics.then_some("Numerics::*"));
    record.splice(0..0, limits.then_some("Limits"));
    record.extend(traits.then_some(["Trait::*", "Traits"]).into_iter().flatten());
    let record = match record[..] {
        [only] => format!("use crate::op::{only};"),
        _ => format!("use crate::op::{{{}}};", record.join(", ")),
    };
    // In rustfmt's order.
    for (wanted, text) in [
        (fold, "use crate::fold::{Fold, Reducer};"),
        (alike, "use crate::op::Alike;"),
        (bounds, "use crate::op::Bound;"),
        (refuses, "use crate::op::{DTypeKind, Operands, Refusal};"),
        (true, &record),
        (scalar, &words),
        (refuses, "use crate::shape::ErrorKind;"),
        (scalar, "use std::borrow::Cow::Borrowed;"),
    ] {
        if wanted {
            out.push_str(text);
            out.push('\n');
        }
    }
    let folds = if fold { "const FOLD: Fold = Fold::DEFAULT;\n" } else { "" };
    let none = if limits { "const NONE: Limits = Limits::NONE;\n" } else { "" };
    let _ = write!(
        out,
        "\nconst ROW: OpRecord = OpRecord::DEFAULT;\n{none}{folds}\n\
         #[rustfmt::skip]\npub(super) static ROWS: &[OpRecord] = &[\n"
    );
    for op in rows {
        let _ = write!(out, "    OpRecord {{ schema_text: {:?}", op.text);
        if op.in_torch_mlir {
            out.push_str(", in_torch_mlir: true");
        }
        if !op.traits.is_empty() {
            let traits: Vec<&str> = op.traits.iter().map(|t| t.name()).collect();
            let _ = write!(out, ", traits: Traits::of(&[{}])", traits.join(", "));
        }
        if let Some(n) = op.numerics.filter(|n| *n != Numerics::Exact) {
            let _ = write!(out, ", numerics: {n:?}");
        }
        if let Some(f) = &op.functional {
            let _ = write!(out, ", functional: Some({f:?})");
        }
        if !op.shape.is_empty() {
            let _ = write!(out, ", shape: Some(|a| crate::shape::rule(crate::shape::{}, a, ()))", op.shape);
        }
        if let Some(s) = &op.scalar {
            let _ = write!(out, ", scalar: Some(&{s})");
        }
        if let Some(f) = &op.fold {
            let _ = write!(out, ", fold: Some(&{f})");
        }
        let limits = op.limits();
        if !limits.is_empty() {
            let _ = write!(out, ", limits: &Limits {{ {}, ..NONE }}", limits.join(", "));
        }
        out.push_str(", ..ROW },\n");
    }
    out.push_str("];\n");
    out
}

/// The constants of a namespace by their words: id and name of the operator.
pub type Constants<'o> = BTreeMap<String, (usize, &'o str)>;

/// The constant that every operator has, by namespace.
pub fn constants(ops: &[Op]) -> Result<BTreeMap<&str, Constants<'_>>, String> {
    let all: BTreeSet<&str> = ops.iter().map(|op| op.name.as_str()).collect();
    let mut namespaces: BTreeMap<&str, Constants<'_>> = BTreeMap::new();
    for (id, op) in ops.iter().enumerate() {
        let (namespace, rest) = op.name.split_once("::").ok_or_else(|| format!("{}: no namespace", op.name))?;
        let plain = rest.replace('.', "_");
        // `add_out` is an operator beside `add.out`.
        let taken = plain != rest && all.contains(format!("{namespace}::{plain}").as_str());
        let word = if taken { rest.replace('.', "__") } else { unreserved(plain) };
        if let Some((_, other)) = namespaces.entry(namespace).or_default().insert(word.clone(), (id, &op.name)) {
            return Err(format!("{} and {other} would both be the constant {namespace}::{word}", op.name));
        }
    }
    Ok(namespaces)
}

/// A constant for every operator: whoever names one that is not there does not compile.
fn names(ops: &[Op]) -> Result<String, String> {
    let mut out = "//! Every operator of the op table as a constant, `aten::add_Tensor` for `aten::add.Tensor`. Made by `cargo xtask codegen` from\n\
         //! dialects/td/ops; do not edit.\n\n\
         #![allow(non_upper_case_globals, reason = \"named as the operators are\")]\n\n"
        .to_owned();
    for (namespace, words) in constants(ops)? {
        let _ =
            writeln!(out, "/// `{namespace}::…`\n#[rustfmt::skip]\npub mod {namespace} {{\n    use crate::op::OpId;");
        for (word, (id, name)) in words {
            let _ = writeln!(out, "    /// `{name}`\n    pub const {word}: OpId = OpId({id});");
        }
        out.push_str("}\n");
    }
    Ok(out)
}

/// The word as Rust takes it, which keeps some for itself.
fn unreserved(word: String) -> String {
    const RESERVED: &[&str] = &[
        "as", "break", "const", "continue", "do", "else", "enum", "final", "fn", "for", "if", "in", "let", "loop",
        "match", "mod", "move", "mut", "ref", "return", "static", "struct", "trait", "try", "type", "use", "where",
        "while", "yield",
    ];
    if RESERVED.contains(&word.as_str()) { format!("r#{word}") } else { word }
}

/// Where the kernels' modules are, by module: records say `conv::conv2d`, wherever `conv.rs` is.
struct Rooms {
    /// Rooms of `sconce-kernels`.
    kernels: BTreeMap<String, String>,
    /// Of `sconce-kernels-extra`, which stands above it.
    extra: BTreeMap<String, String>,
}

impl Rooms {
    fn find(root: &Path) -> Result<Rooms, String> {
        let rooms = Rooms { kernels: rooms_of(root, KERNELS)?, extra: rooms_of(root, EXTRA_KERNELS)? };
        match rooms.extra.keys().find(|module| rooms.kernels.contains_key(*module)) {
            Some(twice) => Err(format!("kernel module `{twice}` is in {KERNELS} and in {EXTRA_KERNELS}")),
            None => Ok(rooms),
        }
    }

    /// The path of a kernel as the table of `sconce-kernels` writes it.
    fn path(&self, kernel: &str) -> Result<String, String> {
        let module = kernel.split("::").next().unwrap_or_default();
        match (self.kernels.get(module), self.is_extra(kernel)) {
            (Some(room), _) => Ok(format!("crate::{room}{kernel}")),
            (None, true) => Ok("crate::engine::extra::elsewhere".to_owned()),
            (None, false) => Err(format!("kernel {kernel}: no module `{module}` below {KERNELS} or {EXTRA_KERNELS}")),
        }
    }

    fn is_extra(&self, kernel: &str) -> bool {
        kernel.split("::").next().is_some_and(|module| self.extra.contains_key(module))
    }
}

/// Modules of a crate and of its rooms; two of one name could not be told apart by a record.
fn rooms_of(root: &Path, folder: &str) -> Result<BTreeMap<String, String>, String> {
    let names = |folder: &Path| -> BTreeSet<String> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let name = |e: std::fs::DirEntry| e.file_name().to_str().map(|n| n.trim_end_matches(".rs").to_owned());
        // A module with a folder of its own appears as both.
        entries.filter_map(name).filter(|n| n != "mod" && n != "lib" && n != "table").collect()
    };
    let mut rooms = BTreeMap::new();
    let folder = root.join(folder);
    for room in names(&folder) {
        let mut kept = vec![(room.clone(), String::new())];
        kept.extend(names(&folder.join(&room)).into_iter().map(|m| (m, format!("{room}::"))));
        for (module, room) in kept {
            if let Some(other) = rooms.insert(module.clone(), room.clone()) {
                return Err(format!(
                    "kernel module `{module}` is in `{other}` and in `{room}`: records could not say which"
                ));
            }
        }
    }
    Ok(rooms)
}

fn kernel_rows(family: &str, rows: &[&Op], rooms: &Rooms) -> Result<String, String> {
    let mut out = format!(
        "//! Kernels of family `{family}`. Made by `cargo xtask codegen` from dialects/td/ops/{family}.td; do not edit.\n\n\
         #[rustfmt::skip]\npub(super) static ROWS: &[Option<crate::Kernel>] = &[\n"
    );
    for op in rows {
        let kernel = match &*op.kernel {
            "" => "None".to_owned(),
            // The same kernel, on a container of its own.
            kernel if op.writer.is_some() => {
                let changed = rooms.path("copy_on_write::changed")?;
                format!("Some(|call, args| {changed}(call, args, crate::kernel({})))", rooms.path(kernel)?)
            }
            kernel => format!("Some(crate::kernel({}))", rooms.path(kernel)?),
        };
        let _ = writeln!(out, "    {kernel}, // {}", op.name);
    }
    out.push_str("];\n");
    Ok(out)
}

/// The operators whose kernels are in the crate above.
fn extra_rows(ops: &[Op], rooms: &Rooms) -> String {
    let mut out = "//! Which function computes which operator. Made by `cargo xtask codegen` from dialects/td/ops; do not edit.\n\n\
         /// By full name, in its order.\n\
         #[rustfmt::skip]\npub(crate) static KERNELS: &[(&str, sconce_kernels::Kernel)] = &[\n"
        .to_owned();
    let mut extra: Vec<&Op> = ops.iter().filter(|op| rooms.is_extra(&op.kernel)).collect();
    extra.sort_by(|a, b| a.name.cmp(&b.name));
    for op in extra {
        let _ = writeln!(out, "    ({:?}, sconce_kernels::kernel(crate::{})),", op.name, op.kernel);
    }
    out.push_str("];\n");
    out
}

/// The few operators whose kernel for quantized tensors is another one.
fn quantized_rows(ops: &[Op], rooms: &Rooms) -> Result<String, String> {
    let mut out = "\n/// By name, the kernels for calls with quantized tensors.\n\
         #[rustfmt::skip]\npub(crate) static QUANTIZED: &[(&str, crate::Kernel)] = &[\n"
        .to_owned();
    let mut named: Vec<&Op> = ops.iter().filter(|op| !op.quantized.is_empty()).collect();
    named.sort_by(|a, b| a.name.cmp(&b.name));
    for op in named {
        let _ = writeln!(out, "    ({:?}, crate::kernel({})),", op.name, rooms.path(&op.quantized)?);
    }
    out.push_str("];\n");
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_tables_are_fresh() {
        if let Err(message) = tables(true) {
            panic!("{message}");
        }
    }

    fn errors_of(records: &str) -> String {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let td = folder.path().join("dialects/td");
        std::fs::create_dir_all(td.join("ops")).expect("a folder");
        std::fs::copy(root().join("dialects/td/SconceOps.td"), td.join("SconceOps.td")).expect("the base class");
        std::fs::write(td.join("ops/probe.td"), format!("include \"SconceOps.td\"\n{records}\n")).expect("a file");
        generate(folder.path()).err().unwrap_or_default()
    }

    #[test]
    fn a_bad_record_is_named_with_file_and_line() {
        let good = "def : Op<\"aten::f(Tensor self) -> Tensor\"> { let scalar = (exp $self); }";
        assert_eq!(errors_of(good), "");
        let bad = errors_of(&format!("{good}\ndef : Op<\"aten::g(Tensor self) Tensor\">;"));
        assert!(bad.contains("probe.td:3:") && bad.contains("column 22: expected `->`"), "{bad}");
        let unknown = errors_of("def : Op<\"aten::f(Tensor self) -> Tensor\"> { let scalar = (exp $other); }");
        assert!(unknown.contains("probe.td:2:") && unknown.contains("no argument `$other`"), "{unknown}");
        let twice = errors_of(&format!("{good}\n{good}"));
        assert!(twice.contains("probe.td:3:") && twice.contains("has a record in probe.td already"), "{twice}");
    }
}
