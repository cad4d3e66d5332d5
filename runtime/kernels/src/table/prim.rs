//! Kernels of family `prim`. Made by `cargo xtask codegen` from dialects/td/ops/prim.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[Option<crate::Kernel>] = &[
    Some(crate::prim::assert_scalar), // aten::_assert_scalar
    Some(crate::prim::unwrap_optional), // aten::_unwrap_optional
    Some(crate::prim::autocast_dtype), // aten::get_autocast_dtype
    Some(crate::prim::never), // aten::is_autocast_cpu_enabled
    Some(crate::prim::never), // aten::is_autocast_enabled
    Some(crate::grad::is_enabled), // aten::is_grad_enabled
    Some(crate::grad::set_enabled), // aten::set_grad_enabled
    None, // aten::wait
    Some(crate::prim::warn), // aten::warn
    None, // prim::BroadcastMKLDNNTensors
    None, // prim::BroadcastSizes
    None, // prim::ConstantMKLDNNTensor
    None, // prim::DifferentiableGraph
    Some(crate::prim::enum_name), // prim::EnumName
    Some(crate::prim::enum_value), // prim::EnumValue.float
    Some(crate::prim::enum_value), // prim::EnumValue.int
    Some(crate::prim::enum_value), // prim::EnumValue.str
    None, // prim::FusionGroup
    Some(crate::prim::if_then_else), // prim::IfThenElse
    Some(crate::products::batch_side), // prim::MMBatchSide
    Some(crate::products::tree_reduce), // prim::MMTreeReduce
    Some(crate::prim::module_container_index), // prim::ModuleContainerIndex.dict
    Some(crate::prim::module_container_index), // prim::ModuleContainerIndex.list
    None, // prim::Print
    None, // prim::RaiseException
    None, // prim::RequiresGradCheck
    Some(crate::prim::tuple_index), // prim::TupleIndex
    Some(crate::prim::tuple_unpack), // prim::TupleUnpack
    None, // prim::TypeCheck
    Some(crate::prim::uninitialized), // prim::Uninitialized
    None, // prim::mkldnn_convolution
    None, // prim::profile
    Some(crate::prim::identity), // prim::unchecked_cast
    Some(crate::sequence::var_concat), // prim::VarConcat
    Some(crate::sequence::var_stack), // prim::VarStack
    Some(crate::prim::identity), // prim::unchecked_unwrap_optional
];
