//! Operators on tensors of any meaning: made, viewed, moved, indexed, ordered, drawn and reduced.

pub mod complex;
pub mod copy;
pub mod creation;
pub mod distributions;
pub mod gather_scatter;
pub mod incomplete_gamma;
pub mod index;
pub mod mersenne;
pub mod nonzero;
pub mod polygamma;
pub mod random;
pub mod rearrange;
pub mod reduce;
pub mod scatter;
pub mod sort;
pub mod special;
pub mod statistics;
pub mod tensor_info;
pub mod tie_order;
pub mod unique;
pub mod view;
