//! The classes of packed parameters: what an instance of each holds. Kernels make and read instances, and the texts of their methods are written for
//! these attributes, so that both agree.

/// A class that PyTorch binds in C++, and that archives of quantized models hold instances of.
#[derive(Debug)]
pub struct PackedClass {
    /// Qualified name.
    pub name: &'static str,
    /// Names and types, in the order of slots. The names differ from those of methods.
    pub attributes: &'static [(&'static str, &'static str)],
}

/// A layer's weight, quantized or, where the product is in half precision, in floats.
pub static LINEAR: PackedClass = PackedClass {
    name: "__torch__.torch.classes.quantized.LinearPackedParamsBase",
    attributes: &[("_weight", "Tensor"), ("_bias", "Optional[Tensor]")],
};

const CONV: &[(&str, &str)] = &[
    ("_weight", "Tensor"),
    ("_bias", "Optional[Tensor]"),
    ("_stride", "List[int]"),
    ("_padding", "List[int]"),
    ("_output_padding", "List[int]"),
    ("_dilation", "List[int]"),
    ("_groups", "int"),
    ("_transpose", "bool"),
];
/// A convolution of rank 2; one of rank 1 has a height of 1.
pub static CONV_2D: PackedClass =
    PackedClass { name: "__torch__.torch.classes.quantized.Conv2dPackedParamsBase", attributes: CONV };
pub static CONV_3D: PackedClass =
    PackedClass { name: "__torch__.torch.classes.quantized.Conv3dPackedParamsBase", attributes: CONV };

pub static EMBEDDING: PackedClass = PackedClass {
    name: "__torch__.torch.classes.quantized.EmbeddingPackedParamsBase",
    attributes: &[("_weight", "Tensor"), ("_bit_rate", "int")],
};

/// The weights of one direction of one layer of a recurrent network. `_kind` says what the others are, as PyTorch names it in archives.
pub static CELL: PackedClass = PackedClass {
    name: "__torch__.torch.classes.rnn.CellParamsBase",
    attributes: &[
        ("_kind", "str"),
        ("_tensors", "List[Tensor]"),
        ("_scales", "List[float]"),
        ("_zero_points", "List[int]"),
        ("_packed", "List[__torch__.torch.classes.quantized.LinearPackedParamsBase]"),
    ],
};

impl PackedClass {
    pub fn all() -> [&'static PackedClass; 5] {
        [&LINEAR, &CONV_2D, &CONV_3D, &EMBEDDING, &CELL]
    }
    /// The class of this name.
    pub fn named(name: &str) -> Option<&'static PackedClass> {
        PackedClass::all().into_iter().find(|c| c.name == name)
    }
    /// The slot of an attribute.
    pub fn slot(&self, attribute: &str) -> Option<usize> {
        self.attributes.iter().position(|(name, _)| *name == attribute)
    }
}
