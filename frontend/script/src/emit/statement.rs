//! Statements become nodes here: what control flow, assignment and deletion do, each in its own file, is called from here.

use super::environment::Frame;
use super::function::{Emitter, Insertion, LoopStatus, MAX_NODES, Returns};
use super::{Result, Sugared};
use crate::graph::{Loc, ValueId};
use sconce_schema::Type;
use sconce_syntax::Span;
use sconce_syntax::script::tree::{Def, Expr, ExprKind, Index, Stmt, StmtKind};
use sconce_tensor::IValue;

impl Emitter<'_> {
    /// Statements up to the first after which nothing is reached.
    pub(super) fn statements(&mut self, body: &[Stmt]) -> Result<()> {
        for stmt in body {
            self.pending(stmt.span);
            self.deeper(stmt.span, |e| e.statement(stmt))?;
            if self.too_large {
                return Err(self.error(&self.at(stmt.span), "this makes a type of more types than are supported"));
            }
            if self.graph.node_count() > MAX_NODES {
                return Err(self.error(
                    &self.at(stmt.span),
                    format!("a function of more than {MAX_NODES} operations is not supported"),
                ));
            }
            if self.exits.contains(&self.block()) {
                break;
            }
        }
        Ok(())
    }

    fn statement(&mut self, stmt: &Stmt) -> Result<()> {
        match &stmt.kind {
            StmtKind::Expr(e) => self.sugared(e, None).map(drop),
            StmtKind::Assign { targets, value, type_comment } => {
                self.assignment(stmt.span, targets, value, type_comment.as_ref())
            }
            StmtKind::AnnAssign { target, annotation, value } => match value {
                Some(value) => self.assignment(stmt.span, std::slice::from_ref(target), value, Some(annotation)),
                None => {
                    Err(self
                        .error(&self.at(stmt.span), "For an assignment, expected an expression on the right-hand side"))
                }
            },
            StmtKind::AugAssign { target, op, value } => self.augmented_assignment(stmt.span, target, *op, value),
            StmtKind::If { condition, then, otherwise } => {
                let condition = self.condition(condition)?;
                self.branches(stmt.span, condition, |e| e.statements(then), |e| e.statements(otherwise))
            }
            StmtKind::While { condition, body, .. } => self.while_loop(stmt.span, condition, body),
            StmtKind::For { target, iter, body, .. } => {
                self.for_loop(stmt.span, target, iter, &mut |e| e.statements(body))
            }
            StmtKind::With { items, body } => self.with(items, body),
            StmtKind::Return(value) => self.return_statement(stmt.span, value.as_ref()),
            StmtKind::Raise { exception, .. } => self.raise(stmt.span, exception.as_ref()),
            StmtKind::Assert { test, message } => self.assertion(stmt.span, test, message.as_ref()),
            StmtKind::Break => self.jump(stmt.span, "break", "prim::BreakStmt"),
            StmtKind::Continue => self.jump(stmt.span, "continue", "prim::ContinueStmt"),
            StmtKind::Pass => Ok(()),
            StmtKind::Delete(targets) => targets.iter().try_for_each(|t| self.delete(stmt.span, t)),
            StmtKind::Def(def) => self.local_function(def),
            StmtKind::Class(_) => self.unsupported(stmt.span, "class definitions"),
            StmtKind::Import(_) | StmtKind::ImportFrom { .. } => self.unsupported(stmt.span, "import statements"),
            StmtKind::Global(_) => self.unsupported(stmt.span, "global variables"),
            StmtKind::Nonlocal(_) => self.unsupported(stmt.span, "nonlocal variables"),
            StmtKind::Try { .. } => self.unsupported(stmt.span, "try blocks"),
        }
    }

    pub(super) fn unsupported<T>(&self, span: Span, what: &str) -> Result<T> {
        Err(self.error(&self.at(span), format!("{what} aren't supported")))
    }

    fn jump(&mut self, span: Span, word: &str, kind: &str) -> Result<()> {
        let place = self.at(span);
        match self.loop_status {
            LoopStatus::Outside => Err(self.error(&place, format!("SyntaxError: '{word}' outside loop"))),
            LoopStatus::Unrolled => Err(self.error(
                &place,
                "Because we emit iteration over modulelists or tuples as unrolled loops, we do not support break or continue \
                 inside the body of these loops",
            )),
            LoopStatus::Inside => {
                self.node(kind, &[], Some(&place));
                Ok(())
            }
        }
    }

    // -- return

    fn return_statement(&mut self, span: Span, value: Option<&Expr>) -> Result<()> {
        let place = self.at(span);
        let declared = self.returns.last().and_then(|r| r.declared.clone());
        let value = match value {
            Some(e) => self.expression_hinted(e, declared.as_ref())?,
            None => self.constant(IValue::None, Some(&place)),
        };
        self.return_value(value, &place)
    }

    /// Returns a value: converted to the declared type, or joined with what was returned before.
    pub(super) fn return_value(&mut self, value: ValueId, place: &Loc) -> Result<()> {
        let declared = self.returns.last().and_then(|r| r.declared.clone());
        let mut value = value;
        let merged = match declared {
            Some(wanted) => {
                value = self.convert(Some(place), &wanted, value, true)?;
                let actual = self.ty(value).clone();
                if !self.compiler.is_subtype(&actual, &wanted) {
                    return Err(self.error(
                        place,
                        format!(
                            "Return value was annotated as having type {} but is actually of type {}",
                            wanted.annotation_str(),
                            self.repr(value)
                        ),
                    ));
                }
                wanted
            }
            None => {
                let actual = self.ty(value).clone();
                let before = self.returns.last().and_then(|r| r.merged.clone()).unwrap_or_else(|| actual.clone());
                match before.unify(&actual) {
                    Some(t) => t,
                    None => {
                        return Err(self.error(
                            place,
                            format!(
                                "Previous return statement returned a value of type {} but this return statement returns a value of type {}",
                                before.annotation_str(),
                                self.repr(value)
                            ),
                        ));
                    }
                }
            }
        };
        if merged == Type::Any && *self.ty(value) != Type::Any {
            value = self.unchecked_cast(value, Type::Any);
        }
        if let Some(returns) = self.returns.last_mut() {
            returns.merged = Some(merged);
        }
        self.node("prim::ReturnStmt", &[value], None);
        let block = self.block();
        self.exits.insert(block);
        Ok(())
    }

    pub(super) fn unchecked_cast(&mut self, value: ValueId, ty: Type) -> ValueId {
        self.value("prim::unchecked_cast", &[value], ty, None)
    }

    // -- raise and assert

    fn raise(&mut self, span: Span, exception: Option<&Expr>) -> Result<()> {
        let place = self.at(span);
        let Some(exception) = exception else {
            return Err(self.error(&place, "exceptions must derive from BaseException"));
        };
        match self.sugared(exception, None)? {
            Sugared::ExceptionMessage(message, class) => self.raise_exception(&place, message, class),
            Sugared::Exception(_) => {
                let message = self.constant(IValue::str(""), Some(&place));
                self.raise_exception(&place, message, None)
            }
            _ => Err(self.error(&place, "exceptions must derive from BaseException")),
        }
    }

    fn raise_exception(&mut self, place: &Loc, message: ValueId, class: Option<ValueId>) -> Result<()> {
        let mut message = message;
        if *self.ty(message) != Type::Str {
            message = self.operator(None, "aten::str", &[message])?;
        }
        let class = class.unwrap_or_else(|| self.constant(IValue::None, None));
        self.node("prim::RaiseException", &[message, class], Some(place));
        let block = self.block();
        self.exits.insert(block);
        Ok(())
    }

    fn assertion(&mut self, span: Span, test: &Expr, message: Option<&Expr>) -> Result<()> {
        let condition = self.condition(test)?;
        let place = self.at(span);
        self.branches(
            span,
            condition,
            |_| Ok(()),
            |e| {
                let text = match message {
                    Some(m) => e.expression(m)?,
                    None => e.constant(IValue::str(""), Some(&place)),
                };
                let text = e.assertion_text(text, &place)?;
                e.raise_exception(&place, text, None)
            },
        )
    }

    /// `AssertionError: ` and the message.
    pub(super) fn assertion_text(&mut self, message: ValueId, place: &Loc) -> Result<ValueId> {
        let prefix = self.constant(IValue::str("AssertionError: "), Some(place));
        if *self.ty(message) == Type::Str {
            return self.operator(Some(place), "aten::add", &[prefix, message]);
        }
        let text = self.operator(Some(place), "aten::str", &[message])?;
        self.operator(Some(place), "aten::add", &[prefix, text])
    }

    // -- del

    fn delete(&mut self, span: Span, target: &Expr) -> Result<()> {
        let place = self.at(target.span);
        match &target.kind {
            ExprKind::Var(name) => self.remove_variable(&place, &name.name),
            ExprKind::Subscript(value, items) => {
                let [Index::At(index)] = items.as_slice() else {
                    return Err(self.error(
                        &place,
                        "del statements only support deletion at a single index, slicing is not supported (see \
                         https://github.com/pytorch/pytorch/issues/31430)",
                    ));
                };
                let container = self.sugared(value, None)?;
                let index = self.expression(index)?;
                let container = self.as_value(&container, &self.at(value.span))?;
                if let Type::Class(class) = self.ty(container).clone() {
                    if !self.compiler.has_method(&class, "__delitem__") {
                        return Err(self.error(&place, "Class does not define __delitem__"));
                    }
                    let at = self.at(span);
                    return self.call_method(&at, container, "__delitem__", &[index.into()], &[]).map(drop);
                }
                self.node("aten::Delete", &[container, index], Some(&place));
                Ok(())
            }
            _ => {
                Err(self
                    .error(&place, "del statements are only supported for deleting list and dict items and variables"))
            }
        }
    }

    // -- local functions, which only printed code has, for fork

    /// A closure whose body `emit_body` fills; its block has one output.
    pub(super) fn closure(
        &mut self,
        emit_body: impl FnOnce(&mut Self, crate::graph::BlockId) -> Result<()>,
    ) -> Result<ValueId> {
        let output = self.value("prim::Closure", &[], Type::None, None);
        let Some(node) = self.graph.defining(output) else { return Ok(output) };
        let block = self.graph.add_block(node);
        let status = std::mem::replace(&mut self.loop_status, LoopStatus::Outside);
        self.frames.push(Frame::new(block));
        self.returns.push(Returns::default());
        let result = self.inserting(Insertion::End(block), |e| emit_body(e, block));
        self.returns.pop();
        self.frames.pop();
        self.loop_status = status;
        result.map(|()| output)
    }

    fn local_function(&mut self, def: &Def) -> Result<()> {
        let declared = def.returns.as_ref().map(|r| self.annotation(r)).transpose()?;
        let closure = self.closure(|e, block| {
            if let Some(returns) = e.returns.last_mut() {
                returns.declared = declared;
            }
            for p in &def.params {
                let ty = match &p.annotation {
                    Some(a) => e.annotation(a)?,
                    None => Type::tensor(),
                };
                let value = e.graph.add_input(block, Some(&p.name.name), ty);
                let place = e.at(p.name.span);
                e.set_variable(&place, &p.name.name, Sugared::Value(value), None)?;
            }
            e.body(def, block).map(drop)
        })?;
        let place = self.at(def.name.span);
        self.set_variable(&place, &def.name.name, Sugared::Closure(closure), None)
    }
}
