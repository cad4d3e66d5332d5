//! What can be iterated over, indexed and unpacked: values of the graph, ranges, tuples of whatever, and `zip` of these.

use super::Result;
use super::function::{Assumed, Emitter};
use super::matching::tuple_members;
use super::sugared::{Iterables, Sugared};
use crate::graph::{Attr, Loc, ValueId};
use sconce_schema::Type;
use sconce_tensor::{EnumValue, IValue};
use std::rc::Rc;
use std::sync::Arc;

impl Emitter<'_> {
    /// A value of the graph for what something stands for.
    pub fn as_value(&mut self, sugared: &Sugared, place: &Loc) -> Result<ValueId> {
        match sugared {
            Sugared::Value(v) | Sugared::Module(_, v) | Sugared::Closure(v) => Ok(*v),
            Sugared::Constant(ty, value) => Ok(self.constant_tree(ty.clone(), value.clone(), place)),
            Sugared::Tuple(members) => {
                let values = members.iter().map(|m| self.as_value(m, place)).collect::<Result<Vec<_>>>()?;
                Ok(self.tuple(&values))
            }
            Sugared::Nothing => Ok(self.constant(IValue::None, Some(place))),
            Sugared::Custom(custom) => custom.clone().as_value(self, place),
            Sugared::Python(_) => Err(self.error(
                place,
                format!(
                    "{} cannot be used as a value. Perhaps it is a closed over global variable? If so, please consider passing it in \
                     as an argument or use a local variable instead.",
                    self.kind(sugared)
                ),
            )),
            other => Err(self.error(place, format!("{} cannot be used as a value", self.kind(other)))),
        }
    }

    /// What an operator that nobody knows gives is a tuple where it is unpacked.
    fn unknown_parts(&mut self, value: ValueId, size: Option<usize>) -> Option<Vec<ValueId>> {
        match (self.assumed.get(&value), size) {
            (Some(Assumed::UnknownOperator), Some(size)) => {
                let tuple = self.unchecked_cast(value, Type::Tuple(vec![Type::tensor(); size].into()));
                let parts = self.tuple_unpack(tuple);
                self.assumed.extend(parts.iter().map(|p| (*p, Assumed::UnknownOperator)));
                Some(parts)
            }
            _ => None,
        }
    }

    /// The parts of a tuple, or of a list that `size` targets take.
    pub(super) fn as_tuple(&mut self, sugared: &Sugared, place: &Loc, size: Option<usize>) -> Result<Vec<Sugared>> {
        let value = match sugared {
            Sugared::Value(v) => *v,
            Sugared::Tuple(members) => return Ok(members.to_vec()),
            Sugared::Module(..) => return self.module_tuple(sugared, place),
            Sugared::Constant(..) => self.as_value(sugared, place)?,
            Sugared::Custom(custom) => {
                let iterated = custom.clone().iter(self, place)?;
                return self.as_tuple(&iterated, place, size);
            }
            other => return Err(self.error(place, format!("{} cannot be used as a tuple", self.kind(other)))),
        };
        if let Some(parts) = self.unknown_parts(value, size) {
            return Ok(parts.into_iter().map(Sugared::Value).collect());
        }
        match self.ty(value).clone() {
            Type::Tuple(_) | Type::NamedTuple(_) => Ok(self.tuple_unpack(value).into_iter().map(Sugared::Value).collect()),
            Type::List(element) => {
                let Some(size) = size else {
                    return Err(self.error(place, "cannot statically infer the expected size of a list in this context"));
                };
                let node = self.node("prim::ListUnpack", &[value], None);
                Ok((0..size).map(|_| Sugared::Value(self.graph.add_output(node, None, (*element).clone()))).collect())
            }
            Type::AnyTuple => Err(self.error(
                place,
                "Provided tuple is not fully defined/refined including its element types, please provide a value of type like \
                 Tuple[int, int]",
            )),
            _ => Err(self.error(place, format!("{} cannot be used as a tuple", self.repr(value)))),
        }
    }

    /// What a loop runs over.
    pub(super) fn iter(&mut self, sugared: &Sugared, place: &Loc) -> Result<Sugared> {
        match sugared {
            Sugared::Value(v) => self.iter_value(*v, place),
            Sugared::Constant(..) => {
                let value = self.as_value(sugared, place)?;
                self.iter_value(value, place)
            }
            Sugared::Range(_) | Sugared::Iterables(_) | Sugared::Tuple(_) => Ok(sugared.clone()),
            Sugared::Module(..) => self.iter_module(sugared, place),
            Sugared::Enum(class) => self.enum_members(class, place),
            Sugared::Custom(custom) => custom.clone().iter(self, place),
            other => Err(self.error(place, format!("{} cannot be used as an iterable", self.kind(other)))),
        }
    }

    fn iter_value(&mut self, value: ValueId, place: &Loc) -> Result<Sugared> {
        match self.ty(value) {
            Type::List(_) | Type::Str | Type::Tensor(_) => Ok(Sugared::Value(value)),
            Type::Dict(..) => self.operator(Some(place), "aten::keys", &[value]).map(Sugared::Value),
            t if tuple_members(t).is_some() => {
                Ok(Sugared::Tuple(self.tuple_unpack(value).into_iter().map(Sugared::Value).collect()))
            }
            _ => Err(self.error(place, format!("'{}' object is not iterable", self.repr(value)))),
        }
    }

    fn enum_members(&mut self, class: &Arc<str>, place: &Loc) -> Result<Sugared> {
        let members = self.compiler.unit.classes.get(class).map(|c| c.constants.clone()).unwrap_or_default();
        let items = members
            .into_iter()
            .map(|(name, _, value)| IValue::Enum(Arc::new(EnumValue { class: class.clone(), name, value })))
            .collect::<Vec<_>>();
        let list = IValue::list(Type::Enum(class.clone()), items);
        Ok(Sugared::Value(self.constant(list, Some(place))))
    }

    /// How often a loop over it is unrolled; `None` for a loop of the graph.
    pub(super) fn unrolled_length(&self, sugared: &Sugared) -> Option<i64> {
        match sugared {
            Sugared::Tuple(members) => Some(members.len() as i64),
            Sugared::Iterables(it) => it.unroll,
            Sugared::Range(range) => range.static_len,
            _ => None,
        }
    }

    pub(super) fn add_child(&self, place: &Loc, iterables: &mut Iterables, child: Sugared) -> Result<()> {
        let length = self.unrolled_length(&child);
        if iterables.children.is_empty() {
            iterables.unroll = length;
        } else {
            iterables.unroll = match (iterables.unroll, length) {
                (None, None) => None,
                (Some(a), Some(b)) => Some(a.min(b)),
                _ => {
                    return Err(self.error(
                        place,
                        "Can not iterate over a module list or tuple with a value that does not have a statically determinable \
                         length\n",
                    ));
                }
            };
        }
        iterables.children.push(child);
        Ok(())
    }

    /// The trip count of a loop over it.
    pub(super) fn length(&mut self, sugared: &Sugared, place: &Loc) -> Result<ValueId> {
        match sugared {
            Sugared::Value(v) => match self.ty(*v) {
                Type::List(_) | Type::Str | Type::Tensor(_) => self.operator(Some(place), "aten::len", &[*v]),
                _ => Err(self.error(place, format!("'{}' object is not iterable", self.repr(*v)))),
            },
            Sugared::Range(range) => match range.static_len {
                Some(n) => Ok(self.constant(IValue::Int(n), Some(place))),
                None if range.only_end => Ok(range.end),
                None => self.operator(Some(place), "aten::__range_length", &[range.start, range.end, range.step]),
            },
            Sugared::Iterables(it) => {
                let mut leaves = Vec::new();
                leaves_of(it, &mut leaves);
                let lengths = leaves.iter().map(|l| self.length(l, place)).collect::<Result<Vec<_>>>()?;
                let list = self.list(&lengths, Type::Int);
                self.operator(Some(place), "prim::min", &[list])
            }
            other => Err(self.error(place, format!("'{}' object is not iterable", self.kind(other)))),
        }
    }

    /// One item of it.
    pub(super) fn getitem(
        &mut self,
        sugared: &Sugared,
        place: &Loc,
        index: ValueId,
        hint: Option<&Type>,
    ) -> Result<Sugared> {
        match sugared {
            Sugared::Value(v) => self.getitem_value(*v, place, index, hint),
            Sugared::Range(range) if range.only_end => Ok(Sugared::Value(index)),
            Sugared::Range(range) => self
                .operator(Some(place), "aten::__derive_index", &[index, range.start, range.step])
                .map(Sugared::Value),
            Sugared::Iterables(it) => {
                let items =
                    it.children.iter().map(|c| self.getitem(c, place, index, None)).collect::<Result<Vec<_>>>()?;
                Ok(Sugared::Tuple(items.into()))
            }
            Sugared::Tuple(members) => self.tuple_member(members, place, index),
            Sugared::Module(..) => self.module_item(sugared, place, index, hint),
            Sugared::Custom(custom) => custom.clone().getitem(self, place, index),
            other => Err(self.error(place, format!("'{}' object is not subscriptable", self.kind(other)))),
        }
    }

    fn tuple_member(&mut self, members: &Rc<[Sugared]>, place: &Loc, index: ValueId) -> Result<Sugared> {
        let Some(IValue::Int(i)) = self.graph.constant(index) else {
            return Err(self.error(
                place,
                "Expected integer literal for index but got a variable or non-integer. ModuleList/Sequential indexing is only supported with integer literals. For \
                 example, 'i = 4; self.layers[i](x)' will fail because i is not a literal. Enumeration is supported, e.g. 'for index, \
                 v in enumerate(self): out = v(inp)'",
            ));
        };
        let at = if *i < 0 { *i + members.len() as i64 } else { *i };
        match usize::try_from(at).ok().and_then(|at| members.get(at)) {
            Some(member) => Ok(member.clone()),
            None => Err(self.error(place, format!("Index {i} out of range of length {}", members.len()))),
        }
    }

    fn getitem_value(&mut self, value: ValueId, place: &Loc, index: ValueId, hint: Option<&Type>) -> Result<Sugared> {
        match self.ty(value).clone() {
            Type::List(_) | Type::Str | Type::Dict(..) => {
                self.operator(Some(place), "aten::__getitem__", &[value, index]).map(Sugared::Value)
            }
            Type::Tensor(_) => {
                let zero = self.constant(IValue::Int(0), Some(place));
                self.operator(Some(place), "aten::select", &[value, zero, index]).map(Sugared::Value)
            }
            Type::Class(class) => {
                if let Some(hint) = hint
                    && self.compiler.unit.classes.get(&class).is_some_and(|c| c.is_module())
                {
                    let item = self.value("prim::ModuleContainerIndex", &[value, index], hint.clone(), Some(place));
                    return Ok(Sugared::Value(item));
                }
                let method = self.attr(&Sugared::Value(value), place, "__getitem__")?;
                self.call(&method, place, &[index.into()], &[])
            }
            _ => Err(self.error(place, format!("'{}' object is not subscriptable", self.repr(value)))),
        }
    }

    /// `prim::GetAttr[name]`; its value is called like the attribute, `_0` where that is a number.
    pub(super) fn get_attribute(&mut self, object: ValueId, name: &str, ty: Type) -> ValueId {
        let value = self.value("prim::GetAttr", &[object], ty, None);
        let is_number = name.bytes().all(|b| b.is_ascii_digit());
        self.graph.set_name(value, Some(&if is_number { format!("_{name}") } else { name.to_owned() }));
        if let Some(node) = self.graph.defining(value) {
            self.graph.set_attr(node, "name", Attr::Str(Arc::from(name)));
        }
        value
    }
}

fn leaves_of(iterables: &Iterables, out: &mut Vec<Sugared>) {
    for child in &iterables.children {
        match child {
            Sugared::Iterables(inner) => leaves_of(inner, out),
            leaf => out.push(leaf.clone()),
        }
    }
}
