//! Rule files to rules: what is read names operators of the table, gives them arguments of the right kinds, and uses only variables that its left side binds.

use super::expression::by_name;
use super::{Class, Expression, Rule, Side};
use crate::term::Literal;
use pest::Parser as _;
use pest::iterators::Pair;
use sconce_schema::op::DefaultValue;
use sconce_schema::shape::{Meta, Size};
use sconce_schema::{Argument, OpEntry, Type};
use std::sync::Arc;

/// Generated from the grammar.
mod grammar {
    #[derive(pest_derive::Parser)]
    #[grammar = "rules/rules.pest"]
    pub struct RuleParser;
}

use grammar::{Rule as Token, RuleParser};

/// What is wrong with a rule file, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{file}:{line}:{column}: {message}")]
pub struct ReadError {
    pub file: String,
    pub line: usize,
    pub column: usize,
    pub message: String,
}

/// Texts above this length are refused: a file of rules is written by hand.
const MAX_BYTES: usize = 1 << 20;

/// Parentheses and brackets nest no deeper, so that reading and what follows fit a thread's stack.
const MAX_DEPTH: usize = 64;

/// Reads a file of rules. A rule with `<=>` gives two, the second with `-back` behind its name.
///
/// # Errors
/// The first thing that is no rule.
pub fn read(file: &str, text: &str) -> Result<Vec<Rule>, ReadError> {
    let reader = Reader { file };
    if text.len() > MAX_BYTES {
        return Err(reader.error((1, 1), format!("{} bytes; expected at most {MAX_BYTES}", text.len())));
    }
    reader.depth(text)?;
    let mut parsed = RuleParser::parse(Token::file, text).map_err(|e| reader.syntax(&e))?;
    let mut rules: Vec<Rule> = Vec::new();
    let items = parsed.next().map(Pair::into_inner).into_iter().flatten();
    for pair in items.filter(|pair| pair.as_rule() == Token::rule) {
        let place = pair.line_col();
        for rule in reader.rule(pair)? {
            if let Some(other) = rules.iter().find(|other| other.name == rule.name) {
                return Err(reader.error(place, format!("there is a rule '{}' already, at {}", rule.name, other.place)));
            }
            rules.push(rule);
        }
    }
    Ok(rules)
}

type Place = (usize, usize);

struct Reader<'f> {
    file: &'f str,
}

