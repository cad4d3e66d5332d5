//! How results lie in memory, as PyTorch's kernels for the CPU leave them: views as their tensors do, elementwise results as their operands, all others densely.

use crate::sizes::Symbols;
use crate::tracer::{About, Tracer};
use crate::value::Value;
use sconce_schema::dim::Dim;
use sconce_schema::{MemoryFormat, OpEntry};
use std::cmp::Ordering;

/// Dense, the last dimension innermost.
pub(crate) fn contiguous(sizes: &[Dim]) -> Vec<Dim> {
    let order: Vec<usize> = (0..sizes.len()).collect();
    dense(sizes, &order)
}

/// Dense, with dimensions from the outermost to the innermost in this order.
fn dense(sizes: &[Dim], order: &[usize]) -> Vec<Dim> {
    let mut strides = vec![Dim::Known(1); sizes.len()];
    let mut next = Dim::Known(1);
    for at in order.iter().rev() {
        let (Some(stride), Some(size)) = (strides.get_mut(*at), sizes.get(*at)) else { continue };
        *stride = next;
        next = next.times(if *size == Dim::Known(0) { Dim::Known(1) } else { *size });
    }
    strides
}

/// `is_contiguous()`: dense and in order, as far as that makes a difference.
pub(crate) fn is_contiguous(about: &About) -> bool {
    if about.sizes.contains(&Dim::Known(0)) {
        return true;
    }
    let order: Vec<usize> = (0..about.sizes.len()).collect();
    lies_so(about, &order)
}

/// `is_contiguous(memory_format=torch.channels_last)` and its like for volumes.
pub(crate) fn is_channels_last(about: &About) -> bool {
    match channels_last(about.sizes.len()) {
        Some(order) => lies_so(about, &order),
        None => false,
    }
}

/// Dimensions from the outermost to the innermost where channels are innermost; none for ranks that have no such format.
fn channels_last(rank: usize) -> Option<Vec<usize>> {
    matches!(rank, 4 | 5).then(|| std::iter::once(0).chain(2..rank).chain(std::iter::once(1)).collect())
}

fn lies_so(about: &About, order: &[usize]) -> bool {
    let wanted = dense(&about.sizes, order);
    let mut all = about.sizes.iter().zip(about.strides.iter().zip(&wanted));
    all.all(|(size, (stride, wanted))| *size == Dim::Known(1) || stride.same(*wanted))
}

/// Dimensions from the outermost to the innermost, if each element has a place of its own and none is left between them.
fn dense_order(symbols: &Symbols, about: &About) -> Option<Vec<usize>> {
    let mut order: Vec<usize> = (0..about.sizes.len()).collect();
    let stride = |d: &usize| symbols.example(*about.strides.get(*d)?);
    let size = |d: &usize| symbols.example(*about.sizes.get(*d)?);
    order.sort_unstable_by_key(|d| (std::cmp::Reverse(stride(d)), std::cmp::Reverse(size(d)), *d));
    lies_so(about, &order).then_some(order)
}

/// Dimensions from the outermost to the innermost, by their strides.
pub(crate) fn order(symbols: &Symbols, strides: &[Dim]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..strides.len()).collect();
    order.sort_by_key(|d| std::cmp::Reverse(strides.get(*d).and_then(|s| symbols.example(*s))));
    order
}

/// What a copy with these sizes has if it keeps the format (`torch.preserve_format`).
pub(crate) fn kept(symbols: &Symbols, about: &About, sizes: &[Dim]) -> Vec<Dim> {
    if dense_order(symbols, about).is_some() {
        return about.strides.clone();
    }
    elementwise(symbols, &[about], sizes)
}

/// What a copy has in a format.
pub(crate) fn in_format(symbols: &Symbols, about: &About, sizes: &[Dim], format: Option<MemoryFormat>) -> Vec<Dim> {
    match format {
        Some(MemoryFormat::ChannelsLast | MemoryFormat::ChannelsLast3d) => {
            channels_last(sizes.len()).map_or_else(|| contiguous(sizes), |order| dense(sizes, &order))
        }
        Some(MemoryFormat::Contiguous) => contiguous(sizes),
        _ => kept(symbols, about, sizes),
    }
}

