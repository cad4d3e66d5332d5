//! `book` makes the pages of `docs` a book, and holds what it needs of them: every page has its place in the summary, and every link leads somewhere.

use crate::placing::{copy, write};
use crate::{TaskResult, command, output, root, target};
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

/// The pages, and the file that puts them in order.
const PAGES: &str = "docs";
const SUMMARY: &str = "SUMMARY.md";

/// Where what is no page of the book is read.
const FILES: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main");

pub fn run(_arguments: &[String]) -> TaskResult {
    let mut found = Vec::new();
    findings(&mut found)?;
    if !found.is_empty() {
        return Err(found.join("\n  "));
    }
    let book = target().join("book");
    let source = book.join("src");
    if source.exists() {
        std::fs::remove_dir_all(&source).map_err(|e| format!("{}: {e}", source.display()))?;
    }
    copy(&root().join(PAGES).join("book.toml"), &source.join("book.toml"))?;
    for page in pages()? {
        let text = read(&Path::new(PAGES).join(&page))?;
        write(&source.join(&page), with_links_out_of(&page, &text).as_bytes())?;
    }
    let html = book.join("html");
    let made = Command::new(mdbook()?)
        .arg("build")
        .arg("--dest-dir")
        .arg(&html)
        .arg(&source)
        .env("MDBOOK_OUTPUT__HTML__GIT_REPOSITORY_URL", env!("CARGO_PKG_REPOSITORY"))
        .output()
        .map_err(|e| format!("mdbook: {e}"))?;
    let told = String::from_utf8_lossy(&[made.stdout, made.stderr].concat()).into_owned();
    let is_warned = told.lines().any(|line| line.contains("WARN") || line.contains("ERROR"));
    if !made.status.success() || is_warned {
        return Err(format!("mdbook ended with {} and said\n{told}", made.status));
    }
    println!("wrote {}", html.join("index.html").display());
    Ok(())
}

/// The program that makes the book, built from its crate where it is not there yet.
fn mdbook() -> Result<PathBuf, String> {
    let tools = target().join("tools");
    let program = tools.join("bin/mdbook");
    if !program.is_file() {
        command("cargo", &["install", "mdbook", "--locked", "--root", &tools.display().to_string()])?;
    }
    Ok(program)
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(root().join(path)).map_err(|e| format!("{}: {e}", path.display()))
}

/// Every page, by its path below [`PAGES`].
fn pages() -> Result<Vec<String>, String> {
    let listed = output("git", &["ls-files", &format!("{PAGES}/*.md")])?;
    let listed = String::from_utf8_lossy(&listed).into_owned();
    Ok(listed.lines().filter_map(|path| path.strip_prefix(PAGES)?.strip_prefix('/')).map(str::to_owned).collect())
}

/// Pages that the summary does not name or names twice, and links of any text in the repository that lead nowhere.
pub fn findings(findings: &mut Vec<String>) -> TaskResult {
    let summary = read(&Path::new(PAGES).join(SUMMARY))?;
    let mut named = BTreeSet::new();
    for link in links(&summary) {
        let page = &summary[link];
        if !named.insert(page) {
            findings.push(format!("{PAGES}/{SUMMARY} names {page} twice"));
        }
    }
    for page in pages()?.iter().filter(|page| *page != SUMMARY && !named.contains(page.as_str())) {
        findings.push(format!("{PAGES}/{page}: {PAGES}/{SUMMARY} does not name it"));
    }
    let listed = output("git", &["ls-files", "*.md"])?;
    for path in String::from_utf8_lossy(&listed).lines() {
        // A file may be deleted and still be listed.
        let Ok(text) = read(path.as_ref()) else { continue };
        for link in links(&text) {
            let Some(to) = place(path.as_ref(), &text[link.clone()]) else { continue };
            if !root().join(&to).exists() {
                findings.push(format!("{path}: the link {} leads nowhere", &text[link]));
            }
        }
    }
    Ok(())
}

/// Where links of a text stand, what is in code left out: of `[name](there)` the part `there`.
fn links(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut start, mut is_code) = (0, false);
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            let line_links = line.match_indices("](").filter(|(at, _)| line[..*at].matches('`').count() % 2 == 0);
            found.extend(line_links.filter_map(|(at, opens)| {
                let from = at + opens.len();
                let length = line[from..].find(')')?;
                Some(start + from..start + from + length)
            }));
        }
        start += line.len();
    }
    found
}

/// The file that a link in a file means, from the repository's root on; `None` for what is elsewhere or in the same page.
fn place(file: &Path, link: &str) -> Option<PathBuf> {
    let path = link.split('#').next().filter(|path| !path.is_empty() && !link.contains(':'))?;
    let mut place = file.parent()?.to_path_buf();
    for part in Path::new(path).components() {
        match part {
            Component::ParentDir => {
                if !place.pop() {
                    return Some(Path::new("..").join(path));
                }
            }
            Component::CurDir => {}
            other => place.push(other),
        }
    }
    Some(place)
}

/// A page whose links to what is in the repository and no page lead to where its files are read.
fn with_links_out_of(page: &str, text: &str) -> String {
    let file = Path::new(PAGES).join(page);
    let mut out = text.to_owned();
    for link in links(text).into_iter().rev() {
        let Some(to) = place(&file, &text[link.clone()]) else { continue };
        let is_page = to.starts_with(PAGES) && to.extension().is_some_and(|ending| ending == "md");
        if !is_page {
            out.replace_range(link, &format!("{FILES}/{}", to.display()));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "[a](b.md#c) and [d](../x/y.rs)\n```\n[e](f)\n```\n`[g](h)` [i](https://j.k) [l](#m)\n";

    #[test]
    fn links_are_found_but_for_those_in_code() {
        let found: Vec<&str> = links(TEXT).into_iter().map(|link| &TEXT[link]).collect();
        assert_eq!(found, ["b.md#c", "../x/y.rs", "https://j.k", "#m"]);
        let meant: Vec<Option<PathBuf>> =
            found.iter().map(|link| place("docs/decisions/p.md".as_ref(), link)).collect();
        assert_eq!(meant, [Some("docs/decisions/b.md".into()), Some("docs/x/y.rs".into()), None, None]);
        assert_eq!(place("a.md".as_ref(), "../b.md"), Some("../../b.md".into()));
    }

    #[test]
    fn links_that_leave_the_book_lead_to_the_repository() {
        let text = with_links_out_of("p.md", TEXT);
        assert!(text.starts_with(&format!("[a](b.md#c) and [d]({FILES}/x/y.rs)\n```\n[e](f)\n")), "{text}");
        assert!(text.ends_with("`[g](h)` [i](https://j.k) [l](#m)\n"), "{text}");
    }

    #[test]
    fn every_page_is_in_the_summary_and_every_link_leads_somewhere() {
        let mut found = Vec::new();
        findings(&mut found).expect("the repository is read");
        assert_eq!(found, Vec::<String>::new());
    }
}
