//! Calls answered without asking the operator's rule: what is plainly legal is computed at once, everything else is left to the general way, which gives
//! the same result (a test compares them) and knows every message.

use crate::container::direct::Arguments;
use crate::dispatch::named_kernel;
use crate::engine::derived::{self, Picked, Sources};
use crate::pointwise::plan::Plans;
use crate::{Destinations, Error};
use sconce_schema::{OpEntry, Trait};
use sconce_tensor::{IValue, Strided, Tensor};
use smallvec::SmallVec;

/// A short way to a result. Where it has none the call goes the general way, nothing has changed.
pub enum Shortcut {
    /// The plans of a pointwise operator.
    Pointwise(Plans),
    /// An in-place or `out=` form of one.
    Write {
        plans: Plans,
        sources: Sources,
        target: usize,
    },
    View(View),
    Views(Views),
    /// The tensor itself, where that is what is asked for.
    Same(fn(&Tensor, &Arguments<'_>) -> bool),
}

impl Shortcut {
    pub fn of(entry: &'static OpEntry) -> Option<Shortcut> {
        if let Some((_, view)) = VIEWS.iter().find(|(name, _)| *name == entry.name) {
            return Some(Shortcut::View(*view));
        }
        if let Some((_, views)) = LISTS.iter().find(|(name, _)| *name == entry.name) {
            return Some(Shortcut::Views(*views));
        }
        if entry.name == "aten::contiguous" {
            return Some(Shortcut::Same(|t, a| a.int(1) == Ok(0) && t.is_contiguous()));
        }
        let own = entry.shape.is_some() || entry.fold.is_some() || named_kernel(entry).is_some();
        // Which strides a destination gets that lies as the result does is the general way's to say.
        if let Some(functional) = entry.functional_entry().filter(|_| !own && !entry.has(Trait::Relaid)) {
            let plans = plans_of(functional)?;
            let (sources, target) = derived::sources(entry, functional)?;
            return Some(Shortcut::Write { plans, sources, target });
        }
        plans_of(entry).map(Shortcut::Pointwise)
    }

    /// Computes a call and gives its result; false where it is to go the general way.
    pub fn call(&self, a: &mut Arguments<'_>, destinations: Option<&dyn Destinations>) -> Result<bool, Error> {
        match self {
            Shortcut::Pointwise(plans) => match fresh(plans, a, destinations)? {
                Some(made) => a.give(IValue::Tensor(made))?,
                None => return Ok(false),
            },
            Shortcut::Write { plans, sources, target } => {
                if !write(plans, sources, *target, a)? {
                    return Ok(false);
                }
                a.pass(*target)?;
            }
            Shortcut::View(view) => {
                let Some(mut strided) = a.tensor(0).and_then(|t| view(t, a)) else { return Ok(false) };
                // Who gives up a tensor for a view of it has its handle for the view.
                if let Some(own) = a.own_tensor(0) {
                    match own.become_over(strided) {
                        Ok(()) => return a.pass(0).map(|()| true),
                        Err(shared) => strided = shared,
                    }
                }
                let Some(Ok(other)) = a.tensor(0).map(|t| t.over(strided)) else { return Ok(false) };
                a.give(IValue::Tensor(other))?;
            }
            Shortcut::Views(views) => {
                let Some(list) = a.tensor(0).and_then(|t| views(t, a)) else { return Ok(false) };
                a.give(list)?;
            }
            Shortcut::Same(is_asked_for) => {
                if !a.tensor(0).is_some_and(|t| is_asked_for(t, a)) {
                    return Ok(false);
                }
                a.pass(0)?;
            }
        }
        Ok(true)
    }
}

fn fresh(plans: &Plans, a: &Arguments<'_>, destinations: Option<&dyn Destinations>) -> Result<Option<Tensor>, Error> {
    let (words, mut args) = (words(a), Picked::new());
    if values(a, &words, &mut args) { plans.fresh(&args, destinations) } else { Ok(None) }
}

fn write(plans: &Plans, sources: &Sources, target: usize, a: &Arguments<'_>) -> Result<bool, Error> {
    let (words, mut args, mut room) = (words(a), Picked::new(), Picked::new());
    if !values(a, &words, &mut args) {
        return Ok(false);
    }
    let (Some(IValue::Tensor(target)), Some(inner)) = (args.get(target), sources.pick(&args, &mut room)) else {
        return Ok(false);
    };
    let written = plans.write(inner, target)?;
    if written {
        target.bump_version();
    }
    Ok(written)
}

/// The boxes of operands that are words.
fn words(a: &Arguments<'_>) -> SmallVec<[IValue; 2]> {
    let mut words = SmallVec::new();
    for i in 0..a.sources.len() {
        if let Some((kind, word)) = a.number(i) {
            words.push(kind.value(word));
        }
    }
    words
}

/// The operands as values, those that are words as their boxes.
fn values<'a>(a: &'a Arguments<'_>, words: &'a [IValue], args: &mut Picked<'a>) -> bool {
    let mut words = words.iter();
    for i in 0..a.sources.len() {
        let value = if a.number(i).is_some() { words.next() } else { a.boxed(i).ok() };
        let Some(value) = value else { return false };
        args.push(value);
    }
    true
}

/// The plans of an operator whose kernel follows from its scalar expression.
fn plans_of(entry: &'static OpEntry) -> Option<Plans> {
    if named_kernel(entry).is_some() { None } else { Plans::new(entry) }
}

type View = fn(&Tensor, &Arguments<'_>) -> Option<Strided>;
static VIEWS: &[(&str, View)] = &[
    ("aten::view", |t, a| Strided::reshaped(t, a.ints(1)?)),
    ("aten::reshape", |t, a| Strided::reshaped(t, a.ints(1)?)),
    ("aten::narrow", |t, a| Strided::narrowed(t, int(a, 1)?, int(a, 2)?, int(a, 3)?)),
    ("aten::select.int", |t, a| Strided::selected(t, int(a, 1)?, int(a, 2)?)),
    ("aten::slice.Tensor", |t, a| Strided::sliced(t, int(a, 1)?, a.bound(2).ok()?, a.bound(3).ok()?, int(a, 4)?)),
    ("aten::transpose.int", |t, a| Strided::transposed(t, int(a, 1)?, int(a, 2)?)),
    ("aten::t", |t, _| (t.dim() == 2).then(|| Strided::transposed(t, 0, 1))?),
    ("aten::permute", |t, a| Strided::permuted(t, &a.ints(1)?)),
    ("aten::unsqueeze", |t, a| Strided::unsqueezed(t, int(a, 1)?)),
    ("aten::squeeze", |t, _| Strided::squeezed(t, None)),
    ("aten::squeeze.dim", |t, a| Strided::squeezed(t, Some(int(a, 1)?))),
    ("aten::expand", |t, a| Strided::expanded(t, a.ints(1)?)),
    ("aten::flatten.using_ints", |t, a| Strided::flattened(t, int(a, 1)?, int(a, 2)?)),
];

type Views = fn(&Tensor, &Arguments<'_>) -> Option<IValue>;
static LISTS: &[(&str, Views)] = &[
    ("aten::split.Tensor", |t, a| listed(t, Strided::pieces(t, int(a, 2)?, int(a, 1)?)?)),
    ("aten::chunk", |t, a| listed(t, Strided::chunks(t, int(a, 2)?, int(a, 1)?)?)),
    ("aten::unbind.int", |t, a| listed(t, Strided::unbound(t, int(a, 1)?)?)),
];

fn int(a: &Arguments<'_>, i: usize) -> Option<i64> {
    a.int(i).ok()
}

/// The views as a list, if there are all of them.
fn listed(t: &Tensor, views: impl Iterator<Item = Option<Strided>>) -> Option<IValue> {
    let mut whole = true;
    let list = IValue::tensor_list(views.map_while(|view| {
        let view = view.and_then(|strided| t.over(strided).ok());
        whole = view.is_some();
        view
    }));
    whole.then_some(list)
}

/// Whether anybody has written a rule for the operator: one of its own, or one that follows from what it is derived from.
pub fn has_rule(entry: &OpEntry) -> bool {
    let means = entry.scalar.is_some() || entry.fold.is_some();
    entry.shape.is_some() || means || entry.functional.is_some() || entry.has(Trait::Each)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bound;
    use sconce_tensor::DType;

    fn same(a: &Tensor, b: &Tensor, of: &Tensor) -> bool {
        let shape = |t: &Tensor| (t.sizes().to_vec(), t.strides().to_vec(), t.storage_offset(), t.dtype());
        shape(a) == shape(b) && a.shares_storage(b) && a.is(of) == b.is(of)
    }

    /// Every view with every small argument, on tensors of several ranks and layouts: the short way and the general way say the same.
    #[test]
    fn short_ways_are_the_general_way() {
        let base = Tensor::from_vec((0..360).map(|i| i as f32).collect(), &[360]);
        let tensors = [
            base.as_strided(&[], &[], 3).unwrap(),
            base.as_strided(&[6], &[1], 0).unwrap(),
            base.as_strided(&[1], &[7], 0).unwrap(),
            base.as_strided(&[4], &[3], 2).unwrap(),
            base.as_strided(&[2, 3], &[3, 1], 0).unwrap(),
            base.as_strided(&[3, 2], &[1, 3], 1).unwrap(),
            base.as_strided(&[1, 4, 1], &[4, 1, 1], 0).unwrap(),
            base.as_strided(&[2, 1, 3], &[40, 7, 2], 5).unwrap(),
            base.as_strided(&[2, 0, 3], &[3, 3, 1], 0).unwrap(),
            base.as_strided(&[2, 3, 4], &[12, 4, 1], 0).unwrap(),
        ];
        let small = || (-4..5).map(IValue::Int);
        let mut first: Vec<Vec<IValue>> = vec![vec![]];
        first.extend(small().map(|a| vec![a]));
        first.extend(small().flat_map(|a| small().map(move |b| vec![a.clone(), b])));
        first.extend(small().flat_map(|a| {
            (0..3).flat_map(move |b| {
                let a = a.clone();
                (-1..3).map(move |c| vec![a.clone(), IValue::Int(b), IValue::Int(c)])
            })
        }));
        for (a, b, c, d) in (-1..3)
            .flat_map(|a| (-3..4).flat_map(move |b| (-1..5).flat_map(move |c| (1..3).map(move |d| (a, b, c, d)))))
        {
            first.push(vec![IValue::Int(a), IValue::Int(b), IValue::Int(c), IValue::Int(d)]);
        }
        first.push(vec![IValue::Int(0), IValue::None, IValue::None, IValue::Int(1)]);
        first.push(vec![IValue::Int(0), IValue::None, IValue::Int(i64::MAX), IValue::Int(2)]);
        let lists: &[&[i64]] = &[
            &[],
            &[1],
            &[6],
            &[-1],
            &[2, 3],
            &[3, -1],
            &[-1, -1],
            &[0, 1],
            &[1, 0],
            &[-1, 0],
            &[2, 0, 1],
            &[0, 2, 1],
            &[4, 1],
            &[2, 3, 4],
            &[6, 4],
            &[-1, 4],
            &[5, 6],
            &[5, 4, 3, 2],
            &[2, 2, 3, 4],
            &[3, 2, -1, 3],
            &[1, 1, 1],
            &[24],
            &[7],
            &[0],
            &[2, 0, 3],
        ];
        first.extend(lists.iter().map(|l| vec![IValue::int_list(l)]));
        first.extend(lists.iter().map(|l| vec![IValue::int_list(l), IValue::Bool(false)]));
        let names = VIEWS.iter().map(|v| v.0).chain(LISTS.iter().map(|v| v.0)).chain(["aten::contiguous"]);
        let (mut short, mut legal) = (0, 0);
        for name in names {
            let entry = sconce_schema::lookup(name).unwrap();
            let bound = Bound::new(entry).unwrap();
            let shortcut = Shortcut::of(entry).unwrap();
            for t in &tensors {
                for rest in &first {
                    if rest.len() + 1 != entry.schema().arguments.len() {
                        continue;
                    }
                    let mut args = vec![IValue::Tensor(t.clone())];
                    args.extend(rest.iter().cloned());
                    let mut own = args.clone();
                    let ours = shortcut.call(&mut Arguments::in_order(&mut own), None);
                    let general = bound.call_by_rule(&mut args, None);
                    legal += usize::from(general.is_ok());
                    if !ours.unwrap() {
                        continue;
                    }
                    short += 1;
                    let shown =
                        |v: &IValue| format!("{:?}", v.as_tensor().map(|t| (t.sizes().to_vec(), t.strides().to_vec())));
                    let general = general.unwrap_or_else(|e| panic!("{name} {t:?}: {e}"));
                    let alike = match (&own[0], &general[0]) {
                        (IValue::Tensor(a), IValue::Tensor(b)) => same(a, b, t),
                        (IValue::List(a), IValue::List(b)) => {
                            let (a, b) = (a.read(), b.read());
                            a.len() == b.len()
                                && a.iter()
                                    .zip(b.iter())
                                    .all(|(a, b)| same(a.as_tensor().unwrap(), b.as_tensor().unwrap(), t))
                        }
                        _ => false,
                    };
                    // A tensor that nobody else has becomes the view.
                    let mut given = vec![IValue::Tensor(t.alias())];
                    let place = given[0].as_tensor().unwrap().address();
                    given.extend(rest.iter().cloned());
                    assert!(shortcut.call(&mut Arguments::in_order(&mut given), None).unwrap());
                    if let (IValue::Tensor(a), IValue::Tensor(b)) = (&given[0], &own[0]) {
                        assert!(same(a, &b.alias(), t) && a.version() == b.version(), "{name} of a tensor given up");
                        let kept = a.numel() > 0 || matches!(shortcut, Shortcut::Same(_));
                        assert_eq!(a.address() == place, kept, "{name} of {:?}", t.sizes());
                    }
                    assert!(
                        alike,
                        "{name} of {:?} {:?}: {} is not {}",
                        t.sizes(),
                        t.strides(),
                        shown(&own[0]),
                        shown(&general[0])
                    );
                }
            }
        }
        assert!(short > 600 && short * 10 > legal * 8, "{short} of {legal}");
        assert_eq!(base.dtype(), DType::F32);
    }
}
