//! Conditions: their value, whether it is known while compiling, and what they tell about the types of variables.

use super::function::Emitter;
use super::sugared::{Form, Sugared};
use super::{Result, builtins, types};
use crate::graph::{Loc, ValueId};
use sconce_schema::Type;
use sconce_syntax::Span;
use sconce_syntax::script::tree::{Apply, CompareOp, Expr, ExprKind, UnaryOp};
use sconce_tensor::IValue;

/// Variables and the narrower types they are known to have.
pub(super) type Refinements = Vec<(String, Type)>;

/// What is known when a condition holds, and when it does not.
#[derive(Clone, Default, Debug)]
pub(super) struct RefinementSet {
    pub when_true: Refinements,
    pub when_false: Refinements,
}

fn both(a: &Refinements, b: &Refinements) -> Refinements {
    let mut out = a.clone();
    for (name, ty) in b {
        match out.iter().position(|(n, _)| n == name) {
            None => out.push((name.clone(), ty.clone())),
            // Two that differ say nothing.
            Some(i) if out[i].1 != *ty => {
                out.remove(i);
            }
            Some(_) => {}
        }
    }
    out
}

fn either(a: &Refinements, b: &Refinements) -> Refinements {
    a.iter().filter(|r| b.contains(r)).cloned().collect()
}

impl RefinementSet {
    fn and(&self, other: &RefinementSet) -> RefinementSet {
        RefinementSet {
            when_true: both(&self.when_true, &other.when_true),
            when_false: either(&self.when_false, &other.when_false),
        }
    }
    fn or(&self, other: &RefinementSet) -> RefinementSet {
        self.clone().not().and(&other.clone().not()).not()
    }
    fn not(self) -> RefinementSet {
        RefinementSet { when_true: self.when_false, when_false: self.when_true }
    }
}

/// A condition.
#[derive(Clone, Debug)]
pub(super) struct CondValue {
    pub value: ValueId,
    pub refinements: RefinementSet,
    /// Its outcome where the program may depend on it while it is compiled.
    pub known: Option<bool>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Noneness {
    Always,
    Maybe,
    Never,
}

impl Emitter<'_> {
    pub(super) fn condition(&mut self, e: &Expr) -> Result<CondValue> {
        self.deeper(e.span, |this| this.condition_inner(e))
    }

    fn condition_inner(&mut self, e: &Expr) -> Result<CondValue> {
        match &e.kind {
            ExprKind::And(a, b) => self.short_circuit(e.span, a, b, false),
            ExprKind::Or(a, b) => self.short_circuit(e.span, a, b, true),
            ExprKind::Unary(UnaryOp::Not, operand) => {
                let inner = self.condition(operand)?;
                let place = self.at(e.span);
                let value = self.operator(Some(&place), "aten::__not__", &[inner.value])?;
                Ok(CondValue { value, refinements: inner.refinements.not(), known: inner.known.map(|k| !k) })
            }
            ExprKind::Compare(left, rest) => match rest.as_slice() {
                [(op @ (CompareOp::Is | CompareOp::IsNot), right)] => {
                    self.identity(e.span, left, right, *op == CompareOp::Is)
                }
                _ => self.plain_condition(e),
            },
            ExprKind::Apply(apply) => self.call_condition(e, apply),
            _ => self.plain_condition(e),
        }
    }

    fn known_condition(&mut self, place: &Loc, known: bool, refinements: RefinementSet) -> CondValue {
        let value = self.constant(IValue::Bool(known), Some(place));
        CondValue { value, refinements, known: Some(known) }
    }

    fn call_condition(&mut self, e: &Expr, apply: &Apply) -> Result<CondValue> {
        if let ExprKind::Var(name) = &apply.callee.kind {
            match name.name.as_str() {
                "isinstance" => {
                    self.check_arguments(e.span, apply, 2)?;
                    return self.is_instance(&apply.args[0], &apply.args[1]);
                }
                "hasattr" => {
                    self.check_arguments(e.span, apply, 2)?;
                    return self.has_attribute(&apply.args[0], &apply.args[1]);
                }
                _ => {}
            }
        }
        if types::dotted(&apply.callee).is_some_and(|n| n.contains('.')) {
            let callee = self.sugared(&apply.callee, None)?;
            if matches!(callee, Sugared::Form(Form::IsInstance)) {
                self.check_arguments(e.span, apply, 2)?;
                return self.is_instance(&apply.args[0], &apply.args[1]);
            }
        }
        self.plain_condition(e)
    }

