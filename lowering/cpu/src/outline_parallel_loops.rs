//! Loops whose iterations may run at once become functions of a range of them, which the runtime's threads share; loops of too little work stay where they are.
//!
//! How many iterations are worth a thread's time is counted here, once, in operations; how many threads there are is only known when the code runs, and never
//! shows in a result.

use crate::internal;
use crate::loops::{carried, each, places};
use crate::view::is_view;
use sconce_ir::builder::{self, Builder};
use sconce_ir::builtin_type::Shaped;
use sconce_ir::op::Walk;
use sconce_ir::{BlockExt, BlockRef, Location, OpExt, OperationRef, RegionExt, Type, ValueExt, ValueLike, attr};
use sconce_linalg::Error;
use sconce_linalg::emit::{Emit, V};

/// The attribute of a function that runs a range of iterations: how many of them take about 20 microseconds.
pub(crate) const GRAIN: &str = "sconce.grain";

/// Nanoseconds that a grain takes.
const GRAIN_TIME: f64 = 20e3;

/// Nanoseconds of a loop from which threads share it: below, to ask them takes longer.
const LEAST_TIME: f64 = 5e3;

/// Nanoseconds of an operation on vectors, and of one on numbers, most of which become vectors.
const VECTOR_TIME: f64 = 0.3;
const SCALAR_TIME: f64 = 0.08;

/// Iterations of a loop whose bounds are not known.
const UNKNOWN: f64 = 64.;

/// Iterations that several loops are to have together, so that threads get about as much each.
const ENOUGH: f64 = 16.;

/// Elements of the innermost loop, one behind the other in memory, that are a block for a thread: at least, and a multiple of them.
const BLOCK: f64 = 128.;
const LANES: f64 = 16.;

/// A loop whose iterations threads share, by its number in the nest.
struct Shared {
    d: usize,
    /// So many iterations are one for threads, and a loop in it.
    block: Option<i64>,
}

impl Shared {
    fn whole(d: usize) -> Shared {
        Shared { d, block: None }
    }
}

/// One loop of a nest.
#[derive(Clone, Copy)]
struct Loop<'c> {
    from: V<'c>,
    to: V<'c>,
    step: V<'c>,
    at: V<'c>,
}

/// The number that a value is always.
fn known(v: V<'_>) -> Option<i64> {
    v.defining_op().filter(|op| op.is_constant())?.int_attr("value")
}

/// Iterations from one value to another, where they are known.
fn iterations(from: V<'_>, to: V<'_>, step: V<'_>) -> Option<f64> {
    let (from, to, step) = (known(from)?, known(to)?, known(step).filter(|s| *s > 0)?);
    Some((to.checked_sub(from)?.max(0) as f64 / step as f64).ceil())
}

impl<'c> Loop<'c> {
    /// The loops of an `scf.parallel`, the outermost first.
    fn all(op: OperationRef<'c, 'c>) -> Vec<Loop<'c>> {
        let operands = op.operand_values();
        let at = op.body(0).map(|body| body.args()).unwrap_or_default();
        let n = at.len();
        let one =
            |(i, at): (usize, V<'c>)| Loop { from: operands[i], to: operands[n + i], step: operands[2 * n + i], at };
        at.into_iter().enumerate().map(one).collect()
    }

    fn iterations(&self) -> Option<f64> {
        iterations(self.from, self.to, self.step)
    }

