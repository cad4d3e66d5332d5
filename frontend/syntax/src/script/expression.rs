//! Expressions: a Pratt parser with Python's precedence.

use super::Dialect;
use super::literal::{StringParts, unescape};
use super::parser::{Parser, Result};
use super::range::{self, merge};
use super::token::{Kind, Token};
use super::tree::*;
use crate::Span;

/// How tightly what follows a comparison, `not`, a sign or a power binds.
const NOT: u8 = 3;
pub(super) const COMPARISON: u8 = 4;
const SIGN: u8 = 11;
const POWER: u8 = 12;

/// What stands between two operands, and how tightly it binds.
enum Infix {
    Or,
    And,
    Compare,
    Binary(BinaryOp),
}

fn infix(kind: Kind) -> Option<(Infix, u8)> {
    use BinaryOp::*;
    let binary = |op, power| Some((Infix::Binary(op), power));
    match kind {
        Kind::Or => Some((Infix::Or, 1)),
        Kind::And => Some((Infix::And, 2)),
        Kind::Lt | Kind::Gt | Kind::Le | Kind::Ge | Kind::Eq | Kind::Ne | Kind::In | Kind::Is | Kind::Not => {
            Some((Infix::Compare, COMPARISON))
        }
        Kind::Bar => binary(BitOr, 5),
        Kind::Caret => binary(BitXor, 6),
        Kind::Ampersand => binary(BitAnd, 7),
        Kind::LShift => binary(LShift, 8),
        Kind::RShift => binary(RShift, 8),
        Kind::Plus => binary(Add, 9),
        Kind::Minus => binary(Sub, 9),
        Kind::Star => binary(Mul, 10),
        Kind::Slash => binary(Div, 10),
        Kind::FloorDiv => binary(FloorDiv, 10),
        Kind::Percent => binary(Mod, 10),
        Kind::At => binary(MatMul, 10),
        Kind::Pow => binary(Pow, POWER),
        _ => None,
    }
}

/// Can an expression begin with it?
pub(super) fn begins_expression(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Name
            | Kind::Number(_)
            | Kind::Str
            | Kind::LParen
            | Kind::LBracket
            | Kind::LBrace
            | Kind::Minus
            | Kind::Plus
            | Kind::Tilde
            | Kind::Not
            | Kind::Lambda
            | Kind::None
            | Kind::True
            | Kind::False
            | Kind::Dots
            | Kind::Star
            | Kind::Await
    )
}

