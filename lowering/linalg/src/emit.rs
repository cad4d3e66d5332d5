//! Building operations: each call appends one operation of an upstream dialect to a block and gives its result.

use crate::Error;
use sconce_ir::OpExt;
use sconce_ir::melior::Context;
use sconce_ir::melior::ir::attribute::{
    ArrayAttribute, DenseElementsAttribute, DenseI32ArrayAttribute, DenseI64ArrayAttribute, FloatAttribute,
    IntegerAttribute,
};
use sconce_ir::melior::ir::operation::{OperationBuilder, OperationLike};
use sconce_ir::melior::ir::r#type::{IntegerType, RankedTensorType};
use sconce_ir::melior::ir::{
    Attribute, Block, BlockLike, BlockRef, Identifier, Location, OperationRef, Region, RegionLike, ShapedTypeLike,
    Type, TypeLike, Value, ValueLike,
};

/// A value of the function being built.
pub type V<'c> = Value<'c, 'c>;

/// Adds operations to one block.
#[derive(Clone, Copy)]
pub struct Emit<'c> {
    pub context: &'c Context,
    pub block: BlockRef<'c, 'c>,
    /// In front of this one; at the end if there is none.
    pub before: Option<OperationRef<'c, 'c>>,
    pub location: Location<'c>,
}

/// MLIR's mark of a size that is not known.
pub const DYNAMIC: i64 = i64::MIN;

impl<'c> Emit<'c> {
    /// At the end of a block.
    pub fn at_end(context: &'c Context, block: BlockRef<'c, 'c>, location: Location<'c>) -> Self {
        Emit { context, block, before: None, location }
    }
    /// In front of an operation, which must be in a block.
    pub fn in_front_of(op: OperationRef<'c, 'c>) -> Result<Self, Error> {
        let block = op.block_ref().ok_or_else(|| Error::Internal("an operation in no block".into()))?;
        Ok(Emit { context: op.context_ref(), block, before: Some(op), location: op.location() })
    }

