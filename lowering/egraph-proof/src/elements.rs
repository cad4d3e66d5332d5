//! A side of a rule element by element, for operands of given sizes and any elements. Two readings of it:
//!
//! * [`Reading::Terms`]: every element is a term of the operands' elements. Sides with the same terms are equal to the bit, whatever the elements are.
//! * [`Reading::Numbers`]: every element is a fraction of polynomials. Sides with equal fractions are the same real numbers.
//!
//! Operators with a scalar expression are read by it. What the others do to elements is asked of their kernels: one that only moves elements moves labels alike; one
//! that is linear in each operand is known by what it makes of zeros and ones, and is compared with what it makes of other integers.

use crate::evaluate::{bound, known, of_literal, of_meta};
use crate::fraction::{Fraction, Variables};
use crate::operands::{Binding, of_bytes};
use rustc_hash::FxHashMap;
use sconce_egraph::rules::{Expression, Side};
use sconce_kernels::derived::meta_of;
use sconce_schema::scalar::{Binary, Choice, Node, Unary};
use sconce_schema::shape::{Meta, TensorMeta};
use sconce_schema::{DType, OpEntry, Type};
use sconce_tensor::{IValue, Tensor};
use std::sync::Arc;

/// A term of elements: terms that are equal have one number.
#[derive(Clone, Debug)]
pub enum Term {
    /// An element of an operand.
    Operand(DType),
    /// A pointwise operator on elements and numbers, with the dtype of its result.
    Apply(&'static OpEntry, Vec<Argument>, DType),
}

impl PartialEq for Term {
    /// Operands are equal to themselves alone, which their numbers tell.
    fn eq(&self, other: &Term) -> bool {
        match (self, other) {
            (Term::Apply(f, a, d), Term::Apply(g, b, e)) => f.op() == g.op() && a == b && d == e,
            _ => false,
        }
    }
}

/// An argument of a pointwise operator at one element.
#[derive(Clone, Debug)]
pub enum Argument {
    Element(u32),
    /// What is no tensor.
    Plain(IValue),
}

impl PartialEq for Argument {
    fn eq(&self, other: &Argument) -> bool {
        match (self, other) {
            (Argument::Element(a), Argument::Element(b)) => a == b,
            (Argument::Plain(a), Argument::Plain(b)) => format!("{a:?}") == format!("{b:?}"),
            _ => false,
        }
    }
}

/// An element, in either reading.
#[derive(Clone, Debug)]
pub enum Element {
    Term(u32),
    Number(Fraction),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    Terms,
    Numbers,
}

/// A tensor of elements, in row-major order.
#[derive(Clone, Debug)]
struct Elements {
    dtype: DType,
    sizes: Vec<i64>,
    elements: Vec<Element>,
}

#[derive(Clone, Debug)]
enum Value {
    Tensor(Elements),
    /// A number that may be any.
    Number(Fraction),
    Plain(IValue),
    List(Vec<Value>),
}

/// Elements of all operands of a call beyond which none is read.
const MAX_ELEMENTS: usize = 64;

/// Calls of a kernel to find out what it does to its operands.
const MAX_CALLS: usize = 4_000;

/// What a linear operator makes of its operands: for each element of its results a sum of products, at most one element of each operand in a product.
type Products = Vec<Vec<(f64, Vec<Option<usize>>)>>;

pub struct Reader {
    reading: Reading,
    terms: Vec<Term>,
    variables: Variables,
    bindings: Vec<(Arc<str>, Value)>,
    plain: Vec<Binding>,
    linear: FxHashMap<String, Option<(Products, Vec<Vec<i64>>)>>,
}

impl Reader {
    /// Reads operands of these sizes and dtypes. `any` names the numbers that are to be any number.
    pub fn new(reading: Reading, bindings: &[Binding], any: &[Arc<str>]) -> Option<Reader> {
        let mut reader = Reader {
            reading,
            terms: Vec::new(),
            variables: Variables::default(),
            bindings: Vec::new(),
            plain: bindings.to_vec(),
            linear: FxHashMap::default(),
        };
        for (name, value) in bindings {
            let value = match value {
                _ if any.contains(name) => Value::Number(reader.variables.free()),
                value => reader.operand(value)?,
            };
            reader.bindings.push((name.clone(), value));
        }
        Some(reader)
    }

