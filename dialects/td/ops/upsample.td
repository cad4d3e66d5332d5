//===- upsample.td - The op table: interpolation and resampling -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::__interpolate(Tensor input, int? size=None, float? scale_factor=None, str mode=\"nearest\", bool? align_corners=None, bool? recompute_scale_factor=None, bool antialias=False) -> Tensor", [ScriptOnly]> { let numerics = Close; let shape = "like::dtype_of_first"; }
def : Op<"aten::__interpolate.scale_list(Tensor input, int? size=None, float[]? scale_factor=None, str mode=\"nearest\", bool? align_corners=None, bool? recompute_scale_factor=None, bool antialias=False) -> Tensor", [ScriptOnly]> { let numerics = Close; let shape = "like::dtype_of_first"; }
def : Op<"aten::__interpolate.size_list(Tensor input, int[]? size=None, float? scale_factor=None, str mode=\"nearest\", bool? align_corners=None, bool? recompute_scale_factor=None, bool antialias=False) -> Tensor", [ScriptOnly]> { let numerics = Close; let shape = "like::dtype_of_first"; }
def : Op<"aten::__interpolate.size_list_scale_list(Tensor input, int[]? size=None, float[]? scale_factor=None, str mode=\"nearest\", bool? align_corners=None, bool? recompute_scale_factor=None, bool antialias=False) -> Tensor", [TorchMlir, ScriptOnly]> { let numerics = Close; let shape = "like::dtype_of_first"; }

def : Op<"aten::__upsample(Tensor input, int? size=None, int? scale_factor=None, str mode=\"nearest\", bool? align_corners=None) -> Tensor", [ScriptOnly]> { let numerics = Close; let shape = "like::dtype_of_first"; }
def : Op<"aten::__upsample.size_list(Tensor input, int[]? size=None, int? scale_factor=None, str mode=\"nearest\", bool? align_corners=None) -> Tensor", [ScriptOnly]> { let numerics = Close; let shape = "like::dtype_of_first"; }

def : Op<"aten::__upsample_bilinear(Tensor input, int? size=None, int? scale_factor=None) -> Tensor", [ScriptOnly]> { let numerics = Close; let shape = "like::dtype_of_first"; }
def : Op<"aten::__upsample_bilinear.scale_list(Tensor input, int? size=None, int[]? scale_factor=None) -> Tensor", [ScriptOnly]> { let numerics = Close; let shape = "like::dtype_of_first"; }
def : Op<"aten::__upsample_bilinear.size_list(Tensor input, int[]? size=None, int? scale_factor=None) -> Tensor", [ScriptOnly]> { let numerics = Close; let shape = "like::dtype_of_first"; }
def : Op<"aten::__upsample_bilinear.size_list_scale_list(Tensor input, int[]? size=None, int[]? scale_factor=None) -> Tensor", [ScriptOnly]> { let numerics = Close; let shape = "like::dtype_of_first"; }

def : Op<"aten::__upsample_nearest(Tensor input, int? size=None, int? scale_factor=None) -> Tensor", [ScriptOnly]> { let numerics = Close; let shape = "like::dtype_of_first"; }
def : Op<"aten::__upsample_nearest.size_list(Tensor input, int[]? size=None, int? scale_factor=None) -> Tensor", [ScriptOnly]> { let numerics = Close; let shape = "like::dtype_of_first"; }