impl Reader<'_> {
    fn error(&self, (line, column): Place, message: impl Into<String>) -> ReadError {
        ReadError { file: self.file.to_owned(), line, column, message: message.into() }
    }

    fn syntax(&self, e: &pest::error::Error<Token>) -> ReadError {
        let (pest::error::LineColLocation::Pos(place) | pest::error::LineColLocation::Span(place, _)) = e.line_col;
        self.error(place, format!("not a rule: {}", e.variant.message()))
    }

    /// Refuses what nests too deep.
    fn depth(&self, text: &str) -> Result<(), ReadError> {
        let mut open = 0usize;
        for (number, line) in text.lines().enumerate() {
            if line.trim_start().starts_with('#') {
                continue;
            }
            for (column, c) in line.char_indices() {
                match c {
                    '(' | '[' | '{' => open += 1,
                    // A minus sign in front of a factor nests, too.
                    ')' | ']' | '}' => open = open.saturating_sub(1),
                    _ => {}
                }
                if open > MAX_DEPTH {
                    return Err(self.error((number + 1, column + 1), format!("nested deeper than {MAX_DEPTH}")));
                }
            }
            if line.contains("----") {
                return Err(self.error((number + 1, 1), "four minus signs in a row"));
            }
        }
        Ok(())
    }

    fn rule(&self, pair: Pair<'_, Token>) -> Result<Vec<Rule>, ReadError> {
        let place = pair.line_col();
        let mut comments: Vec<(usize, &str)> = Vec::new();
        let (mut name, mut line, mut class, mut both) = ("", 0, Class::Exact, false);
        let mut sides: Vec<(Pair<'_, Token>, Place)> = Vec::new();
        let mut conditions = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Token::algebra => comments.push((part.line_col().0, part.as_str())),
                Token::name => (name, line) = (part.as_str(), part.line_col().0),
                Token::class => class = Class::from_name(part.as_str()).unwrap_or(Class::Exact),
                Token::arrow => both = part.as_str() == "<=>",
                Token::term => sides.push((part.clone(), part.line_col())),
                Token::condition => conditions.push(self.expression(part)?),
                _ => {}
            }
        }
        // The lines right above the rule; what stands farther up is about the file.
        let above = comments.iter().rev().zip(1..).take_while(|((at, _), n)| at + n == line).count();
        let algebra = &comments[comments.len() - above..];
        let first = algebra.first().map_or(place.0, |(at, _)| *at);
        let algebra: Vec<&str> = algebra.iter().map(|(_, text)| text.trim_start_matches('#').trim()).collect();
        let sides: Vec<(Side, Place)> =
            sides.into_iter().map(|(side, at)| Ok((self.side(side, None)?, at))).collect::<Result<_, ReadError>>()?;
        let [(left, left_at), (right, right_at)] = &sides[..] else {
            return Err(self.error(place, "expected two sides"));
        };
        let one = |name: &str, left: &Side, right: &Side| Rule {
            name: name.into(),
            class,
            left: left.clone(),
            right: right.clone(),
            conditions: conditions.clone(),
            algebra: algebra.join(" "),
            place: format!("{}:{first}", self.file),
        };
        let mut rules = vec![self.sound(one(name, left, right), *left_at, *right_at)?];
        if both {
            rules.push(self.sound(one(&format!("{name}-back"), right, left), *right_at, *left_at)?);
        }
        Ok(rules)
    }

    /// The rule, if its left side binds what it uses.
    fn sound(&self, rule: Rule, left_at: Place, right_at: Place) -> Result<Rule, ReadError> {
        let applies = |side: &Side| matches!(side, Side::Apply(..) | Side::Part(..));
        let is_fit = match (&rule.left, &rule.right) {
            // Terms that stand beside each other, and as many that are equal to them.
            (Side::List(lefts), Side::List(rights)) => {
                lefts.len() > 1 && lefts.len() == rights.len() && lefts.iter().all(applies)
            }
            (left, _) => applies(left),
        };
        if !is_fit {
            return Err(self.error(
                left_at,
                "the left side must apply an operator, or be a list of such with as many right sides",
            ));
        }
        if let Some(computed) = first_computed(&rule.left) {
            return Err(self.error(left_at, format!("the left side computes nothing, but has {{{computed}}}")));
        }
        let mut bound = Vec::new();
        variables(&rule.left, &mut bound);
        let mut used = Vec::new();
        variables(&rule.right, &mut used);
        rule.conditions.iter().for_each(|c| c.variables(&mut used));
        match used.iter().find(|name| !bound.contains(name)) {
            Some(name) => Err(self.error(right_at, format!("?{name} is not on the left side"))),
            None => Ok(rule),
        }
    }

    /// A side, or a part of it that is an argument of this type.
    fn side(&self, pair: Pair<'_, Token>, wanted: Option<&Argument>) -> Result<Side, ReadError> {
        let place = pair.line_col();
        let text = pair.as_str().trim().to_owned();
        let side = match pair.as_rule() {
            Token::term => {
                let inner = pair.into_inner().next().ok_or_else(|| self.error(place, "expected a term"))?;
                return self.side(inner, wanted);
            }
            Token::variable => Side::Variable(text.trim_start_matches('?').into()),
            Token::literal => Side::Literal(self.literal(pair)?),
            Token::list => Side::List(pair.into_inner().map(|p| self.side(p, None)).collect::<Result<_, _>>()?),
            Token::computed => {
                let inner = pair.into_inner().next().ok_or_else(|| self.error(place, "expected an expression"))?;
                Side::Computed(self.expression(inner)?)
            }
            Token::part => {
                let mut inner = pair.into_inner();
                let (Some(whole), Some(number)) = (inner.next(), inner.next()) else {
                    return Err(self.error(place, "expected a term and a number"));
                };
                let index = number.as_str().parse().map_err(|_| self.error(place, "expected a number from 0"))?;
                Side::Part(Box::new(self.side(whole, None)?), index)
            }
            Token::apply => self.apply(pair)?,
            _ => return Err(self.error(place, format!("expected a term, found '{text}'"))),
        };
        match wanted.filter(|argument| !suits(&side, &argument.ty)) {
            Some(argument) => {
                Err(self
                    .error(place, format!("{text} is no {}, which the argument '{}' is", argument.ty, argument.name)))
            }
            None => Ok(side),
        }
    }

    fn apply(&self, pair: Pair<'_, Token>) -> Result<Side, ReadError> {
        let place = pair.line_col();
        let mut inner = pair.into_inner();
        let name = inner.next().map(|p| p.as_str().to_owned()).unwrap_or_default();
        let entry = name.split_once('.').and_then(|(space, rest)| sconce_schema::lookup(&format!("{space}::{rest}")));
        let entry = entry.ok_or_else(|| self.error(place, format!("there is no operator {name}")))?;
        let declared = &entry.schema().arguments;
        let given: Vec<Pair<'_, Token>> = inner.collect();
        if given.len() > declared.len() {
            let expected = format!("{name} takes {} arguments, not {}", declared.len(), given.len());
            return Err(self.error(place, expected));
        }
        let mut arguments = Vec::new();
        for (pair, argument) in given.into_iter().zip(declared) {
            arguments.push(self.side(pair, Some(argument))?);
        }
        for argument in &declared[arguments.len()..] {
            let default = argument.default.as_ref().map(of_default);
            let missing = || self.error(place, format!("{name} needs the argument '{}'", argument.name));
            arguments.push(default.ok_or_else(missing)?);
        }
        if !is_pure(entry, &arguments) {
            return Err(self.error(place, format!("{name} writes, draws or does something else beside its result")));
        }
        Ok(Side::Apply(entry, arguments))
    }

    fn literal(&self, pair: Pair<'_, Token>) -> Result<Literal, ReadError> {
        let place = pair.line_col();
        let text = pair.as_str();
        let kind = pair.clone().into_inner().next().map(|p| p.as_rule());
        Ok(match (kind, text) {
            (Some(Token::float), _) => {
                Literal::float(text.parse().map_err(|_| self.error(place, format!("{text} is no number")))?)
            }
            (Some(Token::integer), _) => {
                Literal::Int(text.parse().map_err(|_| self.error(place, format!("{text} is no 64-bit integer")))?)
            }
            (_, "true") => Literal::Bool(true),
            (_, "false") => Literal::Bool(false),
            (_, "none") => Literal::None,
            _ => Literal::Str(text.trim_matches('"').into()),
        })
    }

    fn expression(&self, pair: Pair<'_, Token>) -> Result<Expression, ReadError> {
        let place = pair.line_col();
        let kind = pair.as_rule();
        let text = pair.as_str().trim().to_owned();
        let mut inner = pair.clone().into_inner();
        let mut first = |what: &str| inner.next().ok_or_else(|| self.error(place, format!("expected {what}")));
        match kind {
            Token::condition | Token::sum | Token::product => {
                let mut value = self.expression(first("an expression")?)?;
                while let Some(sign) = inner.next() {
                    let Some(right) = inner.next() else { break };
                    value = self.call(place, sign.as_str().trim(), vec![value, self.expression(right)?])?;
                }
                Ok(value)
            }
            Token::factor | Token::group => self.expression(first("an expression")?),
            Token::negated => {
                let zero = Expression::Constant(Meta::Int(Size::Known(0)));
                let value = self.expression(first("an expression")?)?;
                self.call(place, "-", vec![zero, value])
            }
            Token::variable => Ok(Expression::Variable(text.trim_start_matches('?').into())),
            Token::literal => Ok(Expression::Constant(self.literal(pair)?.meta())),
            Token::items => inner.map(|p| self.expression(p)).collect::<Result<_, _>>().map(Expression::List),
            Token::call => {
                let name = first("a function")?.as_str().to_owned();
                let arguments = inner.map(|p| self.expression(p)).collect::<Result<_, _>>()?;
                self.call(place, &name, arguments)
            }
            _ => Err(self.error(place, format!("expected an expression, found '{text}'"))),
        }
    }

    fn call(&self, place: Place, name: &str, arguments: Vec<Expression>) -> Result<Expression, ReadError> {
        let function = by_name(name).ok_or_else(|| self.error(place, format!("there is no function {name}")))?;
        if function.arity != arguments.len() {
            let message = format!("{name} takes {} arguments, not {}", function.arity, arguments.len());
            return Err(self.error(place, message));
        }
        Ok(Expression::Call(function, arguments))
    }
}