    fn operand(&mut self, value: &IValue) -> Option<Value> {
        Some(match value {
            IValue::Tensor(t) => {
                (t.numel() <= MAX_ELEMENTS).then_some(())?;
                let elements = (0..t.numel())
                    .map(|_| match self.reading {
                        Reading::Terms => {
                            self.terms.push(Term::Operand(t.dtype()));
                            Element::Term(self.terms.len() as u32 - 1)
                        }
                        Reading::Numbers => Element::Number(self.variables.free()),
                    })
                    .collect();
                // Real numbers have no width.
                let dtype = if self.reading == Reading::Numbers { DType::F64 } else { t.dtype() };
                Value::Tensor(Elements { dtype, sizes: t.sizes().to_vec(), elements })
            }
            IValue::List(items) if items.read().iter().any(|i| i.as_tensor().is_ok()) => {
                let items = items.to_vec();
                Value::List(items.iter().map(|i| self.operand(i)).collect::<Option<_>>()?)
            }
            other => Value::Plain(other.clone()),
        })
    }

    /// Terms by number.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// The elements of both sides, side by side; `None` where one cannot be read.
    pub fn sides(&mut self, left: &Side, right: &Side) -> Option<Vec<(Element, Element)>> {
        let (left, right) = (self.value(left)?, self.value(right)?);
        let (mut a, mut b) = (Vec::new(), Vec::new());
        flatten(&left, &mut a)?;
        flatten(&right, &mut b)?;
        (a.len() == b.len()).then(|| a.into_iter().zip(b).collect())
    }

    /// Are two elements equal for every value of the operands? `None`: undecided.
    pub fn are_equal(&self, a: &Element, b: &Element) -> Option<bool> {
        match (a, b) {
            (Element::Term(a), Element::Term(b)) => (a == b).then_some(true),
            (Element::Number(a), Element::Number(b)) => self.variables.are_equal(a, b),
            _ => None,
        }
    }

    fn value(&mut self, side: &Side) -> Option<Value> {
        match side {
            Side::Variable(name) => self.bindings.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone()),
            Side::Literal(literal) => Some(Value::Plain(of_literal(literal))),
            Side::List(items) => items.iter().map(|i| self.value(i)).collect::<Option<_>>().map(Value::List),
            Side::Part(whole, index) => match self.value(whole)? {
                Value::List(items) => items.get(*index as usize).cloned(),
                _ => None,
            },
            Side::Apply(entry, arguments) => {
                let arguments = arguments.iter().map(|a| self.value(a)).collect::<Option<Vec<_>>>()?;
                self.apply(entry, arguments)
            }
            Side::Computed(e) => self.computed(e),
        }
    }

    /// A constant of the right side; of numbers that may be any, what arithmetic makes of them.
    fn computed(&mut self, e: &Expression) -> Option<Value> {
        if self.reading == Reading::Numbers
            && let Some(number) = self.number(e)
        {
            return Some(Value::Number(number));
        }
        let value = e.value(&known(&self.plain))?;
        Some(Value::Plain(of_meta(&value)?))
    }

    fn number(&self, e: &Expression) -> Option<Fraction> {
        match e {
            Expression::Variable(name) => match self.bindings.iter().find(|(n, _)| n == name)? {
                (_, Value::Number(n)) => Some(n.clone()),
                _ => plain_number(bound(&self.plain, name)?),
            },
            Expression::Constant(value) => plain_number(&of_meta(value)?),
            Expression::Call(function, arguments) => {
                let [a, b] = &arguments[..] else { return None };
                let (a, b) = (self.number(a)?, self.number(b)?);
                match function.name {
                    "+" => a.plus(&b),
                    "-" => a.minus(&b),
                    "*" => a.times(&b),
                    "/" => a.over(&b),
                    _ => None,
                }
            }
            Expression::List(_) => None,
        }
    }

