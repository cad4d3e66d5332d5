//! Rows of the op table, family `quantized`. Made by `cargo xtask codegen` from dialects/td/ops/quantized.td; do not edit.

use crate::op::{Numerics::*, OpRecord, Trait::*};

const ROW: OpRecord = OpRecord { family: "quantized", ..OpRecord::DEFAULT };

#[rustfmt::skip]
pub(super) static ROWS: &[OpRecord] = &[
    OpRecord { schema_text: "aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams(Tensor self, Tensor scale, Tensor zero_point, Tensor fake_quant_enabled, int quant_min, int quant_max) -> (Tensor output, Tensor mask)", in_torch_mlir: true, traits: &[Pure], needs: Some("fake quantization"), ..ROW },
    OpRecord { schema_text: "aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams.out(Tensor self, Tensor scale, Tensor zero_point, Tensor fake_quant_enabled, int quant_min, int quant_max, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))", traits: &[OwnDType, Out, Writes], functional: Some("aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams"), needs: Some("fake quantization"), ..ROW },
    OpRecord { schema_text: "aten::_make_per_channel_quantized_tensor(Tensor self, Tensor scale, Tensor zero_point, int axis) -> Tensor", in_torch_mlir: true, traits: &[Pure], needs: Some("a quantized tensor"), ..ROW },
    OpRecord { schema_text: "aten::_make_per_channel_quantized_tensor.out(Tensor self, Tensor scale, Tensor zero_point, int axis, *, Tensor(a!) out) -> Tensor(a!)", traits: &[OwnDType, Out, Writes], functional: Some("aten::_make_per_channel_quantized_tensor"), needs: Some("a quantized tensor"), ..ROW },
    OpRecord { schema_text: "aten::_make_per_tensor_quantized_tensor(Tensor self, float scale, int zero_point) -> Tensor", in_torch_mlir: true, traits: &[Pure], needs: Some("a quantized tensor"), ..ROW },
    OpRecord { schema_text: "aten::_make_per_tensor_quantized_tensor.out(Tensor self, float scale, int zero_point, *, Tensor(a!) out) -> Tensor(a!)", traits: &[OwnDType, Out, Writes], functional: Some("aten::_make_per_tensor_quantized_tensor"), needs: Some("a quantized tensor"), ..ROW },
    OpRecord { schema_text: "aten::dequantize.self(Tensor self) -> Tensor", in_torch_mlir: true, traits: &[Pure], needs: Some("a quantized tensor"), ..ROW },
    OpRecord { schema_text: "aten::dequantize.tensor(Tensor qtensor) -> Tensor", in_torch_mlir: true, traits: &[Pure], shape: Some(crate::shape::like::single_of_first), ..ROW },
    OpRecord { schema_text: "aten::dequantize.self_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", traits: &[OwnDType, Out, Writes], functional: Some("aten::dequantize.self"), needs: Some("a quantized tensor"), ..ROW },
    OpRecord { schema_text: "aten::fake_quantize_per_channel_affine(Tensor self, Tensor scale, Tensor zero_point, int axis, int quant_min, int quant_max) -> Tensor", in_torch_mlir: true, traits: &[Pure], needs: Some("fake quantization"), ..ROW },
    OpRecord { schema_text: "aten::fake_quantize_per_channel_affine_cachemask(Tensor self, Tensor scale, Tensor zero_point, int axis, int quant_min, int quant_max) -> (Tensor output, Tensor mask)", in_torch_mlir: true, traits: &[Pure], needs: Some("fake quantization"), ..ROW },
    OpRecord { schema_text: "aten::fake_quantize_per_channel_affine_cachemask.out(Tensor self, Tensor scale, Tensor zero_point, int axis, int quant_min, int quant_max, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))", traits: &[OwnDType, Out, Writes], functional: Some("aten::fake_quantize_per_channel_affine_cachemask"), needs: Some("fake quantization"), ..ROW },
    OpRecord { schema_text: "aten::fake_quantize_per_tensor_affine(Tensor self, float scale, int zero_point, int quant_min, int quant_max) -> Tensor", in_torch_mlir: true, traits: &[Pure], needs: Some("fake quantization"), ..ROW },
    OpRecord { schema_text: "aten::fake_quantize_per_tensor_affine.tensor_qparams(Tensor self, Tensor scale, Tensor zero_point, int quant_min, int quant_max) -> Tensor", in_torch_mlir: true, traits: &[Pure], needs: Some("fake quantization"), ..ROW },
    OpRecord { schema_text: "aten::fake_quantize_per_tensor_affine_cachemask(Tensor self, float scale, int zero_point, int quant_min, int quant_max) -> (Tensor output, Tensor mask)", in_torch_mlir: true, traits: &[Pure], needs: Some("fake quantization"), ..ROW },
    OpRecord { schema_text: "aten::fake_quantize_per_tensor_affine_cachemask.out(Tensor self, float scale, int zero_point, int quant_min, int quant_max, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))", traits: &[OwnDType, Out, Writes], functional: Some("aten::fake_quantize_per_tensor_affine_cachemask"), needs: Some("fake quantization"), ..ROW },
    OpRecord { schema_text: "aten::int_repr(Tensor self) -> Tensor", in_torch_mlir: true, traits: &[Pure], needs: Some("a quantized tensor"), ..ROW },
    OpRecord { schema_text: "aten::int_repr.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", traits: &[OwnDType, Out, Writes], functional: Some("aten::int_repr"), needs: Some("a quantized tensor"), ..ROW },
    OpRecord { schema_text: "aten::quantize_per_channel(Tensor self, Tensor scales, Tensor zero_points, int axis, ScalarType dtype) -> Tensor", in_torch_mlir: true, traits: &[Pure], needs: Some("a quantized tensor"), ..ROW },
    OpRecord { schema_text: "aten::quantize_per_channel.out(Tensor self, Tensor scales, Tensor zero_points, int axis, ScalarType dtype, *, Tensor(a!) out) -> Tensor(a!)", traits: &[OwnDType, Out, Writes], functional: Some("aten::quantize_per_channel"), needs: Some("a quantized tensor"), ..ROW },
    OpRecord { schema_text: "aten::quantize_per_tensor(Tensor self, float scale, int zero_point, ScalarType dtype) -> Tensor", in_torch_mlir: true, traits: &[Pure], needs: Some("a quantized tensor"), ..ROW },
    OpRecord { schema_text: "aten::quantize_per_tensor.out(Tensor self, float scale, int zero_point, ScalarType dtype, *, Tensor(a!) out) -> Tensor(a!)", traits: &[OwnDType, Out, Writes], functional: Some("aten::quantize_per_tensor"), needs: Some("a quantized tensor"), ..ROW },
    OpRecord { schema_text: "aten::quantize_per_tensor.tensor_qparams_out(Tensor self, Tensor scale, Tensor zero_point, ScalarType dtype, *, Tensor(a!) out) -> Tensor(a!)", traits: &[OwnDType, Out, Writes], needs: Some("a quantized tensor"), ..ROW },
    OpRecord { schema_text: "quantized::linear(Tensor X, __torch__.torch.classes.quantized.LinearPackedParamsBase W_prepack, float Y_scale_i, int Y_zero_point_i) -> Tensor Y", in_torch_mlir: true, traits: &[Pure], needs: Some("a quantized tensor"), ..ROW },
    OpRecord { schema_text: "aten::_choose_qparams_per_tensor(Tensor self, bool reduce_range=False) -> (float, int)", traits: &[Pure], numerics: Close, ..ROW },
    OpRecord { schema_text: "aten::choose_qparams_optimized(Tensor input, int numel, int n_bins, float ratio, int bit_width) -> (Tensor, Tensor)", traits: &[Pure], numerics: Close, needs: Some("fake quantization"), ..ROW },
    OpRecord { schema_text: "aten::dequantize.any(Any tensors) -> Any", traits: &[Pure], ..ROW },
];
