//! TorchScript source: a file is evaluated and what of it is TorchScript compiled, as `sconce run` does, and what the compiler met is looked up by place.

mod complete;
mod errors;
mod hover;
mod names;
mod sizes;
mod walk;

use crate::analysis::{Analysis, Candidates, Finding, Symbol, arranged};
use lsp_types::SymbolKind;
use names::{Member, Names, Role, ScopeKind};
use sconce_graph::unit::Unit;
use sconce_python::{Entries, Entry, Limits, Options, Program};
use sconce_schema::Type;
use sconce_script::emit::{Meaning, Meanings};
use sconce_source::{SourceText, Span};
use sconce_syntax::script::{parse, parse_expression, tree};
use sizes::Sizes;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// What evaluating a file may cost while it is being written.
const LIMITS: Limits = Limits { steps: 5_000_000, depth: 200, tensor_bytes: 256 << 20 };

/// What is known of a file.
pub(crate) struct Script {
    source: Arc<SourceText>,
    findings: Vec<Finding>,
    /// What could be read last.
    known: Option<Rc<Known>>,
    /// Whether that is of this very text.
    is_current: bool,
}

/// A text that could be read.
struct Known {
    source: Arc<SourceText>,
    names: Names,
    meanings: Option<Meanings>,
    unit: Unit,
    sizes: Sizes,
}

impl Script {
    /// Reads, evaluates and compiles a text; where it cannot be read, what was known before it still tells names.
    pub fn new(source: Arc<SourceText>, before: Option<&Script>) -> Script {
        match parse(source.name(), source.text()) {
            Ok(tree) => {
                let (known, findings) = Known::of(source.clone(), &tree);
                Script { source, findings: arranged(findings), known: Some(Rc::new(known)), is_current: true }
            }
            Err(error) => {
                let findings = vec![Finding::error(error.span, error.message)];
                let known = before.and_then(|script| script.known.clone());
                Script { source, findings, known, is_current: false }
            }
        }
    }

    fn current(&self) -> Option<&Known> {
        self.known.as_deref().filter(|_| self.is_current)
    }
}

impl Known {
    fn of(source: Arc<SourceText>, tree: &tree::Module) -> (Known, Vec<Finding>) {
        let names = Names::of(tree);
        let options = Options { limits: LIMITS, meanings: true, ..Options::default() };
        let mut known = Known { source, names, meanings: None, unit: Unit::default(), sizes: Sizes::default() };
        let source = known.source.clone();
        let mut program = match Program::new(source.name(), source.text(), options) {
            Ok(program) => program,
            Err(error) => {
                let finding = known.whole(errors::of_python(&source, &error));
                return (known, vec![finding]);
            }
        };
        let mut findings = Vec::new();
        let Entries { expressions, unmade } = program.entries();
        for entry in &expressions {
            match program.compile(entry) {
                Ok(compiled) => {
                    if let Entry::Module { object, .. } = &compiled.entry {
                        known.sizes.add(object);
                    }
                }
                Err(error) => findings.push(errors::of_python(&source, &error)),
            }
        }
        for departure in &program.compiler.departures {
            let span = errors::local(&source, &departure.place);
            let message = format!("{} (TorchScript is not Python here)", departure.text);
            findings.extend(span.map(|span| Finding::warning(span, message)));
        }
        known.meanings = program.compiler.meanings.take();
        known.unit = std::mem::take(&mut program.compiler.unit);
        findings.extend(unmade.iter().filter_map(|name| known.unmade(name)));
        let findings = findings.into_iter().map(|f| known.whole(f)).collect();
        (known, findings)
    }

    /// A finding with ranges that hold all of what they end with.
    fn whole(&self, finding: Finding) -> Finding {
        let related = finding.related.into_iter().map(|(span, text)| (self.names.whole(span), text)).collect();
        Finding { span: self.names.whole(finding.span), related, ..finding }
    }

    /// That a class of modules is not analysed, unless it is a part of a module that is.
    fn unmade(&self, name: &str) -> Option<Finding> {
        let definition = &self.names.definitions[self.names.class(name)?];
        let is_part = self.unit.classes.keys().any(|class| hover::is_called(class, &definition.path));
        let message = format!(
            "the methods of {name} are not analysed: its `__init__` takes arguments, and no variable of the file holds one"
        );
        (!is_part).then(|| Finding::hint(definition.token, message))
    }

    fn meanings_of(&self, span: Span) -> &[Meaning] {
        self.meanings.as_ref().map_or(&[], |m| m.of(span))
    }

    /// The classes of the file that a member's object may be of.
    fn classes_of(&self, member: &Member) -> BTreeSet<usize> {
        let class = |meaning: &Meaning| match meaning {
            Meaning::Value(Type::Class(name) | Type::Enum(name)) | Meaning::Class(name) => self.class(name),
            Meaning::Value(Type::NamedTuple(ty)) => self.class(&ty.name),
            _ => None,
        };
        let known: BTreeSet<usize> = self.meanings_of(member.object).iter().filter_map(class).collect();
        if known.is_empty() { member.of_self.into_iter().collect() } else { known }
    }

    /// A class of the file by qualified name; the library's classes are none of it.
    fn class(&self, qualified: &str) -> Option<usize> {
        let own = qualified.strip_prefix("__torch__.").is_some_and(|rest| !rest.starts_with("torch."));
        self.names.class(qualified.rsplit('.').next()?).filter(|_| own)
    }

