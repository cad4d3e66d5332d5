//! Products of matrices as register tiles of vectors, in place of the scalar loops they would become.
//!
//! `A · B` and `Aᵀ · B` are outer products: vectors run along the columns of B, elements of A are broadcast. Where many rows of A pass, these columns are copied
//! together first. `A · Bᵀ` (rows of both are contiguous) is the same where columns are copied, and dot products where they are not: vectors run along k, a tile of
//! rows by columns is summed at once and the sums are folded together at the end. Other layouts stay loops.

use crate::family::Registers;
use crate::family::sums::folded;
use crate::loops::{carried, each, parallel};
use crate::structured::{Operand, Structured};
use crate::view::{OnePlace, part};
use sconce_ir::affine::{Places, places};
use sconce_ir::attr::FastMath;
use sconce_ir::builtin_type::{Layout, Shaped, buffer, vector};
use sconce_ir::{Attribute, BlockExt, OpExt, OperationRef, Type, ValueLike, attr};
use sconce_linalg::Error;
use sconce_linalg::emit::{Emit, V, element_type};

/// Rows of A, and of B, from which it pays to copy columns of B together; where that turns them, more rows of A.
const LEAST_PACKED_ROWS: i64 = 24;
const LEAST_TURNED_ROWS: i64 = 96;
const LEAST_PACKED: i64 = 64;

/// Bytes of such columns at most: they are to stay in the second cache.
const MOST_STRIP_BYTES: i64 = 256 << 10;

/// Bytes that their address is a multiple of.
const ALIGNMENT: i64 = 64;

/// How a tile has its part of B.
#[derive(Clone, Copy)]
struct Right<'c> {
    /// Its columns copied together.
    strip: Option<V<'c>>,
    /// Which columns of a vector there are.
    mask: Option<V<'c>>,
}

/// What a product leaves free: the order of its sums, and how its products are rounded.
const FREE: FastMath = FastMath { reassociates: true, contracts: true, numbers: false };

/// Products of a batch that are too few to be shared by threads.
const FEW: i64 = 8;

/// One product.
struct Product<'c> {
    a: V<'c>,
    b: V<'c>,
    c: V<'c>,
    /// Number of the batch, in front of the other indices.
    batch: Option<V<'c>>,
    sides: Sides,
    element: Type<'c>,
    vector: Type<'c>,
    lanes: i64,
    /// Sums of a tile at most.
    sums: i64,
    flags: Attribute<'c>,
    /// Sizes, where they are known.
    m: Option<i64>,
    k: Option<i64>,
}

/// Replaces the products of `root` that have a layout known here.
pub fn expand<'c>(root: OperationRef<'c, 'c>, registers: Registers) -> Result<(), Error> {
    for name in ["linalg.matmul", "linalg.batch_matmul"] {
        for op in root.find_all(name) {
            one(op, registers, name == "linalg.batch_matmul")?;
        }
    }
    for op in root.find_all("linalg.generic") {
        if let Some(contraction) = Contraction::of(op) {
            contraction.emit(&Emit::in_front_of(op)?, registers)?;
            op.erase().map_err(|e| Error::Internal(e.to_string()))?;
        }
    }
    Ok(())
}

/// A sum of products over some loops, as reshapes and moves that are fused into a product leave it: what its name was, three of its loops say, and the others
/// run around it.
struct Contraction<'c> {
    s: Structured<'c>,
    /// Rows of the left side, columns of the right one, and what both are reduced by.
    loops: [usize; 3],
    /// The operands in this order: left, right, result.
    operands: [usize; 3],
    sides: Sides,
}

/// The loop that leads along each dimension of an operand, none where it has one place; `None` where it is read otherwise.
fn dimensions(operand: &Operand<'_>) -> Option<Vec<Option<usize>>> {
    let of = |sum: &Vec<(usize, i64)>| match sum[..] {
        [] => Some(None),
        [(d, 1)] => Some(Some(d)),
        _ => None,
    };
    operand.places.iter().map(of).collect()
}

