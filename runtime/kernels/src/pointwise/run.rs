//! Programs run over tensors: in blocks whose registers stay in the first cache, straight from operands to the result where types and strides allow.

use super::program::{Number, Place, Program, Step, Target, number_of};
use crate::Error;
use crate::engine::cast::{Conversion, repeat};
use crate::engine::compute::{Compute, select};
use crate::engine::elementwise::Walk;
use crate::engine::folds::total;
use crate::engine::parallel::in_pieces;
use crate::engine::rows::{LEAF, Shared, Work};
use crate::engine::scratch;
use sconce_tensor::{DType, IValue, Tensor};
use smallvec::{SmallVec, smallvec};
use std::borrow::Borrow;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ops::Range;

/// Bytes of a register: several stay in the first cache beside the operands' blocks.
const REGISTER: usize = 4096;

/// Elements that a thread should have at least, for operators that only move data; what takes longer an element is counted by its steps.
const GRAIN: usize = 1 << 15;

/// Elements of a call, or of a row, so short that to set up its parts, rows and threads would take longer than to compute it.
const FEW: usize = 64;
/// The registers that such a call has at most.
const FEW_REGISTERS: usize = 8;

/// A tensor that takes part: the result first, then the operands.
struct Part {
    data: *mut u8,
    /// Bytes of an element.
    bytes: isize,
    /// The elements are values of the program's type as they lie.
    as_is: bool,
    /// How they become such values; nobody reads the result.
    load: Option<Conversion>,
}

/// Runs the steps of a program over a block: the result goes where the first of the parts lies, the operands lie where the others do, and the registers of the
/// program and those of its numbers, which are filled, are the block's first.
///
/// # Safety
/// The program is one that this was made for. The block's elements lie at each part (of an operand broadcast over rows: as the block says) and in each register;
/// nobody else uses those of the result, and no operand shares memory with them.
type RunBlock = unsafe fn(program: *const (), block: &Block, lies: &[*mut u8]) -> Result<(), Error>;

/// A program as what is around its steps sees it, which is the same for all types that programs compute in.
#[derive(Clone, Copy)]
struct Code<'a> {
    program: *const (),
    run: RunBlock,
    /// There is a function for a second operand that is broadcast over rows of the first.
    by_rows: bool,
    /// That of the type it computes in.
    dtype: DType,
    registers: usize,
    steps: usize,
    /// The result is 0 or 1 of the type.
    truth: bool,
    lifetime: PhantomData<&'a ()>,
}

impl<'a> Code<'a> {
    fn of<T: Compute>(program: &'a Program<T>) -> Code<'a> {
        Code {
            program: std::ptr::from_ref(program).cast(),
            run: run_block::<T>,
            by_rows: program.by_rows.is_some(),
            dtype: T::DTYPE,
            registers: program.registers,
            steps: program.steps.len(),
            truth: program.truth,
            lifetime: PhantomData,
        }
    }

    /// Bytes of an element.
    fn bytes(&self) -> usize {
        self.dtype.size()
    }
}

/// The values of a program's numbers, each in the first bytes of its place.
type Numbers = SmallVec<[u128; 4]>;

/// What a call runs with, the same in every thread.
struct Job<'a> {
    code: Code<'a>,
    numbers: Numbers,
    parts: SmallVec<[Part; 4]>,
    store: Conversion,
    /// The result's elements are also those of an operand, so that a block is read before it is written.
    in_place: bool,
}

// SAFETY: the pointers are those of tensors that live as long as the call; threads write different elements of the result and nobody writes the operands. The
// program is only read.
unsafe impl Sync for Job<'_> {}

/// What a thread computes in: registers, of which those of numbers are filled already.
pub struct Space {
    registers: scratch::Scratch<u8>,
    /// Elements of a register.
    size: usize,
}

/// Where a step's value is within a block.
struct Block {
    registers: *mut u8,
    /// Bytes of an element.
    bytes: usize,
    /// Elements from one register to the next.
    size: usize,
    /// Elements of this block.
    n: usize,
    /// The second operand is broadcast over rows of such a length: a column, or a row.
    rows: Option<(usize, bool)>,
}