    /// Its iterations as a value, in front of the nest that it is in, or blocks of so many of them.
    fn blocks(&self, e: &Emit<'c>, block: Option<i64>) -> Result<V<'c>, Error> {
        let size = self.size(e)?;
        let Some(block) = block else { return Ok(size) };
        if let Some(n) = known(size) {
            return e.index(n.saturating_add(block - 1) / block);
        }
        let beyond = e.same("arith.addi", &[size, e.index(block - 1)?])?;
        e.same("arith.divui", &[beyond, e.index(block)?])
    }

    /// Its iterations as a value, in front of the nest that it is in.
    fn size(&self, e: &Emit<'c>) -> Result<V<'c>, Error> {
        if let Some(n) = self.iterations() {
            return e.index(n as i64);
        }
        let [from, to, step] = [self.from, self.to, self.step];
        let around = |v: V<'c>| known(v).map_or(Ok(v), |n| e.index(n));
        let [from, to, step] = [around(from)?, around(to)?, around(step)?];
        let length = e.same("arith.subi", &[to, from])?;
        let length = e.same("arith.maxsi", &[length, e.index(0)?])?;
        let beyond = e.same("arith.subi", &[step, e.index(1)?])?;
        e.same("arith.divui", &[e.same("arith.addi", &[length, beyond])?, step])
    }
}

/// Parallel loops of which each holds nothing but the next one.
struct Nest<'c> {
    op: OperationRef<'c, 'c>,
    loops: Vec<Loop<'c>>,
    /// What the outer ones hold besides.
    constants: Vec<OperationRef<'c, 'c>>,
    body: BlockRef<'c, 'c>,
}

impl<'c> Nest<'c> {
    /// `None` where its loops have results.
    fn of(op: OperationRef<'c, 'c>) -> Option<Nest<'c>> {
        let (mut loops, mut constants, mut innermost) = (Vec::new(), Vec::new(), op);
        loop {
            if !innermost.result_values().is_empty() {
                return None;
            }
            loops.extend(Loop::all(innermost));
            let body = innermost.body(0)?;
            let held = body.ops().into_iter().filter(|op| !op.is_terminator());
            let (constant, others): (Vec<_>, Vec<_>) = held.partition(|op| op.is_constant());
            match others[..] {
                [inner] if inner.is("scf.parallel") => {
                    constants.extend(constant);
                    innermost = inner;
                }
                _ => return Some(Nest { op, loops, constants, body }),
            }
        }
    }

    /// Iterations of a loop, or a guess.
    fn count(&self, d: usize) -> f64 {
        self.loops[d].iterations().unwrap_or(UNKNOWN)
    }

    fn time_of(&self, loops: impl Iterator<Item = usize>) -> f64 {
        loops.map(|d| self.count(d)).product::<f64>() * time(self.body)
    }

    /// The loops whose iterations threads share: the outer ones together, with blocks of the innermost one where they have not enough. The innermost leads through
    /// memory, and stays a loop of its own. Where it does not, because what it holds does, they share the longest one.
    fn shared(&self) -> Vec<Shared> {
        let long: Vec<usize> = (0..self.loops.len()).filter(|d| self.count(*d) > 1.).collect();
        let leads = self.body.ops().into_iter().all(|op| op.region_refs().is_empty());
        let (outer, innermost) = match long.split_last() {
            Some((last, outer)) if leads && !outer.is_empty() => (outer, Some(*last)),
            _ => (&long[..], None),
        };
        let together = |n: &usize| outer[..*n].iter().map(|d| self.count(*d)).product::<f64>() >= ENOUGH;
        if let Some(n) = (1..=outer.len()).find(together) {
            return outer[..n].iter().copied().map(Shared::whole).collect();
        }
        if let Some(last) = innermost {
            let count = outer.iter().map(|d| self.count(*d)).product::<f64>();
            let blocks = (ENOUGH / count).min(self.count(last) / BLOCK).ceil();
            let block = (self.count(last) / blocks / LANES).ceil() * LANES;
            let inside = (blocks > 1.).then_some(Shared { d: last, block: Some(block as i64) });
            return outer.iter().copied().map(Shared::whole).chain(inside).collect();
        }
        let longest = long.into_iter().rev().max_by(|a, b| self.count(*a).total_cmp(&self.count(*b)));
        longest.into_iter().map(Shared::whole).collect()
    }

