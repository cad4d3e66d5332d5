//! What a structured operation on buffers says: the sizes of its loops, and by which of them it reads and writes each operand.

use crate::family::Registers;
use crate::internal;
use crate::loops::parallel;
use sconce_ir::affine::{Places, identity, sums};
use sconce_ir::builtin_type::{Layout, Shaped, vector};
use sconce_ir::{Attribute, BlockExt, OpExt, OperationRef, Type, ValueExt, ValueLike, attr};
use sconce_linalg::Error;
use sconce_linalg::emit::{Emit, Iterator, V};

/// How an operand is read or written.
pub(crate) struct Operand<'c> {
    pub value: V<'c>,
    /// For each of its dimensions, the loops that lead along it and by how many elements each.
    pub places: Vec<Vec<(usize, i64)>>,
    pub written: bool,
}

impl Operand<'_> {
    /// How far a loop leads along the last dimension; `None` where it leads along another one too.
    pub fn step_of(&self, d: usize) -> Option<i64> {
        let along =
            |sum: &Vec<(usize, i64)>| sum.iter().filter(|(i, _)| *i == d).map(|(_, factor)| factor).sum::<i64>();
        let (last, others) = self.places.split_last()?;
        others.iter().all(|sum| along(sum) == 0).then(|| along(last))
    }

    /// Whether elements along its last dimension lie one behind the other.
    pub fn is_dense(&self) -> bool {
        Layout::of(self.value.r#type()).is_some_and(|l| l.strides.last().is_none_or(|stride| *stride == Some(1)))
    }

    /// Whether a loop leads anywhere in it.
    pub fn depends_on(&self, d: usize) -> bool {
        self.places.iter().flatten().any(|(i, factor)| *i == d && *factor != 0)
    }
}

/// The place of a loop: a value and what is added to it.
#[derive(Clone, Copy)]
pub(crate) struct Place<'c>(pub Option<V<'c>>, pub i64);

/// What is emitted at a place of the loops.
type AtPlace<'b, 'c> = dyn FnMut(&Emit<'c>, &mut [Place<'c>]) -> Result<(), Error> + 'b;

/// Iterations, and elements of a buffer, that an operation has at most: counts of so many can be multiplied by a step or by an element's bytes.
const MOST: i64 = 1 << 40;
/// How far a loop leads at most.
const MOST_STEP: i64 = 1 << 20;

