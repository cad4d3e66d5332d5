//! Which dtype operands promote to, for kernels that combine tensors and numbers.

use crate::Error;
use crate::engine::derived::meta_of;
use sconce_tensor::{DType, IValue};
use smallvec::SmallVec;

/// The dtype of a result over these arguments, as `at::result_type`. Arguments that are neither tensors nor numbers do not count.
pub fn result_type<'a>(args: impl Iterator<Item = &'a IValue>) -> Result<DType, Error> {
    let metas: SmallVec<[_; 4]> = args.map(meta_of).collect();
    Ok(sconce_schema::shape::common_dtype(metas.iter())?.unwrap_or(DType::F32))
}
