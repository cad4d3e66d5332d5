//! Statements: lines, blocks, and what Python's own parser refuses about them.

use super::Dialect;
use super::expression::begins_expression;
use super::parser::{Parser, Result};
use super::range::merge;
use super::token::{Kind, Token};
use super::tree::*;
use crate::Span;

fn augmented(kind: Kind) -> Option<BinaryOp> {
    Some(match kind {
        Kind::AddAssign => BinaryOp::Add,
        Kind::SubAssign => BinaryOp::Sub,
        Kind::MulAssign => BinaryOp::Mul,
        Kind::DivAssign => BinaryOp::Div,
        Kind::FloorDivAssign => BinaryOp::FloorDiv,
        Kind::ModAssign => BinaryOp::Mod,
        Kind::PowAssign => BinaryOp::Pow,
        Kind::MatMulAssign => BinaryOp::MatMul,
        Kind::LShiftAssign => BinaryOp::LShift,
        Kind::RShiftAssign => BinaryOp::RShift,
        Kind::AndAssign => BinaryOp::BitAnd,
        Kind::OrAssign => BinaryOp::BitOr,
        Kind::XorAssign => BinaryOp::BitXor,
        _ => return None,
    })
}

/// The range of all statements, beginning with `first`.
fn reach(first: Span, statements: &[Stmt]) -> Span {
    statements.iter().fold(first, |span, s| merge(span, s.span))
}

