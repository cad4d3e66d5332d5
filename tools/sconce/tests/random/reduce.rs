//! Failing programs made small: lines go, blocks go or stand where they were entered, results go, passes go, as long as the program still fails.

/// The smallest program found of which `fails` holds, as of the one given.
pub fn reduced(text: &str, fails: &dyn Fn(&str) -> bool) -> String {
    let mut best = text.to_owned();
    loop {
        let before = best.len();
        for step in [without_lines, without_header, without_items] {
            let mut at = 0;
            while let Some(next) = step(&best, at) {
                if next.len() < best.len() && fails(&next) {
                    best = next;
                } else {
                    at += 1;
                }
            }
        }
        if best.len() == before {
            return best;
        }
    }
}

/// The shortest list of passes of which `fails` holds.
pub fn fewer(passes: &[String], fails: &dyn Fn(&[String]) -> bool) -> Vec<String> {
    let mut best = passes.to_vec();
    let mut at = 0;
    while at < best.len() {
        let mut next = best.clone();
        next.remove(at);
        if !next.is_empty() && fails(&next) {
            best = next;
        } else {
            at += 1;
        }
    }
    best
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Where the lines end that belong to the block which line `at` begins.
fn end_of(lines: &[&str], at: usize) -> usize {
    let inside = |line: &&&str| line.trim().is_empty() || indent(line) > indent(lines[at]);
    at + 1 + lines[at + 1..].iter().take_while(inside).count()
}

/// The text without the `at`th line from its end, and what is in it.
fn without_lines(text: &str, at: usize) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let first = lines.len().checked_sub(at + 1)?;
    let end = end_of(&lines, first);
    Some(joined(lines[..first].iter().chain(&lines[end..]).map(|l| (*l).to_owned())))
}

/// The text with what is in the `at`th line's block in place of the block.
fn without_header(text: &str, at: usize) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let (end, header) = (end_of(&lines, lines.get(at).map(|_| at)?), indent(lines[at]));
    let less = lines.get(at + 1).map_or(0, |l| indent(l).saturating_sub(header));
    let body = lines[at + 1..end].iter().map(|l| l.get(less..).unwrap_or_default().to_owned());
    let kept = |l: &&str| (*l).to_owned();
    Some(joined(lines[..at].iter().map(kept).chain(body).chain(lines[end..].iter().map(kept))))
}

/// The text without the `at`th of the items that the last lines list, and its type where graph text lists those.
fn without_items(text: &str, at: usize) -> Option<String> {
    let lines: Vec<&str> = text.trim_end().lines().collect();
    let last = |text: &str| lines.iter().rposition(|l| l.contains(text));
    let place = last("prim::TupleConstruct(").or_else(|| last("return ("))?;
    let line = lines[place];
    let items = line.rfind('(').map(|open| (open + 1, line.rfind(')').unwrap_or(line.len())))?;
    let listed: Vec<&str> = line[items.0..items.1].split(',').map(str::trim).filter(|i| !i.is_empty()).collect();
    listed.get(at).filter(|_| listed.len() > 1)?;
    let rest = |list: &[&str]| {
        let kept: Vec<&str> = list.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, t)| *t).collect();
        kept.join(", ")
    };
    let mut made = format!("{}{}", rest(&listed), if line.contains("return") { ",)" } else { ")" });
    made.insert_str(0, &line[..items.0]);
    if let Some((open, close)) = line.find(" : (").zip(line.find(") = ")) {
        let types: Vec<&str> = line[open + 4..close].split(", ").collect();
        made = made.replacen(&line[open + 4..close], &rest(&types), 1);
    }
    Some(joined(lines.iter().enumerate().map(|(i, l)| if i == place { made.clone() } else { (*l).to_owned() })))
}

fn joined(lines: impl Iterator<Item = String>) -> String {
    let mut text: String = lines.map(|l| l + "\n").collect();
    text.truncate(text.trim_end().len());
    text + "\n"
}
