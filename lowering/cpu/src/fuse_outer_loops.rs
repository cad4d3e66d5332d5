//! Operations on buffers that follow each other and share their outer loops become one nest of these loops, in which each does one part: a row of a softmax, a
//! channel of a convolution with what pads and activates it. What passes between them is as large as a part, and stays in the cache.
//!
//! An operation goes with those before it where every buffer that one of them writes and another uses is used, by all, at the place of the outer loops alone:
//! then no part needs what another part makes.

use crate::loops::{each, parallel_by, places};
use crate::structured::{Operand, Size, Structured, known_product, product, root_of, static_sizes};
use crate::view::{OnePlace, View, is_view, part};
use sconce_ir::builder::Builder;
use sconce_ir::builtin_type::{Layout, Shaped, buffer};
use sconce_ir::{BlockExt, BlockRef, OpExt, OperationRef, ValueExt, ValueLike, attr};
use sconce_linalg::Error;
use sconce_linalg::emit::{Emit, V, element_type};

/// Innermost iterations that a part has at least, in one of its operations: a loop around less costs more than a buffer.
const LEAST_PART: i64 = 128;

/// Bytes of what passes between operations from which it is worth keeping in the cache.
const LEAST_BYTES: i64 = 16 << 10;

/// Bytes of it that a part may have.
const MOST_PART_BYTES: i64 = 256 << 10;

/// Pieces of consecutive parts that threads share.
const PIECES: i64 = 64;

/// Innermost iterations that a piece has at least: it makes buffers for itself.
const LEAST_PIECE: i64 = 1 << 14;

/// Parts of a piece at least where it fills what surrounds them.
const LEAST_FILLED: i64 = 4;

/// A view of a buffer that an operation uses.
struct Use<'c> {
    operand: Operand<'c>,
    /// What it is a view of.
    root: V<'c>,
    /// Leading dimensions in which the view is the root.
    kept: usize,
}

impl Use<'_> {
    /// The leading dimensions that loop after loop leads through, of which no other dimension depends.
    fn leading(&self) -> usize {
        let places = &self.operand.places;
        let straight = (0..self.kept.min(places.len())).take_while(|i| places[*i][..] == [(*i, 1)]).count();
        let beyond = |k: usize| places[k..].iter().flatten().all(|(d, _)| *d >= k);
        (0..=straight).rev().find(|k| beyond(*k)).unwrap_or(0)
    }

    /// The outermost loops each of which is the only one of its dimensions.
    fn separable(&self) -> usize {
        let mixed = |sum: &&Vec<(usize, i64)>| sum.len() > 1 || sum.iter().any(|(_, factor)| *factor != 1);
        self.operand.places.iter().filter(mixed).flatten().map(|(d, _)| *d).min().unwrap_or(usize::MAX)
    }
}

/// A structured operation that may share its outer loops.
struct Member<'c> {
    op: OperationRef<'c, 'c>,
    /// Iterations of each loop, as known in front of the operation, and what stands for them in comparisons.
    loops: Vec<Size<'c>>,
    alike: Vec<Size<'c>>,
    /// The outermost loops that are parallel, and each the only one of the dimensions it reads.
    outer: usize,
    /// Every element of what it writes it writes once, whatever was there.
    overwrites: bool,
    uses: Vec<Use<'c>>,
}

/// Sizes that are the same wherever the code runs, since operations lead along both at once: each by another of them, the last by none.
#[derive(Default)]
struct Alike<'c>(Vec<[Size<'c>; 2]>);

