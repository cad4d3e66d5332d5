//! Building operations at a place: what is built is registered, or it is an error.

use crate::Error;
use crate::op::OpExt;
use melior::Context;
use melior::ir::block::BlockLike;
use melior::ir::operation::OperationBuilder;
use melior::ir::{Attribute, Block, BlockRef, Identifier, Location, Operation, OperationRef, Region, Type, Value};
use std::cell::Cell;

#[derive(Clone, Copy)]
enum Point<'c, 'a> {
    Before(OperationRef<'c, 'a>),
    After(OperationRef<'c, 'a>),
    End(BlockRef<'c, 'a>),
    Start(BlockRef<'c, 'a>),
}

/// A place in a block, where operations are built one after the other.
pub struct Builder<'c, 'a> {
    context: &'c Context,
    point: Cell<Point<'c, 'a>>,
}

impl<'c: 'a, 'a> Builder<'c, 'a> {
    /// In front of `op`.
    pub fn before(op: OperationRef<'c, 'a>) -> Self {
        Builder { context: op.context_ref(), point: Cell::new(Point::Before(op)) }
    }

    /// Behind `op`.
    pub fn after(op: OperationRef<'c, 'a>) -> Self {
        Builder { context: op.context_ref(), point: Cell::new(Point::After(op)) }
    }

    /// At the end of a block (behind its terminator, if it has one already).
    pub fn at_end(context: &'c Context, block: BlockRef<'c, 'a>) -> Self {
        Builder { context, point: Cell::new(Point::End(block)) }
    }

    /// At the start of a block.
    pub fn at_start(context: &'c Context, block: BlockRef<'c, 'a>) -> Self {
        Builder { context, point: Cell::new(Point::Start(block)) }
    }

    /// The context.
    pub fn context(&self) -> &'c Context {
        self.context
    }

    /// Starts an operation; nothing happens before [`OpBuilder::build`].
    pub fn op(&self, name: &str, location: Location<'c>) -> OpBuilder<'c, 'a, '_> {
        OpBuilder { at: self, state: OpState::new(name, location) }
    }

    /// Puts an operation that exists here.
    pub fn insert(&self, op: Operation<'c>) -> OperationRef<'c, 'a> {
        let inserted = match self.point.get() {
            Point::Before(next) => match next.block_ref() {
                Some(block) => block.insert_operation_before(next, op),
                None => leak(op),
            },
            Point::After(previous) => match previous.block_ref() {
                Some(block) => block.insert_operation_after(previous, op),
                None => leak(op),
            },
            Point::End(block) => block.append_operation(op),
            Point::Start(block) => block.insert_operation(0, op),
        };
        if let Point::After(_) | Point::Start(_) = self.point.get() {
            self.point.set(Point::After(inserted));
        }
        inserted
    }
}

/// An insertion point that is in no block takes nothing: the operation stays detached.
fn leak<'c, 'a>(op: Operation<'c>) -> OperationRef<'c, 'a> {
    // SAFETY: the operation is valid, and not destroyed.
    unsafe { OperationRef::from_raw(op.into_raw()) }
}

/// An operation being described, in no place yet.
pub struct OpState<'c> {
    name: String,
    location: Location<'c>,
    operands: Vec<mlir_sys::MlirValue>,
    results: Vec<Type<'c>>,
    attributes: Vec<(Identifier<'c>, Attribute<'c>)>,
    regions: Vec<Region<'c>>,
    successors: Vec<mlir_sys::MlirBlock>,
    infer: bool,
}

impl<'c> OpState<'c> {
    /// Nothing but a name and a location.
    pub fn new(name: &str, location: Location<'c>) -> Self {
        OpState {
            name: name.to_owned(),
            location,
            operands: Vec::new(),
            results: Vec::new(),
            attributes: Vec::new(),
            regions: Vec::new(),
            successors: Vec::new(),
            infer: false,
        }
    }

    /// Makes the operation, in no block.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownOperation`] when no such operation is registered; [`Error::Failed`] when MLIR cannot infer the result types.
    pub fn create(self) -> Result<Operation<'c>, Error> {
        let context = crate::location::context(self.location);
        if !context.is_registered_operation(&self.name) {
            if let Some((dialect, _)) = self.name.split_once('.') {
                crate::context::load(context, &[dialect]);
            }
            if !crate::table::is_known(context, &self.name) && !context.allow_unregistered_dialects() {
                return Err(Error::UnknownOperation(self.name));
            }
        }
        // SAFETY: the values were valid when given, and MLIR only reads them.
        let operands: Vec<Value<'c, '_>> = self.operands.iter().map(|v| unsafe { Value::from_raw(*v) }).collect();
        // SAFETY: as for the values; a reference does not own the block.
        let successors: Vec<BlockRef<'c, '_>> =
            self.successors.iter().map(|b| unsafe { BlockRef::from_raw(*b) }).collect();
        let successors: Vec<&Block<'c>> = successors.iter().map(|b| &**b).collect();
        let mut builder = OperationBuilder::new(&self.name, self.location)
            .add_operands(&operands)
            .add_results(&self.results)
            .add_attributes(&self.attributes)
            .add_regions_vec(self.regions)
            .add_successors(&successors);
        if self.infer {
            builder = builder.enable_result_type_inference();
        }
        crate::diagnostics::capture(context, "build an operation", || builder.build().ok())
    }
}

