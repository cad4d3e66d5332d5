//! The checker of explanations: reads what the rewriter says it did, and does it again, from source to result. It shares no code with the rewriter: it reads rules and
//! terms itself, and asks only the op table for what it says of operators. A step holds if the term before it has the rule's one side at the place, the term
//! after it the other, nothing else differs, all conditions hold, and both sides have one type.

use sconce_schema::op::DefaultValue;
use sconce_schema::shape::{Meta, Size, TensorMeta, infer};
use sconce_schema::{DType, OpEntry};
use std::collections::BTreeMap;

/// A term, or a side of a rule.
#[derive(Clone, PartialEq, Debug)]
enum Tree {
    Leaf(u32),
    Literal(Literal),
    List(Vec<Tree>),
    Part(Box<Tree>, u32),
    Apply(String, Vec<Tree>),
    Variable(String),
    Computed(Box<Expression>),
}

#[derive(Clone, PartialEq, Debug)]
enum Literal {
    None,
    Bool(bool),
    Int(i64),
    /// By its bits.
    Float(u64),
    Str(String),
    Device(String),
}

#[derive(Clone, PartialEq, Debug)]
enum Expression {
    Variable(String),
    Constant(Literal),
    List(Vec<Expression>),
    Call(String, Vec<Expression>),
}

#[derive(Clone, Debug)]
struct Rule {
    left: Tree,
    right: Tree,
    conditions: Vec<Expression>,
}

/// Rules by name.
pub struct Rules(BTreeMap<String, Rule>);

/// How much was replayed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Replayed {
    pub explanations: usize,
    pub steps: usize,
}

impl Rules {
    /// Reads rule files.
    ///
    /// # Errors
    /// What is no rule.
    pub fn read<'t>(texts: impl IntoIterator<Item = &'t str>) -> Result<Rules, String> {
        let mut rules = BTreeMap::new();
        for text in texts {
            let bare: String =
                text.lines().filter(|l| !l.trim_start().starts_with('#')).fold(String::new(), |all, l| all + l + "\n");
            let mut parser = Parser::new(&bare);
            while parser.take("rule") {
                let name = parser.name();
                let _class = parser.word();
                parser.expect(":")?;
                let left = parser.tree()?;
                let both = parser.take("<=>");
                if !both {
                    parser.expect("=>")?;
                }
                let right = parser.tree()?;
                let mut conditions = Vec::new();
                if parser.take("if") {
                    conditions.push(parser.comparison()?);
                    while parser.take(",") {
                        conditions.push(parser.comparison()?);
                    }
                }
                parser.expect(";")?;
                if both {
                    let back = Rule { left: right.clone(), right: left.clone(), conditions: conditions.clone() };
                    rules.insert(format!("{name}-back"), back);
                }
                rules.insert(name, Rule { left, right, conditions });
            }
            parser.end()?;
        }
        Ok(Rules(rules))
    }
}

/// Replays every explanation in a text; lines that belong to none are passed over.
///
/// # Errors
/// The first step that does not hold, with its line.
pub fn replay(text: &str, rules: &Rules) -> Result<Replayed, String> {
    let mut replayed = Replayed::default();
    let mut checker = Checker { rules, leaves: BTreeMap::new() };
    let mut at: Option<Tree> = None;
    let mut step: Option<Step> = None;
    for (number, line) in text.lines().enumerate() {
        let Some((word, rest)) = line.trim().split_once(' ') else { continue };
        let mut parser = Parser::new(rest);
        let mut read = || -> Result<(), String> {
            match word {
                "leaf" => {
                    // The leaves stand before the source.
                    if at.take().is_some() {
                        checker.leaves.clear();
                    }
                    let (leaf, known) = parser.leaf()?;
                    checker.leaves.insert(leaf, known);
                }
                "source" => at = Some(parser.whole()?),
                "step" => step = Some(parser.step()?),
                "term" | "result" => {
                    let after = parser.whole()?;
                    let (Some(before), Some(step)) = (at.as_ref(), step.take()) else {
                        return Err("a term without a step that leads to it".to_string());
                    };
                    checker.check(before, &step, &after)?;
                    replayed.steps += 1;
                    replayed.explanations += usize::from(word == "result");
                    at = Some(after);
                }
                _ => {}
            }
            Ok(())
        };
        read().map_err(|e| format!("line {}: {e}", number + 1))?;
    }
    if step.is_some() {
        return Err("the last step leads to no term".to_string());
    }
    Ok(replayed)
}

