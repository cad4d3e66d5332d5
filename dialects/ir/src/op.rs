//! Operations, blocks, regions and values: reading, walking, changing. Extension traits over melior's handles.
//!
//! Handles are plain pointers, `Copy`, as in MLIR's C++: what has been erased must not be used again, and nothing here checks that. Lists
//! (`uses`, `ops`, …) are copies taken when asked, so what they list may be changed on the way.

use crate::{Error, attr, diagnostics, ffi, raw};
use melior::Context;
use melior::ir::block::{BlockArgument, BlockLike};
use melior::ir::operation::{OperationLike, OperationResult};
use melior::ir::r#type::FunctionType;
use melior::ir::{Attribute, AttributeLike, BlockRef, Location, Operation, OperationRef, RegionLike, RegionRef};
use melior::ir::{Type, TypeLike, Value, ValueLike};
use mlir_sys::*;

/// What a walk does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    /// Go on.
    Advance,
    /// Go on, but not into the regions of this operation (pre-order only).
    Skip,
    /// Stop the whole walk.
    Stop,
}

/// One use of a value: the operation and the operand's number.
#[derive(Clone, Copy, Debug)]
pub struct Use<'c, 'a> {
    /// Who uses it.
    pub owner: OperationRef<'c, 'a>,
    /// As which operand.
    pub operand: usize,
}

/// A borrowed handle of an operation that is owned here.
pub fn op_ref<'c, 'a>(op: &'a Operation<'c>) -> OperationRef<'c, 'a> {
    // SAFETY: the handle is valid as long as `op` is borrowed.
    unsafe { OperationRef::from_raw(op.to_raw()) }
}

