//! Folds of windows as register tiles: vectors run along the last dimension of the result, a tile of them (by some filters, where what is read does not depend
//! on the filter) is folded at once, and the places of a window are written out.
//!
//! `y[f, o] = fold over c, k of g(x[c, o · stride + k · dilation], w[f, c, k])`: convolutions of few channels a group and pools.

use crate::family::{Registers, replace};
use crate::loops::{carried, each};
use crate::structured::{Operand, Place, Structured, static_sizes};
use sconce_ir::builtin_type::vector;
use sconce_ir::{BlockExt, OpExt, OperationRef, Type, ValueExt};
use sconce_linalg::Error;
use sconce_linalg::emit::{Emit, V};

/// Sums that a tile holds at most: of sixteen registers four are left for what is read.
const SUMS: i64 = 12;
/// Vectors side by side in a tile at most.
const SIDE: i64 = 4;
/// Places of a window that are written out at most.
const TAPS: i64 = 64;

/// What becomes of a tile's sums at a place of the loops that fold.
type Step<'b, 'c> = dyn FnMut(&Emit<'c>, &[Place<'c>], &[V<'c>]) -> Result<Vec<V<'c>>, Error> + 'b;

/// How a tile holds its elements.
#[derive(Clone, Copy)]
enum Lanes<'c> {
    Vector,
    /// Vectors of which only the first lanes are there, and the same of twice as many elements, of which every other one is read.
    Masked(V<'c>, V<'c>),
}

/// A fold of windows that has a tile.
struct Windows<'c> {
    s: Structured<'c>,
    /// The loop that vectors run along.
    along: usize,
    /// A loop of which a tile has several iterations, and how many.
    filters: Option<(usize, i64)>,
    /// Loops that fold and stay loops.
    carried: Vec<usize>,
    /// Loops that fold and are written out.
    taps: Vec<usize>,
    lanes: i64,
    element: Type<'c>,
    /// How far each operand moves from one lane to the next.
    steps: Vec<i64>,
    /// What the result was filled with just before.
    filled: Option<V<'c>>,
}

/// Replaces the folds of windows below `root` that have a tile.
pub fn expand<'c>(root: OperationRef<'c, 'c>, registers: Registers) -> Result<(), Error> {
    replace(root, |op| Windows::of(op, registers), |windows, filled, e| Windows { filled, ..windows }.emit(e))
}