/// What an elementwise result has: dimensions keep the order that they have in the operands, the first that tells two apart deciding.
pub(crate) fn elementwise(symbols: &Symbols, operands: &[&About], sizes: &[Dim]) -> Vec<Dim> {
    let rank = sizes.len();
    let full: Vec<&&About> = operands.iter().filter(|o| o.sizes.len() == rank && o.sizes == sizes).collect();
    if !operands.is_empty() && full.len() == operands.len() {
        if operands.iter().all(|o| is_contiguous(o)) {
            return contiguous(sizes);
        }
        let same = operands.iter().all(|o| o.strides == operands[0].strides);
        if same && dense_order(symbols, operands[0]).is_some() {
            return operands[0].strides.clone();
        }
    }
    let stride = |operand: &About, d: usize| -> i64 {
        let Some(own) = (d + operand.sizes.len()).checked_sub(rank) else { return 0 };
        match (operand.sizes.get(own), operand.strides.get(own)) {
            (Some(size), Some(stride)) if *size != Dim::Known(1) => symbols.example(*stride).unwrap_or(0),
            _ => 0,
        }
    };
    // Whether one dimension lies inside of another.
    let compare = |inner: usize, outer: usize| -> Ordering {
        for operand in operands {
            let (a, b) = (stride(operand, inner), stride(operand, outer));
            if a == 0 || b == 0 {
                continue;
            }
            match a.cmp(&b) {
                Ordering::Equal => {}
                different => return different,
            }
            let example = |d: usize| sizes.get(d).and_then(|s| symbols.example(*s));
            if example(inner) > example(outer) {
                return Ordering::Greater;
            }
        }
        Ordering::Equal
    };
    // From the innermost to the outermost, by insertion: what compares equal stays.
    let mut order: Vec<usize> = (0..rank).rev().collect();
    for i in 1..rank {
        let mut at = i;
        for before in (0..i).rev() {
            match compare(order[before], order[at]) {
                Ordering::Greater => {
                    order.swap(before, at);
                    at = before;
                }
                Ordering::Less => break,
                Ordering::Equal => {}
            }
        }
    }
    order.reverse();
    dense(sizes, &order)
}

/// Strides and offset of a result: `which` is its place among the results, and in a list of tensors.
pub(crate) fn of(
    tracer: &Tracer,
    entry: &OpEntry,
    args: &[Value],
    which: (usize, Option<usize>),
    sizes: &[Dim],
) -> (Vec<Dim>, Dim) {
    let symbols = &*tracer.symbols;
    let mut tensors = Vec::new();
    args.iter().for_each(|v| v.tensors(&mut |t| tensors.push(&tracer.tensor(t).meta)));
    let first = tensors.first().copied();
    if let Some(base) = first
        && let Some(view) = view(entry, args, base, which.1, sizes)
    {
        return view;
    }
    let format = args.iter().find_map(|v| if let Value::MemoryFormat(f) = v { Some(*f) } else { None });
    let (_, name) = entry.base_name().split_once("::").unwrap_or_default();
    let own = match (name, first) {
        (name, Some(first)) if keeps_format(name) => in_format(symbols, first, sizes, format),
        // Named arguments say nothing of the order, and a permutation does.
        ("empty_permuted", _) => {
            let order = args.get(1).and_then(Value::items).unwrap_or_default();
            let order: Option<Vec<usize>> = order.iter().map(|v| usize::try_from(v.known()?).ok()).collect();
            order.map_or_else(|| contiguous(sizes), |order| dense(sizes, &order))
        }
        (name, Some(first))
            if follows_channels(name) && which.0 < 2 && is_channels_last(first) && !is_contiguous(first) =>
        {
            in_format(symbols, first, sizes, Some(MemoryFormat::ChannelsLast))
        }
        (_, Some(_)) if entry.scalar.is_some() || name == "where" || name == "clamp" => {
            elementwise(symbols, &tensors, sizes)
        }
        _ => contiguous(sizes),
    };
    (own, Dim::Known(0))
}

/// Results lie as the first tensor does, unless the call says otherwise.
fn keeps_format(name: &str) -> bool {
    name.ends_with("_like")
        || matches!(
            name,
            "clone"
                | "_to_copy"
                | "copy"
                | "fill"
                | "uniform"
                | "bernoulli"
                | "exponential"
                | "normal_functional"
                | "native_dropout"
                | "_softmax"
                | "_log_softmax"
                | "cumsum"
                | "cumprod"
                | "sort"
                | "slice_scatter"
                | "select_scatter"
                | "index_put"
                | "scatter"
                | "scatter_add"
                | "scatter_reduce"
                | "masked_scatter"
                | "diagonal_scatter"
                | "flip"
        )
}

