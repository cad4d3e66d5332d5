//! A page runs one script and no other, asks no network for anything, and has the program's text as data alone: whatever a program is called, it stays text.

use crate::Error;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

/// The style of every page.
const STYLE: &str = include_str!("../assets/view.css");

/// The library that lays graphs out, with its licence.
const LIBRARY: &str = include_str!("../assets/dagre/dagre.min.js");

/// Our own script's parts, in this order.
const PARTS: &[&str] = &[
    include_str!("../assets/model.js"),
    include_str!("../assets/layout.js"),
    include_str!("../assets/drawing.js"),
    include_str!("../assets/outline.js"),
    include_str!("../assets/texts.js"),
    include_str!("../assets/tables.js"),
    include_str!("../assets/search.js"),
    include_str!("../assets/main.js"),
];

/// The page's elements.
const BODY: &str = include_str!("../assets/body.html");

/// A value as JSON that may stand in an element of HTML, and in a line of a script.
pub fn json(value: &impl Serialize) -> Result<String, Error> {
    let text = serde_json::to_string(value).map_err(Error::Document)?;
    // Outside of strings JSON has none of these characters.
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    for c in text.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => out.push_str(&format!("\\u{:04x}", c as u32)),
            _ => out.push(c),
        }
    }
    Ok(out)
}

/// Text between the tags of an element.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// What a policy calls a script or style that may run.
fn source(text: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)))
}

/// All that a page runs. Names of our own are nobody else's.
fn script() -> String {
    format!("{LIBRARY}\n(() => {{\n'use strict';\n{}}})();\n", PARTS.concat())
}

/// A page around a document.
pub fn page(title: &str, document: &str) -> String {
    let script = script();
    let policy = format!(
        "default-src 'none'; script-src {}; style-src {}; base-uri 'none'; form-action 'none'",
        source(&script),
        source(STYLE)
    );
    let title = escaped(title);
    [
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
        &format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n"),
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n",
        &format!("<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n"),
        BODY,
        &format!("<script type=\"application/json\" id=\"document\">{document}</script>\n<script>{script}</script>\n</body>\n</html>\n"),
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use super::{BODY, STYLE, json, page, script};
    use expect_test::expect;

    #[test]
    fn text_stays_text() {
        let hostile = "</script><!--<script>\"'\\ & \u{2028}\u{2029}\u{0}";
        let text = json(&hostile).expect("text is JSON");
        expect![[r#""\u003c/script\u003e\u003c!--\u003cscript\u003e\"'\\ \u0026 \u2028\u2029\u0000""#]]
            .assert_eq(&text);
        assert_eq!(serde_json::from_str::<String>(&text).expect("JSON"), hostile);
        let page = page(hostile, &text);
        assert_eq!(page.matches("</script").count(), 2);
        assert!(page.contains("<title>&lt;/script&gt;&lt;!--&lt;script&gt;"));
    }

    #[test]
    fn nothing_is_asked_of_a_network() {
        for text in [&*script(), STYLE, BODY] {
            assert!(!text.to_lowercase().contains("</script") && !text.to_lowercase().contains("</style"));
            for word in [
                "fetch(",
                "XMLHttpRequest",
                "import(",
                "eval(",
                "src=",
                "href=",
                "url(",
                "@import",
                "innerHTML",
                "WebSocket",
            ] {
                assert!(!text.contains(word), "{word}");
            }
        }
        assert!(page("x", "{}").contains("default-src 'none'; script-src 'sha256-"));
    }
}
