//! Expressions: to what they stand for, and to values of the graph.

use super::builtins;
use super::function::Emitter;
use super::matching::tuple_members;
use super::{Named, Result, Sugared};
use crate::graph::{Loc, ValueId};
use sconce_schema::Type;
use sconce_syntax::Span;
use sconce_syntax::script::tree::{BinaryOp, CompareOp, Expr, ExprKind, FPart, Number, NumberKind, UnaryOp};
use sconce_tensor::IValue;
use std::rc::Rc;

/// An operator's spelling.
pub(super) fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::FloorDiv => "//",
        BinaryOp::Mod => "%",
        BinaryOp::Pow => "**",
        BinaryOp::MatMul => "@",
        BinaryOp::LShift => "<<",
        BinaryOp::RShift => ">>",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
    }
}

/// The operator of aten and, where classes may define it, the magic method.
fn binary_operator(op: BinaryOp) -> (&'static str, Option<&'static str>) {
    match op {
        BinaryOp::Add => ("aten::add", Some("__add__")),
        BinaryOp::Sub => ("aten::sub", Some("__sub__")),
        BinaryOp::Mul => ("aten::mul", Some("__mul__")),
        BinaryOp::Div => ("aten::div", Some("__truediv__")),
        BinaryOp::FloorDiv => ("aten::floordiv", None),
        BinaryOp::Mod => ("aten::remainder", Some("__mod__")),
        BinaryOp::Pow => ("aten::pow", Some("__pow__")),
        BinaryOp::MatMul => ("aten::matmul", None),
        BinaryOp::LShift => ("aten::__lshift__", Some("__lshift__")),
        BinaryOp::RShift => ("aten::__rshift__", Some("__rshift__")),
        BinaryOp::BitAnd => ("aten::__and__", Some("__and__")),
        BinaryOp::BitOr => ("aten::__or__", Some("__or__")),
        BinaryOp::BitXor => ("aten::__xor__", Some("__xor__")),
    }
}

fn comparison(op: CompareOp) -> (&'static str, &'static str) {
    match op {
        CompareOp::Eq => ("aten::eq", "__eq__"),
        CompareOp::Ne => ("aten::ne", "__ne__"),
        CompareOp::Lt => ("aten::lt", "__lt__"),
        CompareOp::Le => ("aten::le", "__le__"),
        CompareOp::Gt => ("aten::gt", "__gt__"),
        CompareOp::Ge => ("aten::ge", "__ge__"),
        CompareOp::In | CompareOp::NotIn => ("aten::__contains__", "__contains__"),
        CompareOp::Is => ("aten::__is__", "__is__"),
        CompareOp::IsNot => ("aten::__isnot__", "__isnot__"),
    }
}

