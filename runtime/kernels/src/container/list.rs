//! Lists: shared handles that operators change in place; indices as Python's, every error PyTorch's.

use crate::container::text::text_of;
use crate::container::views::views;
use crate::engine::calling::kernels;
use crate::engine::lanes::in_order;
use crate::engine::number::{Number, tensors_equal, truth_of};
use crate::{Call, Error, Outputs, arg};
use num_complex::Complex;
use sconce_schema::Type;
use sconce_tensor::{DType, Handle, IValue, List, Tensor, dispatch};
use smallvec::smallvec;
use std::cell::RefCell;
use std::cmp::Ordering;

/// No list made by `*` is longer than this: `[0] * 10**18` is an error, not an allocation.
const MAX_ITEMS: usize = 1 << 27;

fn list_at(args: &[IValue], i: usize) -> Result<&Handle<List>, Error> {
    Ok(arg(args, i)?.as_list()?)
}

fn out_of_range() -> Error {
    Error::runtime("list index out of range")
}

/// A position in a list; negative ones count from the end.
fn position(index: i64, len: usize) -> Result<usize, Error> {
    let at = if index < 0 { index.wrapping_add(len as i64) } else { index };
    usize::try_from(at).ok().filter(|&at| at < len).ok_or_else(out_of_range)
}

/// The indices that `[start:end:step]` picks from `len` elements.
pub fn slice_indices(
    len: usize,
    start: &IValue,
    end: &IValue,
    step: i64,
) -> Result<impl Iterator<Item = usize> + use<>, Error> {
    let bound = |v: &IValue| v.optional().map(IValue::as_int).transpose();
    let (start, count) = slice_range(len, bound(start)?, bound(end)?, step)?;
    Ok((0..count as i64).map(move |i| start.wrapping_add(i.wrapping_mul(step)) as usize))
}

/// The first of these indices and their number.
pub fn slice_range(len: usize, start: Option<i64>, end: Option<i64>, step: i64) -> Result<(i64, u64), Error> {
    if step == 0 {
        return Err(Error::runtime("List slice should have non-zero step"));
    }
    let len = len as i64;
    let (low, high) = if step < 0 { (-1, len - 1) } else { (0, len) };
    let bound = |v: i64| if v < 0 { v.saturating_add(len).max(low) } else { v.min(high) };
    let start = start.map_or(if step < 0 { high } else { low }, bound);
    let end = end.map_or(if step < 0 { low } else { high }, bound);
    let distance = if step < 0 { start - end } else { end - start };
    let count = if distance > 0 { (distance as u64 - 1) / step.unsigned_abs() + 1 } else { 0 };
    Ok((start, count))
}

/// Values may hold values this deep when they are compared: one that holds itself has no end.
const MAX_DEPTH: usize = 500;

/// Two list elements compared as `==` does.
fn equal(a: &IValue, b: &IValue) -> Result<bool, Error> {
    equal_within(a, b, MAX_DEPTH)
}

fn equal_within(a: &IValue, b: &IValue, depth: usize) -> Result<bool, Error> {
    let deeper = || {
        let message = "maximum recursion depth exceeded in comparison";
        depth.checked_sub(1).ok_or_else(|| Error::Raised { class: "RecursionError", message: message.into() })
    };
    Ok(match (a, b) {
        (IValue::Tensor(x), IValue::Tensor(y)) => x.is(y) && x.numel() == 1 || tensors_equal(x, y)?,
        (IValue::Str(x), IValue::Str(y)) => **x == **y,
        (IValue::Tuple(x), IValue::Tuple(y)) => all_equal(&x.items, &y.items, deeper()?)?,
        (IValue::List(x), IValue::List(y)) => all_equal(&x.to_vec(), &y.to_vec(), deeper()?)?,
        (IValue::Int(x), IValue::Int(y)) => x == y,
        (
            IValue::Int(_) | IValue::Double(_) | IValue::Bool(_),
            IValue::Int(_) | IValue::Double(_) | IValue::Bool(_),
        ) => a.as_double()? == b.as_double()?,
        _ => a.is(b),
    })
}

