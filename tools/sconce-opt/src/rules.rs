//! `--list-rules`, `--verify-rules` and `--replay FILE`: the rewrite rules that are compiled in and those of files are listed or proved, and what `egraph` explained is
//! checked.

use sconce_egraph::rules::{self, Rule};
use sconce_egraph_proof::recorded::{self, Recorded};
use sconce_egraph_proof::{replay, verify};
use std::process::ExitCode;
use std::time::Instant;

/// What is asked about rules, if anything is: the flag decides, `--rules FILE…` names files beside what is compiled in.
pub fn asked(arguments: &[String]) -> Option<Result<ExitCode, String>> {
    let lists = arguments.iter().any(|a| a == "--list-rules");
    let verifies = arguments.iter().any(|a| a == "--verify-rules");
    let replays = arguments.iter().any(|a| a == "--replay");
    if !lists && !verifies && !replays {
        return None;
    }
    let run = || {
        let asked = Asked::read(arguments)?;
        if let Some(file) = asked.replay {
            return replay(file, &asked.files);
        }
        let rules = asked.rules()?;
        if lists { Ok(list(&rules)) } else { verify_all(&rules, asked.record) }
    };
    Some(run())
}

/// The arguments beside the flag that decides.
struct Asked<'a> {
    files: Vec<&'a str>,
    /// Where the solver's answers are to be written.
    record: Option<&'a str>,
    /// Explanations to check.
    replay: Option<&'a str>,
}

impl<'a> Asked<'a> {
    fn read(arguments: &'a [String]) -> Result<Asked<'a>, String> {
        let mut asked = Asked { files: Vec::new(), record: None, replay: None };
        let mut rest = arguments.iter().map(String::as_str).peekable();
        while let Some(argument) = rest.next() {
            match argument {
                "--list-rules" | "--verify-rules" => {}
                "--record" => asked.record = Some(rest.next().ok_or("--record: expected a file")?),
                "--replay" => asked.replay = Some(rest.next().ok_or("--replay: expected a file")?),
                "--rules" => {
                    while let Some(file) = rest.next_if(|a| !a.starts_with("--")) {
                        asked.files.push(file);
                    }
                    if asked.files.is_empty() {
                        return Err("--rules: expected a file".to_string());
                    }
                }
                other => return Err(format!("{other}: expected --rules FILE…, --record FILE or --replay FILE")),
            }
        }
        Ok(asked)
    }

    /// The rules of the files that are named, else those that are compiled in.
    fn rules(&self) -> Result<Vec<Rule>, String> {
        if self.files.is_empty() {
            return rules::builtin().map_err(|e| e.to_string());
        }
        let mut all = Vec::new();
        for file in &self.files {
            let text = std::fs::read_to_string(file).map_err(|e| format!("{file}: {e}"))?;
            all.extend(rules::read(file, &text).map_err(|e| e.to_string())?);
        }
        Ok(all)
    }
}

/// Replays what was explained, by the rules that are compiled in and those of files. Gives how much there was.
fn replay(explained: &str, files: &[&str]) -> Result<ExitCode, String> {
    let read = |file: &str| std::fs::read_to_string(file).map_err(|e| format!("{file}: {e}"));
    let mine = files.iter().map(|file| read(file)).collect::<Result<Vec<_>, _>>()?;
    let texts = rules::FILES.iter().map(|(_, text)| *text).chain(mine.iter().map(String::as_str));
    match replay::replay(&read(explained)?, &replay::Rules::read(texts)?) {
        Ok(replayed) => {
            println!("{} explanations hold, {} steps", replayed.explanations, replayed.steps);
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            eprintln!("{explained}: {error}");
            Ok(ExitCode::FAILURE)
        }
    }
}

/// A line a rule: its file, name and class, what it says and why it is true.
fn list(rules: &[Rule]) -> ExitCode {
    for rule in rules {
        println!("{}: {rule} # {}", rule.place, rule.algebra);
    }
    println!("{} rules", rules.len());
    ExitCode::SUCCESS
}

/// A line a rule: how it was proved, or what refutes it.
fn verify_all(rules: &[Rule], record: Option<&str>) -> Result<ExitCode, String> {
    let start = Instant::now();
    let verdicts = verify::verify_all(rules, &recorded::builtin());
    let mut recorded = Recorded::default();
    let mut refused = 0;
    for (rule, verdict) in rules.iter().zip(&verdicts) {
        println!("{verdict}");
        match &verdict.outcome {
            Ok(verified) => verified.solver.iter().for_each(|answer| recorded.add(rule, answer.clone())),
            Err(_) => refused += 1,
        }
    }
    println!("{} rules, {refused} refused, {:.1} s", rules.len(), start.elapsed().as_secs_f64());
    if let Some(file) = record {
        std::fs::write(file, recorded.text()).map_err(|e| format!("{file}: {e}"))?;
    }
    Ok(if refused > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
