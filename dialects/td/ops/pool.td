//===- pool.td - The op table: pooling -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::_adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "pool::adaptive_avg_pool2d"; let kernel = "pool::adaptive_avg_pool2d"; let quantized = "over_numbers::averaged"; }
def : Op<"aten::_adaptive_avg_pool2d.out(Tensor self, SymInt[2] output_size, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::_adaptive_avg_pool2d_backward(Tensor grad_output, Tensor self) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "pool::adaptive_avg_pool2d_backward"; let kernel = "window_gradients::adaptive_avg_pool2d_backward"; }
def : Op<"aten::_adaptive_avg_pool2d_backward.out(Tensor grad_output, Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::_adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "pool::adaptive_avg_pool3d"; let kernel = "pool::adaptive_avg_pool3d"; let quantized = "over_numbers::averaged"; }
def : Op<"aten::_adaptive_avg_pool3d.out(Tensor self, SymInt[3] output_size, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::_adaptive_avg_pool3d_backward(Tensor grad_output, Tensor self) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "pool::adaptive_avg_pool3d_backward"; let kernel = "window_gradients::adaptive_avg_pool3d_backward"; }
def : Op<"aten::_adaptive_avg_pool3d_backward.out(Tensor grad_output, Tensor self, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor", [TorchMlir, Differentiable]> { let numerics = Close; let shape = "pool::adaptive_avg_pool1d"; let kernel = "pool::adaptive_avg_pool1d"; let quantized = "over_numbers::averaged"; }
def : Op<"aten::adaptive_avg_pool1d.out(Tensor self, int[1] output_size, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor", [TorchMlir, Differentiable]> { let numerics = Close; let shape = "pool::adaptive_avg_pool2d"; let kernel = "pool::adaptive_avg_pool2d"; let quantized = "over_numbers::averaged"; }
def : Op<"aten::adaptive_avg_pool2d.out(Tensor self, SymInt[2] output_size, *, Tensor(a!) out) -> Tensor(a!)", [Relaid]>;

def : Op<"aten::adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor", [TorchMlir, Differentiable]> { let numerics = Close; let shape = "pool::adaptive_avg_pool3d"; let kernel = "pool::adaptive_avg_pool3d"; let quantized = "over_numbers::averaged"; }
def : Op<"aten::adaptive_avg_pool3d.out(Tensor self, SymInt[3] output_size, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::adaptive_max_pool1d(Tensor self, int[1] output_size) -> (Tensor, Tensor)", [TorchMlir]> { let shape = "pool::adaptive_max_pool1d"; let kernel = "pool::adaptive_max_pool1d"; }

def : Op<"aten::adaptive_max_pool2d(Tensor self, int[2] output_size) -> (Tensor, Tensor)", [TorchMlir]> { let shape = "pool::adaptive_max_pool2d"; let kernel = "pool::adaptive_max_pool2d"; }
def : Op<"aten::adaptive_max_pool2d.out(Tensor self, int[2] output_size, *, Tensor(a!) out, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))">;

def : Op<"aten::adaptive_max_pool3d(Tensor self, int[3] output_size) -> (Tensor, Tensor)", [TorchMlir]> { let shape = "pool::adaptive_max_pool3d"; let kernel = "pool::adaptive_max_pool3d"; }
def : Op<"aten::adaptive_max_pool3d.out(Tensor self, int[3] output_size, *, Tensor(a!) out, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))">;

def : Op<"aten::avg_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], bool ceil_mode=False, bool count_include_pad=True) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "pool::avg_pool1d"; let kernel = "pool::avg_pool1d"; let refuses = [NoKernel<"avg_pool2d", [Bytes]>]; let quantized = "over_numbers::averaged"; }
def : Op<"aten::avg_pool1d.out(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], bool ceil_mode=False, bool count_include_pad=True, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::avg_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor", [TorchMlir, Differentiable]> { let numerics = Close; let shape = "pool::avg_pool2d"; let kernel = "pool::avg_pool2d"; let refuses = [NoKernel<"avg_pool2d", [Bytes]>]; let quantized = "over_numbers::averaged"; }
def : Op<"aten::avg_pool2d.out(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::avg_pool2d_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, int[2] padding, bool ceil_mode, bool count_include_pad, int? divisor_override) -> Tensor", [TorchMlir]> { let numerics = Close; let kernel = "window_gradients::avg_pool2d_backward"; let shape = "pool::avg_pool2d_backward"; }

