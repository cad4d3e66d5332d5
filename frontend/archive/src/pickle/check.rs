//! What the root of a pickle reaches is a graph without cycles, of bounded depth and bounded size even if everything shared is written out.

use super::{Pickle, Value, ValueId};
use crate::{Error, Limits};
use std::collections::HashSet;

#[derive(Clone, Copy)]
struct Measure {
    depth: u32,
    /// Zero while the value's children are being visited.
    expanded: u64,
}

/// Checks all that the machine cannot see while it runs. `end` is the offset behind the pickle.
pub fn check(pickle: &Pickle, entry: &str, end: usize, limits: &Limits) -> Result<(), Error> {
    let mut measures: Vec<Option<Measure>> = vec![None; pickle.len()];
    let mut work = vec![(pickle.root_id(), false)];
    while let Some((id, children_done)) = work.pop() {
        if children_done {
            measures[id.index()] = Some(measure(pickle, id, &measures));
            let Some(m) = measures[id.index()] else { continue };
            Limits::check(entry, "the depth of the values", u64::from(m.depth), limits.depth)?;
            Limits::check(entry, "the number of values with what is shared written out", m.expanded, limits.expanded)?;
            continue;
        }
        match measures[id.index()] {
            Some(m) if m.expanded == 0 => {
                return Err(Error::format(entry, end, format!("{} contains itself", pickle[id].kind())));
            }
            Some(_) => continue,
            None => {}
        }
        check_value(pickle, id, entry, end)?;
        measures[id.index()] = Some(Measure { depth: 0, expanded: 0 });
        work.push((id, true));
        // A child that is still open is an ancestor. One that is only waiting will be done by then.
        let mut cycle = false;
        pickle[id].for_each_child(|child| match measures[child.index()] {
            Some(m) if m.expanded == 0 => cycle = true,
            Some(_) => {}
            None => work.push((child, false)),
        });
        if cycle {
            return Err(Error::format(entry, end, format!("{} contains itself", pickle[id].kind())));
        }
    }
    Ok(())
}

fn measure(pickle: &Pickle, id: ValueId, measures: &[Option<Measure>]) -> Measure {
    let mut m = Measure { depth: 1, expanded: 1 };
    pickle[id].for_each_child(|child| {
        if let Some(c) = measures[child.index()] {
            m.depth = m.depth.max(c.depth.saturating_add(1));
            m.expanded = m.expanded.saturating_add(c.expanded);
        }
    });
    m
}

fn check_value(pickle: &Pickle, id: ValueId, entry: &str, end: usize) -> Result<(), Error> {
    match &pickle[id] {
        Value::Global(global) => {
            Err(Error::format(entry, end, format!("the name `{global}` stands where a value is expected")))
        }
        Value::Dict(dict) => {
            let mut seen = HashSet::new();
            for (key, _) in &dict.entries {
                if !seen.insert(Key::of(pickle, *key)) {
                    return Err(Error::format(entry, end, "a dict has the same key twice"));
                }
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// What makes keys equal; containers and objects by identity.
#[derive(PartialEq, Eq, Hash)]
enum Key<'a> {
    Text(&'a [u8]),
    Int(i64),
    Float(u64),
    Complex([u64; 2]),
    Bool(bool),
    None,
    Identity(ValueId),
}

impl<'a> Key<'a> {
    fn of(pickle: &'a Pickle, id: ValueId) -> Key<'a> {
        // 0.0 and -0.0 are one key.
        let bits = |x: f64| if x == 0.0 { 0 } else { x.to_bits() };
        match &pickle[id] {
            Value::Str(text) => Key::Text(text),
            Value::Int(n) => Key::Int(*n),
            Value::Float(x) => Key::Float(bits(*x)),
            Value::Complex(c) => Key::Complex([bits(c[0]), bits(c[1])]),
            Value::Bool(b) => Key::Bool(*b),
            Value::None => Key::None,
            _ => Key::Identity(id),
        }
    }
}
