//! In-place and `out=` forms: the functional form is computed, then written where the schema says, under PyTorch's conditions and messages.

use crate::engine::cast;
use crate::engine::defaults::default_value;
use crate::engine::layout::resize;
use crate::{Call, Error, Outputs};
use sconce_schema::shape::{Meta, Size, TensorMeta, functional_args, takes_only_its_dtype, written_arguments};
use sconce_schema::{Argument, OpEntry, Trait};
use sconce_tensor::{IValue, Sizes, Tensor};
use smallvec::{SmallVec, smallvec};

/// Lists in lists are described this deep; deeper ones are of no rule's concern, and a list may hold itself.
const MAX_DEPTH: usize = 8;

/// What a rule needs to know of a value.
pub fn meta_of(v: &IValue) -> Meta {
    meta_at(v, 0)
}

fn meta_at(v: &IValue, depth: usize) -> Meta {
    let all = |items: &[IValue]| match depth {
        MAX_DEPTH.. => Meta::Unknown,
        _ => Meta::List(items.iter().map(|v| meta_at(v, depth + 1)).collect()),
    };
    match v {
        IValue::None => Meta::None,
        IValue::Bool(b) => Meta::Bool(*b),
        IValue::Int(i) => Meta::Int(Size::Known(*i)),
        IValue::Double(d) => Meta::Float(*d),
        IValue::Complex(c) => Meta::Complex(c.re, c.im),
        IValue::Tensor(t) => Meta::Tensor(TensorMeta {
            dtype: Some(t.dtype()),
            sizes: Some(t.sizes().iter().map(|&s| Size::Known(s)).collect()),
            device: None,
            wrapped_number: t.is_wrapped_number(),
        }),
        IValue::Str(s) => Meta::Str(s.as_str().into()),
        IValue::Device(d) => Meta::Device((**d).clone()),
        IValue::List(l) => all(&l.read()),
        IValue::Tuple(t) => all(&t.items),
        _ => Meta::Unknown,
    }
}

/// Where the functional form's arguments come from.
pub enum Sources {
    /// From as many of the first arguments of the in-place or `out=` form, in their order.
    First(usize),
    Each(Vec<Source>),
}

/// An argument of the in-place or `out=` form, or a default.
#[derive(Clone)]
pub enum Source {
    Argument(usize),
    Default(IValue),
}

impl Sources {
    fn of(picked: Vec<Source>) -> Sources {
        let in_order = picked.iter().enumerate().all(|(i, s)| matches!(s, Source::Argument(k) if *k == i));
        if in_order { Sources::First(picked.len()) } else { Sources::Each(picked) }
    }

    /// The functional form's arguments, in `room` where they are not the first.
    pub fn pick<'s, 'a: 's>(&'a self, args: &'s [&'a IValue], room: &'s mut Picked<'a>) -> Option<&'s [&'a IValue]> {
        match self {
            Sources::First(n) => args.get(..*n),
            Sources::Each(each) => {
                for source in each {
                    room.push(match source {
                        Source::Argument(i) => *args.get(*i)?,
                        Source::Default(v) => v,
                    });
                }
                Some(room)
            }
        }
    }
}

/// Arguments of a call.
pub type Picked<'a> = SmallVec<[&'a IValue; 8]>;

/// The sources of a functional form's arguments, and the one argument that is written.
pub fn sources(entry: &OpEntry, functional: &OpEntry) -> Option<(Sources, usize)> {
    let places: Vec<Source> = (0..entry.schema().arguments.len()).map(Source::Argument).collect();
    let option = |o: &Argument| Source::Default(o.default.as_ref().map_or(IValue::None, |d| default_value(d, o)));
    let picked = functional_args(entry, functional, &places, |_| false, option)?;
    match written_arguments(entry)[..] {
        // What is made from nothing is made in the dtype that it is written to, which depends on the call.
        [target] if functional.schema().arguments.iter().all(|a| &*a.name != "dtype") => {
            Some((Sources::of(picked.into_vec()), target))
        }
        _ => None,
    }
}