impl Block {
    fn register(&self, r: usize) -> *mut u8 {
        self.registers.wrapping_add(r * self.size * self.bytes)
    }
}

impl Job<'_> {
    /// Registers in their order: those of the program, the numbers, one for each operand, the result's.
    fn register_count(&self) -> usize {
        self.code.registers + self.numbers.len() + self.parts.len()
    }

    fn staged(&self, part: usize) -> usize {
        // The result's comes last.
        self.code.registers + self.numbers.len() + (part + self.parts.len() - 1) % self.parts.len()
    }

    /// Nothing stands between the operands and the result: no register is used.
    fn is_straight(&self, strides: &[isize]) -> bool {
        self.code.registers == 0
            && self.numbers.is_empty()
            && !self.in_place
            && self.parts.iter().zip(strides).all(|(p, s)| p.as_is && *s == 1)
    }

    /// Registers for runs of up to `length` elements at these strides.
    fn space(&self, strides: &[isize], length: usize) -> Space {
        match self.is_straight(strides) {
            true => Space { registers: scratch::buffer(0), size: length },
            false => self.registers(length.min(REGISTER / self.code.bytes())),
        }
    }

    /// All registers, of so many elements: they begin on cache lines, and their values are written before they are read.
    fn registers(&self, size: usize) -> Space {
        let mut registers = scratch::buffer(self.register_count() * size * self.code.bytes());
        let block = Block { registers: registers.as_mut_ptr(), bytes: self.code.bytes(), size, n: size, rows: None };
        for (i, n) in self.numbers.iter().enumerate() {
            // SAFETY: there are so many registers, each of `size` elements.
            unsafe { repeat(block.bytes, block.register(self.code.registers + i), std::ptr::from_ref(n).cast(), size) };
        }
        Space { registers, size }
    }

    /// Runs over `length` elements that begin at these addresses (of each part) and lie at these strides (in elements), in the space made for such runs.
    ///
    /// # Safety
    /// All these elements lie in the parts' tensors; nobody else uses those of the result; no tensor but one with the very elements of the result
    /// shares memory with it, and then `in_place` is set.
    unsafe fn run(&self, space: &mut Space, first: &[*mut u8], strides: &[isize], length: usize) -> Result<(), Error> {
        let (registers, bytes) = (space.registers.as_mut_ptr(), self.code.bytes());
        let mut block = Block { registers, bytes, size: space.size, n: space.size, rows: None };
        // Where each part's elements of a block lie: in its tensor, or in its register.
        let mut lies: SmallVec<[*mut u8; 8]> = smallvec![block.registers; self.parts.len()];
        let (size, mut start) = (bytes as isize, 0);
        while start < length {
            block.n = block.size.min(length - start);
            for (k, (part, stride)) in self.parts.iter().zip(strides).enumerate() {
                let at = self.at(k, first, strides, start);
                let in_place = part.as_is && *stride == 1 && !(k == 0 && self.in_place);
                lies[k] = if in_place { at } else { block.register(self.staged(k)) };
                if let Some(load) = part.load
                    && !in_place
                    && (*stride != 0 || start == 0)
                {
                    // SAFETY: the elements lie in the operand's tensor, and the register has `size` elements.
                    unsafe { load.run(lies[k], size, at, *stride * part.bytes, block.n) };
                }
            }
            // SAFETY: as the caller promises; registers are written before they are read.
            unsafe { (self.code.run)(self.code.program, &block, &lies) }?;
            if self.in_place || !self.parts[0].as_is || strides[0] != 1 {
                let (to, step) = (self.at(0, first, strides, start), strides[0] * self.parts[0].bytes);
                // SAFETY: the steps have written the block's result to its register; the elements lie in the result.
                unsafe { self.store.run(to, step, lies[0], size, block.n) };
            }
            start += block.n;
        }
        Ok(())
    }

    /// Runs over a range of all elements.
    ///
    /// # Safety
    /// As for [`Job::run`]; the elements of every part lie at these strides.
    #[inline(never)]
    unsafe fn range(&self, strides: &[isize], range: Range<usize>) -> Result<(), Error> {
        let data = self.data();
        let first: SmallVec<[*mut u8; 8]> =
            (0..strides.len()).map(|k| self.at(k, &data, strides, range.start)).collect();
        let mut space = self.space(strides, range.len());
        // SAFETY: the caller's promise.
        unsafe { self.run(&mut space, &first, strides, range.len()) }
    }

    #[inline]
    fn at(&self, part: usize, first: &[*mut u8], strides: &[isize], start: usize) -> *mut u8 {
        first[part].wrapping_offset(start as isize * strides[part] * self.parts[part].bytes)
    }
}

