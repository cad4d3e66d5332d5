//! Recordings of `torch.nn`: what one row says, and whether what was seen is the same.
//!
//! A row is one JSON object a line, told by its `k`. Calls are compared with result, executed operators, warnings, changed arguments and state,
//! shared storage, or the error with what ran before it, or the compiler's refusal.

mod trace;

pub use trace::{Seen, Trace, compare_operators};

use crate::Error;
use crate::messages::about_the_program;
use crate::tolerance::{Tolerance, compare_elements};
use crate::values::{Compare, Group, brief, compare_aliases};
use sconce_interpreter::{Cause, RunError};
use sconce_schema::Type;
use sconce_tensor::{IValue, Tensor};
use serde_json::{Map, Value};

/// Warnings that PyTorch's operators give themselves; the runtime has no channel for them.
const OPERATORS_WARN: &[&str] = &[
    "A window was not provided. A rectangular window will be applied",
    "LSTM with projections is not supported with oneDNN.",
    "Mismatch dtype between input and weight",
    "The PyTorch API of nested tensors is in prototype stage",
    "Using padding='same' with even kernel lengths",
    "stft with return_complex=False is deprecated.",
    "torch.chain_matmul is deprecated",
    "torch.meshgrid: in an upcoming release",
];

/// One row.
#[derive(Debug, Clone)]
pub struct Row {
    json: Map<String, Value>,
}

/// Whether a text is such a recording.
pub fn is_recording(text: &str) -> bool {
    text.starts_with("{\"k\":")
}

/// Its rows, in order.
pub fn read(text: &str) -> Result<Vec<Row>, Error> {
    let row = |line: &str| match serde_json::from_str(line) {
        Ok(Value::Object(json)) => Ok(Row { json }),
        Ok(other) => Err(Error::malformed("a row", &other)),
        Err(e) => Err(Error::Malformed(e.to_string())),
    };
    text.lines().filter(|line| !line.trim().is_empty()).map(row).collect()
}

/// What a call did.
pub struct Ran {
    pub outcome: Result<IValue, RunError>,
    pub seen: Seen,
    /// The arguments, as they are afterwards.
    pub arguments: Vec<IValue>,
    /// Parameters and buffers: name, copy from before, and now.
    pub state: Vec<(String, Tensor, Tensor)>,
}

impl Row {
    pub fn get(&self, key: &str) -> &Value {
        self.json.get(key).unwrap_or(&Value::Null)
    }

    /// A field that is a text; empty where there is none.
    pub fn text(&self, key: &str) -> &str {
        self.get(key).as_str().unwrap_or_default()
    }

    pub fn has(&self, key: &str) -> bool {
        self.json.contains_key(key)
    }

    pub fn items(&self, key: &str) -> &[Value] {
        self.get(key).as_array().map_or(&[], Vec::as_slice)
    }

    /// Names and types of a call's inputs.
    pub fn signature(&self) -> Vec<(&str, &str)> {
        self.items("sig").iter().filter_map(|p| Some((p.get(0)?.as_str()?, p.get(1)?.as_str()?))).collect()
    }

    /// The arguments of a call; `inputs` are those that its construction shares among its calls.
    pub fn arguments<'r>(&'r self, inputs: &'r [Value]) -> Vec<&'r Value> {
        let shared = |v: &'r Value| inputs.get(usize::try_from(v.get("in")?.as_u64()?).ok()?);
        self.items("args").iter().map(|v| shared(v).unwrap_or(v)).collect()
    }

    /// PyTorch raises, or refuses to compile.
    pub fn is_error(&self) -> bool {
        self.has("error") || self.has("refused")
    }

    /// Compares a call with all that is recorded of it.
    pub fn compare(&self, ran: &Ran, inputs: &[Value]) -> Result<(), String> {
        match (&ran.outcome, self.get("error")) {
            (Ok(result), Value::Null) => {
                Compare::default().value(self.get("out"), &unnamed(result), "out")?;
                let given: Vec<&IValue> = ran.arguments.iter().collect();
                compare_aliases(self.get("alias"), &given, result)?;
            }
            (Ok(result), want) => return Err(format!("expected {}, got {result:?}", brief(want))),
            (Err(e), Value::Null) => return Err(format!("raised {}", e.last_line())),
            (Err(e), want) => compare_error(want, e)?,
        }
        compare_operators(self.items("ops"), &ran.seen.operators, self.has("names_only"))?;
        compare_warnings(self.items("warn"), &ran.seen.warnings)?;
        let before = self.arguments(inputs);
        let changed = self.items("args_after");
        let want: Vec<&Value> = if changed.is_empty() { before } else { changed.iter().collect() };
        let mut group = Compare { arguments: true, ..Compare::default() };
        for (i, (w, g)) in want.into_iter().zip(&ran.arguments).enumerate() {
            if w.get("ps").is_none() {
                group.value(w, g, &format!("argument {i} afterwards"))?;
            }
        }
        self.compare_state(&ran.state)
    }

    /// Parameters and buffers that the call changed, and that it changed no others.
    fn compare_state(&self, state: &[(String, Tensor, Tensor)]) -> Result<(), String> {
        for (name, before, now) in state {
            match self.get("state").get(name) {
                Some(want) => {
                    let group = &mut Compare { state: true, ..Compare::default() };
                    group.value(want, &IValue::Tensor(now.clone()), name)?;
                }
                None => compare_elements(before, now, Tolerance::Exact).map_err(|e| format!("{name} changed: {e}"))?,
            }
        }
        Ok(())
    }

