//! Subscripts: of tensors with integers, slices, None, ellipsis and tensors in any mixture, of lists, strings, dicts, tuples and modules.

use super::assign::named;
use super::function::Emitter;
use super::matching::{convertible_to_list, tuple_members};
use super::{Result, Sugared};
use crate::graph::{Loc, ValueId};
use sconce_schema::{DType, Type};
use sconce_syntax::Span;
use sconce_syntax::script::tree::{Expr, ExprKind, Index};
use sconce_tensor::IValue;

/// A subscript's item once it was looked at.
enum Item {
    Slice,
    SliceObject { start: ValueId, stop: ValueId, step: ValueId },
    Ellipsis,
    Value(ValueId),
}

impl Emitter<'_> {
    pub(super) fn subscript(
        &mut self,
        span: Span,
        value: &Expr,
        items: &[Index],
        hint: Option<&Type>,
    ) -> Result<Sugared> {
        let sugared = self.sugared(value, None)?;
        let place = self.at(span);
        let at = self.at(value.span);
        let item = match items {
            [Index::Slice { start, stop, step, .. }] => {
                let bounds = [start.as_ref(), stop.as_ref(), step.as_ref()];
                return self.slice_subscript(&place, &at, &sugared, bounds);
            }
            [Index::At(item)] => item,
            _ => {
                let object = self.as_value(&sugared, &at)?;
                return self.multidimensional(&place, object, items).map(Sugared::Value);
            }
        };
        if let Sugared::Module(..) = &sugared {
            let index = self.sugared(item, None)?;
            let index = self.as_value(&index, &at)?;
            return self.getitem(&sugared, &place, index, hint);
        }
        let object = self.as_value(&sugared, &at)?;
        let index = self.sugared(item, None)?;
        if let Sugared::Slice { start, stop, step } = index {
            let dim = self.ty(object).is_tensor().then(|| self.constant(IValue::Int(0), Some(&at)));
            return self.slice_values(&at, object, dim, Some(start), Some(stop), Some(step)).map(Sugared::Value);
        }
        let index = self.as_value(&index, &at)?;
        if tuple_members(self.ty(object)).is_some() {
            return self.tuple_index(&place, object, index).map(Sugared::Value);
        }
        if self.ty(object).is_tensor() {
            return self.multidimensional(&place, object, items).map(Sugared::Value);
        }
        self.getitem(&sugared, &place, index, hint)
    }

    /// `value[start:stop:step]`
    fn slice_subscript(
        &mut self,
        place: &Loc,
        at: &Loc,
        sugared: &Sugared,
        bounds: [Option<&Expr>; 3],
    ) -> Result<Sugared> {
        if let Sugared::Module(..) = sugared {
            let tuple = self.module_tuple(sugared, at)?;
            let bounds = self.slice_bounds(bounds)?;
            return self.sugared_slice(at, &tuple, bounds);
        }
        let object = self.as_value(sugared, at)?;
        let dim = self.ty(object).is_tensor().then(|| self.constant(IValue::Int(0), Some(place)));
        let [start, stop, step] = self.slice_bounds(bounds)?;
        self.slice_values(place, object, dim, start, stop, step).map(Sugared::Value)
    }

    fn slice_bounds(&mut self, bounds: [Option<&Expr>; 3]) -> Result<[Option<ValueId>; 3]> {
        let mut out = [None; 3];
        for (slot, bound) in out.iter_mut().zip(bounds) {
            *slot = bound.map(|b| self.expression(b)).transpose()?;
        }
        Ok(out)
    }

    /// A part of a list of modules, as a tuple.
    fn sugared_slice(&mut self, place: &Loc, tuple: &[Sugared], bounds: [Option<ValueId>; 3]) -> Result<Sugared> {
        let (start, step, count) = self.tuple_slice_bounds(place, tuple.len(), bounds)?;
        let part: Vec<Sugared> = (0..count)
            .filter_map(|i| usize::try_from(start + i * step).ok().and_then(|i| tuple.get(i)).cloned())
            .collect();
        let part = part.iter().map(|s| self.as_value(s, place)).collect::<Result<Vec<_>>>()?;
        Ok(Sugared::Value(self.tuple(&part)))
    }

    /// A slice of a tensor (with its dimension), list, string or tuple.
    fn slice_values(
        &mut self,
        place: &Loc,
        object: ValueId,
        dim: Option<ValueId>,
        start: Option<ValueId>,
        stop: Option<ValueId>,
        step: Option<ValueId>,
    ) -> Result<ValueId> {
        if tuple_members(self.ty(object)).is_some() {
            return self.tuple_slice(place, object, [start, stop, step]);
        }
        let step = step.unwrap_or_else(|| self.constant(IValue::Int(1), Some(place)));
        let mut args = vec![object.into()];
        args.extend(dim.map(super::Named::from));
        let none = |e: &mut Self, v: Option<ValueId>| v.unwrap_or_else(|| e.constant(IValue::None, Some(place)));
        let start = none(self, start);
        let stop = none(self, stop);
        let kwargs = [named("start", start), named("end", stop), named("step", step)];
        self.call_operator(Some(place), "aten::slice", &args, &kwargs, None)
    }

    // -- tuples

    fn tuple_index(&mut self, place: &Loc, tuple: ValueId, index: ValueId) -> Result<ValueId> {
        let members = tuple_members(self.ty(tuple)).unwrap_or_default();
        if *self.ty(index) != Type::Int {
            return Err(self.error(place, "tuple index must be an integer"));
        }
        let ty = match self.graph.constant(index) {
            Some(IValue::Int(i)) => {
                let i = *i;
                let at = if i < 0 { i + members.len() as i64 } else { i };
                match usize::try_from(at).ok().and_then(|at| members.get(at)) {
                    Some(t) => t.clone(),
                    None => {
                        return Err(self.error(
                            place,
                            format!("Tuple index out of range. Tuple is length {} and index is {i}", members.len()),
                        ));
                    }
                }
            }
            _ => match members.first() {
                Some(first) if convertible_to_list(self.ty(tuple), &Type::list(first.clone())) => first.clone(),
                _ => {
                    return Err(self.error(
                        place,
                        format!(
                            "Cannot index into a {} with a non-integer literal because we cannot resolve the output type",
                            self.repr(tuple)
                        ),
                    ));
                }
            },
        };
        Ok(self.value("prim::TupleIndex", &[tuple, index], ty, None))
    }

    /// Start, step and number of elements of a tuple's slice.
    fn tuple_slice_bounds(&self, place: &Loc, len: usize, bounds: [Option<ValueId>; 3]) -> Result<(i64, i64, i64)> {
        let constant = |v: Option<ValueId>| match v.map(|v| self.graph.constant(v)) {
            None => Ok(None),
            Some(Some(IValue::Int(i))) => Ok(Some(*i)),
            Some(_) => Err(self.error(place, "tuple slice indices must be integer constants")),
        };
        let (start, stop, step) = (constant(bounds[0])?, constant(bounds[1])?, constant(bounds[2])?.unwrap_or(1));
        if step == 0 {
            return Err(self.error(place, "slice step cannot be zero"));
        }
        let len = len as i64;
        let clamp = |v: Option<i64>, default: i64| match v {
            None => default,
            Some(v) if v < 0 => (v + len).max(if step < 0 { -1 } else { 0 }),
            Some(v) => v.min(if step < 0 { len - 1 } else { len }),
        };
        let (start, stop) =
            if step > 0 { (clamp(start, 0), clamp(stop, len)) } else { (clamp(start, len - 1), clamp(stop, -1)) };
        let span = if step > 0 { stop - start } else { start - stop };
        let count = if span <= 0 { 0 } else { (span - 1) / step.saturating_abs() + 1 };
        Ok((start, step, count))
    }

    fn tuple_slice(&mut self, place: &Loc, tuple: ValueId, bounds: [Option<ValueId>; 3]) -> Result<ValueId> {
        let members = tuple_members(self.ty(tuple)).unwrap_or_default();
        let (start, step, count) = self.tuple_slice_bounds(place, members.len(), bounds)?;
        let picked: Vec<usize> = (0..count).filter_map(|i| usize::try_from(start + i * step).ok()).collect();
        let mut values = Vec::with_capacity(picked.len());
        for i in picked {
            let index = self.constant(IValue::Int(i as i64), None);
            let ty = members.get(i).cloned().unwrap_or(Type::Any);
            values.push(self.value("prim::TupleIndex", &[tuple, index], ty, None));
        }
        Ok(self.tuple(&values))
    }

    // -- tensors

    /// `tensor[items]`
    fn multidimensional(&mut self, place: &Loc, object: ValueId, items: &[Index]) -> Result<ValueId> {
        if !self.ty(object).is_tensor() {
            return Err(self.error(
                place,
                "Unsupported operation: attempted to use multidimensional indexing on a non-tensor type",
            ));
        }
        let (sliced, indices) = self.int_and_slice_indexing(place, object, items)?;
        if indices.is_empty() { Ok(sliced) } else { self.index(place, sliced, &indices) }
    }

    pub(super) fn index(&mut self, place: &Loc, object: ValueId, indices: &[ValueId]) -> Result<ValueId> {
        let list = self.list(indices, Type::optional(Type::tensor()));
        self.operator(Some(place), "aten::index", &[object, list])
    }

    /// Looks at one item; gives it and the dimension the next one stands for.
    fn look_at(&mut self, place: &Loc, item: &Index, dim: i64, reverse: bool) -> Result<(Item, i64)> {
        let next = if reverse { dim - 1 } else { dim + 1 };
        let Index::At(e) = item else { return Ok((Item::Slice, next)) };
        let sugared = self.sugared(e, None)?;
        if let Sugared::Slice { start, stop, step } = sugared {
            return Ok((Item::SliceObject { start, stop, step }, next));
        }
        let at = self.at(e.span);
        let mut index = self.as_value(&sugared, &at)?;
        if matches!(self.ty(index), Type::List(_)) {
            let dtype = self.constant(IValue::Int(DType::I64.number()), None);
            index = self.call_operator(None, "aten::tensor", &[index.into()], &[named("dtype", dtype)], None)?;
        }
        let ty = self.ty(index);
        let next = if *ty == Type::None {
            if reverse { dim } else { dim + 1 }
        } else if *ty == Type::Int {
            if reverse { dim - 1 } else { dim }
        } else if ty.is_subtype_of(&Type::optional(Type::tensor())) {
            if reverse {
                return Err(self.error(place, "Ellipses followed by tensor indexing is currently not supported"));
            }
            dim + 1
        } else {
            return Err(self.error(
                place,
                format!(
                    "Unsupported operation: indexing tensor with unsupported index type '{}'. Only ints, slices, lists and tensors \
                     are supported",
                    self.repr(index)
                ),
            ));
        };
        Ok((Item::Value(index), next))
    }

    /// Applies all integers, slices and None of a subscript; gives the result and the tensors that are left to index with.
    pub(super) fn int_and_slice_indexing(
        &mut self,
        place: &Loc,
        object: ValueId,
        items: &[Index],
    ) -> Result<(ValueId, Vec<ValueId>)> {
        let is_ellipsis = |i: &Index| matches!(i, Index::At(e) if e.kind == ExprKind::Ellipsis);
        let mut looked: Vec<Option<(Item, i64)>> = items.iter().map(|_| None).collect();
        let ellipsis = items.iter().position(is_ellipsis);
        let mut dim = 0;
        for (i, item) in items.iter().enumerate().take(ellipsis.unwrap_or(items.len())) {
            let (seen, next) = self.look_at(place, item, dim, false)?;
            looked[i] = Some((seen, dim));
            dim = next;
        }
        if let Some(ellipsis) = ellipsis {
            looked[ellipsis] = Some((Item::Ellipsis, 0));
            let mut dim = -1;
            for i in (ellipsis + 1..items.len()).rev() {
                if is_ellipsis(&items[i]) {
                    return Err(self.error(place, "An index can only have a single ellipsis ('...')"));
                }
                let (seen, next) = self.look_at(place, &items[i], dim, true)?;
                looked[i] = Some((seen, dim));
                dim = next;
            }
        }
        self.apply_items(place, object, items, looked)
    }

    fn apply_items(
        &mut self,
        place: &Loc,
        object: ValueId,
        items: &[Index],
        looked: Vec<Option<(Item, i64)>>,
    ) -> Result<(ValueId, Vec<ValueId>)> {
        let mut sliced = object;
        let mut tensors: Vec<Option<ValueId>> = Vec::new();
        for (item, seen) in items.iter().zip(looked) {
            let Some((seen, dim)) = seen else { continue };
            match seen {
                Item::Ellipsis => {}
                Item::Slice => {
                    let Index::Slice { start, stop, step, .. } = item else { continue };
                    let dim = self.constant(IValue::Int(dim), Some(place));
                    let [start, stop, step] = self.slice_bounds([start.as_ref(), stop.as_ref(), step.as_ref()])?;
                    sliced = self.slice_values(place, sliced, Some(dim), start, stop, step)?;
                }
                Item::SliceObject { start, stop, step } => {
                    let dim = self.constant(IValue::Int(dim), Some(place));
                    sliced = self.slice_values(place, sliced, Some(dim), Some(start), Some(stop), Some(step))?;
                }
                Item::Value(index) if *self.ty(index) == Type::None => {
                    let dim = self.constant(IValue::Int(dim), Some(place));
                    sliced = self.operator(Some(place), "aten::unsqueeze", &[sliced, dim])?;
                }
                Item::Value(index) if *self.ty(index) == Type::Int => {
                    let dim = self.constant(IValue::Int(dim), Some(place));
                    sliced = self.operator(Some(place), "aten::select", &[sliced, dim, index])?;
                }
                Item::Value(index) => {
                    let Ok(at) = usize::try_from(dim) else { continue };
                    if tensors.len() <= at {
                        tensors.resize(at + 1, None);
                    }
                    tensors[at] = Some(index);
                }
            }
        }
        let tensors = tensors.into_iter().map(|t| t.unwrap_or_else(|| self.constant(IValue::None, None))).collect();
        Ok((sliced, tensors))
    }
}
