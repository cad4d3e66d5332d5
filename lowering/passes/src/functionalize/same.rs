//! Whether the operator that gives what a write to a tensor would leave gives it the dtype and the sizes that it has.

use super::form::Write;
use super::why::Why;
use sconce_analysis::Symbols;
use sconce_analysis::operators::{operator_name, source};
use sconce_analysis::symbols::RANKS;
use sconce_ir::prelude::*;
use sconce_schema::shape::{Meta, TensorMeta, infer};
use sconce_schema::{DType, OpEntry, Trait};

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
    let other = || Why::OtherType(operator_name(op));
    let form = write.form.ok_or_else(other)?;
    let values = op.operand_values();
    let known = values.get(write.written).map(|v| symbols.meta(*v));
    let Some(Meta::Tensor(written)) = known else { return Err(other()) };
    if write.replaces && (written.dtype.is_none() || written.sizes.is_none()) {
        return Err(other());
    }
    let ranks = if written.sizes.is_some() { &RANKS[..1] } else { RANKS };
    let mut gave = false;
    for (rank, more) in ranks {
        let mut metas = symbols.ranked(&values, *rank, *more);
        if written.sizes.is_some() {
            // What is known of the others is what is known.
            metas = values.iter().map(|v| symbols.meta(*v)).collect();
        }
        for dtype in dtypes(&written, values.get(write.written).copied(), symbols) {
            let Some(Meta::Tensor(t)) = metas.get_mut(write.written) else { return Err(other()) };
            t.dtype = Some(dtype);
            let before = t.clone();
            match gives(form, write, metas.clone()) {
                Given::Error => {}
                Given::Tensor(given) if is_same(&before, &given) => gave = true,
                _ => return Err(other()),
            }
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

/// The dtypes that the tensor may have.
fn dtypes<'c: 'a, 'a>(written: &TensorMeta, value: Option<Value<'c, 'a>>, symbols: &Symbols<'c, 'a, '_>) -> Vec<DType> {
    match written.dtype {
        Some(dtype) => vec![dtype],
        None => value.and_then(|v| made(v, symbols)).unwrap_or_else(|| DTYPES.to_vec()),
    }
}

/// The dtypes that a pointwise operator of one tensor gives, if that makes the value: of a sigmoid there are no integers.
fn made<'c: 'a, 'a>(value: Value<'c, 'a>, symbols: &Symbols<'c, 'a, '_>) -> Option<Vec<DType>> {
    let op = source(value).defining_op()?;
    let form = sconce_torch::entry(op).filter(|entry| entry.scalar.is_some() && !entry.has(Trait::Writes))?;
    let mut metas = symbols.ranked(&op.operand_values(), RANKS[0].0, RANKS[0].1);
    let is_tensor = |meta: &Meta| matches!(meta, Meta::Tensor(_));
    let at = metas.iter().position(is_tensor).filter(|_| metas.iter().filter(|m| is_tensor(m)).count() == 1)?;
    let mut found = Vec::new();
    for dtype in DTYPES {
        if let Some(Meta::Tensor(t)) = metas.get_mut(at) {
            t.dtype = Some(*dtype);
        }
        match infer(form, &metas)?.ok().and_then(|given| given.into_iter().next()) {
            Some(Meta::Tensor(t)) => found.push(t.dtype?),
            Some(_) => return None,
            None => {}
        }
    }
    Some(found)
}

fn is_same(written: &TensorMeta, given: &TensorMeta) -> bool {
    let sizes = written.sizes.as_ref().zip(given.sizes.as_ref());
    let are_equal = sizes.is_some_and(|(a, b)| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(*b)));
    written.dtype == given.dtype && are_equal
}