/// An operation being described at the place of its [`Builder`].
#[must_use = "an operation exists only after build()"]
pub struct OpBuilder<'c, 'a, 'b> {
    at: &'b Builder<'c, 'a>,
    state: OpState<'c>,
}

macro_rules! describe {
    () => {
        /// Adds operands.
        pub fn operands(mut self, operands: &[Value<'c, '_>]) -> Self {
            use melior::ir::ValueLike;
            self.state_mut().operands.extend(operands.iter().map(ValueLike::to_raw));
            self
        }

        /// Adds results.
        pub fn results(mut self, types: &[Type<'c>]) -> Self {
            self.state_mut().results.extend_from_slice(types);
            self
        }

        /// Lets the operation say what its results are.
        pub fn infer_results(mut self) -> Self {
            self.state_mut().infer = true;
            self
        }

        /// Adds an attribute.
        pub fn attr(mut self, name: &str, value: Attribute<'c>) -> Self {
            let name = Identifier::new(crate::location::context(self.state_mut().location), name);
            self.state_mut().attributes.push((name, value));
            self
        }

        /// Adds a region.
        pub fn region(mut self, region: Region<'c>) -> Self {
            self.state_mut().regions.push(region);
            self
        }

        /// Adds an empty region.
        pub fn empty_region(self) -> Self {
            self.region(Region::new())
        }

        /// Adds a region of one block with these arguments.
        pub fn block_region(self, arguments: &[(Type<'c>, Location<'c>)]) -> Self {
            use melior::ir::RegionLike;
            let region = Region::new();
            region.append_block(Block::new(arguments));
            self.region(region)
        }

        /// Adds a successor.
        pub fn successor(mut self, block: BlockRef<'c, '_>) -> Self {
            self.state_mut().successors.push(block.to_raw());
            self
        }
    };
}

impl<'c> OpState<'c> {
    fn state_mut(&mut self) -> &mut Self {
        self
    }
    describe!();
}

impl<'c: 'a, 'a> OpBuilder<'c, 'a, '_> {
    fn state_mut(&mut self) -> &mut OpState<'c> {
        &mut self.state
    }
    describe!();

    /// Makes the operation and puts it in its place.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownOperation`] when no such operation is registered; [`Error::Failed`] when MLIR cannot infer the result types.
    pub fn build(self) -> Result<OperationRef<'c, 'a>, Error> {
        Ok(self.at.insert(self.state.create()?))
    }

    /// [`OpBuilder::build`], and the operation's first result.
    ///
    /// # Errors
    ///
    /// As for `build`; [`Error::Invalid`] when there is no result.
    pub fn build_value(self) -> Result<Value<'c, 'a>, Error> {
        let op = self.build()?;
        op.result_value(0).ok_or_else(|| Error::Invalid(format!("'{}' has no result", op.op_name())))
    }
}

/// A `func.func` in no block, its entry block empty, the arguments with their locations.
///
/// # Errors
///
/// [`Error::UnknownOperation`] when the func dialect is not registered.
pub fn function<'c>(
    name: &str,
    arguments: &[(Type<'c>, Location<'c>)],
    results: &[Type<'c>],
    location: Location<'c>,
) -> Result<Operation<'c>, Error> {
    let context = crate::location::context(location);
    let inputs: Vec<Type<'c>> = arguments.iter().map(|(t, _)| *t).collect();
    let r#type = melior::ir::r#type::FunctionType::new(context, &inputs, results);
    OpState::new("func.func", location)
        .attr("sym_name", crate::attr::string(context, name))
        .attr("function_type", crate::attr::r#type(r#type.into()))
        .block_region(arguments)
        .create()
}

/// The entry block of a function or any operation with a body.
///
/// # Errors
///
/// [`Error::Invalid`] when it has none.
pub fn entry<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<BlockRef<'c, 'a>, Error> {
    op.body(0).ok_or_else(|| Error::Invalid(format!("'{}' has no body", op.op_name())))
}