impl<'c> Windows<'c> {
    fn of(op: OperationRef<'c, 'c>, registers: Registers) -> Option<Windows<'c>> {
        let s = Structured::of(op)?;
        let (out, ins) = s.operands.split_last()?;
        let (element, lanes) = s.vectors(registers)?;
        let [(along, 1)] = out.places.last()?[..] else { return None };
        let folds = ins.iter().flat_map(|o| &o.places).any(|sum| sum.len() > 1);
        if !folds || !s.parallel[along] || !s.operands.iter().all(Operand::is_dense) {
            return None;
        }
        let steps: Vec<i64> = s.operands.iter().map(|o| o.step_of(along)).collect::<Option<_>>()?;
        if steps.iter().any(|step| !(0..=2).contains(step)) || s.loops[along] < lanes / 2 {
            return None;
        }
        let folding: Vec<usize> = (0..s.loops.len()).filter(|d| !s.parallel[*d]).collect();
        let mut taps = folding.len();
        let mut written = 1;
        while taps > 0 && written * s.loops[folding[taps - 1]] <= TAPS {
            taps -= 1;
            written *= s.loops[folding[taps]];
        }
        if taps == folding.len() {
            return None;
        }
        let moves =
            |d: usize| s.operands.iter().zip(&steps).any(|(o, step)| *step > 0 && !o.written && o.depends_on(d));
        let shared = |d: &usize| *d != along && s.parallel[*d] && out.depends_on(*d) && !moves(*d);
        let filters = (0..s.loops.len())
            .rev()
            .filter(shared)
            .find_map(|d| [4, 3, 2].into_iter().find(|n| s.loops[d] % n == 0).map(|n| (d, n)));
        let (carried, taps) = (folding[..taps].to_vec(), folding[taps..].to_vec());
        Some(Windows { s, along, filters, carried, taps, lanes, element, steps, filled: None })
    }

    /// Every other element from two vectors is read beyond the last one that is asked for; where that lies in no row, the vectors end earlier.
    fn vectors(&self) -> i64 {
        let n = self.s.loops[self.along];
        let fits = |count: i64| {
            self.s.operands.iter().zip(&self.steps).filter(|(_, step)| **step == 2).all(|(o, _)| {
                let (Some(sizes), Some(last)) = (static_sizes(o.value), o.places.last()) else { return false };
                let reach = |(d, factor): &(usize, i64)| {
                    if *d == self.along { 2 * count * self.lanes - 1 } else { factor * (self.s.loops[*d] - 1) }
                };
                sizes.last().is_some_and(|size| last.iter().map(reach).sum::<i64>() < *size)
            })
        };
        (0..=n / self.lanes).rev().find(|count| fits(*count)).unwrap_or(0)
    }

    fn emit(&self, e: &Emit<'c>) -> Result<(), Error> {
        let step = |d: usize| self.filters.filter(|(filter, _)| *filter == d).map_or(1, |(_, n)| n);
        self.s.around(e, self.along, &step, &mut |e, at| self.row(e, at))
    }

    /// One row of results, of each filter of a tile.
    fn row(&self, e: &Emit<'c>, at: &mut [Place<'c>]) -> Result<(), Error> {
        let (n, count) = (self.s.loops[self.along], self.vectors());
        let most = (SUMS / self.filters.map_or(1, |(_, n)| n)).min(SIDE);
        let side = (2..=most).rev().find(|side| count % side == 0).unwrap_or(most.min(count.max(1)));
        let (whole, wide) = (count / side * side, side * self.lanes);
        if whole > 0 {
            self.run(e, at, (0, whole * self.lanes), wide, &mut |e, at| self.tile(e, at, side, Lanes::Vector))?;
        }
        if whole < count {
            at[self.along] = Place(None, whole * self.lanes);
            self.tile(e, at, count - whole, Lanes::Vector)?;
        }
        for from in (count * self.lanes..n).step_by(self.lanes as usize) {
            at[self.along] = Place(None, from);
            let left = (n - from).min(self.lanes);
            let mask = |lanes: i64, left: i64| {
                e.one("vector.create_mask", &[e.index(left)?], vector(&[lanes], e.int_type(1)), &[])
            };
            let masks = Lanes::Masked(mask(self.lanes, left)?, mask(2 * self.lanes, 2 * left - 1)?);
            self.tile(e, at, 1, masks)?;
        }
        Ok(())
    }

    /// A loop along the row.
    fn run(
        &self,
        e: &Emit<'c>,
        at: &mut [Place<'c>],
        (from, to): (i64, i64),
        step: i64,
        body: &mut dyn FnMut(&Emit<'c>, &mut [Place<'c>]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if from + step == to {
            at[self.along] = Place(None, from);
            return body(e, at);
        }
        each(e, e.index(from)?, e.index(to)?, step, &mut |e, i| {
            at[self.along] = Place(Some(i), 0);
            body(e, at)
        })
    }

    fn tile(&self, e: &Emit<'c>, at: &[Place<'c>], side: i64, lanes: Lanes<'c>) -> Result<(), Error> {
        let out = self.s.operands.len() - 1;
        let filters = self.filters.map_or(1, |(_, n)| n);
        let parts: Vec<(i64, i64)> = (0..filters).flat_map(|f| (0..side).map(move |v| (f, v))).collect();
        let moved = |at: &[Place<'c>], (f, v): (i64, i64)| {
            let mut at = at.to_vec();
            at[self.along].1 += v * self.lanes;
            if let Some((d, _)) = self.filters {
                at[d].1 += f;
            }
            at
        };
        let start = |part: &(i64, i64)| match self.filled {
            None => self.load(e, out, &moved(at, *part), lanes),
            Some(value) => e.one("vector.broadcast", &[value], vector(&[self.lanes], self.element), &[]),
        };
        let first = parts.iter().map(start).collect::<Result<Vec<_>, _>>()?;
        let mut at = at.to_vec();
        let folded = self.fold(e, &self.carried, &mut at, &first, &mut |e, at, sums| {
            let mut sums = sums.to_vec();
            self.each_tap(&self.taps, &mut at.to_vec(), &mut |at| {
                // What does not depend on the filter is read once for all of them, and what does not depend on the lane once for all vectors.
                let mut read: Vec<((usize, i64, i64), V<'c>)> = Vec::new();
                for (part, sum) in parts.iter().zip(&mut sums) {
                    let mut values = Vec::new();
                    for (k, operand) in self.s.operands[..out].iter().enumerate() {
                        // A pool has an operand only for the size of its windows.
                        if self.s.op.body(0).and_then(|body| body.arg(k)).is_some_and(|argument| argument.is_unused()) {
                            values.push(*sum);
                            continue;
                        }
                        let by_filter = self.filters.is_some_and(|(d, _)| operand.depends_on(d));
                        let key = (k, if by_filter { part.0 } else { 0 }, if self.steps[k] > 0 { part.1 } else { 0 });
                        let value = match read.iter().find(|(known, _)| *known == key) {
                            Some((_, value)) => *value,
                            None => {
                                let value = self.load(e, k, &moved(at, (key.1, key.2)), lanes)?;
                                read.push((key, value));
                                value
                            }
                        };
                        values.push(value);
                    }
                    values.push(*sum);
                    *sum = self.s.of_vectors(e, &values, self.lanes)?;
                }
                Ok(())
            })?;
            Ok(sums)
        })?;
        for (part, value) in parts.iter().zip(folded) {
            self.store(e, out, &moved(&at, *part), lanes, value)?;
        }
        Ok(())
    }

    /// The loops that fold and are loops.
    fn fold(
        &self,
        e: &Emit<'c>,
        loops: &[usize],
        at: &mut Vec<Place<'c>>,
        sums: &[V<'c>],
        body: &mut Step<'_, 'c>,
    ) -> Result<Vec<V<'c>>, Error> {
        let Some((d, rest)) = loops.split_first() else { return body(e, at, sums) };
        let bounds = [e.index(0)?, e.index(self.s.loops[*d])?, e.index(1)?];
        carried(e, bounds, sums, &mut |e, i, sums| {
            at[*d] = Place(Some(i), 0);
            self.fold(e, rest, at, sums, body)
        })
    }

    /// The places of a window.
    fn each_tap(
        &self,
        loops: &[usize],
        at: &mut Vec<Place<'c>>,
        body: &mut dyn FnMut(&[Place<'c>]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Some((d, rest)) = loops.split_first() else { return body(at) };
        for k in 0..self.s.loops[*d] {
            at[*d] = Place(None, k);
            self.each_tap(rest, at, body)?;
        }
        Ok(())
    }

    fn load(&self, e: &Emit<'c>, k: usize, at: &[Place<'c>], lanes: Lanes<'c>) -> Result<V<'c>, Error> {
        let mut operands = vec![self.s.operands[k].value];
        operands.extend(self.s.indices(e, k, at)?);
        let (wide, twice) = (vector(&[self.lanes], self.element), vector(&[2 * self.lanes], self.element));
        let every_other = |e: &Emit<'c>, both: V<'c>| {
            let op = e.op("vector.deinterleave", &[both], &[wide, wide], &[])?;
            op.result_value(0).ok_or_else(|| Error::Internal("nothing was taken apart".into()))
        };
        match (lanes, self.steps[k]) {
            (_, 0) => {
                let one = e.one("memref.load", &operands, self.element, &[])?;
                e.one("vector.broadcast", &[one], wide, &[])
            }
            (Lanes::Masked(mask, _), 1) => {
                operands.extend([mask, e.splat(0., wide, self.element)?]);
                e.one("vector.maskedload", &operands, wide, &[])
            }
            (Lanes::Masked(_, mask), _) => {
                operands.extend([mask, e.splat(0., twice, self.element)?]);
                every_other(e, e.one("vector.maskedload", &operands, twice, &[])?)
            }
            (Lanes::Vector, 1) => e.one("vector.load", &operands, wide, &[]),
            (Lanes::Vector, _) => every_other(e, e.one("vector.load", &operands, twice, &[])?),
        }
    }

    fn store(&self, e: &Emit<'c>, k: usize, at: &[Place<'c>], lanes: Lanes<'c>, value: V<'c>) -> Result<(), Error> {
        let mut place = vec![self.s.operands[k].value];
        place.extend(self.s.indices(e, k, at)?);
        let (name, operands) = match lanes {
            Lanes::Vector => ("vector.store", [&[value], &place[..]].concat()),
            Lanes::Masked(mask, _) => ("vector.maskedstore", [&place[..], &[mask, value]].concat()),
        };
        e.op(name, &operands, &[], &[]).map(|_| ())
    }
}
