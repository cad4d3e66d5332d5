//! The texts of programs: code that PyTorch prints, and graphs that it compiles to.

use super::graphs::renumbered;
use super::programs::Origin;
use super::{Tally, Verdict};
use crate::engine::{Engine, Options};

/// The code of `model.pt`, printed, is the recorded one; printed, compiled and printed again it stays.
pub fn code<'t>(name: &str, options: &Options, beside: &dyn Fn(&str) -> Option<&'t [u8]>, tally: &mut Tally) {
    let program = name.strip_suffix("/calls.json").unwrap_or(name);
    let (Some(archive), Some(want)) = (beside("model.pt"), beside("code.txt")) else { return };
    // PyTorch of 2019 wrote another dialect, and old operators print as what they have become.
    if program.contains("/_") {
        return;
    }
    let verdict = printed(options, archive, &String::from_utf8_lossy(want)).unwrap_or_else(Verdict::Failed);
    tally.add("code", || program.to_string(), verdict);
}

fn printed(options: &Options, archive: &[u8], want: &str) -> Result<Verdict, String> {
    let text = |e: crate::error::Error| e.to_string();
    let engine = Engine::new(options.clone()).map_err(text)?;
    let module = engine.load_bytes("model.pt", "forward", archive).map_err(text)?;
    let code = module.code().map_err(text)?;
    let saved = module.saved().map_err(text)?.write("model", Vec::new()).map_err(|e| e.to_string())?;
    let again = engine.load_bytes("model.pt", "forward", &saved).map_err(text)?.code().map_err(text)?;
    if again != code {
        return Err(difference("printed twice", &code, &again));
    }
    Ok(if code == want { Verdict::Passed } else { Verdict::Failed(difference("printed", want, &code)) })
}

fn difference(what: &str, want: &str, got: &str) -> String {
    let line = want.lines().zip(got.lines()).position(|(a, b)| a != b);
    let line = line.unwrap_or_else(|| want.lines().count().min(got.lines().count()));
    let at = |t: &str| t.lines().nth(line).unwrap_or("nothing").trim().to_string();
    format!("line {}, {what}: {} instead of {}", line + 1, at(got), at(want))
}

/// Names of functions and classes that PyTorch's library defines.
const LIBRARY: &str = "__torch__.torch.";

/// The graphs that a source's own functions compile to are the recorded ones, each by its name. What the library defines has texts of our own, which are
/// judged by what they do (`check/nn`).
pub fn graphs<'t>(name: &str, options: &Options, beside: &dyn Fn(&str) -> Option<&'t [u8]>, tally: &mut Tally) {
    let program = name.strip_suffix("/calls.json").unwrap_or(name);
    let Some(want) = beside("graph.txt") else { return };
    let Some(origin) = Origin::source(program, beside("source.py"), None) else { return };
    let verdict = compiled(options, &origin, &String::from_utf8_lossy(want)).unwrap_or_else(Verdict::Failed);
    tally.add("graphs", || program.to_string(), verdict);
}

fn compiled(options: &Options, origin: &Origin<'_>, want: &str) -> Result<Verdict, String> {
    let text = |e: crate::error::Error| e.to_string();
    let engine = Engine::new(options.clone()).map_err(text)?;
    let module = origin.load(&engine).map_err(text)?;
    let first = module.function_or_first("forward").map_err(text)?;
    let got = module.graph(&first).map_err(text)?;
    for (name, want) in sections(want).into_iter().filter(|(name, _)| !name.starts_with(LIBRARY)) {
        // A saved function has PyTorch's name for it.
        let own = sections(&got).into_iter().find(|(n, _)| *n == name || n.ends_with("PlaceholderModule.forward"));
        let Some((_, got)) = own else { return Err(format!("there is no {name}")) };
        let (want, got) = (renumbered(&without_places(&want)), renumbered(&without_places(&got)));
        if want != got {
            return Err(format!("{name}: {}", difference("compiled", &want, &got)));
        }
    }
    Ok(Verdict::Passed)
}

fn sections(text: &str) -> Vec<(&str, String)> {
    let mut out: Vec<(&str, String)> = Vec::new();
    for line in text.lines() {
        match line.strip_prefix("== ") {
            Some(name) => out.push((name, String::new())),
            None => {
                if let Some((_, body)) = out.last_mut() {
                    body.push_str(line);
                    body.push('\n');
                }
            }
        }
    }
    out
}

fn without_places(text: &str) -> String {
    text.lines().map(|l| format!("{}\n", l.split(" # ").next().unwrap_or(l))).collect()
}
