//! Kernels that models hardly call: special functions, decompositions and solutions, Fourier transforms, histograms, alignments, draws by rejection, derivatives,
//! optimisers' steps and rare pools.
//!
//! They are written as any crate outside would write kernels, and the smallest runtime does without them. Which operator has which is said by its record, as
//! for every other: `cargo xtask codegen` sees that the function is here and writes `table.rs`.
#![forbid(unsafe_code)]

mod bags;
mod counts;
mod ctc;
mod decompositions;
mod distances;
mod distributions;
mod eigen;
mod exponents;
mod fake;
mod fft;
mod fractional;
mod gradients;
mod grouped_mm;
mod incomplete_gamma;
mod ldl;
mod lu;
mod optimizer;
mod polygamma;
mod rotated;
mod rrelu;
mod solvers;
mod special;
mod statistics;
mod stft;
mod table;

use sconce_kernels::Kernel;

/// Makes the kernels known to whoever calls operators in this process.
pub fn install() {
    sconce_kernels::extend(kernel);
}

/// The kernel of an operator of the table, by its full name.
fn kernel(name: &str) -> Option<Kernel> {
    let at = table::KERNELS.binary_search_by(|row| row.0.cmp(name)).ok()?;
    Some(table::KERNELS[at].1)
}
