//! The protocol: requests are answered in their order, each from what is known of a document's present text; a failure of one costs that one alone.

use crate::analysis::{Finding, Symbol};
use crate::document::Document;
use crate::operators;
use crate::positions;
use crate::transport::Error;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, Notification as _, PublishDiagnostics,
};
use lsp_types::request::{
    Completion, DocumentSymbolRequest, GotoDefinition, HoverRequest, References, Rename, Request as _,
};
use lsp_types::{
    CompletionItem, CompletionList, CompletionOptions, CompletionParams, CompletionTextEdit, Diagnostic,
    DiagnosticRelatedInformation, DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DocumentSymbolParams, GotoDefinitionParams, Hover, HoverContents, HoverParams, Location, MarkupContent, MarkupKind,
    OneOf, Position, PublishDiagnosticsParams, Range, ReferenceParams, RenameParams, ServerCapabilities, SymbolKind,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextEdit, Uri,
};
use sconce_source::Span;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Documents that may be open at once.
const MAX_DOCUMENTS: usize = 1000;

/// Findings and names that are sent of one document; an editor shows no more.
const MAX_FINDINGS: usize = 500;
const MAX_CANDIDATES: usize = 200;

/// What a request is refused with.
struct Refusal {
    code: ErrorCode,
    message: String,
}

impl Refusal {
    fn new(code: ErrorCode, message: impl Into<String>) -> Refusal {
        Refusal { code, message: message.into() }
    }
}

type Answer = Result<Value, Refusal>;

/// Serves one editor, from `initialize` to `exit`.
pub(crate) fn serve(connection: &Connection) -> Result<(), Error> {
    let started = connection.initialize_start();
    let (id, _) = started.map_err(|e| if e.channel_is_disconnected() { Error::Gone } else { Error::Protocol(e) })?;
    let about = json!({ "capabilities": capabilities(), "serverInfo": { "name": "sconce", "version": env!("CARGO_PKG_VERSION") } });
    send(connection, Response::new_ok(id, about));
    let mut server = Server { connection, documents: BTreeMap::new(), waiting: Vec::new(), is_shut_down: false };
    loop {
        // While messages wait, a text may change again before anybody sees what is known of it.
        let next = match connection.receiver.try_recv() {
            Ok(message) => message,
            Err(_) => {
                server.publish_waiting();
                connection.receiver.recv().map_err(|_| Error::Gone)?
            }
        };
        match next {
            Message::Request(request) => server.request(request),
            Message::Notification(n) if n.method == "exit" => {
                return if server.is_shut_down { Ok(()) } else { Err(Error::Gone) };
            }
            Message::Notification(notification) => server.notification(notification),
            // The server asks for nothing.
            Message::Response(_) => {}
        }
    }
}

fn capabilities() -> ServerCapabilities {
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Kind(TextDocumentSyncKind::FULL)),
        hover_provider: Some(true.into()),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some([".", ":", "%"].map(str::to_owned).to_vec()),
            ..CompletionOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}

/// An editor that is gone is noticed where the next message is read.
fn send(connection: &Connection, message: impl Into<Message>) {
    drop(connection.sender.send(message.into()));
}

struct Server<'c> {
    connection: &'c Connection,
    documents: BTreeMap<String, Document>,
    /// Documents whose present text is not analysed, in the order of their changes.
    waiting: Vec<String>,
    is_shut_down: bool,
}