/// Elements of a buffer along a dimension, or iterations of a loop.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Size<'c> {
    Known(i64),
    /// As many as a buffer has along a dimension.
    Along(V<'c>, usize),
    /// A value of the program.
    Is(V<'c>),
}

impl<'c> Size<'c> {
    /// Of a buffer along dimension `d`, by what it was made with.
    pub fn of(buffer: V<'c>, d: usize) -> Option<Size<'c>> {
        let sizes = Shaped::buffer(buffer.r#type())?.sizes;
        if let Some(n) = *sizes.get(d)? {
            return Some(Size::Known(n));
        }
        let made = buffer.defining_op().filter(|op| op.is("memref.alloc"));
        let unknown = sizes[..d].iter().filter(|size| size.is_none()).count();
        Some(made.and_then(|op| op.operand_value(unknown)).map_or(Size::Along(buffer, d), Size::is))
    }

    fn is(value: V<'c>) -> Size<'c> {
        let along = || {
            let op = value.defining_op().filter(|op| op.is("memref.dim"))?;
            let d = op.operand_value(1)?.defining_op().filter(|op| op.is_constant())?.int_attr("value")?;
            Size::of(op.operand_value(0)?, usize::try_from(d).ok()?)
        };
        along().unwrap_or(Size::Is(value))
    }

    pub fn known(self) -> Option<i64> {
        if let Size::Known(n) = self { Some(n) } else { None }
    }

    /// The same, counted here.
    pub fn counted(self, e: &Emit<'c>) -> Result<Size<'c>, Error> {
        if let Size::Along(..) = self { self.emit(e).map(Size::Is) } else { Ok(self) }
    }

    /// As a value.
    pub fn emit(self, e: &Emit<'c>) -> Result<V<'c>, Error> {
        match self {
            Size::Known(n) => e.index(n),
            Size::Along(buffer, d) => e.one("memref.dim", &[buffer, e.index(d as i64)?], e.index_type(), &[]),
            Size::Is(value) => Ok(value),
        }
    }
}

/// The product of sizes, as one that is counted here.
pub(crate) fn product<'c>(e: &Emit<'c>, sizes: &[Size<'c>]) -> Result<Size<'c>, Error> {
    if let Some(n) = known_product(sizes.iter().copied()) {
        return Ok(Size::Known(n));
    }
    let mut product: Option<V<'c>> = None;
    for size in sizes.iter().filter(|size| **size != Size::Known(1)) {
        let size = size.emit(e)?;
        product = Some(product.map_or(Ok(size), |product| e.same("arith.muli", &[product, size]))?);
    }
    product.map_or(Ok(Size::Known(1)), |product| Ok(Size::Is(product)))
}

/// The product of sizes, where all are known.
pub(crate) fn known_product<'c>(sizes: impl IntoIterator<Item = Size<'c>>) -> Option<i64> {
    sizes.into_iter().map(Size::known).product()
}

/// A structured operation whose sizes, where they are known, are bounded.
pub(crate) struct Structured<'c, S = i64> {
    pub op: OperationRef<'c, 'c>,
    /// Iterations of each loop.
    pub loops: Vec<S>,
    /// Whether each may run in any order.
    pub parallel: Vec<bool>,
    /// The operands that are buffers, those that are written last.
    pub operands: Vec<Operand<'c>>,
}

impl<'c> Structured<'c, Size<'c>> {
    /// A `linalg.generic` or `linalg.fill` on buffers; `None` of what is neither, or has larger sizes than any memory.
    pub fn of_any_size(op: OperationRef<'c, 'c>) -> Option<Structured<'c, Size<'c>>> {
        let values = op.operand_values();
        let outs = match op.op_name() {
            "linalg.generic" => *attr::ints_value(op.attr("operandSegmentSizes")?)?.get(1)? as usize,
            "linalg.fill" => 1,
            _ => return None,
        };
        let sizes_of = |value: V<'c>| Some(Shaped::buffer(value.r#type())?.sizes);
        let rank = sizes_of(*values.last()?)?.len();
        let alone = |places: Places| places.into_iter().map(|p| p.map(|d| (d, 1)).into_iter().collect());
        let maps: Vec<Vec<Vec<(usize, i64)>>> = match op.attr("indexing_maps") {
            Some(maps) => attr::affine_maps_value(maps)?.into_iter().map(sums).collect::<Option<_>>()?,
            None => vec![vec![], alone(identity(rank)).collect()],
        };
        let parallel = match op.attr("iterator_types").and_then(attr::array_value) {
            Some(kinds) => {
                let e = Emit::in_front_of(op).ok()?;
                kinds.into_iter().map(|kind| kind == e.iterator(Iterator::Parallel)).collect()
            }
            None => vec![true; rank],
        };
        let mut loops = vec![None; parallel.len()];
        let (mut operands, first_out) = (Vec::new(), values.len() - outs);
        for (i, (value, places)) in values.iter().zip(maps).enumerate() {
            if Shaped::buffer(value.r#type()).is_none() {
                continue;
            }
            for (i, sum) in places.iter().enumerate() {
                if let [(d, 1)] = sum[..]
                    && !matches!(loops[d], Some(Size::Known(_)))
                {
                    loops[d] = Some(Size::of(*value, i)?);
                }
            }
            operands.push(Operand { value: *value, places, written: i >= first_out });
        }
        let loops = loops.into_iter().collect::<Option<Vec<Size<'c>>>>()?;
        let is_bounded = |sizes: &[Option<i64>]| {
            sizes.iter().flatten().try_fold(1_i64, |n, s| n.checked_mul(*s)).is_some_and(|n| n <= MOST)
        };
        let mut sizes = operands.iter().filter_map(|o| sizes_of(o.value));
        let mut factors = operands.iter().flat_map(|o| &o.places).flatten().map(|(_, factor)| *factor);
        let known: Vec<Option<i64>> = loops.iter().map(|size| size.known()).collect();
        let bounded =
            is_bounded(&known) && sizes.all(|s| is_bounded(&s)) && factors.all(|f| (0..=MOST_STEP).contains(&f));
        bounded.then_some(Structured { op, loops, parallel, operands })
    }
}

impl<'c> Structured<'c> {
    /// The same of sizes that are all known.
    pub fn of(op: OperationRef<'c, 'c>) -> Option<Structured<'c>> {
        let Structured { op, loops, parallel, operands } = Structured::of_any_size(op)?;
        let loops = loops.into_iter().map(Size::known).collect::<Option<_>>()?;
        operands.iter().all(|o| static_sizes(o.value).is_some()).then_some(Structured { op, loops, parallel, operands })
    }

    /// The indices of an operand at a place.
    pub fn indices(&self, e: &Emit<'c>, operand: usize, at: &[Place<'c>]) -> Result<Vec<V<'c>>, Error> {
        let index = |sum: &Vec<(usize, i64)>| {
            let known: i64 = sum.iter().map(|(d, factor)| factor * at[*d].1).sum();
            let mut total: Option<V<'c>> = None;
            for (value, factor) in sum.iter().filter_map(|(d, factor)| at[*d].0.map(|v| (v, *factor))) {
                let value = if factor == 1 { value } else { e.same("arith.muli", &[value, e.index(factor)?])? };
                total = Some(total.map_or(Ok(value), |total| e.same("arith.addi", &[total, value]))?);
            }
            match total {
                Some(total) if known != 0 => e.same("arith.addi", &[total, e.index(known)?]),
                Some(total) => Ok(total),
                None => e.index(known),
            }
        };
        self.operands[operand].places.iter().map(index).collect()
    }

    /// A body at each place of the parallel loops but `inner`, which is the body's own; `step` says how many iterations of a loop it takes at once.
    pub fn around(
        &self,
        e: &Emit<'c>,
        inner: usize,
        step: &dyn Fn(usize) -> i64,
        body: &mut AtPlace<'_, 'c>,
    ) -> Result<(), Error> {
        let loops: Vec<usize> = (0..self.loops.len()).filter(|d| self.parallel[*d] && *d != inner).collect();
        self.nest(e, &loops, step, &mut vec![Place(None, 0); self.loops.len()], body)
    }

    fn nest(
        &self,
        e: &Emit<'c>,
        loops: &[usize],
        step: &dyn Fn(usize) -> i64,
        at: &mut Vec<Place<'c>>,
        body: &mut AtPlace<'_, 'c>,
    ) -> Result<(), Error> {
        let Some((d, rest)) = loops.split_first() else { return body(e, at) };
        if self.loops[*d] == step(*d) {
            return self.nest(e, rest, step, at, body);
        }
        parallel(e, e.index(0)?, e.index(self.loops[*d])?, step(*d), &mut |e, i| {
            at[*d] = Place(Some(i), 0);
            self.nest(e, rest, step, at, body)
        })?;
        at[*d] = Place(None, 0);
        Ok(())
    }

    /// The type of all its elements and how many are a vector, where vectors can compute it: floats of 32 bits or more, a body that computes the same for each
    /// element of a vector, and a result that is all that is written.
    pub fn vectors(&self, registers: Registers) -> Option<(Type<'c>, i64)> {
        let (out, ins) = self.operands.split_last()?;
        let element = Shaped::buffer(out.value.r#type())?.element;
        let bytes = attr::element_bytes(element)?;
        let alike = |o: &Operand<'c>| Shaped::buffer(o.value.r#type()).is_some_and(|t| t.element == element);
        let suits = sconce_linalg::emit::is_float(element)
            && bytes >= 4
            && self.is_elementwise()
            && self.operands.iter().all(alike)
            && ins.iter().all(|o| !o.written)
            && self.op.operand_values().len() == self.operands.len();
        suits.then_some((element, (registers.bytes / bytes) as i64))
    }

    /// Whether its body computes the same for a vector of elements.
    fn is_elementwise(&self) -> bool {
        let is = |op: OperationRef<'c, 'c>| {
            op.is("linalg.yield") || op.op_name().starts_with("arith.") || op.op_name().starts_with("math.")
        };
        self.op.body(0).is_some_and(|body| body.ops().into_iter().all(is))
    }

    /// The value of its body for vectors of elements, so many each.
    pub fn of_vectors(&self, e: &Emit<'c>, values: &[V<'c>], lanes: i64) -> Result<V<'c>, Error> {
        let missing = || internal("a body without a block");
        let body = self.op.body(0).ok_or_else(missing)?;
        let mut known: Vec<(V<'c>, V<'c>)> = body.args().into_iter().zip(values.iter().copied()).collect();
        let wide = |t: Type<'c>| vector(&[lanes], t);
        let all = |v: V<'c>| e.one("vector.broadcast", &[v], wide(v.r#type()), &[]);
        for op in body.ops() {
            let mut operands = Vec::new();
            for value in op.operand_values() {
                let found = known.iter().find(|(inside, _)| *inside == value).map(|(_, outside)| *outside);
                // What the body takes from around it is the same for all lanes.
                operands.push(found.map_or_else(|| all(value), Ok)?);
            }
            if op.is("linalg.yield") {
                return operands.first().copied().ok_or_else(missing);
            }
            let constant = op.is_constant();
            let made: Vec<Type<'c>> =
                op.result_types().into_iter().map(|t| if constant { t } else { wide(t) }).collect();
            let made = e.op(op.op_name(), &operands, &made, &op.attrs())?;
            for (inside, outside) in op.result_values().into_iter().zip(made.result_values()) {
                known.push((inside, if constant { all(outside)? } else { outside }));
            }
        }
        Err(missing())
    }
}

