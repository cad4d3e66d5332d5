//! Branches, loops and `with`: the blocks of a graph, and which variables outlive them.

use super::condition::{CondValue, Refinements};
use super::environment::Frame;
use super::function::{Emitter, Insertion, LoopStatus};
use super::{Error, Result, Sugared, types};
use crate::graph::{BlockId, Loc, ValueId};
use sconce_schema::Type;
use sconce_syntax::Span;
use sconce_syntax::script::tree::{Expr, ExprKind, Stmt, WithItem};
use sconce_tensor::IValue;
use std::collections::BTreeSet;
use std::rc::Rc;

/// How often a loop over modules or a tuple may be unrolled.
const MAX_UNROLLED: i64 = 10_000;

/// A branch after it was emitted.
struct Branch {
    block: BlockId,
    frame: Frame,
    exits: bool,
}

impl<'c> Emitter<'c> {
    /// An `if` statement; a condition known now leaves one branch.
    pub(super) fn branches(
        &mut self,
        span: Span,
        condition: CondValue,
        then: impl FnOnce(&mut Self) -> Result<()>,
        otherwise: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let place = self.at(span);
        match condition.known {
            Some(true) => {
                self.refine(&place, &condition.refinements.when_true)?;
                return then(self);
            }
            Some(false) => {
                self.refine(&place, &condition.refinements.when_false)?;
                return otherwise(self);
            }
            None => {}
        }
        let node = self.node("prim::If", &[condition.value], Some(&place));
        let (true_block, false_block) = (self.graph.add_block(node), self.graph.add_block(node));
        let then = self.branch(&place, true_block, &condition.refinements.when_true, then)?;
        let otherwise = self.branch(&place, false_block, &condition.refinements.when_false, otherwise)?;
        if then.exits && otherwise.exits {
            let block = self.block();
            self.exits.insert(block);
        }
        let escaping = self.escaping(&place, &then, &otherwise);
        for name in escaping {
            self.merge(&place, &name, &then, &otherwise)?;
        }
        Ok(())
    }

