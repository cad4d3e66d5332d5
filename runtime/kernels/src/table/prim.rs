//! Kernels of family `prim`. Made by `cargo xtask codegen` from dialects/td/ops/prim.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
    ("aten::_assert_scalar", crate::prim::assert_scalar),
    ("aten::_unwrap_optional", crate::prim::unwrap_optional),
    ("aten::is_grad_enabled", crate::grad::is_enabled),
    ("aten::set_grad_enabled", crate::grad::set_enabled),
    ("aten::warn", crate::prim::warn),
    ("prim::EnumName", crate::prim::enum_name),
    ("prim::EnumValue.float", crate::prim::enum_value),
    ("prim::EnumValue.int", crate::prim::enum_value),
    ("prim::EnumValue.str", crate::prim::enum_value),
    ("prim::IfThenElse", crate::prim::if_then_else),
    ("prim::ModuleContainerIndex.dict", crate::prim::module_container_index),
    ("prim::ModuleContainerIndex.list", crate::prim::module_container_index),
    ("prim::TupleIndex", crate::prim::tuple_index),
    ("prim::TupleUnpack", crate::prim::tuple_unpack),
    ("prim::Uninitialized", crate::prim::uninitialized),
    ("prim::unchecked_cast", crate::prim::identity),
    ("prim::VarConcat", crate::sequence::var_concat),
    ("prim::VarStack", crate::sequence::var_stack),
    ("prim::unchecked_unwrap_optional", crate::prim::identity),
];
