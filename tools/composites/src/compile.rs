//! A file of definitions to graphs: `# aten::op` before a `def` says whose definition it is; parameters have the record's names and take its types.

use crate::listing;
use sconce_graph::error::Error;
use sconce_graph::graph::{Graph, Loc, SourceText};
use sconce_graph::unit::Unit;
use sconce_schema::types::Type;
use sconce_schema::{OpEntry, lookup};
use sconce_script::emit::{Compiler, Declaration, Resolver, Sugared};
use sconce_script::passes;
use sconce_syntax::script::tree::{Def, StmtKind};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// An operator's definition, compiled.
pub struct Compiled {
    pub operator: String,
    pub listing: String,
    /// The operators that it calls, and the functional forms of those that write.
    pub calls: Vec<String>,
}

/// All definitions of a file, in its order.
pub fn file(path: &str, text: &str) -> Result<Vec<Compiled>, Vec<String>> {
    let mut compiled = Vec::new();
    let mut errors = Vec::new();
    let lines: Vec<&str> = text.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        for operator in operators(line) {
            match one(path, &lines, at, operator) {
                Ok(one) => compiled.push(one),
                Err(e) => errors.push(e),
            }
        }
    }
    if errors.is_empty() { Ok(compiled) } else { Err(errors) }
}

/// The operators that a line names: `# aten::a, aten::b.overload`.
fn operators(line: &str) -> impl Iterator<Item = &str> {
    let named = line.strip_prefix("# ").filter(|rest| rest.split_whitespace().all(|word| word.contains("::")));
    named.into_iter().flat_map(|names| names.split(", "))
}

/// The definition that follows line `at`, as that of an operator.
fn one(path: &str, lines: &[&str], at: usize, operator: &str) -> Result<Compiled, String> {
    let fail = |line: usize, why: String| format!("{path}:{}: {why}", line + 1);
    let entry = lookup(operator).ok_or_else(|| fail(at, format!("{operator} has no record")))?;
    let defined = (at..lines.len()).find(|i| lines[*i].starts_with("def "));
    let defined = defined.ok_or_else(|| fail(at, format!("{operator}: no `def` follows")))?;
    let (name, signature) = signature(lines[defined], entry).map_err(|why| fail(defined, why))?;
    let mut text = lines.to_vec();
    text[defined] = &signature;
    let graph = compile(path, text.join("\n") + "\n", &name).map_err(|e| {
        let (line, _) = e.place.line_column();
        fail(line.saturating_sub(1) as usize, format!("{operator}: {}", e.message.trim()))
    })?;
    let (listing, calls) = listing::of(&graph, entry).map_err(|why| fail(defined, format!("{operator}: {why}")))?;
    Ok(Compiled { operator: operator.to_owned(), listing, calls })
}

/// A definition's first line with the record's types, and the name that it defines.
fn signature(line: &str, entry: &OpEntry) -> Result<(String, String), String> {
    let parts = line.strip_prefix("def ").and_then(|rest| rest.strip_suffix("):")?.split_once('('));
    let (name, parameters) =
        parts.ok_or("a definition's signature is one line, `def name(parameters):`, without types")?;
    let parameters: Vec<&str> = parameters.split(", ").filter(|p| !p.is_empty()).collect();
    let (schema, operator) = (entry.schema(), entry.name);
    if parameters.len() != schema.arguments.len() {
        return Err(format!("{} parameters, {operator} has {}", parameters.len(), schema.arguments.len()));
    }
    let mut typed = Vec::new();
    for (parameter, argument) in parameters.iter().zip(&schema.arguments) {
        // `from_` where Python has the word for itself.
        if parameter.trim_end_matches('_') != argument.name.trim_end_matches('_') {
            return Err(format!("parameter `{parameter}` is `{}` in {operator}", argument.name));
        }
        typed.push(format!("{parameter}: {}", argument.ty.annotation_str()));
    }
    let returns = match &schema.returns[..] {
        [] => "None".to_owned(),
        [one] => one.ty.annotation_str(),
        several => Type::Tuple(several.iter().map(|r| r.ty.clone()).collect()).annotation_str(),
    };
    Ok((name.to_owned(), format!("def {name}({}) -> {returns}:", typed.join(", "))))
}

/// A function of a file as a graph: what it calls of the file inlined, what nothing uses gone.
fn compile(path: &str, text: String, name: &str) -> Result<Graph, Error> {
    let source = SourceText::file(path, text);
    let start = Loc { source: source.clone(), span: Default::default() };
    let tree = sconce_syntax::script::parse(path, source.text()).map_err(|e| Error::new(&start, e.to_string()))?;
    let mut functions = BTreeMap::new();
    for statement in &tree.body {
        if let StmtKind::Def(def) = &statement.kind {
            functions.insert(def.name.name.to_string(), Rc::new((**def).clone()));
        }
    }
    let names = Rc::new(Functions { functions, source });
    let mut compiler = Compiler::new(Unit::default());
    names.declare(&mut compiler, name);
    compiler.ensure_defined(name, &start)?;
    let mut graph = passes::inline(&compiler.unit, name).map_err(|e| Error::new(&start, e.to_string()))?;
    passes::cleanup(&mut graph);
    passes::eliminate_dead_code(&mut graph);
    Ok(graph)
}

/// What definitions may name: `torch`, `math`, exceptions, and the functions of their file.
#[derive(Clone)]
struct Functions {
    functions: BTreeMap<String, Rc<Def>>,
    source: Arc<SourceText>,
}

impl Functions {
    fn declare(&self, compiler: &mut Compiler, name: &str) -> Option<Arc<str>> {
        let def = self.functions.get(name)?.clone();
        let (source, resolver) = (self.source.clone(), Rc::new(self.clone()));
        let declaration = Declaration { def, source, resolver, receiver: None, defaults: Vec::new() };
        Some(compiler.declare_function(name, declaration))
    }
}

impl Resolver for Functions {
    fn resolve(&self, compiler: &mut Compiler, name: &str, _: &Loc) -> Result<Option<Sugared>, Error> {
        Ok(match name {
            "torch" | "math" => Some(Sugared::Namespace(Arc::from(name))),
            _ if name.ends_with("Error") => Some(Sugared::Exception(Some(Arc::from(format!("builtins.{name}"))))),
            _ => self.declare(compiler, name).map(|function| Sugared::Function(Rc::from([function]))),
        })
    }

    fn resolve_type(&self, _: &mut Compiler, _: &str, _: &Loc) -> Result<Option<Type>, Error> {
        Ok(None)
    }
}
