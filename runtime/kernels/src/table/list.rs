//! Kernels of family `list`. Made by `cargo xtask codegen` from dialects/td/ops/list.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[Option<crate::Kernel>] = &[
    Some(crate::list::delete), // aten::Delete.t
    Some(crate::list::contains), // aten::__contains__.float_list
    Some(crate::list::contains), // aten::__contains__.int_list
    Some(crate::list::contains), // aten::__contains__.str_list
    Some(crate::list::getitem), // aten::__getitem__.t
    Some(crate::list::set_item), // aten::_set_item.t
    Some(crate::list::add), // aten::add.t
    Some(crate::list::add_inplace), // aten::add_.t
    Some(crate::list::all), // aten::all.bool
    Some(crate::list::all), // aten::all.float
    Some(crate::list::all), // aten::all.int
    Some(crate::list::any), // aten::any.bool
    Some(crate::list::any), // aten::any.float
    Some(crate::list::any), // aten::any.int
    Some(crate::list::any), // aten::any.str
    Some(crate::list::append), // aten::append.t
    Some(crate::list::clear), // aten::clear.t
    Some(crate::list::copy), // aten::copy.t
    Some(crate::list::count), // aten::count.Tensor
    Some(crate::list::count), // aten::count.bool
    Some(crate::list::count), // aten::count.float
    Some(crate::list::count), // aten::count.int
    Some(crate::list::count), // aten::count.str
    Some(crate::list::eq), // aten::eq.Tensor_list
    Some(crate::list::eq), // aten::eq.bool_list
    Some(crate::list::eq), // aten::eq.float_list
    Some(crate::list::eq), // aten::eq.int_list
    Some(crate::list::eq), // aten::eq.str_list
    Some(crate::list::extend), // aten::extend.t
    Some(crate::list::index), // aten::index.list_Tensor
    Some(crate::list::index), // aten::index.list_bool
    Some(crate::list::index), // aten::index.list_float
    Some(crate::list::index), // aten::index.list_int
    Some(crate::list::index), // aten::index.list_str
    Some(crate::list::insert), // aten::insert.t
    Some(crate::list::len), // aten::len.any
    Some(crate::list::len), // aten::len.t
    Some(crate::list::copy), // aten::list.t
    Some(crate::list::mul), // aten::mul.left_t
    Some(crate::list::mul_inplace), // aten::mul_.t
    Some(crate::list::ne), // aten::ne.Tensor_list
    Some(crate::list::ne), // aten::ne.bool_list
    Some(crate::list::ne), // aten::ne.float_list
    Some(crate::list::ne), // aten::ne.int_list
    Some(crate::list::ne), // aten::ne.str_list
    Some(crate::list::pop), // aten::pop.t
    Some(crate::list::remove), // aten::remove.Tensor
    Some(crate::list::remove), // aten::remove.bool
    Some(crate::list::remove), // aten::remove.float
    Some(crate::list::remove), // aten::remove.int
    Some(crate::list::remove), // aten::remove.str
    Some(crate::list::reverse), // aten::reverse.t
    Some(crate::list::getitem), // aten::select.t
    Some(crate::list::slice), // aten::slice.t
    Some(crate::list::sort), // aten::sort.Tensor
    Some(crate::list::sort), // aten::sort.any
    Some(crate::list::sort), // aten::sort.bool
    Some(crate::list::sort), // aten::sort.float
    Some(crate::list::sort), // aten::sort.int
    Some(crate::list::sort), // aten::sort.str
    Some(crate::list::sorted), // aten::sorted.Tensor
    Some(crate::list::sorted), // aten::sorted.any
    Some(crate::list::sorted), // aten::sorted.bool
    Some(crate::list::sorted), // aten::sorted.float
    Some(crate::list::sorted), // aten::sorted.int
    Some(crate::list::sorted), // aten::sorted.str
    Some(crate::list::sum), // aten::sum.bool
    Some(crate::list::sum), // aten::sum.complex
    Some(crate::list::sum), // aten::sum.float
    Some(crate::list::sum), // aten::sum.int
    Some(crate::list::max_of_two), // prim::max.bool_list
    Some(crate::list::max_of_two), // prim::max.float_list
    Some(crate::list::max_of_two), // prim::max.int_list
    Some(crate::list::max), // prim::max.self_bool
    Some(crate::list::max), // prim::max.self_float
    Some(crate::list::max), // prim::max.self_int
    Some(crate::list::min_of_two), // prim::min.bool_list
    Some(crate::list::min_of_two), // prim::min.float_list
    Some(crate::list::min_of_two), // prim::min.int_list
    Some(crate::list::min), // prim::min.self_bool
    Some(crate::list::min), // prim::min.self_float
    Some(crate::list::min), // prim::min.self_int
    Some(crate::list::tolist), // prim::tolist
    Some(crate::list::copy), // aten::Size
    None, // aten::_efficientzerotensor.out
    Some(crate::list::broadcast_sizes), // aten::_infer_size
    Some(crate::tensor_info::list_to_tensor), // aten::_list_to_tensor
    Some(crate::tensor_info::tensor_to_list), // aten::_tensor_to_list
    Some(crate::creation::tensor), // aten::as_tensor.list
    Some(crate::list::broadcast_sizes), // aten::broadcast_shapes
    Some(crate::composed::empty_permuted), // aten::empty_permuted
    None, // aten::empty_permuted.out
    Some(crate::composed::reduction_sizes), // prim::ReductionSizes
    Some(crate::list::range_list), // prim::rangelist
    Some(|call, args| crate::own::changed(call, args, crate::list::delete)), // sconce::Delete.t
    Some(|call, args| crate::own::changed(call, args, crate::list::set_item)), // sconce::_set_item.t
    Some(|call, args| crate::own::changed(call, args, crate::list::add_inplace)), // sconce::add.t
    Some(|call, args| crate::own::changed(call, args, crate::list::append)), // sconce::append.t
    Some(|call, args| crate::own::changed(call, args, crate::list::clear)), // sconce::clear.t
    Some(|call, args| crate::own::changed(call, args, crate::list::extend)), // sconce::extend.t
    Some(|call, args| crate::own::changed(call, args, crate::list::insert)), // sconce::insert.t
    Some(|call, args| crate::own::changed(call, args, crate::list::mul_inplace)), // sconce::mul.t
    Some(|call, args| crate::own::changed(call, args, crate::list::pop)), // sconce::pop.t
    Some(|call, args| crate::own::changed(call, args, crate::list::remove)), // sconce::remove.Tensor
    Some(|call, args| crate::own::changed(call, args, crate::list::remove)), // sconce::remove.bool
    Some(|call, args| crate::own::changed(call, args, crate::list::remove)), // sconce::remove.float
    Some(|call, args| crate::own::changed(call, args, crate::list::remove)), // sconce::remove.int
    Some(|call, args| crate::own::changed(call, args, crate::list::remove)), // sconce::remove.str
    Some(|call, args| crate::own::changed(call, args, crate::list::reverse)), // sconce::reverse.t
    Some(|call, args| crate::own::changed(call, args, crate::list::sort)), // sconce::sort.Tensor
    Some(|call, args| crate::own::changed(call, args, crate::list::sort)), // sconce::sort.any
    Some(|call, args| crate::own::changed(call, args, crate::list::sort)), // sconce::sort.bool
    Some(|call, args| crate::own::changed(call, args, crate::list::sort)), // sconce::sort.float
    Some(|call, args| crate::own::changed(call, args, crate::list::sort)), // sconce::sort.int
    Some(|call, args| crate::own::changed(call, args, crate::list::sort)), // sconce::sort.str
];
