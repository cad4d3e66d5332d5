//! Which dimensions of which operand an einsum equation joins, keeps and sums.

use crate::shape::ShapeError;
use crate::shape::args::error;

/// A parsed equation: the labels of each operand and of the result, an ellipsis spelled out as labels of its own.
pub struct Einsum {
    pub operands: Vec<Vec<u32>>,
    pub result: Vec<u32>,
}

/// Reads an einsum equation for operands of these ranks.
pub fn parse(equation: &str, ranks: &[usize]) -> Result<Einsum, ShapeError> {
    refuse!(if ranks.is_empty(), "einsum(): must provide at least one operand");
    let equation: String = equation.chars().filter(|c| !c.is_whitespace()).collect();
    let (left, right) = match equation.split_once("->") {
        Some((l, r)) => (l, Some(r)),
        None => (equation.as_str(), None),
    };
    let terms: Vec<&str> = left.split(',').collect();
    if terms.len() != ranks.len() {
        let which = if terms.len() > ranks.len() { "fewer" } else { "more" };
        return error(format!("einsum(): {which} operands were provided than specified in the equation"));
    }
    let letters = |t: &str| t.replace("...", "");
    let width = |t: &str, rank: usize| rank.checked_sub(letters(t).len());
    let mut longest = 0;
    for (i, (t, &rank)) in terms.iter().zip(ranks).enumerate() {
        let count = letters(t).len();
        refuse!(if let Some(bad) = letters(t).chars().find(|c| !c.is_ascii_alphabetic()),
            "einsum(): invalid subscript given at index {} in the equation string, subscripts must be in [a-zA-Z]",
            equation.find(bad).unwrap_or(0));
        if t.contains("...") {
            match width(t, rank) {
                Some(w) => longest = longest.max(w),
                None => {
                    return error(format!(
                        "einsum(): the number of subscripts in the equation ({count}) is more than the number of dimensions ({rank}) for operand {i}"
                    ));
                }
            }
        } else if count != rank {
            let tail = if count > rank { "" } else { " and no ellipsis was given" };
            let tail = if count > rank { " and no ellipsis was given" } else { tail };
            return error(format!(
                "einsum(): the number of subscripts in the equation ({count}) does not match the number of dimensions ({rank}) for operand {i}{tail}"
            ));
        }
    }
    // Labels of an ellipsis count from the right, above all letters.
    let labels = |t: &str, w: usize| -> Vec<u32> {
        let mut out = Vec::new();
        let mut rest = t;
        while let Some(c) = rest.chars().next() {
            if let Some(after) = rest.strip_prefix("...") {
                out.extend((0..w).map(|i| 1000 + (longest - w + i) as u32));
                rest = after;
            } else {
                out.push(c as u32);
                rest = &rest[c.len_utf8()..];
            }
        }
        out
    };
    let operands: Vec<Vec<u32>> = terms.iter().zip(ranks).map(|(t, &r)| labels(t, width(t, r).unwrap_or(0))).collect();
    let result = match right {
        Some(r) => {
            let out = labels(r, longest);
            for (i, l) in out.iter().enumerate() {
                let known = operands.iter().any(|o| o.contains(l));
                if !known || out[..i].contains(l) {
                    let name = char::from_u32(*l).unwrap_or('?');
                    return error(if known {
                        format!("einsum(): output subscript {name} appears more than once in the output")
                    } else {
                        format!(
                            "einsum(): output subscript {name} does not appear in the equation for any input operand"
                        )
                    });
                }
            }
            out
        }
        None => {
            let mut out: Vec<u32> = (0..longest).map(|i| 1000 + i as u32).collect();
            let mut single: Vec<u32> = operands
                .iter()
                .flatten()
                .copied()
                .filter(|l| *l < 1000 && operands.iter().flatten().filter(|m| *m == l).count() == 1)
                .collect();
            single.sort_unstable();
            out.extend(single);
            out
        }
    };
    Ok(Einsum { operands, result })
}