impl<'c> Alike<'c> {
    /// What the operations of a block say.
    fn of(block: BlockRef<'c, 'c>) -> Alike<'c> {
        let mut alike = Alike::default();
        for s in block.ops().into_iter().filter_map(Structured::of_any_size) {
            for operand in &s.operands {
                for (i, sum) in operand.places.iter().enumerate() {
                    if let ([(d, 1)], Some(size)) = (&sum[..], Size::of(operand.value, i)) {
                        alike.add(s.loops[*d], size);
                    }
                }
            }
        }
        alike
    }

    fn add(&mut self, a: Size<'c>, b: Size<'c>) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b && a.known().is_none() {
            self.0.push([a, b]);
        } else if a != b && b.known().is_none() {
            self.0.push([b, a]);
        }
    }

    fn find(&self, size: Size<'c>) -> Size<'c> {
        let next = |size: &Size<'c>| self.0.iter().find(|[from, _]| from == size).map(|[_, to]| *to);
        std::iter::successors(Some(size), next).last().unwrap_or(size)
    }
}

impl<'c> Member<'c> {
    fn of(op: OperationRef<'c, 'c>, alike: &Alike<'c>) -> Option<Member<'c>> {
        let Structured { op, loops, parallel, operands } = Structured::of_any_size(op)?;
        let alike: Vec<Size<'c>> = loops.iter().map(|size| alike.find(*size)).collect();
        let known = |(size, alike): (Size<'c>, &Size<'c>)| alike.known().map_or(size, Size::Known);
        let loops: Vec<Size<'c>> = loops.into_iter().zip(&alike).map(known).collect();
        let with_root = |operand: Operand<'c>| {
            let (root, kept) = root_of(operand.value);
            Use { operand, root, kept }
        };
        let uses: Vec<Use<'c>> = operands.into_iter().map(with_root).collect();
        let outer = parallel.iter().take_while(|parallel| **parallel).count();
        let outer = uses.iter().map(Use::separable).chain([outer]).min()?;
        let out = &uses.last()?.operand.places;
        let once = out.len() == loops.len() && out.iter().enumerate().all(|(i, sum)| sum[..] == [(i, 1)]);
        let reads = |body: BlockRef<'c, 'c>| body.args().last().is_some_and(|old| !old.is_unused());
        let overwrites = once && parallel.iter().all(|p| *p) && !op.body(0).is_some_and(reads);
        Some(Member { op, loops, alike, outer, overwrites, uses })
    }
}

/// Operations that are to share their outer loops.
#[derive(Default)]
struct Group<'c> {
    members: Vec<Member<'c>>,
    /// Outer loops that all of them have.
    depth: usize,
}

impl<'c> Group<'c> {
    /// The outer loops that they can share with one more.
    fn depth_with(&self, next: &Member<'c>) -> usize {
        let Some(first) = self.members.first() else { return next.outer };
        let alike = first.alike.iter().zip(&next.alike).take_while(|(a, b)| a == b).count();
        let mut depth = self.depth.min(next.outer).min(alike);
        let all = || self.members.iter().chain([next]).flat_map(|m| &m.uses);
        for written in all().filter(|u| u.operand.written) {
            for used in all().filter(|u| u.root == written.root) {
                depth = depth.min(used.leading());
            }
        }
        depth
    }

    fn touches(&self, root: V<'c>) -> bool {
        self.members.iter().flat_map(|m| &m.uses).any(|u| u.root == root)
    }

    /// What the operations make for each other alone.
    fn temporaries(&self) -> Vec<OperationRef<'c, 'c>> {
        let mut found: Vec<OperationRef<'c, 'c>> = Vec::new();
        for used in self.members.iter().flat_map(|m| &m.uses).filter(|u| u.operand.written) {
            let Some(alloc) = used.root.defining_op().filter(|op| op.is("memref.alloc")) else { continue };
            if !found.contains(&alloc) && self.is_within(used.root) {
                found.push(alloc);
            }
        }
        found
    }

    /// Nothing but the members, views that they use and an end of its life uses the buffer.
    fn is_within(&self, value: V<'c>) -> bool {
        value.uses().iter().all(|user| match user.owner.op_name() {
            "memref.dealloc" => true,
            _ if is_view(user.owner) => user.owner.result_values().into_iter().all(|view| self.is_within(view)),
            _ => self.members.iter().any(|m| m.op == user.owner),
        })
    }

