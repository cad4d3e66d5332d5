//! What a plan may do, each thing on its own; none of it changes a result.

use std::fmt;

/// The switches of a plan, by PyTorch's names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Kernels put their results where the plan says.
    pub enable_out_variant: bool,
    /// Results that are not alive at the same time share memory.
    pub optimize_memory: bool,
    /// Results that leave the function lie in one block of their own.
    pub manage_output_tensors: bool,
    /// What would be a view of its argument (`reshape`, `contiguous`, `to`) is copied to its own place, so that the argument's is free earlier.
    pub use_copy_variants: bool,
    /// Where these operators copy, they copy to the place that the plan has for them.
    pub use_maybe_copy_variants: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            enable_out_variant: true,
            optimize_memory: true,
            manage_output_tensors: true,
            use_copy_variants: false,
            use_maybe_copy_variants: true,
        }
    }
}

type Switch = fn(&mut Options) -> &mut bool;

const SWITCHES: &[(&str, Switch)] = &[
    ("enable_out_variant", |o| &mut o.enable_out_variant),
    ("optimize_memory", |o| &mut o.optimize_memory),
    ("manage_output_tensors", |o| &mut o.manage_output_tensors),
    ("use_copy_variants", |o| &mut o.use_copy_variants),
    ("use_maybe_copy_variants", |o| &mut o.use_maybe_copy_variants),
];

impl Options {
    /// The switches' names.
    pub fn names() -> impl Iterator<Item = &'static str> {
        SWITCHES.iter().map(|s| s.0)
    }

    /// Sets a switch by its name; false when there is none of that name.
    pub fn set(&mut self, name: &str, on: bool) -> bool {
        match SWITCHES.iter().find(|s| s.0 == name) {
            Some((_, switch)) => {
                *switch(self) = on;
                true
            }
            None => false,
        }
    }

    /// All combinations, for tests.
    pub fn all() -> impl Iterator<Item = Options> {
        (0..1u32 << SWITCHES.len()).map(|bits| {
            let mut options = Options::default();
            for (i, (_, switch)) in SWITCHES.iter().enumerate() {
                *switch(&mut options) = bits & (1 << i) != 0;
            }
            options
        })
    }
}

/// `enable_out_variant=true optimize_memory=true …`.
impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut copy = *self;
        for (i, (name, switch)) in SWITCHES.iter().enumerate() {
            write!(f, "{}{name}={}", if i > 0 { " " } else { "" }, switch(&mut copy))?;
        }
        Ok(())
    }
}
