//! List and dict literals: their element types, from the elements and from what is expected where they stand.

use super::function::Emitter;
use super::{Result, types};
use crate::graph::ValueId;
use sconce_schema::Type;
use sconce_syntax::Span;
use sconce_syntax::script::tree::Expr;

/// What an annotation says of a container that stands where a value of its type is expected.
pub(super) struct Expected {
    /// The container's type where there is one answer.
    pub refined: Option<Type>,
    /// Several containers of a union.
    pub candidates: Vec<Type>,
    /// The union that the container is cast to afterwards.
    pub union: Option<Type>,
}

/// Which containers an annotation is looked through for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Container {
    List,
    Dict,
}

impl Container {
    fn word(self) -> &'static str {
        match self {
            Container::List => "List",
            Container::Dict => "Dict",
        }
    }
    fn fits(self, t: &Type) -> bool {
        match self {
            Container::List => matches!(t, Type::List(_) | Type::AnyList),
            Container::Dict => matches!(t, Type::Dict(..)),
        }
    }
}

impl Emitter<'_> {
    /// Looks an annotation through for a container. A constructor call (`dict(…)`) may be something else.
    pub(super) fn expected(
        &self,
        span: Span,
        hint: Option<&Type>,
        what: Container,
        constructor: bool,
    ) -> Result<Expected> {
        let mut out = Expected { refined: hint.cloned(), candidates: Vec::new(), union: None };
        let Some(hint) = hint else { return Ok(out) };
        match hint {
            Type::Union(members) => {
                out.union = Some(hint.clone());
                let fitting: Vec<Type> = members.iter().filter(|t| what.fits(t)).cloned().collect();
                match fitting.as_slice() {
                    [] if !constructor => {
                        return Err(self.error(
                            &self.at(span),
                            format!(
                                "Expected an Union type annotation with an inner {} type, but got {}",
                                what.word(),
                                hint.annotation_str()
                            ),
                        ));
                    }
                    [one] => out.refined = Some(one.clone()),
                    _ => out.candidates = fitting,
                }
            }
            Type::Optional(inner) => out.refined = Some((**inner).clone()),
            _ => {}
        }
        if constructor || !out.candidates.is_empty() {
            return Ok(out);
        }
        match &out.refined {
            Some(t) if what.fits(t) => Ok(out),
            Some(Type::Any) => {
                out.refined = None;
                Ok(out)
            }
            _ => Err(self.error(
                &self.at(span),
                format!("Expected an annotation of type {} but got {}", what.word(), hint.annotation_str()),
            )),
        }
    }

    /// The list of the candidates that holds elements of a type.
    pub(super) fn choose_list(&mut self, span: Span, candidates: &[Type], hint: &Type, element: &Type) -> Result<Type> {
        let mut greatest: Option<Type> = None;
        for candidate in candidates {
            let Type::List(wanted) = candidate else { continue };
            if self.compiler.is_subtype(element, wanted) {
                greatest = match greatest {
                    None => Some((**wanted).clone()),
                    Some(g) => g.unify(wanted).or(Some(g)),
                };
            }
        }
        match greatest {
            Some(element) => Ok(Type::list(element)),
            None => Err(self.error(
                &self.at(span),
                format!(
                    "Union type annotation `{}` can hold {}, but none of those types match the types of the given list elements, \
                     which were unified to {}",
                    hint.annotation_str(),
                    one_of(candidates),
                    element.annotation_str()
                ),
            )),
        }
    }

    /// The dict of the candidates that holds keys and values of these types.
    pub(super) fn choose_dict(
        &mut self,
        span: Span,
        candidates: &[Type],
        hint: &Type,
        key: &Type,
        value: &Type,
    ) -> Result<Type> {
        let mut best: Option<(&Type, &Type, &Type)> = None;
        for candidate in candidates {
            let Type::Dict(k, v) = candidate else { continue };
            if self.compiler.is_subtype(key, k)
                && self.compiler.is_subtype(value, v)
                && best.is_none_or(|(_, bk, bv)| bk.is_subtype_of(k) && bv.is_subtype_of(v))
            {
                best = Some((candidate, k, v));
            }
        }
        match best {
            Some((candidate, ..)) => Ok(candidate.clone()),
            None => Err(self.error(
                &self.at(span),
                format!(
                    "Union type annotation `{}` can hold {}, but none of those dict types can hold the types of the given keys and \
                     values, which were unified to Dict[{}, {}",
                    hint.annotation_str(),
                    one_of(candidates),
                    key.annotation_str(),
                    value.annotation_str()
                ),
            )),
        }
    }

    pub(super) fn list_literal(&mut self, span: Span, items: &[Expr], hint: Option<&Type>) -> Result<ValueId> {
        let values: Vec<ValueId> = self.arguments(items)?.into_iter().map(|n| n.value).collect();
        if values.is_empty() && hint.is_none() {
            return Ok(self.value("prim::EmptyListLiteral", &[], Type::list(Type::tensor()), None));
        }
        let mut expected = self.expected(span, hint, Container::List, false)?;
        if values.is_empty() && !expected.candidates.is_empty() {
            return Err(self.error(
                &self.at(span),
                format!(
                    "Cannot assign an empty list to a variable annotated to be type {} because there are multiple possible List \
                     type candidates in the Union annotation",
                    hint.map(Type::annotation_str).unwrap_or_default()
                ),
            ));
        }
        let mut element = match &expected.refined {
            Some(Type::List(e)) => (**e).clone(),
            _ => Type::tensor(),
        };
        if !values.is_empty() {
            let types: Vec<Type> = values.iter().map(|v| self.ty(*v).clone()).collect();
            let wanted = match &expected.refined {
                Some(Type::List(e)) if expected.candidates.is_empty() => Some((**e).clone()),
                _ => None,
            };
            let joined = types::unify_all(&types, true, wanted.as_ref()).unwrap_or(Type::Any);
            if let Some(wanted) = &wanted
                && !self.compiler.is_subtype(&joined, wanted)
            {
                let refined = expected.refined.as_ref().map(Type::annotation_str).unwrap_or_default();
                return Err(self.error(
                    &self.at(span),
                    format!(
                        "List type annotation `{refined}` did not match the types of the given list elements, which were unified to {}",
                        joined.annotation_str()
                    ),
                ));
            }
            if let Some(hint) = hint.filter(|_| !expected.candidates.is_empty()) {
                let chosen = self.choose_list(span, &expected.candidates, hint, &joined)?;
                if let Type::List(e) = &chosen {
                    element = (**e).clone();
                }
                expected.refined = Some(chosen);
            } else if wanted.is_none() {
                element = joined;
            }
        }
        let list = self.list(&values, element);
        Ok(match expected.union {
            Some(union) => self.unchecked_cast(list, union),
            None => list,
        })
    }

    pub(super) fn dict_literal(
        &mut self,
        span: Span,
        items: &[(Option<Expr>, Expr)],
        hint: Option<&Type>,
    ) -> Result<ValueId> {
        let mut keys: Vec<ValueId> = Vec::with_capacity(items.len());
        let mut operands = Vec::with_capacity(items.len() * 2);
        let mut value_type: Option<Type> = None;
        for (key, value) in items {
            let Some(key_tree) = key else {
                return Err(self.error(&self.at(value.span), "Dict expansion ('**dict') is not supported"));
            };
            let key = self.expression(key_tree)?;
            let value = self.expression(value)?;
            if let Some(before) = keys.last()
                && std::mem::discriminant(self.ty(*before)) != std::mem::discriminant(self.ty(key))
            {
                return Err(self.error(
                    &self.at(key_tree.span),
                    format!(
                        "Dict keys must contain only a single type. Expected: {} but found {} instead",
                        self.repr(*before),
                        self.repr(key)
                    ),
                ));
            }
            keys.push(key);
            operands.extend([key, value]);
            let ty = self.ty(value).clone();
            value_type = match value_type {
                None => Some(ty),
                Some(before) => types::unify(&before, &ty, true, None),
            };
        }
        let expected = self.expected(span, hint, Container::Dict, false)?;
        let found = keys.first().map(|k| self.ty(*k).clone()).zip(value_type);
        let ty = self.dict_type(span, hint, &expected, found)?;
        let dict = self.value("prim::DictConstruct", &operands, ty, None);
        Ok(match expected.union {
            Some(union) => self.unchecked_cast(dict, union),
            None => dict,
        })
    }

    /// The type of a dict literal, `found` its keys' and values' types.
    fn dict_type(
        &mut self,
        span: Span,
        hint: Option<&Type>,
        expected: &Expected,
        found: Option<(Type, Type)>,
    ) -> Result<Type> {
        let place = self.at(span);
        let Some((key, value)) = found else {
            if let Some(hint) = hint.filter(|_| !expected.candidates.is_empty()) {
                return Err(self.error(
                    &place,
                    format!(
                        "Cannot assign an empty dict to a variable annotated to be type {} because there are multiple possible Dict \
                         type candidates in the Union annotation",
                        hint.annotation_str()
                    ),
                ));
            }
            return Ok(expected.refined.clone().unwrap_or_else(|| Type::dict(Type::Str, Type::tensor())));
        };
        let ty = match (hint, &expected.refined) {
            (Some(hint), _) if !expected.candidates.is_empty() => {
                self.choose_dict(span, &expected.candidates, hint, &key, &value)?
            }
            (_, Some(t)) => t.clone(),
            (_, None) => {
                self.compiler.check_key(&key, &place)?;
                Type::dict(key.clone(), value.clone())
            }
        };
        let Type::Dict(wanted_key, wanted_value) = &ty else { return Ok(ty) };
        if **wanted_key != key {
            return Err(self.error(
                &place,
                format!(
                    "Type annotation was inferred to be {}but the type of keys given by the dict literal is {}",
                    ty.annotation_str(),
                    key.annotation_str()
                ),
            ));
        }
        if !self.compiler.is_subtype(&value, wanted_value) {
            return Err(self.error(
                &place,
                format!(
                    "Type annotation was inferred to be `{}`, but the type of values given by the dict literal is {}",
                    ty.annotation_str(),
                    value.annotation_str()
                ),
            ));
        }
        Ok(ty)
    }
}

/// `A, B or C`
fn one_of(types: &[Type]) -> String {
    let mut out = String::new();
    for (i, t) in types.iter().enumerate() {
        if i > 0 && types.len() > 2 {
            out.push_str(", ");
        }
        if i != 0 && i + 1 == types.len() {
            out.push_str(" or ");
        }
        out.push_str(&t.annotation_str());
    }
    out
}
