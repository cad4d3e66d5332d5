//! How a tensor's elements are kept: PyTorch's layouts and memory formats, with their names and the numbers under which operators know them.

use std::fmt;

/// A `torch.layout`. The discriminant is PyTorch's number, which TorchScript programs see as `int`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Layout {
    Strided = 0,
    SparseCoo = 1,
    SparseCsr = 2,
    Mkldnn = 3,
    SparseCsc = 4,
    SparseBsr = 5,
    SparseBsc = 6,
    Jagged = 7,
}

/// A `torch.memory_format`. The discriminant is PyTorch's number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum MemoryFormat {
    Contiguous = 0,
    Preserve = 1,
    ChannelsLast = 2,
    ChannelsLast3d = 3,
}

impl Layout {
    /// All layouts in the order of their numbers.
    pub const ALL: [Layout; 8] = {
        use Layout::*;
        [Strided, SparseCoo, SparseCsr, Mkldnn, SparseCsc, SparseBsr, SparseBsc, Jagged]
    };

    /// The name under `torch.`: `strided`, `sparse_coo`.
    pub fn torch_name(self) -> &'static str {
        match self {
            Layout::Strided => "strided",
            Layout::SparseCoo => "sparse_coo",
            Layout::SparseCsr => "sparse_csr",
            Layout::Mkldnn => "_mkldnn",
            Layout::SparseCsc => "sparse_csc",
            Layout::SparseBsr => "sparse_bsr",
            Layout::SparseBsc => "sparse_bsc",
            Layout::Jagged => "jagged",
        }
    }

    pub fn from_torch_name(name: &str) -> Option<Layout> {
        Layout::ALL.into_iter().find(|l| l.torch_name() == name)
    }

    /// PyTorch's number for it.
    pub fn number(self) -> i64 {
        self as i64
    }

    pub fn from_number(number: i64) -> Option<Layout> {
        Layout::ALL.into_iter().find(|layout| layout.number() == number)
    }
}

impl MemoryFormat {
    /// All memory formats in the order of their numbers.
    pub const ALL: [MemoryFormat; 4] =
        [MemoryFormat::Contiguous, MemoryFormat::Preserve, MemoryFormat::ChannelsLast, MemoryFormat::ChannelsLast3d];

    /// The name under `torch.`: `contiguous_format`, `channels_last`.
    pub fn torch_name(self) -> &'static str {
        match self {
            MemoryFormat::Contiguous => "contiguous_format",
            MemoryFormat::Preserve => "preserve_format",
            MemoryFormat::ChannelsLast => "channels_last",
            MemoryFormat::ChannelsLast3d => "channels_last_3d",
        }
    }

    pub fn from_torch_name(name: &str) -> Option<MemoryFormat> {
        MemoryFormat::ALL.into_iter().find(|m| m.torch_name() == name)
    }

    /// PyTorch's number for it.
    pub fn number(self) -> i64 {
        self as i64
    }
}

/// `torch.strided`
impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "torch.{}", self.torch_name())
    }
}

/// `torch.channels_last`
impl fmt::Display for MemoryFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "torch.{}", self.torch_name())
    }
}
