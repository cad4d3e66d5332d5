//! A pipeline's text taken apart into the passes it runs, in order, each a pipeline of its own: what is between two of them can be looked at.

use sconce_pass::Failure;

/// The passes of `pipeline`, with their options and what they are nested in. `named` gives the text of a pipeline that has a name; it is taken apart too.
///
/// ```
/// let named = |name: &str| (name == "clean").then(|| "dce,cse".to_owned());
/// let steps = sconce_validate::steps("builtin.module(clean,func.func(a{b=c,d},e))", &named)?;
/// assert_eq!(steps, ["dce", "cse", "func.func(a{b=c,d})", "func.func(e)"]);
/// # Ok::<(), sconce_pass::Failure>(())
/// ```
///
/// # Errors
/// Brackets that do not match; pipelines that name each other without end.
pub fn steps(pipeline: &str, named: &dyn Fn(&str) -> Option<String>) -> Result<Vec<String>, Failure> {
    let pipeline = pipeline.trim();
    let inner = pipeline.strip_prefix("builtin.module(").and_then(|rest| rest.strip_suffix(')')).unwrap_or(pipeline);
    let mut out = Vec::new();
    take_apart(inner, named, 0, &mut |step| out.push(step))?;
    Ok(out)
}

/// Pipelines in pipelines.
const MAX_DEPTH: usize = 16;

fn take_apart(
    text: &str,
    named: &dyn Fn(&str) -> Option<String>,
    depth: usize,
    out: &mut dyn FnMut(String),
) -> Result<(), Failure> {
    if depth > MAX_DEPTH {
        return Err(Failure::new(format!("pipelines nest too deeply: {text}")));
    }
    for element in elements(text)? {
        let nested = element.split_once('(').filter(|(name, _)| !name.contains('{'));
        if let Some((anchor, rest)) = nested {
            let inner = rest.strip_suffix(')').ok_or_else(|| Failure::new(format!("'{element}': expected )")))?;
            take_apart(inner, named, depth + 1, &mut |step| out(format!("{anchor}({step})")))?;
        } else if let Some(passes) = named(element) {
            take_apart(&passes, named, depth + 1, out)?;
        } else {
            out(element.to_owned());
        }
    }
    Ok(())
}

/// What stands between commas that are in no brackets and no quotes.
fn elements(text: &str) -> Result<Vec<&str>, Failure> {
    let mut out = Vec::new();
    let (mut open, mut quote, mut start) = (Vec::new(), None, 0);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(q), c) if q == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(') => open.push(')'),
            (None, '{') => open.push('}'),
            (None, ')' | '}') if open.pop() != Some(c) => {
                return Err(Failure::new(format!("'{text}': {c} closes nothing")));
            }
            (None, ',') if open.is_empty() => {
                out.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    if let Some(missing) = open.pop() {
        return Err(Failure::new(format!("'{text}': expected {missing}")));
    }
    out.push(text[start..].trim());
    out.retain(|element| !element.is_empty());
    Ok(out)
}

/// The name of the pass that a step runs.
///
/// ```
/// assert_eq!(sconce_validate::pass_of("func.func(a{b=c})"), "a");
/// ```
pub fn pass_of(step: &str) -> &str {
    let named = step.split('{').next().unwrap_or(step);
    let named = named.rsplit('(').next().unwrap_or(named);
    named.trim_end_matches(')').trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_match_or_are_refused() {
        let none = |_: &str| None;
        assert_eq!(steps("a{then=b,c},d{e=\"f,g\"}", &none).expect("it is whole"), ["a{then=b,c}", "d{e=\"f,g\"}"]);
        assert_eq!(steps(" a , ,b ", &none).expect("it is whole"), ["a", "b"]);
        for wrong in ["a(b", "a)b", "a{b)", "f(a{)}"] {
            assert!(steps(wrong, &none).is_err(), "{wrong}");
        }
        let endless = |name: &str| (name == "a").then(|| "a".to_owned());
        assert!(steps("a", &endless).is_err());
    }
}