impl<'c> Contraction<'c> {
    fn of(op: OperationRef<'c, 'c>) -> Option<Contraction<'c>> {
        let s = Structured::of(op)?;
        let [a, b, c] = &s.operands[..] else { return None };
        let element = Shaped::buffer(c.value.r#type())?.element;
        let alike = |o: &Operand<'c>| Shaped::buffer(o.value.r#type()).is_some_and(|t| t.element == element);
        let context = op.context_ref();
        let is_float = element == Type::float32(context) || element == Type::float64(context);
        if !is_float || !alike(a) || !alike(b) || a.written || b.written || !is_sum_of_products(op) {
            return None;
        }
        let [of_a, of_b, of_c] = [dimensions(a)?, dimensions(b)?, dimensions(c)?];
        let has = |dims: &[Option<usize>], d: usize| dims.contains(&Some(d));
        let n = (*of_c.last()?)?;
        let (left, right, operands) = match (has(&of_a, n), has(&of_b, n)) {
            (false, true) => (&of_a, &of_b, [0, 1, 2]),
            (true, false) => (&of_b, &of_a, [1, 0, 2]),
            _ => return None,
        };
        let longest = |loops: Vec<usize>| loops.into_iter().rev().max_by_key(|d| s.loops[*d]);
        let all = || 0..s.loops.len();
        let reduced: Vec<usize> = all().filter(|d| !s.parallel[*d] && has(left, *d) && has(right, *d)).collect();
        let m =
            longest(all().filter(|d| s.parallel[*d] && has(left, *d) && has(&of_c, *d) && !has(right, *d)).collect())?;
        let (last_left, last_right) = (*left.last()?, (*right.last()?)?);
        let k = match last_left.filter(|d| reduced.contains(d)) {
            Some(k) if last_right == n || last_right == k => k,
            _ if last_right == n => longest(reduced)?,
            _ => return None,
        };
        let place = |dims: &[Option<usize>], d: usize| dims.iter().position(|known| *known == Some(d));
        let sides = if last_right != n {
            Sides::RightTransposed
        } else if place(left, k) < place(left, m) {
            Sides::LeftTransposed
        } else {
            Sides::Plain
        };
        // Every loop leads somewhere, so that none is run for nothing, and along no operand twice.
        let once = |dims: &[Option<usize>]| all().all(|d| dims.iter().filter(|known| **known == Some(d)).count() <= 1);
        let suits = once(&of_a) && once(&of_b) && once(&of_c) && s.operands.iter().all(Operand::is_dense);
        suits.then_some(Contraction { s, loops: [m, n, k], operands, sides })
    }

    fn emit(&self, e: &Emit<'c>, registers: Registers) -> Result<(), Error> {
        let around = |parallel: bool| {
            let is_inner = |d: &usize| self.loops.contains(d);
            let all = (0..self.s.loops.len()).filter(move |d| !is_inner(d) && self.s.parallel[*d] == parallel);
            all.collect::<Vec<_>>()
        };
        let mut at = vec![None; self.s.loops.len()];
        self.around(e, &[around(true), around(false)].concat(), &mut at, registers)
    }

    fn around(
        &self,
        e: &Emit<'c>,
        loops: &[usize],
        at: &mut Vec<Option<V<'c>>>,
        registers: Registers,
    ) -> Result<(), Error> {
        let Some((d, rest)) = loops.split_first() else { return self.product(e, at, registers) };
        let (from, to) = (e.index(0)?, e.index(self.s.loops[*d])?);
        if self.s.loops[*d] == 1 {
            at[*d] = Some(from);
            return self.around(e, rest, at, registers);
        }
        let mut body = |e: &Emit<'c>, i: V<'c>| {
            at[*d] = Some(i);
            self.around(e, rest, at, registers)
        };
        // Threads share the columns of a few products.
        if self.s.parallel[*d] && self.s.loops[*d] >= FEW {
            parallel(e, from, to, 1, &mut body)
        } else {
            each(e, from, to, 1, &mut body)
        }
    }

    fn product(&self, e: &Emit<'c>, at: &[Option<V<'c>>], registers: Registers) -> Result<(), Error> {
        let [a, b, c] = self.operands.map(|i| part(e, &self.s.operands[i], &|d| at[d], OnePlace::Goes));
        let [m, _, k] = self.loops.map(|d| Some(self.s.loops[d]));
        Product::new(e, [a?, b?, c?], self.sides, [m, k], registers)?.emit(e)
    }
}