struct Step {
    rule: String,
    is_forward: bool,
    path: Vec<usize>,
    bound: BTreeMap<String, Tree>,
}

struct Checker<'r> {
    rules: &'r Rules,
    leaves: BTreeMap<u32, Meta>,
}

impl Checker<'_> {
    fn check(&self, before: &Tree, step: &Step, after: &Tree) -> Result<(), String> {
        let rule = self.rules.0.get(&step.rule).ok_or_else(|| format!("there is no rule {}", step.rule))?;
        let here = |tree: &Tree| tree.below(&step.path).cloned().ok_or("there is no such place in the term");
        let (old, new) = (here(before)?, here(after)?);
        if before.with(&step.path, &new) != *after {
            return Err(format!("{}: something else changed, too", step.rule));
        }
        let (from, to) = if step.is_forward { (old, new) } else { (new, old) };
        let metas: BTreeMap<&str, Meta> =
            step.bound.iter().map(|(name, tree)| Ok((&**name, self.meta(tree)?))).collect::<Result<_, String>>()?;
        // Of siblings each is equal to what becomes of it.
        let pairs: Vec<(&Tree, &Tree)> = match (&rule.left, &rule.right) {
            (Tree::List(lefts), Tree::List(rights)) => lefts.iter().zip(rights).collect(),
            (left, right) => vec![(left, right)],
        };
        let is_instance = |side: &Tree, of: &Tree| self.instance(side, step, &metas).map(|tree| tree == *of);
        let mut is_left = false;
        let mut is_both = false;
        for (left, right) in pairs {
            let fits = is_instance(left, &from)?;
            is_left |= fits;
            is_both |= fits && is_instance(right, &to)?;
        }
        if !is_both {
            let side = if is_left { "right" } else { "left" };
            return Err(format!("{}: the term is no instance of its {side} side", step.rule));
        }
        for condition in &rule.conditions {
            if value(condition, &metas) != Some(Meta::Bool(true)) {
                return Err(format!("{}: a condition is not known to hold", step.rule));
            }
        }
        let (left, right) = (self.meta(&from)?, self.meta(&to)?);
        if !is_one_type(&left, &right) {
            return Err(format!("{}: its sides are not known to have one type: {left:?} and {right:?}", step.rule));
        }
        Ok(())
    }

    /// A side with what its variables stand for.
    fn instance(&self, side: &Tree, step: &Step, metas: &BTreeMap<&str, Meta>) -> Result<Tree, String> {
        let all = |items: &[Tree]| items.iter().map(|i| self.instance(i, step, metas)).collect::<Result<Vec<_>, _>>();
        Ok(match side {
            Tree::Variable(name) => {
                step.bound.get(name).cloned().ok_or_else(|| format!("{}: what is ?{name}?", step.rule))?
            }
            Tree::Literal(_) | Tree::Leaf(_) => side.clone(),
            Tree::List(items) => Tree::List(all(items)?),
            Tree::Part(whole, index) => Tree::Part(Box::new(self.instance(whole, step, metas)?), *index),
            Tree::Apply(name, items) => {
                let mut items = all(items)?;
                let entry = operator(name)?;
                for argument in entry.schema().arguments.iter().skip(items.len()) {
                    let default = argument.default.as_ref().ok_or_else(|| format!("{name} lacks an argument"))?;
                    items.push(of_default(default));
                }
                Tree::Apply(name.clone(), items)
            }
            Tree::Computed(e) => {
                let worked_out = value(e, metas).ok_or_else(|| format!("{}: a constant has no value", step.rule))?;
                of_meta(&worked_out).ok_or_else(|| format!("{}: a constant is none", step.rule))?
            }
        })
    }

    /// What shape rules say of a term.
    fn meta(&self, tree: &Tree) -> Result<Meta, String> {
        Ok(match tree {
            Tree::Leaf(number) => self.leaves.get(number).cloned().ok_or_else(|| format!("what is %{number}?"))?,
            Tree::Literal(literal) => match literal {
                Literal::None => Meta::None,
                Literal::Bool(b) => Meta::Bool(*b),
                Literal::Int(n) => Meta::Int(Size::Known(*n)),
                Literal::Float(bits) => Meta::Float(f64::from_bits(*bits)),
                Literal::Str(s) => Meta::Str(s.as_str().into()),
                Literal::Device(_) => Meta::Unknown,
            },
            Tree::List(items) => Meta::List(items.iter().map(|i| self.meta(i)).collect::<Result<_, _>>()?),
            Tree::Part(whole, index) => match self.meta(whole)? {
                Meta::List(items) => items.get(*index as usize).cloned().unwrap_or(Meta::Unknown),
                _ => Meta::Unknown,
            },
            Tree::Apply(name, items) => {
                let entry = operator(name)?;
                let arguments = items.iter().map(|i| self.meta(i)).collect::<Result<Vec<_>, _>>()?;
                let is_int = matches!(&entry.schema().returns[..], [r] if matches!(r.ty, sconce_schema::Type::Int));
                match infer(entry, &arguments) {
                    Some(Ok(results)) if results.len() == 1 => results[0].clone(),
                    Some(Ok(results)) => Meta::List(results.into_vec()),
                    None if is_int && name == "aten.size.int" => size_of(&arguments),
                    None if is_int => Meta::Int(Size::Unknown),
                    _ => Meta::Unknown,
                }
            }
            Tree::Variable(_) | Tree::Computed(_) => return Err("a variable in a term".to_string()),
        })
    }
}