impl Parser<'_> {
    /// One expression, or several between commas: a tuple.
    pub(super) fn expressions(&mut self) -> Result<Expr> {
        self.tuple_of(Self::starred_or_named)
    }

    /// As [`Self::expressions`], or `yield`.
    pub(super) fn yield_or_expressions(&mut self) -> Result<Expr> {
        if self.cur() == Kind::Yield { self.yielded() } else { self.expressions() }
    }

    /// The targets of `for` and of comprehensions: they end before `in`.
    pub(super) fn loop_targets(&mut self) -> Result<Expr> {
        let target =
            self.tuple_of(|p| if p.cur() == Kind::Star { p.starred_or_named() } else { p.operators(COMPARISON) })?;
        self.check_target(&target)?;
        Ok(target)
    }

    fn tuple_of(&mut self, item: fn(&mut Self) -> Result<Expr>) -> Result<Expr> {
        let start = self.token();
        let first = item(self)?;
        self.tuple_rest(first, start, item)
    }

    /// The rest of a tuple whose first element is `first`, or that element alone. Python lets a tuple begin at the token `start`.
    fn tuple_rest(&mut self, first: Expr, start: Token, item: fn(&mut Self) -> Result<Expr>) -> Result<Expr> {
        if self.cur() != Kind::Comma {
            return Ok(first);
        }
        let mut tallest = self.height;
        let mut span = match self.dialect {
            Dialect::Python => merge(start.head(1, self.text), first.span),
            Dialect::Archive => first.span,
        };
        let mut items = vec![first];
        while self.next_if(Kind::Comma) {
            if !begins_expression(self.cur()) {
                break;
            }
            let item = item(self)?;
            tallest = tallest.max(self.height);
            span = merge(span, item.span);
            items.push(item);
        }
        self.node(ExprKind::Tuple(items), span, tallest)
    }

    pub(super) fn starred_or_named(&mut self) -> Result<Expr> {
        if self.cur() == Kind::Star { self.starred(|p| p.operators(COMPARISON)) } else { self.named() }
    }

    fn starred(&mut self, value: fn(&mut Self) -> Result<Expr>) -> Result<Expr> {
        let star = self.expect(Kind::Star)?;
        let value = self.nested(value)?;
        let span = merge(star.span(), value.span);
        self.node(ExprKind::Starred(Box::new(value)), span, self.height)
    }

    /// `name := value`, or an expression.
    pub(super) fn named(&mut self) -> Result<Expr> {
        if self.cur() != Kind::Name || self.lookahead() != Kind::Walrus {
            return self.expression();
        }
        let name = self.identifier()?;
        self.expect(Kind::Walrus)?;
        let value = self.expression()?;
        let span = merge(name.span, value.span);
        self.node(ExprKind::Named(name, Box::new(value)), span, self.height)
    }

    /// Python's `expression`: a ternary, a lambda, or operators.
    pub(super) fn expression(&mut self) -> Result<Expr> {
        self.nested(|p| if p.cur() == Kind::Lambda { p.lambda() } else { p.ternary() })
    }

    fn ternary(&mut self) -> Result<Expr> {
        let then = self.operators(0)?;
        if !self.next_if(Kind::If) {
            return Ok(then);
        }
        let mut tallest = self.height;
        let condition = self.operators(0)?;
        tallest = tallest.max(self.height);
        self.expect(Kind::Else)?;
        let otherwise = self.expression()?;
        tallest = tallest.max(self.height);
        let span = merge(merge(then.span, condition.span), otherwise.span);
        let kind =
            ExprKind::IfExp { condition: Box::new(condition), then: Box::new(then), otherwise: Box::new(otherwise) };
        self.node(kind, span, tallest)
    }

    fn lambda(&mut self) -> Result<Expr> {
        let word = self.expect(Kind::Lambda)?;
        let params = self.parameters(Kind::Colon)?;
        let tallest = self.height;
        self.expect(Kind::Colon)?;
        let body = self.expression()?;
        let span = merge(word.span(), body.span);
        self.node(ExprKind::Lambda(Box::new(Lambda { params, body })), span, tallest.max(self.height))
    }

    fn yielded(&mut self) -> Result<Expr> {
        let word = self.expect(Kind::Yield)?;
        let mut values = Vec::new();
        self.height = 0;
        let from = self.next_if(Kind::From);
        if from {
            values.push(self.expression()?);
        } else if begins_expression(self.cur()) {
            values.push(self.expressions()?);
        }
        let span = values.iter().fold(word.span(), |span, value| merge(span, value.span));
        self.node(ExprKind::Unsupported(if from { "yield from" } else { "yield" }, values), span, self.height)
    }

    /// Operators that bind more tightly than `least`.
    pub(super) fn operators(&mut self, least: u8) -> Result<Expr> {
        let mut left = self.prefix(least)?;
        while let Some((operator, power)) = infix(self.cur()) {
            if power <= least || (self.cur() == Kind::Not && self.lookahead() != Kind::In) {
                break;
            }
            let tallest = self.height;
            left = match operator {
                Infix::Compare => self.comparison(left)?,
                Infix::Binary(BinaryOp::Pow) => {
                    self.next();
                    // `a ** -b ** c` is `a ** (-(b ** c))`.
                    let right = self.nested(|p| p.operators(SIGN))?;
                    self.join(left, right, tallest, |l, r| ExprKind::Binary(BinaryOp::Pow, l, r))?
                }
                Infix::Binary(op) => {
                    self.next();
                    let right = self.operators(power)?;
                    self.join(left, right, tallest, |l, r| ExprKind::Binary(op, l, r))?
                }
                Infix::And => {
                    self.next();
                    let right = self.operators(power)?;
                    self.join(left, right, tallest, ExprKind::And)?
                }
                Infix::Or => {
                    self.next();
                    let right = self.operators(power)?;
                    self.join(left, right, tallest, ExprKind::Or)?
                }
            };
        }
        Ok(left)
    }

    fn join(
        &mut self,
        left: Expr,
        right: Expr,
        tallest: u32,
        kind: impl FnOnce(Box<Expr>, Box<Expr>) -> ExprKind,
    ) -> Result<Expr> {
        let span = merge(left.span, right.span);
        let tallest = tallest.max(self.height);
        self.node(kind(Box::new(left), Box::new(right)), span, tallest)
    }

    fn comparison(&mut self, first: Expr) -> Result<Expr> {
        let mut tallest = self.height;
        let mut span = first.span;
        let mut rest = Vec::new();
        while let Some(op) = self.compare_operator() {
            let right = self.operators(COMPARISON)?;
            tallest = tallest.max(self.height);
            span = merge(span, right.span);
            rest.push((op, right));
        }
        self.node(ExprKind::Compare(Box::new(first), rest), span, tallest)
    }

    fn compare_operator(&mut self) -> Option<CompareOp> {
        let op = match (self.cur(), self.lookahead()) {
            (Kind::Eq, _) => CompareOp::Eq,
            (Kind::Ne, _) => CompareOp::Ne,
            (Kind::Lt, _) => CompareOp::Lt,
            (Kind::Le, _) => CompareOp::Le,
            (Kind::Gt, _) => CompareOp::Gt,
            (Kind::Ge, _) => CompareOp::Ge,
            (Kind::In, _) => CompareOp::In,
            (Kind::Not, Kind::In) => CompareOp::NotIn,
            (Kind::Is, Kind::Not) => CompareOp::IsNot,
            (Kind::Is, _) => CompareOp::Is,
            _ => return None,
        };
        self.next();
        if matches!(op, CompareOp::NotIn | CompareOp::IsNot) {
            self.next();
        }
        Some(op)
    }

    fn prefix(&mut self, least: u8) -> Result<Expr> {
        let (op, power) = match self.cur() {
            Kind::Not if least > NOT => return Err(self.expected("an operand; `not` needs brackets here")),
            Kind::Not => (UnaryOp::Not, NOT),
            Kind::Minus => (UnaryOp::Neg, SIGN),
            Kind::Plus => (UnaryOp::Pos, SIGN),
            Kind::Tilde => (UnaryOp::Invert, SIGN),
            Kind::Await => return self.awaited(),
            _ => return self.primary(),
        };
        let sign = self.next();
        // A sign takes powers, but nothing as loose as itself: `-a ** b` is `-(a ** b)`, `-a * b` is `(-a) * b`.
        let operand = self.nested(|p| p.operators(power))?;
        if let (Dialect::Archive, UnaryOp::Neg, ExprKind::Number(number)) = (self.dialect, op, &operand.kind)
            && !number.text.starts_with('-')
        {
            // PyTorch's parser makes one constant of `-1`, with the digits' range.
            let number = Number { text: format!("-{}", number.text), kind: number.kind };
            return Ok(Expr { kind: ExprKind::Number(number), span: operand.span });
        }
        let span = merge(sign.span(), operand.span);
        self.node(ExprKind::Unary(op, Box::new(operand)), span, self.height)
    }

    fn awaited(&mut self) -> Result<Expr> {
        let word = self.next();
        let value = self.nested(Self::primary)?;
        let span = merge(word.span(), value.span);
        self.node(ExprKind::Unsupported("await", vec![value]), span, self.height)
    }

    /// An atom and what is selected from it, called and indexed.
    fn primary(&mut self) -> Result<Expr> {
        let mut value = self.atom()?;
        loop {
            value = match self.cur() {
                Kind::Dot => self.selection(value)?,
                Kind::LParen => self.call(value)?,
                Kind::LBracket => self.subscript(value)?,
                _ => return Ok(value),
            };
        }
    }

    fn selection(&mut self, value: Expr) -> Result<Expr> {
        self.expect(Kind::Dot)?;
        let token = self.token();
        if token.kind != Kind::Name && !token.kind.is_keyword() {
            return Err(self.expected("an attribute's name"));
        }
        self.next();
        let (span, name_span) = range::select(value.span, token, self.text, self.dialect);
        let name = Ident { name: token.text(self.text).to_owned(), span: name_span, token: token.span() };
        self.node(ExprKind::Select(Box::new(value), name), span, self.height)
    }

    fn call(&mut self, callee: Expr) -> Result<Expr> {
        let mut tallest = self.height;
        let open = self.expect(Kind::LParen)?;
        let mut span = match self.dialect {
            Dialect::Python => callee.span,
            Dialect::Archive => merge(callee.span, open.span()),
        };
        let (mut args, mut kwargs) = (Vec::new(), Vec::<Keyword>::new());
        while self.cur() != Kind::RParen {
            let start = self.token();
            if start.kind == Kind::Pow || (start.kind == Kind::Name && self.lookahead() == Kind::Assign) {
                let keyword = self.keyword()?;
                span = merge(span, keyword.span);
                kwargs.push(keyword);
            } else {
                let mut value = if start.kind == Kind::Star { self.starred(Self::expression)? } else { self.named()? };
                if matches!(self.cur(), Kind::For | Kind::Async) {
                    value = self.generator(value, open)?;
                    if !args.is_empty()
                        || !kwargs.is_empty()
                        || self.cur() == Kind::Comma && self.lookahead() != Kind::RParen
                    {
                        return Err((
                            start.span(),
                            "a generator expression among other arguments needs brackets".to_owned(),
                        ));
                    }
                }
                self.check_argument_order(&value, &kwargs, start)?;
                span = merge(span, value.span);
                args.push(value);
            }
            tallest = tallest.max(self.height);
            if !self.next_if(Kind::Comma) {
                break;
            }
        }
        let close = self.close(Kind::RParen, open)?.span();
        self.node(ExprKind::Apply(Box::new(Apply { callee, args, kwargs, close })), span, tallest)
    }

    fn check_argument_order(&self, value: &Expr, kwargs: &[Keyword], start: Token) -> Result<()> {
        let starred = matches!(value.kind, ExprKind::Starred(_));
        let message = if kwargs.iter().any(|k| k.name.is_none()) {
            "positional argument follows keyword argument unpacking"
        } else if !kwargs.is_empty() && !starred {
            "positional argument follows keyword argument"
        } else {
            return Ok(());
        };
        Err((start.span(), message.to_owned()))
    }

    /// `name=value` or `**value`.
    pub(super) fn keyword(&mut self) -> Result<Keyword> {
        if self.next_if(Kind::Pow) {
            let value = self.expression()?;
            let span = value.span;
            return Ok(Keyword { name: None, value, span });
        }
        let mut name = self.identifier()?;
        self.expect(Kind::Assign)?;
        let value = self.expression()?;
        // PyTorch's Python frontend gives the name its value's range.
        let span = match self.dialect {
            Dialect::Python => {
                name.span = value.span;
                value.span
            }
            Dialect::Archive => merge(name.span, value.span),
        };
        Ok(Keyword { name: Some(name), value, span })
    }

    fn subscript(&mut self, value: Expr) -> Result<Expr> {
        let mut tallest = self.height;
        let open = self.expect(Kind::LBracket)?;
        let (mut items, mut comma) = (Vec::new(), false);
        while self.cur() != Kind::RBracket {
            let item = self.index(value.span)?;
            tallest = tallest.max(self.height);
            items.push(item);
            comma = self.next_if(Kind::Comma);
            if !comma {
                break;
            }
        }
        if items.is_empty() {
            return Err(self.expected("an index"));
        }
        self.close(Kind::RBracket, open)?;
        if let [Index::At(Expr { kind: ExprKind::Tuple(elements), .. })] = items.as_mut_slice()
            && !elements.is_empty()
            && !comma
        {
            items = std::mem::take(elements).into_iter().map(Index::At).collect();
        }
        // PyTorch takes one byte after the items for the bracket.
        let end = items.iter().map(|item| item.span().end).max().unwrap_or(value.span.end);
        let span = merge(value.span, Span::new(value.span.start as usize, (end as usize + 1).min(self.text.len())));
        self.node(ExprKind::Subscript(Box::new(value), items), span, tallest)
    }

    fn index(&mut self, base: Span) -> Result<Index> {
        let first = self.token();
        let mut tallest = 0;
        let mut bound = |p: &mut Self| -> Result<Option<Expr>> {
            if matches!(p.cur(), Kind::Colon | Kind::Comma | Kind::RBracket) {
                return Ok(None);
            }
            let value = p.starred_or_named()?;
            tallest = tallest.max(p.height);
            Ok(Some(value))
        };
        let start = bound(self)?;
        if self.cur() != Kind::Colon {
            return match start {
                Some(mut value) => {
                    if matches!(&value.kind, ExprKind::Tuple(items) if items.is_empty())
                        && self.dialect == Dialect::Python
                    {
                        value.span = first.head(2, self.text);
                    }
                    Ok(Index::At(value))
                }
                None => Err(self.expected("an index")),
            };
        }
        self.next();
        let stop = bound(self)?;
        let step = if self.next_if(Kind::Colon) { bound(self)? } else { None };
        self.height = tallest;
        let around = match self.dialect {
            Dialect::Python => base,
            Dialect::Archive => first.span(),
        };
        let span = [&start, &stop, &step].into_iter().flatten().fold(around, |span, value| merge(span, value.span));
        Ok(Index::Slice { start, stop, step, span })
    }

    fn atom(&mut self) -> Result<Expr> {
        let token = self.token();
        let word = |kind| Ok(Expr { kind, span: token.span() });
        self.height = 1;
        match token.kind {
            Kind::LParen => return self.parenthesized(),
            Kind::LBracket => return self.list(),
            Kind::LBrace => return self.braces(),
            Kind::Str => return self.strings(),
            _ => {}
        }
        match token.kind {
            Kind::Name => self.name(),
            Kind::Number(kind) => {
                self.next();
                let number = Number { text: token.text(self.text).to_owned(), kind };
                let span = range::number(token, kind, self.text, self.dialect);
                Ok(Expr { kind: ExprKind::Number(number), span })
            }
            Kind::True | Kind::False | Kind::None | Kind::Dots => {
                self.next();
                word(match token.kind {
                    Kind::True => ExprKind::True,
                    Kind::False => ExprKind::False,
                    Kind::None => ExprKind::None,
                    _ => ExprKind::Ellipsis,
                })
            }
            _ => Err(self.expected("an expression")),
        }
    }

    fn name(&mut self) -> Result<Expr> {
        let name = self.identifier()?;
        let span = name.span;
        let kind = if name.name == "Ellipsis" { ExprKind::Ellipsis } else { ExprKind::Var(name) };
        Ok(Expr { kind, span })
    }

    pub(super) fn identifier(&mut self) -> Result<Ident> {
        let token = self.expect(Kind::Name)?;
        let name = token.text(self.text).to_owned();
        let span = match self.dialect {
            Dialect::Python => token.head(name.chars().count(), self.text),
            Dialect::Archive => token.span(),
        };
        Ok(Ident { name, span, token: token.span() })
    }

    /// The closing bracket.
    fn close(&mut self, sign: Kind, open: Token) -> Result<Token> {
        if self.cur() == sign {
            return Ok(self.next());
        }
        let what = format!("{} or `,` for the `{}` that is open", sign.describe(), open.text(self.text));
        Err(self.expected(&what))
    }

    fn parenthesized(&mut self) -> Result<Expr> {
        let open = self.expect(Kind::LParen)?;
        if self.next_if(Kind::RParen) {
            let span = match self.dialect {
                Dialect::Python => open.span(),
                Dialect::Archive => self.token().span(),
            };
            return self.node(ExprKind::Tuple(vec![]), span, 0);
        }
        if self.cur() == Kind::Yield {
            let value = self.nested(Self::yielded)?;
            self.close(Kind::RParen, open)?;
            return Ok(value);
        }
        let first = self.starred_or_named()?;
        let value = if matches!(self.cur(), Kind::For | Kind::Async) {
            self.generator(first, open)?
        } else {
            self.tuple_rest(first, open, Self::starred_or_named)?
        };
        self.close(Kind::RParen, open)?;
        Ok(value)
    }

    fn generator(&mut self, element: Expr, open: Token) -> Result<Expr> {
        let (comprehension, span, tallest) = self.clauses(element, open)?;
        self.node(ExprKind::GeneratorExp(Box::new(comprehension)), span, tallest)
    }

    fn list(&mut self) -> Result<Expr> {
        let open = self.expect(Kind::LBracket)?;
        let mut span = open.span();
        let (mut items, mut tallest) = (Vec::new(), 0);
        while self.cur() != Kind::RBracket {
            let item = self.starred_or_named()?;
            if items.is_empty() && matches!(self.cur(), Kind::For | Kind::Async) {
                let (comprehension, span, tallest) = self.clauses(item, open)?;
                self.close(Kind::RBracket, open)?;
                return self.node(ExprKind::ListComp(Box::new(comprehension)), span, tallest);
            }
            tallest = tallest.max(self.height);
            span = merge(span, item.span);
            items.push(item);
            if !self.next_if(Kind::Comma) {
                break;
            }
        }
        self.close(Kind::RBracket, open)?;
        self.node(ExprKind::List(items), span, tallest)
    }

    /// A dict, a set, or a comprehension of either.
    fn braces(&mut self) -> Result<Expr> {
        let open = self.expect(Kind::LBrace)?;
        if self.cur() == Kind::RBrace || self.cur() == Kind::Pow {
            return self.dict(open, None);
        }
        let first = self.starred_or_named()?;
        if self.cur() == Kind::Colon {
            return self.dict(open, Some(first));
        }
        let mut tallest = self.height;
        if matches!(self.cur(), Kind::For | Kind::Async) {
            let (comprehension, span, tallest) = self.clauses(first, open)?;
            self.close(Kind::RBrace, open)?;
            return self.node(ExprKind::SetComp(Box::new(comprehension)), span, tallest);
        }
        let mut span = merge(open.span(), first.span);
        let mut items = vec![first];
        while self.next_if(Kind::Comma) && self.cur() != Kind::RBrace {
            let item = self.starred_or_named()?;
            tallest = tallest.max(self.height);
            span = merge(span, item.span);
            items.push(item);
        }
        self.close(Kind::RBrace, open)?;
        self.node(ExprKind::Set(items), span, tallest)
    }

    fn dict(&mut self, open: Token, first: Option<Expr>) -> Result<Expr> {
        let mut tallest = if first.is_some() { self.height } else { 0 };
        let mut pending = first;
        let mut span = match (self.dialect, &pending) {
            (Dialect::Python, _) => open.span(),
            (Dialect::Archive, Some(key)) => key.span,
            (Dialect::Archive, None) => self.token().span(),
        };
        let mut items = Vec::new();
        while self.cur() != Kind::RBrace {
            let key = match pending.take() {
                Some(key) => Some(key),
                None if self.next_if(Kind::Pow) => None,
                None => Some(self.expression()?),
            };
            tallest = tallest.max(self.height);
            if key.is_some() {
                self.expect(Kind::Colon)?;
            }
            let value = self.expression()?;
            tallest = tallest.max(self.height);
            match key {
                Some(key) if items.is_empty() && matches!(self.cur(), Kind::For | Kind::Async) => {
                    return self.dict_comprehension(key, tallest, value, open);
                }
                key => {
                    span = key.iter().fold(merge(span, value.span), |span, key| merge(span, key.span));
                    items.push((key, value));
                }
            }
            if !self.next_if(Kind::Comma) {
                break;
            }
        }
        self.close(Kind::RBrace, open)?;
        self.node(ExprKind::Dict(items), span, tallest)
    }

    fn dict_comprehension(&mut self, key: Expr, tallest: u32, value: Expr, open: Token) -> Result<Expr> {
        let (comprehension, span, inner) = self.clauses(value, open)?;
        self.close(Kind::RBrace, open)?;
        let span = merge(span, key.span);
        self.node(ExprKind::DictComp(Box::new(key), Box::new(comprehension)), span, tallest.max(inner))
    }

    /// `for … in … if …`, with the comprehension's range and its parts' height.
    fn clauses(&mut self, element: Expr, open: Token) -> Result<(Comprehension, Span, u32)> {
        let mut tallest = self.height;
        if matches!(element.kind, ExprKind::Starred(_)) {
            return Err((element.span, "iterable unpacking cannot be used in comprehension".to_owned()));
        }
        let mut span = match self.dialect {
            Dialect::Python => merge(open.head(0, self.text), element.span),
            Dialect::Archive => element.span,
        };
        let mut clauses = Vec::new();
        while matches!(self.cur(), Kind::For | Kind::Async) {
            if self.cur() == Kind::Async {
                return Err((self.place(), "asynchronous comprehensions are not known".to_owned()));
            }
            self.expect(Kind::For)?;
            let target = self.loop_targets()?;
            tallest = tallest.max(self.height);
            self.expect(Kind::In)?;
            let iter = self.operators(0)?;
            tallest = tallest.max(self.height);
            span = merge(merge(span, target.span), iter.span);
            let mut conditions = Vec::new();
            while self.next_if(Kind::If) {
                let condition = self.operators(0)?;
                tallest = tallest.max(self.height);
                span = merge(span, condition.span);
                conditions.push(condition);
            }
            clauses.push(Clause { target, iter, conditions });
        }
        Ok((Comprehension { element, clauses }, span, tallest))
    }

    /// Adjacent strings are one.
    fn strings(&mut self) -> Result<Expr> {
        let first = self.token();
        let mut tokens = Vec::new();
        while self.cur() == Kind::Str {
            tokens.push(self.next());
        }
        let text = self.text;
        let parts: Vec<_> = tokens.iter().map(|t| (*t, StringParts::new(t.text(text)))).collect();
        let bytes = parts.iter().filter(|(_, part)| part.bytes).count();
        if bytes != 0 && bytes != parts.len() {
            return Err((first.span(), "cannot mix bytes and nonbytes literals".to_owned()));
        }
        if parts.iter().any(|(_, part)| part.formatted) {
            return self.formatted(first, &parts);
        }
        let mut value = Vec::new();
        for (token, part) in &parts {
            self.unescaped(*token, part, 0..part.body.len(), &mut value)?;
        }
        let span = range::string(first, &value, text, self.dialect);
        self.height = 1;
        if bytes == 0 {
            return Ok(Expr { kind: ExprKind::Str(value), span });
        }
        let span = range::bytes(first, &value, text, self.dialect);
        self.node(ExprKind::Unsupported("bytes", vec![Expr { kind: ExprKind::Str(value), span }]), span, 1)
    }

    /// A part of a literal's body, escapes resolved.
    pub(super) fn unescaped(
        &self,
        token: Token,
        parts: &StringParts<'_>,
        range: std::ops::Range<usize>,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let base = token.start as usize + parts.offset + range.start;
        let dialect = if parts.bytes { Dialect::Archive } else { self.dialect };
        unescape(parts.body.get(range).unwrap_or_default(), parts.raw, dialect, out)
            .map_err(|(offset, message)| (Span::new(base + offset, base + offset + 1), message.to_owned()))
    }
}

impl Index {
    /// The item's range.
    pub fn span(&self) -> Span {
        match self {
            Index::At(value) => value.span,
            Index::Slice { span, .. } => *span,
        }
    }
}