fn all_equal(a: &[IValue], b: &[IValue], depth: usize) -> Result<bool, Error> {
    if a.len() != b.len() {
        return Ok(false);
    }
    for (x, y) in a.iter().zip(b) {
        if !equal_within(x, y, depth)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Where `value` first is.
fn find(items: &[IValue], value: &IValue) -> Result<Option<usize>, Error> {
    for (i, item) in items.iter().enumerate() {
        if equal(item, value)? {
            return Ok(Some(i));
        }
    }
    Ok(None)
}

views! {
    len: |a| {
        let len = a.items(0)?.len();
        a.give(IValue::Int(len as i64))
    };
    /// `l[i]`.
    getitem: |a| {
        let (index, dest) = (a.int(1)?, a.dest);
        let given = {
            let list = a.items(0)?;
            dest.given(&list[position(index, list.len())?])?
        };
        a.put(given)
    };
    /// `a + b`, a new list.
    add: |a| {
        let joined = {
            let (list, more) = (a.list(0)?, a.list(1)?);
            let (items, more) = (list.read(), more.read());
            countable(items.len(), more.len())?;
            List::joined(list.element.clone(), &[&items, &more])
        };
        a.give(IValue::List(joined))
    };
    /// `l[i] = x`; the list.
    set_item: |a| {
        let (index, value) = (a.int(1)?, a.take(2)?);
        let old = {
            let mut list = a.items(0)?;
            let at = position(index, list.len())?;
            std::mem::replace(&mut list[at], value)
        };
        // Not while the list is locked: it may be in what dies here.
        drop(old);
        a.pass(0)
    };
    append: |a| {
        let value = a.take(1)?;
        a.items(0)?.push(value);
        a.pass(0)
    };
}

pub fn insert(list: &Handle<List>, idx: i64, el: &IValue) {
    let (index, value) = (idx, el.clone());
    let mut list = list.write();
    let len = list.len() as i64;
    let at = if index < 0 { index.saturating_add(len).max(0) } else { index.min(len) };
    list.insert(at as usize, value);
}

pub fn pop(list: &Handle<List>, index: i64) -> Result<IValue, Error> {
    let mut list = list.write();
    if list.is_empty() {
        return Err(Error::runtime("pop from empty list"));
    }
    let at = position(index, list.len())?;
    Ok(list.remove(at))
}

/// `del l[i]`.
pub fn delete(list: &Handle<List>, index: i64) -> Result<(), Error> {
    let mut list = list.write();
    let at = position(index, list.len())?;
    list.remove(at);
    Ok(())
}

pub fn clear(list: &Handle<List>) {
    list.write().clear();
}

pub fn reverse(list: &Handle<List>) {
    list.write().reverse();
}

/// `l.extend(other)`, also of a list with itself.
pub fn extend(list: &Handle<List>, other: &Handle<List>) -> Result<(), Error> {
    // Copied first: it may be the same list, whose lock is not taken twice.
    let other = other.to_vec();
    let mut items = list.write();
    countable(items.len(), other.len())?;
    items.extend(other);
    Ok(())
}

/// `l += other`; the list.
pub fn add_inplace(list: &Handle<List>, other: &Handle<List>) -> Result<Handle<List>, Error> {
    extend(list, other)?;
    Ok(list.clone())
}

/// Whether two lists may become one: lists that double soon take all memory there is.
fn countable(a: usize, b: usize) -> Result<(), Error> {
    if a.saturating_add(b) > MAX_ITEMS { Err(Error::runtime("vector::reserve")) } else { Ok(()) }
}

fn repeated(list: &List, n: i64) -> Result<Vec<IValue>, Error> {
    let n = usize::try_from(n).map_err(|_| Error::runtime("vector::reserve"))?;
    let items = list.to_vec();
    if items.is_empty() {
        return Ok(items);
    }
    if items.len().saturating_mul(n) > MAX_ITEMS {
        return Err(Error::runtime("vector::reserve"));
    }
    let mut out = Vec::with_capacity(items.len() * n);
    (0..n).for_each(|_| out.extend_from_slice(&items));
    Ok(out)
}

/// `l * n` and `n * l`.
pub fn mul(given: &IValue, l: &IValue) -> Result<IValue, Error> {
    let (list, n) = match (given, l) {
        (IValue::Int(n), list) => (list.as_list()?, *n),
        (list, n) => (list.as_list()?, n.as_int()?),
    };
    Ok(IValue::list(list.element.clone(), repeated(list, n)?))
}

/// `l *= n`; the list.
pub fn mul_inplace(list: &Handle<List>, n: i64) -> Result<Handle<List>, Error> {
    let items = repeated(list, n.max(0))?;
    *list.write() = items;
    Ok(list.clone())
}

/// `l[start:end:step]`, a new list.
pub fn slice(list: &Handle<List>, start: &IValue, end: &IValue, step: i64) -> Result<IValue, Error> {
    let items = list.read();
    let picked = slice_indices(items.len(), start, end, step)?;
    Ok(IValue::list(list.element.clone(), picked.map(|i| items[i].clone())))
}

pub fn contains(l: &Handle<List>, item: &IValue) -> Result<bool, Error> {
    Ok(find(&l.read(), item)?.is_some())
}

pub fn count(list: &Handle<List>, el: &IValue) -> Result<i64, Error> {
    let mut n = 0;
    for item in list.read().iter() {
        n += i64::from(equal(item, el)?);
    }
    Ok(n)
}

pub fn index(list: &Handle<List>, value: &IValue) -> Result<Outputs, Error> {
    match find(&list.to_vec(), value)? {
        Some(i) => Ok(smallvec![IValue::Int(i as i64)]),
        None => {
            // C++ streams the plain value here, not TorchScript's text of it.
            let text = match value {
                IValue::Bool(b) => u8::from(*b).to_string(),
                IValue::Double(d) => crate::container::text::general(*d, 6),
                other => text_of(other)?,
            };
            Err(Error::runtime(format!("'{text}' is not in list")))
        }
    }
}

pub fn remove(list: &Handle<List>, el: &IValue) -> Result<Outputs, Error> {
    match find(&list.to_vec(), el)? {
        Some(i) => {
            list.write().remove(i);
            Ok(Outputs::new())
        }
        None => Err(Error::runtime("list.remove(x): x not in list")),
    }
}

pub fn eq(a: &Handle<List>, b: &Handle<List>) -> Result<bool, Error> {
    all_equal(&a.read(), &b.read(), MAX_DEPTH)
}

pub fn ne(a: &Handle<List>, b: &Handle<List>) -> Result<bool, Error> {
    Ok(!all_equal(&a.read(), &b.read(), MAX_DEPTH)?)
}

fn truth(v: &IValue) -> Result<bool, Error> {
    Ok(match v {
        IValue::Str(s) => !s.is_empty(),
        IValue::Tensor(t) => truth_of(t)?,
        other => Number::from_value(other)?.to_bool(),
    })
}

pub fn any(list: &Handle<List>) -> Result<bool, Error> {
    for item in list.to_vec() {
        if truth(&item)? {
            return Ok(true);
        }
    }
    Ok(false)
}

pub fn all(list: &Handle<List>) -> Result<bool, Error> {
    for item in list.to_vec() {
        if !truth(&item)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// `sum(l)`; an empty list sums to its element type's zero, bools to an int.
pub fn sum(list: &Handle<List>) -> Result<IValue, Error> {
    let items = list.to_vec();
    let numbers = items.iter().map(Number::from_value).collect::<Result<Vec<_>, _>>()?;
    let sum = match list.element {
        Type::Float => IValue::Double(numbers.iter().try_fold(0.0, |s, n| n.to_f64().map(|n| s + n))?),
        Type::Complex => {
            let c = numbers.iter().fold(Complex::new(0.0, 0.0), |s, n| s + n.to_complex());
            IValue::complex(c.re, c.im)
        }
        _ => IValue::Int(numbers.iter().try_fold(0i64, |s, n| n.to_i64().map(|n| s.wrapping_add(n)))?),
    };
    Ok(sum)
}

/// The order of two elements; NaN after every number, so that it is an order.
fn order(a: &IValue, b: &IValue) -> Result<Ordering, Error> {
    Ok(match (a, b) {
        (IValue::Str(x), IValue::Str(y)) => x.as_bytes().cmp(y.as_bytes()),
        (IValue::Int(x), IValue::Int(y)) => x.cmp(y),
        (IValue::Tensor(x), IValue::Tensor(y)) => {
            let number = |t: &Tensor| -> Result<f64, Error> {
                truth_of(t)?;
                crate::engine::number::item_of(t)?.to_f64()
            };
            float_order(number(x)?, number(y)?)
        }
        (IValue::Tuple(x), IValue::Tuple(y)) => {
            for (p, q) in x.items.iter().zip(y.items.iter()) {
                let o = order(p, q)?;
                if o != Ordering::Equal {
                    return Ok(o);
                }
            }
            x.items.len().cmp(&y.items.len())
        }
        (
            IValue::Int(_) | IValue::Double(_) | IValue::Bool(_),
            IValue::Int(_) | IValue::Double(_) | IValue::Bool(_),
        ) => float_order(a.as_double()?, b.as_double()?),
        _ => {
            return Err(Error::runtime(format!(
                "Only list of Tensors, ints, floats, bools, strs, a User Defined Class that defines the __lt__ compare method or Tuples of aforementioned types can be sorted, got list of {}",
                a.kind()
            )));
        }
    })
}

fn float_order(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

fn sort_items(items: &mut Vec<IValue>, reverse: bool) -> Result<(), Error> {
    let turned = |o: Ordering| if reverse { o.reverse() } else { o };
    let float = |item: &IValue| if let IValue::Double(v) = item { Some(*v) } else { None };
    let order = if let Some(floats) = items.iter().map(float).collect::<Option<Vec<f64>>>() {
        in_order(items.len(), &|a, b| turned(float_order(floats[a], floats[b])))
    } else {
        let failure = RefCell::new(None);
        let in_order = in_order(items.len(), &|a, b| {
            turned(order(&items[a], &items[b]).unwrap_or_else(|e| {
                failure.borrow_mut().get_or_insert(e);
                Ordering::Equal
            }))
        });
        failure.into_inner().map_or(Ok(in_order), Err)?
    };
    *items = order.into_iter().map(|i| std::mem::take(&mut items[i])).collect();
    Ok(())
}

/// `l.sort(reverse)`.
pub fn sort(list: &Handle<List>, reverse: bool) -> Result<(), Error> {
    // Sorted apart: comparing reads the program's values.
    let sorted = List::joined(list.element.clone(), &[&list.read()]);
    sort_items(&mut sorted.write(), reverse)?;
    std::mem::swap(&mut *list.write(), &mut *sorted.write());
    Ok(())
}

/// `sorted(l)`.
pub fn sorted(list: &Handle<List>) -> Result<IValue, Error> {
    let sorted = List::joined(list.element.clone(), &[&list.read()]);
    sort_items(&mut sorted.write(), false)?;
    Ok(IValue::List(sorted))
}

kernels! {
    /// Of a list.
    max = extreme, "max", less; min = extreme, "min", |best, item| less(item, best);
    /// Of two lists.
    max_of_two = extreme_of_two, true; min_of_two = extreme_of_two, false;
}

/// Whether `a` goes before `b` in the sense of `<`, where NaN is not less than anything.
fn less(a: &IValue, b: &IValue) -> Result<bool, Error> {
    Ok(match (a, b) {
        (IValue::Int(x), IValue::Int(y)) => x < y,
        (IValue::Str(x), IValue::Str(y)) => x.as_bytes() < y.as_bytes(),
        _ => a.as_double()? < b.as_double()?,
    })
}

fn extreme(
    _: &Call<'_>,
    args: &[IValue],
    name: &str,
    replace: fn(&IValue, &IValue) -> Result<bool, Error>,
) -> Result<Outputs, Error> {
    let items = list_at(args, 0)?.to_vec();
    let Some((first, rest)) = items.split_first() else {
        return Err(Error::runtime(format!("{name}() arg is an empty sequence")));
    };
    let mut best = first;
    for item in rest {
        if replace(best, item)? {
            best = item;
        }
    }
    Ok(smallvec![best.clone()])
}

/// The list that is smaller (or larger) in lexicographic order; on a tie the second.
fn extreme_of_two(_: &Call<'_>, args: &[IValue], largest: bool) -> Result<Outputs, Error> {
    let (left, right) = (list_at(args, 0)?.to_vec(), list_at(args, 1)?.to_vec());
    let mut take_left = if largest { left.len() > right.len() } else { left.len() < right.len() };
    for (a, b) in left.iter().zip(&right) {
        if !equal(a, b)? {
            take_left = if largest { less(b, a)? } else { less(a, b)? };
            break;
        }
    }
    Ok(smallvec![args[usize::from(!take_left)].clone()])
}

/// `t.tolist()`: (tensor, rank of the annotation, element type 0 int, 1 float, 2 bool, 3 complex).
pub fn tolist(t: &Tensor, rank: i64, element: i64) -> Result<IValue, Error> {
    let (element, dtype) = match element {
        0 => (Type::Int, DType::I64),
        1 => (Type::Float, DType::F32),
        2 => (Type::Bool, DType::Bool),
        3 => (Type::Complex, DType::C64),
        other => return Err(Error::runtime(format!("{other} does not name an element type for tolist()"))),
    };
    if rank != t.dim() as i64 {
        return Err(Error::runtime(
            "Output annotation list dimension and runtime tensor dimension must match for tolist()",
        ));
    }
    let matches = match element {
        Type::Float => t.dtype().is_float(),
        Type::Complex => t.dtype().is_complex(),
        _ => t.dtype() == dtype,
    };
    if !matches {
        return Err(Error::runtime(format!(
            "Output annotation element type and runtime tensor element type must match for tolist(): {} vs {}",
            dtype.graph_name(),
            t.dtype().graph_name()
        )));
    }
    let values: Vec<IValue> = dispatch!(
        t.dtype(),
        T => t.to_vec::<T>().into_iter().map(|v| crate::engine::number::number(v).to_value()).collect(),
        other => return Err(Error::runtime(format!("tolist() of a {other} tensor")))
    );
    let mut values = values.into_iter();
    Ok(nested(&mut values, t.sizes(), &element))
}

fn nested(values: &mut impl Iterator<Item = IValue>, sizes: &[i64], element: &Type) -> IValue {
    let Some((size, rest)) = sizes.split_first() else {
        return values.next().unwrap_or_default();
    };
    let ty = rest.iter().fold(element.clone(), |t, _| Type::list(t));
    IValue::list(ty, (0..*size).map(|_| nested(values, rest, element)))
}

/// `list(range(n))`.
pub fn range_list(n: i64) -> Result<IValue, Error> {
    if n < 0 || n > MAX_ITEMS as i64 {
        return Err(Error::runtime("vector::reserve"));
    }
    Ok(IValue::int_list(&(0..n).collect::<Vec<_>>()))
}

/// The common sizes of two or of a list of shapes.
pub fn broadcast_sizes(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let mut out = sconce_tensor::Sizes::new();
    for v in args.iter() {
        out = sconce_tensor::broadcast_sizes(&v.as_int_list()?, &out)?;
    }
    Ok(smallvec![IValue::int_list(&out)])
}
