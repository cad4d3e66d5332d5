//! Recorded sizes and dtypes, symbolic ones too, against what a shape rule gives.

use super::brief;
use super::decode::{Decoder, dtype};
use crate::Error;
use sconce_kernels::derived::meta_of;
use sconce_schema::Type;
use sconce_schema::shape::{Meta, Size, TensorMeta};
use serde_json::Value;
use std::collections::BTreeMap;

/// How symbol names in recorded shapes are read.
#[derive(Clone, Copy)]
pub(super) struct Reading<'a> {
    pub(super) symbols: &'a [(String, i64)],
    /// As symbols of a region, or as the numbers beside the names.
    pub(super) symbolic: bool,
    /// How many times the traced sizes the symbols are.
    pub(super) scale: i64,
    /// The sizes at which the recording was traced.
    pub(super) traced: &'a [(String, i64)],
    /// The case's arguments, whose plain numbers may become sizes.
    pub(super) arguments: &'a Value,
}

impl Reading<'_> {
    fn size(&self, json: &Value) -> Result<Size, Error> {
        if let Some(n) = json.as_i64() {
            return Ok(Size::Known(n));
        }
        let name = json.as_str().ok_or_else(|| Error::malformed("a dimension", json))?;
        let i = self.symbols.iter().position(|(n, _)| n == name);
        let i = i.ok_or_else(|| Error::malformed("a declared symbol", json))?;
        Ok(if self.symbolic { Size::Symbol(i as u32) } else { Size::Known(self.symbols[i].1) })
    }

    pub(super) fn meta(
        &self,
        json: &Value,
        ty: &Type,
        count: Option<u32>,
        tensors: &mut Vec<TensorMeta>,
    ) -> Result<Meta, Error> {
        let inner = match ty {
            Type::Optional(t) => t,
            t => t,
        };
        Ok(match json {
            Value::Object(o) if o.contains_key("d") => {
                let sizes = o.get("s").and_then(Value::as_array).ok_or_else(|| Error::malformed("sizes", json))?;
                let meta = TensorMeta {
                    dtype: Some(dtype(&o["d"])?),
                    sizes: Some(sizes.iter().map(|s| self.size(s)).collect::<Result<_, _>>()?),
                    device: None,
                    wrapped_number: false,
                };
                tensors.push(meta.clone());
                Meta::Tensor(meta)
            }
            Value::Object(o) if o.contains_key("is") => {
                let k = o["is"].as_u64().and_then(|k| tensors.get(usize::try_from(k).ok()?));
                Meta::Tensor(k.cloned().ok_or_else(|| Error::malformed("a tensor number", json))?)
            }
            Value::String(_) if self.symbols.iter().any(|(n, _)| Some(n.as_str()) == json.as_str()) => {
                Meta::Int(self.size(json)?)
            }
            Value::Array(items) => {
                let element = if let Type::List(e) = inner { Type::clone(e) } else { Type::Any };
                Meta::List(items.iter().map(|v| self.meta(v, &element, None, tensors)).collect::<Result<_, _>>()?)
            }
            _ => {
                let value = Decoder::default().argument(json, ty, count)?;
                meta_of(&value)
            }
        })
    }
}

pub(super) fn compare_meta(
    want: &Value,
    got: &Meta,
    reading: Reading<'_>,
    exact: bool,
    path: &str,
) -> Result<(), String> {
    let size = |want: &Value, got: Size, path: &str| -> Result<(), String> {
        let at = |scale: i64| evaluate(want, reading.symbols, scale);
        let traced = evaluate(want, reading.traced, 1).ok_or_else(|| format!("{path}: cannot read {want}"))?;
        match got {
            Size::Known(n) => {
                // A guard of the tracer may have made a size of the result another expression, or a constant; in symbolic mode a known size
                // is right only where the recorded one does not depend on a symbol, or an argument names it.
                let by_guard =
                    if exact { traced.checked_mul(reading.scale) == Some(n) } else { named(reading.arguments, n) };
                if at(1) == Some(n) && (exact || at(2) == Some(n)) || (by_guard && (exact || traced == n)) {
                    return Ok(());
                }
                Err(format!("{path}: expected size {want}, got {n}"))
            }
            Size::Symbol(s) => {
                let symbol = reading.symbols.get(s as usize);
                if symbol.is_some_and(|(name, value)| want.as_str() == Some(name) || *value == traced) {
                    return Ok(());
                }
                Err(format!("{path}: expected size {want}, got {:?}", symbol.map(|s| &s.0)))
            }
            // An expression has the recorded number, and has it at other sizes too, unless a guard of the tracer made a constant of it.
            Size::Expr(_) => {
                let value =
                    |times: i64| got.eval(&|s| reading.symbols.get(s as usize).and_then(|(_, n)| n.checked_mul(times)));
                if value(1) == Some(traced) && (value(2) == at(2) || want.is_number()) {
                    return Ok(());
                }
                Err(format!("{path}: expected size {want}, got {got}"))
            }
            Size::Unknown if exact => Err(format!("{path}: expected size {want}, got unknown")),
            Size::Unknown => Ok(()),
        }
    };
    match (want, got) {
        (_, Meta::Unknown) if !exact => Ok(()),
        (Value::Object(o), Meta::Tensor(t)) if o.contains_key("d") => {
            let want_dtype = dtype(&o["d"]).map_err(|e| e.to_string())?;
            if t.dtype.is_some_and(|d| d != want_dtype) || (exact && t.dtype.is_none()) {
                return Err(format!("{path}: expected dtype {want_dtype}, got {:?}", t.dtype));
            }
            let wants = o.get("s").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            match &t.sizes {
                Some(sizes) if sizes.len() == wants.len() => wants
                    .iter()
                    .zip(sizes)
                    .enumerate()
                    .try_for_each(|(d, (w, g))| size(w, *g, &format!("{path} dimension {d}"))),
                None if !exact => Ok(()),
                other => Err(format!("{path}: expected sizes {}, got {other:?}", brief(&o["s"]))),
            }
        }
        // The very argument: what is recorded of it.
        (Value::Object(o), _) if o.contains_key("is") => {
            let number = o["is"].as_u64().and_then(|k| usize::try_from(k).ok());
            match number.and_then(|mut k| tensor_among(reading.arguments, &mut k)) {
                Some(argument) => compare_meta(argument, got, reading, exact, path),
                None => Err(format!("{path}: the arguments have no tensor {}", o["is"])),
            }
        }
        // How many results there are was fixed at the traced sizes.
        (Value::Array(w), Meta::List(g)) if w.len() != g.len() && reading.scale > 1 => Ok(()),
        (Value::Null, Meta::None) => Ok(()),
        (Value::Bool(a), Meta::Bool(b)) if a == b => Ok(()),
        (Value::Array(w), Meta::List(g)) if w.len() == g.len() => w
            .iter()
            .zip(g)
            .enumerate()
            .try_for_each(|(i, (w, g))| compare_meta(w, g, reading, exact, &format!("{path}[{i}]"))),
        (Value::Number(_) | Value::String(_), Meta::Int(g)) => size(want, *g, path),
        (Value::Number(n), Meta::Float(f)) if n.as_f64() == Some(*f) => Ok(()),
        _ => Err(format!("{path}: expected {}, got {got:?}", brief(want))),
    }
}

