//! Operators run over parts of a result in place, as soon as these are made: what a kernel's results go through while they are near.

use super::{Ready, plan, run};
use crate::Error;
use crate::engine::compose;
use sconce_gemm::Done;
use sconce_tensor::{DType, IValue, Tensor};
use smallvec::SmallVec;
use std::sync::OnceLock;

/// An operator by name, and its arguments after the first.
pub type Step = (&'static str, SmallVec<[IValue; 3]>);

/// Operators, one after the other, on the elements of a row-major tensor of f32.
pub struct InPlace {
    out: Tensor,
    programs: SmallVec<[run::InPlace<'static>; 2]>,
    failed: OnceLock<Error>,
}

impl InPlace {
    /// `None` where an operator has no such program, or another tensor does not lie as the result does.
    pub fn new(out: &Tensor, steps: &[Step]) -> Result<Option<InPlace>, Error> {
        if out.dtype() != DType::F32 || !out.is_contiguous() || out.dim() == 0 {
            return Ok(None);
        }
        let mut programs = SmallVec::new();
        for (name, rest) in steps {
            let given: SmallVec<[IValue; 4]> = [IValue::Tensor(out.clone())].into_iter().chain(rest.clone()).collect();
            let (entry, args) = compose::call_of(name, &given)?;
            let operands: SmallVec<[&Tensor; 2]> = args.iter().filter_map(|a| a.as_tensor().ok()).collect();
            let alike = |t: &&Tensor| t.dtype() == DType::F32 && t.sizes() == out.sizes() && t.is_contiguous();
            let ready = entry.scalar.and_then(|expr| plan::kept(entry, expr, &args, DType::F32));
            let (Some(Ready::F32(program)), true) = (ready, operands.len() < 4 && operands.iter().all(alike)) else {
                return Ok(None);
            };
            programs.push(run::InPlace::new(program, entry.name, &args, &operands, out)?);
        }
        Ok(Some(InPlace { out: out.clone(), programs, failed: OnceLock::new() }))
    }

    /// Runs over results that are complete.
    ///
    /// # Safety
    /// They are elements of the tensor, and nobody else uses them.
    pub unsafe fn finish(&self, done: &Done<f32>) {
        // Rows without anything between them are one.
        let whole = done.columns == done.out_row;
        let (rows, columns) = if whole { (1, done.rows * done.columns) } else { (done.rows, done.columns) };
        // SAFETY: the results are elements of the tensor.
        let first = unsafe { done.out.cast_const().offset_from(self.out.data_ptr::<f32>().cast_const()) };
        let at_once = columns.clamp(1, run::InPlace::BLOCK);
        let mut spaces: SmallVec<[_; 2]> = self.programs.iter().map(|p| p.space(at_once)).collect();
        for row in 0..rows {
            let row = first.unsigned_abs() + row * done.out_row;
            for start in (0..columns).step_by(at_once) {
                for (program, space) in self.programs.iter().zip(&mut spaces) {
                    // SAFETY: the caller's promise.
                    let ran = unsafe { program.block(space, row + start, at_once.min(columns - start)) };
                    if let Err(e) = ran {
                        self.failed.get_or_init(|| e);
                    }
                }
            }
        }
    }

    /// What went wrong.
    pub fn end(self) -> Result<(), Error> {
        self.failed.into_inner().map_or(Ok(()), Err)
    }
}
