//! Which operations go into a region together, and moving them there.

use crate::fresh::{given_back, gives_new_tensors};
use sconce_analysis::effects::{Effect, effect};
use sconce_analysis::is_layout_seen;
use sconce_analysis::operators::{constant, is_constant_node, kind, operator_name, schema_name};
use sconce_analysis::refine::refusal;
use sconce_analysis::types::{Tensor, TorchType, to_value_type};
use sconce_ir::builder::Builder;
use sconce_ir::{
    Block, BlockExt, BlockRef, Context, Error, OpExt, OperationLike, OperationRef, Region, RegionExt, RegionLike, Type,
    Value, ValueExt, ValueLike, attr,
};
use sconce_linalg::{CALLS_FROM, ROWS, ResultLayout, UNINITIALIZED, is_control_flow, used_values};
use sconce_pass::Pass;
use sconce_pass::refusals::{Refusal, refuse};
use sconce_schema::init::INIT;
use sconce_torch::NAMED_CONSTANT;
use sconce_torch::types::spelled;
use std::collections::{BTreeMap, BTreeSet};

/// What outlining is told.
#[derive(Clone, Debug)]
pub struct Options {
    /// Fewer computing operations than this are not worth a region.
    pub min_ops: usize,
    /// A region of as many operations takes no more: compiling one takes time that grows faster than it does.
    pub max_ops: usize,
    /// Say by remarks what was not taken, and why.
    pub remarks: bool,
    /// Views are made by regions, as copies, also where they leave them: nobody else is there to make them.
    pub views: bool,
    /// What a region gives may lie otherwise than the interpreter would lay it, where nobody sees that: sums over it may then be added in another order.
    pub unseen_layouts: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { min_ops: 1, max_ops: 256, remarks: false, views: false, unseen_layouts: false }
    }
}

/// A region that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outlined {
    pub name: String,
    pub function: String,
    /// Schema names of the operations inside, in order.
    pub operators: Vec<String>,
}

/// What was taken and what was not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    pub regions: Vec<Outlined>,
    /// Operators that stay interpreted.
    pub not_taken: Vec<Refusal>,
}

/// What code is made for.
pub trait Target {
    /// Whether it can compile an operation, with the types and constants it has.
    ///
    /// # Errors
    /// A code and a sentence.
    fn takes(&self, op: OperationRef<'_, '_>) -> Result<Taken, NotTaken>;

    /// From how many steps on operators in branches and loops are called; see [`sconce_linalg::supports`].
    fn calls_from(&self) -> Option<i64> {
        None
    }

    /// Which of these operations, each of which it takes, cannot be in one region that gives `leaving`: what cannot be lowered behind the others.
    fn refuses_together<'c>(
        &self,
        ops: &[OperationRef<'c, '_>],
        leaving: &[Value<'c, '_>],
        layout: ResultLayout,
    ) -> Vec<(usize, NotTaken)> {
        let Some(first) = ops.first() else { return Vec::new() };
        let refused = sconce_linalg::refused_together(first.context_ref(), ops, leaving, layout, self.calls_from());
        refused.into_iter().map(|(at, why)| (at, no_lowering(why))).collect()
    }
}

/// An operation that cannot be lowered.
pub fn no_lowering(why: sconce_linalg::Error) -> NotTaken {
    ("no-lowering", why.to_string())
}

/// How an operation gets into a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Taken {
    /// By code.
    Code,
    /// By a call of the runtime's kernel: so that the region does not end there, but not for its own sake.
    Call,
}

/// Why an operation is not compiled: a word and a sentence.
pub type NotTaken = (&'static str, String);

/// Outlines in every function of `root` but the one that computes constants: it runs once.
pub fn outline(root: OperationRef<'_, '_>, target: &dyn Target, options: &Options) -> Result<Report, Error> {
    let mut report = Report::default();
    let mut functions = root.find_all("func.func");
    if functions.is_empty() && root.is("func.func") {
        functions.push(root);
    }
    for function in functions {
        let name = function.symbol_name().unwrap_or_default().to_string();
        if name == INIT {
            continue;
        }
        let mut outliner = Outliner { target, options, report: &mut report, function: name, made: 0 };
        for region in function.region_refs() {
            for block in region.blocks() {
                outliner.block(block)?;
            }
        }
    }
    Ok(report)
}

struct Outliner<'s> {
    target: &'s dyn Target,
    options: &'s Options,
    report: &'s mut Report,
    function: String,
    /// Regions of the function.
    made: usize,
}

