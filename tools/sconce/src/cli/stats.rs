//! `sconce stats`: what programs contain: operators, and the patterns that rewrite rules look for.

use super::run::load_file;
use super::{CommandResult, CompileArgs, FormatArgs, print};
use crate::engine::Engine;
use clap::Args;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  sconce stats model.pt program.pt2
  sconce stats net.py --entry 'Net(4)' --json";

/// Count what programs contain, most frequent first: operators, and the left sides of rewrite rules, after the default pipeline.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub struct StatsArgs {
    /// Any files that `sconce run` takes; a file may hold a module or a function.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Of source, what to compile: a function's name, or an expression that makes a module, such as 'M(3)'.
    #[arg(long, value_name = "EXPRESSION")]
    entry: Option<String>,
    #[command(flatten)]
    format: FormatArgs,
}

/// By word (`operator`, `pattern`) and name: how often, and in how many files.
type Counts = BTreeMap<(String, String), (usize, usize)>;

pub fn run(args: &StatsArgs) -> CommandResult {
    let engine = Engine::new(CompileArgs::off().options()).map_err(|e| e.to_string())?;
    let mut counts = Counts::new();
    for file in &args.files {
        let source = crate::source::SourceOptions { entry: args.entry.clone(), ..Default::default() };
        let is_source = file.extension().is_some_and(|e| e == "py");
        let loaded = match is_source {
            true => {
                let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
                engine.compile_source(&file.display().to_string(), &text, &source)
            }
            false => load_file(&engine, file),
        };
        let text = loaded.and_then(|module| module.counts()).map_err(|e| format!("{}: {e}", file.display()))?;
        add(&text, &mut counts);
    }
    print(&if args.format.json { as_json(&counts) } else { table(&counts) });
    Ok(ExitCode::SUCCESS)
}

/// Adds the lines of a file's counts: a word, a name, a number.
fn add(text: &str, counts: &mut Counts) {
    for line in text.lines() {
        if let [word, name, count] = line.split(' ').collect::<Vec<_>>()[..] {
            let known = counts.entry((word.to_owned(), name.to_owned())).or_default();
            known.0 += count.parse::<usize>().unwrap_or(0);
            known.1 += 1;
        }
    }
}

/// The rows of a word, most frequent first.
fn rows<'c>(counts: &'c Counts, word: &'c str) -> Vec<(&'c str, usize, usize)> {
    let mut rows: Vec<_> =
        counts.iter().filter(|((w, _), _)| w == word).map(|((_, name), (n, files))| (&**name, *n, *files)).collect();
    rows.sort_by_key(|(name, n, _)| (std::cmp::Reverse(*n), *name));
    rows
}

fn table(counts: &Counts) -> String {
    let mut text = String::new();
    for word in ["operator", "pattern"] {
        let _ = writeln!(text, "{word:<44}{:>8}{:>8}", "count", "files");
        for (name, n, files) in rows(counts, word) {
            let _ = writeln!(text, "{name:<44}{n:>8}{files:>8}");
        }
    }
    text
}

fn as_json(counts: &Counts) -> String {
    let list = |word| -> Vec<serde_json::Value> {
        let row = |(name, count, files)| serde_json::json!({"name": name, "count": count, "files": files});
        rows(counts, word).into_iter().map(row).collect()
    };
    super::document(serde_json::json!({"operators": list("operator"), "patterns": list("pattern")}))
}