    fn apply(&mut self, entry: &'static OpEntry, arguments: Vec<Value>) -> Option<Value> {
        let metas: Vec<Meta> = arguments.iter().map(meta).collect::<Option<_>>()?;
        let mut results = sconce_schema::shape::infer(entry, &metas)?.ok()?;
        if entry.scalar.is_some() && results.len() == 1 {
            return self.pointwise(entry, &arguments, &results.remove(0));
        }
        match self.reading {
            Reading::Terms => moved(entry, &arguments, results.iter().collect()),
            Reading::Numbers => self.linear(entry, &arguments),
        }
    }

    /// Element by element, operands of size 1 standing for all.
    fn pointwise(&mut self, entry: &'static OpEntry, arguments: &[Value], result: &Meta) -> Option<Value> {
        let Meta::Tensor(TensorMeta { dtype: Some(dtype), sizes: Some(sizes), .. }) = result else { return None };
        let sizes: Vec<i64> = sizes.iter().map(|s| s.known()).collect::<Option<_>>()?;
        let count = usize::try_from(sizes.iter().product::<i64>()).ok()?;
        let mut elements = Vec::with_capacity(count);
        for at in 0..count {
            let here: Vec<Value> = arguments.iter().map(|a| element_at(a, &sizes, at)).collect::<Option<_>>()?;
            elements.push(match self.reading {
                Reading::Terms => self.term(entry, &here, *dtype)?,
                Reading::Numbers => Element::Number(self.scalar(entry, &here)?),
            });
        }
        Some(Value::Tensor(Elements { dtype: *dtype, sizes, elements }))
    }

    fn term(&mut self, entry: &'static OpEntry, arguments: &[Value], dtype: DType) -> Option<Element> {
        let arguments = arguments
            .iter()
            .map(|a| match a {
                Value::Tensor(Elements { elements, .. }) => match elements.first()? {
                    Element::Term(number) => Some(Argument::Element(*number)),
                    Element::Number(_) => None,
                },
                Value::Plain(value) => Some(Argument::Plain(value.clone())),
                _ => None,
            })
            .collect::<Option<Vec<_>>>()?;
        let term = Term::Apply(entry, arguments, dtype);
        let known = self.terms.iter().position(|t| *t == term);
        Some(Element::Term(match known {
            Some(at) => at as u32,
            None => {
                self.terms.push(term);
                self.terms.len() as u32 - 1
            }
        }))
    }

    /// The scalar expression, in exact arithmetic.
    fn scalar(&mut self, entry: &OpEntry, arguments: &[Value]) -> Option<Fraction> {
        let text = |at: u16| match arguments.get(usize::from(at)) {
            Some(Value::Plain(IValue::Str(s))) => Some(s.as_str().to_owned()),
            _ => None,
        };
        let texts: Vec<Option<String>> = (0..arguments.len()).map(|i| text(i as u16)).collect();
        let choice = |at: u16| match (arguments.get(usize::from(at)), texts.get(usize::from(at))) {
            (Some(Value::Plain(IValue::None)), _) => Choice::None,
            (_, Some(Some(text))) => Choice::Text(text),
            _ => Choice::Value,
        };
        let expression = entry.scalar?.specialize(choice).ok()?;
        let mut values: Vec<Option<Fraction>> = Vec::with_capacity(expression.nodes.len());
        for node in expression.nodes.iter() {
            let of = |at: u16| values.get(usize::from(at)).cloned().flatten();
            let value = match node {
                Node::Arg(at) => match arguments.get(usize::from(*at))? {
                    Value::Tensor(t) => match t.elements.first()? {
                        Element::Number(n) => Some(n.clone()),
                        Element::Term(_) => None,
                    },
                    Value::Number(n) => Some(n.clone()),
                    Value::Plain(value) => plain_number(value),
                    Value::List(_) => None,
                },
                Node::Const(x) => Fraction::number(*x),
                Node::Unary(function, a) => match (function.makes_truth(), of(*a)) {
                    (false, Some(a)) if *function != Unary::ToNumber => self.variables.function(*function, &a),
                    _ => None,
                },
                Node::Binary(function, a, b) => match (of(*a), of(*b)) {
                    (Some(a), Some(b)) => match function {
                        Binary::Add => a.plus(&b),
                        Binary::Sub => a.minus(&b),
                        Binary::Mul => a.times(&b),
                        Binary::Div => a.over(&b),
                        Binary::Pow => b.as_integer().and_then(|n| a.power(n)),
                        _ => None,
                    },
                    _ => None,
                },
                _ => None,
            };
            values.push(value);
        }
        values.pop()?
    }

