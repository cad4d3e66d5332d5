//! Kernels of family `dict`. Made by `cargo xtask codegen` from dialects/td/ops/dict.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[Option<crate::Kernel>] = &[
    Some(crate::kernel(crate::container::dict::delete)), // aten::Delete.Dict_Tensor
    Some(crate::kernel(crate::container::dict::delete)), // aten::Delete.Dict_bool
    Some(crate::kernel(crate::container::dict::delete)), // aten::Delete.Dict_complex
    Some(crate::kernel(crate::container::dict::delete)), // aten::Delete.Dict_float
    Some(crate::kernel(crate::container::dict::delete)), // aten::Delete.Dict_int
    Some(crate::kernel(crate::container::dict::delete)), // aten::Delete.Dict_str
    Some(crate::kernel(crate::container::dict::contains)), // aten::__contains__.Tensor
    Some(crate::kernel(crate::container::dict::contains)), // aten::__contains__.bool
    Some(crate::kernel(crate::container::dict::contains)), // aten::__contains__.complex
    Some(crate::kernel(crate::container::dict::contains)), // aten::__contains__.float
    Some(crate::kernel(crate::container::dict::contains)), // aten::__contains__.int
    Some(crate::kernel(crate::container::dict::contains)), // aten::__contains__.str
    Some(crate::kernel(crate::container::dict::getitem)), // aten::__getitem__.Dict_Tensor
    Some(crate::kernel(crate::container::dict::getitem)), // aten::__getitem__.Dict_bool
    Some(crate::kernel(crate::container::dict::getitem)), // aten::__getitem__.Dict_complex
    Some(crate::kernel(crate::container::dict::getitem)), // aten::__getitem__.Dict_float
    Some(crate::kernel(crate::container::dict::getitem)), // aten::__getitem__.Dict_int
    Some(crate::kernel(crate::container::dict::getitem)), // aten::__getitem__.Dict_str
    Some(crate::kernel(crate::container::dict::set_item)), // aten::_set_item.Tensor
    Some(crate::kernel(crate::container::dict::set_item)), // aten::_set_item.bool
    Some(crate::kernel(crate::container::dict::set_item)), // aten::_set_item.complex
    Some(crate::kernel(crate::container::dict::set_item)), // aten::_set_item.float
    Some(crate::kernel(crate::container::dict::set_item)), // aten::_set_item.int
    Some(crate::kernel(crate::container::dict::set_item)), // aten::_set_item.str
    Some(crate::kernel(crate::container::dict::clear)), // aten::clear.Tensor
    Some(crate::kernel(crate::container::dict::clear)), // aten::clear.bool
    Some(crate::kernel(crate::container::dict::clear)), // aten::clear.complex
    Some(crate::kernel(crate::container::dict::clear)), // aten::clear.float
    Some(crate::kernel(crate::container::dict::clear)), // aten::clear.int
    Some(crate::kernel(crate::container::dict::clear)), // aten::clear.str
    Some(crate::kernel(crate::container::copy_on_write::copied_dict)), // aten::copy.Dict_Tensor
    Some(crate::kernel(crate::container::copy_on_write::copied_dict)), // aten::copy.Dict_bool
    Some(crate::kernel(crate::container::copy_on_write::copied_dict)), // aten::copy.Dict_complex
    Some(crate::kernel(crate::container::copy_on_write::copied_dict)), // aten::copy.Dict_float
    Some(crate::kernel(crate::container::copy_on_write::copied_dict)), // aten::copy.Dict_int
    Some(crate::kernel(crate::container::copy_on_write::copied_dict)), // aten::copy.Dict_str
    Some(crate::kernel(crate::container::dict::dict)), // aten::dict
    Some(crate::kernel(crate::container::copy_on_write::copied_dict)), // aten::dict.Dict_Tensor
    Some(crate::kernel(crate::container::copy_on_write::copied_dict)), // aten::dict.Dict_bool
    Some(crate::kernel(crate::container::copy_on_write::copied_dict)), // aten::dict.Dict_complex
    Some(crate::kernel(crate::container::copy_on_write::copied_dict)), // aten::dict.Dict_float
    Some(crate::kernel(crate::container::copy_on_write::copied_dict)), // aten::dict.Dict_int
    Some(crate::kernel(crate::container::copy_on_write::copied_dict)), // aten::dict.Dict_str
    Some(crate::kernel(crate::container::dict::dict)), // aten::dict.Tensor
    Some(crate::kernel(crate::container::dict::dict)), // aten::dict.bool
    Some(crate::kernel(crate::container::dict::dict)), // aten::dict.complex
    Some(crate::kernel(crate::container::dict::dict)), // aten::dict.float
    Some(crate::kernel(crate::container::dict::dict)), // aten::dict.int
    Some(crate::kernel(crate::container::dict::dict)), // aten::dict.str
    Some(crate::kernel(crate::container::dict::get_default)), // aten::get.Tensor
    Some(crate::kernel(crate::container::dict::get_default)), // aten::get.bool
    Some(crate::kernel(crate::container::dict::get_default)), // aten::get.complex
    Some(crate::kernel(crate::container::dict::get_default)), // aten::get.default_Tensor
    Some(crate::kernel(crate::container::dict::get_default)), // aten::get.default_bool
    Some(crate::kernel(crate::container::dict::get_default)), // aten::get.default_complex
    Some(crate::kernel(crate::container::dict::get_default)), // aten::get.default_float
    Some(crate::kernel(crate::container::dict::get_default)), // aten::get.default_int
    Some(crate::kernel(crate::container::dict::get_default)), // aten::get.default_str
    Some(crate::kernel(crate::container::dict::get_default)), // aten::get.float
    Some(crate::kernel(crate::container::dict::get_default)), // aten::get.int
    Some(crate::kernel(crate::container::dict::get_default)), // aten::get.str
    Some(crate::kernel(crate::container::dict::items)), // aten::items.Tensor
    Some(crate::kernel(crate::container::dict::items)), // aten::items.bool
    Some(crate::kernel(crate::container::dict::items)), // aten::items.complex
    Some(crate::kernel(crate::container::dict::items)), // aten::items.float
    Some(crate::kernel(crate::container::dict::items)), // aten::items.int
    Some(crate::kernel(crate::container::dict::items)), // aten::items.str
    Some(crate::kernel(crate::container::dict::keys)), // aten::keys.Tensor
    Some(crate::kernel(crate::container::dict::keys)), // aten::keys.bool
    Some(crate::kernel(crate::container::dict::keys)), // aten::keys.complex
    Some(crate::kernel(crate::container::dict::keys)), // aten::keys.float
    Some(crate::kernel(crate::container::dict::keys)), // aten::keys.int
    Some(crate::kernel(crate::container::dict::keys)), // aten::keys.str
    Some(crate::kernel(crate::container::dict::len)), // aten::len.Dict_Tensor
    Some(crate::kernel(crate::container::dict::len)), // aten::len.Dict_bool
    Some(crate::kernel(crate::container::dict::len)), // aten::len.Dict_complex
    Some(crate::kernel(crate::container::dict::len)), // aten::len.Dict_float
    Some(crate::kernel(crate::container::dict::len)), // aten::len.Dict_int
    Some(crate::kernel(crate::container::dict::len)), // aten::len.Dict_str
    Some(crate::kernel(crate::container::dict::pop)), // aten::pop.Dict_Tensor
    Some(crate::kernel(crate::container::dict::pop)), // aten::pop.Dict_bool
    Some(crate::kernel(crate::container::dict::pop)), // aten::pop.Dict_complex
    Some(crate::kernel(crate::container::dict::pop)), // aten::pop.Dict_default_Tensor
    Some(crate::kernel(crate::container::dict::pop)), // aten::pop.Dict_default_bool
    Some(crate::kernel(crate::container::dict::pop)), // aten::pop.Dict_default_complex
    Some(crate::kernel(crate::container::dict::pop)), // aten::pop.Dict_default_float
    Some(crate::kernel(crate::container::dict::pop)), // aten::pop.Dict_default_int
    Some(crate::kernel(crate::container::dict::pop)), // aten::pop.Dict_default_str
    Some(crate::kernel(crate::container::dict::pop)), // aten::pop.Dict_float
    Some(crate::kernel(crate::container::dict::pop)), // aten::pop.Dict_int
    Some(crate::kernel(crate::container::dict::pop)), // aten::pop.Dict_str
    Some(crate::kernel(crate::container::dict::setdefault)), // aten::setdefault.Tensor
    Some(crate::kernel(crate::container::dict::setdefault)), // aten::setdefault.bool
    Some(crate::kernel(crate::container::dict::setdefault)), // aten::setdefault.complex
    Some(crate::kernel(crate::container::dict::setdefault)), // aten::setdefault.float
    Some(crate::kernel(crate::container::dict::setdefault)), // aten::setdefault.int
    Some(crate::kernel(crate::container::dict::setdefault)), // aten::setdefault.str
    Some(crate::kernel(crate::container::dict::update)), // aten::update.Tensor
    Some(crate::kernel(crate::container::dict::update)), // aten::update.bool
    Some(crate::kernel(crate::container::dict::update)), // aten::update.complex
    Some(crate::kernel(crate::container::dict::update)), // aten::update.float
    Some(crate::kernel(crate::container::dict::update)), // aten::update.int
    Some(crate::kernel(crate::container::dict::update)), // aten::update.str
    Some(crate::kernel(crate::container::dict::values)), // aten::values.Tensor
    Some(crate::kernel(crate::container::dict::values)), // aten::values.bool
    Some(crate::kernel(crate::container::dict::values)), // aten::values.complex
    Some(crate::kernel(crate::container::dict::values)), // aten::values.float
    Some(crate::kernel(crate::container::dict::values)), // aten::values.int
    Some(crate::kernel(crate::container::dict::values)), // aten::values.str
    Some(crate::kernel(crate::container::dict::popitem)), // aten::popitem.bool
    Some(crate::kernel(crate::container::dict::popitem)), // aten::popitem.complex
    Some(crate::kernel(crate::container::dict::popitem)), // aten::popitem.float
    Some(crate::kernel(crate::container::dict::popitem)), // aten::popitem.int
    Some(crate::kernel(crate::container::dict::popitem)), // aten::popitem.str
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::delete))), // sconce::Delete.Dict_Tensor
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::delete))), // sconce::Delete.Dict_bool
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::delete))), // sconce::Delete.Dict_complex
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::delete))), // sconce::Delete.Dict_float
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::delete))), // sconce::Delete.Dict_int
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::delete))), // sconce::Delete.Dict_str
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::set_item))), // sconce::_set_item.Tensor
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::set_item))), // sconce::_set_item.bool
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::set_item))), // sconce::_set_item.complex
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::set_item))), // sconce::_set_item.float
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::set_item))), // sconce::_set_item.int
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::set_item))), // sconce::_set_item.str
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::clear))), // sconce::clear.Tensor
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::clear))), // sconce::clear.bool
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::clear))), // sconce::clear.complex
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::clear))), // sconce::clear.float
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::clear))), // sconce::clear.int
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::clear))), // sconce::clear.str
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::pop))), // sconce::pop.Dict_Tensor
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::pop))), // sconce::pop.Dict_bool
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::pop))), // sconce::pop.Dict_complex
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::pop))), // sconce::pop.Dict_default_Tensor
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::pop))), // sconce::pop.Dict_default_bool
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::pop))), // sconce::pop.Dict_default_complex
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::pop))), // sconce::pop.Dict_default_float
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::pop))), // sconce::pop.Dict_default_int
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::pop))), // sconce::pop.Dict_default_str
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::pop))), // sconce::pop.Dict_float
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::pop))), // sconce::pop.Dict_int
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::pop))), // sconce::pop.Dict_str
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::setdefault))), // sconce::setdefault.Tensor
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::setdefault))), // sconce::setdefault.bool
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::setdefault))), // sconce::setdefault.complex
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::setdefault))), // sconce::setdefault.float
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::setdefault))), // sconce::setdefault.int
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::setdefault))), // sconce::setdefault.str
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::update))), // sconce::update.Tensor
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::update))), // sconce::update.bool
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::update))), // sconce::update.complex
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::update))), // sconce::update.float
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::update))), // sconce::update.int
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::update))), // sconce::update.str
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::popitem))), // sconce::popitem.bool
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::popitem))), // sconce::popitem.complex
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::popitem))), // sconce::popitem.float
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::popitem))), // sconce::popitem.int
    Some(|call, args| crate::container::copy_on_write::changed(call, args, crate::kernel(crate::container::dict::popitem))), // sconce::popitem.str
];