/// The [`RunBlock`] of a type's programs.
///
/// # Safety
/// As for [`RunBlock`], of a `Program<T>`.
unsafe fn run_block<T: Compute>(program: *const (), block: &Block, lies: &[*mut u8]) -> Result<(), Error> {
    // SAFETY: the caller's promise.
    let program = unsafe { &*program.cast::<Program<T>>() };
    if let (Some(f), Some((length, column))) = (program.by_rows, block.rows) {
        let second = if column { block.n / length } else { length };
        // SAFETY: the elements lie there; see [`Block`].
        unsafe {
            let read = |k: usize, n| std::slice::from_raw_parts(lies[k].cast_const().cast::<T>(), n);
            let out = std::slice::from_raw_parts_mut(lies[0].cast::<T>(), block.n);
            f(out, read(1, block.n), read(2, second), length, column);
        }
        return Ok(());
    }
    let number = |n: u8| block.register(program.registers + usize::from(n)).cast::<T>();
    let read = |place: Place| {
        let from = match place {
            Place::Operand(k) => lies[usize::from(k) + 1],
            Place::Register(r) => block.register(usize::from(r)),
            Place::Number(n) => number(n).cast(),
        };
        // SAFETY: so many elements lie there, and a step's target is elsewhere.
        unsafe { std::slice::from_raw_parts(from.cast_const().cast::<T>(), block.n) }
    };
    let write = |target: Target| {
        let to = match target {
            Target::Register(r) => block.register(usize::from(r)),
            Target::Result => lies[0],
        };
        // SAFETY: so many elements lie there, and nobody reads them during the step.
        unsafe { std::slice::from_raw_parts_mut(to.cast::<T>(), block.n) }
    };
    for step in &program.steps {
        match *step {
            Step::Copy(from, to) => write(to).copy_from_slice(read(from)),
            Step::Unary(f, a, to) => f(write(to), read(a)),
            // SAFETY: the registers of numbers are filled.
            Step::Between(f, a, [x, y], to) => f(write(to), read(a), unsafe { *number(x) }, unsafe { *number(y) }),
            Step::Binary(f, a, b, to) => f(write(to), read(a), read(b)),
            Step::Divide(f, a, b, to) => {
                let divisor = read(b);
                if divisor.iter().any(|x| !x.truth()) {
                    return Err(Error::runtime("ZeroDivisionError"));
                }
                f(write(to), read(a), divisor);
            }
            Step::Select(c, a, b, to) => select(write(to), read(c), read(a), read(b)),
            Step::Choose(f, [a, b, x, y], to) => f(write(to), read(a), read(b), read(x), read(y)),
        }
    }
    Ok(())
}

/// Where the parts' elements begin in a row of a walk.
struct Row {
    first: SmallVec<[*mut u8; 8]>,
    /// The outer loops, the innermost first: how often each still runs, how often in all, and the bytes that each part moves by.
    loops: SmallVec<[(usize, usize, SmallVec<[isize; 4]>); 4]>,
}

impl Row {
    fn new(
        outer: &[usize],
        walk: &Walk,
        row: usize,
        mut first: SmallVec<[*mut u8; 8]>,
        bytes: impl Fn(usize) -> isize,
    ) -> Row {
        let (mut rest, mut loops) = (row, SmallVec::new());
        for &d in outer.iter().rev() {
            let (n, at) = (walk.size(d), rest % walk.size(d));
            rest /= n;
            let steps: SmallVec<[isize; 4]> = (0..first.len()).map(|k| walk.stride(k, d) * bytes(k)).collect();
            first.iter_mut().zip(&steps).for_each(|(p, s)| *p = p.wrapping_offset(at as isize * s));
            loops.push((n - at, n, steps));
        }
        Row { first, loops }
    }

