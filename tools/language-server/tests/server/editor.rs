//! An editor for tests: messages in, what the server says out.

use sconce_language_server::{Error, serve};
use serde_json::{Value, json};
use std::io::{Cursor, Write};
use std::sync::{Arc, Mutex};

/// What was written, for who wrote it and who reads it.
#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("nothing panics with it").extend(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A message as the protocol frames it.
pub fn frame(body: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

/// Serves an input to its end; the messages that came out.
pub fn served(input: String) -> (Result<(), Error>, Vec<Value>) {
    let output = Output::default();
    let result = serve(Cursor::new(input), output.clone());
    let bytes = output.0.lock().expect("nothing panics with it").clone();
    let mut rest = std::str::from_utf8(&bytes).expect("the server writes UTF-8");
    let mut messages = Vec::new();
    while let Some((header, more)) = rest.split_once("\r\n\r\n") {
        let length: usize = header.strip_prefix("Content-Length: ").and_then(|n| n.parse().ok()).expect("a length");
        messages.push(serde_json::from_str(&more[..length]).expect("JSON"));
        rest = &more[length..];
    }
    assert_eq!(rest, "", "what is written is whole");
    (result, messages)
}

/// Messages in the order of an exchange, from `initialize` to `exit`.
pub fn conversation(between: &[Value]) -> Vec<Value> {
    let first = json!({ "id": 1, "method": "initialize", "params": { "capabilities": {} } });
    let last = [json!({ "id": 99, "method": "shutdown" }), json!({ "method": "exit" })];
    let initialized = json!({ "method": "initialized", "params": {} });
    [first, initialized].into_iter().chain(between.iter().cloned()).chain(last).collect()
}

/// What the server says to these messages.
pub fn said(messages: &[Value]) -> Vec<Value> {
    let with_version = |m: &Value| {
        let mut m = m.clone();
        m["jsonrpc"] = json!("2.0");
        frame(&m.to_string())
    };
    let (result, said) = served(messages.iter().map(with_version).collect());
    assert!(result.is_ok(), "{result:?}");
    said
}

pub fn open(uri: &str, language: &str, text: &str) -> Value {
    let document = json!({ "uri": uri, "languageId": language, "version": 1, "text": text });
    json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } })
}

pub fn change(uri: &str, version: i32, text: &str) -> Value {
    let document = json!({ "uri": uri, "version": version });
    let params = json!({ "textDocument": document, "contentChanges": [{ "text": text }] });
    json!({ "method": "textDocument/didChange", "params": params })
}

/// A request about a place of a document; `more` is what its parameters have besides.
pub fn request(id: i32, method: &str, uri: &str, (line, character): (u32, u32), more: &Value) -> Value {
    let position = json!({ "line": line, "character": character });
    let mut params = json!({ "textDocument": { "uri": uri }, "position": position });
    for (name, value) in more.as_object().into_iter().flatten() {
        params[name] = value.clone();
    }
    json!({ "id": id, "method": format!("textDocument/{method}"), "params": params })
}
