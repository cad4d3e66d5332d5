//! List and dict comprehensions: a loop that fills a container, in a scope of its own.

use super::environment::Frame;
use super::function::{Emitter, Insertion};
use super::literal::Container;
use super::{Result, types};
use crate::graph::ValueId;
use sconce_schema::Type;
use sconce_syntax::Span;
use sconce_syntax::script::tree::{Clause, Comprehension, Expr};

impl<'c> Emitter<'c> {
    /// The one clause that TorchScript's comprehensions have.
    fn only_clause<'t>(&self, span: Span, c: &'t Comprehension) -> Result<&'t Clause> {
        match c.clauses.as_slice() {
            [one] if one.conditions.is_empty() => Ok(one),
            [_] => Err(self.error(&self.at(span), "Comprehension ifs are not supported yet")),
            _ => Err(self.error(&self.at(span), "Only a single generator is currently supported")),
        }
    }

    /// Runs the clause's loop around `body`, in a scope that no variable leaves.
    fn comprehension_scope(
        &mut self,
        span: Span,
        clause: &Clause,
        mut body: impl FnMut(&mut Emitter<'c>) -> Result<()>,
    ) -> Result<()> {
        let place = self.at(span);
        let node = self.node("prim::ComprehensionScope", &[], Some(&place));
        let block = self.graph.add_block(node);
        self.frames.push(Frame::new(block));
        let result =
            self.inserting(Insertion::End(block), |e| e.for_loop(span, &clause.target, &clause.iter, &mut body));
        self.frames.pop();
        result
    }

    pub(super) fn list_comprehension(&mut self, span: Span, c: &Comprehension, hint: Option<&Type>) -> Result<ValueId> {
        let clause = self.only_clause(span, c)?;
        let list = self.value("prim::ListConstruct", &[], Type::list(Type::tensor()), None);
        let expected = self.expected(span, hint, Container::List, false)?;
        if let Some(t @ Type::List(_)) = &expected.refined {
            self.graph.set_type(list, t.clone());
        }
        let mut refined = expected.refined.clone().filter(|t| matches!(t, Type::List(_)));
        let mut first = true;
        self.comprehension_scope(span, clause, |e| {
            let out = e.expression(&c.element)?;
            let found = e.ty(out).clone();
            if std::mem::take(&mut first) {
                e.graph.set_type(list, Type::list(found.clone()));
            }
            let wanted = element_of(refined.as_ref());
            let before = element_of(Some(e.ty(list))).unwrap_or(Type::Any);
            let joined = types::unify(&before, &found, true, wanted.as_ref()).unwrap_or(Type::Any);
            if !expected.candidates.is_empty() {
                if let Some(hint) = hint {
                    refined = Some(e.choose_list(span, &expected.candidates, hint, &joined)?);
                }
            } else {
                match (&refined, &wanted) {
                    (Some(r), Some(w)) if !e.compiler.is_subtype(&joined, w) => {
                        let message = format!(
                            "List type annotation `{}` did not match the types of the given list elements, which were unified to {}",
                            r.annotation_str(),
                            joined.annotation_str()
                        );
                        return Err(e.error(&e.at(span), message));
                    }
                    (None, _) => refined = Some(Type::list(joined)),
                    _ => {}
                }
            }
            if let Some(t) = &refined {
                e.graph.set_type(list, t.clone());
                e.set_type_of(out, element_of(Some(t)).unwrap_or(Type::Any));
            }
            let place = e.at(span);
            e.call_operator(Some(&place), "aten::append", &[out.into()], &[], Some(list)).map(drop)
        })?;
        Ok(list)
    }

    /// An element takes the container's element type.
    fn set_type_of(&mut self, value: ValueId, ty: Type) {
        if *self.ty(value) != ty {
            self.graph.set_type(value, ty);
        }
    }

    pub(super) fn dict_comprehension(
        &mut self,
        span: Span,
        key: &Expr,
        c: &Comprehension,
        hint: Option<&Type>,
    ) -> Result<ValueId> {
        let clause = self.only_clause(span, c)?;
        let dict = self.value("prim::DictConstruct", &[], Type::dict(Type::Str, Type::tensor()), None);
        let expected = self.expected(span, hint, Container::Dict, false)?;
        if let Some(t @ Type::Dict(..)) = &expected.refined {
            self.graph.set_type(dict, t.clone());
        }
        let mut first_key: Option<Type> = None;
        self.comprehension_scope(span, clause, |e| {
            let k = e.expression(key)?;
            let v = e.expression(&c.element)?;
            let (key_type, value_type) = (e.ty(k).clone(), e.ty(v).clone());
            e.check_key(span, first_key.as_ref(), &key_type)?;
            first_key = Some(key_type.clone());
            let ty = match (&expected.refined, hint) {
                (_, Some(hint)) if !expected.candidates.is_empty() => {
                    e.choose_dict(span, &expected.candidates, hint, &key_type, &value_type)?
                }
                (Some(t @ Type::Dict(..)), _) => t.clone(),
                _ => Type::dict(key_type.clone(), value_type.clone()),
            };
            e.check_entry(span, &ty, &key_type, &value_type)?;
            if let Type::Dict(k_type, v_type) = &ty {
                e.set_type_of(k, (**k_type).clone());
                e.set_type_of(v, (**v_type).clone());
            }
            e.graph.set_type(dict, ty);
            let place = e.at(span);
            e.operator(Some(&place), "aten::_set_item", &[dict, k, v]).map(drop)
        })?;
        Ok(match expected.union {
            Some(union) => self.unchecked_cast(dict, union),
            None => dict,
        })
    }

    fn check_key(&self, span: Span, first: Option<&Type>, key: &Type) -> Result<()> {
        match first {
            _ if types::is_union(key) => Err(self.error(
                &self.at(span),
                format!(
                    "Dicts may only contain homogeneous keys, but the type of the first generated key was {}",
                    key.annotation_str()
                ),
            )),
            Some(first) if first != key => Err(self.error(
                &self.at(span),
                format!(
                    "Dicts may only contain homogeneous keys. Expected dict comprehension to generate type {}, but got {}",
                    first.annotation_str(),
                    key.annotation_str()
                ),
            )),
            _ => Ok(()),
        }
    }

    fn check_entry(&mut self, span: Span, dict: &Type, key: &Type, value: &Type) -> Result<()> {
        let Type::Dict(wanted_key, wanted_value) = dict else { return Ok(()) };
        let mut why = String::new();
        for (what, wanted, found) in [("key", wanted_key, key), ("value", wanted_value, value)] {
            if !self.compiler.is_subtype(found, wanted) {
                why.push_str(&format!(
                    "Dict type annotation `{}` did not match the type of an actual {what} type `{}`\n",
                    dict.annotation_str(),
                    found.annotation_str()
                ));
            }
        }
        if why.is_empty() { Ok(()) } else { Err(self.error(&self.at(span), why)) }
    }
}

fn element_of(list: Option<&Type>) -> Option<Type> {
    match list {
        Some(Type::List(e)) => Some((**e).clone()),
        _ => None,
    }
}