def : Op<"aten::_upsample_bicubic2d_aa(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor"> { let numerics = Close; let shape = "upsample::smooth2d"; let kernel = "upsample::smooth_cubic"; let refuses = [NoKernel<"compute_index_ranges_weights", [HalfFloats]>]; }
def : Op<"aten::_upsample_bicubic2d_aa.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor"> { let numerics = Close; let shape = "upsample::smooth2d_vec"; let kernel = "upsample::smooth_cubic_vec"; let refuses = [NoKernel<"compute_index_ranges_weights", [HalfFloats]>]; }
def : Op<"aten::_upsample_bicubic2d_aa.out(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::_upsample_bilinear2d_aa(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor"> { let numerics = Close; let shape = "upsample::smooth2d"; let kernel = "upsample::smooth_linear"; let refuses = [NoKernel<"compute_index_ranges_weights", [HalfFloats]>]; }
def : Op<"aten::_upsample_bilinear2d_aa.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor"> { let numerics = Close; let shape = "upsample::smooth2d_vec"; let kernel = "upsample::smooth_linear_vec"; let refuses = [NoKernel<"compute_index_ranges_weights", [HalfFloats]>]; }
def : Op<"aten::_upsample_bilinear2d_aa.out(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::_upsample_lanczos2d_aa(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor"> { let numerics = Close; let shape = "upsample::smooth2d"; let kernel = "upsample::smooth_lanczos"; let refuses = [NoKernel<"compute_index_ranges_weights", [HalfFloats]>]; }
def : Op<"aten::_upsample_lanczos2d_aa.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor"> { let numerics = Close; let shape = "upsample::smooth2d_vec"; let kernel = "upsample::smooth_lanczos_vec"; let refuses = [NoKernel<"compute_index_ranges_weights", [HalfFloats]>]; }
def : Op<"aten::_upsample_lanczos2d_aa.out(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::_upsample_nearest_exact1d(Tensor self, SymInt[1] output_size, float? scales=None) -> Tensor"> { let numerics = Close; let shape = "upsample::nearest1d"; let kernel = "upsample::nearest_exact"; let quantized = "over_numbers::keep"; }
def : Op<"aten::_upsample_nearest_exact1d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor"> { let numerics = Close; let shape = "upsample::nearest1d_vec"; let kernel = "upsample::nearest_exact_vec"; let quantized = "over_numbers::keep"; }
def : Op<"aten::_upsample_nearest_exact1d.out(Tensor self, SymInt[1] output_size, float? scales=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::_upsample_nearest_exact2d(Tensor self, SymInt[2] output_size, float? scales_h=None, float? scales_w=None) -> Tensor"> { let numerics = Close; let shape = "upsample::nearest2d"; let kernel = "upsample::nearest_exact"; let quantized = "over_numbers::keep"; }
def : Op<"aten::_upsample_nearest_exact2d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor"> { let numerics = Close; let shape = "upsample::nearest2d_vec"; let kernel = "upsample::nearest_exact_vec"; let quantized = "over_numbers::keep"; }
def : Op<"aten::_upsample_nearest_exact2d.out(Tensor self, SymInt[2] output_size, float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::_upsample_nearest_exact3d(Tensor self, SymInt[3] output_size, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor"> { let numerics = Close; let shape = "upsample::nearest3d"; let kernel = "upsample::nearest_exact"; let quantized = "over_numbers::keep"; }
def : Op<"aten::_upsample_nearest_exact3d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor"> { let numerics = Close; let shape = "upsample::nearest3d_vec"; let kernel = "upsample::nearest_exact_vec"; let quantized = "over_numbers::keep"; }
def : Op<"aten::_upsample_nearest_exact3d.out(Tensor self, SymInt[3] output_size, float? scales_d=None, float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::affine_grid_generator(Tensor theta, SymInt[] size, bool align_corners) -> Tensor"> { let numerics = Close; let shape = "upsample::affine_grid_generator"; let refuses = [NoKernel<"linspace_cpu", [Bools]>]; }
def : Op<"aten::affine_grid_generator.out(Tensor theta, SymInt[] size, bool align_corners, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::channel_shuffle(Tensor self, SymInt groups) -> Tensor", [MayView, TorchMlir]> { let shape = "upsample::channel_shuffle"; let kernel = "upsample::channel_shuffle"; let quantized = "move_integers::moved"; }
def : Op<"aten::channel_shuffle.out(Tensor self, SymInt groups, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::grid_sampler(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor", [TorchMlir]> { let numerics = Loose; let shape = "upsample::grid_sampler"; let kernel = "grid::grid_sampler"; let quantized = "over_numbers::keep"; }

