//! Operators on lists of tensors: the operator of the element, on each.

use sconce_kernels::engine::arguments::arg;
use sconce_kernels::engine::defaults::default_value;
use sconce_kernels::{Call, Error, Outputs};
use sconce_schema::foreach;
use sconce_tensor::IValue;
use smallvec::smallvec;

fn length(v: &IValue) -> Option<usize> {
    match v {
        IValue::List(items) => Some(items.len()),
        IValue::Tensor(t) if t.dim() == 1 => Some(t.numel()),
        _ => None,
    }
}

/// All lists are as long as the first one that holds tensors, which holds some.
fn common_length(lists: &[(usize, bool)], args: &[IValue]) -> Result<usize, Error> {
    let mut count = None;
    for &(at, _) in lists {
        let value = arg(args, at)?;
        let n = length(value).ok_or_else(|| Error::runtime("scalars must be a 1-D tensor"))?;
        let tensors = value.as_tensor_list().is_ok();
        match count {
            None if n == 0 => return Err(Error::runtime("Tensor list must have at least one tensor.")),
            None => count = Some(n),
            Some(m) if m == n => {}
            Some(m) if tensors => {
                return Err(Error::runtime(format!(
                    "Tensor lists must have the same number of tensors, got {m} and {n}"
                )));
            }
            Some(m) => {
                return Err(Error::runtime(format!(
                    "Tensor list must have same number of elements as scalar list, got {m} and {n}."
                )));
            }
        }
    }
    Ok(count.unwrap_or(0))
}

fn element(v: &IValue, i: usize) -> Result<IValue, Error> {
    match v {
        IValue::List(items) => {
            items.read().get(i).cloned().ok_or_else(|| Error::runtime("a list changed its length during a call"))
        }
        IValue::Tensor(t) => {
            let one = t.as_strided(&[], &[], t.storage_offset() + i as i64 * t.strides()[0])?;
            sconce_kernels::engine::compose::one("aten::item", &[one.into()])
        }
        other => Ok(other.clone()),
    }
}

/// The kernel of every operator marked as one that is done to each element of its lists.
pub fn each(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let each =
        foreach::each(call.entry).ok_or_else(|| Error::Missing { op: call.entry.name.to_string(), needs: None })?;
    let lists: Vec<(usize, bool)> = each.arguments.iter().flatten().copied().filter(|source| source.1).collect();
    let count = common_length(&lists, args)?;
    let formals = &each.entry.schema().arguments;
    let mut results = Vec::with_capacity(count);
    for i in 0..count {
        let mut inner = Vec::with_capacity(formals.len());
        for (source, formal) in each.arguments.iter().zip(formals) {
            inner.push(match source {
                Some((at, true)) => element(arg(args, *at)?, i)?,
                Some((at, false)) => arg(args, *at)?.clone(),
                None => formal.default.as_ref().map_or(IValue::None, |d| default_value(d, formal)),
            });
        }
        let one = sconce_kernels::engine::calling::call(each.entry, &mut inner)?.into_iter().next();
        let one = one.ok_or_else(|| Error::runtime(format!("{} gives no result", each.entry.name)))?;
        results.push(one.as_tensor()?.clone());
    }
    Ok(smallvec![IValue::tensor_list(results)])
}
