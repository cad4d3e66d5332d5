//! Whole exchanges with an editor, message for message; and what is no exchange.

use crate::editor::{change, conversation, frame, open, request, said, served};
use expect_test::{ExpectFile, expect_file};
use sconce_language_server::Error;
use serde_json::{Value, json};

/// Each message that the server sends, in its order.
#[track_caller]
fn check(between: &[Value], expected: &ExpectFile) {
    let lines: Vec<String> = said(&conversation(between))
        .iter()
        .map(|message| serde_json::to_string_pretty(message).expect("JSON is written") + "\n")
        .collect();
    expected.assert_eq(&lines.concat());
}

const WRONG: &str = "\
import torch


class Scale(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(2, 3))

    def forward(self, x):
        größe = x * self.weight
        return torch.relu(größe) + missing
";

#[test]
fn a_source_is_opened_mended_and_asked_about() {
    let uri = "file:///project/scale.py";
    let mended = WRONG.replace(" + missing", "");
    let at = |id, method, place| request(id, method, uri, place, &json!({}));
    check(
        &[
            open(uri, "python", WRONG),
            // The answer is about the text before the change, which is analysed before it.
            at(2, "documentSymbol", (0, 0)),
            change(uri, 2, &mended),
            at(3, "hover", (9, 28)),
            at(4, "hover", (10, 23)),
            at(5, "definition", (10, 28)),
            at(6, "completion", (10, 24)),
            json!({ "method": "textDocument/didClose", "params": { "textDocument": { "uri": uri } } }),
        ],
        &expect_file!["exchange/script.json"],
    );
}

const GRAPH: &str = "\
graph(%x : Float(2, 3), %c : bool):
  %n : int = prim::Constant[value=1]()
  %y : Tensor = prim::If(%c)
    block0():
      %a : Tensor = aten::reluu(%x)
      -> (%a)
    block1():
      %b : Tensor = aten::add(%x, %x, %n)
      -> (%b)
  return (%y)
";

#[test]
fn graph_text_is_opened_mended_and_asked_about() {
    let uri = "file:///project/f.txt";
    let mended = GRAPH.replace("reluu", "relu");
    let at = |id, method, place| request(id, method, uri, place, &json!({}));
    check(
        &[
            open(uri, "torchscript-graph", GRAPH),
            at(2, "documentSymbol", (0, 0)),
            change(uri, 2, &mended),
            at(3, "hover", (4, 33)),
            at(4, "hover", (7, 24)),
            at(5, "definition", (4, 33)),
            request(6, "references", uri, (0, 7), &json!({ "context": { "includeDeclaration": true } })),
            request(7, "rename", uri, (7, 7), &json!({ "newName": "sum" })),
            request(8, "rename", uri, (7, 7), &json!({ "newName": "x" })),
            at(9, "completion", (4, 30)),
        ],
        &expect_file!["exchange/graph_text.json"],
    );
}

#[test]
fn requests_that_cannot_be_answered_are_refused_and_the_next_is_not() {
    let uri = "file:///project/m.py";
    let early = json!({ "id": 0, "method": "textDocument/hover", "params": {} });
    let between = [
        json!({ "id": 2, "method": "workspace/symbol", "params": { "query": "x" } }),
        request(3, "hover", uri, (0, 0), &json!({})),
        json!({ "id": 4, "method": "textDocument/hover", "params": {} }),
        json!({ "method": "textDocument/didOpen", "params": { "textDocument": 7 } }),
        json!({ "method": "textDocument/didChange", "params": { "textDocument": { "uri": uri, "version": 1 }, "contentChanges": [] } }),
        json!({ "method": "$/unknown" }),
        open(uri, "python", "def f(x):\n    return x\n"),
        request(5, "hover", uri, (1000, 1000), &json!({})),
        request(6, "hover", uri, (1, 11), &json!({})),
        json!({ "id": 7, "method": "shutdown" }),
    ];
    let messages: Vec<Value> = std::iter::once(early).chain(conversation(&between)).collect();
    let errors: Vec<String> = said(&messages)
        .iter()
        .filter_map(|m| Some(format!("{} {} {}", m["id"], m["error"]["code"], m.get("error")?["message"])))
        .collect();
    let expected = [
        "0 -32002 ",
        "2 -32601 \"workspace/symbol is not answered here\"",
        "3 -32602 \"file:///project/m.py is not open\"",
        "4 -32602 \"missing field `textDocument`\"",
        "99 -32600 \"shutdown after shutdown; only exit is expected\"",
    ];
    assert_eq!(errors.len(), expected.len(), "{errors:#?}");
    for (error, expected) in errors.iter().zip(expected) {
        assert!(error.starts_with(expected), "{error}");
    }
}

/// What ends the server at once, with the reason.
#[test]
fn what_is_no_message_ends_the_server() {
    let initialize = frame(r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#);
    let exit = frame(r#"{"jsonrpc":"2.0","method":"exit"}"#);
    let after = |rest: &str| served(format!("{initialize}{rest}")).0.expect_err("it ends").to_string();
    assert_eq!(
        after("Content-Length 7\r\n\r\n"),
        "the message's header has the line \"Content-Length 7\"; expected `Content-Length: ` and a number"
    );
    assert_eq!(
        after("Content-Length: -7\r\n\r\n"),
        "the message's header has the line \"Content-Length: -7\"; expected `Content-Length: ` and a number"
    );
    for huge in ["67108865", "18446744073709551615", "99999999999999999999999999"] {
        let expected = format!("the message's header claims {huge} bytes; at most 67108864 are read");
        assert_eq!(after(&format!("Content-Length: {huge}\r\n\r\n{{}}")), expected);
    }
    assert_eq!(after("Content-Length: 67108864\r\n\r\n{}"), "the input ends after 2 of the message's 67108864 bytes");
    assert_eq!(after("Content-Type: x\r\n\r\n{}"), "the message's header names no Content-Length");
    assert!(after(&"a".repeat(1 << 20)).starts_with("the message's header has the line \"aaa"));
    assert!(after(&"a: b\r\n".repeat(1 << 10)).starts_with("the message's header has the line \"a: b"));
    assert!(after(&frame("{")).starts_with("the message is not one of JSON-RPC: "));
    assert!(after(&frame("[[[")).starts_with("the message is not one of JSON-RPC: "));
    assert!(after(&frame(&"[".repeat(1 << 20))).starts_with("the message is not one of JSON-RPC: "));
    assert_eq!(after(""), "the editor left without saying `shutdown` and then `exit`");
    assert_eq!(after(&exit), "the editor left without saying `shutdown` and then `exit`");
    assert!(matches!(served(exit).0, Err(Error::Protocol(_))));
    assert!(matches!(served(String::new()).0, Err(Error::Gone)));
    assert!(matches!(served("hello\n".to_owned()).0, Err(Error::Header(line)) if line == "hello"));
}