impl Tree {
    fn children(&self) -> &[Tree] {
        match self {
            Tree::List(items) | Tree::Apply(_, items) => items,
            Tree::Part(whole, _) => std::slice::from_ref(whole),
            _ => &[],
        }
    }

    fn below(&self, path: &[usize]) -> Option<&Tree> {
        path.iter().try_fold(self, |at, i| at.children().get(*i))
    }

    /// The term with another in a place.
    fn with(&self, path: &[usize], new: &Tree) -> Tree {
        let Some((first, rest)) = path.split_first() else { return new.clone() };
        let mut changed = self.clone();
        match &mut changed {
            Tree::List(items) | Tree::Apply(_, items) => {
                if let Some(item) = items.get_mut(*first) {
                    *item = item.with(rest, new);
                }
            }
            Tree::Part(whole, _) => **whole = whole.with(rest, new),
            _ => {}
        }
        changed
    }
}

fn operator(name: &str) -> Result<&'static OpEntry, String> {
    let full = name.replacen('.', "::", 1);
    sconce_schema::lookup(&full).ok_or_else(|| format!("there is no operator {name}"))
}

fn of_default(value: &DefaultValue) -> Tree {
    Tree::Literal(match value {
        DefaultValue::None => Literal::None,
        DefaultValue::Bool(b) => Literal::Bool(*b),
        DefaultValue::Int(n) => Literal::Int(*n),
        DefaultValue::Float(x) => Literal::Float(x.to_bits()),
        DefaultValue::Str(s) => Literal::Str(s.to_string()),
        DefaultValue::List(items) => return Tree::List(items.iter().map(of_default).collect()),
        DefaultValue::Complex(..) => Literal::Device("complex".to_string()),
    })
}

fn of_meta(value: &Meta) -> Option<Tree> {
    Some(Tree::Literal(match value {
        Meta::None => Literal::None,
        Meta::Bool(b) => Literal::Bool(*b),
        Meta::Int(Size::Known(n)) => Literal::Int(*n),
        Meta::Float(x) => Literal::Float(x.to_bits()),
        Meta::Str(s) => Literal::Str(s.to_string()),
        Meta::List(items) => return items.iter().map(of_meta).collect::<Option<_>>().map(Tree::List),
        _ => return None,
    }))
}