    /// Makes them one nest, where that pays. Sizes that are not known are taken to be large: a row is.
    fn finish(mut self) -> Result<(), Error> {
        let works = |depth: usize| self.members.iter().map(move |m| known_product(m.loops[depth..].iter().copied()));
        while self.depth > 0 && works(self.depth).all(|work| work.is_some_and(|n| n < LEAST_PART)) {
            self.depth -= 1;
        }
        let computing = self.members.iter().filter(|m| !m.op.is("linalg.fill")).count();
        if self.depth == 0 || computing < 2 {
            return Ok(());
        }
        let outer: Vec<Size<'c>> = self.members[0].loops[..self.depth].to_vec();
        let temporaries = self.temporaries();
        // Bytes of a temporary's elements from a dimension on.
        let bytes = |alloc: &OperationRef<'c, 'c>, from: usize| {
            let value = alloc.result_value(0)?;
            let size = attr::element_bytes(element_type(value.r#type()))? as i64;
            let t = Shaped::buffer(value.r#type())?;
            t.sizes.get(from..).unwrap_or_default().iter().try_fold(size, |n, size| n.checked_mul((*size)?))
        };
        let all = |from: usize| temporaries.iter().map(|alloc| bytes(alloc, from)).sum::<Option<i64>>();
        let (parts, passed) = (known_product(outer.iter().copied()), all(0));
        let of_part = parts.zip(passed).map(|(parts, passed)| passed / parts.max(1)).or_else(|| all(self.depth));
        if parts.is_some_and(|n| n < 2)
            || passed.is_some_and(|n| n < LEAST_BYTES)
            || of_part.is_some_and(|n| n > MOST_PART_BYTES)
            || passed.is_none() && !self.has_plain_parts(&temporaries)
        {
            return Ok(());
        }
        self.emit(&outer, &temporaries)
    }

    /// Whether no view stands between a temporary of unknown size and who uses it.
    fn has_plain_parts(&self, temporaries: &[OperationRef<'c, 'c>]) -> bool {
        let is_own = |u: &&Use<'c>| u.root.defining_op().is_some_and(|alloc| temporaries.contains(&alloc));
        let uses = || self.members.iter().flat_map(|m| &m.uses).filter(is_own);
        uses().all(|u| u.operand.value == u.root || static_sizes(u.root).is_some())
    }

    /// Whether a piece needs to do a member only once: it fills a temporary, of which every part then writes the same elements before it reads any (what surrounds
    /// them is padding), and nothing else.
    fn is_filled_once(&self, i: usize, temporaries: &[OperationRef<'c, 'c>]) -> bool {
        let fill = &self.members[i];
        let Some(root) = fill.uses.last().map(|u| u.root).filter(|root| fill.op.operand_values().contains(root)) else {
            return false;
        };
        let uses = |m: &Member<'c>| m.uses.iter().any(|u| u.root == root);
        let writes = |m: &Member<'c>| m.uses.iter().any(|u| u.root == root && u.operand.written);
        let mut users = self.members.iter().enumerate().filter(|(k, m)| *k != i && uses(m)).map(|(k, m)| (k > i, m));
        let next_overwrites = users.next().is_some_and(|(after, m)| after && writes(m) && m.overwrites);
        fill.op.is("linalg.fill")
            && root.defining_op().is_some_and(|alloc| temporaries.contains(&alloc))
            && next_overwrites
            && !users.any(|(_, m)| writes(m))
    }

    fn emit(&self, outer: &[Size<'c>], temporaries: &[OperationRef<'c, 'c>]) -> Result<(), Error> {
        let last = self.members.last().ok_or_else(|| Error::Internal("nothing to fuse".into()))?;
        let e = Emit::in_front_of(last.op)?;
        let (before, within): (Vec<_>, Vec<_>) =
            (0..self.members.len()).partition(|i| self.is_filled_once(*i, temporaries));
        let least = if before.is_empty() { 1 } else { LEAST_FILLED };
        let outer = outer.iter().map(|size| size.counted(&e)).collect::<Result<Vec<_>, _>>()?;
        let count = product(&e, &outer)?;
        let parts = self.parts_of_piece(&e, outer.len(), count, least)?;
        parallel_by(&e, [e.index(0)?, count.emit(&e)?, parts.emit(&e)?], &mut |e, first| {
            let mut own: Vec<(V<'c>, V<'c>)> = Vec::new();
            for alloc in temporaries {
                let (whole, t) = made(*alloc)?;
                // Sizes that are not known are the operands, one after the other.
                let sizes = alloc.operand_values().into_iter();
                let outside = t.sizes.iter().take(outer.len()).filter(|size| size.is_none()).count();
                let sizes: Vec<V<'c>> = sizes.skip(outside).collect();
                let t = buffer(&one_part(&t.sizes, outer.len()), t.element);
                let alignment = alloc.attr("alignment").map(|a| ("alignment", a));
                let segments = ("operandSegmentSizes", e.i32_array(&[sizes.len() as i32, 0]));
                let part =
                    e.one("memref.alloc", &sizes, t, &alignment.into_iter().chain([segments]).collect::<Vec<_>>())?;
                own.push((whole, part));
            }
            for i in &before {
                Builder::at_end(e.context, e.block).insert(self.members[*i].op.clone_with(&own));
            }
            let end = e.same("arith.addi", &[first, parts.emit(e)?])?;
            let whole = count.known().zip(parts.known()).is_some_and(|(count, parts)| count % parts == 0);
            let end = if whole { end } else { e.same("arith.minsi", &[end, count.emit(e)?])? };
            each(e, first, end, 1, &mut |e, i| self.emit_part(e, &within, &at(e, i, &outer)?, own.clone()))?;
            for (_, part) in &own {
                e.op("memref.dealloc", &[*part], &[], &[])?;
            }
            Ok(())
        })?;
        for member in self.members.iter().rev() {
            member.op.erase().map_err(|e| Error::Internal(e.to_string()))?;
        }
        for alloc in temporaries {
            let (whole, _) = made(*alloc)?;
            erase_unused(whole)?;
        }
        Ok(())
    }

    /// Parts of a piece: few enough for threads to share pieces, enough for the buffers that a piece makes.
    fn parts_of_piece(&self, e: &Emit<'c>, depth: usize, count: Size<'c>, least: i64) -> Result<Size<'c>, Error> {
        let works: Option<i64> = self.members.iter().map(|m| known_product(m.loops[depth..].iter().copied())).sum();
        if let (Some(count), Some(work)) = (count.known(), works) {
            let alike = (count + PIECES - 1) / PIECES;
            return Ok(Size::Known(alike.max(LEAST_PIECE / work.max(1)).max(least).min(count)));
        }
        let mut work = e.index(1)?;
        for member in &self.members {
            work = e.same("arith.addi", &[work, product(e, &member.loops[depth..])?.emit(e)?])?;
        }
        let count = count.emit(e)?;
        let beyond = e.same("arith.addi", &[count, e.index(PIECES - 1)?])?;
        let alike = e.same("arith.divui", &[beyond, e.index(PIECES)?])?;
        let worth = e.same("arith.divui", &[e.index(LEAST_PIECE)?, work])?;
        let parts = e.same("arith.maxsi", &[e.same("arith.maxsi", &[alike, worth])?, e.index(least)?])?;
        let parts = e.same("arith.minsi", &[parts, count])?;
        Ok(Size::Is(e.same("arith.maxsi", &[parts, e.index(1)?])?))
    }

    /// One part of some members; `known` says what stands for the temporaries.
    fn emit_part(
        &self,
        e: &Emit<'c>,
        members: &[usize],
        at: &[V<'c>],
        mut known: Vec<(V<'c>, V<'c>)>,
    ) -> Result<(), Error> {
        for member in members.iter().map(|i| &self.members[*i]) {
            let mut mapping = Vec::new();
            for used in &member.uses {
                mapping.push((used.operand.value, part_of(e, used, at, &mut known)?));
            }
            let clone = Builder::at_end(e.context, e.block).insert(member.op.clone_with(&mapping));
            for index in clone.find_all("linalg.index") {
                let d = index.int_attr("dim").unwrap_or_default() as usize;
                if let (Some(outer), Some(inner)) = (at.get(d), index.result_value(0)) {
                    let after = Builder::after(index);
                    let sum = after.op("arith.addi", e.location).operands(&[inner, *outer]).results(&[e.index_type()]);
                    let sum = sum.build().map_err(|e| Error::Internal(e.to_string()))?;
                    let whole = sum.result_value(0).ok_or_else(|| Error::Internal("a sum of nothing".into()))?;
                    inner.replace_all_uses_except(whole, &[sum]);
                }
            }
        }
        Ok(())
    }
}

/// The place of each outer loop in part `i` of all.
fn at<'c>(e: &Emit<'c>, i: V<'c>, outer: &[Size<'c>]) -> Result<Vec<V<'c>>, Error> {
    let turns = |size: &&Size<'c>| **size != Size::Known(1);
    let sizes = outer.iter().filter(turns).map(|size| size.emit(e)).collect::<Result<Vec<_>, _>>()?;
    let mut places = (if sizes.is_empty() { Vec::new() } else { places(e, i, &sizes)? }).into_iter().peekable();
    outer.iter().map(|size| places.next_if(|_| turns(&size)).map_or_else(|| e.index(0), Ok)).collect()
}

/// The value that an operation makes, and its type.
fn made<'c>(op: OperationRef<'c, 'c>) -> Result<(V<'c>, Shaped<'c>), Error> {
    let value = op.result_value(0).ok_or_else(|| Error::Internal(format!("{} without a result", op.op_name())))?;
    let t = Shaped::buffer(value.r#type()).ok_or_else(|| Error::Internal(format!("{} of no buffer", op.op_name())))?;
    Ok((value, t))
}

/// The same sizes with the outer dimensions of one part.
fn one_part(sizes: &[Option<i64>], outer: usize) -> Vec<Option<i64>> {
    sizes.iter().enumerate().map(|(d, size)| if d < outer { Some(1) } else { *size }).collect()
}

/// A buffer that nothing uses any more, its views and the end of its life.
fn erase_unused(value: V<'_>) -> Result<(), Error> {
    for user in value.uses() {
        if let Some(view) = user.owner.result_value(0) {
            erase_unused(view)?;
        } else {
            user.owner.erase().map_err(|e| Error::Internal(e.to_string()))?;
        }
    }
    let op = value.defining_op().ok_or_else(|| Error::Internal("an argument is no temporary".into()))?;
    op.erase().map_err(|e| Error::Internal(e.to_string()))
}

/// What an operation uses in the part at these places; of a temporary, and its views, what stands for the part already.
fn part_of<'c>(e: &Emit<'c>, used: &Use<'c>, at: &[V<'c>], known: &mut Vec<(V<'c>, V<'c>)>) -> Result<V<'c>, Error> {
    let whole = used.operand.value;
    if known.iter().any(|(root, _)| *root == used.root) {
        return view_of_part(e, whole, at.len(), known);
    }
    part(e, &used.operand, &|d| at.get(d).copied(), OnePlace::Stays)
}