/// Whether a body adds the product of the first two values to the third, in any order that is quickest.
fn is_sum_of_products(op: OperationRef<'_, '_>) -> bool {
    let Some(body) = op.body(0) else { return false };
    let [x, y, sum] = body.args()[..] else { return false };
    let [product, total, end] = body.ops()[..] else { return false };
    let free = attr::fast_math(op.context_ref(), FREE);
    let is = |op: OperationRef<'_, '_>, name: &str| op.is(name) && op.attr("fastmath") == Some(free);
    let both = |op: OperationRef<'_, '_>, a, b| {
        let operands = op.operand_values();
        operands == [a, b] || operands == [b, a]
    };
    is(product, "arith.mulf")
        && is(total, "arith.addf")
        && both(product, x, y)
        && product.result_value(0).is_some_and(|product| both(total, product, sum))
        && end.is("linalg.yield")
        && end.operand_value(0) == total.result_value(0)
}

/// The loops by which the three operands of a product are read.
type Reads = [&'static [usize]; 3];

/// How the sides of a product lie.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sides {
    Plain,
    LeftTransposed,
    RightTransposed,
}

/// By which loops the operands of a product are read, of each kind.
const SINGLE: [(Sides, Reads); 3] = [
    (Sides::Plain, [&[0, 2], &[2, 1], &[0, 1]]),
    (Sides::LeftTransposed, [&[2, 0], &[2, 1], &[0, 1]]),
    (Sides::RightTransposed, [&[0, 2], &[1, 2], &[0, 1]]),
];
const BATCHED: [(Sides, Reads); 3] = [
    (Sides::Plain, [&[0, 1, 3], &[0, 3, 2], &[0, 1, 2]]),
    (Sides::LeftTransposed, [&[0, 3, 1], &[0, 3, 2], &[0, 1, 2]]),
    (Sides::RightTransposed, [&[0, 1, 3], &[0, 2, 3], &[0, 1, 2]]),
];

/// How the sides lie; `None` for other maps than those known here.
fn sides(maps: &[Places], batched: bool) -> Option<Sides> {
    let same = |reads: &Reads| {
        maps.len() == reads.len()
            && maps.iter().zip(reads).all(|(map, dims)| map.iter().copied().eq(dims.iter().copied().map(Some)))
    };
    let known = if batched { BATCHED } else { SINGLE };
    known.iter().find(|(_, reads)| same(reads)).map(|(sides, _)| *sides)
}

