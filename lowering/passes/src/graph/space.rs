//! Tensors that loops fill, in front of them: of sizes that are known, or that values say when the program runs.

use super::{Counted, Rewriter, bytes, each_function, nodes};
use sconce_analysis::{Aliases, Symbols, Tensor};
use sconce_ir::prelude::*;
use sconce_pass::{Failure, PassOption, PassResult, PassRun, fuel};
use sconce_schema::{DType, Type as ScriptType};
use sconce_tensor::IValue;

/// How large they may be.
pub(crate) const MOST_BYTES: PassOption =
    PassOption::int("most-bytes", "bytes of a tensor, which is there before the first turn", 1 << 30);

/// What a loop carries, and can be a tensor that its turns fill.
pub(crate) trait Filled<'c: 'a, 'a>: Sized {
    /// All that a loop carries, where each tensor has so many bytes at most.
    fn all(counted: &Counted<'c, 'a>, most: usize) -> Vec<Self>;

    /// Whether sizes are asked for that types do not say.
    fn has_unknown(&self) -> bool;

    /// Those of a loop for which it may be done, with what the function says of memory and, if one of them has asked for it, of sizes.
    fn allowed(
        found: Vec<Self>,
        counted: &Counted<'c, 'a>,
        aliases: &Aliases<'c>,
        symbols: Option<&Symbols<'c, 'a, '_>>,
    ) -> Vec<Self>;

    /// The same loop with the tensor. The old operation is gone.
    fn put(self, op: OperationRef<'c, 'a>, rewriter: &mut Rewriter<'c>) -> Result<OperationRef<'c, 'a>, Failure>;
}

/// A pass that lets loops fill tensors.
pub(crate) trait Fills {
    /// What one of its changes is called where they are counted.
    const CHANGE: &'static str;
    type Filled<'c: 'a, 'a>: Filled<'c, 'a>;
}

/// Does it in all counted loops.
pub(crate) fn fill<P: Fills>(root: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
    let most = usize::try_from(run.int(MOST_BYTES.name)).unwrap_or(0);
    each_function(root, |function| {
        let loops: Vec<_> = nodes(function).into_iter().filter_map(Counted::of).collect();
        let found: Vec<_> = loops.iter().map(|counted| P::Filled::all(counted, most)).collect();
        if found.iter().all(Vec::is_empty) {
            return Ok(());
        }
        let aliases = Aliases::of(function);
        let symbols = found.iter().flatten().any(Filled::has_unknown).then(|| Symbols::of(function, &aliases));
        let mut rewriter = Rewriter::new(function.context_ref());
        for (counted, found) in loops.iter().zip(found) {
            let mut op = counted.op;
            // The last one first: places of those before it stay.
            for filled in P::Filled::allowed(found, counted, &aliases, symbols.as_ref()).into_iter().rev() {
                if fuel::spend(P::CHANGE, op) {
                    op = filled.put(op, &mut rewriter)?;
                }
            }
        }
        Ok(())
    })
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