    fn branch(
        &mut self,
        place: &Loc,
        block: BlockId,
        refinements: &Refinements,
        body: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<Branch> {
        self.frames.push(Frame::new(block));
        let result = self.inserting(Insertion::End(block), |e| {
            e.refine(place, refinements)?;
            body(e)
        });
        let frame = self.frames.pop().unwrap_or_else(|| Frame::new(block));
        result.map(|()| Branch { block, frame, exits: self.exits.contains(&block) })
    }

    /// Variables that are assigned on all ways through an `if`, in the order of their names; the others are noted as spoiled.
    fn escaping(&mut self, place: &Loc, then: &Branch, otherwise: &Branch) -> BTreeSet<Rc<str>> {
        let mut out = BTreeSet::new();
        for (this, other, word) in [(then, otherwise, "false"), (otherwise, then, "true")] {
            for name in this.frame.types.keys() {
                let there = other.frame.types.contains_key(name)
                    || other.frame.sugared.contains_key(name)
                    || self.is_known(name);
                if there || other.exits {
                    out.insert(name.clone());
                } else {
                    let why = Error::new(place, format!("{name} is not defined in the {word} branch"));
                    self.spoiled.insert(name.clone(), why);
                }
            }
        }
        out
    }

    /// The value a variable has at the end of a branch.
    fn at_end(&mut self, place: &Loc, branch: &Branch, name: &str) -> Result<Option<ValueId>> {
        if branch.exits {
            return Ok(None);
        }
        self.inserting(Insertion::End(branch.block), |e| {
            let found = match e.in_frame(&branch.frame, name) {
                Some(s) => Some(s),
                None => e.find_variable(name),
            };
            match found {
                Some(s) => e.as_value(&s, place).map(Some),
                None => Err(e.undefined(place, name)),
            }
        })
    }

    /// One variable after an `if`: its type is the join of what the branches leave.
    fn merge(&mut self, place: &Loc, name: &Rc<str>, then: &Branch, otherwise: &Branch) -> Result<()> {
        let true_value = self.at_end(place, then, name)?;
        let false_value = self.at_end(place, otherwise, name)?;
        let (t, f) = match (true_value, false_value) {
            (None, None) => return Ok(()),
            (Some(t), Some(f)) => (t, f),
            (Some(t), None) => (t, self.uninitialized_store(name, otherwise.block, t)),
            (None, Some(f)) => (self.uninitialized_store(name, then.block, f), f),
        };
        let before = match self.find_variable(name) {
            Some(Sugared::Value(v)) => Some(self.ty(v).clone()),
            _ => None,
        };
        let (t, f) = (self.settled(t, f, then.block, Some(name)), self.settled(f, t, otherwise.block, Some(name)));
        let widens = before.as_ref().is_some_and(|t| types::is_union(t) || *t == Type::Number);
        let (true_type, false_type) = (self.ty(t).clone(), self.ty(f).clone());
        if let Some(joined) = types::unify(&true_type, &false_type, widens, None) {
            let assumed = self.assumed.contains_key(&t) && self.assumed.contains_key(&f);
            if let Some(frame) = self.frames.last_mut() {
                frame.types.insert(name.clone(), joined);
                if !assumed {
                    frame.assumed.remove(name);
                }
            }
            return Ok(());
        }
        let error = self.error(
            place,
            format!(
                "Type mismatch: {name} is set to type {} in the true branch and type {} in the false branch",
                self.repr(t),
                self.repr(f)
            ),
        );
        if self.is_known(name) {
            return Err(error);
        }
        self.spoiled.insert(name.clone(), error);
        Ok(())
    }

    /// A branch's value as one of the type that the other branch's has, where nobody knows its own; stored again as a variable.
    fn settled(&mut self, value: ValueId, other: ValueId, block: BlockId, variable: Option<&str>) -> ValueId {
        let wanted = self.ty(other).clone();
        if !self.is_open(value, &wanted) || self.assumed.contains_key(&other) {
            return value;
        }
        self.inserting(Insertion::End(block), |e| {
            let value = e.unchecked_cast(value, wanted);
            if let Some(name) = variable {
                e.store_node(name, value, None);
            }
            value
        })
    }

    fn uninitialized_store(&mut self, name: &str, block: BlockId, like: ValueId) -> ValueId {
        let ty = self.ty(like).clone();
        self.inserting(Insertion::End(block), |e| {
            let value = e.value("prim::Uninitialized", &[], ty, None);
            e.store_node(name, value, None);
            value
        })
    }

    /// Variables of narrower types, where a check has told them.
    pub(super) fn refine(&mut self, place: &Loc, refinements: &Refinements) -> Result<()> {
        for (name, ty) in refinements {
            let Some(found) = self.find_variable(name) else { continue };
            let value = self.as_value(&found, place)?;
            let refined = self.unchecked_cast(value, ty.clone());
            self.set_variable(place, name, Sugared::Value(refined), None)?;
        }
        Ok(())
    }

    /// An `if` as an expression.
    pub(super) fn if_expression(
        &mut self,
        span: Span,
        condition: &CondValue,
        then: impl FnOnce(&mut Self) -> Result<ValueId>,
        otherwise: impl FnOnce(&mut Self) -> Result<ValueId>,
    ) -> Result<ValueId> {
        let place = self.at(span);
        let node = self.node("prim::If", &[condition.value], Some(&place));
        let (true_block, false_block) = (self.graph.add_block(node), self.graph.add_block(node));
        let t = self.if_operand(&place, true_block, &condition.refinements.when_true, then)?;
        let f = self.if_operand(&place, false_block, &condition.refinements.when_false, otherwise)?;
        let (t, f) = (self.settled(t, f, true_block, None), self.settled(f, t, false_block, None));
        self.graph.add_block_output(true_block, t);
        self.graph.add_block_output(false_block, f);
        match self.ty(t).clone().unify(&self.ty(f).clone()) {
            Some(joined) => Ok(self.graph.add_output(node, None, joined)),
            None => Err(self.error(
                &place,
                format!(
                    "if-expression's true branch has type {} but false branch has type {}",
                    self.repr(t),
                    self.repr(f)
                ),
            )),
        }
    }

    fn if_operand(
        &mut self,
        place: &Loc,
        block: BlockId,
        refinements: &Refinements,
        operand: impl FnOnce(&mut Self) -> Result<ValueId>,
    ) -> Result<ValueId> {
        self.frames.push(Frame::new(block));
        let value = self.inserting(Insertion::End(block), |e| {
            e.refine(place, refinements)?;
            operand(e)
        });
        self.frames.pop();
        value
    }

    // -- loops

    pub(super) fn while_loop(&mut self, span: Span, condition: &Expr, body: &[Stmt]) -> Result<()> {
        let place = self.at(span);
        let trips = self.number_constant(IValue::Int(i64::MAX), &place);
        self.emit_loop(&place, trips, Some(condition), |e, _| e.statements(body))
    }

    /// `for target in iter`: a loop of the graph, or one turn after the other for what is no value.
    pub(super) fn for_loop(
        &mut self,
        span: Span,
        target: &Expr,
        iter: &Expr,
        body: &mut dyn FnMut(&mut Emitter<'c>) -> Result<()>,
    ) -> Result<()> {
        let place = self.at(span);
        let iterated = self.sugared(iter, None)?;
        let iterable = self.iter(&iterated, &place)?;
        if let Some(turns) = self.unrolled_length(&iterable) {
            return self.unrolled_loop(&place, target, &iterable, turns, body);
        }
        let trips = self.length(&iterable, &place)?;
        self.emit_loop(&place, trips, None, |e, trip| {
            let item = e.getitem(&iterable, &place, trip, None)?;
            let value = e.as_value(&item, &place)?;
            e.assign_target(target, Sugared::Value(value), &place)?;
            body(e)
        })
    }

    fn emit_loop(
        &mut self,
        place: &Loc,
        trips: ValueId,
        condition: Option<&Expr>,
        body: impl FnOnce(&mut Self, ValueId) -> Result<()>,
    ) -> Result<()> {
        let node = self.node("prim::Loop", &[], Some(place));
        let (body_block, condition_block) = (self.graph.add_block(node), self.graph.add_block(node));
        self.frames.push(Frame::new(condition_block));
        let condition = match condition {
            Some(c) => self.inserting(Insertion::End(condition_block), |e| {
                let value = e.expression(c)?;
                e.as_bool(value, &e.at(c.span))
            }),
            None => Ok(self.inserting(Insertion::Before(node), |e| e.constant(IValue::Bool(true), Some(place)))),
        };
        self.frames.pop();
        self.graph.add_block_output(condition_block, condition?);
        self.graph.add_operand(node, trips);
        let status = std::mem::replace(&mut self.loop_status, LoopStatus::Inside);
        let trip = self.graph.add_input(body_block, None, Type::Int);
        self.frames.push(Frame::new(body_block));
        let result = self.inserting(Insertion::End(body_block), |e| body(e, trip));
        self.frames.pop();
        self.loop_status = status;
        result
    }

    fn unrolled_loop(
        &mut self,
        place: &Loc,
        target: &Expr,
        iterable: &Sugared,
        turns: i64,
        body: &mut dyn FnMut(&mut Emitter<'c>) -> Result<()>,
    ) -> Result<()> {
        if turns > MAX_UNROLLED {
            return Err(
                self.error(place, format!("a loop of {turns} turns cannot be unrolled; the limit is {MAX_UNROLLED}"))
            );
        }
        let status = std::mem::replace(&mut self.loop_status, LoopStatus::Unrolled);
        let result = (0..turns).try_for_each(|turn| {
            let index = self.number_constant(IValue::Int(turn), place);
            let item = self.getitem(iterable, place, index, None)?;
            let at = self.at(target.span);
            self.assign_target(target, item, &at)?;
            body(self)
        });
        self.loop_status = status;
        result
    }

    // -- with

    pub(super) fn with(&mut self, items: &[WithItem], body: &[Stmt]) -> Result<()> {
        let mut entered = Vec::with_capacity(items.len());
        for item in items {
            let object = self.expression(&item.context)?;
            let place = self.at(item.context.span);
            let enter = self.node("prim::Enter", &[object], None);
            entered.push(object);
            let ty = self.enter_type(object, &place)?;
            let value = self.graph.add_output(enter, None, ty);
            if let Some(target) = &item.target {
                let ExprKind::Var(name) = &target.kind else {
                    return Err(self.error(&self.at(target.span), "expected a variable in with statement"));
                };
                let at = self.at(target.span);
                self.set_variable(&at, &name.name, Sugared::Value(value), None)?;
            }
        }
        self.statements(body)?;
        for object in entered.into_iter().rev() {
            // What `__exit__` gives is nobody's; its type is the default one.
            self.value("prim::Exit", &[object], Type::tensor(), None);
        }
        Ok(())
    }

    /// What `__enter__` of a context manager gives, whose methods have the parameters they must have.
    fn enter_type(&mut self, object: ValueId, place: &Loc) -> Result<Type> {
        let Type::Class(class) = self.ty(object).clone() else {
            return Err(self.error(place, "With item expression must return an object"));
        };
        if !self.compiler.has_method(&class, "__enter__") || !self.compiler.has_method(&class, "__exit__") {
            return Err(self.error(
                place,
                "Object returned by with item expression does not define __enter__ and __exit__ methods",
            ));
        }
        let (enter, returns) = self.compiler.method_signature(&class, "__enter__", place)?;
        if enter.len() != 1 {
            return Err(self.error(place, "__enter__ must have only one argument and one return value"));
        }
        let (exit, _) = self.compiler.method_signature(&class, "__exit__", place)?;
        if exit.len() != 4 {
            return Err(self.error(place, "__exit__ must have four arguments"));
        }
        match exit.iter().skip(1).position(|p| p.ty != Type::Any) {
            Some(i) => Err(self.error(
                place,
                format!(
                    "argument {} of __exit__ must have Any type; TorchScript does not currently support passing exception type, \
                     value, or traceback to the __exit__ function.",
                    i + 1
                ),
            )),
            None => Ok(returns),
        }
    }
}