/// The view of a part that stands for a view of the whole: made like it, once.
fn view_of_part<'c>(e: &Emit<'c>, value: V<'c>, outer: usize, known: &mut Vec<(V<'c>, V<'c>)>) -> Result<V<'c>, Error> {
    if let Some((_, part)) = known.iter().find(|(whole, _)| *whole == value) {
        return Ok(*part);
    }
    let op = value.defining_op().ok_or_else(|| Error::Internal("a view of nothing".into()))?;
    let source = op.operand_value(0).ok_or_else(|| Error::Internal("a view of nothing".into()))?;
    let from = view_of_part(e, source, outer, known)?;
    let (_, t) = made(op)?;
    let sizes = one_part(&t.sizes, outer);
    let numbers: Option<Vec<i64>> = sizes.iter().copied().collect();
    let numbers = numbers.ok_or_else(|| Error::Internal("a part of unknown size".into()))?;
    let view = match op.op_name() {
        "memref.subview" => {
            let of = |name: &str| op.attr(name).and_then(attr::ints_value).unwrap_or_default();
            let (offsets, steps) = (of("static_offsets"), of("static_strides"));
            let layout = Layout::of(from.r#type()).ok_or_else(|| Error::Internal("a buffer without strides".into()))?;
            let first: Option<i64> = layout
                .offset
                .zip(layout.strides.iter().copied().collect::<Option<Vec<_>>>())
                .map(|(start, strides)| start + offsets.iter().zip(&strides).map(|(o, s)| o * s).sum::<i64>());
            let strides: Vec<_> =
                layout.strides.iter().zip(&steps).map(|(stride, step)| stride.map(|s| s * step)).collect();
            let kept: Vec<usize> = (0..numbers.len()).collect();
            let (offsets, sizes, steps) = (&offsets, &numbers, &steps);
            View { offsets, sizes, steps, kept: &kept, strides: &strides, offset: first }.emit(e, &[from], t.element)?
        }
        name => {
            let mut attributes = vec![("reassociation", op.attr("reassociation").unwrap_or_else(|| e.array(&[])))];
            if name == "memref.expand_shape" {
                attributes.push(("static_output_shape", e.i64_array(&numbers)));
            }
            e.one(name, &[from], buffer(&sizes, t.element), &attributes)?
        }
    };
    known.push((value, view));
    Ok(view)
}

/// Fuses in every block of functions below `root`.
pub(crate) fn fuse<'c>(root: OperationRef<'c, 'c>) -> Result<(), Error> {
    for function in root.find_all("func.func") {
        if let Some(block) = function.body(0) {
            fuse_block(block)?;
        }
    }
    Ok(())
}

