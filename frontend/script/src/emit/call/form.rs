//! Calls that are forms of the language: their arguments say more than values do.

use crate::emit::function::Emitter;
use crate::emit::sugared::{Form, Iterables, Range, Sugared};
use crate::emit::{Result, types};
use crate::graph::{Loc, ValueId};
use sconce_schema::Type;
use sconce_syntax::Span;
use sconce_syntax::script::tree::{Apply, Clause, Comprehension, Expr, ExprKind, Ident};
use sconce_tensor::IValue;
use std::rc::Rc;
use std::sync::Arc;

impl Emitter<'_> {
    pub(super) fn form(&mut self, span: Span, form: Form, apply: &Apply, hint: Option<&Type>) -> Result<Sugared> {
        let place = self.at(span);
        match form {
            Form::Annotate => self.annotate(span, apply).map(Sugared::Value),
            Form::Cast => {
                self.check_arguments(span, apply, 2)?;
                self.sugared(&apply.args[1], None)
            }
            Form::Fork => self.fork(&place, apply),
            Form::IsInstance => {
                self.check_arguments(span, apply, 2)?;
                self.is_instance(&apply.args[0], &apply.args[1]).map(|c| Sugared::Value(c.value))
            }
            Form::HasAttr => {
                self.check_arguments(span, apply, 2)?;
                self.has_attribute(&apply.args[0], &apply.args[1]).map(|c| Sugared::Value(c.value))
            }
            Form::GetAttr => self.get_attr(span, apply),
            Form::UncheckedCast => {
                self.check_arguments(span, apply, 2)?;
                let ty = self.annotation(&apply.args[0])?;
                let value = self.expression(&apply.args[1])?;
                let same = self.graph.defining(value).is_some_and(|n| self.graph.is(n, "prim::unchecked_cast"));
                if same && *self.ty(value) == ty {
                    return Ok(Sugared::Value(value));
                }
                Ok(Sugared::Value(self.unchecked_cast(value, ty)))
            }
            Form::Uninitialized => {
                self.check_arguments(span, apply, 1)?;
                let ty = self.annotation(&apply.args[0])?;
                Ok(Sugared::Value(self.value("prim::Uninitialized", &[], ty, Some(&place))))
            }
            Form::Tuple => {
                if apply.args.is_empty() && apply.kwargs.is_empty() {
                    return Ok(Sugared::Value(self.tuple(&[])));
                }
                self.check_arguments(span, apply, 1)?;
                let sugared = self.sugared(&apply.args[0], None)?;
                let members = self.as_tuple(&sugared, &place, None)?;
                let values = members.iter().map(|m| self.as_value(m, &place)).collect::<Result<Vec<_>>>()?;
                Ok(Sugared::Value(self.tuple(&values)))
            }
            Form::List => self.list_call(span, apply, hint).map(Sugared::Value),
            Form::Dict => self.dict_call(span, apply, hint).map(Sugared::Value),
            Form::Range => {
                let values: Vec<ValueId> = self.arguments(&apply.args)?.into_iter().map(|a| a.value).collect();
                self.range(&place, &values, None)
            }
            Form::Enumerate => self.enumerate(&place, apply),
            Form::Zip => {
                if apply.args.is_empty() {
                    return Err(self.error(&place, "zip expected at least 1 arguments, got 0"));
                }
                let mut iterables = Iterables::default();
                for arg in &apply.args {
                    let sugared = self.sugared(arg, None)?;
                    let iterable = self.iter(&sugared, &place)?;
                    self.add_child(&place, &mut iterables, iterable)?;
                }
                Ok(Sugared::Iterables(Rc::new(iterables)))
            }
            Form::ToList => self.tolist(span, apply, hint).map(Sugared::Value),
            Form::CreateObject => {
                if apply.args.len() != 1 {
                    return Err(self.error(&place, "Only one argument to __new__ allowed"));
                }
                match self.sugared(&apply.args[0], None)? {
                    Sugared::Class(class) => Ok(Sugared::Value(self.create_object(&class, Some(&place)))),
                    other => Err(self.error(
                        &place,
                        format!("Expected class value as argument to __new__, got {} instead", self.kind(&other)),
                    )),
                }
            }
            Form::GetItem => self.get_item_call(span, apply).map(Sugared::Value),
            Form::Super => self.resolve("self", &place),
            Form::IsScripting => Ok(Sugared::Value(self.constant(IValue::Bool(true), Some(&place)))),
        }
    }

    fn annotate(&mut self, span: Span, apply: &Apply) -> Result<ValueId> {
        self.check_arguments(span, apply, 2)?;
        let place = self.at(span);
        let ty = self.annotation(&apply.args[0])?;
        let value = self.expression_hinted(&apply.args[1], Some(&ty))?;
        let value = self.convert(Some(&place), &ty, value, true)?;
        let actual = self.ty(value).clone();
        if !self.compiler.is_subtype(&actual, &ty) {
            let at = self.at(apply.args[0].span);
            let why = self.compiler.why_no_subtype(&actual, &ty);
            return Err(self.error(
                &at,
                format!("expected an expression of type {} but found {}\n{why}", ty.annotation_str(), self.repr(value)),
            ));
        }
        // None remembers of what it is the absence.
        if types::can_hold_none(&ty) && actual == Type::None {
            return Ok(self.typed_constant(IValue::None, ty, None));
        }
        Ok(value)
    }

    fn get_attr(&mut self, span: Span, apply: &Apply) -> Result<Sugared> {
        let place = self.at(span);
        if !(2..=3).contains(&apply.args.len()) {
            return Err(self.error(
                &place,
                format!("getattr expected to have number of arguments between 2 and 3 but found {}", apply.args.len()),
            ));
        }
        let object = self.sugared(&apply.args[0], None)?;
        let ExprKind::Str(name) = &apply.args[1].kind else {
            return Err(self.error(&place, "getattr's second argument must be a string literal"));
        };
        let name = String::from_utf8_lossy(name).into_owned();
        match apply.args.get(2) {
            Some(default) if !self.has_attr(&object, &place, &name)? => self.sugared(default, None),
            _ => self.attr(&object, &place, &name),
        }
    }

    /// `fork(f, …)`: a closure that calls `f`, and the future of what it gives.
    fn fork(&mut self, place: &Loc, apply: &Apply) -> Result<Sugared> {
        let Some((function, args)) = apply.args.split_first() else {
            return Err(self.error(place, "Expected at least one argument to fork()"));
        };
        let function = self.sugared(function, None)?;
        let args = self.arguments(args)?;
        let kwargs = self.keywords(&apply.kwargs)?;
        let closure = match &function {
            Sugared::Closure(closure) => *closure,
            _ => self.closure(|e, block| {
                let result = e.call(&function, place, &args, &kwargs)?;
                let result = e.as_value(&result, place)?;
                e.graph.add_block_output(block, result);
                Ok(())
            })?,
        };
        let result = self
            .graph
            .defining(closure)
            .and_then(|n| self.graph.blocks(n).first().copied())
            .and_then(|b| self.graph.block_outputs(b).first().copied());
        let ty = result.map_or(Type::None, |v| self.ty(v).clone());
        let future = self.value("prim::forkClosure", &[closure], Type::Future(Arc::new(ty)), Some(place));
        Ok(Sugared::Value(future))
    }

    fn enumerate(&mut self, place: &Loc, apply: &Apply) -> Result<Sugared> {
        let Some(first) = apply.args.first() else {
            return Err(self.error(place, "enumerate expected at least 1 arguments, got 0"));
        };
        let mut start = match apply.args.get(1) {
            Some(e) => Some(self.expression(e)?),
            None => None,
        };
        let count = apply.args.len() + apply.kwargs.len();
        if count > 2 {
            return Err(self.error(place, format!("enumerate expected at most 2 arguments, got {count}")));
        }
        if let [kwarg] = apply.kwargs.as_slice() {
            let name = kwarg.name.as_ref().map_or("", |n| n.name.as_str());
            if name != "start" {
                return Err(self.error(place, format!("enumerate expected kwarg name 'start', got '{name}'")));
            }
            start = Some(self.expression(&kwarg.value)?);
        }
        let end = self.number_constant(IValue::Int(i64::MAX), place);
        let bounds: Vec<ValueId> = start.into_iter().chain([end]).collect();
        let sugared = self.sugared(first, None)?;
        let iterable = self.iter(&sugared, place)?;
        let length = self.unrolled_length(&iterable);
        let range = self.range(place, &bounds, length)?;
        let mut iterables = Iterables::default();
        self.add_child(place, &mut iterables, range)?;
        self.add_child(place, &mut iterables, iterable)?;
        Ok(Sugared::Iterables(Rc::new(iterables)))
    }

    pub(super) fn range(&mut self, place: &Loc, values: &[ValueId], static_len: Option<i64>) -> Result<Sugared> {
        if let Some(i) = values.iter().position(|v| *self.ty(*v) != Type::Int) {
            return Err(self.error(
                place,
                format!("all inputs of range must be ints, found {} in argument {i}", self.repr(values[i])),
            ));
        }
        let int = |e: &mut Self, i: i64| e.constant(IValue::Int(i), Some(place));
        let range = match values {
            [] => return Err(self.error(place, "range expected at least 1 arguments, got 0")),
            [end] => {
                let (start, step) = (int(self, 0), int(self, 1));
                Range { start, end: *end, step, only_end: true, static_len }
            }
            [start, end] => {
                let step = int(self, 1);
                Range { start: *start, end: *end, step, only_end: false, static_len }
            }
            [start, end, step] => Range { start: *start, end: *end, step: *step, only_end: false, static_len },
            _ => return Err(self.error(place, format!("range expected at most 3 arguments, got {}", values.len()))),
        };
        Ok(Sugared::Range(Rc::new(range)))
    }

    fn list_call(&mut self, span: Span, apply: &Apply, hint: Option<&Type>) -> Result<ValueId> {
        let place = self.at(span);
        if apply.args.is_empty() {
            return match hint {
                None => Ok(self.list(&[], Type::tensor())),
                Some(Type::List(element)) => Ok(self.list(&[], (**element).clone())),
                Some(t) => Err(self
                    .error(&place, format!("Expected list type annotation for list(), found {}", t.annotation_str()))),
            };
        }
        self.check_arguments(span, apply, 1)?;
        let sugared = self.sugared(&apply.args[0], None)?;
        if let Sugared::Value(v) = sugared
            && matches!(self.ty(v), Type::List(_) | Type::Str)
        {
            return self.operator(Some(&place), "aten::list", &[v]);
        }
        // `list(x)` is `[e for e in x]`.
        let (iter, element) = (self.temporary("$_iter"), self.temporary("$_elem"));
        self.set_variable(&place, &iter, sugared, None)?;
        let comprehension = Comprehension {
            element: variable(&element, span),
            clauses: vec![Clause {
                target: variable(&element, span),
                iter: variable(&iter, span),
                conditions: Vec::new(),
            }],
        };
        self.list_comprehension(span, &comprehension, hint)
    }

    /// `dict(…)`: of a dict, of pairs, of keywords.
    fn dict_call(&mut self, span: Span, apply: &Apply, hint: Option<&Type>) -> Result<ValueId> {
        let place = self.at(span);
        let expected = self.expected(span, hint, crate::emit::literal::Container::Dict, true)?;
        if let Some(hint) = hint.filter(|_| !expected.candidates.is_empty()) {
            return Err(self.error(
                &place,
                format!(
                    "There are multiple candidate Dict types in the Union type annotation `{}`, and full type inference is not yet \
                     supported for the `dict()` constructor.",
                    hint.annotation_str()
                ),
            ));
        }
        let refined = expected.refined.clone().filter(|t| matches!(t, Type::Dict(..)));
        let empty = |e: &Expr| match &e.kind {
            ExprKind::Dict(items) => items.is_empty(),
            ExprKind::List(items) => items.is_empty(),
            _ => false,
        };
        let pairs: Vec<(Option<Expr>, Expr)> =
            apply.kwargs.iter().map(|k| (k.name.as_ref().map(|n| text(&n.name, k.span)), k.value.clone())).collect();
        let dict = match apply.args.as_slice() {
            [] => self.dict_literal(span, &pairs, refined.as_ref())?,
            [one] if empty(one) => self.dict_literal(span, &pairs, refined.as_ref())?,
            [one] => {
                let dict = self.dict_of(span, one, refined.as_ref(), hint)?;
                for (key, value) in &pairs {
                    let Some(key) = key else { continue };
                    let (k, v) = (self.expression(key)?, self.expression(value)?);
                    self.operator(Some(&place), "aten::_set_item", &[dict, k, v])?;
                }
                dict
            }
            _ => {
                self.check_arguments(span, apply, 1)?;
                return self.dict_literal(span, &[], refined.as_ref());
            }
        };
        Ok(match expected.union {
            Some(union) => self.unchecked_cast(dict, union),
            None => dict,
        })
    }

    fn dict_of(&mut self, span: Span, argument: &Expr, refined: Option<&Type>, hint: Option<&Type>) -> Result<ValueId> {
        let place = self.at(span);
        if let ExprKind::DictComp(key, c) = &argument.kind {
            return self.dict_comprehension(argument.span, key, c, refined);
        }
        let hinted = matches!(argument.kind, ExprKind::Dict(_)).then_some(hint).flatten();
        let sugared = self.sugared(argument, hinted)?;
        if let Sugared::Value(v) = sugared
            && matches!(self.ty(v), Type::Dict(..))
        {
            return self.operator(Some(&place), "aten::dict", &[v]);
        }
        // `dict(x)` is `{k: v for k, v in x}`.
        let (iter, key, value) = (self.temporary("$_iter"), self.temporary("$_key"), self.temporary("$_value"));
        self.set_variable(&place, &iter, sugared, None)?;
        let target = Expr { kind: ExprKind::Tuple(vec![variable(&key, span), variable(&value, span)]), span };
        let comprehension = Comprehension {
            element: variable(&value, span),
            clauses: vec![Clause { target, iter: variable(&iter, span), conditions: Vec::new() }],
        };
        self.dict_comprehension(span, &variable(&key, span), &comprehension, refined)
    }

    /// `x.tolist()`, whose type is what it is assigned to.
    fn tolist(&mut self, span: Span, apply: &Apply, hint: Option<&Type>) -> Result<ValueId> {
        let place = self.at(span);
        let ExprKind::Select(object, _) = &apply.callee.kind else {
            return Err(self.error(&place, "tolist() is called on a tensor"));
        };
        let Some(hint) = hint else {
            return Err(self.error(&place, "Expected type hint for result of tolist()"));
        };
        let tensor = self.expression(object)?;
        let (mut dim, mut element) = (0, hint);
        while let Type::List(inner) = element {
            dim += 1;
            element = inner;
        }
        let kind = match element {
            Type::Int => 0,
            Type::Float => 1,
            Type::Bool => 2,
            Type::Complex => 3,
            _ => {
                return Err(self.error(
                    &place,
                    format!(
                        "{} is not one of the supported element types for tolist: int, float, complex, bool",
                        element.annotation_str()
                    ),
                ));
            }
        };
        let dim = self.constant(IValue::Int(dim), None);
        let kind = self.constant(IValue::Int(kind), None);
        Ok(self.value("prim::tolist", &[tensor, dim, kind], hint.clone(), None))
    }

    /// `x.__getitem__(i)`
    fn get_item_call(&mut self, span: Span, apply: &Apply) -> Result<ValueId> {
        let place = self.at(span);
        let (ExprKind::Select(object, _), [argument]) = (&apply.callee.kind, apply.args.as_slice()) else {
            return Err(
                self.error(&place, format!("__getitem__ expected exactly 1 arguments, got {}", apply.args.len()))
            );
        };
        let object = self.expression(object)?;
        let index = self.expression(argument)?;
        let indices = if matches!(self.ty(index), Type::Tuple(_)) { self.tuple_unpack(index) } else { vec![index] };
        self.index(&place, object, &indices)
    }
}

fn variable(name: &str, span: Span) -> Expr {
    Expr { kind: ExprKind::Var(Ident::new(name, span)), span }
}

fn text(text: &str, span: Span) -> Expr {
    Expr { kind: ExprKind::Str(text.as_bytes().to_vec()), span }
}