fn one<'c>(op: OperationRef<'c, 'c>, registers: Registers, batched: bool) -> Result<(), Error> {
    let operands = op.operand_values();
    let [a, b, c] = operands[..] else { return Ok(()) };
    let e = Emit::in_front_of(op)?;
    let maps = op.attr("indexing_maps").and_then(attr::affine_maps_value);
    let Some(maps) = maps.and_then(|maps| maps.into_iter().map(places).collect::<Option<Vec<_>>>()) else {
        return Ok(());
    };
    let Some(sides) = sides(&maps, batched) else { return Ok(()) };
    let dense = |v: V<'c>| {
        let layout = Layout::of(v.r#type())?;
        Shaped::buffer(v.r#type()).filter(|_| layout.strides.last() == Some(&Some(1)))
    };
    let (Some(left), Some(right), Some(sum)) = (dense(a), dense(b), dense(c)) else { return Ok(()) };
    let element = left.element;
    let is_float = element == Type::float32(e.context) || element == Type::float64(e.context);
    if !is_float || right.element != element || sum.element != element {
        return Ok(());
    }
    let left_dims = if sides == Sides::LeftTransposed { [1, 0] } else { [0, 1] };
    let [m, k] = left_dims.map(|d| left.sizes.get(usize::from(batched) + d).copied().flatten());
    let mut product = Product::new(&e, [a, b, c], sides, [m, k], registers)?;
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
    /// The product of two matrices, which is added to a third; `[m, k]` are known sizes.
    fn new(
        e: &Emit<'c>,
        [a, b, c]: [V<'c>; 3],
        sides: Sides,
        [m, k]: [Option<i64>; 2],
        registers: Registers,
    ) -> Result<Product<'c>, Error> {
        let element = element_type(a.r#type());
        let bytes = attr::element_bytes(element).ok_or_else(|| Error::Internal("a product of no numbers".into()))?;
        let lanes = (registers.bytes / bytes) as i64;
        let (vector, flags) = (vector(&[lanes], element), e.fast_math(FREE));
        Ok(Product { a, b, c, batch: None, sides, element, vector, lanes, sums: registers.sums, flags, m, k })
    }

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
    fn emit(&self, e: &Emit<'c>) -> Result<(), Error> {
        let first = usize::from(self.batch.is_some());
        let [rows, reduced] = if self.sides == Sides::LeftTransposed { [1, 0] } else { [0, 1] };
        let m = size(e, self.a, first + rows)?;
        let k = size(e, self.a, first + reduced)?;
        let dots = self.sides == Sides::RightTransposed;
        let n = size(e, self.c, first + 1)?;
        let rows = match self.m {
            Some(m) if m < 4 => m.max(1),
            Some(m) if m % 6 != 0 && (m % 4 == 0 || m < 24) => 4,
            None if dots => 4,
            _ => 6,
        };
        let columns = (self.sums / rows).min(if dots { 8 } else { 4 });
        let mut row_steps = vec![(e.index(0)?, whole(e, m, rows)?, rows)];
        match self.m.map(|m| m % rows) {
            Some(0) => {}
            // Those that are left are a tile of their own.
            Some(left) => row_steps.push((row_steps[0].1, m, left)),
            None if rows > 1 => row_steps.push((row_steps[0].1, m, 1)),
            None => {}
        }
        let from = e.index(0)?;
        match self.strip(self.sums / rows * self.lanes) {
            _ if !dots => self.outer(e, &row_steps, columns, n, k),
            // Columns that are copied together lie as those of a plain product do.
            Some(strip) => {
                let vectors = self.sums / rows;
                let wide = whole(e, n, vectors * self.lanes)?;
                self.columns(e, &row_steps, (from, wide), vectors, k, (Some(strip), None))?;
                self.dots(e, &row_steps, columns, (wide, n), k)
            }
            None => self.dots(e, &row_steps, columns, (from, n), k),
        }
    }

    /// Columns outside, so that a few rows of B stay close while all rows of A pass.
    fn dots(
        &self,
        e: &Emit<'c>,
        row_steps: &[(V<'c>, V<'c>, i64)],
        columns: i64,
        (from, n): (V<'c>, V<'c>),
        k: V<'c>,
    ) -> Result<(), Error> {
        let length = whole(e, e.same("arith.subi", &[n, from])?, columns)?;
        let split = e.same("arith.addi", &[from, length])?;
        for (from, to, columns) in [(from, split, columns), (split, n, 1)] {
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
            self.products(e, [&is, &js], sums, &|e, buffer, i| self.load_vector(e, buffer, i, p))
        })?;
        // What is left of k, if anything, is one vector with a mask.
        let sums = if self.k.is_some_and(|k| k % self.lanes == 0) {
            sums
        } else {
            carried(e, [split, k, e.index(self.lanes)?], &sums, &mut |e, p, sums| {
                let left = e.same("arith.subi", &[k, p])?;
                let mask = e.one("vector.create_mask", &[left], vector(&[self.lanes], e.int_type(1)), &[])?;
                let part = |e: &Emit<'c>, buffer: V<'c>, i: V<'c>| {
                    let mut operands = self.operands(buffer, i, p);
                    operands.extend([mask, zero]);
                    e.one("vector.maskedload", &operands, self.vector, &[])
                };
                self.products(e, [&is, &js], sums, &part)
            })?
        };
        for (i, sums) in is.iter().zip(sums.chunks(columns as usize)) {
            let groups = sums.chunks(self.lanes as usize).zip(js.chunks(self.lanes as usize));
            for (sums, js) in groups {
                let sums = folded(e, sums, self.lanes as usize, FREE)?;
                let place = self.operands(self.c, *i, js[0]);
                let old = e.one("vector.load", &place, sums.r#type(), &[])?;
                let operands: Vec<V<'c>> = [e.same("arith.addf", &[old, sums])?].into_iter().chain(place).collect();
                e.op("vector.store", &operands, &[], &[])?;
            }
        }
        Ok(())
    }

    /// The sums of a tile of dot products with what is read of each of its rows and columns added.
    fn products(
        &self,
        e: &Emit<'c>,
        [is, js]: [&[V<'c>]; 2],
        sums: &[V<'c>],
        read: &dyn Fn(&Emit<'c>, V<'c>, V<'c>) -> Result<V<'c>, Error>,
    ) -> Result<Vec<V<'c>>, Error> {
        let ys = js.iter().map(|j| read(e, self.b, *j)).collect::<Result<Vec<_>, _>>()?;
        let mut next = Vec::with_capacity(sums.len());
        for i in is {
            let x = read(e, self.a, *i)?;
            for y in &ys {
                next.push(self.multiply_add(e, x, *y, sums[next.len()])?);
            }
        }
        Ok(next)
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
            let strip = (!masked).then(|| self.strip(vectors * self.lanes)).flatten();
            self.columns(e, row_steps, (from, to), vectors, k, (strip, masked.then_some(n)))?;
        }
        Ok(())
    }

    /// Some columns of the result, so many vectors at a time: of B copied to a strip of this type, or of vectors that end at a column.
    fn columns(
        &self,
        e: &Emit<'c>,
        row_steps: &[(V<'c>, V<'c>, i64)],
        (from, to): (V<'c>, V<'c>),
        vectors: i64,
        k: V<'c>,
        (strip, end): (Option<Type<'c>>, Option<V<'c>>),
    ) -> Result<(), Error> {
        parallel(e, from, to, vectors * self.lanes, &mut |e, j| {
            let strip = strip.map(|t| self.pack(e, t, j, vectors, k)).transpose()?;
            let mask = match end {
                Some(end) => {
                    let left = e.same("arith.subi", &[end, j])?;
                    let t = vector(&[self.lanes], e.int_type(1));
                    Some(e.one("vector.create_mask", &[left], t, &[])?)
                }
                None => None,
            };
            for (from, to, rows) in row_steps {
                each(e, *from, *to, *rows, &mut |e, i| {
                    self.outer_tile(e, i, *rows, j, vectors, k, Right { strip, mask })
                })?;
            }
            match strip {
                Some(strip) => e.op("memref.dealloc", &[strip], &[], &[]).map(|_| ()),
                None => Ok(()),
            }
        })
    }

    /// The buffer that some columns of B are copied to, where all rows of A pass them often enough and a row of B is far from the next one.
    fn strip(&self, columns: i64) -> Option<Type<'c>> {
        let (m, k) = (self.m?, self.k?);
        let bytes = attr::element_bytes(self.element)? as i64;
        let (stride, n) = (Layout::of(self.b.r#type())?.strides, Shaped::buffer(self.b.r#type())?.sizes);
        let far = stride.get(n.len().checked_sub(2)?).copied().flatten().is_some_and(|s| s > columns);
        let turns = self.sides == Sides::RightTransposed;
        let rows = if turns { LEAST_TURNED_ROWS } else { LEAST_PACKED_ROWS };
        let fits = (1..=MOST_STRIP_BYTES).contains(&k.checked_mul(columns * bytes)?);
        (m >= rows && k >= LEAST_PACKED && (far || turns) && fits)
            .then(|| buffer(&[Some(k), Some(columns)], self.element))
    }

    /// Copies the columns from `j` on.
    fn pack(&self, e: &Emit<'c>, strip: Type<'c>, j: V<'c>, vectors: i64, k: V<'c>) -> Result<V<'c>, Error> {
        let alignment = ("alignment", e.i64_attr(ALIGNMENT));
        let strip = e.one("memref.alloc", &[], strip, &[alignment, ("operandSegmentSizes", e.i32_array(&[0, 0]))])?;
        if self.sides == Sides::RightTransposed {
            each(e, e.index(0)?, k, 1, &mut |e, p| {
                for c in 0..vectors * self.lanes {
                    let by = e.index(c)?;
                    let value = self.load(e, self.b, e.same("arith.addi", &[j, by])?, p)?;
                    e.op("memref.store", &[value, strip, p, by], &[], &[])?;
                }
                Ok(())
            })?;
            return Ok(strip);
        }
        each(e, e.index(0)?, k, 1, &mut |e, p| {
            for v in 0..vectors {
                let by = e.index(v * self.lanes)?;
                let from = e.same("arith.addi", &[j, by])?;
                let value = self.load_vector(e, self.b, p, from)?;
                e.op("vector.store", &[value, strip, p, by], &[], &[])?;
            }
            Ok(())
        })?;
        Ok(strip)
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
        Right { strip, mask }: Right<'c>,
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
            let ys = match strip {
                None => js.iter().map(|j| read(e, self.b, p, *j)).collect::<Result<Vec<_>, _>>()?,
                Some(strip) => {
                    let of = |v: i64| e.one("vector.load", &[strip, p, e.index(v * self.lanes)?], self.vector, &[]);
                    (0..vectors).map(of).collect::<Result<Vec<_>, _>>()?
                }
            };
            let mut next = Vec::with_capacity(count);
            for i in &is {
                let x = match self.sides {
                    Sides::LeftTransposed => self.load(e, self.a, p, *i)?,
                    _ => self.load(e, self.a, *i, p)?,
                };
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