    fn next(&mut self) {
        for (left, n, steps) in &mut self.loops {
            *left -= 1;
            if *left > 0 {
                self.first.iter_mut().zip(steps.iter()).for_each(|(p, s)| *p = p.wrapping_offset(*s));
                return;
            }
            // From the last to the first.
            *left = *n;
            let back = 1 - *n as isize;
            self.first.iter_mut().zip(steps.iter()).for_each(|(p, s)| *p = p.wrapping_offset(back * s));
        }
    }
}

/// Rows of a transposed operand that are brought into order together: the elements of a cache line.
const SLAB: usize = 16;

impl Job<'_> {
    fn data(&self) -> SmallVec<[*mut u8; 8]> {
        self.parts.iter().map(|p| p.data).collect()
    }

    /// How the second operand is broadcast over rows of the first, where the program is run so: it is a column, or a row.
    fn by_rows(&self, walk: &Walk) -> Option<bool> {
        let strides = |k: usize| [walk.stride(k, 0), walk.stride(k, 1)];
        let by = self.code.by_rows && !self.in_place && walk.rank() == 2 && walk.size(1) >= FEW && self.parts[2].as_is;
        let dense = |k: usize| self.parts[k].as_is && strides(k) == [walk.size(1) as isize, 1];
        (by && dense(0) && dense(1) && matches!(strides(2), [1, 0] | [0, 1])).then(|| strides(2) == [1, 0])
    }

    /// The operands that are one short row for the whole walk, or one element for each row, where all other parts run on from row to row.
    fn repeated(&self, walk: &Walk) -> Option<SmallVec<[usize; 4]>> {
        let (inner, next) = (walk.rank().checked_sub(1)?, walk.rank().checked_sub(2)?);
        let length = walk.size(inner);
        if length * 2 > REGISTER / self.code.bytes() || walk.size(next) < 4 {
            return None;
        }
        let runs_on = |k: usize| walk.stride(k, next) == walk.inner_stride(k) * length as isize;
        let repeats = |k: usize| walk.inner_stride(k) == 0 || (0..inner).all(|d| walk.stride(k, d) == 0);
        let repeated: SmallVec<[usize; 4]> = (0..self.parts.len()).filter(|k| !runs_on(*k)).collect();
        repeated.iter().all(|k| *k > 0 && repeats(*k)).then_some(repeated)
    }

    /// Runs over several rows at once, with the repeated operands' values written out side by side.
    fn run_repeated(&self, walk: &Walk, repeated: &[usize], grain: usize) -> Result<(), Error> {
        let (inner, next) = (walk.rank() - 1, walk.rank() - 2);
        let (length, depth) = (walk.size(inner), walk.size(next));
        let most = (REGISTER / self.code.bytes() / length).min(depth);
        let pieces = depth.div_ceil(most);
        let mut strides: SmallVec<[isize; 8]> = (0..self.parts.len()).map(|k| walk.inner_stride(k)).collect();
        repeated.iter().for_each(|k| strides[*k] = 1);
        let written_out = |(k, part): (usize, &Part)| match repeated.contains(&k) {
            true => Part { bytes: self.code.bytes() as isize, as_is: true, load: None, ..*part },
            false => Part { ..*part },
        };
        let parts = self.parts.iter().enumerate().map(written_out).collect();
        let job = Job { parts, numbers: self.numbers.clone(), ..*self };
        let outer: SmallVec<[usize; 6]> = (0..next).collect();
        let rows: usize = outer.iter().map(|d| walk.size(*d)).product();
        in_pieces(rows * pieces, grain.div_ceil(length * most), |range| {
            let bytes = self.code.bytes();
            let mut copies: SmallVec<[scratch::Scratch<u8>; 2]> =
                repeated.iter().map(|_| scratch::buffer(most * length * bytes)).collect();
            let mut space = job.space(&strides, most * length);
            for (turn, at) in range.enumerate() {
                let (row, begin) = (at / pieces, at % pieces * most);
                let count = most.min(depth - begin);
                let mut first = Row::new(&outer, walk, row, self.data(), |k| self.parts[k].bytes).first;
                for (k, p) in first.iter_mut().enumerate() {
                    *p = p.wrapping_offset(begin as isize * walk.stride(k, next) * self.parts[k].bytes);
                }
                for (copy, &k) in copies.iter_mut().zip(repeated) {
                    let (part, step) = (&self.parts[k], walk.stride(k, next));
                    // One row for the whole walk is written out once, for as many rows as there will be.
                    let (stale, count) = if step == 0 { (turn == 0, most) } else { (true, count) };
                    for (j, to) in copy.chunks_exact_mut(length * bytes).take(count).enumerate().filter(|_| stale) {
                        let from = first[k].wrapping_offset(j as isize * step * part.bytes);
                        if let Some(load) = part.load {
                            let step = walk.inner_stride(k) * part.bytes;
                            // SAFETY: a row of the operand, or one element for a row.
                            unsafe { load.run(to.as_mut_ptr(), bytes as isize, from, step, length) };
                        }
                    }
                    first[k] = copy.as_mut_ptr();
                }
                // SAFETY: rows that follow each other in the parts' tensors, and as many written out of those that do not.
                unsafe { job.run(&mut space, &first, &strides, count * length) }?;
            }
            Ok(())
        })
    }

    /// Runs over a nest of loops. Operands whose fastest dimension is another than the result's are read in slabs, in their own order.
    fn walk(&self, walk: &Walk, grain: usize) -> Result<(), Error> {
        let (rank, parts) = (walk.rank(), self.parts.len());
        let mut strides: SmallVec<[isize; 8]> = (0..parts).map(|k| walk.inner_stride(k)).collect();
        let Some(inner) = rank.checked_sub(1) else {
            let mut space = self.space(&strides, 1);
            // SAFETY: every tensor has one element.
            return unsafe { self.run(&mut space, &self.data(), &strides, 1) };
        };
        let length = walk.size(inner);
        if let Some(column) = self.by_rows(walk) {
            return in_pieces(walk.size(0), grain.div_ceil(length), |range| {
                let outer = |k: usize| range.start as isize * walk.stride(k, 0) * self.parts[k].bytes;
                let lies = [0, 1, 2].map(|k| self.parts[k].data.wrapping_offset(outer(k)));
                let (n, rows) = (range.len() * length, Some((length, column)));
                let block = Block { registers: lies[0], bytes: self.code.bytes(), size: 0, n, rows };
                // SAFETY: the walk's loops are over rows that lie so, and no register is used.
                unsafe { (self.code.run)(self.code.program, &block, &lies) }
            });
        }
        if let Some(repeated) = self.repeated(walk) {
            return self.run_repeated(walk, &repeated, grain);
        }
        let mut outer: SmallVec<[usize; 6]> = (0..inner).collect();
        // The dimension along which a transposed operand lies.
        let along = |k: usize| {
            (k > 0 && strides[k] > 1).then(|| outer.iter().copied().find(|d| walk.stride(k, *d) == 1)).flatten()
        };
        let along = (1..parts).find_map(along).filter(|d| length >= SLAB && walk.size(*d) >= SLAB);
        let turned: SmallVec<[usize; 4]> = along.map_or_else(SmallVec::new, |d| {
            (1..parts).filter(|k| strides[*k] > 1 && walk.stride(*k, d) == 1).collect()
        });
        if let Some(d) = along {
            outer.retain(|x| *x != d);
            turned.iter().for_each(|k| strides[*k] = 1);
        }
        let rows: usize = outer.iter().map(|d| walk.size(*d)).product();
        let depth = along.map_or(1, |d| walk.size(d));
        let slabs = depth.div_ceil(SLAB);
        // Padded, lest the rows of a slab lie in the same set of the cache.
        let padded = length + 64;
        let unit = if along.is_some() { length * SLAB } else { length };
        in_pieces(rows * slabs, grain.div_ceil(unit), |range| {
            let mut kept: SmallVec<[scratch::Scratch<u8>; 2]> =
                turned.iter().map(|k| scratch::buffer(padded * SLAB * self.parts[*k].bytes as usize)).collect();
            let mut space = self.space(&strides, length);
            let Some(d) = along else {
                // Row by row, each found from the one before it.
                let mut row = Row::new(&outer, walk, range.start, self.data(), |k| self.parts[k].bytes);
                for _ in range {
                    // SAFETY: the walk stays inside the tensors.
                    unsafe { self.run(&mut space, &row.first, &strides, length) }?;
                    row.next();
                }
                return Ok(());
            };
            for at in range {
                let (row, slab) = (at / slabs, at % slabs);
                let mut first = Row::new(&outer, walk, row, self.data(), |k| self.parts[k].bytes).first;
                let begin = slab * SLAB;
                let count = SLAB.min(depth - begin);
                for (k, p) in first.iter_mut().enumerate() {
                    *p = p.wrapping_offset(begin as isize * walk.stride(k, d) * self.parts[k].bytes);
                }
                for (buffer, &k) in kept.iter_mut().zip(&turned) {
                    let bytes = self.parts[k].bytes;
                    // SAFETY: `count` elements lie one after the other at each of `length` places of the operand; the buffer has `SLAB` rows of `padded`.
                    unsafe {
                        sconce_tensor::transpose(
                            bytes as usize,
                            first[k],
                            walk.inner_stride(k) as usize,
                            buffer.as_mut_ptr(),
                            padded,
                            length,
                            count,
                        );
                    }
                    first[k] = buffer.as_mut_ptr();
                }
                for _ in 0..count {
                    // SAFETY: the walk stays inside the tensors, and inside the buffers of those that were turned.
                    unsafe { self.run(&mut space, &first, &strides, length) }?;
                    for (k, p) in first.iter_mut().enumerate() {
                        let step = if turned.contains(&k) { padded as isize } else { walk.stride(k, d) };
                        *p = p.wrapping_offset(step * self.parts[k].bytes);
                    }
                }
            }
            Ok(())
        })
    }
}

