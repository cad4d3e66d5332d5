//! `log_sigmoid` with what its derivative needs, written where the caller says.

use sconce_kernels::engine::arguments::arg;
use sconce_kernels::engine::compose::tensors as ops;
use sconce_kernels::engine::layout::resize;
use sconce_kernels::tensor::copy::write;
use sconce_kernels::{Call, Error, Outputs};
use sconce_tensor::IValue;

/// (self, output, buffer): the buffer lies row-major afterwards, however it lay.
pub fn log_sigmoid_forward_out(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let [value, kept] = ops::<2>("aten::log_sigmoid_forward", &args[..1])?;
    let (output, buffer) = (arg(args, 1)?.as_tensor()?, arg(args, 2)?.as_tensor()?);
    if output.sizes() != value.sizes() {
        resize(output, value.sizes())?;
    }
    resize(buffer, kept.sizes())?;
    write(output, &value)?;
    write(buffer, &kept)?;
    Ok(args[1..3].iter().cloned().collect())
}