impl Parser<'_> {
    /// A compound statement, or the simple statements of one line.
    pub(super) fn statement(&mut self, out: &mut Vec<Stmt>) -> Result<()> {
        let start = self.token();
        let statement = match start.kind {
            Kind::If => self.nested_statement(Self::if_statement)?,
            Kind::While => self.while_statement()?,
            Kind::For => self.for_statement()?,
            Kind::With => self.with_statement()?,
            Kind::Try => self.try_statement()?,
            Kind::At => self.decorated()?,
            Kind::Class => self.class(Vec::new(), start)?,
            Kind::Def => self.function(Vec::new(), start)?,
            Kind::Async => self.asynchronous()?,
            Kind::Name if self.begins_match() => self.match_statement()?,
            _ => return self.simple_line(out),
        };
        out.push(statement);
        Ok(())
    }

    /// `match` is a word only where `case` follows.
    fn begins_match(&self) -> bool {
        if self.token().text(self.text) != "match" || !begins_expression(self.lookahead()) {
            return false;
        }
        let line = self.following();
        let end = line.iter().position(|t| t.kind == Kind::Newline).unwrap_or(line.len());
        let block = line.get(end..).unwrap_or_default();
        let case = block.get(2).is_some_and(|t| t.kind == Kind::Name && t.text(self.text) == "case");
        case && block[1].kind == Kind::Indent && line[end - 1].kind == Kind::Colon
    }

    /// TorchScript has no `match`; its cases are passed over.
    fn match_statement(&mut self) -> Result<Stmt> {
        let word = self.next();
        let subject = self.expressions()?;
        self.expect(Kind::Colon)?;
        self.expect(Kind::Newline)?;
        let mut depth = 0usize;
        loop {
            match self.next().kind {
                Kind::Indent => depth += 1,
                Kind::Dedent if depth == 1 => break,
                Kind::Dedent => depth -= 1,
                Kind::End => break,
                _ => {}
            }
        }
        let span = merge(word.span(), subject.span);
        let value = self.node(ExprKind::Unsupported("match", vec![subject]), span, self.height)?;
        Ok(Stmt { kind: StmtKind::Expr(value), span })
    }

    fn asynchronous(&mut self) -> Result<Stmt> {
        let start = self.token();
        match self.lookahead() {
            Kind::Def => self.function(Vec::new(), start),
            Kind::For | Kind::With => Err((start.span(), "async for and async with are not known".to_owned())),
            _ => {
                self.next();
                Err(self.expected("`def` after `async`"))
            }
        }
    }

    fn simple_line(&mut self, out: &mut Vec<Stmt>) -> Result<()> {
        loop {
            out.push(self.simple()?);
            if !self.next_if(Kind::Semicolon) || self.cur() == Kind::Newline {
                break;
            }
        }
        if self.cur() == Kind::End {
            return Ok(());
        }
        self.expect(Kind::Newline).map(drop)
    }

    /// What stands after a `:`.
    pub(super) fn block(&mut self) -> Result<Vec<Stmt>> {
        let header = self.previous();
        self.expect(Kind::Colon)?;
        let mut body = Vec::new();
        if !self.next_if(Kind::Newline) {
            self.simple_line(&mut body)?;
            return Ok(body);
        }
        if self.cur() != Kind::Indent {
            let (line, _) = crate::source::line_column(self.text, header.start);
            return Err((self.token().span(), format!("expected an indented block for the statement on line {line}")));
        }
        self.next();
        while !self.next_if(Kind::Dedent) {
            if self.cur() == Kind::End {
                break;
            }
            self.statement(&mut body)?;
        }
        Ok(body)
    }

    fn inner_block(&mut self) -> Result<Vec<Stmt>> {
        self.nested_statement(Self::block)
    }

    /// The body of a loop.
    fn loop_block(&mut self) -> Result<Vec<Stmt>> {
        let outer = std::mem::replace(&mut self.context.in_loop, true);
        let body = self.inner_block();
        self.context.in_loop = outer;
        body
    }

    fn else_block(&mut self) -> Result<Vec<Stmt>> {
        if self.next_if(Kind::Else) { self.inner_block() } else { Ok(Vec::new()) }
    }

    /// From `if` or `elif`.
    fn if_statement(&mut self) -> Result<Stmt> {
        let word = self.next();
        let condition = self.named()?;
        let mut span = match self.dialect {
            Dialect::Archive if word.kind == Kind::Elif => condition.span,
            _ => merge(word.span(), condition.span),
        };
        let then = self.inner_block()?;
        if self.dialect == Dialect::Archive {
            // PyTorch's parser lets an `if` reach to what follows its first block.
            span = merge(span, self.token().span());
        }
        let otherwise = match self.cur() {
            Kind::Elif => vec![self.nested_statement(Self::if_statement)?],
            _ => self.else_block()?,
        };
        span = reach(reach(span, &then), &otherwise);
        Ok(Stmt { kind: StmtKind::If { condition, then, otherwise }, span })
    }

    fn while_statement(&mut self) -> Result<Stmt> {
        let word = self.next();
        let condition = self.named()?;
        let body = self.loop_block()?;
        let otherwise = self.else_block()?;
        let span = reach(reach(merge(word.span(), condition.span), &body), &otherwise);
        Ok(Stmt { kind: StmtKind::While { condition, body, otherwise }, span })
    }

    fn for_statement(&mut self) -> Result<Stmt> {
        let word = self.next();
        let target = self.loop_targets()?;
        self.expect(Kind::In)?;
        let iter = self.expressions()?;
        let body = self.loop_block()?;
        let otherwise = self.else_block()?;
        let span = merge(merge(word.span(), target.span), iter.span);
        let span = reach(reach(span, &body), &otherwise);
        Ok(Stmt { kind: StmtKind::For { target, iter, body, otherwise }, span })
    }

    fn with_statement(&mut self) -> Result<Stmt> {
        let word = self.next();
        let bracketed = self.cur() == Kind::LParen && self.with_items_are_bracketed();
        if bracketed {
            self.next();
        }
        let mut items = Vec::new();
        loop {
            items.push(self.with_item()?);
            if !self.next_if(Kind::Comma) || (bracketed && self.cur() == Kind::RParen) {
                break;
            }
        }
        if bracketed {
            self.expect(Kind::RParen)?;
        }
        let body = self.inner_block()?;
        let span = reach(items.iter().fold(word.span(), |span, item| merge(span, item.span)), &body);
        Ok(Stmt { kind: StmtKind::With { items, body }, span })
    }

    /// `with (a as b, c):` has its items between brackets if the bracket closes before the colon and holds `as`, or a comma.
    fn with_items_are_bracketed(&self) -> bool {
        let mut depth = 0usize;
        let mut separated = false;
        for token in self.following() {
            match token.kind {
                Kind::LParen | Kind::LBracket | Kind::LBrace => depth += 1,
                Kind::RParen | Kind::RBracket | Kind::RBrace => depth = depth.saturating_sub(1),
                Kind::As | Kind::Comma if depth == 1 => separated = true,
                Kind::Newline | Kind::End => return false,
                _ if depth == 0 => return separated && token.kind == Kind::Colon,
                _ => {}
            }
        }
        false
    }

    fn with_item(&mut self) -> Result<WithItem> {
        let start = self.token();
        let context = self.expression()?;
        let as_word = self.token();
        let mut target = None;
        if self.next_if(Kind::As) {
            let value = self.operators_of_target()?;
            self.check_target(&value)?;
            target = Some(value);
        }
        let around = match self.dialect {
            // PyTorch's Python frontend takes as many characters as its own name of the statement has.
            Dialect::Python => start.head("with statements".len(), self.text),
            Dialect::Archive if target.is_some() => as_word.span(),
            Dialect::Archive => context.span,
        };
        let span = target.iter().fold(merge(around, context.span), |span, t| merge(span, t.span));
        Ok(WithItem { context, target, span })
    }

    fn operators_of_target(&mut self) -> Result<Expr> {
        if self.cur() == Kind::Star { self.starred_or_named() } else { self.operators(super::expression::COMPARISON) }
    }

    fn try_statement(&mut self) -> Result<Stmt> {
        let word = self.next();
        let body = self.inner_block()?;
        let mut handlers = Vec::new();
        let mut span = reach(word.span(), &body);
        while self.next_if(Kind::Except) {
            if let Some(Handler { class: None, .. }) = handlers.last() {
                return Err((self.previous().span(), "default 'except:' must be last".to_owned()));
            }
            let (mut class, mut name) = (None, None);
            if begins_expression(self.cur()) {
                class = Some(self.expressions()?);
                if self.next_if(Kind::As) {
                    name = Some(self.identifier()?);
                }
            }
            let body = self.inner_block()?;
            span = reach(span, &body);
            handlers.push(Handler { class, name, body });
        }
        let otherwise = if handlers.is_empty() { Vec::new() } else { self.else_block()? };
        let finally = if self.next_if(Kind::Finally) { self.inner_block()? } else { Vec::new() };
        if handlers.is_empty() && finally.is_empty() {
            return Err(self.expected("`except` or `finally`"));
        }
        span = reach(reach(span, &otherwise), &finally);
        Ok(Stmt { kind: StmtKind::Try { body, handlers, otherwise, finally }, span })
    }

    fn simple(&mut self) -> Result<Stmt> {
        let word = self.token();
        match word.kind {
            Kind::Return => self.return_statement(),
            Kind::Raise => self.raise(),
            Kind::Assert => self.assert(),
            Kind::Del => self.delete(),
            Kind::Import => self.import(),
            Kind::From => self.import_from(),
            Kind::Global | Kind::Nonlocal => self.outer_names(),
            Kind::Pass => Ok(self.one_word(StmtKind::Pass)),
            Kind::Break if self.context.in_loop => Ok(self.one_word(StmtKind::Break)),
            Kind::Continue if self.context.in_loop => Ok(self.one_word(StmtKind::Continue)),
            Kind::Break => Err((word.span(), "'break' outside loop".to_owned())),
            Kind::Continue => Err((word.span(), "'continue' not properly in loop".to_owned())),
            _ => self.expression_statement(),
        }
    }

    fn one_word(&mut self, kind: StmtKind) -> Stmt {
        let span = self.next().span();
        Stmt { kind, span }
    }

    fn return_statement(&mut self) -> Result<Stmt> {
        let word = self.next();
        if !self.context.in_function {
            return Err((word.span(), "'return' outside function".to_owned()));
        }
        let value = if begins_expression(self.cur()) { Some(self.expressions()?) } else { None };
        let span = value.iter().fold(word.span(), |span, v| merge(span, v.span));
        Ok(Stmt { kind: StmtKind::Return(value), span })
    }

    fn raise(&mut self) -> Result<Stmt> {
        let word = self.next();
        let exception = if begins_expression(self.cur()) { Some(self.expression()?) } else { None };
        let cause = match exception {
            Some(_) if self.next_if(Kind::From) => Some(self.expression()?),
            _ => None,
        };
        // The cause is no part of PyTorch's tree.
        let span = exception.iter().fold(word.span(), |span, e| merge(span, e.span));
        Ok(Stmt { kind: StmtKind::Raise { exception, cause }, span })
    }

    fn assert(&mut self) -> Result<Stmt> {
        let word = self.next();
        let test = self.expression()?;
        let message = if self.next_if(Kind::Comma) { Some(self.expression()?) } else { None };
        let span = message.iter().fold(merge(word.span(), test.span), |span, m| merge(span, m.span));
        Ok(Stmt { kind: StmtKind::Assert { test, message }, span })
    }

    fn delete(&mut self) -> Result<Stmt> {
        let word = self.next();
        let mut targets = vec![self.starred_or_named()?];
        while self.next_if(Kind::Comma) && begins_expression(self.cur()) {
            targets.push(self.starred_or_named()?);
        }
        for target in &targets {
            self.check_target(target).map_err(|(span, message)| (span, message.replace("assign to", "delete")))?;
        }
        let span = targets.iter().fold(word.span(), |span, t| merge(span, t.span));
        Ok(Stmt { kind: StmtKind::Delete(targets), span })
    }

    fn import(&mut self) -> Result<Stmt> {
        let word = self.next();
        let mut names = vec![self.alias()?];
        while self.next_if(Kind::Comma) {
            names.push(self.alias()?);
        }
        Ok(Stmt { kind: StmtKind::Import(names), span: merge(word.span(), self.previous().span()) })
    }

    fn alias(&mut self) -> Result<Alias> {
        let path = self.dotted()?;
        let name = if self.next_if(Kind::As) { Some(self.identifier()?) } else { None };
        Ok(Alias { path, name })
    }

    fn dotted(&mut self) -> Result<Vec<Ident>> {
        let mut path = vec![self.identifier()?];
        while self.next_if(Kind::Dot) {
            path.push(self.identifier()?);
        }
        Ok(path)
    }

    fn import_from(&mut self) -> Result<Stmt> {
        let word = self.next();
        let mut level = 0;
        loop {
            match self.cur() {
                Kind::Dot => level += 1,
                Kind::Dots => level += 3,
                _ => break,
            }
            self.next();
        }
        let module = if level > 0 && self.cur() == Kind::Import { Vec::new() } else { self.dotted()? };
        self.expect(Kind::Import)?;
        let names = self.imported_names()?;
        let span = merge(word.span(), self.previous().span());
        Ok(Stmt { kind: StmtKind::ImportFrom { level, module, names }, span })
    }

    fn imported_names(&mut self) -> Result<Vec<Alias>> {
        if self.cur() == Kind::Star {
            let star = self.next();
            let path = vec![Ident::new("*", star.span())];
            return Ok(vec![Alias { path, name: None }]);
        }
        let bracketed = self.next_if(Kind::LParen);
        let mut names = Vec::new();
        loop {
            let path = vec![self.identifier()?];
            let name = if self.next_if(Kind::As) { Some(self.identifier()?) } else { None };
            names.push(Alias { path, name });
            if !self.next_if(Kind::Comma) || (bracketed && self.cur() == Kind::RParen) {
                break;
            }
        }
        if bracketed {
            self.expect(Kind::RParen)?;
        }
        Ok(names)
    }

    fn outer_names(&mut self) -> Result<Stmt> {
        let word = self.next();
        let mut names = vec![self.identifier()?];
        while self.next_if(Kind::Comma) {
            names.push(self.identifier()?);
        }
        let span = names.iter().fold(word.span(), |span, n| merge(span, n.span));
        let kind = if word.kind == Kind::Global { StmtKind::Global(names) } else { StmtKind::Nonlocal(names) };
        Ok(Stmt { kind, span })
    }

    /// An expression, or an assignment of one of the three kinds.
    fn expression_statement(&mut self) -> Result<Stmt> {
        let place = self.token();
        let first = self.yield_or_expressions()?;
        match self.cur() {
            Kind::Assign => self.assignment(first),
            Kind::Colon => self.annotated(first, place),
            kind => match augmented(kind) {
                Some(op) => self.augmented_assignment(first, op),
                None => {
                    let span = first.span;
                    Ok(Stmt { kind: StmtKind::Expr(first), span })
                }
            },
        }
    }

    fn assignment(&mut self, first: Expr) -> Result<Stmt> {
        let mut span = first.span;
        let mut targets = Vec::new();
        let mut value = first;
        while self.next_if(Kind::Assign) {
            self.check_target(&value)?;
            targets.push(value);
            value = self.yield_or_expressions()?;
            span = merge(span, value.span);
        }
        let type_comment = self.commented_type(self.position(), self.position())?;
        Ok(Stmt { kind: StmtKind::Assign { targets, value, type_comment }, span })
    }

    fn annotated(&mut self, target: Expr, place: Token) -> Result<Stmt> {
        match &target.kind {
            ExprKind::Var(_) | ExprKind::Select(..) | ExprKind::Subscript(..) => {}
            ExprKind::Tuple(_) => {
                return Err((target.span, "only single target (not tuple) can be annotated".to_owned()));
            }
            ExprKind::List(_) => {
                return Err((target.span, "only single target (not list) can be annotated".to_owned()));
            }
            _ => return Err((place.span(), "illegal target for annotation".to_owned())),
        }
        self.expect(Kind::Colon)?;
        let annotation = self.expression()?;
        let value = if self.next_if(Kind::Assign) { Some(self.yield_or_expressions()?) } else { None };
        let span = value.iter().fold(merge(target.span, annotation.span), |span, v| merge(span, v.span));
        Ok(Stmt { kind: StmtKind::AnnAssign { target, annotation, value }, span })
    }

    fn augmented_assignment(&mut self, target: Expr, op: BinaryOp) -> Result<Stmt> {
        if !matches!(target.kind, ExprKind::Var(_) | ExprKind::Select(..) | ExprKind::Subscript(..)) {
            let what = describe(&target.kind);
            return Err((target.span, format!("'{what}' is an illegal expression for augmented assignment")));
        }
        self.next();
        let value = self.yield_or_expressions()?;
        let span = merge(target.span, value.span);
        Ok(Stmt { kind: StmtKind::AugAssign { target, op, value }, span })
    }

    /// Refuses what cannot be assigned to, in Python's words.
    pub(super) fn check_target(&self, target: &Expr) -> Result<()> {
        match &target.kind {
            ExprKind::Var(_) | ExprKind::Select(..) | ExprKind::Subscript(..) => Ok(()),
            ExprKind::Starred(value) => self.check_target(value),
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                let starred = items.iter().filter(|i| matches!(i.kind, ExprKind::Starred(_))).count();
                if starred > 1 {
                    return Err((target.span, "multiple starred expressions in assignment".to_owned()));
                }
                items.iter().try_for_each(|item| self.check_target(item))
            }
            kind => {
                let span = Span { start: target.span.start, end: target.span.end.max(target.span.start + 1) };
                Err((span, format!("cannot assign to {}", describe(kind))))
            }
        }
    }
}

