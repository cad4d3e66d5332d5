//! Branches and loops as `scf.if` and `scf.while`: of plain numbers, so that a turn of the loop is a few instructions, and of tensors whose sizes stay from turn to
//! turn, each of which is written to one place.
//!
//! A loop asks the runtime now and then whether it may go on ([`TURNS`]): fuel and cancelling work as in the interpreter.

use crate::Error;
use crate::convert::{Scope, lies_row_by_row, lower_op};
use crate::emit::{Body, Emit, V};
use crate::inner_sizes::leaves_block;
use crate::lower::{Item, Lower, Sizes, TensorValue};
use crate::numbers::{self, Number, dtype_of};
use crate::strides::{Strides, Turns};
use sconce_analysis::effects::{Effect, effect, puts_in_place};
use sconce_analysis::operators::makes_constant;
use sconce_analysis::{Constant, Tensor};
use sconce_exec::calls::{ELEMENTS, TURNS, TURNS_AT_ONCE};
use sconce_exec::{Dim, Guard, Relation};
use sconce_ir::{
    BlockExt, BlockRef, OpExt, OperationLike, OperationRef, RegionExt, Type, Value, ValueExt, ValueLike, attr,
};
use sconce_schema::DType;
use sconce_torch::types::spelled;

/// The kind of the operation that stands for a value which nobody has set, and nobody reads before somebody does.
pub const UNINITIALIZED: &str = "prim.Uninitialized";

/// Any number, in place of one that nobody has set.
pub fn unset<'c>(l: &Lower<'c>, ty: Type<'c>) -> Result<Item<'c>, Error> {
    let dtype = number_dtype(ty)?;
    let t = l.element(dtype)?;
    Ok(Number { value: l.e.constant(0., t)?, dtype }.item())
}

/// Whether it is a branch or a loop.
pub fn is_control_flow(op: OperationRef<'_, '_>) -> bool {
    op.is("torch.prim.If") || op.is("torch.prim.Loop")
}

/// The operations of its blocks.
pub fn operations<'c, 'a>(op: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    op.region_refs().into_iter().flat_map(|region| region.blocks()).flat_map(|block| block.ops()).collect()
}

/// Values of outside that the operation uses, in its blocks too.
pub fn used_values<'c, 'a>(op: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let mut used = op.operand_values();
    let mut inside = Vec::new();
    let mut work: Vec<BlockRef<'c, 'a>> = op.region_refs().into_iter().flat_map(|region| region.blocks()).collect();
    while let Some(block) = work.pop() {
        inside.extend(block.args());
        for op in block.ops() {
            used.extend(op.operand_values());
            inside.extend(op.result_values());
            work.extend(op.region_refs().into_iter().flat_map(|region| region.blocks()));
        }
    }
    let mut seen: Vec<Value<'c, 'a>> = Vec::new();
    used.retain(|v| {
        let is_new = !inside.contains(v) && !seen.contains(v);
        if is_new {
            seen.push(*v);
        }
        is_new
    });
    used
}

/// What a value of outside is.
type Outside<'o, 'c, 'a> = dyn Fn(Value<'c, 'a>) -> Option<Item<'c>> + 'o;

/// Lowers a branch or a loop whose results are plain numbers and tensors.
pub fn lower<'c, 'a>(
    l: &mut Lower<'c>,
    op: OperationRef<'c, 'a>,
    outside: &Outside<'_, 'c, 'a>,
) -> Result<Vec<Item<'c>>, Error> {
    let flow = Flow { op, outside };
    if op.is("torch.prim.If") { flow.branch(l) } else { flow.turns(l) }
}

/// A branch or a loop that is lowered.
struct Flow<'o, 'c, 'a> {
    op: OperationRef<'c, 'a>,
    outside: &'o Outside<'o, 'c, 'a>,
}

fn number_dtype(ty: Type<'_>) -> Result<DType, Error> {
    dtype_of(ty).ok_or_else(|| Error::Unsupported(format!("it gives a value of type {}", spelled(ty))))
}