    fn plain_condition(&mut self, e: &Expr) -> Result<CondValue> {
        let place = self.at(e.span);
        let value = self.expression(e)?;
        let value = self.as_bool(value, &place)?;
        let mut known = match self.graph.defining(value) {
            Some(n) if self.graph.is(n, "aten::has_torch_function") => Some(false),
            _ => None,
        };
        if let Some(IValue::Bool(b)) = self.graph.constant(value) {
            known = Some(*b);
        }
        Ok(CondValue { value, refinements: RefinementSet::default(), known })
    }

    pub(super) fn as_bool(&mut self, value: ValueId, place: &Loc) -> Result<ValueId> {
        if self.is_open(value, &Type::Bool) {
            return Ok(self.unchecked_cast(value, Type::Bool));
        }
        let cast = builtins::global("bool").unwrap_or(Sugared::Nothing);
        let result = self.call(&cast, place, &[value.into()], &[]).and_then(|s| self.as_value(&s, place));
        let result = match result {
            Ok(v) => v,
            Err(_) => {
                return Err(self.error(place, format!("Could not cast value of type {} to bool", self.repr(value))));
            }
        };
        if *self.ty(result) != Type::Bool {
            return Err(
                self.error(place, format!("expected a bool expression for condition but found {}", self.repr(result)))
            );
        }
        Ok(result)
    }

    fn short_circuit(&mut self, span: Span, first: &Expr, second: &Expr, is_or: bool) -> Result<CondValue> {
        let left = self.condition(first)?;
        let place = self.at(span);
        let mut right = None;
        let settled = |e: &mut Self| Ok(e.constant(IValue::Bool(is_or), Some(&place)));
        let continued = |e: &mut Self| {
            let value = e.condition(second)?;
            let result = value.value;
            right = Some(value);
            Ok(result)
        };
        let value = if is_or {
            self.if_expression(span, &left, settled, continued)?
        } else {
            self.if_expression(span, &left, continued, settled)?
        };
        let Some(right) = right else { return Ok(CondValue { value, refinements: left.refinements, known: None }) };
        let refinements =
            if is_or { left.refinements.or(&right.refinements) } else { left.refinements.and(&right.refinements) };
        let known = if left.known == Some(is_or) || right.known == Some(is_or) {
            Some(is_or)
        } else {
            left.known.and(right.known).map(|_| !is_or)
        };
        Ok(CondValue { value, refinements, known })
    }

    // -- is, is not

    fn noneness(&self, value: ValueId) -> Noneness {
        let ty = self.ty(value);
        let constant_none = self.graph.defining(value).is_some_and(|n| {
            self.graph.is(n, "prim::Constant")
                && self.graph.attrs(n).is_empty()
                && (types::can_hold_none(ty) || *ty == Type::None)
        });
        if constant_none || *ty == Type::None {
            Noneness::Always
        } else if types::can_hold_none(ty) {
            Noneness::Maybe
        } else {
            Noneness::Never
        }
    }

    fn identity(&mut self, span: Span, left: &Expr, right: &Expr, its_is: bool) -> Result<CondValue> {
        let place = self.at(span);
        let a = self.expression(left)?;
        let b = self.expression(right)?;
        match (self.noneness(a), self.noneness(b)) {
            (Noneness::Always, Noneness::Always) => Ok(self.known_condition(&place, its_is, RefinementSet::default())),
            (Noneness::Always, Noneness::Never) | (Noneness::Never, Noneness::Always) => {
                Ok(self.known_condition(&place, !its_is, RefinementSet::default()))
            }
            _ => {
                let operator = if its_is { "aten::__is__" } else { "aten::__isnot__" };
                let value = self.operator(Some(&place), operator, &[a, b])?;
                let refinements = match (&left.kind, &right.kind) {
                    (ExprKind::Var(name), ExprKind::None) => self.none_refinements(&name.name, a, its_is),
                    (ExprKind::None, ExprKind::Var(name)) => self.none_refinements(&name.name, b, its_is),
                    _ => RefinementSet::default(),
                };
                Ok(CondValue { value, refinements, known: None })
            }
        }
    }