    /// Replaces the nest by a call of a function of a range of its iterations; false where a value that it uses cannot be given to a function.
    fn outline(&self, function: OperationRef<'c, 'c>, name: &str) -> Result<bool, Error> {
        let shared = self.shared();
        let mut captured = Captured::default();
        if shared.is_empty() || !captured.all_of(self.op) {
            return Ok(false);
        }
        let e = Emit::in_front_of(self.op)?;
        let sizes = shared.iter().map(|s| self.loops[s.d].blocks(&e, s.block)).collect::<Result<Vec<_>, _>>()?;
        if !sizes.iter().all(|size| captured.add(*size)) {
            return Ok(false);
        }
        let index = e.index_type();
        let types = [index, index].into_iter().chain(captured.given.iter().map(|v| v.r#type()));
        let arguments: Vec<(Type<'c>, Location<'c>)> = types.map(|t| (t, e.location)).collect();
        let part = builder::function(name, &arguments, &[], e.location).map_err(internal)?;
        let part = Builder::before(function).insert(part);
        part.set_attr("sym_visibility", attr::string(e.context, "private"));
        let inside = |d: &usize| shared.iter().all(|s| s.d != *d);
        let of_block = shared.iter().filter_map(|s| s.block).map(|n| n as f64).product::<f64>();
        let one = of_block * self.time_of((0..self.loops.len()).filter(inside));
        part.set_attr(GRAIN, e.i64_attr((GRAIN_TIME / one).max(1.) as i64));
        let body = part.body(0).ok_or_else(|| internal("a function without body"))?;
        let inside = Emit::at_end(e.context, body, e.location);
        let arguments = body.args();
        let mut pairs: Vec<(V<'c>, V<'c>)> = captured.given.iter().copied().zip(arguments[2..].to_vec()).collect();
        for op in &captured.made {
            let copy = Builder::at_end(e.context, body).insert(op.clone_with(&pairs));
            pairs.extend(op.result_values().into_iter().zip(copy.result_values()));
        }
        for op in &self.constants {
            Builder::at_end(e.context, body).insert(op.detach());
        }
        let now = |v: V<'c>| pairs.iter().find(|(old, _)| *old == v).map_or(v, |(_, new)| *new);
        let inner: Vec<V<'c>> = sizes.iter().map(|v| now(*v)).collect();
        each(&inside, arguments[0], arguments[1], 1, &mut |e, i| {
            let all = || (0..self.loops.len()).map(|d| (d, &self.loops[d]));
            let mut bounds: Vec<_> = all().map(|(d, l)| (d, [l.from, l.to, l.step].map(now))).collect();
            for (at, s) in places(e, i, &inner)?.into_iter().zip(&shared) {
                let l = &self.loops[s.d];
                let each = match s.block {
                    Some(block) => e.same("arith.muli", &[at, e.index(block)?])?,
                    None => at,
                };
                let step = now(l.step);
                let along = if known(l.step) == Some(1) { each } else { e.same("arith.muli", &[each, step])? };
                let place = if known(l.from) == Some(0) { along } else { e.same("arith.addi", &[now(l.from), along])? };
                let Some(block) = s.block else {
                    l.at.replace_all_uses_with(place);
                    bounds.retain(|(d, _)| *d != s.d);
                    continue;
                };
                let long = e.same("arith.muli", &[e.index(block)?, step])?;
                let end = e.same("arith.minsi", &[now(l.to), e.same("arith.addi", &[place, long])?])?;
                bounds.iter_mut().filter(|(d, _)| *d == s.d).for_each(|(_, bounds)| *bounds = [place, end, step]);
            }
            self.move_body(e, &bounds)
        })?;
        inside.op("func.return", &[], &[], &[])?;
        for (old, new) in &pairs {
            for user in old.uses().into_iter().filter(|user| user.owner.is_within(part)) {
                user.owner.set_operand_value(user.operand, *new);
            }
        }
        let first = (e.index(0)?, sizes[0]);
        let count = sizes[1..].iter().try_fold(first.1, |n, size| e.same("arith.muli", &[n, *size]))?;
        let operands: Vec<V<'c>> = [first.0, count].into_iter().chain(captured.given).collect();
        e.op("func.call", &operands, &[], &[("callee", attr::symbol(e.context, name))])?;
        self.op.erase().map_err(internal)?;
        Ok(true)
    }

    /// The body within loops of these numbers and bounds, which stay loops.
    fn move_body(&self, e: &Emit<'c>, loops: &[(usize, [V<'c>; 3])]) -> Result<(), Error> {
        let Some(((d, bounds), rest)) = loops.split_first() else {
            if let Some(end) = self.body.terminator_op() {
                end.erase().map_err(internal)?;
            }
            self.body.splice_to_end(e.block);
            return Ok(());
        };
        carried(e, *bounds, &[], &mut |e, i, _| {
            self.loops[*d].at.replace_all_uses_with(i);
            self.move_body(e, rest)?;
            Ok(Vec::new())
        })
        .map(|_| ())
    }
}

