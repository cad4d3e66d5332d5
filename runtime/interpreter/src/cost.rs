//! What work costs in fuel where it is more than an instruction: fuel bounds the time of a run whatever its program asks for.

use sconce_tensor::IValue;

/// Elements that are read in about the time of an instruction.
const ELEMENTS: u64 = 64;

/// Beginning a task and waiting for it.
pub const FORK: u64 = 500;

/// A call of a function: a frame and its registers.
pub const CALL: i64 = 60;

/// An operator on tensors of a few elements.
const OPERATOR: u64 = 30;

/// An operator on these arguments, beside its own instruction. What it makes is bounded by memory, what it reads is not: a view may be of any size.
#[inline]
pub fn of_arguments(arguments: &[IValue]) -> u64 {
    let elements = |v: &IValue| if let IValue::Tensor(t) = v { t.numel() as u64 } else { 0 };
    OPERATOR + arguments.iter().map(elements).fold(0, u64::saturating_add) / ELEMENTS
}