fn is_one_type(a: &Meta, b: &Meta) -> bool {
    match (a, b) {
        (Meta::Tensor(a), Meta::Tensor(b)) => {
            let is_known = a.sizes.as_ref().is_some_and(|s| s.iter().all(|s| *s != Size::Unknown));
            a.dtype.is_some() && a.dtype == b.dtype && is_known && a.sizes == b.sizes
        }
        (Meta::List(a), Meta::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_one_type(a, b)),
        (Meta::Int(Size::Known(a)), Meta::Int(Size::Known(b))) => a == b,
        (Meta::Int(_), Meta::Int(_)) => true,
        (Meta::Unknown, _) | (_, Meta::Unknown) => false,
        (a, b) => a == b,
    }
}

/// A size of a tensor, which may be a symbol.
fn size_of(arguments: &[Meta]) -> Meta {
    let size = || {
        let [Meta::Tensor(tensor), dim] = arguments else { return None };
        let sizes = tensor.sizes.as_ref()?;
        sizes.get(dimension(whole(dim)?, sizes.len())?).copied()
    };
    Meta::Int(size().unwrap_or(Size::Unknown))
}

/// A number as conditions compare it.
fn number(value: &Meta) -> Option<f64> {
    match value {
        Meta::Float(x) => Some(*x),
        Meta::Int(Size::Known(n)) if n.unsigned_abs() < 1 << 53 => Some(*n as f64),
        _ => None,
    }
}

fn whole(value: &Meta) -> Option<i64> {
    if let Meta::Int(Size::Known(n)) = value { Some(*n) } else { None }
}

fn int(n: i64) -> Meta {
    Meta::Int(Size::Known(n))
}

/// A dimension from the front.
fn dimension(d: i64, rank: usize) -> Option<usize> {
    let at = if d < 0 { d + rank as i64 } else { d };
    usize::try_from(at).ok().filter(|at| *at < rank)
}

fn integers(value: &Meta) -> Option<Vec<i64>> {
    if let Meta::List(items) = value { items.iter().map(whole).collect() } else { None }
}