impl Part {
    fn of(t: &Tensor, dtype: DType, load: Option<Conversion>) -> Part {
        Part { data: t.bytes_ptr(), bytes: t.dtype().size() as isize, as_is: t.dtype() == dtype, load }
    }

    /// A tensor whose elements become values of a dtype.
    fn read(t: &Tensor, dtype: DType, name: &str) -> Result<Part, Error> {
        Ok(Part::of(t, dtype, Some(Conversion::between(t.dtype(), dtype, name)?)))
    }
}

/// Adds the values of a program's numbers to those that there are; they are not moved.
fn numbers_of<T: Compute>(
    program: &Program<T>,
    name: &str,
    args: &[impl Borrow<IValue>],
    values: &mut Numbers,
) -> Result<(), Error> {
    for number in &program.numbers {
        let value = value_of(number, args);
        let value = value.ok_or_else(|| Error::runtime(format!("{name}: an argument is not a number")))?;
        let mut bytes = 0u128;
        // SAFETY: no number is larger or more aligned.
        unsafe { std::ptr::from_mut(&mut bytes).cast::<T>().write(value) };
        values.push(bytes);
    }
    Ok(())
}

/// The value of one of them; `None` where the argument is no number.
fn value_of<T: Compute>(number: &Number<T>, args: &[impl Borrow<IValue>]) -> Option<T> {
    match number {
        Number::Constant(c) => Some(*c),
        Number::Argument(i) => args.get(*i).and_then(|v| number_of::<T>(v.borrow())),
    }
}