/// The kernel of every in-place and `out=` form that has none of its own.
pub fn write_back(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let entry = call.entry;
    let missing = || Error::Missing { op: entry.name.to_string(), needs: None };
    let functional = entry.functional_entry().ok_or_else(missing)?;
    let targets = written_arguments(entry);
    let dtype = targets.first().and_then(|&i| args.get(i)?.as_tensor().ok()).map(Tensor::dtype);
    let option = |option: &Argument| match (dtype, &option.default) {
        // What is made from nothing is made in the dtype it is written to.
        (Some(dtype), _) if &*option.name == "dtype" => dtype.into(),
        (_, Some(default)) => default_value(default, option),
        _ => IValue::None,
    };
    let mut inner = functional_args(entry, functional, args, IValue::is_none, option).ok_or_else(missing)?;
    let written: SmallVec<[IValue; 3]> =
        targets.iter().map(|&i| args.get(i).cloned().ok_or_else(missing)).collect::<Result<_, _>>()?;
    // A destination that is given other sizes lies apart afterwards.
    let first = entry.has(Trait::InPlace) || functional.scalar.is_some() || entry.has(Trait::ApartFirst);
    if first && !entry.has(Trait::Overlaps) {
        written.iter().flat_map(each_tensor).try_for_each(|t| check_no_overlap(&t))?;
    }
    if functional.scalar.is_some() {
        let read = (0..args.len()).filter(|i| !entry.schema().arguments.get(*i).is_none_or(|a| a.is_written()));
        let read: Vec<&Tensor> = read.filter_map(|i| args[i].as_tensor().ok()).collect();
        for t in written.iter().flat_map(each_tensor) {
            read.iter().try_for_each(|other| check_apart(&t, other))?;
        }
    }
    let values = crate::engine::calling::call(functional, &mut inner)?;
    if !first && !entry.has(Trait::Overlaps) {
        let keeps = |(target, value): &(&IValue, &IValue)| matches!((target, value), (IValue::Tensor(t), IValue::Tensor(v)) if t.sizes() == v.sizes());
        let mut kept = written.iter().zip(&values).filter(keeps);
        kept.try_for_each(|(target, _)| each_tensor(target).iter().try_for_each(check_no_overlap))?;
    }
    for (target, value) in written.iter().zip(&values) {
        if let (IValue::Tensor(target), IValue::Tensor(value)) = (target, value) {
            check_dtype(entry, target, value)?;
        }
    }
    for (target, value) in written.iter().zip(&values) {
        let (targets, values) = (each_tensor(target), each_tensor(value));
        if targets.len() != values.len() {
            return Err(Error::runtime(format!(
                "{} gives {} tensors, not the {} that it is to write",
                entry.name,
                values.len(),
                targets.len()
            )));
        }
        for (target, value) in targets.iter().zip(&values) {
            // What is left of complex numbers lies as a copy does, but not in a destination.
            let strides = match args.first() {
                Some(IValue::Tensor(t)) if functional.scalar.is_some() && t.dtype().is_complex() => {
                    let read: SmallVec<[&Tensor; 4]> = args[..1].iter().filter_map(|v| v.as_tensor().ok()).collect();
                    match value.dtype().is_float() && !target.dtype().is_complex() {
                        true => sconce_tensor::contiguous_strides(value.sizes()),
                        false if value.dtype().is_float() => {
                            crate::engine::elementwise::result_strides(value.sizes(), &read)
                        }
                        false => value.strides().into(),
                    }
                }
                _ => value.strides().into(),
            };
            write(entry, target, value, strides)?;
        }
    }
    Ok(if entry.schema().returns.is_empty() { Outputs::new() } else { written.into_iter().collect() })
}

/// A tensor, or those of a list.
fn each_tensor(v: &IValue) -> SmallVec<[Tensor; 16]> {
    match v {
        IValue::Tensor(t) => smallvec![t.clone()],
        v => v.as_tensor_list().unwrap_or_default(),
    }
}

