//! Operators on tensors of any meaning: made, viewed, moved, indexed, ordered, drawn and reduced.

pub mod complex;
pub mod conjugate;
pub mod copy;
pub mod creation;
pub mod fold;
pub mod gather_scatter;
pub mod index;
pub mod nonzero;
pub mod random;
pub mod rearrange;
pub mod reduce;
pub mod scatter;
pub mod sort;
pub mod tensor_info;
pub mod tie_order;
pub mod unique;
pub mod view;