/// What an expression is worth, if that is known. Functions mean what `docs/rules.md` says of them.
fn value(e: &Expression, known: &BTreeMap<&str, Meta>) -> Option<Meta> {
    let (name, arguments) = match e {
        Expression::Variable(name) => return known.get(&**name).cloned(),
        Expression::Constant(literal) => {
            return Some(match literal {
                Literal::None => Meta::None,
                Literal::Bool(b) => Meta::Bool(*b),
                Literal::Int(n) => int(*n),
                Literal::Float(bits) => Meta::Float(f64::from_bits(*bits)),
                Literal::Str(s) => Meta::Str(s.as_str().into()),
                Literal::Device(_) => return None,
            });
        }
        Expression::List(items) => return items.iter().map(|i| value(i, known)).collect::<Option<_>>().map(Meta::List),
        Expression::Call(name, arguments) => (&**name, arguments),
    };
    let values = arguments.iter().map(|a| value(a, known)).collect::<Option<Vec<_>>>()?;
    let dtype = || if let Meta::Tensor(t) = values.first()? { t.dtype } else { None };
    let truth = |b: bool| Some(Meta::Bool(b));
    match (name, &values[..]) {
        ("+" | "-" | "*" | "/" | "%", [a, b]) => match (whole(a), whole(b)) {
            (Some(a), Some(b)) => match name {
                "+" => a.checked_add(b),
                "-" => a.checked_sub(b),
                "*" => a.checked_mul(b),
                "/" => a.checked_rem(b).filter(|left| *left == 0).map(|_| a / b),
                _ => a.checked_rem_euclid(b),
            }
            .map(int),
            _ => {
                let (a, b) = (number(a)?, number(b)?);
                Some(Meta::Float(match name {
                    "+" => a + b,
                    "-" => a - b,
                    "*" => a * b,
                    "/" => a / b,
                    _ => a.rem_euclid(b),
                }))
            }
        },
        ("==", [a, b]) => is_equal(a, b).and_then(truth),
        ("!=", [a, b]) => is_equal(a, b).and_then(|e| truth(!e)),
        ("<", [a, b]) => truth(number(a)? < number(b)?),
        ("<=", [a, b]) => truth(number(a)? <= number(b)?),
        (">", [a, b]) => truth(number(a)? > number(b)?),
        (">=", [a, b]) => truth(number(a)? >= number(b)?),
        ("rank", [t]) => t.sizes().map(|s| int(s.len() as i64)),
        ("shape", [t]) => t.sizes().map(|s| Meta::List(s.iter().map(|s| Meta::Int(*s)).collect())),
        ("size", [t, d]) => {
            let sizes = t.sizes()?;
            let size = sizes[dimension(whole(d)?, sizes.len())?];
            (size != Size::Unknown).then_some(Meta::Int(size))
        }
        ("dtype", [_]) => dtype().map(|d| int(d.number())),
        ("is_float", [_]) => truth(dtype()?.is_float()),
        ("is_real", [_]) => truth(!dtype()?.is_complex()),
        ("is_signed", [_]) => dtype().and_then(|d| truth(d.is_float() || d.is_complex() || d.is_signed_int())),
        ("is_integral", [_]) => dtype().and_then(|d| truth(!d.is_float() && !d.is_complex() && d != DType::Bool)),
        ("is_bool", [_]) => truth(dtype()? == DType::Bool),
        ("len", [Meta::List(items)]) => Some(int(items.len() as i64)),
        ("abs", [n]) => whole(n)?.checked_abs().map(int),
        ("wrap", [d, rank]) => dimension(whole(d)?, usize::try_from(whole(rank)?).ok()?).map(|d| int(d as i64)),
        ("is_identity", [p]) => truth(integers(p)?.iter().enumerate().all(|(i, d)| *d == i as i64)),
        ("compose", [p, q]) => {
            let (p, q) = (integers(p)?, integers(q)?);
            let rank = p.len();
            let at = |d: &i64| dimension(*p.get(dimension(*d, rank)?)?, rank).map(|d| int(d as i64));
            (q.len() == rank).then(|| q.iter().map(at).collect::<Option<_>>().map(Meta::List)).flatten()
        }
        ("swap", [a, b, rank]) => {
            let rank = usize::try_from(whole(rank)?).ok().filter(|r| *r <= 64)?;
            let (a, b) = (dimension(whole(a)?, rank)?, dimension(whole(b)?, rank)?);
            let mut order: Vec<usize> = (0..rank).collect();
            order.swap(a, b);
            Some(Meta::List(order.into_iter().map(|d| int(d as i64)).collect()))
        }
        ("is_power_of_two", [x]) => {
            let x = number(x)?;
            let is_normal = |x: f64| (x as f32).is_normal() && f64::from(x as f32) == x;
            truth(is_normal(x) && is_normal(1.0 / x) && (x as f32).to_bits() & ((1 << 23) - 1) == 0)
        }
        _ => None,
    }
}

fn is_equal(a: &Meta, b: &Meta) -> Option<bool> {
    match (a, b) {
        (Meta::Int(Size::Symbol(a)), Meta::Int(Size::Symbol(b))) if a == b => Some(true),
        (Meta::List(a), Meta::List(b)) if a.len() != b.len() => Some(false),
        (Meta::List(a), Meta::List(b)) => {
            a.iter().zip(b).map(|(a, b)| is_equal(a, b)).try_fold(true, |all, e| Some(all && e?))
        }
        (Meta::Bool(a), Meta::Bool(b)) => Some(a == b),
        (Meta::Str(a), Meta::Str(b)) => Some(a == b),
        (Meta::None, Meta::None) => Some(true),
        (Meta::None, Meta::Int(Size::Known(_)) | Meta::Float(_)) => Some(false),
        (Meta::Int(Size::Known(_)) | Meta::Float(_), Meta::None) => Some(false),
        _ => Some(number(a)? == number(b)?),
    }
}