    fn none_refinements(&self, name: &str, value: ValueId, its_is: bool) -> RefinementSet {
        let present = match self.ty(value) {
            Type::Optional(inner) => Some((**inner).clone()),
            t @ Type::Union(_) => types::subtract(t, &[Type::None]),
            _ => return RefinementSet::default(),
        };
        let present: Refinements = present.map(|t| (name.to_owned(), t)).into_iter().collect();
        let set = RefinementSet { when_true: Vec::new(), when_false: present };
        if its_is { set } else { set.not() }
    }

    // -- hasattr, isinstance

    pub(super) fn has_attribute(&mut self, object: &Expr, name: &Expr) -> Result<CondValue> {
        let sugared = self.sugared(object, None)?;
        let ExprKind::Str(name_text) = &name.kind else {
            return Err(self.error(&self.at(name.span), "hasattr's second argument must be a string literal"));
        };
        let name_text = String::from_utf8_lossy(name_text).into_owned();
        let place = self.at(object.span);
        let has = self.has_attr(&sugared, &place, &name_text)?;
        Ok(self.known_condition(&place, has, RefinementSet::default()))
    }

    fn checked_types(&mut self, e: &Expr, out: &mut Vec<Type>) -> Result<()> {
        match &e.kind {
            ExprKind::Tuple(items) => items.iter().try_for_each(|i| self.checked_types(i, out)),
            _ => {
                out.push(self.annotation(e)?);
                Ok(())
            }
        }
    }

    pub(super) fn is_instance(&mut self, object: &Expr, classes: &Expr) -> Result<CondValue> {
        let value = self.expression(object)?;
        let mut asked = Vec::new();
        self.checked_types(classes, &mut asked)?;
        let have = Type::union_members([self.ty(value).clone()]);
        let asked = Type::union_members(asked);
        let (is, is_not, all_are) = self.split_instances(&have, &asked);
        let mut refinements = RefinementSet::default();
        if let ExprKind::Var(name) = &object.kind {
            let refined = |types: &[Type]| types::unify_all(types, true, None).map(|t| (name.name.clone(), t));
            refinements.when_true.extend(refined(&is));
            refinements.when_false.extend(refined(&is_not));
        }
        let place = self.at(object.span);
        if all_are {
            return Ok(self.known_condition(&place, true, refinements));
        }
        if is.is_empty() {
            return Ok(self.known_condition(&place, false, refinements));
        }
        let value = self.value("prim::isinstance", &[value], Type::Bool, None);
        if let Some(node) = self.graph.defining(value) {
            self.graph.set_attr(node, "types", crate::graph::Attr::Types(asked));
        }
        Ok(CondValue { value, refinements, known: None })
    }

    /// Which types a value of several possible ones can have when it is an instance of some of `asked`, which when it is not, and whether it must be.
    fn split_instances(&mut self, have: &[Type], asked: &[Type]) -> (Vec<Type>, Vec<Type>, bool) {
        let (mut is, mut is_not, mut all_are) = (Vec::new(), Vec::new(), true);
        for mine in have {
            if *mine == Type::Any {
                is.extend(asked.iter().cloned());
                is_not.push(Type::Any);
                all_are &= is == [Type::Any];
                break;
            }
            let mut found: Option<Type> = None;
            for theirs in asked {
                if self.compiler.is_subtype(mine, theirs) {
                    found = Some(mine.clone());
                } else if self.compiler.is_subtype(theirs, mine) {
                    found = match found {
                        Some(f) => f.unify(theirs).or(Some(f)),
                        None => Some(theirs.clone()),
                    };
                }
            }
            match found {
                Some(t) => is.push(t),
                None => {
                    is_not.push(mine.clone());
                    all_are = false;
                }
            }
        }
        (is, is_not, all_are)
    }
}
