//! Products of matrices as register tiles of vectors, in place of the scalar loops they would become.
//!
//! `A · Bᵀ` (rows of both are contiguous) is dot products: vectors run along k, a tile of rows by columns is summed at once and each sum is
//! folded at the end. `A · B` is outer products: vectors run along the columns of B, elements of A are broadcast. Other layouts stay loops.

use crate::family::Registers;
use crate::loops::{carried, each, parallel};
use sconce_ir::affine::{Places, places};
use sconce_ir::attr::FastMath;
use sconce_ir::builtin_type::{Layout, Shaped, vector};
use sconce_ir::{Attribute, OpExt, OperationRef, Type, ValueLike, attr};
use sconce_linalg::Error;
use sconce_linalg::emit::{Emit, V};

/// Products of a batch that are too few to be shared by threads.
const FEW: i64 = 8;

/// One product.
struct Product<'c> {
    a: V<'c>,
    b: V<'c>,
    c: V<'c>,
    /// Number of the batch, in front of the other indices.
    batch: Option<V<'c>>,
    transposed: bool,
    element: Type<'c>,
    vector: Type<'c>,
    lanes: i64,
    flags: Attribute<'c>,
    /// Sizes, where they are known.
    m: Option<i64>,
}

/// Replaces the products of `root` that have a layout known here.
pub fn expand<'c>(root: OperationRef<'c, 'c>, registers: Registers) -> Result<(), Error> {
    for name in ["linalg.matmul", "linalg.batch_matmul"] {
        for op in root.find_all(name) {
            one(op, registers, name == "linalg.batch_matmul")?;
        }
    }
    Ok(())
}

