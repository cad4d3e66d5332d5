//! Layers as Python classes: the constructor, `reset_parameters`, `extra_repr` and `forward` that follow from a record.

use super::record::{Check, Layer, Place, Setting, Shown};

const WIDTH: usize = 120;

/// Modules that a record's Python may name.
const MODULES: &[(&str, &str)] = &[
    ("math", "import math"),
    ("warnings", "import warnings"),
    ("torch", "import torch"),
    ("F", "import torch.nn.functional as F"),
];

/// What a record's Python may name of other modules.
const NAMES: &[(&str, &[&str])] = &[
    ("typing", &["Any", "Callable", "List", "Optional", "Tuple", "Union"]),
    ("torch", &["Tensor"]),
    ("torch.nn", &["init"]),
    (
        "torch.nn.modules._layer",
        &["_begin", "_floats", "_given", "_matrix", "_own", "_reduction", "_refuse", "_uniform", "_zero_row"],
    ),
    ("torch.nn.modules.distance", &["PairwiseDistance"]),
    ("torch.nn.modules.linear", &["Linear"]),
    ("torch.nn.modules.module", &["Module"]),
    ("torch.nn.modules.normalization", &["_across_channels"]),
    ("torch.nn.modules.utils", &["_pair", "_single", "_triple"]),
];

/// The text of a module; `source` is where its records are.
pub fn module(source: &str, layers: &[Layer]) -> String {
    let classes: Vec<String> = layers.iter().map(class).collect();
    let body = classes.join("\n\n");
    format!(
        "\"\"\"Layers, made by `cargo xtask codegen` from {source}; do not edit.\"\"\"\n{}\n\n{body}",
        imports(&body)
    )
}

/// The imports of what the classes name.
fn imports(body: &str) -> String {
    let mut out = String::new();
    for (name, import) in MODULES {
        if names(body, name) {
            out += &format!("{import}\n");
        }
    }
    for (from, members) in NAMES {
        let own = |name: &str| body.contains(&format!("class {name}("));
        let used: Vec<&str> = members.iter().copied().filter(|name| names(body, name) && !own(name)).collect();
        if !used.is_empty() {
            out += &format!("from {from} import {}\n", used.join(", "));
        }
    }
    out
}

/// Whether Python names this outside of attributes and keywords: `F` in `F.celu`, not in `x.F` or `F=`.
fn names(body: &str, name: &str) -> bool {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    body.match_indices(name).any(|(at, _)| {
        let before = body.get(..at).unwrap_or_default();
        let after = body.get(at + name.len()..).unwrap_or_default();
        !before.ends_with(|c: char| part(c) || ".\"#".contains(c))
            && !after.starts_with(|c: char| part(c) || c == '=' || c == ':' || c == '"')
    })
}

/// Python that grows line by line.
#[derive(Default)]
struct Text(String);

impl Text {
    fn line(&mut self, depth: usize, line: &str) {
        if !line.is_empty() {
            self.0 += &format!("{}{line}", "    ".repeat(depth));
        }
        self.0.push('\n');
    }

    /// `head(arguments)tail`, one argument a line where it is too long for one.
    fn call(&mut self, depth: usize, head: &str, arguments: &[String], tail: &str) {
        self.listed(depth, &format!("{head}("), arguments, &format!("){tail}"));
    }

    /// `open`, the items with commas, `close`.
    fn listed(&mut self, depth: usize, open: &str, items: &[String], close: &str) {
        let flat = format!("{open}{}{close}", items.join(", "));
        if 4 * depth + flat.chars().count() <= WIDTH {
            return self.line(depth, &flat);
        }
        self.line(depth, open);
        for item in items {
            let parts = split(item, WIDTH - 4 * depth - 5).join(&format!("\n{}", "    ".repeat(depth + 1)));
            self.line(depth + 1, &format!("{parts},"));
        }
        self.line(depth, close);
    }

    /// Lines as a record has them, whatever its indentation.
    fn verbatim(&mut self, depth: usize, text: &str) {
        let lines: Vec<&str> = text.trim_end().lines().skip_while(|l| l.trim().is_empty()).collect();
        let indent = |l: &&str| l.len() - l.trim_start().len();
        let common = lines.iter().filter(|l| !l.trim().is_empty()).map(indent).min().unwrap_or_default();
        for line in lines {
            self.line(depth, line.get(common..).unwrap_or_default());
        }
    }

    /// A check as one statement, or with those around it. What is compiled spells out what `_refuse` does.
    fn check(&mut self, depth: usize, check: &Check, compiled: bool) {
        let mut depth = depth;
        let condition = if check.warns || compiled { format!("if {}", check.when) } else { String::new() };
        for statement in [&check.around, &condition] {
            if !statement.is_empty() && statement != "if " {
                self.line(depth, &format!("{statement}:"));
                depth += 1;
            }
        }
        let (words, kind) = (quoted(&check.words), check.kind.clone());
        match (check.warns, compiled) {
            (true, _) => self.call(depth, "warnings.warn", &[words, kind], ""),
            (false, true) => self.call(depth, &format!("raise {kind}"), &[words], ""),
            (false, false) => self.call(depth, "_refuse", &[check.when.clone(), kind, words], ""),
        }
    }