/// The sum of what a program gives for operands, and of how many elements: a leaf of them at a time, so that none is kept. `None` where the operands do
/// not lie alike.
pub fn sum<T: Compute + Work<Sum = f64>>(
    program: &Program<T>,
    name: &str,
    args: &[IValue],
    operands: &[&Tensor],
) -> Result<Option<(f64, usize)>, Error> {
    let single = |t: &Tensor| t.dim() == 0;
    let Some(first) = operands.iter().find(|t| !single(t)) else { return Ok(None) };
    if !operands.iter().all(|t| single(t) || (t.sizes() == first.sizes() && t.is_contiguous())) {
        return Ok(None);
    }
    let n = first.numel();
    let store = Conversion::between(T::DTYPE, T::DTYPE, name)?;
    let mut parts: SmallVec<[Part; 4]> = SmallVec::new();
    // Where the result's elements lie each leaf says.
    parts.push(Part { data: std::ptr::null_mut(), bytes: size_of::<T>() as isize, as_is: true, load: None });
    for t in operands {
        parts.push(Part::read(t, T::DTYPE, name)?);
    }
    let mut numbers = Numbers::new();
    numbers_of(program, name, args, &mut numbers)?;
    let job = Job { code: Code::of(program), numbers, parts, store, in_place: false };
    let mut strides: SmallVec<[isize; 8]> = SmallVec::new();
    strides.push(1);
    strides.extend(operands.iter().map(|t| isize::from(!single(t))));
    let mut sums = scratch::buffer::<f64>(n.div_ceil(LEAF));
    let to = Shared::new(&mut sums);
    in_pieces(n.div_ceil(LEAF), GRAIN / LEAF / program.steps.len().max(1), |range| {
        let mut values = scratch::buffer::<T>(LEAF.min(n));
        let mut space = job.space(&strides, LEAF.min(n));
        for leaf in range {
            let (start, length) = (leaf * LEAF, LEAF.min(n - leaf * LEAF));
            let mut first: SmallVec<[*mut u8; 8]> =
                (0..strides.len()).map(|k| job.at(k, &job.data(), &strides, start)).collect();
            first[0] = values.as_mut_ptr().cast();
            // SAFETY: the leaf is within the operands' elements, which lie one after the other, and there is room for as many values.
            unsafe { job.run(&mut space, &first, &strides, length) }?;
            to.set(leaf, total(&values[..length]));
        }
        Ok::<(), Error>(())
    })?;
    Ok(Some((total(&sums), n)))
}

