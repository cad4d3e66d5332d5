//! Kernels of family `copy`. Made by `cargo xtask codegen` from dialects/td/ops/copy.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
    ("aten::_cast_Float", crate::copy::cast_float),
    ("aten::_cast_Long", crate::copy::cast_long),
    ("aten::_to_copy", crate::copy::to_copy),
    ("aten::clone", crate::copy::clone),
    ("aten::contiguous", crate::copy::contiguous),
    ("aten::copy", crate::copy::copy),
    ("aten::copy_", crate::copy::copy_inplace),
    ("aten::copy_.Tensor", crate::copy::copy_inplace),
    ("aten::copy_.float", crate::copy::copy_inplace),
    ("aten::copy_.int", crate::copy::copy_inplace),
    ("aten::cpu", crate::copy::cpu),
    ("aten::lift_fresh_copy", crate::copy::plain_copy),
    ("aten::resize", crate::copy::resize),
    ("aten::resize_", crate::copy::resize_inplace),
    ("aten::to.device", crate::copy::to_device),
    ("aten::to.dtype", crate::copy::to_dtype),
    ("aten::to.dtype_layout", crate::copy::to_dtype_layout),
    ("aten::to.other", crate::copy::to_other),
    ("aten::to.prim_Device", crate::copy::to_prim_device),
    ("aten::to.prim_dtype", crate::copy::to_dtype),
    ("aten::to.prim_other", crate::copy::to_prim_other),
    ("aten::to_dense", crate::copy::to_dense),
    ("aten::type_as", crate::copy::type_as),
    ("prims::convert_element_type", crate::copy::convert_element_type),
];