impl Server<'_> {
    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        // An answer is about the present texts.
        self.publish_waiting();
        let answered = catch_unwind(AssertUnwindSafe(|| self.answer(&method, params)));
        let failed =
            || Err(Refusal::new(ErrorCode::InternalError, format!("{method} failed, which is an error of the server")));
        let response = match answered.unwrap_or_else(|_| failed()) {
            Ok(result) => Response::new_ok(id, result),
            Err(Refusal { code, message }) => Response::new_err(id, code as i32, message),
        };
        send(self.connection, response);
    }

    fn answer(&mut self, method: &str, params: Value) -> Answer {
        if self.is_shut_down {
            return Err(Refusal::new(
                ErrorCode::InvalidRequest,
                format!("{method} after shutdown; only exit is expected"),
            ));
        }
        match method {
            "shutdown" => {
                self.is_shut_down = true;
                Ok(Value::Null)
            }
            HoverRequest::METHOD => self.hover(read(params)?),
            GotoDefinition::METHOD => self.definition(read(params)?),
            References::METHOD => self.references(read(params)?),
            Rename::METHOD => self.rename(read(params)?),
            DocumentSymbolRequest::METHOD => self.symbols(read(params)?),
            Completion::METHOD => self.completion(read(params)?),
            _ => Err(Refusal::new(ErrorCode::MethodNotFound, format!("{method} is not answered here"))),
        }
    }

    fn notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        // There is nobody to tell of one that says something else than it should.
        match method.as_str() {
            DidOpenTextDocument::METHOD => read(params).map(|p| self.open(p)).unwrap_or_default(),
            DidChangeTextDocument::METHOD => read(params).map(|p| self.change(p)).unwrap_or_default(),
            DidCloseTextDocument::METHOD => read(params).map(|p| self.close(p)).unwrap_or_default(),
            _ => {}
        }
    }

    // -- documents

    fn open(&mut self, params: DidOpenTextDocumentParams) {
        let opened = params.text_document;
        let key = opened.uri.as_str().to_owned();
        if self.documents.len() >= MAX_DOCUMENTS && !self.documents.contains_key(&key) {
            return;
        }
        let document = Document::new(opened.uri, &opened.language_id, opened.version, opened.text);
        self.documents.insert(key.clone(), document);
        self.wait(key);
    }

    fn change(&mut self, params: DidChangeTextDocumentParams) {
        let key = params.text_document.uri.as_str();
        // Of whole texts the last counts.
        let Some(last) = params.content_changes.into_iter().next_back() else { return };
        if let Some(document) = self.documents.get_mut(key) {
            document.change(params.text_document.version, last.text);
            self.wait(key.to_owned());
        }
    }

    fn close(&mut self, params: DidCloseTextDocumentParams) {
        let uri = params.text_document.uri;
        self.waiting.retain(|key| key != uri.as_str());
        if self.documents.remove(uri.as_str()).is_some() {
            self.publish(uri, None, Vec::new());
        }
    }

    fn wait(&mut self, key: String) {
        if !self.waiting.contains(&key) {
            self.waiting.push(key);
        }
    }

    fn publish_waiting(&mut self) {
        for key in std::mem::take(&mut self.waiting) {
            let Some(document) = self.documents.get_mut(&key) else { continue };
            document.analyse();
            let document = &self.documents[&key];
            let diagnostics = document.findings().iter().take(MAX_FINDINGS).map(|f| diagnostic(document, f)).collect();
            self.publish(document.uri.clone(), Some(document.version), diagnostics);
        }
    }

    fn publish(&self, uri: Uri, version: Option<i32>, diagnostics: Vec<Diagnostic>) {
        let params = PublishDiagnosticsParams { uri, diagnostics, version };
        send(self.connection, Notification::new(PublishDiagnostics::METHOD.to_owned(), params));
    }

    fn document(&self, uri: &Uri) -> Result<&Document, Refusal> {
        let closed = || Refusal::new(ErrorCode::InvalidParams, format!("{} is not open", uri.as_str()));
        self.documents.get(uri.as_str()).ok_or_else(closed)
    }

    // -- answers

    fn hover(&self, params: HoverParams) -> Answer {
        let (document, offset) = self.place(&params.text_document_position_params)?;
        let found = document.analysis().and_then(|a| a.hover(offset));
        let hover = found.map(|(span, value)| Hover {
            contents: HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value }),
            range: Some(positions::range(&document.source, span)),
        });
        written(hover)
    }

    fn definition(&self, params: GotoDefinitionParams) -> Answer {
        let (document, offset) = self.place(&params.text_document_position_params)?;
        let spans = document.analysis().map(|a| a.definitions(offset)).unwrap_or_default();
        written(locations(document, spans))
    }

    fn references(&self, params: ReferenceParams) -> Answer {
        let (document, offset) = self.place(&params.text_document_position)?;
        let Some(analysis) = document.analysis() else { return Ok(Value::Null) };
        let definitions = analysis.definitions(offset);
        let is_wanted =
            |span: &Span| params.context.include_declaration || definitions.iter().all(|d| d.start != span.start);
        written(locations(document, analysis.references(offset).into_iter().filter(is_wanted)))
    }

    fn rename(&self, params: RenameParams) -> Answer {
        let (document, offset) = self.place(&params.text_document_position)?;
        let refused = |why: String| Refusal::new(ErrorCode::RequestFailed, why);
        let analysis = document.analysis().ok_or_else(|| refused("nothing is known of this document".to_owned()))?;
        let renamed = analysis.rename(offset, &params.new_name).map_err(refused)?;
        let edit = |(span, new_text)| TextEdit { range: positions::range(&document.source, span), new_text };
        let edits: Vec<TextEdit> = renamed.into_iter().map(edit).collect();
        written(json!({ "changes": { document.uri.as_str(): edits } }))
    }

    fn symbols(&self, params: DocumentSymbolParams) -> Answer {
        let document = self.document(&params.text_document.uri)?;
        let symbols = document.analysis().map(|a| a.symbols()).unwrap_or_default();
        written(symbols.iter().map(|s| outline(document, s)).collect::<Vec<_>>())
    }

    fn completion(&self, params: CompletionParams) -> Answer {
        let (document, offset) = self.place(&params.text_document_position)?;
        let found = document.completions(offset);
        let range = positions::range(&document.source, Span { start: found.start, end: offset });
        let item = |c: &crate::analysis::Candidate| CompletionItem {
            label: c.name.clone(),
            kind: Some(c.kind.item_kind()),
            detail: c.detail.clone().or_else(|| operators::schema(c.operator.as_deref()?)),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit { range, new_text: c.name.clone() })),
            ..CompletionItem::default()
        };
        let is_incomplete = found.names.len() > MAX_CANDIDATES;
        written(CompletionList { is_incomplete, items: found.names.iter().take(MAX_CANDIDATES).map(item).collect() })
    }

    /// The document of a request, and the byte that it asks about.
    fn place(&self, at: &lsp_types::TextDocumentPositionParams) -> Result<(&Document, u32), Refusal> {
        let document = self.document(&at.text_document.uri)?;
        Ok((document, positions::offset(&document.source, at.position)))
    }
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T, Refusal> {
    serde_json::from_value(params).map_err(|why| Refusal::new(ErrorCode::InvalidParams, why.to_string()))
}

