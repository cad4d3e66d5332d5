//! Tensors that loops fill, in front of them: of sizes that are known, or that values say when the program runs.

use super::{Rewriter, bytes};
use sconce_analysis::Tensor;
use sconce_ir::prelude::*;
use sconce_pass::{Failure, PassOption, PassRun};
use sconce_schema::{DType, Type as ScriptType};
use sconce_tensor::IValue;

/// How large they may be.
pub(crate) const MOST_BYTES: PassOption =
    PassOption::int("most-bytes", "bytes of a tensor, which is there before the first turn", 1 << 30);

/// What a pass is told of that.
pub(crate) fn most_bytes(run: &PassRun<'_>) -> usize {
    usize::try_from(run.int(MOST_BYTES.name)).unwrap_or(0)
}

/// Whether a tensor has no more bytes, as far as its type says.
pub(crate) fn is_small(ty: &Tensor, most: usize) -> bool {
    let sizes = ty.sizes.iter().flatten().filter(|size| size.is_some());
    bytes(ty.dtype, sizes.copied()).is_some_and(|bytes| bytes <= most)
}

/// A size.
#[derive(Clone, Copy)]
pub(crate) enum Extent<'c, 'a> {
    Known(i64),
    /// An integer.
    Value(Value<'c, 'a>),
    /// That of a tensor's dimension.
    Of(Value<'c, 'a>, usize),
}

/// A place where operations are built, and what they are for.
pub(crate) struct Space<'c, 'a, 'r> {
    pub at: Builder<'c, 'a>,
    pub location: Location<'c>,
    /// A tensor of the kind that the others are: a value or not.
    pub like: Value<'c, 'a>,
    pub rewriter: &'r mut Rewriter<'c>,
}

impl<'c: 'a, 'a> Space<'c, 'a, '_> {
    pub fn constant(&mut self, value: IValue, ty: &ScriptType) -> Result<Value<'c, 'a>, Failure> {
        self.rewriter.constant(&self.at, &value, ty, self.like)?.ok_or_else(missing)
    }

    pub fn number(&mut self, n: i64) -> Result<Value<'c, 'a>, Failure> {
        self.constant(IValue::Int(n), &ScriptType::Int)
    }

    /// The result of a node.
    pub fn made(
        &mut self,
        kind: &str,
        operands: &[Value<'c, 'a>],
        ty: (Type<'c>, &ScriptType),
    ) -> Result<Value<'c, 'a>, Failure> {
        self.rewriter.node(&self.at, kind, self.location, operands, ty)?.result_value(0).ok_or_else(missing)
    }

    /// An integer of integers, or of tensors.
    pub fn integer(&mut self, kind: &str, operands: &[Value<'c, 'a>]) -> Result<Value<'c, 'a>, Failure> {
        let int = self.rewriter.mlir_type(&ScriptType::Int).ok_or_else(missing)?;
        self.made(kind, operands, (int, &ScriptType::Int))
    }

    pub fn extent(&mut self, extent: Extent<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        match extent {
            Extent::Known(n) => self.number(n),
            Extent::Value(value) => Ok(value),
            Extent::Of(tensor, axis) => {
                let axis = self.number(axis as i64)?;
                self.integer("aten::size", &[tensor, axis])
            }
        }
    }

    /// A tensor of these sizes that nothing is written to yet.
    pub fn empty(
        &mut self,
        extents: &[Extent<'c, 'a>],
        dtype: Option<DType>,
        ty: (Type<'c>, &ScriptType),
    ) -> Result<Value<'c, 'a>, Failure> {
        let ints = ScriptType::List(ScriptType::Int.into());
        let known = |extent: &Extent<'_, '_>| if let Extent::Known(n) = extent { Some(*n) } else { None };
        let sizes = match extents.iter().map(known).collect::<Option<Vec<i64>>>() {
            Some(known) => self.constant(IValue::int_list(&known), &ints)?,
            None => {
                let sizes = extents.iter().map(|extent| self.extent(*extent)).collect::<Result<Vec<_>, _>>()?;
                let list = self.rewriter.mlir_type(&ints).ok_or_else(missing)?;
                self.made("prim::ListConstruct", &sizes, (list, &ints))?
            }
        };
        let dtype = dtype.map_or(IValue::None, |dtype| IValue::Int(dtype.number()));
        let mut operands = vec![sizes, self.constant(dtype, &ScriptType::Int)?];
        operands.resize(6, self.constant(IValue::None, &ScriptType::None)?);
        self.made("aten::empty", &operands, ty)
    }
}

pub(crate) fn missing() -> Failure {
    Failure::new("a constant or a type that the dialect does not have")
}