/// A value that goes from block to block, which only numbers and tensors do.
fn passed<'c, 'a>(l: &Lower<'c>, v: Value<'c, 'a>, outside: &Outside<'_, 'c, 'a>) -> Result<Item<'c>, Error> {
    let item = outside(v).or_else(|| sconce_analysis::constant(v).map(Item::Constant));
    match item {
        Some(Item::Tensor(t)) if t.strides.share_elements(&t.sizes) => {
            Error::unsupported("a tensor whose elements share memory goes from block to block")
        }
        Some(Item::Tensor(t)) => Ok(Item::Tensor(TensorValue { permuted: None, ..t })),
        item => {
            let number = item.map(|item| Number::of(l, &item)).transpose()?.flatten();
            number
                .map(Number::item)
                .ok_or_else(|| Error::Unsupported(format!("a value of type {}", spelled(v.r#type()))))
        }
    }
}

fn number<'c, 'a>(l: &Lower<'c>, v: Value<'c, 'a>, outside: &Outside<'_, 'c, 'a>) -> Result<V<'c>, Error> {
    match passed(l, v, outside)? {
        Item::Number { value, .. } => Ok(value),
        _ => Error::unsupported("a tensor in place of a number"),
    }
}

/// What blocks pass on as what they give: in memory it lies row by row, whether or not all of them have it from a tensor that does in the interpreter.
fn given_items<'c>(l: &mut Lower<'c>, given: Vec<Item<'c>>, ways: &[Vec<Item<'c>>]) -> Vec<Item<'c>> {
    let in_rows = |i: usize| ways.iter().all(|way| way.get(i).is_some_and(lies_row_by_row));
    let items = given.into_iter().enumerate().map(|(i, mut item)| {
        if let Item::Tensor(t) = &mut item {
            t.row_major = in_rows(i);
            t.strides = Strides::common(ways.iter().filter_map(|way| way.get(i)?.strides()), &t.sizes);
            // What is computed of it may be summed in another order.
            l.same_bits &= t.row_major;
        }
        item
    });
    items.collect()
}

/// What a number of outside is as a size.
fn passed_size<'c, 'a>(v: Value<'c, 'a>, outside: &Outside<'_, 'c, 'a>) -> Option<Dim> {
    match outside(v).or_else(|| sconce_analysis::constant(v).map(Item::Constant))? {
        Item::Constant(Constant::Int(n)) => Some(Dim::Known(n)),
        Item::Number { dim, .. } => dim,
        _ => None,
    }
}

/// What values at one place have in common, whichever block they come from.
enum Kind {
    Number(DType),
    Tensor(Sizes, DType),
}

impl Kind {
    fn of(item: &Item<'_>) -> Result<Kind, Error> {
        match item {
            Item::Number { dtype, .. } => Ok(Kind::Number(*dtype)),
            Item::Tensor(t) => Ok(Kind::Tensor(t.sizes.clone(), t.dtype)),
            _ => Error::unsupported("neither a number nor a tensor goes from block to block"),
        }
    }

