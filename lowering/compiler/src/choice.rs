//! Which operations become machine code: those that lower, that are not slower there than the runtime's kernels, and, where the interpreter's bits are asked
//! for, that cannot differ from them.

use sconce_ir::prelude::*;
use sconce_linalg::is_control_flow;
use sconce_regions::{NotTaken, Taken, Target, no_lowering};
use sconce_request::Job;
use sconce_schema::{OpId, ops};
use std::collections::BTreeMap;

/// Steps (see `Work::kernel_work`) from which an operation stays with the runtime's kernel: products, convolutions, places of extremes, scatters.
/// Tiles of registers take 0.75 to 1.1 of the kernel's time up to 512 x 512, but a product that is fused with what moves its sides becomes no tiles yet.
/// `sconce bench --compile now --gpu` compiles all of them on a machine without a GPU, to compare.
const KERNEL_PAYS: i64 = 1 << 15;

/// What `fuse-conv-pointwise` makes.
const FUSED: [OpId; 2] = [ops::mkldnn::_convolution_pointwise, ops::mkldnn::_convolution_pointwise_binary];

/// What becomes machine code for a job.
pub(crate) struct Chosen<'a> {
    job: &'a Job,
    without: &'a Failed,
}

/// Branches and loops, by their places, that were in regions of which no code could be made, and why.
pub(crate) type Failed = BTreeMap<String, String>;

impl<'a> Chosen<'a> {
    pub fn of(job: &'a Job) -> Self {
        static NONE: Failed = BTreeMap::new();
        Chosen { job, without: &NONE }
    }

    /// What stays interpreted because it was tried.
    pub fn without(job: &'a Job, without: &'a Failed) -> Self {
        Chosen { job, without }
    }
}

/// The place of an operation, as [`Failed`] has it.
pub(crate) fn place(op: OperationRef<'_, '_>) -> String {
    op.location().to_string()
}

impl Target for Chosen<'_> {
    fn takes(&self, op: OperationRef<'_, '_>) -> Result<Taken, NotTaken> {
        let Chosen { job, without } = self;
        if let Some(why) = without.get(&place(op)).filter(|_| is_control_flow(op)) {
            return Err(("no-code", why.clone()));
        }
        // They were made of what stays with the kernel.
        if sconce_torch::entry(op).is_some_and(|entry| FUSED.contains(&entry.op())) {
            return Err(kernel_is_faster());
        }
        let work = sconce_linalg::supports(op.context_ref(), op, self.calls_from()).map_err(no_lowering)?;
        if job.gpu && work.only_on_processor {
            return Err(("no-gpu-code", "it has no code for GPUs".into()));
        }
        if job.strict && !work.same_bits {
            return Err(("other-bits", "its bits may differ from the interpreter's".into()));
        }
        if work.calls && job.alone.is_some() {
            return Err(("no-code", "it is code of the runtime alone".into()));
        }
        if work.mostly_calls {
            return Ok(Taken::Call);
        }
        // In a loop, what a kernel does better is a call.
        if !is_control_flow(op) && self.calls_from().is_some_and(|least| work.kernel_work.is_none_or(|n| n >= least)) {
            return Err(kernel_is_faster());
        }
        Ok(Taken::Code)
    }

    fn calls_from(&self) -> Option<i64> {
        let job = self.job;
        // What is of unknown size may be large.
        (job.alone.is_none() && (!job.gpu || job.strict)).then_some(KERNEL_PAYS)
    }
}

fn kernel_is_faster() -> NotTaken {
    ("kernel-is-faster", "the runtime's kernel is faster".into())
}
