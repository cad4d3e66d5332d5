//! Functions and classes: parameters, types in annotations and in `# type:` comments, and the lines a definition owns.

use super::Dialect;
use super::lexer::TypeComment;
use super::parser::{Context, Parser, Result};
use super::range::merge;
use super::token::{Kind, Token};
use super::tree::*;
use crate::Span;
use std::collections::HashSet;

/// `(int, str) -> Tensor`, or `(...) -> Tensor` where each parameter has its own comment.
struct Signature {
    params: Vec<Expr>,
    returns: Option<Expr>,
    /// Where the first type stands in the comment, from its `#` on.
    first: u32,
}

/// The types that stand for "each parameter has its own".
fn ellipsis() -> Expr {
    Expr { kind: ExprKind::Ellipsis, span: Span::default() }
}

impl Parser<'_> {
    /// Decorators, then a function or a class.
    pub(super) fn decorated(&mut self) -> Result<Stmt> {
        let start = self.token();
        let mut decorators = Vec::new();
        while self.next_if(Kind::At) {
            decorators.push(self.named()?);
            self.expect(Kind::Newline)?;
        }
        match self.cur() {
            Kind::Class => self.class(decorators, start),
            Kind::Def | Kind::Async => self.function(decorators, start),
            _ => Err(self.expected("a function or a class after its decorators")),
        }
    }

    pub(super) fn function(&mut self, decorators: Vec<Expr>, start: Token) -> Result<Stmt> {
        let word = self.token();
        let is_async = self.next_if(Kind::Async);
        self.expect(Kind::Def)?;
        let mut name = self.identifier()?;
        let mut span = match self.dialect {
            // PyTorch's Python frontend gives the word's range to the name.
            Dialect::Python => {
                name.span = word.head(if is_async { "async def" } else { "def" }.len(), self.text);
                name.span
            }
            Dialect::Archive => merge(name.span, self.token().span()),
        };
        self.expect(Kind::LParen)?;
        let (mut params, own_types) = self.annotated_parameters()?;
        self.expect(Kind::RParen)?;
        let mut returns = if self.next_if(Kind::Arrow) { Some(self.expression()?) } else { None };
        if self.dialect == Dialect::Archive {
            span = merge(span, self.token().span());
        }
        let is_method = self.context.in_class;
        let outer = std::mem::replace(&mut self.context, Context { in_function: true, ..Context::default() });
        let block = self.definition_body();
        self.context = outer;
        let (body, docstring, body_span, comments) = block?;
        let signature = self.signature(&comments);
        let type_comment = signature.is_some();
        let signature_alone = Signature { params: vec![ellipsis()], returns: None, first: u32::MAX };
        let signature = signature.unwrap_or(Ok(signature_alone));
        let first = signature.as_ref().map_or(u32::MAX, |signature| signature.first);
        let merged =
            signature.and_then(|signature| merge_types(&mut params, own_types, signature, &mut returns, is_method));
        let type_comment_problem = merged.err();
        span = params.iter().fold(span, |span, p| merge(span, p.span()));
        span = returns.iter().fold(merge(span, body_span), |span, r| merge(span, r.span));
        let source = self.definition_lines(start, body_span);
        if self.dialect == Dialect::Python {
            // PyTorch parses the comment alone, and takes the place in it for one in the function.
            span.start = span.start.min(source.start.saturating_add(first));
        }
        let def = Def {
            name,
            decorators,
            params,
            returns,
            body,
            type_comment,
            type_comment_problem,
            is_async,
            docstring,
            span,
            source,
        };
        Ok(Stmt { kind: StmtKind::Def(Box::new(def)), span })
    }

    pub(super) fn class(&mut self, decorators: Vec<Expr>, start: Token) -> Result<Stmt> {
        let word = self.expect(Kind::Class)?;
        let mut name = self.identifier()?;
        if self.dialect == Dialect::Python {
            name.span = word.span();
        }
        let (mut bases, mut keywords) = (Vec::new(), Vec::new());
        if self.next_if(Kind::LParen) {
            while self.cur() != Kind::RParen {
                if self.cur() == Kind::Pow || (self.cur() == Kind::Name && self.lookahead() == Kind::Assign) {
                    keywords.push(self.keyword()?);
                } else {
                    bases.push(self.starred_or_named()?);
                }
                if !self.next_if(Kind::Comma) {
                    break;
                }
            }
            self.expect(Kind::RParen)?;
        }
        let outer = std::mem::replace(&mut self.context, Context { in_class: true, ..Context::default() });
        let block = self.definition_body();
        self.context = outer;
        let (body, docstring, body_span, _) = block?;
        let span = merge(merge(word.span(), name.span), body_span);
        let source = self.definition_lines(start, body_span);
        let class = ClassDef { name, decorators, bases, keywords, body, docstring, span, source };
        Ok(Stmt { kind: StmtKind::Class(Box::new(class)), span })
    }

    /// A body, its docstring taken out, its range, and the `# type:` comments where a signature may stand.
    fn definition_body(&mut self) -> Result<(Vec<Stmt>, Option<Vec<u8>>, Span, Vec<TypeComment>)> {
        let from = self.position() + 1;
        let block = self.cur() == Kind::Colon && self.lookahead() == Kind::Newline;
        let mut body = self.nested_statement(Self::block)?;
        // The newline, the indentation, the first statement's first token; of a function on one line, its newline.
        let mut to = if block { from + 2 } else { self.position().saturating_sub(1) };
        let body_span =
            body.iter().skip(1).fold(body.first().map_or(self.place(), |s| s.span), |a, s| merge(a, s.span));
        let docstring = match body.first() {
            Some(Stmt { kind: StmtKind::Expr(Expr { kind: ExprKind::Str(_), .. }), .. }) => match body.remove(0).kind {
                StmtKind::Expr(Expr { kind: ExprKind::Str(text), .. }) => Some(text),
                _ => None,
            },
            _ => None,
        };
        if docstring.is_some() && block {
            // A comment may also stand after the docstring, which is one token or several and a newline.
            to = self.after_first_line(from + 2);
        }
        Ok((body, docstring, body_span, self.type_comments(from, to).to_vec()))
    }

    /// The signature that one of the comments gives, if one does.
    fn signature(&mut self, comments: &[TypeComment]) -> Option<std::result::Result<Signature, TypeCommentProblem>> {
        let comment = *comments.iter().find(|c| self.comment_text(c).starts_with('('))?;
        let range = comment.span.start as usize..comment.span.end as usize;
        let read = self.part(range, |p| {
            p.signature_sign(Kind::LParen)?;
            let mut params = Vec::new();
            while p.cur() != Kind::RParen {
                params.push(p.starred_or_named()?);
                if !p.next_if(Kind::Comma) {
                    break;
                }
            }
            p.signature_sign(Kind::RParen)?;
            let returns = if p.next_if(Kind::Arrow) { Some(p.expressions()?) } else { None };
            Ok((params, returns))
        });
        let hash = self.text[..comment.span.start as usize].rfind('#').unwrap_or(0);
        let read = read.map(|(params, returns)| {
            let alone = !matches!(params.as_slice(), [Expr { kind: ExprKind::Ellipsis, .. }]);
            let first = params.first().or(returns.as_ref()).filter(|_| alone);
            let first = first.map_or(u32::MAX, |ty| ty.span.start - hash as u32);
            Signature { params, returns, first }
        });
        Some(read.map_err(|(span, message)| {
            let start = hash;
            let line = self.text[start..comment.span.end as usize].trim_end().to_owned();
            let place = Span::new(span.start as usize - start, span.end as usize - start);
            TypeCommentProblem::Syntax { message, line, place }
        }))
    }

    /// A sign of a signature, missed in the words of PyTorch's parser.
    fn signature_sign(&mut self, sign: Kind) -> Result<()> {
        if self.next_if(sign) {
            return Ok(());
        }
        let found = match self.cur() {
            Kind::Arrow => "arrow",
            Kind::Name => "ident",
            Kind::Number(_) => "number",
            Kind::Str => "string_literal",
            Kind::End => "eof",
            kind => kind.describe().trim_matches('`'),
        };
        let wanted = sign.describe().trim_matches('`');
        Err((self.token().span(), format!("expected {wanted} but found '{found}' here")))
    }

    fn comment_text(&self, comment: &TypeComment) -> &str {
        self.text.get(comment.span.start as usize..comment.span.end as usize).unwrap_or_default().trim()
    }

    /// The type that a comment between the tokens numbered `from` and `to` gives.
    pub(super) fn commented_type(&mut self, from: usize, to: usize) -> Result<Option<Expr>> {
        let Some(&comment) = self.type_comments(from, to).first() else { return Ok(None) };
        let range = comment.span.start as usize..comment.span.end as usize;
        self.part(range, Self::expressions).map(Some)
    }

    /// Parameters up to the closing bracket, and the types their comments give.
    fn annotated_parameters(&mut self) -> Result<(Vec<Param>, Vec<Option<Expr>>)> {
        let from = self.position();
        let params = self.parameters(Kind::RParen)?;
        let mut types: Vec<Option<Expr>> = params.iter().map(|_| None).collect();
        let comments = self.type_comments(from, self.position()).to_vec();
        for comment in comments {
            // A comment speaks of the parameter whose name stands before it.
            let index = params.partition_point(|p| p.name.span.start < comment.span.start);
            let range = comment.span.start as usize..comment.span.end as usize;
            if let Some(slot) = index.checked_sub(1).and_then(|i| types.get_mut(i)) {
                *slot = Some(self.part(range, Self::expressions)?);
            }
        }
        Ok((params, types))
    }

    /// Parameters before `end`: a closing bracket, or the colon of a lambda, whose parameters have no types.
    pub(super) fn parameters(&mut self, end: Kind) -> Result<Vec<Param>> {
        let mut params = Vec::<Param>::new();
        let mut names = HashSet::new();
        let mut kind = ParamKind::Plain;
        let mut tallest = 0;
        while self.cur() != end {
            let place = self.token();
            match place.kind {
                Kind::Slash => {
                    self.next();
                    if params.is_empty() || params.iter().any(|p| p.kind != ParamKind::Plain) {
                        return Err((place.span(), "`/` stands once, after parameters and before `*`".to_owned()));
                    }
                    params.iter_mut().for_each(|p| p.kind = ParamKind::PositionalOnly);
                }
                Kind::Star if matches!(self.lookahead(), Kind::Comma) || self.lookahead() == end => {
                    self.next();
                    if kind != ParamKind::Plain {
                        return Err((place.span(), "`*` stands once".to_owned()));
                    }
                    if self.lookahead() == end || self.cur() == end {
                        return Err((place.span(), "named arguments must follow bare *".to_owned()));
                    }
                    kind = ParamKind::KeywordOnly;
                }
                _ => {
                    let param = self.parameter(kind, end)?;
                    tallest = tallest.max(self.height);
                    self.check_parameter(&param, params.last(), &mut names)?;
                    if param.kind == ParamKind::Rest {
                        if kind != ParamKind::Plain {
                            return Err((place.span(), "`*` stands once".to_owned()));
                        }
                        kind = ParamKind::KeywordOnly;
                    }
                    params.push(param);
                }
            }
            if !self.next_if(Kind::Comma) {
                break;
            }
        }
        self.height = tallest;
        Ok(params)
    }

    fn parameter(&mut self, kind: ParamKind, end: Kind) -> Result<Param> {
        self.height = 0;
        let kind = if self.next_if(Kind::Star) {
            ParamKind::Rest
        } else if self.next_if(Kind::Pow) {
            ParamKind::Keywords
        } else {
            kind
        };
        let name = self.identifier()?;
        let mut tallest = 0;
        let mut annotation = None;
        if end == Kind::RParen && self.next_if(Kind::Colon) {
            annotation = Some(if kind == ParamKind::Rest { self.starred_or_named()? } else { self.expression()? });
            tallest = self.height;
        }
        let mut default = None;
        if self.next_if(Kind::Assign) {
            if matches!(kind, ParamKind::Rest | ParamKind::Keywords) {
                return Err((self.place(), "a parameter for the rest cannot have a default value".to_owned()));
            }
            default = Some(self.expression()?);
            tallest = tallest.max(self.height);
        }
        self.height = tallest;
        Ok(Param { name, annotation, default, kind })
    }

    fn check_parameter(&self, param: &Param, before: Option<&Param>, names: &mut HashSet<String>) -> Result<()> {
        let problem = |message: String| Err((param.name.span, message));
        if !names.insert(param.name.name.clone()) {
            return problem(format!("duplicate argument '{}' in function definition", param.name.name));
        }
        let Some(before) = before else { return Ok(()) };
        if before.kind == ParamKind::Keywords {
            return problem("arguments cannot follow var-keyword argument".to_owned());
        }
        let positional = |p: &Param| matches!(p.kind, ParamKind::Plain | ParamKind::PositionalOnly);
        if positional(param) && positional(before) && before.default.is_some() && param.default.is_none() {
            return problem("non-default argument follows default argument".to_owned());
        }
        Ok(())
    }

    /// The lines of a definition as Python's `inspect` finds them: from its first decorator's to its last, with the comments after it that are
    /// indented like its body.
    fn definition_lines(&self, start: Token, body: Span) -> Span {
        let text = self.text;
        if self.dialect == Dialect::Archive {
            // PyTorch's parser reads files, not functions.
            return Span::new(0, text.len());
        }
        let line_start = |at: usize| text[..at].rfind('\n').map_or(0, |i| i + 1);
        let line_end = |at: usize| text[at..].find('\n').map_or(text.len(), |i| at + i + 1);
        let first = line_start(start.start as usize);
        let last_token = self.last_before_newlines();
        let mut end = line_end(last_token.end as usize);
        let body_start = (body.start as usize).min(text.len());
        let body_line = line_start(body_start);
        let column = text[body_line..].bytes().take_while(|b| *b == b' ').count();
        if body_line <= line_start(start.start as usize) || body_start != body_line + column {
            return Span::new(first, end);
        }
        let mut at = end;
        while at < text.len() {
            let next = line_end(at);
            let line = &text[at..next];
            let trimmed = line.trim_start();
            if trimmed.starts_with('#') {
                if line.len() - trimmed.len() >= column {
                    end = next;
                }
            } else if !trimmed.is_empty() {
                break;
            }
            at = next;
        }
        Span::new(first, end)
    }
}

/// Gives the parameters the types of a signature's comment.
fn merge_types(
    params: &mut [Param],
    own: Vec<Option<Expr>>,
    signature: Signature,
    returns: &mut Option<Expr>,
    is_method: bool,
) -> std::result::Result<(), TypeCommentProblem> {
    *returns = signature.returns.or(returns.take());
    if let [Expr { kind: ExprKind::Ellipsis, .. }] = signature.params.as_slice() {
        for (param, ty) in params.iter_mut().zip(own) {
            param.annotation = param.annotation.take().or(ty);
        }
        return Ok(());
    }
    let expected = params.len().saturating_sub(usize::from(is_method));
    let given = signature.params.len();
    // A static method has no `self`.
    let skipped = if given == expected { params.len() - expected } else { 0 };
    if given + skipped != params.len() {
        return Err(TypeCommentProblem::Count { given, expected, is_method });
    }
    for (param, ty) in params.iter_mut().skip(skipped).zip(signature.params) {
        param.annotation = Some(ty);
    }
    Ok(())
}

impl Param {
    /// The parameter's range: its name and its type.
    pub fn span(&self) -> Span {
        self.annotation.iter().fold(self.name.span, |span, annotation| merge(span, annotation.span))
    }
}
