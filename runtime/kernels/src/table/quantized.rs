//! Kernels of family `quantized`. Made by `cargo xtask codegen` from dialects/td/ops/quantized.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[Option<crate::Kernel>] = &[
    None, // aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams
    None, // aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams.out
    None, // aten::_make_per_channel_quantized_tensor
    None, // aten::_make_per_channel_quantized_tensor.out
    None, // aten::_make_per_tensor_quantized_tensor
    None, // aten::_make_per_tensor_quantized_tensor.out
    None, // aten::dequantize.self
    Some(crate::composed::dequantized), // aten::dequantize.tensor
    None, // aten::dequantize.self_out
    None, // aten::fake_quantize_per_channel_affine
    None, // aten::fake_quantize_per_channel_affine_cachemask
    None, // aten::fake_quantize_per_channel_affine_cachemask.out
    None, // aten::fake_quantize_per_tensor_affine
    None, // aten::fake_quantize_per_tensor_affine.tensor_qparams
    None, // aten::fake_quantize_per_tensor_affine_cachemask
    None, // aten::fake_quantize_per_tensor_affine_cachemask.out
    None, // aten::int_repr
    None, // aten::int_repr.out
    None, // aten::quantize_per_channel
    None, // aten::quantize_per_channel.out
    None, // aten::quantize_per_tensor
    None, // aten::quantize_per_tensor.out
    None, // aten::quantize_per_tensor.tensor_qparams_out
    None, // quantized::linear
    Some(crate::tensor_info::choose_qparams), // aten::_choose_qparams_per_tensor
    None, // aten::choose_qparams_optimized
    Some(crate::composed::dequantized_any), // aten::dequantize.any
];