    /// Why a refusal under this key is none that Sconce has to share, if so: any is as good as it, and so is none.
    pub fn accident(&self, key: &str) -> Option<&'static str> {
        let text = self.get(key)[1].as_str()?;
        ACCIDENTS.iter().find(|a| text.contains(**a)).copied()
    }

    /// Compares the compiler's refusal, class aside, with the recorded one.
    pub fn compare_refusal(&self, key: &str, report: &str) -> Result<(), String> {
        let want = self.get(key)[1].as_str().unwrap_or_default();
        let got = refusal(report);
        let got = got.get(..900).unwrap_or(&got);
        // Which overloads a refusal lists is informative.
        let same = self.accident(key).is_some()
            || want.trim_end() == got.trim_end()
            || (want.starts_with(VARIANTS) && got.starts_with(VARIANTS));
        if same { Ok(()) } else { Err(format!("expected the refusal {want:?}, got {got:?}")) }
    }
}

/// Refusals that come of how PyTorch's own Python is written, or are its mistakes: they say nothing of a program.
const ACCIDENTS: &[&str] = &[
    "Comprehension ifs are not supported yet",
    "Expression of type dots cannot be used in a type expression",
    "Failed to get source for <function",
    "INTERNAL ASSERT FAILED",
    "Unable to cast Python instance of type",
    "Unknown type annotation: '<class 'torch.nn.modules.linear.Linear'>'",
    "attribute lookup is not defined on python value of type 'module'",
];

const VARIANTS: &str = "Arguments for call are not valid.";

/// The compiler's text up to where it quotes source.
fn refusal(report: &str) -> String {
    let text = neutral(report.trim_start_matches('\n'));
    let lines = text.split('\n').scan((), |(), line| {
        let quotes = line.trim_start();
        let quotes = quotes.starts_with("File \"")
            || quotes.starts_with("def ")
            || quotes.starts_with('~')
            || (quotes.starts_with('\'') && quotes.contains("' is being compiled"));
        (!quotes).then_some(line)
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    let text = text.split("The original call is:").next().unwrap_or_default();
    text.trim().trim_end_matches(':').to_owned()
}

/// A text without numbers that tell equal names apart, and without addresses.
pub fn neutral(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("___torch_mangle_") {
        out.push_str(before);
        rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
        rest = rest.strip_prefix('.').unwrap_or(rest);
    }
    out.push_str(rest);
    let mut parts = out.split("0x");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_hexdigit());
        text.push_str(if part.len() - rest.len() >= 6 { "0x0" } else { "0x" });
        text.push_str(if part.len() - rest.len() >= 6 { rest } else { part });
    }
    text
}

/// How a value differs from a recorded one.
pub fn difference(want: &Value, got: &IValue) -> Result<(), String> {
    Compare::default().value(want, got, "value")
}

/// Named tuples are recorded as tuples.
fn unnamed(result: &IValue) -> IValue {
    match result {
        IValue::Tuple(t) => IValue::tuple(t.items.iter().map(unnamed).collect::<Vec<_>>()),
        other => other.clone(),
    }
}

/// Class and message of what a run raised; `want` is `[class named in the text, text, Python's class]`.
fn compare_error(want: &Value, got: &RunError) -> Result<(), String> {
    let (class, text) = (want[0].as_str().unwrap_or_default(), want[1].as_str().unwrap_or_default());
    let text = &about_the_program(text);
    if text.contains("INTERNAL ASSERT FAILED") {
        return Ok(());
    }
    let message = neutral(&got.message);
    let message: String = message.trim().chars().take(600).collect();
    let raised = got.cause == Cause::Raised;
    let named = got.class.rsplit('.').next().unwrap_or(&got.class);
    if message != *text {
        return Err(format!("expected the error {text:?}, got {message:?}"));
    }
    if raised != (want[2].as_str() == Some("Error")) || (raised && named != class) {
        return Err(format!("expected an error of class {class}, got {named} ({:?}): {message:?}", got.cause));
    }
    Ok(())
}

/// `[category, text]` each; what operators warn of is left out.
fn compare_warnings(want: &[Value], got: &[String]) -> Result<(), String> {
    let texts = want.iter().filter_map(|w| w[1].as_str());
    let want: Vec<&str> = texts.filter(|t| !OPERATORS_WARN.iter().any(|o| t.starts_with(o))).collect();
    let got: Vec<String> = got.iter().map(|t| t.trim().chars().take(600).collect()).collect();
    if want == got { Ok(()) } else { Err(format!("expected the warnings {want:?}, got {got:?}")) }
}

/// The arguments of a call, decoded; those of one call may view each other.
pub fn decode(arguments: &[&Value], types: &[Type]) -> Result<Vec<IValue>, Error> {
    let mut group = Group::default();
    let ty = |i: usize| types.get(i).unwrap_or(&Type::Any);
    arguments.iter().enumerate().map(|(i, v)| group.decode(v, ty(i))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_end_where_source_begins() {
        assert_eq!(refusal("\nundefined value y:\n  File \"s.py\", line 2\n    return y\n"), "undefined value y");
        assert_eq!(neutral("<f at 0x7fff0010>, 0x1"), "<f at 0x0>, 0x1");
        assert_eq!(neutral("a __torch__.___torch_mangle_12.M b"), "a __torch__.M b");
    }
}
