//! One question about one text, and the answer in few words: places as `line:column-line:column`, from 0, with what stands there.

use crate::editor::{change, conversation, open, request, said};
use expect_test::Expect;
use serde_json::{Value, json};

const QUESTION: i32 = 7;

fn uri(file: &str) -> String {
    format!("file:///project/{file}")
}

/// The text without its cursor, and the cursor's line and column in units of UTF-16.
fn cursor(text: &str) -> (String, (u32, u32)) {
    let (before, after) = text.split_once("$0").expect("a cursor");
    let line = before.rsplit('\n').next().unwrap_or_default();
    let place = (before.matches('\n').count() as u32, line.encode_utf16().count() as u32);
    (format!("{before}{after}"), place)
}

/// The response to one request at the cursor.
fn asked(file: &str, text: &str, method: &str, more: &Value) -> (String, Value) {
    let (text, place) = cursor(text);
    let uri = uri(file);
    let said = said(&conversation(&[open(&uri, "", &text), request(QUESTION, method, &uri, place, more)]));
    let answer = said.into_iter().find(|m| m["id"] == QUESTION).expect("an answer");
    (text, answer)
}

/// `3:4-3:9 größe`
fn shown(text: &str, range: &Value) -> String {
    let number = |v: &Value| v.as_u64().expect("a number") as usize;
    let (start, end) = (&range["start"], &range["end"]);
    let (line, from) = (number(&start["line"]), number(&start["character"]));
    let (last, to) = (number(&end["line"]), number(&end["character"]));
    let units: Vec<u16> = text.split('\n').nth(line).unwrap_or_default().encode_utf16().collect();
    let to_here = if last == line { to } else { units.len() };
    let quoted = String::from_utf16_lossy(units.get(from..to_here).expect("the range is in the line"));
    format!("{line}:{from}-{last}:{to} {}", quoted.chars().take(60).collect::<String>().trim_end())
}

/// What is published of a text.
#[track_caller]
pub fn findings(file: &str, text: &str, expected: &Expect) {
    findings_of("", file, text, expected);
}

/// The same of a text whose language the editor names.
#[track_caller]
pub fn findings_of(language: &str, file: &str, text: &str, expected: &Expect) {
    let said = said(&conversation(&[open(&uri(file), language, text)]));
    let published = said.iter().find(|m| m["method"] == "textDocument/publishDiagnostics").expect("they are published");
    let mut out = String::new();
    for d in published["params"]["diagnostics"].as_array().into_iter().flatten() {
        let severity = ["", "error", "warning", "information", "hint"][d["severity"].as_u64().unwrap_or(0) as usize];
        out += &format!("{severity} {}\n", shown(text, &d["range"]));
        // PyTorch's own messages have blanks in empty lines, which a file of ours has not.
        for line in d["message"].as_str().unwrap_or_default().lines().map(str::trim_end) {
            out += &if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") };
        }
        for related in d["relatedInformation"].as_array().into_iter().flatten() {
            let place = shown(text, &related["location"]["range"]);
            out += &format!("  related {place}\n    {}\n", related["message"].as_str().unwrap_or_default());
        }
    }
    expected.assert_eq(&out);
}

#[track_caller]
pub fn hover(file: &str, text: &str, expected: &Expect) {
    let (text, answer) = asked(file, text, "hover", &json!({}));
    let result = &answer["result"];
    let said = match result["contents"]["value"].as_str() {
        Some(value) => format!("{}\n{value}\n", shown(&text, &result["range"])),
        None => "nothing\n".to_owned(),
    };
    expected.assert_eq(&said);
}

#[track_caller]
pub fn definitions(file: &str, text: &str, expected: &Expect) {
    places(file, text, "definition", &json!({}), expected);
}

#[track_caller]
pub fn references(file: &str, text: &str, expected: &Expect) {
    places(file, text, "references", &json!({ "context": { "includeDeclaration": true } }), expected);
}

#[track_caller]
fn places(file: &str, text: &str, method: &str, more: &Value, expected: &Expect) {
    let (text, answer) = asked(file, text, method, more);
    let each = answer["result"].as_array().into_iter().flatten().map(|l| shown(&text, &l["range"]) + "\n");
    expected.assert_eq(&each.collect::<String>());
}

#[track_caller]
pub fn rename(file: &str, text: &str, name: &str, expected: &Expect) {
    let (text, answer) = asked(file, text, "rename", &json!({ "newName": name }));
    let edits = answer["result"]["changes"][uri(file)].as_array().into_iter().flatten();
    let each =
        edits.map(|e| format!("{} -> {}\n", shown(&text, &e["range"]), e["newText"].as_str().unwrap_or_default()));
    let refused = answer["error"]["message"].as_str().map(|m| format!("refused: {m}\n"));
    expected.assert_eq(&refused.unwrap_or_else(|| each.collect()));
}

#[track_caller]
pub fn symbols(file: &str, text: &str, expected: &Expect) {
    let uri = uri(file);
    let said =
        said(&conversation(&[open(&uri, "", text), request(QUESTION, "documentSymbol", &uri, (0, 0), &json!({}))]));
    let answer = said.into_iter().find(|m| m["id"] == QUESTION).expect("an answer");
    let mut out = String::new();
    outline(text, &answer["result"], 0, &mut out);
    expected.assert_eq(&out);
}

fn outline(text: &str, symbols: &Value, depth: usize, out: &mut String) {
    for s in symbols.as_array().into_iter().flatten() {
        let detail = s["detail"].as_str().map(|d| format!(" {d}")).unwrap_or_default();
        let (range, selected) = (&s["range"], shown(text, &s["selectionRange"]));
        let name = s["name"].as_str().unwrap_or_default();
        let end = (&range["end"]["line"], &range["end"]["character"]);
        *out += &format!("{}{} {name}{detail}: {selected}, to {}:{}\n", "  ".repeat(depth), s["kind"], end.0, end.1);
        outline(text, &s["children"], depth + 1, out);
    }
}

#[track_caller]
pub fn completions(file: &str, text: &str, expected: &Expect) {
    let (_, answer) = asked(file, text, "completion", &json!({}));
    named(&answer, expected);
}

/// Completions in a text that an earlier one became.
#[track_caller]
pub fn completions_after(file: &str, before: &str, text: &str, expected: &Expect) {
    let (text, place) = cursor(text);
    let uri = uri(file);
    let wait = request(1000, "documentSymbol", &uri, (0, 0), &json!({}));
    let asked = request(QUESTION, "completion", &uri, place, &json!({}));
    let said = said(&conversation(&[open(&uri, "", before), wait, change(&uri, 2, &text), asked]));
    named(&said.into_iter().find(|m| m["id"] == QUESTION).expect("an answer"), expected);
}

#[track_caller]
fn named(answer: &Value, expected: &Expect) {
    let items = answer["result"]["items"].as_array().into_iter().flatten();
    let each = items.map(|i| {
        let detail = i["detail"].as_str().map(|d| format!(": {d}")).unwrap_or_default();
        format!("{}{detail}\n", i["label"].as_str().unwrap_or_default())
    });
    let more = if answer["result"]["isIncomplete"] == true { "...\n" } else { "" };
    expected.assert_eq(&(each.collect::<String>() + more));
}
