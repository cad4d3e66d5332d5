//! Loops of scf as the families build them.

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

/// A nest of loops from 0, one for each size, the outermost first.
pub(crate) fn nest<'c>(
    e: &Emit<'c>,
    sizes: &[i64],
    body: &mut dyn FnMut(&Emit<'c>, &[V<'c>]) -> Result<(), Error>,
) -> Result<(), Error> {
    fn within<'c>(
        e: &Emit<'c>,
        sizes: &[i64],
        places: &[V<'c>],
        body: &mut dyn FnMut(&Emit<'c>, &[V<'c>]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Some((size, rest)) = sizes.split_first() else { return body(e, places) };
        each(e, e.index(0)?, e.index(*size)?, 1, &mut |e, i| within(e, rest, &[places, &[i]].concat(), body))
    }
    within(e, sizes, &[], body)
}
