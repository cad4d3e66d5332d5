//! The weights that recordings gave a module they call `fill`: a short pattern repeated, scaled to a tensor's sizes.

use crate::error::{Error, Failure};
use crate::module::Module;
use sconce_tensor::Tensor;

/// In 64ths.
#[rustfmt::skip]
const PATTERN: [i16; 251] = [
    57, 13, 23, -150, -69, 36, 60, -63, 32, 26, 21, -32, -51, -54, -82, 16, -3, 100, 67, 26, -11, -204, 72, 85, -16, -8, -7, 100, 8, -132, -57, -71, 60,
    132, -60, -103, 34, -99, 21, -73, -22, 21, -39, 99, 41, 38, 28, 87, 77, 87, 32, -173, -36, 0, 55, 95, -14, 96, -95, -55, -53, 7, 34, 10, 83, -64, 134,
    23, 44, -95, 6, -15, -55, -33, -62, -31, -15, 29, 41, 31, 2, 63, 9, 48, -26, 93, -26, 74, -60, -122, 70, -21, -92, -91, -104, -116, -68, 35, -61, 55,
    -34, 72, 14, -25, -15, -101, 11, 50, -126, -119, 70, 60, -46, 92, 48, -85, 43, 53, -23, 32, 19, -30, 103, -10, -114, -7, 98, -66, -7, 129, 1, -70,
    -97, -36, 54, 16, 53, 117, 22, 7, 22, 29, -71, -59, 1, 38, 117, -70, 68, 48, 39, -5, -124, 22, 119, -19, 31, -46, 79, 54, 46, -12, 10, 79, 17, 5, 6,
    -161, 118, -11, 58, -99, 92, 17, 27, 28, -28, 91, 125, -25, 8, 26, 87, -87, 1, 58, -52, -45, 67, -6, -92, -20, 52, -1, -17, -57, -103, -55, -3, -17,
    -96, 84, -2, 41, 32, 74, -20, 110, 75, -18, -161, -27, 35, -9, -65, 30, -45, 91, -31, 76, -3, -93, -33, -32, 49, -105, 55, -1, -57, 23, -35, 38, -8,
    -23, -68, 57, 15, -6, -33, 38, -50, -69, -40, -69, 82, 22, -8, 14, 9, 92, 68,
];

fn at(i: usize) -> f64 {
    f64::from(PATTERN[i % PATTERN.len()]) / 64.0
}

/// Fills the parameters and the running statistics of a module.
pub fn fill(module: &Module) -> Result<(), Error> {
    for (k, (name, tensor)) in module.named_parameters()?.into_iter().enumerate() {
        let rows = tensor.sizes().first().map_or(1, |n| *n as usize);
        let fan = (tensor.numel() / rows.max(1)).max(1) as f64;
        let scale = if tensor.dim() > 1 { (1.0 / fan.sqrt()).log2().round_ties_even().exp2() } else { 0.125 };
        let shift = f64::from(tensor.dim() == 1 && name.ends_with("weight"));
        set(&tensor, |i| at(i + 11 * k) * scale + shift)?;
    }
    for (k, (name, tensor)) in module.named_buffers()?.into_iter().enumerate() {
        if name.ends_with("running_mean") {
            set(&tensor, |i| at(i + 3 * k) * 0.25)?;
        } else if name.ends_with("running_var") {
            set(&tensor, |i| at(i + 5 * k).abs() * 0.5 + 0.75)?;
        }
    }
    Ok(())
}

fn set(tensor: &Tensor, value: impl Fn(usize) -> f64) -> Result<(), Error> {
    let values: Vec<f64> = (0..tensor.numel()).map(value).collect();
    let wrong = || Failure::StateDict(format!("{} has no such values", tensor.dtype()));
    let filled = Tensor::from_f64(&values, tensor.sizes(), tensor.dtype()).ok_or_else(wrong)?;
    Ok(tensor.copy_bytes_from(&filled).map_err(|e| Failure::StateDict(e.to_string()))?)
}