    fn checks(&mut self, depth: usize, checks: &[Check], compiled: bool) {
        for check in checks {
            self.check(depth, check, compiled);
        }
    }
}

/// A string of Python; with `{…}` one that is formatted.
fn quoted(text: &str) -> String {
    let prefix = if text.contains('{') { "f" } else { "" };
    let quote = if text.contains('"') { '\'' } else { '"' };
    format!("{prefix}{quote}{text}{quote}")
}

/// A string of Python in parts that fit, which Python joins.
fn split(text: &str, width: usize) -> Vec<String> {
    let quote = text.chars().last().filter(|q| *q == '"' && text.starts_with('"'));
    let cut = text.get(..width).and_then(|head| head.rfind(' '));
    match (quote, cut) {
        (Some(quote), Some(cut)) if text.len() > width => {
            let (head, rest) = text.split_at(cut + 1);
            [vec![format!("{head}{quote}")], split(&format!("{quote}{rest}"), width)].concat()
        }
        _ => vec![text.to_owned()],
    }
}

/// One class.
fn class(layer: &Layer) -> String {
    let mut out = Text::default();
    out.line(0, &format!("class {}({}):", layer.name, layer.base));
    out.line(1, &format!("\"\"\"{}\"\"\"", layer.what));
    attributes(layer, &mut out);
    constructor(layer, &mut out);
    reset(layer, &mut out);
    extra_repr(layer, &mut out);
    forward(layer, &mut out);
    if !layer.methods.is_empty() {
        out.line(0, "");
        out.verbatim(1, &layer.methods);
    }
    out.0
}

/// `__constants__` and annotations.
fn attributes(layer: &Layer, out: &mut Text) {
    let kept = layer.kept();
    let constants: Vec<String> =
        kept.iter().filter(|s| s.place == Place::Constant).map(|s| format!("\"{}\"", s.stored)).collect();
    let held = |s: &&&Setting| s.place != Place::Buffer && !s.attribute.is_empty();
    let own = kept.iter().filter(held).map(|s| format!("{}: {}", s.stored, s.attribute));
    let parameters = layer.parameters.iter().filter(|p| p.when.is_empty()).map(|p| format!("{}: Tensor", p.name));
    let annotations: Vec<String> = own.chain(parameters).collect();
    if !constants.is_empty() || !annotations.is_empty() {
        out.line(0, "");
    }
    if !constants.is_empty() {
        out.listed(1, "__constants__ = [", &constants, "]");
    }
    for annotation in annotations {
        out.line(1, &annotation);
    }
}

/// The constructor: checks, settings made ready, the base, what is kept, parameters.
fn constructor(layer: &Layer, out: &mut Text) {
    let nothing = layer.settings.is_empty() && layer.given.is_empty();
    if nothing && layer.parameters.is_empty() && layer.checks.is_empty() && layer.last.is_empty() {
        return;
    }
    out.line(0, "");
    out.call(1, "def __init__", &signature(layer), " -> None:");
    out.checks(2, &layer.checks, false);
    for setting in layer.settings.iter().filter(|s| s.given && s.value != s.name) {
        out.line(2, &format!("{} = {}", setting.name, setting.value));
    }
    let base = layer.base != "Module";
    let passed =
        layer.settings.iter().filter(|s| base && s.place == Place::Nowhere).map(|s| format!("{0}={0}", s.name));
    out.call(2, "super().__init__", &passed.chain(layer.given.iter().cloned()).collect::<Vec<_>>(), "");
    for setting in layer.kept() {
        let value = if setting.given { &setting.name } else { &setting.value };
        out.line(
            2,
            &match setting.place {
                Place::Buffer => format!("self.register_buffer(\"{}\", {value})", setting.stored),
                _ => format!("self.{} = {value}", setting.stored),
            },
        );
    }
    own(layer, out);
    out.verbatim(2, &layer.last);
}

/// Where the constructor makes parameters and fills them.
fn own(layer: &Layer, out: &mut Text) {
    if layer.parameters.is_empty() {
        return;
    }
    let parameters = layer.parameters.iter().map(|p| match p.when.is_empty() {
        true => format!("{}={}", p.name, p.shape),
        false => format!("{}={} if {} else None", p.name, p.shape, p.when),
    });
    let arguments: Vec<String> = ["self", "device", "dtype"].map(str::to_owned).into_iter().chain(parameters).collect();
    out.call(2, "_own", &arguments, "");
    match layer.fresh.as_str() {
        _ if layer.initial.is_empty() => {}
        "" => out.line(2, "self.reset_parameters()"),
        fresh => {
            out.line(2, &format!("if {fresh}:"));
            out.line(3, "self.reset_parameters()");
        }
    }
}

/// The constructor's parameters.
fn signature(layer: &Layer) -> Vec<String> {
    let given = |keyword: bool| layer.settings.iter().filter(move |s| s.given && s.keyword == keyword);
    let mut parameters = vec!["self".to_owned()];
    parameters.extend(given(false).map(Setting::in_signature));
    if given(true).next().is_some() {
        parameters.push("*".to_owned());
        parameters.extend(given(true).map(Setting::in_signature));
    }
    parameters
}

