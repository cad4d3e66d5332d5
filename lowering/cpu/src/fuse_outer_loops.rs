//! Operations on buffers that follow each other and share their outer loops become one nest of these loops, in which each does one part: a row of a softmax, a
//! channel of a convolution with what pads and activates it. What passes between them is as large as a part, and stays in the cache.
//!
//! An operation goes with those before it where every buffer that one of them writes and another uses is used, by all, at the place of the outer loops alone:
//! then no part needs what another part makes.

use crate::loops::{each, parallel, places};
use crate::structured::{Operand, Structured, root_of, static_sizes};
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
    /// Iterations of each loop.
    loops: Vec<i64>,
    /// The outermost loops that are parallel, and each the only one of the dimensions it reads.
    outer: usize,
    /// Every element of what it writes it writes once, whatever was there.
    overwrites: bool,
    uses: Vec<Use<'c>>,
}

impl<'c> Member<'c> {
    fn of(op: OperationRef<'c, 'c>) -> Option<Member<'c>> {
        let Structured { op, loops, parallel, operands } = Structured::of(op)?;
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
        Some(Member { op, loops, outer, overwrites, uses })
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
        let alike = first.loops.iter().zip(&next.loops).take_while(|(a, b)| a == b).count();
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

    /// Makes them one nest, where that pays.
    fn finish(mut self) -> Result<(), Error> {
        let work = |depth: usize| self.members.iter().map(|m| m.loops[depth..].iter().product::<i64>()).max();
        while self.depth > 0 && work(self.depth).is_none_or(|n| n < LEAST_PART) {
            self.depth -= 1;
        }
        let computing = self.members.iter().filter(|m| !m.op.is("linalg.fill")).count();
        if self.depth == 0 || computing < 2 {
            return Ok(());
        }
        let outer: Vec<i64> = self.members[0].loops[..self.depth].to_vec();
        let parts: i64 = outer.iter().product();
        let temporaries = self.temporaries();
        let bytes = |alloc: &OperationRef<'c, 'c>| {
            let value = alloc.result_value(0)?;
            let size = attr::element_bytes(element_type(value.r#type()))? as i64;
            Some(static_sizes(value)?.into_iter().product::<i64>() * size)
        };
        let passed: i64 = temporaries.iter().filter_map(bytes).sum();
        if parts < 2 || passed < LEAST_BYTES || passed / parts > MOST_PART_BYTES {
            return Ok(());
        }
        self.emit(&outer, &temporaries)
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

    fn emit(&self, outer: &[i64], temporaries: &[OperationRef<'c, 'c>]) -> Result<(), Error> {
        let last = self.members.last().ok_or_else(|| Error::Internal("nothing to fuse".into()))?;
        let e = Emit::in_front_of(last.op)?;
        let (before, within): (Vec<_>, Vec<_>) =
            (0..self.members.len()).partition(|i| self.is_filled_once(*i, temporaries));
        let count: i64 = outer.iter().product();
        let work: i64 = self.members.iter().map(|m| m.loops[outer.len()..].iter().product::<i64>()).sum();
        let alike = (count + PIECES - 1) / PIECES;
        let least = if before.is_empty() { 1 } else { LEAST_FILLED };
        let parts = alike.max(LEAST_PIECE / work.max(1)).max(least).min(count);
        parallel(&e, e.index(0)?, e.index(count)?, parts, &mut |e, first| {
            let mut own: Vec<(V<'c>, V<'c>)> = Vec::new();
            for alloc in temporaries {
                let (whole, t) = made(*alloc)?;
                let t = buffer(&one_part(&t.sizes, outer.len()), t.element);
                let alignment = alloc.attr("alignment").map(|a| ("alignment", a));
                let segments = ("operandSegmentSizes", e.i32_array(&[0, 0]));
                let part =
                    e.one("memref.alloc", &[], t, &alignment.into_iter().chain([segments]).collect::<Vec<_>>())?;
                own.push((whole, part));
            }
            for i in &before {
                Builder::at_end(e.context, e.block).insert(self.members[*i].op.clone_with(&own));
            }
            let end = e.same("arith.addi", &[first, e.index(parts)?])?;
            let end = if count % parts == 0 { end } else { e.same("arith.minsi", &[end, e.index(count)?])? };
            each(e, first, end, 1, &mut |e, i| self.emit_part(e, &within, &at(e, i, outer)?, own.clone()))?;
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
fn at<'c>(e: &Emit<'c>, i: V<'c>, outer: &[i64]) -> Result<Vec<V<'c>>, Error> {
    let sizes = outer.iter().filter(|n| **n > 1).map(|n| e.index(*n)).collect::<Result<Vec<_>, _>>()?;
    let mut places = (if sizes.is_empty() { Vec::new() } else { places(e, i, &sizes)? }).into_iter().peekable();
    outer.iter().map(|n| places.next_if(|_| *n > 1).map_or_else(|| e.index(0), Ok)).collect()
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

fn fuse_block<'c>(block: BlockRef<'c, 'c>) -> Result<(), Error> {
    // What is made of one group erases the ends of buffers further down: all are found first.
    let mut groups = Vec::new();
    let mut group = Group::default();
    for op in block.ops() {
        let next = Member::of(op).filter(|m| m.outer > 0);
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
        if ends || !(is_view(op) || op.is("memref.alloc") || op.is("memref.dealloc") || op.is_constant()) {
            groups.push(std::mem::take(&mut group));
        }
    }
    groups.push(group);
    groups.into_iter().try_for_each(Group::finish)
}
