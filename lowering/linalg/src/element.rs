//! The one element of a tensor as a plain number, read where the code runs.

use crate::emit::{Emit, V, element_type};
use crate::lower::{Call, Item, Lower};
use crate::numbers::Number;
use crate::scalar::cast;
use crate::{Error, Lowering};
use sconce_ir::ValueLike;
use sconce_schema::{DType, OpId, ops};

pub(crate) const OPS: &[(OpId, Lowering)] = &[
    (ops::aten::item, |l, c| element(l, c, None)),
    (ops::aten::Float_Tensor, |l, c| element(l, c, Some(DType::F64))),
    (ops::aten::Int_Tensor, |l, c| element(l, c, Some(DType::I64))),
    (ops::aten::Bool_Tensor, |l, c| element(l, c, Some(DType::Bool))),
];

/// What kind of plain number holds the elements of a dtype; none for those that not every element fits into.
fn number_of(dtype: DType) -> Option<DType> {
    use DType::*;
    Some(match dtype {
        Bool => Bool,
        F16 | BF16 | F32 | F64 => F64,
        U8 | I8 | I16 | I32 | I64 => I64,
        _ => return None,
    })
}

/// The element as a number of this kind, else of the kind that holds all of its dtype.
fn element<'c>(l: &mut Lower<'c>, c: &Call<'_, 'c>, kind: Option<DType>) -> Result<Vec<Item<'c>>, Error> {
    let x = c.tensor(0)?;
    if x.sizes.iter().any(|size| size.known() != Some(1)) {
        return Error::unsupported("a number of a tensor that may have more or fewer elements than one");
    }
    let held = number_of(x.dtype).ok_or_else(|| Error::Unsupported(format!("a number of a tensor of {}", x.dtype)))?;
    let dtype = kind.unwrap_or(held);
    // Not every float is an integer: the kernel says which are not.
    if dtype == DType::I64 && held == DType::F64 {
        return Error::unsupported("an integer of a tensor of floats");
    }
    l.only_on_processor = true;
    let value = read(&l.e, x.value, x.rank())?;
    let value = cast(&l.e, value, x.dtype, dtype, l.element(dtype)?)?;
    Ok(vec![Number { value, dtype }.item()])
}

fn read<'c>(e: &Emit<'c>, tensor: V<'c>, rank: usize) -> Result<V<'c>, Error> {
    let mut operands = vec![tensor];
    for _ in 0..rank {
        operands.push(e.index(0)?);
    }
    e.one("tensor.extract", &operands, element_type(tensor.r#type()), &[])
}
