//! Kernels of family `pointwise`. Made by `cargo xtask codegen` from dialects/td/ops/pointwise.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
    ("aten::float_power.Tensor_Tensor", crate::pointwise::float_power),
    ("aten::frexp.Tensor", crate::composed::frexp),
    ("aten::nan_to_num", crate::pointwise::nan_to_num),
    ("aten::neg", crate::complex::neg),
    ("aten::where", crate::index::nonzero_numpy),
    ("aten::float_power.Scalar", crate::pointwise::float_power),
    ("aten::float_power.Tensor_Scalar", crate::pointwise::float_power),
    ("prims::div", crate::composed::prims_div),
    ("prims::frexp", crate::composed::frexp),
];
