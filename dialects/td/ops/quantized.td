//===- quantized.td - The op table: quantisation -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams(Tensor self, Tensor scale, Tensor zero_point, Tensor fake_quant_enabled, int quant_min, int quant_max) -> (Tensor output, Tensor mask)", [TorchMlir]> { let needs = "fake quantization"; }
def : Op<"aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams.out(Tensor self, Tensor scale, Tensor zero_point, Tensor fake_quant_enabled, int quant_min, int quant_max, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))", [OwnDType]> { let needs = "fake quantization"; }
def : Op<"aten::_make_per_channel_quantized_tensor(Tensor self, Tensor scale, Tensor zero_point, int axis) -> Tensor", [TorchMlir]> { let needs = "a quantized tensor"; }
def : Op<"aten::_make_per_channel_quantized_tensor.out(Tensor self, Tensor scale, Tensor zero_point, int axis, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]> { let needs = "a quantized tensor"; }
def : Op<"aten::_make_per_tensor_quantized_tensor(Tensor self, float scale, int zero_point) -> Tensor", [TorchMlir]> { let needs = "a quantized tensor"; }
def : Op<"aten::_make_per_tensor_quantized_tensor.out(Tensor self, float scale, int zero_point, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]> { let needs = "a quantized tensor"; }
def : Op<"aten::dequantize.self(Tensor self) -> Tensor", [MayView, TorchMlir]> { let needs = "a quantized tensor"; }
def : Op<"aten::dequantize.tensor(Tensor qtensor) -> Tensor", [MayView, TorchMlir]> { let shape = "like::single_of_first"; let kernel = "composed::dequantized"; }
def : Op<"aten::dequantize.self_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]> { let needs = "a quantized tensor"; }
def : Op<"aten::fake_quantize_per_channel_affine(Tensor self, Tensor scale, Tensor zero_point, int axis, int quant_min, int quant_max) -> Tensor", [TorchMlir]> { let needs = "fake quantization"; }
def : Op<"aten::fake_quantize_per_channel_affine_cachemask(Tensor self, Tensor scale, Tensor zero_point, int axis, int quant_min, int quant_max) -> (Tensor output, Tensor mask)", [TorchMlir]> { let needs = "fake quantization"; }
def : Op<"aten::fake_quantize_per_channel_affine_cachemask.out(Tensor self, Tensor scale, Tensor zero_point, int axis, int quant_min, int quant_max, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))", [OwnDType]> { let needs = "fake quantization"; }
def : Op<"aten::fake_quantize_per_tensor_affine(Tensor self, float scale, int zero_point, int quant_min, int quant_max) -> Tensor", [TorchMlir]> { let needs = "fake quantization"; }
def : Op<"aten::fake_quantize_per_tensor_affine.tensor_qparams(Tensor self, Tensor scale, Tensor zero_point, int quant_min, int quant_max) -> Tensor", [TorchMlir]> { let needs = "fake quantization"; }
def : Op<"aten::fake_quantize_per_tensor_affine_cachemask(Tensor self, float scale, int zero_point, int quant_min, int quant_max) -> (Tensor output, Tensor mask)", [TorchMlir]> { let needs = "fake quantization"; }
def : Op<"aten::fake_quantize_per_tensor_affine_cachemask.out(Tensor self, float scale, int zero_point, int quant_min, int quant_max, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))", [OwnDType]> { let needs = "fake quantization"; }
def : Op<"aten::int_repr(Tensor self) -> Tensor", [TorchMlir]> { let needs = "a quantized tensor"; }
def : Op<"aten::int_repr.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]> { let needs = "a quantized tensor"; }
def : Op<"aten::quantize_per_channel(Tensor self, Tensor scales, Tensor zero_points, int axis, ScalarType dtype) -> Tensor", [TorchMlir]> { let needs = "a quantized tensor"; }
def : Op<"aten::quantize_per_channel.out(Tensor self, Tensor scales, Tensor zero_points, int axis, ScalarType dtype, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]> { let needs = "a quantized tensor"; }
def : Op<"aten::quantize_per_tensor(Tensor self, float scale, int zero_point, ScalarType dtype) -> Tensor", [TorchMlir]> { let needs = "a quantized tensor"; }
def : Op<"aten::quantize_per_tensor.out(Tensor self, float scale, int zero_point, ScalarType dtype, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]> { let needs = "a quantized tensor"; }
def : Op<"aten::quantize_per_tensor.tensor_qparams_out(Tensor self, Tensor scale, Tensor zero_point, ScalarType dtype, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]> { let needs = "a quantized tensor"; }
def : Op<"quantized::linear(Tensor X, __torch__.torch.classes.quantized.LinearPackedParamsBase W_prepack, float Y_scale_i, int Y_zero_point_i) -> Tensor Y", [TorchMlir]> { let needs = "a quantized tensor"; }
def : Op<"aten::_choose_qparams_per_tensor(Tensor self, bool reduce_range=False) -> (float, int)"> { let numerics = Close; let kernel = "tensor_info::choose_qparams"; }
def : Op<"aten::choose_qparams_optimized(Tensor input, int numel, int n_bins, float ratio, int bit_width) -> (Tensor, Tensor)"> { let numerics = Close; let needs = "fake quantization"; }def : Op<"aten::dequantize.any(Any tensors) -> Any"> { let kernel = "composed::dequantized_any"; }
