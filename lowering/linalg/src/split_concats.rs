//! What is computed of joined tensors, element by element, is computed of each of them, where its part of the result lies: nothing is joined first.

use crate::Error;
use crate::emit::{Emit, Iterator, Slice, V};
use sconce_ir::affine::{Places, places};
use sconce_ir::builtin_type::Shaped;
use sconce_ir::{BlockExt, OpExt, OperationRef, ValueExt, ValueLike, attr};
use std::ops::Range;

/// More parts would be more code than one copy of them costs.
const MOST: usize = 16;

/// A tensor that others fill along one dimension, one behind the other.
struct Concat<'c> {
    d: usize,
    parts: Vec<(V<'c>, Range<i64>)>,
}

/// The sizes of a tensor, if all are known.
fn sizes_of(v: V<'_>) -> Option<Vec<i64>> {
    Shaped::tensor(v.r#type())?.sizes.into_iter().collect()
}

impl<'c> Concat<'c> {
    /// Of a value that a chain of `tensor.insert_slice` makes of an empty tensor.
    fn of(value: V<'c>) -> Option<Concat<'c>> {
        let whole = sizes_of(value)?;
        let (mut parts, mut next, mut along) = (Vec::new(), value, None);
        while let Some(op) = next.defining_op().filter(|op| op.is("tensor.insert_slice")) {
            let ints = |name: &str| op.attr(name).and_then(attr::ints_value);
            let (offsets, strides) = (ints("static_offsets")?, ints("static_strides")?);
            let [part, into] = op.operand_values()[..] else { return None };
            let sizes = sizes_of(part).filter(|sizes| Some(sizes) == ints("static_sizes").as_ref())?;
            let narrower = |i: &usize| offsets[*i] != 0 || sizes[*i] != whole[*i];
            let [d] = (0..whole.len()).filter(narrower).collect::<Vec<_>>()[..] else { return None };
            if *along.get_or_insert(d) != d || strides.iter().any(|s| *s != 1) || parts.len() == MOST {
                return None;
            }
            parts.push((part, offsets[d]..offsets[d] + sizes[d]));
            next = into;
        }
        let d = along.filter(|_| next.defining_op().is_some_and(|op| op.is("tensor.empty")))?;
        parts.reverse();
        let ends = [0].into_iter().chain(parts.iter().map(|(_, places)| places.end));
        let follow = parts.iter().zip(ends).all(|((_, places), end)| places.start == end);
        (follow && parts.last()?.1.end == whole[d]).then_some(Concat { d, parts })
    }
}

/// An operation that gives each element of its result by the elements of its operands at the same place.
struct Elementwise<'c> {
    op: OperationRef<'c, 'c>,
    /// Operands, the one that the result replaces last, and by which loops each is read.
    operands: Vec<V<'c>>,
    maps: Vec<Places>,
    loops: usize,
    /// The loop along which tensors are joined, and where its iterations are cut.
    cut: usize,
    ranges: Vec<Range<i64>>,
}

impl<'c> Elementwise<'c> {
    fn of(op: OperationRef<'c, 'c>) -> Option<Elementwise<'c>> {
        let operands = op.operand_values();
        let maps = attr::affine_maps_value(op.attr("indexing_maps")?)?;
        let maps = maps.into_iter().map(places).collect::<Option<Vec<Places>>>()?;
        let kinds = attr::array_value(op.attr("iterator_types")?)?;
        let parallel = Emit::in_front_of(op).ok()?.iterator(Iterator::Parallel);
        let plain = |op: &OperationRef<'c, 'c>| !op.is("linalg.index") && op.region_refs().is_empty();
        let joined = |(v, map): (&V<'c>, &Places)| {
            // One that is joined for others, too, is there anyway.
            let concat = Concat::of(*v).filter(|_| v.has_one_use())?;
            Some((map[concat.d]?, concat.parts.into_iter().map(|(_, range)| range).collect()))
        };
        let (cut, ranges) = operands.iter().zip(&maps).rev().skip(1).find_map(joined)?;
        let once = |map: &Places| map.iter().filter(|d| **d == Some(cut)).count();
        let fits = op.result_values().len() == 1
            && maps.len() == operands.len()
            && kinds.iter().all(|kind| *kind == parallel)
            && op.body(0)?.ops().iter().all(plain)
            && operands.iter().all(|v| sizes_of(*v).is_some())
            && maps.iter().all(|map| once(map) <= 1)
            && once(maps.last()?) == 1;
        fits.then_some(Elementwise { op, operands, maps, loops: kinds.len(), cut, ranges })
    }

    /// The part of an operand that these iterations read: itself, if they read all of it, and what was joined, if that is it.
    fn part(&self, e: &Emit<'c>, operand: usize, range: &Range<i64>) -> Result<V<'c>, Error> {
        let value = self.operands[operand];
        let Some(d) = self.maps[operand].iter().position(|d| *d == Some(self.cut)) else { return Ok(value) };
        let joined = Concat::of(value).filter(|concat| concat.d == d);
        let part = joined.and_then(|concat| concat.parts.into_iter().find(|(_, places)| places == range));
        match part {
            Some((part, _)) => Ok(part),
            None => e.extract_slice(value, &part_along(value, d, range)?),
        }
    }

    fn split(&self) -> Result<(), Error> {
        let e = Emit::in_front_of(self.op)?;
        let last = self.operands.len() - 1;
        let along = |d: &Option<usize>| *d == Some(self.cut);
        let place = self.maps[last].iter().position(along);
        let place = place.ok_or_else(|| Error::Internal("a result that is not cut".into()))?;
        let maps: Vec<_> = self.maps.iter().map(|map| e.map(self.loops, map)).collect();
        let body = self.op.body(0).ok_or_else(|| Error::Internal("linalg.generic without body".into()))?;
        let mut out = self.operands[last];
        for range in &self.ranges {
            let ins = (0..last).map(|i| self.part(&e, i, range)).collect::<Result<Vec<_>, _>>()?;
            let part = part_along(out, place, range)?;
            let to = e.extract_slice(out, &part)?;
            let kinds = vec![Iterator::Parallel; self.loops];
            let made = e.structured("linalg.generic", &ins, &[to], &maps, Some(&kinds), &mut |e, v| {
                let mut known: Vec<(V<'c>, V<'c>)> = body.args().into_iter().zip(v.iter().copied()).collect();
                let ops = body.ops();
                let (end, ops) = ops.split_last().ok_or_else(|| Error::Internal("a body without end".into()))?;
                e.copies(ops, &mut known);
                let new = |v: V<'c>| known.iter().rev().find(|(old, _)| *old == v).map_or(v, |(_, new)| *new);
                Ok(end.operand_values().into_iter().map(new).collect())
            })?;
            out = e.insert_slice(made[0], out, &part)?;
        }
        self.op.replace_with(&[out]).map_err(|e| Error::Internal(e.to_string()))
    }
}

/// A part along one dimension of a tensor, which is whole in the others.
fn part_along<'c>(whole: V<'c>, d: usize, range: &Range<i64>) -> Result<Slice<'c>, Error> {
    let mut sizes = sizes_of(whole).ok_or_else(|| Error::Internal("sizes that are not known".into()))?;
    let mut offsets = vec![0; sizes.len()];
    (offsets[d], sizes[d]) = (range.start, range.end - range.start);
    Ok(Slice { steps: vec![1; sizes.len()], offsets, sizes, ..Slice::default() })
}

/// Splits the elementwise operations below `root` that read joined tensors, each after those whose results it reads.
pub(crate) fn split(root: OperationRef<'_, '_>) -> Result<(), Error> {
    root.find_all("linalg.generic").into_iter().try_for_each(|op| match Elementwise::of(op) {
        Some(op) => op.split(),
        None => Ok(()),
    })
}
