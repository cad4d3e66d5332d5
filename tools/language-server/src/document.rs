//! An open document is analysed once after each change, and what is known of it is asked of one place.

use crate::analysis::{Analysis, Candidates, Finding};
use crate::graph_text::GraphText;
use crate::language::Language;
use crate::script::Script;
use lsp_types::{DiagnosticSeverity, Uri};
use sconce_graph::head::has_head;
use sconce_source::{SourceText, Span};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;

/// Bytes of a text that is analysed.
const MAX_TEXT: usize = 1 << 20;

/// A text that an editor has open.
pub(crate) struct Document {
    pub uri: Uri,
    pub version: i32,
    /// What the editor calls its language.
    language_id: String,
    pub source: Arc<SourceText>,
    known: Option<Known>,
}

/// What the analysis of a text gave.
enum Known {
    Script(Rc<Script>),
    GraphText(GraphText),
    /// Nothing, and why.
    Nothing(Vec<Finding>),
}

impl Document {
    pub fn new(uri: Uri, language_id: &str, version: i32, text: String) -> Document {
        let file = file_name(&uri);
        let (language_id, source) = (language_id.to_owned(), SourceText::file(file, text));
        Document { uri, version, language_id, source, known: None }
    }

    /// The text is another now. What was known of the old one tells which names there are while the new one cannot be read.
    pub fn change(&mut self, version: i32, text: String) {
        let file = self.source.name().to_owned();
        self.version = version;
        self.source = SourceText::file(file, text);
    }

    /// Analyses the text.
    pub fn analyse(&mut self) {
        let before = match self.known.take() {
            Some(Known::Script(script)) => Some(script),
            _ => None,
        };
        let source = self.source.clone();
        self.known = Some(match Language::of(&self.language_id, source.name(), source.text()) {
            Some(_) if source.text().len() > MAX_TEXT => {
                let size = source.text().len();
                nothing(
                    DiagnosticSeverity::INFORMATION,
                    format!("the text has {size} bytes; at most {MAX_TEXT} are analysed"),
                )
            }
            Some(Language::Script) if has_head(source.text(), "#") => {
                nothing(DiagnosticSeverity::INFORMATION, ARCHIVE_CODE.to_owned())
            }
            Some(language) => {
                let analysed = catch_unwind(AssertUnwindSafe(|| match language {
                    Language::Script => Known::Script(Rc::new(Script::new(source, before.as_deref()))),
                    Language::GraphText => GraphText::read(source)
                        .map_or_else(|| nothing(DiagnosticSeverity::INFORMATION, FX_TEXT.to_owned()), Known::GraphText),
                }));
                let failed = "the analysis of this text failed, which is an error of the server".to_owned();
                analysed.unwrap_or_else(|_| nothing(DiagnosticSeverity::ERROR, failed))
            }
            None => Known::Nothing(Vec::new()),
        });
    }

    /// What is known of the text; nothing before it is analysed.
    pub fn analysis(&self) -> Option<&dyn Analysis> {
        match self.known.as_ref()? {
            Known::Script(script) => Some(script.as_ref()),
            Known::GraphText(graph) => Some(graph),
            Known::Nothing(_) => None,
        }
    }

    pub fn findings(&self) -> &[Finding] {
        match &self.known {
            Some(Known::Nothing(findings)) => findings,
            _ => self.analysis().map_or(&[], Analysis::findings),
        }
    }

    pub fn completions(&self, offset: u32) -> Candidates {
        self.analysis().map(|a| a.completions(offset)).unwrap_or_default()
    }
}

const ARCHIVE_CODE: &str = "the code of an archive with its state, which is not analysed";

const FX_TEXT: &str = "the text of a program of torch.export, which is not analysed";

fn nothing(severity: DiagnosticSeverity, message: String) -> Known {
    Known::Nothing(vec![Finding { severity, ..Finding::error(Span::default(), message) }])
}

/// The last part of a document's path.
fn file_name(uri: &Uri) -> String {
    let last = uri.path().segments().next_back();
    last.map(|part| part.decode().into_string_lossy().into_owned()).unwrap_or_default()
}
