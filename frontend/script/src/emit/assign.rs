//! Assignments: to names, attributes, elements and tuples of these, plain and augmented.

use super::function::Emitter;
use super::{Named, Result, Sugared};
use crate::graph::{Loc, ValueId};
use sconce_schema::Type;
use sconce_syntax::Span;
use sconce_syntax::script::tree::{BinaryOp, Expr, ExprKind, Index};

impl Emitter<'_> {
    pub(super) fn temporary(&mut self, prefix: &str) -> String {
        self.temporaries += 1;
        format!("{prefix}{}", self.temporaries - 1)
    }

    pub(super) fn assignment(
        &mut self,
        span: Span,
        targets: &[Expr],
        value: &Expr,
        annotation: Option<&Expr>,
    ) -> Result<()> {
        if let [target] = targets {
            return self.assign(span, target, value, annotation);
        }
        // `a = b = value`: the value once, then each target from left to right.
        let sugared = self.sugared(value, None)?;
        let name = self.temporary("$tmp_assign_");
        let at = self.at(value.span);
        self.set_variable(&at, &name, sugared, None)?;
        for target in targets {
            let sugared = self.resolve(&name, &at)?;
            match &target.kind {
                ExprKind::Tuple(items) => self.unpack(target, items, &sugared, &at)?,
                ExprKind::Subscript(container, items) => {
                    let v = self.as_value(&sugared, &at)?;
                    self.assign_element(&self.at(span), target, container, items, v)?;
                }
                ExprKind::Select(..) => self.assign_target(target, sugared, &self.at(span))?,
                _ => self.assign_target(target, sugared, &at)?,
            }
        }
        Ok(())
    }

    fn assign(&mut self, span: Span, target: &Expr, value: &Expr, annotation: Option<&Expr>) -> Result<()> {
        let place = self.at(span);
        match &target.kind {
            ExprKind::Var(name) => {
                let ty = annotation.map(|a| self.annotation(a)).transpose()?;
                let sugared = self.sugared(value, ty.as_ref())?;
                let at = self.at(target.span);
                self.set_variable(&at, &name.name, sugared, ty)
            }
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                let (binders, starred) = self.binders(items, target.span)?;
                let sugared = self.sugared_binding(value, binders)?;
                let at = self.at(value.span);
                self.unpack_checked(target, items, &sugared, &at, binders, starred)
            }
            ExprKind::Select(object, name) => {
                let ty = annotation.map(|a| self.annotation(a)).transpose()?;
                let object = self.sugared(object, None)?;
                let sugared = self.sugared(value, ty.as_ref())?;
                let at = self.at(value.span);
                let value = self.as_value(&sugared, &at)?;
                self.set_attr(&object, &place, &name.name, value)
            }
            ExprKind::Subscript(container, items) => {
                let value = self.expression(value)?;
                self.assign_element(&place, target, container, items, value)
            }
            _ => Err(self.error(&self.at(target.span), "unexpected expression on left-hand side of assignment")),
        }
    }

    /// How many values a tuple of targets takes, the starred one left aside, and whether there is a starred one.
    fn binders(&self, targets: &[Expr], span: Span) -> Result<(usize, bool)> {
        let starred = targets.iter().filter(|t| matches!(t.kind, ExprKind::Starred(_))).count();
        for target in targets {
            let fits = matches!(
                target.kind,
                ExprKind::Var(_)
                    | ExprKind::Subscript(..)
                    | ExprKind::Tuple(_)
                    | ExprKind::List(_)
                    | ExprKind::Select(..)
                    | ExprKind::Starred(_)
            );
            if !fits {
                return Err(self.error(
                    &self.at(target.span),
                    "lhs of assignment must be a variable, subscript, or starred expression",
                ));
            }
        }
        if starred > 1 {
            return Err(self.error(&self.at(span), "Only one starred expression is allowed on the lhs"));
        }
        if starred == 1 && targets.len() == 1 {
            return Err(self.error(
                &self.at(span),
                "A Starred expression may only appear on the lhs within the presence of another non-starred expression",
            ));
        }
        Ok((targets.len() - starred, starred == 1))
    }

    fn unpack(&mut self, target: &Expr, items: &[Expr], sugared: &Sugared, place: &Loc) -> Result<()> {
        let (binders, starred) = self.binders(items, target.span)?;
        self.unpack_checked(target, items, sugared, place, binders, starred)
    }

    fn unpack_checked(
        &mut self,
        target: &Expr,
        items: &[Expr],
        sugared: &Sugared,
        place: &Loc,
        binders: usize,
        starred: bool,
    ) -> Result<()> {
        let outputs = self.as_tuple(sugared, place, (!starred).then_some(binders))?;
        if outputs.len() < binders {
            return Err(self.error(
                &self.at(target.span),
                format!(
                    "need {}{binders} values to unpack but found only {}",
                    if starred { "at least " } else { "" },
                    outputs.len()
                ),
            ));
        }
        if outputs.len() > binders && !starred {
            return Err(self.error(
                &self.at(target.span),
                format!("too many values to unpack: need {binders} but found {}", outputs.len()),
            ));
        }
        let rest = outputs.len() - binders;
        let mut outputs = outputs.into_iter();
        for item in items {
            match &item.kind {
                ExprKind::Starred(inner) => {
                    let ExprKind::Var(name) = &inner.kind else {
                        return Err(self.error(&self.at(inner.span), "Cannot pack a tuple into a non-variable"));
                    };
                    let at = self.at(item.span);
                    let taken: Vec<Sugared> = outputs.by_ref().take(rest).collect();
                    let values = taken.iter().map(|s| self.as_value(s, &at)).collect::<Result<Vec<_>>>()?;
                    let tuple = self.tuple(&values);
                    let at = self.at(inner.span);
                    self.set_variable(&at, &name.name, Sugared::Value(tuple), None)?;
                }
                _ => {
                    if let Some(output) = outputs.next() {
                        self.assign_target(item, output, place)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// One target, one value that was made at `place`.
    pub(super) fn assign_target(&mut self, target: &Expr, sugared: Sugared, place: &Loc) -> Result<()> {
        match &target.kind {
            ExprKind::Var(name) => {
                let at = self.at(target.span);
                self.set_variable(&at, &name.name, sugared, None)
            }
            ExprKind::Tuple(items) | ExprKind::List(items) => self.unpack(target, items, &sugared, place),
            ExprKind::Subscript(container, items) => {
                let value = self.as_value(&sugared, place)?;
                self.assign_element(place, target, container, items, value)
            }
            ExprKind::Select(object, name) => {
                let object = self.sugared(object, None)?;
                let value = self.as_value(&sugared, place)?;
                self.set_attr(&object, place, &name.name, value)
            }
            _ => Err(self.error(&self.at(target.span), "unexpected expression on the left-hand side")),
        }
    }

    /// `container[items] = value`
    fn assign_element(
        &mut self,
        place: &Loc,
        target: &Expr,
        container: &Expr,
        items: &[Index],
        value: ValueId,
    ) -> Result<()> {
        let object = self.expression(container)?;
        if self.ty(object).is_tensor() {
            let at = self.at(target.span);
            let (sliced, indices) = self.int_and_slice_indexing(&at, object, items)?;
            let value = self.value_to_tensor(value, sliced)?;
            if indices.is_empty() {
                self.operator(Some(place), "aten::copy_", &[sliced, value])?;
            } else {
                let indices = self.list(&indices, Type::optional(Type::tensor()));
                self.operator(Some(place), "aten::index_put_", &[sliced, indices, value])?;
            }
            return Ok(());
        }
        let [Index::At(index)] = items else {
            return Err(self.error(
                &self.at(span_of(items, target.span)),
                "Sliced expression not yet supported for subscripted assignment. File a bug if you want this",
            ));
        };
        if matches!(self.ty(object), Type::Tuple(_) | Type::NamedTuple(_) | Type::AnyTuple) {
            return Err(self.error(
                &self.at(target.span),
                format!("{} does not support subscripted assignment", self.repr(object)),
            ));
        }
        let index = self.expression(index)?;
        if let Type::Class(_) = self.ty(object) {
            return self.call_method(place, object, "__setitem__", &[index.into(), value.into()], &[]).map(drop);
        }
        self.operator(Some(place), "aten::_set_item", &[object, index, value]).map(drop)
    }

    /// Numbers that are put into a tensor become tensors like it.
    fn value_to_tensor(&mut self, value: ValueId, like: ValueId) -> Result<ValueId> {
        if !matches!(self.ty(value), Type::Number | Type::Int | Type::Bool | Type::Float | Type::Complex) {
            return Ok(value);
        }
        let dtype = self.operator(None, "prim::dtype", &[like])?;
        let device = self.operator(None, "prim::device", &[like])?;
        let kwargs = [named("dtype", dtype), named("device", device)];
        self.call_operator(None, "aten::tensor", &[value.into()], &kwargs, None)
    }

    // -- augmented

    pub(super) fn augmented_assignment(&mut self, span: Span, target: &Expr, op: BinaryOp, value: &Expr) -> Result<()> {
        match &target.kind {
            ExprKind::Var(name) => {
                let old = self.expression(target)?;
                let new = self.augment(span, op, old, value)?;
                let at = self.at(target.span);
                self.set_variable(&at, &name.name, Sugared::Value(new), None)
            }
            ExprKind::Select(object, name) => {
                let object = self.sugared(object, None)?;
                let at = self.at(target.span);
                let old = self.attr(&object, &at, &name.name)?;
                let old = self.as_value(&old, &at)?;
                let new = self.augment(span, op, old, value)?;
                let place = self.at(span);
                self.set_attr(&object, &place, &name.name, new)
            }
            ExprKind::Subscript(container, items) => self.augment_element(span, target, container, items, op, value),
            _ => {
                Err(self
                    .error(&self.at(target.span), "unexpected expression on left-hand side of augmented assignment"))
            }
        }
    }

    fn augment(&mut self, span: Span, op: BinaryOp, old: ValueId, value: &Expr) -> Result<ValueId> {
        let place = self.at(span);
        let Type::Class(class) = self.ty(old).clone() else {
            let value = self.expression(value)?;
            let operator = self.augmented_operator(op, self.ty(old), &place)?;
            return self.operator(Some(&place), operator, &[old, value]);
        };
        let Some((in_place, out_of_place)) = augmented_methods(op) else {
            return Err(self.error(&place, format!("Unknown augmented assignment: {}", super::expression::symbol(op))));
        };
        let value = self.expression(value)?;
        let method = if self.compiler.has_method(&class, in_place) {
            in_place
        } else if self.compiler.has_method(&class, out_of_place) {
            out_of_place
        } else {
            return Err(self.error(
                &place,
                format!(
                    "Cannot emit inplace op on {} since it does not define an {in_place} or {out_of_place} method",
                    self.repr(old)
                ),
            ));
        };
        let result = self.call_method(&place, old, method, &[value.into()], &[])?;
        self.as_value(&result, &place)
    }

    fn augmented_operator(&self, op: BinaryOp, ty: &Type, place: &Loc) -> Result<&'static str> {
        let in_place = ty.is_tensor() || matches!(ty, Type::List(_));
        let pick = |a, b| if in_place { a } else { b };
        Ok(match op {
            BinaryOp::Add => pick("aten::add_", "aten::add"),
            BinaryOp::Sub => pick("aten::sub_", "aten::sub"),
            BinaryOp::Div => pick("aten::div_", "aten::div"),
            BinaryOp::Mul => pick("aten::mul_", "aten::mul"),
            BinaryOp::Mod => pick("aten::fmod_", "aten::fmod"),
            BinaryOp::BitOr => pick("aten::bitwise_or", "aten::__or__"),
            BinaryOp::BitAnd => pick("aten::bitwise_and", "aten::__and__"),
            BinaryOp::BitXor => pick("aten::bitwise_xor", "aten::__xor__"),
            BinaryOp::LShift => "aten::__lshift__",
            BinaryOp::RShift => pick("aten::__irshift__", "aten::__rshift__"),
            BinaryOp::Pow => "aten::pow",
            BinaryOp::FloorDiv | BinaryOp::MatMul => {
                return Err(
                    self.error(place, format!("Unknown augmented assignment: {}", super::expression::symbol(op)))
                );
            }
        })
    }

    fn augment_element(
        &mut self,
        span: Span,
        target: &Expr,
        container: &Expr,
        items: &[Index],
        op: BinaryOp,
        value: &Expr,
    ) -> Result<()> {
        let place = self.at(span);
        let object = self.expression(container)?;
        let ty = self.ty(object).clone();
        if !ty.is_tensor() {
            return self.augment_item(&place, target, object, items, op, value);
        }
        let at = self.at(target.span);
        let (sliced, indices) = self.int_and_slice_indexing(&at, object, items)?;
        let value = self.expression(value)?;
        let operator = self.augmented_operator(op, &ty, &place)?;
        if indices.is_empty() {
            self.call_operator(Some(&place), operator, &[value.into()], &[], Some(sliced))?;
            return Ok(());
        }
        let indices = self.list(&indices, Type::optional(Type::tensor()));
        let indexed = self.operator(Some(&place), "aten::index", &[sliced, indices])?;
        let augmented = self.call_operator(Some(&place), operator, &[value.into()], &[], Some(indexed))?;
        self.operator(Some(&place), "aten::index_put_", &[sliced, indices, augmented]).map(drop)
    }

    /// Of lists and dicts: get, compute, set.
    fn augment_item(
        &mut self,
        place: &Loc,
        target: &Expr,
        object: ValueId,
        items: &[Index],
        op: BinaryOp,
        value: &Expr,
    ) -> Result<()> {
        let ty = self.ty(object).clone();
        let [Index::At(index)] = items else {
            return Err(self.error(
                &self.at(span_of(items, target.span)),
                format!(
                    "Sliced expression not yet supported for {} augmented assignment. File a bug if you want this",
                    ty.annotation_str()
                ),
            ));
        };
        let element = match &ty {
            Type::List(element) => (**element).clone(),
            Type::Dict(key, _) => (**key).clone(),
            _ => {
                return Err(self.error(
                    &self.at(target.span),
                    format!("{} does not support augmented assignment.", ty.annotation_str()),
                ));
            }
        };
        let index = self.expression(index)?;
        let value = self.expression(value)?;
        let old = self.operator(Some(place), "aten::__getitem__", &[object, index])?;
        let operator = self.augmented_operator(op, &element, place)?;
        let new = self.operator(Some(place), operator, &[old, value])?;
        self.operator(Some(place), "aten::_set_item", &[object, index, new]).map(drop)
    }
}

pub(super) fn named(name: &str, value: ValueId) -> Named {
    Named { name: Some(name.into()), value }
}

fn span_of(items: &[Index], otherwise: Span) -> Span {
    match items.first() {
        Some(Index::At(e)) => e.span,
        Some(Index::Slice { span, .. }) => *span,
        None => otherwise,
    }
}

fn augmented_methods(op: BinaryOp) -> Option<(&'static str, &'static str)> {
    Some(match op {
        BinaryOp::Add => ("__iadd__", "__add__"),
        BinaryOp::Sub => ("__isub__", "__sub__"),
        BinaryOp::Div => ("__itruediv__", "__truediv__"),
        BinaryOp::Mul => ("__imul__", "__mul__"),
        BinaryOp::Mod => ("__imod__", "__mod__"),
        _ => return None,
    })
}
