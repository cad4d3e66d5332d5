//! Sources that PyTorch refuses: that they are refused, with which first line, at which underlined place, and whether the report is the same to the byte.
//!
//! The overloads that a report of a call lists are informative; place and first line are the contract.

use crate::Error;
use crate::vectors::Verdict;
use serde_json::Value;

/// Who refuses a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// The compiler: its text is the contract.
    TorchScript,
    /// Python's parser: only the refusal matters.
    Python,
    /// PyTorch fails in its own Python code: only the refusal matters.
    Accident,
}

/// What PyTorch refuses and Sconce takes on purpose, and why.
const ACCEPTED: &[(&str, &str)] = &[
    ("module_defaults_self_call", "the defaults of a class's own methods are known while the class is compiled"),
    ("class_tensor_subclass", "a script class may have bases; PyTorch stumbles over the properties of Tensor"),
];

/// A recorded refusal.
#[derive(Clone, Debug)]
pub struct Reject {
    pub name: String,
    /// What is compiled: `f`, `M()`, a trace.
    pub entry: String,
    pub source: String,
    /// The whole text of the exception.
    pub expected: String,
    pub by: By,
    /// Compiling succeeds, saving fails.
    pub on_saving: bool,
}

/// How well a report agrees with the recorded one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Agreement {
    pub refused: bool,
    /// The first line that says something.
    pub message: bool,
    /// File, line and every underlined line of the first place.
    pub place: bool,
    /// Every byte.
    pub exact: bool,
}

/// The recordings of a `rejects.jsonl`, in order.
pub fn read(text: &str) -> Result<Vec<Reject>, Error> {
    text.lines().filter(|line| !line.trim().is_empty()).map(read_line).collect()
}

fn read_line(line: &str) -> Result<Reject, Error> {
    let json: Value = serde_json::from_str(line).map_err(|e| Error::Malformed(e.to_string()))?;
    let get = |key: &str| {
        json.get(key).and_then(Value::as_str).map(str::to_owned).ok_or_else(|| Error::malformed("a refusal", &json))
    };
    let by = match get("by")?.as_str() {
        "torchscript" => By::TorchScript,
        "python parser" => By::Python,
        "accident" => By::Accident,
        other => return Err(Error::Malformed(format!("refused by {other}"))),
    };
    Ok(Reject {
        name: get("name")?,
        entry: get("entry")?,
        source: get("source")?,
        expected: get("expected")?,
        by,
        on_saving: get("stage")? == "save",
    })
}

impl Reject {
    /// Compiles the entry and compares; `compile` takes source and entry, and gives the whole report of a refusal.
    pub fn compare(&self, compile: impl FnOnce(&str, &str) -> Result<(), String>) -> (Agreement, Option<String>) {
        let Err(report) = compile(&self.source, &self.entry) else { return (Agreement::default(), None) };
        let agreement = match self.by {
            By::TorchScript => Agreement {
                refused: true,
                message: first_line(&report) == first_line(&self.expected),
                place: place(&report) == place(&self.expected),
                exact: report == self.expected,
            },
            By::Python | By::Accident => Agreement { refused: true, message: true, place: true, exact: true },
        };
        (agreement, Some(report))
    }

    /// Why Sconce takes the source, where it does so on purpose.
    pub fn accepted_on_purpose(&self) -> Option<&'static str> {
        ACCEPTED.iter().find(|(name, _)| *name == self.name).map(|(_, why)| *why)
    }

    /// Passed where the source is refused in the same words at the same place.
    pub fn judge(&self, compile: impl FnOnce(&str, &str) -> Result<(), String>) -> Verdict {
        let (agreement, report) = self.compare(compile);
        let report = report.unwrap_or_default();
        match agreement {
            Agreement { refused: false, .. } if self.accepted_on_purpose().is_some() => {
                Verdict::Skipped(format!("accepted on purpose: {}", self.accepted_on_purpose().unwrap_or_default()))
            }
            Agreement { refused: false, .. } => Verdict::Failed("accepted; PyTorch refuses it".to_owned()),
            Agreement { place: false, .. } => {
                Verdict::Failed(format!("refused at another place: expected\n{}\nfound\n{report}", self.expected))
            }
            Agreement { message: false, .. } => {
                Verdict::Reworded(format!("expected {:?}, found {:?}", first_line(&self.expected), first_line(&report)))
            }
            _ => Verdict::Passed,
        }
    }
}

/// The first line that is not blank.
fn first_line(report: &str) -> &str {
    report.lines().find(|line| !line.trim().is_empty()).unwrap_or_default()
}

/// The first place that a report shows: its file and line, and each line that is underlined with its marks.
fn place(report: &str) -> Vec<&str> {
    let lines: Vec<&str> = report.lines().skip_while(|line| !line.starts_with("  File \"")).collect();
    let Some((header, shown)) = lines.split_first() else { return Vec::new() };
    let shown: Vec<&str> = shown.iter().copied().take_while(|line| !line.starts_with("  File \"")).collect();
    let marked = shown.windows(2).filter(|pair| {
        let marks = pair[1].trim_start().trim_end_matches(" <--- HERE");
        !marks.is_empty() && marks.bytes().all(|b| b == b'~')
    });
    std::iter::once(*header).chain(marked.flatten().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXPECTED: &str =
        "\nundefined value y:\n  File \"s.py\", line 2\ndef f(x):\n    return y\n           ~ <--- HERE\n";

    fn reject() -> Reject {
        let json = serde_json::json!({
            "name": "n", "entry": "f", "source": "def f(x):\n    return y\n", "expected": EXPECTED,
            "by": "torchscript", "stage": "compile"
        });
        read(&json.to_string()).expect("a line").remove(0)
    }

    #[test]
    fn agreement_is_by_degrees() {
        let compare = |report: &str| reject().compare(|_, _| Err(report.to_owned())).0;
        let exact = Agreement { refused: true, message: true, place: true, exact: true };
        assert_eq!(compare(EXPECTED), exact);
        assert_eq!(compare(&format!("{EXPECTED}'f' is being compiled")), Agreement { exact: false, ..exact });
        let elsewhere = EXPECTED.replace("           ~", "    ~~~~~~~~");
        assert_eq!(compare(&elsewhere), Agreement { place: false, exact: false, ..exact });
        assert_eq!(
            compare(&EXPECTED.replace("undefined", "unknown")),
            Agreement { message: false, exact: false, ..exact }
        );
        assert_eq!(reject().compare(|_, _| Ok(())).0, Agreement::default());
    }

    #[test]
    fn recordings_are_read() {
        assert!(read("{\"name\": 1}\n").is_err());
        assert!(matches!(reject().judge(|_, _| Ok(())), Verdict::Failed(_)));
        assert!(matches!(reject().judge(|_, _| Err(EXPECTED.to_owned())), Verdict::Passed));
    }
}