def : Op<"aten::avg_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor", [TorchMlir]> { let numerics = Close; let shape = "pool::avg_pool3d"; let kernel = "pool::avg_pool3d"; let refuses = [NoKernel<"avg_pool3d_out_frame", [Bytes]>]; let quantized = "over_numbers::averaged"; }
def : Op<"aten::avg_pool3d.out(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::avg_pool3d_backward(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] stride, int[3] padding, bool ceil_mode, bool count_include_pad, int? divisor_override) -> Tensor", [TorchMlir]> { let numerics = Close; let kernel = "window_gradients::avg_pool3d_backward"; let shape = "pool::avg_pool3d_backward"; }

def : Op<"aten::max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], int[1] dilation=[1], bool ceil_mode=False) -> Tensor", [TorchMlir]> { let shape = "pool::max_pool1d"; let kernel = "pool::max_pool1d"; let quantized = "over_numbers::keep"; }

def : Op<"aten::max_pool1d_with_indices(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], int[1] dilation=[1], bool ceil_mode=False) -> (Tensor, Tensor)", [TorchMlir]> { let shape = "pool::max_pool1d_with_indices"; let kernel = "pool::max_pool1d_with_indices"; }

def : Op<"aten::max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> Tensor", [TorchMlir, Differentiable]> { let shape = "pool::max_pool2d"; let kernel = "pool::max_pool2d"; let quantized = "over_numbers::keep"; }

def : Op<"aten::max_pool2d_with_indices(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)", [TorchMlir, Differentiable]> { let shape = "pool::max_pool2d_with_indices"; let kernel = "pool::max_pool2d_with_indices"; }
def : Op<"aten::max_pool2d_with_indices.out(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False, *, Tensor(a!) out, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))">;

def : Op<"aten::max_pool2d_with_indices_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, int[2] padding, int[2] dilation, bool ceil_mode, Tensor indices) -> Tensor", [TorchMlir]> { let numerics = Close; let kernel = "window_gradients::max_pool2d_backward"; let shape = "pool::max_pool2d_backward"; let refuses = [LongIndices<"indices">]; }

def : Op<"aten::max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> Tensor", [TorchMlir]> { let shape = "pool::max_pool3d"; let kernel = "pool::max_pool3d"; let quantized = "over_numbers::keep"; }

def : Op<"aten::max_pool3d_with_indices(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)", [TorchMlir]> { let shape = "pool::max_pool3d_with_indices"; let kernel = "pool::max_pool3d_with_indices"; }
def : Op<"aten::max_pool3d_with_indices.out(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False, *, Tensor(a!) out, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))", [Relaid]>;

def : Op<"aten::max_pool3d_with_indices_backward(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] stride, int[3] padding, int[3] dilation, bool ceil_mode, Tensor indices) -> Tensor", [TorchMlir]> { let numerics = Close; let kernel = "window_gradients::max_pool3d_backward"; let shape = "pool::max_pool3d_backward"; let refuses = [LongIndices<"indices">]; }

def : Op<"aten::max_unpool2d(Tensor self, Tensor indices, SymInt[2] output_size) -> Tensor", [TorchMlir]> { let shape = "pool::max_unpool2d"; let kernel = "window_gradients::max_unpool2d"; let refuses = [NoKernel<"max_unpool2d", [Bools, Ints, Complexes]>]; }
def : Op<"aten::max_unpool2d.out(Tensor self, Tensor indices, SymInt[2] output_size, *, Tensor(a!) out) -> Tensor(a!)", [Relaid]>;

def : Op<"aten::max_unpool3d(Tensor self, Tensor indices, SymInt[3] output_size, int[3] stride, int[3] padding) -> Tensor", [TorchMlir]> { let shape = "pool::max_unpool3d"; let kernel = "window_gradients::max_unpool3d"; let refuses = [NoKernel<"max_unpool3d", [Bools, Ints, Complexes]>]; }
def : Op<"aten::max_unpool3d.out(Tensor self, Tensor indices, SymInt[3] output_size, int[3] stride, int[3] padding, *, Tensor(a!) out) -> Tensor(a!)", [Relaid]>;

