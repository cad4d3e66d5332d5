//! Compiled regions as the interpreter sees them: something that takes values and either gives values or declines.

use crate::fuel::Fuel;
use crate::program::{Condition, Guard, Target};
use sconce_kernels::{Error, Outputs};
use sconce_tensor::IValue;

/// Code for a region of a program, loaded and ready.
pub trait CompiledRegion: Send + Sync {
    /// The region's results; `None` when a guard fails, so that the interpreter runs the region's own bytecode.
    /// The inputs are not written to, and no result shares storage with them. Loops whose turns nobody knew take their fuel as they go on; where it ends
    /// the region declines.
    fn run(&self, inputs: &[IValue], fuel: &Fuel) -> Result<Option<Outputs>, Error>;

    /// Where it runs.
    fn target(&self) -> Target;
}

/// How a region was run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RegionCounts {
    pub compiled: u64,
    pub fallback: u64,
}

impl Guard {
    /// Whether the inputs satisfy it.
    pub fn holds(&self, inputs: &[IValue]) -> bool {
        let tensor = |i: u32| match inputs.get(i as usize) {
            Some(IValue::Tensor(t)) => Some(t),
            _ => None,
        };
        let size = |i: u32, dim: u32| tensor(i).and_then(|t| t.sizes().get(dim as usize).copied());
        let Some(value) = inputs.get(self.input as usize) else { return false };
        let this = tensor(self.input);
        match &self.condition {
            // Machine code knows no nested tensors.
            Condition::DType(d) => this.is_some_and(|t| t.dtype() == *d && t.lengths().is_none()),
            Condition::Rank(r) => this.is_some_and(|t| t.dim() == *r as usize),
            Condition::Size { dim, size: s } => size(self.input, *dim) == Some(*s),
            Condition::Multiple { dim, of } => size(self.input, *dim).is_some_and(|s| *of != 0 && s % of == 0),
            Condition::SameSize { dim, other, other_dim } => {
                size(self.input, *dim).is_some_and(|s| size(*other, *other_dim) == Some(s))
            }
            Condition::Contiguous => this.is_some_and(|t| t.is_contiguous()),
            Condition::Device(kind) => this.is_some_and(|t| t.device().kind == *kind),
            Condition::Int(n) => matches!(value, IValue::Int(v) if v == n),
            Condition::Bool(b) => matches!(value, IValue::Bool(v) if v == b),
            Condition::Float(f) => matches!(value, IValue::Double(v) if v.to_bits() == f.to_bits()),
            Condition::IsNone => value.is_none(),
        }
    }
}