    /// An operator that is linear in each of its operands, by what its kernel makes of zeros and ones.
    fn linear(&mut self, entry: &'static OpEntry, arguments: &[Value]) -> Option<Value> {
        let mut operands = Vec::new();
        arguments.iter().for_each(|a| operands_of(a, &mut operands));
        let shape: Vec<&Vec<i64>> = operands.iter().map(|o| &o.sizes).collect();
        let plain: Vec<String> =
            arguments.iter().map(|a| if let Value::Plain(v) = a { format!("{v:?}") } else { String::new() }).collect();
        let key = format!("{}{shape:?}{plain:?}", entry.name);
        if !self.linear.contains_key(&key) {
            let found = products(entry, arguments, &operands);
            self.linear.insert(key.clone(), found);
        }
        let (products, sizes) = self.linear.get(&key)?.clone()?;
        let mut made = Vec::with_capacity(products.len());
        for sum in &products {
            let mut total = Fraction::integer(0);
            for (coefficient, factors) in sum {
                let mut product = Fraction::number(*coefficient)?;
                for (operand, at) in operands.iter().zip(factors) {
                    if let Some(at) = at {
                        let Some(Element::Number(n)) = operand.elements.get(*at) else { return None };
                        product = product.times(n)?;
                    }
                }
                total = total.plus(&product)?;
            }
            made.push(Element::Number(total));
        }
        let mut rest = made.into_iter();
        let mut tensors = Vec::new();
        for sizes in sizes {
            let count = usize::try_from(sizes.iter().product::<i64>()).ok()?;
            let elements = rest.by_ref().take(count).collect();
            tensors.push(Value::Tensor(Elements { dtype: DType::F64, sizes, elements }));
        }
        Some(if tensors.len() == 1 && !matches!(entry.schema().returns[0].ty, Type::List(_)) {
            tensors.remove(0)
        } else {
            Value::List(tensors)
        })
    }
}

fn flatten(value: &Value, into: &mut Vec<Element>) -> Option<()> {
    match value {
        Value::Tensor(t) => into.extend(t.elements.iter().cloned()),
        Value::List(items) => items.iter().try_for_each(|i| flatten(i, into))?,
        _ => return None,
    }
    Some(())
}

fn plain_number(value: &IValue) -> Option<Fraction> {
    match value {
        IValue::Int(n) => Some(Fraction::integer(*n)),
        IValue::Bool(b) => Some(Fraction::integer(i64::from(*b))),
        IValue::Double(x) => Fraction::number(*x),
        _ => None,
    }
}

/// What shape rules see. A number that may be any is seen as a float.
fn meta(value: &Value) -> Option<Meta> {
    Some(match value {
        Value::Tensor(t) => meta_of(&IValue::Tensor(of_bytes(&[], &t.sizes, t.dtype))),
        Value::Number(_) => Meta::Float(0.5),
        Value::Plain(v) => meta_of(v),
        Value::List(items) => Meta::List(items.iter().map(meta).collect::<Option<_>>()?),
    })
}

fn operands_of<'v>(value: &'v Value, into: &mut Vec<&'v Elements>) {
    match value {
        Value::Tensor(t) => into.push(t),
        Value::List(items) => items.iter().for_each(|i| operands_of(i, into)),
        _ => {}
    }
}

/// A value with other tensors in place of its own, in order.
fn with_tensors(value: &Value, tensors: &mut dyn Iterator<Item = Tensor>) -> Option<IValue> {
    Some(match value {
        Value::Tensor(_) => IValue::Tensor(tensors.next()?),
        Value::Plain(v) => v.clone(),
        Value::List(items) => {
            let items = items.iter().map(|i| with_tensors(i, tensors)).collect::<Option<Vec<_>>>()?;
            let element = if items.first().is_some_and(|i| i.as_tensor().is_ok()) { Type::tensor() } else { Type::Int };
            IValue::list(element, items)
        }
        Value::Number(_) => return None,
    })
}

