//! Rules on operands: small ones by the thousand and, elementwise, every value of the small dtypes. Both sides are computed by the interpreter's kernels; what a
//! rule claims must be seen, and a rule that nothing can be seen of is refused, too.

use crate::compare::difference;
use crate::evaluate::{applies, bound, known, value};
use crate::operands::{Binding, DTYPES, Values, Variables, of_bytes};
use sconce_egraph::rules::{Class, Rule, Side};
use sconce_kernels::derived::meta_of;
use sconce_schema::shape::{Meta, Size, TensorMeta};
use sconce_schema::{DType, Type};
use sconce_tensor::IValue;
use std::fmt;

/// Operands that are drawn at most, and those that suffice if the rule applies to them.
const DRAWN: u64 = 60_000;
const ENOUGH: usize = 400;

/// Where the rule hardly ever applies, so many draws must do.
const ENOUGH_OF_FEW: usize = 4;

/// Draws before one climbs, if there were no more cases in them, and climbs at most.
const BY_CHANCE: u64 = 4_000;
const ENOUGH_BY_CHANCE: usize = 24;
const CLIMBS: u64 = 600;

/// Values of all operands together that are enumerated.
const ENUMERATED: usize = 1 << 20;

/// Other arguments that each enumeration is made with.
const OTHERS: usize = 4;

/// Operands for which a rule is wrong.
#[derive(Clone)]
pub struct Counterexample {
    pub bindings: Vec<Binding>,
    pub difference: String,
}

impl fmt::Display for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} where ", self.difference)?;
        for (i, (name, value)) in self.bindings.iter().enumerate() {
            write!(f, "{}?{name} = {}", if i > 0 { ", " } else { "" }, show(value))?;
        }
        Ok(())
    }
}

/// A value in a line: elements where they are few.
pub fn show(value: &IValue) -> String {
    match value {
        IValue::Tensor(t) => {
            let head = format!("{}{:?}", t.dtype().short_name(), t.sizes());
            if t.numel() > 8 || t.dtype().is_complex() { head } else { format!("{head} {:?}", t.to_f64()) }
        }
        IValue::List(items) => format!("[{}]", items.read().iter().map(show).collect::<Vec<_>>().join(", ")),
        other => format!("{other:?}"),
    }
}

/// What was seen of a rule.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Operands to which it applied.
    pub cases: usize,
    /// Dtypes of which every value was tried.
    pub exhausted: Vec<DType>,
}

/// Looks for operands for which the rule is wrong; what it has seen where there are none, and the operands of its cases.
///
/// # Errors
/// The smallest counterexample of those found, or that it was never seen to apply.
pub fn check(rule: &Rule) -> Result<(Seen, Vec<Vec<Binding>>), String> {
    let variables = Variables::of(rule);
    let values = if rule.class == Class::Exact { Values::Any } else { Values::Moderate };
    let mut found: Option<(usize, Counterexample)> = None;
    let mut kept = Vec::new();
    let mut climbs = false;
    for number in 0..DRAWN {
        let drawn = seed() << 32 | number;
        // Operands of a large rule hardly ever fit each other by chance.
        climbs |= number == BY_CHANCE && kept.len() < ENOUGH_BY_CHANCE;
        if climbs && (kept.len() >= ENOUGH_BY_CHANCE || number > BY_CHANCE + CLIMBS) {
            break;
        }
        let bindings = match climbs {
            true => variables.climb(drawn, values, &|bindings| merit(rule, &known(bindings))),
            false => variables.draw(drawn, values),
        };
        if let Some(wrong) = unsound_symbols(rule, &bindings) {
            return Err(format!("refused: {wrong}"));
        }
        match judge(rule, &bindings) {
            None => continue,
            Some(None) => kept.push(bindings),
            Some(Some(difference)) => {
                let size = bindings.iter().map(|(_, v)| weight(v)).sum();
                if found.as_ref().is_none_or(|(least, _)| size < *least) {
                    found = Some((size, Counterexample { bindings, difference }));
                }
            }
        }
        let is_rare = number > DRAWN / 3 && kept.len() >= ENOUGH / 4;
        if kept.len() >= ENOUGH || is_rare || (found.is_some() && number > 4096) {
            break;
        }
    }
    if let Some((_, counterexample)) = found {
        return Err(format!("refused: {counterexample}"));
    }
    if kept.len() < ENOUGH_OF_FEW {
        return Err(format!(
            "refused: of {DRAWN} draws of operands it applies to {}; nothing is known of it",
            kept.len()
        ));
    }
    let exhausted = exhaust(rule, &variables, &kept)?;
    Ok((Seen { cases: kept.len(), exhausted }, kept))
}

