//! Kernels that models hardly call: special functions, decompositions and solutions, Fourier transforms, histograms, alignments, rare draws, derivatives,
//! optimisers' steps, what is done to each of a list, rare losses, pools and regions.
//!
//! They are written as any crate outside would write kernels, and the smallest runtime does without them. Which operator has which is said by its record, as
//! for every other: `cargo xtask codegen` sees that the function is here and writes `table.rs`.
#![forbid(unsafe_code)]

mod attention_math;
mod bags;
mod batch_mm;
mod conv_gradients;
mod counts;
mod ctc;
mod decompositions;
mod distances;
mod distributions;
mod draws;
mod eigen;
mod embedding_rows;
mod exponents;
mod facts;
mod fake;
mod fft;
mod field;
mod foreach;
mod fractional;
mod gradients;
mod grid_gradients;
mod grouped_mm;
mod incomplete_gamma;
mod ldl;
mod likelihoods;
mod log_sigmoid;
mod lu;
mod mkldnn;
mod nan_to_num;
mod optimizer;
mod outer_sums;
mod pieces;
mod polygamma;
mod position_sensitive;
mod quantized_parts;
mod rotated;
mod rrelu;
mod scattered;
mod selection;
mod solvers;
mod special;
mod statistics;
mod stft;
mod table;
mod window_gradients;

use sconce_kernels::Kernel;
use sconce_schema::Trait;

/// Makes the kernels known to whoever calls operators in this process.
pub fn install() {
    sconce_kernels::extend(kernel);
}

/// The kernel of an operator of the table, by its full name.
fn kernel(name: &str) -> Option<Kernel> {
    match table::KERNELS.binary_search_by(|row| row.0.cmp(name)) {
        Ok(at) => Some(table::KERNELS[at].1),
        // What is done to each element of lists.
        Err(_) => sconce_schema::lookup(name).filter(|op| op.has(Trait::Each)).map(|_| foreach::each as Kernel),
    }
}