/// The same for `n` elements, few of them, that lie one after the other and are of the program's type; `None`, with nothing written, for others.
fn run_few(
    code: &Code<'_>,
    numbers: &[u128],
    operands: &[&Tensor],
    out: &Tensor,
    n: usize,
    in_place: bool,
) -> Option<Result<(), Error>> {
    let staged = code.registers + numbers.len();
    let needed = staged + operands.len() + 1;
    if n == 0 || needed > FEW_REGISTERS || out.dtype() != code.dtype || !out.is_contiguous() {
        return None;
    }
    // Room for the largest type.
    let mut space = [MaybeUninit::<u128>::uninit(); FEW * FEW_REGISTERS];
    let block = Block { registers: space.as_mut_ptr().cast(), bytes: code.bytes(), size: FEW, n, rows: None };
    // SAFETY: there are so many registers, each of `FEW` elements.
    let fill = |r: usize, value: *const u8| unsafe { repeat(block.bytes, block.register(r), value, n) };
    for (i, number) in numbers.iter().enumerate() {
        fill(code.registers + i, std::ptr::from_ref(number).cast());
    }
    let data = out.bytes_ptr();
    let mut lies = [data; FEW_REGISTERS];
    if in_place {
        lies[0] = block.register(needed - 1);
    }
    for (k, t) in operands.iter().enumerate() {
        lies[k + 1] = match () {
            () if t.dtype() != code.dtype => return None,
            () if t.has_sizes(out.sizes()) && t.is_contiguous() => t.bytes_ptr(),
            () if t.dim() > 0 => return None,
            () => {
                // A tensor without dimensions has one element.
                fill(staged + k, t.bytes_ptr());
                block.register(staged + k)
            }
        };
    }
    // SAFETY: `n` elements lie at the operands and in the result, one after the other, and in every register; a result that an operand shares is written to
    // a register first.
    let done = unsafe { (code.run)(code.program, &block, &lies) };
    if in_place && done.is_ok() {
        // SAFETY: the register is written, and the result has as many elements.
        unsafe { std::ptr::copy_nonoverlapping(lies[0].cast_const(), data, n * block.bytes) };
    }
    Some(done)
}

/// A program that is run over parts of a tensor's elements in place, as they are made.
pub struct InPlace<'a>(Job<'a>);