/// May it stand in a term? What writes unless it is told not to is told not to, and what drops elements drops none.
fn is_pure(entry: &OpEntry, arguments: &[Side]) -> bool {
    let effect = entry.effect();
    let is = |at: usize, literal: Literal| matches!(arguments.get(at), Some(Side::Literal(l)) if *l == literal);
    effect.writes.is_empty()
        && effect.writes_unless_false.as_ref().is_none_or(|(flag, _)| is(*flag, Literal::Bool(false)))
        && (!effect.draws || effect.draws_unless_zero.iter().any(|at| is(*at, Literal::float(0.0))))
        && !effect.other
        && !entry.schema().is_vararg
}

fn variables(side: &Side, found: &mut Vec<Arc<str>>) {
    match side {
        Side::Variable(name) => found.push(name.clone()),
        Side::Literal(_) => {}
        Side::List(items) | Side::Apply(_, items) => items.iter().for_each(|s| variables(s, found)),
        Side::Part(whole, _) => variables(whole, found),
        Side::Computed(e) => e.variables(found),
    }
}

fn first_computed(side: &Side) -> Option<&Expression> {
    match side {
        Side::Computed(e) => Some(e),
        Side::List(items) | Side::Apply(_, items) => items.iter().find_map(first_computed),
        Side::Part(whole, _) => first_computed(whole),
        Side::Variable(_) | Side::Literal(_) => None,
    }
}

