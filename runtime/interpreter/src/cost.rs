//! What work costs in fuel where it is more than an instruction: fuel bounds the time of a run whatever its program asks for.

use sconce_kernels::direct::Arguments;
use sconce_tensor::IValue;

/// Elements that are read in about the time of an instruction.
pub const ELEMENTS: u64 = 64;

/// Beginning a task and waiting for it.
pub const FORK: u64 = 500;

/// A call of a function: a frame and its registers.
pub const CALL: i64 = 60;

/// An operator on tensors of a few elements.
const OPERATOR: u64 = 30;

/// An operator on these arguments, beside its own instruction. What it makes is bounded by memory, what it reads is not: a view may be of any size.
#[inline]
pub fn of_arguments(arguments: &[IValue]) -> u64 {
    let tensor = |v: &IValue| if let IValue::Tensor(t) = v { t.numel() as u64 } else { 0 };
    of_elements(arguments.iter().map(tensor))
}

/// The same on operands that are read where they lie.
#[inline]
pub fn of_operands(operands: &Arguments<'_>) -> u64 {
    of_elements((0..operands.sources.len()).map(|i| operands.tensor(i).map_or(0, |t| t.numel() as u64)))
}

#[inline]
fn of_elements(counts: impl Iterator<Item = u64>) -> u64 {
    let mut elements = 0u64;
    for count in counts {
        elements = elements.saturating_add(count);
    }
    OPERATOR + elements / ELEMENTS
}
