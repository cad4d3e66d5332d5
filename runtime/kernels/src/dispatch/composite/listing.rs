//! Definitions as text: a step a line, `%8:int = aten::size.int %1 -1`; a value without a type is a tensor.
//!
//! A branch is `if %c`, its steps, `yield …`, `else`, steps, `yield …`; a loop's body begins with its inputs, `| %3:int, %4`. The first line has the
//! operator's arguments, the last one is `return …`. Each value's number is the next one.

use super::{Block, Callee, Definition, Operand, Step, What};
use sconce_schema::{Type, types};
use sconce_tensor::IValue;
use std::ops::Range;
use std::sync::OnceLock;

/// A listing that is none, with the line.
#[derive(Debug, thiserror::Error)]
#[error("its listing cannot be read at `{0}`")]
pub(super) struct Malformed(String);

/// The listings of a family: each begins with a line of `== ` and the operator's name.
pub(super) fn split(family: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    family.split("\n== ").skip(1).filter_map(|part| part.split_once('\n'))
}

pub(super) fn read(text: &str) -> Result<Definition, Malformed> {
    let mut reader = Reader { lines: text.lines(), types: Vec::new(), constants: Vec::new() };
    let line = reader.line()?;
    let inputs = reader.results(line).ok_or_else(|| Malformed(line.to_owned()))?;
    let mut body = reader.block(inputs, "return")?;
    let Reader { types, constants, .. } = reader;
    let mut read_later = vec![false; types.len()];
    mark_last(&mut body, &mut read_later);
    Ok(Definition { types, constants, body })
}

struct Reader<'t> {
    lines: std::str::Lines<'t>,
    types: Vec<Type>,
    constants: Vec<IValue>,
}

impl<'t> Reader<'t> {
    fn line(&mut self) -> Result<&'t str, Malformed> {
        self.lines.next().map(str::trim).ok_or_else(|| Malformed("the end".into()))
    }

    /// `%3:int, %4`, which are the next values.
    fn results(&mut self, text: &str) -> Option<Range<u32>> {
        let first = self.types.len() as u32;
        for (i, part) in text.split(", %").enumerate() {
            let part = if i == 0 { part.strip_prefix('%').unwrap_or(part) } else { part };
            if part.is_empty() {
                continue;
            }
            let (number, ty) = part.split_once(':').unwrap_or((part, "Tensor"));
            let ty = types::parse(ty).ok()?;
            if number.parse::<usize>().ok()? != self.types.len() {
                return None;
            }
            self.types.push(ty);
        }
        Some(first..self.types.len() as u32)
    }

    /// Steps up to a line that begins with `end`.
    fn block(&mut self, inputs: Range<u32>, end: &str) -> Result<Block, Malformed> {
        let mut steps = Vec::new();
        loop {
            let line = self.line()?;
            let bad = || Malformed(line.to_owned());
            if let Some(rest) = line.strip_prefix(end) {
                let results = self.operands(rest).ok_or_else(bad)?;
                return Ok(Block { inputs, steps, results });
            }
            let (results, said) = match line.strip_prefix('%').and_then(|_| line.split_once(" = ")) {
                Some((results, said)) => (results, said),
                None => ("", line),
            };
            let (word, rest) = said.split_once(' ').unwrap_or((said, ""));
            let operands = self.operands(rest).ok_or_else(bad)?;
            // A step's own results come before its blocks' values.
            let results = self.results(results).ok_or_else(bad)?;
            let what = match word {
                "if" => {
                    let nothing = results.end..results.end;
                    let then = self.block(nothing.clone(), "yield")?;
                    if self.line()? != "else" {
                        return Err(bad());
                    }
                    let otherwise = self.block(nothing, "yield")?;
                    What::If(Box::new([then, otherwise]))
                }
                "loop" => {
                    let line = self.line()?;
                    let inputs = line.strip_prefix("| ").and_then(|inputs| self.results(inputs)).ok_or_else(bad)?;
                    What::Loop(Box::new(self.block(inputs, "yield")?))
                }
                "tuple" => What::Tuple,
                "unpack" => What::Unpack,
                "raise" => What::Raise,
                _ => match word.strip_prefix("list[").and_then(|w| w.strip_suffix(']')) {
                    Some(element) => What::List(types::parse(element).map_err(|_| bad())?),
                    None => {
                        let entry = sconce_schema::lookup(word).ok_or_else(bad)?;
                        What::Call(Callee { entry, bound: OnceLock::new() })
                    }
                },
            };
            steps.push(Step { what, operands, results });
        }
    }

    fn operands(&mut self, mut text: &str) -> Option<Vec<Operand>> {
        let mut operands = Vec::new();
        loop {
            text = text.trim_start();
            if text.is_empty() {
                return Some(operands);
            }
            if let Some(rest) = text.strip_prefix('%') {
                let (number, rest) = rest.split_once(' ').unwrap_or((rest, ""));
                let number = number.parse::<u32>().ok()?;
                if number as usize >= self.types.len() {
                    return None;
                }
                operands.push(Operand::Value(number));
                text = rest;
            } else {
                let (value, rest) = constant(text)?;
                operands.push(Operand::Constant(self.constants.len() as u32));
                self.constants.push(value);
                text = rest;
            }
        }
    }
}