def : Op<"aten::grid_sampler_2d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor"> { let numerics = Loose; let shape = "upsample::grid_sampler"; let kernel = "grid::grid_sampler"; let quantized = "over_numbers::keep"; }
def : Op<"aten::grid_sampler_2d.out(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::pixel_shuffle(Tensor self, int upscale_factor) -> Tensor", [TorchMlir]> { let shape = "upsample::pixel_shuffle"; let kernel = "upsample::pixel_shuffle"; let quantized = "move_integers::moved"; }
def : Op<"aten::pixel_shuffle.out(Tensor self, int upscale_factor, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor", [TorchMlir]> { let shape = "upsample::pixel_unshuffle"; let kernel = "upsample::pixel_unshuffle"; let quantized = "move_integers::moved"; }
def : Op<"aten::pixel_unshuffle.out(Tensor self, int downscale_factor, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::upsample_bicubic2d(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor"> { let numerics = Loose; let shape = "upsample::bicubic2d"; let kernel = "upsample::cubic_sized"; }
def : Op<"aten::upsample_bicubic2d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor"> { let numerics = Loose; let shape = "upsample::bicubic2d_vec"; let kernel = "upsample::cubic_vec"; }
def : Op<"aten::upsample_bicubic2d.out(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::upsample_bilinear2d(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor", [TorchMlir]> { let numerics = Loose; let shape = "upsample::bilinear2d"; let kernel = "upsample::linear"; let quantized = "over_numbers::interpolated"; }
def : Op<"aten::upsample_bilinear2d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor", [TorchMlir]> { let numerics = Loose; let shape = "upsample::bilinear2d_vec"; let kernel = "upsample::linear_vec"; let quantized = "over_numbers::interpolated"; }
def : Op<"aten::upsample_bilinear2d.out(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::upsample_bilinear2d.vec_out(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::upsample_linear1d(Tensor self, SymInt[1] output_size, bool align_corners, float? scales=None) -> Tensor"> { let numerics = Close; let shape = "upsample::linear1d"; let kernel = "upsample::linear"; let refuses = [NoKernel<"compute_indices_weights_linear", [Bytes]>]; }
def : Op<"aten::upsample_linear1d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor"> { let numerics = Close; let shape = "upsample::linear1d_vec"; let kernel = "upsample::linear_vec"; let refuses = [NoKernel<"compute_indices_weights_linear", [Bytes]>]; }
def : Op<"aten::upsample_linear1d.out(Tensor self, SymInt[1] output_size, bool align_corners, float? scales=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::upsample_nearest1d(Tensor self, SymInt[1] output_size, float? scales=None) -> Tensor", [TorchMlir]> { let shape = "upsample::nearest1d"; let kernel = "upsample::nearest"; let quantized = "over_numbers::keep"; }
def : Op<"aten::upsample_nearest1d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor", [TorchMlir]> { let shape = "upsample::nearest1d_vec"; let kernel = "upsample::nearest_vec"; let quantized = "over_numbers::keep"; }
def : Op<"aten::upsample_nearest1d.out(Tensor self, SymInt[1] output_size, float? scales=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::upsample_nearest2d(Tensor self, SymInt[2] output_size, float? scales_h=None, float? scales_w=None) -> Tensor", [TorchMlir]> { let shape = "upsample::nearest2d"; let kernel = "upsample::nearest"; let quantized = "over_numbers::keep"; }
def : Op<"aten::upsample_nearest2d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor", [TorchMlir]> { let shape = "upsample::nearest2d_vec"; let kernel = "upsample::nearest_vec"; let quantized = "over_numbers::keep"; }
def : Op<"aten::upsample_nearest2d.out(Tensor self, SymInt[2] output_size, float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)">;
def : Op<"aten::upsample_nearest2d.vec_out(Tensor input, SymInt[]? output_size, float[]? scale_factors, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::upsample_nearest2d_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, float? scales_h=None, float? scales_w=None) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "upsample::backward2d"; let kernel = "window_gradients::nearest_backward"; let refuses = [NoKernel<"upsample_nearest2d_backward_cl", [Bytes, Complexes]>]; }

