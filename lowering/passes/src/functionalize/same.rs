//! Whether the operator that gives what a write to a tensor would leave gives it the dtype and the sizes that it has.

use super::form::{Write, name};
use super::why::Why;
use sconce_analysis::{Symbols, Tensor};
use sconce_ir::prelude::*;
use sconce_schema::shape::{Meta, Size, TensorMeta, infer};
use sconce_schema::{DType, OpEntry};

/// A rank that no program has more of, for tensors whose rank nobody knows.
const RANKS: u32 = 8;

/// Symbols that no value of a function has.
const OWN: u32 = u32::MAX - RANKS;

/// Dtypes that stand for all of their kind in every rule.
const DTYPES: &[DType] = &[
    DType::Bool,
    DType::U8,
    DType::I8,
    DType::I16,
    DType::I32,
    DType::I64,
    DType::F16,
    DType::BF16,
    DType::F32,
    DType::F64,
    DType::C64,
    DType::C128,
];

/// Gives the form a tensor of the dtype and sizes of the one that is written, whatever they are? Where it gives none at all the write gives none either.
///
/// # Errors
/// It may give others.
pub fn leaves_the_same<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    write: &Write,
    symbols: &Symbols<'c, 'a, '_>,
) -> Result<(), Why> {
    let other = || Why::OtherType(name(op));
    let form = write.form.ok_or_else(other)?;
    let metas: Vec<Meta> = op.operand_values().into_iter().map(|v| symbols.meta(v)).collect();
    let Some(Meta::Tensor(written)) = metas.get(write.written) else { return Err(other()) };
    let is_tensor = |v: &Value<'c, 'a>| Tensor::of(v.r#type()).is_some();
    let is_alone = op.operand_values().iter().filter(|v| is_tensor(v)).count() == 1;
    if write.replaces && (written.dtype.is_none() || written.sizes.is_none()) {
        return Err(other());
    }
    let mut gave = false;
    for written in candidates(written, is_alone) {
        let mut metas = metas.clone();
        metas[write.written] = Meta::Tensor(written.clone());
        match gives(form, write, metas) {
            Given::Error => {}
            Given::Tensor(given) if is_same(&written, &given) => gave = true,
            _ => return Err(other()),
        }
    }
    if gave { Ok(()) } else { Err(other()) }
}

enum Given {
    Unknown,
    Error,
    Tensor(TensorMeta),
}

fn gives(form: &'static OpEntry, write: &Write, metas: Vec<Meta>) -> Given {
    let mut operands: Vec<Meta> = metas;
    if write.replaces {
        operands.remove(write.written);
    }
    let defaults = form.schema().arguments.iter().skip(operands.len()).map(Meta::from_default);
    operands.extend(defaults);
    match infer(form, &operands) {
        None => Given::Unknown,
        Some(Err(_)) => Given::Error,
        Some(Ok(metas)) => match metas.into_iter().next() {
            Some(Meta::Tensor(t)) => Given::Tensor(t),
            _ => Given::Unknown,
        },
    }
}

/// What the tensor may be: every dtype where it is not known, and every rank. `is_alone`: no other tensor takes part.
fn candidates(written: &TensorMeta, is_alone: bool) -> Vec<TensorMeta> {
    let dtypes = match written.dtype {
        Some(dtype) => vec![dtype],
        None => DTYPES.to_vec(),
    };
    let ranks: Vec<_> = match &written.sizes {
        Some(sizes) => vec![sizes.clone()],
        None => (0..=RANKS).map(|rank| (0..rank).map(|at| Size::Symbol(OWN + at)).collect()).collect(),
    };
    // Nothing depends on sizes then but errors.
    let ranks = if is_alone && written.sizes.is_none() { ranks[1..3].to_vec() } else { ranks };
    let of = |dtype: DType| ranks.iter().map(move |sizes| (dtype, sizes.clone()));
    let all = dtypes.into_iter().flat_map(of);
    all.map(|(dtype, sizes)| TensorMeta { dtype: Some(dtype), sizes: Some(sizes), ..written.clone() }).collect()
}

fn is_same(written: &TensorMeta, given: &TensorMeta) -> bool {
    let sizes = written.sizes.as_ref().zip(given.sizes.as_ref());
    let are_equal = sizes.is_some_and(|(a, b)| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(*b)));
    written.dtype == given.dtype && are_equal
}