/// The loops by which the three operands of a product are read.
type Reads = [&'static [usize]; 3];

/// Of a product in whose right side rows are reduced, and of one in which columns are.
const SINGLE: [Reads; 2] = [[&[0, 2], &[2, 1], &[0, 1]], [&[0, 2], &[1, 2], &[0, 1]]];
const BATCHED: [Reads; 2] = [[&[0, 1, 3], &[0, 3, 2], &[0, 1, 2]], [&[0, 1, 3], &[0, 2, 3], &[0, 1, 2]]];

/// Whether the right side of a product lies transposed; `None` for other maps than those known here.
fn is_transposed(maps: &[Places], batched: bool) -> Option<bool> {
    let same = |reads: &Reads| {
        maps.len() == reads.len()
            && maps.iter().zip(reads).all(|(map, dims)| map.iter().copied().eq(dims.iter().copied().map(Some)))
    };
    let [plain, transposed] = if batched { BATCHED } else { SINGLE };
    if same(&plain) { Some(false) } else { same(&transposed).then_some(true) }
}

fn one<'c>(op: OperationRef<'c, 'c>, registers: Registers, batched: bool) -> Result<(), Error> {
    let operands = op.operand_values();
    let [a, b, c] = operands[..] else { return Ok(()) };
    let e = Emit::in_front_of(op)?;
    let maps = op.attr("indexing_maps").and_then(attr::affine_maps_value);
    let Some(maps) = maps.and_then(|maps| maps.into_iter().map(places).collect::<Option<Vec<_>>>()) else {
        return Ok(());
    };
    let Some(transposed) = is_transposed(&maps, batched) else { return Ok(()) };
    let dense = |v: V<'c>| {
        let layout = Layout::of(v.r#type())?;
        Shaped::buffer(v.r#type()).filter(|_| layout.strides.last() == Some(&Some(1)))
    };
    let (Some(left), Some(right), Some(sum)) = (dense(a), dense(b), dense(c)) else { return Ok(()) };
    let element = left.element;
    let bytes = if element == Type::float32(e.context) {
        4
    } else if element == Type::float64(e.context) {
        8
    } else {
        return Ok(());
    };
    if right.element != element || sum.element != element {
        return Ok(());
    }
    let lanes = (registers.bytes / bytes) as i64;
    let m = left.sizes.get(usize::from(batched)).copied().flatten();
    let mut product = Product {
        a,
        b,
        c,
        batch: None,
        transposed,
        element,
        vector: vector(&[lanes], element),
        lanes,
        flags: e.fast_math(FastMath { reassociates: true, contracts: true }),
        m,
    };
    if batched {
        let count = size(&e, a, 0)?;
        let mut one = |e: &Emit<'c>, batch: V<'c>| {
            product.batch = Some(batch);
            product.emit(e)
        };
        // Threads share the columns of a few products.
        if left.sizes[0].is_some_and(|n| n < FEW) {
            each(&e, e.index(0)?, count, 1, &mut one)?;
        } else {
            parallel(&e, e.index(0)?, count, 1, &mut one)?;
        }
    } else {
        product.emit(&e)?;
    }
    op.erase().map_err(|e| Error::Internal(e.to_string()))
}

fn size<'c>(e: &Emit<'c>, v: V<'c>, dim: usize) -> Result<V<'c>, Error> {
    e.one("memref.dim", &[v, e.index(dim as i64)?], e.index_type(), &[])
}

/// The largest multiple of `step` that is at most `n`.
fn whole<'c>(e: &Emit<'c>, n: V<'c>, step: i64) -> Result<V<'c>, Error> {
    let rest = e.same("arith.remui", &[n, e.index(step)?])?;
    e.same("arith.subi", &[n, rest])
}

impl<'c> Product<'c> {
    fn place(&self, i: V<'c>, j: V<'c>) -> Vec<V<'c>> {
        self.batch.into_iter().chain([i, j]).collect()
    }
    fn operands(&self, buffer: V<'c>, i: V<'c>, j: V<'c>) -> Vec<V<'c>> {
        let mut all = vec![buffer];
        all.extend(self.place(i, j));
        all
    }
    fn load(&self, e: &Emit<'c>, buffer: V<'c>, i: V<'c>, j: V<'c>) -> Result<V<'c>, Error> {
        e.one("memref.load", &self.operands(buffer, i, j), self.element, &[])
    }
    fn load_vector(&self, e: &Emit<'c>, buffer: V<'c>, i: V<'c>, j: V<'c>) -> Result<V<'c>, Error> {
        e.one("vector.load", &self.operands(buffer, i, j), self.vector, &[])
    }
    fn multiply_add(&self, e: &Emit<'c>, x: V<'c>, y: V<'c>, sum: V<'c>) -> Result<V<'c>, Error> {
        let flags = [("fastmath", self.flags)];
        let t = sum.r#type();
        let product = e.one("arith.mulf", &[x, y], t, &flags)?;
        e.one("arith.addf", &[product, sum], t, &flags)
    }
    fn add_to_result(&self, e: &Emit<'c>, i: V<'c>, j: V<'c>, sum: V<'c>) -> Result<(), Error> {
        let old = self.load(e, self.c, i, j)?;
        let new = e.same("arith.addf", &[old, sum])?;
        let mut operands = vec![new];
        operands.extend(self.operands(self.c, i, j));
        e.op("memref.store", &operands, &[], &[]).map(|_| ())
    }

    fn emit(&self, e: &Emit<'c>) -> Result<(), Error> {
        let first = usize::from(self.batch.is_some());
        let m = size(e, self.a, first)?;
        let k = size(e, self.a, first + 1)?;
        let n = size(e, self.c, first + 1)?;
        // 24 sums, and registers left for what is multiplied.
        let (rows, columns) = match self.m {
            Some(1) => (1, 8),
            Some(m) if m < 4 => (m, 8),
            Some(m) if m % 4 != 0 && m % 6 == 0 => (6, 4),
            _ => (4, 6),
        };
        let columns = if self.transposed { columns } else { 24 / rows.max(6) };
        let rows = if self.transposed || self.m.is_some_and(|m| m < 6) { rows } else { 6 };
        let mut row_steps = vec![(e.index(0)?, whole(e, m, rows)?, rows)];
        if rows > 1 && self.m.is_none_or(|m| m % rows != 0) {
            row_steps.push((row_steps[0].1, m, 1));
        }
        if self.transposed {
            return self.dots(e, &row_steps, columns, n, k);
        }
        self.outer(e, &row_steps, columns, n, k)
    }

    /// Columns outside, so that a few rows of B stay close while all rows of A pass.
    fn dots(
        &self,
        e: &Emit<'c>,
        row_steps: &[(V<'c>, V<'c>, i64)],
        columns: i64,
        n: V<'c>,
        k: V<'c>,
    ) -> Result<(), Error> {
        let split = whole(e, n, columns)?;
        for (from, to, columns) in [(e.index(0)?, split, columns), (split, n, 1)] {
            parallel(e, from, to, columns, &mut |e, j| {
                for (from, to, rows) in row_steps {
                    each(e, *from, *to, *rows, &mut |e, i| self.dot_tile(e, i, *rows, j, columns, k))?;
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    fn dot_tile(&self, e: &Emit<'c>, i: V<'c>, rows: i64, j: V<'c>, columns: i64, k: V<'c>) -> Result<(), Error> {
        let offset = |e: &Emit<'c>, base: V<'c>, by: i64| e.same("arith.addi", &[base, e.index(by)?]);
        let is: Vec<V<'c>> = (0..rows).map(|r| offset(e, i, r)).collect::<Result<_, _>>()?;
        let js: Vec<V<'c>> = (0..columns).map(|c| offset(e, j, c)).collect::<Result<_, _>>()?;
        let zero = e.splat(0., self.vector, self.element)?;
        let count = (rows * columns) as usize;
        let split = whole(e, k, self.lanes)?;
        let bounds = [e.index(0)?, split, e.index(self.lanes)?];
        let sums = carried(e, bounds, &vec![zero; count], &mut |e, p, sums| {
            let ys = js.iter().map(|j| self.load_vector(e, self.b, *j, p)).collect::<Result<Vec<_>, _>>()?;
            let mut next = Vec::with_capacity(count);
            for i in &is {
                let x = self.load_vector(e, self.a, *i, p)?;
                for y in &ys {
                    next.push(self.multiply_add(e, x, *y, sums[next.len()])?);
                }
            }
            Ok(next)
        })?;
        let kind = attr::vector_sum(e.context);
        let folded = sums
            .into_iter()
            .map(|v| e.one("vector.reduction", &[v], self.element, &[("kind", kind), ("fastmath", self.flags)]))
            .collect::<Result<Vec<_>, _>>()?;
        let sums = carried(e, [split, k, e.index(1)?], &folded, &mut |e, p, sums| {
            let mut next = Vec::with_capacity(count);
            for i in &is {
                let x = self.load(e, self.a, *i, p)?;
                for j in &js {
                    let y = self.load(e, self.b, *j, p)?;
                    next.push(self.multiply_add(e, x, y, sums[next.len()])?);
                }
            }
            Ok(next)
        })?;
        for (place, sum) in sums.into_iter().enumerate() {
            let (r, c) = (place / columns as usize, place % columns as usize);
            self.add_to_result(e, is[r], js[c], sum)?;
        }
        Ok(())
    }

    /// Vectors of columns: as many as the registers hold, then one at a time, then one with a mask.
    fn outer(
        &self,
        e: &Emit<'c>,
        row_steps: &[(V<'c>, V<'c>, i64)],
        vectors: i64,
        n: V<'c>,
        k: V<'c>,
    ) -> Result<(), Error> {
        let wide = whole(e, n, vectors * self.lanes)?;
        let narrow = whole(e, n, self.lanes)?;
        for (from, to, vectors, masked) in
            [(e.index(0)?, wide, vectors, false), (wide, narrow, 1, false), (narrow, n, 1, true)]
        {
            parallel(e, from, to, vectors * self.lanes, &mut |e, j| {
                let mask = if masked {
                    let left = e.same("arith.subi", &[n, j])?;
                    let t = vector(&[self.lanes], e.int_type(1));
                    Some(e.one("vector.create_mask", &[left], t, &[])?)
                } else {
                    None
                };
                for (from, to, rows) in row_steps {
                    each(e, *from, *to, *rows, &mut |e, i| self.outer_tile(e, i, *rows, j, vectors, k, mask))?;
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    #[allow(clippy::too_many_arguments, reason = "a tile is its place and its size")]
    fn outer_tile(
        &self,
        e: &Emit<'c>,
        i: V<'c>,
        rows: i64,
        j: V<'c>,
        vectors: i64,
        k: V<'c>,
        mask: Option<V<'c>>,
    ) -> Result<(), Error> {
        let offset = |e: &Emit<'c>, base: V<'c>, by: i64| e.same("arith.addi", &[base, e.index(by)?]);
        let is: Vec<V<'c>> = (0..rows).map(|r| offset(e, i, r)).collect::<Result<_, _>>()?;
        let js: Vec<V<'c>> = (0..vectors).map(|v| offset(e, j, v * self.lanes)).collect::<Result<_, _>>()?;
        let zero = e.splat(0., self.vector, self.element)?;
        let read = |e: &Emit<'c>, buffer: V<'c>, i: V<'c>, j: V<'c>| match mask {
            None => self.load_vector(e, buffer, i, j),
            Some(mask) => {
                let mut operands = self.operands(buffer, i, j);
                operands.extend([mask, zero]);
                e.one("vector.maskedload", &operands, self.vector, &[])
            }
        };
        let count = (rows * vectors) as usize;
        let sums = carried(e, [e.index(0)?, k, e.index(1)?], &vec![zero; count], &mut |e, p, sums| {
            let ys = js.iter().map(|j| read(e, self.b, p, *j)).collect::<Result<Vec<_>, _>>()?;
            let mut next = Vec::with_capacity(count);
            for i in &is {
                let x = self.load(e, self.a, *i, p)?;
                let x = e.one("vector.broadcast", &[x], self.vector, &[])?;
                for y in &ys {
                    next.push(self.multiply_add(e, x, *y, sums[next.len()])?);
                }
            }
            Ok(next)
        })?;
        for (place, sum) in sums.into_iter().enumerate() {
            let (i, j) = (is[place / vectors as usize], js[place % vectors as usize]);
            let old = read(e, self.c, i, j)?;
            let new = e.same("arith.addf", &[old, sum])?;
            match mask {
                None => {
                    let mut operands = vec![new];
                    operands.extend(self.operands(self.c, i, j));
                    e.op("vector.store", &operands, &[], &[])?;
                }
                Some(mask) => {
                    let mut operands = self.operands(self.c, i, j);
                    operands.extend([mask, new]);
                    e.op("vector.maskedstore", &operands, &[], &[])?;
                }
            }
        }
        Ok(())
    }
}