def : Op<"aten::adaptive_avg_pool3d_backward.grad_input(Tensor grad_output, Tensor self, *, Tensor(a!) grad_input) -> Tensor(a!)"> { let numerics = Close; let functional = "aten::_adaptive_avg_pool3d_backward"; }
def : Op<"aten::adaptive_max_pool2d_backward(Tensor grad_output, Tensor self, Tensor indices) -> Tensor"> { let numerics = Close; let shape = "pool::adaptive_max_pool2d_backward"; let kernel = "window_gradients::max_pool2d_backward"; }
def : Op<"aten::adaptive_max_pool2d_backward.grad_input(Tensor grad_output, Tensor self, Tensor indices, *, Tensor(a!) grad_input) -> Tensor(a!)">;

def : Op<"aten::adaptive_max_pool3d_backward(Tensor grad_output, Tensor self, Tensor indices) -> Tensor"> { let numerics = Close; let shape = "pool::adaptive_max_pool3d_backward"; let kernel = "window_gradients::max_pool3d_backward"; let refuses = [LongIndices<"indices">]; }
def : Op<"aten::adaptive_max_pool3d_backward.grad_input(Tensor grad_output, Tensor self, Tensor indices, *, Tensor(a!) grad_input) -> Tensor(a!)">;

def : Op<"aten::avg_pool2d_backward.grad_input(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, int[2] padding, bool ceil_mode, bool count_include_pad, int? divisor_override, *, Tensor(a!) grad_input) -> Tensor(a!)"> { let numerics = Close; }

def : Op<"aten::avg_pool3d_backward.grad_input(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] stride, int[3] padding, bool ceil_mode, bool count_include_pad, int? divisor_override, *, Tensor(a!) grad_input) -> Tensor(a!)"> { let numerics = Close; }

def : Op<"aten::fractional_max_pool2d(Tensor self, int[2] kernel_size, int[2] output_size, Tensor random_samples) -> (Tensor, Tensor)"> { let numerics = Close; let shape = "pool::fractional2d"; let kernel = "fractional::pool2d"; }
def : Op<"aten::fractional_max_pool2d.output(Tensor self, int[2] kernel_size, int[2] output_size, Tensor random_samples, *, Tensor(a!) output, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))">;

def : Op<"aten::fractional_max_pool2d_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] output_size, Tensor indices) -> Tensor"> { let numerics = Close; let kernel = "fractional::backward2d"; let shape = "pool::fractional2d_backward"; let refuses = [LongIndices<"indices">]; let alike = [Alike<"self grad_output">]; }
def : Op<"aten::fractional_max_pool2d_backward.grad_input(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] output_size, Tensor indices, *, Tensor(a!) grad_input) -> Tensor(a!)">;

def : Op<"aten::fractional_max_pool3d(Tensor self, int[3] kernel_size, int[3] output_size, Tensor random_samples) -> (Tensor, Tensor)"> { let numerics = Close; let shape = "pool::fractional3d"; let kernel = "fractional::pool3d"; }
def : Op<"aten::fractional_max_pool3d.output(Tensor self, int[3] kernel_size, int[3] output_size, Tensor random_samples, *, Tensor(a!) output, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))">;

def : Op<"aten::fractional_max_pool3d_backward(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] output_size, Tensor indices) -> Tensor"> { let numerics = Close; let kernel = "fractional::backward3d"; let shape = "pool::fractional3d_backward"; let refuses = [LongIndices<"indices">]; let alike = [Alike<"self grad_output">]; }
def : Op<"aten::fractional_max_pool3d_backward.grad_input(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] output_size, Tensor indices, *, Tensor(a!) grad_input) -> Tensor(a!)">;

def : Op<"aten::max_pool2d_with_indices_backward.grad_input(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, int[2] padding, int[2] dilation, bool ceil_mode, Tensor indices, *, Tensor(a!) grad_input) -> Tensor(a!)"> { let numerics = Close; }

def : Op<"aten::max_pool3d_with_indices_backward.grad_input(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] stride, int[3] padding, int[3] dilation, bool ceil_mode, Tensor indices, *, Tensor(a!) grad_input) -> Tensor(a!)", [Relaid]> { let numerics = Close; }