fn written(result: impl Serialize) -> Answer {
    serde_json::to_value(result).map_err(|why| Refusal::new(ErrorCode::InternalError, why.to_string()))
}

fn locations(document: &Document, spans: impl IntoIterator<Item = Span>) -> Vec<Location> {
    spans.into_iter().map(|span| location(document, span)).collect()
}

fn location(document: &Document, span: Span) -> Location {
    Location { uri: document.uri.clone(), range: positions::range(&document.source, span) }
}

fn diagnostic(document: &Document, finding: &Finding) -> Diagnostic {
    let related = finding.related.iter().map(|(span, message)| DiagnosticRelatedInformation {
        location: location(document, *span),
        message: message.clone(),
    });
    let related: Vec<_> = related.collect();
    Diagnostic {
        range: visible(document, finding.span),
        severity: Some(finding.severity),
        source: Some("sconce".to_owned()),
        message: finding.message.clone(),
        related_information: (!related.is_empty()).then_some(related),
        ..Diagnostic::default()
    }
}

/// The range of a finding: editors underline no empty one, so it has a letter of its line where there is one.
fn visible(document: &Document, span: Span) -> Range {
    let range = |start, end| positions::range(&document.source, Span { start, end });
    if span.end > span.start {
        return range(span.start, span.end);
    }
    let text = document.source.text();
    let (before, after) = text.split_at_checked(span.start as usize).unwrap_or((text, ""));
    let letter = |c: Option<char>| c.filter(|c| !matches!(c, '\r' | '\n')).map(|c| c.len_utf8() as u32);
    match (letter(after.chars().next()), letter(before.chars().next_back())) {
        (Some(width), _) => range(span.start, span.start + width),
        (None, Some(width)) => range(span.start - width, span.start),
        (None, None) => range(span.start, span.start),
    }
}

/// A symbol as the protocol has it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Outline {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    kind: SymbolKind,
    range: Range,
    selection_range: Range,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    children: Vec<Outline>,
}

fn outline(document: &Document, symbol: &Symbol) -> Outline {
    let range = |span| positions::range(&document.source, span);
    let within = |p: Position, r: Range| p.clamp(r.start, r.end);
    let (whole, name) = (range(symbol.span), range(symbol.selection));
    Outline {
        name: symbol.name.clone(),
        detail: symbol.detail.clone(),
        kind: symbol.kind,
        range: whole,
        // The protocol wants it inside.
        selection_range: Range { start: within(name.start, whole), end: within(name.end, whole) },
        children: symbol.children.iter().map(|s| outline(document, s)).collect(),
    }
}