/// A constant at the beginning of a text, and what follows: `None`, `True`, `-1`, `1e-05`, `"text"`, `int[1 2]`.
fn constant(text: &str) -> Option<(IValue, &str)> {
    if let Some(rest) = text.strip_prefix('"') {
        let mut value = String::new();
        let mut characters = rest.char_indices();
        while let Some((at, c)) = characters.next() {
            match c {
                '"' => return Some((IValue::str(value), &rest[at + 1..])),
                '\\' => value.push(match characters.next()?.1 {
                    'n' => '\n',
                    other => other,
                }),
                c => value.push(c),
            }
        }
        return None;
    }
    let end = text.find([' ', '[', ']']).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    if let Some(mut rest) = rest.strip_prefix('[') {
        let mut items = Vec::new();
        loop {
            rest = rest.trim_start();
            if let Some(rest) = rest.strip_prefix(']') {
                return Some((IValue::list(types::parse(word).ok()?, items), rest));
            }
            let (item, after) = constant(rest)?;
            items.push(item);
            rest = after;
        }
    }
    let value = match word {
        "None" => IValue::None,
        "True" => IValue::Bool(true),
        "False" => IValue::Bool(false),
        _ => match word.parse::<i64>() {
            Ok(i) => IValue::Int(i),
            Err(_) => IValue::Double(word.parse().ok()?),
        },
    };
    Some((value, rest))
}

/// Marks the operands that nothing reads afterwards, from the end: of values that the block itself makes, since a block may run again.
fn mark_last(block: &mut Block, read_later: &mut [bool]) {
    fn mark(operand: &mut Operand, own: &[Range<u32>], read_later: &mut [bool]) {
        if let Operand::Value(i) = *operand
            && !std::mem::replace(&mut read_later[i as usize], true)
            && own.iter().any(|range| range.contains(&i))
        {
            *operand = Operand::Last(i);
        }
    }
    let own: Vec<Range<u32>> =
        std::iter::once(block.inputs.clone()).chain(block.steps.iter().map(|s| s.results.clone())).collect();
    block.results.iter_mut().rev().for_each(|r| mark(r, &own, read_later));
    for step in block.steps.iter_mut().rev() {
        match &mut step.what {
            What::If(blocks) => {
                // Either runs, not both: what one reads last the other may read too.
                let mut other = read_later.to_vec();
                mark_last(&mut blocks[0], read_later);
                mark_last(&mut blocks[1], &mut other);
                read_later.iter_mut().zip(other).for_each(|(a, b)| *a |= b);
            }
            What::Loop(body) => mark_last(body, read_later),
            _ => {}
        }
        // Of an operand that stands twice the later one is the last.
        step.operands.iter_mut().rev().for_each(|o| mark(o, &own, read_later));
    }
}