fn of_default(value: &DefaultValue) -> Side {
    Side::Literal(match value {
        DefaultValue::None => Literal::None,
        DefaultValue::Bool(b) => Literal::Bool(*b),
        DefaultValue::Int(n) => Literal::Int(*n),
        DefaultValue::Float(x) => Literal::float(*x),
        DefaultValue::Str(s) => Literal::Str(s.clone()),
        DefaultValue::List(items) => return Side::List(items.iter().map(of_default).collect()),
        // No operator has such a default; it matches nothing.
        DefaultValue::Complex(..) => Literal::Device("complex".into()),
    })
}

/// Can it be an argument of the type?
fn suits(side: &Side, ty: &Type) -> bool {
    match (side, ty) {
        (Side::Literal(Literal::None), ty) => matches!(ty, Type::Optional(_)),
        (side, Type::Optional(inner)) => suits(side, inner),
        (Side::Variable(_) | Side::Computed(_) | Side::Part(..), _) => true,
        (Side::Apply(entry, _), ty) => {
            entry.schema().returns.first().is_some_and(|r| r.ty.is_tensor() == ty.is_tensor())
        }
        (Side::List(items), Type::List(element)) => items.iter().all(|item| suits(item, element)),
        (Side::List(_), _) => false,
        (Side::Literal(literal), ty) => match literal {
            Literal::Bool(_) => matches!(ty, Type::Bool | Type::SymBool | Type::Number),
            Literal::Int(_) => !matches!(ty, Type::Tensor(_) | Type::List(_) | Type::Bool | Type::Str | Type::Float),
            Literal::Float(_) => matches!(ty, Type::Float | Type::SymFloat | Type::Number),
            Literal::Str(_) => matches!(ty, Type::Str),
            Literal::None | Literal::Device(_) => true,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        read("x.rules", text).expect_err(text).to_string()
    }

    #[test]
    fn rules_are_read_and_printed() {
        let text = "
            # x + 0 = x for integers
            rule add-zero exact:
                aten.add.Scalar(?x, 0) => ?x if is_integral(?x);
            # both ways
            rule move-scale reassociates:
                aten.mm(aten.mul.Scalar(?x, ?a), ?y) <=> aten.mul.Scalar(aten.mm(?x, ?y), {?a * 1}) if is_float(?x), ?a != 0;
        ";
        let read = read("x.rules", text);
        // What the right side computes cannot be matched.
        assert_eq!(read.expect_err(text).to_string(), "x.rules:7:58: the left side computes nothing, but has {?a * 1}");
        let rules = super::read("x.rules", &text.replace("{?a * 1}", "?a")).expect("rules");
        let printed: Vec<String> = rules.iter().map(|r| format!("{r} [{}] {}", r.algebra, r.place)).collect();
        assert_eq!(
            printed,
            [
                "add-zero exact: aten.add.Scalar(?x, 0, 1) => ?x if is_integral(?x) [x + 0 = x for integers] x.rules:2",
                "move-scale reassociates: aten.mm(aten.mul.Scalar(?x, ?a), ?y) => aten.mul.Scalar(aten.mm(?x, ?y), ?a) if is_float(?x), ?a != 0 [both ways] x.rules:5",
                "move-scale-back reassociates: aten.mul.Scalar(aten.mm(?x, ?y), ?a) => aten.mm(aten.mul.Scalar(?x, ?a), ?y) if is_float(?x), ?a != 0 [both ways] x.rules:5",
            ]
        );
    }

    #[test]
    fn what_is_no_rule_is_refused_with_its_place() {
        let rule = |body: &str| format!("# why\nrule r exact: {body};");
        for (body, expected) in [
            ("aten.nothing(?x) => ?x", "x.rules:2:15: there is no operator aten.nothing"),
            ("aten.relu(?x) => ?y", "x.rules:2:32: ?y is not on the left side"),
            ("aten.relu(?x, ?y) => ?x", "x.rules:2:15: aten.relu takes 1 arguments, not 2"),
            ("aten.mm(?x) => ?x", "x.rules:2:15: aten.mm needs the argument 'mat2'"),
            ("aten.relu_(?x) => ?x", "x.rules:2:15: aten.relu_ writes, draws or does something else beside its result"),
            (
                "?x => aten.relu(?x)",
                "x.rules:2:15: the left side must apply an operator, or be a list of such with as many right sides",
            ),
            ("aten.relu(1) => aten.relu(1)", "x.rules:2:25: 1 is no Tensor, which the argument 'self' is"),
            ("aten.relu(?x) => ?x if rank(?x, 1) == 2", "x.rules:2:38: rank takes 1 arguments, not 2"),
            ("aten.relu(?x) => ?x if what(?x)", "x.rules:2:38: there is no function what"),
        ] {
            assert_eq!(error(&rule(body)), expected, "{body}");
        }
        assert!(error("rule r exact: aten.relu(?x) => ?x;").starts_with("x.rules:1:1: not a rule"));
        assert!(error(&rule(&format!("aten.relu({}?x", "aten.relu(".repeat(100)))).contains("nested deeper than 64"));
        let twice = format!(
            "{}{}",
            rule("aten.relu(?x) => ?x"),
            rule("aten.sigmoid(?x) => ?x").replace("# why\n", "\n# why\n")
        );
        assert_eq!(error(&twice), "x.rules:3:1: there is a rule 'r' already, at x.rules:1");
    }
}
