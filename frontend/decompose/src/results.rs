//! What a call gives is what the shape rules say of it, with strides as PyTorch's kernels leave them; what is recorded of a call in the program goes before.

use crate::arguments;
use crate::error::{Fault, Outcome, fault};
use crate::strides;
use crate::tracer::{About, Tracer};
use crate::value::Value;
use sconce_fx::Val;
use sconce_schema::dim::{Dim, collect};
use sconce_schema::shape::{self, Meta, infer};
use sconce_schema::types::Device;
use sconce_schema::{Layout, OpEntry};

/// One result of a call.
#[derive(Clone, Debug)]
pub(crate) enum Known {
    Tensor(About),
    List(Vec<About>),
    Other(Option<Val>),
}

/// The results of a call by the rules.
///
/// # Errors
/// A call that the rules refuse, or of whose results they do not say enough.
pub(crate) fn of(tracer: &mut Tracer, entry: &'static OpEntry, args: &[Value]) -> Outcome<Vec<Known>> {
    let formals = &entry.schema().arguments;
    let metas: Vec<Meta> = formals.iter().zip(args).map(|(f, v)| arguments::meta(tracer, v, f)).collect();
    if entry.schema().returns.is_empty() {
        return Ok(Vec::new());
    }
    let Some(results) = collect(|| infer(entry, &metas)).0 else {
        return fault(format!("{}: no rule says what it gives", entry.name));
    };
    let results = results.map_err(|e| Fault(format!("{}: {}", entry.name, e.message)))?;
    let device = device(tracer, args);
    let mut known = Vec::with_capacity(results.len());
    for (at, result) in results.iter().enumerate() {
        let result = match result {
            Meta::Tensor(meta) => Known::Tensor(about(tracer, entry, args, (at, None), meta, &device)?),
            Meta::List(members) => {
                let mut all = Vec::with_capacity(members.len());
                for (i, member) in members.iter().enumerate() {
                    let Meta::Tensor(meta) = member else {
                        return fault(format!("{}: what its results are is not known", entry.name));
                    };
                    all.push(about(tracer, entry, args, (at, Some(i)), meta, &device)?);
                }
                Known::List(all)
            }
            Meta::Int(dim) => Known::Other(tracer.symbols.expr(*dim).map(Val::SymInt)),
            _ => Known::Other(None),
        };
        known.push(result);
    }
    Ok(known)
}

/// Where results are: with the first tensor, or where the call says.
fn device(tracer: &Tracer, args: &[Value]) -> Device {
    let said = args.iter().find_map(|v| if let Value::Device(device) = v { Some(device.clone()) } else { None });
    let mut first = None;
    args.iter().for_each(|v| v.tensors(&mut |t| _ = first.get_or_insert(t)));
    let with = || first.map(|t| tracer.tensor(t).meta.device.clone());
    said.or_else(with).unwrap_or_else(|| Device { kind: "cpu".into(), index: None })
}

fn about(
    tracer: &Tracer,
    entry: &OpEntry,
    args: &[Value],
    which: (usize, Option<usize>),
    meta: &shape::TensorMeta,
    device: &Device,
) -> Outcome<About> {
    let sizes = meta.sizes.as_ref().map(|sizes| named(tracer, sizes)).filter(|sizes| !sizes.contains(&Dim::Unknown));
    let (Some(dtype), Some(sizes)) = (meta.dtype, sizes) else {
        return fault(format!("{}: the sizes of what it gives are not known", entry.name));
    };
    let (strides, offset) = strides::of(tracer, entry, args, which, &sizes);
    let device = meta.device.clone().unwrap_or_else(|| device.clone());
    Ok(About { dtype, sizes, strides, offset, device, layout: Layout::Strided, requires_grad: false })
}

/// Sizes that depend on data are the symbols that the program has for them, those of which nothing is known yet.
fn named(tracer: &Tracer, sizes: &[Dim]) -> Vec<Dim> {
    let mut fresh = Vec::new();
    if let Some((_, val)) = &tracer.recorded {
        tracer.symbols.unbacked(val, &mut fresh);
    }
    fresh.retain(|dim| !tracer.sources.contains_key(dim) && !tracer.numbers.contains_key(dim));
    let mut fresh = fresh.into_iter();
    sizes.iter().map(|size| if *size == Dim::Unknown { fresh.next().unwrap_or(*size) } else { *size }).collect()
}

/// The results of a call as they are recorded.
pub(crate) fn recorded(tracer: &mut Tracer, val: &Val, returns: usize) -> Vec<Known> {
    let one = |tracer: &mut Tracer, val: &Val| match val {
        Val::Tensor(meta) => Known::Tensor(tracer.about(meta)),
        Val::List(members) => {
            let tensors =
                members.iter().map(|m| if let Val::Tensor(meta) = m { Some(tracer.about(meta)) } else { None });
            tensors.collect::<Option<Vec<About>>>().map_or(Known::Other(Some(val.clone())), Known::List)
        }
        other => Known::Other(Some(other.clone())),
    };
    match val {
        Val::None if returns == 0 => Vec::new(),
        Val::Tuple(vals) if returns != 1 => vals.iter().map(|v| one(tracer, v)).collect(),
        val => vec![one(tracer, val)],
    }
}