def : Op<"aten::upsample_nearest3d(Tensor self, SymInt[3] output_size, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor"> { let shape = "upsample::nearest3d"; let kernel = "upsample::nearest"; let quantized = "over_numbers::keep"; }
def : Op<"aten::upsample_nearest3d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor"> { let shape = "upsample::nearest3d_vec"; let kernel = "upsample::nearest_vec"; let quantized = "over_numbers::keep"; }
def : Op<"aten::upsample_nearest3d.out(Tensor self, SymInt[3] output_size, float? scales_d=None, float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::upsample_trilinear3d(Tensor self, SymInt[3] output_size, bool align_corners, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor"> { let numerics = Close; let shape = "upsample::trilinear3d"; let kernel = "upsample::linear"; let refuses = [NoKernel<"compute_indices_weights_linear", [Bytes]>]; }
def : Op<"aten::upsample_trilinear3d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor"> { let numerics = Close; let shape = "upsample::trilinear3d_vec"; let kernel = "upsample::linear_vec"; let refuses = [NoKernel<"compute_indices_weights_linear", [Bytes]>]; }
def : Op<"aten::upsample_trilinear3d.out(Tensor self, SymInt[3] output_size, bool align_corners, float? scales_d=None, float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::_upsample_bicubic2d_aa_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor"> { let numerics = Close; let shape = "upsample::backward2d"; let kernel = "window_gradients::smooth_cubic_backward"; let refuses = [NoKernel<"upsample_bicubic2d_aa_backward_cpu", [Bytes, HalfFloats, Complexes]>]; }
def : Op<"aten::_upsample_bicubic2d_aa_backward.grad_input(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, Tensor(a!) grad_input) -> Tensor(a!)">;

def : Op<"aten::_upsample_bilinear2d_aa_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor"> { let numerics = Close; let shape = "upsample::backward2d"; let kernel = "window_gradients::smooth_linear_backward"; let refuses = [NoKernel<"upsample_bilinear2d_aa_backward_cpu", [Bytes, HalfFloats, Complexes]>]; }
def : Op<"aten::_upsample_bilinear2d_aa_backward.grad_input(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, Tensor(a!) grad_input) -> Tensor(a!)">;

def : Op<"aten::_upsample_nearest_exact1d_backward(Tensor grad_output, SymInt[1] output_size, SymInt[3] input_size, float? scales=None) -> Tensor"> { let numerics = Close; let shape = "upsample::backward1d"; let kernel = "window_gradients::nearest_exact_backward"; let refuses = [NoKernel<"_upsample_nearest_exact1d_backward", [Bytes, Complexes]>]; }
def : Op<"aten::_upsample_nearest_exact1d_backward.grad_input(Tensor grad_output, SymInt[1] output_size, SymInt[3] input_size, float? scales=None, *, Tensor(a!) grad_input) -> Tensor(a!)">;

def : Op<"aten::_upsample_nearest_exact2d_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, float? scales_h=None, float? scales_w=None) -> Tensor"> { let numerics = Close; let shape = "upsample::backward2d"; let kernel = "window_gradients::nearest_exact_backward"; let refuses = [NoKernel<"_upsample_nearest_exact2d_backward_cl", [Bytes, Complexes]>]; }
def : Op<"aten::_upsample_nearest_exact2d_backward.grad_input(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, float? scales_h=None, float? scales_w=None, *, Tensor(a!) grad_input) -> Tensor(a!)">;

def : Op<"aten::_upsample_nearest_exact3d_backward(Tensor grad_output, SymInt[3] output_size, SymInt[5] input_size, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor"> { let numerics = Close; let shape = "upsample::backward3d"; let kernel = "window_gradients::nearest_exact_backward"; let refuses = [NoKernel<"_upsample_nearest_exact3d_backward_cl", [Bytes, Complexes]>]; }
def : Op<"aten::_upsample_nearest_exact3d_backward.grad_input(Tensor grad_output, SymInt[3] output_size, SymInt[5] input_size, float? scales_d=None, float? scales_h=None, float? scales_w=None, *, Tensor(a!) grad_input) -> Tensor(a!)">;

def : Op<"aten::grid_sampler_2d_backward(Tensor grad_output, Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners, bool[2] output_mask) -> (Tensor, Tensor)"> { let numerics = Close; let shape = "upsample::grid_sampler_backward"; let kernel = "grid_gradients::grid_sampler_backward"; let alike = [Alike<"input grid grad_output">]; }
def : Op<"aten::grid_sampler_2d_backward.out(Tensor grad_output, Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners, bool[2] output_mask, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))", [OwnDType]>;