    fn ty<'c>(&self, l: &Lower<'c>) -> Result<Type<'c>, Error> {
        match self {
            Kind::Number(dtype) => l.element(*dtype),
            Kind::Tensor(sizes, dtype) => l.tensor_type(sizes, *dtype),
        }
    }

    fn item<'c>(&self, value: V<'c>) -> Item<'c> {
        match self {
            Kind::Number(dtype) => Number { value, dtype: *dtype }.item(),
            Kind::Tensor(sizes, dtype) => Item::Tensor(TensorValue::new(value, sizes.clone(), *dtype)),
        }
    }

    fn is_tensor(&self) -> bool {
        matches!(self, Kind::Tensor(..))
    }

    /// The value, if it is of this kind: of sizes that are the same, or that the caller is asked to find equal.
    fn value<'c>(&self, l: &Lower<'c>, item: &Item<'c>) -> Result<V<'c>, Error> {
        let (found, value) = match (self, item) {
            (Kind::Number(dtype), Item::Number { value, dtype: d, .. }) => (dtype == d, *value),
            (Kind::Tensor(sizes, dtype), Item::Tensor(t)) => {
                let equal = |(a, b): (&_, &_)| {
                    let asked = |left, right| Guard { relation: Relation::Equal, left, right };
                    a == b || l.guards.contains(&asked(*a, *b)) || l.guards.contains(&asked(*b, *a))
                };
                let alike = sizes.len() == t.sizes.len() && sizes.iter().zip(&t.sizes).all(equal);
                (alike && *dtype == t.dtype, t.value)
            }
            _ => return Error::unsupported("a number in one block and a tensor in another"),
        };
        if found && value.r#type() == self.ty(l)? {
            Ok(value)
        } else {
            Error::unsupported("what goes from block to block has another dtype or other sizes in one of them")
        }
    }

    /// The value as the next block finds it: a tensor is at its place.
    fn given<'c>(&self, e: &Emit<'c>, value: V<'c>, place: Option<V<'c>>) -> Result<V<'c>, Error> {
        match place.filter(|place| self.is_tensor() && *place != value && !is_loop_at(value, *place)) {
            Some(place) => e.one("bufferization.materialize_in_destination", &[value, place], place.r#type(), &[]),
            None => Ok(value),
        }
    }
}

/// Whether a value is what a loop gives that began with the tensor at a place: it is there, for that is where the loop writes it.
fn is_loop_at<'c>(value: V<'c>, place: V<'c>) -> bool {
    let Some(op) = value.defining_op().filter(|op| op.is("scf.while")) else { return false };
    let results = op.result_values();
    results.iter().position(|v| *v == value).and_then(|i| op.operand_value(i)) == Some(place)
}

/// Gives all values to the next block.
fn give<'c>(e: &Emit<'c>, kinds: &[Kind], values: &[V<'c>], places: &[Option<V<'c>>]) -> Result<Vec<V<'c>>, Error> {
    kinds.iter().zip(values).zip(places).map(|((kind, value), place)| kind.given(e, *value, *place)).collect()
}

/// One of two ways, the first where a truth value holds: tensors that both give are at places that they share.
pub(crate) fn either<'c>(
    l: &mut Lower<'c>,
    condition: V<'c>,
    way: &mut dyn FnMut(&mut Lower<'c>, usize) -> Result<Vec<Item<'c>>, Error>,
) -> Result<Vec<Item<'c>>, Error> {
    let (e, before) = (l.e, l.inner_sizes.len());
    let mut ends = Vec::new();
    let mut regions = Vec::new();
    for i in 0..2 {
        let mut build = |e: &Emit<'c>, _: &[V<'c>]| {
            let around = std::mem::replace(&mut l.e, *e);
            let made = way(l, i);
            l.e = around;
            ends.push((*e, made?));
            Ok(())
        };
        regions.push(e.region(&mut Body { arguments: Vec::new(), build: &mut build })?);
    }
    ends.iter().flat_map(|(_, items)| items).try_for_each(|item| leaves_block(item, before))?;
    let first = ends.first().map_or(&[][..], |(_, items)| items);
    let kinds = first.iter().map(Kind::of).collect::<Result<Vec<_>, _>>()?;
    let mut places = Vec::new();
    for kind in &kinds {
        places.push(match kind {
            Kind::Number(_) => None,
            Kind::Tensor(sizes, dtype) => {
                l.only_on_processor = true;
                Some(l.empty(sizes, *dtype)?)
            }
        });
    }
    for (end, items) in &ends {
        let values = kinds.iter().zip(items).map(|(kind, item)| kind.value(l, item)).collect::<Result<Vec<_>, _>>()?;
        end.op("scf.yield", &give(end, &kinds, &values, &places)?, &[], &[])?;
    }
    let types = kinds.iter().map(|kind| kind.ty(l)).collect::<Result<Vec<_>, _>>()?;
    let made = e.around("scf.if", &[condition], &types, &[], regions)?;
    let given = kinds.iter().zip(made.result_values()).map(|(kind, value)| kind.item(value)).collect();
    let ways: Vec<_> = ends.into_iter().map(|(_, items)| items).collect();
    Ok(given_items(l, given, &ways))
}