/// Reads a text from the left.
struct Parser<'t> {
    rest: &'t str,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Parser<'t> {
        Parser { rest: text.trim_start() }
    }

    /// Takes so many bytes, and the space behind them.
    fn advance(&mut self, bytes: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest.trim_start();
        taken
    }

    fn take(&mut self, text: &str) -> bool {
        let is_word = text.chars().all(char::is_alphanumeric);
        let is_there = self.rest.strip_prefix(text).is_some_and(|rest| {
            !is_word || !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.' || c == '(')
        });
        if is_there {
            self.advance(text.len());
        }
        is_there
    }

    fn expect(&mut self, text: &str) -> Result<(), String> {
        if self.take(text) { Ok(()) } else { Err(format!("expected '{text}' at '{}'", self.shown())) }
    }

    fn shown(&self) -> String {
        self.rest.chars().take(40).collect()
    }

    fn end(&self) -> Result<(), String> {
        if self.rest.is_empty() { Ok(()) } else { Err(format!("nothing was expected at '{}'", self.shown())) }
    }

    fn some(&mut self, is_part: impl Fn(char) -> bool) -> &'t str {
        let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        self.advance(end)
    }

    fn word(&mut self) -> &'t str {
        self.some(|c| c.is_alphanumeric() || c == '_' || c == '.')
    }

    fn name(&mut self) -> String {
        self.some(|c| c.is_alphanumeric() || c == '-').to_owned()
    }

    fn whole(&mut self) -> Result<Tree, String> {
        let tree = self.tree()?;
        self.end()?;
        Ok(tree)
    }

    fn items<T>(
        &mut self,
        close: &str,
        mut item: impl FnMut(&mut Self) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        let mut items = Vec::new();
        if self.take(close) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.take(close) {
                return Ok(items);
            }
            self.expect(",")?;
        }
    }

    fn tree(&mut self) -> Result<Tree, String> {
        if self.take("?") {
            return Ok(Tree::Variable(self.word().to_owned()));
        }
        if self.take("%") {
            return self.natural().map(Tree::Leaf);
        }
        if self.take("[") {
            return self.items("]", Self::tree).map(Tree::List);
        }
        if self.take("{") {
            let e = self.sum()?;
            self.expect("}")?;
            return Ok(Tree::Computed(Box::new(e)));
        }
        if self.rest.starts_with("part(") {
            self.advance("part(".len());
            let of = self.tree()?;
            self.expect(",")?;
            let index = self.natural()?;
            self.expect(")")?;
            return Ok(Tree::Part(Box::new(of), index));
        }
        if self.rest.starts_with("device(") {
            self.advance("device(".len());
            let device = self.some(|c| c != ')').to_owned();
            self.expect(")")?;
            return Ok(Tree::Literal(Literal::Device(device)));
        }
        let end = self.rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(self.rest.len());
        if self.rest[end..].starts_with('(') {
            let name = self.advance(end).to_owned();
            self.expect("(")?;
            return Ok(Tree::Apply(name, self.items(")", Self::tree)?));
        }
        self.literal().map(Tree::Literal)
    }

    fn natural(&mut self) -> Result<u32, String> {
        let text = self.some(|c| c.is_ascii_digit());
        text.parse().map_err(|_| format!("expected a number at '{text}{}'", self.shown()))
    }

    fn literal(&mut self) -> Result<Literal, String> {
        if self.rest.starts_with('"') {
            let mut escaped = false;
            let end = self.rest.char_indices().skip(1).find(|(_, c)| {
                let closes = *c == '"' && !escaped;
                escaped = *c == '\\' && !escaped;
                closes
            });
            let (end, _) = end.ok_or("a string that does not end")?;
            let text = self.advance(end + 1);
            return Ok(Literal::Str(text[1..end].replace("\\\"", "\"").replace("\\\\", "\\")));
        }
        // Of `1e-7` the minus sign belongs to it.
        let bytes = self.rest.as_bytes();
        let mut end = usize::from(bytes.first() == Some(&b'-'));
        while let Some(c) = bytes.get(end) {
            let is_part = c.is_ascii_alphanumeric()
                || *c == b'.'
                || (matches!(c, b'-' | b'+')
                    && bytes[end - 1] == b'e'
                    && bytes[..end - 1].iter().any(u8::is_ascii_digit));
            if !is_part {
                break;
            }
            end += 1;
        }
        let text = self.advance(end);
        match text {
            "none" => Ok(Literal::None),
            "true" => Ok(Literal::Bool(true)),
            "false" => Ok(Literal::Bool(false)),
            _ => match (text.parse::<i64>(), text.parse::<f64>()) {
                (Ok(n), _) => Ok(Literal::Int(n)),
                (_, Ok(x)) => Ok(Literal::Float(x.to_bits())),
                _ => Err(format!("expected a term at '{text}{}'", self.shown())),
            },
        }
    }

    fn comparison(&mut self) -> Result<Expression, String> {
        let left = self.sum()?;
        for sign in ["==", "!=", "<=", ">=", "<", ">"] {
            if self.take(sign) {
                return Ok(Expression::Call(sign.to_owned(), vec![left, self.sum()?]));
            }
        }
        Ok(left)
    }

    fn chain(&mut self, signs: &[&str], of: fn(&mut Self) -> Result<Expression, String>) -> Result<Expression, String> {
        let mut left = of(self)?;
        while let Some(sign) = signs.iter().find(|sign| self.take(sign)) {
            left = Expression::Call((*sign).to_owned(), vec![left, of(self)?]);
        }
        Ok(left)
    }

    fn sum(&mut self) -> Result<Expression, String> {
        self.chain(&["+", "-"], Self::product)
    }

    fn product(&mut self) -> Result<Expression, String> {
        self.chain(&["*", "/", "%"], Self::factor)
    }

    fn factor(&mut self) -> Result<Expression, String> {
        if self.take("?") {
            return Ok(Expression::Variable(self.word().to_owned()));
        }
        if self.take("(") {
            let e = self.sum()?;
            self.expect(")")?;
            return Ok(e);
        }
        if self.take("[") {
            return self.items("]", Self::sum).map(Expression::List);
        }
        let is_number = self.rest.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        if !is_number && self.take("-") {
            let zero = Expression::Constant(Literal::Int(0));
            return Ok(Expression::Call("-".to_owned(), vec![zero, self.factor()?]));
        }
        let end = self.rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(self.rest.len());
        if end > 0 && self.rest[end..].starts_with('(') {
            let name = self.advance(end).to_owned();
            self.expect("(")?;
            return Ok(Expression::Call(name, self.items(")", Self::sum)?));
        }
        self.literal().map(Expression::Constant)
    }

    /// `%0: f32[4, s0]`
    fn leaf(&mut self) -> Result<(u32, Meta), String> {
        self.expect("%")?;
        let number = self.natural()?;
        self.expect(":")?;
        let word = self.some(|c| c.is_alphanumeric()).to_owned();
        let known = match (&*word, DType::from_short_name(&word)) {
            ("int", _) if self.take("s") => Meta::Int(Size::Symbol(self.natural()?)),
            ("int", _) => Meta::Int(Size::Unknown),
            (_, dtype) if self.take("[") => {
                let sizes = self.items("]", |p| {
                    Ok(match () {
                        () if p.take("?") => Size::Unknown,
                        () if p.rest.starts_with('s') => {
                            p.advance(1);
                            Size::Symbol(p.natural()?)
                        }
                        () => Size::Known(i64::from(p.natural()?)),
                    })
                })?;
                let sizes = Some(sizes.into_iter().collect());
                Meta::Tensor(TensorMeta { dtype, sizes, device: None, wrapped_number: false })
            }
            _ => Meta::Unknown,
        };
        Ok((number, known))
    }

    /// `t-t forward at 0.1 with ?x = %0; ?a = 1`
    fn step(&mut self) -> Result<Step, String> {
        let rule = self.name();
        let is_forward = self.take("forward");
        if !is_forward {
            self.expect("backward")?;
        }
        self.expect("at")?;
        let mut path = Vec::new();
        if !self.take("root") {
            path.push(self.natural()? as usize);
            while self.take(".") {
                path.push(self.natural()? as usize);
            }
        }
        self.expect("with")?;
        let mut bound = BTreeMap::new();
        while self.take("?") {
            let name = self.word().to_owned();
            self.expect("=")?;
            bound.insert(name, self.tree()?);
            if !self.take(";") {
                break;
            }
        }
        self.end()?;
        Ok(Step { rule, is_forward, path, bound })
    }
}