/// What operations can say and do beyond melior's [`OperationLike`].
pub trait OpExt<'c: 'a, 'a>: Copy {
    /// melior's handle.
    fn handle(self) -> OperationRef<'c, 'a>;

    /// The context the operation lives in.
    fn context_ref(self) -> &'c Context {
        // SAFETY: an operation's context outlives it.
        unsafe { raw::context(mlirOperationGetContext(self.handle().to_raw())) }
    }

    /// The full name, such as `torch.aten.add.Tensor`.
    fn op_name(self) -> &'c str {
        // SAFETY: names live as long as the context.
        unsafe { raw::as_str(mlirIdentifierStr(mlirOperationGetName(self.handle().to_raw()))) }
    }

    /// Is this operation called `name`?
    fn is(self, name: &str) -> bool {
        self.op_name() == name
    }

    /// Is the operation's name registered? (Else it was let in by `allow-unregistered-dialect`.)
    fn is_registered(self) -> bool {
        self.context_ref().is_registered_operation(self.op_name())
    }

    // -- operands and results

    /// All operands.
    fn operand_values(self) -> Vec<Value<'c, 'a>> {
        let op = self.handle().to_raw();
        // SAFETY: the operation is valid and the positions are below its count.
        unsafe {
            (0..mlirOperationGetNumOperands(op)).map(|i| Value::from_raw(mlirOperationGetOperand(op, i))).collect()
        }
    }

    /// All results.
    fn result_values(self) -> Vec<Value<'c, 'a>> {
        let op = self.handle().to_raw();
        // SAFETY: the operation is valid and the positions are below its count.
        unsafe { (0..mlirOperationGetNumResults(op)).map(|i| Value::from_raw(mlirOperationGetResult(op, i))).collect() }
    }

    /// Operand `index`, if there is one.
    fn operand_value(self, index: usize) -> Option<Value<'c, 'a>> {
        let op = self.handle().to_raw();
        // SAFETY: the operation is valid and the position was compared with its count.
        unsafe {
            (index < mlirOperationGetNumOperands(op) as usize)
                .then(|| Value::from_raw(mlirOperationGetOperand(op, index as isize)))
        }
    }

    /// Result `index`, if there is one.
    fn result_value(self, index: usize) -> Option<Value<'c, 'a>> {
        let op = self.handle().to_raw();
        // SAFETY: the operation is valid and the position was compared with its count.
        unsafe {
            (index < mlirOperationGetNumResults(op) as usize)
                .then(|| Value::from_raw(mlirOperationGetResult(op, index as isize)))
        }
    }

    /// The types of the results.
    fn result_types(self) -> Vec<Type<'c>> {
        self.result_values().into_iter().map(|v| v.r#type()).collect()
    }

    /// Replaces operand `index`; out of range does nothing.
    fn set_operand_value(self, index: usize, value: Value<'c, '_>) {
        let op = self.handle().to_raw();
        // SAFETY: both are valid, and the position was compared with the count.
        unsafe {
            if index < mlirOperationGetNumOperands(op) as usize {
                mlirOperationSetOperand(op, index as isize, value.to_raw());
            }
        }
    }

    /// Replaces the list of operands.
    fn set_operand_values(self, values: &[Value<'c, '_>]) {
        let raw: Vec<MlirValue> = values.iter().map(ValueLike::to_raw).collect();
        // SAFETY: operation and values are valid; MLIR copies the list.
        unsafe { mlirOperationSetOperands(self.handle().to_raw(), raw.len() as isize, raw.as_ptr()) }
    }

    /// Does nothing use the results?
    fn is_unused(self) -> bool {
        // SAFETY: the operation is valid.
        unsafe { ffi::sconceIsUnused(self.handle().to_raw()) }
    }

    // -- attributes (inherent ones and discardable ones alike)

    /// The attribute called `name`.
    fn attr(self, name: &str) -> Option<Attribute<'c>> {
        // SAFETY: the operation is valid, the name borrowed for the call; null means that there is none.
        unsafe {
            Attribute::from_option_raw(mlirOperationGetAttributeByName(self.handle().to_raw(), raw::str_ref(name)))
        }
    }

    /// All attributes, sorted by name.
    fn attrs(self) -> Vec<(&'c str, Attribute<'c>)> {
        let op = self.handle().to_raw();
        // SAFETY: the operation is valid and the positions are below its count; names live as long as the context.
        let mut all: Vec<_> = unsafe {
            (0..mlirOperationGetNumAttributes(op))
                .map(|i| mlirOperationGetAttribute(op, i))
                .map(|a| (raw::as_str(mlirIdentifierStr(a.name)), Attribute::from_raw(a.attribute)))
                .collect()
        };
        all.sort_by_key(|(name, _)| *name);
        all
    }

    /// The discardable attributes, sorted by name.
    fn discardable_attrs(self) -> Vec<(&'c str, Attribute<'c>)> {
        let op = self.handle().to_raw();
        // SAFETY: as for `attrs`.
        unsafe {
            (0..mlirOperationGetNumDiscardableAttributes(op))
                .map(|i| mlirOperationGetDiscardableAttribute(op, i))
                .map(|a| (raw::as_str(mlirIdentifierStr(a.name)), Attribute::from_raw(a.attribute)))
                .collect()
        }
    }

    /// The string attribute called `name`.
    fn str_attr(self, name: &str) -> Option<&'c str> {
        attr::str_value(self.attr(name)?)
    }

    /// The integer attribute called `name`.
    fn int_attr(self, name: &str) -> Option<i64> {
        attr::int_value(self.attr(name)?)
    }

    /// The boolean attribute called `name`.
    fn bool_attr(self, name: &str) -> Option<bool> {
        attr::bool_value(self.attr(name)?)
    }

    /// The floating-point attribute called `name`.
    fn float_attr(self, name: &str) -> Option<f64> {
        attr::float_value(self.attr(name)?)
    }

    /// The symbol the operation defines, without the sign.
    fn symbol_name(self) -> Option<&'c str> {
        self.str_attr("sym_name")
    }

    /// Sets an attribute.
    fn set_attr(self, name: &str, value: Attribute<'c>) {
        // SAFETY: operation and attribute are valid and of the same context; the name is copied.
        unsafe { mlirOperationSetAttributeByName(self.handle().to_raw(), raw::str_ref(name), value.to_raw()) }
    }

    /// Removes an attribute; was there one?
    fn remove_attr(self, name: &str) -> bool {
        // SAFETY: the operation is valid, the name borrowed for the call.
        unsafe { mlirOperationRemoveAttributeByName(self.handle().to_raw(), raw::str_ref(name)) }
    }

    // -- the tree

    /// The regions.
    fn region_refs(self) -> Vec<RegionRef<'c, 'a>> {
        let op = self.handle().to_raw();
        // SAFETY: the operation is valid and the positions are below its count.
        unsafe {
            (0..mlirOperationGetNumRegions(op)).map(|i| RegionRef::from_raw(mlirOperationGetRegion(op, i))).collect()
        }
    }

    /// The entry block of region `index`, if there are such.
    fn body(self, index: usize) -> Option<BlockRef<'c, 'a>> {
        let op = self.handle().to_raw();
        // SAFETY: the operation is valid and the position was compared with its count; null means that the region is empty.
        unsafe {
            if index >= mlirOperationGetNumRegions(op) as usize {
                return None;
            }
            BlockRef::from_option_raw(mlirRegionGetFirstBlock(mlirOperationGetRegion(op, index as isize)))
        }
    }

    /// The operation around this one.
    fn parent(self) -> Option<OperationRef<'c, 'a>> {
        // SAFETY: the operation is valid; null means that it is at the top.
        unsafe { OperationRef::from_option_raw(mlirOperationGetParentOperation(self.handle().to_raw())) }
    }

    /// The nearest operation around this one that is called `name`.
    fn parent_of_name(self, name: &str) -> Option<OperationRef<'c, 'a>> {
        std::iter::successors(self.parent(), |op| op.parent()).find(|op| op.is(name))
    }

    /// The block the operation is in.
    fn block_ref(self) -> Option<BlockRef<'c, 'a>> {
        // SAFETY: the operation is valid; null means that it is in none.
        unsafe { BlockRef::from_option_raw(mlirOperationGetBlock(self.handle().to_raw())) }
    }

    /// The operation behind this one in its block.
    fn next_op(self) -> Option<OperationRef<'c, 'a>> {
        // SAFETY: the operation is valid; null means that there is no next.
        unsafe { OperationRef::from_option_raw(mlirOperationGetNextInBlock(self.handle().to_raw())) }
    }

    /// Is this operation `other`, or inside of it?
    fn is_within(self, other: OperationRef<'c, '_>) -> bool {
        std::iter::successors(Some(self.handle()), |op| op.parent()).any(|op| op.to_raw().ptr == other.to_raw().ptr)
    }

    /// Visits this operation and all inside, each before what it holds. The current operation may be erased or replaced.
    fn walk_pre(self, visit: &mut dyn FnMut(OperationRef<'c, 'a>) -> Walk) -> Walk {
        // Taken before the visit, which may erase the operation: then it has to say Skip.
        match visit(self.handle()) {
            Walk::Stop => return Walk::Stop,
            Walk::Skip => return Walk::Advance,
            Walk::Advance => {}
        }
        for op in nested(self.handle()) {
            if op.walk_pre(visit) == Walk::Stop {
                return Walk::Stop;
            }
        }
        Walk::Advance
    }

    /// Visits this operation and all inside, each after what it holds. The current operation may be erased or replaced.
    fn walk_post(self, visit: &mut dyn FnMut(OperationRef<'c, 'a>) -> Walk) -> Walk {
        for op in nested(self.handle()) {
            if op.walk_post(visit) == Walk::Stop {
                return Walk::Stop;
            }
        }
        match visit(self.handle()) {
            Walk::Stop => Walk::Stop,
            Walk::Skip | Walk::Advance => Walk::Advance,
        }
    }

    /// All operations called `name` in this one and inside, in pre-order.
    fn find_all(self, name: &str) -> Vec<OperationRef<'c, 'a>> {
        let mut found = Vec::new();
        self.walk_pre(&mut |op| {
            if op.is(name) {
                found.push(op);
            }
            Walk::Advance
        });
        found
    }

    // -- change

    /// Takes the operation out of its block and destroys it, with all it holds.
    ///
    /// # Errors
    ///
    /// [`Error::StillUsed`] when something outside uses a result; nothing has changed then.
    fn erase(self) -> Result<(), Error> {
        if !self.is_unused() {
            return Err(Error::StillUsed(self.op_name().to_owned()));
        }
        // SAFETY: the operation is valid and nothing refers to its results; the handle is not used again here.
        unsafe { mlirOperationDestroy(self.handle().to_raw()) };
        Ok(())
    }

    /// Lets everything that uses result i use `values[i]`, and erases the operation.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] when the counts differ, [`Error::StillUsed`] when a value is the operation's own result.
    fn replace_with(self, values: &[Value<'c, '_>]) -> Result<(), Error> {
        let results = self.result_values();
        if results.len() != values.len() {
            return Err(Error::Invalid(format!(
                "'{}' has {} results, {} values were given to replace them",
                self.op_name(),
                results.len(),
                values.len()
            )));
        }
        for (result, value) in results.iter().zip(values) {
            result.replace_all_uses_with(*value);
        }
        self.erase()
    }

    /// Moves the operation in front of `other`.
    fn move_in_front_of(self, other: OperationRef<'c, '_>) {
        // SAFETY: both are valid.
        unsafe { mlirOperationMoveBefore(self.handle().to_raw(), other.to_raw()) }
    }

    /// Moves the operation behind `other`.
    fn move_behind(self, other: OperationRef<'c, '_>) {
        // SAFETY: both are valid.
        unsafe { mlirOperationMoveAfter(self.handle().to_raw(), other.to_raw()) }
    }

    /// Takes the operation out of its block; its results may stay in use.
    fn detach(self) -> Operation<'c> {
        // SAFETY: the operation is valid, and after the removal nobody else owns it.
        unsafe {
            mlirOperationRemoveFromParent(self.handle().to_raw());
            Operation::from_raw(self.handle().to_raw())
        }
    }

    /// A copy, regions and all, in no block. Operands found as first of a pair become the second, inside too.
    fn clone_with(self, mapping: &[(Value<'c, '_>, Value<'c, '_>)]) -> Operation<'c> {
        let from: Vec<MlirValue> = mapping.iter().map(|(v, _)| v.to_raw()).collect();
        let to: Vec<MlirValue> = mapping.iter().map(|(_, v)| v.to_raw()).collect();
        // SAFETY: all handles are valid, the lists equally long; the copy is ours.
        unsafe {
            Operation::from_raw(ffi::sconceCloneWithMapping(
                self.handle().to_raw(),
                from.len() as isize,
                from.as_ptr(),
                to.as_ptr(),
            ))
        }
    }

    /// Changes the location.
    fn set_loc(self, location: Location<'c>) {
        // SAFETY: both are valid.
        unsafe { mlirOperationSetLocation(self.handle().to_raw(), location.to_raw()) }
    }

    // -- meaning

    /// May it be removed when nothing uses its results?
    fn is_trivially_dead(self) -> bool {
        // SAFETY: the operation is valid.
        unsafe { ffi::sconceIsTriviallyDead(self.handle().to_raw()) }
    }

    /// Has neither it nor anything inside an effect on memory?
    fn is_effect_free(self) -> bool {
        // SAFETY: the operation is valid.
        unsafe { ffi::sconceIsMemoryEffectFree(self.handle().to_raw()) }
    }

    /// Does it end blocks?
    fn is_terminator(self) -> bool {
        // SAFETY: the operation is valid.
        unsafe { ffi::sconceIsTerminator(self.handle().to_raw()) }
    }

    /// Is it a constant, whose value its folding gives?
    fn is_constant(self) -> bool {
        // SAFETY: the operation is valid.
        unsafe { ffi::sconceIsConstantLike(self.handle().to_raw()) }
    }

    /// What the operation's folder makes of it: one entry per result, or nothing.
    fn fold(self) -> Option<Vec<Folded<'c, 'a>>> {
        let op = self.handle().to_raw();
        // SAFETY: the operation is valid; both lists have room for its results; entries that are not null are valid.
        unsafe {
            let count = mlirOperationGetNumResults(op) as usize;
            let null_attribute = MlirAttribute { ptr: std::ptr::null_mut() };
            let null_value = MlirValue { ptr: std::ptr::null_mut() };
            let mut attributes = vec![null_attribute; count];
            let mut values = vec![null_value; count];
            if ffi::sconceFoldOperation(op, attributes.as_mut_ptr(), values.as_mut_ptr()) == 0 {
                return None;
            }
            Some(
                attributes
                    .into_iter()
                    .zip(values)
                    .map(|(attribute, value)| match Attribute::from_option_raw(attribute) {
                        Some(attribute) => Folded::Constant(attribute),
                        None => Folded::Value(Value::from_raw(value)),
                    })
                    .collect(),
            )
        }
    }

    /// Argument and result types of a function (`func.func` and whatever else has `function_type`).
    fn signature(self) -> Option<(Vec<Type<'c>>, Vec<Type<'c>>)> {
        let function = FunctionType::try_from(attr::type_value(self.attr("function_type")?)?).ok()?;
        Some((
            (0..function.input_count()).filter_map(|i| function.input(i).ok()).collect(),
            (0..function.result_count()).filter_map(|i| function.result(i).ok()).collect(),
        ))
    }

    /// Emits a remark at the operation's place.
    fn emit_remark(self, message: &str) {
        diagnostics::emit(self.handle().location(), diagnostics::Severity::Remark, message);
    }

    /// Emits an error at the operation's place.
    fn emit_error(self, message: &str) {
        diagnostics::emit_error(self.handle().location(), message);
    }
}