/// Kernels that give channels innermost where their input has them so.
fn follows_channels(name: &str) -> bool {
    [
        "convolution",
        "max_pool2d",
        "max_pool3d",
        "avg_pool2d",
        "avg_pool3d",
        "_adaptive_avg_pool",
        "_native_batch_norm",
        "native_group_norm",
        "upsample_",
    ]
    .iter()
    .any(|begin| name.starts_with(begin))
}

/// Strides and offset of a view; none for what is none.
fn view(
    entry: &OpEntry,
    args: &[Value],
    base: &About,
    member: Option<usize>,
    sizes: &[Dim],
) -> Option<(Vec<Dim>, Dim)> {
    let rank = base.sizes.len();
    let at = |i: usize| args.get(i).and_then(Value::known);
    let wrapped = |d: i64, rank: usize| -> Option<usize> {
        let rank = i64::try_from(rank).ok()?;
        usize::try_from(if d < 0 { d + rank } else { d }).ok()
    };
    let dims =
        |i: usize| -> Option<Vec<usize>> { args.get(i)?.items()?.iter().map(|v| wrapped(v.known()?, rank)).collect() };
    let without = |gone: &[usize]| -> Vec<Dim> {
        base.strides.iter().enumerate().filter(|(d, _)| !gone.contains(d)).map(|(_, s)| *s).collect()
    };
    // A place in a dimension that counts from its end where it is negative.
    let place = |n: &Value, size: Dim| -> Option<Dim> {
        let n = n.dim()?;
        Some(if n.known().is_some_and(|n| n < 0) { n.plus(size) } else { n })
    };
    let same = Some((base.strides.clone(), base.offset));
    match entry.name {
        "aten::alias" | "aten::detach" | "aten::lift_fresh" => same,
        "aten::permute" => {
            let dims = dims(1)?;
            Some((dims.iter().filter_map(|d| base.strides.get(*d).copied()).collect(), base.offset))
        }
        "aten::transpose.int" | "aten::t" => {
            let (a, b) = if entry.name == "aten::t" { (0, 1) } else { (at(1)?, at(2)?) };
            let mut strides = base.strides.clone();
            if rank > 1 {
                strides.swap(wrapped(a, rank)?, wrapped(b, rank)?);
            }
            Some((strides, base.offset))
        }
        "aten::unsqueeze" => {
            let d = wrapped(at(1)?, rank + 1)?;
            let inner = base.sizes.get(d).zip(base.strides.get(d)).map_or(Dim::Known(1), |(n, s)| n.times(*s));
            let mut strides = base.strides.clone();
            strides.insert(d.min(rank), inner);
            Some((strides, base.offset))
        }
        "aten::squeeze" | "aten::squeeze.dim" | "aten::squeeze.dims" => {
            let asked = match entry.name {
                "aten::squeeze" => (0..rank).collect(),
                "aten::squeeze.dim" => vec![wrapped(at(1)?, rank)?],
                _ => dims(1)?,
            };
            let ones = asked.into_iter().filter(|d| base.sizes.get(*d) == Some(&Dim::Known(1)));
            Some((without(&ones.collect::<Vec<_>>()), base.offset))
        }
        "aten::expand" => {
            let added = sizes.len().checked_sub(rank)?;
            let stride = |(d, size): (usize, &Dim)| match d.checked_sub(added) {
                Some(own) if base.sizes.get(own) == Some(size) => {
                    base.strides.get(own).copied().unwrap_or(Dim::Known(0))
                }
                _ => Dim::Known(0),
            };
            Some((sizes.iter().enumerate().map(stride).collect(), base.offset))
        }
        "aten::select.int" => {
            let d = wrapped(at(1)?, rank)?;
            let offset = base.offset.plus(place(args.get(2)?, *base.sizes.get(d)?)?.times(*base.strides.get(d)?));
            Some((without(&[d]), offset))
        }
        "aten::slice.Tensor" => {
            let d = wrapped(at(1)?, rank)?;
            let start =
                args.get(2).filter(|v| !v.is_none()).map_or(Some(Dim::Known(0)), |v| place(v, *base.sizes.get(d)?))?;
            let start = start.most(0).least(*base.sizes.get(d)?);
            let mut strides = base.strides.clone();
            let stride = strides.get_mut(d)?;
            let offset = base.offset.plus(start.times(*stride));
            *stride = stride.times(args.get(4)?.dim()?);
            Some((strides, offset))
        }
        "aten::diagonal" => {
            let (offset, a, b) = (at(1)?, wrapped(at(2)?, rank)?, wrapped(at(3)?, rank)?);
            let (first, second) = (*base.strides.get(a)?, *base.strides.get(b)?);
            let mut strides = without(&[a, b]);
            strides.push(first.plus(second));
            let moved = if offset < 0 { first.times(offset.checked_neg()?) } else { second.times(offset) };
            Some((strides, base.offset.plus(moved)))
        }
        "aten::unfold" => {
            let d = wrapped(at(1)?, rank)?;
            let mut strides = base.strides.clone();
            let stride = *strides.get(d)?;
            strides.push(stride);
            *strides.get_mut(d)? = stride.times(at(3)?);
            Some((strides, base.offset))
        }
        "aten::split_with_sizes" | "aten::split.Tensor" => {
            let d = wrapped(at(2)?, rank)?;
            let stride = *base.strides.get(d)?;
            let before = match args.get(1)?.items() {
                Some(lengths) => {
                    lengths.iter().take(member?).filter_map(Value::dim).fold(Dim::Known(0), |a, b| a.plus(b))
                }
                None => args.get(1)?.dim()?.times(i64::try_from(member?).ok()?),
            };
            Some((base.strides.clone(), base.offset.plus(before.times(stride))))
        }
        "aten::unbind.int" => {
            let d = wrapped(at(1)?, rank)?;
            let offset = base.offset.plus(base.strides.get(d)?.times(i64::try_from(member?).ok()?));
            Some((without(&[d]), offset))
        }
        "aten::as_strided" => {
            let strides = args.get(2)?.items()?.iter().map(Value::dim).collect::<Option<Vec<Dim>>>()?;
            let offset = args.get(3)?.dim().unwrap_or(base.offset);
            Some((strides, offset))
        }
        "aten::view" | "aten::_unsafe_view" | "aten::_reshape_alias" => {
            Some((viewed(base, sizes).unwrap_or_else(|| contiguous(sizes)), base.offset))
        }
        "aten::view_as_real" => {
            let doubled = base.strides.iter().map(|s| s.times(2));
            Some((doubled.chain(std::iter::once(Dim::Known(1))).collect(), base.offset.times(2)))
        }
        _ => None,
    }
}