    fn member_definitions(&self, member: &Member) -> Vec<Span> {
        self.classes_of(member).into_iter().flat_map(|class| self.names.member_of(class, &member.name)).collect()
    }

    /// Every place of the member that is defined at these places.
    fn member_places(&self, name: &str, definitions: &[Span]) -> Vec<Span> {
        let starts: Vec<u32> = definitions.iter().map(|s| s.start).collect();
        let is_it =
            |m: &&Member| m.name == name && self.member_definitions(m).iter().any(|s| starts.contains(&s.start));
        self.names.members.iter().filter(is_it).map(|m| m.token).chain(definitions.iter().copied()).collect()
    }
}

fn in_order(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_by_key(|s| (s.start, s.end));
    spans.dedup_by_key(|s| s.start);
    spans
}

impl Analysis for Script {
    fn findings(&self) -> &[Finding] {
        &self.findings
    }

    fn hover(&self, offset: u32) -> Option<(Span, String)> {
        self.current().and_then(|known| known.hover(offset))
    }

    fn definitions(&self, offset: u32) -> Vec<Span> {
        let Some(known) = self.current() else { return Vec::new() };
        let found = match (known.names.occurrence_at(offset), known.names.member_at(offset)) {
            (Some(occurrence), _) => known.names.reaching(occurrence),
            (None, Some(member)) => known.member_definitions(member),
            (None, None) => Vec::new(),
        };
        in_order(found)
    }

    fn references(&self, offset: u32) -> Vec<Span> {
        let Some(known) = self.current() else { return Vec::new() };
        if let Some(member) = known.names.member_at(offset) {
            return in_order(known.member_places(&member.name, &known.member_definitions(member)));
        }
        let Some(occurrence) = known.names.occurrence_at(offset) else { return Vec::new() };
        let is_member = known.names.scopes[occurrence.scope].kind == ScopeKind::Class && occurrence.role != Role::Use;
        let mut places: Vec<Span> = known.names.same_variable(occurrence).iter().map(|o| o.token).collect();
        if is_member {
            places.extend(known.member_places(&occurrence.name, &[occurrence.token]));
        }
        in_order(places)
    }

    fn rename(&self, offset: u32, name: &str) -> Result<Vec<(Span, String)>, String> {
        let known = self.current().ok_or("the text has an error of syntax, which comes first")?;
        let occurrence = known.names.occurrence_at(offset).ok_or("only local variables of functions can be renamed")?;
        let all = known.names.same_variable(occurrence);
        let scope = known.names.scope_of(occurrence).map(|s| known.names.scopes[s].kind);
        let is_local = scope == Some(ScopeKind::Function) && all.iter().all(|o| o.role != Role::Parameter);
        if !is_local {
            return Err(format!(
                "other files may use {}: only local variables that are no parameters can be renamed",
                occurrence.name
            ));
        }
        let is_name = |e: &tree::Expr| matches!(&e.kind, tree::ExprKind::Var(ident) if ident.name == name);
        if !parse_expression("<name>", name).is_ok_and(|e| is_name(&e)) {
            return Err(format!("{name} is no name of a variable"));
        }
        let visible =
            |o: &&names::Occurrence| all.iter().any(|own| own.scope == o.scope) || known.names.scope_of(o) == Some(0);
        if name != occurrence.name && known.names.occurrences.iter().filter(visible).any(|o| o.name == name) {
            return Err(format!("{name} is the name of something else already"));
        }
        Ok(all.iter().map(|o| (o.token, name.to_owned())).collect())
    }

    fn symbols(&self) -> Vec<Symbol> {
        self.known.as_ref().map(|known| symbols(&known.names, None)).unwrap_or_default()
    }

    fn completions(&self, offset: u32) -> Candidates {
        complete::candidates(&self.source, self.known.as_deref(), offset)
    }
}

/// The definitions inside of one, or those of the file.
fn symbols(names: &Names, inside: Option<usize>) -> Vec<Symbol> {
    let inner = names.definitions.iter().enumerate().filter(|(_, d)| d.inside == inside);
    let symbol = |(number, d): (usize, &names::Definition)| {
        let is_method = inside.is_some_and(|outer| names.definitions[outer].is_class);
        let kind = match (d.is_class, is_method) {
            (true, _) => SymbolKind::CLASS,
            (false, true) => SymbolKind::METHOD,
            (false, false) => SymbolKind::FUNCTION,
        };
        let name = d.path.rsplit('.').next().unwrap_or_default().to_owned();
        let mut children = symbols(names, Some(number));
        // A method stands as itself already.
        let attributes = d.members.iter().filter(|(n, _)| children.iter().all(|c| c.name != *n));
        let mut attributes: Vec<&(String, Span)> = attributes.collect();
        attributes.sort_by_key(|(n, span)| (n.as_str(), span.start));
        attributes.dedup_by_key(|(n, _)| n.as_str());
        let field = |(n, span): &(String, Span)| Symbol {
            name: n.clone(),
            detail: None,
            kind: SymbolKind::FIELD,
            span: *span,
            selection: *span,
            children: Vec::new(),
        };
        children.extend(attributes.into_iter().map(field));
        children.sort_by_key(|c| c.selection.start);
        Symbol { name, detail: None, kind, span: d.span, selection: d.token, children }
    };
    inner.map(symbol).collect()
}
