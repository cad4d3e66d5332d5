//! Calls answered without asking the operator's rule: what is plainly legal is computed at once, everything else is left to the general way, which gives
//! the same result (a test compares them) and knows every message.

use crate::dispatch::named_kernel;
use crate::engine::derived::{self, Sources};
use crate::pointwise::plan::{Goal, Plans};
use crate::tensor::view::view_strides;
use crate::{Destinations, Error, Outputs};
use sconce_schema::{OpEntry, Trait};
use sconce_tensor::{IValue, Sizes, Tensor};
use smallvec::smallvec;

/// A short way to a result. `None`: the call goes the general way, nothing has changed.
pub enum Shortcut {
    /// The plans of a pointwise operator.
    Pointwise(Plans),
    /// An in-place or `out=` form of one.
    Write {
        plans: Plans,
        sources: Sources,
        target: usize,
    },
    View(fn(&Tensor, &[IValue]) -> Option<Tensor>),
    Views(fn(&Tensor, &[IValue]) -> Option<IValue>),
}

impl Shortcut {
    pub fn of(entry: &'static OpEntry) -> Option<Shortcut> {
        if let Some((_, view)) = VIEWS.iter().find(|(name, _)| *name == entry.name) {
            return Some(Shortcut::View(*view));
        }
        if let Some((_, views)) = LISTS.iter().find(|(name, _)| *name == entry.name) {
            return Some(Shortcut::Views(*views));
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

    pub fn call(&self, args: &[IValue], destinations: Option<&dyn Destinations>) -> Option<Result<Outputs, Error>> {
        let first = || args.first()?.as_tensor().ok();
        match self {
            Shortcut::Pointwise(plans) => plans.outputs(args, &Goal::Fresh(destinations)),
            Shortcut::Write { plans, sources, target } => {
                let target = args.get(*target)?.as_tensor().ok()?;
                let written = sources.pick(args, |inner| plans.outputs(inner, &Goal::Write(target)))?;
                target.bump_version();
                Some(written)
            }
            Shortcut::View(view) => Some(Ok(smallvec![IValue::Tensor(view(first()?, args)?)])),
            Shortcut::Views(views) => Some(Ok(smallvec![views(first()?, args)?])),
        }
    }
}

/// The plans of an operator whose kernel follows from its scalar expression.
fn plans_of(entry: &'static OpEntry) -> Option<Plans> {
    if named_kernel(entry).is_some() { None } else { Plans::new(entry) }
}

type View = fn(&Tensor, &[IValue]) -> Option<Tensor>;
static VIEWS: &[(&str, View)] = &[
    ("aten::view", view),
    ("aten::reshape", view),
    ("aten::narrow", narrow),
    ("aten::select.int", select),
    ("aten::slice.Tensor", slice),
    ("aten::transpose.int", transpose),
    ("aten::t", t),
    ("aten::permute", permute),
    ("aten::unsqueeze", unsqueeze),
    ("aten::squeeze", squeeze),
    ("aten::squeeze.dim", squeeze_dim),
    ("aten::expand", expand),
    ("aten::flatten.using_ints", flatten),
    ("aten::contiguous", contiguous),
];

type Views = fn(&Tensor, &[IValue]) -> Option<IValue>;
static LISTS: &[(&str, Views)] = &[("aten::split.Tensor", split), ("aten::chunk", chunk), ("aten::unbind.int", unbind)];

fn int(args: &[IValue], i: usize) -> Option<i64> {
    if let IValue::Int(n) = args.get(i)? { Some(*n) } else { None }
}

fn ints(args: &[IValue], i: usize) -> Option<Sizes> {
    let IValue::List(items) = args.get(i)? else { return None };
    // Pushed one by one: to collect options costs as much as the rest of a view.
    let mut ints = Sizes::new();
    for item in items.read().iter() {
        let IValue::Int(n) = item else { return None };
        ints.push(*n);
    }
    Some(ints)
}

/// A dimension that exists.
fn dim(rank: usize, args: &[IValue], i: usize) -> Option<usize> {
    let (d, rank) = (int(args, i)?, rank as i64);
    let d = if d < 0 { d + rank } else { d };
    (0..rank).contains(&d).then_some(d as usize)
}

fn view(t: &Tensor, args: &[IValue]) -> Option<Tensor> {
    let mut sizes = ints(args, 1)?;
    let total = i64::try_from(t.numel()).ok().filter(|n| *n > 0)?;
    let known = sizes.iter().filter(|s| **s != -1).try_fold(1i64, |n, s| (*s > 0).then(|| n.checked_mul(*s))?)?;
    // One size may be asked for.
    match sizes.iter().position(|s| *s == -1) {
        Some(at) if total % known == 0 => sizes[at] = total / known,
        None if total == known => {}
        _ => return None,
    }
    if sizes.contains(&-1) {
        return None;
    }
    let strides = view_strides(t.sizes(), t.strides(), &sizes)?;
    t.as_strided(&sizes, &strides, t.storage_offset()).ok()
}

fn flatten(t: &Tensor, args: &[IValue]) -> Option<Tensor> {
    let (start, end) = (dim(t.dim(), args, 1)?, dim(t.dim(), args, 2)?);
    if start >= end {
        return None;
    }
    let mut sizes: Sizes = t.sizes()[..start].into();
    sizes.push(t.sizes()[start..=end].iter().try_fold(1i64, |n, s| n.checked_mul(*s))?);
    sizes.extend_from_slice(&t.sizes()[end + 1..]);
    let strides = view_strides(t.sizes(), t.strides(), &sizes)?;
    t.as_strided(&sizes, &strides, t.storage_offset()).ok()
}

/// `length` elements of a dimension from `start`, every `step`-th.
fn cut(t: &Tensor, dim: usize, start: i64, length: i64, step: i64) -> Option<Tensor> {
    let (mut sizes, mut strides) = (Sizes::from(t.sizes()), Sizes::from(t.strides()));
    let offset = start.checked_mul(strides[dim])?.checked_add(t.storage_offset())?;
    sizes[dim] = length;
    strides[dim] = strides[dim].checked_mul(step)?;
    t.as_strided(&sizes, &strides, offset).ok()
}

fn narrow(t: &Tensor, args: &[IValue]) -> Option<Tensor> {
    let (dim, start, length) = (dim(t.dim(), args, 1)?, int(args, 2)?, int(args, 3)?);
    let size = t.sizes()[dim];
    let fits = start >= 0 && length >= 0 && length <= size && start <= size - length;
    fits.then(|| cut(t, dim, start, length, 1))?
}

fn slice(t: &Tensor, args: &[IValue]) -> Option<Tensor> {
    let (dim, step) = (dim(t.dim(), args, 1)?, int(args, 4)?);
    let size = t.sizes()[dim];
    let bound = |i: usize, missing: i64| match args.get(i)? {
        IValue::None => Some(missing),
        IValue::Int(n) => Some(if *n < 0 { n.saturating_add(size).max(0) } else { (*n).min(size) }),
        _ => None,
    };
    let start = bound(2, 0)?;
    let length = bound(3, size)?.max(start) - start;
    let rounded_up = length.checked_add(step)? - 1;
    (step > 0).then(|| cut(t, dim, start, rounded_up / step, step))?
}

fn one_of(t: &Tensor, dim: usize, index: i64) -> Option<Tensor> {
    let (mut sizes, mut strides) = (Sizes::from(t.sizes()), Sizes::from(t.strides()));
    let offset = index.checked_mul(strides[dim])?.checked_add(t.storage_offset())?;
    sizes.remove(dim);
    strides.remove(dim);
    t.as_strided(&sizes, &strides, offset).ok()
}

fn select(t: &Tensor, args: &[IValue]) -> Option<Tensor> {
    let (dim, index) = (dim(t.dim(), args, 1)?, int(args, 2)?);
    let size = t.sizes()[dim];
    let index = if index < 0 { index.checked_add(size)? } else { index };
    (0..size).contains(&index).then(|| one_of(t, dim, index))?
}

fn swapped(t: &Tensor, a: usize, b: usize) -> Option<Tensor> {
    let (mut sizes, mut strides) = (Sizes::from(t.sizes()), Sizes::from(t.strides()));
    sizes.swap(a, b);
    strides.swap(a, b);
    t.as_strided(&sizes, &strides, t.storage_offset()).ok()
}

fn transpose(t: &Tensor, args: &[IValue]) -> Option<Tensor> {
    swapped(t, dim(t.dim(), args, 1)?, dim(t.dim(), args, 2)?)
}

fn t(t: &Tensor, _: &[IValue]) -> Option<Tensor> {
    (t.dim() == 2).then(|| swapped(t, 0, 1))?
}

fn permute(t: &Tensor, args: &[IValue]) -> Option<Tensor> {
    let dims = ints(args, 1)?;
    let rank = t.dim() as i64;
    if dims.len() != t.dim() || rank > 64 {
        return None;
    }
    let (mut sizes, mut strides, mut seen) = (Sizes::new(), Sizes::new(), 0u64);
    for d in dims {
        let d = if d < 0 { d + rank } else { d };
        if !(0..rank).contains(&d) || seen >> d & 1 == 1 {
            return None;
        }
        seen |= 1 << d;
        sizes.push(t.sizes()[d as usize]);
        strides.push(t.strides()[d as usize]);
    }
    t.as_strided(&sizes, &strides, t.storage_offset()).ok()
}

fn unsqueeze(t: &Tensor, args: &[IValue]) -> Option<Tensor> {
    let dim = dim(t.dim() + 1, args, 1)?;
    let (mut sizes, mut strides) = (Sizes::from(t.sizes()), Sizes::from(t.strides()));
    let stride = if dim < t.dim() { strides[dim].saturating_mul(sizes[dim]) } else { 1 };
    sizes.insert(dim, 1);
    strides.insert(dim, stride);
    t.as_strided(&sizes, &strides, t.storage_offset()).ok()
}

fn squeezed(t: &Tensor, which: impl Fn(usize) -> bool) -> Option<Tensor> {
    let kept = || (0..t.dim()).filter(|d| t.sizes()[*d] != 1 || !which(*d));
    let sizes: Sizes = kept().map(|d| t.sizes()[d]).collect();
    let strides: Sizes = kept().map(|d| t.strides()[d]).collect();
    t.as_strided(&sizes, &strides, t.storage_offset()).ok()
}

fn squeeze(t: &Tensor, _: &[IValue]) -> Option<Tensor> {
    squeezed(t, |_| true)
}

fn squeeze_dim(t: &Tensor, args: &[IValue]) -> Option<Tensor> {
    let dim = dim(t.dim(), args, 1)?;
    squeezed(t, |d| d == dim)
}

fn expand(t: &Tensor, args: &[IValue]) -> Option<Tensor> {
    let mut sizes = ints(args, 1)?;
    let skip = sizes.len().checked_sub(t.dim())?;
    let mut strides: Sizes = smallvec![0; sizes.len()];
    for d in (0..sizes.len()).rev() {
        match d.checked_sub(skip).map(|i| (t.sizes()[i], t.strides()[i])) {
            Some((have, stride)) if sizes[d] == -1 || sizes[d] == have => (sizes[d], strides[d]) = (have, stride),
            // A new dimension of size 1 lies as a row-major tensor's would.
            None if sizes[d] == 1 && d + 1 < sizes.len() => strides[d] = strides[d + 1].saturating_mul(sizes[d + 1]),
            Some((1, _)) | None if sizes[d] >= 0 => {}
            _ => return None,
        }
    }
    t.as_strided(&sizes, &strides, t.storage_offset()).ok()
}

fn contiguous(t: &Tensor, args: &[IValue]) -> Option<Tensor> {
    (int(args, 1)? == 0 && t.is_contiguous()).then(|| t.clone())
}

/// The views as a list, if there are all of them.
fn listed(views: impl Iterator<Item = Option<Tensor>>) -> Option<IValue> {
    let mut whole = true;
    let list = IValue::tensor_list(views.map_while(|view| {
        whole = view.is_some();
        view
    }));
    whole.then_some(list)
}

/// Pieces of one length, the last perhaps shorter.
fn pieces(t: &Tensor, dim: usize, each: i64) -> Option<IValue> {
    let size = t.sizes()[dim];
    if each < 1 || size < 1 || size / each > 1024 {
        return None;
    }
    let starts = (0..size).step_by(usize::try_from(each).ok()?);
    listed(starts.map(|start| cut(t, dim, start, each.min(size - start), 1)))
}

fn split(t: &Tensor, args: &[IValue]) -> Option<IValue> {
    pieces(t, dim(t.dim(), args, 2)?, int(args, 1)?)
}

fn chunk(t: &Tensor, args: &[IValue]) -> Option<IValue> {
    let (count, dim) = (int(args, 1).filter(|n| *n > 0)?, dim(t.dim(), args, 2)?);
    let size = t.sizes()[dim];
    pieces(t, dim, size / count + i64::from(size % count != 0))
}

fn unbind(t: &Tensor, args: &[IValue]) -> Option<IValue> {
    let dim = dim(t.dim(), args, 1)?;
    let size = t.sizes()[dim];
    (size <= 1024).then(|| listed((0..size).map(|i| one_of(t, dim, i))))?
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
        let names = VIEWS.iter().map(|v| v.0).chain(LISTS.iter().map(|v| v.0));
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
                    let ours = shortcut.call(&args, None);
                    let general = bound.call_by_rule(&mut args, None);
                    legal += usize::from(general.is_ok());
                    let Some(ours) = ours else { continue };
                    short += 1;
                    let shown = |o: &Outputs| {
                        format!("{:?}", o[0].as_tensor().map(|t| (t.sizes().to_vec(), t.strides().to_vec())))
                    };
                    let (ours, general) = (ours.unwrap(), general.unwrap_or_else(|e| panic!("{name} {t:?}: {e}")));
                    let alike = match (&ours[0], &general[0]) {
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
                    assert!(
                        alike,
                        "{name} of {:?} {:?}: {} is not {}",
                        t.sizes(),
                        t.strides(),
                        shown(&ours),
                        shown(&general)
                    );
                }
            }
        }
        assert!(short > 600 && short * 10 > legal * 8, "{short} of {legal}");
        assert_eq!(base.dtype(), DType::F32);
    }
}