/// What a function needs of the values around a nest.
#[derive(Default)]
struct Captured<'c> {
    /// Numbers and buffers that it is given. No two of them are the same memory where one is written.
    given: Vec<V<'c>>,
    /// What it makes again itself: constants, and views of buffers.
    made: Vec<OperationRef<'c, 'c>>,
}

impl<'c> Captured<'c> {
    /// Everything that is used in an operation and comes from around it; false where that cannot be had.
    fn all_of(&mut self, op: OperationRef<'c, 'c>) -> bool {
        let within = |v: &V<'c>| match v.block_argument() {
            Some((block, _)) => block.parent_op().is_some_and(|holder| holder.is_within(op)),
            None => v.defining_op().is_some_and(|maker| maker.is_within(op)),
        };
        op.walk_pre(&mut |user| {
            let all = user.operand_values().into_iter().filter(|v| !within(v)).all(|v| self.add(v));
            if all { Walk::Advance } else { Walk::Stop }
        }) == Walk::Advance
    }

    fn add(&mut self, v: V<'c>) -> bool {
        let maker = v.defining_op();
        if self.given.contains(&v) || maker.is_some_and(|op| self.made.contains(&op)) {
            return true;
        }
        let is_buffer = Shaped::buffer(v.r#type()).is_some();
        match maker {
            Some(op) if op.is_constant() || op.is("memref.get_global") || op.is("memref.cast") || is_view(op) => {
                let all = op.operand_values().into_iter().all(|v| self.add(v));
                self.made.push(op);
                return all;
            }
            Some(op) if is_buffer && !matches!(op.op_name(), "memref.alloc" | "memref.alloca") => return false,
            None if is_buffer => {
                let of_function =
                    |(block, _): (BlockRef<'c, 'c>, usize)| block.parent_op().is_some_and(|op| op.is("func.func"));
                if !v.block_argument().is_some_and(of_function) {
                    return false;
                }
            }
            // What does not fit into a word.
            _ if !is_buffer && attr::element_bytes(v.r#type()).is_none_or(|bytes| bytes > 8) => return false,
            _ => {}
        }
        self.given.push(v);
        true
    }
}

/// Nanoseconds that the operations of a block take.
fn time(block: BlockRef<'_, '_>) -> f64 {
    let inside = |op: OperationRef<'_, '_>| op.region_refs().iter().flat_map(|r| r.blocks()).map(time).sum::<f64>();
    let one = |op: OperationRef<'_, '_>| match op.op_name() {
        "scf.for" => {
            let operands = op.operand_values();
            iterations(operands[0], operands[1], operands[2]).unwrap_or(UNKNOWN) * (SCALAR_TIME + inside(op))
        }
        "scf.parallel" => Loop::all(op).iter().map(|l| l.iterations().unwrap_or(UNKNOWN)).product::<f64>() * inside(op),
        _ if op.is_constant() || op.is_terminator() => 0.,
        _ => {
            let mut types = op.operand_values().into_iter().chain(op.result_values()).map(|v| v.r#type());
            let vectors = types.any(|t| Shaped::of(t).is_some() && Shaped::buffer(t).is_none());
            inside(op) + if vectors { VECTOR_TIME } else { SCALAR_TIME }
        }
    };
    block.ops().into_iter().map(one).sum()
}

/// Outlines in every function below `root`.
pub(crate) fn outline<'c>(root: OperationRef<'c, 'c>) -> Result<(), Error> {
    for function in root.find_all("func.func") {
        let mut nests = Vec::new();
        function.walk_pre(&mut |op| {
            if !op.is("scf.parallel") {
                return Walk::Advance;
            }
            nests.extend(Nest::of(op));
            Walk::Skip
        });
        let worth = nests.iter().filter(|nest| nest.time_of(0..nest.loops.len()) >= LEAST_TIME);
        let mut parts = 0;
        for nest in worth {
            let name = format!("{}_part{parts}", function.symbol_name().unwrap_or_default());
            parts += usize::from(nest.outline(function, &name)?);
        }
    }
    Ok(())
}
