//! Loop nests on buffers as GPU launches: the parallel iterations are numbered, and each thread takes one.

use crate::Error;
use sconce_ir::{BlockExt, BlockLike, OpExt, OperationRef, Value, ValueExt};
use sconce_linalg::emit::{Body, Emit, V};

/// Threads of a block.
pub const BLOCK: i64 = 256;

/// Operations of the host function that launch nothing: buffers, views of them, constants.
fn is_host(op: OperationRef<'_, '_>) -> bool {
    matches!(
        op.op_name(),
        "memref.alloc"
            | "memref.dealloc"
            | "memref.subview"
            | "memref.expand_shape"
            | "memref.collapse_shape"
            | "memref.reinterpret_cast"
            | "memref.cast"
            | "arith.constant"
            | "func.return"
    )
}

/// Puts every loop nest, and what stands between them, into a `gpu.launch`.
pub fn into_launches<'c>(function: OperationRef<'c, 'c>) -> Result<(), Error> {
    let block = function.body(0).ok_or_else(|| Error::Unsupported("a function without body".into()))?;
    let mut serial: Vec<OperationRef<'c, 'c>> = Vec::new();
    for op in block.ops() {
        if op.is("scf.parallel") {
            serial_launch(&std::mem::take(&mut serial))?;
            parallel_launch(op)?;
        } else if is_host(op) {
            // Constants may stand anywhere; the others end a run, because what follows may use them.
            if !op.is("arith.constant") {
                serial_launch(&std::mem::take(&mut serial))?;
            }
        } else {
            serial.push(op);
        }
    }
    serial_launch(&serial)
}

fn constant(v: Value<'_, '_>) -> Result<i64, Error> {
    v.defining_op()
        .and_then(|op| op.int_attr("value"))
        .ok_or_else(|| Error::Unsupported("sizes that are known only at run time".into()))
}

/// `gpu.launch` of `grid` blocks of `block` threads; the body gets the block's and the thread's number.
fn launch<'c>(
    e: &Emit<'c>,
    grid: i64,
    block: i64,
    build: &mut dyn FnMut(&Emit<'c>, V<'c>, V<'c>) -> Result<(), sconce_linalg::Error>,
) -> Result<(), Error> {
    let one = e.index(1)?;
    let operands = [e.index(grid)?, one, one, e.index(block)?, one, one];
    let mut body = |e: &Emit<'c>, a: &[V<'c>]| {
        build(e, a[0], a[3])?;
        e.op("gpu.terminator", &[], &[], &[]).map(|_| ())
    };
    e.with_regions(
        "gpu.launch",
        &operands,
        &[],
        &[
            ("operandSegmentSizes", e.i32_array(&[0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0])),
            ("workgroup_attributions", e.i64_attr(0)),
        ],
        &mut [Body { arguments: vec![e.index_type(); 12], build: &mut body }],
    )?;
    Ok(())
}

fn parallel_launch<'c>(op: OperationRef<'c, 'c>) -> Result<(), Error> {
    let body = op.body(0).ok_or_else(|| Error::Unsupported("a loop without body".into()))?;
    let rank = body.args().len();
    let operands = op.operand_values();
    let mut sizes = Vec::new();
    for d in 0..rank {
        if constant(operands[d])? != 0 || constant(operands[2 * rank + d])? != 1 {
            return Err(Error::Unsupported("a loop that does not count from 0 by 1".into()));
        }
        sizes.push(constant(operands[rank + d])?);
    }
    let total = sizes
        .iter()
        .try_fold(1i64, |a, b| a.checked_mul(*b))
        .filter(|n| *n < i64::from(i32::MAX))
        .ok_or_else(|| Error::Unsupported("more iterations than a launch has threads".into()))?;
    if total == 0 {
        return op.erase().map_err(Into::into);
    }
    if let Some(end) = body.terminator_op() {
        end.erase()?;
    }
    let e = Emit::in_front_of(op)?;
    let threads = BLOCK.min(total);
    launch(&e, (total + threads - 1) / threads, threads, &mut |e, block, thread| {
        let width = e.index(threads)?;
        let id = e.same("arith.addi", &[e.same("arith.muli", &[block, width])?, thread])?;
        let inside = e.cmpi("ult", id, e.index(total)?)?;
        let mut then = |e: &Emit<'c>, _: &[V<'c>]| {
            let mut rest = id;
            for (d, v) in body.args().into_iter().enumerate().rev() {
                let size = e.index(sizes[d])?;
                let iteration = if d == 0 { rest } else { e.same("arith.remui", &[rest, size])? };
                if d > 0 {
                    rest = e.same("arith.divui", &[rest, size])?;
                }
                v.replace_all_uses_with(iteration);
            }
            body.splice_to_end(e.block);
            e.op("scf.yield", &[], &[], &[]).map(|_| ())
        };
        e.scf_if(inside, &mut then)
    })?;
    op.erase().map_err(Into::into)
}

/// Operations between the loop nests, by one thread.
fn serial_launch<'c>(ops: &[OperationRef<'c, 'c>]) -> Result<(), Error> {
    let Some(first) = ops.first() else { return Ok(()) };
    for op in ops {
        let escapes = op
            .result_values()
            .into_iter()
            .any(|v| v.uses().into_iter().any(|u| !ops.iter().any(|o| u.owner.is_within(*o))));
        if escapes {
            return Err(Error::Unsupported(format!("a value of {} is needed on the host", op.op_name())));
        }
    }
    let e = Emit::in_front_of(*first)?;
    launch(&e, 1, 1, &mut |e, _, _| {
        for op in ops {
            e.block.append_operation(op.detach());
        }
        Ok(())
    })
}