/// Python's name for what is no target.
fn describe(kind: &ExprKind) -> &'static str {
    match kind {
        ExprKind::Number(_) | ExprKind::Str(_) | ExprKind::Unsupported("bytes", _) => "literal",
        ExprKind::FString(_) => "f-string expression",
        ExprKind::True => "True",
        ExprKind::False => "False",
        ExprKind::None => "None",
        ExprKind::Ellipsis => "ellipsis",
        ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::And(..) | ExprKind::Or(..) => "expression",
        ExprKind::Compare(..) => "comparison",
        ExprKind::IfExp { .. } => "conditional expression",
        ExprKind::Apply(_) => "function call",
        ExprKind::Dict(_) => "dict literal",
        ExprKind::Set(_) => "set display",
        ExprKind::ListComp(_) => "list comprehension",
        ExprKind::GeneratorExp(_) => "generator expression",
        ExprKind::SetComp(_) => "set comprehension",
        ExprKind::DictComp(..) => "dict comprehension",
        ExprKind::Lambda(_) => "lambda",
        ExprKind::Named(..) => "named expression",
        ExprKind::Unsupported("await", _) => "await expression",
        ExprKind::Unsupported("match", _) => "match statement",
        ExprKind::Unsupported(..) => "yield expression",
        ExprKind::Var(_) => "name",
        ExprKind::Select(..) => "attribute",
        ExprKind::Subscript(..) => "subscript",
        ExprKind::Tuple(_) => "tuple",
        ExprKind::List(_) => "list",
        ExprKind::Starred(_) => "starred",
    }
}