/// Whether one is written where the other is read otherwise, as far as PyTorch looks: only tensors without gaps are compared.
fn partly_overlap(a: &Tensor, b: &Tensor) -> bool {
    let dense = |t: &Tensor| t.numel() > 0 && crate::engine::elementwise::is_dense(t);
    if a.is(b) || !a.shares_storage(b) || !dense(a) || !dense(b) {
        return false;
    }
    let range = |t: &Tensor| {
        let size = t.dtype().size();
        let start = t.storage_offset() as usize * size;
        (start, start + t.numel() * size)
    };
    let ((from, to), (first, last)) = (range(a), range(b));
    if (from, to) == (first, last) { a.strides() != b.strides() } else { from < last && first < to }
}

/// A tensor is not written while it is read otherwise.
pub(crate) fn check_apart(written: &Tensor, read: &Tensor) -> Result<(), Error> {
    if partly_overlap(written, read) {
        return Err(Error::runtime(
            "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. \
             Please clone() the tensor before performing the operation.",
        ));
    }
    Ok(())
}

/// A tensor whose elements share memory cannot be written element by element.
pub(crate) fn check_no_overlap(t: &Tensor) -> Result<(), Error> {
    if t.numel() > 1 && crate::engine::elementwise::repeats(t) {
        return Err(Error::runtime(
            "unsupported operation: more than one element of the written-to tensor refers to a single memory location. \
             Please clone() the tensor before performing the operation.",
        ));
    }
    Ok(())
}

/// A form that takes only the result's dtype is given it.
fn check_dtype(entry: &OpEntry, target: &Tensor, value: &Tensor) -> Result<(), Error> {
    if takes_only_its_dtype(entry) && value.dtype() != target.dtype() {
        return Err(Error::runtime(format!(
            "Expected out tensor to have dtype {}, but got {} instead",
            value.dtype().cpp_name(),
            target.dtype().cpp_name()
        )));
    }
    Ok(())
}

/// Writes a computed value to the tensor that an in-place or `out=` call names.
fn write(entry: &OpEntry, target: &Tensor, value: &Tensor, strides: Sizes) -> Result<(), Error> {
    check_dtype(entry, target, value)?;
    sconce_schema::shape::check_cast(value.dtype(), target.dtype())?;
    if target.sizes() != value.sizes() {
        if entry.has(Trait::InPlace) && !entry.has(Trait::Resizes) {
            return Err(Error::runtime(format!(
                "output with shape {:?} doesn't match the broadcast shape {:?}",
                target.sizes(),
                value.sizes()
            )));
        }
        // It lies as the result would by itself; in forms that PyTorch generates, row-major.
        match entry.has(Trait::OwnDType) {
            true => resize(target, value.sizes())?,
            false => crate::engine::layout::resize_strided(target, value.sizes(), strides)?,
        }
    } else if entry.has(Trait::Relaid) && target.strides() != value.strides() {
        let mut metadata = target.metadata();
        metadata.strides = value.strides().into();
        if Tensor::new(metadata.clone()).is_ok() {
            // SAFETY: as in `layout::resize_strided`.
            unsafe { target.set_metadata(metadata) }?;
        }
    }
    let repeats =
        entry.has(Trait::InPlace) && entry.has(Trait::Overlaps) && !crate::engine::elementwise::is_apart(target);
    if repeats {
        write_changed(target, value)?
    } else {
        cast::convert_into(target, value)?
    }
    target.bump_version();
    Ok(())
}

/// Writes the elements that an in-place form has changed: where elements share memory, one that stays does not undo another's change.
fn write_changed(target: &Tensor, value: &Tensor) -> Result<(), Error> {
    let (old, new) = (target.contiguous()?, cast::convert(&value.contiguous()?, target.dtype())?);
    let size = target.dtype().size();
    let (old, new) = (old.read_bytes(), new.read_bytes());
    let base = target.storage_ptr();
    for ((at, old), new) in target.offsets().zip(old.chunks_exact(size)).zip(new.chunks_exact(size)) {
        if old != new {
            // SAFETY: an offset of the tensor's own elements, each of `size` bytes.
            unsafe { std::ptr::copy_nonoverlapping(new.as_ptr(), base.offset(at as isize * size as isize), size) };
        }
    }
    Ok(())
}
