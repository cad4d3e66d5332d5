//! What neural networks are made of: layers, and the losses that models give out.

pub mod activation;
pub mod attention;
pub mod conv;
pub mod conv_pointwise;
pub mod embedding;
pub mod grid;
pub mod loss;
pub mod nested;
pub mod norm;
pub mod pad;
pub mod pool;
pub mod resample;
pub mod rnn;
pub mod sequence;
pub mod upsample;
