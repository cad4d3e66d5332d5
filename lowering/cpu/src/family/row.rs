//! Sums along short rows: vectors run along the rows, several rows are summed at once, and their sums are folded together at the end.
//!
//! `y[r] = sum over k of g(x[r, k], w[k], …)`: means of channels, products of a matrix and a vector. Of a row of a few vectors the fold at its end is most of the
//! work; long rows are left to LLVM, which sums one after the other.

use crate::family::sums::folded;
use crate::family::{Registers, replace};
use crate::loops::{carried, parallel};
use crate::structured::{Operand, Place, Structured};
use sconce_ir::attr::FastMath;
use sconce_ir::builtin_type::vector;
use sconce_ir::{BlockExt, OpExt, OperationRef, Type, ValueExt, ValueLike, attr};
use sconce_linalg::Error;
use sconce_linalg::emit::{Emit, V};

/// Elements of a row at most, and rows at least.
const MOST: i64 = 1 << 10;
const LEAST_ROWS: i64 = 4;
/// Elements of a row that is read beside few others, and how many: of sixteen rows of 4 KiB all lines meet in one set of the first cache, which then keeps none of those
/// that are fetched ahead.
const LONG: i64 = 256;
const STREAMS: i64 = 4;

/// Sums of rows.
struct Rows<'c> {
    s: Structured<'c>,
    /// The loop that leads from one sum to the next, and the one that vectors run along.
    row: usize,
    along: usize,
    /// The other loops that fold.
    carried: Vec<usize>,
    lanes: i64,
    element: Type<'c>,
    /// What the result was filled with just before.
    filled: Option<V<'c>>,
}

/// Replaces the sums of short rows below `root`.
pub fn expand<'c>(root: OperationRef<'c, 'c>, registers: Registers) -> Result<(), Error> {
    replace(root, |op| Rows::of(op, registers), |rows, filled, e| Rows { filled, ..rows }.emit(e))
}

/// Whether the result is a sum in any order, to which the body adds.
fn is_free_sum(op: OperationRef<'_, '_>) -> bool {
    let Some(body) = op.body(0) else { return false };
    let (Some(sum), Some(end)) = (body.args().pop(), body.terminator_op()) else { return false };
    let free = [false, true]
        .map(|contracts| attr::fast_math(op.context_ref(), FastMath { reassociates: true, contracts, numbers: false }));
    let is_free = |op: &OperationRef<'_, '_>| op.attr("fastmath").is_some_and(|flags| free.contains(&flags));
    let add = end.operand_value(0).and_then(|v| v.defining_op()).filter(|op| op.is("arith.addf")).filter(is_free);
    add.is_some_and(|add| add.operand_values().contains(&sum)) && sum.uses().len() == 1
}