/// The recorded tensor that comes after `before` others.
fn tensor_among<'a>(arguments: &'a Value, before: &mut usize) -> Option<&'a Value> {
    match arguments {
        Value::Array(items) => items.iter().find_map(|v| tensor_among(v, before)),
        Value::Object(o) if o.contains_key("d") => match before.checked_sub(1) {
            Some(rest) => {
                *before = rest;
                None
            }
            None => Some(arguments),
        },
        _ => None,
    }
}

/// Whether an integer stands among the arguments.
fn named(arguments: &Value, n: i64) -> bool {
    match arguments {
        Value::Array(items) => items.iter().any(|v| named(v, n)),
        v => v.as_i64() == Some(n),
    }
}

/// A size expression as SymPy prints it (`+ - * //`, `Min`, `Max`, `floor`, parentheses) at `scale` times the symbols' values.
fn evaluate(json: &Value, symbols: &[(String, i64)], scale: i64) -> Option<i64> {
    if let Some(n) = json.as_i64() {
        return Some(n);
    }
    let values: BTreeMap<&str, i64> =
        symbols.iter().map(|(n, v)| Some((n.as_str(), v.checked_mul(scale)?))).collect::<Option<_>>()?;
    let mut e = Expression { rest: json.as_str()?, values: &values, depth: 0 };
    let n = e.sum()?;
    e.rest.trim().is_empty().then_some(n)
}

struct Expression<'a> {
    rest: &'a str,
    values: &'a BTreeMap<&'a str, i64>,
    depth: u32,
}

impl Expression<'_> {
    fn eat(&mut self, token: &str) -> bool {
        match self.rest.trim_start().strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn sum(&mut self) -> Option<i64> {
        let mut n = self.product()?;
        loop {
            if self.eat("+") {
                n = n.checked_add(self.product()?)?;
            } else if self.eat("-") {
                n = n.checked_sub(self.product()?)?;
            } else {
                return Some(n);
            }
        }
    }

    fn product(&mut self) -> Option<i64> {
        let mut n = self.power()?;
        loop {
            if self.eat("//") {
                let d = self.power()?;
                n = if d == 0 { return None } else { n.checked_div_euclid(d)? };
            } else if self.eat("*") {
                n = n.checked_mul(self.power()?)?;
            } else if self.eat("/") {
                let d = self.power()?;
                n = if d == 0 || n % d != 0 { return None } else { n / d };
            } else {
                return Some(n);
            }
        }
    }

    fn power(&mut self) -> Option<i64> {
        self.depth += 1;
        if self.depth > 1000 {
            return None;
        }
        if self.eat("-") {
            return self.power()?.checked_neg();
        }
        let n = self.atom()?;
        if self.eat("**") { n.checked_pow(u32::try_from(self.power()?).ok()?) } else { Some(n) }
    }

    fn atom(&mut self) -> Option<i64> {
        if self.eat("(") {
            let n = self.sum()?;
            return self.eat(")").then_some(n);
        }
        let rest = self.rest.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.rest = rest;
        if let Ok(n) = word.parse() {
            return Some(n);
        }
        if self.eat("(") {
            let mut arguments = vec![self.sum()?];
            while self.eat(",") {
                arguments.push(self.sum()?);
            }
            if !self.eat(")") {
                return None;
            }
            return match word {
                "Min" => arguments.into_iter().min(),
                "Max" => arguments.into_iter().max(),
                "FloorDiv" if arguments.len() == 2 && arguments[1] != 0 => {
                    arguments[0].checked_div_euclid(arguments[1])
                }
                _ => None,
            };
        }
        self.values.get(word).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_expressions() {
        let symbols = [("s0".to_owned(), 7), ("s1".to_owned(), 3)];
        let at = |text: &str| evaluate(&Value::from(text), &symbols, 1);
        assert_eq!(at("s0*s1 + 2"), Some(23));
        assert_eq!(at("((s0 - 1)//2) + 1"), Some(4));
        assert_eq!(at("Max(s0, s1) - Min(2, s1)"), Some(5));
        assert_eq!(at("-s1**2 + s0"), Some(-2));
        assert_eq!(at("s9"), None);
        assert_eq!(at("s0//0"), None);
    }
}
