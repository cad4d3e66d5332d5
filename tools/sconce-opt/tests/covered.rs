//! Every pass, and every option of one, occurs in a line that a test below `lit-tests/` runs.

use sconce_compiler::passes::rows;
use std::path::Path;

/// What the tests of a folder run, one command a line.
fn commands(folder: &Path, all: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder of tests") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            commands(&path, all);
            continue;
        }
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let mut command = String::new();
        for line in text.lines().filter_map(|line| line.split_once("RUN:")).map(|(_, line)| line.trim()) {
            command.push_str(line.trim_end_matches('\\'));
            if !line.ends_with('\\') {
                all.push(std::mem::take(&mut command));
            }
        }
    }
}

/// What follows a pass wherever a command names it: `=least-sum=5 …` or `{least-sum=5}…`.
fn mentions<'t>(command: &'t str, pass: &str) -> Vec<&'t str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let mentioned = command.match_indices(pass).filter_map(|(at, _)| {
        let (before, after) = (&command[..at], &command[at + pass.len()..]);
        let begins = before.ends_with("--") || !before.ends_with(is_part);
        (begins && !after.starts_with(is_part)).then_some(after)
    });
    mentioned.collect()
}

/// Is one of the options behind a pass this one?
fn sets(after: &str, option: &str) -> bool {
    let options = match after.chars().next() {
        Some('{') => after[1..].split('}').next(),
        Some('=') => after[1..].trim_start_matches(['\'', '"']).split(['\'', '"', '|']).next(),
        _ => None,
    };
    let words = options.unwrap_or_default().split([' ', ',', '{']);
    words.into_iter().any(|word| word.split_once('=').is_some_and(|(name, _)| name == option))
}

#[test]
fn every_pass_and_option_is_tested() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("a workspace");
    let mut all = Vec::new();
    commands(&root.join("lit-tests"), &mut all);
    let mut missing = Vec::new();
    for row in rows() {
        let after: Vec<&str> = all.iter().flat_map(|command| mentions(command, row.name)).collect();
        if after.is_empty() {
            missing.push(row.name.to_owned());
        }
        let options = row.options.iter().filter(|option| !after.iter().any(|after| sets(after, option.name)));
        missing.extend(options.map(|option| format!("{}={}", row.name, option.name)));
    }
    assert_eq!(missing, [""; 0], "no test below lit-tests/ runs these");
}
