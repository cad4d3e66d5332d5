//! Operators run over parts of a result in place, as soon as these are made: what a kernel's results go through while they are near.

use super::program::number_of;
use super::{Ready, plan, run};
use crate::Error;
use crate::engine::compose;
use sconce_gemm::{Added, Done, Epilogue, Finish};
use sconce_schema::ops;
use sconce_tensor::{DType, IValue, Tensor};
use smallvec::SmallVec;
use std::sync::OnceLock;

/// An operator by name, and its arguments after the first.
pub type Step = (&'static str, SmallVec<[IValue; 3]>);

/// Operators, one after the other, on the elements of a row-major tensor of f32.
pub struct InPlace {
    out: Tensor,
    programs: SmallVec<[run::InPlace<'static>; 2]>,
    /// The same, where it is so simple.
    epilogue: Option<Epilogue<f32>>,
    failed: OnceLock<Error>,
}

impl InPlace {
    /// `None` where an operator has no such program, or another tensor does not lie as the result does.
    pub fn new(out: &Tensor, steps: &[Step]) -> Result<Option<InPlace>, Error> {
        if out.dtype() != DType::F32 || !out.is_contiguous() || out.dim() == 0 {
            return Ok(None);
        }
        let mut programs = SmallVec::new();
        let mut epilogue = Some(Epilogue::none());
        for (name, rest) in steps {
            let given: SmallVec<[IValue; 4]> = [IValue::Tensor(out.clone())].into_iter().chain(rest.clone()).collect();
            let (entry, args) = compose::call_of(name, &given)?;
            let operands: SmallVec<[&Tensor; 2]> = args.iter().filter_map(|a| a.as_tensor().ok()).collect();
            let alike = |t: &&Tensor| t.dtype() == DType::F32 && t.sizes() == out.sizes() && t.is_contiguous();
            let ready = entry.scalar.and_then(|expr| plan::kept(entry, expr, &args, DType::F32));
            let (Some(Ready::F32(program)), true) = (ready, operands.len() < 4 && operands.iter().all(alike)) else {
                return Ok(None);
            };
            epilogue = epilogue.and_then(|e| {
                let added = (entry.op() == ops::aten::add_Tensor && rest.len() == 1).then(|| operands.get(1)).flatten();
                match (added, entry.scalar) {
                    _ if e.is_bounded() => None,
                    (Some(other), _) if e.added.is_none() => {
                        let (other, result) =
                            (other.data_ptr::<f32>().cast_const(), out.data_ptr::<f32>().cast_const());
                        Some(Epilogue { added: Some(Added { other, result }), ..e })
                    }
                    (None, Some(expr)) => {
                        let [low, high] = expr.bounds(|i| args.get(usize::from(i)).and_then(number_of::<f64>))?;
                        Some(Epilogue { low: low as f32, high: high as f32, ..e })
                    }
                    _ => None,
                }
            });
            programs.push(run::InPlace::new(program, entry.name, &args, &operands, out)?);
        }
        Ok(Some(InPlace { out: out.clone(), programs, epilogue, failed: OnceLock::new() }))
    }

    /// What a kernel does to its results: the simple way, or by `in_place`, which runs over them.
    pub fn as_finish<'a>(&self, in_place: &'a (dyn Fn(Done<f32>) + Sync)) -> Finish<'a, f32> {
        self.epilogue.map_or(Finish::InPlace(in_place), Finish::Epilogue)
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
