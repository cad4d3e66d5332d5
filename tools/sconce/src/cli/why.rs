//! `sconce why`: what was not done for a method's operators, and the reason of each: why one is interpreted, stays a write or is not rewritten.

use super::arguments::{call_of, with_values};
use super::progress::Progress;
use super::run::load;
use super::{CallArgs, CommandResult, CompileArgs, FormatArgs, print};
use crate::engine::Engine;
use crate::module::Module;
use clap::Args;
use sconce_request::Refusal;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  sconce why model.pt -i 1x3x32x32xf32
  sconce why model.pt --at aten::relu -i 1x3x32x32xf32
  sconce why net.py:9 --entry 'Net(4)' -i 2x4xf32 --json";

/// Say why operators are not compiled, stay writes or are not rewritten.
///
/// Each line has the place in the source, the operator, what was not done, a word for the reason that stays the same from version to version, and a sentence.
/// The arguments' types say what is compiled: give them by --input or --inputs, or they are taken from the program where it is typed.
#[derive(Args)]
#[command(after_long_help = with_values(EXAMPLES))]
pub struct WhyArgs {
    #[command(flatten)]
    call: CallArgs,
    /// Only there: a line of the source ('12', or behind the file: 'model.pt:12'), an operator ('aten::add_'), or a value of the graph ('%12', as `sconce show`
    /// numbers it).
    #[arg(long, value_name = "WHERE")]
    at: Vec<String>,
    /// Compile for any sizes of this rank instead of the sizes at hand.
    #[arg(long)]
    dynamic: bool,
    #[command(flatten)]
    format: FormatArgs,
}

/// What is asked about.
enum Where {
    Line(usize),
    Operator(String),
    /// `file:line:column`.
    Place(String),
}

impl Where {
    fn has(&self, refusal: &Refusal) -> bool {
        match self {
            Where::Line(line) => position(&refusal.place).1 == *line,
            Where::Operator(name) => {
                let operator = &*refusal.operator;
                operator == name || operator.strip_prefix(&**name).is_some_and(|rest| rest.starts_with('.'))
            }
            Where::Place(place) => refusal.place == *place,
        }
    }
}

/// File, line and column of a place; zeros where there are none.
fn position(place: &str) -> (&str, usize, usize) {
    let mut parts = place.rsplitn(3, ':');
    let column = parts.next().and_then(|n| n.parse().ok());
    let line = parts.next().and_then(|n| n.parse().ok());
    match (parts.next(), line, column) {
        (Some(file), Some(line), Some(column)) => (file, line, column),
        _ => (place, 0, 0),
    }
}

pub fn run(args: &WhyArgs) -> CommandResult {
    let (call, line) = with_line(&args.call);
    let engine = Engine::new(CompileArgs { dynamic: args.dynamic, ..CompileArgs::off() }.options());
    let engine = engine.map_err(|e| e.to_string())?;
    let module = load(&engine, &call)?;
    let (name, arguments) = call_of(&module, &call)?;
    let mut asked: Vec<Where> = line.map(Where::Line).into_iter().collect();
    for word in &args.at {
        asked.push(place_of(&module, &name, word)?);
    }
    let progress = Progress::of(&format!("compiling {name}"));
    let mut refusals = module.refusals(&name, &arguments).map_err(|e| e.to_string())?;
    drop(progress);
    refusals.retain(|refusal| asked.is_empty() || asked.iter().any(|at| at.has(refusal)));
    refusals.sort_by(|a, b| position(&a.place).cmp(&position(&b.place)));
    print(&if args.format.json { as_json(&refusals) } else { text(&refusals) });
    Ok(ExitCode::SUCCESS)
}

/// A file's name may have a line behind it.
fn with_line(call: &CallArgs) -> (CallArgs, Option<usize>) {
    let mut call = call.clone();
    let named = call.file.as_ref().filter(|file| !file.exists()).map(|file| file.to_string_lossy().into_owned());
    let split = named.as_deref().and_then(|name| name.rsplit_once(':'));
    let line = split.and_then(|(file, line)| Some((PathBuf::from(file), line.parse().ok()?)));
    let number = line.as_ref().map(|(_, number)| *number);
    if let Some((file, _)) = line {
        call.file = Some(file);
    }
    (call, number)
}

/// What a word of the command line means.
fn place_of(module: &Module, method: &str, word: &str) -> Result<Where, String> {
    if let Ok(line) = word.parse() {
        return Ok(Where::Line(line));
    }
    if !word.starts_with('%') {
        return Ok(Where::Operator(word.to_owned()));
    }
    let graph = module.graph(method).map_err(|e| e.to_string())?;
    let makes = |line: &&str| {
        let made = line.split_once(" = ").map_or("", |(made, _)| made);
        made.split([',', ' ']).any(|name| name == word)
    };
    let line = graph.lines().find(makes).ok_or_else(|| format!("--at {word}: {method} has no node that makes it"))?;
    let place = line.rsplit_once(" # ").map(|(_, place)| place.to_owned());
    place.map(Where::Place).ok_or_else(|| format!("--at {word}: nothing says where it came from in the source"))
}

fn verb(pass: &str) -> String {
    match pass {
        Refusal::COMPILE => "is not compiled".to_owned(),
        "functionalize" => "stays a write".to_owned(),
        "egraph" => "is not rewritten".to_owned(),
        other => format!("was refused by {other}"),
    }
}

/// A line each; equal ones once, with their number.
fn text(refusals: &[Refusal]) -> String {
    let mut text = String::new();
    for same in refusals.chunk_by(|a, b| a == b) {
        let Some(Refusal { pass, operator, place, code, why }) = same.first() else { continue };
        let place = if place.is_empty() { String::new() } else { format!("{place}: ") };
        let times = if same.len() > 1 { format!(" ({} times)", same.len()) } else { String::new() };
        let _ = writeln!(text, "{place}{operator} {} [{code}]: {why}{times}", verb(pass));
    }
    if text.is_empty() { "nothing was refused\n".to_owned() } else { text }
}

fn as_json(refusals: &[Refusal]) -> String {
    let row = |Refusal { pass, operator, place, code, why }: &Refusal| serde_json::json!({ "pass": pass, "operator": operator, "place": place, "code": code, "why": why });
    let rows: Vec<_> = refusals.iter().map(row).collect();
    super::document(serde_json::json!({ "refusals": rows }))
}
