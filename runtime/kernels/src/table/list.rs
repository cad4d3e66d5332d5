//! Kernels of family `list`. Made by `cargo xtask codegen` from dialects/td/ops/list.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[Option<crate::Kernel>] = &[
    Some(crate::kernel(crate::container::list::delete)), // aten::Delete.t
    Some(crate::kernel(crate::container::list::contains)), // aten::__contains__.float_list
    Some(crate::kernel(crate::container::list::contains)), // aten::__contains__.int_list
    Some(crate::kernel(crate::container::list::contains)), // aten::__contains__.str_list
    Some(crate::kernel(crate::container::list::getitem)), // aten::__getitem__.t
    Some(crate::kernel(crate::container::list::set_item)), // aten::_set_item.t
    Some(crate::kernel(crate::container::list::add)), // aten::add.t
    Some(crate::kernel(crate::container::list::add_inplace)), // aten::add_.t
    Some(crate::kernel(crate::container::list::all)), // aten::all.bool
    Some(crate::kernel(crate::container::list::all)), // aten::all.float
    Some(crate::kernel(crate::container::list::all)), // aten::all.int
    Some(crate::kernel(crate::container::list::any)), // aten::any.bool
    Some(crate::kernel(crate::container::list::any)), // aten::any.float
    Some(crate::kernel(crate::container::list::any)), // aten::any.int
    Some(crate::kernel(crate::container::list::any)), // aten::any.str
    Some(crate::kernel(crate::container::list::append)), // aten::append.t
    Some(crate::kernel(crate::container::list::clear)), // aten::clear.t
    Some(crate::kernel(crate::container::copy_on_write::copied_list)), // aten::copy.t
    Some(crate::kernel(crate::container::list::count)), // aten::count.Tensor
    Some(crate::kernel(crate::container::list::count)), // aten::count.bool
    Some(crate::kernel(crate::container::list::count)), // aten::count.float
    Some(crate::kernel(crate::container::list::count)), // aten::count.int
    Some(crate::kernel(crate::container::list::count)), // aten::count.str
    Some(crate::kernel(crate::container::list::eq)), // aten::eq.Tensor_list
    Some(crate::kernel(crate::container::list::eq)), // aten::eq.bool_list
    Some(crate::kernel(crate::container::list::eq)), // aten::eq.float_list
    Some(crate::kernel(crate::container::list::eq)), // aten::eq.int_list
    Some(crate::kernel(crate::container::list::eq)), // aten::eq.str_list
    Some(crate::kernel(crate::container::list::extend)), // aten::extend.t
    Some(crate::kernel(crate::container::list::index)), // aten::index.list_Tensor
    Some(crate::kernel(crate::container::list::index)), // aten::index.list_bool
    Some(crate::kernel(crate::container::list::index)), // aten::index.list_float
    Some(crate::kernel(crate::container::list::index)), // aten::index.list_int
    Some(crate::kernel(crate::container::list::index)), // aten::index.list_str
    Some(crate::kernel(crate::container::list::insert)), // aten::insert.t
    Some(crate::kernel(crate::container::list::len)), // aten::len.any
    Some(crate::kernel(crate::container::list::len)), // aten::len.t
    Some(crate::kernel(crate::container::copy_on_write::copied_list)), // aten::list.t
    Some(crate::kernel(crate::container::list::mul)), // aten::mul.left_t
    Some(crate::kernel(crate::container::list::mul_inplace)), // aten::mul_.t
    Some(crate::kernel(crate::container::list::ne)), // aten::ne.Tensor_list
    Some(crate::kernel(crate::container::list::ne)), // aten::ne.bool_list
    Some(crate::kernel(crate::container::list::ne)), // aten::ne.float_list
    Some(crate::kernel(crate::container::list::ne)), // aten::ne.int_list
    Some(crate::kernel(crate::container::list::ne)), // aten::ne.str_list
    Some(crate::kernel(crate::container::list::pop)), // aten::pop.t
    Some(crate::kernel(crate::container::list::remove)), // aten::remove.Tensor
    Some(crate::kernel(crate::container::list::remove)), // aten::remove.bool
    Some(crate::kernel(crate::container::list::remove)), // aten::remove.float
    Some(crate::kernel(crate::container::list::remove)), // aten::remove.int
    Some(crate::kernel(crate::container::list::remove)), // aten::remove.str
    Some(crate::kernel(crate::container::list::reverse)), // aten::reverse.t
    Some(crate::kernel(crate::container::list::getitem)), // aten::select.t
    Some(crate::kernel(crate::container::list::slice)), // aten::slice.t
    Some(crate::kernel(crate::container::list::sort)), // aten::sort.Tensor
    Some(crate::kernel(crate::container::list::sort)), // aten::sort.any
    Some(crate::kernel(crate::container::list::sort)), // aten::sort.bool
    Some(crate::kernel(crate::container::list::sort)), // aten::sort.float
    Some(crate::kernel(crate::container::list::sort)), // aten::sort.int
    Some(crate::kernel(crate::container::list::sort)), // aten::sort.str
    Some(crate::kernel(crate::container::list::sorted)), // aten::sorted.Tensor
    Some(crate::kernel(crate::container::list::sorted)), // aten::sorted.any
    Some(crate::kernel(crate::container::list::sorted)), // aten::sorted.bool
    Some(crate::kernel(crate::container::list::sorted)), // aten::sorted.float
    Some(crate::kernel(crate::container::list::sorted)), // aten::sorted.int
    Some(crate::kernel(crate::container::list::sorted)), // aten::sorted.str
    Some(crate::kernel(crate::container::list::sum)), // aten::sum.bool
    Some(crate::kernel(crate::container::list::sum)), // aten::sum.complex
    Some(crate::kernel(crate::container::list::sum)), // aten::sum.float
    Some(crate::kernel(crate::container::list::sum)), // aten::sum.int
    Some(crate::kernel(crate::container::list::max_of_two)), // prim::max.bool_list
    Some(crate::kernel(crate::container::list::max_of_two)), // prim::max.float_list
    Some(crate::kernel(crate::container::list::max_of_two)), // prim::max.int_list
    Some(crate::kernel(crate::container::list::max)), // prim::max.self_bool
    Some(crate::kernel(crate::container::list::max)), // prim::max.self_float
    Some(crate::kernel(crate::container::list::max)), // prim::max.self_int
    Some(crate::kernel(crate::container::list::min_of_two)), // prim::min.bool_list
    Some(crate::kernel(crate::container::list::min_of_two)), // prim::min.float_list
    Some(crate::kernel(crate::container::list::min_of_two)), // prim::min.int_list
    Some(crate::kernel(crate::container::list::min)), // prim::min.self_bool
    Some(crate::kernel(crate::container::list::min)), // prim::min.self_float
    Some(crate::kernel(crate::container::list::min)), // prim::min.self_int
    Some(crate::kernel(crate::container::list::tolist)), // prim::tolist
    Some(crate::kernel(crate::container::copy_on_write::copied_list)), // aten::Size
    None, // aten::_efficientzerotensor.out
    Some(crate::kernel(crate::container::list::broadcast_sizes)), // aten::_infer_size
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::_list_to_tensor
    Some(crate::kernel(crate::engine::extra::elsewhere)), // aten::_tensor_to_list
    Some(crate::kernel(crate::tensor::creation::tensor)), // aten::as_tensor.list
    Some(crate::kernel(crate::container::list::broadcast_sizes)), // aten::broadcast_shapes
    Some(crate::kernel(crate::engine::calling::defined)), // aten::empty_permuted
    None, // aten::empty_permuted.out
    Some(crate::kernel(crate::engine::calling::defined)), // prim::ReductionSizes
    Some(crate::kernel(crate::container::list::range_list)), // prim::rangelist
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::list::delete))), // sconce::Delete.t
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::list::set_item))), // sconce::_set_item.t
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::list::add_inplace))), // sconce::add.t
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::list::append))), // sconce::append.t
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::list::clear))), // sconce::clear.t
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::list::extend))), // sconce::extend.t
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::list::insert))), // sconce::insert.t
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::list::mul_inplace))), // sconce::mul.t
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::list::pop))), // sconce::pop.t
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::list::remove))), // sconce::remove.Tensor
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::list::remove))), // sconce::remove.bool
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::list::remove))), // sconce::remove.float
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::list::remove))), // sconce::remove.int
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::list::remove))), // sconce::remove.str
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::list::reverse))), // sconce::reverse.t
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::list::sort))), // sconce::sort.Tensor
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::list::sort))), // sconce::sort.any
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::list::sort))), // sconce::sort.bool
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::list::sort))), // sconce::sort.float
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::list::sort))), // sconce::sort.int
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::list::sort))), // sconce::sort.str
];