/// The part of an argument that belongs to an element of the result.
fn element_at(value: &Value, sizes: &[i64], at: usize) -> Option<Value> {
    let Value::Tensor(t) = value else { return Some(value.clone()) };
    let mut rest = at as i64;
    let mut index = vec![0; sizes.len()];
    for (i, size) in sizes.iter().enumerate().rev() {
        index[i] = rest % size;
        rest /= size;
    }
    let lead = sizes.len().checked_sub(t.sizes.len())?;
    let place =
        t.sizes.iter().zip(&index[lead..]).fold(0, |place, (size, i)| place * size + if *size == 1 { 0 } else { *i });
    let element = t.elements.get(usize::try_from(place).ok()?)?.clone();
    Some(Value::Tensor(Elements { dtype: t.dtype, sizes: Vec::new(), elements: vec![element] }))
}

/// The tensors that a kernel makes, with what else it needs.
fn call(entry: &'static OpEntry, arguments: &[Value], tensors: Vec<Tensor>) -> Option<Vec<Tensor>> {
    let mut tensors = tensors.into_iter();
    let mut values = arguments.iter().map(|a| with_tensors(a, &mut tensors)).collect::<Option<Vec<_>>>()?;
    let results = sconce_kernels::call(entry, &mut values).ok()?;
    Some(results.iter().flat_map(crate::evaluate::tensors).collect())
}

/// An operator that only moves elements: several sets of labels come out in the same places, bits that no arithmetic would keep among them.
fn moved(entry: &'static OpEntry, arguments: &[Value], results: Vec<&Meta>) -> Option<Value> {
    let mut operands = Vec::new();
    arguments.iter().for_each(|a| operands_of(a, &mut operands));
    let all: Vec<(DType, &Element)> = operands.iter().flat_map(|o| o.elements.iter().map(|e| (o.dtype, e))).collect();
    // Labels of three kinds: negative integers, infinities and numbers of all sizes, and NaN with marks.
    let kinds: [fn(u64) -> u64; 3] = [
        |n| (!(n * 2_654_435_761)) | 1 << 63,
        |n| (f64::powi(-1.75, n as i32 % 900) * (n as f64 + 0.3)).to_bits(),
        |n| 0x7ff8_0000_0000_0000 | (n + 1),
    ];
    let mut places: Option<(Vec<usize>, Vec<Vec<i64>>)> = None;
    for (kind, dtype) in kinds.iter().zip([DType::I64, DType::F64, DType::F64]) {
        let mut number = 0;
        let mut labels = FxHashMap::default();
        let tensors = operands
            .iter()
            .map(|o| {
                let bytes: Vec<u8> = o
                    .elements
                    .iter()
                    .flat_map(|_| {
                        let label = kind(number);
                        labels.insert(label, number as usize);
                        number += 1;
                        label.to_le_bytes()
                    })
                    .collect();
                of_bytes(&bytes, &o.sizes, dtype)
            })
            .collect();
        let made = call(entry, arguments, tensors)?;
        let mut found = Vec::new();
        for tensor in &made {
            (tensor.dtype() == dtype).then_some(())?;
            for bytes in tensor.contiguous().ok()?.read_bytes().chunks(8) {
                found.push(*labels.get(&u64::from_le_bytes(bytes.try_into().ok()?))?);
            }
        }
        let sizes = made.iter().map(|t| t.sizes().to_vec()).collect::<Vec<_>>();
        match &places {
            Some(known) if *known != (found.clone(), sizes.clone()) => return None,
            _ => places = Some((found, sizes)),
        }
    }
    let (places, sizes) = places?;
    let metas: Vec<&Meta> = results
        .iter()
        .flat_map(|m| if let Meta::List(items) = m { items.iter().collect() } else { vec![*m] })
        .collect();
    let mut places = places.into_iter();
    let mut made = Vec::new();
    for (sizes, meta) in sizes.into_iter().zip(metas) {
        let Meta::Tensor(TensorMeta { dtype: Some(dtype), .. }) = meta else { return None };
        let count = usize::try_from(sizes.iter().product::<i64>()).ok()?;
        let mut elements = Vec::with_capacity(count);
        for place in places.by_ref().take(count) {
            let (from, element) = all.get(place)?;
            // Converted is not moved.
            (from == dtype).then_some(())?;
            elements.push((*element).clone());
        }
        made.push(Value::Tensor(Elements { dtype: *dtype, sizes, elements }));
    }
    Some(if made.len() == 1 && !matches!(entry.schema().returns[0].ty, Type::List(_)) {
        made.remove(0)
    } else {
        Value::List(made)
    })
}