/// Operations that will be one region, in program order.
#[derive(Default)]
struct Group<'c, 'a> {
    ops: Vec<OperationRef<'c, 'a>>,
    members: BTreeSet<usize>,
    /// Of these, those that are calls.
    calls: BTreeSet<usize>,
    /// Operators in all of them.
    size: usize,
    /// Views are computed, too.
    views: bool,
    /// What it gives lies row by row, also where the interpreter would lay it otherwise.
    rows: bool,
}

/// What somebody outside of a group uses.
struct Leaving<'c, 'a> {
    /// Results of computing operations, of which views and lists may be made outside.
    results: Vec<Value<'c, 'a>>,
    /// The operations that make those views and lists.
    kept: BTreeSet<usize>,
}

fn key(op: OperationRef<'_, '_>) -> usize {
    op.to_raw().ptr as usize
}

impl<'c, 'a> Group<'c, 'a> {
    fn push(&mut self, op: OperationRef<'c, 'a>, taken: Taken) {
        self.members.insert(key(op));
        if taken == Taken::Call {
            self.calls.insert(key(op));
        }
        self.size += with_inner(op).into_iter().filter(|op| !is_plumbing(*op)).count();
        self.ops.push(op);
    }
    /// A computing operation, as against lists, constants and what gives numbers, which follow where they are needed, and views, if these do. A loop computes, and a
    /// branch that gives tensors.
    fn computes(&self, op: OperationRef<'_, '_>) -> bool {
        if is_control_flow(op) {
            return op.is("torch.prim.Loop") || op.result_types().into_iter().any(is_tensor);
        }
        let is_computed = matches!((effect(op), self.views), (Effect::Fresh, _) | (Effect::View, true));
        is_computed && op.result_values().iter().any(|v| is_tensor(v.r#type()))
    }

    /// The tensors that a loop of the group gives back if it takes no turn, where somebody may ask whether they are the same.
    fn given_back(&self, op: OperationRef<'c, 'a>) -> Vec<(usize, Value<'c, 'a>)> {
        if self.views || !self.members.contains(&key(op)) { Vec::new() } else { given_back(op) }
    }

    /// Whether a loop begins a group of its own: whether it takes a turn, and what it gives if not, is known in front of its region.
    fn ends_before(&self, op: OperationRef<'c, 'a>) -> bool {
        let given = given_back(op);
        let computed = |v: Value<'c, 'a>| v.defining_op().is_some_and(|op| self.computes(op));
        !self.views
            && !given.is_empty()
            && (op.operand_values().into_iter().take(2).any(|v| self.makes(v))
                || given.into_iter().any(|(_, v)| self.makes(v) && !computed(v)))
    }

    /// Whether the operation needs a list, or another value that crosses no region's border, of the group.
    fn needs_what_stays(&self, op: OperationRef<'c, 'a>) -> bool {
        used_values(op).into_iter().any(|v| TorchType::of(v.r#type()) == TorchType::Other && self.makes(v))
    }

    fn makes(&self, v: Value<'c, 'a>) -> bool {
        v.defining_op().is_some_and(|op| self.members.contains(&key(op)))
    }

    /// The operation of the group that this one is, or is inside of.
    fn member_around(&self, op: OperationRef<'c, 'a>) -> Option<usize> {
        let around = std::iter::successors(Some(op), |op| op.parent());
        around.map(key).find(|op| self.members.contains(op))
    }

    fn leaving(&self) -> Leaving<'c, 'a> {
        let mut kept = BTreeSet::new();
        let leaves = |v: &Value<'c, 'a>, kept: &BTreeSet<usize>| {
            v.uses().into_iter().any(|u| {
                self.member_around(u.owner).is_none_or(|user| kept.contains(&user))
                    || self.given_back(u.owner).iter().any(|(_, given)| given == v)
            })
        };
        for op in self.ops.iter().rev().filter(|op| !self.computes(**op)) {
            if op.result_values().iter().any(|v| leaves(v, &kept)) {
                kept.insert(key(*op));
            }
        }
        let made = self.ops.iter().filter(|op| self.computes(**op)).flat_map(|op| op.result_values());
        Leaving { results: made.filter(|v| leaves(v, &kept)).collect(), kept }
    }
}

/// Whether the value's operation is copied to where it is needed: constants, and numbers that nobody has set, which cannot be handed to code.
fn is_copied(v: Value<'_, '_>) -> bool {
    let is_number = matches!(TorchType::of(v.r#type()), TorchType::Int | TorchType::Float | TorchType::Bool);
    constant(v).is_some() || is_number && v.defining_op().is_some_and(|op| kind(op) == UNINITIALIZED)
}

fn is_tensor(t: Type<'_>) -> bool {
    Tensor::of(t).is_some()
}

/// An operation, and what is inside of it.
fn with_inner<'c, 'a>(op: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let blocks = op.region_refs().into_iter().flat_map(|region| region.blocks());
    std::iter::once(op).chain(blocks.flat_map(|block| block.ops()).flat_map(with_inner)).collect()
}

/// Something that names no operator a reader of the report asks about.
fn is_plumbing(op: OperationRef<'_, '_>) -> bool {
    effect(op) == Effect::Structural
        || is_constant_node(op)
        || kind(op) == NAMED_CONSTANT
        || !sconce_analysis::operators::is_operator(op) && !op.is("torch.operator")
}

fn mostly_kernels() -> NotTaken {
    ("only-kernels", "a region around it would mostly call the runtime's kernels".into())
}

impl Outliner<'_> {
    /// Of copies nobody asks how they lie.
    fn layout(&self) -> ResultLayout {
        if self.options.views { ResultLayout::Rows } else { ResultLayout::Interpreted }
    }

    fn group<'c, 'a>(&self) -> Group<'c, 'a> {
        Group { views: self.options.views, rows: self.options.views, ..Group::default() }
    }

    fn block(&mut self, block: BlockRef<'_, '_>) -> Result<(), Error> {
        let mut group = self.group();
        for op in block.ops() {
            if op.is("sconce.region") {
                self.flush(std::mem::replace(&mut group, self.group()))?;
                continue;
            }
            let nested = op.region_refs();
            // Nobody else has code for regions that are copies.
            let is_full = !self.options.views && group.size >= self.options.max_ops;
            if group.ends_before(op) || is_full && group.computes(op) && !group.needs_what_stays(op) {
                self.flush(std::mem::replace(&mut group, self.group()))?;
            }
            // What mostly calls kernels the interpreter runs as well, and what is between them may be worth regions.
            if is_control_flow(op) {
                match self.takes(op, &group) {
                    Ok(taken) if taken == Taken::Code || self.options.views => {
                        group.push(op, taken);
                        continue;
                    }
                    Ok(_) => self.refuse(op, mostly_kernels()),
                    Err(why) => self.refuse(op, why),
                }
            }
            if !nested.is_empty() || op.is_terminator() {
                self.flush(std::mem::replace(&mut group, self.group()))?;
                for region in nested {
                    for inner in region.blocks() {
                        self.block(inner)?;
                    }
                }
                continue;
            }
            let what = effect(op);
            if what == Effect::Structural && op.result_value(0).is_some_and(is_copied) {
                continue;
            }
            match what {
                Effect::Structural | Effect::Fresh | Effect::View => match self.takes(op, &group) {
                    Ok(taken) => group.push(op, taken),
                    Err(why) => {
                        self.refuse(op, why);
                        // It may stand before the region only if it needs nothing of it.
                        if op.operand_values().iter().any(|v| group.makes(*v)) {
                            self.flush(std::mem::replace(&mut group, self.group()))?;
                        }
                    }
                },
                Effect::Writes => {
                    self.flush(std::mem::replace(&mut group, self.group()))?;
                    self.refuse(op, ("effects", "it writes to a tensor, or may do anything".into()));
                }
            }
        }
        self.flush(group)
    }

    /// Whether the operation may join the group. Lists cross no region's border: one is taken only together with what makes it.
    fn takes<'c, 'a>(&self, op: OperationRef<'c, 'a>, group: &Group<'c, 'a>) -> Result<Taken, NotTaken> {
        if is_control_flow(op) && !self.options.views && !gives_new_tensors(op) {
            return Err(("shares-memory", "a tensor that it gives may share memory with another".into()));
        }
        let taken = self.target.takes(op)?;
        for v in used_values(op) {
            if TorchType::of(v.r#type()) == TorchType::Other && constant(v).is_none() && !group.makes(v) {
                return Err(("foreign-value", format!("a value of type {} from elsewhere", spelled(v.r#type()))));
            }
        }
        Ok(taken)
    }

    fn refuse(&mut self, op: OperationRef<'_, '_>, (code, why): NotTaken) {
        // Of a branch nobody asks: what stands in it is told of.
        if is_plumbing(op) && !op.is("torch.prim.Loop") {
            return;
        }
        // What is an error in a branch is seldom what the program does.
        if op.parent().is_some_and(|around| around.is("torch.prim.If")) && refusal(op).is_some() {
            return;
        }
        let operator = operator_name(op);
        if self.options.remarks {
            op.emit_remark(&format!("{}: {operator} is not compiled: {why}", self.function));
        }
        let refusal = Refusal::of(crate::OutlineRegions::NAME, op, operator, (code, why));
        refuse(refusal.clone());
        self.report.not_taken.push(refusal);
    }

    /// Makes the group a region, or regions, if there are some that do not go with the others.
    fn flush<'c: 'a, 'a>(&mut self, mut group: Group<'c, 'a>) -> Result<(), Error> {
        let mut leaving = group.leaving().results;
        let mut refused = self.target.refuses_together(&group.ops, &leaving, self.layout());
        if self.options.unseen_layouts && !refused.is_empty() {
            leaving.retain(|v| is_layout_seen(*v));
            refused = self.target.refuses_together(&group.ops, &leaving, self.layout());
            group.rows = true;
        }
        let mut refused = refused.into_iter().peekable();
        if refused.peek().is_none() {
            return self.make(group);
        }
        let mut part = self.group();
        for (i, op) in group.ops.into_iter().enumerate() {
            let why = match refused.next_if(|(at, _)| *at == i) {
                Some((_, why)) => Err(why),
                // A list that it takes may now be made outside.
                None => self.takes(op, &part),
            };
            match why {
                Ok(taken) => part.push(op, taken),
                Err(why) => {
                    self.refuse(op, why);
                    self.flush(std::mem::replace(&mut part, self.group()))?;
                }
            }
        }
        self.flush(part)
    }

    fn make(&mut self, group: Group<'_, '_>) -> Result<(), Error> {
        let computing: Vec<_> = group.ops.iter().filter(|op| group.computes(**op)).collect();
        if computing.is_empty() {
            return Ok(());
        }
        if computing.len() < self.options.min_ops {
            for op in computing {
                self.refuse(
                    *op,
                    (
                        "small-region",
                        format!("alone it is not worth a region of at least {} operations", self.options.min_ops),
                    ),
                );
            }
            return Ok(());
        }
        // What only calls kernels is what the interpreter does too, with memory that was planned.
        if computing.len() < 2 * group.calls.len() {
            for op in computing {
                self.refuse(*op, mostly_kernels());
            }
            return Ok(());
        }
        let name = format!("{}.r{}", self.function, self.made);
        self.made += 1;
        let operators = group.ops.iter().flat_map(|op| with_inner(*op)).filter(|op| !is_plumbing(*op));
        let operators = operators.filter_map(schema_name).collect();
        make_region(&group, &name, self.target.calls_from())?;
        self.report.regions.push(Outlined { name, function: self.function.clone(), operators });
        Ok(())
    }
}

/// The immutable tensor type of a tensor type; other types as they are.
fn value_type<'c>(context: &'c Context, t: Type<'c>) -> Result<Type<'c>, Error> {
    to_value_type(context, t).ok_or_else(|| Error::Invalid(format!("{} has no form for values", spelled(t))))
}

/// Moves the group into a region in place of its last operation.
fn make_region<'c: 'a, 'a>(group: &Group<'c, 'a>, name: &str, calls_from: Option<i64>) -> Result<(), Error> {
    let Some(&last) = group.ops.last() else { return Ok(()) };
    let context = last.context_ref();
    let Leaving { results, kept } = group.leaving();
    // What the region needs: walk back from its results through the group.
    let mut needed: BTreeSet<usize> = BTreeSet::new();
    let mut work: Vec<_> = results.iter().filter_map(|v| v.defining_op()).collect();
    while let Some(op) = work.pop() {
        if needed.insert(key(op)) {
            work.extend(used_values(op).iter().filter(|v| group.makes(**v)).filter_map(|v| v.defining_op()));
        }
    }
    let body: Vec<_> = group.ops.iter().filter(|op| needed.contains(&key(**op))).copied().collect();

    let at = Builder::before(last);
    let location = last.location();
    let region = Region::new();
    region.append_block(Block::new(&[]));
    let block = region.first_block().ok_or_else(|| Error::Invalid("a region without block".into()))?;
    let inner = Builder::at_end(context, block);
    let mut imports = Imports { at, inner, block, mapping: Mapping::default(), operands: Vec::new() };
    for op in &body {
        for v in used_values(*op).into_iter().filter(|v| !group.makes(*v)) {
            imports.import(v)?;
        }
        let copy = imports.copy(*op);
        for inner in with_inner(copy) {
            let blocks = inner.region_refs().into_iter().flat_map(|region| region.blocks());
            for v in inner.result_values().into_iter().chain(blocks.flat_map(|block| block.args())) {
                v.set_value_type(value_type(context, v.r#type())?);
            }
        }
        imports.mapping.extend(op.result_values().into_iter().map(|v| v.id()).zip(copy.result_values()));
    }
    let Imports { at, inner, mapping, operands, .. } = imports;
    let yielded: Vec<_> = results.iter().filter_map(|v| mapping.get(&v.id()).copied()).collect();
    inner.op("sconce.yield", location).operands(&yielded).build()?;
    let types: Vec<Type<'_>> = yielded.iter().map(|v| v.r#type()).collect();
    let made = at
        .op("sconce.region", location)
        .operands(&operands)
        .results(&types)
        .attr("name", attr::string(context, name))
        .region(region)
        .build()?;
    if group.rows {
        made.set_attr(ROWS, attr::unit(context));
    }
    if let Some(least) = calls_from.filter(|_| body.iter().any(|op| is_control_flow(*op))) {
        made.set_attr(CALLS_FROM, attr::i64(context, least));
    }
    // Users outside get tensors of the kind they had.
    let mut after = made;
    let mut outside = Vec::new();
    for (old, new) in results.iter().zip(made.result_values()) {
        let mut value = new;
        if new.r#type() != old.r#type() {
            let op = Builder::after(after)
                .op("torch.copy.to_tensor", location)
                .operands(&[new])
                .results(&[old.r#type()])
                .build()?;
            after = op;
            value = op.result_value(0).ok_or_else(|| Error::Invalid("a copy without result".into()))?;
        }
        old.replace_all_uses_with(value);
        outside.push(value);
    }
    for op in body {
        // Its operands are those of outside by now.
        let given = group.given_back(op).into_iter().filter_map(|(i, given)| {
            let at = results.iter().position(|old| op.result_value(i) == Some(*old))?;
            Some((outside[at], given))
        });
        let given: Vec<_> = given.collect();
        if !given.is_empty() {
            after = choose(after, op, &given)?;
        }
    }
    // What stays outside of what was in the group comes after the region if it needs its results.
    for op in &group.ops {
        if kept.contains(&key(*op)) && needs_region(*op, after) {
            op.move_behind(after);
            after = *op;
        }
    }
    for op in group.ops.iter().rev() {
        if !kept.contains(&key(*op)) && op.is_unused() {
            op.erase()?;
        }
    }
    Ok(())
}

/// Of pairs of what a region gives for a loop's result and what the loop was given: users get the second if the loop takes no turn, for the region's is a copy
/// then. Gives the choice, which stands behind `after`.
fn choose<'c: 'a, 'a>(
    after: OperationRef<'c, 'a>,
    turns: OperationRef<'c, 'a>,
    pairs: &[(Value<'c, 'a>, Value<'c, 'a>)],
) -> Result<OperationRef<'c, 'a>, Error> {
    let (context, location) = (after.context_ref(), turns.location());
    let [most, condition, ..] = turns.operand_values()[..] else { return Ok(after) };
    let (int, truth) = (most.r#type(), condition.r#type());
    let made = |after, name: &str, operands: &[Value<'c, 'a>], ty: Type<'c>| {
        Builder::after(after).op(name, location).operands(operands).results(&[ty]).build()
    };
    let zero = Builder::after(after)
        .op("torch.constant.int", location)
        .attr("value", attr::i64(context, 0))
        .results(&[int])
        .build()?;
    let some = made(zero, "torch.aten.gt.int", &[most, first_result(zero)?], truth)?;
    let both = made(some, "torch.aten.__and__.bool", &[first_result(some)?, condition], truth)?;
    let yielding = |values: Vec<Value<'c, 'a>>| -> Result<Region<'c>, Error> {
        let region = Region::new();
        region.append_block(Block::new(&[]));
        let block = region.first_block().ok_or_else(|| Error::Invalid("a branch without block".into()))?;
        Builder::at_end(context, block).op("torch.prim.If.yield", location).operands(&values).build()?;
        Ok(region)
    };
    let types: Vec<Type<'c>> = pairs.iter().map(|(value, _)| value.r#type()).collect();
    let mut last = both;
    let mut given = Vec::new();
    for (value, before) in pairs {
        let mut as_value = *before;
        if before.r#type() != value.r#type() {
            last = made(last, "torch.tensor_static_info_cast", &[*before], value.r#type())?;
            as_value = first_result(last)?;
        }
        given.push(as_value);
    }
    let choice = Builder::after(last)
        .op("torch.prim.If", location)
        .operands(&[first_result(both)?])
        .results(&types)
        .region(yielding(pairs.iter().map(|(value, _)| *value).collect())?)
        .region(yielding(given)?)
        .build()?;
    let taken = choice.body(0).and_then(|block| block.terminator_op());
    let except: Vec<_> = taken.into_iter().chain(choice.body(1).and_then(|block| block.terminator_op())).collect();
    for ((value, _), chosen) in pairs.iter().zip(choice.result_values()) {
        value.replace_all_uses_except(chosen, &except);
    }
    Ok(choice)
}

fn first_result<'c, 'a>(op: OperationRef<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
    op.result_value(0).ok_or_else(|| Error::Invalid(format!("{} without a result", op.op_name())))
}

/// Whether an operand is defined between the operation and `limit`, which stands behind it in the same block.
fn needs_region(op: OperationRef<'_, '_>, limit: OperationRef<'_, '_>) -> bool {
    used_values(op)
        .into_iter()
        .filter_map(|v| v.defining_op())
        .any(|d| d.to_raw().ptr == limit.to_raw().ptr || op.block_ref() == d.block_ref() && op.is_before_in_block(d))
}

/// What stands inside for each value, by [`ValueExt::id`].
type Mapping<'c, 'a> = BTreeMap<usize, Value<'c, 'a>>;

/// A region that is being made.
struct Imports<'c, 'a> {
    at: Builder<'c, 'a>,
    inner: Builder<'c, 'a>,
    block: BlockRef<'c, 'a>,
    mapping: Mapping<'c, 'a>,
    operands: Vec<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Imports<'c, 'a> {
    /// A copy inside, of an operation of which all that it uses is there.
    fn copy(&self, op: OperationRef<'c, 'a>) -> OperationRef<'c, 'a> {
        let there = |v: Value<'c, 'a>| Some((v, *self.mapping.get(&v.id())?));
        let operands: Vec<_> = used_values(op).into_iter().filter_map(there).collect();
        self.inner.insert(op.clone_with(&operands))
    }

    /// Makes a value of outside usable inside: constants are copied, the rest becomes an operand.
    fn import(&mut self, v: Value<'c, 'a>) -> Result<(), Error> {
        if self.mapping.contains_key(&v.id()) {
            return Ok(());
        }
        if is_copied(v)
            && let Some(op) = v.defining_op()
        {
            op.operand_values().into_iter().try_for_each(|operand| self.import(operand))?;
            let copy = self.copy(op);
            self.mapping.extend(op.result_values().into_iter().map(|v| v.id()).zip(copy.result_values()));
            return Ok(());
        }
        let t = value_type(self.at.context(), v.r#type())?;
        let mut operand = v;
        if t != v.r#type() {
            let op = self.at.op("torch.copy.to_vtensor", v.loc()).operands(&[v]).results(&[t]).build()?;
            operand = op.result_value(0).ok_or_else(|| Error::Invalid("a copy without result".into()))?;
        }
        self.operands.push(operand);
        self.mapping.insert(v.id(), self.block.add_arg(t, v.loc()));
        Ok(())
    }
}