/// The sizes of a buffer, where all are known.
pub(crate) fn static_sizes(value: V<'_>) -> Option<Vec<i64>> {
    Shaped::buffer(value.r#type())?.sizes.into_iter().collect()
}

/// A value and the leading dimensions in which it is the buffer that it is a view of.
pub(crate) fn root_of<'c>(value: V<'c>) -> (V<'c>, usize) {
    let (mut at, mut kept) = (value, usize::MAX);
    while let Some(op) = at.defining_op() {
        let Some(source) = op.operand_value(0) else { break };
        let same = match op.op_name() {
            "memref.expand_shape" | "memref.collapse_shape" => {
                let groups = op.attr("reassociation").and_then(attr::array_value).unwrap_or_default();
                let alone = |(i, group): (usize, &Attribute<'c>)| {
                    let group = attr::array_value(*group).unwrap_or_default();
                    group.len() == 1 && attr::int_value(group[0]) == Some(i as i64)
                };
                groups.iter().enumerate().take_while(|g| alone(*g)).count()
            }
            "memref.subview" => {
                let of = |name: &str| op.attr(name).and_then(attr::ints_value).unwrap_or_default();
                let (offsets, sizes, strides) = (of("static_offsets"), of("static_sizes"), of("static_strides"));
                let Some(whole) = Shaped::buffer(source.r#type()) else { break };
                let result_rank = Shaped::buffer(at.r#type()).map_or(0, |s| s.sizes.len());
                let same = |i: &usize| offsets[*i] == 0 && strides[*i] == 1 && whole.sizes[*i] == Some(sizes[*i]);
                if result_rank == whole.sizes.len() { (0..sizes.len()).take_while(same).count() } else { 0 }
            }
            _ => break,
        };
        kept = kept.min(same);
        at = source;
    }
    (at, kept)
}