/// What an operator that is linear in each operand makes of them; `None` where it is not.
fn products(entry: &'static OpEntry, arguments: &[Value], operands: &[&Elements]) -> Option<(Products, Vec<Vec<i64>>)> {
    let counts: Vec<usize> = operands.iter().map(|o| o.elements.len()).collect();
    let combinations = counts.iter().try_fold(1usize, |all, n| all.checked_mul(n + 1)).filter(|n| *n <= MAX_CALLS)?;
    let run = |values: &[Vec<f64>]| -> Option<(Vec<f64>, Vec<Vec<i64>>)> {
        let tensors = values
            .iter()
            .zip(operands)
            .map(|(v, o)| Tensor::from_f64(v, &o.sizes, DType::F64))
            .collect::<Option<Vec<_>>>()?;
        let made = call(entry, arguments, tensors)?;
        made.iter().all(|t| t.dtype() == DType::F64).then_some(())?;
        let sizes = made.iter().map(|t| t.sizes().to_vec()).collect();
        Some((made.iter().flat_map(Tensor::to_f64).collect(), sizes))
    };
    // With one element of some operands 1 and all else 0, what comes out is the sum of the coefficients of all products of those elements and fewer.
    let mut sums: FxHashMap<Vec<Option<usize>>, Vec<f64>> = FxHashMap::default();
    let mut products: Products = Vec::new();
    let mut sizes = Vec::new();
    for number in 0..combinations {
        let mut rest = number;
        let chosen: Vec<Option<usize>> = counts
            .iter()
            .map(|n| {
                let at = rest % (n + 1);
                rest /= n + 1;
                at.checked_sub(1)
            })
            .collect();
        let values: Vec<Vec<f64>> = counts
            .iter()
            .zip(&chosen)
            .map(|(n, at)| (0..*n).map(|i| f64::from(u8::from(Some(i) == *at))).collect())
            .collect();
        let (made, made_sizes) = run(&values)?;
        if number == 0 {
            products = vec![Vec::new(); made.len()];
            sizes = made_sizes;
        }
        // Fewer operands come before more: an operand at 0 has the smaller number.
        let mut coefficients = made;
        for fewer in subsets(&chosen) {
            let known = sums.get(&fewer)?;
            coefficients.iter_mut().zip(known).for_each(|(c, k)| *c -= k);
        }
        for (sum, coefficient) in products.iter_mut().zip(&coefficients) {
            coefficient.is_finite().then_some(())?;
            if *coefficient != 0.0 {
                sum.push((*coefficient, chosen.clone()));
            }
        }
        sums.insert(chosen, coefficients);
    }
    // Is it linear? What it makes of other integers is exact, and would tell.
    let mut rng = fastrand::Rng::with_seed(1);
    for _ in 0..4 {
        let values: Vec<Vec<f64>> =
            counts.iter().map(|n| (0..*n).map(|_| f64::from(rng.i32(-64..64))).collect()).collect();
        let (made, _) = run(&values)?;
        for (sum, made) in products.iter().zip(&made) {
            let expected: f64 = sum
                .iter()
                .map(|(c, factors)| factors.iter().zip(&values).fold(*c, |p, (at, v)| p * at.map_or(1.0, |at| v[at])))
                .sum();
            (expected == *made).then_some(())?;
        }
    }
    Some((products, sizes))
}

/// The choices with fewer elements than this one.
fn subsets(chosen: &[Option<usize>]) -> Vec<Vec<Option<usize>>> {
    let set: Vec<usize> = (0..chosen.len()).filter(|i| chosen[*i].is_some()).collect();
    (0..(1usize << set.len()) - 1)
        .map(|mask| {
            let keeps = |i: usize| set.iter().position(|s| *s == i).is_some_and(|bit| mask >> bit & 1 == 1);
            chosen.iter().enumerate().map(|(i, at)| at.filter(|_| keeps(i))).collect()
        })
        .collect()
}