impl Emitter<'_> {
    /// An expression's value.
    pub fn expression(&mut self, e: &Expr) -> Result<ValueId> {
        self.expression_hinted(e, None)
    }

    /// An expression's value where one of a type is expected; whether it has that type is for the caller to ask.
    pub(super) fn expression_hinted(&mut self, e: &Expr, hint: Option<&Type>) -> Result<ValueId> {
        self.pending(e.span);
        let sugared = self.sugared(e, hint)?;
        let place = self.at(e.span);
        let value = self.as_value(&sugared, &place)?;
        if hint == Some(&Type::Any) && *self.ty(value) != Type::Any {
            return Ok(self.unchecked_cast(value, Type::Any));
        }
        Ok(value)
    }

    /// What an expression stands for.
    pub fn sugared(&mut self, e: &Expr, hint: Option<&Type>) -> Result<Sugared> {
        let sugared = self.deeper(e.span, |this| this.sugared_inner(e, hint))?;
        self.note_meaning(&self.at(e.span), &sugared);
        Ok(sugared)
    }

    /// The same, where a number of targets take its parts.
    pub(super) fn sugared_binding(&mut self, e: &Expr, _binders: usize) -> Result<Sugared> {
        self.sugared(e, None)
    }

    fn sugared_inner(&mut self, e: &Expr, hint: Option<&Type>) -> Result<Sugared> {
        let place = self.at(e.span);
        match &e.kind {
            ExprKind::Var(name) => self.resolve(&name.name, &place),
            ExprKind::Select(value, name) => {
                let object = self.sugared(value, None)?;
                self.attr(&object, &place, &name.name)
            }
            ExprKind::Apply(apply) => self.apply(e.span, apply, hint),
            ExprKind::Subscript(value, items) => self.subscript(e.span, value, items, hint),
            ExprKind::GeneratorExp(c) | ExprKind::ListComp(c) => {
                self.list_comprehension(e.span, c, hint).map(Sugared::Value)
            }
            _ => self.simple(e, hint, &place).map(Sugared::Value),
        }
    }

    fn simple(&mut self, e: &Expr, hint: Option<&Type>, place: &Loc) -> Result<ValueId> {
        match &e.kind {
            ExprKind::Number(n) => self.number(n, false, place),
            ExprKind::Str(text) => self.text(text, place),
            ExprKind::FString(parts) => self.f_string(parts, place),
            ExprKind::True => Ok(self.constant(IValue::Bool(true), Some(place))),
            ExprKind::False => Ok(self.constant(IValue::Bool(false), Some(place))),
            ExprKind::None => Ok(self.constant(IValue::None, Some(place))),
            ExprKind::Unary(UnaryOp::Not, _) | ExprKind::And(..) | ExprKind::Or(..) => {
                self.condition(e).map(|c| c.value)
            }
            ExprKind::Unary(op, operand) => self.unary(place, *op, operand),
            ExprKind::Binary(op, a, b) => self.binary(place, *op, a, b),
            ExprKind::Compare(first, rest) => self.compare(e, first, rest),
            ExprKind::IfExp { condition, then, otherwise } => {
                let condition = self.condition(condition)?;
                match condition.known {
                    Some(true) => self.expression_hinted(then, hint),
                    Some(false) => self.expression_hinted(otherwise, hint),
                    None => self.if_expression(
                        e.span,
                        &condition,
                        |this| this.expression_hinted(then, hint),
                        |this| this.expression_hinted(otherwise, hint),
                    ),
                }
            }
            ExprKind::List(items) => self.list_literal(e.span, items, hint),
            ExprKind::Tuple(items) => {
                let values: Vec<ValueId> = self.arguments(items)?.into_iter().map(|n| n.value).collect();
                Ok(self.tuple(&values))
            }
            ExprKind::Dict(items) => self.dict_literal(e.span, items, hint),
            ExprKind::DictComp(key, c) => self.dict_comprehension(e.span, key, c, hint),
            ExprKind::Starred(_) => Err(self.error(place, "Unexpected starred expansion. File a bug report")),
            ExprKind::Ellipsis => Err(self.error(place, "Cannot emit expr for: (dots)\n")),
            ExprKind::Set(_) => self.unsupported(e.span, "Set"),
            ExprKind::SetComp(_) => self.unsupported(e.span, "SetComp"),
            ExprKind::Lambda(_) => self.unsupported(e.span, "Lambda"),
            ExprKind::Named(..) => self.unsupported(e.span, "NamedExpr"),
            ExprKind::Unsupported(word, _) => self.unsupported(e.span, &capitalized(word)),
            ExprKind::Var(_)
            | ExprKind::Select(..)
            | ExprKind::Apply(_)
            | ExprKind::Subscript(..)
            | ExprKind::GeneratorExp(_)
            | ExprKind::ListComp(_) => {
                let sugared = self.sugared(e, hint)?;
                self.as_value(&sugared, place)
            }
        }
    }

    // -- literals

    fn number(&mut self, n: &Number, negative: bool, place: &Loc) -> Result<ValueId> {
        let sign = if negative { "-" } else { "" };
        let digits: String = sign.chars().chain(n.text.chars()).filter(|c| *c != '_').collect();
        let bad = |this: &Self| this.error(place, format!("'{}' is no number", n.text));
        match n.kind {
            NumberKind::Int => match parse_int(&digits) {
                Some(i) => Ok(self.number_constant(IValue::Int(i), place)),
                None => Err(self.error(place, "Integral constant out of range (must fit in a signed 64 bit integer)")),
            },
            NumberKind::Float => {
                let value: f64 = digits.parse().map_err(|_| bad(self))?;
                Ok(self.number_constant(IValue::Double(value), place))
            }
            NumberKind::Imaginary => {
                let value: f64 = digits.trim_end_matches(['j', 'J']).parse().map_err(|_| bad(self))?;
                Ok(self.number_constant(IValue::complex(0.0, value), place))
            }
        }
    }

    pub(super) fn text(&mut self, bytes: &[u8], place: &Loc) -> Result<ValueId> {
        match String::from_utf8(bytes.to_vec()) {
            Ok(text) => Ok(self.constant(IValue::str(text), Some(place))),
            Err(_) => Err(self.error(place, "a string literal must be UTF-8")),
        }
    }

    /// `f"a{x}"` is `"a{}".format(x)`.
    fn f_string(&mut self, parts: &[FPart], place: &Loc) -> Result<ValueId> {
        let mut text = Vec::new();
        let mut values = Vec::new();
        for part in parts {
            match part {
                FPart::Text(t) => text.extend(t.iter()),
                FPart::Field { value, conversion, format } => {
                    let at = self.at(value.span);
                    if conversion.is_some() {
                        return Err(self.error(&at, "Don't support conversion in JoinedStr"));
                    }
                    if format.is_some() {
                        return Err(self.error(&at, "Don't support formatting in JoinedStr"));
                    }
                    text.extend(b"{}");
                    values.push(value);
                }
            }
        }
        let template = self.text(&text, place)?;
        let mut args = Vec::with_capacity(values.len());
        for value in values {
            args.push(Named::from(self.expression(value)?));
        }
        self.call_operator(Some(place), "aten::format", &args, &[], Some(template))
    }

    // -- operators

    fn unary(&mut self, place: &Loc, op: UnaryOp, operand: &Expr) -> Result<ValueId> {
        let (operator, method) = match op {
            UnaryOp::Neg => ("aten::neg", "__neg__"),
            UnaryOp::Invert => ("aten::bitwise_not", "__invert__"),
            UnaryOp::Pos => return self.unsupported(place.span, "UAdd"),
            UnaryOp::Not => return self.expression(operand),
        };
        // Where no Python has read the source, `-1` is a literal.
        if let (UnaryOp::Neg, ExprKind::Number(n), false) = (op, &operand.kind, self.resolver.is_python()) {
            let at = self.at(operand.span);
            return self.number(n, true, &at);
        }
        let value = self.expression(operand)?;
        let magic = Sugared::Magic(method, Rc::new(Sugared::builtin(operator)));
        let result = self.call(&magic, place, &[value.into()], &[])?;
        let result = self.as_value(&result, place)?;
        // `-1` is one constant.
        if let Some(node) = self.graph.defining(result)
            && self.graph.is(node, operator)
            && let Some(folded) =
                self.graph.input(node, 0).and_then(|v| self.graph.constant(v)).and_then(|v| fold_unary(op, v))
        {
            let folded = self.constant(folded, Some(place));
            self.graph.erase(node);
            return Ok(folded);
        }
        Ok(result)
    }

    fn binary(&mut self, place: &Loc, op: BinaryOp, left: &Expr, right: &Expr) -> Result<ValueId> {
        let (operator, method) = binary_operator(op);
        if op == BinaryOp::Mod {
            let at = self.at(left.span);
            let first = self.sugared(left, None)?;
            let first = self.as_value(&first, &at)?;
            if *self.ty(first) == Type::Str {
                // The left side is emitted once more, as PyTorch does; what is not used goes away.
                let (a, b) = (self.expression(left)?, self.expression(right)?);
                return Ok(self.value("aten::percentFormat", &[a, b], Type::Str, Some(place)));
            }
        }
        let (a, b) = (self.expression(left)?, self.expression(right)?);
        let Some(method) = method else { return self.operator(Some(place), operator, &[a, b]) };
        if op == BinaryOp::Add && tuple_members(self.ty(a)).is_some() && tuple_members(self.ty(b)).is_some() {
            let mut members = self.tuple_unpack(a);
            members.extend(self.tuple_unpack(b));
            return Ok(self.tuple(&members));
        }
        let magic = Sugared::Magic(method, Rc::new(Sugared::builtin(operator)));
        let result = self.call(&magic, place, &[a.into(), b.into()], &[])?;
        self.as_value(&result, place)
    }

    fn compare(&mut self, e: &Expr, first: &Expr, rest: &[(CompareOp, Expr)]) -> Result<ValueId> {
        let [(op, right)] = rest else { return self.comparison_chain(e, first, rest) };
        if matches!(op, CompareOp::Is | CompareOp::IsNot) {
            return self.condition(e).map(|c| c.value);
        }
        let place = self.at(e.span);
        let (a, b) = (self.expression(first)?, self.expression(right)?);
        self.compare_values(&place, *op, a, b)
    }

    fn compare_values(&mut self, place: &Loc, op: CompareOp, a: ValueId, b: ValueId) -> Result<ValueId> {
        let (operator, method) = comparison(op);
        let args = if matches!(op, CompareOp::In | CompareOp::NotIn) { [b, a] } else { [a, b] };
        let magic = Sugared::Magic(method, Rc::new(Sugared::builtin(operator)));
        let result = self.call(&magic, place, &args.map(Named::from), &[])?;
        let result = self.as_value(&result, place)?;
        if op == CompareOp::NotIn {
            return self.operator(Some(place), "aten::__not__", &[result]);
        }
        Ok(result)
    }

    /// `a < b < c` is `a < b and b < c`.
    fn comparison_chain(&mut self, e: &Expr, first: &Expr, rest: &[(CompareOp, Expr)]) -> Result<ValueId> {
        let mut left = first;
        let mut joined: Option<Expr> = None;
        for (op, right) in rest {
            let span = Span { start: left.span.start, end: right.span.end };
            let one = Expr { kind: ExprKind::Compare(Box::new(left.clone()), vec![(*op, right.clone())]), span };
            joined = Some(match joined {
                None => one,
                Some(before) => {
                    let span = Span { start: before.span.start, end: right.span.end };
                    Expr { kind: ExprKind::And(Box::new(before), Box::new(one)), span }
                }
            });
            left = right;
        }
        match joined {
            Some(joined) => self.condition(&joined).map(|c| c.value),
            None => self.unsupported(e.span, "an empty comparison"),
        }
    }

    /// Default values: a literal, or what folds to one.
    pub(super) fn evaluate_default(&mut self, e: &Expr, ty: &Type) -> Result<IValue> {
        let value = self.expression_hinted(e, Some(ty))?;
        let value = self.convert(None, ty, value, true)?;
        match builtins::constant_value(&self.graph, value) {
            Some(v) if self.compiler.is_subtype(&self.ty(value).clone(), ty) => Ok(v),
            _ => Err(self.error(&self.at(e.span), format!("Expected a default value of type {}", ty.annotation_str()))),
        }
    }
}

fn parse_int(text: &str) -> Option<i64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text),
    };
    let (digits, radix) = match digits.get(..2).map(str::to_ascii_lowercase).as_deref() {
        Some("0x") => (&digits[2..], 16),
        Some("0b") => (&digits[2..], 2),
        Some("0o") => (&digits[2..], 8),
        _ => (digits, 10),
    };
    i64::from_str_radix(&format!("{sign}{digits}"), radix).ok()
}

fn fold_unary(op: UnaryOp, value: &IValue) -> Option<IValue> {
    Some(match (op, value) {
        (UnaryOp::Neg, IValue::Int(i)) => IValue::Int(i.wrapping_neg()),
        (UnaryOp::Neg, IValue::Double(d)) => IValue::Double(-d),
        (UnaryOp::Neg, IValue::Complex(c)) => IValue::complex(-c.re, -c.im),
        (UnaryOp::Invert, IValue::Int(i)) => IValue::Int(!i),
        _ => return None,
    })
}

/// `yield` is `Yield` in PyTorch's messages.
fn capitalized(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map(|c| c.to_ascii_uppercase()).into_iter().chain(chars).collect()
}