impl<'a> InPlace<'a> {
    /// Of up to three operands that lie as `out` does, the first of them `out` itself.
    pub fn new(
        program: &'a Program<f32>,
        name: &str,
        args: &[IValue],
        operands: &[&Tensor],
        out: &Tensor,
    ) -> Result<InPlace<'a>, Error> {
        let store = Conversion::between(DType::F32, DType::F32, name)?;
        let mut parts: SmallVec<[Part; 4]> = SmallVec::new();
        parts.push(Part::of(out, DType::F32, None));
        for t in operands {
            parts.push(Part::read(t, DType::F32, name)?);
        }
        let mut numbers = Numbers::new();
        numbers_of(program, name, args, &mut numbers)?;
        Ok(InPlace(Job { code: Code::of(program), numbers, parts, store, in_place: true }))
    }

    /// Elements that it is run over at once, at most.
    pub const BLOCK: usize = REGISTER / size_of::<f32>();

    /// What it computes blocks of up to so many elements in.
    pub fn space(&self, n: usize) -> Space {
        self.0.registers(n)
    }

    /// Runs over elements from one on, no more than there is space for.
    ///
    /// # Safety
    /// There are such elements, and nobody else uses them.
    #[inline]
    pub unsafe fn block(&self, space: &mut Space, first: usize, n: usize) -> Result<(), Error> {
        let (job, bytes) = (&self.0, size_of::<f32>());
        let block = Block { registers: space.registers.as_mut_ptr(), bytes, size: space.size, n, rows: None };
        let mut lies = [block.registers; 4];
        for (lies, part) in lies.iter_mut().zip(&job.parts) {
            *lies = part.data.wrapping_add(first * bytes);
        }
        let result = std::mem::replace(&mut lies[0], block.register(job.staged(0)));
        // SAFETY: the caller's promise; the steps write the register of the result, and it is copied when all have read.
        unsafe {
            (job.code.run)(job.code.program, &block, &lies)?;
            std::ptr::copy_nonoverlapping(lies[0].cast_const(), result, n * bytes);
        }
        Ok(())
    }
}

/// Runs a program over broadcast operands into `out`, which has the sizes of all together. `in_place`: an operand has the very elements of `out`;
/// apart from that no operand shares memory with it.
pub fn run<T: Compute>(
    program: &Program<T>,
    name: &str,
    args: &[impl Borrow<IValue>],
    operands: &[&Tensor],
    out: &Tensor,
    in_place: bool,
) -> Result<(), Error> {
    let mut numbers = Numbers::new();
    numbers_of(program, name, args, &mut numbers)?;
    run_code(&Code::of(program), &numbers, name, operands, out, in_place)
}

fn run_code(
    code: &Code<'_>,
    numbers: &Numbers,
    name: &str,
    operands: &[&Tensor],
    out: &Tensor,
    in_place: bool,
) -> Result<(), Error> {
    let n = out.numel();
    if n <= FEW
        && let Some(done) = run_few(code, numbers, operands, out, n, in_place)
    {
        return done;
    }
    let store = Conversion::between(code.dtype, out.dtype(), name)?;
    let mut parts: SmallVec<[Part; 4]> = SmallVec::new();
    parts.push(Part::of(out, code.dtype, None));
    // What is 0 or 1 lies as a bool does where the type has its size.
    parts[0].as_is = if out.dtype() == DType::Bool { code.truth && code.bytes() == 1 } else { parts[0].as_is };
    for t in operands {
        parts.push(Part::read(t, code.dtype, name)?);
    }
    if n == 0 {
        return Ok(());
    }
    let job = Job { code: *code, numbers: numbers.clone(), parts, store, in_place };
    let grain = GRAIN / code.steps.max(1);
    // All in one run: contiguous tensors of one size, and single elements.
    let single = |t: &Tensor| t.dim() == 0;
    let flat =
        out.is_contiguous() && operands.iter().all(|t| single(t) || (t.sizes() == out.sizes() && t.is_contiguous()));
    if flat {
        let mut strides: SmallVec<[isize; 8]> = SmallVec::new();
        strides.push(1);
        strides.extend(operands.iter().map(|t| isize::from(!single(t))));
        // SAFETY: the range is within the tensors' elements, which lie one after the other.
        return in_pieces(n, grain, |range| unsafe { job.range(&strides, range) });
    }
    let mut all: SmallVec<[&Tensor; 4]> = SmallVec::new();
    all.push(out);
    all.extend(operands.iter().copied());
    job.walk(&Walk::new(out.sizes(), &all), grain)
}