/// `reset_parameters`.
fn reset(layer: &Layer, out: &mut Text) {
    if layer.initial.is_empty() {
        return;
    }
    out.line(0, "");
    out.line(1, "def reset_parameters(self) -> None:");
    for step in &layer.initial {
        let mut arguments = vec![format!("self.{}", step.parameter), step.function.clone()];
        arguments.extend(Some(step.more.clone()).filter(|more| !more.is_empty()));
        out.call(2, "_begin", &arguments, "");
    }
}

/// What `repr` shows of a setting, and when it does not always.
fn shown(layer: &Layer, setting: &Setting) -> Option<(String, Option<String>)> {
    let Setting { name, stored, default, .. } = setting;
    let value = format!("{{self.{stored}{}}}", if setting.annotation == "str" { "!r" } else { "" });
    let named = format!("{name}={value}");
    match setting.shown {
        Shown::Hidden => None,
        Shown::Named if layer.parameters.iter().any(|p| p.name == *name) => {
            Some((format!("{name}={{self.{name} is not None}}"), None))
        }
        Shown::Named => Some((named, None)),
        Shown::Bare => Some((value, None)),
        Shown::Changed => Some(match default.as_str() {
            "False" => (format!("{name}=True"), Some(format!("self.{stored}"))),
            "None" => (named, Some(format!("self.{stored} is not None"))),
            _ => (named, Some(format!("self.{stored} != {default}"))),
        }),
    }
}

/// `extra_repr`: what is always shown in one string, the rest by condition.
fn extra_repr(layer: &Layer, out: &mut Text) {
    let mut terms: Vec<(String, Option<String>)> = Vec::new();
    for (text, condition) in layer.settings.iter().filter_map(|s| shown(layer, s)) {
        let text = if terms.is_empty() { text } else { format!(", {text}") };
        match terms.last_mut() {
            Some((before, None)) if condition.is_none() && before.len() + text.len() < WIDTH - 20 => {
                before.push_str(&text)
            }
            _ => terms.push((text, condition)),
        }
    }
    let alone = terms.len() == 1;
    let sums: Vec<String> = terms
        .iter()
        .map(|(text, condition)| match condition {
            None => quoted(text),
            Some(c) if alone => format!("{} if {c} else \"\"", quoted(text)),
            Some(c) => format!("({} if {c} else \"\")", quoted(text)),
        })
        .collect();
    let sums = if layer.shows.is_empty() { sums } else { layer.shows.clone() };
    if sums.is_empty() {
        return;
    }
    out.line(0, "");
    out.line(1, "def extra_repr(self) -> str:");
    let sum = format!("return {}", sums.join(" + "));
    if sum.chars().count() + 8 <= WIDTH {
        return out.line(2, &sum);
    }
    out.line(2, "return (");
    out.line(3, &sums.join("\n            + "));
    out.line(2, ")");
}

/// `forward`, and the method that checks its inputs where there is one.
fn forward(layer: &Layer, out: &mut Text) {
    if layer.call.is_empty() {
        return;
    }
    let inputs: Vec<String> =
        ["self".to_owned()].into_iter().chain(layer.inputs.iter().map(|i| i.text.clone())).collect();
    let arrow = |returns: &str| if returns.is_empty() { ":".to_owned() } else { format!(" -> {returns}:") };
    out.line(0, "");
    out.call(1, "def forward", &inputs, &arrow(&layer.returns));
    let names: Vec<&str> = layer.inputs.iter().map(|i| i.name.as_str()).collect();
    match layer.guard.is_empty() {
        true => out.checks(2, &layer.expects, true),
        false => out.line(2, &format!("self.{}({})", layer.guard, names.join(", "))),
    }
    let whole = layer.call.contains('(') || names.contains(&layer.call.as_str());
    match whole {
        false => out.call(2, &format!("return {}", layer.call), &arguments(layer), ""),
        true => out.line(2, &format!("return {}", layer.call)),
    }
    if !layer.guard.is_empty() {
        out.line(0, "");
        out.call(1, &format!("def {}", layer.guard), &inputs, &arrow("None"));
        out.checks(2, &layer.expects, true);
    }
}

/// What `forward` gives to the function that it calls.
fn arguments(layer: &Layer) -> Vec<String> {
    let required = layer.inputs.iter().filter(|i| i.required).map(|i| i.name.clone());
    let settings = layer.settings.iter().filter(|s| !s.passed.is_empty() && s.place != Place::Nowhere);
    let settings = settings.map(|s| format!("{}=self.{}", s.passed, s.stored));
    let own = layer.parameters.iter().map(|p| format!("{0}=self.{0}", p.name)).chain(layer.also.iter().cloned());
    let optional = layer.inputs.iter().filter(|i| !i.required).map(|i| format!("{0}={0}", i.name));
    required.chain(settings).chain(own).chain(optional).collect()
}