    pub fn attribute(&self, text: &str) -> Result<Attribute<'c>, Error> {
        Attribute::parse(self.context, text)
            .ok_or_else(|| Error::Internal(format!("attribute `{text}` does not parse")))
    }

    fn finish(
        &self,
        name: &str,
        operands: &[V<'c>],
        results: &[Type<'c>],
        attributes: &[(&str, Attribute<'c>)],
        regions: Vec<Region<'c>>,
    ) -> Result<OperationRef<'c, 'c>, Error> {
        let attributes: Vec<_> = attributes.iter().map(|(n, a)| (Identifier::new(self.context, n), *a)).collect();
        let op = OperationBuilder::new(name, self.location)
            .add_operands(operands)
            .add_results(results)
            .add_attributes(&attributes)
            .add_regions_vec(regions)
            .build()
            .map_err(|e| Error::Internal(format!("{name}: {e}")))?;
        Ok(match self.before {
            Some(next) => self.block.insert_operation_before(next, op),
            None => self.block.append_operation(op),
        })
    }

    /// Any operation without regions.
    pub fn op(
        &self,
        name: &str,
        operands: &[V<'c>],
        results: &[Type<'c>],
        attributes: &[(&str, Attribute<'c>)],
    ) -> Result<OperationRef<'c, 'c>, Error> {
        self.finish(name, operands, results, attributes, Vec::new())
    }

    /// An operation with one result.
    pub fn one(
        &self,
        name: &str,
        operands: &[V<'c>],
        result: Type<'c>,
        attributes: &[(&str, Attribute<'c>)],
    ) -> Result<V<'c>, Error> {
        self.first(self.op(name, operands, &[result], attributes)?)
    }

    fn first(&self, op: OperationRef<'c, 'c>) -> Result<V<'c>, Error> {
        op.result(0).map(Into::into).map_err(|e| Error::Internal(e.to_string()))
    }

    /// An operation whose result has the type of its first operand.
    pub fn same(&self, name: &str, operands: &[V<'c>]) -> Result<V<'c>, Error> {
        self.one(name, operands, operands[0].r#type(), &[])
    }

    /// An operation with regions, each made of a block with these arguments.
    pub fn with_regions(
        &self,
        name: &str,
        operands: &[V<'c>],
        results: &[Type<'c>],
        attributes: &[(&str, Attribute<'c>)],
        bodies: &mut [Body<'_, 'c>],
    ) -> Result<OperationRef<'c, 'c>, Error> {
        let mut regions = Vec::new();
        for body in bodies {
            let region = Region::new();
            let arguments: Vec<_> = body.arguments.iter().map(|t| (*t, self.location)).collect();
            region.append_block(Block::new(&arguments));
            // Through the region itself: its reference's lifetime would end with the region's move into the operation.
            let block: BlockRef<'c, 'c> =
                RegionLike::first_block(&region).ok_or_else(|| Error::Internal("a region without block".into()))?;
            let inner = Emit { block, before: None, ..*self };
            let values: Vec<V<'c>> =
                (0..block.argument_count()).filter_map(|i| block.argument(i).ok()).map(Into::into).collect();
            (body.build)(&inner, &values)?;
            regions.push(region);
        }
        self.finish(name, operands, results, attributes, regions)
    }

    // Types.

    pub fn parse_type(&self, text: &str) -> Result<Type<'c>, Error> {
        Type::parse(self.context, text).ok_or_else(|| Error::Internal(format!("type `{text}` does not parse")))
    }
    pub fn index_type(&self) -> Type<'c> {
        Type::index(self.context)
    }
    pub fn int_type(&self, bits: u32) -> Type<'c> {
        IntegerType::new(self.context, bits).into()
    }
    pub fn f32_type(&self) -> Type<'c> {
        Type::float32(self.context)
    }
    /// `tensor<sizes x element>`; `None` is `?`.
    pub fn tensor_type(&self, sizes: &[Option<i64>], element: Type<'c>) -> Type<'c> {
        let sizes: Vec<u64> = sizes.iter().map(|s| s.unwrap_or(DYNAMIC) as u64).collect();
        RankedTensorType::new(&sizes, element, None).into()
    }

    // Constants.

    pub fn index(&self, n: i64) -> Result<V<'c>, Error> {
        let t = self.index_type();
        self.one("arith.constant", &[], t, &[("value", IntegerAttribute::new(t, n).into())])
    }
    /// A constant of a float or integer type.
    pub fn constant(&self, value: f64, t: Type<'c>) -> Result<V<'c>, Error> {
        if is_float(t) {
            self.one("arith.constant", &[], t, &[("value", self.float_attr(value, t))])
        } else {
            self.int(value as i64, t)
        }
    }
    pub fn int(&self, value: i64, t: Type<'c>) -> Result<V<'c>, Error> {
        self.one("arith.constant", &[], t, &[("value", IntegerAttribute::new(t, value).into())])
    }
    /// A vector with this value in every lane.
    pub fn splat(&self, value: f64, vector: Type<'c>, element: Type<'c>) -> Result<V<'c>, Error> {
        let attribute = DenseElementsAttribute::splat(vector, self.float_attr(value, element)).into();
        self.one("arith.constant", &[], vector, &[("value", attribute)])
    }
    fn float_attr(&self, value: f64, t: Type<'c>) -> Attribute<'c> {
        FloatAttribute::new(self.context, t, value).into()
    }

    // Attributes.

    pub fn i64_attr(&self, n: i64) -> Attribute<'c> {
        IntegerAttribute::new(self.int_type(64), n).into()
    }
    pub fn i64_array(&self, values: &[i64]) -> Attribute<'c> {
        DenseI64ArrayAttribute::new(self.context, values).into()
    }
    pub fn i32_array(&self, values: &[i32]) -> Attribute<'c> {
        DenseI32ArrayAttribute::new(self.context, values).into()
    }
    pub fn array(&self, values: &[Attribute<'c>]) -> Attribute<'c> {
        ArrayAttribute::new(self.context, values).into()
    }
    /// `affine_map<(d0, d1, …) -> (results)>`
    pub fn map(&self, dims: usize, results: &str) -> Result<Attribute<'c>, Error> {
        let names: Vec<String> = (0..dims).map(|d| format!("d{d}")).collect();
        self.attribute(&format!("affine_map<({}) -> ({results})>", names.join(", ")))
    }

    pub fn iterator(&self, kind: Iterator) -> Result<Attribute<'c>, Error> {
        self.attribute(match kind {
            Iterator::Parallel => "#linalg.iterator_type<parallel>",
            Iterator::Reduction => "#linalg.iterator_type<reduction>",
        })
    }

    /// `scf.if` without results and without an else; the body ends itself with `scf.yield`.
    pub fn scf_if(
        &self,
        condition: V<'c>,
        then: &mut dyn FnMut(&Emit<'c>, &[V<'c>]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let region = Region::new();
        region.append_block(Block::new(&[]));
        let block: BlockRef<'c, 'c> =
            RegionLike::first_block(&region).ok_or_else(|| Error::Internal("a region without block".into()))?;
        then(&Emit { block, before: None, ..*self }, &[])?;
        self.finish("scf.if", &[condition], &[], &[], vec![region, Region::new()]).map(|_| ())
    }

    // Arithmetic shared by sizes and bodies.

    /// `arith.cmpi` by its predicate's name.
    pub fn cmpi(&self, predicate: &str, a: V<'c>, b: V<'c>) -> Result<V<'c>, Error> {
        const NAMES: [&str; 10] = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"];
        self.compare("arith.cmpi", &NAMES, predicate, a, b)
    }
    /// `arith.cmpf` by its predicate's name.
    pub fn cmpf(&self, predicate: &str, a: V<'c>, b: V<'c>) -> Result<V<'c>, Error> {
        const NAMES: [&str; 16] = [
            "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno",
            "true",
        ];
        self.compare("arith.cmpf", &NAMES, predicate, a, b)
    }
    fn compare(&self, name: &str, names: &[&str], predicate: &str, a: V<'c>, b: V<'c>) -> Result<V<'c>, Error> {
        let code = names
            .iter()
            .position(|n| *n == predicate)
            .ok_or_else(|| Error::Internal(format!("{name} has no predicate {predicate}")))?;
        let t = self.int_type(1);
        self.one(name, &[a, b], t, &[("predicate", self.i64_attr(code as i64))])
    }
    pub fn select(&self, c: V<'c>, a: V<'c>, b: V<'c>) -> Result<V<'c>, Error> {
        self.one("arith.select", &[c, a, b], a.r#type(), &[])
    }

    /// `linalg.generic` (or a named operation with the same attributes) on tensors: results have the types of `outs`.
    pub fn structured(
        &self,
        name: &str,
        ins: &[V<'c>],
        outs: &[V<'c>],
        maps: &[Attribute<'c>],
        iterators: Option<&[Iterator]>,
        body: &mut dyn FnMut(&Emit<'c>, &[V<'c>]) -> Result<Vec<V<'c>>, Error>,
    ) -> Result<Vec<V<'c>>, Error> {
        let operands: Vec<V<'c>> = ins.iter().chain(outs).copied().collect();
        let results: Vec<Type<'c>> = outs.iter().map(|v| v.r#type()).collect();
        let elements = operands.iter().map(|v| element_type(v.r#type())).collect();
        let mut attributes = vec![("operandSegmentSizes", self.i32_array(&[ins.len() as i32, outs.len() as i32]))];
        if !maps.is_empty() {
            attributes.push(("indexing_maps", self.array(maps)));
        }
        if let Some(iterators) = iterators {
            let kinds = iterators.iter().map(|i| self.iterator(*i)).collect::<Result<Vec<_>, _>>()?;
            attributes.push(("iterator_types", self.array(&kinds)));
        }
        let mut build = |e: &Emit<'c>, arguments: &[V<'c>]| {
            let values = body(e, arguments)?;
            e.op("linalg.yield", &values, &[], &[]).map(|_| ())
        };
        let op = self.with_regions(
            name,
            &operands,
            &results,
            &attributes,
            &mut [Body { arguments: elements, build: &mut build }],
        )?;
        Ok(op.results().map(Into::into).collect())
    }
}

/// The one block of a region.
pub struct Body<'b, 'c> {
    pub arguments: Vec<Type<'c>>,
    #[allow(clippy::type_complexity, reason = "a closure over a block and its arguments")]
    pub build: &'b mut dyn FnMut(&Emit<'c>, &[V<'c>]) -> Result<(), Error>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Iterator {
    Parallel,
    Reduction,
}

/// Element type of a tensor or memref; a scalar's is itself.
pub fn element_type(t: Type<'_>) -> Type<'_> {
    if let Ok(t) = RankedTensorType::try_from(t) {
        return t.element();
    }
    if let Ok(t) = sconce_ir::melior::ir::r#type::MemRefType::try_from(t) {
        return t.element();
    }
    t
}

pub fn is_float(t: Type<'_>) -> bool {
    t.is_float()
}