/// Whether operations may run after it that stand before it: it uses no elements of buffers.
fn is_passed(op: OperationRef<'_, '_>) -> bool {
    let of_numbers = ["arith.", "math."].iter().any(|dialect| op.op_name().starts_with(dialect));
    of_numbers || is_view(op) || matches!(op.op_name(), "memref.alloc" | "memref.dealloc" | "memref.dim")
}

fn fuse_block<'c>(block: BlockRef<'c, 'c>) -> Result<(), Error> {
    // What is made of one group erases the ends of buffers further down: all are found first.
    let (mut groups, alike) = (Vec::new(), Alike::of(block));
    let mut group = Group::default();
    for op in block.ops() {
        let next = Member::of(op, &alike).filter(|m| m.outer > 0);
        if let Some(next) = next {
            let depth = group.depth_with(&next);
            // One that shares fewer loops would make the parts of the others larger.
            let apart = depth == 0 || depth < group.depth && !group.temporaries().is_empty();
            if apart {
                groups.push(std::mem::take(&mut group));
            }
            group.depth = if apart { next.outer } else { depth };
            group.members.push(next);
            continue;
        }
        let ends = op.is("memref.dealloc") && op.operand_value(0).is_some_and(|v| group.touches(v));
        if ends || !is_passed(op) {
            groups.push(std::mem::take(&mut group));
        }
    }
    groups.push(group);
    groups.into_iter().try_for_each(Group::finish)
}