impl<'c> Rows<'c> {
    fn of(op: OperationRef<'c, 'c>, registers: Registers) -> Option<Rows<'c>> {
        let s = Structured::of(op)?;
        let (out, ins) = s.operands.split_last()?;
        let (element, lanes) = s.vectors(registers)?;
        let [(row, 1)] = out.places.last()?[..] else { return None };
        let folds: Vec<usize> = (0..s.loops.len()).filter(|d| !s.parallel[*d]).collect();
        let along = folds.iter().copied().rev().find(|d| {
            ins.iter().any(|o| o.places.last().is_some_and(|sum| sum[..] == [(*d, 1)]) && o.depends_on(row))
        })?;
        let reads = |o: &Operand<'c>| match o.step_of(along) {
            Some(0) => true,
            Some(1) => o.is_dense(),
            _ => false,
        };
        let elements = folds.iter().map(|d| s.loops[*d]).product::<i64>();
        let suits = is_free_sum(op)
            && s.parallel[row]
            && out.is_dense()
            && ins.iter().all(reads)
            && s.loops[row] >= LEAST_ROWS
            && s.loops[along] >= lanes / 2
            && elements <= MOST;
        let carried = folds.into_iter().filter(|d| *d != along).collect();
        suits.then_some(Rows { s, row, along, carried, lanes, element, filled: None })
    }

    fn emit(&self, e: &Emit<'c>) -> Result<(), Error> {
        self.s.around(e, self.row, &|_| 1, &mut |e, at| self.rows(e, at))
    }

    /// All rows that lie side by side, a tile after the other.
    fn rows(&self, e: &Emit<'c>, at: &mut [Place<'c>]) -> Result<(), Error> {
        let (n, rows) = (self.s.loops[self.row], self.lanes.min(self.s.loops[self.row]));
        let whole = n / rows * rows;
        parallel(e, e.index(0)?, e.index(whole)?, rows, &mut |e, i| {
            at[self.row] = Place(Some(i), 0);
            self.tile(e, at, rows)
        })?;
        at[self.row] = Place(None, whole);
        if whole < n { self.tile(e, at, n - whole) } else { Ok(()) }
    }

    /// So many rows.
    fn tile(&self, e: &Emit<'c>, at: &[Place<'c>], rows: i64) -> Result<(), Error> {
        let zero = e.splat(0., self.wide(), self.element)?;
        let at_once = if self.s.loops[self.along] < LONG { rows } else { STREAMS.min(rows) };
        let mut sums = Vec::with_capacity(rows as usize);
        for first in (0..rows).step_by(at_once as usize) {
            let mut inner = at.to_vec();
            inner[self.row].1 += first;
            sums.extend(self.fold(e, &self.carried, &mut inner, &vec![zero; at_once.min(rows - first) as usize])?);
        }
        let sums = folded(e, &sums, self.lanes as usize, FastMath { reassociates: true, ..FastMath::default() })?;
        let out = self.s.operands.len() - 1;
        let mut place = vec![self.s.operands[out].value];
        place.extend(self.s.indices(e, out, at)?);
        let first = match self.filled {
            Some(value) => e.one("vector.broadcast", &[value], sums.r#type(), &[])?,
            None => e.one("vector.load", &place, sums.r#type(), &[])?,
        };
        let operands: Vec<V<'c>> = [e.same("arith.addf", &[first, sums])?].into_iter().chain(place).collect();
        e.op("vector.store", &operands, &[], &[]).map(|_| ())
    }

    fn wide(&self) -> Type<'c> {
        vector(&[self.lanes], self.element)
    }

    fn fold(
        &self,
        e: &Emit<'c>,
        loops: &[usize],
        at: &mut Vec<Place<'c>>,
        sums: &[V<'c>],
    ) -> Result<Vec<V<'c>>, Error> {
        if let Some((d, rest)) = loops.split_first() {
            let bounds = [e.index(0)?, e.index(self.s.loops[*d])?, e.index(1)?];
            return carried(e, bounds, sums, &mut |e, i, sums| {
                at[*d] = Place(Some(i), 0);
                self.fold(e, rest, at, sums)
            });
        }
        let n = self.s.loops[self.along];
        let whole = n / self.lanes * self.lanes;
        let bounds = [e.index(0)?, e.index(whole)?, e.index(self.lanes)?];
        let sums = carried(e, bounds, sums, &mut |e, i, sums| {
            at[self.along] = Place(Some(i), 0);
            self.add(e, at, sums, None)
        })?;
        if whole == n {
            return Ok(sums);
        }
        at[self.along] = Place(None, whole);
        let mask = vector(&[self.lanes], e.int_type(1));
        let mask = e.one("vector.create_mask", &[e.index(n - whole)?], mask, &[])?;
        self.add(e, at, &sums, Some(mask))
    }

    /// The sums of rows with a vector of each added; with a mask only its first lanes.
    fn add(&self, e: &Emit<'c>, at: &[Place<'c>], sums: &[V<'c>], mask: Option<V<'c>>) -> Result<Vec<V<'c>>, Error> {
        let ins = &self.s.operands[..self.s.operands.len() - 1];
        let mut shared: Vec<Option<V<'c>>> = vec![None; ins.len()];
        let mut all = Vec::with_capacity(sums.len());
        for (r, sum) in sums.iter().enumerate() {
            let mut at = at.to_vec();
            at[self.row].1 += r as i64;
            let mut values = Vec::with_capacity(ins.len() + 1);
            for (k, operand) in ins.iter().enumerate() {
                let value = match shared[k] {
                    Some(value) => value,
                    None => self.load(e, k, &at, mask)?,
                };
                // What is the same for all rows is read once.
                shared[k] = (!operand.depends_on(self.row)).then_some(value);
                values.push(value);
            }
            values.push(*sum);
            let next = self.s.of_vectors(e, &values, self.lanes)?;
            all.push(match mask {
                Some(mask) => e.one("arith.select", &[mask, next, *sum], self.wide(), &[])?,
                None => next,
            });
        }
        Ok(all)
    }

    fn load(&self, e: &Emit<'c>, k: usize, at: &[Place<'c>], mask: Option<V<'c>>) -> Result<V<'c>, Error> {
        let mut operands = vec![self.s.operands[k].value];
        operands.extend(self.s.indices(e, k, at)?);
        if self.s.operands[k].step_of(self.along) == Some(0) {
            let one = e.one("memref.load", &operands, self.element, &[])?;
            return e.one("vector.broadcast", &[one], self.wide(), &[]);
        }
        let Some(mask) = mask else { return e.one("vector.load", &operands, self.wide(), &[]) };
        operands.extend([mask, e.splat(0., self.wide(), self.element)?]);
        e.one("vector.maskedload", &operands, self.wide(), &[])
    }
}
