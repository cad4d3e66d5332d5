//! What is known of a text, whatever its language: findings, and answers by the byte that the cursor is on.

use lsp_types::{CompletionItemKind, DiagnosticSeverity, SymbolKind};
use sconce_source::Span;

/// Something that is to be said of a place.
#[derive(Debug, Clone)]
pub(crate) struct Finding {
    pub span: Span,
    pub severity: DiagnosticSeverity,
    pub message: String,
    /// Places that have to do with it, and what.
    pub related: Vec<(Span, String)>,
}

impl Finding {
    pub fn error(span: Span, message: impl Into<String>) -> Finding {
        Finding { span, severity: DiagnosticSeverity::ERROR, message: message.into(), related: Vec::new() }
    }

    pub fn warning(span: Span, message: impl Into<String>) -> Finding {
        Finding { severity: DiagnosticSeverity::WARNING, ..Finding::error(span, message) }
    }

    pub fn hint(span: Span, message: impl Into<String>) -> Finding {
        Finding { severity: DiagnosticSeverity::HINT, ..Finding::error(span, message) }
    }
}

/// Puts findings in the order of the text, each once: several functions may lead to one.
pub(crate) fn arranged(mut findings: Vec<Finding>) -> Vec<Finding> {
    let key = |f: &Finding| (f.span.start, f.span.end, f.message.clone());
    findings.sort_by_cached_key(key);
    findings.dedup_by_key(|f| key(f));
    findings
}

/// A part of a document, for its outline.
#[derive(Debug)]
pub(crate) struct Symbol {
    pub name: String,
    pub detail: Option<String>,
    pub kind: SymbolKind,
    /// All of it, and its name.
    pub span: Span,
    pub selection: Span,
    pub children: Vec<Symbol>,
}

/// A name that may be written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Candidate {
    pub name: String,
    pub detail: Option<String>,
    /// The operator that it is, whose schema is its detail.
    pub operator: Option<String>,
    pub kind: Kind,
}

/// What a name is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Operator,
    Member,
    Value,
}

impl Kind {
    pub fn item_kind(self) -> CompletionItemKind {
        match self {
            Kind::Operator => CompletionItemKind::FUNCTION,
            Kind::Member => CompletionItemKind::FIELD,
            Kind::Value => CompletionItemKind::VARIABLE,
        }
    }
}

/// The names that fit before the cursor, sorted, each once; what is being written begins at `start`.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    pub start: u32,
    pub names: Vec<Candidate>,
}

impl Candidates {
    /// Those of the names that begin with what stands between `start` and the cursor.
    pub fn new(start: u32, written: &str, names: impl IntoIterator<Item = Candidate>) -> Candidates {
        let mut names: Vec<Candidate> = names.into_iter().filter(|c| c.name.starts_with(written)).collect();
        names.sort();
        names.dedup_by(|a, b| a.name == b.name);
        Candidates { start, names }
    }
}

/// What a reader of a language knows of a text.
pub(crate) trait Analysis {
    fn findings(&self) -> &[Finding];

    /// Markdown about what is under the cursor, and its range.
    fn hover(&self, offset: u32) -> Option<(Span, String)>;

    /// Where what is under the cursor is defined.
    fn definitions(&self, offset: u32) -> Vec<Span>;

    /// Everywhere that what is under the cursor stands in the text, its definitions among them.
    fn references(&self, offset: u32) -> Vec<Span>;

    /// The ranges that have the name under the cursor, each with what is to stand there if `name` may take its place.
    ///
    /// # Errors
    /// Why it may not, for people.
    fn rename(&self, offset: u32, name: &str) -> Result<Vec<(Span, String)>, String>;

    fn symbols(&self) -> Vec<Symbol>;

    fn completions(&self, offset: u32) -> Candidates;
}

/// Lines of code as Markdown shows them.
pub(crate) fn code(language: &str, lines: &str) -> String {
    // Such a fence in a text would end this one.
    format!("```{language}\n{}\n```", lines.replace("```", "'''"))
}