/// The strides with which the same memory has other sizes; none where it takes a copy.
pub(crate) fn viewed(base: &About, sizes: &[Dim]) -> Option<Vec<Dim>> {
    if base.sizes.contains(&Dim::Known(0)) {
        return Some(if base.sizes == sizes { base.strides.clone() } else { contiguous(sizes) });
    }
    if base.sizes.is_empty() {
        return Some(vec![Dim::Known(1); sizes.len()]);
    }
    let mut strides = vec![Dim::Known(1); sizes.len()];
    // Dimensions that lie densely in each other are one piece; each piece is cut anew.
    let mut next = sizes.len();
    let mut piece = Dim::Known(1);
    let mut inner = *base.strides.last()?;
    for d in (0..base.sizes.len()).rev() {
        piece = piece.times(*base.sizes.get(d)?);
        let ends = match d.checked_sub(1) {
            None => true,
            Some(outer) => {
                *base.sizes.get(outer)? != Dim::Known(1) && !base.strides.get(outer)?.same(piece.times(inner))
            }
        };
        if !ends {
            continue;
        }
        let mut cut = Dim::Known(1);
        while next > 0 && (!cut.same(piece) || sizes.get(next - 1) == Some(&Dim::Known(1))) {
            if cut
                .known()
                .zip(piece.known())
                .is_some_and(|(cut, piece)| cut >= piece && sizes.get(next - 1) != Some(&Dim::Known(1)))
            {
                break;
            }
            next -= 1;
            *strides.get_mut(next)? = cut.times(inner);
            cut = cut.times(*sizes.get(next)?);
        }
        if !cut.same(piece) {
            return None;
        }
        if let Some(outer) = d.checked_sub(1) {
            piece = Dim::Known(1);
            inner = *base.strides.get(outer)?;
        }
    }
    (next == 0).then_some(strides)
}
