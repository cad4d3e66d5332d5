//! Loops of scf as passes and families build them.

use sconce_ir::{OpExt, Type, ValueLike};
use sconce_linalg::Error;
use sconce_linalg::emit::{Body, Emit, V};

/// `scf.for` with values that each iteration passes on.
pub(crate) fn carried<'c>(
    e: &Emit<'c>,
    bounds: [V<'c>; 3],
    initial: &[V<'c>],
    body: &mut dyn FnMut(&Emit<'c>, V<'c>, &[V<'c>]) -> Result<Vec<V<'c>>, Error>,
) -> Result<Vec<V<'c>>, Error> {
    let mut operands = bounds.to_vec();
    operands.extend(initial);
    let types: Vec<Type<'c>> = initial.iter().map(|v| v.r#type()).collect();
    let mut arguments = vec![e.index_type()];
    arguments.extend(&types);
    let mut build = |e: &Emit<'c>, a: &[V<'c>]| {
        let next = body(e, a[0], &a[1..])?;
        e.op("scf.yield", &next, &[], &[]).map(|_| ())
    };
    let op = e.with_regions("scf.for", &operands, &types, &[], &mut [Body { arguments, build: &mut build }])?;
    Ok(op.result_values())
}

/// `scf.for`.
pub(crate) fn each<'c>(
    e: &Emit<'c>,
    from: V<'c>,
    to: V<'c>,
    step: i64,
    body: &mut dyn FnMut(&Emit<'c>, V<'c>) -> Result<(), Error>,
) -> Result<(), Error> {
    carried(e, [from, to, e.index(step)?], &[], &mut |e, i, _| {
        body(e, i)?;
        Ok(Vec::new())
    })
    .map(|_| ())
}

/// `scf.parallel` of one loop: its iterations may run in any order, and at once.
pub(crate) fn parallel<'c>(
    e: &Emit<'c>,
    from: V<'c>,
    to: V<'c>,
    step: i64,
    body: &mut dyn FnMut(&Emit<'c>, V<'c>) -> Result<(), Error>,
) -> Result<(), Error> {
    parallel_by(e, [from, to, e.index(step)?], body)
}

/// The same by a step that is a value.
pub(crate) fn parallel_by<'c>(
    e: &Emit<'c>,
    bounds: [V<'c>; 3],
    body: &mut dyn FnMut(&Emit<'c>, V<'c>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut build = |e: &Emit<'c>, a: &[V<'c>]| {
        body(e, a[0])?;
        e.op("scf.reduce", &[], &[], &[]).map(|_| ())
    };
    let bodies = &mut [Body { arguments: vec![e.index_type()], build: &mut build }];
    let segments = ("operandSegmentSizes", e.i32_array(&[1, 1, 1, 0]));
    e.with_regions("scf.parallel", &bounds, &[], &[segments], bodies).map(|_| ())
}

/// The places in a nest of loops from 0 to these sizes at iteration `i` of all of them together, the last loop the fastest.
pub(crate) fn places<'c>(e: &Emit<'c>, i: V<'c>, sizes: &[V<'c>]) -> Result<Vec<V<'c>>, Error> {
    let mut rest = i;
    let mut places = Vec::new();
    for size in sizes[1..].iter().rev() {
        places.push(e.same("arith.remui", &[rest, *size])?);
        rest = e.same("arith.divui", &[rest, *size])?;
    }
    places.push(rest);
    places.reverse();
    Ok(places)
}