/// Which operands are drawn: `SCONCE_SEED` says so, for a search beyond those of the tests.
fn seed() -> u64 {
    std::env::var("SCONCE_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0)
}

/// Small operands are easier to understand.
fn weight(value: &IValue) -> usize {
    match value {
        IValue::Tensor(t) => 2 + 4 * t.numel() + t.dim() + usize::from(t.dtype() != DType::F32),
        IValue::List(items) => items.read().iter().map(weight).sum(),
        IValue::Int(n) => n.unsigned_abs().min(100) as usize,
        _ => 2,
    }
}

/// `None` where the rule does not apply or the left side has no value; else what differs, if anything.
fn judge(rule: &Rule, bindings: &[Binding]) -> Option<Option<String>> {
    if !applies(rule, &known(bindings)) {
        return None;
    }
    let mut largest = bindings.iter().flat_map(|(_, v)| crate::evaluate::tensors(v)).fold(0.0f64, |most, t| {
        t.to_f64().into_iter().filter(|x| x.is_finite()).fold(most, |most, x| most.max(x.abs()))
    });
    let left = value(&rule.left, bindings, &mut largest).ok()?;
    Some(match value(&rule.right, bindings, &mut largest) {
        Err(e) => Some(format!("the left side has a value, the right side has none ({e})")),
        Ok(right) => difference(rule.class, &left, &right, largest),
    })
}

/// How much of a rule has a meaning for operands: terms that have a type, and conditions that hold.
fn merit(rule: &Rule, known: &dyn Fn(&str) -> Option<Meta>) -> usize {
    fn typed(side: &Side, known: &dyn Fn(&str) -> Option<Meta>) -> usize {
        match side {
            Side::Apply(_, items) => {
                let below: usize = items.iter().map(|item| typed(item, known)).sum();
                let own = sconce_egraph::rewrite::meta(side, known).is_some_and(|meta| meta != Meta::Unknown);
                below + usize::from(own)
            }
            Side::List(items) => items.iter().map(|item| typed(item, known)).sum(),
            Side::Part(whole, _) => typed(whole, known),
            _ => 0,
        }
    }
    let holding = rule.conditions.iter().filter(|c| c.value(known) == Some(Meta::Bool(true))).count();
    typed(&rule.left, known) + holding + usize::from(applies(rule, known))
}

/// The rewriter often does not know sizes, but symbols for them. Where it would apply the rule to symbols, it must be right to apply it to the sizes.
fn unsound_symbols(rule: &Rule, bindings: &[Binding]) -> Option<String> {
    let symbolic = |name: &str| {
        Some(match bound(bindings, name).map(meta_of)? {
            // Equal sizes have one symbol: that they are equal is what a program may know.
            Meta::Tensor(t) => Meta::Tensor(TensorMeta {
                sizes: t
                    .sizes
                    .map(|sizes| sizes.iter().map(|s| s.known().map_or(*s, |n| Size::Symbol(n as u32))).collect()),
                ..t
            }),
            other => other,
        })
    };
    if !applies(rule, &symbolic) || applies(rule, &known(bindings)) {
        return None;
    }
    // Where the left side is no legal call, nothing is rewritten.
    value(&rule.left, bindings, &mut 0.0).ok()?;
    let shown: Vec<String> = bindings.iter().map(|(name, v)| format!("?{name} = {}", show(v))).collect();
    Some(format!("with sizes unknown it applies to operands that it does not hold for: {}", shown.join(", ")))
}

/// Is it computed element by element, by the records' scalar expressions?
pub fn is_elementwise(rule: &Rule) -> bool {
    fn all(side: &Side) -> bool {
        match side {
            Side::Apply(entry, arguments) => entry.scalar.is_some() && arguments.iter().all(all),
            Side::List(_) | Side::Part(..) => false,
            _ => true,
        }
    }
    all(&rule.left) && all(&rule.right)
}

/// Tries every value, and every pair of values, of small dtypes; the other arguments as in the cases.
fn exhaust(rule: &Rule, variables: &Variables, cases: &[Vec<Binding>]) -> Result<Vec<DType>, String> {
    let tensors: Vec<_> = variables.tensors().cloned().collect();
    let mut done = Vec::new();
    let is_integer = |ty: &Type| matches!(ty, Type::Int | Type::SymInt);
    if variables.kinds.len() <= 2 && variables.kinds.iter().all(|(_, ty)| is_integer(ty)) {
        return exhaust_integers(rule, variables);
    }
    if !is_elementwise(rule) || tensors.is_empty() {
        return Ok(done);
    }
    let small = DTYPES.iter().filter(|d| d.size() <= 2 && (rule.class == Class::Exact || !d.is_float()));
    for dtype in small {
        let of = |name: &str| if is_truth(rule, name) { DType::Bool } else { *dtype };
        let counts: Vec<usize> = tensors.iter().map(|name| values_of(of(name))).collect();
        if counts.iter().product::<usize>() > ENUMERATED {
            continue;
        }
        // Other arguments that suit the dtype: a few of those that the cases had.
        let (mut tried, mut seen): (Vec<String>, usize) = (Vec::new(), 0);
        for case in cases {
            let rest: Vec<&Binding> = case.iter().filter(|(_, v)| v.as_tensor().is_err()).collect();
            let text = format!("{:?}", rest.iter().map(|(_, v)| show(v)).collect::<Vec<_>>());
            if tried.contains(&text) {
                continue;
            }
            if seen == OTHERS || tried.len() == 8 * OTHERS {
                break;
            }
            tried.push(text);
            let total: usize = counts.iter().product();
            let mut bindings: Vec<Binding> = Vec::new();
            let mut repeat = 1;
            for (name, count) in tensors.iter().zip(&counts) {
                let size = of(name).size();
                let bytes: Vec<u8> =
                    (0..total).flat_map(|i| ((i / repeat % count) as u32).to_le_bytes()[..size].to_vec()).collect();
                repeat *= count;
                bindings.push((name.clone(), IValue::Tensor(of_bytes(&bytes, &[total as i64], of(name)))));
            }
            bindings.extend(rest.into_iter().cloned());
            match judge(rule, &bindings) {
                None => {}
                Some(None) => seen += 1,
                Some(Some(difference)) => {
                    return Err(format!("refused: {}", Counterexample { bindings, difference }));
                }
            }
        }
        if seen > 0 {
            done.push(*dtype);
        }
    }
    Ok(done)
}

/// Tries every integer of 8 bits for each variable of a rule on numbers.
fn exhaust_integers(rule: &Rule, variables: &Variables) -> Result<Vec<DType>, String> {
    let count = variables.kinds.len() as u32;
    let mut seen = 0;
    for number in 0..1u32 << (8 * count) {
        let value = |at: u32| IValue::Int(i64::from((number >> (8 * at)) as u8 as i8));
        let bindings: Vec<Binding> =
            (0..).zip(&variables.kinds).map(|(at, (name, _))| (name.clone(), value(at))).collect();
        match judge(rule, &bindings) {
            None => {}
            Some(None) => seen += 1,
            Some(Some(difference)) => return Err(format!("refused: {}", Counterexample { bindings, difference })),
        }
    }
    Ok(if seen > 0 { vec![DType::I8] } else { Vec::new() })
}

fn values_of(dtype: DType) -> usize {
    if dtype == DType::Bool { 2 } else { 1 << (8 * dtype.size()) }
}

/// Is the variable what `where` asks? Only bools are.
pub fn is_truth(rule: &Rule, name: &str) -> bool {
    fn found(side: &Side, name: &str) -> bool {
        match side {
            Side::Apply(entry, arguments) => arguments.iter().enumerate().any(|(i, a)| {
                let promotes = entry.scalar.is_some_and(|e| e.promotes.iter().any(|p| usize::from(*p) == i));
                let is_it = matches!(a, Side::Variable(v) if &**v == name);
                (is_it && !promotes && entry.schema().arguments[i].ty.is_tensor()) || found(a, name)
            }),
            _ => false,
        }
    }
    found(&rule.left, name) || found(&rule.right, name)
}
