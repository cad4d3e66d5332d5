//! Kernels of family `prim`. Made by `cargo xtask codegen` from dialects/td/ops/prim.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[Option<crate::Kernel>] = &[
    Some(crate::kernel(crate::container::prim::assert_async)), // aten::_assert_async
    Some(crate::kernel(crate::container::prim::assert_tensor)), // aten::_assert_async.msg
    Some(crate::kernel(crate::container::prim::assert_scalar)), // aten::_assert_scalar
    Some(crate::kernel(crate::container::prim::unwrap_optional)), // aten::_unwrap_optional
    Some(crate::kernel(crate::container::prim::autocast_dtype)), // aten::get_autocast_dtype
    Some(crate::kernel(crate::container::prim::never)), // aten::is_autocast_cpu_enabled
    Some(crate::kernel(crate::container::prim::never)), // aten::is_autocast_enabled
    Some(crate::kernel(crate::engine::grad::enabled)), // aten::is_grad_enabled
    Some(crate::kernel(crate::engine::grad::set_enabled)), // aten::set_grad_enabled
    None, // aten::wait
    Some(crate::kernel(crate::container::prim::warn)), // aten::warn
    None, // prim::BroadcastMKLDNNTensors
    None, // prim::BroadcastSizes
    None, // prim::ConstantMKLDNNTensor
    None, // prim::DifferentiableGraph
    Some(crate::kernel(crate::container::prim::enum_name)), // prim::EnumName
    Some(crate::kernel(crate::container::prim::enum_value)), // prim::EnumValue.float
    Some(crate::kernel(crate::container::prim::enum_value)), // prim::EnumValue.int
    Some(crate::kernel(crate::container::prim::enum_value)), // prim::EnumValue.str
    None, // prim::FusionGroup
    Some(crate::kernel(crate::container::prim::if_then_else)), // prim::IfThenElse
    Some(crate::kernel(crate::engine::extra::elsewhere)), // prim::MMBatchSide
    Some(crate::kernel(crate::engine::extra::elsewhere)), // prim::MMTreeReduce
    Some(crate::kernel(crate::container::prim::module_container_index)), // prim::ModuleContainerIndex.dict
    Some(crate::kernel(crate::container::prim::module_container_index)), // prim::ModuleContainerIndex.list
    None, // prim::Print
    None, // prim::RaiseException
    None, // prim::RequiresGradCheck
    Some(crate::kernel(crate::container::prim::tuple_index)), // prim::TupleIndex
    Some(crate::kernel(crate::container::prim::tuple_unpack)), // prim::TupleUnpack
    None, // prim::TypeCheck
    Some(crate::kernel(crate::container::prim::uninitialized)), // prim::Uninitialized
    None, // prim::mkldnn_convolution
    None, // prim::profile
    Some(crate::kernel(crate::container::prim::identity)), // prim::unchecked_cast
    Some(crate::kernel(crate::nn::sequence::var_concat)), // prim::VarConcat
    Some(crate::kernel(crate::nn::sequence::var_stack)), // prim::VarStack
    Some(crate::kernel(crate::container::prim::identity)), // prim::unchecked_unwrap_optional
];
