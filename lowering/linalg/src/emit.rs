//! Building operations: each call appends one operation of an upstream dialect to a block and gives its result.

use crate::Error;
use sconce_ir::affine::Index;
use sconce_ir::attr::FastMath;
use sconce_ir::builder::Builder;
use sconce_ir::builtin_type::{self, Shaped, Sign};
use sconce_ir::{
    Attribute, Block, BlockExt, BlockRef, Context, Location, OpExt, OperationLike, OperationRef, Region, RegionLike,
    Type, Value, ValueLike, affine, attr,
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

/// A part of a tensor: where it begins in each dimension, how many places it has there, and how far apart they are; where that is [`DYNAMIC`], the next of the values.
#[derive(Clone, Debug, Default)]
pub struct Slice<'c> {
    pub offsets: Vec<i64>,
    pub sizes: Vec<i64>,
    pub steps: Vec<i64>,
    pub dynamic_offsets: Vec<V<'c>>,
    pub dynamic_sizes: Vec<V<'c>>,
}

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

    /// An operation around regions that are there already.
    pub fn around(
        &self,
        name: &str,
        operands: &[V<'c>],
        results: &[Type<'c>],
        attributes: &[(&str, Attribute<'c>)],
        regions: Vec<Region<'c>>,
    ) -> Result<OperationRef<'c, 'c>, Error> {
        let at = match self.before {
            Some(next) => Builder::before(next),
            None => Builder::at_end(self.context, self.block),
        };
        let mut op = at.op(name, self.location).operands(operands).results(results);
        for (name, value) in attributes {
            op = op.attr(name, *value);
        }
        for region in regions {
            op = op.region(region);
        }
        op.build().map_err(|e| Error::Internal(format!("{name}: {e}")))
    }

    /// Any operation without regions.
    pub fn op(
        &self,
        name: &str,
        operands: &[V<'c>],
        results: &[Type<'c>],
        attributes: &[(&str, Attribute<'c>)],
    ) -> Result<OperationRef<'c, 'c>, Error> {
        self.around(name, operands, results, attributes, Vec::new())
    }

    /// An operation of attributes with a region that is there already, as a declaration's empty one is.
    pub fn with_region(
        &self,
        name: &str,
        attributes: &[(&str, Attribute<'c>)],
        region: Region<'c>,
    ) -> Result<OperationRef<'c, 'c>, Error> {
        self.around(name, &[], &[], attributes, vec![region])
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
        op.result_value(0).ok_or_else(|| Error::Internal(format!("{} without a result", op.op_name())))
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
        let regions = bodies.iter_mut().map(|body| self.region(body)).collect::<Result<_, _>>()?;
        self.around(name, operands, results, attributes, regions)
    }

    /// A region of one block, for an operation that is made when its blocks are known.
    pub fn region(&self, body: &mut Body<'_, 'c>) -> Result<Region<'c>, Error> {
        let region = Region::new();
        let arguments: Vec<_> = body.arguments.iter().map(|t| (*t, self.location)).collect();
        region.append_block(Block::new(&arguments));
        // Through the region itself: its reference's lifetime would end with the region's move into the operation.
        let block: BlockRef<'c, 'c> =
            RegionLike::first_block(&region).ok_or_else(|| Error::Internal("a region without block".into()))?;
        let inner = Emit { block, before: None, ..*self };
        (body.build)(&inner, &block.args())?;
        Ok(region)
    }

    pub fn index_type(&self) -> Type<'c> {
        Type::index(self.context)
    }
    pub fn int_type(&self, bits: u32) -> Type<'c> {
        builtin_type::integer(self.context, bits, Sign::Unsaid)
    }
    pub fn f32_type(&self) -> Type<'c> {
        Type::float32(self.context)
    }
    /// `tensor<sizes x element>`; `None` is `?`.
    pub fn tensor_type(&self, sizes: &[Option<i64>], element: Type<'c>) -> Type<'c> {
        builtin_type::tensor(sizes, element)
    }

    // Parts of tensors.

    /// `tensor.extract_slice`
    pub fn extract_slice(&self, whole: V<'c>, part: &Slice<'c>) -> Result<V<'c>, Error> {
        let sizes: Vec<_> = part.sizes.iter().map(|n| Some(*n).filter(|n| *n != DYNAMIC)).collect();
        self.slice("tensor.extract_slice", &[whole], part, self.tensor_type(&sizes, element_type(whole.r#type())))
    }
    /// The same without dimension `d`, along which the part is of size 1.
    pub fn extract_member(&self, whole: V<'c>, part: &Slice<'c>, d: usize) -> Result<V<'c>, Error> {
        let mut sizes: Vec<_> = part.sizes.iter().map(|n| Some(*n).filter(|n| *n != DYNAMIC)).collect();
        sizes.remove(d);
        self.slice("tensor.extract_slice", &[whole], part, self.tensor_type(&sizes, element_type(whole.r#type())))
    }
    /// `tensor.insert_slice`: the tensor with another in place of a part, which may lack dimensions of size 1.
    pub fn insert_slice(&self, new: V<'c>, whole: V<'c>, part: &Slice<'c>) -> Result<V<'c>, Error> {
        self.slice("tensor.insert_slice", &[new, whole], part, whole.r#type())
    }
    fn slice(&self, name: &str, tensors: &[V<'c>], part: &Slice<'c>, t: Type<'c>) -> Result<V<'c>, Error> {
        let values = tensors.iter().chain(&part.dynamic_offsets).chain(&part.dynamic_sizes);
        let operands: Vec<V<'c>> = values.copied().collect();
        let mut segments = vec![1; tensors.len()];
        segments.extend([part.dynamic_offsets.len() as i32, part.dynamic_sizes.len() as i32, 0]);
        let attributes = [
            ("operandSegmentSizes", self.i32_array(&segments)),
            ("static_offsets", self.i64_array(&part.offsets)),
            ("static_sizes", self.i64_array(&part.sizes)),
            ("static_strides", self.i64_array(&part.steps)),
        ];
        self.one(name, &operands, t, &attributes)
    }

    /// Copies operations, in whose operands the second of each known pair stands for the first; their results are known then.
    pub fn copies(&self, ops: &[OperationRef<'c, 'c>], known: &mut Vec<(V<'c>, V<'c>)>) {
        for op in ops {
            let copy = Builder::at_end(self.context, self.block).insert(op.clone_with(known));
            known.extend(op.result_values().into_iter().zip(copy.result_values()));
        }
    }

    // Constants.

    pub fn index(&self, n: i64) -> Result<V<'c>, Error> {
        let t = self.index_type();
        self.one("arith.constant", &[], t, &[("value", attr::integer(t, n))])
    }
    /// A constant of a float or integer type.
    pub fn constant(&self, value: f64, t: Type<'c>) -> Result<V<'c>, Error> {
        if is_float(t) {
            self.one("arith.constant", &[], t, &[("value", attr::float(t, value))])
        } else {
            self.int(value as i64, t)
        }
    }
    pub fn int(&self, value: i64, t: Type<'c>) -> Result<V<'c>, Error> {
        self.one("arith.constant", &[], t, &[("value", attr::integer(t, value))])
    }
    /// A vector with this value in every lane.
    pub fn splat(&self, value: f64, vector: Type<'c>, element: Type<'c>) -> Result<V<'c>, Error> {
        let attribute = attr::splat(vector, attr::float(element, value)).map_err(|e| Error::Internal(e.to_string()))?;
        self.one("arith.constant", &[], vector, &[("value", attribute)])
    }

    // Attributes.

    pub fn i64_attr(&self, n: i64) -> Attribute<'c> {
        attr::i64(self.context, n)
    }
    pub fn i64_array(&self, values: &[i64]) -> Attribute<'c> {
        attr::i64_array(self.context, values)
    }
    pub fn i32_array(&self, values: &[i32]) -> Attribute<'c> {
        attr::i32_array(self.context, values)
    }
    pub fn array(&self, values: &[Attribute<'c>]) -> Attribute<'c> {
        attr::array(self.context, values)
    }
    /// `affine_map<(d0, d1, …) -> (places)>`
    pub fn map(&self, dims: usize, places: &[Option<usize>]) -> Attribute<'c> {
        attr::affine_map(affine::projection(self.context, dims, places))
    }

    /// The same with windows among the places.
    pub fn index_map(&self, dims: usize, places: &[Index]) -> Attribute<'c> {
        attr::affine_map(affine::map(self.context, dims, places))
    }

    pub fn iterator(&self, kind: Iterator) -> Attribute<'c> {
        attr::iterator_type(self.context, kind == Iterator::Reduction)
    }
    /// What the order of sums and the rounding of products leave free.
    pub fn fast_math(&self, allowed: FastMath) -> Attribute<'c> {
        attr::fast_math(self.context, allowed)
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
        self.around("scf.if", &[condition], &[], &[], vec![region, Region::new()]).map(|_| ())
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
            let kinds = iterators.iter().map(|i| self.iterator(*i)).collect::<Vec<_>>();
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
        Ok(op.result_values())
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
    Shaped::of(t).map_or(t, |shaped| shaped.element)
}

pub fn is_float(t: Type<'_>) -> bool {
    builtin_type::float_width(t).is_some()
}