impl<'c, 'a> Flow<'_, 'c, 'a> {
    /// Lowers the operations of block `i` into another, and gives what its terminator passes on.
    fn block(&self, l: &mut Lower<'c>, e: &Emit<'c>, i: usize, arguments: &[Item<'c>]) -> Result<Vec<Item<'c>>, Error> {
        let block = self.op.body(i).ok_or_else(|| Error::Unsupported("a branch or loop without a block".into()))?;
        let around = std::mem::replace(&mut l.e, *e);
        let made = self.operations(l, block, arguments);
        l.e = around;
        made
    }

    fn operations(
        &self,
        l: &mut Lower<'c>,
        block: BlockRef<'c, 'a>,
        arguments: &[Item<'c>],
    ) -> Result<Vec<Item<'c>>, Error> {
        let mut scope = Scope::new();
        scope.extend(block.args().into_iter().map(ValueExt::id).zip(arguments.iter().cloned()));
        for op in block.ops() {
            let known = |v: Value<'c, 'a>| scope.get(&v.id()).cloned().or_else(|| (self.outside)(v));
            if op.is_terminator() {
                return op.operand_values().into_iter().map(|v| passed(l, v, &known)).collect();
            }
            does_nothing_else(op)?;
            l.e.location = op.location();
            let items = lower_op(l, op, &known).map_err(|e| e.of(op))?;
            scope.extend(op.result_values().into_iter().map(ValueExt::id).zip(items));
        }
        Error::unsupported("a block without terminator")
    }

    fn branch(&self, l: &mut Lower<'c>) -> Result<Vec<Item<'c>>, Error> {
        let [condition] = self.op.operand_values()[..] else {
            return Error::unsupported("a branch by other than one value");
        };
        let condition = number(l, condition, self.outside)?;
        either(l, condition, &mut |l, way| {
            let e = l.e;
            self.block(l, &e, way, &[])
        })
    }

    /// `(carried tensors…, i, goes on, carried numbers…)` from turn to turn, while it goes on and `i` is below the number of turns. Bufferization looks for a tensor at
    /// the same place in both blocks: so they come first, and numbers that simplification takes from one of the blocks move none.
    fn turns(&self, l: &mut Lower<'c>) -> Result<Vec<Item<'c>>, Error> {
        let [most, condition, start @ ..] = &self.op.operand_values()[..] else {
            return Error::unsupported("a loop without operands");
        };
        let turns = passed_size(*most, self.outside);
        let (most, condition) = (number(l, *most, self.outside)?, number(l, *condition, self.outside)?);
        let start = start.iter().map(|v| passed(l, *v, self.outside)).collect::<Result<Vec<_>, _>>()?;
        let carried = Carried::of(&start)?;
        let (e, word, truth) = (l.e, l.element(DType::I64)?, l.element(DType::Bool)?);
        let first = carried.values(l, &start)?;
        let types = carried.kinds.iter().map(|kind| kind.ty(l)).collect::<Result<Vec<_>, _>>()?;
        let all = carried.arranged(&types, [word, truth]);
        let first = carried.arranged(&first, [e.int(0, word)?, condition]);
        l.asks_for_turns = true;
        l.only_on_processor = true;
        // A turn with tensors may take long, by what it reads.
        let (at_once, cost) = match carried.tensors {
            0 => (TURNS_AT_ONCE, e.int(TURNS_AT_ONCE, word)?),
            _ => (1, self.cost_of_a_turn(l, word)?),
        };
        let at = carried.tensors;
        let mut before = |e: &Emit<'c>, a: &[V<'c>]| {
            let below = e.cmpi("slt", a[at], most)?;
            let more = may_go_on(e, a[at], e.same("arith.andi", &[below, a[at + 1]])?, (at_once, cost))?;
            let passed: Vec<V<'c>> = [more].iter().chain(a).copied().collect();
            e.op("scf.condition", &passed, &[], &[]).map(|_| ())
        };
        let strides = Turns::begin(l, &start);
        let mut ways = vec![start];
        let mut after = |e: &Emit<'c>, a: &[V<'c>]| {
            let mut items = carried.items(a);
            strides.mark(&mut items);
            self.turn(l, e, &carried, turns, (a, items)).map(|made| ways.push(made))
        };
        let bodies = &mut [
            Body { arguments: all.clone(), build: &mut before },
            Body { arguments: all.clone(), build: &mut after },
        ];
        let made = e.with_regions("scf.while", &first, &all, &[], bodies)?.result_values();
        let mut given = given_items(l, carried.items(&made), &ways);
        strides.end(l, &ways, &mut given)?;
        Ok(given)
    }

    /// What a turn costs in fuel, about as the interpreter counts it: by the elements that each of its operations reads or makes. One of tensors whose sizes its types
    /// do not say is taken to read all tensors of outside, which those that are carried are like.
    fn cost_of_a_turn(&self, l: &Lower<'c>, word: Type<'c>) -> Result<V<'c>, Error> {
        let tensors = used_values(self.op).into_iter().filter_map(|v| match (self.outside)(v) {
            Some(Item::Tensor(t)) => Some(t.sizes),
            _ => None,
        });
        let elements = |sizes: Sizes| sizes.iter().fold(Dim::Known(1), |n, size| n.times(*size));
        let all = tensors.map(elements).fold(Dim::Known(0), |all, n| all.plus(n));
        let (e, operations) = (l.e, operations(self.op));
        let mut cost = operations.len().max(1) as i64;
        let mut unknown = 0;
        for op in operations {
            match elements_of(op) {
                Some(n) => cost = cost.saturating_add(n / ELEMENTS as i64),
                None => unknown += 1,
            }
        }
        let all = e.one("arith.index_cast", &[l.size(&all)?], word, &[])?;
        let all = e.same("arith.divui", &[all, e.int(ELEMENTS as i64, word)?])?;
        let unknown = e.same("arith.muli", &[all, e.int(unknown, word)?])?;
        e.same("arith.addi", &[unknown, e.int(cost, word)?])
    }

    /// One of at most so many turns. Gives what it passes on.
    fn turn(
        &self,
        l: &mut Lower<'c>,
        e: &Emit<'c>,
        carried: &Carried,
        turns: Option<Dim>,
        (a, items): (&[V<'c>], Vec<Item<'c>>),
    ) -> Result<Vec<Item<'c>>, Error> {
        let i = a[carried.tensors];
        let mut arguments = vec![l.turn(i, turns)];
        arguments.extend(items);
        let made = self.block(l, e, 0, &arguments)?;
        let Some((Item::Number { value: goes_on, dtype: DType::Bool, .. }, made)) = made.split_first() else {
            return Error::unsupported("a loop that does not say whether it goes on");
        };
        let values = carried.values(l, made)?;
        let places: Vec<_> = carried.places.iter().map(|at| Some(a[*at])).collect();
        let given = give(e, &carried.kinds, &values, &places)?;
        let next = e.same("arith.addi", &[i, e.int(1, i.r#type())?])?;
        e.op("scf.yield", &carried.arranged(&given, [next, *goes_on]), &[], &[])?;
        Ok(made.to_vec())
    }
}

/// What a loop carries, and where among the arguments of its blocks.
struct Carried {
    kinds: Vec<Kind>,
    places: Vec<usize>,
    /// How many of them are tensors.
    tensors: usize,
}

impl Carried {
    fn of(start: &[Item<'_>]) -> Result<Carried, Error> {
        let kinds = start.iter().map(Kind::of).collect::<Result<Vec<_>, _>>()?;
        let tensors = kinds.iter().filter(|kind| kind.is_tensor()).count();
        let (mut next_tensor, mut next_number) = (0..tensors, tensors + 2..);
        let place = |kind: &Kind| if kind.is_tensor() { next_tensor.next() } else { next_number.next() };
        let places = kinds.iter().filter_map(place).collect();
        Ok(Carried { kinds, places, tensors })
    }

    /// Values in the order of the torch loop, each of its kind.
    fn values<'c>(&self, l: &Lower<'c>, items: &[Item<'c>]) -> Result<Vec<V<'c>>, Error> {
        self.kinds.iter().zip(items).map(|(kind, item)| kind.value(l, item)).collect()
    }

    /// What arguments are, in the order of the torch loop.
    fn items<'c>(&self, arguments: &[V<'c>]) -> Vec<Item<'c>> {
        self.kinds.iter().zip(&self.places).map(|(kind, at)| kind.item(arguments[*at])).collect()
    }

    /// All in the order of the blocks' arguments, with what the loop itself needs between.
    fn arranged<T: Copy>(&self, carried: &[T], own: [T; 2]) -> Vec<T> {
        let mut all: Vec<(usize, T)> = self.places.iter().copied().zip(carried.iter().copied()).collect();
        all.extend([(self.tensors, own[0]), (self.tensors + 1, own[1])]);
        all.sort_by_key(|(at, _)| *at);
        all.into_iter().map(|(_, value)| value).collect()
    }
}

/// The elements of the largest tensor that an operation makes or reads, if its types say: none of what only looks at tensors in another way, and the new ones of what
/// is written into a tensor.
fn elements_of(op: OperationRef<'_, '_>) -> Option<i64> {
    if op.is_terminator() || matches!(effect(op), Effect::View | Effect::Structural) {
        return Some(0);
    }
    let count = |v: Value<'_, '_>| {
        let sizes = Tensor::of(v.r#type())?.sizes?;
        sizes.into_iter().try_fold(1i64, |n, size| n.checked_mul(size?))
    };
    if puts_in_place(op) {
        return count(op.operand_value(1)?);
    }
    let values = op.operand_values().into_iter().chain(op.result_values());
    let mut tensors = values.filter(|v| Tensor::of(v.r#type()).is_some());
    tensors.try_fold(0, |most, v| Some(most.max(count(v)?)))
}

/// Refuses an operation that does more than give its results.
fn does_nothing_else(op: OperationRef<'_, '_>) -> Result<(), Error> {
    let is_of_numbers = || sconce_torch::entry(op).is_some_and(numbers::are_of);
    if is_control_flow(op) || makes_constant(op) || kind_is_unset(op) || effect(op) != Effect::Writes || is_of_numbers()
    {
        return Ok(());
    }
    Error::unsupported(format!(
        "{} in a branch or loop writes, or may do anything",
        sconce_analysis::operators::operator_name(op)
    ))
}

fn kind_is_unset(op: OperationRef<'_, '_>) -> bool {
    sconce_analysis::operators::kind(op) == UNINITIALIZED
}

/// Whether the turn is wanted and, once in so many turns (a power of two) that cost so much, whether the runtime lets the loop go on.
fn may_go_on<'c>(e: &Emit<'c>, turn: V<'c>, wanted: V<'c>, (at_once, cost): (i64, V<'c>)) -> Result<V<'c>, Error> {
    let (word, truth) = (turn.r#type(), wanted.r#type());
    let last = e.int(at_once - 1, word)?;
    let asks = e.cmpi("eq", e.same("arith.andi", &[turn, last])?, last)?;
    let asks = e.same("arith.andi", &[asks, wanted])?;
    let mut ask = |e: &Emit<'c>, _: &[V<'c>]| {
        let more = e.one("func.call", &[cost], truth, &[("callee", attr::symbol(e.context, TURNS))])?;
        e.op("scf.yield", &[more], &[], &[]).map(|_| ())
    };
    let mut unasked = |e: &Emit<'c>, _: &[V<'c>]| e.op("scf.yield", &[wanted], &[], &[]).map(|_| ());
    let bodies =
        &mut [Body { arguments: Vec::new(), build: &mut ask }, Body { arguments: Vec::new(), build: &mut unasked }];
    let op = e.with_regions("scf.if", &[asks], &[truth], &[], bodies)?;
    op.result_value(0).ok_or_else(|| Error::Internal("a branch without a result".into()))
}