def : Op<"aten::grid_sampler_3d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor"> { let numerics = Close; let shape = "upsample::grid_sampler"; let kernel = "grid::grid_sampler"; }
def : Op<"aten::grid_sampler_3d.out(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::grid_sampler_3d_backward(Tensor grad_output, Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners, bool[2] output_mask) -> (Tensor, Tensor)"> { let numerics = Close; let shape = "upsample::grid_sampler_backward"; let kernel = "grid_gradients::grid_sampler_backward"; let alike = [Alike<"input grid grad_output">]; }
def : Op<"aten::grid_sampler_3d_backward.out(Tensor grad_output, Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners, bool[2] output_mask, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))", [OwnDType]>;

def : Op<"aten::upsample_bicubic2d_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor"> { let numerics = Close; let shape = "upsample::backward2d"; let kernel = "window_gradients::cubic_backward"; let refuses = [NoKernel<"upsample_bicubic2d_backward", [Bytes, Complexes]>]; }
def : Op<"aten::upsample_bicubic2d_backward.grad_input(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, Tensor(a!) grad_input) -> Tensor(a!)">;

def : Op<"aten::upsample_bilinear2d_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor"> { let numerics = Close; let shape = "upsample::backward2d"; let kernel = "window_gradients::linear_backward"; let refuses = [NoKernel<"upsample_bilinear2d_backward", [Bytes, Complexes]>]; }
def : Op<"aten::upsample_bilinear2d_backward.grad_input(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, Tensor(a!) grad_input) -> Tensor(a!)">;

def : Op<"aten::upsample_linear1d_backward(Tensor grad_output, SymInt[1] output_size, SymInt[3] input_size, bool align_corners, float? scales=None) -> Tensor"> { let numerics = Close; let shape = "upsample::backward1d"; let kernel = "window_gradients::linear_backward"; let refuses = [NoKernel<"upsample_linear1d_backward", [Bytes, Complexes]>]; }
def : Op<"aten::upsample_linear1d_backward.grad_input(Tensor grad_output, SymInt[1] output_size, SymInt[3] input_size, bool align_corners, float? scales=None, *, Tensor(a!) grad_input) -> Tensor(a!)">;

def : Op<"aten::upsample_nearest1d_backward(Tensor grad_output, SymInt[1] output_size, SymInt[3] input_size, float? scales=None) -> Tensor"> { let numerics = Close; let shape = "upsample::backward1d"; let kernel = "window_gradients::nearest_backward"; let refuses = [NoKernel<"upsample_nearest1d_backward", [Bytes, Complexes]>]; }
def : Op<"aten::upsample_nearest1d_backward.grad_input(Tensor grad_output, SymInt[1] output_size, SymInt[3] input_size, float? scales=None, *, Tensor(a!) grad_input) -> Tensor(a!)">;

def : Op<"aten::upsample_nearest2d_backward.grad_input(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, float? scales_h=None, float? scales_w=None, *, Tensor(a!) grad_input) -> Tensor(a!)"> { let numerics = Close; }

def : Op<"aten::upsample_nearest3d_backward(Tensor grad_output, SymInt[3] output_size, SymInt[5] input_size, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor"> { let numerics = Close; let shape = "upsample::backward3d"; let kernel = "window_gradients::nearest_backward"; let refuses = [NoKernel<"_upsample_nearest3d_backward_cl", [Bytes, Complexes]>]; }
def : Op<"aten::upsample_nearest3d_backward.grad_input(Tensor grad_output, SymInt[3] output_size, SymInt[5] input_size, float? scales_d=None, float? scales_h=None, float? scales_w=None, *, Tensor(a!) grad_input) -> Tensor(a!)">;

def : Op<"aten::upsample_trilinear3d_backward(Tensor grad_output, SymInt[3] output_size, SymInt[5] input_size, bool align_corners, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor"> { let numerics = Close; let shape = "upsample::backward3d"; let kernel = "window_gradients::linear_backward"; let refuses = [NoKernel<"upsample_trilinear3d_backward_channels_last", [Bytes, Complexes]>]; }
def : Op<"aten::upsample_trilinear3d_backward.grad_input(Tensor grad_output, SymInt[3] output_size, SymInt[5] input_size, bool align_corners, float? scales_d=None, float? scales_h=None, float? scales_w=None, *, Tensor(a!) grad_input) -> Tensor(a!)">;