/// One result of folding.
#[derive(Clone, Copy, Debug)]
pub enum Folded<'c, 'a> {
    /// It is this constant.
    Constant(Attribute<'c>),
    /// It is this value.
    Value(Value<'c, 'a>),
}

impl<'c: 'a, 'a> OpExt<'c, 'a> for OperationRef<'c, 'a> {
    fn handle(self) -> OperationRef<'c, 'a> {
        self
    }
}

/// The operations directly inside, copied.
fn nested<'c, 'a>(op: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    op.region_refs().into_iter().flat_map(|region| region.blocks()).flat_map(|block| block.ops()).collect()
}

/// What blocks can say and do beyond melior's [`BlockLike`].
pub trait BlockExt<'c: 'a, 'a>: Copy {
    /// melior's handle.
    fn handle(self) -> BlockRef<'c, 'a>;

    /// The first operation.
    fn first_op(self) -> Option<OperationRef<'c, 'a>> {
        // SAFETY: the block is valid; null means that it is empty.
        unsafe { OperationRef::from_option_raw(mlirBlockGetFirstOperation(self.handle().to_raw())) }
    }

    /// The operations, in order.
    fn ops(self) -> Vec<OperationRef<'c, 'a>> {
        std::iter::successors(self.first_op(), |op| op.next_op()).collect()
    }

    /// The arguments.
    fn args(self) -> Vec<Value<'c, 'a>> {
        let block = self.handle().to_raw();
        // SAFETY: the block is valid and the positions are below its count.
        unsafe {
            (0..mlirBlockGetNumArguments(block)).map(|i| Value::from_raw(mlirBlockGetArgument(block, i))).collect()
        }
    }

    /// Argument `index`, if there is one.
    fn arg(self, index: usize) -> Option<Value<'c, 'a>> {
        let block = self.handle().to_raw();
        // SAFETY: the block is valid and the position was compared with its count.
        unsafe {
            (index < mlirBlockGetNumArguments(block) as usize)
                .then(|| Value::from_raw(mlirBlockGetArgument(block, index as isize)))
        }
    }

    /// The last operation, if it ends blocks.
    fn terminator_op(self) -> Option<OperationRef<'c, 'a>> {
        // SAFETY: the block is valid; null means that there is none.
        unsafe { OperationRef::from_option_raw(mlirBlockGetTerminator(self.handle().to_raw())) }
    }

    /// The operation that holds the block.
    fn parent_op(self) -> Option<OperationRef<'c, 'a>> {
        // SAFETY: the block is valid; null means that it is in none.
        unsafe { OperationRef::from_option_raw(mlirBlockGetParentOperation(self.handle().to_raw())) }
    }

    /// Adds an argument behind the others.
    fn add_arg(self, r#type: Type<'c>, location: Location<'c>) -> Value<'c, 'a> {
        // SAFETY: all are valid and of one context.
        unsafe { Value::from_raw(mlirBlockAddArgument(self.handle().to_raw(), r#type.to_raw(), location.to_raw())) }
    }

    /// Removes argument `index`.
    ///
    /// # Errors
    ///
    /// [`Error::StillUsed`] when it is in use, [`Error::Invalid`] when there is none.
    fn erase_arg(self, index: usize) -> Result<(), Error> {
        match self.arg(index) {
            None => Err(Error::Invalid(format!("the block has no argument {index}"))),
            Some(arg) if !arg.is_unused() => Err(Error::StillUsed(format!("argument {index}"))),
            Some(_) => {
                // SAFETY: the block is valid, the argument exists and is unused.
                unsafe { mlirBlockEraseArgument(self.handle().to_raw(), index as u32) };
                Ok(())
            }
        }
    }

    /// Moves all operations of this block in front of `before`. Arguments stay: replace their uses first.
    fn splice_before(self, before: OperationRef<'c, '_>) {
        let null = MlirBlock { ptr: std::ptr::null_mut() };
        // SAFETY: both are valid; the target block is not looked at when `before` is given.
        unsafe { ffi::sconceSpliceBlock(self.handle().to_raw(), null, before.to_raw()) }
    }

    /// Moves all operations of this block to the end of `target`. Arguments stay: replace their uses first.
    fn splice_to_end(self, target: BlockRef<'c, '_>) {
        let null = MlirOperation { ptr: std::ptr::null_mut() };
        // SAFETY: both are valid.
        unsafe { ffi::sconceSpliceBlock(self.handle().to_raw(), target.to_raw(), null) }
    }

    /// Orders the operations so that values are defined before they are used; false when there is a cycle.
    fn sort_topologically(self) -> bool {
        // SAFETY: the block is valid.
        unsafe { ffi::sconceSortTopologically(self.handle().to_raw()) }
    }

    /// Destroys the block and what is in it. Nothing outside may use its values or branch to it.
    fn erase_block(self) {
        // SAFETY: the block is valid and, so the contract above, not referred to.
        unsafe {
            mlirBlockDetach(self.handle().to_raw());
            mlirBlockDestroy(self.handle().to_raw());
        }
    }
}

impl<'c: 'a, 'a> BlockExt<'c, 'a> for BlockRef<'c, 'a> {
    fn handle(self) -> BlockRef<'c, 'a> {
        self
    }
}

/// Splits the block of `op` before it; the second half, with `op` first, becomes a new block behind the first.
pub fn split_block_before<'c, 'a>(op: OperationRef<'c, 'a>) -> BlockRef<'c, 'a> {
    // SAFETY: the operation is valid and in a block.
    unsafe { BlockRef::from_raw(ffi::sconceSplitBlockBefore(op.to_raw())) }
}

/// What regions can say and do beyond melior's [`RegionLike`].
pub trait RegionExt<'c: 'a, 'a>: Copy {
    /// melior's handle.
    fn handle(self) -> RegionRef<'c, 'a>;

    /// The blocks, in order.
    fn blocks(self) -> Vec<BlockRef<'c, 'a>> {
        // SAFETY: the region is valid; null means that there is no next.
        unsafe {
            let first = BlockRef::from_option_raw(mlirRegionGetFirstBlock(self.handle().to_raw()));
            std::iter::successors(first, |block| BlockRef::from_option_raw(mlirBlockGetNextInRegion(block.to_raw())))
                .collect()
        }
    }

    /// Replaces what the region holds by what `source` holds, which is empty afterwards.
    fn take_body(self, source: RegionRef<'c, '_>) {
        // SAFETY: both are valid.
        unsafe { mlirRegionTakeBody(self.handle().to_raw(), source.to_raw()) }
    }
}

