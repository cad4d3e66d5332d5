//! From the operator to linalg: one loop nest whose body is scalar arithmetic. Processors and GPUs get their code from it.

use sconce_linalg::{Call, Error, Item, Lower};
use sconce_schema::DType;

/// x / (1 + e^(-αx)), for floats and doubles and an α that is known; other calls stay with the kernel.
pub fn quick_gelu<'c>(l: &mut Lower<'c>, call: &Call<'_, 'c>) -> Result<Vec<Item<'c>>, Error> {
    let (x, alpha) = (call.tensor(0)?, call.float(1)?);
    if !matches!(x.dtype, DType::F32 | DType::F64) {
        return Err(Error::Unsupported(format!("no code for {}", x.dtype)));
    }
    let element = l.element(x.dtype)?;
    let made = l.elementwise(&[x], &x.sizes, x.dtype, &mut |e, elements| {
        let x = elements[0];
        let slope = e.constant(-alpha, element)?;
        let one = e.constant(1.0, element)?;
        let scaled = e.same("arith.mulf", &[x, slope])?;
        let decay = e.same("math.exp", &[scaled])?;
        let below = e.same("arith.addf", &[one, decay])?;
        e.same("arith.divf", &[x, below])
    })?;
    Ok(vec![Item::Tensor(made)])
}