impl<'c: 'a, 'a> RegionExt<'c, 'a> for RegionRef<'c, 'a> {
    fn handle(self) -> RegionRef<'c, 'a> {
        self
    }
}

/// What values can say and do beyond melior's [`ValueLike`].
pub trait ValueExt<'c: 'a, 'a>: Copy {
    /// melior's handle.
    fn handle(self) -> Value<'c, 'a>;

    /// The operation that defines it; `None` for block arguments.
    fn defining_op(self) -> Option<OperationRef<'c, 'a>> {
        // SAFETY: the value is valid, and an operation's result was asked for its operation.
        unsafe {
            mlirValueIsAOpResult(self.handle().to_raw())
                .then(|| OperationRef::from_raw(mlirOpResultGetOwner(self.handle().to_raw())))
        }
    }

    /// Which result of its operation it is.
    fn result_index(self) -> Option<usize> {
        // SAFETY: the value is valid. Melior's own conversion prints the value, and with it the function, into an error.
        let is_result = unsafe { mlirValueIsAOpResult(self.handle().to_raw()) };
        is_result.then(|| OperationResult::try_from(self.handle()).ok().map(|result| result.result_number())).flatten()
    }

    /// Block and number, when it is a block argument.
    fn block_argument(self) -> Option<(BlockRef<'c, 'a>, usize)> {
        // SAFETY: the value is valid; as above.
        if !unsafe { mlirValueIsABlockArgument(self.handle().to_raw()) } {
            return None;
        }
        let argument = BlockArgument::try_from(self.handle()).ok()?;
        // SAFETY: it is a block argument.
        let block = unsafe { BlockRef::from_raw(mlirBlockArgumentGetOwner(self.handle().to_raw())) };
        Some((block, argument.argument_number()))
    }

    /// All uses. MLIR keeps the latest use first.
    fn uses(self) -> Vec<Use<'c, 'a>> {
        let mut uses = Vec::new();
        // SAFETY: the value is valid, and so are its uses while nothing changes.
        unsafe {
            let mut operand = mlirValueGetFirstUse(self.handle().to_raw());
            while !mlirOpOperandIsNull(operand) {
                uses.push(Use {
                    owner: OperationRef::from_raw(mlirOpOperandGetOwner(operand)),
                    operand: mlirOpOperandGetOperandNumber(operand) as usize,
                });
                operand = mlirOpOperandGetNextUse(operand);
            }
        }
        uses
    }

    /// Does nothing use it?
    fn is_unused(self) -> bool {
        // SAFETY: the value is valid.
        unsafe { mlirOpOperandIsNull(mlirValueGetFirstUse(self.handle().to_raw())) }
    }

    /// Is it used exactly once?
    fn has_one_use(self) -> bool {
        // SAFETY: the value is valid; the next use is asked of an existing one.
        unsafe {
            let first = mlirValueGetFirstUse(self.handle().to_raw());
            !mlirOpOperandIsNull(first) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(first))
        }
    }

    /// Lets everything that uses it use `other`.
    fn replace_all_uses_with(self, other: Value<'c, '_>) {
        // SAFETY: both are valid.
        unsafe { mlirValueReplaceAllUsesOfWith(self.handle().to_raw(), other.to_raw()) }
    }

    /// The same but for the uses in `except`.
    fn replace_all_uses_except(self, other: Value<'c, '_>, except: &[OperationRef<'c, '_>]) {
        let mut except: Vec<MlirOperation> = except.iter().map(|op| op.to_raw()).collect();
        // SAFETY: all are valid; MLIR only reads the list.
        unsafe {
            mlirValueReplaceAllUsesExcept(
                self.handle().to_raw(),
                other.to_raw(),
                except.len() as isize,
                except.as_mut_ptr(),
            );
        }
    }

    /// Changes the type, without a look at those who define and use it.
    fn set_value_type(self, r#type: Type<'c>) {
        // SAFETY: both are valid and of one context.
        unsafe { mlirValueSetType(self.handle().to_raw(), r#type.to_raw()) }
    }

    /// Where it comes from: its operation's location, or the block argument's.
    fn loc(self) -> Location<'c> {
        // SAFETY: the value is valid.
        unsafe { Location::from_raw(mlirValueGetLocation(self.handle().to_raw())) }
    }

    /// An address that tells values apart; for maps keyed by value.
    fn id(self) -> usize {
        self.handle().to_raw().ptr as usize
    }
}

impl<'c: 'a, 'a> ValueExt<'c, 'a> for Value<'c, 'a> {
    fn handle(self) -> Value<'c, 'a> {
        self
    }
}

/// Finds symbols of one symbol table (a module, say) by name. A snapshot for reading: make a new one after changes.
pub struct SymbolTable<'c, 'a> {
    symbols: std::collections::BTreeMap<&'c str, OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> SymbolTable<'c, 'a> {
    /// The symbols directly in `op`.
    pub fn of(op: OperationRef<'c, 'a>) -> Self {
        let symbols = nested(op).into_iter().filter_map(|op| Some((op.symbol_name()?, op))).collect();
        SymbolTable { symbols }
    }

    /// The operation that defines `name`.
    pub fn get(&self, name: &str) -> Option<OperationRef<'c, 'a>> {
        self.symbols.get(name).copied()
    }

    /// All of them, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&'c str, OperationRef<'c, 'a>)> {
        self.symbols.iter().map(|(name, op)| (*name, *op))
    }
}

/// The context of a type.
pub fn type_context<'c>(r#type: Type<'c>) -> &'c Context {
    // SAFETY: a type's context outlives it.
    unsafe { raw::context(mlirTypeGetContext(r#type.to_raw())) }
}
